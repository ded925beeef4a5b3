/* The manual's lines: see manual.h. */
#include "manual.h"

#include <string.h>

static const struct lsp_entry entries[] = {
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc)                     \
    {path, NULL, min_args, max_args, doc},
#include "lang/typed/builtins.def"
#undef CK_BUILTIN
#define CK_NUMPY(path, params, typing, form, what, doc) {path, params, 0, 0, doc},
#include "lang/check/builtins/numpy.def"
#undef CK_NUMPY
};

const struct lsp_entry *
lsp_entries(int *n)
{
    *n = sizeof entries / sizeof *entries;
    return entries;
}

const struct lsp_entry *
lsp_entry_of(enum ck_builtin_id id)
{
    return &entries[id];
}

static const struct lsp_entry *
find(const char *path)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (strcmp(entries[i].path, path) == 0)
            return &entries[i];
    }
    return NULL;
}

/* The entry of `np.NAME`. */
static const struct lsp_entry *
find_numpy(const char *name)
{
    for (size_t i = CK_N_BUILTINS; i < sizeof entries / sizeof *entries; i++) {
        if (strncmp(entries[i].path, "np.", 3) == 0 && strcmp(entries[i].path + 3, name) == 0)
            return &entries[i];
    }
    return NULL;
}

/* What follows a prefix and a dot; NULL: the path has another beginning. */
static const char *
after(const char *path, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(path, prefix, n) == 0 && path[n] == '.' ? path + n + 1 : NULL;
}

/* The path without the first of the prefixes; NULL: it has none of them. */
static const char *
strip(const char *path, const char *const *prefixes)
{
    for (; *prefixes; prefixes++) {
        const char *rest = after(path, *prefixes);
        if (rest)
            return rest;
    }
    return NULL;
}

const struct lsp_entry *
lsp_entry_find(const char *path)
{
    static const char *const numba[] = {"numba", "cuda", "cg", "types", NULL};
    static const char *const modules[] = {"numpy", "np", "math", "cmath", NULL};
    const char *rest;
    while ((rest = strip(path, numba)))
        path = rest;
    rest = strip(path, modules);
    const char *numpy = after(path, "numpy");
    const struct lsp_entry *entry = numpy ? find_numpy(numpy) : find(path);
    return entry || !rest ? entry : find(rest);
}

const struct lsp_entry *
lsp_entry_below(const char *parts)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (after(entries[i].path, parts))
            return &entries[i];
    }
    return NULL;
}

bool
lsp_entry_is_member(const struct lsp_entry *entry)
{
    static const char *const owners[] = {"group",   "grid_group", "cluster_group",   "thread_block",
                                         "tile",    "wide_tile",  "coalesced_group", "part",
                                         "ndarray", NULL};
    return strip(entry->path, owners) != NULL;
}

bool
lsp_entry_is_public(const struct lsp_entry *entry)
{
    return *entry->path != '_';
}

const char *
lsp_entry_name(const struct lsp_entry *entry)
{
    const char *dot = strrchr(entry->path, '.');
    return dot ? dot + 1 : entry->path;
}

static void
write_params(struct ck_strbuf *out, const char *params)
{
    for (const char *c = params; *c; c++) {
        if (*c == ' ')
            ck_strbuf_puts(out, ", ");
        else
            ck_strbuf_putc(out, *c);
    }
}

void
lsp_entry_write(struct ck_strbuf *out, const char *name, const struct lsp_entry *entry)
{
    enum { ANY = 255 };
    ck_strbuf_puts(out, name);
    if (entry->most < 0)
        return;
    ck_strbuf_putc(out, '(');
    if (entry->params)
        write_params(out, entry->params);
    else if (entry->most >= ANY)
        ck_strbuf_printf(out, "%d or more arguments", entry->least);
    else if (entry->least < entry->most)
        ck_strbuf_printf(out, "%d to %d arguments", entry->least, entry->most);
    else if (entry->most)
        ck_strbuf_printf(out, "%d argument%s", entry->most, entry->most == 1 ? "" : "s");
    ck_strbuf_putc(out, ')');
}
