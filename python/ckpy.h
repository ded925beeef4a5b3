/* The Python module ck: what its files share.
 *
 * It is written against the limited API of CPython 3.9, and includes <ck/...> alone of ck. A
 * failure is a Python exception that is set, with NULL or -1 returned. */
#ifndef CK_PYTHON_CKPY_H
#define CK_PYTHON_CKPY_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include <ck/ck.h>

/* The module's state: its exceptions and types. */
struct ckpy_state {
    PyObject *error, *compile_error, *launch_error, *too_large_error, *check_error;
    PyObject *module_type, *kernel_type, *launcher_type;
};

/* A compiled module with its own context and device. Whoever uses these holds `lock`, which is
 * taken without the GIL: ckpy_enter. */
struct ckpy_module {
    PyObject ob_base;
    PyObject *python_module; /* ck, whose state has the exceptions */
    ck_context *ctx;
    ck_device *device;
    ck_module *module;
    PyThread_type_lock lock;
    unsigned long owner; /* the thread that holds the lock; 0: none */
};

struct ckpy_state *ckpy_state(const struct ckpy_module *self);

/* Takes the module's lock. -1 if this thread has it already: a finalizer ran inside a call. */
int ckpy_enter(struct ckpy_module *self);
void ckpy_leave(struct ckpy_module *self);

/* Sets the exception that belongs to a failure of `self->ctx`. The lock is held. */
void ckpy_raise(struct ckpy_module *self, ck_status status);

/* The kernel called `name`, or an exception of type `missing`. */
PyObject *ckpy_kernel(struct ckpy_module *self, PyObject *name, PyObject *missing);

/* --- Arguments of a launch --- */

/* An array argument. What Python may not write is passed as a copy, whose bytes are compared after
 * the launch. */
struct ckpy_array {
    struct ckpy_array *next;
    PyObject *interface; /* keeps the memory of an interface that was made for this call */
    ck_array array;
    ck_record *record;    /* the array's, from malloc; NULL: it has no records */
    size_t position;      /* of the argument, from 1 */
    const char *original; /* NULL: passed where it lies */
    char *block, *copy;   /* what was allocated, and where the copy starts in it */
    size_t bytes;
};

struct ckpy_args {
    ck_arg *args;
    size_t n, room;
    struct ckpy_array *arrays;
};

/* Converts a launch's arguments; `out` is freed by the caller whether it succeeds or not. */
int ckpy_args_read(struct ckpy_args *out, PyObject *tuple);
/* The dtype of an array interface's type string, as "<f4"; NONE: an exception is set. */
ck_dtype ckpy_dtype_read(PyObject *typestr, size_t position);
/* Reads a tuple of integers. Its length, or -1. */
int ckpy_integers_read(int64_t *out, PyObject *tuple, const char *what, size_t position);
/* The record type of an array interface's list of fields, from malloc; NULL: an exception is set.
 */
ck_record *ckpy_record_read(PyObject *descr, size_t position);
/* -1 if the kernel wrote a read-only array, which has kept its values. */
int ckpy_args_check_read_only(const struct ckpy_args *args);
void ckpy_args_free(struct ckpy_args *args);

extern PyType_Spec ckpy_kernel_spec, ckpy_launcher_spec;

#endif
