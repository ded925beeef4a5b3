/* Numbers and byte strings packed into one byte string, each with its length: keys that differ
 * wherever their members do, and records that are read back member by member. Numbers have the
 * machine's byte order: for use on the machine that wrote them. */
#ifndef CK_PACK_H
#define CK_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

void ck_pack_number(struct ck_strbuf *out, uint64_t value);
void ck_pack_bytes(struct ck_strbuf *out, const void *bytes, size_t length);
/* NULL and "" differ. */
void ck_pack_text(struct ck_strbuf *out, const char *text);

/* The bytes left to read. */
struct ck_unpack {
    const char *at;
    size_t left;
    bool failed; /* the bytes ended too early: all further reads return 0 or "" */
};

uint64_t ck_unpack_number(struct ck_unpack *in);
/* Borrowed from the packed bytes. */
const char *ck_unpack_bytes(struct ck_unpack *in, size_t *length);

#endif
