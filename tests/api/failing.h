/* Allocations that fail: what a program's own malloc, calloc, realloc and memalign ask first. */
#ifndef FAILING_H
#define FAILING_H

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

/* Allocations until the first that fails, as all after it do; below 0: none does. */
static volatile long countdown = -1;

static int
fails(void)
{
    if (countdown < 0)
        return 0;
    if (countdown > 0) {
        countdown--;
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

#endif
