/* Versions of loops: a copy that is entered under a condition. */
#ifndef CODEGEN_LOOP_VERSION_H
#define CODEGEN_LOOP_VERSION_H

#include "codegen/opt/inner_loop.h"
#include "codegen/opt/loop_copy.h"

struct ck_loop_version {
    struct ck_inner_loop loop;
    LLVMBasicBlockRef b_preheader, b_exit;
    LLVMValueRef v_branch; /* the latch's */
    struct ck_loop_copy copy;
};

/* Finds the loop of a latch. False: it is not innermost, in LCSSA form and with a preheader, or too
 * large for a copy. Begins zeroed. */
bool ck_loop_find_version(struct ck_loop_version *version, LLVMBasicBlockRef b_latch);
/* The same for a loop that may contain others. */
bool ck_loop_find_nest_version(struct ck_loop_version *version, LLVMBasicBlockRef b_latch);
/* Makes the copy, which nothing enters yet, and whose values `version->copy` has. */
void ck_loop_make_version(struct ck_gen *gen, struct ck_loop_version *version);
/* Enters the copy if the condition, a value of the preheader, holds, and else the loop as it was.
 */
void ck_loop_enter_version(struct ck_gen *gen, struct ck_loop_version *version,
                           LLVMValueRef v_condition);

#endif
