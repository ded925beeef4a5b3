/* Conditions that hold in a basic block: see conditions.h. */
#include "codegen/opt/conditions.h"

enum {
    MAX_TERMS = 4,      /* nested, of a condition */
    MAX_DOMINATORS = 32 /* of a block, whose conditions are looked at */
};

static bool
build(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v_function)
{
    if (conditions->is_built)
        return conditions->is_known;
    conditions->is_built = true;
    conditions->cfg.arena = &gen->arena;
    conditions->is_known = ck_cfg_build(&conditions->cfg, v_function);
    if (conditions->is_known)
        conditions->idoms = ck_cfg_find_dominators(&conditions->cfg);
    return conditions->is_known;
}

/* The terms of a conjunction that is true, all of which are, or of a disjunction that is false. */
static bool
has_terms(LLVMValueRef v_test, bool is_true, LLVMValueRef terms[2])
{
    if (!LLVMIsAInstruction(v_test))
        return false;
    if (LLVMGetInstructionOpcode(v_test) == (is_true ? LLVMAnd : LLVMOr)) {
        terms[0] = LLVMGetOperand(v_test, 0);
        terms[1] = LLVMGetOperand(v_test, 1);
        return true;
    }
    if (!LLVMIsASelectInst(v_test))
        return false;
    LLVMValueRef v_fixed = LLVMGetOperand(v_test, is_true ? 2 : 1);
    terms[0] = LLVMGetOperand(v_test, 0);
    terms[1] = LLVMGetOperand(v_test, is_true ? 1 : 2);
    return LLVMIsAConstantInt(v_fixed) && LLVMIsNull(v_fixed) == is_true;
}

static bool
matches_term(LLVMValueRef v_test, bool is_true, ck_condition_matches *matches, const void *data,
             int depth)
{
    LLVMValueRef terms[2];
    if (LLVMIsAICmpInst(v_test))
        return matches(v_test, is_true, data);
    return depth > 0 && has_terms(v_test, is_true, terms) &&
           (matches_term(terms[0], is_true, matches, data, depth - 1) ||
            matches_term(terms[1], is_true, matches, data, depth - 1));
}

/* Whether a condition of the branch from one block to another matches. */
static bool
matches_branch(LLVMBasicBlockRef b_from, LLVMBasicBlockRef b_to, ck_condition_matches *matches,
               const void *data)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b_from);
    if (!LLVMIsABranchInst(v_end) || !LLVMIsConditional(v_end) ||
        LLVMGetSuccessor(v_end, 0) == LLVMGetSuccessor(v_end, 1))
        return false;
    const bool is_true = LLVMGetSuccessor(v_end, 0) == b_to;
    return matches_term(LLVMGetCondition(v_end), is_true, matches, data, MAX_TERMS);
}

bool
ck_conditions_hold_in(struct ck_gen *gen, struct ck_conditions *conditions, LLVMBasicBlockRef block,
                      ck_condition_matches *matches, const void *data)
{
    const struct ck_cfg *cfg = &conditions->cfg;
    if (!build(gen, conditions, LLVMGetBasicBlockParent(block)))
        return false;
    int at = ck_cfg_find(cfg, block);
    for (int n = 0; at >= 0 && n < MAX_DOMINATORS; n++) {
        const struct ck_cfg_block *dominator = &cfg->blocks[at];
        if (dominator->n_preds == 1 && matches_branch(cfg->blocks[dominator->preds[0]].b_self,
                                                      dominator->b_self, matches, data))
            return true;
        at = conditions->idoms[at];
    }
    return false;
}

bool
ck_conditions_hold_on(struct ck_gen *gen, struct ck_conditions *conditions,
                      LLVMBasicBlockRef b_from, LLVMBasicBlockRef b_to,
                      ck_condition_matches *matches, const void *data)
{
    return matches_branch(b_from, b_to, matches, data) ||
           ck_conditions_hold_in(gen, conditions, b_from, matches, data);
}

bool
ck_conditions_dominates(struct ck_gen *gen, struct ck_conditions *conditions,
                        LLVMBasicBlockRef block, LLVMBasicBlockRef b_other)
{
    if (!build(gen, conditions, LLVMGetBasicBlockParent(block)))
        return false;
    const int dominator = ck_cfg_find(&conditions->cfg, block);
    int at = ck_cfg_find(&conditions->cfg, b_other);
    for (int n = 0; at >= 0 && n < MAX_DOMINATORS; n++) {
        at = conditions->idoms[at];
        if (at >= 0 && at == dominator)
            return true;
    }
    return false;
}
