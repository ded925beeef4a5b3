/* The typed program as text: for each function its locals, then its statements, one a line. */
#include <math.h>

#include "lang/typed/typed.h"

struct dump {
    struct ck_strbuf *out;
    const struct ck_tfunc *function;
    int indent;
};

static const char *const builtin_paths[] = {
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc)                     \
    [CK_BUILTIN_##id] = path,
#include "lang/typed/builtins.def"
#undef CK_BUILTIN
};

static void dump_expr(struct dump *d, const struct ck_texpr *expr);
static void dump_block(struct dump *d, const struct ck_tblock *block);

static void
dump_local(struct dump *d, int local)
{
    const char *name = d->function->locals[local].name;
    ck_strbuf_printf(d->out, "%s.%d", *name ? name : "t", local);
}

static void
dump_list(struct dump *d, struct ck_texpr *const *items, int n)
{
    for (int i = 0; i < n; i++) {
        if (i)
            ck_strbuf_puts(d->out, ", ");
        dump_expr(d, items[i]);
    }
}

static void
dump_index(struct dump *d, const struct ck_tindex *index)
{
    dump_expr(d, index->value);
    if (index->wrap)
        ck_strbuf_puts(d->out, " wrap");
}

static void
dump_indices(struct dump *d, const struct ck_tindex *indices, int n)
{
    ck_strbuf_putc(d->out, '[');
    for (int i = 0; i < n; i++) {
        if (i)
            ck_strbuf_puts(d->out, ", ");
        dump_index(d, &indices[i]);
    }
    ck_strbuf_putc(d->out, ']');
}

static void
dump_constant(struct dump *d, const struct ck_texpr *expr)
{
    if (expr->type->kind == CK_TYPE_BOOL)
        ck_strbuf_puts(d->out, expr->constant.i ? "True" : "False");
    else if (ck_type_is_float(expr->type))
        ck_strbuf_printf(d->out, "%.17g", expr->constant.f);
    else if (expr->type->kind == CK_TYPE_UINT64)
        ck_strbuf_printf(d->out, "%llu", (unsigned long long)expr->constant.i);
    else
        ck_strbuf_printf(d->out, "%lld", (long long)expr->constant.i);
    ck_strbuf_putc(d->out, ':');
    ck_type_write(d->out, expr->type);
}

static void
dump_axes(struct dump *d, const struct ck_taxis *axes, int n)
{
    ck_strbuf_putc(d->out, '[');
    for (int i = 0; i < n; i++) {
        ck_strbuf_puts(d->out, i ? ", " : "");
        if (!axes[i].is_slice) {
            dump_index(d, &axes[i].index);
            continue;
        }
        if (axes[i].start.value)
            dump_index(d, &axes[i].start);
        ck_strbuf_putc(d->out, ':');
        if (axes[i].stop.value)
            dump_index(d, &axes[i].stop);
        if (axes[i].step) {
            ck_strbuf_putc(d->out, ':');
            dump_expr(d, axes[i].step);
        }
    }
    ck_strbuf_putc(d->out, ']');
}

static void
dump_pair(struct dump *d, const struct ck_texpr *left, const char *op, const struct ck_texpr *right)
{
    ck_strbuf_putc(d->out, '(');
    dump_expr(d, left);
    ck_strbuf_printf(d->out, " %s ", op);
    dump_expr(d, right);
    ck_strbuf_putc(d->out, ')');
}

static void
dump_builtin(struct dump *d, const struct ck_texpr *expr)
{
    ck_strbuf_printf(d->out, "%s(", builtin_paths[expr->builtin.id]);
    dump_list(d, expr->builtin.args, expr->builtin.n_args);
    if (expr->builtin.indices) {
        ck_strbuf_putc(d->out, ' ');
        dump_indices(d, expr->builtin.indices, expr->builtin.args[0]->type->array.ndim);
    }
    ck_strbuf_putc(d->out, ')');
}

static void
dump_expr(struct dump *d, const struct ck_texpr *expr)
{
    switch (expr->kind) {
    case CK_T_CONST:
        dump_constant(d, expr);
        break;
    case CK_T_LOCAL:
        dump_local(d, expr->local);
        break;
    case CK_T_ARRAY:
        ck_strbuf_puts(d->out, expr->array->name);
        break;
    case CK_T_MODULE_ARRAY:
        ck_strbuf_puts(d->out, expr->module_array->name);
        break;
    case CK_T_LET:
        ck_strbuf_puts(d->out, "(let ");
        dump_local(d, expr->let.local);
        ck_strbuf_puts(d->out, " = ");
        dump_expr(d, expr->let.init);
        ck_strbuf_puts(d->out, " in ");
        dump_expr(d, expr->let.body);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_CAST:
        ck_type_write(d->out, expr->type);
        ck_strbuf_putc(d->out, '(');
        dump_expr(d, expr->unary.operand);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_UNARY:
        ck_strbuf_printf(d->out, "(%s ", ck_unary_op_text(expr->unary.op));
        dump_expr(d, expr->unary.operand);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_BINARY:
        dump_pair(d, expr->binary.left, ck_binary_op_text(expr->binary.op), expr->binary.right);
        break;
    case CK_T_COMPARE:
        dump_pair(d, expr->compare.left, ck_compare_op_text(expr->compare.op), expr->compare.right);
        break;
    case CK_T_LOGICAL:
        dump_pair(d, expr->logical.left, expr->logical.is_or ? "or" : "and", expr->logical.right);
        break;
    case CK_T_SELECT:
        ck_strbuf_putc(d->out, '(');
        dump_expr(d, expr->select.then);
        ck_strbuf_puts(d->out, " if ");
        dump_expr(d, expr->select.test);
        ck_strbuf_puts(d->out, " else ");
        dump_expr(d, expr->select.otherwise);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_TUPLE:
        ck_strbuf_putc(d->out, '(');
        dump_list(d, expr->tuple.items, expr->tuple.n);
        ck_strbuf_puts(d->out, expr->tuple.n == 1 ? ",)" : ")");
        break;
    case CK_T_ITEM:
        dump_expr(d, expr->item.tuple);
        ck_strbuf_printf(d->out, "[%d]", expr->item.index);
        break;
    case CK_T_ELEMENT:
        dump_expr(d, expr->element.array);
        dump_indices(d, expr->element.indices, expr->element.array->type->array.ndim);
        break;
    case CK_T_VIEW:
        dump_expr(d, expr->view.array);
        dump_axes(d, expr->view.axes, expr->view.array->type->array.ndim);
        break;
    case CK_T_SHAPE:
    case CK_T_STRIDE:
        dump_expr(d, expr->extent.array);
        ck_strbuf_printf(d->out, ".%s[%d]", expr->kind == CK_T_SHAPE ? "shape" : "strides",
                         expr->extent.dim);
        break;
    case CK_T_TRANSPOSE:
        dump_expr(d, expr->transpose.array);
        ck_strbuf_puts(d->out, ".transpose(");
        for (int i = 0; i < expr->type->array.ndim; i++)
            ck_strbuf_printf(d->out, i ? ", %d" : "%d", expr->transpose.order[i]);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_RESHAPE:
        dump_expr(d, expr->reshape.array);
        ck_strbuf_puts(d->out, ".reshape(");
        dump_list(d, expr->reshape.extents, expr->type->array.ndim);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_FIELD:
        dump_expr(d, expr->field.array);
        ck_strbuf_printf(d->out, ".%s", expr->field.name);
        break;
    case CK_T_ADDRESS:
        ck_strbuf_puts(d->out, "address(");
        dump_expr(d, expr->operand);
        ck_strbuf_puts(d->out, ", ");
        ck_type_write(d->out, expr->type->array.elem);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_REINTERPRET:
        dump_expr(d, expr->operand);
        ck_strbuf_puts(d->out, ".view(");
        ck_type_write(d->out, expr->type->array.elem);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_RETYPE:
        ck_strbuf_puts(d->out, "(");
        dump_expr(d, expr->operand);
        ck_strbuf_puts(d->out, " as ");
        ck_type_write(d->out, expr->type);
        ck_strbuf_puts(d->out, ")");
        break;
    case CK_T_CALL:
        ck_strbuf_printf(d->out, "%s(", expr->call.function->symbol);
        dump_list(d, expr->call.args, expr->call.n_args);
        ck_strbuf_putc(d->out, ')');
        break;
    case CK_T_BUILTIN:
        dump_builtin(d, expr);
        break;
    }
}

static void
begin_line(struct dump *d)
{
    ck_strbuf_fill(d->out, ' ', (size_t)d->indent * 2);
}

static void
dump_nested(struct dump *d, const char *header, const struct ck_tblock *block)
{
    if (header) {
        if (!block->n)
            return;
        begin_line(d);
        ck_strbuf_printf(d->out, "%s\n", header);
    }
    d->indent++;
    dump_block(d, block);
    d->indent--;
}

static void
dump_print(struct dump *d, const struct ck_tstmt *stmt)
{
    ck_strbuf_puts(d->out, "print");
    for (int i = 0; i < stmt->print.n; i++) {
        ck_strbuf_puts(d->out, i ? ", " : " ");
        if (stmt->print.items[i].text)
            ck_strbuf_printf(d->out, "\"%s\"", stmt->print.items[i].text);
        else
            dump_expr(d, stmt->print.items[i].value);
    }
    ck_strbuf_putc(d->out, '\n');
}

static void
dump_range(struct dump *d, const struct ck_tstmt *stmt)
{
    struct ck_texpr *bounds[] = {stmt->range.start, stmt->range.stop, stmt->range.step};
    ck_strbuf_puts(d->out, "for ");
    dump_local(d, stmt->range.counter);
    ck_strbuf_puts(d->out, " in range(");
    dump_list(d, bounds, 3);
    ck_strbuf_puts(d->out, ")\n");
    dump_nested(d, NULL, &stmt->range.body);
    dump_nested(d, "else", &stmt->range.otherwise);
}

static void
dump_simple(struct dump *d, const char *word, const struct ck_texpr *expr)
{
    ck_strbuf_puts(d->out, word);
    if (expr) {
        ck_strbuf_puts(d->out, *word ? " " : "");
        dump_expr(d, expr);
    }
    ck_strbuf_putc(d->out, '\n');
}

static void
dump_stmt(struct dump *d, const struct ck_tstmt *stmt)
{
    begin_line(d);
    switch (stmt->kind) {
    case CK_S_ASSIGN:
        dump_local(d, stmt->assign.local);
        dump_simple(d, " =", stmt->assign.value);
        break;
    case CK_S_STORE:
        dump_expr(d, stmt->store.array);
        dump_indices(d, stmt->store.indices, stmt->store.array->type->array.ndim);
        dump_simple(d, " =", stmt->store.value);
        break;
    case CK_S_EXPR:
        dump_simple(d, "", stmt->expr);
        break;
    case CK_S_IF:
        dump_simple(d, "if", stmt->branch.test);
        dump_nested(d, NULL, &stmt->branch.then);
        dump_nested(d, "else", &stmt->branch.otherwise);
        break;
    case CK_S_WHILE:
        dump_simple(d, "while", stmt->loop.test);
        dump_nested(d, NULL, &stmt->loop.body);
        dump_nested(d, "else", &stmt->loop.otherwise);
        break;
    case CK_S_RANGE:
        dump_range(d, stmt);
        break;
    case CK_S_BREAK:
        dump_simple(d, "break", NULL);
        break;
    case CK_S_CONTINUE:
        dump_simple(d, "continue", NULL);
        break;
    case CK_S_RETURN:
        dump_simple(d, "return", stmt->expr);
        break;
    case CK_S_PRINT:
        dump_print(d, stmt);
        break;
    case CK_S_ASSERT:
        dump_simple(d, "assert", stmt->assertion.test);
        break;
    }
}

static void
dump_block(struct dump *d, const struct ck_tblock *block)
{
    for (int i = 0; i < block->n; i++)
        dump_stmt(d, block->stmts[i]);
}

static void
dump_function(struct ck_strbuf *out, const struct ck_tfunc *function)
{
    struct dump d = {.out = out, .function = function, .indent = 1};
    ck_strbuf_printf(out, "%s %s", function->is_kernel ? "kernel" : "device", function->symbol);
    ck_strbuf_putc(out, '(');
    for (int i = 0; i < function->n_params; i++) {
        ck_strbuf_puts(out, i ? ", " : "");
        dump_local(&d, i);
        ck_strbuf_puts(out, ": ");
        ck_type_write(out, function->locals[i].type);
    }
    ck_strbuf_puts(out, ") -> ");
    ck_type_write(out, function->returns);
    ck_strbuf_printf(out, "%s%s%s%s",
                     ck_tfunc_has(function, CK_EFFECT_BLOCK_BARRIER) ? " block-barrier" : "",
                     ck_tfunc_has(function, CK_EFFECT_CLUSTER_BARRIER) ? " cluster-barrier" : "",
                     ck_tfunc_has(function, CK_EFFECT_GRID_BARRIER) ? " grid-barrier" : "",
                     ck_tfunc_has(function, CK_EFFECT_WARP_PRIMITIVE) ? " warp-primitives" : "");
    if (function->in_prelude)
        ck_strbuf_printf(out, "; prelude%s", function->made_for ? function->made_for : "");
    ck_strbuf_putc(out, '\n');
    for (int i = function->n_params; i < function->n_locals; i++) {
        ck_strbuf_puts(out, "  local ");
        dump_local(&d, i);
        ck_strbuf_puts(out, ": ");
        ck_type_write(out, function->locals[i].type);
        ck_strbuf_puts(out, function->locals[i].is_zeroed ? " = 0\n" : "\n");
    }
    dump_block(&d, &function->body);
}

void
ck_program_dump(struct ck_strbuf *out, const struct ck_program *program)
{
    for (int i = 0; i < program->n_functions; i++) {
        if (i)
            ck_strbuf_putc(out, '\n');
        dump_function(out, program->functions[i]);
    }
}
