/* Lowerings of the atomic operations: relaxed and of device scope, unless the call says otherwise.
 */
#include <string.h>

#include "codegen/lower/builtin.h"

/* The implementation of an operation: LLVM's atomicrmw for signed, unsigned and float elements, or
 * a compare-and-swap loop. */
enum how { BY_RMW, BY_LOOP };

struct operation {
    LLVMAtomicRMWBinOp of_signed, of_unsigned, of_float;
    enum how float_how;
};

static struct operation
operation_of(enum ck_builtin_id id)
{
#define ALL(op) LLVMAtomicRMWBinOp##op, LLVMAtomicRMWBinOp##op, LLVMAtomicRMWBinOp##op
    switch ((int)id) {
    case CK_BUILTIN_ATOMIC_ADD:
        return (struct operation){LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd,
                                  LLVMAtomicRMWBinOpFAdd, BY_RMW};
    case CK_BUILTIN_ATOMIC_SUB: /* a float is negated and added: GPUs have no subtraction */
        return (struct operation){LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub,
                                  LLVMAtomicRMWBinOpFAdd, BY_RMW};
    case CK_BUILTIN_ATOMIC_MAX:
    case CK_BUILTIN_ATOMIC_NANMAX:
        return (struct operation){LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax,
                                  LLVMAtomicRMWBinOpFMax, BY_LOOP};
    case CK_BUILTIN_ATOMIC_MIN:
    case CK_BUILTIN_ATOMIC_NANMIN:
        return (struct operation){LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin,
                                  LLVMAtomicRMWBinOpFMin, BY_LOOP};
    case CK_BUILTIN_ATOMIC_AND:
        return (struct operation){ALL(And), BY_RMW};
    case CK_BUILTIN_ATOMIC_OR:
        return (struct operation){ALL(Or), BY_RMW};
    case CK_BUILTIN_ATOMIC_XOR:
        return (struct operation){ALL(Xor), BY_RMW};
    case CK_BUILTIN_ATOMIC_INC:
        return (struct operation){ALL(UIncWrap), BY_RMW};
    case CK_BUILTIN_ATOMIC_DEC:
        return (struct operation){ALL(UDecWrap), BY_RMW};
    default: /* ATOMIC_EXCH */
        return (struct operation){ALL(Xchg), BY_RMW};
    }
#undef ALL
}

/* --- LLVM's operations -------------------------------------------------------------------------
 */

static LLVMAtomicOrdering
ordering(enum ck_order order)
{
    static const LLVMAtomicOrdering orderings[] = {
        [CK_ORDER_RELAXED] = LLVMAtomicOrderingMonotonic,
        [CK_ORDER_ACQUIRE] = LLVMAtomicOrderingAcquire,
        [CK_ORDER_RELEASE] = LLVMAtomicOrderingRelease,
        [CK_ORDER_ACQ_REL] = LLVMAtomicOrderingAcquireRelease,
        [CK_ORDER_SEQ_CST] = LLVMAtomicOrderingSequentiallyConsistent,
    };
    return orderings[order];
}

/* The order of an operation's load. */
static enum ck_order
order_of_read(enum ck_order order)
{
    if (order == CK_ORDER_RELEASE)
        return CK_ORDER_RELAXED;
    return order == CK_ORDER_ACQ_REL ? CK_ORDER_ACQUIRE : order;
}

static unsigned
scope_id(struct ck_gen *gen, enum ck_scope scope)
{
    const char *name = gen->target->memory->atomic_scope(gen, scope);
    return LLVMGetSyncScopeID(gen->llvm, name, strlen(name));
}

void
ck_gen_set_atomic(struct ck_gen *gen, LLVMValueRef v_access, struct ck_atomicity how)
{
    LLVMSetOrdering(v_access, ordering(how.order));
    LLVMSetAtomicSyncScopeID(v_access, scope_id(gen, how.scope));
}

static struct ck_atomicity
atomicity(const struct ck_texpr *expr)
{
    return (struct ck_atomicity){expr->builtin.order, expr->builtin.scope};
}

static LLVMTypeRef
bits_type(struct ck_gen *gen, const struct ck_type *elem)
{
    return LLVMIntTypeInContext(gen->llvm, (unsigned)ck_type_size(elem) * 8);
}

static LLVMValueRef
as_bits(struct ck_gen *gen, const struct ck_type *elem, LLVMValueRef v_value)
{
    return LLVMBuildBitCast(gen->builder, v_value, bits_type(gen, elem), "");
}

static LLVMValueRef
from_bits(struct ck_gen *gen, const struct ck_type *elem, LLVMValueRef v_bits)
{
    return LLVMBuildBitCast(gen->builder, v_bits, ck_gen_scalar_type(gen, elem), "");
}

static LLVMValueRef
compare_and_swap(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_address,
                 LLVMValueRef v_expected, LLVMValueRef v_bits)
{
    const struct ck_atomicity how = atomicity(expr);
    return LLVMBuildAtomicCmpXchgSyncScope(gen->builder, v_address, v_expected, v_bits,
                                           ordering(how.order), ordering(order_of_read(how.order)),
                                           scope_id(gen, how.scope));
}

/* --- By a loop ---------------------------------------------------------------------------------
 */

/* The value to store in place of v_old, or the condition under which v_value is stored. */
struct change {
    LLVMValueRef v_new;
    LLVMValueRef v_wanted; /* NULL: always */
};

typedef struct change change_fn(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_old,
                                LLVMValueRef v_value);

/* 16-bit floats are added in float32, as in all their arithmetic. */
static struct change
changed_sum(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_old,
            LLVMValueRef v_value)
{
    LLVMValueRef v_left = ck_gen_widen(gen, expr->type, v_old);
    LLVMValueRef v_right = ck_gen_widen(gen, expr->type, v_value);
    LLVMValueRef v_sum = LLVMBuildFAdd(gen->builder, v_left, v_right, "");
    return (struct change){ck_gen_narrow(gen, expr->type, v_sum), NULL};
}

/* max and min keep a NaN in memory and never store one; nanmax and nanmin replace a NaN in memory
 * and never store one. */
static struct change
changed_extreme(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_old,
                LLVMValueRef v_value)
{
    int id = (int)expr->builtin.id;
    bool is_max = id == CK_BUILTIN_ATOMIC_MAX || id == CK_BUILTIN_ATOMIC_NANMAX;
    LLVMBuilderRef builder = gen->builder;
    LLVMRealPredicate beats = is_max ? LLVMRealOGT : LLVMRealOLT;
    LLVMValueRef v_wanted = LLVMBuildFCmp(builder, beats, v_value, v_old, "");
    if (id == CK_BUILTIN_ATOMIC_NANMAX || id == CK_BUILTIN_ATOMIC_NANMIN) {
        LLVMValueRef v_missing = LLVMBuildFCmp(builder, LLVMRealUNO, v_old, v_old, "");
        LLVMValueRef v_number = LLVMBuildFCmp(builder, LLVMRealORD, v_value, v_value, "");
        v_wanted =
            LLVMBuildOr(builder, v_wanted, LLVMBuildAnd(builder, v_missing, v_number, ""), "");
    }
    return (struct change){v_value, v_wanted};
}

/* Of integers. */
static struct change
changed_integer(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_old,
                LLVMValueRef v_value)
{
    bool is_signed = ck_type_is_signed(expr->type);
    switch ((int)expr->builtin.id) {
    case CK_BUILTIN_ATOMIC_AND:
        return (struct change){LLVMBuildAnd(gen->builder, v_old, v_value, ""), NULL};
    case CK_BUILTIN_ATOMIC_OR:
        return (struct change){LLVMBuildOr(gen->builder, v_old, v_value, ""), NULL};
    case CK_BUILTIN_ATOMIC_XOR:
        return (struct change){LLVMBuildXor(gen->builder, v_old, v_value, ""), NULL};
    case CK_BUILTIN_ATOMIC_MAX:
    case CK_BUILTIN_ATOMIC_NANMAX: {
        LLVMIntPredicate above = is_signed ? LLVMIntSGT : LLVMIntUGT;
        return (struct change){v_value, l_compare(gen, above, v_value, v_old)};
    }
    default: { /* ATOMIC_MIN and ATOMIC_NANMIN */
        LLVMIntPredicate below = is_signed ? LLVMIntSLT : LLVMIntULT;
        return (struct change){v_value, l_compare(gen, below, v_value, v_old)};
    }
    }
}

/* Of dates and times, in which the least int64 is NaT: a sum of it is NaT; max and min keep one in
 * memory and never store one; nanmax and nanmin replace one in memory and never store one. */
static struct change
changed_date(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_old,
             LLVMValueRef v_value)
{
    const int id = (int)expr->builtin.id;
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef v_nat = LLVMConstInt(gen->t_i64, (uint64_t)1 << 63, false);
    LLVMValueRef v_lacks_old = l_compare(gen, LLVMIntEQ, v_old, v_nat);
    LLVMValueRef v_is_value = l_compare(gen, LLVMIntNE, v_value, v_nat);
    if (id == CK_BUILTIN_ATOMIC_ADD || id == CK_BUILTIN_ATOMIC_SUB) {
        LLVMValueRef v_sum = id == CK_BUILTIN_ATOMIC_ADD
                                 ? LLVMBuildAdd(builder, v_old, v_value, "")
                                 : LLVMBuildSub(builder, v_old, v_value, "");
        return (struct change){l_select(gen, v_is_value, v_sum, v_nat),
                               LLVMBuildNot(builder, v_lacks_old, "")};
    }
    const bool is_max = id == CK_BUILTIN_ATOMIC_MAX || id == CK_BUILTIN_ATOMIC_NANMAX;
    LLVMValueRef v_wanted = l_compare(gen, is_max ? LLVMIntSGT : LLVMIntSLT, v_value, v_old);
    if (id == CK_BUILTIN_ATOMIC_MAX || id == CK_BUILTIN_ATOMIC_MIN)
        v_wanted = LLVMBuildAnd(builder, v_wanted, LLVMBuildNot(builder, v_lacks_old, ""), "");
    else
        v_wanted = LLVMBuildOr(builder, v_wanted, v_lacks_old, "");
    return (struct change){v_value, LLVMBuildAnd(builder, v_wanted, v_is_value, "")};
}

/* A compare-and-swap loop that stores what `change` computes; returns the old value. */
static LLVMValueRef
update(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_address,
       LLVMValueRef v_value, change_fn *change)
{
    const struct ck_type *elem = expr->type;
    LLVMTypeRef bits = bits_type(gen, elem);
    LLVMBasicBlockRef b_try = l_block(gen, "try"), b_done = l_block(gen, "updated");
    LLVMValueRef v_first = l_load(gen, bits, v_address, (unsigned)ck_type_size(elem), "seen");
    const struct ck_atomicity how = atomicity(expr);
    ck_gen_set_atomic(gen, v_first, (struct ck_atomicity){order_of_read(how.order), how.scope});
    LLVMBasicBlockRef b_before = LLVMGetInsertBlock(gen->builder);
    l_branch(gen, b_try);
    l_at(gen, b_try);
    LLVMValueRef v_seen = LLVMBuildPhi(gen->builder, bits, "seen");
    LLVMAddIncoming(v_seen, &v_first, &b_before, 1);
    struct change to = change(gen, expr, from_bits(gen, elem, v_seen), v_value);
    if (to.v_wanted) {
        LLVMBasicBlockRef b_store = l_block(gen, "store");
        LLVMBuildCondBr(gen->builder, to.v_wanted, b_store, b_done);
        l_at(gen, b_store);
    }
    LLVMValueRef v_pair =
        compare_and_swap(gen, expr, v_address, v_seen, as_bits(gen, elem, to.v_new));
    LLVMValueRef v_now = LLVMBuildExtractValue(gen->builder, v_pair, 0, "");
    LLVMBasicBlockRef b_here = LLVMGetInsertBlock(gen->builder);
    LLVMAddIncoming(v_seen, &v_now, &b_here, 1);
    LLVMBuildCondBr(gen->builder, LLVMBuildExtractValue(gen->builder, v_pair, 1, ""), b_done,
                    b_try);
    l_at(gen, b_done);
    return from_bits(gen, elem, v_seen);
}

/* --- Lowerings ---------------------------------------------------------------------------------
 */

static bool
is_constant(const struct ck_texpr *expr, int64_t value)
{
    return expr->kind == CK_T_CONST && !ck_type_is_float(expr->type) && expr->constant.i == value;
}

/* Whether the operation can change the element: `atomic.add(x, i, 0)` and `atomic.cas(x, i, 0, 0)`
 * are loads in effect. */
static bool
may_change(const struct ck_texpr *expr)
{
    struct ck_texpr **args = expr->builtin.args;
    switch ((int)expr->builtin.id) {
    case CK_BUILTIN_ATOMIC_LOAD:
        return false;
    case CK_BUILTIN_ATOMIC_ADD:
    case CK_BUILTIN_ATOMIC_SUB:
    case CK_BUILTIN_ATOMIC_OR:
    case CK_BUILTIN_ATOMIC_XOR:
        return !is_constant(args[1], 0);
    case CK_BUILTIN_ATOMIC_CAS:
    case CK_BUILTIN_ATOMIC_COMPARE_AND_SWAP:
        return args[1]->kind != CK_T_CONST || !is_constant(args[2], args[1]->constant.i);
    default:
        return true;
    }
}

static LLVMValueRef
element(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_texpr *array = expr->builtin.args[0];
    const struct ck_tindex *indices = expr->builtin.indices;
    struct ck_gen_value value = ck_gen_expr(gen, array);
    gen->func->code.has_atomics = true;
    LLVMValueRef v_address = ck_gen_element_address(gen, array, value, indices);
    const struct ck_access_kind kind = {.reads = expr->builtin.id != CK_BUILTIN_ATOMIC_STORE,
                                        .writes = may_change(expr),
                                        .atomic = true,
                                        .order = expr->builtin.order};
    ck_gen_check_access(gen, array, ck_gen_last_index(array, indices), value.parts[0], v_address,
                        (unsigned)ck_type_size(array->type->array.elem), kind);
    return v_address;
}

static bool
is_half(const struct ck_type *type)
{
    return type->kind == CK_TYPE_FLOAT16 || type->kind == CK_TYPE_BFLOAT16;
}

static void
fence(struct ck_gen *gen, LLVMAtomicOrdering order, enum ck_scope scope)
{
    LLVMBuildFenceSyncScope(gen->builder, order, scope_id(gen, scope), "");
}

/* By atomicrmw; between fences if the target ignores its order. */
static LLVMValueRef
update_in_order(struct ck_gen *gen, const struct ck_texpr *expr, LLVMAtomicRMWBinOp op,
                LLVMValueRef v_address, LLVMValueRef v_value)
{
    const struct ck_atomicity how = atomicity(expr);
    const bool fences = gen->target->traits.relaxes_atomics;
    const bool releases = how.order >= CK_ORDER_RELEASE;
    const bool acquires = how.order != CK_ORDER_RELAXED && how.order != CK_ORDER_RELEASE;
    if (fences && releases)
        fence(gen, ordering(how.order == CK_ORDER_ACQ_REL ? CK_ORDER_RELEASE : how.order),
              how.scope);
    LLVMValueRef v_old = LLVMBuildAtomicRMWSyncScope(
        gen->builder, op, v_address, v_value, ordering(fences ? CK_ORDER_RELAXED : how.order),
        scope_id(gen, how.scope));
    if (fences && acquires)
        fence(gen, LLVMAtomicOrderingAcquire, how.scope);
    return v_old;
}

struct ck_gen_value
ck_lower_atomic(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *elem = expr->type;
    struct operation operation = operation_of(expr->builtin.id);
    LLVMValueRef v_address = element(gen, expr);
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[1]);
    if (is_half(elem) && !gen->target->memory->adds_atomically(gen, elem))
        return ck_gen_value_scalar(gen, update(gen, expr, v_address, v_value, changed_sum));
    if (ck_type_is_date(elem) && expr->builtin.id != CK_BUILTIN_ATOMIC_EXCH) {
        LLVMValueRef v_old = update(gen, expr, v_address, v_value, changed_date);
        ck_gen_check_atomic_sum(gen, expr, v_old, v_value);
        return ck_gen_value_scalar(gen, v_old);
    }
    if (ck_type_is_float(elem) && operation.float_how == BY_LOOP)
        return ck_gen_value_scalar(gen, update(gen, expr, v_address, v_value, changed_extreme));
    if (ck_type_is_float(elem) && expr->builtin.id == CK_BUILTIN_ATOMIC_SUB)
        v_value = LLVMBuildFNeg(gen->builder, v_value, "");
    LLVMAtomicRMWBinOp op = ck_type_is_float(elem)    ? operation.of_float
                            : ck_type_is_signed(elem) ? operation.of_signed
                                                      : operation.of_unsigned;
    if (gen->target->memory->lacks_atomic &&
        gen->target->memory->lacks_atomic(gen, op, elem, v_address))
        return ck_gen_value_scalar(gen, update(gen, expr, v_address, v_value, changed_integer));
    LLVMValueRef v_old = update_in_order(gen, expr, op, v_address, v_value);
    ck_gen_check_atomic_sum(gen, expr, v_old, v_value);
    return ck_gen_value_scalar(gen, v_old);
}

struct ck_gen_value
ck_lower_atomic_cas(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *elem = expr->type;
    LLVMValueRef v_address = element(gen, expr);
    LLVMValueRef v_expected = as_bits(gen, elem, ck_gen_scalar(gen, expr->builtin.args[1]));
    LLVMValueRef v_value = as_bits(gen, elem, ck_gen_scalar(gen, expr->builtin.args[2]));
    LLVMValueRef v_pair = compare_and_swap(gen, expr, v_address, v_expected, v_value);
    LLVMValueRef v_old = LLVMBuildExtractValue(gen->builder, v_pair, 0, "");
    return ck_gen_value_scalar(gen, from_bits(gen, elem, v_old));
}

struct ck_gen_value
ck_lower_atomic_load(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMTypeRef type = ck_gen_memory_type(gen, expr->type);
    LLVMValueRef v_memory = ck_gen_load_atomic(gen, type, element(gen, expr), atomicity(expr));
    return ck_gen_value_scalar(gen, ck_gen_from_memory(gen, expr->type, v_memory));
}

struct ck_gen_value
ck_lower_atomic_store(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *elem = expr->builtin.args[0]->type->array.elem;
    LLVMValueRef v_address = element(gen, expr);
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[1]);
    LLVMValueRef v_bits = as_bits(gen, elem, ck_gen_to_memory(gen, elem, v_value));
    LLVMValueRef v_store = LLVMBuildStore(gen->builder, v_bits, v_address);
    LLVMSetAlignment(v_store, (unsigned)ck_type_size(elem));
    ck_gen_set_atomic(gen, v_store, atomicity(expr));
    return ck_gen_value_new(gen, 0);
}
