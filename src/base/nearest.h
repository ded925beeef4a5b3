/* Suggests a known name for an unknown one. */
#ifndef CK_NEAREST_H
#define CK_NEAREST_H

/* The candidate nearest to `name` by edit distance, or NULL if none is near enough: one edit for
 * each three letters of the shorter name, at most three. For names of one or two letters only upper
 * and lower case may differ. In names of three or four letters one may be missing, inserted or
 * transposed with its neighbour, but not replaced. `name` itself is never suggested. */
const char *ck_nearest_name(const char *name, const char *const *candidates, int n);
/* The same for the words of a command line, where a word of two letters may lack one. */
const char *ck_nearest_word(const char *name, const char *const *candidates, int n);

#endif
