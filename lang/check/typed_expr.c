/* Building typed expressions: constants, casts, conversions, truth. */
#include <math.h>
#include <string.h>

#include "base/float16.h"
#include "lang/check/checker.h"
#include "lang/check/date.h"
#include "lang/check/element.h"
#include "lang/check/view.h"
#include "lang/typed/fold.h"

struct ck_texpr *
ck_texpr_new(struct ck_fn *fn, enum ck_texpr_kind kind, const struct ck_type *type,
             struct ck_span span)
{
    struct ck_texpr *expr = CK_NEW(fn->c->arena, struct ck_texpr);
    expr->kind = kind;
    expr->type = type;
    expr->span = span;
    return expr;
}

struct ck_texpr *
ck_const_int(struct ck_fn *fn, const struct ck_type *type, int64_t value, struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_CONST, type, span);
    expr->constant.i = value;
    return expr;
}

struct ck_texpr *
ck_const_float(struct ck_fn *fn, const struct ck_type *type, double value, struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_CONST, type, span);
    expr->constant.f = type->kind == CK_TYPE_FLOAT32 ? (double)(float)value : value;
    return expr;
}

struct ck_texpr *
ck_local_ref(struct ck_fn *fn, int local, struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_LOCAL, fn->out->locals[local].type, span);
    expr->local = local;
    return expr;
}

struct ck_tstmt *
ck_emit(struct ck_fn *fn, enum ck_tstmt_kind kind, struct ck_span span)
{
    struct ck_tstmt *stmt = CK_NEW(fn->c->arena, struct ck_tstmt);
    stmt->kind = kind;
    stmt->span = span;
    CK_PUSH(fn->c->arena, fn->block->stmts, fn->block->n, fn->block->capacity, stmt);
    return stmt;
}

void
ck_emit_assign(struct ck_fn *fn, struct ck_tblock *block, int local, struct ck_texpr *value,
               struct ck_span span)
{
    struct ck_tblock *saved = fn->block;
    fn->block = block;
    struct ck_tstmt *stmt = ck_emit(fn, CK_S_ASSIGN, span);
    stmt->assign.local = local;
    stmt->assign.value = value;
    fn->block = saved;
}

bool
ck_is_constant(const struct ck_texpr *expr)
{
    if (expr->kind == CK_T_CONST || expr->kind == CK_T_ARRAY || expr->kind == CK_T_MODULE_ARRAY)
        return true;
    if (expr->kind != CK_T_TUPLE)
        return false;
    for (int i = 0; i < expr->tuple.n; i++) {
        if (!ck_is_constant(expr->tuple.items[i]))
            return false;
    }
    return true;
}

bool
ck_same_constant(const struct ck_texpr *a, const struct ck_texpr *b)
{
    if (a->kind != b->kind || a->type != b->type)
        return false;
    if (a->kind == CK_T_CONST)
        return memcmp(&a->constant, &b->constant, sizeof a->constant) == 0;
    if (a->kind == CK_T_ARRAY)
        return a->array == b->array;
    if (a->kind == CK_T_MODULE_ARRAY)
        return a->module_array == b->module_array;
    for (int i = 0; i < a->tuple.n; i++) {
        if (!ck_same_constant(a->tuple.items[i], b->tuple.items[i]))
            return false;
    }
    return true;
}

struct ck_texpr *
ck_extent_expr(struct ck_fn *fn, enum ck_texpr_kind kind, struct ck_texpr *array, int dim,
               struct ck_span span)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    if (array->kind == CK_T_ARRAY && kind == CK_T_SHAPE)
        return ck_const_int(fn, i64, array->array->shape[dim], span);
    if (array->kind == CK_T_MODULE_ARRAY && kind == CK_T_SHAPE)
        return ck_const_int(fn, i64, array->module_array->shape[dim], span);
    struct ck_texpr *expr = ck_texpr_new(fn, kind, i64, span);
    expr->extent.array = array;
    expr->extent.dim = dim;
    return expr;
}

struct ck_texpr *
ck_binary_expr(struct ck_fn *fn, enum ck_binary_op op, struct ck_texpr *left,
               struct ck_texpr *right, struct ck_span span)
{
    if (ck_type_is_complex(left->type) && ck_is_constant(left) && ck_is_constant(right) &&
        op != CK_OP_POW)
        return ck_complex_operation(fn, op, left, right, span);
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

struct ck_texpr *
ck_compare_expr(struct ck_fn *fn, enum ck_compare_op op, struct ck_texpr *left,
                struct ck_texpr *right, struct ck_span span)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_BOOL);
    bool result;
    if (ck_type_is_complex(left->type) && ck_is_constant(left) && ck_is_constant(right))
        return ck_const_int(fn, type, ck_complex_equal(left, right) == (op == CK_CMP_EQ), span);
    if (left->kind == CK_T_CONST && right->kind == CK_T_CONST &&
        ck_fold_compare(&result, op, left, right))
        return ck_const_int(fn, type, result, span);
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_COMPARE, type, span);
    expr->compare.op = op;
    expr->compare.left = left;
    expr->compare.right = right;
    return expr;
}

struct ck_texpr *
ck_select_expr(struct ck_fn *fn, struct ck_texpr *test, struct ck_texpr *then,
               struct ck_texpr *otherwise, struct ck_span span)
{
    if (test->kind == CK_T_CONST)
        return test->constant.i ? then : otherwise;
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_SELECT, then->type, span);
    expr->select.test = test;
    expr->select.then = then;
    expr->select.otherwise = otherwise;
    return expr;
}

struct ck_texpr *
ck_let_new(struct ck_fn *fn, struct ck_texpr *init, struct ck_span span, struct ck_texpr **let)
{
    *let = ck_texpr_new(fn, CK_T_LET, NULL, span);
    (*let)->let.local = ck_local_new(fn, "", init->type);
    (*let)->let.init = init;
    return ck_local_ref(fn, (*let)->let.local, span);
}

struct ck_texpr *
ck_let_in(struct ck_texpr *let, struct ck_texpr *body)
{
    if (!let || !body)
        return body;
    let->type = body->type;
    let->let.body = body;
    return let;
}

void
ck_lets_add(struct ck_lets *lets, struct ck_texpr *let)
{
    if (let)
        lets->items[lets->n++] = let;
}

struct ck_texpr *
ck_lets_save(struct ck_fn *fn, struct ck_lets *lets, struct ck_texpr *expr)
{
    return ck_is_simple(expr) ? expr : ck_let_new(fn, expr, expr->span, &lets->items[lets->n++]);
}

struct ck_texpr *
ck_lets_in(const struct ck_lets *lets, struct ck_texpr *body)
{
    for (int i = lets->n - 1; i >= 0; i--)
        body = ck_let_in(lets->items[i], body);
    return body;
}

void
ck_lets_emit(struct ck_fn *fn, const struct ck_lets *lets)
{
    for (int i = 0; i < lets->n; i++) {
        const struct ck_texpr *let = lets->items[i];
        ck_emit_assign(fn, fn->block, let->let.local, let->let.init, let->span);
    }
}

struct ck_texpr *
ck_known_bool(struct ck_fn *fn, const struct ck_value *value, bool known, struct ck_span span)
{
    struct ck_texpr *result = ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), known, span), *let;
    if (value->kind != CK_VALUE_RUN || !ck_has_effect(value->expr))
        return result;
    ck_let_new(fn, value->expr, span, &let);
    return ck_let_in(let, result);
}

bool
ck_is_simple(const struct ck_texpr *expr)
{
    if (expr->kind == CK_T_TUPLE)
        return ck_type_is_complex(expr->type) && ck_is_constant(expr);
    return expr->kind == CK_T_CONST || expr->kind == CK_T_LOCAL || expr->kind == CK_T_ARRAY ||
           expr->kind == CK_T_MODULE_ARRAY;
}

/* Whether evaluating the expression has an effect. */
bool
ck_has_effect(const struct ck_texpr *expr)
{
    switch (expr->kind) {
    case CK_T_CONST:
    case CK_T_LOCAL:
    case CK_T_ARRAY:
    case CK_T_MODULE_ARRAY:
        return false;
    case CK_T_ELEMENT:
        for (int i = 0; i < expr->element.array->type->array.ndim; i++) {
            if (ck_has_effect(expr->element.indices[i].value))
                return true;
        }
        return ck_has_effect(expr->element.array);
    case CK_T_SHAPE:
    case CK_T_STRIDE:
        return ck_has_effect(expr->extent.array);
    case CK_T_CAST:
    case CK_T_UNARY:
        return ck_has_effect(expr->unary.operand);
    case CK_T_TRANSPOSE:
        return ck_has_effect(expr->transpose.array);
    case CK_T_FIELD:
        return ck_has_effect(expr->field.array);
    case CK_T_ADDRESS:
    case CK_T_REINTERPRET:
    case CK_T_RETYPE:
        return ck_has_effect(expr->operand);
    case CK_T_BINARY:
        return ck_has_effect(expr->binary.left) || ck_has_effect(expr->binary.right);
    case CK_T_COMPARE:
        return ck_has_effect(expr->compare.left) || ck_has_effect(expr->compare.right);
    case CK_T_TUPLE:
        for (int i = 0; i < expr->tuple.n; i++) {
            if (ck_has_effect(expr->tuple.items[i]))
                return true;
        }
        return false;
    case CK_T_ITEM:
        return ck_has_effect(expr->item.tuple);
    case CK_T_VIEW:
        return ck_view_has_effect(expr);
    case CK_T_RESHAPE:
        for (int i = 0; i < expr->type->array.ndim; i++) {
            if (ck_has_effect(expr->reshape.extents[i]))
                return true;
        }
        return ck_has_effect(expr->reshape.array);
    default:
        return true;
    }
}

struct ck_value
ck_value_error(struct ck_span span)
{
    return (struct ck_value){.kind = CK_VALUE_ERROR, .span = span};
}

double
ck_farther(double a, double b)
{
    return fabs(b) > fabs(a) ? b : a;
}

void
ck_cover_literals(struct ck_value *value, const struct ck_value *item)
{
    if (!ck_type_is_weak(item->type) && item->type->kind != CK_TYPE_TUPLE)
        return;
    value->range.farthest = ck_farther(value->range.farthest, item->range.farthest);
    value->range.low = value->range.low < item->range.low ? value->range.low : item->range.low;
    value->range.high = value->range.high > item->range.high ? value->range.high : item->range.high;
}

struct ck_value
ck_value_run(const struct ck_type *type, struct ck_texpr *expr)
{
    struct ck_value value = {.kind = CK_VALUE_RUN, .type = type, .expr = expr, .span = expr->span};
    if (expr->kind == CK_T_CONST && ck_type_is_int(expr->type)) {
        value.range.low = value.range.high = expr->constant.i;
        value.nonnegative = ck_type_is_unsigned(expr->type) || expr->constant.i >= 0;
    } else {
        value.nonnegative = ck_type_is_unsigned(expr->type);
    }
    if (type->kind == CK_TYPE_WEAK_FLOAT && expr->kind == CK_T_CONST)
        value.range.farthest = expr->constant.f;
    bool complex = type->kind == CK_TYPE_WEAK_COMPLEX && ck_is_constant(expr);
    for (int i = 0; complex && i < expr->tuple.n; i++)
        value.range.farthest = ck_farther(value.range.farthest, expr->tuple.items[i]->constant.f);
    for (int i = 0; type->kind == CK_TYPE_TUPLE && expr->kind == CK_T_TUPLE && i < expr->tuple.n;
         i++) {
        struct ck_value item = ck_value_run(type->tuple.items[i], expr->tuple.items[i]);
        ck_cover_literals(&value, &item);
    }
    return value;
}

struct ck_value
ck_value_int(struct ck_fn *fn, int64_t value, struct ck_span span)
{
    return ck_value_run(ck_type_scalar(CK_TYPE_WEAK_INT),
                        ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), value, span));
}

struct ck_value
ck_value_bool(struct ck_fn *fn, bool value, struct ck_span span)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_BOOL);
    return ck_value_run(type, ck_const_int(fn, type, value, span));
}

bool
ck_value_const_int(const struct ck_value *value, int64_t *out)
{
    if (value->kind != CK_VALUE_RUN || value->expr->kind != CK_T_CONST ||
        !ck_type_is_int(value->type))
        return false;
    *out = ck_clamped_int(value->expr);
    return true;
}

const struct ck_type *
ck_storage_type(struct ck_types *types, const struct ck_type *type)
{
    if (type->kind == CK_TYPE_WEAK_INT)
        return ck_type_scalar(CK_TYPE_INT64);
    if (type->kind == CK_TYPE_WEAK_FLOAT)
        return ck_type_scalar(CK_TYPE_FLOAT64);
    if (type->kind == CK_TYPE_WEAK_COMPLEX)
        return ck_type_scalar(CK_TYPE_COMPLEX128);
    if (type->kind != CK_TYPE_TUPLE)
        return type;
    const struct ck_type **items =
        CK_NEW_ARRAY(types->arena, const struct ck_type *, type->tuple.n);
    for (int i = 0; i < type->tuple.n; i++)
        items[i] = ck_storage_type(types, type->tuple.items[i]);
    return ck_type_named_tuple(types, type->tuple.fields, items, type->tuple.n);
}

static bool
is_half(const struct ck_type *type)
{
    return type->kind == CK_TYPE_FLOAT16 || type->kind == CK_TYPE_BFLOAT16;
}

/* A constant cast to or from a float of 16 bits, where a module constant is computed. */
static struct ck_texpr *
cast_half(struct ck_fn *fn, struct ck_texpr *expr, const struct ck_type *type)
{
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    if (is_half(expr->type))
        return ck_cast(fn, ck_const_float(fn, f64, expr->constant.f, expr->span), type);
    struct ck_texpr *half = ck_texpr_new(fn, CK_T_CONST, type, expr->span);
    double value = ck_cast(fn, expr, f64)->constant.f;
    half->constant.f = type->kind == CK_TYPE_FLOAT16
                           ? ck_half_to_double(ck_half_from_double(value))
                           : ck_bfloat_to_double(ck_bfloat_from_double(value));
    return half;
}

struct ck_texpr *
ck_cast(struct ck_fn *fn, struct ck_texpr *expr, const struct ck_type *type)
{
    if (expr->type == type)
        return expr;
    if (ck_type_is_complex(expr->type) || ck_type_is_complex(type))
        return ck_complex_cast(fn, expr, type);
    if (fn->constant_only && expr->kind == CK_T_CONST && (is_half(type) || is_half(expr->type)))
        return cast_half(fn, expr, type);
    struct ck_texpr *cast = ck_texpr_new(fn, CK_T_CAST, type, expr->span);
    if (expr->kind == CK_T_CONST && ck_fold_cast(cast, expr, type)) {
        cast->kind = CK_T_CONST;
        return cast;
    }
    cast->unary.operand = expr;
    return cast;
}

struct ck_texpr *
ck_implicit_cast(struct ck_fn *fn, struct ck_texpr *expr, const struct ck_type *type)
{
    struct ck_texpr *cast = ck_cast(fn, expr, type);
    if (cast != expr)
        cast->must_fit = true;
    return cast;
}

/* The least value that rounds to infinity in the type. */
static double
too_large_float(const struct ck_type *type)
{
    switch (type->kind) {
    case CK_TYPE_FLOAT16:
        return 65520;
    case CK_TYPE_BFLOAT16:
        return 0x1.ffp127;
    case CK_TYPE_FLOAT32:
        return 0x1.ffffffp127;
    default:
        return INFINITY;
    }
}

/* A literal must be representable in a type that it takes. */
static bool
literal_fits(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type)
{
    if (value->type->kind == CK_TYPE_WEAK_INT && ck_type_is_int(type)) {
        int64_t low, high;
        ck_int_range(type, &low, &high);
        if (value->range.low >= low && value->range.high <= high)
            return true;
        int64_t outside = value->range.low < low ? value->range.low : value->range.high;
        struct ck_diag *diag = ck_error(fn, LITERAL_FIT, value->span,
                                        ck_arena_printf(fn->c->arena, "%lld", (long long)outside),
                                        ck_text_of(fn, type));
        ck_diag_help(fn->c->diags, diag, "cast the other operand, or write %s(...) to wrap",
                     ck_text_of(fn, type));
        return false;
    }
    bool complex = ck_type_is_complex(type);
    if (!ck_type_is_float(type) && !complex)
        return true;
    double f = ck_type_is_weak(value->type) ? value->range.farthest : 0;
    const char *text = ck_arena_printf(fn->c->arena, "%g", f);
    if (value->type->kind == CK_TYPE_WEAK_INT) {
        int64_t far = fabs((double)value->range.low) > fabs((double)value->range.high)
                          ? value->range.low
                          : value->range.high;
        f = (double)far;
        text = ck_arena_printf(fn->c->arena, "%lld", (long long)far);
    }
    if (!isfinite(f) || fabs(f) < too_large_float(complex ? ck_type_part(type) : type))
        return true;
    struct ck_diag *diag = ck_error(fn, LITERAL_FIT, value->span, text, ck_text_of(fn, type));
    ck_diag_help(fn->c->diags, diag, "cast the other operand to %s",
                 complex ? "complex128" : "float64");
    return false;
}

struct ck_value
ck_tuple_item(struct ck_fn *fn, const struct ck_value *tuple, int index)
{
    struct ck_texpr *source = tuple->expr, *item;
    if (source->kind == CK_T_TUPLE) {
        item = source->tuple.items[index];
    } else {
        item = ck_texpr_new(fn, CK_T_ITEM, source->type->tuple.items[index], tuple->span);
        item->item.tuple = source;
        item->item.index = index;
    }
    struct ck_value value = ck_value_run(tuple->type->tuple.items[index], item);
    value.nonnegative = value.nonnegative || tuple->nonnegative;
    if (item->kind != CK_T_CONST)
        ck_cover_literals(&value, &(struct ck_value){.type = value.type,
                                                     .range.low = tuple->range.low,
                                                     .range.high = tuple->range.high,
                                                     .range.farthest = tuple->range.farthest});
    return value;
}

struct ck_value
ck_only_item(struct ck_fn *fn, const struct ck_value *tuple, int index, struct ck_span span)
{
    struct ck_value item = ck_tuple_item(fn, tuple, index);
    if (tuple->expr->kind == CK_T_TUPLE && ck_has_effect(tuple->expr)) {
        item.expr = ck_texpr_new(fn, CK_T_ITEM, item.expr->type, span);
        item.expr->item.tuple = tuple->expr;
        item.expr->item.index = index;
    }
    item.span = span;
    return item;
}

static struct ck_texpr *
convert_tuple(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type)
{
    if (value->expr->type == type)
        return value->expr;
    int n = type->tuple.n;
    struct ck_texpr *source = value->expr;
    struct ck_texpr *let = NULL;
    if (source->kind != CK_T_TUPLE && !ck_is_simple(source))
        source = ck_let_new(fn, source, source->span, &let);
    struct ck_value whole = *value;
    whole.expr = source;
    struct ck_texpr *result = ck_texpr_new(fn, CK_T_TUPLE, type, value->span);
    result->tuple.n = n;
    result->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    for (int i = 0; i < n; i++) {
        struct ck_value part = ck_tuple_item(fn, &whole, i);
        result->tuple.items[i] = ck_convert(fn, &part, type->tuple.items[i]);
        if (!result->tuple.items[i])
            return NULL;
    }
    return ck_let_in(let, result);
}

struct ck_texpr *
ck_convert(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type)
{
    const struct ck_type *storage = ck_storage_type(&fn->c->types, type);
    const struct ck_type *from = value->type;
    bool drops = ck_type_is_complex(from) && !ck_type_is_complex(type);
    if (ck_type_is_scalar(from) && ck_type_is_scalar(type) && !drops) {
        if (!literal_fits(fn, value, storage))
            return NULL;
        return ck_cast(fn, value->expr, storage);
    }
    if (from->kind == CK_TYPE_TUPLE && type->kind == CK_TYPE_TUPLE &&
        from->tuple.n == type->tuple.n)
        return convert_tuple(fn, value, storage);
    if ((ck_type_is_group(from) || ck_type_is_pointer(from)) && from == type)
        return value->expr;
    struct ck_texpr *date = ck_type_is_date(from) ? ck_date_convert(fn, value, type) : NULL;
    if (date)
        return date;
    if (ck_is_record_place(value) && from->array.elem == type)
        return ck_record_load(fn, value);
    if (ck_type_is_array(from) && ck_type_is_array(type) &&
        ck_join_types(&fn->c->types, from, type) == type) {
        if (from == type)
            return value->expr;
        struct ck_texpr *retype = ck_texpr_new(fn, CK_T_RETYPE, type, value->span);
        retype->operand = value->expr;
        return retype;
    }
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, value->span,
                                    ck_arena_printf(fn->c->arena, "%s cannot be used as %s",
                                                    ck_text_of(fn, from), ck_text_of(fn, type)));
    if (drops && ck_type_is_scalar(type))
        ck_help_real(fn, diag);
    ck_help_date(fn, diag, value, type);
    return NULL;
}

struct ck_texpr *
ck_convert_to_fit(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type)
{
    struct ck_texpr *converted = ck_convert(fn, value, type);
    if (converted && converted != value->expr && converted->kind == CK_T_CAST)
        converted->must_fit = true;
    return converted;
}

struct ck_texpr *
ck_truth(struct ck_fn *fn, const struct ck_value *value)
{
    if (value->kind == CK_VALUE_ERROR)
        return NULL;
    if (value->kind == CK_VALUE_RUN && ck_type_is_scalar(value->type))
        return ck_cast(fn, value->expr, ck_type_scalar(CK_TYPE_BOOL));
    const char *what = value->type ? ck_text_of(fn, value->type) : "this";
    ck_error(fn, WRONG_TYPE, value->span,
             ck_arena_printf(fn->c->arena, "%s is neither true nor false", what));
    return NULL;
}
