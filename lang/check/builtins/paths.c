/* The paths of built-ins: their names, below the modules or types whose members they are. */
#include <pthread.h>
#include <string.h>

#include "lang/check/builtins/rules.h"

static const char *const paths[] = {
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc)                     \
    [CK_BUILTIN_##id] = path,
#include "lang/typed/builtins.def"
#undef CK_BUILTIN
};

const char *
ck_builtin_path(enum ck_builtin_id id)
{
    return paths[id];
}

const char *
ck_builtin_name(enum ck_builtin_id id)
{
    const char *dot = strchr(paths[id], '.');
    char group[32];
    size_t length = dot ? (size_t)(dot - paths[id]) : 0;
    if (length == 0 || length >= sizeof group)
        return paths[id];
    memcpy(group, paths[id], length);
    group[length] = '\0';
    return ck_is_group_path(group) ? dot + 1 : paths[id];
}

enum { N_HEADS = 2048 };

/* The rows by the hashes of their paths. */
static struct {
    pthread_once_t once;
    short heads[N_HEADS];      /* a row + 1, or 0 */
    short next[CK_N_BUILTINS]; /* the next row of the same head, likewise */
} by_path = {.once = PTHREAD_ONCE_INIT};

static short *
head_of(const char *path)
{
    return &by_path.heads[ck_hash_text(path) % N_HEADS];
}

static void
fill_by_path(void)
{
    for (int i = 0; i < CK_N_BUILTINS; i++) {
        short *head = head_of(paths[i]);
        by_path.next[i] = *head;
        *head = (short)(i + 1);
    }
}

int
ck_builtin_find(const char *path)
{
    pthread_once(&by_path.once, fill_by_path);
    int link = *head_of(path);
    while (link && strcmp(paths[link - 1], path) != 0)
        link = by_path.next[link - 1];
    return link - 1;
}

static bool
is_prefix_of(const char *path, const char *full)
{
    size_t length = strlen(path);
    return strncmp(path, full, length) == 0 && full[length] == '.';
}

bool
ck_builtin_is_prefix(const char *path)
{
    if (ck_is_group_path(path) || strcmp(path, "ndarray") == 0)
        return false; /* groups and arrays are values, not names */
    for (int i = 0; i < CK_N_BUILTINS; i++) {
        if (*paths[i] == *path && is_prefix_of(path, paths[i]))
            return true;
    }
    return false;
}
