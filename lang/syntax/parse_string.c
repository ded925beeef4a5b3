/* The parser, part seven: strings and f-strings. The fields of an f-string are expressions, parsed
 * where they stand. */
#include <string.h>

#include "lang/syntax/parser.h"

/* What adjacent strings are made of so far. */
struct parts {
    struct ck_parser *p;
    struct ck_format_part *items;
    int n, capacity;
    uint16_t depth; /* of the expressions in it */
    bool bad;
};

static struct ck_span
span_of(const struct ck_parser *p, const char *start, const char *end)
{
    const struct ck_lexer *lexer = &p->lexer;
    return (struct ck_span){lexer->base + (uint32_t)(start - lexer->text),
                            lexer->base + (uint32_t)(end - lexer->text)};
}

static void
report(struct parts *parts, const char *start, const char *end, const char *what)
{
    ck_diag_add(parts->p->diags, CK_DIAG_BAD_STRING, span_of(parts->p, start, end), what);
    parts->bad = true;
}

static void
add_text(struct parts *parts, const char *text, uint32_t length, struct ck_span span)
{
    const struct ck_format_part part = {.text = text, .length = length, .span = span};
    if (length)
        CK_PUSH(parts->p->arena, parts->items, parts->n, parts->capacity, part);
}

/* Text of an f-string, as written. */
static void
add_written(struct parts *parts, const char *start, const char *end, bool raw)
{
    const char *text;
    uint32_t length;
    if (ck_lexer_decode(&parts->p->lexer, start, end, raw, &text, &length))
        add_text(parts, text, length, span_of(parts->p, start, end));
    else
        parts->bad = true;
}

/* --- Fields --------------------------------------------------------------------------------------
 */

/* Past a string in a field's expression. */
static const char *
skip_quoted(const char *at, const char *end)
{
    const char quote = *at++;
    while (at < end && *at != quote)
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

/* Whether the `=` at AT is no part of a comparison. */
static bool
is_lone_equals(const char *at, const char *start, const char *end)
{
    return *at == '=' && (at + 1 == end || at[1] != '=') &&
           (at == start || !memchr("=!<>", at[-1], 4));
}

/* The end of a field's expression: a `:`, `}`, `=` or `!` outside brackets and strings. */
static const char *
expression_end(const char *start, const char *end)
{
    int depth = 0;
    const char *at = start;
    while (at < end) {
        if (*at == '"' || *at == '\'') {
            at = skip_quoted(at, end);
            continue;
        }
        if (depth == 0 && (*at == ':' || *at == '}' || is_lone_equals(at, start, end) ||
                           (*at == '!' && (at + 1 == end || at[1] != '='))))
            return at;
        depth += (memchr("([{", *at, 3) != NULL) - (memchr(")]}", *at, 3) != NULL);
        at++;
    }
    return end;
}

/* The end of a format, with the fields in it. */
static const char *
spec_end(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end && (depth > 0 || *at != '}'); at++)
        depth += (*at == '{') - (*at == '}');
    return at;
}

static struct ck_expr *
make(struct parts *parts, struct ck_span span)
{
    const bool is_text = parts->n == 0 || (parts->n == 1 && parts->items[0].text);
    const enum ck_expr_kind kind = parts->bad ? CK_EXPR_ERROR
                                   : is_text  ? CK_EXPR_STRING
                                              : CK_EXPR_FORMAT;
    struct ck_expr *e = ck_parser_new_expr(parts->p, kind, span);
    e->depth = (uint16_t)(parts->depth + 1);
    if (kind == CK_EXPR_STRING) {
        e->string.bytes = parts->n ? parts->items[0].text : "";
        e->string.length = parts->n ? parts->items[0].length : 0;
    } else if (kind == CK_EXPR_FORMAT) {
        e->format.parts = parts->items;
        e->format.n = parts->n;
    }
    return e;
}

static void add_fields(struct parts *parts, const char *at, const char *end, bool raw,
                       bool in_spec);

static struct ck_expr *
parse_spec(struct parts *parts, const char *start, const char *end, bool raw)
{
    struct parts inner = {.p = parts->p, .depth = parts->depth};
    add_fields(&inner, start, end, raw, true);
    parts->bad |= inner.bad;
    parts->depth = inner.depth;
    return make(&inner, span_of(parts->p, start, end));
}

static struct ck_expr *
parse_value(struct parts *parts, const char *start, const char *end)
{
    struct ck_parser *p = parts->p;
    const struct ck_span span = span_of(p, start, end);
    if (start + strspn(start, " \t\r\n") >= end) {
        report(parts, start - 1, end, "a field without an expression");
        return NULL;
    }
    struct ck_expr *value =
        ck_parse_expression(p->arena, start, (uint32_t)(end - start), span.start, p->diags);
    parts->bad |= !value;
    if (value && value->depth > parts->depth)
        parts->depth = value->depth;
    return value;
}

/* A field, after its `{`. Returns its end. */
static const char *
add_field(struct parts *parts, const char *start, const char *end, bool raw, bool in_spec)
{
    struct ck_format_part field = {0};
    const char *stop = expression_end(start, end), *at = stop;
    if (at < end && *at == '=') {
        for (at++; at < end && (*at == ' ' || *at == '\t'); at++)
            continue;
        add_written(parts, start, at, true);
    }
    if (at < end && *at == '!') {
        struct ck_diag *diag = ck_diag_add(parts->p->diags, CK_DIAG_UNSUPPORTED_SYNTAX,
                                           span_of(parts->p, at, at + 1), "conversions of fields");
        ck_diag_help(parts->p->diags, diag, "numbers need none: leave it out");
        parts->bad = true;
        return end;
    }
    const char *spec = at < end && *at == ':' ? at + 1 : NULL;
    const char *close = spec && !in_spec ? spec_end(spec, end) : at;
    if (close >= end || *close != '}') {
        report(parts, start - 1, start,
               in_spec && spec ? "a field in a format has no format of its own"
                               : "the field that begins here is never closed");
        return end;
    }
    field.span = span_of(parts->p, start - 1, close + 1);
    field.value = parse_value(parts, start, stop);
    if (spec && !parts->bad)
        field.spec = parse_spec(parts, spec, close, raw);
    CK_PUSH(parts->p->arena, parts->items, parts->n, parts->capacity, field);
    return close + 1;
}

/* The text and the fields of an f-string, or of a format in one. */
static void
add_fields(struct parts *parts, const char *at, const char *end, bool raw, bool in_spec)
{
    while (at < end && !parts->bad) {
        const char *start = at;
        while (at < end && *at != '{' && *at != '}')
            at += *at == '\\' && !raw && at + 1 < end ? 2 : 1;
        add_written(parts, start, at, raw);
        if (at == end)
            break;
        if (!in_spec && at + 1 < end && at[1] == *at) {
            add_written(parts, at, at + 1, true);
            at += 2;
        } else if (*at == '}') {
            report(parts, at, at + 1, "a single `}` in an f-string: write `}}`");
        } else {
            at = add_field(parts, at + 1, end, raw, in_spec);
        }
    }
}

/* --- Strings -------------------------------------------------------------------------------------
 */

/* Joins texts that follow each other. */
static void
join_texts(struct parts *parts)
{
    int n = 0;
    for (int i = 0, last; i < parts->n; i = last) {
        size_t length = 0;
        for (last = i; last < parts->n && parts->items[last].text; last++)
            length += parts->items[last].length;
        if (last <= i + 1) {
            parts->items[n++] = parts->items[i];
            last = i + 1;
            continue;
        }
        char *text = ck_arena_alloc(parts->p->arena, length + 1), *out = text;
        for (int k = i; k < last; k++) {
            memcpy(out, parts->items[k].text, parts->items[k].length);
            out += parts->items[k].length;
        }
        *out = 0;
        const struct ck_span span = {parts->items[i].span.start, parts->items[last - 1].span.end};
        parts->items[n++] =
            (struct ck_format_part){.text = text, .length = (uint32_t)length, .span = span};
    }
    parts->n = n;
}

/* strings: (STRING | FSTRING)+  -- adjacent ones are concatenated; an invalid one makes the whole
 * invalid */
struct ck_expr *
ck_parser_strings(struct ck_parser *p)
{
    const uint32_t start = p->token.span.start;
    struct parts parts = {.p = p};
    for (;; ck_parser_advance(p)) {
        const struct ck_token *token = &p->token;
        if (token->kind == CK_TOK_STRING)
            add_text(&parts, token->string.bytes, token->string.length, token->span);
        else if (token->kind == CK_TOK_FSTRING)
            add_fields(&parts, token->body.start, token->body.end, token->body.raw, false);
        else if (token->kind == CK_TOK_BAD_LITERAL)
            parts.bad = true;
        else
            break;
    }
    p->failed |= parts.bad;
    join_texts(&parts);
    return make(&parts, ck_parser_since(p, start));
}
