/* The functions of ckrun's expressions, with NumPy's arguments and NumPy's default dtypes. */
#include "ckrun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

enum { MAX_ARGUMENTS = 16 };

/* A call's arguments, in the order of the function's parameters. */
struct call {
    struct ckrun_parser *p;
    const char *name;
    const char *at; /* of the function's name */
    const char *const *params;
    int n_params;
    bool given[MAX_ARGUMENTS];
    struct ckrun_value value[MAX_ARGUMENTS];
    const char *value_at[MAX_ARGUMENTS];
    int n_positional;
};

struct function {
    const char *name;
    struct ckrun_value (*evaluate)(struct call *call); /* NULL: not supported yet */
    const char *params[5];                             /* NULL-terminated; "...": any number */
    int n_required;
};

/* --- Binding -----------------------------------------------------------------------------------
 */

static bool
is_variadic(const struct call *call)
{
    return call->n_params == 1 && strcmp(call->params[0], "...") == 0;
}

/* The parameter that a keyword names, or -1 after an error. */
static int
find_param(struct call *call, const char *keyword, size_t length)
{
    for (int i = 0; i < call->n_params; i++) {
        const char *param = call->params[i];
        if (strlen(param) == length && memcmp(param, keyword, length) == 0)
            return i;
    }
    char *copy = tool_strndup(keyword, length);
    const char *nearest = ck_nearest_word(copy, call->params, call->n_params);
    ckrun_parse_fail(call->p, keyword, "`%s` has no argument `%s`%s%s%s", call->name, copy,
                     nearest ? "; did you mean `" : "", nearest ? nearest : "",
                     nearest ? "`?" : "");
    free(copy);
    return -1;
}

size_t
ckrun_keyword_length(const struct ckrun_parser *p)
{
    size_t length = ckrun_parse_name(p);
    const char *after = p->at + length;
    while (*after == ' ' || *after == '\t')
        after++;
    return length && after[0] == '=' && after[1] != '=' ? length : 0;
}

/* argument: [NAME '='] expression */
static void
bind_argument(struct call *call)
{
    struct ckrun_parser *p = call->p;
    size_t keyword = ckrun_keyword_length(p);
    const char *at = p->at;
    int most = is_variadic(call) ? MAX_ARGUMENTS : call->n_params;
    int i = call->n_positional;
    if (keyword) {
        i = find_param(call, at, keyword);
        p->at += keyword;
        ckrun_parse_expect(p, '=');
    } else if (i >= most) {
        ckrun_parse_fail(p, at, "`%s` takes at most %d argument%s", call->name, most,
                         most == 1 ? "" : "s");
    } else {
        call->n_positional++;
    }
    if (p->error)
        return;
    if (call->given[i])
        ckrun_parse_fail(p, at, "`%s` is given twice", call->params[i]);
    call->given[i] = true;
    call->value_at[i] = p->at;
    call->value[i] = ckrun_parse_expression(p);
}

/* arguments: [argument {',' argument} [',']] ')' */
static void
bind_arguments(struct call *call)
{
    struct ckrun_parser *p = call->p;
    bool keywords = false;
    while (!p->error && *p->at != ')') {
        bool is_keyword = ckrun_keyword_length(p) != 0;
        if (keywords && !is_keyword)
            ckrun_parse_fail(p, p->at, "a positional argument follows a keyword argument");
        keywords = is_keyword;
        bind_argument(call);
        if (!ckrun_parse_accept(p, ','))
            break;
    }
    ckrun_parse_expect(p, ')');
}

static void
require(struct call *call, int n_required)
{
    for (int i = 0; i < n_required; i++) {
        if (call->given[i])
            continue;
        if (is_variadic(call))
            ckrun_parse_fail(call->p, call->at, "`%s` needs an argument", call->name);
        else
            ckrun_parse_fail(call->p, call->at, "`%s` needs the argument `%s`", call->name,
                             call->params[i]);
    }
}

/* --- Common arguments --------------------------------------------------------------------------
 */

ck_dtype
ckrun_dtype_by_name(const char *name, size_t length)
{
    static const struct {
        const char *name;
        ck_dtype dtype;
    } python_names[] = {{"int", CK_INT64}, {"float", CK_FLOAT64}, {"complex", CK_COMPLEX128}};
    char *copy = tool_strndup(name, length);
    ck_dtype dtype = ck_dtype_by_name(copy);
    for (size_t i = 0; i < sizeof python_names / sizeof python_names[0]; i++) {
        if (strcmp(copy, python_names[i].name) == 0)
            dtype = python_names[i].dtype;
    }
    free(copy);
    return dtype;
}

/* Argument `i` as a dtype: bare, quoted, or an array's; `otherwise` if it was not given. */
static ck_dtype
dtype_argument(struct call *call, int i, ck_dtype otherwise)
{
    const struct ckrun_value *v = &call->value[i];
    if (!call->given[i] || v->kind == CKRUN_NONE || call->p->error)
        return otherwise;
    ck_dtype dtype;
    const ck_record *record;
    if (ckrun_take_dtype(v, &dtype, &record) && record)
        ckrun_parse_fail(call->p, call->value_at[i],
                         "`%s` makes no records: there are zeros, empty and array", call->name);
    else if (!dtype)
        ckrun_parse_fail(call->p, call->value_at[i],
                         "not a dtype; there are bool, int8 to int64, uint8 to uint64, float16, "
                         "bfloat16, float32, float64, complex64 and complex128");
    return dtype ? dtype : otherwise;
}

/* The record type that argument `i` is; NULL: it is another dtype. */
static const ck_record *
record_argument(const struct call *call, int i)
{
    ck_dtype dtype;
    const ck_record *record = NULL;
    if (call->given[i] && !call->p->error)
        ckrun_take_dtype(&call->value[i], &dtype, &record);
    return record;
}

/* Argument `i` as the order of the elements. */
static bool
is_fortran_order(struct call *call, int i)
{
    const struct ckrun_value *v = &call->value[i];
    if (!call->given[i] || call->p->error)
        return false;
    char order = v->kind == CKRUN_STRING && v->string.length == 1 ? v->string.text[0] : '?';
    if (order != 'C' && order != 'F')
        ckrun_parse_fail(call->p, call->value_at[i], "the order is 'C' or 'F'");
    return order == 'F';
}

static void
add_dimension(struct call *call, int i, int64_t *shape, int *ndim, ckrun_int size)
{
    char buffer[CKRUN_INT_TEXT];
    if (size < 0)
        ckrun_parse_fail(call->p, call->value_at[i], "a dimension of %s is negative",
                         ckrun_int_text(buffer, size));
    else if (size > INT64_MAX)
        ckrun_parse_fail(call->p, call->value_at[i], "a dimension of %s is too large",
                         ckrun_int_text(buffer, size));
    shape[(*ndim)++] = (int64_t)size;
}

/* Argument `i` as a shape: an integer or a tuple. */
static int
shape_argument(struct call *call, int i, int64_t shape[CK_MAX_DIMS])
{
    const struct ckrun_value *v = &call->value[i];
    ckrun_int items[CK_MAX_DIMS];
    const char *why;
    int ndim = 0;
    if (call->p->error)
        return 0;
    int n = v->kind == CKRUN_TUPLE ? ckrun_shape_items(items, v, &why) : 0;
    if (v->kind == CKRUN_INT)
        add_dimension(call, i, shape, &ndim, v->i);
    else if (v->kind == CKRUN_TUPLE && n >= 0)
        for (int dim = 0; dim < n; dim++)
            add_dimension(call, i, shape, &ndim, items[dim]);
    else if (v->kind == CKRUN_TUPLE)
        ckrun_parse_fail(call->p, call->value_at[i], "%s", why);
    else
        ckrun_parse_fail(call->p, call->value_at[i],
                         "a shape is an integer or a tuple of integers: this is %s",
                         ckrun_kind_text(v->kind));
    return ndim;
}

/* Argument `i`, a real number. */
static const struct ckrun_value *
number_argument(struct call *call, int i)
{
    static const struct ckrun_value zero = {.kind = CKRUN_INT};
    const struct ckrun_value *v = &call->value[i];
    if (call->p->error)
        return &zero;
    if (ckrun_is_number(v))
        return v;
    ckrun_parse_fail(call->p, call->value_at[i], "`%s` must be a number: this is %s",
                     is_variadic(call) ? call->name : call->params[i], ckrun_kind_text(v->kind));
    return &zero;
}

/* The same, for any number. */
static const struct ckrun_value *
any_number_argument(struct call *call, int i)
{
    const struct ckrun_value *v = &call->value[i];
    return v->kind == CKRUN_COMPLEX ? v : number_argument(call, i);
}

/* --- Arrays ------------------------------------------------------------------------------------
 */

static struct ckrun_value
none(void)
{
    return (struct ckrun_value){.kind = CKRUN_NONE};
}

/* A new array whose shape is argument 0 and whose order is argument `order`; of records, if there
 * is a type. NULL after an error. */
static struct ckrun_array *
new_array_of(struct call *call, ck_dtype dtype, const ck_record *record, int order)
{
    int64_t shape[CK_MAX_DIMS];
    char *error = NULL;
    int ndim = shape_argument(call, 0, shape);
    bool fortran_order = is_fortran_order(call, order);
    if (call->p->error)
        return NULL;
    struct ckrun_array *array =
        record ? ckrun_record_array_new(call->p->env, record, ndim, shape, fortran_order, &error)
               : ckrun_array_new(call->p->env, dtype, ndim, shape, fortran_order, &error);
    if (!array)
        ckrun_parse_fail_text(call->p, call->value_at[0], error);
    return array;
}

static struct ckrun_array *
new_array(struct call *call, ck_dtype dtype, int order)
{
    return new_array_of(call, dtype, NULL, order);
}

/* `zeros` and `empty`, which make records too. */
static struct ckrun_array *
new_empty_array(struct call *call)
{
    const ck_record *record = record_argument(call, 1);
    return record ? new_array_of(call, CK_RECORD, record, 2)
                  : new_array(call, dtype_argument(call, 1, CK_FLOAT64), 2);
}

static struct ckrun_value
array_value(struct ckrun_array *array)
{
    return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = array};
}

static struct ckrun_value
filled(struct call *call, ck_dtype dtype, int order, const struct ckrun_value *with)
{
    struct ckrun_element element;
    char *error = NULL;
    if (!call->p->error && !ckrun_convert(&element, dtype, with, &error))
        ckrun_parse_fail_text(call->p, call->given[1] ? call->value_at[1] : call->at, error);
    struct ckrun_array *array = new_array(call, dtype, order);
    if (!array)
        return none();
    int64_t count = ckrun_count(&array->host);
    for (int64_t i = 0; i < count; i++)
        ckrun_store(&array->host, i, &element);
    return array_value(array);
}

static struct ckrun_value
call_zeros(struct call *call)
{
    struct ckrun_array *array = new_empty_array(call);
    return array ? array_value(array) : none();
}

static struct ckrun_value
call_empty(struct call *call)
{
    struct ckrun_array *array = new_empty_array(call);
    if (!array)
        return none();
    array->is_unset = true;
    return array_value(array);
}

static struct ckrun_value
call_ones(struct call *call)
{
    struct ckrun_value one = {.kind = CKRUN_INT, .i = 1};
    return filled(call, dtype_argument(call, 1, CK_FLOAT64), 2, &one);
}

/* The dtype of NumPy's array of the number. */
static ck_dtype
natural_dtype(const struct ckrun_value *v)
{
    if (v->dtype)
        return v->dtype;
    if (v->kind == CKRUN_BOOL)
        return CK_BOOL;
    if (v->kind == CKRUN_COMPLEX)
        return CK_COMPLEX128;
    if (v->kind == CKRUN_FLOAT)
        return CK_FLOAT64;
    return v->i > INT64_MAX ? CK_UINT64 : CK_INT64;
}

static struct ckrun_value
call_full(struct call *call)
{
    const struct ckrun_value *fill = any_number_argument(call, 1);
    return filled(call, dtype_argument(call, 2, natural_dtype(fill)), 3, fill);
}

/* --- arange ------------------------------------------------------------------------------------
 */

struct range {
    struct ckrun_value start, stop, step;
};

/* NumPy's count: ceil((stop - start) / step), in integers where all are; -1 after an error. */
static int64_t
range_count(struct call *call, const struct range *r)
{
    bool ints =
        r->start.kind != CKRUN_FLOAT && r->stop.kind != CKRUN_FLOAT && r->step.kind != CKRUN_FLOAT;
    double count;
    if (ckrun_as_float(&r->step) == 0) {
        ckrun_parse_fail(call->p, call->at, "the step of `arange` is zero");
        return -1;
    }
    if (ints && r->start.i / 2 < INT64_MAX && r->stop.i / 2 < INT64_MAX) {
        ckrun_int span = r->stop.i - r->start.i;
        ckrun_int whole =
            span / r->step.i + (span % r->step.i != 0 && (span < 0) == (r->step.i < 0));
        count = whole > 0 ? (double)whole : 0;
        if (whole <= INT64_MAX)
            return whole > 0 ? (int64_t)whole : 0;
    } else {
        count =
            ceil((ckrun_as_float(&r->stop) - ckrun_as_float(&r->start)) / ckrun_as_float(&r->step));
    }
    if (isnan(count) || count > 0x1p62) {
        ckrun_parse_fail(call->p, call->at,
                         "`arange` would have more elements than can be counted");
        return -1;
    }
    return count > 0 ? (int64_t)count : 0;
}

/* Computes all elements from the first two, as NumPy does: element i is first + i * (second -
 * first), each step rounded to the dtype. */
static void
fill_floats(ck_npy *host, const struct ckrun_element *first, const struct ckrun_element *second)
{
    /* NumPy computes 16-bit floats in float32. */
    bool single = host->dtype != CK_FLOAT64 && host->dtype != CK_COMPLEX128;
    struct ckrun_element e = *first;
    double delta = second->re - first->re;
    float narrow_first = (float)first->re, narrow_delta = (float)delta;
    for (int64_t i = 2; i < ckrun_count(host); i++) {
        if (single) {
            float product = (float)i * narrow_delta;
            e.re = narrow_first + product;
        } else {
            e.re = first->re + (double)i * delta;
        }
        ckrun_store(host, i, &e);
    }
}

static void
fill_ints(ck_npy *host, const struct ckrun_element *first, const struct ckrun_element *second)
{
    struct ckrun_element e = *first;
    for (int64_t i = 2; i < ckrun_count(host); i++) {
        e.i = first->i + (ckrun_int)i * (second->i - first->i);
        ckrun_store(host, i, &e);
    }
}

static struct ckrun_value
add_step(const struct range *r)
{
    bool floats = r->start.kind == CKRUN_FLOAT || r->step.kind == CKRUN_FLOAT;
    if (floats)
        return (struct ckrun_value){.kind = CKRUN_FLOAT,
                                    .f = ckrun_as_float(&r->start) + ckrun_as_float(&r->step)};
    return (struct ckrun_value){.kind = CKRUN_INT, .i = r->start.i + r->step.i};
}

/* Whether the last element of an integer range fits; the first two are known to fit. */
static bool
last_fits(const ck_npy *host, const struct ckrun_element *first, const struct ckrun_element *second)
{
    ckrun_int least, greatest;
    ckrun_int last = first->i + (ckrun_int)(ckrun_count(host) - 1) * (second->i - first->i);
    ckrun_int_range(host->dtype, &least, &greatest);
    return last >= least && last <= greatest;
}

static void
fill_range(struct call *call, ck_npy *host, const struct range *r)
{
    struct ckrun_element first, second;
    struct ckrun_value next = add_step(r);
    int64_t count = ckrun_count(host);
    char *error = NULL;
    if (count == 0)
        return;
    if (!ckrun_convert(&first, host->dtype, &r->start, &error) ||
        (count > 1 && !ckrun_convert(&second, host->dtype, &next, &error))) {
        ckrun_parse_fail_text(call->p, call->at, error);
        return;
    }
    ckrun_store(host, 0, &first);
    if (count == 1)
        return;
    ckrun_store(host, 1, &second);
    if (!ckrun_is_int_dtype(host->dtype))
        fill_floats(host, &first, &second);
    else if (last_fits(host, &first, &second))
        fill_ints(host, &first, &second);
    else
        ckrun_parse_fail(call->p, call->at, "the elements of `arange` do not all fit in %s",
                         ck_dtype_name(host->dtype));
}

static ck_dtype
range_dtype(const struct range *r)
{
    const struct ckrun_value *all[] = {&r->start, &r->stop, &r->step};
    for (int i = 0; i < 3; i++) {
        if (all[i]->kind == CKRUN_FLOAT)
            return CK_FLOAT64;
    }
    return r->start.i > INT64_MAX || r->stop.i > INT64_MAX ? CK_UINT64 : CK_INT64;
}

/* `arange(5, float32)`: a dtype that comes last needs no keyword. */
static void
move_dtype(struct call *call)
{
    int last = call->n_positional - 1;
    if (last < 1 || last > 2 || call->given[3] || call->value[last].kind != CKRUN_DTYPE)
        return;
    call->value[3] = call->value[last];
    call->value_at[3] = call->value_at[last];
    call->given[3] = true;
    call->given[last] = false;
}

static struct ckrun_value
call_arange(struct call *call)
{
    struct range r = {
        {.kind = CKRUN_INT, .i = 0}, {.kind = CKRUN_INT}, {.kind = CKRUN_INT, .i = 1}};
    move_dtype(call);
    bool only_stop = call->given[0] && !call->given[1];
    if (!call->given[0] && !call->given[1])
        ckrun_parse_fail(call->p, call->at, "`arange` needs the argument `stop`");
    if (call->given[0] && !only_stop)
        r.start = *number_argument(call, 0);
    if (!call->p->error)
        r.stop = *number_argument(call, only_stop ? 0 : 1);
    if (call->given[2])
        r.step = *number_argument(call, 2);
    ck_dtype dtype = dtype_argument(call, 3, range_dtype(&r));
    int64_t count = call->p->error ? -1 : range_count(call, &r);
    if (count > 2 && dtype == CK_BOOL)
        ckrun_parse_fail(call->p, call->at, "`arange` of bools has at most 2 elements");
    if (call->p->error)
        return none();
    char *error = NULL;
    struct ckrun_array *array = ckrun_array_new(call->p->env, dtype, 1, &count, false, &error);
    if (!array) {
        ckrun_parse_fail_text(call->p, call->at, error);
        return none();
    }
    fill_range(call, &array->host, &r);
    return array_value(array);
}

/* --- linspace, array, and arrays like others ---------------------------------------------------
 */

static struct ckrun_value
call_linspace(struct call *call)
{
    double start = ckrun_as_float(number_argument(call, 0));
    double stop = ckrun_as_float(number_argument(call, 1));
    const struct ckrun_value *num = &call->value[2];
    int64_t count = 50;
    ck_dtype dtype = dtype_argument(call, 3, CK_FLOAT64);
    if (call->given[2] && num->kind == CKRUN_INT && num->i >= 0 && num->i <= INT64_MAX)
        count = (int64_t)num->i;
    else if (call->given[2])
        ckrun_parse_fail(call->p, call->value_at[2], "`num` is the number of elements");
    char *error = NULL;
    struct ckrun_array *array =
        call->p->error ? NULL : ckrun_array_new(call->p->env, dtype, 1, &count, false, &error);
    if (error)
        ckrun_parse_fail_text(call->p, call->at, error);
    double step = (stop - start) / (double)(count > 1 ? count - 1 : 1);
    for (int64_t i = 0; array && !call->p->error && i < count; i++) {
        struct ckrun_element element;
        struct ckrun_value v = {.kind = CKRUN_FLOAT, .f = start + (double)i * step};
        if (i > 0 && i == count - 1)
            v.f = stop;
        if (ckrun_convert(&element, dtype, &v, &error))
            ckrun_store(&array->host, i, &element);
        else
            ckrun_parse_fail_text(call->p, call->at, error);
    }
    return array ? array_value(array) : none();
}

/* Argument 0 as an array; NULL after an error. */
static const ck_npy *
array_argument(struct call *call)
{
    const struct ckrun_value *v = &call->value[0];
    if (call->p->error)
        return NULL;
    if (v->kind == CKRUN_ARRAY)
        return &v->array->host;
    ckrun_parse_fail(call->p, call->value_at[0], "`%s` takes an array: this is %s", call->name,
                     ckrun_kind_text(v->kind));
    return NULL;
}

static struct ckrun_value
call_array(struct call *call)
{
    const ck_record *record = record_argument(call, 1);
    if (record && call->value[0].kind == CKRUN_TUPLE)
        return ckrun_records_of(call->p, call->value_at[0], &call->value[0], record);
    const ck_npy *from = array_argument(call);
    if (!from)
        return none();
    ck_dtype dtype = dtype_argument(call, 1, from->dtype);
    return ckrun_array_as(call->p, call->at, from, dtype, from->ndim, from->shape);
}

static struct ckrun_value
filled_like(struct call *call, int dtype_at, const struct ckrun_value *with)
{
    const ck_npy *like = array_argument(call);
    if (!like)
        return none();
    ck_dtype dtype = dtype_argument(call, dtype_at, like->dtype);
    enum { NO_ORDER = MAX_ARGUMENTS - 1 }; /* never given */
    call->value[0] = ckrun_shape_value(call->p->env, like);
    return filled(call, dtype, NO_ORDER, with);
}

static struct ckrun_value
call_zeros_like(struct call *call)
{
    return filled_like(call, 1, &(struct ckrun_value){.kind = CKRUN_INT});
}

static struct ckrun_value
call_ones_like(struct call *call)
{
    return filled_like(call, 1, &(struct ckrun_value){.kind = CKRUN_INT, .i = 1});
}

static struct ckrun_value
call_full_like(struct call *call)
{
    return filled_like(call, 2, number_argument(call, 1));
}

/* --- States of random numbers ------------------------------------------------------------------
 */

/* Argument `i`, an integer from 0 to `most`; 0 if it is not given. */
static uint64_t
count_argument(struct call *call, int i, uint64_t most)
{
    const struct ckrun_value *v = &call->value[i];
    if (!call->given[i] || call->p->error)
        return 0;
    if (v->kind == CKRUN_INT && v->i >= 0 && v->i <= most)
        return (uint64_t)v->i;
    ckrun_parse_fail(call->p, call->value_at[i], "`%s` is an integer from 0 to %llu",
                     call->params[i], (unsigned long long)most);
    return 0;
}

static struct ckrun_value
call_random_states(struct call *call)
{
    const uint64_t n = count_argument(call, 0, INT64_MAX);
    const uint64_t seed = count_argument(call, 1, UINT64_MAX);
    const uint64_t skipped = count_argument(call, 2, UINT32_MAX);
    char *error = NULL;
    if (call->p->error)
        return none();
    struct ckrun_array *array =
        ckrun_random_states(call->p->env, (int64_t)n, seed, skipped, &error);
    if (!array)
        ckrun_parse_fail_text(call->p, call->at, error);
    return array ? array_value(array) : none();
}

/* --- Numbers -----------------------------------------------------------------------------------
 */

static struct ckrun_value
call_len(struct call *call)
{
    struct ckrun_value v = {.kind = CKRUN_INT};
    const struct ckrun_value *of = &call->value[0];
    if (call->p->error)
        return v;
    if (of->kind == CKRUN_TUPLE)
        v.i = of->tuple.n;
    else if (of->kind == CKRUN_ARRAY && of->array->host.ndim > 0)
        v.i = of->array->host.shape[0];
    else
        ckrun_parse_fail(call->p, call->value_at[0], "`len` is for arrays and tuples: this is %s",
                         of->kind == CKRUN_ARRAY ? "an array without dimensions"
                                                 : ckrun_kind_text(of->kind));
    return v;
}

/* Whether an integer is less than a float, exactly; not than a NaN. */
static bool
int_is_less(ckrun_int i, double f)
{
    if (isnan(f) || fabs(f) >= 0x1p126) /* no integer here is as large */
        return f > 0;
    ckrun_int whole = (ckrun_int)floor(f);
    return i < whole || (i == whole && f > (double)whole);
}

/* Whether a number is less than another, exactly; false where one is a NaN. */
static bool
is_less(const struct ckrun_value *a, const struct ckrun_value *b)
{
    bool a_is_float = a->kind == CKRUN_FLOAT, b_is_float = b->kind == CKRUN_FLOAT;
    if (a_is_float && b_is_float)
        return a->f < b->f;
    if (b_is_float)
        return int_is_less(a->i, b->f);
    if (a_is_float) /* a < i where -i < -a */
        return int_is_less(-b->i, -a->f);
    return a->i < b->i;
}

/* The first argument that no other exceeds, by Python's comparison. */
static struct ckrun_value
extreme(struct call *call, bool greatest)
{
    struct ckrun_value best = *number_argument(call, 0);
    for (int i = 1; i < call->n_positional; i++) {
        struct ckrun_value v = *number_argument(call, i);
        if (greatest ? is_less(&best, &v) : is_less(&v, &best))
            best = v;
    }
    return best;
}

static struct ckrun_value
call_min(struct call *call)
{
    return extreme(call, false);
}

static struct ckrun_value
call_max(struct call *call)
{
    return extreme(call, true);
}

/* float32(2.5), complex64(1, 2): the number, which keeps that dtype. */
static struct ckrun_value
call_cast(struct call *call, ck_dtype dtype)
{
    struct ckrun_value parts, *v = &parts;
    struct ckrun_element element;
    char *error = NULL;
    parts = call->given[1] ? *number_argument(call, 0) : *any_number_argument(call, 0);
    if (call->given[1])
        parts = (struct ckrun_value){.kind = CKRUN_COMPLEX,
                                     .f = ckrun_as_float(&parts),
                                     .im = ckrun_as_float(number_argument(call, 1))};
    if (call->p->error)
        return *v;
    if (!ckrun_convert(&element, dtype, v, &error)) {
        ckrun_parse_fail_text(call->p, call->value_at[0], error);
        return *v;
    }
    struct ckrun_value result = {.kind = CKRUN_FLOAT, .dtype = dtype, .f = element.re};
    if (ckrun_is_int_dtype(dtype)) {
        result.kind = dtype == CK_BOOL ? CKRUN_BOOL : CKRUN_INT;
        result.i = element.i;
    } else if (ckrun_is_complex_dtype(dtype)) {
        result.kind = CKRUN_COMPLEX;
        result.im = element.im;
    }
    return result;
}

/* --- The table ---------------------------------------------------------------------------------
 */

static const struct function functions[] = {
    {"zeros", call_zeros, {"shape", "dtype", "order"}, 1},
    {"empty", call_empty, {"shape", "dtype", "order"}, 1},
    {"ones", call_ones, {"shape", "dtype", "order"}, 1},
    {"full", call_full, {"shape", "fill_value", "dtype", "order"}, 2},
    {"arange", call_arange, {"start", "stop", "step", "dtype"}, 0},
    {"linspace", call_linspace, {"start", "stop", "num", "dtype"}, 2},
    {"array", call_array, {"object", "dtype"}, 1},
    {"zeros_like", call_zeros_like, {"a", "dtype"}, 1},
    {"ones_like", call_ones_like, {"a", "dtype"}, 1},
    {"full_like", call_full_like, {"a", "fill_value", "dtype"}, 2},
    {"create_xoroshiro128p_states", call_random_states, {"n", "seed", "subsequence_start"}, 2},
    {"len", call_len, {"x"}, 1},
    {"min", call_min, {"..."}, 1},
    {"max", call_max, {"..."}, 1},
    {"uniform", NULL, {NULL}, 0},
    {"normal", NULL, {NULL}, 0},
};

static const struct function *
find_function(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const char *known = functions[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return &functions[i];
    }
    return NULL;
}

static void
begin_call(struct call *call, struct ckrun_parser *p, const char *name, const char *at,
           const char *const *params)
{
    *call = (struct call){.p = p, .name = name, .at = at, .params = params};
    while (params[call->n_params])
        call->n_params++;
    bind_arguments(call);
}

static void
evaluate_function(struct ckrun_parser *p, const struct function *function, const char *at,
                  struct ckrun_value *out)
{
    struct call call;
    if (!function->evaluate) {
        ckrun_parse_fail(p, at, "`%s` is not supported yet", function->name);
        return;
    }
    begin_call(&call, p, function->name, at, function->params);
    require(&call, function->n_required);
    *out = function->evaluate(&call);
}

static void
evaluate_cast(struct ckrun_parser *p, ck_dtype dtype, const char *at, struct ckrun_value *out)
{
    static const char *const params[] = {"value", NULL}, *const parts[] = {"real", "imag", NULL};
    struct call call;
    begin_call(&call, p, ck_dtype_name(dtype), at, ckrun_is_complex_dtype(dtype) ? parts : params);
    require(&call, 1);
    *out = call_cast(&call, dtype);
}

bool
ckrun_call(struct ckrun_parser *p, const char *name, size_t length, const char *at,
           struct ckrun_value *out)
{
    const bool is_record = length == 6 && memcmp(name, "record", 6) == 0;
    if (is_record || (length == 5 && memcmp(name, "dtype", 5) == 0)) {
        *out = is_record ? ckrun_parse_record(p, at) : ckrun_parse_dtype(p, at);
        return true;
    }
    const struct function *function = find_function(name, length);
    ck_dtype dtype = function ? CK_DTYPE_NONE : ckrun_dtype_by_name(name, length);
    if (function)
        evaluate_function(p, function, at, out);
    else if (dtype)
        evaluate_cast(p, dtype, at, out);
    return function || dtype;
}

bool
ckrun_is_function(const char *name, size_t length)
{
    return find_function(name, length) != NULL;
}

void
ckrun_fail_function(struct ckrun_parser *p, const char *name, size_t length)
{
    enum { N = sizeof functions / sizeof functions[0] };
    const char *names[N];
    size_t n = 0;
    char *copy = tool_strndup(name, length);
    for (size_t i = 0; i < N; i++) {
        if (functions[i].evaluate)
            names[n++] = functions[i].name;
    }
    const char *nearest = ck_nearest_word(copy, names, (int)n);
    if (nearest)
        ckrun_parse_fail(p, name, "there is no function `%s`; did you mean `%s`?", copy, nearest);
    else
        ckrun_parse_fail(p, name,
                         "there is no function `%s`; there are zeros empty ones full zeros_like "
                         "ones_like full_like arange linspace array record dtype len min max, and "
                         "every dtype as a cast",
                         copy);
    free(copy);
}
