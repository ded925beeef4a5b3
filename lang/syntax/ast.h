/* The syntax tree: the text's structure, before names and types are checked.
 *
 * The parser always returns a tree. Where the text has a syntax error, the tree has ERROR nodes,
 * for which a diagnostic was already reported. Nodes live in the module's arena and are never freed
 * individually. */
#ifndef CK_AST_H
#define CK_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/strbuf.h"
#include "lang/diag/diag.h"
#include "lang/syntax/operators.h"

enum ck_expr_kind {
    CK_EXPR_ERROR,
    CK_EXPR_NAME,
    CK_EXPR_INT,
    CK_EXPR_FLOAT,
    CK_EXPR_IMAGINARY, /* 2j */
    CK_EXPR_STRING,
    CK_EXPR_FORMAT, /* an f-string, or strings of which one is */
    CK_EXPR_BOOL,
    CK_EXPR_NONE,
    CK_EXPR_UNARY,
    CK_EXPR_BINARY,
    CK_EXPR_COMPARE,     /* chain: operands[0] ops[0] operands[1] ops[1] ... */
    CK_EXPR_LOGICAL,     /* and/or, left to right, n >= 2 operands */
    CK_EXPR_CONDITIONAL, /* a if c else b */
    CK_EXPR_CALL,
    CK_EXPR_ATTRIBUTE,
    CK_EXPR_SUBSCRIPT, /* indices: `a[i, j]` has two, `a[(i, j)]` has one TUPLE */
    CK_EXPR_SLICE,     /* only as an index */
    CK_EXPR_TUPLE,
    CK_EXPR_LIST,          /* signatures, array(...) contents */
    CK_EXPR_FUNCTION,      /* `lambda x: x`; `def f(x):` in a function is an assignment of one */
    CK_EXPR_STARRED,       /* `*t`, as an argument of a call or an item of a tuple */
    CK_EXPR_NAMED,         /* `(n := x)`; none is left when the parser is done: see parse_named.c */
    CK_EXPR_COMPREHENSION, /* of a constant of the module: `[i * i for i in range(4)]` */
};

struct ck_expr;
struct ck_function;
struct ck_comprehension;

struct ck_argument {
    const char *name; /* keyword, or NULL */
    struct ck_span name_span;
    struct ck_expr *value;
};

/* A part of an f-string: text, or a field `{value:spec}`. */
struct ck_format_part {
    const char *text; /* decoded; of a field NULL */
    uint32_t length;
    struct ck_span span;
    struct ck_expr *value, *spec; /* the spec is a STRING or a FORMAT; NULL: none */
};

struct ck_expr {
    enum ck_expr_kind kind;
    bool parenthesized;
    uint16_t depth;      /* height of the tree below: 1 for a leaf; at most CK_MAX_TREE_DEPTH */
    struct ck_span span; /* parentheses included */
    union {
        const char *name; /* NAME: interned in the module's arena, compare with strcmp */
        struct {
            uint64_t value;
            bool too_large; /* does not fit 64 bits (already reported) */
        } integer;
        double floating; /* FLOAT, IMAGINARY */
        struct {
            const char *bytes; /* decoded, may hold zero bytes; also zero-terminated */
            uint32_t length;
        } string;
        struct {
            struct ck_format_part *parts;
            int n;
        } format;
        bool boolean;
        struct {
            enum ck_unary_op op;
            struct ck_expr *operand;
        } unary;
        struct {
            enum ck_binary_op op;
            struct ck_expr *left, *right;
            struct ck_span op_span;
        } binary;
        struct {
            struct ck_expr **operands; /* n_ops + 1 */
            enum ck_compare_op *ops;
            int n_ops;
        } compare;
        struct {
            bool is_or;
            struct ck_expr **operands;
            int n;
        } logical;
        struct {
            struct ck_expr *test, *then, *otherwise;
        } conditional;
        struct {
            struct ck_expr *callee;
            struct ck_argument *args;
            int n_args;
        } call;
        struct {
            struct ck_expr *object;
            const char *name;
            struct ck_span name_span;
        } attribute;
        struct {
            struct ck_expr *object;
            struct ck_expr **indices;
            int n_indices;
        } subscript;
        struct {
            struct ck_expr *start, *stop, *step; /* each may be NULL */
            bool is_rest;                        /* `...`: as many whole axes as remain */
        } slice;
        struct {
            struct ck_expr **items;
            int n;
        } sequence;                         /* TUPLE, LIST */
        const struct ck_function *function; /* its body is not among the subexpressions */
        struct ck_expr *starred;
        struct {
            struct ck_expr *target, *value; /* the target is a NAME */
        } named;
        struct ck_comprehension *comprehension;
    };
};

/* `for target in iterable if test if test`: hidden names, in tuples or lists. */
struct ck_comprehension_clause {
    struct ck_expr *target, *iterable, **tests;
    int n_tests;
};

struct ck_comprehension {
    struct ck_expr *element;
    struct ck_comprehension_clause *clauses; /* the outermost first */
    int n;
    bool is_list; /* else a generator */
};

enum ck_stmt_kind {
    CK_STMT_ERROR,
    CK_STMT_EXPR,
    CK_STMT_ASSIGN,    /* targets[0] = targets[1] = ... = value */
    CK_STMT_AUGASSIGN, /* target op= value */
    CK_STMT_ANNOTATED, /* target: annotation [= value] */
    CK_STMT_IF,        /* elif is an IF alone in `otherwise` */
    CK_STMT_WHILE,
    CK_STMT_FOR,
    CK_STMT_BREAK,
    CK_STMT_CONTINUE,
    CK_STMT_PASS,
    CK_STMT_RETURN,
    CK_STMT_ASSERT,
    CK_STMT_RAISE,  /* its expression is not evaluated */
    CK_STMT_DELETE, /* `del a, b`: names as assign.targets */
};

struct ck_stmt;

struct ck_block {
    struct ck_stmt **stmts;
    int n;
    struct ck_span span;
};

struct ck_stmt {
    enum ck_stmt_kind kind;
    struct ck_span span; /* compound statements: up to and including the header's ':' */
    union {
        struct ck_expr *expr; /* EXPR; RETURN, RAISE (may be NULL) */
        struct {
            struct ck_expr **targets;
            int n_targets;
            struct ck_expr *value;
        } assign;
        struct {
            enum ck_binary_op op;
            struct ck_expr *target, *value;
        } augassign;
        struct {
            struct ck_expr *target, *annotation, *value; /* value may be NULL */
        } annotated;
        struct {
            struct ck_expr *test;
            struct ck_block then, otherwise;
        } branch;
        struct {
            struct ck_expr *test;
            struct ck_block body, otherwise;
        } loop; /* WHILE */
        struct {
            struct ck_expr *target, *iterable;
            struct ck_block body, otherwise;
        } each; /* FOR */
        struct {
            struct ck_expr *test;
            struct ck_expr *message; /* may be NULL */
        } assertion;
    };
};

/* How calls give a parameter: Python's marks `/` and `*`. */
enum ck_param_kind { CK_PARAM_ANY, CK_PARAM_POSITIONAL, CK_PARAM_KEYWORD };

struct ck_param {
    const char *name;
    struct ck_span span;
    struct ck_expr *annotation; /* may be NULL */
    struct ck_expr *otherwise;  /* its default value; may be NULL */
    enum ck_param_kind kind;
};

/* A name of the function around, and what it stands for: an expression of the module. */
struct ck_capture {
    const char *name;
    const struct ck_expr *value;
};

struct ck_function {
    const char *name;
    struct ck_span name_span;
    struct ck_span span; /* `def name(...)` through ':' */
    struct ck_expr **decorators;
    int n_decorators;
    struct ck_param *params;
    int n_params;
    struct ck_expr *returns; /* `-> T`, may be NULL */
    bool broken;             /* the header had an error: parameters may be missing */
    struct ck_block body;
    struct ck_diag *held;        /* of its syntax, reported only if a kernel reaches the function */
    struct ck_capture *captures; /* of what a function of the module makes; the parser sets none */
    int n_captures;
};

/* HOST: a name that host code binds. */
enum ck_item_kind { CK_ITEM_IMPORT, CK_ITEM_ASSIGN, CK_ITEM_FUNCTION, CK_ITEM_HOST };

/* `import module [as alias]` (n_names == 0), or `from module import name [as alias], ...`.
 * `from module import *` has is_star. */
struct ck_import_name {
    const char *name;
    const char *alias; /* the name bound; equal to `name` without `as` */
    struct ck_span span;
};

struct ck_import {
    const char *module; /* dotted */
    struct ck_span module_span;
    const char *alias; /* `import module as alias`; NULL: none */
    bool is_from;
    bool is_star;
    struct ck_import_name *names;
    int n_names;
};

struct ck_item {
    enum ck_item_kind kind;
    struct ck_span span;
    struct ck_diag *held; /* ASSIGN: as of a function */
    union {
        struct ck_import import;
        struct ck_stmt *assign; /* ASSIGN or ANNOTATED */
        struct ck_function *function;
        const char *host_name;
    };
};

struct ck_ast {
    struct ck_item **items;
    int n_items;
};

enum {
    CK_MAX_SOURCE = 4 << 20, /* bytes */
    CK_MAX_NESTING = 200,    /* nested brackets, operators and blocks */
    /* Chains such as x+x+...+x, a.b.c and if/elif/elif are parsed in loops, but make deep trees for
     * later recursive passes. Beyond this depth they are errors. */
    CK_MAX_TREE_DEPTH = 2000,
};

/* Lexes and parses a whole file. Never fails: errors are in `diags`, and those of a function's
 * syntax in its `held`, because it may be host code. */
struct ck_ast *ck_parse(struct ck_arena *arena, const struct ck_source *source,
                        struct ck_diags *diags);
/* Reports the errors that the functions hold. */
void ck_ast_give_held(struct ck_ast *ast, struct ck_diags *diags);
/* Parses one expression that is the whole text: a signature in a string or from --sig. Spans are
 * `base` plus the offset in `text`. NULL after an error. */
struct ck_expr *ck_parse_expression(struct ck_arena *arena, const char *text, uint32_t length,
                                    uint32_t base, struct ck_diags *diags);

/* Whether a name is one of those that the parser makes, which no program can have. */
static inline bool
ck_is_hidden_name(const char *name)
{
    return *name == '%';
}

/* --- Making and walking: ast_walk.c --- */
/* A node without operands, whose depth is 1; a name; an integer; item i of an expression, with the
 * expression's span. */
struct ck_expr *ck_expr_new(struct ck_arena *arena, enum ck_expr_kind kind, struct ck_span span);
struct ck_expr *ck_expr_name(struct ck_arena *arena, const char *name, struct ck_span span);
struct ck_expr *ck_expr_int(struct ck_arena *arena, int value, struct ck_span span);
struct ck_expr *ck_expr_item(struct ck_arena *arena, struct ck_expr *object, int i);
/* Calls `visit` for each direct subexpression of `expr`. */
typedef void (*ck_expr_visit)(void *context, const struct ck_expr *expr);
void ck_expr_each(const struct ck_expr *expr, ck_expr_visit visit, void *context);
/* Calls `visit` for each expression of a statement and of its nested statements, targets
 * included. */
void ck_stmt_each_expr(const struct ck_stmt *stmt, ck_expr_visit visit, void *context);

/* The tree as an indented outline, for `ckc --emit=ast`. */
void ck_ast_dump(struct ck_strbuf *out, const struct ck_ast *ast, const struct ck_source *source);

#endif
