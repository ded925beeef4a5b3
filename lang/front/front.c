/* The front end as one function: see front.h. */
#include "lang/front/front.h"

#include <string.h>

#include "lang/divergence/spin_loops.h"

void
ck_front_init(struct ck_front *front, const char *name, const char *text, size_t length)
{
    ck_source_init(&front->source, front->arena, name, text, length);
    ck_diags_init(&front->diags, front->arena, &front->source);
}

void
ck_front_analyse(struct ck_front *front)
{
    const struct ck_program *program = ck_checker_program(front->checker);
    while (front->n_analysed < program->n_functions) {
        struct ck_tfunc *function = program->functions[front->n_analysed];
        front->diags.function = function;
        if (function->is_kernel && !ck_divergence_check(front->divergence, function)) {
            ck_checker_reject(front->checker, function);
        } else {
            ck_spin_loops_find(front->arena, &front->diags, function);
            front->n_analysed++;
        }
    }
    front->diags.function = NULL;
}

static void
check_given(struct ck_front *front, const struct ck_front_options *options)
{
    front->given = CK_NEW_ARRAY(front->arena, struct ck_tfunc *, options->n_sigs);
    for (size_t i = 0; i < options->n_sigs; i++)
        ck_check_sig(front->checker, options->sigs[i], &front->given[i]);
}

/* Whether one of the kernels is a specialisation of this one. */
static bool
is_specialised(const struct ck_kernel_info *info, struct ck_tfunc *const *kernels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (kernels[i] && strcmp(kernels[i]->name, info->name) == 0)
            return true;
    }
    return false;
}

/* Checks without types the generic kernels that no signature of the options specialises. What was
 * made of them serves the analysis of barriers alone. */
static void
check_untyped(struct ck_front *front, size_t n_given)
{
    for (int i = 0; i < ck_checker_n_kernels(front->checker); i++) {
        const struct ck_kernel_info *info = ck_checker_kernel(front->checker, i);
        if (!info->is_generic || is_specialised(info, front->given, n_given))
            continue;
        struct ck_tfunc *kernel = ck_check_untyped(front->checker, info);
        if (kernel)
            ck_divergence_check(front->divergence, kernel);
        if (kernel)
            ck_checker_reject(front->checker, kernel);
    }
}

static void
check(struct ck_front *front, const struct ck_front_options *options)
{
    front->checker = ck_checker_new(front->arena, &front->source, front->ast, &front->diags,
                                    options->reserved_symbols, options->facts);
    ck_checker_set_fastmath(front->checker, options->fastmath);
    front->divergence = ck_divergence_new(front->arena, &front->diags);
    ck_check_signatures(front->checker);
    ck_front_analyse(front);
    check_given(front, options);
    ck_front_analyse(front);
    if (options->check_generic)
        check_untyped(front, options->n_sigs);
    ck_warn_module(front->checker);
}

void
ck_front_run(struct ck_front *front, const struct ck_front_options *options)
{
    front->ast = ck_parse(front->arena, &front->source, &front->diags);
    if (options->parse_only)
        ck_ast_give_held(front->ast, &front->diags);
    else
        check(front, options);
}
