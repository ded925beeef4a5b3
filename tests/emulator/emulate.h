/* Launches of kernels that translate.py has made C of: see device.c. */
#ifndef CK_TESTS_EMULATOR_EMULATE_H
#define CK_TESTS_EMULATOR_EMULATE_H

#include "device.h"

struct emulated_shape {
    u32 grid[3], block[3], cluster[3];
    u32 shared; /* dynamic */
    bool cooperative;
    bool reverse;    /* threads and blocks run by descending rank */
    void *workspace; /* of a cooperative launch */
};

/* A CUresult. */
int emulate(const struct emulated_kernel *kernel, const struct emulated_shape *shape,
            void **params);

#endif
