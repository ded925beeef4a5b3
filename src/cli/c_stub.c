/* --emit=c: an image as C source. See c_stub.h. What is written is C11 and C++20 alike. */
#include "c_stub.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "c_names.h"
#include "common/tool.h"

/* --- Parameters --------------------------------------------------------------------------------
 */

/* The C type of a scalar and the member of ck_arg that holds it. */
static const struct scalar {
    const char *type, *dtype, *member;
} scalars[] = {
    [CK_BOOL] = {"bool", "CK_BOOL", "i"},
    [CK_INT8] = {"int8_t", "CK_INT8", "i"},
    [CK_INT16] = {"int16_t", "CK_INT16", "i"},
    [CK_INT32] = {"int32_t", "CK_INT32", "i"},
    [CK_INT64] = {"int64_t", "CK_INT64", "i"},
    [CK_UINT8] = {"uint8_t", "CK_UINT8", "u"},
    [CK_UINT16] = {"uint16_t", "CK_UINT16", "u"},
    [CK_UINT32] = {"uint32_t", "CK_UINT32", "u"},
    [CK_UINT64] = {"uint64_t", "CK_UINT64", "u"},
    [CK_FLOAT16] = {"float", "CK_FLOAT16", "f"},
    [CK_BFLOAT16] = {"float", "CK_BFLOAT16", "f"},
    [CK_FLOAT32] = {"float", "CK_FLOAT32", "f"},
    [CK_FLOAT64] = {"double", "CK_FLOAT64", "f"},
    [CK_COMPLEX64] = {"ck_complex", "CK_COMPLEX64", "c"},
    [CK_COMPLEX128] = {"ck_complex", "CK_COMPLEX128", "c"},
};

/* Dates and times are the integers that they are in memory. */
static struct scalar
scalar_of(ck_dtype dtype)
{
    return dtype > CK_RECORD ? (struct scalar){"int64_t", NULL, "i"} : scalars[dtype];
}

/* The enumerator: CK_INT64; of `datetime64[D]` CK_DATETIME64_D. */
static void
put_dtype(struct ck_strbuf *out, ck_dtype dtype)
{
    const char *name = ck_dtype_name(dtype), *unit = strchr(name, '[');
    if (dtype <= CK_RECORD) {
        ck_strbuf_puts(out, scalars[dtype].dtype);
        return;
    }
    ck_strbuf_puts(out, dtype <= CK_DATETIME64 ? "CK_DATETIME64" : "CK_TIMEDELTA64");
    if (unit)
        ck_strbuf_printf(out, "_%.*s", (int)strlen(unit) - 2, unit + 1);
}

/* Whether a parameter of the kernel is one in C: a tuple's items are, and None is no value. */
static bool
is_param(const ck_param_info *param)
{
    return param->dtype != CK_TUPLE && param->dtype != CK_NONE;
}

static void
put_params(struct ck_strbuf *out, const ck_kernel_desc *kernel)
{
    char **names = c_stub_param_names(kernel);
    for (int i = 0; i < kernel->n_params; i++) {
        const ck_param_info *param = &kernel->params[i];
        const char *name = names[i];
        if (!is_param(param))
            continue;
        if (param->ndim)
            ck_strbuf_printf(out, ", const ck_array *%s", name);
        else
            ck_strbuf_printf(out, ", %s %s", scalar_of(param->dtype).type, name);
    }
    c_stub_free_names(names, kernel);
}

static void
put_arguments(struct ck_strbuf *out, const ck_kernel_desc *kernel)
{
    char **names = c_stub_param_names(kernel);
    for (int i = 0; i < kernel->n_params; i++) {
        const ck_param_info *param = &kernel->params[i];
        const char *name = names[i];
        if (param->dtype == CK_NONE)
            ck_strbuf_printf(out, "    args[%d].scalar = CK_NONE;\n    args[%d].value.u = 0;\n", i,
                             i);
        else if (param->dtype == CK_TUPLE)
            ck_strbuf_printf(out, "    args[%d].scalar = CK_TUPLE;\n    args[%d].value.u = %d;\n",
                             i, i, param->n_items);
        else if (param->ndim)
            ck_strbuf_printf(out,
                             "    args[%d].scalar = CK_DTYPE_NONE;\n"
                             "    args[%d].value.array = %s;\n",
                             i, i, name);
        else {
            ck_strbuf_printf(out, "    args[%d].scalar = ", i);
            put_dtype(out, param->dtype);
            ck_strbuf_printf(out, ";\n    args[%d].value.%s = %s;\n", i,
                             scalar_of(param->dtype).member, name);
        }
    }
    c_stub_free_names(names, kernel);
}

/* The names again, for a call. */
static void
put_names(struct ck_strbuf *out, const ck_kernel_desc *kernel)
{
    char **names = c_stub_param_names(kernel);
    for (int i = 0; i < kernel->n_params; i++) {
        if (is_param(&kernel->params[i]))
            ck_strbuf_printf(out, ", %s", names[i]);
    }
    c_stub_free_names(names, kernel);
}

/* --- Arrays of the module ----------------------------------------------------------------------
 */

enum access { ACCESS_GET, ACCESS_WRITE, ACCESS_READ, N_ACCESSES };

/* What the function `NAME_get` and the others take beside the stream, and what they pass on. */
static const struct {
    const char *suffix, *params, *before, *after;
} accesses[] = {
    [ACCESS_GET] = {"get", "ck_array *array", "array, ", ""},
    [ACCESS_WRITE] = {"write", "size_t offset, const void *host, size_t bytes", "",
                      ", offset, host, bytes"},
    [ACCESS_READ] = {"read", "size_t offset, void *host, size_t bytes", "",
                     ", offset, host, bytes"},
};

static void
put_access(struct ck_strbuf *out, const ck_global_desc *global, enum access access)
{
    char *name = c_stub_name(global->name, strncmp(global->name, "ck_", 3) == 0);
    ck_strbuf_printf(out, "int %s_%s(ck_stream *stream, %s)", name, accesses[access].suffix,
                     accesses[access].params);
    free(name);
}

/* An array in constant memory has no address. */
static enum access
first_access(const ck_global_desc *global)
{
    return global->constant ? ACCESS_WRITE : ACCESS_GET;
}

static void
put_global_declarations(struct ck_strbuf *out, const ck_global_desc *global)
{
    const size_t length = global->record ? ck_record_text(NULL, 0, global->record) : 0;
    char *text = tool_alloc(length + 1);
    if (global->record)
        ck_record_text(text, length + 1, global->record);
    ck_strbuf_printf(out, "/* %s: an array of %s of shape (", global->name,
                     global->record ? text : ck_dtype_name(global->dtype));
    for (int i = 0; i < global->ndim; i++)
        ck_strbuf_printf(out, "%s%lld", i ? ", " : "", (long long)global->shape[i]);
    ck_strbuf_printf(out, "%s)%s */\n", global->ndim == 1 ? "," : "",
                     global->constant ? " in constant memory" : "");
    free(text);
    for (enum access access = first_access(global); access < N_ACCESSES; access++) {
        put_access(out, global, access);
        ck_strbuf_puts(out, ";\n");
    }
    ck_strbuf_putc(out, '\n');
}

static void
put_global_definitions(struct ck_strbuf *out, const ck_global_desc *global)
{
    for (enum access access = first_access(global); access < N_ACCESSES; access++) {
        put_access(out, global, access);
        ck_strbuf_printf(out,
                         "\n{\n    return ck_stream_%s_global(%sstream, ck_image, "
                         "sizeof ck_image - 1, \"%s\"%s);\n}\n\n",
                         accesses[access].suffix, accesses[access].before, global->name,
                         accesses[access].after);
    }
}

/* --- The two files -----------------------------------------------------------------------------
 */

static void
put_head(struct ck_strbuf *out, const ck_kernel_desc *kernel, const char *function, bool by_shape)
{
    ck_strbuf_printf(out, "int %s%s(ck_stream *stream, %s", function, by_shape ? "_shape" : "",
                     by_shape ? "const ck_shape *shape" : "ck_dim3 grid, ck_dim3 block");
    put_params(out, kernel);
    ck_strbuf_putc(out, ')');
}

static void
put_declarations(struct ck_strbuf *out, const ck_module *module, size_t i)
{
    const ck_kernel_desc *kernel = ck_module_kernel(module, i);
    char *function = c_stub_function_name(module, i);
    ck_strbuf_printf(out, "/* %s%s%s */\n", kernel->name, kernel->signature,
                     kernel->cooperative ? ", launched cooperatively" : "");
    put_head(out, kernel, function, false);
    ck_strbuf_puts(out, ";\n");
    put_head(out, kernel, function, true);
    ck_strbuf_puts(out, ";\n\n");
    free(function);
}

static void
put_definitions(struct ck_strbuf *out, const ck_module *module, size_t i)
{
    const ck_kernel_desc *kernel = ck_module_kernel(module, i);
    char *function = c_stub_function_name(module, i);
    put_head(out, kernel, function, true);
    ck_strbuf_puts(out, "\n{\n");
    if (kernel->n_params)
        ck_strbuf_printf(out, "    ck_arg args[%d];\n", kernel->n_params);
    put_arguments(out, kernel);
    ck_strbuf_printf(out,
                     "    return ck_stream_launch(stream, ck_image, sizeof ck_image - 1, \"%s\", "
                     "shape, %s, %d);\n}\n\n",
                     kernel->name, kernel->n_params ? "args" : "NULL", kernel->n_params);
    put_head(out, kernel, function, false);
    ck_strbuf_printf(out,
                     "\n{\n    ck_shape shape = {{0, 0, 0}, {0, 0, 0}, 0, {0, 0, 0}};\n"
                     "    shape.grid = grid;\n    shape.block = block;\n"
                     "    return %s_shape(stream, &shape",
                     function);
    put_names(out, kernel);
    ck_strbuf_puts(out, ");\n}\n\n");
    free(function);
}

/* Bytes as numbers: a string would be longer than C allows. A zero byte follows. */
static void
put_image(struct ck_strbuf *out, const char *ptx, size_t length)
{
    enum { BYTES_A_LINE = 24 };
    ck_strbuf_puts(out, "static const unsigned char ck_image[] = {");
    for (size_t i = 0; i < length; i++)
        ck_strbuf_printf(out, "%s%u,", i % BYTES_A_LINE ? "" : "\n    ", (unsigned char)ptx[i]);
    ck_strbuf_puts(out, "\n    0};\n\n");
}

static void
for_each_kernel(struct ck_strbuf *out, const ck_module *module,
                void (*put)(struct ck_strbuf *, const ck_module *, size_t))
{
    for (size_t i = 0; i < ck_module_n_kernels(module); i++)
        put(out, module, i);
}

char *
c_stub_comment_text(const char *input)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    char *text = tool_strndup(name, strlen(name));
    for (char *c = text; *c; c++) {
        if (*c == '*' || (unsigned char)*c < ' ')
            *c = '_';
    }
    return text;
}

static char *
take(struct ck_strbuf *out)
{
    char *text = ck_strbuf_take(out);
    return text ? text : tool_strndup("", 0);
}

void
c_stub_write(char **header, char **source, const ck_module *image, const char *ptx, size_t length,
             const char *header_name, const char *input)
{
    struct ck_strbuf h, c;
    char *guard = c_stub_name(header_name, false);
    char *from = c_stub_comment_text(input);
    ck_strbuf_init(&h);
    ck_strbuf_printf(&h,
                     "/* The kernels of %s, by ckc %s. Each function returns a ck_status: 0, or a\n"
                     " * negative code, whose text is ck_context_error() of the stream's context.\n"
                     " * Link with libckrt. */\n"
                     "#ifndef CK_%s\n#define CK_%s\n\n"
                     "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
                     "#include <ck/run.h>\n\n"
                     "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                     from, ck_version(), guard, guard);
    for_each_kernel(&h, image, put_declarations);
    for (size_t i = 0; i < ck_module_n_globals(image); i++)
        put_global_declarations(&h, ck_module_global(image, i));
    ck_strbuf_puts(&h, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    ck_strbuf_init(&c);
    ck_strbuf_printf(&c,
                     "/* The kernels of %s, by ckc %s. */\n#include \"%s\"\n\n#include "
                     "<stddef.h>\n\n",
                     from, ck_version(), header_name);
    put_image(&c, ptx, length);
    for_each_kernel(&c, image, put_definitions);
    for (size_t i = 0; i < ck_module_n_globals(image); i++)
        put_global_definitions(&c, ck_module_global(image, i));
    *header = take(&h);
    *source = take(&c);
    free(guard);
    free(from);
}
