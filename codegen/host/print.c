/* Prints and failed assertions on the host: calls of the executor with the values as an array. */
#include <string.h>

#include "codegen/host/host.h"

static enum ck_print_kind
print_kind(const struct ck_type *type)
{
    return ck_type_is_array(type)       ? CK_PRINT_CHARS
           : type->kind == CK_TYPE_BOOL ? CK_PRINT_BOOL
           : ck_type_is_float(type)     ? CK_PRINT_FLOAT
           : ck_type_is_complex(type)   ? CK_PRINT_COMPLEX
           : ck_type_is_unsigned(type)  ? CK_PRINT_UINT
                                        : CK_PRINT_INT;
}

static void
store_item(struct ck_gen *gen, LLVMValueRef v_item, const struct ck_print_item *item,
           LLVMValueRef v_value)
{
    uint64_t kind = item->text ? CK_PRINT_TEXT : print_kind(item->value->type);
    if (item->text)
        v_value = l_text(gen, item->text, item->length);
    else if (kind == CK_PRINT_BOOL)
        v_value = LLVMBuildZExt(gen->builder, v_value, gen->t_i64, "");
    l_store(gen, l_i64(gen, (int64_t)kind), v_item, 8);
    l_store(gen, v_value, l_offset(gen, v_item, offsetof(struct ck_cpu_print_item, value)), 8);
    if (item->text)
        l_store(gen, l_i64(gen, item->length),
                l_offset(gen, v_item, offsetof(struct ck_cpu_print_item, length)), 8);
    LLVMValueRef v_conversion = LLVMConstNull(gen->t_ptr);
    if (item->conversion) {
        const char *text = ck_gen_conversion(gen, item->conversion, item->value->type);
        v_conversion = l_text(gen, text, strlen(text) + 1);
    }
    l_store(gen, v_conversion,
            l_offset(gen, v_item, offsetof(struct ck_cpu_print_item, conversion)), 8);
}

/* A call of the executor: what comes before the items, and the items with the values of those that
 * are no text. */
struct call {
    const char *function;
    LLVMValueRef fixed[4];
    int n_fixed;
    const struct ck_print_item *items;
    LLVMValueRef *values;
    int n;
};

static LLVMValueRef
callee(struct ck_gen *gen, const struct call *call)
{
    LLVMTypeRef params[6];
    for (int i = 0; i < call->n_fixed; i++)
        params[i] = LLVMTypeOf(call->fixed[i]);
    params[call->n_fixed] = gen->t_ptr;
    params[call->n_fixed + 1] = gen->t_i32;
    return ck_host_external(gen, call->function, gen->t_void, params, (unsigned)call->n_fixed + 2);
}

/* A function that makes the call; its parameters are what comes before the items, and the values.
 * The items are on the stack only while it runs, and never in a coroutine's frame. */
static LLVMValueRef
make_caller(struct ck_gen *gen, const struct call *call, LLVMTypeRef *types, unsigned n_types)
{
    LLVMValueRef v_callee = callee(gen, call), args[6];
    LLVMValueRef v_function = l_function(gen, "ck.print", gen->t_void, types, n_types);
    LLVMSetLinkage(v_function, LLVMInternalLinkage);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "noinline", 0);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "cold", 0);
    l_at(gen, LLVMAppendBasicBlockInContext(gen->llvm, v_function, "entry"));
    const uint64_t n_words = sizeof(struct ck_cpu_print_item) / 8;
    LLVMTypeRef array = LLVMArrayType2(gen->t_i64, (uint64_t)call->n * n_words);
    LLVMValueRef v_items = LLVMBuildAlloca(gen->builder, array, "items");
    unsigned param = 0;
    while (param < (unsigned)call->n_fixed) {
        args[param] = LLVMGetParam(v_function, param);
        param++;
    }
    args[param] = v_items;
    args[param + 1] = l_i32(gen, (uint32_t)call->n);
    for (int i = 0; i < call->n; i++) {
        LLVMValueRef v_item =
            l_offset(gen, v_items, (uint64_t)i * sizeof(struct ck_cpu_print_item));
        LLVMValueRef v_value = call->items[i].text ? NULL : LLVMGetParam(v_function, param++);
        store_item(gen, v_item, &call->items[i], v_value);
    }
    l_call(gen, v_callee, args, (unsigned)call->n_fixed + 2);
    LLVMBuildRetVoid(gen->builder);
    return v_function;
}

static void
emit(struct ck_gen *gen, const struct call *call)
{
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, call->n_fixed + call->n);
    LLVMValueRef *args = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, call->n_fixed + call->n);
    unsigned n_args = 0;
    for (int i = 0; i < call->n_fixed; i++)
        args[n_args++] = call->fixed[i];
    for (int i = 0; i < call->n; i++) {
        if (call->values[i])
            args[n_args++] = call->values[i];
    }
    for (unsigned i = 0; i < n_args; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMBasicBlockRef b_here = LLVMGetInsertBlock(gen->builder);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(gen->builder);
    ck_debug_nowhere(gen);
    LLVMValueRef v_function = make_caller(gen, call, types, n_args);
    l_at(gen, b_here);
    LLVMSetCurrentDebugLocation2(gen->builder, location);
    l_call(gen, v_function, args, n_args);
}

void
ck_host_print(struct ck_gen *gen, const struct ck_print_item *items, LLVMValueRef *values, int n)
{
    const struct call call = {.function = "ck_cpu_print",
                              .fixed = {gen->func->v_hidden[HIDDEN_BLOCK]},
                              .n_fixed = 1,
                              .items = items,
                              .values = values,
                              .n = n};
    emit(gen, &call);
}

void
ck_host_assert_fail(struct ck_gen *gen, const struct ck_failed_assert *failed)
{
    LLVMValueRef *values = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, failed->n_items);
    struct ck_span span = failed->span;
    const struct ck_frame *frame = ck_gen_user_frame(gen, &span);
    for (int i = 0; i < failed->n_items; i++) {
        if (!failed->items[i].text)
            values[i] = ck_gen_scalar(gen, failed->items[i].value);
    }
    const struct call call = {
        .function = "ck_cpu_assert_fail",
        .fixed = {gen->func->v_hidden[HIDDEN_BLOCK],
                  l_i32(gen, ck_gen_place_site(gen, frame, span)),
                  l_text(gen, failed->message, strlen(failed->message) + 1),
                  ck_host_thread_position(gen)},
        .n_fixed = 4,
        .items = failed->items,
        .values = values,
        .n = failed->n_items,
    };
    emit(gen, &call);
    if (!ck_gen_kernel(gen)->is_kernel) { /* a recursive function */
        LLVMValueRef v_leave = ck_host_external(gen, "ck_cpu_leave", gen->t_void, &gen->t_ptr, 1);
        l_attribute(gen, v_leave, LLVMAttributeFunctionIndex, "noreturn", 0);
        l_call(gen, v_leave, &gen->func->v_hidden[HIDDEN_BLOCK], 1);
        LLVMBuildUnreachable(gen->builder);
        return;
    }
    l_branch(gen, ck_host_function(gen)->b_exit);
}
