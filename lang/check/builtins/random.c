/* Typing rules of the random numbers of lang/prelude/random.ck: Philox, without a state, and
 * Numba's xoroshiro128+, whose states are records. */
#include <string.h>

#include "lang/check/builtins/rules.h"
#include "lang/check/element.h"

/* `random.X` is `random_X` of the prelude. */
static struct ck_value
call_prelude(struct ck_call *call, const struct ck_value *args, int n)
{
    struct ck_fn *fn = call->fn;
    const char *name =
        ck_arena_printf(fn->c->arena, "random_%s", ck_builtin_path(call->id) + strlen("random."));
    return ck_call_instance(fn, ck_prelude_function(fn->c, name), args, n, call->syntax->span);
}

/* Argument i as an integer of a type. False after an error. */
static bool
integer(struct ck_call *call, int i, const struct ck_type *type, struct ck_value *out)
{
    if (!ck_is_number(&call->args[i]) || !ck_type_is_int(call->args[i].type)) {
        ck_wrong_type(call, i, "an integer");
        return false;
    }
    *out = ck_value_run(type, ck_cast(call->fn, call->args[i].expr, type));
    out->span = call->args[i].span;
    return true;
}

/* The seed, the counter, and the counter's high half, argument `at` or 0. False after an error. */
static bool
philox_arguments(struct ck_call *call, int at, struct ck_value *out)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
    if (fn->constant_only) {
        ck_error(fn, NOT_CONSTANT, call->syntax->span);
        return false;
    }
    out[2] = ck_value_run(u64, ck_const_int(fn, u64, 0, call->syntax->span));
    return integer(call, 0, u64, &out[0]) && integer(call, 1, u64, &out[1]) &&
           (call->n_args <= at || integer(call, at, u64, &out[2]));
}

struct ck_value
ck_rule_philox(struct ck_call *call)
{
    struct ck_value args[3];
    return philox_arguments(call, 2, args) ? call_prelude(call, args, 3)
                                           : ck_value_error(call->syntax->span);
}

/* seed, counter, low, high: from `low` to before `high`, which is more */
struct ck_value
ck_rule_philox_integers(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64),
                         *u64 = ck_type_scalar(CK_TYPE_UINT64);
    struct ck_value args[5], high;
    struct ck_texpr *let = NULL;
    if (!philox_arguments(call, 4, args) || !integer(call, 2, i64, &args[3]) ||
        !integer(call, 3, i64, &high))
        return ck_value_error(call->syntax->span);
    if (!ck_is_simple(args[3].expr))
        args[3].expr = ck_let_new(fn, args[3].expr, args[3].span, &let);
    struct ck_texpr *n = ck_binary_expr(fn, CK_OP_SUB, ck_cast(fn, high.expr, u64),
                                        ck_cast(fn, args[3].expr, u64), call->syntax->span);
    args[4] = ck_value_run(u64, n);
    struct ck_value value = call_prelude(call, args, 5);
    value.expr = ck_let_in(let, value.expr);
    return value;
}

/* Whether the records are states: two uint64, `s0` and `s1`. */
static bool
are_states(const struct ck_type *array)
{
    const struct ck_type *elem = array->array.elem, *u64 = ck_type_scalar(CK_TYPE_UINT64);
    return ck_type_is_record(elem) && elem->tuple.n == 2 && ck_field_index(elem, "s0") == 0 &&
           ck_field_index(elem, "s1") == 1 && elem->tuple.items[0] == u64 &&
           elem->tuple.items[1] == u64;
}

/* states, index */
struct ck_value
ck_rule_xoroshiro128p(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_value *states = &call->args[0];
    struct ck_tindex *indices;
    struct ck_lets lets = {0};
    if (states->kind != CK_VALUE_RUN || !ck_type_is_array(states->type) ||
        !are_states(states->type)) {
        struct ck_value error =
            ck_wrong_type(call, 0, "an array of records of uint64, `s0` and `s1`");
        return error;
    }
    call->args[1] = ck_as_run(fn, call->args[1]);
    if (call->args[1].kind == CK_VALUE_ERROR || !ck_check_writable(fn, states, states->span))
        return ck_value_error(span);
    ck_save_index(fn, &call->args[0], &call->args[1], &lets);
    if (!ck_indices_from_value(fn, states, &call->args[1], &indices))
        return ck_value_error(span);
    struct ck_value place = ck_element_at(fn, states->expr, indices, states->span);
    place.span = states->span;
    struct ck_value value = call_prelude(call, &place, 1);
    value.expr = ck_lets_in(&lets, value.expr);
    return value;
}
