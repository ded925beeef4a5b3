/* Exceptions for failures of a context. */
#include "ckpy.h"

#include <string.h>

/* Text of ck, in which a file's name need not be UTF-8. */
static PyObject *
decode(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *
diagnostic(const ck_diagnostic *d)
{
    return Py_BuildValue("{s:s,s:s,s:N,s:N,s:I,s:I,s:N,s:z}", "severity",
                         d->severity == CK_ERROR ? "error" : "warning", "name", d->name, "message",
                         decode(d->message), "file", PyUnicode_DecodeFSDefault(d->file), "line",
                         d->line, "column", d->column, "rendered", decode(d->rendered), "help",
                         d->help);
}

/* The diagnostics as a list, and what they say as *text. */
PyObject *
ckpy_diagnostics(ck_context *ctx, PyObject **text)
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
    case CK_ERROR_NO_DEVICE:
        return state->error;
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
    PyObject *text = NULL,
             *list = has_diagnostics ? ckpy_diagnostics(self->ctx, &text) : PyList_New(0);
    if (list && (!text || PyList_Size(list) == 0)) {
        Py_XDECREF(text);
        text = decode(ck_context_error(self->ctx));
    }
    PyObject *error = list && text ? PyObject_CallFunctionObjArgs(type, text, NULL) : NULL;
    if (error && PyObject_SetAttrString(error, "diagnostics", list) == 0)
        PyErr_SetObject(type, error);
    Py_XDECREF(error);
    Py_XDECREF(text);
    Py_XDECREF(list);
}
