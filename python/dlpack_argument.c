/* Arrays by DLPack: JAX's, and those of others that have no array interface. The structures are
 * those of DLPack's specification, versions 0.8 and 1. */
#include "ckpy.h"

#include <string.h>

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BFLOAT = 4, DL_COMPLEX = 5, DL_BOOL = 6 };
enum { DL_FLAG_READ_ONLY = 1, DL_DEFAULT_STREAM = 1 };

struct dl_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: those of C order */
    uint64_t byte_offset;
};

struct dl_versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct dl_versioned *self);
    uint64_t flags;
    struct dl_tensor tensor;
};

static ck_dtype
dtype_of(const struct dl_tensor *t, size_t position)
{
    static const struct {
        uint8_t code, bits;
        ck_dtype dtype;
    } rows[] = {
        {DL_BOOL, 8, CK_BOOL},
        {DL_INT, 8, CK_INT8},
        {DL_INT, 16, CK_INT16},
        {DL_INT, 32, CK_INT32},
        {DL_INT, 64, CK_INT64},
        {DL_UINT, 8, CK_UINT8},
        {DL_UINT, 16, CK_UINT16},
        {DL_UINT, 32, CK_UINT32},
        {DL_UINT, 64, CK_UINT64},
        {DL_FLOAT, 16, CK_FLOAT16},
        {DL_FLOAT, 32, CK_FLOAT32},
        {DL_FLOAT, 64, CK_FLOAT64},
        {DL_BFLOAT, 16, CK_BFLOAT16},
        {DL_COMPLEX, 64, CK_COMPLEX64},
        {DL_COMPLEX, 128, CK_COMPLEX128},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows && t->lanes == 1; i++)
        if (rows[i].code == t->code && rows[i].bits == t->bits)
            return rows[i].dtype;
    PyErr_Format(PyExc_TypeError,
                 "argument %zu: kernels have no elements of DLPack's type (code %d, %d bits, %d "
                 "lanes)",
                 position, t->code, t->bits, t->lanes);
    return CK_DTYPE_NONE;
}

static int
read_tensor(struct ckpy_array *held, const struct dl_tensor *t)
{
    ck_array *a = &held->array;
    if (!(a->dtype = dtype_of(t, held->position)))
        return -1;
    if (t->ndim < 0 || t->ndim > CK_MAX_DIMS) {
        PyErr_Format(PyExc_TypeError, "argument %zu: arrays have at most %d dimensions, not %d",
                     held->position, CK_MAX_DIMS, t->ndim);
        return -1;
    }
    a->ndim = t->ndim;
    a->data = (uint64_t)(uintptr_t)t->data + t->byte_offset;
    int64_t size = (int64_t)ck_dtype_size(a->dtype);
    for (int i = 0; i < a->ndim; i++) {
        a->shape[i] = t->shape[i];
        if (t->strides && __builtin_mul_overflow(t->strides[i], size, &a->strides[i]))
            return ckpy_fail_size(held->position);
    }
    return !t->strides && ckpy_fill_strides(a, held->position) < 0 ? -1 : 1;
}

/* The capsule keeps the tensor until it is freed itself. */
static int
read_capsule(struct ckpy_array *held, PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        struct dl_versioned *v = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        if (v->major != 1) {
            PyErr_Format(PyExc_TypeError, "argument %zu: it has DLPack %u, and ck knows DLPack 1",
                         held->position, v->major);
            return -1;
        }
        held->read_only = (v->flags & DL_FLAG_READ_ONLY) != 0;
        return read_tensor(held, &v->tensor);
    }
    if (!PyCapsule_IsValid(capsule, "dltensor")) {
        PyErr_Format(PyExc_TypeError, "argument %zu: its __dlpack__() made no capsule of a tensor",
                     held->position);
        return -1;
    }
    held->read_only = held->in_host; /* it cannot say */
    const struct dl_tensor *tensor = PyCapsule_GetPointer(capsule, "dltensor");
    return read_tensor(held, tensor);
}

/* Calls __dlpack__, with the newest version that ck knows if the object takes that. */
static PyObject *
call_dlpack(const struct ckpy_args *args, PyObject *value, int in_host)
{
    PyObject *method = PyObject_GetAttr(value, args->state->names.dlpack);
    PyObject *none = PyTuple_New(0), *capsule = NULL;
    PyObject *stream = Py_None;
    if (!in_host)
        stream = PyLong_FromUnsignedLongLong(args->stream ? args->stream : DL_DEFAULT_STREAM);
    else
        Py_INCREF(stream);
    PyObject *keywords =
        stream ? Py_BuildValue("{s:O,s:(ii)}", "stream", stream, "max_version", 1, 0) : NULL;
    if (method && none && keywords) {
        capsule = PyObject_Call(method, none, keywords);
        if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            if (PyDict_DelItemString(keywords, "max_version") == 0)
                capsule = PyObject_Call(method, none, keywords);
        }
    }
    Py_XDECREF(keywords);
    Py_XDECREF(stream);
    Py_XDECREF(none);
    Py_XDECREF(method);
    return capsule;
}

static int
read_device(int *type, const struct ckpy_args *args, PyObject *value)
{
    PyObject *pair = PyObject_CallMethodObjArgs(value, args->state->names.dlpack_device, NULL);
    int is_pair = pair && PyTuple_Check(pair) && PyTuple_Size(pair) == 2;
    PyObject *kind = is_pair ? PyTuple_GetItem(pair, 0) : NULL;
    PyObject *plain = kind ? PyNumber_Index(kind) : NULL; /* it may be an enumeration's member */
    *type = plain ? (int)PyLong_AsLong(plain) : -1;
    Py_XDECREF(plain);
    Py_XDECREF(pair);
    return PyErr_Occurred() ? -1 : 0;
}

int
ckpy_read_dlpack(struct ckpy_args *out, struct ckpy_array *held, PyObject *value)
{
    PyObject *method = PyObject_GetAttr((PyObject *)Py_TYPE(value), out->state->names.dlpack);
    if (!method) {
        int absent = PyErr_ExceptionMatches(PyExc_AttributeError);
        if (absent)
            PyErr_Clear();
        return absent ? 0 : -1;
    }
    Py_DECREF(method);
    int type;
    if (read_device(&type, out, value) < 0)
        return -1;
    held->in_host = type == DL_CPU || type == DL_CUDA_HOST;
    if (!held->in_host && (type != DL_CUDA && type != DL_CUDA_MANAGED)) {
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: the array lies on a device of DLPack's kind %d, neither a CUDA "
                     "GPU nor the host",
                     held->position, type);
        return -1;
    }
    if (!held->in_host && !out->module->gpu) {
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: the array lies in a GPU's memory, which the CPU device cannot "
                     "read: copy it to a NumPy array",
                     held->position);
        return -1;
    }
    held->owner = call_dlpack(out, value, held->in_host);
    return held->owner ? read_capsule(held, held->owner) : -1;
}
