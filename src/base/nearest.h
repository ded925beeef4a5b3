/* Suggesting a name for one that is not known. */
#ifndef CK_NEAREST_H
#define CK_NEAREST_H

/* The candidate nearest to `name` by edit distance, or NULL if none is near enough to suggest: one
 * edit in three letters of the shorter of both, three at most. Names of one or two letters are too
 * short to guess, but for upper and lower case; in names of three or four a letter may be missing,
 * too many or exchanged with its neighbour, but not be another one. */
const char *ck_nearest_name(const char *name, const char *const *candidates, int n);

#endif
