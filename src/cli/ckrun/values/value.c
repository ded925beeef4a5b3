/* ckrun's values: arrays in host memory, elements of every dtype, named values. */
#include "../ckrun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/float16.h"

const char *
ckrun_kind_text(enum ckrun_kind kind)
{
    static const char *const texts[] = {
        [CKRUN_DEFAULT] = "a default value",
        [CKRUN_NONE] = "`None`",
        [CKRUN_BOOL] = "a bool",
        [CKRUN_INT] = "an integer",
        [CKRUN_FLOAT] = "a float",
        [CKRUN_TUPLE] = "a tuple",
        [CKRUN_ARRAY] = "an array",
        [CKRUN_ADDRESS] = "an address",
        [CKRUN_DTYPE] = "a dtype",
        [CKRUN_STRING] = "a string",
        [CKRUN_MAX] = "`max`",
        [CKRUN_COMPLEX] = "a complex number",
    };
    return texts[kind];
}

double
ckrun_as_float(const struct ckrun_value *v)
{
    return v->kind == CKRUN_FLOAT || v->kind == CKRUN_COMPLEX ? v->f : (double)v->i;
}

const char *
ckrun_int_text(char buffer[CKRUN_INT_TEXT], ckrun_int i)
{
    char *p = buffer + CKRUN_INT_TEXT;
    bool negative = i < 0;
    *--p = '\0';
    do {
        int digit = (int)(i % 10);
        *--p = (char)('0' + (digit < 0 ? -digit : digit));
        i /= 10;
    } while (i);
    if (negative)
        *--p = '-';
    return p;
}

/* --- Names -------------------------------------------------------------------------------------
 */

struct ckrun_name *
ckrun_find(const struct ckrun_env *env, const char *name, size_t length)
{
    for (size_t i = 0; i < env->n_names; i++) {
        const char *known = env->names[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return &env->names[i];
    }
    return NULL;
}

bool
ckrun_is_new_array(const struct ckrun_env *env, const struct ckrun_array *newest,
                   const struct ckrun_array *array)
{
    bool is_new = false;
    for (const struct ckrun_array *a = env->arrays; a != newest; a = a->next)
        is_new = is_new || a == array;
    return is_new;
}

bool
ckrun_has_new_memory(const struct ckrun_env *env, const struct ckrun_array *newest,
                     const struct ckrun_value *v)
{
    bool is_new = ckrun_has_array(v) && ckrun_is_new_array(env, newest, ckrun_base(v->array));
    for (int i = 0; v->kind == CKRUN_TUPLE && i < v->tuple.n; i++)
        is_new = is_new || ckrun_has_new_memory(env, newest, &v->tuple.items[i]);
    return is_new;
}

void
ckrun_keep(const struct ckrun_value *v)
{
    if (ckrun_has_array(v))
        v->array->is_kept = ckrun_base(v->array)->is_kept = true;
    for (int i = 0; v->kind == CKRUN_TUPLE && i < v->tuple.n; i++)
        ckrun_keep(&v->tuple.items[i]);
}

static void
free_array(struct ckrun_array *array)
{
    ck_buffer_free(array->buffer);
    ck_npy_free(&array->host);
    free(array);
}

void
ckrun_env_trim(struct ckrun_env *env, const struct ckrun_array *newest)
{
    struct ckrun_array **link = &env->arrays;
    while (*link != newest) {
        struct ckrun_array *array = *link;
        if (array->is_kept) {
            link = &array->next;
            continue;
        }
        *link = array->next;
        free_array(array);
    }
}

void
ckrun_add_input(struct ckrun_env *env, const char *path, size_t length)
{
    env->inputs = tool_grow(env->inputs, env->n_inputs + 1, sizeof *env->inputs);
    env->inputs[env->n_inputs++] = tool_strndup(path, length);
}

void
ckrun_env_release(struct ckrun_env *env)
{
    while (env->arrays) {
        struct ckrun_array *next = env->arrays->next;
        free_array(env->arrays);
        env->arrays = next;
    }
    while (env->tuples) {
        struct ckrun_items *next = env->tuples->next;
        free(env->tuples);
        env->tuples = next;
    }
    while (env->records) {
        struct ckrun_records *next = env->records->next;
        free(env->records->record);
        free(env->records);
        env->records = next;
    }
    for (size_t i = 0; i < env->n_names; i++)
        free(env->names[i].name);
    free(env->names);
    for (size_t i = 0; i < env->n_inputs; i++)
        free(env->inputs[i]);
    free(env->inputs);
    *env = (struct ckrun_env){0};
}

/* --- Tuples ------------------------------------------------------------------------------------
 */

struct ckrun_value
ckrun_tuple_new(struct ckrun_env *env, const struct ckrun_value *items, int n)
{
    struct ckrun_items *made = tool_alloc(sizeof *made + (size_t)n * sizeof *items);
    made->next = env->tuples;
    env->tuples = made;
    if (n)
        memcpy(made->items, items, (size_t)n * sizeof *items);
    return (struct ckrun_value){.kind = CKRUN_TUPLE, .tuple = {made->items, n}};
}

struct ckrun_value
ckrun_shape_value(struct ckrun_env *env, const ck_npy *array)
{
    struct ckrun_value items[CK_MAX_DIMS];
    for (int i = 0; i < array->ndim; i++)
        items[i] = (struct ckrun_value){.kind = CKRUN_INT, .i = array->shape[i]};
    return ckrun_tuple_new(env, items, array->ndim);
}

int
ckrun_shape_items(ckrun_int shape[CK_MAX_DIMS], const struct ckrun_value *tuple, const char **why)
{
    *why = "a shape has at most 8 dimensions";
    if (tuple->tuple.n > CK_MAX_DIMS)
        return -1;
    for (int i = 0; i < tuple->tuple.n; i++) {
        const struct ckrun_value *item = &tuple->tuple.items[i];
        *why = "a shape is an integer or a tuple of integers";
        if (item->kind != CKRUN_INT && item->kind != CKRUN_BOOL)
            return -1;
        shape[i] = item->i;
    }
    return tuple->tuple.n;
}

/* --- Arrays ------------------------------------------------------------------------------------
 */

struct ckrun_array *
ckrun_array_adopt(struct ckrun_env *env, const ck_npy *host)
{
    struct ckrun_array *array = tool_alloc(sizeof *array);
    array->host = *host;
    array->next = env->arrays;
    env->arrays = array;
    return array;
}

char *
ckrun_shape_text(int ndim, const int64_t *shape)
{
    char *text = tool_strndup("(", 1);
    for (int i = 0; i < ndim; i++) {
        char *longer = tool_printf("%s%s%lld", text, i ? ", " : "", (long long)shape[i]);
        free(text);
        text = longer;
    }
    char *closed = tool_printf("%s%s)", text, ndim == 1 ? "," : "");
    free(text);
    return closed;
}

uint64_t
ckrun_machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

/* Returns false if the number of bytes does not fit in an int64. */
static bool
array_bytes(int64_t *bytes, size_t item, int ndim, const int64_t *shape)
{
    *bytes = (int64_t)item;
    bool fits = true;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 0) {
            *bytes = 0;
            return true;
        }
        fits = fits && !__builtin_mul_overflow(*bytes, shape[i], bytes);
    }
    return fits;
}

static uint64_t
bytes_in_use(const struct ckrun_env *env)
{
    uint64_t bytes = 0;
    for (const struct ckrun_array *a = env->arrays; a; a = a->next)
        bytes += a->host.bytes;
    return bytes;
}

/* `record`: owned by the array. */
static struct ckrun_array *
array_new(struct ckrun_env *env, ck_dtype dtype, ck_record *record, int ndim, const int64_t *shape,
          bool fortran_order, char **error)
{
    ck_npy host = {
        .dtype = dtype, .ndim = ndim, .fortran_order = fortran_order && ndim > 1, .record = record};
    int64_t bytes;
    bool possible = array_bytes(&bytes, record ? record->size : ck_dtype_size(dtype), ndim, shape);
    for (int i = 0; i < ndim; i++)
        host.shape[i] = shape[i];
    if (possible && (uint64_t)bytes + bytes_in_use(env) <= ckrun_machine_memory())
        host.data = calloc(1, bytes ? (size_t)bytes : 1);
    if (!host.data) {
        char *text = ckrun_shape_text(ndim, shape);
        *error = tool_printf("an array of shape %s and dtype %s does not fit in memory", text,
                             ck_dtype_name(dtype));
        free(text);
        return NULL;
    }
    host.bytes = (size_t)bytes;
    return ckrun_array_adopt(env, &host);
}

struct ckrun_array *
ckrun_array_new(struct ckrun_env *env, ck_dtype dtype, int ndim, const int64_t *shape,
                bool fortran_order, char **error)
{
    return array_new(env, dtype, NULL, ndim, shape, fortran_order, error);
}

struct ckrun_array *
ckrun_record_array_new(struct ckrun_env *env, const ck_record *record, int ndim,
                       const int64_t *shape, bool fortran_order, char **error)
{
    ck_record *copy = ck_record_copy(record);
    if (!copy)
        return array_new(env, CK_RECORD, NULL, ndim, shape, fortran_order, error);
    struct ckrun_array *array = array_new(env, CK_RECORD, copy, ndim, shape, fortran_order, error);
    if (!array)
        free(copy);
    return array;
}

struct ckrun_array *
ckrun_array_new_of(struct ckrun_env *env, const ck_npy *like, int ndim, const int64_t *shape,
                   bool fortran_order, char **error)
{
    return like->record
               ? ckrun_record_array_new(env, like->record, ndim, shape, fortran_order, error)
               : ckrun_array_new(env, like->dtype, ndim, shape, fortran_order, error);
}

int64_t
ckrun_count(const ck_npy *array)
{
    int64_t count = 1;
    for (int i = 0; i < array->ndim; i++) {
        if (array->shape[i] == 0) /* the product of the others may be too large to count */
            return 0;
    }
    for (int i = 0; i < array->ndim; i++)
        count *= array->shape[i];
    return count;
}

int64_t
ckrun_offset(const ck_npy *array, const int64_t *index)
{
    int64_t offset = 0;
    for (int i = 0; i < array->ndim; i++) {
        int dim = array->fortran_order ? array->ndim - 1 - i : i;
        offset = offset * array->shape[dim] + index[dim];
    }
    return offset;
}

bool
ckrun_next_index(const ck_npy *array, int64_t *index)
{
    for (int dim = array->ndim - 1; dim >= 0; dim--) {
        if (++index[dim] < array->shape[dim])
            return true;
        index[dim] = 0;
    }
    return false;
}

char *
ckrun_element_name(const char *name, const ck_npy *array, const int64_t *index)
{
    char *text = tool_strndup(name, strlen(name));
    for (int i = 0; i < array->ndim; i++) {
        char *longer = tool_printf("%s%s%lld%s", text, i ? ", " : "[", (long long)index[i],
                                   i == array->ndim - 1 ? "]" : "");
        free(text);
        text = longer;
    }
    return text;
}

double
ckrun_round_to(ck_dtype dtype, double x)
{
    switch (dtype) {
    case CK_FLOAT16:
        return ck_half_to_double(ck_half_from_double(x));
    case CK_BFLOAT16:
        return ck_bfloat_to_double(ck_bfloat_from_double(x));
    case CK_FLOAT32:
    case CK_COMPLEX64:
        return (double)(float)x;
    default:
        return x;
    }
}

/* --- Elements ----------------------------------------------------------------------------------
 */

#define LOAD(type, from)                                                                           \
    ({                                                                                             \
        type loaded;                                                                               \
        memcpy(&loaded, (from), sizeof loaded);                                                    \
        loaded;                                                                                    \
    })

static ckrun_int
load_int(ck_dtype dtype, const char *p)
{
    switch (dtype) {
    case CK_BOOL:
        return *p != 0;
    case CK_INT8:
        return LOAD(int8_t, p);
    case CK_INT16:
        return LOAD(int16_t, p);
    case CK_INT32:
        return LOAD(int32_t, p);
    case CK_INT64:
        return LOAD(int64_t, p);
    case CK_UINT8:
        return LOAD(uint8_t, p);
    case CK_UINT16:
        return LOAD(uint16_t, p);
    case CK_UINT32:
        return LOAD(uint32_t, p);
    case CK_UINT64:
        return LOAD(uint64_t, p);
    default: /* dates and times */
        return LOAD(int64_t, p);
    }
}

struct ckrun_element
ckrun_load(const ck_npy *array, int64_t offset)
{
    const char *p = (const char *)array->data + (size_t)offset * ck_dtype_size(array->dtype);
    struct ckrun_element e = {.dtype = array->dtype};
    switch (array->dtype) {
    case CK_FLOAT16:
        e.re = ck_half_to_double(LOAD(uint16_t, p));
        break;
    case CK_BFLOAT16:
        e.re = ck_bfloat_to_double(LOAD(uint16_t, p));
        break;
    case CK_FLOAT32:
        e.re = LOAD(float, p);
        break;
    case CK_FLOAT64:
        e.re = LOAD(double, p);
        break;
    case CK_COMPLEX64:
        e.re = LOAD(float, p);
        e.im = LOAD(float, p + sizeof(float));
        break;
    case CK_COMPLEX128:
        e.re = LOAD(double, p);
        e.im = LOAD(double, p + sizeof(double));
        break;
    default:
        e.i = load_int(array->dtype, p);
    }
    return e;
}

ck_dtype
ckrun_plain_dtype(const struct ckrun_value *v)
{
    if (v->dtype)
        return v->dtype;
    if (v->kind == CKRUN_BOOL)
        return CK_BOOL;
    if (v->kind == CKRUN_COMPLEX)
        return CK_COMPLEX128;
    if (v->kind == CKRUN_FLOAT)
        return CK_FLOAT64;
    return v->i > INT64_MAX ? CK_UINT64 : CK_INT64;
}

struct ckrun_value
ckrun_number_of(const struct ckrun_element *e)
{
    struct ckrun_value number = {.kind = CKRUN_FLOAT, .dtype = e->dtype, .f = e->re};
    if (ckrun_is_int_dtype(e->dtype)) {
        number.kind = e->dtype == CK_BOOL ? CKRUN_BOOL : CKRUN_INT;
        number.i = e->i;
    } else if (ckrun_is_complex_dtype(e->dtype)) {
        number.kind = CKRUN_COMPLEX;
        number.im = e->im;
    }
    return number;
}

void
ckrun_store(ck_npy *array, int64_t offset, const struct ckrun_element *element)
{
    size_t size = ck_dtype_size(array->dtype);
    char *p = (char *)array->data + (size_t)offset * size;
    uint64_t low = (uint64_t)element->i;
    uint16_t half;
    float parts[2] = {(float)element->re, (float)element->im};
    double wide_parts[2] = {element->re, element->im};
    switch (array->dtype) {
    case CK_FLOAT16:
    case CK_BFLOAT16:
        half = array->dtype == CK_FLOAT16 ? ck_half_from_double(element->re)
                                          : ck_bfloat_from_double(element->re);
        memcpy(p, &half, size);
        break;
    case CK_FLOAT32:
    case CK_COMPLEX64:
        memcpy(p, parts, size);
        break;
    case CK_FLOAT64:
    case CK_COMPLEX128:
        memcpy(p, wide_parts, size);
        break;
    default:
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        low <<= 64 - 8 * size;
#endif
        memcpy(p, &low, size);
    }
}

void
ckrun_copy_element(ck_npy *to, int64_t to_offset, const ck_npy *from, int64_t from_offset)
{
    const size_t size = from->record ? from->record->size : ck_dtype_size(from->dtype);
    memcpy((char *)to->data + (size_t)to_offset * size,
           (const char *)from->data + (size_t)from_offset * size, size);
}

void
ckrun_int_range(ck_dtype dtype, ckrun_int *least, ckrun_int *greatest)
{
    int bits = 8 * (int)ck_dtype_size(dtype);
    if (dtype == CK_BOOL) {
        *least = 0;
        *greatest = 1;
    } else if (dtype <= CK_INT64 || ckrun_is_date_dtype(dtype)) {
        *greatest = ((ckrun_int)1 << (bits - 1)) - 1;
        *least = -*greatest - 1;
    } else {
        *least = 0;
        *greatest = ((ckrun_int)1 << bits) - 1;
    }
}

/* A number as an integer, its fraction dropped; false: it is infinite, NaN, or very large. */
static bool
truncate_number(ckrun_int *out, const struct ckrun_value *v)
{
    if (v->kind != CKRUN_FLOAT)
        *out = v->i;
    else if (fabs(v->f) < 0x1p100)
        *out = (ckrun_int)v->f;
    else
        return false;
    return true;
}

static char *
misfit(const struct ckrun_value *v, ck_dtype dtype)
{
    char buffer[CKRUN_INT_TEXT];
    if (v->kind == CKRUN_COMPLEX)
        return tool_printf("(%g%+gj) does not fit in %s", v->f, v->im, ck_dtype_name(dtype));
    if (v->kind == CKRUN_FLOAT)
        return tool_printf("%g does not fit in %s", v->f, ck_dtype_name(dtype));
    return tool_printf("%s does not fit in %s", ckrun_int_text(buffer, v->i), ck_dtype_name(dtype));
}

bool
ckrun_convert(struct ckrun_element *out, ck_dtype dtype, const struct ckrun_value *v, char **error)
{
    ckrun_int least, greatest;
    *out = (struct ckrun_element){.dtype = dtype};
    if (dtype == CK_BOOL) {
        out->i = v->kind == CKRUN_COMPLEX ? v->f != 0 || v->im != 0
                 : v->kind == CKRUN_FLOAT ? v->f != 0
                                          : v->i != 0;
        return true;
    }
    bool is_complex = v->kind == CKRUN_COMPLEX;
    if (is_complex && !ckrun_is_complex_dtype(dtype)) {
        *error = misfit(v, dtype);
        return false;
    }
    if (!ckrun_is_int_dtype(dtype)) {
        double re = ckrun_as_float(v), im = is_complex ? v->im : 0;
        out->re = ckrun_round_to(dtype, re);
        out->im = ckrun_round_to(dtype, im);
        if ((!isinf(out->re) || isinf(re)) && (!isinf(out->im) || isinf(im)))
            return true;
        *error = misfit(v, dtype);
        return false;
    }
    ckrun_int_range(dtype, &least, &greatest);
    if (truncate_number(&out->i, v) && out->i >= least && out->i <= greatest)
        return true;
    *error = misfit(v, dtype);
    return false;
}
