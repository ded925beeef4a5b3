/* The start and the end of a session, and the texts of the documents in it. */
#include <string.h>

#include "server.h"

enum { DEFAULT_DELAY = 150 };

/* --- Start and end -------------------------------------------------------------------------------
 */

static bool
supports_markdown(struct json_object *list)
{
    return lsp_has_string(list, "markdown");
}

#define PATH(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
read_client(struct lsp_client *client, struct json_object *capabilities)
{
    struct json_object *text = lsp_get(capabilities, "textDocument");
    struct json_object *encodings =
        lsp_get_path(capabilities, PATH("general", "positionEncodings"));
    struct json_object *symbols = lsp_get(text, "documentSymbol");
    client->encoding = lsp_has_string(encodings, "utf-8") ? LSP_UTF8 : LSP_UTF16;
    client->markdown_hover = supports_markdown(lsp_get_path(text, PATH("hover", "contentFormat")));
    client->markdown_completion = supports_markdown(
        lsp_get_path(text, PATH("completion", "completionItem", "documentationFormat")));
    client->markdown_signature = supports_markdown(
        lsp_get_path(text, PATH("signatureHelp", "signatureInformation", "documentationFormat")));
    client->related_information =
        lsp_get_flag(lsp_get(text, "publishDiagnostics"), "relatedInformation");
    client->hierarchical_symbols = lsp_get_flag(symbols, "hierarchicalDocumentSymbolSupport");
}

/* { "warningsOff": ["unused-name"], "delay": 150 } */
static void
read_options(struct lsp_server *server, struct json_object *options)
{
    struct json_object *off = lsp_get(options, "warningsOff");
    server->delay = DEFAULT_DELAY;
    lsp_get_number(options, "delay", &server->delay);
    for (int id = 0; id < CK_N_DIAGS; id++)
        server->warnings.off[id] = lsp_has_string(off, ck_diag_name((enum ck_diag_id)id));
}

static struct json_object *
list_of(const char *const *texts)
{
    struct json_object *list = json_object_new_array();
    for (; *texts; texts++)
        json_object_array_add(list, lsp_new_string(*texts));
    return list;
}

static struct json_object *
capabilities(const struct lsp_server *server)
{
    enum { INCREMENTAL = 2 };
    static const char *const plain[] = {"hoverProvider",      "definitionProvider",
                                        "referencesProvider", "documentHighlightProvider",
                                        "inlayHintProvider",  "documentSymbolProvider"};
    struct json_object *out = json_object_new_object(), *sync = json_object_new_object();
    struct json_object *completion = json_object_new_object();
    struct json_object *signature = json_object_new_object();
    struct json_object *rename = json_object_new_object(), *action = json_object_new_object();
    lsp_put_string(out, "positionEncoding", lsp_encoding_name(server->client.encoding));
    lsp_put_flag(sync, "openClose", true);
    lsp_put_number(sync, "change", INCREMENTAL);
    lsp_put_flag(sync, "save", true);
    lsp_put(out, "textDocumentSync", sync);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        lsp_put_flag(out, plain[i], true);
    lsp_put(completion, "triggerCharacters", list_of(PATH(".")));
    lsp_put(out, "completionProvider", completion);
    lsp_put(signature, "triggerCharacters", list_of(PATH("(", ",")));
    lsp_put(out, "signatureHelpProvider", signature);
    lsp_put_flag(rename, "prepareProvider", true);
    lsp_put(out, "renameProvider", rename);
    lsp_put(action, "codeActionKinds", list_of(PATH("quickfix")));
    lsp_put(out, "codeActionProvider", action);
    lsp_put(out, "semanticTokensProvider", lsp_semantic_tokens_provider());
    return out;
}

struct json_object *
lsp_initialize(struct lsp_request *request)
{
    struct lsp_server *server = request->server;
    if (server->is_initialized)
        return lsp_fail(request, LSP_INVALID_REQUEST, "the server is initialised already");
    server->is_initialized = true;
    read_client(&server->client, lsp_get(request->params, "capabilities"));
    read_options(server, lsp_get(request->params, "initializationOptions"));
    struct json_object *result = json_object_new_object(), *info = json_object_new_object();
    lsp_put(result, "capabilities", capabilities(server));
    lsp_put_string(info, "name", "ck-lsp");
    lsp_put_string(info, "version", LSP_VERSION);
    lsp_put(result, "serverInfo", info);
    return result;
}

struct json_object *
lsp_shutdown(struct lsp_request *request)
{
    request->server->is_shut_down = true;
    return NULL;
}

/* --- Documents -----------------------------------------------------------------------------------
 */

/* The link to the document with this URI, or the empty one at the end. */
static struct lsp_document **
link_of(struct lsp_server *server, const char *uri)
{
    struct lsp_document **link = &server->documents;
    while (*link && strcmp((*link)->uri, uri) != 0)
        link = &(*link)->next;
    return link;
}

static const char *
uri_of(const struct lsp_request *request)
{
    return lsp_get_string(lsp_get(request->params, "textDocument"), "uri");
}

struct lsp_document *
lsp_document_of(struct lsp_request *request)
{
    const char *uri = uri_of(request);
    return uri ? *link_of(request->server, uri) : NULL;
}

static void
remove_document(struct lsp_server *server, struct lsp_document **link)
{
    struct lsp_document *document = *link;
    lsp_clear_diagnostics(server, document->uri);
    *link = document->next;
    lsp_document_free(document);
}

/* A text that cannot be followed: the editor and the server no longer agree on it. */
static void
refuse_text(struct lsp_request *request, struct lsp_document *document)
{
    enum { WARNING = 2 };
    struct lsp_server *server = request->server;
    struct json_object *params = json_object_new_object();
    lsp_put_number(params, "type", WARNING);
    lsp_put_string(params, "message",
                   ck_arena_printf(request->arena,
                                   "ck-lsp: %s is ignored until it is opened again: a change of it "
                                   "has no text or no range, or makes it larger than 64 MiB",
                                   document->uri));
    lsp_notify(server, "window/logMessage", params);
    remove_document(server, link_of(server, document->uri));
}

/* The string under a key, with its length. */
static bool
text_of(struct json_object *object, const char *key, const char **text, size_t *length)
{
    *text = lsp_get_string(object, key);
    if (*text)
        *length = (size_t)json_object_get_string_len(lsp_get(object, key));
    return *text != NULL;
}

static void
read_version(struct lsp_request *request, struct lsp_document *document)
{
    struct json_object *version = lsp_get(lsp_get(request->params, "textDocument"), "version");
    document->version =
        json_object_is_type(version, json_type_int) ? json_object_get_int64(version) : -1;
}

void
lsp_did_open(struct lsp_request *request)
{
    struct lsp_server *server = request->server;
    const char *uri = uri_of(request), *text;
    size_t length;
    if (!uri || !text_of(lsp_get(request->params, "textDocument"), "text", &text, &length))
        return;
    struct lsp_document **link = link_of(server, uri);
    if (!*link)
        *link = lsp_document_new(uri, &server->oom);
    read_version(request, *link);
    if (lsp_document_set_text(*link, text, length))
        lsp_make_due(server, *link, 0);
    else
        refuse_text(request, *link);
}

/* One change: of a range, or of the whole text. False: it is none, or makes the text too large. */
static bool
apply_change(const struct lsp_server *server, struct lsp_document *document,
             struct json_object *change)
{
    const char *text;
    size_t length;
    struct ck_span span = {0, document->source.length};
    struct json_object *range = lsp_get(change, "range");
    if (!text_of(change, "text", &text, &length) ||
        (range && !lsp_read_range(&document->source, server->client.encoding, range, &span)))
        return false;
    return lsp_document_replace(document, span, text, length);
}

void
lsp_did_change(struct lsp_request *request)
{
    struct lsp_server *server = request->server;
    struct lsp_document *document = lsp_document_of(request);
    struct json_object *changes = lsp_get(request->params, "contentChanges");
    if (!document || !json_object_is_type(changes, json_type_array))
        return;
    read_version(request, document);
    for (size_t i = 0; i < json_object_array_length(changes); i++) {
        struct json_object *change = json_object_array_get_idx(changes, i);
        if (!apply_change(server, document, change)) {
            refuse_text(request, document);
            return;
        }
    }
    lsp_make_due(server, document, server->delay);
}

void
lsp_did_save(struct lsp_request *request)
{
    struct lsp_document *document = lsp_document_of(request);
    if (document)
        lsp_make_due(request->server, document, 0);
}

void
lsp_did_close(struct lsp_request *request)
{
    const char *uri = uri_of(request);
    struct lsp_document **link = uri ? link_of(request->server, uri) : NULL;
    if (link && *link)
        remove_document(request->server, link);
}

/* --- Places --------------------------------------------------------------------------------------
 */

struct lsp_analysis *
lsp_analysis_of(struct lsp_request *request, struct lsp_document *document)
{
    return lsp_document_analysis(document, &request->server->warnings, &request->server->oom);
}

bool
lsp_place_of(struct lsp_request *request, struct lsp_place *place)
{
    *place = (struct lsp_place){.document = lsp_document_of(request)};
    if (!place->document)
        return false;
    place->source = &place->document->source;
    if (!lsp_read_position(place->source, request->server->client.encoding,
                           lsp_get(request->params, "position"), &place->offset)) {
        lsp_fail(request, LSP_INVALID_PARAMS, "`position` is a line and a character");
        return false;
    }
    place->analysis = lsp_analysis_of(request, place->document);
    return place->analysis->is_whole;
}

bool
lsp_range_of(struct lsp_request *request, struct lsp_document **document, struct ck_span *range)
{
    *document = lsp_document_of(request);
    if (!*document)
        return false;
    if (lsp_read_range(&(*document)->source, request->server->client.encoding,
                       lsp_get(request->params, "range"), range))
        return true;
    lsp_fail(request, LSP_INVALID_PARAMS, "`range` has a start and an end");
    return false;
}

struct json_object *
lsp_range(const struct lsp_request *request, const struct lsp_document *document,
          struct ck_span span)
{
    return lsp_new_range(&document->source, request->server->client.encoding, document->last, span);
}

struct json_object *
lsp_markup(bool markdown, const char *text)
{
    struct json_object *markup = json_object_new_object();
    lsp_put_string(markup, "kind", markdown ? "markdown" : "plaintext");
    lsp_put_string(markup, "value", text);
    return markup;
}
