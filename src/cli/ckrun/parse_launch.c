/* Parses and evaluates a launch, KERNEL[GRID, BLOCK, STREAM, SHARED, CLUSTER](ARG, ...). */
#include "values/expr.h"

#include <stdlib.h>
#include <string.h>

static uint32_t
dimension(struct ckrun_parser *p, const char *at, const char *what, ckrun_int i)
{
    char buffer[CKRUN_INT_TEXT];
    if (i < 1 || i > UINT32_MAX)
        ckrun_parse_fail(p, at, "%s of %s: it must be 1 or more%s", what, ckrun_int_text(buffer, i),
                         i < 1 ? "" : ", and fit in 32 bits");
    return (uint32_t)i;
}

/* A grid or a block: an integer, or a tuple of one to three. */
static ck_dim3
dimensions(struct ckrun_parser *p, const char *at, const char *what, const struct ckrun_value *v)
{
    ck_dim3 dim = {1, 1, 1};
    uint32_t *parts[] = {&dim.x, &dim.y, &dim.z};
    ckrun_int items[CK_MAX_DIMS];
    const char *why;
    if (p->error)
        return dim;
    int n = v->kind == CKRUN_TUPLE ? ckrun_shape_items(items, v, &why) : -1;
    if (v->kind == CKRUN_INT) {
        dim.x = dimension(p, at, what, v->i);
    } else if (v->kind == CKRUN_TUPLE && n >= 1 && n <= 3) {
        for (int i = 0; i < n; i++)
            *parts[i] = dimension(p, at, what, items[i]);
    } else if (v->kind == CKRUN_FLOAT) {
        ckrun_parse_fail(p, at, "%s is a float: divide with `//`", what);
    } else {
        ckrun_parse_fail(p, at, "%s is an integer or a tuple of one to three: this is %s", what,
                         v->kind != CKRUN_TUPLE     ? ckrun_kind_text(v->kind)
                         : n < 0 && v->tuple.n <= 3 ? "a tuple of other things"
                                                    : "a tuple of another length");
    }
    return dim;
}

static void
set_grid(struct ckrun_parser *p, struct ckrun_launch *launch, bool query)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    launch->grid_is_max = v.kind == CKRUN_MAX;
    if (v.kind == CKRUN_NONE && query)
        return;
    if (!launch->grid_is_max)
        launch->grid = dimensions(p, at, "the grid", &v);
}

static void
check_stream(struct ckrun_parser *p)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    bool is_default = v.kind == CKRUN_NONE || (v.kind == CKRUN_INT && v.i == 0);
    if (!p->error && !is_default)
        ckrun_parse_fail(p, at, "ckrun launches on the default stream: write 0");
}

static void
set_shared(struct ckrun_parser *p, struct ckrun_launch *launch)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (p->error)
        return;
    if (v.kind != CKRUN_INT || v.i < 0 || v.i > UINT32_MAX)
        ckrun_parse_fail(p, at, "shared memory is a number of bytes, 0 or more");
    launch->shared_bytes = (uint32_t)v.i;
}

static void
set_cluster(struct ckrun_parser *p, struct ckrun_launch *launch)
{
    const char *at = p->at;
    struct ckrun_value v = ckrun_parse_expression(p);
    if (!p->error && v.kind != CKRUN_NONE)
        launch->cluster = dimensions(p, at, "the cluster", &v);
}

/* shape: '[' GRID ',' BLOCK [',' STREAM [',' SHARED [',' CLUSTER]]] ']' */
static void
parse_shape(struct ckrun_parser *p, struct ckrun_launch *launch, bool query)
{
    ckrun_parse_expect(p, '[');
    set_grid(p, launch, query);
    if (!ckrun_parse_accept(p, ','))
        ckrun_parse_fail(p, p->at, "a launch has a grid and a block: expected `,`");
    const char *at = p->at;
    struct ckrun_value block = ckrun_parse_expression(p);
    launch->block = dimensions(p, at, "the block", &block);
    if (!p->error && ckrun_parse_accept(p, ',')) {
        check_stream(p);
        if (!p->error && ckrun_parse_accept(p, ','))
            set_shared(p, launch);
        if (!p->error && ckrun_parse_accept(p, ','))
            set_cluster(p, launch);
    }
    ckrun_parse_expect(p, ']');
}

static void
add_argument(struct ckrun_parser *p, struct ckrun_launch *launch)
{
    struct ckrun_argument argument = {.at = p->at};
    const struct ckrun_array *newest = p->env->arrays;
    const size_t length = ckrun_keyword_length(p);
    const bool follows_keyword =
        launch->n_args && launch->args[launch->n_args - 1].keyword && !length;
    if (follows_keyword)
        ckrun_parse_fail(p, p->at, "a positional argument follows a keyword argument");
    p->at += length;
    if (length)
        ckrun_parse_expect(p, '=');
    const char *at = p->at;
    struct ckrun_value v = argument.value = ckrun_parse_expression(p);
    if (p->error)
        return;
    if (!ckrun_is_any_number(&v) && !ckrun_has_array(&v) && v.kind != CKRUN_TUPLE &&
        v.kind != CKRUN_NONE)
        ckrun_parse_fail(p, at, "an argument is an array, a number, a tuple or None: this is %s",
                         ckrun_kind_text(v.kind));
    else if (ckrun_has_new_memory(p->env, newest, &v))
        ckrun_parse_fail(p, at, "give the array a name of its own: 'NAME=%.*s', and NAME here",
                         (int)(p->at - at), at);
    ckrun_keep(&v);
    if (length)
        argument.keyword = tool_strndup(argument.at, length);
    launch->args = tool_grow(launch->args, launch->n_args + 1, sizeof *launch->args);
    launch->args[launch->n_args++] = argument;
}

/* argument: [NAME '='] expression
 * arguments: '(' [argument {',' argument} [',']] ')' */
static void
parse_arguments(struct ckrun_parser *p, struct ckrun_launch *launch)
{
    launch->has_args = true;
    if (ckrun_parse_accept(p, ')'))
        return;
    do {
        add_argument(p, launch);
    } while (!p->error && ckrun_parse_accept(p, ',') && *p->at != ')');
    ckrun_parse_expect(p, ')');
}

bool
ckrun_parse_launch(struct ckrun_launch *out, struct ckrun_env *env, const char *text, bool query)
{
    struct ckrun_parser p;
    const struct ckrun_array *newest = env->arrays;
    *out = (struct ckrun_launch){.text = text};
    ckrun_parse_begin(&p, env, text);
    ckrun_skip_space(&p);
    size_t length = ckrun_parse_name(&p);
    if (!length)
        ckrun_fail_unexpected(&p, "a launch, KERNEL[GRID, BLOCK](ARG, ...)");
    out->kernel = tool_strndup(p.at, length);
    p.at += length;
    ckrun_skip_space(&p);
    if (!p.error && *p.at == '(')
        ckrun_parse_fail(&p, p.at, "a launch has a shape: %s[GRID, BLOCK](ARG, ...)", out->kernel);
    if (!p.error)
        parse_shape(&p, out, query);
    if (ckrun_parse_accept(&p, '('))
        parse_arguments(&p, out);
    else if (!query)
        ckrun_parse_expect(&p, '(');
    if (!p.error)
        ckrun_expect_end(&p);
    ckrun_env_trim(env, newest);
    if (ckrun_parse_end(&p))
        return true;
    ckrun_launch_release(out);
    return false;
}

void
ckrun_launch_release(struct ckrun_launch *launch)
{
    for (size_t i = 0; i < launch->n_args; i++)
        free(launch->args[i].keyword);
    free(launch->kernel);
    free(launch->args);
    launch->kernel = NULL;
    launch->args = NULL;
}
