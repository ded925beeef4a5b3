/* Typing rules of the built-ins: what the files that hold them share. */
#ifndef CK_CHECK_BUILTIN_H
#define CK_CHECK_BUILTIN_H

#include "lang/check_internal.h"

/* A call of a built-in, or the use of one that is a value. */
struct ck_call {
    struct ck_fn *fn;
    enum ck_builtin_id id;
    const struct ck_expr *syntax;
    const struct ck_value *self; /* the value whose member it is, or NULL */
    struct ck_value *args;       /* empty for shared.array and local.array, which read the syntax */
    int n_args;
};

typedef struct ck_value ck_rule_fn(struct ck_call *call);

/* --- check_builtin.c --- */
/* The call as a BUILTIN of the typed program, without arguments. */
struct ck_texpr *ck_lowered(const struct ck_call *call, const struct ck_type *type);
void ck_lowered_arg(const struct ck_call *call, struct ck_texpr *expr, struct ck_texpr *arg);
/* The same, as the value of a call that gives nothing. */
struct ck_value ck_lowered_none(const struct ck_call *call, struct ck_texpr *expr);
/* Reports that argument `arg` is not what is wanted: "a number". Gives an error value. */
ck_rule_fn ck_rule_extreme;
struct ck_value ck_wrong_type(const struct ck_call *call, int arg, const char *wanted);
/* A scalar, complex ones excepted. */
bool ck_is_number(const struct ck_value *value);

/* --- check_array.c --- */
/* Methods of arrays; the first reads its syntax. */
ck_rule_fn ck_rule_array_view, ck_rule_array_axes;

/* --- check_builtin_atomic.c --- */
ck_rule_fn ck_rule_atomic, ck_rule_atomic_first;

/* --- check_const.c --- */
ck_rule_fn ck_rule_array, ck_rule_zeros, ck_rule_full, ck_rule_arange, ck_rule_array_like;
/* Whether it makes a constant array of the module: its rule reads the syntax. */
bool ck_makes_const_array(enum ck_builtin_id id);
/* False, reported, for a keyword that the call does not take, and inside a function. */
bool ck_const_array_keywords(struct ck_call *call);

/* --- check_builtin_math.c --- */
ck_rule_fn ck_rule_float;
ck_rule_fn ck_rule_float_constant;
ck_rule_fn ck_rule_float_class;
ck_rule_fn ck_rule_float_parts;
ck_rule_fn ck_rule_ldexp;
ck_rule_fn ck_rule_bits;
ck_rule_fn ck_rule_selp;

/* --- check_builtin_number.c --- */
ck_rule_fn ck_rule_divmod, ck_rule_round;
ck_rule_fn ck_rule_make_tuple;
ck_rule_fn ck_rule_tuple_type;

/* --- check_complex.c --- */
ck_rule_fn ck_rule_complex;

/* --- check_builtin_warp.c --- */
ck_rule_fn ck_rule_warp_size, ck_rule_lane_mask, ck_rule_active_mask, ck_rule_warp_barrier,
    ck_rule_shuffle, ck_rule_vote, ck_rule_ballot, ck_rule_match_any, ck_rule_match_all,
    ck_rule_block_vote, ck_rule_fence, ck_rule_sleep;
ck_rule_fn ck_rule_has_redux, ck_rule_redux;

/* --- check_builtin_block.c --- */
ck_rule_fn ck_rule_wide_barrier, ck_rule_block_arrive, ck_rule_block_wait;

/* --- check_copy.c --- */
ck_rule_fn ck_rule_address, ck_rule_is_fortran, ck_rule_copy_bytes, ck_rule_copy_commit,
    ck_rule_copy_wait;

/* --- check_grid.c --- */
ck_rule_fn ck_rule_grid_barrier, ck_rule_grid_valid, ck_rule_grid_arrive, ck_rule_grid_wait,
    ck_rule_grid_open, ck_rule_grid_meet, ck_rule_grid_slots, ck_rule_grid_close;

/* --- check_group_op.c --- */
/* invoke_one and the like, whose arguments are a call's. */
bool ck_calls_by_one(enum ck_builtin_id id);
/* Whether a call of it is the type of a tuple. */
bool ck_makes_tuple_type(enum ck_builtin_id id);
ck_rule_fn ck_rule_operator, ck_rule_group_reduce, ck_rule_group_scan, ck_rule_group_label,
    ck_rule_group_stride, ck_rule_group_arrive, ck_rule_group_wait, ck_rule_make_token,
    ck_rule_group_copy, ck_rule_group_wait_prior, ck_rule_group_invoke,
    ck_rule_group_invoke_broadcast;
ck_rule_fn ck_rule_operator_of;

/* --- check_cluster.c --- */
ck_rule_fn ck_rule_this_cluster, ck_rule_group_clusters, ck_rule_map_shared_rank,
    ck_rule_query_shared_rank, ck_rule_cluster_position, ck_rule_cluster_barrier, ck_rule_mapped;

/* --- check_group.c --- */
/* A group of which nothing needs to be known at run time. */
struct ck_value ck_group_without_parts(struct ck_call *call, enum ck_group_kind kind, int size,
                                       int parent);
/* Calls the prelude's function for this member and this group's kind, with the group and `n` more
 * arguments. */
struct ck_value ck_call_member(struct ck_call *call, const struct ck_value *args, int n);
/* Argument `arg` as a number as it is held, or as int64; false after an error. */
bool ck_number_arg(struct ck_call *call, int arg, struct ck_value *out);
bool ck_integer_arg(struct ck_call *call, int arg, struct ck_value *out);
ck_rule_fn ck_rule_this_grid, ck_rule_this_block, ck_rule_coalesced_threads, ck_rule_group,
    ck_rule_group_shuffle, ck_rule_group_condition, ck_rule_group_value, ck_rule_tiled_partition,
    ck_rule_tile_num_threads;
ck_rule_fn ck_rule_this_thread;
ck_rule_fn ck_rule_make_coalesced, ck_rule_make_part, ck_rule_group_item, ck_rule_tile_size,
    ck_rule_tile_parent, ck_rule_type_of;

#endif
