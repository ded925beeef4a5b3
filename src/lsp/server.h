/* The server: its state, its requests, and the answers to them. */
#ifndef LSP_SERVER_H
#define LSP_SERVER_H

#include <setjmp.h>

#include "document.h"
#include "json_access.h"
#include "transport.h"

/* What the client can do, of what the server asks. */
struct lsp_client {
    enum lsp_encoding encoding;
    bool markdown_hover, markdown_completion, markdown_signature;
    bool related_information;
    bool hierarchical_symbols;
};

/* A message that was read and is not handled. */
struct lsp_message {
    struct json_object *content; /* owned; NULL: null */
    bool is_json, is_cancelled;
    struct lsp_message *next;
};

struct lsp_server {
    struct lsp_input input;
    int output;
    jmp_buf oom; /* of the message that is being handled */
    struct lsp_message *first, **end;
    struct lsp_document *documents;
    struct lsp_client client;
    struct lsp_warnings warnings;
    uint32_t delay; /* from a change to the diagnostics, in milliseconds */
    bool is_initialized, is_shut_down, is_done;
    int status; /* the exit status */
};

/* JSON-RPC's errors, and the protocol's. */
enum lsp_error {
    LSP_NO_ERROR = 0,
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_INTERNAL_ERROR = -32603,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_CANCELLED = -32800,
    LSP_REQUEST_FAILED = -32803,
};

/* A request, or a notification, that is being handled. */
struct lsp_request {
    struct lsp_server *server;
    struct json_object *params;
    struct ck_arena *arena; /* freed after it */
    enum lsp_error error;   /* set by a handler that fails, with a text: */
    const char *message;
};

/* Runs the server until it is done; returns the exit status: 0 after `shutdown` and `exit`, else
 * 1. */
int lsp_serve(int input, int output);

/* Fails a request; returns NULL, for a handler to return. */
struct json_object *lsp_fail(struct lsp_request *request, enum lsp_error error,
                             const char *message);
void lsp_notify(struct lsp_server *server, const char *method, struct json_object *params);

/* The document that a request names; NULL: it is not open. */
struct lsp_document *lsp_document_of(struct lsp_request *request);
/* A place in a document, with what the compiler finds in it. False: the document is not open, or
 * the position is none, which is the request's error. */
struct lsp_place {
    struct lsp_document *document;
    struct lsp_analysis *analysis;
    const struct ck_source *source;
    uint32_t offset;
};
bool lsp_place_of(struct lsp_request *request, struct lsp_place *place);
/* A range of a document. False: as above. */
bool lsp_range_of(struct lsp_request *request, struct lsp_document **document,
                  struct ck_span *range);
struct lsp_analysis *lsp_analysis_of(struct lsp_request *request, struct lsp_document *document);
/* The range of a span in a document. */
struct json_object *lsp_range(const struct lsp_request *request,
                              const struct lsp_document *document, struct ck_span span);
struct json_object *lsp_location(const struct lsp_request *request,
                                 const struct lsp_document *document, struct ck_span span);
/* The replacement of a span; and the edit that makes a list of them in one document. */
struct json_object *lsp_edit(const struct lsp_request *request, const struct lsp_document *document,
                             struct ck_span span, const char *text);
struct json_object *lsp_workspace_edit(const struct lsp_document *document,
                                       struct json_object *edits);
/* Documentation: { kind, value }. */
struct json_object *lsp_markup(bool markdown, const char *text);

/* Diagnostics (diagnostics.c): publishes those that are due, or makes them due after the delay. */
void lsp_publish_due(struct lsp_server *server);
void lsp_make_due(struct lsp_server *server, struct lsp_document *document, uint32_t delay);
void lsp_clear_diagnostics(struct lsp_server *server, const char *uri);
/* The milliseconds until diagnostics are due; -1: none will be. */
int lsp_until_due(const struct lsp_server *server);

/* What the server says of its semantic tokens (semantic_tokens.c). */
struct json_object *lsp_semantic_tokens_provider(void);

#define LSP_REQUEST(method, function)                                                              \
    struct json_object *lsp_##function(struct lsp_request *request);
#define LSP_NOTIFICATION(method, function) void lsp_##function(struct lsp_request *request);
#include "methods.def"

#endif
