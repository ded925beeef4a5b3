/* Copies on the device, as steps: NumPy's assignment to a view, of an array or of a number. It is
 * divided into pieces of consecutive bytes, whose places are known before anything runs.
 *
 * copy: view '=' expression */
#include "copies.h"

#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "values/expr.h"

enum { MOST_PIECES = 4096 };

/* --- Pieces ------------------------------------------------------------------------------------
 */

/* The elements of both arrays, in dimensions of the target. */
struct pairs {
    int ndim;
    int64_t shape[CK_MAX_DIMS], to[CK_MAX_DIMS], from[CK_MAX_DIMS]; /* strides in bytes */
    int64_t to_offset, from_offset;
};

static size_t
item_size(const ck_npy *array)
{
    return array->record ? array->record->size : ck_dtype_size(array->dtype);
}

static void
add_dimension(struct pairs *pairs, int64_t extent, int64_t to, int64_t from)
{
    if (extent == 1)
        return;
    if (to < 0) { /* from the other end, so that the target's addresses grow */
        pairs->to_offset += (extent - 1) * to;
        pairs->from_offset += (extent - 1) * from;
        to = -to;
        from = -from;
    }
    int at = pairs->ndim++;
    for (; at > 0 && pairs->to[at - 1] < to; at--) {
        pairs->shape[at] = pairs->shape[at - 1];
        pairs->to[at] = pairs->to[at - 1];
        pairs->from[at] = pairs->from[at - 1];
    }
    pairs->shape[at] = extent;
    pairs->to[at] = to;
    pairs->from[at] = from;
}

/* The dimensions by falling strides of the target. False: the shapes do not fit. */
static bool
make_pairs(struct pairs *pairs, const struct ckrun_copy *copy)
{
    const ck_npy *to = &copy->to->host, *from = copy->from ? &copy->from->host : NULL;
    int64_t to_strides[CK_MAX_DIMS], from_strides[CK_MAX_DIMS];
    *pairs = (struct pairs){.to_offset = copy->to->offset};
    ckrun_strides(copy->to, to_strides);
    if (from) {
        pairs->from_offset = copy->from->offset;
        ckrun_strides(copy->from, from_strides);
    }
    for (int i = 0; from && i < from->ndim - to->ndim; i++) {
        if (from->shape[i] != 1)
            return false;
    }
    for (int i = 0; i < to->ndim; i++) {
        const int own = from ? i + from->ndim - to->ndim : -1;
        const bool repeats = own < 0 || from->shape[own] == 1;
        if (!repeats && from->shape[own] != to->shape[i])
            return false;
        add_dimension(pairs, to->shape[i], to_strides[i], repeats ? 0 : from_strides[own]);
    }
    return true;
}

/* Takes the dimensions that are consecutive in both off, and returns the bytes of a piece. */
static size_t
join_dimensions(struct pairs *pairs, bool is_fill, size_t item)
{
    int64_t bytes = (int64_t)item;
    while (pairs->ndim > 0) {
        const int last = pairs->ndim - 1;
        if (pairs->to[last] != bytes || (!is_fill && pairs->from[last] != bytes))
            break;
        bytes *= pairs->shape[last];
        pairs->ndim--;
    }
    return (size_t)bytes;
}

/* False: there are too many. */
static bool
make_pieces(struct ckrun_copy *copy, const struct pairs *pairs)
{
    int64_t index[CK_MAX_DIMS] = {0}, n = 1;
    for (int i = 0; i < pairs->ndim; i++) {
        if (__builtin_mul_overflow(n, pairs->shape[i], &n) || n > MOST_PIECES)
            return false;
    }
    copy->pieces = tool_alloc((size_t)n * sizeof *copy->pieces);
    copy->n_pieces = (size_t)n;
    for (size_t k = 0; k < copy->n_pieces; k++) {
        struct ckrun_piece *piece = &copy->pieces[k];
        *piece = (struct ckrun_piece){pairs->to_offset, pairs->from_offset};
        for (int i = 0; i < pairs->ndim; i++) {
            piece->to += index[i] * pairs->to[i];
            piece->from += index[i] * pairs->from[i];
        }
        for (int i = pairs->ndim - 1; i >= 0 && ++index[i] == pairs->shape[i]; i--)
            index[i] = 0;
    }
    return true;
}

static bool
overlaps(const struct ckrun_copy *copy)
{
    const int64_t bytes = (int64_t)copy->piece_bytes;
    bool found = false;
    if (!copy->from || ckrun_base(copy->to) != ckrun_base(copy->from))
        return false;
    for (size_t i = 0; i < copy->n_pieces && !found; i++) {
        for (size_t k = 0; k < copy->n_pieces && !found; k++)
            found = copy->pieces[i].to < copy->pieces[k].from + bytes &&
                    copy->pieces[k].from < copy->pieces[i].to + bytes;
    }
    return found;
}

/* --- Parsing -----------------------------------------------------------------------------------
 */

/* The `=` outside of brackets and strings that is no part of a comparison; NULL: there is none. */
static const char *
find_assignment(const char *text)
{
    char quote = 0;
    int depth = 0;
    for (const char *c = text; *c; c++) {
        if (quote)
            quote = *c == quote ? 0 : quote;
        else if (*c == '\'' || *c == '"')
            quote = *c;
        else if (*c == '=' && depth == 0 && c[1] != '=' && (c == text || !strchr("=<>!", c[-1])))
            return c;
        else
            depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
    }
    return NULL;
}

bool
ckrun_is_copy(const char *text)
{
    return find_assignment(text) != NULL;
}

static void
parse_target(struct ckrun_parser *p, struct ckrun_copy *copy, const struct ckrun_array *newest)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (p->error)
        return;
    int length = (int)(p->at - at);
    while (length > 0 && strchr(" \t\n", at[length - 1]))
        length--;
    if (v.kind == CKRUN_ARRAY && at[length - 1] != ']')
        ckrun_parse_fail(p, at, "write %.*s[:] to copy to the array", length, at);
    else if (v.kind != CKRUN_ARRAY)
        ckrun_parse_fail(p, at, "a copy goes to an array, as x[:] or x[2:3]: this is %s",
                         ckrun_kind_text(v.kind));
    else if (ckrun_has_new_memory(p->env, newest, &v))
        ckrun_parse_fail(p, at, "a copy goes to an array that has a name: this one is new");
    else
        copy->to = v.array;
    ckrun_keep(&v);
}

/* Of an array: the memory that is copied. */
static void
take_array(struct ckrun_parser *p, const char *at, struct ckrun_copy *copy,
           const struct ckrun_value *v)
{
    const ck_npy *to = &copy->to->host, *from = &v->array->host;
    char *have = ckrun_dtype_text(from->dtype, from->record);
    char *want = ckrun_dtype_text(to->dtype, to->record);
    if (from->dtype != to->dtype || !ck_record_equal(from->record, to->record))
        ckrun_parse_fail(p, at, "a copy on the device has one dtype: this is %s, and the array %s",
                         have, want);
    else if (ckrun_base(copy->to)->global || ckrun_base(v->array)->global)
        ckrun_parse_fail(p, at,
                         "arrays of the module are copied by kernels: a step sets `%s` to a "
                         "number alone",
                         ckrun_base(copy->to)->global ? ckrun_base(copy->to)->global
                                                      : ckrun_base(v->array)->global);
    copy->from = v->array;
    free(have);
    free(want);
}

static bool
has_one_byte(const ck_npy *array)
{
    const unsigned char *bytes = array->data;
    bool same = true;
    for (size_t i = 1; i < item_size(array); i++)
        same = same && bytes[i] == bytes[0];
    return same;
}

/* Of a number: an array of it, unless all of its bytes are one. */
static void
take_number(struct ckrun_parser *p, const char *at, struct ckrun_copy *copy,
            const struct ckrun_value *v)
{
    const ck_npy *to = &copy->to->host;
    struct ckrun_element element;
    char *error = NULL;
    if (to->record) {
        ckrun_parse_fail(p, at, "records are copied from an array of records: this is %s",
                         ckrun_kind_text(v->kind));
        return;
    }
    if (!ckrun_convert(&element, to->dtype, v, &error)) {
        ckrun_parse_fail_text(p, at, error);
        return;
    }
    struct ckrun_array *from =
        ckrun_array_new(p->env, to->dtype, to->ndim, to->shape, false, &error);
    if (!from) {
        ckrun_parse_fail_text(p, at, error);
        return;
    }
    for (int64_t i = 0; i < ckrun_count(&from->host); i++)
        ckrun_store(&from->host, i, &element);
    copy->from = from;
    if (ckrun_count(&from->host) && has_one_byte(&from->host) && !ckrun_base(copy->to)->global) {
        copy->byte = *(unsigned char *)from->host.data;
        copy->from = NULL; /* the array is trimmed */
        return;
    }
    ckrun_keep(&(struct ckrun_value){.kind = CKRUN_ARRAY, .array = from});
}

static void
parse_source(struct ckrun_parser *p, struct ckrun_copy *copy, const struct ckrun_array *newest)
{
    const char *at = p->at;
    bool is_read = false;
    for (struct ckrun_array *a = p->env->arrays; a; a = a->next)
        a->is_read = false;
    struct ckrun_value v = ckrun_parse_expression(p);
    for (struct ckrun_array *a = p->env->arrays; a; a = a->next)
        is_read = is_read || a->is_read;
    const int length = (int)(p->at - at);
    if (p->error)
        return;
    if (v.kind == CKRUN_ARRAY && ckrun_has_new_memory(p->env, newest, &v))
        ckrun_parse_fail(p, at, "give the array a name of its own: 'NAME=%.*s', and NAME here",
                         length, at);
    else if (v.kind == CKRUN_ARRAY)
        take_array(p, at, copy, &v);
    else if (!ckrun_is_any_number(&v))
        ckrun_parse_fail(p, at, "a copy takes an array or a number: this is %s",
                         ckrun_kind_text(v.kind));
    else if (is_read)
        ckrun_parse_fail(p, at,
                         "a number of an array is taken before anything runs: give it a name, "
                         "'NAME=%.*s'",
                         length, at);
    else
        take_number(p, at, copy, &v);
    if (v.kind == CKRUN_ARRAY)
        ckrun_keep(&v);
}

static void
plan(struct ckrun_parser *p, const char *at, struct ckrun_copy *copy)
{
    struct pairs pairs;
    if (!make_pairs(&pairs, copy)) {
        char *have = ckrun_shape_text(copy->from->host.ndim, copy->from->host.shape);
        char *want = ckrun_shape_text(copy->to->host.ndim, copy->to->host.shape);
        ckrun_parse_fail(p, at, "an array of shape %s does not fit into one of shape %s", have,
                         want);
        free(have);
        free(want);
        return;
    }
    if (!ckrun_count(&copy->to->host))
        return;
    copy->piece_bytes = join_dimensions(&pairs, !copy->from, item_size(&copy->to->host));
    if (!make_pieces(copy, &pairs))
        ckrun_parse_fail(p, p->text,
                         "the copy has more than %d pieces, of %zu byte%s: a kernel copies them "
                         "faster",
                         MOST_PIECES, copy->piece_bytes, copy->piece_bytes == 1 ? "" : "s");
    else if (overlaps(copy))
        ckrun_parse_fail(p, p->text, "the two share memory: copy by way of a third array");
}

bool
ckrun_parse_copy(struct ckrun_copy *out, struct ckrun_env *env, const char *text)
{
    struct ckrun_parser p;
    const struct ckrun_array *newest = env->arrays;
    *out = (struct ckrun_copy){.text = text};
    ckrun_parse_begin(&p, env, text);
    ckrun_skip_space(&p);
    parse_target(&p, out, newest);
    ckrun_skip_space(&p);
    if (!p.error && p.at != find_assignment(text))
        ckrun_fail_unexpected(&p, "`=` after the array that a copy goes to");
    const char *source = find_assignment(text) + 1;
    if (!p.error) {
        p.at = source;
        ckrun_skip_space(&p);
        source = p.at;
        parse_source(&p, out, newest);
    }
    if (!p.error)
        ckrun_expect_end(&p);
    if (!p.error)
        plan(&p, source, out);
    ckrun_env_trim(env, newest);
    if (ckrun_parse_end(&p))
        return true;
    ckrun_copy_release(out);
    return false;
}

void
ckrun_copy_release(struct ckrun_copy *copy)
{
    free(copy->pieces);
    copy->pieces = NULL;
}

double
ckrun_copy_bytes(const struct ckrun_copy *copy)
{
    const double bytes = (double)copy->n_pieces * (double)copy->piece_bytes;
    return copy->from ? 2 * bytes : bytes;
}

/* --- Running -----------------------------------------------------------------------------------
 */

int
ckrun_copy_failed(struct ckrun_session *session, const struct ckrun_copy *copy, ck_status status)
{
    int exit_status = tool_fail(session->ctx, status);
    ckrun_print_step(copy->text);
    return exit_status;
}

int
ckrun_copy_prepare(struct ckrun_session *session, const struct ckrun_copy *copy)
{
    ck_status status = ckrun_upload_globals(session);
    if (status == CK_OK)
        status = ckrun_upload(session, copy->to);
    if (status == CK_OK && copy->from && !ckrun_base(copy->to)->global)
        status = ckrun_upload(session, copy->from);
    return status == CK_OK ? TOOL_DONE : ckrun_copy_failed(session, copy, status);
}

static ck_status
run_piece(struct ckrun_session *session, const struct ckrun_copy *copy,
          const struct ckrun_piece *piece)
{
    const struct ckrun_array *to = ckrun_base(copy->to);
    const size_t at = (size_t)piece->to, bytes = copy->piece_bytes;
    if (to->global) /* of a number, which is on the host */
        return ck_module_write_global(session->module, session->device, to->global, at,
                                      (const char *)copy->from->host.data + piece->from, bytes);
    if (!copy->from)
        return ck_buffer_fill(to->buffer, at, copy->byte, bytes, NULL);
    return ck_buffer_copy(to->buffer, at, ckrun_base(copy->from)->buffer, (size_t)piece->from,
                          bytes, NULL);
}

int
ckrun_copy_run(struct ckrun_session *session, const struct ckrun_copy *copy)
{
    ck_status status = CK_OK;
    for (size_t i = 0; i < copy->n_pieces && status == CK_OK; i++)
        status = run_piece(session, copy, &copy->pieces[i]);
    return status == CK_OK ? TOOL_DONE : ckrun_copy_failed(session, copy, status);
}
