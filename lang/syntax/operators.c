/* The operators as the user writes them. */
#include "lang/syntax/operators.h"

const char *
ck_unary_op_text(enum ck_unary_op op)
{
    static const char *const texts[] = {
        [CK_OP_NEG] = "-", [CK_OP_POS] = "+", [CK_OP_INVERT] = "~", [CK_OP_NOT] = "not"};
    return texts[op];
}

const char *
ck_binary_op_text(enum ck_binary_op op)
{
    static const char *const texts[] = {
        [CK_OP_ADD] = "+", [CK_OP_SUB] = "-",  [CK_OP_MUL] = "*",  [CK_OP_DIV] = "/",
        [CK_OP_MOD] = "%", [CK_OP_POW] = "**", [CK_OP_SHL] = "<<", [CK_OP_SHR] = ">>",
        [CK_OP_AND] = "&", [CK_OP_OR] = "|",   [CK_OP_XOR] = "^",  [CK_OP_FLOORDIV] = "//"};
    return texts[op];
}

const char *
ck_compare_op_text(enum ck_compare_op op)
{
    static const char *const texts[] = {
        [CK_CMP_LT] = "<",         [CK_CMP_LE] = "<=", [CK_CMP_GT] = ">",
        [CK_CMP_GE] = ">=",        [CK_CMP_EQ] = "==", [CK_CMP_NE] = "!=",
        [CK_CMP_IS] = "is",        [CK_CMP_IN] = "in", [CK_CMP_IS_NOT] = "is not",
        [CK_CMP_NOT_IN] = "not in"};
    return texts[op];
}
