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

struct lsp_position
lsp_position_of(const struct ck_source *source, enum lsp_encoding encoding, uint32_t offset)
{
    if (offset > source->length)
        offset = source->length;
    struct lsp_position position = {.line = ck_source_position(source, offset).line - 1};
    const char *at = source->text + source->line_starts[position.line];
    const char *end = source->text + offset, *limit = source->text + source->length;
    while (at < end) {
        int bytes = character_bytes(at, limit);
        position.character += units(encoding, bytes);
        at += bytes;
    }
    return position;
}

struct json_object *
lsp_new_position(const struct ck_source *source, enum lsp_encoding encoding, uint32_t offset)
{
    struct lsp_position position = lsp_position_of(source, encoding, offset);
    struct json_object *out = json_object_new_object();
    lsp_put_number(out, "line", position.line);
    lsp_put_number(out, "character", position.character);
    return out;
}

struct json_object *
lsp_new_range(const struct ck_source *source, enum lsp_encoding encoding, struct ck_span span)
{
    struct json_object *out = json_object_new_object();
    lsp_put(out, "start", lsp_new_position(source, encoding, span.start));
    lsp_put(out, "end", lsp_new_position(source, encoding, span.end));
    return out;
}
