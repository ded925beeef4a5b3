/* Constant arrays of numbers at regular distances: arange, linspace, logspace and geomspace; and
 * windows, functions of such numbers; computed as NumPy does. */
#include <math.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/date.h"
#include "lang/typed/bounds.h"

/* --- arange --------------------------------------------------------------------------------------
 */

/* start, stop and step, each a constant number, or of dates and times. */
static bool
arange_bounds(struct ck_call *call, const struct ck_type *elem, struct ck_value bounds[3])
{
    static const char *const names[] = {"start", "stop", "step"};
    struct ck_fn *fn = call->fn;
    int n_plain = 0;
    for (int i = 0; i < call->syntax->call.n_args; i++)
        n_plain += !call->syntax->call.args[i].name;
    bounds[0] = ck_value_int(fn, 0, call->syntax->span);
    bounds[2] = ck_value_int(fn, 1, call->syntax->span);
    bounds[1] = (struct ck_value){.kind = CK_VALUE_NONE};
    for (int i = 0; i < 3; i++) {
        /* arange(n) has no start */
        int position = n_plain == 1 ? i == 1 ? 0 : -1 : i;
        const struct ck_expr *syntax = ck_const_argument(call, position, names[i]);
        if (!syntax)
            continue;
        bounds[i] = ck_const_item(fn, syntax, elem);
        bounds[i].span = syntax->span;
        if (bounds[i].kind != CK_VALUE_RUN)
            return false;
        if (!ck_is_date(&bounds[i]) &&
            (!ck_is_number(&bounds[i]) || bounds[i].type->kind == CK_TYPE_BOOL)) {
            ck_error(fn, WRONG_TYPE, syntax->span, "`arange` takes numbers");
            return false;
        }
    }
    if (bounds[1].kind == CK_VALUE_NONE)
        ck_error(fn, WRONG_COUNT, call->syntax->span, "arange", "at least a stop",
                 call->syntax->call.n_args);
    return bounds[1].kind != CK_VALUE_NONE;
}

/* The type of an arange of which a bound is a date or time, or the dtype: dates if one is, in the
 * shortest of the units. NULL after an error. */
static const struct ck_type *
arange_of_dates(struct ck_fn *fn, const struct ck_type *elem, const struct ck_value bounds[3])
{
    const bool is_given = elem && ck_type_is_date(elem);
    enum ck_type_kind kind = is_given ? elem->kind : CK_TYPE_TIMEDELTA64;
    for (int i = 0; i < 3; i++) {
        if (bounds[i].type->kind == CK_TYPE_DATETIME64)
            kind = CK_TYPE_DATETIME64;
    }
    const struct ck_type *type = ck_type_date(kind, is_given ? elem->date.unit : CK_UNIT_GENERIC);
    for (int i = 0; i < 3 && type && (!is_given || type->date.unit == CK_UNIT_GENERIC); i++) {
        if (ck_is_date(&bounds[i]))
            type = ck_date_common_type(type, ck_type_date(kind, bounds[i].type->date.unit));
    }
    const bool fits = type && (!elem || elem->kind == kind) && type->date.unit != CK_UNIT_GENERIC;
    if (!fits)
        ck_error(fn, WRONG_TYPE, bounds[1].span,
                 elem && !is_given ? "an `arange` of dates and times has no such dtype"
                                   : "the bounds of `arange` have no unit in common");
    return fits ? type : NULL;
}

/* Changes the bounds to counts of units. A date has no end without a beginning, and a stop that is
 * a number or a time is one after the start. False after an error. */
static bool
arange_counts(struct ck_fn *fn, const struct ck_type *elem, struct ck_value bounds[3])
{
    const struct ck_type *time = ck_type_date(CK_TYPE_TIMEDELTA64, elem->date.unit);
    const bool dates = elem->kind == CK_TYPE_DATETIME64;
    const bool stops_after = dates && bounds[1].type->kind != CK_TYPE_DATETIME64;
    for (int i = 0; i < 3; i++) {
        const bool is_start = i == 0 && ck_type_is_weak(bounds[0].type);
        const struct ck_type *type = dates && (i == 0 || (i == 1 && !stops_after)) ? elem : time;
        struct ck_value value = ck_date_of_value(fn, type, &bounds[i], bounds[i].span);
        if (value.kind != CK_VALUE_RUN)
            return false;
        if (value.expr->constant.i == CK_NAT || (dates && is_start && !stops_after)) {
            ck_error(fn, WRONG_TYPE, bounds[i].span,
                     is_start ? "an `arange` of dates has a start" : "a bound of `arange` is NaT");
            return false;
        }
        bounds[i] = ck_date_count(fn, &value);
    }
    struct ck_texpr *stop = bounds[1].expr;
    if (stops_after)
        bounds[1].expr = ck_binary_expr(fn, CK_OP_ADD, bounds[0].expr, stop, bounds[1].span);
    return true;
}

/* An integer constant, of int64 or of uint64. */
static __int128
whole_number_of(const struct ck_value *value)
{
    return ck_bounds_of(value->expr).low;
}

static double
number_of(const struct ck_value *value)
{
    return ck_type_is_float(value->expr->type) ? value->expr->constant.f
                                               : (double)whole_number_of(value);
}

/* The quotient, rounded up. */
static __int128
divide_up(__int128 dividend, __int128 divisor)
{
    __int128 quotient = dividend / divisor;
    bool is_cut = dividend % divisor && (dividend < 0) == (divisor < 0);
    return quotient + is_cut;
}

/* The length and element i of an arange: of integers, or of floats as NumPy computes them, from the
 * first two elements in the array's type and their difference. */
struct progression {
    bool is_float, is_single;
    __int128 start, step;
    double first, delta;
    double length; /* rounded, if larger than any array */
};

static double
narrow(const struct progression *p, double value)
{
    return p->is_single ? (double)(float)value : value;
}

static struct progression
progression_of(const struct ck_value bounds[3], const struct ck_type *elem)
{
    struct progression p = {.is_single =
                                elem->kind == CK_TYPE_FLOAT32 || elem->kind == CK_TYPE_COMPLEX64};
    double start = number_of(&bounds[0]), stop = number_of(&bounds[1]),
           step = number_of(&bounds[2]);
    for (int i = 0; i < 3; i++)
        p.is_float = p.is_float || ck_type_is_float(bounds[i].type);
    p.length = ceil((stop - start) / step);
    if (!p.is_float) {
        p.start = whole_number_of(&bounds[0]);
        p.step = whole_number_of(&bounds[2]);
        p.length = (double)divide_up(whole_number_of(&bounds[1]) - p.start, p.step);
    }
    p.first = narrow(&p, start);
    p.delta = narrow(&p, narrow(&p, start + step) - p.first);
    return p;
}

static struct ck_value
progression_item(struct ck_fn *fn, const struct progression *p, int64_t i, struct ck_span span)
{
    if (!p->is_float) {
        __int128 item = p->start + i * p->step;
        if (item <= INT64_MAX)
            return ck_value_int(fn, (int64_t)item, span);
        const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
        return ck_value_run(u64, ck_const_int(fn, u64, (int64_t)(uint64_t)item, span));
    }
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    double value = narrow(p, p->first + narrow(p, (double)i * p->delta));
    return ck_value_run(f64, ck_const_float(fn, f64, value, span));
}

struct ck_value
ck_rule_arange(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    struct ck_value bounds[3], error = ck_value_error(span);
    const struct ck_type *elem;
    if (!ck_const_dtype(call, 3, &elem) || !arange_bounds(call, elem, bounds))
        return error;
    if (ck_has_date(bounds, 3) || (elem && ck_type_is_date(elem))) {
        elem = arange_of_dates(fn, elem, bounds);
        if (!elem || !arange_counts(fn, elem, bounds))
            return error;
    }
    if (!elem) {
        elem = ck_type_scalar(CK_TYPE_WEAK_INT);
        for (int i = 0; i < 3 && elem; i++)
            elem = ck_promote(elem, bounds[i].type);
        elem = elem ? ck_storage_type(&fn->c->types, elem) : ck_type_scalar(CK_TYPE_INT64);
    }
    if (number_of(&bounds[2]) == 0) {
        ck_error(fn, WRONG_TYPE, bounds[2].span, "the step of `arange` is zero");
        return error;
    }
    struct progression p = progression_of(bounds, elem);
    if (!(p.length >= 1)) {
        ck_error(fn, WRONG_TYPE, span, "an extent must be at least 1");
        return error;
    }
    int64_t shape = p.length > 1e9 ? 1000000000 : (int64_t)p.length;
    int64_t count = ck_const_count(fn, &shape, 1, elem, span);
    if (count < 0)
        return error;
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    for (int64_t i = 0; i < count; i++) {
        struct ck_value item = progression_item(fn, &p, i, span);
        items[i] = ck_const_element_of(fn, &item, elem);
        if (!items[i])
            return error;
    }
    return ck_const_array_value(fn, elem, &shape, 1, items, call->syntax->span);
}

/* --- linspace, logspace, geomspace ---------------------------------------------------------------
 */

/* The arguments of a call of one of them. */
struct spaced {
    double start, stop;
    int64_t num;
    bool endpoint;
    const struct ck_type *elem;
};

/* A constant number as a float64: a literal, an integer or a float64, all of which NumPy takes as
 * float64. */
static bool
take_float64(struct ck_call *call, const struct ck_expr *syntax, double *out)
{
    struct ck_fn *fn = call->fn;
    struct ck_value value = ck_check_run(fn, syntax);
    if (value.kind != CK_VALUE_RUN)
        return false;
    bool fits = ck_is_number(&value) && value.type->kind != CK_TYPE_BOOL &&
                ck_is_constant(value.expr) &&
                (!ck_type_is_float(value.type) || value.expr->type->kind == CK_TYPE_FLOAT64);
    if (fits)
        *out = number_of(&value);
    else
        ck_error(fn, WRONG_TYPE, syntax->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes literals, integers and float64",
                                 ck_builtin_path(call->id)));
    return fits;
}

static bool
take_bound(struct ck_call *call, int position, const char *name, double *out)
{
    const struct ck_expr *syntax = ck_const_argument(call, position, name);
    if (syntax)
        return take_float64(call, syntax, out);
    ck_error(call->fn, WRONG_COUNT, call->syntax->span, ck_builtin_path(call->id),
             "a start and a stop", call->syntax->call.n_args);
    return false;
}

/* Whether the argument is true. False after an error. */
static bool
take_bool(struct ck_call *call, int position, const char *name, bool *out)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = ck_const_argument(call, position, name);
    if (!syntax)
        return true;
    struct ck_value value = ck_check_run(fn, syntax);
    struct ck_texpr *test = value.kind == CK_VALUE_RUN ? ck_truth(fn, &value) : NULL;
    if (!test || test->kind != CK_T_CONST)
        return false;
    *out = test->constant.i;
    return true;
}

/* The number of elements, and whether the last is the stop. */
static bool
take_counts(struct ck_call *call, struct spaced *out)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = ck_const_argument(call, 2, "num");
    out->num = 50;
    out->endpoint = true;
    struct ck_value value = syntax ? ck_check_run(fn, syntax) : (struct ck_value){0};
    if (syntax && value.kind != CK_VALUE_RUN)
        return false;
    if (syntax && (!ck_value_const_int(&value, &out->num) || out->num < 1)) {
        ck_error(fn, WRONG_TYPE, syntax->span, "an extent must be at least 1");
        return false;
    }
    return take_bool(call, 3, "endpoint", &out->endpoint);
}

static bool
take_spaced(struct ck_call *call, int dtype_position, struct spaced *out)
{
    if (!ck_const_dtype(call, dtype_position, &out->elem) ||
        !take_bound(call, 0, "start", &out->start) || !take_bound(call, 1, "stop", &out->stop) ||
        !take_counts(call, out))
        return false;
    out->elem = out->elem ? out->elem : ck_type_scalar(CK_TYPE_FLOAT64);
    return ck_const_count(call->fn, &out->num, 1, out->elem, call->syntax->span) >= 0;
}

/* Element i, computed as NumPy does: its step is rounded before it is multiplied. */
static double
linear_item(double start, double stop, const struct spaced *spaced, int64_t i)
{
    int64_t num = spaced->num, n_steps = spaced->endpoint ? num - 1 : num;
    double distance = stop - start, step = distance / (double)n_steps;
    if (spaced->endpoint && num > 1 && i == num - 1)
        return stop;
    if (n_steps == 0)
        return (double)i * distance + start;
    double way = step == 0 ? (double)i / (double)n_steps * distance : (double)i * step;
    return way + start;
}

static struct ck_value
array_of_numbers(struct ck_call *call, const struct spaced *spaced, const double *numbers)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, spaced->num);
    for (int64_t i = 0; i < spaced->num; i++) {
        struct ck_value item = ck_value_run(f64, ck_const_float(fn, f64, numbers[i], span));
        item.span = span;
        items[i] = ck_const_element_of(fn, &item, spaced->elem);
        if (!items[i])
            return ck_value_error(span);
    }
    return ck_const_array_value(fn, spaced->elem, &spaced->num, 1, items, span);
}

struct ck_value
ck_rule_linspace(struct ck_call *call)
{
    struct spaced spaced;
    bool with_step = false;
    if (!take_spaced(call, 5, &spaced) || !take_bool(call, 4, "retstep", &with_step))
        return ck_value_error(call->syntax->span);
    if (with_step) {
        ck_error(call->fn, NOT_SUPPORTED, call->syntax->span, "the step as a result of `linspace`");
        return ck_value_error(call->syntax->span);
    }
    double *numbers = CK_NEW_ARRAY(call->fn->c->arena, double, spaced.num);
    for (int64_t i = 0; i < spaced.num; i++) {
        numbers[i] = linear_item(spaced.start, spaced.stop, &spaced, i);
        if (ck_type_is_int(spaced.elem))
            numbers[i] = floor(numbers[i]);
    }
    return array_of_numbers(call, &spaced, numbers);
}

struct ck_value
ck_rule_logspace(struct ck_call *call)
{
    struct spaced spaced;
    double base = 10;
    const struct ck_expr *syntax = ck_const_argument(call, 4, "base");
    if (!take_spaced(call, 5, &spaced) || (syntax && !take_float64(call, syntax, &base)))
        return ck_value_error(call->syntax->span);
    double *numbers = CK_NEW_ARRAY(call->fn->c->arena, double, spaced.num);
    for (int64_t i = 0; i < spaced.num; i++)
        numbers[i] = pow(base, linear_item(spaced.start, spaced.stop, &spaced, i));
    return array_of_numbers(call, &spaced, numbers);
}

/* Powers of ten between the logarithms of the bounds, whose signs are the same. */
struct ck_value
ck_rule_geomspace(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct spaced spaced;
    if (!take_spaced(call, 4, &spaced))
        return ck_value_error(call->syntax->span);
    if (!(spaced.start * spaced.stop > 0)) {
        ck_error(fn, WRONG_TYPE, call->syntax->span,
                 "the bounds of `geomspace` are both above zero, or both below");
        return ck_value_error(call->syntax->span);
    }
    double sign = spaced.start < 0 ? -1 : 1;
    double first = log10(spaced.start * sign), last = log10(spaced.stop * sign);
    double *numbers = CK_NEW_ARRAY(fn->c->arena, double, spaced.num);
    for (int64_t i = 0; i < spaced.num; i++)
        numbers[i] = sign * pow(10, linear_item(first, last, &spaced, i));
    numbers[0] = spaced.start;
    if (spaced.num > 1 && spaced.endpoint)
        numbers[spaced.num - 1] = spaced.stop;
    return array_of_numbers(call, &spaced, numbers);
}

/* --- Windows -------------------------------------------------------------------------------------
 */

/* A window of 2 * m + 1 points, or one less, at a distance of n from its middle. */
static double
window_item(enum ck_builtin_id id, double n, double m)
{
    static const double pi = 3.14159265358979323846;
    switch (id) {
    case CK_BUILTIN_BARTLETT:
        return n <= 0 ? 1 + n / m : 1 - n / m;
    case CK_BUILTIN_BLACKMAN:
        return 0.42 + 0.5 * cos(pi * n / m) + 0.08 * cos(2.0 * pi * n / m);
    case CK_BUILTIN_HAMMING:
        return 0.54 + 0.46 * cos(pi * n / m);
    default: /* HANNING */
        return 0.5 + 0.5 * cos(pi * n / m);
    }
}

struct ck_value
ck_rule_window(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_span span = call->syntax->span;
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    const struct ck_expr *syntax = ck_const_argument(call, 0, "M");
    int64_t count;
    struct ck_value value = ck_check_run(fn, syntax);
    if (value.kind != CK_VALUE_RUN)
        return ck_value_error(span);
    if (!ck_value_const_int(&value, &count) || count < 1) {
        ck_error(fn, WRONG_TYPE, syntax->span, "an extent must be at least 1");
        return ck_value_error(span);
    }
    if (ck_const_count(fn, &count, 1, f64, span) < 0)
        return ck_value_error(span);
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    for (int64_t i = 0; i < count; i++) {
        const double n = (double)(1 - count + 2 * i);
        const double item = count == 1 ? 1 : window_item(call->id, n, (double)(count - 1));
        items[i] = ck_const_float(fn, f64, item, span);
    }
    return ck_const_array_value(fn, f64, &count, 1, items, span);
}
