/* What the arrays of pair_bench begin with, and when two of them count as equal. */
#ifndef CK_BENCH_PAIR_DATA_H
#define CK_BENCH_PAIR_DATA_H

#include "serve.h"

/* How an array is filled: a kind's name, and up to two numbers that the kind defines. */
struct pair_fill {
    const char *kind;
    double low, high;
    uint64_t seed;
};

/* Fills `host`, an array of such a dtype and shape (its data is not used); false after bench_fail.
 */
bool pair_fill(void *host, const ck_array *array, const struct pair_fill *fill,
               struct bench_reply *reply);

/* Whether all elements of `got` are those of `want`: integers exactly, floats within
 * atol + rtol * |want|. False after bench_fail, which names the first that is not. */
bool pair_compare(const void *got, const void *want, const ck_array *array, double rtol,
                  double atol, struct bench_reply *reply);

size_t pair_count(const ck_array *array);
size_t pair_bytes(const ck_array *array);

#endif
