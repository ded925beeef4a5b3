/* Divergence analysis: barriers that not every thread of their group can reach.
 *
 * An analysis over the typed program, which knows nothing of the checker. It follows the idea of
 * LLVM's UniformityAnalysis, on structured control flow: a divergent value makes the branches on it
 * divergent, and what a divergent branch decides is divergent too. */
#ifndef CK_DIVERGENCE_H
#define CK_DIVERGENCE_H

#include "lang/diag/diag.h"
#include "lang/typed/typed.h"

/* What is known of the functions of one module. */
struct ck_divergence;

struct ck_divergence *ck_divergence_new(struct ck_arena *arena, struct ck_diags *diags);
/* Reports the barriers of a kernel that was checked without errors, and of the functions it calls,
 * that threads leave out by a condition on which thread they are. False if there is one. */
bool ck_divergence_check(struct ck_divergence *divergence, const struct ck_tfunc *kernel);

#endif
