/* Versions of kernels for small launches: docs/adr/058.
 *
 * Launches by ck know their arguments, and use code that assumes a small launch where they are
 * small (docs/adr/028). PTX that a program loads itself cannot assume that. A kernel that gains by
 * it has two versions of its body, and tests at its entry which one a launch needs. The version for
 * small launches is a function of its own while passes run, so that each of them sees functions of
 * the usual length, and becomes a part of the kernel afterwards. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/run_passes.h"

/* --- Which kernels gain -----------------------------------------------------------------------
 */

/* The test, and what 64-bit operations cost more than 32-bit ones, in instructions of sm_90. A
 * loop counts as so many iterations. Addresses are not counted, because LLVM moves most of their
 * computation out of loops. */
enum {
    TEST_COST = 16,
    DIVISION_COST = 7, /* the test for a 32-bit division: docs/adr/032 */
    FLOAT_COST = 4,    /* an integer as a float */
    LIMIT_COST = 2,    /* a minimum or maximum */
    SUM_COST = 2,      /* of a loaded 32-bit value */
    SEARCH_COST = 3,   /* an iteration of a loop while one value is below another */
    ROW_COST = 4,      /* a loaded index times a stride */
    ITERATIONS = 4,
    MAX_DEPTH = 8, /* of calls */
    MIN_SHARE = 10 /* of the kernel's operations: one of so many */
};

struct gain {
    struct ck_arena *arena;
    int weight;    /* iterations of the loops around */
    int depth;     /* of calls */
    int counter;   /* the local of the innermost loop around that ends at a constant; -1: none */
    int *assigned; /* by local: the weight of its last assignment; 0: its row is counted */
    int total, operations;
};

static bool
is_int64(const struct ck_texpr *expr)
{
    return expr->type == ck_type_scalar(CK_TYPE_INT64);
}

/* Whether a value is of 32 bits, and no constant. */
static bool
is_short(const struct ck_texpr *expr)
{
    if (expr->kind == CK_T_CAST)
        expr = expr->unary.operand;
    return expr->kind != CK_T_CONST && expr->type == ck_type_scalar(CK_TYPE_INT32);
}

/* Counts a row that an index chooses. That of a variable is computed once, where it is assigned. */
static void
count_row(struct gain *gain, const struct ck_texpr *index)
{
    if (index->kind == CK_T_CAST)
        index = index->unary.operand;
    int *assigned = index->kind == CK_T_LOCAL ? &gain->assigned[index->local] : NULL;
    gain->total += ROW_COST * (assigned ? *assigned : gain->weight);
    if (assigned)
        *assigned = 0;
}

/* Rows of an array with more than one dimension that are chosen by loaded indices. */
static void
count_rows(struct gain *gain, const struct ck_texpr *array, const struct ck_tindex *indices)
{
    for (int i = 0; i + 1 < array->type->array.ndim; i++) {
        if (is_short(indices[i].value))
            count_row(gain, indices[i].value);
    }
}

/* Whether LLVM knows a value, or that it is small. A loop that ends at a constant is mostly
 * unrolled, as that of a transform, `while half < 256: ... t % half`. */
static bool
is_known(const struct gain *gain, const struct ck_texpr *expr)
{
    if (expr->kind == CK_T_BINARY && expr->binary.op == CK_OP_MOD)
        expr = expr->binary.right;
    return expr->kind == CK_T_CONST || (expr->kind == CK_T_LOCAL && expr->local == gain->counter);
}

static int
binary_cost(const struct gain *gain, const struct ck_texpr *expr)
{
    const struct ck_texpr *left = expr->binary.left, *right = expr->binary.right;
    if (!is_int64(expr))
        return 0;
    switch ((int)expr->binary.op) {
    case CK_OP_FLOORDIV:
    case CK_OP_MOD:
        return is_known(gain, right) ? 0 : DIVISION_COST;
    case CK_OP_ADD:
    case CK_OP_SUB:
        return is_short(left) || is_short(right) ? SUM_COST : 0;
    default:
        return 0;
    }
}

/* That of an operation, in all its iterations. A position in a nest of loops is limited once for
 * each row and once for each column. */
static int
own_cost(const struct gain *gain, const struct ck_texpr *expr)
{
    switch ((int)expr->kind) {
    case CK_T_BINARY:
        return gain->weight * binary_cost(gain, expr);
    case CK_T_CAST:
        return ck_type_is_float(expr->type) && is_int64(expr->unary.operand) &&
                       !is_known(gain, expr->unary.operand)
                   ? gain->weight * FLOAT_COST
                   : 0;
    case CK_T_BUILTIN:
        return is_int64(expr) &&
                       (expr->builtin.id == CK_BUILTIN_MIN || expr->builtin.id == CK_BUILTIN_MAX)
                   ? (gain->weight < ITERATIONS ? gain->weight : ITERATIONS) * LIMIT_COST
                   : 0;
    default:
        return 0;
    }
}

static void count_in_function(struct gain *gain, const struct ck_tfunc *tfunc);
static void count_in_block(struct gain *gain, const struct ck_tblock *block);

static void
count(void *context, struct ck_texpr *expr)
{
    struct gain *gain = context;
    gain->total += own_cost(gain, expr);
    gain->operations += gain->weight;
    if (expr->kind == CK_T_ELEMENT)
        count_rows(gain, expr->element.array, expr->element.indices);
    ck_texpr_each(expr, count, gain);
    if (expr->kind == CK_T_CALL && !expr->call.function->in_prelude && gain->depth < MAX_DEPTH)
        count_in_function(gain, expr->call.function);
}

static bool
compares_variables(const struct ck_texpr *test)
{
    return test->kind == CK_T_COMPARE && is_int64(test->compare.left) &&
           test->compare.left->kind != CK_T_CONST && test->compare.right->kind != CK_T_CONST;
}

/* The local that a loop's test compares with a constant; -1: it compares something else. */
static int
counter_of(const struct ck_texpr *test)
{
    return test->kind == CK_T_COMPARE && test->compare.left->kind == CK_T_LOCAL &&
                   test->compare.right->kind == CK_T_CONST
               ? test->compare.left->local
               : -1;
}

static void
count_in_loop(struct gain *gain, const struct ck_tblock *body, int counter)
{
    const int weight = gain->weight, before = gain->counter;
    if (weight < ITERATIONS * ITERATIONS)
        gain->weight *= ITERATIONS;
    gain->counter = counter;
    count_in_block(gain, body);
    gain->counter = before;
    gain->weight = weight;
}

static void
count_in_statement(struct gain *gain, struct ck_tstmt *stmt)
{
    const struct ck_tblock alone = {.stmts = &stmt, .n = 1};
    switch (stmt->kind) {
    case CK_S_IF:
        count(gain, stmt->branch.test);
        count_in_block(gain, &stmt->branch.then);
        count_in_block(gain, &stmt->branch.otherwise);
        break;
    case CK_S_WHILE:
        if (compares_variables(stmt->loop.test))
            gain->total += gain->weight * ITERATIONS * SEARCH_COST;
        count_in_loop(gain, &stmt->loop.body, counter_of(stmt->loop.test));
        count_in_block(gain, &stmt->loop.otherwise);
        break;
    case CK_S_ASSIGN:
        count(gain, stmt->assign.value);
        gain->assigned[stmt->assign.local] = gain->weight;
        break;
    case CK_S_RANGE:
        count_in_loop(gain, &stmt->range.body, -1);
        count_in_block(gain, &stmt->range.otherwise);
        break;
    default:
        ck_tblock_each_expr(&alone, count, gain);
        break;
    }
}

static void
count_in_block(struct gain *gain, const struct ck_tblock *block)
{
    for (int i = 0; i < block->n; i++)
        count_in_statement(gain, block->stmts[i]);
}

static void
count_in_function(struct gain *gain, const struct ck_tfunc *tfunc)
{
    const struct ck_arena_mark mark = ck_arena_mark(gain->arena);
    const int counter = gain->counter;
    int *assigned = gain->assigned;
    gain->counter = -1;
    gain->assigned = CK_NEW_ARRAY(gain->arena, int, tfunc->n_locals);
    for (int i = 0; i < tfunc->n_locals; i++)
        gain->assigned[i] = gain->weight;
    gain->depth++;
    count_in_block(gain, &tfunc->body);
    gain->depth--;
    gain->assigned = assigned;
    gain->counter = counter;
    ck_arena_release(gain->arena, mark);
}

static bool
gains(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    struct gain gain = {.arena = &gen->arena, .weight = 1, .counter = -1};
    count_in_function(&gain, tfunc);
    return gain.total >= TEST_COST && gain.total >= gain.operations / MIN_SHARE;
}

bool
ck_nvptx_wants_small_version(struct ck_gen *gen, const struct ck_func_info *info)
{
    const struct ck_codegen_options *options = gen->options;
    const bool can = !options->small_launches && options->opt_level > 0 && !options->checks &&
                     info->code.local_bytes == 0 &&
                     !ck_tfunc_has(info->tfunc, CK_EFFECT_GRID_BARRIER);
    return can && options->small_version >= 0 &&
           (options->small_version > 0 || gains(gen, info->tfunc));
}

/* --- The test ----------------------------------------------------------------------------------
 *
 * A number below 2^30 has no bit of 2^30 or above, nor has `a | b` of two such numbers: one
 * comparison tests all of them. A product of extents is that of their low words, because the test
 * fails anyway if a high word is not zero.
 */

enum { SMALL_BITS = 30 };

static LLVMValueRef
low_word(struct ck_gen *gen, LLVMValueRef v)
{
    return LLVMBuildZExt(gen->builder, ck_ir_low_half(gen, v), gen->t_i64, "");
}

static LLVMValueRef
low_product(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return LLVMBuildMul(gen->builder, low_word(gen, v_left), low_word(gen, v_right), "");
}

static void
include(struct ck_gen *gen, LLVMValueRef *v_bits, LLVMValueRef v)
{
    *v_bits = *v_bits ? LLVMBuildOr(gen->builder, *v_bits, v, "") : v;
}

/* The threads of the grid along the first axis; along all, if the kernel computes ranks. Along
 * another axis there are fewer than 2^26. */
static void
include_grid(struct ck_gen *gen, LLVMValueRef *v_bits, bool has_ranks)
{
    LLVMValueRef v_threads = NULL;
    for (int dim = 0; dim < (has_ranks ? 3 : 1); dim++) {
        LLVMValueRef v_blocks = gen->target->thread->position(gen, CK_GRID_DIM, dim);
        LLVMValueRef v_block = gen->target->thread->position(gen, CK_BLOCK_DIM, dim);
        LLVMValueRef v_along = LLVMBuildMul(gen->builder, v_blocks, v_block, "");
        include(gen, v_bits, v_along);
        v_threads = dim == 0 ? v_along : low_product(gen, v_threads, v_along);
        if (dim > 0)
            include(gen, v_bits, v_threads);
    }
}

/* The extents of an array and the number of its elements. */
static void
include_array(struct ck_gen *gen, LLVMValueRef *v_bits, LLVMValueRef v_kernel, unsigned param,
              int ndim)
{
    LLVMValueRef v_elements = NULL;
    for (int dim = 0; dim < ndim; dim++) {
        LLVMValueRef v_extent = LLVMGetParam(v_kernel, param + 1 + (unsigned)dim);
        include(gen, v_bits, v_extent);
        v_elements = dim == 0 ? v_extent : low_product(gen, v_elements, v_extent);
        if (dim > 0)
            include(gen, v_bits, v_elements);
    }
}

/* Whether the launch is small, and no integer argument negative. */
static LLVMValueRef
is_small_launch(struct ck_gen *gen, const struct ck_func_info *info)
{
    LLVMValueRef v_bits = NULL;
    unsigned param = 0;
    include_grid(gen, &v_bits, info->has_grid_ranks);
    for (int i = 0; i < info->tfunc->n_params; i++) {
        const struct ck_type *type = info->tfunc->locals[i].type;
        LLVMValueRef v_param = LLVMGetParam(info->v_args, param);
        if (ck_type_is_array(type))
            include_array(gen, &v_bits, info->v_args, param, type->array.ndim);
        else if (type == ck_type_scalar(CK_TYPE_INT64))
            include(gen, &v_bits, v_param);
        else if (type == ck_type_scalar(CK_TYPE_INT32))
            include(gen, &v_bits, LLVMBuildZExt(gen->builder, v_param, gen->t_i64, ""));
        param += (unsigned)ck_gen_n_entry_params(gen, type);
    }
    return l_compare(gen, LLVMIntULT, v_bits, l_i64(gen, INT64_C(1) << SMALL_BITS));
}

/* --- Joining -----------------------------------------------------------------------------------
 */

/* The first instruction that is no memory slot. */
static LLVMValueRef
after_slots(LLVMValueRef v_function)
{
    LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(v_function));
    while (LLVMIsAAllocaInst(v))
        v = LLVMGetNextInstruction(v);
    return v;
}

/* Makes the kernel's code that of all launches, after a test and a call of the other version, which
 * is to be inlined. */
static void
call_version(struct ck_gen *gen, const struct ck_func_info *info)
{
    LLVMValueRef v_kernel = info->v_args, v_small = info->v_small;
    const unsigned n = LLVMCountParams(v_kernel);
    LLVMValueRef *v_args = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, n);
    LLVMGetParams(v_kernel, v_args);
    LLVMValueRef v_first = after_slots(v_kernel);
    LLVMBasicBlockRef b_all = LLVMGetInstructionParent(v_first);
    LLVMBasicBlockRef b_entry = ck_ir_split_block_before(gen, v_first);
    LLVMBasicBlockRef b_small = LLVMInsertBasicBlockInContext(gen->llvm, b_all, "small");
    ck_debug_nowhere(gen);
    l_at(gen, b_entry);
    LLVMBuildCondBr(gen->builder, is_small_launch(gen, info), b_small, b_all);
    l_at(gen, b_small);
    ck_debug_at_function(gen, v_kernel);
    LLVMSetFunctionCallConv(v_small, LLVMCCallConv);
    LLVMSetLinkage(v_small, LLVMInternalLinkage);
    l_attribute(gen, v_small, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    l_call(gen, v_small, v_args, n);
    LLVMBuildRetVoid(gen->builder);
}

/* Replaces all calls of a function without parameters by one before `v_first`. */
static void
call_once(struct ck_gen *gen, LLVMValueRef v_function, LLVMValueRef v_first)
{
    LLVMValueRef v_kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(v_first));
    LLVMPositionBuilderBefore(gen->builder, v_first);
    LLVMValueRef v_once = l_call(gen, v_function, NULL, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(v_function), next; use; use = next) {
        LLVMValueRef v = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (v == v_once || LLVMGetBasicBlockParent(LLVMGetInstructionParent(v)) != v_kernel)
            continue;
        LLVMReplaceAllUsesWith(v, v_once);
        LLVMInstructionEraseFromParent(v);
    }
}

/* Reads the registers of a thread's position before the test, so that the test takes no time. */
static void
read_positions_first(struct ck_gen *gen, LLVMValueRef v_kernel)
{
    static const enum ck_place places[] = {CK_THREAD_IDX, CK_BLOCK_IDX, CK_BLOCK_DIM};
    LLVMValueRef v_first = after_slots(v_kernel);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (int dim = 0; dim < 3; dim++) {
            LLVMValueRef v_function = ck_nvptx_place_function(gen, places[i], dim);
            if (v_function && LLVMGetFirstUse(v_function))
                call_once(gen, v_function, v_first);
        }
    }
}

void
ck_nvptx_join_small_versions(struct ck_gen *gen)
{
    static const char inline_versions[] = "always-inline";
    if (gen->options->small_launches || !ck_gen_has_small_function(gen))
        return;
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_small)
            call_version(gen, &gen->funcs[i]);
    }
    ck_run_llvm(gen, inline_versions);
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_small)
            read_positions_first(gen, gen->funcs[i].v_args);
        gen->funcs[i].v_small = NULL;
    }
}
