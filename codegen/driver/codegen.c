/* The entry points, and the pipeline as one function of plain calls. */
#include "codegen/driver/codegen.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm/Config/llvm-config.h>

#include "base/pack.h"
#include "codegen/driver/describe_program.h"
#include "codegen/driver/llvm_options.h"
#include "codegen/lower/lower.h"
#include "codegen/opt/passes.h"

/* Keeps LLVM's first error for check_llvm. Prints nothing. */
static void
on_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
    struct ck_gen *gen = user;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || gen->llvm_error)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    gen->llvm_error = strdup(text ? text : "out of memory");
    LLVMDisposeMessage(text);
}

static void
check_llvm(struct ck_gen *gen, const char *what)
{
    if (gen->llvm_error)
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "%s: %s", what, gen->llvm_error);
}

static void
start(struct ck_gen *gen, bool keep_names)
{
    gen->machine = gen->target->module->machine(gen);
    gen->layout = LLVMCreateTargetDataLayout(gen->machine);
    gen->llvm = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(gen->llvm, on_diagnostic, gen);
    LLVMContextSetDiscardValueNames(gen->llvm, !keep_names);
    gen->module = LLVMModuleCreateWithNameInContext(ck_gen_source_name(gen), gen->llvm);
    char *triple = LLVMGetTargetMachineTriple(gen->machine);
    if (!triple)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    LLVMSetTarget(gen->module, triple);
    LLVMDisposeMessage(triple);
    LLVMSetModuleDataLayout(gen->module, gen->layout);
    gen->builder = LLVMCreateBuilderInContext(gen->llvm);
    gen->slot_builder = LLVMCreateBuilderInContext(gen->llvm);
    ck_gen_init_types(gen);
    ck_debug_init(gen);
}

static void
verify(struct ck_gen *gen)
{
    char *text = NULL;
    if (LLVMVerifyModule(gen->module, LLVMReturnStatusAction, &text)) {
        const char *copy = ck_arena_strdup(&gen->arena, text);
        LLVMDisposeMessage(text);
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "generated code is not valid LLVM IR: %s", copy);
    }
    LLVMDisposeMessage(text);
}

/* Lowers the program, and computes the properties of kernels that the manifest holds. */
static void
lower_program(struct ck_gen *gen, bool optimise, bool keep_names)
{
    start(gen, keep_names);
    ck_gen_scan_functions(gen);
    ck_gen_functions(gen);
    ck_debug_finish(gen);
    check_llvm(gen, "LLVM");
    if (optimise && gen->options->restrict_arrays)
        verify(gen);
    if (optimise)
        ck_gen_mark_arrays(gen);
    if (gen->target->copy->select_bulk)
        gen->target->copy->select_bulk(gen);
}

static void
make_module(struct ck_gen *gen, bool optimise, bool keep_names)
{
    lower_program(gen, optimise, keep_names);
    if (gen->target->module->finish)
        gen->target->module->finish(gen);
    check_llvm(gen, "LLVM");
    verify(gen);
    if (optimise)
        gen->target->module->optimise(gen);
    ck_gen_thaw_constants(gen);
    check_llvm(gen, "LLVM passes");
}

static void
gen_free(struct ck_gen *gen)
{
    if (gen->image)
        gen->image->free(gen->image);
    if (gen->debug)
        LLVMDisposeDIBuilder(gen->debug);
    if (gen->builder)
        LLVMDisposeBuilder(gen->builder);
    if (gen->slot_builder)
        LLVMDisposeBuilder(gen->slot_builder);
    if (gen->module)
        LLVMDisposeModule(gen->module);
    if (gen->llvm)
        LLVMContextDispose(gen->llvm);
    if (gen->layout)
        LLVMDisposeTargetData(gen->layout);
    if (gen->machine)
        LLVMDisposeTargetMachine(gen->machine);
    free(gen->llvm_error);
    ck_arena_free(&gen->arena);
    free(gen);
}

static void
write_llvm(struct ck_gen *gen, struct ck_strbuf *out)
{
    char *text = LLVMPrintModuleToString(gen->module);
    if (!text)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    ck_strbuf_puts(out, text);
    LLVMDisposeMessage(text);
}

/* Writes the module as it was after the pass that the options name. */
static void
write_after_pass(struct ck_gen *gen, struct ck_strbuf *out)
{
    if (!gen->after_pass) {
        for (int i = 0; i < gen->n_passes_ran; i++)
            ck_strbuf_printf(out, "%s%s", i ? ", " : "", gen->passes_ran[i]);
        ck_gen_fail(gen, CK_ERROR_ARGUMENT, "no pass `%s` ran for %s; passes that ran: %s",
                    gen->options->after_pass, gen->options->arch, ck_strbuf_text(out));
    }
    ck_strbuf_puts(out, gen->after_pass);
}

static void
write_code(struct ck_gen *gen, struct ck_strbuf *out)
{
    struct ck_manifest manifest;
    ck_gen_manifest(gen, &gen->arena, &manifest);
    gen->target->module->write(gen, &manifest, out);
}

static void
write_form(struct ck_gen *gen, struct ck_strbuf *out, enum ck_codegen_form form)
{
    if (form == CK_FORM_MANIFEST) {
        struct ck_manifest manifest;
        if (gen->options->restrict_arrays)
            lower_program(gen, true, false);
        else
            ck_gen_scan_functions(gen);
        ck_gen_manifest(gen, &gen->arena, &manifest);
        ck_manifest_write(out, &manifest);
        return;
    }
    bool is_code = form == CK_FORM_CODE || form == CK_FORM_PTX;
    if (form == CK_FORM_PTX && !gen->target->traits.has_text)
        ck_gen_fail(gen, CK_ERROR_ARGUMENT, "architecture %s has no PTX", gen->options->arch);
    make_module(gen, form != CK_FORM_LLVM_RAW, !is_code);
    if (is_code)
        write_code(gen, out);
    else if (form == CK_FORM_LLVM && gen->options->after_pass)
        write_after_pass(gen, out);
    else
        write_llvm(gen, out);
}

static ck_status
gen_new(struct ck_gen **out, ck_context *ctx, const struct ck_program *program,
        const struct ck_codegen_options *options)
{
    const struct ck_target *target = ck_target_find(options->arch);
    if (!target)
        return ck_fail(ctx, CK_ERROR_UNSUPPORTED, "unknown architecture %s", options->arch);
    struct ck_gen *gen = calloc(1, sizeof *gen);
    if (!gen)
        return ck_fail_memory(ctx);
    gen->ctx = ctx;
    gen->program = program;
    gen->options = options;
    gen->target = target;
    gen->arena.on_oom = &gen->escape;
    *out = gen;
    return CK_OK;
}

/* After a jump to `escape` by ck_gen_fail or by the arena. */
static ck_status
unwind(struct ck_gen *gen)
{
    ck_status status = gen->status ? gen->status : ck_fail_memory(gen->ctx);
    gen_free(gen);
    return status;
}

static ck_status
write_or_unwind(struct ck_gen *gen, struct ck_strbuf *out, enum ck_codegen_form form)
{
    if (setjmp(gen->escape))
        return unwind(gen);
    ck_context *ctx = gen->ctx;
    gen->state = ck_arena_alloc(&gen->arena, gen->target->traits.module_bytes);
    write_form(gen, out, form);
    gen_free(gen);
    return out->failed ? ck_fail_memory(ctx) : CK_OK;
}

ck_status
ck_codegen_write(struct ck_strbuf *out, ck_context *ctx, const struct ck_program *program,
                 const struct ck_codegen_options *options, enum ck_codegen_form form)
{
    struct ck_gen *gen = NULL;
    ck_status status = gen_new(&gen, ctx, program, options);
    if (status)
        return status;
    ck_llvm_enter(gen->target->traits.for_cpu);
    status = write_or_unwind(gen, out, form);
    ck_llvm_leave();
    return status;
}

static ck_status
load_or_unwind(struct ck_gen *gen, struct ck_image **out, const char *code, size_t length)
{
    if (setjmp(gen->escape))
        return unwind(gen);
    gen->state = ck_arena_alloc(&gen->arena, gen->target->traits.module_bytes);
    *out = gen->target->module->image(gen, code, length);
    gen_free(gen);
    return CK_OK;
}

ck_status
ck_codegen_load(struct ck_image **out, ck_context *ctx, const struct ck_codegen_options *options,
                const char *code, size_t length)
{
    struct ck_gen *gen = NULL;
    ck_status status = gen_new(&gen, ctx, NULL, options);
    if (status)
        return status;
    ck_llvm_enter(gen->target->traits.for_cpu);
    status = load_or_unwind(gen, out, code, length);
    ck_llvm_leave();
    return status;
}

bool
ck_codegen_identify(struct ck_strbuf *key, const struct ck_codegen_options *options)
{
    const struct ck_target *target = ck_target_find(options->arch);
    ck_pack_text(key, LLVM_VERSION_STRING);
    ck_pack_text(key, options->arch);
    ck_pack_number(key, (uint64_t)options->opt_level);
    ck_pack_number(key, options->fmad);
    ck_pack_number(key, options->lineinfo);
    ck_pack_number(key, options->restrict_arrays);
    ck_pack_number(key, options->aligned_arrays);
    ck_pack_number(key, options->small_launches);
    ck_pack_number(key, options->natural_scalars);
    ck_pack_number(key, (uint64_t)options->small_version);
    ck_pack_number(key, options->shared_arrays);
    ck_pack_number(key, options->by_rank);
    ck_pack_number(key, options->checks);
    ck_pack_number(key, (uint64_t)options->max_registers);
    ck_pack_text(key, options->source_name ? options->source_name : "");
    return target && target->module->identify(key, options);
}
