/* What a view shows of whose memory. */
#ifndef CK_CHECK_WINDOW_H
#define CK_CHECK_WINDOW_H

#include "lang/check/checker.h"

enum ck_memory_kind {
    CK_MEMORY_PARAM,   /* of a parameter, by its number */
    CK_MEMORY_MODULE,  /* of an array of the module */
    CK_MEMORY_MADE,    /* of a shared or local array, by the place that makes it */
    CK_MEMORY_DYNAMIC, /* the block's dynamic shared memory */
};

struct ck_memory {
    enum ck_memory_kind kind;
    uint32_t number;
    const void *of_module;
    const struct ck_type *elem; /* of the array that has it */
    int field;                  /* the offset of that field of its elements; -1: none */
};

/* A part of the memory of an array, and what it shows of each of the array's axes. */
struct ck_window {
    struct ck_memory memory;
    bool is_part;  /* not the whole array */
    bool is_plain; /* it has one slice or index of each axis, as `axes` says */
    int ndim;
    struct ck_taxis axes[CK_MAX_NDIM];
    bool is_unknown[CK_MAX_NDIM]; /* the axis is an index or a slice that is not known */
    const struct ck_texpr *array; /* an expression of the whole array here; NULL: there is none */
};

/* The window of an expression. False: it is not known whose memory it is. */
bool ck_window_of(struct ck_fn *fn, const struct ck_texpr *array, struct ck_window *out);
/* That of a parameter; and what is kept of an array's where it is bound to a name. NULL: nothing is
 * known. */
const struct ck_window *ck_window_of_param(struct ck_fn *fn, int number,
                                           const struct ck_type *type);
const struct ck_window *ck_window_to_keep(struct ck_fn *fn, const struct ck_texpr *array);
/* Keeps it for the array that a new temporary is to hold. */
void ck_hold_window(struct ck_fn *fn, int local, const struct ck_texpr *array);
bool ck_same_window(const struct ck_window *a, const struct ck_window *b);
/* What is known of both. */
const struct ck_window *ck_common_window(struct ck_fn *fn, const struct ck_window *a,
                                         const struct ck_window *b);
/* Whether two bounds or indices, which may be absent, are known to be the same number. */
bool ck_same_number(const struct ck_texpr *a, const struct ck_texpr *b);
bool ck_same_memory(const struct ck_memory *a, const struct ck_memory *b);
/* Whether the axes of two windows are those of one array. */
bool ck_same_axes(const struct ck_window *a, const struct ck_window *b);

#endif
