/* Warp-level primitives: LLVM's intrinsics that wait for other lanes of the warp. */
#ifndef CK_NVPTX_WARP_H
#define CK_NVPTX_WARP_H

#include <string.h>

#include "codegen/nvptx/nvptx.h"

static inline bool
ck_nvptx_begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The name of the function that a call names, without `prefix`; NULL: its name does not begin so.
 */
const char *ck_nvptx_callee_after(LLVMValueRef v_call, const char *prefix);
/* The primitive that an instruction is (a shuffle, vote, match, reduction, or bar.warp.sync): its
 * name after "llvm.nvvm."; NULL: none. */
const char *ck_nvptx_warp_primitive(LLVMValueRef v);

#endif
