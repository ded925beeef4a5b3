/* Launches every kind of parameter by the functions that `ckc --emit=c kinds.ck` writes. Compiled
 * as C and as C++. With an argument, on a stand-in for the driver, what kernels compute is not
 * looked at. Exit status 77: no CUDA device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/args.h>

#include "check.h"
#include "kinds.h"

#define N 64

struct pair {
    int32_t x;
    float y;
};

static ck_context *ctx;
static ck_stream *stream;
static ck_buffer *buffers[3];
static bool computes;

static ck_dim3
dim(uint32_t x)
{
    ck_dim3 result = {x, 1, 1};
    return result;
}

static uint64_t
at(int i)
{
    return ck_buffer_address(buffers[i]);
}

static void
read_back(int i, void *host, size_t bytes)
{
    OK(ck_stream_synchronize(stream));
    OK(ck_buffer_read(buffers[i], 0, host, bytes));
}

/* `sign` is 1 if the image assumes that no integer is negative, else -1. */
static void
scalars(int sign)
{
    const ck_array out = ck_array_1d(at(0), CK_FLOAT64, 1);
    const ck_complex n = {0.5, -1}, o = {3, 0.25};
    double got;
    OK(scalars_launch(stream, dim(1), dim(1), true, (int8_t)(8 * sign), (int16_t)(16 * sign),
                      32 * sign, 64 * sign, 8, 16, 32, 64, 1.5f, 2.5f, 3.5f, 4.5, n, o, &out));
    read_back(0, &got, sizeof got);
    CHECK(!computes || got == 1 + 120 * sign + 120 + 1.5 + 2.5 + 3.5 + 4.5 + 0.5 + 0.25);
}

static void
tuples(void)
{
    const ck_array out = ck_array_1d(at(0), CK_INT32, 4);
    const ck_complex c = {1, 2};
    int32_t got;
    OK(tuples_launch(stream, dim(1), dim(1), 40, 2.0, c, &out));
    read_back(0, &got, sizeof got);
    CHECK(!computes || got == 43);
}

static void
records(void)
{
    ck_field fields[2];
    ck_record record;
    const int64_t n = N;
    struct pair got[N];
    memset(fields, 0, sizeof fields);
    fields[0].name = "x";
    fields[0].dtype = CK_INT32;
    fields[1].name = "y";
    fields[1].dtype = CK_FLOAT32;
    fields[1].offset = 4;
    record.size = sizeof(struct pair);
    record.n_fields = 2;
    record.fields = fields;
    const ck_array pairs = ck_array_of_records(at(0), &record, 1, &n);
    const ck_array numbers = ck_array_2d(at(1), CK_FLOAT32, N, 2);
    OK(records_launch(stream, dim(2), dim(32), &pairs, 100, 2.5f));
    read_back(0, got, sizeof got);
    CHECK(!computes || (got[N - 1].x == 100 + N - 1 && got[N - 1].y == 2.5f));
    CHECK(records_launch(stream, dim(2), dim(32), &numbers, 1, 1) == CK_ERROR_ARGUMENT);
    CHECK(strstr(ck_context_error(ctx), "float32"));
}

static void
vectors(void)
{
    const ck_array rows = ck_array_2d(at(0), CK_FLOAT32, 4, 4),
                   out = ck_array_1d(at(1), CK_FLOAT32, 4);
    float host[16], got[4];
    for (int i = 0; i < 16; i++)
        host[i] = (float)i;
    OK(ck_buffer_write(buffers[0], 0, host, sizeof host));
    OK(vectors_launch(stream, dim(1), dim(32), &rows, 10, 20, &out));
    read_back(1, got, sizeof got);
    for (int i = 0; i < 4 && computes; i++)
        CHECK(got[i] == 4 * (float)i + 3 + 20);
}

struct star {
    float at[2];
    int32_t n, padding;
};

static void
vector_fields(void)
{
    ck_field fields[2];
    ck_record record;
    const int64_t n = 4;
    struct star got[4];
    memset(fields, 0, sizeof fields);
    fields[0].name = "at";
    fields[0].dtype = CK_FLOAT32;
    fields[0].ndim = 1;
    fields[0].shape[0] = 2;
    fields[1].name = "n";
    fields[1].dtype = CK_INT32;
    fields[1].offset = 8;
    record.size = sizeof(struct star);
    record.n_fields = 2;
    record.fields = fields;
    const ck_array stars = ck_array_of_records(at(0), &record, 1, &n);
    OK(stars_launch(stream, dim(1), dim(32), &stars, 1.5f, 2, 7));
    read_back(0, got, sizeof got);
    for (int i = 0; i < 4 && computes; i++)
        CHECK(got[i].at[0] == 1.5f * (float)i && got[i].at[1] == 2.0f * (float)i && got[i].n == 7);
}

/* Default values, several signatures, arrays without dimensions, of two orders and with strides. */
static void
signatures(void)
{
    const ck_dim3 one = {1, 1, 1};
    const ck_array x = ck_array_1d(at(0), CK_FLOAT32, 4), i = ck_array_1d(at(0), CK_INT32, 4);
    const ck_array m = ck_array_2d(at(1), CK_FLOAT64, 2, 2);
    const ck_array r = ck_array_nd(at(2), CK_INT32, 0, NULL);
    ck_array strided = ck_array_2d(at(0), CK_FLOAT32, 3, 2), fortran = m;
    float got;
    int32_t sum;
    OK(defaults_launch_1(stream, one, one, &x, 1.5f, 4));
    read_back(0, &got, sizeof got);
    CHECK(!computes || got == 6);
    OK(defaults_launch_2(stream, one, one, &x, 1.5f));
    read_back(0, &got, sizeof got);
    CHECK(!computes || got == 4.5f);
    OK(defaults_launch_3(stream, one, one, &x));
    read_back(0, &got, sizeof got);
    CHECK(!computes || got == 7.5f);
    OK(many_launch_1(stream, one, one, &x, 1));
    OK(many_launch_2(stream, one, one, &i, 2));
    OK(many_launch_3(stream, one, one, &m, 3));
    CHECK(many_launch_1(stream, one, one, &i, 1) == CK_ERROR_ARGUMENT);
    CHECK(many_launch_3(stream, one, one, &x, 1) == CK_ERROR_ARGUMENT);
    strided.strides[0] = 16;
    fortran.strides[0] = 8;
    fortran.strides[1] = 16;
    OK(zero_launch(stream, one, one, &r, &strided, &fortran));
    read_back(2, &sum, sizeof sum);
    CHECK(!computes || sum == 3 + 2);
    CHECK(zero_launch(stream, one, one, &r, &strided, &m) == CK_ERROR_ARGUMENT);
}

static void
shapes(void)
{
    const ck_array m = ck_array_2d(at(0), CK_INT32, 2, N), x = ck_array_1d(at(0), CK_FLOAT32, 32);
    float host[32], got[32];
    ck_shape shape = ck_shape_1d(1, 32);
    OK(rows_launch(stream, dim(2), dim(32), &m));
    CHECK(rows_launch(stream, dim(1 << 20), dim(32), &m) == CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    for (int i = 0; i < 32; i++)
        host[i] = (float)i;
    OK(ck_buffer_write(buffers[0], 0, host, sizeof host));
    shape.shared_bytes = sizeof host;
    OK(dynamic_launch_shape(stream, &shape, &x));
    read_back(0, got, sizeof got);
    for (int i = 0; i < 32 && computes; i++)
        CHECK(got[i] == 31 - (float)i);
    CHECK(dynamic_launch(stream, dim(0), dim(32), &x) == CK_ERROR_ARGUMENT);
    CHECK(dynamic_launch_shape(stream, NULL, &x) == CK_ERROR_ARGUMENT);
}

/* Names that C has for other things. */
static void
names(void)
{
    const ck_array out = ck_array_1d(at(0), CK_INT64, 1);
    const ck_dim3 one = {1, 1, 1};
    int64_t got;
    OK(odd_launch(stream, one, one, 1, 2, 3, 4.0f, 5, 6, 7, 8, 9, 10, 11, 12.0, &out));
    read_back(0, &got, sizeof got);
    CHECK(!computes || got == 78);
    OK(ck_stream__launch(stream, one, one, &out));
}

/* What the image assumes is checked at each launch, where it was compiled with such an option. */
static void
assumptions(const char *option)
{
    const ck_dim3 one = {1, 1, 1}, many = {1 << 26, 1, 1}, block = {64, 1, 1};
    const ck_array x = ck_array_1d(at(0), CK_FLOAT32, 8), y = ck_array_1d(at(0) + 4, CK_FLOAT32, 8);
    const ck_array z = ck_array_1d(at(1), CK_FLOAT32, 8);
    OK(shift_launch(stream, one, one, &x, &z, 1));
    CHECK(shift_launch(stream, one, one, &x, &y, 1) ==
          (strcmp(option, "-restrict") && strcmp(option, "-aligned") ? CK_OK : CK_ERROR_ARGUMENT));
    CHECK(shift_launch(stream, one, one, &x, &z, -1) ==
          (strcmp(option, "-natural") ? CK_OK : CK_ERROR_ARGUMENT));
    if (!computes) /* a grid that takes long */
        CHECK(shift_launch(stream, many, block, &x, &z, 1) ==
              (strcmp(option, "-small") ? CK_OK : CK_ERROR_ARGUMENT));
}

int
main(int argc, char **argv)
{
    ck_device *device = NULL;
    const ck_status opened =
        ck_context_new(&ctx, NULL) ? CK_ERROR_MEMORY : ck_device_open(&device, ctx, "cuda", NULL);
    if (opened == CK_ERROR_NO_DEVICE)
        return 77;
    OK(opened);
    computes = argc < 3;
    OK(ck_stream_create(&stream, device));
    for (int i = 0; i < 3; i++) {
        OK(ck_buffer_new(&buffers[i], device, 4096));
        OK(ck_buffer_fill(buffers[i], 0, 0, 4096, NULL));
    }
    scalars(strcmp(argv[1], "-natural") ? -1 : 1);
    tuples();
    records();
    vector_fields();
    vectors();
    signatures();
    shapes();
    names();
    assumptions(argv[1]);
    OK(ck_device_synchronize(device));
    ck_stream_free(stream);
    for (int i = 0; i < 3; i++)
        ck_buffer_free(buffers[i]);
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}
