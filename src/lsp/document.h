/* Open documents: their texts as the editor has them, and what the compiler found in them. */
#ifndef LSP_DOCUMENT_H
#define LSP_DOCUMENT_H

#include "base/source.h"
#include "json_access.h"
#include "lang/front/front.h"
#include "position.h"
#include "symbols.h"

/* A text is at most so large: larger ones are not kept. The compiler refuses those above
 * CK_MAX_SOURCE with a diagnostic. */
enum { LSP_MAX_TEXT = 64 << 20 };

/* What the compiler found in one version of a text. It lives in its own arena. */
struct lsp_analysis {
    struct ck_arena arena;
    struct ck_front front;
    struct ck_facts facts;
    struct lsp_symbols symbols;
    /* An earlier one, without errors of syntax: the document's; NULL: there was none. */
    const struct lsp_analysis *earlier;
    bool is_whole; /* not of a text that is too large, which has no symbols */
};

struct lsp_document {
    char *uri; /* owned */
    int64_t version;
    bool is_python;        /* not a .ck file: without kernels it is none of the server's business */
    struct ck_arena arena; /* of the source */
    struct ck_source source;
    struct lsp_position *last;     /* that was written of the source */
    struct lsp_analysis *analysis; /* of the source; NULL: not made so far */
    struct lsp_analysis *earlier;  /* the last before it without errors of syntax; NULL: none */
    bool is_due;                   /* its diagnostics are to be published, at a time: */
    int64_t due_at;
    struct lsp_document *next;
};

/* Warnings that the client does not want. */
struct lsp_warnings {
    bool off[CK_N_DIAGS];
};

/* A new document with an empty text. */
struct lsp_document *lsp_document_new(const char *uri, jmp_buf *on_oom);
void lsp_document_free(struct lsp_document *document);
/* Replaces the text. False: it is too large, and nothing changes. */
bool lsp_document_set_text(struct lsp_document *document, const char *text, size_t length);
/* Replaces a span of the text. */
bool lsp_document_replace(struct lsp_document *document, struct ck_span span, const char *text,
                          size_t length);

/* What the compiler finds in the text; made on first use after a change. */
struct lsp_analysis *lsp_document_analysis(struct lsp_document *document,
                                           const struct lsp_warnings *warnings, jmp_buf *on_oom);
/* Makes an analysis of another text under the document's name. */
struct lsp_analysis *lsp_analysis_new(const char *name, const char *text, size_t length,
                                      const struct lsp_warnings *warnings, jmp_buf *on_oom);
void lsp_analysis_free(struct lsp_analysis *analysis);

#endif
