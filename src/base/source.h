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

struct ck_source {
    const char *name; /* as shown in messages, e.g. "reduce.ck" */
    const char *text; /* `length` bytes followed by a zero byte */
    uint32_t length;
    const uint32_t *line_starts; /* byte offset of each line's first byte */
    uint32_t n_lines;
};

struct ck_position {
    uint32_t line;   /* from 1 */
    uint32_t column; /* from 1, in characters (code points), as editors count */
};

/* Copies name and text into the arena and indexes the lines ("\n", "\r\n" and "\r" end one). */
void ck_source_init(struct ck_source *source, struct ck_arena *arena, const char *name,
                    const char *text, size_t length);
struct ck_position ck_source_position(const struct ck_source *source, uint32_t offset);
/* The line's text without its end, as a span. `line` counts from 1. */
struct ck_span ck_source_line(const struct ck_source *source, uint32_t line);

static inline struct ck_span
ck_span_join(struct ck_span a, struct ck_span b)
{
    return (struct ck_span){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

#endif
