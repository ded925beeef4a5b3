/* Types of records: the list of fields of an array interface. */
#include "ckpy.h"

#include <stdlib.h>
#include <string.h>

/* A record that is being read. */
struct fields {
    ck_field *items; /* the names and the records in them are owned */
    int n;
    size_t size;
};

static void
release(struct fields *fields)
{
    for (int i = 0; i < fields->n; i++) {
        PyMem_Free((char *)fields->items[i].name);
        free((ck_record *)fields->items[i].record);
    }
    PyMem_Free(fields->items);
}

static int
fail(size_t position, PyObject *what)
{
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "argument %zu: kernels have no records with the field %R",
                     position, what);
    return -1;
}

static char *
copy_name(PyObject *name)
{
    PyObject *bytes = PyUnicode_Check(name) ? PyUnicode_AsUTF8String(name) : NULL;
    const char *text = bytes ? PyBytes_AsString(bytes) : NULL;
    char *copy = text ? PyMem_Malloc(strlen(text) + 1) : NULL;
    if (copy)
        strcpy(copy, text);
    Py_XDECREF(bytes);
    return copy;
}

/* The bytes of padding that a field's type is, as "|V4" without a name; -1: it is none. */
static Py_ssize_t
padding(PyObject *name, PyObject *type)
{
    if (!PyUnicode_Check(name) || PyUnicode_GetLength(name) || !PyUnicode_Check(type))
        return -1;
    char *text = copy_name(type);
    Py_ssize_t bytes = text && strncmp(text, "|V", 2) == 0 ? atoi(text + 2) : -1;
    PyMem_Free(text);
    return bytes;
}

/* One field, `(name, type)` or `(name, type, shape)`, into `field`, which is zero. */
static int
read_field(ck_field *field, PyObject *item, size_t position)
{
    PyObject *type = PyTuple_GetItem(item, 1);
    field->name = copy_name(PyTuple_GetItem(item, 0));
    if (!field->name)
        return fail(position, item);
    if (PyList_Check(type)) {
        field->dtype = CK_RECORD;
        field->record = ckpy_record_read(type, position);
    } else {
        field->dtype = ckpy_dtype_read(type, position);
    }
    if (!field->dtype || (field->dtype == CK_RECORD && !field->record))
        return -1;
    if (PyTuple_Size(item) == 3)
        field->ndim = ckpy_integers_read(field->shape, PyTuple_GetItem(item, 2),
                                         "the shape of a field", position);
    return field->ndim < 0 ? -1 : 0;
}

static size_t
bytes_of(const ck_field *field)
{
    size_t bytes = field->record ? field->record->size : ck_dtype_size(field->dtype);
    for (int i = 0; i < field->ndim; i++)
        bytes *= (size_t)field->shape[i];
    return bytes;
}

static int
add_field(struct fields *out, PyObject *item, size_t position)
{
    if (!PyTuple_Check(item) || PyTuple_Size(item) < 2 || PyTuple_Size(item) > 3)
        return fail(position, item);
    Py_ssize_t gap = padding(PyTuple_GetItem(item, 0), PyTuple_GetItem(item, 1));
    if (gap >= 0) {
        out->size += (size_t)gap;
        return 0;
    }
    ck_field *field = &out->items[out->n++];
    if (read_field(field, item, position) < 0)
        return -1;
    field->offset = out->size;
    out->size += bytes_of(field);
    return 0;
}

ck_record *
ckpy_record_read(PyObject *descr, size_t position)
{
    const Py_ssize_t n = PyList_Size(descr);
    struct fields fields = {.items = PyMem_Calloc((size_t)n + 1, sizeof *fields.items)};
    ck_record *record = NULL;
    int good = fields.items != NULL && !Py_EnterRecursiveCall(" in the type of an argument");
    if (good) {
        for (Py_ssize_t i = 0; i < n && good; i++)
            good = add_field(&fields, PyList_GetItem(descr, i), position) == 0;
        Py_LeaveRecursiveCall();
    }
    if (good) {
        const ck_record found = {fields.size, fields.n, fields.items};
        record = ck_record_copy(&found);
    }
    if (fields.items)
        release(&fields);
    if (!record && !PyErr_Occurred())
        PyErr_NoMemory();
    return record;
}
