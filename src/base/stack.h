/* A stack of known size for code that recurses. */
#ifndef CK_STACK_H
#define CK_STACK_H

#include <stddef.h>

/* What sizes of stacks are multiples of: AddressSanitizer makes frames several times as large. */
#if defined __has_feature
#define CK_STACK_HAS(feature) __has_feature(feature)
#else
#define CK_STACK_HAS(feature) 0
#endif
#if defined __SANITIZE_ADDRESS__ || CK_STACK_HAS(address_sanitizer)
#define CK_STACK_IS_WATCHED 1
#define CK_STACK_MIB        ((size_t)8 << 20)
#else
#define CK_STACK_IS_WATCHED 0
#define CK_STACK_MIB        ((size_t)1 << 20)
#endif

/* What a compilation has, and how much of it the checker may use: the rest is for what is walked
 * from where the checker ends, each walk bounded by one function's text. */
#define CK_STACK_COMPILE (64 * CK_STACK_MIB)
#define CK_STACK_CHECK   (40 * CK_STACK_MIB)

/* The lowest byte of a stack above memory that faults; NULL, and errno, when there is no memory. */
char *ck_stack_map(size_t bytes);
void ck_stack_unmap(char *stack, size_t bytes);

/* Runs `body(data)` on a stack of `bytes` bytes, and returns when it has: on a thread of its own,
 * which handles none of the process's signals. Returns 0, or the error number of what failed: then
 * `body` did not run. */
int ck_stack_run(size_t bytes, void (*body)(void *data), void *data);

#endif
