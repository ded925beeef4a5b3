/* The option --schedule, and runs of the same launches in several orders of the threads. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "base/strbuf.h"
#include "ckrun.h"

/* --- The option --------------------------------------------------------------------------------
 */

enum { DEFAULT_SCHEDULES = 5, MOST_SCHEDULES = 1000 };

static int
set_random(struct ckrun_schedule *out, const char *value)
{
    out->order = CK_SCHEDULE_RANDOM;
    if (!value[6] || tool_read_number(value + 7, &out->seed))
        return TOOL_DONE;
    tool_error("--schedule random:SEED takes an integer from 0 to 2**64 - 1: `%s`", value);
    return TOOL_USAGE;
}

static int
set_all(struct ckrun_schedule *out, const char *value)
{
    uint64_t n = DEFAULT_SCHEDULES;
    if ((value[3] && !tool_read_number(value + 4, &n)) || n < 2 || n > MOST_SCHEDULES) {
        tool_error("--schedule all=N takes the number of schedules, from 2 to %d: `%s`",
                   MOST_SCHEDULES, value);
        return TOOL_USAGE;
    }
    out->n_all = (int)n;
    return TOOL_DONE;
}

int
ckrun_set_schedule(struct ckrun_schedule *out, const char *value)
{
    static const char *const names[] = {"seq", "reverse", "random:SEED", "all"};
    *out = (struct ckrun_schedule){.is_given = true};
    if (strncmp(value, "random", 6) == 0 && (value[6] == ':' || !value[6]))
        return set_random(out, value);
    if (strncmp(value, "all", 3) == 0 && (value[3] == '=' || !value[3]))
        return set_all(out, value);
    int i = tool_choice("--schedule", value, names, 4);
    out->order = i == 1 ? CK_SCHEDULE_REVERSE : CK_SCHEDULE_SEQ;
    return i == 0 || i == 1 ? TOOL_DONE : TOOL_USAGE;
}

char *
ckrun_schedule_text(const struct ckrun_schedule *schedule)
{
    if (schedule->order == CK_SCHEDULE_RANDOM)
        return tool_printf("random:%" PRIu64, schedule->seed);
    const char *name = schedule->order == CK_SCHEDULE_REVERSE ? "reverse" : "seq";
    return tool_strndup(name, strlen(name));
}

struct ckrun_schedule
ckrun_schedule_of_all(int i)
{
    if (i < 2)
        return (struct ckrun_schedule){.order = i ? CK_SCHEDULE_REVERSE : CK_SCHEDULE_SEQ};
    return (struct ckrun_schedule){.order = CK_SCHEDULE_RANDOM, .seed = (uint64_t)i - 1};
}

/* --- Copies of the arrays ----------------------------------------------------------------------
 */

/* An array's bytes before the launches, and after those of the first schedule. */
struct kept {
    struct ckrun_array *array;
    void *before, *after;
};

struct ckrun_comparison {
    struct ckrun_session *session;
    struct kept *kept;
    size_t n;
    bool has_result; /* some schedule has run to its end */
    char *schedule;  /* that one */
};

static void *
copy_bytes(const ck_npy *host)
{
    void *copy = tool_alloc(host->bytes);
    memcpy(copy, host->data, host->bytes);
    return copy;
}

struct ckrun_comparison *
ckrun_comparison_new(struct ckrun_session *session)
{
    struct ckrun_comparison *c = tool_alloc(sizeof *c);
    c->session = session;
    for (struct ckrun_array *a = session->env->arrays; a; a = a->next) {
        c->kept = tool_grow(c->kept, c->n + 1, sizeof *c->kept);
        c->kept[c->n++] = (struct kept){a, copy_bytes(&a->host), NULL};
    }
    return c;
}

void
ckrun_comparison_free(struct ckrun_comparison *c)
{
    for (size_t i = 0; c && i < c->n; i++) {
        free(c->kept[i].before);
        free(c->kept[i].after);
    }
    if (c) {
        free(c->kept);
        free(c->schedule);
    }
    free(c);
}

void
ckrun_comparison_restart(struct ckrun_comparison *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct ckrun_array *a = c->kept[i].array;
        ckrun_forget_device(a);
        memcpy(a->host.data, c->kept[i].before, a->host.bytes);
    }
}

/* --- Differences -------------------------------------------------------------------------------
 */

static bool
same_part(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* Bit by bit, but a NaN equals every NaN. Every element is exact as its integer or as doubles. */
static bool
same_element(const struct ckrun_element *a, const struct ckrun_element *b)
{
    if (ckrun_is_int_dtype(a->dtype))
        return a->i == b->i;
    return same_part(a->re, b->re) &&
           (!ckrun_is_complex_dtype(a->dtype) || same_part(a->im, b->im));
}

/* The first element that differs, and how many do. */
struct difference {
    int64_t n;
    int64_t index[CK_MAX_DIMS];
    struct ckrun_element a, b;
};

static struct difference compare_arrays(const ck_npy *first, const ck_npy *now);

/* Of records: of the first field that differs, and in how many numbers all of them do. */
static struct difference
compare_fields(const ck_npy *first, const ck_npy *now)
{
    struct difference all = {0};
    for (int i = 0; i < now->record->n_fields; i++) {
        ck_npy a = {0}, b = {0};
        const ck_field *field = &now->record->fields[i];
        if (ckrun_copy_field(&a, first, field) && ckrun_copy_field(&b, now, field)) {
            struct difference d = compare_arrays(&a, &b);
            const int64_t before = all.n;
            if (!before)
                all = d;
            all.n = before + d.n;
        }
        ck_npy_free(&a);
        ck_npy_free(&b);
    }
    return all;
}

static struct difference
compare_arrays(const ck_npy *first, const ck_npy *now)
{
    struct difference d = {0};
    int64_t index[CK_MAX_DIMS] = {0};
    if (memcmp(now->data, first->data, now->bytes) == 0)
        return d;
    if (now->record)
        return compare_fields(first, now);
    do {
        int64_t offset = ckrun_offset(now, index);
        struct ckrun_element a = ckrun_load(first, offset), b = ckrun_load(now, offset);
        if (same_element(&a, &b) || d.n++)
            continue;
        memcpy(d.index, index, sizeof index);
        d.a = a;
        d.b = b;
    } while (ckrun_next_index(now, index));
    return d;
}

static struct difference
compare(const struct kept *kept)
{
    ck_npy first = kept->array->host;
    first.data = kept->after;
    return compare_arrays(&first, &kept->array->host);
}

static const struct kept *
find_kept(const struct ckrun_comparison *c, const struct ckrun_value *v)
{
    for (size_t i = 0; v->kind == CKRUN_ARRAY && i < c->n; i++) {
        if (c->kept[i].array == v->array)
            return &c->kept[i];
    }
    return NULL;
}

/* The two commands that print the array with its two contents. */
struct replays {
    char *first, *second;
};

static struct replays
make_replays(const struct ckrun_comparison *c, const char *name)
{
    struct ckrun_session *session = c->session;
    char *schedule = session->schedule;
    struct replays replays = {.second = ckrun_replay(session, session->checks, name)};
    session->schedule = c->schedule;
    replays.first = ckrun_replay(session, session->checks, name);
    session->schedule = schedule;
    return replays;
}

static void
print_help(const struct ckrun_session *session, const ck_npy *array)
{
    const bool watches_races = session->checks & CK_CHECK_RACE;
    if (!ckrun_is_int_dtype(array->dtype))
        tool_detail("  help: atomic additions of floats round differently in another order, which "
                    "may be right:\n        --expect with --rtol shows whether the values are "
                    "close\n");
    tool_detail(watches_races
                    ? "  help: no access races, so the order of atomic operations shows in the "
                      "result\n"
                    : "  help: --check=race finds accesses that nothing orders\n");
}

static void
report_difference(const struct ckrun_comparison *c, const char *name, const ck_npy *array,
                  const struct difference *d)
{
    char a[CKRUN_ELEMENT_TEXT], b[CKRUN_ELEMENT_TEXT];
    const struct ckrun_session *session = c->session;
    struct replays replays = make_replays(c, name);
    char *element = ckrun_element_name(name, array, d->index);
    ckrun_element_text(a, &d->a);
    ckrun_element_text(b, &d->b);
    char *text = tool_printf("`%s` depends on the schedule: it is %s with --schedule %s and %s "
                             "with --schedule %s",
                             element, a, c->schedule, b, session->schedule);
    const struct tool_fact facts[] = {
        {"element", element},           {"value", b},       {"schedule", session->schedule},
        {"replay", replays.second},     {"first_value", a}, {"first_schedule", c->schedule},
        {"first_replay", replays.first}};
    tool_report_result("schedule-dependent", session->invocation->file, text, facts,
                       sizeof facts / sizeof facts[0]);
    tool_detail("  %" PRId64 " of %" PRId64 " elements of `%s` differ\n", d->n, ckrun_count(array),
                name);
    print_help(session, array);
    if (tool_report_is_text()) {
        ckrun_print_replay(replays.first);
        ckrun_print_replay(replays.second);
    }
    free(text);
    free(element);
    free(replays.first);
    free(replays.second);
}

/* Keeps the arrays of the first schedule that ran to its end. */
static void
keep_results(struct ckrun_comparison *c)
{
    for (size_t i = 0; i < c->n; i++)
        c->kept[i].after = copy_bytes(&c->kept[i].array->host);
    c->schedule = tool_strndup(c->session->schedule, strlen(c->session->schedule));
    c->has_result = true;
}

bool
ckrun_comparison_add(struct ckrun_comparison *c)
{
    const struct ckrun_env *env = c->session->env;
    if (!c->has_result) {
        keep_results(c);
        return true;
    }
    for (size_t i = 0; i < env->n_names; i++) {
        const struct kept *kept = find_kept(c, &env->names[i].value);
        struct difference d = {0};
        if (kept)
            d = compare(kept);
        if (d.n) {
            report_difference(c, env->names[i].name, &kept->array->host, &d);
            return false;
        }
    }
    return true;
}

void
ckrun_note_agreement(int n)
{
    struct ck_strbuf names;
    ck_strbuf_init(&names);
    ck_strbuf_puts(&names, "seq");
    ck_strbuf_puts(&names, n > 2 ? ", reverse" : " and reverse");
    if (n == 3)
        ck_strbuf_puts(&names, " and random:1");
    else if (n > 3)
        ck_strbuf_printf(&names, " and random:1 to random:%d", n - 2);
    tool_note("all arrays are the same with %d schedules: %s", n, ck_strbuf_text(&names));
    ck_strbuf_free(&names);
}
