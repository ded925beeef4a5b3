/* Operators on arrays and on numbers with a dtype, with NumPy's results: broadcasting, and the
 * common dtypes of NumPy 2, where plain numbers are weak (NEP 50). */
#include "expr.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Common dtypes -----------------------------------------------------------------------------
 */

static bool
is_signed(ck_dtype dtype)
{
    return dtype >= CK_INT8 && dtype <= CK_INT64;
}

static ck_dtype
common_int(ck_dtype a, ck_dtype b)
{
    static const ck_dtype wider[] = {CK_INT16, CK_INT32, CK_INT64}; /* of 1, 2 and 4 bytes */
    size_t a_bytes = ck_dtype_size(a), b_bytes = ck_dtype_size(b);
    if (is_signed(a) == is_signed(b))
        return a_bytes > b_bytes ? a : b;
    ck_dtype with_sign = is_signed(a) ? a : b, without = is_signed(a) ? b : a;
    size_t bytes = ck_dtype_size(without);
    if (ck_dtype_size(with_sign) > bytes)
        return with_sign;
    return bytes == 8 ? CK_FLOAT64 : wider[bytes / 2];
}

/* The floats that hold a dtype's values, beside those of `other`. */
static ck_dtype
float_part(ck_dtype dtype, ck_dtype other)
{
    if (dtype == CK_COMPLEX64)
        return CK_FLOAT32;
    if (dtype == CK_COMPLEX128)
        return CK_FLOAT64;
    if (!ckrun_is_int_dtype(dtype))
        return dtype;
    switch (ck_dtype_size(dtype)) {
    case 1:
        return other == CK_BFLOAT16 ? CK_BFLOAT16 : CK_FLOAT16;
    case 2:
        return CK_FLOAT32;
    default:
        return CK_FLOAT64;
    }
}

ck_dtype
ckrun_common_dtype(ck_dtype a, ck_dtype b)
{
    if (a == b || b == CK_BOOL)
        return a;
    if (a == CK_BOOL)
        return b;
    if (ckrun_is_int_dtype(a) && ckrun_is_int_dtype(b))
        return common_int(a, b);
    ck_dtype x = float_part(a, b), y = float_part(b, a);
    ck_dtype part = x == y ? x : x == CK_FLOAT64 || y == CK_FLOAT64 ? CK_FLOAT64 : CK_FLOAT32;
    if (!ckrun_is_complex_dtype(a) && !ckrun_is_complex_dtype(b))
        return part;
    return part == CK_FLOAT64 ? CK_COMPLEX128 : CK_COMPLEX64;
}

/* The dtype of a plain number beside one of `dtype`. */
static ck_dtype
beside_weak(ck_dtype dtype, enum ckrun_kind kind)
{
    bool is_int = ckrun_is_int_dtype(dtype);
    switch (kind) {
    case CKRUN_INT:
        return dtype == CK_BOOL ? CK_INT64 : dtype;
    case CKRUN_FLOAT:
        return is_int ? CK_FLOAT64 : dtype;
    case CKRUN_COMPLEX:
        return is_int || dtype == CK_FLOAT64 || dtype == CK_COMPLEX128 ? CK_COMPLEX128
                                                                       : CK_COMPLEX64;
    default:
        return dtype;
    }
}

static ck_dtype
dtype_of(const struct ckrun_value *v)
{
    return v->kind == CKRUN_ARRAY ? v->array->host.dtype : v->dtype;
}

/* At least one of the two has a dtype. */
static ck_dtype
common_of(const struct ckrun_value *a, const struct ckrun_value *b)
{
    ck_dtype x = dtype_of(a), y = dtype_of(b);
    if (x && y)
        return ckrun_common_dtype(x, y);
    return x ? beside_weak(x, b->kind) : beside_weak(y, a->kind);
}

/* --- One element -------------------------------------------------------------------------------
 */

static bool
is_comparison(enum ckrun_operator op)
{
    return op >= CKRUN_LESS && op <= CKRUN_NOT_EQUAL;
}

/* An integer as its dtype holds it: the low bits. */
static ckrun_int
wrap(ck_dtype dtype, ckrun_int i)
{
    int shift = 128 - 8 * (int)ck_dtype_size(dtype);
    if (dtype == CK_BOOL)
        return i != 0;
    unsigned __int128 high = (unsigned __int128)i << shift;
    return is_signed(dtype) ? (ckrun_int)high >> shift : (ckrun_int)(high >> shift);
}

static ckrun_int
shifted(enum ckrun_operator op, ckrun_int a, ckrun_int b)
{
    if (b < 0 || b > 64)
        return op == CKRUN_SHIFT_RIGHT && a < 0 ? -1 : 0;
    return op == CKRUN_SHIFT_LEFT ? (ckrun_int)((unsigned __int128)a << b) : a >> b;
}

/* By squaring, in the low 64 bits. */
static ckrun_int
power_of(ckrun_int base, ckrun_int exponent)
{
    uint64_t result = 1, square = (uint64_t)base;
    for (; exponent > 0; exponent >>= 1, square *= square)
        result *= exponent & 1 ? square : 1;
    return (ckrun_int)result;
}

static ckrun_int
combine_ints(enum ckrun_operator op, ckrun_int a, ckrun_int b)
{
    ckrun_int quotient;
    switch (op) {
    case CKRUN_ADD:
        return a + b;
    case CKRUN_SUBTRACT:
        return a - b;
    case CKRUN_MULTIPLY:
        return (ckrun_int)((unsigned __int128)a * (unsigned __int128)b);
    case CKRUN_FLOOR_DIVIDE:
    case CKRUN_REMAINDER:
        quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
        return op == CKRUN_REMAINDER ? a - quotient * b : quotient;
    case CKRUN_BIT_AND:
        return a & b;
    case CKRUN_BIT_OR:
        return a | b;
    case CKRUN_BIT_XOR:
        return a ^ b;
    case CKRUN_SHIFT_LEFT:
    case CKRUN_SHIFT_RIGHT:
        return shifted(op, a, b);
    default:
        return power_of(a, b);
    }
}

static bool
compare_numbers(enum ckrun_operator op, bool less, bool equal)
{
    switch (op) {
    case CKRUN_LESS:
        return less;
    case CKRUN_LESS_EQUAL:
        return less || equal;
    case CKRUN_EQUAL:
        return equal;
    default:
        return !equal;
    }
}

/* Greater is less with the operands swapped. A NaN is neither less than a number nor equal. */
static bool
compare_elements(enum ckrun_operator op, const struct ckrun_element *a,
                 const struct ckrun_element *b)
{
    if (op == CKRUN_GREATER || op == CKRUN_GREATER_EQUAL)
        return compare_elements(op == CKRUN_GREATER ? CKRUN_LESS : CKRUN_LESS_EQUAL, b, a);
    bool a_is_int = ckrun_is_int_dtype(a->dtype), b_is_int = ckrun_is_int_dtype(b->dtype);
    if (a_is_int && b_is_int)
        return compare_numbers(op, a->i < b->i, a->i == b->i);
    double x = a_is_int ? (double)a->i : a->re, y = b_is_int ? (double)b->i : b->re;
    return compare_numbers(op, x < y, x == y && a->im == b->im);
}

static void
combine_complex(struct ckrun_element *out, enum ckrun_operator op, const struct ckrun_element *a,
                const struct ckrun_element *b)
{
    double complex x = __builtin_complex(a->re, a->im), y = __builtin_complex(b->re, b->im);
    double complex z = op == CKRUN_ADD        ? x + y
                       : op == CKRUN_SUBTRACT ? x - y
                       : op == CKRUN_MULTIPLY ? x * y
                       : op == CKRUN_DIVIDE   ? x / y
                                              : cpow(x, y);
    out->re = creal(z);
    out->im = cimag(z);
}

/* --- The operation -----------------------------------------------------------------------------
 */

/* An array that is broadcast to the shape of the result, or a number. */
struct operand {
    const ck_npy *array; /* NULL: a number */
    struct ckrun_element number;
    int64_t strides[CK_MAX_DIMS]; /* in elements, of each dimension of the result */
};

struct operation {
    struct ckrun_parser *p;
    const char *at;
    enum ckrun_operator op;
    ck_dtype common; /* what the operands are converted to; of a comparison: their own */
    struct operand a, b;
    int ndim;
    int64_t shape[CK_MAX_DIMS];
};

/* The dtype in which an operator computes and answers; NONE after an error. */
static ck_dtype
operator_dtype(struct ckrun_parser *p, const char *at, enum ckrun_operator op, ck_dtype common)
{
    bool is_int = ckrun_is_int_dtype(common), is_complex = ckrun_is_complex_dtype(common);
    const char *what = NULL;
    if (is_comparison(op)) {
        if (is_complex && op < CKRUN_EQUAL)
            what = "complex numbers have no order";
    } else if (op == CKRUN_DIVIDE) {
        return is_int ? CK_FLOAT64 : common;
    } else if (op >= CKRUN_BIT_AND && op <= CKRUN_SHIFT_RIGHT) {
        if (!is_int)
            what = "bitwise operators are for integers and bools";
        else if (common == CK_BOOL && op >= CKRUN_SHIFT_LEFT)
            what = "bools have no shifts: convert them, x.astype(int32)";
    } else if (is_complex && (op == CKRUN_FLOOR_DIVIDE || op == CKRUN_REMAINDER)) {
        what = "complex numbers have no `//` and no `%`";
    } else if (common == CK_BOOL && op != CKRUN_ADD && op != CKRUN_MULTIPLY) {
        what = "of bools there are only + and *: convert them, x.astype(int32)";
    }
    if (what)
        ckrun_parse_fail(p, at, "%s", what);
    return what ? CK_DTYPE_NONE : common;
}

/* One dimension of the result, from those of the two operands. */
static bool
broadcast(struct operation *o, int dim)
{
    int64_t size = 1;
    struct operand *operands[] = {&o->a, &o->b};
    for (int k = 0; k < 2; k++) {
        const ck_npy *array = operands[k]->array;
        int own = array ? dim - (o->ndim - array->ndim) : -1;
        if (own < 0 || array->shape[own] == 1)
            continue;
        if (size != 1 && size != array->shape[own])
            return false;
        size = array->shape[own];
    }
    o->shape[dim] = size;
    return true;
}

/* Steps in memory, for each dimension of the result; 0 where the operand is repeated. */
static void
set_strides(const struct operation *o, struct operand *operand)
{
    const ck_npy *array = operand->array;
    int64_t stride = 1;
    for (int k = 0; array && k < array->ndim; k++) {
        int own = array->fortran_order ? k : array->ndim - 1 - k;
        int dim = own + o->ndim - array->ndim;
        operand->strides[dim] = array->shape[own] == 1 ? 0 : stride;
        stride *= array->shape[own];
    }
}

static bool
broadcast_all(struct operation *o)
{
    int a_ndim = o->a.array ? o->a.array->ndim : 0, b_ndim = o->b.array ? o->b.array->ndim : 0;
    o->ndim = a_ndim > b_ndim ? a_ndim : b_ndim;
    for (int dim = 0; dim < o->ndim; dim++) {
        if (broadcast(o, dim))
            continue;
        char *a = ckrun_shape_text(a_ndim, o->a.array->shape);
        char *b = ckrun_shape_text(b_ndim, o->b.array->shape);
        ckrun_parse_fail(o->p, o->at, "arrays of shapes %s and %s do not fit together", a, b);
        free(a);
        free(b);
        return false;
    }
    set_strides(o, &o->a);
    set_strides(o, &o->b);
    return true;
}

static bool
set_operand(struct operation *o, struct operand *out, const struct ckrun_value *v)
{
    char *error = NULL;
    if (v->kind == CKRUN_ARRAY) {
        out->array = &v->array->host;
        return true;
    }
    if (is_comparison(o->op)) { /* exactly as it is */
        bool is_int = v->kind == CKRUN_BOOL || v->kind == CKRUN_INT;
        out->number = (struct ckrun_element){.dtype = is_int ? CK_INT64 : CK_COMPLEX128,
                                             .i = is_int ? v->i : 0,
                                             .re = is_int ? 0 : v->f,
                                             .im = v->kind == CKRUN_COMPLEX ? v->im : 0};
        return true;
    }
    if (ckrun_convert(&out->number, v->dtype ? v->dtype : o->common, v, &error))
        return true;
    ckrun_parse_fail_text(o->p, o->at, error);
    return false;
}

/* An operand's element in the dtype of the operation. */
static struct ckrun_element
converted(const struct operation *o, const struct operand *operand, int64_t offset)
{
    struct ckrun_element e = operand->array ? ckrun_load(operand->array, offset) : operand->number;
    if (is_comparison(o->op) || e.dtype == o->common)
        return e;
    if (ckrun_is_int_dtype(e.dtype) && !ckrun_is_int_dtype(o->common))
        e.re = ckrun_round_to(o->common, (double)e.i);
    e.dtype = o->common;
    return e;
}

static bool
fail_element(const struct operation *o, const char *what, const char *text)
{
    ckrun_parse_fail(o->p, o->at, "%s%s", text, what);
    return false;
}

/* Numbers do not wrap, unlike elements of arrays. False after an error. */
static bool
combine_into(const struct operation *o, struct ckrun_element *out, const struct ckrun_element *a,
             const struct ckrun_element *b)
{
    bool is_power = o->op == CKRUN_POWER, is_array = o->a.array || o->b.array;
    *out = (struct ckrun_element){.dtype = o->common};
    if (is_comparison(o->op)) {
        *out = (struct ckrun_element){.dtype = CK_BOOL, .i = compare_elements(o->op, a, b)};
    } else if (ckrun_is_complex_dtype(o->common)) {
        combine_complex(out, o->op, a, b);
    } else if (!ckrun_is_int_dtype(o->common)) {
        out->re = ckrun_round_to(o->common, ckrun_combine_floats(o->op, a->re, b->re));
    } else if ((o->op == CKRUN_FLOOR_DIVIDE || o->op == CKRUN_REMAINDER) && b->i == 0) {
        return fail_element(o, "", "an integer is divided by zero");
    } else if (is_power && b->i < 0) {
        return fail_element(o, "",
                            "an integer has no negative power: convert it, x.astype(float64)");
    } else {
        ckrun_int exact = combine_ints(o->op, a->i, b->i);
        out->i = wrap(o->common, exact);
        bool overflows = !is_array && is_power && ckrun_int_power(&exact, a->i, b->i);
        if (!is_array && o->common != CK_BOOL && (overflows || out->i != exact))
            return fail_element(o, ck_dtype_name(o->common), "the result does not fit in ");
    }
    return true;
}

static struct ckrun_value
combine_numbers(struct operation *o)
{
    struct ckrun_element a = converted(o, &o->a, 0), b = converted(o, &o->b, 0), result;
    if (!combine_into(o, &result, &a, &b))
        return ckrun_int_value(1);
    return ckrun_number_of(&result);
}

static struct ckrun_value
combine_arrays(struct operation *o)
{
    int64_t index[CK_MAX_DIMS] = {0};
    char *error = NULL;
    ck_dtype dtype = is_comparison(o->op) ? CK_BOOL : o->common;
    struct ckrun_array *array = ckrun_array_new(o->p->env, dtype, o->ndim, o->shape, false, &error);
    if (!array) {
        ckrun_parse_fail_text(o->p, o->at, error);
        return ckrun_int_value(1);
    }
    int64_t count = ckrun_count(&array->host);
    for (int64_t i = 0; i < count; i++) {
        int64_t a_offset = 0, b_offset = 0;
        for (int dim = 0; dim < o->ndim; dim++) {
            a_offset += index[dim] * o->a.strides[dim];
            b_offset += index[dim] * o->b.strides[dim];
        }
        struct ckrun_element a = converted(o, &o->a, a_offset), b = converted(o, &o->b, b_offset);
        struct ckrun_element result;
        if (!combine_into(o, &result, &a, &b))
            break;
        ckrun_store(&array->host, i, &result);
        ckrun_next_index(&array->host, index);
    }
    return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = array};
}

struct ckrun_value
ckrun_operate_typed(struct ckrun_parser *p, const char *at, enum ckrun_operator op,
                    const struct ckrun_value *a, const struct ckrun_value *b)
{
    struct operation o = {.p = p, .at = at, .op = op};
    if ((a->kind == CKRUN_ARRAY && ckrun_refuse_records(p, at, &a->array->host)) ||
        (b->kind == CKRUN_ARRAY && ckrun_refuse_records(p, at, &b->array->host)) ||
        ckrun_refuse_dates(p, at, a->dtype) || ckrun_refuse_dates(p, at, b->dtype))
        return ckrun_int_value(1);
    o.common = operator_dtype(p, at, op, common_of(a, b));
    if (!o.common || !set_operand(&o, &o.a, a) || !set_operand(&o, &o.b, b) || !broadcast_all(&o))
        return ckrun_int_value(1);
    return o.a.array || o.b.array ? combine_arrays(&o) : combine_numbers(&o);
}

struct ckrun_value
ckrun_select(struct ckrun_parser *p, const char *at, const ck_npy *shape,
             const struct ckrun_value values[3])
{
    struct operation o = {.p = p, .at = at, .op = CKRUN_ADD, .ndim = shape->ndim};
    struct operand operands[3] = {0};
    int64_t index[CK_MAX_DIMS] = {0};
    char *error = NULL;
    bool typed = dtype_of(&values[1]) || dtype_of(&values[2]);
    ck_dtype plain = values[1].kind > values[2].kind ? ckrun_plain_dtype(&values[1])
                                                     : ckrun_plain_dtype(&values[2]);
    o.common = typed ? common_of(&values[1], &values[2]) : plain;
    memcpy(o.shape, shape->shape, sizeof o.shape);
    for (int k = 0; k < 3; k++) {
        struct operation for_operand = o;
        if (k == 0)
            for_operand.op = CKRUN_EQUAL; /* the condition keeps its dtype */
        if (!set_operand(&for_operand, &operands[k], &values[k]))
            return ckrun_int_value(0);
        set_strides(&o, &operands[k]);
    }
    struct ckrun_array *array = ckrun_array_new(p->env, o.common, o.ndim, o.shape, false, &error);
    if (!array)
        ckrun_parse_fail_text(p, at, error);
    for (int64_t i = 0; array && i < ckrun_count(&array->host); i++) {
        int64_t offset[3] = {0};
        for (int k = 0; k < 3; k++)
            for (int dim = 0; dim < o.ndim; dim++)
                offset[k] += index[dim] * operands[k].strides[dim];
        struct ckrun_element c =
            operands[0].array ? ckrun_load(operands[0].array, offset[0]) : operands[0].number;
        int chosen = c.i || c.re != 0 || c.im != 0 ? 1 : 2;
        struct ckrun_element e = converted(&o, &operands[chosen], offset[chosen]);
        ckrun_store(&array->host, i, &e);
        ckrun_next_index(&array->host, index);
    }
    return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = array};
}

/* --- The product of matrices -------------------------------------------------------------------
 */

/* The rows of a matrix, or the columns, one after the other: numbers of one kind. */
struct vectors {
    double *re, *im; /* of floats */
    uint64_t *i;     /* of integers, whose low 64 bits suffice */
    int64_t length;
};

static void
vectors_release(struct vectors *v)
{
    free(v->re);
    free(v->im);
    free(v->i);
}

/* Vector k is row k, or with `columns` column k; an array of one dimension is one vector. */
static struct vectors
take_vectors(const ck_npy *array, bool columns, bool ints)
{
    size_t count = (size_t)ckrun_count(array);
    struct vectors v = {.length = columns ? array->shape[0] : array->shape[array->ndim - 1]};
    v.i = tool_alloc(ints ? count * sizeof *v.i : 1);
    v.re = tool_alloc(ints ? 1 : count * sizeof *v.re);
    v.im = tool_alloc(ints ? 1 : count * sizeof *v.im);
    for (size_t at = 0; at < count; at++) {
        int64_t vector = (int64_t)at / v.length, k = (int64_t)at % v.length;
        const int64_t index[] = {array->ndim == 1 || columns ? k : vector, columns ? vector : k};
        struct ckrun_element e = ckrun_load(array, ckrun_offset(array, index));
        if (ints) {
            v.i[at] = (uint64_t)e.i;
            continue;
        }
        v.re[at] = ckrun_is_int_dtype(e.dtype) ? (double)e.i : e.re;
        v.im[at] = e.im;
    }
    return v;
}

/* Integers wrap; floats are summed with the precision of float64. */
static struct ckrun_element
inner_product(ck_dtype dtype, const struct vectors *a, const struct vectors *b, int64_t row,
              int64_t column)
{
    struct ckrun_element sum = {.dtype = dtype};
    uint64_t bits = 0, any = 0;
    size_t i = (size_t)(row * a->length), j = (size_t)(column * a->length);
    bool ints = ckrun_is_int_dtype(dtype), any_complex = ckrun_is_complex_dtype(dtype);
    for (int64_t k = 0; k < a->length; k++, i++, j++) {
        if (ints) {
            bits += a->i[i] * b->i[j];
            any |= a->i[i] & b->i[j];
        } else if (any_complex) {
            sum.re += a->re[i] * b->re[j] - a->im[i] * b->im[j];
            sum.im += a->re[i] * b->im[j] + a->im[i] * b->re[j];
        } else {
            sum.re += a->re[i] * b->re[j];
        }
    }
    sum.i = dtype == CK_BOOL ? any != 0 : wrap(dtype, (ckrun_int)bits);
    sum.re = ckrun_round_to(dtype, sum.re);
    sum.im = ckrun_round_to(dtype, sum.im);
    return sum;
}

static struct ckrun_value
multiply_matrices(struct ckrun_parser *p, const char *at, const ck_npy *a, const ck_npy *b)
{
    ck_dtype dtype = ckrun_common_dtype(a->dtype, b->dtype);
    int64_t columns = b->ndim == 2 ? b->shape[1] : 1, shape[2];
    int ndim = 0;
    char *error = NULL;
    if (a->ndim == 2)
        shape[ndim++] = a->shape[0];
    if (b->ndim == 2)
        shape[ndim++] = columns;
    struct ckrun_array *array = ckrun_array_new(p->env, dtype, ndim, shape, false, &error);
    if (!array) {
        ckrun_parse_fail_text(p, at, error);
        return ckrun_int_value(1);
    }
    bool ints = ckrun_is_int_dtype(dtype);
    struct vectors rows = take_vectors(a, false, ints), of_b = take_vectors(b, true, ints);
    for (int64_t i = 0; i < ckrun_count(&array->host); i++) {
        struct ckrun_element e = inner_product(dtype, &rows, &of_b, i / columns, i % columns);
        ckrun_store(&array->host, i, &e);
    }
    vectors_release(&rows);
    vectors_release(&of_b);
    if (ndim)
        return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = array};
    struct ckrun_element only = ckrun_load(&array->host, 0);
    return ckrun_number_of(&only);
}

struct ckrun_value
ckrun_matrix_product(struct ckrun_parser *p, const char *at, const struct ckrun_value *left,
                     const struct ckrun_value *right)
{
    bool possible = left->kind == CKRUN_ARRAY && right->kind == CKRUN_ARRAY;
    const ck_npy *a = possible ? &left->array->host : NULL;
    const ck_npy *b = possible ? &right->array->host : NULL;
    if (possible && (ckrun_refuse_records(p, at, a) || ckrun_refuse_records(p, at, b)))
        return ckrun_int_value(1);
    possible = possible && a->ndim >= 1 && a->ndim <= 2 && b->ndim >= 1 && b->ndim <= 2 &&
               a->shape[a->ndim - 1] == b->shape[0];
    if (!possible) {
        ckrun_parse_fail(p, at,
                         "`@` multiplies arrays of one or two dimensions, the last one of "
                         "the first array being as long as the first one of the second");
        return ckrun_int_value(1);
    }
    return multiply_matrices(p, at, a, b);
}
