/* Arrays made in ckrun's expressions: from lists, and by methods of other arrays. */
#include "call.h"

#include <stdlib.h>
#include <string.h>

static struct ckrun_value
array_value(struct ckrun_array *array)
{
    return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = array};
}

static const struct ckrun_value nothing = {.kind = CKRUN_INT};

/* A new array, in C order. NULL after an error, which is put at `at`. */
static struct ckrun_array *
new_array(struct ckrun_parser *p, const char *at, ck_dtype dtype, int ndim, const int64_t *shape)
{
    char *error = NULL;
    struct ckrun_array *array = ckrun_array_new(p->env, dtype, ndim, shape, false, &error);
    if (!array)
        ckrun_parse_fail_text(p, at, error);
    return array;
}

/* --- Lists -------------------------------------------------------------------------------------
 */

/* The numbers of a list in order, and the shape that its nesting has. */
struct list {
    struct ckrun_value *items;
    size_t n;
    int64_t shape[CK_MAX_DIMS];
    int ndim; /* 0: no innermost list was read yet */
};

static void
add_number(struct ckrun_parser *p, struct list *list, int level)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (p->error)
        return;
    if (!ckrun_is_any_number(&v))
        ckrun_parse_fail(p, at, "a list holds numbers and lists: this is %s",
                         ckrun_kind_text(v.kind));
    else if (list->ndim && list->ndim != level)
        ckrun_parse_fail(p, at, "the lists are not equally deep");
    list->ndim = level;
    list->items = tool_grow(list->items, list->n + 1, sizeof *list->items);
    list->items[list->n++] = v;
}

/* list: '[' [(list | expression) {',' (list | expression)} [',']] ']'  -- `level` lists around */
static void
read_list(struct ckrun_parser *p, struct list *list, int level)
{
    const char *at = p->at;
    int64_t n = 0;
    bool first = list->shape[level] < 0;
    if (level == CK_MAX_DIMS - 1 && p->at[0] == '[' && p->at[1] == '[')
        ckrun_parse_fail(p, at, "an array has at most %d dimensions", CK_MAX_DIMS);
    ckrun_parse_expect(p, '[');
    while (!p->error && *p->at != ']') {
        if (*p->at == '[' && level + 1 < CK_MAX_DIMS)
            read_list(p, list, level + 1);
        else
            add_number(p, list, level + 1);
        n++;
        if (!ckrun_parse_accept(p, ','))
            break;
    }
    ckrun_parse_expect(p, ']');
    if (!first && list->shape[level] != n)
        ckrun_parse_fail(p, at, "this list has %lld items, the one before %lld", (long long)n,
                         (long long)list->shape[level]);
    list->shape[level] = n;
    if (n == 0 && !list->ndim)
        list->ndim = level + 1;
}

/* NumPy's common dtype of the numbers; if all were cast to one dtype, that dtype. */
static ck_dtype
common_dtype(const struct list *list)
{
    ck_dtype same = list->n ? list->items[0].dtype : CK_DTYPE_NONE;
    bool floats = list->n == 0, bools = list->n > 0, large = false, complex = false;
    for (size_t i = 0; i < list->n; i++) {
        const struct ckrun_value *v = &list->items[i];
        same = v->dtype == same ? same : CK_DTYPE_NONE;
        complex = complex || v->kind == CKRUN_COMPLEX;
        floats = floats || v->kind == CKRUN_FLOAT;
        bools = bools && v->kind == CKRUN_BOOL;
        large = large || (v->kind == CKRUN_INT && v->i > INT64_MAX);
    }
    if (same)
        return same;
    if (complex)
        return CK_COMPLEX128;
    return floats ? CK_FLOAT64 : bools ? CK_BOOL : large ? CK_UINT64 : CK_INT64;
}

/* The character after the `)` of the parenthesis at `at`, and whether it is of a tuple. */
static const char *
skip_parenthesis(const char *at, bool *is_tuple)
{
    char quote = 0;
    int depth = 0;
    *is_tuple = false;
    do {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '\'' || *at == '"')
            quote = *at;
        else
            depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        *is_tuple = *is_tuple || (*at == ',' && !quote && depth == 1);
        at += *at != 0;
    } while (*at && depth > 0);
    return at;
}

/* `[(1, 2), (3, 4)]`: what `array` makes records of. */
static bool
begins_tuples(const struct ckrun_parser *p)
{
    const char *at = p->at + 1;
    bool is_tuple;
    at += strspn(at, " \t");
    if (*at != '(')
        return false;
    at = skip_parenthesis(at, &is_tuple);
    at += strspn(at, " \t");
    return is_tuple && (*at == ',' || *at == ']');
}

static struct ckrun_value
read_tuples(struct ckrun_parser *p)
{
    struct ckrun_value *items = NULL;
    int n = 0;
    ckrun_parse_expect(p, '[');
    while (!p->error && *p->at != ']') {
        const char *at = p->at;
        struct ckrun_value item = ckrun_parse_expression(p);
        if (!p->error && item.kind != CKRUN_TUPLE)
            ckrun_parse_fail(p, at, "a list of tuples holds tuples: this is %s",
                             ckrun_kind_text(item.kind));
        items = tool_grow(items, (size_t)n + 1, sizeof *items);
        items[n++] = item;
        if (!ckrun_parse_accept(p, ','))
            break;
    }
    ckrun_parse_expect(p, ']');
    struct ckrun_value rows = ckrun_tuple_new(p->env, items, n);
    free(items);
    return rows;
}

struct ckrun_value
ckrun_parse_list(struct ckrun_parser *p)
{
    const char *at = p->at;
    struct list list = {0};
    if (begins_tuples(p))
        return read_tuples(p);
    for (int i = 0; i < CK_MAX_DIMS; i++)
        list.shape[i] = -1;
    read_list(p, &list, 0);
    struct ckrun_array *array =
        p->error ? NULL : new_array(p, at, common_dtype(&list), list.ndim, list.shape);
    for (size_t i = 0; array && !p->error && i < list.n; i++) {
        struct ckrun_element element;
        char *error = NULL;
        if (ckrun_convert(&element, array->host.dtype, &list.items[i], &error))
            ckrun_store(&array->host, (int64_t)i, &element);
        else
            ckrun_parse_fail_text(p, at, error);
    }
    free(list.items);
    return array ? array_value(array) : nothing;
}

/* --- Methods -----------------------------------------------------------------------------------
 */

/* A copy of records, which stay records. */
static struct ckrun_value
records_as(struct ckrun_parser *p, const char *at, const ck_npy *from, ck_dtype dtype, int ndim,
           const int64_t *shape)
{
    int64_t index[CK_MAX_DIMS] = {0};
    char *error = NULL;
    if (dtype != CK_RECORD) {
        ckrun_parse_fail(p, at, "records have no value in %s", ck_dtype_name(dtype));
        return nothing;
    }
    struct ckrun_array *array =
        ckrun_record_array_new(p->env, from->record, ndim, shape, false, &error);
    if (!array)
        ckrun_parse_fail_text(p, at, error);
    const int64_t count = array ? ckrun_count(from) : 0;
    for (int64_t i = 0; i < count; i++) {
        ckrun_copy_element(&array->host, i, from, ckrun_offset(from, index));
        ckrun_next_index(from, index);
    }
    return array ? array_value(array) : nothing;
}

struct ckrun_value
ckrun_array_as(struct ckrun_parser *p, const char *at, const ck_npy *from, ck_dtype dtype, int ndim,
               const int64_t *shape)
{
    int64_t index[CK_MAX_DIMS] = {0};
    bool complex_from = ckrun_is_complex_dtype(from->dtype);
    if (from->record)
        return records_as(p, at, from, dtype, ndim, shape);
    if (complex_from && !ckrun_is_complex_dtype(dtype)) {
        ckrun_parse_fail(p, at, "%s has no value in %s", ck_dtype_name(from->dtype),
                         ck_dtype_name(dtype));
        return nothing;
    }
    struct ckrun_array *array = new_array(p, at, dtype, ndim, shape);
    int64_t count = array ? ckrun_count(from) : 0;
    for (int64_t i = 0; i < count && !p->error; i++) {
        struct ckrun_element e = ckrun_load(from, ckrun_offset(from, index));
        struct ckrun_value v = ckrun_number_of(&e);
        char *error = NULL;
        if (dtype != from->dtype && !ckrun_convert(&e, dtype, &v, &error))
            ckrun_parse_fail_text(p, at, error);
        ckrun_store(&array->host, i, &e);
        ckrun_next_index(from, index);
    }
    return array ? array_value(array) : nothing;
}

/* Reads the arguments of `reshape`: integers, or one shape. Returns their number. */
static int
read_shape(struct ckrun_parser *p, int64_t shape[CK_MAX_DIMS])
{
    ckrun_int items[CK_MAX_DIMS];
    const char *why;
    int n = 0;
    bool first = true;
    while (!p->error && *p->at != ')') {
        const char *at = p->at;
        struct ckrun_value v = ckrun_parse_expression(p);
        if (p->error)
            return 0;
        if (v.kind == CKRUN_TUPLE && first && *p->at == ')')
            n = ckrun_shape_items(items, &v, &why);
        else if (v.kind != CKRUN_INT)
            ckrun_parse_fail(p, at, "a shape is an integer or a tuple of integers: this is %s",
                             ckrun_kind_text(v.kind));
        else if (n == CK_MAX_DIMS)
            ckrun_parse_fail(p, at, "a shape has at most %d dimensions", CK_MAX_DIMS);
        else
            items[n++] = v.i;
        if (n < 0) {
            ckrun_parse_fail(p, at, "%s", why);
            return 0;
        }
        first = false;
        if (!ckrun_parse_accept(p, ','))
            break;
    }
    for (int i = 0; i < n; i++) {
        ckrun_int size = items[i];
        shape[i] = size < -1 || size > INT64_MAX ? -2 : (int64_t)size;
    }
    return n;
}

/* Replaces the -1 of a shape by the size that `count` elements need. Returns false if none fits. */
static bool
complete_shape(int64_t *shape, int n, int64_t count)
{
    ckrun_int product = 1;
    int open = -1;
    for (int i = 0; i < n; i++) {
        if (shape[i] < -1 || (shape[i] == -1 && open >= 0) || product > INT64_MAX)
            return false;
        if (shape[i] == -1)
            open = i;
        else
            product *= shape[i];
    }
    if (open < 0)
        return product == count;
    if (product == 0 || count % product != 0)
        return false;
    shape[open] = (int64_t)(count / product);
    return true;
}

static struct ckrun_value
reshape(struct ckrun_parser *p, const char *at, const struct ckrun_array *of)
{
    const int64_t count = ckrun_count(&of->host);
    int64_t shape[CK_MAX_DIMS];
    int n = read_shape(p, shape);
    if (!p->error && !complete_shape(shape, n, count))
        ckrun_parse_fail(p, at, "%lld elements do not fill this shape", (long long)count);
    return p->error ? nothing : ckrun_reshape(p, at, of, n, shape);
}

static struct ckrun_value
copy(struct ckrun_parser *p, const char *at, const struct ckrun_array *of)
{
    const ck_npy *from = &of->host;
    return ckrun_array_as(p, at, from, from->dtype, from->ndim, from->shape);
}

static struct ckrun_value
as_type(struct ckrun_parser *p, const char *at, const struct ckrun_array *of)
{
    const ck_npy *from = &of->host;
    const char *value_at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    ck_dtype dtype;
    const ck_record *record;
    if (!ckrun_take_dtype(&v, &dtype, &record) || record)
        ckrun_parse_fail(p, value_at, "`astype` takes a dtype: float32, int64, ...");
    return p->error ? nothing : ckrun_array_as(p, at, from, dtype, from->ndim, from->shape);
}

bool
ckrun_method(struct ckrun_parser *p, const char *name, size_t length, const struct ckrun_array *of,
             struct ckrun_value *out)
{
    static const struct {
        const char *name;
        struct ckrun_value (*evaluate)(struct ckrun_parser *p, const char *at,
                                       const struct ckrun_array *of);
    } methods[] = {{"reshape", reshape}, {"astype", as_type}, {"copy", copy}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strlen(methods[i].name) != length || memcmp(methods[i].name, name, length) != 0)
            continue;
        ckrun_parse_expect(p, '(');
        if (!p->error)
            *out = methods[i].evaluate(p, name, of);
        ckrun_parse_expect(p, ')');
        return true;
    }
    return ckrun_reduce(p, name, length, &of->host, out);
}
