/* NumPy's .npy files.
 * The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include <ck/npy.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "runtime/context/context.h"
#include "runtime/data/record.h"

enum {
    MAGIC_LENGTH = 6,
    PREFIX_V1 = 10, /* magic, version, 2-byte header length */
    PREFIX_V2 = 12, /* the same with 4 bytes */
    HEADER_ALIGN = 64,
    MAX_HEADER = 1 << 20 /* real ones take 118 bytes; a record's may take some thousands */
};
static const char magic[MAGIC_LENGTH + 1] = "\x93NUMPY";

/* The types that have an element type in ck. */
static const struct {
    char kind;
    int size;
    ck_dtype dtype;
} descrs[] = {
    {'b', 1, CK_BOOL},      {'i', 1, CK_INT8},        {'i', 2, CK_INT16},   {'i', 4, CK_INT32},
    {'i', 8, CK_INT64},     {'u', 1, CK_UINT8},       {'u', 2, CK_UINT16},  {'u', 4, CK_UINT32},
    {'u', 8, CK_UINT64},    {'f', 2, CK_FLOAT16},     {'f', 4, CK_FLOAT32}, {'f', 8, CK_FLOAT64},
    {'c', 8, CK_COMPLEX64}, {'c', 16, CK_COMPLEX128},
};

/* The types that have none, for the message. */
static const struct {
    char kind;
    const char *what;
} refused[] = {
    {'O', "Python objects"},
    {'S', "byte strings"},
    {'a', "byte strings"},
    {'U', "strings"},
    {'V', "raw records"},
    {'M', "dates of this unit; save x.astype('M8[s]')"},
    {'m', "times of this unit; save x.astype('m8[s]')"},
    {'f', "this float"},
    {'c', "this complex type"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- The header's Python literal ---------------------------------------------------------------
 */

/* What is being read, and from where. */
struct header {
    ck_context *ctx;
    const char *path;
    const char *at;
    const char *end;
    bool have_descr, have_order, have_shape;
    bool swap;
    ck_npy array;
};

static ck_status
malformed(const struct header *h, const char *fault)
{
    return ck_fail(h->ctx, CK_ERROR_FORMAT, "%s: damaged .npy header: %s", h->path, fault);
}

static char
peek(struct header *h)
{
    while (h->at < h->end && strchr(" \t\r\n\f\v", *h->at) && *h->at)
        h->at++;
    return h->at < h->end ? *h->at : '\0';
}

static bool
accept(struct header *h, char c)
{
    if (peek(h) != c || h->at == h->end)
        return false;
    h->at++;
    return true;
}

static bool
accept_word(struct header *h, const char *word)
{
    size_t length = strlen(word);
    if (peek(h) != *word || (size_t)(h->end - h->at) < length || memcmp(h->at, word, length) != 0)
        return false;
    h->at += length;
    return true;
}

/* A string without escapes. A string that does not fit in `out` is malformed. */
static bool
accept_string(struct header *h, char *out, size_t capacity)
{
    char quote = peek(h);
    if (quote != '\'' && quote != '"')
        return false;
    const char *begin = h->at + 1;
    const char *close = memchr(begin, quote, (size_t)(h->end - begin));
    if (!close || (size_t)(close - begin) >= capacity ||
        memchr(begin, '\\', (size_t)(close - begin)) ||
        memchr(begin, '\0', (size_t)(close - begin)))
        return false;
    memcpy(out, begin, (size_t)(close - begin));
    out[close - begin] = '\0';
    h->at = close + 1;
    return true;
}

static ck_status
refuse_type(const struct header *h, const char *what, const char *descr)
{
    return ck_fail(h->ctx, CK_ERROR_UNSUPPORTED, "%s: elements of type '%s' (%s) have no ck type",
                   h->path, descr, what);
}

/* "M8[D]". False: it has no ck type. */
static bool
decode_date(struct header *h, const char *descr)
{
    char name[32];
    const int n = descr[1] == '8' ? snprintf(name, sizeof name, "%s64%s",
                                             *descr == 'M' ? "datetime" : "timedelta", descr + 2)
                                  : 0;
    const ck_dtype dtype = n > 0 && n < (int)sizeof name ? ck_dtype_by_name(name) : CK_DTYPE_NONE;
    if (dtype)
        h->array.dtype = dtype;
    return dtype != CK_DTYPE_NONE;
}

/* "<f4": byte order, kind, size. */
static ck_status
decode_descr(struct header *h, const char *descr)
{
    const char *p = descr;
    char order = *p && strchr("<>=|", *p) ? *p++ : '=';
    char kind = *p ? *p++ : '\0';
    char *rest;
    if ((kind == 'M' || kind == 'm') && decode_date(h, p - 1)) {
        h->swap = order == '>';
        return CK_OK;
    }
    long size = *p >= '0' && *p <= '9' ? strtol(p, &rest, 10) : (rest = (char *)p, -1L);
    for (size_t i = 0; i < COUNT(descrs); i++) {
        if (descrs[i].kind == kind && descrs[i].size == size && !*rest) {
            h->array.dtype = descrs[i].dtype;
            h->swap = order == '>' && size > 1;
            return CK_OK;
        }
    }
    for (size_t i = 0; i < COUNT(refused); i++) {
        if (refused[i].kind == kind)
            return refuse_type(h, refused[i].what, descr);
    }
    return malformed(h, "the type is not one of NumPy's");
}

/* The text of a record type, as ck_record_read takes it, from NumPy's list of fields. */
struct fields {
    struct ck_strbuf *text;
    size_t size; /* of the fields so far */
    bool any;
};

static ck_status read_fields(struct header *h, struct fields *out, int depth);
static ck_status read_extent(struct header *h, int64_t *out);

/* `, (2, 3)`, if there is one: as text, and the number of elements. */
static ck_status
read_field_shape(struct header *h, struct fields *out, size_t *count)
{
    bool any = false;
    *count = 1;
    if (!accept(h, ','))
        return CK_OK;
    if (!accept(h, '('))
        return malformed(h, "the shape of a field is no tuple");
    while (!accept(h, ')')) {
        int64_t extent = 0;
        ck_status status = read_extent(h, &extent);
        if (status)
            return status;
        if (extent < 1 || extent > INT_MAX || *count > INT_MAX)
            return ck_fail(h->ctx, CK_ERROR_UNSUPPORTED,
                           "%s: a field's array is empty, or too large", h->path);
        *count *= (size_t)extent;
        ck_strbuf_printf(out->text, "%s%lld", any ? "," : "(", (long long)extent);
        any = true;
        if (!accept(h, ',') && peek(h) != ')')
            return malformed(h, "the shape of a field is no tuple");
    }
    ck_strbuf_puts(out->text, any ? ")" : "");
    return CK_OK;
}

/* The type of a field as text, and its size. Padding, '|V4', has no name and no text. */
static ck_status
read_field_type(struct header *h, struct fields *out, const char *name, size_t *size, int depth)
{
    char descr[64];
    if (peek(h) == '[') {
        struct fields inner = {.text = out->text};
        ck_status status = read_fields(h, &inner, depth + 1);
        *size = inner.size;
        return status;
    }
    if (!accept_string(h, descr, sizeof descr))
        return malformed(h, "the type of a field is not a type's name");
    if (!*name && descr[0] == '|' && descr[1] == 'V') {
        *size = (size_t)strtoul(descr + 2, NULL, 10);
        return CK_OK;
    }
    ck_status status = decode_descr(h, descr);
    if (!status && h->swap)
        return ck_fail(h->ctx, CK_ERROR_UNSUPPORTED,
                       "%s: the field `%s` is big-endian: save x.astype(x.dtype.newbyteorder('='))",
                       h->path, name);
    *size = ck_dtype_size(h->array.dtype);
    if (!status)
        ck_strbuf_puts(out->text, ck_dtype_name(h->array.dtype));
    return status;
}

static ck_status
read_field(struct header *h, struct fields *out, int depth)
{
    char name[256];
    size_t size = 0, count = 1;
    if (!accept(h, '(') || !accept_string(h, name, sizeof name) || !accept(h, ','))
        return malformed(h, "a field is not a tuple of its name and its type");
    if (*name)
        ck_strbuf_printf(out->text, "%s%s:", out->any ? "," : "", name);
    out->any |= *name != '\0';
    ck_status status = read_field_type(h, out, name, &size, depth);
    if (!status)
        status = read_field_shape(h, out, &count);
    if (status)
        return status;
    if (*name)
        ck_strbuf_printf(out->text, "@%zu", out->size);
    out->size += size * count;
    return accept(h, ')') ? CK_OK : malformed(h, "a field is not a tuple of its name and its type");
}

static ck_status
read_fields(struct header *h, struct fields *out, int depth)
{
    ck_status status = CK_OK;
    if (depth > CK_MAX_TUPLES)
        return ck_fail(h->ctx, CK_ERROR_UNSUPPORTED, "%s: its records are too deep in each other",
                       h->path);
    accept(h, '[');
    ck_strbuf_putc(out->text, '{');
    while (!status && !accept(h, ']')) {
        status = read_field(h, out, depth);
        if (!status && !accept(h, ',') && peek(h) != ']')
            return malformed(h, "'descr' is no list of fields");
    }
    ck_strbuf_printf(out->text, "}/%zu", out->size);
    return status;
}

/* Sets the record that the text describes. */
static ck_status
take_record(struct header *h, struct ck_strbuf *text)
{
    struct ck_arena arena;
    jmp_buf out_of_memory;
    ck_arena_init(&arena);
    arena.on_oom = &out_of_memory;
    if (setjmp(out_of_memory)) {
        ck_arena_free(&arena);
        return ck_fail_memory(h->ctx);
    }
    const char *at = ck_strbuf_text(text);
    const ck_record *record = ck_record_read(&arena, &at);
    h->swap = false;
    h->array.dtype = CK_RECORD;
    h->array.record = record ? ck_record_copy(record) : NULL;
    ck_arena_free(&arena);
    if (!record)
        return ck_fail(h->ctx, CK_ERROR_UNSUPPORTED,
                       "%s: its records have no ck type: at most 256 fields, whose names have "
                       "letters, digits and `_`, 1024 numbers and 1 MiB",
                       h->path);
    return h->array.record ? CK_OK : ck_fail_memory(h->ctx);
}

static ck_status
read_record(struct header *h)
{
    struct ck_strbuf text;
    struct fields fields = {.text = &text};
    ck_strbuf_init(&text);
    h->have_descr = true;
    ck_status status = read_fields(h, &fields, 1);
    if (!status && text.failed)
        status = ck_fail_memory(h->ctx);
    if (!status)
        status = take_record(h, &text);
    ck_strbuf_free(&text);
    return status;
}

static ck_status
read_descr(struct header *h)
{
    char descr[64];
    if (peek(h) == '[')
        return read_record(h);
    if (!accept_string(h, descr, sizeof descr))
        return malformed(h, "'descr' is not a type's name");
    h->have_descr = true;
    return decode_descr(h, descr);
}

static ck_status
read_order(struct header *h)
{
    h->have_order = true;
    if (accept_word(h, "True"))
        h->array.fortran_order = 1;
    else if (!accept_word(h, "False"))
        return malformed(h, "'fortran_order' is neither True nor False");
    return CK_OK;
}

static ck_status
read_extent(struct header *h, int64_t *out)
{
    int64_t value = 0;
    char c = peek(h);
    if (c < '0' || c > '9')
        return malformed(h, "'shape' is not a tuple of sizes");
    for (; h->at < h->end && *h->at >= '0' && *h->at <= '9'; h->at++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *h->at - '0', &value))
            return malformed(h, "'shape' has a size beyond 64 bits");
    }
    if (h->at < h->end && *h->at == 'L') /* written by Python 2 */
        h->at++;
    *out = value;
    return CK_OK;
}

static ck_status
read_shape(struct header *h)
{
    h->have_shape = true;
    if (!accept(h, '('))
        return malformed(h, "'shape' is not a tuple of sizes");
    while (!accept(h, ')')) {
        int64_t extent = 0;
        ck_status status = read_extent(h, &extent);
        if (status)
            return status;
        if (h->array.ndim == CK_MAX_DIMS)
            return ck_fail(h->ctx, CK_ERROR_UNSUPPORTED,
                           "%s: the array has more than %d dimensions", h->path, CK_MAX_DIMS);
        h->array.shape[h->array.ndim++] = extent;
        /* `(3)` is a number, not a tuple. */
        if (!accept(h, ',') && (peek(h) != ')' || h->array.ndim == 1))
            return malformed(h, "'shape' is not a tuple of sizes");
    }
    return CK_OK;
}

static ck_status
read_entry(struct header *h)
{
    char key[32];
    if (!accept_string(h, key, sizeof key) || !accept(h, ':'))
        return malformed(h, "it is not a dictionary");
    if (!strcmp(key, "descr") && !h->have_descr)
        return read_descr(h);
    if (!strcmp(key, "fortran_order") && !h->have_order)
        return read_order(h);
    if (!strcmp(key, "shape") && !h->have_shape)
        return read_shape(h);
    return malformed(h, "a key is unknown or there twice");
}

static ck_status
read_dictionary(struct header *h)
{
    if (!accept(h, '{'))
        return malformed(h, "it is not a dictionary");
    while (!accept(h, '}')) {
        ck_status status = read_entry(h);
        if (status)
            return status;
        if (!accept(h, ',') && peek(h) != '}')
            return malformed(h, "it is not a dictionary");
    }
    peek(h);
    if (h->at != h->end)
        return malformed(h, "something follows the dictionary");
    if (!h->have_descr || !h->have_order || !h->have_shape)
        return malformed(h, "'descr', 'fortran_order' or 'shape' is missing");
    return CK_OK;
}

/* --- Reading -----------------------------------------------------------------------------------
 */

static ck_status
io_error(ck_context *ctx, const char *path, const char *doing)
{
    return ck_fail(ctx, CK_ERROR_IO, "%s: %s: %s", path, doing, strerror(errno));
}

/* Returns false on an error, or with errno 0 at the end of the file. */
static bool
read_all(int fd, void *to, size_t bytes)
{
    char *at = to;
    while (bytes) {
        ssize_t got = read(fd, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got < 0 ? errno : 0;
            return false;
        }
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

static ck_status
read_failed(ck_context *ctx, const char *path)
{
    if (errno)
        return io_error(ctx, path, "cannot read");
    return ck_fail(ctx, CK_ERROR_FORMAT, "%s: the file ends too early", path);
}

static uint32_t
little_endian(const unsigned char *bytes, int n)
{
    uint32_t value = 0;
    while (n--)
        value = value << 8 | bytes[n];
    return value;
}

/* Reads the fixed part: the header's length and where it starts. */
static ck_status
read_prefix(ck_context *ctx, const char *path, int fd, size_t *start, size_t *length)
{
    unsigned char prefix[PREFIX_V2];
    if (!read_all(fd, prefix, PREFIX_V1)) {
        if (errno)
            return io_error(ctx, path, "cannot read");
        return ck_fail(ctx, CK_ERROR_FORMAT, "%s: not a .npy file: it is too short", path);
    }
    if (memcmp(prefix, magic, MAGIC_LENGTH) != 0)
        return ck_fail(ctx, CK_ERROR_FORMAT, "%s: not a .npy file%s", path,
                       memcmp(prefix, "PK", 2) ? "" : " (an .npz archive?)");
    int major = prefix[MAGIC_LENGTH], minor = prefix[MAGIC_LENGTH + 1];
    if (major < 1 || major > 3 || minor)
        return ck_fail(ctx, CK_ERROR_FORMAT, "%s: version %d.%d of .npy is not known", path, major,
                       minor);
    *start = major == 1 ? PREFIX_V1 : PREFIX_V2;
    if (!read_all(fd, prefix + PREFIX_V1, *start - PREFIX_V1))
        return read_failed(ctx, path);
    *length = little_endian(prefix + 8, major == 1 ? 2 : 4);
    if (*length > MAX_HEADER)
        return ck_fail(ctx, CK_ERROR_FORMAT,
                       "%s: damaged .npy header: its length of %zu bytes is above the limit of %d",
                       path, *length, MAX_HEADER);
    return CK_OK;
}

/* Computes the bytes of the array. Returns false if they do not fit in 63 bits. An empty array has
 * none, however large its other dimensions are. */
static bool
array_bytes(const ck_npy *array, size_t *bytes)
{
    int64_t total = (int64_t)ck_item_size(array->dtype, array->record);
    bool overflow = false;
    for (int i = 0; i < array->ndim; i++) {
        if (!array->shape[i]) {
            *bytes = 0;
            return true;
        }
        overflow |= __builtin_mul_overflow(total, array->shape[i], &total);
    }
    *bytes = (size_t)total;
    return !overflow;
}

static ck_status
check_size(struct header *h, off_t file_size, size_t start)
{
    size_t have = (size_t)file_size < start ? 0 : (size_t)file_size - start;
    if (!array_bytes(&h->array, &h->array.bytes) || h->array.bytes > have)
        return ck_fail(h->ctx, CK_ERROR_FORMAT,
                       "%s: truncated: the elements take more than the %zu bytes left in the file",
                       h->path, have);
    if (h->array.bytes < have)
        return ck_fail(h->ctx, CK_ERROR_FORMAT, "%s: %zu bytes follow the last element", h->path,
                       have - h->array.bytes);
    return CK_OK;
}

static void
swap_bytes(ck_npy *array)
{
    size_t size = ck_dtype_size(array->dtype);
    if (array->dtype == CK_COMPLEX64 || array->dtype == CK_COMPLEX128)
        size /= 2;
    unsigned char *bytes = array->data;
    for (size_t i = 0; i < array->bytes; i += size) {
        for (size_t a = i, b = i + size - 1; a < b; a++, b--) {
            unsigned char t = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = t;
        }
    }
}

/* Kernels may rely on a bool being 0 or 1. */
static void
normalise_bools(ck_npy *array)
{
    unsigned char *bytes = array->data;
    for (size_t i = 0; i < array->bytes; i++)
        bytes[i] = bytes[i] != 0;
}

static ck_status
read_elements(struct header *h, int fd)
{
    ck_npy *array = &h->array;
    array->data = malloc(array->bytes ? array->bytes : 1);
    if (!array->data)
        return ck_fail_memory(h->ctx);
    if (!read_all(fd, array->data, array->bytes)) {
        ck_status status = read_failed(h->ctx, h->path);
        free(array->data);
        return status;
    }
    if (h->swap)
        swap_bytes(array);
    if (array->dtype == CK_BOOL)
        normalise_bools(array);
    if (array->record)
        ck_record_normalise_bools(array->record, array->data, array->bytes);
    return CK_OK;
}

static ck_status
read_file(ck_npy *out, ck_context *ctx, const char *path, int fd, off_t size)
{
    size_t start = 0, length = 0;
    ck_status status = read_prefix(ctx, path, fd, &start, &length);
    if (status)
        return status;
    char *text = malloc(length ? length : 1);
    if (!text)
        return ck_fail_memory(ctx);
    struct header h = {.ctx = ctx, .path = path, .at = text, .end = text + length};
    if (!read_all(fd, text, length))
        status = read_failed(ctx, path);
    if (!status)
        status = read_dictionary(&h);
    if (!status)
        status = check_size(&h, size, start + length);
    free(text);
    if (!status)
        status = read_elements(&h, fd);
    if (status)
        free(h.array.record);
    else
        *out = h.array;
    return status;
}

ck_status
ck_npy_read(ck_npy *out, ck_context *ctx, const char *path)
{
    /* O_NONBLOCK: opening a pipe would otherwise wait for its writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return io_error(ctx, path, "cannot open");
    ck_status status = ck_npy_read_fd(out, ctx, fd, path);
    close(fd);
    return status;
}

ck_status
ck_npy_read_fd(ck_npy *out, ck_context *ctx, int fd, const char *name)
{
    struct stat info;
    if (fstat(fd, &info) < 0)
        return io_error(ctx, name, "cannot read");
    if (!S_ISREG(info.st_mode))
        return ck_fail(ctx, CK_ERROR_IO, "%s: cannot read: %s, not a regular file", name,
                       S_ISDIR(info.st_mode) ? "a directory" : "a pipe or device");
    return read_file(out, ctx, name, fd, info.st_size);
}

/* --- Writing -----------------------------------------------------------------------------------
 */

static ck_status
check_array(const ck_npy *array, ck_context *ctx)
{
    size_t bytes = 0;
    bool sane = array->dtype != CK_RECORD || ck_record_is_sound(array->record);
    sane = sane && ck_item_size(array->dtype, array->record) && array->ndim >= 0 &&
           array->ndim <= CK_MAX_DIMS;
    for (int i = 0; sane && i < array->ndim; i++)
        sane = array->shape[i] >= 0;
    if (!sane || !array_bytes(array, &bytes) || bytes != array->bytes || (bytes && !array->data))
        return ck_fail(ctx, CK_ERROR_ARGUMENT,
                       "ck_npy_write: type, shape, bytes and data do not describe an array");
    return CK_OK;
}

static void
write_descr(struct ck_strbuf *out, ck_dtype dtype)
{
    const char *name = ck_dtype_name(dtype), *unit = name + strcspn(name, "[");
    if (dtype >= CK_DATETIME64_Y && dtype <= CK_TIMEDELTA64)
        ck_strbuf_printf(out, "'<%s%s'", dtype <= CK_DATETIME64 ? "M8" : "m8", unit);
    if (dtype == CK_BFLOAT16)
        dtype = CK_UINT16;
    for (size_t i = 0; i < COUNT(descrs); i++) {
        if (descrs[i].dtype == dtype)
            ck_strbuf_printf(out, "'%c%c%d'", descrs[i].size == 1 ? '|' : '<', descrs[i].kind,
                             descrs[i].size);
    }
}

/* Bytes between fields, or after the last. */
static void
write_padding(struct ck_strbuf *out, size_t from, size_t to)
{
    if (to > from)
        ck_strbuf_printf(out, "('', '|V%zu'), ", to - from);
}

/* As NumPy writes it: a list of fields in the order of their places. False: fields overlap, or are
 * in another order. */
static bool
write_fields(struct ck_strbuf *out, const ck_record *record)
{
    size_t end = 0;
    bool good = true;
    ck_strbuf_putc(out, '[');
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        size_t bytes = ck_item_size(field->dtype, field->record);
        good = good && field->offset >= end;
        write_padding(out, end, field->offset);
        ck_strbuf_printf(out, "('%s', ", field->name);
        if (field->dtype == CK_RECORD)
            good = write_fields(out, field->record) && good;
        else
            write_descr(out, field->dtype);
        for (int dim = 0; dim < field->ndim; dim++) {
            ck_strbuf_printf(out, dim ? " %lld," : ", (%lld,", (long long)field->shape[dim]);
            bytes *= (size_t)field->shape[dim];
        }
        ck_strbuf_puts(out, field->ndim ? ")), " : "), ");
        end = field->offset + bytes;
    }
    write_padding(out, end, record->size);
    ck_strbuf_putc(out, ']');
    return good;
}

/* The header's dictionary. */
static bool
write_dictionary(struct ck_strbuf *out, const ck_npy *array)
{
    bool good = true;
    ck_strbuf_puts(out, "{'descr': ");
    if (array->dtype == CK_RECORD)
        good = write_fields(out, array->record);
    else
        write_descr(out, array->dtype);
    ck_strbuf_printf(out, ", 'fortran_order': %s, 'shape': (",
                     array->fortran_order ? "True" : "False");
    for (int i = 0; i < array->ndim; i++)
        ck_strbuf_printf(out, "%s%lld%s", i ? " " : "", (long long)array->shape[i],
                         i + 1 < array->ndim || array->ndim == 1 ? "," : "");
    ck_strbuf_puts(out, "), }");
    return good;
}

/* Version 1.0, or 2.0 for a record's header that takes more than 64 KiB. False: NumPy's format has
 * no such record. */
static bool
write_header(struct ck_strbuf *out, const ck_npy *array)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    const bool good = write_dictionary(&text, array);
    const bool is_short = text.length + HEADER_ALIGN < UINT16_MAX;
    const size_t prefix = is_short ? PREFIX_V1 : PREFIX_V2;
    const size_t pad = HEADER_ALIGN - (prefix + text.length + 1) % HEADER_ALIGN;
    ck_strbuf_fill(&text, ' ', pad % HEADER_ALIGN);
    ck_strbuf_putc(&text, '\n');
    ck_strbuf_add(out, magic, MAGIC_LENGTH);
    ck_strbuf_add(out, is_short ? "\x01\x00" : "\x02\x00", 2);
    for (size_t i = 0; i < prefix - MAGIC_LENGTH - 2; i++)
        ck_strbuf_putc(out, (char)(text.length >> 8 * i & 0xff));
    ck_strbuf_add(out, ck_strbuf_text(&text), text.length);
    out->failed |= text.failed;
    ck_strbuf_free(&text);
    return good;
}

ck_status
ck_npy_header(char **out, size_t *length, ck_context *ctx, const ck_npy *array)
{
    ck_status status = check_array(array, ctx);
    struct ck_strbuf header;
    if (status)
        return status;
    ck_strbuf_init(&header);
    write_header(&header, array);
    size_t written = header.length;
    char *text = ck_strbuf_take(&header);
    if (!text)
        return ck_fail_memory(ctx);
    *out = text;
    *length = written;
    return CK_OK;
}

/* Renaming over a pipe or a device would replace it by a file. */
static ck_status
check_target(ck_context *ctx, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return ck_fail(ctx, CK_ERROR_IO, "%s: cannot write: %s, not a regular file", path,
                       S_ISDIR(info.st_mode) ? "a directory" : "a pipe or device");
    return CK_OK;
}

static ck_status
write_beside(const ck_npy *array, ck_context *ctx, const char *path, const struct ck_strbuf *header,
             struct ck_strbuf *name)
{
    int fd = ck_file_create_beside(name, path);
    if (fd < 0)
        return io_error(ctx, path, "cannot write");
    ck_status status = CK_OK;
    if (!ck_file_write(fd, header->text, header->length) ||
        !ck_file_write(fd, array->data, array->bytes))
        status = io_error(ctx, path, "cannot write");
    else if (!ck_file_sync(fd)) /* otherwise the name could reach the disk before the content */
        status = io_error(ctx, path, "cannot write");
    if (close(fd) < 0 && !status)
        status = io_error(ctx, path, "cannot write");
    if (!status && rename(ck_strbuf_text(name), path) < 0)
        status = io_error(ctx, path, "cannot write");
    if (status)
        unlink(ck_strbuf_text(name));
    return status;
}

ck_status
ck_npy_write(const ck_npy *array, ck_context *ctx, const char *path)
{
    ck_status status = check_array(array, ctx);
    if (!status)
        status = check_target(ctx, path);
    if (status)
        return status;
    struct ck_strbuf header, name;
    ck_strbuf_init(&header);
    ck_strbuf_init(&name);
    const bool good = write_header(&header, array);
    if (header.failed)
        status = ck_fail_memory(ctx);
    else if (!good)
        status = ck_fail(ctx, CK_ERROR_UNSUPPORTED,
                         "%s: .npy files have no records whose fields overlap or are out of order",
                         path);
    else
        status = write_beside(array, ctx, path, &header, &name);
    ck_strbuf_free(&header);
    ck_strbuf_free(&name);
    return status;
}

void
ck_npy_free(ck_npy *array)
{
    if (!array)
        return;
    free(array->data);
    free(array->record);
    memset(array, 0, sizeof *array);
}
