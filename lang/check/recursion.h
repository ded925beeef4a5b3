/* Recursive functions: inference of their results' types, and what they cannot do. */
#ifndef CK_RECURSION_H
#define CK_RECURSION_H

#include <stdbool.h>

#include "base/source.h"

struct ck_checker;
struct ck_instance;
struct ck_tfunc;
struct ck_type;

/* The state of inferences. */
struct ck_inference {
    int pass;        /* the pass of the current inference; 0: there is none */
    int n_passes;    /* of all inferences */
    int n_tentative; /* uses of types that were not final */
    bool changed;    /* by this pass: the type or the effects of a function */
    bool is_strong;  /* weak types have become float64 */
};

/* Finds the functions whose text leads back to them. */
void ck_find_recursive(struct ck_checker *c);
/* The function that a call of an instance calls that is being checked; NULL: its type is not known
 * yet, or an error. */
struct ck_tfunc *ck_recursive_call(struct ck_checker *c, struct ck_instance *instance,
                                   struct ck_span call);
/* Whether what an earlier pass found of an instance still holds. */
bool ck_is_current(struct ck_checker *c, const struct ck_instance *instance);
/* Finds the types of the results of an instance that may be recursive, and of those that it calls.
 */
void ck_infer_results(struct ck_checker *c, struct ck_instance *instance, struct ck_span call);
/* Records the type of the result (NULL: not known) and the effects that a pass has found. */
void ck_infer_update(struct ck_checker *c, struct ck_instance *instance,
                     const struct ck_type *type);
/* Marks the recursive functions that a kernel reaches. False, reported: one of them cannot be. */
bool ck_check_cycles(struct ck_checker *c, struct ck_tfunc *kernel);

#endif
