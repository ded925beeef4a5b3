/* --emit=c: the header for C++20. See cxx_header.h. */
#include "cxx_header.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "c_names.h"
#include "c_stub.h"
#include "common/tool.h"

/* The type of numbers; NULL: C++20 has none, and the array is passed as it is in C. */
static const char *const numbers[] = {
    [CK_BOOL] = "bool",
    [CK_INT8] = "std::int8_t",
    [CK_INT16] = "std::int16_t",
    [CK_INT32] = "std::int32_t",
    [CK_INT64] = "std::int64_t",
    [CK_UINT8] = "std::uint8_t",
    [CK_UINT16] = "std::uint16_t",
    [CK_UINT32] = "std::uint32_t",
    [CK_UINT64] = "std::uint64_t",
    [CK_FLOAT16] = NULL,
    [CK_BFLOAT16] = NULL,
    [CK_FLOAT32] = "float",
    [CK_FLOAT64] = "double",
    [CK_COMPLEX64] = "std::complex<float>",
    [CK_COMPLEX128] = "std::complex<double>",
    [CK_RECORD] = NULL,
};

/* NULL: as above. Arrays of dates are such. */
static const char *
number_of(ck_dtype dtype)
{
    return dtype <= CK_RECORD ? numbers[dtype] : NULL;
}

static const char *
scalar_of(ck_dtype dtype)
{
    return dtype > CK_RECORD ? "std::int64_t" : numbers[dtype] ? numbers[dtype] : "float";
}

static int
dims_of(const ck_param_info *param)
{
    return (param->ndim == CK_ZERO_DIM ? 0 : param->ndim) + (param->lanes > 0);
}

/* The type of parameter `*i`, which moves past it and its items. */
static void
put_type(struct ck_strbuf *out, const ck_kernel_desc *kernel, const ck_kernel_desc *marked, int *i)
{
    const int at = (*i)++;
    const ck_param_info *param = &kernel->params[at];
    if (param->dtype == CK_TUPLE) {
        ck_strbuf_puts(out, "std::tuple<");
        for (int k = 0; k < param->n_items; k++) {
            ck_strbuf_puts(out, k ? ", " : "");
            put_type(out, kernel, marked, i);
        }
        ck_strbuf_putc(out, '>');
    } else if (!param->ndim) {
        ck_strbuf_puts(out, scalar_of(param->dtype));
    } else if (number_of(param->dtype)) {
        ck_strbuf_printf(out, "ck::array_ref<%s%s, %d>",
                         marked->params[at].never_written ? "const " : "", number_of(param->dtype),
                         dims_of(param));
    } else {
        ck_strbuf_puts(out, "ck_array");
    }
}

static void
put_params(struct ck_strbuf *out, const ck_kernel_desc *kernel, const ck_kernel_desc *marked,
           char *const *names)
{
    for (int i = 0; i < kernel->n_params;) {
        const char *name = names[i];
        if (kernel->params[i].dtype == CK_NONE) {
            i++;
            continue;
        }
        const bool by_value = !kernel->params[i].ndim && kernel->params[i].dtype != CK_TUPLE;
        ck_strbuf_puts(out, by_value ? ", " : ", const ");
        put_type(out, kernel, marked, &i);
        ck_strbuf_printf(out, " %s%s", by_value ? "" : "&", name);
    }
}

/* What the function in C gets of parameter `*i`, which is the value `path`: a tuple's items. */
static void
put_argument(struct ck_strbuf *out, const ck_kernel_desc *kernel, const char *path, int *i)
{
    const ck_param_info *param = &kernel->params[(*i)++];
    if (param->dtype == CK_NONE)
        return;
    if (param->dtype == CK_TUPLE) {
        for (int k = 0; k < param->n_items; k++) {
            char *item = tool_printf("std::get<%d>(%s)", k, path);
            put_argument(out, kernel, item, i);
            free(item);
        }
    } else if (param->ndim) {
        ck_strbuf_printf(out, number_of(param->dtype) ? ", &%s.array" : ", &%s", path);
    } else if (param->dtype == CK_COMPLEX64 || param->dtype == CK_COMPLEX128) {
        ck_strbuf_printf(out, ", ck_complex{%s.real(), %s.imag()}", path, path);
    } else {
        ck_strbuf_printf(out, ", %s", path);
    }
}

static void
put_arguments(struct ck_strbuf *out, const ck_kernel_desc *kernel, char *const *names)
{
    for (int i = 0; i < kernel->n_params;)
        put_argument(out, kernel, names[i], &i);
}

/* The description of the same kernel in another module; NULL: it has none. */
static const ck_kernel_desc *
find_entry(const ck_module *module, const char *entry)
{
    for (size_t i = 0; i < ck_module_n_kernels(module); i++) {
        if (strcmp(ck_module_kernel(module, i)->entry, entry) == 0)
            return ck_module_kernel(module, i);
    }
    return NULL;
}

static void
put_function(struct ck_strbuf *out, const ck_module *image, const ck_module *marks, size_t i)
{
    const ck_kernel_desc *kernel = ck_module_kernel(image, i);
    const ck_kernel_desc *found = find_entry(marks, kernel->entry),
                         *marked = found ? found : kernel;
    char **names = c_stub_param_names(kernel);
    char *name = c_stub_cxx_name(image, i), *function = c_stub_function_name(image, i);
    ck_strbuf_printf(out, "/** %s%s%s */\ninline void\n%s(const ck::stream &stream, ", kernel->name,
                     kernel->signature, kernel->cooperative ? ", launched cooperatively" : "",
                     name);
    ck_strbuf_puts(out, "ck::dim grid, ck::dim block");
    put_params(out, kernel, marked, names);
    ck_strbuf_printf(out, ")\n{\n    stream.check(::%s(stream.get(), grid.value, block.value",
                     function);
    put_arguments(out, kernel, names);
    ck_strbuf_printf(out,
                     "));\n}\n\n/** The same, with all that a launch can have. */\ninline void\n"
                     "%s(const ck::stream &stream, const ck::launch &how",
                     name);
    put_params(out, kernel, marked, names);
    ck_strbuf_printf(out,
                     ")\n{\n    const ck_shape shape = stream.shape_of(how);\n"
                     "    stream.check(::%s_shape(stream.get(), &shape",
                     function);
    put_arguments(out, kernel, names);
    ck_strbuf_puts(out, "));\n}\n\n");
    c_stub_free_names(names, kernel);
    free(function);
    free(name);
}

char *
cxx_header_write(const ck_module *image, const ck_module *marked, const char *header_name,
                 const char *input)
{
    struct ck_strbuf out;
    char *guard = c_stub_name(header_name, false), *from = c_stub_comment_text(input);
    char *space = tool_printf("%.*s", (int)strlen(guard) - 2, guard); /* without "_h" */
    const char *before = *space >= '0' && *space <= '9' ? "k" : "";
    ck_strbuf_init(&out);
    ck_strbuf_printf(&out,
                     "/** @file\n"
                     " * The kernels of %s for C++20, by ckc %s. What fails throws ck::error.\n"
                     " * Link with libckrt. */\n"
                     "#ifndef CK_%spp\n#define CK_%spp\n\n"
                     "#include <complex>\n#include <cstdint>\n#include <tuple>\n\n"
                     "#include <ck/ck.hpp>\n\n#include \"%s\"\n\n"
                     "namespace %s%s_kernels\n{\n\n",
                     from, ck_version(), guard, guard, header_name, before, space);
    for (size_t i = 0; i < ck_module_n_kernels(image); i++)
        put_function(&out, image, marked, i);
    ck_strbuf_printf(&out, "} // namespace %s%s_kernels\n\n#endif\n", before, space);
    free(guard);
    free(from);
    free(space);
    char *text = ck_strbuf_take(&out);
    return text ? text : tool_strndup("", 0);
}
