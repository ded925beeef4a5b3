/* Arithmetic of PTX in the direction of rounding that an instruction names: see device.h. */
#include "device.h"

#include <fenv.h>

#define IN_DIRECTION(RESULT, NAME, PARAMETERS, EXPRESSION)                                         \
    RESULT NAME PARAMETERS                                                                         \
    {                                                                                              \
        const int before = fegetround();                                                           \
        fesetround(rounding == 'n'   ? FE_TONEAREST                                                \
                   : rounding == 'z' ? FE_TOWARDZERO                                               \
                   : rounding == 'm' ? FE_DOWNWARD                                                 \
                                     : FE_UPWARD);                                                 \
        volatile RESULT result = EXPRESSION;                                                       \
        fesetround(before);                                                                        \
        return result;                                                                             \
    }

IN_DIRECTION(f32, fma_f32, (f32 a, f32 b, f32 c, char rounding), fmaf(a, b, c))
IN_DIRECTION(f64, fma_f64, (f64 a, f64 b, f64 c, char rounding), fma(a, b, c))
IN_DIRECTION(f32, add_f32, (f32 a, f32 b, char rounding), *(volatile f32 *)&a + b)
IN_DIRECTION(f64, add_f64, (f64 a, f64 b, char rounding), *(volatile f64 *)&a + b)
IN_DIRECTION(f32, mul_f32, (f32 a, f32 b, char rounding), *(volatile f32 *)&a *b)
IN_DIRECTION(f64, mul_f64, (f64 a, f64 b, char rounding), *(volatile f64 *)&a *b)
IN_DIRECTION(f32, div_f32, (f32 a, f32 b, char rounding), *(volatile f32 *)&a / b)
IN_DIRECTION(f64, div_f64, (f64 a, f64 b, char rounding), *(volatile f64 *)&a / b)
IN_DIRECTION(f32, sqrt_f32, (f32 a, char rounding), sqrtf(*(volatile f32 *)&a))
IN_DIRECTION(f64, sqrt_f64, (f64 a, char rounding), sqrt(*(volatile f64 *)&a))
IN_DIRECTION(f32, f32_of_f64, (f64 a, char rounding), (f32) * (volatile f64 *)&a)
IN_DIRECTION(f32, f32_of_s64, (s64 a, char rounding), (f32) * (volatile s64 *)&a)
IN_DIRECTION(f32, f32_of_u64, (u64 a, char rounding), (f32) * (volatile u64 *)&a)
IN_DIRECTION(f64, f64_of_s64, (s64 a, char rounding), (f64) * (volatile s64 *)&a)
IN_DIRECTION(f64, f64_of_u64, (u64 a, char rounding), (f64) * (volatile u64 *)&a)
