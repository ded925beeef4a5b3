/* Passes on LLVM IR that serve every target, and the conditions under which pipelines run them. */
#ifndef CK_OPT_PASSES_H
#define CK_OPT_PASSES_H

#include "codegen/core/gen.h"

/* --- array_marks.c --- */
/* Adds `noalias` and `align` to the array parameters of kernels. Runs before the pipeline, on a
 * verified module. */
void ck_gen_mark_arrays(struct ck_gen *gen);
/* Whether an address is in an array parameter that is marked as not written while the kernel runs.
 */
bool ck_gen_is_never_written(LLVMValueRef v_kernel, LLVMValueRef v_address);

/* --- mem2reg.c --- */
/* SSA construction for long functions. Runs on a verified module, before all other passes. */
void ck_gen_mem2reg(struct ck_gen *gen);

/* --- narrow_extended.c --- */
/* Narrows operations on extended values to 32 bits. Runs on simplified code. */
void ck_gen_narrow_extended(struct ck_gen *gen);

/* --- narrow_counters.c --- */
/* Narrows counters that are no part of a global address to 32 bits. Runs on simplified code, before
 * unrolling. */
void ck_gen_narrow_counters(struct ck_gen *gen);

/* --- narrow_demanded.c --- */
/* Narrows operations of which only the low 32 bits are demanded. Runs on simplified code. */
void ck_gen_narrow_demanded(struct ck_gen *gen);

/* --- position_sums.c --- */
/* Marks sums of a loop's position and a constant that cannot overflow. Runs on simplified code. */
void ck_gen_mark_position_sums(struct ck_gen *gen);

/* --- value_order.c --- */
/* Simplifies differences, minima and maxima of values whose order is known. Runs on simplified
 * code. */
void ck_gen_use_order(struct ck_gen *gen);

/* --- range_tests.c --- */
/* Merges the two comparisons that test whether a value is in a range from 0. */
void ck_gen_merge_range_tests(struct ck_gen *gen);

/* --- select_switch.c --- */
/* Replaces switches that only select values by selects. Runs on simplified code. */
void ck_gen_select_switches(struct ck_gen *gen);

/* --- select_constants.c --- */
/* Selects between two elements of a constant array, where its index has two values. Runs after
 * LLVM's passes. */
void ck_gen_select_constants(struct ck_gen *gen);

/* --- select_pointers.c --- */
/* Selects between addresses instead of offsets, in loops. Runs after LLVM's passes. */
void ck_gen_select_pointers(struct ck_gen *gen);

/* --- sink.c --- */
/* Moves what only computes to the block of its uses. */
void ck_gen_sink(struct ck_gen *gen);

/* --- stride_pointers.c --- */
/* Chains the addresses of unrolled loops whose stride is not a constant. Runs on simplified code.
 */
void ck_gen_stride_pointers(struct ck_gen *gen);

/* --- neighbour_pointers.c --- */
/* Chains the addresses of an array's neighbouring elements in innermost loops. */
void ck_gen_chain_neighbours(struct ck_gen *gen);

/* --- sign_forms.c --- */
/* Extends and compares natural numbers as signed ones. Runs after LLVM's passes. */
void ck_gen_use_signs(struct ck_gen *gen);

/* --- short_phis.c --- */
/* Narrows counts and the ends of binary searches to 32 bits. Runs on simplified code. */
void ck_gen_shorten_phis(struct ck_gen *gen);

/* --- unroll.c --- */
/* Sets the unroll counts of loops with a constant step. Runs on simplified code, before LLVM's
 * loop-unroll. */
void ck_gen_set_unroll_counts(struct ck_gen *gen);
/* Whether a kernel's launch has few blocks, as a cooperative one has, and needs more loads in
 * flight. */
bool ck_gen_has_few_blocks(struct ck_gen *gen, LLVMValueRef v_function);
/* After the last loop-unroll: lets the assembler unroll once more what LLVM unrolled, but for
 * remainder loops. */
void ck_gen_permit_unrolling(struct ck_gen *gen);

/* --- unroll_full.c --- */
/* Unrolls loops with a constant trip count fully. Runs on simplified code. */
void ck_gen_unroll_fully(struct ck_gen *gen);

/* --- unroll_runtime.c --- */
/* Whether the module has candidates for runtime unrolling. */
bool ck_gen_has_runtime_loops(struct ck_gen *gen);
/* Unrolls them. Needs loops in the form of LLVM's loop-simplify and lcssa. */
void ck_gen_unroll_runtime_loops(struct ck_gen *gen);

/* --- version_signs.c --- */
/* Whether a function has loops whose counter is compared with zero or less. */
bool ck_gen_has_signed_loops(LLVMValueRef v_function);
/* Makes a version of each for counters that are not negative. Needs loops in the form of LLVM's
 * loop-simplify and lcssa. True: it copied loops around them too, and the branch to either version
 * has a constant condition. */
bool ck_gen_version_signs(struct ck_gen *gen, LLVMValueRef v_function);

/* --- version_lengths.c --- */
/* Whether a function has loops over ranges that its threads share, which do little but one load. */
bool ck_gen_has_lengths(struct ck_gen *gen, LLVMValueRef v_function);
/* Makes a version of each for many iterations, which has fewer loads in flight. Needs loops in the
 * form of LLVM's loop-simplify and lcssa. */
void ck_gen_version_lengths(struct ck_gen *gen, LLVMValueRef v_function);

/* --- version_windows.c --- */
/* Versions of loops over clamped windows, for the trip count inside an array. Needs canonical
 * loops, in LCSSA form. */
bool ck_gen_has_windows(struct ck_gen *gen);
void ck_gen_version_windows(struct ck_gen *gen);

/* --- wide_trips.c --- */
/* Hides counters from LLVM where it would compute a trip count in 128 bits. Runs on simplified
 * code, before unrolling. */
void ck_gen_hide_wide_trips(struct ck_gen *gen);
/* The same, after all passes, in loops whose counters are used after the loop. */
void ck_gen_hide_wide_exits(struct ck_gen *gen);

/* --- rare_equalities.c --- */
/* Tests two conditions by one branch where the first one is that a loop's counter is not equal to a
 * value. Before unrolling. */
void ck_gen_fold_rare_equalities(struct ck_gen *gen);

/* --- guarded_loads.c --- */
/* Uses a loaded value again where a condition says that it was loaded. Needs LLVM's passes before
 * it. */
void ck_gen_reuse_guarded_loads(struct ck_gen *gen);

/* --- hoist_loads.c --- */
/* Moves loads before the first branch of an innermost loop. Runs after LLVM's passes. */
void ck_gen_hoist_loads(struct ck_gen *gen);

/* --- long_code.c --- */
/* Whether some function is too long for LLVM's usual passes. */
bool ck_gen_has_long_function(struct ck_gen *gen);
/* LLVM's straight-line strength reduction, which is part of the back end, compares all pairs of
 * sums that share a term, and visits the code around each pair: cubic time. A loop that is unrolled
 * by 8, with a remainder, has 15 copies of each of its sums. */
enum { CK_MAX_SUMS = 64 };
/* After the passes: whether the back end must not optimise either, as more sums share a term. */
bool ck_gen_has_many_sums(struct ck_gen *gen);
/* After the passes: splits basic blocks of very many instructions. */
void ck_gen_cut_long_blocks(struct ck_gen *gen);

#endif
