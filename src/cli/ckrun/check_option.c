/* The options --check and --check-limit: kinds of checks, and the findings of each. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ckrun.h"

static const struct kind {
    const char *name;
    unsigned bit;
    const char *findings[3]; /* of this kind alone; NULL ends them */
} kinds[] = {
    {"bounds", CK_CHECK_BOUNDS, {NULL}},
    {"race", CK_CHECK_RACE, {"data-race", "unwaited-copy"}},
    {"init", CK_CHECK_INIT, {"uninitialized-read"}},
    {"sync", CK_CHECK_SYNC, {"barrier-never-passed", "barrier-misuse"}},
    {"async", CK_CHECK_ASYNC, {"unwaited-copy"}},
    {"overflow", CK_CHECK_OVERFLOW, {"integer-overflow", "lossy-cast"}},
};

enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static const struct kind *
find_kind(const char *name, size_t length)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        if (strlen(kinds[i].name) == length && memcmp(name, kinds[i].name, length) == 0)
            return &kinds[i];
    }
    return NULL;
}

int
ckrun_set_checks(unsigned *checks, const char *value)
{
    *checks = value ? 0 : CK_CHECK_ALL;
    if (!value || strcmp(value, "none") == 0)
        return TOOL_DONE;
    for (const char *next = value;; next++) {
        size_t length = strcspn(next, ",");
        const struct kind *kind = find_kind(next, length);
        if (!kind) {
            tool_error(
                "--check takes bounds, race, init, sync, async and overflow, between commas, or "
                "none: `%s`",
                value);
            return TOOL_USAGE;
        }
        *checks |= kind->bit;
        next += length;
        if (!*next)
            return TOOL_DONE;
    }
}

int
ckrun_set_check_limit(size_t *limit, const char *value)
{
    uint64_t n;
    if (!tool_read_number(value, &n) || n > SIZE_MAX) {
        tool_error("--check-limit takes the number of findings to print, or 0 for all: `%s`",
                   value);
        return TOOL_USAGE;
    }
    *limit = (size_t)n;
    return TOOL_DONE;
}

/* Checks of bounds stay if they were on: without them, an index out of range ends the replay in
 * another way. `out-of-bounds` needs all: the others report accesses that are not aligned so. */
unsigned
ckrun_checks_of(const char *finding, unsigned checks)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        for (const char *const *name = kinds[i].findings; *name; name++) {
            if (checks & kinds[i].bit && strcmp(*name, finding) == 0)
                return kinds[i].bit | (checks & CK_CHECK_BOUNDS);
        }
    }
    return checks;
}

char *
ckrun_checks_text(unsigned checks)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    for (size_t i = 0; i < N_KINDS; i++) {
        if (checks & kinds[i].bit)
            ck_strbuf_printf(&text, "%s%s", text.length ? "," : "", kinds[i].name);
    }
    if (!checks)
        ck_strbuf_puts(&text, "none");
    char *taken = ck_strbuf_take(&text);
    return taken ? taken : tool_strndup("", 0);
}
