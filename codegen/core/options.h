/* What code generation is asked for. */
#ifndef CK_CODEGEN_OPTIONS_H
#define CK_CODEGEN_OPTIONS_H

#include <stdbool.h>

/* Each but `after_pass`, which changes no code, is a part of what ck_codegen_identify adds. */
struct ck_codegen_options {
    const char *arch; /* "sm_90"; "host": the machine that this runs on */
    int opt_level;    /* 0 to 3 */
    bool fmad;
    bool lineinfo;
    const char *libdevice;   /* file of CUDA's math functions for PTX; NULL: libclc's, embedded */
    bool restrict_arrays;    /* no array that a kernel writes overlaps another */
    bool aligned_arrays;     /* arrays begin at multiples of CK_ARRAY_ALIGN */
    bool small_launches;     /* CK_ASSUME_SMALL: extents, elements and grids have limits */
    bool natural_scalars;    /* no signed integer among a kernel's arguments is negative */
    int small_version;       /* code for small launches beside that for all: 1 for all kernels, 0
                                where it pays, -1 for none */
    bool shared_arrays;      /* arrays of the module are in memory outside the image */
    bool by_rank;            /* host code runs the threads of a block by rank, in no other order */
    int max_registers;       /* that the caller set for kernels without a limit; 0: none */
    const char *source_name; /* in line tables and the manifest; NULL: the program's */
    unsigned checks;         /* CK_CHECK_*: of targets that have checks */
    /* With CK_FORM_LLVM: the module is written as the pass of this name left it. NULL: after all.
     */
    const char *after_pass;
};

#endif
