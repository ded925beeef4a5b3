/* Conditions that hold in a basic block, as branches that dominate it depend on them. */
#ifndef CK_CONDITIONS_H
#define CK_CONDITIONS_H

#include "codegen/core/gen.h"
#include "codegen/opt/cfg.h"

/* Of one function, while its branches stay. Begins zeroed; the graph is built when it is asked. */
struct ck_conditions {
    struct ck_cfg cfg;
    int *idoms;
    bool is_built, is_known;
};

/* Whether a comparison of integers, which is true or false, is the one looked for. */
typedef bool ck_condition_matches(LLVMValueRef v_test, bool is_true, const void *data);

/* Whether a block, other than `b_other` itself, is on every path to that. */
bool ck_conditions_dominates(struct ck_gen *gen, struct ck_conditions *conditions,
                             LLVMBasicBlockRef block, LLVMBasicBlockRef b_other);

/* Whether a comparison that holds in a block, or on an edge of the graph, matches. */
bool ck_conditions_hold_in(struct ck_gen *gen, struct ck_conditions *conditions,
                           LLVMBasicBlockRef block, ck_condition_matches *matches,
                           const void *data);
bool ck_conditions_hold_on(struct ck_gen *gen, struct ck_conditions *conditions,
                           LLVMBasicBlockRef b_from, LLVMBasicBlockRef b_to,
                           ck_condition_matches *matches, const void *data);

#endif
