/* Copies within a device, fills and events, on the device that is named: their results, and their
 * errors. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ck/ck.h>

#include "check.h"

enum { BYTES = (3 << 20) + 5 };

static ck_context *ctx;
static ck_device *device;

static void
copies(void)
{
    unsigned char *sent = malloc(BYTES), *got = malloc(BYTES);
    ck_buffer *a, *b;
    for (size_t i = 0; i < BYTES; i++)
        sent[i] = (unsigned char)(rand() >> 7);
    OK(ck_buffer_new(&a, device, BYTES));
    OK(ck_buffer_new(&b, device, BYTES));
    OK(ck_buffer_write(a, 0, sent, BYTES));
    OK(ck_buffer_fill(b, 0, 0xA5, BYTES, NULL));
    OK(ck_buffer_copy(b, 7, a, 3, BYTES - 100, NULL));
    OK(ck_buffer_copy(b, 0, a, 0, 0, NULL));
    OK(ck_buffer_copy(a, 0, a, BYTES / 2 + 1, BYTES / 2, NULL));
    OK(ck_buffer_fill(a, BYTES - 1, 9, 1, NULL));
    OK(ck_buffer_read(b, 0, got, BYTES));
    CHECK(got[0] == 0xA5 && got[6] == 0xA5 && got[BYTES - 93] == 0xA5 && got[BYTES - 1] == 0xA5);
    CHECK(memcmp(got + 7, sent + 3, BYTES - 100) == 0);
    OK(ck_buffer_read(a, 0, got, BYTES));
    CHECK(memcmp(got, sent + BYTES / 2 + 1, BYTES / 2) == 0 && got[BYTES - 1] == 9);
    FAILS(ck_buffer_copy(a, 1, b, 0, BYTES, NULL), CK_ERROR_ARGUMENT, "outside of the buffer");
    FAILS(ck_buffer_copy(a, 0, b, BYTES, 1, NULL), CK_ERROR_ARGUMENT, "outside of the buffer");
    FAILS(ck_buffer_copy(a, 0, a, 5, 6, NULL), CK_ERROR_ARGUMENT, "overlap");
    FAILS(ck_buffer_fill(a, BYTES, 1, 1, NULL), CK_ERROR_ARGUMENT, "outside of the buffer");
    ck_buffer_free(a);
    ck_buffer_free(b);
    free(sent);
    free(got);
}

static void
events(void)
{
    ck_event *from, *to;
    double seconds = -1;
    OK(ck_event_new(&from, device));
    OK(ck_event_new(&to, device));
    FAILS(ck_event_elapsed(&seconds, from, to), CK_ERROR_ARGUMENT, "was not recorded");
    OK(ck_event_record(from, NULL));
    FAILS(ck_event_elapsed(&seconds, from, to), CK_ERROR_ARGUMENT, "was not recorded");
    CHECK(seconds == -1);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    OK(ck_event_record(to, NULL));
    OK(ck_event_elapsed(&seconds, from, to));
    CHECK(seconds >= 0.002 && seconds < 5);
    OK(ck_event_record(from, NULL)); /* again */
    OK(ck_event_record(to, NULL));
    OK(ck_event_elapsed(&seconds, from, to));
    CHECK(seconds >= 0 && seconds < 0.1);
    ck_event_free(from);
    ck_event_free(to);
    ck_event_free(NULL);
}

/* What the CPU device alone refuses, and what no two devices share. */
static void
refusals(void)
{
    ck_device *other;
    ck_buffer *a, *b;
    ck_event *x, *y;
    double seconds;
    char stream;
    OK(ck_device_open(&other, ctx, "cpu", NULL));
    OK(ck_buffer_new(&a, device, 16));
    OK(ck_buffer_new(&b, other, 16));
    OK(ck_event_new(&x, device));
    OK(ck_event_new(&y, other));
    FAILS(ck_buffer_copy(a, 0, b, 0, 16, NULL), CK_ERROR_ARGUMENT, "two devices");
    FAILS(ck_event_elapsed(&seconds, x, y), CK_ERROR_ARGUMENT, "two devices");
    FAILS(ck_buffer_fill(b, 0, 0, 16, &stream), CK_ERROR_ARGUMENT, "has no streams");
    FAILS(ck_event_record(y, &stream), CK_ERROR_ARGUMENT, "has no streams");
    ck_event_free(x);
    ck_event_free(y);
    ck_buffer_free(a);
    ck_buffer_free(b);
    ck_device_free(other);
}

int
main(int argc, char **argv)
{
    OK(ck_context_new(&ctx, NULL));
    OK(ck_device_open(&device, ctx, argc > 1 ? argv[1] : "cpu:3", NULL));
    copies();
    if (argc < 3) /* a stand-in has no times */
        events();
    refusals();
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}
