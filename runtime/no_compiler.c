/* The runtime alone, as in libckrt. In libck, src/api.c defines this. */
#include "runtime/device.h"

const bool ck_has_compiler = false;
