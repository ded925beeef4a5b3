/* Arrays of the module in the device's memory, inside the checker. */
#ifndef CK_MODULE_ARRAY_H
#define CK_MODULE_ARRAY_H

#include "lang/check/checker.h"

/* Adds the array to those of the module, under a name unless it has one. Returns it, or the same
 * array of an earlier evaluation. */
struct ck_module_array *ck_keep_module_array(struct ck_checker *c, struct ck_module_array *array,
                                             const char *name);
/* A name in ASCII (instance.c); whether PTX or the image needs the symbol. */
void ck_mangle_name(struct ck_strbuf *out, const char *name);
bool ck_is_reserved_symbol(const struct ck_checker *c, const char *symbol);
/* Whether an array of the module has the symbol. */
bool ck_is_array_symbol(const struct ck_checker *c, const char *symbol);

#endif
