/* Images that targets make: see runtime/image/image.h. */
#ifndef CK_CODEGEN_IMAGE_H
#define CK_CODEGEN_IMAGE_H

#include "codegen/core/gen.h"

/* An image with all that it owns. */
struct ck_gen_image {
    struct ck_image image;
    struct ck_arena arena;
    void *code;                    /* the target's */
    void (*free_code)(void *code); /* NULL: there is nothing to free */
};

/* The module's code, which the caller disposes of. */
LLVMMemoryBufferRef ck_gen_emit(struct ck_gen *gen, LLVMCodeGenFileType kind);
/* An empty image, which a failure of code generation frees until it is finished. */
struct ck_gen_image *ck_gen_image_new(struct ck_gen *gen, enum ck_image_kind kind);
struct ck_image *ck_gen_image_finish(struct ck_gen *gen, struct ck_gen_image *image);
/* Does not return if the status is a failure, whose text is in the context. */
void ck_gen_check(struct ck_gen *gen, ck_status status);

#endif
