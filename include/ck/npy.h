/** @file
 * ck: NumPy's .npy files (format versions 1.0 to 3.0). In libck and libckrt. */
#ifndef CK_NPY_H
#define CK_NPY_H

#include <ck/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A dense array in host memory. */
typedef struct ck_npy {
    ck_dtype dtype;             /**< of the elements */
    int ndim;                   /**< 0 to CK_MAX_DIMS; 0: a scalar of one element */
    int fortran_order;          /**< 1: the first extent varies fastest */
    int64_t shape[CK_MAX_DIMS]; /**< extents */
    size_t bytes;               /**< of all elements */
    void *data;                 /**< owned (malloc); native byte order */
    /** Of CK_RECORD; of an array that was read, owned: one block from malloc. */
    ck_record *record;
} ck_npy;

/** Reads `path`. Big-endian elements are swapped. Errors, all with a text that names the file and
 * the fault: CK_ERROR_IO, CK_ERROR_FORMAT (not .npy, truncated, trailing bytes, a damaged header),
 * CK_ERROR_UNSUPPORTED (object, string, datetime types; more than CK_MAX_DIMS dimensions),
 * CK_ERROR_MEMORY. */
CK_API ck_status ck_npy_read(ck_npy *out, ck_context *ctx, const char *path);
/** The same of an open file, which has the array alone, from its beginning; `name` is for messages.
 * The file stays open. */
CK_API ck_status ck_npy_read_fd(ck_npy *out, ck_context *ctx, int fd, const char *name);
/** The bytes that come before the elements in a file, to be freed with free(): for a program that
 * writes to something other than a file of its own. Errors: CK_ERROR_ARGUMENT, CK_ERROR_MEMORY. */
CK_API ck_status ck_npy_header(char **out, size_t *length, ck_context *ctx, const ck_npy *array);
/** Writes version 1.0 (2.0 if the header needs it), complete or not at all: a temporary file beside
 * `path` is renamed over it. bfloat16 has no NumPy type: written as uint16 ('<u2').
 * Errors: CK_ERROR_IO, CK_ERROR_ARGUMENT, CK_ERROR_UNSUPPORTED (records whose fields overlap). */
CK_API ck_status ck_npy_write(const ck_npy *array, ck_context *ctx, const char *path);
/** Frees `data` and `record` and zeroes the struct. */
CK_API void ck_npy_free(ck_npy *array);

#ifdef __cplusplus
}
#endif

#endif
