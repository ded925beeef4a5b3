/* Times kernels of OpenCL C on PoCL's CPU device, with all cores (see serve.h).
 *
 *   opencl_bench device              its version; exits with 77 where there is none
 *   opencl_bench FILE.cl KERNEL
 *
 * Request: KERNEL SIZE COUNT, as cpu_bench's; a time for each launch, from the call that enqueues
 * it to its end. An array is one argument, its extents are not passed on: kernels take what they
 * need after the arrays, see arguments_set. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_work.h"

/* --- OpenCL ------------------------------------------------------------------------------------
 */

/* What is used of CL/cl.h. */
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_mem *cl_mem;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;

enum {
    CL_PLATFORM_VERSION = 0x0901,
    CL_PLATFORM_NAME = 0x0902,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    MAX_PLATFORMS = 16,
    NO_DEVICE_STATUS = 77
};
static const cl_ulong device_type_cpu = 2, memory_read_write = 1;

/* member, symbol, result, parameters */
#define OPENCL_FUNCTIONS(F)                                                                        \
    F(platforms, clGetPlatformIDs, cl_int, (cl_uint, cl_platform_id *, cl_uint *))                 \
    F(platform_info, clGetPlatformInfo, cl_int,                                                    \
      (cl_platform_id, cl_uint, size_t, void *, size_t *))                                         \
    F(devices, clGetDeviceIDs, cl_int,                                                             \
      (cl_platform_id, cl_ulong, cl_uint, cl_device_id *, cl_uint *))                              \
    F(context_new, clCreateContext, cl_context,                                                    \
      (const intptr_t *, cl_uint, const cl_device_id *,                                            \
       void (*)(const char *, const void *, size_t, void *), void *, cl_int *))                    \
    F(queue_new, clCreateCommandQueue, cl_command_queue,                                           \
      (cl_context, cl_device_id, cl_ulong, cl_int *))                                              \
    F(program_new, clCreateProgramWithSource, cl_program,                                          \
      (cl_context, cl_uint, const char **, const size_t *, cl_int *))                              \
    F(program_build, clBuildProgram, cl_int,                                                       \
      (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *),      \
       void *))                                                                                    \
    F(build_info, clGetProgramBuildInfo, cl_int,                                                   \
      (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *))                               \
    F(kernel_new, clCreateKernel, cl_kernel, (cl_program, const char *, cl_int *))                 \
    F(argument, clSetKernelArg, cl_int, (cl_kernel, cl_uint, size_t, const void *))                \
    F(memory_new, clCreateBuffer, cl_mem, (cl_context, cl_ulong, size_t, void *, cl_int *))        \
    F(memory_free, clReleaseMemObject, cl_int, (cl_mem))                                           \
    F(write, clEnqueueWriteBuffer, cl_int,                                                         \
      (cl_command_queue, cl_mem, cl_uint, size_t, size_t, const void *, cl_uint, const void *,     \
       void *))                                                                                    \
    F(read, clEnqueueReadBuffer, cl_int,                                                           \
      (cl_command_queue, cl_mem, cl_uint, size_t, size_t, void *, cl_uint, const void *, void *))  \
    F(launch, clEnqueueNDRangeKernel, cl_int,                                                      \
      (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,       \
       cl_uint, const void *, void *))                                                             \
    F(finish, clFinish, cl_int, (cl_command_queue))

struct opencl {
#define MEMBER(member, symbol, result, parameters) result(*member) parameters;
    OPENCL_FUNCTIONS(MEMBER)
#undef MEMBER
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    const char *kernel_name;
    cl_mem arrays[CPU_WORK_ARRAYS];
};

static bool
opencl_load(struct opencl *cl)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "no OpenCL: %s\n", dlerror());
        return false;
    }
#define LOAD(member, symbol, result, parameters)                                                   \
    *(void **)&cl->member = dlsym(library, #symbol);                                               \
    if (!cl->member) {                                                                             \
        fputs("OpenCL has no " #symbol "\n", stderr);                                              \
        return false;                                                                              \
    }
    OPENCL_FUNCTIONS(LOAD)
#undef LOAD
    return true;
}

/* With a message on standard error. */
static bool
done(cl_int error, const char *what)
{
    if (error)
        fprintf(stderr, "%s: OpenCL's error %d\n", what, error);
    return !error;
}

/* As part of an answer. */
static bool
check(cl_int error, const char *what, struct bench_reply *reply)
{
    return error ? bench_fail(reply, "%s: OpenCL's error %d", what, error) : true;
}

static bool
is_pocl(const struct opencl *cl, cl_platform_id platform)
{
    char name[256] = "";
    return !cl->platform_info(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) &&
           !strcmp(name, "Portable Computing Language");
}

static bool
find_device(struct opencl *cl)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint n = 0;
    if (cl->platforms(MAX_PLATFORMS, platforms, &n))
        n = 0;
    for (cl_uint i = 0; i < n && i < MAX_PLATFORMS && !cl->device; i++) {
        cl->platform = platforms[i];
        if (!is_pocl(cl, platforms[i]) ||
            cl->devices(platforms[i], device_type_cpu, 1, &cl->device, NULL))
            cl->device = NULL;
    }
    if (!cl->device)
        fputs("OpenCL has no CPU device of PoCL's\n", stderr);
    return cl->device;
}

static void
print_build_log(const struct opencl *cl)
{
    char log[2048] = "";
    cl->build_info(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
}

static bool
open_kernel(struct opencl *cl, const char *path, const char *name)
{
    size_t length;
    cl_int error = 0;
    char *text = bench_read_file(path, &length);
    const char *source = text;
    if (!text) {
        perror(path);
        return false;
    }
    cl->kernel_name = name;
    cl->context = cl->context_new(NULL, 1, &cl->device, NULL, NULL, &error);
    if (!error)
        cl->queue = cl->queue_new(cl->context, cl->device, 0, &error);
    if (!error)
        cl->program = cl->program_new(cl->context, 1, &source, &length, &error);
    free(text);
    if (error)
        return done(error, "OpenCL");
    if (!done(cl->program_build(cl->program, 1, &cl->device, "", NULL, NULL), path)) {
        print_build_log(cl);
        return false;
    }
    cl->kernel = cl->kernel_new(cl->program, name, &error);
    return done(error, name);
}

/* --- Answers -----------------------------------------------------------------------------------
 */

/* The scalar, the arrays, and then the first array's extents as ints. */
static bool
arguments_set(struct opencl *cl, const struct cpu_work *work, struct bench_reply *reply)
{
    cl_uint n = 0;
    cl_int error = 0;
    if (work->has_scalar)
        error = cl->argument(cl->kernel, n++, sizeof work->scalar, &work->scalar);
    for (size_t i = 0; i < work->n_arrays && !error; i++) {
        const size_t bytes = cpu_work_bytes(work, i);
        cl->arrays[i] = cl->memory_new(cl->context, memory_read_write, bytes, NULL, &error);
        if (!error)
            error = cl->write(cl->queue, cl->arrays[i], true, 0, bytes, work->arrays[i].host, 0,
                              NULL, NULL);
        if (!error)
            error = cl->argument(cl->kernel, n++, sizeof cl->arrays[i], &cl->arrays[i]);
    }
    for (int i = 0; i < work->arrays[0].ndim && !error; i++) {
        cl_int extent = (cl_int)work->arrays[0].shape[i];
        error = cl->argument(cl->kernel, n++, sizeof extent, &extent);
    }
    return check(error, "the arguments", reply);
}

static bool
launch(void *state, const struct cpu_work *work, struct bench_reply *reply)
{
    struct opencl *cl = state;
    size_t global[2], local[2];
    for (int i = 0; i < 2; i++) {
        local[i] = work->block[i];
        global[i] = local[i] * work->grid[i];
    }
    return check(cl->launch(cl->queue, cl->kernel, local[1] * work->grid[1] > 1 ? 2 : 1, NULL,
                            global, local, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel", reply) &&
           check(cl->finish(cl->queue), "clFinish", reply);
}

static bool
time_work(struct opencl *cl, struct cpu_work *work, uint64_t count, struct bench_reply *reply)
{
    const size_t last = work->n_arrays - 1;
    return arguments_set(cl, work, reply) && cpu_work_time(work, launch, cl, count, reply) &&
           check(cl->read(cl->queue, cl->arrays[last], true, 0, cpu_work_bytes(work, last),
                          work->arrays[last].host, 0, NULL, NULL),
                 "clEnqueueReadBuffer", reply) &&
           cpu_work_verify(work, reply);
}

static bool
answer(void *state, const struct bench_request *request, struct bench_reply *reply)
{
    struct opencl *cl = state;
    struct cpu_work work;
    uint64_t count;
    if (!request->n || strcmp(request->words[0], cl->kernel_name) != 0)
        return bench_fail(reply, "the request is: %s SIZE COUNT", cl->kernel_name);
    bool fine = cpu_work_init(&work, cl->kernel_name, request, &count, reply) &&
                time_work(cl, &work, count, reply);
    for (size_t i = 0; i < CPU_WORK_ARRAYS; i++) {
        if (cl->arrays[i])
            cl->memory_free(cl->arrays[i]);
        cl->arrays[i] = NULL;
    }
    cpu_work_release(&work);
    return fine;
}

/* --- The program -------------------------------------------------------------------------------
 */

static int
print_version(const struct opencl *cl)
{
    char version[256] = "";
    if (!done(cl->platform_info(cl->platform, CL_PLATFORM_VERSION, sizeof version, version, NULL),
              "clGetPlatformInfo"))
        return EXIT_FAILURE;
    puts(version);
    return EXIT_SUCCESS;
}

int
main(int argc, char **argv)
{
    struct opencl cl = {0};
    if (argc != 3 && !(argc == 2 && !strcmp(argv[1], "device"))) {
        fputs("usage: opencl_bench device | FILE.cl KERNEL\n", stderr);
        return 2;
    }
    if (!opencl_load(&cl) || !find_device(&cl))
        return NO_DEVICE_STATUS;
    if (argc == 2)
        return print_version(&cl);
    return open_kernel(&cl, argv[1], argv[2]) ? bench_serve(answer, &cl) : EXIT_FAILURE;
}
