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

#include "option_table.h"

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

/* Sets how much memory malloc asks the system for at a time. First in main. */
void tool_tune_malloc(void);
void *tool_alloc(size_t size);
void *tool_grow(void *old, size_t count, size_t size);
char *tool_strndup(const char *text, size_t length);
char *tool_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- Math functions ----------------------------------------------------------------------------
 */

extern const struct tool_value tool_libraries[];
#define TOOL_FAST_MATH_TEXT                                                                        \
    "As nvcc has it, and as fastmath=True in every decorator that does not say fastmath=False: "   \
    "the "                                                                                         \
    "GPU's instructions for float32 functions (docs/math.md), division and square root, with "     \
    "subnormal numbers flushed to zero, and contracted multiply-adds."

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
/* The same, with the message as a text to be freed; NULL: done. */
char *tool_load_file(const char *path, char **text, size_t *length);

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
