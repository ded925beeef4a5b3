/* The pass pipelines: the only file that names an LLVM pass. */
#include <llvm-c/Transforms/PassBuilder.h>

#include "codegen/gen.h"

/* Without optimisation too the slots become registers: barriers in code that keeps everything in
 * memory make threads that have to wait for each other run far apart. */
static const char *const pipelines[] = {
    "function(sroa,early-cse,simplifycfg),default<O0>",
    "default<O1>",
    "default<O2>",
    "default<O3>",
};

/* Callees before callers, on registers instead of slots. */
static const char infer[] = "function(sroa),cgscc(function-attrs)";

static void
run(struct ck_gen *gen, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, gen->target->vectorizes);
    LLVMPassBuilderOptionsSetSLPVectorization(options, gen->target->vectorizes);
    LLVMErrorRef error = LLVMRunPasses(gen->module, pipeline, gen->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) {
        char *text = LLVMGetErrorMessage(error);
        const char *copy = ck_arena_strdup(&gen->arena, text);
        LLVMDisposeErrorMessage(text);
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "LLVM passes: %s", copy);
    }
}

void
ck_passes_infer(struct ck_gen *gen)
{
    run(gen, infer);
}

void
ck_passes_run(struct ck_gen *gen)
{
    int level = gen->options->opt_level;
    run(gen, pipelines[level < 0 ? 0 : level > 3 ? 3 : level]);
}
