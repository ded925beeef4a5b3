/* Suggests a known name for an unknown one. */
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

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a substitution counts as a typing error. A digit for another digit does not, and among
 * names of fewer than five letters too many differ in one letter. */
static bool
may_replace(char a, char b, size_t shorter)
{
    return shorter >= 5 && !(is_digit(a) && is_digit(b));
}

/* Damerau and Levenshtein's distance (insertion, deletion, substitution, transposition of
 * neighbours; each substring edited once), ignoring case. */
static int
distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    int table[LONGEST_NAME + 1][LONGEST_NAME + 1];
    size_t shorter = n_a < n_b ? n_a : n_b;
    for (size_t i = 0; i <= n_a; i++)
        table[i][0] = (int)i;
    for (size_t j = 0; j <= n_b; j++)
        table[0][j] = (int)j;
    for (size_t i = 1; i <= n_a; i++) {
        for (size_t j = 1; j <= n_b; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            int changed = x == y ? 0 : may_replace(x, y, shorter) ? 1 : 2;
            int best =
                least_of(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + changed);
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y &&
                table[i - 2][j - 2] + 1 < best)
                best = table[i - 2][j - 2] + 1;
            table[i][j] = best;
        }
    }
    return table[n_a][n_b];
}

/* The largest number of edits that counts as a typing error: one for each three letters of the
 * shorter name, and one for a name of `shortest` letters. */
static int
most_edits(size_t n_a, size_t n_b, size_t shortest)
{
    size_t shorter = n_a < n_b ? n_a : n_b;
    if (shorter == shortest)
        return 1;
    return shorter / 3 < 3 ? (int)(shorter / 3) : 3;
}

static const char *
nearest(const char *name, const char *const *candidates, int n, size_t shortest)
{
    size_t length = strlen(name);
    int least = 4;
    const char *found = NULL;
    if (length == 0 || length > LONGEST_NAME)
        return NULL;
    for (int i = 0; i < n; i++) {
        size_t other = strlen(candidates[i]);
        if (other > LONGEST_NAME || strcmp(name, candidates[i]) == 0)
            continue;
        int d = distance(name, length, candidates[i], other);
        if (d <= most_edits(length, other, shortest) && d < least) {
            least = d;
            found = candidates[i];
        }
    }
    return found;
}

const char *
ck_nearest_name(const char *name, const char *const *candidates, int n)
{
    return nearest(name, candidates, n, 3);
}

const char *
ck_nearest_word(const char *name, const char *const *candidates, int n)
{
    return nearest(name, candidates, n, 2);
}
