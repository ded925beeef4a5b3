/* The limit on recursion over trees. */
#include "lang/diag/depth.h"

#include "base/stack.h"

bool
ck_depth_check(struct ck_depth *depth, struct ck_diags *diags, struct ck_span span)
{
    const char *here = __builtin_frame_address(0);
    if (depth->stack_base - here < (ptrdiff_t)CK_STACK_CHECK)
        return true;
    if (depth->reported)
        return false;
    struct ck_diag *diag =
        ck_diag_add(diags, CK_DIAG_TOO_DEEP, span,
                    "the operations, blocks and calls around this are nested too deeply together");
    ck_diag_help(diags, diag, "divide the expressions that hold calls over several assignments");
    depth->reported = !diags->quiet;
    return false;
}
