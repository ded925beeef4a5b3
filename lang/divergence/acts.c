/* What the evaluation of an expression does beside yielding a value: barriers, communication
 * between threads, and accesses of memory. */
#include "lang/divergence/acts.h"

static unsigned
acts_of_builtin(const struct ck_texpr *expr)
{
    if (ck_builtin_is_position(expr->builtin.id))
        return 0;
    switch (expr->builtin.id) {
    case CK_BUILTIN_LANEID:
    case CK_BUILTIN_GRID_THREAD_RANK:
    case CK_BUILTIN_GRID_NUM_THREADS:
    case CK_BUILTIN_GRID_BLOCK_RANK:
    case CK_BUILTIN_GRID_NUM_BLOCKS:
    case CK_BUILTIN_BLOCK_THREAD_RANK:
    case CK_BUILTIN_BLOCK_NUM_THREADS:
    case CK_BUILTIN_CLUSTER_POSITION:
    case CK_BUILTIN_SHARED_ARRAY:
    case CK_BUILTIN_LOCAL_ARRAY:
    case CK_BUILTIN_IN_WHOLE_WARPS:
    case CK_BUILTIN_ABS:
    case CK_BUILTIN_MIN:
    case CK_BUILTIN_MAX:
        return 0;
    case CK_BUILTIN_SYNCTHREADS:
    case CK_BUILTIN_BLOCK_SYNC:
        return CK_ACTS_BLOCK;
    case CK_BUILTIN_SYNCTHREADS_COUNT:
    case CK_BUILTIN_SYNCTHREADS_AND:
    case CK_BUILTIN_SYNCTHREADS_OR:
        return CK_ACTS_BLOCK | CK_ACTS_VOTE;
    case CK_BUILTIN_CLUSTER_SYNC:
        return CK_ACTS_CLUSTER;
    case CK_BUILTIN_CLUSTER_ARRIVE:
    case CK_BUILTIN_CLUSTER_WAIT:
        return CK_ACTS_CLUSTER | CK_ACTS_SPLIT;
    case CK_BUILTIN_GRID_SYNC:
        return CK_ACTS_GRID;
    case CK_BUILTIN_GRID_ARRIVE:
    case CK_BUILTIN_GRID_WAIT:
        return CK_ACTS_GRID | CK_ACTS_SPLIT;
    case CK_BUILTIN_BLOCK_ARRIVE:
    case CK_BUILTIN_BLOCK_WAIT:
        return CK_ACTS_SPLIT;
    case CK_BUILTIN_WIDE_BARRIER:
        return CK_ACTS_TILE;
    case CK_BUILTIN_PART_WAIT:
        return CK_ACTS_PART;
    case CK_BUILTIN_SYNCWARP:
        return CK_ACTS_WARP;
    case CK_BUILTIN_SHFL_SYNC:
    case CK_BUILTIN_SHFL_UP_SYNC:
    case CK_BUILTIN_SHFL_DOWN_SYNC:
    case CK_BUILTIN_SHFL_XOR_SYNC:
    case CK_BUILTIN_ALL_SYNC:
    case CK_BUILTIN_ANY_SYNC:
    case CK_BUILTIN_EQ_SYNC:
    case CK_BUILTIN_BALLOT_SYNC:
    case CK_BUILTIN_MATCH_ANY_SYNC:
    case CK_BUILTIN_MATCH_ALL_SYNC:
    case CK_BUILTIN_ACTIVEMASK:
        return CK_ACTS_COMBINES;
    default:
        return CK_ACTS_WORKS;
    }
}

/* The members of groups that only wait. Others that wait read other threads' values, or copy. */
static bool
only_waits(const struct ck_tfunc *function)
{
    return function->member.id == CK_BUILTIN_GROUP_SYNC ||
           function->member.id == CK_BUILTIN_GROUP_BARRIER_ARRIVE ||
           function->member.id == CK_BUILTIN_GROUP_BARRIER_WAIT;
}

static bool
is_block_vote(const struct ck_tfunc *function)
{
    return function->member.is_member && function->member.group == CK_GROUP_BLOCK &&
           (function->member.id == CK_BUILTIN_GROUP_ANY ||
            function->member.id == CK_BUILTIN_GROUP_ALL);
}

static unsigned
find_acts(const struct ck_tfunc *function)
{
    const unsigned acts = ck_acts_of_block(&function->body);
    if (is_block_vote(function))
        return CK_ACTS_BLOCK | CK_ACTS_VOTE;
    if (!function->in_prelude || !ck_tfunc_waits(function))
        return acts & CK_ACTS_VOTE ? acts | CK_ACTS_COMBINES : acts;
    return function->member.is_member && only_waits(function) ? acts : acts | CK_ACTS_COMBINES;
}

/* Found once: a function may be called in many places. A recursive one has no barriers. */
static unsigned
acts_of_function(struct ck_tfunc *function)
{
    if (!function->acts)
        function->acts =
            (function->is_recursive ? CK_ACTS_WORKS : find_acts(function)) | CK_ACTS_KNOWN;
    return function->acts & ~(unsigned)CK_ACTS_KNOWN;
}

/* A division by zero is reported under checks. */
static bool
may_be_reported(const struct ck_texpr *expr)
{
    const struct ck_texpr *by = expr->binary.right;
    switch (expr->binary.op) {
    case CK_OP_FLOORDIV:
    case CK_OP_MOD:
    case CK_OP_DIV:
        return by->kind != CK_T_CONST || (ck_type_is_int(by->type) && !by->constant.i);
    case CK_OP_POW:
        return true;
    default:
        return false;
    }
}

static void
add_acts(void *context, struct ck_texpr *expr)
{
    *(unsigned *)context |= ck_acts_of(expr);
}

unsigned
ck_acts_of(const struct ck_texpr *expr)
{
    unsigned acts = 0;
    if (expr->kind == CK_T_BUILTIN)
        acts = acts_of_builtin(expr);
    else if (expr->kind == CK_T_CALL)
        acts = acts_of_function(expr->call.function);
    else if (expr->kind == CK_T_ELEMENT || (expr->kind == CK_T_BINARY && may_be_reported(expr)))
        acts = CK_ACTS_WORKS;
    ck_texpr_each(expr, add_acts, &acts);
    return acts;
}

unsigned
ck_acts_of_block(const struct ck_tblock *block)
{
    unsigned acts = 0;
    for (int i = 0; i < block->n; i++)
        acts |= ck_acts_of_stmt(block->stmts[i]);
    return acts;
}

unsigned
ck_acts_of_stmt(const struct ck_tstmt *stmt)
{
    struct ck_tstmt *only = (struct ck_tstmt *)stmt;
    const struct ck_tblock block = {.stmts = &only, .n = 1};
    unsigned acts = 0;
    ck_tblock_each_expr(&block, add_acts, &acts);
    switch (stmt->kind) {
    case CK_S_STORE:
    case CK_S_PRINT:
    case CK_S_ASSERT:
        return acts | CK_ACTS_WORKS;
    case CK_S_IF:
        return acts | ck_acts_of_block(&stmt->branch.then) |
               ck_acts_of_block(&stmt->branch.otherwise);
    case CK_S_WHILE:
        return acts | ck_acts_of_block(&stmt->loop.body) | ck_acts_of_block(&stmt->loop.otherwise);
    case CK_S_RANGE:
        return acts | ck_acts_of_block(&stmt->range.body) |
               ck_acts_of_block(&stmt->range.otherwise);
    default:
        return acts;
    }
}

bool
ck_is_block_vote(const struct ck_texpr *expr, bool *is_all)
{
    if (expr->kind == CK_T_CALL) {
        *is_all = expr->call.function->member.id == CK_BUILTIN_GROUP_ALL;
        return is_block_vote(expr->call.function);
    }
    *is_all = expr->builtin.id == CK_BUILTIN_SYNCTHREADS_AND;
    return acts_of_builtin(expr) & CK_ACTS_VOTE;
}
