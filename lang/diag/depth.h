/* A limit on recursion over trees: each tree's depth is limited, but they multiply. */
#ifndef CK_DEPTH_H
#define CK_DEPTH_H

#include "lang/diag/diag.h"

/* What a recursive pass has used of the stack. */
struct ck_depth {
    const char *stack_base;
    bool reported; /* since the pass was entered */
};

/* Remembers where the stack is, in the function that enters the pass. */
#define ck_depth_enter(depth)                                                                      \
    ((depth)->stack_base = __builtin_frame_address(0), (depth)->reported = false)

/* False, reported at `span`, where the stack could be too small for what follows. The first such
 * place is reported. */
bool ck_depth_check(struct ck_depth *depth, struct ck_diags *diags, struct ck_span span);

#endif
