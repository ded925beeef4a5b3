/* Permutations for the random schedule: a function of the seed alone, whatever the number of host
 * threads. */
#include "runtime/cpu/cpu.h"

/* The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
 */
static uint64_t
scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t
ck_mix(uint64_t a, uint64_t b)
{
    return scramble(scramble(a + 0x9e3779b97f4a7c15u) + b);
}

/* A Feistel network permutes a power of four; numbers of n and above are permuted again, which
 * ends because the network is a bijection. No table: a grid may have 2^62 blocks. */
uint64_t
ck_permute(uint64_t i, uint64_t n, uint64_t key)
{
    enum { ROUNDS = 4 };
    if (n < 2)
        return i;
    int half = (64 - __builtin_clzll(n - 1) + 1) / 2;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            uint64_t next = left ^ (ck_mix(key + round, right) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

void
ck_shuffle(uint32_t *order, uint32_t n, uint64_t key)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = (uint32_t)((ck_mix(key, i) >> 32) * (i + 1) >> 32);
        order[i] = order[j];
        order[j] = i;
    }
}
