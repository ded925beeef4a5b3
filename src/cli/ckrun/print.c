/* Arrays as NumPy prints them: str(array) of NumPy 1.14 to 2.2 with its default print options.
 * NumPy from 2.3 on uses an exponent for smaller float16 and float32 values, unless
 * set to legacy="2.2".
 *
 * Floats are printed with the fewest digits that name them among the values of their own dtype, at
 * most 8 after the point, and all of one array in one form: positional, or scientific where the
 * magnitudes are far apart. */
#include "ckrun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    THRESHOLD = 1000, /* elements printed in full */
    EDGE_ITEMS = 3,
    LINE_WIDTH = 75,
    PRECISION = 8,
    SCALAR_PRECISION = 20, /* what 17 digits from 1e-4 down need */
    WORD = 64,             /* one float; positional form is used below 1e16 only */
    LONG_WORD = 4 * WORD,  /* one element with its padding */
};

/* --- Digits ------------------------------------------------------------------------------------
 */

/* digits[0].digits[1..n) * 10^exponent, without trailing zeros. */
struct digits {
    char digits[20];
    int n;
    int exponent;
};

/* Reads "d.ddde+XX". */
static struct digits
parse_scientific(const char *text)
{
    struct digits d = {.n = 0};
    for (; *text && *text != 'e'; text++) {
        if (*text != '.')
            d.digits[d.n++] = *text;
    }
    d.exponent = atoi(text + 1);
    while (d.n > 1 && d.digits[d.n - 1] == '0')
        d.n--;
    return d;
}

/* Whether a decimal text reads back as `x` of `dtype`. Reading as float64 first is exact enough
 * for the 16-bit types, whose midpoints have few digits. */
static bool
reads_back(const char *text, ck_dtype dtype, double x)
{
    if (dtype == CK_FLOAT32 || dtype == CK_COMPLEX64)
        return (double)strtof(text, NULL) == x;
    return ckrun_round_to(dtype, strtod(text, NULL)) == x;
}

/* Increments the last digit before the exponent, with carry. Returns false if the carry leaves the
 * first digit. */
static bool
next_up(char *text)
{
    char *c = strchr(text, 'e');
    while (c > text) {
        if (*--c == '.')
            continue;
        if (++*c <= '9')
            return true;
        *c = '0';
    }
    return false;
}

/* The fewest digits that read back as `x` (finite, >= 0). Below a power of two the spacing is half
 * of that above it, so the nearest decimal may fail to read back there while the next higher one
 * succeeds. */
static struct digits
shortest_digits(double x, ck_dtype dtype)
{
    char text[40];
    for (int places = 0; places < 17; places++) {
        snprintf(text, sizeof text, "%.*e", places, x);
        if (reads_back(text, dtype, x))
            break;
        if (next_up(text) && reads_back(text, dtype, x))
            break;
    }
    return parse_scientific(text);
}

/* The digits of `x`, with exactly `places` after the first. */
static struct digits
exact_digits(double x, int places)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", places, x);
    return parse_scientific(text);
}

/* --- Floats in words ---------------------------------------------------------------------------
 */

static void
write_positional(char *out, const struct digits *d)
{
    int at = 0;
    if (d->exponent < 0)
        out[at++] = '0';
    for (int i = 0; i <= d->exponent; i++)
        out[at++] = i < d->n ? d->digits[i] : '0';
    out[at++] = '.';
    for (int i = -1; i > d->exponent && d->n > 0; i--)
        out[at++] = '0';
    for (int i = d->exponent < 0 ? 0 : d->exponent + 1; i < d->n; i++)
        out[at++] = d->digits[i];
    out[at] = '\0';
}

static void
trim_zeros(char *text)
{
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        text[--length] = '\0';
}

/* "12.5", "3.", "0.": |x| with at most `precision` digits after the point. In arrays the digits
 * before it are all those of the exact value, in scalars zeros follow the shortest ones. */
static void
positional(char out[WORD], double x, ck_dtype dtype, int precision)
{
    struct digits d = shortest_digits(fabs(x), dtype);
    if (x == 0) {
        strcpy(out, "0.");
    } else if (precision == PRECISION && d.n - 1 < d.exponent) {
        snprintf(out, WORD, "%.0f.", fabs(x));
    } else if (d.n - 1 - d.exponent <= precision) {
        write_positional(out, &d);
    } else {
        snprintf(out, WORD, "%.*f", precision, fabs(x));
        trim_zeros(out);
    }
}

/* "1.25e-07" of |x|: digits after the point are the shortest, at most PRECISION; at least
 * `min_places`, where more are those of the exact value. */
static void
scientific(char out[WORD], double x, ck_dtype dtype, int min_places, int exponent_digits)
{
    struct digits d = shortest_digits(fabs(x), dtype);
    int places = d.n - 1 < PRECISION ? d.n - 1 : PRECISION;
    if (places < min_places || d.n - 1 > PRECISION) {
        places = places < min_places ? min_places : places;
        d = exact_digits(fabs(x), places);
    }
    int at = sprintf(out, "%c.", d.digits[0]);
    for (int i = 1; i < d.n || i <= min_places; i++)
        out[at++] = i < d.n ? d.digits[i] : '0';
    sprintf(out + at, "e%c%0*d", d.exponent < 0 ? '-' : '+', exponent_digits, abs(d.exponent));
}

/* How the floats of one array are printed: found by printing all of them once. */
struct float_form {
    ck_dtype dtype;
    bool plus; /* a sign always: the imaginary parts */
    bool scientific;
    int left;     /* characters before the point, sign included */
    int right;    /* after it; scientific: with the exponent */
    int places;   /* scientific: digits after the point */
    int exponent; /* scientific: digits of the exponent */
};

/* The magnitudes that determine the form. */
struct extent {
    double greatest, least; /* of the magnitudes that are neither 0 nor infinite nor NaN */
    bool any_nonzero, any_finite, any_nonfinite, any_minus_infinity;
};

static void
extend(struct extent *e, double x)
{
    double magnitude = fabs(x);
    e->any_finite |= isfinite(x) != 0;
    e->any_nonfinite |= !isfinite(x);
    e->any_minus_infinity |= isinf(x) && x < 0;
    if (!isfinite(x) || x == 0)
        return;
    if (!e->any_nonzero || magnitude > e->greatest)
        e->greatest = magnitude;
    if (!e->any_nonzero || magnitude < e->least)
        e->least = magnitude;
    e->any_nonzero = true;
}

static bool
wants_scientific(const struct extent *e, ck_dtype dtype)
{
    return e->any_nonzero && (e->greatest >= 1e8 || e->least < 0.0001 ||
                              ckrun_round_to(dtype, e->greatest / e->least) > 1000.0);
}

static int
greater(int a, int b)
{
    return a > b ? a : b;
}

static void
measure(struct float_form *form, double x)
{
    char word[WORD];
    int sign = form->plus || signbit(x);
    if (!isfinite(x))
        return;
    if (!form->scientific) {
        positional(word, x, form->dtype, PRECISION);
        int left = (int)(strchr(word, '.') - word);
        form->left = greater(form->left, sign + left);
        form->right = greater(form->right, (int)strlen(word) - left - 1);
        return;
    }
    scientific(word, x, form->dtype, 0, 2);
    const char *e = strchr(word, 'e');
    form->left = greater(form->left, sign + 1);
    form->places = greater(form->places, (int)(e - word) - 2);
    form->exponent = greater(form->exponent, (int)strlen(e) - 2);
}

/* Widens the columns to hold "nan" and "inf". */
static void
widen_for_nonfinite(struct float_form *form, const struct extent *e)
{
    int infinity = 3 + (form->plus || e->any_minus_infinity);
    int offset = form->right + 1;
    if (e->any_nonfinite)
        form->left = greater(form->left, greater(3, infinity) - offset);
}

static void
write_float(char out[2 * WORD], const struct float_form *form, double x)
{
    char word[WORD];
    const char *sign = signbit(x) && !isnan(x) ? "-" : form->plus ? "+" : "";
    if (!isfinite(x)) {
        snprintf(word, sizeof word, "%s%s", sign, isnan(x) ? "nan" : "inf");
        snprintf(out, (size_t)2 * WORD, "%*s", form->left + form->right + 1, word);
        return;
    }
    if (form->scientific)
        scientific(word, x, form->dtype, form->places, form->exponent);
    else
        positional(word, x, form->dtype, PRECISION);
    int left = (int)(strchr(word, '.') - word) + (int)strlen(sign);
    int right = (int)strlen(word) - (int)(strchr(word, '.') - word) - 1;
    snprintf(out, (size_t)2 * WORD, "%*s%s%s%*s", greater(0, form->left - left), "", sign, word,
             form->scientific ? 0 : greater(0, form->right - right), "");
}

/* str() of a float: at least one digit on both sides of the point, no limit to their number. */
static void
write_scalar(char *out, double x, ck_dtype dtype)
{
    double magnitude = fabs(x);
    char word[WORD];
    const char *sign = signbit(x) && !isnan(x) ? "-" : "";
    if (!isfinite(x)) {
        sprintf(out, "%s%s", sign, isnan(x) ? "nan" : "inf");
        return;
    }
    struct digits d = shortest_digits(magnitude, dtype);
    if (x == 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
        positional(word, x, dtype, SCALAR_PRECISION);
        sprintf(out, "%s%s%s", sign, word, word[strlen(word) - 1] == '.' ? "0" : "");
        return;
    }
    sprintf(out, "%s%c%s%.*se%c%02d", sign, d.digits[0], d.n > 1 ? "." : "", d.n - 1, d.digits + 1,
            d.exponent < 0 ? '-' : '+', abs(d.exponent));
}

/* --- Dates and times ---------------------------------------------------------------------------
 */

void
ckrun_date_text(struct ck_strbuf *out, const struct ckrun_element *element)
{
    bool is_delta = false;
    enum ck_date_unit unit = CK_UNIT_GENERIC;
    ck_date_find_type(ck_dtype_name(element->dtype), &is_delta, &unit);
    ck_date_write(out, (int64_t)element->i, is_delta ? CK_UNIT_GENERIC : unit);
}

/* With `units`, those of a time: "5 days". */
static void
put_date(char buffer[CKRUN_ELEMENT_TEXT], const struct ckrun_element *element, bool units)
{
    static const char *const names[CK_N_UNITS] = {"years",        "months",
                                                  "weeks",        "days",
                                                  "hours",        "minutes",
                                                  "seconds",      "milliseconds",
                                                  "microseconds", "nanoseconds",
                                                  "picoseconds",  "femtoseconds",
                                                  "attoseconds",  "generic time units"};
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ckrun_date_text(&text, element);
    if (units && element->dtype >= CK_TIMEDELTA64_Y && element->i != CK_NAT)
        ck_strbuf_printf(&text, " %s", names[element->dtype - CK_TIMEDELTA64_Y]);
    snprintf(buffer, CKRUN_ELEMENT_TEXT, "%s", ck_strbuf_text(&text));
    ck_strbuf_free(&text);
}

/* As an item of an array: dates and NaT in quotes. */
static const char *
date_word(char buffer[CKRUN_ELEMENT_TEXT], const struct ckrun_element *element)
{
    char text[CKRUN_ELEMENT_TEXT];
    const bool quoted = element->dtype <= CK_DATETIME64 || element->i == CK_NAT;
    put_date(text, element, false);
    snprintf(buffer, CKRUN_ELEMENT_TEXT, quoted ? "'%.90s'" : "%.90s", text);
    return buffer;
}

const char *
ckrun_element_text(char buffer[CKRUN_ELEMENT_TEXT], const struct ckrun_element *element)
{
    if (element->dtype == CK_BOOL)
        return element->i ? "True" : "False";
    if (ckrun_is_date_dtype(element->dtype)) {
        put_date(buffer, element, true);
        return buffer;
    }
    if (ckrun_is_int_dtype(element->dtype)) {
        char digits[CKRUN_INT_TEXT];
        return strcpy(buffer, ckrun_int_text(digits, element->i));
    }
    if (!ckrun_is_complex_dtype(element->dtype)) {
        write_scalar(buffer, element->re, element->dtype);
        return buffer;
    }
    char re[CKRUN_ELEMENT_TEXT], im[CKRUN_ELEMENT_TEXT];
    write_scalar(re, element->re, element->dtype);
    write_scalar(im, element->im, element->dtype);
    snprintf(buffer, CKRUN_ELEMENT_TEXT, "(%.40s%s%.40sj)", re, im[0] == '-' ? "" : "+", im);
    return buffer;
}

/* --- Arrays ------------------------------------------------------------------------------------
 */

struct printer {
    FILE *out;
    const ck_npy *array;
    bool summarised;
    int64_t index[CK_MAX_DIMS];
    struct extent extent[2]; /* of the real and the imaginary parts */
    struct float_form form[2];
    int width; /* integers and bools */
    char line[2 * LINE_WIDTH + LONG_WORD];
    size_t length; /* of the line */
};

static struct ckrun_element
current(const struct printer *p)
{
    return ckrun_load(p->array, ckrun_offset(p->array, p->index));
}

/* Calls `visit` for every element that is printed. */
static void
visit_shown(struct printer *p, int dim, void (*visit)(struct printer *))
{
    if (dim == p->array->ndim) {
        visit(p);
        return;
    }
    int64_t n = p->array->shape[dim];
    bool cut = p->summarised && n > 2 * EDGE_ITEMS;
    for (int64_t i = 0; i < n; i++) {
        if (cut && i == EDGE_ITEMS)
            i = n - EDGE_ITEMS;
        p->index[dim] = i;
        visit_shown(p, dim + 1, visit);
    }
}

static void
visit_extent(struct printer *p)
{
    struct ckrun_element e = current(p);
    extend(&p->extent[0], e.re);
    extend(&p->extent[1], e.im);
}

static void
visit_measure(struct printer *p)
{
    struct ckrun_element e = current(p);
    measure(&p->form[0], e.re);
    measure(&p->form[1], e.im);
}

static void
visit_width(struct printer *p)
{
    char buffer[CKRUN_INT_TEXT], date[CKRUN_ELEMENT_TEXT];
    const struct ckrun_element e = current(p);
    const char *word =
        ckrun_is_date_dtype(e.dtype) ? date_word(date, &e) : ckrun_int_text(buffer, e.i);
    p->width = greater(p->width, (int)strlen(word));
}

static void
find_forms(struct printer *p)
{
    ck_dtype dtype = p->array->dtype;
    visit_shown(p, 0, visit_extent);
    for (int part = 0; part < 2; part++)
        p->form[part] = (struct float_form){
            .dtype = dtype,
            .plus = part == 1,
            .scientific = wants_scientific(&p->extent[part], dtype),
        };
    visit_shown(p, 0, visit_measure);
    for (int part = 0; part < 2; part++) {
        struct float_form *form = &p->form[part];
        if (form->scientific)
            form->right = form->exponent + 2 + form->places;
        widen_for_nonfinite(form, &p->extent[part]);
    }
}

/* An imaginary part's `j` comes before the spaces that pad it. */
static void
add_j(char *word)
{
    size_t length = strlen(word), end = length;
    while (word[end - 1] == ' ')
        end--;
    memmove(word + end + 1, word + end, length - end + 1);
    word[end] = 'j';
}

static void
write_word(char out[LONG_WORD], const struct printer *p)
{
    struct ckrun_element e = current(p);
    char buffer[CKRUN_INT_TEXT], date[CKRUN_ELEMENT_TEXT];
    if (ckrun_is_date_dtype(e.dtype)) {
        sprintf(out, "%*s", p->width, date_word(date, &e));
    } else if (e.dtype == CK_BOOL) {
        sprintf(out, "%5s", e.i ? "True" : "False");
    } else if (ckrun_is_int_dtype(e.dtype)) {
        sprintf(out, "%*s", p->width, ckrun_int_text(buffer, e.i));
    } else {
        write_float(out, &p->form[0], e.re);
        if (ckrun_is_complex_dtype(e.dtype)) {
            char *imaginary = out + strlen(out);
            write_float(imaginary, &p->form[1], e.im);
            add_j(imaginary);
        }
    }
}

static void
end_line(struct printer *p)
{
    while (p->length && p->line[p->length - 1] == ' ')
        p->length--;
    fwrite(p->line, 1, p->length, p->out);
    fputc('\n', p->out);
    p->length = 0;
}

static void
add_spaces(struct printer *p, size_t n)
{
    memset(p->line + p->length, ' ', n);
    p->length += n;
}

/* Adds a word to the row, on a new line if it does not fit on this one. */
static void
add_word(struct printer *p, const char *word, size_t indent, size_t width)
{
    size_t length = strlen(word);
    if (p->length + length > width && p->length > indent) {
        end_line(p);
        add_spaces(p, indent);
    }
    memcpy(p->line + p->length, word, length);
    p->length += length;
}

/* The innermost dimension: elements in lines. The line already holds the text before the row. */
static void
print_row(struct printer *p)
{
    int dim = p->array->ndim - 1;
    int64_t n = p->array->shape[dim];
    bool cut = p->summarised && n > 2 * EDGE_ITEMS;
    size_t indent = (size_t)dim + 1;
    size_t width = LINE_WIDTH - (size_t)dim - 1;
    char word[LONG_WORD];
    for (int64_t i = 0; i < n; i++) {
        if (i > 0)
            add_spaces(p, 1);
        if (cut && i == EDGE_ITEMS) {
            add_word(p, "...", indent, width);
            add_spaces(p, 1);
            i = n - EDGE_ITEMS;
        }
        p->index[dim] = i;
        write_word(word, p);
        add_word(p, word, indent, width);
    }
}

static void
print_dimension(struct printer *p, int dim)
{
    int64_t n = p->array->shape[dim];
    int below = p->array->ndim - dim - 1;
    bool cut = p->summarised && n > 2 * EDGE_ITEMS;
    p->line[p->length++] = '[';
    if (below == 0)
        print_row(p);
    for (int64_t i = 0; below && i < n; i++) {
        for (int lines = 0; i > 0 && lines < below; lines++)
            end_line(p);
        if (i > 0)
            add_spaces(p, (size_t)dim + 1);
        if (cut && i == EDGE_ITEMS) {
            add_word(p, "...", 0, LINE_WIDTH);
            for (int lines = 0; lines < below; lines++)
                end_line(p);
            add_spaces(p, (size_t)dim + 1);
            i = n - EDGE_ITEMS;
        }
        p->index[dim] = i;
        print_dimension(p, dim + 1);
    }
    p->line[p->length++] = ']';
}

/* Prints as NumPy 1.14 to 2.2 does: summarised above 1000 elements, in lines of 75 characters, and
 * with a newline. */
static void
print_array(FILE *out, const ck_npy *array)
{
    struct printer p = {.out = out, .array = array};
    char buffer[CKRUN_ELEMENT_TEXT];
    int64_t count = ckrun_count(array);
    if (count == 0) {
        fputs("[]\n", out);
        return;
    }
    if (array->record) {
        ckrun_print_records(out, array);
        return;
    }
    if (array->ndim == 0) {
        struct ckrun_element element = ckrun_load(array, 0);
        fprintf(out, "%s\n", ckrun_element_text(buffer, &element));
        return;
    }
    p.summarised = count > THRESHOLD;
    if (ckrun_is_int_dtype(array->dtype))
        visit_shown(&p, 0, visit_width);
    else
        find_forms(&p);
    print_dimension(&p, 0);
    fwrite(p.line, 1, p.length, out);
    fputc('\n', out);
}

/* A number, as NumPy's str() of it. */
static void
print_number(FILE *out, const struct ckrun_value *v)
{
    char buffer[CKRUN_ELEMENT_TEXT];
    struct ckrun_element e = {.dtype = v->dtype};
    if (!e.dtype)
        e.dtype = v->kind == CKRUN_BOOL      ? CK_BOOL
                  : v->kind == CKRUN_INT     ? CK_INT64
                  : v->kind == CKRUN_COMPLEX ? CK_COMPLEX128
                                             : CK_FLOAT64;
    if (v->kind == CKRUN_FLOAT || v->kind == CKRUN_COMPLEX)
        e.re = v->f;
    else
        e.i = v->i;
    if (v->kind == CKRUN_COMPLEX)
        e.im = v->im;
    fputs(ckrun_element_text(buffer, &e), out);
}

static void
print_item(FILE *out, const struct ckrun_value *v)
{
    if (v->kind == CKRUN_ARRAY) {
        char *shape = ckrun_shape_text(v->array->host.ndim, v->array->host.shape);
        fprintf(out, "array of shape %s", shape);
        free(shape);
    } else if (v->kind == CKRUN_TUPLE) {
        fputc('(', out);
        for (int i = 0; i < v->tuple.n; i++) {
            fputs(i ? ", " : "", out);
            print_item(out, &v->tuple.items[i]);
        }
        fputs(v->tuple.n == 1 ? ",)" : ")", out);
    } else {
        print_number(out, v);
    }
}

void
ckrun_print_value(FILE *out, const struct ckrun_value *v)
{
    if (v->kind == CKRUN_ARRAY) {
        print_array(out, &v->array->host);
        return;
    }
    if (v->kind == CKRUN_DTYPE)
        ckrun_put_dtype(out, v->dtype, v->dtype == CK_RECORD ? v->record : NULL);
    else
        print_item(out, v);
    fputc('\n', out);
}
