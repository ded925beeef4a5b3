/* What the files of the NVPTX target share. */
#ifndef CK_NVPTX_H
#define CK_NVPTX_H

#include "codegen/gen.h"

/* LLVM's address spaces. */
enum { SPACE_GENERIC = 0, SPACE_GLOBAL = 1, SPACE_SHARED = 3, SPACE_CONST = 4 };

/* LLVM's number of the calling convention of kernels. */
enum { CALL_PTX_KERNEL = 71 };

/* --- target_nvptx.c --- */
/* The number in the arch's name: 90 for sm_90. */
int ck_nvptx_arch(const struct ck_gen *gen);
/* A special register by LLVM's name, i32; and as the i64 that the language has. */
LLVMValueRef ck_nvptx_special(struct ck_gen *gen, const char *name);
LLVMValueRef ck_nvptx_wide_special(struct ck_gen *gen, const char *name);
/* Inline PTX of at most three operands. With an effect it stays where it is, however often. */
LLVMValueRef ck_nvptx_asm(struct ck_gen *gen, bool effect, const char *text,
                          const char *constraints, LLVMTypeRef returns, LLVMValueRef *args,
                          unsigned n);
LLVMValueRef ck_nvptx_place(struct ck_gen *gen, enum ck_place what, int dim);
void ck_nvptx_block_barrier(struct ck_gen *gen);

/* --- nvptx_warp.c: hooks of the target --- */
bool ck_nvptx_free_exchanges(struct ck_gen *gen);
void ck_nvptx_bind_exchanges(struct ck_gen *gen);

/* --- nvptx_grid.c --- */
extern const struct ck_grid_ops ck_nvptx_grid;

#endif
