/* The cache: files of a folder, one for each key.
 *
 * A file is named by its key's hash. It has a header, whose checksum covers all that follows, the
 * whole key, and the value. The modification time of a file is the time of its last use. */
#include "runtime/cache/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/file.h"
#include "base/pack.h"

enum { HASH_DIGITS = 32, NAME_SIZE = 64 };

static const char suffix[] = ".ckc";            /* of entries */
static const char unfinished[] = "unfinished-"; /* prefix of files that are being written */
static const char added[] = "added";            /* see note_added */
enum { ABANDONED_SECONDS = 3600 };              /* after which an unfinished file is abandoned */

/* The number changes when the format changes. */
static const char magic[] = "CKCACHE1";

struct header {
    char magic[8];
    uint64_t sum[2]; /* of what follows in the file */
    uint64_t key_length;
    uint64_t value_length;
};
enum { SUMMED = offsetof(struct header, key_length) };

bool
ck_cache_init(struct ck_cache *cache, const char *directory, uint64_t limit)
{
    *cache = (struct ck_cache){.limit = limit, .fd = -1};
    if (!directory || !*directory || !limit)
        return true;
    cache->directory = strdup(directory);
    return cache->directory != NULL;
}

void
ck_cache_release(struct ck_cache *cache)
{
    if (cache->fd >= 0)
        close(cache->fd);
    free(cache->directory);
    *cache = (struct ck_cache){.fd = -1};
}

/* --- The folder --------------------------------------------------------------------------------
 */

/* Whether only this user can write to it. ck runs code from the cache. */
static bool
is_ours(const struct stat *status)
{
    return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

static void
make_folders(const char *path)
{
    char *copy = strdup(path);
    for (char *slash = copy; copy && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(copy, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
    free(copy);
}

static bool
open_folder(struct ck_cache *cache, bool make)
{
    struct stat status;
    if (!cache->directory || cache->fd >= 0)
        return cache->directory != NULL;
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    int fd = open(cache->directory, flags);
    if (fd < 0 && errno == ENOENT && make) {
        make_folders(cache->directory);
        fd = open(cache->directory, flags);
    }
    if (fd < 0)
        return false;
    if (fstat(fd, &status) || !is_ours(&status)) {
        close(fd);
        return false;
    }
    cache->fd = fd;
    return true;
}

static void
name_of(const struct ck_strbuf *key, char name[NAME_SIZE])
{
    XXH128_hash_t hash = XXH3_128bits(ck_strbuf_text(key), key->length);
    snprintf(name, NAME_SIZE, "%016llx%016llx%s", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64, suffix);
}

static bool
is_entry(const char *name)
{
    return strspn(name, "0123456789abcdef") == HASH_DIGITS &&
           strcmp(name + HASH_DIGITS, suffix) == 0;
}

/* --- Reading -----------------------------------------------------------------------------------
 */

static bool
read_all(int fd, void *to, size_t length)
{
    for (char *at = to; length;) {
        ssize_t n = read(fd, at, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        length -= (size_t)n;
    }
    return true;
}

static void
sum_entry(uint64_t sum[2], const char *entry, size_t length)
{
    XXH128_hash_t hash = XXH3_128bits(entry + SUMMED, length - SUMMED);
    sum[0] = hash.low64;
    sum[1] = hash.high64;
}

/* Reads the whole file, header included; NULL unless it is intact and for this key. */
static char *
read_entry(const struct ck_cache *cache, int fd, const struct ck_strbuf *key, struct header *header)
{
    struct stat status;
    uint64_t sum[2];
    if (fstat(fd, &status) || !S_ISREG(status.st_mode) || !is_ours(&status))
        return NULL;
    const uint64_t size = (uint64_t)status.st_size;
    if (size < sizeof *header || size > cache->limit || !read_all(fd, header, sizeof *header))
        return NULL;
    if (memcmp(header->magic, magic, sizeof header->magic) || header->key_length != key->length ||
        key->length > size - sizeof *header ||
        header->value_length != size - sizeof *header - key->length)
        return NULL;
    char *entry = malloc(size);
    if (!entry)
        return NULL;
    memcpy(entry, header, sizeof *header);
    if (read_all(fd, entry + sizeof *header, size - sizeof *header)) {
        sum_entry(sum, entry, size);
        if (!memcmp(sum, header->sum, sizeof sum) &&
            !memcmp(entry + sizeof *header, ck_strbuf_text(key), key->length))
            return entry;
    }
    free(entry);
    return NULL;
}

bool
ck_cache_get(struct ck_cache *cache, const struct ck_strbuf *key, struct ck_strbuf *out)
{
    char name[NAME_SIZE];
    struct header header;
    if (key->failed || !open_folder(cache, false)) {
        cache->counts.missed += cache->directory != NULL;
        return false;
    }
    name_of(key, name);
    /* O_NONBLOCK: opening a pipe of that name would otherwise wait for its writer. */
    int fd = openat(cache->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char *entry = fd >= 0 ? read_entry(cache, fd, key, &header) : NULL;
    if (entry) {
        ck_strbuf_add(out, entry + sizeof header + key->length, header.value_length);
        futimens(fd, NULL); /* records this use */
    }
    if (fd >= 0)
        close(fd);
    bool found = entry && !out->failed;
    free(entry);
    cache->counts.found += found;
    cache->counts.missed += !found;
    return found;
}

/* --- Staying within the limit ------------------------------------------------------------------
 */

struct entry {
    char name[NAME_SIZE];
    struct timespec used;
    uint64_t bytes;
};

struct entries {
    struct entry *items;
    size_t n, capacity;
    uint64_t bytes;
};

static void
add_entry(struct entries *list, const char *name, const struct stat *status)
{
    if (list->n == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 256;
        struct entry *items = reallocarray(list->items, capacity, sizeof *items);
        if (!items)
            return;
        list->items = items;
        list->capacity = capacity;
    }
    struct entry *entry = &list->items[list->n++];
    memcpy(entry->name, name, HASH_DIGITS + sizeof suffix);
    entry->used = status->st_mtim;
    entry->bytes = (uint64_t)status->st_size;
    list->bytes += entry->bytes;
}

/* Lists all entries; removes abandoned unfinished files. */
static void
list_entries(const struct ck_cache *cache, struct entries *list)
{
    int fd = openat(cache->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    const time_t now = time(NULL);
    struct stat status;
    if (!folder && fd >= 0)
        close(fd);
    for (struct dirent *file; folder && (file = readdir(folder));) {
        bool abandoned = strncmp(file->d_name, unfinished, sizeof unfinished - 1) == 0;
        if ((!abandoned && !is_entry(file->d_name)) ||
            fstatat(cache->fd, file->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(status.st_mode))
            continue;
        if (!abandoned)
            add_entry(list, file->d_name, &status);
        else if (now - status.st_mtime > ABANDONED_SECONDS)
            unlinkat(cache->fd, file->d_name, 0);
    }
    if (folder)
        closedir(folder);
}

static int
by_use(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    if (a->used.tv_nsec != b->used.tv_nsec)
        return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Removes the least recently used entries until there is room for another share of the limit. */
static void
make_room(const struct ck_cache *cache, uint64_t share)
{
    struct entries list = {0};
    list_entries(cache, &list);
    if (list.bytes > cache->limit - share) {
        qsort(list.items, list.n, sizeof *list.items, by_use);
        for (size_t i = 0; i < list.n && list.bytes > cache->limit - share; i++) {
            if (unlinkat(cache->fd, list.items[i].name, 0) == 0 || errno == ENOENT)
                list.bytes -= list.items[i].bytes;
        }
    }
    free(list.items);
}

/* A scan of the whole folder for each new entry would take longer than to compile, once there are
 * thousands. A counter file grows by a byte for each 4 KiB added; the process that scans the folder
 * removes it, so that the count begins again. */
enum { ADDED_UNIT = 4096, SHARES = 16 };

/* Bytes added since the last scan, this entry's included; UINT64_MAX if that is not known. */
static uint64_t
note_added(const struct ck_cache *cache, uint64_t bytes)
{
    static const char zeros[256];
    struct stat status;
    uint64_t total = UINT64_MAX;
    int fd = openat(cache->fd, added,
                    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return total;
    uint64_t units = bytes / ADDED_UNIT + 1;
    bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    for (uint64_t n; regular && units; units -= n) {
        n = units < sizeof zeros ? units : sizeof zeros;
        regular = write(fd, zeros, n) == (ssize_t)n;
    }
    if (regular && fstat(fd, &status) == 0)
        total = (uint64_t)status.st_size * ADDED_UNIT;
    close(fd);
    return total;
}

static void
bound(const struct ck_cache *cache, uint64_t bytes)
{
    const uint64_t share = cache->limit / SHARES;
    if (note_added(cache, bytes) < share)
        return;
    unlinkat(cache->fd, added, 0);
    make_room(cache, share);
}

/* --- Writing -----------------------------------------------------------------------------------
 */

/* Creates a file whose name no other process uses, open for writing. Returns -1 if it cannot. */
static int
open_unfinished(const struct ck_cache *cache, char name[NAME_SIZE])
{
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        return -1;
    snprintf(name, NAME_SIZE, "%s%016llx", unfinished, (unsigned long long)random);
    return openat(cache->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static bool
write_entry(const struct ck_cache *cache, const char *name, const char *entry, size_t length)
{
    char own[NAME_SIZE];
    int fd = open_unfinished(cache, own);
    if (fd < 0)
        return false;
    bool written = ck_file_write(fd, entry, length);
    written = close(fd) == 0 && written;
    if (written && renameat(cache->fd, own, cache->fd, name) == 0)
        return true;
    unlinkat(cache->fd, own, 0);
    return false;
}

void
ck_cache_put(struct ck_cache *cache, const struct ck_strbuf *key, const void *value, size_t length)
{
    char name[NAME_SIZE];
    struct header header = {.key_length = key->length, .value_length = length};
    const uint64_t size = sizeof header + (uint64_t)key->length + length;
    if (key->failed || size > cache->limit - cache->limit / SHARES || !open_folder(cache, true))
        return;
    char *entry = malloc(size);
    if (!entry)
        return;
    memcpy(header.magic, magic, sizeof header.magic);
    memcpy(entry, &header, sizeof header);
    memcpy(entry + sizeof header, ck_strbuf_text(key), key->length);
    memcpy(entry + sizeof header + key->length, value, length);
    sum_entry(header.sum, entry, size);
    memcpy(entry, &header, sizeof header);
    name_of(key, name);
    if (write_entry(cache, name, entry, size)) {
        cache->counts.kept++;
        bound(cache, size);
    }
    free(entry);
}

/* --- Keys --------------------------------------------------------------------------------------
 */

bool
ck_cache_add_file(struct ck_strbuf *key, const char *path)
{
    char part[16 << 10];
    XXH3_state_t state;
    uint64_t size = 0;
    ssize_t n;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    XXH3_128bits_reset(&state);
    while ((n = read(fd, part, sizeof part)) > 0) {
        XXH3_128bits_update(&state, part, (size_t)n);
        size += (uint64_t)n;
    }
    close(fd);
    if (n < 0)
        return false;
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    ck_pack_number(key, size);
    ck_pack_number(key, hash.low64);
    ck_pack_number(key, hash.high64);
    return true;
}
