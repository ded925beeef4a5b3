/* The context: the last failure's text and the last compilation's diagnostics. */
#ifndef CK_CONTEXT_H
#define CK_CONTEXT_H

#include <stdarg.h>
#include <stdbool.h>

#include <ck/base.h>

#include "base/arena.h"
#include "runtime/cache/cache.h"

struct ck_context {
    void (*print)(void *user, const char *text, size_t length);
    void *user;
    char *error; /* owned */
    struct ck_arena diagnostics_arena;
    ck_diagnostic *diagnostics; /* in the arena */
    size_t n_diagnostics;
    struct ck_cache cache;
};

/* Whether a struct of options may have this size. In every release its size is a multiple of the
 * alignment of pointers, so that no member is cut. */
bool ck_options_size_fits(size_t size);
/* Fills `known`, which is zero, with options whose struct may be that of another release of ck:
 * members that they lack stay zero. Returns false if no release has that size, or if they set
 * members that this ck does not know. */
bool ck_options_read(void *known, size_t known_size, const void *given, size_t given_size);

/* Sets the failure's text and returns `status`, so that callers write `return ck_fail(...)`. */
ck_status ck_fail(ck_context *ctx, ck_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* CK_ERROR_MEMORY with its standard text. */
ck_status ck_fail_memory(ck_context *ctx);

#endif
