/* The names that a program binds, and where its text has them: by the scopes of Python, on the
 * syntax tree. What the tree leaves out, as statements with errors and host code, is read token by
 * token. */
#ifndef LSP_SYMBOLS_H
#define LSP_SYMBOLS_H

#include "base/index.h"
#include "lang/syntax/ast.h"

enum lsp_symbol_kind {
    LSP_FUNCTION,
    LSP_CONSTANT, /* of the module */
    LSP_IMPORT,
    LSP_HOST_NAME, /* bound by host code alone */
    LSP_PARAM,
    LSP_LOCAL,
};

struct lsp_symbol {
    enum lsp_symbol_kind kind;
    int scope;
    const char *name;
    struct ck_span name_span;           /* where it is first bound */
    struct ck_span whole;               /* the statement, the header of the function, the name */
    const struct ck_function *function; /* FUNCTION: itself; PARAM, LOCAL: that around it */
    const struct ck_param *param;       /* PARAM */
    int first;                          /* its first occurrence; -1: none */
};

enum lsp_role {
    LSP_READ,
    LSP_WRITE,   /* the name is bound here */
    LSP_UNCLEAR, /* host code may bind it here, for another scope */
};

struct lsp_occurrence {
    struct ck_span span;
    int symbol;
    enum lsp_role role;
    int next; /* the symbol's next; -1: none */
};

/* The module is scope 0. */
struct lsp_scope {
    const struct ck_function *function; /* NULL: the module */
    int outer;                          /* -1: none */
    int around;                         /* the scope whose text it is in: a default value's lambda
                                           is in that of its function; -1: none */
    struct ck_span span;                /* from `def` to the end of the body */
};

/* A keyword of a call of a function of the program: the name of a parameter. */
struct lsp_keyword {
    const struct ck_function *function;
    const char *name;
    struct ck_span span;
};

struct lsp_symbols {
    struct ck_arena *arena;
    const struct ck_source *source;
    struct lsp_symbol *items;
    int n, capacity;
    struct ck_index index; /* by name and scope */
    struct lsp_scope *scopes;
    int n_scopes, scopes_capacity;
    struct ck_index function_index;     /* of the scopes, by function */
    int *scope_order;                   /* the scopes in the order of the text */
    struct lsp_occurrence *occurrences; /* in the order of the text */
    int n_occurrences, occurrences_capacity;
    uint32_t *seen; /* where the tree has names, those of others too; in the order of the text */
    int n_seen, seen_capacity;
    struct lsp_keyword *keywords;
    int n_keywords, keywords_capacity;
};

void lsp_symbols_find(struct lsp_symbols *symbols, struct ck_arena *arena,
                      const struct ck_source *source, const struct ck_ast *ast);

/* The symbol that a name denotes in a scope or those around it; -1: none of the program's. */
int lsp_symbols_lookup(const struct lsp_symbols *symbols, int scope, const char *name);
/* The symbol that a scope itself binds, and a function's scope; -1: none. */
int lsp_symbols_find_in(const struct lsp_symbols *symbols, int scope, const char *name);
int lsp_symbols_scope_of(const struct lsp_symbols *symbols, const struct ck_function *function);
/* The innermost scope around an offset. */
int lsp_symbols_scope_at(const struct lsp_symbols *symbols, uint32_t offset);
/* The occurrence that an offset touches; NULL: none. */
const struct lsp_occurrence *lsp_symbols_at(const struct lsp_symbols *symbols, uint32_t offset);

/* The index of the first occurrence that begins after an offset, or their number. */
int lsp_symbols_first_after(const struct lsp_symbols *symbols, uint32_t offset);

/* The identifier that an offset touches; empty: none. */
struct ck_span lsp_word_at(const struct ck_source *source, uint32_t offset);
bool lsp_is_word_byte(char c);

/* Names in what the tree leaves out; adds to the occurrences (host_names.c). */
void lsp_symbols_find_rest(struct lsp_symbols *symbols);
/* Adds an occurrence of a name. */
void lsp_symbols_add(struct lsp_symbols *symbols, struct ck_span span, int symbol,
                     enum lsp_role role);

#endif
