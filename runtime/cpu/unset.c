/* Memory without values: see unset.h. */
#include "runtime/cpu/unset.h"

#include <stdlib.h>
#include <string.h>

struct ck_unset_range {
    uint64_t address;
    size_t bytes, left; /* how many have no value */
    uint8_t *set;       /* a bit for each byte; owned; NULL once all are set */
};

/* The number of ranges that begin at or before the address. */
static size_t
count_before(const struct ck_unset *unset, uint64_t address)
{
    size_t low = 0, high = unset->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (unset->ranges[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool
grow(struct ck_unset *unset)
{
    const size_t capacity = unset->capacity ? 2 * unset->capacity : 8;
    struct ck_unset_range *ranges = realloc(unset->ranges, capacity * sizeof *ranges);
    if (!ranges)
        return false;
    unset->ranges = ranges;
    unset->capacity = capacity;
    return true;
}

bool
ck_unset_add(struct ck_unset *unset, uint64_t address, size_t bytes)
{
    uint8_t *set = calloc(bytes / 8 + 1, 1);
    if (!set || (unset->n == unset->capacity && !grow(unset))) {
        free(set);
        return false;
    }
    const size_t at = count_before(unset, address);
    memmove(&unset->ranges[at + 1], &unset->ranges[at], (unset->n - at) * sizeof *unset->ranges);
    unset->ranges[at] = (struct ck_unset_range){address, bytes, bytes, set};
    unset->n++;
    unset->n_partial++;
    return true;
}

void
ck_unset_remove(struct ck_unset *unset, uint64_t address)
{
    const size_t at = count_before(unset, address);
    if (!at || unset->ranges[at - 1].address != address)
        return;
    unset->n_partial -= unset->ranges[at - 1].set != NULL;
    free(unset->ranges[at - 1].set);
    memmove(&unset->ranges[at - 1], &unset->ranges[at], (unset->n - at) * sizeof *unset->ranges);
    unset->n--;
    unset->last = 0;
}

void
ck_unset_free(struct ck_unset *unset)
{
    for (size_t i = 0; i < unset->n; i++)
        free(unset->ranges[i].set);
    free(unset->ranges);
    *unset = (struct ck_unset){0};
}

/* The range that the address is in; NULL: it is in none. */
static struct ck_unset_range *
find_range(struct ck_unset *unset, uint64_t address)
{
    struct ck_unset_range *range = unset->last < unset->n ? &unset->ranges[unset->last] : NULL;
    if (!range || address - range->address >= range->bytes) {
        const size_t n = count_before(unset, address);
        if (!n || address - unset->ranges[n - 1].address >= unset->ranges[n - 1].bytes)
            return NULL;
        unset->last = n - 1;
        range = &unset->ranges[n - 1];
    }
    return range;
}

/* The range that the address is in, if some of its bytes have no value; NULL otherwise. */
static struct ck_unset_range *
range_of(struct ck_unset *unset, uint64_t address)
{
    struct ck_unset_range *range = unset->n_partial ? find_range(unset, address) : NULL;
    return range && range->set ? range : NULL;
}

/* Whether a byte of a range with bits has a value. */
static bool
has_value(const struct ck_unset_range *range, size_t i)
{
    return range->set[i / 8] >> i % 8 & 1;
}

void
ck_unset_write(struct ck_unset *unset, uint64_t address, size_t bytes)
{
    struct ck_unset_range *range = range_of(unset, address);
    if (!range)
        return;
    const size_t first = address - range->address;
    const bool is_whole = !first && bytes >= range->bytes;
    for (size_t i = first; !is_whole && i < first + bytes && i < range->bytes; i++) {
        range->left -= !has_value(range, i);
        range->set[i / 8] |= (uint8_t)(1u << i % 8);
    }
    if (range->left && !is_whole)
        return;
    free(range->set);
    range->set = NULL;
    unset->n_partial--;
}

/* Bits for a range whose bytes all have values. False: out of memory. */
static bool
make_bits(struct ck_unset *unset, struct ck_unset_range *range)
{
    range->set = malloc(range->bytes / 8 + 1);
    if (!range->set)
        return false;
    memset(range->set, 0xff, range->bytes / 8 + 1);
    range->left = 0;
    unset->n_partial++;
    return true;
}

/* The bytes have no value. If memory runs out they count as set. */
static void
forget(struct ck_unset *unset, uint64_t address, size_t bytes)
{
    struct ck_unset_range *range = find_range(unset, address);
    if (!range || (!range->set && !make_bits(unset, range)))
        return;
    const size_t first = address - range->address;
    for (size_t i = first; i < first + bytes && i < range->bytes; i++) {
        range->left += has_value(range, i);
        range->set[i / 8] &= (uint8_t) ~(1u << i % 8);
    }
}

void
ck_unset_copy(struct ck_unset *unset, uint64_t to, uint64_t from, size_t bytes)
{
    ck_unset_write(unset, to, bytes);
    const struct ck_unset_range *range = range_of(unset, from);
    const size_t first = range ? from - range->address : 0;
    for (size_t i = 0; range && range->set && i < bytes && first + i < range->bytes;) {
        const bool is_set = has_value(range, first + i);
        size_t n = 1; /* alike */
        while (i + n < bytes && first + i + n < range->bytes &&
               has_value(range, first + i + n) == is_set)
            n++;
        if (!is_set)
            forget(unset, to + i, n);
        i += n;
    }
}

bool
ck_unset_has(struct ck_unset *unset, uint64_t address, size_t bytes)
{
    const struct ck_unset_range *range = range_of(unset, address);
    bool has = false;
    const size_t first = range ? address - range->address : 0;
    for (size_t i = first; range && i < first + bytes && i < range->bytes; i++)
        has = has || !has_value(range, i);
    return has;
}
