/* The arguments of a launch: what types they have, whether they fit a signature, and packing them
 * for the kernel ABI. */
#ifndef CK_ARGS_H
#define CK_ARGS_H

#include <stdbool.h>

#include <ck/run.h>

#include "base/strbuf.h"

/* Each argument by itself: known dtype, number of dimensions, sizes; with `data`, also the address
 * and the scalar's range. `desc` has the parameters' names. Errors: CK_ERROR_ARGUMENT. */
ck_status ck_args_check(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args,
                        size_t n_args, bool data);

/* Whether the argument's type is one the parameter takes. */
bool ck_arg_fits(const ck_param_info *param, const ck_arg *arg);
/* How specific the signature's layouts are: the number of parameters with a contiguous one. */
int ck_args_specificity(const ck_kernel_desc *desc);
/* The most specific parameter type for the argument: what a generic kernel is specialised for. */
ck_param_info ck_arg_type(const ck_arg *arg);

/* The number of arguments, a tuple being one; `n_args` counts its items too. */
size_t ck_args_count(const ck_arg *args, size_t n_args);
/* Writes the type of an argument: "(int64, float32[::1])". Returns the number of entries it
 * takes. */
size_t ck_args_write_type(struct ck_strbuf *out, const ck_arg *args);

/* Fail with the count, a tuple being one, or with the first argument that does not fit and why. */
ck_status ck_args_fail_count(ck_context *ctx, const ck_kernel_desc *desc, size_t n_args);
ck_status ck_args_fail_type(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args,
                            size_t n_args);

/* Fails with `argument 2 `x`: ` and the text. */
ck_status ck_args_fail(ck_context *ctx, const ck_kernel_desc *desc, size_t i, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

/* The strides of arrays for any layout: multiples of the element size. Errors: CK_ERROR_ARGUMENT.
 */
ck_status ck_args_check_strides(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args);

/* The memory of an array: the first address of its elements, and the one after the last. */
struct ck_extent {
    uint64_t begin, end;
    int param;
};

/* Returns false if some of the elements lie outside the address space. */
bool ck_args_find_extent(struct ck_extent *out, const ck_array *array);
/* Lists the kernel's arrays, by parameter. Returns their number. */
size_t ck_args_list_arrays(struct ck_extent *extents, const ck_kernel_desc *desc);
/* Whether no array overlaps another. Sorts `extents` by address and keeps the order for the next
 * call, which takes linear time while the order of the arrays stays the same. */
bool ck_args_are_apart(struct ck_extent *extents, size_t n, const ck_arg *args);
/* Finds the first pair of arrays that share memory although the image assumes that they do not: its
 * manifest marks the first one read_only or disjoint. Returns false if there is none. */
bool ck_args_find_overlap(const ck_kernel_desc *desc, const ck_arg *args, int *marked, int *other);
ck_status ck_args_fail_overlap(ck_context *ctx, const ck_kernel_desc *desc, int marked, int other);

/* Arrays of vectors begin at multiples of what one access needs. Errors: CK_ERROR_ARGUMENT. */
ck_status ck_args_check_vectors(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args);

/* Whether all arrays begin at multiples of CK_ARRAY_ALIGN. */
bool ck_args_are_aligned(const ck_arg *args, size_t n_args);
/* Checks each array against the alignment that the image assumes. Errors: CK_ERROR_ARGUMENT. */
ck_status ck_args_check_alignment(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args);

/* Whether all extents, and the elements of each array, are below CK_SMALL_ELEMENTS. */
bool ck_args_extents_are_small(const ck_arg *args, size_t n_args);
/* What the scalars permit to assume: CK_ASSUME_SMALL, if int64 ones are within int32's range, and
 * CK_ASSUME_NATURAL. */
unsigned ck_args_scalar_assumptions(const ck_arg *args, size_t n_args);
/* Checks extents and scalars against what the image assumes. Errors: CK_ERROR_ARGUMENT. */
ck_status ck_args_check_small(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args);
ck_status ck_args_check_natural(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args);

/* The number of 8-byte slots of a parameter, and of all; where each parameter of the entry begins
 * in them; filling them. */
size_t ck_args_param_slots(const ck_param_info *param);
size_t ck_args_n_slots(const ck_kernel_desc *desc);
void ck_args_point(void **pointers, uint64_t *slots, const ck_kernel_desc *desc);
void ck_args_pack(uint64_t *slots, const ck_kernel_desc *desc, const ck_arg *args);

/* The number of words that record the arguments of a launch, beside what their slots hold. */
size_t ck_args_n_seen(const ck_kernel_desc *desc);
void ck_args_see(uint64_t *seen, const ck_kernel_desc *desc, const ck_arg *args);
/* Whether the checks of the recorded arguments hold for these: types, shapes and strides are the
 * same, and scalars are in range. If so, stores the scalars in their slots; if not, it may have
 * stored some of them. `moved`: arrays have other addresses, and both the old and the new ones are
 * multiples of CK_ARRAY_ALIGN. */
bool ck_args_take_seen(uint64_t *slots, const uint64_t *seen, const ck_arg *args, size_t n_args,
                       bool *moved);

#endif
