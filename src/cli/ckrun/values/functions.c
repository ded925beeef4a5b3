/* The functions of numbers and of the elements of arrays: len, min, sqrt, where, and the casts. */
#include "call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ckrun_value
ckrun_call_len(struct ckrun_call *call)
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
extreme(struct ckrun_call *call, bool greatest)
{
    if (call->n_positional == 1 && call->value[0].kind == CKRUN_ARRAY)
        return ckrun_call_reduce(call);
    struct ckrun_value best = *ckrun_number_argument(call, 0);
    for (int i = 1; i < call->n_positional; i++) {
        struct ckrun_value v = *ckrun_number_argument(call, i);
        if (greatest ? is_less(&best, &v) : is_less(&v, &best))
            best = v;
    }
    return best;
}

struct ckrun_value
ckrun_call_min(struct ckrun_call *call)
{
    return extreme(call, false);
}

struct ckrun_value
ckrun_call_max(struct ckrun_call *call)
{
    return extreme(call, true);
}

/* --- Elements ----------------------------------------------------------------------------------
 */

static const struct unary_function {
    const char *name;
    double (*of)(double x);
    bool keeps_ints;
} unary_functions[] = {
    {"abs", fabs, true},    {"sqrt", sqrt, false},   {"exp", exp, false},   {"log", log, false},
    {"log2", log2, false},  {"log10", log10, false}, {"sin", sin, false},   {"cos", cos, false},
    {"tan", tan, false},    {"sinh", sinh, false},   {"cosh", cosh, false}, {"tanh", tanh, false},
    {"floor", floor, true}, {"ceil", ceil, true},    {"rint", rint, false},
};

/* NumPy's dtype of a function's result. */
static ck_dtype
unary_dtype(const struct unary_function *function, ck_dtype dtype)
{
    if (ckrun_is_complex_dtype(dtype))
        return dtype == CK_COMPLEX64 ? CK_FLOAT32 : CK_FLOAT64;
    if (!ckrun_is_int_dtype(dtype) || function->keeps_ints)
        return dtype;
    return ckrun_common_dtype(dtype == CK_BOOL ? CK_INT8 : dtype, CK_FLOAT16);
}

static struct ckrun_element
unary_element(const struct unary_function *function, ck_dtype dtype, const struct ckrun_element *x)
{
    struct ckrun_element e = {.dtype = dtype};
    if (ckrun_is_complex_dtype(x->dtype))
        e.re = ckrun_round_to(dtype, hypot(x->re, x->im));
    else if (!ckrun_is_int_dtype(x->dtype))
        e.re = ckrun_round_to(dtype, function->of(x->re));
    else if (!function->keeps_ints)
        e.re = ckrun_round_to(dtype, function->of((double)x->i));
    else
        e.i = function->of == fabs && x->i < 0 ? -x->i : x->i;
    return e;
}

static struct ckrun_value
unary_array(struct ckrun_call *call, const struct unary_function *function, const ck_npy *from)
{
    char *error = NULL;
    ck_dtype dtype = unary_dtype(function, from->dtype);
    struct ckrun_array *array =
        ckrun_array_new(call->p->env, dtype, from->ndim, from->shape, from->fortran_order, &error);
    if (!array)
        ckrun_parse_fail_text(call->p, call->at, error);
    for (int64_t i = 0; array && i < ckrun_count(from); i++) {
        struct ckrun_element x = ckrun_load(from, i), e = unary_element(function, dtype, &x);
        ckrun_store(&array->host, i, &e);
    }
    return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = array};
}

static struct ckrun_value
unary_number(struct ckrun_call *call, const struct unary_function *function,
             const struct ckrun_value *v)
{
    struct ckrun_element x;
    char *error = NULL;
    bool is_int = v->kind == CKRUN_INT || v->kind == CKRUN_BOOL;
    if (!v->dtype && is_int && function->keeps_ints)
        return ckrun_int_value(function->of == fabs && v->i < 0 ? -v->i : v->i);
    ck_dtype dtype = v->dtype ? v->dtype : v->kind == CKRUN_COMPLEX ? CK_COMPLEX128 : CK_FLOAT64;
    if (!ckrun_convert(&x, dtype, v, &error)) {
        ckrun_parse_fail_text(call->p, call->value_at[0], error);
        return *v;
    }
    struct ckrun_element e = unary_element(function, unary_dtype(function, dtype), &x);
    struct ckrun_value result = ckrun_number_of(&e);
    if (!v->dtype)
        result.dtype = CK_DTYPE_NONE; /* plain as its argument */
    return result;
}

struct ckrun_value
ckrun_call_unary(struct ckrun_call *call)
{
    const struct ckrun_value *v = &call->value[0];
    size_t i = 0;
    while (strcmp(unary_functions[i].name, call->name) != 0)
        i++;
    const struct unary_function *function = &unary_functions[i];
    ck_dtype dtype = v->kind == CKRUN_ARRAY ? v->array->host.dtype : v->dtype;
    if ((v->kind == CKRUN_COMPLEX || ckrun_is_complex_dtype(dtype)) && function->of != fabs)
        ckrun_parse_fail(call->p, call->value_at[0], "`%s` is here for real numbers", call->name);
    if (v->kind == CKRUN_ARRAY && ckrun_refuse_records(call->p, call->value_at[0], &v->array->host))
        return *v;
    if (!call->p->error && v->kind == CKRUN_ARRAY)
        return unary_array(call, function, &v->array->host);
    if (ckrun_refuse_dates(call->p, call->value_at[0], v->dtype))
        return *v;
    return unary_number(call, function, ckrun_any_number_argument(call, 0));
}

/* x where the condition holds, else y; for numbers and for arrays that broadcast. By arithmetic on
 * the elements a NaN would pass from one to the other, so each is chosen as it is. */
struct ckrun_value
ckrun_call_where(struct ckrun_call *call)
{
    struct ckrun_parser *p = call->p;
    struct ckrun_value *c = &call->value[0], *x = &call->value[1], *y = &call->value[2];
    /* Shapes and dtype are those of a sum of the three. */
    struct ckrun_value sum = ckrun_operate(p, call->at, CKRUN_EQUAL, *x, *y);
    sum = ckrun_operate(p, call->at, CKRUN_EQUAL, sum, *c);
    if (p->error)
        return ckrun_int_value(0);
    if (sum.kind != CKRUN_ARRAY)
        return ckrun_truth(p, call->value_at[0], c) ? *x : *y;
    return ckrun_select(p, call->at, &sum.array->host, call->value);
}

static struct ckrun_value
smaller_or_greater(struct ckrun_call *call, enum ckrun_operator op)
{
    const struct ckrun_value *x = &call->value[0], *y = &call->value[1];
    /* x where it precedes y or is a NaN. */
    struct ckrun_value precedes = ckrun_operate(call->p, call->at, op, *x, *y);
    struct ckrun_value is_nan = ckrun_operate(call->p, call->at, CKRUN_NOT_EQUAL, *x, *x);
    struct ckrun_value first = ckrun_operate(call->p, call->at, CKRUN_BIT_OR, precedes, is_nan);
    struct ckrun_call where = *call;
    where.value[0] = first;
    where.value[1] = *x;
    where.value[2] = *y;
    where.value_at[2] = call->value_at[1];
    return call->p->error ? ckrun_int_value(0) : ckrun_call_where(&where);
}

struct ckrun_value
ckrun_call_minimum(struct ckrun_call *call)
{
    return smaller_or_greater(call, CKRUN_LESS);
}

struct ckrun_value
ckrun_call_maximum(struct ckrun_call *call)
{
    return smaller_or_greater(call, CKRUN_GREATER);
}

/* float32(2.5), complex64(1, 2): the number, which keeps that dtype. */
/* `datetime64('2020-05-06')`, `timedelta64(5, 'D')`: a text, or a count with a unit. */
struct ckrun_value
ckrun_call_date(struct ckrun_call *call, ck_dtype dtype)
{
    const struct ckrun_value *v = &call->value[0], *letters = &call->value[1];
    const bool is_delta = dtype >= CK_TIMEDELTA64_Y;
    enum ck_date_unit unit = CK_UNIT_GENERIC;
    int64_t count = 0;
    struct ckrun_value date = {.kind = CKRUN_INT, .dtype = dtype};
    if (call->p->error)
        return date;
    if (call->given[1])
        unit = letters->kind == CKRUN_STRING
                   ? ck_date_unit_find(letters->string.text, letters->string.length)
                   : CK_N_UNITS;
    if (unit == CK_N_UNITS) {
        ckrun_parse_fail(call->p, call->value_at[1],
                         "a unit is one of 'Y' 'M' 'W' 'D' 'h' 'm' 's' 'ms' 'us' 'ns' 'ps' 'fs' "
                         "'as'");
        return date;
    }
    const char *fault = NULL;
    if (v->kind == CKRUN_STRING) {
        char *text = tool_strndup(v->string.text, v->string.length);
        fault = ck_date_read(text, &unit, &count);
        if (is_delta && (fault || count != CK_NAT))
            fault = "a time is a count of units, as timedelta64(5, 'D'), or 'NaT'";
        free(text);
    } else if (v->kind != CKRUN_INT || v->i < INT64_MIN || v->i > INT64_MAX) {
        fault = "this is a text or an integer of 64 bits";
    } else if (!is_delta && !call->given[1]) {
        fault = "a date of an integer needs a unit, as datetime64(5, 'D')";
    } else {
        count = (int64_t)v->i;
    }
    if (fault)
        ckrun_parse_fail(call->p, call->value_at[0], "%s", fault);
    date.i = count;
    date.dtype = (ck_dtype)((is_delta ? CK_TIMEDELTA64_Y : CK_DATETIME64_Y) + (int)unit);
    return date;
}

struct ckrun_value
ckrun_call_cast(struct ckrun_call *call, ck_dtype dtype)
{
    struct ckrun_value parts, *v = &parts;
    struct ckrun_element element;
    char *error = NULL;
    parts = call->given[1] ? *ckrun_number_argument(call, 0) : *ckrun_any_number_argument(call, 0);
    if (call->given[1])
        parts = (struct ckrun_value){.kind = CKRUN_COMPLEX,
                                     .f = ckrun_as_float(&parts),
                                     .im = ckrun_as_float(ckrun_number_argument(call, 1))};
    if (call->p->error)
        return *v;
    if (!ckrun_convert(&element, dtype, v, &error)) {
        ckrun_parse_fail_text(call->p, call->value_at[0], error);
        return *v;
    }
    return ckrun_number_of(&element);
}
