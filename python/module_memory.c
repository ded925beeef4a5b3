/* Arrays of a module in the device's memory: what ck._module_array needs of the core. */
#include "ckpy.h"

#include <string.h>

/* --- Descriptions --- */

/* NumPy's name of a dtype; bfloat16 has none, and its bits are uint16's. */
static const char *
numpy_name(ck_dtype dtype)
{
    return dtype == CK_BFLOAT16 ? "uint16" : ck_dtype_name(dtype);
}

static PyObject *describe_record(const ck_record *record);

/* What numpy.dtype makes a dtype of. */
static PyObject *
describe_dtype(ck_dtype dtype, const ck_record *record)
{
    return record ? describe_record(record) : PyUnicode_FromString(numpy_name(dtype));
}

static PyObject *
shape_of(const int64_t *shape, int ndim)
{
    PyObject *tuple = PyTuple_New(ndim);
    for (int i = 0; tuple && i < ndim; i++) {
        PyObject *extent = PyLong_FromLongLong(shape[i]);
        if (!extent || PyTuple_SetItem(tuple, i, extent) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *
describe_field(const ck_field *field)
{
    PyObject *dtype = describe_dtype(field->dtype, field->record);
    PyObject *shape = dtype ? shape_of(field->shape, field->ndim) : NULL;
    PyObject *format = shape ? PyTuple_Pack(2, dtype, shape) : NULL;
    Py_XDECREF(dtype);
    Py_XDECREF(shape);
    return format;
}

/* Adds a new reference to a list; -1 without one. */
static int
append(PyObject *list, PyObject *item)
{
    int status = item ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return status;
}

static PyObject *
describe_record(const ck_record *record)
{
    PyObject *names = PyList_New(0), *formats = PyList_New(0), *offsets = PyList_New(0);
    int failed = !names || !formats || !offsets;
    for (int i = 0; !failed && i < record->n_fields; i++) {
        const ck_field *field = &record->fields[i];
        failed = append(names, PyUnicode_FromString(field->name)) < 0 ||
                 append(formats, describe_field(field)) < 0 ||
                 append(offsets, PyLong_FromSize_t(field->offset)) < 0;
    }
    PyObject *dict = failed
                         ? NULL
                         : Py_BuildValue("{s:O,s:O,s:O,s:n}", "names", names, "formats", formats,
                                         "offsets", offsets, "itemsize", (Py_ssize_t)record->size);
    Py_XDECREF(names);
    Py_XDECREF(formats);
    Py_XDECREF(offsets);
    return dict;
}

static const ck_global_desc *
find(const struct ckpy_module *self, const char *name)
{
    for (size_t i = 0; i < ck_module_n_globals(self->module); i++) {
        const ck_global_desc *desc = ck_module_global(self->module, i);
        if (strcmp(desc->name, name) == 0)
            return desc;
    }
    return NULL;
}

/* A new ck._module_array.ModuleArray. */
static PyObject *
make_array(struct ckpy_module *self, const ck_global_desc *desc)
{
    PyObject *module = PyImport_ImportModule("ck._module_array");
    PyObject *dtype = module ? describe_dtype(desc->dtype, desc->record) : NULL;
    PyObject *shape = dtype ? shape_of(desc->shape, desc->ndim) : NULL;
    PyObject *array = NULL;
    if (shape)
        array = PyObject_CallMethod(module, "ModuleArray", "OsOOii", self, desc->name, dtype, shape,
                                    desc->constant, self->gpu != NULL);
    Py_XDECREF(module);
    Py_XDECREF(dtype);
    Py_XDECREF(shape);
    return array;
}

PyObject *
ckpy_module_array(struct ckpy_module *self, PyObject *name)
{
    PyObject *bytes = PyUnicode_Check(name) ? PyUnicode_AsUTF8String(name) : NULL;
    if (!bytes) {
        PyErr_Clear(); /* no name of an array: what looks for kernels says so */
        return NULL;
    }
    const ck_global_desc *desc = find(self, PyBytes_AsString(bytes));
    Py_DECREF(bytes);
    return desc ? make_array(self, desc) : NULL;
}

PyObject *
ckpy_module_arrays(PyObject *object, void *unused)
{
    const ck_module *module = ((struct ckpy_module *)object)->module;
    PyObject *names = PyList_New(0);
    for (size_t i = 0; names && i < ck_module_n_globals(module); i++) {
        if (append(names, PyUnicode_FromString(ck_module_global(module, i)->name)) < 0)
            Py_CLEAR(names);
    }
    return names;
}

/* --- Access --- */

PyObject *
ckpy_array_address(PyObject *object, PyObject *args)
{
    struct ckpy_module *self = (struct ckpy_module *)object;
    const char *name;
    ck_array array;
    ck_status status;
    if (!PyArg_ParseTuple(args, "s", &name) || ckpy_enter(self) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = ck_module_get_global(&array, self->module, self->device, name);
    Py_END_ALLOW_THREADS if (status) ckpy_raise(self, status);
    ckpy_leave(self);
    return status ? NULL : PyLong_FromUnsignedLongLong(array.data);
}

/* Copies `bytes` at a host address to or from the array. */
static PyObject *
copy_array(PyObject *object, PyObject *args, int writes)
{
    struct ckpy_module *self = (struct ckpy_module *)object;
    const char *name;
    unsigned long long address;
    Py_ssize_t bytes;
    ck_status status;
    if (!PyArg_ParseTuple(args, "sKn", &name, &address, &bytes) || ckpy_enter(self) < 0)
        return NULL;
    void *host = (void *)(uintptr_t)address;
    Py_BEGIN_ALLOW_THREADS if (writes) status =
        ck_module_write_global(self->module, self->device, name, 0, host, (size_t)bytes);
    else status = ck_module_read_global(self->module, self->device, name, 0, host, (size_t)bytes);
    Py_END_ALLOW_THREADS if (status) ckpy_raise(self, status);
    ckpy_leave(self);
    if (status)
        return NULL;
    Py_RETURN_NONE;
}

PyObject *
ckpy_array_read(PyObject *object, PyObject *args)
{
    return copy_array(object, args, 0);
}

PyObject *
ckpy_array_write(PyObject *object, PyObject *args)
{
    return copy_array(object, args, 1);
}
