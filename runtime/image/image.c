/* Images: what is common to all kinds. */
#include "runtime/image/image.h"

void
ck_image_free(struct ck_image *image)
{
    if (image)
        image->free(image);
}
