/* --explain: what docs/errors.md has on a diagnostic. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stddef.h>

/* docs/errors.md, which the build embeds. */
extern const char errors_page_text[];
extern const size_t errors_page_length;

/* Prints the section of a diagnostic; NULL: the names of all. Returns an exit status. */
int explain(const char *name);

#endif
