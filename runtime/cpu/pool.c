/* The host threads of a CPU device. They belong to the process that created them: after fork, the
 * child has none of them and creates a pool of its own.
 *
 * A kernel may need more stack than the caller's thread has, so the caller's share of the work runs
 * on a stack of the pool as well. */
#include "runtime/cpu/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/stack.h"

/* Stack sizes of a thread, and of its handler of faults: the fault may be a stack overflow. */
enum { STACK_BYTES = 16 << 20, SIGNAL_STACK_BYTES = 64 << 10 };

struct ck_cpu_pool {
    pthread_mutex_t lock;
    pthread_cond_t work_is_there;
    pthread_cond_t work_is_done;
    ck_cpu_work_fn *work;
    void *arg;
    uint32_t next;    /* number of the next worker to begin */
    uint32_t unbegun; /* workers wanted that have not begun */
    uint32_t running;
    bool quit;
    pid_t process; /* that created it */
    char *stack;   /* for the caller's share of the work */
    ucontext_t caller, callee;
    uint32_t n_threads;
    pthread_t threads[];
};

/* --- The caller's share ------------------------------------------------------------------------
 */

static void
free_pool(struct ck_cpu_pool *pool)
{
    if (pool->stack)
        ck_stack_unmap(pool->stack, STACK_BYTES);
    free(pool);
}

#if CK_STACK_IS_WATCHED
static void
work_on_thread(void *data)
{
    struct ck_cpu_pool *pool = data;
    pool->work(pool->arg, 0);
}

/* AddressSanitizer does not follow a change of stacks within a thread. */
static void
run_own_share(struct ck_cpu_pool *pool)
{
    if (ck_stack_run(STACK_BYTES, work_on_thread, pool))
        pool->work(pool->arg, 0);
}
#else
/* makecontext passes ints: a pointer is passed as two. */
static void
enter(unsigned low, unsigned high)
{
    struct ck_cpu_pool *pool = (struct ck_cpu_pool *)((uintptr_t)high << 32 | low);
    pool->work(pool->arg, 0);
}

static void
run_own_share(struct ck_cpu_pool *pool)
{
    const uintptr_t address = (uintptr_t)pool;
    if (getcontext(&pool->callee)) {
        pool->work(pool->arg, 0);
        return;
    }
    pool->callee.uc_stack.ss_sp = pool->stack;
    pool->callee.uc_stack.ss_size = STACK_BYTES;
    pool->callee.uc_link = &pool->caller;
    makecontext(&pool->callee, (void (*)(void))enter, 2, (unsigned)address,
                (unsigned)(address >> 32));
    swapcontext(&pool->caller, &pool->callee);
}
#endif

/* --- The other threads ---------------------------------------------------------------------------
 */

/* Works on one launch; the lock is held before and after. */
static void
work_once(struct ck_cpu_pool *pool)
{
    ck_cpu_work_fn *work = pool->work;
    void *arg = pool->arg;
    uint32_t worker = pool->next++;
    pool->unbegun--;
    pool->running++;
    pthread_mutex_unlock(&pool->lock);
    work(arg, worker);
    pthread_mutex_lock(&pool->lock);
    if (!--pool->running && !pool->unbegun)
        pthread_cond_signal(&pool->work_is_done);
}

static void *
serve(void *opaque)
{
    struct ck_cpu_pool *pool = opaque;
    stack_t stack = {.ss_sp = malloc(SIGNAL_STACK_BYTES), .ss_size = SIGNAL_STACK_BYTES};
    if (stack.ss_sp)
        sigaltstack(&stack, NULL);
    pthread_mutex_lock(&pool->lock);
    while (!pool->quit) {
        if (pool->unbegun)
            work_once(pool);
        else
            pthread_cond_wait(&pool->work_is_there, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    if (stack.ss_sp)
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(stack.ss_sp);
    return NULL;
}

/* The program's signal handlers must not run on the pool's threads. Only the signals of faults that
 * such a thread itself causes stay unblocked: a fault whose signal is blocked kills the process. */
static void
create_threads(struct ck_cpu_pool *pool, uint32_t n)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    sigset_t all, before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes))
        return; /* the caller's own thread alone is a pool too */
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->n_threads < n &&
           !pthread_create(&pool->threads[pool->n_threads], &attributes, serve, pool))
        pool->n_threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

struct ck_cpu_pool *
ck_cpu_pool_new(uint32_t n)
{
    struct ck_cpu_pool *pool = calloc(1, sizeof *pool + n * sizeof pool->threads[0]);
    if (!pool)
        return NULL;
    pool->stack = ck_stack_map(STACK_BYTES);
    if (!pool->stack) {
        free_pool(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_is_there, NULL);
    pthread_cond_init(&pool->work_is_done, NULL);
    pool->process = getpid();
    create_threads(pool, n - 1);
    return pool;
}

bool
ck_cpu_pool_is_own(const struct ck_cpu_pool *pool)
{
    return pool->process == getpid();
}

void
ck_cpu_pool_free(struct ck_cpu_pool *pool)
{
    if (!pool)
        return;
    if (!ck_cpu_pool_is_own(pool)) {
        free_pool(pool); /* its threads, lock and conditions are the parent's */
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work_is_there);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->n_threads; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->work_is_done);
    pthread_cond_destroy(&pool->work_is_there);
    pthread_mutex_destroy(&pool->lock);
    free_pool(pool);
}

uint32_t
ck_cpu_pool_size(const struct ck_cpu_pool *pool)
{
    return pool->n_threads + 1;
}

void
ck_cpu_pool_run(struct ck_cpu_pool *pool, uint32_t n, bool all, ck_cpu_work_fn *work, void *arg)
{
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->arg = arg;
    pool->next = 1;
    pool->unbegun = n - 1;
    if (n > 1)
        pthread_cond_broadcast(&pool->work_is_there);
    pthread_mutex_unlock(&pool->lock);

    run_own_share(pool);

    pthread_mutex_lock(&pool->lock);
    if (!all)
        pool->unbegun = 0;
    while (pool->running || pool->unbegun)
        pthread_cond_wait(&pool->work_is_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
