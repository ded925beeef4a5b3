/* The barrier of the grid on NVIDIA GPUs: docs/adr/012.
 *
 * Between two barriers of the block, the block's first thread counts the block in and its first
 * warp waits for the last block. Few blocks meet at one word: that of CUDA's own protocol, in the
 * workspace that the driver gives to a cooperative launch. Many meet in two levels, in memory of
 * the module. Every word works alike: who is first in number adds what makes the sum of one time
 * around 2^31, and the others add 1, so that the last one flips the top bit and leaves the rest as
 * it was.
 *
 * This is PTX since LLVM 22 drops the ordering of an atomicrmw on this target, and since nothing
 * here is for LLVM to improve. */
#include "codegen/nvptx/nvptx.h"

/* The most blocks that meet at one word. Those who look at it hold up those who count: a block
 * which sees that more than AT_ONCE are still to come sleeps for a nanosecond for each of the rest,
 * and in a grid of more than that, a nanosecond for each 2^LOOK_SHIFT between two looks. Where
 * there are FEW, a block looks before it sees how many there are. Measured on an H200. */
#define ONE_WORD   "1200"
#define AT_ONCE    "128"
#define FEW        "32"
#define LOOK_SHIFT "4"

/* An entry of the module's memory is lines of 128 bytes: one for the key of the launch that has the
 * entry, or 0, and the number of blocks that have left; one for each copy of the word that all wait
 * for; one for each group of 64 blocks. A device does not hold as many as have a group. */
enum { LINE = 128, COPIES = 32, GROUPS = 128, PLACES = 16, MOST_NEAR = 1200 /* ONE_WORD */ };
enum { ENTRY_BYTES = LINE * (1 + COPIES + GROUPS) };
#define MAX_BLOCKS  "64*128"
#define PLACE_MASK  "16-1"
#define PLACE_BYTES "128*(1+32+128)"
#define LEFT        "8"
#define FIRST_COPY  "128"
#define FIRST_GROUP "128*(1+32)"
#define N_WORDS     "32+128"

/* --- Pieces ------------------------------------------------------------------------------------
 * `rank` is the thread's in the block; `n` how many blocks there are; `block` the number of this
 * one; `add` what it adds where it counts in; `work` the workspace; `old` a word before it counted
 * in, and `now` after that. What a barrier that is met often should not compute each time is LLVM's
 * to move out of loops, which takes a tenth of the barrier's time away, and more.
 */

#define REGISTERS                                                                                  \
    "{ .reg .pred p, q, far; .reg .b64 work, entry, flag, at;\n"                                   \
    "  .reg .b32 rank, n, add, block, old, now, left, t, u;\n"

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

/* A launch that is not cooperative has none. */
#define CHECK_WORKSPACE "setp.eq.u64 p, work, 0; @p trap;\n"

/* What the first of t that meet adds, or others where p. */
#define ADDEND "sub.u32 add, 0x80000001, t; selp.b32 add, 1, add, p;\n"

/* By the first thread, with FIRST_THREAD before it; `old` of the others is 0. The assembler must
 * see that it is one thread: it has a whole warp add up first otherwise. */
#define FIRST_THREAD "mov.b32 old, 0; setp.ne.u32 p, rank, 0; @p bra counted;\n"
#define COUNT_IN     "atom.add.release.gpu.global.u32 old, [work+4], add;\ncounted:\n"

/* To all threads of the first warp. */
#define TELL_OLD "shfl.sync.idx.b32 old, old, 0, 31, -1;\n"

/* p in the first warp: whether the first thread has `now` flipped since `old`. */
#define HAS_FLIPPED                                                                                \
    "xor.b32 now, now, old; setp.lt.s32 p, now, 0; setp.eq.and.u32 p, rank, 0, p;\n"               \
    "vote.sync.any.pred p, p, -1;\n"

/* How many are still to come is one where the first block has counted in, the other where it has
 * not: the smaller. If the word were none of this protocol's, both might be anything. */
#define SLEEP                                                                                      \
    "and.b32 t, old, 0x7fffffff; sub.u32 left, n, t; sub.u32 t, 0x80000000, t;\n"                  \
    "min.u32 left, left, t; min.u32 left, left, n;\n"                                              \
    "setp.le.u32 p, left, " AT_ONCE "; @p bra look;\n"                                             \
    "sub.u32 left, left, " AT_ONCE "; nanosleep.u32 left;\n"

/* Of few blocks the last need not wait for what it added to come back. */
#define LOOK_AT_ONCE                                                                               \
    "setp.gt.u32 p, n, " FEW "; @p bra tell;\n"                                                    \
    "few: ld.acquire.gpu.global.u32 now, [work+4];\n" HAS_FLIPPED "@p bra done; bra few;\n"        \
    "tell:\n"

#define LOOK                                                                                       \
    "look:\n"                                                                                      \
    "  ld.acquire.gpu.global.u32 now, [work+4];\n"                                                 \
    "  xor.b32 now, now, old; setp.lt.s32 p, now, 0; @p bra done;\n"                               \
    "  setp.le.u32 p, n, " AT_ONCE "; @p bra look;\n"                                              \
    "  shr.u32 t, n, " LOOK_SHIFT "; nanosleep.u32 t; bra look;\n"

/* `entry` begins as the first's. Workspaces are 64 bytes apart, or more. */
#define ENTRY                                                                                      \
    "shr.u64 at, work, 6; cvt.u32.u64 t, at; shr.u64 at, work, 10; cvt.u32.u64 u, at;\n"           \
    "xor.b32 t, t, u; and.b32 t, t, " PLACE_MASK "; mad.wide.u32 entry, t, " PLACE_BYTES           \
    ", entry;\n"

/* By the first thread, for a launch's first barrier only, as `flag` tells: the first block's claims
 * the entry, the others' wait until it is the launch's. */
#define CLAIM                                                                                      \
    "ld.shared.u32 t, [flag]; setp.ne.u32 p, t, 0; @p bra claimed;\n"                              \
    "mov.b32 t, 1; st.shared.u32 [flag], t; setp.eq.u32 q, add, 1;\n"                              \
    "claim:\n"                                                                                     \
    "  @q ld.acquire.gpu.global.u64 at, [entry]; @q setp.eq.u64 p, at, work;\n"                    \
    "  @!q atom.acquire.gpu.global.cas.b64 at, [entry], 0, work; @!q setp.eq.u64 p, at, 0;\n"      \
    "  @p bra claimed; nanosleep.u32 64; bra claim;\n"                                             \
    "claimed:\n"

/* By the first thread. Afterwards `add` is what the group adds. */
#define COUNT_INTO_GROUP                                                                           \
    BLOCK "shr.u32 u, block, 6; mad.wide.u32 at, u, 128, entry; shl.b32 u, u, 6;\n"                \
          "setp.ne.u32 p, u, block; sub.u32 t, n, u; min.u32 t, t, 64;\n" ADDEND                   \
          "atom.add.acq_rel.gpu.global.u32 old, [at+" FIRST_GROUP "], add;\n"                      \
          "add.u32 now, old, add; add.u32 t, n, 63; shr.u32 t, t, 6; setp.gt.u32 p, block, "       \
          "63;\n" ADDEND

/* By the first warp of a group's last block; there may be fewer threads than copies. */
#define COUNT_GROUP_IN                                                                             \
    HAS_FLIPPED "@!p bra wait; bar.warp.sync -1; shfl.sync.idx.b32 add, add, 0, 31, -1;\n"         \
                "mov.u32 t, %ntid.x; mov.u32 u, %ntid.y; mul.lo.u32 t, t, u;\n"                    \
                "mov.u32 u, %ntid.z; mul.lo.u32 t, t, u; min.u32 t, t, 32; mov.u32 u, rank;\n"     \
                "copy: mad.wide.u32 at, u, 128, entry;\n"                                          \
                "  red.add.release.gpu.global.u32 [at+" FIRST_COPY "], add;\n"                     \
                "  add.u32 u, u, t; setp.lt.u32 p, u, 32; @p bra copy;\n"

/* All words of an entry flip at each barrier: a copy was as the group was. Blocks look at different
 * ones, whichever. */
#define WAIT_FOR_COPY                                                                              \
    "wait:\n" TELL_OLD "  mov.u32 t, %smid; and.b32 t, t, 31; mad.wide.u32 at, t, 128, entry;\n"   \
    "again:\n"                                                                                     \
    "  ld.acquire.gpu.global.u32 now, [at+" FIRST_COPY "];\n"                                      \
    "  xor.b32 now, now, old; setp.ge.s32 p, now, 0; @p bra again; bra done;\n"

/* --- Texts -------------------------------------------------------------------------------------
 */

/* $0: the rank. $1: what the block adds. $2: the module's memory. $3: `flag`, in the block's shared
 * memory, for its first thread: whether the launch has an entry. $4: the workspace. $5: the number
 * of blocks, if these meet at one word and there is a workspace; else 0. */
static const char sync_text[] = /**/
    REGISTERS "mov.u32 rank, $0; mov.u32 add, $1; mov.b64 work, $4; mov.u32 n, $5;\n"
              "setp.eq.u32 far, n, 0;\n" BLOCK_BARRIER
              "@far bra many;\n" FIRST_THREAD COUNT_IN FIRST_WARP LOOK_AT_ONCE TELL_OLD SLEEP LOOK
              "many:\n" FIRST_WARP CHECK_WORKSPACE BLOCKS "setp.gt.u32 p, n, " MAX_BLOCKS
              "; @p trap; mov.u64 entry, $2;\n" ENTRY
              "mov.b32 old, 0; mov.b32 now, 0; setp.ne.u32 p, rank, 0; @p bra in_group;\n"
              "mov.u64 flag, $3;\n" CLAIM COUNT_INTO_GROUP
              "in_group:\n" COUNT_GROUP_IN WAIT_FOR_COPY "done: }";

/* $1, $2, $3: as $0, $1, $4 of sync. $0: the word before, for the first thread; 0 for others. */
static const char arrive_text[] = /**/
    REGISTERS "mov.u32 rank, $1; mov.u32 add, $2; mov.b64 work, $3;\n" BLOCK_BARRIER FIRST_THREAD
        CHECK_WORKSPACE COUNT_IN "mov.b32 $0, old; }";

/* $0: the rank. $1: what arriving gave. */
static const char wait_text[] = /**/
    REGISTERS "mov.u32 rank, $0; mov.b32 old, $1;\n" FIRST_WARP BLOCKS WORKSPACE TELL_OLD LOOK
              "done: }";

/* $1, $2, $3: as $0, $1, $4 of sync. $0: the word before, for the first warp; 0 for others. */
static const char meet_text[] = /**/
    REGISTERS "mov.u32 rank, $1; mov.u32 add, $2; mov.b64 work, $3;\n" BLOCK_BARRIER FIRST_THREAD
        CHECK_WORKSPACE COUNT_IN FIRST_WARP BLOCKS TELL_OLD SLEEP LOOK "done: mov.b32 $0, old; }";

/* $0: the rank. $1: `flag`. */
static const char begin_text[] = /**/
    "{ .reg .pred p; .reg .b32 t; setp.eq.u32 p, $0, 0; mov.b32 t, 0; @p st.shared.u32 [$1], t; }";

/* The last block to leave clears the entry's words and gives it back. */
#define GIVE_BACK                                                                                  \
    "sub.u32 t, n, 1; atom.inc.acq_rel.gpu.global.u32 old, [entry+" LEFT "], t;\n"                 \
    "setp.ne.u32 p, old, t; @p bra done; mov.b32 now, 0; mov.b32 u, 0; mov.u64 at, entry;\n"       \
    "clear:\n"                                                                                     \
    "  st.relaxed.gpu.global.u32 [at+" FIRST_COPY "], now; add.u64 at, at, 128;\n"                 \
    "  add.u32 u, u, 1; setp.lt.u32 p, u, " N_WORDS "; @p bra clear;\n"                            \
    "mov.b64 at, 0; st.release.gpu.global.u64 [entry], at;\n"

/* $0: the rank. $1, $2: as $2, $3 of sync. */
static const char end_text[] = /**/
    REGISTERS BLOCKS "setp.le.u32 p, n, " ONE_WORD "; @p bra done;\n"
                     "setp.ne.u32 p, $0, 0; @p bra done;\n"
                     "ld.shared.u32 t, [$2]; setp.eq.u32 p, t, 0; @p bra done; "
                     "mov.u64 entry, $1;\n" WORKSPACE ENTRY GIVE_BACK "done: }";

/* --- Operations --------------------------------------------------------------------------------
 */

static LLVMValueRef
entries(struct ck_gen *gen)
{
    LLVMTypeRef type = LLVMArrayType2(gen->t_i8, PLACES * ENTRY_BYTES);
    return ck_nvptx_memory(gen, "ck.grid_barriers", type, LINE, SPACE_GLOBAL);
}

static LLVMValueRef
flag(struct ck_gen *gen)
{
    LLVMTypeRef type = LLVMArrayType2(gen->t_i8, CK_NVPTX_GRID_BYTES);
    return ck_nvptx_memory(gen, "shared$grid", type, CK_NVPTX_GRID_BYTES, SPACE_SHARED);
}

/* What this block adds where all count in. */
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
    LLVMValueRef v_near =
        LLVMBuildAnd(gen->builder, l_compare(gen, LLVMIntNE, v_workspace, l_i64(gen, 0)),
                     l_compare(gen, LLVMIntULE, v_blocks, l_i32(gen, MOST_NEAR)), "");
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen),
                           addend(gen),
                           entries(gen),
                           flag(gen),
                           v_workspace,
                           l_select(gen, v_near, v_blocks, l_i32(gen, 0))};
    ck_nvptx_convergent_asm(gen, sync_text, "r,r,l,l,l,r,~{memory}", gen->t_void, args, 6);
    ck_nvptx_block_barrier(gen);
}

/* By a text that gives the word before. */
static LLVMValueRef
count_in(struct ck_gen *gen, const char *text)
{
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen), addend(gen), ck_nvptx_workspace(gen)};
    return ck_nvptx_convergent_asm(gen, text, "=r,r,r,l,~{memory}", gen->t_i32, args, 3);
}

LLVMValueRef
ck_nvptx_grid_arrive(struct ck_gen *gen)
{
    return count_in(gen, arrive_text);
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
    return count_in(gen, meet_text);
}

void
ck_nvptx_grid_begin(struct ck_gen *gen)
{
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen), flag(gen)};
    ck_nvptx_convergent_asm(gen, begin_text, "r,l,~{memory}", gen->t_void, args, 2);
}

void
ck_nvptx_grid_end(struct ck_gen *gen)
{
    LLVMValueRef args[] = {ck_nvptx_thread_rank(gen), entries(gen), flag(gen)};
    ck_nvptx_convergent_asm(gen, end_text, "r,l,l,~{memory}", gen->t_void, args, 3);
}
