/* Shadow memory: for every 4 bytes that a launch accesses, the accesses that later ones may race
 * with, and which bytes were written. Pages are made when they are first touched. */
#ifndef CK_SHADOW_H
#define CK_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An access to some bytes of a granule. Packed, so that four of them and the bytes that are written
 * take less than 16 bytes for each byte of memory. */
struct __attribute__((packed)) ck_access_record {
    uint32_t thread; /* 1 + its rank in the grid; 0: no access */
    uint32_t phase;  /* how often the thread had arrived at barriers of its block; of a copy, its
                        number among the thread's groups of copies */
    uint32_t time;   /* the thread's clock */
    uint16_t site;
    uint8_t bytes : 4; /* a bit for each of the granule's */
    uint8_t writes : 1;
    uint8_t atomic : 1;
    uint8_t copies : 1; /* by an asynchronous copy, which ends when the thread waits for it */
    uint8_t awaits : 1; /* the thread had copies that it had not waited for */
};

enum { CK_SHADOW_GRANULE = 4, CK_SHADOW_RECORDS = 4, CK_SHADOW_MAX_SITE = UINT16_MAX };
enum { CK_SHADOW_PAGE = 4096, CK_SHADOW_GRANULES = CK_SHADOW_PAGE / CK_SHADOW_GRANULE };
enum { CK_SHADOW_RECENT = 64 };

struct ck_shadow_cell {
    struct ck_access_record records[CK_SHADOW_RECORDS];
};

struct ck_shadow_page {
    uintptr_t number; /* the address divided by CK_SHADOW_PAGE */
    struct ck_shadow_cell cells[CK_SHADOW_GRANULES];
    uint8_t written[CK_SHADOW_GRANULES]; /* bytes of the granule, a bit for each */
};

/* Owned by a launch. */
struct ck_shadow {
    struct ck_shadow_page **table;
    size_t n, capacity;                              /* a power of two */
    struct ck_shadow_page *recent[CK_SHADOW_RECENT]; /* found last, by number modulo so many */
};

struct ck_shadow *ck_shadow_new(void);
void ck_shadow_free(struct ck_shadow *shadow);
/* Forgets all about these bytes: memory that begins a new life. */
void ck_shadow_clear(struct ck_shadow *shadow, uintptr_t address, size_t bytes);
/* What ck_shadow_page does for a page that was not found recently. */
struct ck_shadow_page *ck_shadow_find(struct ck_shadow *shadow, uintptr_t number);

/* The page of the address; NULL when out of memory. Valid until the shadow is freed. */
static inline struct ck_shadow_page *
ck_shadow_page(struct ck_shadow *shadow, uintptr_t address)
{
    const uintptr_t number = address / CK_SHADOW_PAGE;
    struct ck_shadow_page *page = shadow->recent[number % CK_SHADOW_RECENT];
    return page && page->number == number ? page : ck_shadow_find(shadow, number);
}

/* The place of the address's granule among its page's cells. */
static inline size_t
ck_shadow_granule(uintptr_t address)
{
    return address % CK_SHADOW_PAGE / CK_SHADOW_GRANULE;
}

#endif
