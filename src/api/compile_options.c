/* Reading and keeping the options of ck_compile: see compile_options.h. */
#include "compile_options.h"

#include <string.h>

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
    out->after_pass = keep_text(arena, given->after_pass);
    out->sigs = keep_texts(arena, given->sigs, given->n_sigs);
    out->warnings_off = keep_texts(arena, given->warnings_off, given->n_warnings_off);
    return keep_parts(arena, given->parts, given->n_parts);
}
