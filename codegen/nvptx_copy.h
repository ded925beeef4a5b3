/* Hooks of the NVPTX target for asynchronous copies: see struct ck_target. */
#ifndef CK_NVPTX_COPY_H
#define CK_NVPTX_COPY_H

#include "codegen/gen.h"

bool ck_nvptx_copy_async(struct ck_gen *gen, LLVMValueRef v_to, LLVMValueRef v_from,
                         unsigned bytes);
void ck_nvptx_copy_commit(struct ck_gen *gen);
void ck_nvptx_copy_wait(struct ck_gen *gen, unsigned n);

#endif
