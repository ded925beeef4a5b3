/* Queries and small edits of LLVM IR that LLVM's C API lacks. */
#ifndef CK_IR_UTIL_H
#define CK_IR_UTIL_H

#include "codegen/core/gen.h"

/* Replaces all operands of a user that are `v_old`. */
void ck_ir_replace_operand(LLVMValueRef v_user, LLVMValueRef v_old, LLVMValueRef v_new);

/* Calls `visit` for each instruction that the module has at the call; `visit` may erase it. */
void ck_ir_visit_instructions(struct ck_gen *gen,
                              void (*visit)(struct ck_gen *gen, LLVMValueRef v));

/* Calls `visit` for each basic block of the module; `visit` may insert blocks before it. */
void ck_ir_visit_blocks(struct ck_gen *gen, void (*visit)(struct ck_gen *gen, LLVMBasicBlockRef b));

/* Moves the instructions before `v` in its basic block to a new block, which takes over the
 * predecessors, and returns that block, which still lacks a terminator. `v` and what follows stay
 * where they are, so that phis in the successors need no change. */
LLVMBasicBlockRef ck_ir_split_block_before(struct ck_gen *gen, LLVMValueRef v);

/* The value of a phi on the edge from a block. */
LLVMValueRef ck_ir_incoming(LLVMValueRef v_phi, LLVMBasicBlockRef b_from);
/* The only predecessor of a block; NULL: there are none or several. */
LLVMBasicBlockRef ck_ir_only_predecessor(LLVMBasicBlockRef block);

/* The first instruction after a value, and after the phis of its block. */
LLVMValueRef ck_ir_after(LLVMValueRef v);

/* Whether the low half of an operation is computed from the low words of its operands: a sum, a
 * difference, a product, a bitwise operation, or a shift to the left by fewer bits than half. */
bool ck_ir_is_of_low_words(LLVMValueRef v);
/* The low half of a 64-bit value, where the builder is. */
LLVMValueRef ck_ir_low_half(struct ck_gen *gen, LLVMValueRef v);
/* Replaces a 64-bit value by one of 32 bits, extended where the builder is: by zeros if it is not
 * negative. */
void ck_ir_replace_by_extended(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_low,
                               bool is_natural);

/* Whether an instruction is pure: its result depends on its operands alone. It may trap, as a
 * division does. Calls and phis do not count. */
bool ck_ir_is_pure(LLVMValueRef v);
/* Whether a load or store is neither volatile nor atomic. */
bool ck_ir_is_plain_access(LLVMValueRef v);
/* The opcode of an instruction; 0: the value is none. */
LLVMOpcode ck_ir_opcode(LLVMValueRef v);
/* Whether a value is a division of integers, or its remainder. */
bool ck_ir_is_division(LLVMValueRef v);
/* Whether a value is a minimum, a maximum or a saturating difference, such as the bound of a window
 * that is clamped at the edges of an array. */
bool ck_ir_is_limit(LLVMValueRef v);
/* Whether a phi is a sum of itself in one of its loop's iterations. */
bool ck_ir_is_counter(LLVMValueRef v_phi);
/* Whether an instruction is a direct call of the function with this name, or of an intrinsic of
 * LLVM, whatever its types. */
bool ck_ir_calls(LLVMValueRef v, const char *name);
bool ck_ir_calls_intrinsic(LLVMValueRef v, const char *name);
/* The predicate of a comparison: the signed one, if its operands are known to have one sign. */
LLVMIntPredicate ck_ir_signed_predicate(LLVMValueRef v_test);
/* Whether a function has the enum attribute with this name. */
bool ck_ir_has_attribute(LLVMValueRef v_function, const char *name);
/* Whether a function is `memory(none)`. */
bool ck_ir_accesses_no_memory(LLVMValueRef v_function);
/* Whether a function has more than n instructions from this block on, in the order of layout. */
bool ck_ir_is_longer(LLVMBasicBlockRef b_from, int n);

#endif
