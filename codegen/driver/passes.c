/* The pass pipelines: the only file that names an LLVM pass. */
#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "codegen/core/gen.h"
#include "codegen/opt/cfg.h"

/* Without optimisation too the slots become registers: barriers in code that keeps everything in
 * memory make threads that have to wait for each other run far apart. */
static const char *const pipelines[] = {
    "function(sroa,early-cse,simplifycfg),globaldce,default<O0>",
    "default<O1>",
    "default<O2>",
    "default<O3>",
};

/* -O3 for a target whose threads are scalar: default<O3> less what finds nothing in kernels
 * (vectorisers, coroutines, indirect calls, profiles, library calls) and less repetitions. The PTX
 * of the examples and of bench/kernels is the same, and a compilation takes a tenth less time.
 *
 * aggressive-instcombine computes an accumulator of 64 bits in 32 where only 32 are stored.
 *
 * Common instructions are not sunk, and loops keep their form: where the end of a turn is merged
 * with what comes before the loop, one loop becomes two, one inside the other, and the threads of a
 * warp that take different ways through a turn no longer meet at a barrier at its head. */
static const char scalar_o3_begin[] =
    "function(nvvm-intr-range,simplifycfg,sroa,early-cse),globalopt,"
    "function(instcombine<no-verify-fixpoint>,simplifycfg),always-inline,cgscc(inline,"
    "function-attrs,function(sroa,early-cse<memssa>,"
    "speculative-execution<only-if-divergent-target>,jump-threading,correlated-propagation,"
    "simplifycfg,aggressive-instcombine,instcombine<no-verify-fixpoint>,reassociate,"
    "constraint-elimination,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,"
    "loop-rotate<header-duplication>,licm<allowspeculation>,simple-loop-unswitch<nontrivial>),"
    "simplifycfg,instcombine<no-verify-fixpoint>,loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa,gvn,sccp,bdce,instcombine<no-verify-fixpoint>,correlated-propagation,adce,dse,"
    "loop-mssa(licm<allowspeculation>),simplifycfg<hoist-common-insts>)),"
    "globaldce,deadargelim,function(loop(loop-rotate<header-duplication>,loop-deletion),"
    "infer-alignment,instcombine<no-verify-fixpoint>,"
    "simplifycfg<forward-switch-cond;switch-to-lookup;hoist-common-insts>)";

/* What unrolling begins with. */
static const char plain_loops[] = "function(loop-simplify,lcssa)";

static const char scalar_o3_unroll[] = "function(loop-unroll<O3>)";

static const char scalar_o3_end[] =
    "function(sroa,infer-alignment,instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm<allowspeculation>),instsimplify,div-rem-pairs,"
    "simplifycfg<hoist-loads-stores-with-cond-faulting;speculate-unpredictables>),globaldce";

/* libclc's small functions are worth optimising only where they are used. libdevice's are
 * optimised by themselves first: inlined before, atan2 of float32 takes 1.05 of nvcc's time. */
static const char inline_marked[] = "always-inline";

/* Callees before callers, on registers instead of slots. */
static const char infer[] = "function(sroa),cgscc(function-attrs)";

/* What makes loops over threads plain before the pipeline proper. */
static const char plain[] = "always-inline,function(sroa,early-cse,simplifycfg,"
                            "instcombine<no-verify-fixpoint>,loop-mssa(licm))";

/* The same for kernels that are to become loops, with the loops of their own in a form that has one
 * block before each. */
static const char inline_functions[] = "always-inline,cgscc(inline)";
static const char after_block_loops[] =
    "early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm)";
static const char before_block_loops[] =
    "sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,"
    "simplifycfg,loop-simplify";

/* Exchanges whose result nobody uses, and loops over what they gave. */
static const char drop[] = "function(adce,loop(loop-deletion),adce)";

/* Long functions get the passes whose time is linear: what others find takes a small part of the
 * time of so much code. */
static const char linear_scalar[] =
    "function(nvvm-intr-range,simplifycfg,sroa,early-cse<memssa>),globalopt,always-inline,"
    "function(sroa,early-cse<memssa>,simplifycfg,sccp,instsimplify,bdce,early-cse<memssa>,"
    "simplifycfg,infer-alignment),globaldce";

/* What is computed of constants that become known only after all other passes. */
static const char fold[] = "function(sccp,instsimplify)";

/* On the host those that inline what must be, and simplify. */
static const char linear_host[] = "function(sroa,simplifycfg),globaldce,default<O0>,"
                                  "function(simplifycfg,early-cse,simplifycfg)";

/* Before a coroutine is split: values in registers instead of slots, few blocks. Not early-cse,
 * which looks at all dominators of a block for some instructions: in a coroutine these are as many
 * as it has suspensions, and once it is split only few. */
static const char before_split[] = "sroa,simplifycfg";

/* Of the whole module; or of one function, if that is not NULL. */
static void
run_on(struct ck_gen *gen, LLVMValueRef v_function, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, gen->target->vectorizes);
    LLVMPassBuilderOptionsSetSLPVectorization(options, gen->target->vectorizes);
    LLVMErrorRef error = v_function
                             ? LLVMRunPassesOnFunction(v_function, pipeline, gen->machine, options)
                             : LLVMRunPasses(gen->module, pipeline, gen->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) {
        char *text = LLVMGetErrorMessage(error);
        const char *copy = ck_arena_strdup(&gen->arena, text);
        LLVMDisposeErrorMessage(text);
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "LLVM passes: %s", copy);
    }
}

static void
run(struct ck_gen *gen, const char *pipeline)
{
    run_on(gen, NULL, pipeline);
}

void
ck_passes_answer(struct ck_gen *gen)
{
    run(gen, "nvvm-reflect");
}

void
ck_passes_infer(struct ck_gen *gen)
{
    ck_gen_promote(gen);
    run(gen, infer);
}

void
ck_passes_simplify(struct ck_gen *gen, LLVMValueRef v_function)
{
    run_on(gen, v_function, "instsimplify");
}

static bool
has_loops_over_threads(const struct ck_gen *gen)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_args)
            return true;
    }
    return false;
}

static bool
has_block_loops(const struct ck_gen *gen)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_block_loops)
            return true;
    }
    return false;
}

/* Makes loops of kernels with barriers where that can be done; `wanted` false: of none. */
static void
make_block_loops(struct ck_gen *gen, bool wanted)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        struct ck_func_info *info = &gen->funcs[i];
        LLVMValueRef v_function = info->v_block_loops;
        if (!v_function)
            continue;
        if (wanted)
            run_on(gen, v_function, before_block_loops);
        if (wanted &&
            ck_block_loops_make(gen, v_function, info->n_slots, &info->block_loops_bytes)) {
            if (LLVMVerifyFunction(v_function, LLVMReturnStatusAction))
                ck_gen_fail(gen, CK_ERROR_INTERNAL, "the loops over the threads of %s are wrong",
                            info->tfunc->name);
            LLVMDeleteFunction(info->v_start);
            info->v_start = NULL;
            run_on(gen, v_function, after_block_loops);
            continue;
        }
        info->v_block_loops = NULL;
        LLVMDeleteFunction(v_function);
    }
}

static void
merge_split_barriers(struct ck_gen *gen)
{
    if (gen->target->merge_split_barriers && gen->target->merge_split_barriers(gen))
        run(gen, inline_marked);
}

static void
run_scalar_o3(struct ck_gen *gen, bool libdevice)
{
    if (gen->uses_math && !libdevice)
        run(gen, inline_marked);
    run(gen, scalar_o3_begin);
    merge_split_barriers(gen);
    bool freed = gen->target->drop_convergent(gen);
    if (ck_gen_has_strided_loops(gen)) {
        run(gen, plain_loops);
        ck_gen_unroll_strided_loops(gen);
    }
    ck_gen_unroll_loops(gen);
    run(gen, scalar_o3_unroll);
    if (freed)
        gen->target->restore_convergent(gen);
    run(gen, scalar_o3_end);
}

/* Those that suspend so often that LLVM's passes for coroutines take too long; in linear time all.
 */
static void
split_coroutines(struct ck_gen *gen)
{
    for (int i = 0; i < gen->program->n_functions; i++) {
        struct ck_func_info *info = &gen->funcs[i];
        if (!info->v_start || (!gen->in_linear_time && !ck_gen_suspends_often(info)))
            continue;
        run_on(gen, info->v_start, before_split);
        info->v_start = ck_host_split(gen, info->v_start);
    }
}

/* What is computed of an exchange of a constant may itself be exchanged. */
static void
fold_constant_shuffles(struct ck_gen *gen)
{
    while (gen->target->fold_constant_shuffles && gen->target->fold_constant_shuffles(gen))
        run(gen, fold);
}

static void
drop_unused_primitives(struct ck_gen *gen)
{
    if (!gen->target->mark_removable || !gen->target->mark_removable(gen, true))
        return;
    run(gen, drop);
    gen->target->mark_removable(gen, false);
}

static void
begin_linear_time(struct ck_gen *gen)
{
    gen->in_linear_time = true;
    ck_gen_renew_machine(gen);
}

void
ck_passes_run(struct ck_gen *gen)
{
    int level = gen->options->opt_level;
    level = level < 0 ? 0 : level > 3 ? 3 : level;
    ck_gen_promote(gen);
    if (ck_gen_has_long_function(gen))
        begin_linear_time(gen);
    const bool is_linear_host = gen->in_linear_time && gen->target->vectorizes;
    if (is_linear_host)
        level = 0;
    if (has_block_loops(gen)) {
        if (level >= 2)
            run(gen, inline_functions);
        make_block_loops(gen, level >= 2);
    }
    if (level >= 2 && gen->target->vectorizes && has_loops_over_threads(gen))
        run(gen, plain);
    if (level >= 2 && gen->target->vectorizes)
        ck_gen_cut_guarded_loops(gen);
    if (level >= 1 && !gen->target->vectorizes) {
        const bool libdevice = gen->uses_math && gen->options->libdevice;
        ck_passes_answer(gen);
        if (gen->in_linear_time) {
            run(gen, linear_scalar);
            merge_split_barriers(gen);
        } else {
            run_scalar_o3(gen, libdevice);
        }
        if (libdevice) {
            ck_libdevice_erase_marks(gen);
            run(gen, "function(adce)");
        }
    } else {
        merge_split_barriers(gen);
        split_coroutines(gen);
        run(gen, is_linear_host ? linear_host : pipelines[level]);
    }
    fold_constant_shuffles(gen);
    drop_unused_primitives(gen);
    if (gen->target->repair)
        gen->target->repair(gen);
    if (!gen->in_linear_time && !gen->target->vectorizes && ck_gen_has_many_sums(gen))
        begin_linear_time(gen);
    if (gen->in_linear_time)
        ck_gen_cut_long_blocks(gen);
}
