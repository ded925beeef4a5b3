/* A limit on recursion over trees: each tree's depth is limited, but nested trees multiply it. */
#ifndef CK_DEPTH_H
#define CK_DEPTH_H

#include "lang/diag/diag.h"

/* The stack that a recursive pass has used. */
struct ck_depth {
    const char *stack_base;
    bool reported; /* since the pass was entered */
};

/* Records the stack's position in the function that enters the pass. */
#define ck_depth_enter(depth)                                                                      \
    ((depth)->stack_base = __builtin_frame_address(0), (depth)->reported = false)

/* False, reported at `span`, if the stack could overflow in what follows. Only the first such place
 * is reported. */
bool ck_depth_check(struct ck_depth *depth, struct ck_diags *diags, struct ck_span span);

#endif
