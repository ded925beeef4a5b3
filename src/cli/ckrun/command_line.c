/* ckrun's options, and the reading of its command line. */
#include "command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
    "  an argument is an array, a number, a tuple or None; NAME=ARG: by the parameter's name\n"
    "  GRID, BLOCK   an integer, a tuple of up to three, or an expression: M.shape[1] // 32.\n"
    "                GRID may be `max`: the most blocks that can be resident at once\n"
    "  STREAM        0 or None\n"
    "  SHARED        bytes of dynamic shared memory a block\n"
    "  CLUSTER       blocks of a cluster, as GRID, or None; needless where the kernel says it\n"
    "  ARG           an array's name or a number; a plain number takes the parameter's type\n"
    "                (of a generic kernel: int64, or the float type of the other arguments),\n"
    "                float32(2.5) has its own\n"
    "Several launches run in order on the same arrays. Loops around them:\n"
    "  'repeat N: LAUNCH; LAUNCH'       'until EXPRESSION: LAUNCH; LAUNCH', on the arrays after\n"
    "                                   each pass; until ...: repeat N: ... for fewer checks\n"
    "\n"
    "Values: NAME=VALUE, evaluated in order, with NumPy's meaning (docs/ckrun.md has all):\n"
    "  zeros(shape, dtype=float64)      ones(shape, dtype)     full(shape, fill_value, dtype)\n"
    "  arange([start,] stop[, step], dtype)                    linspace(start, stop, num=50)\n"
    "  array([[1, 2], [3, 4]], dtype)   zeros_like(x)          empty(shape, dtype): no values\n"
    "  uniform(shape, dtype=float64, low=0, high=1, seed)      normal(shape, dtype, loc, scale)\n"
    "  randint(low, high, shape, dtype=int64, seed)\n"
    "  create_xoroshiro128p_states(n, seed): of Numba's random numbers\n"
    "  array([(1, 2.5)], record(x=int32, y=float32)), or dtype([('x', int32), ...]): records;\n"
    "                                   p.x or p['x'] is a field of all, p[0] one record\n"
    "  @FILE.npy  @FILE.npz:KEY  @FILE.csv                     fromfile('FILE.bin', dtype)\n"
    "  x[1:, ::-1]  x.T  x.reshape(2, -1)  x.astype(dtype)     copies, as all of these are\n"
    "  x.shape  x.size  len(x)  x.sum()  x.max()  x.all()      abs(x)  sqrt(x)  where(c, x, y)\n"
    "  a number, a tuple, or an expression; Point(1, 2.5) is a namedtuple's items, in order\n"
    "Expressions have Python's operators, on arrays too; dtypes are int32, np.int32 or 'int32'.\n"
    "\n"
    "Results:\n"
    "  --print NAME            print the value as NumPy 1.14 to 2.2 does; repeatable\n"
    "  --save NAME=FILE        save the array as .npy, .npz (several in one file), .csv or .bin;\n"
    "                          repeatable. Nothing is saved if anything fails\n"
    "  --expect NAME=WANT      compare with a file or an expression, in which arrays\n"
    "                          are as before the launches: y=2.5*x + y; repeatable. Integers\n"
    "                          exactly, floats as NumPy's allclose; NaN equals NaN. The largest\n"
    "                          error is printed\n"
    "  --rtol R --atol A       tolerances of --expect; default 1e-5 and 1e-8\n"
    "\n"
    "Tests:\n"
    "  --test FILE ...         run the tests in the comments of the files (docs/ckrun.md), with\n"
    "                          --check in four orders of the CPU device's threads, and on a GPU\n"
    "                          if there is one; --device chooses\n"
    "  --junit FILE            write the results of --test as JUnit's XML too\n"
    "\n"
    "Times:\n"
    "  --bench[=N]             after the run above, N more of all launches, each from the same\n"
    "                          arrays: median and quartiles of the times, GB/s of the arrays'\n"
    "                          bytes and their share of the device's copies, and the ratio to\n"
    "                          the first launch. Without N: for a second\n"
    "\n"
    "Questions:\n"
    "  --list                  the kernels and their signatures\n"
    "  --max-blocks 'KERNEL[_, BLOCK, _, SHARED, CLUSTER](ARG, ...)'\n"
    "                          the most blocks of that shape that can be resident at once; the\n"
    "                          arguments are needed where they choose the signature\n"
    "  --usage                 registers, local, shared and constant memory of the kernels that\n"
    "                          are launched (else of all), and the occupancy with what limits it\n"
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
    "  --json                  all answers as one object of JSON on standard output\n"
    "  --progress              say on standard error what is being done\n"
    "  --diagnostics=text|json|sarif\n"
    "                          the form of errors, warnings and findings, on standard error:\n"
    "                          docs/diagnostics.md\n"
    "  --color=auto|always|never\n"
    "                          colours in messages; auto, the default: on a terminal, unless\n"
    "                          NO_COLOR is set\n"
    "  --completion=bash|zsh|fish\n"
    "                          write the shell's script that completes these options\n"
    "  --version, --help\n"
    "\n"
    "Exit status: 0 done; 1 the program or a launch's arguments are wrong, a check found a\n"
    "mistake, a result depends on the schedule, a file cannot be read or written, or an\n"
    "expectation fails; 2 usage, a wrong expression included;\n"
    "3 device, driver, or out of memory; 70 a bug in ck.\n";

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
    {"usage", TOOL_FLAG, OPT_USAGE},
    {"test", TOOL_FLAG, OPT_TEST},
    {"junit", TOOL_VALUE, OPT_JUNIT},
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
apply_option(void *context, const struct tool_args *args, int id, const char *value)
{
    struct ckrun_command *command = context;
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
        return TOOL_USAGE; /* TOOL_BAD: the message has been printed */
    }
}

static bool
has_work(const struct ckrun_command *command)
{
    return command->launch_texts.n || command->query_texts.n || command->n_results ||
           command->list || command->usage;
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

/* Returns -1 to continue, else the exit status. */
static int
check_test(const struct ckrun_command *command)
{
    const char *text = NULL;
    if (!command->test)
        text = "--junit is the report of --test: add --test";
    else if (command->definitions.n || command->n_results || command->query_texts.n ||
             command->list || command->usage || command->bench.is_given)
        text = "--test takes files alone: launches, values and expectations stand in them";
    else if (command->schedule.is_given || command->check)
        text = "--test chooses schedules and checks: `#: options` in the file has others";
    if (!text)
        return -1;
    tool_error("%s", text);
    return TOOL_USAGE;
}

int
ckrun_read_command_line(struct ckrun_command *command, int argc, char **argv)
{
    struct tool_args args = {options, sizeof options / sizeof options[0], argc, argv, 1, false};
    int status = tool_read_options(&args, help_text, apply_option, command);
    if (status >= 0)
        return status;
    if (!command->file) {
        tool_error("no input file; see `ckrun --help`");
        return TOOL_USAGE;
    }
    if (command->test || command->junit)
        return check_test(command);
    if (command->schedule.n_all && !command->launch_texts.n) {
        tool_error("--schedule all compares the results of launches: there is none");
        return TOOL_USAGE;
    }
    if (command->bench.is_given && !command->launch_texts.n) {
        tool_error("--bench times launches: there is none");
        return TOOL_USAGE;
    }
    if (command->bench.is_given && command->schedule.n_all) {
        tool_error("--bench times one schedule: --schedule all has several");
        return TOOL_USAGE;
    }
    if (!has_work(command)) {
        tool_error("nothing to do: give a launch, 'KERNEL[GRID, BLOCK](ARG, ...)', or "
                   "--list to see the kernels");
        return TOOL_USAGE;
    }
    return -1;
}
