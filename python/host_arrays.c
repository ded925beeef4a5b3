/* Arrays in the host's memory that a launch does not use where they lie: all of them if the device
 * is a GPU, and those that Python may not write if the kernel might. */
#include "ckpy.h"

#include <string.h>

enum { ALIGNMENT = 256 };

/* The bytes from the first to the last element. 0: there is no element; -1 with an exception. */
static int
find_span(struct ckpy_array *held)
{
    const ck_array *a = &held->array;
    int64_t low = 0, high = (int64_t)ckpy_item_size(a);
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] == 0)
            return 0;
        int64_t reach, *end;
        if (__builtin_mul_overflow(a->shape[i] - 1, a->strides[i], &reach))
            return ckpy_fail_size(held->position);
        end = reach < 0 ? &low : &high;
        if (__builtin_add_overflow(*end, reach, end))
            return ckpy_fail_size(held->position);
    }
    int64_t bytes;
    if (__builtin_sub_overflow(high, low, &bytes))
        return ckpy_fail_size(held->position);
    held->low = (char *)(uintptr_t)a->data + low;
    held->bytes = (size_t)bytes;
    return 1;
}

/* How far the memory is from a multiple of ALIGNMENT, which its copy is too. */
static size_t
phase_of(const char *low)
{
    return (uintptr_t)low % ALIGNMENT;
}

/* --- Copies in the host's memory --- */

static int
copy_in_host(struct ckpy_array *held)
{
    size_t bytes;
    if (__builtin_mul_overflow(held->bytes, 2, &bytes) ||
        __builtin_add_overflow(bytes, 2 * ALIGNMENT, &bytes))
        return ckpy_fail_size(held->position);
    held->block = PyMem_Malloc(bytes);
    if (!held->block) {
        PyErr_NoMemory();
        return -1;
    }
    uintptr_t start = ((uintptr_t)held->block + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    held->copy = (char *)start + phase_of(held->low);
    held->before = memcpy(held->copy + held->bytes, held->low, held->bytes);
    memcpy(held->copy, held->low, held->bytes);
    return 0;
}

/* --- Copies on the GPU --- */

/* Whether a copy is compared after the launch: Python may not write the array, and the kernel
 * might.
 */
static int
is_compared(const struct ckpy_array *held)
{
    return held->read_only && held->may_change;
}

/* Adds the array's bytes to the span that overlaps them, or as a new span; joins the spans that
 * overlap each other through it. */
static void
add_span(struct ckpy_args *args, const struct ckpy_array *held)
{
    struct ckpy_span span = {held->low, held->low + held->bytes, held->may_change, NULL};
    size_t n = 0;
    for (size_t i = 0; i < args->n_spans; i++) {
        const struct ckpy_span *other = &args->spans[i];
        if (other->high <= span.low || span.high <= other->low) {
            args->spans[n++] = *other;
            continue;
        }
        span.low = other->low < span.low ? other->low : span.low;
        span.high = other->high > span.high ? other->high : span.high;
        span.may_change |= other->may_change;
    }
    args->spans[n] = span;
    args->n_spans = n + 1;
}

static const struct ckpy_span *
span_of(const struct ckpy_args *args, const struct ckpy_array *held)
{
    const struct ckpy_span *span = args->spans;
    while (held->low < span->low || held->low >= span->high)
        span++;
    return span;
}

static int
upload(ck_buffer **out, const struct ckpy_args *args, const char *low, size_t bytes)
{
    struct ckpy_module *module = args->module;
    ck_status status;
    Py_BEGIN_ALLOW_THREADS status = ck_buffer_new(out, module->device, bytes + phase_of(low));
    if (!status)
        status = ck_buffer_write(*out, phase_of(low), low, bytes);
    Py_END_ALLOW_THREADS if (status) ckpy_raise(module, status);
    return status ? -1 : 0;
}

static int
upload_all(struct ckpy_args *args)
{
    args->spans = ckpy_calloc(args->n_in_host, sizeof *args->spans);
    if (!args->spans) {
        PyErr_NoMemory();
        return -1;
    }
    for (struct ckpy_array *held = args->arrays; held; held = held->next) {
        if (!held->low)
            continue;
        if (!is_compared(held))
            add_span(args, held);
        else if (upload(&held->buffer, args, held->low, held->bytes) < 0)
            return -1;
    }
    for (size_t i = 0; i < args->n_spans; i++) {
        struct ckpy_span *span = &args->spans[i];
        if (upload(&span->buffer, args, span->low, (size_t)(span->high - span->low)) < 0)
            return -1;
    }
    return ckpy_args_wait_for(args, 0); /* the copies are in order with the default stream */
}

/* The address of the copy of `low`. */
static uint64_t
address_on_gpu(const struct ckpy_args *args, const struct ckpy_array *held)
{
    const struct ckpy_span *span = held->buffer ? NULL : span_of(args, held);
    const char *start = span ? span->low : held->low;
    return ck_buffer_address(span ? span->buffer : held->buffer) + phase_of(start) +
           (uint64_t)(held->low - start);
}

int
ckpy_host_arrays_stage(struct ckpy_args *args)
{
    int on_gpu = args->module->gpu != NULL;
    if (!args->n_in_host)
        return 0;
    for (struct ckpy_array *held = args->arrays; held; held = held->next) {
        int found = held->in_host && (on_gpu || is_compared(held)) ? find_span(held) : 0;
        if (found < 0 || (found && !on_gpu && copy_in_host(held) < 0))
            return -1;
    }
    if (on_gpu && upload_all(args) < 0)
        return -1;
    for (struct ckpy_array *held = args->arrays; held; held = held->next) {
        if (!held->low)
            continue;
        uint64_t at = on_gpu ? address_on_gpu(args, held) : (uint64_t)(uintptr_t)held->copy;
        held->array.data = at + (held->array.data - (uint64_t)(uintptr_t)held->low);
    }
    return 0;
}

/* --- After the launch --- */

/* Copies the array's elements, and nothing between them, from the copy of its bytes. */
static void
copy_elements(const struct ckpy_array *held, const char *from, char *to, int axis)
{
    const ck_array *a = &held->array;
    size_t size = ckpy_item_size(a);
    if (axis == a->ndim) {
        memcpy(to, from, size);
        return;
    }
    if (axis == a->ndim - 1 && a->strides[axis] == (int64_t)size) {
        memcpy(to, from, size * (size_t)a->shape[axis]);
        return;
    }
    for (int64_t i = 0; i < a->shape[axis]; i++)
        copy_elements(held, from + i * a->strides[axis], to + i * a->strides[axis], axis + 1);
}

/* The first element's distance from the array's first byte. */
static int64_t
first_element(const struct ckpy_array *held)
{
    const ck_array *a = &held->array;
    int64_t at = 0;
    for (int i = 0; i < a->ndim; i++)
        if (a->strides[i] < 0)
            at -= (a->shape[i] - 1) * a->strides[i];
    return at;
}

static void
copy_back(const struct ckpy_args *args, const struct ckpy_span *span, const char *bytes)
{
    for (const struct ckpy_array *held = args->arrays; held; held = held->next) {
        if (!held->low || !held->may_change || held->read_only || span_of(args, held) != span)
            continue;
        int64_t at = first_element(held);
        copy_elements(held, bytes + (held->low - span->low) + at, held->low + at, 0);
    }
}

/* The bytes of a copy on the GPU, to be freed with PyMem_Free. */
static char *
download(const struct ckpy_args *args, const ck_buffer *buffer, const char *low, size_t bytes)
{
    char *copy = PyMem_Malloc(bytes);
    ck_status status;
    if (!copy)
        return (char *)PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS status = ck_buffer_read(buffer, phase_of(low), copy, bytes);
    Py_END_ALLOW_THREADS if (!status) return copy;
    ckpy_raise(args->module, status);
    PyMem_Free(copy);
    return NULL;
}

/* Brings the copies that are compared to the host. */
static int
download_compared(struct ckpy_args *args)
{
    ck_status status = ckpy_gpu_synchronize(args);
    if (status) {
        ckpy_raise(args->module, status);
        return -1;
    }
    for (struct ckpy_array *held = args->arrays; held; held = held->next) {
        if (!held->buffer)
            continue;
        held->before = held->low;
        held->copy = held->block = download(args, held->buffer, held->low, held->bytes);
        if (!held->copy)
            return -1;
    }
    return 0;
}

static int
download_written(struct ckpy_args *args)
{
    for (size_t i = 0; i < args->n_spans; i++) {
        const struct ckpy_span *span = &args->spans[i];
        if (!span->may_change)
            continue;
        char *bytes = download(args, span->buffer, span->low, (size_t)(span->high - span->low));
        if (!bytes)
            return -1;
        copy_back(args, span, bytes);
        PyMem_Free(bytes);
    }
    return 0;
}

/* The first read-only array whose copy the kernel changed; NULL: none. */
static const struct ckpy_array *
find_changed(const struct ckpy_args *args)
{
    for (const struct ckpy_array *held = args->arrays; held; held = held->next)
        if (held->copy && memcmp(held->copy, held->before, held->bytes))
            return held;
    return NULL;
}

int
ckpy_host_arrays_collect(struct ckpy_args *args)
{
    int on_gpu = args->module->gpu && args->n_in_host;
    if (on_gpu && download_compared(args) < 0)
        return -1;
    const struct ckpy_array *changed = find_changed(args); /* before others are copied back */
    if (on_gpu && download_written(args) < 0)
        return -1;
    if (changed)
        PyErr_Format(PyExc_ValueError,
                     "argument %zu: the kernel writes this array, which is read-only; its values "
                     "are unchanged",
                     changed->position);
    return changed ? -1 : 0;
}

void
ckpy_host_arrays_free(struct ckpy_args *args)
{
    for (struct ckpy_array *held = args->arrays; held; held = held->next)
        ck_buffer_free(held->buffer);
    for (size_t i = 0; i < args->n_spans; i++)
        ck_buffer_free(args->spans[i].buffer);
}
