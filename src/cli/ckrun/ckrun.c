/* ckrun: the order of its steps. */
#include <stdlib.h>
#include <string.h>

#include "../common/json.h"
#include "../common/messages.h"
#include "command.h"
#include "test_run.h"

const char tool_program[] = "ckrun";

/* --- Before anything runs ----------------------------------------------------------------------
 */

static int
read_input(struct ckrun_command *command)
{
    return tool_read_file(command->file, &command->image, &command->image_length) ? TOOL_DONE
                                                                                  : TOOL_FAILED;
}

static int
define_values(struct ckrun_command *command)
{
    for (size_t i = 0; i < command->definitions.n; i++) {
        int status = ckrun_define(&command->env, command->definitions.items[i]);
        if (status != TOOL_DONE)
            return status;
    }
    return TOOL_DONE;
}

static bool
parse_steps(struct ckrun_command *command)
{
    bool fine = true;
    for (size_t i = 0; i < command->launch_texts.n && fine; i++)
        fine = ckrun_parse_step(&command->run, &command->env, command->launch_texts.items[i]);
    return fine;
}

static bool
parse_queries(struct ckrun_command *command)
{
    const struct ckrun_texts *texts = &command->query_texts;
    command->queries = tool_alloc(texts->n * sizeof *command->queries);
    for (size_t i = 0; i < texts->n; i++) {
        if (!ckrun_parse_launch(&command->queries[i], &command->env, texts->items[i], true))
            return false;
        command->n_queries = i + 1;
    }
    return true;
}

/* Of the program, and of names of the command line. */
static void
print_warnings(struct ckrun_command *command)
{
    ckrun_print_warnings(&command->session);
    for (size_t i = 0; i < command->env.n_names; i++) {
        if (!command->env.names[i].used)
            tool_warning("`%s` is defined but not used", command->env.names[i].name);
        command->env.names[i].used = true;
    }
}

static void
add_kernels(struct ckrun_session *session, const struct ckrun_launch *launches, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        session->kernels =
            tool_grow(session->kernels, session->n_kernels + 1, sizeof *session->kernels);
        session->kernels[session->n_kernels++] = launches[i].kernel;
    }
}

/* Holds the warnings of the file, now that the launches are known. */
static void
hold_warnings(struct ckrun_command *command)
{
    add_kernels(&command->session, command->run.launches, command->run.n_launches);
    add_kernels(&command->session, command->queries, command->n_queries);
    ckrun_print_diagnostics(&command->session, NULL);
}

/* Evaluates the rest of the command line, which may name arrays of the module. */
static int
evaluate(struct ckrun_command *command)
{
    if (!ckrun_add_globals(&command->session))
        return TOOL_FAILED;
    if (!parse_steps(command) || !parse_queries(command))
        return TOOL_USAGE;
    if (command->bench.is_given && ckrun_has_until(&command->run)) {
        tool_error("--bench times a fixed number of launches: `until` has none");
        return TOOL_USAGE;
    }
    for (const struct ckrun_array *a = command->env.arrays; a && command->bench.is_given;
         a = a->next) {
        if (!a->is_in_image)
            continue;
        tool_error("--bench needs the first values of `%s`, which are known to the image alone: "
                   "give them, %s=VALUE",
                   a->global, a->global);
        return TOOL_USAGE;
    }
    return ckrun_resolve_results(command);
}

/* --- The run -----------------------------------------------------------------------------------
 */

static bool
has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static int
load_module(struct ckrun_command *command)
{
    struct ckrun_session *session = &command->session;
    bool is_built = has_suffix(command->file, ".ptx") || has_suffix(command->file, ".cubin");
    ck_compile_options compile = {
        .size = sizeof compile,
        .name = strcmp(command->file, "-") == 0 ? "<stdin>" : command->file,
        .warnings_off = command->warnings_off.items,
        .n_warnings_off = command->warnings_off.n,
        .fast_math = command->fast_math,
    };
    int math = tool_set_math(command->math ? command->math : "auto", &command->libdevice);
    if (math != TOOL_DONE)
        return math;
    compile.libdevice = command->libdevice;
    ck_status status = is_built ? ck_module_load(&session->module, session->ctx, command->image,
                                                 command->image_length)
                                : ck_compile(&session->module, session->ctx, command->image,
                                             command->image_length, &compile);
    if (status == CK_OK)
        return TOOL_DONE;
    if (!is_built)
        ckrun_print_diagnostics(session, NULL);
    if (status == CK_ERROR_PROGRAM && session->counts.errors)
        return TOOL_FAILED;
    if (is_built) {
        tool_error("`%s`: %s", command->file, ck_context_error(session->ctx));
        return tool_exit_status(status);
    }
    int failed = tool_fail(session->ctx, status);
    return status == CK_ERROR_ARGUMENT ? TOOL_USAGE : failed; /* an unknown warning */
}

/* -Werror, before any launch or result. */
static int
check_warnings(const struct ckrun_command *command)
{
    const struct ckrun_session *session = &command->session;
    if (!command->werror || !(session->n_warnings + session->counts.warnings))
        return TOOL_DONE;
    tool_error("warnings are errors here (-Werror)");
    return TOOL_FAILED;
}

/* An option of the CPU device, which the command line has; NULL: none. */
static const char *
cpu_option(const struct ckrun_command *command)
{
    if (command->schedule.is_given)
        return "--schedule";
    return command->check && command->device_options.checks ? "--check" : NULL;
}

/* A CUDA device can check bounds, if it is asked for by its name. */
static bool
is_for_cuda(const struct ckrun_command *command)
{
    return !command->schedule.is_given && command->device_options.checks == CK_CHECK_BOUNDS;
}

static ck_status
open_with_options(struct ckrun_command *command, const char *name)
{
    struct ckrun_session *session = &command->session;
    command->device_options.size = sizeof command->device_options;
    return ck_device_open(&session->device, session->ctx, name, &command->device_options);
}

/* The CPU device checks bounds unless --check says otherwise; "auto" is the CPU device where there
 * is no CUDA device. */
static ck_status
open_named(struct ckrun_command *command, const char *name)
{
    if (!command->check && strcmp(name, "auto") == 0) {
        ck_status status = open_with_options(command, "cuda");
        if (status != CK_ERROR_NO_DEVICE)
            return status;
        name = "cpu";
    }
    if (!command->check && strncmp(name, "cpu", 3) == 0)
        command->device_options.checks = command->is_timing ? 0 : CK_CHECK_BOUNDS;
    return open_with_options(command, name);
}

static int
open_device(struct ckrun_command *command)
{
    const char *name = command->device ? command->device : "auto", *option = cpu_option(command);
    if (option && strcmp(name, "auto") == 0)
        name = "cpu";
    if (option && strncmp(name, "cuda", 4) == 0 && !is_for_cuda(command)) {
        tool_error("%s is for the CPU device%s", option,
                   command->schedule.is_given ? "" : "; a GPU has --check=bounds alone");
        return TOOL_USAGE;
    }
    ck_status status = open_named(command, name);
    if (status == CK_OK)
        return TOOL_DONE;
    int exit_status = tool_fail(command->session.ctx, status);
    return status == CK_ERROR_ARGUMENT ? TOOL_USAGE : exit_status;
}

/* Opens the device with one schedule, which messages have. */
static int
open_scheduled(struct ckrun_command *command, const struct ckrun_schedule *schedule)
{
    struct ckrun_session *session = &command->session;
    command->device_options.schedule = schedule->order;
    command->device_options.seed = schedule->seed;
    int status = open_device(command);
    if (status != TOOL_DONE)
        return status;
    free(session->schedule);
    session->schedule = strcmp(ck_device_get_info(session->device)->kind, "cpu") == 0
                            ? ckrun_schedule_text(schedule)
                            : NULL;
    session->checks = command->device_options.checks;
    return TOOL_DONE;
}

typedef int launch_step(struct ckrun_session *session, const struct ckrun_launch *launch);

static int
for_each_launch(struct ckrun_session *session, const struct ckrun_launch *launches, size_t n,
                launch_step *step)
{
    int status = TOOL_DONE;
    for (size_t i = 0; i < n && status == TOOL_DONE; i++)
        status = step(session, &launches[i]);
    return status;
}

static int
answer_queries(struct ckrun_command *command)
{
    struct ck_strbuf *json = command->session.json;
    if (json && command->n_queries) {
        tool_json_key(json, "max_blocks");
        ck_strbuf_putc(json, '[');
    }
    int status =
        for_each_launch(&command->session, command->queries, command->n_queries, ckrun_max_blocks);
    if (json && command->n_queries)
        ck_strbuf_putc(json, ']');
    return status;
}

/* Every launch is checked before the first one runs. */
static int
run_scheduled(struct ckrun_command *command, const struct ckrun_schedule *schedule, bool answers)
{
    struct ckrun_session *session = &command->session;
    int status = open_scheduled(command, schedule);
    session->n_launched = 0;
    if (status == TOOL_DONE)
        status =
            for_each_launch(session, command->run.launches, command->run.n_launches, ckrun_prepare);
    if (status == TOOL_DONE && answers && command->usage)
        status = ckrun_print_usage(session, command->run.launches, command->run.n_launches);
    if (status == TOOL_DONE && answers)
        status = answer_queries(command);
    if (status == TOOL_DONE) {
        print_warnings(command);
        status = check_warnings(command);
    }
    if (status == TOOL_DONE)
        status = ckrun_run_program(session, &command->run);
    return status == TOOL_DONE ? ckrun_fetch(session) : status;
}

/* Runs every schedule, from the same arrays, until a result differs or a launch fails otherwise
 * than by a finding. */
static int
run_all_schedules(struct ckrun_command *command)
{
    struct ckrun_session *session = &command->session;
    struct ckrun_comparison *comparison = ckrun_comparison_new(session);
    const int n = command->schedule.n_all;
    int status = TOOL_DONE;
    bool found = false;
    session->compares = true;
    for (int i = 0; i < n && status == TOOL_DONE; i++) {
        const struct ckrun_schedule schedule = ckrun_schedule_of_all(i);
        char *text = ckrun_schedule_text(&schedule);
        ckrun_progress(session, true, "schedule %d of %d: %s", i + 1, n, text);
        free(text);
        ckrun_comparison_restart(comparison);
        ck_device_free(session->device);
        session->device = NULL;
        session->has_findings = false;
        status = run_scheduled(command, &schedule, i == 0);
        found |= session->has_findings;
        if (status == TOOL_DONE && !found && !ckrun_comparison_add(comparison))
            status = TOOL_FAILED;
        if (session->has_findings)
            status = TOOL_DONE; /* the others may find more */
    }
    ckrun_comparison_free(comparison);
    if (status == TOOL_DONE && !found)
        ckrun_note_agreement(n);
    return found ? TOOL_FAILED : status;
}

/* Puts the arguments of all launches in the order of the kernels' parameters. */
static bool
place_arguments(struct ckrun_command *command)
{
    bool good = true;
    for (size_t i = 0; i < command->run.n_launches && good; i++)
        good = ckrun_place_arguments(&command->session, &command->run.launches[i]);
    for (size_t i = 0; i < command->n_queries && good; i++)
        good = ckrun_place_arguments(&command->session, &command->queries[i]);
    return good;
}

static int
run_launches(struct ckrun_command *command)
{
    if (!command->run.n_steps && !command->n_queries && !command->usage)
        return TOOL_DONE;
    if (!place_arguments(command))
        return TOOL_FAILED;
    return command->schedule.n_all ? run_all_schedules(command)
                                   : run_scheduled(command, &command->schedule, true);
}

/* --- --bench -----------------------------------------------------------------------------------
 */

/* Opens the CPU device again without the checks of bounds, which the run before has made. */
static int
open_for_timing(struct ckrun_command *command)
{
    struct ckrun_session *session = &command->session;
    bool on_cpu = strcmp(ck_device_get_info(session->device)->kind, "cpu") == 0;
    if (!on_cpu || command->check)
        return TOOL_DONE;
    for (struct ckrun_array *a = command->env.arrays; a; a = a->next)
        ckrun_forget_device(a);
    ck_device_free(session->device);
    session->device = NULL;
    command->is_timing = true;
    return open_scheduled(command, &command->schedule);
}

static int
run_bench(struct ckrun_command *command)
{
    int status = open_for_timing(command);
    if (status == TOOL_DONE)
        status =
            ckrun_run_bench(&command->session, &command->run, command->snapshot, &command->bench);
    return status;
}

/* --- The whole ---------------------------------------------------------------------------------
 */

static int
print_json(struct ckrun_command *command, int status)
{
    struct ck_strbuf *out = &command->json;
    if (!command->is_json)
        return status;
    if (command->session.device)
        ckrun_json_device(out, command->session.device);
    tool_json_number(out, "status", (unsigned long long)status);
    ck_strbuf_puts(out, "}\n");
    if (out->failed) {
        tool_error("out of memory");
        return TOOL_DEVICE;
    }
    fputs(ck_strbuf_text(out), stdout);
    return status;
}

static void
list_module(struct ckrun_command *command)
{
    if (command->is_json)
        ckrun_json_module(&command->json, command->session.module);
    else
        ckrun_list_module(command->session.module);
}

static int
run(struct ckrun_command *command)
{
    const struct ckrun_invocation invocation = {
        .program = command->program,
        .file = command->file,
        .device = command->device,
        .math = command->math,
        .compile_words = command->compile_words.items,
        .n_compile_words = command->compile_words.n,
        .launches = command->launch_texts.items,
        .definitions = command->definitions.items,
        .n_definitions = command->definitions.n,
    };
    int status = read_input(command);
    if (command->is_json) {
        ck_strbuf_putc(&command->json, '{');
        command->session.json = &command->json;
    }
    command->session.invocation = &invocation;
    if (status == TOOL_DONE)
        status = tool_context(&command->session.ctx, !command->no_cache);
    command->session.env = &command->env;
    command->env.ctx = command->session.ctx;
    if (status == TOOL_DONE)
        status = define_values(command);
    ckrun_progress(&command->session, true, "compiling %s", command->file);
    if (status == TOOL_DONE)
        status = load_module(command);
    if (status == TOOL_DONE)
        status = evaluate(command);
    const bool is_evaluated = status == TOOL_DONE;
    if (is_evaluated)
        hold_warnings(command);
    if (status == TOOL_DONE && command->list)
        list_module(command);
    if (status == TOOL_DONE && command->bench.is_given)
        command->snapshot = ckrun_snapshot_new(&command->env);
    if (status == TOOL_DONE)
        status = run_launches(command);
    if (status == TOOL_DONE)
        status = check_warnings(command);
    if (status == TOOL_DONE)
        status = ckrun_show_results(command);
    if (status == TOOL_DONE && command->bench.is_given)
        status = run_bench(command);
    status = print_json(command, status);
    if (is_evaluated)
        print_warnings(command);
    ckrun_end_findings(&command->session);
    tool_print_counts(command->session.counts);
    return status;
}

static int
run_tests(struct ckrun_command *command)
{
    size_t n;
    const char **files = ckrun_test_files(command, &n);
    const struct test_options options = {
        .session = &command->session,
        .files = files,
        .n_files = n,
        .words = command->case_words.items,
        .n_words = command->case_words.n,
        .device = command->device,
        .junit = command->junit,
        .is_json = command->is_json,
        .time_limit = command->time_limit,
    };
    int status = test_run(&options);
    free(files);
    return status;
}

static void
release(struct ckrun_command *command)
{
    struct ckrun_session *session = &command->session;
    ckrun_program_release(&command->run);
    for (size_t i = 0; i < command->n_queries; i++)
        ckrun_launch_release(&command->queries[i]);
    free(command->queries);
    for (size_t i = 0; i < command->n_results; i++)
        ck_npy_free(&command->results[i].want);
    free(command->results);
    ckrun_snapshot_free(command->snapshot); /* buffers before their device */
    ck_strbuf_free(&command->json);
    ckrun_env_release(&command->env);
    ck_module_free(session->module);
    ck_device_free(session->device);
    ck_context_free(session->ctx);
    for (size_t i = 0; i < session->n_printed; i++)
        free(session->printed[i]);
    free(session->printed);
    free(session->kernels);
    ckrun_drop_warnings(session);
    free(session->schedule);
    free(command->image);
    free(command->libdevice);
    free(command->definitions.items);
    free(command->launch_texts.items);
    free(command->query_texts.items);
    free(command->warnings_off.items);
    free(command->compile_words.items);
    free(command->case_words.items);
}

int
main(int argc, char **argv)
{
    struct ckrun_command command = {.tolerance = {.relative = 1e-5, .absolute = 1e-8},
                                    .time_limit = DEFAULT_TIME_LIMIT};
    tool_tune_malloc();
    int status = tool_report_begin(argc, argv);
    command.program = argv[0];
    command.session.check_limit = DEFAULT_CHECK_LIMIT;
    if (status == TOOL_DONE)
        status = ckrun_read_command_line(&command, argc, argv);
    if (status < 0)
        status = command.test ? run_tests(&command) : run(&command);
    release(&command);
    return tool_report_end(status);
}
