/* ckrun's options, and the reading of its command line. */
#include "command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- The table ---------------------------------------------------------------------------------
 */

static const struct tool_value devices[] = {
    {"auto", "a GPU if there is one, else the CPU; the default"},
    {"cuda", "the first GPU; cuda:N, the GPU of that number"},
    {"cpu", "the CPU; cpu:THREADS, so many threads of it"},
    {NULL, NULL},
};
static const struct tool_value schedules[] = {
    {"seq", "the order of ranks; the default"},
    {"reverse", "the reverse order"},
    {"random:SEED", "a random order"},
    {"all", "seq, reverse and three random ones, from the same inputs; all=N: N of them. Fails if "
            "an array depends on the order"},
    {NULL, NULL},
};
static const struct tool_value checks[] = {
    {"bounds", "an index outside its array; the default"},
    {"race", "accesses of two threads that nothing orders"},
    {"init", "shared and local memory read before it is written"},
    {"sync", "barriers that some thread misses, which are always reported"},
    {"async", "asynchronous copies that were not waited for, as race does too"},
    {"overflow", "only when named: signed integers that wrap, and values that do not fit the "
                 "integer they are converted to"},
    {"none", "sync alone"},
    {NULL, NULL},
};

static const struct tool_option options[] = {
    {"--print", TOOL_VALUE, OPT_PRINT, "print a name or an expression; repeatable", "VALUE",
     .more = "After the launches, as NumPy 1.14 to 2.2: y, y[:4], abs(y - x).max().",
     .section = "Results"},
    {"--save", TOOL_VALUE, OPT_SAVE, "save as .npy, .npz, .csv, .png or .bin; repeatable",
     "NAME=FILE", .more = "A .npz file takes several arrays. Nothing is saved if anything fails."},
    {"--expect", TOOL_VALUE, OPT_EXPECT, "compare with a file or an expression; repeatable",
     "NAME=WANT",
     .more = "Arrays in the expression are as before the launches: y=2.5*x + y. Integers are "
             "compared exactly, floats as NumPy's allclose; NaN equals NaN. The largest error is "
             "printed."},
    {"--rtol", TOOL_VALUE, OPT_RTOL, "relative tolerance of --expect; default 1e-5", "R"},
    {"--atol", TOOL_VALUE, OPT_ATOL, "absolute tolerance of --expect; default 1e-8", "A"},
    {"--bench", TOOL_OPTIONAL, OPT_BENCH, "times of N more runs; default: for a second", "N",
     .more = "After the run, N more of all launches, each from the same arrays: median and "
             "quartiles of the times, GB/s of the arrays' bytes and their share of the device's "
             "copies, and the ratio to the first launch."},
    {"--test", TOOL_FLAG, OPT_TEST, "run the tests in the comments of the files",
     .more = "With --check in four orders of the CPU device's threads, and on a GPU if there is "
             "one; --device chooses. docs/ckrun.md has the form of tests."},
    {"--junit", TOOL_VALUE, OPT_JUNIT, "write the results of --test as JUnit's XML too", "FILE"},
    {"--time-limit", TOOL_VALUE, OPT_TIME_LIMIT, "seconds of a case of --test; default 60; 0: none",
     "SECONDS", .more = "A case that takes longer is ended, and has failed."},
    {"--list", TOOL_FLAG, OPT_LIST, "the kernels and their signatures"},
    {"--max-blocks", TOOL_VALUE, OPT_MAX_BLOCKS, "the most blocks that can be resident at once",
     "LAUNCH",
     .more = "Of the shape 'KERNEL[_, BLOCK, _, SHARED, CLUSTER](ARG, ...)'; the arguments are "
             "needed where they choose the signature."},
    {"--usage", TOOL_FLAG, OPT_USAGE, "registers, memory and occupancy of the kernels",
     .more = "Of those that are launched, else of all: registers, local, shared and constant "
             "memory, and the occupancy with what limits it."},

    {"--device", TOOL_VALUE, OPT_DEVICE, "where to run", "DEVICE", devices, .section = "Device"},
    {"--schedule", TOOL_VALUE, OPT_SCHEDULE, "order of the CPU device's threads", "ORDER",
     schedules, "Between barriers. With --device auto it means cpu."},
    {"--check", TOOL_OPTIONAL, OPT_CHECK, "report mistakes with their places", "KIND,...", checks,
     "On the CPU device, which --device auto then means; a GPU that is asked for has bounds "
     "alone. Without kinds, all but overflow."},
    {"--check-limit", TOOL_VALUE, OPT_CHECK_LIMIT, "the most findings printed; default 20; 0: all",
     "N"},
    {"--math", TOOL_VALUE, OPT_MATH, "a GPU's math functions; default auto", "LIBRARY",
     tool_libraries},
    {"--use_fast_math", TOOL_FLAG, OPT_FAST_MATH, "approximate float32 functions and division",
     .more = TOOL_FAST_MATH_TEXT},
    {"--no-cache", TOOL_FLAG, OPT_NO_CACHE, "take nothing from the cache, and keep nothing there"},

    {"-Wno-", TOOL_JOINED, OPT_WNO, "no warnings of the name that stands at their end", "NAME",
     .section = "Messages"},
    {"-Werror", TOOL_FLAG, OPT_WERROR, "a warning of the program is a failure",
     .more = "Nothing is launched then."},
    {"--json", TOOL_FLAG, OPT_JSON, "all answers as one object of JSON"},
    {"--progress", TOOL_FLAG, OPT_PROGRESS, "say on standard error what is being done"},
    TOOL_COMMON_OPTIONS,
};

static const struct tool_topic topics[] = {
    {"Examples",
     "  ckrun rows.ck 'sequential_rows[32, 32](M)' 'M=zeros((1024, 1024), int32)' --print M\n"
     "  ckrun saxpy.ck 'saxpy[max, 256](2.5, x, y)' x=@x.npy y=@y.npy --expect y=want.npy\n"},
    {"Launches",
     "  KERNEL[GRID, BLOCK, STREAM, SHARED, CLUSTER](ARG, ...), the last three optional\n"
     "  GRID, BLOCK   an integer, a tuple of up to three, or an expression: M.shape[1] // 32.\n"
     "                GRID may be `max`: the most blocks that can be resident at once\n"
     "  STREAM        0 or None\n"
     "  SHARED        bytes of dynamic shared memory a block\n"
     "  CLUSTER       blocks of a cluster, as GRID, or None; needless where the kernel says it\n"
     "  ARG           an array's name, x[1:], a number, a tuple or None; NAME=ARG: by the\n"
     "                parameter's name. A plain number takes the parameter's type (of a generic\n"
     "                kernel: int64, or the float type of the other arguments), float32(2.5) has\n"
     "                its own\n"
     "  Several launches run in order on the same arrays. 'u[:] = v' among them copies on the\n"
     "  device, an array or a number. Loops around them:\n"
     "  'repeat N: LAUNCH; LAUNCH'       'until EXPRESSION: LAUNCH; LAUNCH', on the arrays after\n"
     "                                   each pass; until ...: repeat N: ... for fewer checks\n"},
    {"Values",
     "  NAME=VALUE, evaluated in order, with NumPy's meaning (docs/ckrun.md has all):\n"
     "  zeros(shape, dtype=float64)      ones(shape, dtype)     full(shape, fill_value, dtype)\n"
     "  arange([start,] stop[, step], dtype)                    linspace(start, stop, num=50)\n"
     "  array([[1, 2], [3, 4]], dtype)   zeros_like(x)          empty(shape, dtype): no values\n"
     "  uniform(shape, dtype=float64, low=0, high=1, seed)      normal(shape, dtype, loc, scale)\n"
     "  randint(low, high, shape, dtype=int64, seed)\n"
     "  create_xoroshiro128p_states(n, seed): of Numba's random numbers\n"
     "  array([(1, 2.5)], record(x=int32, y=float32)), or dtype([('x', int32), ...]): records;\n"
     "                                   p.x or p['x'] is a field of all, p[0] one record\n"
     "  @FILE.npy  @FILE.npz:KEY  @FILE.csv  @FILE.png          fromfile('FILE.bin', dtype)\n"
     "  x[1:, ::-1]  x.T  x.reshape(2, -1)  p.x                 views, which share memory\n"
     "  x.astype(dtype)  x.copy()                               arrays of their own\n"
     "  x.shape  x.size  len(x)  x.sum()  x.max()  x.all()      abs(x)  sqrt(x)  where(c, x, y)\n"
     "  a number, a tuple, or an expression; Point(1, 2.5) is a namedtuple's items, in order\n"
     "  Expressions have Python's operators, on arrays too; dtypes are int32, np.int32 or\n"
     "  'int32'.\n"},
    {NULL, NULL},
};

static const struct tool_topic statuses[] = {
    {"0", "Done."},
    {"1", "The program or a launch's arguments are wrong, a check found a mistake, a result "
          "depends on the schedule, a file cannot be read or written, or an expectation fails."},
    {"2", "Usage: the command line is wrong, an expression of it included."},
    {"3", "Device, driver, or out of memory."},
    {"70", "A bug in ck."},
    {NULL, NULL},
};

static const struct tool_help help = {
    .usage = "[options] FILE 'KERNEL[GRID, BLOCK](ARG, ...)' ... [NAME=VALUE ...]",
    .summary = "run GPU kernels on arrays that the command line describes",
    .begin =
        "Runs GPU kernels from FILE: ck source, `-` for standard input, or ckc's .ptx or .cubin.\n"
        "  ckrun rows.ck 'rows[32, 32](M)' 'M=zeros((1024, 1024), int32)' --print M\n"
        "  ckrun saxpy.ck 'saxpy[max, 256](2.5, x, y)' x=@x.npy y=@y.npy --expect "
        "y=want.npy\n"
        "GRID, BLOCK: integers, tuples, expressions; GRID max: all that can be resident.\n"
        "VALUE: zeros ones full arange linspace array uniform normal randint as in NumPy,\n"
        "  @FILE.npy, @FILE.npz:KEY, @FILE.csv, @FILE.png, numbers, tuples, expressions\n",
    .about = "Runs GPU kernels from FILE: ck source, or PTX (.ptx) or machine code (.cubin) "
             "that ckc made. FILE `-` is source from standard input.",
    .topics = topics,
    .statuses = statuses,
};

/* --- The command line --------------------------------------------------------------------------
 */

static void
add_text(struct ckrun_texts *texts, const char *text)
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
add_positional(struct ckrun_command *command, const char *text)
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
add_result(struct ckrun_command *command, enum ckrun_option option, const char *text)
{
    static const char *const forms[] = {[OPT_SAVE] = "--save takes NAME=FILE",
                                        [OPT_EXPECT] =
                                            "--expect takes NAME=FILE or NAME=EXPRESSION"};
    const char *equals = option == OPT_PRINT ? NULL : strchr(text, '=');
    if (option != OPT_PRINT && (!equals || equals == text || !equals[1])) {
        tool_error("%s: `%s`", forms[option], text);
        return TOOL_USAGE;
    }
    command->results =
        tool_grow(command->results, command->n_results + 1, sizeof *command->results);
    command->results[command->n_results++] = (struct ckrun_result){
        .option = option,
        .text = text,
        .rest = equals ? equals + 1 : NULL,
    };
    return TOOL_DONE;
}

static int
set_tolerance(struct ckrun_command *command, double *out, const char *option, const char *value)
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
set_seconds(double *out, const char *value)
{
    enum { MOST = 86400 };
    char *end;
    double seconds = strtod(value, &end);
    if (end == value || *end || !(seconds >= 0 && seconds <= MOST)) {
        tool_error("--time-limit takes seconds, 0 to %d: `%s`", MOST, value);
        return TOOL_USAGE;
    }
    *out = seconds;
    return TOOL_DONE;
}

/* Whether each case of --test has the option that the command line has. */
static bool
is_of_cases(int id)
{
    static const enum ckrun_option ids[] = {OPT_RTOL, OPT_ATOL,      OPT_CHECK_LIMIT,
                                            OPT_MATH, OPT_FAST_MATH, OPT_NO_CACHE,
                                            OPT_WNO,  OPT_WERROR};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (id == (int)ids[i])
            return true;
    }
    return false;
}

static int
apply_option(void *context, const struct tool_args *args, int id, const char *value)
{
    struct ckrun_command *command = context;
    for (int i = args->first; i < args->next && is_of_cases(id); i++)
        add_text(&command->case_words, args->argv[i]);
    switch (id) {
    case TOOL_POSITIONAL:
        return add_positional(command, value);
    case OPT_PRINT:
    case OPT_SAVE:
    case OPT_EXPECT:
        return add_result(command, (enum ckrun_option)id, value);
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
    case OPT_FAST_MATH:
        command->fast_math = true;
        add_text(&command->compile_words, "--use_fast_math");
        return TOOL_DONE;
    case OPT_WNO:
        add_text(&command->warnings_off, value);
        add_text(&command->compile_words, args->argv[args->next - 1]);
        return TOOL_DONE;
    case OPT_WERROR:
        command->werror = true;
        return TOOL_DONE;
    case OPT_NO_CACHE:
        command->no_cache = true;
        return TOOL_DONE;
    case OPT_BENCH:
        return ckrun_set_bench(&command->bench, value);
    case OPT_JSON:
        command->is_json = true;
        return TOOL_DONE;
    case OPT_TEST:
        command->test = true;
        return TOOL_DONE;
    case OPT_TIME_LIMIT:
        command->has_time_limit = true;
        return set_seconds(&command->time_limit, value);
    case OPT_JUNIT:
        command->junit = value;
        return TOOL_DONE;
    case OPT_USAGE:
        command->usage = true;
        return TOOL_DONE;
    case OPT_PROGRESS:
        command->session.shows_progress = true;
        return TOOL_DONE;
    default:
        return TOOL_USAGE;
    }
}

static bool
reads_standard_input(const struct ckrun_command *command)
{
    bool reads = command->file && strcmp(command->file, "-") == 0;
    for (size_t i = 0; i < command->launch_texts.n; i++)
        reads |= strcmp(command->launch_texts.items[i], "-") == 0;
    return reads;
}

const char **
ckrun_test_files(const struct ckrun_command *command, size_t *n)
{
    const char **files = tool_alloc((command->launch_texts.n + 1) * sizeof *files);
    *n = 0;
    files[(*n)++] = command->file;
    for (size_t i = 0; i < command->launch_texts.n; i++)
        files[(*n)++] = command->launch_texts.items[i];
    return files;
}

/* Fails if options do not fit one another. */
static int
check_options(const struct ckrun_command *command)
{
    const bool test = command->test, bench = command->bench.is_given;
    const bool launches = command->launch_texts.n > 0, all = command->schedule.n_all > 0;
    const bool asks = command->query_texts.n || command->list || command->usage;
    const struct tool_rule rules[] = {
        {command->junit && !test, "--junit is the report of --test: add --test"},
        {command->has_time_limit && !test, "--time-limit is of the cases of --test: add --test"},
        {test && (command->definitions.n || command->n_results || asks || bench),
         "--test takes files alone: launches, values and expectations stand in them"},
        {test && reads_standard_input(command),
         "--test takes files, which each case reads: standard input is none"},
        {test && (command->schedule.is_given || command->check),
         "--test chooses schedules and checks: `#: options` in the file has others"},
        {!test && all && !launches,
         "--schedule all compares the results of launches: there is none"},
        {!test && bench && !launches, "--bench times launches: there is none"},
        {!test && bench && all, "--bench times one schedule: --schedule all has several"},
        {!test && !launches && !asks && !command->n_results,
         "nothing to do: give a launch, 'KERNEL[GRID, BLOCK](ARG, ...)', or --list to see the "
         "kernels"},
    };
    return tool_check_rules(rules, sizeof rules / sizeof rules[0]);
}

int
ckrun_read_command_line(struct ckrun_command *command, int argc, char **argv)
{
    struct tool_args args = {options, sizeof options / sizeof options[0], &help, argc, argv, 1};
    int status = tool_read_options(&args, apply_option, command);
    if (status < 0 && !command->file)
        status = tool_no_input();
    return status < 0 ? check_options(command) : status;
}
