/* The manual's lines: the built-ins of lang/typed/builtins.def, and the names of NumPy and math of
 * lang/check/builtins/numpy.def. */
#ifndef LSP_MANUAL_H
#define LSP_MANUAL_H

#include "base/strbuf.h"
#include "lang/typed/typed.h"

struct lsp_entry {
    const char *path;   /* "atomic.add", "np.less" */
    const char *params; /* of numpy.def: their names; those in brackets are optional; NULL: not
                           known */
    int least, most;    /* arguments; -1: a value */
    const char *doc;
};

/* All entries: those of built-ins come first, in the order of their ids. */
const struct lsp_entry *lsp_entries(int *n);
const struct lsp_entry *lsp_entry_of(enum ck_builtin_id id);
/* The entry of a path as the program writes it, with Numba's prefixes or without: `cuda.grid`,
 * `np.less`. NULL: none. */
const struct lsp_entry *lsp_entry_find(const char *path);
/* The first entry whose path begins with these parts, as `atomic.add` with `atomic`; NULL: none. */
const struct lsp_entry *lsp_entry_below(const char *parts);
/* What a member belongs to: "group", "tile", "ndarray"; NULL: the entry is none. */
bool lsp_entry_is_member(const struct lsp_entry *entry);
/* Names that begin with an underscore are the prelude's. */
bool lsp_entry_is_public(const struct lsp_entry *entry);
/* The last part of the path. */
const char *lsp_entry_name(const struct lsp_entry *entry);

/* "name(x1, x2, out=...)", "name(2 to 3 arguments)", "name()". */
void lsp_entry_write(struct ck_strbuf *out, const char *name, const struct lsp_entry *entry);

#endif
