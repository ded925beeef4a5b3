/* Occupancy by arithmetic. A warp has registers in units of 256, and warps are allocated in fours;
 * shared memory is allocated in units of 128 bytes, 256 on the oldest architecture (CUDA C++
 * Programming Guide, compute capabilities). */
#include "base/occupancy.h"

#include <stddef.h>

enum { SM_REGISTERS = 65536, REGISTER_UNIT = 256, WARP_UNIT = 4, SHARED_UNIT = 128 };

bool
ck_sm_limits_of(struct ck_sm_limits *out, int capability)
{
    static const struct {
        int capability, threads, blocks, shared, reserved;
    } rows[] = {
#define CK_SM_LIMITS(capability, threads, blocks, shared, reserved)                                \
    {capability, threads, blocks, shared, reserved},
#include "base/sm_limits.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].capability != capability)
            continue;
        *out = (struct ck_sm_limits){rows[i].threads,       rows[i].blocks,   SM_REGISTERS,
                                     rows[i].shared * 1024, rows[i].reserved, 32};
        return true;
    }
    return false;
}

static int64_t
round_up(int64_t n, int64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

int64_t
ck_sm_blocks(const struct ck_sm_limits *limits, int threads, int registers_per_thread,
             int64_t shared_bytes, enum ck_sm_resource *limit)
{
    const int warp = limits->warp_size > 0 ? limits->warp_size : 32;
    const int warps = (threads + warp - 1) / warp;
    const int64_t of_warp = round_up((int64_t)registers_per_thread * warp, REGISTER_UNIT);
    const int64_t of_block = round_up(shared_bytes, SHARED_UNIT) + limits->reserved_shared_bytes;
    const int64_t blocks[CK_N_SM_RESOURCES] = {
        [CK_SM_THREADS] = limits->threads / (warps * warp),
        [CK_SM_BLOCKS] = limits->blocks,
        [CK_SM_REGISTERS] =
            of_warp ? limits->registers / of_warp / WARP_UNIT * WARP_UNIT / warps : INT64_MAX,
        [CK_SM_SHARED] = shared_bytes ? limits->shared_bytes / of_block : INT64_MAX,
    };
    *limit = CK_SM_THREADS;
    for (int i = 1; i < CK_N_SM_RESOURCES; i++) {
        if (blocks[i] < blocks[*limit])
            *limit = (enum ck_sm_resource)i;
    }
    return blocks[*limit];
}
