/* Records in ckrun: their types as expressions, their elements from tuples, and their fields. */
#include "expr.h"

#include <stdlib.h>
#include <string.h>

#include "../../common/json.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/vector_name.h"

enum { MAX_FIELDS = 256 };

/* --- Types -------------------------------------------------------------------------------------
 */

/* A record type that is being read. */
struct maker {
    struct ckrun_parser *p;
    ck_field fields[MAX_FIELDS]; /* the names are owned */
    int n;
    size_t end, unit; /* of the fields so far, and the most that one is aligned to */
};

static size_t
size_of(ck_dtype dtype, const ck_record *record)
{
    return dtype == CK_RECORD ? record->size : ck_dtype_size(dtype);
}

/* As the C compiler aligns it: of a complex number that of its parts, and of a vector CUDA's. */
static size_t
align_of(const ck_field *field)
{
    const size_t each = ck_dtype_size(field->dtype), size = each * (size_t)field->lanes;
    size_t most = 1;
    if (field->lanes)
        return field->lanes == 3 ? each : size < CK_ARRAY_ALIGN ? size : CK_ARRAY_ALIGN;
    if (field->dtype != CK_RECORD)
        return each / (ckrun_is_complex_dtype(field->dtype) ? 2 : 1);
    for (int i = 0; i < field->record->n_fields; i++) {
        const size_t mine = align_of(&field->record->fields[i]);
        most = mine > most ? mine : most;
    }
    return most;
}

static size_t
field_bytes(const ck_field *field)
{
    size_t bytes = size_of(field->dtype, field->record);
    for (int i = 0; i < field->ndim; i++)
        bytes *= (size_t)field->shape[i];
    return bytes;
}

bool
ckrun_take_dtype(const struct ckrun_value *v, ck_dtype *dtype, const ck_record **record)
{
    *dtype = v->kind == CKRUN_DTYPE ? v->dtype : CK_DTYPE_NONE;
    *record = *dtype == CK_RECORD ? v->record : NULL;
    if (v->kind == CKRUN_STRING)
        *dtype = ckrun_dtype_by_name(v->string.text, v->string.length);
    return *dtype != CK_DTYPE_NONE;
}

/* Reads the name of a vector type, if it comes next and no value has the name. */
static bool
read_vector(struct maker *m, ck_field *field)
{
    const size_t length = ckrun_parse_name(m->p);
    const char *elem;
    field->lanes =
        ckrun_find(m->p->env, m->p->at, length) ? 0 : ck_vector_name(m->p->at, length, &elem);
    if (!field->lanes)
        return false;
    field->dtype = ck_dtype_by_name(elem);
    m->p->at += length;
    ckrun_skip_space(m->p);
    return true;
}

static void
read_type(struct maker *m, ck_field *field)
{
    const char *at = m->p->at;
    if (read_vector(m, field))
        return;
    struct ckrun_value v = ckrun_parse_expression(m->p);
    if (!m->p->error && !ckrun_take_dtype(&v, &field->dtype, &field->record))
        ckrun_parse_fail(m->p, at, "the type of a field is a dtype: float32, record(...)");
}

static void
read_shape(struct maker *m, ck_field *field)
{
    const char *at = m->p->at, *why = "a shape is an integer or a tuple of integers";
    ckrun_int items[CK_MAX_DIMS];
    struct ckrun_value v = ckrun_parse_expression(m->p);
    if (m->p->error)
        return;
    int n = v.kind == CKRUN_TUPLE ? ckrun_shape_items(items, &v, &why)
            : v.kind == CKRUN_INT ? 1
                                  : -1;
    if (v.kind == CKRUN_INT)
        items[0] = v.i;
    for (int i = 0; i < n; i++) {
        if (items[i] < 1 || items[i] > 1 << 20) {
            why = "an extent of a field is from 1 to 1048576";
            n = -1;
        }
    }
    if (n < 0) {
        ckrun_parse_fail(m->p, at, "%s", why);
        return;
    }
    field->ndim = n;
    for (int i = 0; i < n; i++)
        field->shape[i] = (int64_t)items[i];
}

static ck_field *
begin_field(struct maker *m, const char *name, size_t length)
{
    if (m->n == MAX_FIELDS) {
        ckrun_parse_fail(m->p, name, "a record has at most %d fields", MAX_FIELDS);
        return NULL;
    }
    ck_field *field = &m->fields[m->n++];
    *field = (ck_field){.name = tool_strndup(name, length)};
    for (int i = 0; i < m->n - 1; i++) {
        if (strcmp(m->fields[i].name, field->name) == 0)
            ckrun_parse_fail(m->p, name, "two fields are named `%s`", field->name);
    }
    return field;
}

/* The numbers of vectors are the last dimension. */
static void
add_lanes(struct maker *m, ck_field *field)
{
    if (field->lanes && field->ndim == CK_MAX_DIMS)
        ckrun_parse_fail(m->p, m->p->at,
                         "an array of vectors in a record has at most %d dimensions",
                         CK_MAX_DIMS - 1);
    else if (field->lanes)
        field->shape[field->ndim++] = field->lanes;
}

static void
place_field(struct maker *m, ck_field *field, bool aligned)
{
    const size_t unit = aligned ? align_of(field) : 1;
    field->offset = (m->end + unit - 1) / unit * unit;
    m->end = field->offset + field_bytes(field);
    m->unit = unit > m->unit ? unit : m->unit;
}

/* The type of the fields read, if there was no error. */
static struct ckrun_value
finish(struct maker *m, const char *at, bool aligned)
{
    struct ckrun_value v = {.kind = CKRUN_DTYPE, .dtype = CK_RECORD};
    if (!m->p->error && !m->n)
        ckrun_parse_fail(m->p, at, "a record has at least one field");
    m->unit = 1;
    for (int i = 0; i < m->n && !m->p->error; i++)
        place_field(m, &m->fields[i], aligned);
    if (!m->p->error) {
        const ck_record record = {.size = (m->end + m->unit - 1) / m->unit * m->unit,
                                  .n_fields = m->n,
                                  .fields = m->fields};
        struct ckrun_records *made = tool_alloc(sizeof *made);
        made->record = ck_record_copy(&record);
        if (!made->record)
            ckrun_parse_fail(m->p, at, "out of memory");
        made->next = m->p->env->records;
        m->p->env->records = made;
        v.record = made->record;
    }
    for (int i = 0; i < m->n; i++)
        free((char *)m->fields[i].name);
    free(m);
    return v;
}

static struct maker *
maker_new(struct ckrun_parser *p)
{
    struct maker *m = tool_alloc(sizeof *m);
    *m = (struct maker){.p = p};
    return m;
}

/* record: 'record' '(' NAME '=' (type | '(' type ',' shape ')') {',' ...} ')' */
struct ckrun_value
ckrun_parse_record(struct ckrun_parser *p, const char *at)
{
    struct maker *m = maker_new(p);
    while (!p->error && *p->at != ')') {
        const size_t length = ckrun_keyword_length(p);
        ck_field *field = length ? begin_field(m, p->at, length) : NULL;
        if (!length)
            ckrun_parse_fail(p, p->at, "a field is given as NAME=dtype");
        if (!field)
            break;
        p->at += length;
        ckrun_parse_expect(p, '=');
        if (ckrun_parse_accept(p, '(')) {
            read_type(m, field);
            ckrun_parse_expect(p, ',');
            read_shape(m, field);
            ckrun_parse_accept(p, ',');
            ckrun_parse_expect(p, ')');
        } else {
            read_type(m, field);
        }
        add_lanes(m, field);
        if (!ckrun_parse_accept(p, ','))
            break;
    }
    ckrun_parse_expect(p, ')');
    return finish(m, at, true);
}

/* '(' STRING ',' type [',' shape] ')' */
static void
read_listed(struct maker *m)
{
    struct ckrun_parser *p = m->p;
    ckrun_parse_expect(p, '(');
    const char *at = p->at;
    struct ckrun_value name = ckrun_parse_expression(p);
    if (!p->error && name.kind != CKRUN_STRING)
        ckrun_parse_fail(p, at, "the name of a field is a string");
    ck_field *field = p->error ? NULL : begin_field(m, name.string.text, name.string.length);
    ckrun_parse_expect(p, ',');
    if (field && !p->error)
        read_type(m, field);
    if (ckrun_parse_accept(p, ',') && field && !p->error && *p->at != ')')
        read_shape(m, field);
    if (field)
        add_lanes(m, field);
    ckrun_parse_expect(p, ')');
}

/* dtype: 'dtype' '(' '[' {field ','} ']' [',' 'align' '=' expression] ')' | 'dtype' '(' type ')' */
struct ckrun_value
ckrun_parse_dtype(struct ckrun_parser *p, const char *at)
{
    struct ckrun_value v = {.kind = CKRUN_DTYPE};
    bool aligned = false;
    if (!ckrun_parse_accept(p, '[')) {
        struct ckrun_value type = ckrun_parse_expression(p);
        if (!p->error && !ckrun_take_dtype(&type, &v.dtype, &v.record))
            ckrun_parse_fail(p, at, "`dtype` takes a list of fields, or a dtype");
        ckrun_parse_expect(p, ')');
        return v;
    }
    struct maker *m = maker_new(p);
    while (!p->error && *p->at != ']') {
        read_listed(m);
        if (!ckrun_parse_accept(p, ','))
            break;
    }
    ckrun_parse_expect(p, ']');
    if (ckrun_parse_accept(p, ',') && *p->at != ')') {
        const size_t length = ckrun_keyword_length(p);
        if (length != 5 || memcmp(p->at, "align", 5) != 0)
            ckrun_parse_fail(p, p->at, "`dtype` has the further argument `align` alone");
        p->at += length;
        ckrun_parse_expect(p, '=');
        struct ckrun_value align = ckrun_parse_expression(p);
        aligned = align.kind == CKRUN_BOOL && align.i;
    }
    ckrun_parse_expect(p, ')');
    return finish(m, at, aligned);
}

/* --- Elements ----------------------------------------------------------------------------------
 */

/* One number in memory, as an array of one element. */
static ck_npy
number_at(ck_dtype dtype, char *data)
{
    return (ck_npy){.dtype = dtype, .data = data, .bytes = ck_dtype_size(dtype)};
}

static bool store_record(const ck_record *record, char *data, const struct ckrun_value *v,
                         char **error);

/* Stores the value of a field from dimension `dim` on. */
static bool
store_field(const ck_field *field, int dim, size_t bytes, char *data, const struct ckrun_value *v,
            char **error)
{
    struct ckrun_element element;
    if (dim < field->ndim) {
        const int n = (int)field->shape[dim];
        if (v->kind != CKRUN_TUPLE || v->tuple.n != n) {
            *error = tool_printf("the field `%s` takes a tuple of %d items here", field->name, n);
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (!store_field(field, dim + 1, bytes / (size_t)n,
                             data + (size_t)i * bytes / (size_t)n, &v->tuple.items[i], error))
                return false;
        }
        return true;
    }
    if (field->dtype == CK_RECORD)
        return store_record(field->record, data, v, error);
    if (!ckrun_is_any_number(v)) {
        *error = tool_printf("the field `%s` takes a number: this is %s", field->name,
                             ckrun_kind_text(v->kind));
        return false;
    }
    if (!ckrun_convert(&element, field->dtype, v, error))
        return false;
    ck_npy number = number_at(field->dtype, data);
    ckrun_store(&number, 0, &element);
    return true;
}

static bool
store_record(const ck_record *record, char *data, const struct ckrun_value *v, char **error)
{
    if (v->kind != CKRUN_TUPLE || v->tuple.n != record->n_fields) {
        *error = tool_printf("a record of %d field%s is a tuple of as many items", record->n_fields,
                             record->n_fields == 1 ? "" : "s");
        return false;
    }
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        if (!store_field(field, 0, field_bytes(field), data + field->offset, &v->tuple.items[i],
                         error))
            return false;
    }
    return true;
}

struct ckrun_value
ckrun_records_of(struct ckrun_parser *p, const char *at, const struct ckrun_value *rows,
                 const ck_record *record)
{
    const int64_t n = rows->tuple.n;
    char *error = NULL;
    struct ckrun_array *array = ckrun_record_array_new(p->env, record, 1, &n, false, &error);
    for (int64_t i = 0; array && i < n && !error; i++)
        store_record(record, (char *)array->host.data + (size_t)i * record->size,
                     &rows->tuple.items[i], &error);
    if (error)
        ckrun_parse_fail_text(p, at, error);
    return (struct ckrun_value){.kind = array ? CKRUN_ARRAY : CKRUN_NONE, .array = array};
}

/* --- Fields ------------------------------------------------------------------------------------
 */

const ck_field *
ckrun_find_field(const ck_npy *array, const char *name, size_t length)
{
    for (int i = 0; array->record && i < array->record->n_fields; i++) {
        const ck_field *field = &array->record->fields[i];
        if (strlen(field->name) == length && memcmp(field->name, name, length) == 0)
            return field;
    }
    return NULL;
}

bool
ckrun_copy_field(ck_npy *out, const ck_npy *array, const ck_field *field)
{
    const size_t each = field_bytes(field), n = (size_t)ckrun_count(array);
    *out = (ck_npy){.dtype = field->dtype, .ndim = array->ndim + field->ndim, .bytes = n * each};
    if (out->ndim > CK_MAX_DIMS)
        return false;
    for (int i = 0; i < out->ndim; i++)
        out->shape[i] = i < array->ndim ? array->shape[i] : field->shape[i - array->ndim];
    out->data = tool_alloc(out->bytes + 1);
    int64_t index[CK_MAX_DIMS] = {0};
    char *to = out->data;
    for (size_t i = 0; i < n; i++, to += each) {
        const size_t from = (size_t)ckrun_offset(array, index) * array->record->size;
        memcpy(to, (const char *)array->data + from + field->offset, each);
        ckrun_next_index(array, index);
    }
    out->record = field->dtype == CK_RECORD ? ck_record_copy(field->record) : NULL;
    return true;
}

bool
ckrun_has_bools(const ck_record *record)
{
    bool has = false;
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        has = has || field->dtype == CK_BOOL ||
              (field->dtype == CK_RECORD && ckrun_has_bools(field->record));
    }
    return has;
}

bool
ckrun_refuse_dates(struct ckrun_parser *p, const char *at, ck_dtype dtype)
{
    if (ckrun_is_date_dtype(dtype) && !p->error)
        ckrun_parse_fail(p, at,
                         "ckrun does not compute with %s: compute with integers, and make "
                         "dates of them, as arange(10, dtype='M8[D]')",
                         ck_dtype_name(dtype));
    return ckrun_is_date_dtype(dtype);
}

bool
ckrun_refuse_records(struct ckrun_parser *p, const char *at, const ck_npy *array)
{
    if (array->record && !p->error)
        ckrun_parse_fail(p, at, "records are no numbers: take a field of them, as x.%s",
                         array->record->fields[0].name);
    return array->record != NULL || ckrun_refuse_dates(p, at, array->dtype);
}

bool
ckrun_field(struct ckrun_parser *p, const char *at, const char *name, size_t length,
            const struct ckrun_array *array, struct ckrun_value *out)
{
    const ck_field *field = ckrun_find_field(&array->host, name, length);
    if (!field)
        return false;
    struct ckrun_layout layout = {
        .dtype = field->dtype,
        .record = field->record,
        .ndim = array->host.ndim + field->ndim,
        .offset = (int64_t)field->offset,
    };
    if (layout.ndim > CK_MAX_DIMS) {
        ckrun_parse_fail(p, at, "an array has at most %d dimensions", CK_MAX_DIMS);
        return true;
    }
    ckrun_strides(array, layout.strides);
    memcpy(layout.shape, array->host.shape, (size_t)array->host.ndim * sizeof *layout.shape);
    int64_t stride = (int64_t)(field->record ? field->record->size : ck_dtype_size(field->dtype));
    for (int i = field->ndim - 1; i >= 0; i--) { /* in C order */
        layout.shape[array->host.ndim + i] = field->shape[i];
        layout.strides[array->host.ndim + i] = stride;
        stride *= field->shape[i];
    }
    *out = ckrun_view(p, at, array, &layout);
    if (!layout.ndim && !field->record && !p->error) {
        struct ckrun_element e = ckrun_load(&out->array->host, 0);
        *out = ckrun_number_of(&e);
    }
    return true;
}

void
ckrun_fail_field(struct ckrun_parser *p, const char *at, const char *name, size_t length,
                 const ck_record *record)
{
    const char *names[MAX_FIELDS];
    char *copy = tool_strndup(name, length);
    struct ck_strbuf list;
    ck_strbuf_init(&list);
    for (int i = 0; i < record->n_fields; i++) {
        names[i] = record->fields[i].name;
        ck_strbuf_printf(&list, "%s`%s`", i ? ", " : "", names[i]);
    }
    const char *nearest = ck_nearest_word(copy, names, record->n_fields);
    if (nearest)
        ckrun_parse_fail(p, at, "the records have no field `%s`; did you mean `%s`?", copy,
                         nearest);
    else
        ckrun_parse_fail(p, at, "the records have no field `%s`; they have %s", copy,
                         ck_strbuf_text(&list));
    ck_strbuf_free(&list);
    free(copy);
}

/* --- Printing ----------------------------------------------------------------------------------
 */

static void print_record(FILE *out, const ck_record *record, char *data);

static void
print_field(FILE *out, const ck_field *field, int dim, size_t bytes, char *data)
{
    if (dim < field->ndim) {
        const size_t n = (size_t)field->shape[dim];
        fputc('[', out);
        for (size_t i = 0; i < n; i++) {
            fputs(i ? ", " : "", out);
            print_field(out, field, dim + 1, bytes / n, data + i * (bytes / n));
        }
        fputc(']', out);
    } else if (field->dtype == CK_RECORD) {
        print_record(out, field->record, data);
    } else {
        char buffer[CKRUN_ELEMENT_TEXT];
        const ck_npy number = number_at(field->dtype, data);
        const struct ckrun_element element = ckrun_load(&number, 0);
        fputs(ckrun_element_text(buffer, &element), out);
    }
}

static void
print_record(FILE *out, const ck_record *record, char *data)
{
    fputc('(', out);
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        fputs(i ? ", " : "", out);
        print_field(out, field, 0, field_bytes(field), data + field->offset);
    }
    fputs(record->n_fields == 1 ? ",)" : ")", out);
}

static void
print_axis(FILE *out, const ck_npy *array, int dim, int64_t *index, bool cut)
{
    if (dim == array->ndim) {
        const size_t at = (size_t)ckrun_offset(array, index) * array->record->size;
        print_record(out, array->record, (char *)array->data + at);
        return;
    }
    const int64_t n = array->shape[dim];
    fputc('[', out);
    for (int64_t i = 0; i < n; i++) {
        if (i)
            fprintf(out, "\n%*s", dim + 1, "");
        if (cut && n > 6 && i == 3) {
            fprintf(out, "...\n%*s", dim + 1, "");
            i = n - 3;
        }
        index[dim] = i;
        print_axis(out, array, dim + 1, index, cut);
    }
    fputc(']', out);
}

void
ckrun_print_records(FILE *out, const ck_npy *array)
{
    int64_t index[CK_MAX_DIMS] = {0};
    print_axis(out, array, 0, index, ckrun_count(array) > 1000);
    fputc('\n', out);
}

/* --- JSON --------------------------------------------------------------------------------------
 */

static void put_record(struct ck_strbuf *out, const ck_record *record, char *data);

static void
put_field(struct ck_strbuf *out, const ck_field *field, int dim, size_t bytes, char *data)
{
    if (dim < field->ndim) {
        const size_t n = (size_t)field->shape[dim];
        ck_strbuf_putc(out, '[');
        for (size_t i = 0; i < n; i++) {
            ck_strbuf_puts(out, i ? "," : "");
            put_field(out, field, dim + 1, bytes / n, data + i * (bytes / n));
        }
        ck_strbuf_putc(out, ']');
    } else if (field->dtype == CK_RECORD) {
        put_record(out, field->record, data);
    } else {
        const ck_npy number = number_at(field->dtype, data);
        const struct ckrun_element element = ckrun_load(&number, 0);
        ckrun_json_element(out, &element);
    }
}

static void
put_record(struct ck_strbuf *out, const ck_record *record, char *data)
{
    ck_strbuf_putc(out, '{');
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        tool_json_key(out, field->name);
        put_field(out, field, 0, field_bytes(field), data + field->offset);
    }
    ck_strbuf_putc(out, '}');
}

void
ckrun_json_record(struct ck_strbuf *out, const ck_npy *array, int64_t offset)
{
    put_record(out, array->record, (char *)array->data + (size_t)offset * array->record->size);
}
