/* Divergence analysis: which values differ between the threads that run a function together, and
 * which basic blocks these threads may not execute together.
 *
 * The threads are the lanes of a warp for one target, and all threads of a block for another. The
 * target says where divergence comes from.
 *
 *   - Data divergence: a value computed from a divergent value is divergent.
 *   - Control divergence: a branch on a divergent value makes the blocks of its influence region
 *     divergent. Threads reconverge at its immediate post-dominator.
 *   - Sync divergence: a phi where paths from a divergent branch join is divergent.
 *   - Temporal divergence: if threads leave a loop in different iterations, values that the loop
 *     computes are divergent.
 *
 * The rules are those of LLVM's UniformityAnalysis, which its C API does not offer, with two
 * simplifications that find more divergence: a phi counts as a join where two edges of the branch
 * lead to it, disjoint or not, and temporal divergence makes all values of the loop divergent,
 * inside the loop too. Karrenberg and Hack, "Whole-Function Vectorization" (2011), and PoCL, for
 * loops over work-items, need the same facts. */
#ifndef CK_DIVERGENCE_H
#define CK_DIVERGENCE_H

#include "codegen/opt/cfg.h"

/* A lattice, in ascending order: a value has the maximum of the divergences of its causes. */
enum ck_ir_divergence {
    CK_UNIFORM,
    CK_DIVERGENT,
    /* It depends on memory. A loop whose exit depends on it may wait for another thread, which may
     * write that memory after its own loop (a lock): threads do not reconverge after the loop. */
    CK_DIVERGENT_BY_MEMORY,
};

/* Where divergence comes from. The function's arguments are uniform. */
struct ck_divergence_model {
    /* The divergence of an instruction whose operands are all uniform. Not called for phis and
     * terminators, which then are uniform. */
    enum ck_ir_divergence (*of_instruction)(LLVMValueRef v);
    /* Whether an instruction may wait for other threads, so that threads do not reconverge after
     * it. NULL: none does. */
    bool (*may_wait)(LLVMValueRef v);
    /* Whether a divergent branch makes every phi of its influence region divergent, not only those
     * where its paths join. */
    bool all_phis_diverge;
};

struct ck_divergence_info {
    struct ck_arena *arena;
    const struct ck_cfg *cfg;
    const struct ck_divergence_model *model;
    struct ck_block_set divergent_blocks; /* threads may not execute them together */
    /* Instructions that are not uniform, terminators among them. */
    struct ck_divergent_value {
        LLVMValueRef v;
        enum ck_ir_divergence divergence;
        bool is_queued; /* its users are to be visited */
    } * values;
    int n_values, values_capacity;
    struct ck_index value_index; /* by v */
    int *worklist;               /* indices of values */
    int n_worklist, worklist_capacity;
};

/* Analyses a function whose graph is built. Results live in the arena. */
void ck_divergence_analyse(struct ck_divergence_info *info, struct ck_arena *arena,
                           const struct ck_cfg *cfg, const struct ck_divergence_model *model);
/* Of any value, as it was when the function was analysed; of a terminator, how its condition is. */
enum ck_ir_divergence ck_divergence_of(const struct ck_divergence_info *info, LLVMValueRef v);

#endif
