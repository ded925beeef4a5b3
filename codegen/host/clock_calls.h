/* Clocks that compiled host code reads. */
#ifndef CK_HOST_CLOCK_CALLS_H
#define CK_HOST_CLOCK_CALLS_H

#include <stdint.h>

/* Nanoseconds of a clock that never goes back; and of the time of day, since 1970. */
int64_t ck_rt_clock(void);
int64_t ck_rt_globaltimer(void);
/* The number of the processor that runs this host thread; 0 if it is not known. */
int64_t ck_rt_smid(void);

#endif
