/* sin and cos in float32; the sign of zero of tan, asin and atan in float64. */
#include "libm.h"

/* An angle reduced modulo pi / 2, and the quadrant: the quotient modulo 4. */
struct angle {
    float r;
    uint32_t quadrant;
};

/* 2/pi in binary, after 32 bits of zero. */
static inline uint32_t
word_of_two_over_pi(uint32_t i)
{
    switch (i) {
    case 0:
        return 0;
    case 1:
        return 0xa2f9836e;
    case 2:
        return 0x4e441529;
    case 3:
        return 0xfc2757d1;
    case 4:
        return 0xf534ddc0;
    case 5:
        return 0xdb629599;
    case 6:
        return 0x3c439041;
    default:
        return 0xfe5163ab;
    }
}

/* Payne and Hanek's argument reduction: the 96 bits of 2/pi that determine the product modulo 4. */
static __attribute__((noinline)) struct angle
reduce_large(float x)
{
    uint32_t bits = bits_of(x), mantissa = (bits & 0x7fffff) | 0x800000;
    uint32_t offset = ((bits >> 23) & 0xff) - 150 + 30, i = offset >> 5, shift = offset & 31;
    uint32_t words[4], window[3];
    for (uint32_t k = 0; k < 4; k++)
        words[k] = word_of_two_over_pi(i + k);
    for (uint32_t k = 0; k < 3; k++)
        window[k] = (uint32_t)(((((uint64_t)words[k] << 32) | words[k + 1]) << shift) >> 32);
    uint64_t low = (uint64_t)mantissa * window[2];
    uint64_t middle = (uint64_t)mantissa * window[1] + (low >> 32);
    uint32_t high = mantissa * window[0] + (uint32_t)(middle >> 32);
    uint64_t product =
        ((uint64_t)high << 32) | (uint32_t)middle; /* the low 62 bits are the fraction */
    int64_t fraction = (int64_t)(product << 2);
    uint32_t quadrant = (uint32_t)(product >> 62) + (fraction < 0);
    const int64_t right_angle = 0x6487ed5110b4611a; /* times 2^-62 */
    float r = (float)(int64_t)(((__int128)fraction * right_angle) >> 64) * 0x1p-62f;
    return (struct angle){x < 0 ? -r : r, x < 0 ? -quadrant : quadrant};
}

/* Cody and Waite's argument reduction: pi / 2 in three parts, all positive so that -0.0 is
 * preserved.
 */
static inline struct angle
reduce(float x)
{
    if (__builtin_fabsf(x) < 0x1p16f) {
        float sum = fma32(x, 0x1.45f306p-1f, ROUNDER), n = sum - ROUNDER;
        float r = fma32(n, -0x1.921fb4p+0f, x);
        r = fma32(n, -0x1.4442d0p-24f, r);
        return (struct angle){fma32(n, -0x1.84698ap-48f, r), bits_of(sum)};
    }
    if (!(__builtin_fabsf(x) < INFINITY_F32))
        return (struct angle){NAN_F32, 0};
    return reduce_large(x);
}

/* The sine in a quadrant; the polynomials' relative errors are below 2^-28. */
static inline float
sine_in(struct angle angle)
{
    float r = angle.r, z = r * r;
    float s = fma32(-0x1.994770p-13f, z, 0x1.11074cp-7f);
    s = fma32(s, z, -0x1.555546p-3f);
    float sine = r * fma32(s, z, 1);
    float c = fma32(0x1.99fc06p-16f, z, -0x1.6c0c76p-10f);
    c = fma32(c, z, 0x1.55554ap-5f);
    float cosine = fma32(fma32(c, z, -0.5f), z, 1);
    float result = angle.quadrant & 1 ? cosine : sine;
    return float_of(bits_of(result) ^ (angle.quadrant & 2) << 30);
}

float
ck_math_sin_f32(float x)
{
    return sine_in(reduce(x));
}

float
ck_math_cos_f32(float x)
{
    struct angle angle = reduce(x);
    angle.quadrant++;
    return sine_in(angle);
}

double
ck_math_tan_f64(double x)
{
    return x == 0 ? x : ck_libclc_tan_f64(x);
}

double
ck_math_asin_f64(double x)
{
    return x == 0 ? x : ck_libclc_asin_f64(x);
}

double
ck_math_atan_f64(double x)
{
    return x == 0 ? x : ck_libclc_atan_f64(x);
}
