/* The steps of a command line: launches, and loops around them. */
#ifndef STEPS_H
#define STEPS_H

#include "ckrun.h"

/* `repeat N:` or `until EXPRESSION:`. */
struct ckrun_loop {
    bool is_until;
    uint64_t n;                /* repeat */
    const char *at;            /* until: the expression, in the step's text */
    int length;                /* of it */
    uint64_t n_passes;         /* until: those made so far */
    struct ckrun_array **read; /* the arrays of the expression; owned */
    size_t n_read;
};

/* One argument of the command line. */
struct ckrun_step {
    const char *text;
    struct ckrun_loop *loops; /* the outermost first; owned */
    size_t n_loops;
    size_t first, n; /* its launches, among all */
};

/* The steps, and the launches of all. */
struct ckrun_program {
    struct ckrun_step *steps;
    size_t n_steps;
    struct ckrun_launch *launches;
    size_t n_launches;
    char **texts; /* of launches in loops; owned */
    size_t n_texts;
};

/* Adds a step. False after a message. */
bool ckrun_parse_step(struct ckrun_program *program, struct ckrun_env *env, const char *text);
bool ckrun_has_until(const struct ckrun_program *program);
void ckrun_program_release(struct ckrun_program *program);

/* Runs the steps in order. Returns an exit status; the message is printed. */
int ckrun_run_program(struct ckrun_session *session, struct ckrun_program *program);

#endif
