/* Numbers and byte strings one after the other in a byte string, each of which can be told from the
 * next: keys that differ wherever their parts do, and what is read back part by part. Numbers are
 * in the machine's own order of bytes: for use on the machine that wrote them. */
#ifndef CK_PACK_H
#define CK_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

void ck_pack_number(struct ck_strbuf *out, uint64_t value);
void ck_pack_bytes(struct ck_strbuf *out, const void *bytes, size_t length);
/* NULL is told from "". */
void ck_pack_text(struct ck_strbuf *out, const char *text);

/* What is left to read. */
struct ck_unpack {
    const char *at;
    size_t left;
    bool failed; /* something was not there: everything after is 0 or "" */
};

uint64_t ck_unpack_number(struct ck_unpack *in);
/* Borrowed from the packed bytes. */
const char *ck_unpack_bytes(struct ck_unpack *in, size_t *length);

#endif
