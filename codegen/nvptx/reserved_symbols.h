/* Symbols that PTX, the driver and the image use, and that a kernel must not have. */
#ifndef CK_NVPTX_RESERVED_SYMBOLS_H
#define CK_NVPTX_RESERVED_SYMBOLS_H

#include "runtime/image/image.h"

#define CK_NVPTX_RESERVED_SYMBOLS                                                                  \
    "vprintf", "__assertfail", "malloc", "free", "WARP_SZ", CK_MANIFEST_SYMBOL, CK_BOUNDS_SYMBOL

#endif
