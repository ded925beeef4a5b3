/* Shadow memory: for every 4 bytes that a launch accesses, the accesses that later ones may race
 * with, and which bytes were written. Pages are made when they are first touched. */
#ifndef CK_SHADOW_H
#define CK_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An access to some bytes of a granule. */
struct ck_access_record {
    uint32_t thread; /* 1 + its rank in the grid; 0: no access */
    uint32_t phase;  /* how often the thread had arrived at barriers of its block; of a copy, its
                        number among the thread's groups of copies */
    uint32_t time;   /* the thread's clock */
    uint32_t site : 20;
    uint32_t bytes : 4; /* a bit for each of the granule's */
    uint32_t writes : 1;
    uint32_t atomic : 1;
    uint32_t copies : 1; /* by an asynchronous copy, which ends when the thread waits for it */
    uint32_t awaits : 1; /* the thread had copies that it had not waited for */
    uint32_t unused : 4;
};

enum { CK_SHADOW_GRANULE = 4, CK_SHADOW_RECORDS = 4, CK_SHADOW_MAX_SITE = (1 << 20) - 1 };

struct ck_shadow_cell {
    struct ck_access_record records[CK_SHADOW_RECORDS];
};

struct ck_shadow; /* owned by a launch */

struct ck_shadow *ck_shadow_new(void);
void ck_shadow_free(struct ck_shadow *shadow);
/* The cell of the granule that holds the address; NULL when out of memory. Valid until the shadow
 * is freed or cleared there. */
struct ck_shadow_cell *ck_shadow_cell(struct ck_shadow *shadow, uintptr_t address);
/* Marks bytes of the address's granule, a bit for each, as written. Returns those that were not. */
unsigned ck_shadow_write(struct ck_shadow *shadow, uintptr_t address, unsigned bytes);
/* Those of the bytes that were never written. */
unsigned ck_shadow_unwritten(struct ck_shadow *shadow, uintptr_t address, unsigned bytes);
/* Forgets all about these bytes: memory that begins a new life. */
void ck_shadow_clear(struct ck_shadow *shadow, uintptr_t address, size_t bytes);

#endif
