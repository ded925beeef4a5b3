/* Converts the arguments of a launch for the kernel, and copies arrays to and from the device. */
#include "ckrun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "base/limits.h"

/* --- Errors -------------------------------------------------------------------------------
 */

/* Whether the launch failed with diagnostics of what it did: a GPU's failed assertion has none. */
static bool
is_of_finding(const struct ckrun_session *session, ck_status status)
{
    bool has_error = false;
    for (size_t i = 0; i < ck_context_n_diagnostics(session->ctx); i++)
        has_error = has_error || ck_context_diagnostic(session->ctx, i)->severity == CK_ERROR;
    return status == CK_ERROR_CHECK ||
           (has_error && (status == CK_ERROR_BARRIER || status == CK_ERROR_ASSERT));
}

int
ckrun_launch_failed(struct ckrun_session *session, const struct ckrun_launch *launch,
                    ck_status status)
{
    size_t errors = session->counts.errors;
    int exit_status = TOOL_FAILED;
    if (is_of_finding(session, status)) {
        ckrun_print_findings(session, launch);
        return exit_status;
    }
    ckrun_print_diagnostics(session, launch);
    const bool has_diagnostics = status == CK_ERROR_PROGRAM && session->counts.errors > errors;
    if (!has_diagnostics)
        exit_status = tool_fail(session->ctx, status);
    if (!has_diagnostics || tool_report_is_text())
        ckrun_print_launch(launch);
    return exit_status;
}

/* --- Arguments ---------------------------------------------------------------------------------
 */

/* A launch's argument, or an item of one: a tuple is followed by its items. */
struct entry {
    struct ckrun_value value;
    size_t top; /* the index of its argument */
};

/* The arguments of a launch, in the form that ck_launch takes. */
struct arguments {
    struct entry *entries;
    ck_arg *args;
    ck_array *arrays; /* what `args` points to */
    size_t n;
};

static void
arguments_release(struct arguments *arguments)
{
    free(arguments->entries);
    free(arguments->args);
    free(arguments->arrays);
}

static ck_array
describe_array(const struct ckrun_array *array)
{
    const ck_npy *host = &array->host;
    ck_array a = {.dtype = host->dtype, .ndim = host->ndim, .record = host->record};
    memcpy(a.shape, host->shape, sizeof a.shape);
    ckrun_strides(array, a.strides);
    return a;
}

/* None or a default value, for which a kernel is specialised. */
static bool
is_mark(const struct ckrun_value *v)
{
    return v->kind == CKRUN_NONE || v->kind == CKRUN_DEFAULT;
}

static bool
is_zero_dim(const struct ckrun_value *v)
{
    return v->kind == CKRUN_ARRAY && v->array->host.ndim == 0 && !v->array->host.record;
}

/* The number of an array without dimensions. */
static struct ckrun_value
number_of(const struct ckrun_value *v)
{
    struct ckrun_element e = ckrun_load(&v->array->host, 0);
    return ckrun_number_of(&e);
}

static void
add_entry(struct arguments *arguments, const struct ckrun_value *v, size_t top)
{
    struct entry entry = {*v, top};
    arguments->entries =
        tool_grow(arguments->entries, arguments->n + 1, sizeof *arguments->entries);
    arguments->entries[arguments->n++] = entry;
    for (int i = 0; v->kind == CKRUN_TUPLE && i < v->tuple.n; i++)
        add_entry(arguments, &v->tuple.items[i], top);
}

/* Whether a parameter of `dtype` takes the plain number: a float is no integer, and 2 is no bool.
 */
static bool
takes(ck_dtype dtype, const struct ckrun_value *v)
{
    struct ckrun_element ignored;
    char *error = NULL;
    bool whole = v->kind == CKRUN_INT || v->kind == CKRUN_BOOL;
    if ((ckrun_is_int_dtype(dtype) && !whole) || ckrun_is_date_dtype(dtype))
        return false;
    if (dtype == CK_BOOL && v->i != 0 && v->i != 1)
        return false;
    bool fits = ckrun_convert(&ignored, dtype, v, &error);
    free(error);
    return fits;
}

static ck_arg
number_arg(ck_dtype dtype, const struct ckrun_value *v)
{
    ck_arg arg = {.scalar = dtype};
    if (ckrun_is_complex_dtype(dtype))
        arg.value.c = (ck_complex){ckrun_as_float(v), v->kind == CKRUN_COMPLEX ? v->im : 0};
    else if (!ckrun_is_int_dtype(dtype))
        arg.value.f = ckrun_as_float(v);
    else if (dtype >= CK_UINT8)
        arg.value.u = (uint64_t)v->i;
    else
        arg.value.i = (int64_t)v->i;
    return arg;
}

/* The dtype of a plain number if the kernel declares none. */
static ck_dtype
default_dtype(const struct ckrun_value *v)
{
    if (v->kind == CKRUN_BOOL)
        return CK_BOOL;
    if (v->kind == CKRUN_COMPLEX)
        return CK_COMPLEX128;
    return v->kind == CKRUN_FLOAT ? CK_FLOAT64 : CK_INT64;
}

/* Whether the dtype is of the number's own kind. */
static bool
is_own_kind(ck_dtype dtype, const struct ckrun_value *v)
{
    if (v->kind == CKRUN_COMPLEX || ckrun_is_complex_dtype(dtype))
        return v->kind == CKRUN_COMPLEX && ckrun_is_complex_dtype(dtype);
    return (v->kind == CKRUN_FLOAT) == !ckrun_is_int_dtype(dtype);
}

/* Whether the signature has tuples where the arguments have. */
static bool
has_same_tuples(const ck_kernel_desc *desc, const struct arguments *given)
{
    bool same = !desc->generic && (size_t)desc->n_params == given->n;
    for (size_t i = 0; same && i < given->n; i++) {
        const struct ckrun_value *v = &given->entries[i].value;
        same = v->kind == CKRUN_TUPLE
                   ? desc->params[i].dtype == CK_TUPLE && desc->params[i].n_items == v->tuple.n
                   : desc->params[i].dtype != CK_TUPLE;
    }
    return same;
}

/* The dimensions of an array of numbers that the parameter takes. */
static int
dims_of(const ck_param_info *param)
{
    if (!param->lanes)
        return param->ndim;
    return param->ndim == CK_ZERO_DIM ? 1 : param->ndim + 1;
}

/* Whether dimensions and elements fit; those of records for vectors are left to the launch. */
static bool
has_shape_of(const ck_param_info *param, const ck_npy *array)
{
    const int ndim = array->ndim ? array->ndim : CK_ZERO_DIM;
    if (param->lanes && array->record)
        return param->ndim == ndim;
    return dims_of(param) == ndim && param->dtype == array->dtype &&
           (!param->lanes || array->shape[ndim - 1] == param->lanes);
}

/* How well a signature fits the arguments: -1 not at all; else the count of numbers of the
 * parameter's own kind, where an array without dimensions counts twice if it is passed as one. */
static int
score(const ck_kernel_desc *desc, const struct arguments *given)
{
    int points = 0;
    if (!has_same_tuples(desc, given))
        return -1;
    for (size_t i = 0; i < given->n; i++) {
        const ck_param_info *param = &desc->params[i];
        const struct ckrun_value *v = &given->entries[i].value;
        struct ckrun_value number;
        if (v->kind == CKRUN_TUPLE)
            continue;
        if (is_mark(v))
            return -1;
        if (is_zero_dim(v) && param->ndim == CK_ZERO_DIM) {
            if (param->dtype != v->array->host.dtype)
                return -1;
            points += 2;
            continue;
        }
        if (is_zero_dim(v)) {
            number = number_of(v);
            v = &number;
        }
        if (v->kind == CKRUN_ARRAY) {
            const ck_npy *host = &v->array->host;
            if (!has_shape_of(param, host))
                return -1;
        } else if (param->ndim || (v->dtype && v->dtype != param->dtype) ||
                   (!v->dtype && !takes(param->dtype, v))) {
            return -1;
        } else {
            points += is_own_kind(param->dtype, v);
        }
    }
    return points;
}

/* The signature whose types the launch's plain numbers take: the only one, or the best of several;
 * NULL if the numbers keep their own types. */
static const ck_kernel_desc *
choose_signature(const struct ckrun_session *session, const struct ckrun_launch *launch,
                 const struct arguments *given)
{
    const ck_kernel_desc *only = NULL, *best = NULL;
    int n_signatures = 0, best_score = -1;
    for (size_t i = 0; i < ck_module_n_kernels(session->module); i++) {
        const ck_kernel_desc *desc = ck_module_kernel(session->module, i);
        if (strcmp(desc->name, launch->kernel) != 0 || desc->generic)
            continue;
        only = desc;
        n_signatures++;
        int points = score(desc, given);
        if (points > best_score) {
            best_score = points;
            best = desc;
        }
    }
    return n_signatures == 1 && has_same_tuples(only, given) ? only : best;
}

/* The name of argument `top`, which every signature of the kernel shares; "" if it has none. */
static const char *
param_name(const struct ckrun_session *session, const struct ckrun_launch *launch, size_t top)
{
    for (size_t k = 0; k < ck_module_n_kernels(session->module); k++) {
        const ck_kernel_desc *desc = ck_module_kernel(session->module, k);
        int i = 0;
        if (strcmp(desc->name, launch->kernel) != 0)
            continue;
        for (size_t n = top; n > 0 && i < desc->n_params; n--)
            i = ckrun_after_param(desc, i);
        if (i < desc->n_params)
            return desc->params[i].name ? desc->params[i].name : "";
    }
    return "";
}

static bool
fail_number(const struct ckrun_session *session, const struct ckrun_launch *launch,
            const ck_param_info *param, const struct ckrun_value *v)
{
    char buffer[CKRUN_ELEMENT_TEXT], digits[CKRUN_INT_TEXT];
    bool complex = v->kind == CKRUN_COMPLEX;
    struct ckrun_element e = {
        .dtype = complex ? CK_COMPLEX128 : CK_FLOAT64, .re = v->f, .im = complex ? v->im : 0};
    const char *number = complex || v->kind == CKRUN_FLOAT ? ckrun_element_text(buffer, &e)
                                                           : ckrun_int_text(digits, v->i);
    tool_error("argument `%s` of `%s` is %s, which %s cannot hold", param->name, launch->kernel,
               number, ck_dtype_name(param->dtype));
    ckrun_print_launch(launch);
    return false;
}

/* The dtype of an argument's floats, or of its parts; NONE: it has none, or a type of its own to
 * take. */
static ck_dtype
float_dtype(const struct ckrun_value *v)
{
    ck_dtype dtype = v->kind == CKRUN_ARRAY ? v->array->host.dtype : v->dtype;
    switch (dtype) {
    case CK_FLOAT16:
    case CK_BFLOAT16:
    case CK_FLOAT32:
    case CK_FLOAT64:
        return dtype;
    case CK_COMPLEX64:
        return CK_FLOAT32;
    case CK_COMPLEX128:
        return CK_FLOAT64;
    default:
        return CK_DTYPE_NONE;
    }
}

/* The common type of two types of floats, as in the language. */
static ck_dtype
common_float(ck_dtype a, ck_dtype b)
{
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    return a == CK_FLOAT64 || b == CK_FLOAT64 ? CK_FLOAT64 : CK_FLOAT32;
}

/* The type that the plain floats of a generic kernel's launch take from the other arguments: they
 * are weak, as literals in the language. */
static ck_dtype
weak_dtype(const struct arguments *given)
{
    ck_dtype common = CK_DTYPE_NONE;
    for (size_t i = 0; i < given->n; i++)
        common = common_float(common, float_dtype(&given->entries[i].value));
    return common;
}

/* Whether numbers of `dtype` can be near the plain number: not, if it would become infinite. */
static bool
reaches(ck_dtype dtype, const struct ckrun_value *v)
{
    struct ckrun_element e = {.dtype = dtype};
    char *error = NULL;
    bool fits = ckrun_convert(&e, dtype, v, &error);
    free(error);
    return fits && isinf(e.re) == isinf(v->f) && isinf(e.im) == isinf(v->im);
}

/* The type of a plain number of a generic kernel's launch whose other floats have type `weak`: its
 * own if that does not reach it. */
static ck_dtype
dtype_beside(const struct ckrun_value *v, ck_dtype weak)
{
    ck_dtype own = default_dtype(v), narrow = CK_DTYPE_NONE;
    if (own == CK_FLOAT64)
        narrow = weak;
    else if (own == CK_COMPLEX128 && weak && weak != CK_FLOAT64)
        narrow = CK_COMPLEX64;
    return narrow && reaches(narrow, v) ? narrow : own;
}

/* A number for the parameter (NULL: the signature has none for it). The library reports a number
 * that no conversion fits, with a message that shows both. False after a message. */
static bool
make_number(const struct ckrun_session *session, const struct ckrun_launch *launch,
            const ck_param_info *param, ck_dtype weak, const struct entry *entry, ck_arg *out)
{
    const struct ckrun_value *v = &entry->value;
    ck_param_info by_default = {.name = param_name(session, launch, entry->top),
                                .dtype = dtype_beside(v, weak)};
    if (v->dtype) {
        *out = number_arg(v->dtype, v);
        return true;
    }
    if (!param || param->ndim)
        param = &by_default;
    if (!takes(param->dtype, v))
        return fail_number(session, launch, param, v);
    *out = number_arg(param->dtype, v);
    return true;
}

/* The parameter of a generic kernel for an argument; NULL: the kernel is not generic. */
static const ck_param_info *
generic_param(const struct ckrun_session *session, const struct ckrun_launch *launch, size_t top)
{
    for (size_t k = 0; k < ck_module_n_kernels(session->module); k++) {
        const ck_kernel_desc *desc = ck_module_kernel(session->module, k);
        if (strcmp(desc->name, launch->kernel) == 0)
            return desc->generic && top < (size_t)desc->n_params ? &desc->params[top] : NULL;
    }
    return NULL;
}

/* An array without dimensions is passed as a number, but where the parameter is such an array, or
 * one of a generic kernel that is indexed like one. */
static void
settle_zero_dims(const struct ckrun_session *session, const struct ckrun_launch *launch,
                 const ck_kernel_desc *desc, struct arguments *given)
{
    for (size_t i = 0; i < given->n; i++) {
        struct entry *entry = &given->entries[i];
        const bool is_item = (i > 0 && given->entries[i - 1].top == entry->top) ||
                             (i + 1 < given->n && given->entries[i + 1].top == entry->top);
        const ck_param_info *param = desc      ? &desc->params[i]
                                     : is_item ? NULL
                                               : generic_param(session, launch, entry->top);
        if (is_zero_dim(&entry->value) && !(param && param->ndim == CK_ZERO_DIM))
            entry->value = number_of(&entry->value);
    }
}

/* False after a message. */
static bool
make_arguments(const struct ckrun_session *session, const struct ckrun_launch *launch,
               struct arguments *out)
{
    *out = (struct arguments){0};
    for (size_t i = 0; i < launch->n_args; i++)
        add_entry(out, &launch->args[i].value, i);
    const ck_kernel_desc *desc = choose_signature(session, launch, out);
    settle_zero_dims(session, launch, desc, out);
    ck_dtype weak = weak_dtype(out);
    out->args = tool_alloc(out->n * sizeof *out->args);
    out->arrays = tool_alloc(out->n * sizeof *out->arrays);
    bool good = true;
    for (size_t i = 0; i < out->n && good; i++) {
        const struct ckrun_value *v = &out->entries[i].value;
        ck_arg *arg = &out->args[i];
        if (v->kind == CKRUN_ARRAY) {
            out->arrays[i] = describe_array(v->array);
            *arg = (ck_arg){.value.array = &out->arrays[i]};
            good = ckrun_find_address(session, launch, v->array, &out->arrays[i].data);
        } else if (v->kind == CKRUN_ADDRESS) {
            *arg = (ck_arg){.scalar = CK_UINT64};
            good = ckrun_find_address(session, launch, v->array, &arg->value.u);
        } else if (v->kind == CKRUN_TUPLE) {
            *arg = (ck_arg){.scalar = CK_TUPLE, .value.u = (uint64_t)v->tuple.n};
        } else if (is_mark(v)) {
            *arg = (ck_arg){.scalar = v->kind == CKRUN_NONE ? CK_NONE : CK_DEFAULT};
        } else {
            good = make_number(session, launch, desc ? &desc->params[i] : NULL, weak,
                               &out->entries[i], arg);
        }
    }
    if (!good)
        arguments_release(out);
    return good;
}

/* --- What to type instead ----------------------------------------------------------------------
 */

/* `zeros(SHAPE)` and `ones(SHAPE)`, without a dtype. */
static bool
lacks_dtype(const char *text)
{
    int depth = 0;
    if (strncmp(text, "zeros(", 6) != 0 && strncmp(text, "ones(", 5) != 0)
        return false;
    for (; *text; text++) {
        depth += *text == '(' || *text == '[';
        depth -= *text == ')' || *text == ']';
        if ((*text == ',' && depth == 1) || (depth == 0 && *text == ')' && text[1]))
            return false;
    }
    return depth == 0;
}

/* `.reshape(...)` to so many dimensions: new dimensions come first, with length 1; excess ones are
 * merged into the first. */
static void
print_reshape(const ck_npy *array, int ndim)
{
    tool_detail(".reshape(");
    for (int i = array->ndim; i < ndim; i++)
        tool_detail("1, ");
    tool_detail("-1");
    int kept = array->ndim < ndim ? array->ndim : ndim;
    for (int i = array->ndim - kept + 1; i < array->ndim; i++)
        tool_detail(", %lld", (long long)array->shape[i]);
    tool_detail(")");
}

/* `.reshape(...)` to rows of a vector's numbers. */
static void
print_rows(const ck_param_info *param)
{
    tool_detail(".reshape(");
    for (int i = 1; i < param->ndim; i++)
        tool_detail("1, ");
    tool_detail("%s%d)", param->ndim == CK_ZERO_DIM ? "" : "-1, ", param->lanes);
}

/* Whether the array's elements make rows of a vector's numbers. */
static bool
has_rows(const ck_param_info *param, const ck_npy *array)
{
    int64_t n = 1;
    for (int i = 0; i < array->ndim; i++)
        n *= array->shape[i];
    return !array->record &&
           (param->ndim == CK_ZERO_DIM ? n == param->lanes : n % param->lanes == 0);
}

/* Suggests a definition of the named array that fits the parameter. */
static void
suggest_array(const struct ckrun_name *name, const ck_npy *array, const ck_param_info *param)
{
    const char *wanted = ck_dtype_name(param->dtype), *text = name->text;
    const char quote = strchr(text, '\'') ? '"' : '\''; /* the shell's */
    bool same_ndim = (array->ndim ? array->ndim : CK_ZERO_DIM) == dims_of(param);
    bool same_rows = !param->lanes || (same_ndim && array->shape[array->ndim - 1] == param->lanes);
    if (param->lanes && !has_rows(param, array))
        return;
    same_ndim = same_ndim && same_rows;
    if (same_ndim && !name->is_file && lacks_dtype(text)) {
        tool_detail("  write %c%s=%.*s, %s)%c\n", quote, name->name, (int)strlen(text) - 1, text,
                    wanted, quote);
        return;
    }
    if (name->is_file)
        tool_detail("  write %c%s_file=%s%c %c%s=%s_file", quote, name->name, text, quote, quote,
                    name->name, name->name);
    else
        tool_detail("  write %c%s=%s", quote, name->name, text);
    if (!same_rows)
        print_rows(param);
    else if (!same_ndim)
        print_reshape(array, param->ndim);
    if (array->dtype != param->dtype)
        tool_detail(".astype(%s)", wanted);
    else if (same_ndim)
        tool_detail(".copy()"); /* in C order */
    tool_detail("%c\n", quote);
}

static const struct ckrun_name *
name_of_array(const struct ckrun_env *env, const struct ckrun_array *array)
{
    for (size_t i = 0; i < env->n_names; i++) {
        const struct ckrun_value *v = &env->names[i].value;
        if (v->kind == CKRUN_ARRAY && v->array == array)
            return &env->names[i];
    }
    return NULL;
}

/* A shape for the parameter, as an example; an empty text if there is no example. */
static const char *
example_shape(const ck_param_info *param)
{
    static const char *const shapes[] = {"1000", "(10, 10)", "(10, 10, 10)"};
    static const char *const rows[][CK_MAX_VECTOR] = {
        {"1", "2", "3", "4"},
        {"(1000, 1)", "(1000, 2)", "(1000, 3)", "(1000, 4)"},
        {"(10, 10, 1)", "(10, 10, 2)", "(10, 10, 3)", "(10, 10, 4)"},
    };
    const int ndim = param->ndim == CK_ZERO_DIM ? 0 : param->ndim;
    if (param->lanes)
        return ndim <= 2 ? rows[ndim][param->lanes - 1] : "";
    return ndim == 0 ? "()" : ndim <= 3 ? shapes[ndim - 1] : "";
}

/* Whether the parameter takes the array. A copy has C order. */
static bool
takes_array(const ck_param_info *param, const struct ckrun_array *array)
{
    return has_shape_of(param, &array->host) &&
           !(param->layout == CK_C_ORDER && !ckrun_is_c_contiguous(array));
}

/* Returns whether there was a suggestion for the argument. */
static bool
suggest_argument(const struct ckrun_session *session, const ck_param_info *param,
                 const struct ckrun_value *v)
{
    if (v->kind != CKRUN_TUPLE && param->ndim == CK_ZERO_DIM &&
        (v->kind != CKRUN_ARRAY || v->array->host.ndim) && !param->lanes) {
        tool_detail("  define an array without dimensions: '%s=zeros(%s, %s)'\n", param->name,
                    example_shape(param), ck_dtype_name(param->dtype));
        return true;
    }
    if (v->kind != CKRUN_ARRAY && v->kind != CKRUN_TUPLE && param->ndim) {
        if (*example_shape(param))
            tool_detail("  write the name of an array there, and define it: '%s=zeros(%s, %s)'\n",
                        param->name, example_shape(param), ck_dtype_name(param->dtype));
        return true;
    }
    if (v->kind != CKRUN_ARRAY || param->ndim == 0 || takes_array(param, v->array))
        return false;
    const struct ckrun_name *name = name_of_array(session->env, v->array);
    if (name && !v->array->global && !(param->layout == CK_FORTRAN && param->ndim > 1))
        suggest_array(name, &v->array->host, param);
    return true;
}

static bool
has_name(const struct ckrun_env *env, const char *name)
{
    for (size_t i = 0; i < env->n_names; i++) {
        if (!strcmp(env->names[i].name, name))
            return true;
    }
    return false;
}

/* The launch with as many arguments as there are parameters: those that are missing, or all where
 * there are too many, by the parameters' names, which are defined. */
static void
suggest_count(const struct ckrun_session *session, const struct ckrun_launch *launch,
              const ck_kernel_desc *desc)
{
    const size_t n_params = (size_t)desc->n_params;
    const size_t kept = launch->n_args < n_params ? launch->n_args : 0;
    const char *close = strrchr(launch->text, ')');
    const char *end = launch->n_args > n_params ? launch->args[0].at : close;
    for (int i = 0; i < desc->n_params; i++) {
        if (desc->params[i].dtype == CK_TUPLE || desc->params[i].ndim > 3)
            return;
    }
    tool_detail("  write '%.*s", (int)(end - launch->text), launch->text);
    for (size_t i = kept; i < n_params; i++)
        tool_detail("%s%s", i ? ", " : "", desc->params[i].name);
    tool_detail(")'");
    for (size_t i = kept; i < n_params; i++) {
        const ck_param_info *param = &desc->params[i];
        if (has_name(session->env, param->name))
            continue;
        if (param->ndim && !desc->generic)
            tool_detail(" '%s=zeros(%s, %s)'", param->name, example_shape(param),
                        ck_dtype_name(param->dtype));
        else
            tool_detail(" '%s=1'", param->name);
    }
    tool_detail("\n");
}

static bool
has_keywords(const struct ckrun_launch *launch)
{
    bool has = false;
    for (size_t i = 0; i < launch->n_args; i++)
        has |= launch->args[i].keyword || launch->args[i].value.kind == CKRUN_DEFAULT;
    return has;
}

/* Suggests arguments after a launch failed by them; only for a kernel of one signature. */
static void
suggest_arguments(const struct ckrun_session *session, const struct ckrun_launch *launch,
                  const struct arguments *given)
{
    const ck_kernel_desc *desc = NULL;
    int n = 0;
    for (size_t i = 0; i < ck_module_n_kernels(session->module); i++) {
        if (strcmp(ck_module_kernel(session->module, i)->name, launch->kernel) == 0) {
            desc = ck_module_kernel(session->module, i);
            n++;
        }
    }
    if (n != 1 || desc->generic || has_keywords(launch))
        return;
    if (launch->n_args == given->n && given->n != (size_t)desc->n_params)
        suggest_count(session, launch, desc);
    if (!has_same_tuples(desc, given))
        return;
    for (size_t i = 0; i < given->n; i++) {
        if (suggest_argument(session, &desc->params[i], &given->entries[i].value))
            return;
    }
}

/* --- Devices -----------------------------------------------------------------------------------
 */

/* One without dimensions that is there comes back, as the launch may take it as a number. */
ck_status
ckrun_upload(struct ckrun_session *session, struct ckrun_array *view)
{
    struct ckrun_array *array = ckrun_base(view);
    if (array->buffer || array->global) {
        ck_status read = view->host.ndim ? CK_OK : ckrun_fetch_array(session, array);
        if (view->base && !view->host.ndim && read == CK_OK)
            ckrun_refresh_view(view);
        return read;
    }
    ck_status status = ck_buffer_new(&array->buffer, session->device, array->host.bytes);
    if (status == CK_OK && array->is_unset && session->compares)
        memset((void *)(uintptr_t)ck_buffer_address(array->buffer), 0, array->host.bytes);
    if (status != CK_OK || array->is_unset)
        return status;
    return ck_buffer_write(array->buffer, 0, array->host.data, array->host.bytes);
}

/* Copies the arrays of an argument to the device. */
static ck_status
upload_value(struct ckrun_session *session, const struct ckrun_value *v)
{
    ck_status status = CK_OK;
    if (ckrun_has_array(v))
        return ckrun_upload(session, v->array);
    for (int i = 0; v->kind == CKRUN_TUPLE && i < v->tuple.n && status == CK_OK; i++)
        status = upload_value(session, &v->tuple.items[i]);
    return status;
}

static ck_status
upload_arguments(struct ckrun_session *session, const struct ckrun_launch *launch)
{
    ck_status status = ckrun_upload_globals(session);
    for (size_t i = 0; i < launch->n_args && status == CK_OK; i++)
        status = upload_value(session, &launch->args[i].value);
    return status;
}

int
ckrun_fetch(struct ckrun_session *session)
{
    for (struct ckrun_array *a = session->env->arrays; a; a = a->next) {
        ck_status status = ckrun_fetch_array(session, a);
        if (status != CK_OK)
            return tool_fail(session->ctx, status);
    }
    for (struct ckrun_array *a = session->env->arrays; a; a = a->next) {
        if (a->base)
            ckrun_refresh_view(a);
    }
    return TOOL_DONE;
}

/* --- Launches ----------------------------------------------------------------------------------
 */

/* Runs `body` with the launch's kernel and arguments. */
static int
with_arguments(struct ckrun_session *session, const struct ckrun_launch *launch,
               ck_status (*body)(struct ckrun_session *, const struct ckrun_launch *, ck_kernel *,
                                 const struct arguments *))
{
    struct arguments arguments;
    ck_kernel *kernel;
    ck_status status = ck_kernel_get(&kernel, session->module, session->device, launch->kernel);
    if (status != CK_OK)
        return ckrun_launch_failed(session, launch, status);
    if (!make_arguments(session, launch, &arguments))
        return TOOL_FAILED;
    status = body(session, launch, kernel, &arguments);
    int exit_status = status == CK_OK ? TOOL_DONE : ckrun_launch_failed(session, launch, status);
    if (status == CK_ERROR_ARGUMENT)
        suggest_arguments(session, launch, &arguments);
    arguments_release(&arguments);
    if (status != CK_OK)
        return exit_status;
    ckrun_print_diagnostics(session, launch); /* warnings of a generic kernel's specialisation */
    return TOOL_DONE;
}

static ck_status
prepare(struct ckrun_session *session, const struct ckrun_launch *launch, ck_kernel *kernel,
        const struct arguments *arguments)
{
    return ck_kernel_prepare(kernel, arguments->args, arguments->n, NULL);
}

int
ckrun_prepare(struct ckrun_session *session, const struct ckrun_launch *launch)
{
    return with_arguments(session, launch, prepare);
}

/* The launch's shape, with the largest grid for `max`. */
static ck_status
find_shape(const struct ckrun_launch *launch, ck_kernel *kernel, const struct arguments *arguments,
           ck_shape *shape)
{
    *shape = (ck_shape){launch->grid, launch->block, launch->shared_bytes, launch->cluster};
    if (!launch->grid_is_max)
        return CK_OK;
    ck_status status = ck_kernel_prepare(kernel, arguments->args, arguments->n, NULL);
    if (status == CK_OK)
        status = ck_kernel_max_resident_blocks(&shape->grid.x, kernel, shape);
    return status;
}

static ck_status
run(struct ckrun_session *session, const struct ckrun_launch *launch, ck_kernel *kernel,
    const struct arguments *arguments)
{
    ck_shape shape;
    ck_status status = find_shape(launch, kernel, arguments, &shape);
    bool guarded = ck_device_get_info(session->device)->capability == 0; /* runs in this process */
    if (guarded)
        ckrun_guard_begin(launch->kernel);
    if (status == CK_OK)
        status = ck_launch(kernel, &shape, arguments->args, arguments->n, NULL);
    if (guarded)
        ckrun_guard_end();
    return status == CK_OK ? ck_device_synchronize(session->device) : status;
}

int
ckrun_launch(struct ckrun_session *session, const struct ckrun_launch *launch)
{
    ck_status status = upload_arguments(session, launch);
    session->n_launched++;
    if (status != CK_OK)
        return ckrun_launch_failed(session, launch, status);
    return with_arguments(session, launch, run);
}

static ck_status
query(struct ckrun_session *session, const struct ckrun_launch *launch, ck_kernel *kernel,
      const struct arguments *arguments)
{
    const ck_shape shape = {{0}, launch->block, launch->shared_bytes, launch->cluster};
    uint32_t blocks;
    ck_status status = CK_OK;
    if (launch->has_args)
        status = ck_kernel_prepare(kernel, arguments->args, arguments->n, NULL);
    if (status == CK_OK)
        status = ck_kernel_max_resident_blocks(&blocks, kernel, &shape);
    if (status == CK_OK && session->json)
        ckrun_json_max_blocks(session->json, launch, blocks);
    else if (status == CK_OK)
        printf("%u\n", blocks);
    return status;
}

/* Whether the kernel's name alone does not say which signature is meant, nor an earlier launch. */
static bool
needs_arguments(const struct ckrun_session *session, const struct ckrun_launch *launch)
{
    ck_kernel *kernel;
    ck_kernel_usage usage;
    return ck_kernel_get(&kernel, session->module, session->device, launch->kernel) == CK_OK &&
           ck_kernel_get_usage(&usage, kernel) == CK_ERROR_ARGUMENT;
}

int
ckrun_max_blocks(struct ckrun_session *session, const struct ckrun_launch *launch)
{
    if (!launch->has_args && needs_arguments(session, launch)) {
        tool_error("`%s` is compiled for the types of its arguments: write them too, "
                   "--max-blocks '%s[_, BLOCK](ARG, ...)'",
                   launch->kernel, launch->kernel);
        ckrun_print_launch(launch);
        return TOOL_FAILED;
    }
    return with_arguments(session, launch, query);
}

/* --- Repeated launches -------------------------------------------------------------------------
 */

struct ckrun_ready {
    ck_kernel *kernel;
    ck_shape shape;
    struct arguments arguments;
};

int
ckrun_ready_new(struct ckrun_ready **out, struct ckrun_session *session,
                const struct ckrun_launch *launch)
{
    struct ckrun_ready *ready = tool_alloc(sizeof *ready);
    ck_status status = upload_arguments(session, launch);
    if (status == CK_OK)
        status = ck_kernel_get(&ready->kernel, session->module, session->device, launch->kernel);
    if (status != CK_OK) {
        free(ready);
        return ckrun_launch_failed(session, launch, status);
    }
    if (!make_arguments(session, launch, &ready->arguments)) {
        free(ready);
        return TOOL_FAILED;
    }
    status = find_shape(launch, ready->kernel, &ready->arguments, &ready->shape);
    *out = ready;
    return status == CK_OK ? TOOL_DONE : ckrun_launch_failed(session, launch, status);
}

void
ckrun_ready_free(struct ckrun_ready *ready)
{
    if (ready)
        arguments_release(&ready->arguments);
    free(ready);
}

ck_status
ckrun_ready_launch(const struct ckrun_ready *ready)
{
    return ck_launch(ready->kernel, &ready->shape, ready->arguments.args, ready->arguments.n, NULL);
}

const ck_shape *
ckrun_ready_shape(const struct ckrun_ready *ready)
{
    return &ready->shape;
}
