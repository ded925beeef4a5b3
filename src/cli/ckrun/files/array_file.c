/* Files that hold arrays, by their suffix. See array_file.h. */
#include "array_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "png_image.h"
#include "zip.h"

/* --- Names -------------------------------------------------------------------------------------
 */

/* The `:` of `FILE.npz:KEY`; NULL: there is none. */
static const char *
find_colon(const char *name)
{
    const char *end = strstr(name, ".npz:");
    return end ? end + 4 : NULL;
}

char *
ckrun_file_path(const char *name)
{
    const char *colon = find_colon(name);
    return tool_strndup(name, colon ? (size_t)(colon - name) : strlen(name));
}

const char *
ckrun_file_key(const char *name)
{
    const char *colon = find_colon(name);
    return colon ? colon + 1 : NULL;
}

enum array_file
ckrun_file_kind(const char *name)
{
    static const struct {
        const char *suffix;
        enum array_file kind;
    } kinds[] = {{".npy", FILE_NPY}, {".npz", FILE_NPZ}, {".csv", FILE_CSV},
                 {".png", FILE_PNG}, {".bin", FILE_RAW}, {".raw", FILE_RAW}};
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    const char *dot = strrchr(file, '.');
    if (find_colon(name))
        return FILE_NPZ;
    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(dot, kinds[i].suffix) == 0)
            return kinds[i].kind;
    }
    return dot && dot != file ? FILE_OTHER : FILE_NPY;
}

/* --- .npz --------------------------------------------------------------------------------------
 */

static int
fail_member(const struct zip_archive *archive, const char *path, const char *key)
{
    const char **names = tool_alloc((archive->n + 1) * sizeof *names);
    char *list = tool_strndup("", 0);
    for (size_t i = 0; i < archive->n; i++) {
        char *name = archive->members[i].name, *dot = strrchr(name, '.');
        if (dot && strcmp(dot, ".npy") == 0)
            *dot = '\0';
        names[i] = name;
        char *longer = tool_printf("%s%s%s", list, i ? " " : "", name);
        free(list);
        list = longer;
    }
    const char *nearest = key ? ck_nearest_word(key, names, (int)archive->n) : NULL;
    if (nearest)
        tool_error("%s has no array `%s`; did you mean `%s`?", path, key, nearest);
    else if (key)
        tool_error("%s has no array `%s`; there are: %s", path, key, list);
    else if (!archive->n)
        tool_error("%s has no arrays", path);
    else
        tool_error("%s has several arrays: write @%s:%s, or another of: %s", path, path, names[0],
                   list);
    free(list);
    free(names);
    return TOOL_FAILED;
}

/* The member called KEY or KEY.npy; without a key the only one. */
static const struct zip_member *
find_member(const struct zip_archive *archive, const char *key)
{
    if (!key)
        return archive->n == 1 ? &archive->members[0] : NULL;
    for (size_t i = 0; i < archive->n; i++) {
        const char *name = archive->members[i].name;
        size_t length = strlen(key);
        if (strncmp(name, key, length) == 0 &&
            (!name[length] || strcmp(name + length, ".npy") == 0))
            return &archive->members[i];
    }
    return NULL;
}

/* Unpacks the member into memory, from where it is read as a file. */
static int
read_member(ck_npy *out, ck_context *ctx, const struct zip_archive *archive,
            const struct zip_member *member, const char *path)
{
    int fd = memfd_create("npy", MFD_CLOEXEC);
    const char *fault = fd < 0 ? strerror(errno) : zip_extract(archive, member, fd);
    int status = TOOL_FAILED;
    if (fault) {
        tool_error("%s: `%s`: %s", path, member->name, fault);
    } else if (lseek(fd, 0, SEEK_SET) == 0) {
        char *name = tool_printf("%s:%s", path, member->name);
        ck_status read = ck_npy_read_fd(out, ctx, fd, name);
        status = read == CK_OK ? TOOL_DONE : tool_fail_file(ctx, read);
        free(name);
    }
    if (fd >= 0)
        close(fd);
    return status;
}

static int
read_npz(ck_npy *out, ck_context *ctx, const char *path, const char *key)
{
    struct zip_archive archive = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), status = TOOL_FAILED;
    const char *fault = fd < 0 ? strerror(errno) : zip_open(&archive, fd);
    if (fault) {
        tool_error("cannot read `%s`: %s", path, fault);
    } else {
        const struct zip_member *member = find_member(&archive, key);
        status = member ? read_member(out, ctx, &archive, member, path)
                        : fail_member(&archive, path, key);
    }
    zip_close(&archive);
    if (fd >= 0)
        close(fd);
    return status;
}

/* --- Raw bytes ---------------------------------------------------------------------------------
 */

int
ckrun_read_raw(ck_npy *out, const char *path, ck_dtype dtype, const ck_record *record,
               int64_t count, int64_t offset)
{
    char *text = NULL;
    size_t length = 0, size = record ? record->size : ck_dtype_size(dtype);
    if (!tool_read_file(path, &text, &length))
        return TOOL_FAILED;
    size_t left = (uint64_t)offset > length ? 0 : length - (size_t)offset;
    size_t n = count < 0 ? left / size : (size_t)count;
    if ((uint64_t)offset > length || n > left / size || (count < 0 && left % size)) {
        if (count < 0)
            tool_error("`%s` has %zu bytes after the offset, which are not all elements of %s",
                       path, left, ck_dtype_name(dtype));
        else
            tool_error("`%s` has %zu bytes after the offset, fewer than %lld elements of %s need",
                       path, left, (long long)count, ck_dtype_name(dtype));
        free(text);
        return TOOL_FAILED;
    }
    memmove(text, text + offset, n * size);
    *out =
        (ck_npy){.dtype = dtype, .ndim = 1, .shape = {(int64_t)n}, .bytes = n * size, .data = text};
    out->record = record ? ck_record_copy(record) : NULL;
    for (size_t i = 0; i < n && dtype == CK_BOOL; i++)
        text[i] = text[i] != 0;
    return TOOL_DONE;
}

/* --- Reading by the suffix ---------------------------------------------------------------------
 */

int
ckrun_read_file(ck_npy *out, ck_context *ctx, const char *name)
{
    char *path = ckrun_file_path(name);
    int status = TOOL_FAILED;
    ck_status read;
    switch (ckrun_file_kind(name)) {
    case FILE_NPZ:
        status = read_npz(out, ctx, path, ckrun_file_key(name));
        break;
    case FILE_CSV:
        status = ckrun_read_text(out, path, CK_FLOAT64, ',', 0);
        break;
    case FILE_PNG:
        status = ckrun_read_png(out, path);
        break;
    case FILE_RAW:
        tool_error("`%s` does not say what its elements are: write fromfile('%s', float32)", path,
                   path);
        status = TOOL_USAGE;
        break;
    default: /* whose content says whether it is a .npy file */
        read = ck_npy_read(out, ctx, path);
        status = read == CK_OK ? TOOL_DONE : tool_fail_file(ctx, read);
    }
    free(path);
    return status;
}

static void
fail_image(const char *name, const ck_npy *array, const char *fault)
{
    char *shape = ckrun_shape_text(array->ndim, array->shape);
    tool_error("`%s`: a .png file %s: the array has shape %s and dtype %s", name, fault, shape,
               ck_dtype_name(array->dtype));
    free(shape);
}

bool
ckrun_check_file(const char *name, const ck_npy *array)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    const char *key = ckrun_file_key(name);
    enum array_file kind = ckrun_file_kind(name);
    const char *png_fault = kind == FILE_PNG ? ckrun_png_fault(array) : NULL;
    if (kind == FILE_OTHER)
        tool_error(
            "--save writes .npy, .npz, .csv, .png, .bin and .raw files, not `%s`: %.*s.npy is "
            "such a file",
            dot, (int)(dot - name), name);
    else if (kind == FILE_CSV && array->ndim > 2)
        tool_error("`%s`: a .csv file has one or two dimensions, and the array has %d: save it as "
                   ".npy",
                   name, array->ndim);
    else if (kind == FILE_CSV && array->record)
        tool_error("`%s`: a .csv file has no records: save it as .npy, or a field as .csv", name);
    else if (kind == FILE_CSV && ckrun_is_complex_dtype(array->dtype))
        tool_error("`%s`: a .csv file has no complex numbers: save it as .npy", name);
    else if (png_fault)
        fail_image(name, array, png_fault);
    else if (key && (!*key || strchr(key, '/')))
        tool_error("`%s`: the name of an array follows the colon", name);
    else
        return true;
    return false;
}
