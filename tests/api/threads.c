/* Independent contexts, each in a thread of its own, compile and run at once. Each thread's kernel
 * is another one, and its results must be its own. Exit status 0 if they are. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

enum { N_THREADS = 4, TRIPS = 5, N = 256 };

struct job {
    pthread_t thread;
    int number;
    int fault;
};

static ck_status
launch(ck_module *module, ck_device *device, ck_buffer *buffer)
{
    ck_kernel *kernel;
    ck_array array = {.data = ck_buffer_address(buffer),
                      .dtype = CK_INT32,
                      .ndim = 1,
                      .shape = {N},
                      .strides = {sizeof(int32_t)}};
    ck_arg arg = {.value.array = &array};
    ck_shape shape = {.grid = {N / 32, 1, 1}, .block = {32, 1, 1}};
    ck_status status = ck_kernel_get(&kernel, module, device, "k");
    if (status == CK_OK)
        status = ck_launch(kernel, &shape, &arg, 1, NULL);
    if (status == CK_OK)
        status = ck_device_synchronize(device);
    return status;
}

static ck_status
run(ck_context *ctx, const char *source, int32_t *out)
{
    ck_module *module = NULL;
    ck_device *device = NULL;
    ck_buffer *buffer = NULL;
    char *ptx = NULL;
    ck_status status = ck_compile(&module, ctx, source, strlen(source), NULL);
    if (status == CK_OK)
        status = ck_module_emit(&ptx, NULL, module, CK_EMIT_PTX);
    ck_text_free(ptx);
    if (status == CK_OK)
        status = ck_device_open(&device, ctx, "cpu:2", NULL);
    if (status == CK_OK)
        status = ck_buffer_new(&buffer, device, N * sizeof *out);
    if (status == CK_OK)
        status = launch(module, device, buffer);
    if (status == CK_OK)
        status = ck_buffer_read(buffer, 0, out, N * sizeof *out);
    ck_buffer_free(buffer);
    ck_module_free(module);
    ck_device_free(device);
    return status;
}

static void *
work(void *opaque)
{
    struct job *job = opaque;
    char source[400];
    int32_t out[N];
    snprintf(source, sizeof source,
             "@kernel\ndef k(p: int32[::1]):\n    g = this_grid()\n    i = grid(1)\n"
             "    p[i] = i * %d\n    g.sync()\n    q = p[%d - i]\n    g.sync()\n    p[i] = q\n",
             job->number + 1, N - 1);
    for (int trip = 0; trip < TRIPS && !job->fault; trip++) {
        ck_context *ctx = NULL;
        if (ck_context_new(&ctx, NULL) != CK_OK || run(ctx, source, out) != CK_OK) {
            fprintf(stderr, "%s\n", ctx ? ck_context_error(ctx) : "no context");
            job->fault = 1;
        }
        for (int i = 0; i < N && !job->fault; i++)
            job->fault = out[i] != (N - 1 - i) * (job->number + 1) ? 2 : 0;
        ck_context_free(ctx);
    }
    return NULL;
}

int
main(void)
{
    struct job jobs[N_THREADS] = {0};
    int fault = 0;
    for (int i = 0; i < N_THREADS; i++) {
        jobs[i].number = i;
        if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]))
            return 9;
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(jobs[i].thread, NULL);
        fault |= jobs[i].fault;
    }
    return fault;
}
