/* Inlay hints: the types of parameters and variables that the text does not annotate, where they
 * are bound and their type changes. */
#include <string.h>

#include "meaning.h"

static bool
is_lambda(const struct ck_source *source, const struct ck_function *function)
{
    const char word[] = "lambda";
    return strncmp(source->text + function->span.start, word, sizeof word - 1) == 0;
}

/* Whether the text has a type for the name at this place. */
static bool
is_annotated(const struct ck_source *source, const struct lsp_symbol *symbol, struct ck_span name)
{
    const char *after = source->text + name.end;
    if (symbol->kind == LSP_PARAM)
        return symbol->param->annotation || is_lambda(source, symbol->function);
    after += strspn(after, " \t");
    return *after == ':';
}

static struct json_object *
hint_of(const struct lsp_request *request, const struct lsp_document *document, uint32_t offset,
        const char *type)
{
    enum { TYPE = 1 };
    struct json_object *hint = json_object_new_object();
    lsp_put(hint, "position",
            lsp_new_position(&document->source, request->server->client.encoding, document->last,
                             offset));
    lsp_put_string(hint, "label", ck_arena_printf(request->arena, ": %s", type));
    lsp_put_number(hint, "kind", TYPE);
    return hint;
}

struct json_object *
lsp_inlay_hint(struct lsp_request *request)
{
    struct lsp_document *document;
    struct ck_span range;
    if (!lsp_range_of(request, &document, &range))
        return NULL;
    const struct lsp_analysis *analysis = lsp_analysis_of(request, document);
    const struct lsp_symbols *symbols = &analysis->symbols;
    const char **shown = CK_NEW_ARRAY(request->arena, const char *, symbols->n); /* by symbol */
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < symbols->n_occurrences && analysis->is_whole; i++) {
        const struct lsp_occurrence *o = &symbols->occurrences[i];
        const struct lsp_symbol *symbol = &symbols->items[o->symbol];
        bool is_variable = symbol->kind == LSP_PARAM || symbol->kind == LSP_LOCAL;
        if (o->role != LSP_WRITE || !is_variable ||
            is_annotated(&document->source, symbol, o->span))
            continue;
        const char *type = lsp_types_at(request->arena, analysis, o->span.start);
        if (!type && !shown[o->symbol] && lsp_earlier_symbol(analysis, symbol))
            type = lsp_types_of(request->arena, analysis, symbol);
        if (!type || (shown[o->symbol] && strcmp(shown[o->symbol], type) == 0))
            continue;
        shown[o->symbol] = type;
        if (range.start <= o->span.end && o->span.end <= range.end)
            json_object_array_add(list, hint_of(request, document, o->span.end, type));
    }
    return list;
}
