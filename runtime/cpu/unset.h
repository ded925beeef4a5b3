/* Which bytes of a CPU device's buffers have no value yet: nothing was copied to them, and no
 * kernel wrote them. Only devices that check for reads of such memory keep it. */
#ifndef CK_UNSET_H
#define CK_UNSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A list of ranges, empty if zero. */
struct ck_unset {
    struct ck_unset_range *ranges; /* by address */
    size_t n, capacity, last;      /* `last`: found last */
    size_t n_partial;              /* ranges with bytes that have no value */
};

/* A new buffer, all of it without values. False: out of memory; its bytes count as set. */
bool ck_unset_add(struct ck_unset *unset, uint64_t address, size_t bytes);
void ck_unset_remove(struct ck_unset *unset, uint64_t address);
void ck_unset_free(struct ck_unset *unset);
/* The bytes have values from now on. */
void ck_unset_write(struct ck_unset *unset, uint64_t address, size_t bytes);
/* The bytes have values from now on where those that are copied to them have. */
void ck_unset_copy(struct ck_unset *unset, uint64_t to, uint64_t from, size_t bytes);
/* Whether one of the bytes has no value. Memory that is in no buffer has. */
bool ck_unset_has(struct ck_unset *unset, uint64_t address, size_t bytes);

#endif
