/* Arrays of the module: names of the command line that kernels know too. */
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "ckrun.h"

static bool
has_type(const ck_npy *array, const ck_global_desc *global)
{
    return array->dtype == global->dtype && ck_record_equal(array->record, global->record);
}

static bool
has_shape(const ck_npy *array, const ck_global_desc *global)
{
    return array->ndim == global->ndim &&
           memcmp(array->shape, global->shape, sizeof *array->shape * (size_t)array->ndim) == 0;
}

static void
print_wanted(const ck_global_desc *global)
{
    char *dtype = ckrun_dtype_text(global->dtype, global->record);
    tool_detail("  the module's `%s` is an array of %s of shape (", global->name, dtype);
    for (int i = 0; i < global->ndim; i++)
        tool_detail("%s%lld", i ? ", " : "", (long long)global->shape[i]);
    tool_detail("%s)\n", global->ndim == 1 ? "," : "");
    free(dtype);
}

/* Rearranges the elements in C order, as the module has them. */
static void
to_c_order(ck_npy *array)
{
    ck_npy copy = *array;
    int64_t index[CK_MAX_DIMS] = {0}, at = 0;
    if (!array->fortran_order)
        return;
    copy.data = tool_alloc(array->bytes);
    copy.fortran_order = 0;
    do {
        ckrun_copy_element(&copy, at++, array, ckrun_offset(array, index));
    } while (ckrun_next_index(array, index));
    free(array->data);
    *array = copy;
}

/* A value of the command line becomes the array's. False after a message. */
static bool
take_value(struct ckrun_name *name, const ck_global_desc *global)
{
    const struct ckrun_value *v = &name->value;
    const ck_npy *host = v->kind == CKRUN_ARRAY ? &v->array->host : NULL;
    name->used = true;
    if (v->kind != CKRUN_ARRAY)
        tool_error("`%s` is an array of the module: this is %s", name->name,
                   ckrun_kind_text(v->kind));
    else if (!has_type(host, global))
        tool_error("`%s` is an array of the module with other elements", name->name);
    else if (!has_shape(host, global))
        tool_error("`%s` is an array of the module of another shape", name->name);
    else {
        to_c_order(&v->array->host);
        v->array->base = NULL; /* of a view: its copy */
        v->array->offset = 0;
        v->array->global = global->name;
        v->array->is_given = true;
        return true;
    }
    print_wanted(global);
    return false;
}

/* Adds a name for an array without a value of the command line. False after a message. */
static bool
add_name(struct ckrun_env *env, const ck_global_desc *global)
{
    char *error = NULL;
    struct ckrun_array *array =
        global->record
            ? ckrun_record_array_new(env, global->record, global->ndim, global->shape, false,
                                     &error)
            : ckrun_array_new(env, global->dtype, global->ndim, global->shape, false, &error);
    if (!array) {
        tool_error("`%s`: %s", global->name, error);
        free(error);
        return false;
    }
    if (global->initial)
        memcpy(array->host.data, global->initial, array->host.bytes);
    array->global = global->name;
    array->is_in_image = global->initialized && !global->initial;
    env->names = tool_grow(env->names, env->n_names + 1, sizeof *env->names);
    env->names[env->n_names++] = (struct ckrun_name){
        .name = tool_strndup(global->name, strlen(global->name)),
        .value = {.kind = CKRUN_ARRAY, .array = array},
        .text = "",
        .used = true,
    };
    return true;
}

bool
ckrun_add_globals(struct ckrun_session *session)
{
    bool good = true;
    for (size_t i = 0; i < ck_module_n_globals(session->module) && good; i++) {
        const ck_global_desc *global = ck_module_global(session->module, i);
        const size_t length = strlen(global->name);
        struct ckrun_name *name = ckrun_find(session->env, global->name, length);
        if (name)
            good = take_value(name, global);
        else if (!ckrun_is_reserved(global->name, length))
            good = add_name(session->env, global);
    }
    return good;
}

ck_status
ckrun_upload_globals(struct ckrun_session *session)
{
    ck_status status = CK_OK;
    for (struct ckrun_array *a = session->env->arrays; a && status == CK_OK; a = a->next) {
        if (!a->global || a->is_on_device)
            continue;
        if (a->is_given)
            status = ck_module_write_global(session->module, session->device, a->global, 0,
                                            a->host.data, a->host.bytes);
        a->is_on_device = status == CK_OK;
    }
    return status;
}

bool
ckrun_find_address(const struct ckrun_session *session, const struct ckrun_launch *launch,
                   const struct ckrun_array *array, uint64_t *address)
{
    const struct ckrun_array *base = ckrun_base(array);
    ck_array global;
    if (base->buffer)
        *address = ck_buffer_address(base->buffer) + (uint64_t)array->offset;
    if (!base->global || !base->is_on_device)
        return true;
    ck_status status =
        ck_module_get_global(&global, session->module, session->device, base->global);
    if (status == CK_OK) {
        *address = global.data + (uint64_t)array->offset;
        return true;
    }
    if (status == CK_ERROR_UNSUPPORTED)
        tool_error("`%s` is in constant memory: kernels use it by its name, and not as an argument",
                   base->global);
    else
        tool_fail(session->ctx, status);
    ckrun_print_launch(launch);
    return false;
}

ck_status
ckrun_fetch_array(struct ckrun_session *session, struct ckrun_array *array)
{
    const ck_npy *host = &array->host;
    if (array->buffer)
        return ck_buffer_read(array->buffer, 0, host->data, host->bytes);
    if (!array->global || !array->is_on_device)
        return CK_OK;
    return ck_module_read_global(session->module, session->device, array->global, 0, host->data,
                                 host->bytes);
}

ck_status
ckrun_put_array(struct ckrun_session *session, struct ckrun_array *array, const void *bytes)
{
    const size_t n = array->host.bytes;
    if (array->buffer)
        return ck_buffer_write(array->buffer, 0, bytes, n);
    if (!array->global || !array->is_on_device)
        return CK_OK;
    return ck_module_write_global(session->module, session->device, array->global, 0, bytes, n);
}

void
ckrun_forget_device(struct ckrun_array *array)
{
    ck_buffer_free(array->buffer);
    array->buffer = NULL;
    array->is_on_device = false;
}
