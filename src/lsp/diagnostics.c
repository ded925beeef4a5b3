/* Diagnostics: what `ckc --check` reports, some time after the last change; and quick fixes, from
 * the texts that a diagnostic suggests. */
#include <string.h>
#include <time.h>

#include "server.h"

/* --- When ----------------------------------------------------------------------------------------
 */

static int64_t
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void
lsp_make_due(struct lsp_server *server, struct lsp_document *document, uint32_t delay)
{
    document->is_due = true;
    document->due_at = now() + delay;
}

int
lsp_until_due(const struct lsp_server *server)
{
    enum { LONGEST = 60 * 1000 };
    int64_t least = -1, at = now();
    for (const struct lsp_document *d = server->documents; d; d = d->next) {
        int64_t wait = d->due_at > at ? d->due_at - at : 0;
        if (d->is_due && (least < 0 || wait < least))
            least = wait;
    }
    return least > LONGEST ? LONGEST : (int)least;
}

/* --- As the protocol has them --------------------------------------------------------------------
 */

static int
severity_of(const struct ck_diag *diag)
{
    enum { ERROR = 1, WARNING = 2, INFORMATION = 3 };
    return diag->severity == CK_SEVERITY_ERROR     ? ERROR
           : diag->severity == CK_SEVERITY_WARNING ? WARNING
                                                   : INFORMATION;
}

/* The message, and the lines below it: labels where the client shows no places of their own. */
static const char *
message_of(struct ck_arena *arena, const struct lsp_client *client, const struct ck_diag *diag)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_puts(&text, diag->message);
    for (int i = 0; i < diag->n_labels && !client->related_information; i++)
        ck_strbuf_printf(&text, "\nline %u: %s",
                         ck_source_position(diag->source, diag->labels[i].span.start).line,
                         diag->labels[i].text);
    if (diag->note)
        ck_strbuf_printf(&text, "\nnote: %s", diag->note);
    if (diag->help)
        ck_strbuf_printf(&text, "\nhelp: %s", diag->help);
    return ck_arena_take(arena, ck_strbuf_take(&text));
}

/* The span in the document: of a diagnostic about another text, the start. */
static struct ck_span
span_in(const struct lsp_analysis *analysis, const struct ck_diag *diag, struct ck_span span)
{
    return diag->source == &analysis->front.source ? span : (struct ck_span){0, 0};
}

static struct json_object *
related_of(const struct lsp_request *request, const struct lsp_document *document,
           const struct ck_diag *diag)
{
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < diag->n_labels; i++) {
        struct json_object *item = json_object_new_object(), *location = json_object_new_object();
        lsp_put_string(location, "uri", document->uri);
        lsp_put(
            location, "range",
            lsp_range(request, document, span_in(document->analysis, diag, diag->labels[i].span)));
        lsp_put(item, "location", location);
        lsp_put_string(item, "message", diag->labels[i].text);
        json_object_array_add(list, item);
    }
    return list;
}

static void
put_tags(struct json_object *out, const struct ck_diag *diag)
{
    enum { UNNECESSARY = 1 };
    if (diag->id != CK_DIAG_UNUSED_NAME && diag->id != CK_DIAG_UNREACHABLE_CODE)
        return;
    struct json_object *tags = json_object_new_array();
    json_object_array_add(tags, json_object_new_int(UNNECESSARY));
    lsp_put(out, "tags", tags);
}

static struct json_object *
diagnostic_of(const struct lsp_request *request, const struct lsp_document *document,
              const struct ck_diag *diag)
{
    const struct lsp_client *client = &request->server->client;
    struct json_object *out = json_object_new_object();
    lsp_put(out, "range",
            lsp_range(request, document, span_in(document->analysis, diag, diag->span)));
    lsp_put_number(out, "severity", severity_of(diag));
    lsp_put_string(out, "code", ck_diag_name(diag->id));
    lsp_put_string(out, "source", "ck");
    lsp_put_string(out, "message", message_of(request->arena, client, diag));
    put_tags(out, diag);
    if (diag->n_labels && client->related_information)
        lsp_put(out, "relatedInformation", related_of(request, document, diag));
    return out;
}

/* Whether the document's diagnostics are the server's business: a Python program without kernels is
 * none. */
static bool
is_ours(const struct lsp_document *document)
{
    const struct lsp_analysis *analysis = document->analysis;
    return !document->is_python || !analysis->is_whole ||
           ck_checker_n_kernels(analysis->front.checker) > 0;
}

/* --- Publishing ----------------------------------------------------------------------------------
 */

static void
send_list(struct lsp_server *server, const char *uri, struct json_object *list, int64_t version)
{
    struct json_object *params = json_object_new_object();
    lsp_put_string(params, "uri", uri);
    if (version >= 0)
        lsp_put_number(params, "version", version);
    lsp_put(params, "diagnostics", list);
    lsp_notify(server, "textDocument/publishDiagnostics", params);
}

static void
publish(struct lsp_server *server, struct lsp_document *document)
{
    struct ck_arena arena;
    ck_arena_init(&arena);
    arena.on_oom = &server->oom;
    struct lsp_request request = {.server = server, .arena = &arena};
    const struct lsp_analysis *analysis = lsp_analysis_of(&request, document);
    struct json_object *list = json_object_new_array();
    for (const struct ck_diag *d = analysis->front.diags.first; d && is_ours(document); d = d->next)
        json_object_array_add(list, diagnostic_of(&request, document, d));
    document->is_due = false;
    send_list(server, document->uri, list, document->version);
    ck_arena_free(&arena);
}

void
lsp_publish_due(struct lsp_server *server)
{
    int64_t at = now();
    for (struct lsp_document *d = server->documents; d; d = d->next) {
        if (d->is_due && d->due_at <= at) {
            d->is_due = false; /* also if memory runs out below */
            publish(server, d);
            return; /* messages that have arrived come first */
        }
    }
}

void
lsp_clear_diagnostics(struct lsp_server *server, const char *uri)
{
    send_list(server, uri, json_object_new_array(), -1);
}

/* --- Quick fixes ---------------------------------------------------------------------------------
 */

static bool
can_replace(const struct lsp_analysis *analysis, const struct ck_diag *diag, struct ck_span asked)
{
    const struct ck_source *source = &analysis->front.source;
    return diag->replacement && diag->source == source && diag->span.start <= asked.end &&
           asked.start <= diag->span.end && diag->span.start < source->length &&
           lsp_is_word_byte(source->text[diag->span.start]);
}

static struct json_object *
fix_of(const struct lsp_request *request, const struct lsp_document *document,
       const struct ck_diag *diag)
{
    struct json_object *action = json_object_new_object(), *list = json_object_new_array();
    lsp_put_string(action, "title",
                   ck_arena_printf(request->arena, "Replace with `%s`", diag->replacement));
    lsp_put_string(action, "kind", "quickfix");
    json_object_array_add(list, diagnostic_of(request, document, diag));
    lsp_put(action, "diagnostics", list);
    lsp_put_flag(action, "isPreferred", true);
    struct json_object *edits = json_object_new_array();
    json_object_array_add(edits, lsp_edit(request, document, diag->span, diag->replacement));
    lsp_put(action, "edit", lsp_workspace_edit(document, edits));
    return action;
}

struct json_object *
lsp_code_action(struct lsp_request *request)
{
    struct lsp_document *document;
    struct ck_span asked;
    if (!lsp_range_of(request, &document, &asked))
        return NULL;
    const struct lsp_analysis *analysis = lsp_analysis_of(request, document);
    struct json_object *actions = json_object_new_array();
    for (const struct ck_diag *d = analysis->front.diags.first; d && is_ours(document);
         d = d->next) {
        if (can_replace(analysis, d, asked))
            json_object_array_add(actions, fix_of(request, document, d));
    }
    return actions;
}
