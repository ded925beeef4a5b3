/* The grid barrier on NVIDIA GPUs: docs/adr/012.
 *
 * Between two block barriers, the block's first thread adds the block's arrival to a word, and its
 * first warp waits for the last block. In a small grid all blocks arrive at one word: the one of
 * CUDA's own protocol, in the workspace that the driver provides to a cooperative launch. A large
 * grid has a barrier of two levels, in memory of the module: blocks arrive at their group's word,
 * and groups at the copies of a common word.
 *
 * All words work in the same way. The first participant by number adds 2^31 less the number of the
 * others, and each other adds 1. So the last arrival flips the top bit, and the other bits are as
 * before.
 *
 * The barrier is inline PTX, because LLVM 22 ignores the ordering of an atomicrmw on this target,
 * and because LLVM has nothing to optimise in it. */
#include "codegen/nvptx/nvptx.h"

/* ONE_WORD is the largest grid whose blocks arrive at one word. Loads of the word by waiting blocks
 * delay the atomics of arriving ones, so waiting blocks back off. A block that finds more than
 * AT_ONCE arrivals missing sleeps 1 ns for each further one. In a grid of more than AT_ONCE blocks,
 * a block sleeps 1 ns for each 2^LOOK_SHIFT blocks between two loads. In a grid of at most FEW
 * blocks, a block loads the word without waiting for the result of its own atomic. Measured on an
 * H200. */
#define ONE_WORD   "1200"
#define AT_ONCE    "128"
#define FEW        "32"
#define LOOK_SHIFT "4"

/* An entry of the module's memory consists of lines of 128 bytes: one with the key of the launch
 * that owns the entry, or 0, and the number of blocks that have left; one for each copy of the word
 * at which blocks wait; one for each group of 64 blocks. No device holds MAX_BLOCKS blocks. */
enum { LINE = 128, COPIES = 32, GROUPS = 128, N_BUCKETS = 16, MAX_ONE_WORD = 1200 /* ONE_WORD */ };
enum { ENTRY_BYTES = LINE * (1 + COPIES + GROUPS) };
#define MAX_BLOCKS   "64*128"
#define BUCKET_MASK  "16-1"
#define BUCKET_BYTES "128*(1+32+128)"
#define LEFT         "8"
#define FIRST_COPY   "128"
#define FIRST_GROUP  "128*(1+32)"
#define N_WORDS      "32+128"

/* --- Fragments ---------------------------------------------------------------------------------
 * Registers: `rank` is the thread's rank in the block; `n` the number of blocks; `block` the index
 * of this one; `add` its addend; `work` the workspace; `old` a word before the block's arrival,
 * `now` the word afterwards. Values that do not change between barriers are operands, which LLVM
 * hoists out of loops: that saves a tenth of the barrier's time or more.
 */

#define REGISTERS                                                                                  \
    "{ .reg .pred p, q, far; .reg .b64 work, entry, at;\n"                                         \
    "  .reg .b32 rank, n, add, block, old, now, left, flag, t, u;\n"

#define BLOCKS                                                                                     \
    "mov.u32 n, %nctaid.x;\n"                                                                      \
    "mov.u32 t, %nctaid.y; mul.lo.u32 n, n, t;\n"                                                  \
    "mov.u32 t, %nctaid.z; mul.lo.u32 n, n, t;\n"

#define WORKSPACE "mov.u32 t, %envreg2; mov.u32 u, %envreg1; mov.b64 work, {t, u};\n"

#define BLOCK_BARRIER "bar.sync 0;\n"

#define FIRST_WARP "setp.gt.u32 p, rank, 31; @p bra done;\n"

#define BLOCK                                                                                      \
    "mov.u32 block, %ctaid.z;\n"                                                                   \
    "mov.u32 t, %nctaid.y; mov.u32 u, %ctaid.y; mad.lo.u32 block, block, t, u;\n"                  \
    "mov.u32 t, %nctaid.x; mov.u32 u, %ctaid.x; mad.lo.u32 block, block, t, u;\n"

/* A launch that is not cooperative has no workspace. */
#define CHECK_WORKSPACE "setp.eq.u64 p, work, 0; @p trap;\n"

/* The addend of the first of t participants; if p, of the others. */
#define ADDEND "sub.u32 add, 0x80000001, t; selp.b32 add, 1, add, p;\n"

/* Executed by the first thread, after FIRST_THREAD; `old` is 0 in the others. The assembler must
 * see that it is a single thread: otherwise it emits code that first reduces over the warp. */
#define FIRST_THREAD "mov.b32 old, 0; setp.ne.u32 p, rank, 0; @p bra counted;\n"
#define ARRIVE       "atom.add.release.gpu.global.u32 old, [work+4], add;\ncounted:\n"

/* Broadcasts `old` to the first warp. */
#define BROADCAST_OLD "shfl.sync.idx.b32 old, old, 0, 31, -1;\n"

/* p, in the first warp: whether the top bits of the first thread's `now` and `old` differ. */
#define HAS_FLIPPED                                                                                \
    "xor.b32 now, now, old; setp.lt.s32 p, now, 0; setp.eq.and.u32 p, rank, 0, p;\n"               \
    "vote.sync.any.pred p, p, -1;\n"

/* Sleeps if many arrivals are missing. Their number is the smaller of two: one if the first block
 * has arrived, the other if not. The bound by n holds even if the word is not of this protocol. */
#define SLEEP                                                                                      \
    "and.b32 t, old, 0x7fffffff; sub.u32 left, n, t; sub.u32 t, 0x80000000, t;\n"                  \
    "min.u32 left, left, t; min.u32 left, left, n;\n"                                              \
    "setp.le.u32 p, left, " AT_ONCE "; @p bra look;\n"                                             \
    "sub.u32 left, left, " AT_ONCE "; nanosleep.u32 left;\n"

/* In a grid of few blocks, loads the word without waiting for the result of the block's own atomic.
 */
#define LOOK_AT_ONCE                                                                               \
    "setp.gt.u32 p, n, " FEW "; @p bra many_blocks;\n"                                             \
    "few: ld.acquire.gpu.global.u32 now, [work+4];\n" HAS_FLIPPED "@p bra done; bra few;\n"        \
    "many_blocks:\n"

#define LOOK                                                                                       \
    "look:\n"                                                                                      \
    "  ld.acquire.gpu.global.u32 now, [work+4];\n"                                                 \
    "  xor.b32 now, now, old; setp.lt.s32 p, now, 0; @p bra done;\n"                               \
    "  setp.le.u32 p, n, " AT_ONCE "; @p bra look;\n"                                              \
    "  shr.u32 t, n, " LOOK_SHIFT "; nanosleep.u32 t; bra look;\n"

/* Advances `entry` from the first entry to the launch's. Workspaces are at least 64 bytes apart. */
#define ENTRY                                                                                      \
    "shr.u64 at, work, 6; cvt.u32.u64 t, at; shr.u64 at, work, 10; cvt.u32.u64 u, at;\n"           \
    "xor.b32 t, t, u; and.b32 t, t, " BUCKET_MASK "; mad.wide.u32 entry, t, " BUCKET_BYTES         \
    ", entry;\n"

/* Executed by the first thread at a launch's first barrier, which `flag` records. The first block
 * claims the entry; the others wait until the launch owns it. */
#define CLAIM                                                                                      \
    "ld.shared.u32 t, [flag]; setp.ne.u32 p, t, 0; @p bra claimed;\n"                              \
    "mov.b32 t, 1; st.shared.u32 [flag], t; setp.eq.u32 q, add, 1;\n"                              \
    "claim:\n"                                                                                     \
    "  @q ld.acquire.gpu.global.u64 at, [entry]; @q setp.eq.u64 p, at, work;\n"                    \
    "  @!q atom.acquire.gpu.global.cas.b64 at, [entry], 0, work; @!q setp.eq.u64 p, at, 0;\n"      \
    "  @p bra claimed; nanosleep.u32 64; bra claim;\n"                                             \
    "claimed:\n"

/* Executed by the first thread. Afterwards `add` is the group's addend. */
#define ARRIVE_AT_GROUP                                                                            \
    BLOCK "shr.u32 u, block, 6; mad.wide.u32 at, u, 128, entry; shl.b32 u, u, 6;\n"                \
          "setp.ne.u32 p, u, block; sub.u32 t, n, u; min.u32 t, t, 64;\n" ADDEND                   \
          "atom.add.acq_rel.gpu.global.u32 old, [at+" FIRST_GROUP "], add;\n"                      \
          "add.u32 now, old, add; add.u32 t, n, 63; shr.u32 t, t, 6; setp.gt.u32 p, block, "       \
          "63;\n" ADDEND

/* Executed by the first warp of the block that arrives last in its group: adds to all copies of the
 * common word. The block may have fewer threads than there are copies. */
#define ARRIVE_WITH_GROUP                                                                          \
    HAS_FLIPPED "@!p bra wait; bar.warp.sync -1; shfl.sync.idx.b32 add, add, 0, 31, -1;\n"         \
                "mov.u32 t, %ntid.x; mov.u32 u, %ntid.y; mul.lo.u32 t, t, u;\n"                    \
                "mov.u32 u, %ntid.z; mul.lo.u32 t, t, u; min.u32 t, t, 32; mov.u32 u, rank;\n"     \
                "copy: mad.wide.u32 at, u, 128, entry;\n"                                          \
                "  red.add.release.gpu.global.u32 [at+" FIRST_COPY "], add;\n"                     \
                "  add.u32 u, u, t; setp.lt.u32 p, u, 32; @p bra copy;\n"

/* Waits until a copy's top bit differs from the group's old one; all words of an entry flip at each
 * barrier. Blocks on different multiprocessors load different copies. */
#define WAIT_FOR_COPY                                                                              \
    "wait:\n" BROADCAST_OLD                                                                        \
    "  mov.u32 t, %smid; and.b32 t, t, 31; mad.wide.u32 at, t, 128, entry;\n"                      \
    "again:\n"                                                                                     \
    "  ld.acquire.gpu.global.u32 now, [at+" FIRST_COPY "];\n"                                      \
    "  xor.b32 now, now, old; setp.ge.s32 p, now, 0; @p bra again; bra done;\n"

/* --- PTX texts ---------------------------------------------------------------------------------
 */

/* $0: the rank. $1: the block's addend. $2: the module's memory. $3: `flag` in the block's shared
 * memory: whether the launch owns an entry. $4: the workspace. $5: the number of blocks if they
 * arrive at one word and there is a workspace, else 0. */
static const char sync_text[] = /**/
    REGISTERS
    "mov.u32 rank, $0; mov.u32 add, $1; mov.b64 work, $4; mov.u32 n, $5;\n"
    "setp.eq.u32 far, n, 0;\n" BLOCK_BARRIER
    "@far bra many;\n" FIRST_THREAD ARRIVE FIRST_WARP LOOK_AT_ONCE BROADCAST_OLD SLEEP LOOK
    "many:\n" FIRST_WARP CHECK_WORKSPACE BLOCKS "setp.gt.u32 p, n, " MAX_BLOCKS
    "; @p trap; mov.u64 entry, $2;\n" ENTRY
    "mov.b32 old, 0; mov.b32 now, 0; setp.ne.u32 p, rank, 0; @p bra in_group;\n"
    "mov.b32 flag, $3;\n" CLAIM ARRIVE_AT_GROUP "in_group:\n" ARRIVE_WITH_GROUP WAIT_FOR_COPY
    "done: }";

/* $1, $2, $3: $0, $1, $4 of sync_text. $0: the word before the arrival in the first thread, 0 in
 * others. */
static const char arrive_text[] = /**/
    REGISTERS "mov.u32 rank, $1; mov.u32 add, $2; mov.b64 work, $3;\n" BLOCK_BARRIER FIRST_THREAD
        CHECK_WORKSPACE ARRIVE "mov.b32 $0, old; }";

/* $0: the rank. $1: the result of arrive_text. */
static const char wait_text[] = /**/
    REGISTERS "mov.u32 rank, $0; mov.b32 old, $1;\n" FIRST_WARP BLOCKS WORKSPACE BROADCAST_OLD LOOK
              "done: }";

/* $1, $2, $3: $0, $1, $4 of sync_text. $0: the word before the arrival in the first warp, 0 in
 * others. */
static const char arrive_and_wait_text[] = /**/
    REGISTERS "mov.u32 rank, $1; mov.u32 add, $2; mov.b64 work, $3;\n" BLOCK_BARRIER FIRST_THREAD
        CHECK_WORKSPACE ARRIVE FIRST_WARP BLOCKS BROADCAST_OLD SLEEP LOOK
              "done: mov.b32 $0, old; }";

/* $0: the rank. $1: `flag`. */
static const char begin_text[] = /**/
    "{ .reg .pred p; .reg .b32 t; setp.eq.u32 p, $0, 0; mov.b32 t, 0; @p st.shared.u32 [$1], t; }";

/* The last block to leave clears the entry's words and releases it. */
#define RELEASE_ENTRY                                                                              \
    "sub.u32 t, n, 1; atom.inc.acq_rel.gpu.global.u32 old, [entry+" LEFT "], t;\n"                 \
    "setp.ne.u32 p, old, t; @p bra done; mov.b32 now, 0; mov.b32 u, 0; mov.u64 at, entry;\n"       \
    "clear:\n"                                                                                     \
    "  st.relaxed.gpu.global.u32 [at+" FIRST_COPY "], now; add.u64 at, at, 128;\n"                 \
    "  add.u32 u, u, 1; setp.lt.u32 p, u, " N_WORDS "; @p bra clear;\n"                            \
    "mov.b64 at, 0; st.release.gpu.global.u64 [entry], at;\n"

/* $0: the rank. $1, $2: $2, $3 of sync_text. */
static const char end_text[] = /**/
    REGISTERS BLOCKS "setp.le.u32 p, n, " ONE_WORD "; @p bra done;\n"
                     "setp.ne.u32 p, $0, 0; @p bra done;\n"
                     "ld.shared.u32 t, [$2]; setp.eq.u32 p, t, 0; @p bra done; "
                     "mov.u64 entry, $1;\n" WORKSPACE ENTRY RELEASE_ENTRY "done: }";

/* --- Operations --------------------------------------------------------------------------------
 */

static LLVMValueRef
entries(struct ck_gen *gen)
{
    LLVMTypeRef type = LLVMArrayType2(gen->t_i8, N_BUCKETS * ENTRY_BYTES);
    return ck_nvptx_memory(gen, "ck.grid_barriers", type, LINE, SPACE_GLOBAL);
}

static LLVMValueRef
flag(struct ck_gen *gen)
{
    LLVMTypeRef type = LLVMArrayType2(gen->t_i8, CK_NVPTX_GRID_BYTES);
    return ck_nvptx_memory(gen, "shared$grid", type, CK_NVPTX_GRID_BYTES, SPACE_SHARED);
}

/* The block's addend where all blocks arrive at one word. */
static LLVMValueRef
addend(struct ck_gen *gen)
{
    LLVMValueRef v_blocks = ck_nvptx_count_blocks(gen);
    LLVMValueRef v_rest = LLVMBuildSub(gen->builder, l_i32(gen, 0x80000001u), v_blocks, "");
    return l_select(gen, ck_nvptx_is_first(gen, CK_BLOCK_IDX), v_rest, l_i32(gen, 1));
}

void
ck_nvptx_grid_sync(struct ck_gen *gen)
{
    LLVMValueRef v_workspace = ck_nvptx_workspace(gen), v_blocks = ck_nvptx_count_blocks(gen);
    LLVMValueRef v_one_word =
        LLVMBuildAnd(gen->builder, l_compare(gen, LLVMIntNE, v_workspace, l_i64(gen, 0)),
                     l_compare(gen, LLVMIntULE, v_blocks, l_i32(gen, MAX_ONE_WORD)), "");
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen),
                           addend(gen),
                           entries(gen),
                           flag(gen),
                           v_workspace,
                           l_select(gen, v_one_word, v_blocks, l_i32(gen, 0))};
    ck_nvptx_convergent_asm(gen, sync_text, "r,r,l,r,l,r,~{memory}", gen->t_void, args, 6);
    ck_nvptx_block_barrier(gen);
}

/* Arrives by a text that returns the word before the arrival. */
static LLVMValueRef
arrive_by(struct ck_gen *gen, const char *text)
{
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen), addend(gen), ck_nvptx_workspace(gen)};
    return ck_nvptx_convergent_asm(gen, text, "=r,r,r,l,~{memory}", gen->t_i32, args, 3);
}

LLVMValueRef
ck_nvptx_grid_arrive(struct ck_gen *gen)
{
    return arrive_by(gen, arrive_text);
}

void
ck_nvptx_grid_wait(struct ck_gen *gen, LLVMValueRef v_before)
{
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen), v_before};
    ck_nvptx_convergent_asm(gen, wait_text, "r,r,~{memory}", gen->t_void, args, 2);
    ck_nvptx_block_barrier(gen);
}

LLVMValueRef
ck_nvptx_grid_arrive_and_wait(struct ck_gen *gen)
{
    return arrive_by(gen, arrive_and_wait_text);
}

void
ck_nvptx_grid_begin(struct ck_gen *gen)
{
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen), flag(gen)};
    ck_nvptx_convergent_asm(gen, begin_text, "r,r,~{memory}", gen->t_void, args, 2);
}

void
ck_nvptx_grid_end(struct ck_gen *gen)
{
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen), entries(gen), flag(gen)};
    ck_nvptx_convergent_asm(gen, end_text, "r,l,r,~{memory}", gen->t_void, args, 3);
}
