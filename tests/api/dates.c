/* Dates and times from C, on the device that is named: arrays, scalars, records, a kernel without
 * types, and arguments of another unit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#include "check.h"

enum { N = 4 };

static const char source[] = "Event = record(at=datetime64[s], held=timedelta64[ms])\n"
                             "@kernel\n"
                             "def typed(d: datetime64[D][::1], by: timedelta64[D]):\n"
                             "    i = grid(1)\n"
                             "    if i < len(d):\n"
                             "        d[i] = d[i] + by\n"
                             "@kernel\n"
                             "def generic(d, by):\n"
                             "    i = grid(1)\n"
                             "    if i < len(d):\n"
                             "        d[i] = d[i] + by\n"
                             "@kernel\n"
                             "def events(e: Event[::1]):\n"
                             "    i = grid(1)\n"
                             "    if i < len(e):\n"
                             "        e[i].at += "
                             "np.timedelta64(e[i].held, 's')\n";

struct event {
    int64_t at, held;
};

static ck_context *ctx;
static ck_device *device;
static ck_module *module;
static ck_buffer *buffer;
static const int64_t dates[N] = {INT64_MIN, -5, 0, 18000};

static ck_kernel *
kernel(const char *name)
{
    ck_kernel *found;
    OK(ck_kernel_get(&found, module, device, name));
    return found;
}

static void
arrays(const char *name, ck_dtype unit, ck_dtype step)
{
    int64_t got[N];
    const ck_array d = ck_array_1d(ck_buffer_address(buffer), unit, N);
    OK(ck_buffer_write(buffer, 0, dates, sizeof dates));
    OK(ck_launchv(kernel(name), ck_shape_1d(1, 32), NULL, ck_arg_array(&d), ck_arg_date(step, 3)));
    OK(ck_device_synchronize(device));
    OK(ck_buffer_read(buffer, 0, got, sizeof got));
    CHECK(got[0] == INT64_MIN && got[1] == -2 && got[2] == 3 && got[3] == 18003);
    OK(ck_launchv(kernel(name), ck_shape_1d(1, 32), NULL, ck_arg_array(&d),
                  ck_arg_date(step, INT64_MIN)));
    OK(ck_device_synchronize(device));
    OK(ck_buffer_read(buffer, 0, got, sizeof got));
    CHECK(got[0] == INT64_MIN && got[3] == INT64_MIN);
}

static void
records(void)
{
    const ck_field fields[] = {{.name = "at", .dtype = CK_DATETIME64_s},
                               {.name = "held", .dtype = CK_TIMEDELTA64_ms, .offset = 8}};
    const ck_record record = {.size = sizeof(struct event), .n_fields = 2, .fields = fields};
    struct event events[N] = {{100, 2500}, {100, -2500}, {INT64_MIN, 1}, {5, INT64_MIN}};
    const int64_t n = N;
    const ck_array e = ck_array_of_records(ck_buffer_address(buffer), &record, 1, &n);
    OK(ck_buffer_write(buffer, 0, events, sizeof events));
    OK(ck_launchv(kernel("events"), ck_shape_1d(1, 32), NULL, ck_arg_array(&e)));
    OK(ck_device_synchronize(device));
    OK(ck_buffer_read(buffer, 0, events, sizeof events));
    CHECK(events[0].at == 102 && events[1].at == 97 && events[2].at == INT64_MIN &&
          events[3].at == INT64_MIN);
}

static void
wrong(void)
{
    const uint64_t at = ck_buffer_address(buffer);
    const ck_array seconds = ck_array_1d(at, CK_DATETIME64_s, N);
    const ck_array counts = ck_array_1d(at, CK_INT64, N);
    const ck_array days = ck_array_1d(at, CK_DATETIME64_D, N);
    const ck_shape shape = ck_shape_1d(1, 32);
    const ck_arg step = ck_arg_date(CK_TIMEDELTA64_D, 1);
    FAILS(ck_launchv(kernel("typed"), shape, NULL, ck_arg_array(&seconds), step), CK_ERROR_ARGUMENT,
          "datetime64[s]");
    FAILS(ck_launchv(kernel("typed"), shape, NULL, ck_arg_array(&counts), step), CK_ERROR_ARGUMENT,
          "int64");
    FAILS(ck_launchv(kernel("typed"), shape, NULL, ck_arg_array(&days), ck_arg_int64(1)),
          CK_ERROR_ARGUMENT, "timedelta64[D]");
    FAILS(ck_launchv(kernel("typed"), shape, NULL, ck_arg_array(&days),
                     ck_arg_date((ck_dtype)(CK_TIMEDELTA64 + 1), 1)),
          CK_ERROR_ARGUMENT, "no known type");
}

static void
names(void)
{
    CHECK(ck_dtype_by_name("datetime64[D]") == CK_DATETIME64_D);
    CHECK(ck_dtype_by_name("m8[as]") == CK_TIMEDELTA64_as);
    CHECK(ck_dtype_by_name("timedelta64") == CK_TIMEDELTA64);
    CHECK(ck_dtype_by_name("M8[M]") == CK_DATETIME64_M &&
          ck_dtype_by_name("M8[m]") == CK_DATETIME64_m);
    CHECK(!ck_dtype_by_name("M8[]") && !ck_dtype_by_name("M8[10s]") && !ck_dtype_by_name("M8[D"));
    CHECK(!ck_dtype_by_name("tuple") && !ck_dtype_by_name("record") && !ck_dtype_by_name("None"));
    CHECK(!strcmp(ck_dtype_name(CK_DATETIME64_us), "datetime64[us]"));
    CHECK(ck_dtype_size(CK_TIMEDELTA64) == 8 && ck_dtype_size(CK_TUPLE) == 0);
}

int
main(int argc, char **argv)
{
    OK(ck_context_new(&ctx, NULL));
    ck_status status = ck_device_open(&device, ctx, argc > 1 ? argv[1] : "cpu", NULL);
    if (status == CK_ERROR_NO_DEVICE)
        return 77;
    OK(status);
    OK(ck_compile(&module, ctx, source, strlen(source), NULL));
    OK(ck_buffer_new(&buffer, device, N * sizeof(struct event)));
    names();
    arrays("typed", CK_DATETIME64_D, CK_TIMEDELTA64_D);
    arrays("generic", CK_DATETIME64_D, CK_TIMEDELTA64_D);
    arrays("generic", CK_DATETIME64_ns, CK_TIMEDELTA64_ns);
    arrays("generic", CK_TIMEDELTA64_M, CK_TIMEDELTA64_M);
    records();
    wrong();
    ck_buffer_free(buffer);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}
