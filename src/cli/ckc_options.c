/* ckc's options, and the reading of its command line. */
#include "ckc.h"

#include <stdlib.h>
#include <string.h>

#include "common/messages.h"

static const char help_text[] =
    "usage: ckc [options] FILE.ck\n"
    "\n"
    "Compiles GPU kernels written in ck. FILE `-` is standard input.\n"
    "\n"
    "Output:\n"
    "  -o FILE                 the output; `-` is standard output. Default: FILE with the\n"
    "                          suffix of the kind emitted (.ptx .ll .ast .types .manifest\n"
    "                          .cubin .sass .c .d)\n"
    "  --emit=KIND             what to write:\n"
    "                            ptx       PTX with its manifest inside (default)\n"
    "                            llvm      LLVM IR after the passes\n"
    "                            llvm-raw  LLVM IR before them\n"
    "                            llvm-after=PASS  LLVM IR after one of them (docs/passes.md)\n"
    "                            ast       the syntax tree\n"
    "                            types     the typed program\n"
    "                            manifest  the manifest of the image\n"
    "                            cubin     machine code, by CUDA's ptxas\n"
    "                            sass      its disassembly, by CUDA's nvdisasm or cuobjdump\n"
    "                            c         C source and a header: the PTX inside, and a function\n"
    "                                      a kernel, which needs libckrt alone\n"
    "                            deps      a rule for make and ninja: the files that the PTX is\n"
    "                                      made from. Nothing is compiled\n"
    "  -MD                     write that rule for the output too, to the output's name with\n"
    "                          the suffix .d\n"
    "  -MF FILE                the file that -MD writes\n"
    "  --check                 parse and check only, write nothing\n"
    "\n"
    "Compilation:\n"
    "  -arch=sm_90             the target; also --gpu-name, --gpu-architecture,\n"
    "                          --cuda-gpu-arch. Default: the GPU present, else sm_75, whose\n"
    "                          PTX every later GPU runs. host, with --emit=llvm: the code of\n"
    "                          the CPU device\n"
    "  --sig 'k(float32[::1])' compile the generic kernel k for these types; repeatable\n"
    "  -O0 -O1 -O2 -O3         optimisation; default -O3\n"
    "  --fmad=true|false       contract a*b+c to a fused multiply-add; default true. Also\n"
    "                          -ffp-contract=on|fast|off\n"
    "  --math=auto|libclc|libdevice[=FILE]\n"
    "                          the library of math functions: CUDA's libdevice, or libclc, which\n"
    "                          is inside ckc. auto, the default: libdevice where a toolkit is\n"
    "                          found by CUDA_HOME, CUDA_PATH, /usr/local/cuda or nvcc\n"
    "  -lineinfo               source lines in the output, for profilers; also\n"
    "                          --generate-line-info, -gline-tables-only\n"
    "  --maxrregcount N        the most registers of a thread, in kernels without launch bounds\n"
    "  --file-prefix-map OLD=NEW\n"
    "                          the source's name in the output, with NEW for OLD at its beginning\n"
    "  --no-cache              compile again, and keep nothing: else what was compiled before is\n"
    "                          taken from CK_CACHE_DIR, XDG_CACHE_HOME/ck or ~/.cache/ck, which\n"
    "                          holds at most CK_CACHE_SIZE (default 256M)\n"
    "  -restrict               no array that a kernel writes overlaps another: ckrun and libck\n"
    "                          check this of the PTX they launch\n"
    "  -aligned                arrays begin at multiples of 16 bytes; checked likewise\n"
    "  -small                  extents of arrays and threads of grids are below 2^31, int64\n"
    "                          arguments fit in int32, so that more is computed in 32 bits;\n"
    "                          checked likewise\n"
    "  -natural                no integer argument is negative; checked likewise\n"
    "  --schedule=any|seq      with -arch=host: code for any order of a block's threads, or for\n"
    "                          the order of their ranks alone; default any\n"
    "\n"
    "Messages:\n"
    "  -Wno-NAME               no warnings of this name (it stands at the end of a warning)\n"
    "  -Werror                 a warning is a failure\n"
    "  --diagnostics=text|json|sarif\n"
    "                          the form of messages on standard error: docs/diagnostics.md\n"
    "  --time                  the time each phase took\n"
    "  --usage[=THREADS]       by CUDA's ptxas, for each kernel: registers, spills, stack, shared\n"
    "                          and constant memory, and the occupancy for a block of so many\n"
    "                          threads (default: a table of sizes) with what limits it\n"
    "  --color=auto|always|never\n"
    "                          colours in messages; auto, the default: on a terminal, unless\n"
    "                          NO_COLOR is set\n"
    "  --completion=bash|zsh|fish\n"
    "                          write the shell's script that completes these options\n"
    "  --version, --help\n"
    "\n"
    "Options of several letters are written with one dash or two; a value follows after `=`\n"
    "or as the next argument.\n"
    "\n"
    "Exit status: 0 done; 1 the program is wrong, or a file cannot be read or written;\n"
    "2 usage; 3 device, driver, or out of memory; 70 a bug in ck.\n";

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
    OPT_SCHEDULE,
    OPT_WNO,
    OPT_WERROR,
    OPT_TIME,
    OPT_USAGE,
    OPT_REGISTERS,
    OPT_PREFIX,
    OPT_LATER = TOOL_LATER, /* in the interface, not in this release */
};

static const struct tool_option options[] = {
    TOOL_COMMON_OPTIONS,
    {"o", TOOL_VALUE, OPT_OUTPUT},
    {"output-file", TOOL_VALUE, OPT_OUTPUT},
    {"emit", TOOL_VALUE, OPT_EMIT},
    {"arch", TOOL_VALUE, OPT_ARCH},
    {"gpu-name", TOOL_VALUE, OPT_ARCH},
    {"gpu-architecture", TOOL_VALUE, OPT_ARCH},
    {"cuda-gpu-arch", TOOL_VALUE, OPT_ARCH},
    {"sig", TOOL_VALUE, OPT_SIG},
    {"check", TOOL_FLAG, OPT_CHECK},
    {"fsyntax-only", TOOL_FLAG, OPT_CHECK},
    {"MD", TOOL_FLAG, OPT_MD},
    {"MF", TOOL_VALUE, OPT_MF},
    {"O", TOOL_JOINED, OPT_LEVEL},
    {"optimize", TOOL_VALUE, OPT_LEVEL},
    {"fmad", TOOL_VALUE, OPT_FMAD},
    {"ffp-contract", TOOL_VALUE, OPT_FP_CONTRACT},
    {"lineinfo", TOOL_FLAG, OPT_LINEINFO},
    {"generate-line-info", TOOL_FLAG, OPT_LINEINFO},
    {"gline-tables-only", TOOL_FLAG, OPT_LINEINFO},
    {"math", TOOL_VALUE, OPT_MATH},
    {"no-cache", TOOL_FLAG, OPT_NO_CACHE},
    {"restrict", TOOL_FLAG, OPT_RESTRICT},
    {"aligned", TOOL_FLAG, OPT_ALIGNED},
    {"small", TOOL_FLAG, OPT_SMALL},
    {"natural", TOOL_FLAG, OPT_NATURAL},
    {"schedule", TOOL_VALUE, OPT_SCHEDULE},
    {"Wno-", TOOL_JOINED, OPT_WNO},
    {"Werror", TOOL_FLAG, OPT_WERROR},
    {"time", TOOL_FLAG, OPT_TIME},
    {"usage", TOOL_OPTIONAL, OPT_USAGE},
    {"resource-usage", TOOL_FLAG, OPT_USAGE},
    {"g", TOOL_FLAG, OPT_LATER},
    {"v", TOOL_FLAG, OPT_LATER},
    {"use_fast_math", TOOL_FLAG, OPT_LATER},
    {"maxrregcount", TOOL_VALUE, OPT_REGISTERS},
    {"file-prefix-map", TOOL_VALUE, OPT_PREFIX},
    {"ffile-prefix-map", TOOL_VALUE, OPT_PREFIX},
};

const struct ckc_emit_kind ckc_emit_kinds[] = {
    {"ptx", ".ptx", CK_EMIT_PTX, true},
    {"llvm", ".ll", CK_EMIT_LLVM, true},
    {"llvm-raw", ".ll", CK_EMIT_LLVM_RAW, true},
    {"ast", ".ast", CK_EMIT_AST, false},
    {"types", ".types", CK_EMIT_TYPES, false},
    {"manifest", ".manifest", CK_EMIT_MANIFEST, true},
    {"deps", ".d", 0, true, true},
    {"cubin", ".cubin", CK_EMIT_PTX, true, false, AS_CUBIN},
    {"sass", ".sass", CK_EMIT_PTX, true, false, AS_SASS},
    {"c", ".c", CK_EMIT_PTX, true, false, AS_IS, true},
    {"obj", NULL, 0, false},
};

enum { N_EMIT_KINDS = sizeof ckc_emit_kinds / sizeof ckc_emit_kinds[0] };

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
    const char *names[N_EMIT_KINDS];
    size_t n = 0; /* the supported ones come first */
    for (int i = 0; i < N_EMIT_KINDS; i++) {
        if (ckc_emit_kinds[i].suffix) {
            names[n++] = ckc_emit_kinds[i].name;
        } else if (strcmp(value, ckc_emit_kinds[i].name) == 0) {
            tool_error("--emit=%s is not supported yet", value);
            return TOOL_USAGE;
        }
    }
    int i = tool_choice("--emit", value, names, n);
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
set_fmad(struct ckc_run *run, const char *option, const char *value, const char *const *words,
         int n, int n_off)
{
    int i = tool_choice(option, value, words, (size_t)n);
    if (i < 0)
        return TOOL_USAGE;
    run->compile.no_fmad = i < n_off;
    return TOOL_DONE;
}

static int
set_schedule(struct ckc_run *run, const char *value)
{
    static const char *const names[] = {"any", "seq"};
    int i = tool_choice("--schedule", value, names, 2);
    if (i < 0)
        return TOOL_USAGE;
    run->compile.by_rank = i;
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

/* Fails if the output's suffix belongs to another kind. */
static int
check_suffix(const struct ckc_run *run)
{
    static const struct {
        const char *suffix, *kind; /* the kind of file that has the suffix */
    } others[] = {{".fatbin", "fatbin"}, {".o", "obj"}, {".ck", "source"}, {".h", "header"}};
    const char *slash = run->output ? strrchr(run->output, '/') : NULL;
    const char *suffix = run->output ? strrchr(slash ? slash : run->output, '.') : NULL;
    const char *kind = NULL, *emitted = run->emit->name;
    if (!suffix || run->check_only || strcmp(suffix, run->emit->suffix) == 0)
        return TOOL_DONE;
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
        if (ckc_emit_kinds[i].suffix && strcmp(suffix, ckc_emit_kinds[i].suffix) == 0)
            kind = ckc_emit_kinds[i].name;
    }
    if (!kind)
        return TOOL_DONE;
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
    static const char *const booleans[] = {"false", "0", "true", "1"};
    static const char *const contracts[] = {"off", "on", "fast"};
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
        return set_fmad(run, "--fmad", value, booleans, 4, 2);
    case OPT_FP_CONTRACT:
        return set_fmad(run, "-ffp-contract", value, contracts, 3, 1);
    case OPT_LINEINFO:
        run->compile.lineinfo = 1;
        return TOOL_DONE;
    case OPT_MATH:
        run->math = value;
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
    case OPT_LATER:
        tool_error("option `%s` is not supported yet", args->argv[args->next - 1]);
        return TOOL_USAGE;
    default:
        return TOOL_USAGE; /* TOOL_BAD: the message has been printed */
    }
}

/* Fails if the options of dependency files do not fit the others. */
static int
check_depfile(const struct ckc_run *run)
{
    bool standard_input = strcmp(run->input, "-") == 0;
    const char *text = NULL;
    if (run->depfile_name && !run->depfile)
        text = "-MF names the file that -MD writes: add -MD";
    else if (run->depfile && run->check_only)
        text = "-MD describes an output, and --check writes none";
    else if (run->depfile && run->emit->of_files)
        text = "--emit=deps writes what -MD does, without an output: give one of them";
    else if (standard_input && !run->check_only && (run->depfile || run->emit->of_files))
        text = "standard input has no name for the rule of a dependency file: name the source";
    else if (run->depfile && !run->depfile_name && run->output && strcmp(run->output, "-") == 0)
        text = "-MD names its file after the output, which has no name: add -MF FILE";
    if (!text)
        return TOOL_DONE;
    tool_error("%s", text);
    return TOOL_USAGE;
}

/* Fails if the two files of --emit=c have no names. */
static int
check_c_output(const struct ckc_run *run)
{
    const char *output = run->output ? run->output : run->input;
    size_t length = strlen(output);
    bool named = run->output ? length > 2 && strcmp(output + length - 2, ".c") == 0
                             : strcmp(output, "-") != 0;
    if (!run->emit->as_c || run->check_only || named)
        return TOOL_DONE;
    tool_error("--emit=c writes two files, FILE.c and FILE.h: name the first by -o FILE.c");
    return TOOL_USAGE;
}

/* Fails if --usage does not fit the other options. */
static int
check_usage(const struct ckc_run *run)
{
    const char *text = NULL;
    if (run->usage && run->output && strcmp(run->output, "-") == 0)
        text = "--usage prints on standard output, where the output is to go: name a file by -o";
    else if (run->usage && strcmp(run->input, "-") == 0 && !run->output && !run->check_only)
        text = "--usage prints on standard output, where the output is to go: name a file by -o, "
               "or add --check";
    else if (run->usage && (run->emit->of_files || run->emit->kind == CK_EMIT_AST))
        text = "--usage is of code, which this --emit does not make";
    if (!text)
        return TOOL_DONE;
    tool_error("%s", text);
    return TOOL_USAGE;
}

int
ckc_read_command_line(struct ckc_run *run, int argc, char **argv)
{
    struct tool_args args = {options, sizeof options / sizeof options[0], argc, argv, 1, false};
    int status = tool_read_options(&args, help_text, apply_option, run);
    if (status >= 0)
        return status;
    if (!run->input) {
        tool_error("no input file; see `ckc --help`");
        return TOOL_USAGE;
    }
    if (run->time && !tool_report_is_text()) {
        tool_error("--time prints a table: it needs --diagnostics=text");
        return TOOL_USAGE;
    }
    status = check_depfile(run);
    if (status == TOOL_DONE)
        status = check_usage(run);
    if (status == TOOL_DONE)
        status = check_c_output(run);
    if (status != TOOL_DONE)
        return status;
    if (run->output && tool_same_file(run->output, run->input))
        return -1; /* write_output reports this */
    status = check_suffix(run);
    return status == TOOL_DONE ? -1 : status;
}
