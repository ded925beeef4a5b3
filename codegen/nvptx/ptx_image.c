/* PTX images: the PTX text with the manifest in its comments. */
#include <assert.h>
#include <string.h>

#include "codegen/core/image_owner.h"
#include "codegen/nvptx/nvptx.h"

void
ck_nvptx_write(struct ck_gen *gen, const struct ck_manifest *manifest, struct ck_strbuf *out)
{
    static const char header_end[] = ".address_size 64\n\n";
    LLVMMemoryBufferRef buffer = ck_gen_emit(gen, LLVMAssemblyFile);
    const char *text = LLVMGetBufferStart(buffer);
    const char *body = strstr(text, header_end);
    assert(body);
    body += sizeof header_end - 1;
    ck_strbuf_add(out, text, (size_t)(body - text));
    ck_manifest_write_ptx(out, manifest);
    ck_strbuf_puts(out, body);
    LLVMDisposeMemoryBuffer(buffer);
}

struct ck_image *
ck_nvptx_image(struct ck_gen *gen, const char *code, size_t length)
{
    struct ck_gen_image *owner = ck_gen_image_new(gen, CK_IMAGE_PTX);
    owner->image.text = ck_arena_strndup(&owner->arena, code, length);
    owner->image.length = length;
    ck_gen_check(gen, ck_manifest_read_ptx(&owner->image.manifest, &owner->arena, gen->ctx,
                                           owner->image.text, length));
    return ck_gen_image_finish(gen, owner);
}
