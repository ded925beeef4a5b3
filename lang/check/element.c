/* Elements of arrays that have fields: vectors, which are values, and records, which are places in
 * memory: arrays without dimensions, as is the field of an element in memory. So each access is to
 * the numbers that it names, and no others. A record becomes a value, a tuple, where one is needed:
 * for a copy, and as an argument of its type. */
#include "lang/check/element.h"

#include "lang/check/builtins/builtins.h"
#include "lang/check/date.h"
#include "lang/check/view.h"

/* --- Types ---------------------------------------------------------------------------------------
 */

const struct ck_type *
ck_element_type_of(struct ck_fn *fn, const struct ck_value *value)
{
    const bool is_other = value->kind == CK_VALUE_TYPE &&
                          (ck_type_is_vector(value->type) || ck_type_is_record(value->type) ||
                           ck_type_is_date(value->type));
    const struct ck_type *date =
        value->kind == CK_VALUE_STRING ? ck_date_type_by_name(value->string->string.bytes) : NULL;
    return date ? date : is_other ? value->type : ck_dtype_of(fn, value);
}

bool
ck_is_record_place(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_array(value->type) &&
           !value->type->array.ndim && ck_type_is_record(value->type->array.elem);
}

bool
ck_has_scalars(struct ck_fn *fn, const struct ck_value *array, const char *what)
{
    const struct ck_type *elem = array->type->array.elem;
    const char *text = ck_diag_text(fn->c->diags, array->span);
    if (ck_type_is_scalar(elem))
        return true;
    struct ck_diag *diag = ck_error(
        fn, WRONG_TYPE, array->span,
        ck_arena_printf(fn->c->arena, "`%s` does not work on %s", what, ck_text_of(fn, elem)));
    if (ck_type_is_date(elem) && fn->constant_only)
        ck_diag_help(fn->c->diags, diag, "`int64(%s)` has their counts", text);
    else if (ck_type_is_vector(elem) || ck_type_is_date(elem))
        ck_diag_help(fn->c->diags, diag, "view the numbers as elements: `%s.view(%s)`", text,
                     ck_type_is_date(elem) ? "int64" : ck_text_of(fn, elem->tuple.items[0]));
    else
        ck_diag_help(fn->c->diags, diag, "name a field: `%s['%s']`", text,
                     elem->tuple.fields->names[0]);
    return false;
}

bool
ck_has_aligned_scalars(struct ck_fn *fn, const struct ck_value *array, const char *what)
{
    return ck_has_scalars(fn, array, what) && ck_is_aligned(fn, array, what);
}

bool
ck_is_aligned(struct ck_fn *fn, const struct ck_value *array, const char *what)
{
    if (!array->type->array.align && !array->type->array.pitch)
        return true;
    struct ck_diag *diag = ck_error(
        fn, WRONG_TYPE, array->span,
        ck_arena_printf(fn->c->arena, "`%s` does not work on fields that are not aligned", what));
    ck_diag_help(fn->c->diags, diag,
                 "align the record: `record(...)`, or `np.dtype([...], align=True)`");
    return false;
}

/* --- Elements ------------------------------------------------------------------------------------
 */

/* The element of an array as an array without dimensions. */
static struct ck_texpr *
place_of(struct ck_fn *fn, struct ck_texpr *array, const struct ck_tindex *indices,
         struct ck_span span)
{
    const int ndim = array->type->array.ndim;
    struct ck_taxis axes[CK_MAX_NDIM] = {0};
    for (int i = 0; i < ndim; i++)
        axes[i].index = indices[i];
    return ndim ? ck_view_of(fn, array, axes, ndim, span) : array;
}

struct ck_value
ck_element_at(struct ck_fn *fn, struct ck_texpr *array, struct ck_tindex *indices,
              struct ck_span span)
{
    const struct ck_type *elem = array->type->array.elem;
    if (ck_type_is_record(elem)) {
        struct ck_texpr *place = place_of(fn, array, indices, span);
        return ck_value_run(place->type, place);
    }
    struct ck_texpr *load = ck_texpr_new(fn, CK_T_ELEMENT, elem, span);
    load->element.array = array;
    load->element.indices = indices;
    return ck_value_run(elem, load);
}

/* --- Fields --------------------------------------------------------------------------------------
 */

/* Field i of the elements of an array. */
static struct ck_value
field_of(struct ck_fn *fn, struct ck_texpr *array, int i, struct ck_span span)
{
    const struct ck_type *elem = array->type->array.elem;
    const struct ck_type *number = elem->tuple.items[i];
    struct ck_member_layout member = {.type = number};
    if (ck_type_is_record(elem))
        member = elem->tuple.fields->members[i];
    else
        member.offset = i * ck_type_size(number);
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_FIELD, NULL, span);
    const int outer = array->type->array.ndim, ndim = outer + member.ndim;
    int64_t *shape = CK_NEW_ARRAY(fn->c->arena, int64_t, member.ndim + 1);
    struct ck_axis_extent *extents = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, ndim + 1);
    for (int dim = 0; dim < ndim; dim++) {
        extents[dim].n = dim < outer ? -1 : member.shape[dim - outer];
        if (dim >= outer)
            shape[dim - outer] = member.shape[dim - outer];
    }
    expr->field.array = array;
    expr->field.name = elem->tuple.fields->names[i];
    expr->field.offset = member.offset;
    expr->field.shape = shape;
    expr->type =
        ck_type_field_array(&fn->c->types, array->type, member.type, member.offset, member.ndim);
    struct ck_value value = ck_value_run(expr->type, expr);
    value.extents = extents;
    return value;
}

bool
ck_is_key(const struct ck_expr *expr)
{
    return expr->kind == CK_EXPR_SUBSCRIPT && expr->subscript.n_indices == 1 &&
           expr->subscript.indices[0]->kind == CK_EXPR_STRING;
}

void
ck_report_field(struct ck_fn *fn, const struct ck_value *object, const char *name,
                struct ck_span span)
{
    const struct ck_type *type = object->type;
    struct ck_diag *diag = ck_error(fn, NO_ATTRIBUTE, span, ck_text_of(fn, type), name);
    if (ck_type_is_array(type))
        type = type->array.elem;
    if (type->kind == CK_TYPE_TUPLE)
        ck_help_with_fields(fn, diag, type, name);
}

bool
ck_field_in_memory(struct ck_fn *fn, const struct ck_value *object, const char *name,
                   struct ck_span span, struct ck_value *out)
{
    if (object->kind != CK_VALUE_RUN)
        return false;
    const bool is_array = ck_type_is_array(object->type);
    const struct ck_type *elem = is_array ? object->type->array.elem : object->type;
    const bool is_element = ck_type_is_vector(elem) && object->expr->kind == CK_T_ELEMENT;
    const bool has_fields = elem->kind == CK_TYPE_TUPLE && (is_array || is_element);
    const int field = has_fields ? ck_field_index(elem, name) : -1;
    if (field < 0)
        return false;
    struct ck_texpr *array = is_array ? object->expr
                                      : place_of(fn, object->expr->element.array,
                                                 object->expr->element.indices, object->expr->span);
    const struct ck_member_layout *member =
        ck_type_is_record(elem) ? &elem->tuple.fields->members[field] : NULL;
    if (member && array->type->array.ndim + member->ndim > CK_MAX_NDIM) {
        ck_error(fn, WRONG_TYPE, span, "an array has at most 8 dimensions");
        *out = ck_value_error(span);
        return true;
    }
    *out = field_of(fn, array, field, span);
    return true;
}

bool
ck_field_value(struct ck_fn *fn, const struct ck_value *object, const char *name,
               struct ck_span span, struct ck_value *out)
{
    if (!ck_field_in_memory(fn, object, name, span, out))
        return false;
    if (out->kind == CK_VALUE_RUN && !out->type->array.ndim &&
        !ck_type_is_record(out->type->array.elem))
        *out = ck_element_at(fn, out->expr, NULL, span);
    return true;
}

/* --- Records as values ---------------------------------------------------------------------------
 * A place has parts as its value has items: fields of a record, rows of an array. */

static bool
is_loaded_at_once(const struct ck_texpr *place)
{
    return !place->type->array.ndim && !ck_type_is_record(place->type->array.elem);
}

static struct ck_texpr *
part_of(struct ck_fn *fn, struct ck_texpr *place, int i, struct ck_span span)
{
    struct ck_taxis axis = {.index.value =
                                ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), i, span)};
    return place->type->array.ndim ? ck_view_of(fn, place, &axis, 1, span)
                                   : field_of(fn, place, i, span).expr;
}

/* `type`: of the value. */
static struct ck_texpr *
load(struct ck_fn *fn, struct ck_texpr *place, const struct ck_type *type, struct ck_span span)
{
    if (is_loaded_at_once(place))
        return ck_element_at(fn, place, NULL, span).expr;
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, type, span);
    tuple->tuple.n = type->tuple.n;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, type->tuple.n);
    for (int i = 0; i < type->tuple.n; i++)
        tuple->tuple.items[i] = load(fn, part_of(fn, place, i, span), type->tuple.items[i], span);
    return tuple;
}

static void
store(struct ck_fn *fn, struct ck_texpr *place, const struct ck_value *value, struct ck_span at,
      struct ck_span span)
{
    if (!is_loaded_at_once(place)) {
        for (int i = 0; i < value->type->tuple.n; i++) {
            struct ck_value item = ck_tuple_item(fn, value, i);
            store(fn, part_of(fn, place, i, at), &item, at, span);
        }
        return;
    }
    struct ck_tstmt *stmt = ck_emit(fn, CK_S_STORE, span);
    stmt->store.array = place;
    stmt->store.value = value->expr;
}

struct ck_texpr *
ck_record_load(struct ck_fn *fn, const struct ck_value *place)
{
    struct ck_texpr *let = NULL, *array = place->expr;
    if (!ck_is_simple(array))
        array = ck_let_new(fn, array, place->span, &let);
    return ck_let_in(let, load(fn, array, place->type->array.elem, place->span));
}

/* The value as one of a record. NULL after an error. */
static struct ck_texpr *
as_record(struct ck_fn *fn, const struct ck_type *type, const struct ck_value *value)
{
    const bool is_tuple = value->type->kind == CK_TYPE_TUPLE &&
                          (!value->type->tuple.fields || ck_type_is_record(value->type));
    const bool is_place = ck_is_record_place(value) && value->type->array.elem == type;
    if (is_place || (is_tuple && value->type->tuple.n == type->tuple.n))
        return ck_convert(fn, value, type);
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, value->span,
                 ck_arena_printf(fn->c->arena, "%s is no %s", ck_text_of(fn, value->type),
                                 ck_text_of(fn, type)));
    ck_diag_help(fn->c->diags, diag, "give such a record, or a tuple of its %d field%s",
                 type->tuple.n, type->tuple.n == 1 ? "" : "s");
    return NULL;
}

void
ck_store_element(struct ck_fn *fn, struct ck_texpr *array, struct ck_tindex *indices,
                 const struct ck_value *value, struct ck_span at, struct ck_span span)
{
    const struct ck_type *elem = array->type->array.elem;
    if (!ck_type_is_record(elem)) {
        struct ck_texpr *stored = ck_stored_value(fn, array->type, value);
        struct ck_tstmt *stmt = stored ? ck_emit(fn, CK_S_STORE, span) : NULL;
        if (!stmt)
            return;
        stmt->store.array = array;
        stmt->store.indices = indices;
        stmt->store.value = stored;
        return;
    }
    if (value->kind != CK_VALUE_RUN) {
        ck_as_run(fn, *value); /* already a diagnostic */
        return;
    }
    struct ck_texpr *record = as_record(fn, elem, value);
    if (!record)
        return;
    struct ck_value held = ck_value_run(elem, record);
    held.span = span;
    held = ck_hold(fn, held); /* all is read before any is written */
    struct ck_texpr *place = place_of(fn, array, indices, at);
    struct ck_value to = ck_value_run(place->type, place);
    to.span = at;
    store(fn, ck_hold(fn, to).expr, &held, at, span);
}

/* --- Making --------------------------------------------------------------------------------------
 */

/* Where the module defines the record; else `otherwise`. */
static struct ck_span
definition_of(struct ck_checker *c, const struct ck_type *type, struct ck_span otherwise)
{
    for (int i = 0; i < c->n_globals; i++) {
        const struct ck_global *global = c->globals[i];
        if (global->kind == CK_GLOBAL_VALUE && global->value.kind == CK_VALUE_TYPE &&
            global->value.type == type)
            return global->span;
    }
    return otherwise;
}

struct ck_value
ck_make_record(struct ck_fn *fn, const struct ck_type *type, const struct ck_expr *expr)
{
    struct ck_arena *arena = fn->c->arena;
    const struct ck_fields *fields = type->tuple.fields;
    struct ck_function *function = CK_NEW(arena, struct ck_function);
    function->name = fields->name;
    function->span = definition_of(fn->c, type, expr->call.callee->span);
    function->name_span = function->span;
    function->params = CK_NEW_ARRAY(arena, struct ck_param, fields->n);
    function->n_params = fields->n;
    for (int i = 0; i < fields->n; i++)
        function->params[i].name = fields->names[i];
    struct ck_global *constructor = CK_NEW(arena, struct ck_global);
    constructor->kind = CK_GLOBAL_FUNCTION;
    constructor->name = fields->name;
    constructor->function = function;
    constructor->span = function->span;
    ck_evaluate_defaults(fn->c, constructor);
    const struct ck_value named = {
        .kind = CK_VALUE_TYPE, .type = type, .function = constructor, .span = expr->span};
    struct ck_value given = ck_make_named_tuple(fn, &named, expr);
    given.span = expr->span;
    struct ck_texpr *record = given.kind == CK_VALUE_RUN ? ck_convert(fn, &given, type) : NULL;
    return record ? ck_value_run(type, record) : ck_value_error(expr->span);
}
