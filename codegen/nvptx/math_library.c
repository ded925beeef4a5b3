/* Links math functions into modules that call one. They come from CUDA's libdevice if the options
 * name its file. Otherwise they come from the embedded bitcode of libclc and libm/, which the build
 * reduces to the functions of math.def. Only bodies that the module reaches are read. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#include "base/pack.h"
#include "codegen/nvptx/libclc.h"
#include "codegen/nvptx/nvptx.h"
#include "runtime/cache/cache.h"

static const struct {
    const char *libclc, *libdevice;
} names[] = {
#define CK_MATH(id, libclc, libdevice, host, type, n) {libclc, libdevice},
#include "codegen/core/math.def"
#undef CK_MATH
};

const char *
ck_math_name(struct ck_gen *gen, enum ck_math function)
{
    return gen->options->libdevice ? names[function].libdevice : names[function].libclc;
}

static LLVMMemoryBufferRef
open_library(struct ck_gen *gen)
{
    const char *path = gen->options->libdevice;
    LLVMMemoryBufferRef bitcode = NULL;
    char *error = NULL;
    if (!path)
        return LLVMCreateMemoryBufferWithMemoryRange((const char *)ck_libclc_bitcode,
                                                     ck_libclc_size, "libclc", false);
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bitcode, &error)) {
        const char *text = ck_arena_strdup(&gen->arena, error);
        LLVMDisposeMessage(error);
        ck_gen_fail(gen, CK_ERROR_IO, "%s: %s", path, text);
    }
    return bitcode;
}

/* Reads the module lazily: a body is read when the linker needs it. */
static LLVMModuleRef
read_library(struct ck_gen *gen)
{
    LLVMModuleRef library = NULL;
    LLVMMemoryBufferRef bitcode = open_library(gen);
    if (!LLVMGetBitcodeModuleInContext2(gen->llvm, bitcode, &library)) /* takes ownership */
        return library;
    LLVMDisposeMemoryBuffer(bitcode);
    const char *path = gen->options->libdevice;
    free(gen->llvm_error); /* LLVM's message about the bitcode does not help the user */
    gen->llvm_error = NULL;
    if (!path)
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "the embedded libclc cannot be read");
    ck_gen_fail(gen, CK_ERROR_FORMAT, "%s is not LLVM bitcode that can be read", path);
}

/* The library was compiled for a generic target. Its functions take the module's attributes, and
 * the denormal mode of their callers. */
static void
specialise(struct ck_gen *gen, LLVMValueRef v_function)
{
    static const char *const generic[] = {"target-features", "target-cpu", "frame-pointer",
                                          "no-builtins"};
    for (size_t i = 0; i < sizeof generic / sizeof *generic; i++)
        LLVMRemoveStringAttributeAtIndex(v_function, LLVMAttributeFunctionIndex, generic[i],
                                         (unsigned)strlen(generic[i]));
    l_attribute_text(gen, v_function, "denormal-fp-math-f32", "dynamic,dynamic");
}

/* Makes functions that the module does not call internal, and tables: the linker copies these only
 * if a copied function needs them. */
static void
prepare(struct ck_gen *gen, LLVMModuleRef library)
{
    for (LLVMValueRef v_function = LLVMGetFirstFunction(library); v_function;
         v_function = LLVMGetNextFunction(v_function)) {
        size_t length;
        const char *name = LLVMGetValueName2(v_function, &length);
        if (!LLVMIsDeclaration(v_function) && !LLVMGetNamedFunction(gen->module, name))
            LLVMSetLinkage(v_function, LLVMInternalLinkage);
    }
    for (LLVMValueRef v_table = LLVMGetFirstGlobal(library); v_table;
         v_table = LLVMGetNextGlobal(v_table)) {
        if (!LLVMIsDeclaration(v_table))
            LLVMSetLinkage(v_table, LLVMInternalLinkage);
    }
}

/* Sets the module flag that libdevice queries by `__nvvm_reflect`: whether float32 denormals are
 * flushed. There is one value for a module. */
static void
set_reflect_flag(struct ck_gen *gen)
{
    bool flushes = true;
    for (int i = 0; i < gen->program->n_functions; i++)
        flushes = flushes && gen->program->functions[i]->fastmath;
    static const char key[] = "nvvm-reflect-ftz";
    LLVMAddModuleFlag(gen->module, LLVMModuleFlagBehaviorOverride, key, sizeof key - 1,
                      LLVMValueAsMetadata(l_i32(gen, flushes)));
    ck_nvptx_reflect(gen);
}

static void
link_library(struct ck_gen *gen, LLVMModuleRef library)
{
    LLVMSetTarget(library, LLVMGetTarget(gen->module));
    LLVMSetModuleDataLayout(library, gen->layout);
    if (LLVMLinkModules2(gen->module, library)) /* disposes the library */
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "the math library cannot be linked");
}

static LLVMValueRef
last_defined(LLVMModuleRef module)
{
    LLVMValueRef v_function = LLVMGetLastFunction(module);
    while (v_function && LLVMIsDeclaration(v_function))
        v_function = LLVMGetPreviousFunction(v_function);
    return v_function;
}

/* The linked functions come after the module's own functions. */
static void
specialise_linked(struct ck_gen *gen, LLVMValueRef v_last)
{
    for (LLVMValueRef v_function = LLVMGetNextFunction(v_last); v_function;
         v_function = LLVMGetNextFunction(v_function)) {
        if (LLVMIsDeclaration(v_function))
            continue;
        specialise(gen, v_function);
        if (gen->options->libdevice)
            ck_libdevice_adapt(gen, v_function);
    }
}

/* Checks that a function was linked, and makes it internal. */
static void
internalise(struct ck_gen *gen, const char *name)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    const char *path = gen->options->libdevice;
    if (v_function && LLVMIsDeclaration(v_function))
        ck_gen_fail(gen, path ? CK_ERROR_FORMAT : CK_ERROR_INTERNAL, "%s lacks %s",
                    path ? path : "the embedded libclc", name);
    if (v_function)
        LLVMSetLinkage(v_function, LLVMInternalLinkage);
}

void
ck_math_link(struct ck_gen *gen)
{
    LLVMModuleRef library = read_library(gen);
    LLVMValueRef v_last = last_defined(gen->module);
    prepare(gen, library);
    link_library(gen, library);
    if (gen->options->libdevice)
        set_reflect_flag(gen);
    specialise_linked(gen, v_last);
    for (int i = 0; i < CK_N_MATH; i++)
        internalise(gen, ck_math_name(gen, (enum ck_math)i));
}

bool
ck_math_identify(struct ck_strbuf *key, const struct ck_codegen_options *options)
{
    ck_pack_number(key, options->libdevice != NULL);
    return !options->libdevice || ck_cache_add_file(key, options->libdevice);
}
