/* Math functions for PTX: libclc's bitcode, trimmed to those of math.def when ck is built and
 * carried in it. Linked only into modules that call one. */
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#include "codegen/gen.h"
#include "codegen/libclc.h"

static const char *const names[] = {
#define CK_MATH(id, libclc, host, type, n) libclc,
#include "codegen/math.def"
#undef CK_MATH
};

static LLVMModuleRef
read_library(struct ck_gen *gen)
{
    LLVMMemoryBufferRef bitcode = LLVMCreateMemoryBufferWithMemoryRange(
        (const char *)ck_libclc_bitcode, ck_libclc_size, "libclc", false);
    LLVMModuleRef library = NULL;
    bool failed = LLVMParseBitcodeInContext2(gen->llvm, bitcode, &library);
    LLVMDisposeMemoryBuffer(bitcode);
    if (failed)
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "the embedded libclc cannot be read");
    return library;
}

/* Removes the library's functions that the module does not call, before the linker sees them. */
static void
trim(struct ck_gen *gen, LLVMModuleRef library)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef v_function = LLVMGetNamedFunction(library, names[i]);
        if (v_function && !LLVMGetNamedFunction(gen->module, names[i]))
            LLVMDeleteFunction(v_function);
    }
}

/* The library was compiled for no target in particular: its functions take on the module's. */
static void
specialise(struct ck_gen *gen, const char *name)
{
    static const char *const foreign[] = {"target-features", "target-cpu", "frame-pointer"};
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    if (!v_function)
        return;
    if (LLVMIsDeclaration(v_function))
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "the embedded libclc lacks %s", name);
    LLVMSetLinkage(v_function, LLVMInternalLinkage);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        LLVMRemoveStringAttributeAtIndex(v_function, LLVMAttributeFunctionIndex, foreign[i],
                                         (unsigned)strlen(foreign[i]));
}

void
ck_math_link(struct ck_gen *gen)
{
    LLVMModuleRef library = read_library(gen);
    trim(gen, library);
    LLVMSetTarget(library, LLVMGetTarget(gen->module));
    LLVMSetModuleDataLayout(library, gen->layout);
    if (LLVMLinkModules2(gen->module, library)) /* disposes the library */
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "libclc cannot be linked");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        specialise(gen, names[i]);
}
