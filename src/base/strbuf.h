/* A growing byte string on the heap, always terminated. A failed allocation is remembered in
 * `failed` and later appends do nothing, so a writer checks once, at the end. */
#ifndef CK_STRBUF_H
#define CK_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct ck_strbuf {
    char *text; /* owned; NULL until the first append */
    size_t length;
    size_t capacity;
    bool failed;
};

void ck_strbuf_init(struct ck_strbuf *buf);
void ck_strbuf_free(struct ck_strbuf *buf);
void ck_strbuf_clear(struct ck_strbuf *buf);

void ck_strbuf_add(struct ck_strbuf *buf, const void *bytes, size_t length);
void ck_strbuf_puts(struct ck_strbuf *buf, const char *text);
void ck_strbuf_putc(struct ck_strbuf *buf, char c);
void ck_strbuf_fill(struct ck_strbuf *buf, char c, size_t count);
void ck_strbuf_printf(struct ck_strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ck_strbuf_vprintf(struct ck_strbuf *buf, const char *format, va_list args);

/* Adds external text to a message. Control characters and bytes that are not UTF-8 become `\xHH`;
 * with `lines`, newlines and tabs stay. */
void ck_strbuf_put_shown(struct ck_strbuf *buf, const char *text, bool lines);

/* The text, never NULL; borrowed until the next change. */
const char *ck_strbuf_text(const struct ck_strbuf *buf);
/* Hands the text over (to be freed with free()); NULL if an append failed. Empties the buffer. */
char *ck_strbuf_take(struct ck_strbuf *buf);

#endif
