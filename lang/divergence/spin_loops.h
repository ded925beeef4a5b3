/* Spin loops: loops that wait for other threads to write memory. */
#ifndef CK_SPIN_LOOPS_H
#define CK_SPIN_LOOPS_H

#include "lang/diag/diag.h"
#include "lang/typed/typed.h"

/* Marks the spin loops of a checked function and the loads that they poll, sets the function's
 * effects SPIN and POLL, and warns of loops that cannot end. Callees come first. */
void ck_spin_loops_find(struct ck_arena *arena, struct ck_diags *diags, struct ck_tfunc *function);

#endif
