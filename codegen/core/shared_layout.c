/* The layout of static shared memory. */
#include "codegen/core/shared_layout.h"

static uint64_t
round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

uint64_t
ck_shared_offset(const struct ck_tfunc *function, int i)
{
    uint64_t offset = 0;
    for (int before = 0; before < i; before++) {
        const struct ck_shared_array *array = &function->shared[before];
        const uint64_t size = (uint64_t)ck_type_size(array->elem);
        if ((uint64_t)array->count > CK_SHARED_LIMIT / size)
            return CK_SHARED_LIMIT + 1;
        offset = round_up(offset + (uint64_t)array->count * size, CK_SHARED_ALIGN);
        if (offset > CK_SHARED_LIMIT)
            return CK_SHARED_LIMIT + 1;
    }
    return offset;
}

/* A walk over the call graph from a kernel. */
struct reached {
    struct ck_arena *arena;
    const struct ck_tfunc **items;
    int n, capacity;
};

static void
reach(struct reached *reached, const struct ck_tfunc *function)
{
    for (int i = 0; i < reached->n; i++) {
        if (reached->items[i] == function)
            return;
    }
    CK_PUSH(reached->arena, reached->items, reached->n, reached->capacity, function);
    for (int i = 0; i < function->n_callees; i++)
        reach(reached, function->callees[i]);
}

int
ck_shared_reached(struct ck_arena *arena, const struct ck_tfunc *kernel,
                  const struct ck_tfunc ***out)
{
    struct reached reached = {.arena = arena};
    int n = 0;
    reach(&reached, kernel);
    for (int i = 0; i < reached.n; i++) {
        if (reached.items[i]->n_shared)
            reached.items[n++] = reached.items[i];
    }
    *out = reached.items;
    return n;
}

uint64_t
ck_shared_arrays_bytes(struct ck_arena *arena, const struct ck_tfunc *kernel)
{
    const struct ck_tfunc **reached;
    uint64_t bytes = 0;
    for (int n = ck_shared_reached(arena, kernel, &reached); n-- > 0;)
        bytes += ck_shared_offset(reached[n], reached[n]->n_shared);
    return bytes;
}
