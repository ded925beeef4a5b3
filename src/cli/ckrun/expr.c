/* Values and launches as text, evaluated while they are read (recursive descent). */
#include "ckrun.h"

#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/utf8.h"

enum { MAX_DEPTH = 100 };

/* --- The text ----------------------------------------------------------------------------------
 */

void
ckrun_parse_begin(struct ckrun_parser *p, struct ckrun_env *env, const char *text)
{
    *p = (struct ckrun_parser){.env = env, .text = text, .at = text};
}

void
ckrun_parse_fail_text(struct ckrun_parser *p, const char *at, char *message)
{
    if (p->error) {
        free(message);
        return;
    }
    p->error = message;
    p->error_at = at;
}

void
ckrun_parse_fail(struct ckrun_parser *p, const char *at, const char *format, ...)
{
    char *message = NULL;
    va_list args;
    if (p->error)
        return;
    va_start(args, format);
    if (vasprintf(&message, format, args) < 0)
        message = tool_strndup("out of memory", 13);
    va_end(args);
    ckrun_parse_fail_text(p, at, message);
}

/* One line, control characters shown as spaces, so that the caret is below its place. */
static void
print_with_caret(const char *text, const char *at)
{
    fputs("  ", stderr);
    for (const char *c = text, *end = text + strlen(text); c < end;) {
        int length = ck_utf8_printable(c, end);
        fwrite(c, 1, (size_t)length, stderr);
        if (!length && ((unsigned char)*c & 0xC0) != 0x80)
            fputc(' ', stderr);
        c += length ? length : 1;
    }
    fputs("\n  ", stderr);
    for (const char *c = text; c < at; c++) {
        if (((unsigned char)*c & 0xC0) != 0x80) /* one column a character */
            fputc(' ', stderr);
    }
    fputs("^\n", stderr);
}

bool
ckrun_parse_end(struct ckrun_parser *p)
{
    if (!p->error)
        return true;
    tool_error("%s", p->error);
    print_with_caret(p->text, p->error_at);
    free(p->error);
    p->error = NULL;
    return false;
}

static void
skip_space(struct ckrun_parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

bool
ckrun_parse_accept(struct ckrun_parser *p, char c)
{
    skip_space(p);
    if (p->error || *p->at != c || !c)
        return false;
    p->at++;
    skip_space(p);
    return true;
}

static bool
accept_operator(struct ckrun_parser *p, const char *op)
{
    size_t length = strlen(op);
    skip_space(p);
    if (p->error || strncmp(p->at, op, length) != 0)
        return false;
    p->at += length;
    skip_space(p);
    return true;
}

static void
fail_unexpected(struct ckrun_parser *p, const char *wanted)
{
    skip_space(p);
    if (*p->at == '\0')
        ckrun_parse_fail(p, p->at, "expected %s at the end", wanted);
    else
        ckrun_parse_fail(p, p->at, "expected %s", wanted);
}

void
ckrun_parse_expect(struct ckrun_parser *p, char c)
{
    char wanted[] = {'`', c, '`', '\0'};
    if (!ckrun_parse_accept(p, c))
        fail_unexpected(p, wanted);
}

static void
expect_end(struct ckrun_parser *p)
{
    skip_space(p);
    if (*p->at)
        ckrun_parse_fail(p, p->at, "unexpected text after the expression");
}

static bool
is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

size_t
ckrun_parse_name(const struct ckrun_parser *p)
{
    size_t length = 0;
    if (isdigit((unsigned char)*p->at))
        return 0;
    while (is_name_byte(p->at[length]))
        length++;
    return length;
}

/* --- Numbers -----------------------------------------------------------------------------------
 */

static struct ckrun_value
int_value(ckrun_int i)
{
    return (struct ckrun_value){.kind = CKRUN_INT, .i = i};
}

static struct ckrun_value
float_value(double f)
{
    return (struct ckrun_value){.kind = CKRUN_FLOAT, .f = f};
}

static struct ckrun_value
complex_value(double re, double im)
{
    return (struct ckrun_value){.kind = CKRUN_COMPLEX, .f = re, .im = im};
}

static int
digit_value(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* Digits of `base` with single underscores between them. */
static struct ckrun_value
parse_integer(struct ckrun_parser *p, const char *start, int base)
{
    ckrun_int i = 0;
    bool overflow = false, digit_before = false;
    for (; digit_value(*p->at) < base || (*p->at == '_' && digit_before); p->at++) {
        digit_before = *p->at != '_';
        if (digit_before)
            overflow |= __builtin_mul_overflow(i, base, &i) ||
                        __builtin_add_overflow(i, digit_value(*p->at), &i);
    }
    if (!digit_before || is_name_byte(*p->at))
        ckrun_parse_fail(p, start, "not a number");
    else if (overflow)
        ckrun_parse_fail(p, start, "the integer is too large");
    return int_value(i);
}

static int
number_base(const char *text)
{
    if (text[0] != '0')
        return 10;
    switch (text[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'o':
    case 'O':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        return 10;
    }
}

/* The length of a decimal float's text, or 0 if it is none (an integer). */
static size_t
float_length(const char *text)
{
    size_t n = 0;
    bool is_float = false;
    while (isdigit((unsigned char)text[n]) || text[n] == '_')
        n++;
    if (text[n] == '.') {
        is_float = true;
        for (n++; isdigit((unsigned char)text[n]) || text[n] == '_'; n++)
            ;
    }
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        if (isdigit((unsigned char)text[n + 1 + sign])) {
            is_float = true;
            for (n += 1 + sign; isdigit((unsigned char)text[n]) || text[n] == '_'; n++)
                ;
        }
    }
    return is_float ? n : 0;
}

static bool
is_imaginary(const char *suffix)
{
    return (*suffix == 'j' || *suffix == 'J') && !is_name_byte(suffix[1]);
}

static struct ckrun_value
parse_float(struct ckrun_parser *p, size_t length)
{
    const char *start = p->at;
    char *digits = tool_alloc(length + 1), *end;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (start[i] != '_')
            digits[n++] = start[i];
    }
    double f = strtod(digits, &end);
    bool whole = *end == '\0';
    free(digits);
    p->at += length;
    bool imaginary = is_imaginary(p->at);
    p->at += imaginary;
    if (!whole || is_name_byte(*p->at))
        ckrun_parse_fail(p, start, "not a number");
    else if (isinf(f))
        ckrun_parse_fail(p, start, "the number is too large for float64");
    return imaginary ? complex_value(0, f) : float_value(f);
}

/* The length of the digits of `2j`, or 0. */
static size_t
imaginary_length(const char *text)
{
    size_t n = 0;
    while (isdigit((unsigned char)text[n]) || text[n] == '_')
        n++;
    return is_imaginary(text + n) ? n : 0;
}

static struct ckrun_value
parse_number(struct ckrun_parser *p)
{
    const char *start = p->at;
    int base = number_base(start);
    size_t length = base == 10 ? float_length(start) : 0;
    if (base == 10 && !length)
        length = imaginary_length(start);
    if (length)
        return parse_float(p, length);
    if (base != 10)
        p->at += 2;
    return parse_integer(p, start, base);
}

/* --- Arithmetic --------------------------------------------------------------------------------
 */

enum operator{ ADD, SUBTRACT, MULTIPLY, DIVIDE, FLOOR_DIVIDE, REMAINDER, POWER };

/* Python's: toward minus infinity. */
static ckrun_int
floor_divide(ckrun_int a, ckrun_int b)
{
    ckrun_int quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

static bool
int_power(ckrun_int *out, ckrun_int base, ckrun_int exponent)
{
    bool overflow = false;
    *out = 1;
    for (; exponent > 0 && !overflow; exponent >>= 1) {
        if (exponent & 1)
            overflow |= __builtin_mul_overflow(*out, base, out);
        if (exponent > 1)
            overflow |= __builtin_mul_overflow(base, base, &base);
    }
    return overflow;
}

/* True on overflow. Divisors are not zero, exponents not negative. */
static bool
int_operation(ckrun_int *out, enum operator op, ckrun_int a, ckrun_int b)
{
    switch (op) {
    case ADD:
        return __builtin_add_overflow(a, b, out);
    case SUBTRACT:
        return __builtin_sub_overflow(a, b, out);
    case MULTIPLY:
        return __builtin_mul_overflow(a, b, out);
    case FLOOR_DIVIDE:
        if (b == -1)
            return __builtin_sub_overflow((ckrun_int)0, a, out);
        *out = floor_divide(a, b);
        return false;
    case REMAINDER:
        *out = b == -1 ? 0 : a - floor_divide(a, b) * b;
        return false;
    default:
        return int_power(out, a, b);
    }
}

static double
float_operation(enum operator op, double a, double b)
{
    double rest;
    switch (op) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case DIVIDE:
        return a / b;
    case POWER:
        return pow(a, b);
    default:
        rest = fmod(a, b);
        if (rest != 0 && (rest < 0) != (b < 0))
            rest += b;
        return op == REMAINDER ? rest : nearbyint((a - rest) / b);
    }
}

/* The C library's CMPLX is there for GCC only. */
static double complex
complex_of(const struct ckrun_value *value)
{
    return __builtin_complex((double)ckrun_as_float(value),
                             value->kind == CKRUN_COMPLEX ? (double)value->im : 0.0);
}

static struct ckrun_value
complex_operation(struct ckrun_parser *p, const char *at, enum operator op,
                  const struct ckrun_value *left, const struct ckrun_value *right)
{
    double complex a = complex_of(left);
    double complex b = complex_of(right);
    double complex result = 0;
    switch (op) {
    case ADD:
        result = a + b;
        break;
    case SUBTRACT:
        result = a - b;
        break;
    case MULTIPLY:
        result = a * b;
        break;
    case DIVIDE:
        result = a / b;
        break;
    case POWER:
        result = cpow(a, b);
        break;
    default:
        ckrun_parse_fail(p, at, "complex numbers have no `//` and no `%%`");
    }
    return complex_value(creal(result), cimag(result));
}

/* A binary operation on plain numbers; what a cast made of an operand does not count in it. */
static struct ckrun_value
operate(struct ckrun_parser *p, const char *at, enum operator op, struct ckrun_value a,
        struct ckrun_value b)
{
    struct ckrun_value result = int_value(1);
    if (p->error)
        return result;
    if (!ckrun_is_any_number(&a) || !ckrun_is_any_number(&b)) {
        ckrun_parse_fail(p, at, "arithmetic is for numbers: this is %s",
                         ckrun_kind_text(ckrun_is_any_number(&a) ? b.kind : a.kind));
        return result;
    }
    bool divides = op == DIVIDE || op == FLOOR_DIVIDE || op == REMAINDER;
    if (divides && ckrun_as_float(&b) == 0 && (b.kind != CKRUN_COMPLEX || b.im == 0)) {
        ckrun_parse_fail(p, at, "division by zero");
        return result;
    }
    if (a.kind == CKRUN_COMPLEX || b.kind == CKRUN_COMPLEX)
        return complex_operation(p, at, op, &a, &b);
    bool floats =
        a.kind == CKRUN_FLOAT || b.kind == CKRUN_FLOAT || op == DIVIDE || (op == POWER && b.i < 0);
    if (floats)
        return float_value(float_operation(op, ckrun_as_float(&a), ckrun_as_float(&b)));
    if (int_operation(&result.i, op, a.i, b.i))
        ckrun_parse_fail(p, at, "the result is too large");
    return result;
}

/* --- Grammar -----------------------------------------------------------------------------------
 */

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

/* One item more. */
static void
add_item(struct ckrun_parser *p, const char *at, struct ckrun_value **items, int *n,
         const struct ckrun_value *item)
{
    bool possible =
        ckrun_is_any_number(item) || item->kind == CKRUN_ARRAY || item->kind == CKRUN_TUPLE;
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
    bool closed = false;
    while (!p->error && !closed && ckrun_parse_accept(p, ',')) {
        closed = ckrun_parse_accept(p, ')');
        at = p->at;
        if (closed)
            break;
        struct ckrun_value item = ckrun_parse_expression(p);
        add_item(p, at, &items, &n, &item);
    }
    if (!closed)
        ckrun_parse_expect(p, ')');
    struct ckrun_value tuple = ckrun_tuple_new(p->env, items, n);
    free(items);
    return tuple;
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
    return is_prefix(name, length) || find_constant(name, length) ||
           ckrun_is_function(name, length);
}

/* name: [('np' | 'numpy' | 'numba' | 'math') '.'] NAME ['(' arguments ')'] */
static struct ckrun_value
parse_named(struct ckrun_parser *p)
{
    struct ckrun_value v = int_value(1);
    const char *name = p->at;
    size_t length = ckrun_parse_name(p);
    struct ckrun_name *defined = ckrun_find(p->env, name, length);
    bool prefixed = !defined && is_prefix(name, length) && name[length] == '.';
    if (prefixed) {
        p->at = name += length + 1;
        length = ckrun_parse_name(p);
    }
    p->at = name + length;
    if (defined) {
        defined->used = true;
        return defined->value;
    }
    if (ckrun_parse_accept(p, '(')) {
        if (!ckrun_call(p, name, length, name, &v))
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
    skip_space(p);
    char c = *p->at;
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)p->at[1])))
        return parse_number(p);
    if (c == '(')
        return parse_parentheses(p);
    if (c == '[')
        return ckrun_parse_list(p);
    if (c == '\'' || c == '"')
        return parse_string(p);
    if (is_name_byte(c))
        return parse_named(p);
    fail_unexpected(p, "a value");
    return int_value(1);
}

static struct ckrun_value
attribute(struct ckrun_parser *p, const char *name, size_t length, const struct ckrun_value *of)
{
    static const char *const names[] = {"shape", "size", "ndim", "dtype"};
    if (p->error)
        return *of;
    if (of->kind != CKRUN_ARRAY) {
        ckrun_parse_fail(p, name, "only an array has attributes: this is %s",
                         ckrun_kind_text(of->kind));
        return *of;
    }
    const ck_npy *array = &of->array->host;
    int i = 0;
    while (i < 4 && (strlen(names[i]) != length || memcmp(names[i], name, length) != 0))
        i++;
    switch (i) {
    case 0:
        return ckrun_shape_value(p->env, array);
    case 1:
        return int_value(ckrun_count(array));
    case 2:
        return int_value(array->ndim);
    case 3:
        return (struct ckrun_value){.kind = CKRUN_DTYPE, .dtype = array->dtype};
    default: {
        struct ckrun_value result = *of;
        if (!ckrun_method(p, name, length, array, &result))
            ckrun_parse_fail(p, name,
                             "an array has here .shape .size .ndim .dtype .reshape(...) and "
                             ".astype(dtype)");
        return result;
    }
    }
}

static struct ckrun_value
item(struct ckrun_parser *p, const char *at, const struct ckrun_value *of,
     const struct ckrun_value *index)
{
    if (p->error)
        return *of;
    if (of->kind != CKRUN_TUPLE || index->kind != CKRUN_INT) {
        ckrun_parse_fail(p, at,
                         of->kind == CKRUN_TUPLE ? "a tuple's index is an integer"
                                                 : "only a tuple, such as a shape, has items here");
        return *of;
    }
    int n = of->tuple.n;
    if (index->i < -n || index->i >= n) {
        ckrun_parse_fail(p, at, "the index is out of range: the tuple has %d item%s", n,
                         n == 1 ? "" : "s");
        return *of;
    }
    return of->tuple.items[index->i < 0 ? index->i + n : index->i];
}

/* postfix: atom {'.' NAME | '[' expression ']'} */
static struct ckrun_value
parse_postfix(struct ckrun_parser *p)
{
    struct ckrun_value v = parse_atom(p);
    while (!p->error) {
        const char *at = p->at;
        if (ckrun_parse_accept(p, '.')) {
            const char *name = p->at;
            size_t length = ckrun_parse_name(p);
            p->at += length;
            v = attribute(p, name, length, &v);
        } else if (ckrun_parse_accept(p, '[')) {
            struct ckrun_value index = ckrun_parse_expression(p);
            ckrun_parse_expect(p, ']');
            v = item(p, at, &v, &index);
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
    if (!accept_operator(p, "**"))
        return v;
    struct ckrun_value exponent = int_value(1);
    if (++p->depth > MAX_DEPTH)
        ckrun_parse_fail(p, at, "the expression is nested too deeply");
    if (!p->error)
        exponent = parse_unary(p);
    p->depth--;
    if (!p->error && ckrun_is_number(&v) && ckrun_is_number(&exponent) && ckrun_as_float(&v) == 0 &&
        ckrun_as_float(&exponent) < 0)
        ckrun_parse_fail(p, at, "division by zero");
    return operate(p, at, POWER, v, exponent);
}

/* unary: ('-' | '+') unary | power */
static struct ckrun_value
parse_unary(struct ckrun_parser *p)
{
    skip_space(p);
    const char *at = p->at;
    bool minus = *at == '-';
    if (!minus && *at != '+')
        return parse_power(p);
    struct ckrun_value v = int_value(0);
    if (++p->depth > MAX_DEPTH)
        ckrun_parse_fail(p, at, "the expression is nested too deeply");
    p->at++;
    if (!p->error)
        v = parse_unary(p);
    p->depth--;
    if (minus && v.kind == CKRUN_FLOAT)
        return float_value(-v.f); /* of zero too */
    if (minus && v.kind == CKRUN_COMPLEX)
        return complex_value(-v.f, -v.im);
    return operate(p, at, minus ? SUBTRACT : ADD, int_value(0), v);
}

/* product: unary {('*' | '//' | '/' | '%') unary} */
static struct ckrun_value
parse_product(struct ckrun_parser *p)
{
    struct ckrun_value v = parse_unary(p);
    while (!p->error) {
        skip_space(p);
        const char *at = p->at;
        enum operator op;
        if (accept_operator(p, "*"))
            op = MULTIPLY;
        else if (accept_operator(p, "//"))
            op = FLOOR_DIVIDE;
        else if (accept_operator(p, "/"))
            op = DIVIDE;
        else if (accept_operator(p, "%"))
            op = REMAINDER;
        else
            break;
        v = operate(p, at, op, v, parse_unary(p));
    }
    return v;
}

/* expression: product {('+' | '-') product} */
struct ckrun_value
ckrun_parse_expression(struct ckrun_parser *p)
{
    skip_space(p);
    if (++p->depth > MAX_DEPTH)
        ckrun_parse_fail(p, p->at, "the expression is nested too deeply");
    struct ckrun_value v = p->error ? int_value(1) : parse_product(p);
    while (!p->error) {
        skip_space(p);
        const char *at = p->at;
        if (accept_operator(p, "+"))
            v = operate(p, at, ADD, v, parse_product(p));
        else if (accept_operator(p, "-"))
            v = operate(p, at, SUBTRACT, v, parse_product(p));
        else
            break;
    }
    p->depth--;
    return v;
}

/* --- Definitions -------------------------------------------------------------------------------
 */

/* `@FILE.npy`. An exit status. */
static int
read_array(struct ckrun_parser *p, struct ckrun_value *out)
{
    const char *path = p->at + 1;
    if (strstr(path, ".npz")) {
        ckrun_parse_fail(p, p->at, ".npz files are not supported yet: save the array as .npy");
        return TOOL_USAGE;
    }
    ck_npy host;
    ck_status status = ck_npy_read(&host, p->env->ctx, path);
    if (status != CK_OK)
        return tool_fail_file(p->env->ctx, status);
    *out = (struct ckrun_value){.kind = CKRUN_ARRAY, .array = ckrun_array_adopt(p->env, &host)};
    return TOOL_DONE;
}

/* The value after `=`. An exit status; a message of the parser is still to come out. */
static int
parse_value(struct ckrun_parser *p, struct ckrun_value *out)
{
    skip_space(p);
    if (*p->at == '@')
        return read_array(p, out);
    const char *at = p->at;
    const struct ckrun_array *newest = p->env->arrays;
    *out = ckrun_parse_expression(p);
    expect_end(p);
    bool is_new = out->kind == CKRUN_ARRAY && out->array == p->env->arrays && out->array != newest;
    if (p->error)
        return TOOL_USAGE;
    if (out->kind == CKRUN_ARRAY && !is_new)
        ckrun_parse_fail(p, at, "an array has one name: make another one of its own");
    else if (out->kind == CKRUN_TUPLE && p->env->arrays != newest)
        ckrun_parse_fail(p, at, "give the array a name of its own: NAME=zeros(...)");
    else if (out->kind == CKRUN_STRING || out->kind == CKRUN_MAX || out->kind == CKRUN_NONE)
        ckrun_parse_fail(p, at, "a value is an array, a number or a tuple: this is %s",
                         ckrun_kind_text(out->kind));
    return p->error ? TOOL_USAGE : TOOL_DONE;
}

/* Whether the value is a path of a .npy file without `@`; no expression ends like that. */
static bool
is_bare_file(const char *text)
{
    size_t length = strlen(text);
    return text[strspn(text, " \t")] != '@' && !strpbrk(text, "([,") && length > 4 &&
           strcmp(text + length - 4, ".npy") == 0;
}

int
ckrun_define(struct ckrun_env *env, const char *text)
{
    struct ckrun_parser p;
    ckrun_parse_begin(&p, env, text);
    size_t length = ckrun_parse_name(&p);
    if (ckrun_find(env, text, length))
        ckrun_parse_fail(&p, text, "`%.*s` is defined twice", (int)length, text);
    else if (ckrun_is_reserved(text, length))
        ckrun_parse_fail(&p, text, "`%.*s` means something to ckrun: take another name",
                         (int)length, text);
    p.at += length;
    ckrun_parse_expect(&p, '=');
    if (!p.error && is_bare_file(p.at))
        ckrun_parse_fail(&p, p.at, "a file is written with @: '%.*s=@%s'", (int)length, text,
                         p.at + strspn(p.at, " \t"));
    struct ckrun_value value = {.kind = CKRUN_NONE};
    int status = p.error ? TOOL_USAGE : parse_value(&p, &value);
    if (!ckrun_parse_end(&p) || status != TOOL_DONE)
        return status;
    const char *file = strchr(text, '=') + 1;
    file += strspn(file, " \t");
    env->names = tool_grow(env->names, env->n_names + 1, sizeof *env->names);
    env->names[env->n_names++] = (struct ckrun_name){
        .name = tool_strndup(text, length),
        .value = value,
        .text = file,
        .file = *file == '@' ? file + 1 : NULL,
    };
    return TOOL_DONE;
}

bool
ckrun_parse_number(struct ckrun_value *out, struct ckrun_env *env, const char *text)
{
    struct ckrun_parser p;
    ckrun_parse_begin(&p, env, text);
    *out = ckrun_parse_expression(&p);
    if (!p.error)
        expect_end(&p);
    if (!p.error && !ckrun_is_any_number(out))
        ckrun_parse_fail(&p, text, "expected a number or a file FILE.npy: this is %s",
                         ckrun_kind_text(out->kind));
    return ckrun_parse_end(&p);
}

/* --- Launches ----------------------------------------------------------------------------------
 */

static uint32_t
dimension(struct ckrun_parser *p, const char *at, const char *what, ckrun_int i)
{
    char buffer[CKRUN_INT_TEXT];
    if (i < 1 || i > UINT32_MAX)
        ckrun_parse_fail(p, at, "%s of %s: it must be 1 or more%s", what, ckrun_int_text(buffer, i),
                         i < 1 ? "" : ", and fit in 32 bits");
    return (uint32_t)i;
}

/* A grid or a block: an integer, or a tuple of one to three. */
static ck_dim3
dimensions(struct ckrun_parser *p, const char *at, const char *what, const struct ckrun_value *v)
{
    ck_dim3 dim = {1, 1, 1};
    uint32_t *parts[] = {&dim.x, &dim.y, &dim.z};
    ckrun_int items[CK_MAX_DIMS];
    const char *why;
    if (p->error)
        return dim;
    int n = v->kind == CKRUN_TUPLE ? ckrun_shape_items(items, v, &why) : -1;
    if (v->kind == CKRUN_INT) {
        dim.x = dimension(p, at, what, v->i);
    } else if (v->kind == CKRUN_TUPLE && n >= 1 && n <= 3) {
        for (int i = 0; i < n; i++)
            *parts[i] = dimension(p, at, what, items[i]);
    } else if (v->kind == CKRUN_FLOAT) {
        ckrun_parse_fail(p, at, "%s is a float: divide with `//`", what);
    } else {
        ckrun_parse_fail(p, at, "%s is an integer or a tuple of one to three: this is %s", what,
                         v->kind != CKRUN_TUPLE     ? ckrun_kind_text(v->kind)
                         : n < 0 && v->tuple.n <= 3 ? "a tuple of other things"
                                                    : "a tuple of another length");
    }
    return dim;
}

static void
set_grid(struct ckrun_parser *p, struct ckrun_launch *launch, bool query)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    launch->grid_is_max = v.kind == CKRUN_MAX;
    if (v.kind == CKRUN_NONE && query)
        return;
    if (!launch->grid_is_max)
        launch->grid = dimensions(p, at, "the grid", &v);
}

static void
check_stream(struct ckrun_parser *p)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    bool is_default = v.kind == CKRUN_NONE || (v.kind == CKRUN_INT && v.i == 0);
    if (!p->error && !is_default)
        ckrun_parse_fail(p, at, "ckrun launches on the default stream: write 0");
}

static void
set_shared(struct ckrun_parser *p, struct ckrun_launch *launch)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (p->error)
        return;
    if (v.kind != CKRUN_INT || v.i < 0 || v.i > UINT32_MAX)
        ckrun_parse_fail(p, at, "shared memory is a number of bytes, 0 or more");
    launch->shared_bytes = (uint32_t)v.i;
}

static void
set_cluster(struct ckrun_parser *p, struct ckrun_launch *launch)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (!p->error && v.kind != CKRUN_NONE)
        launch->cluster = dimensions(p, at, "the cluster", &v);
}

/* shape: '[' GRID ',' BLOCK [',' STREAM [',' SHARED [',' CLUSTER]]] ']' */
static void
parse_shape(struct ckrun_parser *p, struct ckrun_launch *launch, bool query)
{
    ckrun_parse_expect(p, '[');
    set_grid(p, launch, query);
    if (!ckrun_parse_accept(p, ','))
        ckrun_parse_fail(p, p->at, "a launch has a grid and a block: expected `,`");
    const char *at = p->at;
    struct ckrun_value block = ckrun_parse_expression(p);
    launch->block = dimensions(p, at, "the block", &block);
    if (!p->error && ckrun_parse_accept(p, ',')) {
        check_stream(p);
        if (!p->error && ckrun_parse_accept(p, ','))
            set_shared(p, launch);
        if (!p->error && ckrun_parse_accept(p, ','))
            set_cluster(p, launch);
    }
    ckrun_parse_expect(p, ']');
}

static void
add_argument(struct ckrun_parser *p, struct ckrun_launch *launch)
{
    const char *at = p->at;
    const struct ckrun_array *newest = p->env->arrays;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (p->error)
        return;
    if (!ckrun_is_any_number(&v) && v.kind != CKRUN_ARRAY && v.kind != CKRUN_TUPLE)
        ckrun_parse_fail(p, at, "an argument is an array, a number or a tuple: this is %s",
                         ckrun_kind_text(v.kind));
    else if (p->env->arrays != newest)
        ckrun_parse_fail(p, at, "give the array a name of its own: NAME=zeros(...)");
    launch->args = tool_grow(launch->args, launch->n_args + 1, sizeof *launch->args);
    launch->args[launch->n_args++] = (struct ckrun_argument){.value = v, .at = at};
}

/* arguments: '(' [expression {',' expression} [',']] ')' */
static void
parse_arguments(struct ckrun_parser *p, struct ckrun_launch *launch)
{
    launch->has_args = true;
    if (ckrun_parse_accept(p, ')'))
        return;
    do {
        add_argument(p, launch);
    } while (!p->error && ckrun_parse_accept(p, ',') && *p->at != ')');
    ckrun_parse_expect(p, ')');
}

bool
ckrun_parse_launch(struct ckrun_launch *out, struct ckrun_env *env, const char *text, bool query)
{
    struct ckrun_parser p;
    *out = (struct ckrun_launch){.text = text};
    ckrun_parse_begin(&p, env, text);
    skip_space(&p);
    size_t length = ckrun_parse_name(&p);
    if (!length)
        fail_unexpected(&p, "a launch, KERNEL[GRID, BLOCK](ARG, ...)");
    out->kernel = tool_strndup(p.at, length);
    p.at += length;
    skip_space(&p);
    if (!p.error && *p.at == '(')
        ckrun_parse_fail(&p, p.at, "a launch has a shape: %s[GRID, BLOCK](ARG, ...)", out->kernel);
    if (!p.error)
        parse_shape(&p, out, query);
    if (ckrun_parse_accept(&p, '('))
        parse_arguments(&p, out);
    else if (!query)
        ckrun_parse_expect(&p, '(');
    if (!p.error)
        expect_end(&p);
    if (ckrun_parse_end(&p))
        return true;
    ckrun_launch_release(out);
    return false;
}

void
ckrun_launch_release(struct ckrun_launch *launch)
{
    free(launch->kernel);
    free(launch->args);
    launch->kernel = NULL;
    launch->args = NULL;
}
