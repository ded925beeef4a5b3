/* The public compiler: the pipeline from source text to a module, and a module's other forms. */
#include <ck/compile.h>

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/pack.h"
#include "base/stack.h"
#include "base/strbuf.h"
#include "codegen/driver/codegen.h"
#include "compile_options.h"
#include "describe.h"
#include "describe_diagnostic.h"
#include "disable_warnings.h"
#include "lang/front/front.h"
#include "runtime/launch/device.h"
#include "runtime/launch/module.h"

const bool ck_has_compiler = true;

/* The state of a compiled module, kept so that it can specialise and emit later. */
struct compiler {
    struct ck_arena given; /* the arguments of ck_compile: */
    const char *text;
    size_t length;
    ck_compile_options options;
    struct ck_text_part *parts;       /* of the options */
    struct ck_codegen_options target; /* of emission; images for launches have their own arch */
    /* The program made from them. If memory runs out during a change, all of it is dropped, and
     * made again when it is next needed. */
    struct ck_arena arena;
    struct ck_front front;    /* without a tree: there is no program */
    struct ck_diag *warnings; /* of typed functions, published before */
    /* Kernels of declared signatures in the file's order, then those of the caller's signatures:
     * these are emitted. */
    struct ck_tfunc **kernels;
    int n_kernels, kernels_capacity;
};

/* The arguments of ck_compile. */
struct source_given {
    const char *text;
    size_t length;
    const ck_compile_options *options;
};

/* The arguments of make_image. */
struct image_request {
    const char *name; /* the kernel's */
    const ck_param_info *params;
    int n_params;
    unsigned assume; /* CK_ASSUME_* */
    bool anew;       /* not from the cache */
    const char *arch;
    struct ck_image *image; /* the result */
};

/* One call of the API. It lives outside the guarded region, so that what it owns survives the jump
 * out of that region. */
struct job {
    ck_context *ctx;
    struct ck_module *module;
    struct compiler *compiler;
    struct ck_strbuf text; /* owned */
    struct ck_strbuf key;  /* of the cache; owned */
    bool was_kept;         /* `text` is from the cache */
    /* Each for one kind of call: */
    const struct source_given *given;   /* ck_compile */
    ck_emit_kind kind;                  /* ck_module_emit */
    struct image_request *request;      /* make_image */
    const struct ck_findings *findings; /* report */
    ck_status found;                    /* report: the launch's status */
};

/* A body and its result. */
struct guarded_call {
    struct job *job;
    ck_status (*body)(struct job *);
    ck_status status;
};

/* Drops the program: an interrupted change may have left it inconsistent. */
static void
forget_program(struct compiler *c)
{
    ck_arena_free(&c->arena);
    c->front = (struct ck_front){.arena = &c->arena};
    c->warnings = NULL;
    c->kernels = NULL;
    c->n_kernels = c->kernels_capacity = 0;
}

static void
run_guarded(void *data)
{
    struct guarded_call *call = data;
    struct job *job = call->job;
    jmp_buf oom;
    struct ck_arena *arenas[] = {&job->compiler->given, &job->compiler->arena, &job->module->arena,
                                 &job->ctx->diagnostics_arena};
    enum { N_ARENAS = sizeof arenas / sizeof *arenas };
    jmp_buf *outer[N_ARENAS];
    for (int i = 0; i < N_ARENAS; i++) {
        outer[i] = arenas[i]->on_oom;
        arenas[i]->on_oom = &oom;
    }
    if (setjmp(oom) == 0) {
        call->status = call->body(job);
    } else {
        forget_program(job->compiler);
        call->status = ck_fail_memory(job->ctx);
    }
    for (int i = 0; i < N_ARENAS; i++)
        arenas[i]->on_oom = outer[i];
}

/* Runs `body` on a stack of its own; if an arena runs out of memory, it ends with
 * CK_ERROR_MEMORY. */
static ck_status
guarded(struct job *job, ck_status (*body)(struct job *))
{
    struct guarded_call call = {job, body, CK_ERROR_INTERNAL};
    int error = ck_stack_run(CK_STACK_COMPILE, run_guarded, &call);
    if (error)
        return ck_fail(job->ctx, CK_ERROR_MEMORY, "there is no thread to compile on: %s",
                       strerror(error));
    return call.status;
}

/* --- Diagnostics -------------------------------------------------------------------------------
 */

static void
clear_diagnostics(ck_context *ctx)
{
    jmp_buf *on_oom = ctx->diagnostics_arena.on_oom;
    ck_arena_free(&ctx->diagnostics_arena);
    ctx->diagnostics_arena.on_oom = on_oom;
    ctx->diagnostics = NULL;
    ctx->n_diagnostics = 0;
}

/* Copies the compiler's diagnostics to the context, in source order. */
static ck_status
publish_diagnostics(struct job *job)
{
    ck_context *ctx = job->ctx;
    size_t n = 0;
    if (job->compiler->front.checker)
        ck_find_warned_kernels(job->compiler->front.checker);
    ck_diags_sort(&job->compiler->front.diags);
    for (const struct ck_diag *d = job->compiler->front.diags.first; d; d = d->next)
        n++;
    ck_diagnostic *list = CK_NEW_ARRAY(&ctx->diagnostics_arena, ck_diagnostic, n);
    size_t i = 0;
    for (const struct ck_diag *d = job->compiler->front.diags.first; d; d = d->next) {
        if (!ck_describe_diagnostic(&list[i++], &ctx->diagnostics_arena, &job->text, d))
            return ck_fail_memory(ctx);
    }
    ctx->diagnostics = list;
    ctx->n_diagnostics = n;
    return CK_OK;
}

/* `status` with the first error as the context's text, for callers that show only that. */
static ck_status
fail_with_first(ck_context *ctx, ck_status status)
{
    for (size_t i = 0; i < ctx->n_diagnostics; i++) {
        const ck_diagnostic *d = &ctx->diagnostics[i];
        if (d->severity == CK_ERROR)
            return ck_fail(ctx, status, "%s:%u:%u: error: %s [%s]", d->file, d->line, d->column,
                           d->message, d->name);
    }
    return ck_fail(ctx, CK_ERROR_INTERNAL, "the program was rejected without a diagnostic");
}

/* --- Options -----------------------------------------------------------------------------------
 */

static int
count_names(const char *const *names)
{
    int n = 0;
    while (names[n])
        n++;
    return n;
}

static ck_status
fail_arch(ck_context *ctx, ck_status status, const char *arch)
{
    const char *const *known = ck_codegen_archs();
    int n = count_names(known);
    const char *nearest = ck_nearest_name(arch, known, n);
    if (nearest)
        return ck_fail(ctx, status, "unknown architecture `%s`; did you mean `%s`?", arch, nearest);
    return ck_fail(ctx, status, "unknown architecture `%s`; ck knows `%s` to `%s`", arch, known[0],
                   known[n - 1]);
}

static ck_status
set_target(struct job *job)
{
    const ck_compile_options *options = &job->compiler->options;
    const char *arch = options->arch ? options->arch : ck_codegen_archs()[0];
    if (!ck_codegen_knows(arch))
        return fail_arch(job->ctx, CK_ERROR_ARGUMENT, arch);
    if (options->by_rank && ck_codegen_has_ptx(arch))
        return ck_fail(job->ctx, CK_ERROR_ARGUMENT,
                       "the order of threads cannot be chosen for `%s`: by_rank and --schedule=seq "
                       "need the arch `host`",
                       arch);
    ck_codegen_options_of(&job->compiler->target, options,
                          ck_arena_strdup(&job->compiler->given, arch));
    return CK_OK;
}

/* --- Compilation -------------------------------------------------------------------------------
 */

static void
keep_kernel(struct compiler *c, struct ck_tfunc *kernel)
{
    for (int i = 0; i < c->n_kernels; i++) {
        if (c->kernels[i] == kernel)
            return;
    }
    struct ck_launch_bounds *bounds = &kernel->bounds;
    if (!bounds->max_threads && !bounds->min_blocks && !bounds->max_registers)
        bounds->max_registers = c->options.max_registers;
    CK_PUSH(&c->arena, c->kernels, c->n_kernels, c->kernels_capacity, kernel);
}

static void
keep_declared(struct compiler *c)
{
    for (int i = 0; i < ck_checker_n_kernels(c->front.checker); i++) {
        const struct ck_kernel_info *info = ck_checker_kernel(c->front.checker, i);
        for (int s = 0; s < info->n_signatures; s++) {
            for (int n = info->n_params; n >= info->n_required; n--)
                keep_kernel(c, ck_check_kernel(c->front.checker, info, info->signatures[s], n));
        }
    }
}

/* One desc for each declared signature, and one for each generic kernel. */
static void
describe_kernels(struct ck_module *module, struct compiler *c)
{
    int capacity = 0;
    for (int i = 0; i < ck_checker_n_kernels(c->front.checker); i++) {
        const struct ck_kernel_info *info = ck_checker_kernel(c->front.checker, i);
        capacity +=
            info->is_generic ? 1 : info->n_signatures * (info->n_params - info->n_required + 1);
    }
    module->kernels = CK_NEW_ARRAY(&module->arena, ck_kernel_desc, capacity);
    for (int i = 0; i < ck_checker_n_kernels(c->front.checker); i++) {
        const struct ck_kernel_info *info = ck_checker_kernel(c->front.checker, i);
        if (info->is_generic)
            ck_describe_generic(&module->kernels[module->n_kernels++], &module->arena, info);
        for (int s = 0; s < info->n_signatures; s++) {
            for (int n = info->n_params; n >= info->n_required; n--) {
                struct ck_tfunc *kernel =
                    ck_check_kernel(c->front.checker, info, info->signatures[s], n);
                ck_codegen_describe(&module->kernels[module->n_kernels++], &module->arena, kernel,
                                    c->target.arch);
            }
        }
    }
}

static void
describe_globals(struct ck_module *module, const struct compiler *c)
{
    const int n = ck_checker_n_arrays(c->front.checker);
    module->globals = CK_NEW_ARRAY(&module->arena, ck_global_desc, n);
    for (int i = 0; i < n; i++) {
        const struct ck_module_array *array = ck_checker_array(c->front.checker, i);
        ck_global_desc *global = &module->globals[module->n_globals++];
        *global = ck_codegen_describe_global(&module->arena, array);
        if (array->initial)
            global->initial = ck_const_array_bytes(&module->arena, array->initial, &(size_t){0});
    }
}

static ck_status
finish_program(struct job *job)
{
    ck_status status = publish_diagnostics(job);
    if (status == CK_OK && job->compiler->front.diags.n_errors)
        status = fail_with_first(job->ctx, CK_ERROR_PROGRAM);
    return status;
}

/* Copies the arguments of ck_compile. No bytes of a source longer than CK_MAX_SOURCE are copied: it
 * is refused unread. */
static void
keep_given(struct job *job)
{
    struct compiler *c = job->compiler;
    const ck_compile_options *given = job->given->options;
    c->length = job->given->length > CK_MAX_SOURCE ? 0 : job->given->length;
    c->text = ck_arena_strndup(&c->given, job->given->text, c->length);
    c->parts = ck_compile_options_keep(&c->options, &c->given, given);
}

static ck_status
start_program(struct job *job)
{
    struct compiler *c = job->compiler;
    c->front.arena = &c->arena;
    ck_front_init(&c->front, c->options.name, c->text, c->length);
    c->front.source.parts = c->parts;
    c->front.source.n_parts = c->options.n_parts;
    return ck_disable_warnings(&job->compiler->front.diags, job->ctx, &job->compiler->options);
}

/* Makes the typed program; without errors, keeps its kernels. */
static void
make_program(struct compiler *c)
{
    const struct ck_front_options options = {
        .parse_only = c->options.parse_only,
        .check_generic = c->options.check_generic,
        .fastmath = c->options.fast_math,
        .sigs = c->options.sigs,
        .n_sigs = c->options.n_sigs,
        .reserved_symbols = ck_codegen_reserved_symbols(),
    };
    ck_front_run(&c->front, &options);
    if (!c->front.checker || c->front.diags.n_errors)
        return;
    keep_declared(c);
    for (size_t i = 0; i < c->options.n_sigs; i++)
        keep_kernel(c, c->front.given[i]);
}

static ck_status
compile(struct job *job)
{
    struct compiler *c = job->compiler;
    keep_given(job);
    ck_status status = set_target(job);
    if (status == CK_OK)
        status = start_program(job);
    if (status != CK_OK)
        return status;
    if (job->given->length > CK_MAX_SOURCE)
        ck_diag_add(&c->front.diags, CK_DIAG_SOURCE_TOO_LARGE, (struct ck_span){0, 0});
    else
        make_program(c);
    status = finish_program(job);
    if (status == CK_OK && c->front.checker) {
        describe_kernels(job->module, c);
        describe_globals(job->module, c);
    }
    return status;
}

/* Makes the program again that compile() had made, where it was dropped. */
static ck_status
need_program(struct job *job)
{
    struct compiler *c = job->compiler;
    if (c->front.ast)
        return CK_OK;
    ck_status status = start_program(job);
    if (status == CK_OK)
        make_program(c);
    return status;
}

/* --- Code --------------------------------------------------------------------------------------
 */

/* Writes the cache key of code: everything that it depends on. Sets key->failed if that is not
 * known. */
static void
write_key(struct ck_strbuf *key, struct job *job, struct ck_tfunc *const *kernels, int n_kernels,
          const struct ck_codegen_options *target)
{
    const struct ck_source *source = &job->compiler->front.source;
    ck_pack_text(key, ck_version());
    bool known = ck_cache_add_build(key, (const void *)(uintptr_t)write_key);
    ck_pack_text(key, source->name);
    ck_pack_bytes(key, source->text, source->length);
    ck_pack_number(key, job->compiler->options.fast_math != 0);
    for (size_t i = 0; i < source->n_parts; i++) {
        ck_pack_number(key, source->parts[i].line);
        ck_pack_text(key, source->parts[i].file);
        ck_pack_number(key, source->parts[i].file_line);
        ck_pack_number(key, source->parts[i].column);
    }
    for (int i = 0; i < n_kernels; i++) {
        ck_kernel_desc desc;
        ck_codegen_describe(&desc, &job->compiler->arena, kernels[i], target->arch);
        ck_pack_text(key, desc.name);
        ck_pack_text(key, desc.signature);
    }
    known = ck_codegen_identify(key, target) && known;
    key->failed |= !known;
}

/* Writes the kernels' code to job->text, from the cache unless `anew`, else generated. */
static ck_status
make_code(struct job *job, struct ck_tfunc **kernels, int n_kernels,
          const struct ck_codegen_options *target, bool anew)
{
    struct ck_cache *cache = &job->ctx->cache;
    struct ck_program *program;
    ck_strbuf_clear(&job->text); /* of diagnostics */
    ck_strbuf_clear(&job->key);
    job->was_kept = false;
    if (cache->directory) {
        write_key(&job->key, job, kernels, n_kernels, target);
        job->was_kept = !anew && ck_cache_get(cache, &job->key, &job->text);
        if (job->was_kept)
            return CK_OK;
    }
    program = ck_checker_program_of(job->compiler->front.checker, kernels, n_kernels);
    ck_status status = ck_codegen_write(&job->text, job->ctx, program, target, CK_FORM_CODE);
    if (status == CK_OK && cache->directory)
        ck_cache_put(cache, &job->key, ck_strbuf_text(&job->text), job->text.length);
    return status;
}

/* --- Images for launches -----------------------------------------------------------------------
 */

static const struct ck_kernel_info *
find_kernel(const struct compiler *c, const char *name)
{
    for (int i = 0; i < ck_checker_n_kernels(c->front.checker); i++) {
        const struct ck_kernel_info *info = ck_checker_kernel(c->front.checker, i);
        if (strcmp(info->name, name) == 0)
            return info;
    }
    return NULL;
}

static bool
never_stays(const struct ck_diag *diag)
{
    return !diag;
}

/* Takes all diagnostics away, and keeps the warnings for kernels that reach their functions too. */
static void
put_diagnostics_away(struct compiler *c)
{
    struct ck_diag *next = ck_diags_take(&c->front.diags, (struct ck_diags_mark){0}, never_stays);
    for (struct ck_diag *diag = next; diag; diag = next) {
        next = diag->next;
        if (!diag->n_functions)
            continue;
        diag->next = c->warnings;
        c->warnings = diag;
    }
}

/* Generates code again if the cached code cannot be loaded, and replaces it in the cache. */
static ck_status
make_and_load(struct job *job, struct ck_tfunc *kernel, const struct ck_codegen_options *target)
{
    ck_status status;
    bool anew = job->request->anew;
    do {
        status = make_code(job, &kernel, 1, target, anew);
        if (status == CK_OK)
            status = ck_codegen_load(&job->request->image, job->ctx, target,
                                     ck_strbuf_text(&job->text), job->text.length);
        anew = true;
    } while (status != CK_OK && status != CK_ERROR_MEMORY && job->was_kept);
    return status;
}

/* A check of bounds takes the shapes of arrays at addresses as they are given. A launch that is
 * checked for bounds alone, as is usual on the CPU, says nothing of it. */
static void
warn_unwatched(struct compiler *c, const struct ck_tfunc *kernel, unsigned checks)
{
    struct ck_diags *diags = &c->front.diags;
    const unsigned others = checks & ~(unsigned)CK_CHECK_BOUNDS;
    if (!kernel || !others || !(checks & CK_CHECK_BOUNDS) ||
        !ck_tfunc_has(kernel, CK_EFFECT_RAW_MEMORY))
        return;
    struct ck_diag *diag = ck_diag_add(diags, CK_DIAG_UNWATCHED_MEMORY, kernel->span, kernel->name);
    ck_diag_help(diags, diag, "pass an array in place of the address to have its bounds checked");
}

static ck_status
specialise(struct job *job)
{
    struct compiler *c = job->compiler;
    ck_status status = need_program(job);
    if (status != CK_OK)
        return status;
    const struct image_request *request = job->request;
    const struct ck_kernel_info *info = find_kernel(c, request->name);
    if (!info)
        return ck_fail(job->ctx, CK_ERROR_NOT_FOUND, "no kernel `%s` in `%s`", request->name,
                       c->front.source.name);
    if (!ck_codegen_knows(request->arch))
        return fail_arch(job->ctx, CK_ERROR_UNSUPPORTED, request->arch);

    put_diagnostics_away(c);
    const struct ck_type **types =
        CK_NEW_ARRAY(&c->arena, const struct ck_type *, request->n_params);
    const ck_param_info *param = request->params;
    int n = 0;
    while (param < request->params + request->n_params)
        types[n++] = ck_param_type(ck_checker_types(c->front.checker), &param);
    struct ck_tfunc *kernel = ck_check_kernel(c->front.checker, info, types, n);
    ck_front_analyse(&c->front);
    ck_give_warnings(c->front.checker, kernel, &c->warnings);
    warn_unwatched(c, kernel, request->assume / CK_ASSUME_CHECKS);
    status = publish_diagnostics(job);
    if (status != CK_OK)
        return status;
    if (!kernel || c->front.diags.n_errors)
        return fail_with_first(job->ctx, CK_ERROR_PROGRAM);

    struct ck_codegen_options target = c->target;
    target.arch = request->arch;
    target.restrict_arrays = request->assume & CK_ASSUME_DISJOINT;
    target.aligned_arrays = request->assume & CK_ASSUME_ALIGNED;
    target.small_launches = request->assume & CK_ASSUME_SMALL;
    target.natural_scalars = request->assume & CK_ASSUME_NATURAL;
    target.small_version = -1;
    target.by_rank = request->assume & CK_ASSUME_BY_RANK;
    target.shared_arrays = true;
    target.checks = request->assume / CK_ASSUME_CHECKS;
    return make_and_load(job, kernel, &target);
}

static ck_status
make_image(struct ck_image **out, ck_module *module, const char *name, const ck_param_info *params,
           int n_params, unsigned assume, bool anew, const char *arch)
{
    struct image_request request = {.name = name,
                                    .params = params,
                                    .n_params = n_params,
                                    .assume = assume,
                                    .anew = anew,
                                    .arch = arch};
    struct job job = {.ctx = module->ctx,
                      .module = module,
                      .compiler = module->compiler_state,
                      .request = &request};
    clear_diagnostics(module->ctx);
    ck_status status = guarded(&job, specialise);
    ck_strbuf_free(&job.text);
    ck_strbuf_free(&job.key);
    if (status == CK_OK) {
        request.image->was_kept = job.was_kept;
        *out = request.image;
    }
    return status;
}

/* --- Findings ----------------------------------------------------------------------------------
 */

static void
add_finding(struct compiler *c, const struct ck_finding *finding)
{
    static const enum ck_diag_id ids[] = {
        [CK_FINDING_OUT_OF_BOUNDS] = CK_DIAG_OUT_OF_BOUNDS,
        [CK_FINDING_DATA_RACE] = CK_DIAG_DATA_RACE,
        [CK_FINDING_UNINITIALIZED_READ] = CK_DIAG_UNINITIALIZED_READ,
        [CK_FINDING_UNWAITED_COPY] = CK_DIAG_UNWAITED_COPY,
        [CK_FINDING_INTEGER_OVERFLOW] = CK_DIAG_INTEGER_OVERFLOW,
        [CK_FINDING_LOSSY_CAST] = CK_DIAG_LOSSY_CAST,
        [CK_FINDING_BARRIER_NEVER_PASSED] = CK_DIAG_BARRIER_NEVER_PASSED,
        [CK_FINDING_BARRIER_MISUSE] = CK_DIAG_BARRIER_MISUSE,
        [CK_FINDING_FAILED_ASSERTION] = CK_DIAG_FAILED_ASSERTION,
    };
    const struct ck_finding_place *place = finding->places;
    struct ck_diag *diag =
        ck_diag_add(&c->front.diags, ids[finding->kind], (struct ck_span){place->begin, place->end},
                    finding->message);
    if (place->text)
        ck_diag_label(&c->front.diags, diag, (struct ck_span){place->begin, place->end}, "%s",
                      place->text);
    for (int i = 1; i < finding->n_places; i++) {
        place = &finding->places[i];
        ck_diag_label(&c->front.diags, diag, (struct ck_span){place->begin, place->end}, "%s",
                      place->text ? place->text : "called here");
    }
    memcpy(diag->threads, finding->threads, sizeof diag->threads);
    diag->n_threads = finding->n_threads;
    if (finding->help)
        ck_diag_help(&c->front.diags, diag, "%s", finding->help);
    if (finding->note)
        ck_diag_note(&c->front.diags, diag, "%s", finding->note);
}

static ck_status
report_found(struct job *job)
{
    struct compiler *c = job->compiler;
    put_diagnostics_away(c);
    c->front.diags.may_repeat = true;
    for (size_t i = 0; i < job->findings->n; i++)
        add_finding(c, &job->findings->items[i]);
    c->front.diags.may_repeat = false;
    ck_status status = publish_diagnostics(job);
    return status ? status : fail_with_first(job->ctx, job->found);
}

static ck_status
report(ck_module *module, const struct ck_findings *findings, ck_status found)
{
    struct job job = {.ctx = module->ctx,
                      .module = module,
                      .compiler = module->compiler_state,
                      .findings = findings,
                      .found = found};
    clear_diagnostics(module->ctx);
    ck_status status = guarded(&job, report_found);
    ck_strbuf_free(&job.text);
    return status;
}

static void
free_compiler(ck_module *module)
{
    struct compiler *c = module->compiler_state;
    ck_arena_free(&c->arena);
    ck_arena_free(&c->given);
    free(c);
    module->compiler_state = NULL;
}

static const struct ck_compiler_ops compiler_ops = {make_image, report, free_compiler};

/* An empty module with a compiler behind it; NULL when out of memory. */
static struct ck_module *
new_module(ck_context *ctx)
{
    struct compiler *c = calloc(1, sizeof *c);
    struct ck_module *module = c ? ck_module_alloc(ctx) : NULL;
    if (!module) {
        free(c);
        return NULL;
    }
    ck_arena_init(&c->given);
    ck_arena_init(&c->arena);
    module->compiler_state = c;
    module->compiler = &compiler_ops;
    return module;
}

ck_status
ck_compile(ck_module **out, ck_context *ctx, const char *source, size_t length,
           const ck_compile_options *options)
{
    if (!ctx)
        return CK_ERROR_ARGUMENT;
    clear_diagnostics(ctx);
    if (!out || (!source && length))
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "ck_compile: `%s` is NULL", out ? "source" : "out");
    ck_compile_options known;
    ck_status status = ck_compile_options_read(&known, ctx, options);
    if (status != CK_OK)
        return status;
    struct ck_module *module = new_module(ctx);
    if (!module)
        return ck_fail_memory(ctx);
    const struct source_given given = {source, length, &known};
    struct job job = {
        .ctx = ctx, .module = module, .compiler = module->compiler_state, .given = &given};
    status = guarded(&job, compile);
    ck_strbuf_free(&job.text);
    if (status == CK_OK)
        *out = module;
    else
        ck_module_free(module);
    return status;
}

/* --- Emission ----------------------------------------------------------------------------------
 */

/* Fails because nothing can be emitted: there is no kernel, or only generic ones. */
static ck_status
fail_no_kernel(struct job *job)
{
    const struct compiler *c = job->compiler;
    if (ck_checker_n_kernels(c->front.checker) == 0)
        return ck_fail(job->ctx, CK_ERROR_PROGRAM,
                       "`%s` has no kernel: mark a function with `@kernel` or `@cuda.jit`",
                       c->front.source.name);
    const struct ck_kernel_info *info = ck_checker_kernel(c->front.checker, 0);
    return ck_fail(job->ctx, CK_ERROR_PROGRAM,
                   "kernel `%s` is generic: give the types of its %d parameter%s, as in "
                   "--sig '%s(float32, float32[::1], ...)'",
                   info->name, info->n_params, info->n_params == 1 ? "" : "s", info->name);
}

static ck_status
emit_ptx(struct job *job)
{
    struct compiler *c = job->compiler;
    if (!ck_codegen_has_ptx(c->target.arch))
        return ck_fail(job->ctx, CK_ERROR_ARGUMENT, "the target `%s` has no PTX", c->target.arch);
    ck_status status = make_code(job, c->kernels, c->n_kernels, &c->target, false);
    if (status != CK_OK || !job->was_kept)
        return status;
    struct ck_manifest manifest; /* of code that is whole */
    status = ck_manifest_read_ptx(&manifest, &c->arena, job->ctx, ck_strbuf_text(&job->text),
                                  job->text.length);
    if (status != CK_ERROR_FORMAT)
        return status;
    return make_code(job, c->kernels, c->n_kernels, &c->target, true);
}

static ck_status
emit_code(struct job *job, enum ck_codegen_form form)
{
    struct compiler *c = job->compiler;
    return ck_codegen_write(&job->text, job->ctx,
                            ck_checker_program_of(c->front.checker, c->kernels, c->n_kernels),
                            &c->target, form);
}

static ck_status
emit(struct job *job)
{
    struct compiler *c = job->compiler;
    ck_status status = need_program(job);
    if (status != CK_OK)
        return status;
    if (job->kind == CK_EMIT_AST) {
        ck_ast_dump(&job->text, c->front.ast, &c->front.source);
        return CK_OK;
    }
    if (!c->front.checker)
        return ck_fail(job->ctx, CK_ERROR_ARGUMENT,
                       "the module was only parsed: it has a tree only");
    if (c->n_kernels == 0)
        return fail_no_kernel(job);
    switch (job->kind) {
    case CK_EMIT_PTX:
        return emit_ptx(job);
    case CK_EMIT_LLVM:
        return emit_code(job, CK_FORM_LLVM);
    case CK_EMIT_LLVM_RAW:
        return emit_code(job, CK_FORM_LLVM_RAW);
    case CK_EMIT_MANIFEST:
        return emit_code(job, CK_FORM_MANIFEST);
    case CK_EMIT_TYPES:
        ck_program_dump(&job->text,
                        ck_checker_program_of(c->front.checker, c->kernels, c->n_kernels));
        return CK_OK;
    default:
        return ck_fail(job->ctx, CK_ERROR_ARGUMENT, "unknown kind %d to emit", (int)job->kind);
    }
}

ck_status
ck_module_emit(char **out, size_t *length, ck_module *module, ck_emit_kind kind)
{
    if (!module)
        return CK_ERROR_ARGUMENT;
    if (!out)
        return ck_fail(module->ctx, CK_ERROR_ARGUMENT, "ck_module_emit: `out` is NULL");
    if (module->compiler != &compiler_ops)
        return ck_fail(module->ctx, CK_ERROR_ARGUMENT,
                       "a prebuilt image has no source to emit another form from");
    struct job job = {
        .ctx = module->ctx, .module = module, .compiler = module->compiler_state, .kind = kind};
    ck_status status = guarded(&job, emit);
    ck_strbuf_free(&job.key);
    if (status != CK_OK) {
        ck_strbuf_free(&job.text);
        return status;
    }
    size_t text_length = job.text.length;
    char *text = ck_strbuf_take(&job.text);
    if (!text)
        return ck_fail_memory(module->ctx);
    *out = text;
    if (length)
        *length = text_length;
    return CK_OK;
}

void
ck_text_free(char *text)
{
    free(text);
}
