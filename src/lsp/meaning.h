/* What a name in the text means: by the checker's facts where it has some, else by the scopes. */
#ifndef LSP_MEANING_H
#define LSP_MEANING_H

#include "manual.h"
#include "server.h"

struct lsp_meaning {
    struct ck_span word;             /* the name in the text; empty: there is none */
    const struct ck_fact *fact;      /* NULL: the checker has none */
    const struct lsp_symbol *symbol; /* of the program; NULL: none */
    const struct lsp_entry *entry;   /* of the manual; NULL: none */
};

struct lsp_meaning lsp_meaning_at(struct ck_arena *arena, const struct lsp_analysis *analysis,
                                  uint32_t offset);

/* The types that a name has at one place, "float32" or "float32 | float64"; NULL: not known. */
const char *lsp_types_at(struct ck_arena *arena, const struct lsp_analysis *analysis,
                         uint32_t start);
/* The types of a symbol, where it is bound; if its function cannot be read, those that it had.
 * NULL: not known. */
const char *lsp_types_of(struct ck_arena *arena, const struct lsp_analysis *analysis,
                         const struct lsp_symbol *symbol);
/* The same symbol in the document's earlier analysis, if its function has errors of syntax now, so
 * that nothing is known of its names; NULL: none. */
const struct lsp_symbol *lsp_earlier_symbol(const struct lsp_analysis *analysis,
                                            const struct lsp_symbol *symbol);
/* The kernel that a function is; NULL: it is none that is checked. */
const struct ck_kernel_info *lsp_kernel_of(const struct lsp_analysis *analysis,
                                           const struct ck_function *function);
/* The text of an expression. */
const char *lsp_text_of(struct ck_arena *arena, const struct ck_source *source,
                        struct ck_span span);
/* A parameter with its type if it is known: "x: float32[::1] = 1". */
const char *lsp_param_text(struct ck_arena *arena, const struct lsp_analysis *analysis,
                           const struct ck_param *param);
/* "saxpy(a: float32, x: float32[::1])"; with the type of the result if it is known. */
const char *lsp_function_text(struct ck_arena *arena, const struct lsp_analysis *analysis,
                              const struct ck_function *function);
/* "kernel", "device function", "function". */
const char *lsp_function_kind(const struct lsp_analysis *analysis,
                              const struct ck_function *function);
/* The string at the beginning of a function's body; NULL: it has none. */
const char *lsp_docstring(const struct ck_function *function);
/* The declaration of what a name means, on one line, and what there is to say about it. Either may
 * be "". */
struct lsp_description {
    const char *line, *text;
};
struct lsp_description lsp_describe(struct ck_arena *arena, const struct lsp_analysis *analysis,
                                    const struct lsp_meaning *meaning);

#endif
