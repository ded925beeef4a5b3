/* --bench: times of launches, by events of the device. Each repetition begins from the arrays of
 * before the launches, and on a GPU with a cache that holds none of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/json.h"
#include "steps.h"

enum {
    WARM_UP = 2,
    FEWEST = 10,
    MOST = 1000,
    MOST_GIVEN = 1000000,
    N_COPIES = 9,
    COPY_BYTES = 256 << 20,    /* on a GPU */
    CPU_COPY_BYTES = 64 << 20, /* more than caches hold */
    CLEAR_BYTES = 128 << 20,   /* twice the largest cache of a GPU */
    LEAST_BYTES = 1 << 20
};

int
ckrun_set_bench(struct ckrun_bench *out, const char *value)
{
    *out = (struct ckrun_bench){.is_given = true};
    if (!value || (tool_read_number(value, &out->n) && out->n >= 1 && out->n <= MOST_GIVEN))
        return TOOL_DONE;
    tool_error("--bench=N takes the number of repetitions, from 1 to %d: `%s`", MOST_GIVEN, value);
    return TOOL_USAGE;
}

/* --- The arrays as they were -------------------------------------------------------------------
 */

struct saved {
    struct ckrun_array *array;
    void *before;
    ck_buffer *initial; /* on the device; NULL: no launch changes the array */
    bool is_put;        /* of the module's: it is written anew before each repetition */
};

struct ckrun_snapshot {
    struct saved *saved;
    size_t n;
};

struct ckrun_snapshot *
ckrun_snapshot_new(const struct ckrun_env *env)
{
    struct ckrun_snapshot *s = tool_alloc(sizeof *s);
    for (struct ckrun_array *a = env->arrays; a; a = a->next) {
        void *before = tool_alloc(a->host.bytes);
        memcpy(before, a->host.data, a->host.bytes);
        s->saved = tool_grow(s->saved, s->n + 1, sizeof *s->saved);
        s->saved[s->n++] = (struct saved){a, before, NULL};
    }
    return s;
}

void
ckrun_snapshot_free(struct ckrun_snapshot *s)
{
    for (size_t i = 0; s && i < s->n; i++) {
        free(s->saved[i].before);
        ck_buffer_free(s->saved[i].initial);
    }
    if (s)
        free(s->saved);
    free(s);
}

/* Copies the earlier elements to the device, twice if the launches change them. */
static ck_status
put_back(struct ckrun_session *session, struct ckrun_snapshot *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct saved *saved = &s->saved[i];
        const ck_npy *host = &saved->array->host;
        ck_status status = ckrun_put_array(session, saved->array, saved->before);
        bool changes = memcmp(host->data, saved->before, host->bytes) != 0;
        saved->is_put = changes && saved->array->global;
        changes = changes && saved->array->buffer;
        if (status == CK_OK && changes)
            status = ck_buffer_new(&saved->initial, session->device, host->bytes);
        if (status == CK_OK && changes)
            status = ck_buffer_write(saved->initial, 0, saved->before, host->bytes);
        if (status != CK_OK)
            return status;
    }
    return CK_OK;
}

static ck_status
restart(struct ckrun_session *session, const struct ckrun_snapshot *s)
{
    ck_status status = CK_OK;
    for (size_t i = 0; i < s->n && status == CK_OK; i++) {
        const struct saved *saved = &s->saved[i];
        if (saved->initial)
            status = ck_buffer_copy(saved->array->buffer, 0, saved->initial, 0,
                                    saved->array->host.bytes, NULL);
        else if (saved->is_put)
            status = ckrun_put_array(session, saved->array, saved->before);
    }
    return status;
}

/* --- Figures -----------------------------------------------------------------------------------
 */

static int
compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between two of the sorted values where it falls there, as NumPy's percentile. */
static double
quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;
    double rest = at - (double)below;
    return below + 1 < n ? sorted[below] + rest * (sorted[below + 1] - sorted[below])
                         : sorted[below];
}

/* The arrays of a launch, each once. */
struct launched {
    const struct ckrun_array **arrays;
    size_t n;
};

static void
add_arrays(struct launched *l, const struct ckrun_value *v)
{
    for (int i = 0; v->kind == CKRUN_TUPLE && i < v->tuple.n; i++)
        add_arrays(l, &v->tuple.items[i]);
    for (size_t i = 0; i < l->n; i++) {
        if (ckrun_has_array(v) && l->arrays[i] == v->array)
            return;
    }
    if (!ckrun_has_array(v))
        return;
    l->arrays = tool_grow(l->arrays, l->n + 1, sizeof *l->arrays);
    l->arrays[l->n++] = v->array;
}

/* The bytes of the arrays; those that share memory have at most all of it. */
static double
count_bytes(const struct launched *l)
{
    double total = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct ckrun_array *base = ckrun_base(l->arrays[i]);
        double shared = 0;
        bool is_first = true;
        for (size_t k = 0; k < l->n; k++) {
            const bool shares = ckrun_base(l->arrays[k]) == base;
            is_first = is_first && !(shares && k < i);
            shared += shares ? (double)l->arrays[k]->host.bytes : 0;
        }
        if (is_first)
            total += fmin(shared, (double)base->host.bytes);
    }
    return total;
}

static double
launch_bytes(const struct ckrun_launch *launch)
{
    struct launched l = {0};
    for (size_t i = 0; i < launch->n_args; i++)
        add_arrays(&l, &launch->args[i].value);
    double bytes = count_bytes(&l);
    free(l.arrays);
    return bytes;
}

/* The bytes of the arrays of a step's launches, those of each launch counted once, and those that
 * its copies read and write. */
static double
bytes_of(const struct ckrun_program *program, const struct ckrun_step *step)
{
    double bytes = 0;
    for (size_t i = step->first; i < step->first + step->n; i++) {
        const struct ckrun_action *action = &program->actions[i];
        bytes += action->is_copy ? ckrun_copy_bytes(&program->copies[action->at])
                                 : launch_bytes(&program->launches[action->at]);
    }
    return bytes;
}

/* How often the step's loops run its launches. */
static uint64_t
passes_of(const struct ckrun_step *step)
{
    uint64_t n = 1;
    for (size_t i = 0; i < step->n_loops; i++)
        n *= step->loops[i].n;
    return n;
}

/* --- The measurement ---------------------------------------------------------------------------
 */

/* One step, and its times. */
struct timed {
    const struct ckrun_step *step;
    struct ckrun_ready_step ready;
    uint64_t n_passes;
    ck_event *begin, *end;
    double *seconds; /* sorted at the end */
    double bytes;
};

struct measurement {
    struct ckrun_session *session;
    struct ckrun_snapshot *snapshot;
    struct timed *timed;
    size_t n;          /* steps */
    ck_buffer *filler; /* on a GPU: what is written to clear its cache; or NULL */
    uint64_t n_repetitions;
    double copy_rate; /* bytes a second, read and written; 0: unknown */
};

/* The largest buffer that the device has room for; NULL: not even a small one. */
static ck_buffer *
make_buffer(ck_device *device, size_t bytes)
{
    ck_buffer *buffer = NULL;
    for (; bytes >= LEAST_BYTES; bytes /= 2) {
        if (ck_buffer_new(&buffer, device, bytes) == CK_OK)
            return buffer;
    }
    return NULL;
}

/* Queues a write of memory that is not of the arrays. It clears the cache, and while it lasts the
 * host queues what is measured, so that the time does not include the host's. */
static ck_status
clear_cache(const struct measurement *m)
{
    if (!m->filler)
        return CK_OK;
    return ck_buffer_fill(m->filler, 0, 0, ck_buffer_size(m->filler), NULL);
}

static ck_status
time_copies(struct measurement *m, ck_buffer *to, const ck_buffer *from, ck_event *begin,
            ck_event *end)
{
    double seconds[N_COPIES + 1];
    size_t bytes =
        ck_buffer_size(from) < ck_buffer_size(to) ? ck_buffer_size(from) : ck_buffer_size(to);
    for (int i = 0; i <= N_COPIES; i++) {
        ck_status status = clear_cache(m);
        if (status == CK_OK)
            status = ck_event_record(begin, NULL);
        if (status == CK_OK)
            status = ck_buffer_copy(to, 0, from, 0, bytes, NULL);
        if (status == CK_OK)
            status = ck_event_record(end, NULL);
        if (status == CK_OK)
            status = ck_event_elapsed(&seconds[i], begin, end);
        if (status != CK_OK)
            return status;
    }
    qsort(seconds + 1, N_COPIES, sizeof *seconds, compare_doubles); /* without the first */
    double median = quantile(seconds + 1, N_COPIES, 0.5);
    m->copy_rate = median > 0 ? 2 * (double)bytes / median : 0;
    return CK_OK;
}

/* How fast the device copies memory, which bounds what kernels can do. */
static ck_status
measure_copies(struct measurement *m)
{
    ck_device *device = m->session->device;
    bool on_gpu = ck_device_get_info(device)->capability > 0;
    size_t bytes = on_gpu ? COPY_BYTES : CPU_COPY_BYTES;
    ck_buffer *from = make_buffer(device, bytes), *to = from ? make_buffer(device, bytes) : NULL;
    ck_event *begin = NULL, *end = NULL;
    ck_status status = CK_OK;
    if (to) {
        status = ck_buffer_fill(from, 0, 1, ck_buffer_size(from), NULL);
        if (status == CK_OK)
            status = ck_event_new(&begin, device);
        if (status == CK_OK)
            status = ck_event_new(&end, device);
        if (status == CK_OK)
            status = time_copies(m, to, from, begin, end);
    }
    ck_event_free(begin);
    ck_event_free(end);
    ck_buffer_free(from);
    ck_buffer_free(to);
    return status;
}

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Queues all launches and copies of a step. */
static int
run_step(const struct timed *timed)
{
    int status = TOOL_DONE;
    for (uint64_t pass = 0; pass < timed->n_passes && status == TOOL_DONE; pass++)
        status = ckrun_run_actions(&timed->ready);
    return status;
}

static int
time_step(struct measurement *m, struct timed *timed)
{
    const char *kernel = ckrun_first_kernel(&timed->ready);
    const bool is_guarded = kernel && ck_device_get_info(m->session->device)->capability == 0;
    ck_status status = ck_event_record(timed->begin, NULL);
    if (status != CK_OK)
        return tool_fail(m->session->ctx, status);
    if (is_guarded)
        ckrun_guard_begin(kernel);
    int exit_status = run_step(timed);
    if (exit_status == TOOL_DONE)
        status = ck_event_record(timed->end, NULL);
    if (is_guarded)
        ckrun_guard_end();
    return status == CK_OK ? exit_status : tool_fail(m->session->ctx, status);
}

/* Queues all launches once, from the first arrays, and reads their times into `at`. */
static int
repeat(struct measurement *m, uint64_t at)
{
    ck_status status = restart(m->session, m->snapshot);
    if (status == CK_OK)
        status = clear_cache(m);
    int exit_status = status == CK_OK ? TOOL_DONE : tool_fail(m->session->ctx, status);
    for (size_t i = 0; i < m->n && exit_status == TOOL_DONE; i++)
        exit_status = time_step(m, &m->timed[i]);
    for (size_t i = 0; i < m->n && exit_status == TOOL_DONE; i++) {
        struct timed *timed = &m->timed[i];
        status = ck_event_elapsed(&timed->seconds[at], timed->begin, timed->end);
        if (status != CK_OK)
            exit_status = ckrun_step_failed(&timed->ready, status);
    }
    return exit_status;
}

static void
make_room(struct measurement *m, uint64_t n)
{
    for (size_t i = 0; i < m->n; i++)
        m->timed[i].seconds = tool_grow(m->timed[i].seconds, n, sizeof *m->timed[i].seconds);
    m->n_repetitions = n;
}

/* Warms up, and decides how many repetitions there are if that was left open. */
static int
measure(struct measurement *m, uint64_t n)
{
    int status = TOOL_DONE;
    double start = 0;
    make_room(m, 1);
    for (int i = 0; i < WARM_UP && status == TOOL_DONE; i++) {
        start = now();
        status = repeat(m, 0);
    }
    double fitting = 1 / (now() - start);
    if (!n)
        n = fitting < FEWEST ? FEWEST : fitting > MOST ? MOST : (uint64_t)fitting;
    make_room(m, n);
    for (uint64_t i = 0; i < n && status == TOOL_DONE; i++) {
        ckrun_progress(m->session, false, "repetition %llu of %llu", (unsigned long long)i + 1,
                       (unsigned long long)n);
        status = repeat(m, i);
    }
    for (size_t i = 0; i < m->n && status == TOOL_DONE; i++)
        qsort(m->timed[i].seconds, n, sizeof(double), compare_doubles);
    return status;
}

static int
begin(struct measurement *m, const struct ckrun_program *program)
{
    ck_device *device = m->session->device;
    int exit_status = TOOL_DONE;
    ck_status status = CK_OK;
    for (size_t i = 0; i < m->n && exit_status == TOOL_DONE && status == CK_OK; i++) {
        struct timed *timed = &m->timed[i];
        timed->step = &program->steps[i];
        timed->n_passes = passes_of(timed->step);
        timed->bytes = bytes_of(program, timed->step) * (double)timed->n_passes;
        exit_status = ckrun_ready_step_new(&timed->ready, m->session, program, timed->step);
        if (exit_status == TOOL_DONE)
            status = ck_event_new(&timed->begin, device);
        if (exit_status == TOOL_DONE && status == CK_OK)
            status = ck_event_new(&timed->end, device);
    }
    if (exit_status == TOOL_DONE && status == CK_OK)
        status = put_back(m->session, m->snapshot);
    if (exit_status == TOOL_DONE && status == CK_OK && ck_device_get_info(device)->capability > 0)
        m->filler = make_buffer(device, CLEAR_BYTES);
    if (exit_status == TOOL_DONE && status == CK_OK)
        status = measure_copies(m);
    return status == CK_OK ? exit_status : tool_fail(m->session->ctx, status);
}

static void
end(struct measurement *m)
{
    for (size_t i = 0; i < m->n; i++) {
        ckrun_ready_step_release(&m->timed[i].ready);
        ck_event_free(m->timed[i].begin);
        ck_event_free(m->timed[i].end);
        free(m->timed[i].seconds);
    }
    free(m->timed);
    ck_buffer_free(m->filler);
}

/* --- The table ---------------------------------------------------------------------------------
 */

enum { TIME_TEXT = 32 };

/* "12.34 us": four digits. */
static const char *
time_text(char buffer[TIME_TEXT], double seconds)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    while (unit < 3 && seconds < 0.9995)
        seconds *= 1000, unit++;
    int digits = seconds < 9.9995 ? 3 : seconds < 99.995 ? 2 : seconds < 999.95 ? 1 : 0;
    snprintf(buffer, TIME_TEXT, "%.*f %s", digits, seconds, units[unit]);
    return buffer;
}

static void
print_row(const struct measurement *m, const struct timed *timed)
{
    char median_text[TIME_TEXT], q1[TIME_TEXT], q3[TIME_TEXT], rate[32] = "-", share[32] = "-",
                                                               ratio[32] = "-";
    const size_t n = (size_t)m->n_repetitions;
    double median = quantile(timed->seconds, n, 0.5);
    double first = quantile(m->timed[0].seconds, n, 0.5);
    if (median > 0 && timed->bytes > 0)
        snprintf(rate, sizeof rate, "%.4g", timed->bytes / median * 1e-9);
    if (median > 0 && timed->bytes > 0 && m->copy_rate > 0)
        snprintf(share, sizeof share, "%.1f %%", 100 * timed->bytes / median / m->copy_rate);
    if (first > 0)
        snprintf(ratio, sizeof ratio, "%.3f", median / first);
    printf("%10s  %10s %10s  %8s  %8s", time_text(median_text, median),
           time_text(q1, quantile(timed->seconds, n, 0.25)),
           time_text(q3, quantile(timed->seconds, n, 0.75)), rate, share);
    if (m->n > 1)
        printf("  %7s", ratio);
    printf("  ");
    tool_put(stdout, timed->step->text, false);
    printf("\n");
}

static void
print_table(const struct measurement *m)
{
    const ck_device_info *info = ck_device_get_info(m->session->device);
    tool_put(stdout, info->name, false);
    if (m->copy_rate > 0)
        printf(", which copies at %.4g GB/s", m->copy_rate * 1e-9);
    printf("; %llu repetition%s\n", (unsigned long long)m->n_repetitions,
           m->n_repetitions == 1 ? "" : "s");
    printf("%10s  %21s  %8s  %8s%s  launch\n", "median", "quartiles", "GB/s", "of copy",
           m->n > 1 ? "    ratio" : "");
    for (size_t i = 0; i < m->n; i++)
        print_row(m, &m->timed[i]);
}

/* Of the first launch; of a step of copies null. */
static void
write_json_shape(struct ck_strbuf *out, const struct ckrun_ready_step *ready)
{
    const ck_shape *shape = NULL;
    for (size_t i = 0; i < ready->step->n && !shape; i++)
        shape = ready->ready[i] ? ckrun_ready_shape(ready->ready[i]) : NULL;
    if (!shape) {
        ck_strbuf_puts(out, ",\"grid\":null,\"block\":null");
        return;
    }
    ckrun_json_dim3(out, "grid", shape->grid);
    ckrun_json_dim3(out, "block", shape->block);
}

static void
write_json_row(struct ck_strbuf *out, const struct measurement *m, const struct timed *timed)
{
    const size_t n = (size_t)m->n_repetitions;
    double median = quantile(timed->seconds, n, 0.5);
    tool_json_separate(out);
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "launch", timed->step->text);
    write_json_shape(out, &timed->ready);
    ckrun_json_float(out, "median", median);
    ckrun_json_float(out, "first_quartile", quantile(timed->seconds, n, 0.25));
    ckrun_json_float(out, "third_quartile", quantile(timed->seconds, n, 0.75));
    ckrun_json_float(out, "least", timed->seconds[0]);
    ckrun_json_float(out, "bytes", timed->bytes);
    ckrun_json_float(out, "bytes_per_second", median > 0 ? timed->bytes / median : NAN);
    ckrun_json_float(out, "share_of_copy",
                     median > 0 && m->copy_rate > 0 ? timed->bytes / median / m->copy_rate : NAN);
    ck_strbuf_putc(out, '}');
}

static void
write_json(struct ck_strbuf *out, const struct measurement *m)
{
    tool_json_key(out, "bench");
    ck_strbuf_putc(out, '{');
    tool_json_number(out, "repetitions", m->n_repetitions);
    ckrun_json_float(out, "copy_bytes_per_second", m->copy_rate > 0 ? m->copy_rate : NAN);
    tool_json_key(out, "launches");
    ck_strbuf_putc(out, '[');
    for (size_t i = 0; i < m->n; i++)
        write_json_row(out, m, &m->timed[i]);
    ck_strbuf_puts(out, "]}");
}

int
ckrun_run_bench(struct ckrun_session *session, const struct ckrun_program *program,
                struct ckrun_snapshot *snapshot, const struct ckrun_bench *bench)
{
    struct measurement m = {.session = session, .snapshot = snapshot, .n = program->n_steps};
    m.timed = tool_alloc(m.n * sizeof *m.timed);
    int status = begin(&m, program);
    if (status == TOOL_DONE)
        status = measure(&m, bench->n);
    if (status == TOOL_DONE && session->json)
        write_json(session->json, &m);
    else if (status == TOOL_DONE)
        print_table(&m);
    end(&m);
    return status;
}
