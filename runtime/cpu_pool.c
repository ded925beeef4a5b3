/* The host threads of a CPU device. */
#include "runtime/cpu_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

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
    uint32_t n_threads;
    pthread_t threads[];
};

/* Takes part in one launch; the lock is held before and after. */
static void
take_part(struct ck_cpu_pool *pool)
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
    pthread_mutex_lock(&pool->lock);
    while (!pool->quit) {
        if (pool->unbegun)
            take_part(pool);
        else
            pthread_cond_wait(&pool->work_is_there, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* The program's signal handlers are not to run on the pool's threads. */
static void
create_threads(struct ck_cpu_pool *pool, uint32_t n)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->n_threads < n &&
           !pthread_create(&pool->threads[pool->n_threads], NULL, serve, pool))
        pool->n_threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct ck_cpu_pool *
ck_cpu_pool_new(uint32_t n)
{
    struct ck_cpu_pool *pool = calloc(1, sizeof *pool + n * sizeof pool->threads[0]);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_is_there, NULL);
    pthread_cond_init(&pool->work_is_done, NULL);
    create_threads(pool, n - 1);
    return pool;
}

void
ck_cpu_pool_free(struct ck_cpu_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work_is_there);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->n_threads; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->work_is_done);
    pthread_cond_destroy(&pool->work_is_there);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

uint32_t
ck_cpu_pool_size(const struct ck_cpu_pool *pool)
{
    return pool->n_threads + 1;
}

void
ck_cpu_pool_run(struct ck_cpu_pool *pool, uint32_t n, bool all, ck_cpu_work_fn *work, void *arg)
{
    if (n == 1) {
        work(arg, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->arg = arg;
    pool->next = 1;
    pool->unbegun = n - 1;
    pthread_cond_broadcast(&pool->work_is_there);
    pthread_mutex_unlock(&pool->lock);

    work(arg, 0);

    pthread_mutex_lock(&pool->lock);
    if (!all)
        pool->unbegun = 0;
    while (pool->running || pool->unbegun)
        pthread_cond_wait(&pool->work_is_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
