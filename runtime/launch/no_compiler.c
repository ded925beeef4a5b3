/* The runtime alone, as in libckrt. In libck, src/api/api.c defines this. */
#include "runtime/launch/device.h"

const bool ck_has_compiler = false;
