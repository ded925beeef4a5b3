/* Calls that must succeed, and calls that must fail with a text: what a program's own `ctx` says.
 */
#ifndef STATUSES_H
#define STATUSES_H

#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

static ck_context *ctx;

/* Returns 1 from the calling function, after a message, unless the call succeeds. */
#define MUST(call)                                                                                 \
    do {                                                                                           \
        if ((call) != CK_OK) {                                                                     \
            fprintf(stderr, "%s: %s\n", #call, ck_context_error(ctx));                             \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

/* 0 if a call failed with this status and text; 1 after a message. */
static inline int
fails(ck_status status, ck_status due, const char *text)
{
    if (status == due && strcmp(ck_context_error(ctx), text) == 0)
        return 0;
    fprintf(stderr, "due: %s\nis:  %s\n", text, ck_context_error(ctx));
    return 1;
}

#endif
