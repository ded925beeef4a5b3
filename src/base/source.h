/* A source text and positions in it. */
#ifndef CK_SOURCE_H
#define CK_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Half-open byte range of the source. */
struct ck_span {
    uint32_t start;
    uint32_t end;
};

/* Lines that come from another text than the source: those from `line` on, up to the next part. */
struct ck_text_part {
    uint32_t line;      /* in the source */
    const char *file;   /* as shown in messages */
    uint32_t file_line; /* what `line` is there */
    uint32_t column;    /* characters that each line there has before its text here */
};

struct ck_source {
    const char *name; /* as shown in messages, e.g. "reduce.ck" */
    const char *text; /* `length` bytes followed by a zero byte */
    uint32_t length;
    const uint32_t *line_starts; /* byte offset of each line's first byte */
    uint32_t n_lines;
    const struct ck_text_part *parts; /* by line */
    size_t n_parts;
};

struct ck_position {
    uint32_t line;   /* from 1 */
    uint32_t column; /* from 1, in characters (code points), as editors count */
};

/* Copies name and text into the arena and indexes the lines ("\n", "\r\n" and "\r" end one). */
void ck_source_init(struct ck_source *source, struct ck_arena *arena, const char *name,
                    const char *text, size_t length);
struct ck_position ck_source_position(const struct ck_source *source, uint32_t offset);
/* A position for messages, in the text that the line comes from. */
struct ck_origin {
    const char *file;
    uint32_t line, column;
};

struct ck_origin ck_source_origin(const struct ck_source *source, uint32_t offset);
/* The place of a line, from 1, of the source. */
struct ck_origin ck_source_line_origin(const struct ck_source *source, uint32_t line);
/* The line's text without its end, as a span. `line` counts from 1. */
struct ck_span ck_source_line(const struct ck_source *source, uint32_t line);

static inline struct ck_span
ck_span_join(struct ck_span a, struct ck_span b)
{
    return (struct ck_span){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

#endif
