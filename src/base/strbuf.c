/* A growing byte string on the heap. */
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void
ck_strbuf_init(struct ck_strbuf *buf)
{
    memset(buf, 0, sizeof *buf);
}

void
ck_strbuf_free(struct ck_strbuf *buf)
{
    free(buf->text);
    ck_strbuf_init(buf);
}

void
ck_strbuf_clear(struct ck_strbuf *buf)
{
    buf->length = 0;
    if (buf->text)
        buf->text[0] = '\0';
}

/* Room for `more` bytes and the terminator. */
static bool
reserve(struct ck_strbuf *buf, size_t more)
{
    if (buf->failed)
        return false;
    size_t needed = buf->length + more + 1;
    if (needed <= buf->capacity)
        return true;
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < needed && capacity <= (size_t)-1 / 2)
        capacity *= 2;
    char *text = needed > more && capacity >= needed ? realloc(buf->text, capacity) : NULL;
    if (!text) {
        buf->failed = true;
        return false;
    }
    buf->text = text;
    buf->capacity = capacity;
    return true;
}

void
ck_strbuf_add(struct ck_strbuf *buf, const void *bytes, size_t length)
{
    if (!reserve(buf, length))
        return;
    if (length)
        memcpy(buf->text + buf->length, bytes, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void
ck_strbuf_puts(struct ck_strbuf *buf, const char *text)
{
    ck_strbuf_add(buf, text, strlen(text));
}

void
ck_strbuf_putc(struct ck_strbuf *buf, char c)
{
    ck_strbuf_add(buf, &c, 1);
}

void
ck_strbuf_fill(struct ck_strbuf *buf, char c, size_t count)
{
    if (!reserve(buf, count))
        return;
    memset(buf->text + buf->length, c, count);
    buf->length += count;
    buf->text[buf->length] = '\0';
}

void
ck_strbuf_printf(struct ck_strbuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ck_strbuf_vprintf(buf, format, args);
    va_end(args);
}

void
ck_strbuf_vprintf(struct ck_strbuf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0 && reserve(buf, (size_t)length)) {
        vsnprintf(buf->text + buf->length, (size_t)length + 1, format, again);
        buf->length += (size_t)length;
    } else {
        buf->failed = true;
    }
    va_end(again);
}

void
ck_strbuf_put_shown(struct ck_strbuf *buf, const char *text, bool lines)
{
    const char *end = text + strlen(text);
    while (text < end) {
        int length = ck_utf8_printable(text, end);
        if (!length && !(lines && (*text == '\n' || *text == '\t')))
            ck_strbuf_printf(buf, "\\x%02x", (unsigned char)*text);
        else
            ck_strbuf_add(buf, text, length ? (size_t)length : 1);
        text += length ? length : 1;
    }
}

const char *
ck_strbuf_text(const struct ck_strbuf *buf)
{
    return buf->text ? buf->text : "";
}

char *
ck_strbuf_take(struct ck_strbuf *buf)
{
    if (!buf->text)
        ck_strbuf_add(buf, "", 0);
    char *text = buf->text;
    if (buf->failed) {
        free(text);
        text = NULL;
    }
    ck_strbuf_init(buf);
    return text;
}
