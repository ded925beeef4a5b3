/* Modules as Python objects: their kernels and arrays, their PTX, the lock of their context. */
#include "ckpy.h"

#include <stdlib.h>
#include <string.h>

struct ckpy_state *
ckpy_state(const struct ckpy_module *self)
{
    return PyModule_GetState(self->python_module);
}

/* The process was forked: the CPU device's threads are in the parent alone, and so are CUDA's
 * contexts. What the parent's threads were doing is lost. */
static int
follow_fork(struct ckpy_module *self)
{
    if (self->gpu) {
        PyErr_SetString(PyExc_RuntimeError,
                        "CUDA cannot be used in a process that was forked after it was: start the "
                        "process by 'spawn' or 'forkserver', or compile in the child alone");
        return -1;
    }
    if (self->owner) {
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread used this module while the process was forked: compile it "
                        "again");
        return -1;
    }
    PyThread_type_lock lock = PyThread_allocate_lock();
    ck_device_options options = {.size = sizeof options,
                                 .checks = self->checks,
                                 .schedule = self->schedule,
                                 .seed = self->seed,
                                 .interrupted = &self->interrupted};
    ck_device *device;
    if (!lock) {
        PyErr_NoMemory();
        return -1;
    }
    ck_status status = ck_device_open(&device, self->ctx, self->device_name, &options);
    if (status) {
        PyThread_free_lock(lock);
        ckpy_raise(self, status);
        return -1;
    }
    self->lock = lock;
    self->device = device; /* the parent's is never freed: its threads do not answer */
    self->forks = ckpy_state(self)->forks;
    return 0;
}

/* Ctrl-C ends the wait for another thread's launch. */
static int
wait_for_lock(struct ckpy_module *self)
{
    PyLockStatus status;
    do {
        Py_BEGIN_ALLOW_THREADS status = PyThread_acquire_lock_timed(self->lock, -1, 1);
        Py_END_ALLOW_THREADS
    } while (status == PY_LOCK_INTR && PyErr_CheckSignals() == 0);
    return status == PY_LOCK_ACQUIRED ? 0 : -1;
}

int
ckpy_enter(struct ckpy_module *self)
{
    if (self->forks != ckpy_state(self)->forks && follow_fork(self) < 0)
        return -1;
    unsigned long me = PyThread_get_thread_ident();
    /* Only this thread stores its own name. */
    if (__atomic_load_n(&self->owner, __ATOMIC_RELAXED) == me) {
        PyErr_SetString(PyExc_RuntimeError, "this module is in use by a call further up the stack");
        return -1;
    }
    if (!PyThread_acquire_lock(self->lock, NOWAIT_LOCK) && wait_for_lock(self) < 0)
        return -1;
    __atomic_store_n(&self->owner, me, __ATOMIC_RELAXED);
    return 0;
}

void
ckpy_leave(struct ckpy_module *self)
{
    __atomic_store_n(&self->owner, 0, __ATOMIC_RELAXED);
    PyThread_release_lock(self->lock);
}

/* --- Modules --- */

static void
module_free(PyObject *object)
{
    struct ckpy_module *self = (struct ckpy_module *)object;
    PyTypeObject *type = Py_TYPE(object);
    ckpy_records_free(self->records);
    Py_XDECREF(self->again);
    Py_XDECREF(self->others);
    if (self->event)
        ckpy_gpu_free_event(self->gpu, self->event);
    /* After a fork the parent's device is left alone: see follow_fork. */
    if (self->python_module && self->forks == ckpy_state(self)->forks) {
        ck_module_free(self->module);
        ck_device_free(self->device);
        ck_context_free(self->ctx);
    }
    free(self->device_name);
    Py_XDECREF(self->gpu);
    if (self->lock)
        PyThread_free_lock(self->lock);
    Py_XDECREF(self->python_module);
    PyObject_Free(object);
    Py_DECREF(type);
}

/* An array of the module, or a kernel. */
static PyObject *
member_of(struct ckpy_module *self, PyObject *name, PyObject *missing)
{
    PyObject *array = ckpy_module_array(self, name);
    return array || PyErr_Occurred() ? array : ckpy_kernel(self, name, missing);
}

static PyObject *
module_getattr(PyObject *object, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(object, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    return member_of((struct ckpy_module *)object, name, PyExc_AttributeError);
}

static PyObject *
module_subscript(PyObject *object, PyObject *name)
{
    return member_of((struct ckpy_module *)object, name, PyExc_KeyError);
}

static PyObject *
module_kernels(PyObject *object, void *unused)
{
    const ck_module *module = ((struct ckpy_module *)object)->module;
    PyObject *names = PyList_New(0);
    for (size_t i = 0; names && i < ck_module_n_kernels(module); i++) {
        PyObject *name = PyUnicode_FromString(ck_module_kernel(module, i)->name);
        int known = name ? PySequence_Contains(names, name) : -1;
        if (known < 0 || (!known && PyList_Append(names, name) < 0))
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

static PyObject *
emit(PyObject *object, ck_emit_kind kind)
{
    struct ckpy_module *self = (struct ckpy_module *)object;
    char *text = NULL;
    size_t length;
    ck_status status;
    if (ckpy_enter(self) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = ck_module_emit(&text, &length, self->module, kind);
    Py_END_ALLOW_THREADS if (status) ckpy_raise(self, status);
    ckpy_leave(self);
    PyObject *result = status ? NULL : PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    ck_text_free(text);
    return result;
}

static PyObject *
module_ptx(PyObject *object, void *unused)
{
    return emit(object, CK_EMIT_PTX);
}

static PyObject *
module_llvm(PyObject *object, void *unused)
{
    return emit(object, CK_EMIT_LLVM);
}

static PyObject *
module_device(PyObject *object, void *unused)
{
    const struct ckpy_module *self = (const struct ckpy_module *)object;
    return self->gpu ? PyUnicode_FromFormat("cuda:%d", self->gpu->ordinal)
                     : PyUnicode_FromString(self->device_name);
}

static PyObject *
synchronize(PyObject *object, PyObject *unused)
{
    struct ckpy_module *self = (struct ckpy_module *)object;
    ck_status status;
    if (ckpy_enter(self) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = ck_device_synchronize(self->device);
    Py_END_ALLOW_THREADS if (status) ckpy_raise(self, status);
    ckpy_leave(self);
    if (status)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef module_methods[] = {
    {"_array_address", ckpy_array_address, METH_VARARGS, NULL},
    {"_read_array", ckpy_array_read, METH_VARARGS, NULL},
    {"_write_array", ckpy_array_write, METH_VARARGS, NULL},
    {"synchronize", synchronize, METH_NOARGS,
     "synchronize()\n--\n\n"
     "Waits for all launches. Raises what an asynchronous one failed with."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef module_getters[] = {
    {.name = "arrays", .get = ckpy_module_arrays, .doc = "Names of the arrays of the module."},
    {.name = "device", .get = module_device, .doc = "\"cpu\", or \"cuda:0\"."},
    {.name = "kernels", .get = module_kernels, .doc = "Names of the kernels, as in the source."},
    {.name = "llvm", .get = module_llvm, .doc = "LLVM IR of the kernels that have signatures."},
    {.name = "ptx", .get = module_ptx, .doc = "PTX of the kernels that have signatures."},
    {0},
};
static PyType_Slot module_slots[] = {
    {Py_tp_new, ckpy_refuse_new},
    {Py_tp_dealloc, module_free},
    {Py_tp_getattro, module_getattr},
    {Py_mp_subscript, module_subscript},
    {Py_tp_methods, module_methods},
    {Py_tp_getset, module_getters},
    {Py_tp_doc, "A compiled module: its kernels and its arrays are attributes, module.name or "
                "module['name']."},
    {0, NULL},
};
PyType_Spec ckpy_module_spec = {
    .name = "ck.Module",
    .basicsize = sizeof(struct ckpy_module),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = module_slots,
};
