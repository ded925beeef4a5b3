/* Functions shared by the readers of expressions: scan.c, arithmetic.c, expr.c, define.c,
 * parse_launch.c. */
#ifndef CKRUN_EXPR_H
#define CKRUN_EXPR_H

#include "ckrun.h"

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
    CKRUN_POWER
};

/* A binary operation on plain numbers; casts of the operands do not affect it. */
struct ckrun_value ckrun_operate(struct ckrun_parser *p, const char *at, enum ckrun_operator op,
                                 struct ckrun_value a, struct ckrun_value b);

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
