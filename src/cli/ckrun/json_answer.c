/* --json: ckrun's answers as one object of JSON (docs/ckrun.md has its members). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/json.h"
#include "ckrun.h"

void
ckrun_json_float(struct ck_strbuf *out, const char *key, double value)
{
    tool_json_key(out, key);
    if (isfinite(value))
        ck_strbuf_printf(out, "%.17g", value);
    else
        ck_strbuf_puts(out, "null");
}

void
ckrun_json_dim3(struct ck_strbuf *out, const char *key, ck_dim3 dim)
{
    tool_json_key(out, key);
    ck_strbuf_printf(out, "[%u,%u,%u]", dim.x, dim.y ? dim.y : 1, dim.z ? dim.z : 1);
}

/* --- Values ------------------------------------------------------------------------------------
 */

/* With the digits that a float of the dtype needs. One that is not finite is a string. */
static void
put_float(struct ck_strbuf *out, ck_dtype dtype, double x)
{
    bool is_double = dtype == CK_FLOAT64 || dtype == CK_COMPLEX128;
    if (isfinite(x))
        ck_strbuf_printf(out, "%.*g", is_double ? 17 : 9, x);
    else
        ck_strbuf_puts(out, isnan(x) ? "\"nan\"" : x > 0 ? "\"inf\"" : "\"-inf\"");
}

void
ckrun_json_element(struct ck_strbuf *out, const struct ckrun_element *e)
{
    char digits[CKRUN_INT_TEXT];
    if (e->dtype == CK_BOOL) {
        ck_strbuf_puts(out, e->i ? "true" : "false");
    } else if (ckrun_is_date_dtype(e->dtype)) {
        const bool quoted = e->dtype <= CK_DATETIME64 || e->i == CK_NAT;
        ck_strbuf_puts(out, quoted ? "\"" : "");
        ckrun_date_text(out, e);
        ck_strbuf_puts(out, quoted ? "\"" : "");
    } else if (ckrun_is_int_dtype(e->dtype)) {
        ck_strbuf_puts(out, ckrun_int_text(digits, e->i));
    } else if (ckrun_is_complex_dtype(e->dtype)) {
        ck_strbuf_putc(out, '[');
        put_float(out, e->dtype, e->re);
        ck_strbuf_putc(out, ',');
        put_float(out, e->dtype, e->im);
        ck_strbuf_putc(out, ']');
    } else {
        put_float(out, e->dtype, e->re);
    }
}

/* The member of a dtype, as --list spells it. */
static void
put_dtype(struct ck_strbuf *out, ck_dtype dtype, const ck_record *record)
{
    char *text = ckrun_dtype_text(dtype, record);
    tool_json_member(out, "dtype", text);
    free(text);
}

/* Nested lists, as deep as the array has dimensions. */
static void
put_elements(struct ck_strbuf *out, const ck_npy *array, int64_t *index, int dim)
{
    if (dim == array->ndim) {
        const int64_t offset = ckrun_offset(array, index);
        if (array->record) {
            ckrun_json_record(out, array, offset);
            return;
        }
        struct ckrun_element e = ckrun_load(array, offset);
        ckrun_json_element(out, &e);
        return;
    }
    ck_strbuf_putc(out, '[');
    for (index[dim] = 0; index[dim] < array->shape[dim]; index[dim]++) {
        if (index[dim])
            ck_strbuf_putc(out, ',');
        put_elements(out, array, index, dim + 1);
    }
    ck_strbuf_putc(out, ']');
}

static void
put_array(struct ck_strbuf *out, const ck_npy *array)
{
    int64_t index[CK_MAX_DIMS] = {0};
    ck_strbuf_putc(out, '{');
    put_dtype(out, array->dtype, array->record);
    tool_json_key(out, "shape");
    ck_strbuf_putc(out, '[');
    for (int i = 0; i < array->ndim; i++)
        ck_strbuf_printf(out, "%s%" PRId64, i ? "," : "", array->shape[i]);
    ck_strbuf_putc(out, ']');
    tool_json_key(out, "values");
    put_elements(out, array, index, 0);
    ck_strbuf_putc(out, '}');
}

void
ckrun_json_value(struct ck_strbuf *out, const struct ckrun_value *v)
{
    struct ckrun_element e;
    char *error = NULL;
    if (v->kind == CKRUN_ARRAY) {
        put_array(out, &v->array->host);
    } else if (v->kind == CKRUN_TUPLE) {
        ck_strbuf_putc(out, '[');
        for (int i = 0; i < v->tuple.n; i++) {
            if (i)
                ck_strbuf_putc(out, ',');
            ckrun_json_value(out, &v->tuple.items[i]);
        }
        ck_strbuf_putc(out, ']');
    } else if (v->kind == CKRUN_DTYPE) {
        char *text = ckrun_dtype_text(v->dtype, v->dtype == CK_RECORD ? v->record : NULL);
        tool_json_string(out, text);
        free(text);
    } else if (v->kind == CKRUN_INT) {
        char digits[CKRUN_INT_TEXT]; /* of any size */
        ck_strbuf_puts(out, ckrun_int_text(digits, v->i));
    } else if (ckrun_convert(&e, v->dtype ? v->dtype : ckrun_plain_dtype(v), v, &error)) {
        ckrun_json_element(out, &e);
    }
}

/* --- Devices and kernels -----------------------------------------------------------------------
 */

void
ckrun_json_device(struct ck_strbuf *out, const ck_device *device)
{
    const ck_device_info *info = ck_device_get_info(device);
    tool_json_key(out, "device");
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "name", info->name);
    tool_json_member(out, "kind", info->kind);
    if (info->capability)
        tool_json_number(out, "capability", (unsigned long long)info->capability);
    tool_json_number(out, "multiprocessors", (unsigned long long)info->multiprocessors);
    ck_strbuf_putc(out, '}');
}

void
ckrun_json_max_blocks(struct ck_strbuf *out, const struct ckrun_launch *query, uint32_t blocks)
{
    tool_json_separate(out);
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "query", query->text);
    tool_json_number(out, "blocks", blocks);
    ck_strbuf_putc(out, '}');
}

static void
put_flag(struct ck_strbuf *out, const char *key, bool flag)
{
    tool_json_key(out, key);
    ck_strbuf_puts(out, flag ? "true" : "false");
}

static void
put_params(struct ck_strbuf *out, const ck_kernel_desc *kernel)
{
    static const char *const layouts[] = {"strided", "C", "Fortran"};
    tool_json_key(out, "parameters");
    ck_strbuf_putc(out, '[');
    for (int i = 0; i < kernel->n_params; i++) {
        const ck_param_info *param = &kernel->params[i];
        tool_json_separate(out);
        ck_strbuf_putc(out, '{');
        tool_json_member(out, "name", param->name);
        if (param->dtype == CK_TUPLE)
            tool_json_number(out, "items", (unsigned long long)param->n_items);
        else if (param->dtype)
            put_dtype(out, param->dtype, param->record);
        if (param->lanes)
            tool_json_number(out, "lanes", (unsigned long long)param->lanes);
        if (param->dtype && param->ndim) {
            tool_json_number(out, "ndim",
                             param->ndim == CK_ZERO_DIM ? 0 : (unsigned long long)param->ndim);
            tool_json_member(out, "layout", layouts[param->layout]);
        }
        ck_strbuf_putc(out, '}');
    }
    ck_strbuf_putc(out, ']');
}

static void
put_kernel(struct ck_strbuf *out, const ck_kernel_desc *kernel)
{
    tool_json_separate(out);
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "name", kernel->name);
    put_flag(out, "generic", kernel->generic);
    if (!kernel->generic)
        tool_json_member(out, "signature", kernel->signature);
    put_params(out, kernel);
    put_flag(out, "cooperative", kernel->cooperative);
    tool_json_number(out, "shared_bytes", kernel->shared_bytes);
    if (kernel->max_threads)
        tool_json_number(out, "max_threads", kernel->max_threads);
    if (kernel->cluster[0])
        ckrun_json_dim3(out, "cluster",
                        (ck_dim3){kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]});
    put_flag(out, "recursive", kernel->stack_bytes > 0);
    ck_strbuf_putc(out, '}');
}

static void
put_global(struct ck_strbuf *out, const ck_global_desc *global)
{
    tool_json_separate(out);
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "name", global->name);
    put_dtype(out, global->dtype, global->record);
    tool_json_key(out, "shape");
    ck_strbuf_putc(out, '[');
    for (int i = 0; i < global->ndim; i++)
        ck_strbuf_printf(out, "%s%lld", i ? "," : "", (long long)global->shape[i]);
    ck_strbuf_putc(out, ']');
    put_flag(out, "constant", global->constant);
    ck_strbuf_putc(out, '}');
}

void
ckrun_json_module(struct ck_strbuf *out, const ck_module *module)
{
    tool_json_key(out, "kernels");
    ck_strbuf_putc(out, '[');
    for (size_t i = 0; i < ck_module_n_kernels(module); i++)
        put_kernel(out, ck_module_kernel(module, i));
    ck_strbuf_putc(out, ']');
    if (!ck_module_n_globals(module))
        return;
    tool_json_key(out, "arrays");
    ck_strbuf_putc(out, '[');
    for (size_t i = 0; i < ck_module_n_globals(module); i++)
        put_global(out, ck_module_global(module, i));
    ck_strbuf_putc(out, ']');
}
