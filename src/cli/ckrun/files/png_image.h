/* Images in PNG, as arrays of shape (height, width), or (height, width, channels). */
#ifndef PNG_IMAGE_H
#define PNG_IMAGE_H

#include "../ckrun.h"

/* Reads uint8 or uint16: gray has no last dimension; gray and alpha, RGB and RGBA have one of 2, 3
 * and 4. Palettes become RGB, transparent colours alpha, fewer than 8 bits 0 to 255. Returns an
 * exit status; the message is printed. */
int ckrun_read_png(ck_npy *out, const char *path);

/* What keeps the array from being an image, as a sentence without its subject; NULL: nothing. */
const char *ckrun_png_fault(const ck_npy *array);
/* Writes an array without such a fault, in C order. False: errno has the reason. */
bool ckrun_write_png(int fd, const ck_npy *array, const void *data);

#endif
