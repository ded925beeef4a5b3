/* Prints .npy files as ckrun --print does: what tests/unit/test_ckrun_print.py compares with
 * NumPy. Files' names are read from standard input, one a line; each text ends with a zero byte. */
#include <stdio.h>
#include <string.h>

#include "cli/ckrun/ckrun.h"

const char tool_program[] = "print_npy";

int
main(void)
{
    char path[4096];
    ck_context *ctx;
    if (ck_context_new(&ctx, NULL) != CK_OK)
        return 1;
    while (fgets(path, sizeof path, stdin)) {
        ck_npy array;
        path[strcspn(path, "\n")] = '\0';
        if (ck_npy_read(&array, ctx, path) != CK_OK) {
            fprintf(stderr, "%s\n", ck_context_error(ctx));
            return 1;
        }
        struct ckrun_array holder = {.host = array};
        const struct ckrun_value value = {.kind = CKRUN_ARRAY, .array = &holder};
        ckrun_print_value(stdout, &value);
        putchar('\0');
        ck_npy_free(&array);
    }
    ck_context_free(ctx);
    return 0;
}
