/* ck's PTX needs nothing of ck: a program that knows only the CUDA driver launches it.
 *
 *   plain_driver FILE.ptx    sequential_rows of examples/sequential_rows.ck, compiled by ckc
 *
 * The parameters are the array's address and its shape, two int64. Exits with 0 if every row is
 * right, with 77 if there is no driver or no device, else with 1. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 300, BLOCKS = 7, THREADS = 96, COLS = BLOCKS * THREADS, SKIPPED = 77 };

typedef unsigned long long CUdeviceptr;

struct driver {
    int (*init)(unsigned);
    int (*device_count)(int *);
    int (*device_get)(int *, int);
    int (*primary_retain)(void **, int);
    int (*push_current)(void *);
    int (*module_load)(void **, const void *, unsigned, int *, void **);
    int (*module_function)(void **, void *, const char *);
    int (*memory_new)(CUdeviceptr *, size_t);
    int (*write)(CUdeviceptr, const void *, size_t);
    int (*read)(void *, CUdeviceptr, size_t);
    int (*launch_cooperative)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned, void *, void **);
    int (*synchronize)(void);
    int (*memory_free)(CUdeviceptr);
    int (*module_unload)(void *);
};

/* Ends the program unless a call of the driver has succeeded. */
static void
check(int result, const char *call)
{
    if (!result)
        return;
    fprintf(stderr, "%s: error %d\n", call, result);
    exit(EXIT_FAILURE);
}

static void
load(struct driver *driver)
{
    const struct {
        const char *name;
        void *to;
    } symbols[] = {
        {"cuInit", &driver->init},
        {"cuDeviceGetCount", &driver->device_count},
        {"cuDeviceGet", &driver->device_get},
        {"cuDevicePrimaryCtxRetain", &driver->primary_retain},
        {"cuCtxPushCurrent_v2", &driver->push_current},
        {"cuModuleLoadDataEx", &driver->module_load},
        {"cuModuleGetFunction", &driver->module_function},
        {"cuMemAlloc_v2", &driver->memory_new},
        {"cuMemcpyHtoD_v2", &driver->write},
        {"cuMemcpyDtoH_v2", &driver->read},
        {"cuLaunchCooperativeKernel", &driver->launch_cooperative},
        {"cuCtxSynchronize", &driver->synchronize},
        {"cuMemFree_v2", &driver->memory_free},
        {"cuModuleUnload", &driver->module_unload},
    };
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "no CUDA driver: %s\n", dlerror());
        exit(SKIPPED);
    }
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        *(void **)symbols[i].to = dlsym(library, symbols[i].name);
        check(!*(void **)symbols[i].to, symbols[i].name);
    }
}

static void
open_device(const struct driver *driver)
{
    void *context;
    int device, count = 0;
    if (driver->init(0) || driver->device_count(&count) || !count) {
        fputs("no CUDA device\n", stderr);
        exit(SKIPPED);
    }
    check(driver->device_get(&device, 0), "cuDeviceGet");
    check(driver->primary_retain(&context, device), "cuDevicePrimaryCtxRetain");
    check(driver->push_current(context), "cuCtxPushCurrent_v2");
}

static char *
read_text(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, MOST);
    if (!file || !text || !fread(text, 1, MOST - 1, file)) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return text;
}

static void
launch(const struct driver *driver, const char *ptx, int *rows, size_t bytes)
{
    void *module, *function;
    CUdeviceptr array;
    long long shape[2] = {ROWS, COLS};
    void *parameters[] = {&array, &shape[0], &shape[1]};
    check(driver->module_load(&module, ptx, 0, NULL, NULL), "cuModuleLoadDataEx");
    check(driver->module_function(&function, module, "sequential_rows"), "cuModuleGetFunction");
    check(driver->memory_new(&array, bytes), "cuMemAlloc");
    check(driver->write(array, rows, bytes), "cuMemcpyHtoD");
    check(driver->launch_cooperative(function, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, parameters),
          "cuLaunchCooperativeKernel");
    check(driver->synchronize(), "cuCtxSynchronize");
    check(driver->read(rows, array, bytes), "cuMemcpyDtoH");
    check(driver->memory_free(array), "cuMemFree");
    check(driver->module_unload(module), "cuModuleUnload");
}

int
main(int argc, char **argv)
{
    static int rows[ROWS][COLS];
    struct driver driver;
    int wrong = 0;
    if (argc != 2) {
        fputs("usage: plain_driver FILE.ptx\n", stderr);
        return 2;
    }
    for (int i = COLS; i < ROWS * COLS; i++)
        rows[i / COLS][i % COLS] = -1; /* all but the first row is poisoned */
    load(&driver);
    open_device(&driver);
    char *ptx = read_text(argv[1]);
    launch(&driver, ptx, &rows[0][0], sizeof rows);
    free(ptx);
    for (int i = 0; i < ROWS * COLS; i++)
        wrong += rows[i / COLS][i % COLS] != i / COLS;
    if (wrong)
        fprintf(stderr, "%d of %d elements are wrong\n", wrong, ROWS * COLS);
    else
        printf("%d rows are right\n", ROWS);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
