/* Inside the parser: the current token, errors, and the functions that its files share. */
#ifndef CK_PARSE_INTERNAL_H
#define CK_PARSE_INTERNAL_H

#include "lang/syntax/ast.h"
#include "lang/syntax/lex.h"

/* After an error the parser panics: it skips the rest of the logical line and stops at its NEWLINE,
 * which ends every rule, and reports nothing more until that is consumed. */
struct ck_parser {
    struct ck_arena *arena;
    struct ck_diags *diags;
    struct ck_lexer lexer;
    struct ck_token token; /* the next one, not consumed */
    uint32_t last_end;     /* the end of the last consumed token */
    int nesting;           /* enclosing brackets, prefix operators and blocks */
    int chain;             /* enclosing if/elif levels of the tree */
    int loops;             /* enclosing loops */
    bool takes_named;      /* `:=` may be in the expression, which is of a function's statement */
    int n_hidden;          /* hidden names made so far: see parse_named.c */
    bool panic;
    bool failed;      /* there was an error */
    bool line_failed; /* ... in the last line: an indented block after it is not reported */
    bool skip_block;  /* ... and the block after it is skipped */
    struct ck_item_list *items; /* the module's so far; NULL: the text is an expression */
    const char *declared;       /* by the line's declaration of C, which was reported; or NULL */
    bool has_braces;            /* a block of the statement has braces, which was reported */
    bool after_try;             /* a `try` was rejected: its other clauses are not reported */
};

struct ck_stmt_list {
    struct ck_stmt **items;
    int n, capacity;
};

void ck_parser_advance(struct ck_parser *p);
bool ck_parser_accept(struct ck_parser *p, enum ck_token_kind kind);
bool ck_parser_expect(struct ck_parser *p, enum ck_token_kind kind);
/* A name, which may not be a keyword; NULL after an error. */
const char *ck_parser_name(struct ck_parser *p, const char *what);
/* Panics; a diagnostic was given. Skips to the end of the logical line, or to a line inside its
 * brackets that looks like a statement. */
void ck_parser_recover(struct ck_parser *p);
/* "expected WHAT, found ..." */
void ck_parser_expected(struct ck_parser *p, const char *what);
/* "WHAT are not supported" at `span`, with an alternative (NULL: none). Panics. */
void ck_parser_unsupported(struct ck_parser *p, struct ck_span span, const char *what,
                           const char *help);
/* If the token begins a construct of Python that ck lacks: reports it and panics. */
bool ck_parser_reject(struct ck_parser *p);
/* Consumes the NEWLINE that ends a logical line, which ends a panic. */
void ck_parser_end_line(struct ck_parser *p);
/* Passes over a block, from its INDENT to its DEDENT, in silence; nothing if there is none. */
void ck_parser_skip_block(struct ck_parser *p);
/* Passes over a statement about which something was said, with its block and its later clauses. */
void ck_parser_skip_statement(struct ck_parser *p);
/* One level deeper; false, after an error, if that is too deep. Leave only what was entered. */
bool ck_parser_enter(struct ck_parser *p);
void ck_parser_leave(struct ck_parser *p);
/* From `start` to the last consumed token. */
struct ck_span ck_parser_since(const struct ck_parser *p, uint32_t start);

/* The items of a module. */
struct ck_item_list {
    struct ck_item **items;
    int n, capacity;
};
struct ck_item *ck_parser_add_item(struct ck_parser *p, struct ck_item_list *out,
                                   enum ck_item_kind kind, struct ck_span span);
/* `import` and `from` statements, up to the line's end. */
void ck_parser_imports(struct ck_parser *p, struct ck_item_list *out);

/* A function from its `def` on, whose decorators were read; its name is NULL after an error. */
void ck_parser_function(struct ck_parser *p, struct ck_function *f);
/* Parameters up to a token that does not belong to them. */
void ck_parser_params(struct ck_parser *p, struct ck_function *f, bool annotated);

/* parse_hint.c */
/* What to write instead of the token, where `expected` was expected; NULL: not known. */
const char *ck_parser_hint(struct ck_parser *p, const char *expected);

/* parse_host.c */
/* Whether a diagnostic concerns the tokens and the layout, and is reported in host code too. */
bool ck_parser_is_lexical(const struct ck_diag *diag);
/* Passes over a statement of host code with its blocks and clauses. Adds the names that it binds,
 * and its imports. */
void ck_parser_skip_host(struct ck_parser *p, struct ck_item_list *out);
/* Passes over the rest of a logical line, and its block if there is one. */
void ck_parser_skip_suite(struct ck_parser *p);
/* `global a, b` in a function: adds the names, which the function binds in the module. */
void ck_parser_note_globals(struct ck_parser *p, struct ck_item_list *out);
/* Adds the name that a statement at module level binds again: `n += 1`. */
void ck_parser_note_binding(struct ck_parser *p, struct ck_item_list *out,
                            const struct ck_stmt *stmt);

/* parse_class.c */
/* A class of the module: one of typing.NamedTuple is a constant, another is host code. */
void ck_parser_class(struct ck_parser *p, struct ck_item_list *out);

/* parse_expr.c */
struct ck_expr *ck_parser_expr(struct ck_parser *p);
/* One expression, or several with commas: a tuple. */
struct ck_expr *ck_parser_expr_list(struct ck_parser *p);
/* An expression without `if`, `lambda` and `:=`. */
struct ck_expr *ck_parser_disjunction(struct ck_parser *p);
/* What `for` binds: as above, but `in` ends it. */
struct ck_expr *ck_parser_for_targets(struct ck_parser *p);
/* An expression in which no `:=` may be. */
struct ck_expr *ck_parser_plain_expr(struct ck_parser *p);
/* An expression of depth 1. */
struct ck_expr *ck_parser_new_expr(struct ck_parser *p, enum ck_expr_kind kind,
                                   struct ck_span span);
struct ck_expr *ck_parser_error_expr(struct ck_parser *p, struct ck_span span);

/* parse_comprehension.c */
/* The rest of a comprehension or a generator, at the `for` after its element. */
struct ck_expr *ck_parser_comprehension(struct ck_parser *p, struct ck_expr *element, bool is_list);

/* parse_named.c */
/* The expression, with a hidden name for its value if it can be evaluated once only. */
struct ck_expr *ck_parser_name_once(struct ck_parser *p, struct ck_expr *expr);
/* Adds to `out` the assignments that are in the statement's own expressions, and removes them
 * there. */
void ck_parser_hoist_named(struct ck_parser *p, struct ck_stmt *stmt, struct ck_stmt_list *out);

/* parse_string.c */
/* Adjacent strings as one, of depth more than 1 if there are fields in it. */
struct ck_expr *ck_parser_strings(struct ck_parser *p);

/* parse_stmt.c */
/* `simple; simple` and the line's end. */
void ck_parser_simple_line(struct ck_parser *p, struct ck_stmt_list *out);
/* The ':' of a compound statement and its block. `header` and `keyword` are for messages: "after
 * `if`". */
struct ck_block ck_parser_suite(struct ck_parser *p, struct ck_span header, const char *keyword);
/* Skips an INDENT or DEDENT that belongs to no statement; true if there was one, and another may
 * follow. `extra` counts the blocks without a header, whose statements are parsed as those of the
 * enclosing block. */
bool ck_parser_stray_layout(struct ck_parser *p, int *extra);

#endif
