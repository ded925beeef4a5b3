/* The checker: from the syntax tree to typed functions.
 *
 * Usage: ck_checker_new once for a module; then ck_check_signatures for the signatures that the
 * file declares, and ck_check_kernel for each further specialisation. Each adds to the checker's
 * program. Errors go to the diagnostics passed in; a function with errors is not added. */
#ifndef CK_CHECK_H
#define CK_CHECK_H

#include "lang/check/facts.h"
#include "lang/syntax/ast.h"
#include "lang/typed/typed.h"

struct ck_checker;

struct ck_kernel_info {
    const char *name;
    struct ck_span span;
    int n_params;
    int n_required; /* the parameters after these have default values */
    const char *const *param_names;
    const bool *indexed_by_nothing; /* by parameter: its text has `x[()]`, or that of an atomic */
    bool is_generic;                /* has no signature: needs argument types */
    int n_signatures;               /* declared by the file; 0 when generic */
    const struct ck_type *const *const *signatures; /* [signature][param] */
};

/* Declares the module's imports, constants and functions. The checker lives in `arena`. No function
 * gets one of the reserved symbols, a NULL-terminated list that outlives the checker. What names
 * mean is added to `facts`; NULL: they are not kept. */
struct ck_checker *ck_checker_new(struct ck_arena *arena, const struct ck_source *source,
                                  const struct ck_ast *ast, struct ck_diags *diags,
                                  const char *const *reserved_symbols, struct ck_facts *facts);

/* Whether functions have `fastmath` whose decorator does not say; before anything is checked. */
void ck_checker_set_fastmath(struct ck_checker *checker, bool fastmath);

/* Kernels in the order of the file. */
int ck_checker_n_kernels(const struct ck_checker *checker);
const struct ck_kernel_info *ck_checker_kernel(const struct ck_checker *checker, int i);
struct ck_types *ck_checker_types(struct ck_checker *checker);
/* The arrays in the device's memory that kernels reach, in the order of their evaluation. */
int ck_checker_n_arrays(const struct ck_checker *checker);
const struct ck_module_array *ck_checker_array(const struct ck_checker *checker, int i);

/* Specialises every kernel for its declared signatures. */
void ck_check_signatures(struct ck_checker *checker);
/* Issues the warnings that a function's text alone shows; none if there are errors. */
void ck_warn_module(struct ck_checker *checker);
/* Finds the kernels that the warnings are of, for `kernels` of each. */
void ck_find_warned_kernels(struct ck_checker *checker);
/* Moves those of a list of warnings that were found in what a kernel (NULL: none) reaches to the
 * diagnostics: they are its warnings too. */
void ck_give_warnings(struct ck_checker *checker, struct ck_tfunc *kernel,
                      struct ck_diag **warnings);
/* Specialises one kernel for argument types (arrays: space GLOBAL; VOID: None; NULL: the default
 * value), at least n_required: the rest of its parameters have their default values. The last type
 * is not NULL. NULL after an error. The same
 * types return the same function. */
struct ck_tfunc *ck_check_kernel(struct ck_checker *checker, const struct ck_kernel_info *kernel,
                                 const struct ck_type *const *types, int n_types);
/* Checks a generic kernel without types: what depends on the types of its arguments is not checked,
 * and no warnings are given. The function serves analyses of barriers only, and is to be rejected
 * after them. NULL after an error. */
struct ck_tfunc *ck_check_untyped(struct ck_checker *checker, const struct ck_kernel_info *kernel);
/* `k(float32[::1], int64)`, as --sig takes it. False after an error (a message in diags that quotes
 * the text). */
bool ck_check_sig(struct ck_checker *checker, const char *text, struct ck_tfunc **out);

/* Whether groups of a type have the member that a built-in is (builtins/group.c). */
bool ck_group_has_member(struct ck_checker *checker, const struct ck_type *group,
                         enum ck_builtin_id id);

/* What has been specialised so far, callees before callers. */
const struct ck_program *ck_checker_program(const struct ck_checker *checker);
/* Removes a kernel in which an analysis found errors. */
void ck_checker_reject(struct ck_checker *checker, const struct ck_tfunc *kernel);
/* A program of kernel `function` and what it reaches. */
struct ck_program *ck_checker_program_of(struct ck_checker *checker,
                                         struct ck_tfunc *const *kernels, int n_kernels);

#endif
