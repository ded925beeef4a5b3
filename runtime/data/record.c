/* Record types: equality, their text, written and read, and what they need in memory. */
#include "runtime/data/record.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/member_align.h"

enum { MAX_FIELDS = 256, MAX_BYTES = 1 << 20, MAX_ITEMS = 1024 };

/* --- Sizes -------------------------------------------------------------------------------------
 */

size_t
ck_item_size(ck_dtype dtype, const ck_record *record)
{
    return dtype == CK_RECORD ? (record ? record->size : 0) : ck_dtype_size(dtype);
}

/* A vector of 3 numbers is aligned as one of them. */
size_t
ck_vector_align(ck_dtype dtype, int lanes)
{
    const size_t each = ck_dtype_size(dtype), size = each * (size_t)lanes;
    return lanes == 3 ? each : size < CK_ARRAY_ALIGN ? size : CK_ARRAY_ALIGN;
}

bool
ck_makes_vectors(ck_dtype dtype)
{
    return dtype >= CK_INT8 && dtype <= CK_FLOAT64;
}

/* Of a number as the language needs it, up to what one access needs. */
size_t
ck_item_align(ck_dtype dtype, const ck_record *record)
{
    if (dtype != CK_RECORD)
        return ck_dtype_size(dtype);
    int most = 1;
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        const int own = (int)(field->lanes ? ck_vector_align(field->dtype, field->lanes)
                                           : ck_item_align(field->dtype, field->record));
        const int align = ck_member_align(own, (int)field->offset, (int)record->size);
        most = align > most ? align : most;
    }
    return (size_t)most;
}

/* Bytes of all elements of a field; 0: too many. */
static size_t
field_bytes(const ck_field *field)
{
    size_t bytes = ck_item_size(field->dtype, field->record);
    for (int i = 0; i < field->ndim; i++) {
        if (field->shape[i] < 1 || field->shape[i] > MAX_BYTES)
            return 0;
        bytes *= (size_t)field->shape[i];
        if (bytes > MAX_BYTES)
            return 0;
    }
    return bytes;
}

static bool
is_name(const char *name)
{
    if (!name || !(isalpha((unsigned char)*name) || *name == '_'))
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return !*name;
}

/* Whether the numbers of the last dimension can be vectors. */
static bool
has_vectors(const ck_field *field)
{
    return field->ndim && field->shape[field->ndim - 1] == field->lanes && field->lanes > 0 &&
           field->lanes <= CK_MAX_VECTOR && ck_makes_vectors(field->dtype);
}

/* What the tuple that is a record's value has: items at all depths, and the depth. */
struct extent {
    size_t items;
    int depth;
};

static bool measure(const ck_record *record, struct extent *out, int level);

static bool
measure_field(const ck_record *record, const ck_field *field, struct extent *out, int level)
{
    *out = (struct extent){0};
    if (!is_name(field->name) || field->ndim < 0 || field->ndim > CK_MAX_DIMS ||
        (field->lanes && !has_vectors(field)))
        return false;
    if (field->dtype == CK_RECORD && !measure(field->record, out, level + 1))
        return false;
    const size_t bytes = field_bytes(field);
    if (!bytes || field->offset > MAX_BYTES || field->offset + bytes > record->size)
        return false;
    for (int dim = field->ndim - 1; dim >= 0 && out->items <= MAX_ITEMS; dim--)
        out->items = (size_t)field->shape[dim] * (1 + out->items);
    out->depth += field->ndim;
    return true;
}

static bool
measure(const ck_record *record, struct extent *out, int level)
{
    *out = (struct extent){.items = 0, .depth = 0};
    if (!record || level > CK_MAX_TUPLES || record->size > MAX_BYTES || record->n_fields < 1 ||
        record->n_fields > MAX_FIELDS || !record->fields)
        return false;
    for (int i = 0; i < record->n_fields; i++) {
        struct extent field;
        if (!measure_field(record, &record->fields[i], &field, level))
            return false;
        out->items += 1 + field.items;
        out->depth = field.depth > out->depth ? field.depth : out->depth;
    }
    out->depth++;
    return out->items <= MAX_ITEMS && out->depth <= CK_MAX_TUPLES;
}

bool
ck_record_is_sound(const ck_record *record)
{
    struct extent extent;
    return measure(record, &extent, 1);
}

/* --- Equality ----------------------------------------------------------------------------------
 */

static bool is_equal(const ck_record *a, const ck_record *b, bool by_vectors);

/* `by_vectors`: a vector is no array of numbers. */
static bool
same_field(const ck_field *a, const ck_field *b, bool by_vectors)
{
    if (strcmp(a->name, b->name) != 0 || a->dtype != b->dtype || a->offset != b->offset ||
        a->ndim != b->ndim || (by_vectors && a->lanes != b->lanes))
        return false;
    if (a->dtype == CK_RECORD && !is_equal(a->record, b->record, by_vectors))
        return false;
    return memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->ndim) == 0;
}

static bool
is_equal(const ck_record *a, const ck_record *b, bool by_vectors)
{
    if (a == b || !a || !b)
        return a == b;
    bool same = a->size == b->size && a->n_fields == b->n_fields;
    for (int i = 0; same && i < a->n_fields; i++)
        same = same_field(&a->fields[i], &b->fields[i], by_vectors);
    return same;
}

int
ck_record_equal(const ck_record *a, const ck_record *b)
{
    return is_equal(a, b, false);
}

bool
ck_record_is_same(const ck_record *a, const ck_record *b)
{
    return is_equal(a, b, true);
}

static bool
is_like_vector(const ck_field *given, const ck_field *wanted)
{
    return wanted->lanes && given->dtype == CK_RECORD && given->ndim == wanted->ndim - 1 &&
           memcmp(given->shape, wanted->shape, sizeof *given->shape * (size_t)given->ndim) == 0 &&
           ck_record_is_vector(given->record, wanted->dtype, wanted->lanes);
}

static bool
takes_field(const ck_field *wanted, const ck_field *given)
{
    if (strcmp(wanted->name, given->name) != 0 || wanted->offset != given->offset)
        return false;
    if (is_like_vector(given, wanted))
        return true;
    if (wanted->dtype != CK_RECORD || given->dtype != CK_RECORD)
        return same_field(wanted, given, false);
    return wanted->ndim == given->ndim &&
           memcmp(wanted->shape, given->shape, sizeof *given->shape * (size_t)given->ndim) == 0 &&
           ck_record_takes(wanted->record, given->record);
}

bool
ck_record_takes(const ck_record *wanted, const ck_record *given)
{
    bool same = wanted->size == given->size && wanted->n_fields == given->n_fields;
    for (int i = 0; same && i < wanted->n_fields; i++)
        same = takes_field(&wanted->fields[i], &given->fields[i]);
    return same;
}

bool
ck_record_is_vector(const ck_record *record, ck_dtype dtype, int lanes)
{
    const size_t each = ck_dtype_size(dtype);
    bool same = record->n_fields == lanes && record->size == each * (size_t)lanes;
    for (int i = 0; same && i < lanes; i++) {
        const ck_field *field = &record->fields[i];
        const char name[2] = {"xyzw"[i]};
        same = strcmp(field->name, name) == 0 && field->dtype == dtype && !field->ndim &&
               field->offset == each * (size_t)i;
    }
    return same;
}

static uint64_t
mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

uint64_t
ck_record_hash(const ck_record *record)
{
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), record->size);
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        for (const char *c = field->name; *c; c++)
            hash = mix(hash, (unsigned char)*c);
        hash = mix(mix(mix(hash, field->offset), (uint64_t)field->dtype), (uint64_t)field->ndim);
        hash = mix(hash, (uint64_t)field->lanes);
        for (int dim = 0; dim < field->ndim; dim++)
            hash = mix(hash, (uint64_t)field->shape[dim]);
        if (field->dtype == CK_RECORD)
            hash = mix(hash, ck_record_hash(field->record));
    }
    return hash;
}

void
ck_record_normalise_bools(const ck_record *record, unsigned char *bytes, size_t length)
{
    for (size_t at = 0; at < length; at += record->size) {
        for (int i = 0; i < record->n_fields; i++) {
            const ck_field *field = &record->fields[i];
            unsigned char *begin = bytes + at + field->offset;
            size_t size = ck_item_size(field->dtype, field->record);
            for (int dim = 0; dim < field->ndim; dim++)
                size *= (size_t)field->shape[dim];
            if (field->dtype == CK_RECORD)
                ck_record_normalise_bools(field->record, begin, size);
            for (size_t k = 0; field->dtype == CK_BOOL && k < size; k++)
                begin[k] = begin[k] != 0;
        }
    }
}

/* --- Copies ------------------------------------------------------------------------------------
 * The record first, then its fields, the records in them, and their names. */

struct block {
    char *begin; /* NULL: only the size is counted */
    size_t used;
};

static void *
take(struct block *block, size_t bytes)
{
    void *at = block->begin ? block->begin + block->used : NULL;
    block->used += (bytes + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    return at;
}

static ck_record *
copy_into(struct block *block, const ck_record *record)
{
    ck_record *copy = take(block, sizeof *copy);
    ck_field *fields = take(block, (size_t)record->n_fields * sizeof *fields);
    if (copy) {
        *copy = *record;
        copy->fields = fields;
        memcpy(fields, record->fields, (size_t)record->n_fields * sizeof *fields);
    }
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        char *name = take(block, strlen(field->name) + 1);
        const ck_record *inner = field->dtype == CK_RECORD ? copy_into(block, field->record) : NULL;
        if (!copy)
            continue;
        strcpy(name, field->name);
        fields[i].name = name;
        fields[i].record = inner;
    }
    return copy;
}

ck_record *
ck_record_copy(const ck_record *record)
{
    struct block block = {0};
    copy_into(&block, record);
    block.begin = malloc(block.used);
    block.used = 0;
    return block.begin ? copy_into(&block, record) : NULL;
}

/* --- Text --------------------------------------------------------------------------------------
 */

/* "int32(2,3)", "float32x4" */
static void
write_field_type(struct ck_strbuf *out, const ck_field *field)
{
    const int ndim = field->ndim - (field->lanes != 0);
    if (field->dtype == CK_RECORD)
        ck_record_write(out, field->record);
    else
        ck_strbuf_puts(out, ck_dtype_name(field->dtype));
    if (field->lanes)
        ck_strbuf_printf(out, "x%d", field->lanes);
    for (int dim = 0; dim < ndim; dim++)
        ck_strbuf_printf(out, "%s%lld", dim ? "," : "(", (long long)field->shape[dim]);
    if (ndim)
        ck_strbuf_putc(out, ')');
}

void
ck_record_write(struct ck_strbuf *out, const ck_record *record)
{
    size_t end = 0;
    ck_strbuf_putc(out, '{');
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        ck_strbuf_printf(out, "%s%s:", i ? "," : "", field->name);
        write_field_type(out, field);
        if (field->offset != end)
            ck_strbuf_printf(out, "@%zu", field->offset);
        end = field->offset + field_bytes(field);
    }
    ck_strbuf_putc(out, '}');
    if (record->size != end)
        ck_strbuf_printf(out, "/%zu", record->size);
}

static void write_difference(struct ck_strbuf *out, const char *outer, const ck_record *given,
                             const ck_record *wanted);

/* Whether the fields differ but for their place; then how. `path`: "outer.". */
static bool
write_field_difference(struct ck_strbuf *out, const char *path, const ck_field *given,
                       const ck_field *wanted)
{
    if (strcmp(given->name, wanted->name) != 0) {
        ck_strbuf_printf(out, "`%s%s` stands in place of the field `%s`", path, given->name,
                         wanted->name);
        return true;
    }
    const bool same_shape =
        given->ndim == wanted->ndim &&
        !memcmp(given->shape, wanted->shape, sizeof *given->shape * (size_t)given->ndim);
    const bool both_records = given->dtype == CK_RECORD && wanted->dtype == CK_RECORD;
    if (is_like_vector(given, wanted))
        return false;
    if (same_shape && both_records) {
        if (ck_record_takes(wanted->record, given->record))
            return false;
        struct ck_strbuf inner;
        ck_strbuf_init(&inner);
        ck_strbuf_printf(&inner, "%s%s.", path, given->name);
        write_difference(out, ck_strbuf_text(&inner), given->record, wanted->record);
        ck_strbuf_free(&inner);
        return true;
    }
    if (same_shape && given->dtype == wanted->dtype)
        return false;
    ck_strbuf_printf(out, "field `%s%s` is ", path, given->name);
    write_field_type(out, given);
    ck_strbuf_puts(out, ", not ");
    write_field_type(out, wanted);
    return true;
}

static void
write_difference(struct ck_strbuf *out, const char *path, const ck_record *given,
                 const ck_record *wanted)
{
    const int n = given->n_fields < wanted->n_fields ? given->n_fields : wanted->n_fields;
    for (int i = 0; i < n; i++) {
        const ck_field *field = &given->fields[i];
        if (write_field_difference(out, path, field, &wanted->fields[i]))
            return;
        if (field->offset != wanted->fields[i].offset) {
            ck_strbuf_printf(out, "field `%s%s` begins at byte %zu, not %zu", path, field->name,
                             field->offset, wanted->fields[i].offset);
            return;
        }
    }
    if (given->n_fields > n)
        ck_strbuf_printf(out, "field `%s%s` is one more", path, given->fields[n].name);
    else if (wanted->n_fields > n)
        ck_strbuf_printf(out, "field `%s%s` is missing", path, wanted->fields[n].name);
    else
        ck_strbuf_printf(out, "%s%.*s%s %zu bytes, not %zu", *path ? "`" : "its records",
                         *path ? (int)strlen(path) - 1 : 0, path, *path ? "` has" : " have",
                         given->size, wanted->size);
}

void
ck_record_write_difference(struct ck_strbuf *out, const ck_record *given, const ck_record *wanted)
{
    write_difference(out, "", given, wanted);
}

size_t
ck_record_text(char *out, size_t capacity, const ck_record *record)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_record_write(&text, record);
    const size_t length = text.length;
    if (capacity) {
        const size_t kept = length < capacity ? length : capacity - 1;
        memcpy(out, ck_strbuf_text(&text), kept);
        out[kept] = '\0';
    }
    ck_strbuf_free(&text);
    return length;
}

static bool
accept(const char **at, char c)
{
    if (**at != c)
        return false;
    ++*at;
    return true;
}

static bool
read_number(const char **at, size_t *out)
{
    size_t n = 0;
    if (!isdigit((unsigned char)**at))
        return false;
    for (; isdigit((unsigned char)**at); ++*at) {
        n = n * 10 + (size_t)(**at - '0');
        if (n > MAX_BYTES)
            return false;
    }
    *out = n;
    return true;
}

static const char *
read_word(struct ck_arena *arena, const char **at)
{
    const char *begin = *at;
    while (isalnum((unsigned char)**at) || **at == '_')
        ++*at;
    return ck_arena_strndup(arena, begin, (size_t)(*at - begin));
}

static ck_record *read_record(struct ck_arena *arena, const char **at, int depth);

static bool
read_shape(const char **at, ck_field *out)
{
    if (!accept(at, '('))
        return true;
    do {
        size_t n;
        if (out->ndim == CK_MAX_DIMS || !read_number(at, &n))
            return false;
        out->shape[out->ndim++] = (int64_t)n;
    } while (accept(at, ','));
    return accept(at, ')');
}

/* "float32" or "float32x4"; CK_DTYPE_NONE: neither. */
static ck_dtype
read_dtype(struct ck_arena *arena, const char **at, int *lanes)
{
    const char *begin = *at, *word = read_word(arena, at);
    const size_t unit = **at == '[' ? strcspn(*at, "],}") + 1 : 0; /* `[D]` of a date */
    if (unit && (*at)[unit - 1] == ']') {
        *at += unit;
        return ck_dtype_by_name(ck_arena_strndup(arena, begin, (size_t)(*at - begin)));
    }
    const ck_dtype dtype = ck_dtype_by_name(word);
    const size_t length = strlen(word);
    if (dtype || length < 2 || word[length - 2] != 'x')
        return dtype;
    *lanes = word[length - 1] - '0';
    return ck_dtype_by_name(ck_arena_strndup(arena, word, length - 2));
}

/* The numbers of vectors are the last dimension. */
static bool
add_lanes(ck_field *out)
{
    if (out->lanes && out->ndim < CK_MAX_DIMS)
        out->shape[out->ndim++] = out->lanes;
    return !out->lanes || has_vectors(out);
}

static bool
read_field(struct ck_arena *arena, const char **at, ck_field *out, size_t *end, int depth)
{
    out->name = read_word(arena, at);
    if (!accept(at, ':'))
        return false;
    if (**at == '{') {
        out->dtype = CK_RECORD;
        out->record = read_record(arena, at, depth + 1);
        if (!out->record)
            return false;
    } else {
        out->dtype = read_dtype(arena, at, &out->lanes);
    }
    out->offset = *end;
    if (!out->dtype || !read_shape(at, out) || !add_lanes(out) ||
        (accept(at, '@') && !read_number(at, &out->offset)))
        return false;
    *end = out->offset + field_bytes(out);
    return true;
}

static ck_record *
read_record(struct ck_arena *arena, const char **at, int depth)
{
    ck_field *fields = NULL;
    int n = 0, capacity = 0;
    size_t end = 0;
    if (depth > CK_MAX_TUPLES || !accept(at, '{'))
        return NULL;
    do {
        ck_field field = {0};
        if (n == MAX_FIELDS || !read_field(arena, at, &field, &end, depth))
            return NULL;
        CK_PUSH(arena, fields, n, capacity, field);
    } while (accept(at, ','));
    if (!accept(at, '}') || (accept(at, '/') && !read_number(at, &end)))
        return NULL;
    ck_record *record = CK_NEW(arena, ck_record);
    *record = (ck_record){.size = end, .n_fields = n, .fields = fields};
    return record;
}

const ck_record *
ck_record_read(struct ck_arena *arena, const char **at)
{
    const ck_record *record = read_record(arena, at, 1);
    return record && ck_record_is_sound(record) ? record : NULL;
}
