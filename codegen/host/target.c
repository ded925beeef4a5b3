/* The host target: code that the CPU device executes on this machine.
 *
 * A kernel without barriers is a function of one thread, inlined into a loop over the block's
 * threads. A kernel with barriers is a coroutine for each thread: a barrier suspends it, and its
 * frame, in the executor's memory, holds the values that are live across barriers. Functions with a
 * barrier or an assert are inlined into the kernel, so that to suspend or end the thread is a
 * branch. */
#include <pthread.h>
#include <string.h>

#include <llvm-c/Target.h>

#include "base/pack.h"
#include <ck/run.h>

#include "codegen/host/host.h"

/* Compiled code accesses these fields of struct ck_cpu_block. */
_Static_assert(offsetof(struct ck_cpu_block, block_idx) == 0 &&
                   offsetof(struct ck_cpu_block, block_dim) == 12 &&
                   offsetof(struct ck_cpu_block, grid_dim) == 24 &&
                   offsetof(struct ck_cpu_block, waiting) == 36 &&
                   offsetof(struct ck_cpu_block, shared) == 48 && sizeof(uint64_t *) == 8 &&
                   sizeof(struct ck_cpu_print_item) == 32,
               "the ABI of compiled host code");

/* --- The machine -------------------------------------------------------------------------------
 */

static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void
register_backend(void)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
}

/* The features of this processor, without x86's conversions to bfloat16: these flush subnormal
 * numbers, and LLVM would also use them to move values. The caller calls LLVMDisposeMessage. */
static char *
host_features(void)
{
    static const char *const flushing[] = {"+avx512bf16", "+avxneconvert", "+avx10.2"};
    char *features = LLVMGetHostCPUFeatures();
    for (size_t i = 0; features && i < sizeof flushing / sizeof *flushing; i++) {
        char *at = strstr(features, flushing[i]);
        if (at)
            *at = '-';
    }
    return features;
}

static LLVMTargetMachineRef
host_machine(struct ck_gen *gen)
{
    LLVMTargetRef target;
    char *error = NULL;
    pthread_once(&registered, register_backend);
    char *triple = LLVMGetDefaultTargetTriple();
    if (!triple)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    if (LLVMGetTargetFromTriple(triple, &target, &error)) {
        LLVMDisposeMessage(error);
        LLVMDisposeMessage(triple);
        ck_gen_fail(gen, CK_ERROR_UNSUPPORTED, "this LLVM has no backend for this machine");
    }
    char *cpu = LLVMGetHostCPUName();
    char *features = host_features();
    LLVMCodeGenOptLevel level = gen->options->opt_level > 0 && !gen->in_linear_time
                                    ? LLVMCodeGenLevelDefault
                                    : LLVMCodeGenLevelNone;
    LLVMTargetMachineRef machine = NULL;
    bool has_memory = cpu && features;
    if (has_memory)
        machine = LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                          LLVMCodeModelJITDefault);
    LLVMDisposeMessage(features);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(triple);
    if (!has_memory)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    if (!machine)
        ck_gen_fail(gen, CK_ERROR_UNSUPPORTED, "LLVM makes no code for this machine");
    return machine;
}

static bool
host_identify(struct ck_strbuf *key, const struct ck_codegen_options *options)
{
    char *cpu = LLVMGetHostCPUName();
    char *features = host_features();
    bool known = cpu && features;
    (void)options;
    if (known) {
        ck_pack_text(key, cpu);
        ck_pack_text(key, features);
    }
    LLVMDisposeMessage(features);
    LLVMDisposeMessage(cpu);
    return known;
}

void
ck_host_hidden_types(struct ck_gen *gen, LLVMTypeRef *out)
{
    out[HIDDEN_BLOCK] = gen->t_ptr;
    out[HIDDEN_TX] = out[HIDDEN_TY] = out[HIDDEN_TZ] = gen->t_i64;
}

/* --- The block ---------------------------------------------------------------------------------
 */

LLVMValueRef
ck_host_block_field(struct ck_gen *gen, LLVMTypeRef type, size_t offset, const char *name)
{
    LLVMValueRef v_block = gen->func->v_hidden[HIDDEN_BLOCK];
    unsigned align = type == gen->t_ptr ? 8 : 4;
    return l_load_constant(gen, type, l_offset(gen, v_block, offset), align, name);
}

LLVMValueRef
ck_host_position(struct ck_gen *gen, enum ck_place what, int dim)
{
    static const size_t fields[] = {
        [CK_BLOCK_IDX] = offsetof(struct ck_cpu_block, block_idx),
        [CK_BLOCK_DIM] = offsetof(struct ck_cpu_block, block_dim),
        [CK_GRID_DIM] = offsetof(struct ck_cpu_block, grid_dim),
    };
    if (what == CK_THREAD_IDX)
        return gen->func->v_hidden[HIDDEN_TX + dim];
    LLVMValueRef v_field = ck_host_block_field(gen, gen->t_i32, fields[what] + 4 * (size_t)dim, "");
    return LLVMBuildZExt(gen->builder, v_field, gen->t_i64, "");
}

static LLVMValueRef
host_shared_array(struct ck_gen *gen, const struct ck_tfunc *tfunc, int i, uint64_t offset)
{
    (void)tfunc, (void)i;
    LLVMValueRef v_shared =
        ck_host_block_field(gen, gen->t_ptr, offsetof(struct ck_cpu_block, shared), "shared");
    return l_offset(gen, v_shared, offset);
}

static LLVMValueRef
host_dynamic_shared(struct ck_gen *gen, LLVMValueRef *v_bytes)
{
    LLVMValueRef v_count = ck_host_block_field(
        gen, gen->t_i32, offsetof(struct ck_cpu_block, dynamic_shared_bytes), "dynamic.bytes");
    *v_bytes = LLVMBuildZExt(gen->builder, v_count, gen->t_i64, "");
    return ck_host_block_field(gen, gen->t_ptr, offsetof(struct ck_cpu_block, dynamic_shared),
                               "dynamic");
}

static uint64_t
host_shared_bytes(uint64_t so_far, const struct ck_func_info *info)
{
    return so_far > info->shared_end ? so_far : info->shared_end;
}

static bool
host_adds_atomically(struct ck_gen *gen, const struct ck_type *type)
{
    (void)gen, (void)type;
    return false;
}

/* --- Barriers ----------------------------------------------------------------------------------
 */

uint32_t
ck_host_add_site(struct ck_gen *gen, enum ck_barrier_kind kind, enum ck_collective_op op,
                 struct ck_span span)
{
    const struct ck_source *source = gen->program->source;
    const struct ck_frame *frame = ck_gen_user_frame(gen, &span);
    struct ck_origin at = ck_source_origin(source, span.start);
    struct ck_barrier_site site = {
        .kind = kind,
        .op = op,
        .what = ck_gen_source_text(gen, span),
        .line = at.line,
        .column = at.column,
        .place = ck_gen_place_site(gen, frame, span),
    };
    struct ck_host_module *module = ck_host_module(gen);
    CK_PUSH(&gen->arena, module->sites, module->n_sites, module->sites_capacity, site);
    return (uint32_t)module->n_sites;
}

void
ck_host_suspend(struct ck_gen *gen, uint32_t site)
{
    LLVMValueRef v_block = gen->func->v_hidden[HIDDEN_BLOCK];
    LLVMValueRef v_site = l_i32(gen, site);
    l_store(gen, v_site, l_offset(gen, v_block, offsetof(struct ck_cpu_block, waiting)), 4);

    LLVMValueRef v_none = LLVMConstNull(LLVMTokenTypeInContext(gen->llvm));
    LLVMValueRef args[] = {v_none, LLVMConstInt(gen->t_i1, 0, false)};
    LLVMValueRef v_resumed = l_intrinsic(gen, "llvm.coro.suspend", NULL, args, 2);
    ck_host_function(gen)->n_suspensions++;
    LLVMBasicBlockRef b_resumed = l_block(gen, "resumed");
    LLVMValueRef v_switch =
        LLVMBuildSwitch(gen->builder, v_resumed, ck_host_function(gen)->b_exit, 1);
    LLVMAddCase(v_switch, LLVMConstInt(gen->t_i8, 0, false), b_resumed);
    l_at(gen, b_resumed);
}

static void
host_block_sync(struct ck_gen *gen, struct ck_span span)
{
    if (ck_host_function(gen)->in_block_loops) {
        ck_host_mark_barrier(gen);
        return;
    }
    ck_host_check_arrive(gen, CK_HOST_BLOCK);
    ck_host_suspend(gen, ck_host_add_site(gen, CK_BARRIER_BLOCK, CK_COLLECTIVE_NONE, span));
    ck_host_check_pass(gen, CK_HOST_BLOCK);
}

/* --- Memory order, sleep, copies ----------------------------------------------------------------
 */

static void
host_fence(struct ck_gen *gen, enum ck_fence scope)
{
    ck_host_check_fence(gen, scope);
    LLVMBuildFence(gen->builder, LLVMAtomicOrderingSequentiallyConsistent, false, "");
}

/* All host threads are in one scope, LLVM's default. */
static const char *
host_atomic_scope(struct ck_gen *gen, enum ck_scope scope)
{
    (void)gen;
    (void)scope;
    return "";
}

/* Suspends the thread so that others run. */
static void
host_yield(struct ck_gen *gen, struct ck_span span)
{
    ck_host_suspend(gen, ck_host_add_site(gen, CK_BARRIER_SPIN, CK_COLLECTIVE_NONE, span));
}

static void
host_sleep(struct ck_gen *gen, LLVMValueRef v_nanoseconds, struct ck_span span)
{
    (void)v_nanoseconds;
    host_yield(gen, span);
}

/* A kernel that never waits does not complete a copy: there is nothing to check. */
static void
host_copy_check(struct ck_gen *gen, LLVMValueRef v_group, LLVMValueRef v_threads,
                LLVMValueRef v_digest, struct ck_span span)
{
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_i64, gen->t_i64, gen->t_i64, gen->t_i32};
    if (ck_host_function(gen)->in_block_loops) {
        LLVMValueRef v_same = ck_host_external(gen, CK_MARKER_UNIFORM, gen->t_void, &gen->t_i64, 1);
        l_call(gen, v_same, &v_digest, 1);
    } else if (ck_tfunc_has(ck_gen_kernel(gen), CK_EFFECTS_WAIT | CK_EFFECT_SPIN)) {
        uint32_t site = ck_host_add_site(gen, CK_BARRIER_GROUP, CK_COLLECTIVE_NONE, span);
        LLVMValueRef v_check = ck_host_external(gen, "ck_cpu_copy_check", gen->t_void, params, 5);
        LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], v_group, v_threads, v_digest,
                               l_i32(gen, site)};
        l_call(gen, v_check, args, 5);
    }
}

/* --- Calls to the C library and the executor ---------------------------------------------------
 */

LLVMValueRef
ck_host_external(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMTypeRef *params,
                 unsigned n)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    return v_function ? v_function : l_function(gen, name, returns, params, n);
}

static const struct {
    const char *name;
    enum ck_type_kind type;
} math_functions[] = {
#define FLOAT                                         CK_TYPE_FLOAT32
#define DOUBLE                                        CK_TYPE_FLOAT64
#define CK_MATH(id, libclc, libdevice, host, type, n) {#host, type},
#include "codegen/core/math.def"
#undef CK_MATH
#undef FLOAT
#undef DOUBLE
};

static const char *
host_math_library(struct ck_gen *gen)
{
    (void)gen;
    return "libm";
}

/* `nobuiltin` keeps LLVM from replacing the call by functions that the JIT's table lacks. */
static LLVMValueRef
host_math(struct ck_gen *gen, enum ck_math function, LLVMValueRef *args, unsigned n)
{
    const char *name = math_functions[function].name;
    LLVMTypeRef type = gen->scalar_types[math_functions[function].type];
    LLVMTypeRef params[] = {type, type};
    bool is_new = !LLVMGetNamedFunction(gen->module, name);
    LLVMValueRef v_function = ck_host_external(gen, name, type, params, n);
    if (is_new) {
        static const char *const attributes[] = {"nobuiltin", "willreturn", "nosync", "nofree"};
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
            l_attribute(gen, v_function, LLVMAttributeFunctionIndex, attributes[i], 0);
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "memory", 0);
    }
    return l_call(gen, v_function, args, n);
}

/* Compiled code runs in the mode that rounds to nearest: other directions are functions. */
static LLVMValueRef
host_rounded(struct ck_gen *gen, enum ck_rounded_op op, enum ck_rounding rounding,
             LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    const char *name = type == gen->t_float ? "ck_rt_rounded_f32" : "ck_rt_rounded_f64";
    LLVMTypeRef params[] = {gen->t_i32, gen->t_i32, type, type, type};
    LLVMValueRef operands[] = {l_i32(gen, op), l_i32(gen, rounding), args[0],
                               n > 1 ? args[1] : args[0], n > 2 ? args[2] : args[0]};
    LLVMValueRef v_function = ck_host_external(gen, name, type, params, 5);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "memory", 0);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "willreturn", 0);
    return l_call(gen, v_function, operands, 5);
}

/* --- Clusters ----------------------------------------------------------------------------------
 */

static LLVMValueRef
cluster_field(struct ck_gen *gen, size_t offset, int dim)
{
    LLVMValueRef v_field = ck_host_block_field(gen, gen->t_i32, offset + 4 * (size_t)dim, "");
    return LLVMBuildZExt(gen->builder, v_field, gen->t_i64, "");
}

static LLVMValueRef
host_cluster_position(struct ck_gen *gen, enum ck_cluster_place what, int dim)
{
    const size_t size = offsetof(struct ck_cpu_block, cluster_dim);
    switch (what) {
    case CK_CLUSTER_BLOCK_IDX:
        return cluster_field(gen, offsetof(struct ck_cpu_block, idx_in_cluster), dim);
    case CK_CLUSTER_DIM:
        return cluster_field(gen, size, dim);
    case CK_CLUSTER_IDX:
        return LLVMBuildUDiv(gen->builder, ck_host_position(gen, CK_BLOCK_IDX, dim),
                             cluster_field(gen, size, dim), "");
    case CK_CLUSTER_GRID_DIM:
        return LLVMBuildUDiv(gen->builder, ck_host_position(gen, CK_GRID_DIM, dim),
                             cluster_field(gen, size, dim), "");
    case CK_CLUSTER_BLOCK_RANK:
        return cluster_field(gen, offsetof(struct ck_cpu_block, rank_in_cluster), 0);
    default: /* NUM_BLOCKS */
        return cluster_field(gen, offsetof(struct ck_cpu_block, cluster_blocks), 0);
    }
}

static void
host_cluster_sync(struct ck_gen *gen, struct ck_span span)
{
    ck_host_check_arrive(gen, CK_HOST_CLUSTER);
    ck_host_suspend(gen, ck_host_add_site(gen, CK_BARRIER_CLUSTER, CK_COLLECTIVE_NONE, span));
    ck_host_check_pass(gen, CK_HOST_CLUSTER);
}

static LLVMValueRef
host_cluster_begin_collective(struct ck_gen *gen)
{
    return l_i64(gen, 0);
}

static LLVMValueRef
host_cluster_arrive(struct ck_gen *gen, struct ck_span span)
{
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_i32};
    LLVMValueRef v_arrive = ck_host_external(gen, "ck_cpu_cluster_arrive", gen->t_i64, params, 2);
    uint32_t site = ck_host_add_site(gen, CK_BARRIER_CLUSTER, CK_COLLECTIVE_NONE, span);
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], l_i32(gen, site)};
    LLVMValueRef v_token = l_call(gen, v_arrive, args, 2);
    ck_host_check_arrive(gen, CK_HOST_CLUSTER);
    return v_token;
}

static void
host_cluster_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span)
{
    uint32_t site = ck_host_add_site(gen, CK_BARRIER_CLUSTER_WAIT, CK_COLLECTIVE_NONE, span);
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_i64, gen->t_i32};
    LLVMValueRef v_wait = ck_host_external(gen, "ck_cpu_cluster_wait", gen->t_void, params, 3);
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], v_token, l_i32(gen, site)};
    l_call(gen, v_wait, args, 3);
    ck_host_suspend(gen, site);
    ck_host_check_pass(gen, CK_HOST_CLUSTER);
}

/* The same offset in that block's shared memory. */
static LLVMValueRef
host_map_shared(struct ck_gen *gen, LLVMValueRef v_address, LLVMValueRef v_rank)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef v_table = ck_host_block_field(
        gen, gen->t_ptr, offsetof(struct ck_cpu_block, cluster_shared), "cluster");
    LLVMValueRef v_own =
        ck_host_block_field(gen, gen->t_ptr, offsetof(struct ck_cpu_block, shared), "shared");
    LLVMValueRef v_entry = LLVMBuildGEP2(builder, gen->t_ptr, v_table, &v_rank, 1, "");
    LLVMValueRef v_other = l_load_constant(gen, gen->t_ptr, v_entry, 8, "other");
    LLVMValueRef v_offset =
        LLVMBuildSub(builder, LLVMBuildPtrToInt(builder, v_address, gen->t_i64, ""),
                     LLVMBuildPtrToInt(builder, v_own, gen->t_i64, ""), "");
    return LLVMBuildGEP2(builder, gen->t_i8, v_other, &v_offset, 1, "mapped");
}

static LLVMValueRef
host_shared_rank(struct ck_gen *gen, LLVMValueRef v_address)
{
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_ptr};
    LLVMValueRef v_find = ck_host_external(gen, "ck_cpu_cluster_rank", gen->t_i64, params, 2);
    return l_call(gen, v_find, (LLVMValueRef[]){gen->func->v_hidden[HIDDEN_BLOCK], v_address}, 2);
}

/* --- The end of a thread, clocks -----------------------------------------------------------------
 */

static void
set_in_block(struct ck_gen *gen, size_t field, uint32_t value)
{
    LLVMValueRef v_block = gen->func->v_hidden[HIDDEN_BLOCK];
    l_store(gen, l_i32(gen, value), l_offset(gen, v_block, field), 4);
}

/* Reports of barriers name the place at which a thread ended. */
static void
host_returns(struct ck_gen *gen, struct ck_span span)
{
    if (ck_host_function(gen)->in_block_loops ||
        !ck_tfunc_has(ck_gen_kernel(gen), CK_EFFECTS_WAIT | CK_EFFECT_SPIN))
        return;
    const uint32_t site = ck_host_add_site(gen, CK_BARRIER_RETURN, CK_COLLECTIVE_NONE, span);
    set_in_block(gen, offsetof(struct ck_cpu_block, ended), site);
}

/* A thread that waits for a clock is not in a livelock. */
static LLVMValueRef
host_counter(struct ck_gen *gen, enum ck_counter what)
{
    static const char *const functions[] = {
        [CK_COUNTER_CYCLES] = "ck_rt_clock",
        [CK_COUNTER_NANOSECONDS] = "ck_rt_globaltimer",
        [CK_COUNTER_MULTIPROCESSOR] = "ck_rt_smid",
    };
    LLVMValueRef v_function = ck_host_external(gen, functions[what], gen->t_i64, NULL, 0);
    if (ck_tfunc_has(ck_gen_kernel(gen), CK_EFFECT_SPIN))
        set_in_block(gen, offsetof(struct ck_cpu_block, clock_read), 1);
    return l_call(gen, v_function, NULL, 0);
}

static const struct ck_thread_ops thread_ops = {
    .counter = host_counter,
    .position = ck_host_position,
    .sleep = host_sleep,
    .yield = host_yield,
    .print = ck_host_print,
    .assert_fail = ck_host_assert_fail,
    .returns = host_returns,
};

static const struct ck_warp_ops warp_ops = {
    .lane = ck_host_lane,
    .collective = ck_host_collective,
};

static const struct ck_block_ops block_ops = {
    .sync = host_block_sync,
    .arrive = ck_host_block_arrive,
    .wait = ck_host_block_wait,
    .sync_tile = ck_host_sync_tile,
    .sync_partition = ck_host_sync_partition,
    .barrier_bytes = ck_host_barrier_bytes,
};

static const struct ck_cluster_ops cluster_ops = {
    .position = host_cluster_position,
    .sync = host_cluster_sync,
    .arrive = host_cluster_arrive,
    .wait = host_cluster_wait,
    .begin_collective = host_cluster_begin_collective,
    .end_collective = host_cluster_sync,
    .map_shared = host_map_shared,
    .shared_rank = host_shared_rank,
};

static const struct ck_memory_ops memory_ops = {
    .shared_array = host_shared_array,
    .dynamic_shared = host_dynamic_shared,
    .shared_bytes = host_shared_bytes,
    .fence = host_fence,
    .atomic_scope = host_atomic_scope,
    .adds_atomically = host_adds_atomically,
};

static const struct ck_copy_ops copy_ops = {.check = host_copy_check};

static const struct ck_math_ops math_ops = {
    .library = host_math_library,
    .call = host_math,
    .rounded = host_rounded,
    .float_min = "llvm.minimumnum",
    .float_max = "llvm.maximumnum",
};

static const struct ck_function_ops function_ops = {
    .n_hidden = N_HIDDEN,
    .hidden_types = ck_host_hidden_types,
    .kernel = ck_host_kernel,
};

static const struct ck_module_ops module_ops = {
    .machine = host_machine,
    .optimise = ck_host_optimise,
    .write = ck_host_write,
    .image = ck_host_image,
    .identify = host_identify,
};

const struct ck_target ck_target_host = {
    .traits = {.inlines_exits = true,
               .vectorizes = true,
               .for_cpu = true,
               .checks = CK_CHECK_ALL | CK_CHECK_OVERFLOW,
               .most_inlined = 150,
               .module_bytes = sizeof(struct ck_host_module),
               .info_bytes = sizeof(struct ck_host_info),
               .function_bytes = sizeof(struct ck_host_function)},
    .thread = &thread_ops,
    .warp = &warp_ops,
    .block = &block_ops,
    .cluster = &cluster_ops,
    .grid = &ck_host_grid,
    .memory = &memory_ops,
    .copy = &copy_ops,
    .check = &ck_host_check,
    .math = &math_ops,
    .function = &function_ops,
    .module = &module_ops,
};
