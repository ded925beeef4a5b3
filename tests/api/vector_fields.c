/* Vectors as fields of records: their description, what a launch may have in their place, the
 * address that they need, and kernels without types. */
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#include "statuses.h"

enum { N = 45 };

struct body {
    alignas(16) float p[4];
    int32_t id;
    int16_t v[3][2];
};

static const ck_field xyzw_fields[] = {
    {.name = "x", .dtype = CK_FLOAT32, .offset = 0},
    {.name = "y", .dtype = CK_FLOAT32, .offset = 4},
    {.name = "z", .dtype = CK_FLOAT32, .offset = 8},
    {.name = "w", .dtype = CK_FLOAT32, .offset = 12},
};
static const ck_record xyzw = {16, 4, xyzw_fields};

/* `p`: an array of numbers, a vector, a record of numbers. */
enum { NUMBERS, VECTOR, RECORD, N_FORMS };

#define V_LANES(lanes_)                                                                            \
    {                                                                                              \
        .name = "v", .dtype = CK_INT16, .offset = offsetof(struct body, v), .ndim = 2,             \
        .shape = {3, 2}, .lanes = lanes_                                                           \
    }
static const ck_field fields[N_FORMS][3] = {
    {{.name = "p", .dtype = CK_FLOAT32, .ndim = 1, .shape = {4}},
     {.name = "id", .dtype = CK_INT32, .offset = 16},
     V_LANES(0)},
    {{.name = "p", .dtype = CK_FLOAT32, .ndim = 1, .shape = {4}, .lanes = 4},
     {.name = "id", .dtype = CK_INT32, .offset = 16},
     V_LANES(2)},
    {{.name = "p", .dtype = CK_RECORD, .record = &xyzw},
     {.name = "id", .dtype = CK_INT32, .offset = 16},
     V_LANES(0)},
};
static const ck_record records[N_FORMS] = {
    {sizeof(struct body), 3, fields[NUMBERS]},
    {sizeof(struct body), 3, fields[VECTOR]},
    {sizeof(struct body), 3, fields[RECORD]},
};
static const char text[] = "{p:float32x4,id:int32,v:int16x2(3)}";

static const char source[] = "Body = record(p=float4, id=int32, v=(short2, 3))\n"
                             "@kernel\n"
                             "def typed(b: Body[:], by: Body):\n"
                             "    for i in range(grid(1), len(b), gridsize(1)):\n"
                             "        b[i].p = b[i].p * 2 + by.p\n"
                             "        b[i].v[2].y = b[i].id + by.v[1].x\n"
                             "@kernel\n"
                             "def untyped(b):\n"
                             "    b[0].p[3] = 5\n"
                             "@kernel\n"
                             "def by_vector(b):\n"
                             "    b[0].p = b[0].p * 2\n";

static int
run(ck_kernel *typed, ck_buffer *buffer, const ck_record *record)
{
    static struct body bodies[N], after[N];
    const ck_array b = {ck_buffer_address(buffer), CK_RECORD, 1, {N},
                        {sizeof(struct body)},     record};
    const ck_shape shape = {.grid = {2, 1, 1}, .block = {16, 1, 1}};
    ck_arg args[14] = {{CK_DTYPE_NONE, {.array = &b}}, {CK_TUPLE, {.u = 3}}, {CK_TUPLE, {.u = 4}}};
    for (int k = 0; k < 4; k++)
        args[3 + k] = (ck_arg){CK_FLOAT32, {.f = k}};
    args[7] = (ck_arg){CK_INT32, {.i = 0}};
    args[8] = (ck_arg){CK_TUPLE, {.u = 3}};
    ck_arg all[18];
    memcpy(all, args, sizeof *args * 9);
    for (int k = 0; k < 3; k++) {
        all[9 + 3 * k] = (ck_arg){CK_TUPLE, {.u = 2}};
        all[10 + 3 * k] = (ck_arg){CK_INT16, {.i = 10 * k}};
        all[11 + 3 * k] = (ck_arg){CK_INT16, {.i = 0}};
    }
    for (int i = 0; i < N; i++)
        bodies[i] = (struct body){{i, 1, 2, -i}, 3 * i, {{1, 2}, {3, 4}, {5, 6}}};
    MUST(ck_buffer_write(buffer, 0, bodies, sizeof bodies));
    MUST(ck_launch(typed, &shape, all, 18, NULL));
    MUST(ck_buffer_read(buffer, 0, after, sizeof after));
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++)
            bodies[i].p[k] = bodies[i].p[k] * 2 + (float)k;
        bodies[i].v[2][1] = (int16_t)(3 * i + 10);
        if (memcmp(&bodies[i], &after[i], sizeof after[i]) != 0) {
            fprintf(stderr, "body %d is wrong: %g %d\n", i, after[i].p[1], after[i].v[2][1]);
            return 1;
        }
    }
    return 0;
}

static int
check_description(const ck_module *module)
{
    const ck_record *record = ck_module_kernel(module, 0)->params[0].record;
    char is[80];
    ck_record_text(is, sizeof is, record);
    ck_record *copy = ck_record_copy(record);
    const int bad = strcmp(is, text) != 0 || record->size != sizeof(struct body) ||
                    record->fields[0].lanes != 4 || record->fields[0].ndim != 1 ||
                    record->fields[2].lanes != 2 || record->fields[2].ndim != 2 || !copy ||
                    copy->fields[2].lanes != 2 || !ck_record_equal(record, &records[NUMBERS]) ||
                    ck_record_equal(record, &records[RECORD]);
    free(copy);
    if (bad)
        fprintf(stderr, "the description is wrong: %s\n", is);
    return bad;
}

/* A kernel without types has vectors if the launch says so, whatever was launched before. */
static int
run_generic(ck_kernel *kernel, ck_buffer *buffer, int form, int fits)
{
    const ck_array b = {ck_buffer_address(buffer), CK_RECORD,     1, {1},
                        {sizeof(struct body)},     &records[form]};
    const ck_arg arg = {CK_DTYPE_NONE, {.array = &b}};
    const ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const ck_status status = ck_launch(kernel, &shape, &arg, 1, NULL);
    if ((status == CK_OK) == fits)
        return 0;
    fprintf(stderr, "form %d: %s\n", form, ck_context_error(ctx));
    return 1;
}

int
main(int argc, char **argv)
{
    ck_module *module;
    ck_device *device;
    ck_kernel *typed, *untyped, *by_vector;
    ck_buffer *buffer;
    if (ck_context_new(&ctx, NULL) != CK_OK)
        return 1;
    const char *name = argc > 1 ? argv[1] : "cpu";
    if (ck_device_open(&device, ctx, name, NULL) == CK_ERROR_NO_DEVICE)
        return 77;
    MUST(ck_compile(&module, ctx, source, sizeof source - 1, NULL));
    MUST(ck_kernel_get(&typed, module, device, "typed"));
    MUST(ck_kernel_get(&untyped, module, device, "untyped"));
    MUST(ck_kernel_get(&by_vector, module, device, "by_vector"));
    MUST(ck_buffer_new(&buffer, device, (N + 1) * sizeof(struct body)));
    int faults = check_description(module);
    for (int form = 0; form < N_FORMS; form++)
        faults += run(typed, buffer, &records[form]);
    for (int again = 0; again < 2; again++) {
        faults +=
            run_generic(untyped, buffer, NUMBERS, 1) + run_generic(untyped, buffer, VECTOR, 0);
        faults += run_generic(by_vector, buffer, VECTOR, 1);
        faults += run_generic(by_vector, buffer, NUMBERS, 0);
    }

    const ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    ck_array b = {ck_buffer_address(buffer) + 4, CK_RECORD,       1, {1},
                  {sizeof(struct body)},         &records[VECTOR]};
    ck_arg arg = {CK_DTYPE_NONE, {.array = &b}};
    char due[200];
    snprintf(due, sizeof due,
             "argument 1 `b`: its address 0x%llx is not aligned to its elements' 16 bytes",
             (unsigned long long)b.data);
    faults += fails(ck_launch(by_vector, &shape, &arg, 1, NULL), CK_ERROR_ARGUMENT, due);
    b.record = &records[NUMBERS];
    ck_arg all[18] = {arg, {CK_TUPLE, {.u = 3}}, {CK_TUPLE, {.u = 4}}};
    for (int k = 3; k < 18; k++)
        all[k] = k < 7    ? (ck_arg){CK_FLOAT32, {.f = 1}}
                 : k == 7 ? (ck_arg){CK_INT32, {.i = 1}}
                 : k == 8 ? (ck_arg){CK_TUPLE, {.u = 3}}
                 : k % 3  ? (ck_arg){CK_INT16, {.i = 1}}
                          : (ck_arg){CK_TUPLE, {.u = 2}};
    snprintf(due, sizeof due,
             "argument 1 `b`: its address 0x%llx is not a multiple of 16 bytes, as that of an "
             "array of these records with vectors is",
             (unsigned long long)b.data);
    faults += fails(ck_launch(typed, &shape, all, 18, NULL), CK_ERROR_ARGUMENT, due);
    ck_field bad[3];
    memcpy(bad, fields[VECTOR], sizeof bad);
    bad[0].lanes = 3;
    const ck_record invalid = {sizeof(struct body), 3, bad};
    b = (ck_array){ck_buffer_address(buffer), CK_RECORD, 1, {1}, {sizeof(struct body)}, &invalid};
    if (ck_launch(by_vector, &shape, &arg, 1, NULL) != CK_ERROR_ARGUMENT ||
        !strstr(ck_context_error(ctx), "its record type is not valid")) {
        fprintf(stderr, "lanes that are no extent: %s\n", ck_context_error(ctx));
        faults++;
    }
    ck_buffer_free(buffer);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return faults != 0;
}
