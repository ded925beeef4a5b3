/* A source text and positions in it. */
#include "base/source.h"

#include <string.h>

void
ck_source_init(struct ck_source *source, struct ck_arena *arena, const char *name, const char *text,
               size_t length)
{
    *source = (struct ck_source){
        .name = ck_arena_strdup(arena, name),
        .text = ck_arena_strndup(arena, text, length),
        .length = (uint32_t)length,
    };
    uint32_t *starts = NULL;
    uint32_t n = 0, capacity = 0;
    CK_PUSH(arena, starts, n, capacity, 0);
    for (uint32_t i = 0; i < source->length; i++) {
        char c = source->text[i];
        if (c == '\n' || (c == '\r' && source->text[i + 1] != '\n'))
            CK_PUSH(arena, starts, n, capacity, i + 1);
    }
    source->line_starts = starts;
    source->n_lines = n;
}

struct ck_position
ck_source_position(const struct ck_source *source, uint32_t offset)
{
    offset = offset > source->length ? source->length : offset;
    uint32_t low = 0, high = source->n_lines; /* the line is in [low, high) */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    uint32_t column = 1;
    for (uint32_t i = source->line_starts[low]; i < offset; i++)
        column += ((unsigned char)source->text[i] & 0xC0) != 0x80;
    return (struct ck_position){.line = low + 1, .column = column};
}

struct ck_origin
ck_source_line_origin(const struct ck_source *source, uint32_t line)
{
    struct ck_origin place = {source->name, line, 1};
    for (size_t i = 0; i < source->n_parts && source->parts[i].line <= line; i++) {
        const struct ck_text_part *part = &source->parts[i];
        place =
            (struct ck_origin){part->file, part->file_line + (line - part->line), 1 + part->column};
    }
    return place;
}

struct ck_origin
ck_source_origin(const struct ck_source *source, uint32_t offset)
{
    struct ck_position at = ck_source_position(source, offset);
    struct ck_origin place = ck_source_line_origin(source, at.line);
    place.column += at.column - 1;
    return place;
}

struct ck_span
ck_source_line(const struct ck_source *source, uint32_t line)
{
    if (line < 1 || line > source->n_lines)
        return (struct ck_span){source->length, source->length};
    uint32_t start = source->line_starts[line - 1];
    uint32_t end = line < source->n_lines ? source->line_starts[line] : source->length;
    while (end > start && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
        end--;
    return (struct ck_span){start, end};
}
