/* Writing files completely. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
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

int
ck_file_create_beside(struct ck_strbuf *name, const char *path)
{
    enum { MAX_ATTEMPTS = 1000 };
    const char *slash = strrchr(path, '/');
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        ck_strbuf_clear(name);
        if (slash)
            ck_strbuf_add(name, path, (size_t)(slash - path + 1));
        ck_strbuf_printf(name, ".ck-%ld-%d.part", (long)getpid(), i);
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
