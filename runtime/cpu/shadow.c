/* Shadow memory: see shadow.h. A hash table of pages, with open addressing. */
#include "runtime/cpu/shadow.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, GRANULES = PAGE / CK_SHADOW_GRANULE, FIRST_CAPACITY = 64, RECENT = 64 };

struct page {
    uintptr_t number; /* the address divided by PAGE */
    struct ck_shadow_cell cells[GRANULES];
    uint8_t written[GRANULES]; /* bytes of the granule, a bit for each */
};

struct ck_shadow {
    struct page **table;
    size_t n, capacity;          /* a power of two */
    struct page *recent[RECENT]; /* found last, by number modulo RECENT */
};

struct ck_shadow *
ck_shadow_new(void)
{
    struct ck_shadow *shadow = calloc(1, sizeof *shadow);
    struct page **table = calloc(FIRST_CAPACITY, sizeof(struct page *));
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
static struct page **
place_of(struct page **table, size_t capacity, uintptr_t number)
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
    struct page **table = calloc(capacity, sizeof(struct page *));
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

static struct page *
make_page(struct ck_shadow *shadow, uintptr_t number)
{
    if (2 * shadow->n >= shadow->capacity && !grow(shadow))
        return NULL;
    struct page *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->number = number;
    shadow->n++;
    *place_of(shadow->table, shadow->capacity, number) = page;
    return page;
}

/* NULL: `wanted` is false and there is no such page, or out of memory. */
static struct page *
page_of(struct ck_shadow *shadow, uintptr_t address, bool wanted)
{
    const uintptr_t number = address / PAGE;
    struct page **recent = &shadow->recent[number % RECENT], *page = *recent;
    if (page && page->number == number)
        return page;
    page = *place_of(shadow->table, shadow->capacity, number);
    if (!page && wanted)
        page = make_page(shadow, number);
    if (page)
        *recent = page;
    return page;
}

static size_t
granule_of(uintptr_t address)
{
    return address % PAGE / CK_SHADOW_GRANULE;
}

struct ck_shadow_cell *
ck_shadow_cell(struct ck_shadow *shadow, uintptr_t address)
{
    struct page *page = page_of(shadow, address, true);
    return page ? &page->cells[granule_of(address)] : NULL;
}

unsigned
ck_shadow_write(struct ck_shadow *shadow, uintptr_t address, unsigned bytes)
{
    struct page *page = page_of(shadow, address, true);
    if (!page)
        return 0;
    const unsigned before = page->written[granule_of(address)];
    page->written[granule_of(address)] |= (uint8_t)bytes;
    return bytes & ~before;
}

unsigned
ck_shadow_unwritten(struct ck_shadow *shadow, uintptr_t address, unsigned bytes)
{
    const struct page *page = page_of(shadow, address, false);
    return page ? bytes & ~(unsigned)page->written[granule_of(address)] : bytes;
}

void
ck_shadow_clear(struct ck_shadow *shadow, uintptr_t address, size_t bytes)
{
    const uintptr_t end = address + bytes;
    for (uintptr_t at = address; at < end;) {
        const uintptr_t page_end = (at / PAGE + 1) * PAGE, stop = page_end < end ? page_end : end;
        struct page *page = page_of(shadow, at, false);
        const size_t first = granule_of(at), last = granule_of(stop - 1);
        if (page) {
            memset(&page->cells[first], 0, (last - first + 1) * sizeof page->cells[0]);
            memset(&page->written[first], 0, last - first + 1);
        }
        at = stop;
    }
}
