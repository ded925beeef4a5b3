/* The limits of number types, `np.finfo(np.float32).eps` and `np.iinfo(np.int32).max`, and numbers
 * that Python writes as strings, `float("inf")`. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "lang/check/builtins/rules.h"

/* --- finfo and iinfo -----------------------------------------------------------------------------
 */

struct ck_value
ck_rule_type_info(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = call->syntax->call.args[0].value;
    struct ck_value value = ck_check_expr(fn, syntax);
    const struct ck_type *type = NULL;
    bool is_float = call->id == CK_BUILTIN_FINFO;
    if (value.kind == CK_VALUE_ERROR)
        return value;
    if (value.kind == CK_VALUE_BUILTIN && value.builtin == CK_BUILTIN_FLOAT)
        type = ck_type_scalar(CK_TYPE_FLOAT64);
    else if (value.kind == CK_VALUE_BUILTIN && value.builtin == CK_BUILTIN_INT)
        type = ck_type_scalar(CK_TYPE_INT64);
    else if (value.kind == CK_VALUE_TYPE || value.kind == CK_VALUE_RUN)
        type = ck_storage_type(&fn->c->types, value.type);
    if (type && ck_type_is_complex(type))
        type = ck_type_part(type);
    bool fits = type && (is_float ? ck_type_is_float(type) : ck_type_is_int(type));
    if (!fits) {
        ck_error(fn, WRONG_TYPE, syntax->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes %s type", ck_builtin_path(call->id),
                                 is_float ? "a float" : "an integer"));
        return ck_value_error(call->syntax->span);
    }
    return (struct ck_value){
        .kind = CK_VALUE_BUILTIN, .builtin = call->id, .type = type, .span = call->syntax->span};
}

/* The format of a float type: bits of the significand without the leading one, and the exponents of
 * the largest and of the least normal number. */
struct format {
    int significand, most, least;
};

static struct format
format_of(const struct ck_type *type)
{
    switch (type->kind) {
    case CK_TYPE_FLOAT16:
        return (struct format){10, 15, -14};
    case CK_TYPE_BFLOAT16:
        return (struct format){7, 127, -126};
    case CK_TYPE_FLOAT32:
        return (struct format){23, 127, -126};
    default:
        return (struct format){52, 1023, -1022};
    }
}

static bool
float_limit(const struct ck_type *type, const char *name, double *out)
{
    const struct format format = format_of(type);
    const double largest = ldexp(2 - ldexp(1, -format.significand), format.most);
    const struct {
        const char *name;
        double value;
    } limits[] = {
        {"eps", ldexp(1, -format.significand)},
        {"epsneg", ldexp(1, -format.significand - 1)},
        {"max", largest},
        {"min", -largest},
        {"tiny", ldexp(1, format.least)},
        {"smallest_normal", ldexp(1, format.least)},
        {"smallest_subnormal", ldexp(1, format.least - format.significand)},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        *out = limits[i].value;
        if (strcmp(limits[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Limits of an integer type are Python's integers, as literals. */
static struct ck_value
integer_limit(struct ck_fn *fn, const struct ck_type *type, bool is_most, struct ck_span span)
{
    int64_t low, high;
    ck_int_range(type, &low, &high);
    if (is_most && type->kind == CK_TYPE_UINT64)
        return ck_value_run(type, ck_const_int(fn, type, -1, span));
    return ck_value_int(fn, is_most ? high : low, span);
}

struct ck_value
ck_type_info_attribute(struct ck_fn *fn, const struct ck_value *info, const struct ck_expr *expr)
{
    const char *name = expr->attribute.name;
    const struct ck_type *type = info->type;
    double limit;
    if (strcmp(name, "bits") == 0)
        return ck_value_int(fn, ck_type_bits(type), expr->span);
    if (info->builtin == CK_BUILTIN_FINFO && float_limit(type, name, &limit))
        return ck_value_run(type, ck_const_float(fn, type, limit, expr->span));
    if (info->builtin == CK_BUILTIN_IINFO && (strcmp(name, "max") == 0 || strcmp(name, "min") == 0))
        return integer_limit(fn, type, strcmp(name, "max") == 0, expr->span);
    ck_error(fn, NO_ATTRIBUTE, expr->attribute.name_span,
             ck_arena_printf(fn->c->arena, "`%s(%s)`", ck_builtin_path(info->builtin),
                             ck_text_of(fn, type)),
             name);
    return ck_value_error(expr->span);
}

/* --- Numbers as strings --------------------------------------------------------------------------
 */

struct ck_value
ck_float_of_string(struct ck_fn *fn, const struct ck_expr *string, const struct ck_type *type)
{
    const char *text = string->string.bytes;
    double sign = *text == '-' ? -1 : 1, value = NAN;
    text += *text == '-' || *text == '+';
    if (strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0) {
        value = sign * INFINITY;
    } else if (strcasecmp(text, "nan") != 0) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, string->span,
                     "of strings only \"inf\", \"-inf\" and \"nan\" are numbers");
        ck_diag_help(fn->c->diags, diag, "write the number without quotes");
        return ck_value_error(string->span);
    }
    const struct ck_type *stored = ck_storage_type(&fn->c->types, type);
    return ck_value_run(type, ck_const_float(fn, stored, value, string->span));
}
