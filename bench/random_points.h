/* Random numbers as functions of a seed, for points of functions and for data of kernels. */
#ifndef BENCH_RANDOM_POINTS_H
#define BENCH_RANDOM_POINTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A hash: splitmix64's finaliser. */
static inline uint64_t
mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* From 0 to 1. */
static inline double
unit(uint64_t seed)
{
    return (double)(mix(seed) >> 11) * 0x1p-53;
}

static inline double
double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float
float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double
any_float(uint64_t seed, bool is_float)
{
    return is_float ? (double)float_of_bits((uint32_t)mix(seed)) : double_of_bits(mix(seed));
}

/* With an exponent from -range to range. */
static inline double
near_one(uint64_t seed, int range)
{
    int exponent = (int)(mix(seed + 1) % (uint64_t)(2 * range + 1)) - range;
    double value = ldexp(0.5 + 0.5 * unit(seed), exponent);
    return mix(seed + 2) & 1 ? value : -value;
}

#endif
