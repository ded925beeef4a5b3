/* Subscripts, as NumPy's basic indexing has them: integers, slices, `...` and None, or the name of
 * a field. The result is a copy, or a number where integers choose one element that is none of
 * several fields. */
#include "expr.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INDICES = 2 * CK_MAX_DIMS };

enum index_kind { INTEGER, SLICE, ELLIPSIS, NEW_DIMENSION };

struct index {
    enum index_kind kind;
    const char *at;
    ckrun_int start, stop, step; /* INTEGER: start */
    bool has_start, has_stop;
};

/* One end of a slice, or its step, unless the next character ends it. False if there is none. */
static bool
parse_bound(struct ckrun_parser *p, ckrun_int *out)
{
    ckrun_skip_space(p);
    const char *at = p->at;
    if (p->error || (*at && strchr(":,]", *at)))
        return false;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (v.kind == CKRUN_NONE)
        return false;
    if (!p->error && v.kind != CKRUN_INT)
        ckrun_parse_fail(p, at, "an index is an integer: this is %s", ckrun_kind_text(v.kind));
    *out = v.i;
    return !p->error;
}

/* slice: [expression] ':' [expression] [':' [expression]], after its first `:` */
static void
parse_slice(struct ckrun_parser *p, struct index *out)
{
    out->kind = SLICE;
    out->step = 1;
    out->has_stop = parse_bound(p, &out->stop);
    if (ckrun_parse_accept(p, ':') && parse_bound(p, &out->step) && out->step == 0)
        ckrun_parse_fail(p, out->at, "a slice has a step other than zero");
}

/* index: '...' | 'None' | expression | slice */
static void
parse_index(struct ckrun_parser *p, struct index *out)
{
    *out = (struct index){.at = p->at};
    if (ckrun_accept_operator(p, "...")) {
        out->kind = ELLIPSIS;
        return;
    }
    if (ckrun_parse_accept(p, ':')) {
        parse_slice(p, out);
        return;
    }
    struct ckrun_value v = ckrun_parse_expression(p);
    if (p->error)
        return;
    if (v.kind == CKRUN_NONE && *p->at != ':') {
        out->kind = NEW_DIMENSION;
        return;
    }
    if (v.kind != CKRUN_INT && v.kind != CKRUN_NONE)
        ckrun_parse_fail(p, out->at, "an index is an integer, a slice, `...` or None: this is %s",
                         ckrun_kind_text(v.kind));
    out->start = v.kind == CKRUN_INT ? v.i : 0;
    out->has_start = v.kind == CKRUN_INT;
    if (ckrun_parse_accept(p, ':'))
        parse_slice(p, out);
}

/* Python's meaning of a slice of `length` items: the first index and the number of them. */
static int64_t
slice_of(const struct index *slice, int64_t length, int64_t *first)
{
    bool down = slice->step < 0;
    ckrun_int start = slice->start + (slice->start < 0 ? length : 0);
    ckrun_int stop = slice->stop + (slice->stop < 0 ? length : 0);
    ckrun_int least = down ? -1 : 0, most = down ? length - 1 : length;
    start = !slice->has_start ? (down ? most : least) : start < least ? least : start;
    stop = !slice->has_stop ? (down ? least : most) : stop < least ? least : stop;
    start = start > most ? most : start;
    stop = stop > most ? most : stop;
    ckrun_int span = down ? start - stop : stop - start, step = down ? -slice->step : slice->step;
    *first = (int64_t)start;
    return span > 0 ? (int64_t)((span - 1) / step + 1) : 0;
}

/* An index from 0 on; -1 after an error. */
static int64_t
item_of(struct ckrun_parser *p, const struct index *index, int64_t length, const char *what)
{
    if (index->start >= -length && index->start < length)
        return (int64_t)(index->start < 0 ? index->start + length : index->start);
    ckrun_parse_fail(p, index->at, "the index is out of range: %s %lld item%s", what,
                     (long long)length, length == 1 ? "" : "s");
    return -1;
}

/* --- Tuples ------------------------------------------------------------------------------------
 */

static struct ckrun_value
item_of_tuple(struct ckrun_parser *p, const struct ckrun_value *of, const struct index *index,
              int n)
{
    int64_t first;
    if (n != 1 || index->kind == ELLIPSIS || index->kind == NEW_DIMENSION) {
        ckrun_parse_fail(p, index->at, "a tuple's index is an integer or a slice");
        return *of;
    }
    if (index->kind == INTEGER) {
        first = item_of(p, index, of->tuple.n, "the tuple has");
        return first < 0 ? *of : of->tuple.items[first];
    }
    int64_t count = slice_of(index, of->tuple.n, &first);
    struct ckrun_value *items = tool_alloc(((size_t)count + 1) * sizeof *items);
    for (int64_t i = 0; i < count; i++)
        items[i] = of->tuple.items[first + i * (int64_t)index->step];
    struct ckrun_value result = ckrun_tuple_new(p->env, items, (int)count);
    free(items);
    return result;
}

/* --- Arrays ------------------------------------------------------------------------------------
 */

/* What the indices select: for each dimension of the result its length, and the array's dimension
 * with the first index there and the step. */
struct selection {
    int ndim;
    int64_t shape[CK_MAX_DIMS];
    int from[CK_MAX_DIMS]; /* -1: a new dimension */
    int64_t step[CK_MAX_DIMS];
    int64_t first[CK_MAX_DIMS]; /* by the array's dimensions */
    bool is_number;             /* integers alone */
};

static bool
add_dimension(struct ckrun_parser *p, struct selection *s, const char *at, int from, int64_t length,
              int64_t step)
{
    if (s->ndim == CK_MAX_DIMS) {
        ckrun_parse_fail(p, at, "an array has at most %d dimensions", CK_MAX_DIMS);
        return false;
    }
    s->shape[s->ndim] = length;
    s->from[s->ndim] = from;
    s->step[s->ndim++] = step;
    return true;
}

/* Whole dimensions, from `*dim` on. */
static bool
add_whole(struct ckrun_parser *p, struct selection *s, const char *at, const ck_npy *array,
          int *dim, int n)
{
    for (; n > 0; n--, (*dim)++) {
        if (!add_dimension(p, s, at, *dim, array->shape[*dim], 1))
            return false;
    }
    return true;
}

static bool
apply_index(struct ckrun_parser *p, struct selection *s, const struct index *index,
            const ck_npy *array, int *dim, int n_open)
{
    int64_t *first = &s->first[*dim];
    s->is_number = s->is_number && index->kind == INTEGER;
    switch (index->kind) {
    case ELLIPSIS:
        return add_whole(p, s, index->at, array, dim, n_open);
    case NEW_DIMENSION:
        return add_dimension(p, s, index->at, -1, 1, 0);
    case INTEGER:
        *first = item_of(p, index, array->shape[*dim], "the dimension has");
        return s->first[(*dim)++] >= 0;
    default: {
        int64_t length = slice_of(index, array->shape[*dim], first);
        int64_t step = length > 1 ? (int64_t)index->step : 1;
        return add_dimension(p, s, index->at, (*dim)++, length, step);
    }
    }
}

static bool
select_elements(struct ckrun_parser *p, struct selection *s, const ck_npy *array,
                const struct index *indices, int n)
{
    int used = 0, n_ellipses = 0, dim = 0;
    for (int i = 0; i < n; i++) {
        used += indices[i].kind == INTEGER || indices[i].kind == SLICE;
        n_ellipses += indices[i].kind == ELLIPSIS;
    }
    s->is_number = true;
    if (used > array->ndim)
        ckrun_parse_fail(p, indices[0].at, "%d indices for an array of %d dimension%s", used,
                         array->ndim, array->ndim == 1 ? "" : "s");
    else if (n_ellipses > 1)
        ckrun_parse_fail(p, indices[0].at, "a subscript has one `...`");
    for (int i = 0; i < n && !p->error; i++) {
        if (!apply_index(p, s, &indices[i], array, &dim, array->ndim - used))
            return false;
    }
    if (p->error)
        return false;
    s->is_number = s->is_number && dim == array->ndim;
    return add_whole(p, s, indices[0].at, array, &dim, array->ndim - dim);
}

static struct ckrun_value
view_of(struct ckrun_parser *p, const char *at, const struct ckrun_array *array,
        const struct selection *s)
{
    int64_t strides[CK_MAX_DIMS];
    struct ckrun_layout layout = {
        .dtype = array->host.dtype,
        .record = array->host.record,
        .ndim = s->ndim,
    };
    bool is_empty = false;
    ckrun_strides(array, strides);
    for (int i = 0; i < s->ndim; i++) {
        layout.shape[i] = s->shape[i];
        layout.strides[i] = s->from[i] < 0 ? 0 : strides[s->from[i]] * s->step[i];
        is_empty = is_empty || !s->shape[i];
    }
    for (int i = 0; i < array->host.ndim && !is_empty; i++)
        layout.offset += s->first[i] * strides[i];
    return ckrun_view(p, at, array, &layout);
}

static struct ckrun_value
elements_of(struct ckrun_parser *p, const struct ckrun_array *array, const struct index *indices,
            int n)
{
    struct selection s = {0};
    if (!select_elements(p, &s, &array->host, indices, n))
        return (struct ckrun_value){.kind = CKRUN_INT};
    if (!s.is_number || array->host.record)
        return view_of(p, indices[0].at, array, &s);
    struct ckrun_element e = ckrun_load(&array->host, ckrun_offset(&array->host, s.first));
    return ckrun_number_of(&e);
}

/* The subscript `'NAME']` of a field. */
static struct ckrun_value
field_of(struct ckrun_parser *p, const struct ckrun_value *of)
{
    const char *at = p->at;
    struct ckrun_value name = ckrun_parse_expression(p), result = *of;
    const ck_npy *array = of->kind == CKRUN_ARRAY ? &of->array->host : NULL;
    ckrun_parse_expect(p, ']');
    if (p->error)
        return *of;
    if (name.kind != CKRUN_STRING || !array || !array->record)
        ckrun_parse_fail(p, at, "only arrays of records have fields: this is %s",
                         array ? "an array of numbers" : ckrun_kind_text(of->kind));
    else if (!ckrun_field(p, at, name.string.text, name.string.length, of->array, &result))
        ckrun_fail_field(p, at, name.string.text, name.string.length, array->record);
    return result;
}

struct ckrun_value
ckrun_parse_subscript(struct ckrun_parser *p, const struct ckrun_value *of)
{
    struct index indices[MAX_INDICES];
    const char *at = p->at;
    int n = 0;
    ckrun_parse_expect(p, '[');
    if (*p->at == '\'' || *p->at == '"')
        return field_of(p, of);
    do {
        if (n == MAX_INDICES)
            ckrun_parse_fail(p, p->at, "a subscript has at most %d indices", MAX_INDICES);
        else
            parse_index(p, &indices[n++]);
    } while (!p->error && ckrun_parse_accept(p, ',') && *p->at != ']');
    ckrun_parse_expect(p, ']');
    if (p->error)
        return *of;
    if (of->kind == CKRUN_TUPLE)
        return item_of_tuple(p, of, indices, n);
    if (of->kind == CKRUN_ARRAY)
        return elements_of(p, of->array, indices, n);
    ckrun_parse_fail(p, at, "only arrays and tuples have items: this is %s",
                     ckrun_kind_text(of->kind));
    return *of;
}
