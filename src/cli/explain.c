/* --explain: what docs/errors.md has on a diagnostic. */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "common/tool.h"

static const char heading[] = "\n## ";

/* The name after `at`'s heading, or the next; NULL: there is none. */
static const char *
next_name(const char *at)
{
    const char *found = strstr(at, heading);
    return found ? found + sizeof heading - 1 : NULL;
}

static size_t
name_length(const char *name)
{
    return strcspn(name, "\n");
}

/* The end of a section: the next heading, of any level. */
static const char *
section_end(const char *name)
{
    const char *end = next_name(name), *chapter = strstr(name, "\n\n# ");
    end = end ? end - (sizeof heading - 1) : name + strlen(name);
    return chapter && chapter < end ? chapter : end;
}

/* As Markdown has it, but for the marks of code, of which the lines are indented. */
static void
print_section(const char *name)
{
    const char *end = section_end(name);
    size_t length = name_length(name);
    const char *indent = "";
    int n_programs = 0;
    printf("%.*s\n\n", (int)length, name);
    for (const char *line = name + length + 1; line < end; line += name_length(line) + 1) {
        length = name_length(line);
        if (strncmp(line, "```", 3) == 0) {
            bool begins = !*indent;
            if (begins)
                printf("%s\n\n", n_programs++ ? "\nRight:" : "Wrong:");
            indent = begins ? "    " : "";
        } else {
            printf("%s%.*s\n", length ? indent : "", (int)length, line);
        }
    }
}

static void
print_names(void)
{
    for (const char *name = next_name(errors_page_text); name; name = next_name(name))
        printf("%.*s\n", (int)name_length(name), name);
}

static const char *
find_section(const char *wanted)
{
    size_t length = strlen(wanted);
    const char *name = next_name(errors_page_text);
    while (name && (name_length(name) != length || memcmp(name, wanted, length) != 0))
        name = next_name(name);
    return name;
}

static int
unknown_name(const char *wanted)
{
    enum { MOST = 512 };
    const char **names = tool_alloc(MOST * sizeof *names);
    int n = 0;
    for (const char *name = next_name(errors_page_text); name && n < MOST; name = next_name(name))
        names[n++] = tool_strndup(name, name_length(name));
    const char *nearest = ck_nearest_word(wanted, names, n);
    if (nearest)
        tool_error("no diagnostic is called `%s`; did you mean `%s`?", wanted, nearest);
    else
        tool_error("no diagnostic is called `%s`; `ckc --explain` lists them", wanted);
    for (int i = 0; i < n; i++)
        free((char *)names[i]);
    free(names);
    return TOOL_USAGE;
}

int
explain(const char *name)
{
    const char *section = name ? find_section(name) : NULL;
    if (name && !section)
        return unknown_name(name);
    if (section)
        print_section(section);
    else
        print_names();
    return TOOL_DONE;
}
