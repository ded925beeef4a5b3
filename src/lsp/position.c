/* Positions of the protocol: see position.h. */
#include "position.h"

#include "base/utf8.h"

static const char *const encoding_names[] = {
    [LSP_UTF8] = "utf-8", [LSP_UTF16] = "utf-16", [LSP_UTF32] = "utf-32"};

const char *
lsp_encoding_name(enum lsp_encoding encoding)
{
    return encoding_names[encoding];
}

/* The units that a character of so many bytes has. */
static uint32_t
units(enum lsp_encoding encoding, int bytes)
{
    return encoding == LSP_UTF8 ? (uint32_t)bytes : encoding == LSP_UTF16 && bytes == 4 ? 2 : 1;
}

/* The bytes of a character; one where the text is not UTF-8. */
static int
character_bytes(const char *at, const char *end)
{
    uint32_t code;
    int length = ck_utf8_decode(at, end, &code);
    return length ? length : 1;
}

uint32_t
lsp_offset(const struct ck_source *source, enum lsp_encoding encoding, uint32_t line,
           uint32_t character)
{
    if (line >= source->n_lines)
        return source->length;
    struct ck_span span = ck_source_line(source, line + 1);
    const char *at = source->text + span.start, *end = source->text + span.end;
    for (uint32_t n = 0; at < end && n < character;) {
        int bytes = character_bytes(at, end);
        n += units(encoding, bytes);
        if (n > character) /* a position inside a character is before it */
            break;
        at += bytes;
    }
    return (uint32_t)(at - source->text);
}

bool
lsp_read_position(const struct ck_source *source, enum lsp_encoding encoding,
                  struct json_object *position, uint32_t *offset)
{
    uint32_t line, character;
    if (!lsp_get_number(position, "line", &line) ||
        !lsp_get_number(position, "character", &character))
        return false;
    *offset = lsp_offset(source, encoding, line, character);
    return true;
}

bool
lsp_read_range(const struct ck_source *source, enum lsp_encoding encoding,
               struct json_object *range, struct ck_span *span)
{
    uint32_t start, end;
    if (!lsp_read_position(source, encoding, lsp_get(range, "start"), &start) ||
        !lsp_read_position(source, encoding, lsp_get(range, "end"), &end))
        return false;
    *span = start < end ? (struct ck_span){start, end} : (struct ck_span){end, start};
    return true;
}

/* The line, from 0, in which an offset is: the last that starts at or before it. */
static uint32_t
line_of(const struct ck_source *source, uint32_t offset)
{
    uint32_t low = 0, high = source->n_lines;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct lsp_position
lsp_find_position(const struct ck_source *source, enum lsp_encoding encoding,
                  struct lsp_position *last, uint32_t offset)
{
    if (offset > source->length)
        offset = source->length;
    struct lsp_position found = {.line = line_of(source, offset)};
    found.offset = source->line_starts[found.line];
    if (found.line == last->line && last->offset <= offset && last->offset >= found.offset)
        found = *last;
    const char *limit = source->text + source->length;
    while (found.offset < offset) {
        int bytes = character_bytes(source->text + found.offset, limit);
        found.character += units(encoding, bytes);
        found.offset += (uint32_t)bytes;
    }
    *last = found;
    return found;
}

struct json_object *
lsp_new_position(const struct ck_source *source, enum lsp_encoding encoding,
                 struct lsp_position *last, uint32_t offset)
{
    struct lsp_position at = lsp_find_position(source, encoding, last, offset);
    return lsp_new_written("{\"line\":%u,\"character\":%u}", at.line, at.character);
}

struct json_object *
lsp_new_range(const struct ck_source *source, enum lsp_encoding encoding, struct lsp_position *last,
              struct ck_span span)
{
    struct lsp_position start = lsp_find_position(source, encoding, last, span.start);
    struct lsp_position end = lsp_find_position(source, encoding, last, span.end);
    return lsp_new_written("{\"start\":{\"line\":%u,\"character\":%u},"
                           "\"end\":{\"line\":%u,\"character\":%u}}",
                           start.line, start.character, end.line, end.character);
}
