/* The host threads of a CPU device: created once, woken for each launch. */
#ifndef CK_CPU_POOL_H
#define CK_CPU_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct ck_cpu_pool;

typedef void ck_cpu_work_fn(void *arg, uint32_t worker);

/* A pool for `n` workers, the caller's own thread being one. It has fewer if the system
 * can create no more threads. NULL when out of memory. */
struct ck_cpu_pool *ck_cpu_pool_new(uint32_t n);
void ck_cpu_pool_free(struct ck_cpu_pool *pool);
/* False in a child by fork of the process that made the pool: it can only be freed. */
bool ck_cpu_pool_is_own(const struct ck_cpu_pool *pool);
uint32_t ck_cpu_pool_size(const struct ck_cpu_pool *pool);

/* Runs work(arg, w) for w = 0 to n-1 at the same time, n at most the pool's size; worker 0 is the
 * caller. With `all` false, workers that have not begun when worker 0 is done are left out. What
 * the workers did is visible to the caller afterwards. */
void ck_cpu_pool_run(struct ck_cpu_pool *pool, uint32_t n, bool all, ck_cpu_work_fn *work,
                     void *arg);

#endif
