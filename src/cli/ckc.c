/* ckc: compiles a .ck file to PTX, or writes one of the compiler's intermediate forms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "c_stub.h"
#include "ckc.h"
#include "common/messages.h"
#include "cxx_header.h"
#include "depfile.h"
#include "ptxas.h"

const char tool_program[] = "ckc";

/* --- The run -----------------------------------------------------------------------------------
 */

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The source's name in the image: as clang has it, the last prefix given that fits is replaced. To
 * be freed; NULL: the name itself. */
static char *
map_name(const struct ckc_run *run)
{
    for (size_t i = run->n_prefixes; i-- > 0;) {
        const char *map = run->prefixes[i], *equals = strrchr(map, '=');
        size_t length = (size_t)(equals - map);
        if (strncmp(run->compile.name, map, length) == 0)
            return tool_printf("%s%s", equals + 1, run->compile.name + length);
    }
    return NULL;
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

/* -arch=native: the architecture of the GPU present. */
static int
find_native_arch(struct ckc_run *run)
{
    ck_device *device;
    ck_status status = ck_device_open(&device, run->ctx, "cuda", NULL);
    if (status != CK_OK) {
        tool_error("-arch=native is the architecture of the GPU present: %s",
                   ck_context_error(run->ctx));
        return tool_exit_status(status);
    }
    snprintf(run->arch, sizeof run->arch, "sm_%d", ck_device_get_info(device)->capability);
    ck_device_free(device);
    run->compile.arch = run->arch;
    return TOOL_DONE;
}

static ck_status
compile(struct ckc_run *run)
{
    const char *arch = run->compile.arch;
    if (run->emit->for_target && !run->check_only)
        tool_verbose("compiles for %s", arch ? arch : "sm_75, whose PTX every later GPU runs");
    run->compile.parse_only = run->emit->kind == CK_EMIT_AST && !run->check_only;
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
check(struct ckc_run *run)
{
    const char *arch = run->compile.arch;
    int found = arch && strcmp(arch, "native") == 0 ? find_native_arch(run) : TOOL_DONE;
    if (found != TOOL_DONE)
        return found;
    double start = now();
    ck_status status = compile(run);
    run->seconds[CHECK] = now() - start;
    tool_verbose("parsed and checked in %.3f ms", run->seconds[CHECK] * 1e3);
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
has_sig(const struct ckc_run *run, const char *kernel)
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
note_generic_kernels(const struct ckc_run *run)
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
describe_files(const struct ckc_run *run, const struct ckc_emit_kind *kind, const char *output,
               char **text)
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
emit_deps(struct ckc_run *run)
{
    int status = describe_files(run, &ckc_emit_kinds[0], NULL, &run->text);
    run->text_length = status == TOOL_DONE ? strlen(run->text) : 0;
    return status;
}

static int
emit_kind(struct ckc_run *run, ck_emit_kind kind, char **text, size_t *length)
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
print_usages(const struct ckc_run *run, const ck_module *made, const char *report, int capability)
{
    for (size_t i = 0; i < ck_module_n_kernels(made); i++) {
        const ck_kernel_desc *kernel = ck_module_kernel(made, i);
        struct tool_usage usage;
        if (!ptxas_find_usage(&usage, report, kernel->entry))
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

/* Of the kernels that the PTX has, among them those of --sig. */
static int
print_usage(const struct ckc_run *run, const char *ptx, size_t length, const char *report)
{
    ck_module *made;
    const ck_status status = ck_module_load(&made, run->ctx, ptx, length);
    if (status)
        return tool_fail(run->ctx, status);
    print_usages(run, made, report, ptxas_capability(ptx));
    ck_module_free(made);
    return TOOL_DONE;
}

/* Replaces PTX by what the assembler makes of it, and prints the usage. */
static int
assemble(struct ckc_run *run)
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
        status = print_usage(run, ptx, length, report);
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

/* The output's name: to be freed. */
static char *
output_name(const struct ckc_run *run)
{
    return run->output ? tool_strndup(run->output, strlen(run->output))
                       : default_output(run->input, run->emit->suffix);
}

/* The header for C beside FILE.c: to be freed. */
static char *
header_name(const char *output)
{
    return tool_printf("%.*sh", (int)strlen(output) - 1, output);
}

/* The image of the same program that says which arrays no kernel writes. */
static ck_status
load_marked(struct ckc_run *run, ck_module **out)
{
    ck_compile_options options = run->compile;
    ck_module *module;
    char *ptx = NULL;
    size_t length;
    options.restrict_arrays = 1;
    ck_status status = ck_compile(&module, run->ctx, run->source, run->length, &options);
    if (status != CK_OK)
        return status;
    status = ck_module_emit(&ptx, &length, module, CK_EMIT_PTX);
    if (status == CK_OK)
        status = ck_module_load(out, run->ctx, ptx, length);
    ck_text_free(ptx);
    ck_module_free(module);
    return status;
}

static int
write_c(struct ckc_run *run)
{
    char *output = output_name(run), *header = header_name(output), *source;
    const char *slash = strrchr(header, '/'), *name = slash ? slash + 1 : header;
    ck_module *image = NULL, *marked = NULL;
    ck_status status = ck_module_load(&image, run->ctx, run->text, run->text_length);
    if (status == CK_OK)
        status = load_marked(run, &marked);
    if (status == CK_OK) {
        c_stub_write(&run->header, &source, image, run->text, run->text_length, name,
                     run->compile.name);
        run->cxx_header = cxx_header_write(image, marked, name, run->compile.name);
        free(run->text);
        run->text = source;
        run->text_length = strlen(source);
    }
    ck_module_free(image);
    ck_module_free(marked);
    free(header);
    free(output);
    return status == CK_OK ? TOOL_DONE : tool_fail(run->ctx, status);
}

static int
emit(struct ckc_run *run)
{
    double start = now();
    int status = TOOL_DONE;
    if (run->emit->of_files)
        return emit_deps(run);
    if (run->emit->assembled == AS_IS && !run->check_only)
        status = emit_kind(run, run->emit->kind, &run->text, &run->text_length);
    if (status == TOOL_DONE && (run->usage || run->emit->assembled != AS_IS))
        status = assemble(run);
    if (status == TOOL_DONE && run->emit->as_c && !run->check_only)
        status = write_c(run);
    run->seconds[EMIT] = now() - start;
    tool_verbose("made %s in %.3f ms: %zu bytes", run->emit->name, run->seconds[EMIT] * 1e3,
                 run->text_length);
    return status;
}

/* Writes the file of -MD, before the output: a build takes an output without it for current. */
static int
write_depfile(const struct ckc_run *run, const char *output)
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

/* The headers of --emit=c, before the source, which builds depend on. False after a message. */
static bool
write_headers(const struct ckc_run *run, const char *output)
{
    if (!run->header)
        return true;
    char *path = header_name(output), *cxx_path = tool_printf("%spp", path);
    bool written = tool_write_file(path, run->header, strlen(run->header)) &&
                   tool_write_file(cxx_path, run->cxx_header, strlen(run->cxx_header));
    free(path);
    free(cxx_path);
    return written;
}

static int
write_output(struct ckc_run *run)
{
    double start = now();
    char *path = output_name(run);
    int status = TOOL_FAILED;
    if (strcmp(path, "-") != 0 && tool_same_file(path, run->input)) {
        tool_error("the output `%s` is the input", path);
        status = TOOL_USAGE;
    } else if (run->depfile && (status = write_depfile(run, path)) != TOOL_DONE) {
        /* The message has been printed. */
    } else {
        bool written =
            write_headers(run, path) && tool_write_file(path, run->text, run->text_length);
        status = written ? TOOL_DONE : TOOL_FAILED;
    }
    if (status == TOOL_DONE)
        tool_verbose("wrote `%s`", path);
    free(path);
    run->seconds[WRITE] = now() - start;
    return status;
}

static int
read_source(struct ckc_run *run)
{
    double start = now();
    if (!tool_read_file(run->input, &run->source, &run->length))
        return TOOL_FAILED;
    run->seconds[READ] = now() - start;
    tool_verbose("ck %s read `%s`: %zu bytes", ck_version(), run->input, run->length);
    return TOOL_DONE;
}

static void
print_times(const struct ckc_run *run)
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
compile_file(struct ckc_run *run)
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
    struct ckc_run run = {
        .emit = &ckc_emit_kinds[0], .compile.size = sizeof run.compile, .math = "libclc"};
    tool_tune_malloc();
    int status = tool_report_begin(argc, argv);
    if (status == TOOL_DONE)
        status = ckc_read_command_line(&run, argc, argv);
    if (status < 0)
        status = compile_file(&run);
    free(run.text);
    free(run.header);
    free(run.cxx_header);
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
