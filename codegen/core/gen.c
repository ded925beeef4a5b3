/* The context of code generation: failures, the target machine, and the frames of inlined calls. */
#include "codegen/core/gen.h"

#include <string.h>

void
ck_gen_fail(struct ck_gen *gen, ck_status status, const char *format, ...)
{
    struct ck_strbuf text;
    va_list args;
    ck_strbuf_init(&text);
    va_start(args, format);
    ck_strbuf_vprintf(&text, format, args);
    va_end(args);
    gen->status = ck_fail(gen->ctx, status, "%s", ck_strbuf_text(&text));
    ck_strbuf_free(&text);
    longjmp(gen->escape, 1);
}

void
ck_gen_renew_machine(struct ck_gen *gen)
{
    LLVMDisposeTargetMachine(gen->machine);
    gen->machine = NULL;
    gen->machine = gen->target->module->machine(gen);
}

/* The first character that is no space, no comment and no end of a line. */
static const char *
skip_gap(const char *at, const char *end)
{
    while (at < end && strchr(" \t\f\r\n\\#", *at)) {
        if (*at == '#')
            at += strcspn(at, "\n");
        else
            at++;
    }
    return at < end ? at : end;
}

/* The end of a line becomes one space, or nothing beside a bracket. */
const char *
ck_gen_source_text(struct ck_gen *gen, struct ck_span span)
{
    const char *at = gen->program->source->text + span.start;
    const char *end = gen->program->source->text + span.end;
    char *text = ck_arena_alloc(&gen->arena, (size_t)(end - at) + 1), *out = text;
    while (at < end) {
        const char *next = skip_gap(at, end);
        const bool breaks = memchr(at, '\n', (size_t)(next - at)) != NULL;
        if (!breaks) {
            *out++ = *at++;
            continue;
        }
        at = next;
        if (out > text && at < end && !strchr("([", out[-1]) && !strchr(")]", *at))
            *out++ = ' ';
    }
    *out = '\0';
    return text;
}

const struct ck_frame *
ck_gen_user_frame(struct ck_gen *gen, struct ck_span *span)
{
    const struct ck_frame *frame = gen->frame;
    for (; frame && frame->info->tfunc->in_prelude; frame = frame->caller)
        *span = frame->call;
    return frame;
}

const struct ck_tfunc *
ck_gen_kernel(const struct ck_gen *gen)
{
    const struct ck_frame *frame = gen->frame;
    while (frame->caller)
        frame = frame->caller;
    return frame->info->tfunc;
}
