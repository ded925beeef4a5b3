/* Manifests: writing and reading their JSON, and finding one in PTX text. */
#include "runtime/manifest.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "base/utf8.h"
#include "runtime/context.h"

enum { MAX_KERNELS = 1 << 16, MAX_PARAMS = 1 << 12, MAX_ALIGNMENT = 1 << 12, MAX_CLUSTER = 16 };

static const char *const layout_names[] = {
    [CK_STRIDED] = "any", [CK_C_ORDER] = "C", [CK_FORTRAN] = "F"};
enum { N_LAYOUTS = sizeof layout_names / sizeof layout_names[0] };

/* --- Signatures --------------------------------------------------------------------------------
 */

static void
write_single(struct ck_strbuf *out, const ck_param_info *param)
{
    ck_strbuf_puts(out, ck_dtype_name(param->dtype));
    if (!param->ndim)
        return;
    /* `::1` marks the dimension whose elements are adjacent. */
    int adjacent = param->layout == CK_C_ORDER   ? param->ndim - 1
                   : param->layout == CK_FORTRAN ? 0
                                                 : -1;
    for (int i = 0; i < param->ndim; i++) {
        ck_strbuf_puts(out, i ? ", " : "[");
        ck_strbuf_puts(out, i == adjacent ? "::1" : ":");
    }
    ck_strbuf_putc(out, ']');
}

int
ck_type_write_param(struct ck_strbuf *out, const ck_param_info *param)
{
    if (param->dtype != CK_TUPLE) {
        write_single(out, param);
        return 1;
    }
    int n = 1;
    ck_strbuf_putc(out, '(');
    for (int i = 0; i < param->n_items; i++) {
        ck_strbuf_puts(out, i ? ", " : "");
        n += ck_type_write_param(out, &param[n]);
    }
    ck_strbuf_puts(out, param->n_items == 1 ? ",)" : ")");
    return n;
}

void
ck_signature_write(struct ck_strbuf *out, const ck_param_info *params, int n_params)
{
    ck_strbuf_putc(out, '(');
    for (int i = 0; i < n_params;) {
        ck_strbuf_puts(out, i ? ", " : "");
        i += ck_type_write_param(out, &params[i]);
    }
    ck_strbuf_putc(out, ')');
}

bool
ck_entries_next(struct ck_entries *at, size_t n_items)
{
    if (!at->depth)
        at->tops++;
    else
        at->left[at->depth - 1]--;
    if (n_items) {
        if (at->depth == CK_MAX_TUPLES)
            return false;
        at->left[at->depth++] = n_items;
    }
    while (at->depth && !at->left[at->depth - 1])
        at->depth--;
    return true;
}

/* --- Writing -----------------------------------------------------------------------------------
 */

/* An object under construction: the first failure drops what follows. */
struct writer {
    struct json_object *object;
    bool failed;
};

static void
put(struct writer *writer, const char *key, struct json_object *value)
{
    if (value && !writer->failed && json_object_object_add(writer->object, key, value) == 0)
        return;
    json_object_put(value);
    writer->failed = true;
}

/* JSON text is UTF-8; a file name need not be, and then shows a `?` for each byte that is not. */
static void
put_text(struct writer *writer, const char *key, const char *text)
{
    char *copy = strdup(text ? text : "");
    const char *end = copy ? copy + strlen(copy) : NULL;
    for (char *p = copy; p < end;) {
        uint32_t code;
        int length = ck_utf8_decode(p, end, &code);
        if (!length)
            *p = '?';
        p += length ? length : 1;
    }
    put(writer, key, copy ? json_object_new_string(copy) : NULL);
    free(copy);
}

static struct writer
begin_object(void)
{
    struct json_object *object = json_object_new_object();
    return (struct writer){.object = object, .failed = !object};
}

/* NULL after a failure. */
static struct json_object *
finish_object(struct writer *writer)
{
    if (!writer->failed)
        return writer->object;
    json_object_put(writer->object);
    return NULL;
}

static bool
append(struct json_object *array, struct json_object *item)
{
    if (array && item && json_object_array_add(array, item) == 0)
        return true;
    json_object_put(item);
    return false;
}

static struct json_object *
param_to_json(const ck_param_info *param, int generic)
{
    struct writer writer = begin_object();
    put_text(&writer, "name", param->name);
    if (!generic) {
        put_text(&writer, "dtype", ck_dtype_name(param->dtype));
        if (param->dtype == CK_TUPLE)
            put(&writer, "items", json_object_new_int(param->n_items));
        else
            put(&writer, "ndim", json_object_new_int(param->ndim));
        if (param->ndim)
            put_text(&writer, "layout", layout_names[param->layout]);
        if (param->read_only)
            put(&writer, "read_only", json_object_new_boolean(1));
        if (param->disjoint)
            put(&writer, "disjoint", json_object_new_boolean(1));
        if (param->alignment)
            put(&writer, "alignment", json_object_new_int(param->alignment));
    }
    return finish_object(&writer);
}

static struct json_object *
params_to_json(const ck_kernel_desc *kernel)
{
    struct json_object *params = json_object_new_array();
    for (int i = 0; i < kernel->n_params; i++) {
        if (!append(params, param_to_json(&kernel->params[i], kernel->generic))) {
            json_object_put(params);
            return NULL;
        }
    }
    return params;
}

static struct json_object *
cluster_to_json(const ck_kernel_desc *kernel)
{
    struct json_object *cluster = json_object_new_array();
    for (int i = 0; i < 3; i++) {
        if (!append(cluster, json_object_new_int64(kernel->cluster[i]))) {
            json_object_put(cluster);
            return NULL;
        }
    }
    return cluster;
}

static struct json_object *
kernel_to_json(const ck_kernel_desc *kernel)
{
    struct writer writer = begin_object();
    put_text(&writer, "name", kernel->name);
    put_text(&writer, "entry", kernel->entry);
    put_text(&writer, "signature", kernel->signature);
    put(&writer, "generic", json_object_new_boolean(kernel->generic));
    put(&writer, "cooperative", json_object_new_boolean(kernel->cooperative));
    put(&writer, "shared_bytes", json_object_new_int64(kernel->shared_bytes));
    put(&writer, "max_threads", json_object_new_int64(kernel->max_threads));
    if (kernel->clusters)
        put(&writer, "clusters", json_object_new_boolean(1));
    if (kernel->cluster[0])
        put(&writer, "cluster", cluster_to_json(kernel));
    put(&writer, "params", params_to_json(kernel));
    return finish_object(&writer);
}

static struct json_object *
kernels_to_json(const struct ck_manifest *manifest)
{
    struct json_object *kernels = json_object_new_array();
    for (size_t i = 0; i < manifest->n_kernels; i++) {
        if (!append(kernels, kernel_to_json(&manifest->kernels[i]))) {
            json_object_put(kernels);
            return NULL;
        }
    }
    return kernels;
}

void
ck_manifest_write(struct ck_strbuf *out, const struct ck_manifest *manifest)
{
    const int style =
        JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE;
    struct writer writer = begin_object();
    put_text(&writer, "ck_version", manifest->ck_version);
    put_text(&writer, "source", manifest->source);
    put_text(&writer, "arch", manifest->arch);
    if (manifest->math)
        put_text(&writer, "math", manifest->math);
    put(&writer, "kernels", kernels_to_json(manifest));
    struct json_object *json = finish_object(&writer);
    const char *text = json ? json_object_to_json_string_ext(json, style) : NULL;
    if (text)
        ck_strbuf_puts(out, text);
    else
        out->failed = true;
    ck_strbuf_putc(out, '\n');
    json_object_put(json);
}

/* --- Reading -----------------------------------------------------------------------------------
 */

/* What every reading function needs; `where` says which part is being read. */
struct reader {
    struct ck_arena *arena;
    ck_context *ctx;
    char where[96];
};

static ck_status
malformed(const struct reader *reader, const char *key, const char *want)
{
    return ck_fail(reader->ctx, CK_ERROR_FORMAT, "damaged manifest: \"%s\" of %s is not %s", key,
                   reader->where, want);
}

static ck_status
read_text(const struct reader *reader, const char **out, struct json_object *object,
          const char *key)
{
    struct json_object *value = json_object_object_get(object, key);
    if (!json_object_is_type(value, json_type_string))
        return malformed(reader, key, "a string");
    *out = ck_arena_strdup(reader->arena, json_object_get_string(value));
    return CK_OK;
}

static ck_status
read_int(const struct reader *reader, int64_t *out, struct json_object *object, const char *key,
         int64_t max)
{
    struct json_object *value = json_object_object_get(object, key);
    int64_t number = json_object_get_int64(value);
    if (!json_object_is_type(value, json_type_int) || number < 0 || number > max)
        return malformed(reader, key, "a number in range");
    *out = number;
    return CK_OK;
}

static ck_status
read_bool(const struct reader *reader, int *out, struct json_object *object, const char *key)
{
    struct json_object *value = json_object_object_get(object, key);
    if (!json_object_is_type(value, json_type_boolean))
        return malformed(reader, key, "true or false");
    *out = json_object_get_boolean(value);
    return CK_OK;
}

static ck_status
read_layout(const struct reader *reader, ck_layout_kind *out, struct json_object *object)
{
    const char *name = json_object_get_string(json_object_object_get(object, "layout"));
    for (int i = 0; name && i < N_LAYOUTS; i++) {
        if (!strcmp(name, layout_names[i])) {
            *out = (ck_layout_kind)i;
            return CK_OK;
        }
    }
    return malformed(reader, "layout", "\"C\", \"F\" or \"any\"");
}

/* What an image counts on of an array. */
static ck_status
read_assumptions(const struct reader *reader, ck_param_info *out, struct json_object *json)
{
    int64_t alignment = 0;
    ck_status status = CK_OK;
    if (json_object_object_get_ex(json, "read_only", NULL))
        status = read_bool(reader, &out->read_only, json, "read_only");
    if (!status && json_object_object_get_ex(json, "disjoint", NULL))
        status = read_bool(reader, &out->disjoint, json, "disjoint");
    if (!status && json_object_object_get_ex(json, "alignment", NULL))
        status = read_int(reader, &alignment, json, "alignment", MAX_ALIGNMENT);
    out->alignment = (int)alignment;
    return status;
}

static ck_status
read_param(const struct reader *reader, ck_param_info *out, struct json_object *json, int generic)
{
    int64_t ndim = 0, n_items = 0;
    ck_status status = read_text(reader, &out->name, json, "name");
    if (status || generic)
        return status;
    const char *dtype = json_object_get_string(json_object_object_get(json, "dtype"));
    if (dtype && !strcmp(dtype, ck_dtype_name(CK_TUPLE))) {
        out->dtype = CK_TUPLE;
        status = read_int(reader, &n_items, json, "items", MAX_PARAMS);
        out->n_items = (int)n_items;
        return status;
    }
    out->dtype = dtype ? ck_dtype_by_name(dtype) : CK_DTYPE_NONE;
    if (!out->dtype)
        return malformed(reader, "dtype", "a type's name");
    status = read_int(reader, &ndim, json, "ndim", CK_MAX_DIMS);
    out->ndim = (int)ndim;
    if (!status && ndim)
        status = read_layout(reader, &out->layout, json);
    if (!status && ndim)
        status = read_assumptions(reader, out, json);
    return status;
}

static ck_status
read_params(const struct reader *reader, ck_kernel_desc *out, struct json_object *json)
{
    struct json_object *array = json_object_object_get(json, "params");
    if (!json_object_is_type(array, json_type_array) ||
        json_object_array_length(array) > MAX_PARAMS)
        return malformed(reader, "params", "a list of parameters");
    out->n_params = (int)json_object_array_length(array);
    ck_param_info *params = CK_NEW_ARRAY(reader->arena, ck_param_info, out->n_params);
    out->params = params;
    struct ck_entries at = {0};
    bool whole = true;
    for (int i = 0; i < out->n_params && whole; i++) {
        ck_status status = read_param(reader, &params[i],
                                      json_object_array_get_idx(array, (size_t)i), out->generic);
        if (status)
            return status;
        whole = ck_entries_next(&at, (size_t)params[i].n_items);
    }
    return whole && !at.depth ? CK_OK : malformed(reader, "params", "a list of whole tuples");
}

/* The signature is written beside the parameters for people to read: the two must agree. */
static ck_status
check_signature(const struct reader *reader, const ck_kernel_desc *kernel)
{
    if (kernel->generic)
        return CK_OK;
    struct ck_strbuf want;
    ck_strbuf_init(&want);
    ck_signature_write(&want, kernel->params, kernel->n_params);
    bool failed = want.failed;
    bool agrees = !strcmp(ck_strbuf_text(&want), kernel->signature);
    ck_strbuf_free(&want);
    if (failed)
        return ck_fail_memory(reader->ctx);
    return agrees ? CK_OK : malformed(reader, "signature", "that of its parameters");
}

/* Both may be missing. */
static ck_status
read_clusters(const struct reader *reader, ck_kernel_desc *out, struct json_object *json)
{
    struct json_object *cluster;
    if (json_object_object_get_ex(json, "clusters", NULL)) {
        ck_status status = read_bool(reader, &out->clusters, json, "clusters");
        if (status)
            return status;
    }
    if (!json_object_object_get_ex(json, "cluster", &cluster))
        return CK_OK;
    bool good =
        json_object_is_type(cluster, json_type_array) && json_object_array_length(cluster) == 3;
    int64_t blocks = 1;
    for (int i = 0; good && i < 3; i++) {
        struct json_object *item = json_object_array_get_idx(cluster, (size_t)i);
        int64_t n = json_object_get_int64(item);
        good = json_object_is_type(item, json_type_int) && n >= 1 && n <= MAX_CLUSTER;
        out->cluster[i] = (uint32_t)n;
        blocks *= good ? n : 1;
    }
    if (!good || blocks > MAX_CLUSTER)
        return malformed(reader, "cluster", "three numbers of blocks");
    return CK_OK;
}

static ck_status
read_kernel(struct reader *reader, ck_kernel_desc *out, struct json_object *json)
{
    int64_t shared = 0, max_threads = 0;
    ck_status status = read_text(reader, &out->name, json, "name");
    if (status)
        return status;
    snprintf(reader->where, sizeof reader->where, "kernel `%.60s`", out->name);
    if ((status = read_text(reader, &out->entry, json, "entry")) ||
        (status = read_text(reader, &out->signature, json, "signature")) ||
        (status = read_bool(reader, &out->generic, json, "generic")) ||
        (status = read_bool(reader, &out->cooperative, json, "cooperative")) ||
        (status = read_int(reader, &shared, json, "shared_bytes", UINT32_MAX)) ||
        (status = read_int(reader, &max_threads, json, "max_threads", UINT32_MAX)) ||
        (status = read_clusters(reader, out, json)) || (status = read_params(reader, out, json)))
        return status;
    if (!out->name[0] || (!out->generic && !out->entry[0]))
        return malformed(reader, out->name[0] ? "entry" : "name", "a name");
    out->shared_bytes = (uint32_t)shared;
    out->max_threads = (uint32_t)max_threads;
    return check_signature(reader, out);
}

static ck_status
read_manifest(struct reader *reader, struct ck_manifest *out, struct json_object *json)
{
    ck_status status;
    snprintf(reader->where, sizeof reader->where, "the image");
    if ((status = read_text(reader, &out->ck_version, json, "ck_version")) ||
        (status = read_text(reader, &out->source, json, "source")) ||
        (status = read_text(reader, &out->arch, json, "arch")) ||
        (json_object_object_get_ex(json, "math", NULL) &&
         (status = read_text(reader, &out->math, json, "math"))))
        return status;
    struct json_object *kernels = json_object_object_get(json, "kernels");
    if (!json_object_is_type(kernels, json_type_array) ||
        json_object_array_length(kernels) > MAX_KERNELS)
        return malformed(reader, "kernels", "a list of kernels");
    out->n_kernels = json_object_array_length(kernels);
    out->kernels = CK_NEW_ARRAY(reader->arena, ck_kernel_desc, out->n_kernels);
    for (size_t i = 0; i < out->n_kernels; i++) {
        snprintf(reader->where, sizeof reader->where, "kernel %zu", i + 1);
        if ((status = read_kernel(reader, &out->kernels[i], json_object_array_get_idx(kernels, i))))
            return status;
    }
    return CK_OK;
}

/* The whole text as one JSON value. */
static ck_status
parse_json(struct json_object **out, ck_context *ctx, const char *json, size_t length)
{
    struct json_tokener *tokener = length <= INT_MAX ? json_tokener_new() : NULL;
    if (!tokener)
        return ck_fail_memory(ctx);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *root = json_tokener_parse_ex(tokener, json, (int)length);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    json_tokener_free(tokener);
    while (end < length && isspace((unsigned char)json[end]))
        end++;
    if (error == json_tokener_success && end == length) {
        *out = root;
        return CK_OK;
    }
    json_object_put(root);
    return ck_fail(ctx, CK_ERROR_FORMAT, "damaged manifest: byte %zu: %s", end,
                   error == json_tokener_success    ? "text after the end"
                   : error == json_tokener_continue ? "it is cut short"
                                                    : json_tokener_error_desc(error));
}

/* The tree is on the heap: a jump past its owner would leak it. */
static ck_status
guarded_read(struct reader *reader, struct ck_manifest *out, struct json_object *root)
{
    jmp_buf on_oom, *outer = reader->arena->on_oom;
    ck_status status;
    reader->arena->on_oom = &on_oom;
    if (setjmp(on_oom))
        status = ck_fail_memory(reader->ctx);
    else
        status = read_manifest(reader, out, root);
    reader->arena->on_oom = outer;
    return status;
}

ck_status
ck_manifest_read(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx, const char *json,
                 size_t length)
{
    struct json_object *root = NULL;
    ck_status status = parse_json(&root, ctx, json, length);
    if (status)
        return status;
    struct reader reader = {.arena = arena, .ctx = ctx};
    struct ck_manifest manifest = {0};
    status = guarded_read(&reader, &manifest, root);
    json_object_put(root);
    if (!status)
        *out = manifest;
    return status;
}

/* --- PTX ---------------------------------------------------------------------------------------
 */

struct cursor {
    const char *at;
    const char *end;
};

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Moves to after `ck_manifest[`, the name being a whole word. */
static bool
find_symbol(struct cursor *cursor)
{
    static const char symbol[] = CK_MANIFEST_SYMBOL "[";
    const size_t length = sizeof symbol - 1;
    const char *begin = cursor->at;
    for (;;) {
        const char *hit = memmem(cursor->at, (size_t)(cursor->end - cursor->at), symbol, length);
        if (!hit)
            return false;
        cursor->at = hit + length;
        if (hit == begin || !is_word(hit[-1]))
            return true;
    }
}

static void
skip_space(struct cursor *cursor)
{
    while (cursor->at < cursor->end && isspace((unsigned char)*cursor->at))
        cursor->at++;
}

static bool
accept(struct cursor *cursor, char c)
{
    skip_space(cursor);
    if (cursor->at == cursor->end || *cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

/* A decimal number up to `max`. */
static bool
accept_number(struct cursor *cursor, size_t *out, size_t max)
{
    size_t value = 0;
    skip_space(cursor);
    if (cursor->at == cursor->end || !isdigit((unsigned char)*cursor->at))
        return false;
    while (cursor->at < cursor->end && isdigit((unsigned char)*cursor->at)) {
        size_t digit = (size_t)(*cursor->at++ - '0');
        if (value > (max - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return value <= max;
}

/* `{67, 75, ...}` into `bytes`. Fewer than `count` are right: LLVM drops zeros at the end. */
static bool
read_bytes(struct cursor *cursor, unsigned char *bytes, size_t count)
{
    if (!accept(cursor, '=') || !accept(cursor, '{'))
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t byte;
        if (!accept_number(cursor, &byte, 255))
            return false;
        bytes[i] = (unsigned char)byte;
        if (accept(cursor, '}'))
            return true;
        if (!accept(cursor, ','))
            return false;
    }
    return false;
}

static ck_status
read_array(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx, struct cursor *cursor,
           unsigned char *bytes, size_t count)
{
    const size_t magic = sizeof CK_MANIFEST_MAGIC - 1;
    if (!read_bytes(cursor, bytes, count))
        return ck_fail(ctx, CK_ERROR_FORMAT,
                       "damaged manifest: the byte array `" CK_MANIFEST_SYMBOL
                       "` is cut short or not a list of bytes");
    if (count < magic || memcmp(bytes, CK_MANIFEST_MAGIC, magic) != 0)
        return ck_fail(ctx, CK_ERROR_FORMAT,
                       "damaged manifest: `" CK_MANIFEST_SYMBOL "` does not begin with "
                       "\"" CK_MANIFEST_MAGIC "\" (made by another version of ck?)");
    while (count > magic && !bytes[count - 1])
        count--;
    return ck_manifest_read(out, arena, ctx, (const char *)bytes + magic, count - magic);
}

ck_status
ck_manifest_read_ptx(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx,
                     const char *ptx, size_t length)
{
    struct cursor cursor = {ptx, ptx + length};
    size_t count;
    if (!length || !find_symbol(&cursor))
        return ck_fail(ctx, CK_ERROR_FORMAT,
                       "not an image of ck: there is no manifest (`" CK_MANIFEST_SYMBOL "`) in it");
    /* No byte but a dropped zero takes less than a character, so a count beyond the text is
     * damage; checking it first bounds the allocation. */
    if (!accept_number(&cursor, &count, length) || !accept(&cursor, ']'))
        return ck_fail(ctx, CK_ERROR_FORMAT,
                       "damaged manifest: the length of `" CK_MANIFEST_SYMBOL "` is wrong");
    unsigned char *bytes = calloc(count + 1, 1);
    if (!bytes)
        return ck_fail_memory(ctx);
    ck_status status = read_array(out, arena, ctx, &cursor, bytes, count);
    free(bytes);
    return status;
}
