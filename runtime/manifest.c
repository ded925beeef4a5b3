/* Manifests: writing and reading their JSON, and finding one in PTX text. */
#include "runtime/manifest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "runtime/context.h"

enum { MAX_KERNELS = 1 << 16, MAX_PARAMS = 1 << 12 };

static const char *const layout_names[] = {
    [CK_STRIDED] = "any", [CK_C_ORDER] = "C", [CK_FORTRAN] = "F"};
enum { N_LAYOUTS = sizeof layout_names / sizeof layout_names[0] };

/* --- Signatures --------------------------------------------------------------------------------
 */

void
ck_type_write_param(struct ck_strbuf *out, const ck_param_info *param)
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

void
ck_signature_write(struct ck_strbuf *out, const ck_param_info *params, int n_params)
{
    ck_strbuf_putc(out, '(');
    for (int i = 0; i < n_params; i++) {
        if (i)
            ck_strbuf_puts(out, ", ");
        ck_type_write_param(out, &params[i]);
    }
    ck_strbuf_putc(out, ')');
}

/* --- Writing -----------------------------------------------------------------------------------
 */

/* JSON text is UTF-8; a file name need not be. NULL when out of memory. */
static json_t *
text_to_json(const char *text)
{
    json_t *json = json_string(text ? text : "");
    if (json)
        return json;
    char *copy = strdup(text);
    if (!copy)
        return NULL;
    for (char *p = copy; *p; p++) {
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    }
    json = json_string(copy);
    free(copy);
    return json;
}

static json_t *
param_to_json(const ck_param_info *param, int generic)
{
    if (generic)
        return json_pack("{s:o}", "name", text_to_json(param->name));
    json_t *json = json_pack("{s:o, s:s, s:i}", "name", text_to_json(param->name), "dtype",
                             ck_dtype_name(param->dtype), "ndim", param->ndim);
    if (json && param->ndim &&
        json_object_set_new(json, "layout", json_string(layout_names[param->layout])) < 0) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *
params_to_json(const ck_kernel_desc *kernel)
{
    json_t *params = json_array();
    for (int i = 0; i < kernel->n_params; i++) {
        /* json_array_append_new frees what it cannot append. */
        if (json_array_append_new(params, param_to_json(&kernel->params[i], kernel->generic)) < 0) {
            json_decref(params);
            return NULL;
        }
    }
    return params;
}

static json_t *
kernel_to_json(const ck_kernel_desc *kernel)
{
    return json_pack("{s:o, s:o, s:o, s:b, s:b, s:I, s:I, s:o}", "name", text_to_json(kernel->name),
                     "entry", text_to_json(kernel->entry), "signature",
                     text_to_json(kernel->signature), "generic", kernel->generic, "cooperative",
                     kernel->cooperative, "shared_bytes", (json_int_t)kernel->shared_bytes,
                     "max_threads", (json_int_t)kernel->max_threads, "params",
                     params_to_json(kernel));
}

static json_t *
manifest_to_json(const struct ck_manifest *manifest)
{
    json_t *kernels = json_array();
    for (size_t i = 0; i < manifest->n_kernels; i++) {
        if (json_array_append_new(kernels, kernel_to_json(&manifest->kernels[i])) < 0) {
            json_decref(kernels);
            return NULL;
        }
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "ck_version", text_to_json(manifest->ck_version),
                     "source", text_to_json(manifest->source), "arch", text_to_json(manifest->arch),
                     "kernels", kernels);
}

static int
append_bytes(const char *bytes, size_t length, void *out)
{
    ck_strbuf_add(out, bytes, length);
    return 0;
}

void
ck_manifest_write(struct ck_strbuf *out, const struct ck_manifest *manifest)
{
    json_t *json = manifest_to_json(manifest);
    if (!json || json_dump_callback(json, append_bytes, out, JSON_INDENT(2)) < 0)
        out->failed = true;
    ck_strbuf_putc(out, '\n');
    json_decref(json);
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
read_text(const struct reader *reader, const char **out, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value))
        return malformed(reader, key, "a string");
    *out = ck_arena_strdup(reader->arena, json_string_value(value));
    return CK_OK;
}

static ck_status
read_int(const struct reader *reader, json_int_t *out, const json_t *object, const char *key,
         json_int_t max)
{
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || number > max)
        return malformed(reader, key, "a number in range");
    *out = number;
    return CK_OK;
}

static ck_status
read_bool(const struct reader *reader, int *out, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_boolean(value))
        return malformed(reader, key, "true or false");
    *out = json_is_true(value);
    return CK_OK;
}

static ck_status
read_layout(const struct reader *reader, ck_layout_kind *out, const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "layout"));
    for (int i = 0; name && i < N_LAYOUTS; i++) {
        if (!strcmp(name, layout_names[i])) {
            *out = (ck_layout_kind)i;
            return CK_OK;
        }
    }
    return malformed(reader, "layout", "\"C\", \"F\" or \"any\"");
}

static ck_status
read_param(const struct reader *reader, ck_param_info *out, const json_t *json, int generic)
{
    json_int_t ndim = 0;
    ck_status status = read_text(reader, &out->name, json, "name");
    if (status || generic)
        return status;
    const char *dtype = json_string_value(json_object_get(json, "dtype"));
    out->dtype = dtype ? ck_dtype_by_name(dtype) : CK_DTYPE_NONE;
    if (!out->dtype)
        return malformed(reader, "dtype", "a type's name");
    status = read_int(reader, &ndim, json, "ndim", CK_MAX_DIMS);
    out->ndim = (int)ndim;
    if (!status && ndim)
        status = read_layout(reader, &out->layout, json);
    return status;
}

static ck_status
read_params(const struct reader *reader, ck_kernel_desc *out, const json_t *json)
{
    const json_t *array = json_object_get(json, "params");
    if (!json_is_array(array) || json_array_size(array) > MAX_PARAMS)
        return malformed(reader, "params", "a list of parameters");
    out->n_params = (int)json_array_size(array);
    ck_param_info *params = CK_NEW_ARRAY(reader->arena, ck_param_info, out->n_params);
    out->params = params;
    for (int i = 0; i < out->n_params; i++) {
        ck_status status =
            read_param(reader, &params[i], json_array_get(array, (size_t)i), out->generic);
        if (status)
            return status;
    }
    return CK_OK;
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

static ck_status
read_kernel(struct reader *reader, ck_kernel_desc *out, const json_t *json)
{
    json_int_t shared = 0, max_threads = 0;
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
        (status = read_params(reader, out, json)))
        return status;
    if (!out->name[0] || (!out->generic && !out->entry[0]))
        return malformed(reader, out->name[0] ? "entry" : "name", "a name");
    out->shared_bytes = (uint32_t)shared;
    out->max_threads = (uint32_t)max_threads;
    return check_signature(reader, out);
}

static ck_status
read_manifest(struct reader *reader, struct ck_manifest *out, const json_t *json)
{
    ck_status status;
    snprintf(reader->where, sizeof reader->where, "the image");
    if ((status = read_text(reader, &out->ck_version, json, "ck_version")) ||
        (status = read_text(reader, &out->source, json, "source")) ||
        (status = read_text(reader, &out->arch, json, "arch")))
        return status;
    const json_t *kernels = json_object_get(json, "kernels");
    if (!json_is_array(kernels) || json_array_size(kernels) > MAX_KERNELS)
        return malformed(reader, "kernels", "a list of kernels");
    out->n_kernels = json_array_size(kernels);
    out->kernels = CK_NEW_ARRAY(reader->arena, ck_kernel_desc, out->n_kernels);
    for (size_t i = 0; i < out->n_kernels; i++) {
        snprintf(reader->where, sizeof reader->where, "kernel %zu", i + 1);
        if ((status = read_kernel(reader, &out->kernels[i], json_array_get(kernels, i))))
            return status;
    }
    return CK_OK;
}

ck_status
ck_manifest_read(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx, const char *json,
                 size_t length)
{
    json_error_t error;
    json_t *root = json_loadb(json, length, JSON_REJECT_DUPLICATES, &error);
    if (!root && json_error_code(&error) == json_error_out_of_memory)
        return ck_fail_memory(ctx);
    if (!root)
        return ck_fail(ctx, CK_ERROR_FORMAT, "damaged manifest: line %d: %s", error.line,
                       error.text);

    struct reader reader = {.arena = arena, .ctx = ctx};
    struct ck_manifest manifest = {0};
    jmp_buf on_oom, *outer = arena->on_oom;
    ck_status status;
    /* The tree is on the heap: a jump past this function would leak it. */
    arena->on_oom = &on_oom;
    if (setjmp(on_oom))
        status = ck_fail_memory(ctx);
    else
        status = read_manifest(&reader, &manifest, root);
    arena->on_oom = outer;
    json_decref(root);
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
