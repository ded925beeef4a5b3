/* ck's own math functions for PTX, where libclc's are slow or wrong; all others are libclc's. The
 * build compiles them to bitcode with clang and links that with libclc's. They are correct for all
 * arguments, denormals and infinities included. float32 and float64 arithmetic is IEEE 754's, and
 * only explicit calls of fma are contracted.
 *
 * A figure such as 2^-28 in a comment is a relative error, unless it says otherwise. */
#ifndef CK_LIBM_H
#define CK_LIBM_H

#include <stdbool.h>
#include <stdint.h>

#define INFINITY_F32 __builtin_inff()
#define NAN_F32      __builtin_nanf("")
#define INFINITY_F64 __builtin_inf()
#define NAN_F64      __builtin_nan("")

float ck_math_acosh_f32(float x);
float ck_math_asinh_f32(float x);
float ck_math_atanh_f32(float x);
float ck_math_cbrt_f32(float x);
float ck_math_cos_f32(float x);
float ck_math_cosh_f32(float x);
float ck_math_erfc_f32(float x);
float ck_math_exp2_f32(float x);
float ck_math_exp_f32(float x);
float ck_math_expm1_f32(float x);
float ck_math_fmod_f32(float x, float y);
float ck_math_j0_f32(float x);
float ck_math_j1_f32(float x);
float ck_math_lgamma_f32(float x);
float ck_math_log10_f32(float x);
float ck_math_log1p_f32(float x);
float ck_math_log2_f32(float x);
float ck_math_log_f32(float x);
float ck_math_pow_f32(float x, float y);
float ck_math_remainder_f32(float x, float y);
float ck_math_rsqrt_f32(float x);
float ck_math_sin_f32(float x);
float ck_math_sinh_f32(float x);
float ck_math_tanh_f32(float x);
float ck_math_tgamma_f32(float x);
float ck_math_y0_f32(float x);
float ck_math_y1_f32(float x);

double ck_math_asin_f64(double x);
double ck_math_atan_f64(double x);
double ck_math_cbrt_f64(double x);
double ck_math_cos_f64(double x);
double ck_math_erf_f64(double x);
double ck_math_exp2_f64(double x);
double ck_math_exp_f64(double x);
double ck_math_expm1_f64(double x);
double ck_math_j0_f64(double x);
double ck_math_j1_f64(double x);
double ck_math_log10_f64(double x);
double ck_math_log2_f64(double x);
double ck_math_log_f64(double x);
double ck_math_pow_f64(double x, double y);
double ck_math_sin_f64(double x);
double ck_math_tan_f64(double x);
double ck_math_tgamma_f64(double x);
double ck_math_y0_f64(double x);
double ck_math_y1_f64(double x);

#ifdef __NVPTX__
#define NAME_ON_PTX(name) __asm__(name)
#else
#define NAME_ON_PTX(name) /* for tests */
#endif

/* libclc's functions have mangled C++ names. */
float ck_libclc_erfc_f32(float x) NAME_ON_PTX("_Z4erfcf");
float ck_libclc_lgamma_f32(float x) NAME_ON_PTX("_Z6lgammaf");
double ck_libclc_asin_f64(double x) NAME_ON_PTX("_Z4asind");
double ck_libclc_atan_f64(double x) NAME_ON_PTX("_Z4atand");
double ck_libclc_cos_f64(double x) NAME_ON_PTX("_Z3cosd");
double ck_libclc_erf_f64(double x) NAME_ON_PTX("_Z3erfd");
double ck_libclc_expm1_f64(double x) NAME_ON_PTX("_Z5expm1d");
double ck_libclc_sin_f64(double x) NAME_ON_PTX("_Z3sind");
double ck_libclc_tan_f64(double x) NAME_ON_PTX("_Z3tand");

/* 1 / x with an error in the last bits, and 0 for denormal results; one instruction. */
float approximate_inverse(float x) NAME_ON_PTX("llvm.nvvm.rcp.approx.ftz.f");
/* 2^x with an error in the last one or two bits; one instruction. */
float approximate_exp2(float x) NAME_ON_PTX("llvm.nvvm.ex2.approx.ftz.f32");

/* log2(x) with a relative or absolute error of 2^-22, whichever is larger; one instruction. */
float approximate_log2(float x) NAME_ON_PTX("llvm.nvvm.lg2.approx.ftz.f");
/* 1 / sqrt(x) with an error of 2^-22.9; one instruction. */
float approximate_rsqrt(float x) NAME_ON_PTX("llvm.nvvm.rsqrt.approx.f");
/* 1 / x with an error of 2^-20. */
double approximate_inverse64(double x) NAME_ON_PTX("llvm.nvvm.rcp.approx.ftz.d");

static inline uint32_t
bits_of(float x)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float
float_of(uint32_t bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float
fma32(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}

static inline double
fma64(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}

/* Adding and subtracting this rounds a magnitude below 2^22 to the nearest integer, which is in the
 * low bits of the sum. */
static const float ROUNDER = 0x1.8p23f;

static inline int32_t
whole_of(float sum)
{
    return (int32_t)(bits_of(sum) - 0x4b400000);
}

/* p * 2^n for -252 <= n <= 254 and p near 1, with one rounding. */
static inline float
scaled(float p, int32_t n)
{
    int32_t half = n >> 1;
    float first = float_of((uint32_t)(half + 127) << 23);
    return p * first * float_of((uint32_t)(n - half + 127) << 23);
}

/* 2^r for |r| <= 0.51 by a polynomial, minimax for the relative error: 2^-28.9. */
static inline float
power_of_fraction(float r)
{
    float p = fma32(0x1.446128p-13f, r, 0x1.5f4a94p-10f);
    p = fma32(p, r, 0x1.3b29eep-7f);
    p = fma32(p, r, 0x1.c6aec8p-5f);
    p = fma32(p, r, 0x1.ebfbe0p-3f);
    p = fma32(p, r, 0x1.62e430p-1f);
    return fma32(p, r, 1);
}

/* e^r for |r| <= 0.35; error 2^-28.2. */
static inline float
exp_of_fraction(float r)
{
    float p = fma32(0x1.6dbbacp-10f, r, 0x1.12414ep-7f);
    p = fma32(p, r, 0x1.555454p-5f);
    p = fma32(p, r, 0x1.555486p-3f);
    p = fma32(p, r, 0.5f);
    p = fma32(p, r, 1);
    return fma32(p, r, 1);
}

#define LOG2E_F32     0x1.715476p+0f
#define LOG2E_LOW_F32 0x1.4ae0cp-26f
#define LN2_HIGH_F32  0x1.62e4p-1f /* 15 bits: products with small integers are exact */
#define LN2_LOW_F32   0x1.7f7d1cp-20f

#endif
