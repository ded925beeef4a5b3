/* Numbers and byte strings packed into one. */
#include "base/pack.h"

#include <string.h>

void
ck_pack_number(struct ck_strbuf *out, uint64_t value)
{
    ck_strbuf_add(out, &value, sizeof value);
}

void
ck_pack_bytes(struct ck_strbuf *out, const void *bytes, size_t length)
{
    ck_pack_number(out, length);
    ck_strbuf_add(out, bytes, length);
}

void
ck_pack_text(struct ck_strbuf *out, const char *text)
{
    ck_pack_number(out, text != NULL);
    if (text)
        ck_pack_bytes(out, text, strlen(text));
}

uint64_t
ck_unpack_number(struct ck_unpack *in)
{
    uint64_t value = 0;
    if (in->left < sizeof value) {
        in->failed = true;
        in->left = 0;
        return 0;
    }
    memcpy(&value, in->at, sizeof value);
    in->at += sizeof value;
    in->left -= sizeof value;
    return value;
}

const char *
ck_unpack_bytes(struct ck_unpack *in, size_t *length)
{
    uint64_t n = ck_unpack_number(in);
    if (n > in->left) {
        in->failed = true;
        in->left = 0;
        n = 0;
    }
    const char *bytes = n ? in->at : "";
    in->at += n;
    in->left -= n;
    *length = n;
    return bytes;
}
