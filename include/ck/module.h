/** @file
 * ck: modules, the kernels in them, and prebuilt images (PTX with a manifest inside). */
#ifndef CK_MODULE_H
#define CK_MODULE_H

#include <ck/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kernels that were compiled together, or loaded from one image. */
typedef struct ck_module ck_module;

/** The order of an array's elements in memory that a parameter takes. */
typedef enum ck_layout_kind {
    CK_STRIDED, /**< T[:, :]   any strides */
    CK_C_ORDER, /**< T[:, ::1] C-contiguous */
    CK_FORTRAN  /**< T[::1, :] Fortran-contiguous */
} ck_layout_kind;

/** `ndim` of an array without dimensions, which is NumPy's of shape (); 0 is a scalar's. */
enum { CK_ZERO_DIM = -1 };

/** A parameter. A tuple has dtype CK_TUPLE and is followed by its items, each of them likewise. In
 * a generic kernel's specialisation the dtype is CK_NONE or CK_DEFAULT where the argument is. */
typedef struct ck_param_info {
    const char *name; /**< of a tuple's item: "t[0]" */
    ck_dtype dtype;   /**< CK_DTYPE_NONE: a generic kernel's */
    /** 0: a scalar; CK_ZERO_DIM: an array without dimensions. Of a generic kernel: CK_ZERO_DIM if
     * its text indexes the parameter with `()`, else 0. */
    int ndim;
    ck_layout_kind layout; /**< of an array */
    /** 1: an array that the kernel only reads, in an image that assumes that it does not change: no
     * array without this mark may overlap it in a launch. */
    int read_only;
    /** 1: an array that the kernel writes, in an image that assumes that no other array overlaps it
     * in a launch. */
    int disjoint;
    /** The alignment of the array's address that an image assumes, in bytes; 0: the size of its
     * elements, which every launch needs. */
    int alignment;
    int n_items;             /**< of a tuple: its own items, not those of tuples in it */
    const ck_record *record; /**< of CK_RECORD */
    /** Of a tuple that is a vector or a record: "float32x4"; of a uint64 that is an address:
     * "CPointer(float32)", "voidptr"; else NULL. */
    const char *type_name;
    /** Of an array of vectors: the numbers of a vector, 1 to 4, which have the type `dtype`; else
     * 0. It takes an array of numbers with one more dimension, the last, of so many elements that
     * are adjacent; or of records with the fields x, y, z, w. */
    int lanes;
    /** 1: an array into which the kernel stores nothing by way of this parameter. Images have the
     * mark if they may assume that arrays do not overlap, and ck_kernel_prepare always knows it of
     * a kernel from source; with checks no array has it. */
    int never_written;
} ck_param_info;

/** One kernel with one signature. */
typedef struct ck_kernel_desc {
    const char *name;      /**< as in the source */
    const char *entry;     /**< the entry's name in the image; "" for a generic kernel */
    const char *signature; /**< "(int32[:, ::1])"; "" for a generic kernel */
    int n_params; /**< of a generic kernel: parameters; else tuples' items are counted too */
    const ck_param_info *params; /**< in order */
    int generic;     /**< has no types of its own: takes them from a launch's arguments */
    int cooperative; /**< synchronises its grid: launched cooperatively */
    /** Static shared memory of a block in bytes, a multiple of 16: all shared arrays of the kernel
     * and of the functions it calls, and the memory of the architecture's barriers. For a kernel
     * compiled from source it is the size for the architecture of ck_compile_options. The code of a
     * launch may need 32 bytes more if it copies to shared memory in bulk, which only code
     * generation decides. The descs of ck_kernel_prepare and of a prebuilt image include them. */
    uint32_t shared_bytes;
    uint32_t max_threads; /**< launch bounds; 0: not given */
    uint32_t cluster[3];  /**< blocks of a cluster; 0: not given */
    int clusters;         /**< the kernel uses its cluster: the device must have clusters */
    /** Of a generic kernel: so many of its last parameters have default values, and may be left out
     * of a launch. One with signatures has a description without them as well. */
    int n_defaults;
    /** Bytes of stack that a thread needs for recursive calls, beside those that the driver knows
     * of; 0: no function of the kernel is recursive. A CUDA device raises the limit of its context
     * for the launch where it is lower. */
    uint32_t stack_bytes;
    /** 1: an image that assumes that each array has fewer than 2^31 - 2^16 elements, along each
     * axis too, that the grid has fewer than 2^31 threads, and that each int64 scalar fits in
     * int32. */
    int small;
    /** 1: an image that assumes that no signed integer among the arguments is negative. */
    int natural;
} ck_kernel_desc;

/** An array of the module in the device's memory, which keeps its values between launches:
 * `device_array`, `to_device` and `const.array` in the source. It is C-contiguous, and one of
 * vectors has a last dimension of their numbers. ck_module_get_global() is in ck/run.h. */
typedef struct ck_global_desc {
    const char *name;           /**< as in the source; of an item of a tuple: "PAIR[0]" */
    ck_dtype dtype;             /**< of the elements */
    const ck_record *record;    /**< of CK_RECORD */
    int ndim;                   /**< 1 to CK_MAX_DIMS */
    int64_t shape[CK_MAX_DIMS]; /**< extents */
    int constant;               /**< 1: in constant memory, which kernels only read */
    int initialized;            /**< 1: its first values are not all zeros */
    const void *initial; /**< these values; NULL: zeros, or those that a prebuilt image alone has */
} ck_global_desc;

/** A prebuilt image, `length` bytes, copied: PTX written by ckc, or a cubin that ptxas made of it.
 * It can be launched on CUDA devices only, a cubin on those that its machine code is for. Errors:
 * CK_ERROR_FORMAT (no image of ck's, or a damaged manifest), CK_ERROR_MEMORY. */
CK_API ck_status ck_module_load(ck_module **out, ck_context *ctx, const char *image, size_t length);

/** Frees the module; kernels got from it must not be used any more. */
CK_API void ck_module_free(ck_module *module);

/** The number of kernels, each counted once for each declared signature. */
CK_API size_t ck_module_n_kernels(const ck_module *module);
/** Kernel `i` in the order of the source. Borrowed: it lives as long as the module. */
CK_API const ck_kernel_desc *ck_module_kernel(const ck_module *module, size_t i);

/** The number of arrays that kernels of the module reach; of a prebuilt image, that its kernels
 * use. */
CK_API size_t ck_module_n_globals(const ck_module *module);
/** Array `i` of these. Borrowed: it lives as long as the module. NULL if `i` is out of range. */
CK_API const ck_global_desc *ck_module_global(const ck_module *module, size_t i);

#ifdef __cplusplus
}
#endif

#endif
