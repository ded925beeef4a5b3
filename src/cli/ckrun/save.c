/* Saves all arrays or none: writes each to a temporary file beside its target, and renames them
 * once all are complete. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "files/array_file.h"
#include "files/png_image.h"
#include "files/zip.h"

static void
unlink_all(char **temporaries, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (temporaries[i])
            unlink(temporaries[i]);
    }
}

static int
rename_all(const struct ckrun_save *saves, char **targets, char **temporaries, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!temporaries[i] || rename(temporaries[i], targets[i]) == 0)
            continue;
        tool_error("cannot write `%s`: %s", saves[i].path, strerror(errno));
        unlink_all(temporaries + i, n - i);
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}

/* The elements in C order: to be freed. */
static void *
in_c_order(const ck_npy *array)
{
    ck_npy copy = *array;
    int64_t index[CK_MAX_DIMS] = {0}, count = ckrun_count(array);
    copy.fortran_order = 0;
    copy.data = tool_alloc(array->bytes);
    for (int64_t i = 0; i < count; i++) {
        ckrun_copy_element(&copy, i, array, ckrun_offset(array, index));
        ckrun_next_index(array, index);
    }
    return copy.data;
}

static bool
write_bytes(int fd, const void *bytes, size_t length)
{
    return ck_file_write(fd, bytes, length) && ck_file_sync(fd);
}

static bool
write_raw(int fd, const ck_npy *array)
{
    void *ordered = array->fortran_order ? in_c_order(array) : NULL;
    bool done = write_bytes(fd, ordered ? ordered : array->data, array->bytes);
    free(ordered);
    return done;
}

static bool
write_png(int fd, const ck_npy *array)
{
    void *ordered = array->fortran_order ? in_c_order(array) : NULL;
    bool done = ckrun_write_png(fd, array, ordered ? ordered : array->data) && ck_file_sync(fd);
    free(ordered);
    return done;
}

static bool
write_csv(int fd, const ck_npy *array)
{
    size_t length;
    char *text = ckrun_csv_text(array, &length);
    bool done = write_bytes(fd, text, length);
    free(text);
    return done;
}

/* What the save's array is called in an archive. */
static char *
member_name(const struct ckrun_save *save)
{
    const char *key = ckrun_file_key(save->path);
    return tool_printf("%s.npy", key ? key : save->name);
}

/* All arrays that are saved to the archive. */
static bool
write_npz(int fd, ck_context *ctx, const struct ckrun_save *saves, size_t n, char **targets,
          size_t first)
{
    struct zip_writer writer = {.fd = fd};
    bool done = true;
    for (size_t i = first; i < n && done; i++) {
        char *header = NULL, *name = member_name(&saves[i]);
        size_t length = 0;
        const ck_npy *array = saves[i].array;
        if (strcmp(targets[i], targets[first]) == 0)
            done = ck_npy_header(&header, &length, ctx, array) == CK_OK &&
                   zip_add(&writer, name, header, length, array->data, array->bytes);
        free(header);
        free(name);
    }
    done = done && zip_finish(&writer) && ck_file_sync(fd);
    zip_abandon(&writer);
    return done;
}

/* Writes the file of save `i` beside its target; its name, to be freed, or NULL after a message. */
static char *
write_beside(ck_context *ctx, const struct ckrun_save *saves, size_t n, char **targets, size_t i,
             int *exit_status)
{
    int fd;
    const ck_npy *array = saves[i].array;
    char *temporary = tool_create_beside(targets[i], &fd);
    bool done = true;
    *exit_status = TOOL_DONE;
    if (!temporary) {
        tool_error("cannot write `%s`: %s", saves[i].path, strerror(errno));
        *exit_status = TOOL_FAILED;
        return NULL;
    }
    enum array_file kind = ckrun_file_kind(saves[i].path);
    if (kind == FILE_NPZ)
        done = write_npz(fd, ctx, saves, n, targets, i);
    else if (kind == FILE_CSV)
        done = write_csv(fd, array);
    else if (kind == FILE_PNG)
        done = write_png(fd, array);
    else if (kind == FILE_RAW)
        done = write_raw(fd, array);
    int error = errno;
    close(fd);
    if (!done) {
        tool_error("cannot write `%s`: %s", saves[i].path, strerror(error));
        *exit_status = TOOL_FAILED;
    } else if (kind == FILE_NPY) {
        ck_status status = ck_npy_write(array, ctx, temporary);
        *exit_status = status ? tool_fail(ctx, status) : TOOL_DONE;
    }
    return temporary;
}

/* Whether an earlier save has written the archive of save `i`. */
static bool
is_written(char **targets, size_t i)
{
    bool found = false;
    for (size_t k = 0; k < i; k++)
        found = found || strcmp(targets[k], targets[i]) == 0;
    return found;
}

static int
save_all(ck_context *ctx, const struct ckrun_save *saves, size_t n)
{
    char **targets = tool_alloc((n + 1) * sizeof *targets);
    char **temporaries = tool_alloc((n + 1) * sizeof *temporaries); /* NULL: not one of its own */
    int exit_status = TOOL_DONE;
    for (size_t i = 0; i < n; i++) {
        char *path = ckrun_file_path(saves[i].path);
        targets[i] = tool_resolve(path);
        free(path);
    }
    for (size_t i = 0; i < n && exit_status == TOOL_DONE; i++) {
        if (!is_written(targets, i))
            temporaries[i] = write_beside(ctx, saves, n, targets, i, &exit_status);
        if (tool_signal_waits())
            exit_status = TOOL_FAILED; /* the signal ends the process once it is unblocked */
    }
    if (exit_status == TOOL_DONE)
        exit_status = rename_all(saves, targets, temporaries, n);
    else
        unlink_all(temporaries, n);
    for (size_t i = 0; i < n; i++) {
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
