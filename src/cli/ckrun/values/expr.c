/* Expressions, evaluated while they are read (recursive descent): the grammar rule of each function
 * stands above it. */
#include "expr.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

enum { MAX_DEPTH = 100 };

static struct ckrun_value parse_unary(struct ckrun_parser *p);

/* string: "'" any* "'" | '"' any* '"' */
static struct ckrun_value
parse_string(struct ckrun_parser *p)
{
    const char *start = p->at++;
    const char *end = strchr(p->at, *start);
    struct ckrun_value v = {.kind = CKRUN_STRING, .string.text = ""};
    if (!end) {
        ckrun_parse_fail(p, start, "the string is not closed");
        return v;
    }
    v.string.text = p->at;
    v.string.length = (size_t)(end - p->at);
    p->at = end + 1;
    return v;
}

/* Appends an item. */
static void
add_item(struct ckrun_parser *p, const char *at, struct ckrun_value **items, int *n,
         const struct ckrun_value *item)
{
    bool possible = ckrun_is_any_number(item) || ckrun_has_array(item) || item->kind == CKRUN_TUPLE;
    if (p->error)
        return;
    if (!possible) {
        ckrun_parse_fail(p, at, "a tuple has numbers, arrays and tuples: this is %s",
                         ckrun_kind_text(item->kind));
        return;
    }
    *items = tool_grow(*items, (size_t)*n + 1, sizeof **items);
    (*items)[(*n)++] = *item;
}

/* Items up to the `)`, separated by commas, one of which may be the last. */
static struct ckrun_value
parse_items(struct ckrun_parser *p, struct ckrun_value *items, int n)
{
    bool closed = false;
    while (!p->error && !closed && (n == 0 || ckrun_parse_accept(p, ','))) {
        closed = ckrun_parse_accept(p, ')');
        const char *at = p->at;
        if (closed)
            break;
        if (ckrun_keyword_length(p)) {
            ckrun_parse_fail(p, at, "a tuple's items are given in order, without names");
            break;
        }
        struct ckrun_value item = ckrun_parse_expression(p);
        add_item(p, at, &items, &n, &item);
    }
    if (!closed)
        ckrun_parse_expect(p, ')');
    struct ckrun_value tuple = ckrun_tuple_new(p->env, items, n);
    free(items);
    return tuple;
}

/* parentheses: '(' ')' | '(' expression ')' | '(' expression ',' [expression {',' expression}] ')'
 */
static struct ckrun_value
parse_parentheses(struct ckrun_parser *p)
{
    struct ckrun_value *items = NULL;
    int n = 0;
    ckrun_parse_expect(p, '(');
    if (ckrun_parse_accept(p, ')'))
        return ckrun_tuple_new(p->env, NULL, 0);
    const char *at = p->at;
    struct ckrun_value first = ckrun_parse_expression(p);
    if (ckrun_parse_accept(p, ')'))
        return first;
    add_item(p, at, &items, &n, &first);
    return parse_items(p, items, n);
}

struct constant {
    const char *name;
    struct ckrun_value value;
};

static const struct constant constants[] = {
    {"None", {.kind = CKRUN_NONE}},
    {"_", {.kind = CKRUN_NONE}},
    {"True", {.kind = CKRUN_BOOL, .i = 1}},
    {"False", {.kind = CKRUN_BOOL, .i = 0}},
    {"max", {.kind = CKRUN_MAX}},
    {"inf", {.kind = CKRUN_FLOAT, .f = INFINITY}},
    {"nan", {.kind = CKRUN_FLOAT, .f = NAN}},
    {"pi", {.kind = CKRUN_FLOAT, .f = M_PI}},
};

enum { N_CONSTANTS = sizeof constants / sizeof constants[0] };

static const struct constant *
find_constant(const char *name, size_t length)
{
    for (int i = 0; i < N_CONSTANTS; i++) {
        if (strlen(constants[i].name) == length && memcmp(constants[i].name, name, length) == 0)
            return &constants[i];
    }
    return NULL;
}

static void
fail_undefined(struct ckrun_parser *p, const char *name, size_t length)
{
    const struct ckrun_env *env = p->env;
    char *copy = tool_strndup(name, length);
    const char **names = tool_alloc((env->n_names + CK_COMPLEX128) * sizeof *names);
    size_t n = env->n_names;
    for (size_t i = 0; i < n; i++)
        names[i] = env->names[i].name;
    for (ck_dtype dtype = CK_DTYPE_NONE + 1; dtype <= CK_COMPLEX128; dtype++)
        names[n++] = ck_dtype_name(dtype);
    const char *nearest = ck_nearest_word(copy, names, (int)n);
    if (nearest)
        ckrun_parse_fail(p, name, "`%s` is not defined; did you mean `%s`?", copy, nearest);
    else
        ckrun_parse_fail(p, name, "`%s` is not defined; give it as %s=VALUE", copy, copy);
    free(names);
    free(copy);
}

static bool
is_prefix(const char *name, size_t length)
{
    return (length == 2 && memcmp(name, "np", 2) == 0) ||
           (length == 5 && memcmp(name, "numpy", 5) == 0) ||
           (length == 5 && memcmp(name, "numba", 5) == 0) ||
           (length == 4 && memcmp(name, "math", 4) == 0);
}

bool
ckrun_is_reserved(const char *name, size_t length)
{
    return is_prefix(name, length) || find_constant(name, length);
}

/* Whether a function of this name may be a namedtuple of the program: ckrun's own are lower case.
 */
static bool
may_be_named_tuple(const char *name)
{
    return *name >= 'A' && *name <= 'Z';
}

/* name: [('np' | 'numpy' | 'numba' | 'math') '.'] NAME ['(' arguments ')'] */
static struct ckrun_value
parse_named(struct ckrun_parser *p)
{
    struct ckrun_value v = ckrun_int_value(1);
    const char *name = p->at;
    size_t length = ckrun_parse_name(p);
    struct ckrun_name *defined = ckrun_find(p->env, name, length);
    bool prefixed = !defined && is_prefix(name, length) && name[length] == '.';
    if (prefixed) {
        p->at = name += length + 1;
        length = ckrun_parse_name(p);
    }
    p->at = name + length;
    if (defined && (*p->at != '(' || !ckrun_is_function(name, length))) {
        defined->used = true;
        if (defined->value.kind == CKRUN_ARRAY)
            defined->value.array->is_read = true;
        return defined->value;
    }
    if (ckrun_parse_accept(p, '(')) {
        if (ckrun_call(p, name, length, name, &v))
            return v;
        if (!prefixed && may_be_named_tuple(name))
            return parse_items(p, NULL, 0);
        ckrun_fail_function(p, name, length);
        return v;
    }
    const struct constant *constant = find_constant(name, length);
    if (constant)
        return constant->value;
    v.dtype = ckrun_dtype_by_name(name, length);
    v.kind = v.dtype ? CKRUN_DTYPE : CKRUN_INT;
    if (!v.dtype)
        fail_undefined(p, name, length);
    return v;
}

static struct ckrun_value
parse_atom(struct ckrun_parser *p)
{
    ckrun_skip_space(p);
    char c = *p->at;
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)p->at[1])))
        return ckrun_scan_number(p);
    if (c == '(')
        return parse_parentheses(p);
    if (c == '[')
        return ckrun_parse_list(p);
    if (c == '\'' || c == '"')
        return parse_string(p);
    if (ckrun_is_name_byte(c))
        return parse_named(p);
    ckrun_fail_unexpected(p, "a value");
    return ckrun_int_value(1);
}

/* `.data`, after `x.ctypes`. */
static struct ckrun_value
address(struct ckrun_parser *p, struct ckrun_array *of)
{
    const char *at = p->at;
    if (!ckrun_parse_accept(p, '.') || ckrun_parse_name(p) != 4 || memcmp(p->at, "data", 4) != 0)
        ckrun_parse_fail(p, at, "the address of an array is x.ctypes.data");
    else
        p->at += 4;
    return (struct ckrun_value){.kind = CKRUN_ADDRESS, .dtype = CK_UINT64, .array = of};
}

static struct ckrun_value
attribute(struct ckrun_parser *p, const char *name, size_t length, const struct ckrun_value *of)
{
    enum { N = 6 };
    static const char *const names[N] = {"shape", "size", "ndim", "dtype", "T", "ctypes"};
    if (p->error)
        return *of;
    if (of->kind != CKRUN_ARRAY) {
        ckrun_parse_fail(p, name, "only an array has attributes: this is %s",
                         ckrun_kind_text(of->kind));
        return *of;
    }
    const ck_npy *array = &of->array->host;
    struct ckrun_value result = *of;
    int i = 0;
    while (i < N && (strlen(names[i]) != length || memcmp(names[i], name, length) != 0))
        i++;
    switch (i) {
    case 0:
        return ckrun_shape_value(p->env, array);
    case 1:
        return ckrun_int_value(ckrun_count(array));
    case 2:
        return ckrun_int_value(array->ndim);
    case 3:
        return (struct ckrun_value){
            .kind = CKRUN_DTYPE, .dtype = array->dtype, .record = array->record};
    case 4:
        return ckrun_transpose(p, name, of->array);
    case 5:
        return address(p, of->array);
    default:
        if (!ckrun_field(p, name, name, length, of->array, &result) &&
            !ckrun_method(p, name, length, of->array, &result))
            ckrun_parse_fail(
                p, name,
                "an array has here .shape .size .ndim .dtype .T .reshape(...) "
                ".astype(dtype) .copy() .sum() .prod() .mean() .min() .max() .all() .any()%s",
                array->record ? ", and its fields" : "");
        return result;
    }
}

/* postfix: atom {'.' NAME | subscript} */
static struct ckrun_value
parse_postfix(struct ckrun_parser *p)
{
    struct ckrun_value v = parse_atom(p);
    while (!p->error) {
        ckrun_skip_space(p);
        const char *at = p->at;
        if (ckrun_parse_accept(p, '.')) {
            const char *name = p->at;
            size_t length = ckrun_parse_name(p);
            p->at += length;
            v = attribute(p, name, length, &v);
        } else if (*at == '[') {
            v = ckrun_parse_subscript(p, &v);
        } else {
            break;
        }
    }
    return v;
}

/* power: postfix ['**' unary] */
static struct ckrun_value
parse_power(struct ckrun_parser *p)
{
    struct ckrun_value v = parse_postfix(p);
    const char *at = p->at;
    if (!ckrun_accept_operator(p, "**"))
        return v;
    struct ckrun_value exponent = ckrun_int_value(1);
    if (++p->depth > MAX_DEPTH)
        ckrun_parse_fail(p, at, "the expression is nested too deeply");
    if (!p->error)
        exponent = parse_unary(p);
    p->depth--;
    if (!p->error && ckrun_is_number(&v) && ckrun_is_number(&exponent) && ckrun_as_float(&v) == 0 &&
        ckrun_as_float(&exponent) < 0)
        ckrun_parse_fail(p, at, "division by zero");
    return ckrun_operate(p, at, CKRUN_POWER, v, exponent);
}

/* unary: ('-' | '+' | '~') unary | power */
static struct ckrun_value
parse_unary(struct ckrun_parser *p)
{
    ckrun_skip_space(p);
    const char *at = p->at;
    const char sign = *at;
    if (sign != '-' && sign != '+' && sign != '~')
        return parse_power(p);
    struct ckrun_value v = ckrun_int_value(0);
    if (++p->depth > MAX_DEPTH)
        ckrun_parse_fail(p, at, "the expression is nested too deeply");
    p->at++;
    if (!p->error)
        v = parse_unary(p);
    p->depth--;
    if (sign == '-')
        return ckrun_negate(p, at, v);
    if (sign == '~')
        return ckrun_invert(p, at, v);
    if (!p->error && !ckrun_is_any_number(&v) && v.kind != CKRUN_ARRAY)
        ckrun_parse_fail(p, at, "arithmetic is for numbers and arrays: this is %s",
                         ckrun_kind_text(v.kind));
    return v.kind == CKRUN_BOOL && !v.dtype ? ckrun_int_value(v.i) : v;
}

/* Python's binary operators but for `**`, by how tightly they bind. Of two that begin alike the
 * longer one comes first. */
static const struct {
    const char *text;
    enum ckrun_operator op;
    int level;
} binary_operators[] = {
    {"<<", CKRUN_SHIFT_LEFT, 5},    {">>", CKRUN_SHIFT_RIGHT, 5},  {"<=", CKRUN_LESS_EQUAL, 1},
    {">=", CKRUN_GREATER_EQUAL, 1}, {"==", CKRUN_EQUAL, 1},        {"!=", CKRUN_NOT_EQUAL, 1},
    {"<", CKRUN_LESS, 1},           {">", CKRUN_GREATER, 1},       {"|", CKRUN_BIT_OR, 2},
    {"^", CKRUN_BIT_XOR, 3},        {"&", CKRUN_BIT_AND, 4},       {"+", CKRUN_ADD, 6},
    {"-", CKRUN_SUBTRACT, 6},       {"//", CKRUN_FLOOR_DIVIDE, 7}, {"/", CKRUN_DIVIDE, 7},
    {"*", CKRUN_MULTIPLY, 7},       {"%", CKRUN_REMAINDER, 7},     {"@", CKRUN_MATRIX_PRODUCT, 7},
};

enum { N_BINARY_OPERATORS = sizeof binary_operators / sizeof *binary_operators, COMPARISON = 1 };

/* The operator that comes next; -1: none. */
static int
next_operator(struct ckrun_parser *p)
{
    ckrun_skip_space(p);
    for (int i = 0; i < N_BINARY_OPERATORS && !p->error; i++) {
        const char *text = binary_operators[i].text;
        if (strncmp(p->at, text, strlen(text)) == 0)
            return i;
    }
    return -1;
}

/* binary: unary {operator unary}, the operators binding at least as tightly as `least` */
static struct ckrun_value
parse_binary(struct ckrun_parser *p, int least)
{
    struct ckrun_value v = parse_unary(p);
    int i, compared = 0;
    while ((i = next_operator(p)) >= 0 && binary_operators[i].level >= least) {
        const char *at = p->at;
        int level = binary_operators[i].level;
        if (level == COMPARISON && compared++)
            ckrun_parse_fail(p, at, "a comparison has two sides: write `a < b and b < c`");
        ckrun_accept_operator(p, binary_operators[i].text);
        struct ckrun_value right = parse_binary(p, level + 1);
        v = ckrun_operate(p, at, binary_operators[i].op, v, right);
    }
    return v;
}

bool
ckrun_truth(struct ckrun_parser *p, const char *at, const struct ckrun_value *v)
{
    struct ckrun_value number = *v;
    if (p->error)
        return false;
    if (v->kind == CKRUN_ARRAY && ckrun_count(&v->array->host) == 1) {
        if (ckrun_refuse_records(p, at, &v->array->host))
            return false;
        struct ckrun_element e = ckrun_load(&v->array->host, 0);
        number = ckrun_number_of(&e);
    }
    if (ckrun_is_any_number(&number))
        return number.kind == CKRUN_FLOAT     ? number.f != 0
               : number.kind == CKRUN_COMPLEX ? number.f != 0 || number.im != 0
                                              : number.i != 0;
    if (v->kind == CKRUN_ARRAY)
        ckrun_parse_fail(p, at, "an array is neither true nor false: write x.all() or x.any()");
    else
        ckrun_parse_fail(p, at, "%s is neither true nor false", ckrun_kind_text(v->kind));
    return false;
}

static bool
accept_word(struct ckrun_parser *p, const char *word)
{
    ckrun_skip_space(p);
    return ckrun_parse_name(p) == strlen(word) && ckrun_accept_operator(p, word);
}

/* inversion: 'not' inversion | binary */
static struct ckrun_value
parse_inversion(struct ckrun_parser *p)
{
    bool inverted = false, any = false;
    const char *at = p->at;
    for (; accept_word(p, "not"); any = true)
        inverted = !inverted;
    struct ckrun_value v = parse_binary(p, COMPARISON);
    if (!any)
        return v;
    return (struct ckrun_value){.kind = CKRUN_BOOL, .i = ckrun_truth(p, at, &v) != inverted};
}

/* conjunction: inversion {'and' inversion}
 * disjunction: conjunction {'or' conjunction}
 * Both sides are evaluated; the answer is that of the last side that matters, as in Python. */
static struct ckrun_value
parse_connected(struct ckrun_parser *p, bool is_or)
{
    const char *at = p->at;
    struct ckrun_value v = is_or ? parse_connected(p, false) : parse_inversion(p);
    while (!p->error && accept_word(p, is_or ? "or" : "and")) {
        bool truth = ckrun_truth(p, at, &v);
        at = p->at;
        struct ckrun_value right = is_or ? parse_connected(p, false) : parse_inversion(p);
        v = truth == is_or ? v : right;
    }
    return v;
}

/* expression: disjunction */
struct ckrun_value
ckrun_parse_expression(struct ckrun_parser *p)
{
    ckrun_skip_space(p);
    if (++p->depth > MAX_DEPTH)
        ckrun_parse_fail(p, p->at, "the expression is nested too deeply");
    struct ckrun_value v = p->error ? ckrun_int_value(1) : parse_connected(p, true);
    p->depth--;
    return v;
}
