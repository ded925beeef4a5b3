/* Functions shared by the readers of expressions: scan.c, arithmetic.c, expr.c, define.c,
 * parse_launch.c. */
#ifndef CKRUN_EXPR_H
#define CKRUN_EXPR_H

#include "../ckrun.h"

/* --- scan.c ------------------------------------------------------------------------------------
 */

void ckrun_skip_space(struct ckrun_parser *p);
bool ckrun_is_name_byte(char c);
/* Consumes `op` and the space around it if it comes next; returns whether it did. */
bool ckrun_accept_operator(struct ckrun_parser *p, const char *op);
/* Reports that something else was expected here. */
void ckrun_fail_unexpected(struct ckrun_parser *p, const char *wanted);
/* Reports text that follows the expression. */
void ckrun_expect_end(struct ckrun_parser *p);
/* A literal of digits, `p->at` being at its first one. */
struct ckrun_value ckrun_scan_number(struct ckrun_parser *p);

/* --- arithmetic.c ------------------------------------------------------------------------------
 */

enum ckrun_operator {
    CKRUN_ADD,
    CKRUN_SUBTRACT,
    CKRUN_MULTIPLY,
    CKRUN_DIVIDE,
    CKRUN_FLOOR_DIVIDE,
    CKRUN_REMAINDER,
    CKRUN_POWER,
    CKRUN_MATRIX_PRODUCT,
    CKRUN_BIT_AND,
    CKRUN_BIT_OR,
    CKRUN_BIT_XOR,
    CKRUN_SHIFT_LEFT,
    CKRUN_SHIFT_RIGHT,
    CKRUN_LESS, /* comparisons from here on; those that need an order come first */
    CKRUN_LESS_EQUAL,
    CKRUN_GREATER,
    CKRUN_GREATER_EQUAL,
    CKRUN_EQUAL,
    CKRUN_NOT_EQUAL
};

/* A binary operation: of plain numbers as Python has it, of others as NumPy does. */
struct ckrun_value ckrun_operate(struct ckrun_parser *p, const char *at, enum ckrun_operator op,
                                 struct ckrun_value a, struct ckrun_value b);

/* `~v`. */
struct ckrun_value ckrun_invert(struct ckrun_parser *p, const char *at, struct ckrun_value v);
struct ckrun_value ckrun_negate(struct ckrun_parser *p, const char *at, struct ckrun_value v);
/* The exponent is not negative. True on overflow. */
bool ckrun_int_power(ckrun_int *out, ckrun_int base, ckrun_int exponent);
double ckrun_combine_floats(enum ckrun_operator op, double a, double b);

/* --- expr.c ------------------------------------------------------------------------------------
 */

/* Python's truth of a number, or of an array of one element; others are errors at `at`. */
bool ckrun_truth(struct ckrun_parser *p, const char *at, const struct ckrun_value *v);

/* --- elementwise.c -----------------------------------------------------------------------------
 */

/* NumPy's dtype for values of both. */
ck_dtype ckrun_common_dtype(ck_dtype a, ck_dtype b);
/* The same where an operand is an array or has a dtype. */
struct ckrun_value ckrun_operate_typed(struct ckrun_parser *p, const char *at,
                                       enum ckrun_operator op, const struct ckrun_value *a,
                                       const struct ckrun_value *b);
/* values[1] where values[0] is true, else values[2], in the shape that the three broadcast to. */
struct ckrun_value ckrun_select(struct ckrun_parser *p, const char *at, const ck_npy *shape,
                                const struct ckrun_value values[3]);
struct ckrun_value ckrun_matrix_product(struct ckrun_parser *p, const char *at,
                                        const struct ckrun_value *left,
                                        const struct ckrun_value *right);

/* --- view.c ------------------------------------------------------------------------------------
 */

/* Where the elements of a view are, from the first element of another array on: in bytes. */
struct ckrun_layout {
    ck_dtype dtype;
    const ck_record *record; /* of CK_RECORD */
    int ndim;
    int64_t shape[CK_MAX_DIMS], strides[CK_MAX_DIMS];
    int64_t offset;
};

struct ckrun_value ckrun_view(struct ckrun_parser *p, const char *at, const struct ckrun_array *of,
                              const struct ckrun_layout *layout);
/* A view with the dimensions in reverse order. */
struct ckrun_value ckrun_transpose(struct ckrun_parser *p, const char *at,
                                   const struct ckrun_array *of);
/* A view with another shape of as many elements; a copy where no view has it. */
struct ckrun_value ckrun_reshape(struct ckrun_parser *p, const char *at,
                                 const struct ckrun_array *of, int ndim, const int64_t *shape);

/* --- indexing.c -------------------------------------------------------------------------------
 */

/* subscript: '[' index {',' index} ']', from its `[` at `p->at`, of an array or a tuple. */
struct ckrun_value ckrun_parse_subscript(struct ckrun_parser *p, const struct ckrun_value *of);

/* --- record_value.c ----------------------------------------------------------------------------
 */

/* Reports an operation on numbers whose operand is an array of records; false: it is another. */
bool ckrun_refuse_records(struct ckrun_parser *p, const char *at, const ck_npy *array);
/* The same for dates and times by their dtype, which the function above refuses too. */
bool ckrun_refuse_dates(struct ckrun_parser *p, const char *at, ck_dtype dtype);
/* The field of that name of an array of records: a view, or of one record by itself a number.
 * False: there is none. */
bool ckrun_field(struct ckrun_parser *p, const char *at, const char *name, size_t length,
                 const struct ckrun_array *array, struct ckrun_value *out);

/* Reports that the records have no field of the name. */
void ckrun_fail_field(struct ckrun_parser *p, const char *at, const char *name, size_t length,
                      const ck_record *record);

/* --- Values ------------------------------------------------------------------------------------
 */

static inline struct ckrun_value
ckrun_int_value(ckrun_int i)
{
    return (struct ckrun_value){.kind = CKRUN_INT, .i = i};
}

static inline struct ckrun_value
ckrun_float_value(double f)
{
    return (struct ckrun_value){.kind = CKRUN_FLOAT, .f = f};
}

static inline struct ckrun_value
ckrun_complex_value(double re, double im)
{
    return (struct ckrun_value){.kind = CKRUN_COMPLEX, .f = re, .im = im};
}

#endif
