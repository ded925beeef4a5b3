/* UTF-8, one character at a time. */
#ifndef CK_UTF8_H
#define CK_UTF8_H

#include <stdint.h>

/* Decodes the character at `at` (before `limit`): its length in bytes, or 0 if the bytes there are
 * not well-formed UTF-8 (overlong forms and surrogates included). */
static inline int
ck_utf8_decode(const char *at, const char *limit, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*at;
    int length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (length == 0 || first > 0xF4 || limit - at < length)
        return 0;
    uint32_t value = length == 1 ? first : first & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)at[i];
        if ((byte & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (byte & 0x3F);
    }
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *code = value;
    return length;
}

/* The length of the character at `at` (before `limit`) if a terminal prints it; 0 for a control
 * character and for bytes that are not well-formed UTF-8. */
static inline int
ck_utf8_printable(const char *at, const char *limit)
{
    uint32_t code = 0;
    int length = ck_utf8_decode(at, limit, &code);
    return code < 0x20 || (code >= 0x7F && code < 0xA0) ? 0 : length;
}

/* Writes `code` (a valid one) to `out`, which has room for 4 bytes: the length. */
static inline int
ck_utf8_encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    int length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)((0xF00u >> length & 0xFF) | code);
    return length;
}

#endif
