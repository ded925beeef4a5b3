/* Ranges of integers: see value_range.h. An operation that may overflow has any value of its type,
 * unless it is marked `nsw`. */
#include "codegen/opt/value_range.h"

#include "codegen/core/ir_util.h"
#include "codegen/opt/constant_counter.h"

enum { MAX_DEPTH = 6 }; /* of operations */

typedef __int128 wide;

static struct ck_value_range range_of(const struct ck_gen *gen, LLVMValueRef v, int depth);

static int64_t
smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t
larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool
ck_value_range_is_within(struct ck_value_range range, int64_t least, int64_t most)
{
    return range.least >= least && range.most <= most;
}

static struct ck_value_range
union_of(struct ck_value_range a, struct ck_value_range b)
{
    return (struct ck_value_range){smaller(a.least, b.least), larger(a.most, b.most)};
}

static struct ck_value_range
range_of_bits(unsigned width)
{
    const int64_t most = (int64_t)(UINT64_MAX >> (64 - width) >> 1);
    return (struct ck_value_range){-most - 1, most};
}

/* Of an unsigned value of fewer than 64 bits. */
static struct ck_value_range
range_of_natural_bits(unsigned width)
{
    return (struct ck_value_range){0, (int64_t)(UINT64_MAX >> (64 - width))};
}

static struct ck_value_range
range_of_type(LLVMValueRef v)
{
    return range_of_bits(LLVMGetIntTypeWidth(LLVMTypeOf(v)));
}

/* From `least` to `most`, as a result of the operation `v`. */
static struct ck_value_range
result_of(LLVMValueRef v, wide least, wide most)
{
    const struct ck_value_range type = range_of_type(v);
    if (least >= type.least && most <= type.most)
        return (struct ck_value_range){(int64_t)least, (int64_t)most};
    if (!LLVMGetNSW(v) || least > type.most || most < type.least)
        return type;
    return (struct ck_value_range){least < type.least ? type.least : (int64_t)least,
                                   most > type.most ? type.most : (int64_t)most};
}

static struct ck_value_range
range_of_product(LLVMValueRef v, struct ck_value_range a, struct ck_value_range b)
{
    const wide corners[] = {(wide)a.least * b.least, (wide)a.least * b.most, (wide)a.most * b.least,
                            (wide)a.most * b.most};
    wide least = corners[0], most = corners[0];
    for (int i = 1; i < 4; i++) {
        least = corners[i] < least ? corners[i] : least;
        most = corners[i] > most ? corners[i] : most;
    }
    return result_of(v, least, most);
}

static struct ck_value_range
range_of_shift(LLVMValueRef v, struct ck_value_range a)
{
    LLVMValueRef v_by = LLVMGetOperand(v, 1);
    const struct ck_value_range type = range_of_type(v);
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    if (!LLVMIsAConstantInt(v_by) || LLVMConstIntGetZExtValue(v_by) >= width)
        return type;
    const int by = (int)LLVMConstIntGetZExtValue(v_by);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMShl:
        return result_of(v, (wide)a.least * ((wide)1 << by), (wide)a.most * ((wide)1 << by));
    case LLVMAShr:
        return (struct ck_value_range){a.least >> by, a.most >> by};
    default:
        if (a.least >= 0)
            return (struct ck_value_range){a.least >> by, a.most >> by};
        return by == 0 ? type : range_of_natural_bits(width - (unsigned)by);
    }
}

/* The least value with all bits set that is not less than a natural one. */
static int64_t
all_bits_of(int64_t most)
{
    return most == 0 ? 0 : (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)most));
}

static struct ck_value_range
range_of_bitwise(LLVMValueRef v, struct ck_value_range a, struct ck_value_range b)
{
    const bool is_and = LLVMGetInstructionOpcode(v) == LLVMAnd;
    if (a.least >= 0 && b.least >= 0)
        return (struct ck_value_range){0, is_and ? smaller(a.most, b.most)
                                                 : all_bits_of(larger(a.most, b.most))};
    if (is_and && (a.least >= 0 || b.least >= 0))
        return (struct ck_value_range){0, a.least >= 0 ? a.most : b.most};
    return range_of_type(v);
}

static struct ck_value_range
range_of_division(LLVMValueRef v, struct ck_value_range a, struct ck_value_range b)
{
    const bool is_quotient = LLVMGetInstructionOpcode(v) == LLVMUDiv;
    if (b.least <= 0 || (is_quotient && a.least < 0))
        return range_of_type(v);
    if (is_quotient)
        return (struct ck_value_range){a.least / b.most, a.most / b.least};
    return (struct ck_value_range){0, a.least >= 0 ? smaller(a.most, b.most - 1) : b.most - 1};
}

static struct ck_value_range
range_of_binary(const struct ck_gen *gen, LLVMValueRef v, int depth)
{
    const struct ck_value_range a = range_of(gen, LLVMGetOperand(v, 0), depth - 1);
    const struct ck_value_range b = range_of(gen, LLVMGetOperand(v, 1), depth - 1);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
        return result_of(v, (wide)a.least + b.least, (wide)a.most + b.most);
    case LLVMSub:
        return result_of(v, (wide)a.least - b.most, (wide)a.most - b.least);
    case LLVMMul:
        return range_of_product(v, a, b);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return range_of_shift(v, a);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return range_of_bitwise(v, a, b);
    case LLVMUDiv:
    case LLVMURem:
        return range_of_division(v, a, b);
    default:
        return range_of_type(v);
    }
}

static struct ck_value_range
range_of_cast(const struct ck_gen *gen, LLVMValueRef v, int depth)
{
    const struct ck_value_range type = range_of_type(v);
    LLVMValueRef v_from = LLVMGetOperand(v, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(v_from)) != LLVMIntegerTypeKind)
        return type;
    struct ck_value_range range = range_of(gen, v_from, depth - 1);
    if (LLVMIsASExtInst(v))
        return range;
    if (LLVMIsATruncInst(v))
        return ck_value_range_is_within(range, type.least, type.most) ? range : type;
    if (!LLVMIsAZExtInst(v))
        return type;
    if (LLVMGetNNeg(v))
        range.least = larger(range.least, 0);
    return range.least >= 0 ? range
                            : range_of_natural_bits(LLVMGetIntTypeWidth(LLVMTypeOf(v_from)));
}

static struct ck_value_range
range_of_limit(const struct ck_gen *gen, LLVMValueRef v, int depth)
{
    const struct ck_value_range a = range_of(gen, LLVMGetOperand(v, 0), depth - 1);
    const struct ck_value_range b = range_of(gen, LLVMGetOperand(v, 1), depth - 1);
    const bool a_natural = a.least >= 0, b_natural = b.least >= 0, both = a_natural && b_natural;
    if (ck_ir_calls_intrinsic(v, "llvm.smin") || (both && ck_ir_calls_intrinsic(v, "llvm.umin")))
        return (struct ck_value_range){smaller(a.least, b.least), smaller(a.most, b.most)};
    if (ck_ir_calls_intrinsic(v, "llvm.smax") || (both && ck_ir_calls_intrinsic(v, "llvm.umax")))
        return (struct ck_value_range){larger(a.least, b.least), larger(a.most, b.most)};
    if (ck_ir_calls_intrinsic(v, "llvm.usub.sat") && both)
        return (struct ck_value_range){larger(a.least - b.most, 0), larger(a.most - b.least, 0)};
    if (ck_ir_calls_intrinsic(v, "llvm.umin") && (a_natural || b_natural))
        return (struct ck_value_range){0, a_natural ? a.most : b.most};
    return range_of_type(v);
}

/* Values that a loop carries are bounded by the depth, if they are no counter with constant bounds.
 */
static struct ck_value_range
range_of_phi(const struct ck_gen *gen, LLVMValueRef v, int depth)
{
    struct ck_constant_counter counter;
    if (ck_constant_counter_match(&counter, v))
        return (struct ck_value_range){smaller(counter.first, counter.last),
                                       larger(counter.first, counter.last)};
    struct ck_value_range range = range_of(gen, LLVMGetIncomingValue(v, 0), depth / 2);
    for (unsigned i = 1; i < LLVMCountIncoming(v); i++)
        range = union_of(range, range_of(gen, LLVMGetIncomingValue(v, i), depth / 2));
    return range;
}

static struct ck_value_range
range_of_call(const struct ck_gen *gen, LLVMValueRef v, int depth)
{
    if (ck_ir_is_limit(v))
        return range_of_limit(gen, v, depth);
    struct ck_value_range range = range_of_type(v);
    const int64_t most =
        gen->target->thread->most_of_call ? gen->target->thread->most_of_call(v) : -1;
    if (most >= 0)
        range = (struct ck_value_range){0, most};
    return range;
}

static struct ck_value_range
range_of_argument(const struct ck_gen *gen, LLVMValueRef v)
{
    const uint64_t end = ck_gen_argument_end(gen, v);
    return end ? (struct ck_value_range){0, (int64_t)(end - 1)} : range_of_type(v);
}

static struct ck_value_range
range_of(const struct ck_gen *gen, LLVMValueRef v, int depth)
{
    enum { MOST_BITS = 64 };
    /* A wider value, which LLVM makes of sums over a loop, may be any: what is computed from it is
     * truncated before it is narrower. */
    if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) > MOST_BITS)
        return range_of_bits(MOST_BITS);
    if (LLVMIsAConstantInt(v)) {
        const int64_t value = LLVMConstIntGetSExtValue(v);
        return (struct ck_value_range){value, value};
    }
    if (LLVMIsAArgument(v))
        return range_of_argument(gen, v);
    if (depth <= 0)
        return range_of_type(v);
    if (LLVMIsABinaryOperator(v))
        return range_of_binary(gen, v, depth);
    if (LLVMIsACastInst(v))
        return range_of_cast(gen, v, depth);
    if (LLVMIsACallInst(v))
        return range_of_call(gen, v, depth);
    if (LLVMIsAPHINode(v))
        return range_of_phi(gen, v, depth);
    if (LLVMIsASelectInst(v))
        return union_of(range_of(gen, LLVMGetOperand(v, 1), depth - 1),
                        range_of(gen, LLVMGetOperand(v, 2), depth - 1));
    return range_of_type(v);
}

struct ck_value_range
ck_value_range_of(const struct ck_gen *gen, LLVMValueRef v)
{
    return range_of(gen, v, MAX_DEPTH);
}

bool
ck_value_range_sum_fits(const struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    const struct ck_value_range left = ck_value_range_of(gen, v_left);
    const struct ck_value_range right = ck_value_range_of(gen, v_right);
    const struct ck_value_range all = range_of_type(v_left);
    return (wide)left.least + right.least >= all.least && (wide)left.most + right.most <= all.most;
}
