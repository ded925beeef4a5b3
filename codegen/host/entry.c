/* Kernels' entries on the host: a loop over the block's threads, a coroutine a thread, or block
 * loops; the ABI is runtime/image/cpu_abi.h. */
#include <string.h>

#include "codegen/host/host.h"
#include "codegen/opt/inner_loop.h"

enum { FRAME_ALIGN = 64, SLOT = 8 };

/* Declares an entry, whose first two parameters are the slots of the arguments and the block. */
static LLVMValueRef
declare_entry(struct ck_gen *gen, const struct ck_tfunc *tfunc, const char *suffix,
              LLVMTypeRef returns, LLVMTypeRef *params, unsigned n)
{
    const char *name = ck_arena_printf(&gen->arena, "%s.%s", tfunc->symbol, suffix);
    LLVMValueRef v_entry = l_function(gen, name, returns, params, n);
    l_attribute(gen, v_entry, 1, "readonly", 0);
    l_attribute(gen, v_entry, 1, "noalias", 0);
    l_attribute(gen, v_entry, 1, "align", SLOT);
    l_attribute(gen, v_entry, 2, "align", _Alignof(struct ck_cpu_block));
    return v_entry;
}

/* Marks both pointers as dereferenceable, so that loads can be hoisted out of loops. Not for
 * the start function of a coroutine, which is also called for the frame's size alone. */
static void
mark_dereferenceable(struct ck_gen *gen, LLVMValueRef v_entry, const struct ck_tfunc *tfunc)
{
    uint64_t slots = (uint64_t)ck_gen_n_param_parts(tfunc) * SLOT;
    if (slots > 0)
        l_attribute(gen, v_entry, 1, "dereferenceable", slots);
    l_attribute(gen, v_entry, 2, "dereferenceable", sizeof(struct ck_cpu_block));
}

/* Loads an extent, with its range. */
static LLVMValueRef
load_extent(struct ck_gen *gen, const struct ck_tfunc *tfunc, const struct ck_type *array,
            LLVMValueRef v_slot)
{
    LLVMValueRef v_extent = l_load_constant(gen, gen->t_i64, v_slot, SLOT, "extent");
    const uint64_t end = ck_gen_extent_end(tfunc, array, gen->options->small_launches);
    LLVMMetadataRef range[] = {LLVMValueAsMetadata(l_i64(gen, 0)),
                               LLVMValueAsMetadata(l_i64(gen, (int64_t)end))};
    unsigned kind = LLVMGetMDKindIDInContext(gen->llvm, "range", 5);
    LLVMSetMetadata(v_extent, kind,
                    LLVMMetadataAsValue(gen->llvm, LLVMMDNodeInContext2(gen->llvm, range, 2)));
    return v_extent;
}

static LLVMValueRef
load_part(struct ck_gen *gen, const struct ck_tfunc *tfunc, const struct ck_type *type, int part,
          LLVMTypeRef part_type, LLVMValueRef v_slot)
{
    if (ck_type_is_array(type) && part >= 1 && part <= type->array.ndim)
        return load_extent(gen, tfunc, type, v_slot);
    if (part_type != gen->t_i1)
        return l_load_constant(gen, part_type, v_slot, part_type == gen->t_float ? 4 : SLOT, "");
    return ck_gen_from_memory(gen, type, l_load_constant(gen, gen->t_i8, v_slot, SLOT, ""));
}

/* Loads the kernel's arguments from their slots. */
static struct ck_gen_value
load_args(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMValueRef v_params)
{
    struct ck_gen_value args = ck_gen_value_new(gen, ck_gen_n_param_parts(tfunc));
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, args.n);
    ck_gen_param_types(gen, tfunc, types);
    int n = 0;
    uint64_t at = 0;
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        /* The parts of a complex number are adjacent. */
        bool complex = ck_type_is_complex(type);
        uint64_t step = complex ? (uint64_t)ck_type_size(type) / 2 : SLOT;
        for (int part = 0; part < ck_gen_n_parts(type); part++, n++, at += step)
            args.parts[n] =
                load_part(gen, tfunc, type, part, types[n], l_offset(gen, v_params, at));
    }
    return args;
}

/* Makes the code of one thread of a kernel without barriers, a function of the thread's position
 * and the arguments. */
static LLVMValueRef
make_thread_body(struct ck_gen *gen, struct ck_func_info *info)
{
    struct ck_gen_function func;
    const struct ck_tfunc *tfunc = info->tfunc;
    int n = N_HIDDEN + ck_gen_n_param_parts(tfunc);
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, n);
    ck_host_hidden_types(gen, types);
    ck_gen_param_types(gen, tfunc, types + N_HIDDEN);
    const char *name = ck_arena_printf(&gen->arena, "%s.body", tfunc->symbol);
    LLVMValueRef v_body = l_function(gen, name, gen->t_void, types, (unsigned)n);
    LLVMSetLinkage(v_body, LLVMInternalLinkage);
    l_attribute(gen, v_body, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    ck_gen_mark_shapes(gen, tfunc, v_body, N_HIDDEN, gen->options->small_launches);
    if (info->scope)
        LLVMSetSubprogram(v_body, info->scope);

    ck_gen_enter(gen, &func, v_body);
    ck_host_function(gen)->b_exit = l_block(gen, "exit");
    struct ck_gen_value args = ck_gen_value_new(gen, n - N_HIDDEN);
    for (int i = 0; i < N_HIDDEN; i++)
        func.v_hidden[i] = LLVMGetParam(v_body, (unsigned)i);
    for (int i = 0; i < args.n; i++)
        args.parts[i] = LLVMGetParam(v_body, (unsigned)(N_HIDDEN + i));
    ck_gen_inline(gen, info, args, (struct ck_span){0});
    l_branch(gen, ck_host_function(gen)->b_exit);
    l_at(gen, ck_host_function(gen)->b_exit);
    LLVMBuildRetVoid(gen->builder);
    info->code = func.code;
    ck_gen_finish(gen);
    return v_body;
}

static void
call_body(struct ck_gen *gen, LLVMValueRef v_body, LLVMValueRef *v_thread, struct ck_gen_value args)
{
    struct ck_gen_value all = ck_gen_value_new(gen, N_HIDDEN + args.n);
    all.parts[HIDDEN_BLOCK] = gen->func->v_hidden[HIDDEN_BLOCK];
    for (int dim = 0; dim < 3; dim++)
        all.parts[HIDDEN_TX + dim] = v_thread[dim];
    for (int i = 0; i < args.n; i++)
        all.parts[N_HIDDEN + i] = args.parts[i];
    l_call(gen, v_body, all.parts, (unsigned)all.n);
}

struct ck_thread_loop
ck_host_loop_open(struct ck_gen *gen, int dim)
{
    static const char *const names[] = {"x", "y", "z"};
    LLVMBasicBlockRef b_before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef b_loop = l_block(gen, names[dim]);
    struct ck_thread_loop loop = {.b_header = b_loop, .b_exit = l_block(gen, "done")};
    l_branch(gen, b_loop);
    l_at(gen, b_loop);
    loop.v_index = LLVMBuildPhi(gen->builder, gen->t_i64, names[dim]);
    LLVMValueRef v_zero = l_i64(gen, 0);
    LLVMAddIncoming(loop.v_index, &v_zero, &b_before, 1);
    return loop;
}

/* Disables runtime unrolling, which after vectorisation would unroll the remainder loop, of few
 * iterations. */
LLVMValueRef
ck_host_loop_close(struct ck_gen *gen, struct ck_thread_loop *loop, LLVMValueRef v_extent)
{
    LLVMBasicBlockRef b_here = LLVMGetInsertBlock(gen->builder);
    LLVMValueRef v_next = LLVMBuildNUWAdd(gen->builder, loop->v_index, l_i64(gen, 1), "");
    LLVMSetNSW(v_next, true);
    LLVMAddIncoming(loop->v_index, &v_next, &b_here, 1);
    LLVMValueRef v_more = l_compare(gen, LLVMIntULT, v_next, v_extent);
    LLVMValueRef v_branch = LLVMBuildCondBr(gen->builder, v_more, loop->b_header, loop->b_exit);
    ck_loop_mark(gen, v_branch, "llvm.loop.unroll.runtime.disable", NULL);
    l_at(gen, loop->b_exit);
    return v_branch;
}

/* Makes the loop nest over the block's threads, x innermost, as a function of the block and the
 * arguments: as attributes of its parameters, `noalias` and `align` hold across iterations. */
static LLVMValueRef
make_thread_loops(struct ck_gen *gen, struct ck_func_info *info, LLVMValueRef v_body)
{
    struct ck_gen_function func;
    const struct ck_tfunc *tfunc = info->tfunc;
    struct ck_gen_value args = ck_gen_value_new(gen, ck_gen_n_param_parts(tfunc));
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, 1 + args.n);
    types[0] = gen->t_ptr;
    ck_gen_param_types(gen, tfunc, types + 1);
    const char *name = ck_arena_printf(&gen->arena, "%s.loops", tfunc->symbol);
    LLVMValueRef v_loops = l_function(gen, name, gen->t_void, types, (unsigned)args.n + 1);
    LLVMSetLinkage(v_loops, LLVMInternalLinkage);
    l_attribute(gen, v_loops, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    l_attribute(gen, v_loops, 1, "dereferenceable", sizeof(struct ck_cpu_block));
    info->v_args = v_loops;
    info->first_arg = 2;
    ck_gen_enter(gen, &func, v_loops);
    func.v_hidden[HIDDEN_BLOCK] = LLVMGetParam(v_loops, 0);
    for (int i = 0; i < args.n; i++)
        args.parts[i] = LLVMGetParam(v_loops, (unsigned)i + 1);
    LLVMValueRef v_extents[3], v_thread[3];
    for (int dim = 0; dim < 3; dim++)
        v_extents[dim] = ck_host_position(gen, CK_BLOCK_DIM, dim);
    struct ck_thread_loop loops[3];
    for (int dim = 2; dim >= 0; dim--) {
        loops[dim] = ck_host_loop_open(gen, dim);
        v_thread[dim] = loops[dim].v_index;
    }
    call_body(gen, v_body, v_thread, args);
    for (int dim = 0; dim < 3; dim++)
        ck_host_loop_close(gen, &loops[dim], v_extents[dim]);
    LLVMBuildRetVoid(gen->builder);
    ck_gen_finish(gen);
    return v_loops;
}

static void
make_run_block(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMValueRef v_loops)
{
    struct ck_gen_function func;
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_ptr};
    LLVMValueRef v_entry = declare_entry(gen, tfunc, "block", gen->t_void, params, 2);
    mark_dereferenceable(gen, v_entry, tfunc);
    ck_gen_enter(gen, &func, v_entry);
    struct ck_gen_value args = load_args(gen, tfunc, LLVMGetParam(v_entry, 0));
    struct ck_gen_value all = ck_gen_value_new(gen, 1 + args.n);
    all.parts[0] = LLVMGetParam(v_entry, 1);
    for (int i = 0; i < args.n; i++)
        all.parts[1 + i] = args.parts[i];
    l_call(gen, v_loops, all.parts, (unsigned)all.n);
    LLVMBuildRetVoid(gen->builder);
    ck_gen_finish(gen);
}

static LLVMValueRef
thread_param(struct ck_gen *gen, LLVMValueRef v_entry, unsigned dim)
{
    return LLVMBuildZExt(gen->builder, LLVMGetParam(v_entry, 2 + dim), gen->t_i64, "");
}

static void
make_run_thread(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMValueRef v_body)
{
    struct ck_gen_function func;
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_ptr, gen->t_i32, gen->t_i32, gen->t_i32};
    LLVMValueRef v_entry = declare_entry(gen, tfunc, "thread", gen->t_void, params, 5);
    mark_dereferenceable(gen, v_entry, tfunc);
    ck_gen_enter(gen, &func, v_entry);
    func.v_hidden[HIDDEN_BLOCK] = LLVMGetParam(v_entry, 1);
    struct ck_gen_value args = load_args(gen, tfunc, LLVMGetParam(v_entry, 0));
    LLVMValueRef v_thread[3];
    for (unsigned dim = 0; dim < 3; dim++)
        v_thread[dim] = thread_param(gen, v_entry, dim);
    call_body(gen, v_body, v_thread, args);
    LLVMBuildRetVoid(gen->builder);
    ck_gen_finish(gen);
}

/* Begins a coroutine (LLVM, "Coroutines in LLVM", switched resume), which returns its frame's size
 * if it is called without a frame. */
static LLVMValueRef
begin_coroutine(struct ck_gen *gen, LLVMValueRef v_frame)
{
    LLVMValueRef v_null = LLVMConstNull(gen->t_ptr);
    LLVMValueRef id_args[] = {l_i32(gen, FRAME_ALIGN), v_null, v_null, v_null};
    LLVMValueRef v_id = l_intrinsic(gen, "llvm.coro.id", NULL, id_args, 4);
    LLVMBasicBlockRef b_size = l_block(gen, "size");
    LLVMBasicBlockRef b_begin = l_block(gen, "begin");
    LLVMBuildCondBr(gen->builder, LLVMBuildIsNull(gen->builder, v_frame, ""), b_size, b_begin);
    l_at(gen, b_size);
    LLVMValueRef v_size = l_intrinsic(gen, "llvm.coro.size", gen->t_i64, NULL, 0);
    LLVMBuildRet(gen->builder, LLVMBuildIntToPtr(gen->builder, v_size, gen->t_ptr, ""));
    l_at(gen, b_begin);
    LLVMValueRef begin_args[] = {v_id, v_frame};
    return l_intrinsic(gen, "llvm.coro.begin", NULL, begin_args, 2);
}

/* The block to which suspended, finished and destroyed threads branch. The executor frees the
 * frame. */
static void
end_coroutine(struct ck_gen *gen, LLVMValueRef v_handle)
{
    LLVMValueRef v_none = LLVMConstNull(LLVMTokenTypeInContext(gen->llvm));
    LLVMValueRef args[] = {v_handle, LLVMConstInt(gen->t_i1, 0, false), v_none};
    l_intrinsic(gen, "llvm.coro.end", NULL, args, 3);
    LLVMBuildRet(gen->builder, v_handle);
}

static void
make_coroutine(struct ck_gen *gen, struct ck_func_info *info)
{
    struct ck_gen_function func;
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_ptr, gen->t_i32, gen->t_i32, gen->t_i32, gen->t_ptr};
    LLVMValueRef v_start = declare_entry(gen, info->tfunc, "start", gen->t_ptr, params, 6);
    l_attribute(gen, v_start, LLVMAttributeFunctionIndex, "presplitcoroutine", 0);
    if (info->scope)
        LLVMSetSubprogram(v_start, info->scope);
    ck_gen_enter(gen, &func, v_start);
    ck_host_function(gen)->b_exit = l_block(gen, "exit");
    LLVMValueRef v_handle = begin_coroutine(gen, LLVMGetParam(v_start, 5));
    func.v_hidden[HIDDEN_BLOCK] = LLVMGetParam(v_start, 1);
    for (unsigned dim = 0; dim < 3; dim++)
        func.v_hidden[HIDDEN_TX + dim] = thread_param(gen, v_start, dim);
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_GRID_BARRIER))
        ck_host_begin_arrivals(gen);
    ck_gen_inline(gen, info, load_args(gen, info->tfunc, LLVMGetParam(v_start, 0)),
                  (struct ck_span){0});
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_GRID_BARRIER))
        ck_host_end_arrivals(gen);
    l_branch(gen, ck_host_function(gen)->b_exit);
    l_at(gen, ck_host_function(gen)->b_exit);
    ck_debug_nowhere(gen);
    end_coroutine(gen, v_handle);
    ck_host_info(info)->v_start = v_start;
    ck_host_info(info)->n_suspensions = ck_host_function(gen)->n_suspensions;
    ck_gen_finish(gen);
}

/* Makes the code of one thread, with markers, that block_loops.c turns into loops. The kernel's
 * only barriers are its block's. */
static void
make_block_loops(struct ck_gen *gen, struct ck_func_info *info)
{
    struct ck_gen_function func;
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_ptr, gen->t_ptr};
    LLVMValueRef v_entry = declare_entry(gen, info->tfunc, "block_loops", gen->t_void, params, 3);
    mark_dereferenceable(gen, v_entry, info->tfunc);
    l_attribute(gen, v_entry, 3, "noalias", 0);
    l_attribute(gen, v_entry, 3, "align", FRAME_ALIGN);
    ck_debug_function(gen, info); /* the coroutine has its own */
    if (info->scope)
        LLVMSetSubprogram(v_entry, info->scope);
    ck_gen_enter(gen, &func, v_entry);
    ck_host_function(gen)->in_block_loops = true;
    ck_host_function(gen)->b_exit = l_block(gen, "exit");
    func.v_hidden[HIDDEN_BLOCK] = LLVMGetParam(v_entry, 1);
    for (unsigned dim = 0; dim < 3; dim++)
        func.v_hidden[HIDDEN_TX + dim] = ck_host_mark_index(gen, dim);
    ck_gen_inline(gen, info, load_args(gen, info->tfunc, LLVMGetParam(v_entry, 0)),
                  (struct ck_span){0});
    l_branch(gen, ck_host_function(gen)->b_exit);
    l_at(gen, ck_host_function(gen)->b_exit);
    ck_debug_nowhere(gen);
    LLVMBuildRetVoid(gen->builder);
    ck_host_info(info)->v_block_loops = v_entry;
    ck_host_info(info)->n_slots = ck_host_function(gen)->n_slots;
    ck_gen_finish(gen);
}

/* Whether to try block loops for a kernel with barriers. */
static bool
may_have_block_loops(const struct ck_gen *gen, const struct ck_func_info *info)
{
    enum { MAX_SUSPENSIONS = 100 }; /* each region is a loop, whose code is long */
    const struct ck_tfunc *tfunc = info->tfunc;
    return gen->options->by_rank && gen->options->opt_level >= 2 &&
           !ck_tfunc_has(tfunc,
                         CK_EFFECT_GRID_BARRIER | CK_EFFECT_CLUSTER_BARRIER | CK_EFFECT_SPIN) &&
           ck_host_info(info)->n_suspensions <= MAX_SUSPENSIONS;
}

void
ck_host_kernel(struct ck_gen *gen, struct ck_func_info *info)
{
    const struct ck_tfunc *tfunc = info->tfunc;
    if (ck_tfunc_has(tfunc, CK_EFFECTS_WAIT | CK_EFFECT_SPIN)) {
        make_coroutine(gen, info);
        if (may_have_block_loops(gen, info))
            make_block_loops(gen, info);
        return;
    }
    LLVMValueRef v_body = make_thread_body(gen, info);
    make_run_block(gen, tfunc, make_thread_loops(gen, info, v_body));
    make_run_thread(gen, tfunc, v_body);
}
