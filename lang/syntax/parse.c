/* The parser, part one: tokens, errors and recovery, and the module: imports, constants, functions.
 *
 * Recursive descent with one token of lookahead; each grammar rule stands above its function. */
#include <string.h>

#include "lang/syntax/parser.h"

_Static_assert(CK_MAX_SOURCE == 4 << 20, "errors.def's SOURCE_TOO_LARGE says 4 MiB");

/* --- Tokens --------------------------------------------------------------------------------------
 */

static void
init_parser(struct ck_parser *p, struct ck_arena *arena, const char *text, uint32_t length,
            uint32_t base, struct ck_diags *diags)
{
    memset(p, 0, sizeof *p);
    p->arena = arena;
    p->diags = diags;
    p->last_end = base;
    ck_lexer_init(&p->lexer, arena, text, length, base, diags);
}

void
ck_parser_advance(struct ck_parser *p)
{
    if (p->token.kind > CK_TOK_DEDENT)
        p->last_end = p->token.span.end;
    p->token = ck_lexer_next(&p->lexer);
}

bool
ck_parser_accept(struct ck_parser *p, enum ck_token_kind kind)
{
    if (p->token.kind != kind)
        return false;
    ck_parser_advance(p);
    return true;
}

bool
ck_parser_expect(struct ck_parser *p, enum ck_token_kind kind)
{
    if (ck_parser_accept(p, kind))
        return true;
    ck_parser_expected(p, ck_token_text(kind));
    return false;
}

const char *
ck_parser_name(struct ck_parser *p, const char *what)
{
    const char *name = p->token.name;
    if (ck_parser_accept(p, CK_TOK_NAME))
        return name;
    ck_parser_expected(p, what);
    return NULL;
}

struct ck_span
ck_parser_since(const struct ck_parser *p, uint32_t start)
{
    return (struct ck_span){start, p->last_end > start ? p->last_end : start};
}

/* --- Errors --------------------------------------------------------------------------------------
 */

/* Skips to the end of the logical line. `may_cut`: or to a line inside its brackets that looks like
 * a statement. Reports only what is wrong with the brackets and tokens of other text. */
static void
panic(struct ck_parser *p, bool may_cut)
{
    struct ck_diags_mark mark = ck_diags_mark(p->diags);
    p->failed = true;
    if (p->panic)
        return;
    p->panic = true;
    p->diags->quiet += may_cut;
    while (p->token.kind > CK_TOK_DEDENT) {
        if (may_cut && ck_lexer_can_cut(&p->lexer, &p->token))
            ck_lexer_cut(&p->lexer, &p->token);
        ck_parser_advance(p);
    }
    if (!may_cut && p->diags->quiet == 0)
        ck_diags_take(p->diags, mark, ck_parser_is_lexical);
    p->diags->quiet += !may_cut;
}

void
ck_parser_recover(struct ck_parser *p)
{
    panic(p, true);
}

static void
leave_panic(struct ck_parser *p)
{
    p->line_failed = p->panic;
    p->declared = NULL;
    if (!p->panic)
        return;
    p->panic = false;
    p->diags->quiet--;
}

void
ck_parser_end_line(struct ck_parser *p)
{
    if (p->token.kind != CK_TOK_NEWLINE && p->token.kind != CK_TOK_END)
        ck_parser_expected(p, "end of line");
    leave_panic(p);
    ck_parser_accept(p, CK_TOK_NEWLINE);
}

void
ck_parser_skip_block(struct ck_parser *p)
{
    int depth = 0;
    if (p->token.kind != CK_TOK_INDENT)
        return;
    p->diags->quiet++;
    do {
        depth += (p->token.kind == CK_TOK_INDENT) - (p->token.kind == CK_TOK_DEDENT);
        if (depth > 0)
            ck_parser_advance(p);
    } while (depth > 0 && p->token.kind != CK_TOK_END);
    p->diags->quiet--;
    ck_parser_accept(p, CK_TOK_DEDENT);
}

static bool
is_clause(enum ck_token_kind kind)
{
    return kind == CK_TOK_ELIF || kind == CK_TOK_ELSE || kind == CK_TOK_EXCEPT ||
           kind == CK_TOK_FINALLY;
}

void
ck_parser_skip_statement(struct ck_parser *p)
{
    do {
        ck_parser_recover(p);
        ck_parser_end_line(p);
        ck_parser_skip_block(p);
    } while (is_clause(p->token.kind));
}

/* Labels the open bracket if it is on an earlier line: it may be the cause. */
static void
add_bracket(const struct ck_parser *p, struct ck_diag *d)
{
    int64_t open = ck_lexer_open_bracket(&p->lexer);
    if (open < 0 || p->lexer.flat || open >= (int64_t)p->token.span.start)
        return;
    const char *from = p->lexer.text + (open - p->lexer.base);
    size_t length = p->token.span.start - (size_t)open;
    if (memchr(from, '\n', length) || memchr(from, '\r', length))
        ck_diag_label(p->diags, d, (struct ck_span){(uint32_t)open, (uint32_t)open + 1},
                      "`%c` was opened here", *from);
}

/* The token as a message shows it: names and numbers as written. */
static const char *
describe_token(const struct ck_parser *p)
{
    enum { LONGEST = 40 };
    const struct ck_token *token = &p->token;
    const char *text = p->lexer.text + (token->span.start - p->lexer.base);
    int length = (int)(token->span.end - token->span.start);
    bool as_written = token->kind >= CK_TOK_NAME && token->kind <= CK_TOK_IMAGINARY;
    if (token->kind >= CK_TOK_FALSE)
        return ck_arena_printf(p->arena, "keyword %s", ck_token_text(token->kind));
    if (!as_written || length > LONGEST)
        return ck_token_text(token->kind);
    return ck_arena_printf(p->arena, "`%.*s`", length, text);
}

/* Reports a bracket that is not closed before the next logical line begins. */
static void
report_unclosed(struct ck_parser *p)
{
    int64_t open = ck_lexer_open_bracket(&p->lexer);
    if (open < 0) /* nested deeper than is recorded: reported elsewhere */
        return;
    struct ck_span span = {(uint32_t)open, (uint32_t)open + 1};
    ck_diag_add(p->diags, CK_DIAG_UNCLOSED_BRACKET, span, p->lexer.text[open - p->lexer.base]);
}

void
ck_parser_expected(struct ck_parser *p, const char *what)
{
    enum ck_token_kind found = p->token.kind;
    if (!p->panic && ck_lexer_can_cut(&p->lexer, &p->token)) {
        report_unclosed(p);
    } else if (!p->panic && found != CK_TOK_BAD && found != CK_TOK_BAD_LITERAL) {
        bool is_layout = found <= CK_TOK_DEDENT;
        struct ck_span span =
            is_layout ? (struct ck_span){p->last_end, p->last_end} : p->token.span;
        struct ck_diag *d = ck_diag_add(
            p->diags, CK_DIAG_SYNTAX, span,
            ck_arena_printf(p->arena, "expected %s, found %s", what, describe_token(p)));
        add_bracket(p, d);
        const char *hint = d == &p->diags->dummy ? NULL : ck_parser_hint(p, what);
        if (hint)
            ck_diag_help(p->diags, d, "%s", hint);
    }
    ck_parser_recover(p);
}

void
ck_parser_unsupported(struct ck_parser *p, struct ck_span span, const char *what, const char *help)
{
    struct ck_diag *d = ck_diag_add(p->diags, CK_DIAG_UNSUPPORTED_SYNTAX, span, what);
    if (help)
        ck_diag_help(p->diags, d, "%s", help);
    panic(p, false); /* the construct is Python's: its brackets are closed */
}

/* Tokens that begin a construct that Python has and ck lacks. */
static const struct {
    const char *what, *help;
} rejected[CK_N_TOKENS] = {
    [CK_TOK_YIELD] = {"`yield` and generators", "return a tuple, or store to an array"},
    [CK_TOK_AWAIT] = {"`await` expressions", "kernels synchronise with barriers"},
    [CK_TOK_ASYNC] = {"`async` constructs", "write a plain function, `for` or `if`"},
    [CK_TOK_CLASS] = {"classes", "use functions, and arrays or tuples for data"},
    [CK_TOK_TRY] = {"`try` statements", "test for the error with `if`"},
    [CK_TOK_EXCEPT] = {"`except` clauses", "test for the error with `if`"},
    [CK_TOK_FINALLY] = {"`finally` clauses", "test for the error with `if`"},
    [CK_TOK_WITH] = {"`with` statements", "call what is needed before and after"},
    [CK_TOK_GLOBAL] = {"`global` statements", "pass the value as a parameter and return it"},
    [CK_TOK_NONLOCAL] = {"`nonlocal` statements", "pass the value as a parameter and return it"},
    [CK_TOK_STAR] = {"starred expressions", "write the items out"},
    [CK_TOK_DOUBLE_STAR] = {"starred expressions", "write the items out"},
    [CK_TOK_ELLIPSIS] = {"`...` expressions", "write `pass` for an empty body"},
    [CK_TOK_WALRUS] = {"assignment expressions (`:=`) here", "assign in a statement before"},
};

bool
ck_parser_reject(struct ck_parser *p)
{
    const char *what = rejected[p->token.kind].what;
    struct ck_span span = p->token.span;
    const char *hint = p->token.kind == CK_TOK_STAR ? ck_parser_hint(p, "") : NULL;
    const char *help = hint ? hint : rejected[p->token.kind].help;
    if (p->token.kind == CK_TOK_GLOBAL && p->items)
        ck_parser_note_globals(p, p->items);
    if (what)
        ck_parser_unsupported(p, span, what, help);
    return what != NULL;
}

bool
ck_parser_enter(struct ck_parser *p)
{
    if (p->nesting < CK_MAX_NESTING) {
        p->nesting++;
        return true;
    }
    ck_diag_add(p->diags, CK_DIAG_TOO_DEEP, p->token.span,
                ck_arena_printf(p->arena,
                                "more than %d brackets, operators or blocks within each other",
                                CK_MAX_NESTING));
    ck_parser_recover(p);
    return false;
}

void
ck_parser_leave(struct ck_parser *p)
{
    p->nesting--;
}

/* --- Imports -------------------------------------------------------------------------------------
 */

struct ck_item *
ck_parser_add_item(struct ck_parser *p, struct ck_item_list *out, enum ck_item_kind kind,
                   struct ck_span span)
{
    struct ck_item *item = CK_NEW(p->arena, struct ck_item);
    item->kind = kind;
    item->span = span;
    CK_PUSH(p->arena, out->items, out->n, out->capacity, item);
    return item;
}

/* dotted_name: NAME ('.' NAME)*  -- as one string, spaces dropped; NULL after an error */
static const char *
dotted_name(struct ck_parser *p, struct ck_span *span)
{
    uint32_t start = p->token.span.start;
    size_t n = 0, capacity = 0;
    char *text = NULL;
    do {
        const char *part = ck_parser_name(p, "a module's name");
        if (!part)
            return NULL;
        if (n > 0)
            CK_PUSH(p->arena, text, n, capacity, '.');
        for (; *part; part++)
            CK_PUSH(p->arena, text, n, capacity, *part);
    } while (ck_parser_accept(p, CK_TOK_DOT));
    *span = ck_parser_since(p, start);
    return ck_arena_strndup(p->arena, text, n);
}

/* module: dotted_name ['as' NAME] */
static void
parse_import_module(struct ck_parser *p, struct ck_item_list *out, uint32_t start)
{
    struct ck_import import = {0};
    import.module = dotted_name(p, &import.module_span);
    if (import.module && ck_parser_accept(p, CK_TOK_AS))
        import.alias = ck_parser_name(p, "a name");
    if (!p->panic)
        ck_parser_add_item(p, out, CK_ITEM_IMPORT, ck_parser_since(p, start))->import = import;
}

/* import_name: 'import' module (',' module)*  -- one item each */
static void
parse_import(struct ck_parser *p, struct ck_item_list *out)
{
    uint32_t start = p->token.span.start;
    ck_parser_advance(p);
    parse_import_module(p, out, start);
    while (ck_parser_accept(p, CK_TOK_COMMA))
        parse_import_module(p, out, p->token.span.start);
}

/* imported: NAME ['as' NAME] */
static bool
parse_imported(struct ck_parser *p, struct ck_import *import, int *capacity)
{
    uint32_t start = p->token.span.start;
    struct ck_import_name name = {.name = ck_parser_name(p, "a name to import")};
    name.alias = name.name;
    if (name.name && ck_parser_accept(p, CK_TOK_AS))
        name.alias = ck_parser_name(p, "a name");
    if (p->panic)
        return false;
    name.span = ck_parser_since(p, start);
    CK_PUSH(p->arena, import->names, import->n_names, *capacity, name);
    return true;
}

/* imported_list: '*' | '(' imported (',' imported)* [','] ')' | imported (',' imported)* */
static void
parse_imported_list(struct ck_parser *p, struct ck_import *import)
{
    int capacity = 0;
    if (ck_parser_accept(p, CK_TOK_STAR)) {
        import->is_star = true;
        return;
    }
    bool in_brackets = ck_parser_accept(p, CK_TOK_LPAREN);
    while (parse_imported(p, import, &capacity) && ck_parser_accept(p, CK_TOK_COMMA))
        if (in_brackets && p->token.kind == CK_TOK_RPAREN)
            break;
    if (in_brackets && !p->panic)
        ck_parser_expect(p, CK_TOK_RPAREN);
}

/* import_from: 'from' dotted_name 'import' imported_list */
static void
parse_from(struct ck_parser *p, struct ck_item_list *out)
{
    uint32_t start = p->token.span.start;
    struct ck_import import = {.is_from = true};
    ck_parser_advance(p);
    import.module_span = p->token.span;
    while (ck_parser_accept(p, CK_TOK_DOT) || ck_parser_accept(p, CK_TOK_ELLIPSIS))
        import.module = "."; /* relative: of no module that ck knows */
    const char *module = p->token.kind == CK_TOK_IMPORT && import.module
                             ? import.module
                             : dotted_name(p, &import.module_span);
    import.module = import.module ? import.module : module;
    if (module && ck_parser_expect(p, CK_TOK_IMPORT))
        parse_imported_list(p, &import);
    if (!p->panic)
        ck_parser_add_item(p, out, CK_ITEM_IMPORT, ck_parser_since(p, start))->import = import;
}

/* --- Functions -----------------------------------------------------------------------------------
 */

struct param_list {
    struct ck_param *items;
    int n, capacity;
    enum ck_param_kind kind; /* of those that follow */
};

/* A mark between parameters, `/` after those given by position and `*` before those given by
 * keyword, or what Python has beside marks and plain parameters, which is rejected. False: a plain
 * parameter comes next. */
static bool
parse_mark(struct ck_parser *p, struct param_list *out)
{
    const enum ck_token_kind kind = p->token.kind;
    const struct ck_span span = p->token.span;
    if (kind != CK_TOK_STAR && kind != CK_TOK_DOUBLE_STAR && kind != CK_TOK_SLASH)
        return false;
    ck_parser_advance(p);
    if (kind == CK_TOK_STAR && p->token.kind == CK_TOK_COMMA && out->kind == CK_PARAM_ANY) {
        out->kind = CK_PARAM_KEYWORD;
    } else if (kind == CK_TOK_SLASH && out->n && out->kind == CK_PARAM_ANY &&
               out->items[0].kind == CK_PARAM_ANY) {
        for (int i = 0; i < out->n; i++)
            out->items[i].kind = CK_PARAM_POSITIONAL;
    } else if (kind == CK_TOK_STAR) {
        ck_parser_unsupported(p, span, "star parameters",
                              "name each parameter; a tuple can hold several values");
    } else if (kind == CK_TOK_DOUBLE_STAR) {
        ck_parser_unsupported(p, span, "keyword parameters", "name each parameter");
    } else {
        ck_parser_unsupported(p, span, "marks `/` here", "write one, after parameters");
    }
    return true;
}

/* param: '*' | '/' | NAME [':' expr] ['=' expr]  -- a lambda's have no annotations */
static void
parse_param(struct ck_parser *p, struct param_list *out, bool annotated)
{
    struct ck_param param = {.kind = out->kind, .span = p->token.span};
    if (parse_mark(p, out))
        return;
    param.name = ck_parser_name(p, "a parameter's name");
    if (!param.name)
        return;
    if (annotated && ck_parser_accept(p, CK_TOK_COLON))
        param.annotation = ck_parser_plain_expr(p);
    if (ck_parser_accept(p, CK_TOK_ASSIGN)) {
        param.otherwise = ck_parser_plain_expr(p);
    } else if (out->n > 0 && out->items[out->n - 1].otherwise && !p->panic &&
               param.kind != CK_PARAM_KEYWORD) {
        ck_diag_add(p->diags, CK_DIAG_SYNTAX, param.span,
                    "parameter without a default value follows one with a default value");
        p->failed = true;
    }
    CK_PUSH(p->arena, out->items, out->n, out->capacity, param);
}

/* params: [param (',' param)* [',']] */
void
ck_parser_params(struct ck_parser *p, struct ck_function *f, bool annotated)
{
    struct param_list params = {0};
    while (!p->panic && p->token.kind != CK_TOK_RPAREN && p->token.kind != CK_TOK_COLON) {
        parse_param(p, &params, annotated);
        if (!ck_parser_accept(p, CK_TOK_COMMA))
            break;
    }
    f->params = params.items;
    f->n_params = params.n;
}

static void
parse_params(struct ck_parser *p, struct ck_function *f)
{
    if (!ck_parser_expect(p, CK_TOK_LPAREN))
        return;
    ck_parser_params(p, f, true);
    if (!p->panic && p->token.kind != CK_TOK_RPAREN)
        ck_parser_expected(p, "`,` or `)`");
    ck_parser_accept(p, CK_TOK_RPAREN);
}

/* function: 'def' NAME '(' params ')' ['->' expr] ':' suite */
void
ck_parser_function(struct ck_parser *p, struct ck_function *f)
{
    uint32_t start = p->token.span.start;
    int errors = p->diags->n_errors;
    ck_parser_advance(p);
    f->name_span = p->token.span;
    f->name = ck_parser_name(p, "the function's name");
    if (f->name)
        parse_params(p, f);
    if (ck_parser_accept(p, CK_TOK_ARROW))
        f->returns = ck_parser_plain_expr(p);
    f->span = ck_parser_since(p, start);
    f->span.end += p->token.kind == CK_TOK_COLON ? p->token.span.end - f->span.end : 0;
    f->broken = p->panic || p->token.kind != CK_TOK_COLON || p->diags->n_errors > errors;
    const int loops = p->loops;
    const bool takes_named = p->takes_named;
    p->loops = 0;
    p->takes_named = true;
    f->body = ck_parser_suite(p, f->span, "def");
    p->loops = loops;
    p->takes_named = takes_named;
}

/* decorated: ('@' expr NEWLINE)* ('async'? function | class)  -- a class is host code. The error of
 * `async` is the function's: host code may have it, a kernel may not. */
static void
parse_decorated(struct ck_parser *p, struct ck_item_list *out)
{
    struct ck_function *f = CK_NEW(p->arena, struct ck_function);
    struct ck_diags_mark mark = ck_diags_mark(p->diags);
    int capacity = 0;
    while (ck_parser_accept(p, CK_TOK_AT)) {
        struct ck_expr *decorator = ck_parser_expr(p);
        CK_PUSH(p->arena, f->decorators, f->n_decorators, capacity, decorator);
        ck_parser_end_line(p);
    }
    const struct ck_span async = p->token.span;
    if (ck_parser_accept(p, CK_TOK_ASYNC))
        ck_diag_help(
            p->diags,
            ck_diag_add(p->diags, CK_DIAG_UNSUPPORTED_SYNTAX, async, rejected[CK_TOK_ASYNC].what),
            "%s", rejected[CK_TOK_ASYNC].help);
    if (p->token.kind == CK_TOK_DEF) {
        ck_parser_function(p, f);
        if (f->name) {
            ck_parser_add_item(p, out, CK_ITEM_FUNCTION, f->span)->function = f;
            f->held = ck_diags_take(p->diags, mark, ck_parser_is_lexical);
        }
    } else if (p->token.kind == CK_TOK_CLASS || !f->n_decorators) { /* `async for` */
        ck_diags_take(p->diags, mark, ck_parser_is_lexical);
        ck_parser_skip_host(p, out);
    } else {
        ck_parser_expected(p, "`def` after the decorator");
        ck_parser_skip_statement(p);
    }
}

/* --- The module ----------------------------------------------------------------------------------
 */

/* Whether a diagnostic at module level concerns text that is not Python. */
static bool
is_wrong_python(const struct ck_diag *diag)
{
    return diag->id != CK_DIAG_UNSUPPORTED_SYNTAX && diag->id != CK_DIAG_INTEGER_TOO_LARGE &&
           diag->id != CK_DIAG_UNKNOWN_ESCAPE;
}

/* constant: assignment | host statement  -- Python that ck lacks is host code, not an error */
static void
parse_constants(struct ck_parser *p, struct ck_item_list *out)
{
    struct ck_stmt_list stmts = {0};
    struct ck_diags_mark mark = ck_diags_mark(p->diags);
    ck_parser_simple_line(p, &stmts);
    struct ck_diag *held = ck_diags_take(p->diags, mark, is_wrong_python);
    for (int i = 0; i < stmts.n; i++) {
        struct ck_stmt *stmt = stmts.items[i];
        if (stmt->kind != CK_STMT_ASSIGN && stmt->kind != CK_STMT_ANNOTATED) {
            ck_parser_note_binding(p, out, stmt);
            continue;
        }
        struct ck_item *item = ck_parser_add_item(p, out, CK_ITEM_ASSIGN, stmt->span);
        item->assign = stmt;
        item->held = held;
        held = NULL;
    }
}

/* imports: (import_name | import_from) (';' (import_name | import_from | constant))* NEWLINE */
void
ck_parser_imports(struct ck_parser *p, struct ck_item_list *out)
{
    do {
        if (p->token.kind == CK_TOK_IMPORT) {
            parse_import(p, out);
        } else if (p->token.kind == CK_TOK_FROM) {
            parse_from(p, out);
        } else if (p->token.kind != CK_TOK_NEWLINE) {
            parse_constants(p, out);
            return;
        }
    } while (ck_parser_accept(p, CK_TOK_SEMICOLON));
    ck_parser_end_line(p);
}

/* item: imports | constant | decorated | class | host statement */
static void
parse_item(struct ck_parser *p, struct ck_item_list *out)
{
    switch (p->token.kind) {
    case CK_TOK_IMPORT:
    case CK_TOK_FROM:
        ck_parser_imports(p, out);
        break;
    case CK_TOK_AT:
    case CK_TOK_ASYNC:
    case CK_TOK_DEF:
        parse_decorated(p, out);
        break;
    case CK_TOK_IF:
    case CK_TOK_WHILE:
    case CK_TOK_FOR:
    case CK_TOK_TRY:
    case CK_TOK_WITH:
    case CK_TOK_DEL:
    case CK_TOK_GLOBAL:
    case CK_TOK_RAISE:
        ck_parser_skip_host(p, out);
        break;
    case CK_TOK_CLASS:
        ck_parser_class(p, out);
        break;
    default:
        parse_constants(p, out);
        break;
    }
}

/* module: item* END */
struct ck_ast *
ck_parse(struct ck_arena *arena, const struct ck_source *source, struct ck_diags *diags)
{
    struct ck_ast *ast = CK_NEW(arena, struct ck_ast);
    struct ck_item_list items = {0};
    struct ck_parser p;
    int extra = 0;
    init_parser(&p, arena, source->text, source->length, 0, diags);
    if (!ck_lexer_check_text(&p.lexer))
        return ast;
    p.items = &items;
    ck_parser_advance(&p);
    while (p.token.kind != CK_TOK_END) {
        if (!ck_parser_stray_layout(&p, &extra))
            parse_item(&p, &items);
    }
    leave_panic(&p);
    ast->items = items.items;
    ast->n_items = items.n;
    return ast;
}

void
ck_ast_give_held(struct ck_ast *ast, struct ck_diags *diags)
{
    for (int i = 0; i < ast->n_items; i++) {
        if (ast->items[i]->kind != CK_ITEM_FUNCTION)
            continue;
        ck_diags_give(diags, ast->items[i]->function->held);
        ast->items[i]->function->held = NULL;
    }
}

struct ck_expr *
ck_parse_expression(struct ck_arena *arena, const char *text, uint32_t length, uint32_t base,
                    struct ck_diags *diags)
{
    struct ck_parser p;
    init_parser(&p, arena, ck_arena_strndup(arena, text, length), length, base, diags);
    p.lexer.flat = true;
    int errors = diags->n_errors;
    if (!ck_lexer_check_text(&p.lexer))
        return NULL;
    ck_parser_advance(&p);
    struct ck_expr *e = ck_parser_expr(&p);
    if (p.token.kind != CK_TOK_NEWLINE)
        ck_parser_expected(&p, "end of text");
    leave_panic(&p);
    return p.failed || diags->n_errors > errors ? NULL : e;
}
