/* Launches on the CPU device that the program interrupts: from a signal handler, and before they
 * begin. Prints what differs. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ck/ck.h>

static const char source[] = "@kernel\n"
                             "def endless(x: int32[::1]):\n"
                             "    g = this_grid()\n"
                             "    while x[1] == 0:\n"
                             "        x[0] = 1\n"
                             "        g.sync()\n";

static volatile int interrupted;

static void
interrupt(int number __attribute__((unused)))
{
    interrupted = 1;
}

static ck_status
launch(ck_kernel *kernel, ck_buffer *buffer)
{
    ck_array x = ck_array_1d(ck_buffer_address(buffer), CK_INT32, 2);
    const ck_arg arg = {.value.array = &x};
    const ck_shape shape = {.grid = {4, 1, 1}, .block = {32, 1, 1}};
    return ck_launch(kernel, &shape, &arg, 1, NULL);
}

static int
is_due(ck_context *ctx, ck_status status, ck_status due, ck_buffer *buffer, int32_t first)
{
    int32_t x[2] = {-1, -1};
    const char *text = "the launch of `endless` was interrupted";
    if (status == due && !ck_buffer_read(buffer, 0, x, sizeof x) && x[0] == first &&
        (due == CK_OK || !strcmp(ck_context_error(ctx), text)))
        return 1;
    printf("%s: %s: x[0] = %d\n", ck_status_name(status), ck_context_error(ctx), (int)x[0]);
    return 0;
}

/* With the flag; from a signal; without, when the loop ends by itself. */
static int
check(ck_context *ctx, ck_kernel *kernel, ck_buffer *buffer)
{
    static const int32_t zeros[2] = {0, 0}, ends[2] = {0, 1};
    int right = ck_buffer_write(buffer, 0, zeros, sizeof zeros) == CK_OK;
    interrupted = 1;
    right = right && is_due(ctx, launch(kernel, buffer), CK_ERROR_INTERRUPTED, buffer, 0);
    interrupted = 0;
    alarm(1);
    right = right && is_due(ctx, launch(kernel, buffer), CK_ERROR_INTERRUPTED, buffer, 1);
    interrupted = 0;
    right = right && ck_buffer_write(buffer, 0, ends, sizeof ends) == CK_OK;
    return right && is_due(ctx, launch(kernel, buffer), CK_OK, buffer, 0);
}

static int
check_on(ck_context *ctx, ck_module *module, const char *name, ck_schedule schedule)
{
    ck_device_options options = {
        .size = sizeof options, .schedule = schedule, .interrupted = &interrupted};
    ck_device *device = NULL;
    ck_buffer *buffer = NULL;
    ck_kernel *kernel;
    const int right = !ck_device_open(&device, ctx, name, &options) &&
                      !ck_buffer_new(&buffer, device, 2 * sizeof(int32_t)) &&
                      !ck_kernel_get(&kernel, module, device, "endless") &&
                      check(ctx, kernel, buffer);
    ck_buffer_free(buffer);
    ck_device_free(device);
    return right;
}

int
main(void)
{
    ck_context *ctx = NULL;
    ck_module *module = NULL;
    signal(SIGALRM, interrupt);
    const int right = !ck_context_new(&ctx, NULL) &&
                      !ck_compile(&module, ctx, source, sizeof source - 1, NULL) &&
                      check_on(ctx, module, "cpu:1", CK_SCHEDULE_SEQ) &&
                      check_on(ctx, module, "cpu:3", CK_SCHEDULE_SEQ) &&
                      check_on(ctx, module, "cpu", CK_SCHEDULE_RANDOM);
    ck_module_free(module);
    ck_context_free(ctx);
    return right ? 0 : 1;
}
