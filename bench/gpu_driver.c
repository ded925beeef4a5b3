#include <dlfcn.h>
#include <stdio.h>

#include "gpu_driver.h"

static bool
driver_load(struct driver *driver)
{
    driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver->library) {
        fprintf(stderr, "no CUDA driver: %s\n", dlerror());
        return false;
    }
#define LOAD(member, symbol, parameters)                                                           \
    *(void **)&driver->member = dlsym(driver->library, #symbol);                                   \
    if (!driver->member) {                                                                         \
        fputs("the CUDA driver has no " #symbol "\n", stderr);                                     \
        return false;                                                                              \
    }
    DRIVER_FUNCTIONS(LOAD)
#undef LOAD
    return true;
}

static const char *
driver_error(const struct driver *driver, CUresult result)
{
    const char *name = NULL;
    return driver->error_name(result, &name) || !name ? "an unknown error" : name;
}

/* With a message on standard error. */
bool
driver_done(const struct driver *driver, CUresult result, const char *what)
{
    if (result)
        fprintf(stderr, "%s: %s\n", what, driver_error(driver, result));
    return !result;
}

/* As part of an answer. */
bool
driver_check(const struct driver *driver, CUresult result, const char *what,
             struct bench_reply *reply)
{
    return result ? bench_fail(reply, "%s: %s", what, driver_error(driver, result)) : true;
}

bool
driver_find_device(struct driver *driver)
{
    int count = 0;
    if (!driver_load(driver) || !driver_done(driver, driver->init(0), "cuInit") ||
        !driver_done(driver, driver->device_count(&count), "cuDeviceGetCount"))
        return false;
    if (!count)
        fputs("the CUDA driver sees no device\n", stderr);
    return count && driver_done(driver, driver->device_get(&driver->device, 0), "cuDeviceGet");
}

bool
driver_open(struct driver *driver)
{
    return driver_done(driver, driver->primary_retain(&driver->context, driver->device),
                       "cuDevicePrimaryCtxRetain") &&
           driver_done(driver, driver->set_current(driver->context), "cuCtxSetCurrent") &&
           driver_done(driver, driver->stream_create(&driver->stream, STREAM_NON_BLOCKING),
                       "cuStreamCreate") &&
           driver_done(driver, driver->event_create(&driver->start, 0), "cuEventCreate") &&
           driver_done(driver, driver->event_create(&driver->end, 0), "cuEventCreate");
}

int
device_attribute(const struct driver *driver, int attribute)
{
    int value = 0;
    driver->device_attribute(&value, attribute, driver->device);
    return value;
}
bool
driver_record_start(const struct driver *driver, struct bench_reply *reply)
{
    return driver_check(driver, driver->event_record(driver->start, driver->stream),
                        "cuEventRecord", reply);
}

bool
driver_record_end(const struct driver *driver, int parts, struct bench_reply *reply)
{
    float ms;
    return driver_check(driver, driver->event_record(driver->end, driver->stream), "cuEventRecord",
                        reply) &&
           driver_check(driver, driver->event_synchronize(driver->end), "cuEventSynchronize",
                        reply) &&
           driver_check(driver, driver->event_elapsed(&ms, driver->start, driver->end),
                        "cuEventElapsedTime", reply) &&
           bench_add(reply, 1e-3 * (double)ms / parts);
}
