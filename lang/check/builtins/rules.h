/* The typing rules of the built-ins: declarations that their files share. The checker includes
 * builtins.h instead. */
#ifndef CK_RULES_H
#define CK_RULES_H

#include "lang/check/builtins/builtins.h"

/* A call of a built-in, or the use of one that is not called. */
struct ck_call {
    struct ck_fn *fn;
    enum ck_builtin_id id;
    const struct ck_expr *syntax;
    const struct ck_value *self; /* the value whose member it is, or NULL */
    struct ck_value *args;       /* empty for shared.array and local.array, which read the syntax */
    int n_args;
    bool has_stand_in; /* an operand without a type was replaced */
};

typedef struct ck_value ck_rule_fn(struct ck_call *call);

/* The rules that builtins.def names, grouped by file. */
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc)                     \
    ck_rule_fn ck_rule_##rule;
#include "lang/typed/builtins.def"
#undef CK_BUILTIN

/* --- call.c --- */
/* The call as a BUILTIN of the typed program, without arguments. */
struct ck_texpr *ck_lowered(const struct ck_call *call, const struct ck_type *type);
void ck_lowered_arg(const struct ck_call *call, struct ck_texpr *expr, struct ck_texpr *arg);
/* The same, as the value of a call without a result. */
struct ck_value ck_lowered_none(const struct ck_call *call, struct ck_texpr *expr);
/* A local array, as by `local.array`. */
struct ck_texpr *ck_local_array_expr(const struct ck_call *call, const struct ck_type *elem,
                                     const int64_t *shape, int ndim);
/* Reports that argument `arg` is not what is wanted: "a number". Returns an error value. */
struct ck_value ck_wrong_type(const struct ck_call *call, int arg, const char *wanted);
/* Applies the row's typing rule to a call whose arguments are checked and counted. */
struct ck_value ck_call_rule(struct ck_call *call);
/* A scalar, complex ones excepted. */
bool ck_is_number(const struct ck_value *value);

/* --- array.c --- */
/* A number that follows from the type of `value`; the value is still evaluated. */
struct ck_value ck_number_of(struct ck_fn *fn, const struct ck_value *value, int number,
                             struct ck_span span);

/* The array whose method is called. NULL after an error. */
const struct ck_value *ck_receiver(const struct ck_call *call);

/* --- reshape.c --- */
/* An array without dimensions as one with a dimension. */
struct ck_value ck_as_row(struct ck_fn *fn, const struct ck_value *array);

/* --- whole_array.c --- */
/* The function of a whole array that a row `ndarray.X` names. */
struct ck_value ck_whole_array(struct ck_fn *fn, enum ck_builtin_id id,
                               const struct ck_value *array);
/* The sum of the products of two arrays. */
struct ck_value ck_whole_dot(struct ck_fn *fn, const struct ck_value *left,
                             const struct ck_value *right, struct ck_span span);
/* The same with NumPy's further arguments, in its order: NONE stands for one that is not given. */
struct ck_value ck_whole_array_with(struct ck_fn *fn, enum ck_builtin_id id,
                                    const struct ck_value *array, const struct ck_value *args,
                                    int n);

/* --- iterable.c --- */
/* Whether `any` or `all` is Python's, of a tuple or of an array of one dimension, and the result.
 */
bool ck_is_any_or_all(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *of,
                      struct ck_span span, struct ck_value *out);

/* --- const_elements.c --- */
/* Whether a module constant is computed, and one of the values is a constant array. */
bool ck_computes_const_arrays(const struct ck_fn *fn, const struct ck_value *args, int n);

/* --- math.c --- */
/* The common type of the first n arguments by the promotion table, where integers alone promote to
 * float64. NULL after an error. */
const struct ck_type *ck_float_type(struct ck_call *call, int n);
/* An argument in that type. A literal that does not fit is an error: NULL. */
struct ck_texpr *ck_float_as(struct ck_call *call, int arg, const struct ck_type *type);
/* The value of a function of floats; false: it is not computed at compile time. */
bool ck_fold_float(enum ck_builtin_id id, const double *args, double *out);

/* --- type_info.c --- */
/* `float("inf")` in a float type. */
struct ck_value ck_float_of_string(struct ck_fn *fn, const struct ck_expr *string,
                                   const struct ck_type *type);

/* --- numpy.c --- */
/* A row of numpy.def of numbers. */
struct ck_value ck_numpy_apply(struct ck_fn *fn, const struct ck_numpy *row,
                               const struct ck_value *args, int n, struct ck_span span);

/* --- numpy_type.c --- */
/* NumPy's result type of values of which at least one is not a literal; of literals alone, their
 * storage type. Floats come first: NumPy joins each integer with the float, not with the other
 * integers. */
const struct ck_type *ck_numpy_common_type(struct ck_fn *fn, const struct ck_value *values, int n);

/* --- atomic.c --- */
/* Whether a memory order and a scope may be arguments. */
bool ck_takes_order(enum ck_builtin_id id);

/* --- complex.c --- */
/* complex64(...) and complex128(...). */
struct ck_value ck_complex_cast_value(struct ck_fn *fn, const struct ck_type *type,
                                      const struct ck_expr *call);

/* --- const_array.c --- */
/* Whether it makes an array of the module: its rule reads the syntax. */
bool ck_makes_module_array(enum ck_builtin_id id);
/* False, reported, for a keyword that the call does not take, and for a constant array inside a
 * function. */
bool ck_module_array_keywords(struct ck_call *call);

/* --- group_op.c --- */
/* invoke_one and the like, whose arguments are a call's. */
bool ck_calls_by_one(enum ck_builtin_id id);

/* --- group.c --- */
bool ck_is_group_path(const char *path);
/* A group without run-time values. */
struct ck_value ck_group_without_parts(struct ck_call *call, enum ck_group_kind kind, int size,
                                       int parent);
/* Calls the prelude's function for this member and this group's kind, with the group and `n` more
 * arguments. */
struct ck_value ck_call_member(struct ck_call *call, const struct ck_value *args, int n);
/* Argument `arg` as a number in its storage type, or as int64; false after an error. */
bool ck_number_arg(struct ck_call *call, int arg, struct ck_value *out);
bool ck_integer_arg(struct ck_call *call, int arg, struct ck_value *out);

#endif
