/* Options of LLVM: see llvm_options.h.
 *
 * Sinking moves an instruction into the block of its only use. On a GPU, a load then waits for the
 * branch, and addresses are computed in loops: docs/adr/034. On a CPU, code without it is 5 %
 * slower (bench/checks). The remainders of unrolled loops are unrolled for GPUs alone:
 * docs/adr/053. LLVM has no other way to choose either than these options. */
#include "codegen/driver/llvm_options.h"

#include <pthread.h>

#include <llvm-c/Support.h>

/* Which options are set, and how many threads compile with them. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t is_free;
    int n_users;
    enum { UNSET, CPU, GPU } mode;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .is_free = PTHREAD_COND_INITIALIZER};

/* Pointers to shared, constant and local memory of a GPU have 32 bits: docs/adr/023. */
static void
parse_options(bool for_cpu)
{
    static const char *const cpu[] = {
        "ck",
        "--instcombine-code-sinking=true",
        "--disable-machine-sink=false",
        "--unroll-remainder=false",
        "--disable-mergeicmps=false",
        "--disable-constant-hoisting=false",
        "--disable-ssc=false",
        "--disable-early-taildup=false",
        "--disable-partial-libcall-inlining=false",
    };
    static const char *const gpu[] = {
        "ck",
        "--nvptx-short-ptr",
        "--instcombine-code-sinking=false",
        "--disable-machine-sink=true",
        "--unroll-remainder=true",
        "--disable-mergeicmps=true",
        "--disable-constant-hoisting=true",
        "--disable-ssc=true",
        "--disable-early-taildup=true",
        "--disable-partial-libcall-inlining=true",
    };
    if (for_cpu)
        LLVMParseCommandLineOptions(sizeof cpu / sizeof *cpu, cpu, "");
    else
        LLVMParseCommandLineOptions(sizeof gpu / sizeof *gpu, gpu, "");
}

void
ck_llvm_enter(bool for_cpu)
{
    pthread_mutex_lock(&state.lock);
    while (state.n_users > 0 && (state.mode == CPU) != for_cpu)
        pthread_cond_wait(&state.is_free, &state.lock);
    if (state.mode != (for_cpu ? CPU : GPU))
        parse_options(for_cpu);
    state.mode = for_cpu ? CPU : GPU;
    state.n_users++;
    pthread_mutex_unlock(&state.lock);
}

void
ck_llvm_leave(void)
{
    pthread_mutex_lock(&state.lock);
    if (--state.n_users == 0)
        pthread_cond_broadcast(&state.is_free);
    pthread_mutex_unlock(&state.lock);
}
