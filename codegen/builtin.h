/* Lowerings of the built-ins that are not in builtin.c: lower_<lower> of lang/builtins.def is the
 * function named here. */
#ifndef CK_BUILTIN_H
#define CK_BUILTIN_H

#include "codegen/gen.h"

typedef struct ck_value ck_lower_fn(struct ck_gen *gen, const struct ck_texpr *expr);

/* --- builtin_atomic.c --- */
ck_lower_fn ck_lower_atomic, ck_lower_atomic_cas;
#define lower_atomic     ck_lower_atomic
#define lower_atomic_cas ck_lower_atomic_cas

/* --- builtin_block.c --- */
ck_lower_fn ck_lower_wide_barrier, ck_lower_part_wait, ck_lower_block_arrive, ck_lower_block_wait;
#define lower_wide_barrier ck_lower_wide_barrier
#define lower_part_wait    ck_lower_part_wait
#define lower_block_arrive ck_lower_block_arrive
#define lower_block_wait   ck_lower_block_wait

/* --- builtin_copy.c --- */
ck_lower_fn ck_lower_address, ck_lower_copy_bytes, ck_lower_copy_commit, ck_lower_copy_wait;
#define lower_address     ck_lower_address
#define lower_copy_bytes  ck_lower_copy_bytes
#define lower_copy_commit ck_lower_copy_commit
#define lower_copy_wait   ck_lower_copy_wait

/* --- builtin_cluster.c --- */
ck_lower_fn ck_lower_cluster_position, ck_lower_cluster_sync, ck_lower_cluster_arrive,
    ck_lower_cluster_wait, ck_lower_mapped, ck_lower_shared_rank;
#define lower_cluster_position ck_lower_cluster_position
#define lower_cluster_sync     ck_lower_cluster_sync
#define lower_cluster_arrive   ck_lower_cluster_arrive
#define lower_cluster_wait     ck_lower_cluster_wait
#define lower_mapped           ck_lower_mapped
#define lower_shared_rank      ck_lower_shared_rank

/* --- builtin_grid.c --- */
ck_lower_fn ck_lower_grid_valid, ck_lower_grid_barrier, ck_lower_grid_arrive, ck_lower_grid_wait,
    ck_lower_grid_open, ck_lower_grid_meet, ck_lower_grid_slots, ck_lower_grid_close;
#define lower_grid_valid   ck_lower_grid_valid
#define lower_grid_barrier ck_lower_grid_barrier
#define lower_grid_arrive  ck_lower_grid_arrive
#define lower_grid_wait    ck_lower_grid_wait
#define lower_grid_open    ck_lower_grid_open
#define lower_grid_meet    ck_lower_grid_meet
#define lower_grid_slots   ck_lower_grid_slots
#define lower_grid_close   ck_lower_grid_close

/* --- builtin_math.c --- */
ck_lower_fn ck_lower_math, ck_lower_float_op, ck_lower_angle, ck_lower_float_class;
ck_lower_fn ck_lower_frexp, ck_lower_modf, ck_lower_ldexp;
ck_lower_fn ck_lower_bits, ck_lower_ffs, ck_lower_selp;
#define lower_math        ck_lower_math
#define lower_float_op    ck_lower_float_op
#define lower_angle       ck_lower_angle
#define lower_float_class ck_lower_float_class
#define lower_frexp       ck_lower_frexp
#define lower_modf        ck_lower_modf
#define lower_ldexp       ck_lower_ldexp
#define lower_bits        ck_lower_bits
#define lower_ffs         ck_lower_ffs
#define lower_selp        ck_lower_selp

/* --- builtin_round.c --- */
ck_lower_fn ck_lower_round;
#define lower_round ck_lower_round

/* --- builtin_warp.c --- */
ck_lower_fn ck_lower_lane, ck_lower_lane_mask, ck_lower_warp_barrier, ck_lower_active_mask,
    ck_lower_shuffle, ck_lower_vote, ck_lower_match, ck_lower_block_vote, ck_lower_fence,
    ck_lower_sleep, ck_lower_breakpoint;
#define lower_lane         ck_lower_lane
#define lower_lane_mask    ck_lower_lane_mask
#define lower_warp_barrier ck_lower_warp_barrier
#define lower_active_mask  ck_lower_active_mask
#define lower_shuffle      ck_lower_shuffle
#define lower_vote         ck_lower_vote
#define lower_match        ck_lower_match
#define lower_block_vote   ck_lower_block_vote
#define lower_fence        ck_lower_fence
#define lower_breakpoint   ck_lower_breakpoint
#define lower_sleep        ck_lower_sleep
ck_lower_fn ck_lower_has_redux, ck_lower_redux, ck_lower_shuffle_in;
#define lower_shuffle_in ck_lower_shuffle_in
#define lower_has_redux  ck_lower_has_redux
#define lower_redux      ck_lower_redux

#endif
