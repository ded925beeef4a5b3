/* NVIDIA GPUs: PTX by LLVM's NVPTX backend. */
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Target.h>

#include <ck/run.h>

#include "codegen/nvptx/cluster.h"
#include "codegen/nvptx/copy.h"
#include "codegen/nvptx/nvptx.h"

#define SPECIAL_PREFIX "llvm.nvvm.read.ptx.sreg."

static const struct {
    const char *arch, *features;
} arch_features[] = {
#define CK_GPU_ARCH(capability, ptx) {"sm_" #capability, "+ptx" #ptx},
#include "base/gpu_archs.def"
};

static const char *const archs[] = {
#define CK_GPU_ARCH(capability, ptx) "sm_" #capability,
#include "base/gpu_archs.def"
    NULL,
};

enum { N_ARCHS = sizeof arch_features / sizeof *arch_features };

const char *const *
ck_target_nvptx_archs(void)
{
    return archs;
}

/* --- The machine -------------------------------------------------------------------------------
 */

static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void
register_backend(void)
{
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
}

static const char *
features_of(const struct ck_gen *gen)
{
    if (ck_nvptx_module(gen)->has_bulk_copies)
        return "+ptx80";
    for (int i = 0; i < N_ARCHS; i++) {
        if (strcmp(arch_features[i].arch, gen->options->arch) == 0)
            return arch_features[i].features;
    }
    return "";
}

static LLVMTargetMachineRef
nvptx_machine(struct ck_gen *gen)
{
    static const char triple[] = "nvptx64-nvidia-cuda";
    LLVMTargetRef target;
    char *error = NULL;
    pthread_once(&registered, register_backend);
    if (LLVMGetTargetFromTriple(triple, &target, &error)) {
        LLVMDisposeMessage(error);
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "this LLVM has no NVPTX backend");
    }
    /* The aggressive level numbers values once more, and takes 8 % longer for the same code. */
    LLVMCodeGenOptLevel level =
        gen->in_linear_time ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault;
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(target, triple, gen->options->arch, features_of(gen), level,
                                LLVMRelocDefault, LLVMCodeModelDefault);
    if (!machine)
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "LLVM makes no code for %s", gen->options->arch);
    return machine;
}

/* --- Position ----------------------------------------------------------------------------------
 */

int
ck_nvptx_arch(const struct ck_gen *gen)
{
    return atoi(gen->options->arch + strlen("sm_"));
}

LLVMValueRef
ck_nvptx_special(struct ck_gen *gen, const char *name)
{
    const char *intrinsic = ck_arena_printf(&gen->arena, SPECIAL_PREFIX "%s", name);
    return l_intrinsic(gen, intrinsic, NULL, NULL, 0);
}

LLVMValueRef
ck_nvptx_wide_special(struct ck_gen *gen, const char *name)
{
    LLVMValueRef v_wide = LLVMBuildZExt(gen->builder, ck_nvptx_special(gen, name), gen->t_i64, "");
    LLVMSetNNeg(v_wide, true);
    return v_wide;
}

static const char *const place_names[][3] = {
    [CK_THREAD_IDX] = {"tid.x", "tid.y", "tid.z"},
    [CK_BLOCK_IDX] = {"ctaid.x", "ctaid.y", "ctaid.z"},
    [CK_BLOCK_DIM] = {"ntid.x", "ntid.y", "ntid.z"},
    [CK_GRID_DIM] = {"nctaid.x", "nctaid.y", "nctaid.z"},
};

LLVMValueRef
ck_nvptx_place(struct ck_gen *gen, enum ck_place what, int dim)
{
    return ck_nvptx_special(gen, place_names[what][dim]);
}

LLVMValueRef
ck_nvptx_place_function(struct ck_gen *gen, enum ck_place what, int dim)
{
    return LLVMGetNamedFunction(
        gen->module, ck_arena_printf(&gen->arena, SPECIAL_PREFIX "%s", place_names[what][dim]));
}

static LLVMValueRef
nvptx_position(struct ck_gen *gen, enum ck_place what, int dim)
{
    return ck_nvptx_wide_special(gen, place_names[what][dim]);
}

static int64_t
nvptx_most_of_call(LLVMValueRef v)
{
    static const struct {
        const char *name;
        int most;
    } specials[] = {
        {"tid.x", 1023},    {"tid.y", 1023},    {"tid.z", 63},           {"ntid.x", 1024},
        {"ntid.y", 1024},   {"ntid.z", 64},     {"laneid", 31},          {"ctaid.x", INT32_MAX - 1},
        {"ctaid.y", 65534}, {"ctaid.z", 65534}, {"nctaid.x", INT32_MAX}, {"nctaid.y", 65535},
        {"nctaid.z", 65535}};
    static const char prefix[] = SPECIAL_PREFIX;
    if (ck_nvptx_is_low_extent(v))
        return CK_SMALL_ELEMENTS - 1;
    const char *name = LLVMGetValueName(LLVMGetCalledValue(v));
    if (strncmp(name, prefix, strlen(prefix)) != 0)
        return -1;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strcmp(name + strlen(prefix), specials[i].name) == 0)
            return specials[i].most;
    }
    return -1;
}

static LLVMValueRef
nvptx_counter(struct ck_gen *gen, enum ck_counter what)
{
    if (what == CK_COUNTER_MULTIPROCESSOR)
        return ck_nvptx_wide_special(gen, "smid");
    return ck_nvptx_special(gen, what == CK_COUNTER_CYCLES ? "clock64" : "globaltimer");
}

LLVMValueRef
ck_nvptx_asm(struct ck_gen *gen, bool effect, const char *text, const char *constraints,
             LLVMTypeRef returns, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[8];
    assert(n <= sizeof types / sizeof *types);
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(returns, types, n, false);
    struct ck_strbuf own;
    ck_strbuf_init(&own);
    if (!ck_nvptx_own_names(&own, text)) {
        ck_strbuf_free(&own);
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    }
    LLVMValueRef v_asm =
        LLVMGetInlineAsm(type, own.text, own.length, constraints, strlen(constraints), effect,
                         false, LLVMInlineAsmDialectATT, false);
    ck_strbuf_free(&own);
    return LLVMBuildCall2(gen->builder, type, v_asm, args, n, "");
}

LLVMValueRef
ck_nvptx_convergent_asm(struct ck_gen *gen, const char *text, const char *constraints,
                        LLVMTypeRef returns, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef v_call = ck_nvptx_asm(gen, true, text, constraints, returns, args, n);
    l_convergent(gen, v_call);
    return v_call;
}

/* --- Barriers ----------------------------------------------------------------------------------
 */

/* The aligned form, bar.sync: the language has every thread of the block reach one barrier. */
void
ck_nvptx_block_barrier(struct ck_gen *gen)
{
    LLVMValueRef v_zero = l_i32(gen, 0);
    l_intrinsic(gen, "llvm.nvvm.barrier.cta.sync.aligned.all", NULL, &v_zero, 1);
}

static void
nvptx_block_sync(struct ck_gen *gen, struct ck_span span)
{
    (void)span;
    ck_nvptx_block_barrier(gen);
}

/* --- Memory order, sleep ------------------------------------------------------------------------
 */

static void
nvptx_fence(struct ck_gen *gen, enum ck_fence scope)
{
    static const char *const names[] = {
        [CK_FENCE_BLOCK] = "llvm.nvvm.membar.cta",
        [CK_FENCE_DEVICE] = "llvm.nvvm.membar.gl",
        [CK_FENCE_SYSTEM] = "llvm.nvvm.membar.sys",
    };
    l_intrinsic(gen, names[scope], NULL, NULL, 0);
}

static void
nvptx_sleep(struct ck_gen *gen, LLVMValueRef v_nanoseconds, struct ck_span span)
{
    (void)span;
    l_intrinsic(gen, "llvm.nvvm.nanosleep", NULL, &v_nanoseconds, 1);
}

static void
nvptx_breakpoint(struct ck_gen *gen)
{
    l_intrinsic(gen, "llvm.debugtrap", NULL, NULL, 0);
}

/* --- Memory ------------------------------------------------------------------------------------
 */

LLVMValueRef
ck_nvptx_memory(struct ck_gen *gen, const char *name, LLVMTypeRef type, unsigned align,
                unsigned space)
{
    LLVMValueRef v_memory = LLVMGetNamedGlobal(gen->module, name);
    if (v_memory)
        return v_memory;
    v_memory = LLVMAddGlobalInAddressSpace(gen->module, type, name, space);
    LLVMSetLinkage(v_memory, LLVMInternalLinkage);
    LLVMSetInitializer(v_memory, space == SPACE_SHARED ? LLVMGetUndef(type) : LLVMConstNull(type));
    /* Of shared memory, so that a load of what nobody stored is a value and not `undef`. */
    LLVMSetExternallyInitialized(v_memory, space == SPACE_SHARED);
    LLVMSetAlignment(v_memory, align);
    return v_memory;
}

static LLVMValueRef
nvptx_shared_array(struct ck_gen *gen, const struct ck_tfunc *tfunc, int i, uint64_t offset)
{
    (void)offset;
    const struct ck_shared_array *array = &tfunc->shared[i];
    const char *name = ck_arena_printf(&gen->arena, "shared.%s.%d", tfunc->symbol, i);
    LLVMTypeRef type = LLVMArrayType2(ck_gen_memory_type(gen, array->elem), (uint64_t)array->count);
    return ck_nvptx_memory(gen, name, type, 16, SPACE_SHARED);
}

/* CUDA puts an extern array after the static ones; all of a module are one place. */
static LLVMValueRef
nvptx_dynamic_shared(struct ck_gen *gen, LLVMValueRef *v_bytes)
{
    static const char name[] = "shared$dynamic";
    gen->func->code.no_bulk_copies = true; /* the launch may ask for all there is */
    LLVMValueRef v_array = LLVMGetNamedGlobal(gen->module, name);
    if (!v_array) {
        LLVMTypeRef type = LLVMArrayType2(gen->t_i8, 0);
        v_array = LLVMAddGlobalInAddressSpace(gen->module, type, name, SPACE_SHARED);
        LLVMSetAlignment(v_array, 16);
    }
    LLVMValueRef v_count =
        l_intrinsic(gen, "llvm.nvvm.read.ptx.sreg.dynamic_smem_size", NULL, NULL, 0);
    *v_bytes = LLVMBuildZExt(gen->builder, v_count, gen->t_i64, "");
    return v_array;
}

static uint64_t
nvptx_shared_bytes(uint64_t so_far, const struct ck_func_info *info)
{
    return so_far + (info->shared_end - info->shared_begin);
}

/* LLVM ends the process at the scope of a cluster where PTX has none. */
static const char *
nvptx_atomic_scope(struct ck_gen *gen, enum ck_scope scope)
{
    static const char *const names[] = {
        [CK_SCOPE_DEVICE] = "device",
        [CK_SCOPE_BLOCK] = "block",
        [CK_SCOPE_CLUSTER] = "cluster",
        [CK_SCOPE_SYSTEM] = "",
    };
    const bool has_clusters = ck_nvptx_arch(gen) >= 90;
    return names[scope == CK_SCOPE_CLUSTER && !has_clusters ? CK_SCOPE_DEVICE : scope];
}

/* atom.add.noftz.bf16 came with sm_90. */
static bool
nvptx_adds_atomically(struct ck_gen *gen, const struct ck_type *type)
{
    return type->kind != CK_TYPE_BFLOAT16 || ck_nvptx_arch(gen) >= 90;
}

/* A generic address may be in the shared memory of another block of a cluster. There ptxas makes of
 * most operations on 64 bits a load and a store, between which others come: seen on an H200. */
static bool
nvptx_lacks_atomic(struct ck_gen *gen, LLVMAtomicRMWBinOp op, const struct ck_type *type,
                   LLVMValueRef v_address)
{
    switch ((int)op) {
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
        return ck_type_size(type) == 8 && ck_nvptx_arch(gen) >= 90 &&
               LLVMGetPointerAddressSpace(LLVMTypeOf(v_address)) == 0;
    default:
        return false;
    }
}

static bool
nvptx_fuses_float16(struct ck_gen *gen, const struct ck_type *type)
{
    return type->kind != CK_TYPE_BFLOAT16 || ck_nvptx_arch(gen) >= 80;
}

/* --- Math --------------------------------------------------------------------------------------
 */

static const enum ck_type_kind math_types[] = {
#define FLOAT                                         CK_TYPE_FLOAT32
#define DOUBLE                                        CK_TYPE_FLOAT64
#define CK_MATH(id, libclc, libdevice, host, type, n) type,
#include "codegen/core/math.def"
#undef CK_MATH
#undef FLOAT
#undef DOUBLE
};

static const char *
nvptx_math_library(struct ck_gen *gen)
{
    return gen->options->libdevice ? "libdevice" : "libclc";
}

/* An instruction of float32 alone that flushes denormals. */
static LLVMValueRef
approximate(struct ck_gen *gen, const char *instruction, LLVMValueRef v_value)
{
    const char *name = ck_arena_printf(&gen->arena, "llvm.nvvm.%s", instruction);
    return l_intrinsic(gen, name, NULL, &v_value, 1);
}

static LLVMValueRef
power_of_two(struct ck_gen *gen, LLVMValueRef v_value)
{
    return l_intrinsic(gen, "llvm.nvvm.ex2.approx.ftz", gen->t_float, &v_value, 1);
}

static LLVMValueRef
times(struct ck_gen *gen, LLVMValueRef v_value, double factor)
{
    return LLVMBuildFMul(gen->builder, v_value, LLVMConstReal(gen->t_float, factor), "");
}

/* float32 functions under fast math, by the hardware's approximations as CUDA's __sinf and its kin.
 * NULL: the function has none. */
static LLVMValueRef
approximate_math(struct ck_gen *gen, enum ck_math function, LLVMValueRef *args)
{
    LLVMValueRef v_x = args[0];
    switch ((int)function) {
    case CK_MATH_COS_F32:
        return approximate(gen, "cos.approx.ftz.f", v_x);
    case CK_MATH_EXP2_F32:
        return power_of_two(gen, v_x);
    case CK_MATH_EXP_F32:
        return power_of_two(gen, times(gen, v_x, M_LOG2E));
    case CK_MATH_LOG10_F32:
        return times(gen, approximate(gen, "lg2.approx.ftz.f", v_x), M_LN2 / M_LN10);
    case CK_MATH_LOG2_F32:
        return approximate(gen, "lg2.approx.ftz.f", v_x);
    case CK_MATH_LOG_F32:
        return times(gen, approximate(gen, "lg2.approx.ftz.f", v_x), M_LN2);
    case CK_MATH_POW_F32: {
        LLVMValueRef v_log = approximate(gen, "lg2.approx.ftz.f", v_x);
        return power_of_two(gen, LLVMBuildFMul(gen->builder, args[1], v_log, ""));
    }
    case CK_MATH_SIN_F32:
        return approximate(gen, "sin.approx.ftz.f", v_x);
    case CK_MATH_TAN_F32: {
        LLVMValueRef parts[] = {approximate(gen, "sin.approx.ftz.f", v_x),
                                approximate(gen, "cos.approx.ftz.f", v_x)};
        return l_intrinsic(gen, "llvm.nvvm.div.approx.ftz.f", NULL, parts, 2);
    }
    default:
        return NULL;
    }
}

/* Instructions with a direction of rounding. */
static LLVMValueRef
nvptx_rounded(struct ck_gen *gen, enum ck_rounded_op op, enum ck_rounding rounding,
              LLVMValueRef *args, unsigned n)
{
    static const char *const ops[] = {
        [CK_ROUNDED_ADD] = "add", [CK_ROUNDED_MUL] = "mul", [CK_ROUNDED_DIV] = "div",
        [CK_ROUNDED_FMA] = "fma", [CK_ROUNDED_RCP] = "rcp", [CK_ROUNDED_SQRT] = "sqrt",
    };
    static const char *const directions[] = {
        [CK_ROUNDING_NEAREST] = "rn",
        [CK_ROUNDING_DOWN] = "rm",
        [CK_ROUNDING_UP] = "rp",
        [CK_ROUNDING_ZERO] = "rz",
    };
    const char *name =
        ck_arena_printf(&gen->arena, "llvm.nvvm.%s.%s.%s", ops[op], directions[rounding],
                        LLVMTypeOf(args[0]) == gen->t_float ? "f" : "d");
    return l_intrinsic(gen, name, NULL, args, n);
}

/* What ptxas makes of sqrt.rn.f32, without the test of the range and the code for numbers beyond.
 */
static LLVMValueRef
nvptx_sqrt_in_range(struct ck_gen *gen, LLVMValueRef v_value)
{
    LLVMBuilderRef b = gen->builder;
    LLVMValueRef v_inverse = approximate(gen, "rsqrt.approx.ftz.f", v_value);
    LLVMValueRef v_root = LLVMBuildFMul(b, v_value, v_inverse, "");
    LLVMValueRef v_half = times(gen, v_inverse, 0.5);
    LLVMValueRef error[] = {LLVMBuildFNeg(b, v_root, ""), v_root, v_value};
    LLVMValueRef v_error = l_intrinsic(gen, "llvm.fma", gen->t_float, error, 3);
    LLVMValueRef sum[] = {v_error, v_half, v_root};
    return l_intrinsic(gen, "llvm.fma", gen->t_float, sum, 3);
}

static LLVMValueRef
nvptx_math(struct ck_gen *gen, enum ck_math function, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef v_fast =
        gen->fast_flags & LLVMFastMathApproxFunc ? approximate_math(gen, function, args) : NULL;
    if (v_fast)
        return v_fast;
    const char *name = ck_math_name(gen, function);
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    if (!v_function) {
        LLVMTypeRef type = gen->scalar_types[math_types[function]];
        LLVMTypeRef params[] = {type, type};
        LLVMTypeRef signature = LLVMFunctionType(type, params, n, false);
        v_function = LLVMAddFunction(gen->module, name, signature);
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "nosync", 0);
    }
    ck_nvptx_module(gen)->uses_math = true;
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(v_function), v_function, args, n,
                          "");
}

/* --- The image ---------------------------------------------------------------------------------
 */

static void
nvptx_finish(struct ck_gen *gen)
{
    if (ck_nvptx_module(gen)->uses_math)
        ck_math_link(gen);
}

static const struct ck_thread_ops thread_ops = {
    .counter = nvptx_counter,
    .position = nvptx_position,
    .most_of_call = nvptx_most_of_call,
    .sleep = nvptx_sleep,
    .breakpoint = nvptx_breakpoint,
    .print = ck_nvptx_print,
    .assert_fail = ck_nvptx_assert_fail,
};

static const struct ck_warp_ops warp_ops = {
    .lane = ck_nvptx_lane,
    .collective = ck_nvptx_collective,
    .has_branches = true,
    .has_redux = ck_nvptx_has_redux,
    .redux = ck_nvptx_redux,
};

static const struct ck_block_ops block_ops = {
    .sync = nvptx_block_sync,
    .arrive = ck_nvptx_block_arrive,
    .wait = ck_nvptx_block_wait,
    .sync_tile = ck_nvptx_sync_tile,
    .sync_partition = ck_nvptx_sync_partition,
    .barrier_bytes = ck_nvptx_barrier_bytes,
};

static const struct ck_cluster_ops cluster_ops = {
    .position = ck_nvptx_cluster_position,
    .sync = ck_nvptx_cluster_sync,
    .arrive = ck_nvptx_cluster_arrive,
    .wait = ck_nvptx_cluster_wait,
    .begin_collective = ck_nvptx_cluster_begin_collective,
    .end_collective = ck_nvptx_cluster_end_collective,
    .map_shared = ck_nvptx_map_shared,
    .shared_rank = ck_nvptx_shared_rank,
};

static LLVMValueRef
nvptx_hidden(struct ck_gen *gen, LLVMValueRef v)
{
    const bool is_word = LLVMTypeOf(v) == gen->t_i32;
    return ck_nvptx_asm(gen, false, is_word ? "mov.b32 $0, $1;" : "mov.b64 $0, $1;",
                        is_word ? "=r,r" : "=l,l", LLVMTypeOf(v), &v, 1);
}

static const struct ck_memory_ops memory_ops = {
    .hinted_load = ck_nvptx_hinted_load,
    .hinted_store = ck_nvptx_hinted_store,
    .prefetch = ck_nvptx_prefetch,
    .shared_array = nvptx_shared_array,
    .dynamic_shared = nvptx_dynamic_shared,
    .shared_bytes = nvptx_shared_bytes,
    .fence = nvptx_fence,
    .atomic_scope = nvptx_atomic_scope,
    .adds_atomically = nvptx_adds_atomically,
    .wrap_extent = ck_nvptx_wrap_extent,
    .hidden = nvptx_hidden,
    .lacks_atomic = nvptx_lacks_atomic,
};

static const struct ck_copy_ops copy_ops = {
    .async = ck_nvptx_copy_async,
    .commit = ck_nvptx_copy_commit,
    .wait = ck_nvptx_copy_wait,
    .bulk = ck_nvptx_copy_bulk,
    .select_bulk = ck_nvptx_select_bulk_copies,
};

static const struct ck_math_ops math_ops = {
    .library = nvptx_math_library,
    .call = nvptx_math,
    .rounded = nvptx_rounded,
    .sqrt_in_range = nvptx_sqrt_in_range,
    .fuses_float16 = nvptx_fuses_float16,
    .fast = LLVMFastMathApproxFunc | LLVMFastMathAllowReciprocal,
    .float_min = "llvm.minnum", /* min.f32 and so on, which order zeros */
    .float_max = "llvm.maxnum",
};

static const struct ck_function_ops function_ops = {
    .attributes = ck_nvptx_attributes,
    .kernel = ck_nvptx_kernel,
};

static const struct ck_module_ops module_ops = {
    .machine = nvptx_machine,
    .finish = nvptx_finish,
    .optimise = ck_nvptx_optimise,
    .write = ck_nvptx_write,
    .image = ck_nvptx_image,
    .identify = ck_math_identify,
};

const struct ck_target ck_target_nvptx = {
    .traits = {.has_text = true,
               .convergent = true,
               .aligns_vectors = true,
               .packs_complex = true,
               .has_constant_memory = true,
               .relaxes_atomics = true,
               .most_inlined = 1000,
               .checks = CK_CHECK_BOUNDS,
               .module_bytes = sizeof(struct ck_nvptx_module),
               .function_bytes = sizeof(struct ck_nvptx_function)},
    .address_spaces = {[CK_SPACE_GENERIC] = SPACE_GENERIC,
                       [CK_SPACE_GLOBAL] = SPACE_GLOBAL,
                       [CK_SPACE_SHARED] = SPACE_SHARED,
                       [CK_SPACE_LOCAL] = SPACE_GENERIC,
                       [CK_SPACE_CONST] = SPACE_CONST},
    .thread = &thread_ops,
    .warp = &warp_ops,
    .block = &block_ops,
    .cluster = &cluster_ops,
    .grid = &ck_nvptx_grid,
    .memory = &memory_ops,
    .copy = &copy_ops,
    .check = &ck_nvptx_check,
    .math = &math_ops,
    .function = &function_ops,
    .module = &module_ops,
};
