/* ckc's options, and the reading of its command line. */
#include "ckc.h"

#include <stdlib.h>
#include <string.h>

#include "common/messages.h"
#include "explain.h"

enum option_id {
    OPT_OUTPUT,
    OPT_EMIT,
    OPT_ARCH,
    OPT_SIG,
    OPT_CHECK,
    OPT_MD,
    OPT_MF,
    OPT_LEVEL,
    OPT_FMAD,
    OPT_FP_CONTRACT,
    OPT_LINEINFO,
    OPT_MATH,
    OPT_NO_CACHE,
    OPT_RESTRICT,
    OPT_ALIGNED,
    OPT_SMALL,
    OPT_NATURAL,
    OPT_SMALL_VERSION,
    OPT_SCHEDULE,
    OPT_WNO,
    OPT_WERROR,
    OPT_TIME,
    OPT_USAGE,
    OPT_REGISTERS,
    OPT_PREFIX,
    OPT_EXPLAIN,
    OPT_FAST_MATH,
    OPT_VERBOSE,
};

/* --- The table ---------------------------------------------------------------------------------
 */

#define KIND(name, what, ...) {name, __VA_ARGS__},
const struct ckc_emit_kind ckc_emit_kinds[] = {
#include "emit_kinds.def"
};
#undef KIND

enum { N_EMIT_KINDS = sizeof ckc_emit_kinds / sizeof ckc_emit_kinds[0] };

#define KIND(name, what, ...) {name, what},
static const struct tool_value emit_values[] = {
#include "emit_kinds.def"
    {NULL, NULL},
};
#undef KIND

static const struct tool_value booleans[] = {
    {"false", "two roundings"}, {"0", "the same"}, {"true", "one rounding; the default"},
    {"1", "the same"},          {NULL, NULL},
};
static const struct tool_value contracts[] = {
    {"off", "--fmad=false"},
    {"on", "--fmad=true"},
    {"fast", "the same"},
    {NULL, NULL},
};
static const struct tool_value schedules[] = {
    {"any", "any order; the default"},
    {"seq", "the order of their ranks alone"},
    {NULL, NULL},
};

/* In the order of ck_compile_options.small_version, from -1. */
static const struct tool_value small_versions[] = {
    {"none", "no kernel"},
    {"auto", "those that gain by it; the default"},
    {"all", "all that can have one"},
    {NULL, NULL},
};

static const struct tool_option options[] = {
    {"-o", TOOL_VALUE, OPT_OUTPUT, "the output; - is standard output", "FILE",
     .more = "By default FILE with the suffix of the kind emitted: .ptx .ll .ast .types .manifest "
             ".cubin .sass .c .d.",
     .section = "Output"},
    {"--output-file", TOOL_VALUE, OPT_OUTPUT},
    {"--emit", TOOL_VALUE, OPT_EMIT, "what to write", "KIND", emit_values},
    {"-MD", TOOL_FLAG, OPT_MD, "write what --emit=deps does for the output too",
     .more = "To the output's name with the suffix .d."},
    {"-MF", TOOL_VALUE, OPT_MF, "the file that -MD writes", "FILE"},
    {"--check", TOOL_FLAG, OPT_CHECK, "parse and check only, write nothing"},
    {"-fsyntax-only", TOOL_FLAG, OPT_CHECK},

    {"-arch", TOOL_VALUE, OPT_ARCH, "the target; default sm_75; native: the GPU present", "sm_90",
     .more = "PTX for sm_75 runs on every later GPU. With --emit=llvm also host: the code of the "
             "CPU device.",
     .section = "Compilation"},
    {"--gpu-name", TOOL_VALUE, OPT_ARCH},
    {"--gpu-architecture", TOOL_VALUE, OPT_ARCH},
    {"--cuda-gpu-arch", TOOL_VALUE, OPT_ARCH},
    {"--sig", TOOL_VALUE, OPT_SIG, "compile a generic kernel for these types; repeatable",
     "'k(int32[:])'"},
    {"-O", TOOL_JOINED, OPT_LEVEL, "optimisation, from -O0 to -O3; default -O3", "N"},
    {"--optimize", TOOL_VALUE, OPT_LEVEL},
    {"--fmad", TOOL_VALUE, OPT_FMAD, "contract a*b + c to a fused multiply-add; default true",
     "BOOL"},
    {"-ffp-contract", TOOL_VALUE, OPT_FP_CONTRACT, "the same, as clang spells it", "HOW",
     contracts},
    {"--use_fast_math", TOOL_FLAG, OPT_FAST_MATH, "approximate float32 functions and division",
     .more = TOOL_FAST_MATH_TEXT},
    {"--math", TOOL_VALUE, OPT_MATH, "the library of math functions; default libclc", "LIBRARY",
     tool_libraries},
    {"-lineinfo", TOOL_FLAG, OPT_LINEINFO, "source lines in the output, for profilers"},
    {"--generate-line-info", TOOL_FLAG, OPT_LINEINFO},
    {"-gline-tables-only", TOOL_FLAG, OPT_LINEINFO},
    {"--maxrregcount", TOOL_VALUE, OPT_REGISTERS, "the most registers of a thread", "N",
     .more = "Of kernels without launch bounds, as nvcc has it."},
    {"--file-prefix-map", TOOL_VALUE, OPT_PREFIX, "the source's name in the output: NEW for OLD",
     "OLD=NEW",
     .more = "Replaces OLD where the name begins with it, so that the output does not depend on "
             "the folder."},
    {"-ffile-prefix-map", TOOL_VALUE, OPT_PREFIX},
    {"--no-cache", TOOL_FLAG, OPT_NO_CACHE, "take nothing from the cache, and keep nothing there"},
    {"-restrict", TOOL_FLAG, OPT_RESTRICT, "no array that a kernel writes overlaps another",
     .more = "ckrun and libck check this of the PTX they launch."},
    {"-aligned", TOOL_FLAG, OPT_ALIGNED, "arrays begin at multiples of 16 bytes",
     .more = "Checked likewise."},
    {"-small", TOOL_FLAG, OPT_SMALL, "arrays and grids are small",
     .more = "Arrays have fewer than 2^31 - 2^16 elements, along each axis too, grids fewer than "
             "2^31 threads, and int64 arguments fit in int32, so that more is computed in 32 bits. "
             "Checked likewise."},
    {"-natural", TOOL_FLAG, OPT_NATURAL, "no integer argument is negative",
     .more = "Checked likewise."},
    {"--small-version", TOOL_VALUE, OPT_SMALL_VERSION, "kernels with a version for small launches",
     "KERNELS", small_versions,
     .more = "What -small and -natural assume is tested at the kernel's entry. By default kernels "
             "have one where it pays."},
    {"--schedule", TOOL_VALUE, OPT_SCHEDULE, "with -arch=host, the order of a block's threads",
     "ORDER", schedules},

    {"-Wno-", TOOL_JOINED, OPT_WNO, "no warnings of the name that stands at their end", "NAME",
     .section = "Messages"},
    {"-Werror", TOOL_FLAG, OPT_WERROR, "a warning is a failure"},
    {"--explain", TOOL_OPTIONAL, OPT_EXPLAIN, "what a diagnostic means, with examples", "NAME",
     .more = "NAME stands in brackets at the end of a message. Without one: all names."},
    {"-v", TOOL_FLAG, OPT_VERBOSE, "notes of what is done: files, target, programs run, times",
     .more = "With the files that were found, and the command lines of CUDA's programs."},
    {"--verbose", TOOL_FLAG, OPT_VERBOSE},
    {"--time", TOOL_FLAG, OPT_TIME, "print the time of each phase"},
    {"--usage", TOOL_OPTIONAL, OPT_USAGE, "registers, spills, occupancy, by CUDA's ptxas",
     "THREADS",
     .more = "For each kernel: registers, spills, stack, shared and constant memory, and the "
             "occupancy for blocks of so many threads (by default a table of sizes) with what "
             "limits it."},
    {"--resource-usage", TOOL_FLAG, OPT_USAGE},
    TOOL_COMMON_OPTIONS,
};

static const struct tool_topic no_topics[] = {{NULL, NULL}};

#define NO_DEBUGGER                                                                                \
    "there is no code for debuggers; -lineinfo has the lines of the source, and ckrun --check, "   \
    "print and assert show what goes wrong"
#define ONE_ARCH "one run compiles for one architecture, -arch=sm_90; its PTX runs on later GPUs"

/* Of nvcc and clang. */
static const struct tool_topic options_of_nvcc[] = {
    {"g", NO_DEBUGGER},
    {"G", NO_DEBUGGER},
    {"debug", NO_DEBUGGER},
    {"device-debug", NO_DEBUGGER},
    {"gencode", ONE_ARCH},
    {"generate-code", ONE_ARCH},
    {"code", ONE_ARCH},
    {"gpu-code", ONE_ARCH},
    {"ptx", "write --emit=ptx, which is the default"},
    {"cubin", "write --emit=cubin"},
    {"S", "write --emit=ptx, which is the default, or --emit=llvm"},
    {"emit-llvm", "write --emit=llvm"},
    {"c", "there are no objects of host code; --emit=c writes C with the PTX inside"},
    {NULL, NULL},
};

static const struct tool_topic statuses[] = {
    {"0", "Done."},
    {"1", "The program is wrong, or a file cannot be read or written."},
    {"2", "Usage: the command line is wrong."},
    {"3", "Device, driver, or out of memory."},
    {"70", "A bug in ck."},
    {NULL, NULL},
};

static const struct tool_help help = {
    .usage = "[options] FILE.ck",
    .summary = "compile GPU kernels written in ck",
    .begin = "Compiles GPU kernels written in ck. FILE `-` is standard input.\n",
    .about = "Compiles GPU kernels written in ck, a language after Numba's kernels. FILE `-` is "
             "standard input.",
    .topics = no_topics,
    .statuses = statuses,
    .others = options_of_nvcc,
};

/* --- Options -----------------------------------------------------------------------------------
 */

static int
set_emit(struct ckc_run *run, const char *value)
{
    static const char after[] = "llvm-after=";
    run->compile.after_pass = NULL;
    if (strncmp(value, after, sizeof after - 1) == 0) {
        run->compile.after_pass = value + sizeof after - 1;
        value = "llvm";
    }
    if (strcmp(value, "obj") == 0) {
        tool_error("--emit=obj: there are no objects of host code; --emit=c writes C with the PTX "
                   "inside");
        return TOOL_USAGE;
    }
    int i = tool_choose("--emit", value, emit_values);
    if (i < 0)
        return TOOL_USAGE;
    run->emit = &ckc_emit_kinds[i];
    return TOOL_DONE;
}

static int
set_level(struct ckc_run *run, const char *value)
{
    if (strlen(value) != 1 || value[0] < '0' || value[0] > '3') {
        tool_error("unknown optimisation level `-O%s`; there are -O0 -O1 -O2 -O3", value);
        return TOOL_USAGE;
    }
    run->compile.opt_level = value[0] == '0' ? -1 : value[0] - '0';
    return TOOL_DONE;
}

/* A switch: the first `n_off` of its values mean off, the others on. */
static int
set_fmad(struct ckc_run *run, const char *option, const char *value, const struct tool_value *words,
         int n_off)
{
    int i = tool_choose(option, value, words);
    if (i < 0)
        return TOOL_USAGE;
    run->compile.no_fmad = i < n_off;
    return TOOL_DONE;
}

static int
set_schedule(struct ckc_run *run, const char *value)
{
    int i = tool_choose("--schedule", value, schedules);
    if (i < 0)
        return TOOL_USAGE;
    run->compile.by_rank = i;
    return TOOL_DONE;
}

static int
set_small_version(struct ckc_run *run, const char *value)
{
    int i = tool_choose("--small-version", value, small_versions);
    if (i < 0)
        return TOOL_USAGE;
    run->compile.small_version = i - 1;
    return TOOL_DONE;
}

static void
add_text(const char ***list, size_t *n, const char *text)
{
    *list = tool_grow(*list, *n + 1, sizeof **list);
    (*list)[(*n)++] = text;
}

static int
set_input(struct ckc_run *run, const char *path)
{
    if (run->input) {
        tool_error("more than one input: `%s` and `%s`; ckc compiles one file at a time",
                   run->input, path);
        return TOOL_USAGE;
    }
    run->input = path;
    return TOOL_DONE;
}

/* Fails if the output's suffix belongs to another kind; else returns -1. */
static int
check_suffix(const struct ckc_run *run)
{
    static const struct {
        const char *suffix, *kind; /* the kind of file that has the suffix */
    } others[] = {{".fatbin", "fatbin"},
                  {".o", "obj"},
                  {".ck", "source"},
                  {".h", "header"},
                  {".hpp", "header"}};
    const char *slash = run->output ? strrchr(run->output, '/') : NULL;
    const char *suffix = run->output ? strrchr(slash ? slash : run->output, '.') : NULL;
    const char *kind = NULL, *emitted = run->emit->name;
    if (!suffix || run->check_only || strcmp(suffix, run->emit->suffix) == 0)
        return -1;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(suffix, others[i].suffix) == 0)
            kind = others[i].kind;
    }
    if (kind) {
        tool_error("the output `%s` would not be %s but what --emit=%s writes (*%s)", run->output,
                   kind, emitted, run->emit->suffix);
        return TOOL_USAGE;
    }
    for (int i = 0; i < N_EMIT_KINDS && !kind; i++) {
        if (strcmp(suffix, ckc_emit_kinds[i].suffix) == 0)
            kind = ckc_emit_kinds[i].name;
    }
    if (!kind)
        return -1;
    tool_error("the output `%s` would be what --emit=%s writes (*%s): add --emit=%s, or name "
               "it otherwise",
               run->output, emitted, run->emit->suffix, kind);
    return TOOL_USAGE;
}

static int
set_usage(struct ckc_run *run, const char *value)
{
    uint64_t threads = 0;
    run->usage = true;
    if (value && (!tool_read_number(value, &threads) || threads < 1 || threads > MOST_THREADS)) {
        tool_error("--usage=N takes the number of threads of a block, from 1 to %d: `%s`",
                   MOST_THREADS, value);
        return TOOL_USAGE;
    }
    run->usage_threads = (int)threads;
    return TOOL_DONE;
}

static int
set_registers(struct ckc_run *run, const char *value)
{
    enum { MOST = 255 };
    uint64_t n;
    if (!tool_read_number(value, &n) || n < 1 || n > MOST) {
        tool_error("--maxrregcount takes a number of registers, from 1 to %d: `%s`", MOST, value);
        return TOOL_USAGE;
    }
    run->compile.max_registers = (int)n;
    return TOOL_DONE;
}

static int
add_prefix(struct ckc_run *run, const char *value)
{
    if (!strchr(value, '=')) {
        tool_error("--file-prefix-map takes OLD=NEW: `%s`", value);
        return TOOL_USAGE;
    }
    add_text(&run->prefixes, &run->n_prefixes, value);
    return TOOL_DONE;
}

static int
apply_option(void *context, const struct tool_args *args, int id, const char *value)
{
    struct ckc_run *run = context;
    switch (id) {
    case TOOL_POSITIONAL:
        return set_input(run, value);
    case OPT_OUTPUT:
        run->output = value;
        return TOOL_DONE;
    case OPT_EMIT:
        return set_emit(run, value);
    case OPT_ARCH:
        run->compile.arch = value;
        return TOOL_DONE;
    case OPT_SIG:
        add_text(&run->sigs, &run->compile.n_sigs, value);
        return TOOL_DONE;
    case OPT_LEVEL:
        return set_level(run, value);
    case OPT_FMAD:
        return set_fmad(run, "--fmad", value, booleans, 2);
    case OPT_FP_CONTRACT:
        return set_fmad(run, "-ffp-contract", value, contracts, 1);
    case OPT_LINEINFO:
        run->compile.lineinfo = 1;
        return TOOL_DONE;
    case OPT_MATH:
        run->math = value;
        return TOOL_DONE;
    case OPT_FAST_MATH:
        run->compile.fast_math = 1;
        return TOOL_DONE;
    case OPT_NO_CACHE:
        run->no_cache = true;
        return TOOL_DONE;
    case OPT_RESTRICT:
        run->compile.restrict_arrays = 1;
        return TOOL_DONE;
    case OPT_ALIGNED:
        run->compile.aligned_arrays = 1;
        return TOOL_DONE;
    case OPT_SMALL:
        run->compile.small_launches = 1;
        return TOOL_DONE;
    case OPT_NATURAL:
        run->compile.natural_scalars = 1;
        return TOOL_DONE;
    case OPT_SMALL_VERSION:
        return set_small_version(run, value);
    case OPT_SCHEDULE:
        return set_schedule(run, value);
    case OPT_WNO:
        add_text(&run->warnings_off, &run->compile.n_warnings_off, value);
        return TOOL_DONE;
    case OPT_MD:
        run->depfile = true;
        return TOOL_DONE;
    case OPT_MF:
        run->depfile_name = value;
        return TOOL_DONE;
    case OPT_CHECK:
        run->check_only = true;
        run->compile.check_generic = 1;
        return TOOL_DONE;
    case OPT_WERROR:
        run->werror = true;
        return TOOL_DONE;
    case OPT_TIME:
        run->time = true;
        return TOOL_DONE;
    case OPT_USAGE:
        return set_usage(run, value);
    case OPT_REGISTERS:
        return set_registers(run, value);
    case OPT_PREFIX:
        return add_prefix(run, value);
    case OPT_VERBOSE:
        tool_be_verbose();
        return TOOL_DONE;
    case OPT_EXPLAIN:
        run->explains = true;
        return value ? set_input(run, value) : TOOL_DONE;
    default:
        return TOOL_USAGE;
    }
}

static bool
is_standard(const char *name)
{
    return name && strcmp(name, "-") == 0;
}

/* Whether the files of --emit=c have no names. */
static bool
lacks_c_name(const struct ckc_run *run)
{
    size_t length = run->output ? strlen(run->output) : 0;
    bool named = run->output ? length > 2 && strcmp(run->output + length - 2, ".c") == 0
                             : !is_standard(run->input);
    return run->emit->as_c && !run->check_only && !named;
}

/* Fails if options do not fit one another. */
static int
check_options(const struct ckc_run *run)
{
    const bool in = is_standard(run->input), out = is_standard(run->output);
    const bool writes = !run->check_only, of_files = run->emit->of_files;
    const struct tool_rule rules[] = {
        {run->time && !tool_report_is_text(), "--time prints a table: it needs --diagnostics=text"},
        {run->depfile_name && !run->depfile, "-MF names the file that -MD writes: add -MD"},
        {run->depfile && !writes, "-MD describes an output, and --check writes none"},
        {run->depfile && of_files,
         "--emit=deps writes what -MD does, without an output: give one of them"},
        {in && writes && (run->depfile || of_files),
         "standard input has no name for the rule of a dependency file: name the source"},
        {run->depfile && !run->depfile_name && out,
         "-MD names its file after the output, which has no name: add -MF FILE"},
        {run->usage && out,
         "--usage prints on standard output, where the output is to go: name a file by -o"},
        {run->usage && in && !run->output && writes,
         "--usage prints on standard output, where the output is to go: name a file by -o, "
         "or add --check"},
        {run->usage && (of_files || run->emit->kind == CK_EMIT_AST),
         "--usage is of code, which this --emit does not make"},
        {lacks_c_name(run),
         "--emit=c writes FILE.c, FILE.h and FILE.hpp: name the first by -o FILE.c"},
    };
    return tool_check_rules(rules, sizeof rules / sizeof rules[0]);
}

int
ckc_read_command_line(struct ckc_run *run, int argc, char **argv)
{
    struct tool_args args = {options, sizeof options / sizeof options[0], &help, argc, argv, 1};
    int status = tool_read_options(&args, apply_option, run);
    if (status < 0 && run->explains)
        return explain(run->input);
    if (status < 0 && !run->input)
        status = tool_no_input();
    if (status < 0)
        status = check_options(run);
    if (status < 0 && !(run->output && tool_same_file(run->output, run->input)))
        status = check_suffix(run); /* else write_output reports it */
    return status;
}
