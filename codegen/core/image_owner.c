/* Images: the finished module as code, and such code as an image that can be launched. */
#include "codegen/core/image_owner.h"

#include <stdlib.h>

LLVMMemoryBufferRef
ck_gen_emit(struct ck_gen *gen, LLVMCodeGenFileType kind)
{
    LLVMMemoryBufferRef out = NULL;
    char *error = NULL;
    bool failed =
        LLVMTargetMachineEmitToMemoryBuffer(gen->machine, gen->module, kind, &error, &out);
    if (!failed && !gen->llvm_error)
        return out;
    const char *text = gen->llvm_error ? gen->llvm_error : ck_arena_strdup(&gen->arena, error);
    if (failed)
        LLVMDisposeMessage(error);
    else
        LLVMDisposeMemoryBuffer(out);
    ck_gen_fail(gen, CK_ERROR_INTERNAL, "LLVM's back end: %s", text);
}

static void
image_free(struct ck_image *image)
{
    struct ck_gen_image *owner = image->owner;
    if (owner->free_code)
        owner->free_code(owner->code);
    ck_arena_free(&owner->arena);
    free(owner);
}

struct ck_gen_image *
ck_gen_image_new(struct ck_gen *gen, enum ck_image_kind kind)
{
    struct ck_gen_image *owner = calloc(1, sizeof *owner);
    if (!owner)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    owner->image.kind = kind;
    owner->image.free = image_free;
    owner->image.owner = owner;
    owner->arena.on_oom = &gen->escape;
    gen->image = &owner->image;
    return owner;
}

struct ck_image *
ck_gen_image_finish(struct ck_gen *gen, struct ck_gen_image *owner)
{
    owner->arena.on_oom = NULL;
    gen->image = NULL;
    return &owner->image;
}

void
ck_gen_check(struct ck_gen *gen, ck_status status)
{
    if (status)
        ck_gen_fail(gen, status, "%s", ck_context_error(gen->ctx));
}
