/* States of Numba's random numbers: xoroshiro128+ of Blackman and Vigna, whose first state is made
 * of the seed by splitmix64, and each further one by a jump over 2**64 numbers. */
#include "../ckrun.h"

#include <string.h>

struct state {
    uint64_t s0, s1;
};

static uint64_t
rotated(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

static struct state
first_state(uint64_t seed)
{
    uint64_t z = seed + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (struct state){z, z};
}

static struct state
next_state(struct state s)
{
    const uint64_t mixed = s.s0 ^ s.s1;
    return (struct state){rotated(s.s0, 55) ^ mixed ^ mixed << 14, rotated(mixed, 36)};
}

static struct state
jumped(struct state s)
{
    static const uint64_t jump[] = {UINT64_C(0xbeac0467eba5facb), UINT64_C(0xd86b048b86aa9922)};
    struct state sum = {0, 0};
    for (int i = 0; i < 128; i++, s = next_state(s)) {
        if (jump[i / 64] >> i % 64 & 1)
            sum = (struct state){sum.s0 ^ s.s0, sum.s1 ^ s.s1};
    }
    return sum;
}

struct ckrun_array *
ckrun_random_states(struct ckrun_env *env, int64_t n, uint64_t seed, uint64_t skipped, char **error)
{
    static const ck_field fields[] = {{.name = "s0", .dtype = CK_UINT64},
                                      {.name = "s1", .dtype = CK_UINT64, .offset = 8}};
    static const ck_record record = {sizeof(struct state), 2, fields};
    struct ckrun_array *array = ckrun_record_array_new(env, &record, 1, &n, false, error);
    struct state state = first_state(seed);
    for (uint64_t i = 0; i < skipped; i++)
        state = jumped(state);
    for (int64_t i = 0; array && i < n; i++, state = jumped(state))
        memcpy((char *)array->host.data + (size_t)i * sizeof state, &state, sizeof state);
    return array;
}
