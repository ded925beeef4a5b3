/* The front end as one function: from a source text to its typed functions and diagnostics. */
#ifndef CK_FRONT_H
#define CK_FRONT_H

#include "lang/check/check.h"
#include "lang/check/facts.h"
#include "lang/divergence/divergence.h"

struct ck_front_options {
    bool parse_only;         /* only the tree */
    bool check_generic;      /* generic kernels without a signature are checked without types */
    bool fastmath;           /* of functions that no caller and no option says it of */
    const char *const *sigs; /* "k(float32[::1], int64)": specialisations of generic kernels */
    size_t n_sigs;
    const char *const *reserved_symbols; /* as of ck_checker_new */
    struct ck_facts *facts;              /* filled while checking; NULL: none is wanted */
};

/* One source text and what was made of it. All of it lives in `arena`. */
struct ck_front {
    struct ck_arena *arena;
    struct ck_source source;
    struct ck_diags diags;
    struct ck_ast *ast;         /* NULL: nothing was made, as of a source that is too large */
    struct ck_checker *checker; /* NULL: only parsed */
    struct ck_divergence *divergence;
    int n_analysed;          /* functions of the checker's program */
    struct ck_tfunc **given; /* of the options' signatures, in their order; NULL after an error */
};

/* Starts with the text; `front` is zeroed but for its arena. Warnings can be turned off after it,
 * in front->diags. */
void ck_front_init(struct ck_front *front, const char *name, const char *text, size_t length);
/* Parses, declares, checks, analyses barriers and loops, and issues the warnings, in this order.
 * Signatures that the file declares come before those of the options. */
void ck_front_run(struct ck_front *front, const struct ck_front_options *options);
/* Analyses the functions checked since the last call, callees before callers, for divergent
 * barriers, which are errors in kernels, and for loops that wait for memory. */
void ck_front_analyse(struct ck_front *front);

#endif
