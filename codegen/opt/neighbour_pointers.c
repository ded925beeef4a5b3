/* Strength reduction of the addresses of an array's neighbouring elements, in innermost loops:
 * docs/adr/045.
 *
 * A stencil that one thread computes for each z accesses A[z, y - 1, x], A[z, y + 1, x], A[z - 1,
 * y, x] and so on. Their addresses grow alike and differ by invariants, the strides of a row and of
 * a plane. LLVM's loop-strength-reduction sees no relation between them and makes a pointer of
 * each, which takes two registers and two additions in each iteration. Here the first one becomes a
 * phi, and each other one the sum of one before it and a stride. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/counted_loop.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/polynomial.h"
#include "codegen/opt/run_passes.h"

/* The indices of addresses that are computed from others. */
static const char delete_unused[] = "adce";

enum {
    MAX_SIZE = 1024, /* instructions of a loop */
    MAX_SITES = 64,
    MAX_STRIDES = 8,
    MIN_NEIGHBOURS = 2, /* addresses that differ by more than a constant */
    NEW_STRIDE = 3      /* the additions that another stride is worth */
};

/* An address in the loop. */
struct site {
    LLVMValueRef v, v_array;
    struct ck_polynomial offset; /* in bytes from the array */
    bool is_near;                /* a constant step from an earlier site */
};

struct stride {
    struct ck_polynomial bytes;
    LLVMValueRef v_bytes;
};

struct stencil {
    struct ck_gen *gen;
    struct ck_inner_loop loop;
    LLVMBasicBlockRef b_before;
    LLVMValueRef v_counter, v_first, v_step; /* the step does not change in the loop */
    struct site sites[MAX_SITES];
    int n_sites;
    struct stride strides[MAX_STRIDES];
    int n_strides;
    struct site made[MAX_SITES + 1]; /* addresses of one chain */
    int n_made;
    bool has_chains; /* of the function's loops */
};

/* --- Matching ----------------------------------------------------------------------------------
 */

/* Whether a phi of the header is a counter. */
static bool
match_counter(struct stencil *stencil, LLVMValueRef v_phi)
{
    if (LLVMCountIncoming(v_phi) != 2 || LLVMTypeOf(v_phi) != stencil->gen->t_i64)
        return false;
    const unsigned latch = LLVMGetIncomingBlock(v_phi, 0) == stencil->loop.b_latch ? 0 : 1;
    LLVMValueRef v_next = LLVMGetIncomingValue(v_phi, latch);
    if (LLVMGetIncomingBlock(v_phi, latch) != stencil->loop.b_latch ||
        ck_ir_opcode(v_next) != LLVMAdd)
        return false;
    const unsigned other = LLVMGetOperand(v_next, 0) == v_phi ? 1 : 0;
    stencil->v_counter = v_phi;
    stencil->v_step = LLVMGetOperand(v_next, other);
    stencil->v_first = LLVMGetIncomingValue(v_phi, 1 - latch);
    stencil->b_before = LLVMGetIncomingBlock(v_phi, 1 - latch);
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(stencil->b_before);
    return LLVMGetOperand(v_next, 1 - other) == v_phi &&
           !ck_loop_has(&stencil->loop, stencil->v_step) && LLVMIsABranchInst(v_enter) &&
           !LLVMIsConditional(v_enter);
}

static bool
is_variable_step(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2 &&
           !LLVMIsAConstant(LLVMGetOperand(v, 1));
}

/* The power of the counter in a term; negative: something else changes in the loop too. */
static int
degree_of(const struct stencil *stencil, const struct ck_term *term)
{
    int degree = 0;
    for (int i = 0; i < term->n_factors; i++) {
        if (term->factors[i] == stencil->v_counter)
            degree++;
        else if (ck_loop_has(&stencil->loop, term->factors[i]))
            return -1;
    }
    return degree;
}

/* Whether an offset grows by the same in each iteration. */
static bool
is_affine(const struct stencil *stencil, const struct ck_polynomial *offset)
{
    int degree, most = 0;
    for (int i = 0; i < offset->n; i++) {
        degree = degree_of(stencil, &offset->terms[i]);
        if (degree < 0 || degree > 1)
            return false;
        most = degree > most ? degree : most;
    }
    return most == 1;
}

/* Adds an index, in bytes, to an offset. */
static bool
add_index(struct stencil *stencil, struct ck_polynomial *offset, LLVMValueRef v_address)
{
    struct ck_polynomial index;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(v_address);
    const uint64_t bytes = LLVMABISizeOfType(stencil->gen->layout, type);
    LLVMValueRef v_index = LLVMGetOperand(v_address, 1);
    if (LLVMGetNumOperands(v_address) != 2 || LLVMTypeOf(v_index) != stencil->gen->t_i64 ||
        !ck_polynomial_of(v_index, &index))
        return false;
    for (int i = 0; i < index.n; i++)
        index.terms[i].coefficient *= (uint64_t)0 - bytes;
    return ck_polynomial_subtract(offset, &index);
}

static bool
match_site(struct stencil *stencil, struct site *site, LLVMValueRef v)
{
    site->v = v;
    site->offset.n = 0;
    for (; LLVMIsAGetElementPtrInst(v); v = LLVMGetOperand(v, 0)) {
        if (!add_index(stencil, &site->offset, v))
            return false;
    }
    site->v_array = v;
    return !ck_loop_has(&stencil->loop, v) && is_affine(stencil, &site->offset);
}

/* Whether an access, or an address by a constant step from it, uses the address. */
static bool
is_accessed(LLVMValueRef v_address)
{
    LLVMUseRef use = LLVMGetFirstUse(v_address);
    while (use && is_variable_step(LLVMGetUser(use)))
        use = LLVMGetNextUse(use);
    return use;
}

static void
find_sites(struct stencil *stencil)
{
    stencil->n_sites = 0;
    for (int i = stencil->loop.n_blocks - 1; i >= 0; i--) {
        LLVMValueRef v = LLVMGetFirstInstruction(stencil->loop.blocks[i]);
        for (; v && stencil->n_sites < MAX_SITES; v = LLVMGetNextInstruction(v)) {
            if (is_variable_step(v) && is_accessed(v) &&
                match_site(stencil, &stencil->sites[stencil->n_sites], v))
                stencil->n_sites++;
        }
    }
}

static bool
is_constant(const struct ck_polynomial *polynomial)
{
    return polynomial->n == 0 || (polynomial->n == 1 && polynomial->terms[0].n_factors == 0);
}

/* The difference of two addresses of one array that grow alike. */
static bool
difference_of(const struct stencil *stencil, const struct site *from, const struct site *to,
              struct ck_polynomial *difference)
{
    *difference = to->offset;
    if (from->v_array != to->v_array || !ck_polynomial_subtract(difference, &from->offset))
        return false;
    for (int i = 0; i < difference->n; i++) {
        if (degree_of(stencil, &difference->terms[i]) != 0)
            return false;
    }
    return true;
}

/* Whether site `i` is a constant step from an earlier one. */
static bool
is_near_earlier(const struct stencil *stencil, int i)
{
    for (int k = 0; k < i; k++) {
        struct ck_polynomial difference;
        if (!stencil->sites[k].is_near &&
            difference_of(stencil, &stencil->sites[k], &stencil->sites[i], &difference) &&
            is_constant(&difference))
            return true;
    }
    return false;
}

/* The addresses that differ from a site's, and from each other, by more than a constant. */
static int
count_neighbours(const struct stencil *stencil, const struct site *site)
{
    int n = 0;
    for (int i = 0; i < stencil->n_sites; i++) {
        struct ck_polynomial difference;
        n += !stencil->sites[i].is_near &&
             difference_of(stencil, site, &stencil->sites[i], &difference) &&
             !is_constant(&difference);
    }
    return n;
}

/* --- Values before the loop -------------------------------------------------------------------
 */

/* A term's value, where the builder is, with the counter's first value for the counter, or without
 * the counter. */
static LLVMValueRef
value_of_term(const struct stencil *stencil, const struct ck_term *term, LLVMValueRef v_counter)
{
    struct ck_gen *gen = stencil->gen;
    LLVMValueRef v = NULL;
    for (int i = 0; i < term->n_factors; i++) {
        LLVMValueRef v_factor =
            term->factors[i] == stencil->v_counter ? v_counter : term->factors[i];
        if (v_factor)
            v = v ? LLVMBuildMul(gen->builder, v, v_factor, "") : v_factor;
    }
    LLVMValueRef v_coefficient = l_i64(gen, (int64_t)term->coefficient);
    if (!v)
        return v_coefficient;
    return term->coefficient == 1 ? v : LLVMBuildMul(gen->builder, v, v_coefficient, "");
}

/* The value of the terms of a degree or more. */
static LLVMValueRef
value_of(const struct stencil *stencil, const struct ck_polynomial *polynomial, int degree,
         LLVMValueRef v_counter)
{
    struct ck_gen *gen = stencil->gen;
    LLVMValueRef v_sum = NULL;
    for (int i = 0; i < polynomial->n; i++) {
        const struct ck_term *term = &polynomial->terms[i];
        if (degree_of(stencil, term) < degree)
            continue;
        LLVMValueRef v_term = value_of_term(stencil, term, v_counter);
        v_sum = v_sum ? LLVMBuildAdd(gen->builder, v_sum, v_term, "") : v_term;
    }
    return v_sum ? v_sum : l_i64(gen, 0);
}

static void
position_before_loop(const struct stencil *stencil)
{
    LLVMPositionBuilderBefore(stencil->gen->builder,
                              LLVMGetBasicBlockTerminator(stencil->b_before));
}

/* --- Chains ------------------------------------------------------------------------------------
 */

static bool
is_equal(const struct ck_polynomial *a, const struct ck_polynomial *b)
{
    struct ck_polynomial difference = *a;
    return ck_polynomial_subtract(&difference, b) && difference.n == 0;
}

static int
stride_index(const struct stencil *stencil, const struct ck_polynomial *bytes)
{
    int i = 0;
    while (i < stencil->n_strides && !is_equal(&stencil->strides[i].bytes, bytes))
        i++;
    return i < stencil->n_strides ? i : -1;
}

/* What a step costs; negative: there is no room for its stride. */
static int
cost_of(const struct stencil *stencil, const struct ck_polynomial *difference)
{
    if (is_constant(difference))
        return 0;
    if (stride_index(stencil, difference) >= 0)
        return 1;
    return stencil->n_strides < MAX_STRIDES ? NEW_STRIDE + difference->n : -1;
}

/* The value of a stride, before the loop. */
static LLVMValueRef
stride_value(struct stencil *stencil, const struct ck_polynomial *bytes)
{
    if (is_constant(bytes))
        return l_i64(stencil->gen, bytes->n ? (int64_t)bytes->terms[0].coefficient : 0);
    const int i = stride_index(stencil, bytes);
    if (i >= 0)
        return stencil->strides[i].v_bytes;
    position_before_loop(stencil);
    struct stride *stride = &stencil->strides[stencil->n_strides++];
    stride->bytes = *bytes;
    stride->v_bytes = value_of(stencil, bytes, 0, NULL);
    return stride->v_bytes;
}

/* The address of a site in all iterations, as a phi. */
static LLVMValueRef
make_phi(struct stencil *stencil, const struct site *site)
{
    struct ck_gen *gen = stencil->gen;
    position_before_loop(stencil);
    LLVMValueRef v_offset = value_of(stencil, &site->offset, 0, stencil->v_first);
    LLVMValueRef v_begin = LLVMBuildGEP2(gen->builder, gen->t_i8, site->v_array, &v_offset, 1, "");
    LLVMValueRef v_growth = value_of(stencil, &site->offset, 1, NULL);
    if (!LLVMIsAConstantInt(stencil->v_step) || LLVMConstIntGetZExtValue(stencil->v_step) != 1)
        v_growth = LLVMBuildMul(gen->builder, v_growth, stencil->v_step, "");
    LLVMPositionBuilderBefore(gen->builder, LLVMGetFirstInstruction(stencil->loop.b_header));
    LLVMValueRef v_phi = LLVMBuildPhi(gen->builder, LLVMTypeOf(site->v), "neighbour");
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(stencil->loop.b_latch));
    LLVMValueRef v_next = LLVMBuildGEP2(gen->builder, gen->t_i8, v_phi, &v_growth, 1, "");
    v_next = gen->target->memory->hidden(gen, v_next);
    LLVMAddIncoming(v_phi, (LLVMValueRef[]){v_begin, v_next},
                    (LLVMBasicBlockRef[]){stencil->b_before, stencil->loop.b_latch}, 2);
    return v_phi;
}

/* Replaces a site by the sum of the nearest address that is computed before it and a
 * stride. Returns whether it did. */
static bool
replace_site(struct stencil *stencil, struct site *site)
{
    struct ck_gen *gen = stencil->gen;
    struct ck_polynomial difference, nearest = {.n = 0};
    int best = -1, best_cost = 0;
    for (int i = 0; i < stencil->n_made; i++) {
        const struct site *made = &stencil->made[i];
        const bool is_before = LLVMIsAPHINode(made->v) || LLVMGetInstructionParent(made->v) ==
                                                              LLVMGetInstructionParent(site->v);
        const int cost = is_before && difference_of(stencil, made, site, &difference)
                             ? cost_of(stencil, &difference)
                             : -1;
        if (cost < 0 || (best >= 0 && cost >= best_cost))
            continue;
        best = i;
        best_cost = cost;
        nearest = difference;
    }
    if (best < 0)
        return false;
    LLVMValueRef v_stride = stride_value(stencil, &nearest);
    LLVMPositionBuilderBefore(gen->builder, site->v);
    LLVMValueRef v = stencil->made[best].v;
    if (nearest.n)
        v = LLVMBuildGEP2(gen->builder, gen->t_i8, v, &v_stride, 1, "");
    LLVMReplaceAllUsesWith(site->v, v);
    LLVMInstructionEraseFromParent(site->v);
    site->v = v;
    stencil->made[stencil->n_made++] = *site;
    return true;
}

/* Marks the loads from an address, and from constant steps away from it. LLVM's back end finds the
 * array of a phi no more. */
static void
mark_loads(struct ck_gen *gen, LLVMValueRef v_address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v_address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        if (LLVMIsALoadInst(v))
            l_invariant(gen, v);
        else if (LLVMIsAGetElementPtrInst(v) && !is_variable_step(v))
            mark_loads(gen, v);
    }
}

static void
mark_sites(struct stencil *stencil, LLVMValueRef v_array)
{
    LLVMValueRef v_function = LLVMGetBasicBlockParent(stencil->b_before);
    for (int i = 0; i < stencil->n_sites && ck_gen_is_never_written(v_function, v_array); i++) {
        if (stencil->sites[i].v && stencil->sites[i].v_array == v_array)
            mark_loads(stencil->gen, stencil->sites[i].v);
    }
}

static void
chain(struct stencil *stencil, int first)
{
    struct site *begin = &stencil->made[0];
    struct ck_polynomial difference;
    stencil->has_chains = true;
    stencil->n_strides = 0;
    stencil->n_made = 1;
    *begin = stencil->sites[first];
    mark_sites(stencil, begin->v_array);
    begin->v = make_phi(stencil, begin);
    for (int i = first; i < stencil->n_sites; i++) {
        struct site *site = &stencil->sites[i];
        if (site->v && difference_of(stencil, begin, site, &difference) &&
            replace_site(stencil, site))
            site->v = NULL;
    }
}

/* --- Loops -------------------------------------------------------------------------------------
 */

static void
visit_counter(struct stencil *stencil)
{
    find_sites(stencil);
    for (int i = 0; i < stencil->n_sites; i++)
        stencil->sites[i].is_near = is_near_earlier(stencil, i);
    for (int i = 0; i < stencil->n_sites; i++) {
        if (stencil->sites[i].v && !stencil->sites[i].is_near &&
            count_neighbours(stencil, &stencil->sites[i]) >= MIN_NEIGHBOURS)
            chain(stencil, i);
    }
}

/* Whether the loop carries a pointer, as ck_gen_stride_pointers makes them: two kinds of chains in
 * one loop would keep more pointers than either. */
static bool
has_pointer(LLVMBasicBlockRef b_header)
{
    LLVMValueRef v = LLVMGetFirstInstruction(b_header);
    while (LLVMIsAPHINode(v) && LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind)
        v = LLVMGetNextInstruction(v);
    return LLVMIsAPHINode(v);
}

static void
visit_edge(struct stencil *stencil, LLVMBasicBlockRef b_latch, LLVMBasicBlockRef b_header)
{
    LLVMValueRef v = LLVMGetFirstInstruction(b_header);
    if (has_pointer(b_header))
        return;
    stencil->loop =
        (struct ck_inner_loop){.b_latch = b_latch, .b_header = b_header, .max_size = MAX_SIZE};
    if (!LLVMIsAPHINode(v) || !ck_loop_find_blocks(&stencil->loop))
        return;
    for (LLVMValueRef v_next; LLVMIsAPHINode(v); v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (match_counter(stencil, v))
            visit_counter(stencil);
    }
}

static void
visit_function(struct stencil *stencil, LLVMValueRef v_function)
{
    stencil->has_chains = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; LLVMIsABranchInst(v_end) && i < LLVMGetNumSuccessors(v_end); i++)
            visit_edge(stencil, b, LLVMGetSuccessor(v_end, i));
    }
    if (stencil->has_chains)
        ck_run_llvm_on(stencil->gen, v_function, delete_unused);
}

void
ck_gen_chain_neighbours(struct ck_gen *gen)
{
    struct stencil *stencil = CK_NEW(&gen->arena, struct stencil);
    stencil->gen = gen;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f))
        visit_function(stencil, f);
}
