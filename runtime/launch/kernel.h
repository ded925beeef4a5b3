/* Modules and devices free the kernels that depend on them. */
#ifndef CK_KERNEL_H
#define CK_KERNEL_H

#include <ck/run.h>

/* Unlinks the kernel from its module and its device, unloads its code, and frees it. */
void ck_kernel_free(struct ck_kernel *kernel);

#endif
