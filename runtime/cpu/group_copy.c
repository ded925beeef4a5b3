/* Asynchronous copies by groups: see group_copy.h. */
#include "runtime/cpu/group_copy.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more item of `size` bytes. */
static void *
grown(void *items, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return items;
    const size_t wanted = *capacity ? 2 * *capacity : 8;
    void *more = realloc(items, wanted * size);
    if (more)
        *capacity = wanted;
    return more;
}

/* --- The list ----------------------------------------------------------------------------------
 */

static struct ck_group_copy *
find(struct ck_group_copies *copies, uint64_t block, uint64_t group, uint32_t number)
{
    for (size_t i = 0; i < copies->n; i++) {
        struct ck_group_copy *copy = &copies->items[i];
        if (copy->block == block && copy->group == group && copy->number == number)
            return copy;
    }
    return NULL;
}

static struct ck_group_copy *
add(struct ck_group_copies *copies, const struct ck_group_copy *copy)
{
    void *items = grown(copies->items, copies->n, &copies->capacity, sizeof *copies->items);
    if (!items)
        return NULL;
    copies->items = items;
    copies->items[copies->n] = *copy;
    return &copies->items[copies->n++];
}

/* Adds the thread to the copy, with what it knows now. */
static bool
add_member(struct ck_group_copy *copy, struct ck_clocks *clocks, uint32_t rank)
{
    void *members =
        grown(copy->members, copy->n_members, &copy->members_capacity, sizeof *copy->members);
    if (!members)
        return false;
    copy->members = members;
    struct ck_copy_member *member = &copy->members[copy->n_members];
    struct ck_clock *clock = ck_clock_of(clocks, copy->block, rank);
    *member = (struct ck_copy_member){.rank = rank, .groups = clock->copy_groups};
    if (!ck_clock_snapshot(clocks, clock, &member->clock))
        return false;
    const uint32_t passed = clock->passed[CK_CLOCK_BLOCK];
    copy->passed = copy->n_members && copy->passed < passed ? copy->passed : passed;
    copy->n_members++;
    return true;
}

long
ck_group_copy_begin(struct ck_group_copies *copies, struct ck_clocks *clocks, uint64_t block,
                    uint32_t rank, uint64_t group, uint32_t number, uint32_t threads)
{
    struct ck_group_copy *copy = find(copies, block, group, number);
    const struct ck_group_copy new = {
        .block = block, .group = group, .number = number, .threads = threads};
    if (!copy)
        copy = add(copies, &new);
    return copy && add_member(copy, clocks, rank) ? copy - copies->items : -1;
}

bool
ck_group_copy_add(struct ck_group_copy *copy, struct ck_copy_piece piece)
{
    void *pieces = grown(copy->pieces, copy->n_pieces, &copy->pieces_capacity, sizeof piece);
    if (!pieces)
        return false;
    copy->pieces = pieces;
    copy->pieces[copy->n_pieces++] = piece;
    return true;
}

static void
release(struct ck_group_copy *copy)
{
    for (uint32_t i = 0; i < copy->n_members; i++)
        ck_clock_release_snapshot(&copy->members[i].clock);
    free(copy->members);
    free(copy->pieces);
}

void
ck_group_copy_remove(struct ck_group_copies *copies, size_t at)
{
    release(&copies->items[at]);
    copies->items[at] = copies->items[--copies->n];
}

void
ck_group_copies_end_block(struct ck_group_copies *copies, uint64_t block)
{
    for (size_t i = copies->n; i > 0; i--) {
        if (copies->items[i - 1].block == block)
            ck_group_copy_remove(copies, i - 1);
    }
}

void
ck_group_copies_free(struct ck_group_copies *copies)
{
    for (size_t i = 0; i < copies->n; i++)
        release(&copies->items[i]);
    free(copies->items);
}

/* --- Order -------------------------------------------------------------------------------------
 */

bool
ck_group_copy_has(const struct ck_group_copy *copy, const struct ck_access_record *record,
                  uint32_t first_thread)
{
    if (!record->copies)
        return false;
    for (uint32_t i = 0; i < copy->n_members; i++) {
        if (record->thread == first_thread + copy->members[i].rank)
            return record->phase == copy->members[i].groups;
    }
    return false;
}

const struct ck_copy_member *
ck_group_copy_unordered(const struct ck_group_copy *copy, struct ck_clocks *clocks,
                        const struct ck_access_record *record, uintptr_t address,
                        uint32_t first_thread)
{
    const bool is_of_block = record->thread - first_thread < ck_clocks_threads(clocks);
    if (is_of_block && !record->copies && record->phase < copy->passed)
        return NULL; /* a barrier of the block is between */
    for (uint32_t i = 0; i < copy->n_members; i++) {
        const struct ck_copy_member *member = &copy->members[i];
        if (!ck_clock_is_before(clocks, &member->clock, record, address, copy->block, member->rank))
            return member;
    }
    return NULL;
}
