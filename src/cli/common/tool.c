/* What the two commands share. See tool.h. */
#include "tool.h"
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"

/* --- Messages ----------------------------------------------------------------------------------
 */

int
tool_exit_status(ck_status status)
{
    switch (status) {
    case CK_OK:
        return TOOL_DONE;
    case CK_ERROR_MEMORY:
    case CK_ERROR_NO_DEVICE:
    case CK_ERROR_UNSUPPORTED:
    case CK_ERROR_DRIVER:
        return TOOL_DEVICE;
    case CK_ERROR_INTERNAL:
        return TOOL_BUG;
    default:
        return TOOL_FAILED;
    }
}

static void *
must(void *memory)
{
    if (memory)
        return memory;
    fputs("error: out of memory\n", stderr);
    exit(TOOL_DEVICE);
}

void
tool_put(FILE *out, const char *text, bool lines)
{
    struct ck_strbuf shown;
    ck_strbuf_init(&shown);
    ck_strbuf_put_shown(&shown, text, lines);
    must(shown.failed ? NULL : &shown);
    fwrite(ck_strbuf_text(&shown), 1, shown.length, out);
    ck_strbuf_free(&shown);
}

static void
print_message(const char *severity, const char *format, va_list args)
{
    char *text;
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    tool_report_message(severity, text ? text : "out of memory", false);
    free(text);
}

void
tool_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message("error", format, args);
    va_end(args);
}

void
tool_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message("warning", format, args);
    va_end(args);
}

void
tool_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message("note", format, args);
    va_end(args);
}

int
tool_fail(const ck_context *ctx, ck_status status)
{
    const char *text = ck_context_error(ctx);
    char *whole = tool_printf("%s%s", text[0] ? text : ck_status_name(status),
                              status == CK_ERROR_INTERNAL ? " (this is a bug in ck)" : "");
    tool_report_message("error", whole, true);
    free(whole);
    return tool_exit_status(status);
}

int
tool_fail_file(const ck_context *ctx, ck_status status)
{
    int exit_status = tool_fail(ctx, status);
    return status == CK_ERROR_UNSUPPORTED ? TOOL_FAILED : exit_status;
}

static void
print_count(size_t n, const char *what)
{
    fprintf(stderr, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

void
tool_print_counts(struct tool_counts counts)
{
    if (!tool_report_is_text() || (!counts.errors && !counts.warnings))
        return;
    if (counts.warnings)
        print_count(counts.warnings, "warning");
    if (counts.warnings && counts.errors)
        fputs(" and ", stderr);
    if (counts.errors)
        print_count(counts.errors, "error");
    fputs(" generated.\n", stderr);
}

/* --- Memory ------------------------------------------------------------------------------------
 */

/* By default glibc's heap of a thread grows by a page and a system call at a time, hundreds of
 * times in a compilation: 2 to 3 % of its time. The library leaves malloc to its program. */
void
tool_tune_malloc(void)
{
    mallopt(M_TOP_PAD, 16 << 20);
}

void *
tool_alloc(size_t size)
{
    return must(calloc(1, size ? size : 1));
}

void *
tool_grow(void *old, size_t count, size_t size)
{
    return must(reallocarray(old, count ? count : 1, size));
}

char *
tool_strndup(const char *text, size_t length)
{
    return must(strndup(text, length));
}

char *
tool_printf(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    return must(length < 0 ? NULL : text);
}

/* --- Reading -----------------------------------------------------------------------------------
 */

static char *
file_message(const char *doing, const char *path, int error)
{
    return tool_printf("cannot %s `%s`: %s", doing, path, strerror(error));
}

/* Prints a message, if there is one, and frees it. Whether there was none. */
static bool
report_unless_done(char *message)
{
    if (message)
        tool_error("%s", message);
    free(message);
    return !message;
}

static bool
file_error(const char *doing, const char *path, int error)
{
    return report_unless_done(file_message(doing, path, error));
}

/* Reads to the end, or one byte past the limit. False: errno has the reason. */
static bool
read_all(int fd, char **text, size_t *length)
{
    size_t capacity = 64 << 10, used = 0;
    char *buffer = tool_alloc(capacity);
    for (;;) {
        ssize_t n = read(fd, buffer + used, capacity - used - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(buffer);
            return false;
        }
        used += (size_t)n;
        if (n == 0 || used > TOOL_MAX_FILE)
            break;
        if (used == capacity - 1)
            buffer = tool_grow(buffer, capacity *= 2, 1);
    }
    buffer[used] = '\0';
    *text = buffer;
    *length = used;
    return true;
}

char *
tool_load_file(const char *path, char **text, size_t *length)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 && read_all(fd, text, length);
    int error = errno;
    if (!is_stdin && fd >= 0)
        close(fd);
    if (!done)
        return file_message("read", is_stdin ? "standard input" : path, error);
    if (*length > TOOL_MAX_FILE) {
        free(*text);
        *text = NULL;
        return tool_printf("cannot read `%s`: it is larger than %d MiB", path, TOOL_MAX_FILE >> 20);
    }
    return NULL;
}

bool
tool_read_file(const char *path, char **text, size_t *length)
{
    return report_unless_done(tool_load_file(path, text, length));
}

/* --- Writing -----------------------------------------------------------------------------------
 */

static bool
write_directly(const char *path, const char *text, size_t length)
{
    bool is_stdout = strcmp(path, "-") == 0;
    int fd = is_stdout ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return file_error("write", path, errno);
    bool done = ck_file_write(fd, text, length);
    int error = errno;
    if (!is_stdout && close(fd) != 0 && done) {
        done = false;
        error = errno;
    }
    return done || file_error("write", is_stdout ? "standard output" : path, error);
}

/* The link `path` read, from its own folder if it is relative; NULL: it is none. */
static char *
read_link(const char *path)
{
    char to[4096];
    ssize_t length = readlink(path, to, sizeof to);
    if (length < 0 || (size_t)length == sizeof to)
        return NULL;
    const char *slash = to[0] == '/' ? NULL : strrchr(path, '/');
    return tool_printf("%.*s%.*s", slash ? (int)(slash - path + 1) : 0, path, (int)length, to);
}

/* Follows links to files that do not exist yet too. */
char *
tool_resolve(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *at = tool_strndup(path, strlen(path));
    for (int i = 0; i < MOST_LINKS; i++) {
        char *real = realpath(at, NULL), *next = real ? real : read_link(at);
        if (next) {
            free(at);
            at = next;
        }
        if (real || !next)
            break;
    }
    return at;
}

char *
tool_create_beside(const char *target, int *fd)
{
    struct ck_strbuf name;
    ck_strbuf_init(&name);
    *fd = ck_file_create_beside(&name, target);
    if (*fd >= 0)
        return must(ck_strbuf_take(&name));
    int error = errno;
    ck_strbuf_free(&name);
    errno = error;
    return NULL;
}

/* The signals by which others end a command, without those that its parent made it ignore: a
 * blocked signal becomes pending even if it is ignored. */
static sigset_t
ending_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, numbers[i]);
    }
    return set;
}

void
tool_hold_signals(sigset_t *earlier)
{
    sigset_t held = ending_signals();
    sigprocmask(SIG_BLOCK, &held, earlier);
}

bool
tool_signal_waits(void)
{
    sigset_t waiting, ending = ending_signals(), both;
    sigemptyset(&waiting);
    sigpending(&waiting);
    sigandset(&both, &waiting, &ending);
    return !sigisemptyset(&both);
}

void
tool_release_signals(const sigset_t *earlier)
{
    sigprocmask(SIG_SETMASK, earlier, NULL);
}

static bool
write_beside(const char *target, const char *text, size_t length)
{
    int fd, error = 0;
    char *temporary = tool_create_beside(target, &fd);
    if (!temporary)
        return false;
    if (!ck_file_write(fd, text, length) || !ck_file_sync(fd))
        error = errno;
    if (close(fd) != 0 && !error)
        error = errno;
    if (!error && rename(temporary, target) != 0)
        error = errno;
    if (error)
        unlink(temporary);
    free(temporary);
    errno = error;
    return !error;
}

static bool
replace_file(const char *path, const char *text, size_t length)
{
    sigset_t earlier;
    char *target = tool_resolve(path);
    tool_hold_signals(&earlier);
    bool done = write_beside(target, text, length);
    int error = errno;
    tool_release_signals(&earlier);
    free(target);
    return done || file_error("write", path, error);
}

bool
tool_write_file(const char *path, const char *text, size_t length)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (strcmp(path, "-") == 0)
        return write_directly(path, text, length);
    if (exists && S_ISDIR(status.st_mode))
        return file_error("write", path, EISDIR);
    if (exists && !S_ISREG(status.st_mode))
        return write_directly(path, text, length);
    return replace_file(path, text, length);
}

bool
tool_check_writable(const char *path)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT)
        return file_error("write", path, errno);
    if (exists && S_ISDIR(status.st_mode))
        return file_error("write", path, EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
        tool_error("cannot write `%s`: it is not a regular file", path);
        return false;
    }
    char *target = tool_resolve(path);
    char *slash = strrchr(target, '/');
    if (slash)
        slash[slash == target] = '\0'; /* keeps the root's own slash */
    const char *folder = slash ? target : ".";
    bool writable = stat(folder, &status) == 0;
    if (writable && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        writable = false;
    }
    writable = writable && access(folder, W_OK | X_OK) == 0;
    if (!writable)
        file_error("write", path, errno);
    free(target);
    return writable;
}

bool
tool_same_file(const char *a, const char *b)
{
    struct stat status_a, status_b;
    return stat(a, &status_a) == 0 && stat(b, &status_b) == 0 &&
           status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
}
