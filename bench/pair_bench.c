/* Times several codes of one kernel on the first CUDA device, on the same data (see serve.h):
 *
 *   pair_bench [LIBDEVICE]
 *
 * LIBDEVICE is the file of CUDA's math functions, which what ck launches then calls.
 *
 * Requests:
 *   forget                            unloads all codes and frees all arrays
 *   array USE DTYPE SHAPE KIND [LOW [HIGH]]
 *                                     makes the next array, filled as pair_data.c knows KIND. USE
 *                                     is `in`, `out`, `inout` if each launch needs what the array
 *                                     began with, or `scratch` if what launches write there is not
 *                                     compared. SHAPE is 5, 5x7 or 5x7x9
 *   load WHO MODE FILE KERNEL GRID BLOCK ARG...
 *                                     makes WHO, 0 to 7, this code: of ck source (MODE ck), or of a
 *                                     cubin or PTX (plain, cooperative), launched by the driver.
 *                                     GRID and BLOCK are 32, 32x32 or 32x32x2
 *   check WHO RTOL ATOL               launches once; each `out` and `inout` array must be what
 *                                     the first code that was checked made of it
 *   time WHO COUNT                    a time between events for each of COUNT launches
 *   registers WHO                     of a thread
 *
 * An ARG is a0, the first array with its shape; v0, the same without the last extent, which is that
 * of vectors; p0, its address alone; i5, an int64; j5, an int32; f2.5, a float32. Before each
 * launch that is timed, the `inout` arrays get what they began with, and the GPU waits until the
 * host has launched. Exits with 77 where there is no device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_driver.h"
#include "pair_data.h"

enum { MAX_ARRAYS = 16, MAX_ARGS = 24, MAX_CODES = 8 };

enum use { USE_IN, USE_SCRATCH, USE_OUT, USE_INOUT };

struct data {
    ck_array array; /* what codes launch with */
    enum use use;
    CUdeviceptr restore; /* what it began with */
    char *want;          /* what the first code made of it, on the host */
};

enum mode { MODE_CK, MODE_PLAIN, MODE_COOPERATIVE };

/* A kernel of one compiler, with its arguments as ck and as the driver want them. */
struct code {
    bool loaded;
    enum mode mode;
    ck_kernel *kernel; /* of the file that is open */
    CUmodule module;
    CUfunction function;
    ck_dim3 grid, block;
    size_t n_args;
    ck_arg args[MAX_ARGS];
    int32_t ints[MAX_ARGS];
    float floats[MAX_ARGS];
    size_t n_pointers;
    void *pointers[MAX_ARGS * (1 + CK_MAX_DIMS)];
};

struct state {
    struct driver driver;
    CUmodule waiting;
    CUfunction pause;
    size_t n_arrays;
    struct data arrays[MAX_ARRAYS];
    struct code codes[MAX_CODES];
    const char *libdevice; /* the file, for what ck launches; NULL: libclc */
    char *path;            /* of the ck file that is open, or NULL */
    struct bench_kernel open;
};

/* --- Arrays ------------------------------------------------------------------------------------
 */

static bool
read_use(const char *word, enum use *out, struct bench_reply *reply)
{
    static const char *const names[] = {"in", "scratch", "out", "inout"};
    for (*out = USE_IN; *out <= USE_INOUT; ++*out) {
        if (!strcmp(names[*out], word))
            return true;
    }
    return bench_fail(reply, "an array is not for %s", word);
}

static bool
read_shape(ck_array *array, const char *word, struct bench_reply *reply)
{
    long long extents[3] = {0};
    array->ndim = sscanf(word, "%lldx%lldx%lld", &extents[0], &extents[1], &extents[2]);
    int64_t stride = (int64_t)ck_dtype_size(array->dtype);
    for (int i = array->ndim - 1; i >= 0; i--) {
        if (extents[i] < 1 || extents[i] > (1ll << 31) / stride)
            return bench_fail(reply, "%s is no shape", word);
        array->shape[i] = extents[i];
        array->strides[i] = stride;
        stride *= extents[i];
    }
    return array->ndim > 0 ? true : bench_fail(reply, "%s is no shape", word);
}

static bool
has_elements(ck_dtype dtype)
{
    return dtype == CK_FLOAT16 || dtype == CK_FLOAT32 || dtype == CK_FLOAT64 || dtype == CK_UINT8 ||
           dtype == CK_INT32 || dtype == CK_UINT32 || dtype == CK_INT64 || dtype == CK_UINT64;
}

static bool
new_memory(const struct driver *driver, struct data *data, const char *host,
           struct bench_reply *reply)
{
    const size_t bytes = pair_bytes(&data->array);
    CUdeviceptr address = 0;
    if (!driver_check(driver, driver->memory_new(&address, bytes), "cuMemAlloc", reply))
        return false;
    data->array.data = address;
    return driver_check(driver, driver->memory_new(&data->restore, bytes), "cuMemAlloc", reply) &&
           driver_check(driver, driver->write(data->restore, host, bytes), "cuMemcpyHtoD", reply) &&
           driver_check(driver, driver->stream_synchronize(NULL), "cuStreamSynchronize", reply);
}

static void
release_array(const struct driver *driver, struct data *data)
{
    if (data->array.data)
        driver->memory_free(data->array.data);
    if (data->restore)
        driver->memory_free(data->restore);
    free(data->want);
    *data = (struct data){0};
}

static bool
make_array(struct data *data, const struct driver *driver, const struct pair_fill *fill,
           struct bench_reply *reply)
{
    char *host = malloc(pair_bytes(&data->array));
    if (!host)
        return bench_fail(reply, "out of memory");
    bool done = pair_fill(host, &data->array, fill, reply) && new_memory(driver, data, host, reply);
    free(host);
    return done;
}

static bool
answer_array(struct state *state, const struct bench_request *request, struct bench_reply *reply)
{
    char *const *words = request->words;
    if (request->n < 5 || state->n_arrays == MAX_ARRAYS)
        return bench_fail(reply, "array takes a use, a dtype, a shape and a kind; at most %d",
                          MAX_ARRAYS);
    struct data *data = &state->arrays[state->n_arrays];
    *data = (struct data){.array.dtype = ck_dtype_by_name(words[2])};
    if (!has_elements(data->array.dtype))
        return bench_fail(reply, "no arrays of %s", words[2]);
    const struct pair_fill fill = {.kind = words[4],
                                   .low = request->n > 5 ? strtod(words[5], NULL) : 0,
                                   .high = request->n > 6 ? strtod(words[6], NULL) : 1,
                                   .seed = state->n_arrays + 1};
    bool done = read_use(words[1], &data->use, reply) &&
                read_shape(&data->array, words[3], reply) &&
                make_array(data, &state->driver, &fill, reply);
    if (done)
        state->n_arrays++;
    else
        release_array(&state->driver, data);
    return done;
}

/* --- Codes -------------------------------------------------------------------------------------
 */

static void
unload(const struct driver *driver, struct code *code)
{
    if (code->module)
        driver->module_unload(code->module);
    *code = (struct code){0};
}

static bool
answer_forget(struct state *state, const struct bench_request *request, struct bench_reply *reply)
{
    (void)request;
    (void)reply;
    for (size_t i = 0; i < MAX_CODES; i++)
        unload(&state->driver, &state->codes[i]);
    for (size_t i = 0; i < state->n_arrays; i++)
        release_array(&state->driver, &state->arrays[i]);
    state->n_arrays = 0;
    return true;
}

/* NULL after bench_fail. */
static struct code *
find_code(struct state *state, const struct bench_request *request, struct bench_reply *reply)
{
    const char *word = request->n > 1 ? request->words[1] : "";
    if (word[0] >= '0' && word[0] < '0' + MAX_CODES && !word[1])
        return &state->codes[word[0] - '0'];
    bench_fail(reply, "a code is called 0 to %d", MAX_CODES - 1);
    return NULL;
}

static struct code *
find_loaded(struct state *state, const struct bench_request *request, struct bench_reply *reply)
{
    struct code *code = find_code(state, request, reply);
    if (!code || code->loaded)
        return code;
    bench_fail(reply, "nothing is loaded as %s", request->words[1]);
    return NULL;
}

static bool
read_dim3(const char *word, ck_dim3 *out, struct bench_reply *reply)
{
    *out = (ck_dim3){0, 1, 1};
    if (sscanf(word, "%ux%ux%u", &out->x, &out->y, &out->z) < 1 || !out->x || !out->y || !out->z)
        return bench_fail(reply, "%s is no grid and no block", word);
    return true;
}

static bool
read_mode(const char *word, enum mode *out, struct bench_reply *reply)
{
    static const char *const names[] = {"ck", "plain", "cooperative"};
    for (*out = MODE_CK; *out <= MODE_COOPERATIVE; ++*out) {
        if (!strcmp(names[*out], word))
            return true;
    }
    return bench_fail(reply, "there is no mode %s", word);
}

static bool
add_array(struct state *state, struct code *code, const char *word, struct bench_reply *reply)
{
    size_t i = strtoul(word + 1, NULL, 10);
    if (i >= state->n_arrays)
        return bench_fail(reply, "there is no array %s", word + 1);
    ck_array *array = &state->arrays[i].array;
    code->args[code->n_args++].value.array = array;
    code->pointers[code->n_pointers++] = &array->data;
    const int n_extents = word[0] == 'p' ? 0 : array->ndim - (word[0] == 'v');
    for (int axis = 0; axis < n_extents; axis++)
        code->pointers[code->n_pointers++] = &array->shape[axis];
    return true;
}

static bool
add_argument(struct state *state, struct code *code, const char *word, struct bench_reply *reply)
{
    ck_arg *arg = &code->args[code->n_args];
    switch (word[0]) {
    case 'a':
    case 'v':
    case 'p':
        return add_array(state, code, word, reply);
    case 'i':
        *arg = (ck_arg){.scalar = CK_INT64, .value.i = strtoll(word + 1, NULL, 10)};
        code->pointers[code->n_pointers++] = &arg->value.i;
        break;
    case 'j':
        code->ints[code->n_args] = (int32_t)strtol(word + 1, NULL, 10);
        *arg = (ck_arg){.scalar = CK_INT32, .value.i = code->ints[code->n_args]};
        code->pointers[code->n_pointers++] = &code->ints[code->n_args];
        break;
    case 'f':
        code->floats[code->n_args] = strtof(word + 1, NULL);
        *arg = (ck_arg){.scalar = CK_FLOAT32, .value.f = (double)code->floats[code->n_args]};
        code->pointers[code->n_pointers++] = &code->floats[code->n_args];
        break;
    default:
        return bench_fail(reply, "%s is no argument", word);
    }
    code->n_args++;
    return true;
}

static bool
load_image(const struct driver *driver, struct code *code, const char *path, const char *kernel,
           struct bench_reply *reply)
{
    size_t length;
    char *image = bench_read_file(path, &length);
    if (!image)
        return bench_fail(reply, "%s cannot be read", path);
    bool done = driver_check(driver, driver->module_load(&code->module, image), path, reply) &&
                driver_check(driver, driver->module_function(&code->function, code->module, kernel),
                             kernel, reply);
    free(image);
    return done;
}

static void
close_file(struct state *state)
{
    for (size_t i = 0; i < MAX_CODES; i++) {
        if (state->codes[i].kernel)
            unload(&state->driver, &state->codes[i]);
    }
    bench_kernel_release(&state->open);
    state->open = (struct bench_kernel){.libdevice = state->libdevice};
    free(state->path);
    state->path = NULL;
}

/* The file stays open for its other kernels, until one of another file is wanted. */
static bool
load_ck(struct state *state, struct code *code, const char *path, const char *kernel,
        struct bench_reply *reply)
{
    if (!state->path || strcmp(state->path, path)) {
        close_file(state);
        if (!bench_kernel_init(&state->open, "cuda:0", path, kernel))
            return bench_fail(reply, "ck cannot load %s of %s", kernel, path);
        state->path = strdup(path);
    }
    return bench_check(&state->open,
                       ck_kernel_get(&code->kernel, state->open.module, state->open.device, kernel),
                       reply);
}

static bool
answer_load(struct state *state, const struct bench_request *request, struct bench_reply *reply)
{
    enum { FIRST_ARG = 7 };
    char *const *words = request->words;
    struct code *code = find_code(state, request, reply);
    if (!code)
        return false;
    if (request->n < FIRST_ARG || request->n > FIRST_ARG + MAX_ARGS)
        return bench_fail(reply,
                          "load takes a mode, a file, a kernel, a grid, a block and at most "
                          "%d arguments",
                          MAX_ARGS);
    unload(&state->driver, code);
    if (!read_mode(words[2], &code->mode, reply))
        return false;
    bool done = code->mode == MODE_CK ? load_ck(state, code, words[3], words[4], reply)
                                      : load_image(&state->driver, code, words[3], words[4], reply);
    done =
        done && read_dim3(words[5], &code->grid, reply) && read_dim3(words[6], &code->block, reply);
    for (size_t i = FIRST_ARG; done && i < request->n; i++)
        done = add_argument(state, code, words[i], reply);
    if (done)
        code->loaded = true;
    else
        unload(&state->driver, code);
    return done;
}

/* --- Launching ---------------------------------------------------------------------------------
 */

static bool
launch(const struct state *state, struct code *code, struct bench_reply *reply)
{
    const struct driver *driver = &state->driver;
    const ck_dim3 grid = code->grid, block = code->block;
    const ck_shape shape = {.grid = grid, .block = block};
    switch (code->mode) {
    case MODE_CK:
        return bench_check(
            &state->open, ck_launch(code->kernel, &shape, code->args, code->n_args, driver->stream),
            reply);
    case MODE_COOPERATIVE:
        return driver_check(driver,
                            driver->launch_cooperative(code->function, grid.x, grid.y, grid.z,
                                                       block.x, block.y, block.z, 0, driver->stream,
                                                       code->pointers),
                            "cuLaunchCooperativeKernel", reply);
    default:
        return driver_check(driver,
                            driver->launch(code->function, grid.x, grid.y, grid.z, block.x, block.y,
                                           block.z, 0, driver->stream, code->pointers, NULL),
                            "cuLaunchKernel", reply);
    }
}

static bool
synchronize(const struct driver *driver, struct bench_reply *reply)
{
    return driver_check(driver, driver->stream_synchronize(driver->stream), "cuStreamSynchronize",
                        reply);
}

/* Puts back what the arrays began with: all, or what each launch needs. */
static bool
restore(const struct state *state, bool all, struct bench_reply *reply)
{
    const struct driver *driver = &state->driver;
    for (size_t i = 0; i < state->n_arrays; i++) {
        const struct data *data = &state->arrays[i];
        if ((all || data->use == USE_INOUT) &&
            !driver_check(driver,
                          driver->copy(data->array.data, data->restore, pair_bytes(&data->array),
                                       driver->stream),
                          "cuMemcpyDtoDAsync", reply))
            return false;
    }
    return true;
}

/* Keeps the result, or compares it with the one that is kept. */
static bool
check_array(const struct state *state, struct data *data, double rtol, double atol,
            struct bench_reply *reply)
{
    const size_t bytes = pair_bytes(&data->array);
    char *got = malloc(bytes);
    if (!got)
        return bench_fail(reply, "out of memory");
    bool done = driver_check(&state->driver, state->driver.read(got, data->array.data, bytes),
                             "cuMemcpyDtoH", reply);
    if (done && data->want)
        done = pair_compare(got, data->want, &data->array, rtol, atol, reply);
    if (!done || data->want) {
        free(got);
        return done;
    }
    data->want = got;
    return true;
}

static bool
answer_check(struct state *state, const struct bench_request *request, struct bench_reply *reply)
{
    struct code *code = find_loaded(state, request, reply);
    if (!code)
        return false;
    if (request->n < 4)
        return bench_fail(reply, "check takes a code and two tolerances");
    const double rtol = strtod(request->words[2], NULL), atol = strtod(request->words[3], NULL);
    if (!restore(state, true, reply) || !launch(state, code, reply) ||
        !synchronize(&state->driver, reply))
        return false;
    for (size_t i = 0; i < state->n_arrays; i++) {
        struct data *data = &state->arrays[i];
        if (data->use >= USE_OUT && !check_array(state, data, rtol, atol, reply))
            return false;
    }
    return true;
}

/* --- Timing ------------------------------------------------------------------------------------
 */

/* For 40,000 cycles, which is more than 20 us. */
static const char pause_ptx[] = ".version 6.3\n"
                                ".target sm_75\n"
                                ".address_size 64\n"
                                ".visible .entry pause()\n"
                                "{\n"
                                "  .reg .pred %waits;\n"
                                "  .reg .b64 %start, %now;\n"
                                "  mov.u64 %start, %clock64;\n"
                                "again:\n"
                                "  mov.u64 %now, %clock64;\n"
                                "  sub.s64 %now, %now, %start;\n"
                                "  setp.lt.s64 %waits, %now, 40000;\n"
                                "  @%waits bra again;\n"
                                "  ret;\n"
                                "}\n";

static bool
load_pause(struct state *state)
{
    const struct driver *driver = &state->driver;
    return driver_done(driver, driver->module_load(&state->waiting, pause_ptx),
                       "cuModuleLoadData") &&
           driver_done(driver, driver->module_function(&state->pause, state->waiting, "pause"),
                       "cuModuleGetFunction");
}

static bool
prepare(const struct state *state, struct bench_reply *reply)
{
    const struct driver *driver = &state->driver;
    return restore(state, false, reply) &&
           driver_check(
               driver,
               driver->launch(state->pause, 1, 1, 1, 1, 1, 1, 0, driver->stream, NULL, NULL),
               "cuLaunchKernel", reply);
}

static bool
time_launch(const struct state *state, struct code *code, struct bench_reply *reply)
{
    return prepare(state, reply) && driver_record_start(&state->driver, reply) &&
           launch(state, code, reply) && driver_record_end(&state->driver, 1, reply);
}

/* For a while, as an idle GPU's clock is slow. */
static bool
warm_up(const struct state *state, struct code *code, struct bench_reply *reply)
{
    const double until = bench_now() + 0.005;
    do {
        if (!prepare(state, reply) || !launch(state, code, reply) ||
            !synchronize(&state->driver, reply))
            return false;
    } while (bench_now() < until);
    return true;
}

static bool
answer_time(struct state *state, const struct bench_request *request, struct bench_reply *reply)
{
    struct code *code = find_loaded(state, request, reply);
    uint64_t count;
    if (!code || !bench_number(request, 2, BENCH_MAX_VALUES, &count, reply) ||
        !warm_up(state, code, reply))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (!time_launch(state, code, reply))
            return false;
    }
    return true;
}

static bool
answer_registers(struct state *state, const struct bench_request *request,
                 struct bench_reply *reply)
{
    struct code *code = find_loaded(state, request, reply);
    int registers = 0;
    if (!code)
        return false;
    if (code->mode == MODE_CK) {
        ck_kernel_usage usage = {0};
        return bench_check(&state->open, ck_kernel_get_usage(&usage, code->kernel), reply) &&
               bench_add(reply, usage.registers);
    }
    return driver_check(&state->driver,
                        state->driver.function_attribute(&registers, NUM_REGS, code->function),
                        "cuFuncGetAttribute", reply) &&
           bench_add(reply, registers);
}

/* --- The program -------------------------------------------------------------------------------
 */

static bool
answer(void *state, const struct bench_request *request, struct bench_reply *reply)
{
    static const struct {
        const char *name;
        bool (*answer)(struct state *, const struct bench_request *, struct bench_reply *);
    } answers[] = {{"array", answer_array},         {"check", answer_check},
                   {"forget", answer_forget},       {"load", answer_load},
                   {"registers", answer_registers}, {"time", answer_time}};
    for (size_t i = 0; request->n && i < sizeof answers / sizeof answers[0]; i++) {
        if (!strcmp(request->words[0], answers[i].name))
            return answers[i].answer(state, request, reply);
    }
    return bench_fail(reply, "the requests are: array, check, forget, load, registers, time");
}

int
main(int argc, char **argv)
{
    struct state state = {0};
    if (argc > 2) {
        fprintf(stderr, "usage: %s [LIBDEVICE]\n", argv[0]);
        return 2;
    }
    state.libdevice = argc == 2 ? argv[1] : NULL;
    state.open.libdevice = state.libdevice;
    if (!driver_find_device(&state.driver))
        return NO_DEVICE_STATUS;
    if (!driver_open(&state.driver) || !load_pause(&state))
        return EXIT_FAILURE;
    int result = bench_serve(answer, &state);
    struct bench_request none = {0};
    answer_forget(&state, &none, NULL);
    close_file(&state);
    state.driver.module_unload(state.waiting);
    state.driver.primary_release(state.driver.device);
    return result;
}
