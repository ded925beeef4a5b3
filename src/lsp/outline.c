/* The outline of a document: the functions and the constants of the module. */
#include "meaning.h"

/* Kinds of symbols of the protocol. */
enum { KIND_FUNCTION = 12, KIND_CONSTANT = 14 };

struct outline {
    struct lsp_request *request;
    const struct lsp_document *document;
    const struct lsp_analysis *analysis;
};

static struct ck_span
whole_function(const struct ck_function *function)
{
    struct ck_span span = ck_span_join(function->span, function->name_span);
    if (function->body.n)
        span = ck_span_join(span, function->body.span);
    for (int i = 0; i < function->n_decorators; i++)
        span = ck_span_join(span, function->decorators[i]->span);
    return span;
}

static struct json_object *
new_item(const struct outline *outline, const char *name, int kind, struct ck_span whole,
         struct ck_span at)
{
    struct json_object *item = json_object_new_object();
    lsp_put_string(item, "name", name);
    lsp_put_number(item, "kind", kind);
    if (!outline->request->server->client.hierarchical_symbols) {
        lsp_put(item, "location", lsp_location(outline->request, outline->document, whole));
        return item;
    }
    lsp_put(item, "range", lsp_range(outline->request, outline->document, whole));
    lsp_put(item, "selectionRange", lsp_range(outline->request, outline->document, at));
    return item;
}

static struct json_object *
function_item(const struct outline *outline, const struct ck_function *function)
{
    struct json_object *item = new_item(outline, function->name, KIND_FUNCTION,
                                        whole_function(function), function->name_span);
    if (outline->request->server->client.hierarchical_symbols)
        lsp_put_string(item, "detail", lsp_function_kind(outline->analysis, function));
    return item;
}

static struct json_object *
symbol_item(const struct outline *outline, const struct lsp_symbol *symbol)
{
    if (symbol->kind == LSP_FUNCTION && symbol->function->name)
        return function_item(outline, symbol->function);
    if (symbol->kind == LSP_CONSTANT)
        return new_item(outline, symbol->name, KIND_CONSTANT,
                        ck_span_join(symbol->whole, symbol->name_span), symbol->name_span);
    return NULL;
}

struct json_object *
lsp_document_symbol(struct lsp_request *request)
{
    struct lsp_document *document = lsp_document_of(request);
    if (!document)
        return NULL;
    const struct lsp_analysis *analysis = lsp_analysis_of(request, document);
    const struct outline outline = {request, document, analysis};
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < analysis->symbols.n && analysis->is_whole; i++) {
        struct json_object *item = symbol_item(&outline, &analysis->symbols.items[i]);
        if (item)
            json_object_array_add(list, item);
    }
    return list;
}
