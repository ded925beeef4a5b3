/* The memory of resident blocks: one region for each block. */
#include <string.h>

#include "runtime/cpu/race.h"

enum { LINE = 64, SHARED_ALIGN = 256 };

static size_t
round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

void
ck_cpu_layout_compute(struct ck_cpu_layout *out, size_t frame_stride, size_t loop_bytes,
                      uint32_t threads, uint32_t static_shared, uint32_t dynamic_shared)
{
    size_t at = round_up(sizeof(struct ck_cpu_resident), SHARED_ALIGN);
    out->frame_stride = frame_stride;
    out->shared_offset = at;
    at += round_up(static_shared, SHARED_ALIGN);
    out->dynamic_shared_offset = at;
    at += round_up(dynamic_shared, LINE);
    out->frames_offset = at;
    at += frame_stride * threads + loop_bytes * round_up(threads, CK_CPU_LOOP_THREADS);
    out->where_offset = at;
    at += frame_stride ? round_up(threads * sizeof(uint32_t), LINE) : 0;
    out->ends_offset = at;
    at += frame_stride ? round_up(threads * sizeof(uint32_t), LINE) : 0;
    out->order_offset = at;
    at += round_up(threads * sizeof(uint32_t), LINE);
    out->arrivals_offset = at;
    at += frame_stride ? round_up(threads, LINE) : 0;
    out->split_arrivals_offset = at;
    at += frame_stride ? round_up(threads * sizeof(struct ck_cpu_arrivals), LINE) : 0;
    out->region_bytes = round_up(at, SHARED_ALIGN);
}

ck_dim3
ck_cpu_block_idx(const struct ck_cpu_launch *launch, uint64_t index)
{
    uint64_t row = index / launch->grid.x;
    return (ck_dim3){(uint32_t)(index % launch->grid.x), (uint32_t)(row % launch->grid.y),
                     (uint32_t)(row / launch->grid.y)};
}

ck_thread_index
ck_cpu_thread_by_rank(const struct ck_cpu_launch *launch, uint64_t block, uint32_t rank)
{
    const ck_dim3 b = ck_cpu_block_idx(launch, block), t = launch->thread_idx[rank];
    return (ck_thread_index){{b.x, b.y, b.z}, {t.x, t.y, t.z}};
}

ck_thread_index
ck_cpu_thread_at(const struct ck_cpu_block *block, uint64_t position)
{
    const uint32_t *b = block->block_idx;
    return (ck_thread_index){
        {b[0], b[1], b[2]},
        {position & 0xffff, position >> 16 & 0xffff, (uint32_t)(position >> 32)}};
}

static void
init_block(struct ck_cpu_launch *launch, struct ck_cpu_block *block, uint64_t index)
{
    const ck_dim3 idx = ck_cpu_block_idx(launch, index);
    *block = (struct ck_cpu_block){
        .block_idx = {idx.x, idx.y, idx.z},
        .block_dim = {launch->block.x, launch->block.y, launch->block.z},
        .grid_dim = {launch->grid.x, launch->grid.y, launch->grid.z},
        .dynamic_shared_bytes = launch->dynamic_shared_bytes,
        .rank = CK_CPU_NO_RANK,
        .launch = launch,
        .interrupted = launch->interrupted,
    };
}

void
ck_cpu_resident_init(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident, uint64_t index)
{
    const struct ck_cpu_layout *layout = &launch->layout;
    char *region = (char *)resident;
    init_block(launch, &resident->block, index);
    resident->block.shared = region + layout->shared_offset;
    resident->block.dynamic_shared = region + layout->dynamic_shared_offset;
    resident->index = index;
    resident->phase = 0;
    resident->at = 0;
    resident->differ = false;
    resident->frames = region + layout->frames_offset;
    resident->where = (uint32_t *)(region + layout->where_offset);
    resident->ends = (uint32_t *)(region + layout->ends_offset);
    resident->outcome = CK_CPU_FINISHED;
    resident->runs = true;
    resident->arrivals = (uint8_t *)(region + layout->arrivals_offset);
    resident->split_arrivals = (struct ck_cpu_arrivals *)(region + layout->split_arrivals_offset);
    if (launch->kernel->waits_for_cluster) {
        memset(resident->arrivals, CK_CPU_NOT_ARRIVED, launch->threads);
        memset(resident->split_arrivals, 0, launch->threads * sizeof *resident->split_arrivals);
    }
    ck_cpu_copies_clear(&resident->copies);
    if (launch->races)
        ck_races_begin_block(launch->races, resident);
    resident->order = NULL;
    if (launch->schedule == CK_SCHEDULE_SEQ)
        return;
    resident->order = (uint32_t *)(region + layout->order_offset);
    for (uint32_t i = 0; i < launch->threads; i++)
        resident->order[i] = launch->threads - 1 - i;
}
