/* The base of ck.cuda's device arrays. It keeps what the first launch reads of an array, which
 * never changes, and the GPU whose memory ck has allocated for it: later launches ask nobody. */
#include "ckpy.h"

enum { NOT_READ, BEING_READ, READ };

struct device_array {
    PyObject ob_base;
    int progress; /* of the members below */
    int in_host, read_only;
    ck_array array;
    int gpu; /* that has the memory; -1: the driver knows */
};

static PyObject *
device_array_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *object = PyType_GenericAlloc(type, 0);
    if (object)
        ((struct device_array *)object)->gpu = -1;
    return object;
}

static void
device_array_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free); /* a subclass's, with a GC */
    release(object);
    Py_DECREF(type);
}

static PyObject *
set_gpu(PyObject *object, PyObject *number)
{
    long ordinal = PyLong_AsLong(number);
    if (ordinal == -1 && PyErr_Occurred())
        return NULL;
    ((struct device_array *)object)->gpu = (int)ordinal;
    Py_RETURN_NONE;
}

/* One of the threads that read the array at the same time keeps what it has read. */
static void
keep(struct device_array *self, const struct ckpy_array *held)
{
    int expected = NOT_READ;
    if (!__atomic_compare_exchange_n(&self->progress, &expected, BEING_READ, 0, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return;
    self->array = held->array;
    self->in_host = held->in_host;
    self->read_only = held->read_only;
    __atomic_store_n(&self->progress, READ, __ATOMIC_RELEASE);
}

int
ckpy_read_device_array(struct ckpy_args *out, struct ckpy_array *held, PyObject *value)
{
    if (!PyType_IsSubtype(Py_TYPE(value), (PyTypeObject *)out->state->device_array_type))
        return 0;
    struct device_array *self = (struct device_array *)value;
    int is_known = __atomic_load_n(&self->progress, __ATOMIC_ACQUIRE) == READ;
    held->gpu = self->gpu;
    if (!is_known || (!self->in_host && !out->module->gpu)) {
        int is = ckpy_read_interface(out, held, value);
        if (is > 0)
            keep(self, held);
        return is;
    }
    held->array = self->array;
    held->in_host = self->in_host;
    held->read_only = self->read_only;
    return 1;
}

static PyMethodDef device_array_methods[] = {
    {"_set_gpu", set_gpu, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot device_array_slots[] = {
    {Py_tp_new, device_array_new},
    {Py_tp_dealloc, device_array_free},
    {Py_tp_methods, device_array_methods},
    {Py_tp_doc, "The base of device arrays."},
    {0, NULL},
};
PyType_Spec ckpy_device_array_spec = {
    .name = "ck._core.DeviceArray",
    .basicsize = sizeof(struct device_array),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = device_array_slots,
};
