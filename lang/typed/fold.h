/* Constant folding: each function returns true and sets *out if the result is a constant. */
#ifndef CK_FOLD_H
#define CK_FOLD_H

#include "lang/typed/typed.h"

bool ck_fold_cast(struct ck_texpr *out, const struct ck_texpr *operand, const struct ck_type *type);
bool ck_fold_unary(struct ck_texpr *out, enum ck_unary_op op, const struct ck_texpr *operand);
bool ck_fold_binary(struct ck_texpr *out, enum ck_binary_op op, const struct ck_texpr *left,
                    const struct ck_texpr *right);
bool ck_fold_compare(bool *out, enum ck_compare_op op, const struct ck_texpr *left,
                     const struct ck_texpr *right);

#endif
