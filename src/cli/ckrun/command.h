/* The command line of ckrun, as read and as evaluated. */
#ifndef COMMAND_H
#define COMMAND_H

#include "ckrun.h"
#include "steps.h"

enum ckrun_option {
    OPT_PRINT,
    OPT_SAVE,
    OPT_EXPECT,
    OPT_RTOL,
    OPT_ATOL,
    OPT_LIST,
    OPT_MAX_BLOCKS,
    OPT_DEVICE,
    OPT_SCHEDULE,
    OPT_MATH,
    OPT_CHECK,
    OPT_CHECK_LIMIT,
    OPT_NO_CACHE,
    OPT_BENCH,
    OPT_JSON,
    OPT_PROGRESS,
    OPT_USAGE,
    OPT_TEST,
    OPT_JUNIT,
    OPT_TIME_LIMIT,
    OPT_FAST_MATH,
    OPT_WNO,
    OPT_WERROR,
};
/* --print, --save or --expect, as written and as resolved. */
struct ckrun_result {
    enum ckrun_option option;
    const char *text;         /* NAME or NAME=REST */
    struct ckrun_name *name;  /* NULL: --print of an expression, which is all of the text */
    const char *rest;         /* in `text`; NULL for --print */
    bool is_file;             /* of --expect */
    ck_npy want;              /* --expect with a file */
    struct ckrun_value value; /* --expect with an expression: a number or an array */
};

enum { DEFAULT_CHECK_LIMIT = 20, DEFAULT_TIME_LIMIT = 60 };

/* A list of arguments of one kind. */
struct ckrun_texts {
    const char **items;
    size_t n;
};

struct ckrun_command {
    const char *program; /* argv[0] */
    const char *file;
    struct ckrun_texts definitions, launch_texts, query_texts;
    struct ckrun_result *results;
    size_t n_results;
    struct ckrun_tolerance tolerance;
    bool list;
    const char *device; /* NULL: not given */
    const char *check;  /* the option as written; NULL: not given */
    const char *math;   /* NULL: not given */
    struct ckrun_texts warnings_off;
    struct ckrun_texts compile_words; /* options of compilation, as written */
    struct ckrun_texts case_words;    /* options that the cases of --test take too */
    bool fast_math;
    bool werror;
    struct ckrun_schedule schedule;
    struct ckrun_bench bench;
    bool is_json;
    bool usage;
    bool test;
    double time_limit; /* of a test's case, in seconds; 0: none */
    bool has_time_limit;
    const char *junit; /* NULL: not given */
    bool is_timing;    /* the device has no checks but those asked for */
    bool no_cache;
    ck_device_options device_options;
    /* Of the run */
    char *image; /* the file's content */
    size_t image_length;
    char *libdevice; /* NULL: none */
    struct ckrun_env env;
    struct ckrun_program run;
    struct ckrun_launch *queries;
    size_t n_queries;
    struct ckrun_snapshot *snapshot; /* for --bench */
    struct ck_strbuf json;
    struct ckrun_session session;
};

/* command_line.c: returns -1 to continue, else the exit status. */
int ckrun_read_command_line(struct ckrun_command *command, int argc, char **argv);

/* The files of --test: to be freed. */
const char **ckrun_test_files(const struct ckrun_command *command, size_t *n);

/* results.c. Each returns an exit status; the message is printed. */
/* Finds what the results name and reads what is expected, before anything runs. */
int ckrun_resolve_results(struct ckrun_command *command);
/* Prints, then compares, then saves unless something failed. */
int ckrun_show_results(struct ckrun_command *command);

#endif
