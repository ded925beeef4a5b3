/* Definitions, references and highlights of the names that a program binds; their places. */
#include "meaning.h"

struct json_object *
lsp_location(const struct lsp_request *request, const struct lsp_document *document,
             struct ck_span span)
{
    struct json_object *location = json_object_new_object();
    lsp_put_string(location, "uri", document->uri);
    lsp_put(location, "range", lsp_range(request, document, span));
    return location;
}

/* The symbol at a request's position; NULL: none of the program's. */
static const struct lsp_symbol *
symbol_of(struct lsp_request *request, struct lsp_place *place)
{
    if (!lsp_place_of(request, place))
        return NULL;
    const struct lsp_symbols *symbols = &place->analysis->symbols;
    const struct lsp_occurrence *occurrence = lsp_symbols_at(symbols, place->offset);
    return occurrence ? &symbols->items[occurrence->symbol] : NULL;
}

struct json_object *
lsp_definition(struct lsp_request *request)
{
    struct lsp_place place;
    const struct lsp_symbol *symbol = symbol_of(request, &place);
    return symbol ? lsp_location(request, place.document, symbol->name_span) : NULL;
}

struct json_object *
lsp_references(struct lsp_request *request)
{
    bool all = lsp_get_flag(lsp_get(request->params, "context"), "includeDeclaration");
    struct lsp_place place;
    const struct lsp_symbol *symbol = symbol_of(request, &place);
    if (!symbol)
        return NULL;
    struct json_object *list = json_object_new_array();
    const struct lsp_symbols *symbols = &place.analysis->symbols;
    for (int i = symbol->first; i >= 0; i = symbols->occurrences[i].next) {
        const struct lsp_occurrence *o = &symbols->occurrences[i];
        bool is_declaration = o->span.start == symbol->name_span.start;
        if (o->role != LSP_UNCLEAR && (all || !is_declaration))
            json_object_array_add(list, lsp_location(request, place.document, o->span));
    }
    return list;
}

struct json_object *
lsp_document_highlight(struct lsp_request *request)
{
    enum { READ = 2, WRITE = 3 };
    struct lsp_place place;
    const struct lsp_symbol *symbol = symbol_of(request, &place);
    if (!symbol)
        return NULL;
    struct json_object *list = json_object_new_array();
    const struct lsp_symbols *symbols = &place.analysis->symbols;
    for (int i = symbol->first; i >= 0; i = symbols->occurrences[i].next) {
        const struct lsp_occurrence *o = &symbols->occurrences[i];
        if (o->role == LSP_UNCLEAR)
            continue;
        struct json_object *item = json_object_new_object();
        lsp_put(item, "range", lsp_range(request, place.document, o->span));
        lsp_put_number(item, "kind", o->role == LSP_WRITE ? WRITE : READ);
        json_object_array_add(list, item);
    }
    return list;
}
