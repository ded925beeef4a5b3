/* Positions of the protocol: a line, and a character in the units that client and server agreed
 * on. */
#ifndef LSP_POSITION_H
#define LSP_POSITION_H

#include <stdbool.h>

#include "base/source.h"
#include "json_access.h"

enum lsp_encoding { LSP_UTF8, LSP_UTF16, LSP_UTF32 };

/* The name of an encoding, as "utf-16". */
const char *lsp_encoding_name(enum lsp_encoding encoding);

/* The offset of a position; a line, or a character, beyond the end is the end. */
uint32_t lsp_offset(const struct ck_source *source, enum lsp_encoding encoding, uint32_t line,
                    uint32_t character);
/* The same for a Position of the protocol. False: it is none. */
bool lsp_read_position(const struct ck_source *source, enum lsp_encoding encoding,
                       struct json_object *position, uint32_t *offset);
/* The same for a Range: *span is in order, whatever the range. */
bool lsp_read_range(const struct ck_source *source, enum lsp_encoding encoding,
                    struct json_object *range, struct ck_span *span);

/* A line, from 0, and a character of an offset. The last position of a text is where the search for
 * the next begins, so that a long line is counted once. */
struct lsp_position {
    uint32_t offset, line, character;
};
struct lsp_position lsp_find_position(const struct ck_source *source, enum lsp_encoding encoding,
                                      struct lsp_position *last, uint32_t offset);
struct json_object *lsp_new_position(const struct ck_source *source, enum lsp_encoding encoding,
                                     struct lsp_position *last, uint32_t offset);
struct json_object *lsp_new_range(const struct ck_source *source, enum lsp_encoding encoding,
                                  struct lsp_position *last, struct ck_span span);

#endif
