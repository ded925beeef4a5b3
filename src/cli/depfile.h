/* Dependency files: the rule by which make and ninja know what an output was made from. */
#ifndef DEPFILE_H
#define DEPFILE_H

#include <stddef.h>

/* "TARGET: FROM ...\n" with make's escapes; to be freed. NULL after a message: make or
 * ninja has no escape for a character of a name. */
char *depfile_rule(const char *target, const char *const *from, size_t n);

/* The output's name with the suffix .d in place of its own; to be freed. */
char *depfile_name(const char *output);

#endif
