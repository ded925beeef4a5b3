/* ck._core.Gpu: streams, events, memory and copies of a GPU, for ck.cuda. Handles and addresses are
 * ints. */
#include "gpu.h"

enum { CUDA_SUCCESS = 0, CUDA_ERROR_NOT_READY = 600 };

/* Runs `call`, a CUresult, in the GPU's context without the GIL. */
#define IN_CONTEXT(result, self, call)                                                             \
    do {                                                                                           \
        Py_BEGIN_ALLOW_THREADS result = (self)->driver->CtxPushCurrent((self)->context);           \
        if (!result) {                                                                             \
            result = (self)->driver->call;                                                         \
            (self)->driver->CtxPopCurrent(NULL);                                                   \
        }                                                                                          \
        Py_END_ALLOW_THREADS                                                                       \
    } while (0)

static PyObject *
fail(const struct ckpy_gpu *self, const char *call, int result)
{
    ckpy_driver_raise(PyModule_GetState(self->python_module), self->driver, call, result);
    return NULL;
}

static PyObject *
none_or_fail(const struct ckpy_gpu *self, const char *call, int result)
{
    if (result)
        return fail(self, call, result);
    Py_RETURN_NONE;
}

static PyObject *
handle_or_fail(const struct ckpy_gpu *self, const char *call, int result, uint64_t handle)
{
    return result ? fail(self, call, result) : PyLong_FromUnsignedLongLong(handle);
}

static PyObject *
ready_or_fail(const struct ckpy_gpu *self, const char *call, int result)
{
    if (result && result != CUDA_ERROR_NOT_READY)
        return fail(self, call, result);
    return PyBool_FromLong(!result);
}

/* An int argument. -1 with an exception is UINT64_MAX. */
static int
read_handle(void **out, PyObject *number)
{
    *out = (void *)(uintptr_t)PyLong_AsUnsignedLongLong(number);
    return PyErr_Occurred() ? -1 : 0;
}

#define HANDLE_METHOD(name, call, finish)                                                          \
    static PyObject *name(PyObject *object, PyObject *number)                                      \
    {                                                                                              \
        const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;                             \
        void *handle;                                                                              \
        int result;                                                                                \
        if (read_handle(&handle, number) < 0)                                                      \
            return NULL;                                                                           \
        IN_CONTEXT(result, self, call(handle));                                                    \
        return finish(self, "cu" #call, result);                                                   \
    }

HANDLE_METHOD(stream_destroy, StreamDestroy, none_or_fail)
HANDLE_METHOD(stream_synchronize, StreamSynchronize, none_or_fail)
HANDLE_METHOD(stream_query, StreamQuery, ready_or_fail)
HANDLE_METHOD(event_destroy, EventDestroy, none_or_fail)
HANDLE_METHOD(event_synchronize, EventSynchronize, none_or_fail)
HANDLE_METHOD(event_query, EventQuery, ready_or_fail)
HANDLE_METHOD(host_free, MemFreeHost, none_or_fail)

/* Streams and events are made with flags. */
#define CREATE_METHOD(name, call)                                                                  \
    static PyObject *name(PyObject *object, PyObject *flags)                                       \
    {                                                                                              \
        const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;                             \
        void *handle = NULL;                                                                       \
        int result;                                                                                \
        unsigned bits = (unsigned)PyLong_AsUnsignedLong(flags);                                    \
        if (PyErr_Occurred())                                                                      \
            return NULL;                                                                           \
        IN_CONTEXT(result, self, call(&handle, bits));                                             \
        return handle_or_fail(self, "cu" #call, result, (uintptr_t)handle);                        \
    }

CREATE_METHOD(stream_create, StreamCreate)
CREATE_METHOD(event_create, EventCreate)

static PyObject *
stream_wait(PyObject *object, PyObject *args)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    unsigned long long stream, event;
    int result;
    if (!PyArg_ParseTuple(args, "KK", &stream, &event))
        return NULL;
    IN_CONTEXT(result, self,
               StreamWaitEvent((void *)(uintptr_t)stream, (void *)(uintptr_t)event, 0));
    return none_or_fail(self, "cuStreamWaitEvent", result);
}

static PyObject *
event_record(PyObject *object, PyObject *args)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    unsigned long long event, stream;
    int result;
    if (!PyArg_ParseTuple(args, "KK", &event, &stream))
        return NULL;
    IN_CONTEXT(result, self, EventRecord((void *)(uintptr_t)event, (void *)(uintptr_t)stream));
    return none_or_fail(self, "cuEventRecord", result);
}

static PyObject *
event_elapsed(PyObject *object, PyObject *args)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    unsigned long long from, to;
    float ms = 0;
    int result;
    if (!PyArg_ParseTuple(args, "KK", &from, &to))
        return NULL;
    IN_CONTEXT(result, self, EventElapsedTime(&ms, (void *)(uintptr_t)from, (void *)(uintptr_t)to));
    return result ? fail(self, "cuEventElapsedTime", result) : PyFloat_FromDouble((double)ms);
}

enum { ATTACH_GLOBAL = 1 };

/* Memory of so many bytes; `...`: what the call takes after them. */
#define ALLOCATE_METHOD(name, call, ...)                                                           \
    static PyObject *name(PyObject *object, PyObject *number)                                      \
    {                                                                                              \
        const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;                             \
        size_t bytes = PyLong_AsSize_t(number);                                                    \
        uint64_t address = 0;                                                                      \
        int result;                                                                                \
        if (PyErr_Occurred())                                                                      \
            return NULL;                                                                           \
        IN_CONTEXT(result, self, call(&address, bytes ? bytes : 1, ##__VA_ARGS__));                \
        return handle_or_fail(self, "cu" #call, result, address);                                  \
    }

ALLOCATE_METHOD(allocate, MemAlloc)
ALLOCATE_METHOD(allocate_managed, MemAllocManaged, ATTACH_GLOBAL)

static PyObject *
release(PyObject *object, PyObject *number)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    uint64_t address = PyLong_AsUnsignedLongLong(number);
    int result;
    if (PyErr_Occurred())
        return NULL;
    IN_CONTEXT(result, self, MemFree(address));
    return none_or_fail(self, "cuMemFree", result);
}

static PyObject *
host_allocate(PyObject *object, PyObject *args)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    Py_ssize_t bytes;
    unsigned flags;
    void *memory = NULL;
    int result;
    if (!PyArg_ParseTuple(args, "nI", &bytes, &flags))
        return NULL;
    IN_CONTEXT(result, self, MemHostAlloc(&memory, bytes ? (size_t)bytes : 1, flags));
    return handle_or_fail(self, "cuMemHostAlloc", result, (uintptr_t)memory);
}

/* copy(to, from, bytes, stream): addresses of the host or of GPUs. */
static PyObject *
copy(PyObject *object, PyObject *args)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    unsigned long long to, from, stream;
    Py_ssize_t bytes;
    int result;
    if (!PyArg_ParseTuple(args, "KKnK", &to, &from, &bytes, &stream))
        return NULL;
    if (!bytes)
        Py_RETURN_NONE;
    IN_CONTEXT(result, self, MemcpyAsync(to, from, (size_t)bytes, (void *)(uintptr_t)stream));
    return none_or_fail(self, "cuMemcpyAsync", result);
}

static PyObject *
memory_info(PyObject *object, PyObject *unused)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    size_t free = 0, total = 0;
    int result;
    IN_CONTEXT(result, self, MemGetInfo(&free, &total));
    return result ? fail(self, "cuMemGetInfo", result)
                  : Py_BuildValue("nn", (Py_ssize_t)free, (Py_ssize_t)total);
}

#define PLAIN_METHOD(name, call)                                                                   \
    static PyObject *name(PyObject *object, PyObject *unused)                                      \
    {                                                                                              \
        const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;                             \
        int result;                                                                                \
        IN_CONTEXT(result, self, call());                                                          \
        return none_or_fail(self, "cu" #call, result);                                             \
    }

PLAIN_METHOD(synchronize, CtxSynchronize)
PLAIN_METHOD(profiler_start, ProfilerStart)
PLAIN_METHOD(profiler_stop, ProfilerStop)

/* Makes the GPU's context this thread's if it has none: launches then need two calls of the driver
 * less. A thread that has one, of whatever GPU, keeps it. */
static PyObject *
make_current(PyObject *object, PyObject *unused)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    void *current = NULL;
    int result = self->driver->CtxGetCurrent(&current);
    if (!result && !current)
        result = self->driver->CtxSetCurrent(self->context);
    return none_or_fail(self, "cuCtxSetCurrent", result);
}

static PyObject *
uuid(PyObject *object, PyObject *unused)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    char bytes[16] = "";
    int result = self->driver->DeviceGetUuid(bytes, self->ordinal);
    return result ? fail(self, "cuDeviceGetUuid", result)
                  : PyBytes_FromStringAndSize(bytes, sizeof bytes);
}

static PyObject *
attribute(PyObject *object, PyObject *number)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    long which = PyLong_AsLong(number);
    int value = 0;
    if (PyErr_Occurred())
        return NULL;
    int result = self->driver->DeviceGetAttribute(&value, (int)which, self->ordinal);
    return result ? fail(self, "cuDeviceGetAttribute", result) : PyLong_FromLong(value);
}

static PyObject *
device_name(PyObject *object, void *unused)
{
    const struct ckpy_gpu *self = (const struct ckpy_gpu *)object;
    char name[256] = "";
    int result = self->driver->DeviceGetName(name, sizeof name, self->ordinal);
    return result ? fail(self, "cuDeviceGetName", result) : PyUnicode_FromString(name);
}

static PyObject *
ordinal(PyObject *object, void *unused)
{
    return PyLong_FromLong(((const struct ckpy_gpu *)object)->ordinal);
}

static void
gpu_free(PyObject *object)
{
    struct ckpy_gpu *self = (struct ckpy_gpu *)object;
    PyTypeObject *type = Py_TYPE(object);
    self->driver->DevicePrimaryCtxRelease(self->ordinal);
    Py_DECREF(self->python_module);
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyMethodDef gpu_methods[] = {
    {"stream_create", stream_create, METH_O, NULL},
    {"stream_destroy", stream_destroy, METH_O, NULL},
    {"stream_synchronize", stream_synchronize, METH_O, NULL},
    {"stream_query", stream_query, METH_O, NULL},
    {"stream_wait", stream_wait, METH_VARARGS, NULL},
    {"event_create", event_create, METH_O, NULL},
    {"event_destroy", event_destroy, METH_O, NULL},
    {"event_record", event_record, METH_VARARGS, NULL},
    {"event_synchronize", event_synchronize, METH_O, NULL},
    {"event_query", event_query, METH_O, NULL},
    {"event_elapsed", event_elapsed, METH_VARARGS, NULL},
    {"allocate", allocate, METH_O, NULL},
    {"allocate_managed", allocate_managed, METH_O, NULL},
    {"release", release, METH_O, NULL},
    {"host_allocate", host_allocate, METH_VARARGS, NULL},
    {"host_free", host_free, METH_O, NULL},
    {"copy", copy, METH_VARARGS, NULL},
    {"memory_info", memory_info, METH_NOARGS, NULL},
    {"synchronize", synchronize, METH_NOARGS, NULL},
    {"make_current", make_current, METH_NOARGS, NULL},
    {"profiler_start", profiler_start, METH_NOARGS, NULL},
    {"profiler_stop", profiler_stop, METH_NOARGS, NULL},
    {"uuid", uuid, METH_NOARGS, NULL},
    {"attribute", attribute, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef gpu_getters[] = {
    {.name = "name", .get = device_name},
    {.name = "ordinal", .get = ordinal},
    {0},
};
static PyType_Slot gpu_slots[] = {
    {Py_tp_new, ckpy_refuse_new},
    {Py_tp_dealloc, gpu_free},
    {Py_tp_methods, gpu_methods},
    {Py_tp_getset, gpu_getters},
    {0, NULL},
};
PyType_Spec ckpy_gpu_spec = {
    .name = "ck._core.Gpu",
    .basicsize = sizeof(struct ckpy_gpu),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = gpu_slots,
};
