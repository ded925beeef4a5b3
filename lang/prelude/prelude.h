/* The text of the files of lang/prelude/, one after the other. */
#ifndef CK_PRELUDE_H
#define CK_PRELUDE_H

#include <stddef.h>

extern const char ck_prelude_text[];
extern const size_t ck_prelude_length;

#endif
