/* Clocks that compiled host code reads. */
#include "codegen/host/clock_calls.h"

#include <sched.h>
#include <time.h>

static int64_t
nanoseconds(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
ck_rt_clock(void)
{
    return nanoseconds(CLOCK_MONOTONIC);
}

int64_t
ck_rt_globaltimer(void)
{
    return nanoseconds(CLOCK_REALTIME);
}

int64_t
ck_rt_smid(void)
{
    int number = sched_getcpu();
    return number < 0 ? 0 : number;
}
