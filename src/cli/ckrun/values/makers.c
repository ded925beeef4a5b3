/* The functions that make arrays: zeros, full, arange, linspace, array and others like them. */
#include "call.h"

#include <math.h>
#include <stdlib.h>

static struct ckrun_value
none(void)
{
    return (struct ckrun_value){.kind = CKRUN_NONE};
}

/* Argument `i` as the order of the elements. */
static bool
is_fortran_order(struct ckrun_call *call, int i)
{
    const struct ckrun_value *v = &call->value[i];
    if (!call->given[i] || call->p->error)
        return false;
    char order = v->kind == CKRUN_STRING && v->string.length == 1 ? v->string.text[0] : '?';
    if (order != 'C' && order != 'F')
        ckrun_parse_fail(call->p, call->value_at[i], "the order is 'C' or 'F'");
    return order == 'F';
}

/* A new array whose shape is argument 0 and whose order is argument `order`; of records, if there
 * is a type. NULL after an error. */
static struct ckrun_array *
new_array(struct ckrun_call *call, ck_dtype dtype, const ck_record *record, int order)
{
    int64_t shape[CK_MAX_DIMS];
    char *error = NULL;
    int ndim = ckrun_shape_argument(call, 0, shape);
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

/* The array of `zeros` and `empty`, which make records too. */
static struct ckrun_array *
new_unset_array(struct ckrun_call *call)
{
    const ck_record *record = ckrun_record_argument(call, 1);
    return record ? new_array(call, CK_RECORD, record, 2)
                  : new_array(call, ckrun_dtype_argument(call, 1, CK_FLOAT64), NULL, 2);
}

static struct ckrun_value
array_value(struct ckrun_array *array)
{
    return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = array};
}

static struct ckrun_value
filled(struct ckrun_call *call, ck_dtype dtype, int order, const struct ckrun_value *with)
{
    struct ckrun_element element;
    char *error = NULL;
    if (!call->p->error && !ckrun_convert(&element, dtype, with, &error))
        ckrun_parse_fail_text(call->p, call->given[1] ? call->value_at[1] : call->at, error);
    struct ckrun_array *array = new_array(call, dtype, NULL, order);
    if (!array)
        return none();
    int64_t count = ckrun_count(&array->host);
    for (int64_t i = 0; i < count; i++)
        ckrun_store(&array->host, i, &element);
    return array_value(array);
}

struct ckrun_value
ckrun_call_zeros(struct ckrun_call *call)
{
    struct ckrun_array *array = new_unset_array(call);
    return array ? array_value(array) : none();
}

struct ckrun_value
ckrun_call_empty(struct ckrun_call *call)
{
    struct ckrun_array *array = new_unset_array(call);
    if (!array)
        return none();
    array->is_unset = true;
    return array_value(array);
}

struct ckrun_value
ckrun_call_ones(struct ckrun_call *call)
{
    struct ckrun_value one = {.kind = CKRUN_INT, .i = 1};
    return filled(call, ckrun_dtype_argument(call, 1, CK_FLOAT64), 2, &one);
}

struct ckrun_value
ckrun_call_full(struct ckrun_call *call)
{
    const struct ckrun_value *fill = ckrun_any_number_argument(call, 1);
    return filled(call, ckrun_dtype_argument(call, 2, ckrun_plain_dtype(fill)), 3, fill);
}

/* --- arange ------------------------------------------------------------------------------------
 */

struct range {
    struct ckrun_value start, stop, step;
};

/* NumPy's count: ceil((stop - start) / step), in integers where all are; -1 after an error. */
static int64_t
range_count(struct ckrun_call *call, const struct range *r)
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
fill_range(struct ckrun_call *call, ck_npy *host, const struct range *r)
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
move_dtype(struct ckrun_call *call)
{
    int last = call->n_positional - 1;
    if (last < 1 || last > 2 || call->given[3] || call->value[last].kind != CKRUN_DTYPE)
        return;
    call->value[3] = call->value[last];
    call->value_at[3] = call->value_at[last];
    call->given[3] = true;
    call->given[last] = false;
}

struct ckrun_value
ckrun_call_arange(struct ckrun_call *call)
{
    struct range r = {
        {.kind = CKRUN_INT, .i = 0}, {.kind = CKRUN_INT}, {.kind = CKRUN_INT, .i = 1}};
    move_dtype(call);
    bool only_stop = call->given[0] && !call->given[1];
    if (!call->given[0] && !call->given[1])
        ckrun_parse_fail(call->p, call->at, "`arange` needs the argument `stop`");
    if (call->given[0] && !only_stop)
        r.start = *ckrun_number_argument(call, 0);
    if (!call->p->error)
        r.stop = *ckrun_number_argument(call, only_stop ? 0 : 1);
    if (call->given[2])
        r.step = *ckrun_number_argument(call, 2);
    ck_dtype dtype = ckrun_dtype_argument(call, 3, range_dtype(&r));
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

struct ckrun_value
ckrun_call_linspace(struct ckrun_call *call)
{
    double start = ckrun_as_float(ckrun_number_argument(call, 0));
    double stop = ckrun_as_float(ckrun_number_argument(call, 1));
    const struct ckrun_value *num = &call->value[2];
    int64_t count = 50;
    ck_dtype dtype = ckrun_dtype_argument(call, 3, CK_FLOAT64);
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
const ck_npy *
ckrun_array_argument(struct ckrun_call *call)
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

struct ckrun_value
ckrun_call_array(struct ckrun_call *call)
{
    const ck_record *record = ckrun_record_argument(call, 1);
    if (record && call->value[0].kind == CKRUN_TUPLE)
        return ckrun_records_of(call->p, call->value_at[0], &call->value[0], record);
    const ck_npy *from = ckrun_array_argument(call);
    if (from && record && (!from->record || !ck_record_equal(from->record, record)))
        ckrun_parse_fail(call->p, call->value_at[0],
                         "an array of records is made from a list of tuples: [(1, 2.5), ...]");
    if (!from || call->p->error)
        return none();
    ck_dtype dtype = record ? CK_RECORD : ckrun_dtype_argument(call, 1, from->dtype);
    return ckrun_array_as(call->p, call->at, from, dtype, from->ndim, from->shape);
}

static struct ckrun_value
filled_like(struct ckrun_call *call, int dtype_at, const struct ckrun_value *with)
{
    const ck_npy *like = ckrun_array_argument(call);
    if (!like)
        return none();
    ck_dtype dtype = ckrun_dtype_argument(call, dtype_at, like->dtype);
    if (dtype == CK_RECORD && !call->p->error)
        ckrun_parse_fail(call->p, call->value_at[0], "`%s` makes no records: there is zeros_like",
                         call->name);
    enum { NO_ORDER = CKRUN_MAX_ARGUMENTS - 1 }; /* never given */
    call->value[0] = ckrun_shape_value(call->p->env, like);
    return filled(call, dtype, NO_ORDER, with);
}

struct ckrun_value
ckrun_call_zeros_like(struct ckrun_call *call)
{
    const struct ckrun_value *like = &call->value[0];
    const ck_record *record = ckrun_record_argument(call, 1);
    if (!call->given[1] && like->kind == CKRUN_ARRAY)
        record = like->array->host.record;
    if (record) {
        const ck_npy *shape = ckrun_array_argument(call);
        char *error = NULL;
        struct ckrun_array *array = shape
                                        ? ckrun_record_array_new(call->p->env, record, shape->ndim,
                                                                 shape->shape, false, &error)
                                        : NULL;
        if (error)
            ckrun_parse_fail_text(call->p, call->at, error);
        return array ? array_value(array) : none();
    }
    return filled_like(call, 1, &(struct ckrun_value){.kind = CKRUN_INT});
}

struct ckrun_value
ckrun_call_ones_like(struct ckrun_call *call)
{
    return filled_like(call, 1, &(struct ckrun_value){.kind = CKRUN_INT, .i = 1});
}

struct ckrun_value
ckrun_call_full_like(struct ckrun_call *call)
{
    return filled_like(call, 2, ckrun_number_argument(call, 1));
}

/* --- States of random numbers ------------------------------------------------------------------
 */

/* Argument `i`, an integer from 0 to `most`; 0 if it is not given. */
static uint64_t
count_argument(struct ckrun_call *call, int i, uint64_t most)
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

struct ckrun_value
ckrun_call_random_states(struct ckrun_call *call)
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
