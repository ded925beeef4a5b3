/* Runs passes: LLVM's by a pipeline text, ck's own by a function.
 *
 * `ckc --emit=llvm-after=NAME` shows the module after the pass of that name. docs/passes.md lists
 * the names. */
#ifndef CK_RUN_PASSES_H
#define CK_RUN_PASSES_H

#include "codegen/core/gen.h"

/* Run a pipeline text of LLVM's new pass manager on the module, or on one function. */
void ck_run_llvm(struct ck_gen *gen, const char *pipeline);
void ck_run_llvm_on(struct ck_gen *gen, LLVMValueRef v_function, const char *pipeline);

/* Records that the pass of that name has run. Keeps the module's text if the options name the pass;
 * if it runs several times, the last text is kept. */
void ck_pass_ran(struct ck_gen *gen, const char *name);

/* One line of a pipeline: runs and records one of ck's passes, or LLVM's passes under one name. */
static inline void
ck_run_pass(struct ck_gen *gen, const char *name, void (*pass)(struct ck_gen *))
{
    pass(gen);
    ck_pass_ran(gen, name);
}

static inline void
ck_run_named(struct ck_gen *gen, const char *name, const char *pipeline)
{
    ck_run_llvm(gen, pipeline);
    ck_pass_ran(gen, name);
}

/* The option -O as 0 to 3. */
int ck_opt_level(const struct ck_gen *gen);
/* From here on only passes that take linear time run, in the back end too. */
void ck_begin_linear_time(struct ck_gen *gen);
/* LLVM's default pipelines by ck_opt_level. */
extern const char *const ck_default_pipelines[4];

#endif
