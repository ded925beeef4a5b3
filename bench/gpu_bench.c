/* Times kernels on the first CUDA device (see serve.h), through ck or through the driver alone:
 *
 *   gpu_bench device                            name, compute capability, multiprocessors, driver
 *   gpu_bench ck FILE.ck KERNEL                 launches by ck_launch
 *   gpu_bench plain|cooperative FILE KERNEL     launches a kernel of a cubin or PTX by the driver's
 *                                               call of that kind
 *   gpu_bench library FILE FUNCTION             calls int FUNCTION(void **parameters, void *stream)
 *                                               of a shared library; not 0: it failed
 * FILE -: the first request is to be load.
 *
 * Requests; GRID and BLOCK are 32 or 32x32:
 *   device GRID BLOCK COUNT ARG...   a time between events for each of COUNT launches
 *   rows GRID BLOCK COUNT ARG...     the same, and row r of the first array must be all r then
 *   host GRID BLOCK COUNT ARG...     COUNT times of the launching call, each the mean of a hundred
 *   sync GRID BLOCK COUNT ARG...     the same of a launch and the wait for its end
 *   graph GRID BLOCK COUNT ARG...    the same of a node of a graph of a hundred, between events
 *   check NAME GRID BLOCK ARG...     launches once and checks what NAME of gpu_check.c should give;
 *                                    the arguments are kept
 *   again GRID BLOCK COUNT           as device, with the arguments that are kept
 *   load FILE KERNEL [MODE]           goes over to another kernel, launched in the same mode or in
 * MODE beside FILE KERNEL MODE           alternates it with the one loaded, until the next load:
 *                                    host and sync then give a time of each for each of COUNT
 *   limits BLOCK                     registers a thread, most resident blocks of so many threads
 *
 * An ARG is an array by its shape, as in a2 or a1024x1024: a is int32, a zero row and the rest
 * poisoned; z int32, zero; x float32, random from 0 to 1; p float32, poisoned; b uint8, random; u
 * float32 and v float64, the same numbers from 0 to 1 each time; q float64, poisoned; c complex128,
 * w uint32 and l uint64, zero. r is x's kind of numbers, the same ones in all requests, of which
 * none is written. i2000 is an int64, f2.5 a float32. Kernels get their parameters as ck's have
 * them: an array is its address and then its shape. Exits with 77 where there is no device. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "gpu_driver.h"

/* --- Arguments ---------------------------------------------------------------------------------
 */

enum { MAX_ARGS = 18, MAX_POINTERS = MAX_ARGS * 3, POISON = 0xa5 };

/* A request's arguments, as ck and as the driver wants them. */
struct arguments {
    size_t n;
    ck_arg args[MAX_ARGS];
    ck_array arrays[MAX_ARGS];
    float floats[MAX_ARGS]; /* float32 scalars as the driver wants them */
    size_t n_pointers;
    void *pointers[MAX_POINTERS];
    bool keeps; /* what the arrays began with, below */
    void *before[MAX_ARGS];
    bool shared[MAX_ARGS]; /* with other requests: neither freed nor read back */
};

static size_t
array_bytes(const ck_array *array)
{
    return ck_dtype_size(array->dtype) * (size_t)array->shape[0] *
           (size_t)(array->ndim == 2 ? array->shape[1] : 1);
}

/* --- What arrays begin with --- */

static void
fill_first_row(char *host, const ck_array *array)
{
    const size_t bytes = array_bytes(array);
    memset(host, POISON, bytes);
    memset(host, 0, bytes / (size_t)array->shape[0]);
}

static void
fill_zero(char *host, const ck_array *array)
{
    memset(host, 0, array_bytes(array));
}

static void
fill_poison(char *host, const ck_array *array)
{
    memset(host, 0xff, array_bytes(array)); /* not numbers */
}

static uint64_t
next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t
random_seed(void)
{
    return (uint64_t)(bench_now() * 1e9) | 1;
}

static void
fill_unit(char *host, const ck_array *array)
{
    float *elements = (float *)(void *)host;
    uint64_t state = random_seed();
    for (size_t i = 0; i < array_bytes(array) / sizeof *elements; i++)
        elements[i] = (float)(next_random(&state) >> 40) * 0x1p-24f;
}

/* The fractions of multiples of the golden ratio. */
static double
spread_number(size_t i)
{
    const double multiple = (double)i * 0.6180339887498949;
    return multiple - (double)(uint64_t)multiple;
}

static void
fill_spread_floats(char *host, const ck_array *array)
{
    float *elements = (float *)(void *)host;
    for (size_t i = 0; i < array_bytes(array) / sizeof *elements; i++)
        elements[i] = (float)spread_number(i);
}

static void
fill_spread_doubles(char *host, const ck_array *array)
{
    double *elements = (double *)(void *)host;
    for (size_t i = 0; i < array_bytes(array) / sizeof *elements; i++)
        elements[i] = spread_number(i);
}

static void
fill_bytes(char *host, const ck_array *array)
{
    uint64_t state = random_seed();
    for (size_t i = 0; i < array_bytes(array); i++)
        host[i] = (char)(next_random(&state) >> 56);
}

static const struct array_kind {
    char letter;
    ck_dtype dtype;
    void (*fill)(char *host, const ck_array *array);
} array_kinds[] = {
    {'a', CK_INT32, fill_first_row},
    {'z', CK_INT32, fill_zero},
    {'x', CK_FLOAT32, fill_unit},
    {'p', CK_FLOAT32, fill_poison},
    {'b', CK_UINT8, fill_bytes},
    {'u', CK_FLOAT32, fill_spread_floats},
    {'v', CK_FLOAT64, fill_spread_doubles},
    {'q', CK_FLOAT64, fill_poison},
    {'c', CK_COMPLEX128, fill_zero},
    {'w', CK_UINT32, fill_zero},
    {'l', CK_UINT64, fill_zero},
    {'r', CK_FLOAT32, fill_unit},
};

/* The copy may go on after the driver's call, beside a launch on the other stream. */
static bool
copy_to_device(const struct driver *driver, CUdeviceptr to, const void *from, size_t bytes,
               struct bench_reply *reply)
{
    return driver_check(driver, driver->write(to, from, bytes), "cuMemcpyHtoD", reply) &&
           driver_check(driver, driver->stream_synchronize(NULL), "cuStreamSynchronize", reply);
}

static bool
fill_array(struct arguments *arguments, const struct driver *driver, const struct array_kind *kind,
           struct bench_reply *reply)
{
    const ck_array *array = &arguments->arrays[arguments->n];
    const size_t bytes = array_bytes(array);
    char *host = malloc(bytes);
    if (!host)
        return bench_fail(reply, "out of memory");
    kind->fill(host, array);
    bool done = copy_to_device(driver, array->data, host, bytes, reply);
    if (arguments->keeps)
        arguments->before[arguments->n] = host;
    else
        free(host);
    return done;
}

static bool
read_shape(ck_array *array, const char *word, struct bench_reply *reply)
{
    enum { MAX_EXTENT = 1 << 29 };
    long long rows = 0, cols = 0;
    int ndim = sscanf(word + 1, "%lldx%lld", &rows, &cols);
    if (ndim < 1 || rows < 1 || rows > MAX_EXTENT ||
        (ndim == 2 && (cols < 1 || cols > MAX_EXTENT / rows)))
        return bench_fail(reply, "%s is no array", word);
    const long long size = (long long)ck_dtype_size(array->dtype);
    array->ndim = ndim;
    array->shape[0] = rows;
    array->shape[1] = cols;
    array->strides[ndim - 1] = size;
    if (ndim == 2)
        array->strides[0] = cols * size;
    return true;
}

/* Makes the numbers that requests share at least as many as the array has. */
static bool
share_numbers(struct driver *driver, const struct array_kind *kind, const ck_array *array,
              struct bench_reply *reply)
{
    const size_t bytes = array_bytes(array);
    if (bytes <= driver->numbers.bytes)
        return true;
    if (driver->numbers.device)
        driver->memory_free(driver->numbers.device);
    free(driver->numbers.host);
    driver->numbers.bytes = 0;
    driver->numbers.device = 0;
    driver->numbers.host = malloc(bytes);
    if (!driver->numbers.host)
        return bench_fail(reply, "out of memory");
    kind->fill(driver->numbers.host, array);
    if (!driver_check(driver, driver->memory_new(&driver->numbers.device, bytes), "cuMemAlloc",
                      reply) ||
        !copy_to_device(driver, driver->numbers.device, driver->numbers.host, bytes, reply))
        return false;
    driver->numbers.bytes = bytes;
    return true;
}

static bool
add_shared(struct arguments *arguments, struct driver *driver, const struct array_kind *kind,
           const ck_array *array, CUdeviceptr *address, struct bench_reply *reply)
{
    if (!share_numbers(driver, kind, array, reply))
        return false;
    *address = driver->numbers.device;
    arguments->before[arguments->n] = driver->numbers.host;
    arguments->shared[arguments->n] = true;
    return true;
}

static bool
add_array(struct arguments *arguments, struct driver *driver, const struct array_kind *kind,
          const char *word, struct bench_reply *reply)
{
    ck_array *array = &arguments->arrays[arguments->n];
    CUdeviceptr address = 0;
    *array = (ck_array){.dtype = kind->dtype};
    if (!read_shape(array, word, reply))
        return false;
    if (kind->letter == 'r') {
        if (!add_shared(arguments, driver, kind, array, &address, reply))
            return false;
    } else if (!driver_check(driver, driver->memory_new(&address, array_bytes(array)), "cuMemAlloc",
                             reply)) {
        return false;
    }
    array->data = address;
    arguments->pointers[arguments->n_pointers++] = &array->data;
    for (int i = 0; i < array->ndim; i++)
        arguments->pointers[arguments->n_pointers++] = &array->shape[i];
    bool done = arguments->shared[arguments->n] || fill_array(arguments, driver, kind, reply);
    arguments->args[arguments->n++].value.array = array;
    return done;
}

static bool
add_integer(struct arguments *arguments, const char *text, struct bench_reply *reply)
{
    ck_arg *arg = &arguments->args[arguments->n++];
    char *end;
    arg->scalar = CK_INT64;
    arg->value.i = strtoll(text, &end, 10);
    arguments->pointers[arguments->n_pointers++] = &arg->value.i;
    return *text && !*end ? true : bench_fail(reply, "i%s is no integer", text);
}

static bool
add_float(struct arguments *arguments, const char *text, struct bench_reply *reply)
{
    float *value = &arguments->floats[arguments->n];
    ck_arg *arg = &arguments->args[arguments->n++];
    char *end;
    *value = strtof(text, &end);
    arg->scalar = CK_FLOAT32;
    arg->value.f = (double)*value;
    arguments->pointers[arguments->n_pointers++] = value;
    return *text && !*end ? true : bench_fail(reply, "f%s is no number", text);
}

static bool
add_argument(struct arguments *arguments, struct driver *driver, const char *word,
             struct bench_reply *reply)
{
    for (size_t i = 0; i < sizeof array_kinds / sizeof array_kinds[0]; i++) {
        if (array_kinds[i].letter == word[0])
            return add_array(arguments, driver, &array_kinds[i], word, reply);
    }
    return word[0] == 'f' ? add_float(arguments, word + 1, reply)
                          : add_integer(arguments, word + 1, reply);
}

static bool
arguments_init(struct arguments *arguments, struct driver *driver,
               const struct bench_request *request, size_t first, struct bench_reply *reply)
{
    for (size_t i = first; i < request->n; i++) {
        if (arguments->n == MAX_ARGS)
            return bench_fail(reply, "more than %d arguments", MAX_ARGS);
        if (!add_argument(arguments, driver, request->words[i], reply))
            return false;
    }
    return true;
}

static void
arguments_release(struct arguments *arguments, const struct driver *driver)
{
    for (size_t i = 0; i < MAX_ARGS; i++) {
        if (arguments->shared[i])
            continue;
        if (arguments->arrays[i].data)
            driver->memory_free(arguments->arrays[i].data);
        free(arguments->before[i]);
    }
    *arguments = (struct arguments){0};
}

/* --- Launching ---------------------------------------------------------------------------------
 */

enum mode { MODE_CK, MODE_PLAIN, MODE_COOPERATIVE, MODE_LIBRARY, N_MODES };
static const char *const mode_names[N_MODES] = {"ck", "plain", "cooperative", "library"};

struct launcher {
    struct driver driver;
    enum mode mode;
    struct bench_kernel bench; /* ck's */
    CUmodule module;           /* the driver's */
    CUfunction function;       /* of it */
    int (*call)(void **parameters, void *stream);
    struct arguments kept;   /* of the last check */
    struct launcher *beside; /* with the same driver; or NULL */
};

static bool
find_mode(const char *name, enum mode *mode)
{
    for (*mode = 0; *mode < N_MODES; ++*mode) {
        if (!strcmp(mode_names[*mode], name))
            return true;
    }
    return false;
}

struct request_shape {
    ck_dim3 grid, block;
    uint64_t count;
};

static bool
launch(struct launcher *launcher, const struct request_shape *shape, struct arguments *arguments,
       struct bench_reply *reply)
{
    const struct driver *driver = &launcher->driver;
    const ck_dim3 grid = shape->grid, block = shape->block;
    const ck_shape ck = {.grid = grid, .block = block};
    switch (launcher->mode) {
    case MODE_CK:
        if (!launcher->bench.kernel)
            return bench_fail(reply, "no kernel is loaded");
        return bench_check(
            &launcher->bench,
            ck_launch(launcher->bench.kernel, &ck, arguments->args, arguments->n, driver->stream),
            reply);
    case MODE_COOPERATIVE:
        return driver_check(driver,
                            driver->launch_cooperative(launcher->function, grid.x, grid.y, 1,
                                                       block.x, block.y, 1, 0, driver->stream,
                                                       arguments->pointers),
                            "cuLaunchCooperativeKernel", reply);
    case MODE_PLAIN:
        return driver_check(driver,
                            driver->launch(launcher->function, grid.x, grid.y, 1, block.x, block.y,
                                           1, 0, driver->stream, arguments->pointers, NULL),
                            "cuLaunchKernel", reply);
    default: {
        if (!launcher->call)
            return bench_fail(reply, "no function is loaded");
        int error = launcher->call(arguments->pointers, driver->stream);
        return error ? bench_fail(reply, "the library's function returns %d", error) : true;
    }
    }
}

static bool
wait_for_stream(struct launcher *launcher, struct bench_reply *reply)
{
    return driver_check(&launcher->driver,
                        launcher->driver.stream_synchronize(launcher->driver.stream),
                        "cuStreamSynchronize", reply);
}

/* For a while, as an idle GPU's clock is slow. */
static bool
warm_up(struct launcher *launcher, const struct request_shape *shape, struct arguments *arguments,
        struct bench_reply *reply)
{
    const double until = bench_now() + 0.01;
    do {
        if (!launch(launcher, shape, arguments, reply) || !wait_for_stream(launcher, reply))
            return false;
    } while (bench_now() < until);
    return true;
}

/* --- Answers -----------------------------------------------------------------------------------
 */

static bool
answer_device(struct launcher *launcher, const struct request_shape *shape,
              struct arguments *arguments, struct bench_reply *reply)
{
    if (!warm_up(launcher, shape, arguments, reply))
        return false;
    for (uint64_t i = 0; i < shape->count; i++) {
        if (!driver_record_start(&launcher->driver, reply) ||
            !launch(launcher, shape, arguments, reply) ||
            !driver_record_end(&launcher->driver, 1, reply))
            return false;
    }
    return true;
}

static bool
verify_rows(const struct driver *driver, const ck_array *array, struct bench_reply *reply)
{
    const size_t bytes = array_bytes(array), cols = (size_t)array->shape[1];
    int32_t *host = malloc(bytes);
    size_t wrong = 0;
    if (!host)
        return bench_fail(reply, "out of memory");
    bool done = driver_check(driver, driver->read(host, array->data, bytes), "cuMemcpyDtoH", reply);
    for (size_t i = 0; done && i < bytes / sizeof *host; i++)
        wrong += host[i] != (int32_t)(i / cols);
    free(host);
    return wrong ? bench_fail(reply, "%zu elements are wrong", wrong) : done;
}

static bool
answer_rows(struct launcher *launcher, const struct request_shape *shape,
            struct arguments *arguments, struct bench_reply *reply)
{
    if (arguments->arrays[0].ndim != 2)
        return bench_fail(reply, "the first argument is to be an array of two dimensions");
    return answer_device(launcher, shape, arguments, reply) &&
           verify_rows(&launcher->driver, &arguments->arrays[0], reply);
}

enum { LAUNCHES = 100 }; /* few enough that none waits for room in the queue */

static bool
launch_some(struct launcher *launcher, const struct request_shape *shape,
            struct arguments *arguments, bool wait, struct bench_reply *reply)
{
    for (int i = 0; i < LAUNCHES; i++) {
        if (!launch(launcher, shape, arguments, reply) ||
            (wait && !wait_for_stream(launcher, reply)))
            return false;
    }
    return true;
}

static bool
time_some(struct launcher *launcher, const struct request_shape *shape, struct arguments *arguments,
          bool wait, struct bench_reply *reply)
{
    if (!wait_for_stream(launcher, reply))
        return false;
    double start = bench_now();
    return launch_some(launcher, shape, arguments, wait, reply) &&
           bench_add(reply, (bench_now() - start) / LAUNCHES);
}

static bool
time_of_calls(struct launcher *launcher, const struct request_shape *shape,
              struct arguments *arguments, bool wait, struct bench_reply *reply)
{
    struct launcher *beside = launcher->beside;
    if (!warm_up(launcher, shape, arguments, reply) ||
        (beside && !warm_up(beside, shape, arguments, reply)))
        return false;
    for (uint64_t i = 0; i < shape->count; i++) {
        if (!time_some(launcher, shape, arguments, wait, reply) ||
            (beside && !time_some(beside, shape, arguments, wait, reply)))
            return false;
    }
    return wait_for_stream(launcher, reply);
}

static bool
answer_host(struct launcher *launcher, const struct request_shape *shape,
            struct arguments *arguments, struct bench_reply *reply)
{
    return time_of_calls(launcher, shape, arguments, false, reply);
}

static bool
answer_sync(struct launcher *launcher, const struct request_shape *shape,
            struct arguments *arguments, struct bench_reply *reply)
{
    return time_of_calls(launcher, shape, arguments, true, reply);
}

/* --- Graphs --- */

static bool
make_graph(struct launcher *launcher, const struct request_shape *shape,
           struct arguments *arguments, CUgraphExec *made, struct bench_reply *reply)
{
    const struct driver *driver = &launcher->driver;
    CUgraph graph = NULL;
    if (!driver_check(driver, driver->capture_begin(driver->stream, CAPTURE_THREAD_LOCAL),
                      "cuStreamBeginCapture", reply))
        return false;
    bool done = launch_some(launcher, shape, arguments, false, reply);
    CUresult ended = driver->capture_end(driver->stream, &graph);
    done = done && driver_check(driver, ended, "cuStreamEndCapture", reply) &&
           driver_check(driver, driver->graph_new(made, graph, 0), "cuGraphInstantiate", reply);
    if (graph)
        driver->graph_free(graph);
    return done;
}

static bool
time_graph(const struct driver *driver, CUgraphExec graph, struct bench_reply *reply)
{
    return driver_record_start(driver, reply) &&
           driver_check(driver, driver->graph_launch(graph, driver->stream), "cuGraphLaunch",
                        reply) &&
           driver_record_end(driver, LAUNCHES, reply);
}

static bool
answer_graph(struct launcher *launcher, const struct request_shape *shape,
             struct arguments *arguments, struct bench_reply *reply)
{
    CUgraphExec graph = NULL;
    bool done = warm_up(launcher, shape, arguments, reply) &&
                make_graph(launcher, shape, arguments, &graph, reply) &&
                time_graph(&launcher->driver, graph, reply);
    reply->n = 0; /* the first is a warm-up */
    for (uint64_t i = 0; done && i < shape->count; i++)
        done = time_graph(&launcher->driver, graph, reply);
    if (graph)
        launcher->driver.graph_exec_free(graph);
    return done;
}

static bool
answer_limits(struct launcher *launcher, const struct bench_request *request,
              struct bench_reply *reply)
{
    const struct driver *driver = &launcher->driver;
    struct bench_kernel *bench = &launcher->bench;
    int registers = 0, blocks = 0;
    uint32_t most = 0;
    uint64_t block;
    if (!bench_number(request, 1, 1024, &block, reply))
        return false;
    if (launcher->mode == MODE_CK) {
        ck_kernel_usage usage = {0};
        ck_status status = ck_kernel_get_usage(&usage, bench->kernel);
        if (!status)
            status = ck_kernel_max_cooperative_blocks(&most, bench->kernel,
                                                      (ck_dim3){(uint32_t)block, 1, 1}, 0);
        return bench_check(bench, status, reply) && bench_add(reply, usage.registers) &&
               bench_add(reply, most);
    }
    if (launcher->mode == MODE_LIBRARY)
        return bench_fail(reply, "a library's function has no limits");
    return driver_check(driver,
                        driver->function_attribute(&registers, NUM_REGS, launcher->function),
                        "cuFuncGetAttribute", reply) &&
           driver_check(driver, driver->occupancy(&blocks, launcher->function, (int)block, 0),
                        "cuOccupancyMaxActiveBlocksPerMultiprocessor", reply) &&
           bench_add(reply, registers) &&
           bench_add(reply, (double)blocks * device_attribute(driver, MULTIPROCESSOR_COUNT));
}

/* "32" or "32x16" */
static bool
read_dim3(const struct bench_request *request, size_t i, ck_dim3 *out, struct bench_reply *reply)
{
    unsigned x = 0, y = 1;
    if (i >= request->n || sscanf(request->words[i], "%ux%u", &x, &y) < 1 || !x || !y)
        return bench_fail(reply, "word %zu of the request is to be a grid or a block", i);
    *out = (ck_dim3){x, y, 1};
    return true;
}

static bool
read_launch_shape(const struct bench_request *request, size_t first, struct request_shape *out,
                  struct bench_reply *reply)
{
    return read_dim3(request, first, &out->grid, reply) &&
           read_dim3(request, first + 1, &out->block, reply);
}

typedef bool launch_answer(struct launcher *, const struct request_shape *, struct arguments *,
                           struct bench_reply *);

static bool
answer_launches(launch_answer *answer, struct launcher *launcher,
                const struct bench_request *request, struct bench_reply *reply)
{
    struct request_shape shape;
    struct arguments arguments = {0};
    bool done = read_launch_shape(request, 1, &shape, reply) &&
                bench_number(request, 3, BENCH_MAX_VALUES, &shape.count, reply) &&
                arguments_init(&arguments, &launcher->driver, request, 4, reply) &&
                answer(launcher, &shape, &arguments, reply);
    arguments_release(&arguments, &launcher->driver);
    return done;
}

static bool
answer_again(struct launcher *launcher, const struct bench_request *request,
             struct bench_reply *reply)
{
    struct request_shape shape;
    return read_launch_shape(request, 1, &shape, reply) &&
           bench_number(request, 3, BENCH_MAX_VALUES, &shape.count, reply) &&
           answer_device(launcher, &shape, &launcher->kept, reply);
}

/* What the arrays hold now, beside what they began with. */
static bool
read_operands(const struct driver *driver, struct arguments *arguments,
              struct gpu_operand *operands, void **after, struct bench_reply *reply)
{
    for (size_t i = 0; i < arguments->n; i++) {
        const ck_array *array = &arguments->arrays[i];
        operands[i] = (struct gpu_operand){.arg = &arguments->args[i]};
        operands[i].before = arguments->before[i];
        if (!array->data || arguments->shared[i])
            continue;
        after[i] = malloc(array_bytes(array));
        if (!after[i])
            return bench_fail(reply, "out of memory");
        if (!driver_check(driver, driver->read(after[i], array->data, array_bytes(array)),
                          "cuMemcpyDtoH", reply))
            return false;
        operands[i].after = after[i];
    }
    return true;
}

static bool
check_kept(struct launcher *launcher, const char *name, struct bench_reply *reply)
{
    struct gpu_operand operands[MAX_ARGS];
    void *after[MAX_ARGS] = {NULL};
    struct arguments *kept = &launcher->kept;
    bool done = read_operands(&launcher->driver, kept, operands, after, reply) &&
                gpu_check(name, operands, kept->n, reply);
    for (size_t i = 0; i < MAX_ARGS; i++) {
        free(after[i]);
        if (!kept->shared[i])
            free(kept->before[i]);
        kept->before[i] = NULL;
    }
    return done;
}

static bool
answer_check(struct launcher *launcher, const struct bench_request *request,
             struct bench_reply *reply)
{
    struct request_shape shape = {.count = 1};
    arguments_release(&launcher->kept, &launcher->driver);
    launcher->kept.keeps = true;
    return read_launch_shape(request, 2, &shape, reply) &&
           arguments_init(&launcher->kept, &launcher->driver, request, 4, reply) &&
           launch(launcher, &shape, &launcher->kept, reply) && wait_for_stream(launcher, reply) &&
           check_kept(launcher, request->words[1], reply);
}

/* With a message on standard error. */
static bool
load_image(struct launcher *launcher, const char *path, const char *kernel)
{
    struct driver *driver = &launcher->driver;
    size_t length;
    char *image = bench_read_file(path, &length);
    if (!image) {
        perror(path);
        return false;
    }
    bool done =
        driver_done(driver, driver->module_load(&launcher->module, image), path) &&
        driver_done(driver, driver->module_function(&launcher->function, launcher->module, kernel),
                    kernel);
    free(image);
    return done;
}

/* The library stays: its kernels belong to the context. */
static bool
load_library(struct launcher *launcher, const char *path, const char *function)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library)
        *(void **)&launcher->call = dlsym(library, function);
    if (!library || !launcher->call)
        fprintf(stderr, "%s\n", dlerror());
    return launcher->call;
}

static void
unload(struct launcher *launcher)
{
    if (launcher->beside)
        unload(launcher->beside);
    free(launcher->beside);
    launcher->beside = NULL;
    bench_kernel_release(&launcher->bench);
    launcher->bench = (struct bench_kernel){0};
    if (launcher->module)
        launcher->driver.module_unload(launcher->module);
    launcher->module = NULL;
    launcher->function = NULL;
    launcher->call = NULL;
}

static bool
load(struct launcher *launcher, const char *path, const char *kernel)
{
    unload(launcher);
    if (launcher->mode == MODE_CK)
        return bench_kernel_init(&launcher->bench, "cuda:0", path, kernel);
    return launcher->mode == MODE_LIBRARY ? load_library(launcher, path, kernel)
                                          : load_image(launcher, path, kernel);
}

static bool
answer_load(struct launcher *launcher, const struct bench_request *request,
            struct bench_reply *reply)
{
    enum mode mode = launcher->mode;
    if (request->n < 3 || request->n > 4 ||
        (request->n == 4 && !find_mode(request->words[3], &mode)))
        return bench_fail(reply, "load takes a file, a kernel and a mode");
    launcher->mode = mode;
    return load(launcher, request->words[1], request->words[2])
               ? true
               : bench_fail(reply, "%s has no %s", request->words[1], request->words[2]);
}

static bool
answer_beside(struct launcher *launcher, const struct bench_request *request,
              struct bench_reply *reply)
{
    if (launcher->beside)
        return bench_fail(reply, "there is one beside already");
    launcher->beside = calloc(1, sizeof *launcher->beside);
    if (!launcher->beside)
        return bench_fail(reply, "out of memory");
    launcher->beside->driver = launcher->driver;
    return answer_load(launcher->beside, request, reply);
}

static bool
answer(void *state, const struct bench_request *request, struct bench_reply *reply)
{
    static const struct {
        const char *name;
        launch_answer *answer;
    } launches[] = {{"device", answer_device},
                    {"graph", answer_graph},
                    {"host", answer_host},
                    {"rows", answer_rows},
                    {"sync", answer_sync}};
    static const struct {
        const char *name;
        bool (*answer)(struct launcher *, const struct bench_request *, struct bench_reply *);
    } others[] = {{"again", answer_again},
                  {"beside", answer_beside},
                  {"check", answer_check},
                  {"limits", answer_limits},
                  {"load", answer_load}};
    for (size_t i = 0; request->n && i < sizeof launches / sizeof launches[0]; i++) {
        if (!strcmp(request->words[0], launches[i].name))
            return answer_launches(launches[i].answer, state, request, reply);
    }
    for (size_t i = 0; request->n && i < sizeof others / sizeof others[0]; i++) {
        if (!strcmp(request->words[0], others[i].name))
            return others[i].answer(state, request, reply);
    }
    return bench_fail(reply,
                      "the requests are: again, beside, check, device, graph, host, limits, load, "
                      "rows, sync");
}

/* --- The program -------------------------------------------------------------------------------
 */

static int
print_device(const struct driver *driver)
{
    char name[256] = "";
    int version = 0;
    if (!driver_done(driver, driver->device_name(name, sizeof name, driver->device),
                     "cuDeviceGetName") ||
        !driver_done(driver, driver->version(&version), "cuDriverGetVersion"))
        return EXIT_FAILURE;
    printf("%s\n%d\n%d\n%d.%d\n", name,
           10 * device_attribute(driver, COMPUTE_CAPABILITY_MAJOR) +
               device_attribute(driver, COMPUTE_CAPABILITY_MINOR),
           device_attribute(driver, MULTIPROCESSOR_COUNT), version / 1000, version % 1000 / 10);
    return EXIT_SUCCESS;
}

static int
serve(struct launcher *launcher, const char *path, const char *kernel)
{
    if (!driver_open(&launcher->driver))
        return EXIT_FAILURE;
    bool ready = !strcmp(path, "-") || load(launcher, path, kernel);
    int result = ready ? bench_serve(answer, launcher) : EXIT_FAILURE;
    arguments_release(&launcher->kept, &launcher->driver);
    if (launcher->driver.numbers.device)
        launcher->driver.memory_free(launcher->driver.numbers.device);
    free(launcher->driver.numbers.host);
    unload(launcher);
    launcher->driver.primary_release(launcher->driver.device);
    return result;
}

int
main(int argc, char **argv)
{
    struct launcher launcher = {0};
    const bool asks = argc == 2 && !strcmp(argv[1], "device");
    if (!asks && (argc != 4 || !find_mode(argv[1], &launcher.mode))) {
        fputs("usage: gpu_bench device | ck|plain|cooperative|library FILE KERNEL\n", stderr);
        return 2;
    }
    if (!driver_find_device(&launcher.driver))
        return NO_DEVICE_STATUS;
    if (asks)
        return print_device(&launcher.driver);
    return serve(&launcher, argv[2], argv[3]);
}
