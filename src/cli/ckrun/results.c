/* The results of the launches: --print, --expect and --save. */
#include <stdlib.h>
#include <string.h>

#include "../common/json.h"
#include "base/nearest.h"
#include "command.h"
#include "files/array_file.h"

static bool
fail_unknown_name(const struct ckrun_command *command, const struct ckrun_result *result,
                  const char *name)
{
    static const char *const texts[] = {
        [OPT_PRINT] = "--print", [OPT_SAVE] = "--save", [OPT_EXPECT] = "--expect"};
    const char **names = tool_alloc((command->env.n_names + 1) * sizeof *names);
    for (size_t i = 0; i < command->env.n_names; i++)
        names[i] = command->env.names[i].name;
    const char *nearest = ck_nearest_word(name, names, (int)command->env.n_names);
    if (nearest)
        tool_error("%s: `%s` is not defined; did you mean `%s`?", texts[result->option], name,
                   nearest);
    else
        tool_error("%s: `%s` is not defined; give it as %s=VALUE", texts[result->option], name,
                   name);
    free(names);
    return false;
}

/* Finds the value that a result names. */
static bool
resolve_name(struct ckrun_command *command, struct ckrun_result *result)
{
    size_t length = strcspn(result->text, result->rest ? "=" : "");
    result->name = ckrun_find(&command->env, result->text, length);
    if (!result->name) {
        char *name = tool_strndup(result->text, length);
        fail_unknown_name(command, result, name);
        free(name);
        return false;
    }
    result->name->used = true;
    if (result->option == OPT_PRINT || result->name->value.kind == CKRUN_ARRAY)
        return true;
    tool_error("`%s` is %s, not an array", result->name->name,
               ckrun_kind_text(result->name->value.kind));
    return false;
}

/* Whether the right side of --expect is a file; otherwise it is an expression. */
static bool
names_file(const char *text)
{
    const char *dot = strrchr(text, '.');
    bool has_operator = strpbrk(text, "([*+, ") != NULL || strstr(text, "//");
    bool has_suffix =
        dot && (strncmp(dot, ".npz:", 5) == 0 || strcmp(dot, ".npy") == 0 ||
                strcmp(dot, ".npz") == 0 || strcmp(dot, ".csv") == 0 || strcmp(dot, ".png") == 0);
    return text[0] == '@' || (strchr(text, '/') && !has_operator) || has_suffix;
}

static int
resolve_expectation(struct ckrun_command *command, struct ckrun_result *result)
{
    result->is_file = names_file(result->rest);
    if (!result->is_file)
        return ckrun_parse_expected(&result->value, &command->env, result->rest) ? TOOL_DONE
                                                                                 : TOOL_USAGE;
    const char *name = result->rest + (result->rest[0] == '@');
    char *path = ckrun_file_path(name);
    ckrun_add_input(&command->env, path, strlen(path));
    free(path);
    return ckrun_read_file(&result->want, command->session.ctx, name);
}

/* The name of the array in its archive; NULL: the file is none. */
static const char *
key_of(const struct ckrun_result *save)
{
    const char *key = ckrun_file_key(save->rest);
    return ckrun_file_kind(save->rest) != FILE_NPZ ? NULL : key ? key : save->name->name;
}

/* Checks that no earlier save has the same file; in an archive, the same name. */
static bool
check_other_saves(const struct ckrun_command *command, const struct ckrun_result *save,
                  const char *target)
{
    bool fine = true;
    const char *key = key_of(save);
    for (const struct ckrun_result *other = command->results; other < save && fine; other++) {
        if (other->option != OPT_SAVE)
            continue;
        const char *others_key = key_of(other);
        char *path = ckrun_file_path(other->rest), *others_target = tool_resolve(path);
        bool same_key = !key || !others_key || strcmp(key, others_key) == 0;
        fine = strcmp(others_target, target) != 0 || !same_key;
        free(path);
        free(others_target);
    }
    if (!fine && key)
        tool_error("two arrays would be saved to `%s` as `%s`", save->rest, key);
    else if (!fine)
        tool_error("two arrays would be saved to `%s`", save->rest);
    return fine;
}

/* Checks that a save overwrites neither an input nor another save. */
static bool
check_overwriting(const struct ckrun_command *command, const struct ckrun_result *save)
{
    char *path = ckrun_file_path(save->rest), *target = tool_resolve(path);
    const char *input = tool_same_file(path, command->file) ? command->file : NULL;
    for (size_t i = 0; i < command->env.n_inputs && !input; i++) {
        if (tool_same_file(path, command->env.inputs[i]))
            input = command->env.inputs[i];
    }
    if (input)
        tool_error("--save would overwrite the input `%s`", input);
    bool fine = check_other_saves(command, save, target) && !input;
    free(path);
    free(target);
    return fine;
}

static bool
check_writable(const struct ckrun_result *save)
{
    char *path = ckrun_file_path(save->rest);
    bool fine = tool_check_writable(path);
    free(path);
    return fine;
}

int
ckrun_resolve_results(struct ckrun_command *command)
{
    for (size_t i = 0; i < command->n_results; i++) {
        struct ckrun_result *result = &command->results[i];
        if (!resolve_name(command, result))
            return TOOL_USAGE;
        int status =
            result->option == OPT_EXPECT ? resolve_expectation(command, result) : TOOL_DONE;
        if (status != TOOL_DONE)
            return status;
    }
    for (size_t i = 0; i < command->n_results; i++) {
        const struct ckrun_result *result = &command->results[i];
        if (result->option != OPT_SAVE)
            continue;
        if (!check_overwriting(command, result) ||
            !ckrun_check_file(result->rest, &result->name->value.array->host))
            return TOOL_USAGE;
        if (!check_writable(result))
            return TOOL_FAILED;
    }
    return TOOL_DONE;
}
/* --- Results -----------------------------------------------------------------------------------
 */

static bool
has_results(const struct ckrun_command *command, enum ckrun_option option)
{
    bool has = false;
    for (size_t i = 0; i < command->n_results; i++)
        has = has || command->results[i].option == option;
    return has;
}

static void
write_json_expectation(struct ck_strbuf *out, const struct ckrun_result *result, bool satisfied,
                       const struct ckrun_errors *errors)
{
    tool_json_separate(out);
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "name", result->name->name);
    tool_json_member(out, "want", result->rest);
    tool_json_key(out, "satisfied");
    ck_strbuf_puts(out, satisfied ? "true" : "false");
    if (errors->n_different >= 0) { /* they were compared */
        tool_json_number(out, "different", (unsigned long long)errors->n_different);
        ckrun_json_float(out, "largest_error", errors->absolute);
        ckrun_json_float(out, "largest_relative_error", errors->relative);
    }
    ck_strbuf_putc(out, '}');
}

static bool
check_expectation(struct ckrun_command *command, const struct ckrun_result *result)
{
    struct ckrun_errors errors = {.n_different = -1};
    const ck_npy *got = &result->name->value.array->host;
    char *what = tool_printf(result->is_file ? "`%s`" : "%s", result->rest);
    const struct ckrun_value *value = &result->value;
    bool satisfied = result->is_file ? ckrun_expect_array(result->name->name, got, &result->want,
                                                          what, command->tolerance, &errors)
                     : value->kind == CKRUN_ARRAY
                         ? ckrun_expect_converted(result->name->name, got, &value->array->host,
                                                  what, command->tolerance, &errors)
                         : ckrun_expect_number(result->name->name, got, value, what,
                                               command->tolerance, &errors);
    free(what);
    if (command->is_json)
        write_json_expectation(&command->json, result, satisfied, &errors);
    return satisfied;
}

static int
save_arrays(const struct ckrun_command *command)
{
    struct ckrun_save *saves = tool_alloc(command->n_results * sizeof *saves);
    size_t n = 0;
    for (size_t i = 0; i < command->n_results; i++) {
        const struct ckrun_result *result = &command->results[i];
        if (result->option == OPT_SAVE)
            saves[n++] = (struct ckrun_save){result->rest, result->name->name,
                                             &result->name->value.array->host};
    }
    int status = ckrun_save_all(command->session.ctx, saves, n);
    free(saves);
    return status;
}

/* Each value once, by its name. */
static void
write_json_values(struct ckrun_command *command)
{
    struct ck_strbuf *out = &command->json;
    tool_json_key(out, "values");
    ck_strbuf_putc(out, '{');
    for (size_t i = 0; i < command->n_results; i++) {
        const struct ckrun_result *result = &command->results[i];
        bool printed = result->option != OPT_PRINT;
        for (size_t k = 0; k < i && !printed; k++)
            printed =
                command->results[k].option == OPT_PRINT && command->results[k].name == result->name;
        if (printed)
            continue;
        tool_json_key(out, result->name->name);
        ckrun_json_value(out, &result->name->value);
    }
    ck_strbuf_putc(out, '}');
}

static void
print_values(struct ckrun_command *command)
{
    if (command->is_json && has_results(command, OPT_PRINT))
        write_json_values(command);
    for (size_t i = 0; i < command->n_results && !command->is_json; i++) {
        const struct ckrun_result *result = &command->results[i];
        if (result->option == OPT_PRINT)
            ckrun_print_value(stdout, &result->name->value);
    }
}

int
ckrun_show_results(struct ckrun_command *command)
{
    bool satisfied = true, lists = command->is_json && has_results(command, OPT_EXPECT);
    print_values(command);
    if (lists) {
        tool_json_key(&command->json, "expectations");
        ck_strbuf_putc(&command->json, '[');
    }
    for (size_t i = 0; i < command->n_results; i++) {
        if (command->results[i].option == OPT_EXPECT)
            satisfied &= check_expectation(command, &command->results[i]);
    }
    if (lists)
        ck_strbuf_putc(&command->json, ']');
    return satisfied ? save_arrays(command) : TOOL_FAILED;
}
