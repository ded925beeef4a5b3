/* --completion: scripts by which shells complete a command's options, from the command's own table.
 */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static bool
takes_value(const struct tool_option *option)
{
    return option->argument == TOOL_VALUE;
}

static bool
is_long(const struct tool_option *option)
{
    return option->argument != TOOL_JOINED && option->name[2];
}

/* As it is usually written: `=` follows where a value must. */
static void
put_word(const struct tool_option *option)
{
    printf("%s%s", option->name, is_long(option) && takes_value(option) ? "=" : "");
}

static void
put_values(const struct tool_value *values)
{
    const char *separator = "";
    for (; values->name; values++) {
        printf("%s%s", separator, values->name);
        separator = " ";
    }
}

/* The options' words for bash, and the words of their values: bash takes `=` for a word. */
static void
write_bash(const struct tool_option *options, size_t n)
{
    printf("# Completion of %s %s in bash.\n"
           "_%s()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words\n"
           "    [[ $word == = ]] && word=\n"
           "    [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD-2]}\n"
           "    case $option in\n",
           tool_program, ck_version(), tool_program);
    for (size_t i = 0; i < n; i++) {
        if (!options[i].values)
            continue;
        printf("    %s) words='", options[i].name);
        put_values(options[i].values);
        printf("' ;;\n");
    }
    printf("    *)\n"
           "        [[ $word == -* ]] || return 0\n"
           "        words='");
    for (size_t i = 0; i < n; i++) {
        printf("%s", i ? " " : "");
        put_word(&options[i]);
    }
    printf("' ;;\n"
           "    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
           "    return 0\n}\n"
           "complete -o default -F _%s %s\n",
           tool_program, tool_program);
}

/* A description for zsh, or for fish: what ends or begins one is left out. */
static void
put_description(const struct tool_option *option)
{
    for (const char *c = option->brief ? option->brief : ""; *c; c++) {
        if (!strchr("[]'\\:", *c))
            putchar(*c);
    }
}

static void
write_zsh(const struct tool_option *options, size_t n)
{
    printf("#compdef %s\n# Completion of %s %s in zsh.\n_arguments -S", tool_program, tool_program,
           ck_version());
    for (size_t i = 0; i < n; i++) {
        const struct tool_option *option = &options[i];
        printf(" \\\n    '*");
        put_word(option);
        if (takes_value(option) && !is_long(option))
            printf("+");
        if (tool_is_main(option)) {
            printf("[");
            put_description(option);
            printf("]");
        }
        if (takes_value(option)) {
            printf(":value:%s", option->values ? "(" : "_files");
            if (option->values) {
                put_values(option->values);
                printf(")");
            }
        }
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
        const char *bare = option->name + strspn(option->name, "-");
        const char *kind = option->name[1] == '-' ? "l" : option->name[2] ? "o" : "s";
        kind = option->argument == TOOL_JOINED ? "o" : kind;
        printf("complete -c %s -%s '%s'%s", tool_program, kind, bare,
               takes_value(option) ? " -r" : "");
        if (option->values) {
            printf(" -a '");
            put_values(option->values);
            printf("'");
        }
        if (tool_is_main(option)) {
            printf(" -d '");
            put_description(option);
            printf("'");
        }
        printf("\n");
    }
}

int
tool_write_completion(const struct tool_option *options, size_t n, const char *shell)
{
    static void (*const write[])(const struct tool_option *, size_t) = {write_bash, write_zsh,
                                                                        write_fish};
    int i = tool_choose("--completion", shell, tool_shells);
    if (i < 0)
        return TOOL_USAGE;
    write[i](options, n);
    return TOOL_DONE;
}
