/* Options that LLVM has for the whole process, but that targets set differently. */
#ifndef CK_LLVM_OPTIONS_H
#define CK_LLVM_OPTIONS_H

#include <stdbool.h>

/* Sets the options for a target while the caller compiles, and until ck_llvm_leave. Calls for
 * targets with equal options compile at the same time; others wait. Callable by every thread. */
void ck_llvm_enter(bool for_cpu);
void ck_llvm_leave(void);

#endif
