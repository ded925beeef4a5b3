/* The CUDA driver: loading it, a GPU's primary context, streams that wait for each other. */
#include "gpu.h"

#include <dlfcn.h>
#include <stdlib.h>

enum {
    CUDA_SUCCESS = 0,
    EVENT_DISABLE_TIMING = 2,
    ATTRIBUTE_MEMORY_TYPE = 2,
    ATTRIBUTE_IS_MANAGED = 8,
    ATTRIBUTE_DEVICE_ORDINAL = 9,
    MEMORY_TYPE_HOST = 1
};

static int
resolve(struct ckpy_driver *driver, void *library)
{
    static const struct {
        const char *symbol;
        size_t offset;
    } symbols[] = {
#define CKPY_CUDA(member, symbol, parameters) {#symbol, offsetof(struct ckpy_driver, member)},
#include "driver.def"
#undef CKPY_CUDA
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *function = dlsym(library, symbols[i].symbol);
        if (!function) {
            PyErr_Format(PyExc_RuntimeError, "the CUDA driver has no %s: it is too old",
                         symbols[i].symbol);
            return -1;
        }
        *(void **)((char *)driver + symbols[i].offset) = function;
    }
    return 0;
}

/* The library stays loaded: its threads may run its code until the process ends. */
struct ckpy_driver *
ckpy_driver_load(struct ckpy_state *state)
{
    struct ckpy_driver *known = __atomic_load_n(&state->driver, __ATOMIC_ACQUIRE);
    if (known)
        return known;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        PyErr_SetString(state->error, "there is no CUDA driver (libcuda.so.1) on this machine");
        return NULL;
    }
    struct ckpy_driver *driver = ckpy_calloc(1, sizeof *driver);
    if (!driver)
        return (struct ckpy_driver *)PyErr_NoMemory();
    int failed = resolve(driver, library) < 0;
    int result = failed ? CUDA_SUCCESS : driver->Init(0);
    if (result)
        ckpy_driver_raise(state, driver, "cuInit", result);
    if (failed || result) {
        PyMem_Free(driver);
        return NULL;
    }
    if (__atomic_compare_exchange_n(&state->driver, &known, driver, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return driver;
    PyMem_Free(driver); /* another thread has loaded it meanwhile */
    return known;
}

void
ckpy_driver_raise(const struct ckpy_state *state, const struct ckpy_driver *driver,
                  const char *call, int result)
{
    const char *name = NULL, *text = NULL;
    driver->GetErrorName(result, &name);
    driver->GetErrorString(result, &text);
    PyErr_Format(state->error, "%s: %s: %s", call, name ? name : "an unknown error",
                 text ? text : "the driver has no text for it");
}

/* --- GPUs --- */

static struct ckpy_gpu *
gpu_new(PyObject *python_module, int ordinal)
{
    struct ckpy_state *state = PyModule_GetState(python_module);
    const struct ckpy_driver *driver = ckpy_driver_load(state);
    int device;
    void *context;
    if (!driver)
        return NULL;
    int result = driver->DeviceGet(&device, ordinal);
    if (!result)
        result = driver->DevicePrimaryCtxRetain(&context, device);
    if (result) {
        ckpy_driver_raise(state, driver, "opening the GPU", result);
        return NULL;
    }
    struct ckpy_gpu *gpu =
        (struct ckpy_gpu *)PyType_GenericAlloc((PyTypeObject *)state->gpu_type, 0);
    if (!gpu) {
        driver->DevicePrimaryCtxRelease(device);
        return NULL;
    }
    Py_INCREF(python_module);
    gpu->python_module = python_module;
    gpu->driver = driver;
    gpu->ordinal = device;
    gpu->context = context;
    return gpu;
}

struct ckpy_gpu *
ckpy_gpu(PyObject *python_module, int ordinal)
{
    struct ckpy_state *state = PyModule_GetState(python_module);
    PyObject *key = PyLong_FromLong(ordinal);
    PyObject *gpu = key ? PyDict_GetItemWithError(state->gpus, key) : NULL;
    Py_XINCREF(gpu);
    if (key && !gpu && !PyErr_Occurred()) {
        PyObject *made = (PyObject *)gpu_new(python_module, ordinal);
        gpu = made ? PyObject_CallMethod(state->gpus, "setdefault", "OO", key, made) : NULL;
        Py_XDECREF(made);
    }
    Py_XDECREF(key);
    return (struct ckpy_gpu *)gpu;
}

/* 0 where there is no driver. */
PyObject *
ckpy_gpu_count(struct ckpy_state *state)
{
    int count = 0;
    const struct ckpy_driver *driver = ckpy_driver_load(state);
    if (!driver || driver->DeviceGetCount(&count))
        PyErr_Clear();
    return PyLong_FromLong(count);
}

void
ckpy_gpu_free_event(const struct ckpy_gpu *gpu, void *event)
{
    if (gpu->driver->CtxPushCurrent(gpu->context))
        return;
    gpu->driver->EventDestroy(event);
    gpu->driver->CtxPopCurrent(NULL);
}

/* --- Launches --- */

/* Makes the GPU's context current for a call of the driver. 1: it was not, and `leave` is due; -1:
 * an exception is set. */
static int
enter(const struct ckpy_state *state, const struct ckpy_gpu *gpu, const char *what)
{
    void *current = NULL;
    if (!gpu->driver->CtxGetCurrent(&current) && current == gpu->context)
        return 0;
    int result = gpu->driver->CtxPushCurrent(gpu->context);
    if (result)
        ckpy_driver_raise(state, gpu->driver, what, result);
    return result ? -1 : 1;
}

static void
leave(const struct ckpy_gpu *gpu, int has_pushed)
{
    if (has_pushed)
        gpu->driver->CtxPopCurrent(NULL);
}

enum { ANYWHERE = -1, NOWHERE = -2 };

static int
is_empty(const ck_array *array)
{
    for (int i = 0; i < array->ndim; i++)
        if (array->shape[i] == 0)
            return 1;
    return 0;
}

/* Whether the driver is asked where the array lies. */
static int
is_unknown(const struct ckpy_array *held)
{
    return !held->in_host && held->gpu < 0 && !is_empty(&held->array);
}

/* The GPU that has the array; ANYWHERE: it has no element there; NOWHERE: the driver does not know
 * it. */
static int
find_gpu(const struct ckpy_driver *driver, const struct ckpy_array *held)
{
    int ordinal = ANYWHERE;
    if (held->in_host || is_empty(&held->array))
        return ANYWHERE;
    if (held->gpu >= 0)
        return held->gpu;
    if (driver->PointerGetAttribute(&ordinal, ATTRIBUTE_DEVICE_ORDINAL, held->array.data))
        return NOWHERE;
    return ordinal;
}

static int
is_reached_by_all(const struct ckpy_driver *driver, const struct ckpy_array *held)
{
    int type = 0, managed = 0;
    if (held->gpu >= 0)
        return 0;
    driver->PointerGetAttribute(&type, ATTRIBUTE_MEMORY_TYPE, held->array.data);
    driver->PointerGetAttribute(&managed, ATTRIBUTE_IS_MANAGED, held->array.data);
    return managed || type == MEMORY_TYPE_HOST;
}

static int
fail_address(const struct ckpy_gpu *gpu, const struct ckpy_array *held, int ordinal)
{
    if (ordinal == NOWHERE)
        PyErr_Format(PyExc_ValueError,
                     "argument %zu: its address lies in no memory that the CUDA driver knows: it "
                     "was freed, or is not in a GPU's memory",
                     held->position);
    else
        PyErr_Format(
            PyExc_ValueError,
            "argument %zu: the array lies on GPU %d, and the kernel runs on GPU %d: "
            "compile with device=\"cuda:%d\" (in ck.cuda: cuda.select_device(%d)), or copy "
            "the array",
            held->position, ordinal, gpu->ordinal, ordinal, ordinal);
    return -1;
}

/* Where the arrays of a launch lie: all on the module's GPU, or all on another one. */
static int
check_addresses(struct ckpy_args *args)
{
    const struct ckpy_gpu *gpu = args->module->gpu;
    const struct ckpy_array *other = NULL;
    int is_own = 0;
    for (const struct ckpy_array *held = args->arrays; held; held = held->next) {
        int ordinal = find_gpu(gpu->driver, held);
        if (ordinal == NOWHERE)
            return fail_address(gpu, held, ordinal);
        if (ordinal == ANYWHERE)
            continue;
        if (ordinal == gpu->ordinal) {
            is_own = 1;
        } else if (!is_reached_by_all(gpu->driver, held)) {
            if (!args->module->again || (other && args->other != ordinal))
                return fail_address(gpu, held, ordinal);
            other = held;
            args->other = ordinal;
        }
    }
    return other && is_own ? fail_address(gpu, other, args->other) : 0;
}

int
ckpy_gpu_check_addresses(struct ckpy_args *args)
{
    const struct ckpy_gpu *gpu = args->module->gpu;
    const struct ckpy_array *held = args->arrays;
    while (held && !is_unknown(held))
        held = held->next;
    if (!held)
        return check_addresses(args);
    int has_pushed = enter(args->state, gpu, "using the GPU");
    if (has_pushed < 0)
        return -1;
    int status = check_addresses(args);
    leave(gpu, has_pushed);
    return status;
}

static int
wait_for_each(struct ckpy_args *args)
{
    struct ckpy_module *module = args->module;
    const struct ckpy_driver *driver = module->gpu->driver;
    void *stream = (void *)(uintptr_t)args->stream;
    int result =
        module->event ? CUDA_SUCCESS : driver->EventCreate(&module->event, EVENT_DISABLE_TIMING);
    for (size_t i = 0; i < args->n_waits && !result; i++) {
        result = driver->EventRecord(module->event, (void *)(uintptr_t)args->waits[i]);
        if (!result)
            result = driver->StreamWaitEvent(stream, module->event, 0);
    }
    return result;
}

int
ckpy_gpu_wait(struct ckpy_args *args)
{
    const struct ckpy_gpu *gpu = args->module->gpu;
    if (!gpu || !args->n_waits)
        return 0;
    static const char what[] = "waiting for another stream";
    int has_pushed = enter(args->state, gpu, what);
    if (has_pushed < 0)
        return -1;
    int result = wait_for_each(args);
    leave(gpu, has_pushed);
    if (result)
        ckpy_driver_raise(args->state, gpu->driver, what, result);
    return result ? -1 : 0;
}

ck_status
ckpy_gpu_synchronize(struct ckpy_args *args)
{
    const struct ckpy_gpu *gpu = args->module->gpu;
    int result;
    Py_BEGIN_ALLOW_THREADS result = gpu->driver->CtxPushCurrent(gpu->context);
    if (!result) {
        result = gpu->driver->StreamSynchronize((void *)(uintptr_t)args->stream);
        gpu->driver->CtxPopCurrent(NULL);
    }
    Py_END_ALLOW_THREADS
        /* ck knows what an error means: an assertion, an index out of bounds. */
        return result
        ? ck_device_synchronize(args->module->device)
        : CK_OK;
}
