/* The manifest in PTX: its lines as comments for people, and after them a byte array of the same
 * text, which survives ptxas and the driver. ck reads the array, and then requires the rest to be
 * exactly what it would write for the array, so that the two always agree. */
#include "runtime/image/manifest.h"

#include <stdio.h>
#include <string.h>

#include "runtime/context/context.h"

enum { WORD = 8, WORDS_IN_LINE = 4 };

static const char title[] =
    "// This file's manifest, for people; the array below holds the same text.\n";
static const char declaration[] = "\n.visible .global .align 8 .b64 " CK_MANIFEST_SYMBOL "[";

/* --- Writing -----------------------------------------------------------------------------------
 */

static void
write_comment(struct ck_strbuf *out, const char *text, size_t length)
{
    ck_strbuf_puts(out, title);
    for (const char *line = text, *end = text + length; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        ck_strbuf_puts(out, "// ");
        ck_strbuf_add(out, line, (size_t)(next - line));
        line = next;
    }
}

/* The text as little-endian 64-bit words; zeros fill the last one. */
static void
write_array(struct ck_strbuf *out, const char *text, size_t length)
{
    const size_t n = (length + WORD - 1) / WORD;
    ck_strbuf_printf(out, "%s%zu] = {", declaration + 1, n);
    for (size_t i = 0; i < n; i++) {
        unsigned long long word = 0;
        for (size_t k = WORD; k-- > 0;)
            word = word << 8 | (i * WORD + k < length ? (unsigned char)text[i * WORD + k] : 0);
        ck_strbuf_printf(out, "%s0x%016llx", !i ? "\n" : i % WORDS_IN_LINE ? ", " : ",\n", word);
    }
    ck_strbuf_puts(out, "\n};\n");
}

void
ck_manifest_write_ptx(struct ck_strbuf *out, const struct ck_manifest *manifest)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_manifest_write(&text, manifest);
    write_comment(out, ck_strbuf_text(&text), text.length);
    write_array(out, ck_strbuf_text(&text), text.length);
    out->failed |= text.failed;
    ck_strbuf_free(&text);
}

/* --- Reading -----------------------------------------------------------------------------------
 */

/* Stores the bytes of the numbers from `at` to `end` in `bytes` and returns their count.
 * check_written compares the text between the numbers, and whether their digits are valid. */
static size_t
read_words(char *bytes, const char *at, const char *end)
{
    enum { PREFIX = 2, NUMBER = PREFIX + 2 * WORD };
    size_t length = 0;
    while (end - at >= NUMBER) {
        if (at[0] != '0' || at[1] != 'x') {
            at++;
            continue;
        }
        at += PREFIX;
        for (int k = WORD; k-- > 0; at += 2)
            bytes[length + (size_t)k] = (char)(16 * ck_hex_digit(at[0]) + ck_hex_digit(at[1]));
        length += WORD;
    }
    while (length && !bytes[length - 1])
        length--;
    return length;
}

/* Whether the PTX has `written` at `at`. */
static bool
is_there(const struct ck_strbuf *written, const char *at, const char *end)
{
    return (size_t)(end - at) >= written->length &&
           !memcmp(at, ck_strbuf_text(written), written->length);
}

/* Checks that the declaration at `at`, and the comment before it, are what ck writes for this
 * text. */
static ck_status
check_written(ck_context *ctx, const char *ptx, const char *at, const char *end, const char *text,
              size_t length)
{
    struct ck_strbuf comment, array;
    ck_strbuf_init(&comment);
    ck_strbuf_init(&array);
    write_comment(&comment, text, length);
    write_array(&array, text, length);
    ck_status status = CK_OK;
    if (comment.failed || array.failed)
        status = ck_fail_memory(ctx);
    else if (!is_there(&array, at, end))
        status = ck_fail(ctx, CK_ERROR_FORMAT,
                         "damaged manifest: the array `" CK_MANIFEST_SYMBOL
                         "` is cut short, or was edited");
    else if ((size_t)(at - ptx) < comment.length || !is_there(&comment, at - comment.length, end))
        status = ck_fail(ctx, CK_ERROR_FORMAT,
                         "damaged manifest: the comment before `" CK_MANIFEST_SYMBOL
                         "` does not match the array: one of them was edited");
    ck_strbuf_free(&comment);
    ck_strbuf_free(&array);
    return status;
}

static ck_status
fail_none(ck_context *ctx, const char *ptx, size_t length)
{
    static const char of_0_1[] = ".b8 " CK_MANIFEST_SYMBOL "[";
    if (memmem(ptx, length, of_0_1, sizeof of_0_1 - 1))
        return ck_fail(ctx, CK_ERROR_FORMAT,
                       "this PTX was compiled by an older ck: compile it again");
    return ck_fail(ctx, CK_ERROR_FORMAT,
                   "not an image of ck: there is no manifest (`" CK_MANIFEST_SYMBOL "`) in it");
}

ck_status
ck_manifest_read_ptx(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx,
                     const char *ptx, size_t length)
{
    const char *end = ptx + length;
    const char *at = length ? memmem(ptx, length, declaration, sizeof declaration - 1) : NULL;
    if (!at)
        return fail_none(ctx, ptx, length);
    at++;
    const char *close = memchr(at, '}', (size_t)(end - at));
    close = close ? close : end;
    char *text = ck_arena_alloc(arena, (size_t)(close - at));
    size_t text_length = read_words(text, at, close);
    ck_status status = check_written(ctx, ptx, at, end, text, text_length);
    return status ? status : ck_manifest_read(out, arena, ctx, text, text_length);
}
