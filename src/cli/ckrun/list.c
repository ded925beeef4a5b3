/* Prints the kernels and arrays of a module: --list. */
#include "ckrun.h"

#include <stdlib.h>

char *
ckrun_dtype_text(ck_dtype dtype, const ck_record *record)
{
    if (!record)
        return tool_printf("%s", ck_dtype_name(dtype));
    const size_t length = ck_record_text(NULL, 0, record);
    char *text = tool_alloc(length + 1);
    ck_record_text(text, length + 1, record);
    return text;
}

void
ckrun_put_dtype(FILE *out, ck_dtype dtype, const ck_record *record)
{
    char *text = ckrun_dtype_text(dtype, record);
    fputs(text, out);
    free(text);
}

static void
print_type(const ck_param_info *param)
{
    if (param->type_name)
        tool_put(stdout, param->type_name, false);
    else
        ckrun_put_dtype(stdout, param->dtype, param->record);
    if (param->lanes)
        printf("x%d", param->lanes);
    for (int i = 0; i < param->ndim; i++) {
        bool unit = (param->layout == CK_C_ORDER && i == param->ndim - 1) ||
                    (param->layout == CK_FORTRAN && i == 0);
        printf("%s%s", i ? ", " : "[", unit ? "::1" : ":");
    }
    if (param->ndim == CK_ZERO_DIM)
        printf("[()]");
    else if (param->ndim)
        putchar(']');
}

/* Prints the types of a tuple's items, which follow it. Returns the number of entries used. */
static int
print_tuple(const ck_param_info *param)
{
    int n = 1;
    if (param->dtype != CK_TUPLE) {
        print_type(param);
        return 1;
    }
    if (param->type_name)
        tool_put(stdout, param->type_name, false);
    putchar('(');
    for (int i = 0; i < param->n_items; i++) {
        printf("%s", i ? ", " : "");
        n += print_tuple(&param[n]);
    }
    printf("%s", param->n_items == 1 ? ",)" : ")");
    return n;
}

/* Prints a parameter, with the items if it is a tuple. Returns the number of entries used. */
static int
print_param(const ck_param_info *param)
{
    tool_put(stdout, param->name ? param->name : "_", false);
    if (!param->dtype)
        return 1;
    printf(": ");
    return print_tuple(param);
}

/* Prints a line for the signature: `k(x: float32[::1]) cooperative, 1024 bytes shared`. */
static void
print_kernel(const ck_kernel_desc *kernel)
{
    const char *separator = "  ";
    tool_put(stdout, kernel->name, false);
    putchar('(');
    for (int i = 0; i < kernel->n_params;) {
        printf("%s", i ? ", " : "");
        i += print_param(&kernel->params[i]);
    }
    putchar(')');
    if (kernel->generic) {
        printf("%sgeneric", separator);
        separator = ", ";
    }
    if (kernel->cooperative) {
        printf("%scooperative", separator);
        separator = ", ";
    }
    if (kernel->shared_bytes) {
        printf("%s%u bytes shared", separator, kernel->shared_bytes);
        separator = ", ";
    }
    if (kernel->max_threads) {
        printf("%sat most %u threads a block", separator, kernel->max_threads);
        separator = ", ";
    }
    if (kernel->cluster[0]) {
        printf("%sclusters of (%u, %u, %u) blocks", separator, kernel->cluster[0],
               kernel->cluster[1], kernel->cluster[2]);
        separator = ", ";
    }
    if (kernel->stack_bytes)
        printf("%srecursive", separator);
    putchar('\n');
}

/* Prints a line for an array of the module: `COUNTS: int32, shape (256,), constant`. */
static void
print_global(const ck_global_desc *global)
{
    tool_put(stdout, global->name, false);
    printf(": ");
    ckrun_put_dtype(stdout, global->dtype, global->record);
    printf(", shape (");
    for (int i = 0; i < global->ndim; i++)
        printf("%s%lld", i ? ", " : "", (long long)global->shape[i]);
    printf("%s)%s\n", global->ndim == 1 ? "," : "", global->constant ? ", constant" : "");
}

void
ckrun_list_module(const ck_module *module)
{
    for (size_t i = 0; i < ck_module_n_kernels(module); i++)
        print_kernel(ck_module_kernel(module, i));
    for (size_t i = 0; i < ck_module_n_globals(module); i++)
        print_global(ck_module_global(module, i));
}
