/* The CUDA driver, loaded at run time. */
#ifndef CK_PYTHON_GPU_H
#define CK_PYTHON_GPU_H

#include "ckpy.h"

struct ckpy_driver {
#define CKPY_CUDA(member, symbol, parameters) int(*member) parameters;
#include "driver.def"
#undef CKPY_CUDA
};

/* The driver, initialised; NULL with an exception where there is none. */
struct ckpy_driver *ckpy_driver_load(struct ckpy_state *state);

/* Sets ck.Error for a CUresult of a call. */
void ckpy_driver_raise(const struct ckpy_state *state, const struct ckpy_driver *driver,
                       const char *call, int result);

#endif
