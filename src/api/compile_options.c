/* The options of a compilation: reading and keeping the caller's, and those for code generation. */
#include "compile_options.h"

#include <string.h>

#include "base/limits.h"
#include "codegen/driver/codegen.h"
#include "runtime/launch/device.h"

ck_status
ck_compile_options_read(ck_compile_options *out, ck_context *ctx, const ck_compile_options *given)
{
    memset(out, 0, sizeof *out);
    if (given) {
        if (!ck_options_size_fits(given->size))
            return ck_fail(ctx, CK_ERROR_ARGUMENT,
                           "ck_compile_options.size is %zu: set it to sizeof(ck_compile_options)",
                           given->size);
        if (!ck_options_read(out, sizeof *out, given, given->size))
            return ck_fail(ctx, CK_ERROR_ARGUMENT,
                           "ck_compile_options holds an option that ck %s does not know",
                           ck_version());
    }
    if (out->opt_level < -1 || out->opt_level > 3)
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "opt_level is %d: it must be -1 to 3",
                       out->opt_level);
    if (out->max_registers < 0 || out->max_registers > CK_MAX_THREAD_REGISTERS)
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "max_registers is %d: it must be 0 to %d",
                       out->max_registers, CK_MAX_THREAD_REGISTERS);
    if ((out->n_sigs && !out->sigs) || (out->n_warnings_off && !out->warnings_off) ||
        (out->n_parts && !out->parts))
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "ck_compile_options holds a list that is NULL");
    for (size_t i = 0; i < out->n_parts; i++) {
        if (!out->parts[i].file || (i > 0 && out->parts[i].line <= out->parts[i - 1].line))
            return ck_fail(ctx, CK_ERROR_ARGUMENT,
                           "ck_compile_options.parts[%zu] has no file, or does not follow the one "
                           "before",
                           i);
    }
    return CK_OK;
}

void
ck_codegen_options_of(struct ck_codegen_options *out, const ck_compile_options *options,
                      const char *arch)
{
    *out = (struct ck_codegen_options){
        .arch = arch,
        .opt_level = options->opt_level < 0    ? 0
                     : options->opt_level == 0 ? 3
                                               : options->opt_level,
        .fmad = !options->no_fmad,
        .lineinfo = options->lineinfo != 0,
        .libdevice = options->libdevice,
        .restrict_arrays = options->restrict_arrays != 0,
        .aligned_arrays = options->aligned_arrays != 0,
        .small_launches = options->small_launches != 0,
        .natural_scalars = options->natural_scalars != 0,
        .small_version = options->small_version,
        .by_rank = options->by_rank != 0,
        .max_registers = options->max_registers,
        .source_name = options->image_name,
        .after_pass = options->after_pass,
    };
}

static const char *
keep_text(struct ck_arena *arena, const char *text)
{
    return text ? ck_arena_strdup(arena, text) : NULL;
}

static const char *const *
keep_texts(struct ck_arena *arena, const char *const *texts, size_t n)
{
    const char **kept = CK_NEW_ARRAY(arena, const char *, n);
    for (size_t i = 0; i < n; i++)
        kept[i] = ck_arena_strdup(arena, texts[i]);
    return kept;
}

static struct ck_text_part *
keep_parts(struct ck_arena *arena, const ck_source_part *parts, size_t n)
{
    struct ck_text_part *kept = CK_NEW_ARRAY(arena, struct ck_text_part, n);
    for (size_t i = 0; i < n; i++)
        kept[i] = (struct ck_text_part){parts[i].line, ck_arena_strdup(arena, parts[i].file),
                                        parts[i].file_line, parts[i].column};
    return kept;
}

struct ck_text_part *
ck_compile_options_keep(ck_compile_options *out, struct ck_arena *arena,
                        const ck_compile_options *given)
{
    *out = *given;
    out->name = ck_arena_strdup(arena, given->name ? given->name : "<source>");
    out->libdevice = keep_text(arena, given->libdevice);
    out->image_name = keep_text(arena, given->image_name);
    out->after_pass = keep_text(arena, given->after_pass);
    out->sigs = keep_texts(arena, given->sigs, given->n_sigs);
    out->warnings_off = keep_texts(arena, given->warnings_off, given->n_warnings_off);
    return keep_parts(arena, given->parts, given->n_parts);
}
