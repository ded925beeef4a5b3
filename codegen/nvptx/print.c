/* print and assert on NVIDIA GPUs: calls of vprintf and __assertfail, which the driver supplies. */
#include <string.h>

#include "codegen/nvptx/nvptx.h"

enum { MAX_PRINT_ARGS = 32, MAX_ITEM_ARGS = 2 }; /* of one call of vprintf; of one item */

/* A function of the CUDA device runtime, which the driver supplies. */
static LLVMValueRef
runtime_function(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMTypeRef *params,
                 unsigned n)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    return v_function ? v_function : l_function(gen, name, returns, params, n);
}

/* Appends text to a printf format. A zero byte would end the format, so it is omitted. */
static void
add_escaped(struct ck_strbuf *format, const char *text, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        if (text[i] == '%')
            ck_strbuf_putc(format, '%');
        if (text[i])
            ck_strbuf_putc(format, text[i]);
    }
}

static LLVMValueRef
bool_text(struct ck_gen *gen, LLVMValueRef v_value)
{
    return l_select(gen, v_value, l_text(gen, "True", 5), l_text(gen, "False", 6));
}

/* Appends an item's conversion specifier to the format. Returns the argument, 8 bytes wide. */
static LLVMValueRef
add_conversion(struct ck_gen *gen, struct ck_strbuf *format, const struct ck_type *type,
               LLVMValueRef v_value)
{
    if (type->kind == CK_TYPE_BOOL || ck_type_is_array(type)) {
        ck_strbuf_puts(format, "%s");
        return ck_type_is_array(type) ? v_value : bool_text(gen, v_value);
    }
    ck_strbuf_puts(format, ck_type_is_float(type)      ? "%f"
                           : ck_type_is_unsigned(type) ? "%llu"
                                                       : "%lld");
    return v_value;
}

/* Appends the conversion specifiers of any item, and writes its arguments. Returns their number. */
static int
add_item(struct ck_gen *gen, struct ck_strbuf *format, const struct ck_print_item *item,
         LLVMValueRef v_value, LLVMValueRef *args)
{
    const struct ck_type *type = item->value->type;
    if (item->conversion) {
        ck_strbuf_puts(format, ck_gen_conversion(gen, item->conversion, type));
        args[0] = v_value;
        return 1;
    }
    if (!ck_type_is_complex(type)) {
        args[0] = add_conversion(gen, format, type, v_value);
        return 1;
    }
    struct ck_gen_value parts = ck_gen_complex_unpack(gen, v_value);
    ck_strbuf_puts(format, "(%f%+fj)");
    args[0] = parts.parts[0];
    args[1] = parts.parts[1];
    return MAX_ITEM_ARGS;
}

static void
call_vprintf(struct ck_gen *gen, const struct ck_strbuf *format, LLVMValueRef *args, int n)
{
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_ptr};
    LLVMValueRef v_buffer = LLVMConstNull(gen->t_ptr);
    if (n > 0) {
        v_buffer = l_slot(gen, LLVMArrayType2(gen->t_i64, (uint64_t)n), "print.args");
        LLVMSetAlignment(v_buffer, 8);
    }
    for (int i = 0; i < n; i++)
        l_store(gen, args[i], l_offset(gen, v_buffer, (uint64_t)i * 8), 8);
    LLVMValueRef v_vprintf = runtime_function(gen, "vprintf", gen->t_i32, params, 2);
    LLVMValueRef v_format = l_text(gen, ck_strbuf_text(format), format->length + 1);
    l_call(gen, v_vprintf, (LLVMValueRef[]){v_format, v_buffer}, 2);
}

static void
print_items(struct ck_gen *gen, struct ck_strbuf *format, const struct ck_print_item *items,
            LLVMValueRef *values, int n)
{
    LLVMValueRef args[MAX_PRINT_ARGS];
    int n_args = 0;
    for (int i = 0; i < n; i++) {
        if (items[i].text)
            add_escaped(format, items[i].text, items[i].length);
        else
            n_args += add_item(gen, format, &items[i], values[i], args + n_args);
        if (n_args > MAX_PRINT_ARGS - MAX_ITEM_ARGS) {
            call_vprintf(gen, format, args, n_args);
            ck_strbuf_clear(format);
            n_args = 0;
        }
    }
    if (format->length > 0)
        call_vprintf(gen, format, args, n_args);
}

void
ck_nvptx_print(struct ck_gen *gen, const struct ck_print_item *items, LLVMValueRef *values, int n)
{
    struct ck_strbuf format;
    ck_strbuf_init(&format);
    print_items(gen, &format, items, values, n);
    bool failed = format.failed;
    ck_strbuf_free(&format);
    if (failed)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
}

void
ck_nvptx_assert_fail(struct ck_gen *gen, const struct ck_failed_assert *failed)
{
    const char *message = *failed->message ? failed->message : failed->condition;
    const struct ck_source *source = gen->program->source;
    const char *file = ck_source_origin(source, failed->span.start).file;
    if (strcmp(file, source->name) == 0)
        file = ck_gen_source_name(gen);
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_ptr, gen->t_i32, gen->t_ptr, gen->t_i64};
    LLVMValueRef v_fail = runtime_function(gen, "__assertfail", gen->t_void, params, 5);
    LLVMValueRef args[] = {
        l_text(gen, message, strlen(message) + 1),
        l_text(gen, file, strlen(file) + 1),
        l_i32(gen, failed->line),
        l_text(gen, failed->function, strlen(failed->function) + 1),
        l_i64(gen, 1),
    };
    l_call(gen, v_fail, args, 5);
    /* __assertfail does not return, but older PTX versions cannot declare that. */
    l_intrinsic(gen, "llvm.trap", NULL, NULL, 0);
    LLVMBuildUnreachable(gen->builder);
}
