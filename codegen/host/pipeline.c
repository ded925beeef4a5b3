/* The passes of the host target, in order. docs/passes.md shows what each of ck's own changes. */
#include <llvm-c/Analysis.h>

#include "codegen/host/host.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/run_passes.h"

/* Makes a loop over threads canonical before LLVM's pipeline. */
static const char simplify_loops[] = "always-inline,function(sroa,early-cse,simplifycfg,"
                                     "instcombine<no-verify-fixpoint>,loop-mssa(licm))";

/* The same for kernels that become block loops, whose own loops first get preheaders. */
static const char inline_functions[] = "always-inline,cgscc(inline)";
static const char before_block_loops[] =
    "sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,"
    "simplifycfg,loop-simplify";
static const char after_block_loops[] =
    "early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm)";

/* Before a coroutine is split: SSA values instead of memory slots, few blocks. Not early-cse: for
 * some instructions it visits all dominators of a block, of which a coroutine has one for each
 * suspension until it is split. */
static const char before_split[] = "sroa,simplifycfg";

/* For long functions: only required inlining, and simplification in linear time. */
static const char optimise_long[] = "function(sroa,simplifycfg),globaldce,default<O0>,"
                                    "function(simplifycfg,early-cse,simplifycfg)";

static bool
has_thread_loops(const struct ck_gen *gen)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_args)
            return true;
    }
    return false;
}

static bool
may_have_block_loops(const struct ck_gen *gen)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (ck_host_info(&gen->funcs[i])->v_block_loops)
            return true;
    }
    return false;
}

/* Makes block loops of a kernel and deletes its coroutine. False: it cannot have block loops. */
static bool
make_block_loops(struct ck_gen *gen, struct ck_func_info *info)
{
    LLVMValueRef v_function = ck_host_info(info)->v_block_loops;
    ck_run_llvm_on(gen, v_function, before_block_loops);
    if (!ck_block_loops_make(gen, v_function, ck_host_info(info)->n_slots,
                             &ck_host_info(info)->block_loops_bytes))
        return false;
    if (LLVMVerifyFunction(v_function, LLVMReturnStatusAction))
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "the block loops of %s are not valid LLVM IR",
                    info->tfunc->name);
    LLVMDeleteFunction(ck_host_info(info)->v_start);
    ck_host_info(info)->v_start = NULL;
    ck_run_llvm_on(gen, v_function, after_block_loops);
    return true;
}

/* Makes block loops of the kernels with barriers that can have them; not at low levels. */
static void
block_loops(struct ck_gen *gen)
{
    const bool wanted = ck_opt_level(gen) >= 2 && !gen->in_linear_time;
    if (wanted && may_have_block_loops(gen))
        ck_run_llvm(gen, inline_functions);
    for (int i = 0; i < gen->program->n_functions; i++) {
        struct ck_func_info *info = &gen->funcs[i];
        LLVMValueRef v_function = ck_host_info(info)->v_block_loops;
        if (!v_function || (wanted && make_block_loops(gen, info)))
            continue;
        ck_host_info(info)->v_block_loops = NULL;
        LLVMDeleteFunction(v_function);
    }
}

/* Splits coroutines with so many suspensions that LLVM's coroutine passes take too long. In linear
 * time it splits all. */
static void
split_coroutines(struct ck_gen *gen)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        struct ck_func_info *info = &gen->funcs[i];
        if (!ck_host_info(info)->v_start ||
            (!gen->in_linear_time && !ck_host_has_many_suspensions(info)))
            continue;
        ck_run_llvm_on(gen, ck_host_info(info)->v_start, before_split);
        ck_host_info(info)->v_start = ck_host_split_coroutine(gen, ck_host_info(info)->v_start);
    }
}

/* Loops whose checks of bounds leave the loop are not vectorised. This splits each into the
 * iterations whose indices are all in range, without checks, and those before and after. */
static const char split_ranges_passes[] =
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),loop(indvars),loop-simplify,irce,"
    "simplifycfg,instcombine<no-verify-fixpoint>)";

static void
split_ranges(struct ck_gen *gen)
{
    LLVMValueRef v_report = LLVMGetNamedFunction(gen->module, CK_HOST_OUT_OF_BOUNDS);
    if (!v_report)
        return;
    l_attribute(gen, v_report, LLVMAttributeFunctionIndex, "noreturn", 0);
    ck_run_llvm(gen, split_ranges_passes);
}

void
ck_host_optimise(struct ck_gen *gen)
{
    const int level = ck_opt_level(gen);
    ck_run_pass(gen, "mem2reg", ck_gen_mem2reg);
    if (ck_gen_has_long_function(gen))
        ck_begin_linear_time(gen);
    ck_run_pass(gen, "block-loops", block_loops);
    if (level >= 2 && !gen->in_linear_time) {
        if (has_thread_loops(gen))
            ck_run_named(gen, "simplify-loops", simplify_loops);
        ck_run_pass(gen, "trip-guard", ck_host_apply_trip_guards);
    }
    ck_run_pass(gen, "coroutine-split", split_coroutines);
    if (level >= 2 && !gen->in_linear_time)
        ck_run_pass(gen, "split-ranges", split_ranges);
    ck_run_named(gen, "optimise",
                 gen->in_linear_time ? optimise_long : ck_default_pipelines[level]);
    ck_run_pass(gen, "order-zeros", ck_host_order_zeros);
    ck_run_pass(gen, "replace-nans", ck_host_replace_nans);
    if (gen->in_linear_time)
        ck_run_pass(gen, "cut-long-blocks", ck_gen_cut_long_blocks);
}
