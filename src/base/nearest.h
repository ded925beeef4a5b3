/* Suggesting a name for one that is not known. */
#ifndef CK_NEAREST_H
#define CK_NEAREST_H

/* The candidate nearest to `name` by edit distance, or NULL if none is near enough to suggest: one
 * edit in three letters of the shorter of both, three at most. Names of one or two letters are too
 * short to guess, but for upper and lower case; in names of three or four a letter may be missing,
 * inserted or transposed with its neighbour, but not replaced. `name` itself is never suggested. */
const char *ck_nearest_name(const char *name, const char *const *candidates, int n);
/* The same for the words of a command line, where one of two letters may lack a letter. */
const char *ck_nearest_word(const char *name, const char *const *candidates, int n);

#endif
