/* What the CUDA driver itself costs a process: initialises it and makes the first device's context,
 * and nothing else. Exit status 77: there is no driver or no device. */
#include <dlfcn.h>
#include <stdio.h>

enum { NO_DEVICE = 77 };

typedef int init_fn(unsigned flags);
typedef int get_fn(int *device, int ordinal);
typedef int retain_fn(void **context, int device);
typedef int release_fn(int device);

int
main(void)
{
    int device = 0;
    void *context = NULL, *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!driver)
        return NO_DEVICE;
    init_fn *init = (init_fn *)dlsym(driver, "cuInit");
    get_fn *get = (get_fn *)dlsym(driver, "cuDeviceGet");
    retain_fn *retain = (retain_fn *)dlsym(driver, "cuDevicePrimaryCtxRetain");
    release_fn *release = (release_fn *)dlsym(driver, "cuDevicePrimaryCtxRelease_v2");
    if (!init || !get || !retain || !release || init(0) || get(&device, 0))
        return NO_DEVICE;
    int result = retain(&context, device);
    if (!result)
        result = release(device);
    if (result)
        fprintf(stderr, "the driver's error %d\n", result);
    return result != 0;
}
