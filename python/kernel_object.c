/* Kernels as Python objects, and launches of them: kernel[grid, block, stream, shared](...). */
#include "ckpy.h"

struct kernel_object {
    PyObject ob_base;
    struct ckpy_module *module;
    ck_kernel *kernel;
    PyObject *name;
};

struct launcher_object {
    PyObject ob_base;
    struct kernel_object *kernel;
    ck_shape shape;
};

PyObject *
ckpy_kernel(struct ckpy_module *self, PyObject *name, PyObject *missing)
{
    PyObject *bytes = PyUnicode_Check(name) ? PyUnicode_AsUTF8String(name) : NULL;
    if (!bytes) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "the name of a kernel is a str, not %R", name);
        return NULL;
    }
    ck_kernel *kernel;
    if (ckpy_enter(self) < 0) {
        Py_DECREF(bytes);
        return NULL;
    }
    ck_status status = ck_kernel_get(&kernel, self->module, self->device, PyBytes_AsString(bytes));
    if (status == CK_ERROR_NOT_FOUND)
        PyErr_SetString(missing, ck_context_error(self->ctx));
    else if (status)
        ckpy_raise(self, status);
    ckpy_leave(self);
    Py_DECREF(bytes);
    if (status)
        return NULL;
    PyTypeObject *type = (PyTypeObject *)ckpy_state(self)->kernel_type;
    struct kernel_object *object = (struct kernel_object *)PyType_GenericAlloc(type, 0);
    if (!object)
        return NULL;
    Py_INCREF(self);
    Py_INCREF(name);
    object->module = self;
    object->kernel = kernel;
    object->name = name;
    return (PyObject *)object;
}

static void
kernel_free(PyObject *object)
{
    struct kernel_object *self = (struct kernel_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(self->name);
    Py_XDECREF(self->module);
    PyObject_Free(object);
    Py_DECREF(type);
}

static int
read_extent(uint32_t *out, PyObject *value, const char *what)
{
    PyObject *index = PyNumber_Index(value);
    if (!index) {
        PyErr_Format(PyExc_TypeError, "%s is an int or a tuple of at most three, not %R", what,
                     value);
        return -1;
    }
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow || number < 1 || number > UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s is at least 1 and below 2**32, not %R", what, value);
        return -1;
    }
    *out = (uint32_t)number;
    return 0;
}

static int
read_dim3(ck_dim3 *out, PyObject *value, const char *what)
{
    *out = (ck_dim3){1, 1, 1};
    if (!PyTuple_Check(value))
        return read_extent(&out->x, value, what);
    Py_ssize_t n = PyTuple_Size(value);
    if (n < 1 || n > 3) {
        PyErr_Format(PyExc_ValueError, "%s has one to three extents, not %R", what, value);
        return -1;
    }
    uint32_t *extents[] = {&out->x, &out->y, &out->z};
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_extent(extents[i], PyTuple_GetItem(value, i), what) < 0)
            return -1;
    return 0;
}

static int
read_shape(ck_shape *out, PyObject *key)
{
    Py_ssize_t n = PyTuple_Check(key) ? PyTuple_Size(key) : 0;
    if (n < 2 || n > 5) {
        PyErr_SetString(PyExc_TypeError,
                        "a launch is kernel[grid, block, stream, shared_bytes, cluster](...), of "
                        "which grid and block are required");
        return -1;
    }
    *out = (ck_shape){0};
    if (read_dim3(&out->grid, PyTuple_GetItem(key, 0), "the grid") < 0 ||
        read_dim3(&out->block, PyTuple_GetItem(key, 1), "the block") < 0)
        return -1;
    if (n > 2) {
        PyObject *stream = PyTuple_GetItem(key, 2);
        int set = stream != Py_None && PyObject_IsTrue(stream);
        if (set) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "the CPU device has no streams: pass None or 0");
            return -1;
        }
    }
    if (n > 3) {
        PyObject *shared = PyTuple_GetItem(key, 3);
        unsigned long long bytes = PyLong_Check(shared) ? PyLong_AsUnsignedLongLong(shared) : 0;
        if (!PyLong_Check(shared) || PyErr_Occurred() || bytes > UINT32_MAX) {
            PyErr_Clear();
            PyErr_Format(PyExc_ValueError, "the bytes of shared memory are an int, not %R", shared);
            return -1;
        }
        out->shared_bytes = (uint32_t)bytes;
    }
    if (n > 4 && PyTuple_GetItem(key, 4) != Py_None)
        return read_dim3(&out->cluster, PyTuple_GetItem(key, 4), "the cluster");
    return 0;
}

static PyObject *
kernel_subscript(PyObject *object, PyObject *key)
{
    struct kernel_object *self = (struct kernel_object *)object;
    ck_shape shape;
    if (read_shape(&shape, key) < 0)
        return NULL;
    PyTypeObject *type = (PyTypeObject *)ckpy_state(self->module)->launcher_type;
    struct launcher_object *launcher = (struct launcher_object *)PyType_GenericAlloc(type, 0);
    if (!launcher)
        return NULL;
    Py_INCREF(self);
    launcher->kernel = self;
    launcher->shape = shape;
    return (PyObject *)launcher;
}

static PyObject *
kernel_call(PyObject *object, PyObject *args, PyObject *keywords)
{
    struct kernel_object *self = (struct kernel_object *)object;
    return PyErr_Format(PyExc_TypeError, "a launch needs a shape: %U[grid, block](...)",
                        self->name);
}

static PyObject *
kernel_repr(PyObject *object)
{
    return PyUnicode_FromFormat("<ck kernel %U>", ((struct kernel_object *)object)->name);
}

static void
launcher_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(((struct launcher_object *)object)->kernel);
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyObject *
launcher_call(PyObject *object, PyObject *args, PyObject *keywords)
{
    struct launcher_object *self = (struct launcher_object *)object;
    struct ckpy_module *module = self->kernel->module;
    if (keywords && PyDict_Size(keywords))
        return PyErr_Format(PyExc_TypeError, "the arguments of a launch are positional");
    struct ckpy_args list;
    int failed = ckpy_args_read(&list, args) < 0 || ckpy_enter(module) < 0;
    if (!failed) {
        ck_status status;
        Py_BEGIN_ALLOW_THREADS status =
            ck_launch(self->kernel->kernel, &self->shape, list.args, list.n, NULL);
        Py_END_ALLOW_THREADS if (status) ckpy_raise(module, status);
        ckpy_leave(module);
        failed = status || ckpy_args_check_read_only(&list) < 0;
    }
    ckpy_args_free(&list);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyType_Slot kernel_slots[] = {
    {Py_tp_dealloc, kernel_free},
    {Py_tp_call, kernel_call},
    {Py_tp_repr, kernel_repr},
    {Py_mp_subscript, kernel_subscript},
    {Py_tp_doc, "A kernel of a module. kernel[grid, block, stream, shared_bytes, cluster](...) "
                "launches it: grid in blocks, block in threads, each an int or up to three."},
    {0, NULL},
};
PyType_Spec ckpy_kernel_spec = {
    .name = "ck.Kernel",
    .basicsize = sizeof(struct kernel_object),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = kernel_slots,
};

static PyType_Slot launcher_slots[] = {
    {Py_tp_dealloc, launcher_free},
    {Py_tp_call, launcher_call},
    {0, NULL},
};
PyType_Spec ckpy_launcher_spec = {
    .name = "ck.Launcher",
    .basicsize = sizeof(struct launcher_object),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = launcher_slots,
};
