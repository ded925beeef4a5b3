/* Versions of loops by their trip count, for targets whose threads are scalar: docs/adr/062. A loop
 * that sums a row, `for i in range(thread, n, 256)`, is unrolled by 4, and the assembler unrolls it
 * by 4 once more. Sixteen loads in flight let short rows wait less. Where all threads of a GPU read
 * long rows, four are enough, and the memory serves them faster.
 *
 * Loops must be in LCSSA form, with preheaders: LLVM's loop-simplify and lcssa. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/affine.h"
#include "codegen/opt/loop_version.h"
#include "codegen/opt/passes.h"

enum {
    MAX_SIZE = 8, /* instructions: with more, the memory is not what limits the loop */
    COUNT = 4,
    MIN_TRIPS = 64 /* of the version that is not unrolled again */
};

/* Whether the loop does little but one load, and threads share the work of the range. */
static bool
matches(struct ck_counted_loop *counted, LLVMBasicBlockRef b_latch)
{
    return ck_loop_match_counted(counted, b_latch) && counted->step > 1 &&
           ck_loop_constant_trip_count(counted) < 0 && counted->loop.n_blocks == 1 &&
           counted->loop.size <= MAX_SIZE && ck_loop_count_loads(&counted->loop) == 1;
}

bool
ck_gen_has_lengths(struct ck_gen *gen, LLVMValueRef v_function)
{
    if (ck_gen_has_few_blocks(gen, v_function))
        return false;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        struct ck_counted_loop counted;
        if (matches(&counted, b))
            return true;
    }
    return false;
}

static void
make_version(struct ck_gen *gen, struct ck_loop_version *version,
             const struct ck_counted_loop *counted)
{
    ck_loop_make_version(gen, version);
    LLVMValueRef v_branch = ck_loop_copied(&version->copy, version->v_branch);
    ck_loop_mark(gen, v_branch, CK_LOOP_COUNT, l_i32(gen, COUNT));
    ck_loop_mark(gen, v_branch, CK_LOOP_FINAL, NULL);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(version->b_preheader));
    LLVMValueRef v_length = LLVMBuildSub(gen->builder, counted->v_bound, counted->v_first, "");
    const unsigned long long least = MIN_TRIPS * (unsigned long long)counted->step;
    ck_loop_enter_version(
        gen, version,
        l_compare(gen, LLVMIntUGE, v_length, LLVMConstInt(LLVMTypeOf(v_length), least, false)));
}

void
ck_gen_version_lengths(struct ck_gen *gen, LLVMValueRef v_function)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        struct ck_loop_version version = {0};
        struct ck_counted_loop counted;
        if (matches(&counted, b) && ck_loop_find_version(&version, b))
            make_version(gen, &version, &counted);
    }
}
