/* Asynchronous copies from global to shared memory on NVIDIA GPUs: cp.async, of compute capability
 * 8.0 and above, and on 9.0, where they are faster, bulk copies (docs/adr/018).
 *
 * A bulk copy is begun by one thread, the block's first, and made by the copy engine, which tells
 * an mbarrier in shared memory when it is done. That thread alone waits for it: the others wait for
 * the thread, at the barrier that `wait` ends with. Bulk copies are numbered: number i belongs to
 * mbarrier i % RING, whose phases they end one after the other. The engine writes to shared memory
 * after the block has ended, so its first thread waits for what is left.
 *
 * The engine does not see what the kernel has stored in global memory without a fence, which costs
 * more than it wins: bulk copies are of arrays that nobody writes. That, and lengths, are known
 * only when all the kernel's code is there; until then calls stand for the answers. What they
 * depend on beside is the number of threads: the code of a kernel that has bulk copies is there
 * twice. */
#include "codegen/nvptx/copy.h"

#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/passes.h"

enum {
    RING = 4,
    RING_BYTES = RING * 8,
    MOST_STATIC = 48 << 10, /* of shared memory */
};

/* Bytes of copies that are faster in bulk on an H200, with one other under way: the second and the
 * third for each thread of the block. */
enum { LEAST = 8192, LEAST_OF_THREAD = 32, MOST_OF_THREAD = 64 };

#define RING_NAME "shared$copies"
#define IS_BULK   "ck.is_bulk"  /* (source, bytes) */
#define HAS_BULK  "ck.has_bulk" /* (the block's threads) */

/* What a kernel knows of its copies while its code is made. */
struct ck_copies {
    bool found;           /* some could be in bulk */
    unsigned most_prior;  /* copies that a wait leaves under way */
    bool in_bulk;         /* this code is that with bulk copies, which has: */
    LLVMValueRef v_first; /* i1: whether this is the block's first thread */
    LLVMValueRef v_begun; /* slot, i32: how many bulk copies there are */
    LLVMValueRef v_done;  /* slot, i32: how many of them, from the first, are done */
    LLVMValueRef v_last;  /* slot, i32: 1 if this thread's latest copy was in bulk, else 0 */
};

static bool
has_async(struct ck_gen *gen)
{
    return ck_nvptx_arch(gen) >= 80;
}

/* Those of 16 bytes leave the first cache aside, which others cannot. */
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

/* The mbarrier of a copy's number. */
static LLVMValueRef
ring_at(struct ck_gen *gen, LLVMValueRef v_number)
{
    LLVMTypeRef type = LLVMArrayType2(gen->t_i64, RING);
    LLVMValueRef v_ring = ck_nvptx_memory(gen, RING_NAME, type, 8, SPACE_SHARED);
    LLVMValueRef v_index = LLVMBuildAnd(gen->builder, v_number, l_i32(gen, RING - 1), "");
    LLVMValueRef indices[] = {l_i32(gen, 0), v_index};
    return LLVMBuildInBoundsGEP2(gen->builder, type, v_ring, indices, 2, "");
}

static LLVMValueRef
begun(struct ck_gen *gen)
{
    return l_load(gen, gen->t_i32, ck_nvptx_function(gen)->copies->v_begun, 4, "");
}

/* Goes on in the block's first thread alone; gives where all go on. */
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

/* Waits, in the first thread, for all bulk copies whose number is below `v_end`. */
static void
wait_below(struct ck_gen *gen, LLVMValueRef v_end)
{
    static const char text[] =
        "{ .reg .pred p; .reg .b32 i, phase; .reg .b64 at; mov.u32 $0, $1; "
        "next: setp.ge.s32 p, $0, $2; @p bra done; "
        "and.b32 i, $0, 3; mad.wide.u32 at, i, 8, $3; bfe.u32 phase, $0, 2, 1; "
        "again: mbarrier.try_wait.parity.shared.b64 p, [at], phase; @!p bra again; "
        "add.u32 $0, $0, 1; bra next; done: }";
    _Static_assert(RING == 4, "the text has its bits");
    LLVMValueRef v_slot = ck_nvptx_function(gen)->copies->v_done;
    LLVMValueRef args[] = {l_load(gen, gen->t_i32, v_slot, 4, ""), v_end,
                           ring_at(gen, l_i32(gen, 0))};
    LLVMValueRef v_done = ck_nvptx_asm(gen, true, text, "=&r,r,r,l,~{memory}", gen->t_i32, args, 3);
    l_store(gen, v_done, v_slot, 4);
}

/* --- Copies ------------------------------------------------------------------------------------
 */

void
ck_nvptx_copy_commit(struct ck_gen *gen)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    commit_group(gen);
    gen->func->code.no_bulk_copies |= !copies; /* a device function's are not counted */
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
    if (copies && n > copies->most_prior)
        copies->most_prior = n;
    if (!copies || !copies->in_bulk)
        return;
    LLVMValueRef v_end = begun(gen), v_last = l_load(gen, gen->t_i32, copies->v_last, 4, "");
    LLVMBasicBlockRef b_all = begin_first(gen);
    wait_below(gen, n > 0 ? LLVMBuildSub(gen->builder, v_end, v_last, "") : v_end);
    end_first(gen, b_all);
}

/* (to, from, bytes, mbarrier). Apart, so that it can say that it only reads what it copies. */
static void
make_bulk_copy(struct ck_gen *gen, LLVMValueRef v_function)
{
    LLVMValueRef args[4];
    LLVMGetParams(v_function, args);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    l_attribute(gen, v_function, 2, "readonly", 0);
    l_attribute(gen, v_function, 2, "captures", 0);
    ck_nvptx_asm(gen, true,
                 "fence.proxy.async.shared::cta; "
                 "mbarrier.arrive.expect_tx.shared.b64 _, [$3], $2; "
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[$0], [$1], $2, [$3];",
                 "l,l,r,l,~{memory}", gen->t_void, args, 4);
    LLVMBuildRetVoid(gen->builder);
}

/* What stands for an answer until ck_nvptx_select_bulk_copies. */
static LLVMValueRef
ask(struct ck_gen *gen, const char *name, LLVMValueRef *args, unsigned n)
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

/* By the first thread, once the mbarrier's last copy is done. */
static void
begin_bulk_copy(struct ck_gen *gen, const struct ck_bulk_copy *copy)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    LLVMValueRef v_number = begun(gen), v_offset = copy->v_offset;
    LLVMBasicBlockRef b_all = begin_first(gen);
    wait_below(gen, LLVMBuildSub(gen->builder, v_number, l_i32(gen, RING - 1), ""));
    LLVMValueRef args[] = {
        copy->v_to,
        LLVMBuildGEP2(gen->builder, gen->t_i8, copy->v_source, &v_offset, 1, ""),
        copy->v_bytes,
        ring_at(gen, v_number),
    };
    ck_nvptx_call(gen, "ck.copy_in_bulk", make_bulk_copy, gen->t_void, args, 4);
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
    LLVMValueRef v_bulk = ask(gen, IS_BULK, (LLVMValueRef[]){copy->v_source, copy->v_bytes}, 2);
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
        ck_nvptx_arch(gen) == 90) /* others have not been measured */
        ck_nvptx_function(gen)->copies = CK_NEW(&gen->arena, struct ck_copies);
}

LLVMValueRef
ck_nvptx_bulk_copy_condition(struct ck_gen *gen)
{
    struct ck_copies *copies = ck_nvptx_function(gen)->copies;
    if (!copies || !copies->found || copies->most_prior != 1 || gen->func->code.no_bulk_copies)
        return NULL;
    LLVMValueRef v_threads = ck_nvptx_block_threads(gen);
    return ask(gen, HAS_BULK, &v_threads, 1);
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
    for (uint32_t i = 0; i < RING; i++) {
        LLVMValueRef v_barrier = ring_at(gen, l_i32(gen, i));
        ck_nvptx_asm(gen, true, "mbarrier.init.shared.b64 [$0], 1;", "l,~{memory}", gen->t_void,
                     &v_barrier, 1);
    }
    end_first(gen, b_all);
}

void
ck_nvptx_end_bulk_copies(struct ck_gen *gen)
{
    LLVMBasicBlockRef b_all = begin_first(gen);
    wait_below(gen, begun(gen));
    end_first(gen, b_all);
    ck_nvptx_function(gen)->copies->in_bulk = false;
}

/* --- Answers -----------------------------------------------------------------------------------
 */

/* A question of that name that the kernel asks, or NULL: there is none left. */
static LLVMValueRef
next_question(struct ck_gen *gen, LLVMValueRef v_kernel, const char *name)
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
answer(LLVMValueRef v_call, LLVMValueRef v_answer)
{
    LLVMReplaceAllUsesWith(v_call, v_answer);
    LLVMInstructionEraseFromParent(v_call);
}

/* The bytes of the copy that is asked about, if it may be in bulk, or 0. */
static uint64_t
bulk_bytes(LLVMValueRef v_kernel, LLVMValueRef v_call)
{
    LLVMValueRef v_bytes = LLVMGetOperand(v_call, 1);
    uint64_t bytes = LLVMIsAConstantInt(v_bytes) ? LLVMConstIntGetZExtValue(v_bytes) : 0;
    return bytes >= LEAST && ck_gen_is_never_written(v_kernel, LLVMGetOperand(v_call, 0)) ? bytes
                                                                                          : 0;
}

/* Whether blocks of whole warps, and of so many threads, have the kernel's bulk copies, of which
 * the shortest and the longest are given. */
static LLVMValueRef
suits(struct ck_gen *gen, LLVMValueRef v_call, uint64_t shortest, uint64_t longest)
{
    LLVMBuilderRef b = gen->builder;
    LLVMPositionBuilderBefore(b, v_call);
    LLVMValueRef v_threads = LLVMGetOperand(v_call, 0);
    LLVMValueRef v_most = l_i32(gen, (uint32_t)(shortest / LEAST_OF_THREAD));
    LLVMValueRef v_least = l_i32(gen, (uint32_t)((longest + MOST_OF_THREAD - 1) / MOST_OF_THREAD));
    LLVMValueRef v_rest = LLVMBuildAnd(b, v_threads, l_i32(gen, 31), "");
    LLVMValueRef v_suits = LLVMBuildAnd(b, l_compare(gen, LLVMIntULE, v_threads, v_most),
                                        l_compare(gen, LLVMIntUGE, v_threads, v_least), "");
    return LLVMBuildAnd(b, v_suits, l_compare(gen, LLVMIntEQ, v_rest, l_i32(gen, 0)), "");
}

static void
settle_kernel(struct ck_gen *gen, struct ck_func_info *info)
{
    LLVMValueRef v_kernel = info->v_args, v_call = next_question(gen, v_kernel, HAS_BULK);
    if (!v_call)
        return;
    uint64_t shortest = UINT64_MAX, longest = 0;
    const bool may = info->read_only && ck_gen_shared_bytes(gen, info) + RING_BYTES <= MOST_STATIC;
    if (may)
        ck_nvptx_fold_constants_of(gen, v_kernel);
    for (LLVMValueRef v; (v = next_question(gen, v_kernel, IS_BULK)) != NULL;) {
        const uint64_t bytes = may ? bulk_bytes(v_kernel, v) : 0;
        answer(v, LLVMConstInt(gen->t_i1, bytes > 0, false));
        if (bytes > longest)
            longest = bytes;
        if (bytes > 0 && bytes < shortest)
            shortest = bytes;
    }
    answer(v_call,
           longest > 0 ? suits(gen, v_call, shortest, longest) : LLVMConstInt(gen->t_i1, 0, false));
    info->bulk_copy_bytes = longest > 0 ? RING_BYTES : 0;
    ck_nvptx_module(gen)->has_bulk_copies |= longest > 0;
}

void
ck_nvptx_select_bulk_copies(struct ck_gen *gen)
{
    static const char *const questions[] = {IS_BULK, HAS_BULK};
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_args)
            settle_kernel(gen, &gen->funcs[i]);
    }
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, questions[i]);
        if (v_function)
            LLVMDeleteFunction(v_function);
    }
    if (ck_nvptx_module(gen)->has_bulk_copies) /* they need a later PTX */
        ck_gen_renew_machine(gen);
}
