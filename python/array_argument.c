/* Arrays by __cuda_array_interface__ and __array_interface__. */
#include "ckpy.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    ck_dtype dtype;
} dtypes[] = {
    {"b1", CK_BOOL},      {"i1", CK_INT8},        {"i2", CK_INT16},   {"i4", CK_INT32},
    {"i8", CK_INT64},     {"u1", CK_UINT8},       {"u2", CK_UINT16},  {"u4", CK_UINT32},
    {"u8", CK_UINT64},    {"f2", CK_FLOAT16},     {"f4", CK_FLOAT32}, {"f8", CK_FLOAT64},
    {"c8", CK_COMPLEX64}, {"c16", CK_COMPLEX128},
};

/* The name of the dtype of `value`, a new reference; NULL without an exception: it has none. */
static PyObject *
dtype_name(const struct ckpy_state *state, PyObject *value)
{
    PyObject *dtype = ckpy_attribute(value, state->names.dtype);
    PyObject *name = dtype ? ckpy_attribute(dtype, state->names.name) : NULL;
    Py_XDECREF(dtype);
    return name;
}

static ck_dtype
find_dtype(const char *text)
{
    if (text[0] == '<' || text[0] == '|' || text[0] == '=')
        for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
            if (!strcmp(dtypes[i].name, text + 1))
                return dtypes[i].dtype;
    const int is_date = text[0] == '<' && (text[1] == 'M' || text[1] == 'm');
    return is_date ? ck_dtype_by_name(text + 1) : CK_DTYPE_NONE;
}

/* bfloat16 is ml_dtypes's, whose type string is that of 2 bytes of anything. */
static int
is_bfloat16(const char *text, PyObject *name)
{
    return !strcmp(text, "<V2") && name && PyUnicode_Check(name) &&
           !PyUnicode_CompareWithASCIIString(name, "bfloat16");
}

/* The bytes of a string, whatever it has; NULL, perhaps without an exception, if it is none. */
static PyObject *
bytes_of(PyObject *text)
{
    return PyUnicode_Check(text) ? PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace")
                                 : NULL;
}

ck_dtype
ckpy_dtype_find(PyObject *typestr, PyObject *name)
{
    PyObject *bytes = bytes_of(typestr);
    const char *text = bytes ? PyBytes_AsString(bytes) : "?";
    ck_dtype found = is_bfloat16(text, name) ? CK_BFLOAT16 : find_dtype(text);
    PyErr_Clear();
    Py_XDECREF(bytes);
    return found;
}

static void
fail_dtype(const char *text, size_t position)
{
    if (text[0] == '>')
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: elements of dtype '%s' are big-endian: pass "
                     "x.astype(x.dtype.newbyteorder('='))",
                     position, text);
    else if (text[0] && (text[1] == 'M' || text[1] == 'm'))
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: kernels have no multiples of units, dtype '%s': pass "
                     "x.astype('%c8[s]')",
                     position, text, text[1]);
    else
        PyErr_Format(PyExc_TypeError, "argument %zu: kernels have no elements of dtype '%s'",
                     position, text);
}

ck_dtype
ckpy_dtype(const struct ckpy_state *state, PyObject *typestr, PyObject *value, size_t position)
{
    PyObject *bytes = bytes_of(typestr);
    if (PyErr_Occurred())
        return CK_DTYPE_NONE;
    const char *text = bytes ? PyBytes_AsString(bytes) : "?";
    ck_dtype found = find_dtype(text);
    PyObject *name = found ? NULL : dtype_name(state, value);
    if (!found && is_bfloat16(text, name))
        found = CK_BFLOAT16;
    if (!found && !PyErr_Occurred())
        fail_dtype(text, position);
    Py_XDECREF(name);
    Py_XDECREF(bytes);
    return found;
}

int
ckpy_read_integers(int64_t *out, PyObject *tuple, const char *what, size_t position)
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

/* A new reference, as what reads one entry may run code that changes the dict; NULL, perhaps
 * without an exception, if it is absent or None. */
static PyObject *
entry(PyObject *interface, PyObject *name)
{
    PyObject *value = PyDict_GetItemWithError(interface, name);
    if (!value || value == Py_None)
        return NULL;
    Py_INCREF(value);
    return value;
}

static int
read_strides(ck_array *a, PyObject *strides, size_t position)
{
    int n = ckpy_read_integers(a->strides, strides, "its strides", position);
    if (n >= 0 && n != a->ndim)
        PyErr_Format(PyExc_TypeError, "argument %zu: it has %d strides for %d dimensions", position,
                     n, a->ndim);
    return n == a->ndim ? 0 : -1;
}

size_t
ckpy_item_size(const ck_array *a)
{
    return a->record ? a->record->size : ck_dtype_size(a->dtype);
}

int
ckpy_fill_strides(ck_array *a, size_t position)
{
    int64_t stride = (int64_t)ckpy_item_size(a);
    for (int i = a->ndim; i-- > 0;) {
        a->strides[i] = stride;
        if (__builtin_mul_overflow(stride, a->shape[i], &stride))
            return ckpy_fail_size(position);
    }
    return 0;
}

int
ckpy_fail_size(size_t position)
{
    PyErr_Format(PyExc_ValueError, "argument %zu: the array is larger than the address space",
                 position);
    return -1;
}

static int
fail_mask(size_t position)
{
    PyErr_Format(PyExc_TypeError,
                 "argument %zu: kernels have no arrays with a mask: pass x.data or x.filled(...)",
                 position);
    return -1;
}

/* The type of the elements, by the type string; of records, which it does not tell from bytes, by
 * more. */
static int
read_elements(struct ckpy_args *args, struct ckpy_array *held, PyObject *interface,
              PyObject *typestr, PyObject *value)
{
    int is_void = PyUnicode_Check(typestr) && PyUnicode_GetLength(typestr) > 2 &&
                  PyUnicode_ReadChar(typestr, 1) == 'V';
    int is = is_void ? ckpy_read_record_elements(args, held, value, interface) : 0;
    if (is)
        return is < 0 ? -1 : 0;
    held->array.dtype = ckpy_dtype(args->state, typestr, value, held->position);
    return held->array.dtype ? 0 : -1;
}

/* What an array interface says of the layout, and of the elements. */
struct entries {
    PyObject *typestr, *shape, *strides, *data;
};

static int
read_layout(struct ckpy_array *held, const struct entries *in)
{
    ck_array *a = &held->array;
    a->ndim = ckpy_read_integers(a->shape, in->shape, "its shape", held->position);
    if (a->ndim < 0)
        return -1;
    if (in->strides ? read_strides(a, in->strides, held->position) < 0
                    : ckpy_fill_strides(a, held->position) < 0)
        return -1;
    a->data = PyLong_AsUnsignedLongLong(PyTuple_GetItem(in->data, 0));
    held->read_only = PyErr_Occurred() ? -1 : PyObject_IsTrue(PyTuple_GetItem(in->data, 1));
    return held->read_only < 0 ? -1 : 0;
}

static int
read_entries(struct ckpy_args *args, struct ckpy_array *held, PyObject *interface,
             const struct entries *in, PyObject *value)
{
    if (in->typestr && in->shape && in->data && PyTuple_Check(in->data) &&
        PyTuple_Size(in->data) == 2)
        return read_elements(args, held, interface, in->typestr, value) < 0 ? -1
                                                                            : read_layout(held, in);
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: its array interface lacks typestr, shape or data",
                     held->position);
    return -1;
}

static int
read_dict(struct ckpy_args *args, struct ckpy_array *held, PyObject *interface, PyObject *value)
{
    const struct ckpy_names *names = &args->state->names;
    struct entries in = {entry(interface, names->typestr), entry(interface, names->shape),
                         entry(interface, names->strides), entry(interface, names->data)};
    PyObject *mask = entry(interface, names->mask);
    int result = mask || PyErr_Occurred() ? -1 : read_entries(args, held, interface, &in, value);
    if (mask)
        fail_mask(held->position);
    Py_XDECREF(mask);
    Py_XDECREF(in.data);
    Py_XDECREF(in.strides);
    Py_XDECREF(in.shape);
    Py_XDECREF(in.typestr);
    return result;
}

/* What the interface of an array in a GPU's memory has beside NumPy's. */
static int
read_stream(struct ckpy_args *args, const struct ckpy_array *held, PyObject *interface)
{
    if (!args->module->gpu) {
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: the array lies in a GPU's memory, which the CPU device cannot "
                     "read: copy it to a NumPy array",
                     held->position);
        return -1;
    }
    PyObject *stream = entry(interface, args->state->names.stream);
    uint64_t handle = stream ? PyLong_AsUnsignedLongLong(stream) : 0;
    Py_XDECREF(stream);
    if (PyErr_Occurred())
        return -1;
    /* 1 is the default stream, whose handle is NULL too. */
    return stream ? ckpy_args_wait_for(args, handle == 1 ? 0 : handle) : 0;
}

/* --- __array_struct__, which NumPy makes in a tenth of the time of its interface's dict --- */

struct array_struct {
    int two; /* the version of the structure */
    int ndim;
    char kind;
    int item_bytes, flags;
    Py_ssize_t *shape, *strides;
    void *data;
};

enum { FLAG_NATIVE_ORDER = 0x200, FLAG_WRITEABLE = 0x400 };

static ck_dtype
dtype_of_struct(const struct array_struct *s)
{
    char name[8];
    snprintf(name, sizeof name, "%c%d", s->kind, s->item_bytes);
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes && s->flags & FLAG_NATIVE_ORDER; i++)
        if (!strcmp(dtypes[i].name, name))
            return dtypes[i].dtype;
    return CK_DTYPE_NONE;
}

/* 1: the elements are numbers, or records; 0: the array's dict describes them better. */
static int
read_struct_elements(struct ckpy_args *args, struct ckpy_array *held, const struct array_struct *s,
                     PyObject *value)
{
    if (s->kind == 'V')
        return ckpy_read_record_elements(args, held, value, NULL);
    held->array.dtype = dtype_of_struct(s);
    return held->array.dtype != CK_DTYPE_NONE;
}

int
ckpy_is_writeable(const struct ckpy_state *state, PyObject *value)
{
    PyObject *flags = ckpy_attribute(value, state->names.flags);
    PyObject *writeable = flags ? ckpy_attribute(flags, state->names.writeable) : NULL;
    int is = writeable ? PyObject_IsTrue(writeable) : 0;
    Py_XDECREF(writeable);
    Py_XDECREF(flags);
    return PyErr_Occurred() ? -1 : is;
}

/* Of an array with fields NumPy's structure has lost its flags. */
static int
is_writeable(const struct ckpy_state *state, const struct array_struct *s, PyObject *value)
{
    return s->kind == 'V' ? ckpy_is_writeable(state, value) : (s->flags & FLAG_WRITEABLE) != 0;
}

/* 0: the array has no such structure, or one that its dict describes better. */
static int
read_struct(struct ckpy_args *args, struct ckpy_array *held, PyObject *value)
{
    ck_array *a = &held->array;
    PyObject *capsule = ckpy_attribute(value, args->state->names.array_struct);
    int is_capsule = capsule && PyCapsule_IsValid(capsule, NULL);
    const struct array_struct *s = is_capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    int is_read = s && s->two == 2 && s->ndim >= 0 && s->ndim <= CK_MAX_DIMS
                      ? read_struct_elements(args, held, s, value)
                      : 0;
    for (int i = 0; is_read > 0 && i < s->ndim; i++) {
        a->shape[i] = s->shape[i];
        a->strides[i] = s->strides[i];
    }
    if (is_read > 0) {
        a->ndim = s->ndim;
        a->data = (uint64_t)(uintptr_t)s->data;
        held->in_host = 1;
        int is = is_writeable(args->state, s, value);
        held->read_only = !is;
        held->owner = capsule;
        is_read = is < 0 ? -1 : 1;
    } else {
        Py_XDECREF(capsule);
    }
    return PyErr_Occurred() ? -1 : is_read;
}

/* numpy.ndarray, borrowed; NULL without an exception as long as nobody imported NumPy. */
static PyObject *
numpy_array(struct ckpy_state *state)
{
    return ckpy_imported_type(&state->numpy_array, state->names.numpy, "ndarray");
}

/* Whether it is NumPy's, so that its structure is to be relied on. */
static int
is_numpy_array(struct ckpy_state *state, PyObject *value)
{
    return (PyObject *)Py_TYPE(value) == numpy_array(state);
}

/* A subclass of NumPy's arrays that has a mask, of which its interface says nothing. */
static int
check_mask(struct ckpy_state *state, PyObject *value, size_t position)
{
    PyObject *array = numpy_array(state);
    if (!array || !PyType_IsSubtype(Py_TYPE(value), (PyTypeObject *)array))
        return PyErr_Occurred() ? -1 : 0;
    PyObject *mask = ckpy_attribute(value, state->names.mask);
    int has_mask = mask != NULL;
    Py_XDECREF(mask);
    return has_mask ? fail_mask(position) : PyErr_Occurred() ? -1 : 0;
}

int
ckpy_read_interface(struct ckpy_args *out, struct ckpy_array *held, PyObject *value)
{
    const struct ckpy_names *names = &out->state->names;
    PyObject *const attributes[] = {names->cuda_array_interface, names->array_interface};
    int first = !out->module->gpu; /* the likelier one */
    int is_read = is_numpy_array(out->state, value) ? read_struct(out, held, value) : 0;
    if (is_read)
        return is_read;
    PyObject *interface = NULL;
    for (int i = 0; i < 2 && !interface && !PyErr_Occurred(); i++) {
        held->in_host = first ^ i;
        interface = ckpy_attribute(value, attributes[held->in_host]);
    }
    held->owner = interface;
    if (PyErr_Occurred())
        return -1;
    if (!interface)
        return 0;
    if (!PyDict_Check(interface)) {
        PyErr_Format(PyExc_TypeError, "argument %zu: its array interface is no dict",
                     held->position);
        return -1;
    }
    if (held->in_host ? check_mask(out->state, value, held->position) < 0
                      : read_stream(out, held, interface) < 0)
        return -1;
    return read_dict(out, held, interface, value) < 0 ? -1 : 1;
}
