/* Streams of ck's own, asynchronous copies, page-locked memory and waiting, on the device that is
 * named: a pipeline over parts of an array on two streams, and what is refused. With a second
 * argument what the kernel computes is not looked at. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#include "check.h"

enum { PARTS = 8, PART = 1 << 16, N = PARTS * PART };

static const char source[] = "@kernel\n"
                             "def twice(x: int32[::1], begin: int64, end: int64):\n"
                             "    i = begin + grid(1)\n"
                             "    if i < end:\n"
                             "        x[i] = 2 * x[i] + 1\n";

static ck_context *ctx;
static ck_device *device;
static ck_kernel *twice;
static bool computes;

/* Each part is copied there, doubled and copied back on one of two streams. */
static void
pipeline(int32_t *host)
{
    ck_stream *streams[2];
    ck_buffer *buffer;
    OK(ck_buffer_new(&buffer, device, N * sizeof *host));
    const ck_array x = ck_array_1d(ck_buffer_address(buffer), CK_INT32, N);
    for (int i = 0; i < 2; i++)
        OK(ck_stream_create(&streams[i], device));
    for (int i = 0; i < N; i++)
        host[i] = i;
    for (int part = 0; part < PARTS; part++) {
        void *stream = ck_stream_handle(streams[part % 2]);
        const size_t at = (size_t)part * PART * sizeof *host, bytes = PART * sizeof *host;
        OK(ck_buffer_write_async(buffer, at, host + part * PART, bytes, stream));
        OK(ck_launchv(twice, ck_shape_1d(PART / 256, 256), stream, &x, ck_arg_int64(part * PART),
                      ck_arg_int64((part + 1) * PART)));
        OK(ck_buffer_read_async(buffer, at, host + part * PART, bytes, stream));
    }
    for (int i = 0; i < 2; i++)
        OK(ck_stream_synchronize(streams[i]));
    for (int i = 0; i < N && computes; i++)
        CHECK(host[i] == 2 * i + 1);
    for (int i = 0; i < 2; i++)
        ck_stream_free(streams[i]);
    ck_buffer_free(buffer);
}

/* One stream waits for the other's copy, the host for both. */
static void
waiting(int32_t *host)
{
    ck_stream *first, *second;
    ck_event *filled, *read;
    ck_buffer *buffer;
    double seconds;
    OK(ck_buffer_new(&buffer, device, N * sizeof *host));
    OK(ck_stream_create(&first, device));
    OK(ck_stream_create(&second, device));
    OK(ck_event_new(&filled, device));
    OK(ck_event_new(&read, device));
    FAILS(ck_stream_wait(second, filled), CK_ERROR_ARGUMENT, "was not recorded");
    FAILS(ck_event_synchronize(filled), CK_ERROR_ARGUMENT, "was not recorded");
    OK(ck_buffer_fill(buffer, 0, 1, N * sizeof *host, ck_stream_handle(first)));
    OK(ck_event_record(filled, ck_stream_handle(first)));
    OK(ck_stream_wait(second, filled));
    OK(ck_buffer_read_async(buffer, 0, host, N * sizeof *host, ck_stream_handle(second)));
    OK(ck_event_record(read, ck_stream_handle(second)));
    OK(ck_event_synchronize(read));
    for (int i = 0; i < N; i++)
        CHECK(host[i] == 0x01010101);
    OK(ck_event_elapsed(&seconds, filled, read));
    CHECK(seconds >= 0);
    ck_event_free(filled);
    ck_event_free(read);
    ck_stream_free(first);
    ck_stream_free(second);
    ck_buffer_free(buffer);
}

static void
host_buffers(void)
{
    ck_host_buffer *buffer;
    OK(ck_host_buffer_new(&buffer, device, 0));
    CHECK(ck_host_buffer_size(buffer) == 0);
    ck_host_buffer_free(buffer);
    ck_host_buffer_free(NULL);
    OK(ck_host_buffer_new(&buffer, device, 1000));
    CHECK(ck_host_buffer_size(buffer) == 1000 && ck_host_buffer_data(buffer));
    CHECK((uintptr_t)ck_host_buffer_data(buffer) % 16 == 0);
    memset(ck_host_buffer_data(buffer), 1, 1000);
    ck_host_buffer_free(buffer);
    buffer = NULL;
    const ck_status status = ck_host_buffer_new(&buffer, device, SIZE_MAX / 2);
    CHECK((status == CK_ERROR_MEMORY || status == CK_ERROR_DRIVER) && !buffer);
    CHECK(strstr(ck_context_error(ctx), "9223372036854775807 bytes"));
}

static void
refusals(int32_t *host)
{
    ck_device *cpu;
    ck_buffer *buffer, *on_cpu;
    ck_stream *stream, *borrowed, *of_cpu;
    ck_event *event;
    char other;
    OK(ck_device_open(&cpu, ctx, "cpu", NULL));
    OK(ck_buffer_new(&buffer, device, 16));
    OK(ck_buffer_new(&on_cpu, cpu, 16));
    OK(ck_stream_create(&stream, device));
    OK(ck_stream_create(&of_cpu, cpu));
    CHECK(!ck_stream_handle(of_cpu));
    CHECK(!ck_stream_handle(stream) == !strcmp(ck_device_get_info(device)->kind, "cpu"));
    OK(ck_stream_new(&borrowed, device, ck_stream_handle(stream)));
    CHECK(ck_stream_handle(borrowed) == ck_stream_handle(stream));
    OK(ck_stream_synchronize(borrowed));
    ck_stream_free(borrowed);
    void *handle = ck_stream_handle(stream);
    FAILS(ck_buffer_write_async(buffer, 1, host, 16, handle), CK_ERROR_ARGUMENT,
          "16 bytes at offset 1 is outside of the buffer's 16 bytes");
    FAILS(ck_buffer_read_async(buffer, 17, host, 0, handle), CK_ERROR_ARGUMENT, "outside");
    FAILS(ck_buffer_write_async(buffer, SIZE_MAX, host, 2, handle), CK_ERROR_ARGUMENT, "outside");
    FAILS(ck_buffer_read_async(buffer, 8, host, SIZE_MAX - 4, handle), CK_ERROR_ARGUMENT,
          "outside");
    OK(ck_buffer_write_async(buffer, 16, host, 0, handle));
    FAILS(ck_buffer_write_async(on_cpu, 0, host, 16, &other), CK_ERROR_ARGUMENT, "has no streams");
    FAILS(ck_buffer_read_async(on_cpu, 0, host, 16, &other), CK_ERROR_ARGUMENT, "has no streams");
    OK(ck_event_new(&event, cpu));
    OK(ck_event_record(event, NULL));
    FAILS(ck_stream_wait(stream, event), CK_ERROR_ARGUMENT, "is of another device");
    OK(ck_stream_wait(of_cpu, event));
    OK(ck_stream_synchronize(of_cpu));
    OK(ck_event_synchronize(event));
    ck_event_free(event);
    ck_stream_free(of_cpu);
    ck_stream_free(stream);
    ck_stream_free(NULL);
    ck_buffer_free(on_cpu);
    ck_device_free(cpu);
    ck_buffer_free(buffer);
}

int
main(int argc, char **argv)
{
    ck_host_buffer *pinned;
    ck_module *module;
    OK(ck_context_new(&ctx, NULL));
    const ck_status opened = ck_device_open(&device, ctx, argv[1], NULL);
    if (opened == CK_ERROR_NO_DEVICE)
        return 77;
    OK(opened);
    computes = argc < 3;
    int32_t *pageable = malloc(N * sizeof *pageable);
    OK(ck_compile(&module, ctx, source, strlen(source), NULL));
    OK(ck_kernel_get(&twice, module, device, "twice"));
    OK(ck_host_buffer_new(&pinned, device, N * sizeof(int32_t)));
    pipeline(ck_host_buffer_data(pinned));
    pipeline(pageable);
    waiting(ck_host_buffer_data(pinned));
    waiting(pageable);
    host_buffers();
    refusals(pageable);
    ck_host_buffer_free(pinned);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    free(pageable);
    return 0;
}
