/* The results of the launches: --print, --expect and --save. */
#include <ctype.h>
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

static bool
is_name(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || (unsigned char)text[n] >= 0x80)
        n++;
    return n && !text[n] && !isdigit((unsigned char)text[0]);
}

/* Evaluates the expression once, so that its mistakes show before anything runs. */
static bool
try_printed(struct ckrun_command *command, const struct ckrun_result *result)
{
    const struct ckrun_array *newest = command->env.arrays;
    struct ckrun_value value;
    bool fine = ckrun_parse_printed(&value, &command->env, result->text);
    ckrun_env_trim(&command->env, newest);
    return fine;
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
        bool is_expression = result->option == OPT_PRINT && !is_name(result->text);
        if (is_expression ? !try_printed(command, result) : !resolve_name(command, result))
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

/* Hands the value of a --print to `write`. Returns an exit status. */
static int
with_printed(struct ckrun_command *command, const struct ckrun_result *result,
             void (*write)(struct ckrun_command *, const struct ckrun_result *,
                           const struct ckrun_value *))
{
    const struct ckrun_array *newest = command->env.arrays;
    struct ckrun_value value;
    if (result->name) {
        write(command, result, &result->name->value);
        return TOOL_DONE;
    }
    bool fine = ckrun_parse_printed(&value, &command->env, result->text);
    if (fine)
        write(command, result, &value);
    ckrun_env_trim(&command->env, newest);
    return fine ? TOOL_DONE : TOOL_FAILED;
}

static void
write_json_value(struct ckrun_command *command, const struct ckrun_result *result,
                 const struct ckrun_value *value)
{
    tool_json_separate(&command->json);
    tool_json_string(&command->json, result->text);
    ck_strbuf_putc(&command->json, ':');
    ckrun_json_value(&command->json, value);
}

static void
print_value(struct ckrun_command *command, const struct ckrun_result *result,
            const struct ckrun_value *value)
{
    ckrun_print_value(stdout, value);
}

/* Each value once, by its name or expression. */
static int
write_json_values(struct ckrun_command *command)
{
    struct ck_strbuf *out = &command->json;
    int status = TOOL_DONE;
    tool_json_key(out, "values");
    ck_strbuf_putc(out, '{');
    for (size_t i = 0; i < command->n_results && status == TOOL_DONE; i++) {
        const struct ckrun_result *result = &command->results[i];
        bool printed = result->option != OPT_PRINT;
        for (size_t k = 0; k < i && !printed; k++)
            printed = command->results[k].option == OPT_PRINT &&
                      strcmp(command->results[k].text, result->text) == 0;
        if (!printed)
            status = with_printed(command, result, write_json_value);
    }
    ck_strbuf_putc(out, '}');
    return status;
}

static int
print_values(struct ckrun_command *command)
{
    int status = TOOL_DONE;
    if (command->is_json)
        return has_results(command, OPT_PRINT) ? write_json_values(command) : TOOL_DONE;
    for (size_t i = 0; i < command->n_results && status == TOOL_DONE; i++) {
        const struct ckrun_result *result = &command->results[i];
        if (result->option == OPT_PRINT)
            status = with_printed(command, result, print_value);
    }
    return status;
}

int
ckrun_show_results(struct ckrun_command *command)
{
    bool satisfied = true, lists = command->is_json && has_results(command, OPT_EXPECT);
    int status = print_values(command);
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
    if (status == TOOL_DONE && !satisfied)
        status = TOOL_FAILED;
    return status == TOOL_DONE ? save_arrays(command) : status;
}
