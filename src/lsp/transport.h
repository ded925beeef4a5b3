/* Messages of the base protocol: a header with the length in bytes, then the content. */
#ifndef LSP_TRANSPORT_H
#define LSP_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* A message, or a header, that is larger is passed over. */
enum { LSP_MAX_CONTENT = 64 << 20, LSP_MAX_HEADER = 64 << 10 };

/* The bytes that arrived and are not handled. */
struct lsp_input {
    int file;
    struct ck_strbuf bytes;
    size_t at;   /* of the first byte that is not handled */
    size_t skip; /* bytes still to come of a message that is passed over */
    bool ended;
};

void lsp_input_init(struct lsp_input *input, int file);
void lsp_input_free(struct lsp_input *input);
/* Reads what there is, after waiting for it at most so many milliseconds; -1: for ever. False: out
 * of memory. */
bool lsp_input_read(struct lsp_input *input, int milliseconds);

enum lsp_frame {
    LSP_FRAME_NONE,    /* more has to be read */
    LSP_FRAME_MESSAGE, /* *content, until the next call of a function of the input */
    LSP_FRAME_BAD,     /* a header without a valid length, or a message too large: passed over */
};

/* The next message among the bytes. */
enum lsp_frame lsp_input_next(struct lsp_input *input, const char **content, size_t *length);

/* Writes a message; false if the client no longer reads. */
bool lsp_write(int file, const char *content, size_t length);

#endif
