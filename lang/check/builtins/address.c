/* Memory at addresses: pointers, `CPointer(float32)`, their elements, `carray` and `farray`, and
 * the addresses of arrays. Nothing says how far such memory extends. */
#include <string.h>

#include "lang/check/builtins/rules.h"
#include "lang/check/element.h"

static struct ck_value
failed(const struct ck_call *call)
{
    return ck_value_error(call->syntax->span);
}

/* --- Types ---------------------------------------------------------------------------------------
 */

const struct ck_type *
ck_pointer_type_of_call(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    const struct ck_type *elem = expr->call.n_args == 1 && !expr->call.args[0].name
                                     ? ck_type_of_expr(c, expr->call.args[0].value, report)
                                     : NULL;
    const bool is_element = elem && (ck_type_is_scalar_or_date(elem) || ck_type_is_vector(elem) ||
                                     ck_type_is_record(elem) || elem->kind == CK_TYPE_VOID);
    if (is_element)
        return ck_type_pointer(&c->types, elem);
    if (report && (elem || expr->call.n_args != 1 || expr->call.args[0].name))
        ck_diag_add(c->diags, CK_DIAG_BAD_TYPE, expr->span,
                    "a pointer's type is written CPointer(T), of a scalar, a vector or a record");
    return NULL;
}

/* --- Memory --------------------------------------------------------------------------------------
 */

/* The memory at an address, which is a uint64 or a pointer. */
static struct ck_texpr *
memory_at(struct ck_fn *fn, struct ck_texpr *address, const struct ck_type *elem,
          struct ck_span span)
{
    const struct ck_type *type =
        ck_type_array(&fn->c->types, elem, 0, CK_LAYOUT_C, CK_SPACE_GLOBAL);
    struct ck_texpr *memory = ck_texpr_new(fn, CK_T_ADDRESS, type, span);
    memory->operand = address;
    if (fn->out)
        fn->out->effects |= CK_EFFECT_RAW_MEMORY | CK_EFFECT_WIDE_VIEW;
    return memory;
}

bool
ck_pointee(struct ck_fn *fn, const struct ck_value *pointer, const struct ck_value *index,
           struct ck_span span, struct ck_value *out)
{
    const struct ck_type *elem = pointer->type->pointer.elem, *u64 = ck_type_scalar(CK_TYPE_UINT64);
    const char *text = ck_diag_text(fn->c->diags, pointer->span);
    if (elem->kind == CK_TYPE_VOID || index->kind != CK_VALUE_RUN) {
        struct ck_diag *diag =
            ck_error(fn, BAD_INDEX, span,
                     elem->kind == CK_TYPE_VOID ? "a voidptr does not say what it points to"
                                                : "a pointer has no extent");
        ck_diag_help(fn->c->diags, diag, "make an array of it: `carray(%s, n%s)`", text,
                     elem->kind == CK_TYPE_VOID ? ", float32" : "");
        return false;
    }
    if (!ck_type_is_int(index->type)) {
        ck_error(fn, BAD_INDEX, index->span, "the index of a pointer must be an integer");
        return false;
    }
    struct ck_texpr *bytes = ck_binary_expr(
        fn, CK_OP_MUL, ck_cast(fn, ck_cast(fn, index->expr, ck_type_scalar(CK_TYPE_INT64)), u64),
        ck_const_int(fn, u64, ck_type_size(elem), span), span);
    struct ck_texpr *address =
        ck_binary_expr(fn, CK_OP_ADD, ck_cast(fn, pointer->expr, u64), bytes, span);
    struct ck_texpr *memory = memory_at(fn, address, elem, span);
    *out = ck_value_run(memory->type, memory);
    out->span = span;
    return true;
}

/* --- carray and farray ---------------------------------------------------------------------------
 * `carray(address, shape, dtype)` */

enum { ADDRESS, SHAPE, DTYPE, N_ARGS };

struct arguments {
    const struct ck_expr *given[N_ARGS];
    struct ck_texpr *address;
    const struct ck_type *elem;
    struct ck_texpr *extents[CK_MAX_NDIM];
    struct ck_axis_extent *known;
    int ndim;
    struct ck_lets lets;
};

static bool
bind(struct ck_call *call, struct arguments *out)
{
    static const char *const names[N_ARGS][2] = {{"ptr", "address"}, {"shape"}, {"dtype"}};
    const char *function = ck_builtin_path(call->id);
    for (int i = 0; i < call->syntax->call.n_args; i++) {
        const struct ck_argument *arg = &call->syntax->call.args[i];
        int at = arg->name ? 0 : i;
        while (arg->name && at < N_ARGS && strcmp(arg->name, names[at][0]) != 0 &&
               !(names[at][1] && strcmp(arg->name, names[at][1]) == 0))
            at++;
        if (at == N_ARGS || out->given[at]) {
            ck_error(call->fn, KEYWORD, arg->name_span, arg->name, function);
            return false;
        }
        out->given[at] = arg->value;
    }
    if (out->given[ADDRESS] && out->given[SHAPE])
        return true;
    ck_error(call->fn, WRONG_COUNT, call->syntax->span, function, "an address and a shape",
             call->syntax->call.n_args);
    return false;
}

static bool
take_address(struct ck_call *call, struct arguments *out)
{
    struct ck_fn *fn = call->fn;
    struct ck_value value = ck_check_run(fn, out->given[ADDRESS]);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    if (ck_type_is_pointer(value.type)) {
        out->address = value.expr;
        out->elem = value.type->pointer.elem;
        return true;
    }
    if (ck_type_is_int(value.type) && ck_type_bits(value.type) == 64) {
        out->address = ck_cast(fn, value.expr, ck_type_scalar(CK_TYPE_UINT64));
        return true;
    }
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, value.span,
                 ck_arena_printf(fn->c->arena, "`%s` takes an address, not %s",
                                 ck_builtin_path(call->id), ck_text_of(fn, value.type)));
    ck_diag_help(fn->c->diags, diag,
                 ck_type_is_array(value.type)
                     ? "an array is used as it is; to another type: `.view(dtype)`"
                     : "an address is a uint64, or a parameter of the type CPointer(T)");
    return false;
}

static bool
take_dtype(struct ck_call *call, struct arguments *out)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *pointee = out->elem && out->elem->kind != CK_TYPE_VOID ? out->elem : NULL;
    out->elem = pointee;
    if (!out->given[DTYPE] || out->given[DTYPE]->kind == CK_EXPR_NONE) {
        if (pointee)
            return true;
        struct ck_diag *diag = ck_error(
            fn, WRONG_TYPE, call->syntax->span,
            ck_arena_printf(fn->c->arena, "`%s` of an address without a type needs a dtype",
                            ck_builtin_path(call->id)));
        ck_diag_help(fn->c->diags, diag, "give it as the third argument: `float32`");
        return false;
    }
    struct ck_value value = ck_check_expr(fn, out->given[DTYPE]);
    out->elem = ck_element_type_of(fn, &value);
    if (!out->elem || !pointee || out->elem == pointee)
        return out->elem != NULL;
    ck_error(fn, WRONG_TYPE, out->given[DTYPE]->span,
             ck_arena_printf(fn->c->arena, "the pointer is one to %s", ck_text_of(fn, pointee)));
    return false;
}

/* An extent below zero is 0. */
static bool
add_extent(struct ck_fn *fn, struct arguments *out, const struct ck_value *value)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    const struct ck_span span = out->given[SHAPE]->span;
    int64_t n;
    const bool is_known = ck_value_const_int(value, &n);
    if (!ck_type_is_int(value->type) || (is_known && n < 0)) {
        ck_error(fn, WRONG_TYPE, span,
                 is_known ? "an extent is below zero"
                          : ck_arena_printf(fn->c->arena, "a shape is made of integers, not %s",
                                            ck_text_of(fn, value->type)));
        return false;
    }
    struct ck_texpr *extent = ck_cast(fn, value->expr, i64);
    out->known[out->ndim].n = is_known ? n : -1;
    if (!is_known && !value->nonnegative) {
        struct ck_texpr *zero = ck_const_int(fn, i64, 0, span);
        extent = ck_lets_save(fn, &out->lets, extent);
        extent = ck_select_expr(fn, ck_compare_expr(fn, CK_CMP_LT, extent, zero, span), zero,
                                extent, span);
    }
    out->extents[out->ndim++] = extent;
    return true;
}

static bool
take_shape(struct ck_call *call, struct arguments *out)
{
    struct ck_fn *fn = call->fn;
    struct ck_value value = ck_check_run(fn, out->given[SHAPE]);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    const bool is_tuple = value.type->kind == CK_TYPE_TUPLE;
    const int n = is_tuple ? value.type->tuple.n : 1;
    if (n < 1 || n > CK_MAX_NDIM) {
        ck_error(fn, WRONG_TYPE, out->given[SHAPE]->span, "an array has 1 to 8 dimensions");
        return false;
    }
    out->known = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, n);
    if (is_tuple) {
        struct ck_texpr *let;
        value = ck_name_once(fn, value, &let);
        ck_lets_add(&out->lets, let);
    }
    for (int i = 0; i < n; i++) {
        struct ck_value item = is_tuple ? ck_tuple_item(fn, &value, i) : value;
        if (!add_extent(fn, out, &item))
            return false;
    }
    return true;
}

struct ck_value
ck_rule_carray(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct arguments args = {0};
    if (!bind(call, &args) || !take_address(call, &args))
        return failed(call);
    args.address = ck_lets_save(fn, &args.lets, args.address);
    if (!take_shape(call, &args) || !take_dtype(call, &args))
        return failed(call);
    const enum ck_layout layout =
        call->id == CK_BUILTIN_FARRAY && args.ndim > 1 ? CK_LAYOUT_F : CK_LAYOUT_C;
    const struct ck_type *type =
        ck_type_array(&fn->c->types, args.elem, args.ndim, layout, CK_SPACE_GLOBAL);
    struct ck_texpr *array = ck_texpr_new(fn, CK_T_RESHAPE, type, call->syntax->span);
    array->reshape.array = memory_at(fn, args.address, args.elem, call->syntax->span);
    array->reshape.extents = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, args.ndim);
    for (int i = 0; i < args.ndim; i++)
        array->reshape.extents[i] = args.extents[i];
    struct ck_value value = ck_value_run(type, ck_lets_in(&args.lets, array));
    value.extents = args.known;
    return value;
}

/* --- Addresses -----------------------------------------------------------------------------------
 */

/* The address of an array's first element: `x.data_ptr()`. */
struct ck_value
ck_rule_array_data_ptr(struct ck_call *call)
{
    const struct ck_value *array = ck_receiver(call);
    if (!array)
        return failed(call);
    if (array->type->array.space != CK_SPACE_GLOBAL) {
        struct ck_diag *diag =
            ck_error(call->fn, WRONG_TYPE, call->syntax->span,
                     "only arrays in global memory have an address for other threads and kernels");
        ck_diag_help(call->fn->c->diags, diag, "pass the array itself to a function");
        return failed(call);
    }
    struct ck_texpr *expr = ck_lowered(call, ck_type_scalar(CK_TYPE_UINT64));
    ck_lowered_arg(call, expr, array->expr);
    return ck_value_run(expr->type, expr);
}

struct ck_value
ck_ctypes_data(struct ck_fn *fn, const struct ck_value *array, const struct ck_expr *expr)
{
    struct ck_call call = {
        .fn = fn, .id = CK_BUILTIN_ARRAY_DATA_PTR, .syntax = expr, .self = array};
    return ck_call_rule(&call);
}
