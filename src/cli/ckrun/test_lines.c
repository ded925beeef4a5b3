/* Tests in the comments of kernels. See test_lines.h. */
#include "test_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "../common/tool.h"

/* What was read so far. */
struct reader {
    const char *path;
    size_t line;
    struct test_words definitions, options;
    struct test_case *open; /* the case that launches or expectations may still join */
    bool has_expectation;   /* it has one: a launch begins another case */
    bool no_cpu, no_cuda;
    struct test_file *file;
};

static void
add_word(struct test_words *words, char *word)
{
    words->items = tool_grow(words->items, words->n + 1, sizeof *words->items);
    words->items[words->n++] = word;
}

static void
add_copies(struct test_words *to, const struct test_words *from)
{
    for (size_t i = 0; i < from->n; i++)
        add_word(to, tool_strndup(from->items[i], strlen(from->items[i])));
}

static void
free_words(struct test_words *words)
{
    for (size_t i = 0; i < words->n; i++)
        free(words->items[i]);
    free(words->items);
    *words = (struct test_words){0};
}

static bool
fail(const struct reader *r, const char *text, const char *shown)
{
    r->file->fault = tool_printf("%s:%zu: %s: `%s`", r->path, r->line, text, shown);
    r->file->fault_line = r->line;
    return false;
}

/* --- Lines -------------------------------------------------------------------------------------
 */

static bool
add_launch(struct reader *r, const char *text)
{
    struct test_file *file = r->file;
    if (!r->open || r->has_expectation) {
        file->cases = tool_grow(file->cases, file->n + 1, sizeof *file->cases);
        r->open = &file->cases[file->n++];
        *r->open = (struct test_case){.line = r->line,
                                      .no_cpu = r->no_cpu,
                                      .no_cuda = r->no_cuda,
                                      .name = tool_strndup("", 0)};
        add_copies(&r->open->words, &r->options);
        add_copies(&r->open->words, &r->definitions);
        r->has_expectation = false;
    }
    char *name = tool_printf("%s%s%s", r->open->name, *r->open->name ? "; " : "", text);
    free(r->open->name);
    r->open->name = name;
    add_word(&r->open->words, tool_strndup(text, strlen(text)));
    return true;
}

static bool
needs_launch(struct reader *r, const char *text)
{
    if (!r->open)
        return fail(r, "no launch stands above", text);
    r->has_expectation = true;
    return true;
}

/* NAME == VALUE */
static bool
add_expectation(struct reader *r, const char *text)
{
    const char *equals = strstr(text, "==");
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (!needs_launch(r, text))
        return false;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    if (!length)
        return fail(r, "an expectation is NAME == VALUE", text);
    const char *value = equals + 2 + strspn(equals + 2, " \t");
    add_word(&r->open->words, tool_strndup("--expect", 8));
    add_word(&r->open->words, tool_printf("%.*s=%s", (int)length, text, value));
    return true;
}

static bool
add_error(struct reader *r, const char *text)
{
    if (!needs_launch(r, text))
        return false;
    if (r->open->error)
        return fail(r, "a launch has one error", text);
    r->open->error = tool_strndup(text, strlen(text));
    return true;
}

static bool
add_options(struct reader *r, const char *text)
{
    free_words(&r->options);
    while (*text) {
        size_t length = strcspn(text, " \t");
        add_word(&r->options, tool_strndup(text, length));
        text += length;
        text += strspn(text, " \t");
    }
    r->open = NULL;
    return true;
}

static bool
set_only(struct reader *r, const char *text)
{
    r->no_cuda = strcmp(text, "cpu") == 0;
    r->no_cpu = strcmp(text, "cuda") == 0;
    r->open = NULL;
    return r->no_cuda || r->no_cpu || fail(r, "`only` takes cpu or cuda", text);
}

static bool
is_definition(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || (unsigned char)text[n] >= 0x80)
        n++;
    const char *after = text + n + strspn(text + n, " \t");
    return n && after[0] == '=' && after[1] != '=';
}

/* A name that is defined again has the new value from here on. */
static bool
add_definition(struct reader *r, const char *text)
{
    size_t name = strcspn(text, " \t=");
    const char *value = strchr(text, '=') + 1;
    char *word = tool_printf("%.*s=%s", (int)name, text, value + strspn(value, " \t"));
    r->open = NULL;
    for (size_t i = 0; i < r->definitions.n; i++) {
        char **known = &r->definitions.items[i];
        if (strncmp(*known, word, name + 1) == 0) {
            free(*known);
            *known = word;
            return true;
        }
    }
    add_word(&r->definitions, word);
    return true;
}

static bool
read_line(struct reader *r, const char *text)
{
    static const struct {
        const char *word;
        bool (*read)(struct reader *r, const char *text);
    } kinds[] = {{"launch", add_launch},
                 {"expect", add_expectation},
                 {"error", add_error},
                 {"options", add_options},
                 {"only", set_only}};
    size_t length = strcspn(text, " \t");
    if (is_definition(text))
        return add_definition(r, text);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *rest = text + length;
        if (strlen(kinds[i].word) == length && strncmp(kinds[i].word, text, length) == 0)
            return kinds[i].read(r, rest + strspn(rest, " \t"));
    }
    return fail(r, "a line of a test is NAME = VALUE, launch, expect, error, options or only",
                text);
}

int
test_lines_read(struct test_file *out, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    struct reader r = {.path = path, .file = out};
    *out = (struct test_file){0};
    out->fault = tool_load_file(path, &text, &length);
    if (out->fault)
        return TOOL_FAILED;
    bool fine = true;
    for (char *at = text, *next; at && *at && fine; at = next) {
        char *end = strchr(at, '\n');
        next = end ? end + 1 : NULL;
        end = end ? end : at + strlen(at);
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        *end = '\0';
        r.line++;
        at += strspn(at, " \t");
        if (at[0] == '#' && at[1] == ':' && at[2])
            fine = read_line(&r, at + 2 + strspn(at + 2, " \t"));
    }
    if (fine && !out->n) {
        out->fault = tool_printf("%s has no tests: lines that begin with `#: launch`", path);
        fine = false;
    }
    free_words(&r.definitions);
    free_words(&r.options);
    free(text);
    return fine ? TOOL_DONE : TOOL_USAGE;
}

void
test_lines_release(struct test_file *file)
{
    for (size_t i = 0; i < file->n; i++) {
        free_words(&file->cases[i].words);
        free(file->cases[i].name);
        free(file->cases[i].error);
    }
    free(file->cases);
    free(file->fault);
    *file = (struct test_file){0};
}
