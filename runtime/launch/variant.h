/* A variant of a kernel: its code for one signature, loaded on a device. */
#ifndef CK_VARIANT_H
#define CK_VARIANT_H

#include "runtime/launch/args.h"
#include "runtime/launch/device.h"
#include "runtime/launch/module.h"

/* An image on a device. A prebuilt image is loaded once and shared by all its kernels. */
struct ck_code {
    int users;
    struct ck_image *image;
    bool owns_image;
    void *handle; /* the device's; NULL: not loaded */
};

/* A kernel for one signature, loaded. */
struct ck_variant {
    struct ck_variant *next;
    const ck_kernel_desc *declared; /* NULL: of the generic kernel, made for `types` */
    unsigned assume;                /* what its image assumes: CK_ASSUME_* */
    ck_param_info *types;
    const ck_kernel_desc *desc; /* in the image's manifest */
    struct ck_code *code;
    void *entry; /* the device's */
    ck_kernel_usage usage;
    struct ck_occupancy occupancy; /* for this shape; no threads: not computed yet */
    struct ck_launch occupancy_shape;
    /* The last launch. A launch allocates nothing, and does not check again what has not
     * changed. */
    uint64_t *slots; /* its arguments */
    void **pointers; /* to each slot */
    size_t n_arrays;
    struct ck_extent *extents; /* of its arrays */
    unsigned permitted;        /* what its shape and its scalars permit to assume */
    bool has_seen;
    uint64_t *seen;          /* if has_seen: its arguments, see ck_args_take_seen */
    uint64_t buffer_changes; /* device->buffers.changes at that launch */
    ck_shape shape;          /* no block: none has been checked */
    struct ck_launch launch;
};

struct ck_kernel {
    struct ck_kernel *next_in_module;
    struct ck_kernel *next_in_device;
    struct ck_module *module;
    struct ck_device *device;
    const char *name;                /* the desc's */
    const ck_kernel_desc **declared; /* its signatures */
    size_t n_declared;
    const ck_kernel_desc *generic; /* NULL: it has none */
    struct ck_variant *variants;
    struct ck_variant *last; /* the last one used; NULL: none yet */
};

/* Compiles and loads a variant for a declared signature, or (declared NULL) for these types, and
 * adds it to the kernel's list. Code from the cache that the driver refuses may be damaged: it is
 * compiled again. Errors: as ck_kernel_prepare. */
ck_status ck_variant_new(struct ck_variant **out, struct ck_kernel *kernel,
                         const ck_kernel_desc *declared, const ck_param_info *types, int n_types,
                         unsigned assume);
/* The prebuilt image of a module, loaded on a device, with one user more. */
ck_status ck_code_get_prebuilt(struct ck_code **out, struct ck_module *module,
                               struct ck_device *device);
/* One user less; `code` may be NULL. */
void ck_code_release(struct ck_device *device, struct ck_code *code);
void ck_variant_free(struct ck_device *device, struct ck_variant *variant);

#endif
