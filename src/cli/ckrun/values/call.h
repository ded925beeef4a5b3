/* Calls in ckrun's expressions: the arguments of a call, and the functions there are. */
#ifndef CALL_H
#define CALL_H

#include "expr.h"

enum { CKRUN_MAX_ARGUMENTS = 16 };

/* A call's arguments, in the order of the function's parameters. */
struct ckrun_call {
    struct ckrun_parser *p;
    const char *name;
    const char *at; /* of the function's name */
    const char *const *params;
    int n_params;
    bool given[CKRUN_MAX_ARGUMENTS];
    struct ckrun_value value[CKRUN_MAX_ARGUMENTS];
    const char *value_at[CKRUN_MAX_ARGUMENTS];
    int n_positional;
};

bool ckrun_call_is_variadic(const struct ckrun_call *call);
/* Argument `i` as a dtype: bare, quoted, or an array's; `otherwise` if it was not given. */
ck_dtype ckrun_dtype_argument(struct ckrun_call *call, int i, ck_dtype otherwise);
/* The record type that argument `i` is; NULL: it is another dtype. */
const ck_record *ckrun_record_argument(const struct ckrun_call *call, int i);
/* Argument `i` as a shape: an integer or a tuple. Returns the number of dimensions. */
int ckrun_shape_argument(struct ckrun_call *call, int i, int64_t shape[CK_MAX_DIMS]);
/* Argument `i`, a real number; any number. */
const struct ckrun_value *ckrun_number_argument(struct ckrun_call *call, int i);
const struct ckrun_value *ckrun_any_number_argument(struct ckrun_call *call, int i);

/* makers.c */
/* Argument 0 as an array; NULL after an error. */
const ck_npy *ckrun_array_argument(struct ckrun_call *call);
struct ckrun_value ckrun_call_zeros(struct ckrun_call *call);
struct ckrun_value ckrun_call_empty(struct ckrun_call *call);
struct ckrun_value ckrun_call_ones(struct ckrun_call *call);
struct ckrun_value ckrun_call_full(struct ckrun_call *call);
struct ckrun_value ckrun_call_arange(struct ckrun_call *call);
struct ckrun_value ckrun_call_linspace(struct ckrun_call *call);
struct ckrun_value ckrun_call_array(struct ckrun_call *call);
struct ckrun_value ckrun_call_zeros_like(struct ckrun_call *call);
struct ckrun_value ckrun_call_ones_like(struct ckrun_call *call);
struct ckrun_value ckrun_call_full_like(struct ckrun_call *call);
struct ckrun_value ckrun_call_random_states(struct ckrun_call *call);

/* random_array.c */
struct ckrun_value ckrun_call_uniform(struct ckrun_call *call);
struct ckrun_value ckrun_call_normal(struct ckrun_call *call);
struct ckrun_value ckrun_call_randint(struct ckrun_call *call);

/* functions.c */
struct ckrun_value ckrun_call_unary(struct ckrun_call *call);
struct ckrun_value ckrun_call_where(struct ckrun_call *call);
struct ckrun_value ckrun_call_minimum(struct ckrun_call *call);
struct ckrun_value ckrun_call_maximum(struct ckrun_call *call);
struct ckrun_value ckrun_call_len(struct ckrun_call *call);
struct ckrun_value ckrun_call_min(struct ckrun_call *call);
struct ckrun_value ckrun_call_max(struct ckrun_call *call);
/* float32(2.5), complex64(1, 2): the number, which keeps that dtype. */
struct ckrun_value ckrun_call_date(struct ckrun_call *call, ck_dtype dtype);
struct ckrun_value ckrun_call_cast(struct ckrun_call *call, ck_dtype dtype);

/* files.c */
struct ckrun_value ckrun_call_fromfile(struct ckrun_call *call);
struct ckrun_value ckrun_call_loadtxt(struct ckrun_call *call);

/* reduce.c */
struct ckrun_value ckrun_call_reduce(struct ckrun_call *call);
/* Reduces an array to a number by the function called `name`, from its `(` on. Returns false if
 * there is none of that name. */
bool ckrun_reduce(struct ckrun_parser *p, const char *name, size_t length, const ck_npy *of,
                  struct ckrun_value *out);

#endif
