/* The parser, part six: classes of the module. They are host code, but for those of
 * typing.NamedTuple and enum.IntEnum: `class Point(NamedTuple)` is read as `Point =
 * namedtuple("Point", [...])`, and `class Color(IntEnum)` as one such tuple,
 * `Color = namedtuple("Color", [...], defaults=(...))()`. */
#include <string.h>

#include "lang/syntax/parser.h"

/* --- Nodes ---------------------------------------------------------------------------------------
 */

static struct ck_expr *
name_expr(struct ck_parser *p, const char *name, struct ck_span span)
{
    struct ck_expr *e = ck_parser_new_expr(p, CK_EXPR_NAME, span);
    e->name = name;
    return e;
}

static struct ck_expr *
string_expr(struct ck_parser *p, const char *text, struct ck_span span)
{
    struct ck_expr *e = ck_parser_new_expr(p, CK_EXPR_STRING, span);
    e->string.bytes = text;
    e->string.length = (uint32_t)strlen(text);
    return e;
}

struct expr_list {
    struct ck_expr **items;
    int n, capacity;
};

static struct ck_expr *
sequence_expr(struct ck_parser *p, enum ck_expr_kind kind, const struct expr_list *list,
              struct ck_span span)
{
    struct ck_expr *e = ck_parser_new_expr(p, kind, span);
    e->sequence.items = list->items;
    e->sequence.n = list->n;
    e->depth = 2;
    for (int i = 0; i < list->n; i++) {
        if (list->items[i]->depth >= e->depth)
            e->depth = (uint16_t)(list->items[i]->depth + 1);
    }
    return e;
}

/* --- Fields --------------------------------------------------------------------------------------
 */

enum base { BASE_OTHER, BASE_NAMED_TUPLE, BASE_INT_ENUM };

struct class
{
    enum base base;
    const char *name;
    struct ck_span name_span;
    struct expr_list fields, defaults;
};

/* An annotation is ignored, as Python ignores it: up to `=`, `;` or the line's end. */
static void
skip_annotation(struct ck_parser *p)
{
    while (p->token.kind > CK_TOK_DEDENT &&
           ((p->token.kind != CK_TOK_ASSIGN && p->token.kind != CK_TOK_SEMICOLON) ||
            ck_lexer_open_bracket(&p->lexer) >= 0))
        ck_parser_advance(p);
}

/* field: NAME ':' annotation ['=' expr] (';' | NEWLINE) */
static void
parse_field(struct ck_parser *p, struct class *class, const struct ck_token *name)
{
    struct ck_expr *field = string_expr(p, name->name, name->span);
    CK_PUSH(p->arena, class->fields.items, class->fields.n, class->fields.capacity, field);
    skip_annotation(p);
    if (ck_parser_accept(p, CK_TOK_ASSIGN)) {
        struct ck_expr *value = ck_parser_expr(p);
        CK_PUSH(p->arena, class->defaults.items, class->defaults.n, class->defaults.capacity,
                value);
    } else if (class->defaults.n) {
        ck_diag_add(p->diags, CK_DIAG_SYNTAX, name->span,
                    "field without a default value follows one with a default value");
    }
    if (!ck_parser_accept(p, CK_TOK_SEMICOLON) || p->token.kind == CK_TOK_NEWLINE)
        ck_parser_end_line(p);
}

/* `auto()`, or `enum.auto()` */
static bool
is_auto(const struct ck_expr *value)
{
    if (value->kind != CK_EXPR_CALL || value->call.n_args)
        return false;
    const struct ck_expr *callee = value->call.callee;
    const char *name = callee->kind == CK_EXPR_NAME        ? callee->name
                       : callee->kind == CK_EXPR_ATTRIBUTE ? callee->attribute.name
                                                           : "";
    return strcmp(name, "auto") == 0;
}

/* The value of `auto()`: 1, or one more than the member before. */
static struct ck_expr *
next_value(struct ck_parser *p, const struct class *class, struct ck_span span)
{
    struct ck_expr *one = ck_parser_new_expr(p, CK_EXPR_INT, span);
    one->integer.value = 1;
    if (!class->defaults.n)
        return one;
    struct ck_expr *sum = ck_parser_new_expr(p, CK_EXPR_BINARY, span);
    sum->binary.op = CK_OP_ADD;
    sum->binary.left = class->defaults.items[class->defaults.n - 1];
    sum->binary.right = one;
    sum->binary.op_span = span;
    sum->depth = (uint16_t)(sum->binary.left->depth + 1);
    return sum;
}

/* member: NAME '=' expr (';' | NEWLINE) */
static void
parse_member(struct ck_parser *p, struct class *class, const struct ck_token *name)
{
    struct ck_expr *member = string_expr(p, name->name, name->span);
    struct ck_expr *value = ck_parser_expr(p);
    if (value->kind == CK_EXPR_FLOAT || value->kind == CK_EXPR_STRING)
        ck_diag_add(p->diags, CK_DIAG_SYNTAX, value->span, "members of an IntEnum are integers");
    if (is_auto(value))
        value = next_value(p, class, value->span);
    CK_PUSH(p->arena, class->fields.items, class->fields.n, class->fields.capacity, member);
    CK_PUSH(p->arena, class->defaults.items, class->defaults.n, class->defaults.capacity, value);
    if (!ck_parser_accept(p, CK_TOK_SEMICOLON) || p->token.kind == CK_TOK_NEWLINE)
        ck_parser_end_line(p);
}

static void
parse_fields(struct ck_parser *p, struct class *class)
{
    const bool is_enum = class->base == BASE_INT_ENUM;
    const enum ck_token_kind mark = is_enum ? CK_TOK_ASSIGN : CK_TOK_COLON;
    ck_parser_advance(p); /* INDENT */
    while (p->token.kind != CK_TOK_DEDENT && p->token.kind != CK_TOK_END) {
        struct ck_token first = p->token;
        if (ck_parser_accept(p, CK_TOK_NAME) && ck_parser_accept(p, mark))
            (is_enum ? parse_member : parse_field)(p, class, &first);
        else /* a docstring, `pass`, a method */
            ck_parser_skip_suite(p);
    }
    ck_parser_accept(p, CK_TOK_DEDENT);
}

/* --- Classes -------------------------------------------------------------------------------------
 */

/* `Point = cuda.namedtuple("Point", [fields], defaults=(values))` */
static struct ck_stmt *
definition(struct ck_parser *p, const struct class *class, struct ck_span span)
{
    struct ck_expr *callee = ck_parser_new_expr(p, CK_EXPR_ATTRIBUTE, span);
    callee->attribute.object = name_expr(p, "cuda", span);
    callee->attribute.name = "namedtuple";
    callee->attribute.name_span = span;
    callee->depth = 2;
    struct ck_expr *call = ck_parser_new_expr(p, CK_EXPR_CALL, span);
    struct ck_expr *fields = sequence_expr(p, CK_EXPR_LIST, &class->fields, span);
    struct ck_expr *defaults = sequence_expr(p, CK_EXPR_TUPLE, &class->defaults, span);
    call->call.callee = callee;
    call->call.n_args = class->defaults.n ? 3 : 2;
    call->call.args = CK_NEW_ARRAY(p->arena, struct ck_argument, 3);
    call->call.args[0].value = string_expr(p, class->name, class->name_span);
    call->call.args[1].value = fields;
    call->call.args[2] = (struct ck_argument){.name = "defaults", .value = defaults};
    call->depth = (uint16_t)((fields->depth > defaults->depth ? fields : defaults)->depth + 1);
    if (class->base == BASE_INT_ENUM) {
        struct ck_expr *make = ck_parser_new_expr(p, CK_EXPR_CALL, span);
        make->call.callee = call;
        make->depth = (uint16_t)(call->depth + 1);
        call = make;
    }
    struct ck_stmt *stmt = CK_NEW(p->arena, struct ck_stmt);
    stmt->kind = CK_STMT_ASSIGN;
    stmt->span = span;
    stmt->assign.targets = CK_NEW_ARRAY(p->arena, struct ck_expr *, 1);
    stmt->assign.targets[0] = name_expr(p, class->name, class->name_span);
    stmt->assign.n_targets = 1;
    stmt->assign.value = call;
    return stmt;
}

static enum base
base_of_name(const char *name)
{
    return strcmp(name, "NamedTuple") == 0 ? BASE_NAMED_TUPLE
           : strcmp(name, "IntEnum") == 0  ? BASE_INT_ENUM
                                           : BASE_OTHER;
}

/* bases: '(' NAME ('.' NAME)* ')' ':'  -- and the line's end; the last name */
static enum base
parse_base(struct ck_parser *p)
{
    enum base base = BASE_OTHER;
    if (!ck_parser_accept(p, CK_TOK_LPAREN))
        return BASE_OTHER;
    while (p->token.kind == CK_TOK_NAME) {
        base = base_of_name(p->token.name);
        ck_parser_advance(p);
        if (!ck_parser_accept(p, CK_TOK_DOT))
            break;
    }
    const bool ends = ck_parser_accept(p, CK_TOK_RPAREN) && ck_parser_accept(p, CK_TOK_COLON) &&
                      p->token.kind == CK_TOK_NEWLINE;
    return ends ? base : BASE_OTHER;
}

void
ck_parser_class(struct ck_parser *p, struct ck_item_list *out)
{
    struct ck_diags_mark mark = ck_diags_mark(p->diags);
    uint32_t start = p->token.span.start;
    struct class class = {0};
    ck_parser_advance(p);
    struct ck_token name = p->token;
    bool is_named = ck_parser_accept(p, CK_TOK_NAME);
    class.base = is_named ? parse_base(p) : BASE_OTHER;
    struct ck_span span = ck_parser_since(p, start);
    if (class.base != BASE_OTHER) {
        class.name = name.name;
        class.name_span = name.span;
        ck_parser_end_line(p);
        if (p->token.kind == CK_TOK_INDENT)
            parse_fields(p, &class);
        struct ck_item *item = ck_parser_add_item(p, out, CK_ITEM_ASSIGN, span);
        item->assign = definition(p, &class, span);
        item->held = ck_diags_take(p->diags, mark, ck_parser_is_lexical);
        return;
    }
    if (is_named)
        ck_parser_add_item(p, out, CK_ITEM_HOST, name.span)->host_name = name.name;
    ck_parser_skip_suite(p);
    ck_diags_take(p->diags, mark, ck_parser_is_lexical);
}
