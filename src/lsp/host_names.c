/* Names in what the syntax tree leaves out, token by token: host code, and statements with errors.
 *
 * A name there denotes what it denotes by the scopes of the tree, unless the host code around it
 * binds it. Where that may be, the occurrence is unclear: nothing is renamed by it. */
#include <string.h>

#include "lang/syntax/lex.h"
#include "symbols.h"

/* One logical line. */
struct line {
    struct ck_token *tokens;
    int n, capacity;
    int last_assignment; /* the last assignment outside brackets; -1: none */
};

struct search {
    struct lsp_symbols *symbols;
    struct line line;
    int next_seen;
};

static bool
is_assignment(enum ck_token_kind kind)
{
    return kind >= CK_TOK_ASSIGN && kind <= CK_TOK_AT_ASSIGN;
}

static bool
opens(enum ck_token_kind kind)
{
    return kind == CK_TOK_LPAREN || kind == CK_TOK_LBRACKET || kind == CK_TOK_LBRACE;
}

static bool
closes(enum ck_token_kind kind)
{
    return kind == CK_TOK_RPAREN || kind == CK_TOK_RBRACKET || kind == CK_TOK_RBRACE;
}

static enum ck_token_kind
kind_at(const struct line *line, int i)
{
    return i >= 0 && i < line->n ? line->tokens[i].kind : CK_TOK_NEWLINE;
}

/* Whether all names of the line are bound by it, or may be. */
static bool
is_binding_line(const struct line *line)
{
    switch (kind_at(line, 0)) {
    case CK_TOK_DEF:
    case CK_TOK_CLASS:
    case CK_TOK_ASYNC:
    case CK_TOK_IMPORT:
    case CK_TOK_FROM:
    case CK_TOK_GLOBAL:
    case CK_TOK_NONLOCAL:
        return true;
    default:
        return false;
    }
}

/* What is known of the tokens of a line before one of them. */
struct state {
    int depth;       /* of brackets */
    bool is_binding; /* after `for` and before `in`, or after `lambda` and before `:` */
    bool is_read;    /* the strings in a row here are an f-string that the tree has */
};

/* Whether the line is outside all blocks. */
static bool
is_outermost(const struct ck_source *source, const struct line *line)
{
    uint32_t start = line->tokens[0].span.start;
    return start == 0 || source->text[start - 1] == '\n' || source->text[start - 1] == '\r';
}

static enum lsp_role
role_of(const struct ck_source *source, const struct line *line, int i, const struct state *state)
{
    enum ck_token_kind before = kind_at(line, i - 1), after = kind_at(line, i + 1);
    bool is_used = after == CK_TOK_DOT || after == CK_TOK_LBRACKET || after == CK_TOK_LPAREN;
    bool is_target =
        !is_used && (kind_at(line, 0) == CK_TOK_DEL ||
                     (i < line->last_assignment && (!state->depth || opens(kind_at(line, 0)))));
    if (is_target && is_outermost(source, line))
        return LSP_WRITE;
    bool may_bind = is_target || is_binding_line(line) || before == CK_TOK_AS ||
                    after == CK_TOK_WALRUS || state->is_binding;
    return may_bind ? LSP_UNCLEAR : LSP_READ;
}

/* Whether the tree has a name at this place; places are asked for in the order of the text. */
static bool
is_seen(struct search *search, uint32_t start)
{
    const struct lsp_symbols *symbols = search->symbols;
    while (search->next_seen < symbols->n_seen && symbols->seen[search->next_seen] < start)
        search->next_seen++;
    return search->next_seen < symbols->n_seen && symbols->seen[search->next_seen] == start;
}

static void
add_name(struct search *search, struct ck_span span, const char *name, enum lsp_role role)
{
    int scope = lsp_symbols_scope_at(search->symbols, span.start);
    int symbol = lsp_symbols_lookup(search->symbols, scope, name);
    if (symbol >= 0)
        lsp_symbols_add(search->symbols, span, symbol, role);
}

static bool
is_string(enum ck_token_kind kind)
{
    return kind == CK_TOK_STRING || kind == CK_TOK_FSTRING || kind == CK_TOK_BAD_LITERAL;
}

/* The words of an f-string that the tree does not have: any may be a name. */
static void
add_formatted(struct search *search, struct ck_span span)
{
    const char *text = search->symbols->source->text;
    size_t prefix = strspn(text + span.start, "rRuUbBfFtT");
    bool is_formatted =
        memchr(text + span.start, 'f', prefix) || memchr(text + span.start, 'F', prefix);
    if (!is_formatted)
        return;
    for (uint32_t at = span.start + (uint32_t)prefix; at < span.end;) {
        struct ck_span word = {at, at};
        while (word.end < span.end && lsp_is_word_byte(text[word.end]))
            word.end++;
        if (word.end > at)
            add_name(search, word,
                     ck_arena_strndup(search->symbols->arena, text + at, word.end - at),
                     LSP_UNCLEAR);
        at = word.end + 1;
    }
}

/* Adds token i to the state, after its brackets. */
static void
follow(struct search *search, int i, struct state *state)
{
    const struct ck_token *token = &search->line.tokens[i];
    switch (token->kind) {
    case CK_TOK_FOR:
    case CK_TOK_LAMBDA:
        state->is_binding = true;
        break;
    case CK_TOK_IN:
    case CK_TOK_COLON:
        state->is_binding = false;
        break;
    default:
        break;
    }
    /* Strings in a row are one, which begins where the first does. */
    if (is_string(token->kind) && !is_string(kind_at(&search->line, i - 1)))
        state->is_read = is_seen(search, token->span.start);
}

static void
add_line(struct search *search)
{
    const struct line *line = &search->line;
    struct state state = {0};
    for (int i = 0; i < line->n; i++) {
        const struct ck_token *token = &line->tokens[i];
        state.depth += opens(token->kind) - closes(token->kind);
        follow(search, i, &state);
        if (is_string(token->kind) && !state.is_read)
            add_formatted(search, token->span);
        if (token->kind != CK_TOK_NAME || is_seen(search, token->span.start) ||
            kind_at(line, i - 1) == CK_TOK_DOT)
            continue;
        bool is_keyword = state.depth > 0 && kind_at(line, i + 1) == CK_TOK_ASSIGN;
        if (!is_keyword || is_binding_line(line))
            add_name(search, token->span, token->name,
                     role_of(search->symbols->source, line, i, &state));
    }
    search->line = (struct line){.tokens = line->tokens, .capacity = line->capacity};
}

void
lsp_symbols_find_rest(struct lsp_symbols *symbols)
{
    const struct ck_source *source = symbols->source;
    struct search search = {.symbols = symbols, .line.last_assignment = -1};
    struct ck_diags diags;
    struct ck_lexer lexer;
    int depth = 0;
    ck_diags_init(&diags, symbols->arena, source);
    diags.quiet++;
    ck_lexer_init(&lexer, symbols->arena, source->text, source->length, 0, &diags);
    if (!ck_lexer_check_text(&lexer))
        return;
    for (struct ck_token token; (token = ck_lexer_next(&lexer)).kind != CK_TOK_END;) {
        if (token.kind == CK_TOK_INDENT || token.kind == CK_TOK_DEDENT)
            continue;
        if (token.kind == CK_TOK_NEWLINE || token.kind == CK_TOK_SEMICOLON) {
            add_line(&search);
            search.line.last_assignment = -1;
            depth = 0;
            continue;
        }
        depth += opens(token.kind) - closes(token.kind);
        if (is_assignment(token.kind) && depth <= 0)
            search.line.last_assignment = search.line.n;
        CK_PUSH(symbols->arena, search.line.tokens, search.line.n, search.line.capacity, token);
    }
    add_line(&search);
}
