/* Integers as polynomials of the values that they are computed from: sums of products of values and
 * a constant. All arithmetic is modulo 2^64, so that no operation needs to be known not to
 * overflow. */
#ifndef CODEGEN_POLYNOMIAL_H
#define CODEGEN_POLYNOMIAL_H

#include "codegen/core/gen.h"

enum { CK_POLYNOMIAL_MAX_TERMS = 24, CK_POLYNOMIAL_MAX_FACTORS = 4 };

struct ck_term {
    uint64_t coefficient;                            /* not 0 */
    LLVMValueRef factors[CK_POLYNOMIAL_MAX_FACTORS]; /* in the order of the expression */
    int n_factors;
};

/* No two terms have the same factors. */
struct ck_polynomial {
    struct ck_term terms[CK_POLYNOMIAL_MAX_TERMS];
    int n;
};

/* An i64, expanded. False: it has too many terms or factors. */
bool ck_polynomial_of(LLVMValueRef v, struct ck_polynomial *polynomial);
/* Replaces `*a` by the difference. False: it has too many terms. */
bool ck_polynomial_subtract(struct ck_polynomial *a, const struct ck_polynomial *b);

#endif
