/* Arrays to files, all or none: each is written beside its target first, and when every one is
 * complete all are renamed. */
#include "ckrun.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *
temporary_name(const char *target, size_t i)
{
    return tool_printf("%s.tmp-%ld-%zu", target, (long)getpid(), i);
}

static int
rename_all(const char *program, const struct ckrun_save *saves, char **targets, char **temporaries,
           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rename(temporaries[i], targets[i]) == 0)
            continue;
        tool_error(program, "cannot write `%s`: %s", saves[i].path, strerror(errno));
        for (size_t rest = i; rest < n; rest++)
            unlink(temporaries[rest]);
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}

int
ckrun_save_all(const char *program, ck_context *ctx, const struct ckrun_save *saves, size_t n)
{
    char **targets = tool_alloc(n * sizeof *targets);
    char **temporaries = tool_alloc(n * sizeof *temporaries);
    int exit_status = TOOL_DONE;
    size_t written = 0;
    while (written < n && exit_status == TOOL_DONE) {
        targets[written] = tool_resolve(saves[written].path);
        temporaries[written] = temporary_name(targets[written], written);
        ck_status status = ck_npy_write(saves[written].array, ctx, temporaries[written]);
        written++;
        if (status != CK_OK)
            exit_status = tool_fail(program, ctx, status);
    }
    if (exit_status == TOOL_DONE)
        exit_status = rename_all(program, saves, targets, temporaries, n);
    else
        for (size_t i = 0; i < written; i++)
            unlink(temporaries[i]);
    for (size_t i = 0; i < written; i++) {
        free(targets[i]);
        free(temporaries[i]);
    }
    free(targets);
    free(temporaries);
    return exit_status;
}
