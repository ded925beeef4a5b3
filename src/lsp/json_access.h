/* Short forms of json-c: reading members that may be absent or of another type, and writing. */
#ifndef LSP_JSON_ACCESS_H
#define LSP_JSON_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* The member of an object; NULL: it has none, or `object` is no object. */
struct json_object *lsp_get(struct json_object *object, const char *key);
/* The member at the end of a path of keys, which ends with NULL. */
struct json_object *lsp_get_path(struct json_object *object, const char *const *keys);
/* A string; NULL: another type. */
const char *lsp_get_string(struct json_object *object, const char *key);
/* An integer from 0 to UINT32_MAX. False: another value. */
bool lsp_get_number(struct json_object *object, const char *key, uint32_t *out);
bool lsp_get_flag(struct json_object *object, const char *key);
/* Whether a list of strings has this one. */
bool lsp_has_string(struct json_object *list, const char *text);

void lsp_put(struct json_object *object, const char *key, struct json_object *value);
void lsp_put_string(struct json_object *object, const char *key, const char *text);
void lsp_put_number(struct json_object *object, const char *key, int64_t number);
void lsp_put_flag(struct json_object *object, const char *key, bool value);
struct json_object *lsp_new_string(const char *text);
/* A value that is written as this JSON: an object of json-c takes a kilobyte. */
struct json_object *lsp_new_written(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
