/* The k-th allocation fails, for every k: ck_compile reports CK_ERROR_MEMORY and nothing crashes or
 * leaks. The front end only, as LLVM ends the program when it has no memory. Prints how many k
 * failed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#include "failing.h"

extern void __libc_free(void *);

static long live; /* blocks not freed */

static void *
counted(void *memory)
{
    live += memory != NULL;
    return memory;
}

void *
malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *
calloc(size_t n, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(n, size));
}

void *
realloc(void *old, size_t size)
{
    if (!old)
        return malloc(size);
    return fails() ? NULL : __libc_realloc(old, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

void
free(void *memory)
{
    live -= memory != NULL;
    __libc_free(memory);
}

static const char *const sources[] = {
    "@kernel\ndef k(p: int32[:]):\n    p[0] = (1 +\n",
    "@kernel\ndef k(p: int32[:]):\n    for i in range(p.size):\n        x = i * 2.5\n"
    "        if x > 3:\n            y = nope\n        p[i] = y\n    print('\\q', 3)\n",
    "def f(a, b=1):\n    return a\nx = 1 $ 2\nclass C:\n    pass\n",
    "@cuda.jit(['void(int32[:])', 'void(float64[:])'])\ndef k(p):\n    q = (p, 1, 2.5)\n"
    "    while p[0] < 10:\n        p[0] += f(p[0])\n    p[1] = q[7]\ndef f(a):\n    return a + 1\n",
};

/* The status of one compilation whose k-th allocation fails. */
static ck_status
compile_failing(const char *source, long k)
{
    ck_context *ctx = NULL;
    ck_module *module = NULL;
    countdown = k;
    ck_status status = ck_context_new(&ctx, NULL);
    if (status == CK_OK)
        status = ck_compile(&module, ctx, source, strlen(source), NULL);
    if (status == CK_ERROR_MEMORY && ctx && !*ck_context_error(ctx))
        status = CK_ERROR_INTERNAL; /* a failure without a text */
    countdown = -1;
    ck_module_free(module);
    ck_context_free(ctx);
    return status;
}

/* How many k made source fail; negative: what is wrong was printed. */
static long
run(const char *source)
{
    compile_failing(source, -1); /* whatever is allocated once */
    for (long k = 0; k < 100000; k++) {
        long before = live;
        ck_status status = compile_failing(source, k);
        if (live != before) {
            fprintf(stderr, "allocation %ld: %ld blocks are left\n", k, live - before);
            return -1;
        }
        if (status == CK_ERROR_PROGRAM)
            return k;
        if (status != CK_ERROR_MEMORY) {
            fprintf(stderr, "allocation %ld: %s\n", k, ck_status_name(status));
            return -1;
        }
    }
    return -1;
}

int
main(void)
{
    long total = 0;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        long n = run(sources[i]);
        if (n < 0)
            return 1;
        total += n;
    }
    printf("%ld allocations failed\n", total);
    return 0;
}
