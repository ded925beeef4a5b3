/* Dumping the syntax tree: the outline that `ckc --emit=ast` prints.
 *
 * One node a line: its role unless the order shows it, its kind, and its position. */
#include "lang/syntax/ast.h"

#include <stdarg.h>

/* The indentation has a limit: otherwise a long chain's outline would have quadratic size. */
enum { DEEPEST_INDENT = 60 };

struct outline {
    struct ck_strbuf *out;
    const struct ck_source *source;
    int level;
    /* The last position: nodes come in the order of the text, so the next one is near. */
    uint32_t offset;
    struct ck_position position;
};

/* --- Lines of the outline ------------------------------------------------------------------------
 */

static struct ck_position
position_of(struct outline *o, uint32_t offset)
{
    const struct ck_source *source = o->source;
    uint32_t line = o->position.line;
    bool near = line > 0 && offset >= o->offset && offset <= source->length &&
                (line == source->n_lines || offset < source->line_starts[line]);
    if (!near) {
        o->position = ck_source_position(source, offset);
    } else {
        for (uint32_t i = o->offset; i < offset; i++)
            o->position.column += ((unsigned char)source->text[i] & 0xC0) != 0x80;
    }
    o->offset = offset;
    return o->position;
}

static void
indent(const struct outline *o)
{
    if (o->level <= DEEPEST_INDENT)
        ck_strbuf_fill(o->out, ' ', (size_t)o->level * 2);
    else
        ck_strbuf_printf(o->out, "%*s(%d) ", DEEPEST_INDENT * 2, "", o->level);
}

/* A line for a node at `span`. A text that ends with a colon is only a role, for the node on the
 * next level. */
__attribute__((format(printf, 3, 4))) static void
line(struct outline *o, struct ck_span span, const char *format, ...)
{
    indent(o);
    va_list args;
    va_start(args, format);
    ck_strbuf_vprintf(o->out, format, args);
    va_end(args);
    struct ck_position at = position_of(o, span.start);
    ck_strbuf_printf(o->out, " %u:%u\n", at.line, at.column);
}

static void
role(const struct outline *o, const char *text)
{
    indent(o);
    ck_strbuf_puts(o->out, text);
    ck_strbuf_puts(o->out, ":\n");
}

static void
put_string(struct outline *o, const struct ck_expr *e)
{
    indent(o);
    ck_strbuf_puts(o->out, "string \"");
    for (uint32_t i = 0; i < e->string.length; i++) {
        unsigned char c = (unsigned char)e->string.bytes[i];
        if (c == '"' || c == '\\')
            ck_strbuf_printf(o->out, "\\%c", c);
        else if (c == '\n')
            ck_strbuf_puts(o->out, "\\n");
        else if (c < ' ' || c == 0x7F)
            ck_strbuf_printf(o->out, "\\x%02x", c);
        else
            ck_strbuf_putc(o->out, (char)c);
    }
    struct ck_position at = position_of(o, e->span.start);
    ck_strbuf_printf(o->out, "\" %u:%u\n", at.line, at.column);
}

/* --- Expressions ---------------------------------------------------------------------------------
 */

static void dump_expr(struct outline *o, const struct ck_expr *e);
static void dump_function(struct outline *o, const struct ck_function *f);

static void
dump_child(struct outline *o, const struct ck_expr *e)
{
    o->level++;
    dump_expr(o, e);
    o->level--;
}

static void
dump_children(struct outline *o, struct ck_expr *const *items, int n)
{
    for (int i = 0; i < n; i++)
        dump_child(o, items[i]);
}

/* `e` in a role; nothing if it is absent. */
static void
dump_role(struct outline *o, const char *text, const struct ck_expr *e)
{
    if (!e)
        return;
    o->level++;
    role(o, text);
    dump_child(o, e);
    o->level--;
}

static void
dump_compare(struct outline *o, const struct ck_expr *e)
{
    indent(o);
    ck_strbuf_puts(o->out, "compare");
    for (int i = 0; i < e->compare.n_ops; i++)
        ck_strbuf_printf(o->out, "%s %s", i ? "," : "", ck_compare_op_text(e->compare.ops[i]));
    struct ck_position at = position_of(o, e->span.start);
    ck_strbuf_printf(o->out, " %u:%u\n", at.line, at.column);
    dump_children(o, e->compare.operands, e->compare.n_ops + 1);
}

static void
dump_call(struct outline *o, const struct ck_expr *e)
{
    line(o, e->span, "call");
    dump_child(o, e->call.callee);
    for (int i = 0; i < e->call.n_args; i++) {
        const struct ck_argument *arg = &e->call.args[i];
        o->level++;
        if (arg->name)
            line(o, arg->name_span, "keyword %s", arg->name);
        if (arg->name)
            dump_child(o, arg->value);
        else
            dump_expr(o, arg->value);
        o->level--;
    }
}

/* Text between the fields as strings, and each field with its format. */
static void
dump_format(struct outline *o, const struct ck_expr *e)
{
    line(o, e->span, "format");
    o->level++;
    for (int i = 0; i < e->format.n; i++) {
        const struct ck_format_part *part = &e->format.parts[i];
        if (part->text) {
            struct ck_expr text = {.kind = CK_EXPR_STRING, .span = part->span};
            text.string.bytes = part->text;
            text.string.length = part->length;
            dump_expr(o, &text);
            continue;
        }
        line(o, part->span, "field");
        dump_child(o, part->value);
        dump_role(o, "spec", part->spec);
    }
    o->level--;
}

static void
dump_compound_expr(struct outline *o, const struct ck_expr *e)
{
    switch (e->kind) {
    case CK_EXPR_UNARY:
        line(o, e->span, "unary %s", ck_unary_op_text(e->unary.op));
        dump_child(o, e->unary.operand);
        break;
    case CK_EXPR_BINARY:
        line(o, e->span, "binary %s", ck_binary_op_text(e->binary.op));
        dump_child(o, e->binary.left);
        dump_child(o, e->binary.right);
        break;
    case CK_EXPR_LOGICAL:
        line(o, e->span, e->logical.is_or ? "or" : "and");
        dump_children(o, e->logical.operands, e->logical.n);
        break;
    case CK_EXPR_CONDITIONAL:
        line(o, e->span, "conditional");
        dump_role(o, "then", e->conditional.then);
        dump_role(o, "test", e->conditional.test);
        dump_role(o, "else", e->conditional.otherwise);
        break;
    case CK_EXPR_ATTRIBUTE:
        line(o, e->span, "attribute .%s", e->attribute.name);
        dump_child(o, e->attribute.object);
        break;
    case CK_EXPR_SUBSCRIPT:
        line(o, e->span, "subscript");
        dump_child(o, e->subscript.object);
        dump_children(o, e->subscript.indices, e->subscript.n_indices);
        break;
    case CK_EXPR_FORMAT:
        dump_format(o, e);
        break;
    case CK_EXPR_STARRED:
        line(o, e->span, "starred");
        dump_child(o, e->starred);
        break;
    case CK_EXPR_COMPREHENSION:
        line(o, e->span, "%s", e->comprehension->is_list ? "comprehension" : "generator");
        dump_role(o, "element", e->comprehension->element);
        for (int i = 0; i < e->comprehension->n; i++) {
            const struct ck_comprehension_clause *clause = &e->comprehension->clauses[i];
            dump_role(o, "target", clause->target);
            dump_role(o, "in", clause->iterable);
            for (int k = 0; k < clause->n_tests; k++)
                dump_role(o, "if", clause->tests[k]);
        }
        break;
    case CK_EXPR_NAMED: /* of a line with an error */
        line(o, e->span, "named %s", e->named.target->name);
        dump_child(o, e->named.value);
        break;
    case CK_EXPR_SLICE:
        line(o, e->span, e->slice.is_rest ? "rest" : "slice");
        dump_role(o, "start", e->slice.start);
        dump_role(o, "stop", e->slice.stop);
        dump_role(o, "step", e->slice.step);
        break;
    default: /* TUPLE, LIST */
        line(o, e->span, e->kind == CK_EXPR_TUPLE ? "tuple" : "list");
        dump_children(o, e->sequence.items, e->sequence.n);
        break;
    }
}

static void
dump_expr(struct outline *o, const struct ck_expr *e)
{
    switch (e->kind) {
    case CK_EXPR_ERROR:
        line(o, e->span, "error");
        break;
    case CK_EXPR_NAME:
        line(o, e->span, "name %s", e->name);
        break;
    case CK_EXPR_INT:
        line(o, e->span, "int %llu%s", (unsigned long long)e->integer.value,
             e->integer.too_large ? " (too large)" : "");
        break;
    case CK_EXPR_FLOAT:
        line(o, e->span, "float %.17g", e->floating);
        break;
    case CK_EXPR_IMAGINARY:
        line(o, e->span, "imaginary %.17g", e->floating);
        break;
    case CK_EXPR_STRING:
        put_string(o, e);
        break;
    case CK_EXPR_BOOL:
        line(o, e->span, e->boolean ? "True" : "False");
        break;
    case CK_EXPR_FUNCTION:
        line(o, e->span, "function");
        o->level++;
        dump_function(o, e->function);
        o->level--;
        break;
    case CK_EXPR_NONE:
        line(o, e->span, "None");
        break;
    case CK_EXPR_COMPARE:
        dump_compare(o, e);
        break;
    case CK_EXPR_CALL:
        dump_call(o, e);
        break;
    default:
        dump_compound_expr(o, e);
        break;
    }
}

/* --- Statements ----------------------------------------------------------------------------------
 */

static void dump_stmt(struct outline *o, const struct ck_stmt *s);

static void
dump_block(struct outline *o, const char *text, const struct ck_block *block)
{
    if (block->n == 0)
        return;
    o->level++;
    role(o, text);
    o->level++;
    for (int i = 0; i < block->n; i++)
        dump_stmt(o, block->stmts[i]);
    o->level -= 2;
}

static void
dump_assignment(struct outline *o, const struct ck_stmt *s)
{
    switch (s->kind) {
    case CK_STMT_ASSIGN:
        line(o, s->span, "assign");
        for (int i = 0; i < s->assign.n_targets; i++)
            dump_role(o, "target", s->assign.targets[i]);
        dump_role(o, "value", s->assign.value);
        break;
    case CK_STMT_AUGASSIGN:
        line(o, s->span, "assign %s=", ck_binary_op_text(s->augassign.op));
        dump_role(o, "target", s->augassign.target);
        dump_role(o, "value", s->augassign.value);
        break;
    default: /* ANNOTATED */
        line(o, s->span, "annotated");
        dump_role(o, "target", s->annotated.target);
        dump_role(o, "type", s->annotated.annotation);
        dump_role(o, "value", s->annotated.value);
        break;
    }
}

static void
dump_compound_stmt(struct outline *o, const struct ck_stmt *s)
{
    switch (s->kind) {
    case CK_STMT_IF:
        line(o, s->span, "if");
        dump_role(o, "test", s->branch.test);
        dump_block(o, "then", &s->branch.then);
        dump_block(o, "else", &s->branch.otherwise);
        break;
    case CK_STMT_WHILE:
        line(o, s->span, "while");
        dump_role(o, "test", s->loop.test);
        dump_block(o, "body", &s->loop.body);
        dump_block(o, "else", &s->loop.otherwise);
        break;
    default: /* FOR */
        line(o, s->span, "for");
        dump_role(o, "target", s->each.target);
        dump_role(o, "in", s->each.iterable);
        dump_block(o, "body", &s->each.body);
        dump_block(o, "else", &s->each.otherwise);
        break;
    }
}

static void
dump_stmt(struct outline *o, const struct ck_stmt *s)
{
    switch (s->kind) {
    case CK_STMT_ERROR:
        line(o, s->span, "error");
        break;
    case CK_STMT_EXPR:
        line(o, s->span, "expression");
        dump_child(o, s->expr);
        break;
    case CK_STMT_BREAK:
        line(o, s->span, "break");
        break;
    case CK_STMT_CONTINUE:
        line(o, s->span, "continue");
        break;
    case CK_STMT_PASS:
        line(o, s->span, "pass");
        break;
    case CK_STMT_RETURN:
    case CK_STMT_RAISE:
        line(o, s->span, "%s", s->kind == CK_STMT_RAISE ? "raise" : "return");
        if (s->expr)
            dump_child(o, s->expr);
        break;
    case CK_STMT_DELETE:
        line(o, s->span, "delete");
        dump_children(o, s->assign.targets, s->assign.n_targets);
        break;
    case CK_STMT_ASSERT:
        line(o, s->span, "assert");
        dump_child(o, s->assertion.test);
        dump_role(o, "message", s->assertion.message);
        break;
    case CK_STMT_ASSIGN:
    case CK_STMT_AUGASSIGN:
    case CK_STMT_ANNOTATED:
        dump_assignment(o, s);
        break;
    default:
        dump_compound_stmt(o, s);
        break;
    }
}

/* --- The module ----------------------------------------------------------------------------------
 */

static void
dump_import(struct outline *o, const struct ck_item *item)
{
    const struct ck_import *import = &item->import;
    if (!import->is_from) {
        line(o, item->span, "import %s%s%s", import->module, import->alias ? " as " : "",
             import->alias ? import->alias : "");
        return;
    }
    line(o, item->span, "from %s import%s", import->module, import->is_star ? " *" : "");
    o->level++;
    for (int i = 0; i < import->n_names; i++)
        line(o, import->names[i].span, "%s as %s", import->names[i].name, import->names[i].alias);
    o->level--;
}

static void
dump_function(struct outline *o, const struct ck_function *f)
{
    for (int i = 0; i < f->n_decorators; i++) {
        line(o, f->decorators[i]->span, "decorator");
        dump_child(o, f->decorators[i]);
    }
    line(o, f->span, "function %s%s", f->name, f->broken ? " (broken)" : "");
    o->level++;
    for (int i = 0; i < f->n_params; i++) {
        static const char *const kinds[] = {"", " by position", " by keyword"};
        line(o, f->params[i].span, "parameter %s%s", f->params[i].name, kinds[f->params[i].kind]);
        if (f->params[i].annotation)
            dump_child(o, f->params[i].annotation);
        dump_role(o, "default", f->params[i].otherwise);
    }
    o->level--;
    dump_role(o, "returns", f->returns);
    dump_block(o, "body", &f->body);
}

void
ck_ast_dump(struct ck_strbuf *out, const struct ck_ast *ast, const struct ck_source *source)
{
    struct outline o = {.out = out, .source = source};
    for (int i = 0; i < ast->n_items; i++) {
        const struct ck_item *item = ast->items[i];
        if (item->kind == CK_ITEM_IMPORT)
            dump_import(&o, item);
        else if (item->kind == CK_ITEM_HOST)
            continue;
        else if (item->kind == CK_ITEM_ASSIGN)
            dump_stmt(&o, item->assign);
        else
            dump_function(&o, item->function);
    }
}
