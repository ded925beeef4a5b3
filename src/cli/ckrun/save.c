/* Saves all arrays or none: writes each to a temporary file beside its target, and renames them
 * once all are complete. */
#include "ckrun.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
rename_all(const struct ckrun_save *saves, char **targets, char **temporaries, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rename(temporaries[i], targets[i]) == 0)
            continue;
        tool_error("cannot write `%s`: %s", saves[i].path, strerror(errno));
        for (size_t rest = i; rest < n; rest++)
            unlink(temporaries[rest]);
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}

/* A complete file beside the target; its name, to be freed, or NULL after a message. */
static char *
write_beside(ck_context *ctx, const struct ckrun_save *save, const char *target, int *exit_status)
{
    int fd;
    char *temporary = tool_create_beside(target, &fd);
    *exit_status = TOOL_FAILED;
    if (!temporary) {
        tool_error("cannot write `%s`: %s", save->path, strerror(errno));
        return NULL;
    }
    close(fd);
    ck_status status = ck_npy_write(save->array, ctx, temporary);
    *exit_status = status ? tool_fail(ctx, status) : TOOL_DONE;
    return temporary;
}

static int
save_all(ck_context *ctx, const struct ckrun_save *saves, size_t n)
{
    char **targets = tool_alloc((n + 1) * sizeof *targets);
    char **temporaries = tool_alloc((n + 1) * sizeof *temporaries);
    int exit_status = TOOL_DONE;
    size_t written = 0;
    while (written < n && exit_status == TOOL_DONE) {
        targets[written] = tool_resolve(saves[written].path);
        temporaries[written] = write_beside(ctx, &saves[written], targets[written], &exit_status);
        written++;
        if (tool_signal_waits())
            exit_status = TOOL_FAILED; /* the signal ends the process once it is unblocked */
    }
    if (exit_status == TOOL_DONE)
        exit_status = rename_all(saves, targets, temporaries, n);
    else
        for (size_t i = 0; i < written; i++)
            if (temporaries[i])
                unlink(temporaries[i]);
    for (size_t i = 0; i < written; i++) {
        free(targets[i]);
        free(temporaries[i]);
    }
    free(targets);
    free(temporaries);
    return exit_status;
}

int
ckrun_save_all(ck_context *ctx, const struct ckrun_save *saves, size_t n)
{
    sigset_t earlier;
    tool_hold_signals(&earlier);
    int exit_status = save_all(ctx, saves, n);
    tool_release_signals(&earlier);
    return exit_status;
}
