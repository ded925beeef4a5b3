/* ck.compile: its arguments, the cache, the device, warnings. */
#include "ckpy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static int
give_warning(PyObject *diagnostic)
{
    PyObject *text = PyDict_GetItemString(diagnostic, "rendered");
    PyObject *file = PyDict_GetItemString(diagnostic, "file");
    PyObject *line = PyDict_GetItemString(diagnostic, "line");
    PyObject *text_bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
    PyObject *file_bytes = file ? PyUnicode_EncodeFSDefault(file) : NULL;
    int result = -1;
    if (text_bytes && file_bytes && line)
        result =
            PyErr_WarnExplicit(PyExc_UserWarning, PyBytes_AsString(text_bytes),
                               PyBytes_AsString(file_bytes), (int)PyLong_AsLong(line), NULL, NULL);
    Py_XDECREF(file_bytes);
    Py_XDECREF(text_bytes);
    return result;
}

/* Gives the warnings of a compilation to Python's `warnings`, as of the source's lines. The list
 * was made first, as what warns may run any code. */
static int
give_warnings(PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++)
        if (give_warning(PyList_GetItem(list, i)) < 0)
            return -1;
    return 0;
}

/* --- The cache --- */

/* "256M": bytes, or with K, M or G so many powers of 1024. */
static int
read_size(uint64_t *out, const char *text)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (text[0] < '0' || text[0] > '9' || errno || end[unit != NULL] || n > UINT64_MAX >> shift) {
        PyErr_Format(PyExc_ValueError,
                     "invalid CK_CACHE_SIZE '%s': a number of bytes is due, such as 256M", text);
        return -1;
    }
    *out = n << shift;
    return 0;
}

/* The folder of ckc's and ckrun's cache, as bytes; None: no cache. */
static PyObject *
cache_folder(void)
{
    const char *given = getenv("CK_CACHE_DIR"), *caches = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (given)
        return PyBytes_FromString(given);
    if (caches && caches[0] == '/')
        return PyBytes_FromFormat("%s/ck", caches);
    if (home && home[0] == '/')
        return PyBytes_FromFormat("%s/.cache/ck", home);
    Py_RETURN_NONE;
}

static int
make_context(ck_context **out)
{
    ck_context_options options = {.size = sizeof options};
    const char *size = getenv("CK_CACHE_SIZE");
    int off = 0;
    if (size && *size) {
        if (read_size(&options.cache_bytes, size) < 0)
            return -1;
        off = !options.cache_bytes;
    }
    PyObject *folder = off ? NULL : cache_folder();
    if (!off && !folder)
        return -1;
    if (folder && folder != Py_None)
        options.cache_directory = PyBytes_AsString(folder);
    ck_status status = ck_context_new(out, &options);
    Py_XDECREF(folder);
    if (status)
        PyErr_NoMemory();
    return status ? -1 : 0;
}

/* --- ck.compile --- */

enum { MOST_NAMES = 64 };

/* What ck.compile was called with. The lists are those of the options. */
struct given {
    PyObject *path, *text, *name_object, *libdevice_object, *signatures, *warnings_off, *parts;
    const char *name, *libdevice; /* of files, which need not be UTF-8 */
    const char *checks, *device, *schedule, *arch;
    int fmad, lineinfo;
    const char *names[2][MOST_NAMES];
    PyObject *encoded; /* a list of bytes, which keeps what points into them */
    ck_source_part *places;
    size_t n_places;
};

/* The bytes of an object, of which the reference is taken, for as long as `given` exists. */
static const char *
keep(const struct given *given, PyObject *bytes)
{
    const char *text =
        bytes && PyList_Append(given->encoded, bytes) == 0 ? PyBytes_AsString(bytes) : NULL;
    Py_XDECREF(bytes);
    return text;
}

/* A file's name: a str, bytes or a path; NULL without an exception: it is None. */
static const char *
read_file_name(const struct given *given, PyObject *value)
{
    PyObject *bytes;
    if (value == Py_None || !PyUnicode_FSConverter(value, &bytes))
        return NULL;
    return keep(given, bytes);
}

/* [(line, file, line of the file, column)], in which ck.cuda says where its lines come from. */
static int
read_parts(struct given *given)
{
    Py_ssize_t n = given->parts == Py_None ? 0 : PySequence_Size(given->parts);
    given->places = n > 0 ? ckpy_calloc((size_t)n, sizeof *given->places) : NULL;
    if (n > 0 && !given->places)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); i++) {
        PyObject *row = PySequence_GetItem(given->parts, i), *file;
        ck_source_part *part = &given->places[i];
        if (row &&
            PyArg_ParseTuple(row, "IUII", &part->line, &file, &part->file_line, &part->column))
            part->file = keep(given, PyUnicode_EncodeFSDefault(file));
        Py_XDECREF(row);
    }
    given->n_places = n > 0 ? (size_t)n : 0;
    return PyErr_Occurred() ? -1 : 0;
}

/* A sequence of str as C strings. Their number, or -1. */
static int
read_names(struct given *given, const char **out, PyObject *sequence, const char *what)
{
    if (sequence == Py_None)
        return 0;
    if (PyUnicode_Check(sequence)) {
        PyErr_Format(PyExc_TypeError, "%s is a list of str, not %R", what, sequence);
        return -1;
    }
    Py_ssize_t n = PySequence_Size(sequence);
    if (n > MOST_NAMES)
        PyErr_Format(PyExc_ValueError, "%s has more than %d items", what, MOST_NAMES);
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        out[i] = item ? keep(given, PyUnicode_AsUTF8String(item)) : NULL;
        Py_XDECREF(item);
    }
    return PyErr_Occurred() ? -1 : (int)n;
}

/* "seq", "reverse", "random" or "random:SEED", in which the CPU device runs threads. */
static int
read_schedule(struct ckpy_module *self, const char *text)
{
    char *end = "";
    if (!strcmp(text, "") || !strcmp(text, "seq"))
        return 0;
    if (!strcmp(text, "reverse")) {
        self->schedule = CK_SCHEDULE_REVERSE;
        return 0;
    }
    self->schedule = CK_SCHEDULE_RANDOM;
    if (!strncmp(text, "random:", 7) && text[7] >= '0' && text[7] <= '9')
        self->seed = strtoull(text + 7, &end, 10);
    else if (strcmp(text, "random") != 0)
        end = "?";
    if (!*end)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "no schedule is called '%s': schedules are seq, reverse, random and random:SEED",
                 text);
    return -1;
}

/* "auto" is the CPU device for checks that a GPU does not have. */
static const char *
choose_device(const struct given *given, unsigned checks)
{
    const char *name = given->device ? given->device : getenv("CK_DEVICE");
    if (!name || !*name)
        name = "auto";
    return !strcmp(name, "auto") && (checks & ~(unsigned)CK_CHECK_BOUNDS) ? "cpu" : name;
}

static ck_status
open_device(struct ckpy_module *self, const char *name)
{
    ck_device_options options = {.size = sizeof options,
                                 .checks = self->checks,
                                 .schedule = self->schedule,
                                 .seed = self->seed,
                                 .interrupted = &self->interrupted};
    ck_status status;
    Py_BEGIN_ALLOW_THREADS status = ck_device_open(&self->device, self->ctx, name, &options);
    Py_END_ALLOW_THREADS if (status) return status;
    int is_cpu = !strcmp(ck_device_get_info(self->device)->kind, "cpu");
    self->device_name = strdup(is_cpu && !strcmp(name, "auto") ? "cpu" : name);
    if (!is_cpu) {
        const char *colon = strchr(name, ':');
        if (!colon && (!(self->again = PyDict_New()) || !(self->others = PyDict_New())))
            return CK_ERROR_MEMORY;
        self->gpu = ckpy_gpu(self->python_module, colon ? atoi(colon + 1) : 0);
    }
    return self->device_name ? CK_OK : CK_ERROR_MEMORY;
}

static int
compile_into(struct ckpy_module *self, PyObject *source, struct given *given)
{
    ck_compile_options options = {
        .size = sizeof options,
        .name = given->name,
        .arch = given->arch,
        .libdevice = given->libdevice,
        .no_fmad = !given->fmad,
        .lineinfo = given->lineinfo,
        .sigs = given->names[0],
        .warnings_off = given->names[1],
    };
    char *text;
    Py_ssize_t length;
    int n_sigs = read_names(given, given->names[0], given->signatures, "signatures");
    int n_off =
        n_sigs < 0 ? -1 : read_names(given, given->names[1], given->warnings_off, "warnings_off");
    if (n_off < 0 || read_parts(given) < 0 || read_checks(&self->checks, given->checks) < 0 ||
        read_schedule(self, given->schedule) < 0 ||
        PyBytes_AsStringAndSize(source, &text, &length) < 0 || make_context(&self->ctx) < 0)
        return -1;
    options.n_sigs = (size_t)n_sigs;
    options.n_warnings_off = (size_t)n_off;
    options.parts = given->places;
    options.n_parts = given->n_places;
    if (!(self->lock = PyThread_allocate_lock())) {
        PyErr_NoMemory();
        return -1;
    }
    ck_status status = open_device(self, choose_device(given, self->checks));
    if (!status && !PyErr_Occurred()) {
        Py_BEGIN_ALLOW_THREADS status =
            ck_compile(&self->module, self->ctx, text, (size_t)length, &options);
        Py_END_ALLOW_THREADS
    }
    if (status == CK_ERROR_ARGUMENT)
        PyErr_SetString(PyExc_ValueError, ck_context_error(self->ctx));
    else if (status)
        ckpy_raise(self, status);
    return PyErr_Occurred() ? -1 : 0;
}

static int
warn_of_compilation(const struct ckpy_module *self)
{
    PyObject *joined, *list = ckpy_diagnostics(self->ctx, &joined);
    if (!list)
        return -1;
    int result = give_warnings(list);
    Py_DECREF(joined);
    Py_DECREF(list);
    return result;
}

/* The keywords that compile the same source once more. */
static int
fill_again(PyObject *again, PyObject *source, const struct given *given)
{
    char *text;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(source, &text, &length) < 0)
        return -1;
    PyObject *made = Py_BuildValue(
        "{s:s#,s:O,s:s,s:z,s:O,s:i,s:i,s:O,s:O,s:O}", "text", text, length, "name",
        given->name_object, "check", given->checks, "arch", given->arch, "libdevice",
        given->libdevice_object, "fmad", given->fmad, "lineinfo", given->lineinfo, "signatures",
        given->signatures, "warnings_off", given->warnings_off, "_parts", given->parts);
    int result = made ? PyDict_Update(again, made) : -1;
    Py_XDECREF(made);
    return result;
}

static PyObject *
make_module(PyObject *python_module, PyObject *source, struct given *given)
{
    struct ckpy_state *state = PyModule_GetState(python_module);
    PyObject *object = PyType_GenericAlloc((PyTypeObject *)state->module_type, 0);
    struct ckpy_module *self = (struct ckpy_module *)object;
    if (!self)
        return NULL;
    Py_INCREF(python_module);
    self->python_module = python_module;
    self->forks = state->forks;
    if (compile_into(self, source, given) < 0 || warn_of_compilation(self) < 0 ||
        (self->again && fill_again(self->again, source, given) < 0))
        Py_CLEAR(object);
    return object;
}

static PyObject *
compile_for(struct ckpy_module *self, int ordinal)
{
    PyObject *none = PyTuple_New(0), *options = PyDict_Copy(self->again), *module = NULL;
    PyObject *device = PyUnicode_FromFormat("cuda:%d", ordinal);
    if (none && options && device && PyDict_SetItemString(options, "device", device) == 0)
        module = ckpy_compile(self->python_module, none, options);
    Py_XDECREF(device);
    Py_XDECREF(options);
    Py_XDECREF(none);
    return module;
}

struct ckpy_module *
ckpy_module_for(struct ckpy_module *self, int ordinal)
{
    PyObject *key = PyLong_FromLong(ordinal);
    PyObject *known = key ? PyDict_GetItemWithError(self->others, key) : NULL;
    if (key && !known && !PyErr_Occurred()) {
        PyObject *made = compile_for(self, ordinal);
        known = made ? PyObject_CallMethod(self->others, "setdefault", "OO", key, made) : NULL;
        Py_XDECREF(made);
        Py_XDECREF(known); /* the dict has it */
    }
    Py_XDECREF(key);
    return (struct ckpy_module *)known;
}

static int
read_given(struct given *given, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"path",       "text",         "name",   "check",     "device",
                            "schedule",   "arch",         "fmad",   "libdevice", "lineinfo",
                            "signatures", "warnings_off", "_parts", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O$OOzzzzpOpOOO:compile", names, &given->path,
                                     &given->text, &given->name_object, &given->checks,
                                     &given->device, &given->schedule, &given->arch, &given->fmad,
                                     &given->libdevice_object, &given->lineinfo, &given->signatures,
                                     &given->warnings_off, &given->parts))
        return -1;
    if (given->name_object == Py_None)
        given->name_object = given->path;
    given->name = read_file_name(given, given->name_object);
    given->libdevice = read_file_name(given, given->libdevice_object);
    if (PyErr_Occurred())
        return -1;
    if ((given->path == Py_None) == (given->text == Py_None)) {
        PyErr_SetString(PyExc_TypeError, "compile takes a path or text=, one of them");
        return -1;
    }
    if (given->text != Py_None && !PyUnicode_Check(given->text)) {
        PyErr_Format(PyExc_TypeError, "text is a str, not %R", given->text);
        return -1;
    }
    if (!given->checks)
        given->checks = getenv("CK_CHECK");
    if (!given->checks)
        given->checks = "";
    if (!given->schedule)
        given->schedule = getenv("CK_SCHEDULE");
    if (!given->schedule)
        given->schedule = "";
    return 0;
}

PyObject *
ckpy_compile(PyObject *python_module, PyObject *args, PyObject *keywords)
{
    struct given given = {.path = Py_None,
                          .text = Py_None,
                          .name_object = Py_None,
                          .libdevice_object = Py_None,
                          .signatures = Py_None,
                          .warnings_off = Py_None,
                          .parts = Py_None,
                          .fmad = 1,
                          .encoded = PyList_New(0)};
    if (!given.encoded)
        return NULL;
    PyObject *source = NULL, *self = NULL;
    if (read_given(&given, args, keywords) == 0)
        source = given.path != Py_None ? read_file(given.path) : PyUnicode_AsUTF8String(given.text);
    if (source)
        self = make_module(python_module, source, &given);
    PyMem_Free(given.places);
    Py_DECREF(given.encoded);
    Py_XDECREF(source);
    return self;
}
