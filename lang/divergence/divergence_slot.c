/* The divergence of each local at a point: slots, and the changes that a region of the program
 * makes to them. */
#include "lang/divergence/divergence_walk.h"

void
ck_slot_set(struct ck_walk *w, int slot, const struct ck_vary *vary, int version)
{
    struct ck_slot *at = &w->slots[slot];
    if (at->region != w->region) {
        struct ck_undo undo = {slot, *at};
        CK_PUSH(w->arena, w->log, w->n_log, w->log_capacity, undo);
        at->region = w->region;
    }
    at->vary = *vary;
    at->version = version;
}

struct ck_region
ck_region_begin(struct ck_walk *w)
{
    struct ck_region region = {w->region, w->n_log};
    w->region = ++w->n_regions;
    return region;
}

struct ck_changes
ck_region_end(struct ck_walk *w, struct ck_region region)
{
    struct ck_changes out = {.n = w->n_log - region.log_mark};
    out.capacity = out.n;
    out.items = CK_NEW_ARRAY(w->arena, struct ck_change, out.n);
    for (int i = 0; i < out.n; i++) {
        const struct ck_undo *undo = &w->log[region.log_mark + i];
        struct ck_slot *slot = &w->slots[undo->slot];
        out.items[i] = (struct ck_change){undo->slot, slot->vary, slot->version};
        *slot = undo->old;
    }
    w->n_log = region.log_mark;
    w->region = region.outer;
    return out;
}

void
ck_region_snapshot(struct ck_walk *w, struct ck_changes *out)
{
    for (int i = w->loop->log_mark; i < w->n_log && w->n_snapshots < CK_MOST_SNAPSHOTS; i++) {
        int slot = w->log[i].slot;
        struct ck_change change = {slot, w->slots[slot].vary, w->slots[slot].version};
        CK_PUSH(w->arena, out->items, out->n, out->capacity, change);
        w->n_snapshots++;
    }
}

void
ck_region_apply(struct ck_walk *w, const struct ck_changes *changes)
{
    for (int i = 0; i < changes->n; i++)
        ck_slot_set(w, changes->items[i].slot, &changes->items[i].vary, changes->items[i].version);
}

void
ck_region_merge(struct ck_walk *w, const struct ck_changes *a, const struct ck_changes *b,
                const struct ck_vary *by)
{
    int version = ++w->n_versions;
    for (int i = 0; i < a->n; i++)
        w->found[a->items[i].slot] = i + 1;
    for (int i = 0; i < b->n; i++) {
        int slot = b->items[i].slot, other = w->found[slot] - 1;
        struct ck_vary vary = other >= 0 ? a->items[other].vary : w->slots[slot].vary;
        ck_vary_add(&vary, &b->items[i].vary);
        ck_vary_add(&vary, by);
        w->found[slot] = 0;
        ck_slot_set(w, slot, &vary, version);
    }
    for (int i = 0; i < a->n; i++) {
        int slot = a->items[i].slot;
        if (!w->found[slot])
            continue;
        w->found[slot] = 0;
        struct ck_vary vary = w->slots[slot].vary;
        ck_vary_add(&vary, &a->items[i].vary);
        ck_vary_add(&vary, by);
        ck_slot_set(w, slot, &vary, version);
    }
}
