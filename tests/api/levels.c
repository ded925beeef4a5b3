/* One kernel with all that the optimiser likes to change - loops, wrapping, divisions, a device
 * function, block and grid barriers, shared memory - compiled at every level: each computes what C
 * computes. Exit status 0 if so, else the level's number and 10. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

enum { N = 128, THREADS = 32, STEPS = 9 };

static const char source[] = "def mix(a, b):\n"
                             "    return (a * 31 + b) // 3 - b % 7\n"
                             "\n"
                             "@kernel\n"
                             "def k(p: int32[::1], steps: int64):\n"
                             "    part = shared.array(32, int32)\n"
                             "    g = this_grid()\n"
                             "    i = grid(1)\n"
                             "    t = threadIdx.x\n"
                             "    for step in range(steps):\n"
                             "        part[t] = p[i]\n"
                             "        syncthreads()\n"
                             "        mine = part[31 - t]\n"
                             "        if mine % 2 == 0:\n"
                             "            mine = mix(mine, p[-1 - i])\n"
                             "        else:\n"
                             "            mine ^= mine << 3\n"
                             "        g.sync()\n"
                             "        p[i] = mine\n"
                             "        g.sync()\n";

static int32_t
floor_divide(int32_t a, int32_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int32_t
mix(int32_t a, int32_t b)
{
    int32_t sum = (int32_t)((uint32_t)a * 31u + (uint32_t)b);
    int32_t remainder = b - floor_divide(b, 7) * 7;
    return (int32_t)((uint32_t)floor_divide(sum, 3) - (uint32_t)remainder);
}

static void
compute(int32_t *p)
{
    for (int step = 0; step < STEPS; step++) {
        int32_t next[N];
        for (int i = 0; i < N; i++) {
            int32_t mine = p[i / THREADS * THREADS + (THREADS - 1 - i % THREADS)];
            if (mine % 2 == 0)
                mine = mix(mine, p[N - 1 - i]);
            else
                mine ^= (int32_t)((uint32_t)mine << 3);
            next[i] = mine;
        }
        memcpy(p, next, sizeof next);
    }
}

static void
begin(int32_t *p)
{
    for (int i = 0; i < N; i++)
        p[i] = (i - 40) * 123457;
}

static ck_status
run(ck_context *ctx, const ck_compile_options *options, int32_t *p)
{
    ck_module *module = NULL;
    ck_device *device = NULL;
    ck_buffer *buffer = NULL;
    ck_kernel *kernel = NULL;
    ck_array array = {.dtype = CK_INT32, .ndim = 1, .shape = {N}, .strides = {sizeof *p}};
    ck_arg args[] = {{.value.array = &array}, {.scalar = CK_INT64, .value.i = STEPS}};
    ck_shape shape = {.grid = {N / THREADS, 1, 1}, .block = {THREADS, 1, 1}};
    ck_status status = ck_compile(&module, ctx, source, strlen(source), options);
    if (status == CK_OK)
        status = ck_device_open(&device, ctx, "cpu", NULL);
    if (status == CK_OK)
        status = ck_buffer_new(&buffer, device, N * sizeof *p);
    if (status == CK_OK)
        status = ck_buffer_write(buffer, 0, p, N * sizeof *p);
    if (status == CK_OK)
        status = ck_kernel_get(&kernel, module, device, "k");
    array.data = buffer ? ck_buffer_address(buffer) : 0;
    if (status == CK_OK)
        status = ck_launch(kernel, &shape, args, 2, NULL);
    if (status == CK_OK)
        status = ck_buffer_read(buffer, 0, p, N * sizeof *p);
    ck_buffer_free(buffer);
    ck_module_free(module);
    ck_device_free(device);
    return status;
}

int
main(void)
{
    int32_t want[N], got[N];
    begin(want);
    compute(want);
    for (int level = -1; level <= 3; level++) {
        ck_compile_options options = {
            .size = sizeof options, .opt_level = level, .no_fmad = level & 1};
        ck_context *ctx = NULL;
        begin(got);
        if (ck_context_new(&ctx, NULL) != CK_OK)
            return 1;
        ck_status status = run(ctx, &options, got);
        if (status != CK_OK)
            fprintf(stderr, "%s: %s\n", ck_status_name(status), ck_context_error(ctx));
        ck_context_free(ctx);
        if (status != CK_OK || memcmp(want, got, sizeof want) != 0)
            return 10 + level;
    }
    return 0;
}
