/* Hooks of the NVPTX target for asynchronous copies: see struct ck_target. */
#ifndef CK_NVPTX_COPY_H
#define CK_NVPTX_COPY_H

#include "codegen/core/gen.h"

bool ck_nvptx_copy_async(struct ck_gen *gen, LLVMValueRef v_to, LLVMValueRef v_from,
                         unsigned bytes);
void ck_nvptx_copy_commit(struct ck_gen *gen);
void ck_nvptx_copy_wait(struct ck_gen *gen, unsigned n);
LLVMValueRef ck_nvptx_copy_bulk(struct ck_gen *gen, const struct ck_bulk_copy *copy);
void ck_nvptx_select_bulk_copies(struct ck_gen *gen);

/* Before a kernel's code is made: what it copies is looked at, after which there is an answer, i1,
 * whether this block has bulk copies; NULL: none has. Code with them is between the last two. */
void ck_nvptx_track_copies(struct ck_gen *gen, const struct ck_tfunc *kernel);
LLVMValueRef ck_nvptx_bulk_copy_condition(struct ck_gen *gen);
void ck_nvptx_begin_bulk_copies(struct ck_gen *gen);
void ck_nvptx_end_bulk_copies(struct ck_gen *gen);

#endif
