/* Records of C as elements of a launch's arrays: their description, what fits and what does not. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#include "statuses.h"

enum { N = 101 };

static const char invalid[] =
    "argument 1 `b`: its record type is not valid: records have 1 to 256 fields with identifiers "
    "as names, at most 1024 numbers in 1 MiB, and are at most 16 deep in each other";

struct pair {
    int32_t key;
    float value;
};

struct body {
    int8_t kind;
    double at[3];
    struct pair pair;
};

static const ck_field pair_fields[] = {
    {.name = "key", .dtype = CK_INT32, .offset = offsetof(struct pair, key)},
    {.name = "value", .dtype = CK_FLOAT32, .offset = offsetof(struct pair, value)},
};
static const ck_record pair_record = {sizeof(struct pair), 2, pair_fields};
static const ck_field body_fields[] = {
    {.name = "kind", .dtype = CK_INT8, .offset = offsetof(struct body, kind)},
    {.name = "at",
     .dtype = CK_FLOAT64,
     .offset = offsetof(struct body, at),
     .ndim = 1,
     .shape = {3}},
    {.name = "pair",
     .dtype = CK_RECORD,
     .record = &pair_record,
     .offset = offsetof(struct body, pair)},
};
static const ck_record body_record = {sizeof(struct body), 3, body_fields};
static const char body_text[] = "{kind:int8,at:float64(3)@8,pair:{key:int32,value:float32}}";

static const char source[] = "Pair = record(key=int32, value=float32)\n"
                             "Body = record(kind=int8, at=(float64, 3), pair=Pair)\n"
                             "@kernel\n"
                             "def typed(b: Body[:], p: Pair):\n"
                             "    for i in range(grid(1), len(b), gridsize(1)):\n"
                             "        b[i].pair.value = b[i].at[2] * p.value + b[i].kind\n"
                             "        b[i].pair.key += p.key\n"
                             "@kernel\n"
                             "def untyped(b, p):\n"
                             "    for i in range(grid(1), len(b), gridsize(1)):\n"
                             "        b[i].pair.value = b[i].at[2] * p[1] + b[i].kind\n"
                             "        b[i].pair.key += p[0]\n"
                             "@kernel\n"
                             "def first(a):\n"
                             "    a[0].x = 1\n";

static int
run(ck_kernel *kernel, ck_buffer *buffer, const ck_arg *args)
{
    static struct body bodies[N], after[N];
    const ck_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    for (int i = 0; i < N; i++)
        bodies[i] = (struct body){(int8_t)(i % 5), {1, 2, i * 0.5}, {i, -1}};
    MUST(ck_buffer_write(buffer, 0, bodies, sizeof bodies));
    MUST(ck_launch(kernel, &shape, args, 4, NULL));
    MUST(ck_buffer_read(buffer, 0, after, sizeof after));
    for (int i = 0; i < N; i++) {
        const float value = (float)(i * 0.5 * 3 + i % 5);
        if (after[i].pair.value != value || after[i].pair.key != i + 7 || after[i].at[1] != 2) {
            fprintf(stderr, "body %d is wrong: %d %g\n", i, after[i].pair.key, after[i].pair.value);
            return 1;
        }
    }
    return 0;
}

/* The same kernel with arrays of records that differ in their layout alone. */
static int
run_layouts(ck_kernel *first, ck_buffer *buffer)
{
    for (size_t offset = 0; offset < 32; offset += 4) {
        const ck_field field = {.name = "x", .dtype = CK_FLOAT32, .offset = offset};
        const ck_record record = {32, 1, &field};
        const ck_array a = {ck_buffer_address(buffer), CK_RECORD, 1, {1}, {32}, &record};
        const ck_arg arg = {CK_DTYPE_NONE, {.array = &a}};
        const ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
        float x[8] = {0};
        MUST(ck_buffer_write(buffer, 0, x, sizeof x));
        for (int again = 0; again < 2; again++)
            MUST(ck_launch(first, &shape, &arg, 1, NULL));
        MUST(ck_buffer_read(buffer, 0, x, sizeof x));
        for (size_t i = 0; i < 8; i++) {
            if (x[i] != (i == offset / 4)) {
                fprintf(stderr, "offset %zu: x[%zu] is %g\n", offset, i, x[i]);
                return 1;
            }
        }
    }
    return 0;
}

static int
check_records(void)
{
    char text[80], cut[8];
    ck_record *copy = ck_record_copy(&body_record);
    int bad = !copy || copy == &body_record || !ck_record_equal(copy, &body_record) ||
              ck_record_equal(copy, &pair_record);
    bad |= ck_record_text(text, sizeof text, copy) != strlen(body_text) ||
           strcmp(text, body_text) != 0;
    bad |= ck_record_text(cut, sizeof cut, copy) != strlen(body_text) || strcmp(cut, "{kind:i");
    bad |= ck_record_text(NULL, 0, copy) != strlen(body_text);
    free(copy);
    if (bad)
        fprintf(stderr, "copies, equality or text of records are wrong: %s\n", text);
    return bad;
}

int
main(void)
{
    ck_module *module;
    ck_device *device;
    ck_kernel *typed, *untyped, *first;
    ck_buffer *buffer;
    if (ck_context_new(&ctx, NULL) != CK_OK)
        return 1;
    MUST(ck_compile(&module, ctx, source, sizeof source - 1, NULL));
    MUST(ck_device_open(&device, ctx, "cpu", NULL));
    MUST(ck_kernel_get(&typed, module, device, "typed"));
    MUST(ck_kernel_get(&untyped, module, device, "untyped"));
    MUST(ck_kernel_get(&first, module, device, "first"));
    MUST(ck_buffer_new(&buffer, device, N * sizeof(struct body)));
    const ck_param_info *params = ck_module_kernel(module, 0)->params;
    int faults = check_records();
    if (params[0].dtype != CK_RECORD || !ck_record_equal(params[0].record, &body_record) ||
        params[1].dtype != CK_TUPLE || params[1].n_items != 2) {
        fprintf(stderr, "the description is wrong\n");
        faults++;
    }
    ck_array b = {ck_buffer_address(buffer), CK_RECORD,   1, {N},
                  {sizeof(struct body)},     &body_record};
    ck_arg args[] = {{CK_DTYPE_NONE, {.array = &b}},
                     {CK_TUPLE, {.u = 2}},
                     {CK_INT32, {.i = 7}},
                     {CK_FLOAT32, {.f = 3}}};
    faults += run(typed, buffer, args) + run(untyped, buffer, args) + run(untyped, buffer, args);
    faults += run_layouts(first, buffer);

    const ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    ck_field moved[3];
    memcpy(moved, body_fields, sizeof moved);
    moved[0].offset = 4;
    const ck_record other = {sizeof(struct body), 3, moved};
    b.record = &other;
    faults += fails(ck_launch(typed, &shape, args, 4, NULL), CK_ERROR_ARGUMENT,
                    "argument 1 `b`: {kind:int8@4,at:float64(3)@8,pair:{key:int32,value:float32}}"
                    "[::1] was given for {kind:int8,at:float64(3)@8,"
                    "pair:{key:int32,value:float32}}[:] (field `kind` begins at byte 4, not 0)");
    moved[1].offset = sizeof(struct body);
    faults += fails(ck_launch(untyped, &shape, args, 4, NULL), CK_ERROR_ARGUMENT, invalid);
    b.record = NULL;
    faults += fails(ck_launch(untyped, &shape, args, 4, NULL), CK_ERROR_ARGUMENT, invalid);
    b.record = &body_record;
    b.strides[0] = sizeof(struct body) + 4;
    b.shape[0] = 3;
    faults +=
        fails(ck_launch(typed, &shape, args, 4, NULL), CK_ERROR_ARGUMENT,
              "argument 1 `b`: its stride of 44 bytes in dimension 0 is not a multiple of its "
              "elements' 40 bytes");
    b.strides[0] = sizeof(struct body);
    b.data += 4;
    ck_status status = ck_launch(typed, &shape, args, 4, NULL);
    if (status != CK_ERROR_ARGUMENT ||
        !strstr(ck_context_error(ctx), " is not aligned to its elements' 8 bytes")) {
        fprintf(stderr, "an address that is not aligned: %s\n", ck_context_error(ctx));
        faults++;
    }
    b.data -= 4;
    args[1] = (ck_arg){.scalar = CK_RECORD};
    faults += fails(ck_launch(untyped, &shape, args, 2, NULL), CK_ERROR_ARGUMENT,
                    "argument 2 `p`: a record by itself is passed as a tuple of its fields");
    ck_buffer_free(buffer);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return faults != 0;
}
