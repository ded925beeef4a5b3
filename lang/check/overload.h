/* Functions marked `@overload`, and what else of Numba's extending API files may have. */
#ifndef CK_CHECK_OVERLOAD_H
#define CK_CHECK_OVERLOAD_H

#include "lang/check/checker.h"

/* A function marked `@overload_method(of, name)` or `@overload_attribute(of, name)`, which adds a
 * method or an attribute to types. */
struct ck_extension {
    struct ck_global *function;
    const char *name;
    const struct ck_expr *of;
    bool is_attribute;
};

/* The last name of the path of Numba's decorator, as `intrinsic`; NULL: another decorator. */
const char *ck_extending_decorator(struct ck_checker *c, const struct ck_expr *decorator);
/* Whether `@overload(f, target=...)` is for kernels. */
bool ck_overload_is_for_kernels(const struct ck_expr *decorator);
/* The name of the function that `@overload(f)` implements; NULL: another decorator. */
const struct ck_expr *ck_overloaded(struct ck_checker *c, const struct ck_expr *decorator);
/* Applies what a function marked `@overload` says of its parameters. */
void ck_complete_overload(struct ck_checker *c, struct ck_global *overload);
/* A call of a function that has overloads (overload.c). */
struct ck_value ck_call_overloaded(struct ck_fn *fn, struct ck_global *global,
                                   const struct ck_expr *call);
/* `bitwidth`, `signed` and the like of a type, or of a parameter of an overload. False: another
 * value or attribute. */
bool ck_attribute_of_type(struct ck_fn *fn, const struct ck_value *object,
                          const struct ck_expr *expr, struct ck_value *out);
/* Whether a function of the module adds a method or an attribute of this name to types. */
bool ck_is_extension(const struct ck_checker *c, const char *name);
/* `x.NAME(...)` or, if `call` is NULL, `x.NAME` of an object for whose type such a function has an
 * implementation: a call of that. False: none has one. */
bool ck_call_extension(struct ck_fn *fn, const struct ck_value *object,
                       const struct ck_expr *attribute, const struct ck_expr *call,
                       struct ck_value *out);
/* Adds to a message about a missing attribute that a function of the module implements it, for
 * Numba; false: none does. */
bool ck_help_with_extension(struct ck_fn *fn, struct ck_diag *diag, const char *name);

#endif
