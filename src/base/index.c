/* An index of an array by hash. */
#include "base/index.h"

#include <string.h>

static int
head_of(const struct ck_index *index, uint32_t hash)
{
    return (int)(hash & (uint32_t)(index->n_heads - 1));
}

static void
link_item(struct ck_index *index, int i)
{
    int *head = &index->heads[head_of(index, index->items[i].hash)];
    index->items[i].next = *head;
    *head = i + 1;
}

/* Doubles the hash heads when there are as many items: amortised constant time for each item. */
static void
grow_heads(struct ck_arena *arena, struct ck_index *index)
{
    index->n_heads = index->n_heads ? index->n_heads * 2 : 16;
    index->heads = CK_NEW_ARRAY(arena, int, index->n_heads);
    for (int i = 0; i < index->n; i++)
        link_item(index, i);
}

void
ck_index_add(struct ck_arena *arena, struct ck_index *index, uint32_t hash)
{
    if (index->n >= index->n_heads)
        grow_heads(arena, index);
    struct ck_index_item item = {.hash = hash};
    CK_PUSH(arena, index->items, index->n, index->capacity, item);
    link_item(index, index->n - 1);
}

void
ck_index_cut(struct ck_index *index, int n)
{
    while (index->n > n) { /* the newest item is at the front of its list */
        const struct ck_index_item *item = &index->items[--index->n];
        index->heads[head_of(index, item->hash)] = item->next;
    }
}

static int
same_hash_from(const struct ck_index *index, int link, uint32_t hash)
{
    while (link && index->items[link - 1].hash != hash)
        link = index->items[link - 1].next;
    return link - 1;
}

int
ck_index_first(const struct ck_index *index, uint32_t hash)
{
    return index->n_heads ? same_hash_from(index, index->heads[head_of(index, hash)], hash) : -1;
}

int
ck_index_next(const struct ck_index *index, int i)
{
    return same_hash_from(index, index->items[i].next, index->items[i].hash);
}

/* FNV-1a, its low bits mixed with the high ones. */
uint32_t
ck_hash_bytes(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * 16777619u;
    return hash ^ hash >> 15;
}

uint32_t
ck_hash_text(const char *text)
{
    return ck_hash_bytes(text, strlen(text));
}

uint32_t
ck_hash_mix(uint32_t a, uint32_t b)
{
    uint32_t hash = (a ^ b * 0x9E3779B1u) * 0x85EBCA6Bu;
    return hash ^ hash >> 15;
}

uint32_t
ck_hash_pointer(const void *pointer)
{
    uint64_t bits = (uint64_t)(uintptr_t)pointer;
    return ck_hash_mix((uint32_t)bits, (uint32_t)(bits >> 32));
}
