/* Rounding to the 16-bit float types. */
#ifndef CK_HALF_H
#define CK_HALF_H

#include <stdint.h>

/* To nearest, ties to even; bits of an IEEE binary16 and of a bfloat16. */
uint16_t ck_half_from_double(double value);
uint16_t ck_bfloat_from_double(double value);

#endif
