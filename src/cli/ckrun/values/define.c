/* Named values of the command line, NAME=VALUE, and expected ones. */
#include "expr.h"

#include <stdlib.h>
#include <string.h>

#include "../files/array_file.h"

/* Reads `@FILE`. Returns an exit status. */
static int
read_array(struct ckrun_parser *p, struct ckrun_value *out)
{
    const char *name = p->at + 1;
    char *path = ckrun_file_path(name);
    ck_npy host;
    ckrun_add_input(p->env, path, strlen(path));
    free(path);
    int status = ckrun_read_file(&host, p->env->ctx, name);
    if (status == TOOL_DONE)
        *out = (struct ckrun_value){.kind = CKRUN_ARRAY, .array = ckrun_array_adopt(p->env, &host)};
    return status;
}

/* Reads the value after `=`. Returns an exit status; the caller prints the parser's message. */
static int
parse_value(struct ckrun_parser *p, struct ckrun_value *out)
{
    ckrun_skip_space(p);
    if (*p->at == '@')
        return read_array(p, out);
    const char *at = p->at;
    const struct ckrun_array *newest = p->env->arrays;
    *out = ckrun_parse_expression(p);
    ckrun_expect_end(p);
    if (p->error)
        return TOOL_USAGE;
    if (out->kind == CKRUN_ARRAY && !ckrun_is_new_array(p->env, newest, out->array))
        ckrun_parse_fail(p, at,
                         "an array has one name: write x.copy() for another array, x[:] for "
                         "another name of its memory");
    else if (out->kind == CKRUN_TUPLE && ckrun_has_new_memory(p->env, newest, out))
        ckrun_parse_fail(p, at, "give the array a name of its own: NAME=zeros(...)");
    else if (out->kind == CKRUN_ADDRESS)
        ckrun_parse_fail(p, at, "an address is an argument of a launch: k[1, 32](x.ctypes.data)");
    else if (out->kind == CKRUN_STRING || out->kind == CKRUN_MAX || out->kind == CKRUN_NONE)
        ckrun_parse_fail(p, at, "a value is an array, a number or a tuple: this is %s",
                         ckrun_kind_text(out->kind));
    if (!p->error) {
        ckrun_keep(out);
        ckrun_env_trim(p->env, newest);
    }
    return p->error ? TOOL_USAGE : TOOL_DONE;
}

/* Whether the value is the name of a file without `@`; no expression ends like that. */
static bool
is_bare_file(const char *text)
{
    const char *dot = strrchr(text, '.');
    return text[strspn(text, " \t")] != '@' && !strpbrk(text, "([,") && dot &&
           (strncmp(dot, ".npz:", 5) == 0 ||
            (dot != text && strchr("nbrcp", dot[1]) && ckrun_file_kind(text) != FILE_OTHER));
}

int
ckrun_define(struct ckrun_env *env, const char *text)
{
    struct ckrun_parser p;
    ckrun_parse_begin(&p, env, text);
    size_t length = ckrun_parse_name(&p);
    if (ckrun_find(env, text, length))
        ckrun_parse_fail(&p, text, "`%.*s` is defined twice", (int)length, text);
    else if (ckrun_is_reserved(text, length))
        ckrun_parse_fail(&p, text, "`%.*s` means something to ckrun: take another name",
                         (int)length, text);
    p.at += length;
    ckrun_parse_expect(&p, '=');
    if (!p.error && is_bare_file(p.at))
        ckrun_parse_fail(&p, p.at, "a file is written with @: '%.*s=@%s'", (int)length, text,
                         p.at + strspn(p.at, " \t"));
    struct ckrun_value value = {.kind = CKRUN_NONE};
    int status = p.error ? TOOL_USAGE : parse_value(&p, &value);
    if (!ckrun_parse_end(&p) || status != TOOL_DONE)
        return p.failed_read ? TOOL_FAILED : status;
    const char *file = strchr(text, '=') + 1;
    file += strspn(file, " \t");
    env->names = tool_grow(env->names, env->n_names + 1, sizeof *env->names);
    env->names[env->n_names++] = (struct ckrun_name){
        .name = tool_strndup(text, length),
        .value = value,
        .text = file,
        .is_file = *file == '@',
    };
    return TOOL_DONE;
}

/* Fails if the expression reads an array of the module whose first values only the image has. */
static void
check_known(struct ckrun_parser *p, const char *text)
{
    for (const struct ckrun_array *a = p->env->arrays; a && !p->error; a = a->next) {
        if (a->is_read && a->is_in_image)
            ckrun_parse_fail(p, text,
                             "the first values of `%s` are known to the image alone: give them, "
                             "%s=VALUE",
                             a->global, a->global);
    }
}

bool
ckrun_parse_printed(struct ckrun_value *out, struct ckrun_env *env, const char *text)
{
    struct ckrun_parser p;
    ckrun_parse_begin(&p, env, text);
    *out = ckrun_parse_expression(&p);
    if (!p.error)
        ckrun_expect_end(&p);
    if (!p.error && !ckrun_is_any_number(out) && out->kind != CKRUN_ARRAY &&
        out->kind != CKRUN_TUPLE && out->kind != CKRUN_DTYPE)
        ckrun_parse_fail(&p, text, "a number, an array or a tuple is printed: this is %s",
                         ckrun_kind_text(out->kind));
    return ckrun_parse_end(&p);
}

bool
ckrun_parse_expected(struct ckrun_value *out, struct ckrun_env *env, const char *text)
{
    struct ckrun_parser p;
    const struct ckrun_array *newest = env->arrays;
    ckrun_parse_begin(&p, env, text);
    for (struct ckrun_array *a = env->arrays; a; a = a->next)
        a->is_read = false;
    *out = ckrun_parse_expression(&p);
    if (!p.error)
        ckrun_expect_end(&p);
    if (!p.error)
        check_known(&p, text);
    if (!p.error && !ckrun_is_any_number(out) && out->kind != CKRUN_ARRAY)
        ckrun_parse_fail(&p, text, "expected a number, an array or a file FILE.npy: this is %s",
                         ckrun_kind_text(out->kind));
    else if (!p.error && out->kind == CKRUN_ARRAY &&
             (out->array->base || !ckrun_is_new_array(env, newest, out->array)))
        *out = ckrun_array_as(&p, text, &out->array->host, out->array->host.dtype,
                              out->array->host.ndim, out->array->host.shape); /* as it is now */
    if (!p.error) {
        ckrun_keep(out);
        ckrun_env_trim(env, newest);
    }
    return ckrun_parse_end(&p);
}
