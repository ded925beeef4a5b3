/* Launches ck's PTX for examples/sequential_rows.ck with the CUDA driver API and nothing of ck's:
 * driver_launch PTX ENTRY. The array parameter is its pointer and its two extents. Exit status 0:
 * the rows are right; 3: no driver or no device. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1024, BLOCK = 32 };

static void *driver;

static void
check(int result, const char *call)
{
    if (result != 0) {
        fprintf(stderr, "%s: error %d\n", call, result);
        exit(result == 100 ? 3 : 1);
    }
}

static void *
find(const char *name)
{
    void *function = dlsym(driver, name);
    if (!function) {
        fprintf(stderr, "the driver has no %s\n", name);
        exit(1);
    }
    return function;
}

#define CALL(type, name, ...) check(((int(*) type)find(#name))(__VA_ARGS__), #name)

static char *
read_text(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file || fread(text, 1, sizeof text - 1, file) == 0)
        exit(2);
    fclose(file);
    return text;
}

static int32_t rows[N][N];

static int
count_wrong(void)
{
    int wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += rows[i][j] != i;
    return wrong;
}

int
main(int argc, char **argv)
{
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (argc != 3 || !driver)
        return driver ? 2 : 3;
    int device;
    void *context, *module, *function;
    uint64_t data;
    int64_t rows_extent = N, columns_extent = N;
    CALL((unsigned), cuInit, 0);
    CALL((int *, int), cuDeviceGet, &device, 0);
    CALL((void **, int), cuDevicePrimaryCtxRetain, &context, device);
    CALL((void *), cuCtxPushCurrent_v2, context);
    CALL((void **, const void *, unsigned, void *, void *), cuModuleLoadDataEx, &module,
         read_text(argv[1]), 0, NULL, NULL);
    CALL((void **, void *, const char *), cuModuleGetFunction, &function, module, argv[2]);
    CALL((uint64_t *, size_t), cuMemAlloc_v2, &data, sizeof rows);
    CALL((uint64_t, const void *, size_t), cuMemcpyHtoD_v2, data, rows, sizeof rows);
    void *parameters[] = {&data, &rows_extent, &columns_extent};
    CALL((void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
          void **),
         cuLaunchCooperativeKernel, function, N / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, parameters);
    CALL((void *, uint64_t, size_t), cuMemcpyDtoH_v2, rows, data, sizeof rows);
    int wrong = count_wrong();
    printf("%d of %d elements are wrong\n", wrong, N * N);
    return wrong != 0;
}
