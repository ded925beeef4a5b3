/** @file
 * ck: the arguments of a launch, short to write.
 *
 *     ck_array x = ck_array_1d(ck_buffer_address(buffer), CK_FLOAT32, n);
 *     ck_launchv(saxpy, ck_shape_1d(blocks, 256), NULL, 2.5f, &x, &y);
 *
 * In C11 the type of a value chooses its dtype: 2.5f is a float32, 2.5 a float64, an int an int32.
 * In C99 the functions below make the values. C++ has <ck/ck.hpp>, and these functions too.
 * Everything here is inline, fails never, and may be used from any thread. */
#ifndef CK_ARGS_H
#define CK_ARGS_H

#include <stdbool.h>

#include <ck/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Values ------------------------------------------------------------------------------------
 */

/** An array; borrowed until the launch has returned. */
static inline ck_arg
ck_arg_array(const ck_array *array)
{
    ck_arg arg = {CK_DTYPE_NONE, {array}};
    return arg;
}

/** The head of a tuple, whose `n_items` items are the arguments that follow. */
static inline ck_arg
ck_arg_tuple(size_t n_items)
{
    ck_arg arg = {CK_TUPLE, {NULL}};
    arg.value.u = n_items;
    return arg;
}

/** Python's None. */
static inline ck_arg
ck_arg_none(void)
{
    ck_arg arg = {CK_NONE, {NULL}};
    return arg;
}

/** The parameter's default value. */
static inline ck_arg
ck_arg_default(void)
{
    ck_arg arg = {CK_DEFAULT, {NULL}};
    return arg;
}

/** A boolean. */
static inline ck_arg
ck_arg_bool(bool value)
{
    ck_arg arg = {CK_BOOL, {NULL}};
    arg.value.i = value;
    return arg;
}

/** A signed integer of 8 bits. */
static inline ck_arg
ck_arg_int8(int8_t value)
{
    ck_arg arg = {CK_INT8, {NULL}};
    arg.value.i = value;
    return arg;
}

/** A signed integer of 16 bits. */
static inline ck_arg
ck_arg_int16(int16_t value)
{
    ck_arg arg = {CK_INT16, {NULL}};
    arg.value.i = value;
    return arg;
}

/** A signed integer of 32 bits. */
static inline ck_arg
ck_arg_int32(int32_t value)
{
    ck_arg arg = {CK_INT32, {NULL}};
    arg.value.i = value;
    return arg;
}

/** A signed integer of 64 bits. */
static inline ck_arg
ck_arg_int64(int64_t value)
{
    ck_arg arg = {CK_INT64, {NULL}};
    arg.value.i = value;
    return arg;
}

/** An unsigned integer of 8 bits. */
static inline ck_arg
ck_arg_uint8(uint8_t value)
{
    ck_arg arg = {CK_UINT8, {NULL}};
    arg.value.u = value;
    return arg;
}

/** An unsigned integer of 16 bits. */
static inline ck_arg
ck_arg_uint16(uint16_t value)
{
    ck_arg arg = {CK_UINT16, {NULL}};
    arg.value.u = value;
    return arg;
}

/** An unsigned integer of 32 bits. */
static inline ck_arg
ck_arg_uint32(uint32_t value)
{
    ck_arg arg = {CK_UINT32, {NULL}};
    arg.value.u = value;
    return arg;
}

/** An unsigned integer of 64 bits. */
static inline ck_arg
ck_arg_uint64(uint64_t value)
{
    ck_arg arg = {CK_UINT64, {NULL}};
    arg.value.u = value;
    return arg;
}

/** A number that is rounded to float16. */
static inline ck_arg
ck_arg_float16(float value)
{
    ck_arg arg = {CK_FLOAT16, {NULL}};
    arg.value.f = value;
    return arg;
}

/** A number that is rounded to bfloat16. */
static inline ck_arg
ck_arg_bfloat16(float value)
{
    ck_arg arg = {CK_BFLOAT16, {NULL}};
    arg.value.f = value;
    return arg;
}

/** A float32. */
static inline ck_arg
ck_arg_float32(float value)
{
    ck_arg arg = {CK_FLOAT32, {NULL}};
    arg.value.f = value;
    return arg;
}

/** A float64. */
static inline ck_arg
ck_arg_float64(double value)
{
    ck_arg arg = {CK_FLOAT64, {NULL}};
    arg.value.f = value;
    return arg;
}

/** A complex number whose parts are rounded to float32. */
static inline ck_arg
ck_arg_complex64(ck_complex value)
{
    ck_arg arg = {CK_COMPLEX64, {NULL}};
    arg.value.c = value;
    return arg;
}

/** A complex number with parts of float64. */
static inline ck_arg
ck_arg_complex128(ck_complex value)
{
    ck_arg arg = {CK_COMPLEX128, {NULL}};
    arg.value.c = value;
    return arg;
}

/** A date or a time: as many units as `dtype`, which is CK_DATETIME64_D or another of these, says.
 */
static inline ck_arg
ck_arg_date(ck_dtype dtype, int64_t count)
{
    ck_arg arg = {dtype, {NULL}};
    arg.value.i = count;
    return arg;
}

/** A grid and a block of one dimension, for launches without dynamic shared memory. */
static inline ck_shape
ck_shape_1d(uint32_t blocks, uint32_t threads)
{
    ck_shape shape = {{0, 0, 0}, {0, 0, 0}, 0, {0, 0, 0}};
    shape.grid.x = blocks;
    shape.block.x = threads;
    return shape;
}

/** The same of two dimensions. */
static inline ck_shape
ck_shape_2d(uint32_t blocks_x, uint32_t blocks_y, uint32_t threads_x, uint32_t threads_y)
{
    ck_shape shape = ck_shape_1d(blocks_x, threads_x);
    shape.grid.y = blocks_y;
    shape.block.y = threads_y;
    return shape;
}

/** ck_launch with the shape by value: the function behind ck_launchv. */
static inline ck_status
ck_launch_shape(ck_kernel *kernel, ck_shape shape, const ck_arg *args, size_t n_args, void *stream)
{
    return ck_launch(kernel, &shape, args, n_args, stream);
}

/* --- Lists of values, in C ---------------------------------------------------------------------
 */

#ifndef __cplusplus

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/** A ck_arg as it is. */
static inline ck_arg
ck_arg_same(ck_arg arg)
{
    return arg;
}

#ifdef __STDC_NO_COMPLEX__
#define CK_ARG_COMPLEX_
#else

/** A `float _Complex`. */
static inline ck_arg
ck_arg_c_complex64(float _Complex value)
{
    const float *parts = (const float *)&value;
    ck_complex both;
    both.real = (double)parts[0];
    both.imaginary = (double)parts[1];
    return ck_arg_complex64(both);
}

/** A `double _Complex`. */
static inline ck_arg
ck_arg_c_complex128(double _Complex value)
{
    const double *parts = (const double *)&value;
    ck_complex both;
    both.real = parts[0];
    both.imaginary = parts[1];
    return ck_arg_complex128(both);
}

/* clang-format off */
#define CK_ARG_COMPLEX_ float _Complex: ck_arg_c_complex64, double _Complex: ck_arg_c_complex128,
/* clang-format on */
#endif

/* clang-format off */
/** A value as a ck_arg, with the dtype of its C type: numbers, `bool`, complex numbers, a pointer
 * to a ck_array, and a ck_arg, which stays what it is. Another type does not compile; nor does
 * `char`, which is signed on some machines only. */
#define CK_ARG(value)                                                                              \
    _Generic((value), CK_ARG_COMPLEX_                                                              \
        _Bool: ck_arg_bool,                                                                        \
        signed char: ck_arg_int8,                                                                  \
        short: ck_arg_int16,                                                                       \
        int: ck_arg_int32,                                                                         \
        long: ck_arg_int64,                                                                        \
        long long: ck_arg_int64,                                                                   \
        unsigned char: ck_arg_uint8,                                                               \
        unsigned short: ck_arg_uint16,                                                             \
        unsigned: ck_arg_uint32,                                                                   \
        unsigned long: ck_arg_uint64,                                                              \
        unsigned long long: ck_arg_uint64,                                                         \
        float: ck_arg_float32,                                                                     \
        double: ck_arg_float64,                                                                    \
        ck_complex: ck_arg_complex128,                                                             \
        ck_array *: ck_arg_array,                                                                  \
        const ck_array *: ck_arg_array,                                                            \
        ck_arg: ck_arg_same)(value)
/* clang-format on */
#else
#define CK_ARG(value) (value)
#endif

#define CK_ARG_EACH_1_(a)       CK_ARG(a)
#define CK_ARG_EACH_2_(a, ...)  CK_ARG(a), CK_ARG_EACH_1_(__VA_ARGS__)
#define CK_ARG_EACH_3_(a, ...)  CK_ARG(a), CK_ARG_EACH_2_(__VA_ARGS__)
#define CK_ARG_EACH_4_(a, ...)  CK_ARG(a), CK_ARG_EACH_3_(__VA_ARGS__)
#define CK_ARG_EACH_5_(a, ...)  CK_ARG(a), CK_ARG_EACH_4_(__VA_ARGS__)
#define CK_ARG_EACH_6_(a, ...)  CK_ARG(a), CK_ARG_EACH_5_(__VA_ARGS__)
#define CK_ARG_EACH_7_(a, ...)  CK_ARG(a), CK_ARG_EACH_6_(__VA_ARGS__)
#define CK_ARG_EACH_8_(a, ...)  CK_ARG(a), CK_ARG_EACH_7_(__VA_ARGS__)
#define CK_ARG_EACH_9_(a, ...)  CK_ARG(a), CK_ARG_EACH_8_(__VA_ARGS__)
#define CK_ARG_EACH_10_(a, ...) CK_ARG(a), CK_ARG_EACH_9_(__VA_ARGS__)
#define CK_ARG_EACH_11_(a, ...) CK_ARG(a), CK_ARG_EACH_10_(__VA_ARGS__)
#define CK_ARG_EACH_12_(a, ...) CK_ARG(a), CK_ARG_EACH_11_(__VA_ARGS__)
#define CK_ARG_EACH_13_(a, ...) CK_ARG(a), CK_ARG_EACH_12_(__VA_ARGS__)
#define CK_ARG_EACH_14_(a, ...) CK_ARG(a), CK_ARG_EACH_13_(__VA_ARGS__)
#define CK_ARG_EACH_15_(a, ...) CK_ARG(a), CK_ARG_EACH_14_(__VA_ARGS__)
#define CK_ARG_EACH_16_(a, ...) CK_ARG(a), CK_ARG_EACH_15_(__VA_ARGS__)
#define CK_ARG_EACH_17_(a, ...) CK_ARG(a), CK_ARG_EACH_16_(__VA_ARGS__)
#define CK_ARG_EACH_18_(a, ...) CK_ARG(a), CK_ARG_EACH_17_(__VA_ARGS__)
#define CK_ARG_EACH_19_(a, ...) CK_ARG(a), CK_ARG_EACH_18_(__VA_ARGS__)
#define CK_ARG_EACH_20_(a, ...) CK_ARG(a), CK_ARG_EACH_19_(__VA_ARGS__)
#define CK_ARG_EACH_21_(a, ...) CK_ARG(a), CK_ARG_EACH_20_(__VA_ARGS__)
#define CK_ARG_EACH_22_(a, ...) CK_ARG(a), CK_ARG_EACH_21_(__VA_ARGS__)
#define CK_ARG_EACH_23_(a, ...) CK_ARG(a), CK_ARG_EACH_22_(__VA_ARGS__)
#define CK_ARG_EACH_24_(a, ...) CK_ARG(a), CK_ARG_EACH_23_(__VA_ARGS__)
#define CK_ARG_EACH_25_(a, ...) CK_ARG(a), CK_ARG_EACH_24_(__VA_ARGS__)
#define CK_ARG_EACH_26_(a, ...) CK_ARG(a), CK_ARG_EACH_25_(__VA_ARGS__)
#define CK_ARG_EACH_27_(a, ...) CK_ARG(a), CK_ARG_EACH_26_(__VA_ARGS__)
#define CK_ARG_EACH_28_(a, ...) CK_ARG(a), CK_ARG_EACH_27_(__VA_ARGS__)
#define CK_ARG_EACH_29_(a, ...) CK_ARG(a), CK_ARG_EACH_28_(__VA_ARGS__)
#define CK_ARG_EACH_30_(a, ...) CK_ARG(a), CK_ARG_EACH_29_(__VA_ARGS__)
#define CK_ARG_EACH_31_(a, ...) CK_ARG(a), CK_ARG_EACH_30_(__VA_ARGS__)
#define CK_ARG_EACH_32_(a, ...) CK_ARG(a), CK_ARG_EACH_31_(__VA_ARGS__)
#define CK_ARG_PICK_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17,   \
                     a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, n, \
                     ...)                                                                          \
    n
#define CK_ARG_COUNT_(...)                                                                         \
    CK_ARG_PICK_(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,  \
                 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CK_ARG_JOIN_(a, b)   CK_ARG_JOINED_(a, b)
#define CK_ARG_JOINED_(a, b) a##b##_

/** One to 32 values as the two arguments `args` and `n_args` of ck_launch, ck_kernel_prepare and
 * ck_stream_launch: `ck_kernel_prepare(kernel, CK_ARGS(2.5f, &x, &y), &desc)`. In C99 the values
 * are ck_args. */
#define CK_ARGS(...)                                                                               \
    ((const ck_arg[]){CK_ARG_JOIN_(CK_ARG_EACH_, CK_ARG_COUNT_(__VA_ARGS__))(__VA_ARGS__)}),       \
        (size_t)CK_ARG_COUNT_(__VA_ARGS__)

/** Launches a kernel with one to 32 values as its arguments; `shape` is a ck_shape. A kernel
 * without parameters needs ck_launch. Errors: those of ck_launch. */
#define ck_launchv(kernel, shape, stream, ...)                                                     \
    ck_launch_shape((kernel), (shape), CK_ARGS(__VA_ARGS__), (stream))

#endif /* __cplusplus */

#ifdef __cplusplus
}
#endif

#endif
