/* An index of an array by hash, kept beside the array: item number i of the index is element i.
 *
 * The index finds the elements of a hash; the array's owner compares them:
 *     for (int i = ck_index_first(&index, hash); i >= 0; i = ck_index_next(&index, i))
 *         if (is_it(&array[i])) ...
 * A zeroed struct is an empty index. */
#ifndef CK_INDEX_H
#define CK_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct ck_index {
    int *heads; /* by hash: the newest item + 1, or 0 */
    int n_heads;
    struct ck_index_item {
        uint32_t hash;
        int next; /* the next older item of its head + 1, or 0 */
    } * items;
    int n, capacity;
};

/* Adds item number index->n. */
void ck_index_add(struct ck_arena *arena, struct ck_index *index, uint32_t hash);
/* Removes all items from number n on. */
void ck_index_cut(struct ck_index *index, int n);
/* The newest item of this hash, and the next older one of the same hash as item i; -1: none. */
int ck_index_first(const struct ck_index *index, uint32_t hash);
int ck_index_next(const struct ck_index *index, int i);

uint32_t ck_hash_bytes(const void *bytes, size_t n);
uint32_t ck_hash_text(const char *text);
/* Combines two hashes. */
uint32_t ck_hash_mix(uint32_t a, uint32_t b);
uint32_t ck_hash_pointer(const void *pointer);

#endif
