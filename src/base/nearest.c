/* Suggesting a name for one that is not known. */
#include "base/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST_NAME = 63 };

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static int
least_of(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* Damerau and Levenshtein's distance (insertion, deletion, substitution, transposition of
 * neighbours; each substring edited once), letter case aside. */
static int
distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    int table[LONGEST_NAME + 1][LONGEST_NAME + 1];
    for (size_t i = 0; i <= n_a; i++)
        table[i][0] = (int)i;
    for (size_t j = 0; j <= n_b; j++)
        table[0][j] = (int)j;
    for (size_t i = 1; i <= n_a; i++) {
        for (size_t j = 1; j <= n_b; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            int best =
                least_of(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]) && table[i - 2][j - 2] + 1 < best)
                best = table[i - 2][j - 2] + 1;
            table[i][j] = best;
        }
    }
    return table[n_a][n_b];
}

const char *
ck_nearest_name(const char *name, const char *const *candidates, int n)
{
    size_t length = strlen(name);
    if (length > LONGEST_NAME)
        return NULL;
    int nearest = length / 3 < 3 ? (int)(length / 3) : 3;
    const char *found = NULL;
    for (int i = 0; i < n; i++) {
        size_t other = strlen(candidates[i]);
        if (other > LONGEST_NAME || strcmp(name, candidates[i]) == 0)
            continue;
        int d = distance(name, length, candidates[i], other);
        if (d < nearest || (d == nearest && !found)) {
            nearest = d;
            found = candidates[i];
        }
    }
    return found;
}
