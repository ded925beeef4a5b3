/* The options of a command, as its table has them. See option_table.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "tool.h"

const struct tool_value tool_forms[] = {
    {"text", "as people read them; the default"},
    {"json", "an object a line"},
    {"sarif", "one SARIF document"},
    {NULL, NULL},
};
const struct tool_value tool_colours[] = {
    {"auto", "on a terminal, unless NO_COLOR is set; the default"},
    {"always", "in files and pipes too"},
    {"never", "nowhere"},
    {NULL, NULL},
};
const struct tool_value tool_shells[] = {
    {"bash", "to source, or for /usr/share/bash-completion/completions"},
    {"zsh", "for a folder of fpath, as _NAME"},
    {"fish", "for ~/.config/fish/completions, as NAME.fish"},
    {NULL, NULL},
};
const struct tool_value tool_helps[] = {
    {"all", "everything"},
    {"man", "the manual page, for man or troff"},
    {NULL, NULL},
};

bool
tool_is_main(const struct tool_option *option)
{
    return option->brief != NULL;
}

static const char *
bare_name(const struct tool_option *option)
{
    return option->name + strspn(option->name, "-");
}

/* The option called `name`; one of a single letter takes a single dash. */
static const struct tool_option *
find_option(const struct tool_args *args, const char *name, size_t n_dashes)
{
    for (size_t i = 0; i < args->n_options; i++) {
        const struct tool_option *option = &args->options[i];
        const char *bare = bare_name(option);
        bool dashes_fit = n_dashes == 1 || bare[1];
        if (option->argument != TOOL_JOINED && dashes_fit && strcmp(bare, name) == 0)
            return option;
    }
    return NULL;
}

/* What to write instead of another compiler's option; NULL: it is none. */
static const char *
instead_of(const struct tool_args *args, const char *name)
{
    const struct tool_topic *other = args->help->others;
    while (other && other->title && strcmp(other->title, name) != 0)
        other++;
    return other ? other->text : NULL;
}

static int
unknown_option(const struct tool_args *args, const char *written, const char *name)
{
    const char *instead = instead_of(args, name);
    if (instead) {
        tool_error("unknown option `%s`: %s", written, instead);
        return TOOL_BAD;
    }
    const char **names = tool_alloc(args->n_options * sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < args->n_options; i++) {
        if (args->options[i].argument != TOOL_JOINED)
            names[n++] = bare_name(&args->options[i]);
    }
    /* An option of one letter, written with two dashes. */
    const struct tool_option *option = find_option(args, name, 1);
    const char *nearest = option ? NULL : ck_nearest_word(name, names, (int)n);
    option = nearest ? find_option(args, nearest, 1) : option;
    if (option)
        tool_error("unknown option `%s`; did you mean `%s`?", written, option->name);
    else
        tool_error("unknown option `%s`; `%s --help` lists them", written, tool_program);
    free(names);
    return TOOL_BAD;
}

static const struct tool_option *
find_joined(const struct tool_args *args, const char *name)
{
    for (size_t i = 0; i < args->n_options; i++) {
        const struct tool_option *option = &args->options[i];
        const char *bare = bare_name(option);
        if (option->argument == TOOL_JOINED && strncmp(name, bare, strlen(bare)) == 0)
            return option;
    }
    return NULL;
}

/* Takes the option's value: what follows `=` (NULL: nothing did), else the next argument. */
static int
take_value(struct tool_args *args, const struct tool_option *option, const char *written,
           const char *after_equals, const char **value)
{
    *value = after_equals;
    if (option->argument == TOOL_FLAG) {
        if (!after_equals)
            return option->id;
        tool_error("option `%s` takes no value: `%s`", option->name, written);
        return TOOL_BAD;
    }
    if (!after_equals && option->argument == TOOL_VALUE) {
        if (args->next >= args->argc) {
            tool_error("option `%s` needs a value", written);
            return TOOL_BAD;
        }
        *value = args->argv[args->next++];
    }
    return option->id;
}

static int
take_option(struct tool_args *args, const char *written, const char **value)
{
    size_t n_dashes = written[1] == '-' ? 2 : 1;
    const char *name = written + n_dashes;
    const char *equals = strchr(name, '=');
    char *bare = tool_strndup(name, equals ? (size_t)(equals - name) : strlen(name));
    const struct tool_option *option = find_option(args, bare, n_dashes);
    int id;
    if (option) {
        id = take_value(args, option, written, equals ? equals + 1 : NULL, value);
    } else if (n_dashes == 1 && (option = find_joined(args, name))) {
        *value = name + strlen(bare_name(option));
        id = option->id;
    } else {
        id = unknown_option(args, written, bare);
    }
    free(bare);
    return id;
}

/* The next option's id, TOOL_POSITIONAL, TOOL_END, or TOOL_BAD after a message. `*value` is its
 * value or the positional argument. */
static int
next_option(struct tool_args *args, const char **value)
{
    while (args->next < args->argc) {
        args->first = args->next;
        const char *arg = args->argv[args->next++];
        if (!args->only_positional && strcmp(arg, "--") == 0) {
            args->only_positional = true;
            continue;
        }
        if (!args->only_positional && arg[0] == '-' && arg[1])
            return take_option(args, arg, value);
        *value = arg;
        return TOOL_POSITIONAL;
    }
    return TOOL_END;
}

int
tool_choice(const char *option, const char *value, const char *const *choices, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(value, choices[i]) == 0)
            return (int)i;
    }
    const char *nearest = ck_nearest_word(value, choices, (int)n);
    if (nearest) {
        tool_error("unknown value `%s` of %s; did you mean `%s`?", value, option, nearest);
        return -1;
    }
    char *list = tool_strndup("", 0);
    for (size_t i = 0; i < n; i++) {
        char *longer = tool_printf("%s%s%s", list, i ? " " : "", choices[i]);
        free(list);
        list = longer;
    }
    tool_error("unknown value `%s` of %s; there are: %s", value, option, list);
    free(list);
    return -1;
}

int
tool_choose(const char *option, const char *value, const struct tool_value *values)
{
    size_t n = 0;
    while (values[n].name)
        n++;
    const char **names = tool_alloc(n * sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = values[i].name;
    int i = tool_choice(option, value, names, n);
    free(names);
    return i;
}

bool
tool_read_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

int
tool_check_rules(const struct tool_rule *rules, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rules[i].is_broken) {
            tool_error("%s", rules[i].text);
            return TOOL_USAGE;
        }
    }
    return -1;
}

int
tool_no_input(void)
{
    tool_error("no input file; see `%s --help`", tool_program);
    return TOOL_USAGE;
}

static int
write_version(void)
{
    printf("%s %s\n", tool_program, ck_version());
    return TOOL_DONE;
}

int
tool_read_options(struct tool_args *args, tool_apply_fn *apply, void *context)
{
    const char *value = NULL;
    int id;
    while ((id = next_option(args, &value)) != TOOL_END) {
        if (id == TOOL_BAD)
            return TOOL_USAGE; /* the message has been printed */
        if (id == TOOL_HELP)
            return tool_write_help(args, value);
        if (id == TOOL_VERSION)
            return write_version();
        if (id == TOOL_COMPLETION)
            return tool_write_completion(args->options, args->n_options, value);
        if (id == TOOL_DIAGNOSTICS || id == TOOL_COLOR)
            continue; /* tool_report_begin has read it */
        int status = apply(context, args, id, value);
        if (status != TOOL_DONE)
            return status;
    }
    return -1;
}
