/* Statements. */
#include <string.h>

#include "codegen/lower/lower.h"

static void gen_stmt(struct ck_gen *gen, const struct ck_tstmt *stmt);

void
ck_gen_block(struct ck_gen *gen, const struct ck_tblock *block)
{
    for (int i = 0; i < block->n; i++)
        gen_stmt(gen, block->stmts[i]);
}

static void
gen_assign(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    ck_gen_assign(gen, stmt->assign.local, ck_gen_expr(gen, stmt->assign.value));
}

/* Evaluates the value before the target, as Python does. */
static void
gen_store(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    const struct ck_texpr *array = stmt->store.array;
    struct ck_gen_value stored = ck_gen_expr(gen, stmt->store.value);
    struct ck_gen_value value = ck_gen_expr(gen, array);
    LLVMValueRef v_address = ck_gen_element_address(gen, array, value, stmt->store.indices);
    const struct ck_type *elem = array->type->array.elem;
    const struct ck_tindex *last = ck_gen_last_index(array, stmt->store.indices);
    ck_gen_check_access(gen, array, last, value.parts[0], v_address, (unsigned)ck_type_size(elem),
                        (struct ck_access_kind){.writes = true});
    ck_gen_element_store(gen, array->type, v_address, stored);
}

static void
gen_effect(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    ck_gen_expr(gen, stmt->expr);
}

/* An `elif` is an IF alone in `otherwise`: the loop avoids a recursion for each of a chain. */
static void
gen_if(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    LLVMBasicBlockRef b_done = l_block(gen, "if.done");
    for (;;) {
        const struct ck_tblock *otherwise = &stmt->branch.otherwise;
        LLVMBasicBlockRef b_then = l_block(gen, "if.then");
        LLVMBasicBlockRef b_else = otherwise->n > 0 ? l_block(gen, "if.else") : b_done;
        LLVMBuildCondBr(gen->builder, ck_gen_scalar(gen, stmt->branch.test), b_then, b_else);
        l_at(gen, b_then);
        ck_gen_block(gen, &stmt->branch.then);
        l_branch(gen, b_done);
        if (otherwise->n == 0)
            break;
        l_at(gen, b_else);
        if (otherwise->n == 1 && otherwise->stmts[0]->kind == CK_S_IF) {
            stmt = otherwise->stmts[0];
            ck_debug_at(gen, stmt->span);
            continue;
        }
        ck_gen_block(gen, otherwise);
        l_branch(gen, b_done);
        break;
    }
    l_at(gen, b_done);
}

static void
gen_loop_body(struct ck_gen *gen, const struct ck_tblock *body, LLVMBasicBlockRef b_continue,
              LLVMBasicBlockRef b_break)
{
    struct ck_gen_loop loop = {gen->frame->loop, b_continue, b_break};
    gen->frame->loop = &loop;
    ck_gen_block(gen, body);
    gen->frame->loop = loop.outer;
    l_branch(gen, b_continue);
}

/* The span of `while` and its condition; the typed condition may be a part of that text. */
static struct ck_span
while_header(const struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    const struct ck_source *source = gen->program->source;
    uint32_t end = stmt->loop.test->span.end;
    while (end < stmt->span.end && source->text[end] != ':' && source->text[end] != '\n')
        end++;
    return (struct ck_span){stmt->span.start, end};
}

static void
gen_while(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    LLVMBasicBlockRef b_test = l_block(gen, "while.test");
    LLVMBasicBlockRef b_body = l_block(gen, "while.body");
    LLVMBasicBlockRef b_else = l_block(gen, "while.else");
    LLVMBasicBlockRef b_done = l_block(gen, "while.done");
    l_branch(gen, b_test);
    l_at(gen, b_test);
    LLVMBuildCondBr(gen->builder, ck_gen_scalar(gen, stmt->loop.test), b_body, b_else);
    l_at(gen, b_body);
    bool yields = stmt->loop.spins && gen->target->thread->yield;
    LLVMBasicBlockRef b_again = yields ? l_block(gen, "while.again") : b_test;
    gen_loop_body(gen, &stmt->loop.body, b_again, b_done);
    if (yields) {
        l_at(gen, b_again);
        gen->target->thread->yield(gen, while_header(gen, stmt));
        l_branch(gen, b_test);
    }
    l_at(gen, b_else);
    ck_gen_block(gen, &stmt->loop.otherwise);
    l_branch(gen, b_done);
    l_at(gen, b_done);
}

/* A range loop during lowering. The position is a slot of its own, because the loop variable keeps
 * its last value after the loop. */
struct range {
    LLVMTypeRef type;
    bool is_signed;
    LLVMValueRef v_start, v_stop, v_step;
    int unit; /* the step if it is the constant 1 or -1, else 0 */
    LLVMValueRef v_rises;
    LLVMValueRef v_limit; /* stop - step, saturated */
};

static LLVMValueRef
before(struct ck_gen *gen, const struct range *range, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return l_compare(gen, range->is_signed ? LLVMIntSLT : LLVMIntULT, v_left, v_right);
}

/* Whether left comes before right in the direction of the step. */
static LLVMValueRef
ahead(struct ck_gen *gen, const struct range *range, LLVMValueRef v_left, LLVMValueRef v_right)
{
    if (LLVMIsAConstantInt(range->v_rises))
        return LLVMConstIntGetZExtValue(range->v_rises) ? before(gen, range, v_left, v_right)
                                                        : before(gen, range, v_right, v_left);
    return l_select(gen, range->v_rises, before(gen, range, v_left, v_right),
                    before(gen, range, v_right, v_left));
}

static struct range
range_start(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    struct range range = {.is_signed = ck_type_is_signed(stmt->range.start->type)};
    range.v_start = ck_gen_scalar(gen, stmt->range.start);
    range.v_stop = ck_gen_scalar(gen, stmt->range.stop);
    range.v_step = ck_gen_scalar(gen, stmt->range.step);
    range.type = LLVMTypeOf(range.v_start);
    LLVMValueRef v_zero = LLVMConstNull(range.type);
    if (range.v_step == LLVMConstInt(range.type, 1, false))
        range.unit = 1;
    else if (range.is_signed && range.v_step == LLVMConstAllOnes(range.type))
        range.unit = -1;
    range.v_rises = l_compare(gen, range.is_signed ? LLVMIntSGT : LLVMIntUGT, range.v_step, v_zero);
    return range;
}

/* Whether another iteration follows the one at v_position. With a step of 1 or -1 the next position
 * cannot overflow, because it is at most `stop`. Otherwise position + step < stop is computed as
 * position < stop - step. If that difference saturates, no iteration follows. */
static LLVMValueRef
range_continues(struct ck_gen *gen, const struct range *range, LLVMValueRef v_position,
                LLVMValueRef v_next)
{
    if (range->unit)
        return ahead(gen, range, v_next, range->v_stop);
    return ahead(gen, range, v_position, range->v_limit);
}

/* A step of zero runs no iteration. */
static LLVMValueRef
range_enters(struct ck_gen *gen, struct range *range)
{
    LLVMValueRef v_enters = ahead(gen, range, range->v_start, range->v_stop);
    if (range->unit)
        return v_enters;
    const char *name = range->is_signed ? "llvm.ssub.sat" : "llvm.usub.sat";
    LLVMValueRef args[] = {range->v_stop, range->v_step};
    range->v_limit = l_intrinsic(gen, name, range->type, args, 2);
    LLVMValueRef v_moves = l_compare(gen, LLVMIntNE, range->v_step, LLVMConstNull(range->type));
    return LLVMBuildAnd(gen->builder, v_moves, v_enters, "");
}

/* Adding the step does not overflow if another iteration follows. Unless the step is 1 or -1, it is
 * added after that test. */
static LLVMValueRef
range_next(struct ck_gen *gen, const struct range *range, LLVMValueRef v_position)
{
    if (range->is_signed)
        return LLVMBuildNSWAdd(gen->builder, v_position, range->v_step, "");
    return LLVMBuildNUWAdd(gen->builder, v_position, range->v_step, "");
}

static void
gen_range_step(struct ck_gen *gen, const struct range *range, LLVMValueRef v_slot,
               LLVMBasicBlockRef b_body, LLVMBasicBlockRef b_else)
{
    LLVMValueRef v_position = LLVMBuildLoad2(gen->builder, range->type, v_slot, "");
    if (range->unit) {
        LLVMValueRef v_next = range_next(gen, range, v_position);
        LLVMBuildStore(gen->builder, v_next, v_slot);
        LLVMBuildCondBr(gen->builder, range_continues(gen, range, v_position, v_next), b_body,
                        b_else);
        return;
    }
    LLVMBasicBlockRef b_step = l_block(gen, "for.step");
    LLVMBuildCondBr(gen->builder, range_continues(gen, range, v_position, NULL), b_step, b_else);
    l_at(gen, b_step);
    LLVMBuildStore(gen->builder, range_next(gen, range, v_position), v_slot);
    l_branch(gen, b_body);
}

static void
gen_range(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    LLVMBasicBlockRef b_body = l_block(gen, "for.body");
    LLVMBasicBlockRef b_next = l_block(gen, "for.next");
    LLVMBasicBlockRef b_else = l_block(gen, "for.else");
    LLVMBasicBlockRef b_done = l_block(gen, "for.done");
    struct range range = range_start(gen, stmt);
    LLVMValueRef v_slot = l_slot(gen, range.type, "for.position");
    LLVMBuildStore(gen->builder, range.v_start, v_slot);
    LLVMBuildCondBr(gen->builder, range_enters(gen, &range), b_body, b_else);

    l_at(gen, b_body);
    LLVMValueRef v_position = LLVMBuildLoad2(gen->builder, range.type, v_slot, "");
    ck_gen_assign(gen, stmt->range.counter, ck_gen_value_scalar(gen, v_position));
    gen_loop_body(gen, &stmt->range.body, b_next, b_done);
    l_at(gen, b_next);
    gen_range_step(gen, &range, v_slot, b_body, b_else);

    l_at(gen, b_else);
    ck_gen_block(gen, &stmt->range.otherwise);
    l_branch(gen, b_done);
    l_at(gen, b_done);
}

static void
gen_break(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    (void)stmt;
    l_leave(gen, gen->frame->loop->b_break);
}

static void
gen_continue(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    (void)stmt;
    l_leave(gen, gen->frame->loop->b_continue);
}

static void
gen_return(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    if (stmt->expr) {
        struct ck_gen_value value = ck_gen_expr(gen, stmt->expr);
        for (int i = 0; i < value.n; i++)
            LLVMBuildStore(gen->builder, value.parts[i], gen->frame->result[i]);
    }
    if (!gen->frame->caller && gen->target->thread->returns)
        gen->target->thread->returns(gen, stmt->span);
    l_leave(gen, gen->frame->b_return);
}

const char *
ck_gen_conversion(struct ck_gen *gen, const char *conversion, const struct ck_type *type)
{
    const int flags = (int)strlen(conversion) - 1;
    return ck_arena_printf(&gen->arena, "%.*s%s%c", flags, conversion,
                           ck_type_is_float(type) ? "" : "ll", conversion[flags]);
}

static void
gen_print(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    int n = stmt->print.n;
    LLVMValueRef *values = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, n);
    for (int i = 0; i < n; i++) {
        const struct ck_texpr *value = stmt->print.items[i].value;
        if (stmt->print.items[i].text)
            continue;
        values[i] = ck_type_is_complex(value->type)
                        ? ck_gen_complex_pack(gen, ck_gen_expr(gen, value))
                    : ck_type_is_array(value->type) ? ck_gen_expr(gen, value).parts[0]
                                                    : ck_gen_scalar(gen, value);
    }
    gen->target->thread->print(gen, stmt->print.items, values, n);
}

static void (*const stmt_kinds[])(struct ck_gen *gen, const struct ck_tstmt *stmt) = {
    [CK_S_ASSIGN] = gen_assign, [CK_S_STORE] = gen_store,       [CK_S_EXPR] = gen_effect,
    [CK_S_IF] = gen_if,         [CK_S_WHILE] = gen_while,       [CK_S_RANGE] = gen_range,
    [CK_S_BREAK] = gen_break,   [CK_S_CONTINUE] = gen_continue, [CK_S_RETURN] = gen_return,
    [CK_S_PRINT] = gen_print,   [CK_S_ASSERT] = ck_gen_assert,
};

static void
gen_stmt(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    ck_debug_at(gen, stmt->span);
    stmt_kinds[stmt->kind](gen, stmt);
}
