/* The steps of a command line: launches and copies, and loops around them. */
#ifndef STEPS_H
#define STEPS_H

#include "ckrun.h"
#include "copies.h"

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

/* A launch or a copy. */
struct ckrun_action {
    bool is_copy;
    size_t at; /* among the launches or the copies of the program */
};

/* One argument of the command line. */
struct ckrun_step {
    const char *text;
    struct ckrun_loop *loops; /* the outermost first; owned */
    size_t n_loops;
    size_t first, n; /* its actions, among all */
};

/* The steps, and the actions, launches and copies of all. */
struct ckrun_program {
    struct ckrun_step *steps;
    size_t n_steps;
    struct ckrun_action *actions;
    size_t n_actions;
    struct ckrun_launch *launches;
    size_t n_launches;
    struct ckrun_copy *copies;
    size_t n_copies;
    char **texts; /* of actions in loops; owned */
    size_t n_texts;
};

/* A step whose arrays are on the device, to be run many times. */
struct ckrun_ready_step {
    struct ckrun_session *session;
    const struct ckrun_program *program;
    const struct ckrun_step *step;
    struct ckrun_ready **ready; /* by action; of a copy NULL; owned */
};

/* Adds a step. False after a message. */
bool ckrun_parse_step(struct ckrun_program *program, struct ckrun_env *env, const char *text);
bool ckrun_has_until(const struct ckrun_program *program);
void ckrun_program_release(struct ckrun_program *program);

/* Each returns an exit status; the message is printed. After a failure too, the step is to be
 * released. */
int ckrun_ready_step_new(struct ckrun_ready_step *out, struct ckrun_session *session,
                         const struct ckrun_program *program, const struct ckrun_step *step);
void ckrun_ready_step_release(struct ckrun_ready_step *ready);
/* The kernel of the step's first launch; NULL: it has copies alone. */
const char *ckrun_first_kernel(const struct ckrun_ready_step *ready);
/* Queues all actions once, without the loops. */
int ckrun_run_actions(const struct ckrun_ready_step *ready);
/* Reports that the device failed while it ran the step. */
int ckrun_step_failed(const struct ckrun_ready_step *ready, ck_status status);
/* Runs the steps in order. */
int ckrun_run_program(struct ckrun_session *session, struct ckrun_program *program);

#endif
