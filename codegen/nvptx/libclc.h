/* The bitcode of the libclc functions that math.def names; embed.c generates the definition during
 * the build. */
#ifndef CK_LIBCLC_H
#define CK_LIBCLC_H

#include <stddef.h>

extern const unsigned char ck_libclc_bitcode[];
extern const size_t ck_libclc_size;

#endif
