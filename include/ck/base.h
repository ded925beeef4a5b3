/** @file
 * ck: contexts, status codes and diagnostics.
 *
 * Conventions of every ck header:
 *  - A function that can fail returns a ck_status: CK_OK (0) or a negative code. The failure's text
 * is ck_context_error() of the context involved. Outputs are untouched on failure.
 *  - A `**out` first parameter is the caller's to free with the matching _free; a returned pointer
 * is borrowed. Every _free accepts NULL.
 *  - Options structs start with their size (`.size = sizeof options`); zero means the default.
 *    A size that no release's struct has is CK_ERROR_ARGUMENT.
 *  - A context and everything made from it belong to one thread at a time; different contexts are
 *    independent. The library never prints, exits, or reads the environment. */
#ifndef CK_BASE_H
#define CK_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks what the libraries export. */
#if defined(CK_BUILDING) && defined(__GNUC__)
#define CK_API __attribute__((visibility("default")))
#else
#define CK_API
#endif

#define CK_VERSION_MAJOR 0 /**< the version of the headers */
#define CK_VERSION_MINOR 1 /**< its second part */
#define CK_VERSION_PATCH 0 /**< its third part */

/** The library's version, "0.1.0"; the macros have the header's. */
CK_API const char *ck_version(void);

/** What a call returns: CK_OK, or the kind of its failure. */
typedef enum ck_status {
    CK_OK = 0,                 /**< done */
    CK_ERROR_PROGRAM = -1,     /**< the kernel source is wrong: see the diagnostics */
    CK_ERROR_ARGUMENT = -2,    /**< a call's or a launch's arguments are wrong */
    CK_ERROR_MEMORY = -3,      /**< out of host or device memory */
    CK_ERROR_IO = -4,          /**< a file cannot be read or written */
    CK_ERROR_FORMAT = -5,      /**< a file's or image's content is malformed */
    CK_ERROR_NOT_FOUND = -6,   /**< no kernel of that name or for those argument types */
    CK_ERROR_NO_DEVICE = -7,   /**< no driver, or no device, or too old */
    CK_ERROR_UNSUPPORTED = -8, /**< the device or this build cannot do it */
    CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = -9, /**< CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE */
    CK_ERROR_BARRIER = -10,    /**< CPU: a barrier that some thread can no longer reach, or that is
                                  used  wrongly: see the diagnostics */
    CK_ERROR_ASSERT = -11,     /**< an `assert` in a kernel failed; CPU: see the diagnostics */
    CK_ERROR_DRIVER = -12,     /**< another error of the CUDA driver; the text has its name */
    CK_ERROR_INTERNAL = -13,   /**< a bug in ck */
    CK_ERROR_CHECK = -14,      /**< a check of a launch found a mistake in the kernel: see the
                                  diagnostics */
    CK_ERROR_INTERRUPTED = -15 /**< CPU: the program interrupted the launch */
} ck_status;

/** "CK_ERROR_ARGUMENT"; "unknown status" for other values. */
CK_API const char *ck_status_name(int status);

/** Element types. Sizes in bytes are NumPy's; CK_BOOL is one byte. */
typedef enum ck_dtype {
    CK_DTYPE_NONE = 0,
    CK_BOOL,
    CK_INT8,
    CK_INT16,
    CK_INT32,
    CK_INT64,
    CK_UINT8,
    CK_UINT16,
    CK_UINT32,
    CK_UINT64,
    CK_FLOAT16,
    CK_BFLOAT16,
    CK_FLOAT32,
    CK_FLOAT64,
    CK_COMPLEX64,
    CK_COMPLEX128,
    /** No element types, but marks among parameters and arguments: of a tuple; of Python's None; of
     * the default value, where an argument is left out before others. */
    CK_TUPLE,
    CK_NONE,
    CK_DEFAULT,
    CK_RECORD, /**< the element type that a ck_record describes */
    /** NumPy's dates and times, an int64 that counts units: a datetime64 from the beginning of 1970
     * on. INT64_MIN is NaT. The units have NumPy's letters (M: months, m: minutes); the last of
     * both has no unit. */
    CK_DATETIME64_Y,
    CK_DATETIME64_M,
    CK_DATETIME64_W,
    CK_DATETIME64_D,
    CK_DATETIME64_h,
    CK_DATETIME64_m,
    CK_DATETIME64_s,
    CK_DATETIME64_ms,
    CK_DATETIME64_us,
    CK_DATETIME64_ns,
    CK_DATETIME64_ps,
    CK_DATETIME64_fs,
    CK_DATETIME64_as,
    CK_DATETIME64,
    CK_TIMEDELTA64_Y,
    CK_TIMEDELTA64_M,
    CK_TIMEDELTA64_W,
    CK_TIMEDELTA64_D,
    CK_TIMEDELTA64_h,
    CK_TIMEDELTA64_m,
    CK_TIMEDELTA64_s,
    CK_TIMEDELTA64_ms,
    CK_TIMEDELTA64_us,
    CK_TIMEDELTA64_ns,
    CK_TIMEDELTA64_ps,
    CK_TIMEDELTA64_fs,
    CK_TIMEDELTA64_as,
    CK_TIMEDELTA64
} ck_dtype;

/** The size in bytes; 0 for values that are no element type. */
CK_API size_t ck_dtype_size(ck_dtype dtype);
/** "float32"; "?" for unknown values. */
CK_API const char *ck_dtype_name(ck_dtype dtype);
/** The dtype called `name` ("float32", "f4", "boolean": Numba's names; "datetime64[D]");
 * CK_DTYPE_NONE if unknown. */
CK_API ck_dtype ck_dtype_by_name(const char *name);

/** The most dimensions of an array. */
#define CK_MAX_DIMS 8
/** The deepest nesting of tuples. */
#define CK_MAX_TUPLES 16

/** A field of a record: a number, a vector, a record, or an array of these in C order. A vector, as
 * CUDA's `float4`, is described as the array of its numbers. */
typedef struct ck_field {
    const char *name;               /**< letters, digits and `_` */
    ck_dtype dtype;                 /**< of the numbers, or CK_RECORD */
    const struct ck_record *record; /**< of CK_RECORD */
    size_t offset;                  /**< in bytes */
    int ndim;                       /**< 0: no array */
    int64_t shape[CK_MAX_DIMS];     /**< each at least 1 */
    /** Of vectors: how many numbers each has, which is the extent of the last dimension; else 0.
     * In a kernel's description, the record's address is a multiple of what one access of such a
     * vector needs. A launch's array may have 0 for a declared parameter. To a kernel without types
     * the field is then an array of numbers. */
    int lanes;
} ck_field;

/** A record type: a struct of C, or NumPy's structured dtype. A record has at most 256 fields,
 * 1024 numbers and 1 MiB, and records and arrays are at most 16 deep in each other. */
typedef struct ck_record {
    size_t size;            /**< from one element to the next, in bytes */
    int n_fields;           /**< 1 to 256 */
    const ck_field *fields; /**< in the order of the declaration */
} ck_record;

/** A copy in one block from malloc, names included; NULL: no memory is left. */
CK_API ck_record *ck_record_copy(const ck_record *record);
/** 1: both have the same fields at the same places, and the same size. A vector is the same field
 * as an array of its numbers. */
CK_API int ck_record_equal(const ck_record *a, const ck_record *b);
/** Writes the record as ck shows it, "{x:float32,y:float32}", with `@` and the offset of a field
 * that does not follow the one before, and `/` and the size if more follows the last. Cut to
 * `capacity` bytes, the terminating zero included; returns the length of the whole. */
CK_API size_t ck_record_text(char *out, size_t capacity, const ck_record *record);

/** What modules and devices belong to: failure texts, diagnostics, the cache. */
typedef struct ck_context ck_context;

/** Options of a context. */
typedef struct ck_context_options {
    size_t size; /**< sizeof(ck_context_options) */
    /** Receives what kernels print on the CPU device: the text of one statement, a whole line of
     * `print`; possibly from several threads but never at once. NULL: the process's standard
     * output, where the CUDA driver prints as well. */
    void (*print)(void *user, const char *text, size_t length);
    void *user; /**< what `print` gets first */
    /** The folder of the cache, where libck keeps compiled code for later processes: PTX, and code
     * for the CPU device. (CUDA itself caches what its driver compiles from PTX.) NULL or "": no
     * cache. ck creates the folder and its parents when it first stores something, accessible to
     * its user only, and does not use a folder to which others may write. Any number of contexts
     * and processes may share it. The cache never causes an error: an entry that is damaged or
     * cannot be read is compiled again. */
    const char *cache_directory;
    uint64_t cache_bytes; /**< limit of the cache's size; the least recently used entries are
                             evicted. 0: 256 MiB */
} ck_context_options;

/** `options` may be NULL. Errors: CK_ERROR_MEMORY, CK_ERROR_ARGUMENT (options that this release of
 * ck does not know). */
CK_API ck_status ck_context_new(ck_context **out, const ck_context_options *options);
/** Frees what is left of a context, after its modules and devices. */
CK_API void ck_context_free(ck_context *ctx);
/** Text of the last failure, "" if there was none or `ctx` is NULL. Borrowed until the next call
 * with this context. */
CK_API const char *ck_context_error(const ck_context *ctx);

/** Counts of the cache: entries found, entries missed, and entries stored. */
typedef struct ck_cache_counts {
    uint64_t found;  /**< entries found */
    uint64_t missed; /**< entries that were not there */
    uint64_t kept;   /**< entries stored */
} ck_cache_counts;

/** The counts since the context was made. */
CK_API void ck_context_get_cache_counts(ck_cache_counts *out, const ck_context *ctx);

/** How bad a diagnostic is. */
typedef enum ck_severity_level { CK_ERROR, CK_WARNING } ck_severity_level;

/** Another place of a diagnostic: the other access of a data race, or a call of the device function
 * that made an access, the innermost first. */
typedef struct ck_diagnostic_label {
    uint32_t line;       /**< as in ck_diagnostic */
    uint32_t column;     /**< as in ck_diagnostic */
    uint32_t end_line;   /**< of the first character after the place */
    uint32_t end_column; /**< its column */
    const char *text;    /**< "read here" */
} ck_diagnostic_label;

/** A thread of a launch. */
typedef struct ck_thread_index {
    uint32_t block[3];  /**< blockIdx: x, y, z */
    uint32_t thread[3]; /**< threadIdx: x, y, z */
} ck_thread_index;

/** An error or a warning about a program; diagnostics are in source order. Valid until the
 * context's next compilation or launch. */
typedef struct ck_diagnostic {
    ck_severity_level severity;        /**< error or warning */
    const char *name;                  /**< e.g. "unset-name"; what warnings_off takes */
    const char *message;               /**< without position */
    const char *file;                  /**< its name, as ck_compile_options has it */
    uint32_t line;                     /**< from 1 */
    uint32_t column;                   /**< from 1, in characters */
    const char *rendered;              /**< the lines that ckc prints, with the source and carets */
    uint32_t end_line;                 /**< of the first character after the place */
    uint32_t end_column;               /**< its column */
    const ck_diagnostic_label *labels; /**< other places */
    size_t n_labels;                   /**< how many */
    const char *help;                  /**< how to fix it; NULL: none */
    const char *note;                  /**< NULL: none */
    const ck_thread_index
        *threads;     /**< of a finding: the thread of its place, then the other one */
    size_t n_threads; /**< 0 to 2 */
    /** Of a warning: the names of the kernels whose code it is in, each once; of a function, those
     * that call it. NULL: it is of the whole file, or no warning. */
    const char *const *kernels;
    size_t n_kernels; /**< how many; 0 too of a function that no kernel calls */
} ck_diagnostic;

/** The number of diagnostics of the last compilation or launch; 0 if `ctx` is NULL. */
CK_API size_t ck_context_n_diagnostics(const ck_context *ctx);
/** Diagnostic `i`; NULL if it is out of range. Borrowed until the next compilation or launch. */
CK_API const ck_diagnostic *ck_context_diagnostic(const ck_context *ctx, size_t i);

#ifdef __cplusplus
}
#endif

#endif
