/* Trip counts by execution: see const_trips.h. */
#include "codegen/opt/const_trips.h"

enum {
    MAX_DEPTH = 8, /* of operations from a phi to the test or to the next value */
    MAX_TRIPS = 32 /* of a loop */
};

static bool
is_short_int(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
}

int
ck_trips_counter(const struct ck_const_trips *loop, LLVMValueRef v_phi)
{
    int i = 0;
    while (i < loop->n_counters && loop->counters[i].v_phi != v_phi)
        i++;
    return i < loop->n_counters ? i : -1;
}

static bool collect_counters(struct ck_const_trips *loop, LLVMValueRef v, int depth);

/* Adds a phi of the loop's header that begins as a constant. The first one determines the header.
 */
static bool
add_counter(struct ck_const_trips *loop, LLVMValueRef v_phi)
{
    if (ck_trips_counter(loop, v_phi) >= 0)
        return true;
    LLVMBasicBlockRef b_header = LLVMGetInstructionParent(v_phi);
    if (loop->n_counters == CK_TRIPS_MAX_COUNTERS || LLVMCountIncoming(v_phi) != 2 ||
        (loop->b_header && loop->b_header != b_header))
        return false;
    const unsigned first = LLVMGetIncomingBlock(v_phi, 0) == loop->b_latch;
    LLVMValueRef v_first = LLVMGetIncomingValue(v_phi, first);
    if (LLVMGetIncomingBlock(v_phi, 1 - first) != loop->b_latch || !LLVMIsAConstantInt(v_first))
        return false;
    loop->b_header = b_header;
    LLVMValueRef v_next = LLVMGetIncomingValue(v_phi, 1 - first);
    loop->counters[loop->n_counters++] =
        (struct ck_trips_counter){v_phi, v_next, LLVMConstIntGetZExtValue(v_first)};
    return collect_counters(loop, v_next, MAX_DEPTH);
}

bool
ck_trips_evaluates(LLVMValueRef v)
{
    return LLVMIsAICmpInst(v) || LLVMIsABinaryOperator(v) || LLVMIsATruncInst(v) ||
           LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsASelectInst(v);
}

/* Adds the phis that a value depends on. False: it depends on anything else that is no constant. */
static bool
collect_counters(struct ck_const_trips *loop, LLVMValueRef v, int depth)
{
    if (!is_short_int(v) || depth == 0)
        return false;
    if (LLVMIsAConstantInt(v))
        return true;
    if (LLVMIsAPHINode(v))
        return add_counter(loop, v);
    if (!LLVMIsAInstruction(v) || !ck_trips_evaluates(v))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (!collect_counters(loop, LLVMGetOperand(v, (unsigned)i), depth - 1))
            return false;
    }
    return true;
}

static int64_t
as_signed(uint64_t value, unsigned width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static bool
compare(LLVMIntPredicate predicate, uint64_t a, uint64_t b, unsigned width)
{
    const int64_t s = as_signed(a, width), t = as_signed(b, width);
    switch (predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return a > b;
    case LLVMIntUGE:
        return a >= b;
    case LLVMIntULT:
        return a < b;
    case LLVMIntULE:
        return a <= b;
    case LLVMIntSGT:
        return s > t;
    case LLVMIntSGE:
        return s >= t;
    case LLVMIntSLT:
        return s < t;
    case LLVMIntSLE:
        return s <= t;
    }
    return false;
}

/* The result of a binary operation; false: it is not one of those below, or undefined. */
static bool
compute(LLVMOpcode opcode, uint64_t a, uint64_t b, unsigned width, uint64_t *out)
{
    switch ((int)opcode) {
    case LLVMAdd:
        *out = a + b;
        return true;
    case LLVMSub:
        *out = a - b;
        return true;
    case LLVMMul:
        *out = a * b;
        return true;
    case LLVMAnd:
        *out = a & b;
        return true;
    case LLVMOr:
        *out = a | b;
        return true;
    case LLVMXor:
        *out = a ^ b;
        return true;
    case LLVMShl:
        *out = b < width ? a << b : 0;
        return b < width;
    case LLVMLShr:
        *out = b < width ? a >> b : 0;
        return b < width;
    case LLVMAShr:
        *out = b < width ? (uint64_t)(as_signed(a, width) >> b) : 0;
        return b < width;
    default:
        return false;
    }
}

/* The value in the current iteration. */
static bool
evaluate(const struct ck_const_trips *loop, LLVMValueRef v, uint64_t *out)
{
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    const uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
    if (LLVMIsAConstantInt(v)) {
        *out = LLVMConstIntGetZExtValue(v);
        return true;
    }
    if (LLVMIsAPHINode(v)) {
        *out = loop->counters[ck_trips_counter(loop, v)].value;
        return true;
    }
    uint64_t of[3] = {0};
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (!evaluate(loop, LLVMGetOperand(v, (unsigned)i), &of[i]))
            return false;
    }
    const unsigned from = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0)));
    bool known = true;
    if (LLVMIsAICmpInst(v))
        *out = compare(LLVMGetICmpPredicate(v), of[0], of[1], from);
    else if (LLVMIsASelectInst(v))
        *out = of[0] ? of[1] : of[2];
    else if (LLVMIsASExtInst(v))
        *out = (uint64_t)as_signed(of[0], from);
    else if (LLVMIsABinaryOperator(v))
        known = compute(LLVMGetInstructionOpcode(v), of[0], of[1], width, out);
    else
        *out = of[0];
    *out &= mask;
    return known;
}

static bool
next_iteration(struct ck_const_trips *loop)
{
    uint64_t next[CK_TRIPS_MAX_COUNTERS];
    for (int i = 0; i < loop->n_counters; i++) {
        if (!evaluate(loop, loop->counters[i].v_next, &next[i]))
            return false;
    }
    for (int i = 0; i < loop->n_counters; i++)
        loop->counters[i].value = next[i];
    return true;
}

bool
ck_trips_count(struct ck_const_trips *loop)
{
    LLVMValueRef v_test = LLVMGetCondition(loop->v_branch);
    if (!collect_counters(loop, v_test, MAX_DEPTH) || !loop->b_header)
        return false;
    const unsigned stays = LLVMGetSuccessor(loop->v_branch, 0) == loop->b_header;
    if (LLVMGetSuccessor(loop->v_branch, 1 - stays) != loop->b_header)
        return false;
    for (loop->trips = 1; loop->trips <= MAX_TRIPS; loop->trips++) {
        uint64_t test;
        if (!evaluate(loop, v_test, &test))
            return false;
        if (test != stays)
            return true;
        if (!next_iteration(loop))
            return false;
    }
    return false;
}
