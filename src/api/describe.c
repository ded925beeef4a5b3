/* Converts between the checker's types and the public description of kernels and parameters. */
#include "describe.h"

#include <string.h>

/* Of a number, or of a date. */
static const struct ck_type *
scalar_type(ck_dtype dtype)
{
    if (dtype >= CK_TIMEDELTA64_Y && dtype <= CK_TIMEDELTA64)
        return ck_type_date(CK_TYPE_TIMEDELTA64, (enum ck_date_unit)(dtype - CK_TIMEDELTA64_Y));
    if (dtype >= CK_DATETIME64_Y && dtype <= CK_DATETIME64)
        return ck_type_date(CK_TYPE_DATETIME64, (enum ck_date_unit)(dtype - CK_DATETIME64_Y));
    return ck_type_scalar((enum ck_type_kind)dtype);
}

static const struct ck_type *
record_type(struct ck_types *types, const ck_record *record)
{
    const char **names = CK_NEW_ARRAY(types->arena, const char *, record->n_fields);
    struct ck_member_layout *members =
        CK_NEW_ARRAY(types->arena, struct ck_member_layout, record->n_fields);
    for (int i = 0; i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        names[i] = field->name;
        members[i].type = field->dtype == CK_RECORD ? record_type(types, field->record)
                                                    : scalar_type(field->dtype);
        if (field->lanes)
            members[i].type = ck_type_vector_of(types, members[i].type, field->lanes);
        members[i].offset = (int)field->offset;
        members[i].ndim = field->ndim - (field->lanes != 0);
        memcpy(members[i].shape, field->shape, sizeof *field->shape * (size_t)field->ndim);
    }
    return ck_type_record(types, NULL, names, members, record->n_fields, (int)record->size);
}

const struct ck_type *
ck_param_type(struct ck_types *types, const ck_param_info **params)
{
    const ck_param_info *param = (*params)++;
    if (param->dtype == CK_DEFAULT)
        return NULL;
    if (param->dtype == CK_NONE)
        return ck_type_scalar(CK_TYPE_VOID);
    if (param->dtype == CK_TUPLE) {
        const struct ck_type **items =
            CK_NEW_ARRAY(types->arena, const struct ck_type *, param->n_items + 1);
        for (int i = 0; i < param->n_items; i++)
            items[i] = ck_param_type(types, params);
        return ck_type_tuple(types, items, param->n_items);
    }
    const struct ck_type *elem =
        param->dtype == CK_RECORD ? record_type(types, param->record) : scalar_type(param->dtype);
    if (param->ndim == 0)
        return elem;
    elem = param->lanes ? ck_type_vector_of(types, elem, param->lanes) : elem;
    if (param->ndim == CK_ZERO_DIM)
        return ck_type_array(types, elem, 0, CK_LAYOUT_C, CK_SPACE_GLOBAL);
    return ck_type_array(types, elem, param->ndim, (enum ck_layout)param->layout, CK_SPACE_GLOBAL);
}

void
ck_describe_generic(ck_kernel_desc *out, struct ck_arena *arena,
                    const struct ck_kernel_info *kernel)
{
    ck_param_info *params = CK_NEW_ARRAY(arena, ck_param_info, kernel->n_params);
    for (int i = 0; i < kernel->n_params; i++) {
        params[i].name = ck_arena_strdup(arena, kernel->param_names[i]);
        params[i].ndim = kernel->indexed_by_nothing[i] ? CK_ZERO_DIM : 0;
    }
    *out = (ck_kernel_desc){
        .name = ck_arena_strdup(arena, kernel->name),
        .entry = "",
        .signature = "",
        .n_params = kernel->n_params,
        .params = params,
        .generic = 1,
        .n_defaults = kernel->n_params - kernel->n_required,
    };
}
