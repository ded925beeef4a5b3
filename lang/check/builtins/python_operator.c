/* Python's module `operator`: each of its functions is the operator that it names. A call is
 * checked as that operator's expression. */
#include <string.h>

#include "lang/check/checker.h"

enum form { UNARY, BINARY, COMPARE, NOT, SUBSCRIPT };

static const struct row {
    const char *name;
    enum form form;
    int op; /* ck_unary_op, ck_binary_op or ck_compare_op */
} rows[] = {
    {"add", BINARY, CK_OP_ADD},      {"sub", BINARY, CK_OP_SUB},
    {"mul", BINARY, CK_OP_MUL},      {"truediv", BINARY, CK_OP_DIV},
    {"mod", BINARY, CK_OP_MOD},      {"floordiv", BINARY, CK_OP_FLOORDIV},
    {"pow", BINARY, CK_OP_POW},      {"lshift", BINARY, CK_OP_SHL},
    {"rshift", BINARY, CK_OP_SHR},   {"and_", BINARY, CK_OP_AND},
    {"or_", BINARY, CK_OP_OR},       {"xor", BINARY, CK_OP_XOR},
    {"neg", UNARY, CK_OP_NEG},       {"pos", UNARY, CK_OP_POS},
    {"invert", UNARY, CK_OP_INVERT}, {"inv", UNARY, CK_OP_INVERT},
    {"not_", NOT, CK_OP_NOT},        {"getitem", SUBSCRIPT, 0},
    {"eq", COMPARE, CK_CMP_EQ},      {"ne", COMPARE, CK_CMP_NE},
    {"lt", COMPARE, CK_CMP_LT},      {"le", COMPARE, CK_CMP_LE},
    {"gt", COMPARE, CK_CMP_GT},      {"ge", COMPARE, CK_CMP_GE},
};

/* The row of `operator.NAME`; NULL: none. */
static const struct row *
find(const char *path)
{
    static const char module[] = "operator.";
    if (strncmp(path, module, sizeof module - 1) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, path + sizeof module - 1) == 0)
            return &rows[i];
    }
    return NULL;
}

bool
ck_is_python_operator(const char *path)
{
    return find(path) != NULL;
}

void
ck_add_python_operators(struct ck_names *names)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CK_PUSH(names->arena, names->items, names->n, names->capacity, rows[i].name);
}

/* The operator's expression of the call's arguments. */
static void
write_operator(struct ck_fn *fn, const struct row *row, const struct ck_expr *call,
               struct ck_expr *out)
{
    struct ck_expr *first = call->call.args[0].value;
    struct ck_expr *second = call->call.n_args > 1 ? call->call.args[1].value : NULL;
    switch (row->form) {
    case UNARY:
    case NOT:
        out->kind = CK_EXPR_UNARY;
        out->unary.op = (enum ck_unary_op)row->op;
        out->unary.operand = first;
        break;
    case BINARY:
        out->kind = CK_EXPR_BINARY;
        out->binary.op = (enum ck_binary_op)row->op;
        out->binary.left = first;
        out->binary.right = second;
        out->binary.op_span = call->call.callee->span;
        break;
    case COMPARE:
        out->kind = CK_EXPR_COMPARE;
        out->compare.n_ops = 1;
        out->compare.ops = CK_NEW(fn->c->arena, enum ck_compare_op);
        out->compare.ops[0] = (enum ck_compare_op)row->op;
        out->compare.operands = CK_NEW_ARRAY(fn->c->arena, struct ck_expr *, 2);
        out->compare.operands[0] = first;
        out->compare.operands[1] = second;
        break;
    case SUBSCRIPT:
        out->kind = CK_EXPR_SUBSCRIPT;
        out->subscript.object = first;
        out->subscript.n_indices = 1;
        out->subscript.indices = CK_NEW(fn->c->arena, struct ck_expr *);
        out->subscript.indices[0] = second;
        break;
    }
}

struct ck_value
ck_check_python_operator(struct ck_fn *fn, const char *path, const struct ck_expr *call)
{
    const struct row *row = find(path);
    int wanted = row->form == UNARY || row->form == NOT ? 1 : 2;
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (arg->name) {
            ck_error(fn, KEYWORD, arg->name_span, arg->name, path);
            return ck_value_error(call->span);
        }
    }
    if (call->call.n_args != wanted) {
        ck_error(fn, WRONG_COUNT, call->span, path, wanted == 1 ? "1 argument" : "2 arguments",
                 call->call.n_args);
        return ck_value_error(call->span);
    }
    struct ck_expr *expr = CK_NEW(fn->c->arena, struct ck_expr);
    expr->span = call->span;
    expr->depth = call->depth;
    write_operator(fn, row, call, expr);
    return ck_check_expr(fn, expr);
}
