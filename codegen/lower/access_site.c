/* The table of the places in the source that findings name. */
#include "codegen/lower/lower.h"

static uint32_t
line_of(const struct ck_gen *gen, uint32_t offset)
{
    return ck_source_origin(gen->program->source, offset).line;
}

static uint32_t
add_site(struct ck_gen *gen, struct ck_access_site site)
{
    CK_PUSH(&gen->arena, gen->accesses, gen->n_accesses, gen->accesses_capacity, site);
    return (uint32_t)gen->n_accesses;
}

static bool
is_in_loop(const struct ck_frame *frame)
{
    for (; frame; frame = frame->caller) {
        if (frame->loop && !frame->info->tfunc->in_prelude)
            return true;
    }
    return false;
}

/* Adds the calls through which `frame` was inlined; returns the number of the innermost. */
static uint32_t
add_calls(struct ck_gen *gen, const struct ck_frame *frame)
{
    if (!frame->caller)
        return 0;
    struct ck_access_site call = {.begin = frame->call.start,
                                  .end = frame->call.end,
                                  .line = line_of(gen, frame->call.start),
                                  .caller = add_calls(gen, frame->caller),
                                  .array = frame->info->tfunc->name,
                                  .index = ""};
    return add_site(gen, call);
}

/* The end of an access: of its index, and of the bracket that closes it. */
static uint32_t
end_of(struct ck_gen *gen, struct ck_span index)
{
    const struct ck_source *source = gen->program->source;
    return index.end < source->length && source->text[index.end] == ']' ? index.end + 1 : index.end;
}

/* From the array to the end of its index. Only the index of a constant array is at the access: its
 * expression is the definition. */
uint32_t
ck_gen_access_site(struct ck_gen *gen, const struct ck_texpr *array, const struct ck_tindex *index)
{
    if (gen->frame->info->tfunc->in_prelude) /* for the program: memory of its call's array */
        return ck_gen_copy_site(gen, array->span);
    const bool is_constant = array->kind == CK_T_ARRAY;
    const struct ck_span at = array->span, none = {0, 0};
    const struct ck_span of_index = index->value ? index->value->span : none;
    const bool is_written =
        of_index.end > of_index.start && (is_constant || of_index.start >= at.end);
    const uint32_t begin = is_constant ? of_index.start : at.start;
    struct ck_access_site site = {
        .line = line_of(gen, begin),
        .item = (uint32_t)ck_type_size(array->type->array.elem),
        .ndim = (uint32_t)array->type->array.ndim,
        .begin = begin,
        .end = is_constant  ? of_index.end
               : is_written ? end_of(gen, of_index)
                            : at.end,
        .caller = add_calls(gen, gen->frame),
        .array = is_constant ? array->array->name : ck_gen_source_text(gen, at),
        .index = is_written ? ck_gen_source_text(gen, of_index) : "",
        .in_loop = is_in_loop(gen->frame),
        .wraps = index->wrap,
    };
    return add_site(gen, site);
}

uint32_t
ck_gen_operation_site(struct ck_gen *gen, struct ck_span span, const struct ck_texpr *operand)
{
    struct ck_access_site site = {
        .begin = span.start,
        .end = span.end,
        .line = line_of(gen, span.start),
        .caller = add_calls(gen, gen->frame),
        .array = ck_gen_source_text(gen, span),
        .index = operand ? ck_gen_source_text(gen, operand->span) : "",
        .in_loop = is_in_loop(gen->frame),
    };
    return add_site(gen, site);
}

uint32_t
ck_gen_place_site(struct ck_gen *gen, const struct ck_frame *frame, struct ck_span span)
{
    struct ck_access_site site = {.begin = span.start,
                                  .end = span.end,
                                  .line = line_of(gen, span.start),
                                  .caller = frame ? add_calls(gen, frame) : 0,
                                  .array = ck_gen_source_text(gen, span),
                                  .index = ""};
    return add_site(gen, site);
}

uint32_t
ck_gen_copy_site(struct ck_gen *gen, struct ck_span span)
{
    const struct ck_frame *user = ck_gen_user_frame(gen, &span);
    struct ck_access_site site = {.begin = span.start,
                                  .end = span.end,
                                  .line = line_of(gen, span.start),
                                  .caller = user ? add_calls(gen, user) : 0,
                                  .in_loop = is_in_loop(gen->frame),
                                  .array = ck_gen_source_text(gen, span),
                                  .index = ""};
    return add_site(gen, site);
}
