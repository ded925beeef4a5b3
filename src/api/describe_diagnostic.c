/* The public description of a diagnostic: see describe_diagnostic.h. */
#include "describe_diagnostic.h"

#include <string.h>

static const ck_diagnostic_label *
copy_labels(struct ck_arena *arena, const struct ck_diag *diag)
{
    ck_diagnostic_label *labels = CK_NEW_ARRAY(arena, ck_diagnostic_label, (size_t)diag->n_labels);
    for (int i = 0; i < diag->n_labels; i++) {
        const struct ck_label *label = &diag->labels[i];
        struct ck_origin begin = ck_source_origin(diag->source, label->span.start);
        struct ck_origin end = ck_source_origin(diag->source, label->span.end);
        labels[i] = (ck_diagnostic_label){begin.line, begin.column, end.line, end.column,
                                          ck_arena_strdup(arena, label->text)};
    }
    return labels;
}

static const ck_thread_index *
copy_threads(struct ck_arena *arena, const struct ck_diag *diag)
{
    ck_thread_index *threads = CK_NEW_ARRAY(arena, ck_thread_index, (size_t)diag->n_threads);
    for (int i = 0; i < diag->n_threads; i++) {
        memcpy(threads[i].block, diag->threads[i], sizeof threads[i].block);
        memcpy(threads[i].thread, &diag->threads[i][3], sizeof threads[i].thread);
    }
    return threads;
}

static const char *const *
copy_kernels(struct ck_arena *arena, const struct ck_diag *diag)
{
    if (!diag->is_of_function)
        return NULL;
    const char **kernels = CK_NEW_ARRAY(arena, const char *, (size_t)diag->n_kernels + 1);
    for (int i = 0; i < diag->n_kernels; i++)
        kernels[i] = ck_arena_strdup(arena, diag->kernels[i]);
    return kernels;
}

bool
ck_describe_diagnostic(ck_diagnostic *out, struct ck_arena *arena, struct ck_strbuf *text,
                       const struct ck_diag *diag)
{
    const struct ck_source *source = diag->source;
    struct ck_origin place = ck_source_origin(source, diag->span.start);
    struct ck_origin end = ck_source_origin(source, diag->span.end);
    ck_strbuf_clear(text);
    ck_diag_render(text, source, diag);
    *out = (ck_diagnostic){
        .severity = diag->severity == CK_SEVERITY_ERROR ? CK_ERROR : CK_WARNING,
        .name = ck_diag_name(diag->id),
        .message = ck_arena_strdup(arena, diag->message),
        .file = ck_arena_strdup(arena, place.file),
        .line = place.line,
        .column = place.column,
        .rendered = ck_arena_strdup(arena, ck_strbuf_text(text)),
        .end_line = end.line,
        .end_column = end.column,
        .labels = copy_labels(arena, diag),
        .n_labels = (size_t)diag->n_labels,
        .help = diag->help ? ck_arena_strdup(arena, diag->help) : NULL,
        .note = diag->note ? ck_arena_strdup(arena, diag->note) : NULL,
        .threads = copy_threads(arena, diag),
        .n_threads = (size_t)diag->n_threads,
        .kernels = copy_kernels(arena, diag),
        .n_kernels = (size_t)diag->n_kernels,
    };
    return !text->failed;
}
