/* Renaming what a program binds. A name is renamed where all of its places are known, and where the
 * new name means nothing so far. */
#include <string.h>

#include "lang/syntax/lex.h"
#include "meaning.h"

/* --- Edits ---------------------------------------------------------------------------------------
 */

struct json_object *
lsp_edit(const struct lsp_request *request, const struct lsp_document *document,
         struct ck_span span, const char *text)
{
    struct json_object *edit = json_object_new_object();
    lsp_put(edit, "range", lsp_range(request, document, span));
    lsp_put_string(edit, "newText", text);
    return edit;
}

struct json_object *
lsp_workspace_edit(const struct lsp_document *document, struct json_object *edits)
{
    struct json_object *edit = json_object_new_object(), *changes = json_object_new_object();
    lsp_put(changes, document->uri, edits);
    lsp_put(edit, "changes", changes);
    return edit;
}

/* --- What can be renamed -------------------------------------------------------------------------
 */

/* What is renamed. */
struct renaming {
    struct lsp_place place;
    const struct lsp_occurrence *at;
    const struct lsp_symbol *symbol;
};

static uint32_t
line_of(const struct renaming *renaming, uint32_t offset)
{
    return ck_source_position(renaming->place.source, offset).line;
}

/* Why a symbol keeps its name; NULL: it can be renamed. */
static const char *
obstacle(struct ck_arena *arena, const struct renaming *renaming)
{
    const struct lsp_symbols *symbols = &renaming->place.analysis->symbols;
    const struct lsp_symbol *symbol = renaming->symbol;
    if (symbol->kind == LSP_IMPORT)
        return ck_arena_printf(arena, "`%s` is imported: write `as` and another name there",
                               symbol->name);
    if (symbol->kind == LSP_HOST_NAME)
        return ck_arena_printf(
            arena, "`%s` is bound by host code, of which not all places are known", symbol->name);
    for (int i = symbol->first; i >= 0; i = symbols->occurrences[i].next) {
        const struct lsp_occurrence *o = &symbols->occurrences[i];
        if (o->role == LSP_UNCLEAR)
            return ck_arena_printf(arena,
                                   "host code in line %u may use `%s` for something else, or has "
                                   "it in a formatted string",
                                   line_of(renaming, o->span.start), symbol->name);
    }
    return NULL;
}

/* What is at the request's position. False: nothing that can be renamed, which is an error. */
static bool
find_renaming(struct lsp_request *request, struct renaming *renaming)
{
    if (!lsp_place_of(request, &renaming->place))
        return false;
    const struct lsp_symbols *symbols = &renaming->place.analysis->symbols;
    renaming->at = lsp_symbols_at(symbols, renaming->place.offset);
    const char *why = "only names that the program binds can be renamed";
    if (renaming->at) {
        renaming->symbol = &symbols->items[renaming->at->symbol];
        why = obstacle(request->arena, renaming);
    }
    if (why)
        lsp_fail(request, LSP_REQUEST_FAILED, why);
    return !why;
}

struct json_object *
lsp_prepare_rename(struct lsp_request *request)
{
    struct renaming renaming;
    if (!find_renaming(request, &renaming))
        return NULL;
    struct json_object *result = json_object_new_object();
    lsp_put(result, "range", lsp_range(request, renaming.place.document, renaming.at->span));
    lsp_put_string(result, "placeholder", renaming.symbol->name);
    return result;
}

/* --- The new name --------------------------------------------------------------------------------
 */

static struct ck_lexer
lexer_of(struct ck_arena *arena, struct ck_diags *diags, const struct ck_source *source)
{
    struct ck_lexer lexer;
    ck_diags_init(diags, arena, source);
    diags->quiet++;
    ck_lexer_init(&lexer, arena, source->text, source->length, 0, diags);
    return lexer;
}

/* Whether a text is one name of the language, and no keyword. */
static bool
is_name(struct ck_arena *arena, const char *text)
{
    struct ck_source source;
    struct ck_diags diags;
    ck_source_init(&source, arena, "", text, strlen(text));
    struct ck_lexer lexer = lexer_of(arena, &diags, &source);
    if (!ck_lexer_check_text(&lexer))
        return false;
    struct ck_token token = ck_lexer_next(&lexer);
    return token.kind == CK_TOK_NAME && token.span.start == 0 && token.span.end == source.length &&
           strcmp(token.name, text) == 0;
}

/* The first place where a name is used in the scope of the renamed symbol; false: nowhere. There it
 * means something else, and the new name would take its place. */
static bool
find_use(struct ck_arena *arena, const struct renaming *renaming, const char *name, uint32_t *at)
{
    struct ck_span scope = renaming->place.analysis->symbols.scopes[renaming->symbol->scope].span;
    struct ck_diags diags;
    struct ck_lexer lexer = lexer_of(arena, &diags, renaming->place.source);
    enum ck_token_kind before = CK_TOK_NEWLINE;
    for (struct ck_token token; (token = ck_lexer_next(&lexer)).kind != CK_TOK_END;) {
        bool is_here = scope.start <= token.span.start && token.span.end <= scope.end;
        if (is_here && token.kind == CK_TOK_NAME && before != CK_TOK_DOT &&
            strcmp(token.name, name) == 0) {
            *at = token.span.start;
            return true;
        }
        before = token.kind;
    }
    return false;
}

struct json_object *
lsp_rename(struct lsp_request *request)
{
    const char *name = lsp_get_string(request->params, "newName");
    struct renaming renaming;
    uint32_t used_at;
    if (!name)
        return lsp_fail(request, LSP_INVALID_PARAMS, "`newName` is a string");
    if (!find_renaming(request, &renaming))
        return NULL;
    if (!is_name(request->arena, name))
        return lsp_fail(request, LSP_REQUEST_FAILED,
                        ck_arena_printf(request->arena, "`%s` is not a name", name));
    bool changes = strcmp(name, renaming.symbol->name) != 0;
    if (changes && find_use(request->arena, &renaming, name, &used_at))
        return lsp_fail(request, LSP_REQUEST_FAILED,
                        ck_arena_printf(request->arena, "`%s` means something else in line %u",
                                        name, line_of(&renaming, used_at)));
    struct json_object *edits = json_object_new_array();
    const struct lsp_symbols *symbols = &renaming.place.analysis->symbols;
    for (int i = 0; i < symbols->n_occurrences && changes; i++) {
        const struct lsp_occurrence *o = &symbols->occurrences[i];
        if (o->symbol == renaming.at->symbol)
            json_object_array_add(edits, lsp_edit(request, renaming.place.document, o->span, name));
    }
    return lsp_workspace_edit(renaming.place.document, edits);
}
