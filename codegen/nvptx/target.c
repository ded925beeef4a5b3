/* NVIDIA GPUs: PTX by LLVM's NVPTX backend. */
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Target.h>

#include "codegen/core/ir_util.h"
#include "codegen/nvptx/cluster.h"
#include "codegen/nvptx/copy.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/nvptx/reserved_symbols.h"

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

enum { MAX_PRINT_ARGS = 32, MAX_ITEM_ARGS = 2 }; /* of one call of vprintf; of one item */

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
    if (gen->has_bulk_copies)
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
    LLVMCodeGenOptLevel level = gen->in_linear_time           ? LLVMCodeGenLevelNone
                                : gen->options->opt_level > 0 ? LLVMCodeGenLevelAggressive
                                                              : LLVMCodeGenLevelDefault;
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
    const char *intrinsic = ck_arena_printf(&gen->arena, "llvm.nvvm.read.ptx.sreg.%s", name);
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

static LLVMValueRef
nvptx_position(struct ck_gen *gen, enum ck_place what, int dim)
{
    return ck_nvptx_wide_special(gen, place_names[what][dim]);
}

LLVMValueRef
ck_nvptx_asm(struct ck_gen *gen, bool effect, const char *text, const char *constraints,
             LLVMTypeRef returns, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[6];
    assert(n <= sizeof types / sizeof *types);
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(returns, types, n, false);
    LLVMValueRef v_asm =
        LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), effect, false,
                         LLVMInlineAsmDialectATT, false);
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
nvptx_block_barrier(struct ck_gen *gen, struct ck_span span)
{
    (void)span;
    ck_nvptx_block_barrier(gen);
}

/* --- Exchanges ---------------------------------------------------------------------------------
 */

static LLVMValueRef
nvptx_lane(struct ck_gen *gen)
{
    return ck_nvptx_wide_special(gen, "laneid");
}

static const char *const exchange_names[] = {
    [CK_EXCHANGE_SYNC] = "llvm.nvvm.bar.warp.sync",
    [CK_EXCHANGE_SHFL] = "llvm.nvvm.shfl.sync.idx.i32",
    [CK_EXCHANGE_SHFL_UP] = "llvm.nvvm.shfl.sync.up.i32",
    [CK_EXCHANGE_SHFL_DOWN] = "llvm.nvvm.shfl.sync.down.i32",
    [CK_EXCHANGE_SHFL_XOR] = "llvm.nvvm.shfl.sync.bfly.i32",
    [CK_EXCHANGE_ALL] = "llvm.nvvm.vote.all.sync",
    [CK_EXCHANGE_ANY] = "llvm.nvvm.vote.any.sync",
    [CK_EXCHANGE_EQ] = "llvm.nvvm.vote.uni.sync",
    [CK_EXCHANGE_BALLOT] = "llvm.nvvm.vote.ballot.sync",
    [CK_EXCHANGE_MATCH_ANY] = "llvm.nvvm.match.any.sync.i32",
    [CK_EXCHANGE_MATCH_ALL] = "llvm.nvvm.match.all.sync.i32p",
    [CK_EXCHANGE_ACTIVE] = "llvm.nvvm.activemask",
    [CK_EXCHANGE_BLOCK_COUNT] = "llvm.nvvm.barrier.cta.red.popc.aligned.all",
    [CK_EXCHANGE_BLOCK_AND] = "llvm.nvvm.barrier.cta.red.and.aligned.all",
    [CK_EXCHANGE_BLOCK_OR] = "llvm.nvvm.barrier.cta.red.or.aligned.all",
};

/* The last operand of shfl.sync: the last lane that can be asked for, or for `up` the first, and in
 * the upper bits which bits of a lane's number are its tile's. */
static LLVMValueRef
shuffle_bounds(struct ck_gen *gen, const struct ck_exchange *x)
{
    if (!x->v_threads)
        return l_i32(gen, x->op == CK_EXCHANGE_SHFL_UP ? 0 : 31);
    const int segment = (32 - x->size) << 8;
    if (x->op == CK_EXCHANGE_SHFL)
        return l_i32(gen, segment + x->size - 1);
    if (x->op == CK_EXCHANGE_SHFL_UP)
        return l_i32(gen, segment);
    return LLVMBuildAdd(gen->builder, x->v_threads, l_i32(gen, segment - 1), "");
}

/* With the rank and the bounds both in registers, the instruction takes twice as long on an H200
 * as with bounds that are constant. */
static LLVMValueRef
shuffle_by_rank(struct ck_gen *gen, struct ck_exchange *x, LLVMValueRef *args)
{
    LLVMValueRef v_got = l_intrinsic(gen, exchange_names[x->op], NULL, args, 4);
    LLVMValueRef v_rank = LLVMBuildAnd(gen->builder, x->v_lane, l_i32(gen, x->size - 1), "rank");
    x->v_there = l_compare(gen, LLVMIntULT, v_rank, x->v_threads);
    return l_select(gen, x->v_there, v_got, args[1]);
}

static LLVMValueRef
shuffle_word(struct ck_gen *gen, struct ck_exchange *x, LLVMValueRef v_word)
{
    static const char *const names[] = {
        [CK_EXCHANGE_SHFL_UP] = "llvm.nvvm.shfl.sync.up.i32p",
        [CK_EXCHANGE_SHFL_DOWN] = "llvm.nvvm.shfl.sync.down.i32p",
        [CK_EXCHANGE_SHFL_XOR] = "llvm.nvvm.shfl.sync.bfly.i32p",
    };
    LLVMValueRef args[] = {x->v_mask, v_word, x->v_lane, shuffle_bounds(gen, x)};
    if (!x->v_threads)
        return l_intrinsic(gen, exchange_names[x->op], NULL, args, 4);
    if (x->op == CK_EXCHANGE_SHFL)
        return shuffle_by_rank(gen, x, args);
    LLVMValueRef v_both = l_intrinsic(gen, names[x->op], NULL, args, 4);
    x->v_there = LLVMBuildExtractValue(gen->builder, v_both, 1, "");
    return LLVMBuildExtractValue(gen->builder, v_both, 0, "");
}

/* 64 bits go as two words. */
static LLVMValueRef
shuffle(struct ck_gen *gen, struct ck_exchange *x)
{
    LLVMBuilderRef builder = gen->builder;
    if (x->type == gen->t_i32)
        return shuffle_word(gen, x, x->v_value);
    LLVMValueRef v_high = LLVMBuildLShr(builder, x->v_value, l_i64(gen, 32), "");
    v_high = shuffle_word(gen, x, LLVMBuildTrunc(builder, v_high, gen->t_i32, ""));
    LLVMValueRef v_low = shuffle_word(gen, x, LLVMBuildTrunc(builder, x->v_value, gen->t_i32, ""));
    v_high = LLVMBuildZExt(builder, v_high, gen->t_i64, "");
    v_high = LLVMBuildShl(builder, v_high, l_i64(gen, 32), "");
    return LLVMBuildOr(builder, v_high, LLVMBuildZExt(builder, v_low, gen->t_i64, ""), "");
}

static void
match(struct ck_gen *gen, struct ck_exchange *x)
{
    bool is_all = x->op == CK_EXCHANGE_MATCH_ALL;
    const char *name = exchange_names[x->op];
    if (LLVMTypeOf(x->v_value) == gen->t_i64)
        name = is_all ? "llvm.nvvm.match.all.sync.i64p" : "llvm.nvvm.match.any.sync.i64";
    LLVMValueRef args[] = {x->v_mask, x->v_value};
    x->v_result = l_intrinsic(gen, name, NULL, args, 2);
    if (is_all) {
        x->v_all = LLVMBuildExtractValue(gen->builder, x->v_result, 1, "");
        x->v_result = LLVMBuildExtractValue(gen->builder, x->v_result, 0, "");
    }
}

static void
block_vote(struct ck_gen *gen, struct ck_exchange *x)
{
    LLVMValueRef args[] = {l_i32(gen, 0), x->v_value};
    x->v_result = l_intrinsic(gen, exchange_names[x->op], NULL, args, 2);
    if (x->op != CK_EXCHANGE_BLOCK_COUNT)
        x->v_result = LLVMBuildZExt(gen->builder, x->v_result, gen->t_i32, "");
}

static void
nvptx_exchange(struct ck_gen *gen, struct ck_exchange *x)
{
    LLVMValueRef args[] = {x->v_mask, x->v_value};
    switch (x->op) {
    case CK_EXCHANGE_SHFL:
    case CK_EXCHANGE_SHFL_UP:
    case CK_EXCHANGE_SHFL_DOWN:
    case CK_EXCHANGE_SHFL_XOR:
        x->v_result = shuffle(gen, x);
        break;
    case CK_EXCHANGE_MATCH_ANY:
    case CK_EXCHANGE_MATCH_ALL:
        match(gen, x);
        break;
    case CK_EXCHANGE_BLOCK_COUNT:
    case CK_EXCHANGE_BLOCK_AND:
    case CK_EXCHANGE_BLOCK_OR:
        block_vote(gen, x);
        break;
    default: /* with a mask, a mask and a condition, or nothing */
        x->v_result = l_intrinsic(gen, exchange_names[x->op], NULL, args,
                                  (unsigned)(!!x->v_mask + !!x->v_value));
    }
}

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
    gen->func->excludes_bulk = true; /* the launch may ask for all there is */
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
nvptx_fuses_halves(struct ck_gen *gen, const struct ck_type *type)
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
    gen->uses_math = true;
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(v_function), v_function, args, n,
                          "");
}

/* --- print and assert --------------------------------------------------------------------------
 */

/* A function of the CUDA device runtime, which the driver supplies. */
static LLVMValueRef
runtime_function(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMTypeRef *params,
                 unsigned n)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    return v_function ? v_function : l_function(gen, name, returns, params, n);
}

/* Text for a printf format. A zero byte would end the format: it is left out. */
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

/* Appends an item's conversion to the format; gives the argument, 8 bytes wide. */
static LLVMValueRef
add_conversion(struct ck_gen *gen, struct ck_strbuf *format, const struct ck_type *type,
               LLVMValueRef v_value)
{
    if (type->kind == CK_TYPE_BOOL) {
        ck_strbuf_puts(format, "%s");
        return bool_text(gen, v_value);
    }
    ck_strbuf_puts(format, ck_type_is_float(type)      ? "%f"
                           : ck_type_is_unsigned(type) ? "%llu"
                                                       : "%lld");
    return v_value;
}

/* The same of any item; gives the number of arguments. */
static int
add_item(struct ck_gen *gen, struct ck_strbuf *format, const struct ck_type *type,
         LLVMValueRef v_value, LLVMValueRef *args)
{
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
            n_args += add_item(gen, format, items[i].value->type, values[i], args + n_args);
        if (n_args > MAX_PRINT_ARGS - MAX_ITEM_ARGS) {
            call_vprintf(gen, format, args, n_args);
            ck_strbuf_clear(format);
            n_args = 0;
        }
    }
    ck_strbuf_putc(format, '\n');
    call_vprintf(gen, format, args, n_args);
}

static void
nvptx_print(struct ck_gen *gen, const struct ck_print_item *items, LLVMValueRef *values, int n)
{
    struct ck_strbuf format;
    ck_strbuf_init(&format);
    print_items(gen, &format, items, values, n);
    bool failed = format.failed;
    ck_strbuf_free(&format);
    if (failed)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
}

static void
nvptx_assert_fail(struct ck_gen *gen, const char *message, uint32_t line, const char *function)
{
    const char *file = gen->program->source->name;
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_ptr, gen->t_i32, gen->t_ptr, gen->t_i64};
    LLVMValueRef v_fail = runtime_function(gen, "__assertfail", gen->t_void, params, 5);
    LLVMValueRef args[] = {
        l_text(gen, message, strlen(message) + 1),
        l_text(gen, file, strlen(file) + 1),
        l_i32(gen, line),
        l_text(gen, function, strlen(function) + 1),
        l_i64(gen, 1),
    };
    l_call(gen, v_fail, args, 5);
    /* It does not return, but is not declared so: older PTX cannot say it. */
    l_intrinsic(gen, "llvm.trap", NULL, NULL, 0);
    LLVMBuildUnreachable(gen->builder);
}

/* --- Kernels -----------------------------------------------------------------------------------
 */

static void
nvptx_attributes(struct ck_gen *gen, LLVMValueRef v_function, const struct ck_tfunc *tfunc)
{
    if (tfunc->fastmath)
        l_attribute_text(gen, v_function, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

static void
number_attribute(struct ck_gen *gen, LLVMValueRef v_kernel, const char *name, int value)
{
    if (value > 0)
        l_attribute_text(gen, v_kernel, name, ck_arena_printf(&gen->arena, "%d", value));
}

static void
launch_attributes(struct ck_gen *gen, LLVMValueRef v_kernel, const struct ck_tfunc *tfunc)
{
    number_attribute(gen, v_kernel, "nvvm.maxntid", tfunc->max_threads);
    number_attribute(gen, v_kernel, "nvvm.minctasm",
                     ck_gen_is_spacious(tfunc) ? 1 : tfunc->min_blocks);
    number_attribute(gen, v_kernel, "nvvm.maxnreg", tfunc->max_registers);
    const int *cluster = tfunc->cluster;
    if (cluster[0] > 0)
        l_attribute_text(
            gen, v_kernel, "nvvm.cluster_dim",
            ck_arena_printf(&gen->arena, "%d,%d,%d", cluster[0], cluster[1], cluster[2]));
}

/* Names that PTX, the driver and the image need for themselves. The checker gives kernels others.
 */
static void
check_name(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    static const char *const reserved[] = {
        CK_NVPTX_RESERVED_SYMBOLS,
#define CK_MATH(id, libclc, libdevice, host, type, n) libclc, libdevice,
#include "codegen/core/math.def"
#undef CK_MATH
    };
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        if (strcmp(tfunc->symbol, reserved[i]) == 0)
            ck_gen_fail(gen, CK_ERROR_UNSUPPORTED, "no kernel for CUDA may be called %s",
                        tfunc->symbol);
    }
}

static LLVMValueRef
declare_kernel(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, ck_gen_n_param_parts(tfunc));
    int n = 0;
    check_name(gen, tfunc);
    ck_nvptx_check_clusters(gen, tfunc);
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        if (ck_type_is_scalar(type))
            types[n++] = ck_gen_memory_type(gen, type);
        else
            n += ck_gen_part_types(gen, type, types + n);
    }
    LLVMValueRef v_kernel = l_function(gen, tfunc->symbol, gen->t_void, types, (unsigned)n);
    LLVMSetFunctionCallConv(v_kernel, CALL_PTX_KERNEL);
    ck_gen_mark_shapes(gen, tfunc, v_kernel, 0);
    unsigned index = 1;
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        if (ck_type_is_array(type))
            l_attribute(gen, v_kernel, index, "align", (uint64_t)ck_type_size(type->array.elem));
        index += (unsigned)ck_gen_n_entry_params(gen, type);
    }
    launch_attributes(gen, v_kernel, tfunc);
    nvptx_attributes(gen, v_kernel, tfunc);
    return v_kernel;
}

/* A parameter's parts; gives the place after them. */
static LLVMValueRef *
receive(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_kernel, unsigned param,
        LLVMValueRef *v_part)
{
    if (ck_type_is_complex(type)) {
        struct ck_gen_value value = ck_gen_complex_unpack(gen, LLVMGetParam(v_kernel, param));
        *v_part++ = value.parts[0];
        *v_part++ = value.parts[1];
        return v_part;
    }
    for (int i = 0; i < ck_gen_n_parts(type); i++)
        *v_part++ = ck_gen_from_memory(gen, type, LLVMGetParam(v_kernel, param + (unsigned)i));
    return v_part;
}

enum { MOST_TWICE = 3000 }; /* instructions */

/* Whether code of the function from block `b` on is short enough to be there twice. */
static bool
is_short(const struct ck_gen *gen, LLVMBasicBlockRef b)
{
    return !ck_ir_is_longer(b, MOST_TWICE) && gen->func->local_bytes == 0;
}

/* Makes the kernel's code, which begins at block `b_begin` and ends at `b_done`. */
static void
expand_version(struct ck_gen *gen, const struct ck_func_info *info, struct ck_gen_value args,
               LLVMBasicBlockRef b_begin, LLVMBasicBlockRef b_done, bool in_bulk)
{
    l_at(gen, b_begin);
    gen->func->n_expanded = 0;
    if (in_bulk)
        ck_nvptx_begin_bulk_copies(gen);
    ck_gen_expand(gen, info, args, (struct ck_span){0});
    ck_debug_nowhere(gen);
    if (in_bulk)
        ck_nvptx_end_bulk_copies(gen);
    l_branch(gen, b_done);
}

/* Where it is worth it, a kernel's code is there again for blocks of whole warps: in them no tile
 * lacks threads, and what asks for that at run time, in loops, is most of what some operations
 * cost; and some of them have bulk copies. */
static void
expand_kernel(struct ck_gen *gen, const struct ck_func_info *info, struct ck_gen_value args)
{
    LLVMBasicBlockRef b_choice = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef b_any = l_block(gen, "any"), b_done = l_block(gen, "done");
    expand_version(gen, info, args, b_any, b_done, false);
    const bool again = is_short(gen, b_any), whole = again && gen->func->wants_whole_warps;
    gen->func->in_whole_warps = true;
    l_at(gen, b_choice);
    LLVMValueRef v_bulk = again ? ck_nvptx_has_bulk_copies(gen) : NULL;
    if (v_bulk) {
        LLVMBasicBlockRef b_bulk = l_block(gen, "bulk"), b_other = l_block(gen, "other");
        LLVMBuildCondBr(gen->builder, v_bulk, b_bulk, b_other);
        expand_version(gen, info, args, b_bulk, b_done, true);
        l_at(gen, b_other);
    }
    if (whole) {
        LLVMBasicBlockRef b_whole = l_block(gen, "whole");
        LLVMValueRef v_last =
            LLVMBuildAnd(gen->builder, ck_nvptx_block_threads(gen), l_i32(gen, 31), "");
        LLVMBuildCondBr(gen->builder, l_compare(gen, LLVMIntEQ, v_last, l_i32(gen, 0)), b_whole,
                        b_any);
        expand_version(gen, info, args, b_whole, b_done, false);
    } else {
        l_branch(gen, b_any);
    }
    l_at(gen, b_done);
}

static void
nvptx_kernel(struct ck_gen *gen, struct ck_func_info *info)
{
    struct ck_gen_function func;
    LLVMValueRef v_kernel = declare_kernel(gen, info->tfunc);
    info->v_args = v_kernel;
    info->first_arg = 1;
    if (info->scope)
        LLVMSetSubprogram(v_kernel, info->scope);
    ck_gen_enter(gen, &func, v_kernel);
    struct ck_gen_value args = ck_gen_value_new(gen, ck_gen_n_param_parts(info->tfunc));
    unsigned param = 0;
    LLVMValueRef *v_part = args.parts;
    for (int i = 0; i < info->tfunc->n_params; i++) {
        const struct ck_type *type = info->tfunc->locals[i].type;
        v_part = receive(gen, type, v_kernel, param, v_part);
        param += (unsigned)ck_gen_n_entry_params(gen, type);
    }
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_BARRIER_WORDS))
        ck_nvptx_set_up_barriers(gen);
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_GRID_BARRIER))
        ck_nvptx_grid_begin(gen);
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_CLUSTER_BARRIER))
        ck_nvptx_begin_turns(gen);
    ck_nvptx_watch_copies(gen, info->tfunc);
    expand_kernel(gen, info, args);
    ck_nvptx_end_turns(gen);
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_GRID_BARRIER))
        ck_nvptx_grid_end(gen);
    info->has_atomics = func.has_atomics;
    LLVMBuildRetVoid(gen->builder);
    ck_gen_finish(gen);
}

/* --- The image ---------------------------------------------------------------------------------
 */

static void
nvptx_finish(struct ck_gen *gen)
{
    if (gen->uses_math)
        ck_math_link(gen);
}

const struct ck_target ck_target_nvptx = {
    .machine = nvptx_machine,
    .address_spaces = {[CK_SPACE_GENERIC] = SPACE_GENERIC,
                       [CK_SPACE_GLOBAL] = SPACE_GLOBAL,
                       [CK_SPACE_SHARED] = SPACE_SHARED,
                       [CK_SPACE_LOCAL] = SPACE_GENERIC,
                       [CK_SPACE_CONST] = SPACE_CONST},
    .convergent = true,
    .most_inlined = 1000,
    .packs_complex = true,
    .float_min = "llvm.minnum", /* min.f32 and so on, which order zeros */
    .float_max = "llvm.maxnum",
    .position = nvptx_position,
    .block_barrier = nvptx_block_barrier,
    .grid = &ck_nvptx_grid,
    .wide_barrier = ck_nvptx_wide_barrier,
    .part_barrier = ck_nvptx_part_barrier,
    .block_arrive = ck_nvptx_block_arrive,
    .block_wait = ck_nvptx_block_wait,
    .barrier_bytes = ck_nvptx_barrier_bytes,
    .cluster_position = ck_nvptx_cluster_position,
    .cluster_sync = ck_nvptx_cluster_sync,
    .cluster_turn = ck_nvptx_cluster_turn,
    .cluster_end = ck_nvptx_cluster_end,
    .cluster_arrive = ck_nvptx_cluster_arrive,
    .cluster_wait = ck_nvptx_cluster_wait,
    .map_shared = ck_nvptx_map_shared,
    .shared_rank = ck_nvptx_shared_rank,
    .lane = nvptx_lane,
    .exchange = nvptx_exchange,
    .has_redux = ck_nvptx_has_redux,
    .redux = ck_nvptx_redux,
    .fence = nvptx_fence,
    .sleep = nvptx_sleep,
    .breakpoint = nvptx_breakpoint,
    .copy_async = ck_nvptx_copy_async,
    .copy_commit = ck_nvptx_copy_commit,
    .copy_in_bulk = ck_nvptx_copy_in_bulk,
    .settle_copies = ck_nvptx_settle_copies,
    .copy_wait = ck_nvptx_copy_wait,
    .shared_array = nvptx_shared_array,
    .dynamic_shared = nvptx_dynamic_shared,
    .shared_bytes = nvptx_shared_bytes,
    .atomic_scope = nvptx_atomic_scope,
    .drops_order = true,
    .adds_atomically = nvptx_adds_atomically,
    .lacks_atomic = nvptx_lacks_atomic,
    .fuses_halves = nvptx_fuses_halves,
    .math_library = nvptx_math_library,
    .math = nvptx_math,
    .print = nvptx_print,
    .assert_fail = nvptx_assert_fail,
    .attributes = nvptx_attributes,
    .fast_math = LLVMFastMathApproxFunc | LLVMFastMathAllowReciprocal,
    .kernel = nvptx_kernel,
    .finish = nvptx_finish,
    .optimise = ck_nvptx_optimise,
    .code = ck_code_ptx,
    .image = ck_image_ptx,
    .identify = ck_math_identify,
    .has_text = true,
};
