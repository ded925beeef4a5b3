/* The Python module ck: ck.compile, compiled modules, exceptions. */
#include "ckpy.h"

#include <stdlib.h>
#include <string.h>

struct ckpy_state *
ckpy_state(const struct ckpy_module *self)
{
    return PyModule_GetState(self->python_module);
}

int
ckpy_enter(struct ckpy_module *self)
{
    unsigned long me = PyThread_get_thread_ident();
    if (self->owner == me) { /* only this thread stores its own name */
        PyErr_SetString(PyExc_RuntimeError, "this module is in use by a call further up the stack");
        return -1;
    }
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(self->lock, WAIT_LOCK);
    Py_END_ALLOW_THREADS self->owner = me;
    return 0;
}

void
ckpy_leave(struct ckpy_module *self)
{
    self->owner = 0;
    PyThread_release_lock(self->lock);
}

static PyObject *
diagnostic(const ck_diagnostic *d)
{
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:I,s:I,s:s,s:z}", "severity",
                         d->severity == CK_ERROR ? "error" : "warning", "name", d->name, "message",
                         d->message, "file", d->file, "line", d->line, "column", d->column,
                         "rendered", d->rendered, "help", d->help);
}

/* The diagnostics as a list, and what they say as *text. */
static PyObject *
diagnostics(ck_context *ctx, PyObject **text)
{
    PyObject *list = PyList_New(0), *joined = PyUnicode_FromString("");
    for (size_t i = 0; list && joined && i < ck_context_n_diagnostics(ctx); i++) {
        const ck_diagnostic *d = ck_context_diagnostic(ctx, i);
        PyObject *item = diagnostic(d);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
        PyObject *more = PyUnicode_FromFormat("%U%s%s", joined, i ? "\n" : "", d->rendered);
        Py_DECREF(joined);
        joined = more;
    }
    if (!list || !joined) {
        Py_XDECREF(list);
        Py_XDECREF(joined);
        return NULL;
    }
    *text = joined;
    return list;
}

static PyObject *
exception_type(const struct ckpy_state *state, ck_status status)
{
    switch (status) {
    case CK_ERROR_PROGRAM:
        return state->compile_error;
    case CK_ERROR_MEMORY:
        return PyExc_MemoryError;
    case CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
        return state->too_large_error;
    case CK_ERROR_BARRIER:
    case CK_ERROR_ASSERT:
    case CK_ERROR_CHECK:
        return state->check_error;
    default:
        return state->launch_error;
    }
}

void
ckpy_raise(struct ckpy_module *self, ck_status status)
{
    PyObject *type = exception_type(ckpy_state(self), status);
    int has_diagnostics = status == CK_ERROR_PROGRAM || type == ckpy_state(self)->check_error;
    PyObject *text = NULL, *list = has_diagnostics ? diagnostics(self->ctx, &text) : PyList_New(0);
    if (list && (!text || PyList_Size(list) == 0)) {
        Py_XDECREF(text);
        text = PyUnicode_FromString(ck_context_error(self->ctx));
    }
    PyObject *error = list && text ? PyObject_CallFunctionObjArgs(type, text, NULL) : NULL;
    if (error && PyObject_SetAttrString(error, "diagnostics", list) == 0)
        PyErr_SetObject(type, error);
    Py_XDECREF(error);
    Py_XDECREF(text);
    Py_XDECREF(list);
}

/* --- Modules --- */

static void
module_free(PyObject *object)
{
    struct ckpy_module *self = (struct ckpy_module *)object;
    PyTypeObject *type = Py_TYPE(object);
    ck_module_free(self->module);
    ck_device_free(self->device);
    ck_context_free(self->ctx);
    if (self->lock)
        PyThread_free_lock(self->lock);
    Py_XDECREF(self->python_module);
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyObject *
module_getattr(PyObject *object, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(object, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    return ckpy_kernel((struct ckpy_module *)object, name, PyExc_AttributeError);
}

static PyObject *
module_subscript(PyObject *object, PyObject *name)
{
    return ckpy_kernel((struct ckpy_module *)object, name, PyExc_KeyError);
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

static PyGetSetDef module_getters[] = {
    {.name = "kernels", .get = module_kernels, .doc = "Names of the kernels, as in the source."},
    {0},
};
static PyType_Slot module_slots[] = {
    {Py_tp_dealloc, module_free},
    {Py_tp_getattro, module_getattr},
    {Py_mp_subscript, module_subscript},
    {Py_tp_getset, module_getters},
    {Py_tp_doc, "A compiled module: its kernels are attributes, module.name or module['name']."},
    {0, NULL},
};
static PyType_Spec module_spec = {
    .name = "ck.Module",
    .basicsize = sizeof(struct ckpy_module),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = module_slots,
};

/* --- ck.compile --- */

static const struct {
    const char *name;
    unsigned checks;
} check_names[] = {
    {"all", CK_CHECK_ALL},           {"bounds", CK_CHECK_BOUNDS}, {"race", CK_CHECK_RACE},
    {"init", CK_CHECK_INIT},         {"sync", CK_CHECK_SYNC},     {"async", CK_CHECK_ASYNC},
    {"overflow", CK_CHECK_OVERFLOW},
};

/* "bounds,race" as CK_CHECK_*. */
static int
read_checks(unsigned *out, const char *text)
{
    *out = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        unsigned checks = 0;
        for (size_t i = 0; i < sizeof check_names / sizeof *check_names; i++)
            if (strlen(check_names[i].name) == length &&
                !strncmp(check_names[i].name, text, length))
                checks = check_names[i].checks;
        if (!checks) {
            PyErr_Format(PyExc_ValueError,
                         "no check is called '%s': checks are all, bounds, race, init, sync, async "
                         "and overflow, with commas between them",
                         text);
            return -1;
        }
        *out |= checks;
        text += length + (text[length] == ',');
    }
    return 0;
}

/* The bytes of the file `path`, which Python's own `open` reads: its exceptions name the file. */
static PyObject *
read_file(PyObject *path)
{
    PyObject *io = PyImport_ImportModule("io");
    PyObject *file = io ? PyObject_CallMethod(io, "open", "Os", path, "rb") : NULL;
    PyObject *bytes = file ? PyObject_CallMethod(file, "read", NULL) : NULL;
    PyObject *closed = bytes ? PyObject_CallMethod(file, "close", NULL) : NULL;
    if (!closed)
        Py_CLEAR(bytes);
    Py_XDECREF(closed);
    Py_XDECREF(file);
    Py_XDECREF(io);
    return bytes;
}

/* Gives the warnings of a compilation to Python's `warnings`. The texts are taken first, as what
 * warns may run any code. */
static int
give_warnings(PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        PyObject *text = PyDict_GetItemString(PyList_GetItem(list, i), "rendered");
        PyObject *bytes = PyUnicode_AsUTF8String(text);
        int failed = !bytes || PyErr_WarnEx(PyExc_UserWarning, PyBytes_AsString(bytes), 1) < 0;
        Py_XDECREF(bytes);
        if (failed)
            return -1;
    }
    return 0;
}

static int
compile_into(struct ckpy_module *self, PyObject *source, const char *name, const char *checks)
{
    ck_device_options device = {.size = sizeof device};
    ck_compile_options options = {.size = sizeof options, .name = name};
    if (read_checks(&device.checks, checks) < 0)
        return -1;
    char *text;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(source, &text, &length) < 0)
        return -1;
    if (!(self->lock = PyThread_allocate_lock()) || ck_context_new(&self->ctx, NULL)) {
        PyErr_NoMemory();
        return -1;
    }
    ck_status status = ck_device_open(&self->device, self->ctx, "cpu", &device);
    if (!status) {
        Py_BEGIN_ALLOW_THREADS status =
            ck_compile(&self->module, self->ctx, text, (size_t)length, &options);
        Py_END_ALLOW_THREADS
    }
    if (status) {
        ckpy_raise(self, status);
        return -1;
    }
    PyObject *joined, *list = diagnostics(self->ctx, &joined);
    if (!list)
        return -1;
    int result = give_warnings(list);
    Py_DECREF(joined);
    Py_DECREF(list);
    return result;
}

static PyObject *
compile(PyObject *python_module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"path", "text", "name", "check", NULL};
    PyObject *path = Py_None, *text = Py_None;
    const char *name = NULL, *checks = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O$Ozz:compile", names, &path, &text, &name,
                                     &checks))
        return NULL;
    if ((path == Py_None) == (text == Py_None))
        return PyErr_Format(PyExc_TypeError, "compile takes a path or text=, one of them");
    if (text != Py_None && !PyUnicode_Check(text))
        return PyErr_Format(PyExc_TypeError, "text is a str, not %R", text);
    if (!checks)
        checks = getenv("CK_CHECK");
    PyObject *file_name = NULL;
    if (path != Py_None && !PyUnicode_FSConverter(path, &file_name))
        return NULL;
    if (file_name && !name)
        name = PyBytes_AsString(file_name);
    PyObject *source = file_name ? read_file(path) : PyUnicode_AsUTF8String(text);
    struct ckpy_state *state = PyModule_GetState(python_module);
    PyObject *self = source ? PyType_GenericAlloc((PyTypeObject *)state->module_type, 0) : NULL;
    if (self) {
        struct ckpy_module *module = (struct ckpy_module *)self;
        Py_INCREF(python_module);
        module->python_module = python_module;
        if (compile_into(module, source, name, checks ? checks : "") < 0)
            Py_CLEAR(self);
    }
    Py_XDECREF(source);
    Py_XDECREF(file_name);
    return self;
}

/* --- The module --- */

static PyMethodDef methods[] = {
    {"compile", (PyCFunction)(void (*)(void))compile, METH_VARARGS | METH_KEYWORDS,
     "compile(path=None, *, text=None, name=None, check=None)\n--\n\n"
     "Compiles the kernels of a file, or of text, for the CPU device. `check` names the checks of "
     "launches ('all', 'bounds,race'); without it the environment variable CK_CHECK does. "
     "CompileError has the diagnostics."},
    {NULL, NULL, 0, NULL},
};

/* A new object of the module, stored in its state as *slot too. */
static int
add_object(PyObject *module, const char *name, PyObject **slot, PyObject *object)
{
    if (!object)
        return -1;
    *slot = object;
    Py_INCREF(object);
    if (PyModule_AddObject(module, name, object) == 0)
        return 0;
    Py_DECREF(object);
    return -1;
}

static int
execute(PyObject *module)
{
    struct ckpy_state *s = PyModule_GetState(module);
    if (add_object(module, "Error", &s->error, PyErr_NewException("ck.Error", NULL, NULL)) < 0 ||
        add_object(module, "CompileError", &s->compile_error,
                   PyErr_NewException("ck.CompileError", s->error, NULL)) < 0 ||
        add_object(module, "LaunchError", &s->launch_error,
                   PyErr_NewException("ck.LaunchError", s->error, NULL)) < 0 ||
        add_object(module, "CooperativeLaunchTooLarge", &s->too_large_error,
                   PyErr_NewException("ck.CooperativeLaunchTooLarge", s->launch_error, NULL)) < 0 ||
        add_object(module, "CheckError", &s->check_error,
                   PyErr_NewException("ck.CheckError", s->error, NULL)) < 0 ||
        add_object(module, "Module", &s->module_type, PyType_FromSpec(&module_spec)) < 0 ||
        add_object(module, "Kernel", &s->kernel_type, PyType_FromSpec(&ckpy_kernel_spec)) < 0 ||
        add_object(module, "Launcher", &s->launcher_type, PyType_FromSpec(&ckpy_launcher_spec)) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "__version__", ck_version());
}

static int
clear(PyObject *module)
{
    struct ckpy_state *s = PyModule_GetState(module);
    PyObject **slots[] = {&s->error,       &s->compile_error, &s->launch_error, &s->too_large_error,
                          &s->check_error, &s->module_type,   &s->kernel_type,  &s->launcher_type};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        Py_CLEAR(*slots[i]);
    return 0;
}

static void
free_module(void *module)
{
    clear(module);
}

static PyModuleDef_Slot definition_slots[] = {{Py_mod_exec, execute}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "ck",
    .m_doc = "GPU kernels written in a small Python-like language.",
    .m_size = sizeof(struct ckpy_state),
    .m_methods = methods,
    .m_slots = definition_slots,
    .m_clear = clear,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit_ck(void);
PyMODINIT_FUNC
PyInit_ck(void)
{
    return PyModuleDef_Init(&definition);
}
