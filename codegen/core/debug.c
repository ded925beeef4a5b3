/* Line tables: where in the source each instruction comes from. Nothing more, for profilers and
 * sanitizers; code is the same with and without them. */
#include <string.h>

#include "codegen/core/gen.h"

/* DebugDirectivesOnly, absent from the C enum. The kind called LineTablesOnly makes PTX say
 * `.target sm_90, debug`, which ptxas refuses to optimise. */
enum { EMIT_DIRECTIVES_ONLY = 3 };

const char *
ck_gen_source_name(const struct ck_gen *gen)
{
    const char *given = gen->options->source_name;
    return given ? given : gen->program->source->name;
}

void
ck_debug_init(struct ck_gen *gen)
{
    if (!gen->options->lineinfo)
        return;
    const char *name = ck_gen_source_name(gen);
    gen->debug = LLVMCreateDIBuilder(gen->module);
    gen->debug_file = LLVMDIBuilderCreateFile(gen->debug, name, strlen(name), "", 0);
    gen->debug_unit = LLVMDIBuilderCreateCompileUnit(
        gen->debug, LLVMDWARFSourceLanguagePython, gen->debug_file, "ck", 2,
        gen->options->opt_level > 0, "", 0, 0, "", 0, (LLVMDWARFEmissionKind)EMIT_DIRECTIVES_ONLY,
        0, false, false, "", 0, "", 0);
    LLVMMetadataRef version = LLVMValueAsMetadata(l_i32(gen, LLVMDebugMetadataVersion()));
    LLVMAddModuleFlag(gen->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18,
                      version);
}

void
ck_debug_function(struct ck_gen *gen, struct ck_func_info *info)
{
    if (!gen->debug || info->tfunc->in_prelude)
        return;
    const struct ck_tfunc *tfunc = info->tfunc;
    unsigned line = ck_source_origin(gen->program->source, tfunc->span.start).line;
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(gen->debug, gen->debug_file, NULL, 0, LLVMDIFlagZero);
    info->scope = LLVMDIBuilderCreateFunction(
        gen->debug, gen->debug_unit, tfunc->name, strlen(tfunc->name), tfunc->symbol,
        strlen(tfunc->symbol), gen->debug_file, line, type, true, true, line, LLVMDIFlagZero, true);
    if (info->v_function)
        LLVMSetSubprogram(info->v_function, info->scope);
}

LLVMMetadataRef
ck_debug_location(struct ck_gen *gen, struct ck_span span)
{
    const struct ck_frame *frame = ck_gen_user_frame(gen, &span);
    if (!frame)
        return NULL;
    struct ck_origin at = ck_source_origin(gen->program->source, span.start);
    return LLVMDIBuilderCreateDebugLocation(gen->llvm, at.line, at.column, frame->info->scope,
                                            frame->inlined_at);
}

void
ck_debug_at(struct ck_gen *gen, struct ck_span span)
{
    if (gen->debug)
        LLVMSetCurrentDebugLocation2(gen->builder, ck_debug_location(gen, span));
}

void
ck_debug_at_function(struct ck_gen *gen, LLVMValueRef v_function)
{
    LLVMMetadataRef scope = LLVMGetSubprogram(v_function);
    if (scope)
        LLVMSetCurrentDebugLocation2(
            gen->builder, LLVMDIBuilderCreateDebugLocation(
                              gen->llvm, LLVMDISubprogramGetLine(scope), 0, scope, NULL));
}

void
ck_debug_nowhere(struct ck_gen *gen)
{
    if (gen->debug)
        LLVMSetCurrentDebugLocation2(gen->builder, NULL);
}

void
ck_debug_finish(struct ck_gen *gen)
{
    if (gen->debug)
        LLVMDIBuilderFinalize(gen->debug);
}
