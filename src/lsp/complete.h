/* Completion: what may stand at the cursor. */
#ifndef LSP_COMPLETE_H
#define LSP_COMPLETE_H

#include "meaning.h"

/* Kinds of items of the protocol. */
enum lsp_item_kind {
    LSP_ITEM_METHOD = 2,
    LSP_ITEM_FUNCTION = 3,
    LSP_ITEM_FIELD = 5,
    LSP_ITEM_VARIABLE = 6,
    LSP_ITEM_TYPE = 7,
    LSP_ITEM_MODULE = 9,
    LSP_ITEM_PROPERTY = 10,
    LSP_ITEM_KEYWORD = 14,
    LSP_ITEM_CONSTANT = 21,
};

/* The list of a request, in which each label is once. */
struct lsp_items {
    struct lsp_request *request;
    struct json_object *list;
    struct ck_index index; /* of the labels */
    const char **labels;
    int n, capacity;
};

/* An item; detail and text may be NULL. `rank` sorts: lower ones come first. */
void lsp_add_item(struct lsp_items *items, const char *label, enum lsp_item_kind kind, int rank,
                  const char *detail, const char *text);
/* A built-in, under this label. */
void lsp_add_entry(struct lsp_items *items, const char *label, const struct lsp_entry *entry,
                   int rank);

/* complete_import.c: what may stand at `name`, the place of a name, in an import statement. False:
 * it is in none. */
bool lsp_complete_import(struct lsp_items *items, const struct lsp_place *place, uint32_t name);
/* complete_member.c: what may follow the dot before `name`, the place of the name after it. */
void lsp_complete_member(struct lsp_items *items, const struct lsp_place *place, uint32_t name);
/* The beginning of the built-ins' paths that follow a prefix: "" for `cuda`. */
void lsp_add_path(struct lsp_items *items, const char *path, int rank);

#endif
