/* The interface of the built-ins: all that the checker calls. Their own files share rules.h. */
#ifndef CK_CHECK_BUILTINS_H
#define CK_CHECK_BUILTINS_H

#include "lang/check/checker.h"

/* --- Paths of built-ins (paths.c) ---------------------------------------------------------------
 */

const char *ck_builtin_path(enum ck_builtin_id id);
/* The path as messages show it: without the group for a group's member. */
const char *ck_builtin_name(enum ck_builtin_id id);
/* The row for a path, or -1. */
int ck_builtin_find(const char *path);
bool ck_builtin_is_prefix(const char *path);

/* --- The table of built-ins (call.c) -------------------------------------------------------------
 */

/* A call of the built-in that `callee` is. */
struct ck_value ck_check_builtin(struct ck_fn *fn, const struct ck_value *callee,
                                 const struct ck_expr *call);
struct ck_value ck_builtin_value(struct ck_fn *fn, enum ck_builtin_id id, struct ck_span span);
struct ck_value ck_cast_value(struct ck_fn *fn, const struct ck_type *type,
                              const struct ck_expr *call);
/* Whether a call only computes its value: no effect, no wait for other threads. */
bool ck_builtin_only_computes(enum ck_builtin_id id);
/* Whether it is called: not a value, nor the name of an order or a scope. */
bool ck_builtin_is_function(enum ck_builtin_id id);
/* Whether it is a function of numbers. */
bool ck_builtin_is_elementwise(enum ck_builtin_id id);
/* The number of its arguments; 0: it varies. */
int ck_builtin_n_inputs(enum ck_builtin_id id);
/* Whether a call of it is the type of a tuple. */
bool ck_makes_type(enum ck_builtin_id id);
/* address.c: the type `CPointer(T)`; NULL: it is none. */
const struct ck_type *ck_pointer_type_of_call(struct ck_checker *c, const struct ck_expr *expr,
                                              bool report);
/* signature.c: the same of `Array(float32, 1, "C")`. */
const struct ck_type *ck_array_type_of_call(struct ck_checker *c, const struct ck_expr *call,
                                            bool report);
/* An element of a pointer, as an array without dimensions. False after an error. */
bool ck_pointee(struct ck_fn *fn, const struct ck_value *pointer, const struct ck_value *index,
                struct ck_span span, struct ck_value *out);
/* `x.ctypes.data`: the address of an array. */
struct ck_value ck_ctypes_data(struct ck_fn *fn, const struct ck_value *array,
                               const struct ck_expr *expr);
void ck_check_print(struct ck_fn *fn, const struct ck_expr *call);
void ck_check_printf(struct ck_fn *fn, const struct ck_expr *call);
/* Records that the function uses its cluster, and where. */
void ck_use_clusters(struct ck_tfunc *function, struct ck_span span);

/* `x.bit_count()` of an integer or a bool: the bits of its absolute value (number.c). */
struct ck_value ck_bit_count(struct ck_fn *fn, const struct ck_value *value,
                             const struct ck_expr *call);

/* A call of a built-in of constants as a constant, where a module constant is computed; else the
 * call itself (fold_call.c). */
struct ck_texpr *ck_fold_call(struct ck_fn *fn, struct ck_texpr *call);

/* --- Arrays as a whole (array.c) -----------------------------------------------------------------
 */

/* An attribute or method of an array. False: it has none of this name. */
bool ck_array_attribute(struct ck_fn *fn, const struct ck_value *array, const struct ck_expr *expr,
                        struct ck_value *out);

/* --- Constant arrays of the module (const_elements.c) -------------------------------------------
 */

/* An operator of constants of the module of which one is an array; false: none is. */
/* The method of an array that NumPy also has as a function, `np.reshape(x, shape)`; -1: none. */
int ck_builtin_of_array(struct ck_checker *c, const char *name);
bool ck_const_array_binary(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
                           const struct ck_value *right, struct ck_span span, struct ck_value *out);
bool ck_const_array_unary(struct ck_fn *fn, enum ck_unary_op op, const struct ck_value *operand,
                          struct ck_span span, struct ck_value *out);
bool ck_const_array_compare(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *left,
                            const struct ck_value *right, struct ck_span span,
                            struct ck_texpr **out);
/* The array that a VIEW or a TRANSPOSE of a constant array denotes. */
struct ck_value ck_const_view(struct ck_fn *fn, const struct ck_texpr *view);
/* Changes an array that was just made to Fortran order. */
void ck_const_array_to_fortran(struct ck_fn *fn, struct ck_value *value);

/* --- Namedtuples (named_tuple.c) -----------------------------------------------------------------
 */

/* A definition of a namedtuple. */
struct ck_named_tuple {
    const struct ck_expr *syntax;
    const struct ck_type *type; /* its items have no types */
    struct ck_global *constructor;
};

/* A value of a namedtuple, from a call of its name (arguments.c). */
struct ck_value ck_make_named_tuple(struct ck_fn *fn, const struct ck_value *named,
                                    const struct ck_expr *expr);
/* The type of a tuple with the fields of a namedtuple; NULL: it has other fields, or another number
 * of items. */
const struct ck_type *ck_named_type_of(struct ck_types *types, const struct ck_type *named,
                                       const struct ck_type *tuple);
/* The item of a tuple that a field names; -1: none. */
int ck_field_index(const struct ck_type *tuple, const char *name);
/* Helps where a tuple lacks the field. */
void ck_help_with_fields(struct ck_fn *fn, struct ck_diag *diag, const struct ck_type *tuple,
                         const char *name);

/* --- Limits of types (type_info.c) ---------------------------------------------------------------
 */

/* The attribute of `np.finfo(T)` that `expr` names. */
struct ck_value ck_type_info_attribute(struct ck_fn *fn, const struct ck_value *info,
                                       const struct ck_expr *expr);

/* --- Names of NumPy and math (numpy.c) -----------------------------------------------------------
 */

struct ck_numpy;
/* The row of numpy.def for a path, `np.less`; NULL: none. */
const struct ck_numpy *ck_numpy_find(const char *path);
const char *ck_numpy_row_path(const struct ck_numpy *row);
/* `np.X` or `math.X` of numpy.def for a bare X; NULL: there is neither. */
const char *ck_numpy_path(struct ck_fn *fn, const char *name);
/* Adds the names of a module, "np" or "math", without it; none for "". */
void ck_add_numpy_names(struct ck_names *names, const char *module);
/* `np` or `math` for a name or an import of such a module; "": it is another. */
const char *ck_numpy_module(const char *name);
/* What follows `np.` or `math.` in a path; NULL: it begins with neither. */
const char *ck_numpy_rest(const char *path);
bool ck_numpy_is_elementwise(const struct ck_numpy *row);
struct ck_value ck_check_numpy(struct ck_fn *fn, const struct ck_numpy *row,
                               const struct ck_expr *call);
/* Whether a statement is a call of a function of NumPy with an array for the results, and the
 * assignment that it is (ufunc_out.c); an error was reported if that is a CK_STMT_ERROR. */
bool ck_ufunc_store(struct ck_fn *fn, const struct ck_stmt *stmt, struct ck_stmt *store);

/* --- Groups (group.c) ----------------------------------------------------------------------------
 */

/* The member called `name` of a group, as a BUILTIN with `self`; kind ERROR: it has none (not
 * reported). */
struct ck_value ck_group_member(struct ck_fn *fn, const struct ck_value *group, const char *name,
                                struct ck_span span);
/* Reports that a group has no such member. */
void ck_no_member(struct ck_fn *fn, const struct ck_value *group, const char *name,
                  struct ck_span span);
/* The member that a function of the prelude implements, by its name: `thread_block_reduce`. */
struct ck_member ck_member_of_name(struct ck_checker *c, const char *name);
/* The row for groups in general of a member, or -1. */
int ck_group_row(struct ck_checker *c, const char *name);

/* Whether an array has few enough elements, known at compile time, for a copy in local memory; and
 * the copy (reshape.c). */
bool ck_is_copyable(const struct ck_value *array);
struct ck_value ck_local_copy(struct ck_fn *fn, const struct ck_value *array);
/* A local array of the items of a tuple, which is not empty. */
struct ck_value ck_array_of_items(struct ck_fn *fn, struct ck_value tuple,
                                  const struct ck_type *elem);

#endif
