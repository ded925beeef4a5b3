/* Types of records: NumPy's structured dtypes, each read once. */
#include "ckpy.h"

#include <stdlib.h>
#include <string.h>

/* A record that is being read, and where it is in others. */
struct reading {
    const struct reading *outer;
    PyObject *name; /* of the field of `outer` that is read; NULL: none yet */
    struct ckpy_state *state;
    size_t position;   /* of the argument */
    ck_field *fields;  /* the names and the records in them are owned */
    Py_ssize_t n_read; /* fields that are filled, perhaps in part */
};

static ck_record *read_record(const struct reading *outer, struct ckpy_state *state,
                              size_t position, PyObject *dtype);

static void
release(struct reading *in)
{
    for (Py_ssize_t i = 0; i < in->n_read; i++) {
        PyMem_Free((char *)in->fields[i].name);
        free((ck_record *)in->fields[i].record);
    }
    PyMem_Free(in->fields);
}

/* "outer.inner", a new reference. */
static PyObject *
path_of(const struct reading *in)
{
    PyObject *outer = in->outer ? path_of(in->outer) : NULL;
    if (in->outer && !outer)
        return NULL;
    PyObject *path =
        outer ? PyUnicode_FromFormat("%U.%S", outer, in->name) : PyObject_Str(in->name);
    Py_XDECREF(outer);
    return path;
}

/* Sets a TypeError that names the argument and the field, of which `what` speaks; it may have one
 * %R for `value`. -1. */
static int
fail(const struct reading *in, const char *what, PyObject *value)
{
    PyObject *path = PyErr_Occurred() ? NULL : path_of(in);
    PyObject *text = path ? PyUnicode_FromFormat(what, value) : NULL;
    if (text)
        PyErr_Format(PyExc_TypeError, "argument %zu: field `%U` %U", in->position, path, text);
    Py_XDECREF(text);
    Py_XDECREF(path);
    return -1;
}

/* A copy of the field's name, which ck takes if it is an identifier of ASCII. */
static int
read_name(struct reading *in, ck_field *field)
{
    PyObject *bytes = PyUnicode_Check(in->name) && PyUnicode_IsIdentifier(in->name) == 1
                          ? PyUnicode_AsASCIIString(in->name)
                          : NULL;
    if (!bytes) {
        PyErr_Clear();
        return fail(in, "has no identifier as its name", NULL);
    }
    char *copy = PyMem_Malloc((size_t)PyBytes_Size(bytes) + 1);
    if (copy)
        strcpy(copy, PyBytes_AsString(bytes));
    else
        PyErr_NoMemory();
    field->name = copy;
    Py_DECREF(bytes);
    return copy ? 0 : -1;
}

static int
read_number(struct reading *in, ck_field *field, PyObject *dtype)
{
    PyObject *typestr = PyObject_GetAttr(dtype, in->state->names.str);
    PyObject *name = typestr ? PyObject_GetAttr(dtype, in->state->names.name) : NULL;
    if (name && PyUnicode_Check(typestr) && PyUnicode_Check(name))
        field->dtype = ckpy_dtype_find(typestr, name);
    int found = field->dtype != CK_DTYPE_NONE;
    if (!found && !PyErr_Occurred() && PyUnicode_ReadChar(typestr, 0) == '>')
        fail(in, "of dtype %R is big-endian: pass x.astype(x.dtype.newbyteorder('='))", typestr);
    else if (!found)
        fail(in, "has dtype %R, which kernels do not have", typestr);
    Py_XDECREF(name);
    Py_XDECREF(typestr);
    return found ? 0 : -1;
}

static int
read_element(struct reading *in, ck_field *field, PyObject *dtype)
{
    PyObject *names = PyObject_GetAttr(dtype, in->state->names.names);
    int result = -1, depth = 1;
    for (const struct reading *outer = in; outer; outer = outer->outer)
        depth++;
    if (names && names != Py_None && depth > CK_MAX_TUPLES) {
        fail(in, "lies in 16 records already", NULL);
    } else if (names && names != Py_None) {
        field->dtype = CK_RECORD;
        field->record = read_record(in, in->state, in->position, dtype);
        result = field->record ? 0 : -1;
    } else if (names) {
        result = read_number(in, field, dtype);
    }
    Py_XDECREF(names);
    return result;
}

/* `subdtype` is None, or (dtype of the elements, shape) of a field that is an array. */
static int
read_type(struct reading *in, ck_field *field, PyObject *dtype)
{
    PyObject *array = PyObject_GetAttrString(dtype, "subdtype"), *element = dtype, *shape = NULL;
    int failed = !array;
    if (array && array != Py_None)
        failed = !PyArg_ParseTuple(array, "OO", &element, &shape);
    if (!failed && shape) {
        field->ndim = ckpy_read_integers(field->shape, shape, "the shape of a field", in->position);
        failed = field->ndim < 0;
    }
    for (int i = 0; !failed && i < field->ndim; i++)
        if (field->shape[i] < 1)
            failed = fail(in, "has the shape %R, without elements", shape) < 0;
    failed = failed || read_element(in, field, element) < 0;
    Py_XDECREF(array);
    return failed ? -1 : 0;
}

/* `entry`: (dtype, offset), or with a title. */
static int
read_field(struct reading *in, ck_field *field, PyObject *entry)
{
    if (!entry)
        return -1;
    if (!PyTuple_Check(entry) || PyTuple_Size(entry) < 2)
        return fail(in, "is no pair of a dtype and an offset", NULL);
    if (read_name(in, field) < 0)
        return -1;
    field->offset = PyLong_AsSize_t(PyTuple_GetItem(entry, 1));
    return PyErr_Occurred() ? -1 : read_type(in, field, PyTuple_GetItem(entry, 0));
}

static int
read_fields(struct reading *in, PyObject *names, PyObject *entries)
{
    Py_ssize_t n = PyTuple_Check(names) ? PyTuple_Size(names) : 0;
    if (n < 1) {
        PyErr_Format(PyExc_TypeError, "argument %zu: its records have no fields", in->position);
        return -1;
    }
    if (!(in->fields = ckpy_calloc((size_t)n, sizeof *in->fields))) {
        PyErr_NoMemory();
        return -1;
    }
    while (in->n_read < n) {
        in->name = PyTuple_GetItem(names, in->n_read);
        PyObject *entry = PyObject_GetItem(entries, in->name);
        int result = read_field(in, &in->fields[in->n_read++], entry);
        Py_XDECREF(entry);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* The record type of a dtype that has `names`, from malloc. */
static ck_record *
read_record(const struct reading *outer, struct ckpy_state *state, size_t position, PyObject *dtype)
{
    struct reading in = {.outer = outer, .state = state, .position = position};
    PyObject *names = PyObject_GetAttr(dtype, state->names.names);
    PyObject *entries = names ? PyObject_GetAttrString(dtype, "fields") : NULL;
    PyObject *size = entries ? PyObject_GetAttrString(dtype, "itemsize") : NULL;
    ck_record *record = NULL, found = {.size = size ? PyLong_AsSize_t(size) : 0};
    if (!PyErr_Occurred() && read_fields(&in, names, entries) == 0) {
        found.n_fields = (int)in.n_read;
        found.fields = in.fields;
        record = ck_record_copy(&found);
        if (!record)
            PyErr_NoMemory();
    }
    release(&in);
    Py_XDECREF(size);
    Py_XDECREF(entries);
    Py_XDECREF(names);
    return record;
}

static void
free_record(PyObject *capsule)
{
    free(PyCapsule_GetPointer(capsule, NULL));
}

const ck_record *
ckpy_record(struct ckpy_state *state, PyObject *dtype, size_t position)
{
    PyObject *capsule = PyDict_GetItemWithError(state->records, dtype);
    if (capsule || PyErr_Occurred())
        return capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    ck_record *record = read_record(NULL, state, position, dtype);
    PyObject *made = record ? PyCapsule_New(record, NULL, free_record) : NULL;
    if (record && !made)
        free(record);
    /* Another thread may have read it meanwhile, and use its record. */
    capsule = made ? PyObject_CallMethod(state->records, "setdefault", "OO", dtype, made) : NULL;
    Py_XDECREF(made);
    const ck_record *kept = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    Py_XDECREF(capsule); /* the dict has it */
    return kept;
}

/* The dtype that an interface describes, likewise. */
static PyObject *
described_dtype(const struct ckpy_state *state, PyObject *interface)
{
    PyObject *descr = PyDict_GetItemWithError(interface, state->names.descr);
    if (!descr || !PyList_Check(descr) || PyList_Size(descr) == 0)
        return NULL;
    Py_INCREF(descr);
    PyObject *format = PyImport_ImportModule("numpy.lib.format");
    PyObject *dtype = format ? PyObject_CallMethod(format, "descr_to_dtype", "O", descr) : NULL;
    Py_XDECREF(format);
    Py_DECREF(descr);
    return dtype;
}

/* The dtype with fields that an object has or that its interface describes, a new reference; NULL,
 * perhaps without an exception: none. */
static PyObject *
structured_dtype(const struct ckpy_state *state, PyObject *value, PyObject *interface)
{
    PyObject *dtype = ckpy_attribute(value, state->names.dtype);
    if (!dtype && interface && !PyErr_Occurred())
        dtype = described_dtype(state, interface);
    PyObject *names = dtype ? ckpy_attribute(dtype, state->names.names) : NULL;
    if (!names || names == Py_None)
        Py_CLEAR(dtype);
    Py_XDECREF(names);
    return dtype;
}

int
ckpy_read_record_elements(struct ckpy_args *args, struct ckpy_array *held, PyObject *value,
                          PyObject *interface)
{
    PyObject *dtype = structured_dtype(args->state, value, interface);
    if (!dtype)
        return PyErr_Occurred() ? -1 : 0;
    held->array.dtype = CK_RECORD;
    held->array.record = ckpy_record(args->state, dtype, held->position);
    Py_DECREF(dtype);
    return held->array.record ? 1 : -1;
}
