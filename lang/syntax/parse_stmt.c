/* The parser, part three: statements and blocks. */
#include <string.h>

#include "lang/syntax/parser.h"

/* Statements up to the enclosing block's end. */
static void parse_stmts(struct ck_parser *p, struct ck_stmt_list *out);

static struct ck_stmt *
new_stmt(struct ck_parser *p, enum ck_stmt_kind kind)
{
    struct ck_stmt *s = CK_NEW(p->arena, struct ck_stmt);
    s->kind = kind;
    s->span = p->token.span;
    return s;
}

static void
add_stmt(struct ck_parser *p, struct ck_stmt_list *out, struct ck_stmt *stmt)
{
    ck_parser_hoist_named(p, stmt, out);
    CK_PUSH(p->arena, out->items, out->n, out->capacity, stmt);
}

/* --- Assignment ----------------------------------------------------------------------------------
 */

/* The kind of an expression that is not a target, for "cannot assign to ...". */
static const char *
describe_expr(const struct ck_expr *e)
{
    static const char *const texts[] = {
        [CK_EXPR_INT] = "a literal",
        [CK_EXPR_FLOAT] = "a literal",
        [CK_EXPR_IMAGINARY] = "a literal",
        [CK_EXPR_STRING] = "a literal",
        [CK_EXPR_FORMAT] = "a literal",
        [CK_EXPR_BOOL] = "a literal",
        [CK_EXPR_NONE] = "`None`",
        [CK_EXPR_UNARY] = "an expression",
        [CK_EXPR_BINARY] = "an expression",
        [CK_EXPR_COMPARE] = "a comparison",
        [CK_EXPR_CONDITIONAL] = "a conditional expression",
        [CK_EXPR_CALL] = "a call",
        [CK_EXPR_LOGICAL] = "an expression",
        [CK_EXPR_TUPLE] = "several names at once",
        [CK_EXPR_LIST] = "several names at once",
        [CK_EXPR_FUNCTION] = "a function",
        [CK_EXPR_STARRED] = "a starred expression",
        [CK_EXPR_NAMED] = "an assignment expression",
    };
    return texts[e->kind];
}

static bool
is_sequence(const struct ck_expr *e)
{
    return e->kind == CK_EXPR_TUPLE || e->kind == CK_EXPR_LIST;
}

static bool
is_simple_target(const struct ck_expr *e)
{
    return e->kind == CK_EXPR_NAME || e->kind == CK_EXPR_ATTRIBUTE ||
           e->kind == CK_EXPR_SUBSCRIPT || e->kind == CK_EXPR_ERROR;
}

static void
reject_target(struct ck_parser *p, const struct ck_expr *e)
{
    struct ck_diag *d = ck_diag_add(p->diags, CK_DIAG_ASSIGN_TARGET, e->span, describe_expr(e));
    const char *hint = d == &p->diags->dummy ? NULL : ck_parser_hint(p, "a target");
    if (hint)
        ck_diag_help(p->diags, d, "%s", hint);
    p->failed = true;
}

/* target: NAME | attribute | subscript | target (',' target)*  -- `[a, b]` as a target is `(a, b)`.
 * An invalid target becomes an ERROR node. */
static void
check_target(struct ck_parser *p, struct ck_expr *e)
{
    if (is_sequence(e)) {
        e->kind = CK_EXPR_TUPLE;
        for (int i = 0; i < e->sequence.n; i++)
            check_target(p, e->sequence.items[i]);
    } else if (!is_simple_target(e)) {
        reject_target(p, e);
        e->kind = p->declared ? CK_EXPR_NAME : CK_EXPR_ERROR;
        e->name = p->declared;
    }
}

struct expr_list {
    struct ck_expr **items;
    int n, capacity;
};

/* The rest of an assignment, at its first '=': ('=' expr_list)+ */
static void
parse_assign(struct ck_parser *p, struct ck_stmt *s, struct ck_expr *target)
{
    struct expr_list targets = {0};
    struct ck_expr *value = target;
    while (ck_parser_accept(p, CK_TOK_ASSIGN)) {
        check_target(p, value);
        CK_PUSH(p->arena, targets.items, targets.n, targets.capacity, value);
        value = ck_parser_expr_list(p);
    }
    s->kind = CK_STMT_ASSIGN;
    s->assign.targets = targets.items;
    s->assign.n_targets = targets.n;
    s->assign.value = value;
}

/* The rest of an annotated assignment, at its ':': ':' expr ['=' expr_list] */
static void
parse_annotated(struct ck_parser *p, struct ck_stmt *s, struct ck_expr *target)
{
    if (target->kind != CK_EXPR_NAME && target->kind != CK_EXPR_ERROR) {
        bool is_python = is_simple_target(target);
        ck_diag_add(p->diags, is_python ? CK_DIAG_UNSUPPORTED_SYNTAX : CK_DIAG_SYNTAX, target->span,
                    is_python ? "annotations of anything but names"
                              : "only a name can have an annotation");
        target = ck_parser_error_expr(p, target->span);
        p->failed = true;
    }
    ck_parser_advance(p);
    s->kind = CK_STMT_ANNOTATED;
    s->annotated.target = target;
    s->annotated.annotation = ck_parser_plain_expr(p);
    if (ck_parser_accept(p, CK_TOK_ASSIGN))
        s->annotated.value = ck_parser_expr_list(p);
}

static const struct {
    bool is_op;
    enum ck_binary_op op;
} augmented[CK_N_TOKENS] = {
    [CK_TOK_PLUS_ASSIGN] = {true, CK_OP_ADD},
    [CK_TOK_MINUS_ASSIGN] = {true, CK_OP_SUB},
    [CK_TOK_STAR_ASSIGN] = {true, CK_OP_MUL},
    [CK_TOK_SLASH_ASSIGN] = {true, CK_OP_DIV},
    [CK_TOK_DOUBLE_SLASH_ASSIGN] = {true, CK_OP_FLOORDIV},
    [CK_TOK_PERCENT_ASSIGN] = {true, CK_OP_MOD},
    [CK_TOK_DOUBLE_STAR_ASSIGN] = {true, CK_OP_POW},
    [CK_TOK_LSHIFT_ASSIGN] = {true, CK_OP_SHL},
    [CK_TOK_RSHIFT_ASSIGN] = {true, CK_OP_SHR},
    [CK_TOK_AMPERSAND_ASSIGN] = {true, CK_OP_AND},
    [CK_TOK_BAR_ASSIGN] = {true, CK_OP_OR},
    [CK_TOK_CARET_ASSIGN] = {true, CK_OP_XOR},
};

/* The rest of an augmented assignment, at its operator: AUGMENTED expr_list */
static void
parse_augmented(struct ck_parser *p, struct ck_stmt *s, struct ck_expr *target)
{
    s->kind = CK_STMT_AUGASSIGN;
    s->augassign.op = augmented[p->token.kind].op;
    s->augassign.target = target;
    if (!is_simple_target(target)) {
        reject_target(p, target);
        s->augassign.target = ck_parser_error_expr(p, target->span);
    }
    ck_parser_advance(p);
    s->augassign.value = ck_parser_expr_list(p);
}

/* expr_stmt: expr_list [assign | annotated | augmented] */
static void
parse_expr_stmt(struct ck_parser *p, struct ck_stmt *s)
{
    struct ck_expr *e = ck_parser_expr_list(p);
    if (p->token.kind == CK_TOK_ASSIGN)
        parse_assign(p, s, e);
    else if (p->token.kind == CK_TOK_COLON)
        parse_annotated(p, s, e);
    else if (augmented[p->token.kind].is_op)
        parse_augmented(p, s, e);
    else if (p->token.kind == CK_TOK_AT_ASSIGN)
        ck_parser_unsupported(p, p->token.span, "matrix products (`@=`)",
                              "write the loops over rows, columns and the common axis");
    else
        s->expr = e;
}

/* --- Simple statements ---------------------------------------------------------------------------
 */

/* return: 'return' [expr_list] */
static void
parse_return(struct ck_parser *p, struct ck_stmt *s)
{
    ck_parser_advance(p);
    s->kind = CK_STMT_RETURN;
    if (p->token.kind != CK_TOK_NEWLINE && p->token.kind != CK_TOK_SEMICOLON &&
        p->token.kind != CK_TOK_END)
        s->expr = ck_parser_expr_list(p);
}

/* assert: 'assert' expr [',' expr] */
static void
parse_assert(struct ck_parser *p, struct ck_stmt *s)
{
    ck_parser_advance(p);
    s->kind = CK_STMT_ASSERT;
    s->assertion.test = ck_parser_expr(p);
    if (ck_parser_accept(p, CK_TOK_COMMA))
        s->assertion.message = ck_parser_plain_expr(p);
}

/* What an exception is raised as: a class, or a call of one. */
static bool
is_exception(const struct ck_expr *expr)
{
    expr = expr->kind == CK_EXPR_CALL ? expr->call.callee : expr;
    return expr->kind == CK_EXPR_NAME || expr->kind == CK_EXPR_ATTRIBUTE;
}

/* raise: 'raise' [expr ['from' expr]] */
static void
parse_raise(struct ck_parser *p, struct ck_stmt *s)
{
    ck_parser_advance(p);
    s->kind = CK_STMT_RAISE;
    if (p->token.kind == CK_TOK_NEWLINE || p->token.kind == CK_TOK_SEMICOLON ||
        p->token.kind == CK_TOK_END)
        return;
    s->expr = ck_parser_plain_expr(p);
    if (!is_exception(s->expr) && !p->panic) {
        ck_diag_add(p->diags, CK_DIAG_SYNTAX, s->expr->span, "this is not an exception");
        p->failed = true;
    }
    if (ck_parser_accept(p, CK_TOK_FROM))
        ck_parser_plain_expr(p);
}

/* jump: 'break' | 'continue' */
static void
parse_jump(struct ck_parser *p, struct ck_stmt *s)
{
    bool is_break = p->token.kind == CK_TOK_BREAK;
    s->kind = is_break ? CK_STMT_BREAK : CK_STMT_CONTINUE;
    if (p->loops == 0) {
        ck_diag_add(p->diags, CK_DIAG_OUTSIDE_LOOP, p->token.span, is_break ? "break" : "continue");
        s->kind = CK_STMT_ERROR;
        p->failed = true;
    }
    ck_parser_advance(p);
}

/* The names of a `del` statement, without brackets around them. */
static void
add_deleted(struct ck_parser *p, struct expr_list *names, struct ck_expr *target)
{
    for (int i = 0; is_sequence(target) && i < target->sequence.n; i++)
        add_deleted(p, names, target->sequence.items[i]);
    if (is_sequence(target))
        return;
    if (target->kind == CK_EXPR_NAME)
        CK_PUSH(p->arena, names->items, names->n, names->capacity, target);
    else if (!p->panic)
        ck_parser_unsupported(p, target->span, "`del` statements of anything but names",
                              "arrays and tuples keep their items");
}

/* delete: 'del' expr_list */
static void
parse_delete(struct ck_parser *p, struct ck_stmt *s)
{
    struct expr_list names = {0};
    ck_parser_advance(p);
    add_deleted(p, &names, ck_parser_expr_list(p));
    s->kind = CK_STMT_DELETE;
    s->assign.targets = names.items;
    s->assign.n_targets = names.n;
    s->assign.value = NULL;
}

static bool
is_compound(enum ck_token_kind kind)
{
    return kind == CK_TOK_IF || kind == CK_TOK_WHILE || kind == CK_TOK_FOR || kind == CK_TOK_DEF;
}

/* `match` is a name, but what follows shows that the statement was meant. */
static bool
reject_match(struct ck_parser *p, const struct ck_stmt *s)
{
    bool is_name = s->kind == CK_STMT_EXPR && s->expr && s->expr->kind == CK_EXPR_NAME;
    if (p->panic || !is_name || strcmp(s->expr->name, "match") != 0)
        return false;
    ck_parser_unsupported(p, s->expr->span, "`match` statements", "write `if` and `elif`");
    p->skip_block = true;
    return true;
}

/* Reports a token that cannot begin a simple statement, where one is expected. */
static void
reject_in_line(struct ck_parser *p)
{
    const char *word = ck_token_text(p->token.kind);
    if (p->token.kind == CK_TOK_IMPORT || p->token.kind == CK_TOK_FROM) {
        ck_parser_unsupported(p, p->token.span, "imports inside functions",
                              "move the import to the top of the file");
        return;
    }
    struct ck_diag *d = ck_diag_add(p->diags, CK_DIAG_SYNTAX, p->token.span,
                                    ck_arena_printf(p->arena, "%s must begin a line", word));
    ck_diag_help(p->diags, d, "put it on a line of its own, indented as its block");
    ck_parser_recover(p);
}

/* A target for a name whose binding was reported as a declaration of C. */
static struct ck_expr *
declared_target(struct ck_parser *p, struct ck_span span)
{
    struct ck_expr *target = ck_parser_error_expr(p, span);
    target->kind = CK_EXPR_NAME;
    target->name = p->declared;
    return target;
}

/* A statement with a syntax error: the names that it binds stay known, their values do not. */
static void
spoil(struct ck_parser *p, struct ck_stmt *s)
{
    if (p->declared) {
        s->kind = CK_STMT_ASSIGN;
        s->assign.targets = CK_NEW(p->arena, struct ck_expr *);
        *s->assign.targets = declared_target(p, s->span);
        s->assign.n_targets = 1;
    }
    if (s->kind == CK_STMT_ASSIGN)
        s->assign.value = ck_parser_error_expr(p, s->span);
    else if (s->kind == CK_STMT_ANNOTATED)
        s->annotated.value = ck_parser_error_expr(p, s->span);
    else if (s->kind == CK_STMT_AUGASSIGN)
        s->augassign.value = ck_parser_error_expr(p, s->span);
    else
        s->kind = CK_STMT_ERROR;
}

/* simple: 'pass' | jump | return | assert | raise | delete | expr_stmt */
static struct ck_stmt *
parse_simple(struct ck_parser *p)
{
    struct ck_stmt *s = new_stmt(p, CK_STMT_EXPR);
    enum ck_token_kind kind = p->token.kind;
    if (kind == CK_TOK_PASS) {
        s->kind = CK_STMT_PASS;
        ck_parser_advance(p);
    } else if (kind == CK_TOK_BREAK || kind == CK_TOK_CONTINUE) {
        parse_jump(p, s);
    } else if (kind == CK_TOK_RETURN) {
        parse_return(p, s);
    } else if (kind == CK_TOK_ASSERT) {
        parse_assert(p, s);
    } else if (kind == CK_TOK_RAISE) {
        parse_raise(p, s);
    } else if (kind == CK_TOK_DEL) {
        parse_delete(p, s);
    } else if (kind == CK_TOK_IMPORT || kind == CK_TOK_FROM || is_compound(kind)) {
        reject_in_line(p);
    } else {
        parse_expr_stmt(p, s);
    }
    if (p->token.kind != CK_TOK_SEMICOLON && p->token.kind != CK_TOK_NEWLINE &&
        p->token.kind != CK_TOK_END && !reject_match(p, s))
        ck_parser_expected(p, "end of line");
    s->span = ck_parser_since(p, s->span.start);
    if (p->panic)
        spoil(p, s);
    return s;
}

/* Passes over a block of C, from its `{`, after a line that was reported. Its lines may look like
 * statements, and so end the bracket for the lexer: braces are counted here. */
static void
skip_braces(struct ck_parser *p)
{
    int depth = 0, indents = 0;
    if (!p->line_failed || p->token.kind != CK_TOK_LBRACE)
        return;
    p->has_braces = true;
    p->diags->quiet++;
    do {
        depth += (p->token.kind == CK_TOK_LBRACE) - (p->token.kind == CK_TOK_RBRACE);
        indents += (p->token.kind == CK_TOK_INDENT) - (p->token.kind == CK_TOK_DEDENT);
        ck_parser_advance(p);
        if (p->token.kind == CK_TOK_DEDENT && indents == 0) /* the enclosing block ends */
            break;
    } while ((depth > 0 || indents > 0) && p->token.kind != CK_TOK_END);
    ck_parser_recover(p);
    ck_parser_end_line(p);
    p->diags->quiet--;
}

/* simple_line: simple (';' simple)* [';'] NEWLINE */
void
ck_parser_simple_line(struct ck_parser *p, struct ck_stmt_list *out)
{
    do
        add_stmt(p, out, parse_simple(p));
    while (ck_parser_accept(p, CK_TOK_SEMICOLON) && p->token.kind != CK_TOK_NEWLINE);
    ck_parser_end_line(p);
    skip_braces(p);
    if (p->skip_block)
        ck_parser_skip_block(p);
    p->skip_block = false;
}

/* --- Blocks --------------------------------------------------------------------------------------
 */

bool
ck_parser_stray_layout(struct ck_parser *p, int *extra)
{
    if (p->token.kind == CK_TOK_NEWLINE) {
        ck_parser_end_line(p);
        return true;
    }
    if (p->token.kind == CK_TOK_INDENT) {
        if (!p->line_failed && !p->lexer.tabs_reported) {
            struct ck_span span = p->token.span;
            ck_diag_add(p->diags, CK_DIAG_BAD_INDENTATION, span, "unexpected indentation");
            p->failed = true;
        }
        ++*extra;
    } else if (p->token.kind == CK_TOK_DEDENT && *extra > 0) {
        --*extra;
    } else {
        return false;
    }
    ck_parser_advance(p);
    return true;
}

static void
report_missing_block(struct ck_parser *p, struct ck_span header, const char *keyword)
{
    bool at_end = p->lexer.cursor == p->lexer.limit && p->token.kind <= CK_TOK_DEDENT;
    struct ck_span span = at_end ? (struct ck_span){p->last_end, p->last_end} : p->token.span;
    p->failed = true;
    if (p->lexer.tabs_reported)
        return;
    struct ck_diag *d =
        ck_diag_add(p->diags, CK_DIAG_BAD_INDENTATION, span,
                    ck_arena_printf(p->arena, "expected an indented block after `%s`", keyword));
    if (!at_end)
        ck_diag_label(p->diags, d, header, "this needs a block");
    ck_diag_help(p->diags, d, "write `pass` if it shall do nothing");
}

/* The indented block after a NEWLINE. */
static void
parse_indented(struct ck_parser *p, struct ck_stmt_list *out)
{
    if (!ck_parser_enter(p)) {
        ck_parser_end_line(p);
        ck_parser_skip_block(p);
        return;
    }
    ck_parser_advance(p);
    parse_stmts(p, out);
    ck_parser_accept(p, CK_TOK_DEDENT);
    ck_parser_leave(p);
}

/* suite: ':' simple_line | ':' NEWLINE INDENT stmt+ DEDENT */
struct ck_block
ck_parser_suite(struct ck_parser *p, struct ck_span header, const char *keyword)
{
    struct ck_stmt_list stmts = {0};
    if (!p->panic && p->has_braces && p->token.kind != CK_TOK_COLON)
        ck_parser_recover(p);
    else if (!p->panic)
        ck_parser_expect(p, CK_TOK_COLON);
    uint32_t start = p->token.span.start;
    if (p->token.kind != CK_TOK_NEWLINE && p->token.kind != CK_TOK_END) {
        ck_parser_simple_line(p, &stmts);
    } else {
        ck_parser_end_line(p);
        if (p->token.kind == CK_TOK_INDENT)
            parse_indented(p, &stmts);
        else if (p->line_failed)
            skip_braces(p);
        else
            report_missing_block(p, header, keyword);
    }
    struct ck_block block = {.stmts = stmts.items, .n = stmts.n};
    block.span = ck_parser_since(p, stmts.n ? stmts.items[0]->span.start : start);
    return block;
}

/* --- Compound statements -------------------------------------------------------------------------
 */

/* Ends a header that began at s->span: extends its span to the ':'. After an error in the header,
 * its expression is invalid. */
static void
finish_header(struct ck_parser *p, struct ck_stmt *s, struct ck_expr **expr)
{
    s->span = ck_parser_since(p, s->span.start);
    p->has_braces |= p->token.kind == CK_TOK_LBRACE;
    if (p->token.kind == CK_TOK_COLON)
        s->span.end = p->token.span.end;
    else if (!p->panic)
        ck_parser_expected(p, "`:`");
    if (p->panic)
        *expr = ck_parser_error_expr(p, s->span);
}

static struct ck_block
parse_else(struct ck_parser *p)
{
    struct ck_span header = p->token.span;
    ck_parser_advance(p);
    return ck_parser_suite(p, header, "else");
}

/* One `if` or `elif` and its block. */
static struct ck_stmt *
parse_branch(struct ck_parser *p)
{
    const char *word = p->token.kind == CK_TOK_IF ? "if" : "elif";
    struct ck_stmt *s = new_stmt(p, CK_STMT_IF);
    ck_parser_advance(p);
    s->branch.test = ck_parser_expr(p);
    finish_header(p, s, &s->branch.test);
    s->branch.then = ck_parser_suite(p, s->span, word);
    return s;
}

/* The tree has one level for each `elif`. */
static bool
chain_is_too_long(struct ck_parser *p)
{
    if (++p->chain < CK_MAX_TREE_DEPTH)
        return false;
    ck_diag_add(p->diags, CK_DIAG_TOO_DEEP, p->token.span,
                ck_arena_printf(p->arena, "more than %d `elif` in a row", CK_MAX_TREE_DEPTH));
    ck_parser_skip_statement(p);
    return true;
}

/* if: 'if' expr suite ('elif' expr suite)* ['else' suite] */
static struct ck_stmt *
parse_if(struct ck_parser *p)
{
    int chain = p->chain;
    struct ck_stmt *first = parse_branch(p), *last = first;
    while (p->token.kind == CK_TOK_ELIF && !chain_is_too_long(p)) {
        struct ck_stmt_list otherwise = {0};
        struct ck_stmt *next = parse_branch(p);
        add_stmt(p, &otherwise, next);
        last->branch.otherwise = (struct ck_block){otherwise.items, otherwise.n, next->span};
        last = next;
    }
    if (p->token.kind == CK_TOK_ELSE)
        last->branch.otherwise = parse_else(p);
    while (p->has_braces && p->token.kind == CK_TOK_ELSE) /* after `else if` */
        parse_else(p);
    p->chain = chain;
    return first;
}

/* while: 'while' expr suite ['else' suite] */
static struct ck_stmt *
parse_while(struct ck_parser *p)
{
    struct ck_stmt *s = new_stmt(p, CK_STMT_WHILE);
    ck_parser_advance(p);
    s->loop.test = ck_parser_expr(p);
    finish_header(p, s, &s->loop.test);
    p->loops++;
    s->loop.body = ck_parser_suite(p, s->span, "while");
    p->loops--;
    if (p->token.kind == CK_TOK_ELSE)
        s->loop.otherwise = parse_else(p);
    return s;
}

/* for: 'for' for_targets 'in' expr_list suite ['else' suite] */
static struct ck_stmt *
parse_for(struct ck_parser *p)
{
    struct ck_stmt *s = new_stmt(p, CK_STMT_FOR);
    ck_parser_advance(p);
    s->each.target = ck_parser_for_targets(p);
    check_target(p, s->each.target);
    if (ck_parser_expect(p, CK_TOK_IN))
        s->each.iterable = ck_parser_expr_list(p);
    finish_header(p, s, &s->each.iterable);
    if (p->declared)
        s->each.target = declared_target(p, s->span);
    p->loops++;
    s->each.body = ck_parser_suite(p, s->span, "for");
    p->loops--;
    if (p->token.kind == CK_TOK_ELSE)
        s->each.otherwise = parse_else(p);
    return s;
}

/* --- What has no place in a function -------------------------------------------------------------
 */

/* function: ('@' expr NEWLINE)* 'def' ...  -- in a function: binds the name to the function */
static void
parse_inner_function(struct ck_parser *p, struct ck_stmt *s)
{
    struct ck_function *f = CK_NEW(p->arena, struct ck_function);
    int capacity = 0;
    while (ck_parser_accept(p, CK_TOK_AT)) {
        struct ck_expr *decorator = ck_parser_plain_expr(p);
        CK_PUSH(p->arena, f->decorators, f->n_decorators, capacity, decorator);
        ck_parser_end_line(p);
    }
    if (p->token.kind != CK_TOK_DEF) {
        if (!ck_parser_reject(p))
            ck_parser_expected(p, "`def` after the decorator");
        ck_parser_skip_statement(p);
        return;
    }
    ck_parser_function(p, f);
    if (!f->name)
        return;
    struct ck_expr **target = CK_NEW(p->arena, struct ck_expr *);
    *target = ck_parser_error_expr(p, f->name_span);
    (*target)->kind = CK_EXPR_NAME;
    (*target)->name = f->name;
    s->kind = CK_STMT_ASSIGN;
    s->span = f->span;
    s->assign.targets = target;
    s->assign.n_targets = 1;
    s->assign.value = ck_parser_new_expr(p, CK_EXPR_FUNCTION, f->span);
    s->assign.value->function = f;
}

/* `else` and the like without a statement to which they belong. Clauses of a statement that was
 * rejected as a whole are not reported. */
static void
reject_clause(struct ck_parser *p)
{
    bool is_try = p->token.kind == CK_TOK_EXCEPT || p->token.kind == CK_TOK_FINALLY;
    if (p->after_try && p->token.kind != CK_TOK_ELIF) {
        ck_parser_recover(p);
    } else if (is_try) {
        ck_parser_reject(p);
    } else {
        const char *word = ck_token_text(p->token.kind);
        struct ck_diag *d =
            ck_diag_add(p->diags, CK_DIAG_SYNTAX, p->token.span,
                        ck_arena_printf(p->arena, "%s without a statement it belongs to", word));
        ck_diag_help(p->diags, d, "indent it as the `if`, `for` or `while` it belongs to");
        ck_parser_recover(p);
    }
    ck_parser_end_line(p);
}

/* `try` and `with`: their statements are parsed as statements of the enclosing block. */
static void
reject_wrapper(struct ck_parser *p)
{
    p->after_try |= p->token.kind == CK_TOK_TRY;
    ck_parser_reject(p);
    ck_parser_end_line(p);
}

/* stmt: if | while | for | simple_line */
static void
parse_stmt(struct ck_parser *p, struct ck_stmt_list *out)
{
    p->has_braces = false;
    switch (p->token.kind) {
    case CK_TOK_IF:
        add_stmt(p, out, parse_if(p));
        break;
    case CK_TOK_WHILE:
        add_stmt(p, out, parse_while(p));
        break;
    case CK_TOK_FOR:
        add_stmt(p, out, parse_for(p));
        break;
    case CK_TOK_ELSE:
    case CK_TOK_ELIF:
    case CK_TOK_EXCEPT:
    case CK_TOK_FINALLY:
        add_stmt(p, out, new_stmt(p, CK_STMT_ERROR));
        reject_clause(p);
        break;
    case CK_TOK_TRY:
    case CK_TOK_WITH:
        add_stmt(p, out, new_stmt(p, CK_STMT_ERROR));
        reject_wrapper(p);
        break;
    case CK_TOK_DEF:
    case CK_TOK_AT:
    case CK_TOK_CLASS:
    case CK_TOK_ASYNC: {
        struct ck_stmt *s = new_stmt(p, CK_STMT_ERROR);
        parse_inner_function(p, s);
        add_stmt(p, out, s);
        break;
    }
    default:
        ck_parser_simple_line(p, out);
        break;
    }
}

static void
parse_stmts(struct ck_parser *p, struct ck_stmt_list *out)
{
    int extra = 0;
    while (p->token.kind != CK_TOK_END) {
        if (ck_parser_stray_layout(p, &extra))
            continue;
        if (p->token.kind == CK_TOK_DEDENT)
            return;
        parse_stmt(p, out);
    }
}
