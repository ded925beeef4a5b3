/* Innermost loops in simplified code, for those who repeat what they do. */
#ifndef CODEGEN_LOOP_H
#define CODEGEN_LOOP_H

#include "codegen/core/gen.h"

enum { CK_LOOP_MAX_BLOCKS = 32, CK_LOOP_MAX_SIZE = 100 /* instructions but phis */ };
/* Instructions too: loops of fewer are short, and LLVM unrolls them by 4 or more if they are
 * counted by 1; turns that are taken together have at most so many. */
enum { CK_LOOP_LEAST_MODERATE = 19, CK_LOOP_MOST_UNROLLED = 224 };

struct ck_inner_loop {
    LLVMBasicBlockRef b_header, b_latch;
    LLVMBasicBlockRef blocks[CK_LOOP_MAX_BLOCKS]; /* the latch is the first */
    int n_blocks, size;
};

/* Of the branch at a loop's latch; NULL: nothing is said of the loop. */
LLVMValueRef ck_loop_metadata(LLVMValueRef v_branch);
/* The branch at the latch's end, if it compares integers; NULL: it does not, or is marked. */
LLVMValueRef ck_loop_branch(const struct ck_inner_loop *loop);
/* Finds the blocks, once header and latch are set. False: there are too many, another loop is
 * inside, the loop is left elsewhere than at its latch, or threads do something together in it. */
bool ck_loop_find_blocks(struct ck_inner_loop *loop);
/* -1: not in the loop. */
int ck_loop_index(const struct ck_inner_loop *loop, LLVMBasicBlockRef block);
bool ck_loop_has(const struct ck_inner_loop *loop, LLVMValueRef v_value);
/* What LLVM is to know of the loop with this branch, beside what it was told before: NAME, with a
 * number or (NULL) without. */
void ck_loop_mark(struct ck_gen *gen, LLVMValueRef v_branch, const char *name,
                  LLVMValueRef v_number);

#endif
