/* The shape of a launch: kernel[grid, block, stream, shared_bytes, cluster]. */
#include "ckpy.h"

static int
read_extent(uint32_t *out, PyObject *value, const char *what)
{
    PyObject *index = PyNumber_Index(value);
    if (!index) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "%s is an int or a tuple of at most three, not %R", what,
                         value);
        return -1;
    }
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow)
        PyErr_Format(PyExc_ValueError, "%s is at least 1 and below 2**32", what);
    else if (number < 1 || number > UINT32_MAX)
        PyErr_Format(PyExc_ValueError, "%s is at least 1 and below 2**32, not %lld", what, number);
    else
        *out = (uint32_t)number;
    return PyErr_Occurred() ? -1 : 0;
}

static int
read_extents(ck_dim3 *out, PyObject *tuple, const char *what)
{
    Py_ssize_t n = PyTuple_Size(tuple);
    if (n < 1 || n > 3) {
        PyErr_Format(PyExc_ValueError, "%s has one to three extents, not %zd", what, n);
        return -1;
    }
    uint32_t *extents[] = {&out->x, &out->y, &out->z};
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_extent(extents[i], PyTuple_GetItem(tuple, i), what) < 0)
            return -1;
    return 0;
}

int
ckpy_read_dim3(ck_dim3 *out, PyObject *value, const char *what)
{
    *out = (ck_dim3){1, 1, 1};
    if (PyTuple_Check(value))
        return read_extents(out, value, what);
    if (!PyList_Check(value))
        return read_extent(&out->x, value, what);
    PyObject *tuple = PyList_AsTuple(value); /* an item's __index__ may change the list */
    int result = tuple ? read_extents(out, tuple, what) : -1;
    Py_XDECREF(tuple);
    return result;
}

/* The handle that an object has by the protocol of CUDA's Python packages: (version, handle). */
static PyObject *
handle_by_protocol(PyObject *method)
{
    PyObject *pair = PyObject_CallObject(method, NULL);
    PyObject *handle = NULL;
    if (pair && PyTuple_Check(pair) && PyTuple_Size(pair) == 2) {
        handle = PyTuple_GetItem(pair, 1);
        Py_INCREF(handle);
    } else if (pair) {
        PyErr_Format(PyExc_TypeError, "__cuda_stream__() is (version, handle), not %R", pair);
    }
    Py_XDECREF(pair);
    return handle;
}

/* The handle of a stream object, as an int or None: CUDA's protocol, CuPy's, PyTorch's, Numba's. */
static PyObject *
handle_of(const struct ckpy_names *names, PyObject *stream)
{
    PyObject *method = ckpy_attribute(stream, names->cuda_stream);
    if (method) {
        PyObject *handle = handle_by_protocol(method);
        Py_DECREF(method);
        return handle;
    }
    PyObject *const members[] = {names->torch_stream, names->ptr, names->handle};
    PyObject *handle = NULL;
    for (size_t i = 0; i < 3 && !handle && !PyErr_Occurred(); i++)
        handle = ckpy_attribute(stream, members[i]);
    PyObject *value = handle && !PyLong_Check(handle) ? ckpy_attribute(handle, names->value) : NULL;
    if (handle && !value && handle != Py_None && !PyLong_Check(handle) && !PyErr_Occurred())
        value = PyNumber_Long(handle); /* of NVIDIA's bindings; else of a ctypes.c_void_p */
    if (value) {
        Py_DECREF(handle);
        handle = value;
    }
    return handle;
}

static int
read_stream(struct ckpy_shape *out, const struct ckpy_state *state, PyObject *stream)
{
    if (stream == Py_None)
        return 0;
    PyObject *handle = stream;
    if (PyLong_Check(stream))
        Py_INCREF(handle);
    else
        handle = handle_of(&state->names, stream);
    if (handle && handle != Py_None && PyLong_Check(handle))
        out->stream = PyLong_AsUnsignedLongLong(handle);
    else if (handle != Py_None && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError,
                     "a stream is None, an int, or an object with __cuda_stream__, not %R", stream);
    Py_XDECREF(handle);
    out->has_stream = 1;
    return PyErr_Occurred() ? -1 : 0;
}

int
ckpy_read_shared_bytes(uint32_t *out, PyObject *value)
{
    PyObject *index = PyNumber_Index(value);
    int overflow;
    long long bytes = index ? PyLong_AsLongLongAndOverflow(index, &overflow) : 0;
    Py_XDECREF(index);
    if (!index && PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "the bytes of shared memory are an int, not %R", value);
    else if (index && (overflow || bytes < 0 || bytes > UINT32_MAX))
        PyErr_SetString(PyExc_ValueError,
                        "the bytes of shared memory are at least 0 and below 2**32");
    else if (index)
        *out = (uint32_t)bytes;
    return PyErr_Occurred() ? -1 : 0;
}

int
ckpy_shape_read(struct ckpy_shape *out, const struct ckpy_state *state, PyObject *key)
{
    Py_ssize_t n = PyTuple_Check(key) ? PyTuple_Size(key) : 0;
    if (n < 2 || n > 5) {
        PyErr_SetString(PyExc_TypeError,
                        "a launch is kernel[grid, block, stream, shared_bytes, cluster](...), of "
                        "which grid and block are required");
        return -1;
    }
    *out = (struct ckpy_shape){0};
    ck_shape *shape = &out->shape;
    out->largest = PyTuple_GetItem(key, 0) == state->max;
    if ((!out->largest && ckpy_read_dim3(&shape->grid, PyTuple_GetItem(key, 0), "the grid") < 0) ||
        ckpy_read_dim3(&shape->block, PyTuple_GetItem(key, 1), "the block") < 0)
        return -1;
    if (n > 2 && read_stream(out, state, PyTuple_GetItem(key, 2)) < 0)
        return -1;
    if (n > 3 && ckpy_read_shared_bytes(&shape->shared_bytes, PyTuple_GetItem(key, 3)) < 0)
        return -1;
    if (n > 4 && PyTuple_GetItem(key, 4) != Py_None)
        return ckpy_read_dim3(&shape->cluster, PyTuple_GetItem(key, 4), "the cluster");
    return 0;
}
