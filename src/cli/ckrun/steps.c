/* Steps: launches, and loops around them.
 *
 * step:     {('repeat' expression | 'until' expression) ':'} launches
 * launches: launch {';' launch}, one launch where there is no loop */
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

/* The length of a launch's text: up to a `;` outside of brackets and strings. */
static size_t
launch_length(const char *text)
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
add_launches(struct ckrun_program *program, struct ckrun_env *env, const char *at)
{
    for (;;) {
        size_t length = launch_length(at);
        char *text = tool_strndup(at, length);
        program->texts = tool_grow(program->texts, program->n_texts + 1, sizeof *program->texts);
        program->texts[program->n_texts++] = text;
        if (!add_launch(program, env, text))
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
    struct ckrun_step step = {.text = text, .first = program->n_launches};
    ckrun_parse_begin(&p, env, text);
    while (parse_loop(&p, &step))
        ;
    bool fine = ckrun_parse_end(&p);
    if (fine)
        fine = step.n_loops ? add_launches(program, env, p.at) : add_launch(program, env, text);
    step.n = program->n_launches - step.first;
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
    for (size_t i = 0; i < program->n_steps; i++) {
        for (size_t k = 0; k < program->steps[i].n_loops; k++)
            free(program->steps[i].loops[k].read);
        free(program->steps[i].loops);
    }
    for (size_t i = 0; i < program->n_texts; i++)
        free(program->texts[i]);
    free(program->launches);
    free(program->steps);
    free(program->texts);
    *program = (struct ckrun_program){0};
}

/* --- Running -----------------------------------------------------------------------------------
 */

/* A step with loops, whose launches are ready. */
struct running {
    struct ckrun_session *session;
    struct ckrun_step *step;
    const struct ckrun_launch *launches; /* of the step */
    struct ckrun_ready **ready;
};

static int
launch_all(struct running *r)
{
    const bool on_gpu = ck_device_get_info(r->session->device)->capability > 0;
    for (size_t i = 0; i < r->step->n; i++) {
        if (!on_gpu)
            ckrun_guard_begin(r->launches[i].kernel);
        ck_status status = ckrun_ready_launch(r->ready[i]);
        if (!on_gpu)
            ckrun_guard_end();
        if (status != CK_OK)
            return ckrun_launch_failed(r->session, &r->launches[i], status);
    }
    return TOOL_DONE;
}

/* Waits for the launches, and copies the arrays that the condition reads to the host. */
static int
fetch_read(const struct running *r, const struct ckrun_loop *loop)
{
    ck_status status = ck_device_synchronize(r->session->device);
    for (size_t i = 0; i < loop->n_read && status == CK_OK; i++) {
        struct ckrun_array *a = loop->read[i];
        status = ckrun_fetch_array(r->session, ckrun_base(a));
        if (a->base)
            ckrun_refresh_view(a);
    }
    return status == CK_OK ? TOOL_DONE
                           : ckrun_launch_failed(r->session, &r->launches[r->step->n - 1], status);
}

/* Evaluates the condition on the arrays as they are now. */
static int
evaluate(const struct running *r, const struct ckrun_loop *loop, bool *truth)
{
    struct ckrun_env *env = r->session->env;
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
        ckrun_progress(r->session, false, "pass %llu of %llu: %s", (unsigned long long)i + 1,
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
        ckrun_progress(r->session, false, "pass %llu: %s", (unsigned long long)n, r->step->text);
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
        return launch_all(r);
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
    struct ckrun_session *session = r->session;
    int status = TOOL_DONE;
    session->n_launched++;
    for (size_t i = 0; i < r->step->n_loops; i++)
        r->step->loops[i].n_passes = 0;
    for (size_t i = 0; i < r->step->n && status == TOOL_DONE; i++)
        status = ckrun_ready_new(&r->ready[i], session, &r->launches[i]);
    if (status == TOOL_DONE)
        status = run_loops(r, 0);
    ck_status end = status == TOOL_DONE ? ck_device_synchronize(session->device) : CK_OK;
    if (end != CK_OK)
        status = ckrun_launch_failed(session, &r->launches[r->step->n - 1], end);
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
        const struct ckrun_launch *launches = &program->launches[step->first];
        ckrun_progress(session, true, "launch %zu of %zu: %s", i + 1, program->n_steps, step->text);
        if (!step->n_loops) {
            status = ckrun_launch(session, launches);
            continue;
        }
        struct running running = {session, step, launches, NULL};
        running.ready = tool_alloc(step->n * sizeof *running.ready);
        status = run_step(&running);
        for (size_t k = 0; k < step->n; k++)
            ckrun_ready_free(running.ready[k]);
        free(running.ready);
    }
    return status;
}
