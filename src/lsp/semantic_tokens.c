/* Semantic tokens: what the names of a document are, for colours that a syntax file cannot know.
 * Keywords, numbers, strings and comments are left to that. */
#include <string.h>

#include "lang/syntax/lex.h"
#include "meaning.h"

/* The types and modifiers that the server has, in the order of the legend. */
enum type { NAMESPACE, TYPE, PARAMETER, VARIABLE, PROPERTY, FUNCTION, METHOD, NO_TYPE };
static const char *const type_names[] = {"namespace", "type",     "parameter", "variable",
                                         "property",  "function", "method"};
enum modifier { DECLARATION = 1, READONLY = 2, DEFAULT_LIBRARY = 4 };
static const char *const modifier_names[] = {"declaration", "readonly", "defaultLibrary"};

static struct json_object *
list_of(const char *const *names, size_t n)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < n; i++)
        json_object_array_add(list, lsp_new_string(names[i]));
    return list;
}

struct json_object *
lsp_semantic_tokens_provider(void)
{
    struct json_object *out = json_object_new_object(), *legend = json_object_new_object();
    lsp_put(legend, "tokenTypes", list_of(type_names, sizeof type_names / sizeof *type_names));
    lsp_put(legend, "tokenModifiers",
            list_of(modifier_names, sizeof modifier_names / sizeof *modifier_names));
    lsp_put(out, "legend", legend);
    lsp_put_flag(out, "full", true);
    lsp_put_flag(out, "range", true);
    return out;
}

/* --- What a name is ------------------------------------------------------------------------------
 */

struct kind {
    enum type type;
    unsigned modifiers;
};

static struct kind
kind_of_entry(const struct lsp_entry *entry)
{
    enum type type = entry->most < 0 ? PROPERTY : lsp_entry_is_member(entry) ? METHOD : FUNCTION;
    return (struct kind){type, DEFAULT_LIBRARY};
}

/* Part of a path: a module, but `threadIdx` is a value. */
static struct kind
kind_of_path(const char *path)
{
    const struct lsp_entry *below = lsp_entry_below(path);
    bool is_value = below && below->most < 0;
    return is_value ? (struct kind){PROPERTY, DEFAULT_LIBRARY} : (struct kind){NAMESPACE, 0};
}

static struct kind
kind_of_symbol(const struct lsp_symbol *symbol)
{
    static const struct kind kinds[] = {
        [LSP_FUNCTION] = {FUNCTION, 0}, [LSP_CONSTANT] = {VARIABLE, READONLY},
        [LSP_IMPORT] = {NAMESPACE, 0},  [LSP_HOST_NAME] = {VARIABLE, 0},
        [LSP_PARAM] = {PARAMETER, 0},   [LSP_LOCAL] = {VARIABLE, 0},
    };
    return kinds[symbol->kind];
}

static struct kind
kind_of(const struct lsp_meaning *meaning)
{
    const struct kind none = {NO_TYPE, 0};
    if (meaning->entry)
        return kind_of_entry(meaning->entry);
    switch (meaning->fact ? meaning->fact->kind : CK_FACT_OBJECT) {
    case CK_FACT_TYPE:
        return (struct kind){TYPE, 0};
    case CK_FACT_FUNCTION:
    case CK_FACT_RESULT:
        return (struct kind){FUNCTION, 0};
    case CK_FACT_PATH:
        return kind_of_path(meaning->fact->path);
    case CK_FACT_VALUE:
        return meaning->symbol ? kind_of_symbol(meaning->symbol) : (struct kind){PROPERTY, 0};
    case CK_FACT_BUILTIN:
    case CK_FACT_NUMPY:
    case CK_FACT_OBJECT:
        break;
    }
    return meaning->symbol ? kind_of_symbol(meaning->symbol) : none;
}

/* --- The list ------------------------------------------------------------------------------------
 */

struct token {
    struct ck_span name;
    struct kind kind;
};

struct list {
    struct ck_arena *arena;
    const struct lsp_analysis *analysis;
    struct ck_span range;
    struct token *items; /* in the order of the text */
    int n, capacity;
};

static void
add_name(struct list *list, struct ck_span name)
{
    if (name.end <= list->range.start || name.start >= list->range.end)
        return;
    struct lsp_meaning meaning = lsp_meaning_at(list->arena, list->analysis, name.start);
    struct kind kind = kind_of(&meaning);
    if (kind.type == NO_TYPE)
        return;
    if (meaning.symbol && meaning.symbol->name_span.start == name.start)
        kind.modifiers |= DECLARATION;
    struct token token = {name, kind};
    CK_PUSH(list->arena, list->items, list->n, list->capacity, token);
}

/* The name of a keyword argument: of a function of the program the parameter, else none. */
static void
add_keyword(struct list *list, struct ck_span name)
{
    const struct lsp_occurrence *o = lsp_symbols_at(&list->analysis->symbols, name.start);
    if (o && o->span.start == name.start)
        add_name(list, name);
}

/* The names in an f-string. */
static void
add_inner_names(struct list *list, struct ck_span string)
{
    const struct lsp_symbols *symbols = &list->analysis->symbols;
    for (int i = lsp_symbols_first_after(symbols, string.start);
         i < symbols->n_occurrences && symbols->occurrences[i].span.end <= string.end; i++)
        add_name(list, symbols->occurrences[i].span);
}

static void
add_names(struct list *list)
{
    const struct ck_source *source = &list->analysis->front.source;
    struct ck_diags diags;
    struct ck_lexer lexer;
    ck_diags_init(&diags, list->arena, source);
    diags.quiet++;
    ck_lexer_init(&lexer, list->arena, source->text, source->length, 0, &diags);
    if (!ck_lexer_check_text(&lexer))
        return;
    int depth = 0; /* of brackets */
    for (struct ck_token token = ck_lexer_next(&lexer), next; token.kind != CK_TOK_END;
         token = next) {
        next = ck_lexer_next(&lexer);
        depth += token.kind == CK_TOK_LPAREN;
        depth -= token.kind == CK_TOK_RPAREN && depth > 0;
        if (token.kind == CK_TOK_FSTRING)
            add_inner_names(list, token.span);
        else if (token.kind == CK_TOK_NAME && depth > 0 && next.kind == CK_TOK_ASSIGN)
            add_keyword(list, token.span);
        else if (token.kind == CK_TOK_NAME)
            add_name(list, token.span);
    }
}

/* Five numbers a token: the lines and characters from the last one, the length, the type, the
 * modifiers. */
static struct json_object *
write_tokens(struct lsp_request *request, struct lsp_document *document, const struct list *list)
{
    const enum lsp_encoding encoding = request->server->client.encoding;
    struct lsp_position last = {0};
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_putc(&text, '[');
    for (int i = 0; i < list->n; i++) {
        const struct token *token = &list->items[i];
        struct lsp_position start =
            lsp_find_position(&document->source, encoding, document->last, token->name.start);
        struct lsp_position end =
            lsp_find_position(&document->source, encoding, document->last, token->name.end);
        uint32_t before = start.line == last.line ? last.character : 0;
        ck_strbuf_printf(&text, "%s%u,%u,%u,%d,%u", i ? "," : "", start.line - last.line,
                         start.character - before, end.character - start.character,
                         (int)token->kind.type, token->kind.modifiers);
        last = start;
    }
    ck_strbuf_putc(&text, ']');
    return lsp_new_written("%s", ck_arena_take(request->arena, ck_strbuf_take(&text)));
}

static struct json_object *
tokens_in(struct lsp_request *request, struct lsp_document *document, struct ck_span range)
{
    struct list list = {
        .arena = request->arena, .analysis = lsp_analysis_of(request, document), .range = range};
    if (list.analysis->is_whole)
        add_names(&list);
    struct json_object *out = json_object_new_object();
    lsp_put(out, "data", write_tokens(request, document, &list));
    return out;
}

struct json_object *
lsp_semantic_tokens_full(struct lsp_request *request)
{
    struct lsp_document *document = lsp_document_of(request);
    return document ? tokens_in(request, document, (struct ck_span){0, document->source.length})
                    : NULL;
}

struct json_object *
lsp_semantic_tokens_range(struct lsp_request *request)
{
    struct lsp_document *document;
    struct ck_span range;
    if (!lsp_range_of(request, &document, &range))
        return NULL;
    return tokens_in(request, document, range);
}
