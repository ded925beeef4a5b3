/* Arguments of a launch: Python's numbers, NumPy's scalars, tuples; arrays of any kind. */
#include "ckpy.h"

#include <string.h>

/* Makes room for more arguments on the heap. */
static int
grow(struct ckpy_args *out)
{
    const int is_own = out->args == out->own_args;
    size_t room = 2 * out->room;
    ck_arg *args = PyMem_Realloc(is_own ? NULL : out->args, room * sizeof *args);
    if (!args) {
        PyErr_NoMemory();
        return -1;
    }
    if (is_own)
        memcpy(args, out->own_args, sizeof out->own_args);
    out->args = args;
    out->room = room;
    return 0;
}

static ck_arg *
add(struct ckpy_args *out)
{
    if (out->n == out->room && grow(out) < 0)
        return NULL;
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
    PyErr_Format(PyExc_OverflowError, "argument %zu: the int does not fit in 64 bits", position);
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

/* numpy.generic, borrowed; NULL without an exception as long as nobody imported NumPy. numpy.void
 * is there too then. */
static PyObject *
numpy_generic(struct ckpy_state *state)
{
    return ckpy_imported_type(&state->numpy_void, state->names.numpy, "void")
               ? ckpy_imported_type(&state->numpy_generic, state->names.numpy, "generic")
               : NULL;
}

/* 1: a scalar of NumPy, which has the type it says. */
static int
is_numpy_scalar(struct ckpy_state *state, PyObject *value)
{
    PyObject *generic = numpy_generic(state);
    if (!generic)
        return PyErr_Occurred() ? -1 : 0;
    return PyType_IsSubtype(Py_TYPE(value), (PyTypeObject *)generic);
}

/* Whether a number of Python's is what a scalar of a dtype has: a subclass may give any. */
static int
is_of_kind(ck_dtype number, ck_dtype dtype)
{
    switch (number) {
    case CK_BOOL:
        return dtype == CK_BOOL;
    case CK_INT64:
    case CK_UINT64:
        return dtype >= CK_INT8 && dtype <= CK_UINT64;
    case CK_FLOAT64:
        return dtype >= CK_FLOAT16 && dtype <= CK_FLOAT64;
    default:
        return dtype == CK_COMPLEX64 || dtype == CK_COMPLEX128;
    }
}

/* A date or time as the int that counts its units: its item() is one of datetime's objects. */
static PyObject *
count_of_date(PyObject *value)
{
    PyObject *count = PyObject_CallMethod(value, "view", "s", "i8");
    PyObject *item = count ? PyNumber_Long(count) : NULL;
    Py_XDECREF(count);
    return item;
}

/* Remembers the dtype of a type of NumPy's scalars whose values Python's functions convert: not of
 * a subclass, and not of those that the C API of 3.9 knows too little of. */
static int
keep_type(const struct ckpy_state *state, PyObject *value, PyObject *dtype, ck_dtype type)
{
    if (type > CK_FLOAT64)
        return 0;
    PyObject *of = PyObject_GetAttr(dtype, state->names.type);
    PyObject *number = of ? PyLong_FromLong(type) : NULL;
    int result = number ? 0 : -1;
    if (number && of == (PyObject *)Py_TYPE(value))
        result = PyDict_SetItem(state->numpy_scalars, of, number);
    Py_XDECREF(number);
    Py_XDECREF(of);
    return result;
}

/* A scalar of a type that is remembered. 0: it is of another one. */
static int
read_known_scalar(ck_arg *arg, const struct ckpy_state *state, PyObject *value)
{
    PyObject *number = PyDict_GetItemWithError(state->numpy_scalars, (PyObject *)Py_TYPE(value));
    if (!number)
        return PyErr_Occurred() ? -1 : 0;
    arg->scalar = (ck_dtype)PyLong_AsLong(number);
    if (arg->scalar >= CK_FLOAT16) {
        arg->value.f = PyFloat_AsDouble(value);
    } else if (arg->scalar == CK_BOOL) {
        arg->value.i = PyObject_IsTrue(value);
    } else {
        PyObject *item = PyNumber_Index(value);
        if (item && arg->scalar >= CK_UINT8)
            arg->value.u = PyLong_AsUnsignedLongLong(item);
        else if (item)
            arg->value.i = PyLong_AsLongLong(item);
        Py_XDECREF(item);
    }
    return PyErr_Occurred() ? -1 : 1;
}

static int
read_numpy_scalar(ck_arg *arg, const struct ckpy_state *state, PyObject *value, size_t position)
{
    int result = read_known_scalar(arg, state, value);
    if (result)
        return result < 0 ? -1 : 0;
    result = -1;
    PyObject *dtype = PyObject_GetAttr(value, state->names.dtype);
    PyObject *typestr = dtype ? PyObject_GetAttr(dtype, state->names.str) : NULL;
    ck_dtype type = typestr ? ckpy_dtype(state, typestr, value, position) : CK_DTYPE_NONE;
    PyObject *item = NULL;
    const int is_date = type >= CK_DATETIME64_Y;
    if (type == CK_BFLOAT16) /* of ml_dtypes, which has no item of Python's types */
        item = PyNumber_Float(value);
    else if (is_date)
        item = count_of_date(value);
    else if (type)
        item = PyObject_CallMethodObjArgs(value, state->names.item, NULL);
    if (item) {
        int number = read_number(arg, item, position);
        result = number == 1 && is_of_kind(arg->scalar, is_date ? CK_INT64 : type) ? 0 : -1;
        if (result < 0 && number >= 0)
            PyErr_Format(PyExc_TypeError, "argument %zu: its item() is no value of its dtype",
                         position);
        if (type == CK_UINT64 && arg->scalar == CK_INT64) /* not negative: the same bits */
            arg->value.u = (uint64_t)arg->value.i;
        else if (type >= CK_UINT8 && type <= CK_UINT32)
            arg->value.u = (uint64_t)arg->value.i;
        arg->scalar = type;
        if (result == 0)
            result = keep_type(state, value, dtype, type);
    }
    Py_XDECREF(item);
    Py_XDECREF(typestr);
    Py_XDECREF(dtype);
    return result;
}

static int
fail_kind(PyObject *value, size_t position)
{
    PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__name__");
    if (type)
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: kernels take numbers, tuples and arrays, not a '%U'; "
                     "numpy.asarray makes an array of what has a buffer",
                     position, type);
    Py_XDECREF(type);
    return -1;
}

/* A new array among those of the launch. */
static struct ckpy_array *
add_array(struct ckpy_args *out, size_t position)
{
    struct ckpy_array *held;
    if (out->n_own_arrays < CKPY_N_OWN) {
        held = &out->own_arrays[out->n_own_arrays++];
        memset(held, 0, sizeof *held);
    } else {
        held = ckpy_calloc(1, sizeof *held);
    }
    if (!held)
        return (struct ckpy_array *)PyErr_NoMemory();
    held->next = out->arrays;
    held->position = position;
    held->gpu = -1;
    out->arrays = held;
    return held;
}

static int
is_on_heap(const struct ckpy_args *args, const struct ckpy_array *held)
{
    return held < args->own_arrays || held >= args->own_arrays + CKPY_N_OWN;
}

static int
read_array(struct ckpy_args *out, ck_arg *arg, PyObject *value, size_t position)
{
    struct ckpy_array *held = add_array(out, position);
    if (!held)
        return -1;
    arg->value.array = &held->array;
    int is = ckpy_read_device_array(out, held, value);
    if (!is)
        is = ckpy_read_torch(out, held, value);
    if (!is)
        is = ckpy_read_interface(out, held, value);
    if (!is)
        is = ckpy_read_dlpack(out, held, value);
    if (!is)
        return fail_kind(value, position);
    out->n_in_host += is > 0 && held->in_host;
    return is < 0 ? -1 : 0;
}

static int read_value(struct ckpy_args *out, PyObject *value, size_t position, int depth);

/* Makes the argument a tuple of so many items, which are read next. */
static int
start_tuple(ck_arg *arg, Py_ssize_t n, size_t position, int depth)
{
    arg->scalar = CK_TUPLE;
    arg->value.u = (uint64_t)n;
    if (depth < CK_MAX_TUPLES)
        return 0;
    PyErr_Format(PyExc_TypeError, "argument %zu: tuples are nested deeper than %d", position,
                 CK_MAX_TUPLES);
    return -1;
}

static int
read_tuple(struct ckpy_args *out, ck_arg *arg, PyObject *value, size_t position, int depth)
{
    Py_ssize_t n = PyTuple_Size(value);
    if (start_tuple(arg, n, position, depth) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_value(out, PyTuple_GetItem(value, i), position, depth + 1) < 0)
            return -1;
    return 0;
}

/* --- Records by themselves --- */

/* The names of the fields of a scalar of NumPy, a new reference; None: it is no record. */
static PyObject *
names_of(const struct ckpy_state *state, PyObject *value)
{
    PyObject *dtype = PyObject_GetAttr(value, state->names.dtype);
    PyObject *names = dtype ? PyObject_GetAttr(dtype, state->names.names) : NULL;
    Py_XDECREF(dtype);
    return names;
}

/* A field of a record's value. An array is a tuple of its rows. */
static int
read_field(struct ckpy_args *out, PyObject *value, size_t position, int depth)
{
    int is_scalar = is_numpy_scalar(out->state, value);
    Py_ssize_t n = is_scalar ? 0 : PySequence_Size(value);
    ck_arg *arg = is_scalar ? NULL : add(out);
    if (is_scalar)
        return is_scalar < 0 ? -1 : read_value(out, value, position, depth);
    if (n < 0 || !arg || start_tuple(arg, n, position, depth) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *row = PySequence_GetItem(value, i);
        int result = row ? read_field(out, row, position, depth + 1) : -1;
        Py_XDECREF(row);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* A record as a value: a tuple of its fields. */
static int
read_record_value(struct ckpy_args *out, ck_arg *arg, PyObject *value, PyObject *names,
                  size_t position, int depth)
{
    Py_ssize_t n = PyTuple_Size(names);
    if (start_tuple(arg, n, position, depth) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *field = PyObject_GetItem(value, PyTuple_GetItem(names, i));
        int result = field ? read_field(out, field, position, depth + 1) : -1;
        Py_XDECREF(field);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* A record as a place. Its flags tell whether Python may write it: the interface of NumPy's scalars
 * says from version 2.5 on that nobody may. */
static int
read_place(struct ckpy_args *out, ck_arg *arg, PyObject *value, size_t position)
{
    if (read_array(out, arg, value, position) < 0)
        return -1;
    int is = ckpy_is_writeable(out->state, value);
    ckpy_array_of(arg)->read_only = !is;
    return is < 0 ? -1 : 0;
}

/* A record is passed as a place, an array without dimensions, where the parameter has no type, as
 * the kernel may write it; and as a value where the kernel's signature has a record. */
static int
read_record(struct ckpy_args *out, ck_arg *arg, PyObject *value, size_t position, int depth)
{
    PyObject *names = names_of(out->state, value);
    int result = -1;
    if (names && names != Py_None && !PyTuple_Check(names))
        fail_kind(value, position);
    else if (names == Py_None)
        result = read_numpy_scalar(arg, out->state, value, position);
    else if (names && ckpy_kernel_takes_tuple(out->kernel, position))
        result = read_record_value(out, arg, value, names, position, depth);
    else if (names)
        result = read_place(out, arg, value, position);
    Py_XDECREF(names);
    return result;
}

static int
read_value(struct ckpy_args *out, PyObject *value, size_t position, int depth)
{
    ck_arg *arg = add(out);
    if (!arg)
        return -1;
    if (PyTuple_Check(value))
        return read_tuple(out, arg, value, position, depth);
    if (value == Py_None) {
        arg->scalar = CK_NONE;
        return 0;
    }
    if (value == out->state->left_out) {
        arg->scalar = CK_DEFAULT;
        return 0;
    }
    if (PyFloat_CheckExact(value) || PyLong_CheckExact(value))
        return read_number(arg, value, position) < 0 ? -1 : 0;
    int scalar = is_numpy_scalar(out->state, value); /* before Python's: float64 is a float too */
    if (scalar < 0)
        return -1;
    if (scalar && PyType_IsSubtype(Py_TYPE(value), (PyTypeObject *)out->state->numpy_void))
        return read_record(out, arg, value, position, depth);
    if (scalar)
        return read_numpy_scalar(arg, out->state, value, position);
    int number = read_number(arg, value, position);
    if (number)
        return number < 0 ? -1 : 0;
    return read_array(out, arg, value, position);
}

int
ckpy_args_wait_for(struct ckpy_args *args, uint64_t stream)
{
    if (stream == args->stream)
        return 0;
    for (size_t i = 0; i < args->n_waits; i++)
        if (args->waits[i] == stream)
            return 0;
    if (args->n_waits == CKPY_MAX_WAITS) {
        PyErr_Format(PyExc_ValueError, "the arguments come from more than %d streams",
                     CKPY_MAX_WAITS);
        return -1;
    }
    args->waits[args->n_waits++] = stream;
    return 0;
}

/* The launch's stream: the caller's, else that of PyTorch if a tensor is among the arguments. */
static int
choose_stream(struct ckpy_args *out, const struct ckpy_shape *shape, PyObject *tuple)
{
    if (!out->module->gpu) {
        if (shape->stream)
            PyErr_SetString(PyExc_ValueError, "the CPU device has no streams: pass None or 0");
        return shape->stream ? -1 : 0;
    }
    out->stream = shape->stream;
    return shape->has_stream ? 0 : ckpy_torch_stream(&out->stream, out, tuple);
}

int
ckpy_args_read(struct ckpy_args *out, struct ckpy_module *module, const struct ckpy_record *kernel,
               const struct ckpy_shape *shape, PyObject *tuple)
{
    memset(out, 0, offsetof(struct ckpy_args, own_args));
    out->module = module;
    out->kernel = kernel;
    out->state = ckpy_state(module);
    out->args = out->own_args;
    out->room = CKPY_N_OWN;
    out->other = -1;
    Py_ssize_t n = PyTuple_Size(tuple);
    if (choose_stream(out, shape, tuple) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_value(out, PyTuple_GetItem(tuple, i), (size_t)i + 1, 0) < 0)
            return -1;
    if (kernel->n_declared && ckpy_take_declared_types(out) < 0)
        return -1;
    return module->gpu ? ckpy_gpu_check_addresses(out) : 0;
}

void
ckpy_args_free(struct ckpy_args *args)
{
    for (struct ckpy_array *held = args->arrays, *next; held; held = next) {
        next = held->next;
        Py_XDECREF(held->owner);
        PyMem_Free(held->block);
        if (is_on_heap(args, held))
            PyMem_Free(held);
    }
    PyMem_Free(args->spans);
    if (args->args != args->own_args)
        PyMem_Free(args->args);
}
