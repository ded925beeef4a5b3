/* A stack of known size for code that recurses. */
#ifndef CK_STACK_H
#define CK_STACK_H

#include <stddef.h>

/* The unit of stack sizes: AddressSanitizer makes frames several times as large. */
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

/* The stack of a compilation, and how much of it the checker may use. The rest is for passes that
 * start where the checker is deepest; one function's text bounds the depth of each. */
#define CK_STACK_COMPILE (64 * CK_STACK_MIB)
#define CK_STACK_CHECK   (40 * CK_STACK_MIB)

/* Maps a stack above a guard area, and returns its lowest byte. Returns NULL, with the reason in
 * errno, when out of memory. */
char *ck_stack_map(size_t bytes);
void ck_stack_unmap(char *stack, size_t bytes);

/* Runs `body(data)` on a stack of `bytes` bytes and waits for it. It runs on a new thread, which
 * handles none of the process's signals. Returns 0, or an error number if the thread cannot be
 * created: `body` did not run. */
int ck_stack_run(size_t bytes, void (*body)(void *data), void *data);

#endif
