/* Running passes: LLVM's by their text, and ck's own by name.
 *
 * A pass has a name, under which `ckc --emit=llvm-after=NAME` shows the module after it. Names of
 * ck's own passes are those of docs/passes.md. */
#ifndef CK_RUN_PASSES_H
#define CK_RUN_PASSES_H

#include "codegen/core/gen.h"

/* Runs a pipeline of LLVM's new pass manager over the module; over one function. */
void ck_run_llvm(struct ck_gen *gen, const char *pipeline);
void ck_run_llvm_on(struct ck_gen *gen, LLVMValueRef v_function, const char *pipeline);

/* Says that the pass of that name has run: keeps the module's text if the options ask for it. A
 * pass that runs several times is shown as its last run left the module. */
void ck_pass_ran(struct ck_gen *gen, const char *name);

/* One line of a pipeline: a pass of ck's own, or a text of LLVM's, under a name. */
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
/* From here on only passes whose time is linear in the length of the code run. */
void ck_begin_linear_time(struct ck_gen *gen);
/* LLVM's default pipeline of that level. */
extern const char *const ck_default_pipelines[4];

#endif
