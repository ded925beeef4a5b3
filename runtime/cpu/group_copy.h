/* Asynchronous copies by groups, as the check of races sees them. Which thread of the group copies
 * which element is unspecified, so an access is ordered before a copy only if it happens before the
 * calls of all the group's threads. What each thread knows at its call is kept, and the copy's
 * accesses, until the last thread has called. */
#ifndef CK_GROUP_COPY_H
#define CK_GROUP_COPY_H

#include "runtime/cpu/clock.h"

/* An access of the copy. */
struct ck_copy_piece {
    uintptr_t address;
    uint32_t thread, site; /* as in ck_access_record */
    uint8_t bytes;
    bool writes, awaits;
};

/* A thread of the group at its call. */
struct ck_copy_member {
    uint32_t rank;         /* in its block */
    uint32_t groups;       /* of copies that it had ended by a commit */
    struct ck_clock clock; /* time, barriers passed, what it knows and has acquired: owned */
};

struct ck_group_copy {
    uint64_t block, group;
    uint32_t number; /* among the copies of the group */
    uint32_t threads;
    uint32_t n_members;
    size_t members_capacity;
    struct ck_copy_member *members;
    uint32_t passed; /* the least number of the block's barriers that a member had passed */
    struct ck_copy_piece *pieces;
    size_t n_pieces, pieces_capacity;
};

/* The copies of a launch that some threads of their groups have not begun. */
struct ck_group_copies {
    struct ck_group_copy *items;
    size_t n, capacity;
};

/* Thread `rank` of the block begins a copy. Returns its place in the list, valid until a copy is
 * removed, or -1: out of memory. */
long ck_group_copy_begin(struct ck_group_copies *copies, struct ck_clocks *clocks, uint64_t block,
                         uint32_t rank, uint64_t group, uint32_t number, uint32_t threads);
bool ck_group_copy_add(struct ck_group_copy *copy, struct ck_copy_piece piece);
/* Whether the record is of this copy. `first_thread`: the number of its block's first thread. */
bool ck_group_copy_has(const struct ck_group_copy *copy, const struct ck_access_record *record,
                       uint32_t first_thread);
/* A member whose call the access to the address does not happen before; NULL: there is none. */
const struct ck_copy_member *ck_group_copy_unordered(const struct ck_group_copy *copy,
                                                     struct ck_clocks *clocks,
                                                     const struct ck_access_record *record,
                                                     uintptr_t address, uint32_t first_thread);
void ck_group_copy_remove(struct ck_group_copies *copies, size_t at);
/* All copies of a block that has ended. */
void ck_group_copies_end_block(struct ck_group_copies *copies, uint64_t block);
void ck_group_copies_free(struct ck_group_copies *copies);

#endif
