/* The cache: what was compiled, kept in files from one process to the next.
 *
 * The cache never fails a caller. An entry that cannot be read, is damaged, or that another user
 * may have written counts as absent; an entry that cannot be written is not kept. Processes share a
 * folder without locks: a process writes a file under a unique name and then renames it. */
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
    int fd;          /* of the folder; -1: not opened yet, or unusable */
    ck_cache_counts counts;
};

/* `directory` NULL: no cache. Returns false when out of memory. */
bool ck_cache_init(struct ck_cache *cache, const char *directory, uint64_t limit);
void ck_cache_release(struct ck_cache *cache);

/* Reads the value of a key into `out`, which is empty. The whole key is compared. Returns false if
 * there is none. */
bool ck_cache_get(struct ck_cache *cache, const struct ck_strbuf *key, struct ck_strbuf *out);
/* Stores a value under a key, replacing an earlier one; may evict the least recently used
 * entries. */
void ck_cache_put(struct ck_cache *cache, const struct ck_strbuf *key, const void *value,
                  size_t length);

/* Adds a digest of a file's content to the key. Returns false if the file cannot be read. */
bool ck_cache_add_file(struct ck_strbuf *key, const char *path);
/* Adds the build id of the program or shared library that has the code at `address`, which no other
 * build has. Returns false if it has none. */
bool ck_cache_add_build(struct ck_strbuf *key, const void *address);

#endif
