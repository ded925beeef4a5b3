/* What the files of the NVPTX target share. */
#ifndef CK_NVPTX_H
#define CK_NVPTX_H

#include "codegen/gen.h"

/* LLVM's address spaces. */
enum { SPACE_GENERIC = 0, SPACE_GLOBAL = 1, SPACE_SHARED = 3, SPACE_CONST = 4 };

/* --- target_nvptx.c --- */
/* A special register by LLVM's name, i32. */
LLVMValueRef ck_nvptx_special(struct ck_gen *gen, const char *name);
LLVMValueRef ck_nvptx_place(struct ck_gen *gen, enum ck_place what, int dim);
void ck_nvptx_block_barrier(struct ck_gen *gen);

/* --- nvptx_grid.c --- */
extern const struct ck_grid_ops ck_nvptx_grid;

#endif
