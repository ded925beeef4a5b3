/* Shadow memory: see shadow.h. A hash table of pages, with open addressing. */
#include "runtime/cpu/shadow.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

struct ck_shadow *
ck_shadow_new(void)
{
    struct ck_shadow *shadow = calloc(1, sizeof *shadow);
    struct ck_shadow_page **table = calloc(FIRST_CAPACITY, sizeof(struct ck_shadow_page *));
    if (!shadow || !table) {
        free(shadow);
        free(table);
        return NULL;
    }
    shadow->table = table;
    shadow->capacity = FIRST_CAPACITY;
    return shadow;
}

void
ck_shadow_free(struct ck_shadow *shadow)
{
    for (size_t i = 0; shadow && i < shadow->capacity; i++)
        free(shadow->table[i]);
    if (shadow)
        free(shadow->table);
    free(shadow);
}

/* Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4). */
static struct ck_shadow_page **
place_of(struct ck_shadow_page **table, size_t capacity, uintptr_t number)
{
    size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);
    while (table[i] && table[i]->number != number)
        i = (i + 1) & (capacity - 1);
    return &table[i];
}

static bool
grow(struct ck_shadow *shadow)
{
    const size_t capacity = 2 * shadow->capacity;
    struct ck_shadow_page **table = calloc(capacity, sizeof(struct ck_shadow_page *));
    if (!table)
        return false;
    for (size_t i = 0; i < shadow->capacity; i++) {
        if (shadow->table[i])
            *place_of(table, capacity, shadow->table[i]->number) = shadow->table[i];
    }
    free(shadow->table);
    shadow->table = table;
    shadow->capacity = capacity;
    return true;
}

static struct ck_shadow_page *
make_page(struct ck_shadow *shadow, uintptr_t number)
{
    if (2 * shadow->n >= shadow->capacity && !grow(shadow))
        return NULL;
    struct ck_shadow_page *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->number = number;
    shadow->n++;
    *place_of(shadow->table, shadow->capacity, number) = page;
    return page;
}

struct ck_shadow_page *
ck_shadow_find(struct ck_shadow *shadow, uintptr_t number)
{
    struct ck_shadow_page *page = *place_of(shadow->table, shadow->capacity, number);
    if (!page)
        page = make_page(shadow, number);
    if (page)
        shadow->recent[number % CK_SHADOW_RECENT] = page;
    return page;
}

void
ck_shadow_clear(struct ck_shadow *shadow, uintptr_t address, size_t bytes)
{
    const uintptr_t end = address + bytes;
    for (uintptr_t at = address; at < end;) {
        const uintptr_t page_end = (at / CK_SHADOW_PAGE + 1) * CK_SHADOW_PAGE;
        const uintptr_t stop = page_end < end ? page_end : end;
        struct ck_shadow_page *page =
            *place_of(shadow->table, shadow->capacity, at / CK_SHADOW_PAGE);
        const size_t first = ck_shadow_granule(at), last = ck_shadow_granule(stop - 1);
        if (page) {
            memset(&page->cells[first], 0, (last - first + 1) * sizeof page->cells[0]);
            memset(&page->written[first], 0, last - first + 1);
        }
        at = stop;
    }
}
