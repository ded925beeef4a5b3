/* Images: a finished module as PTX text or as host code in memory, with its manifest. */
#include "runtime/image.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/gen.h"

/* An image with all it owns. */
struct image_owner {
    struct ck_image image;
    struct ck_arena arena;
    struct ck_jit *jit; /* NULL: PTX */
};

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
    struct image_owner *owner = image->owner;
    free((char *)image->text);
    ck_jit_free(owner->jit);
    ck_arena_free(&owner->arena);
    free(owner);
}

static struct image_owner *
image_new(struct ck_gen *gen, enum ck_image_kind kind)
{
    struct image_owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    owner->image.kind = kind;
    owner->image.free = image_free;
    owner->image.owner = owner;
    owner->arena.on_oom = &gen->escape;
    gen->image = &owner->image;
    ck_gen_manifest(gen, &owner->arena, &owner->image.manifest);
    return owner;
}

struct ck_image *
ck_image_ptx(struct ck_gen *gen)
{
    struct image_owner *owner = image_new(gen, CK_IMAGE_PTX);
    LLVMMemoryBufferRef text = ck_gen_emit(gen, LLVMAssemblyFile);
    size_t length = LLVMGetBufferSize(text);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, LLVMGetBufferStart(text), length);
        copy[length] = 0;
    }
    LLVMDisposeMemoryBuffer(text);
    if (!copy)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    owner->image.text = copy;
    owner->image.length = length;
    owner->arena.on_oom = NULL;
    return &owner->image;
}

static void
copy_sites(struct ck_gen *gen, struct image_owner *owner)
{
    struct ck_barrier_site *sites =
        CK_NEW_ARRAY(&owner->arena, struct ck_barrier_site, gen->n_sites);
    for (size_t i = 0; i < gen->n_sites; i++) {
        sites[i] = gen->sites[i];
        sites[i].what = ck_arena_strdup(&owner->arena, sites[i].what);
    }
    owner->image.barriers = sites;
    owner->image.n_barriers = gen->n_sites;
}

/* The three entries a kernel may have, by the suffix of their names. */
static const char *const suffixes[] = {"block", "thread", "start"};
enum { BLOCK, THREAD, START, N_ENTRIES };

static bool
has_entry(const struct ck_tfunc *tfunc, int entry)
{
    return (entry == START) == ck_tfunc_waits(tfunc);
}

/* Looks all entries up at once; addresses[] has N_ENTRIES for each kernel, 0 where there is none.
 */
static void
find_entries(struct ck_gen *gen, struct image_owner *owner, uint64_t *addresses)
{
    size_t n_kernels = owner->image.manifest.n_kernels, kernel = 0, n = 0;
    const char **names = CK_NEW_ARRAY(&gen->arena, const char *, n_kernels *N_ENTRIES);
    uint64_t *found = CK_NEW_ARRAY(&gen->arena, uint64_t, n_kernels * N_ENTRIES);
    size_t *places = CK_NEW_ARRAY(&gen->arena, size_t, n_kernels * N_ENTRIES);
    for (int i = 0; i < gen->program->n_functions; i++) {
        const struct ck_tfunc *tfunc = gen->funcs[i].tfunc;
        for (int entry = 0; tfunc->is_kernel && entry < N_ENTRIES; entry++) {
            if (!has_entry(tfunc, entry))
                continue;
            places[n] = kernel * N_ENTRIES + (size_t)entry;
            names[n++] = ck_arena_printf(&gen->arena, "%s.%s", tfunc->symbol, suffixes[entry]);
        }
        kernel += tfunc->is_kernel;
    }
    ck_jit_lookup(gen, owner->jit, names, found, n);
    for (size_t i = 0; i < n; i++)
        addresses[places[i]] = found[i];
}

static void
fill_kernels(struct ck_gen *gen, struct image_owner *owner)
{
    size_t n = owner->image.manifest.n_kernels;
    uint64_t *addresses = CK_NEW_ARRAY(&gen->arena, uint64_t, n * N_ENTRIES);
    struct ck_host_kernel *kernels = CK_NEW_ARRAY(&owner->arena, struct ck_host_kernel, n);
    find_entries(gen, owner, addresses);
    for (size_t i = 0; i < n; i++, addresses += N_ENTRIES)
        kernels[i] = (struct ck_host_kernel){
            .run_block = (ck_host_block_fn *)(uintptr_t)addresses[BLOCK],
            .run_thread = (ck_host_thread_fn *)(uintptr_t)addresses[THREAD],
            .start = (ck_host_start_fn *)(uintptr_t)addresses[START],
        };
    for (int i = 0, kernel = 0; i < gen->program->n_functions; i++) {
        const struct ck_tfunc *tfunc = gen->funcs[i].tfunc;
        if (!tfunc->is_kernel)
            continue;
        kernels[kernel].exchanges = tfunc->exchanges;
        kernels[kernel++].waits_for_cluster = tfunc->has_cluster_barrier;
    }
    owner->image.kernels = kernels;
}

struct ck_image *
ck_image_host(struct ck_gen *gen)
{
    struct image_owner *owner = image_new(gen, CK_IMAGE_HOST);
    copy_sites(gen, owner);
    owner->jit = ck_jit_new(gen, ck_gen_emit(gen, LLVMObjectFile));
    gen->jit = NULL;
    fill_kernels(gen, owner);
    owner->arena.on_oom = NULL;
    return &owner->image;
}
