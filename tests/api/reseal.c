/* Makes the checksum of a file of the cache right for what the file holds now. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    SUM = 8,
    SUMMED = 24
}; /* runtime/cache/cache.c: where the checksum is, and what it covers */

int
main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r+b") : NULL;
    if (!file || fseek(file, 0, SEEK_END))
        return 1;
    size_t length = (size_t)ftell(file);
    char *text = malloc(length);
    rewind(file);
    if (!text || length < SUMMED || fread(text, 1, length, file) != length)
        return 1;
    XXH128_hash_t hash = XXH3_128bits(text + SUMMED, length - SUMMED);
    uint64_t sum[2] = {hash.low64, hash.high64};
    fseek(file, SUM, SEEK_SET);
    fwrite(sum, sizeof sum, 1, file);
    free(text);
    return fclose(file) != 0;
}
