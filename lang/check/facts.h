/* What the checker found out about the names in a program's text, for editors.
 *
 * A record is filled only where the caller of ck_checker_new passes one. Its facts say what a name
 * means where it is written; in functions with several specialisations, and at names that a loop
 * binds again, a place can have several facts. */
#ifndef CK_FACTS_H
#define CK_FACTS_H

#include "base/index.h"
#include "base/source.h"
#include "lang/typed/typed.h"

enum ck_fact_kind {
    CK_FACT_VALUE,    /* of `type`, when the kernel runs or at compile time */
    CK_FACT_TYPE,     /* the name of `type` */
    CK_FACT_FUNCTION, /* of the module: `function` */
    CK_FACT_BUILTIN,  /* `builtin`; a member of `self`, or of none */
    CK_FACT_NUMPY,    /* a row of numpy.def: `path` */
    CK_FACT_PATH,     /* part of a built-in's path, `cuda.shared`: `path`, without `cuda` */
    CK_FACT_OBJECT,   /* the name is no attribute of its object: `type`, or the part of a path */
    CK_FACT_RESULT,   /* at a function's name: `type` is that of its result */
};

struct ck_function;

/* What one name means at one place. */
struct ck_fact {
    enum ck_fact_kind kind;
    uint32_t start; /* of the name in the source */
    const struct ck_type *type;
    const struct ck_texpr *constant; /* VALUE: a number known at compile time; NULL: none */
    const struct ck_function *function;
    enum ck_builtin_id builtin;
    const struct ck_type *self;
    const char *path;
    bool is_sure; /* not of a pass over a loop that later passes correct */
};

struct ck_facts {
    struct ck_arena *arena;
    struct ck_fact *items;
    int n, capacity;
    struct ck_index index; /* by `start` */
};

/* The facts of a place, the newest first; NULL: no more. */
const struct ck_fact *ck_facts_first(const struct ck_facts *facts, uint32_t start);
const struct ck_fact *ck_facts_next(const struct ck_facts *facts, const struct ck_fact *fact);

#endif
