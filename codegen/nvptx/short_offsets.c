/* Offsets of elements in 32 bits: docs/adr/044.
 *
 * In a small launch (docs/adr/028) an array has fewer than CK_SMALL_ELEMENTS elements, so that the
 * offset of each of its elements fits in 32 bits. The low half of a sum or a product is that of
 * the operands' low words, whatever overflows between: `(z * h + y) * w + x` is computed in 32
 * bits, and is the element's offset if the element exists. No sum is promised not to overflow. A
 * constant that is added stays outside, where the addresses of neighbours share the rest. An index
 * below zero counts from the end; its wrap is the minimum of nvptx/short_wraps.c.
 *
 * Addresses that a loop counts stay as they are: LLVM computes them from one another. Runs after
 * LLVM's passes, on the addresses of loads and stores of a kernel's dense arrays. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/run_passes.h"

enum {
    MAX_DEPTH = 8,          /* of operations whose low words are computed */
    MAX_LEVELS = 4,         /* of addresses, each computed from the next */
    MAX_NEIGHBOUR = 1 << 15 /* elements from what an element's address is computed from */
};

/* Parts of the offsets are computed where each address is. */
static const char merge_parts[] = "early-cse";

/* The low half of a value: `v_low`, NULL for 0, plus a constant, modulo 2^64. */
struct half {
    LLVMValueRef v_low;
    uint64_t constant;
};

/* A kernel and the bytes of an element of each of its parameters; 0: the parameter is no dense
 * array's address. */
struct kernel {
    struct ck_gen *gen;
    LLVMValueRef v_function;
    uint64_t *bytes;
    bool has_shortened; /* an address */
};

/* An address computed from an array's by adding indices, in elements. */
struct offset {
    LLVMValueRef v_array;
    LLVMTypeRef type; /* of an element */
    uint64_t bytes;
    LLVMValueRef indices[MAX_LEVELS]; /* the last one is added to the array */
    int n;
};

/* --- What is computed from low words ----------------------------------------------------------
 */

static bool
is_sum(LLVMValueRef v)
{
    const LLVMOpcode opcode = ck_ir_opcode(v);
    return opcode == LLVMAdd || opcode == LLVMSub || (opcode == LLVMOr && LLVMGetIsDisjoint(v));
}

static bool
is_extension(LLVMValueRef v)
{
    return LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
}

/* The extent that a value adds to an index if that is below zero; NULL: it is no wrap of it. */
static LLVMValueRef
wrap_extent_of(LLVMValueRef v_wrap, LLVMValueRef v_index)
{
    LLVMValueRef v = is_extension(v_wrap) ? LLVMGetOperand(v_wrap, 0) : v_wrap;
    if (!LLVMIsASelectInst(v) || !LLVMIsAICmpInst(LLVMGetOperand(v, 0)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(v, 2)) || !LLVMIsNull(LLVMGetOperand(v, 2)))
        return NULL;
    LLVMValueRef v_test = LLVMGetOperand(v, 0), v_tested = LLVMGetOperand(v_test, 0);
    LLVMValueRef v_extent = LLVMGetOperand(v, 1);
    LLVMValueRef v_low = is_extension(v_extent) ? LLVMGetOperand(v_extent, 0) : v_extent;
    const bool is_same =
        v_tested == v_index || (LLVMIsASExtInst(v_index) && LLVMGetOperand(v_index, 0) == v_tested);
    return is_same && LLVMGetICmpPredicate(v_test) == LLVMIntSLT &&
                   LLVMIsAConstantInt(LLVMGetOperand(v_test, 1)) &&
                   LLVMIsNull(LLVMGetOperand(v_test, 1)) && ck_nvptx_is_wrap_extent(v_low)
               ? v_low
               : NULL;
}

/* --- Addresses --------------------------------------------------------------------------------
 */

static bool
is_constant_step(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1));
}

static uint64_t
bytes_of_elements(const struct kernel *kernel, LLVMValueRef v)
{
    unsigned i = LLVMCountParams(kernel->v_function);
    while (i > 0 && LLVMGetParam(kernel->v_function, i - 1) != v)
        i--;
    return i > 0 ? kernel->bytes[i - 1] : 0;
}

/* Finds the indices that are added to an array's address, and the array. */
static bool
match_offset(const struct kernel *kernel, struct offset *offset, LLVMValueRef v)
{
    for (; LLVMIsAGetElementPtrInst(v); v = LLVMGetOperand(v, 0)) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
        if (LLVMGetNumOperands(v) != 2 || offset->n == MAX_LEVELS ||
            (offset->type && LLVMABISizeOfType(kernel->gen->layout, type) != offset->bytes))
            return false;
        offset->type = type;
        offset->bytes = LLVMABISizeOfType(kernel->gen->layout, type);
        offset->indices[offset->n++] = LLVMGetOperand(v, 1);
    }
    offset->v_array = v;
    return offset->n > 0 && offset->bytes == bytes_of_elements(kernel, v);
}

/* Whether a constant step is longer than to a neighbour. */
static bool
is_far(const struct kernel *kernel, LLVMValueRef v_address, LLVMValueRef v_from)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(v_address);
    const int64_t step = LLVMConstIntGetSExtValue(LLVMGetOperand(v_address, 1));
    const int64_t bytes = (int64_t)LLVMABISizeOfType(kernel->gen->layout, type);
    return !LLVMIsAGetElementPtrInst(v_from) || step * bytes < -MAX_NEIGHBOUR ||
           step * bytes > MAX_NEIGHBOUR;
}

/* Whether a loop counts a value, or what it is computed from. */
static bool
is_counted(LLVMValueRef v, int depth)
{
    if (is_extension(v))
        v = LLVMGetOperand(v, 0);
    if (LLVMIsAPHINode(v))
        return ck_ir_is_counter(v);
    if (depth == 0 || (!ck_ir_is_of_low_words(v) && !LLVMIsASelectInst(v)))
        return false;
    for (int i = LLVMIsASelectInst(v) ? 1 : 0; i < LLVMGetNumOperands(v); i++) {
        if (is_counted(LLVMGetOperand(v, (unsigned)i), depth - 1))
            return true;
    }
    return false;
}

/* Whether an address is of a dense array's element, and no loop counts it. */
static bool
match_uncounted(const struct kernel *kernel, struct offset *offset, LLVMValueRef v_address)
{
    *offset = (struct offset){.n = 0};
    if (!match_offset(kernel, offset, v_address))
        return false;
    int i = 0;
    while (i < offset->n && !is_counted(offset->indices[i], MAX_DEPTH))
        i++;
    return i == offset->n;
}

static bool
can_shorten(const struct kernel *kernel, LLVMValueRef v_address)
{
    struct offset offset;
    return match_uncounted(kernel, &offset, v_address);
}

/* The operand of an access that is its address; negative: it is no access. */
static int
address_operand(LLVMValueRef v)
{
    if (LLVMIsALoadInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v))
        return 0;
    return LLVMIsAStoreInst(v) ? 1 : -1;
}

/* Whether nothing but accesses, which get another address, uses an address. */
static bool
is_of_accesses(LLVMValueRef v_address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v_address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        const int operand = address_operand(v);
        if (operand < 0 || LLVMGetOperand(v, (unsigned)operand) != v_address)
            return false;
    }
    return true;
}

/* Whether a value is not computed any more once addresses are shortened. */
static bool
is_replaced(const struct kernel *kernel, LLVMValueRef v, int depth)
{
    if (depth == 0)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        const int operand = address_operand(v_user);
        const bool is_address = operand >= 0 && LLVMGetOperand(v_user, (unsigned)operand) == v &&
                                LLVMTypeOf(v) != kernel->gen->t_i64 && can_shorten(kernel, v);
        const bool is_step = is_constant_step(v_user) && can_shorten(kernel, v) &&
                             !is_far(kernel, v_user, v) && is_of_accesses(v_user);
        const bool is_part = LLVMIsAGetElementPtrInst(v_user) || ck_ir_is_of_low_words(v_user) ||
                             LLVMIsASelectInst(v_user) || is_extension(v_user);
        if (!is_address && !is_step && (!is_part || !is_replaced(kernel, v_user, depth - 1)))
            return false;
    }
    return true;
}

/* Counts the 64-bit operations that become 32-bit ones, but for additions of a constant. */
static int
count_operations(const struct kernel *kernel, LLVMValueRef v, int depth)
{
    if (is_extension(v))
        v = LLVMGetOperand(v, 0);
    if (depth == 0 || LLVMTypeOf(v) != kernel->gen->t_i64 ||
        (!ck_ir_is_of_low_words(v) && !LLVMIsASelectInst(v)) || !is_replaced(kernel, v, MAX_DEPTH))
        return 0;
    int n = !is_sum(v) || !LLVMIsAConstant(LLVMGetOperand(v, 1));
    for (int i = LLVMIsASelectInst(v) ? 1 : 0; i < LLVMGetNumOperands(v); i++)
        n += count_operations(kernel, LLVMGetOperand(v, (unsigned)i), depth - 1);
    return n;
}

static bool
is_worth_it(const struct kernel *kernel, const struct offset *offset)
{
    int i = 0;
    while (i < offset->n && count_operations(kernel, offset->indices[i], MAX_DEPTH) == 0)
        i++;
    return i < offset->n;
}

/* --- Low words --------------------------------------------------------------------------------
 */

static struct half half_of(const struct kernel *kernel, LLVMValueRef v, int depth);

/* The value itself, where the builder is. */
static LLVMValueRef
value_of_half(struct ck_gen *gen, struct half half)
{
    LLVMValueRef v_constant = l_i32(gen, (uint32_t)half.constant);
    if (!half.v_low)
        return v_constant;
    return (uint32_t)half.constant == 0 ? half.v_low
                                        : LLVMBuildAdd(gen->builder, half.v_low, v_constant, "");
}

static LLVMValueRef
sum_of(struct ck_gen *gen, LLVMOpcode opcode, LLVMValueRef v_left, LLVMValueRef v_right)
{
    if (!v_right)
        return v_left;
    if (!v_left)
        return opcode == LLVMAdd ? v_right : LLVMBuildNeg(gen->builder, v_right, "");
    return LLVMBuildBinOp(gen->builder, opcode, v_left, v_right, "");
}

/* An index that counts from the end if it is below zero, where the builder is. */
static struct half
half_of_wrapped(struct ck_gen *gen, struct half index, LLVMValueRef v_extent)
{
    return (struct half){ck_nvptx_wrapped_index(gen, value_of_half(gen, index), v_extent), 0};
}

static struct half
half_of_operation(const struct kernel *kernel, LLVMValueRef v, int depth)
{
    struct ck_gen *gen = kernel->gen;
    const bool is_difference = LLVMGetInstructionOpcode(v) == LLVMSub;
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    for (int i = 0; is_sum(v) && !is_difference && i < 2; i++) {
        LLVMValueRef v_index = i ? v_right : v_left;
        LLVMValueRef v_extent = wrap_extent_of(i ? v_left : v_right, v_index);
        if (!v_extent)
            continue;
        const struct half index = half_of(kernel, v_index, depth - 1);
        LLVMPositionBuilderBefore(gen->builder, v);
        return half_of_wrapped(gen, index, v_extent);
    }
    const struct half left = half_of(kernel, v_left, depth - 1);
    const struct half right = half_of(kernel, v_right, depth - 1);
    LLVMPositionBuilderBefore(gen->builder, v);
    if (is_sum(v))
        return (struct half){
            sum_of(gen, is_difference ? LLVMSub : LLVMAdd, left.v_low, right.v_low),
            is_difference ? left.constant - right.constant : left.constant + right.constant};
    LLVMValueRef v_low = value_of_half(gen, left);
    v_low = LLVMBuildBinOp(gen->builder, LLVMGetInstructionOpcode(v), v_low,
                           value_of_half(gen, right), "");
    return (struct half){v_low, 0};
}

static struct half
half_of_select(const struct kernel *kernel, LLVMValueRef v, int depth)
{
    struct ck_gen *gen = kernel->gen;
    const struct half then = half_of(kernel, LLVMGetOperand(v, 1), depth - 1);
    const struct half otherwise = half_of(kernel, LLVMGetOperand(v, 2), depth - 1);
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_then = value_of_half(gen, then), v_else = value_of_half(gen, otherwise);
    return (struct half){l_select(gen, LLVMGetOperand(v, 0), v_then, v_else), 0};
}

/* Puts the builder behind the instruction or at the begin of the function of a parameter. */
static void
position_after(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_next =
        LLVMIsAInstruction(v)
            ? LLVMGetNextInstruction(v)
            : LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetParamParent(v)));
    while (LLVMIsAPHINode(v_next))
        v_next = LLVMGetNextInstruction(v_next);
    LLVMPositionBuilderBefore(gen->builder, v_next);
}

static struct half
half_of(const struct kernel *kernel, LLVMValueRef v, int depth)
{
    struct ck_gen *gen = kernel->gen;
    if (LLVMIsAConstantInt(v))
        return (struct half){NULL, (uint64_t)LLVMConstIntGetSExtValue(v)};
    if (is_extension(v) && LLVMTypeOf(LLVMGetOperand(v, 0)) == gen->t_i32)
        v = LLVMGetOperand(v, 0);
    const bool is_short = LLVMTypeOf(v) == gen->t_i32;
    const bool is_open = depth > 0 && (is_short ? is_sum(v) && LLVMIsAConstant(LLVMGetOperand(v, 1))
                                                : is_replaced(kernel, v, MAX_DEPTH));
    if (is_open && ck_ir_is_of_low_words(v))
        return half_of_operation(kernel, v, depth);
    if (is_open && LLVMIsASelectInst(v))
        return half_of_select(kernel, v, depth);
    if (is_short)
        return (struct half){v, 0};
    position_after(gen, v);
    return (struct half){LLVMBuildTrunc(gen->builder, v, gen->t_i32, ""), 0};
}

/* --- Replacement -------------------------------------------------------------------------------
 */

/* The sum of the indices, where the address is computed. */
static struct half
half_of_offset(const struct kernel *kernel, const struct offset *offset, LLVMValueRef v_address)
{
    struct ck_gen *gen = kernel->gen;
    struct half sum = {NULL, 0};
    for (int i = offset->n - 1; i >= 0; i--) {
        LLVMValueRef v_index = offset->indices[i], v_next = i > 0 ? offset->indices[i - 1] : NULL;
        LLVMValueRef v_extent = v_next ? wrap_extent_of(v_next, v_index) : NULL;
        if (v_next && !v_extent && (v_extent = wrap_extent_of(v_index, v_next)))
            v_index = v_next;
        struct half index = half_of(kernel, v_index, MAX_DEPTH);
        LLVMPositionBuilderBefore(gen->builder, v_address);
        if (v_extent)
            index = half_of_wrapped(gen, index, v_extent);
        i -= v_extent != NULL;
        sum.v_low = sum_of(gen, LLVMAdd, sum.v_low, index.v_low);
        sum.constant += index.constant;
    }
    return sum;
}

/* The address anew, before `v_address`; NULL: it stays. */
static LLVMValueRef
shortened(struct kernel *kernel, LLVMValueRef v_address)
{
    struct ck_gen *gen = kernel->gen;
    struct offset offset;
    if (!match_uncounted(kernel, &offset, v_address) || !is_worth_it(kernel, &offset))
        return NULL;
    const struct half sum = half_of_offset(kernel, &offset, v_address);
    const int64_t constant = (int64_t)sum.constant;
    if (!sum.v_low || constant < -MAX_NEIGHBOUR || constant > MAX_NEIGHBOUR)
        return NULL;
    LLVMValueRef v_offset = LLVMBuildSExt(gen->builder, sum.v_low, gen->t_i64, "");
    LLVMValueRef v_constant = l_i64(gen, constant);
    LLVMValueRef v = LLVMBuildGEP2(gen->builder, offset.type, offset.v_array, &v_offset, 1, "");
    return constant ? LLVMBuildGEP2(gen->builder, offset.type, v, &v_constant, 1, "") : v;
}

/* Replaces the address of an access, which may be a constant step away from what is shortened. */
static void
shorten_address(struct kernel *kernel, LLVMValueRef v_access, unsigned operand)
{
    struct ck_gen *gen = kernel->gen;
    LLVMValueRef v_address = LLVMGetOperand(v_access, operand);
    LLVMValueRef v_from = is_constant_step(v_address) ? LLVMGetOperand(v_address, 0) : v_address;
    LLVMTypeRef type = v_from == v_address ? NULL : LLVMGetGEPSourceElementType(v_address);
    if (type && is_far(kernel, v_address, v_from))
        return;
    LLVMValueRef v_short = shortened(kernel, v_from);
    if (v_short && type) {
        LLVMValueRef v_step = LLVMGetOperand(v_address, 1);
        LLVMPositionBuilderBefore(gen->builder, v_access);
        v_short = LLVMBuildGEP2(gen->builder, type, v_short, &v_step, 1, "");
    }
    if (!v_short)
        return;
    LLVMSetOperand(v_access, operand, v_short);
    kernel->has_shortened = true;
}

static void
visit(struct kernel *kernel, LLVMValueRef v)
{
    const int operand = address_operand(v);
    if (operand >= 0)
        shorten_address(kernel, v, (unsigned)operand);
}

/* --- The pass ---------------------------------------------------------------------------------
 */

static void
find_arrays(struct kernel *kernel, const struct ck_func_info *info)
{
    struct ck_gen *gen = kernel->gen;
    unsigned index = info->first_arg - 1;
    for (int i = 0; i < info->tfunc->n_params; i++) {
        const struct ck_type *type = info->tfunc->locals[i].type;
        if (ck_type_is_array(type) && type->array.layout != CK_LAYOUT_ANY && !type->array.pitch)
            kernel->bytes[index] = (uint64_t)ck_type_size(type->array.elem);
        index += (unsigned)ck_gen_n_entry_params(gen, type);
    }
}

static void
shorten_in(struct ck_gen *gen, const struct ck_func_info *info, LLVMValueRef v_function)
{
    struct kernel kernel = {.gen = gen, .v_function = v_function};
    kernel.bytes = CK_NEW_ARRAY(&gen->arena, uint64_t, LLVMCountParams(v_function));
    find_arrays(&kernel, info);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            visit(&kernel, v);
    }
    if (kernel.has_shortened)
        ck_run_llvm_on(gen, v_function, merge_parts);
}

void
ck_nvptx_shorten_offsets(struct ck_gen *gen)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        const struct ck_func_info *info = &gen->funcs[i];
        LLVMValueRef v_small = gen->options->small_launches ? info->v_args : info->v_small;
        if (v_small)
            shorten_in(gen, info, v_small);
    }
}
