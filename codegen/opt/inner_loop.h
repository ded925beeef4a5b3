/* Innermost loops in simplified code, for passes that unroll. */
#ifndef CK_INNER_LOOP_H
#define CK_INNER_LOOP_H

#include "codegen/core/gen.h"

enum { CK_LOOP_MAX_BLOCKS = 32, CK_LOOP_MAX_SIZE = 100 /* instructions but phis */ };
/* Instructions too. A loop of fewer is short: LLVM unrolls it by 4 or more if its step is 1. An
 * unrolled body has at most so many. */
enum { CK_LOOP_LEAST_MODERATE = 19, CK_LOOP_MOST_UNROLLED = 224 };

struct ck_inner_loop {
    LLVMBasicBlockRef b_header, b_latch;
    LLVMBasicBlockRef blocks[CK_LOOP_MAX_BLOCKS]; /* the latch is the first */
    int n_blocks, size;
};

/* The loop metadata of the branch at a latch; NULL: none. */
LLVMValueRef ck_loop_metadata(LLVMValueRef v_branch);
/* The branch at the latch's end, if it compares integers; NULL: it does not, or is marked. */
LLVMValueRef ck_loop_branch(const struct ck_inner_loop *loop);
/* Finds the blocks, once header and latch are set. False: there are too many, another loop is
 * inside, the loop has an exit besides its latch, or it has a convergent call. */
bool ck_loop_find_blocks(struct ck_inner_loop *loop);
/* -1: not in the loop. */
int ck_loop_index(const struct ck_inner_loop *loop, LLVMBasicBlockRef block);
bool ck_loop_has(const struct ck_inner_loop *loop, LLVMValueRef v_value);
/* Adds NAME, with a number unless NULL, to the metadata of the loop with this branch. */
void ck_loop_mark(struct ck_gen *gen, LLVMValueRef v_branch, const char *name,
                  LLVMValueRef v_number);

#endif
