/* Values of 64 bits that a loop carries and that fit in 32: docs/adr/036. LLVM narrows no phi.
 *
 * - Halved values, as in reductions of a block, `while d > 0: ...; d //= 2`: they are at most the
 *   first.
 * - Counts: a sum that grows in each iteration by nothing or by a small amount, as in `if x[k] ==
 *   d: rank += 1`, in a loop whose trip count fits in 32 bits. What is added is counted in 32 bits
 *   from zero. The first value is added where the sum is used.
 * - Binary searches: low and high, and their middle, stay between the first values. With
 *   `low < high`, `middle + 1` is at most high. Where high becomes `middle - 1`, it is at least -1.
 *
 * Runs on simplified code, before unrolling. Counters stay 64-bit: docs/adr/028. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/conditions.h"
#include "codegen/opt/counted_loop.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/trip_bounds.h"

enum {
    MAX_WEB = 16,      /* values that are replaced together */
    MAX_DEPTH = 6,     /* of operations from a phi to its next value */
    MAX_GROWTH = 65536 /* of a count in an iteration */
};

/* --- Webs --------------------------------------------------------------------------------------
 */

/* Values of 64 bits that are computed from one another, and their twins of 32 bits. */
struct web {
    LLVMValueRef v_old[MAX_WEB], v_new[MAX_WEB];
    bool is_natural[MAX_WEB]; /* the twin is below 2^31 */
    int n;
    LLVMValueRef v_low, v_high; /* phis of a binary search, whose middle is in the web; or NULL */
};

static int
find(const struct web *web, LLVMValueRef v)
{
    int i = web->n;
    while (--i >= 0 && web->v_old[i] != v)
        continue;
    return i;
}

static bool
add_to(struct web *web, LLVMValueRef v, bool is_natural)
{
    const int i = find(web, v);
    if (i >= 0)
        return web->is_natural[i] == is_natural;
    if (web->n == MAX_WEB)
        return false;
    web->v_old[web->n] = v;
    web->v_new[web->n] = NULL;
    web->is_natural[web->n++] = is_natural;
    return true;
}

/* Whether a value is the middle of two others: (low + high) >> 1, or low + ((high - low) >> 1). */
static bool
is_middle(LLVMValueRef v, LLVMValueRef v_low, LLVMValueRef v_high)
{
    const bool is_sum = ck_ir_opcode(v) == LLVMAdd && LLVMGetOperand(v, 0) != v_high;
    LLVMValueRef v_half = v;
    if (is_sum) {
        const unsigned i = LLVMGetOperand(v, 0) == v_low;
        if (LLVMGetOperand(v, 1 - i) != v_low)
            return false;
        v_half = LLVMGetOperand(v, i);
    }
    if ((ck_ir_opcode(v_half) != LLVMAShr && ck_ir_opcode(v_half) != LLVMLShr) ||
        !LLVMIsAConstantInt(LLVMGetOperand(v_half, 1)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(v_half, 1)) != 1)
        return false;
    LLVMValueRef v_both = LLVMGetOperand(v_half, 0);
    if (ck_ir_opcode(v_both) != (is_sum ? LLVMSub : LLVMAdd))
        return false;
    LLVMValueRef v_left = LLVMGetOperand(v_both, 0), v_right = LLVMGetOperand(v_both, 1);
    return (v_left == v_high && v_right == v_low) ||
           (!is_sum && v_left == v_low && v_right == v_high);
}

static LLVMValueRef twin_of(struct ck_gen *gen, struct web *web, LLVMValueRef v);

static bool
is_right_shift(LLVMValueRef v)
{
    return (ck_ir_opcode(v) == LLVMLShr || ck_ir_opcode(v) == LLVMAShr) &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1));
}

/* Of a value that is no phi. */
static LLVMValueRef
make_twin(struct ck_gen *gen, struct web *web, LLVMValueRef v)
{
    if (web->v_low && is_middle(v, web->v_low, web->v_high)) {
        LLVMValueRef v_low = twin_of(gen, web, web->v_low);
        LLVMValueRef v_high = twin_of(gen, web, web->v_high);
        LLVMPositionBuilderBefore(gen->builder, v);
        LLVMValueRef v_sum = LLVMBuildNUWAdd(gen->builder, v_low, v_high, "");
        return LLVMBuildLShr(gen->builder, v_sum, l_i32(gen, 1), "");
    }
    if (is_right_shift(v)) { /* of what is not negative */
        LLVMValueRef v_half = twin_of(gen, web, LLVMGetOperand(v, 0));
        const uint64_t by = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
        LLVMPositionBuilderBefore(gen->builder, v);
        return LLVMBuildLShr(gen->builder, v_half, l_i32(gen, by < 31 ? (uint32_t)by : 31), "");
    }
    const bool is_select = LLVMIsASelectInst(v);
    LLVMValueRef operands[2];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_operand = LLVMGetOperand(v, i + is_select);
        operands[i] = find(web, v_operand) >= 0 ? twin_of(gen, web, v_operand) : NULL;
    }
    LLVMPositionBuilderBefore(gen->builder, v);
    for (unsigned i = 0; i < 2; i++) {
        if (!operands[i])
            operands[i] = ck_ir_low_half(gen, LLVMGetOperand(v, i + is_select));
    }
    return is_select ? l_select(gen, LLVMGetOperand(v, 0), operands[0], operands[1])
                     : LLVMBuildAdd(gen->builder, operands[0], operands[1], "");
}

static LLVMValueRef
twin_of(struct ck_gen *gen, struct web *web, LLVMValueRef v)
{
    const int i = find(web, v);
    if (!web->v_new[i])
        web->v_new[i] = make_twin(gen, web, v);
    return web->v_new[i];
}

/* Makes the twins. Phis have `v_first`, if it is not NULL, for each value outside the web. */
static void
make_twins(struct ck_gen *gen, struct web *web, LLVMValueRef v_first)
{
    for (int i = 0; i < web->n; i++) {
        if (!LLVMIsAPHINode(web->v_old[i]))
            continue;
        LLVMPositionBuilderBefore(gen->builder, web->v_old[i]);
        web->v_new[i] = LLVMBuildPhi(gen->builder, gen->t_i32, "");
    }
    for (int i = 0; i < web->n; i++) {
        LLVMValueRef v = web->v_old[i], v_twin = twin_of(gen, web, v);
        for (unsigned k = 0; LLVMIsAPHINode(v) && k < LLVMCountIncoming(v); k++) {
            LLVMValueRef v_in = LLVMGetIncomingValue(v, k);
            LLVMBasicBlockRef b_in = LLVMGetIncomingBlock(v, k);
            if (find(web, v_in) >= 0) {
                v_in = twin_of(gen, web, v_in);
            } else if (v_first) {
                v_in = v_first;
            } else {
                LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(b_in));
                v_in = ck_ir_low_half(gen, v_in);
            }
            LLVMAddIncoming(v_twin, &v_in, &b_in, 1);
        }
    }
}

/* A user of a value that is not in the web. */
static LLVMValueRef
user_outside(const struct web *web, LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    while (use && find(web, LLVMGetUser(use)) >= 0)
        use = LLVMGetNextUse(use);
    return use ? LLVMGetUser(use) : NULL;
}

/* Once nothing outside uses the web. */
static void
erase(struct web *web)
{
    for (int i = 0; i < web->n; i++)
        LLVMReplaceAllUsesWith(web->v_old[i], LLVMGetUndef(LLVMTypeOf(web->v_old[i])));
    for (int i = 0; i < web->n; i++)
        LLVMInstructionEraseFromParent(web->v_old[i]);
}

/* --- Counts ------------------------------------------------------------------------------------
 */

/* How much a value is more than the phi at most, of which it is a sum; negative: it may be less, or
 * it is not known. Adds the values between to the web. */
static int64_t
growth_of(const struct ck_gen *gen, struct web *web, LLVMValueRef v_phi, LLVMValueRef v, int depth)
{
    if (v == v_phi)
        return 0;
    if (depth == 0 || !LLVMIsAInstruction(v) || !add_to(web, v, false))
        return -1;
    if (ck_ir_opcode(v) == LLVMAdd) {
        const unsigned i = ck_most_of(gen, LLVMGetOperand(v, 0), false) < 0;
        const int64_t term = ck_most_of(gen, LLVMGetOperand(v, i), false);
        const int64_t sum = term < 0 || term > MAX_GROWTH
                                ? -1
                                : growth_of(gen, web, v_phi, LLVMGetOperand(v, 1 - i), depth - 1);
        return sum < 0 ? -1 : sum + term;
    }
    if (!LLVMIsASelectInst(v) &&
        (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) == LLVMGetInstructionParent(v_phi)))
        return -1;
    int64_t most = 0;
    for (int i = LLVMIsASelectInst(v) ? 1 : 0; i < LLVMGetNumOperands(v); i++) {
        const int64_t growth =
            growth_of(gen, web, v_phi, LLVMGetOperand(v, (unsigned)i), depth - 1);
        if (growth < 0)
            return -1;
        most = growth > most ? growth : most;
    }
    return most;
}

/* Extends a count, and adds the first value, where the builder is. */
static LLVMValueRef
counted_from(struct ck_gen *gen, LLVMValueRef v_first, LLVMValueRef v_count, bool is_natural)
{
    LLVMValueRef v_wide = LLVMBuildZExt(gen->builder, v_count, gen->t_i64, "");
    if (LLVMIsAZExtInst(v_wide))
        LLVMSetNNeg(v_wide, is_natural);
    return LLVMIsAConstantInt(v_first) && LLVMIsNull(v_first)
               ? v_wide
               : LLVMBuildAdd(gen->builder, v_first, v_wide, "");
}

/* A phi that has values of the web becomes the sum of two: of the first value, or what else it has,
 * and of the count. Returns the sum. */
static LLVMValueRef
divide_phi(struct ck_gen *gen, struct web *web, LLVMValueRef v_user, LLVMValueRef v_first,
           bool is_natural)
{
    LLVMPositionBuilderBefore(gen->builder, v_user);
    LLVMValueRef v_base = LLVMBuildPhi(gen->builder, gen->t_i64, "");
    LLVMValueRef v_count = LLVMBuildPhi(gen->builder, gen->t_i32, "");
    bool is_same = true; /* whether the first value is all that it has */
    for (unsigned k = 0; k < LLVMCountIncoming(v_user); k++) {
        LLVMValueRef v_in = LLVMGetIncomingValue(v_user, k), v_none = l_i32(gen, 0);
        LLVMBasicBlockRef b_in = LLVMGetIncomingBlock(v_user, k);
        const int i = find(web, v_in);
        LLVMAddIncoming(v_count, i >= 0 ? &web->v_new[i] : &v_none, &b_in, 1);
        LLVMAddIncoming(v_base, i >= 0 ? &v_first : &v_in, &b_in, 1);
        is_same = is_same && (i >= 0 || v_in == v_first);
    }
    is_same = is_same && v_first != v_user;
    LLVMPositionBuilderBefore(gen->builder, ck_ir_after(v_user));
    LLVMValueRef v_sum = counted_from(gen, is_same ? v_first : v_base, v_count, is_natural);
    LLVMReplaceAllUsesWith(v_user, v_sum);
    LLVMInstructionEraseFromParent(v_user);
    if (is_same)
        LLVMInstructionEraseFromParent(v_base);
    return v_sum;
}

static void
replace_counts(struct ck_gen *gen, struct web *web, LLVMValueRef v_first, bool is_natural)
{
    make_twins(gen, web, l_i32(gen, 0));
    for (int i = 0; i < web->n; i++) {
        for (LLVMValueRef v; (v = user_outside(web, web->v_old[i]));) {
            if (LLVMIsAPHINode(v)) {
                LLVMValueRef v_sum = divide_phi(gen, web, v, v_first, is_natural);
                v_first = v == v_first ? v_sum : v_first;
                continue;
            }
            LLVMPositionBuilderBefore(gen->builder, v);
            ck_ir_replace_operand(v, web->v_old[i],
                                  counted_from(gen, v_first, web->v_new[i], is_natural));
        }
    }
    erase(web);
}

/* Whether a phi's next value is its sum with a constant. */
static bool
is_counted(LLVMValueRef v_phi, LLVMValueRef v_next)
{
    return ck_ir_opcode(v_next) == LLVMAdd && LLVMGetOperand(v_next, 0) == v_phi &&
           LLVMIsAConstantInt(LLVMGetOperand(v_next, 1));
}

/* Whether a phi is a count, which is then replaced. A sum of constants alone is a counter. */
static bool
shorten_count(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v_phi)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_next = LLVMGetIncomingValue(v_phi, i);
        struct web web = {.n = 0};
        if (!add_to(&web, v_phi, false) || is_counted(v_phi, v_next))
            continue;
        const int64_t growth = growth_of(gen, &web, v_phi, v_next, MAX_DEPTH);
        if (growth <= 0)
            continue;
        const int64_t trips = ck_most_trips(gen, conditions, LLVMGetInstructionParent(v_phi),
                                            LLVMGetIncomingBlock(v_phi, i));
        if (trips < 0 || growth * trips > UINT32_MAX)
            continue;
        replace_counts(gen, &web, LLVMGetIncomingValue(v_phi, 1 - i), growth * trips <= INT32_MAX);
        return true;
    }
    return false;
}

/* --- Binary searches ---------------------------------------------------------------------------
 */

struct search {
    struct web web;
    LLVMValueRef v_low, v_high; /* phis */
    LLVMValueRef v_middle;      /* the middle; NULL: there is none yet */
    bool is_below;              /* high becomes middle - 1 */
};

/* Whether a value is the middle of low and high. There is one: is_ordered tests its block alone. */
static bool
find_middle(struct search *search, LLVMValueRef v)
{
    if (!is_middle(v, search->v_low, search->v_high) || (search->v_middle && search->v_middle != v))
        return false;
    search->v_middle = v;
    return add_to(&search->web, v, true);
}

/* Whether low or high becomes a value, of the web, that stays between their first values. */
static bool
stays(struct search *search, LLVMValueRef v_phi, LLVMValueRef v, int depth)
{
    const bool is_natural = v_phi == search->v_low || !search->is_below;
    if (v == v_phi)
        return true;
    if (depth == 0 || !LLVMIsAInstruction(v))
        return false;
    if (find_middle(search, v))
        return true;
    if (ck_ir_opcode(v) == LLVMAdd) {
        LLVMValueRef v_by = LLVMGetOperand(v, 1);
        return find_middle(search, LLVMGetOperand(v, 0)) && LLVMIsAConstantInt(v_by) &&
               LLVMConstIntGetSExtValue(v_by) == (v_phi == search->v_low ? 1 : -1) &&
               (v_phi == search->v_low || search->is_below) && add_to(&search->web, v, is_natural);
    }
    if (!LLVMIsASelectInst(v) &&
        (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) == LLVMGetInstructionParent(v_phi)))
        return false;
    if (!add_to(&search->web, v, is_natural))
        return false;
    for (int i = LLVMIsASelectInst(v) ? 1 : 0; i < LLVMGetNumOperands(v); i++) {
        if (!stays(search, v_phi, LLVMGetOperand(v, (unsigned)i), depth - 1))
            return false;
    }
    return true;
}

static LLVMValueRef
without_extension(LLVMValueRef v)
{
    return LLVMIsAZExtInst(v) ? LLVMGetOperand(v, 0) : v;
}

static bool
is_zero(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMIsNull(v);
}

/* A pair of which the first is looked for as the lesser one. */
struct pair {
    LLVMValueRef v_low, v_high;
    bool or_equal;
};

/* Whether a comparison says that a value, of the width of `v_test`, is not zero. */
static bool
says_positive(LLVMValueRef v_test, bool is_true, LLVMValueRef v)
{
    struct ck_value_order order;
    if (ck_value_order_of(v_test, is_true, &order))
        return order.is_strict && is_zero(order.v_less) && order.v_more == v;
    return (LLVMGetICmpPredicate(v_test) == LLVMIntNE) == is_true &&
           LLVMGetOperand(v_test, 0) == v && is_zero(LLVMGetOperand(v_test, 1));
}

static bool
is_order_of(LLVMValueRef v_test, bool is_true, const void *data)
{
    const struct pair *pair = data;
    LLVMValueRef v_high = pair->v_high;
    struct ck_value_order order;
    if (ck_value_order_of(v_test, is_true, &order) && order.v_less == pair->v_low &&
        order.v_more == v_high)
        return pair->or_equal ? order.is_signed : order.is_strict;
    if (pair->or_equal && ck_ir_opcode(v_high) == LLVMAdd &&
        LLVMIsAConstantInt(LLVMGetOperand(v_high, 1)) &&
        LLVMConstIntGetSExtValue(LLVMGetOperand(v_high, 1)) == -1)
        v_high = LLVMGetOperand(v_high, 0);
    else if (pair->or_equal)
        return false;
    return is_zero(pair->v_low) && (says_positive(v_test, is_true, v_high) ||
                                    says_positive(v_test, is_true, without_extension(v_high)));
}

static bool
are_ordered_constants(const struct pair *pair)
{
    return LLVMIsAConstantInt(pair->v_low) && LLVMIsAConstantInt(pair->v_high) &&
           LLVMConstIntGetSExtValue(pair->v_low) < LLVMConstIntGetSExtValue(pair->v_high);
}

/* Whether low is less than high where the middle is computed, or at most high: by a condition
 * there, or as each edge to the header has it. */
static bool
is_ordered(struct ck_gen *gen, struct ck_conditions *conditions, const struct search *search)
{
    struct pair pair = {search->v_low, search->v_high, search->is_below};
    if (ck_conditions_hold_in(gen, conditions, LLVMGetInstructionParent(search->v_middle),
                              is_order_of, &pair))
        return true;
    LLVMBasicBlockRef b_header = LLVMGetInstructionParent(search->v_low);
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef b_from = LLVMGetIncomingBlock(search->v_low, i);
        pair.v_low = LLVMGetIncomingValue(search->v_low, i);
        pair.v_high = ck_ir_incoming(search->v_high, b_from);
        if (!are_ordered_constants(&pair) &&
            !ck_conditions_hold_on(gen, conditions, b_from, b_header, is_order_of, &pair))
            return false;
    }
    return true;
}

/* From 0 below 2^31. */
static bool
is_natural(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMIsAConstantInt(v))
        return LLVMConstIntGetSExtValue(v) >= 0 && LLVMConstIntGetSExtValue(v) <= INT32_MAX;
    return LLVMIsAZExtInst(v) &&
           (LLVMTypeOf(LLVMGetOperand(v, 0)) != gen->t_i32 || LLVMGetNNeg(v)) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) <= 32;
}

/* A sum of a natural number and a constant that is negative, but no less than -2^31. */
static bool
is_below_natural(struct ck_gen *gen, LLVMValueRef v)
{
    if (ck_ir_opcode(v) != LLVMAdd || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    const int64_t by = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
    return is_natural(gen, LLVMGetOperand(v, 0)) && by < 0 && by >= INT32_MIN;
}

/* A web of numbers of 31 bits with a sign. */
static void
replace_web(struct ck_gen *gen, struct web *web)
{
    make_twins(gen, web, NULL);
    for (int i = 0; i < web->n; i++) {
        LLVMValueRef v_user, v = web->v_old[i];
        if (!user_outside(web, v))
            continue;
        LLVMPositionBuilderBefore(gen->builder, ck_ir_after(web->v_new[i]));
        LLVMValueRef v_wide = web->is_natural[i]
                                  ? LLVMBuildZExt(gen->builder, web->v_new[i], gen->t_i64, "")
                                  : LLVMBuildSExt(gen->builder, web->v_new[i], gen->t_i64, "");
        if (LLVMIsAZExtInst(v_wide))
            LLVMSetNNeg(v_wide, true);
        while ((v_user = user_outside(web, v)))
            ck_ir_replace_operand(v_user, v, v_wide);
    }
    erase(web);
}

/* Whether a phi is the lower end of a binary search, whose web is then replaced. */
static bool
shorten_search(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v_low,
               LLVMValueRef v_high, bool is_below)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef b_latch = LLVMGetIncomingBlock(v_low, i);
        LLVMBasicBlockRef b_before = LLVMGetIncomingBlock(v_low, 1 - i);
        struct search search = {.web = {.v_low = v_low, .v_high = v_high},
                                .v_low = v_low,
                                .v_high = v_high,
                                .is_below = is_below};
        LLVMValueRef v_first = ck_ir_incoming(v_high, b_before);
        const bool fits = is_below ? is_below_natural(gen, v_first) : is_natural(gen, v_first);
        if (!fits || !is_natural(gen, LLVMGetIncomingValue(v_low, 1 - i)) ||
            !add_to(&search.web, v_low, true) || !add_to(&search.web, v_high, !is_below) ||
            !stays(&search, v_low, LLVMGetIncomingValue(v_low, i), MAX_DEPTH) ||
            !stays(&search, v_high, ck_ir_incoming(v_high, b_latch), MAX_DEPTH) ||
            !search.v_middle || !is_ordered(gen, conditions, &search))
            continue;
        replace_web(gen, &search.web);
        return true;
    }
    return false;
}

/* --- Halved values -----------------------------------------------------------------------------
 */

/* Whether a phi begins with a natural number, or one that is shifted right too, and becomes itself
 * shifted right. It is then replaced. */
static bool
shorten_halved(struct ck_gen *gen, LLVMValueRef v_phi)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_next = LLVMGetIncomingValue(v_phi, i);
        LLVMValueRef v_first = LLVMGetIncomingValue(v_phi, 1 - i);
        struct web web = {.n = 0};
        if (is_right_shift(v_first))
            v_first = LLVMGetOperand(v_first, 0);
        if (!is_right_shift(v_next) || LLVMGetOperand(v_next, 0) != v_phi ||
            !is_natural(gen, v_first) || !add_to(&web, v_phi, true) || !add_to(&web, v_next, true))
            continue;
        replace_web(gen, &web);
        return true;
    }
    return false;
}

/* --- The pass ----------------------------------------------------------------------------------
 */

static bool
is_candidate(struct ck_gen *gen, LLVMValueRef v)
{
    return LLVMTypeOf(v) == gen->t_i64 && LLVMCountIncoming(v) == 2 &&
           LLVMGetIncomingBlock(v, 0) != LLVMGetIncomingBlock(v, 1);
}

static bool
shorten(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v)
{
    if (!is_candidate(gen, v))
        return false;
    if (shorten_halved(gen, v) || shorten_count(gen, conditions, v))
        return true;
    LLVMValueRef v_other = LLVMGetFirstInstruction(LLVMGetInstructionParent(v));
    for (; LLVMIsAPHINode(v_other); v_other = LLVMGetNextInstruction(v_other)) {
        if (v_other != v && is_candidate(gen, v_other) &&
            (shorten_search(gen, conditions, v, v_other, false) ||
             shorten_search(gen, conditions, v, v_other, true)))
            return true;
    }
    return false;
}

void
ck_gen_shorten_phis(struct ck_gen *gen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        struct ck_conditions conditions = {.is_built = false};
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef v = LLVMGetFirstInstruction(b);
            while (LLVMIsAPHINode(v)) {
                const bool is_shortened = shorten(gen, &conditions, v);
                v = is_shortened ? LLVMGetFirstInstruction(b) : LLVMGetNextInstruction(v);
            }
        }
    }
}
