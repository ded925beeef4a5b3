/* The parser, part four: host code, which is passed over token by token. */
#include "lang/syntax/parser.h"

bool
ck_parser_is_lexical(const struct ck_diag *diag)
{
    return diag->id == CK_DIAG_BAD_CHARACTER || diag->id == CK_DIAG_BAD_NUMBER ||
           diag->id == CK_DIAG_BAD_STRING || diag->id == CK_DIAG_MIXED_TABS ||
           diag->id == CK_DIAG_BAD_INDENTATION || diag->id == CK_DIAG_UNCLOSED_BRACKET ||
           diag->id == CK_DIAG_NOT_UTF8 || diag->id == CK_DIAG_TOO_DEEP;
}

static void
add_name(struct ck_parser *p, struct ck_item_list *out, const struct ck_token *name)
{
    ck_parser_add_item(p, out, CK_ITEM_HOST, name->span)->host_name = name->name;
}

void
ck_parser_note_globals(struct ck_parser *p, struct ck_item_list *out)
{
    do {
        ck_parser_advance(p);
        if (p->token.kind != CK_TOK_NAME)
            return;
        add_name(p, out, &p->token);
        ck_parser_advance(p);
    } while (p->token.kind == CK_TOK_COMMA);
}

struct token_list {
    struct ck_token *items;
    int n, capacity;
};

void
ck_parser_skip_suite(struct ck_parser *p)
{
    while (p->token.kind > CK_TOK_DEDENT)
        ck_parser_advance(p);
    ck_parser_end_line(p);
    for (int depth = 0; p->token.kind == CK_TOK_INDENT || depth > 0; ck_parser_advance(p)) {
        depth += (p->token.kind == CK_TOK_INDENT) - (p->token.kind == CK_TOK_DEDENT);
        if (p->token.kind == CK_TOK_END)
            return;
    }
}

/* `def`, `class`: the name is bound, what the block binds is local. */
static void
skip_definition(struct ck_parser *p, struct ck_item_list *out)
{
    ck_parser_advance(p);
    if (p->token.kind == CK_TOK_NAME)
        add_name(p, out, &p->token);
    ck_parser_skip_suite(p);
}

static bool
is_assignment(enum ck_token_kind kind)
{
    return (kind >= CK_TOK_ASSIGN && kind <= CK_TOK_AT_ASSIGN) || kind == CK_TOK_WALRUS;
}

/* One logical line. It binds the names before `=`, between `for` and `in`, and after `as`. */
static void
skip_line(struct ck_parser *p, struct ck_item_list *out)
{
    struct token_list names = {0};
    enum ck_token_kind before = CK_TOK_NEWLINE, first = p->token.kind;
    while (p->token.kind > CK_TOK_DEDENT) {
        enum ck_token_kind kind = p->token.kind;
        bool binds = (is_assignment(kind) && ck_lexer_open_bracket(&p->lexer) < 0) ||
                     kind == CK_TOK_WALRUS || (kind == CK_TOK_IN && first == CK_TOK_FOR);
        if (kind == CK_TOK_NAME && before == CK_TOK_AS)
            add_name(p, out, &p->token);
        else if (kind == CK_TOK_NAME && before != CK_TOK_DOT)
            CK_PUSH(p->arena, names.items, names.n, names.capacity, p->token);
        for (int i = 0; binds && i < names.n; i++)
            add_name(p, out, &names.items[i]);
        names.n = binds ? 0 : names.n;
        before = kind;
        ck_parser_advance(p);
    }
    ck_parser_end_line(p);
}

static bool
is_clause(enum ck_token_kind kind)
{
    return kind == CK_TOK_ELIF || kind == CK_TOK_ELSE || kind == CK_TOK_EXCEPT ||
           kind == CK_TOK_FINALLY;
}

static void
skip_lines(struct ck_parser *p, struct ck_item_list *out)
{
    int depth = 0;
    do {
        switch (p->token.kind) {
        case CK_TOK_INDENT:
        case CK_TOK_DEDENT:
            depth += p->token.kind == CK_TOK_INDENT ? 1 : -1;
            ck_parser_advance(p);
            break;
        case CK_TOK_ASYNC:
        case CK_TOK_BAD:
        case CK_TOK_NEWLINE:
            ck_parser_advance(p);
            break;
        case CK_TOK_DEF:
        case CK_TOK_CLASS:
            skip_definition(p, out);
            break;
        case CK_TOK_IMPORT:
        case CK_TOK_FROM:
            ck_parser_imports(p, out);
            break;
        default:
            skip_line(p, out);
            break;
        }
    } while (p->token.kind != CK_TOK_END && (depth > 0 || p->token.kind == CK_TOK_INDENT));
}

void
ck_parser_skip_host(struct ck_parser *p, struct ck_item_list *out)
{
    struct ck_diags_mark mark = ck_diags_mark(p->diags);
    do
        skip_lines(p, out);
    while (is_clause(p->token.kind));
    ck_diags_take(p->diags, mark, ck_parser_is_lexical);
}

void
ck_parser_note_binding(struct ck_parser *p, struct ck_item_list *out, const struct ck_stmt *stmt)
{
    const struct ck_expr *target = stmt->kind == CK_STMT_AUGASSIGN ? stmt->augassign.target : NULL;
    if (target && target->kind == CK_EXPR_NAME) {
        struct ck_token name = {.kind = CK_TOK_NAME, .span = target->span, .name = target->name};
        add_name(p, out, &name);
    }
}
