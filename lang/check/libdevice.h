/* CUDA's `libdevice`: its functions are those of lang/prelude/ whose names begin with it. */
#ifndef CK_LIBDEVICE_H
#define CK_LIBDEVICE_H

#include "lang/check/checker.h"

#define CK_LIBDEVICE "libdevice"

/* The function at this path, `libdevice.sinf`, or NULL. */
struct ck_global *ck_libdevice_function(struct ck_checker *c, const char *path);
/* Adds the paths of all. */
void ck_add_libdevice_names(struct ck_checker *c, struct ck_names *names);

#endif
