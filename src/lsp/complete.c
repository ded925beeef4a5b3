/* Completion of names: those of the program that can be used at the cursor, built-ins, types and
 * keywords. */
#include "complete.h"

#include <string.h>

#include "lang/syntax/lex.h"

/* --- Items ---------------------------------------------------------------------------------------
 */

/* Whether the list has the label; adds it. */
static bool
is_listed(struct lsp_items *items, const char *label)
{
    uint32_t hash = ck_hash_text(label);
    struct ck_arena *arena = items->request->arena;
    for (int i = ck_index_first(&items->index, hash); i >= 0; i = ck_index_next(&items->index, i)) {
        if (strcmp(items->labels[i], label) == 0)
            return true;
    }
    CK_PUSH(arena, items->labels, items->n, items->capacity, label);
    ck_index_add(arena, &items->index, hash);
    return false;
}

void
lsp_add_item(struct lsp_items *items, const char *label, enum lsp_item_kind kind, int rank,
             const char *detail, const char *text)
{
    if (is_listed(items, label))
        return;
    struct json_object *item = json_object_new_object();
    lsp_put_string(item, "label", label);
    lsp_put_number(item, "kind", kind);
    lsp_put_string(item, "sortText", ck_arena_printf(items->request->arena, "%d%s", rank, label));
    if (detail)
        lsp_put_string(item, "detail", detail);
    if (text && *text)
        lsp_put(item, "documentation",
                lsp_markup(items->request->server->client.markdown_completion, text));
    json_object_array_add(items->list, item);
}

void
lsp_add_entry(struct lsp_items *items, const char *label, const struct lsp_entry *entry, int rank)
{
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    lsp_entry_write(&buf, label, entry);
    const char *line = ck_arena_take(items->request->arena, ck_strbuf_take(&buf));
    enum lsp_item_kind kind = entry->most < 0              ? LSP_ITEM_PROPERTY
                              : lsp_entry_is_member(entry) ? LSP_ITEM_METHOD
                                                           : LSP_ITEM_FUNCTION;
    lsp_add_item(items, label, kind, rank, line, entry->doc);
}

/* --- What may stand there ------------------------------------------------------------------------
 */

enum { RANK_PROGRAM, RANK_LANGUAGE, RANK_KEYWORD };

static enum lsp_item_kind
item_kind(const struct lsp_symbol *symbol)
{
    static const enum lsp_item_kind kinds[] = {
        [LSP_FUNCTION] = LSP_ITEM_FUNCTION, [LSP_CONSTANT] = LSP_ITEM_CONSTANT,
        [LSP_IMPORT] = LSP_ITEM_MODULE,     [LSP_HOST_NAME] = LSP_ITEM_VARIABLE,
        [LSP_PARAM] = LSP_ITEM_VARIABLE,    [LSP_LOCAL] = LSP_ITEM_VARIABLE,
    };
    return kinds[symbol->kind];
}

static void
add_symbol(struct lsp_items *items, const struct lsp_analysis *analysis,
           const struct lsp_symbol *symbol)
{
    struct ck_arena *arena = items->request->arena;
    const char *detail = NULL, *text = NULL;
    if (symbol->kind == LSP_FUNCTION) {
        detail = lsp_function_text(arena, analysis, symbol->function);
        text = lsp_docstring(symbol->function);
    } else if (symbol->kind == LSP_PARAM || symbol->kind == LSP_LOCAL ||
               symbol->kind == LSP_CONSTANT) {
        detail = lsp_types_of(arena, analysis, symbol);
    }
    lsp_add_item(items, symbol->name, item_kind(symbol), RANK_PROGRAM, detail, text);
}

/* The names of a scope and of those around it. */
static void
add_scopes(struct lsp_items *items, const struct lsp_analysis *analysis, int scope)
{
    const struct lsp_symbols *symbols = &analysis->symbols;
    for (; scope >= 0; scope = symbols->scopes[scope].outer) {
        for (int i = 0; i < symbols->n; i++) {
            if (symbols->items[i].scope == scope)
                add_symbol(items, analysis, &symbols->items[i]);
        }
    }
}

static void
add_types(struct lsp_items *items)
{
    for (int kind = CK_TYPE_BOOL; kind <= CK_TYPE_COMPLEX128; kind++)
        lsp_add_item(items,
                     ck_type_text(items->request->arena, ck_type_scalar((enum ck_type_kind)kind)),
                     LSP_ITEM_TYPE, RANK_LANGUAGE, "type", NULL);
}

/* Words of the language that are no built-ins: what it rejects is not among them. */
static void
add_words(struct lsp_items *items)
{
    static const char *const words[] = {"and",  "assert", "break",  "continue", "def",  "elif",
                                        "else", "False",  "for",    "from",     "if",   "import",
                                        "in",   "is",     "lambda", "None",     "not",  "or",
                                        "pass", "raise",  "return", "True",     "while"};
    static const char *const modules[] = {"cuda", "math", "cmath", "np", "numba"};
    static const char *const iterables[] = {"range", "enumerate", "zip", "reversed"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        lsp_add_item(items, words[i], LSP_ITEM_KEYWORD, RANK_KEYWORD, NULL, NULL);
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        lsp_add_item(items, modules[i], LSP_ITEM_MODULE, RANK_LANGUAGE, NULL, NULL);
    for (size_t i = 0; i < sizeof iterables / sizeof *iterables; i++)
        lsp_add_item(items, iterables[i], LSP_ITEM_FUNCTION, RANK_LANGUAGE, NULL, NULL);
}

void
lsp_add_path(struct lsp_items *items, const char *path, int rank)
{
    struct ck_arena *arena = items->request->arena;
    size_t n = strlen(path);
    int count;
    const struct lsp_entry *entries = lsp_entries(&count);
    for (int i = 0; i < count; i++) {
        const char *rest = entries[i].path + n + (n > 0);
        if (!lsp_entry_is_public(&entries[i]) || strncmp(entries[i].path, path, n) != 0 ||
            (n && entries[i].path[n] != '.') ||
            (!n && (i >= CK_N_BUILTINS || lsp_entry_is_member(&entries[i]))))
            continue;
        size_t first = strcspn(rest, ".");
        if (rest[first])
            lsp_add_item(items, ck_arena_strndup(arena, rest, first), LSP_ITEM_MODULE, rank, NULL,
                         NULL);
        else
            lsp_add_entry(items, rest, &entries[i], rank);
    }
}

/* --- Where ---------------------------------------------------------------------------------------
 */

/* Whether an offset is inside a string, a number or a comment. */
static bool
is_in_literal(struct ck_arena *arena, const struct ck_source *source, uint32_t offset)
{
    struct ck_diags diags;
    struct ck_lexer lexer;
    struct ck_token token = {.kind = CK_TOK_NEWLINE};
    uint32_t end = 0; /* of the last token before */
    ck_diags_init(&diags, arena, source);
    diags.quiet++;
    ck_lexer_init(&lexer, arena, source->text, source->length, 0, &diags);
    if (!ck_lexer_check_text(&lexer))
        return true;
    while ((token = ck_lexer_next(&lexer)).kind != CK_TOK_END && token.span.end < offset)
        end = token.span.end > end ? token.span.end : end;
    bool is_literal = token.kind == CK_TOK_STRING || token.kind == CK_TOK_FSTRING ||
                      token.kind == CK_TOK_BAD_LITERAL;
    bool is_number = token.kind == CK_TOK_INT || token.kind == CK_TOK_FLOAT;
    if (is_literal && token.span.start < offset && offset < token.span.end)
        return true;
    if (is_number && token.span.start < offset && offset <= token.span.end)
        return true;
    for (uint32_t i = offset; i > end; i--) {
        char c = source->text[i - 1];
        if (c == '#')
            return true;
        if (c == '\n' || c == '\r')
            return false;
    }
    return false;
}

static uint32_t
column_of(const struct ck_source *source, uint32_t offset)
{
    return ck_source_position(source, offset).column;
}

/* The scope of the line at an offset: a line after the last statement of a function belongs to it
 * if it is indented deeper than its `def`. */
static int
scope_of_line(const struct lsp_analysis *analysis, uint32_t offset)
{
    const struct lsp_symbols *symbols = &analysis->symbols;
    const struct ck_source *source = &analysis->front.source;
    struct ck_span line = ck_source_line(source, ck_source_position(source, offset).line);
    uint32_t start = line.start + (uint32_t)strspn(source->text + line.start, " \t");
    int scope = lsp_symbols_scope_at(symbols, offset);
    if (scope || start == line.start)
        return scope;
    for (int i = 1; i < symbols->n_scopes; i++) {
        int next = symbols->scope_order[i];
        const struct ck_span *span = &symbols->scopes[next].span;
        if (span->start < start && column_of(source, span->start) < column_of(source, start))
            scope = next;
    }
    return scope;
}

struct json_object *
lsp_completion(struct lsp_request *request)
{
    struct lsp_place place;
    if (!lsp_place_of(request, &place) || is_in_literal(request->arena, place.source, place.offset))
        return NULL;
    uint32_t name = place.offset;
    while (name > 0 && lsp_is_word_byte(place.source->text[name - 1]))
        name--;
    struct lsp_items items = {.request = request, .list = json_object_new_array()};
    if (lsp_complete_import(&items, &place, name))
        return items.list;
    if (name > 0 && place.source->text[name - 1] == '.') {
        lsp_complete_member(&items, &place, name);
        return items.list;
    }
    add_scopes(&items, place.analysis, scope_of_line(place.analysis, place.offset));
    lsp_add_path(&items, "", RANK_LANGUAGE);
    add_types(&items);
    add_words(&items);
    return items.list;
}
