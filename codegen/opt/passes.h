/* Passes on LLVM IR that serve every target, and the questions that pipelines ask. */
#ifndef CK_OPT_PASSES_H
#define CK_OPT_PASSES_H

#include "codegen/core/gen.h"

/* --- array_marks.c --- */
/* Before the passes, on a verified module. */
void ck_gen_mark_arrays(struct ck_gen *gen);
/* Whether an address is in an array, marked so, that nobody writes while the kernel runs. */
bool ck_gen_is_never_written(LLVMValueRef v_kernel, LLVMValueRef v_address);

/* --- mem2reg.c --- */
/* On a verified module, before any pass. */
void ck_gen_promote(struct ck_gen *gen);

/* --- unroll.c --- */
/* On simplified code, before the pass that unrolls. */
void ck_gen_unroll_loops(struct ck_gen *gen);

/* --- unroll_runtime.c --- */
bool ck_gen_has_runtime_loops(struct ck_gen *gen);
/* Where there are such, on simplified loops in LLVM's lcssa form. */
void ck_gen_unroll_runtime_loops(struct ck_gen *gen);

/* --- long_code.c --- */
/* Whether some function is too long for LLVM's usual passes. */
bool ck_gen_has_long_function(struct ck_gen *gen);
/* After the passes: whether the back end is not to optimise for GPUs either. */
bool ck_gen_has_many_sums(struct ck_gen *gen);
/* After the passes: no block has very many instructions. */
void ck_gen_cut_long_blocks(struct ck_gen *gen);

#endif
