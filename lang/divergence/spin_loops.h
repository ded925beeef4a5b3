/* Loops that wait for what other threads do to memory. */
#ifndef CK_SPIN_H
#define CK_SPIN_H

#include "lang/typed/typed.h"

struct ck_checker;

/* Marks the spinning loops of a checked function and the loads that they poll, sets the function's
 * `spins`, and warns of loops that cannot end. */
void ck_find_spins(struct ck_checker *c, struct ck_tfunc *function);

#endif
