/* The parser's parts to each other: the token at hand, errors, and what each file parses. */
#ifndef CK_PARSE_INTERNAL_H
#define CK_PARSE_INTERNAL_H

#include "lang/syntax/ast.h"
#include "lang/syntax/lex.h"

/* After an error the parser panics: it has passed over the rest of the logical line and stands at
 * its NEWLINE, which ends every rule, and says nothing more until that is consumed. */
struct ck_parser {
    struct ck_arena *arena;
    struct ck_diags *diags;
    struct ck_lexer lexer;
    struct ck_token token; /* the next one, not consumed */
    uint32_t last_end;     /* where the last consumed one ended */
    int nesting;           /* brackets, prefix operators and blocks around here */
    int chain;             /* if/elif levels of the tree around here */
    int loops;             /* loops around here */
    bool panic;
    bool failed;      /* there was an error */
    bool line_failed; /* ... in the last line, so that a block after it is no surprise */
    bool skip_block;  /* ... and so badly that the block after it means nothing */
    struct {
        struct ck_diag *diag;        /* of the first statement of host code; NULL: there was none */
        struct ck_span last, launch; /* the last such statement; the first launch, empty: none */
        int n;                       /* such statements */
    } host;
    bool after_try; /* a `try` was rejected: its other clauses go unmentioned */
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
/* Panics; a diagnostic was given. */
void ck_parser_recover(struct ck_parser *p);
/* "expected WHAT, found ..." */
void ck_parser_expected(struct ck_parser *p, const char *what);
/* "WHAT are not supported" at `span`, and how to do without (NULL: nothing to say). Panics. */
void ck_parser_unsupported(struct ck_parser *p, struct ck_span span, const char *what,
                           const char *help);
/* If the token begins a construct of Python that ck has not: says so and panics. */
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

/* parse_expr.c */
struct ck_expr *ck_parser_expr(struct ck_parser *p);
/* One expression, or several with commas: a tuple. */
struct ck_expr *ck_parser_expr_list(struct ck_parser *p);
/* What `for` binds: as above, but `in` ends it. */
struct ck_expr *ck_parser_for_targets(struct ck_parser *p);
struct ck_expr *ck_parser_error_expr(struct ck_parser *p, struct ck_span span);

/* parse_stmt.c */
/* `simple; simple` and the line's end. */
void ck_parser_simple_line(struct ck_parser *p, struct ck_stmt_list *out);
/* ':' and what belongs to it, the header of which was `header` (for messages: "after `if`"). */
struct ck_block ck_parser_suite(struct ck_parser *p, struct ck_span header, const char *keyword);
/* Layout between statements that belongs to none. True: passed over; look again. `extra` counts the
 * blocks that have no header, which are read as part of the block around them. */
bool ck_parser_stray_layout(struct ck_parser *p, int *extra);

#endif
