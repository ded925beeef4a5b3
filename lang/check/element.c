/* Elements of arrays that have fields: vectors. A field of an element in memory is an array without
 * dimensions, so that it alone is read or written. */
#include "lang/check/element.h"

#include "lang/check/builtins/builtins.h"

const struct ck_type *
ck_element_type_of(struct ck_fn *fn, const struct ck_value *value)
{
    const bool is_vector = value->kind == CK_VALUE_TYPE && ck_type_is_vector(value->type);
    return is_vector ? value->type : ck_dtype_of(fn, value);
}

struct ck_value
ck_element_at(struct ck_fn *fn, struct ck_texpr *array, struct ck_tindex *indices,
              struct ck_span span)
{
    const struct ck_type *elem = array->type->array.elem;
    struct ck_texpr *load = ck_texpr_new(fn, CK_T_ELEMENT, elem, span);
    load->element.array = array;
    load->element.indices = indices;
    return ck_value_run(elem, load);
}

/* The element that an expression loads, as an array without dimensions. */
static struct ck_texpr *
place_of(struct ck_fn *fn, const struct ck_texpr *load)
{
    struct ck_texpr *array = load->element.array;
    const int ndim = array->type->array.ndim;
    struct ck_taxis axes[CK_MAX_NDIM] = {0};
    for (int i = 0; i < ndim; i++)
        axes[i].index = load->element.indices[i];
    return ck_view_of(fn, array, axes, ndim, load->span);
}

bool
ck_field_in_memory(struct ck_fn *fn, const struct ck_value *object, const char *name,
                   struct ck_span span, struct ck_value *out)
{
    const bool is_element = object->kind == CK_VALUE_RUN && object->expr->kind == CK_T_ELEMENT &&
                            ck_type_is_vector(object->type);
    const int field = is_element ? ck_field_index(object->type, name) : -1;
    if (field < 0)
        return false;
    const struct ck_type *type = object->type->tuple.items[field];
    struct ck_texpr *place = place_of(fn, object->expr);
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_FIELD, NULL, span);
    expr->field.array = place;
    expr->field.name = name;
    expr->field.offset = field * ck_type_size(type);
    expr->type = ck_type_field_array(&fn->c->types, place->type, type, expr->field.offset, 0);
    *out = ck_value_run(expr->type, expr);
    return true;
}

bool
ck_field_value(struct ck_fn *fn, const struct ck_value *object, const char *name,
               struct ck_span span, struct ck_value *out)
{
    struct ck_value field;
    if (!ck_field_in_memory(fn, object, name, span, &field))
        return false;
    *out = ck_element_at(fn, field.expr, NULL, span);
    return true;
}

bool
ck_has_scalars(struct ck_fn *fn, const struct ck_value *array, const char *what)
{
    const struct ck_type *elem = array->type->array.elem;
    if (ck_type_is_scalar(elem))
        return true;
    struct ck_diag *diag = ck_error(
        fn, WRONG_TYPE, array->span,
        ck_arena_printf(fn->c->arena, "`%s` does not work on %s", what, ck_text_of(fn, elem)));
    ck_diag_help(fn->c->diags, diag, "view the numbers as elements: `%s.view(%s)`",
                 ck_diag_text(fn->c->diags, array->span), ck_text_of(fn, elem->tuple.items[0]));
    return false;
}
