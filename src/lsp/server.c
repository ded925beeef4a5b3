/* The server: reads messages, dispatches them, writes answers. */
#include "server.h"

#include <stdlib.h>
#include <string.h>

/* --- Writing -------------------------------------------------------------------------------------
 */

/* Sends and frees a message. */
static void
send(struct lsp_server *server, struct json_object *message)
{
    size_t length;
    const char *text = json_object_to_json_string_length(
        message, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
    if (!text || !lsp_write(server->output, text, length))
        server->is_done = true;
    json_object_put(message);
}

static struct json_object *
new_message(void)
{
    struct json_object *message = json_object_new_object();
    lsp_put_string(message, "jsonrpc", "2.0");
    return message;
}

void
lsp_notify(struct lsp_server *server, const char *method, struct json_object *params)
{
    struct json_object *message = new_message();
    lsp_put_string(message, "method", method);
    lsp_put(message, "params", params);
    send(server, message);
}

/* `id` NULL: of a message whose id is not known. */
static void
answer(struct lsp_server *server, struct json_object *id, struct json_object *result)
{
    struct json_object *message = new_message();
    lsp_put(message, "id", json_object_get(id));
    lsp_put(message, "result", result);
    send(server, message);
}

static void
answer_error(struct lsp_server *server, struct json_object *id, enum lsp_error code,
             const char *text)
{
    struct json_object *message = new_message(), *error = json_object_new_object();
    lsp_put_number(error, "code", code);
    lsp_put_string(error, "message", text);
    lsp_put(message, "id", json_object_get(id));
    lsp_put(message, "error", error);
    send(server, message);
}

struct json_object *
lsp_fail(struct lsp_request *request, enum lsp_error error, const char *message)
{
    request->error = error;
    request->message = message;
    return NULL;
}

/* --- Dispatch ------------------------------------------------------------------------------------
 */

struct method {
    const char *name;
    struct json_object *(*request)(struct lsp_request *); /* NULL: a notification */
    void (*notification)(struct lsp_request *);
};

static const struct method methods[] = {
#define LSP_REQUEST(method, function)      {method, lsp_##function, NULL},
#define LSP_NOTIFICATION(method, function) {method, NULL, lsp_##function},
#include "methods.def"
};

static const struct method *
find_method(const char *name, bool is_request)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(methods[i].name, name) == 0 && !methods[i].notification == is_request)
            return &methods[i];
    }
    return NULL;
}

/* Calls a handler; out of memory ends it with an error. */
static struct json_object *
run(struct lsp_server *server, const struct method *method, struct lsp_request *request)
{
    struct json_object *volatile result = NULL;
    if (setjmp(server->oom)) {
        for (struct lsp_document *d = server->documents; d; d = d->next) {
            lsp_analysis_free(d->analysis);
            d->analysis = NULL;
        }
        return lsp_fail(request, LSP_INTERNAL_ERROR, "out of memory");
    }
    if (method->request)
        result = method->request(request);
    else
        method->notification(request);
    return result;
}

static void
handle_request(struct lsp_server *server, const char *name, struct json_object *id,
               struct lsp_request *request)
{
    const struct method *method = find_method(name, true);
    bool starts = method && method->request == lsp_initialize;
    if (server->is_shut_down) {
        answer_error(server, id, LSP_INVALID_REQUEST, "the server is shut down");
    } else if (!server->is_initialized && !starts) {
        answer_error(server, id, LSP_NOT_INITIALIZED, "the first request is `initialize`");
    } else if (!method) {
        answer_error(server, id, LSP_METHOD_NOT_FOUND,
                     ck_arena_printf(request->arena, "unknown method `%s`", name));
    } else {
        struct json_object *result = run(server, method, request);
        if (request->error)
            answer_error(server, id, request->error, request->message);
        else
            answer(server, id, result);
    }
}

/* Notifications before `initialize` and after `shutdown` are dropped, but for `exit`. */
static void
handle_notification(struct lsp_server *server, const char *name, struct lsp_request *request)
{
    const struct method *method = find_method(name, false);
    if (strcmp(name, "exit") == 0) {
        server->is_done = true;
        server->status = server->is_shut_down ? 0 : 1;
    } else if (method && server->is_initialized && !server->is_shut_down) {
        run(server, method, request);
    }
}

static void
handle(struct lsp_server *server, const struct lsp_message *message)
{
    struct json_object *content = message->content, *id = lsp_get(content, "id");
    const char *name = lsp_get_string(content, "method");
    struct ck_arena arena;
    ck_arena_init(&arena);
    arena.on_oom = &server->oom;
    struct lsp_request request = {
        .server = server, .params = lsp_get(content, "params"), .arena = &arena};
    bool is_object = json_object_is_type(content, json_type_object);
    bool is_answer =
        is_object && !name && (lsp_get(content, "result") || lsp_get(content, "error"));
    bool has_id = is_object && json_object_object_get_ex(content, "id", NULL);
    if (!message->is_json)
        answer_error(server, NULL, LSP_PARSE_ERROR, "a message is JSON behind its Content-Length");
    else if (!name && !is_answer)
        answer_error(server, id, LSP_INVALID_REQUEST, "a message is an object with a `method`");
    else if (name && has_id && message->is_cancelled)
        answer_error(server, id, LSP_REQUEST_CANCELLED, "cancelled");
    else if (name && has_id)
        handle_request(server, name, id, &request);
    else if (name)
        handle_notification(server, name, &request);
    ck_arena_free(&arena);
}

/* --- Reading -------------------------------------------------------------------------------------
 */

/* Reads the JSON of a message. False: it is none. */
static bool
parse(const char *text, size_t length, struct json_object **out)
{
    struct json_tokener *tokener = json_tokener_new_ex(64);
    *out = NULL;
    if (!tokener)
        return false;
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *content = json_tokener_parse_ex(tokener, text, (int)length);
    /* A number can go on until the text ends. */
    if (json_tokener_get_error(tokener) == json_tokener_continue)
        content = json_tokener_parse_ex(tokener, "", 1);
    bool good = json_tokener_get_error(tokener) == json_tokener_success;
    json_tokener_free(tokener);
    if (good)
        *out = content;
    else
        json_object_put(content);
    return good;
}

static bool
is_cancel(struct json_object *content)
{
    const char *name = lsp_get_string(content, "method");
    return name && strcmp(name, "$/cancelRequest") == 0;
}

/* Marks the request that waits under the id. */
static void
cancel(struct lsp_server *server, struct json_object *id)
{
    for (struct lsp_message *m = server->first; m; m = m->next) {
        struct json_object *other = lsp_get(m->content, "id");
        if (id && other && json_object_equal(id, other))
            m->is_cancelled = true;
    }
}

static void
queue(struct lsp_server *server, struct json_object *content, bool is_json)
{
    struct lsp_message *message = calloc(1, sizeof *message);
    if (!message) {
        json_object_put(content);
        return;
    }
    message->content = content;
    message->is_json = is_json;
    *server->end = message;
    server->end = &message->next;
}

/* Moves the messages that have arrived to the queue. Requests that are cancelled there are not
 * begun. */
static void
read_messages(struct lsp_server *server, int milliseconds)
{
    const char *text;
    size_t length;
    enum lsp_frame frame;
    if (!lsp_input_read(&server->input, milliseconds))
        server->is_done = true;
    while ((frame = lsp_input_next(&server->input, &text, &length)) != LSP_FRAME_NONE) {
        struct json_object *content = NULL;
        bool is_json = frame == LSP_FRAME_MESSAGE && parse(text, length, &content);
        if (is_cancel(content)) {
            cancel(server, lsp_get(lsp_get(content, "params"), "id"));
            json_object_put(content);
        } else {
            queue(server, content, is_json);
        }
    }
}

static struct lsp_message *
take(struct lsp_server *server)
{
    struct lsp_message *message = server->first;
    if (message)
        server->first = message->next;
    if (!server->first)
        server->end = &server->first;
    return message;
}

static void
free_message(struct lsp_message *message)
{
    json_object_put(message->content);
    free(message);
}

static void
publish(struct lsp_server *server)
{
    if (setjmp(server->oom) == 0)
        lsp_publish_due(server);
}

int
lsp_serve(int input, int output)
{
    struct lsp_server *server = calloc(1, sizeof *server);
    if (!server)
        return 1;
    server->output = output;
    server->status = 1;
    server->end = &server->first;
    lsp_input_init(&server->input, input);
    while (!server->is_done) {
        read_messages(server, server->first ? 0 : lsp_until_due(server));
        struct lsp_message *message = take(server);
        if (message) {
            handle(server, message);
            free_message(message);
        } else if (server->input.ended) {
            server->is_done = true;
        } else {
            publish(server);
        }
    }
    int status = server->status;
    while (server->first)
        free_message(take(server));
    while (server->documents) {
        struct lsp_document *document = server->documents;
        server->documents = document->next;
        lsp_document_free(document);
    }
    lsp_input_free(&server->input);
    free(server);
    return status;
}
