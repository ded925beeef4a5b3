/* Checks that the threads of a group pass the same arrays to a copy. Each thread records a digest
 * of its arguments of the group's n-th copy, which must equal that of the first thread. On a GPU
 * each thread copies its share of the arrays that it passed, so a mismatch leaves elements that no
 * thread copies. Threads that never execute the copy are not detected. */
#include <stdlib.h>
#include <string.h>

#include "runtime/cpu/race.h"
#include "runtime/cpu/report.h"

enum { LEAST = 64, MOST = 1 << 14 };

/* An entry of the table: a copy that some threads of its group have begun, or the number of copies
 * that one thread has begun with a group. */
struct ck_cpu_copy {
    uint64_t group;
    uint32_t of_rank; /* 1 + the thread's; 0: a copy */
    uint32_t number;  /* of a copy: its index n; of a thread: the copies it has begun */
    bool used;
    uint32_t first, seen; /* threads; once all are seen, the entry is free */
    uint32_t site;        /* of the first one */
    uint64_t threads, digest;
};

void
ck_cpu_copies_clear(struct ck_cpu_copies *copies)
{
    if (copies->n > 0)
        memset(copies->table, 0, copies->capacity * sizeof *copies->table);
    copies->n = 0;
    copies->full = false;
}

void
ck_cpu_copies_free(struct ck_cpu_copies *copies)
{
    free(copies->table);
    *copies = (struct ck_cpu_copies){0};
}

/* The slot of a copy, or of a thread with `of_rank`; an unused slot if there is no entry yet.
 * `number` is that of a copy. */
static struct ck_cpu_copy *
place_of(const struct ck_cpu_copies *copies, uint64_t group, uint32_t of_rank, uint32_t number)
{
    uint64_t i = ck_mix(ck_mix(group, of_rank), of_rank ? 0 : number);
    for (;; i++) {
        struct ck_cpu_copy *copy = &copies->table[i & (copies->capacity - 1)];
        if (!copy->used || (copy->group == group && copy->of_rank == of_rank &&
                            (of_rank || copy->number == number)))
            return copy;
    }
}

static bool
is_done(const struct ck_cpu_copy *copy)
{
    return !copy->of_rank && copy->seen >= copy->threads;
}

/* Enlarges the table; entries of complete copies are dropped. */
static bool
grow(struct ck_cpu_copies *copies)
{
    struct ck_cpu_copies old = *copies;
    uint32_t n = 0;
    for (uint32_t i = 0; i < old.capacity; i++)
        n += old.table[i].used && !is_done(&old.table[i]);
    copies->n = n;
    copies->capacity = old.capacity ? old.capacity : LEAST;
    while (copies->capacity < 4 * (n + 1))
        copies->capacity *= 2;
    copies->table = calloc(copies->capacity, sizeof *copies->table);
    if (!copies->table) {
        *copies = old;
        return false;
    }
    for (uint32_t i = 0; i < old.capacity; i++) {
        const struct ck_cpu_copy *from = &old.table[i];
        if (from->used && !is_done(from))
            *place_of(copies, from->group, from->of_rank, from->number) = *from;
    }
    free(old.table);
    return true;
}

/* Finds or adds an entry; the table has room for it. */
static struct ck_cpu_copy *
get(struct ck_cpu_copies *copies, uint64_t group, uint32_t of_rank, uint32_t number)
{
    struct ck_cpu_copy *copy = place_of(copies, group, of_rank, number);
    if (!copy->used) {
        *copy = (struct ck_cpu_copy){
            .group = group, .of_rank = of_rank, .number = number, .used = true};
        copies->n++;
    }
    return copy;
}

void
ck_cpu_copy_check(struct ck_cpu_block *block, uint64_t group, uint64_t threads, uint64_t digest,
                  uint32_t site)
{
    struct ck_cpu_resident *resident = (struct ck_cpu_resident *)block;
    struct ck_cpu_copies *copies = &resident->copies;
    struct ck_cpu_launch *launch = block->launch;
    if (block->rank == CK_CPU_NO_RANK || copies->full)
        return;
    if (2 * (copies->n + 2) > copies->capacity && !grow(copies)) {
        ck_cpu_record(launch, CK_ERROR_MEMORY, "out of memory");
        return;
    }
    copies->full = copies->n > MOST;
    const uint32_t number = get(copies, group, block->rank + 1, 0)->number++;
    struct ck_cpu_copy *copy = get(copies, group, 0, number);
    if (copy->seen++ == 0) {
        copy->first = block->rank;
        copy->digest = digest;
        copy->site = site;
        copy->threads = threads;
    } else if (copy->digest != digest) {
        const ck_dim3 other = launch->thread_idx[copy->first];
        const struct ck_cpu_fault fault = {
            .resident = resident,
            .rank = block->rank,
            .site = site,
            .other = copy->site,
            .at_other = "that thread copies here",
            .help = "pass the same arrays in all threads of the group: each copies a part of them",
        };
        ck_cpu_report_fault(launch, &fault,
                            "`%s` passes other arrays than thread (%u, %u, %u) of its group",
                            launch->image->barriers[site - 1].what, other.x, other.y, other.z);
    }
    if (launch->races)
        ck_races_begin_copy(launch->races, resident, group, number, threads);
}
