/* Names that ck does not have, and what to write instead: the files of names/. */
#ifndef CK_CHECK_FOREIGN_NAMES_H
#define CK_CHECK_FOREIGN_NAMES_H

#include "lang/check/checker.h"

/* --- Names that are not built-ins (numba_names.c) ------------------------------------------------
 */

struct ck_numba_name {
    const char *path;
    enum { CK_NUMBA_ALIAS, CK_NUMBA_HOST, CK_NUMBA_ABSENT } kind;
    const char *text; /* the built-in's path, or what to use instead; NULL: as for any HOST */
};

#define CK_RANDOM_HELP                                                                             \
    "call `cuda.random.philox(seed, counter)`, which needs no states: "                            \
    "`float32(cuda.random.philox(seed, i)[0] >> 8) / 16777216` is uniform in [0, 1)"

/* True if `attribute`, of a parameter of the function, is no field of a record: it is called, or
 * the function computes with the parameter or its elements, or stores numbers in them. */
bool ck_is_no_field(const struct ck_function *function, const struct ck_expr *attribute);

/* The row of numba_names.def for a path; NULL: none. */
const struct ck_numba_name *ck_numba_name_find(const char *path);
/* Reports the use of a name that is not an ALIAS. Returns an error value. */
struct ck_value ck_numba_name_report(struct ck_fn *fn, const struct ck_numba_name *row,
                                     const struct ck_expr *expr);

/* --- Names of CUDA C++ (cuda_spellings.c) --------------------------------------------------------
 */

/* Reports the use of a name that only CUDA C++ has, with what ck calls it; false: it is none. */
bool ck_report_cuda_name(struct ck_fn *fn, const char *name, struct ck_span span);
/* The same for a comparison that is a call with template arguments: `f<32>(x)`. */
bool ck_report_template_call(struct ck_fn *fn, const struct ck_expr *expr);

/* --- Features not supported yet (unsupported.c) --------------------------------------------------
 */

struct ck_unsupported {
    const char *path;
    const char *what; /* the feature: "cache hints" */
    const char *help; /* what to do instead, or NULL */
};

/* The row of unsupported.def for a path; NULL: none. */
const struct ck_unsupported *ck_unsupported_find(const char *path);
/* Reports the use of `name`, which the row is about. Returns an error value. */
struct ck_value ck_unsupported_report(struct ck_fn *fn, const struct ck_unsupported *row,
                                      const char *name, struct ck_span span);

#endif
