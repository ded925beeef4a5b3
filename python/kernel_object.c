/* Kernels as Python objects, and launches of them: kernel[grid, block, stream, shared](...). */
#include "ckpy.h"

#include <string.h>

struct kernel_object {
    PyObject ob_base;
    struct ckpy_module *module;
    struct ckpy_record *record; /* of the module */
    /* Called as f(shape, args) for a launch with None, and if `takes_fields` with a namedtuple;
     * NULL: None is an error, and a namedtuple a tuple. */
    PyObject *special;
    int takes_fields;
};

struct launcher_object {
    PyObject ob_base;
    struct kernel_object *kernel;
    PyObject *key; /* keeps the stream */
    struct ckpy_shape shape;
};

/* Looks up the kernel on the module's device, which is another one after a fork. The lock is held.
 */
static ck_status
find_kernel(struct ckpy_module *module, struct ckpy_record *record)
{
    if (record->device == module->device)
        return CK_OK;
    ck_status status = ck_kernel_get(&record->kernel, module->module, module->device, record->name);
    if (!status)
        record->device = module->device;
    return status;
}

static void
record_free(struct ckpy_record *record)
{
    Py_XDECREF(record->used);
    PyMem_Free(record->declared);
    PyMem_Free(record->name);
    PyMem_Free(record);
}

void
ckpy_records_free(struct ckpy_record *records)
{
    for (struct ckpy_record *next; records; records = next) {
        next = records->next;
        record_free(records);
    }
}

/* Lists the signatures that the kernel declares. */
static int
list_declared(struct ckpy_record *record, const ck_module *module)
{
    const size_t n = ck_module_n_kernels(module);
    record->declared = ckpy_calloc(n + 1, sizeof *record->declared);
    for (size_t i = 0; record->declared && i < n; i++) {
        const ck_kernel_desc *desc = ck_module_kernel(module, i);
        if (!desc->generic && !strcmp(desc->name, record->name))
            record->declared[record->n_declared++] = desc;
    }
    return record->declared ? 0 : -1;
}

static struct ckpy_record *
record_new(const ck_module *module, const char *name)
{
    struct ckpy_record *record = ckpy_calloc(1, sizeof *record);
    if (!record)
        return (struct ckpy_record *)PyErr_NoMemory();
    record->name = PyMem_Malloc(strlen(name) + 1);
    record->used = PyList_New(0);
    if (record->name)
        strcpy(record->name, name);
    if (record->name && record->used && list_declared(record, module) == 0)
        return record;
    record_free(record);
    return (struct ckpy_record *)PyErr_NoMemory();
}

/* The lock is not needed: records are added alone. */
static struct ckpy_record *
known_record(struct ckpy_module *self, const char *name)
{
    struct ckpy_record *record = __atomic_load_n(&self->records, __ATOMIC_ACQUIRE);
    while (record && strcmp(record->name, name) != 0)
        record = record->next;
    return record;
}

/* The record of a kernel that is looked up for the first time. The lock is held. */
static struct ckpy_record *
add_record(struct ckpy_module *self, const char *name, PyObject *missing)
{
    struct ckpy_record *record = record_new(self->module, name);
    if (!record)
        return NULL;
    ck_status status = find_kernel(self, record);
    if (status) {
        if (status == CK_ERROR_NOT_FOUND)
            PyErr_SetString(missing, ck_context_error(self->ctx));
        else
            ckpy_raise(self, status);
        record_free(record);
        return NULL;
    }
    record->next = self->records;
    __atomic_store_n(&self->records, record, __ATOMIC_RELEASE);
    return record;
}

static struct ckpy_record *
get_record(struct ckpy_module *self, const char *name, PyObject *missing)
{
    struct ckpy_record *record = known_record(self, name);
    if (record || ckpy_enter(self) < 0)
        return record;
    record = known_record(self, name); /* another thread may have added it meanwhile */
    if (!record)
        record = add_record(self, name, missing);
    ckpy_leave(self);
    return record;
}

PyObject *
ckpy_kernel(struct ckpy_module *self, PyObject *name, PyObject *missing)
{
    PyObject *bytes = PyUnicode_Check(name) ? PyUnicode_AsUTF8String(name) : NULL;
    if (!bytes) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "the name of a kernel is a str, not %R", name);
        else if (PyErr_ExceptionMatches(PyExc_UnicodeError))
            PyErr_Format(missing, "no kernel is called %R", name);
        return NULL;
    }
    struct ckpy_record *record = get_record(self, PyBytes_AsString(bytes), missing);
    Py_DECREF(bytes);
    PyTypeObject *type = (PyTypeObject *)ckpy_state(self)->kernel_type;
    PyObject *object = record ? PyType_GenericAlloc(type, 0) : NULL;
    if (object) {
        struct kernel_object *kernel = (struct kernel_object *)object;
        Py_INCREF(self);
        kernel->module = self;
        kernel->record = record;
    }
    return object;
}

static void
kernel_free(PyObject *object)
{
    struct kernel_object *self = (struct kernel_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(self->special);
    Py_XDECREF(self->module);
    PyObject_Free(object);
    Py_DECREF(type);
}

/* --- Descriptions --- */

/* The kernel's description `i` of those with its name; NULL: there are no more. */
static const ck_kernel_desc *
description(const struct kernel_object *self, size_t i)
{
    const ck_module *module = self->module->module;
    const char *name = self->record->name;
    for (size_t k = 0; k < ck_module_n_kernels(module); k++) {
        const ck_kernel_desc *desc = ck_module_kernel(module, k);
        if (!strcmp(desc->name, name) && i-- == 0)
            return desc;
    }
    return NULL;
}

int
ckpy_next_param(const ck_kernel_desc *desc, int param)
{
    int left = 1;
    while (left > 0 && param < desc->n_params) {
        left--;
        if (desc->params[param].dtype == CK_TUPLE)
            left += desc->params[param].n_items;
        param++;
    }
    return param;
}

static PyObject *
kernel_name(PyObject *object, void *unused)
{
    return PyUnicode_FromString(((struct kernel_object *)object)->record->name);
}

/* Those that are declared, then those of launches. */
static PyObject *
kernel_signatures(PyObject *object, void *unused)
{
    const struct kernel_object *self = (const struct kernel_object *)object;
    PyObject *list = PyList_New(0);
    const ck_kernel_desc *desc;
    for (size_t i = 0; list && (desc = description(self, i)); i++) {
        PyObject *text = desc->generic ? NULL : PyUnicode_FromString(desc->signature);
        if (!desc->generic && (!text || PyList_Append(list, text) < 0))
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    PyObject *used = PyList_GetSlice(self->record->used, 0, PY_SSIZE_T_MAX);
    for (Py_ssize_t i = 0; list && used && i < PyList_Size(used); i++) {
        PyObject *text = PyList_GetItem(used, i);
        int known = PySequence_Contains(list, text);
        if (known < 0 || (!known && PyList_Append(list, text) < 0))
            Py_CLEAR(list);
    }
    if (!used)
        Py_CLEAR(list);
    Py_XDECREF(used);
    return list;
}

static PyObject *
kernel_parameters(PyObject *object, void *unused)
{
    const ck_kernel_desc *desc = description((struct kernel_object *)object, 0);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && desc && i < desc->n_params; i = ckpy_next_param(desc, i)) {
        PyObject *name = PyUnicode_FromString(desc->params[i].name);
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* --- Arguments by keyword --- */

/* The parameters of a kernel, without the items of tuples. */
struct parameters {
    PyObject *names; /* a list, owned */
    Py_ssize_t n, n_required;
    int is_generic;
};

/* Of all descriptions of the kernel: a signature has one more for each default value. */
static int
read_parameters(struct parameters *out, PyObject *object)
{
    const struct kernel_object *self = (const struct kernel_object *)object;
    const ck_kernel_desc *desc;
    PyObject *names = kernel_parameters(object, NULL);
    *out = (struct parameters){.names = names, .n = names ? PyList_Size(names) : 0};
    out->n_required = out->n;
    for (size_t i = 0; (desc = description(self, i)); i++) {
        Py_ssize_t n = -desc->n_defaults;
        for (int k = 0; k < desc->n_params; k = ckpy_next_param(desc, k))
            n++;
        out->n_required = n < out->n_required ? n : out->n_required;
        out->is_generic |= desc->generic;
    }
    return names ? 0 : -1;
}

/* The argument for a parameter, borrowed; NULL: it has none, or an exception is set. *used counts
 * the keywords. */
static PyObject *
argument_for(PyObject *name, Py_ssize_t i, PyObject *args, PyObject *keywords, Py_ssize_t *used)
{
    PyObject *value = PyDict_GetItemWithError(keywords, name);
    if (i >= PyTuple_Size(args)) {
        *used += value != NULL;
        return value;
    }
    if (value)
        PyErr_Format(PyExc_TypeError, "`%U` is given twice", name);
    return value || PyErr_Occurred() ? NULL : PyTuple_GetItem(args, i);
}

static int
check_counts(const struct parameters *params, const char *kernel, PyObject *args,
             PyObject *keywords)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(keywords, &at, &name, &value)) {
        int is_known = PySequence_Contains(params->names, name);
        if (!is_known)
            PyErr_Format(PyExc_TypeError, "`%s` has no parameter `%S`", kernel, name);
        if (is_known <= 0)
            return -1;
    }
    if (PyTuple_Size(args) <= params->n)
        return 0;
    PyErr_Format(PyExc_TypeError, "`%s` takes %zd argument%s", kernel, params->n,
                 params->n == 1 ? "" : "s");
    return -1;
}

/* Checks what has no argument before the last that has one. */
static int
check_gap(const struct parameters *params, const char *kernel, Py_ssize_t i)
{
    PyObject *name = PyList_GetItem(params->names, i);
    if (i < params->n_required)
        PyErr_Format(PyExc_TypeError, "`%s` needs the argument `%U`", kernel, name);
    else if (!params->is_generic)
        PyErr_Format(PyExc_TypeError,
                     "give `%U` too: a kernel with signatures takes default values for its last "
                     "parameters only",
                     name);
    return PyErr_Occurred() ? -1 : 0;
}

/* Appends the arguments to `list` in the order of the parameters, and the mark of a default value
 * before others. */
static int
place_all(PyObject *list, const struct parameters *params, const struct kernel_object *self,
          PyObject *args, PyObject *keywords)
{
    const char *kernel = self->record->name;
    PyObject *left_out = ckpy_state(self->module)->left_out;
    const Py_ssize_t n_keywords = PyDict_Size(keywords);
    Py_ssize_t used = 0;
    if (check_counts(params, kernel, args, keywords) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < params->n; i++) {
        PyObject *name = PyList_GetItem(params->names, i);
        PyObject *value = argument_for(name, i, args, keywords, &used);
        if (PyErr_Occurred())
            return -1;
        if (!value && used == n_keywords && i >= params->n_required)
            return 0; /* default values of the last parameters */
        if (!value && check_gap(params, kernel, i) < 0)
            return -1;
        if (PyList_Append(list, value ? value : left_out) < 0)
            return -1;
    }
    return 0;
}

/* The positional arguments of a call with keywords, as a new tuple. */
static PyObject *
place_keywords(PyObject *kernel, PyObject *args, PyObject *keywords)
{
    const struct kernel_object *self = (const struct kernel_object *)kernel;
    struct parameters params;
    PyObject *list = PyList_New(0), *tuple = NULL;
    if (list && read_parameters(&params, kernel) == 0 &&
        place_all(list, &params, self, args, keywords) == 0)
        tuple = PyList_AsTuple(list);
    if (list)
        Py_XDECREF(params.names);
    Py_XDECREF(list);
    return tuple;
}

static PyObject *
positional(PyObject *kernel, PyObject *args, PyObject *keywords)
{
    if (keywords && PyDict_Size(keywords))
        return place_keywords(kernel, args, keywords);
    Py_INCREF(args);
    return args;
}

/* --- Queries --- */

static PyStructSequence_Field usage_fields[] = {
    {"registers", "32-bit registers of a thread; -1 on the CPU device"},
    {"local_bytes", "bytes of local memory of a thread, spills included; -1 on the CPU device"},
    {"shared_bytes", "bytes of static shared memory of a block"},
    {"max_threads", "most threads of a block"},
    {NULL, NULL},
};
PyStructSequence_Desc ckpy_usage_desc = {"ck.Usage", "What a kernel uses of the device.",
                                         usage_fields, 4};

static PyObject *
kernel_usage(PyObject *object, void *unused)
{
    struct kernel_object *self = (struct kernel_object *)object;
    ck_kernel_usage usage = {0};
    if (ckpy_enter(self->module) < 0)
        return NULL;
    ck_status status = find_kernel(self->module, self->record);
    if (!status)
        status = ck_kernel_get_usage(&usage, self->record->kernel);
    if (status)
        ckpy_raise(self->module, status);
    ckpy_leave(self->module);
    PyTypeObject *type = (PyTypeObject *)ckpy_state(self->module)->usage_type;
    PyObject *result = status ? NULL : PyStructSequence_New(type);
    const int values[] = {usage.registers, usage.local_bytes, usage.shared_bytes,
                          usage.max_threads};
    for (int i = 0; result && i < 4; i++)
        PyStructSequence_SetItem(result, i, PyLong_FromLong(values[i]));
    if (PyErr_Occurred())
        Py_CLEAR(result);
    return result;
}

static PyObject *
max_blocks(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"block", "shared_bytes", NULL};
    struct kernel_object *self = (struct kernel_object *)object;
    PyObject *block, *shared_bytes = NULL;
    ck_dim3 extents;
    uint32_t blocks, shared = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:max_cooperative_grid_blocks", names,
                                     &block, &shared_bytes) ||
        ckpy_read_dim3(&extents, block, "the block") < 0 ||
        (shared_bytes && ckpy_read_shared_bytes(&shared, shared_bytes) < 0) ||
        ckpy_enter(self->module) < 0)
        return NULL;
    ck_status status = find_kernel(self->module, self->record);
    if (!status)
        status = ck_kernel_max_cooperative_blocks(&blocks, self->record->kernel, extents, shared);
    if (status)
        ckpy_raise(self->module, status);
    ckpy_leave(self->module);
    return status ? NULL : PyLong_FromUnsignedLong(blocks);
}

/* --- The signatures that were used --- */

static uint64_t
mark_of(const struct ckpy_args *list)
{
    enum { C_ORDER = 1, FORTRAN = 2 };
    uint64_t mark = 14695981039346656037u;
    for (size_t i = 0; i < list->n; i++) {
        const ck_arg *arg = &list->args[i];
        uint64_t word = (uint64_t)arg->scalar;
        if (arg->scalar == CK_TUPLE)
            word |= arg->value.u << 8;
        if (!arg->scalar) {
            const ck_array *a = arg->value.array;
            uint64_t c = ckpy_item_size(a), f = c, order = C_ORDER | FORTRAN;
            for (int d = a->ndim; d-- > 0; c *= (uint64_t)a->shape[d])
                order &= (uint64_t)a->strides[d] == c ? order : FORTRAN;
            for (int d = 0; d < a->ndim; f *= (uint64_t)a->shape[d++])
                order &= (uint64_t)a->strides[d] == f ? order : C_ORDER;
            word = 32 + (uint64_t)a->dtype + ((uint64_t)a->ndim << 8) + (order << 16);
            word ^= (uint64_t)(uintptr_t)a->record; /* one for each type */
        }
        mark = (mark ^ word) * 1099511628211u;
    }
    return mark;
}

/* Adds the signature of a launch with these arguments to those that were used. */
static int
keep_signature(struct ckpy_record *self, const char *signature)
{
    PyObject *text = PyUnicode_FromString(signature);
    int known = text ? PySequence_Contains(self->used, text) : -1;
    if (known == 0)
        known = PyList_Append(self->used, text);
    Py_XDECREF(text);
    return known < 0 ? -1 : 0;
}

static int
note_use(struct ckpy_record *self, const struct ckpy_args *list)
{
    const uint64_t mark = mark_of(list);
    for (unsigned i = 0; i < CKPY_N_MARKS && i < self->n_marks; i++)
        if (self->marks[i] == mark)
            return 0;
    const ck_kernel_desc *desc;
    if (ck_kernel_prepare(self->kernel, list->args, list->n, &desc))
        return 0; /* it was launched: there is none to add */
    self->marks[self->n_marks++ % CKPY_N_MARKS] = mark;
    return keep_signature(self, desc->signature);
}

/* kernel.prepare(...): the signature that a launch with these arguments runs. */
static PyObject *
prepare(PyObject *object, PyObject *args, PyObject *keywords)
{
    static const struct ckpy_shape shape = {0};
    struct kernel_object *self = (struct kernel_object *)object;
    PyObject *tuple = positional(object, args, keywords), *result = NULL;
    struct ckpy_args list;
    if (!tuple)
        return NULL;
    if (ckpy_args_read(&list, self->module, self->record, &shape, tuple) == 0 &&
        ckpy_enter(self->module) == 0) {
        const ck_kernel_desc *desc = NULL;
        ck_status status = find_kernel(self->module, self->record);
        if (!status) {
            Py_BEGIN_ALLOW_THREADS status =
                ck_kernel_prepare(self->record->kernel, list.args, list.n, &desc);
            Py_END_ALLOW_THREADS
        }
        if (status)
            ckpy_raise(self->module, status);
        else if (keep_signature(self->record, desc->signature) == 0)
            result = PyUnicode_FromString(desc->signature);
        ckpy_leave(self->module);
    }
    ckpy_args_free(&list);
    Py_DECREF(tuple);
    return result;
}

/* --- Launches --- */

static PyObject *
kernel_subscript(PyObject *object, PyObject *key)
{
    struct kernel_object *self = (struct kernel_object *)object;
    struct ckpy_state *state = ckpy_state(self->module);
    struct ckpy_shape shape;
    if (ckpy_shape_read(&shape, state, key) < 0)
        return NULL;
    PyTypeObject *type = (PyTypeObject *)state->launcher_type;
    struct launcher_object *launcher = (struct launcher_object *)PyType_GenericAlloc(type, 0);
    if (!launcher)
        return NULL;
    Py_INCREF(self);
    Py_INCREF(key);
    launcher->kernel = self;
    launcher->key = key;
    launcher->shape = shape;
    return (PyObject *)launcher;
}

static PyObject *
kernel_call(PyObject *object, PyObject *args, PyObject *keywords)
{
    struct kernel_object *self = (struct kernel_object *)object;
    return PyErr_Format(PyExc_TypeError, "a launch needs a shape: %s[grid, block](...)",
                        self->record->name);
}

static PyObject *
kernel_repr(PyObject *object)
{
    const struct kernel_object *self = (const struct kernel_object *)object;
    return PyUnicode_FromFormat("<ck kernel %s>", self->record->name);
}

static void
launcher_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    struct launcher_object *self = (struct launcher_object *)object;
    Py_XDECREF(self->kernel);
    Py_XDECREF(self->key);
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyObject *launcher_call(PyObject *object, PyObject *args, PyObject *keywords);

/* The largest grid whose blocks are all resident. */
static ck_status
largest_grid(ck_shape *shape, ck_kernel *kernel, const struct ckpy_args *list)
{
    ck_status status = ck_kernel_prepare(kernel, list->args, list->n, NULL);
    if (!status)
        status = ck_kernel_max_resident_blocks(&shape->grid.x, kernel, shape);
    return status;
}

/* `limit` of CooperativeLaunchTooLarge: the most blocks of this shape. */
static void
add_limit(const struct ckpy_state *state, ck_kernel *kernel, const ck_shape *shape)
{
    PyObject *type, *error, *trace;
    uint32_t blocks;
    if (ck_kernel_max_resident_blocks(&blocks, kernel, shape))
        return;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    PyObject *limit = error ? PyLong_FromUnsignedLong(blocks) : NULL;
    if (limit)
        PyObject_SetAttrString(error, "limit", limit);
    Py_XDECREF(limit);
    PyErr_Restore(type, error, trace);
}

/* Whether it matters which arrays the kernel writes: of those that are copied, or read-only. */
static int
asks_for_writes(const struct ckpy_args *list)
{
    for (const struct ckpy_array *held = list->arrays; held; held = held->next)
        if (held->read_only || (held->in_host && list->module->gpu))
            return 1;
    return 0;
}

/* Finds which arrays the kernel may write. Code with checks does not tell: all. A read-only one in
 * a GPU's memory must not be among them; one in the host's is compared after the launch. */
static int
find_writes(ck_kernel *kernel, struct ckpy_args *list)
{
    const ck_kernel_desc *desc = NULL;
    ck_status status = CK_OK;
    for (struct ckpy_array *held = list->arrays; held; held = held->next)
        held->may_change = 1;
    if (list->module->checks || !asks_for_writes(list))
        return 0;
    Py_BEGIN_ALLOW_THREADS status = ck_kernel_prepare(kernel, list->args, list->n, &desc);
    Py_END_ALLOW_THREADS if (status)
    {
        ckpy_raise(list->module, status);
        return -1;
    }
    for (size_t i = 0; i < list->n && i < (size_t)desc->n_params; i++) {
        if (list->args[i].scalar)
            continue;
        struct ckpy_array *held = ckpy_array_of(&list->args[i]);
        held->may_change = !desc->params[i].never_written;
        if (held->read_only && !held->in_host && held->may_change) {
            PyErr_Format(PyExc_ValueError,
                         "argument %zu `%s`: the array is read-only, and the kernel may write it: "
                         "pass a copy",
                         held->position, desc->params[i].name);
            return -1;
        }
    }
    return 0;
}

/* Launches with the lock held. */
static int
launch(struct launcher_object *self, struct ckpy_args *list)
{
    struct ckpy_module *module = self->kernel->module;
    ck_shape shape = self->shape.shape;
    ck_status status = find_kernel(module, self->kernel->record);
    ck_kernel *kernel = self->kernel->record->kernel;
    if (!status && self->shape.largest)
        status = largest_grid(&shape, kernel, list);
    if (!status) {
        if (find_writes(kernel, list) < 0 || ckpy_host_arrays_stage(list) < 0 ||
            ckpy_gpu_wait(list) < 0)
            return -1;
        void *stream = (void *)(uintptr_t)list->stream;
        int has_begun = ckpy_interrupts_begin(module);
        if (has_begun < 0)
            return -1;
        Py_BEGIN_ALLOW_THREADS status = ck_launch(kernel, &shape, list->args, list->n, stream);
        Py_END_ALLOW_THREADS if (has_begun) ckpy_interrupts_end(module);
        if (status == CK_ERROR_INTERRUPTED && PyErr_CheckSignals() < 0)
            return -1;
    }
    if (!status)
        return ckpy_host_arrays_collect(list) < 0 ? -1 : note_use(self->kernel->record, list);
    ckpy_raise(module, status);
    if (status == CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
        add_limit(list->state, kernel, &shape);
    return -1;
}

/* The same launch on the GPU that has the arrays. Steals `tuple`. */
static PyObject *
launch_on(struct launcher_object *self, int ordinal, PyObject *tuple)
{
    struct ckpy_module *module = ckpy_module_for(self->kernel->module, ordinal);
    PyObject *name = module ? PyUnicode_FromString(self->kernel->record->name) : NULL;
    PyObject *kernel = name ? ckpy_kernel(module, name, PyExc_KeyError) : NULL;
    PyObject *launcher = kernel ? kernel_subscript(kernel, self->key) : NULL;
    PyObject *result = launcher ? launcher_call(launcher, tuple, NULL) : NULL;
    Py_XDECREF(launcher);
    Py_XDECREF(kernel);
    Py_XDECREF(name);
    Py_DECREF(tuple);
    return result;
}

static int
is_special(const struct kernel_object *self, PyObject *tuple)
{
    for (Py_ssize_t i = 0; self->special && i < PyTuple_Size(tuple); i++) {
        PyObject *value = PyTuple_GetItem(tuple, i);
        int has_fields = PyTuple_Check(value) && !PyTuple_CheckExact(value);
        if (value == Py_None || (has_fields && self->takes_fields))
            return 1;
    }
    return 0;
}

static PyObject *
launcher_call(PyObject *object, PyObject *args, PyObject *keywords)
{
    struct launcher_object *self = (struct launcher_object *)object;
    struct ckpy_module *module = self->kernel->module;
    PyObject *tuple = positional((PyObject *)self->kernel, args, keywords);
    if (!tuple)
        return NULL;
    if (is_special(self->kernel, tuple)) {
        PyObject *function = self->kernel->special;
        PyObject *result = PyObject_CallFunctionObjArgs(function, self->key, tuple, NULL);
        Py_DECREF(tuple);
        return result;
    }
    struct ckpy_args list;
    int failed = ckpy_args_read(&list, module, self->kernel->record, &self->shape, tuple) < 0;
    if (!failed && list.other >= 0) {
        int ordinal = list.other;
        ckpy_args_free(&list);
        return launch_on(self, ordinal, tuple);
    }
    failed = failed || ckpy_enter(module) < 0;
    if (!failed) {
        failed = launch(self, &list) < 0;
        ckpy_host_arrays_free(&list);
        ckpy_leave(module);
    }
    ckpy_args_free(&list);
    Py_DECREF(tuple);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *
set_special(PyObject *object, PyObject *args)
{
    struct kernel_object *self = (struct kernel_object *)object;
    PyObject *function, *old = self->special;
    if (!PyArg_ParseTuple(args, "Op", &function, &self->takes_fields))
        return NULL;
    Py_INCREF(function);
    self->special = function;
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

static PyMethodDef kernel_methods[] = {
    {"_set_special", set_special, METH_VARARGS, NULL},
    {"max_cooperative_grid_blocks", (PyCFunction)(void (*)(void))max_blocks,
     METH_VARARGS | METH_KEYWORDS,
     "max_cooperative_grid_blocks(block, shared_bytes=0)\n--\n\n"
     "The most blocks of `block` threads that can be resident at once, which is the largest grid "
     "of a cooperative launch. A generic kernel must have been launched or prepared."},
    {"prepare", (PyCFunction)(void (*)(void))prepare, METH_VARARGS | METH_KEYWORDS,
     "prepare(*args)\n--\n\n"
     "Compiles what a launch with such arguments needs, and returns its signature."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef kernel_getters[] = {
    {.name = "name", .get = kernel_name, .doc = "The name, as in the source."},
    {.name = "parameters", .get = kernel_parameters, .doc = "Names of the parameters."},
    {.name = "signatures",
     .get = kernel_signatures,
     .doc = "The declared signatures and those of launches, as text."},
    {.name = "usage",
     .get = kernel_usage,
     .doc = "registers, local_bytes, shared_bytes, max_threads of the signature used last."},
    {0},
};
static PyType_Slot kernel_slots[] = {
    {Py_tp_new, ckpy_refuse_new},
    {Py_tp_dealloc, kernel_free},
    {Py_tp_call, kernel_call},
    {Py_tp_repr, kernel_repr},
    {Py_tp_methods, kernel_methods},
    {Py_tp_getset, kernel_getters},
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
    {Py_tp_new, ckpy_refuse_new},
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
