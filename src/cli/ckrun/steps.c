/* Steps: launches and copies, and loops around them.
 *
 * step:    {('repeat' expression | 'until' expression) ':'} actions
 * actions: action {';' action}, one action where there is no loop
 * action:  launch | copy */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "values/expr.h"

enum { MOST_PASSES = 1000000, MOST_LOOPS = 8 };

/* --- Parsing -----------------------------------------------------------------------------------
 */

/* Whether a loop begins here: a kernel of that name would be followed by `[`. */
static bool
accept_loop(struct ckrun_parser *p, const char *word)
{
    ckrun_skip_space(p);
    const char *after = p->at + strlen(word);
    bool is_word = ckrun_parse_name(p) == strlen(word) && strncmp(p->at, word, strlen(word)) == 0;
    while (is_word && (*after == ' ' || *after == '\t'))
        after++;
    if (!is_word || *after == '[')
        return false;
    p->at = after;
    return true;
}

static void
set_count(struct ckrun_parser *p, struct ckrun_loop *loop)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (!p->error && (v.kind != CKRUN_INT || v.i < 0 || v.i > UINT32_MAX))
        ckrun_parse_fail(p, at, "`repeat` takes a number of passes, from 0 to 2**32 - 1");
    loop->n = (uint64_t)v.i;
}

/* Evaluates the condition once, so that its mistakes show before anything runs, and to see which
 * arrays it reads. */
static void
set_condition(struct ckrun_parser *p, struct ckrun_loop *loop)
{
    for (struct ckrun_array *a = p->env->arrays; a; a = a->next)
        a->is_read = false;
    const struct ckrun_array *newest = p->env->arrays;
    loop->is_until = true;
    loop->at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    loop->length = (int)(p->at - loop->at);
    ckrun_truth(p, loop->at, &v);
    ckrun_env_trim(p->env, newest);
    for (struct ckrun_array *a = p->env->arrays; a; a = a->next) {
        if (!a->is_read)
            continue;
        loop->read = tool_grow(loop->read, loop->n_read + 1, sizeof *loop->read);
        loop->read[loop->n_read++] = a;
    }
}

static bool
parse_loop(struct ckrun_parser *p, struct ckrun_step *step)
{
    struct ckrun_loop loop = {0};
    ckrun_skip_space(p);
    const char *at = p->at;
    bool repeats = accept_loop(p, "repeat");
    if (!repeats && !accept_loop(p, "until"))
        return false;
    if (step->n_loops == MOST_LOOPS)
        ckrun_parse_fail(p, at, "loops are nested at most %d deep", MOST_LOOPS);
    else if (repeats)
        set_count(p, &loop);
    else
        set_condition(p, &loop);
    step->loops = tool_grow(step->loops, step->n_loops + 1, sizeof *step->loops);
    step->loops[step->n_loops++] = loop;
    ckrun_parse_expect(p, ':');
    return !p->error;
}

/* The length of an action's text: up to a `;` outside of brackets and strings. */
static size_t
action_length(const char *text)
{
    const char *c = text;
    char quote = 0;
    int depth = 0;
    for (; *c && (quote || depth > 0 || *c != ';'); c++) {
        if (quote)
            quote = *c == quote ? 0 : quote;
        else if (*c == '\'' || *c == '"')
            quote = *c;
        else
            depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
    }
    return (size_t)(c - text);
}

static bool
add_copy(struct ckrun_program *program, struct ckrun_env *env, const char *text)
{
    struct ckrun_copy copy;
    if (!ckrun_parse_copy(&copy, env, text))
        return false;
    program->copies = tool_grow(program->copies, program->n_copies + 1, sizeof *program->copies);
    program->copies[program->n_copies++] = copy;
    return true;
}

static bool
add_launch(struct ckrun_program *program, struct ckrun_env *env, const char *text)
{
    struct ckrun_launch launch;
    if (!ckrun_parse_launch(&launch, env, text, false))
        return false;
    program->launches =
        tool_grow(program->launches, program->n_launches + 1, sizeof *program->launches);
    program->launches[program->n_launches++] = launch;
    return true;
}

static bool
add_action(struct ckrun_program *program, struct ckrun_env *env, const char *text)
{
    const struct ckrun_action action = {
        .is_copy = ckrun_is_copy(text),
        .at = ckrun_is_copy(text) ? program->n_copies : program->n_launches,
    };
    if (!(action.is_copy ? add_copy : add_launch)(program, env, text))
        return false;
    program->actions =
        tool_grow(program->actions, program->n_actions + 1, sizeof *program->actions);
    program->actions[program->n_actions++] = action;
    return true;
}

static bool
add_actions(struct ckrun_program *program, struct ckrun_env *env, const char *at)
{
    for (;;) {
        size_t length = action_length(at);
        char *text = tool_strndup(at, length);
        program->texts = tool_grow(program->texts, program->n_texts + 1, sizeof *program->texts);
        program->texts[program->n_texts++] = text;
        if (!add_action(program, env, text))
            return false;
        at += length;
        if (!*at)
            return true;
        at++;
        at += strspn(at, " \t\n");
    }
}

bool
ckrun_parse_step(struct ckrun_program *program, struct ckrun_env *env, const char *text)
{
    struct ckrun_parser p;
    struct ckrun_step step = {.text = text, .first = program->n_actions};
    ckrun_parse_begin(&p, env, text);
    while (parse_loop(&p, &step))
        ;
    bool fine = ckrun_parse_end(&p);
    if (fine)
        fine = step.n_loops ? add_actions(program, env, p.at) : add_action(program, env, text);
    step.n = program->n_actions - step.first;
    program->steps = tool_grow(program->steps, program->n_steps + 1, sizeof *program->steps);
    program->steps[program->n_steps++] = step;
    return fine;
}

bool
ckrun_has_until(const struct ckrun_program *program)
{
    bool has = false;
    for (size_t i = 0; i < program->n_steps; i++) {
        for (size_t k = 0; k < program->steps[i].n_loops; k++)
            has = has || program->steps[i].loops[k].is_until;
    }
    return has;
}

void
ckrun_program_release(struct ckrun_program *program)
{
    for (size_t i = 0; i < program->n_launches; i++)
        ckrun_launch_release(&program->launches[i]);
    for (size_t i = 0; i < program->n_copies; i++)
        ckrun_copy_release(&program->copies[i]);
    for (size_t i = 0; i < program->n_steps; i++) {
        for (size_t k = 0; k < program->steps[i].n_loops; k++)
            free(program->steps[i].loops[k].read);
        free(program->steps[i].loops);
    }
    for (size_t i = 0; i < program->n_texts; i++)
        free(program->texts[i]);
    free(program->actions);
    free(program->launches);
    free(program->copies);
    free(program->steps);
    free(program->texts);
    *program = (struct ckrun_program){0};
}

/* --- Actions -----------------------------------------------------------------------------------
 */

static const struct ckrun_action *
action_of(const struct ckrun_ready_step *ready, size_t i)
{
    return &ready->program->actions[ready->step->first + i];
}

int
ckrun_ready_step_new(struct ckrun_ready_step *out, struct ckrun_session *session,
                     const struct ckrun_program *program, const struct ckrun_step *step)
{
    int status = TOOL_DONE;
    *out = (struct ckrun_ready_step){session, program, step, NULL};
    out->ready = tool_alloc(step->n * sizeof *out->ready);
    for (size_t i = 0; i < step->n && status == TOOL_DONE; i++) {
        const struct ckrun_action *action = action_of(out, i);
        status = action->is_copy
                     ? ckrun_copy_prepare(session, &program->copies[action->at])
                     : ckrun_ready_new(&out->ready[i], session, &program->launches[action->at]);
    }
    return status;
}

void
ckrun_ready_step_release(struct ckrun_ready_step *ready)
{
    for (size_t i = 0; ready->ready && i < ready->step->n; i++)
        ckrun_ready_free(ready->ready[i]);
    free(ready->ready);
}

const char *
ckrun_first_kernel(const struct ckrun_ready_step *ready)
{
    for (size_t i = 0; i < ready->step->n; i++) {
        if (!action_of(ready, i)->is_copy)
            return ready->program->launches[action_of(ready, i)->at].kernel;
    }
    return NULL;
}

static int
action_failed(const struct ckrun_ready_step *ready, size_t i, ck_status status)
{
    const struct ckrun_program *program = ready->program;
    const size_t at = action_of(ready, i)->at;
    return action_of(ready, i)->is_copy
               ? ckrun_copy_failed(ready->session, &program->copies[at], status)
               : ckrun_launch_failed(ready->session, &program->launches[at], status);
}

int
ckrun_step_failed(const struct ckrun_ready_step *ready, ck_status status)
{
    return action_failed(ready, ready->step->n - 1, status);
}

int
ckrun_run_actions(const struct ckrun_ready_step *ready)
{
    int exit_status = TOOL_DONE;
    for (size_t i = 0; i < ready->step->n && exit_status == TOOL_DONE; i++) {
        const struct ckrun_action *action = action_of(ready, i);
        if (action->is_copy) {
            exit_status = ckrun_copy_run(ready->session, &ready->program->copies[action->at]);
            continue;
        }
        ck_status status = ckrun_ready_launch(ready->ready[i]);
        if (status != CK_OK)
            exit_status = action_failed(ready, i, status);
    }
    return exit_status;
}

/* --- Running -----------------------------------------------------------------------------------
 */

/* A step with loops, which count their passes. */
struct running {
    struct ckrun_ready_step ready;
    struct ckrun_step *step;
};

static int
run_guarded(const struct ckrun_ready_step *ready)
{
    const char *kernel = ckrun_first_kernel(ready);
    const bool is_guarded =
        kernel && ck_device_get_info(ready->session->device)->capability == 0; /* in this process */
    if (is_guarded)
        ckrun_guard_begin(kernel);
    int status = ckrun_run_actions(ready);
    if (is_guarded)
        ckrun_guard_end();
    return status;
}

/* Waits for the actions, and copies the arrays that the condition reads to the host. */
static int
fetch_read(const struct running *r, const struct ckrun_loop *loop)
{
    struct ckrun_session *session = r->ready.session;
    ck_status status = ck_device_synchronize(session->device);
    for (size_t i = 0; i < loop->n_read && status == CK_OK; i++) {
        struct ckrun_array *a = loop->read[i];
        status = ckrun_fetch_array(session, ckrun_base(a));
        if (a->base)
            ckrun_refresh_view(a);
    }
    return status == CK_OK ? TOOL_DONE : ckrun_step_failed(&r->ready, status);
}

/* Evaluates the condition on the arrays as they are now. */
static int
evaluate(const struct running *r, const struct ckrun_loop *loop, bool *truth)
{
    struct ckrun_env *env = r->ready.session->env;
    const struct ckrun_array *newest = env->arrays;
    struct ckrun_parser p;
    int status = fetch_read(r, loop);
    if (status != TOOL_DONE)
        return status;
    ckrun_parse_begin(&p, env, r->step->text);
    p.at = loop->at;
    struct ckrun_value v = ckrun_parse_expression(&p);
    *truth = ckrun_truth(&p, loop->at, &v);
    ckrun_env_trim(env, newest);
    return ckrun_parse_end(&p) ? TOOL_DONE : TOOL_FAILED;
}

static int run_loops(struct running *r, size_t level);

static int
run_repeat(struct running *r, size_t level)
{
    const struct ckrun_loop *loop = &r->step->loops[level];
    int status = TOOL_DONE;
    for (uint64_t i = 0; i < loop->n && status == TOOL_DONE; i++) {
        ckrun_progress(r->ready.session, false, "pass %llu of %llu: %s", (unsigned long long)i + 1,
                       (unsigned long long)loop->n, r->step->text);
        status = run_loops(r, level + 1);
    }
    return status;
}

static int
fail_endless(const struct running *r, const struct ckrun_loop *loop)
{
    tool_error("`until %.*s` is still false after %d passes", loop->length, loop->at, MOST_PASSES);
    tool_detail("  %s\n", r->step->text);
    return TOOL_FAILED;
}

static int
run_until(struct running *r, size_t level)
{
    struct ckrun_loop *loop = &r->step->loops[level];
    bool truth = false;
    int status = TOOL_DONE;
    for (uint64_t n = 1; !truth && status == TOOL_DONE; n++) {
        if (n > MOST_PASSES)
            return fail_endless(r, loop);
        ckrun_progress(r->ready.session, false, "pass %llu: %s", (unsigned long long)n,
                       r->step->text);
        status = run_loops(r, level + 1);
        if (status == TOOL_DONE)
            status = evaluate(r, loop, &truth);
        loop->n_passes++;
    }
    return status;
}

static int
run_loops(struct running *r, size_t level)
{
    if (level == r->step->n_loops)
        return run_guarded(&r->ready);
    return r->step->loops[level].is_until ? run_until(r, level) : run_repeat(r, level);
}

/* Says how many passes each condition took. */
static void
note_passes(const struct ckrun_step *step)
{
    for (size_t i = 0; i < step->n_loops; i++) {
        const struct ckrun_loop *loop = &step->loops[i];
        if (loop->is_until)
            tool_note("`until %.*s` took %llu pass%s", loop->length, loop->at,
                      (unsigned long long)loop->n_passes, loop->n_passes == 1 ? "" : "es");
    }
}

static int
run_step(struct running *r)
{
    struct ckrun_session *session = r->ready.session;
    for (size_t i = 0; i < r->step->n_loops; i++)
        r->step->loops[i].n_passes = 0;
    int status = run_loops(r, 0);
    ck_status end = status == TOOL_DONE ? ck_device_synchronize(session->device) : CK_OK;
    if (end != CK_OK)
        status = ckrun_step_failed(&r->ready, end);
    if (status == TOOL_DONE)
        note_passes(r->step);
    return status;
}

int
ckrun_run_program(struct ckrun_session *session, struct ckrun_program *program)
{
    int status = TOOL_DONE;
    for (size_t i = 0; i < program->n_steps && status == TOOL_DONE; i++) {
        struct ckrun_step *step = &program->steps[i];
        const struct ckrun_action *action = &program->actions[step->first];
        ckrun_progress(session, true, "launch %zu of %zu: %s", i + 1, program->n_steps, step->text);
        if (!step->n_loops && !action->is_copy) {
            status = ckrun_launch(session, &program->launches[action->at]);
            continue;
        }
        struct running running = {.step = step};
        session->n_launched++;
        status = ckrun_ready_step_new(&running.ready, session, program, step);
        if (status == TOOL_DONE)
            status = run_step(&running);
        ckrun_ready_step_release(&running.ready);
    }
    return status;
}
