/* Each call of the driver fails once: a scenario that uses every function of the library's on a
 * CUDA device runs again and again, and the n-th call of the driver fails in the n-th run. Whatever
 * fails says so by its status, with the driver's error and the name of the call; it leaves its
 * outputs as they were, no context pushed, and everything such that the same call succeeds the
 * second time. At the end of each run nothing is left over.
 *
 *   every_call CODE IMAGE CACHE [current]
 *
 *   CODE     the driver's error
 *   IMAGE    a file of PTX with a kernel `twice`
 *   CACHE    a folder that keeps compiled code from one run to the next
 *   current  the program has a CUDA context current, which stays so
 *
 * Prints how often each function of the driver failed. Links the fake driver. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

void fake_cuda_fail_at(int call, int code);
const char *fake_cuda_failed(void);
int fake_cuda_live(void);
int fake_cuda_depth(void);
int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);

static const char source[] = "@kernel\n"
                             "def add(a, x):\n"
                             "    x[grid(1)] += a\n"
                             "@kernel\n"
                             "def rows(x: float32[::1]):\n"
                             "    g = this_grid()\n"
                             "    g.sync()\n"
                             "    x[grid(1)] = 1\n"
                             "@kernel\n"
                             "def clusters(x: float32[::1]):\n"
                             "    c = this_cluster()\n"
                             "    c.sync()\n"
                             "    x[grid(1)] = c.num_blocks()\n"
                             "@kernel\n"
                             "def dynamic(x: float32[::1]):\n"
                             "    s = cuda.shared.array(0, float32)\n"
                             "    s[threadIdx.x] = x[threadIdx.x]\n"
                             "    syncthreads()\n"
                             "    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]\n"
                             "def sum_of(n: int32) -> int32:\n"
                             "    if n <= 0:\n"
                             "        return 0\n"
                             "    return n + sum_of(n - 1)\n"
                             "@kernel\n"
                             "def recursive(x: float32[::1], n: int32):\n"
                             "    x[grid(1)] = sum_of(n)\n"
                             "counts = cuda.device_array(4, int32)\n"
                             "table = cuda.to_device(np.array([1, 2, 3, 4], np.int32))\n"
                             "@kernel\n"
                             "def count(x: float32[::1]):\n"
                             "    cuda.atomic.add(counts, 0, 1)\n"
                             "    x[0] = table[counts[0] % 4]\n";

enum { BYTES = 4096, N = BYTES / 4 };

/* What a run makes. */
struct world {
    ck_context *ctx;
    ck_device *device, *checked, *borrowed;
    ck_module *module;
    ck_buffer *a, *b;
    ck_host_buffer *host;
    ck_stream *stream, *other;
    ck_event *begin, *end;
    ck_kernel *kernels[7];
};

static int code;
static const char *image;
static char *cache;
static void *context; /* a CUcontext of the program's */
static int run_number;
static int depth; /* contexts that the program has pushed */

static void
give_up(const char *what, const char *call, const char *text)
{
    const char *failed = fake_cuda_failed();
    printf("run %d, %s failed: %s: %s: %s\n", run_number, failed ? failed : "nothing", call, what,
           text);
    exit(1);
}

/* "cuMemAlloc" of "cuMemAlloc_v2". */
static const char *
bare_name(const char *symbol)
{
    static char name[64];
    snprintf(name, sizeof name, "%s", symbol);
    char *version = strstr(name, "_v2");
    if (version)
        *version = '\0';
    return name;
}

static bool
is_right(ck_status status, const char *failed)
{
    if (status == CK_ERROR_NO_DEVICE)
        return strcmp(failed, "cuInit") == 0 || strcmp(failed, "cuDriverGetVersion") == 0;
    return status == (code == 2 ? CK_ERROR_MEMORY : CK_ERROR_DRIVER);
}

/* Whether a call is to be made a second time: it failed, as it should. */
static bool
failed_well(const struct world *w, ck_status status, const char *call, bool had_failed)
{
    const char *failed = fake_cuda_failed(), *text = ck_context_error(w->ctx);
    /* Nothing but the failure of a pop leaves a context pushed. */
    if (fake_cuda_depth() != depth && (!failed || strcmp(failed, "cuCtxPopCurrent_v2") != 0))
        give_up("a context is still pushed", call, "");
    if (status == CK_OK) { /* without an answer, launches push the context they need */
        if (failed && !had_failed && strcmp(failed, "cuCtxGetCurrent") != 0)
            give_up("succeeded", call, "");
        return false;
    }
    if (!failed || had_failed)
        give_up(ck_status_name(status), call, text);
    const bool of_version = strcmp(failed, "cuDriverGetVersion") == 0; /* "it is damaged" */
    if (!is_right(status, failed) || (!of_version && !strstr(text, bare_name(failed))))
        give_up(ck_status_name(status), call, text);
    return true;
}

/* A call that may fail once, and then succeeds. */
#define STEP(call)                                                                                 \
    do {                                                                                           \
        const bool step_had_failed = fake_cuda_failed() != NULL;                                   \
        if (failed_well(w, (call), #call, step_had_failed))                                        \
            failed_well(w, (call), #call, true);                                                   \
    } while (0)

/* The same for a call that makes something: there is nothing if it failed. */
#define MAKE(out, call)                                                                            \
    do {                                                                                           \
        const bool make_had_failed = fake_cuda_failed() != NULL;                                   \
        (out) = NULL;                                                                              \
        if (failed_well(w, (call), #call, make_had_failed)) {                                      \
            if (out)                                                                               \
                give_up("an output of a failed call", #call, "");                                  \
            failed_well(w, (call), #call, true);                                                   \
        }                                                                                          \
        if (!(out))                                                                                \
            give_up("no output", #call, "");                                                       \
    } while (0)

/* A driver that cannot be used has none. */
static ck_status
count_devices(ck_context *ctx)
{
    size_t n = 99;
    const ck_status status = ck_device_count(&n, ctx, "cuda");
    if (n != (status ? 99 : 1) && (status || n))
        give_up("another number of devices", "ck_device_count", "");
    return status || n ? status : CK_ERROR_NO_DEVICE;
}

static void
open_devices(struct world *w)
{
    ck_device_options options = {.size = sizeof options, .checks = CK_CHECK_BOUNDS};
    ck_device_options given = {.size = sizeof given, .cuda_context = context};
    size_t unused = 0, total = 0;
    STEP(count_devices(w->ctx));
    MAKE(w->device, ck_device_open(&w->device, w->ctx, "cuda", NULL));
    MAKE(w->checked, ck_device_open(&w->checked, w->ctx, "cuda", &options));
    MAKE(w->borrowed, ck_device_open(&w->borrowed, w->ctx, "cuda:0", &given));
    STEP(ck_device_get_memory(&unused, &total, w->device));
    STEP(ck_device_synchronize(w->borrowed));
}

static void
copy(struct world *w)
{
    char host[BYTES] = "";
    double seconds;
    MAKE(w->a, ck_buffer_new(&w->a, w->device, BYTES));
    MAKE(w->b, ck_buffer_new(&w->b, w->device, BYTES));
    MAKE(w->host, ck_host_buffer_new(&w->host, w->device, BYTES));
    MAKE(w->stream, ck_stream_create(&w->stream, w->device));
    MAKE(w->other, ck_stream_create(&w->other, w->device));
    MAKE(w->begin, ck_event_new(&w->begin, w->device));
    MAKE(w->end, ck_event_new(&w->end, w->device));
    void *stream = ck_stream_handle(w->stream);
    memset(ck_host_buffer_data(w->host), 0, BYTES);
    STEP(ck_event_record(w->begin, stream));
    STEP(ck_buffer_write(w->a, 0, host, BYTES));
    STEP(ck_buffer_write_async(w->a, 0, ck_host_buffer_data(w->host), BYTES, stream));
    STEP(ck_buffer_copy(w->b, 0, w->a, 0, BYTES, stream));
    STEP(ck_buffer_fill(w->b, 0, 0, BYTES, stream));
    STEP(ck_buffer_read_async(w->b, 0, ck_host_buffer_data(w->host), BYTES, stream));
    STEP(ck_buffer_read(w->b, 0, host, BYTES));
    STEP(ck_event_record(w->end, stream));
    STEP(ck_stream_wait(w->other, w->end));
    STEP(ck_event_synchronize(w->end));
    STEP(ck_event_elapsed(&seconds, w->begin, w->end));
    STEP(ck_stream_synchronize(w->stream));
}

static void
launch(struct world *w)
{
    static const char *const names[] = {"add", "rows", "clusters", "dynamic", "recursive", "count"};
    const ck_array x = ck_array_1d(ck_buffer_address(w->a), CK_FLOAT32, N);
    const ck_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    const ck_shape clusters = {.grid = {32, 1, 1}, .block = {32, 1, 1}, .cluster = {16, 1, 1}};
    const ck_shape large = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .shared_bytes = 100 << 10};
    ck_kernel_usage usage;
    ck_best_block best;
    uint32_t blocks;
    ck_array counts;
    int32_t numbers[4] = {5, 6, 7, 8};
    void *stream = ck_stream_handle(w->stream);
    MAKE(w->module, ck_compile(&w->module, w->ctx, source, strlen(source), NULL));
    for (int i = 0; i < 6; i++)
        MAKE(w->kernels[i], ck_kernel_get(&w->kernels[i], w->module, w->device, names[i]));
    MAKE(w->kernels[6], ck_kernel_get(&w->kernels[6], w->module, w->checked, "rows"));
    ck_kernel *const *k = w->kernels;
    STEP(ck_kernel_prepare(k[0], CK_ARGS(2.5f, &x), NULL));
    STEP(ck_launch(k[0], &shape, CK_ARGS(2.5f, &x), stream));
    STEP(ck_launch(k[0], &shape, CK_ARGS(2, &x), NULL));
    STEP(ck_kernel_get_usage(&usage, k[0]));
    STEP(ck_kernel_max_cooperative_blocks(&blocks, k[1], (ck_dim3){32, 1, 1}, 0));
    STEP(ck_kernel_best_block(&best, k[3], 50 << 10));
    STEP(ck_launch(k[1], &shape, CK_ARGS(&x), stream));
    STEP(ck_kernel_max_resident_blocks(&blocks, k[2], &clusters));
    STEP(ck_launch(k[2], &clusters, CK_ARGS(&x), stream));
    STEP(ck_launch(k[3], &large, CK_ARGS(&x), stream));
    STEP(ck_launch(k[4], &shape, CK_ARGS(&x, 100), stream));
    STEP(ck_launch(k[6], &shape, CK_ARGS(&x), NULL));
    STEP(ck_module_get_global(&counts, w->module, w->device, "counts"));
    STEP(ck_launch(k[5], &shape, CK_ARGS(&x), stream));
    STEP(ck_module_write_global(w->module, w->device, "table", 0, numbers, sizeof numbers));
    STEP(ck_module_read_global(w->module, w->device, "counts", 0, numbers, sizeof numbers));
    STEP(ck_stream_launch(w->stream, image, strlen(image), "twice", &shape, CK_ARGS(&x)));
    STEP(ck_stream_launch(w->stream, image, strlen(image), "twice", &shape, CK_ARGS(&x)));
    STEP(ck_device_synchronize(w->device));
}

static void
release(struct world *w)
{
    ck_event_free(w->begin);
    ck_event_free(w->end);
    ck_stream_free(w->stream);
    ck_stream_free(w->other);
    ck_host_buffer_free(w->host);
    ck_buffer_free(w->a);
    ck_module_free(w->module);
    ck_device_free(w->device);
    ck_buffer_free(w->b); /* it may outlive its device */
    ck_device_free(w->checked);
    ck_device_free(w->borrowed);
    ck_context_free(w->ctx);
}

static void
run(int n)
{
    const ck_context_options options = {.size = sizeof options, .cache_directory = cache};
    struct world *w = &(struct world){0};
    const int before = fake_cuda_live();
    run_number = n;
    if (ck_context_new(&w->ctx, &options) != CK_OK)
        give_up("no context", "ck_context_new", "");
    fake_cuda_fail_at(n, code);
    open_devices(w);
    copy(w);
    launch(w);
    const bool failed = fake_cuda_failed() != NULL;
    release(w);
    /* A driver that does not release, or does not let in, has something left. */
    const int left = fake_cuda_live() - before;
    if (left < 0 || (failed || !fake_cuda_failed() ? left : left > 2))
        give_up("something is left, or was released twice", "release", "");
}

static char *
read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || !fread(text, 1, (1 << 20) - 1, file))
        exit(2);
    fclose(file);
    return text;
}

int
main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    code = atoi(argv[1]);
    char *text = read_file(argv[2]);
    image = text;
    cache = argv[3];
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0))
        return 2;
    depth = argc > 4;
    if (depth && cuCtxPushCurrent_v2(context))
        return 2;
    for (int n = 1;; n++) {
        run(n);
        const char *failed = fake_cuda_failed();
        if (!failed) {
            printf("%d calls\n", n - 1);
            break;
        }
        printf("%s\n", failed);
        fake_cuda_fail_at(0, 0);
        while (fake_cuda_depth() > depth)
            cuCtxPopCurrent_v2(NULL);
    }
    free(text);
    return 0;
}
