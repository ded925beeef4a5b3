/* An image: compiled kernels for one kind of device, with their manifest. Code generation makes it
 * and devices load it. */
#ifndef CK_IMAGE_H
#define CK_IMAGE_H

#include <stdbool.h>

#include "base/limits.h"
#include "runtime/image/manifest.h"

struct ck_host_kernel;  /* cpu_abi.h */
struct ck_barrier_site; /* cpu_abi.h */

enum ck_image_kind { CK_IMAGE_PTX, CK_IMAGE_CUBIN, CK_IMAGE_HOST };

struct ck_image {
    enum ck_image_kind kind;
    struct ck_manifest manifest;
    /* PTX, CUBIN */
    const char *text; /* of PTX, zero-terminated */
    size_t length;
    bool was_kept; /* it came from the cache */
    /* HOST */
    const struct ck_host_kernel *kernels; /* as manifest.kernels */
    const uint64_t *variables;            /* as manifest.globals: addresses */
    const struct ck_barrier_site *barriers;
    size_t n_barriers;
    /* Frees the image and all it owns. */
    void (*free)(struct ck_image *image);
    void *owner; /* for `free` */
};

/* What an image may assume of its launches, beyond what every launch guarantees. */
enum {
    CK_ASSUME_DISJOINT = 1, /* no two overlap where its manifest's marks exclude it */
    CK_ASSUME_ALIGNED = 2,  /* they begin at multiples of CK_ARRAY_ALIGN */
    CK_ASSUME_BY_RANK = 4,  /* host code: the threads of a block run by rank */
    CK_ASSUME_SMALL = 8,    /* extents, elements and the grid's threads have limits */
    CK_ASSUME_NATURAL = 16, /* no signed integer among the arguments is negative */
    CK_ASSUME_CHECKS = 32   /* times enum ck_check: the checks that its code makes */
};

/* With CK_ASSUME_SMALL: the upper bound, exclusive, of the number of threads of the grid. */
#define CK_SMALL_END (UINT64_C(1) << 31)
/* Likewise of each extent and of the number of elements of an array, so that the offset of an
 * element, and of what is near it, fits in 32 bits with a sign. */
#define CK_SMALL_ELEMENTS (CK_SMALL_END - (UINT64_C(1) << 16))

/* An index outside its array, as checked code records it. In PTX, the 64-bit variable
 * CK_BOUNDS_SYMBOL holds the address of a record: the first thread that finds such an index fills
 * it, sets `is_set` last, and ends the launch with a trap. */
enum {
    CK_BOUNDS_MISALIGNED = 255
}; /* as the axis: the array begins `index` bytes after a multiple
      of its elements' size, `extent` */
struct ck_bounds_record {
    uint32_t is_set;
    uint32_t site; /* 1 + its index in the manifest's accesses */
    uint32_t axis;
    ck_thread_index thread;
    int64_t index; /* below zero, the extent was added if the access wraps */
    int64_t extent;
};
#define CK_BOUNDS_SYMBOL "ck_bounds_record"

/* The most threads of a grid: generated code assumes this limit. */
#define CK_MAX_GRID_THREADS (1ull << 56)

void ck_image_free(struct ck_image *image);

#endif
