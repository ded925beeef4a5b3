/* Open documents: see document.h. */
#include "document.h"

#include <stdlib.h>
#include <string.h>

/* --- Analyses ------------------------------------------------------------------------------------
 */

static void
run_front(struct lsp_analysis *analysis)
{
    static const char *const no_symbols[] = {NULL};
    const struct ck_front_options options = {
        .check_generic = true, .reserved_symbols = no_symbols, .facts = &analysis->facts};
    ck_front_run(&analysis->front, &options);
    lsp_symbols_find(&analysis->symbols, &analysis->arena, &analysis->front.source,
                     analysis->front.ast);
}

/* Makes the analysis; out of memory jumps to its arena's handler, whose function must not have this
 * one's variables in its registers. */
static __attribute__((noinline)) void
analyse(struct lsp_analysis *analysis, const char *name, const char *text, size_t length,
        const struct lsp_warnings *warnings)
{
    struct ck_arena *arena = &analysis->arena;
    analysis->facts.arena = arena;
    analysis->front.arena = arena;
    analysis->is_whole = length <= CK_MAX_SOURCE;
    ck_front_init(&analysis->front, name, text, analysis->is_whole ? length : 0);
    memcpy(analysis->front.diags.warning_off, warnings->off, sizeof warnings->off);
    if (analysis->is_whole) {
        run_front(analysis);
    } else {
        ck_diag_add(&analysis->front.diags, CK_DIAG_SOURCE_TOO_LARGE, (struct ck_span){0, 0});
        lsp_symbols_find(&analysis->symbols, arena, &analysis->front.source,
                         CK_NEW(arena, struct ck_ast));
    }
    ck_diags_sort(&analysis->front.diags);
}

struct lsp_analysis *
lsp_analysis_new(const char *name, const char *text, size_t length,
                 const struct lsp_warnings *warnings, jmp_buf *on_oom)
{
    struct lsp_analysis *analysis = calloc(1, sizeof *analysis);
    jmp_buf oom;
    if (!analysis)
        longjmp(*on_oom, 1);
    ck_arena_init(&analysis->arena);
    analysis->arena.on_oom = &oom;
    if (setjmp(oom)) {
        lsp_analysis_free(analysis);
        longjmp(*on_oom, 1);
    }
    analyse(analysis, name, text, length, warnings);
    analysis->arena.on_oom = on_oom;
    return analysis;
}

void
lsp_analysis_free(struct lsp_analysis *analysis)
{
    if (!analysis)
        return;
    ck_arena_free(&analysis->arena);
    free(analysis);
}

/* --- Documents -----------------------------------------------------------------------------------
 */

static bool
has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text), n = strlen(suffix);
    return length >= n && strcmp(text + length - n, suffix) == 0;
}

struct lsp_document *
lsp_document_new(const char *uri, jmp_buf *on_oom)
{
    struct lsp_document *document = calloc(1, sizeof *document);
    char *copy = document ? strdup(uri) : NULL;
    if (!copy) {
        free(document);
        longjmp(*on_oom, 1);
    }
    document->uri = copy;
    document->is_python = !has_suffix(uri, ".ck");
    ck_arena_init(&document->arena);
    document->arena.on_oom = on_oom;
    ck_source_init(&document->source, &document->arena, uri, "", 0);
    document->last = CK_NEW(&document->arena, struct lsp_position);
    return document;
}

void
lsp_document_free(struct lsp_document *document)
{
    lsp_analysis_free(document->analysis);
    lsp_analysis_free(document->earlier);
    ck_arena_free(&document->arena);
    free(document->uri);
    free(document);
}

/* Whether all functions could be read, and there is something to remember of them. */
static bool
is_readable(const struct lsp_analysis *analysis)
{
    const struct ck_ast *ast = analysis->front.ast;
    for (int i = 0; ast && i < ast->n_items; i++) {
        if (ast->items[i]->kind == CK_ITEM_FUNCTION && ast->items[i]->function->held)
            return false;
    }
    return ast && analysis->facts.n;
}

/* The analysis is of an earlier text from now on. */
static void
forget_analysis(struct lsp_document *document)
{
    struct lsp_analysis *analysis = document->analysis, *old = analysis;
    if (analysis && is_readable(analysis)) {
        old = document->earlier;
        document->earlier = analysis;
        analysis->earlier = NULL;
    }
    lsp_analysis_free(old);
    document->analysis = NULL;
}

bool
lsp_document_replace(struct lsp_document *document, struct ck_span span, const char *text,
                     size_t length)
{
    const struct ck_source old = document->source;
    size_t after = old.length - span.end, whole = span.start + length + after;
    if (length > LSP_MAX_TEXT || whole > LSP_MAX_TEXT)
        return false;
    struct ck_arena arena;
    ck_arena_init(&arena);
    arena.on_oom = document->arena.on_oom;
    char *joined = ck_arena_alloc(&arena, whole + 1);
    memcpy(joined, old.text, span.start);
    memcpy(joined + span.start, text, length);
    memcpy(joined + span.start + length, old.text + span.end, after);
    struct ck_source source;
    ck_source_init(&source, &arena, document->uri, joined, whole);
    struct lsp_position *last = CK_NEW(&arena, struct lsp_position);
    ck_arena_free(&document->arena);
    document->arena = arena;
    document->source = source;
    document->last = last;
    forget_analysis(document);
    return true;
}

bool
lsp_document_set_text(struct lsp_document *document, const char *text, size_t length)
{
    return lsp_document_replace(document, (struct ck_span){0, document->source.length}, text,
                                length);
}

/* The last part of a URI, as the name of the file. */
static const char *
file_name(const char *uri)
{
    const char *slash = strrchr(uri, '/');
    return slash ? slash + 1 : uri;
}

struct lsp_analysis *
lsp_document_analysis(struct lsp_document *document, const struct lsp_warnings *warnings,
                      jmp_buf *on_oom)
{
    if (!document->analysis)
        document->analysis = lsp_analysis_new(file_name(document->uri), document->source.text,
                                              document->source.length, warnings, on_oom);
    document->analysis->earlier = document->earlier;
    return document->analysis;
}
