/* Predication: threads that return from a kernel go along to its later barriers, doing nothing
 * else.
 *
 * A flag is true in the threads that have returned. `return` sets it, and what follows without a
 * barrier runs under `if not flag`. Barriers, and the branches and loops around them, are executed
 * by all threads; so are assignments without side effects to the locals on which these depend,
 * so that all threads agree on them. A branch around barriers, whose other side leads to the end of
 * the kernel without another barrier of these groups, is a `return` of the threads on that side.
 *
 * This is if-conversion (Allen et al. 1983) of divergent returns only. Whether a condition is
 * uniform is not decided here: the divergence analysis of the result rejects what is not. */
#include "lang/divergence/predicate.h"

#include "lang/divergence/acts.h"
#include "lang/divergence/control.h"
#include "lang/divergence/divergence_internal.h"

struct flags {
    int local;
    const struct flags *outer;
};

struct predication {
    struct ck_arena *arena;
    struct ck_tfunc *kernel;
    const struct ck_predicate_job *job;
    unsigned between;          /* variations that concern some barrier of the kernel */
    bool *agreed;              /* by local: barriers depend on it */
    bool *unsafe;              /* by local: threads that have returned may lack its value */
    const struct flags *flags; /* of the code being rewritten; a return sets all */
    bool may;                  /* the innermost flag may be set here */
    int n_loops;               /* loops with barriers around this point */
    bool failed, any;
    struct ck_span combines; /* what failed: it combines values of threads */
};

/* --- Construction --------------------------------------------------------------------------------
 */

static struct ck_texpr *
new_expr(struct predication *p, enum ck_texpr_kind kind, struct ck_span span)
{
    struct ck_texpr *expr = CK_NEW(p->arena, struct ck_texpr);
    expr->kind = kind;
    expr->type = ck_type_scalar(CK_TYPE_BOOL);
    expr->span = span;
    return expr;
}

static struct ck_texpr *
flag_value(struct predication *p, int local, struct ck_span span)
{
    struct ck_texpr *expr = new_expr(p, CK_T_LOCAL, span);
    expr->local = local;
    return expr;
}

static struct ck_texpr *
negation(struct predication *p, struct ck_texpr *operand)
{
    struct ck_texpr *expr = new_expr(p, CK_T_UNARY, operand->span);
    expr->unary.op = CK_OP_NOT;
    expr->unary.operand = operand;
    return expr;
}

/* Whether this thread has not returned. */
static struct ck_texpr *
is_here(struct predication *p, struct ck_span span)
{
    return negation(p, flag_value(p, p->flags->local, span));
}

static struct ck_texpr *
both(struct predication *p, struct ck_texpr *left, struct ck_texpr *right)
{
    struct ck_texpr *expr = new_expr(p, CK_T_LOGICAL, right->span);
    expr->logical.left = left;
    expr->logical.right = right;
    return expr;
}

static struct ck_tstmt *
new_stmt(struct predication *p, enum ck_tstmt_kind kind, struct ck_span span)
{
    struct ck_tstmt *stmt = CK_NEW(p->arena, struct ck_tstmt);
    stmt->kind = kind;
    stmt->span = span;
    return stmt;
}

static struct ck_tstmt *
copy_of(struct predication *p, const struct ck_tstmt *stmt)
{
    struct ck_tstmt *copy = CK_NEW(p->arena, struct ck_tstmt);
    *copy = *stmt;
    return copy;
}

/* The first or second block in a copy of a branch or loop, without statements. */
static struct ck_tblock *
emptied(struct ck_tstmt *copy, int which)
{
    static const struct ck_tblock none = {0};
    struct ck_tblock *blocks[] = {&copy->branch.then, &copy->branch.otherwise};
    if (copy->kind == CK_S_WHILE) {
        blocks[0] = &copy->loop.body;
        blocks[1] = &copy->loop.otherwise;
    } else if (copy->kind == CK_S_RANGE) {
        blocks[0] = &copy->range.body;
        blocks[1] = &copy->range.otherwise;
    }
    *blocks[which] = none;
    return blocks[which];
}

static void
append(struct predication *p, struct ck_tblock *block, struct ck_tstmt *stmt)
{
    CK_PUSH(p->arena, block->stmts, block->n, block->capacity, stmt);
}

static void
assign(struct predication *p, struct ck_tblock *out, int local, struct ck_texpr *value)
{
    struct ck_tstmt *stmt = new_stmt(p, CK_S_ASSIGN, value->span);
    stmt->assign.local = local;
    stmt->assign.value = value;
    append(p, out, stmt);
}

static void
assign_constant(struct predication *p, struct ck_tblock *out, int local, bool value,
                struct ck_span span)
{
    struct ck_texpr *constant = new_expr(p, CK_T_CONST, span);
    constant->constant.i = value;
    assign(p, out, local, constant);
}

static int
new_local(struct predication *p, const char *name, const struct ck_type *type)
{
    struct ck_tfunc *kernel = p->kernel;
    struct ck_local local = {.name = name, .type = type};
    CK_PUSH(p->arena, kernel->locals, kernel->n_locals, kernel->locals_capacity, local);
    return kernel->n_locals - 1;
}

static int
new_flag(struct predication *p)
{
    const int flag = new_local(p, "", ck_type_scalar(CK_TYPE_BOOL));
    p->kernel->locals[flag].is_flag = true;
    return flag;
}

static void
set_flags(struct predication *p, struct ck_tblock *out, struct ck_span span)
{
    for (const struct flags *flag = p->flags; flag; flag = flag->outer)
        assign_constant(p, out, flag->local, true, span);
}

/* The body of `if not flag`, or NULL where no thread can have returned. */
static struct ck_tblock *
guard(struct predication *p, struct ck_tblock *out, struct ck_span span)
{
    if (!p->may)
        return out;
    struct ck_tstmt *branch = new_stmt(p, CK_S_IF, span);
    branch->branch.test = is_here(p, span);
    append(p, out, branch);
    return &branch->branch.then;
}

/* --- What a statement contains -------------------------------------------------------------------
 */

/* The variations that concern a barrier for which some of these groups wait. */
static unsigned
between(unsigned waits)
{
    if (waits & CK_ACTS_GRID)
        return 1 << CK_BETWEEN_THREADS | 1 << CK_BETWEEN_BLOCKS | 1 << CK_BETWEEN_CLUSTERS;
    return 1 << CK_BETWEEN_THREADS | (waits & CK_ACTS_CLUSTER ? 1 << CK_BETWEEN_BLOCKS : 0);
}

/* The same, where data counts. */
static unsigned
with_data(unsigned variations)
{
    return variations << CK_WITH_DATA;
}

static bool
differs_in(const struct predication *p, const struct ck_tstmt *stmt, unsigned variations)
{
    return p->job->differs(p->job->context, stmt) & variations;
}

static bool
differs(const struct predication *p, const struct ck_tstmt *stmt)
{
    return differs_in(p, stmt, p->between);
}

/* Whether some threads return in it where others do not. */
static bool
has_divergent_return(const struct predication *p, const struct ck_tstmt *stmt, bool divergent)
{
    const struct ck_tblock *blocks[2];
    bool has = divergent && stmt->kind == CK_S_RETURN;
    divergent = divergent || differs(p, stmt);
    for (int k = ck_stmt_blocks(stmt, blocks) - 1; k >= 0; k--) {
        for (int i = 0; i < blocks[k]->n && !has; i++)
            has = has_divergent_return(p, blocks[k]->stmts[i], divergent);
    }
    return has;
}

static unsigned
waits_in(const struct ck_tblock *block, int from)
{
    const struct ck_tblock rest = {.stmts = block->stmts + from, .n = block->n - from};
    return ck_acts_of_block(&rest) & CK_ACTS_WAITS;
}

static bool
is_pure(const struct ck_texpr *expr)
{
    return !ck_acts_of(expr);
}

static bool
has_pure_condition(const struct ck_tstmt *stmt)
{
    if (stmt->kind == CK_S_IF)
        return is_pure(stmt->branch.test);
    return stmt->kind == CK_S_RANGE && is_pure(stmt->range.start) && is_pure(stmt->range.stop) &&
           is_pure(stmt->range.step);
}

/* Whether the statement sets what barriers depend on, so that all threads have to execute it. */
static bool
sets_agreed(const struct predication *p, const struct ck_tstmt *stmt)
{
    const struct ck_tblock *blocks[2];
    bool sets =
        stmt->kind == CK_S_ASSIGN && p->agreed[stmt->assign.local] && is_pure(stmt->assign.value);
    for (int k = ck_stmt_blocks(stmt, blocks) - 1; k >= 0; k--) {
        for (int i = 0; i < blocks[k]->n && !sets; i++)
            sets = sets_agreed(p, blocks[k]->stmts[i]);
    }
    return sets;
}

/* Whether all threads execute the branch or loop, which has no barrier. A `while` loop might not
 * end in threads that have returned. */
static bool
is_joined(const struct predication *p, const struct ck_tstmt *stmt)
{
    if ((stmt->kind != CK_S_IF && stmt->kind != CK_S_RANGE) || differs(p, stmt) ||
        !has_pure_condition(stmt))
        return false;
    return sets_agreed(p, stmt) || ck_stmt_leaves_loop(stmt, false) || ck_stmt_returns(stmt);
}

/* --- What barriers depend on ---------------------------------------------------------------------
 */

struct reads {
    struct predication *p;
    bool changed;
};

static void
add_reads(void *context, struct ck_texpr *expr)
{
    struct reads *reads = context;
    if (expr->kind == CK_T_LOCAL && !reads->p->agreed[expr->local])
        reads->p->agreed[expr->local] = reads->changed = true;
    ck_texpr_each(expr, add_reads, reads);
}

static void
add_conditions(struct reads *reads, const struct ck_tstmt *stmt)
{
    if (stmt->kind == CK_S_RANGE)
        ck_texprs_each((struct ck_texpr *[]){stmt->range.start, stmt->range.stop, stmt->range.step},
                       3, add_reads, reads);
    else
        add_reads(reads, stmt->kind == CK_S_IF ? stmt->branch.test : stmt->loop.test);
}

static void
find_agreed(struct reads *reads, const struct ck_tblock *block)
{
    for (int i = 0; i < block->n; i++) {
        const struct ck_tstmt *stmt = block->stmts[i];
        const struct ck_tblock *blocks[2];
        const bool waits = ck_acts_of_stmt(stmt) & (CK_ACTS_WAITS | CK_ACTS_WARP);
        const int n = ck_stmt_blocks(stmt, blocks);
        if (n && (waits || is_joined(reads->p, stmt)))
            add_conditions(reads, stmt);
        else if (stmt->kind == CK_S_EXPR && waits)
            add_reads(reads, stmt->expr);
        else if (stmt->kind == CK_S_ASSIGN && (waits || reads->p->agreed[stmt->assign.local]))
            add_reads(reads, stmt->assign.value);
        for (int k = 0; k < n; k++)
            find_agreed(reads, blocks[k]);
    }
}

/* --- What combines values of threads -------------------------------------------------------------
 */

/* The innermost expression that combines. One without a value, as of a copy, has another remedy. */
static void
find_combining(void *context, struct ck_texpr *expr)
{
    struct ck_span *found = context;
    if (found->end || !(ck_acts_of(expr) & CK_ACTS_COMBINES))
        return;
    ck_texpr_each(expr, find_combining, found);
    if (!found->end && expr->type->kind != CK_TYPE_VOID)
        *found = expr->span;
}

static void
find_combining_in(const struct ck_tstmt *stmt, struct ck_span *found)
{
    struct ck_tstmt *only = (struct ck_tstmt *)stmt;
    const struct ck_tblock block = {.stmts = &only, .n = 1};
    const struct ck_tblock *blocks[2];
    ck_tblock_each_expr(&block, find_combining, found);
    const int n = ck_stmt_blocks(stmt, blocks);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < blocks[k]->n && !found->end; i++)
            find_combining_in(blocks[k]->stmts[i], found);
    }
}

/* Threads that have returned would have to take part in it. */
static void
refuse_combining(struct predication *p, const struct ck_tstmt *stmt)
{
    if (!(ck_acts_of_stmt(stmt) & CK_ACTS_COMBINES))
        return;
    p->failed = true;
    if (!p->combines.end)
        find_combining_in(stmt, &p->combines);
}

/* --- Expressions with barriers -------------------------------------------------------------------
 */

/* The condition of a vote, false (`and`: true) in threads that have returned. */
static struct ck_texpr *
guarded_vote(struct predication *p, struct ck_texpr *condition, bool is_all)
{
    if (ck_acts_of(condition) & ~(unsigned)CK_ACTS_WORKS || !ck_type_is_whole(condition->type)) {
        p->failed = true;
        return condition;
    }
    if (!p->may)
        return condition;
    struct ck_texpr *neutral = new_expr(p, CK_T_CONST, condition->span);
    neutral->type = condition->type;
    neutral->constant.i = is_all;
    struct ck_texpr *expr = new_expr(p, CK_T_SELECT, condition->span);
    expr->type = condition->type;
    expr->select.test = flag_value(p, p->flags->local, condition->span);
    expr->select.then = neutral;
    expr->select.otherwise = condition;
    return expr;
}

static bool
may_divide(enum ck_binary_op op)
{
    return op == CK_OP_DIV || op == CK_OP_FLOORDIV || op == CK_OP_MOD || op == CK_OP_POW;
}

/* The expression for all threads: barriers, and what has no effect. */
static struct ck_texpr *
joined(struct predication *p, struct ck_texpr *expr)
{
    const unsigned acts = ck_acts_of(expr);
    if (!p->may || !(acts & ~(unsigned)(CK_ACTS_WAITS | CK_ACTS_WARP)))
        return expr;
    struct ck_texpr *copy = CK_NEW(p->arena, struct ck_texpr);
    *copy = *expr;
    bool is_all = false;
    switch (acts & CK_ACTS_VOTE ? expr->kind : CK_T_ARRAY) {
    case CK_T_CAST:
    case CK_T_UNARY:
        copy->unary.operand = joined(p, expr->unary.operand);
        break;
    case CK_T_COMPARE:
        copy->compare.left = joined(p, expr->compare.left);
        copy->compare.right = joined(p, expr->compare.right);
        break;
    case CK_T_BINARY:
        p->failed = p->failed || may_divide(expr->binary.op);
        copy->binary.left = joined(p, expr->binary.left);
        copy->binary.right = joined(p, expr->binary.right);
        break;
    case CK_T_LOGICAL:
        copy->logical.left = joined(p, expr->logical.left);
        copy->logical.right = joined(p, expr->logical.right);
        break;
    case CK_T_LET:
        copy->let.init = joined(p, expr->let.init);
        copy->let.body = joined(p, expr->let.body);
        break;
    case CK_T_CALL:
    case CK_T_BUILTIN: {
        const bool votes = ck_is_block_vote(expr, &is_all);
        struct ck_texpr **args = expr->kind == CK_T_CALL ? expr->call.args : expr->builtin.args;
        const int n = expr->kind == CK_T_CALL ? expr->call.n_args : expr->builtin.n_args;
        struct ck_texpr **guarded = CK_NEW_ARRAY(p->arena, struct ck_texpr *, n);
        p->failed = p->failed || !votes;
        for (int i = 0; i < n; i++) {
            guarded[i] = i == n - 1 ? guarded_vote(p, args[i], is_all) : args[i];
            p->failed = p->failed || (i < n - 1 && !is_pure(args[i])); /* the group */
        }
        if (expr->kind == CK_T_CALL)
            copy->call.args = guarded;
        else
            copy->builtin.args = guarded;
        break;
    }
    default:
        p->failed = true;
    }
    if (p->failed && !p->combines.end)
        find_combining(&p->combines, expr);
    return copy;
}

/* --- Statements without barriers, some of which return -------------------------------------------
 */

/* In a loop a return leaves the loop; `loop`: there is one around it in the same run. */
static void
convert_run(struct predication *p, const struct ck_tblock *in, bool loop, struct ck_tblock *out)
{
    for (int i = 0; i < in->n; i++) {
        const struct ck_tstmt *stmt = in->stmts[i];
        if (!ck_stmt_returns(stmt)) {
            append(p, out, in->stmts[i]);
            continue;
        }
        if (stmt->kind == CK_S_RETURN) {
            set_flags(p, out, stmt->span);
            if (loop)
                append(p, out, new_stmt(p, CK_S_BREAK, stmt->span));
            p->may = true;
            return;
        }
        struct ck_tstmt *copy = copy_of(p, stmt);
        const struct ck_tblock *from[2] = {NULL};
        const int n = ck_stmt_blocks(stmt, from);
        for (int k = 0; k < n; k++)
            convert_run(p, from[k], loop || (ck_stmt_is_loop(stmt) && k == 0), emptied(copy, k));
        append(p, out, copy);
        p->may = true;
        if (loop && ck_stmt_is_loop(stmt)) {
            struct ck_tstmt *branch = new_stmt(p, CK_S_IF, stmt->span);
            branch->branch.test = flag_value(p, p->flags->local, stmt->span);
            append(p, &branch->branch.then, new_stmt(p, CK_S_BREAK, stmt->span));
            append(p, out, branch);
        } else if (!loop && i + 1 < in->n) {
            const struct ck_tblock rest = {.stmts = in->stmts + i + 1, .n = in->n - i - 1};
            convert_run(p, &rest, false, guard(p, out, stmt->span));
            return;
        }
    }
}

/* --- Statements around barriers ------------------------------------------------------------------
 */

static void convert(struct predication *p, const struct ck_tblock *in, unsigned ahead,
                    struct ck_tblock *out);

static bool
is_divergent_branch(const struct predication *p, const struct ck_tstmt *stmt)
{
    const unsigned waits = ck_acts_of_stmt(stmt) & CK_ACTS_WAITS;
    return stmt->kind == CK_S_IF && waits && differs_in(p, stmt, between(waits));
}

/* Whether threads can go along to the branch's barriers: its other side leads to the end without
 * another one. */
static bool
is_last_branch(const struct predication *p, const struct ck_tstmt *stmt, unsigned ahead)
{
    const unsigned then = waits_in(&stmt->branch.then, 0);
    const unsigned otherwise = waits_in(&stmt->branch.otherwise, 0);
    return !p->n_loops && !(then && otherwise) && !((then | otherwise) & ahead) &&
           !(ck_acts_of(stmt->branch.test) & ~(unsigned)CK_ACTS_WORKS);
}

/* Whether the branch is a `return` only because data differs. Another one may be the same for all
 * threads, and stays. Tiles and partitions may be on one side as a whole, and an arrival at a split
 * barrier before the branch. */
static bool
is_last_by_data(const struct predication *p, const struct ck_tstmt *stmt, unsigned ahead)
{
    const unsigned others = CK_ACTS_SPLIT | CK_ACTS_TILE | CK_ACTS_PART;
    const unsigned waits = ck_acts_of_stmt(stmt) & CK_ACTS_WAITS;
    return p->job->with_data && waits && !(waits & others) &&
           differs_in(p, stmt, with_data(between(waits))) && is_last_branch(p, stmt, ahead);
}

/* A branch around barriers: the threads on the other side go along. They run their own statements
 * first. */
static void
convert_last_branch(struct predication *p, const struct ck_tstmt *stmt, unsigned ahead,
                    struct ck_tblock *out)
{
    const bool then = waits_in(&stmt->branch.then, 0);
    struct ck_texpr *test = then ? stmt->branch.test : negation(p, stmt->branch.test);
    const struct ck_tblock *inside = then ? &stmt->branch.then : &stmt->branch.otherwise;
    const struct ck_tblock *beside = then ? &stmt->branch.otherwise : &stmt->branch.then;
    if (p->may)
        test = both(p, is_here(p, stmt->span), test);
    struct flags flag = {new_flag(p), p->flags};
    assign(p, out, flag.local, negation(p, test));
    if (beside->n) {
        struct ck_tstmt *branch = new_stmt(p, CK_S_IF, stmt->span);
        branch->branch.test = flag_value(p, flag.local, stmt->span);
        if (p->may)
            branch->branch.test = both(p, is_here(p, stmt->span), branch->branch.test);
        append(p, out, branch);
        convert_run(p, beside, false, &branch->branch.then);
    }
    const bool may = p->may || ck_stmt_returns(stmt);
    p->flags = &flag;
    p->may = true;
    convert(p, inside, ahead, out);
    p->flags = flag.outer;
    p->may = may;
}

struct reads_any {
    const bool *locals;
    bool any;
};

static void
find_any(void *context, struct ck_texpr *expr)
{
    struct reads_any *reads = context;
    reads->any = reads->any || (expr->kind == CK_T_LOCAL && reads->locals[expr->local]);
    ck_texpr_each(expr, find_any, reads);
}

/* Whether the condition, or a bound of a `for` loop, reads one of these locals. */
static bool
condition_reads(const struct ck_tstmt *stmt, const bool *locals)
{
    struct reads_any reads = {.locals = locals};
    if (stmt->kind == CK_S_RANGE)
        ck_texprs_each((struct ck_texpr *[]){stmt->range.start, stmt->range.stop, stmt->range.step},
                       3, find_any, &reads);
    else
        find_any(&reads, stmt->kind == CK_S_IF ? stmt->branch.test : stmt->loop.test);
    return reads.any;
}

/* The analysis rejects conditions on which threads disagree around the barriers of blocks, clusters
 * and the grid only. Around others, threads that have returned must know all values. */
static void
require_agreement(struct predication *p, const struct ck_tstmt *stmt)
{
    const unsigned acts = ck_acts_of_stmt(stmt);
    const unsigned others = CK_ACTS_SPLIT | CK_ACTS_TILE | CK_ACTS_PART | CK_ACTS_WARP;
    const bool checked = acts & (CK_ACTS_BLOCK | CK_ACTS_GRID) ||
                         (acts & CK_ACTS_CLUSTER && !(acts & CK_ACTS_SPLIT));
    if (p->may && acts & others && !checked && condition_reads(stmt, p->unsafe))
        p->failed = true;
}

static void
convert_branch(struct predication *p, const struct ck_tstmt *stmt, unsigned ahead,
               struct ck_tblock *out)
{
    if (is_divergent_branch(p, stmt)) {
        p->any = p->any || p->job->rejected;
        p->failed = p->failed || !is_last_branch(p, stmt, ahead);
        convert_last_branch(p, stmt, ahead, out);
        return;
    }
    if (is_last_by_data(p, stmt, ahead)) {
        p->any = true;
        convert_last_branch(p, stmt, ahead, out);
        return;
    }
    struct ck_tstmt *copy = copy_of(p, stmt);
    const bool may = p->may;
    require_agreement(p, stmt);
    copy->branch.test = joined(p, stmt->branch.test);
    convert(p, &stmt->branch.then, ahead, emptied(copy, 0));
    const bool may_then = p->may;
    p->may = may;
    convert(p, &stmt->branch.otherwise, ahead, emptied(copy, 1));
    p->may = p->may || may_then;
    append(p, out, copy);
}

static bool
is_true(const struct ck_texpr *expr)
{
    return expr->kind == CK_T_CONST && expr->constant.i;
}

/* The locals that the block sets. */
static void
find_sets(const struct ck_tblock *block, bool *sets)
{
    for (int i = 0; i < block->n; i++) {
        const struct ck_tblock *blocks[2];
        if (block->stmts[i]->kind == CK_S_ASSIGN)
            sets[block->stmts[i]->assign.local] = true;
        for (int k = ck_stmt_blocks(block->stmts[i], blocks) - 1; k >= 0; k--)
            find_sets(blocks[k], sets);
    }
}

/* Whether a `while` loop ends in threads that have returned: something that they execute leaves it,
 * or changes its condition. Without types it is not known what changes. */
static bool
ends(struct predication *p, const struct ck_tstmt *loop)
{
    bool leaves = false;
    for (int i = 0; i < loop->loop.body.n && !leaves; i++) {
        const struct ck_tstmt *stmt = loop->loop.body.stmts[i];
        leaves = ck_stmt_leaves_loop(stmt, true) || ck_stmt_returns(stmt);
    }
    if (p->kernel->is_untyped)
        return true;
    if (leaves || is_true(loop->loop.test))
        return leaves;
    bool *sets = CK_NEW_ARRAY(p->arena, bool, p->kernel->n_locals);
    find_sets(&loop->loop.body, sets);
    return ck_acts_of(loop->loop.test) & CK_ACTS_VOTE || condition_reads(loop, sets);
}

static void
convert_loop(struct predication *p, const struct ck_tstmt *stmt, unsigned ahead,
             struct ck_tblock *out)
{
    struct ck_tstmt *copy = copy_of(p, stmt);
    const bool counts = stmt->kind == CK_S_RANGE;
    const struct ck_tblock *body = counts ? &stmt->range.body : &stmt->loop.body;
    const struct ck_tblock *otherwise = counts ? &stmt->range.otherwise : &stmt->loop.otherwise;
    if (counts && p->may)
        p->failed = p->failed || !has_pure_condition(stmt);
    const unsigned again = ck_acts_of_stmt(stmt) & CK_ACTS_WAITS;
    if (!p->may && has_divergent_return(p, stmt, again && differs(p, stmt)))
        p->may = p->any = true;
    require_agreement(p, stmt);
    p->n_loops += again != 0;
    if (!counts)
        copy->loop.test = joined(p, stmt->loop.test);
    convert(p, body, ahead | again, emptied(copy, 0));
    p->n_loops -= again != 0;
    convert(p, otherwise, ahead, emptied(copy, 1));
    if (!counts && p->may)
        p->failed = p->failed || !ends(p, copy);
    append(p, out, copy);
}

/* A store of a vote's result. */
static void
convert_store(struct predication *p, const struct ck_tstmt *stmt, struct ck_tblock *out)
{
    struct ck_tstmt *copy = copy_of(p, stmt);
    struct ck_texpr *value = new_expr(p, CK_T_LOCAL, stmt->store.value->span);
    value->type = stmt->store.value->type;
    value->local = new_local(p, "", value->type);
    copy->store.value = value;
    assign(p, out, value->local, joined(p, stmt->store.value));
    const struct ck_tblock only = {.stmts = &copy, .n = 1};
    p->failed = p->failed || ck_acts_of_block(&only) & ~(unsigned)CK_ACTS_WORKS;
    append(p, guard(p, out, stmt->span), copy);
}

static void
convert_simple(struct predication *p, const struct ck_tstmt *stmt, struct ck_tblock *out)
{
    if (!p->may) {
        append(p, out, (struct ck_tstmt *)stmt);
        return;
    }
    struct ck_tstmt *copy = copy_of(p, stmt);
    switch (stmt->kind) {
    case CK_S_ASSIGN:
        copy->assign.value = joined(p, stmt->assign.value);
        break;
    case CK_S_EXPR:
        copy->expr = joined(p, stmt->expr);
        break;
    case CK_S_STORE:
        convert_store(p, stmt, out);
        return;
    default:
        p->failed = true;
    }
    append(p, out, copy);
}

/* Whether all threads execute the statement: it waits, or leads to where they wait. */
static bool
is_for_all(const struct predication *p, const struct ck_tstmt *stmt)
{
    if (ck_acts_of_stmt(stmt) & (CK_ACTS_WAITS | CK_ACTS_WARP) || is_joined(p, stmt))
        return true;
    switch (stmt->kind) {
    case CK_S_ASSIGN:
        return sets_agreed(p, stmt);
    case CK_S_BREAK:
    case CK_S_CONTINUE:
        return true;
    case CK_S_RETURN: /* on the side of a divergent branch, threads of the other remain */
        return !p->flags->outer;
    default:
        return false;
    }
}

static void
convert_for_all(struct predication *p, const struct ck_tstmt *stmt, unsigned ahead,
                struct ck_tblock *out)
{
    if (stmt->kind == CK_S_IF)
        convert_branch(p, stmt, ahead, out);
    else if (ck_stmt_is_loop(stmt))
        convert_loop(p, stmt, ahead, out);
    else if (stmt->kind == CK_S_BREAK || stmt->kind == CK_S_CONTINUE || stmt->kind == CK_S_RETURN)
        append(p, out, (struct ck_tstmt *)stmt);
    else
        convert_simple(p, stmt, out);
}

/* The statements from number `from` on up to the next that all threads execute, or up to one that
 * returns. Returns the next one's number. */
static int
convert_guarded(struct predication *p, const struct ck_tblock *in, int from, struct ck_tblock *out)
{
    int to = from;
    bool returns = false;
    while (to < in->n && !returns && !is_for_all(p, in->stmts[to])) {
        refuse_combining(p, in->stmts[to]);
        returns = ck_stmt_returns(in->stmts[to++]);
    }
    const struct ck_tblock run = {.stmts = in->stmts + from, .n = to - from};
    convert_run(p, &run, false, guard(p, out, in->stmts[from]->span));
    return to;
}

/* What follows the last barrier. Where it combines values of threads, those that have returned end
 * here, so that they take no part. */
static void
convert_rest(struct predication *p, const struct ck_tblock *in, int from, struct ck_tblock *out)
{
    bool combines = false;
    for (int i = from; i < in->n; i++)
        combines = combines || ck_acts_of_stmt(in->stmts[i]) & CK_ACTS_COMBINES;
    struct ck_tblock *rest = out;
    if (combines && !p->flags->outer) {
        struct ck_tstmt *branch = new_stmt(p, CK_S_IF, in->stmts[from]->span);
        branch->branch.test = flag_value(p, p->flags->local, branch->span);
        append(p, &branch->branch.then, new_stmt(p, CK_S_RETURN, branch->span));
        append(p, out, branch);
    } else {
        rest = guard(p, out, in->stmts[from]->span);
    }
    for (int i = from; i < in->n; i++) {
        if (p->flags->outer)
            refuse_combining(p, in->stmts[i]);
        append(p, rest, in->stmts[i]);
    }
}

/* `ahead`: the barriers that may follow the block. */
static void
convert(struct predication *p, const struct ck_tblock *in, unsigned ahead, struct ck_tblock *out)
{
    for (int i = 0; i < in->n && !p->failed;) {
        struct ck_tstmt *stmt = in->stmts[i];
        const unsigned after = ahead | waits_in(in, i + 1);
        const unsigned waits = ck_acts_of_stmt(stmt) & CK_ACTS_WAITS;
        if (p->may && !ahead && !waits_in(in, i)) {
            convert_rest(p, in, i, out);
            return;
        } else if (p->may) {
            if (is_for_all(p, stmt)) {
                convert_for_all(p, stmt, after, out);
                i++;
            } else {
                i = convert_guarded(p, in, i, out);
            }
        } else if (waits && (stmt->kind == CK_S_IF || ck_stmt_is_loop(stmt))) {
            convert_for_all(p, stmt, after, out);
            i++;
        } else if (after && has_divergent_return(p, stmt, false)) {
            p->any = true;
            if (is_joined(p, stmt)) {
                convert_for_all(p, stmt, after, out);
                i++;
            } else {
                i = convert_guarded(p, in, i, out);
            }
        } else {
            append(p, out, stmt);
            i++;
        }
    }
}

/* The locals that are set by a value that not all threads compute, or under a condition. */
static void
find_unsafe(const struct ck_tblock *block, bool *unsafe)
{
    for (int i = 0; i < block->n; i++) {
        const struct ck_tstmt *stmt = block->stmts[i];
        const struct ck_tblock *blocks[2];
        if (stmt->kind == CK_S_ASSIGN && !is_pure(stmt->assign.value))
            unsafe[stmt->assign.local] = true;
        for (int k = ck_stmt_blocks(stmt, blocks) - 1; k >= 0; k--)
            find_sets(blocks[k], unsafe);
    }
}

bool
ck_predicate_returns(struct ck_arena *arena, struct ck_tfunc *kernel, struct ck_predicate_job *job)
{
    const unsigned waits = ck_acts_of_block(&kernel->body) & CK_ACTS_WAITS;
    if (!waits)
        return false;
    struct predication p = {.arena = arena, .kernel = kernel, .job = job};
    p.between = between(waits) | (job->with_data ? with_data(between(waits)) : 0);
    p.agreed = CK_NEW_ARRAY(arena, bool, kernel->n_locals);
    p.unsafe = CK_NEW_ARRAY(arena, bool, kernel->n_locals);
    struct reads reads = {&p, true};
    while (reads.changed) {
        reads.changed = false;
        find_agreed(&reads, &kernel->body);
    }
    find_unsafe(&kernel->body, p.unsafe);
    const int n_locals = kernel->n_locals;
    struct flags flag = {new_flag(&p), NULL};
    struct ck_tblock body = {0};
    p.flags = &flag;
    assign_constant(&p, &body, flag.local, false, kernel->span);
    convert(&p, &kernel->body, 0, &body);
    job->combines = p.combines;
    if (p.failed || !p.any)
        kernel->n_locals = n_locals;
    else
        kernel->body = body;
    return !p.failed && p.any;
}
