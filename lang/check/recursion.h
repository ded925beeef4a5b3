/* Recursive functions: inference of their results' types, and what they cannot do. */
#ifndef CK_RECURSION_H
#define CK_RECURSION_H

#include <stdbool.h>

#include "base/source.h"

struct ck_checker;
struct ck_global;
struct ck_instance;
struct ck_tfunc;
struct ck_type;

/* What the text of a global names, and whether a chain of names leads back to it: a function then
 * may be recursive. */
struct ck_references {
    struct ck_global **items;
    int n, capacity;
    int visit, lowest; /* numbers of the search for such chains */
    bool on_stack, is_cycle;
};

/* What is known of an instance's result while it, or another of a cycle, is being checked. */
struct ck_activation {
    bool is_active;                /* it is being checked: a call of it is recursive */
    bool is_tentative;             /* was checked with a type that was not final yet */
    bool is_settled;               /* `assumed` is final */
    bool has_errors;               /* its type was not found for errors that are reported later */
    int pass;                      /* of the inference that checked it last */
    const struct ck_type *assumed; /* the result, for recursive calls; NULL: not known */
    unsigned assumed_effects;
};

/* The state of inferences. */
struct ck_inference {
    int pass;        /* the pass of the current inference; 0: there is none */
    int n_passes;    /* of all inferences */
    int n_tentative; /* uses of types that were not final */
    bool changed;    /* by this pass: the type or the effects of a function */
    bool is_strong;  /* weak types have become float64 */
    int n_visits;    /* numbers of functions in searches for cycles */
};

/* Finds the functions whose text leads back to them. */
void ck_find_recursive(struct ck_checker *c);
/* Checks an instance once, in instance.c. True if it has no errors. */
bool ck_check_instance(struct ck_checker *c, struct ck_instance *instance, struct ck_span call);
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
