/* Functions: declarations, calls, and inlining of a function's statements. */
#include <string.h>

#include "codegen/lower/lower.h"

/* --- Parameters --------------------------------------------------------------------------------
 */

int
ck_gen_n_param_parts(const struct ck_tfunc *tfunc)
{
    int n = 0;
    for (int i = 0; i < tfunc->n_params; i++)
        n += ck_gen_n_parts(tfunc->locals[i].type);
    return n;
}

void
ck_gen_param_types(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMTypeRef *out)
{
    for (int i = 0; i < tfunc->n_params; i++)
        out += ck_gen_part_types(gen, tfunc->locals[i].type, out);
}

void
ck_gen_mark_shapes(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMValueRef v_function,
                   unsigned first, bool is_small)
{
    unsigned index = first;
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        for (int dim = 0; ck_type_is_array(type) && dim < type->array.ndim; dim++)
            l_attribute_range(gen, v_function, index + 2 + (unsigned)dim,
                              ck_gen_extent_end(tfunc, type, is_small));
        index +=
            (unsigned)(tfunc->is_kernel ? ck_gen_n_entry_params(gen, type) : ck_gen_n_parts(type));
    }
}

/* --- LLVM functions ----------------------------------------------------------------------------
 */

void
ck_gen_enter(struct ck_gen *gen, struct ck_gen_function *func, LLVMValueRef v_function)
{
    memset(func, 0, sizeof *func);
    func->v_function = v_function;
    func->state = ck_arena_alloc(&gen->arena, gen->target->traits.function_bytes);
    gen->func = func;
    func->b_entry = l_block(gen, "entry");
    func->b_body = l_block(gen, "body");
    LLVMPositionBuilderAtEnd(gen->slot_builder, func->b_entry);
    l_at(gen, func->b_body);
}

void
ck_gen_finish(struct ck_gen *gen)
{
    LLVMBuildBr(gen->slot_builder, gen->func->b_body);
    gen->func = NULL;
    ck_debug_nowhere(gen);
}

/* --- Expansion ---------------------------------------------------------------------------------
 */

static LLVMValueRef *
new_slots(struct ck_gen *gen, const struct ck_type *type, const char *name)
{
    int n = ck_gen_n_parts(type);
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, n);
    LLVMValueRef *slots = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, n);
    ck_gen_part_types(gen, type, types);
    for (int i = 0; i < n; i++)
        slots[i] = l_slot(gen, types[i], name);
    return slots;
}

static LLVMFastMathFlags
fast_flags(const struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    LLVMFastMathFlags flags = tfunc->fastmath ? gen->target->math->fast : 0;
    if (gen->options->fmad || tfunc->fastmath)
        flags |= LLVMFastMathAllowContract;
    return flags;
}

static void
zero_slots(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef *slots)
{
    for (int i = 0; i < ck_gen_n_parts(type); i++)
        LLVMBuildStore(gen->builder, LLVMConstNull(LLVMGetAllocatedType(slots[i])), slots[i]);
}

static void
frame_init(struct ck_gen *gen, struct ck_frame *frame, const struct ck_func_info *info,
           struct ck_gen_value args)
{
    const struct ck_tfunc *tfunc = info->tfunc;
    *frame = (struct ck_frame){.caller = gen->frame, .info = info};
    frame->slots = CK_NEW_ARRAY(&gen->arena, LLVMValueRef *, tfunc->n_locals);
    int part = 0;
    for (int i = 0; i < tfunc->n_locals; i++) {
        const struct ck_local *local = &tfunc->locals[i];
        frame->slots[i] = new_slots(gen, local->type, local->name);
        for (int j = 0; i < tfunc->n_params && j < ck_gen_n_parts(local->type); j++)
            LLVMBuildStore(gen->builder, args.parts[part++], frame->slots[i][j]);
        if (local->is_zeroed)
            zero_slots(gen, local->type, frame->slots[i]);
    }
    frame->result = new_slots(gen, tfunc->returns, "result");
    frame->b_return = l_block(gen, "return");
}

static struct ck_gen_value
load_result(struct ck_gen *gen, const struct ck_frame *frame)
{
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(frame->info->tfunc->returns));
    for (int i = 0; i < value.n; i++) {
        LLVMTypeRef type = LLVMGetAllocatedType(frame->result[i]);
        value.parts[i] = LLVMBuildLoad2(gen->builder, type, frame->result[i], "");
    }
    return value;
}

struct ck_gen_value
ck_gen_inline(struct ck_gen *gen, const struct ck_func_info *info, struct ck_gen_value args,
              struct ck_span call)
{
    struct ck_frame frame;
    LLVMFastMathFlags outer_flags = gen->fast_flags;
    LLVMMetadataRef outer_location = LLVMGetCurrentDebugLocation2(gen->builder);
    frame_init(gen, &frame, info, args);
    frame.call = call;
    frame.inlined_at = gen->frame ? outer_location : NULL;
    gen->frame = &frame;
    gen->fast_flags = fast_flags(gen, info->tfunc);
    if (info->tfunc->is_recursive)
        ck_gen_limit_recursion(gen, info->tfunc);
    ck_gen_block(gen, &info->tfunc->body);
    l_branch(gen, frame.b_return);
    l_at(gen, frame.b_return);
    struct ck_gen_value result = load_result(gen, &frame);
    gen->frame = frame.caller;
    gen->fast_flags = outer_flags;
    if (gen->frame)
        LLVMSetCurrentDebugLocation2(gen->builder, outer_location);
    return result;
}

/* --- Device functions --------------------------------------------------------------------------
 */

static LLVMTypeRef
return_type(struct ck_gen *gen, const struct ck_type *returns)
{
    int n = ck_gen_n_parts(returns);
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, n);
    ck_gen_part_types(gen, returns, types);
    if (n == 0)
        return gen->t_void;
    return n == 1 ? types[0] : LLVMStructTypeInContext(gen->llvm, types, (unsigned)n, false);
}

/* The parameters before those of the text: the target's, and the stack used by recursive calls. */
static int
hidden_params(const struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    return gen->target->function->n_hidden + ck_tfunc_has(tfunc, CK_EFFECT_RECURSION);
}

static LLVMValueRef
declare(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    int n_hidden = hidden_params(gen, tfunc);
    int n = n_hidden + ck_gen_n_param_parts(tfunc);
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, n);
    if (gen->target->function->n_hidden)
        gen->target->function->hidden_types(gen, types);
    if (ck_tfunc_has(tfunc, CK_EFFECT_RECURSION))
        types[n_hidden - 1] = gen->t_i32;
    ck_gen_param_types(gen, tfunc, types + n_hidden);
    const char *name = ck_arena_printf(&gen->arena, "device.%s", tfunc->symbol);
    LLVMValueRef v_function =
        l_function(gen, name, return_type(gen, tfunc->returns), types, (unsigned)n);
    LLVMSetLinkage(v_function, LLVMInternalLinkage);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex,
                tfunc->is_outlined ? "noinline" : "inlinehint", 0);
    if (tfunc->is_outlined) /* rarely called */
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "cold", 0);
    ck_gen_mark_shapes(gen, tfunc, v_function, (unsigned)n_hidden, gen->options->small_launches);
    if (gen->target->function->attributes)
        gen->target->function->attributes(gen, v_function, tfunc);
    return v_function;
}

static void
build_return(struct ck_gen *gen, struct ck_gen_value value)
{
    if (value.n == 0)
        LLVMBuildRetVoid(gen->builder);
    else if (value.n == 1)
        LLVMBuildRet(gen->builder, value.parts[0]);
    else
        LLVMBuildAggregateRet(gen->builder, value.parts, (unsigned)value.n);
}

static unsigned
n_instructions(LLVMValueRef v_function)
{
    unsigned n = 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            n++;
    }
    return n;
}

static void
device_function(struct ck_gen *gen, struct ck_func_info *info)
{
    struct ck_gen_function func;
    int n_hidden = gen->target->function->n_hidden;
    if (!info->v_function)
        info->v_function = declare(gen, info->tfunc);
    ck_debug_function(gen, info);
    ck_gen_enter(gen, &func, info->v_function);
    for (int i = 0; i < n_hidden; i++)
        func.v_hidden[i] = LLVMGetParam(info->v_function, (unsigned)i);
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_RECURSION))
        func.v_stack_used = LLVMGetParam(info->v_function, (unsigned)n_hidden++);
    struct ck_gen_value args = ck_gen_value_new(gen, ck_gen_n_param_parts(info->tfunc));
    for (int i = 0; i < args.n; i++)
        args.parts[i] = LLVMGetParam(info->v_function, (unsigned)(n_hidden + i));
    build_return(gen, ck_gen_inline(gen, info, args, (struct ck_span){0}));
    info->code = func.code;
    info->size = ck_gen_has_findings(gen) ? n_instructions(info->v_function) : 0;
    ck_gen_finish(gen);
}

/* Whether lowering inlines the function into its callers. It does so with the prelude's functions:
 * most are small, and lowering them again costs less than LLVM's inliner. Checks of memory name the
 * user's call, which only inlined functions know. */
static bool
is_inlined(const struct ck_gen *gen, const struct ck_func_info *info)
{
    const struct ck_tfunc *tfunc = info->tfunc;
    if (tfunc->is_recursive)
        return false;
    return ck_tfunc_has(tfunc, CK_EFFECT_READS_LAUNCH) ||
           (gen->target->traits.inlines_exits && info->exits) ||
           (tfunc->in_prelude && (!tfunc->is_outlined || ck_gen_checks_memory(gen)));
}

/* Callers come after their callees: each function that nothing calls any more goes. */
static void
delete_uncalled(struct ck_gen *gen)
{
    for (int i = gen->program->n_functions - 1; i >= 0; i--) {
        struct ck_func_info *info = &gen->funcs[i];
        if (info->size && !LLVMGetFirstUse(info->v_function)) {
            LLVMDeleteFunction(info->v_function);
            info->v_function = NULL;
        }
    }
}

/* Calls of recursive functions may come before their code. */
static void
declare_recursive(struct ck_gen *gen)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].tfunc->is_recursive)
            gen->funcs[i].v_function = declare(gen, gen->funcs[i].tfunc);
    }
}

void
ck_gen_functions(struct ck_gen *gen)
{
    declare_recursive(gen);
    for (int i = 0; i < gen->program->n_functions; i++) {
        struct ck_func_info *info = &gen->funcs[i];
        if (info->tfunc->is_kernel) {
            ck_debug_function(gen, info);
            gen->target->function->kernel(gen, info);
        } else if (!is_inlined(gen, info)) {
            device_function(gen, info);
        }
    }
    delete_uncalled(gen);
}

/* --- Calls -------------------------------------------------------------------------------------
 */

/* Inlining at every call multiplies code: a limit keeps that of a small program bounded. */
enum { MAX_INLINED = 4096, MAX_DEPTH = 128 };

/* The most instructions of a module that are inlined so that findings name calls. */
enum { MAX_INLINED_FOR_FINDINGS = 50000 };

/* Whether a function that exists is inlined here: a finding in it names the call then. */
static bool
names_call(struct ck_gen *gen, const struct ck_func_info *info)
{
    const unsigned size = gen->inlined_size + info->size;
    if (!info->size || info->tfunc->is_recursive || size > MAX_INLINED_FOR_FINDINGS)
        return false;
    gen->inlined_size = size;
    return true;
}

static struct ck_gen_value
inline_call(struct ck_gen *gen, struct ck_func_info *info, struct ck_gen_value args,
            struct ck_span call)
{
    int depth = 0;
    for (const struct ck_frame *frame = gen->frame; frame; frame = frame->caller)
        depth++;
    gen->func->n_inlined += !info->tfunc->in_prelude;
    if (depth > MAX_DEPTH || gen->func->n_inlined > MAX_INLINED)
        ck_gen_fail(gen, CK_ERROR_UNSUPPORTED,
                    "calls of functions that hold a barrier, an assert, `memcpy_async` or "
                    "`is_valid()`, such as "
                    "%s, are nested "
                    "more than %d deep or are more than %d in one kernel",
                    info->tfunc->name, MAX_DEPTH, MAX_INLINED);
    if (!info->scope)
        ck_debug_function(gen, info);
    return ck_gen_inline(gen, info, args, call);
}

static struct ck_gen_value
unpack_result(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_result)
{
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(type));
    if (value.n == 1)
        value.parts[0] = v_result;
    for (int i = 0; value.n > 1 && i < value.n; i++)
        value.parts[i] = LLVMBuildExtractValue(gen->builder, v_result, (unsigned)i, "");
    return value;
}

struct ck_gen_value
ck_gen_call(struct ck_gen *gen, const struct ck_texpr *call)
{
    struct ck_func_info *info = ck_gen_func_info(gen, call->call.function);
    int n_hidden = hidden_params(gen, info->tfunc);
    struct ck_gen_value args = ck_gen_value_new(gen, n_hidden + ck_gen_n_param_parts(info->tfunc));
    int n = 0;
    for (; n < gen->target->function->n_hidden; n++)
        args.parts[n] = gen->func->v_hidden[n];
    if (n < n_hidden)
        args.parts[n++] = ck_gen_stack_used(gen);
    for (int i = 0; i < call->call.n_args; i++) {
        struct ck_gen_value arg = ck_gen_expr(gen, call->call.args[i]);
        for (int part = 0; part < arg.n; part++)
            args.parts[n++] = arg.parts[part];
    }
    ck_debug_at(gen, call->span);
    struct ck_gen_value given = {args.n - n_hidden, args.parts + n_hidden};
    if (!info->v_function)
        return inline_call(gen, info, given, call->span);
    if (names_call(gen, info))
        return ck_gen_inline(gen, info, given, call->span);
    ck_gen_use_local(gen, info->code.local_bytes);
    /* Of a recursive function not all code may be made yet. */
    gen->func->code.has_atomics |= info->code.has_atomics || info->tfunc->is_recursive;
    gen->func->code.no_bulk_copies |= info->code.no_bulk_copies || info->tfunc->is_recursive;
    LLVMValueRef v_result = l_call(gen, info->v_function, args.parts, (unsigned)n);
    return unpack_result(gen, call->type, v_result);
}
