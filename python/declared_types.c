/* Scalars of a launch take the types that the kernel declares, as Numba converts them: a Python int
 * is an int32, or a float32, where the signature says so. */
#include "ckpy.h"

#include <string.h>

enum fit { FITS_NOT, FITS_CONVERTED, FITS };

static int
is_integer(ck_dtype dtype)
{
    return dtype >= CK_INT8 && dtype <= CK_UINT64;
}

static int
is_float(ck_dtype dtype)
{
    return dtype >= CK_FLOAT16 && dtype <= CK_FLOAT64;
}

static int
is_complex(ck_dtype dtype)
{
    return dtype == CK_COMPLEX64 || dtype == CK_COMPLEX128;
}

static int
is_unsigned(ck_dtype dtype)
{
    return dtype >= CK_UINT8 && dtype <= CK_UINT64;
}

static int
is_date(ck_dtype dtype)
{
    return dtype >= CK_DATETIME64_Y && dtype <= CK_TIMEDELTA64;
}

/* Whether an integer's value is one of `to`, an integer or bool. */
static int
has_value(const ck_arg *arg, ck_dtype to)
{
    const int is_negative = !is_unsigned(arg->scalar) && arg->value.i < 0;
    const unsigned bits = 8 * (unsigned)ck_dtype_size(to);
    if (to == CK_BOOL)
        return arg->value.u <= 1;
    if (is_unsigned(to))
        return !is_negative && (bits == 64 || arg->value.u >> bits == 0);
    if (is_negative)
        return arg->value.i >= -(int64_t)(UINT64_C(1) << (bits - 2)) * 2;
    return arg->value.u >> (bits - 1) == 0;
}

/* As the value of another type. 0: the type has no such value; *overflows: but others of its kind.
 */
static int
convert(ck_arg *arg, ck_dtype to, int *overflows)
{
    const ck_dtype from = arg->scalar;
    if (is_date(from) || is_date(to)) { /* one without a unit takes any */
        if (!(from == CK_DATETIME64 && to >= CK_DATETIME64_Y && to < CK_DATETIME64) &&
            !(from == CK_TIMEDELTA64 && to >= CK_TIMEDELTA64_Y && to < CK_TIMEDELTA64))
            return 0;
        arg->scalar = to;
        return 1;
    }
    const int whole = is_integer(from) || from == CK_BOOL;
    if (whole && (is_integer(to) || to == CK_BOOL)) {
        *overflows = !has_value(arg, to);
        if (*overflows)
            return 0;
    } else if (is_float(to) || is_complex(to)) {
        double real = is_float(from)      ? arg->value.f
                      : is_unsigned(from) ? (double)arg->value.u
                      : is_complex(from)  ? arg->value.c.real
                                          : (double)arg->value.i;
        if (is_float(to) && is_complex(from))
            return 0;
        if (is_float(to))
            arg->value.f = real;
        else
            arg->value.c = (ck_complex){real, is_complex(from) ? arg->value.c.imaginary : 0};
    } else {
        return 0;
    }
    arg->scalar = to;
    return 1;
}

static int
is_number(ck_dtype dtype)
{
    return dtype == CK_BOOL || is_integer(dtype) || is_float(dtype) || is_complex(dtype) ||
           is_date(dtype);
}

/* Arrays fit whatever their layout: the runtime says what is wrong with it. */
static int
fits_array(const ck_param_info *param, const ck_array *a)
{
    if (!param->ndim || param->lanes)
        return param->ndim != 0;
    return (param->ndim == CK_ZERO_DIM ? 0 : param->ndim) == a->ndim && param->dtype == a->dtype &&
           (a->dtype != CK_RECORD || ck_record_equal(param->record, a->record));
}

static enum fit
fit_one(const ck_param_info *param, const ck_arg *arg, int *overflows)
{
    ck_arg copy = *arg;
    if (!arg->scalar)
        return fits_array(param, arg->value.array) ? FITS : FITS_NOT;
    if (arg->scalar == CK_TUPLE || !is_number(arg->scalar))
        return param->dtype == arg->scalar && (uint64_t)param->n_items == arg->value.u ? FITS
                                                                                       : FITS_NOT;
    if (param->ndim || !is_number(param->dtype))
        return FITS_NOT;
    if (param->dtype == arg->scalar)
        return FITS;
    return convert(&copy, param->dtype, overflows) ? FITS_CONVERTED : FITS_NOT;
}

/* *overflow: the first argument that fits but for its value. */
static enum fit
fit_all(const ck_kernel_desc *desc, const struct ckpy_args *list, size_t *overflow)
{
    enum fit worst = FITS;
    if ((size_t)desc->n_params != list->n)
        return FITS_NOT;
    for (size_t i = 0; i < list->n && worst; i++) {
        int overflows = 0;
        enum fit fit = fit_one(&desc->params[i], &list->args[i], &overflows);
        worst = fit < worst ? fit : worst;
        *overflow = overflows ? i : *overflow;
    }
    return worst;
}

static int
fail_value(const ck_param_info *param, const ck_arg *arg)
{
    const char *type = ck_dtype_name(param->dtype);
    if (is_unsigned(arg->scalar))
        PyErr_Format(PyExc_OverflowError, "argument `%s`: %llu is out of the range of %s",
                     param->name, (unsigned long long)arg->value.u, type);
    else
        PyErr_Format(PyExc_OverflowError, "argument `%s`: %lld is out of the range of %s",
                     param->name, (long long)arg->value.i, type);
    return -1;
}

int
ckpy_take_declared_types(struct ckpy_args *list)
{
    const struct ckpy_record *kernel = list->kernel;
    const ck_kernel_desc *chosen = NULL;
    size_t overflow = list->n;
    for (size_t i = 0; i < kernel->n_declared; i++) {
        enum fit fit = fit_all(kernel->declared[i], list, &overflow);
        if (fit == FITS)
            return 0;
        if (fit == FITS_CONVERTED && !chosen)
            chosen = kernel->declared[i];
    }
    if (!chosen && overflow < list->n && kernel->n_declared == 1)
        return fail_value(&kernel->declared[0]->params[overflow], &list->args[overflow]);
    for (size_t i = 0; chosen && i < list->n; i++) {
        const ck_param_info *param = &chosen->params[i];
        int overflows;
        if (is_number(list->args[i].scalar) && param->dtype != list->args[i].scalar)
            convert(&list->args[i], param->dtype, &overflows);
    }
    return 0;
}

int
ckpy_kernel_takes_tuple(const struct ckpy_record *kernel, size_t position)
{
    for (size_t i = 0; i < kernel->n_declared; i++) {
        const ck_kernel_desc *desc = kernel->declared[i];
        int param = 0;
        for (size_t k = 1; k < position; k++)
            param = ckpy_next_param(desc, param);
        if (param < desc->n_params && desc->params[param].dtype == CK_TUPLE)
            return 1;
    }
    return 0;
}
