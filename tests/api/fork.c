/* Launches on "cpu:2" before a fork, and in the child with the same device; then from a thread
 * whose stack is smaller than the kernel's local array. Exit status 0 if the results are right. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ck/ck.h>

enum { N = 64 };

static const char source[] = "@kernel\n"
                             "def k(p: int32[::1]):\n"
                             "    g = this_grid()\n"
                             "    i = grid(1)\n"
                             "    p[i] = i * 3\n"
                             "    g.sync()\n"
                             "    q = p[63 - i]\n"
                             "    g.sync()\n"
                             "    p[i] = q\n"
                             "\n"
                             "@kernel\n"
                             "def large(p: int32[::1]):\n"
                             "    a = local.array(130000, int32)\n"
                             "    i = grid(1)\n"
                             "    for j in range(130000):\n"
                             "        a[(j * 7 + p[i]) % 130000] = j\n"
                             "    p[i] = a[(i * 7) % 130000]\n";

struct job {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
    const char *kernel;
    int good;
};

/* Whether the kernel's result is scale * (what it computes for element i). */
static void *
work(void *opaque)
{
    struct job *job = opaque;
    const int large = !strcmp(job->kernel, "large");
    int32_t out[N] = {0};
    ck_kernel *kernel;
    ck_buffer *buffer = NULL;
    ck_status status = ck_buffer_new(&buffer, job->device, sizeof out);
    if (status == CK_OK)
        status = ck_buffer_write(buffer, 0, out, sizeof out);
    if (status == CK_OK)
        status = ck_kernel_get(&kernel, job->module, job->device, job->kernel);
    if (status == CK_OK) {
        ck_array array = {.data = ck_buffer_address(buffer),
                          .dtype = CK_INT32,
                          .ndim = 1,
                          .shape = {N},
                          .strides = {sizeof(int32_t)}};
        ck_arg arg = {.value.array = &array};
        ck_shape shape = {.grid = {4, 1, 1}, .block = {N / 4, 1, 1}};
        status = ck_launch(kernel, &shape, &arg, 1, NULL);
    }
    if (status == CK_OK)
        status = ck_buffer_read(buffer, 0, out, sizeof out);
    job->good = status == CK_OK;
    if (status != CK_OK)
        fprintf(stderr, "%s\n", ck_context_error(job->ctx));
    for (int i = 0; i < N; i++)
        job->good = job->good && out[i] == (large ? i : 3 * (N - 1 - i));
    ck_buffer_free(buffer);
    return NULL;
}

int
main(void)
{
    struct job job = {.kernel = "k"};
    if (ck_context_new(&job.ctx, NULL) != CK_OK ||
        ck_compile(&job.module, job.ctx, source, strlen(source), NULL) != CK_OK ||
        ck_device_open(&job.device, job.ctx, "cpu:2", NULL) != CK_OK)
        return 2;
    work(&job);
    if (!job.good)
        return 3;
    pid_t child = fork();
    if (!child) {
        work(&job);
        ck_device_free(job.device);
        _exit(!job.good);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status)
        return 4;
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    job.kernel = "large";
    ck_kernel *compiled; /* compiling has needs of its own */
    if (ck_kernel_get(&compiled, job.module, job.device, "large") != CK_OK)
        return 5;
    if (pthread_create(&thread, &attributes, work, &job) || pthread_join(thread, NULL))
        return 6;
    ck_module_free(job.module);
    ck_device_free(job.device);
    ck_context_free(job.ctx);
    return job.good ? 0 : 7;
}
