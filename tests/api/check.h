/* Conditions that end a test program if they do not hold. `ctx` is the program's context. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s: %s\n", __LINE__, #condition, ctx ? ck_context_error(ctx) : "");   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define OK(call)                  CHECK((call) == CK_OK)
#define FAILS(call, status, text) CHECK((call) == (status) && strstr(ck_context_error(ctx), (text)))

#endif
