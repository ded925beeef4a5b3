/* Runs the tests in the comments of kernels: each case by a ckrun of its own, so that a kernel that
 * crashes or exits ends nothing but its case; on the CPU device in several orders of the threads.
 */
#include "test_run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/json.h"
#include "../common/messages.h"
#include "../common/tool.h"
#include "../common/toolkit.h"
#include "test_lines.h"

/* One case in one order on one device. */
struct outcome {
    const char *file;
    size_t line;
    char *name;     /* owned */
    const char *on; /* "seq", "cuda" */
    bool passed;
    double seconds;
    char *text; /* what the run printed, owned */
};

struct results {
    struct outcome *items;
    size_t n, n_failed;
};

static const char *const schedules[] = {"seq", "reverse", "random:1", "random:2"};
enum { N_SCHEDULES = sizeof schedules / sizeof *schedules };

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- Running -----------------------------------------------------------------------------------
 */

/* The path of this program, which the replay of a finding names. Owned. */
static char *
own_path(void)
{
    static const char self[] = "/proc/self/exe";
    char *path = realpath(self, NULL);
    return path ? path : tool_strndup(self, strlen(self));
}

/* The command line of a case; its first word is owned. `schedule` is NULL on a GPU. */
static char **
make_command(const struct test_case *test, const char *file, const char *device,
             const char *schedule)
{
    char **argv = tool_alloc((test->words.n + 9) * sizeof *argv);
    size_t n = 0;
    argv[n++] = own_path();
    argv[n++] = "--device";
    argv[n++] = (char *)device;
    if (schedule) {
        argv[n++] = "--check";
        argv[n++] = "--schedule";
        argv[n++] = (char *)schedule;
    }
    argv[n++] = (char *)file;
    for (size_t i = 0; i < test->words.n; i++)
        argv[n++] = test->words.items[i];
    argv[n] = NULL;
    return argv;
}

/* Whether the run ended as the test wants. */
static bool
is_as_expected(const struct test_case *test, int status, const char *text)
{
    if (!test->error)
        return status == TOOL_DONE;
    return (status == TOOL_FAILED || status == TOOL_DEVICE || status == TOOL_USAGE) &&
           strstr(text, test->error);
}

static void
run_case(struct results *results, const struct test_case *test, const char *file,
         const char *device, const char *schedule, double time_limit)
{
    char **argv = make_command(test, file, device, schedule), *text = NULL;
    double start = now();
    int status = tool_run_program(argv, time_limit, &text);
    struct outcome outcome = {
        .file = file,
        .line = test->line,
        .name = tool_strndup(test->name, strlen(test->name)),
        .on = schedule ? schedule : "cuda",
        .seconds = now() - start,
        .text = text ? text : tool_strndup("", 0),
    };
    outcome.passed = is_as_expected(test, status, outcome.text);
    if (!outcome.passed && status == TOOL_DONE) {
        char *more = tool_printf("%sno error `%s`\n", outcome.text, test->error);
        free(outcome.text);
        outcome.text = more;
    }
    results->items = tool_grow(results->items, results->n + 1, sizeof *results->items);
    results->items[results->n++] = outcome;
    results->n_failed += !outcome.passed;
    free(argv[0]);
    free(argv);
}

static void
run_file(struct results *results, const struct test_file *file, const char *path, const char *cpu,
         const char *cuda, double time_limit)
{
    for (size_t i = 0; i < file->n; i++) {
        const struct test_case *test = &file->cases[i];
        for (int k = 0; k < N_SCHEDULES && cpu && !test->no_cpu; k++)
            run_case(results, test, path, cpu, schedules[k], time_limit);
        if (cuda && !test->no_cuda)
            run_case(results, test, path, cuda, NULL, time_limit);
    }
}

static bool
has_cuda(void)
{
    ck_context *ctx;
    ck_device *device;
    if (tool_context(&ctx, false) != TOOL_DONE)
        return false;
    bool found = ck_device_open(&device, ctx, "cuda", NULL) == CK_OK;
    if (found)
        ck_device_free(device);
    ck_context_free(ctx);
    return found;
}

/* --- Reports -----------------------------------------------------------------------------------
 */

static void
print_text(const struct results *results)
{
    for (size_t i = 0; i < results->n; i++) {
        const struct outcome *o = &results->items[i];
        if (o->passed)
            continue;
        tool_put(stdout, o->file, false);
        printf(":%zu: FAILED (%s): ", o->line, o->on);
        tool_put(stdout, o->name, false);
        printf("\n");
        tool_put(stdout, o->text, true);
    }
    printf("%zu passed, %zu failed\n", results->n - results->n_failed, results->n_failed);
}

static void
print_json(const struct results *results, int status)
{
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    ck_strbuf_putc(&out, '{');
    tool_json_key(&out, "tests");
    ck_strbuf_putc(&out, '[');
    for (size_t i = 0; i < results->n; i++) {
        const struct outcome *o = &results->items[i];
        tool_json_separate(&out);
        ck_strbuf_putc(&out, '{');
        tool_json_member(&out, "file", o->file);
        tool_json_number(&out, "line", o->line);
        tool_json_member(&out, "name", o->name);
        tool_json_member(&out, "on", o->on);
        tool_json_key(&out, "passed");
        ck_strbuf_puts(&out, o->passed ? "true" : "false");
        tool_json_key(&out, "seconds");
        ck_strbuf_printf(&out, "%.6f", o->seconds);
        if (!o->passed)
            tool_json_member(&out, "output", o->text);
        ck_strbuf_putc(&out, '}');
    }
    ck_strbuf_putc(&out, ']');
    tool_json_number(&out, "passed", results->n - results->n_failed);
    tool_json_number(&out, "failed", results->n_failed);
    tool_json_number(&out, "status", (unsigned long long)status);
    ck_strbuf_puts(&out, "}\n");
    fputs(ck_strbuf_text(&out), stdout);
    ck_strbuf_free(&out);
}

/* Text for XML, of an attribute too; characters that XML does not have become `?`. */
static void
put_xml(struct ck_strbuf *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '<')
            ck_strbuf_puts(out, "&lt;");
        else if (*c == '>')
            ck_strbuf_puts(out, "&gt;");
        else if (*c == '&')
            ck_strbuf_puts(out, "&amp;");
        else if (*c == '"')
            ck_strbuf_puts(out, "&quot;");
        else
            ck_strbuf_putc(out, (unsigned char)*c < ' ' && *c != '\n' && *c != '\t' ? '?' : *c);
    }
}

static bool
write_junit(const struct results *results, const char *path)
{
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    ck_strbuf_printf(&out,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuite name=\"ckrun\" tests=\"%zu\" failures=\"%zu\">\n",
                     results->n, results->n_failed);
    for (size_t i = 0; i < results->n; i++) {
        const struct outcome *o = &results->items[i];
        ck_strbuf_puts(&out, "  <testcase classname=\"");
        put_xml(&out, o->file);
        ck_strbuf_printf(&out, "\" line=\"%zu\" time=\"%.6f\" name=\"%zu: ", o->line, o->seconds,
                         o->line);
        put_xml(&out, o->name);
        ck_strbuf_printf(&out, " (%s)\"", o->on);
        if (o->passed) {
            ck_strbuf_puts(&out, "/>\n");
            continue;
        }
        ck_strbuf_puts(&out, ">\n    <failure message=\"the run did not end as expected\">");
        put_xml(&out, o->text);
        ck_strbuf_puts(&out, "</failure>\n  </testcase>\n");
    }
    ck_strbuf_puts(&out, "</testsuite>\n");
    bool done = !out.failed && tool_write_file(path, ck_strbuf_text(&out), out.length);
    ck_strbuf_free(&out);
    return done;
}

static void
release(struct results *results)
{
    for (size_t i = 0; i < results->n; i++) {
        free(results->items[i].name);
        free(results->items[i].text);
    }
    free(results->items);
}

int
test_run(const struct test_options *options)
{
    struct results results = {0};
    const char *device = options->device;
    const char *cpu = !device || strcmp(device, "auto") == 0 ? "cpu" : NULL, *cuda = NULL;
    if (device && strncmp(device, "cpu", 3) == 0)
        cpu = device;
    else if (device && strncmp(device, "cuda", 4) == 0)
        cuda = device;
    else if (has_cuda())
        cuda = "cuda";
    int status = TOOL_DONE;
    for (size_t i = 0; i < options->n_files && status == TOOL_DONE; i++) {
        struct test_file file;
        status = test_lines_read(&file, options->files[i]);
        if (status == TOOL_DONE)
            run_file(&results, &file, options->files[i], cpu, cuda, options->time_limit);
        test_lines_release(&file);
    }
    if (status == TOOL_DONE && results.n_failed)
        status = TOOL_FAILED;
    if (options->junit && status != TOOL_USAGE && !write_junit(&results, options->junit))
        status = TOOL_FAILED;
    if (options->is_json)
        print_json(&results, status);
    else if (status != TOOL_USAGE)
        print_text(&results);
    release(&results);
    return status;
}
