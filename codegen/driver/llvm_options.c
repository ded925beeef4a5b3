/* Options of LLVM: see llvm_options.h.
 *
 * Sinking moves an instruction into the block of its only use. On a GPU, a load then waits for the
 * branch, and addresses are computed in loops: docs/adr/034. On a CPU, code without it is 5 %
 * slower (bench/checks). LLVM has no other way to forbid it than these options. */
#include "codegen/driver/llvm_options.h"

#include <pthread.h>

#include <llvm-c/Support.h>

/* Which options are set, and how many threads compile with them. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t is_free;
    int n_users;
    enum { UNSET, SINKS, STAYS } mode;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .is_free = PTHREAD_COND_INITIALIZER};

/* Pointers to shared, constant and local memory of a GPU have 32 bits: docs/adr/023. */
static void
parse_options(bool sinks)
{
    const char *const argv[] = {
        "ck", "--nvptx-short-ptr",
        sinks ? "--instcombine-code-sinking=true" : "--instcombine-code-sinking=false",
        sinks ? "--disable-machine-sink=false" : "--disable-machine-sink=true",
        sinks ? "--unroll-remainder=false" : "--unroll-remainder=true"};
    LLVMParseCommandLineOptions(sizeof argv / sizeof *argv, argv, "");
}

void
ck_llvm_enter(bool sinks)
{
    pthread_mutex_lock(&state.lock);
    while (state.n_users > 0 && (state.mode == SINKS) != sinks)
        pthread_cond_wait(&state.is_free, &state.lock);
    if (state.mode != (sinks ? SINKS : STAYS))
        parse_options(sinks);
    state.mode = sinks ? SINKS : STAYS;
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
