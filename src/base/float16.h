/* Conversions of the 16-bit floats: IEEE binary16 ("half") and bfloat16, as their bits. */
#ifndef CK_FLOAT16_H
#define CK_FLOAT16_H

#include <stdint.h>

/* Rounds to nearest, ties to even, and only once: a conversion through float32 would round twice. A
 * value beyond the greatest number by half a unit in the last place or more becomes infinite. A NaN
 * keeps its sign only. */
uint16_t ck_half_from_double(double value);
uint16_t ck_bfloat_from_double(double value);

/* Exact. */
double ck_half_to_double(uint16_t bits);
double ck_bfloat_to_double(uint16_t bits);

#endif
