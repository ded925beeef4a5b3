/* The parser, part five: hints. Text of other languages, CUDA C++ above all, is a syntax error; its
 * line shows what was meant, and the help says what ck has. */
#include <ctype.h>
#include <string.h>

#include "lang/syntax/cuda_names.h"
#include "lang/syntax/parser.h"

/* --- Text around the token -----------------------------------------------------------------------
 */

struct text {
    const char *start, *end;
};

static struct text
trimmed(struct text text)
{
    while (text.start < text.end && isspace((unsigned char)*text.start))
        text.start++;
    while (text.end > text.start && isspace((unsigned char)text.end[-1]))
        text.end--;
    return text;
}

static bool
is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *
token_start(const struct ck_parser *p)
{
    return p->lexer.text + (p->token.span.start - p->lexer.base);
}

/* The line that has the last consumed token, or the token if it begins a line. */
static struct text
line_of(const struct ck_parser *p)
{
    const char *at = p->token.kind <= CK_TOK_DEDENT && p->last_end > p->lexer.base
                         ? p->lexer.text + (p->last_end - p->lexer.base) - 1
                         : token_start(p);
    struct text line = {at, at};
    while (line.start > p->lexer.text && line.start[-1] != '\n' && line.start[-1] != '\r')
        line.start--;
    while (line.end < p->lexer.limit && *line.end != '\n' && *line.end != '\r')
        line.end++;
    return trimmed(line);
}

/* Takes a word from the start of the text, and the spaces after it; empty if there is none. */
static struct text
take_word(struct text *text)
{
    struct text word = {text->start, text->start};
    while (word.end < text->end && is_word_char(*word.end))
        word.end++;
    *text = trimmed((struct text){word.end, text->end});
    return word;
}

static bool
is_text(struct text text, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(text.end - text.start) == length && memcmp(text.start, word, length) == 0;
}

static bool
takes(struct text *text, char c)
{
    if (text->start == text->end || *text->start != c)
        return false;
    text->start++;
    *text = trimmed(*text);
    return true;
}

static const char *
kept(struct ck_parser *p, struct text text)
{
    text = trimmed(text);
    return ck_arena_strndup(p->arena, text.start, (size_t)(text.end - text.start));
}

static struct text
up_to(struct text text, const char *ends)
{
    struct text found = {text.start, text.start};
    while (found.end < text.end && !strchr(ends, *found.end))
        found.end++;
    return found;
}

/* Whether the text directly before the token, spaces aside, ends with `word`. */
static bool
follows(const struct ck_parser *p, const char *word)
{
    size_t length = strlen(word), offset = p->last_end - p->lexer.base;
    return offset >= length && memcmp(p->lexer.text + offset - length, word, length) == 0;
}

/* --- Types of C ----------------------------------------------------------------------------------
 */

/* What precedes a type, or a declared name, and says nothing of the type. */
static bool
is_qualifier(struct text word)
{
    static const char *const words[] = {
        "const",           "constexpr",    "static",     "volatile",     "register",
        "extern",          "__shared__",   "__device__", "__constant__", "__global__",
        "__forceinline__", "__restrict__", "__restrict", "restrict",     "inline"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_text(word, words[i]))
            return true;
    }
    return false;
}

/* A type of C as ck writes it; `size` is 0 for names that cannot be combined. */
struct c_type {
    bool is_shared, is_pointer;
    bool found, is_unsigned;
    int longs;
    const char *name; /* NULL: int; "": no value */
};

/* Adds a word of a type. False if it is none. */
static bool
add_type_word(struct ck_parser *p, struct c_type *type, struct text word)
{
    static const struct {
        const char *word, *name;
    } plain[] = {{"float", "float32"}, {"double", "float64"}, {"int", NULL},  {"bool", "bool"},
                 {"short", "int16"},   {"char", "int8"},      {"void", ""},   {"auto", ""},
                 {"half", "float16"},  {"float4", ""},        {"float2", ""}, {"int2", ""}};
    if (word.start == word.end)
        return false;
    if (is_text(word, "unsigned") || is_text(word, "signed") || is_text(word, "long")) {
        type->is_unsigned |= is_text(word, "unsigned");
        type->longs += is_text(word, "long");
        return type->found = true;
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (is_text(word, plain[i].word)) {
            type->name = plain[i].name ? plain[i].name : type->name;
            return type->found = true;
        }
    }
    const struct ck_cuda_name *row = ck_cuda_name_find(kept(p, word));
    size_t length = row && row->use ? strlen(row->use) : 0;
    if (length < 4 || type->found || strcmp(row->use + length - 3, "(v)") != 0)
        return false;
    type->name = ck_arena_strndup(p->arena, row->use, length - 3);
    return type->found = true;
}

static const char *
type_name(struct ck_parser *p, const struct c_type *type)
{
    const char *name = type->name ? type->name : type->longs ? "int64" : "int32";
    bool is_int = strncmp(name, "int", 3) == 0;
    return type->is_unsigned && is_int ? ck_arena_printf(p->arena, "u%s", name) : name;
}

/* Takes `const unsigned int *`. False if the text begins with no type. */
static bool
take_type(struct ck_parser *p, struct text *text, struct c_type *type)
{
    *type = (struct c_type){.name = NULL};
    for (;;) {
        struct text rest = *text, word = take_word(&rest);
        type->is_shared |= is_text(word, "__shared__");
        if (!is_qualifier(word) && !add_type_word(p, type, word))
            break;
        *text = rest;
    }
    while (type->found && (takes(text, '*') || takes(text, '&')))
        type->is_pointer = true;
    for (struct text rest = *text; is_qualifier(take_word(&rest)); rest = *text)
        *text = rest;
    return type->found;
}

/* --- Forms of C ----------------------------------------------------------------------------------
 */

/* The extents of `[32][33]`: a number, or a tuple; NULL if there are none. */
static const char *
take_extents(struct ck_parser *p, struct text *text)
{
    const char *extents = NULL;
    int n = 0;
    while (takes(text, '[')) {
        struct text extent = up_to(*text, "]");
        const char *one = extent.end > extent.start ? kept(p, extent) : "0";
        extents = n++ ? ck_arena_printf(p->arena, "%s, %s", extents, one) : one;
        text->start = extent.end;
        takes(text, ']');
    }
    return n > 1 ? ck_arena_printf(p->arena, "(%s)", extents) : extents;
}

/* `&x` at `c`, where a value begins. */
static bool
is_address(struct text text, const char *c)
{
    if (*c != '&')
        return false;
    while (c > text.start && c[-1] == ' ')
        c--;
    return c == text.start || strchr("(,=", c[-1]);
}

/* Whether the text has what only C has: `&x`, `a && b`, `!a`, `a ? b : c`, `p->x`, `{1, 2}`. */
static bool
has_c_syntax(struct text text)
{
    static const char *const pairs[] = {"&&", "||", "->", "::", "++", "--"};
    for (const char *c = text.start; c < text.end; c++) {
        const char next = c + 1 < text.end ? c[1] : '\0';
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            if (*c == pairs[i][0] && next == pairs[i][1])
                return true;
        }
        if (strchr("?{}", *c) || (*c == '!' && next != '=') || is_address(text, c))
            return true;
    }
    return false;
}

/* The end of a number without its suffix, `2.5f` and `3u`, which begins the text. */
static const char *
without_suffix(struct text number)
{
    const bool is_hex = number.end - number.start > 1 && strchr("xX", number.start[1]);
    while (number.end > number.start + 1 && strchr(is_hex ? "uUlL" : "uUlLfF", number.end[-1]))
        number.end--;
    return number.end;
}

/* A value that C assigns, as ck writes it; `...` if that is not simple. */
static const char *
value_text(struct ck_parser *p, struct text text)
{
    struct ck_strbuf out;
    bool is_ck = !has_c_syntax(text);
    ck_strbuf_init(&out);
    while (text.start < text.end) {
        struct text word = {text.start, text.start};
        while (word.end < text.end && (is_word_char(*word.end) || *word.end == '.'))
            word.end++;
        const bool is_number = isdigit((unsigned char)*word.start);
        if (ck_cuda_name_find(kept(p, word)))
            is_ck = false;
        const char *end = is_number ? without_suffix(word) : word.end;
        ck_strbuf_printf(&out, "%.*s", (int)(end - word.start), word.start);
        text.start = word.end;
        if (word.end == word.start)
            ck_strbuf_putc(&out, *text.start++);
    }
    const char *value = ck_arena_take(p->arena, ck_strbuf_take(&out));
    return is_ck ? value : "...";
}

/* `float s = 0`: the declared name stays known. */
static const char *
declaration_hint(struct ck_parser *p, struct text line)
{
    struct c_type type;
    bool is_kernel = line.end - line.start > 10 && memcmp(line.start, "__global__", 10) == 0;
    if (!take_type(p, &line, &type))
        return NULL;
    struct text word = take_word(&line);
    if (word.start == word.end || isdigit((unsigned char)*word.start))
        return NULL;
    const char *name = kept(p, word), *written = type_name(p, &type);
    if (line.start < line.end && *line.start == '(')
        return ck_arena_printf(p->arena, "write %s`def %s(x: float32[:], n: int32):`",
                               is_kernel ? "`@kernel`, and on the next line " : "", name);
    if (line.start < line.end && !strchr("=;[,{", *line.start))
        return NULL;
    p->declared = name;
    const char *extents = take_extents(p, &line);
    if (extents)
        return ck_arena_printf(p->arena, "write `%s = %s.array(%s, %s)`", name,
                               type.is_shared ? "shared" : "local", extents,
                               *written ? written : "float32");
    if (type.is_shared)
        return ck_arena_printf(p->arena, "write `%s = shared.array(1, %s)`", name,
                               *written ? written : "float32");
    if (type.is_pointer)
        return ck_arena_printf(p->arena,
                               "there are no pointers: write `%s = x`, or `%s = x[i:]` for a view",
                               name, name);
    if (!takes(&line, '='))
        return "leave it out: a name begins where a value is assigned to it";
    const char *value = value_text(p, up_to(line, ";,"));
    if (!*written)
        return ck_arena_printf(p->arena, "write `%s = %s`", name, value);
    return ck_arena_printf(p->arena, "write `%s = %s`, or `%s: %s = %s` to say the type", name,
                           value, name, written, value);
}

/* `for (int i = 0; i < n; i++)` */
static const char *
loop_hint(struct ck_parser *p, struct text line)
{
    struct c_type type;
    if (!is_text(take_word(&line), "for") || !takes(&line, '('))
        return NULL;
    if (take_type(p, &line, &type))
        p->declared = kept(p, take_word(&line));
    return "write `for i in range(n):`, or `range(start, n, step)`";
}

/* `(float)n`, also where the error is within the brackets: `(unsigned char)n`. */
static const char *
cast_hint(struct ck_parser *p, struct text line)
{
    const char *at = token_start(p);
    while (at > line.start && *at != '(')
        at--;
    if (*at != '(' || at < line.start)
        return NULL;
    struct text rest = trimmed((struct text){at + 1, line.end});
    struct c_type type;
    if (!take_type(p, &rest, &type) || !takes(&rest, ')') || !*type_name(p, &type))
        return NULL;
    if (type.is_pointer)
        return ck_arena_printf(p->arena, "to see an array as another type, write `x.view(%s)`",
                               type_name(p, &type));
    struct text operand = take_word(&rest);
    return ck_arena_printf(p->arena, "a cast is a call: `%s(%s)`", type_name(p, &type),
                           operand.end > operand.start ? kept(p, operand) : "x");
}

/* `&x[i]`, as an argument of a function whose name the table has, or elsewhere. */
static const char *
address_hint(struct ck_parser *p, struct text line)
{
    const char *at = token_start(p);
    while (at > line.start && *at != '(')
        at--;
    struct text word = {at, at};
    while (word.start > line.start && is_word_char(word.start[-1]))
        word.start--;
    const struct ck_cuda_name *row = *at == '(' ? ck_cuda_name_find(kept(p, word)) : NULL;
    if (row)
        return row->use ? ck_arena_printf(p->arena, "write `%s`", row->use) : row->text;
    return "there are no addresses: pass the array `x`, or a view of it: `x[i:]`";
}

/* `*p = x` */
static const char *
star_hint(struct ck_parser *p, struct text line)
{
    if (!takes(&line, '*'))
        return NULL;
    struct text word = take_word(&line);
    return takes(&line, '=')
               ? ck_arena_printf(p->arena, "there are no pointers: `%s[0] = ...`", kept(p, word))
               : NULL;
}

/* A word that only C has, before the error or at the line's start. */
static const char *
word_hint(struct ck_parser *p, struct text line)
{
    const struct ck_cuda_name *row = ck_cuda_name_find(kept(p, take_word(&line)));
    if (!row)
        return NULL;
    return row->use ? ck_arena_printf(p->arena, "write `%s`%s%s", row->use, row->text ? "; " : "",
                                      row->text ? row->text : "")
                    : row->text;
}

/* Other syntax: the token found, the one before it, and what was expected (NULL: anything), with
 * ck's form. */
static const struct {
    enum ck_token_kind found;
    const char *after, *expected, *help;
} hints[] = {
    {CK_TOK_AMPERSAND, "&", NULL, "write `and`"},
    {CK_TOK_BAR, "|", NULL, "write `or`"},
    {CK_TOK_GREATER, "<", NULL, "write `!=`"},
    {CK_TOK_NEWLINE, "++", NULL, "write `x += 1`"},
    {CK_TOK_NEWLINE, "--", NULL, "write `x -= 1`"},
    {CK_TOK_SEMICOLON, "++", NULL, "write `x += 1`"},
    {CK_TOK_SEMICOLON, "--", NULL, "write `x -= 1`"},
    {CK_TOK_IF, "else", "`:`", "write `elif`"},
    {CK_TOK_STRING, "print", NULL, "`print` is a function: `print(\"...\")`"},
    {CK_TOK_COLON, ":", NULL, "leave `::` and what is before it out: names need no prefix"},
    {CK_TOK_ARROW, "", NULL, "write `.` for `->`: there are no pointers"},
    {CK_TOK_LESS, "<<", NULL, "the host program launches, and ckrun: `kernel[grid, block](x)`"},
    {CK_TOK_DOUBLE_SLASH, "", "an expression", "a comment begins with `#`"},
    {CK_TOK_RBRACE, "", NULL, "a block begins with `:` and ends where its indentation does"},
};

static const char *
token_hint(const struct ck_parser *p, const char *expected)
{
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (p->token.kind == hints[i].found && follows(p, hints[i].after) &&
            (!hints[i].expected || strcmp(hints[i].expected, expected) == 0))
            return hints[i].help;
    }
    const char *next = token_start(p) + 1;
    bool opens = p->token.kind == CK_TOK_SLASH && next < p->lexer.limit && *next == '*';
    bool is_open =
        p->token.kind == CK_TOK_STAR && follows(p, "/") && p->last_end == p->token.span.start;
    if (opens || is_open)
        return "a comment begins with `#`";
    if (p->token.kind == CK_TOK_COLON && next < p->lexer.limit && *next == ':')
        return "leave `::` and what is before it out: names need no prefix";
    return NULL;
}

/* Hints of less weight, for a `=` or a `{` in a line that says nothing else. */
static const char *
block_hint(const struct ck_parser *p, const char *expected)
{
    bool colon = strcmp(expected, "`:`") == 0, in = strcmp(expected, "`in`") == 0;
    const char *next = token_start(p);
    while (next < p->lexer.limit && isspace((unsigned char)*next))
        next++;
    if (colon && p->token.kind == CK_TOK_NEWLINE && next < p->lexer.limit && *next == '{')
        return "a block begins with `:` and is indented";
    bool same_line = p->token.kind > CK_TOK_DEDENT && p->token.kind != CK_TOK_ASSIGN;
    if (colon && same_line && (p->token.kind == CK_TOK_LBRACE || follows(p, ")")))
        return "a block begins with `:` and is indented";
    if (p->token.kind == CK_TOK_ASSIGN && in)
        return "write `for i in range(n):`";
    if (p->token.kind == CK_TOK_ASSIGN && (colon || strcmp(expected, "`)`") == 0))
        return "`=` assigns; to compare, write `==`";
    return NULL;
}

/* A comment of C whose words follow an expression. */
static const char *
comment_hint(const struct ck_parser *p, struct text line)
{
    for (const char *at = line.start; at + 1 < line.end && at < token_start(p); at++) {
        if (at[0] == '/' && at[1] == '/')
            return "`//` divides; a comment begins with `#`";
    }
    return NULL;
}

const char *
ck_parser_hint(struct ck_parser *p, const char *expected)
{
    struct text line = line_of(p);
    const char *help = token_hint(p, expected);
    if (!help && p->token.kind == CK_TOK_AMPERSAND)
        return address_hint(p, line);
    if (!help && p->token.kind == CK_TOK_STAR)
        return star_hint(p, line);
    if (!help)
        help = declaration_hint(p, line);
    if (!help)
        help = loop_hint(p, line);
    if (!help)
        help = cast_hint(p, line);
    if (!help)
        help = block_hint(p, expected);
    if (!help)
        help = word_hint(p, line);
    return help ? help : comment_hint(p, line);
}
