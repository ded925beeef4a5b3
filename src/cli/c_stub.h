/* --emit=c: an image as C source, with a typed function for each kernel. */
#ifndef C_STUB_H
#define C_STUB_H

#include <ck/ck.h>

/* The header and the source for the kernels of an image, loaded and as PTX; each to be freed.
 * `header_name` is the header's file name, as the source includes it; `input` the program's. */
void c_stub_write(char **header, char **source, const ck_module *image, const char *ptx,
                  size_t length, const char *header_name, const char *input);
/* The file's name, with nothing that ends a comment: to be freed. */
char *c_stub_comment_text(const char *input);

#endif
