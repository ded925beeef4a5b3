/* Programs of a CUDA toolkit. See toolkit.h. */
#include "toolkit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "messages.h"
#include "tool.h"

extern char **environ;

/* --- Where -------------------------------------------------------------------------------------
 */

static char *
if_executable(char *path)
{
    if (access(path, X_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static char *
in_toolkit(const char *toolkit, const char *name)
{
    return toolkit && *toolkit ? if_executable(tool_printf("%s/bin/%s", toolkit, name)) : NULL;
}

static char *
along_path(const char *name)
{
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        size_t length = strcspn(folder, ":");
        char *found = length > 0 && length < PATH_MAX
                          ? if_executable(tool_printf("%.*s/%s", (int)length, folder, name))
                          : NULL;
        if (found)
            return found;
        folder += length + (folder[length] == ':');
    }
    return NULL;
}

char *
tool_find_program(const char *name)
{
    char *found = in_toolkit(getenv("CUDA_HOME"), name);
    found = found ? found : in_toolkit(getenv("CUDA_PATH"), name);
    found = found ? found : in_toolkit("/usr/local/cuda", name);
    return found ? found : along_path(name);
}

/* --- Running -----------------------------------------------------------------------------------
 */

/* Starts the program with its output in a pipe. Returns an error number. */
static int
start(char *const *argv, pid_t *child, int *output)
{
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    int error = posix_spawn_file_actions_init(&actions);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    if (!error)
        error = posix_spawn(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error)
        close(ends[0]);
    *output = ends[0];
    return error;
}

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for output until `end` (0: for ever). */
static bool
has_output(int fd, double end)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    for (;;) {
        double left = end - now();
        if (end > 0 && left <= 0)
            return false;
        int wait = end <= 0 ? -1 : left < 60 ? (int)(left * 1e3) + 1 : 60000;
        if (poll(&wanted, 1, wait) > 0)
            return true;
    }
}

/* False if the time is over before the output. */
static bool
collect(int fd, double end, struct ck_strbuf *out)
{
    char chunk[4096];
    bool in_time;
    while ((in_time = has_output(fd, end))) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        if (n > 0)
            ck_strbuf_add(out, chunk, (size_t)n);
    }
    close(fd);
    return in_time;
}

int
tool_run_program(char *const *argv, double seconds, char **text)
{
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    for (char *const *word = argv; *word; word++)
        ck_strbuf_printf(&out, "%s%s", word == argv ? "" : " ", *word);
    tool_verbose("runs %s", ck_strbuf_text(&out));
    ck_strbuf_clear(&out);
    pid_t child;
    int output = -1, status = 0, error = start(argv, &child, &output);
    if (error) {
        tool_error("cannot run `%s`: %s", argv[0], strerror(error));
        ck_strbuf_free(&out);
        return -1;
    }
    if (!collect(output, seconds > 0 ? now() + seconds : 0, &out)) {
        kill(child, SIGKILL);
        ck_strbuf_printf(&out, "ended after the time limit of %g s\n", seconds);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    *text = ck_strbuf_take(&out);
    if (!*text)
        *text = tool_strndup("", 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

char *
tool_temporary_file(const char *suffix, const char *text, size_t length)
{
    const char *folder = getenv("TMPDIR");
    char *name = tool_printf("%s/ck-XXXXXX%s", folder && *folder ? folder : "/tmp", suffix);
    int fd = mkostemps(name, (int)strlen(suffix), O_CLOEXEC);
    if (fd >= 0 && ck_file_write(fd, text, length) && close(fd) == 0)
        return name;
    tool_error("cannot write `%s`: %s", name, strerror(errno));
    if (fd >= 0)
        unlink(name);
    free(name);
    return NULL;
}
