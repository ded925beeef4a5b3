/* Dependency files: their text, with the escapes that make and ninja share, and their names. */
#include "depfile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"

/* Whether make and ninja both read this character of a name, some of them escaped. Ninja ends a
 * name at any other; at the end, make takes a parenthesis for an archive's member, a backslash for
 * an escape. */
static bool
can_be_written(const char *c)
{
    if (*c == ')' || *c == '\\')
        return c[1] != '\0';
    return isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80 ||
           strchr("+,/_.({}@!-\\ #$", *c);
}

/* Adds a name to the rule; false after a message. Make takes backslashes literally, except before
 * a character that they escape, where each is written twice. */
static bool
add_name(char *text, size_t *length, const char *name)
{
    size_t n_backslashes = 0; /* directly before this character */
    for (const char *c = name; *c; c++) {
        if (!can_be_written(c)) {
            tool_error("the name `%s` cannot be in a dependency file: it has a special character",
                       name);
            return false;
        }
        if (*c == ' ' || *c == '#') {
            for (size_t i = 0; i <= n_backslashes; i++)
                text[(*length)++] = '\\';
        } else if (*c == '$') {
            text[(*length)++] = '$';
        }
        text[(*length)++] = *c;
        n_backslashes = *c == '\\' ? n_backslashes + 1 : 0;
    }
    return true;
}

char *
depfile_rule(const char *target, const char *const *from, size_t n)
{
    size_t size = 2 * strlen(target) + 3; /* every character escaped, a colon, the end */
    for (size_t i = 0; i < n; i++)
        size += 2 * strlen(from[i]) + 1;
    char *text = tool_alloc(size);
    size_t length = 0;
    bool done = add_name(text, &length, target);
    if (done)
        text[length++] = ':';
    for (size_t i = 0; done && i < n; i++) {
        text[length++] = ' ';
        done = add_name(text, &length, from[i]);
    }
    if (!done) {
        free(text);
        return NULL;
    }
    text[length++] = '\n';
    return text;
}

char *
depfile_name(const char *output)
{
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot > base ? (size_t)(dot - output) : strlen(output);
    return tool_printf("%.*s.d", (int)stem, output);
}
