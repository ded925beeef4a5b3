/* The promotion table: the result type of an operation on two types, and the type of a name where
 * two paths join. The table is in LANGUAGE.md.
 *
 * There are three joins. ck_promote computes the common type to which two values convert.
 * ck_arithmetic_type computes the type in which an operator computes: never an integer below 32
 * bits, as in C. ck_join_names computes the type of a name that two paths bind: an integer literal
 * on one of them makes it int64, because the name is likely an accumulator. */
#include "lang/typed/type_promotion.h"

/* The signed type of at least `bits` bits, or NULL above 64. */
static const struct ck_type *
signed_of(int bits)
{
    return bits <= 8    ? ck_type_scalar(CK_TYPE_INT8)
           : bits <= 16 ? ck_type_scalar(CK_TYPE_INT16)
           : bits <= 32 ? ck_type_scalar(CK_TYPE_INT32)
           : bits <= 64 ? ck_type_scalar(CK_TYPE_INT64)
                        : NULL;
}

static const struct ck_type *
promote_ints(const struct ck_type *a, const struct ck_type *b)
{
    if (ck_type_is_signed(a) == ck_type_is_signed(b))
        return ck_type_bits(a) >= ck_type_bits(b) ? a : b;
    const struct ck_type *s = ck_type_is_signed(a) ? a : b;
    const struct ck_type *u = ck_type_is_signed(a) ? b : a;
    if (ck_type_bits(u) < ck_type_bits(s))
        return s;
    return signed_of(ck_type_bits(u) * 2);
}

/* A 16-bit float has too few bits for an integer of more than 8 bits. */
static const struct ck_type *
promote_float_int(const struct ck_type *f, const struct ck_type *i)
{
    bool wide = ck_type_is_int(i) && !ck_type_is_weak(i) && ck_type_bits(i) > 8;
    return wide && ck_type_bits(f) == 16 ? ck_type_scalar(CK_TYPE_FLOAT32) : f;
}

static const struct ck_type *
promote_floats(const struct ck_type *a, const struct ck_type *b)
{
    if (a == b)
        return a;
    if (ck_type_bits(a) == ck_type_bits(b)) /* float16 with bfloat16 */
        return ck_type_scalar(CK_TYPE_FLOAT32);
    return ck_type_bits(a) > ck_type_bits(b) ? a : b;
}

/* The parts of a complex operand promote as floats with the other operand: a complex literal counts
 * as a float literal, which an integer promotes to float64. */
static const struct ck_type *
promote_complex(const struct ck_type *a, const struct ck_type *b)
{
    const struct ck_type *part = ck_promote(ck_type_is_complex(a) ? ck_type_part(a) : a,
                                            ck_type_is_complex(b) ? ck_type_part(b) : b);
    return ck_type_scalar(part->kind == CK_TYPE_WEAK_FLOAT ? CK_TYPE_WEAK_COMPLEX
                          : part->kind == CK_TYPE_FLOAT64  ? CK_TYPE_COMPLEX128
                                                           : CK_TYPE_COMPLEX64);
}

const struct ck_type *
ck_promote(const struct ck_type *a, const struct ck_type *b)
{
    if (ck_type_is_complex(a) || ck_type_is_complex(b))
        return a == b ? a : promote_complex(a, b);
    if (a->kind == CK_TYPE_BOOL && ck_type_is_float(b) && !ck_type_is_weak(b))
        return b;
    if (b->kind == CK_TYPE_BOOL && ck_type_is_float(a) && !ck_type_is_weak(a))
        return a;
    const struct ck_type *i32 = ck_type_scalar(CK_TYPE_INT32);
    if (a->kind == CK_TYPE_BOOL)
        a = i32;
    if (b->kind == CK_TYPE_BOOL)
        b = i32;
    if (a == b)
        return a;
    if (ck_type_is_weak(a) && ck_type_is_weak(b))
        return ck_type_scalar(CK_TYPE_WEAK_FLOAT); /* one is an integer, one a float */
    if (ck_type_is_weak(a) || ck_type_is_weak(b)) {
        const struct ck_type *weak = ck_type_is_weak(a) ? a : b;
        const struct ck_type *strong = ck_type_is_weak(a) ? b : a;
        bool widens = weak->kind == CK_TYPE_WEAK_FLOAT && ck_type_is_int(strong);
        return widens ? ck_type_scalar(CK_TYPE_FLOAT64) : strong;
    }
    if (ck_type_is_float(a) && ck_type_is_float(b))
        return promote_floats(a, b);
    if (ck_type_is_float(a) || ck_type_is_float(b))
        return ck_type_is_float(a) ? promote_float_int(a, b) : promote_float_int(b, a);
    return promote_ints(a, b);
}

void
ck_int_range(const struct ck_type *type, int64_t *low, int64_t *high)
{
    int bits = ck_type_bits(type);
    *low = ck_type_is_unsigned(type) ? 0 : bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
    *high = bits == 64                  ? INT64_MAX
            : ck_type_is_unsigned(type) ? (INT64_C(1) << bits) - 1
                                        : (INT64_C(1) << (bits - 1)) - 1;
}

const struct ck_type *
ck_operand_type(const struct ck_type *type)
{
    bool narrow = type->kind == CK_TYPE_BOOL ||
                  (ck_type_is_int(type) && !ck_type_is_weak(type) && ck_type_bits(type) < 32);
    return narrow ? ck_type_scalar(CK_TYPE_INT32) : type;
}

/* --- Where paths join ----------------------------------------------------------------------------
 */

/* An accumulator that begins as an integer literal is an int64. */
static const struct ck_type *
join_scalars(const struct ck_type *a, const struct ck_type *b)
{
    const struct ck_type *type = ck_promote(a, b);
    bool literal = a->kind == CK_TYPE_WEAK_INT || b->kind == CK_TYPE_WEAK_INT;
    if (!literal || a == b || !ck_type_is_whole(a) || !ck_type_is_whole(b) ||
        type->kind == CK_TYPE_UINT64)
        return type;
    return ck_type_scalar(CK_TYPE_INT64);
}

static const struct ck_type *
join_arrays(struct ck_types *types, const struct ck_type *a, const struct ck_type *b)
{
    if (a->array.elem != b->array.elem || a->array.ndim != b->array.ndim ||
        a->array.pitch != b->array.pitch || a->array.align != b->array.align)
        return NULL;
    /* Constant memory has its own load instructions and is never written. */
    if ((a->array.space == CK_SPACE_CONST) != (b->array.space == CK_SPACE_CONST))
        return NULL;
    enum ck_layout layout = a->array.layout == b->array.layout ? a->array.layout : CK_LAYOUT_ANY;
    enum ck_space space = a->array.space == b->array.space ? a->array.space : CK_SPACE_GENERIC;
    return ck_type_array_like(types, a, a->array.ndim, layout, space);
}

typedef const struct ck_type *(*join_rule)(const struct ck_type *a, const struct ck_type *b);

static const struct ck_type *join(struct ck_types *types, const struct ck_type *a,
                                  const struct ck_type *b, join_rule scalars);

static const struct ck_type *
join_tuples(struct ck_types *types, const struct ck_type *a, const struct ck_type *b,
            join_rule scalars)
{
    if (a->tuple.n != b->tuple.n)
        return NULL;
    const struct ck_type **items = CK_NEW_ARRAY(types->arena, const struct ck_type *, a->tuple.n);
    for (int i = 0; i < a->tuple.n; i++) {
        items[i] = join(types, a->tuple.items[i], b->tuple.items[i], scalars);
        if (!items[i])
            return NULL;
    }
    if (ck_type_is_vector(a) && ck_type_is_vector(b))
        return ck_type_vector_of(types, items[0], a->tuple.n);
    const struct ck_fields *fields = a->tuple.fields == b->tuple.fields ? a->tuple.fields : NULL;
    return ck_type_named_tuple(types, fields, items, a->tuple.n);
}

static const struct ck_type *
join(struct ck_types *types, const struct ck_type *a, const struct ck_type *b, join_rule scalars)
{
    if (a == b)
        return a;
    if (ck_type_is_scalar(a) && ck_type_is_scalar(b))
        return scalars(a, b);
    if (ck_type_is_date(a) && a->kind == b->kind) /* one without a unit takes the other's */
        return a->date.unit == CK_UNIT_GENERIC ? b : b->date.unit == CK_UNIT_GENERIC ? a : NULL;
    if (ck_type_is_array(a) && ck_type_is_array(b))
        return join_arrays(types, a, b);
    if (a->kind == CK_TYPE_TUPLE && b->kind == CK_TYPE_TUPLE)
        return join_tuples(types, a, b, scalars);
    return NULL;
}

const struct ck_type *
ck_join_types(struct ck_types *types, const struct ck_type *a, const struct ck_type *b)
{
    return join(types, a, b, ck_promote);
}

const struct ck_type *
ck_join_names(struct ck_types *types, const struct ck_type *a, const struct ck_type *b)
{
    return join(types, a, b, join_scalars);
}
