/* CMPLX, which the C library's <complex.h> defines for GCC only. */
#ifndef CK_COMPLEX_OF_H
#define CK_COMPLEX_OF_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#endif

#endif
