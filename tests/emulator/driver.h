/* The emulated GPU for the fake driver (tests/mock/fake_cuda.c), where FAKE_CUDA_EMULATOR names
 * tests/emulator/translate.py. */
#ifndef CK_TESTS_EMULATOR_DRIVER_H
#define CK_TESTS_EMULATOR_DRIVER_H

#include "emulate.h"

struct emulated; /* a loaded module */

bool emulator_is_on(void);
/* NULL where the PTX cannot be run. */
struct emulated *emulator_load(const char *ptx);
void emulator_unload(struct emulated *module);
const struct emulated_kernel *emulator_kernel(const struct emulated *module, const char *name);
/* The address of a variable, and its size. */
void *emulator_variable(const struct emulated *module, const char *name, size_t *bytes);
/* Runs the kernel to its end; a failure is kept for emulator_failure(), as a GPU's is for the next
 * call that waits. */
int emulator_launch(const struct emulated_kernel *kernel, struct emulated_shape *shape,
                    void **params);
int emulator_failure(void);

#endif
