/* The cache: what was compiled, kept in files from one process to the next.
 *
 * Nothing about it is an error. What cannot be read, is damaged or is not from here is as if it was
 * not there, and what cannot be written is not kept. Processes share a folder without locks: a file
 * is written under a name of its own and then given its last one. */
#ifndef CK_CACHE_H
#define CK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ck/base.h>

#include "base/strbuf.h"

struct ck_cache {
    char *directory; /* owned; NULL: there is no cache */
    uint64_t limit;  /* of the bytes of all its files */
    int fd;          /* of the folder; -1: not opened yet, or not to be used */
    ck_cache_counts counts;
};

/* False when out of memory. `directory` NULL: there is none. */
bool ck_cache_init(struct ck_cache *cache, const char *directory, uint64_t limit);
void ck_cache_release(struct ck_cache *cache);

/* Reads what was kept under a key, which is compared whole. False: there is nothing. `out` is
 * empty. */
bool ck_cache_get(struct ck_cache *cache, const struct ck_strbuf *key, struct ck_strbuf *out);
/* Keeps a value under a key, instead of what was there; may throw out what was not used for
 * longest.
 */
void ck_cache_put(struct ck_cache *cache, const struct ck_strbuf *key, const void *value,
                  size_t length);

/* Adds a digest of a file's content. False: it cannot be read. */
bool ck_cache_add_file(struct ck_strbuf *key, const char *path);
/* Adds the build id of the program or shared library that has the code at `address`, which no other
 * build has. False: it has none. */
bool ck_cache_add_build(struct ck_strbuf *key, const void *address);

#endif
