/* Completion in import statements: the modules from which kernels import, their names, and the
 * keywords between them. */
#include <string.h>

#include "complete.h"
#include "lang/check/import.h"
#include "lang/syntax/lex.h"

/* Where in an import statement a name stands. */
struct place {
    enum { NO_IMPORT, MODULE, NAME, KEYWORD } kind;
    const char *module; /* as written so far: of MODULE, what is before the name, "numba." */
    const char *word;   /* KEYWORD: what may follow */
};

/* Of a statement's tokens, what decides what may follow. */
struct statement {
    enum ck_token_kind first, last;
    bool has_import;       /* FROM's IMPORT was there */
    struct ck_span module; /* of a FROM, or the last module of an IMPORT */
};

static void
take_token(struct statement *s, const struct ck_token *token)
{
    const bool is_in_module = s->first == CK_TOK_IMPORT || !s->has_import;
    if (token->kind == CK_TOK_NEWLINE || token->kind == CK_TOK_SEMICOLON) {
        s->first = CK_TOK_NEWLINE;
        return;
    }
    if (token->kind == CK_TOK_INDENT || token->kind == CK_TOK_DEDENT)
        return;
    if (s->first == CK_TOK_NEWLINE)
        *s = (struct statement){.first = token->kind, .module = {token->span.end, token->span.end}};
    else if (s->first == CK_TOK_IMPORT && token->kind == CK_TOK_COMMA)
        s->module = (struct ck_span){token->span.end, token->span.end};
    else if (is_in_module && (token->kind == CK_TOK_NAME || token->kind == CK_TOK_DOT))
        s->module =
            s->module.start == s->module.end ? token->span : ck_span_join(s->module, token->span);
    if (token->kind == CK_TOK_IMPORT)
        s->has_import = true;
    s->last = token->kind;
}

static struct place
place_after(struct ck_arena *arena, const struct ck_source *source, const struct statement *s)
{
    struct place place = {.module = lsp_text_of(arena, source, s->module)};
    const bool is_from = s->first == CK_TOK_FROM;
    if (s->first != CK_TOK_IMPORT && !is_from)
        return place;
    switch (s->last) {
    case CK_TOK_FROM:
    case CK_TOK_DOT:
        place.kind = is_from && s->has_import ? NO_IMPORT : MODULE;
        break;
    case CK_TOK_IMPORT:
    case CK_TOK_COMMA:
    case CK_TOK_LPAREN:
        place.kind = is_from ? NAME : MODULE;
        break;
    case CK_TOK_NAME:
        place.kind = KEYWORD;
        place.word = is_from && !s->has_import ? "import" : "as";
        break;
    default: /* `as`, and what is no import */
        place.kind = KEYWORD;
        break;
    }
    return place;
}

/* The place of the name that begins at an offset. */
static struct place
find_place(struct ck_arena *arena, const struct ck_source *source, uint32_t name)
{
    struct ck_diags diags;
    struct ck_lexer lexer;
    struct ck_token token;
    struct statement s = {.first = CK_TOK_NEWLINE};
    ck_diags_init(&diags, arena, source);
    diags.quiet++;
    ck_lexer_init(&lexer, arena, source->text, source->length, 0, &diags);
    while ((token = ck_lexer_next(&lexer)).kind != CK_TOK_END && token.span.start < name)
        take_token(&s, &token);
    return place_after(arena, source, &s);
}

/* The modules' next parts. */
static void
add_modules(struct lsp_items *items, const char *before)
{
    const size_t n = strlen(before);
    const char *module;
    for (size_t i = 0; (module = ck_import_module(i)); i++) {
        const char *part = module + n;
        if (strncmp(module, before, n) == 0)
            lsp_add_item(items, ck_arena_strndup(items->request->arena, part, strcspn(part, ".")),
                         LSP_ITEM_MODULE, 0, NULL, NULL);
    }
}

/* Whether a name is a module's, or the beginning of built-ins' paths. */
static bool
is_module(const char *name)
{
    const char *module;
    for (size_t i = 0; (module = ck_import_module(i)); i++) {
        const char *dot = strrchr(module, '.');
        if (strcmp(dot ? dot + 1 : module, name) == 0)
            return true;
    }
    return lsp_entry_below(name);
}

static void
add_name(struct lsp_items *items, const char *module, const char *name)
{
    struct ck_arena *arena = items->request->arena;
    const struct lsp_entry *entry = lsp_entry_find(ck_arena_printf(arena, "%s.%s", module, name));
    enum lsp_item_kind kind = ck_type_by_name(name) ? LSP_ITEM_TYPE
                              : is_module(name)     ? LSP_ITEM_MODULE
                                                    : LSP_ITEM_FUNCTION;
    if (entry)
        lsp_add_entry(items, name, entry, 0);
    else
        lsp_add_item(items, name, kind, 0, NULL, NULL);
}

bool
lsp_complete_import(struct lsp_items *items, const struct lsp_place *at, uint32_t name)
{
    struct ck_arena *arena = items->request->arena;
    const struct place place = find_place(arena, at->source, name);
    struct ck_names names = {.arena = arena};
    switch (place.kind) {
    case NO_IMPORT:
        return false;
    case MODULE:
        add_modules(items, place.module);
        break;
    case NAME:
        if (at->analysis->front.checker)
            ck_add_import_names(at->analysis->front.checker, place.module, &names);
        for (int i = 0; i < names.n; i++)
            add_name(items, place.module, names.items[i]);
        break;
    case KEYWORD:
        if (place.word)
            lsp_add_item(items, place.word, LSP_ITEM_KEYWORD, 0, NULL, NULL);
        break;
    }
    return true;
}
