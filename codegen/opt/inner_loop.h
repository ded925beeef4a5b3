/* Innermost loops in simplified code, for the unrolling passes; loop metadata. */
#ifndef CODEGEN_LOOP_H
#define CODEGEN_LOOP_H

#include "codegen/core/gen.h"

enum { CK_LOOP_MAX_BLOCKS = 32, CK_LOOP_MAX_SIZE = 100 /* instructions but phis */ };
/* Instructions too. LLVM itself unrolls shorter loops than CK_LOOP_MIN_MODERATE_SIZE, by 4 or more,
 * if their step is 1 and they have no warp-level primitives. An unrolled body has at most
 * CK_LOOP_MAX_UNROLLED_SIZE. */
enum { CK_LOOP_MIN_MODERATE_SIZE = 19, CK_LOOP_MAX_UNROLLED_SIZE = 224 };

/* Properties of loops: LLVM's, and ck's own on loops that the assembler does not unroll. */
#define CK_LOOP_DISABLED "llvm.loop.unroll.disable"
#define CK_LOOP_FULL     "llvm.loop.unroll.full"
#define CK_LOOP_COUNT    "llvm.loop.unroll.count"
#define CK_LOOP_FINAL    "ck.loop.final"

struct ck_inner_loop {
    LLVMBasicBlockRef b_header, b_latch;
    LLVMBasicBlockRef blocks[CK_LOOP_MAX_BLOCKS]; /* the latch is the first */
    int n_blocks, size;
    int max_size; /* 0: CK_LOOP_MAX_SIZE */
};

/* The llvm.loop metadata of the branch at a loop's latch; NULL: it has none. */
LLVMValueRef ck_loop_metadata(LLVMValueRef v_branch);
/* The latch's branch, if its condition compares integers; NULL: it does not, or the branch has loop
 * metadata. */
LLVMValueRef ck_loop_branch(const struct ck_inner_loop *loop);
/* Finds the blocks, once header and latch are set. False: there are too many, the loop contains
 * another one, it has an exit other than its latch, or it has a convergent call. */
bool ck_loop_find_blocks(struct ck_inner_loop *loop);
/* The same for a loop that may contain others. */
bool ck_loop_find_nest(struct ck_inner_loop *loop);
/* Whether the loop declares `noalias` scopes of inlined functions. They hold within one iteration
 * only, and copies would share them. */
bool ck_loop_has_alias_scopes(const struct ck_inner_loop *loop);
/* The index of a block in `blocks`; -1: it is not in the loop. */
int ck_loop_index(const struct ck_inner_loop *loop, LLVMBasicBlockRef block);
bool ck_loop_has(const struct ck_inner_loop *loop, LLVMValueRef v_value);
/* Adds a property to the llvm.loop metadata of a latch's branch: a name, and a number or NULL. */
void ck_loop_mark(struct ck_gen *gen, LLVMValueRef v_branch, const char *name,
                  LLVMValueRef v_number);
/* No pass, nor the assembler, unrolls the loop of a latch's branch. */
void ck_loop_mark_final(struct ck_gen *gen, LLVMValueRef v_branch);
/* Whether the metadata has a property. */
bool ck_loop_is_marked(struct ck_gen *gen, LLVMValueRef v_branch, const char *name);
/* Removes a property from the metadata. */
void ck_loop_unmark(struct ck_gen *gen, LLVMValueRef v_branch, const char *name);

#endif
