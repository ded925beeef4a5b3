/* The parser, part two: expressions. */
#include <string.h>

#include "lang/syntax/parser.h"

/* --- Nodes ---------------------------------------------------------------------------------------
 */

struct ck_expr *
ck_parser_new_expr(struct ck_parser *p, enum ck_expr_kind kind, struct ck_span span)
{
    return ck_expr_new(p->arena, kind, span);
}

struct ck_expr *
ck_parser_error_expr(struct ck_parser *p, struct ck_span span)
{
    return ck_parser_new_expr(p, CK_EXPR_ERROR, span);
}

static void
adopt(struct ck_expr *parent, const struct ck_expr *child)
{
    if (child && child->depth >= parent->depth)
        parent->depth = (uint16_t)(child->depth + 1);
}

static void
adopt_all(struct ck_expr *parent, struct ck_expr *const *children, int n)
{
    for (int i = 0; i < n; i++)
        adopt(parent, children[i]);
}

/* The operands of a chain such as a < b < c, over which later passes recurse. */
static void
adopt_chain(struct ck_expr *parent, struct ck_expr *const *operands, int n)
{
    adopt_all(parent, operands, n);
    int depth = parent->depth + n;
    parent->depth = (uint16_t)(depth < UINT16_MAX ? depth : UINT16_MAX);
}

/* A finished node, unless its tree is too deep for recursive passes. */
static struct ck_expr *
finish(struct ck_parser *p, struct ck_expr *e)
{
    if (e->depth <= CK_MAX_TREE_DEPTH)
        return e;
    struct ck_diag *d = ck_diag_add(
        p->diags, CK_DIAG_TOO_DEEP, e->span,
        ck_arena_printf(p->arena, "more than %d operations in one expression", CK_MAX_TREE_DEPTH));
    ck_diag_help(p->diags, d, "divide it over several assignments");
    ck_parser_recover(p);
    return ck_parser_error_expr(p, e->span);
}

struct expr_list {
    struct ck_expr **items;
    int n, capacity;
};

static void
push(struct ck_parser *p, struct expr_list *list, struct ck_expr *e)
{
    CK_PUSH(p->arena, list->items, list->n, list->capacity, e);
}

static struct ck_expr *
new_sequence(struct ck_parser *p, enum ck_expr_kind kind, uint32_t start, struct expr_list items)
{
    struct ck_expr *e = ck_parser_new_expr(p, kind, ck_parser_since(p, start));
    e->sequence.items = items.items;
    e->sequence.n = items.n;
    adopt_all(e, items.items, items.n);
    return finish(p, e);
}

/* --- Starred expressions -------------------------------------------------------------------------
 */

static struct ck_expr *parse_binary(struct ck_parser *p, int level);
static struct ck_expr *new_binary(struct ck_parser *p, enum ck_binary_op op, struct ck_span op_span,
                                  struct ck_expr *left, struct ck_expr *right);

/* starred: ['*'] expr */
static struct ck_expr *
parse_starred(struct ck_parser *p)
{
    const uint32_t start = p->token.span.start;
    if (!ck_parser_accept(p, CK_TOK_STAR))
        return ck_parser_expr(p);
    struct ck_expr *operand = parse_binary(p, 1);
    struct ck_expr *e = ck_parser_new_expr(p, CK_EXPR_STARRED, ck_parser_since(p, start));
    e->starred = operand;
    adopt(e, operand);
    return finish(p, e);
}

/* An expression that is no item of a tuple, and so may not be starred: in C, `*x` is what a pointer
 * points to. */
static struct ck_expr *
reject_alone(struct ck_parser *p, struct ck_expr *expr, const char *hint)
{
    if (expr->kind != CK_EXPR_STARRED || p->panic)
        return expr;
    ck_parser_unsupported(p, expr->span, "starred expressions here",
                          hint ? hint : "an item of a tuple may be: `(*t,)`");
    return ck_parser_error_expr(p, expr->span);
}

/* The sum of the tuples that the items make: `(a, *t, b)` is `(a,) + t + (b,)`. */
static struct ck_expr *
new_sum(struct ck_parser *p, uint32_t start, const struct expr_list *items)
{
    struct ck_expr *sum = NULL;
    for (int i = 0; i < items->n;) {
        struct expr_list some = {0};
        const uint32_t first = items->items[i]->span.start;
        struct ck_expr *part =
            items->items[i]->kind == CK_EXPR_STARRED ? items->items[i]->starred : NULL;
        i += part != NULL;
        for (; !part && i < items->n && items->items[i]->kind != CK_EXPR_STARRED; i++)
            push(p, &some, items->items[i]);
        if (!part) {
            part = new_sequence(p, CK_EXPR_TUPLE, first, some);
            part->span.end = some.items[some.n - 1]->span.end;
        }
        if (!sum) {
            struct expr_list none = {0};
            sum = new_sequence(p, CK_EXPR_TUPLE, first, none);
        }
        sum = new_binary(p, CK_OP_ADD, part->span, sum, part);
    }
    sum->span = ck_parser_since(p, start);
    return sum;
}

static struct ck_expr *
new_tuple(struct ck_parser *p, uint32_t start, struct expr_list items)
{
    for (int i = 0; i < items.n; i++) {
        if (items.items[i]->kind != CK_EXPR_STARRED)
            continue;
        if (p->token.kind == CK_TOK_ASSIGN)
            ck_parser_unsupported(p, items.items[i]->span, "starred targets", "name each item");
        return new_sum(p, start, &items);
    }
    return new_sequence(p, CK_EXPR_TUPLE, start, items);
}

/* --- Atoms ---------------------------------------------------------------------------------------
 */

/* After the first expression in brackets: a comprehension or generator, which functions cannot
 * have, if `for` follows, else the expression. */
static struct ck_expr *
parse_comprehension(struct ck_parser *p, struct ck_expr *first, bool is_list)
{
    const bool is_function = p->takes_named;
    if (p->token.kind == CK_TOK_FOR && !is_function)
        return ck_parser_comprehension(p, first, is_list);
    if (p->token.kind == CK_TOK_FOR || p->token.kind == CK_TOK_ASYNC)
        ck_parser_unsupported(p, p->token.span,
                              is_list ? "list comprehensions" : "generator expressions",
                              "write a `for` loop");
    return first;
}

/* The rest of `[...]` or `(...)` after its first item: (',' expr)* [','] up to `close`. */
static void
parse_items(struct ck_parser *p, struct expr_list *items, enum ck_token_kind close,
            const char *expected)
{
    while (ck_parser_accept(p, CK_TOK_COMMA) && p->token.kind != close)
        push(p, items, close == CK_TOK_RPAREN ? parse_starred(p) : ck_parser_expr(p));
    if (!ck_parser_accept(p, close))
        ck_parser_expected(p, expected);
}

/* group: '(' ')' | '(' expr ')' | '(' expr ',' [expr (',' expr)*] [','] ')' */
static struct ck_expr *
parse_group(struct ck_parser *p)
{
    uint32_t start = p->token.span.start;
    struct expr_list items = {0};
    ck_parser_advance(p);
    if (ck_parser_accept(p, CK_TOK_RPAREN)) {
        struct ck_expr *empty = new_sequence(p, CK_EXPR_TUPLE, start, items);
        empty->parenthesized = true;
        return empty;
    }
    const char *hint = p->token.kind == CK_TOK_STAR ? ck_parser_hint(p, "") : NULL;
    struct ck_expr *e = parse_comprehension(p, parse_starred(p), false);
    push(p, &items, e);
    bool is_tuple = p->token.kind == CK_TOK_COMMA;
    if (!is_tuple)
        e = reject_alone(p, e, hint);
    parse_items(p, &items, CK_TOK_RPAREN, is_tuple ? "`,` or `)`" : "`)`");
    if (is_tuple)
        e = new_tuple(p, start, items);
    e->parenthesized = true;
    e->span = ck_parser_since(p, start);
    return e;
}

/* list: '[' [expr (',' expr)* [',']] ']' */
static struct ck_expr *
parse_list(struct ck_parser *p)
{
    uint32_t start = p->token.span.start;
    struct expr_list items = {0};
    ck_parser_advance(p);
    if (!ck_parser_accept(p, CK_TOK_RBRACKET)) {
        struct ck_expr *first = parse_comprehension(p, ck_parser_expr(p), true);
        if (first->kind == CK_EXPR_COMPREHENSION && ck_parser_accept(p, CK_TOK_RBRACKET)) {
            first->span = ck_parser_since(p, start);
            return first;
        }
        push(p, &items, first);
        parse_items(p, &items, CK_TOK_RBRACKET, "`,` or `]`");
    }
    return new_sequence(p, CK_EXPR_LIST, start, items);
}

/* `{`: the first expression after it distinguishes the displays and comprehensions. */
static struct ck_expr *
reject_braces(struct ck_parser *p)
{
    struct ck_span span = p->token.span;
    const char *what = "dicts";
    struct ck_diags_mark mark = ck_diags_mark(p->diags);
    ck_parser_advance(p);
    if (p->token.kind != CK_TOK_RBRACE && p->token.kind != CK_TOK_DOUBLE_STAR) {
        ck_parser_expr(p);
        if (p->token.kind == CK_TOK_FOR)
            what = "set comprehensions";
        else if (p->token.kind != CK_TOK_COLON)
            what = "sets";
    }
    if (p->diags->quiet == 0 || p->panic)
        ck_diags_take(p->diags, mark, ck_parser_is_lexical); /* other errors inside matter less */
    if (p->panic) {
        what = "dicts and sets";
        p->panic = false;
        p->diags->quiet--;
    }
    ck_parser_unsupported(p, span, what, "use an array, or a parameter for each value");
    return ck_parser_error_expr(p, span);
}

/* bracketed: group | list  -- one level deeper */
static struct ck_expr *
parse_bracketed(struct ck_parser *p)
{
    struct ck_span span = p->token.span;
    if (!ck_parser_enter(p))
        return ck_parser_error_expr(p, span);
    struct ck_expr *e = p->token.kind == CK_TOK_LPAREN     ? parse_group(p)
                        : p->token.kind == CK_TOK_LBRACKET ? parse_list(p)
                                                           : reject_braces(p);
    ck_parser_leave(p);
    return e;
}

static struct ck_expr *
parse_literal(struct ck_parser *p, enum ck_expr_kind kind)
{
    struct ck_expr *e = ck_parser_new_expr(p, kind, p->token.span);
    if (kind == CK_EXPR_NAME) {
        e->name = p->token.name;
    } else if (kind == CK_EXPR_INT) {
        e->integer.value = p->token.integer.value;
        e->integer.too_large = p->token.integer.too_large;
    } else if (kind == CK_EXPR_FLOAT || kind == CK_EXPR_IMAGINARY) {
        e->floating = p->token.floating;
    } else if (kind == CK_EXPR_BOOL) {
        e->boolean = p->token.kind == CK_TOK_TRUE;
    }
    ck_parser_advance(p);
    return e;
}

static struct ck_expr *
missing_expr(struct ck_parser *p)
{
    struct ck_span span = p->token.span;
    if (!ck_parser_reject(p))
        ck_parser_expected(p, "an expression");
    return ck_parser_error_expr(p, span);
}

/* atom: NAME | INT | FLOAT | IMAGINARY | strings | 'True' | 'False' | 'None' | bracketed */
static struct ck_expr *
parse_atom(struct ck_parser *p)
{
    switch (p->token.kind) {
    case CK_TOK_NAME:
        return parse_literal(p, CK_EXPR_NAME);
    case CK_TOK_INT:
        return parse_literal(p, CK_EXPR_INT);
    case CK_TOK_FLOAT:
        return parse_literal(p, CK_EXPR_FLOAT);
    case CK_TOK_IMAGINARY:
        return parse_literal(p, CK_EXPR_IMAGINARY);
    case CK_TOK_TRUE:
    case CK_TOK_FALSE:
        return parse_literal(p, CK_EXPR_BOOL);
    case CK_TOK_NONE:
        return parse_literal(p, CK_EXPR_NONE);
    case CK_TOK_STRING:
    case CK_TOK_FSTRING:
    case CK_TOK_BAD_LITERAL:
        return finish(p, ck_parser_strings(p));
    case CK_TOK_LPAREN:
    case CK_TOK_LBRACKET:
    case CK_TOK_LBRACE:
        return parse_bracketed(p);
    default:
        return missing_expr(p);
    }
}

/* --- Calls, attributes, subscripts ---------------------------------------------------------------
 */

struct argument_list {
    struct ck_argument *items;
    int n, capacity;
};

/* No call takes more keywords than are compared here. */
static void
reject_repeated(struct ck_parser *p, const struct argument_list *out, const struct ck_argument *arg)
{
    enum { MOST_KEYWORDS = 64 };
    for (int i = 0; i < out->n && i < MOST_KEYWORDS; i++) {
        if (!out->items[i].name || strcmp(out->items[i].name, arg->name) != 0)
            continue;
        ck_diag_add(p->diags, CK_DIAG_SYNTAX, arg->name_span,
                    ck_arena_printf(p->arena, "keyword argument `%s` is given twice", arg->name));
        p->failed = true;
        return;
    }
}

/* argument: [NAME '='] starred */
static void
parse_argument(struct ck_parser *p, struct argument_list *out)
{
    struct ck_argument arg = {0};
    if (p->token.kind == CK_TOK_DOUBLE_STAR) {
        ck_parser_unsupported(p, p->token.span, "arguments from a dict (`**`)",
                              "write the arguments out");
        return;
    }
    arg.value = parse_starred(p);
    if (arg.value->kind == CK_EXPR_STARRED)
        arg.value->starred = ck_parser_name_once(p, arg.value->starred);
    bool is_name = arg.value->kind == CK_EXPR_NAME && !arg.value->parenthesized;
    if (is_name && ck_parser_accept(p, CK_TOK_ASSIGN)) {
        arg.name = arg.value->name;
        arg.name_span = arg.value->span;
        arg.value = ck_parser_expr(p);
        reject_repeated(p, out, &arg);
    } else if (out->n > 0 && out->items[out->n - 1].name && !p->panic) {
        ck_diag_add(p->diags, CK_DIAG_SYNTAX, arg.value->span,
                    "positional argument follows a keyword argument");
        p->failed = true;
        arg.name = "";
        arg.name_span = arg.value->span;
    }
    arg.value = parse_comprehension(p, arg.value, false);
    CK_PUSH(p->arena, out->items, out->n, out->capacity, arg);
}

/* call: callee '(' [argument (',' argument)* [',']] ')' */
static struct ck_expr *
parse_call(struct ck_parser *p, struct ck_expr *callee)
{
    struct argument_list args = {0};
    ck_parser_advance(p);
    while (p->token.kind != CK_TOK_RPAREN && !p->panic) {
        parse_argument(p, &args);
        if (!ck_parser_accept(p, CK_TOK_COMMA))
            break;
    }
    if (!ck_parser_accept(p, CK_TOK_RPAREN))
        ck_parser_expected(p, args.n ? "`,` or `)`" : "an argument or `)`");
    struct ck_expr *e = ck_parser_new_expr(p, CK_EXPR_CALL, ck_parser_since(p, callee->span.start));
    e->call.callee = callee;
    e->call.args = args.items;
    e->call.n_args = args.n;
    adopt(e, callee);
    for (int i = 0; i < args.n; i++)
        adopt(e, args.items[i].value);
    return finish(p, e);
}

/* A component of a slice, which may be absent. */
static struct ck_expr *
parse_slice_part(struct ck_parser *p)
{
    bool absent = p->token.kind == CK_TOK_COLON || p->token.kind == CK_TOK_COMMA ||
                  p->token.kind == CK_TOK_RBRACKET;
    return absent ? NULL : ck_parser_expr(p);
}

/* index: '...' | expr | [expr] ':' [expr] [':' [expr]] */
static struct ck_expr *
parse_index(struct ck_parser *p)
{
    uint32_t begin = p->token.span.start;
    if (p->token.kind == CK_TOK_RBRACKET || p->token.kind == CK_TOK_COMMA) {
        ck_parser_expected(p, "an index");
        return ck_parser_error_expr(p, p->token.span);
    }
    if (ck_parser_accept(p, CK_TOK_ELLIPSIS)) {
        struct ck_expr *rest = ck_parser_new_expr(p, CK_EXPR_SLICE, ck_parser_since(p, begin));
        rest->slice.is_rest = true;
        return finish(p, rest);
    }
    struct ck_expr *start = parse_slice_part(p);
    if (!ck_parser_accept(p, CK_TOK_COLON))
        return start;
    struct ck_expr *stop = parse_slice_part(p);
    struct ck_expr *step = ck_parser_accept(p, CK_TOK_COLON) ? parse_slice_part(p) : NULL;
    struct ck_expr *e = ck_parser_new_expr(p, CK_EXPR_SLICE, ck_parser_since(p, begin));
    e->slice.start = start;
    e->slice.stop = stop;
    e->slice.step = step;
    adopt(e, start);
    adopt(e, stop);
    adopt(e, step);
    return finish(p, e);
}

/* Whether `[as]` after the object is a unit of dates, attoseconds, as texts of types have it. */
static bool
takes_unit(const struct ck_expr *object)
{
    const char *name = object->kind == CK_EXPR_NAME        ? object->name
                       : object->kind == CK_EXPR_ATTRIBUTE ? object->attribute.name
                                                           : "";
    return strcmp(name, "datetime64") == 0 || strcmp(name, "timedelta64") == 0;
}

static struct ck_expr *
parse_unit(struct ck_parser *p)
{
    struct ck_expr *unit = ck_parser_new_expr(p, CK_EXPR_NAME, p->token.span);
    unit->name = "as";
    ck_parser_advance(p);
    return unit;
}

/* subscript: object '[' (index (',' index)* [','] | 'as') ']' */
static struct ck_expr *
parse_subscript(struct ck_parser *p, struct ck_expr *object)
{
    struct expr_list indices = {0};
    ck_parser_advance(p);
    const bool is_unit = p->token.kind == CK_TOK_AS && takes_unit(object);
    do
        push(p, &indices, is_unit ? parse_unit(p) : parse_index(p));
    while (ck_parser_accept(p, CK_TOK_COMMA) && p->token.kind != CK_TOK_RBRACKET);
    if (!ck_parser_accept(p, CK_TOK_RBRACKET))
        ck_parser_expected(p, "`,` or `]`");
    struct ck_expr *e =
        ck_parser_new_expr(p, CK_EXPR_SUBSCRIPT, ck_parser_since(p, object->span.start));
    e->subscript.object = object;
    e->subscript.indices = indices.items;
    e->subscript.n_indices = indices.n;
    adopt(e, object);
    adopt_all(e, indices.items, indices.n);
    return finish(p, e);
}

/* attribute: object '.' NAME */
static struct ck_expr *
parse_attribute(struct ck_parser *p, struct ck_expr *object)
{
    ck_parser_advance(p);
    struct ck_span name_span = p->token.span;
    const char *name = ck_parser_name(p, "a name");
    if (!name)
        return ck_parser_error_expr(p, object->span);
    struct ck_expr *e =
        ck_parser_new_expr(p, CK_EXPR_ATTRIBUTE, ck_parser_since(p, object->span.start));
    e->attribute.object = object;
    e->attribute.name = name;
    e->attribute.name_span = name_span;
    adopt(e, object);
    return finish(p, e);
}

/* primary: atom (call | subscript | attribute)* */
static struct ck_expr *
parse_primary(struct ck_parser *p)
{
    struct ck_expr *e = parse_atom(p);
    for (;;) {
        enum ck_token_kind kind = p->token.kind;
        if (kind == CK_TOK_DOT) {
            e = parse_attribute(p, e);
        } else if (kind == CK_TOK_LPAREN || kind == CK_TOK_LBRACKET) {
            if (!ck_parser_enter(p))
                return e;
            e = kind == CK_TOK_LPAREN ? parse_call(p, e) : parse_subscript(p, e);
            ck_parser_leave(p);
        } else {
            return e;
        }
    }
}

/* --- Operators -----------------------------------------------------------------------------------
 */

static struct ck_expr *parse_unary(struct ck_parser *p);

static struct ck_expr *
new_binary(struct ck_parser *p, enum ck_binary_op op, struct ck_span op_span, struct ck_expr *left,
           struct ck_expr *right)
{
    struct ck_expr *e =
        ck_parser_new_expr(p, CK_EXPR_BINARY, ck_span_join(left->span, right->span));
    e->binary.op = op;
    e->binary.op_span = op_span;
    e->binary.left = left;
    e->binary.right = right;
    adopt(e, left);
    adopt(e, right);
    return finish(p, e);
}

/* An operator before its operand: one level deeper. */
static struct ck_expr *
parse_prefix(struct ck_parser *p, enum ck_unary_op op, struct ck_expr *(*parse)(struct ck_parser *))
{
    struct ck_span span = p->token.span;
    if (!ck_parser_enter(p))
        return ck_parser_error_expr(p, span);
    ck_parser_advance(p);
    struct ck_expr *operand = parse(p);
    ck_parser_leave(p);
    struct ck_expr *e = ck_parser_new_expr(p, CK_EXPR_UNARY, ck_parser_since(p, span.start));
    e->unary.op = op;
    e->unary.operand = operand;
    adopt(e, operand);
    return finish(p, e);
}

/* power: primary ['**' unary]  -- so `-x ** 2` is `-(x ** 2)`, and `2 ** -1` needs no brackets */
static struct ck_expr *
parse_power(struct ck_parser *p)
{
    struct ck_expr *base = parse_primary(p);
    struct ck_span op_span = p->token.span;
    if (p->token.kind != CK_TOK_DOUBLE_STAR || !ck_parser_enter(p))
        return base;
    ck_parser_advance(p);
    struct ck_expr *exponent = parse_unary(p);
    ck_parser_leave(p);
    return new_binary(p, CK_OP_POW, op_span, base, exponent);
}

/* unary: ('-' | '+' | '~') unary | power */
static struct ck_expr *
parse_unary(struct ck_parser *p)
{
    switch (p->token.kind) {
    case CK_TOK_MINUS:
        return parse_prefix(p, CK_OP_NEG, parse_unary);
    case CK_TOK_PLUS:
        return parse_prefix(p, CK_OP_POS, parse_unary);
    case CK_TOK_TILDE:
        return parse_prefix(p, CK_OP_INVERT, parse_unary);
    default:
        return parse_power(p);
    }
}

/* Binary operators, loosest first; 0: none. */
static const struct {
    int level;
    enum ck_binary_op op;
} binary_ops[CK_N_TOKENS] = {
    [CK_TOK_BAR] = {1, CK_OP_OR},        [CK_TOK_CARET] = {2, CK_OP_XOR},
    [CK_TOK_AMPERSAND] = {3, CK_OP_AND}, [CK_TOK_LSHIFT] = {4, CK_OP_SHL},
    [CK_TOK_RSHIFT] = {4, CK_OP_SHR},    [CK_TOK_PLUS] = {5, CK_OP_ADD},
    [CK_TOK_MINUS] = {5, CK_OP_SUB},     [CK_TOK_STAR] = {6, CK_OP_MUL},
    [CK_TOK_SLASH] = {6, CK_OP_DIV},     [CK_TOK_DOUBLE_SLASH] = {6, CK_OP_FLOORDIV},
    [CK_TOK_PERCENT] = {6, CK_OP_MOD},
};

/* binary: unary (OPERATOR unary)*  -- operators of `level` and tighter; all group to the left */
static struct ck_expr *
parse_binary(struct ck_parser *p, int level)
{
    struct ck_expr *left = parse_unary(p);
    for (;;) {
        enum ck_token_kind kind = p->token.kind;
        struct ck_span op_span = p->token.span;
        if (kind == CK_TOK_AT) {
            ck_parser_unsupported(p, op_span, "matrix products (`@`)",
                                  "write the loops over rows, columns and the common axis");
            return left;
        }
        if (binary_ops[kind].level < level || binary_ops[kind].level == 0)
            return left;
        ck_parser_advance(p);
        struct ck_expr *right = parse_binary(p, binary_ops[kind].level + 1);
        left = new_binary(p, binary_ops[kind].op, op_span, left, right);
    }
}

/* compare_op: '<' | '<=' | '>' | '>=' | '==' | '!=' | 'is' ['not'] | ['not'] 'in' */
static bool
accept_compare_op(struct ck_parser *p, enum ck_compare_op *op)
{
    static const struct {
        bool is_op;
        enum ck_compare_op op;
    } ops[CK_N_TOKENS] = {
        [CK_TOK_LESS] = {true, CK_CMP_LT},        [CK_TOK_LESS_EQUAL] = {true, CK_CMP_LE},
        [CK_TOK_GREATER] = {true, CK_CMP_GT},     [CK_TOK_GREATER_EQUAL] = {true, CK_CMP_GE},
        [CK_TOK_EQUAL_EQUAL] = {true, CK_CMP_EQ}, [CK_TOK_NOT_EQUAL] = {true, CK_CMP_NE},
        [CK_TOK_IS] = {true, CK_CMP_IS},          [CK_TOK_IN] = {true, CK_CMP_IN},
        [CK_TOK_NOT] = {true, CK_CMP_NOT_IN},
    };
    enum ck_token_kind kind = p->token.kind;
    if (!ops[kind].is_op)
        return false;
    *op = ops[kind].op;
    ck_parser_advance(p);
    if (kind == CK_TOK_NOT)
        return ck_parser_expect(p, CK_TOK_IN);
    if (kind == CK_TOK_IS && ck_parser_accept(p, CK_TOK_NOT))
        *op = CK_CMP_IS_NOT;
    return true;
}

struct compare_ops {
    enum ck_compare_op *items;
    int n, capacity;
};

/* comparison: binary (compare_op binary)* */
static struct ck_expr *
parse_comparison(struct ck_parser *p)
{
    struct ck_expr *first = parse_binary(p, 1);
    struct expr_list operands = {0};
    struct compare_ops ops = {0};
    enum ck_compare_op op;
    while (accept_compare_op(p, &op)) {
        if (ops.n == 0)
            push(p, &operands, first);
        CK_PUSH(p->arena, ops.items, ops.n, ops.capacity, op);
        push(p, &operands, parse_binary(p, 1));
    }
    if (ops.n == 0)
        return first;
    struct ck_expr *e =
        ck_parser_new_expr(p, CK_EXPR_COMPARE, ck_parser_since(p, first->span.start));
    e->compare.operands = operands.items;
    e->compare.ops = ops.items;
    e->compare.n_ops = ops.n;
    adopt_chain(e, operands.items, operands.n);
    return finish(p, e);
}

/* inversion: 'not' inversion | comparison */
static struct ck_expr *
parse_inversion(struct ck_parser *p)
{
    if (p->token.kind == CK_TOK_NOT)
        return parse_prefix(p, CK_OP_NOT, parse_inversion);
    return parse_comparison(p);
}

/* conjunction: inversion ('and' inversion)*
 * disjunction: conjunction ('or' conjunction)* */
static struct ck_expr *
parse_logical(struct ck_parser *p, bool is_or)
{
    enum ck_token_kind word = is_or ? CK_TOK_OR : CK_TOK_AND;
    struct ck_expr *first = is_or ? parse_logical(p, false) : parse_inversion(p);
    if (p->token.kind != word)
        return first;
    struct expr_list operands = {0};
    push(p, &operands, first);
    while (ck_parser_accept(p, word))
        push(p, &operands, is_or ? parse_logical(p, false) : parse_inversion(p));
    struct ck_expr *e =
        ck_parser_new_expr(p, CK_EXPR_LOGICAL, ck_parser_since(p, first->span.start));
    e->logical.is_or = is_or;
    e->logical.operands = operands.items;
    e->logical.n = operands.n;
    adopt_chain(e, operands.items, operands.n);
    return finish(p, e);
}

struct ck_expr *
ck_parser_disjunction(struct ck_parser *p)
{
    return parse_logical(p, true);
}

/* The rest of `then if test else otherwise`, at its `if`. */
static struct ck_expr *
parse_conditional(struct ck_parser *p, struct ck_expr *then)
{
    if (!ck_parser_enter(p))
        return then;
    ck_parser_advance(p);
    struct ck_expr *test = parse_logical(p, true);
    struct ck_expr *otherwise =
        ck_parser_expect(p, CK_TOK_ELSE) ? ck_parser_expr(p) : ck_parser_error_expr(p, test->span);
    ck_parser_leave(p);
    struct ck_expr *e =
        ck_parser_new_expr(p, CK_EXPR_CONDITIONAL, ck_parser_since(p, then->span.start));
    e->conditional.test = test;
    e->conditional.then = then;
    e->conditional.otherwise = otherwise;
    adopt(e, test);
    adopt(e, then);
    adopt(e, otherwise);
    return finish(p, e);
}

/* lambda: 'lambda' params ':' expr */
static struct ck_expr *
parse_lambda(struct ck_parser *p)
{
    struct ck_expr *e = ck_parser_new_expr(p, CK_EXPR_FUNCTION, p->token.span);
    if (!ck_parser_enter(p))
        return ck_parser_error_expr(p, e->span);
    struct ck_function *f = CK_NEW(p->arena, struct ck_function);
    struct ck_stmt *result = CK_NEW(p->arena, struct ck_stmt);
    struct ck_stmt_list body = {0};
    int errors = p->diags->n_errors;
    ck_parser_advance(p);
    f->name = "lambda";
    f->name_span = e->span;
    ck_parser_params(p, f, false);
    ck_parser_expect(p, CK_TOK_COLON);
    f->span = ck_parser_since(p, e->span.start);
    const bool takes_named = p->takes_named;
    p->takes_named = true;
    result->kind = CK_STMT_RETURN;
    result->expr = ck_parser_expr(p);
    result->span = result->expr->span;
    p->takes_named = takes_named;
    adopt(e, result->expr);
    ck_parser_hoist_named(p, result, &body);
    CK_PUSH(p->arena, body.items, body.n, body.capacity, result);
    f->broken = p->diags->n_errors > errors;
    f->body = (struct ck_block){body.items, body.n, result->span};
    ck_parser_leave(p);
    e->function = f;
    e->span = ck_parser_since(p, e->span.start);
    return finish(p, e);
}

/* The rest of `NAME := value`, at its `:=`. */
static struct ck_expr *
parse_named(struct ck_parser *p, struct ck_expr *target)
{
    if (!p->takes_named || target->kind != CK_EXPR_NAME || target->parenthesized) {
        ck_parser_reject(p);
        return target;
    }
    if (!ck_parser_enter(p))
        return target;
    ck_parser_advance(p);
    struct ck_expr *value = ck_parser_expr(p);
    ck_parser_leave(p);
    struct ck_expr *e =
        ck_parser_new_expr(p, CK_EXPR_NAMED, ck_parser_since(p, target->span.start));
    e->named.target = target;
    e->named.value = value;
    adopt(e, value);
    return finish(p, e);
}

/* expr: lambda | disjunction ['if' disjunction 'else' expr] | NAME ':=' expr */
struct ck_expr *
ck_parser_expr(struct ck_parser *p)
{
    if (p->token.kind == CK_TOK_LAMBDA)
        return parse_lambda(p);
    struct ck_expr *e = parse_logical(p, true);
    if (p->token.kind == CK_TOK_IF)
        e = parse_conditional(p, e);
    if (p->token.kind == CK_TOK_WALRUS)
        e = parse_named(p, e);
    return e;
}

struct ck_expr *
ck_parser_plain_expr(struct ck_parser *p)
{
    const bool takes_named = p->takes_named;
    p->takes_named = false;
    struct ck_expr *e = ck_parser_expr(p);
    p->takes_named = takes_named;
    return e;
}

/* --- Lists without brackets ----------------------------------------------------------------------
 */

/* What may follow a trailing comma. */
static bool
ends_list(enum ck_token_kind kind)
{
    return kind == CK_TOK_NEWLINE || kind == CK_TOK_END || kind == CK_TOK_ASSIGN ||
           kind == CK_TOK_SEMICOLON || kind == CK_TOK_COLON || kind == CK_TOK_IN ||
           kind == CK_TOK_RPAREN || kind == CK_TOK_RBRACKET;
}

static struct ck_expr *
parse_tuple(struct ck_parser *p, struct ck_expr *(*parse)(struct ck_parser *))
{
    uint32_t start = p->token.span.start;
    const char *hint = p->token.kind == CK_TOK_STAR ? ck_parser_hint(p, "") : NULL;
    struct ck_expr *first = parse(p);
    if (p->token.kind != CK_TOK_COMMA)
        return reject_alone(p, first, hint);
    struct expr_list items = {0};
    push(p, &items, first);
    while (ck_parser_accept(p, CK_TOK_COMMA) && !ends_list(p->token.kind))
        push(p, &items, parse(p));
    return new_tuple(p, start, items);
}

/* expr_list: expr (',' expr)* [','] */
struct ck_expr *
ck_parser_expr_list(struct ck_parser *p)
{
    return parse_tuple(p, parse_starred);
}

static struct ck_expr *
parse_for_target(struct ck_parser *p)
{
    return parse_binary(p, 1);
}

/* for_targets: binary (',' binary)* [',']  -- a comparison would take the `in` */
struct ck_expr *
ck_parser_for_targets(struct ck_parser *p)
{
    return parse_tuple(p, parse_for_target);
}
