/* Suggesting a name for one that is not known. */
#ifndef CK_NEAREST_H
#define CK_NEAREST_H

/* The candidate nearest to `name` by edit distance, or NULL if none is near enough to suggest: one
 * edit in three letters, three at most; a name of one or two letters is too short to guess. */
const char *ck_nearest_name(const char *name, const char *const *candidates, int n);

#endif
