/* --help: the options of a command in brief, in full, and as a manual page, from its table. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum { WIDTH = 92, TEXT_COLUMN = 26 };

static const char spelling[] =
    "Options of several letters are written with one dash or two; a value follows after `=` or as "
    "the next argument.";

static const struct tool_topic environment[] = {
    {"CK_CACHE_DIR",
     "The folder of compiled code; by default XDG_CACHE_HOME/ck or ~/.cache/ck. Empty: none."},
    {"CK_CACHE_SIZE", "The most bytes kept there: 256M by default, 0 for none."},
    {"CUDA_HOME, CUDA_PATH", "Where a CUDA toolkit is, for its libdevice, ptxas and nvdisasm."},
    {"NO_COLOR", "If set, messages have no colours unless --color=always asks for them."},
    {NULL, NULL},
};

/* --- Text --------------------------------------------------------------------------------------
 */

/* The option as it is written: `--emit=KIND`, `-o FILE`, `--bench[=N]`. To be freed. */
static char *
option_form(const struct tool_option *option)
{
    const char *value = option->value ? option->value : "VALUE";
    switch (option->argument) {
    case TOOL_FLAG:
        return tool_printf("%s", option->name);
    case TOOL_OPTIONAL:
        return tool_printf("%s[=%s]", option->name, value);
    case TOOL_JOINED:
        return tool_printf("%s%s", option->name, value);
    default:
        return tool_printf("%s%s%s", option->name,
                           strlen(option->name) > 3 && !strchr(value, '=') ? "=" : " ", value);
    }
}

/* Appends to a text of the heap. */
static void
append(char **text, const char *before, const char *more)
{
    char *longer = tool_printf("%s%s%s", *text, before, more);
    free(*text);
    *text = longer;
}

/* Begins with a capital: what stands in the table may follow a colon. */
static char *
sentence(const char *brief)
{
    char *text = tool_printf("%s.", brief);
    text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

/* All that the table has on an option but its values. To be freed. */
static char *
description(const struct tool_args *args, size_t option)
{
    const struct tool_option *row = &args->options[option];
    char *text = sentence(row->brief);
    if (row->more)
        append(&text, " ", row->more);
    const char *before = " Also ";
    for (size_t i = option + 1; i < args->n_options && !tool_is_main(&args->options[i]); i++) {
        append(&text, before, args->options[i].name);
        before = ", ";
    }
    if (before[0] == ',')
        append(&text, "", ".");
    return text;
}

/* The option's brief text with the names of its values. To be freed. */
static char *
brief_text(const struct tool_option *option)
{
    char *text = tool_printf("%s", option->brief);
    const char *before = ": ";
    for (const struct tool_value *value = option->values; value && value->name; value++) {
        append(&text, before, value->name);
        before = ", ";
    }
    return text;
}

/* --- In brief and in full ----------------------------------------------------------------------
 */

/* Prints words, wrapped between two columns. */
static void
put_wrapped(const char *text, int first)
{
    int at = first;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at > first && at + 1 + length > WIDTH) {
            printf("\n%*s", first, "");
            at = first;
        }
        at += printf("%s%.*s", at > first ? " " : "", length, text);
        text += length + strspn(text + length, " ");
    }
    printf("\n");
}

static void
put_entry(const char *name, int indent, int column, const char *text)
{
    int at = printf("%*s%s", indent, "", name);
    if (at + 2 > column)
        printf("\n%*s", column, "");
    else
        printf("%*s", column - at, "");
    put_wrapped(text, column);
}

static void
put_option(const struct tool_args *args, size_t i, bool in_full)
{
    const struct tool_option *option = &args->options[i];
    char *form = option_form(option);
    char *text = in_full ? description(args, i) : brief_text(option);
    put_entry(form, 2, TEXT_COLUMN, text);
    for (const struct tool_value *value = option->values; in_full && value && value->name; value++)
        put_entry(value->name, TEXT_COLUMN + 2, TEXT_COLUMN + 18, value->brief);
    free(form);
    free(text);
}

static void
put_options(const struct tool_args *args, bool in_full)
{
    for (size_t i = 0; i < args->n_options; i++) {
        const struct tool_option *option = &args->options[i];
        if (option->section)
            printf("\n%s:\n", option->section);
        if (tool_is_main(option))
            put_option(args, i, in_full);
    }
}

static void
write_brief(const struct tool_args *args)
{
    printf("usage: %s %s\n%s", tool_program, args->help->usage, args->help->begin);
    put_options(args, false);
    printf("\nMore: %s --help=all, and man %s.\n", tool_program, tool_program);
}

static void
write_all(const struct tool_args *args)
{
    const struct tool_help *help = args->help;
    printf("usage: %s %s\n\n", tool_program, help->usage);
    put_wrapped(help->about, 0);
    for (const struct tool_topic *topic = help->topics; topic->title; topic++)
        printf("\n%s:\n%s", topic->title, topic->text);
    put_options(args, true);
    printf("\n");
    put_wrapped(spelling, 0);
    printf("\nEnvironment:\n");
    for (const struct tool_topic *topic = environment; topic->title; topic++)
        put_entry(topic->title, 2, TEXT_COLUMN, topic->text);
    printf("\nExit status:\n");
    for (const struct tool_topic *status = help->statuses; status->title; status++)
        put_entry(status->title, 2, 6, status->text);
}

/* --- The manual page ---------------------------------------------------------------------------
 */

/* Text for troff, where a backslash and a dot or quote at the beginning of a line mean more. */
static void
put_troff(const char *text)
{
    bool begins = true;
    for (; *text; begins = *text++ == '\n') {
        if (begins && (*text == '.' || *text == '\''))
            printf("\\&");
        if (*text == '\\')
            printf("\\e");
        else if (strchr("-'`^~", *text))
            printf(*text == '-'    ? "\\-"
                   : *text == '\'' ? "\\(aq"
                   : *text == '`'  ? "\\(ga"
                   : *text == '^'  ? "\\(ha"
                                   : "\\(ti");
        else
            putchar(*text);
    }
}

static void
put_item(const char *name, const char *text)
{
    printf(".TP\n\\fB");
    put_troff(name);
    printf("\\fR\n");
    put_troff(text);
    printf("\n");
}

static void
put_man_option(const struct tool_args *args, size_t i)
{
    const struct tool_option *option = &args->options[i];
    char *form = option_form(option), *text = description(args, i);
    put_item(form, text);
    if (option->values)
        printf(".RS\n");
    for (const struct tool_value *value = option->values; value && value->name; value++)
        put_item(value->name, value->brief);
    if (option->values)
        printf(".RE\n");
    free(form);
    free(text);
}

static void
put_man_options(const struct tool_args *args)
{
    printf(".SH OPTIONS\n");
    put_troff(spelling);
    printf("\n");
    for (size_t i = 0; i < args->n_options; i++) {
        if (args->options[i].section)
            printf(".SS %s\n", args->options[i].section);
        if (tool_is_main(&args->options[i]))
            put_man_option(args, i);
    }
}

static void
put_man_items(const char *title, const struct tool_topic *items)
{
    printf(".SH %s\n", title);
    for (; items->title; items++)
        put_item(items->title, items->text);
}

static void
write_man(const struct tool_args *args)
{
    const struct tool_help *help = args->help;
    printf(".TH %s 1 \"\" \"ck %s\" \"User commands\"\n.SH NAME\n%s \\- ", tool_program,
           ck_version(), tool_program);
    put_troff(help->summary);
    printf("\n.SH SYNOPSIS\n.B %s\n", tool_program);
    put_troff(help->usage);
    printf("\n.SH DESCRIPTION\n");
    put_troff(help->about);
    for (const struct tool_topic *topic = help->topics; topic->title; topic++) {
        printf("\n.SS %s\n.nf\n", topic->title);
        put_troff(topic->text);
        printf(".fi");
    }
    printf("\n");
    put_man_options(args);
    put_man_items("ENVIRONMENT", environment);
    put_man_items("EXIT STATUS", help->statuses);
    printf(".SH SEE ALSO\n.BR ckc (1),\n.BR ckrun (1)\n");
}

int
tool_write_help(const struct tool_args *args, const char *how)
{
    static void (*const write[])(const struct tool_args *) = {write_all, write_man};
    int i = how ? tool_choose("--help", how, tool_helps) : 0;
    if (i < 0)
        return TOOL_USAGE;
    (how ? write[i] : write_brief)(args);
    return TOOL_DONE;
}
