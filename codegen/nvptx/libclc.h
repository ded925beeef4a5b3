/* The trimmed libclc bitcode; made by embed.c when ck is built. */
#ifndef CK_LIBCLC_H
#define CK_LIBCLC_H

#include <stddef.h>

extern const unsigned char ck_libclc_bitcode[];
extern const size_t ck_libclc_size;

#endif
