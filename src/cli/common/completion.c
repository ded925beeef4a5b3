/* --completion: scripts by which shells complete a command's options, from the command's own table.
 */
#include <stdio.h>
#include <string.h>

#include "tool.h"

/* Whether the option is offered: not supported ones are not, nor is this one. */
static bool
is_offered(const struct tool_option *option)
{
    return option->id < TOOL_LATER && option->id != TOOL_COMPLETION;
}

static bool
takes_value(const struct tool_option *option)
{
    return option->argument == TOOL_VALUE;
}

/* As it is usually written: `=` follows where a value must. */
static void
put_word(const struct tool_option *option)
{
    bool is_joined = option->argument == TOOL_JOINED, is_long = option->name[1] && !is_joined;
    printf("%s%s%s", is_long ? "--" : "-", option->name, is_long && takes_value(option) ? "=" : "");
}

static void
put_words(const struct tool_option *options, size_t n)
{
    const char *separator = "";
    for (size_t i = 0; i < n; i++) {
        if (!is_offered(&options[i]))
            continue;
        printf("%s", separator);
        put_word(&options[i]);
        separator = " ";
    }
}

static void
write_bash(const struct tool_option *options, size_t n)
{
    printf("# Completion of %s %s in bash.\n"
           "_%s()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]}\n"
           "    [[ $word == -* ]] || return 0\n"
           "    COMPREPLY=($(compgen -W '",
           tool_program, ck_version(), tool_program);
    put_words(options, n);
    printf("' -- \"$word\"))\n"
           "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
           "    return 0\n}\n"
           "complete -o default -F _%s %s\n",
           tool_program, tool_program);
}

static void
write_zsh(const struct tool_option *options, size_t n)
{
    printf("#compdef %s\n# Completion of %s %s in zsh.\n_arguments -S", tool_program, tool_program,
           ck_version());
    for (size_t i = 0; i < n; i++) {
        if (!is_offered(&options[i]))
            continue;
        printf(" \\\n    '*");
        put_word(&options[i]);
        if (takes_value(&options[i]))
            printf("%s:value:_files", options[i].name[1] ? "" : "+");
        printf("'");
    }
    printf(" \\\n    '*:file:_files'\n");
}

static void
write_fish(const struct tool_option *options, size_t n)
{
    printf("# Completion of %s %s in fish.\n", tool_program, ck_version());
    for (size_t i = 0; i < n; i++) {
        const struct tool_option *option = &options[i];
        const char *kind = option->argument == TOOL_JOINED ? "o" : option->name[1] ? "l" : "s";
        if (is_offered(option))
            printf("complete -c %s -%s '%s'%s\n", tool_program, kind, option->name,
                   takes_value(option) ? " -r" : "");
    }
}

int
tool_write_completion(const struct tool_option *options, size_t n, const char *shell)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    static void (*const write[])(const struct tool_option *, size_t) = {write_bash, write_zsh,
                                                                        write_fish};
    int i = tool_choice("--completion", shell, shells, 3);
    if (i < 0)
        return TOOL_USAGE;
    write[i](options, n);
    return fflush(stdout) == 0 && !ferror(stdout) ? TOOL_DONE : TOOL_FAILED;
}
