/* Puts the arguments of a launch in the order of the kernel's parameters: those given by name at
 * their places, and a mark where a default value comes before other arguments. */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "ckrun.h"

int
ckrun_after_param(const ck_kernel_desc *desc, int i)
{
    int n_items = desc->params[i++].n_items;
    for (int k = 0; k < n_items; k++)
        i = ckrun_after_param(desc, i);
    return i;
}

/* The parameters of a kernel, without the items of tuples. */
struct params {
    const char **names; /* owned */
    int n, n_required;
    bool is_generic;
};

static int
count_params(const ck_kernel_desc *desc)
{
    int n = 0;
    for (int i = 0; i < desc->n_params; i = ckrun_after_param(desc, i))
        n++;
    return n;
}

static void
name_params(struct params *out, const ck_kernel_desc *desc)
{
    int n = 0;
    out->names = tool_grow(out->names, (size_t)desc->n_params + 1, sizeof *out->names);
    for (int i = 0; i < desc->n_params; i = ckrun_after_param(desc, i))
        out->names[n++] = desc->params[i].name ? desc->params[i].name : "";
    out->n = n;
}

/* Of all descriptions of the kernel: a signature has one more for each default value. */
static struct params
params_of(const ck_module *module, const char *kernel)
{
    struct params out = {.n = -1};
    for (size_t i = 0; i < ck_module_n_kernels(module); i++) {
        const ck_kernel_desc *desc = ck_module_kernel(module, i);
        if (strcmp(desc->name, kernel) != 0)
            continue;
        const int n = count_params(desc), n_required = n - desc->n_defaults;
        if (out.n < 0 || n_required < out.n_required)
            out.n_required = n_required;
        if (n > out.n)
            name_params(&out, desc);
        out.is_generic |= desc->generic;
    }
    return out;
}

static void
fail_name(struct ckrun_parser *p, const struct ckrun_launch *launch, const struct params *params,
          const struct ckrun_argument *argument)
{
    const char *nearest = ck_nearest_word(argument->keyword, params->names, params->n);
    if (nearest)
        ckrun_parse_fail(p, argument->at, "`%s` has no parameter `%s`; did you mean `%s`?",
                         launch->kernel, argument->keyword, nearest);
    else
        ckrun_parse_fail(p, argument->at, "`%s` has no parameter `%s`", launch->kernel,
                         argument->keyword);
}

/* The place of a keyword's parameter; -1 after an error. */
static int
find_place(struct ckrun_parser *p, const struct ckrun_launch *launch, const struct params *params,
           const struct ckrun_argument *argument)
{
    for (int i = 0; i < params->n; i++) {
        if (!strcmp(params->names[i], argument->keyword))
            return i;
    }
    fail_name(p, launch, params, argument);
    return -1;
}

/* Checks what has no argument before the last that has one. */
static void
check_gaps(struct ckrun_parser *p, const struct ckrun_launch *launch, const struct params *params,
           const struct ckrun_argument *placed, int n)
{
    const char *end = strrchr(launch->text, ')');
    const int least = n > params->n_required ? n : params->n_required;
    for (int i = 0; i < least; i++) {
        if (i < n && placed[i].at)
            continue;
        if (i < params->n_required)
            ckrun_parse_fail(p, end, "`%s` needs the argument `%s`", launch->kernel,
                             params->names[i]);
        else if (!params->is_generic)
            ckrun_parse_fail(p, end,
                             "give `%s` too: a kernel with signatures takes default values for its "
                             "last parameters only",
                             params->names[i]);
    }
}

static void
place(struct ckrun_parser *p, struct ckrun_launch *launch, const struct params *params)
{
    struct ckrun_argument *placed = tool_alloc((size_t)(params->n + 1) * sizeof *placed);
    int n = 0;
    for (int i = 0; i < params->n; i++)
        placed[i] = (struct ckrun_argument){.value.kind = CKRUN_DEFAULT};
    for (size_t i = 0; i < launch->n_args && !p->error; i++) {
        const struct ckrun_argument *argument = &launch->args[i];
        int at = argument->keyword ? find_place(p, launch, params, argument) : (int)i;
        if (at >= params->n)
            ckrun_parse_fail(p, argument->at, "`%s` takes %d argument%s", launch->kernel, params->n,
                             params->n == 1 ? "" : "s");
        else if (at >= 0 && placed[at].at)
            ckrun_parse_fail(p, argument->at, "`%s` is given twice", params->names[at]);
        else if (at >= 0)
            placed[at] = *argument;
        n = at >= n ? at + 1 : n;
    }
    if (!p->error)
        check_gaps(p, launch, params, placed, n);
    if (p->error) {
        free(placed);
        return;
    }
    free(launch->args);
    launch->args = placed;
    launch->n_args = (size_t)n;
}

bool
ckrun_place_arguments(const struct ckrun_session *session, struct ckrun_launch *launch)
{
    if (!launch->n_args || !launch->args[launch->n_args - 1].keyword)
        return true; /* all are in order */
    struct params params = params_of(session->module, launch->kernel);
    struct ckrun_parser p;
    ckrun_parse_begin(&p, session->env, launch->text);
    if (params.n >= 0) /* else the launch reports the kernel's name */
        place(&p, launch, &params);
    free(params.names);
    return ckrun_parse_end(&p);
}
