/* Integers as polynomials: see polynomial.h. */
#include "codegen/opt/polynomial.h"

#include "codegen/core/ir_util.h"

enum { MAX_DEPTH = 12 }; /* of operations that are expanded */

static int
count_factor(const struct ck_term *term, LLVMValueRef v)
{
    int n = 0;
    for (int i = 0; i < term->n_factors; i++)
        n += term->factors[i] == v;
    return n;
}

/* Whether the factors are the same in any order. */
static bool
has_same_factors(const struct ck_term *a, const struct ck_term *b)
{
    int i = 0;
    while (i < a->n_factors && count_factor(a, a->factors[i]) == count_factor(b, a->factors[i]))
        i++;
    return i == a->n_factors && i == b->n_factors;
}

/* Adds a term times `scale`. */
static bool
add_term(struct ck_polynomial *sum, const struct ck_term *term, uint64_t scale)
{
    int i = 0;
    while (i < sum->n && !has_same_factors(&sum->terms[i], term))
        i++;
    if (i == CK_POLYNOMIAL_MAX_TERMS)
        return false;
    if (i == sum->n) {
        sum->terms[sum->n] = *term;
        sum->terms[sum->n++].coefficient = 0;
    }
    sum->terms[i].coefficient += term->coefficient * scale;
    if (sum->terms[i].coefficient == 0)
        sum->terms[i] = sum->terms[--sum->n];
    return true;
}

static bool
add(struct ck_polynomial *sum, const struct ck_polynomial *by, uint64_t scale)
{
    int i = 0;
    while (i < by->n && add_term(sum, &by->terms[i], scale))
        i++;
    return i == by->n;
}

bool
ck_polynomial_subtract(struct ck_polynomial *a, const struct ck_polynomial *b)
{
    return add(a, b, (uint64_t)-1);
}

/* Multiplies by a factor. */
static bool
multiply_term(struct ck_term *term, LLVMValueRef v_factor)
{
    if (term->n_factors == CK_POLYNOMIAL_MAX_FACTORS)
        return false;
    term->factors[term->n_factors++] = v_factor;
    return true;
}

static bool
multiply_factors(struct ck_term *term, const struct ck_term *by)
{
    int i = 0;
    while (i < by->n_factors && multiply_term(term, by->factors[i]))
        i++;
    return i == by->n_factors;
}

static bool
multiply(struct ck_polynomial *product, const struct ck_polynomial *a,
         const struct ck_polynomial *b)
{
    product->n = 0;
    for (int i = 0; i < a->n * b->n; i++) {
        const struct ck_term *left = &a->terms[i / b->n], *right = &b->terms[i % b->n];
        struct ck_term term = {.coefficient = left->coefficient * right->coefficient};
        if (!multiply_factors(&term, left) || !multiply_factors(&term, right) ||
            !add_term(product, &term, 1))
            return false;
    }
    return true;
}

static bool expand(LLVMValueRef v, struct ck_polynomial *polynomial, int depth);

static bool
expand_operation(LLVMValueRef v, struct ck_polynomial *polynomial, int depth)
{
    struct ck_polynomial left = {.n = 0}, right = {.n = 0};
    LLVMValueRef v_right = LLVMGetOperand(v, 1);
    if (!expand(LLVMGetOperand(v, 0), &left, depth - 1))
        return false;
    if (LLVMGetInstructionOpcode(v) == LLVMShl) {
        polynomial->n = 0;
        return add(polynomial, &left, UINT64_C(1) << LLVMConstIntGetZExtValue(v_right));
    }
    if (!expand(v_right, &right, depth - 1))
        return false;
    if (LLVMGetInstructionOpcode(v) == LLVMMul)
        return multiply(polynomial, &left, &right);
    *polynomial = left;
    return add(polynomial, &right, LLVMGetInstructionOpcode(v) == LLVMSub ? (uint64_t)-1 : 1);
}

static bool
is_expanded(LLVMValueRef v)
{
    switch ((int)ck_ir_opcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
        return true;
    case LLVMOr:
        return LLVMGetIsDisjoint(v);
    case LLVMShl:
        return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) < 64;
    default:
        return false;
    }
}

static bool
expand(LLVMValueRef v, struct ck_polynomial *polynomial, int depth)
{
    if (depth > 0 && is_expanded(v))
        return expand_operation(v, polynomial, depth);
    struct ck_term term = {.coefficient = 1};
    if (LLVMIsAConstantInt(v))
        term.coefficient = LLVMConstIntGetZExtValue(v);
    else
        term.factors[term.n_factors++] = v;
    polynomial->n = 0;
    if (term.coefficient)
        polynomial->terms[polynomial->n++] = term;
    return true;
}

bool
ck_polynomial_of(LLVMValueRef v, struct ck_polynomial *polynomial)
{
    return expand(v, polynomial, MAX_DEPTH);
}
