/* The JIT: an object file in memory, linked and ready to call. It resolves names by its own
 * table only, never by the symbols of the process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

#include "codegen/host/c_math.h"
#include "codegen/host/clock_calls.h"
#include "codegen/host/float16_calls.h"
#include "codegen/host/jit.h"

struct ck_jit {
    LLVMOrcLLJITRef lljit;
    LLVMOrcJITDylibRef code; /* owned by the session */
};

/* Of the compiler's own library. LLVM computes the trip count of a loop in 128 bits where it cannot
 * prove that 64 are enough. */
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;
wide __divti3(wide, wide);
wide __modti3(wide, wide);
unsigned_wide __udivti3(unsigned_wide, unsigned_wide);
unsigned_wide __umodti3(unsigned_wide, unsigned_wide);

/* Functions that compiled code may call: the executor's, those of math.def, and those that LLVM's
 * back end calls for instructions that the CPU lacks. */
static const struct {
    const char *name;
    void (*address)(void);
} symbols[] = {
#define ADDRESS(function)                             (void (*)(void))(function)
#define SYMBOL(name)                                  #name, ADDRESS(name)
#define CK_MATH(id, libclc, libdevice, host, type, n) {SYMBOL(host)},
#include "codegen/core/math.def"
#undef CK_MATH
    {SYMBOL(ck_rt_clock)},
    {SYMBOL(ck_rt_globaltimer)},
    {SYMBOL(ck_rt_smid)},
    {SYMBOL(ck_rt_rounded_f32)},
    {SYMBOL(ck_rt_rounded_f64)},
    {SYMBOL(ck_cpu_cluster_arrive)},
    {SYMBOL(ck_cpu_cluster_wait)},
    {SYMBOL(ck_cpu_cluster_rank)},
    {SYMBOL(ck_cpu_copy_check)},
    {SYMBOL(ck_cpu_print)},
    {SYMBOL(ck_cpu_assert_fail)},
    {SYMBOL(ck_cpu_leave)},
    {SYMBOL(ck_cpu_leave_interrupted)},
    {SYMBOL(ck_cpu_out_of_bounds)},
    {SYMBOL(ck_cpu_overflow)},
    {SYMBOL(ck_cpu_access)},
    {SYMBOL(ck_cpu_unset)},
    {SYMBOL(ck_cpu_copy_commit)},
    {SYMBOL(ck_cpu_copy_wait)},
    {SYMBOL(ck_cpu_fence)},
    {SYMBOL(ck_cpu_arrive)},
    {SYMBOL(ck_cpu_pass)},
    {SYMBOL(ck_cpu_barrier_misuse)},
    {SYMBOL(memcpy)},
    {SYMBOL(memmove)},
    {SYMBOL(memset)},
    {SYMBOL(memcmp)},
    {SYMBOL(sqrt)},
    {SYMBOL(sqrtf)},
    {SYMBOL(fma)},
    {SYMBOL(fmaf)},
    {SYMBOL(floor)},
    {SYMBOL(floorf)},
    {SYMBOL(ceil)},
    {SYMBOL(ceilf)},
    {SYMBOL(trunc)},
    {SYMBOL(truncf)},
    {SYMBOL(rint)},
    {SYMBOL(rintf)},
    {SYMBOL(nearbyint)},
    {SYMBOL(nearbyintf)},
    {SYMBOL(roundeven)},
    {SYMBOL(roundevenf)},
    {SYMBOL(fmin)},
    {SYMBOL(fminf)},
    {SYMBOL(fmax)},
    {SYMBOL(fmaxf)},
    {SYMBOL(frexp)},
    {SYMBOL(frexpf)},
    {SYMBOL(ldexp)},
    {SYMBOL(ldexpf)},
    {SYMBOL(__divti3)},
    {SYMBOL(__modti3)},
    {SYMBOL(__udivti3)},
    {SYMBOL(__umodti3)},
    {"__extendhfsf2", ADDRESS(ck_rt_half_to_float)},
    {"__truncsfhf2", ADDRESS(ck_rt_float_to_half)},
    {"__truncdfhf2", ADDRESS(ck_rt_double_to_half)},
    {"__truncsfbf2", ADDRESS(ck_rt_float_to_bfloat)},
    {"__truncdfbf2", ADDRESS(ck_rt_double_to_bfloat)},
#undef SYMBOL
#undef ADDRESS
};

enum { N_SYMBOLS = sizeof symbols / sizeof *symbols };

/* Consumes an error and fails; returns if it is NULL. */
static void
check(struct ck_gen *gen, LLVMErrorRef error, const char *what)
{
    if (!error)
        return;
    char *text = LLVMGetErrorMessage(error);
    const char *copy = ck_arena_strdup(&gen->arena, text);
    LLVMDisposeErrorMessage(text);
    ck_gen_fail(gen, CK_ERROR_INTERNAL, "%s: %s", what, copy);
}

void
ck_jit_define_symbols(struct ck_gen *gen, struct ck_jit *jit)
{
    LLVMOrcCSymbolMapPair pairs[N_SYMBOLS];
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(jit->lljit);
    for (size_t i = 0; i < N_SYMBOLS; i++) {
        pairs[i].Name = LLVMOrcExecutionSessionIntern(session, symbols[i].name);
        pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbols[i].address;
        pairs[i].Sym.Flags.GenericFlags =
            LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
        pairs[i].Sym.Flags.TargetFlags = 0;
    }
    LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, N_SYMBOLS);
    LLVMErrorRef error = LLVMOrcJITDylibDefine(jit->code, unit);
    if (error)
        LLVMOrcDisposeMaterializationUnit(unit);
    check(gen, error, "JIT symbols");
}

/* Replaces the session's reporter, which would print errors that lookups return too. */
static void
ignore_report(void *user, LLVMErrorRef error)
{
    (void)user;
    LLVMConsumeError(error);
}

static struct ck_jit *
open_session(struct ck_gen *gen, LLVMErrorRef *error)
{
    struct ck_jit *jit = calloc(1, sizeof *jit);
    if (!jit)
        return NULL;
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(gen->machine));
    gen->machine = NULL; /* the builder owns it */
    *error = LLVMOrcCreateLLJIT(&jit->lljit, builder);
    return jit;
}

struct ck_jit *
ck_jit_new(struct ck_gen *gen, LLVMMemoryBufferRef object)
{
    LLVMErrorRef error = NULL;
    struct ck_jit *jit = open_session(gen, &error);
    if (!jit || error) {
        LLVMDisposeMemoryBuffer(object);
        free(jit);
        check(gen, error, "JIT");
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    }
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(jit->lljit);
    LLVMOrcExecutionSessionSetErrorReporter(session, ignore_report, NULL);
    /* A bare library: LLJIT's main one would search the process for names. */
    jit->code = LLVMOrcExecutionSessionCreateBareJITDylib(session, "ck");
    error = LLVMOrcLLJITAddObjectFile(jit->lljit, jit->code, object); /* it owns the object now */
    if (error)
        ck_jit_free(jit);
    check(gen, error, "JIT object");
    return jit;
}

/* A lookup: the names, and where to write their addresses. */
struct lookup {
    LLVMErrorRef error;
    uint64_t *addresses;
    LLVMOrcSymbolStringPoolEntryRef *names;
    size_t n;
};

static void
on_found(LLVMErrorRef error, LLVMOrcCSymbolMapPairs pairs, size_t n_pairs, void *user)
{
    struct lookup *lookup = user;
    lookup->error = error;
    for (size_t i = 0; !error && i < n_pairs; i++) {
        for (size_t j = 0; j < lookup->n; j++) {
            if (lookup->names[j] == pairs[i].Name)
                lookup->addresses[j] = pairs[i].Sym.Address;
        }
    }
}

void
ck_jit_lookup(struct ck_gen *gen, struct ck_jit *jit, const char *const *names, uint64_t *addresses,
              size_t n)
{
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(jit->lljit);
    LLVMOrcCLookupSetElement *set = CK_NEW_ARRAY(&gen->arena, LLVMOrcCLookupSetElement, n);
    struct lookup lookup = {.addresses = addresses, .n = n};
    lookup.names = CK_NEW_ARRAY(&gen->arena, LLVMOrcSymbolStringPoolEntryRef, n);
    for (size_t i = 0; i < n; i++) {
        lookup.names[i] = LLVMOrcExecutionSessionIntern(session, names[i]);
        set[i].Name = lookup.names[i]; /* the lookup releases the reference */
        set[i].LookupFlags = LLVMOrcSymbolLookupFlagsRequiredSymbol;
    }
    LLVMOrcCJITDylibSearchOrderElement order = {jit->code,
                                                LLVMOrcJITDylibLookupFlagsMatchAllSymbols};
    if (n > 0)
        LLVMOrcExecutionSessionLookup(session, LLVMOrcLookupKindStatic, &order, 1, set, n, on_found,
                                      &lookup);
    check(gen, lookup.error, "JIT link");
}

void
ck_jit_free(struct ck_jit *jit)
{
    if (!jit)
        return;
    LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->lljit));
    free(jit);
}
