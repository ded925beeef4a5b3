/* The operators of the language, in the syntax tree and in the typed program. */
#ifndef CK_OPERATORS_H
#define CK_OPERATORS_H

enum ck_unary_op { CK_OP_NEG, CK_OP_POS, CK_OP_INVERT, CK_OP_NOT };

enum ck_binary_op {
    CK_OP_ADD,
    CK_OP_SUB,
    CK_OP_MUL,
    CK_OP_DIV, /* / */
    CK_OP_FLOORDIV,
    CK_OP_MOD,
    CK_OP_POW,
    CK_OP_SHL,
    CK_OP_SHR,
    CK_OP_AND,
    CK_OP_OR,
    CK_OP_XOR,
};

enum ck_compare_op {
    CK_CMP_LT,
    CK_CMP_LE,
    CK_CMP_GT,
    CK_CMP_GE,
    CK_CMP_EQ,
    CK_CMP_NE,
    CK_CMP_IS,     /* parsed; the checker rejects it */
    CK_CMP_IS_NOT, /* likewise */
    CK_CMP_IN,
    CK_CMP_NOT_IN,
};

/* "+", "//", "<=", "not in": as the user writes them. */
const char *ck_unary_op_text(enum ck_unary_op op);
const char *ck_binary_op_text(enum ck_binary_op op);
const char *ck_compare_op_text(enum ck_compare_op op);

#endif
