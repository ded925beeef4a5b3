/* Inside the names of NumPy and math: a row of numpy.def, and the types in which it computes. */
#ifndef CK_NUMPY_H
#define CK_NUMPY_H

#include "lang/check/builtins/rules.h"

/* The type to which a kind of type is converted. */
enum ck_numpy_taken {
    CK_NUMPY_REFUSED,
    CK_NUMPY_AS_IT_IS,
    CK_NUMPY_AS_INT8,
    CK_NUMPY_AS_FLOAT,
    CK_NUMPY_AS_FLOAT64,
    CK_NUMPY_AS_WIDE
};

struct ck_numpy_typing {
    enum ck_numpy_taken bools, ints, floats, complexes;
    const char *wanted; /* "integers" */
    bool is_python;     /* as Python's `math`: see MATH in numpy.c */
};

struct ck_numpy_call;
typedef struct ck_value ck_numpy_form_fn(struct ck_numpy_call *call);

struct ck_numpy {
    const char *path, *params;
    const struct ck_numpy_typing *typing;
    ck_numpy_form_fn *form;
    int what; /* ck_binary_op, ck_compare_op or ck_builtin_id */
};

enum { CK_NUMPY_MAX_PARAMS = 5 };

/* A call of a row. Absent arguments have the kind NONE. */
struct ck_numpy_call {
    struct ck_fn *fn;
    const struct ck_numpy *row;
    const struct ck_expr *syntax;
    struct ck_value args[CK_NUMPY_MAX_PARAMS];
    int n_params;
};

static inline struct ck_value
ck_numpy_failed(const struct ck_numpy_call *call)
{
    return ck_value_error(call->syntax->span);
}

/* --- Types (numpy_type.c) ------------------------------------------------------------------------
 */

struct ck_value ck_numpy_wrong_argument(const struct ck_numpy_call *call,
                                        const struct ck_value *value);
/* The type in which the first n arguments are computed. NULL after an error. */
const struct ck_type *ck_numpy_operand_type(struct ck_numpy_call *call, int n);
/* Converts to `type`. A literal that does not fit is an error: false. */
bool ck_numpy_convert(struct ck_fn *fn, struct ck_value *value, const struct ck_type *type);
/* Converts the first n arguments to the type in which they are computed, and returns it. NULL after
 * an error. */
const struct ck_type *ck_numpy_take_operands(struct ck_numpy_call *call, int n);
bool ck_numpy_all_literals(const struct ck_numpy_call *call, int n);
/* A result in NumPy's result type. */
struct ck_value ck_numpy_as_result(struct ck_fn *fn, struct ck_value value,
                                   const struct ck_type *type);
/* Warns of a float64 that neither argument has and nothing in the text requests. */
void ck_numpy_warn_float64(struct ck_numpy_call *call, const struct ck_type *type,
                           enum ck_binary_op op);

/* --- Dates and times (numpy_dates.c) -------------------------------------------------------------
 */

/* What a row is of dates: by its form. */
enum ck_numpy_date_form {
    CK_NUMPY_DATE_OPERATOR,
    CK_NUMPY_DATE_COMPARISON,
    CK_NUMPY_DATE_WHERE,
    CK_NUMPY_DATE_CLIP,
    CK_NUMPY_DATE_SAME,
    CK_NUMPY_DATE_FUNCTION,
};

/* A call that has a date or time among its arguments. */
struct ck_value ck_numpy_of_dates(const struct ck_numpy_call *call, enum ck_numpy_date_form form);

/* --- Complex numbers (cmath.c) -------------------------------------------------------------------
 */

/* The function of cmath called `name`, of the first argument. */
struct ck_value ck_cmath_named(struct ck_numpy_call *call, const char *name);
ck_numpy_form_fn ck_complex_conjugate, ck_complex_part_of, ck_complex_angle;
ck_numpy_form_fn ck_cmath_function, ck_cmath_log, ck_cmath_rect, ck_cmath_isclose;

#endif
