/* The options of a command: one table, from which the command line is read, and the help, the
 * manual page and the completions of shells are written.
 *
 * As nvcc and clang have them: a name of several letters is written with one dash or two, a value
 * follows as `=VALUE` or as the next argument. */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tool_argument {
    TOOL_FLAG,
    TOOL_VALUE,
    TOOL_OPTIONAL, /* `=VALUE` or nothing */
    TOOL_JOINED    /* the value follows the name directly, after one dash: -O3, -Wno-NAME */
};

/* One of the words that an option takes; a NULL name ends an array of them. */
struct tool_value {
    const char *name, *brief;
};

struct tool_option {
    const char *name; /* with the dashes that it is usually written with */
    enum tool_argument argument;
    int id;            /* >= 0 */
    const char *brief; /* of --help: without capital and full stop. NULL: the row is another
                        * spelling of the option above */
    const char *value; /* the value as the help names it; NULL: none, or one of `values` */
    const struct tool_value *values;
    const char *more;    /* sentences that --help=all and the manual page add */
    const char *section; /* of the help, which begins here; NULL: as above */
};

/* A part of the help that is about no option; a NULL title ends an array. The text is lines as they
 * are, or of environment and exit statuses a sentence. */
struct tool_topic {
    const char *title, *text;
};

struct tool_help {
    const char *usage;                 /* the command line, after the command's name */
    const char *summary;               /* one line, without capital and full stop */
    const char *begin;                 /* of --help: lines before the options */
    const char *about;                 /* of --help=all: a paragraph */
    const struct tool_topic *topics;   /* of --help=all */
    const struct tool_topic *statuses; /* exit statuses */
    const struct tool_topic *others;   /* options of other compilers, without dashes, and what to
                                        * write instead; NULL: none */
};

struct tool_args {
    const struct tool_option *options;
    size_t n_options;
    const struct tool_help *help;
    int argc;
    char **argv;
    int next;             /* index into argv; 1 to begin */
    int first;            /* the argument that is read ends before `next`, and begins here */
    bool only_positional; /* after `--` */
};

enum { TOOL_END = -1, TOOL_POSITIONAL = -2, TOOL_BAD = -3 };

/* The options that every command has: the last rows of its table, answered by tool_read_options. */
enum { TOOL_HELP = 1000, TOOL_VERSION, TOOL_DIAGNOSTICS, TOOL_COLOR, TOOL_COMPLETION };
extern const struct tool_value tool_forms[], tool_colours[], tool_shells[], tool_helps[];
#define TOOL_COMMON_OPTIONS                                                                        \
    {"--diagnostics",                                                                              \
     TOOL_VALUE,                                                                                   \
     TOOL_DIAGNOSTICS,                                                                             \
     "form of messages on standard error",                                                         \
     "FORM",                                                                                       \
     tool_forms,                                                                                   \
     "docs/diagnostics.md describes the forms."},                                                  \
        {"--color", TOOL_VALUE, TOOL_COLOR, "colours in messages", "WHEN", tool_colours},          \
        {"--completion",  TOOL_VALUE,                                                              \
         TOOL_COMPLETION, "write a shell's script that completes options",                         \
         "SHELL",         tool_shells},                                                            \
        {"--version", TOOL_FLAG, TOOL_VERSION, "print the version"},                               \
        {"-V", TOOL_FLAG, TOOL_VERSION},                                                           \
        {"--help", TOOL_OPTIONAL, TOOL_HELP, "this help; --help=all has more of each option",      \
         "HOW",    tool_helps},                                                                    \
    {                                                                                              \
        "-h", TOOL_OPTIONAL, TOOL_HELP                                                             \
    }

/* Whether a row is an option, and no other spelling of one. */
bool tool_is_main(const struct tool_option *option);

/* Passes each option and argument to `apply`, which returns TOOL_DONE to continue. Returns -1 at
 * the end of the command line, or the exit status if it ended earlier: after --help or --version,
 * or when `apply` returned another status. */
typedef int tool_apply_fn(void *context, const struct tool_args *args, int id, const char *value);
int tool_read_options(struct tool_args *args, tool_apply_fn *apply, void *context);

/* What options forbid one another: the text of the first row that is broken is an error. Returns
 * -1 to continue, else TOOL_USAGE. */
struct tool_rule {
    bool is_broken;
    const char *text;
};
int tool_check_rules(const struct tool_rule *rules, size_t n);

/* "no input file". Returns TOOL_USAGE. */
int tool_no_input(void);

/* --help: NULL, "all" or "man". Returns an exit status. */
int tool_write_help(const struct tool_args *args, const char *how);

/* --completion: writes the script of a shell for a table of options. Returns an exit status. */
int tool_write_completion(const struct tool_option *options, size_t n, const char *shell);

/* The index of `value` among `choices`, or -1 after a message that names the option and suggests
 * the nearest. */
int tool_choice(const char *option, const char *value, const char *const *choices, size_t n);
int tool_choose(const char *option, const char *value, const struct tool_value *values);

/* Reads the whole text as an integer of decimal digits. */
bool tool_read_number(const char *text, uint64_t *out);

#endif
