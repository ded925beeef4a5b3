/* Divergence analysis: finds barriers that not every thread of their group can reach.
 *
 * It works on the typed program and knows nothing of the checker. It follows LLVM's
 * UniformityAnalysis (LLVM, Convergence And Uniformity), on structured control flow: a branch on a
 * divergent value is divergent, and so is every value that depends on which path was taken. */
#ifndef CK_DIVERGENCE_H
#define CK_DIVERGENCE_H

#include "lang/diag/diag.h"
#include "lang/typed/typed.h"

/* The summaries of the functions of one module. */
struct ck_divergence;

struct ck_divergence *ck_divergence_new(struct ck_arena *arena, struct ck_diags *diags);
/* Reports the barriers that some threads do not reach because of a divergent condition: in a kernel
 * that was checked without errors, and in the functions it calls. False if there is one. A kernel
 * some of whose threads return before a barrier is rewritten such that they reach it: see
 * predicate.h. */
bool ck_divergence_check(struct ck_divergence *divergence, struct ck_tfunc *kernel);

#endif
