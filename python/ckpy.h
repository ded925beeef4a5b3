/* The core of the Python package ck: what its files share.
 *
 * It is written against the limited API of CPython 3.9, and includes <ck/...> alone of ck. A
 * failure is a Python exception that is set, with NULL or -1 returned.
 *
 * Threads of a free-threaded Python run this code at the same time. What they share is in dicts and
 * lists of Python's, which have locks of their own; is a module's, whose lock they take; or is set
 * once, by ckpy_keep. */
#ifndef CK_PYTHON_CKPY_H
#define CK_PYTHON_CKPY_H

#define PY_SSIZE_T_CLEAN
#include <pyconfig.h>
#ifndef Py_GIL_DISABLED /* a free-threaded Python has no limited API */
#define Py_LIMITED_API 0x03090000
#endif
#include <Python.h>

#include <ck/ck.h>
#include <stddef.h>
#include <string.h>

/* Attributes and keys that a launch looks up, as interned strings. */
#define CKPY_NAMES(X)                                                                              \
    X(array_interface, "__array_interface__")                                                      \
    X(array_struct, "__array_struct__")                                                            \
    X(cuda_array_interface, "__cuda_array_interface__")                                            \
    X(cuda_stream, "__cuda_stream__")                                                              \
    X(data, "data")                                                                                \
    X(data_ptr, "data_ptr")                                                                        \
    X(descr, "descr")                                                                              \
    X(dlpack, "__dlpack__")                                                                        \
    X(dlpack_device, "__dlpack_device__")                                                          \
    X(dtype, "dtype")                                                                              \
    X(flags, "flags")                                                                              \
    X(get_device, "get_device")                                                                    \
    X(handle, "handle")                                                                            \
    X(is_conj, "is_conj")                                                                          \
    X(is_neg, "is_neg")                                                                            \
    X(item, "item")                                                                                \
    X(mask, "mask")                                                                                \
    X(name, "name")                                                                                \
    X(names, "names")                                                                              \
    X(numpy, "numpy")                                                                              \
    X(ptr, "ptr")                                                                                  \
    X(requires_grad, "requires_grad")                                                              \
    X(shape, "shape")                                                                              \
    X(str, "str")                                                                                  \
    X(stream, "stream")                                                                            \
    X(stride, "stride")                                                                            \
    X(strides, "strides")                                                                          \
    X(torch, "torch")                                                                              \
    X(torch_stream, "cuda_stream")                                                                 \
    X(type, "type")                                                                                \
    X(typestr, "typestr")                                                                          \
    X(value, "value")                                                                              \
    X(writeable, "writeable")

struct ckpy_names {
#define X(member, text) PyObject *member;
    CKPY_NAMES(X)
#undef X
};

/* Sets a pointer that is NULL, for as long as the state exists, to a new reference, which is taken.
 * The value is what another thread has set meanwhile, if one has. */
static inline PyObject *
ckpy_keep(PyObject **slot, PyObject *made)
{
    PyObject *known = NULL;
    if (!made ||
        __atomic_compare_exchange_n(slot, &known, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    Py_DECREF(made);
    return known;
}

/* What it was set to, or NULL. */
static inline PyObject *
ckpy_kept(PyObject *const *slot)
{
    return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

/* The module's state: its exceptions, its types, and what it knows of other modules. */
struct ckpy_state {
    PyObject *error, *compile_error, *launch_error, *too_large_error, *check_error;
    PyObject *module_type, *kernel_type, *launcher_type, *gpu_type, *usage_type;
    PyObject *device_array_type;
    PyObject *max;      /* ck.max */
    PyObject *left_out; /* among arguments: the default value of the parameter */
    struct ckpy_names names;
    PyObject *numpy_array;   /* numpy.ndarray, likewise */
    PyObject *numpy_generic; /* numpy.generic; NULL: not imported yet */
    PyObject *numpy_void;    /* numpy.void, likewise */
    PyObject *numpy_scalars; /* a dict: ck's dtype of each type of NumPy's scalars that was used */
    PyObject *torch_tensor;  /* torch.Tensor; NULL: not imported yet */
    PyObject *torch_dtypes;  /* a dict: ck's dtype of each of PyTorch's that was used */
    PyObject *torch_stream;  /* the handle of a device's current stream */
    PyObject *gpus;          /* a dict: the ck._core.Gpu of each ordinal that was used */
    /* Of `_signal`; NULL: no launch has asked for them. */
    PyObject *getsignal, *sigint, *raises;
    PyObject *records;          /* a dict: the ck_record of each structured dtype that was used */
    struct ckpy_driver *driver; /* NULL: not loaded yet */
    unsigned forks;             /* that led to this process */
};

/* A compiled module with its own context and device. Whoever uses these holds `lock`, which is
 * taken without the GIL: ckpy_enter. */
struct ckpy_module {
    PyObject ob_base;
    PyObject *python_module; /* ck._core, whose state has the exceptions */
    ck_context *ctx;
    ck_device *device;
    ck_module *module;
    struct ckpy_gpu *gpu; /* NULL: the CPU device */
    /* What compiles the source for another GPU, as keywords of ck.compile, and what was compiled
     * so, by its ordinal, from which nothing is removed; NULL: the caller named the GPU. */
    PyObject *again, *others;
    void *event;                 /* orders the launch's stream after others; NULL: not needed yet */
    struct ckpy_record *records; /* of its kernels */
    PyThread_type_lock lock;
    unsigned long owner;      /* the thread that holds the lock; 0: none */
    volatile int interrupted; /* of the CPU device */
    /* To open the device again in a forked process: */
    char *device_name;
    unsigned checks;
    ck_schedule schedule;
    uint64_t seed;
    unsigned forks; /* that led to the process of the device */
};

/* PyMem_Calloc, which the limited API does not declare before Python 3.10. */
static inline void *
ckpy_calloc(size_t n, size_t size)
{
    void *memory = size && n > PY_SSIZE_T_MAX / size ? NULL : PyMem_Malloc(n * size);
    return memory ? memset(memory, 0, n * size) : NULL;
}

struct ckpy_state *ckpy_state(const struct ckpy_module *self);

/* Takes the module's lock. -1 if this thread has it already (a finalizer ran inside a call), in a
 * process that was forked since the module was compiled, or if a signal's handler raised while it
 * waited. */
int ckpy_enter(struct ckpy_module *self);
void ckpy_leave(struct ckpy_module *self);

/* The attribute, a new reference; NULL without an exception: there is none of that name. */
PyObject *ckpy_attribute(PyObject *object, PyObject *name);
/* A type of a module, which *slot keeps, borrowed; NULL without an exception: nobody has imported
 * the module, it is being imported, or is another one of that name. */
PyObject *ckpy_imported_type(PyObject **slot, PyObject *module_name, const char *name);
/* tp_new of types whose objects the package alone makes. */
PyObject *ckpy_refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords);

/* Sets the exception that belongs to a failure of `self->ctx`. The lock is held. */
void ckpy_raise(struct ckpy_module *self, ck_status status);

/* interrupt.c: between these, Ctrl-C interrupts the main thread's launch on the CPU device. `begin`
 * returns 1 if `end` is due; -1: a signal's handler raised. */
int ckpy_interrupts_begin(struct ckpy_module *module);
void ckpy_interrupts_end(struct ckpy_module *module);

/* The diagnostics of a context as a list of dicts, and what they say as *text. */
PyObject *ckpy_diagnostics(ck_context *ctx, PyObject **text);

/* ck.compile. */
PyObject *ckpy_compile(PyObject *python_module, PyObject *args, PyObject *keywords);

enum { CKPY_N_MARKS = 16 };

/* What a module knows of a kernel, for all its objects. */
struct ckpy_record {
    struct ckpy_record *next;
    char *name;
    const ck_kernel_desc **declared; /* its signatures that are declared */
    size_t n_declared;
    ck_kernel *kernel;
    const ck_device *device; /* whose kernel it is */
    /* Signatures of launches and preparations, as text, and marks of the arguments they were for:
     * an argument of another type has another mark. */
    PyObject *used;
    uint64_t marks[CKPY_N_MARKS];
    unsigned n_marks;
};

/* module_memory.c: the module's array of the name, a new object; NULL, without an exception, if
 * there is none. The names; and methods for ck._module_array. */
PyObject *ckpy_module_array(struct ckpy_module *self, PyObject *name);
PyObject *ckpy_module_arrays(PyObject *object, void *unused);
PyObject *ckpy_array_address(PyObject *object, PyObject *args);
PyObject *ckpy_array_read(PyObject *object, PyObject *args);
PyObject *ckpy_array_write(PyObject *object, PyObject *args);

void ckpy_records_free(struct ckpy_record *records);
/* The parameter after `param`, a tuple's items included. */
int ckpy_next_param(const ck_kernel_desc *desc, int param);
/* The module for another GPU, borrowed: `self` keeps it. */
struct ckpy_module *ckpy_module_for(struct ckpy_module *self, int ordinal);
/* The kernel called `name`, or an exception of type `missing`. */
PyObject *ckpy_kernel(struct ckpy_module *self, PyObject *name, PyObject *missing);

/* --- The shape of a launch --- */

/* kernel[grid, block, stream, shared_bytes, cluster]. */
struct ckpy_shape {
    ck_shape shape;
    int largest;     /* the grid is ck.max */
    int has_stream;  /* 0: left out, or None */
    uint64_t stream; /* a CUstream */
};

int ckpy_shape_read(struct ckpy_shape *out, const struct ckpy_state *state, PyObject *key);
/* An extent of up to three, each at least 1. */
int ckpy_read_dim3(ck_dim3 *out, PyObject *value, const char *what);
int ckpy_read_shared_bytes(uint32_t *out, PyObject *value);

/* --- Arguments of a launch --- */

/* An array argument. One in the host's memory lies elsewhere during a launch if the device is a
 * GPU, or if Python may not write it: its bytes are then compared after the launch. */
struct ckpy_array {
    struct ckpy_array *next;
    PyObject *owner; /* keeps the memory of what was made for this call; may be NULL */
    ck_array array;
    size_t position; /* of the argument, from 1 */
    int in_host, read_only;
    int gpu;        /* that has its memory, as its owner knows; -1: ask the driver */
    int may_change; /* the kernel may write it, or nothing is known of that */
    char *low; /* in the host's memory: the first byte of its elements, and how many it spans */
    size_t bytes;
    char *block, *copy; /* a copy in the host's memory: what was allocated, and where it starts */
    const char *before; /* what the copy was: another argument may change the array's own bytes */
    ck_buffer *buffer;  /* a copy in the GPU's memory of this array alone */
};

/* The array that an argument, which is no scalar, is of. */
static inline struct ckpy_array *
ckpy_array_of(const ck_arg *arg)
{
    return (struct ckpy_array *)((char *)arg->value.array - offsetof(struct ckpy_array, array));
}

/* Arrays in the host's memory that overlap each other have one copy on the GPU. */
struct ckpy_span {
    char *low, *high;
    int may_change;
    ck_buffer *buffer;
};

enum { CKPY_MAX_WAITS = 8, CKPY_N_OWN = 16 };

struct ckpy_args {
    struct ckpy_module *module;
    const struct ckpy_record *kernel;
    struct ckpy_state *state;
    ck_arg *args;
    size_t n, room;
    struct ckpy_array *arrays;
    size_t n_in_host;
    int other; /* the GPU on which all arrays lie if it is another one; -1: it is not */
    struct ckpy_span *spans; /* of those in the host's memory that Python may write */
    size_t n_spans;
    uint64_t stream;                /* of the launch */
    uint64_t waits[CKPY_MAX_WAITS]; /* streams that the launch comes after */
    size_t n_waits;
    /* The first arguments and arrays lie here, not initialised, and others on the heap. */
    size_t n_own_arrays;
    ck_arg own_args[CKPY_N_OWN];
    struct ckpy_array own_arrays[CKPY_N_OWN];
};

/* Converts a launch's arguments; `out` is freed by the caller whether it succeeds or not. */
int ckpy_args_read(struct ckpy_args *out, struct ckpy_module *module,
                   const struct ckpy_record *kernel, const struct ckpy_shape *shape,
                   PyObject *tuple);
void ckpy_args_free(struct ckpy_args *args);

/* Whether a declared signature of the kernel has a tuple, as which a record by itself is passed, as
 * the parameter of this number, from 1. */
int ckpy_kernel_takes_tuple(const struct ckpy_record *kernel, size_t position);

/* Makes scalars those of a declared signature that takes them and the arrays; of several, of the
 * first. None does: they stay, and the runtime says what does not fit. */
int ckpy_take_declared_types(struct ckpy_args *list);

/* Orders the launch after `stream`. */
int ckpy_args_wait_for(struct ckpy_args *args, uint64_t stream);

/* Arrays of each kind. 0: `value` is none of that kind; 1: it was read. */
int ckpy_read_device_array(struct ckpy_args *out, struct ckpy_array *held, PyObject *value);
int ckpy_read_torch(struct ckpy_args *out, struct ckpy_array *held, PyObject *value);
int ckpy_read_interface(struct ckpy_args *out, struct ckpy_array *held, PyObject *value);
/* Whether Python may write an array or a record, by its flags; -1 with an exception. */
int ckpy_is_writeable(const struct ckpy_state *state, PyObject *value);
int ckpy_read_dlpack(struct ckpy_args *out, struct ckpy_array *held, PyObject *value);

/* The stream of PyTorch for tensors among a launch's arguments. 0: there is none. */
int ckpy_torch_stream(uint64_t *stream, struct ckpy_args *args, PyObject *tuple);

/* The bytes of an element. */
size_t ckpy_item_size(const ck_array *array);
/* The strides of an array in C order. */
int ckpy_fill_strides(ck_array *array, size_t position);
/* Sets the exception for an array whose size overflows; -1. */
int ckpy_fail_size(size_t position);

/* Reads a tuple of integers. Its length, or -1. */
int ckpy_read_integers(int64_t *out, PyObject *tuple, const char *what, size_t position);
/* The dtype of a type string, as "<f4"; `value` is what has it. */
ck_dtype ckpy_dtype(const struct ckpy_state *state, PyObject *typestr, PyObject *value,
                    size_t position);
/* The dtype of a type string, and of its name if the string says no more than bytes; NONE without
 * an exception: ck has none. */
ck_dtype ckpy_dtype_find(PyObject *typestr, PyObject *name);

/* The record type of a structured dtype of NumPy, borrowed: equal dtypes have the same one. NULL:
 * the exception names the argument and the field that kernels cannot have. */
const ck_record *ckpy_record(struct ckpy_state *state, PyObject *dtype, size_t position);
/* Elements that are records, by the dtype of `value`, or by its array interface, which may be NULL.
 * 0: they are none. */
int ckpy_read_record_elements(struct ckpy_args *args, struct ckpy_array *held, PyObject *value,
                              PyObject *interface);

/* Copies what must not be used where it lies. The module's lock is held. */
int ckpy_host_arrays_stage(struct ckpy_args *args);
/* After the launch: brings back what the kernel wrote. -1 also if it wrote a read-only array, which
 * has kept its values. */
int ckpy_host_arrays_collect(struct ckpy_args *args);
void ckpy_host_arrays_free(struct ckpy_args *args);

/* --- The CUDA driver --- */

/* A GPU with its primary context: ck._core.Gpu. */
struct ckpy_gpu {
    PyObject ob_base;
    PyObject *python_module;
    const struct ckpy_driver *driver;
    int ordinal;
    void *context;
};

/* The GPU of this number, with a reference; NULL with an exception. */
struct ckpy_gpu *ckpy_gpu(PyObject *python_module, int ordinal);

PyObject *ckpy_gpu_count(struct ckpy_state *state);
void ckpy_gpu_free_event(const struct ckpy_gpu *gpu, void *event);

/* Checks that each array in a GPU's memory lies where the module's kernels can reach it, or sets
 * args->other. */
int ckpy_gpu_check_addresses(struct ckpy_args *args);
/* Orders the launch's stream after the others. */
int ckpy_gpu_wait(struct ckpy_args *args);
/* Waits for the launch's stream. */
ck_status ckpy_gpu_synchronize(struct ckpy_args *args);

extern PyType_Spec ckpy_module_spec, ckpy_kernel_spec, ckpy_launcher_spec, ckpy_gpu_spec;
extern PyType_Spec ckpy_device_array_spec;
extern PyStructSequence_Desc ckpy_usage_desc;

#endif
