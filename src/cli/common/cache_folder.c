/* A command's context, with the cache that the environment configures. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "tool.h"

/* The cache's folder, to be freed; NULL if the environment names none. */
static char *
find_folder(void)
{
    const char *given = getenv("CK_CACHE_DIR"), *caches = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (given)
        return tool_strndup(given, strlen(given));
    if (caches && caches[0] == '/')
        return tool_printf("%s/ck", caches);
    return home && home[0] == '/' ? tool_printf("%s/.cache/ck", home) : NULL;
}

/* "256M": bytes, or with K, M or G so many powers of 1024. */
static bool
parse_size(const char *text, uint64_t *out)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno)
        return false;
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (end[unit != NULL] || n > UINT64_MAX >> shift)
        return false;
    *out = n << shift;
    return true;
}

static int
set_cache(ck_context_options *options, char **folder)
{
    const char *size = getenv("CK_CACHE_SIZE");
    uint64_t bytes = 0;
    if (size && *size && !parse_size(size, &bytes)) {
        tool_error("invalid CK_CACHE_SIZE `%s`: expected a number of bytes, such as 256M", size);
        return TOOL_USAGE;
    }
    if (size && *size && !bytes)
        return TOOL_DONE;
    *folder = find_folder();
    options->cache_directory = *folder;
    options->cache_bytes = bytes;
    return TOOL_DONE;
}

int
tool_context(ck_context **ctx, bool cached)
{
    ck_context_options options = {.size = sizeof options};
    char *folder = NULL;
    int status = cached ? set_cache(&options, &folder) : TOOL_DONE;
    if (status == TOOL_DONE && ck_context_new(ctx, &options) != CK_OK) {
        tool_error("out of memory");
        status = TOOL_DEVICE;
    }
    if (folder)
        tool_verbose("keeps compiled code in `%s`", folder);
    else
        tool_verbose("keeps no compiled code");
    free(folder);
    return status;
}
