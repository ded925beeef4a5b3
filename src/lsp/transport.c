/* The base protocol: see transport.h. */
#include "transport.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { READ_SIZE = 64 << 10 };

void
lsp_input_init(struct lsp_input *input, int file)
{
    *input = (struct lsp_input){.file = file};
    ck_strbuf_init(&input->bytes);
}

void
lsp_input_free(struct lsp_input *input)
{
    ck_strbuf_free(&input->bytes);
}

/* --- Reading -------------------------------------------------------------------------------------
 */

/* Drops the bytes that are handled. */
static void
compact(struct lsp_input *input)
{
    struct ck_strbuf *bytes = &input->bytes;
    if (!input->at)
        return;
    memmove(bytes->text, bytes->text + input->at, bytes->length - input->at);
    bytes->length -= input->at;
    input->at = 0;
}

static bool
is_readable(int file, int milliseconds)
{
    struct pollfd poller = {.fd = file, .events = POLLIN};
    return poll(&poller, 1, milliseconds) > 0;
}

bool
lsp_input_read(struct lsp_input *input, int milliseconds)
{
    static const int none = 0;
    char chunk[READ_SIZE];
    compact(input);
    for (int wait = milliseconds; !input->ended && is_readable(input->file, wait); wait = none) {
        ssize_t n = read(input->file, chunk, sizeof chunk);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            input->ended = true;
        else
            ck_strbuf_add(&input->bytes, chunk, (size_t)n);
        /* Enough for one message: what follows can wait. */
        if (input->bytes.length > (size_t)LSP_MAX_CONTENT + LSP_MAX_HEADER)
            break;
    }
    return !input->bytes.failed;
}

/* --- Headers -------------------------------------------------------------------------------------
 */

/* A decimal number that is the whole text but for spaces around it. */
static bool
read_length(const char *text, const char *end, size_t *out)
{
    size_t value = 0;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (text == end)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9' || value > SIZE_MAX / 16)
            return false;
        value = value * 10 + (size_t)(*text - '0');
    }
    *out = value;
    return true;
}

/* A header: its fields up to an empty line. */
struct header {
    size_t length; /* of the content */
    bool has_length, is_bad;
};

static void
read_field(const char *line, const char *end, struct header *header)
{
    static const char name[] = "Content-Length";
    const char *colon = memchr(line, ':', (size_t)(end - line));
    if (!colon) {
        header->is_bad = true;
        return;
    }
    if ((size_t)(colon - line) != sizeof name - 1 || strncasecmp(line, name, sizeof name - 1) != 0)
        return;
    header->is_bad |= header->has_length || !read_length(colon + 1, end, &header->length);
    header->has_length = true;
}

/* Reads a header from `from` on. Returns where the content begins, or NULL if it is not complete. A
 * line ends with "\r\n" or "\n". */
static const char *
read_header(const char *from, const char *end, struct header *header)
{
    *header = (struct header){0};
    for (const char *line = from; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline)
            return NULL;
        const char *stop = newline > line && newline[-1] == '\r' ? newline - 1 : newline;
        if (stop == line)
            return newline + 1;
        read_field(line, stop, header);
        line = newline + 1;
    }
    return NULL;
}

/* Passes over the bytes of a message that is not wanted; true if more of it has to come. */
static bool
skip(struct lsp_input *input)
{
    size_t there = input->bytes.length - input->at;
    size_t n = there < input->skip ? there : input->skip;
    input->at += n;
    input->skip -= n;
    return input->skip > 0;
}

/* Passes over empty lines between messages. */
static void
skip_empty_lines(struct lsp_input *input)
{
    const struct ck_strbuf *bytes = &input->bytes;
    while (input->at < bytes->length &&
           (bytes->text[input->at] == '\r' || bytes->text[input->at] == '\n'))
        input->at++;
}

enum lsp_frame
lsp_input_next(struct lsp_input *input, const char **content, size_t *length)
{
    struct header header;
    if (skip(input))
        return LSP_FRAME_NONE;
    skip_empty_lines(input);
    const char *from = ck_strbuf_text(&input->bytes) + input->at;
    const char *end = ck_strbuf_text(&input->bytes) + input->bytes.length;
    const char *body = read_header(from, end, &header);
    if (!body && end - from > LSP_MAX_HEADER) {
        input->at = input->bytes.length;
        return LSP_FRAME_BAD;
    }
    if (!body)
        return LSP_FRAME_NONE;
    if (header.is_bad || !header.has_length || header.length > LSP_MAX_CONTENT) {
        input->at += (size_t)(body - from);
        input->skip = header.is_bad || !header.has_length ? 0 : header.length;
        return LSP_FRAME_BAD;
    }
    if ((size_t)(end - body) < header.length)
        return LSP_FRAME_NONE;
    *content = body;
    *length = header.length;
    input->at += (size_t)(body - from) + header.length;
    return LSP_FRAME_MESSAGE;
}

/* --- Writing -------------------------------------------------------------------------------------
 */

static bool
write_all(int file, const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(file, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        length -= (size_t)n;
    }
    return true;
}

bool
lsp_write(int file, const char *content, size_t length)
{
    struct ck_strbuf message;
    ck_strbuf_init(&message);
    ck_strbuf_printf(&message, "Content-Length: %zu\r\n\r\n", length);
    ck_strbuf_add(&message, content, length);
    bool good = !message.failed && write_all(file, ck_strbuf_text(&message), message.length);
    ck_strbuf_free(&message);
    return good;
}
