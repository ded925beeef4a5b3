/* Lowerings of arithmetic that is rounded in a direction, and of a GPU's approximations. */
#include "codegen/lower/builtin.h"

/* --- Rounding ------------------------------------------------------------------------------------
 */

/* The operation's form that rounds to nearest; the others follow it in the order of enum
 * ck_rounding. */
static const struct {
    enum ck_builtin_id nearest;
    enum ck_rounded_op op;
} operations[] = {
    {CK_BUILTIN_ADD_RN, CK_ROUNDED_ADD}, {CK_BUILTIN_MUL_RN, CK_ROUNDED_MUL},
    {CK_BUILTIN_DIV_RN, CK_ROUNDED_DIV}, {CK_BUILTIN_FMA_RN, CK_ROUNDED_FMA},
    {CK_BUILTIN_RCP_RN, CK_ROUNDED_RCP}, {CK_BUILTIN_SQRT_RN, CK_ROUNDED_SQRT},
};

struct ck_gen_value
ck_lower_rounded(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef args[3];
    const unsigned n = (unsigned)expr->builtin.n_args;
    size_t row = 0;
    while (expr->builtin.id < operations[row].nearest ||
           expr->builtin.id > operations[row].nearest + CK_ROUNDING_ZERO)
        row++;
    for (unsigned i = 0; i < n; i++)
        args[i] = ck_gen_scalar(gen, expr->builtin.args[i]);
    enum ck_rounding rounding = (enum ck_rounding)(expr->builtin.id - operations[row].nearest);
    return ck_gen_value_scalar(
        gen, gen->target->math->rounded(gen, operations[row].op, rounding, args, n));
}

/* --- Approximations ------------------------------------------------------------------------------
 */

static LLVMValueRef
call_fast(struct ck_gen *gen, enum ck_builtin_id id, LLVMValueRef *args, unsigned n)
{
    static const enum ck_math functions[CK_N_BUILTINS] = {
        [CK_BUILTIN_FAST_COS] = CK_MATH_COS_F32,   [CK_BUILTIN_FAST_EXP] = CK_MATH_EXP_F32,
        [CK_BUILTIN_FAST_EXP10] = CK_MATH_POW_F32, [CK_BUILTIN_FAST_EXP2] = CK_MATH_EXP2_F32,
        [CK_BUILTIN_FAST_LOG] = CK_MATH_LOG_F32,   [CK_BUILTIN_FAST_LOG10] = CK_MATH_LOG10_F32,
        [CK_BUILTIN_FAST_LOG2] = CK_MATH_LOG2_F32, [CK_BUILTIN_FAST_POW] = CK_MATH_POW_F32,
        [CK_BUILTIN_FAST_SIN] = CK_MATH_SIN_F32,   [CK_BUILTIN_FAST_TAN] = CK_MATH_TAN_F32,
    };
    if (id == CK_BUILTIN_FAST_DIVIDE)
        return l_fast(gen, LLVMBuildFDiv(gen->builder, args[0], args[1], ""));
    if (id == CK_BUILTIN_FAST_EXP10) {
        LLVMValueRef power[] = {LLVMConstReal(gen->t_float, 10), args[0]};
        return gen->target->math->call(gen, CK_MATH_POW_F32, power, 2);
    }
    return gen->target->math->call(gen, functions[id], args, n);
}

/* As in a function with fast math. */
struct ck_gen_value
ck_lower_fast(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef args[2];
    const unsigned n = (unsigned)expr->builtin.n_args;
    for (unsigned i = 0; i < n; i++) {
        const struct ck_texpr *arg = expr->builtin.args[i];
        args[i] = ck_gen_widen(gen, arg->type, ck_gen_scalar(gen, arg));
    }
    const LLVMFastMathFlags outer = gen->fast_flags;
    gen->fast_flags |= gen->target->math->fast;
    LLVMValueRef v_value = call_fast(gen, expr->builtin.id, args, n);
    gen->fast_flags = outer;
    return ck_gen_value_scalar(gen, ck_gen_narrow(gen, expr->type, v_value));
}
