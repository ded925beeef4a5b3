/* Asynchronous copies from global to shared memory on NVIDIA GPUs: cp.async, from compute
 * capability 8.0 on, and on 9.0 bulk copies (cp.async.bulk) where they are faster: docs/adr/018.
 *
 * The block's first thread begins a bulk copy. The copy engine executes it and completes a phase of
 * an mbarrier in shared memory. The first thread alone waits for the mbarrier; the other threads
 * wait for the first thread, at the barrier that ends `wait`. Bulk copies are numbered, and copy i
 * uses mbarrier i % RING. The engine would write to shared memory even after the block has ended,
 * so the first thread waits for all copies before it ends.
 *
 * The engine does not see the kernel's own stores to global memory without a fence, and the fence
 * costs more than the bulk copy saves. So only read-only arrays are copied in bulk. Which arrays
 * are read-only, and the lengths of copies, are known only after the whole kernel is lowered: calls
 * of declared functions are placeholders until then. Whether bulk copies are faster also depends on
 * the number of threads, so a kernel with bulk copies has two versions of its code. */
#include "codegen/nvptx/copy.h"

#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/passes.h"

enum {
    RING = 4,
    RING_BYTES = RING * 8,
};

/* The bytes for which a bulk copy is faster on an H200, with one other in flight: of a copy, and of
 * a copy divided by the block's threads. */
enum { MIN_BYTES = 8192, MIN_THREAD_BYTES = 32, MAX_THREAD_BYTES = 64 };

#define RING_NAME "shared$copies"
/* Placeholders: whether a copy is a bulk copy, whether a block runs the version with bulk copies.
 */
#define IS_BULK  "ck.is_bulk"  /* (source, bytes) */
#define HAS_BULK "ck.has_bulk" /* (the block's threads) */

/* The copies of a kernel, while it is lowered. */
struct ck_copies {
    bool found;           /* some may be bulk copies */
    unsigned max_prior;   /* the most copies that a wait leaves in flight */
    bool in_bulk;         /* the version with bulk copies is being lowered; only then: */
    LLVMValueRef v_first; /* i1: whether this is the block's first thread */
    LLVMValueRef v_begun; /* slot, i32: the number of bulk copies so far */
    LLVMValueRef v_done;  /* slot, i32: all copies of lower numbers are done */
    LLVMValueRef v_last;  /* slot, i32: 1 if this thread's latest copy was a bulk copy, else 0 */
};

static bool
has_async(struct ck_gen *gen)
{
    return ck_nvptx_arch(gen) >= 80;
}

/* Copies of 16 bytes bypass the L1 cache; PTX has no such form for shorter ones. */
bool
ck_nvptx_copy_async(struct ck_gen *gen, LLVMValueRef v_to, LLVMValueRef v_from, unsigned bytes)
{
    if (!has_async(gen))
        return false;
    const char *name = bytes == 16  ? "llvm.nvvm.cp.async.cg.shared.global.16"
                       : bytes == 8 ? "llvm.nvvm.cp.async.ca.shared.global.8"
                                    : "llvm.nvvm.cp.async.ca.shared.global.4";
    LLVMValueRef v_copy = l_intrinsic(gen, name, NULL, (LLVMValueRef[]){v_to, v_from}, 2);
    l_captures_nothing(gen, v_copy, 1);
    l_captures_nothing(gen, v_copy, 2);
    return true;
}

static void
commit_group(struct ck_gen *gen)
{
    if (has_async(gen))
        l_intrinsic(gen, "llvm.nvvm.cp.async.commit.group", NULL, NULL, 0);
}

/* --- The ring ----------------------------------------------------------------------------------
 */

static LLVMValueRef
ring(struct ck_gen *gen)
{
    return ck_nvptx_memory(gen, RING_NAME, LLVMArrayType2(gen->t_i64, RING), 8, SPACE_SHARED);
}

static LLVMValueRef
begun(struct ck_gen *gen)
{
    return l_load(gen, gen->t_i32, ck_nvptx_function(gen)->copies->v_begun, 4, "");
}

/* Begins code of the block's first thread alone. Returns the block for end_first, at which all
 * threads continue. */
static LLVMBasicBlockRef
begin_first(struct ck_gen *gen)
{
    LLVMBasicBlockRef b_first = l_block(gen, "copies.first"), b_all = l_block(gen, "copies.all");
    LLVMBuildCondBr(gen->builder, ck_nvptx_function(gen)->copies->v_first, b_first, b_all);
    l_at(gen, b_first);
    return b_all;
}

static void
end_first(struct ck_gen *gen, LLVMBasicBlockRef b_all)
{
    l_branch(gen, b_all);
    l_at(gen, b_all);
}

/* Texts of the first thread's code. Operands: $0 and $1, the number below which all copies are
 * done, afterwards and before; $2, the number of copies so far; $3, the ring. */
#define REGISTERS ".reg .pred p; .reg .b32 end, i, phase, at; "
/* Waits for all bulk copies whose number is below `end`. */
#define WAIT_BELOW_END                                                                             \
    "mov.u32 $0, $1; "                                                                             \
    "next: setp.ge.s32 p, $0, end; @p bra done; "                                                  \
    "and.b32 i, $0, 3; mad.lo.u32 at, i, 8, $3; bfe.u32 phase, $0, 2, 1; "                         \
    "again: mbarrier.try_wait.parity.shared.b64 p, [at], phase; @!p bra again; "                   \
    "add.u32 $0, $0, 1; bra next; done: "
_Static_assert(RING == 4, "the texts have its bits");

/* Waits, in the first thread, for all bulk copies so far but the last `v_less`. */
static void
wait_for_copies(struct ck_gen *gen, LLVMValueRef v_less)
{
    static const char text[] = "{ " REGISTERS "sub.s32 end, $2, $4; " WAIT_BELOW_END "}";
    LLVMValueRef v_slot = ck_nvptx_function(gen)->copies->v_done;
    LLVMValueRef args[] = {l_load(gen, gen->t_i32, v_slot, 4, ""), begun(gen), ring(gen), v_less};
    LLVMValueRef v_done =
        ck_nvptx_asm(gen, true, text, "=&r,r,r,r,r,~{memory}", gen->t_i32, args, 4);
    l_store(gen, v_done, v_slot, 4);
}

/* --- Copies ------------------------------------------------------------------------------------
 */

void
ck_nvptx_copy_commit(struct ck_gen *gen)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    commit_group(gen);
    gen->func->code.no_bulk_copies |= !copies; /* copies of device functions are not numbered */
    if (copies && copies->in_bulk)
        l_store(gen, l_i32(gen, 0), copies->v_last, 4);
}

void
ck_nvptx_copy_wait(struct ck_gen *gen, unsigned n)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    LLVMValueRef v_n = l_i32(gen, n);
    if (has_async(gen))
        l_intrinsic(gen, "llvm.nvvm.cp.async.wait.group", NULL, &v_n, 1);
    gen->func->code.no_bulk_copies |= !copies;
    if (copies && n > copies->max_prior)
        copies->max_prior = n;
    if (!copies || !copies->in_bulk)
        return;
    LLVMValueRef v_last = l_load(gen, gen->t_i32, copies->v_last, 4, "");
    LLVMBasicBlockRef b_all = begin_first(gen);
    wait_for_copies(gen, n > 0 ? v_last : l_i32(gen, 0));
    end_first(gen, b_all);
}

/* Begins a bulk copy once the previous copy of its mbarrier is done: (done, number of copies so
 * far, ring, to, source, start, bytes of an element, bytes) -> done. All arithmetic is in the text,
 * where no other thread executes it: LLVM's speculative-execution would move it before the branch
 * to the first thread. The source's address is computed before the thread waits. A function of its
 * own, whose `readonly` holds for the source. */
static void
make_bulk_copy(struct ck_gen *gen, LLVMValueRef v_function)
{
    LLVMValueRef args[8];
    LLVMGetParams(v_function, args);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    l_attribute(gen, v_function, 5, "readonly", 0);
    l_attribute(gen, v_function, 5, "captures", 0);
    static const char text[] =
        "{ " REGISTERS
        ".reg .b64 from; sub.s32 end, $2, 3; mad.lo.s64 from, $6, $7, $5; " WAIT_BELOW_END
        "and.b32 i, $2, 3; mad.lo.u32 at, i, 8, $3; "
        "fence.proxy.async.shared::cta; "
        "mbarrier.arrive.expect_tx.shared.b64 _, [at], $8; "
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[$4], [from], $8, [at]; }";
    LLVMBuildRet(gen->builder, ck_nvptx_asm(gen, true, text, "=&r,r,r,r,r,l,l,l,r,~{memory}",
                                            gen->t_i32, args, 8));
}

/* Calls a placeholder (i1), which ck_nvptx_select_bulk_copies replaces by a constant or a
 * condition. */
static LLVMValueRef
call_placeholder(struct ck_gen *gen, const char *name, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    if (!v_function) {
        LLVMTypeRef types[2];
        for (unsigned i = 0; i < n; i++)
            types[i] = LLVMTypeOf(args[i]);
        v_function = l_pure_function(gen, name, gen->t_i1, types, n);
    }
    LLVMTypeRef type = LLVMGlobalGetValueType(v_function);
    return LLVMBuildCall2(gen->builder, type, v_function, args, n, "");
}

static void
begin_bulk_copy(struct ck_gen *gen, const struct ck_bulk_copy *copy)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    LLVMValueRef v_number = begun(gen);
    LLVMBasicBlockRef b_all = begin_first(gen);
    LLVMValueRef args[] = {
        l_load(gen, gen->t_i32, copies->v_done, 4, ""),
        v_number,
        ring(gen),
        copy->v_to,
        copy->v_source,
        copy->v_start,
        l_i64(gen, copy->size),
        copy->v_bytes,
    };
    LLVMValueRef v_done =
        ck_nvptx_call(gen, "ck.copy_in_bulk", make_bulk_copy, gen->t_i32, args, 8);
    l_store(gen, v_done, copies->v_done, 4);
    end_first(gen, b_all);
    l_store(gen, LLVMBuildAdd(gen->builder, v_number, l_i32(gen, 1), ""), copies->v_begun, 4);
    l_store(gen, l_i32(gen, 1), copies->v_last, 4);
}

LLVMValueRef
ck_nvptx_copy_bulk(struct ck_gen *gen, const struct ck_bulk_copy *copy)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    if (copies)
        copies->found = true;
    if (!copies || !copies->in_bulk)
        return LLVMConstInt(gen->t_i1, 0, false);
    LLVMValueRef v_bulk =
        call_placeholder(gen, IS_BULK, (LLVMValueRef[]){copy->v_source, copy->v_bytes}, 2);
    l_captures_nothing(gen, v_bulk, 1);
    LLVMBasicBlockRef b_bulk = l_block(gen, "copy.bulk"), b_done = l_block(gen, "copy.done");
    LLVMBuildCondBr(gen->builder, v_bulk, b_bulk, b_done);
    l_at(gen, b_bulk);
    commit_group(gen); /* wait_prior counts it */
    begin_bulk_copy(gen, copy);
    l_branch(gen, b_done);
    l_at(gen, b_done);
    return v_bulk;
}

/* --- Kernels -----------------------------------------------------------------------------------
 */

void
ck_nvptx_track_copies(struct ck_gen *gen, const struct ck_tfunc *kernel)
{
    if (ck_tfunc_has(kernel, CK_EFFECT_GROUP_COPY) &&
        ck_nvptx_arch(gen) == 90) /* not measured on other architectures */
        ck_nvptx_function(gen)->copies = CK_NEW(&gen->arena, struct ck_copies);
}

LLVMValueRef
ck_nvptx_bulk_copy_condition(struct ck_gen *gen)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    if (!copies || !copies->found || copies->max_prior != 1 || gen->func->code.no_bulk_copies)
        return NULL;
    LLVMValueRef v_threads = ck_nvptx_block_threads(gen);
    return call_placeholder(gen, HAS_BULK, &v_threads, 1);
}

static LLVMValueRef
counter(struct ck_gen *gen, const char *name)
{
    LLVMValueRef v_slot = l_slot(gen, gen->t_i32, name);
    l_store(gen, l_i32(gen, 0), v_slot, 4);
    return v_slot;
}

void
ck_nvptx_begin_bulk_copies(struct ck_gen *gen)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    copies->in_bulk = true;
    copies->v_begun = counter(gen, "copies.begun");
    copies->v_done = counter(gen, "copies.done");
    copies->v_last = counter(gen, "copies.last");
    copies->v_first = ck_nvptx_is_first(gen, CK_THREAD_IDX);
    LLVMBasicBlockRef b_all = begin_first(gen);
    LLVMValueRef v_ring = ring(gen);
    ck_nvptx_asm(gen, true,
                 "mbarrier.init.shared.b64 [$0], 1; mbarrier.init.shared.b64 [$0+8], 1; "
                 "mbarrier.init.shared.b64 [$0+16], 1; mbarrier.init.shared.b64 [$0+24], 1;",
                 "r,~{memory}", gen->t_void, &v_ring, 1);
    end_first(gen, b_all);
}

void
ck_nvptx_end_bulk_copies(struct ck_gen *gen)
{
    LLVMBasicBlockRef b_all = begin_first(gen);
    wait_for_copies(gen, l_i32(gen, 0));
    end_first(gen, b_all);
    ck_nvptx_function(gen)->copies->in_bulk = false;
}

/* --- Answers -----------------------------------------------------------------------------------
 */

/* A placeholder call of that name in the kernel; NULL: there is none left. */
static LLVMValueRef
next_placeholder(struct ck_gen *gen, LLVMValueRef v_kernel, const char *name)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    LLVMUseRef use = v_function ? LLVMGetFirstUse(v_function) : NULL;
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_call = LLVMGetUser(use);
        if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(v_call)) == v_kernel)
            return v_call;
    }
    return NULL;
}

static void
replace_call(LLVMValueRef v_call, LLVMValueRef v_value)
{
    LLVMReplaceAllUsesWith(v_call, v_value);
    LLVMInstructionEraseFromParent(v_call);
}

/* The bytes of the copy of a placeholder, if it is to be a bulk copy, or 0. */
static uint64_t
bulk_bytes(LLVMValueRef v_kernel, LLVMValueRef v_call)
{
    LLVMValueRef v_bytes = LLVMGetOperand(v_call, 1);
    uint64_t bytes = LLVMIsAConstantInt(v_bytes) ? LLVMConstIntGetZExtValue(v_bytes) : 0;
    return bytes >= MIN_BYTES && ck_gen_is_never_written(v_kernel, LLVMGetOperand(v_call, 0))
               ? bytes
               : 0;
}

/* The condition on the number of threads for the version with bulk copies: full warps, and the
 * bytes of a thread within limits, for the shortest and for the longest copy. */
static LLVMValueRef
bulk_condition(struct ck_gen *gen, LLVMValueRef v_call, uint64_t shortest, uint64_t longest)
{
    LLVMBuilderRef b = gen->builder;
    LLVMPositionBuilderBefore(b, v_call);
    LLVMValueRef v_threads = LLVMGetOperand(v_call, 0);
    LLVMValueRef v_max = l_i32(gen, (uint32_t)(shortest / MIN_THREAD_BYTES));
    LLVMValueRef v_min =
        l_i32(gen, (uint32_t)((longest + MAX_THREAD_BYTES - 1) / MAX_THREAD_BYTES));
    LLVMValueRef v_rest = LLVMBuildAnd(b, v_threads, l_i32(gen, CK_WARP_SIZE - 1), "");
    LLVMValueRef v_in_limits = LLVMBuildAnd(b, l_compare(gen, LLVMIntULE, v_threads, v_max),
                                            l_compare(gen, LLVMIntUGE, v_threads, v_min), "");
    return LLVMBuildAnd(b, v_in_limits, l_compare(gen, LLVMIntEQ, v_rest, l_i32(gen, 0)), "");
}

static void
select_in_kernel(struct ck_gen *gen, struct ck_func_info *info, LLVMValueRef v_kernel)
{
    LLVMValueRef v_call = next_placeholder(gen, v_kernel, HAS_BULK);
    if (!v_call)
        return;
    uint64_t shortest = UINT64_MAX, longest = 0;
    const bool fits =
        info->read_only && ck_gen_shared_bytes(gen, info) + RING_BYTES <= CK_STATIC_SHARED_BYTES;
    if (fits)
        ck_nvptx_fold_constants_of(gen, v_kernel);
    for (LLVMValueRef v; (v = next_placeholder(gen, v_kernel, IS_BULK)) != NULL;) {
        const uint64_t bytes = fits ? bulk_bytes(v_kernel, v) : 0;
        replace_call(v, LLVMConstInt(gen->t_i1, bytes > 0, false));
        if (bytes > longest)
            longest = bytes;
        if (bytes > 0 && bytes < shortest)
            shortest = bytes;
    }
    replace_call(v_call, longest > 0 ? bulk_condition(gen, v_call, shortest, longest)
                                     : LLVMConstInt(gen->t_i1, 0, false));
    info->bulk_copy_bytes = longest > 0 ? RING_BYTES : 0;
    ck_nvptx_module(gen)->has_bulk_copies |= longest > 0;
}

void
ck_nvptx_select_bulk_copies(struct ck_gen *gen)
{
    static const char *const placeholders[] = {IS_BULK, HAS_BULK};
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_args)
            select_in_kernel(gen, &gen->funcs[i], gen->funcs[i].v_args);
        if (gen->funcs[i].v_small)
            select_in_kernel(gen, &gen->funcs[i], gen->funcs[i].v_small);
    }
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++) {
        LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, placeholders[i]);
        if (v_function)
            LLVMDeleteFunction(v_function);
    }
    if (ck_nvptx_module(gen)->has_bulk_copies) /* they need a later PTX version */
        ck_gen_renew_machine(gen);
}
