/* ck._core: the module and its state. */
#include "ckpy.h"

PyObject *
ckpy_attribute(PyObject *object, PyObject *name)
{
    PyObject *value = PyObject_GetAttr(object, name);
    if (!value && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    return value;
}

PyObject *
ckpy_imported_type(PyObject **slot, PyObject *module_name, const char *name)
{
    PyObject *known = ckpy_kept(slot);
    if (known)
        return known;
    PyObject *module = PyImport_GetModule(module_name);
    PyObject *text = module ? PyUnicode_FromString(name) : NULL;
    PyObject *type = text ? ckpy_attribute(module, text) : NULL;
    if (type && !PyType_Check(type))
        Py_CLEAR(type);
    Py_XDECREF(text);
    Py_XDECREF(module);
    return ckpy_keep(slot, type);
}

PyObject *
ckpy_refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)type, "__name__");
    if (name)
        PyErr_Format(PyExc_TypeError, "cannot create 'ck.%U' instances", name);
    Py_XDECREF(name);
    return NULL;
}

static PyObject *
forked(PyObject *module, PyObject *unused)
{
    struct ckpy_state *state = PyModule_GetState(module);
    state->forks++;
    Py_RETURN_NONE;
}

static PyObject *
gpu(PyObject *module, PyObject *number)
{
    long ordinal = PyLong_AsLong(number);
    return PyErr_Occurred() ? NULL : (PyObject *)ckpy_gpu(module, (int)ordinal);
}

static PyObject *
gpu_count(PyObject *module, PyObject *unused)
{
    struct ckpy_state *state = PyModule_GetState(module);
    return ckpy_gpu_count(state);
}

static PyMethodDef methods[] = {
    {"compile", (PyCFunction)(void (*)(void))ckpy_compile, METH_VARARGS | METH_KEYWORDS,
     "compile(path=None, *, text=None, name=None, check=None, device=None, schedule=None, "
     "arch=None, fmad=True, "
     "libdevice=None, lineinfo=False, signatures=None, warnings_off=None)\n--\n\n"
     "Compiles the kernels of a file, or of text, which `name` names in messages.\n\n"
     "device: \"cuda\", \"cuda:N\", \"cpu\", \"cpu:THREADS\" or \"auto\", the first GPU, or else "
     "the "
     "CPU; without it the environment variable CK_DEVICE, or else \"auto\".\n"
     "schedule: the order in which the CPU device runs threads, \"seq\", \"reverse\" or "
     "\"random:SEED\"; without it CK_SCHEDULE.\n"
     "check: checks of launches (\"all\", \"bounds,race\"); without it CK_CHECK.\n"
     "arch, lineinfo: of `ptx`, as \"sm_90\". fmad: contract a*b+c. libdevice: the path of CUDA's "
     "math functions. signatures: types of generic kernels, as [\"k(float32[::1], int64)\"]. "
     "warnings_off: names of warnings.\n\n"
     "Raises CompileError, whose `diagnostics` has the places; Error if there is no such device."},
    {"_forked", forked, METH_NOARGS, NULL},
    {"gpu", gpu, METH_O, NULL},
    {"gpu_count", gpu_count, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* Adds an object to the module, and stores it in its state as *slot too. */
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
add_exceptions(PyObject *module, struct ckpy_state *s)
{
    const struct {
        const char *name, *full_name;
        PyObject **slot, **base;
        const char *doc;
    } rows[] = {
        {"Error", "ck.Error", &s->error, NULL, "What all of ck's own exceptions are."},
        {"CompileError", "ck.CompileError", &s->compile_error, &s->error,
         "The source is wrong, or a kernel does not take the types of a launch."},
        {"LaunchError", "ck.LaunchError", &s->launch_error, &s->error,
         "The shape or the arguments of a launch do not fit, or the device failed."},
        {"CooperativeLaunchTooLarge", "ck.CooperativeLaunchTooLarge", &s->too_large_error,
         &s->launch_error, "The grid cannot be resident at once; `limit` is the most blocks."},
        {"CheckError", "ck.CheckError", &s->check_error, &s->error,
         "A check, a barrier or an assert found a mistake in the kernel."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PyObject *base = rows[i].base ? *rows[i].base : NULL;
        PyObject *type = PyErr_NewExceptionWithDoc(rows[i].full_name, rows[i].doc, base, NULL);
        if (add_object(module, rows[i].name, rows[i].slot, type) < 0)
            return -1;
    }
    return 0;
}

static int
add_types(PyObject *module, struct ckpy_state *s)
{
    if (add_object(module, "Module", &s->module_type, PyType_FromSpec(&ckpy_module_spec)) < 0 ||
        add_object(module, "Kernel", &s->kernel_type, PyType_FromSpec(&ckpy_kernel_spec)) < 0 ||
        add_object(module, "Launcher", &s->launcher_type, PyType_FromSpec(&ckpy_launcher_spec)) <
            0 ||
        add_object(module, "Gpu", &s->gpu_type, PyType_FromSpec(&ckpy_gpu_spec)) < 0 ||
        add_object(module, "DeviceArray", &s->device_array_type,
                   PyType_FromSpec(&ckpy_device_array_spec)) < 0)
        return -1;
    PyObject *usage = (PyObject *)PyStructSequence_NewType(&ckpy_usage_desc);
    if (add_object(module, "Usage", &s->usage_type, usage) < 0)
        return -1;
    PyObject *object = PyObject_CallObject((PyObject *)&PyBaseObject_Type, NULL);
    if (add_object(module, "max", &s->max, object) < 0)
        return -1;
    object = PyObject_CallObject((PyObject *)&PyBaseObject_Type, NULL);
    return add_object(module, "_left_out", &s->left_out, object);
}

static int
intern_names(struct ckpy_names *names)
{
#define X(member, text)                                                                            \
    if (!(names->member = PyUnicode_InternFromString(text)))                                       \
        return -1;
    CKPY_NAMES(X)
#undef X
    return 0;
}

static int
execute(PyObject *module)
{
    struct ckpy_state *s = PyModule_GetState(module);
    if (!(s->gpus = PyDict_New()) || !(s->torch_dtypes = PyDict_New()) ||
        !(s->records = PyDict_New()) || !(s->numpy_scalars = PyDict_New()) ||
        intern_names(&s->names) < 0 || add_exceptions(module, s) < 0 || add_types(module, s) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "__version__", ck_version());
}

static int
clear(PyObject *module)
{
    struct ckpy_state *s = PyModule_GetState(module);
    PyObject **slots[] = {
        &s->error,         &s->compile_error, &s->launch_error, &s->too_large_error,
        &s->check_error,   &s->module_type,   &s->kernel_type,  &s->launcher_type,
        &s->gpu_type,      &s->usage_type,    &s->max,          &s->gpus,
        &s->numpy_generic, &s->numpy_array,   &s->torch_tensor, &s->torch_dtypes,
        &s->torch_stream,  &s->records,       &s->numpy_void,   &s->left_out,
        &s->getsignal,     &s->sigint,        &s->raises,       &s->device_array_type,
        &s->numpy_scalars,
    };
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        Py_CLEAR(*slots[i]);
#define X(member, text) Py_CLEAR(s->names.member);
    CKPY_NAMES(X)
#undef X
    return 0;
}

static void
free_module(void *module)
{
    struct ckpy_state *s = PyModule_GetState(module);
    clear(module);
    PyMem_Free(s->driver);
}

static PyModuleDef_Slot definition_slots[] = {
    {Py_mod_exec, execute},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "ck._core",
    .m_doc = "The part of the package ck that is in C.",
    .m_size = sizeof(struct ckpy_state),
    .m_methods = methods,
    .m_slots = definition_slots,
    .m_clear = clear,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC
PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
