/* ckc: compiles a .ck file to PTX, or writes one of the compiler's intermediate forms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/messages.h"
#include "common/tool.h"
#include "depfile.h"
#include "ptxas.h"

const char tool_program[] = "ckc";

static const char help_text[] =
    "usage: ckc [options] FILE.ck\n"
    "\n"
    "Compiles GPU kernels written in ck. FILE `-` is standard input.\n"
    "\n"
    "Output:\n"
    "  -o FILE                 the output; `-` is standard output. Default: FILE with the\n"
    "                          suffix of the kind emitted (.ptx .ll .ast .types .manifest\n"
    "                          .cubin .sass .d)\n"
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

/* What becomes of PTX by CUDA's assembler. */
enum assembled { AS_IS, AS_CUBIN, AS_SASS };

struct emit_kind {
    const char *name;
    const char *suffix; /* NULL: not supported yet */
    ck_emit_kind kind;
    bool for_target; /* depends on -arch */
    bool of_files;   /* of the names of files: nothing is compiled */
    enum assembled assembled;
};

static const struct emit_kind emit_kinds[] = {
    {"ptx", ".ptx", CK_EMIT_PTX, true},
    {"llvm", ".ll", CK_EMIT_LLVM, true},
    {"llvm-raw", ".ll", CK_EMIT_LLVM_RAW, true},
    {"ast", ".ast", CK_EMIT_AST, false},
    {"types", ".types", CK_EMIT_TYPES, false},
    {"manifest", ".manifest", CK_EMIT_MANIFEST, true},
    {"deps", ".d", 0, true, true},
    {"cubin", ".cubin", CK_EMIT_PTX, true, false, AS_CUBIN},
    {"sass", ".sass", CK_EMIT_PTX, true, false, AS_SASS},
    {"obj", NULL, 0, false},
    {"c", NULL, 0, false},
};

enum { N_EMIT_KINDS = sizeof emit_kinds / sizeof emit_kinds[0] };

enum { READ, CHECK, EMIT, WRITE, N_PHASES };
enum { MOST_THREADS = 1024 };

struct run {
    /* From the command line */
    const char *input;
    const char *output; /* NULL: from the input's name */
    const struct emit_kind *emit;
    ck_compile_options compile;
    const char **sigs;         /* compile.sigs */
    const char **warnings_off; /* compile.warnings_off */
    const char **prefixes;     /* of --file-prefix-map */
    size_t n_prefixes;
    char *image_name; /* compile.image_name */
    const char *math;
    char *libdevice;          /* compile.libdevice */
    bool depfile;             /* -MD */
    const char *depfile_name; /* -MF; NULL: from the output's name */
    bool no_cache;
    bool check_only;
    bool werror;
    bool time;
    bool usage;
    int usage_threads; /* of a block; 0: a table of sizes */
    /* Of this run */
    char *source;
    size_t length;
    char arch[16]; /* of the GPU present */
    ck_context *ctx;
    ck_module *module;
    char *text; /* the output */
    size_t text_length;
    double seconds[N_PHASES];
};

/* --- Options -----------------------------------------------------------------------------------
 */

static int
set_emit(struct run *run, const char *value)
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
        if (emit_kinds[i].suffix) {
            names[n++] = emit_kinds[i].name;
        } else if (strcmp(value, emit_kinds[i].name) == 0) {
            tool_error("--emit=%s is not supported yet", value);
            return TOOL_USAGE;
        }
    }
    int i = tool_choice("--emit", value, names, n);
    if (i < 0)
        return TOOL_USAGE;
    run->emit = &emit_kinds[i];
    return TOOL_DONE;
}

static int
set_level(struct run *run, const char *value)
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
set_fmad(struct run *run, const char *option, const char *value, const char *const *words, int n,
         int n_off)
{
    int i = tool_choice(option, value, words, (size_t)n);
    if (i < 0)
        return TOOL_USAGE;
    run->compile.no_fmad = i < n_off;
    return TOOL_DONE;
}

static int
set_schedule(struct run *run, const char *value)
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
set_input(struct run *run, const char *path)
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
check_suffix(const struct run *run)
{
    static const struct {
        const char *suffix, *kind; /* the kind of file that has the suffix */
    } others[] = {{".fatbin", "fatbin"}, {".o", "obj"}, {".c", "c"}, {".ck", "source"}};
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
        if (emit_kinds[i].suffix && strcmp(suffix, emit_kinds[i].suffix) == 0)
            kind = emit_kinds[i].name;
    }
    if (!kind)
        return TOOL_DONE;
    tool_error("the output `%s` would be what --emit=%s writes (*%s): add --emit=%s, or name "
               "it otherwise",
               run->output, emitted, run->emit->suffix, kind);
    return TOOL_USAGE;
}

static int
set_usage(struct run *run, const char *value)
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
set_registers(struct run *run, const char *value)
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
add_prefix(struct run *run, const char *value)
{
    if (!strchr(value, '=')) {
        tool_error("--file-prefix-map takes OLD=NEW: `%s`", value);
        return TOOL_USAGE;
    }
    add_text(&run->prefixes, &run->n_prefixes, value);
    return TOOL_DONE;
}

/* The source's name in the image: as clang has it, the last prefix given that fits is replaced. To
 * be freed; NULL: the name itself. */
static char *
map_name(const struct run *run)
{
    for (size_t i = run->n_prefixes; i-- > 0;) {
        const char *map = run->prefixes[i], *equals = strrchr(map, '=');
        size_t length = (size_t)(equals - map);
        if (strncmp(run->compile.name, map, length) == 0)
            return tool_printf("%s%s", equals + 1, run->compile.name + length);
    }
    return NULL;
}

static int
apply_option(void *context, const struct tool_args *args, int id, const char *value)
{
    struct run *run = context;
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
check_depfile(const struct run *run)
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

/* Fails if --usage does not fit the other options. */
static int
check_usage(const struct run *run)
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

/* Returns -1 to continue, else the exit status. */
static int
read_command_line(struct run *run, int argc, char **argv)
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
    if (status != TOOL_DONE)
        return status;
    if (run->output && tool_same_file(run->output, run->input))
        return -1; /* write_output reports this */
    status = check_suffix(run);
    return status == TOOL_DONE ? -1 : status;
}

/* --- The run -----------------------------------------------------------------------------------
 */

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* FILE.ck with another suffix; for standard input, standard output. */
static char *
default_output(const char *input, const char *suffix)
{
    size_t length = strlen(input);
    if (strcmp(input, "-") == 0)
        return tool_strndup("-", 1);
    if (length > 3 && strcmp(input + length - 3, ".ck") == 0)
        length -= 3;
    return tool_printf("%.*s%s", (int)length, input, suffix);
}

/* The architecture of the GPU present, if there is one. */
static bool
probe_arch(struct run *run)
{
    ck_device *device;
    if (ck_device_open(&device, run->ctx, "cuda", NULL) != CK_OK)
        return false;
    snprintf(run->arch, sizeof run->arch, "sm_%d", ck_device_get_info(device)->capability);
    ck_device_free(device);
    return true;
}

static ck_status
compile(struct run *run)
{
    bool probed =
        !run->compile.arch && !run->check_only && run->emit->for_target && probe_arch(run);
    if (probed)
        run->compile.arch = run->arch;
    run->compile.parse_only = run->emit->kind == CK_EMIT_AST && !run->check_only;
    ck_status status = ck_compile(&run->module, run->ctx, run->source, run->length, &run->compile);
    if (status != CK_ERROR_ARGUMENT || !probed)
        return status;
    run->compile.arch = NULL; /* unknown to this compiler: a newer GPU, which runs older PTX */
    return ck_compile(&run->module, run->ctx, run->source, run->length, &run->compile);
}

/* Prints the diagnostics and, as clang does, a line of counts. */
static struct tool_counts
print_diagnostics(const ck_context *ctx)
{
    struct tool_counts counts = {0, 0};
    for (size_t i = 0; i < ck_context_n_diagnostics(ctx); i++) {
        const ck_diagnostic *diagnostic = ck_context_diagnostic(ctx, i);
        tool_report_diagnostic(diagnostic, NULL, 0);
        if (diagnostic->severity == CK_ERROR)
            counts.errors++;
        else
            counts.warnings++;
    }
    tool_print_counts(counts);
    return counts;
}

static int
check(struct run *run)
{
    double start = now();
    ck_status status = compile(run);
    run->seconds[CHECK] = now() - start;
    if (status == CK_ERROR_ARGUMENT) {
        tool_fail(run->ctx, status); /* an arch or a warning on the command line */
        return TOOL_USAGE;
    }
    if (status != CK_OK && status != CK_ERROR_PROGRAM)
        return tool_fail(run->ctx, status);
    struct tool_counts counts = print_diagnostics(run->ctx);
    if (status != CK_OK)
        return counts.errors ? TOOL_FAILED : tool_fail(run->ctx, status);
    if (run->werror && counts.warnings) {
        tool_error("warnings are errors here (-Werror)");
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}

/* Whether a --sig has the types of this kernel. The compiler accepted each --sig, so each is well
 * formed. */
static bool
has_sig(const struct run *run, const char *kernel)
{
    size_t length = strlen(kernel);
    for (size_t i = 0; i < run->compile.n_sigs; i++) {
        const char *sig = run->sigs[i] + strspn(run->sigs[i], " \t");
        if (strncmp(sig, kernel, length) == 0 && strchr(" \t(", sig[length]))
            return true;
    }
    return false;
}

/* Notes kernels without types: the output has no code of theirs, or --check left out what depends
 * on types, which one note says of all of them. */
static void
note_generic_kernels(const struct run *run)
{
    const ck_kernel_desc *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < ck_module_n_kernels(run->module); i++) {
        const ck_kernel_desc *kernel = ck_module_kernel(run->module, i);
        if (!kernel->generic || has_sig(run, kernel->name))
            continue;
        first = n++ ? first : kernel;
        if (!run->check_only)
            tool_note("kernel `%s` is generic: only its syntax was checked, and the output is "
                      "without it; give the types of its %d parameter%s, as in "
                      "--sig '%s(float32, float32[::1], ...)'",
                      kernel->name, kernel->n_params, kernel->n_params == 1 ? "" : "s",
                      kernel->name);
    }
    if (n > 0 && run->check_only)
        tool_note("%zu generic kernel%s checked without types, `%s`%s: to check what depends on "
                  "them, give types as in --sig '%s(float32, float32[::1], ...)'",
                  n, n == 1 ? " was" : "s were", first->name, n == 1 ? "" : " the first",
                  first->name);
}

/* The rule of a dependency file: the target is the output's name or, where that is none, the name
 * it has by default. Only code for GPUs is made from CUDA's library of math functions too. */
static int
describe_files(const struct run *run, const struct emit_kind *kind, const char *output, char **text)
{
    bool on_gpu = !run->compile.arch || strcmp(run->compile.arch, "host") != 0;
    const char *from[] = {run->input, run->libdevice};
    size_t n = kind->for_target && on_gpu && run->libdevice ? 2 : 1;
    bool named = output && strcmp(output, "-") != 0;
    char *target =
        named ? tool_strndup(output, strlen(output)) : default_output(run->input, kind->suffix);
    *text = depfile_rule(target, from, n);
    free(target);
    return *text ? TOOL_DONE : TOOL_FAILED;
}

static int
emit_deps(struct run *run)
{
    int status = describe_files(run, &emit_kinds[0], NULL, &run->text);
    run->text_length = status == TOOL_DONE ? strlen(run->text) : 0;
    return status;
}

static int
emit_kind(struct run *run, ck_emit_kind kind, char **text, size_t *length)
{
    char *emitted = NULL;
    ck_status status = ck_module_emit(&emitted, length, run->module, kind);
    if (status == CK_OK) {
        *text = tool_alloc(*length + 1);
        memcpy(*text, emitted, *length);
    }
    ck_text_free(emitted);
    if (status == CK_ERROR_ARGUMENT) {
        tool_fail(run->ctx, status);
        return TOOL_USAGE;
    }
    return status == CK_OK ? TOOL_DONE : tool_fail(run->ctx, status);
}

static void
print_usage(const struct run *run, const char *report, int capability)
{
    for (size_t i = 0; i < ck_module_n_kernels(run->module); i++) {
        const ck_kernel_desc *kernel = ck_module_kernel(run->module, i);
        struct tool_usage usage;
        if (kernel->generic || !ptxas_find_usage(&usage, report, kernel->entry))
            continue;
        usage.max_threads = (int)kernel->max_threads;
        tool_put(stdout, kernel->name, false);
        printf("%s, sm_%d: ", kernel->signature, capability);
        tool_put_usage(stdout, &usage);
        printf("\n");
        if (run->usage_threads) {
            printf("  %d threads: ", run->usage_threads);
            tool_put_occupancy(stdout, &usage, capability, run->usage_threads, 0);
            printf("\n");
        } else {
            tool_put_occupancies(stdout, &usage, capability, 0);
        }
    }
}

/* Replaces PTX by what the assembler makes of it, and prints the usage. */
static int
assemble(struct run *run)
{
    char *ptx = NULL, *cubin = NULL, *report = NULL;
    size_t length = 0, cubin_length = 0;
    int status = emit_kind(run, CK_EMIT_PTX, &ptx, &length);
    const int level = run->compile.opt_level;
    const struct ptxas_input input = {
        .ptx = ptx,
        .length = length,
        .opt_level = level < 0 ? 0
                     : level   ? level
                               : 3,
        .lineinfo = run->compile.lineinfo,
    };
    bool wanted = run->emit->assembled != AS_IS && !run->check_only;
    if (status == TOOL_DONE)
        status = ptxas_assemble(&input, wanted ? &cubin : NULL, &cubin_length, &report);
    if (status == TOOL_DONE && run->usage)
        print_usage(run, report, ptxas_capability(ptx));
    if (status == TOOL_DONE && wanted && run->emit->assembled == AS_CUBIN) {
        run->text = cubin;
        run->text_length = cubin_length;
        cubin = NULL;
    } else if (status == TOOL_DONE && wanted) {
        status = ptxas_disassemble(cubin, cubin_length, &run->text);
        run->text_length = run->text ? strlen(run->text) : 0;
    }
    free(ptx);
    free(cubin);
    free(report);
    return status;
}

static int
emit(struct run *run)
{
    double start = now();
    int status = TOOL_DONE;
    if (run->emit->of_files)
        return emit_deps(run);
    if (run->emit->assembled == AS_IS && !run->check_only)
        status = emit_kind(run, run->emit->kind, &run->text, &run->text_length);
    if (status == TOOL_DONE && (run->usage || run->emit->assembled != AS_IS))
        status = assemble(run);
    run->seconds[EMIT] = now() - start;
    return status;
}

/* Writes the file of -MD, before the output: a build takes an output without it for current. */
static int
write_depfile(const struct run *run, const char *output)
{
    char *path = run->depfile_name ? tool_strndup(run->depfile_name, strlen(run->depfile_name))
                                   : depfile_name(output);
    char *text = NULL;
    int status = TOOL_USAGE;
    if (tool_same_file(path, run->input))
        tool_error("the dependency file `%s` is the input", path);
    else if (strcmp(path, output) == 0 || tool_same_file(path, output))
        tool_error("the dependency file `%s` is the output", path);
    else
        status = describe_files(run, run->emit, run->output, &text);
    if (status == TOOL_DONE && !tool_write_file(path, text, strlen(text)))
        status = TOOL_FAILED;
    free(text);
    free(path);
    return status;
}

static int
write_output(struct run *run)
{
    double start = now();
    char *path = run->output ? tool_strndup(run->output, strlen(run->output))
                             : default_output(run->input, run->emit->suffix);
    int status = TOOL_FAILED;
    if (strcmp(path, "-") != 0 && tool_same_file(path, run->input)) {
        tool_error("the output `%s` is the input", path);
        status = TOOL_USAGE;
    } else if (run->depfile && (status = write_depfile(run, path)) != TOOL_DONE) {
        /* The message has been printed. */
    } else if (tool_write_file(path, run->text, run->text_length)) {
        status = TOOL_DONE;
    } else {
        status = TOOL_FAILED;
    }
    free(path);
    run->seconds[WRITE] = now() - start;
    return status;
}

static int
read_source(struct run *run)
{
    double start = now();
    if (!tool_read_file(run->input, &run->source, &run->length))
        return TOOL_FAILED;
    run->seconds[READ] = now() - start;
    return TOOL_DONE;
}

static void
print_times(const struct run *run)
{
    static const char *const names[N_PHASES] = {"read", "parse and check", "generate code",
                                                "write"};
    double total = 0;
    for (int i = 0; i < N_PHASES; i++) {
        fprintf(stderr, "%-16s %9.3f ms\n", names[i], run->seconds[i] * 1e3);
        total += run->seconds[i];
    }
    fprintf(stderr, "%-16s %9.3f ms\n", "total", total * 1e3);
}

static int
compile_file(struct run *run)
{
    int status = read_source(run);
    if (status == TOOL_DONE)
        status = tool_context(&run->ctx, !run->no_cache);
    run->compile.name = strcmp(run->input, "-") == 0 ? "<stdin>" : run->input;
    run->image_name = map_name(run);
    run->compile.image_name = run->image_name;
    run->compile.sigs = run->sigs;
    run->compile.warnings_off = run->warnings_off;
    if (status == TOOL_DONE)
        status = tool_set_math(run->math, &run->libdevice);
    run->compile.libdevice = run->libdevice;
    bool compiled = !run->emit->of_files || run->check_only;
    if (status == TOOL_DONE && compiled)
        status = check(run);
    if (status == TOOL_DONE && (!run->check_only || run->usage))
        status = emit(run);
    if (status == TOOL_DONE && compiled && !run->compile.parse_only)
        note_generic_kernels(run);
    if (status == TOOL_DONE && !run->check_only)
        status = write_output(run);
    if (run->time)
        print_times(run);
    return status;
}

int
main(int argc, char **argv)
{
    struct run run = {.emit = &emit_kinds[0], .compile.size = sizeof run.compile, .math = "auto"};
    int status = tool_report_begin(argc, argv);
    if (status == TOOL_DONE)
        status = read_command_line(&run, argc, argv);
    if (status < 0)
        status = compile_file(&run);
    free(run.text);
    ck_module_free(run.module);
    ck_context_free(run.ctx);
    free(run.source);
    free(run.sigs);
    free(run.warnings_off);
    free(run.prefixes);
    free(run.image_name);
    free(run.libdevice);
    return tool_report_end(status);
}
