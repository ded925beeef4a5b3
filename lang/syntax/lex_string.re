/* String literals: two lexical contexts, the inside of a string and an escape sequence. */
#include <string.h>

#include "base/utf8.h"
#include "lang/syntax/lex_internal.h"

/*!re2c
    re2c:yyfill:enable    = 0;
    re2c:eof              = 0;
    re2c:define:YYCTYPE   = "unsigned char";
    re2c:define:YYCURSOR  = cursor;
    re2c:define:YYMARKER  = marker;
    re2c:define:YYLIMIT   = "lexer->limit";

    nl         = "\r\n" | [\r\n];
*/

/* A string's opening: prefix and quotes. */
struct opening {
    const char *start;
    char quote;
    bool triple;
    bool raw;
};

static bool
has_letter(const char *start, size_t length, char letter)
{
    return memchr(start, letter, length) || memchr(start, letter - 0x20, length);
}

/* Reports the prefixes that are Python's but not ck's. */
static bool
check_prefix(const struct ck_lexer *lexer, const char *start, size_t length)
{
    static const struct {
        char letter;
        const char *what, *help;
    } rejected[] = {
        {'b', "bytes literals", "write a string without the `b`"},
        {'t', "template strings", "write a string without the `t`"},
    };
    struct ck_span span = ck_lex_span(lexer, start, lexer->cursor);
    for (size_t i = 0; i < sizeof rejected / sizeof rejected[0]; i++) {
        if (!has_letter(start, length, rejected[i].letter))
            continue;
        struct ck_diag *d =
            ck_diag_add(lexer->diags, CK_DIAG_UNSUPPORTED_SYNTAX, span, rejected[i].what);
        ck_diag_help(lexer->diags, d, "%s", rejected[i].help);
        return false;
    }
    if (length < 2 || (length == 2 && has_letter(start, length, 'f') &&
                       has_letter(start, length, 'r')))
        return true;
    ck_diag_add(lexer->diags, CK_DIAG_BAD_STRING, span,
                ck_arena_printf(lexer->arena, "unknown string prefix `%.*s`", (int)length, start));
    return false;
}

/* The inside of a string: moves the cursor past its closing quotes and returns the body's end, or
 * NULL if it is not closed (the cursor is then at the end of the line, or of the text). A backslash
 * keeps the next character from closing it, in raw strings too. */
static const char *
find_string_end(struct ck_lexer *lexer, struct opening opening)
{
    const char *cursor = lexer->cursor;
    const char *start;
    for (;;) {
        start = cursor;
        /*!re2c
            [^\\\r\n'"]+    { continue; }
            "\\" nl         { continue; }
            "\\" [^]        { continue; }
            "\\"            { continue; }
            nl              { if (opening.triple) continue; break; }
            ['"]            { goto quote; }
            $               { break; }
        */
    quote:
        if (*start != opening.quote)
            continue;
        if (opening.triple && (start[1] != opening.quote || start[2] != opening.quote))
            continue;
        lexer->cursor = start + (opening.triple ? 3 : 1);
        return start;
    }
    lexer->cursor = start;
    return NULL;
}

static void
bad_escape(const struct ck_lexer *lexer, struct ck_token *token, const char *start, const char *end,
           const char *message)
{
    ck_diag_add(lexer->diags, CK_DIAG_BAD_STRING, ck_lex_span(lexer, start, end), message);
    token->kind = CK_TOK_BAD_LITERAL;
}

/* The character with the code that the digits of `\x41`, `\u0041`, `\U00000041` or `\101`
 * denote. */
static size_t
decode_code(const struct ck_lexer *lexer, struct ck_token *token, const char *start,
            const char *digits, const char *end, unsigned radix, char *out)
{
    uint32_t code = 0;
    for (const char *at = digits; at < end; at++)
        code = code * radix + ck_lex_digit(*at);
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
        bad_escape(lexer, token, start, end, "escape sequence names no character");
        return 0;
    }
    return (size_t)ck_utf8_encode(code, out);
}

/* An escape that Python does not know either: kept as written, with its backslash. */
static void
warn_unknown_escape(const struct ck_lexer *lexer, const char *start)
{
    uint32_t code;
    int length = ck_utf8_decode(start + 1, lexer->limit, &code);
    const char *end = start + 1 + (length ? length : 1);
    const char *shown = ck_lex_quote(lexer, start, end);
    struct ck_diag *d =
        ck_diag_add(lexer->diags, CK_DIAG_UNKNOWN_ESCAPE, ck_lex_span(lexer, start, end), shown);
    ck_diag_help(lexer->diags, d, "write `\\%s`, or a raw string `r\"...\"`", shown);
}

static char
simple_escape(char letter)
{
    static const char pairs[] = "\\\\''\"\"a\ab\bf\fn\nr\rt\tv\v";
    for (const char *at = pairs; *at; at += 2)
        if (*at == letter)
            return at[1];
    return letter;
}

/* Decodes one character or escape sequence at `cursor` to `out`, and adds its length there to `*n`,
 * which is never more than in the source. Returns its end; the quote that closes the body ends
 * every rule. */
static const char *
decode_piece(const struct ck_lexer *lexer, struct ck_token *token, const char *cursor, char *out,
             size_t *n)
{
    const char *start = cursor, *marker;
#define CODE(skip, radix)                                                                          \
    *n += decode_code(lexer, token, start, start + (skip), cursor, radix, out + *n);               \
    return cursor
#define BAD(message)                                                                               \
    bad_escape(lexer, token, start, cursor, message);                                              \
    return cursor
#define KEEP(byte)                                                                                 \
    out[(*n)++] = byte;                                                                            \
    return cursor
    /*!re2c
        re2c:eof = -1;
        "\\" nl               { return cursor; }
        "\\" [\\'"abfnrtv]    { KEEP(simple_escape(start[1])); }
        "\\" [0-7]{1,3}       { CODE(1, 8); }
        "\\x" [0-9a-fA-F]{2}  { CODE(2, 16); }
        "\\u" [0-9a-fA-F]{4}  { CODE(2, 16); }
        "\\U" [0-9a-fA-F]{8}  { CODE(2, 16); }
        "\\x"                 { BAD("`\\x` needs two hexadecimal digits"); }
        "\\u"                 { BAD("`\\u` needs four hexadecimal digits"); }
        "\\U"                 { BAD("`\\U` needs eight hexadecimal digits"); }
        "\\N"                 { BAD("character names (`\\N{...}`) are not supported"); }
        "\\"                  { warn_unknown_escape(lexer, start); goto backslash; }
        nl                    { KEEP('\n'); }
        [^]                   { KEEP(*start); }
    */
backslash:
    KEEP('\\');
#undef KEEP
#undef BAD
#undef CODE
}

/* The body's bytes: escape sequences decoded, unless raw; every line end as "\n". */
static void
decode_string(const struct ck_lexer *lexer, struct ck_token *token, const char *body,
              const char *end, bool raw)
{
    char *out = ck_arena_alloc(lexer->arena, (size_t)(end - body) + 1);
    size_t n = 0;
    while (body < end) {
        if (raw && *body == '\\')
            out[n++] = *body++;
        else
            body = decode_piece(lexer, token, body, out, &n);
    }
    token->string.bytes = out;
    token->string.length = (uint32_t)n;
}

/* A string that is not closed ends its logical line, open brackets or not, since nothing after it
 * is reliable. */
static struct ck_token
unclosed_string(struct ck_lexer *lexer, struct opening opening, const char *body)
{
    ck_diag_add(lexer->diags, CK_DIAG_BAD_STRING, ck_lex_span(lexer, opening.start, body),
                "string is never closed");
    lexer->n_open = 0;
    return ck_lex_token(lexer, CK_TOK_BAD, opening.start);
}

bool
ck_lexer_decode(const struct ck_lexer *lexer, const char *start, const char *end, bool raw,
                const char **bytes, uint32_t *length)
{
    struct ck_token token = {.kind = CK_TOK_STRING};
    decode_string(lexer, &token, start, end, raw);
    *bytes = token.string.bytes;
    *length = token.string.length;
    return token.kind == CK_TOK_STRING;
}

struct ck_token
ck_lex_string(struct ck_lexer *lexer, const char *start)
{
    size_t prefix = strcspn(start, "'\"");
    const char *body = lexer->cursor;
    struct opening opening = {
        .start = start,
        .quote = start[prefix],
        .triple = (size_t)(body - start) == prefix + 3,
        .raw = has_letter(start, prefix, 'r'),
    };
    bool good = check_prefix(lexer, start, prefix);
    const char *end = find_string_end(lexer, opening);
    if (!end)
        return unclosed_string(lexer, opening, body);
    const bool has_fields = has_letter(start, prefix, 'f');
    struct ck_token token = ck_lex_token(lexer,
                                         !good        ? CK_TOK_BAD_LITERAL
                                         : has_fields ? CK_TOK_FSTRING
                                                      : CK_TOK_STRING,
                                         start);
    if (good && has_fields) {
        token.body.start = body;
        token.body.end = end;
        token.body.raw = opening.raw;
    } else if (good)
        decode_string(lexer, &token, body, end, opening.raw);
    return token;
}
