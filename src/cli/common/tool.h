/* What the two commands share: messages, options, files, exit statuses.
 *
 * The commands are users of the library like any other: they include <ck/...> and the C library.
 * They also link the base library, which has no state and is no part of libck's interface. */
#ifndef TOOL_H
#define TOOL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <ck/ck.h>

/* Exit statuses of ckc and ckrun. */
enum {
    TOOL_DONE = 0,
    TOOL_FAILED = 1, /* the program is wrong, or a file cannot be read or written */
    TOOL_USAGE = 2,  /* the command line is wrong */
    TOOL_DEVICE = 3, /* device, driver, or out of memory */
    TOOL_BUG = 70    /* a bug in ck */
};

int tool_exit_status(ck_status status);

/* Prints external text: names, arguments, contents of files. Control characters and bytes that are
 * not UTF-8 become `\xHH`; with `lines`, newlines and tabs stay. */
void tool_put(FILE *out, const char *text, bool lines);

/* The command's name, "ckc" or "ckrun", which its main file defines. */
extern const char tool_program[];

/* "ckc: error: TEXT" on standard error. */
void tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tool_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tool_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports the context's last failure and returns the exit status for it. */
int tool_fail(const ck_context *ctx, ck_status status);
/* The same after reading or writing a file: an unsupported file counts as a wrong file. */
int tool_fail_file(const ck_context *ctx, ck_status status);

/* --- Memory ------------------------------------------------------------------------------------
 * Small allocations of a command: out of memory ends it with a message. */
void *tool_alloc(size_t size);
void *tool_grow(void *old, size_t count, size_t size);
char *tool_strndup(const char *text, size_t length);
char *tool_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- Options -----------------------------------------------------------------------------------
 * As nvcc and clang have them: a name of several letters is written with one dash or two, a value
 * follows as `=VALUE` or as the next argument. */
enum tool_argument {
    TOOL_FLAG,
    TOOL_VALUE,
    TOOL_OPTIONAL, /* `=VALUE` or nothing */
    TOOL_JOINED    /* the value follows the name directly, after one dash: -O3, -Wno-NAME */
};

struct tool_option {
    const char *name; /* without dashes */
    enum tool_argument argument;
    int id; /* >= 0; from TOOL_LATER on: not supported yet, and nothing suggests it */
};

struct tool_args {
    const struct tool_option *options;
    size_t n_options;
    int argc;
    char **argv;
    int next;             /* index into argv; 1 to begin */
    bool only_positional; /* after `--` */
};

enum { TOOL_END = -1, TOOL_POSITIONAL = -2, TOOL_BAD = -3 };

/* The options that every command has: rows of its table, answered by tool_read_options. */
enum { TOOL_HELP = 1000, TOOL_VERSION, TOOL_DIAGNOSTICS, TOOL_COLOR, TOOL_COMPLETION, TOOL_LATER };
#define TOOL_COMMON_OPTIONS                                                                        \
    {"help", TOOL_FLAG, TOOL_HELP}, {"h", TOOL_FLAG, TOOL_HELP},                                   \
        {"version", TOOL_FLAG, TOOL_VERSION}, {"diagnostics", TOOL_VALUE, TOOL_DIAGNOSTICS},       \
        {"color", TOOL_VALUE, TOOL_COLOR}, {"completion", TOOL_VALUE, TOOL_COMPLETION},            \
    {                                                                                              \
        "V", TOOL_FLAG, TOOL_VERSION                                                               \
    }

/* Passes each option and argument to `apply`, which returns TOOL_DONE to continue. Returns -1 at
 * the end of the command line, or the exit status if it ended earlier: after --help or --version,
 * or when `apply` returned another status. */
typedef int tool_apply_fn(void *context, const struct tool_args *args, int id, const char *value);
int tool_read_options(struct tool_args *args, const char *help, tool_apply_fn *apply,
                      void *context);

/* --completion: writes the script of a shell for a table of options. Returns an exit status. */
int tool_write_completion(const struct tool_option *options, size_t n, const char *shell);

/* The index of `value` among `choices`, or -1 after a message that names the option and suggests
 * the nearest. */
int tool_choice(const char *option, const char *value, const char *const *choices, size_t n);

/* Reads the whole text as an integer of decimal digits. */
bool tool_read_number(const char *text, uint64_t *out);

/* --- Math functions ----------------------------------------------------------------------------
 */

/* The value of --math: auto, libclc, libdevice, libdevice=FILE. Stores the file for the library to
 * use, to be freed, or NULL for the built-in one; frees the earlier value. Returns TOOL_DONE, or
 * another exit status after a message. */
int tool_set_math(const char *value, char **libdevice);

/* --- The context -------------------------------------------------------------------------------
 */

/* Creates the context, if `cached` with the cache that CK_CACHE_DIR ("": none), XDG_CACHE_HOME,
 * HOME and CK_CACHE_SIZE (0: none) configure. Returns TOOL_DONE, or another exit status after a
 * message. */
int tool_context(ck_context **ctx, bool cached);

/* --- Files -------------------------------------------------------------------------------------
 */

enum { TOOL_MAX_FILE = 256 << 20 };

/* Reads a whole file, "-" being standard input; `*text` is malloc'd and zero-terminated. False
 * after a message. */
bool tool_read_file(const char *path, char **text, size_t *length);

/* Writes a file complete or not at all, whatever ends the process or the machine: a temporary file
 * beside it, with its content on the disk, is renamed over it. "-" is standard output; a device or
 * a pipe is written directly. False after a message. */
bool tool_write_file(const char *path, const char *text, size_t length);

/* Whether a file could be renamed to `path`: its directory exists and is writable, and it is a
 * regular file or none yet. False after a message. */
bool tool_check_writable(const char *path);

/* Whether both exist and are one file. */
bool tool_same_file(const char *a, const char *b);

/* Creates a file in the target's folder, with the permissions of any new file, to be renamed to the
 * target. Returns its name, to be freed, whose length does not depend on the target's; NULL with
 * the reason in errno. */
char *tool_create_beside(const char *target, int *fd);

/* Between these, signals that end the process (Ctrl-C, a closed terminal, kill) are blocked, so
 * that no temporary files are left. `tool_signal_waits`: whether such a signal is pending. */
void tool_hold_signals(sigset_t *earlier);
bool tool_signal_waits(void);
void tool_release_signals(const sigset_t *earlier);

/* The file that writing to `path` replaces, symbolic links followed; to be freed. */
char *tool_resolve(const char *path);

/* --- Diagnostics -------------------------------------------------------------------------------
 */

struct tool_counts {
    size_t errors, warnings;
};

/* "2 errors and 1 warning generated." on standard error; nothing if there was none, or if messages
 * are not text: --diagnostics. */
void tool_print_counts(struct tool_counts counts);

#endif
