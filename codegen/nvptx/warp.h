/* Recognises warp-level primitives: LLVM's intrinsics that wait for other lanes of the warp. */
#ifndef CK_NVPTX_WARP_H
#define CK_NVPTX_WARP_H

#include <string.h>

#include "codegen/nvptx/nvptx.h"

static inline bool
ck_nvptx_begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The name of a call's callee after `prefix`; NULL: it does not begin with the prefix. */
const char *ck_nvptx_callee_after(LLVMValueRef v_call, const char *prefix);
/* The name after "llvm.nvvm." of a warp-level primitive: a shuffle, vote, match, reduction or
 * bar.warp.sync; NULL: the instruction is none. */
const char *ck_nvptx_warp_primitive(LLVMValueRef v);

#endif
