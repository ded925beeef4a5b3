/* Arrays of a module in a device's memory: one memory for each module and device, whatever number
 * of images use it.
 *
 * Images that a compiler makes for launches hold the address of an array, which is set when they
 * are loaded; of an array in constant memory each has a copy. A prebuilt image is loaded once, and
 * holds its arrays itself. */
#ifndef CK_GLOBAL_H
#define CK_GLOBAL_H

#include "runtime/launch/device.h"
#include "runtime/launch/module.h"
#include "runtime/launch/variant.h"

struct ck_global_set;

/* Sets the variables of code that was loaded: all that its launches need of the module's arrays. */
ck_status ck_globals_bind(struct ck_module *module, struct ck_device *device,
                          const struct ck_code *code);
/* The code of a prebuilt image that the module's arrays on the device are in; NULL: not loaded. */
struct ck_code *ck_globals_code(const struct ck_module *module, const struct ck_device *device);
/* The first array among the arguments that shares memory with an array of the module, which is set;
 * -1: none does. */
int ck_globals_find_overlap(const struct ck_module *module, const struct ck_device *device,
                            const ck_arg *args, size_t n_args, const ck_global_desc **global);

/* Frees the memory of a module on one device, and that of either on all. */
void ck_globals_free_of_module(struct ck_module *module);
void ck_globals_free_of_device(struct ck_device *device);

#endif
