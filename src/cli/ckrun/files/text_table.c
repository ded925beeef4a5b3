/* Arrays as text: rows of numbers, as .csv files and NumPy's loadtxt have them. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array_file.h"

/* --- Reading -----------------------------------------------------------------------------------
 */

struct table {
    const char *path;
    ck_dtype dtype;
    char delimiter; /* 0: white space */
    struct ckrun_element *elements;
    size_t n, rows, columns;
    size_t line; /* for messages */
};

static bool
fail(const struct table *t, const char *what, const char *at, size_t length)
{
    char *text = tool_strndup(at, length);
    tool_error("`%s`, line %zu: `%s` %s", t->path, t->line, text, what);
    free(text);
    return false;
}

/* Reads the whole field as an integer of decimal digits. */
static bool
read_int(ckrun_int *out, const char *text)
{
    bool negative = *text == '-', overflow = false;
    text += *text == '-' || *text == '+';
    *out = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    for (; isdigit((unsigned char)*text); text++)
        overflow |=
            __builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, *text - '0', out);
    *out = negative ? -*out : *out;
    return !*text && !overflow;
}

static bool
read_value(struct ckrun_value *out, ck_dtype dtype, const char *text)
{
    char *end;
    bool is_true = strcmp(text, "True") == 0;
    if (dtype == CK_BOOL && (is_true || strcmp(text, "False") == 0)) {
        *out = (struct ckrun_value){.kind = CKRUN_BOOL, .i = is_true};
        return true;
    }
    *out = (struct ckrun_value){.kind = CKRUN_INT};
    if (ckrun_is_int_dtype(dtype))
        return read_int(&out->i, text);
    out->kind = CKRUN_FLOAT;
    out->f = strtod(text, &end);
    return end != text && !*end;
}

static bool
add_field(struct table *t, const char *at, size_t length)
{
    struct ckrun_element e;
    struct ckrun_value v;
    char *error = NULL;
    while (length && isspace((unsigned char)at[length - 1]))
        length--;
    char *text = tool_strndup(at, length);
    bool read = read_value(&v, t->dtype, text);
    bool fits = read && ckrun_convert(&e, t->dtype, &v, &error);
    free(text);
    free(error);
    if (!fits)
        return fail(t, read ? "does not fit in the dtype" : "is not a number of the dtype", at,
                    length);
    if (!(t->n & (t->n - 1))) /* of a power of two: full */
        t->elements = tool_grow(t->elements, t->n ? 2 * t->n : 1, sizeof *t->elements);
    t->elements[t->n++] = e;
    return true;
}

/* Reads a line without its comment. */
static bool
read_row(struct table *t, const char *at, const char *end)
{
    size_t before = t->n;
    const char *comment = memchr(at, '#', (size_t)(end - at));
    end = comment ? comment : end;
    while (at < end && isspace((unsigned char)*at))
        at++;
    while (at < end) {
        const char *stop = at;
        while (stop < end &&
               (t->delimiter ? *stop != t->delimiter : !isspace((unsigned char)*stop)))
            stop++;
        if (!add_field(t, at, (size_t)(stop - at)))
            return false;
        bool more = stop < end && t->delimiter;
        at = stop + (stop < end);
        while (at < end && isspace((unsigned char)*at))
            at++;
        if (more && at == end && !add_field(t, at, 0)) /* after the last delimiter */
            return false;
    }
    size_t n = t->n - before;
    if (!n)
        return true;
    if (t->rows++ && n != t->columns) {
        tool_error("`%s`, line %zu: %zu numbers, and %zu in the rows before", t->path, t->line, n,
                   t->columns);
        return false;
    }
    t->columns = n;
    return true;
}

/* As loadtxt: one row, and one column, are arrays of one dimension. */
static int
make_array(ck_npy *out, const struct table *t)
{
    size_t size = ck_dtype_size(t->dtype);
    *out = (ck_npy){.dtype = t->dtype, .ndim = 1, .shape = {(int64_t)t->n}, .bytes = t->n * size};
    if (t->rows > 1 && t->columns > 1) {
        out->ndim = 2;
        out->shape[0] = (int64_t)t->rows;
        out->shape[1] = (int64_t)t->columns;
    }
    out->data = tool_alloc(out->bytes);
    for (size_t i = 0; i < t->n; i++)
        ckrun_store(out, (int64_t)i, &t->elements[i]);
    return TOOL_DONE;
}

int
ckrun_read_text(ck_npy *out, const char *path, ck_dtype dtype, char delimiter, int64_t skipped_rows)
{
    struct table t = {.path = path, .dtype = dtype, .delimiter = delimiter};
    char *text = NULL;
    size_t length = 0;
    if (!tool_read_file(path, &text, &length))
        return TOOL_FAILED;
    bool fine = true;
    for (const char *at = text, *all = text + length; at < all && fine;) {
        const char *newline = memchr(at, '\n', (size_t)(all - at)), *end = newline ? newline : all;
        if (t.line++ >= (size_t)skipped_rows)
            fine = read_row(&t, at, end);
        at = end + 1;
    }
    int status = fine ? make_array(out, &t) : TOOL_FAILED;
    free(t.elements);
    free(text);
    return status;
}

/* --- Writing -----------------------------------------------------------------------------------
 */

char *
ckrun_csv_text(const ck_npy *array, size_t *length)
{
    struct ck_strbuf out;
    int64_t index[CK_MAX_DIMS] = {0}, columns = array->ndim == 2 ? array->shape[1] : 1;
    int64_t count = ckrun_count(array);
    ck_strbuf_init(&out);
    for (int64_t i = 0; i < count; i++) {
        char text[CKRUN_ELEMENT_TEXT];
        struct ckrun_element e = ckrun_load(array, ckrun_offset(array, index));
        ck_strbuf_puts(&out, ckrun_element_text(text, &e));
        ck_strbuf_putc(&out, (i + 1) % columns ? ',' : '\n');
        ckrun_next_index(array, index);
    }
    *length = out.length;
    char *text = ck_strbuf_take(&out);
    return text ? text : tool_strndup("", 0);
}
