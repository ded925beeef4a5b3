/* A module: kernels that can be launched, either prebuilt (one PTX image) or with a compiler behind
 * them that makes an image when a launch needs it. The runtime knows the compiler only by this
 * table. */
#ifndef CK_RUNTIME_MODULE_H
#define CK_RUNTIME_MODULE_H

#include "runtime/context/context.h"
#include "runtime/image/image.h"
#include "runtime/launch/finding.h"

struct ck_compiler_ops {
    /* Makes an image with one kernel: `name` for parameters of these types (the dtypes, ndims and
     * layouts of `params`; names are ignored). It may rely on `assume` (CK_ASSUME_*), which its
     * manifest then records. `anew`: compiled even if the cache has it, and replaced there. `arch`
     * is one of the device's. Errors:
     * CK_ERROR_PROGRAM with diagnostics in ctx, CK_ERROR_MEMORY, CK_ERROR_UNSUPPORTED (arch),
     * CK_ERROR_INTERNAL. */
    ck_status (*make_image)(struct ck_image **out, ck_module *module, const char *name,
                            const ck_param_info *params, int n_params, unsigned assume, bool anew,
                            const char *arch);
    /* Makes the findings of a launch the context's diagnostics. CK_ERROR_CHECK, with the first as
     * the context's text, or CK_ERROR_MEMORY. */
    ck_status (*report)(ck_module *module, const struct ck_findings *findings, ck_status status);
    void (*free)(ck_module *module); /* frees compiler_state */
};

struct ck_module {
    ck_context *ctx;         /* borrowed */
    struct ck_arena arena;   /* descs and names */
    ck_kernel_desc *kernels; /* one for each signature; generic kernels once */
    size_t n_kernels;
    struct ck_image *prebuilt;              /* owned, or NULL */
    const struct ck_compiler_ops *compiler; /* NULL: prebuilt */
    void *compiler_state;
    ck_global_desc *globals; /* of a prebuilt image: as in its manifest */
    size_t n_globals;
    struct ck_global_set *global_sets; /* list of what global.c made; owned */
    struct ck_kernel *loaded;          /* list of what ck_kernel_get made; owned */
};

/* An empty module; the caller fills it. NULL when out of memory. */
struct ck_module *ck_module_alloc(ck_context *ctx);

#endif
