/* A stand-in for the CUDA driver, so that its errors can be tested where there is no GPU. Device
 * memory is host memory; kernels do nothing. Environment variables, read at every call:
 *
 *   FAKE_CUDA_LOG         a file to which each call is appended as a line
 *   FAKE_CUDA_VERSION     what cuDriverGetVersion returns; 13000
 *   FAKE_CUDA_DEVICES     number of devices; 1
 *   FAKE_CUDA_FAIL        "cuInit=999,cuMemAlloc_v2=2": calls that fail, with which code
 *   FAKE_CUDA_FAIL_AT     "17=700": the 17th call fails with code 700
 *   FAKE_CUDA_ATTR        "95=0,16=4": device attributes; the defaults are an H200's
 *   FAKE_CUDA_FUNC_ATTR   "4=128": function attributes
 *   FAKE_CUDA_BLOCKS      resident blocks of a multiprocessor; 2
 *   FAKE_CUDA_CLUSTERS    resident clusters of the device; 32
 *   FAKE_CUDA_STACK       bytes of stack of a thread, at first; 1024
 *   FAKE_CUDA_OUTSIDE     "site=1,axis=0,index=7,extent=5": what a kernel with checks of bounds
 *                         records before it fails
 *   FAKE_CUDA_MICROSECONDS  what cuEventElapsedTime returns; 0
 *   FAKE_CUDA_PARAMS      set: the log has the bytes of each parameter of a launch, in hexadecimal
 *   FAKE_CUDA_STORE       "3": every kernel stores this byte at the address in its first parameter
 *   FAKE_CUDA_ERROR_LOG   what the PTX compiler says when cuModuleLoadDataEx fails
 *
 *   FAKE_CUDA_EMULATOR    tests/emulator/translate.py: kernels run, on an emulated GPU
 *   FAKE_CUDA_REVERSE     "1": its threads run in reverse order
 *   FAKE_CUDA_KEEP        "1": it leaves what it made of PTX in /tmp
 *
 * Calls that need a current context fail without one, as the driver's do. */
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/image/image.h"
#include "tests/emulator/driver.h"

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

enum {
    SUCCESS = 0,
    ERROR_INVALID_VALUE = 1,
    ERROR_OUT_OF_MEMORY = 2,
    ERROR_INVALID_DEVICE = 101,
    ERROR_INVALID_CONTEXT = 201,
    ERROR_INVALID_PTX = 218,
    ERROR_NOT_FOUND = 500,
    ERROR_LAUNCH_FAILED = 719,
    ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720
};

enum { MAX_DEPTH = 64, JIT_ERROR_LOG_BUFFER = 5, JIT_ERROR_LOG_BUFFER_SIZE = 6 };

static _Thread_local void *stack[MAX_DEPTH];
static _Thread_local int depth;

enum { MAX_PARAMS = 64 };

struct fake_function {
    char name[128];
    int n_params, param_bytes[MAX_PARAMS];
    const struct emulated_kernel *kernel; /* where kernels run */
    struct fake_function *next;
};

/* A variable of the PTX, with its first values. */
struct fake_variable {
    struct fake_variable *next;
    char name[128];
    size_t bytes;
    unsigned char *memory;
};

struct fake_module {
    char *text;
    struct ck_bounds_record *record; /* the variable CK_BOUNDS_SYMBOL */
    struct fake_variable *variables; /* that were asked for */
    struct fake_function *functions;
    struct emulated *emulated; /* where kernels run */
};

/* --- Settings ----------------------------------------------------------------------------------
 */

static int
setting(const char *variable, int otherwise)
{
    const char *value = getenv(variable);
    return value && *value ? atoi(value) : otherwise;
}

/* The value of `key` in a list "key=value,key=value". */
static int
listed(const char *variable, const char *key, int otherwise)
{
    const char *at = getenv(variable);
    size_t length = strlen(key);
    while (at && *at) {
        if (!strncmp(at, key, length) && at[length] == '=')
            return atoi(at + length + 1);
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    return otherwise;
}

static void
log_call(const char *format, ...)
{
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *file = path && *path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    va_list args;
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    fputc('\n', file);
    fclose(file);
}

/* What a program that has the driver in it, a test, sets and asks for. */
static struct {
    pthread_mutex_t lock;
    int calls, fail_at, code; /* calls so far, the one that fails, how */
    const char *failed;       /* the function that did */
    int live;                 /* what was made and not released */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The `call`-th call from now on fails with `code`; 0: none. */
void fake_cuda_fail_at(int call, int code);
void
fake_cuda_fail_at(int call, int code)
{
    pthread_mutex_lock(&state.lock);
    state.calls = 0;
    state.fail_at = call;
    state.code = code;
    state.failed = NULL;
    pthread_mutex_unlock(&state.lock);
}

/* The name of the function that failed so; NULL: none yet. */
const char *fake_cuda_failed(void);
const char *
fake_cuda_failed(void)
{
    return state.failed;
}

/* What was made and not released, so that a leak of the library's is found by the number, and is
 * none of memory. */
enum { MAX_KEPT = 1024 };
static void *kept[MAX_KEPT];

static void
keep(void *made, void *instead)
{
    pthread_mutex_lock(&state.lock);
    for (int i = 0; i < MAX_KEPT; i++) {
        if (kept[i] == made) {
            kept[i] = instead;
            break;
        }
    }
    pthread_mutex_unlock(&state.lock);
}

/* How many contexts, buffers, modules, streams and events were not released. */
int fake_cuda_live(void);
int
fake_cuda_live(void)
{
    return state.live;
}

static void
count_live(int more)
{
    pthread_mutex_lock(&state.lock);
    state.live += more;
    pthread_mutex_unlock(&state.lock);
}

/* What a call of `function` has to fail with. */
static int
failure_of(const char *function)
{
    const char *setting = getenv("FAKE_CUDA_FAIL_AT");
    int failure = listed("FAKE_CUDA_FAIL", function, SUCCESS), at, code;
    pthread_mutex_lock(&state.lock);
    state.calls++;
    if (setting && sscanf(setting, "%d=%d", &at, &code) == 2 && state.calls == at)
        failure = code;
    if (state.calls == state.fail_at) {
        failure = state.code;
        state.failed = function;
    }
    pthread_mutex_unlock(&state.lock);
    return failure;
}

/* Every function begins with one of these: logs the call and fails if it is to fail. */
#define BEGIN(...)                                                                                 \
    do {                                                                                           \
        log_call(__VA_ARGS__);                                                                     \
        int begin_failure = failure_of(__func__);                                                  \
        if (begin_failure)                                                                         \
            return begin_failure;                                                                  \
    } while (0)
#define BEGIN_IN_CONTEXT(...)                                                                      \
    do {                                                                                           \
        BEGIN(__VA_ARGS__);                                                                        \
        if (!depth)                                                                                \
            return ERROR_INVALID_CONTEXT;                                                          \
    } while (0)

/* How many contexts are pushed: for tests. */
int fake_cuda_depth(void);
int
fake_cuda_depth(void)
{
    return depth;
}

/* --- Errors ------------------------------------------------------------------------------------
 */

static const struct {
    int code;
    const char *name;
    const char *text;
} errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an "
     "unsupported toolchain."},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {710, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"},
    {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "invalid cluster size"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

CUresult cuGetErrorName(CUresult, const char **);
CUresult
cuGetErrorName(CUresult result, const char **out)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].code == result) {
            *out = errors[i].name;
            return SUCCESS;
        }
    }
    *out = NULL;
    return ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult, const char **);
CUresult
cuGetErrorString(CUresult result, const char **out)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].code == result) {
            *out = errors[i].text;
            return SUCCESS;
        }
    }
    *out = NULL;
    return ERROR_INVALID_VALUE;
}

/* --- Devices -----------------------------------------------------------------------------------
 */

CUresult cuInit(unsigned);
CUresult
cuInit(unsigned flags)
{
    BEGIN("cuInit %u", flags);
    return SUCCESS;
}

CUresult cuDriverGetVersion(int *);
CUresult
cuDriverGetVersion(int *version)
{
    BEGIN("cuDriverGetVersion");
    *version = setting("FAKE_CUDA_VERSION", 13000);
    return SUCCESS;
}

CUresult cuDeviceGetCount(int *);
CUresult
cuDeviceGetCount(int *count)
{
    BEGIN("cuDeviceGetCount");
    *count = setting("FAKE_CUDA_DEVICES", 1);
    return SUCCESS;
}

CUresult cuDeviceGet(CUdevice *, int);
CUresult
cuDeviceGet(CUdevice *device, int ordinal)
{
    BEGIN("cuDeviceGet %d", ordinal);
    if (ordinal < 0 || ordinal >= setting("FAKE_CUDA_DEVICES", 1))
        return ERROR_INVALID_DEVICE;
    *device = ordinal;
    return SUCCESS;
}

CUresult cuDeviceGetName(char *, int, CUdevice);
CUresult
cuDeviceGetName(char *name, int length, CUdevice device)
{
    BEGIN("cuDeviceGetName %d", device);
    snprintf(name, (size_t)length, "Fake GPU");
    return SUCCESS;
}

CUresult cuDeviceGetUuid(char *, CUdevice);
CUresult
cuDeviceGetUuid(char *uuid, CUdevice device)
{
    BEGIN("cuDeviceGetUuid %d", device);
    for (int i = 0; i < 16; i++)
        uuid[i] = (char)(16 * i + device);
    return SUCCESS;
}

CUresult cuDeviceGetAttribute(int *, int, CUdevice);
CUresult
cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    static const int h200[][2] = {
        {1, 1024},   {2, 1024}, {3, 1024},    {4, 64},    {5, INT32_MAX}, {6, 65535}, {7, 65535},
        {8, 49152},  {10, 32},  {16, 132},    {39, 2048}, {75, 9},        {76, 0},    {81, 233472},
        {82, 65536}, {95, 1},   {97, 232448}, {106, 32},  {111, 1024},
    };
    char key[16];
    int found = 0;
    BEGIN("cuDeviceGetAttribute %d %d", attribute, device);
    for (size_t i = 0; i < sizeof h200 / sizeof h200[0]; i++) {
        if (h200[i][0] == attribute)
            found = h200[i][1];
    }
    snprintf(key, sizeof key, "%d", attribute);
    *value = listed("FAKE_CUDA_ATTR", key, found);
    return SUCCESS;
}

/* --- Contexts ----------------------------------------------------------------------------------
 */

static char primary_contexts[64];

CUresult cuDevicePrimaryCtxRetain(void **, CUdevice);
CUresult
cuDevicePrimaryCtxRetain(void **context, CUdevice device)
{
    BEGIN("cuDevicePrimaryCtxRetain %d", device);
    count_live(+1);
    *context = &primary_contexts[device];
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice);
CUresult
cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    BEGIN("cuDevicePrimaryCtxRelease_v2 %d", device);
    count_live(-1);
    return SUCCESS;
}

CUresult cuCtxPushCurrent_v2(void *);
CUresult
cuCtxPushCurrent_v2(void *context)
{
    BEGIN("cuCtxPushCurrent_v2");
    if (!context || depth == MAX_DEPTH)
        return ERROR_INVALID_CONTEXT;
    stack[depth++] = context;
    return SUCCESS;
}

CUresult cuCtxPopCurrent_v2(void **);
CUresult
cuCtxPopCurrent_v2(void **context)
{
    BEGIN_IN_CONTEXT("cuCtxPopCurrent_v2");
    void *popped = stack[--depth];
    if (context)
        *context = popped;
    return SUCCESS;
}

CUresult cuCtxGetCurrent(void **);
CUresult
cuCtxGetCurrent(void **context)
{
    BEGIN("cuCtxGetCurrent");
    *context = depth ? stack[depth - 1] : NULL;
    return SUCCESS;
}

/* The device of the current context. */
static int
current_device(void)
{
    char *context = stack[depth - 1];
    bool primary =
        context >= primary_contexts && context < primary_contexts + sizeof primary_contexts;
    return primary ? (int)(context - primary_contexts) : 0;
}

CUresult cuCtxGetDevice(CUdevice *);
CUresult
cuCtxGetDevice(CUdevice *device)
{
    BEGIN_IN_CONTEXT("cuCtxGetDevice");
    *device = current_device();
    return SUCCESS;
}

/* The limit of a thread's stack: that of every context. */
static size_t stack_limit;

CUresult cuCtxGetLimit(size_t *, int);
CUresult
cuCtxGetLimit(size_t *value, int limit)
{
    BEGIN_IN_CONTEXT("cuCtxGetLimit");
    if (limit)
        return ERROR_INVALID_VALUE;
    *value = stack_limit ? stack_limit : (size_t)setting("FAKE_CUDA_STACK", 1024);
    return SUCCESS;
}

CUresult cuCtxSetLimit(int, size_t);
CUresult
cuCtxSetLimit(int limit, size_t value)
{
    BEGIN_IN_CONTEXT("cuCtxSetLimit %d=%zu", limit, value);
    if (limit)
        return ERROR_INVALID_VALUE;
    stack_limit = value;
    return SUCCESS;
}

/* The module with checks that was loaded last. */
static struct fake_module *checked;

CUresult cuCtxSynchronize(void);
CUresult
cuCtxSynchronize(void)
{
    BEGIN_IN_CONTEXT("cuCtxSynchronize");
    const char *key = "FAKE_CUDA_OUTSIDE";
    if (emulator_failure())
        return emulator_failure();
    if (!checked || !getenv(key))
        return SUCCESS;
    *checked->record = (struct ck_bounds_record){
        .is_set = 1,
        .site = (uint32_t)listed(key, "site", 1),
        .axis = (uint32_t)listed(key, "axis", 0),
        .index = listed(key, "index", 0),
        .extent = listed(key, "extent", 0),
        .thread = {.block = {3, 0, 0}, .thread = {232, 0, 0}},
    };
    return ERROR_LAUNCH_FAILED;
}

/* --- Memory ------------------------------------------------------------------------------------
 */

/* What was allocated, so that addresses have a device. */
enum { HOST_MEMORY = 1, DEVICE_MEMORY = 2 };

static struct fake_memory {
    CUdeviceptr address;
    size_t bytes;
    int device, type;
    struct fake_memory *next;
} * memories;
static pthread_mutex_t memories_lock = PTHREAD_MUTEX_INITIALIZER;

static void
remember(CUdeviceptr address, size_t bytes, int type)
{
    struct fake_memory *memory = malloc(sizeof *memory);
    pthread_mutex_lock(&memories_lock);
    *memory = (struct fake_memory){address, bytes, current_device(), type, memories};
    memories = memory;
    pthread_mutex_unlock(&memories_lock);
}

static void
forget(CUdeviceptr address)
{
    pthread_mutex_lock(&memories_lock);
    for (struct fake_memory **at = &memories; *at; at = &(*at)->next) {
        struct fake_memory *memory = *at;
        if (memory->address == address) {
            *at = memory->next;
            free(memory);
            break;
        }
    }
    pthread_mutex_unlock(&memories_lock);
}

CUresult cuPointerGetAttribute(void *, int, CUdeviceptr);
CUresult
cuPointerGetAttribute(void *value, int attribute, CUdeviceptr address)
{
    BEGIN("cuPointerGetAttribute %d", attribute);
    enum { MEMORY_TYPE = 2, DEVICE_ORDINAL = 9 };
    int device = -1, type = 0;
    pthread_mutex_lock(&memories_lock);
    for (const struct fake_memory *memory = memories; memory; memory = memory->next)
        if (address >= memory->address && address < memory->address + memory->bytes) {
            device = memory->device;
            type = memory->type;
        }
    pthread_mutex_unlock(&memories_lock);
    if (device < 0 && emulator_is_on()) /* memory that a program has mapped by itself */
        device = 0;
    if (device < 0)
        return ERROR_INVALID_VALUE;
    *(int *)value = attribute == DEVICE_ORDINAL ? device : attribute == MEMORY_TYPE ? type : 0;
    return SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *, size_t);
CUresult
cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    BEGIN_IN_CONTEXT("cuMemAlloc_v2 %zu", bytes);
    void *memory = NULL;
    if (!bytes)
        return ERROR_INVALID_VALUE;
    if (posix_memalign(&memory, 512, bytes))
        return ERROR_OUT_OF_MEMORY;
    *address = (CUdeviceptr)(uintptr_t)memory;
    remember(*address, bytes, DEVICE_MEMORY);
    count_live(+1);
    return SUCCESS;
}

CUresult cuMemAllocManaged(CUdeviceptr *, size_t, unsigned);
CUresult
cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    BEGIN_IN_CONTEXT("cuMemAllocManaged %zu %u", bytes, flags);
    return cuMemAlloc_v2(address, bytes);
}

CUresult cuProfilerStart(void);
CUresult
cuProfilerStart(void)
{
    BEGIN_IN_CONTEXT("cuProfilerStart");
    return SUCCESS;
}

CUresult cuProfilerStop(void);
CUresult
cuProfilerStop(void)
{
    BEGIN_IN_CONTEXT("cuProfilerStop");
    return SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *, size_t *);
CUresult
cuMemGetInfo_v2(size_t *available, size_t *total)
{
    BEGIN_IN_CONTEXT("cuMemGetInfo_v2");
    *available = 1 << 30;
    *total = (size_t)2 << 30;
    return SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr);
CUresult
cuMemFree_v2(CUdeviceptr address)
{
    BEGIN_IN_CONTEXT("cuMemFree_v2");
    count_live(-1);
    forget(address);
    free((void *)(uintptr_t)address);
    return SUCCESS;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t);
CUresult
cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    BEGIN_IN_CONTEXT("cuMemcpyHtoD_v2 %zu", bytes);
    memcpy((void *)(uintptr_t)to, from, bytes);
    return SUCCESS;
}

CUresult cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t);
CUresult
cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    BEGIN_IN_CONTEXT("cuMemcpyDtoH_v2 %zu", bytes);
    if (emulator_failure())
        return emulator_failure();
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return SUCCESS;
}

CUresult cuMemHostAlloc(void **, size_t, unsigned);
CUresult
cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    BEGIN_IN_CONTEXT("cuMemHostAlloc %zu %u", bytes, flags);
    void *made = malloc(bytes);
    if (!made)
        return ERROR_OUT_OF_MEMORY;
    *memory = made;
    keep(NULL, made);
    count_live(+1);
    remember((CUdeviceptr)(uintptr_t)made, bytes, HOST_MEMORY);
    return SUCCESS;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *, void *, unsigned);
CUresult
cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *memory, unsigned flags)
{
    BEGIN_IN_CONTEXT("cuMemHostGetDevicePointer_v2 %u", flags);
    *address = (CUdeviceptr)(uintptr_t)memory;
    return SUCCESS;
}

CUresult cuMemFreeHost(void *);
CUresult
cuMemFreeHost(void *memory)
{
    BEGIN_IN_CONTEXT("cuMemFreeHost");
    keep(memory, NULL);
    count_live(-1);
    forget((CUdeviceptr)(uintptr_t)memory);
    free(memory);
    return SUCCESS;
}

/* --- Modules -----------------------------------------------------------------------------------
 */

static void
write_error_log(unsigned n, const int *options, void **values)
{
    const char *text = getenv("FAKE_CUDA_ERROR_LOG");
    char *buffer = NULL;
    size_t size = 0;
    for (unsigned i = 0; i < n; i++) {
        if (options[i] == JIT_ERROR_LOG_BUFFER)
            buffer = values[i];
        if (options[i] == JIT_ERROR_LOG_BUFFER_SIZE)
            size = (uintptr_t)values[i];
    }
    if (text && buffer && size)
        snprintf(buffer, size, "%s", text);
}

/* Nothing but comments may stand before the version. */
static bool
is_ptx(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\n");
        if (strncmp(text, "//", 2) != 0)
            return strncmp(text, ".version", 8) == 0;
        text += strcspn(text, "\n");
    }
}

CUresult cuModuleLoadDataEx(void **, const void *, unsigned, int *, void **);
CUresult
cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options, void **values)
{
    log_call("cuModuleLoadDataEx");
    int failure = failure_of(__func__);
    if (!failure && !depth)
        return ERROR_INVALID_CONTEXT;
    const bool is_cubin = memcmp(image, "\177ELF", 4) == 0; /* it has any function */
    if (!failure && !is_cubin && !is_ptx(image))
        failure = ERROR_INVALID_PTX;
    if (failure) {
        write_error_log(n, options, values);
        return failure;
    }
    struct emulated *emulated = emulator_is_on() && !is_cubin ? emulator_load(image) : NULL;
    if (emulator_is_on() && !emulated)
        return ERROR_INVALID_PTX;
    struct fake_module *fake = calloc(1, sizeof *fake);
    fake->text = is_cubin ? NULL : strdup(image);
    keep(NULL, fake);
    count_live(+1);
    fake->emulated = emulated;
    *module = fake;
    return SUCCESS;
}

CUresult cuModuleUnload(void *);
CUresult
cuModuleUnload(void *module)
{
    BEGIN_IN_CONTEXT("cuModuleUnload");
    keep(module, NULL);
    count_live(-1);
    struct fake_module *fake = module;
    if (checked == fake)
        checked = NULL;
    while (fake->functions) {
        struct fake_function *next = fake->functions->next;
        free(fake->functions);
        fake->functions = next;
    }
    while (fake->variables) {
        struct fake_variable *next = fake->variables->next;
        free(fake->variables->memory);
        free(fake->variables);
        fake->variables = next;
    }
    if (fake->emulated)
        emulator_unload(fake->emulated);
    free(fake->text);
    free(fake);
    return SUCCESS;
}

/* The sizes of an entry's parameters: ".param .u64 ..." or ".param .align 8 .b8 name[16]". */
static void
read_params(struct fake_function *function, const char *entry)
{
    const char *end = strchr(entry, ')');
    while ((entry = strstr(entry, ".param ")) && entry < end) {
        int bits = 0, elements = 1;
        char kind;
        entry += strlen(".param ");
        if (sscanf(entry, ".align %*d .b8 %*[^[][%d]", &elements) == 1)
            bits = 8;
        else
            sscanf(entry, ".%c%d", &kind, &bits);
        if (function->n_params < MAX_PARAMS)
            function->param_bytes[function->n_params++] = bits / 8 * elements;
    }
}

CUresult cuModuleGetFunction(void **, void *, const char *);
CUresult
cuModuleGetFunction(void **function, void *module, const char *name)
{
    char entry[160];
    struct fake_module *fake = module;
    BEGIN_IN_CONTEXT("cuModuleGetFunction %s", name);
    snprintf(entry, sizeof entry, ".entry %s(", name);
    const char *found = fake->text ? strstr(fake->text, entry) : NULL;
    if (fake->text && !found)
        return ERROR_NOT_FOUND;
    struct fake_function *made = calloc(1, sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    if (found)
        read_params(made, found);
    made->kernel = fake->emulated ? emulator_kernel(fake->emulated, name) : NULL;
    made->next = fake->functions;
    fake->functions = made;
    *function = made;
    return SUCCESS;
}

/* `.visible .global .align 16 .b8 NAME[BYTES] = {1, 2};`, or `.u64 NAME;` for an address. NULL:
 * there is no such variable. */
static struct fake_variable *
find_variable(struct fake_module *fake, const char *name)
{
    char pattern[160];
    struct fake_variable *variable = fake->variables;
    while (variable && strcmp(variable->name, name) != 0)
        variable = variable->next;
    if (variable || !fake->text)
        return variable;
    snprintf(pattern, sizeof pattern, " .b8 %s[", name);
    const char *array = strstr(fake->text, pattern);
    snprintf(pattern, sizeof pattern, " .u64 %s;", name);
    if (!array && !strstr(fake->text, pattern))
        return NULL;
    variable = calloc(1, sizeof *variable);
    snprintf(variable->name, sizeof variable->name, "%s", name);
    variable->bytes = array ? strtoul(strchr(array, '[') + 1, NULL, 10) : sizeof(CUdeviceptr);
    variable->memory = calloc(1, variable->bytes);
    const char *values = array ? strchr(array, ']') + 1 : "";
    for (size_t i = 0; i < variable->bytes && *(values += strspn(values, " ={,")) != ';'; i++)
        variable->memory[i] = (unsigned char)strtoul(values, (char **)&values, 10);
    variable->next = fake->variables;
    return fake->variables = variable;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, void *, const char *);
CUresult
cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, void *module, const char *name)
{
    struct fake_module *fake = module;
    BEGIN_IN_CONTEXT("cuModuleGetGlobal_v2 %s", name);
    if (fake->emulated) {
        *address = (CUdeviceptr)(uintptr_t)emulator_variable(fake->emulated, name, bytes);
        return *address ? SUCCESS : ERROR_NOT_FOUND;
    }
    struct fake_variable *variable = find_variable(fake, name);
    if (variable && strcmp(name, CK_BOUNDS_SYMBOL) != 0) {
        *address = (CUdeviceptr)(uintptr_t)variable->memory;
        *bytes = variable->bytes;
        return SUCCESS;
    }
    if (strcmp(name, CK_BOUNDS_SYMBOL) != 0 || !fake->text ||
        !strstr(fake->text, ".u64 " CK_BOUNDS_SYMBOL ";"))
        return ERROR_NOT_FOUND;
    checked = fake;
    *address = (CUdeviceptr)(uintptr_t)&fake->record;
    *bytes = sizeof fake->record;
    return SUCCESS;
}

CUresult cuFuncGetAttribute(int *, int, void *);
CUresult
cuFuncGetAttribute(int *value, int attribute, void *function)
{
    static const int usual[] = {[0] = 1024, [1] = 0, [2] = 0, [3] = 0, [4] = 32, [8] = 49152};
    char key[16];
    BEGIN_IN_CONTEXT("cuFuncGetAttribute %d %s", attribute,
                     ((struct fake_function *)function)->name);
    snprintf(key, sizeof key, "%d", attribute);
    *value =
        listed("FAKE_CUDA_FUNC_ATTR", key, attribute >= 0 && attribute <= 8 ? usual[attribute] : 0);
    return SUCCESS;
}

CUresult cuFuncSetAttribute(void *, int, int);
CUresult
cuFuncSetAttribute(void *function, int attribute, int value)
{
    BEGIN_IN_CONTEXT("cuFuncSetAttribute %s %d=%d", ((struct fake_function *)function)->name,
                     attribute, value);
    return SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *, void *, int, size_t);
CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared)
{
    BEGIN_IN_CONTEXT("cuOccupancyMaxActiveBlocksPerMultiprocessor %s threads=%d shared=%zu",
                     ((struct fake_function *)function)->name, threads, shared);
    *blocks = setting("FAKE_CUDA_BLOCKS", 2);
    return SUCCESS;
}

/* As in cuda.h. */
struct launch_attribute {
    int id, unused;
    unsigned value[16];
};

struct launch_config {
    unsigned grid[3], block[3], shared;
    void *stream;
    const struct launch_attribute *attributes;
    unsigned n;
};

enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

static const unsigned *
launch_attribute(const struct launch_config *config, int id)
{
    for (unsigned i = 0; i < config->n; i++) {
        if (config->attributes[i].id == id)
            return config->attributes[i].value;
    }
    return NULL;
}

/* " cluster=(2,1,1) cooperative" */
static const char *
attributes_text(const struct launch_config *config, char out[64])
{
    const unsigned *cluster = launch_attribute(config, ATTRIBUTE_CLUSTER);
    const unsigned *cooperative = launch_attribute(config, ATTRIBUTE_COOPERATIVE);
    int n = 0;
    out[0] = 0;
    if (cluster)
        n = snprintf(out, 64, " cluster=(%u,%u,%u)", cluster[0], cluster[1], cluster[2]);
    if (cooperative && *cooperative)
        snprintf(out + n, 64 - (size_t)n, " cooperative");
    return out;
}

CUresult cuOccupancyMaxActiveClusters(int *, void *, const struct launch_config *);
CUresult
cuOccupancyMaxActiveClusters(int *clusters, void *function, const struct launch_config *config)
{
    char text[64];
    const unsigned *g = config->grid, *b = config->block;
    BEGIN_IN_CONTEXT("cuOccupancyMaxActiveClusters %s grid=(%u,%u,%u) block=(%u,%u,%u) shared=%u%s",
                     ((struct fake_function *)function)->name, g[0], g[1], g[2], b[0], b[1], b[2],
                     config->shared, attributes_text(config, text));
    *clusters = setting("FAKE_CUDA_CLUSTERS", 32);
    return SUCCESS;
}

/* --- Launches ----------------------------------------------------------------------------------
 */

static void
log_launch(const char *call, const struct fake_function *function, const unsigned shape[6],
           unsigned shared, const void *stream)
{
    log_call("%s %s grid=(%u,%u,%u) block=(%u,%u,%u) shared=%u stream=%d", call, function->name,
             shape[0], shape[1], shape[2], shape[3], shape[4], shape[5], shared, stream != NULL);
}

static void
log_params(const struct fake_function *function, void **params)
{
    char text[8192] = "";
    size_t n = 0;
    for (int i = 0; i < function->n_params; i++) {
        const unsigned char *bytes = params[i];
        n += (size_t)snprintf(text + n, sizeof text - n, " ");
        for (int k = 0; k < function->param_bytes[i]; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%02x", bytes[k]);
    }
    log_call("params %s%s", function->name, text);
}

/* What FAKE_CUDA_PARAMS and FAKE_CUDA_STORE have kernels do, or all where they run. */
static CUresult
run(const struct fake_function *function, const unsigned shape[6], unsigned shared,
    const unsigned *cluster, bool cooperative, void **params)
{
    if (getenv("FAKE_CUDA_PARAMS"))
        log_params(function, params);
    if (function->kernel) {
        struct emulated_shape emulated = {.grid = {shape[0], shape[1], shape[2]},
                                          .block = {shape[3], shape[4], shape[5]},
                                          .cluster = {1, 1, 1},
                                          .shared = shared,
                                          .cooperative = cooperative};
        if (cluster)
            memcpy(emulated.cluster, cluster, sizeof emulated.cluster);
        return emulator_launch(function->kernel, &emulated, params);
    }
    int byte = setting("FAKE_CUDA_STORE", -1);
    char *address = params ? *(char **)params[0] : NULL;
    if (byte >= 0 && address)
        *address = (char)byte;
    return SUCCESS;
}

CUresult cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, void *, void **, void **);
CUresult
cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
               unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    (void)extra;
    const unsigned shape[] = {gx, gy, gz, bx, by, bz};
    log_launch("cuLaunchKernel", function, shape, shared, stream);
    int failure = depth ? failure_of(__func__) : ERROR_INVALID_CONTEXT;
    return failure ? failure : run(function, shape, shared, NULL, false, params);
}

CUresult cuLaunchCooperativeKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   unsigned, unsigned, void *, void **);
CUresult
cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void *stream, void **params)
{
    const unsigned shape[] = {gx, gy, gz, bx, by, bz};
    log_launch("cuLaunchCooperativeKernel", function, shape, shared, stream);
    if (!depth)
        return ERROR_INVALID_CONTEXT;
    if ((uint64_t)gx * gy * gz > (uint64_t)setting("FAKE_CUDA_BLOCKS", 2) * 132)
        return ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    int failure = failure_of(__func__);
    return failure ? failure : run(function, shape, shared, NULL, true, params);
}

CUresult cuLaunchKernelEx(const struct launch_config *, void *, void **, void **);
CUresult
cuLaunchKernelEx(const struct launch_config *config, void *function, void **params, void **extra)
{
    char text[64];
    const unsigned *g = config->grid, *b = config->block;
    (void)extra;
    BEGIN_IN_CONTEXT("cuLaunchKernelEx %s grid=(%u,%u,%u) block=(%u,%u,%u) shared=%u stream=%d%s",
                     ((struct fake_function *)function)->name, g[0], g[1], g[2], b[0], b[1], b[2],
                     config->shared, config->stream != NULL, attributes_text(config, text));
    const unsigned *cooperative = launch_attribute(config, ATTRIBUTE_COOPERATIVE);
    return run(function, (unsigned[6]){g[0], g[1], g[2], b[0], b[1], b[2]}, config->shared,
               launch_attribute(config, ATTRIBUTE_CLUSTER), cooperative && *cooperative, params);
}

/* --- Streams and events, which libck does not make; an event is no time after the one before it
 * ---
 */

CUresult cuCtxSetCurrent(void *);
CUresult
cuCtxSetCurrent(void *context)
{
    BEGIN("cuCtxSetCurrent");
    depth = 1;
    stack[0] = context;
    return SUCCESS;
}

/* The first stream that was made is number 1; 0 is the default stream. */
static char streams[64];
static unsigned n_streams;

static int
stream_number(const void *stream)
{
    const char *at = stream;
    bool made = at >= streams && at < streams + sizeof streams;
    return made ? (int)(at - streams) + 1 : (int)(intptr_t)stream;
}

/* A call that does nothing with a stream or an event. */
#define ACCEPTS(NAME)                                                                              \
    CUresult NAME(void *);                                                                         \
    CUresult NAME(void *handle)                                                                    \
    {                                                                                              \
        BEGIN_IN_CONTEXT(#NAME " %d", stream_number(handle));                                      \
        return SUCCESS;                                                                            \
    }

ACCEPTS(cuStreamQuery)
ACCEPTS(cuStreamSynchronize)
ACCEPTS(cuEventQuery)
ACCEPTS(cuEventSynchronize)

CUresult cuStreamCreate(void **, unsigned);
CUresult
cuStreamCreate(void **stream, unsigned flags)
{
    BEGIN_IN_CONTEXT("cuStreamCreate %u", flags);
    count_live(+1);
    *stream = &streams[n_streams++ % sizeof streams];
    return SUCCESS;
}

CUresult cuStreamDestroy_v2(void *);
CUresult
cuStreamDestroy_v2(void *stream)
{
    BEGIN_IN_CONTEXT("cuStreamDestroy_v2 %d", stream_number(stream));
    count_live(-1);
    return SUCCESS;
}

CUresult cuStreamWaitEvent(void *, void *, unsigned);
CUresult
cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    BEGIN_IN_CONTEXT("cuStreamWaitEvent %d %u", stream_number(stream), flags);
    return event ? SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuEventCreate(void **, unsigned);
CUresult
cuEventCreate(void **event, unsigned flags)
{
    static char made;
    BEGIN_IN_CONTEXT("cuEventCreate %u", flags);
    count_live(+1);
    *event = &made;
    return SUCCESS;
}

CUresult cuEventDestroy_v2(void *);
CUresult
cuEventDestroy_v2(void *event)
{
    BEGIN_IN_CONTEXT("cuEventDestroy_v2 %d", event != NULL);
    count_live(-1);
    return SUCCESS;
}

CUresult cuEventRecord(void *, void *);
CUresult
cuEventRecord(void *event, void *stream)
{
    BEGIN_IN_CONTEXT("cuEventRecord %d %d", event != NULL, stream_number(stream));
    return SUCCESS;
}

CUresult cuMemcpyAsync(CUdeviceptr, CUdeviceptr, size_t, void *);
CUresult
cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, void *stream)
{
    BEGIN_IN_CONTEXT("cuMemcpyAsync %zu %d", bytes, stream_number(stream));
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return SUCCESS;
}

CUresult cuEventElapsedTime(float *, void *, void *);
CUresult
cuEventElapsedTime(float *ms, void *from, void *to)
{
    BEGIN_IN_CONTEXT("cuEventElapsedTime %d %d", from != NULL, to != NULL);
    *ms = 1e-3f * (float)setting("FAKE_CUDA_MICROSECONDS", 0);
    return SUCCESS;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *, size_t, void *);
CUresult
cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, void *stream)
{
    BEGIN_IN_CONTEXT("cuMemcpyHtoDAsync_v2 %zu %d", bytes, stream_number(stream));
    memcpy((void *)(uintptr_t)to, from, bytes);
    return SUCCESS;
}

CUresult cuMemcpyDtoHAsync_v2(void *, CUdeviceptr, size_t, void *);
CUresult
cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, void *stream)
{
    BEGIN_IN_CONTEXT("cuMemcpyDtoHAsync_v2 %zu %d", bytes, stream_number(stream));
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return SUCCESS;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, size_t, void *);
CUresult
cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, void *stream)
{
    BEGIN_IN_CONTEXT("cuMemcpyDtoDAsync_v2 %zu %d", bytes, stream != NULL);
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, void *);
CUresult
cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, void *stream)
{
    BEGIN_IN_CONTEXT("cuMemsetD8Async %u %zu %d", value, bytes, stream != NULL);
    memset((void *)(uintptr_t)to, value, bytes);
    return SUCCESS;
}

CUresult cuModuleLoadData(void **, const void *);
CUresult
cuModuleLoadData(void **module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

/* Graphs are not made: each of these is there to be found. */
#define NO_GRAPHS(NAME)                                                                            \
    CUresult NAME(void);                                                                           \
    CUresult NAME(void)                                                                            \
    {                                                                                              \
        return ERROR_INVALID_VALUE;                                                                \
    }

NO_GRAPHS(cuStreamBeginCapture_v2)
NO_GRAPHS(cuStreamEndCapture)
NO_GRAPHS(cuGraphInstantiateWithFlags)
NO_GRAPHS(cuGraphLaunch)
NO_GRAPHS(cuGraphExecDestroy)
NO_GRAPHS(cuGraphDestroy)
