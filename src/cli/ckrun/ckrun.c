/* ckrun: its options and the order of its steps. */
#include "ckrun.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "base/nearest.h"

const char tool_program[] = "ckrun";

static const char help_text[] =
    "usage: ckrun [options] FILE 'KERNEL[GRID, BLOCK](ARG, ...)' ... [NAME=VALUE ...]\n"
    "\n"
    "Runs GPU kernels from FILE: ck source, or PTX (.ptx) that ckc made. FILE `-` is source\n"
    "from standard input.\n"
    "\n"
    "  ckrun rows.ck 'sequential_rows[32, 32](M)' 'M=zeros((1024, 1024), int32)' --print M\n"
    "  ckrun saxpy.ck 'saxpy[max, 256](2.5, x, y)' x=@x.npy y=@y.npy --expect y=want.npy\n"
    "\n"
    "Launches: KERNEL[GRID, BLOCK, STREAM, SHARED, CLUSTER](ARG, ...), the last three optional\n"
    "  GRID, BLOCK   an integer, a tuple of up to three, or an expression: M.shape[1] // 32.\n"
    "                GRID may be `max`: the most blocks that can be resident at once\n"
    "  STREAM        0 or None\n"
    "  SHARED        bytes of dynamic shared memory a block\n"
    "  CLUSTER       blocks of a cluster, as GRID, or None; needless where the kernel says it\n"
    "  ARG           an array's name or a number; a plain number takes the parameter's type\n"
    "                (of a generic kernel: int64, or the float type of the other arguments),\n"
    "                float32(2.5) has its own\n"
    "Several launches run in order on the same arrays.\n"
    "\n"
    "Values: NAME=VALUE, evaluated in order; VALUE is one of\n"
    "  zeros(shape, dtype=float64)      ones(shape, dtype=float64)\n"
    "  full(shape, fill_value, dtype)   arange([start,] stop[, step], dtype)\n"
    "  linspace(start, stop, num=50)    array([[1, 2], [3, 4]], dtype)\n"
    "  empty(shape, dtype=float64): no values\n"
    "  create_xoroshiro128p_states(n, seed): of Numba's random numbers\n"
    "  array([(1, 2.5)], record(x=int32, y=float32)), or dtype([('x', int32), ...]): records\n"
    "  zeros_like(x)  ones_like(x)      full_like(x, fill_value)\n"
    "  x.reshape(2, -1)                 x.astype(dtype): copies, as all of these are\n"
    "  @FILE.npy                        a number, a tuple, or an expression\n"
    "  Point(1, 2.5)                    a namedtuple's items, in order\n"
    "with NumPy's meaning. Expressions have + - * / // % ** of numbers, parentheses, len(x),\n"
    "min(...), max(...), x.shape[i], x.size, x.ndim; dtypes are int32, np.int32 or 'int32'.\n"
    "\n"
    "Results:\n"
    "  --print NAME            print the value as NumPy 1.14 to 2.2 does; repeatable\n"
    "  --save NAME=FILE.npy    save the array; repeatable. Nothing is saved if anything fails\n"
    "  --expect NAME=WANT      compare with a file WANT.npy or with a number; repeatable.\n"
    "                          Integers exactly, floats as NumPy's allclose; NaN equals NaN\n"
    "  --rtol R --atol A       tolerances of --expect; default 1e-5 and 1e-8\n"
    "\n"
    "Questions:\n"
    "  --list                  the kernels and their signatures\n"
    "  --max-blocks 'KERNEL[_, BLOCK, _, SHARED, CLUSTER](ARG, ...)'\n"
    "                          the most blocks of that shape that can be resident at once; the\n"
    "                          arguments are needed where they choose the signature\n"
    "\n"
    "Device:\n"
    "  --device DEVICE         auto (default: a GPU if there is one, else the CPU), cuda,\n"
    "                          cuda:N, cpu or cpu:THREADS\n"
    "  --schedule ORDER        order of the CPU device's threads between barriers: seq,\n"
    "                          reverse or random:SEED. With --device auto it means cpu.\n"
    "                          all or all=N: run N schedules (default 5: seq, reverse and random\n"
    "                          ones) on the same inputs, and fail if an array depends on them\n"
    "  --check[=KIND,...]      on the CPU device, report mistakes with their places. bounds, the\n"
    "                          default: an index outside its array; race: accesses of two\n"
    "                          threads that nothing orders; init: shared and local memory read\n"
    "                          before it is written; async: asynchronous copies that were not\n"
    "                          waited for, as race does too; sync: barriers that some\n"
    "                          thread misses, which are always reported. Without kinds all of\n"
    "                          these; none: only sync.\n"
    "                          overflow, only when named: signed integers that wrap, and values\n"
    "                          that do not fit the integer they are converted to.\n"
    "                          With --device auto it means cpu; a GPU that is asked for has\n"
    "                          bounds alone\n"
    "  --check-limit N         print at most N findings (default 20; 0: all)\n"
    "\n"
    "  --math=auto|libclc|libdevice[=FILE]\n"
    "                          the library of a GPU's math functions: CUDA's libdevice, or "
    "libclc,\n"
    "                          which is inside ckrun. auto, the default: libdevice where a\n"
    "                          toolkit is found by CUDA_HOME, CUDA_PATH, /usr/local/cuda or nvcc\n"
    "  --no-cache              compile again, and keep nothing: else what was compiled before is\n"
    "                          taken from CK_CACHE_DIR, XDG_CACHE_HOME/ck or ~/.cache/ck, which\n"
    "                          holds at most CK_CACHE_SIZE (default 256M)\n"
    "\n"
    "  --diagnostics=text|json|sarif\n"
    "                          the form of errors, warnings and findings, on standard error:\n"
    "                          docs/diagnostics.md\n"
    "  --version, --help\n"
    "\n"
    "Exit status: 0 done; 1 the program or a launch's arguments are wrong, a check found a\n"
    "mistake, a result depends on the schedule, a file cannot be read or written, or an\n"
    "expectation fails; 2 usage, a wrong expression included;\n"
    "3 device, driver, or out of memory; 70 a bug in ck.\n";

enum { DEFAULT_CHECK_LIMIT = 20 };

enum option_id {
    OPT_PRINT,
    OPT_SAVE,
    OPT_EXPECT,
    OPT_RTOL,
    OPT_ATOL,
    OPT_LIST,
    OPT_MAX_BLOCKS,
    OPT_DEVICE,
    OPT_SCHEDULE,
    OPT_MATH,
    OPT_CHECK,
    OPT_CHECK_LIMIT,
    OPT_NO_CACHE,
    OPT_BENCH = TOOL_LATER, /* options from here on are not supported in this release */
    OPT_JSON,
    OPT_PROGRESS,
};

static const struct tool_option options[] = {
    TOOL_COMMON_OPTIONS,
    {"print", TOOL_VALUE, OPT_PRINT},
    {"save", TOOL_VALUE, OPT_SAVE},
    {"expect", TOOL_VALUE, OPT_EXPECT},
    {"rtol", TOOL_VALUE, OPT_RTOL},
    {"atol", TOOL_VALUE, OPT_ATOL},
    {"list", TOOL_FLAG, OPT_LIST},
    {"max-blocks", TOOL_VALUE, OPT_MAX_BLOCKS},
    {"device", TOOL_VALUE, OPT_DEVICE},
    {"schedule", TOOL_VALUE, OPT_SCHEDULE},
    {"check", TOOL_OPTIONAL, OPT_CHECK},
    {"check-limit", TOOL_VALUE, OPT_CHECK_LIMIT},
    {"math", TOOL_VALUE, OPT_MATH},
    {"no-cache", TOOL_FLAG, OPT_NO_CACHE},
    {"bench", TOOL_OPTIONAL, OPT_BENCH},
    {"json", TOOL_FLAG, OPT_JSON},
    {"progress", TOOL_FLAG, OPT_PROGRESS},
};

/* --print, --save or --expect, as written and as resolved. */
struct result {
    enum option_id option;
    const char *text; /* NAME or NAME=REST */
    struct ckrun_name *name;
    const char *rest;          /* in `text`; NULL for --print */
    bool is_file;              /* of --expect */
    ck_npy want;               /* --expect with a file */
    struct ckrun_value number; /* --expect with a number */
};

/* A list of arguments of one kind. */
struct texts {
    const char **items;
    size_t n;
};

struct command {
    const char *program; /* argv[0] */
    const char *file;
    struct texts definitions, launch_texts, query_texts;
    struct result *results;
    size_t n_results;
    struct ckrun_tolerance tolerance;
    bool list;
    const char *device; /* NULL: not given */
    const char *check;  /* the option as written; NULL: not given */
    const char *math;   /* NULL: not given */
    struct ckrun_schedule schedule;
    bool no_cache;
    ck_device_options device_options;
    /* Of the run */
    char *image; /* the file's content */
    size_t image_length;
    char *libdevice; /* NULL: none */
    struct ckrun_env env;
    struct ckrun_launch *launches, *queries;
    size_t n_launches, n_queries;
    struct ckrun_session session;
};

/* --- The command line --------------------------------------------------------------------------
 */

static void
add_text(struct texts *texts, const char *text)
{
    texts->items = tool_grow(texts->items, texts->n + 1, sizeof *texts->items);
    texts->items[texts->n++] = text;
}

/* NAME=VALUE, not a launch nor a comparison. */
static bool
is_definition(const char *text)
{
    const char *c = text;
    while (isalnum((unsigned char)*c) || *c == '_' || (unsigned char)*c >= 0x80)
        c++;
    bool named = c > text && !isdigit((unsigned char)*text);
    c += strspn(c, " \t");
    return named && c[0] == '=' && c[1] != '=';
}

static int
add_positional(struct command *command, const char *text)
{
    if (is_definition(text))
        add_text(&command->definitions, text);
    else if (!command->file)
        command->file = text;
    else
        add_text(&command->launch_texts, text);
    return TOOL_DONE;
}

static int
add_result(struct command *command, enum option_id option, const char *text)
{
    static const char *const forms[] = {[OPT_SAVE] = "--save takes NAME=FILE",
                                        [OPT_EXPECT] = "--expect takes NAME=FILE or NAME=NUMBER"};
    const char *equals = option == OPT_PRINT ? NULL : strchr(text, '=');
    if (option != OPT_PRINT && (!equals || equals == text || !equals[1])) {
        tool_error("%s: `%s`", forms[option], text);
        return TOOL_USAGE;
    }
    command->results =
        tool_grow(command->results, command->n_results + 1, sizeof *command->results);
    command->results[command->n_results++] = (struct result){
        .option = option,
        .text = text,
        .rest = equals ? equals + 1 : NULL,
    };
    return TOOL_DONE;
}

static int
set_tolerance(struct command *command, double *out, const char *option, const char *value)
{
    char *end;
    double x = strtod(value, &end);
    if (end == value || *end || !(x >= 0)) {
        tool_error("%s takes a number, 0 or more: `%s`", option, value);
        return TOOL_USAGE;
    }
    *out = x;
    command->tolerance.given = true;
    return TOOL_DONE;
}

static int
apply_option(void *context, const struct tool_args *args, int id, const char *value)
{
    struct command *command = context;
    switch (id) {
    case TOOL_POSITIONAL:
        return add_positional(command, value);
    case OPT_PRINT:
    case OPT_SAVE:
    case OPT_EXPECT:
        return add_result(command, (enum option_id)id, value);
    case OPT_RTOL:
        return set_tolerance(command, &command->tolerance.relative, "--rtol", value);
    case OPT_ATOL:
        return set_tolerance(command, &command->tolerance.absolute, "--atol", value);
    case OPT_LIST:
        command->list = true;
        return TOOL_DONE;
    case OPT_MAX_BLOCKS:
        add_text(&command->query_texts, value);
        return TOOL_DONE;
    case OPT_DEVICE:
        command->device = value;
        return TOOL_DONE;
    case OPT_SCHEDULE:
        return ckrun_set_schedule(&command->schedule, value);
    case OPT_CHECK:
        command->check = args->argv[args->next - 1];
        return ckrun_set_checks(&command->device_options.checks, value);
    case OPT_CHECK_LIMIT:
        return ckrun_set_check_limit(&command->session.check_limit, value);
    case OPT_MATH:
        command->math = value;
        return TOOL_DONE;
    case OPT_NO_CACHE:
        command->no_cache = true;
        return TOOL_DONE;
    case TOOL_BAD:
        return TOOL_USAGE;
    default:
        tool_error("option `%s` is not supported yet", args->argv[args->next - 1]);
        return TOOL_USAGE;
    }
}

static bool
has_work(const struct command *command)
{
    return command->launch_texts.n || command->query_texts.n || command->n_results || command->list;
}

/* Returns -1 to continue, else the exit status. */
static int
read_command_line(struct command *command, int argc, char **argv)
{
    struct tool_args args = {options, sizeof options / sizeof options[0], argc, argv, 1, false};
    int status = tool_read_options(&args, help_text, apply_option, command);
    if (status >= 0)
        return status;
    if (!command->file) {
        tool_error("no input file; see `ckrun --help`");
        return TOOL_USAGE;
    }
    if (command->schedule.n_all && !command->launch_texts.n) {
        tool_error("--schedule all compares the results of launches: there is none");
        return TOOL_USAGE;
    }
    if (!has_work(command)) {
        tool_error("nothing to do: give a launch, 'KERNEL[GRID, BLOCK](ARG, ...)', or "
                   "--list to see the kernels");
        return TOOL_USAGE;
    }
    return -1;
}

/* --- Before anything runs ----------------------------------------------------------------------
 */

static int
read_input(struct command *command)
{
    size_t length = strlen(command->file);
    if (length > 6 && strcmp(command->file + length - 6, ".cubin") == 0) {
        tool_error("cubin files are not supported yet: run the .ptx");
        return TOOL_USAGE;
    }
    return tool_read_file(command->file, &command->image, &command->image_length) ? TOOL_DONE
                                                                                  : TOOL_FAILED;
}

static int
define_values(struct command *command)
{
    for (size_t i = 0; i < command->definitions.n; i++) {
        int status = ckrun_define(&command->env, command->definitions.items[i]);
        if (status != TOOL_DONE)
            return status;
    }
    return TOOL_DONE;
}

static bool
parse_launches(struct command *command, const struct texts *texts, bool query,
               struct ckrun_launch **launches, size_t *n)
{
    *launches = tool_alloc(texts->n * sizeof **launches);
    for (size_t i = 0; i < texts->n; i++) {
        if (!ckrun_parse_launch(&(*launches)[i], &command->env, texts->items[i], query))
            return false;
        *n = i + 1;
    }
    return true;
}

static bool
fail_unknown_name(const struct command *command, const struct result *result, const char *name)
{
    static const char *const texts[] = {
        [OPT_PRINT] = "--print", [OPT_SAVE] = "--save", [OPT_EXPECT] = "--expect"};
    const char **names = tool_alloc((command->env.n_names + 1) * sizeof *names);
    for (size_t i = 0; i < command->env.n_names; i++)
        names[i] = command->env.names[i].name;
    const char *nearest = ck_nearest_word(name, names, (int)command->env.n_names);
    if (nearest)
        tool_error("%s: `%s` is not defined; did you mean `%s`?", texts[result->option], name,
                   nearest);
    else
        tool_error("%s: `%s` is not defined; give it as %s=VALUE", texts[result->option], name,
                   name);
    free(names);
    return false;
}

/* Finds the value that a result names. */
static bool
resolve_name(struct command *command, struct result *result)
{
    size_t length = strcspn(result->text, result->rest ? "=" : "");
    result->name = ckrun_find(&command->env, result->text, length);
    if (!result->name) {
        char *name = tool_strndup(result->text, length);
        fail_unknown_name(command, result, name);
        free(name);
        return false;
    }
    result->name->used = true;
    if (result->option == OPT_PRINT || result->name->value.kind == CKRUN_ARRAY)
        return true;
    tool_error("`%s` is %s, not an array", result->name->name,
               ckrun_kind_text(result->name->value.kind));
    return false;
}

/* Whether the right side of --expect is a file; otherwise it is a number. */
static bool
names_file(const char *text)
{
    size_t length = strlen(text);
    return text[0] == '@' || strchr(text, '/') ||
           (length > 4 && strcmp(text + length - 4, ".npy") == 0);
}

static int
resolve_expectation(struct command *command, struct result *result)
{
    result->is_file = names_file(result->rest);
    if (!result->is_file)
        return ckrun_parse_number(&result->number, &command->env, result->rest) ? TOOL_DONE
                                                                                : TOOL_USAGE;
    const char *path = result->rest + (result->rest[0] == '@');
    ck_status status = ck_npy_read(&result->want, command->session.ctx, path);
    return status == CK_OK ? TOOL_DONE : tool_fail_file(command->session.ctx, status);
}

/* Checks that a save overwrites neither an input nor another save. */
static bool
check_overwriting(const struct command *command, const struct result *save)
{
    char *target = tool_resolve(save->rest);
    bool fine = true;
    const char *input = NULL;
    if (tool_same_file(save->rest, command->file))
        input = command->file;
    for (size_t i = 0; i < command->env.n_names; i++) {
        const char *file = command->env.names[i].file;
        if (file && tool_same_file(save->rest, file))
            input = file;
    }
    for (size_t i = 0; i < command->n_results; i++) {
        const struct result *other = &command->results[i];
        if (other->option == OPT_EXPECT && other->is_file &&
            tool_same_file(save->rest, other->rest + (other->rest[0] == '@')))
            input = other->rest;
        char *others_target =
            other->option == OPT_SAVE && other < save ? tool_resolve(other->rest) : NULL;
        if (others_target && strcmp(others_target, target) == 0) {
            tool_error("two arrays would be saved to `%s`", save->rest);
            fine = false;
        }
        free(others_target);
    }
    if (input)
        tool_error("--save would overwrite the input `%s`", input);
    free(target);
    return fine && !input;
}

/* Checks that the file name ends in .npy or has no suffix: ckrun writes no other kind. */
static bool
check_save_suffix(const struct result *save)
{
    const char *slash = strrchr(save->rest, '/'), *file = slash ? slash + 1 : save->rest;
    const char *dot = strrchr(file, '.');
    int length = (int)strcspn(save->text, "=");
    if (!dot || dot == file || strcmp(dot, ".npy") == 0)
        return true;
    tool_error("--save writes .npy files only, not `%s`: --save %.*s=%.*s.npy is such a file", dot,
               length, save->text, (int)(dot - save->rest), save->rest);
    return false;
}

static int
resolve_results(struct command *command)
{
    for (size_t i = 0; i < command->n_results; i++) {
        struct result *result = &command->results[i];
        if (!resolve_name(command, result))
            return TOOL_USAGE;
        int status =
            result->option == OPT_EXPECT ? resolve_expectation(command, result) : TOOL_DONE;
        if (status != TOOL_DONE)
            return status;
    }
    for (size_t i = 0; i < command->n_results; i++) {
        const struct result *result = &command->results[i];
        if (result->option != OPT_SAVE)
            continue;
        if (!check_overwriting(command, result) || !check_save_suffix(result))
            return TOOL_USAGE;
        if (!tool_check_writable(result->rest))
            return TOOL_FAILED;
    }
    return TOOL_DONE;
}

static void
warn_unused(const struct command *command)
{
    for (size_t i = 0; i < command->env.n_names; i++) {
        if (!command->env.names[i].used)
            tool_warning("`%s` is defined but not used", command->env.names[i].name);
    }
}

/* Evaluates the whole command line. */
static int
evaluate(struct command *command)
{
    int status = define_values(command);
    if (status != TOOL_DONE)
        return status;
    if (!parse_launches(command, &command->launch_texts, false, &command->launches,
                        &command->n_launches) ||
        !parse_launches(command, &command->query_texts, true, &command->queries,
                        &command->n_queries))
        return TOOL_USAGE;
    status = resolve_results(command);
    if (status == TOOL_DONE)
        warn_unused(command);
    return status;
}

/* --- The run -----------------------------------------------------------------------------------
 */

static int
load_module(struct command *command)
{
    struct ckrun_session *session = &command->session;
    size_t length = strlen(command->file);
    bool is_ptx = length > 4 && strcmp(command->file + length - 4, ".ptx") == 0;
    ck_compile_options compile = {
        .size = sizeof compile,
        .name = strcmp(command->file, "-") == 0 ? "<stdin>" : command->file,
    };
    int math = tool_set_math(command->math ? command->math : "auto", &command->libdevice);
    if (math != TOOL_DONE)
        return math;
    compile.libdevice = command->libdevice;
    ck_status status = is_ptx ? ck_module_load(&session->module, session->ctx, command->image,
                                               command->image_length)
                              : ck_compile(&session->module, session->ctx, command->image,
                                           command->image_length, &compile);
    if (!is_ptx)
        ckrun_print_diagnostics(session, NULL);
    if (status == CK_OK)
        return TOOL_DONE;
    if (status == CK_ERROR_PROGRAM && session->counts.errors)
        return TOOL_FAILED;
    if (is_ptx) {
        tool_error("`%s`: %s", command->file, ck_context_error(session->ctx));
        return tool_exit_status(status);
    }
    return tool_fail(session->ctx, status);
}

/* An option of the CPU device, which the command line has; NULL: none. */
static const char *
cpu_option(const struct command *command)
{
    if (command->schedule.is_given)
        return "--schedule";
    return command->check && command->device_options.checks ? "--check" : NULL;
}

/* A CUDA device can check bounds, if it is asked for by its name. */
static bool
is_for_cuda(const struct command *command)
{
    return !command->schedule.is_given && command->device_options.checks == CK_CHECK_BOUNDS;
}

static ck_status
open_with_options(struct command *command, const char *name)
{
    struct ckrun_session *session = &command->session;
    command->device_options.size = sizeof command->device_options;
    return ck_device_open(&session->device, session->ctx, name, &command->device_options);
}

/* The CPU device checks bounds unless --check says otherwise; "auto" is the CPU device where there
 * is no CUDA device. */
static ck_status
open_named(struct command *command, const char *name)
{
    if (!command->check && strcmp(name, "auto") == 0) {
        ck_status status = open_with_options(command, "cuda");
        if (status != CK_ERROR_NO_DEVICE)
            return status;
        name = "cpu";
    }
    if (!command->check && strncmp(name, "cpu", 3) == 0)
        command->device_options.checks = CK_CHECK_BOUNDS;
    return open_with_options(command, name);
}

static int
open_device(struct command *command)
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
open_scheduled(struct command *command, const struct ckrun_schedule *schedule)
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

/* Every launch is checked before the first one runs. */
static int
run_scheduled(struct command *command, const struct ckrun_schedule *schedule, bool answers)
{
    struct ckrun_session *session = &command->session;
    int status = open_scheduled(command, schedule);
    session->n_launched = 0;
    if (status == TOOL_DONE)
        status = for_each_launch(session, command->launches, command->n_launches, ckrun_prepare);
    if (status == TOOL_DONE && answers)
        status = for_each_launch(session, command->queries, command->n_queries, ckrun_max_blocks);
    if (status == TOOL_DONE)
        status = for_each_launch(session, command->launches, command->n_launches, ckrun_launch);
    return status == TOOL_DONE ? ckrun_fetch(session) : status;
}

/* Runs every schedule, from the same arrays, until a result differs or a launch fails otherwise
 * than by a finding. */
static int
run_all_schedules(struct command *command)
{
    struct ckrun_session *session = &command->session;
    struct ckrun_comparison *comparison = ckrun_comparison_new(session);
    const int n = command->schedule.n_all;
    int status = TOOL_DONE;
    bool found = false;
    session->compares = true;
    for (int i = 0; i < n && status == TOOL_DONE; i++) {
        const struct ckrun_schedule schedule = ckrun_schedule_of_all(i);
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

static int
run_launches(struct command *command)
{
    if (!command->n_launches && !command->n_queries)
        return TOOL_DONE;
    return command->schedule.n_all ? run_all_schedules(command)
                                   : run_scheduled(command, &command->schedule, true);
}

/* --- Results -----------------------------------------------------------------------------------
 */

static bool
check_expectation(const struct command *command, const struct result *result)
{
    const ck_npy *got = &result->name->value.array->host;
    char *what = tool_printf(result->is_file ? "`%s`" : "%s", result->rest);
    bool satisfied = result->is_file ? ckrun_expect_array(result->name->name, got, &result->want,
                                                          what, command->tolerance)
                                     : ckrun_expect_number(result->name->name, got, &result->number,
                                                           what, command->tolerance);
    free(what);
    return satisfied;
}

static int
save_arrays(const struct command *command)
{
    struct ckrun_save *saves = tool_alloc(command->n_results * sizeof *saves);
    size_t n = 0;
    for (size_t i = 0; i < command->n_results; i++) {
        const struct result *result = &command->results[i];
        if (result->option == OPT_SAVE)
            saves[n++] = (struct ckrun_save){result->rest, &result->name->value.array->host};
    }
    int status = ckrun_save_all(command->session.ctx, saves, n);
    free(saves);
    return status;
}

/* Prints, then compares, then saves unless something failed. */
static int
show_results(const struct command *command)
{
    bool satisfied = true;
    for (size_t i = 0; i < command->n_results; i++) {
        const struct result *result = &command->results[i];
        if (result->option == OPT_PRINT)
            ckrun_print_value(stdout, &result->name->value);
    }
    for (size_t i = 0; i < command->n_results; i++) {
        if (command->results[i].option == OPT_EXPECT)
            satisfied &= check_expectation(command, &command->results[i]);
    }
    return satisfied ? save_arrays(command) : TOOL_FAILED;
}

static int
run(struct command *command)
{
    const struct ckrun_invocation invocation = {
        .program = command->program,
        .file = command->file,
        .device = command->device,
        .math = command->math,
        .launches = command->launch_texts.items,
        .definitions = command->definitions.items,
        .n_definitions = command->definitions.n,
    };
    int status = read_input(command);
    command->session.invocation = &invocation;
    if (status == TOOL_DONE)
        status = tool_context(&command->session.ctx, !command->no_cache);
    command->session.env = &command->env;
    command->env.ctx = command->session.ctx;
    if (status == TOOL_DONE)
        status = evaluate(command);
    if (status == TOOL_DONE)
        status = load_module(command);
    if (status == TOOL_DONE && command->list)
        ckrun_list_kernels(command->session.module);
    if (status == TOOL_DONE)
        status = run_launches(command);
    if (status == TOOL_DONE)
        status = show_results(command);
    ckrun_end_findings(&command->session);
    tool_print_counts(command->session.counts);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        tool_error("cannot write standard output");
        status = status == TOOL_DONE ? TOOL_FAILED : status;
    }
    return status;
}

static void
release_launches(struct ckrun_launch *launches, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ckrun_launch_release(&launches[i]);
    free(launches);
}

static void
release(struct command *command)
{
    struct ckrun_session *session = &command->session;
    release_launches(command->launches, command->n_launches);
    release_launches(command->queries, command->n_queries);
    for (size_t i = 0; i < command->n_results; i++)
        ck_npy_free(&command->results[i].want);
    free(command->results);
    ckrun_env_release(&command->env); /* buffers before their device */
    ck_module_free(session->module);
    ck_device_free(session->device);
    ck_context_free(session->ctx);
    for (size_t i = 0; i < session->n_printed; i++)
        free(session->printed[i]);
    free(session->printed);
    free(session->schedule);
    free(command->image);
    free(command->libdevice);
    free(command->definitions.items);
    free(command->launch_texts.items);
    free(command->query_texts.items);
}

int
main(int argc, char **argv)
{
    struct command command = {.tolerance = {.relative = 1e-5, .absolute = 1e-8}};
    int status = tool_report_begin(argc, argv);
    command.program = argv[0];
    command.session.check_limit = DEFAULT_CHECK_LIMIT;
    if (status == TOOL_DONE)
        status = read_command_line(&command, argc, argv);
    if (status < 0)
        status = run(&command);
    release(&command);
    return tool_report_end(status);
}
