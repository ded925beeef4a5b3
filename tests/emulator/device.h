/* What C code made of PTX (see translate.py) calls: the operations of PTX that C has none for, and
 * the device that runs its threads (device.c). Registers hold bits; a value of a float type is made
 * of them where an instruction says so. Addresses of all state spaces are the host's. */
#ifndef CK_TESTS_EMULATOR_DEVICE_H
#define CK_TESTS_EMULATOR_DEVICE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef _Float16 f16;
typedef struct {
    u16 bits;
} bf16;

enum { WARP = 32, N_BARRIERS = 16 };

struct thread;

/* The operations of a warp, all with the mask of the lanes that take part. */
enum warp_operation {
    WARP_SYNC,
    WARP_ACTIVE, /* without a mask: those that are there */
    WARP_SHFL_IDX,
    WARP_SHFL_UP,
    WARP_SHFL_DOWN,
    WARP_SHFL_BFLY,
    WARP_VOTE_ALL,
    WARP_VOTE_ANY,
    WARP_VOTE_UNI,
    WARP_VOTE_BALLOT,
    WARP_MATCH_ANY,
    WARP_MATCH_ALL,
    WARP_REDUX_ADD,
    WARP_REDUX_AND,
    WARP_REDUX_OR,
    WARP_REDUX_XOR,
    WARP_REDUX_MIN_S32,
    WARP_REDUX_MAX_S32,
    WARP_REDUX_MIN_U32,
    WARP_REDUX_MAX_U32
};

enum block_operation { BLOCK_SYNC, BLOCK_COUNT, BLOCK_AND, BLOCK_OR };

struct warp_result {
    u64 value;
    bool flag;
};

/* `site` is the number of the instruction: all lanes of a mask must execute the same one. */
struct device_calls {
    struct warp_result (*warp)(struct thread *, enum warp_operation, int site, u32 mask, u64 value,
                               u32 lane, u32 clamp);
    u32 (*block)(struct thread *, enum block_operation, u32 barrier, u32 n_threads, bool value);
    void (*arrive)(struct thread *, u32 barrier, u32 n_threads);
    void (*cluster_arrive)(struct thread *);
    void (*cluster_wait)(struct thread *);
    void (*pause)(struct thread *);
    void (*leave)(struct thread *); /* exit */
    void (*fail)(struct thread *, const char *why, int code);
    void (*assertion)(struct thread *, const char *message, const char *file, u32 line,
                      const char *function);
    int (*print)(struct thread *, const char *format, const u8 *values);
    u64 (*map_shared)(struct thread *, u64 address, u32 rank); /* mapa */
    u32 (*shared_rank)(struct thread *, u64 address);          /* getctarank */
    u32 (*warp_size)(struct thread *);
};

struct thread {
    const struct device_calls *calls;
    u32 tid[3], ntid[3], ctaid[3], nctaid[3];
    u32 cluster_ctaid[3], cluster_nctaid[3], clusterid[3], nclusterid[3];
    u32 cluster_rank, cluster_size;
    u32 rank, dynamic_shared;
    u32 envreg[3];
    char *shared; /* the block's */
    char *local;  /* where its local memory begins */
    u32 n_backward;
    u64 clock;
};

struct emulated_kernel {
    const char *name;
    void (*entry)(struct thread *, u8 *params);
    u32 n_params;
    const u32 *sizes, *offsets; /* of the parameters */
    u32 shared;                 /* bytes of static shared memory */
    u32 max_threads;            /* 0: not stated */
    u32 cluster[3];             /* 0: not stated */
};

struct emulated_variable {
    const char *name;
    void *address;
    u64 bytes;
};

/* What the shared object of a module exports as `emulated_module`. */
struct emulated_module {
    const struct emulated_kernel *kernels;
    u32 n_kernels;
    const struct emulated_variable *variables;
    u32 n_variables;
};

/* --- Bits and values ----------------------------------------------------------------------------
 */

#define SAME_BITS(NAME, FROM, TO)                                                                  \
    static inline TO NAME(FROM x)                                                                  \
    {                                                                                              \
        TO y;                                                                                      \
        memcpy(&y, &x, sizeof y);                                                                  \
        return y;                                                                                  \
    }
SAME_BITS(to_f32, u32, f32)
SAME_BITS(to_f64, u64, f64)
SAME_BITS(to_f16, u16, f16)
SAME_BITS(to_bf16, u16, bf16)
SAME_BITS(of_f32, f32, u32)
SAME_BITS(of_f64, f64, u64)
SAME_BITS(of_f16, f16, u16)
SAME_BITS(of_bf16, bf16, u16)

/* A double that is not yet rounded to the target's significand, its last bit set where it is not
 * exact (round to odd), so that the next rounding is right. */
static inline f64
odd_sum(f64 a, f64 b)
{
    const f64 sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
    u64 bits = of_f64(sum);
    if (error == 0 || !isfinite(sum) || bits & 1)
        return sum;
    return to_f64((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

static inline bf16
bf16_of_f64(f64 x)
{
    if (isnan(x))
        return (bf16){0x7fff};
    const u16 sign = (u16)(signbit(x) << 15);
    f64 magnitude = fabs(x);
    int exponent;
    if (magnitude == 0)
        return (bf16){sign};
    if (isinf(x))
        return (bf16){(u16)(sign | 0x7f80)};
    frexp(magnitude, &exponent);
    const int unit = exponent - 8 < -133 ? -133 : exponent - 8;
    const f64 scaled = ldexp(nearbyint(ldexp(magnitude, -unit)), unit);
    if (scaled >= 0x1p128)
        return (bf16){(u16)(sign | 0x7f80)};
    return (bf16){(u16)(sign | of_f32((f32)scaled) >> 16)};
}

static inline f32
f32_of_bf16(bf16 x)
{
    return to_f32((u32)x.bits << 16);
}

static inline f32
flushed(f32 x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static inline f32
saturated_f32(f32 x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

static inline f64
saturated_f64(f64 x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

/* The other one of a NaN and a number; -0 is less than +0. */
#define MIN_MAX(T, SUFFIX)                                                                         \
    static inline T min_##T(T a, T b)                                                              \
    {                                                                                              \
        if (isnan(a) || isnan(b))                                                                  \
            return isnan(a) ? b : a;                                                               \
        return a == b ? signbit(a) ? a : b : a < b ? a : b;                                        \
    }                                                                                              \
    static inline T max_##T(T a, T b)                                                              \
    {                                                                                              \
        if (isnan(a) || isnan(b))                                                                  \
            return isnan(a) ? b : a;                                                               \
        return a == b ? signbit(a) ? b : a : a > b ? a : b;                                        \
    }
MIN_MAX(f32, f)
MIN_MAX(f64, )

/* Rounded in the direction, 'n', 'z', 'm' or 'p': see device.c. */
f32 fma_f32(f32 a, f32 b, f32 c, char rounding);
f64 fma_f64(f64 a, f64 b, f64 c, char rounding);
f32 add_f32(f32 a, f32 b, char rounding);
f64 add_f64(f64 a, f64 b, char rounding);
f32 mul_f32(f32 a, f32 b, char rounding);
f64 mul_f64(f64 a, f64 b, char rounding);
f32 div_f32(f32 a, f32 b, char rounding);
f64 div_f64(f64 a, f64 b, char rounding);
f32 sqrt_f32(f32 a, char rounding);
f64 sqrt_f64(f64 a, char rounding);
f32 f32_of_f64(f64 a, char rounding);
f32 f32_of_s64(s64 a, char rounding);
f32 f32_of_u64(u64 a, char rounding);
f64 f64_of_s64(s64 a, char rounding);
f64 f64_of_u64(u64 a, char rounding);

static inline f64
integral(f64 x, char rounding)
{
    return rounding == 'n'   ? nearbyint(x)
           : rounding == 'z' ? trunc(x)
           : rounding == 'm' ? floor(x)
                             : ceil(x);
}

/* Clamped to the range; NaN as PTX has it: 0, but the top bit where 64 bits are in it. */
static inline s64
signed_of_float(f64 x, int bits, char rounding, bool wide)
{
    const f64 limit = ldexp(1, bits - 1);
    if (isnan(x))
        return wide ? (s64)(UINT64_C(-1) << (bits - 1)) : 0;
    x = integral(x, rounding);
    if (x >= limit)
        return (s64)((UINT64_C(1) << (bits - 1)) - 1);
    return x <= -limit ? (s64)(UINT64_C(-1) << (bits - 1)) : (s64)x;
}

static inline u64
unsigned_of_float(f64 x, int bits, char rounding, bool wide)
{
    const f64 limit = ldexp(1, bits);
    if (isnan(x))
        return wide ? UINT64_C(1) << (bits - 1) : 0;
    x = integral(x, rounding);
    if (x >= limit)
        return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return x <= 0 ? 0 : (u64)x;
}

/* --- Integers -----------------------------------------------------------------------------------
 * What PTX leaves open, a division by zero, is a value that no program expects. */

#define INTEGER_OPERATIONS(BITS)                                                                   \
    static inline u##BITS div_u##BITS(u##BITS a, u##BITS b)                                        \
    {                                                                                              \
        return b ? (u##BITS)(a / b) : (u##BITS)UINT64_C(0x5a5a5a5a5a5a5a5a);                       \
    }                                                                                              \
    static inline u##BITS rem_u##BITS(u##BITS a, u##BITS b)                                        \
    {                                                                                              \
        return b ? (u##BITS)(a % b) : (u##BITS)UINT64_C(0x5a5a5a5a5a5a5a5a);                       \
    }                                                                                              \
    static inline s##BITS div_s##BITS(s##BITS a, s##BITS b)                                        \
    {                                                                                              \
        return !b        ? (s##BITS)UINT64_C(0x5a5a5a5a5a5a5a5a)                                   \
               : b == -1 ? (s##BITS)(u##BITS)(0 - (u64)a)                                          \
                         : (s##BITS)(a / b);                                                       \
    }                                                                                              \
    static inline s##BITS rem_s##BITS(s##BITS a, s##BITS b)                                        \
    {                                                                                              \
        return !b        ? (s##BITS)UINT64_C(0x5a5a5a5a5a5a5a5a)                                   \
               : b == -1 ? (s##BITS)0                                                              \
                         : (s##BITS)(a % b);                                                       \
    }                                                                                              \
    static inline u##BITS shl_b##BITS(u##BITS a, u32 n)                                            \
    {                                                                                              \
        return n < BITS ? (u##BITS)((u64)a << n) : 0;                                              \
    }                                                                                              \
    static inline u##BITS shr_u##BITS(u##BITS a, u32 n)                                            \
    {                                                                                              \
        return n < BITS ? (u##BITS)(a >> n) : 0;                                                   \
    }                                                                                              \
    static inline s##BITS shr_s##BITS(s##BITS a, u32 n)                                            \
    {                                                                                              \
        return (s##BITS)(a >> (n < BITS ? n : BITS - 1));                                          \
    }
INTEGER_OPERATIONS(8)
INTEGER_OPERATIONS(16)
INTEGER_OPERATIONS(32)
INTEGER_OPERATIONS(64)

static inline u32
shf(u32 low, u32 high, u32 n, bool left, bool wrap)
{
    const u64 both = (u64)high << 32 | low;
    n = wrap ? n & 31 : n > 32 ? 32 : n;
    return left ? (u32)((n == 32 ? (u64)low << 32 : both << n) >> 32) : (u32)(both >> n);
}

static inline u64
bfe_u(u64 a, u32 first, u32 n, u32 bits)
{
    first &= 255, n &= 255;
    if (!n || first >= bits)
        return 0;
    a >>= first;
    return n >= 64 ? a : a & ((UINT64_C(1) << n) - 1);
}

static inline u64
bfe_s(u64 a, u32 first, u32 n, u32 bits)
{
    first &= 255, n &= 255;
    u64 result = 0;
    if (!n)
        return 0;
    u32 top = first + n - 1 < bits - 1 ? first + n - 1 : bits - 1;
    const u64 sign = a >> top & 1;
    for (u32 i = 0; i < bits; i++)
        result |= (i < n && first + i < bits ? a >> (first + i) & 1 : sign) << i;
    return result;
}

static inline u64
bfi(u64 a, u64 b, u32 first, u32 n, u32 bits)
{
    first &= 255, n &= 255;
    for (u32 i = 0; i < n && first + i < bits; i++)
        b = (b & ~(UINT64_C(1) << (first + i))) | (a >> i & 1) << (first + i);
    return b;
}

static inline u64
brev(u64 a, u32 bits)
{
    u64 result = 0;
    for (u32 i = 0; i < bits; i++)
        result |= (a >> i & 1) << (bits - 1 - i);
    return result;
}

static inline u32
clz(u64 a, u32 bits)
{
    return a ? (u32)__builtin_clzll(a) - (64 - bits) : bits;
}

static inline u32
bfind(u64 a)
{
    return a ? 63 - (u32)__builtin_clzll(a) : UINT32_MAX;
}

static inline u32
prmt(u32 a, u32 b, u32 selector)
{
    const u64 bytes = (u64)b << 32 | a;
    u32 result = 0;
    for (u32 i = 0; i < 4; i++) {
        const u32 select = selector >> (4 * i) & 15;
        u32 byte = (u32)(bytes >> (8 * (select & 7))) & 255;
        if (select & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}

static inline u32
lop3(u32 a, u32 b, u32 c, u32 table)
{
    u32 result = 0;
    for (u32 i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}

/* --- Approximations: exact ones, but for what rcp of 64 bits leaves out. --------------------- */

static inline f64
upper_half(f64 x)
{
    return to_f64(of_f64(x) & UINT64_C(0xffffffff00000000));
}

/* --- Memory -------------------------------------------------------------------------------------
 */

#define MEMORY(BITS)                                                                               \
    static inline u##BITS load##BITS(u64 address)                                                  \
    {                                                                                              \
        return *(volatile u##BITS *)(uintptr_t)address;                                            \
    }                                                                                              \
    static inline void store##BITS(u64 address, u##BITS value)                                     \
    {                                                                                              \
        *(volatile u##BITS *)(uintptr_t)address = value;                                           \
    }
MEMORY(8)
MEMORY(16)
MEMORY(32)
MEMORY(64)

/* Misaligned accesses end a kernel, as they do on a GPU. */
static inline u64
aligned(struct thread *t, u64 address, u32 bytes)
{
    if (address & (bytes - 1))
        t->calls->fail(t, "misaligned address", 716);
    return address;
}

/* mbarrier: arrivals that are due, arrivals that are missing, bytes that are missing, the phase. */
static inline u64
mbarrier_word(u64 due, u64 missing, s64 bytes, u64 phase)
{
    return phase << 63 | (due & 0xfffff) << 43 | (missing & 0xfffff) << 22 |
           ((u64)bytes & 0x3fffff);
}

static inline u64
mbarrier_change(u64 address, u32 arrivals, s64 more_bytes)
{
    const u64 word = load64(address), due = word >> 43 & 0xfffff, phase = word >> 63;
    u64 missing = (word >> 22 & 0xfffff) - arrivals;
    const s64 bytes = (s64)(((word & 0x3fffff) ^ 0x200000) - 0x200000) + more_bytes;
    const bool complete = !missing && !bytes;
    store64(address, complete ? mbarrier_word(due, due, 0, !phase)
                              : mbarrier_word(due, missing, bytes, phase));
    return word;
}

#define BACKWARD(T)                                                                                \
    do {                                                                                           \
        if (!(++(T)->n_backward & 255))                                                            \
            (T)->calls->pause(T);                                                                  \
    } while (0)

#endif
