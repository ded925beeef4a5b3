/* Tests in the comments of kernels: `#:` lines (docs/ckrun.md). */
#ifndef TEST_LINES_H
#define TEST_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct test_words {
    char **items; /* owned */
    size_t n;
};

/* Launches in a row, and what is expected of them. */
struct test_case {
    size_t line;             /* of its first launch */
    struct test_words words; /* of the command line: options, definitions, launches, --expect */
    char *name;              /* the launches, owned */
    char *error;             /* what the run fails with; NULL: it does not; owned */
    bool no_cpu, no_cuda;
};

struct test_file {
    struct test_case *cases; /* owned */
    size_t n;
    char *fault;       /* why the file could not be read; NULL: it was; owned */
    size_t fault_line; /* the line that is wrong; 0: the whole file */
};

/* Reads the lines of a file. Returns an exit status; `fault` is set unless it is TOOL_DONE. */
int test_lines_read(struct test_file *out, const char *path);
void test_lines_release(struct test_file *file);

#endif
