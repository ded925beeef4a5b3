/* A stack of known size: mapped memory with a guard below it, and a thread that runs there.
 *
 * A thread rather than a switched context, as sanitizers, debuggers and shadow stacks know threads.
 * The caller waits, so nothing runs at the same time. */
#include "base/stack.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

/* Larger than a frame, so that no frame reaches across it. */
enum { GUARD = 1 << 20 };

struct call {
    void (*body)(void *);
    void *data;
};

static void *
start(void *data)
{
    const struct call *call = data;
    call->body(call->data);
    return NULL;
}

char *
ck_stack_map(size_t bytes)
{
    char *stack = mmap(NULL, GUARD + bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return NULL;
    if (mprotect(stack + GUARD, bytes, PROT_READ | PROT_WRITE)) {
        int error = errno;
        munmap(stack, GUARD + bytes);
        errno = error;
        return NULL;
    }
    /* Most calls need a few pages: none of 2 MiB is cleared for them. Without effect where the
     * system has no such pages, which is no error. */
    (void)madvise(stack + GUARD, bytes, MADV_NOHUGEPAGE);
    return stack + GUARD;
}

void
ck_stack_unmap(char *stack, size_t bytes)
{
    munmap(stack - GUARD, GUARD + bytes);
}

/* Starts the thread with the signals blocked that may come from outside: their handlers belong on
 * the process's own threads. */
static int
create(pthread_t *thread, char *stack, size_t bytes, struct call *call)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    pthread_attr_t attr;
    sigset_t blocked, outer;
    int error = pthread_attr_init(&attr);
    if (error)
        return error;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&blocked, faults[i]);
    error = pthread_attr_setstack(&attr, stack, bytes);
    if (!error) {
        pthread_sigmask(SIG_BLOCK, &blocked, &outer);
        error = pthread_create(thread, &attr, start, call);
        pthread_sigmask(SIG_SETMASK, &outer, NULL);
    }
    pthread_attr_destroy(&attr);
    return error;
}

int
ck_stack_run(size_t bytes, void (*body)(void *), void *data)
{
    struct call call = {body, data};
    pthread_t thread;
    int cancellation;
    char *stack = ck_stack_map(bytes);
    if (!stack)
        return errno;
    int error = create(&thread, stack, bytes, &call);
    if (!error) { /* `call` and `data` have to outlive the thread */
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
        pthread_join(thread, NULL);
        pthread_setcancelstate(cancellation, NULL);
    }
    ck_stack_unmap(stack, bytes);
    return error;
}
