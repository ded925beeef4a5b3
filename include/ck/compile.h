/** @file
 * ck: compiling .ck source. In libck only; libckrt has no compiler. */
#ifndef CK_COMPILE_H
#define CK_COMPILE_H

#include <ck/module.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Lines of the source that come from another text, for messages: those from `line` on, up to the
 * next part. */
typedef struct ck_source_part {
    uint32_t line;      /**< in the source, from 1 */
    const char *file;   /**< file name for messages */
    uint32_t file_line; /**< what `line` is there */
    uint32_t column;    /**< characters that each line there has before its text here */
} ck_source_part;

/** Options of a compilation. */
typedef struct ck_compile_options {
    size_t size;             /**< sizeof(ck_compile_options) */
    const char *name;        /**< file name for messages; NULL: "<source>" */
    const char *arch;        /**< "sm_90"; NULL: sm_75, whose PTX every later GPU runs */
    int opt_level;           /**< 0: the default (3); 1 to 3; -1: none (-O0) */
    int no_fmad;             /**< 1: never contract a*b+c to a fused multiply-add */
    int lineinfo;            /**< 1: source lines in the image, for profilers and sanitizers */
    int parse_only;          /**< 1: parse without checking; only CK_EMIT_AST works; no launches */
    const char *const *sigs; /**< "k(float32[::1], int64)": specialisations of generic kernels */
    size_t n_sigs;           /**< how many */
    const char *const *warnings_off; /**< names of warnings not to give */
    size_t n_warnings_off;           /**< how many */
    /** File of CUDA's math functions, libdevice.10.bc, for PTX; NULL: libclc's, carried in libck.
     * ck reads it when it generates code. */
    const char *libdevice;
    /** 1: the emitted PTX assumes that no array that a kernel writes overlaps another array. The
     * manifest marks the arrays concerned, and ck checks them at a launch. Launches from source
     * need no option: they choose code by their arguments. */
    int restrict_arrays;
    /** 1: it also assumes that arrays begin at multiples of 16 bytes. */
    int aligned_arrays;
    /** CK_EMIT_LLVM writes the module after the pass of this name (docs/passes.md lists them);
     * NULL: after all passes. */
    const char *after_pass;
    /** 1: code of the arch "host" runs the threads of a block by rank, as CK_SCHEDULE_SEQ does, and
     * in no other order: a kernel with barriers can become loops. Other archs: CK_ERROR_ARGUMENT.
     * Launches from source need no option: they know their device's schedule. */
    int by_rank;
    /** 1: generic kernels for which `sigs` has no types are checked too, but for what depends on
     * types. */
    int check_generic;
    /** 1: the emitted PTX assumes that an array has fewer than 2^31 - 2^16 elements, along each
     * axis too, that the grid has fewer than 2^31 threads, and that each int64 scalar argument fits
     * in int32. Checked at a launch, and chosen by launches from source, as `restrict_arrays`. */
    int small_launches;
    /** 1: it also assumes that no signed integer among the arguments is negative; checked and
     * chosen likewise. */
    int natural_scalars;
    /** The most registers of a thread, 1 to 255, in kernels without launch bounds and max_registers
     * of their own, of declared signatures or of `sigs`; 0: no limit. */
    int max_registers;
    /** The source's name in the image, its line tables and its manifest; NULL: `name`. */
    const char *image_name;
    /** Where a source that was put together comes from; in the order of its lines. */
    const ck_source_part *parts;
    size_t n_parts; /**< how many */
    /** 1: kernels, and the functions they call, have `fastmath` unless their decorator says
     * otherwise. */
    int fast_math;
    /** Emitted PTX: kernels have a second version of their code, for what `small_launches` and
     * `natural_scalars` assume, and test at their entry whether a launch is so (of 2^30 instead of
     * 2^31). 0: kernels that gain by it; 1: all that can have one; -1: none. */
    int small_version;
} ck_compile_options;

/** Parses and checks `length` bytes of source. The text is copied. On CK_ERROR_PROGRAM the
 * diagnostics are in ctx; on CK_OK there may be warnings there. Code is generated when needed: by
 * ck_module_emit or by the first launch. `options` may be NULL. Compilation runs on a thread that
 * ck starts and waits for, so the caller's stack may be small. That thread has a stack of 64 MiB,
 * which takes memory only as it is used; a program too deep for it is an error, "too-deep". A
 * module whose compilation ran out of memory can be used again.
 * Errors: CK_ERROR_PROGRAM, CK_ERROR_ARGUMENT (an unknown arch or warning), CK_ERROR_MEMORY. */
CK_API ck_status ck_compile(ck_module **out, ck_context *ctx, const char *source, size_t length,
                            const ck_compile_options *options);

/** Forms of a module, all text. */
typedef enum ck_emit_kind {
    CK_EMIT_PTX,      /**< the image for GPUs, with its manifest */
    CK_EMIT_LLVM,     /**< LLVM IR after the passes */
    CK_EMIT_LLVM_RAW, /**< LLVM IR before them */
    CK_EMIT_AST,      /**< the syntax tree, as an indented outline */
    CK_EMIT_TYPES,    /**< the typed program, as an indented outline */
    CK_EMIT_MANIFEST  /**< the manifest alone, as lines of text */
} ck_emit_kind;

/** The module in another form, as text. *out is the caller's, to be freed with ck_text_free; it is
 * zero-terminated, *length excludes the zero. `length` may be NULL.
 * Errors: CK_ERROR_ARGUMENT (unknown kind, or a module without source), CK_ERROR_PROGRAM (a kernel
 * is generic and no signature was given for any), CK_ERROR_MEMORY, CK_ERROR_INTERNAL. With
 * `after_pass`, also CK_ERROR_ARGUMENT if no pass of that name ran; the text names the passes that
 * did. */
CK_API ck_status ck_module_emit(char **out, size_t *length, ck_module *module, ck_emit_kind kind);
/** Frees a text of ck_module_emit. */
CK_API void ck_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
