/* --test: runs the tests in the comments of kernels. */
#ifndef TEST_RUN_H
#define TEST_RUN_H

#include <stdbool.h>
#include <stddef.h>

struct ckrun_session;

struct test_options {
    struct ckrun_session *session; /* for --progress */
    const char *const *files;
    size_t n_files;
    const char *const *words; /* options of each case, before those of its file */
    size_t n_words;
    const char *device; /* "cpu" or "cuda" with what may follow; NULL: both, where there is a GPU */
    const char *junit;  /* the file for JUnit's XML; NULL: none */
    bool is_json;
    double time_limit; /* of a case, in seconds; 0: none */
};

/* Returns an exit status. */
int test_run(const struct test_options *options);

#endif
