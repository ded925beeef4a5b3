/* The functions of ckrun's expressions, with NumPy's arguments and NumPy's default dtypes. */
#include "call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

struct function {
    const char *name;
    struct ckrun_value (*evaluate)(struct ckrun_call *call);
    const char *params[6]; /* NULL-terminated; "...": any number */
    int n_required;
};

/* --- Binding -----------------------------------------------------------------------------------
 */

bool
ckrun_call_is_variadic(const struct ckrun_call *call)
{
    return call->n_params == 1 && strcmp(call->params[0], "...") == 0;
}

/* The parameter that a keyword names, or -1 after an error. */
static int
find_param(struct ckrun_call *call, const char *keyword, size_t length)
{
    for (int i = 0; i < call->n_params; i++) {
        const char *param = call->params[i];
        if (strlen(param) == length && memcmp(param, keyword, length) == 0)
            return i;
    }
    char *copy = tool_strndup(keyword, length);
    const char *nearest = ck_nearest_word(copy, call->params, call->n_params);
    ckrun_parse_fail(call->p, keyword, "`%s` has no argument `%s`%s%s%s", call->name, copy,
                     nearest ? "; did you mean `" : "", nearest ? nearest : "",
                     nearest ? "`?" : "");
    free(copy);
    return -1;
}

size_t
ckrun_keyword_length(const struct ckrun_parser *p)
{
    size_t length = ckrun_parse_name(p);
    const char *after = p->at + length;
    while (*after == ' ' || *after == '\t')
        after++;
    return length && after[0] == '=' && after[1] != '=' ? length : 0;
}

/* argument: [NAME '='] expression */
static void
bind_argument(struct ckrun_call *call)
{
    struct ckrun_parser *p = call->p;
    size_t keyword = ckrun_keyword_length(p);
    const char *at = p->at;
    int most = ckrun_call_is_variadic(call) ? CKRUN_MAX_ARGUMENTS : call->n_params;
    int i = call->n_positional;
    if (keyword) {
        i = find_param(call, at, keyword);
        p->at += keyword;
        ckrun_parse_expect(p, '=');
    } else if (i >= most) {
        ckrun_parse_fail(p, at, "`%s` takes at most %d argument%s", call->name, most,
                         most == 1 ? "" : "s");
    } else {
        call->n_positional++;
    }
    if (p->error)
        return;
    if (call->given[i])
        ckrun_parse_fail(p, at, "`%s` is given twice", call->params[i]);
    call->given[i] = true;
    call->value_at[i] = p->at;
    call->value[i] = ckrun_parse_expression(p);
}

/* arguments: [argument {',' argument} [',']] ')' */
static void
bind_arguments(struct ckrun_call *call)
{
    struct ckrun_parser *p = call->p;
    bool keywords = false;
    while (!p->error && *p->at != ')') {
        bool is_keyword = ckrun_keyword_length(p) != 0;
        if (keywords && !is_keyword)
            ckrun_parse_fail(p, p->at, "a positional argument follows a keyword argument");
        keywords = is_keyword;
        bind_argument(call);
        if (!ckrun_parse_accept(p, ','))
            break;
    }
    ckrun_parse_expect(p, ')');
}

static void
require(struct ckrun_call *call, int n_required)
{
    for (int i = 0; i < n_required; i++) {
        if (call->given[i])
            continue;
        if (ckrun_call_is_variadic(call))
            ckrun_parse_fail(call->p, call->at, "`%s` needs an argument", call->name);
        else
            ckrun_parse_fail(call->p, call->at, "`%s` needs the argument `%s`", call->name,
                             call->params[i]);
    }
}

/* --- Common arguments --------------------------------------------------------------------------
 */

ck_dtype
ckrun_dtype_by_name(const char *name, size_t length)
{
    static const struct {
        const char *name;
        ck_dtype dtype;
    } python_names[] = {{"int", CK_INT64}, {"float", CK_FLOAT64}, {"complex", CK_COMPLEX128}};
    char *copy = tool_strndup(name, length);
    ck_dtype dtype = ck_dtype_by_name(copy);
    for (size_t i = 0; i < sizeof python_names / sizeof python_names[0]; i++) {
        if (strcmp(copy, python_names[i].name) == 0)
            dtype = python_names[i].dtype;
    }
    free(copy);
    return dtype;
}

/* Argument `i` as a dtype: bare, quoted, or an array's; `otherwise` if it was not given. */
ck_dtype
ckrun_dtype_argument(struct ckrun_call *call, int i, ck_dtype otherwise)
{
    const struct ckrun_value *v = &call->value[i];
    if (!call->given[i] || v->kind == CKRUN_NONE || call->p->error)
        return otherwise;
    ck_dtype dtype;
    const ck_record *record;
    if (ckrun_take_dtype(v, &dtype, &record) && record)
        ckrun_parse_fail(call->p, call->value_at[i],
                         "`%s` makes no records: there are zeros, zeros_like, empty, array and "
                         "fromfile",
                         call->name);
    else if (!dtype)
        ckrun_parse_fail(call->p, call->value_at[i],
                         "not a dtype; there are bool, int8 to int64, uint8 to uint64, float16, "
                         "bfloat16, float32, float64, complex64, complex128, 'datetime64[D]' and "
                         "'timedelta64[s]'");
    return dtype ? dtype : otherwise;
}

const ck_record *
ckrun_record_argument(const struct ckrun_call *call, int i)
{
    ck_dtype dtype;
    const ck_record *record = NULL;
    if (call->given[i] && !call->p->error)
        ckrun_take_dtype(&call->value[i], &dtype, &record);
    return record;
}

static void
add_dimension(struct ckrun_call *call, int i, int64_t *shape, int *ndim, ckrun_int size)
{
    char buffer[CKRUN_INT_TEXT];
    if (size < 0)
        ckrun_parse_fail(call->p, call->value_at[i], "a dimension of %s is negative",
                         ckrun_int_text(buffer, size));
    else if (size > INT64_MAX)
        ckrun_parse_fail(call->p, call->value_at[i], "a dimension of %s is too large",
                         ckrun_int_text(buffer, size));
    shape[(*ndim)++] = (int64_t)size;
}

/* Argument `i` as a shape: an integer or a tuple. */
int
ckrun_shape_argument(struct ckrun_call *call, int i, int64_t shape[CK_MAX_DIMS])
{
    const struct ckrun_value *v = &call->value[i];
    ckrun_int items[CK_MAX_DIMS];
    const char *why;
    int ndim = 0;
    if (call->p->error)
        return 0;
    int n = v->kind == CKRUN_TUPLE ? ckrun_shape_items(items, v, &why) : 0;
    if (v->kind == CKRUN_INT)
        add_dimension(call, i, shape, &ndim, v->i);
    else if (v->kind == CKRUN_TUPLE && n >= 0)
        for (int dim = 0; dim < n; dim++)
            add_dimension(call, i, shape, &ndim, items[dim]);
    else if (v->kind == CKRUN_TUPLE)
        ckrun_parse_fail(call->p, call->value_at[i], "%s", why);
    else
        ckrun_parse_fail(call->p, call->value_at[i],
                         "a shape is an integer or a tuple of integers: this is %s",
                         ckrun_kind_text(v->kind));
    return ndim;
}

/* Argument `i`, a real number. */
const struct ckrun_value *
ckrun_number_argument(struct ckrun_call *call, int i)
{
    static const struct ckrun_value zero = {.kind = CKRUN_INT};
    const struct ckrun_value *v = &call->value[i];
    if (call->p->error)
        return &zero;
    if (ckrun_is_number(v))
        return v;
    ckrun_parse_fail(call->p, call->value_at[i], "`%s` must be a number: this is %s",
                     ckrun_call_is_variadic(call) ? call->name : call->params[i],
                     ckrun_kind_text(v->kind));
    return &zero;
}

/* The same, for any number. */
const struct ckrun_value *
ckrun_any_number_argument(struct ckrun_call *call, int i)
{
    const struct ckrun_value *v = &call->value[i];
    return v->kind == CKRUN_COMPLEX ? v : ckrun_number_argument(call, i);
}

/* --- The table ---------------------------------------------------------------------------------
 */

static const struct function functions[] = {
    {"zeros", ckrun_call_zeros, {"shape", "dtype", "order"}, 1},
    {"empty", ckrun_call_empty, {"shape", "dtype", "order"}, 1},
    {"ones", ckrun_call_ones, {"shape", "dtype", "order"}, 1},
    {"full", ckrun_call_full, {"shape", "fill_value", "dtype", "order"}, 2},
    {"arange", ckrun_call_arange, {"start", "stop", "step", "dtype"}, 0},
    {"linspace", ckrun_call_linspace, {"start", "stop", "num", "dtype"}, 2},
    {"array", ckrun_call_array, {"object", "dtype"}, 1},
    {"zeros_like", ckrun_call_zeros_like, {"a", "dtype"}, 1},
    {"ones_like", ckrun_call_ones_like, {"a", "dtype"}, 1},
    {"full_like", ckrun_call_full_like, {"a", "fill_value", "dtype"}, 2},
    {"create_xoroshiro128p_states",
     ckrun_call_random_states,
     {"n", "seed", "subsequence_start"},
     2},
    {"len", ckrun_call_len, {"x"}, 1},
    {"min", ckrun_call_min, {"..."}, 1},
    {"max", ckrun_call_max, {"..."}, 1},
    {"uniform", ckrun_call_uniform, {"shape", "dtype", "low", "high", "seed"}, 1},
    {"normal", ckrun_call_normal, {"shape", "dtype", "loc", "scale", "seed"}, 1},
    {"randint", ckrun_call_randint, {"low", "high", "shape", "dtype", "seed"}, 3},
    {"fromfile", ckrun_call_fromfile, {"file", "dtype", "count", "offset"}, 1},
    {"loadtxt", ckrun_call_loadtxt, {"fname", "dtype", "delimiter", "skiprows"}, 1},
    {"sum", ckrun_call_reduce, {"a"}, 1},
    {"prod", ckrun_call_reduce, {"a"}, 1},
    {"mean", ckrun_call_reduce, {"a"}, 1},
    {"all", ckrun_call_reduce, {"a"}, 1},
    {"any", ckrun_call_reduce, {"a"}, 1},
    {"where", ckrun_call_where, {"condition", "x", "y"}, 3},
    {"minimum", ckrun_call_minimum, {"x", "y"}, 2},
    {"maximum", ckrun_call_maximum, {"x", "y"}, 2},
    {"abs", ckrun_call_unary, {"x"}, 1},
    {"sqrt", ckrun_call_unary, {"x"}, 1},
    {"exp", ckrun_call_unary, {"x"}, 1},
    {"log", ckrun_call_unary, {"x"}, 1},
    {"log2", ckrun_call_unary, {"x"}, 1},
    {"log10", ckrun_call_unary, {"x"}, 1},
    {"sin", ckrun_call_unary, {"x"}, 1},
    {"cos", ckrun_call_unary, {"x"}, 1},
    {"tan", ckrun_call_unary, {"x"}, 1},
    {"sinh", ckrun_call_unary, {"x"}, 1},
    {"cosh", ckrun_call_unary, {"x"}, 1},
    {"tanh", ckrun_call_unary, {"x"}, 1},
    {"floor", ckrun_call_unary, {"x"}, 1},
    {"ceil", ckrun_call_unary, {"x"}, 1},
    {"rint", ckrun_call_unary, {"x"}, 1},
};

static const struct function *
find_function(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const char *known = functions[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return &functions[i];
    }
    return NULL;
}

static void
begin_call(struct ckrun_call *call, struct ckrun_parser *p, const char *name, const char *at,
           const char *const *params)
{
    *call = (struct ckrun_call){.p = p, .name = name, .at = at, .params = params};
    while (params[call->n_params])
        call->n_params++;
    bind_arguments(call);
}

static void
evaluate_function(struct ckrun_parser *p, const struct function *function, const char *at,
                  struct ckrun_value *out)
{
    struct ckrun_call call;
    begin_call(&call, p, function->name, at, function->params);
    require(&call, function->n_required);
    if (!p->error)
        *out = function->evaluate(&call);
}

static void
evaluate_cast(struct ckrun_parser *p, ck_dtype dtype, const char *at, struct ckrun_value *out)
{
    static const char *const params[] = {"value", NULL}, *const parts[] = {"real", "imag", NULL},
                             *const counts[] = {"value", "unit", NULL};
    const bool is_date = ckrun_is_date_dtype(dtype);
    struct ckrun_call call;
    begin_call(&call, p, ck_dtype_name(dtype), at,
               is_date                         ? counts
               : ckrun_is_complex_dtype(dtype) ? parts
                                               : params);
    require(&call, 1);
    *out = is_date ? ckrun_call_date(&call, dtype) : ckrun_call_cast(&call, dtype);
}

bool
ckrun_call(struct ckrun_parser *p, const char *name, size_t length, const char *at,
           struct ckrun_value *out)
{
    const bool is_record = length == 6 && memcmp(name, "record", 6) == 0;
    if (is_record || (length == 5 && memcmp(name, "dtype", 5) == 0)) {
        *out = is_record ? ckrun_parse_record(p, at) : ckrun_parse_dtype(p, at);
        return true;
    }
    const struct function *function = find_function(name, length);
    ck_dtype dtype = function ? CK_DTYPE_NONE : ckrun_dtype_by_name(name, length);
    if (function)
        evaluate_function(p, function, at, out);
    else if (dtype)
        evaluate_cast(p, dtype, at, out);
    return function || dtype;
}

bool
ckrun_is_function(const char *name, size_t length)
{
    return find_function(name, length) != NULL;
}

void
ckrun_fail_function(struct ckrun_parser *p, const char *name, size_t length)
{
    enum { N = sizeof functions / sizeof functions[0] };
    const char *names[N + 2] = {"record", "dtype"};
    size_t n = 2;
    char *copy = tool_strndup(name, length);
    for (size_t i = 0; i < N; i++)
        names[n++] = functions[i].name;
    const char *nearest = ck_nearest_word(copy, names, (int)n);
    if (nearest)
        ckrun_parse_fail(p, name, "there is no function `%s`; did you mean `%s`?", copy, nearest);
    else
        ckrun_parse_fail(
            p, name,
            "there is no function `%s`; there are zeros ones full arange linspace "
            "array record dtype uniform normal randint sum sqrt abs and others (ckrun --help), "
            "and every dtype as a cast",
            copy);
    free(copy);
}
