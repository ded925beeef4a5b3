/* Host images: an object file and its tables, packed as bytes that a cache can keep.
 *
 * In order: the manifest; for each kernel its flags and the names of its entries; the barrier
 * sites; the object file. */
#include <string.h>

#include "base/pack.h"
#include "codegen/core/image_owner.h"
#include "codegen/host/host.h"
#include "codegen/host/jit.h"

/* The suffixes of the names of a kernel's entries. */
static const char *const suffixes[] = {"block", "thread", "start", "block_loops"};
enum { BLOCK, THREAD, START, BLOCK_LOOPS, N_ENTRIES };
enum { HAS_COLLECTIVES = 1, WAITS_FOR_CLUSTER = 2, SPINS = 4 };

static bool
has_entry(const struct ck_func_info *info, int entry)
{
    if (ck_tfunc_has(info->tfunc, CK_EFFECTS_WAIT | CK_EFFECT_SPIN))
        return (entry == START && ck_host_info(info)->v_start) ||
               (entry == BLOCK_LOOPS && ck_host_info(info)->v_block_loops);
    return entry == BLOCK || entry == THREAD;
}

static void
pack_manifest(const struct ck_manifest *manifest, struct ck_strbuf *out)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_manifest_write(&text, manifest);
    out->failed |= text.failed;
    ck_pack_bytes(out, ck_strbuf_text(&text), text.length);
    ck_strbuf_free(&text);
}

static void
pack_kernel(struct ck_gen *gen, struct ck_strbuf *out, const struct ck_func_info *info)
{
    const struct ck_tfunc *tfunc = info->tfunc;
    const unsigned suspends = CK_EFFECT_WARP_PRIMITIVE | CK_EFFECT_SPIN;
    ck_pack_number(out,
                   (ck_tfunc_has(tfunc, suspends) ? HAS_COLLECTIVES : 0) |
                       (ck_tfunc_has(tfunc, CK_EFFECT_CLUSTER_BARRIER) ? WAITS_FOR_CLUSTER : 0) |
                       (ck_tfunc_has(tfunc, CK_EFFECT_SPIN) ? SPINS : 0));
    for (int entry = 0; entry < N_ENTRIES; entry++) {
        const char *name = "";
        if (has_entry(info, entry))
            name = ck_arena_printf(&gen->arena, "%s.%s", tfunc->symbol, suffixes[entry]);
        ck_pack_bytes(out, name, strlen(name));
    }
    ck_pack_number(out, ck_host_info(info)->block_loops_bytes);
}

static void
pack_sites(struct ck_gen *gen, struct ck_strbuf *out)
{
    const struct ck_host_module *module = ck_host_module(gen);
    ck_pack_number(out, module->n_sites);
    for (size_t i = 0; i < module->n_sites; i++) {
        const struct ck_barrier_site *site = &module->sites[i];
        ck_pack_number(out, site->kind);
        ck_pack_number(out, site->op);
        ck_pack_number(out, site->line);
        ck_pack_number(out, site->column);
        ck_pack_number(out, site->place);
        ck_pack_bytes(out, site->what, strlen(site->what));
    }
}

void
ck_host_write(struct ck_gen *gen, const struct ck_manifest *manifest, struct ck_strbuf *out)
{
    pack_manifest(manifest, out);
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].tfunc->is_kernel)
            pack_kernel(gen, out, &gen->funcs[i]);
    }
    pack_sites(gen, out);
    LLVMMemoryBufferRef object = ck_gen_emit(gen, LLVMObjectFile);
    ck_pack_bytes(out, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
    LLVMDisposeMemoryBuffer(object);
}

static void
unpack_manifest(struct ck_gen *gen, struct ck_gen_image *owner, struct ck_unpack *in)
{
    size_t length;
    const char *text = ck_unpack_bytes(in, &length);
    ck_gen_check(gen,
                 ck_manifest_read(&owner->image.manifest, &owner->arena, gen->ctx, text, length));
}

/* Reads the kernels, and writes the names of their entries, N_ENTRIES each ("": no such entry). */
static void
unpack_kernels(struct ck_gen *gen, struct ck_gen_image *owner, struct ck_unpack *in,
               struct ck_host_kernel *kernels, const char **names)
{
    for (size_t i = 0; i < owner->image.manifest.n_kernels; i++) {
        uint64_t flags = ck_unpack_number(in);
        kernels[i].has_collectives = flags & HAS_COLLECTIVES;
        kernels[i].waits_for_cluster = flags & WAITS_FOR_CLUSTER;
        kernels[i].spins = flags & SPINS;
        for (int entry = 0; entry < N_ENTRIES; entry++) {
            size_t length;
            const char *name = ck_unpack_bytes(in, &length);
            *names++ = ck_arena_strndup(&gen->arena, name, length);
        }
        kernels[i].loop_bytes = ck_unpack_number(in);
    }
}

static void
unpack_sites(struct ck_gen_image *owner, struct ck_unpack *in)
{
    uint64_t n = ck_unpack_number(in);
    in->failed |= n > in->left;
    if (in->failed)
        return;
    struct ck_barrier_site *sites = CK_NEW_ARRAY(&owner->arena, struct ck_barrier_site, n);
    for (size_t i = 0; i < n; i++) {
        size_t length;
        sites[i].kind = (enum ck_barrier_kind)ck_unpack_number(in);
        sites[i].op = (enum ck_collective_op)ck_unpack_number(in);
        sites[i].line = (uint32_t)ck_unpack_number(in);
        sites[i].column = (uint32_t)ck_unpack_number(in);
        sites[i].place = (uint32_t)ck_unpack_number(in);
        const char *what = ck_unpack_bytes(in, &length);
        sites[i].what = ck_arena_strndup(&owner->arena, what, length);
    }
    owner->image.barriers = sites;
    owner->image.n_barriers = n;
}

/* Looks up all symbols in one call; addresses[] is 0 for those without a name. */
static void
find_symbols(struct ck_gen *gen, struct ck_jit *jit, const char *const *names, uint64_t *addresses,
             size_t n)
{
    const char **wanted = CK_NEW_ARRAY(&gen->arena, const char *, n);
    uint64_t *found = CK_NEW_ARRAY(&gen->arena, uint64_t, n);
    size_t n_wanted = 0, next = 0;
    for (size_t i = 0; i < n; i++) {
        if (*names[i])
            wanted[n_wanted++] = names[i];
    }
    ck_jit_lookup(gen, jit, wanted, found, n_wanted);
    for (size_t i = 0; i < n; i++)
        addresses[i] = *names[i] ? found[next++] : 0;
}

static void
free_jit(void *code)
{
    ck_jit_free(code);
}

static struct ck_jit *
link_object(struct ck_gen *gen, struct ck_gen_image *owner, const char *object, size_t length)
{
    gen->machine = gen->target->module->machine(gen);
    struct ck_jit *jit =
        ck_jit_new(gen, LLVMCreateMemoryBufferWithMemoryRangeCopy(object, length, "ck"));
    owner->code = jit;
    owner->free_code = free_jit;
    ck_jit_define_symbols(gen, jit);
    return jit;
}

static void
set_entries(struct ck_host_kernel *kernels, size_t n, const uint64_t *addresses)
{
    for (size_t i = 0; i < n; i++, addresses += N_ENTRIES) {
        kernels[i].run_block = (ck_host_block_fn *)(uintptr_t)addresses[BLOCK];
        kernels[i].run_thread = (ck_host_thread_fn *)(uintptr_t)addresses[THREAD];
        kernels[i].start = (ck_host_start_fn *)(uintptr_t)addresses[START];
        kernels[i].run_loops = (ck_host_loops_fn *)(uintptr_t)addresses[BLOCK_LOOPS];
    }
}

struct ck_image *
ck_host_image(struct ck_gen *gen, const char *code, size_t length)
{
    struct ck_gen_image *owner = ck_gen_image_new(gen, CK_IMAGE_HOST);
    struct ck_unpack in = {code, length, false};
    unpack_manifest(gen, owner, &in);
    const size_t n = owner->image.manifest.n_kernels;
    struct ck_host_kernel *kernels = CK_NEW_ARRAY(&owner->arena, struct ck_host_kernel, n);
    const size_t n_globals = owner->image.manifest.n_globals, n_names = n * N_ENTRIES + n_globals;
    const char **names = CK_NEW_ARRAY(&gen->arena, const char *, n_names);
    uint64_t *addresses = CK_NEW_ARRAY(&owner->arena, uint64_t, n_names);
    unpack_kernels(gen, owner, &in, kernels, names);
    for (size_t i = 0; i < n_globals; i++)
        names[n * N_ENTRIES + i] = owner->image.manifest.globals[i].symbol;
    unpack_sites(owner, &in);
    const char *object = ck_unpack_bytes(&in, &length);
    if (in.failed)
        ck_gen_fail(gen, CK_ERROR_FORMAT, "host code is malformed");
    find_symbols(gen, link_object(gen, owner, object, length), names, addresses, n_names);
    set_entries(kernels, n, addresses);
    owner->image.kernels = kernels;
    owner->image.variables = addresses + n * N_ENTRIES;
    return ck_gen_image_finish(gen, owner);
}
