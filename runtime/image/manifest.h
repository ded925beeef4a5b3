/* The manifest: the description of an image's kernels, as lines of text
 * (docs/adr/003-abi-and-manifest.md). PTX carries it as a comment and as the array
 * `ck_manifest`. */
#ifndef CK_MANIFEST_H
#define CK_MANIFEST_H

#include <stdbool.h>

#include <ck/module.h>

#include "base/arena.h"
#include "base/strbuf.h"

#define CK_MANIFEST_SYMBOL "ck_manifest"

/* A place in the source that accesses an array, or calls a function that is inlined. */
struct ck_access_site {
    uint32_t begin, end; /* the span of the array and its indices; of a call */
    uint32_t line;
    uint32_t caller;   /* the access's inlined call: 1 + the index of its site; 0: none */
    uint32_t item;     /* bytes of an element; 0: a call, or a copy */
    uint32_t ndim;     /* of the array */
    bool in_loop;      /* the access is in a loop of its function or of a caller */
    bool wraps;        /* the index counts from the end below zero */
    const char *array; /* as written; of a call, the function's name */
    const char *index; /* as written; "": not written */
};

/* An array of the module, and the variable of the image that is the array, or that holds its
 * address and is set when the image is loaded. */
struct ck_image_global {
    ck_global_desc desc;
    const char *symbol;
    bool by_address;
};

struct ck_manifest {
    const char *ck_version;
    const char *source; /* file name */
    const char *arch;   /* "sm_90", or "host" */
    ck_kernel_desc *kernels;
    size_t n_kernels;
    struct ck_image_global *globals; /* that the kernels use */
    size_t n_globals;
    struct ck_access_site *accesses; /* of code with checks: what findings name */
    size_t n_accesses;
    const char *math; /* "libclc", "libdevice" or "libm"; NULL: not recorded */
};

/* The value of a lower-case hexadecimal digit; -1 for other characters. */
static inline int
ck_hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The text: lines of printable ASCII, each ended by a newline. */
void ck_manifest_write(struct ck_strbuf *out, const struct ck_manifest *manifest);
/* The same as declarations of PTX. */
void ck_manifest_write_ptx(struct ck_strbuf *out, const struct ck_manifest *manifest);
/* Reads the text; strings live in the arena, which jumps to its handler when memory runs out.
 * Errors: CK_ERROR_FORMAT. */
ck_status ck_manifest_read(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx,
                           const char *text, size_t length);
/* Finds the manifest in PTX text and reads it. Errors: CK_ERROR_FORMAT, CK_ERROR_MEMORY. */
ck_status ck_manifest_read_ptx(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx,
                               const char *ptx, size_t length);
/* The same of a cubin: machine code that ptxas made of that PTX, an ELF file. */
ck_status ck_manifest_read_cubin(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx,
                                 const char *cubin, size_t length);

/* Writes "int32[:, ::1]", or a tuple with the items that follow it. Returns the number of entries
 * written. */
int ck_type_write_param(struct ck_strbuf *out, const ck_param_info *param);
/* "(int32[:, ::1], float32)" */
void ck_signature_write(struct ck_strbuf *out, const ck_param_info *params, int n_params);

/* The size of an array of the module; UINT64_MAX: more. */
uint64_t ck_global_bytes(const ck_global_desc *desc);

/* A walk along parameters or arguments, where a tuple is followed by its items. */
struct ck_entries {
    size_t tops; /* the number, from 1, of the parameter to which the last entry belongs */
    int depth;   /* tuples whose items are not complete */
    size_t left[CK_MAX_TUPLES]; /* items left of each of these tuples */
};
/* Goes to the next entry, with `n_items` items if it is a tuple, else 0. Returns false if tuples
 * are nested too deeply. */
bool ck_entries_next(struct ck_entries *at, size_t n_items);

#endif
