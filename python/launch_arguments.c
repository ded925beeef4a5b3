/* Arguments of a launch: Python's numbers, NumPy's scalars and arrays, tuples. */
#include "ckpy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256 };

static const struct {
    const char *name;
    ck_dtype dtype;
} dtypes[] = {
    {"b1", CK_BOOL},      {"i1", CK_INT8},        {"i2", CK_INT16},   {"i4", CK_INT32},
    {"i8", CK_INT64},     {"u1", CK_UINT8},       {"u2", CK_UINT16},  {"u4", CK_UINT32},
    {"u8", CK_UINT64},    {"f2", CK_FLOAT16},     {"f4", CK_FLOAT32}, {"f8", CK_FLOAT64},
    {"c8", CK_COMPLEX64}, {"c16", CK_COMPLEX128},
};

ck_dtype
ckpy_dtype_read(PyObject *typestr, size_t position)
{
    PyObject *bytes = PyUnicode_Check(typestr) ? PyUnicode_AsUTF8String(typestr) : NULL;
    const char *text = bytes ? PyBytes_AsString(bytes) : "?";
    ck_dtype found = CK_DTYPE_NONE;
    if (text[0] == '<' || text[0] == '|' || text[0] == '=')
        for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
            if (!strcmp(dtypes[i].name, text + 1))
                found = dtypes[i].dtype;
    if (!found && !PyErr_Occurred()) {
        if (text[0] == '>')
            PyErr_Format(PyExc_TypeError,
                         "argument %zu: elements of dtype '%s' are big-endian: pass "
                         "x.astype(x.dtype.newbyteorder('='))",
                         position, text);
        else
            PyErr_Format(PyExc_TypeError, "argument %zu: kernels have no elements of dtype '%s'",
                         position, text);
    }
    Py_XDECREF(bytes);
    return found;
}

static ck_arg *
add(struct ckpy_args *out)
{
    if (out->n == out->room) {
        size_t room = out->room ? 2 * out->room : 16;
        ck_arg *args = PyMem_Realloc(out->args, room * sizeof *args);
        if (!args) {
            PyErr_NoMemory();
            return NULL;
        }
        out->args = args;
        out->room = room;
    }
    ck_arg *arg = &out->args[out->n++];
    memset(arg, 0, sizeof *arg);
    return arg;
}

static int
read_integer(ck_arg *arg, PyObject *value, size_t position)
{
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (number == -1 && !overflow && PyErr_Occurred())
        return -1;
    arg->scalar = CK_INT64;
    arg->value.i = number;
    if (!overflow)
        return 0;
    arg->scalar = CK_UINT64;
    arg->value.u = overflow > 0 ? PyLong_AsUnsignedLongLong(value) : 0;
    if (overflow > 0 && !PyErr_Occurred())
        return 0;
    PyErr_Clear();
    PyErr_Format(PyExc_OverflowError, "argument %zu: %R does not fit in 64 bits", position, value);
    return -1;
}

/* One of Python's numbers. 0: `value` is none. */
static int
read_number(ck_arg *arg, PyObject *value, size_t position)
{
    if (PyBool_Check(value)) {
        arg->scalar = CK_BOOL;
        arg->value.i = value == Py_True;
    } else if (PyLong_Check(value)) {
        return read_integer(arg, value, position) < 0 ? -1 : 1;
    } else if (PyFloat_Check(value)) {
        arg->scalar = CK_FLOAT64;
        arg->value.f = PyFloat_AsDouble(value);
    } else if (PyComplex_Check(value)) {
        arg->scalar = CK_COMPLEX128;
        arg->value.c = (ck_complex){PyComplex_RealAsDouble(value), PyComplex_ImagAsDouble(value)};
    } else {
        return 0;
    }
    return 1;
}

/* 1: a scalar of NumPy, which has the type it says. */
static int
is_numpy_scalar(PyObject *value)
{
    PyObject *name = PyUnicode_FromString("numpy");
    PyObject *numpy = name ? PyImport_GetModule(name) : NULL;
    Py_XDECREF(name);
    if (!numpy)
        return PyErr_Occurred() ? -1 : 0;
    PyObject *generic = PyObject_GetAttrString(numpy, "generic");
    int is = generic ? PyObject_IsInstance(value, generic) : -1;
    Py_XDECREF(generic);
    Py_DECREF(numpy);
    return is;
}

static int
read_numpy_scalar(ck_arg *arg, PyObject *value, size_t position)
{
    int result = -1;
    PyObject *dtype = PyObject_GetAttrString(value, "dtype");
    PyObject *typestr = dtype ? PyObject_GetAttrString(dtype, "str") : NULL;
    ck_dtype type = typestr ? ckpy_dtype_read(typestr, position) : CK_DTYPE_NONE;
    PyObject *item = type ? PyObject_CallMethod(value, "item", NULL) : NULL;
    if (item) {
        result = read_number(arg, item, position) == 1 ? 0 : -1;
        if (type == CK_UINT64 && arg->scalar == CK_INT64) /* not negative: the same bits */
            arg->value.u = (uint64_t)arg->value.i;
        else if (type >= CK_UINT8 && type <= CK_UINT32)
            arg->value.u = (uint64_t)arg->value.i;
        arg->scalar = type;
    }
    Py_XDECREF(item);
    Py_XDECREF(typestr);
    Py_XDECREF(dtype);
    return result;
}

int
ckpy_integers_read(int64_t *out, PyObject *tuple, const char *what, size_t position)
{
    Py_ssize_t n = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
    if (n < 0 || n > CK_MAX_DIMS) {
        PyErr_Format(PyExc_TypeError, "argument %zu: %s is %R; arrays have at most %d dimensions",
                     position, what, tuple, CK_MAX_DIMS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        out[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
        if (out[i] == -1 && PyErr_Occurred())
            return -1;
    }
    return (int)n;
}

/* Borrowed; NULL without an exception if it is absent or None. */
static PyObject *
entry(PyObject *interface, const char *name)
{
    PyObject *value = PyDict_GetItemString(interface, name);
    return value == Py_None ? NULL : value;
}

static int64_t
item_size(const ck_array *array)
{
    return (int64_t)(array->record ? array->record->size : ck_dtype_size(array->dtype));
}

/* Whether an interface's `descr` has fields: that of an array of numbers is `[("", "<f4")]`. */
static int
has_fields(PyObject *descr)
{
    for (Py_ssize_t i = 0; descr && PyList_Check(descr) && i < PyList_Size(descr); i++) {
        PyObject *field = PyList_GetItem(descr, i);
        PyObject *name = PyTuple_Check(field) ? PyTuple_GetItem(field, 0) : NULL;
        if (name && !(PyUnicode_Check(name) && !PyUnicode_GetLength(name)))
            return 1;
    }
    return 0;
}

/* Reads the type of the elements. */
static int
read_elements(struct ckpy_array *held, PyObject *interface, PyObject *typestr)
{
    PyObject *descr = entry(interface, "descr");
    if (!has_fields(descr)) {
        held->array.dtype = ckpy_dtype_read(typestr, held->position);
        return held->array.dtype ? 0 : -1;
    }
    held->array.dtype = CK_RECORD;
    held->array.record = held->record = ckpy_record_read(descr, held->position);
    return held->record ? 0 : -1;
}

/* Passes a copy of the bytes that the array spans. */
static int
copy_read_only(struct ckpy_array *held)
{
    ck_array *a = &held->array;
    int64_t low = 0, high = item_size(a);
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] == 0)
            return 0; /* no element that could be written */
        int64_t reach = (a->shape[i] - 1) * a->strides[i];
        *(reach < 0 ? &low : &high) += reach;
    }
    held->bytes = (size_t)(high - low);
    held->original = (const char *)(uintptr_t)a->data + low;
    held->block = PyMem_Malloc(held->bytes + 2 * ALIGNMENT);
    if (!held->block) {
        PyErr_NoMemory();
        return -1;
    }
    uintptr_t phase = (uintptr_t)held->original % ALIGNMENT;
    uintptr_t start = ((uintptr_t)held->block + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    held->copy = (char *)(start + phase);
    memcpy(held->copy, held->original, held->bytes);
    a->data = (uint64_t)(uintptr_t)(held->copy - low);
    return 0;
}

static int
read_interface(struct ckpy_array *held, PyObject *interface)
{
    ck_array *a = &held->array;
    size_t position = held->position;
    PyObject *typestr = entry(interface, "typestr"), *shape = entry(interface, "shape");
    PyObject *strides = entry(interface, "strides"), *data = entry(interface, "data");
    if (!typestr || !shape || !data || !PyTuple_Check(data) || PyTuple_Size(data) != 2) {
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: its __array_interface__ lacks typestr, shape or data",
                     position);
        return -1;
    }
    if (read_elements(held, interface, typestr) < 0 ||
        (a->ndim = ckpy_integers_read(a->shape, shape, "its shape", position)) < 0)
        return -1;
    if (strides) {
        int n = ckpy_integers_read(a->strides, strides, "its strides", position);
        if (n >= 0 && n != a->ndim)
            PyErr_Format(PyExc_TypeError, "argument %zu: it has %d strides for %d dimensions",
                         position, n, a->ndim);
    } else {
        int64_t stride = item_size(a);
        for (int i = a->ndim; i-- > 0; stride *= a->shape[i])
            a->strides[i] = stride;
    }
    if (PyErr_Occurred())
        return -1;
    a->data = PyLong_AsUnsignedLongLong(PyTuple_GetItem(data, 0));
    int read_only = PyErr_Occurred() ? -1 : PyObject_IsTrue(PyTuple_GetItem(data, 1));
    return read_only > 0 ? copy_read_only(held) : read_only;
}

static int
read_array(struct ckpy_args *out, ck_arg *arg, PyObject *value, size_t position)
{
    PyObject *interface = PyObject_GetAttrString(value, "__array_interface__");
    if (!interface) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError))
            return -1;
        PyErr_Clear();
        PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__name__");
        if (PyObject_HasAttrString(value, "__cuda_array_interface__"))
            PyErr_Format(PyExc_TypeError,
                         "argument %zu: a '%V' lies in a GPU's memory, which the CPU device cannot "
                         "read: copy it to a NumPy array",
                         position, type, "?");
        else
            PyErr_Format(PyExc_TypeError,
                         "argument %zu: kernels take numbers, tuples and arrays, not a '%V'; "
                         "numpy.asarray makes an array of what has a buffer",
                         position, type, "?");
        Py_XDECREF(type);
        return -1;
    }
    struct ckpy_array *held = PyMem_Calloc(1, sizeof *held);
    if (!held) {
        Py_DECREF(interface);
        PyErr_NoMemory();
        return -1;
    }
    *held = (struct ckpy_array){.next = out->arrays, .interface = interface, .position = position};
    out->arrays = held;
    arg->value.array = &held->array;
    if (PyDict_Check(interface))
        return read_interface(held, interface);
    PyErr_Format(PyExc_TypeError, "argument %zu: its __array_interface__ is no dict", position);
    return -1;
}

static int read_value(struct ckpy_args *out, PyObject *value, size_t position, int depth);
static int read_items(struct ckpy_args *out, PyObject *items, size_t position, int depth);

static int
read_tuple(struct ckpy_args *out, ck_arg *arg, PyObject *value, size_t position, int depth)
{
    Py_ssize_t n = PyTuple_Size(value);
    arg->scalar = CK_TUPLE;
    arg->value.u = (uint64_t)n;
    if (depth == CK_MAX_TUPLES) {
        PyErr_Format(PyExc_TypeError, "argument %zu: tuples are nested deeper than %d", position,
                     CK_MAX_TUPLES);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_value(out, PyTuple_GetItem(value, i), position, depth + 1) < 0)
            return -1;
    return 0;
}

/* The names of the fields of a NumPy record, a new reference; NULL: it is none. */
static PyObject *
names_of(PyObject *value)
{
    PyObject *dtype = PyObject_GetAttrString(value, "dtype");
    PyObject *names = dtype ? PyObject_GetAttrString(dtype, "names") : NULL;
    Py_XDECREF(dtype);
    if (names && PyTuple_Check(names))
        return names;
    Py_XDECREF(names);
    PyErr_Clear();
    return NULL;
}

/* A record by itself: a tuple of its fields, of which an array is a tuple of its rows. */
static int
read_record(struct ckpy_args *out, PyObject *value, PyObject *names, size_t position, int depth)
{
    PyObject *items = PyTuple_New(PyTuple_Size(names));
    for (Py_ssize_t i = 0; items && i < PyTuple_Size(names); i++) {
        PyObject *item = PyObject_GetItem(value, PyTuple_GetItem(names, i));
        if (!item || PyTuple_SetItem(items, i, item) < 0) {
            Py_DECREF(items);
            return -1;
        }
    }
    int status = items ? read_items(out, items, position, depth) : -1;
    Py_XDECREF(items);
    return status;
}

/* The items of a record, or of an array in one. */
static int
read_items(struct ckpy_args *out, PyObject *items, size_t position, int depth)
{
    ck_arg *arg = add(out);
    Py_ssize_t n = PyTuple_Size(items);
    if (!arg)
        return -1;
    arg->scalar = CK_TUPLE;
    arg->value.u = (uint64_t)n;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GetItem(items, i);
        PyObject *rows = is_numpy_scalar(item) ? NULL : PySequence_Tuple(item);
        int status = rows               ? read_items(out, rows, position, depth + 1)
                     : PyErr_Occurred() ? -1
                                        : read_value(out, item, position, depth + 1);
        Py_XDECREF(rows);
        if (status < 0)
            return -1;
    }
    return 0;
}

static int
read_value(struct ckpy_args *out, PyObject *value, size_t position, int depth)
{
    int scalar = is_numpy_scalar(value); /* before Python's: numpy.float64 is a float too */
    PyObject *names = scalar > 0 ? names_of(value) : NULL;
    if (names) {
        int status = read_record(out, value, names, position, depth);
        Py_DECREF(names);
        return status;
    }
    ck_arg *arg = add(out);
    if (!arg)
        return -1;
    if (value == Py_None) {
        arg->scalar = CK_NONE;
        return 0;
    }
    if (PyTuple_Check(value))
        return read_tuple(out, arg, value, position, depth);
    if (scalar)
        return scalar < 0 ? -1 : read_numpy_scalar(arg, value, position);
    int number = read_number(arg, value, position);
    if (number)
        return number < 0 ? -1 : 0;
    return read_array(out, arg, value, position);
}

int
ckpy_args_read(struct ckpy_args *out, PyObject *tuple)
{
    *out = (struct ckpy_args){0};
    Py_ssize_t n = PyTuple_Size(tuple);
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_value(out, PyTuple_GetItem(tuple, i), (size_t)i + 1, 0) < 0)
            return -1;
    return 0;
}

int
ckpy_args_check_read_only(const struct ckpy_args *args)
{
    for (const struct ckpy_array *held = args->arrays; held; held = held->next)
        if (held->copy && memcmp(held->copy, held->original, held->bytes)) {
            PyErr_Format(PyExc_ValueError,
                         "argument %zu: the kernel writes this array, which is read-only; its "
                         "values are unchanged",
                         held->position);
            return -1;
        }
    return 0;
}

void
ckpy_args_free(struct ckpy_args *args)
{
    for (struct ckpy_array *held = args->arrays, *next; held; held = next) {
        next = held->next;
        Py_DECREF(held->interface);
        free(held->record);
        PyMem_Free(held->block);
        PyMem_Free(held);
    }
    PyMem_Free(args->args);
}
