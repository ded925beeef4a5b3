/* Divergence: barriers that not every thread of their group can reach. */
#ifndef CK_UNIFORM_H
#define CK_UNIFORM_H

#include "lang/check/checker.h"

/* Reports the barriers of a kernel that was checked without errors, and of the functions it calls,
 * that threads leave out by a condition on which thread they are. False if there is one. */
bool ck_check_uniform(struct ck_checker *c, const struct ck_tfunc *kernel);

#endif
