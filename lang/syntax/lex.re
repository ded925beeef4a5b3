/* The lexer. One rule block for each lexical context: a line's start, a line's start inside
 * brackets, a token. The contexts of string literals are in lex_string.re. */
#include "lang/syntax/lex_internal.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { TAB_WIDTH = 8 };

/* Not a token: an invalid character that was reported and counts as a space. */
enum { TOKEN_BLANK = CK_N_TOKENS };

/*!re2c
    re2c:yyfill:enable    = 0;
    re2c:eof              = 0;
    re2c:define:YYCTYPE   = "unsigned char";
    re2c:define:YYCURSOR  = cursor;
    re2c:define:YYMARKER  = marker;
    re2c:define:YYLIMIT   = "lexer->limit";

    nl         = "\r\n" | [\r\n];
    space      = [ \t\f];
    comment    = "#" [^\r\n]*;
    non_ascii  = [\x80-\xFF];
    name_start = [A-Za-z_] | non_ascii;
    name_char  = [A-Za-z0-9_] | non_ascii;

    digits     = [0-9] ("_"? [0-9])*;
    decimal    = [1-9] ("_"? [0-9])* | "0" ("_"? "0")*;
    hex        = "0" [xX] ("_"? [0-9A-Fa-f])+;
    octal      = "0" [oO] ("_"? [0-7])+;
    binary     = "0" [bB] ("_"? [01])+;
    exponent   = [eE] [+-]? digits;
    float      = (digits? "." digits | digits ".") exponent? | digits exponent;
    prefix     = [rRuUbBfFtT]{1,2};
*/

static const char *const token_texts[] = {
#define CK_TOKEN(id, text) text,
#include "lang/syntax/tokens.def"
#undef CK_TOKEN
};

static const struct keyword {
    const char *word;
    size_t length;
    enum ck_token_kind kind;
} keywords[] = {
#define CK_TOKEN(id, text)
#define CK_KEYWORD(id, word) {word, sizeof word - 1, CK_TOK_##id},
#include "lang/syntax/tokens.def"
#undef CK_TOKEN
};

const char *
ck_token_text(enum ck_token_kind kind)
{
    return token_texts[kind];
}

/* --- Positions and tokens --------------------------------------------------------------------- */

void
ck_lexer_init(struct ck_lexer *lexer, struct ck_arena *arena, const char *text, uint32_t length,
              uint32_t base, struct ck_diags *diags)
{
    *lexer = (struct ck_lexer){
        .arena = arena,
        .diags = diags,
        .text = text,
        .cursor = text,
        .limit = text + length,
        .base = base,
        .at_line_start = true,
    };
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        lexer->cursor += 3;
    struct ck_indent outermost = {0, 0};
    CK_PUSH(arena, lexer->indents, lexer->n_indents, lexer->indents_capacity, outermost);
}

static void
report_not_utf8(const struct ck_lexer *lexer, const char *at)
{
    struct ck_diag *d =
        ck_diag_add(lexer->diags, CK_DIAG_NOT_UTF8, ck_lex_span(lexer, at, at + 1), (unsigned char)*at);
    ck_diag_help(lexer->diags, d, "save the file as UTF-8");
}

bool
ck_lexer_check_text(const struct ck_lexer *lexer)
{
    bool reported = false;
    const char *zero = memchr(lexer->text, 0, (size_t)(lexer->limit - lexer->text));
    if (zero) {
        ck_diag_add(lexer->diags, CK_DIAG_NOT_TEXT, ck_lex_span(lexer, zero, zero + 1));
        return false;
    }
    for (const char *at = lexer->text; at < lexer->limit && !reported;) {
        uint32_t code;
        int length = ck_utf8_decode(at, lexer->limit, &code);
        if (length == 0) {
            report_not_utf8(lexer, at);
            reported = true;
        }
        at += length;
    }
    return true;
}

static struct ck_indent
measure(const char *start, const char *end)
{
    struct ck_indent indent = {0, 0};
    for (; start < end; start++) {
        if (*start == '\f') {
            indent = (struct ck_indent){0, 0}; /* as in CPython: resets the line's indentation */
        } else {
            indent.column = *start == '\t' ? (indent.column / TAB_WIDTH + 1) * TAB_WIDTH
                                           : indent.column + 1;
            indent.alternative++;
        }
    }
    return indent;
}

/* --- Brackets --------------------------------------------------------------------------------- */

static void
open_bracket(struct ck_lexer *lexer, const char *at)
{
    if (lexer->n_open < CK_MAX_NESTING)
        lexer->open[lexer->n_open] = (uint32_t)(at - lexer->text);
    lexer->n_open++;
}

/* The parser checks that the kinds of brackets match. */
static void
close_bracket(struct ck_lexer *lexer)
{
    if (lexer->n_open > 0)
        lexer->n_open--;
}

int64_t
ck_lexer_open_bracket(const struct ck_lexer *lexer)
{
    if (lexer->n_open == 0 || lexer->n_open > CK_MAX_NESTING)
        return -1;
    return (int64_t)lexer->open[lexer->n_open - 1] + lexer->base;
}

static const char *
line_start_before(const struct ck_lexer *lexer, const char *at)
{
    while (at > lexer->text && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\f'))
        at--;
    return at == lexer->text || at[-1] == '\n' || at[-1] == '\r' ? at : NULL;
}

bool
ck_lexer_can_cut(const struct ck_lexer *lexer, const struct ck_token *token)
{
    bool is_word = token->kind == CK_TOK_NAME || token->kind >= CK_TOK_FALSE;
    if (!is_word || lexer->n_open == 0 || lexer->flat)
        return false;
    const char *at = lexer->text + (token->span.start - lexer->base);
    const char *start = line_start_before(lexer, at);
    return start && measure(start, at).column <= lexer->indents[lexer->n_indents - 1].column;
}

void
ck_lexer_cut(struct ck_lexer *lexer, const struct ck_token *token)
{
    const char *at = lexer->text + (token->span.start - lexer->base);
    lexer->cursor = line_start_before(lexer, at);
    lexer->n_open = 0;
    lexer->line_is_cut = true;
}

/* Ends the logical line, in error, in spite of its open brackets. */
static void
report_unclosed(struct ck_lexer *lexer)
{
    uint32_t innermost = lexer->n_open <= CK_MAX_NESTING ? lexer->n_open - 1 : CK_MAX_NESTING - 1;
    const char *at = lexer->text + lexer->open[innermost];
    ck_diag_add(lexer->diags, CK_DIAG_UNCLOSED_BRACKET, ck_lex_span(lexer, at, at + 1), *at);
    lexer->n_open = 0;
    lexer->line_is_cut = true;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* Reports an ambiguous mix of tabs and spaces, only the first in the file. */
static void
report_mixed_tabs(struct ck_lexer *lexer, struct ck_span span, struct ck_indent indent)
{
    lexer->indents[lexer->n_indents - 1] = indent;
    if (lexer->tabs_reported)
        return;
    struct ck_diag *d = ck_diag_add(lexer->diags, CK_DIAG_MIXED_TABS, span);
    ck_diag_help(lexer->diags, d, "indent with spaces only");
    lexer->tabs_reported = true;
}

static void
report_unmatched_dedent(const struct ck_lexer *lexer, struct ck_span span)
{
    if (lexer->tabs_reported)
        return;
    struct ck_diag *d = ck_diag_add(lexer->diags, CK_DIAG_BAD_INDENTATION, span,
                                    "unindent does not match any outer indentation level");
    ck_diag_help(lexer->diags, d, "indent the line as one of the blocks around it");
}

static bool
starts_definition(const char *line)
{
    return *line == '@' || strncmp(line, "def ", 4) == 0 || strncmp(line, "class ", 6) == 0;
}

static void
close_blocks(struct ck_lexer *lexer, struct ck_indent indent, struct ck_span span)
{
    int n = lexer->n_indents;
    while (n > 1 && lexer->indents[n - 1].column > indent.column)
        n--;
    if (lexer->indents[n - 1].column != indent.column) {
        /* Between two levels: treated as the inner one, which moves to this column, so that the
         * next lines match; or as the outer one if a definition begins. */
        report_unmatched_dedent(lexer, span);
        if (!starts_definition(lexer->cursor))
            lexer->indents[n++] = indent;
        indent = lexer->indents[n - 1];
    }
    lexer->dedents_due = (uint32_t)(lexer->n_indents - n);
    lexer->n_indents = n;
    if (lexer->indents[n - 1].alternative != indent.alternative)
        report_mixed_tabs(lexer, span, indent);
}

/* Compares a line's indentation with the enclosing blocks'. */
static void
apply_indentation(struct ck_lexer *lexer, const char *start, const char *end)
{
    struct ck_indent indent = measure(start, end);
    struct ck_indent top = lexer->indents[lexer->n_indents - 1];
    struct ck_span span = ck_lex_span(lexer, start, end);
    if (indent.column < top.column) {
        close_blocks(lexer, indent, span);
    } else if (indent.column > top.column) {
        CK_PUSH(lexer->arena, lexer->indents, lexer->n_indents, lexer->indents_capacity, indent);
        lexer->indent_due = true;
        if (indent.alternative <= top.alternative)
            report_mixed_tabs(lexer, span, indent);
    } else if (indent.alternative != top.alternative) {
        report_mixed_tabs(lexer, span, indent);
    }
}

/* A line's start: skips blank lines, then measures the indentation of the first other line. */
static void
start_line(struct ck_lexer *lexer)
{
    const char *cursor = lexer->cursor;
    const char *start;
    lexer->at_line_start = false;
    for (;;) {
        start = cursor;
        /*!re2c
            space* comment? nl  { continue; }
            space* comment      { continue; }
            space+              { break; }
            *                   { cursor = start; break; }
            $                   { break; }
        */
    }
    lexer->cursor = cursor;
    if (cursor < lexer->limit) /* at the end, all blocks are closed anyway */
        apply_indentation(lexer, start, cursor);
}

/* A line's start inside brackets: a word that can only begin a statement shows that a bracket was
 * not closed. */
static bool
starts_statement(const struct ck_lexer *lexer)
{
    const char *cursor = lexer->cursor;
    const char *marker;
    /*!re2c
        space* ("def" | "class" | "return" | "while" | "import" | "pass" | "break" | "continue" |
                "assert" | "elif" | "global") [ \t\f\r\n:(]  { return true; }
        "@" name_start                                       { return true; }
        *                                                    { return false; }
        $                                                    { return false; }
    */
}

/* --- Names and characters --------------------------------------------------------------------- */

/* Characters that resemble others, or are invisible. Unlisted ones between `invalid` ranges count
 * as letters: the exact sets of letters of all scripts are not modelled. */
static const struct look_alike {
    uint32_t code;
    const char *meant;
} look_alikes[] = {
    {0x00A0, " "},  {0x00AB, "\""}, {0x00B4, "'"},  {0x00B7, "*"},   {0x00BB, "\""}, {0x00D7, "*"},
    {0x00F7, "/"},  {0x037E, ";"},  {0x2010, "-"},  {0x2011, "-"},   {0x2012, "-"},  {0x2013, "-"},
    {0x2014, "-"},  {0x2015, "-"},  {0x2018, "'"},  {0x2019, "'"},   {0x201A, "'"},  {0x201B, "'"},
    {0x201C, "\""}, {0x201D, "\""}, {0x201E, "\""}, {0x201F, "\""},  {0x2026, "..."}, {0x2032, "'"},
    {0x2033, "\""}, {0x2044, "/"},  {0x2190, "="},  {0x2192, "->"},  {0x2212, "-"},  {0x2215, "/"},
    {0x2217, "*"},  {0x2227, "and"}, {0x2228, "or"}, {0x2260, "!="}, {0x2264, "<="}, {0x2265, ">="},
    {0x22C5, "*"},  {0x3001, ","},  {0x3002, "."},  {0xFF08, "("},   {0xFF09, ")"},  {0xFF0B, "+"},
    {0xFF0C, ","},  {0xFF0D, "-"},  {0xFF0E, "."},  {0xFF0F, "/"},   {0xFF1A, ":"},  {0xFF1B, ";"},
    {0xFF1C, "<"},  {0xFF1D, "="},  {0xFF1E, ">"},  {0xFF3B, "["},   {0xFF3D, "]"},
};

static const struct {
    uint32_t first, last;
} invalid[] = {
    {0x0080, 0x00A9}, {0x00AB, 0x00B4}, {0x00B6, 0x00B9}, {0x00BB, 0x00BF},   {0x00D7, 0x00D7},
    {0x00F7, 0x00F7}, {0x037E, 0x037E}, {0x1680, 0x1680}, {0x2000, 0x206F},   {0x20A0, 0x20CF},
    {0x2190, 0x2BFF}, {0x3000, 0x3004}, {0x3008, 0x3020}, {0x3030, 0x3030},   {0xD800, 0xF8FF},
    {0xFE00, 0xFE1F}, {0xFE30, 0xFE6F}, {0xFEFF, 0xFF0F}, {0xFF1A, 0xFF20},   {0xFF3B, 0xFF40},
    {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF},
};

/* Characters that look like a space or are invisible: reported, then skipped. */
static bool
is_blank(uint32_t code)
{
    return code == 0xA0 || code == 0xAD || code == 0x1680 || (code >= 0x2000 && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202F) || (code >= 0x205F && code <= 0x206F) ||
           code == 0x3000 || code == 0xFEFF;
}

static bool
is_letter(uint32_t code)
{
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
        if (code >= invalid[i].first && code <= invalid[i].last)
            return false;
    return true;
}

static void
help_with_character(const struct ck_lexer *lexer, struct ck_diag *d, uint32_t code)
{
    for (size_t i = 0; i < sizeof look_alikes / sizeof look_alikes[0]; i++)
        if (look_alikes[i].code == code && code != 0xA0)
            ck_diag_help(lexer->diags, d, "write `%s`", look_alikes[i].meant);
    if (is_blank(code))
        ck_diag_help(lexer->diags, d, "replace it with a space, or remove it");
    else if (code == '!')
        ck_diag_help(lexer->diags, d, "write `not`");
    else if (code == '?')
        ck_diag_help(lexer->diags, d, "a conditional expression is `a if condition else b`");
}

/* A character that no token starts with; `length` bytes, or 0 if not UTF-8 (already reported). */
static struct ck_token
bad_character(struct ck_lexer *lexer, const char *start, uint32_t code, int length)
{
    lexer->cursor = start + (length ? length : 1);
    struct ck_token token =
        ck_lex_token(lexer, length && is_blank(code) ? TOKEN_BLANK : CK_TOK_BAD, start);
    if (length == 0)
        return token;
    bool visible = code > ' ' && code != 0x7F && !(code >= 0x80 && code < 0xA0) && !is_blank(code);
    const char *shown =
        visible && code < 0x80 ? ck_arena_printf(lexer->arena, "`%c`", (char)code)
        : visible ? ck_arena_printf(lexer->arena, "`%.*s` (U+%04X)", length, start, code)
                  : ck_arena_printf(lexer->arena, "U+%04X", code);
    struct ck_diag *d = ck_diag_add(lexer->diags, CK_DIAG_BAD_CHARACTER, token.span, shown);
    help_with_character(lexer, d, code);
    return token;
}

static bool
is_name_char(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

static enum ck_token_kind
keyword_or_name(const char *start, size_t length)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (keywords[i].length == length && memcmp(keywords[i].word, start, length) == 0)
            return keywords[i].kind;
    return CK_TOK_NAME;
}

/* Skips a name's characters; stops at any other. */
static void
pass_name(struct ck_lexer *lexer)
{
    for (uint32_t code; lexer->cursor < lexer->limit;) {
        int length = 1;
        if ((unsigned char)*lexer->cursor >= 0x80) {
            length = ck_utf8_decode(lexer->cursor, lexer->limit, &code);
            if (length == 0 || !is_letter(code))
                return;
        } else if (!is_name_char(*lexer->cursor)) {
            return;
        }
        lexer->cursor += length;
    }
}

/* A name, a keyword, or a character outside ASCII that is not a letter. */
static struct ck_token
name_token(struct ck_lexer *lexer, const char *start)
{
    lexer->cursor = start;
    pass_name(lexer);
    if (lexer->cursor == start) {
        uint32_t code = 0;
        int length = ck_utf8_decode(start, lexer->limit, &code);
        return bad_character(lexer, start, code, length);
    }
    size_t bytes = (size_t)(lexer->cursor - start);
    struct ck_token token = ck_lex_token(lexer, keyword_or_name(start, bytes), start);
    if (token.kind == CK_TOK_NAME)
        token.name = ck_arena_strndup(lexer->arena, start, bytes);
    return token;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Python lets these words follow a number directly: `1if x else 2`. */
static bool
may_follow_number(enum ck_token_kind kind)
{
    return kind == CK_TOK_AND || kind == CK_TOK_OR || kind == CK_TOK_IN || kind == CK_TOK_IS ||
           kind == CK_TOK_IF || kind == CK_TOK_ELSE || kind == CK_TOK_NOT || kind == CK_TOK_FOR;
}

/* Help for a number that ends in `tail`. */
static void
help_with_number(const struct ck_lexer *lexer, struct ck_diag *d, const char *start,
                 const char *tail)
{
    char kind = *start == '0' ? start[1] | 0x20 : 0;
    if (*tail == '_' || (tail > start && tail[-1] == '_'))
        ck_diag_help(lexer->diags, d, "`_` may only stand between two digits");
    else if (kind == 'x' || kind == 'o' || kind == 'b')
        ck_diag_help(lexer->diags, d, "after `0%c` come %s digits", start[1],
                     kind == 'x' ? "hexadecimal" : kind == 'o' ? "octal" : "binary");
    else if (*tail == 'e' || *tail == 'E')
        ck_diag_help(lexer->diags, d, "an exponent needs digits");
    else if (strchr("fFlLuUdDhH", *tail))
        ck_diag_help(lexer->diags, d, "numbers have no suffix; write a cast, as in `float32(1.0)`");
    else
        ck_diag_help(lexer->diags, d, "a name cannot begin with a digit");
}

/* Whether the number from `start` is followed by characters that make it invalid; skips them. */
static bool
has_bad_tail(struct ck_lexer *lexer, const char *start)
{
    const char *tail = lexer->cursor, *end = tail;
    while (end < lexer->limit && (is_name_char(*end) || (*end == '.' && is_name_char(end[1]))))
        end++;
    if (end == tail || *tail == '.' || may_follow_number(keyword_or_name(tail, (size_t)(end - tail))))
        return false;
    lexer->cursor = end;
    struct ck_diag *d = ck_diag_add(lexer->diags, CK_DIAG_BAD_NUMBER, ck_lex_span(lexer, start, end),
                                    ck_lex_quote(lexer, start, end));
    help_with_number(lexer, d, start, tail);
    return true;
}

static struct ck_token
leading_zeros(struct ck_lexer *lexer, const char *start)
{
    const char *digits = start;
    while (*digits == '0' || *digits == '_')
        digits++;
    struct ck_diag *d =
        ck_diag_add(lexer->diags, CK_DIAG_BAD_NUMBER, ck_lex_span(lexer, start, lexer->cursor),
                    ck_lex_quote(lexer, start, lexer->cursor));
    const char *rest = ck_lex_quote(lexer, digits, lexer->cursor);
    if (strpbrk(rest, "89"))
        ck_diag_help(lexer->diags, d, "write `%s`", rest);
    else
        ck_diag_help(lexer->diags, d, "write `%s`, or `0o%s` for octal", rest, rest);
    return ck_lex_token(lexer, CK_TOK_BAD_LITERAL, start);
}

static struct ck_token
integer_token(struct ck_lexer *lexer, const char *start, unsigned radix)
{
    if (has_bad_tail(lexer, start))
        return ck_lex_token(lexer, CK_TOK_BAD_LITERAL, start);
    struct ck_token token = ck_lex_token(lexer, CK_TOK_INT, start);
    uint64_t value = 0;
    for (const char *at = start + (radix == 10 ? 0 : 2); at < lexer->cursor; at++) {
        if (*at == '_')
            continue;
        if (__builtin_mul_overflow(value, radix, &value) ||
            __builtin_add_overflow(value, ck_lex_digit(*at), &value)) {
            token.integer.too_large = true;
            value = UINT64_MAX;
            ck_diag_add(lexer->diags, CK_DIAG_INTEGER_TOO_LARGE, token.span,
                        ck_lex_quote(lexer, start, lexer->cursor));
            break;
        }
    }
    token.integer.value = value;
    return token;
}

/* The number's digits without `_`, parsed in the C locale whatever the process's locale. */
static double
float_value(struct ck_lexer *lexer, const char *start)
{
    struct ck_arena_mark mark = ck_arena_mark(lexer->arena);
    char *digits = ck_arena_alloc(lexer->arena, (size_t)(lexer->cursor - start) + 1);
    size_t n = 0;
    for (const char *at = start; at < lexer->cursor; at++)
        if (*at != '_')
            digits[n++] = *at;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = c_locale ? strtod_l(digits, NULL, c_locale) : strtod(digits, NULL);
    if (c_locale)
        freelocale(c_locale);
    ck_arena_release(lexer->arena, mark);
    return value;
}

static struct ck_token
float_token(struct ck_lexer *lexer, const char *start, enum ck_token_kind kind)
{
    if (has_bad_tail(lexer, start))
        return ck_lex_token(lexer, CK_TOK_BAD_LITERAL, start);
    struct ck_token token = ck_lex_token(lexer, kind, start);
    token.floating = float_value(lexer, start);
    return token;
}

/* --- Tokens ----------------------------------------------------------------------------------- */

/* `\` with something after it on its line. */
static struct ck_token
bad_continuation(struct ck_lexer *lexer, const char *start)
{
    struct ck_token token = ck_lex_token(lexer, CK_TOK_BAD, start);
    struct ck_diag *d = ck_diag_add(lexer->diags, CK_DIAG_BAD_CHARACTER, token.span, "`\\`");
    ck_diag_help(lexer->diags, d,
                 "`\\` continues a line: nothing, not even a space, may follow it there");
    return token;
}

/* A line's end, already consumed. False: it is inside brackets and does not count. */
static bool
line_end(struct ck_lexer *lexer, const char *start, struct ck_token *token)
{
    if (lexer->flat)
        return false;
    if (lexer->n_open == 0) {
        *token = (struct ck_token){.kind = CK_TOK_NEWLINE, .span = ck_lex_span(lexer, start, start)};
        lexer->at_line_start = true;
        return true;
    }
    if (!starts_statement(lexer))
        return false;
    report_unclosed(lexer);
    *token = (struct ck_token){.kind = CK_TOK_BAD, .span = ck_lex_span(lexer, start, start)};
    return true;
}

/* The text's end: closes what is open, then END. */
static struct ck_token
text_end(struct ck_lexer *lexer)
{
    struct ck_token token = ck_lex_token(lexer, CK_TOK_END, lexer->cursor);
    if (lexer->n_open > 0) {
        report_unclosed(lexer);
        token.kind = CK_TOK_BAD;
    } else if (lexer->line_has_tokens) {
        token.kind = CK_TOK_NEWLINE;
    } else if (lexer->n_indents > 1) {
        lexer->n_indents--;
        token.kind = CK_TOK_DEDENT;
    }
    return token;
}

static struct ck_token
punctuation(struct ck_lexer *lexer, enum ck_token_kind kind, const char *start)
{
    if (kind == CK_TOK_LPAREN || kind == CK_TOK_LBRACKET || kind == CK_TOK_LBRACE)
        open_bracket(lexer, start);
    else if (kind == CK_TOK_RPAREN || kind == CK_TOK_RBRACKET || kind == CK_TOK_RBRACE)
        close_bracket(lexer);
    return ck_lex_token(lexer, kind, start);
}

static struct ck_token
scan(struct ck_lexer *lexer)
{
    struct ck_token token;
    const char *cursor = lexer->cursor;
    const char *start, *marker;
    for (;; cursor = lexer->cursor) {
        start = cursor;
#define RETURN(call)                                                                               \
    lexer->cursor = cursor;                                                                        \
    return call
#define PUNCTUATION(kind) RETURN(punctuation(lexer, CK_TOK_##kind, start))
        /*!re2c
            re2c:eof = 0;
            space+                            { lexer->cursor = cursor; continue; }
            comment                           { lexer->cursor = cursor; continue; }
            "\\" nl                           { lexer->cursor = cursor; continue; }
            "\\"                              { RETURN(bad_continuation(lexer, start)); }
            nl                                { goto line; }
            name_start                        { goto name; }

            decimal                           { RETURN(integer_token(lexer, start, 10)); }
            hex                               { RETURN(integer_token(lexer, start, 16)); }
            octal                             { RETURN(integer_token(lexer, start, 8)); }
            binary                            { RETURN(integer_token(lexer, start, 2)); }
            float                             { RETURN(float_token(lexer, start, CK_TOK_FLOAT)); }
            (float | digits) [jJ]             {
                RETURN(float_token(lexer, start, CK_TOK_IMAGINARY));
            }
            digits                            { RETURN(leading_zeros(lexer, start)); }
            prefix? ("'''" | "\"\"\"" | ['"]) { RETURN(ck_lex_string(lexer, start)); }

            "("    { PUNCTUATION(LPAREN); }
            ")"    { PUNCTUATION(RPAREN); }
            "["    { PUNCTUATION(LBRACKET); }
            "]"    { PUNCTUATION(RBRACKET); }
            "{"    { PUNCTUATION(LBRACE); }
            "}"    { PUNCTUATION(RBRACE); }
            ":"    { PUNCTUATION(COLON); }
            ","    { PUNCTUATION(COMMA); }
            ";"    { PUNCTUATION(SEMICOLON); }
            "."    { PUNCTUATION(DOT); }
            "..."  { PUNCTUATION(ELLIPSIS); }
            "->"   { PUNCTUATION(ARROW); }
            "@"    { PUNCTUATION(AT); }
            ":="   { PUNCTUATION(WALRUS); }
            "+"    { PUNCTUATION(PLUS); }
            "-"    { PUNCTUATION(MINUS); }
            "*"    { PUNCTUATION(STAR); }
            "/"    { PUNCTUATION(SLASH); }
            "//"   { PUNCTUATION(DOUBLE_SLASH); }
            "%"    { PUNCTUATION(PERCENT); }
            "**"   { PUNCTUATION(DOUBLE_STAR); }
            "<<"   { PUNCTUATION(LSHIFT); }
            ">>"   { PUNCTUATION(RSHIFT); }
            "&"    { PUNCTUATION(AMPERSAND); }
            "|"    { PUNCTUATION(BAR); }
            "^"    { PUNCTUATION(CARET); }
            "~"    { PUNCTUATION(TILDE); }
            "<"    { PUNCTUATION(LESS); }
            "<="   { PUNCTUATION(LESS_EQUAL); }
            ">"    { PUNCTUATION(GREATER); }
            ">="   { PUNCTUATION(GREATER_EQUAL); }
            "=="   { PUNCTUATION(EQUAL_EQUAL); }
            "!="   { PUNCTUATION(NOT_EQUAL); }
            "="    { PUNCTUATION(ASSIGN); }
            "+="   { PUNCTUATION(PLUS_ASSIGN); }
            "-="   { PUNCTUATION(MINUS_ASSIGN); }
            "*="   { PUNCTUATION(STAR_ASSIGN); }
            "/="   { PUNCTUATION(SLASH_ASSIGN); }
            "//="  { PUNCTUATION(DOUBLE_SLASH_ASSIGN); }
            "%="   { PUNCTUATION(PERCENT_ASSIGN); }
            "**="  { PUNCTUATION(DOUBLE_STAR_ASSIGN); }
            "<<="  { PUNCTUATION(LSHIFT_ASSIGN); }
            ">>="  { PUNCTUATION(RSHIFT_ASSIGN); }
            "&="   { PUNCTUATION(AMPERSAND_ASSIGN); }
            "|="   { PUNCTUATION(BAR_ASSIGN); }
            "^="   { PUNCTUATION(CARET_ASSIGN); }
            "@="   { PUNCTUATION(AT_ASSIGN); }

            *      { RETURN(bad_character(lexer, start, (unsigned char)*start, 1)); }
            $      { RETURN(text_end(lexer)); }
        */
#undef PUNCTUATION
#undef RETURN
    line:
        lexer->cursor = cursor;
        if (line_end(lexer, start, &token))
            return token;
        continue;
    name:
        token = name_token(lexer, start);
        if (token.kind != (enum ck_token_kind)TOKEN_BLANK)
            return token;
    }
}

/* Layout tokens that precede the next token of the text. */
static bool
layout_token(struct ck_lexer *lexer, struct ck_token *token)
{
    *token = ck_lex_token(lexer, CK_TOK_NEWLINE, lexer->cursor);
    if (lexer->line_is_cut) {
        lexer->line_is_cut = false;
        lexer->at_line_start = true;
    } else if (lexer->indent_due) {
        lexer->indent_due = false;
        token->kind = CK_TOK_INDENT;
    } else if (lexer->dedents_due > 0) {
        lexer->dedents_due--;
        token->kind = CK_TOK_DEDENT;
    } else {
        return false;
    }
    return true;
}

struct ck_token
ck_lexer_next(struct ck_lexer *lexer)
{
    struct ck_token token;
    if (lexer->at_line_start && !lexer->flat)
        start_line(lexer);
    if (!layout_token(lexer, &token))
        token = scan(lexer);
    lexer->line_has_tokens = token.kind > CK_TOK_DEDENT;
    return token;
}
