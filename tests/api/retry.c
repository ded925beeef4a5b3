/* The k-th allocation of a launch's compilation fails, and all after it, for every k until LLVM is
 * reached, which ends the program when it has no memory: the launch reports CK_ERROR_MEMORY, and
 * the next one, with memory, is right. Each k in a process of its own. Prints how many k failed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ck/ck.h>

#include "failing.h"

void *
malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

/* Many instances, in calls of calls, a loop that is checked quietly, the prelude, and a barrier. */
static char source[16 << 10];

static void
write_source(void)
{
    size_t n = 0;
    for (int i = 10; i-- > 0;) {
        n += (size_t)snprintf(source + n, sizeof source - n, "def f%d(a, b):\n    s = a\n", i);
        for (int j = 0; j < 10; j++)
            n += (size_t)snprintf(source + n, sizeof source - n, "    s = s * %d + b\n", i + j);
        n += i == 9 ? (size_t)snprintf(source + n, sizeof source - n, "    return s\n")
                    : (size_t)snprintf(source + n, sizeof source - n,
                                       "    for i in range(2):\n        s += f%d(s, b)\n"
                                       "    return s\n",
                                       i + 1);
    }
    snprintf(source + n, sizeof source - n,
             "@kernel\ndef k(p):\n    g = this_thread_block()\n    g.sync()\n    g.sync()\n"
             "    p[0] = f5(p[0], p[1])\n    p[1] = f0(p[1], 2) * 0 + 5\n");
}

static uint64_t
expected(int i, uint64_t s, uint64_t b)
{
    for (int j = 0; j < 10; j++)
        s = s * (uint64_t)(i + j) + b;
    for (int trip = 0; i < 9 && trip < 2; trip++)
        s += expected(i + 1, s, b);
    return s;
}

static ck_status
launch(ck_kernel *kernel, ck_device *device, int64_t *values)
{
    ck_buffer *buffer = NULL;
    ck_status status = ck_buffer_new(&buffer, device, 2 * sizeof *values);
    if (status)
        return status;
    ck_array array = {.data = ck_buffer_address(buffer),
                      .dtype = CK_INT64,
                      .ndim = 1,
                      .shape = {2},
                      .strides = {sizeof *values}};
    ck_arg arg = {.value.array = &array};
    ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    status = ck_buffer_write(buffer, 0, values, 2 * sizeof *values);
    if (!status)
        status = ck_launch(kernel, &shape, &arg, 1, NULL);
    if (!status)
        status = ck_buffer_read(buffer, 0, values, 2 * sizeof *values);
    ck_buffer_free(buffer);
    return status;
}

/* 0: the launch failed for want of memory, and the next was right; 1: it did not fail; else wrong.
 */
static int
try(long k)
{
    ck_context *ctx = NULL;
    ck_module *module = NULL;
    ck_device *device = NULL;
    ck_kernel *kernel = NULL;
    int64_t values[2] = {3, 4};
    if (ck_context_new(&ctx, NULL) || ck_device_open(&device, ctx, "cpu:1", NULL) ||
        ck_compile(&module, ctx, source, strlen(source), NULL) ||
        ck_kernel_get(&kernel, module, device, "k"))
        return 2;
    countdown = k;
    ck_status status = launch(kernel, device, values);
    countdown = -1;
    if (!status)
        return 1;
    if (status != CK_ERROR_MEMORY || !*ck_context_error(ctx))
        return 3;
    values[0] = 3;
    values[1] = 4;
    status = launch(kernel, device, values);
    if (status) {
        fprintf(stderr, "%s\n", ck_context_error(ctx));
        return 4;
    }
    if (values[0] != (int64_t)expected(5, 3, 4) || values[1] != 5)
        return 5;
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}

int
main(void)
{
    write_source();
    for (long k = 0; k < 10000; k++) {
        int status;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            int result = try(k);
            _exit(result);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) { /* LLVM's own end */
            printf("%ld allocations failed\n", k);
            return 0;
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status)) {
            fprintf(stderr, "allocation %ld: status %#x\n", k, (unsigned)status);
            return 1;
        }
    }
    return 3;
}
