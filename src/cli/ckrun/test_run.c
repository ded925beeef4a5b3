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
#include "base/utf8.h"
#include "ckrun.h"
#include "test_lines.h"

/* One case in one order on one device; or a file whose tests could not be read, without `on`. */
struct outcome {
    const char *file;
    size_t line;    /* 0: the whole file */
    char *name;     /* owned */
    const char *on; /* "seq", "cuda" */
    bool passed;
    double seconds;
    char *text; /* what the run printed, owned */
};

struct results {
    struct outcome *items;
    size_t n, n_failed, n_errors; /* failed cases; files that could not be read */
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
make_command(const struct test_options *options, const struct test_case *test, const char *file,
             const char *device, const char *schedule)
{
    char **argv = tool_alloc((options->n_words + test->words.n + 9) * sizeof *argv);
    size_t n = 0;
    argv[n++] = own_path();
    argv[n++] = "--device";
    argv[n++] = (char *)device;
    if (schedule) {
        argv[n++] = "--check";
        argv[n++] = "--schedule";
        argv[n++] = (char *)schedule;
    }
    for (size_t i = 0; i < options->n_words; i++)
        argv[n++] = (char *)options->words[i];
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
add_outcome(struct results *results, struct outcome outcome)
{
    results->items = tool_grow(results->items, results->n + 1, sizeof *results->items);
    results->items[results->n++] = outcome;
}

/* A file whose tests could not be read. */
static void
add_error(struct results *results, const struct test_file *file, const char *path)
{
    tool_error("%s", file->fault);
    add_outcome(results, (struct outcome){
                             .file = path,
                             .line = file->fault_line,
                             .name = tool_strndup("", 0),
                             .text = tool_printf("%s\n", file->fault),
                         });
    results->n_errors++;
}

static void
run_case(struct results *results, const struct test_options *options, const struct test_case *test,
         const char *file, const char *device, const char *schedule)
{
    const char *on = schedule ? schedule : "cuda";
    ckrun_progress(options->session, true, "%s:%zu (%s): %s", file, test->line, on, test->name);
    char **argv = make_command(options, test, file, device, schedule), *text = NULL;
    double start = now();
    int status = tool_run_program(argv, options->time_limit, &text);
    struct outcome outcome = {
        .file = file,
        .line = test->line,
        .name = tool_strndup(test->name, strlen(test->name)),
        .on = on,
        .seconds = now() - start,
        .text = text ? text : tool_strndup("", 0),
    };
    outcome.passed = is_as_expected(test, status, outcome.text);
    if (!outcome.passed && status == TOOL_DONE) {
        char *more = tool_printf("%sno error `%s`\n", outcome.text, test->error);
        free(outcome.text);
        outcome.text = more;
    }
    add_outcome(results, outcome);
    results->n_failed += !outcome.passed;
    free(argv[0]);
    free(argv);
}

static void
run_file(struct results *results, const struct test_options *options, const struct test_file *file,
         const char *path, const char *cpu, const char *cuda)
{
    for (size_t i = 0; i < file->n; i++) {
        const struct test_case *test = &file->cases[i];
        for (int k = 0; k < N_SCHEDULES && cpu && !test->no_cpu; k++)
            run_case(results, options, test, path, cpu, schedules[k]);
        if (cuda && !test->no_cuda)
            run_case(results, options, test, path, cuda, NULL);
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

static size_t
n_passed(const struct results *results)
{
    return results->n - results->n_failed - results->n_errors;
}

static void
print_text(const struct results *results)
{
    for (size_t i = 0; i < results->n; i++) {
        const struct outcome *o = &results->items[i];
        if (o->passed || !o->on)
            continue;
        tool_put(stdout, o->file, false);
        printf(":%zu: FAILED (%s): ", o->line, o->on);
        tool_put(stdout, o->name, false);
        printf("\n");
        tool_put(stdout, o->text, true);
    }
    printf("%zu passed, %zu failed", n_passed(results), results->n_failed);
    if (results->n_errors)
        printf(", %zu error%s", results->n_errors, results->n_errors == 1 ? "" : "s");
    printf("\n");
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
    tool_json_number(&out, "passed", n_passed(results));
    tool_json_number(&out, "failed", results->n_failed);
    tool_json_number(&out, "errors", results->n_errors);
    tool_json_number(&out, "status", (unsigned long long)status);
    ck_strbuf_puts(&out, "}\n");
    fputs(ck_strbuf_text(&out), stdout);
    ck_strbuf_free(&out);
}

static bool
is_xml_character(uint32_t code)
{
    return code == '\n' || code == '\t' || (code >= ' ' && code != 0xFFFE && code != 0xFFFF);
}

/* Text for XML, of an attribute too; what XML does not have becomes `?`. */
static void
put_xml(struct ck_strbuf *out, const char *text)
{
    uint32_t code;
    for (const char *c = text, *end = text + strlen(text); c < end;) {
        int length = ck_utf8_decode(c, end, &code);
        if (!length || !is_xml_character(code))
            ck_strbuf_putc(out, '?');
        else if (code == '<')
            ck_strbuf_puts(out, "&lt;");
        else if (code == '>')
            ck_strbuf_puts(out, "&gt;");
        else if (code == '&')
            ck_strbuf_puts(out, "&amp;");
        else if (code == '"')
            ck_strbuf_puts(out, "&quot;");
        else
            ck_strbuf_add(out, c, (size_t)length);
        c += length ? length : 1;
    }
}

static void
put_testcase(struct ck_strbuf *out, const struct outcome *o)
{
    const char *kind = o->on ? "failure" : "error";
    ck_strbuf_puts(out, "  <testcase classname=\"");
    put_xml(out, o->file);
    ck_strbuf_printf(out, "\" line=\"%zu\" time=\"%.6f\" name=\"", o->line, o->seconds);
    if (o->on) {
        ck_strbuf_printf(out, "%zu: ", o->line);
        put_xml(out, o->name);
        ck_strbuf_printf(out, " (%s)\"", o->on);
    } else {
        ck_strbuf_puts(out, "tests of the file\"");
    }
    if (o->passed) {
        ck_strbuf_puts(out, "/>\n");
        return;
    }
    ck_strbuf_printf(out, ">\n    <%s message=\"%s\">", kind,
                     o->on ? "the run did not end as expected" : "the tests cannot be read");
    put_xml(out, o->text);
    ck_strbuf_printf(out, "</%s>\n  </testcase>\n", kind);
}

static bool
write_junit(const struct results *results, const char *path)
{
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    ck_strbuf_printf(&out,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuite name=\"ckrun\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
                     results->n, results->n_failed, results->n_errors);
    for (size_t i = 0; i < results->n; i++)
        put_testcase(&out, &results->items[i]);
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
    for (size_t i = 0; i < options->n_files; i++) {
        struct test_file file;
        int read = test_lines_read(&file, options->files[i]);
        if (read == TOOL_DONE)
            run_file(&results, options, &file, options->files[i], cpu, cuda);
        else
            add_error(&results, &file, options->files[i]);
        test_lines_release(&file);
        status = status == TOOL_DONE ? read : status;
    }
    if (status == TOOL_DONE && results.n_failed)
        status = TOOL_FAILED;
    if (options->junit && !write_junit(&results, options->junit) && status == TOOL_DONE)
        status = TOOL_FAILED;
    if (options->is_json)
        print_json(&results, status);
    else
        print_text(&results);
    release(&results);
    return status;
}
