/* Reports of names of the module that compiled code cannot use. */
#ifndef CK_CHECK_UNUSABLE_H
#define CK_CHECK_UNUSABLE_H

#include "lang/check/checker.h"

/* A second definition of a name that is reached. */
void ck_report_again(struct ck_checker *c, const struct ck_global *global);
/* The use of a HOST name. */
void ck_report_host(struct ck_fn *fn, struct ck_global *global, struct ck_span use);
/* The use of a constant whose value was looked for, if it has none or host code changes it. False:
 * it can be used. */
bool ck_report_unusable(struct ck_fn *fn, struct ck_global *global, struct ck_span use);

#endif
