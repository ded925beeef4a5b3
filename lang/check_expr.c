/* Checking expressions: names, operators, indexing, calls. */
#include <string.h>

#include "lang/check_internal.h"

const char *
ck_text_of(struct ck_fn *fn, const struct ck_type *type)
{
    return ck_type_text(fn->c->arena, type);
}

/* --- Names ---------------------------------------------------------------------------------------
 */

/* Prefixes that name the language itself; always bound, with or without an import. */
static const char *const roots[] = {"cuda", "math", "np", "numpy", "numba"};
/* Parts of Numba's paths that lead nowhere else: `numba.cuda.grid`, `cuda.cg.this_grid`. */
static const char *const transparent[] = {"cuda", "cg", "types"};

static bool
is_one_of(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i], name) == 0)
            return true;
    }
    return false;
}
#define IS_ONE_OF(name, list) is_one_of((name), (list), sizeof(list) / sizeof *(list))

static struct ck_value
unknown_name(struct ck_fn *fn, const struct ck_expr *expr, const char *name)
{
    struct ck_checker *c = fn->c;
    const char **candidates = NULL;
    int n = 0, capacity = 0;
    for (int i = 0; i < fn->n_names; i++) {
        if (strcmp(fn->names[i], name) != 0)
            CK_PUSH(c->arena, candidates, n, capacity, fn->names[i]);
    }
    for (int i = 0; i < c->n_globals; i++)
        CK_PUSH(c->arena, candidates, n, capacity, c->globals[i]->name);
    for (int i = 0; i < CK_N_BUILTINS; i++) {
        const char *path = ck_builtin_path((enum ck_builtin_id)i);
        const char *dot = strchr(path, '.');
        /* A path's first part is a name too: `threadIdx`. */
        const char *first = dot && !strchr(name, '.')
                                ? ck_arena_strndup(c->arena, path, (size_t)(dot - path))
                                : path;
        if (ck_builtin_find(first) >= 0 || ck_builtin_is_prefix(first))
            CK_PUSH(c->arena, candidates, n, capacity, first);
    }
    struct ck_diag *diag = ck_error(fn, UNKNOWN_NAME, expr->span, name);
    const char *nearest = ck_nearest_name(name, candidates, n);
    if (nearest)
        ck_diag_help(c->diags, diag, "did you mean `%s`?", nearest);
    return ck_value_error(expr->span);
}

/* A path of the language, without its prefixes: a built-in, a type, or the beginning of one. */
struct ck_value
ck_resolve_path(struct ck_fn *fn, const char *path, const struct ck_expr *expr)
{
    struct ck_value value = {.span = expr->span};
    int id = ck_builtin_find(path);
    if (id >= 0) {
        value.kind = CK_VALUE_BUILTIN;
        value.builtin = (enum ck_builtin_id)id;
        return value;
    }
    value.type = ck_type_by_name(path);
    if (value.type) {
        value.kind = CK_VALUE_TYPE;
        return value;
    }
    if (*path == '\0' || ck_builtin_is_prefix(path) || IS_ONE_OF(path, transparent)) {
        value.kind = CK_VALUE_PATH;
        value.path = path;
        return value;
    }
    if (ck_builtin_is_later(path)) {
        ck_error(fn, NOT_SUPPORTED, expr->span, ck_arena_printf(fn->c->arena, "`%s`", path));
        return ck_value_error(expr->span);
    }
    return unknown_name(fn, expr, path);
}

static void
report_unset(struct ck_fn *fn, const struct ck_expr *expr, const struct ck_binding *binding)
{
    struct ck_diag *diag = ck_error(fn, UNSET_NAME, expr->span, expr->name);
    if (binding->state == CK_MAYBE_UNSET)
        ck_diag_label(fn->c->diags, diag, binding->unset_at, "not set %s", binding->unset_how);
    ck_diag_help(fn->c->diags, diag, "set `%s` before, on every path", expr->name);
}

static void
report_conflict(struct ck_fn *fn, const struct ck_expr *expr, const struct ck_binding *binding)
{
    const char *one = binding->value.type ? ck_text_of(fn, binding->value.type) : "no value";
    const char *other = binding->other ? ck_text_of(fn, binding->other) : "no value";
    struct ck_diag *diag = ck_error(fn, TYPE_CONFLICT, expr->span, expr->name, one, other);
    ck_diag_label(fn->c->diags, diag, binding->set_at, "%s here", one);
    ck_diag_label(fn->c->diags, diag, binding->other_at, "%s here", other);
    ck_diag_help(fn->c->diags, diag, "use two names, or cast so that the types agree");
}

/* A name bound in the function. False if it is not bound there. */
static bool
local_name(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *out)
{
    if (fn->constant_only)
        return false;
    struct ck_binding *binding = ck_binding_of(fn, expr->name);
    switch (binding->state) {
    case CK_UNSET:
        return false;
    case CK_MAYBE_UNSET:
        report_unset(fn, expr, binding);
        if (!fn->c->diags->quiet)
            binding->state = CK_SET; /* once is enough */
        break;
    case CK_CONFLICT:
        report_conflict(fn, expr, binding);
        *out = ck_value_error(expr->span);
        return true;
    case CK_SET:
        break;
    }
    *out = binding->value;
    out->span = expr->span;
    if (out->kind == CK_VALUE_RUN) {
        struct ck_texpr *copy = CK_NEW(fn->c->arena, struct ck_texpr);
        *copy = *out->expr;
        copy->span = expr->span;
        out->expr = copy;
    }
    return true;
}

static struct ck_value
global_name(struct ck_fn *fn, const struct ck_expr *expr, struct ck_global *global)
{
    struct ck_value value = {.span = expr->span};
    switch (global->kind) {
    case CK_GLOBAL_FUNCTION:
        value.kind = CK_VALUE_FUNCTION;
        value.function = global;
        return value;
    case CK_GLOBAL_VALUE:
        value = *ck_global_value(fn->c, global);
        value.span = expr->span;
        return value;
    case CK_GLOBAL_TYPES:
        value.type = ck_type_of_expr(fn->c, global->syntax, false);
        value.kind = value.type ? CK_VALUE_TYPE : CK_VALUE_ERROR;
        if (!value.type)
            ck_error(fn, WRONG_TYPE, expr->span, "a signature is not a value");
        return value;
    case CK_GLOBAL_IMPORT:
        return ck_resolve_path(fn, global->path, expr);
    }
    return ck_value_error(expr->span);
}

/* A name that the function binds anywhere is its own everywhere, as in Python. */
static bool
is_assigned(const struct ck_fn *fn, const char *name)
{
    for (int i = 0; i < fn->n_assigned; i++) {
        if (strcmp(fn->assigned[i], name) == 0)
            return true;
    }
    return false;
}

static struct ck_value
check_plain_name(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value value;
    if (local_name(fn, expr, &value))
        return value;
    if (is_assigned(fn, expr->name)) {
        struct ck_binding unset = {.state = CK_UNSET};
        report_unset(fn, expr, &unset);
        return ck_value_error(expr->span);
    }
    struct ck_global *global = ck_find_global(fn->c, expr->name);
    if (global)
        return global_name(fn, expr, global);
    if (IS_ONE_OF(expr->name, roots))
        return ck_resolve_path(fn, "", expr);
    return ck_resolve_path(fn, expr->name, expr);
}

/* --- Attributes ----------------------------------------------------------------------------------
 */

static struct ck_texpr *
extent(struct ck_fn *fn, enum ck_texpr_kind kind, struct ck_texpr *array, int dim,
       struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, kind, ck_type_scalar(CK_TYPE_INT64), span);
    expr->extent.array = array;
    expr->extent.dim = dim;
    return expr;
}

static struct ck_value
extents(struct ck_fn *fn, enum ck_texpr_kind kind, const struct ck_value *array,
        struct ck_span span)
{
    int n = array->type->array.ndim;
    const struct ck_type *types[CK_MAX_NDIM];
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->tuple.n = n;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    for (int i = 0; i < n; i++) {
        types[i] = ck_type_scalar(CK_TYPE_INT64);
        tuple->tuple.items[i] = extent(fn, kind, array->expr, i, span);
    }
    tuple->type = ck_type_tuple(&fn->c->types, types, n);
    return ck_value_run(tuple->type, tuple);
}

static struct ck_value
array_size(struct ck_fn *fn, const struct ck_value *array, struct ck_span span)
{
    struct ck_texpr *size = extent(fn, CK_T_SHAPE, array->expr, 0, span);
    for (int i = 1; i < array->type->array.ndim; i++) {
        struct ck_texpr *product = ck_texpr_new(fn, CK_T_BINARY, size->type, span);
        product->binary.op = CK_OP_MUL;
        product->binary.left = size;
        product->binary.right = extent(fn, CK_T_SHAPE, array->expr, i, span);
        size = product;
    }
    struct ck_value value = ck_value_run(size->type, size);
    value.nonnegative = true;
    return value;
}

static struct ck_value
array_attribute(struct ck_fn *fn, const struct ck_value *array, const struct ck_expr *expr)
{
    static const char *const later[] = {"T", "flat", "real", "imag", "itemsize", "nbytes"};
    static const char *const known[] = {"shape", "strides", "ndim", "size", "dtype"};
    const char *name = expr->attribute.name;
    if (strcmp(name, "shape") == 0)
        return extents(fn, CK_T_SHAPE, array, expr->span);
    if (strcmp(name, "strides") == 0)
        return extents(fn, CK_T_STRIDE, array, expr->span);
    if (strcmp(name, "ndim") == 0)
        return ck_value_int(fn, array->type->array.ndim, expr->span);
    if (strcmp(name, "size") == 0)
        return array_size(fn, array, expr->span);
    if (strcmp(name, "dtype") == 0)
        return (struct ck_value){
            .kind = CK_VALUE_TYPE, .type = array->type->array.elem, .span = expr->span};
    if (IS_ONE_OF(name, later)) {
        ck_error(fn, NOT_SUPPORTED, expr->span, ck_arena_printf(fn->c->arena, "`.%s`", name));
        return ck_value_error(expr->span);
    }
    struct ck_diag *diag =
        ck_error(fn, NO_ATTRIBUTE, expr->attribute.name_span, ck_text_of(fn, array->type), name);
    const char *nearest = ck_nearest_name(name, known, (int)(sizeof known / sizeof *known));
    if (nearest)
        ck_diag_help(fn->c->diags, diag, "did you mean `.%s`?", nearest);
    return ck_value_error(expr->span);
}

static struct ck_value
path_attribute(struct ck_fn *fn, const char *prefix, const struct ck_expr *expr)
{
    const char *name = expr->attribute.name;
    if (IS_ONE_OF(prefix, transparent))
        prefix = "";
    if (*prefix)
        name = ck_arena_printf(fn->c->arena, "%s.%s", prefix, name);
    return ck_resolve_path(fn, name, expr);
}

static const char *
group_path(const struct ck_value *group)
{
    return group->type->group == CK_GROUP_GRID ? "grid_group" : "thread_block";
}

static struct ck_value
group_attribute(struct ck_fn *fn, const struct ck_value *group, const struct ck_expr *expr)
{
    const char *path =
        ck_arena_printf(fn->c->arena, "%s.%s", group_path(group), expr->attribute.name);
    int id = ck_builtin_find(path);
    if (id >= 0)
        return (struct ck_value){
            .kind = CK_VALUE_BUILTIN, .builtin = (enum ck_builtin_id)id, .span = expr->span};
    if (ck_builtin_is_later(path))
        ck_error(fn, NOT_SUPPORTED, expr->span,
                 ck_arena_printf(fn->c->arena, "`%s` of a %s", expr->attribute.name,
                                 ck_text_of(fn, group->type)));
    else
        ck_error(fn, NO_ATTRIBUTE, expr->attribute.name_span, ck_text_of(fn, group->type),
                 expr->attribute.name);
    return ck_value_error(expr->span);
}

static struct ck_value
check_attribute(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value object = ck_check_name(fn, expr->attribute.object);
    switch (object.kind) {
    case CK_VALUE_ERROR:
        return object;
    case CK_VALUE_PATH:
        return path_attribute(fn, object.path, expr);
    case CK_VALUE_GROUP:
        return group_attribute(fn, &object, expr);
    case CK_VALUE_RUN:
        if (ck_type_is_array(object.type))
            return array_attribute(fn, &object, expr);
        break;
    default:
        break;
    }
    const char *what = object.kind == CK_VALUE_RUN        ? ck_text_of(fn, object.type)
                       : object.kind == CK_VALUE_FUNCTION ? "a function"
                       : object.kind == CK_VALUE_BUILTIN  ? "a built-in"
                                                          : "this";
    ck_error(fn, NO_ATTRIBUTE, expr->attribute.name_span, what, expr->attribute.name);
    return ck_value_error(expr->span);
}

struct ck_value
ck_check_name(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_NAME)
        return check_plain_name(fn, expr);
    if (expr->kind == CK_EXPR_ATTRIBUTE)
        return check_attribute(fn, expr);
    return ck_check_expr(fn, expr);
}

/* --- Operators -----------------------------------------------------------------------------------
 */

static struct ck_value
bad_operands(struct ck_fn *fn, const char *op, const struct ck_value *left,
             const struct ck_value *right, struct ck_span span)
{
    ck_error(fn, BAD_OPERANDS, span, op, ck_text_of(fn, left->type), ck_text_of(fn, right->type));
    return ck_value_error(span);
}

static struct ck_value
mixed_signs(struct ck_fn *fn, const struct ck_value *left, const struct ck_value *right,
            struct ck_span span)
{
    struct ck_diag *diag =
        ck_error(fn, MIXED_SIGN, span, ck_text_of(fn, left->type), ck_text_of(fn, right->type));
    ck_diag_help(fn->c->diags, diag, "cast one of them: int64(...) or uint64(...)");
    return ck_value_error(span);
}

static bool
is_real_scalar(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_scalar(value->type) &&
           !ck_type_is_complex(value->type);
}

static bool
is_bitwise(enum ck_binary_op op)
{
    return op >= CK_OP_SHL;
}

/* The type an operator computes in; NULL: it has none, *mixed tells why. */
static const struct ck_type *
operation_type(enum ck_binary_op op, const struct ck_type *left, const struct ck_type *right,
               bool *mixed)
{
    bool logical = op == CK_OP_AND || op == CK_OP_OR || op == CK_OP_XOR;
    if (logical && left->kind == CK_TYPE_BOOL && right->kind == CK_TYPE_BOOL)
        return left;
    const struct ck_type *type = ck_promote(left, right);
    *mixed = !type;
    if (!type || (is_bitwise(op) && !ck_type_is_int(type)))
        return NULL;
    if (op == CK_OP_DIV && ck_type_is_int(type))
        return type->kind == CK_TYPE_WEAK_INT ? ck_type_scalar(CK_TYPE_WEAK_FLOAT)
                                              : ck_type_scalar(CK_TYPE_FLOAT64);
    return type;
}

/* Literals alone: computed without wrapping, or an error. */
static bool
weak_overflows(enum ck_binary_op op, int64_t a, int64_t b)
{
    int64_t ignored;
    switch (op) {
    case CK_OP_ADD:
        return __builtin_add_overflow(a, b, &ignored);
    case CK_OP_SUB:
        return __builtin_sub_overflow(a, b, &ignored);
    case CK_OP_MUL:
        return __builtin_mul_overflow(a, b, &ignored);
    case CK_OP_SHL:
        return a != 0 && (b < 0 || b > 62 || (int64_t)((uint64_t)a << b) >> b != a);
    case CK_OP_POW:
        ignored = 1;
        for (int64_t i = 0; i < b && i < 64 && a != 0 && a != 1 && a != -1; i++) {
            if (__builtin_mul_overflow(ignored, a, &ignored))
                return true;
        }
        return b > 64 && a != 0 && a != 1 && a != -1;
    default:
        return false;
    }
}

static struct ck_texpr *
binary(struct ck_fn *fn, enum ck_binary_op op, struct ck_texpr *left, struct ck_texpr *right,
       struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_BINARY, left->type, span);
    if (left->kind == CK_T_CONST && right->kind == CK_T_CONST &&
        ck_fold_binary(expr, op, left, right)) {
        expr->kind = CK_T_CONST;
        return expr;
    }
    expr->binary.op = op;
    expr->binary.left = left;
    expr->binary.right = right;
    return expr;
}

/* x ** n by repeated squaring, for a constant n >= 0; x is simple. */
static struct ck_texpr *
multiply_out(struct ck_fn *fn, struct ck_texpr *x, int64_t n, struct ck_span span)
{
    if (n == 0)
        return ck_type_is_float(x->type)
                   ? ck_cast(fn, ck_const_float(fn, ck_type_scalar(CK_TYPE_FLOAT64), 1.0, span),
                             x->type)
                   : ck_const_int(fn, x->type, 1, span);
    if (n == 1)
        return x;
    struct ck_texpr *half = multiply_out(fn, x, n / 2, span);
    struct ck_texpr *square;
    if (ck_is_simple(half)) {
        square = binary(fn, CK_OP_MUL, half, half, span);
    } else {
        square = ck_texpr_new(fn, CK_T_LET, x->type, span);
        square->let.local = ck_local_new(fn, "", x->type);
        square->let.init = half;
        struct ck_texpr *ref = ck_local_ref(fn, square->let.local, span);
        square->let.body = binary(fn, CK_OP_MUL, ref, ref, span);
    }
    return n & 1 ? binary(fn, CK_OP_MUL, square, x, span) : square;
}

/* A constant integer exponent: multiplied out, its reciprocal for a negative one on floats. */
static struct ck_texpr *
constant_power(struct ck_fn *fn, struct ck_texpr *base, int64_t n, struct ck_span span)
{
    struct ck_texpr *let = NULL;
    if (!ck_is_simple(base)) {
        let = ck_texpr_new(fn, CK_T_LET, base->type, span);
        let->let.local = ck_local_new(fn, "", base->type);
        let->let.init = base;
        base = ck_local_ref(fn, let->let.local, span);
    }
    struct ck_texpr *result = multiply_out(fn, base, n < 0 ? -n : n, span);
    if (n < 0) {
        struct ck_texpr *one =
            ck_cast(fn, ck_const_float(fn, ck_type_scalar(CK_TYPE_FLOAT64), 1.0, span), base->type);
        result = binary(fn, CK_OP_DIV, one, result, span);
    }
    if (!let)
        return result;
    let->let.body = result;
    return let;
}

/* Whether an operation on two values that are not negative cannot give a negative one. 64-bit sums
 * of positions and sizes do not overflow; repeated products could (a random generator), so a
 * product counts only if no loop carries its operands. */
static bool
stays_nonnegative(enum ck_binary_op op, const struct ck_value *result)
{
    bool wide = result->type->kind == CK_TYPE_INT64;
    switch (op) {
    case CK_OP_ADD:
        return wide;
    case CK_OP_MUL:
        return wide && !result->carried;
    case CK_OP_FLOORDIV:
    case CK_OP_MOD:
    case CK_OP_AND:
    case CK_OP_OR:
    case CK_OP_SHR:
        return true;
    default:
        return false;
    }
}

struct ck_value
ck_check_binary(struct ck_fn *fn, enum ck_binary_op op, struct ck_value left, struct ck_value right,
                struct ck_span span)
{
    if (left.kind == CK_VALUE_ERROR || right.kind == CK_VALUE_ERROR)
        return ck_value_error(span);
    if (ck_type_is_complex(left.type) || ck_type_is_complex(right.type)) {
        ck_error(fn, NOT_SUPPORTED, span, "complex arithmetic");
        return ck_value_error(span);
    }
    if (!is_real_scalar(&left) || !is_real_scalar(&right))
        return bad_operands(fn, ck_binary_op_text(op), &left, &right, span);
    bool mixed = false;
    const struct ck_type *type = operation_type(op, left.type, right.type, &mixed);
    if (mixed)
        return mixed_signs(fn, &left, &right, span);
    if (!type)
        return bad_operands(fn, ck_binary_op_text(op), &left, &right, span);

    int64_t a, b;
    bool known_left = ck_value_const_int(&left, &a), known_right = ck_value_const_int(&right, &b);
    if (type->kind == CK_TYPE_WEAK_INT) {
        if (!known_left || !known_right) { /* a joined name: no longer a literal */
            type = ck_type_scalar(CK_TYPE_INT64);
        } else if (weak_overflows(op, a, b)) {
            ck_error(fn, LITERAL_FIT, span, ck_source_text(fn->c, span), "int64");
            return ck_value_error(span);
        }
    } else if (type->kind == CK_TYPE_WEAK_FLOAT &&
               !(left.expr->kind == CK_T_CONST && right.expr->kind == CK_T_CONST)) {
        type = ck_type_scalar(CK_TYPE_FLOAT64);
    }
    if (op == CK_OP_POW && type->kind == CK_TYPE_WEAK_INT && b < 0) {
        type = ck_type_scalar(CK_TYPE_WEAK_FLOAT); /* 2 ** -1 is 0.5, as in Python */
    }
    bool multiplies = op == CK_OP_POW && known_right && left.expr->kind != CK_T_CONST &&
                      b <= CK_MAX_POWER && b >= (ck_type_is_float(type) ? -CK_MAX_POWER : 0);
    if (multiplies) {
        struct ck_texpr *base = ck_convert(fn, &left, type);
        return base ? ck_value_run(type, constant_power(fn, base, b, span)) : ck_value_error(span);
    }
    struct ck_texpr *l = ck_convert(fn, &left, type), *r = ck_convert(fn, &right, type);
    if (!l || !r)
        return ck_value_error(span);
    struct ck_value result = ck_value_run(type, binary(fn, op, l, r, span));
    result.carried = left.carried || right.carried;
    if (left.nonnegative && right.nonnegative && stays_nonnegative(op, &result))
        result.nonnegative = true;
    return result;
}

static struct ck_value
check_unary(struct ck_fn *fn, const struct ck_expr *expr)
{
    enum ck_unary_op op = expr->unary.op;
    const struct ck_expr *syntax = expr->unary.operand;
    if (op == CK_OP_NOT) {
        struct ck_texpr *test = ck_check_condition(fn, expr);
        return test ? ck_value_run(test->type, test) : ck_value_error(expr->span);
    }
    bool lowest = op == CK_OP_NEG && syntax->kind == CK_EXPR_INT &&
                  syntax->integer.value == UINT64_C(1) << 63;
    if (lowest)
        return ck_value_int(fn, INT64_MIN, expr->span);
    struct ck_value operand = ck_check_run(fn, syntax);
    if (operand.kind == CK_VALUE_ERROR)
        return operand;
    bool boolean = operand.type->kind == CK_TYPE_BOOL;
    if (!is_real_scalar(&operand) || (op == CK_OP_INVERT && ck_type_is_float(operand.type))) {
        ck_error(fn, BAD_OPERAND, expr->span, ck_unary_op_text(op), ck_text_of(fn, operand.type));
        return ck_value_error(expr->span);
    }
    if (boolean) { /* in arithmetic as int32 */
        operand = ck_value_run(ck_type_scalar(CK_TYPE_INT32),
                               ck_cast(fn, operand.expr, ck_type_scalar(CK_TYPE_INT32)));
    }
    if (op == CK_OP_POS)
        return operand;
    struct ck_texpr *result = ck_texpr_new(fn, CK_T_UNARY, operand.expr->type, expr->span);
    const struct ck_type *type = operand.type;
    if (operand.expr->kind == CK_T_CONST && ck_fold_unary(result, op, operand.expr)) {
        result->kind = CK_T_CONST;
    } else {
        type = ck_storage_type(&fn->c->types, type);
        result->unary.op = op;
        result->unary.operand = operand.expr;
    }
    return ck_value_run(type, result);
}

/* --- Comparison ----------------------------------------------------------------------------------
 */

static struct ck_texpr *
compare(struct ck_fn *fn, enum ck_compare_op op, struct ck_texpr *left, struct ck_texpr *right,
        struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_COMPARE, ck_type_scalar(CK_TYPE_BOOL), span);
    bool result;
    if (left->kind == CK_T_CONST && right->kind == CK_T_CONST &&
        ck_fold_compare(&result, op, left, right)) {
        expr->kind = CK_T_CONST;
        expr->constant.i = result;
        return expr;
    }
    expr->compare.op = op;
    expr->compare.left = left;
    expr->compare.right = right;
    return expr;
}

static struct ck_texpr *
logical(struct ck_fn *fn, bool is_or, struct ck_texpr *left, struct ck_texpr *right,
        struct ck_span span)
{
    if (left->kind == CK_T_CONST)
        return (left->constant.i != 0) == is_or ? left : right;
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_LOGICAL, left->type, span);
    expr->logical.is_or = is_or;
    expr->logical.left = left;
    expr->logical.right = right;
    return expr;
}

/* int64 with uint64, exactly: a negative signed value is below every unsigned one. Both simple. */
static struct ck_texpr *
compare_signs(struct ck_fn *fn, enum ck_compare_op op, struct ck_texpr *left,
              struct ck_texpr *right, struct ck_span span)
{
    const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
    bool signed_left = ck_type_is_signed(left->type);
    struct ck_texpr *with_sign = signed_left ? left : right;
    struct ck_texpr *zero = ck_const_int(fn, with_sign->type, 0, span);
    struct ck_texpr *below = compare(fn, CK_CMP_LT, with_sign, zero, span);
    struct ck_texpr *not_below = compare(fn, CK_CMP_GE, with_sign, zero, span);
    struct ck_texpr *plain = compare(fn, op, ck_cast(fn, left, u64), ck_cast(fn, right, u64), span);
    bool less = op == CK_CMP_LT || op == CK_CMP_LE, greater = op == CK_CMP_GT || op == CK_CMP_GE;
    bool if_below = op == CK_CMP_NE || (signed_left ? less : greater);
    return if_below ? logical(fn, true, below, plain, span)
                    : logical(fn, false, not_below, plain, span);
}

/* One link of a comparison; both operands are simple. NULL after an error. */
static struct ck_texpr *
compare_values(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *left,
               const struct ck_value *right, struct ck_span span)
{
    if (op > CK_CMP_NE) {
        struct ck_diag *diag = ck_error(fn, BAD_OPERATOR, span, ck_compare_op_text(op));
        if (op == CK_CMP_IS || op == CK_CMP_IS_NOT)
            ck_diag_help(fn->c->diags, diag, "compare values with `%s`",
                         op == CK_CMP_IS ? "==" : "!=");
        return NULL;
    }
    if (left->kind == CK_VALUE_ERROR || right->kind == CK_VALUE_ERROR)
        return NULL;
    if (!is_real_scalar(left) || !is_real_scalar(right)) {
        bad_operands(fn, ck_compare_op_text(op), left, right, span);
        return NULL;
    }
    if (left->type->kind == CK_TYPE_BOOL && right->type->kind == CK_TYPE_BOOL)
        return compare(fn, op, left->expr, right->expr, span);
    const struct ck_type *type = ck_promote(left->type, right->type);
    if (!type)
        return compare_signs(fn, op, left->expr, right->expr, span);
    struct ck_texpr *l = ck_convert(fn, left, type), *r = ck_convert(fn, right, type);
    return l && r ? compare(fn, op, l, r, span) : NULL;
}

/* Wraps `body` so that `value`, which is not simple, is evaluated once before it. */
static struct ck_value
name_once(struct ck_fn *fn, struct ck_value value, struct ck_texpr **let)
{
    *let = NULL;
    if (value.kind != CK_VALUE_RUN || ck_is_simple(value.expr) || !ck_type_is_scalar(value.type))
        return value;
    *let = ck_texpr_new(fn, CK_T_LET, ck_type_scalar(CK_TYPE_BOOL), value.span);
    (*let)->let.local = ck_local_new(fn, "", value.expr->type);
    (*let)->let.init = value.expr;
    value.expr = ck_local_ref(fn, (*let)->let.local, value.span);
    return value;
}

/* left op operands[i+1] and operands[i+1] op ... : every operand once, the later ones lazily. */
static struct ck_texpr *
compare_from(struct ck_fn *fn, const struct ck_expr *expr, int i, struct ck_value left)
{
    struct ck_texpr *let;
    struct ck_value right = ck_check_run(fn, expr->compare.operands[i + 1]);
    right = name_once(fn, right, &let);
    struct ck_texpr *link = compare_values(fn, expr->compare.ops[i], &left, &right,
                                           ck_span_join(left.span, right.span));
    if (i + 1 < expr->compare.n_ops) {
        struct ck_texpr *rest = compare_from(fn, expr, i + 1, right);
        link = link && rest ? logical(fn, false, link, rest, expr->span) : NULL;
    }
    if (!let || !link)
        return link;
    let->let.body = link;
    return let;
}

static struct ck_texpr *
check_compare(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value first = ck_check_run(fn, expr->compare.operands[0]);
    struct ck_texpr *let;
    first = name_once(fn, first, &let);
    struct ck_texpr *result = compare_from(fn, expr, 0, first);
    if (!let || !result)
        return result;
    let->let.body = result;
    return let;
}

/* --- Conditions ----------------------------------------------------------------------------------
 */

static struct ck_texpr *
negate(struct ck_fn *fn, struct ck_texpr *test, struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_UNARY, test->type, span);
    if (test->kind == CK_T_CONST) {
        expr->kind = CK_T_CONST;
        expr->constant.i = !test->constant.i;
        return expr;
    }
    expr->unary.op = CK_OP_NOT;
    expr->unary.operand = test;
    return expr;
}

struct ck_texpr *
ck_check_condition(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_UNARY && expr->unary.op == CK_OP_NOT) {
        struct ck_texpr *test = ck_check_condition(fn, expr->unary.operand);
        return test ? negate(fn, test, expr->span) : NULL;
    }
    if (expr->kind == CK_EXPR_COMPARE)
        return check_compare(fn, expr);
    if (expr->kind != CK_EXPR_LOGICAL) {
        struct ck_value value = ck_check_run(fn, expr);
        return ck_truth(fn, &value);
    }
    struct ck_texpr *result = ck_check_condition(fn, expr->logical.operands[0]);
    for (int i = 1; i < expr->logical.n; i++) {
        if (result && result->kind == CK_T_CONST &&
            (result->constant.i != 0) == expr->logical.is_or)
            return result; /* decided: the rest is never evaluated */
        struct ck_texpr *next = ck_check_condition(fn, expr->logical.operands[i]);
        result = result && next ? logical(fn, expr->logical.is_or, result, next, expr->span) : NULL;
    }
    return result;
}

/* a and b, a or b as values: one of the operands. */
static struct ck_value
logical_values(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value left, int i)
{
    if (i == expr->logical.n || left.kind == CK_VALUE_ERROR)
        return left;
    struct ck_texpr *truth = ck_truth(fn, &left);
    if (truth && truth->kind == CK_T_CONST) {
        if ((truth->constant.i != 0) == expr->logical.is_or)
            return left;
        return logical_values(fn, expr, ck_check_run(fn, expr->logical.operands[i]), i + 1);
    }
    struct ck_value right =
        logical_values(fn, expr, ck_check_run(fn, expr->logical.operands[i]), i + 1);
    if (!truth || right.kind == CK_VALUE_ERROR)
        return ck_value_error(expr->span);
    bool bools = left.type->kind == CK_TYPE_BOOL && right.type->kind == CK_TYPE_BOOL;
    if (bools)
        return ck_value_run(left.type,
                            logical(fn, expr->logical.is_or, left.expr, right.expr, expr->span));
    const struct ck_type *type =
        ck_type_is_scalar(right.type) ? ck_promote(left.type, right.type) : NULL;
    if (!type) {
        if (ck_type_is_scalar(right.type))
            return mixed_signs(fn, &left, &right, expr->span);
        return bad_operands(fn, expr->logical.is_or ? "or" : "and", &left, &right, expr->span);
    }
    struct ck_texpr *let = NULL;
    if (!ck_is_simple(left.expr)) {
        let = ck_texpr_new(fn, CK_T_LET, NULL, expr->span);
        let->let.local = ck_local_new(fn, "", left.expr->type);
        let->let.init = left.expr;
        left.expr = ck_local_ref(fn, let->let.local, left.span);
    }
    struct ck_texpr *l = ck_convert(fn, &left, type), *r = ck_convert(fn, &right, type);
    truth = ck_truth(fn, &left);
    if (!l || !r || !truth)
        return ck_value_error(expr->span);
    struct ck_texpr *select = ck_texpr_new(fn, CK_T_SELECT, l->type, expr->span);
    select->select.test = truth;
    select->select.then = expr->logical.is_or ? l : r;
    select->select.otherwise = expr->logical.is_or ? r : l;
    type = ck_storage_type(&fn->c->types, type);
    if (!let)
        return ck_value_run(type, select);
    let->type = select->type;
    let->let.body = select;
    return ck_value_run(type, let);
}

static struct ck_value
check_conditional(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_texpr *test = ck_check_condition(fn, expr->conditional.test);
    if (test && test->kind == CK_T_CONST)
        return ck_check_run(fn, test->constant.i ? expr->conditional.then
                                                 : expr->conditional.otherwise);
    struct ck_value then = ck_check_run(fn, expr->conditional.then);
    struct ck_value otherwise = ck_check_run(fn, expr->conditional.otherwise);
    if (!test || then.kind == CK_VALUE_ERROR || otherwise.kind == CK_VALUE_ERROR)
        return ck_value_error(expr->span);
    const struct ck_type *type = ck_join_types(&fn->c->types, then.type, otherwise.type);
    if (!type) {
        ck_error(fn, BRANCH_TYPES, expr->span, ck_text_of(fn, then.type),
                 ck_text_of(fn, otherwise.type));
        return ck_value_error(expr->span);
    }
    struct ck_texpr *select =
        ck_texpr_new(fn, CK_T_SELECT, ck_storage_type(&fn->c->types, type), expr->span);
    select->select.test = test;
    select->select.then = ck_convert(fn, &then, type);
    select->select.otherwise = ck_convert(fn, &otherwise, type);
    if (!select->select.then || !select->select.otherwise)
        return ck_value_error(expr->span);
    struct ck_value value = ck_value_run(type, select);
    value.low = then.low < otherwise.low ? then.low : otherwise.low;
    value.high = then.high > otherwise.high ? then.high : otherwise.high;
    value.nonnegative = then.nonnegative && otherwise.nonnegative;
    return value;
}

/* --- Indexing ------------------------------------------------------------------------------------
 */

static bool
make_index(struct ck_fn *fn, const struct ck_value *value, struct ck_tindex *out)
{
    if (value->kind != CK_VALUE_RUN)
        return false;
    if (!ck_type_is_int(value->type) && value->type->kind != CK_TYPE_BOOL) {
        struct ck_diag *diag = ck_error(
            fn, BAD_INDEX, value->span,
            ck_arena_printf(fn->c->arena, "%s cannot be an index", ck_text_of(fn, value->type)));
        if (ck_type_is_float(value->type))
            ck_diag_help(fn->c->diags, diag, "cast it: int(...), or divide with `//`");
        return false;
    }
    out->value = value->type->kind == CK_TYPE_BOOL
                     ? ck_cast(fn, value->expr, ck_type_scalar(CK_TYPE_INT32))
                     : value->expr;
    out->wrap = !value->nonnegative && !fn->global->options.no_wraparound &&
                ck_type_is_signed(out->value->type);
    return true;
}

static bool
wrong_index_count(struct ck_fn *fn, const struct ck_value *array, int n, struct ck_span span)
{
    int ndim = array->type->array.ndim;
    if (n < ndim) {
        ck_error(fn, NOT_SUPPORTED, span,
                 ck_arena_printf(fn->c->arena, "a view of %s by %d of its %d indices",
                                 ck_text_of(fn, array->type), n, ndim));
        return false;
    }
    ck_error(fn, BAD_INDEX, span,
             ck_arena_printf(fn->c->arena, "%s has %d dimension%s, not %d",
                             ck_text_of(fn, array->type), ndim, ndim == 1 ? "" : "s", n));
    return false;
}

bool
ck_indices_from_value(struct ck_fn *fn, const struct ck_value *array, const struct ck_value *index,
                      struct ck_tindex **out)
{
    if (index->kind != CK_VALUE_RUN)
        return false;
    bool is_tuple = index->type->kind == CK_TYPE_TUPLE;
    int n = is_tuple ? index->type->tuple.n : 1;
    if (n != array->type->array.ndim)
        return wrong_index_count(fn, array, n, index->span);
    *out = CK_NEW_ARRAY(fn->c->arena, struct ck_tindex, n);
    for (int i = 0; i < n; i++) {
        struct ck_value item = *index;
        if (is_tuple) {
            struct ck_texpr *source = index->expr;
            struct ck_texpr *part = source->kind == CK_T_TUPLE ? source->tuple.items[i] : NULL;
            if (!part) {
                part = ck_texpr_new(fn, CK_T_ITEM, source->type->tuple.items[i], index->span);
                part->item.tuple = source;
                part->item.index = i;
            }
            item = ck_value_run(index->type->tuple.items[i], part);
        }
        if (!make_index(fn, &item, &(*out)[i]))
            return false;
    }
    return true;
}

enum { MAX_INDICES = 2 * CK_MAX_NDIM };

static struct ck_value tuple_subscript(struct ck_fn *fn, struct ck_value tuple,
                                       const struct ck_expr *expr);

/* Collects `A[i][j, k]` into A's value and [i, j, k]; A may be an item of a tuple, `t[0][i]`.
 * -1: too many. */
static int
collect_indices(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *array,
                const struct ck_expr **indices)
{
    int n = 0;
    if (expr->subscript.object->kind == CK_EXPR_SUBSCRIPT)
        n = collect_indices(fn, expr->subscript.object, array, indices);
    else
        *array = ck_check_run(fn, expr->subscript.object);
    if (n == 0 && array->kind == CK_VALUE_RUN && array->type->kind == CK_TYPE_TUPLE) {
        *array = tuple_subscript(fn, *array, expr);
        return 0;
    }
    if (n < 0 || n + expr->subscript.n_indices > MAX_INDICES)
        return -1;
    for (int i = 0; i < expr->subscript.n_indices; i++)
        indices[n++] = expr->subscript.indices[i];
    return n;
}

/* The values of the written indices, a tuple among them spread. -1 after an error. */
static int
index_values(struct ck_fn *fn, const struct ck_expr *const *indices, int n, struct ck_value *out)
{
    int count = 0;
    bool good = true;
    for (int i = 0; i < n; i++) {
        if (indices[i]->kind == CK_EXPR_SLICE) {
            ck_error(fn, NOT_SUPPORTED, indices[i]->span, "slicing");
            return -1;
        }
        struct ck_value value = ck_check_run(fn, indices[i]);
        good = good && value.kind == CK_VALUE_RUN;
        if (!good)
            continue;
        bool spread = value.type->kind == CK_TYPE_TUPLE;
        int parts = spread ? value.type->tuple.n : 1;
        for (int k = 0; k < parts && count < MAX_INDICES; k++) {
            out[count] = value;
            if (spread) {
                struct ck_texpr *source = value.expr;
                struct ck_texpr *part = source->kind == CK_T_TUPLE ? source->tuple.items[k] : NULL;
                if (!part) {
                    part = ck_texpr_new(fn, CK_T_ITEM, source->type->tuple.items[k], value.span);
                    part->item.tuple = source;
                    part->item.index = k;
                }
                out[count] = ck_value_run(value.type->tuple.items[k], part);
            }
            count++;
        }
    }
    return good ? count : -1;
}

bool
ck_check_element(struct ck_fn *fn, const struct ck_expr *expr, struct ck_element *out)
{
    const struct ck_expr *indices[MAX_INDICES];
    struct ck_value values[MAX_INDICES];
    int n = collect_indices(fn, expr, &out->array, indices);
    if (n < 0) {
        ck_error(fn, BAD_INDEX, expr->span, "more indices than an array can have dimensions");
        return false;
    }
    int count = index_values(fn, indices, n, values);
    if (out->array.kind == CK_VALUE_ERROR || count < 0)
        return false;
    if (n == 0 || !ck_type_is_array(out->array.type)) {
        ck_error(fn, BAD_INDEX, expr->span,
                 n == 0 ? "a tuple's items cannot be assigned"
                        : ck_arena_printf(fn->c->arena, "%s cannot be indexed",
                                          ck_text_of(fn, out->array.type)));
        return false;
    }
    if (count != out->array.type->array.ndim)
        return wrong_index_count(fn, &out->array, count, expr->span);
    out->indices = CK_NEW_ARRAY(fn->c->arena, struct ck_tindex, count);
    for (int i = 0; i < count; i++) {
        if (!make_index(fn, &values[i], &out->indices[i]))
            return false;
    }
    return true;
}

/* What an expression would mean, without reporting or counting its errors. */
static struct ck_value
probe(struct ck_fn *fn, const struct ck_expr *expr)
{
    int failures = fn->c->n_failures;
    fn->c->diags->quiet++;
    struct ck_value value = ck_check_name(fn, expr);
    fn->c->diags->quiet--;
    fn->c->n_failures = failures;
    return value;
}

static struct ck_value
tuple_subscript(struct ck_fn *fn, struct ck_value tuple, const struct ck_expr *expr)
{
    int n = tuple.type->tuple.n;
    int64_t index;
    if (expr->subscript.n_indices != 1) {
        ck_error(fn, BAD_INDEX, expr->span, "a tuple has one index");
        return ck_value_error(expr->span);
    }
    if (expr->subscript.indices[0]->kind == CK_EXPR_SLICE) {
        ck_error(fn, NOT_SUPPORTED, expr->span, "slicing a tuple");
        return ck_value_error(expr->span);
    }
    struct ck_value value = ck_check_run(fn, expr->subscript.indices[0]);
    if (value.kind == CK_VALUE_ERROR)
        return value;
    if (!ck_value_const_int(&value, &index)) {
        ck_error(fn, BAD_INDEX, value.span, "the index of a tuple must be a constant integer");
        return ck_value_error(expr->span);
    }
    if (index < -n || index >= n) {
        ck_error(fn, BAD_INDEX, value.span,
                 ck_arena_printf(fn->c->arena, "index %lld is outside a tuple of %d",
                                 (long long)index, n));
        return ck_value_error(expr->span);
    }
    index = index < 0 ? index + n : index;
    const struct ck_type *type = tuple.type->tuple.items[index];
    struct ck_texpr *source = tuple.expr;
    if (source->kind == CK_T_TUPLE && !ck_has_effect(source)) {
        struct ck_value item = ck_value_run(type, source->tuple.items[index]);
        item.nonnegative = item.nonnegative || item.expr->kind == CK_T_SHAPE;
        item.span = expr->span;
        return item;
    }
    struct ck_texpr *item =
        ck_texpr_new(fn, CK_T_ITEM, source->type->tuple.items[index], expr->span);
    item->item.tuple = source;
    item->item.index = (int)index;
    struct ck_value result = ck_value_run(type, item);
    result.nonnegative =
        result.nonnegative ||
        (source->kind == CK_T_BUILTIN &&
         (source->builtin.id == CK_BUILTIN_GRID || source->builtin.id == CK_BUILTIN_GRIDSIZE));
    return result;
}

static struct ck_value
check_subscript(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_expr *object = expr->subscript.object;
    if (object->kind != CK_EXPR_SUBSCRIPT) {
        struct ck_value value = ck_check_name(fn, object);
        if (value.kind == CK_VALUE_ERROR)
            return value;
        if (value.kind == CK_VALUE_TYPE) {
            ck_error(fn, WRONG_TYPE, expr->span, "an array type is not a value");
            return ck_value_error(expr->span);
        }
        if (value.kind == CK_VALUE_RUN && value.type->kind == CK_TYPE_TUPLE)
            return tuple_subscript(fn, value, expr);
    } else {
        /* `t[0][1]`: a tuple within a tuple, or `A[t][...]`. */
        struct ck_value value = probe(fn, object);
        if (value.kind == CK_VALUE_RUN && value.type->kind == CK_TYPE_TUPLE)
            return tuple_subscript(fn, ck_check_expr(fn, object), expr);
    }
    struct ck_element element;
    if (!ck_check_element(fn, expr, &element))
        return ck_value_error(expr->span);
    const struct ck_type *elem = element.array.type->array.elem;
    struct ck_texpr *load = ck_texpr_new(fn, CK_T_ELEMENT, elem, expr->span);
    load->element.array = element.array.expr;
    load->element.indices = element.indices;
    return ck_value_run(elem, load);
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

static struct ck_value
call_function(struct ck_fn *fn, struct ck_global *global, const struct ck_expr *expr)
{
    int n = expr->call.n_args;
    struct ck_value *args = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    bool good = true;
    for (int i = 0; i < n; i++) {
        if (expr->call.args[i].name) {
            ck_error(fn, KEYWORD, expr->call.args[i].name_span, expr->call.args[i].name,
                     global->name);
            good = false;
        }
        args[i] = ck_check_expr(fn, expr->call.args[i].value);
        if (args[i].kind == CK_VALUE_NONE || args[i].kind == CK_VALUE_STRING) {
            ck_error(fn, WRONG_TYPE, args[i].span, "this cannot be an argument of a function");
            good = false;
        }
        good = good && args[i].kind != CK_VALUE_ERROR;
        if (args[i].kind == CK_VALUE_RUN && !ck_is_constant(args[i].expr))
            args[i].type = ck_storage_type(&fn->c->types, args[i].type);
    }
    if (global->is_kernel) {
        struct ck_diag *diag = ck_error(fn, KERNEL_CALL, expr->span, global->name);
        ck_diag_label(fn->c->diags, diag, global->span, "defined as a kernel here");
        ck_diag_help(fn->c->diags, diag,
                     "make it a device function: remove its decorator, or say "
                     "`@cuda.jit(device=True)`");
        return ck_value_error(expr->span);
    }
    if (n != global->function->n_params) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_COUNT, expr->span, global->name,
                     ck_arena_printf(fn->c->arena, "%d argument%s", global->function->n_params,
                                     global->function->n_params == 1 ? "" : "s"),
                     n);
        ck_diag_label(fn->c->diags, diag, global->span, "defined here");
        return ck_value_error(expr->span);
    }
    if (!good || fn->constant_only) {
        if (good)
            ck_error(fn, NOT_CONSTANT, expr->span);
        return ck_value_error(expr->span);
    }
    for (int i = 0; i < n; i++) {
        const struct ck_type *want = global->annotations ? global->annotations[i] : NULL;
        if (!want || args[i].kind != CK_VALUE_RUN)
            continue;
        /* An array argument may be in any memory: a device function is specialised for it. */
        if (ck_type_is_array(want) && ck_type_is_array(args[i].type))
            want = ck_type_array(&fn->c->types, want->array.elem, want->array.ndim,
                                 want->array.layout, args[i].type->array.space);
        struct ck_texpr *converted = ck_convert(fn, &args[i], want);
        if (!converted)
            return ck_value_error(expr->span);
        args[i] = ck_value_run(want, converted);
    }
    struct ck_tfunc *function = ck_instantiate(fn->c, global, args, n, expr->span);
    if (!function)
        return ck_value_error(expr->span);
    struct ck_texpr *call = ck_texpr_new(fn, CK_T_CALL, function->returns, expr->span);
    call->call.function = function;
    call->call.args = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    for (int i = 0; i < n; i++) {
        if (args[i].kind == CK_VALUE_RUN && !ck_is_constant(args[i].expr))
            call->call.args[call->call.n_args++] = args[i].expr;
    }
    struct ck_tfunc *out = fn->out;
    bool known = false;
    for (int i = 0; i < out->n_callees; i++)
        known = known || out->callees[i] == function;
    if (!known)
        CK_PUSH(fn->c->arena, out->callees, out->n_callees, out->callees_capacity, function);
    out->has_block_barrier = out->has_block_barrier || function->has_block_barrier;
    out->has_grid_barrier = out->has_grid_barrier || function->has_grid_barrier;
    if (function->returns->kind == CK_TYPE_VOID)
        return (struct ck_value){.kind = CK_VALUE_NONE, .expr = call, .span = expr->span};
    return ck_value_run(function->returns, call);
}

static struct ck_value
check_call(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_expr *callee = expr->call.callee;
    struct ck_value receiver = ck_value_error(expr->span);
    if (callee->kind == CK_EXPR_ATTRIBUTE) {
        receiver = probe(fn, callee->attribute.object);
    }
    struct ck_value value = ck_check_name(fn, callee);
    switch (value.kind) {
    case CK_VALUE_FUNCTION:
        return call_function(fn, value.function, expr);
    case CK_VALUE_BUILTIN:
        return ck_check_builtin(fn, value.builtin, expr, &receiver);
    case CK_VALUE_TYPE:
        return ck_cast_value(fn, value.type, expr);
    case CK_VALUE_ERROR:
        for (int i = 0; i < expr->call.n_args; i++) /* their own errors */
            ck_check_expr(fn, expr->call.args[i].value);
        return value;
    default:
        ck_error(fn, NOT_CALLABLE, callee->span, ck_source_text(fn->c, callee->span));
        return ck_value_error(expr->span);
    }
}

/* --- All expressions -----------------------------------------------------------------------------
 */

static struct ck_value
check_tuple(struct ck_fn *fn, const struct ck_expr *expr)
{
    int n = expr->sequence.n;
    const struct ck_type **types = CK_NEW_ARRAY(fn->c->arena, const struct ck_type *, n);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, expr->span);
    tuple->tuple.n = n;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    bool good = true;
    for (int i = 0; i < n; i++) {
        struct ck_value item = ck_check_run(fn, expr->sequence.items[i]);
        good = good && item.kind == CK_VALUE_RUN;
        if (good) {
            types[i] = item.type;
            tuple->tuple.items[i] = item.expr;
        }
    }
    if (!good)
        return ck_value_error(expr->span);
    const struct ck_type *type = ck_type_tuple(&fn->c->types, types, n);
    tuple->type = ck_storage_type(&fn->c->types, type);
    return ck_value_run(type, tuple);
}

static struct ck_value
check_int(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->integer.too_large)
        return ck_value_error(expr->span);
    if (expr->integer.value <= INT64_MAX)
        return ck_value_int(fn, (int64_t)expr->integer.value, expr->span);
    const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
    return ck_value_run(u64, ck_const_int(fn, u64, (int64_t)expr->integer.value, expr->span));
}

static struct ck_value
dispatch(struct ck_fn *fn, const struct ck_expr *expr)
{
    switch (expr->kind) {
    case CK_EXPR_ERROR:
        return ck_value_error(expr->span);
    case CK_EXPR_NAME:
    case CK_EXPR_ATTRIBUTE: {
        struct ck_value value = ck_check_name(fn, expr);
        if (value.kind == CK_VALUE_BUILTIN)
            return ck_builtin_value(fn, value.builtin, expr->span);
        return value;
    }
    case CK_EXPR_INT:
        return check_int(fn, expr);
    case CK_EXPR_FLOAT:
        return ck_value_run(
            ck_type_scalar(CK_TYPE_WEAK_FLOAT),
            ck_const_float(fn, ck_type_scalar(CK_TYPE_FLOAT64), expr->floating, expr->span));
    case CK_EXPR_IMAGINARY:
        ck_error(fn, NOT_SUPPORTED, expr->span, "complex numbers");
        return ck_value_error(expr->span);
    case CK_EXPR_STRING:
        return (struct ck_value){.kind = CK_VALUE_STRING, .span = expr->span};
    case CK_EXPR_BOOL:
        return ck_value_bool(fn, expr->boolean, expr->span);
    case CK_EXPR_NONE:
        return (struct ck_value){.kind = CK_VALUE_NONE, .span = expr->span};
    case CK_EXPR_UNARY:
        return check_unary(fn, expr);
    case CK_EXPR_BINARY: {
        struct ck_value left = ck_check_run(fn, expr->binary.left);
        struct ck_value right = ck_check_run(fn, expr->binary.right);
        return ck_check_binary(fn, expr->binary.op, left, right, expr->span);
    }
    case CK_EXPR_COMPARE: {
        struct ck_texpr *test = check_compare(fn, expr);
        return test ? ck_value_run(test->type, test) : ck_value_error(expr->span);
    }
    case CK_EXPR_LOGICAL:
        return logical_values(fn, expr, ck_check_run(fn, expr->logical.operands[0]), 1);
    case CK_EXPR_CONDITIONAL:
        return check_conditional(fn, expr);
    case CK_EXPR_CALL:
        return check_call(fn, expr);
    case CK_EXPR_SUBSCRIPT:
        return check_subscript(fn, expr);
    case CK_EXPR_TUPLE:
        return check_tuple(fn, expr);
    case CK_EXPR_SLICE:
        ck_error(fn, NOT_SUPPORTED, expr->span, "slicing");
        return ck_value_error(expr->span);
    case CK_EXPR_LIST: {
        struct ck_diag *diag = ck_error(fn, WRONG_TYPE, expr->span, "kernels have no lists");
        ck_diag_help(fn->c->diags, diag, "use a tuple, or shared.array(...) for memory");
        return ck_value_error(expr->span);
    }
    }
    return ck_value_error(expr->span);
}

struct ck_value
ck_check_expr(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value value = dispatch(fn, expr);
    value.span = expr->span;
    value.syntax = expr;
    return value;
}

struct ck_value
ck_check_run(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value value = ck_check_expr(fn, expr);
    const char *what = NULL;
    switch (value.kind) {
    case CK_VALUE_ERROR:
    case CK_VALUE_RUN:
        return value;
    case CK_VALUE_NONE:
        what = value.expr ? "this call gives no value" : "None is not a value of a kernel";
        break;
    case CK_VALUE_STRING:
        what = "a string can only be printed";
        break;
    case CK_VALUE_TYPE:
        what = "a type is not a value";
        break;
    case CK_VALUE_FUNCTION:
    case CK_VALUE_BUILTIN:
        what = "a function is not a value: call it";
        break;
    case CK_VALUE_PATH:
        what = "this names a part of the language, not a value";
        break;
    case CK_VALUE_GROUP:
        what = "a group is not a value: use its members";
        break;
    }
    ck_error(fn, WRONG_TYPE, expr->span, what);
    return ck_value_error(expr->span);
}
