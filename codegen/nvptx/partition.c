/* The barrier of a partition of a block on NVIDIA GPUs: see lang/prelude/part.ck.
 *
 * The lanes of a warp that are in the partition synchronise, and their leader synchronises with the
 * leaders of the other warps. Each leader has a word in shared memory, which is 0 while it does not
 * wait. On arrival a leader writes two numbers to its word: in the low half the first leader's
 * rank + 1, in the high half the next leader's rank. The first leader follows this list until all
 * have arrived, then follows it again and sets the words to 0, for which the other leaders wait.
 *
 * The hardware may hold lanes that leave a loop at its end until the lanes still in it have left,
 * and these may be leaders of other partitions. So there is a single loop with a single exit, and
 * no thread depends on one that has left it. It is one inline assembly, which no pass can divide.
 */
#include "codegen/nvptx/nvptx.h"

/* $0: words, $1: place, $2: rank. `at` is the leader whose word is polled, `want` the value to wait
 * for; `last`: this is the last pass over the list. */
static const char text[] = "{\n"
                           ".reg .pred follows, first, last, hit, end, frees, leaves;\n"
                           ".reg .b32 lanes, lower, links, next, leader, word, want, at, address;\n"
                           "mov.b64 {lanes, links}, $1;\n"
                           "bar.warp.sync lanes;\n"
                           "mov.u32 lower, %lanemask_lt;\n"
                           "and.b32 lower, lower, lanes;\n"
                           "setp.ne.u32 follows, lower, 0;\n"
                           "@follows bra DONE;\n"
                           "and.b32 next, links, 1023;\n"
                           "bfe.u32 leader, links, 10, 10;\n"
                           "setp.eq.u32 first, leader, $2;\n"
                           "setp.ne.u32 last, leader, $2;\n"
                           "add.u32 want, leader, 1;\n"
                           "shl.b32 word, next, 16;\n"
                           "or.b32 word, word, want;\n"
                           "mad.lo.u32 address, $2, 4, $0;\n"
                           "@last st.release.cta.shared.u32 [address], word;\n"
                           "selp.b32 want, want, 0, first;\n"
                           "selp.b32 at, next, $2, first;\n"
                           "setp.eq.u32 end, at, 0;\n"
                           "@end bra DONE;\n"
                           "LOOK:\n"
                           "mad.lo.u32 address, at, 4, $0;\n"
                           "ld.acquire.cta.shared.u32 word, [address];\n"
                           "and.b32 lower, word, 0xffff;\n"
                           "setp.eq.u32 hit, lower, want;\n"
                           "@hit shr.u32 at, word, 16;\n"
                           "and.pred frees, hit, last;\n"
                           "and.pred frees, frees, first;\n"
                           "@frees st.release.cta.shared.u32 [address], 0;\n"
                           "setp.eq.u32 end, at, 0;\n"
                           "and.pred leaves, end, last;\n"
                           "@end mov.u32 at, next;\n"
                           "or.pred last, last, end;\n"
                           "@!leaves bra LOOK;\n"
                           "DONE:\n"
                           "bar.warp.sync lanes;\n"
                           "}";

void
ck_nvptx_sync_partition(struct ck_gen *gen, const struct ck_partition_wait *wait)
{
    LLVMValueRef args[] = {wait->v_words, wait->v_place, wait->v_rank};
    ck_nvptx_convergent_asm(gen, text, "r,l,r,~{memory}", gen->t_void, args, 3);
}
