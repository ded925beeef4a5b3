/* Names in texts of PTX. Registers and labels share a name space with the module's kernels, which a
 * user may call `add` or `done`: ptxas takes a branch to such a label for one to the kernel, and
 * crashes at a kernel that has the name of an earlier register. So each name that a text declares
 * gets a `$`, which no kernel's name has. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "codegen/nvptx/nvptx.h"

enum { MAX_NAMES = 64 };

struct name {
    const char *text;
    size_t length;
};

/* What a text declares. */
struct names {
    struct name list[MAX_NAMES];
    size_t n;
};

static size_t
word_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return n;
}

static void
add(struct names *names, const char *text, size_t length)
{
    assert(names->n < MAX_NAMES && length);
    names->list[names->n++] = (struct name){text, length};
}

/* The registers of `.reg .b32 rank, n;`, from behind `.reg`. Returns the end. */
static const char *
add_registers(struct names *names, const char *at)
{
    at += strspn(at, " ");
    at += strcspn(at, " "); /* the type */
    while (*at && *at != ';') {
        at += strspn(at, " ,");
        add(names, at, word_length(at));
        at += word_length(at);
    }
    return at;
}

static void
find_names(struct names *names, const char *text)
{
    for (const char *at = text; *at;) {
        const size_t length = word_length(at);
        if (*at == '.' && strncmp(at, ".reg ", 5) == 0) {
            at = add_registers(names, at + 5);
        } else if (length) {
            if (at[length] == ':' && at[length + 1] != ':') /* not of .shared::cta */
                add(names, at, length);
            at += length;
        } else {
            at++;
        }
    }
}

static bool
is_declared(const struct names *names, const char *text, size_t length)
{
    for (size_t i = 0; i < names->n; i++) {
        if (names->list[i].length == length && memcmp(names->list[i].text, text, length) == 0)
            return true;
    }
    return false;
}

/* Whether the word is no part of an instruction's name, `add.u32`, or of `%tid.x` or `$0`. */
static bool
stands_alone(const char *text, const char *word, size_t length)
{
    return (word == text || !strchr(".%$", word[-1])) && word[length] != '.';
}

bool
ck_nvptx_own_names(struct ck_strbuf *out, const char *text)
{
    struct names names = {.n = 0};
    find_names(&names, text);
    for (const char *at = text; *at;) {
        const size_t length = word_length(at);
        ck_strbuf_add(out, at, length ? length : 1);
        if (length && is_declared(&names, at, length) && stands_alone(text, at, length))
            ck_strbuf_puts(out, "$$"); /* a `$`, as LLVM writes it */
        at += length ? length : 1;
    }
    return !out->failed;
}
