/* --emit=c: the header for C++20, with typed functions. */
#ifndef CXX_HEADER_H
#define CXX_HEADER_H

#include <ck/ck.h>

/* The header that launches the kernels of an image by the functions of the C header `header_name`:
 * to be freed. `marked` is an image of the same program that says which arrays no kernel writes;
 * `input` the program's file. */
char *cxx_header_write(const ck_module *image, const ck_module *marked, const char *header_name,
                       const char *input);

#endif
