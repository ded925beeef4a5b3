/* The names that a program binds: see symbols.h. */
#include "symbols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- Symbols and scopes --------------------------------------------------------------------------
 */

static uint32_t
hash_of(const char *name, int scope)
{
    return ck_hash_mix(ck_hash_text(name), (uint32_t)scope);
}

int
lsp_symbols_find_in(const struct lsp_symbols *symbols, int scope, const char *name)
{
    for (int i = ck_index_first(&symbols->index, hash_of(name, scope)); i >= 0;
         i = ck_index_next(&symbols->index, i)) {
        if (symbols->items[i].scope == scope && strcmp(symbols->items[i].name, name) == 0)
            return i;
    }
    return -1;
}

int
lsp_symbols_lookup(const struct lsp_symbols *symbols, int scope, const char *name)
{
    for (; scope >= 0; scope = symbols->scopes[scope].outer) {
        int symbol = lsp_symbols_find_in(symbols, scope, name);
        if (symbol >= 0)
            return symbol;
    }
    return -1;
}

/* Adds a symbol unless its scope has one of its name; returns the symbol's number. */
static int
declare(struct lsp_symbols *symbols, struct lsp_symbol symbol)
{
    int known = lsp_symbols_find_in(symbols, symbol.scope, symbol.name);
    if (known >= 0)
        return known;
    symbol.first = -1;
    CK_PUSH(symbols->arena, symbols->items, symbols->n, symbols->capacity, symbol);
    ck_index_add(symbols->arena, &symbols->index, hash_of(symbol.name, symbol.scope));
    return symbols->n - 1;
}

static int
new_scope(struct lsp_symbols *symbols, const struct ck_function *function, int outer,
          struct ck_span span)
{
    struct lsp_scope scope = {.function = function, .outer = outer, .span = span};
    CK_PUSH(symbols->arena, symbols->scopes, symbols->n_scopes, symbols->scopes_capacity, scope);
    ck_index_add(symbols->arena, &symbols->function_index, ck_hash_pointer(function));
    return symbols->n_scopes - 1;
}

int
lsp_symbols_scope_of(const struct lsp_symbols *symbols, const struct ck_function *function)
{
    int i = ck_index_first(&symbols->function_index, ck_hash_pointer(function));
    while (i >= 0 && symbols->scopes[i].function != function)
        i = ck_index_next(&symbols->function_index, i);
    return i;
}

static int
compare_scopes(const void *a, const void *b, void *context)
{
    const struct lsp_scope *scopes = context;
    const struct ck_span *x = &scopes[*(const int *)a].span, *y = &scopes[*(const int *)b].span;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end);
}

static bool
is_in(struct ck_span span, uint32_t offset)
{
    return span.start <= offset && offset <= span.end;
}

/* Orders the scopes by their text. */
static void
order_scopes(struct lsp_symbols *symbols)
{
    int n = symbols->n_scopes, around = -1;
    symbols->scope_order = CK_NEW_ARRAY(symbols->arena, int, n);
    for (int i = 0; i < n; i++)
        symbols->scope_order[i] = i;
    qsort_r(symbols->scope_order, (size_t)n, sizeof(int), compare_scopes, symbols->scopes);
    for (int i = 0; i < n; i++) {
        struct lsp_scope *scope = &symbols->scopes[symbols->scope_order[i]];
        while (around >= 0 && !is_in(symbols->scopes[around].span, scope->span.start))
            around = symbols->scopes[around].around;
        scope->around = around;
        around = symbols->scope_order[i];
    }
}

int
lsp_symbols_scope_at(const struct lsp_symbols *symbols, uint32_t offset)
{
    int low = 1, high = symbols->n_scopes; /* the first that begins after the offset */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (symbols->scopes[symbols->scope_order[middle]].span.start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    int scope = symbols->scope_order[low - 1];
    while (scope > 0 && !is_in(symbols->scopes[scope].span, offset))
        scope = symbols->scopes[scope].around;
    return scope > 0 ? scope : 0;
}

/* --- Occurrences ---------------------------------------------------------------------------------
 */

static void
see(struct lsp_symbols *symbols, uint32_t start)
{
    CK_PUSH(symbols->arena, symbols->seen, symbols->n_seen, symbols->seen_capacity, start);
}

void
lsp_symbols_add(struct lsp_symbols *symbols, struct ck_span span, int symbol, enum lsp_role role)
{
    struct lsp_occurrence occurrence = {.span = span, .symbol = symbol, .role = role};
    CK_PUSH(symbols->arena, symbols->occurrences, symbols->n_occurrences,
            symbols->occurrences_capacity, occurrence);
}

/* A name in the tree; one that the program does not bind has no occurrence. */
static void
add_name(struct lsp_symbols *symbols, int scope, const char *name, uint32_t start,
         enum lsp_role role)
{
    struct ck_span span = {start, start + (uint32_t)strlen(name)};
    bool is_there = span.end <= symbols->source->length &&
                    memcmp(symbols->source->text + start, name, strlen(name)) == 0;
    int symbol = is_there ? lsp_symbols_lookup(symbols, scope, name) : -1;
    see(symbols, start);
    if (symbol >= 0)
        lsp_symbols_add(symbols, span, symbol, role);
}

/* Where the identifier of a NAME begins: parentheses around it belong to its span. */
static uint32_t
identifier_start(const struct lsp_symbols *symbols, const struct ck_expr *name)
{
    const char *text = symbols->source->text;
    uint32_t at = name->span.start;
    while (at < name->span.end && !lsp_is_word_byte(text[at])) {
        if (text[at] == '#')
            at += (uint32_t)strcspn(text + at, "\r\n");
        else
            at++;
    }
    return at;
}

/* The last place of a word in a span, as of the name that `import a as b` binds; the span's start
 * if there is none. */
static uint32_t
last_word(const struct lsp_symbols *symbols, struct ck_span span, const char *word)
{
    const char *text = symbols->source->text;
    uint32_t length = (uint32_t)strlen(word);
    for (uint32_t at = span.end; length && at >= span.start + length; at--) {
        uint32_t start = at - length;
        bool is_whole =
            (start == 0 || !lsp_is_word_byte(text[start - 1])) && !lsp_is_word_byte(text[at]);
        if (is_whole && memcmp(text + start, word, length) == 0)
            return start;
    }
    return span.start;
}

/* --- Expressions ---------------------------------------------------------------------------------
 */

/* A walk in one scope. */
struct walk {
    struct lsp_symbols *symbols;
    int scope;
};

static void walk_function(struct lsp_symbols *symbols, int outer,
                          const struct ck_function *function);
static void walk_expr(void *context, const struct ck_expr *expr);

/* Keywords of a call of a function of the program are its parameters, which may not be declared
 * yet. */
static void
walk_keywords(const struct walk *walk, const struct ck_expr *call)
{
    struct lsp_symbols *symbols = walk->symbols;
    const struct ck_expr *callee = call->call.callee;
    int symbol =
        callee->kind == CK_EXPR_NAME ? lsp_symbols_lookup(symbols, walk->scope, callee->name) : -1;
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (!arg->name)
            continue;
        see(symbols, arg->name_span.start);
        struct lsp_keyword keyword = {.name = arg->name, .span = arg->name_span};
        if (symbol >= 0 && symbols->items[symbol].kind == LSP_FUNCTION)
            keyword.function = symbols->items[symbol].function;
        if (keyword.function)
            CK_PUSH(symbols->arena, symbols->keywords, symbols->n_keywords,
                    symbols->keywords_capacity, keyword);
    }
}

static void
add_keywords(struct lsp_symbols *symbols)
{
    for (int i = 0; i < symbols->n_keywords; i++) {
        const struct lsp_keyword *keyword = &symbols->keywords[i];
        int scope = lsp_symbols_scope_of(symbols, keyword->function);
        int param = scope >= 0 ? lsp_symbols_find_in(symbols, scope, keyword->name) : -1;
        if (param >= 0 && symbols->items[param].kind == LSP_PARAM)
            lsp_symbols_add(symbols, keyword->span, param, LSP_READ);
    }
}

static void
walk_expr(void *context, const struct ck_expr *expr)
{
    const struct walk *walk = context;
    if (!expr)
        return;
    if (expr->kind == CK_EXPR_NAME)
        add_name(walk->symbols, walk->scope, expr->name, identifier_start(walk->symbols, expr),
                 LSP_READ);
    if (expr->kind == CK_EXPR_ATTRIBUTE)
        see(walk->symbols, expr->attribute.name_span.start);
    if (expr->kind == CK_EXPR_FUNCTION)
        walk_function(walk->symbols, walk->scope, expr->function);
    if (expr->kind == CK_EXPR_FORMAT)
        see(walk->symbols, expr->span.start);
    if (expr->kind == CK_EXPR_CALL)
        walk_keywords(walk, expr);
    ck_expr_each(expr, walk_expr, context);
}

static bool
is_sequence(const struct ck_expr *expr)
{
    return expr->kind == CK_EXPR_TUPLE || expr->kind == CK_EXPR_LIST;
}

static void
walk_target(struct walk *walk, const struct ck_expr *target)
{
    if (target->kind == CK_EXPR_NAME) {
        add_name(walk->symbols, walk->scope, target->name, identifier_start(walk->symbols, target),
                 LSP_WRITE);
    } else if (is_sequence(target)) {
        for (int i = 0; i < target->sequence.n; i++)
            walk_target(walk, target->sequence.items[i]);
    } else {
        walk_expr(walk, target);
    }
}

/* --- Statements ----------------------------------------------------------------------------------
 */

/* What binds names in a statement: its targets, and the blocks in it. */
struct parts {
    struct ck_expr *const *targets;
    int n_targets;
    const struct ck_expr *reads[2];
    const struct ck_block *blocks[2];
};

static struct parts
parts_of(const struct ck_stmt *stmt)
{
    switch (stmt->kind) {
    case CK_STMT_ASSIGN:
        return (struct parts){stmt->assign.targets, stmt->assign.n_targets, {stmt->assign.value}};
    case CK_STMT_AUGASSIGN:
        return (struct parts){&stmt->augassign.target, 1, {stmt->augassign.value}};
    case CK_STMT_ANNOTATED:
        return (struct parts){
            &stmt->annotated.target, 1, {stmt->annotated.annotation, stmt->annotated.value}};
    case CK_STMT_IF:
        return (struct parts){.reads = {stmt->branch.test},
                              .blocks = {&stmt->branch.then, &stmt->branch.otherwise}};
    case CK_STMT_WHILE:
        return (struct parts){.reads = {stmt->loop.test},
                              .blocks = {&stmt->loop.body, &stmt->loop.otherwise}};
    case CK_STMT_FOR:
        return (struct parts){&stmt->each.target,
                              1,
                              {stmt->each.iterable},
                              {&stmt->each.body, &stmt->each.otherwise}};
    case CK_STMT_ASSERT:
        return (struct parts){.reads = {stmt->assertion.test, stmt->assertion.message}};
    case CK_STMT_EXPR:
    case CK_STMT_RETURN:
    case CK_STMT_RAISE:
        return (struct parts){.reads = {stmt->expr}};
    case CK_STMT_DELETE:
        return (struct parts){stmt->assign.targets, stmt->assign.n_targets};
    case CK_STMT_ERROR:
    case CK_STMT_BREAK:
    case CK_STMT_CONTINUE:
    case CK_STMT_PASS:
        break;
    }
    return (struct parts){0};
}

static void
declare_target(struct walk *walk, const struct ck_expr *target, const struct ck_stmt *stmt)
{
    const struct ck_function *function = walk->symbols->scopes[walk->scope].function;
    if (target->kind == CK_EXPR_NAME && !ck_is_hidden_name(target->name)) {
        uint32_t start = identifier_start(walk->symbols, target);
        declare(walk->symbols, (struct lsp_symbol){
                                   .kind = function ? LSP_LOCAL : LSP_CONSTANT,
                                   .scope = walk->scope,
                                   .name = target->name,
                                   .name_span = {start, start + (uint32_t)strlen(target->name)},
                                   .whole = stmt->span,
                                   .function = function,
                               });
    }
    for (int i = 0; is_sequence(target) && i < target->sequence.n; i++)
        declare_target(walk, target->sequence.items[i], stmt);
}

static void
declare_block(struct walk *walk, const struct ck_block *block)
{
    for (int i = 0; i < block->n; i++) {
        struct parts parts = parts_of(block->stmts[i]);
        for (int k = 0; k < parts.n_targets; k++)
            declare_target(walk, parts.targets[k], block->stmts[i]);
        for (int k = 0; k < 2 && parts.blocks[k]; k++)
            declare_block(walk, parts.blocks[k]);
    }
}

static void
walk_stmt(struct walk *walk, const struct ck_stmt *stmt)
{
    struct parts parts = parts_of(stmt);
    for (int i = 0; i < parts.n_targets; i++)
        walk_target(walk, parts.targets[i]);
    for (int i = 0; i < 2; i++)
        walk_expr(walk, parts.reads[i]);
    for (int i = 0; i < 2 && parts.blocks[i]; i++) {
        for (int k = 0; k < parts.blocks[i]->n; k++)
            walk_stmt(walk, parts.blocks[i]->stmts[k]);
    }
}

/* --- Functions -----------------------------------------------------------------------------------
 */

static void
declare_param(struct walk *walk, const struct ck_function *function, const struct ck_param *param)
{
    declare(walk->symbols, (struct lsp_symbol){.kind = LSP_PARAM,
                                               .scope = walk->scope,
                                               .name = param->name,
                                               .name_span = param->span,
                                               .whole = param->span,
                                               .function = function,
                                               .param = param});
    add_name(walk->symbols, walk->scope, param->name, param->span.start, LSP_WRITE);
}

/* Annotations, default values and decorators belong to the scope around the function. */
static void
walk_header(struct walk *around, const struct ck_function *function)
{
    for (int i = 0; i < function->n_decorators; i++)
        walk_expr(around, function->decorators[i]);
    for (int i = 0; i < function->n_params; i++) {
        walk_expr(around, function->params[i].annotation);
        walk_expr(around, function->params[i].otherwise);
    }
    walk_expr(around, function->returns);
}

static struct ck_span
span_of_function(const struct ck_function *function)
{
    struct ck_span span = function->span;
    return function->body.n ? ck_span_join(span, function->body.span) : span;
}

static void
walk_function(struct lsp_symbols *symbols, int outer, const struct ck_function *function)
{
    struct walk around = {symbols, outer};
    walk_header(&around, function);
    struct walk walk = {symbols, new_scope(symbols, function, outer, span_of_function(function))};
    for (int i = 0; i < function->n_params; i++)
        declare_param(&walk, function, &function->params[i]);
    declare_block(&walk, &function->body);
    for (int i = 0; i < function->body.n; i++)
        walk_stmt(&walk, function->body.stmts[i]);
}

/* --- The module ----------------------------------------------------------------------------------
 */

static void
bind_import(struct lsp_symbols *symbols, const char *name, struct ck_span span,
            struct ck_span whole)
{
    uint32_t start = last_word(symbols, span, name);
    struct ck_span at = {start, start + (uint32_t)strlen(name)};
    declare(symbols,
            (struct lsp_symbol){.kind = LSP_IMPORT, .name = name, .name_span = at, .whole = whole});
    add_name(symbols, 0, name, start, LSP_WRITE);
}

static void
declare_imports(struct lsp_symbols *symbols, const struct ck_item *item)
{
    const struct ck_import *import = &item->import;
    for (int i = 0; i < import->n_names; i++)
        bind_import(symbols, import->names[i].alias, import->names[i].span, item->span);
    if (import->is_from || import->n_names || !import->module)
        return;
    const char *name = import->alias;
    if (!name)
        name = ck_arena_strndup(symbols->arena, import->module, strcspn(import->module, "."));
    bind_import(symbols, name, import->alias ? item->span : import->module_span, item->span);
}

static void
declare_item(struct lsp_symbols *symbols, const struct ck_item *item)
{
    struct walk module = {symbols, 0};
    struct parts parts = {0};
    switch (item->kind) {
    case CK_ITEM_IMPORT:
        declare_imports(symbols, item);
        break;
    case CK_ITEM_ASSIGN:
        parts = parts_of(item->assign);
        for (int i = 0; i < parts.n_targets; i++)
            declare_target(&module, parts.targets[i], item->assign);
        break;
    case CK_ITEM_FUNCTION:
        declare(symbols, (struct lsp_symbol){.kind = LSP_FUNCTION,
                                             .name = item->function->name,
                                             .name_span = item->function->name_span,
                                             .whole = item->function->span,
                                             .function = item->function});
        break;
    case CK_ITEM_HOST:
        declare(symbols, (struct lsp_symbol){.kind = LSP_HOST_NAME,
                                             .name = item->host_name,
                                             .name_span = item->span,
                                             .whole = item->span});
        break;
    }
}

static void
walk_item(struct lsp_symbols *symbols, const struct ck_item *item)
{
    struct walk module = {symbols, 0};
    if (item->kind == CK_ITEM_ASSIGN) {
        walk_stmt(&module, item->assign);
    } else if (item->kind == CK_ITEM_FUNCTION) {
        add_name(symbols, 0, item->function->name, item->function->name_span.start, LSP_WRITE);
        walk_function(symbols, 0, item->function);
    } else if (item->kind == CK_ITEM_HOST) {
        add_name(symbols, 0, item->host_name, item->span.start, LSP_WRITE);
    }
}

static int
compare_occurrences(const void *a, const void *b)
{
    const struct lsp_occurrence *x = a, *y = b;
    return (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

static int
compare_starts(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the occurrences, and removes those that the tree has twice. */
static void
sort_occurrences(struct lsp_symbols *symbols)
{
    int n = 0;
    if (symbols->n_occurrences)
        qsort(symbols->occurrences, (size_t)symbols->n_occurrences, sizeof *symbols->occurrences,
              compare_occurrences);
    for (int i = 0; i < symbols->n_occurrences; i++) {
        if (!n || symbols->occurrences[n - 1].span.start != symbols->occurrences[i].span.start)
            symbols->occurrences[n++] = symbols->occurrences[i];
    }
    symbols->n_occurrences = n;
}

/* Links the occurrences of each symbol, in the order of the text. */
static void
link_occurrences(struct lsp_symbols *symbols)
{
    for (int i = symbols->n_occurrences - 1; i >= 0; i--) {
        struct lsp_occurrence *occurrence = &symbols->occurrences[i];
        struct lsp_symbol *symbol = &symbols->items[occurrence->symbol];
        occurrence->next = symbol->first;
        symbol->first = i;
    }
}

void
lsp_symbols_find(struct lsp_symbols *symbols, struct ck_arena *arena,
                 const struct ck_source *source, const struct ck_ast *ast)
{
    *symbols = (struct lsp_symbols){.arena = arena, .source = source};
    new_scope(symbols, NULL, -1, (struct ck_span){0, source->length});
    for (int i = 0; i < ast->n_items; i++)
        declare_item(symbols, ast->items[i]);
    for (int i = 0; i < ast->n_items; i++)
        walk_item(symbols, ast->items[i]);
    if (symbols->n_seen)
        qsort(symbols->seen, (size_t)symbols->n_seen, sizeof *symbols->seen, compare_starts);
    order_scopes(symbols);
    add_keywords(symbols);
    lsp_symbols_find_rest(symbols);
    sort_occurrences(symbols);
    link_occurrences(symbols);
}

/* --- By offset -----------------------------------------------------------------------------------
 */

bool
lsp_is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

struct ck_span
lsp_word_at(const struct ck_source *source, uint32_t offset)
{
    struct ck_span word = {offset, offset};
    while (word.start > 0 && lsp_is_word_byte(source->text[word.start - 1]))
        word.start--;
    while (word.end < source->length && lsp_is_word_byte(source->text[word.end]))
        word.end++;
    return word;
}

int
lsp_symbols_first_after(const struct lsp_symbols *symbols, uint32_t offset)
{
    int low = 0, high = symbols->n_occurrences;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (symbols->occurrences[middle].span.start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct lsp_occurrence *
lsp_symbols_at(const struct lsp_symbols *symbols, uint32_t offset)
{
    int next = lsp_symbols_first_after(symbols, offset);
    if (!next || symbols->occurrences[next - 1].span.end < offset)
        return NULL;
    return &symbols->occurrences[next - 1];
}
