/* Tensors of PyTorch, by its methods: its __cuda_array_interface__ is Python code that costs
 * microseconds, and its tensors in the host's memory have no array interface. */
#include "ckpy.h"

/* torch.Tensor, borrowed; NULL without an exception as long as nobody imported PyTorch. */
static PyObject *
tensor_type(struct ckpy_state *state)
{
    return ckpy_imported_type(&state->torch_tensor, state->names.torch, "Tensor");
}

static int
is_tensor(struct ckpy_state *state, PyObject *value)
{
    PyObject *type = tensor_type(state);
    return type && PyType_IsSubtype(Py_TYPE(value), (PyTypeObject *)type);
}

/* The dtype that PyTorch calls "torch.float32". */
static ck_dtype
read_dtype(PyObject *dtype, size_t position)
{
    PyObject *text = PyObject_Str(dtype);
    PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
    ck_dtype found = CK_DTYPE_NONE;
    if (bytes && PyBytes_Size(bytes) > 6)
        found = ck_dtype_by_name(PyBytes_AsString(bytes) + 6);
    if (bytes && !found)
        PyErr_Format(PyExc_TypeError, "argument %zu: kernels have no elements of dtype %U",
                     position, text);
    Py_XDECREF(bytes);
    Py_XDECREF(text);
    return found;
}

static ck_dtype
dtype_of(const struct ckpy_state *state, PyObject *dtype, size_t position)
{
    PyObject *known = PyDict_GetItemWithError(state->torch_dtypes, dtype);
    if (known)
        return (ck_dtype)PyLong_AsLong(known);
    ck_dtype found = PyErr_Occurred() ? CK_DTYPE_NONE : read_dtype(dtype, position);
    PyObject *number = found ? PyLong_FromLong(found) : NULL;
    if (number && PyDict_SetItem(state->torch_dtypes, dtype, number) < 0)
        found = CK_DTYPE_NONE;
    Py_XDECREF(number);
    return number ? found : CK_DTYPE_NONE;
}

/* Whether an attribute or the result of a method is true; -1 with an exception. */
static int
is_true(PyObject *value)
{
    int is = value ? PyObject_IsTrue(value) : -1;
    Py_XDECREF(value);
    return is;
}

/* A tensor whose elements do not lie in memory as they read, or whose gradient would be lost. */
static int
check_plain(const struct ckpy_names *names, PyObject *value, const ck_array *a, size_t position)
{
    int is_complex = a->dtype == CK_COMPLEX64 || a->dtype == CK_COMPLEX128;
    int gradient = is_true(PyObject_GetAttr(value, names->requires_grad));
    if (gradient > 0)
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: the tensor requires a gradient, of which a kernel knows "
                     "nothing: pass x.detach(), in an autograd function",
                     position);
    if (gradient)
        return -1;
    int negated = is_true(PyObject_CallMethodObjArgs(value, names->is_neg, NULL));
    int conjugated = 0;
    if (!negated && is_complex)
        conjugated = is_true(PyObject_CallMethodObjArgs(value, names->is_conj, NULL));
    if (negated > 0 || conjugated > 0)
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: the tensor is a view that is to be %s: pass x.resolve_%s()",
                     position, negated ? "negated" : "conjugated", negated ? "neg" : "conj");
    return negated || conjugated ? -1 : 0;
}

static int
read_tuple(int64_t *out, PyObject *tuple, const char *what, size_t position)
{
    int n = tuple ? ckpy_read_integers(out, tuple, what, position) : -1;
    Py_XDECREF(tuple);
    return n;
}

static int
read_layout(ck_array *a, const struct ckpy_state *state, PyObject *value, size_t position)
{
    const struct ckpy_names *names = &state->names;
    PyObject *dtype = PyObject_GetAttr(value, names->dtype);
    a->dtype = dtype ? dtype_of(state, dtype, position) : CK_DTYPE_NONE;
    Py_XDECREF(dtype);
    if (!a->dtype)
        return -1;
    a->ndim = read_tuple(a->shape, PyObject_GetAttr(value, names->shape), "its shape", position);
    if (a->ndim < 0)
        return -1;
    PyObject *strides = PyObject_CallMethodObjArgs(value, names->stride, NULL);
    if (read_tuple(a->strides, strides, "its strides", position) != a->ndim)
        return -1;
    for (int i = 0; i < a->ndim; i++)
        if (__builtin_mul_overflow(a->strides[i], (int64_t)ck_dtype_size(a->dtype), &a->strides[i]))
            return ckpy_fail_size(position);
    PyObject *address = PyObject_CallMethodObjArgs(value, names->data_ptr, NULL);
    a->data = address ? PyLong_AsUnsignedLongLong(address) : 0;
    Py_XDECREF(address);
    return PyErr_Occurred() ? -1 : 0;
}

/* The number of the GPU that has the tensor; -1: none; -2 with an exception. */
static long
gpu_of(const struct ckpy_names *names, PyObject *tensor)
{
    PyObject *number = PyObject_CallMethodObjArgs(tensor, names->get_device, NULL);
    long ordinal = number ? PyLong_AsLong(number) : -2;
    Py_XDECREF(number);
    return PyErr_Occurred() ? -2 : ordinal;
}

int
ckpy_read_torch(struct ckpy_args *out, struct ckpy_array *held, PyObject *value)
{
    if (!is_tensor(out->state, value))
        return 0;
    const struct ckpy_names *names = &out->state->names;
    long ordinal = gpu_of(names, value);
    if (ordinal == -2)
        return -1;
    held->in_host = ordinal < 0;
    held->gpu = (int)ordinal;
    if (ordinal >= 0 && !out->module->gpu) {
        PyErr_Format(PyExc_TypeError,
                     "argument %zu: the tensor lies in a GPU's memory, which the CPU device cannot "
                     "read: pass x.cpu()",
                     held->position);
        return -1;
    }
    if (read_layout(&held->array, out->state, value, held->position) < 0 ||
        check_plain(names, value, &held->array, held->position) < 0)
        return -1;
    return 1;
}

/* The function of PyTorch that returns the handle of a GPU's current stream. Triton calls it too.
 */
static PyObject *
stream_function(struct ckpy_state *state)
{
    PyObject *function = ckpy_kept(&state->torch_stream);
    if (function)
        return function;
    PyObject *c = PyImport_ImportModule("torch._C");
    function = c ? PyObject_GetAttrString(c, "_cuda_getCurrentRawStream") : NULL;
    Py_XDECREF(c);
    return ckpy_keep(&state->torch_stream, function);
}

int
ckpy_torch_stream(uint64_t *stream, struct ckpy_args *args, PyObject *tuple)
{
    long ordinal = -1;
    Py_ssize_t n = tensor_type(args->state) ? PyTuple_Size(tuple) : 0;
    for (Py_ssize_t i = 0; i < n && ordinal == -1; i++) {
        PyObject *value = PyTuple_GetItem(tuple, i);
        if (is_tensor(args->state, value))
            ordinal = gpu_of(&args->state->names, value);
    }
    if (ordinal < 0)
        return ordinal == -1 ? 0 : -1;
    PyObject *function = stream_function(args->state);
    PyObject *number = function ? PyLong_FromLong(ordinal) : NULL;
    PyObject *handle = number ? PyObject_CallFunctionObjArgs(function, number, NULL) : NULL;
    if (handle)
        *stream = PyLong_AsUnsignedLongLong(handle);
    Py_XDECREF(handle);
    Py_XDECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}
