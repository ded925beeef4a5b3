/* Runs passes: see run_passes.h. */
#include "codegen/opt/run_passes.h"

#include <string.h>

#include <llvm-c/Transforms/PassBuilder.h>

/* -O0 runs sroa too. If all values stay in memory slots, the threads of a block drift far apart
 * between barriers, and each barrier takes long. */
const char *const ck_default_pipelines[4] = {
    "function(sroa,early-cse,simplifycfg),globaldce,default<O0>",
    "default<O1>",
    "default<O2>",
    "default<O3>",
};

void
ck_run_llvm_on(struct ck_gen *gen, LLVMValueRef v_function, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, gen->target->traits.vectorizes);
    LLVMPassBuilderOptionsSetSLPVectorization(options, gen->target->traits.vectorizes);
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

void
ck_run_llvm(struct ck_gen *gen, const char *pipeline)
{
    ck_run_llvm_on(gen, NULL, pipeline);
}

static void
note_name(struct ck_gen *gen, const char *name)
{
    for (int i = 0; i < gen->n_passes_ran; i++) {
        if (strcmp(gen->passes_ran[i], name) == 0)
            return;
    }
    if (gen->n_passes_ran < CK_MAX_PASSES)
        gen->passes_ran[gen->n_passes_ran++] = name;
}

void
ck_pass_ran(struct ck_gen *gen, const char *name)
{
    if (!gen->options->after_pass)
        return;
    note_name(gen, name);
    if (strcmp(name, gen->options->after_pass) != 0)
        return;
    char *text = LLVMPrintModuleToString(gen->module);
    if (!text)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    gen->after_pass = ck_arena_strdup(&gen->arena, text);
    LLVMDisposeMessage(text);
}

int
ck_opt_level(const struct ck_gen *gen)
{
    const int level = gen->options->opt_level;
    return level < 0 ? 0 : level > 3 ? 3 : level;
}

void
ck_begin_linear_time(struct ck_gen *gen)
{
    gen->in_linear_time = true;
    ck_gen_renew_machine(gen);
}
