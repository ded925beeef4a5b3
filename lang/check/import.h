/* Imports: the names that they bind, of modules that ck knows and of others. */
#ifndef CK_CHECK_IMPORT_H
#define CK_CHECK_IMPORT_H

#include "lang/check/checker.h"

void ck_declare_import(struct ck_checker *c, const struct ck_item *item);
/* Reports the use of an import that failed. */
void ck_report_import(struct ck_checker *c, const struct ck_global *global);

/* For editors: the i-th module from which kernels import, NULL behind the last; and the names to
 * offer of a module, some twice. */
const char *ck_import_module(size_t i);
void ck_add_import_names(struct ck_checker *c, const char *module, struct ck_names *names);

#endif
