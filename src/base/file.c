/* Writing files completely. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

bool
ck_file_write(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        ssize_t n = write(fd, at, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n < 0 ? errno : EIO;
            return false;
        }
        at += n;
        length -= (size_t)n;
    }
    return true;
}

bool
ck_file_sync(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/* A number for the name, so that the files of many targets seldom try the same one. */
static unsigned
number_of(const char *path)
{
    enum { END = 1000000 };
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * 16777619u;
    return hash % END;
}

int
ck_file_create_beside(struct ck_strbuf *name, const char *path)
{
    enum { MAX_ATTEMPTS = 1000 };
    const char *slash = strrchr(path, '/');
    const unsigned first = number_of(path);
    for (unsigned i = 0; i < MAX_ATTEMPTS; i++) {
        ck_strbuf_clear(name);
        if (slash)
            ck_strbuf_add(name, path, (size_t)(slash - path + 1));
        ck_strbuf_printf(name, ".ck-%ld-%u.part", (long)getpid(), first + i);
        if (name->failed) {
            errno = ENOMEM;
            return -1;
        }
        int fd = open(ck_strbuf_text(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}
