/* Manifests: their text, written and read. */
#include "runtime/image/manifest.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "runtime/context/context.h"
#include "runtime/data/record.h"

enum { MAX_PARAMS = 1 << 12, MAX_ALIGNMENT = 1 << 12 };

/* The beginnings of lines, and the words after a kernel's or a parameter's name: one spelling for
 * the writer and the reader. */
#define FIRST_LINE "ck manifest 2\n"
#define LAST_LINE  "end\n"
#define INDENT     "  "

/* --- Signatures --------------------------------------------------------------------------------
 */

static void
write_single(struct ck_strbuf *out, const ck_param_info *param)
{
    if (param->dtype == CK_RECORD)
        ck_record_write(out, param->record);
    else
        ck_strbuf_puts(out, param->type_name ? param->type_name : ck_dtype_name(param->dtype));
    if (param->lanes)
        ck_strbuf_printf(out, "x%d", param->lanes);
    if (!param->ndim)
        return;
    if (param->ndim == CK_ZERO_DIM) {
        ck_strbuf_puts(out, "[()]");
        return;
    }
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
    ck_strbuf_puts(out, param->type_name ? param->type_name : "");
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

uint64_t
ck_global_bytes(const ck_global_desc *desc)
{
    uint64_t bytes = desc->record ? desc->record->size : ck_dtype_size(desc->dtype);
    for (int i = 0; i < desc->ndim; i++) {
        if (__builtin_mul_overflow(bytes, (uint64_t)desc->shape[i], &bytes))
            return UINT64_MAX;
    }
    return bytes;
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
 * Everything is printable ASCII, as PTX is. */

static bool
is_plain(char c, bool space)
{
    return c > ' ' ? c < 0x7F && c != '\\' : c == ' ' && space;
}

/* Names of files and kernels may have any bytes: bytes other than printable ASCII are written
 * `\xHH`. */
static void
write_text(struct ck_strbuf *out, const char *text, bool space)
{
    for (; *text; text++) {
        if (is_plain(*text, space))
            ck_strbuf_putc(out, *text);
        else
            ck_strbuf_printf(out, "\\x%02x", (unsigned char)*text);
    }
}

static void
write_line(struct ck_strbuf *out, const char *key, const char *text)
{
    ck_strbuf_puts(out, key);
    write_text(out, text, true);
    ck_strbuf_putc(out, '\n');
}

static void
write_type(struct ck_strbuf *out, const ck_param_info *param)
{
    ck_param_info plain = *param;
    plain.type_name = NULL;
    if (param->dtype == CK_TUPLE)
        ck_strbuf_printf(out, "%s %d", ck_dtype_name(CK_TUPLE), param->n_items);
    else
        write_single(out, &plain);
    if (param->type_name) {
        ck_strbuf_putc(out, ' ');
        write_text(out, param->type_name, false);
    }
}

static void
write_param(struct ck_strbuf *out, const ck_param_info *param, int generic)
{
    ck_strbuf_puts(out, INDENT);
    write_text(out, param->name, false);
    if (generic) {
        ck_strbuf_putc(out, '\n');
        return;
    }
    ck_strbuf_putc(out, ' ');
    write_type(out, param);
    if (param->read_only)
        ck_strbuf_puts(out, " read_only");
    else if (param->never_written)
        ck_strbuf_puts(out, " never_written");
    if (param->disjoint)
        ck_strbuf_puts(out, " disjoint");
    if (param->alignment)
        ck_strbuf_printf(out, " alignment %d", param->alignment);
    ck_strbuf_putc(out, '\n');
}

static void
write_kernel(struct ck_strbuf *out, const ck_kernel_desc *kernel)
{
    const uint32_t *cluster = kernel->cluster;
    ck_strbuf_puts(out, "kernel ");
    write_text(out, kernel->name, false);
    if (kernel->generic) {
        ck_strbuf_puts(out, " generic");
    } else {
        ck_strbuf_puts(out, " entry ");
        write_text(out, kernel->entry, false);
    }
    if (kernel->cooperative)
        ck_strbuf_puts(out, " cooperative");
    if (kernel->small)
        ck_strbuf_puts(out, " small");
    if (kernel->natural)
        ck_strbuf_puts(out, " natural");
    if (kernel->shared_bytes)
        ck_strbuf_printf(out, " shared_bytes %u", kernel->shared_bytes);
    if (kernel->max_threads)
        ck_strbuf_printf(out, " max_threads %u", kernel->max_threads);
    if (kernel->clusters)
        ck_strbuf_puts(out, " clusters");
    if (cluster[0])
        ck_strbuf_printf(out, " cluster %u %u %u", cluster[0], cluster[1], cluster[2]);
    if (kernel->stack_bytes)
        ck_strbuf_printf(out, " stack_bytes %u", kernel->stack_bytes);
    ck_strbuf_putc(out, '\n');
    for (int i = 0; i < kernel->n_params; i++)
        write_param(out, &kernel->params[i], kernel->generic);
}

static void
write_global(struct ck_strbuf *out, const struct ck_image_global *global)
{
    const ck_global_desc *desc = &global->desc;
    const ck_param_info type = {
        .dtype = desc->dtype, .record = desc->record, .ndim = desc->ndim, .layout = CK_C_ORDER};
    ck_strbuf_puts(out, "global ");
    write_text(out, desc->name, false);
    ck_strbuf_puts(out, " symbol ");
    write_text(out, global->symbol, false);
    if (desc->constant)
        ck_strbuf_puts(out, " constant");
    if (global->by_address)
        ck_strbuf_puts(out, " by_address");
    if (desc->initialized)
        ck_strbuf_puts(out, " initialized");
    ck_strbuf_putc(out, ' ');
    write_single(out, &type);
    ck_strbuf_puts(out, " shape");
    for (int i = 0; i < desc->ndim; i++)
        ck_strbuf_printf(out, " %lld", (long long)desc->shape[i]);
    ck_strbuf_putc(out, '\n');
}

static void
write_access(struct ck_strbuf *out, const struct ck_access_site *site)
{
    ck_strbuf_printf(out, "access %u %u %u %u %u %u", site->begin, site->end, site->line,
                     site->caller, site->item, site->ndim);
    if (site->in_loop)
        ck_strbuf_puts(out, " in_loop");
    if (site->wraps)
        ck_strbuf_puts(out, " wraps");
    ck_strbuf_puts(out, " array ");
    write_text(out, site->array, false);
    if (*site->index) {
        ck_strbuf_puts(out, " index ");
        write_text(out, site->index, false);
    }
    ck_strbuf_putc(out, '\n');
}

void
ck_manifest_write(struct ck_strbuf *out, const struct ck_manifest *manifest)
{
    ck_strbuf_puts(out, FIRST_LINE);
    write_line(out, "version ", manifest->ck_version);
    write_line(out, "source ", manifest->source);
    write_line(out, "arch ", manifest->arch);
    if (manifest->math)
        write_line(out, "math ", manifest->math);
    for (size_t i = 0; i < manifest->n_kernels; i++)
        write_kernel(out, &manifest->kernels[i]);
    for (size_t i = 0; i < manifest->n_globals; i++)
        write_global(out, &manifest->globals[i]);
    for (size_t i = 0; i < manifest->n_accesses; i++)
        write_access(out, &manifest->accesses[i]);
    ck_strbuf_puts(out, LAST_LINE);
}

/* --- Reading -----------------------------------------------------------------------------------
 * By lines, and in a line by words, in the order in which they are written. */

struct reader {
    struct ck_arena *arena;
    ck_context *ctx;
    const char *at;   /* in the line */
    const char *line; /* its first byte */
    const char *end;  /* of the text, after a line's end */
    size_t number;    /* of the line, from 1 */
};

static ck_status
malformed(const struct reader *reader, const char *want)
{
    return ck_fail(reader->ctx, CK_ERROR_FORMAT, "damaged manifest: line %zu, column %zu: %s",
                   reader->number, (size_t)(reader->at - reader->line) + 1, want);
}

/* Consumes `text` if it comes next; returns whether it did. */
static bool
accept(struct reader *reader, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, text, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* The word `word`, after a space. */
static bool
accept_word(struct reader *reader, const char *word)
{
    const char *begin = reader->at;
    if (accept(reader, " ") && accept(reader, word) && (*reader->at == ' ' || *reader->at == '\n'))
        return true;
    reader->at = begin;
    return false;
}

static ck_status
next_line(struct reader *reader)
{
    if (!accept(reader, "\n"))
        return malformed(reader, "the line should end here");
    reader->line = reader->at;
    reader->number++;
    return CK_OK;
}

/* As write_text writes it, at least one byte. */
static ck_status
read_text(struct reader *reader, const char **out, bool space)
{
    const char *begin = reader->at;
    char *text = ck_arena_alloc(reader->arena, strcspn(begin, "\n") + 1), *to = text;
    while (is_plain(*reader->at, space) || *reader->at == '\\') {
        if (*reader->at != '\\') {
            *to++ = *reader->at++;
            continue;
        }
        int high = reader->at[1] == 'x' ? ck_hex_digit(reader->at[2]) : -1;
        int low = high < 0 ? -1 : ck_hex_digit(reader->at[3]);
        char byte = (char)(16 * high + low);
        if (low < 0 || !byte || is_plain(byte, space))
            return malformed(reader, "invalid escape");
        *to++ = byte;
        reader->at += 4;
    }
    *out = text;
    return reader->at > begin ? CK_OK : malformed(reader, "a name is missing");
}

/* A space and a decimal number without leading zeros. */
static ck_status
read_number(struct reader *reader, uint32_t *out, uint32_t min, uint32_t max)
{
    uint64_t value = 0;
    if (accept(reader, " ") && *reader->at >= '0' && *reader->at <= '9') {
        const char *begin = reader->at;
        while (*reader->at >= '0' && *reader->at <= '9' && value <= UINT32_MAX)
            value = 10 * value + (uint64_t)(*reader->at++ - '0');
        *out = (uint32_t)value;
        if (value >= min && value <= max && (*begin != '0' || reader->at == begin + 1))
            return CK_OK;
        reader->at = begin;
    }
    return malformed(reader, "a number in range is missing");
}

/* `key` and the rest of the line. */
static ck_status
read_line(struct reader *reader, const char *key, const char **out)
{
    if (!accept(reader, key))
        return malformed(reader, "another line should be here");
    ck_status status = read_text(reader, out, true);
    return status ? status : next_line(reader);
}

/* A vector's numbers, as in `float32x4[:]`, or 0. */
static int
read_lanes(struct reader *reader)
{
    const char *at = reader->at;
    if (at[0] != 'x' || at[1] < '1' || at[1] > '0' + CK_MAX_VECTOR || at[2] != '[')
        return 0;
    reader->at += 2;
    return at[1] - '0';
}

static ck_status
read_dtype(struct reader *reader, ck_param_info *out)
{
    for (int dtype = CK_BOOL; dtype <= CK_TIMEDELTA64; dtype++) {
        const char *begin = reader->at;
        if (dtype != CK_RECORD && accept(reader, ck_dtype_name((ck_dtype)dtype))) {
            out->dtype = (ck_dtype)dtype;
            out->lanes = read_lanes(reader);
            if (strchr(" [\n", *reader->at) && (!out->lanes || ck_makes_vectors(out->dtype)))
                return CK_OK;
            reader->at = begin;
        }
    }
    return malformed(reader, "unknown type");
}

/* The dimensions of an array, after its `[`. */
static ck_status
read_dims(struct reader *reader, ck_param_info *out)
{
    int adjacent = -1;
    if (accept(reader, "()]")) {
        out->ndim = CK_ZERO_DIM;
        out->layout = CK_C_ORDER;
        return CK_OK;
    }
    do {
        if (out->ndim == CK_MAX_DIMS || !accept(reader, ":"))
            return malformed(reader, "invalid array dimensions");
        if (accept(reader, ":1")) {
            if (adjacent >= 0)
                return malformed(reader, "a second dimension with adjacent elements");
            adjacent = out->ndim;
        }
        out->ndim++;
    } while (accept(reader, ", "));
    if (!accept(reader, "]") || (adjacent > 0 && adjacent < out->ndim - 1))
        return malformed(reader, "invalid array dimensions");
    out->layout = adjacent < 0 ? CK_STRIDED : adjacent == out->ndim - 1 ? CK_C_ORDER : CK_FORTRAN;
    return CK_OK;
}

/* What an image assumes of an array. */
static ck_status
read_assumptions(struct reader *reader, ck_param_info *out)
{
    uint32_t alignment = 0;
    out->read_only = accept_word(reader, "read_only");
    out->never_written = out->read_only || accept_word(reader, "never_written");
    out->disjoint = accept_word(reader, "disjoint");
    ck_status status = CK_OK;
    if (accept_word(reader, "alignment"))
        status = read_number(reader, &alignment, 1, MAX_ALIGNMENT);
    if (!status && (alignment & (alignment - 1)))
        return malformed(reader, "an alignment is a power of two");
    out->alignment = (int)alignment;
    return status;
}

/* A record type, as the writer spells it. */
static ck_status
read_record(struct reader *reader, const ck_record **out)
{
    struct ck_strbuf text;
    const char *begin = reader->at;
    *out = ck_record_read(reader->arena, &reader->at);
    if (!*out || *reader->at != '[')
        return malformed(reader, "invalid record type");
    ck_strbuf_init(&text);
    ck_record_write(&text, *out);
    const bool failed = text.failed;
    const bool same = !failed && text.length == (size_t)(reader->at - begin) &&
                      memcmp(begin, text.text, text.length) == 0;
    ck_strbuf_free(&text);
    return failed ? ck_fail_memory(reader->ctx)
           : same ? CK_OK
                  : malformed(reader, "invalid record type");
}

static ck_status
read_type(struct reader *reader, ck_param_info *out)
{
    uint32_t n_items = 0;
    if (!accept(reader, " "))
        return malformed(reader, "a type is missing");
    ck_status status = CK_OK;
    if (*reader->at == '{') {
        out->dtype = CK_RECORD;
        status = read_record(reader, &out->record);
    } else {
        status = read_dtype(reader, out);
    }
    if (!status && out->dtype == CK_TUPLE) {
        status = read_number(reader, &n_items, 0, MAX_PARAMS);
        out->n_items = (int)n_items;
    }
    if (!status && (out->record || ck_dtype_size(out->dtype)) && accept(reader, "[")) {
        status = read_dims(reader, out);
        return status ? status : read_assumptions(reader, out);
    }
    if (!status && (out->dtype == CK_TUPLE || out->dtype == CK_UINT64) && accept(reader, " "))
        status = read_text(reader, &out->type_name, false);
    return status;
}

static ck_status
read_param(struct reader *reader, ck_param_info *out, int generic)
{
    reader->at += strlen(INDENT);
    ck_status status = read_text(reader, &out->name, false);
    if (!status && !generic)
        status = read_type(reader, out);
    return status ? status : next_line(reader);
}

/* How many consecutive lines from here on begin with `text`. */
static size_t
count_lines(const struct reader *reader, const char *text)
{
    size_t n = 0;
    struct reader at = *reader;
    for (; accept(&at, text); n++)
        at.at = strchr(at.at, '\n') + 1;
    return n;
}

static ck_status
read_params(struct reader *reader, ck_kernel_desc *out)
{
    size_t n = count_lines(reader, INDENT);
    if (n > MAX_PARAMS)
        return malformed(reader, "more parameters than a kernel can have");
    ck_param_info *params = CK_NEW_ARRAY(reader->arena, ck_param_info, n);
    struct ck_entries at = {0};
    for (size_t i = 0; i < n; i++) {
        ck_status status = read_param(reader, &params[i], out->generic);
        if (status)
            return status;
        if (!ck_entries_next(&at, (size_t)params[i].n_items))
            return malformed(reader, "tuples are too deep in each other");
    }
    out->params = params;
    out->n_params = (int)n;
    return at.depth ? malformed(reader, "an item of a tuple is missing") : CK_OK;
}

static const char *
signature(const struct reader *reader, const ck_kernel_desc *kernel)
{
    struct ck_strbuf text;
    if (kernel->generic)
        return "";
    ck_strbuf_init(&text);
    ck_signature_write(&text, kernel->params, kernel->n_params);
    return ck_arena_take(reader->arena, ck_strbuf_take(&text));
}

static ck_status
read_cluster(struct reader *reader, uint32_t cluster[3])
{
    uint32_t blocks = 1;
    for (int i = 0; i < 3; i++) {
        ck_status status = read_number(reader, &cluster[i], 1, CK_MAX_CLUSTER / blocks);
        if (status)
            return status;
        blocks *= cluster[i];
    }
    return CK_OK;
}

/* The rest of the kernel's own line. */
static ck_status
read_properties(struct reader *reader, ck_kernel_desc *out)
{
    ck_status status = CK_OK;
    out->cooperative = accept_word(reader, "cooperative");
    out->small = accept_word(reader, "small");
    out->natural = accept_word(reader, "natural");
    if (accept_word(reader, "shared_bytes"))
        status = read_number(reader, &out->shared_bytes, 1, UINT32_MAX);
    if (!status && accept_word(reader, "max_threads"))
        status = read_number(reader, &out->max_threads, 1, UINT32_MAX);
    if (status)
        return status;
    out->clusters = accept_word(reader, "clusters");
    if (accept_word(reader, "cluster"))
        status = read_cluster(reader, out->cluster);
    if (!status && accept_word(reader, "stack_bytes"))
        status = read_number(reader, &out->stack_bytes, 1, UINT32_MAX);
    return status ? status : next_line(reader);
}

static ck_status
read_kernel(struct reader *reader, ck_kernel_desc *out)
{
    ck_status status = read_text(reader, &out->name, false);
    if (status)
        return status;
    out->generic = accept_word(reader, "generic");
    out->entry = "";
    if (!out->generic) {
        if (!accept_word(reader, "entry") || !accept(reader, " "))
            return malformed(reader, "the kernel's entry is missing");
        if ((status = read_text(reader, &out->entry, false)))
            return status;
    }
    if ((status = read_properties(reader, out)) || (status = read_params(reader, out)))
        return status;
    out->signature = signature(reader, out);
    return CK_OK;
}

static ck_status
read_global(struct reader *reader, struct ck_image_global *out)
{
    ck_global_desc *desc = &out->desc;
    ck_param_info type = {0};
    ck_status status = read_text(reader, &desc->name, false);
    if (status)
        return status;
    if (!accept_word(reader, "symbol") || !accept(reader, " "))
        return malformed(reader, "the array's symbol is missing");
    if ((status = read_text(reader, &out->symbol, false)))
        return status;
    desc->constant = accept_word(reader, "constant");
    out->by_address = accept_word(reader, "by_address");
    desc->initialized = accept_word(reader, "initialized");
    if ((status = read_type(reader, &type)))
        return status;
    if (type.ndim < 1 || type.layout != CK_C_ORDER || type.lanes || !accept_word(reader, "shape"))
        return malformed(reader, "the array's type or shape is missing");
    desc->dtype = type.dtype;
    desc->record = type.record;
    desc->ndim = type.ndim;
    for (int i = 0; i < desc->ndim; i++) {
        uint32_t extent = 0;
        if ((status = read_number(reader, &extent, 1, CK_MAX_MODULE_ARRAY)))
            return status;
        desc->shape[i] = extent;
    }
    return ck_global_bytes(desc) <= CK_MAX_MODULE_ARRAY
               ? next_line(reader)
               : malformed(reader, "the array is larger than memory for it");
}

static ck_status
read_access(struct reader *reader, struct ck_access_site *out, size_t n_before)
{
    ck_status status;
    const uint32_t calls = n_before < UINT32_MAX ? (uint32_t)n_before : UINT32_MAX;
    if ((status = read_number(reader, &out->begin, 0, UINT32_MAX)) ||
        (status = read_number(reader, &out->end, out->begin, UINT32_MAX)) ||
        (status = read_number(reader, &out->line, 1, UINT32_MAX)) ||
        (status = read_number(reader, &out->caller, 0, calls)) ||
        (status = read_number(reader, &out->item, 0, UINT32_MAX)) ||
        (status = read_number(reader, &out->ndim, 0, CK_MAX_DIMS)))
        return status;
    out->in_loop = accept_word(reader, "in_loop");
    out->wraps = accept_word(reader, "wraps");
    if (!accept_word(reader, "array") || !accept(reader, " "))
        return malformed(reader, "the access's array is missing");
    if ((status = read_text(reader, &out->array, false)))
        return status;
    out->index = "";
    if (accept_word(reader, "index") && accept(reader, " ") &&
        (status = read_text(reader, &out->index, false)))
        return status;
    return next_line(reader);
}

static ck_status
read_manifest(struct reader *reader, struct ck_manifest *out)
{
    ck_status status;
    size_t capacity = 0;
    if ((status = read_line(reader, "version ", &out->ck_version)) ||
        (status = read_line(reader, "source ", &out->source)) ||
        (status = read_line(reader, "arch ", &out->arch)))
        return status;
    if (*reader->at == 'm' && (status = read_line(reader, "math ", &out->math)))
        return status;
    while (accept(reader, "kernel ")) {
        ck_kernel_desc kernel = {0};
        if ((status = read_kernel(reader, &kernel)))
            return status;
        CK_PUSH(reader->arena, out->kernels, out->n_kernels, capacity, kernel);
    }
    capacity = 0;
    while (accept(reader, "global ")) {
        struct ck_image_global global = {0};
        if ((status = read_global(reader, &global)))
            return status;
        CK_PUSH(reader->arena, out->globals, out->n_globals, capacity, global);
    }
    capacity = 0;
    while (accept(reader, "access")) {
        struct ck_access_site site = {0};
        if ((status = read_access(reader, &site, out->n_accesses)))
            return status;
        CK_PUSH(reader->arena, out->accesses, out->n_accesses, capacity, site);
    }
    if (!accept(reader, LAST_LINE) || reader->at != reader->end)
        return malformed(reader, "another line should be here");
    return CK_OK;
}

ck_status
ck_manifest_read(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx, const char *text,
                 size_t length)
{
    struct ck_manifest manifest = {0};
    /* The copy is zero-terminated, so the reader may look one byte ahead. */
    const char *copy = ck_arena_strndup(arena, text, length);
    struct reader reader = {arena, ctx, copy, copy, copy + length, 1};
    if (!accept(&reader, FIRST_LINE))
        return malformed(&reader, "it does not begin with \"ck manifest 2\"");
    reader.line = reader.at;
    reader.number++;
    if (reader.end[-1] != '\n' || memchr(copy, '\0', length))
        return ck_fail(ctx, CK_ERROR_FORMAT, "damaged manifest: it is cut short or not text");
    ck_status status = read_manifest(&reader, &manifest);
    if (!status)
        *out = manifest;
    return status;
}
