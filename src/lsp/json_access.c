/* Short forms of json-c: see json_access.h. */
#include "json_access.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct json_object *
lsp_get(struct json_object *object, const char *key)
{
    struct json_object *member = NULL;
    if (json_object_is_type(object, json_type_object))
        json_object_object_get_ex(object, key, &member);
    return member;
}

struct json_object *
lsp_get_path(struct json_object *object, const char *const *keys)
{
    for (; *keys && object; keys++)
        object = lsp_get(object, *keys);
    return object;
}

const char *
lsp_get_string(struct json_object *object, const char *key)
{
    struct json_object *member = lsp_get(object, key);
    return json_object_is_type(member, json_type_string) ? json_object_get_string(member) : NULL;
}

bool
lsp_get_number(struct json_object *object, const char *key, uint32_t *out)
{
    struct json_object *member = lsp_get(object, key);
    if (!json_object_is_type(member, json_type_int))
        return false;
    int64_t value = json_object_get_int64(member);
    *out = (uint32_t)value;
    return value >= 0 && value <= UINT32_MAX;
}

bool
lsp_get_flag(struct json_object *object, const char *key)
{
    struct json_object *member = lsp_get(object, key);
    return json_object_is_type(member, json_type_boolean) && json_object_get_boolean(member);
}

bool
lsp_has_string(struct json_object *list, const char *text)
{
    if (!json_object_is_type(list, json_type_array))
        return false;
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        struct json_object *item = json_object_array_get_idx(list, i);
        if (json_object_is_type(item, json_type_string) &&
            strcmp(json_object_get_string(item), text) == 0)
            return true;
    }
    return false;
}

void
lsp_put(struct json_object *object, const char *key, struct json_object *value)
{
    json_object_object_add(object, key, value);
}

struct json_object *
lsp_new_string(const char *text)
{
    return json_object_new_string(text);
}

struct json_object *
lsp_new_written(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    struct json_object *value = json_object_new_int(0);
    if (length >= 0)
        json_object_set_serializer(value, json_object_userdata_to_json_string, text,
                                   json_object_free_userdata);
    return value;
}

void
lsp_put_string(struct json_object *object, const char *key, const char *text)
{
    lsp_put(object, key, lsp_new_string(text));
}

void
lsp_put_number(struct json_object *object, const char *key, int64_t number)
{
    lsp_put(object, key, json_object_new_int64(number));
}

void
lsp_put_flag(struct json_object *object, const char *key, bool value)
{
    lsp_put(object, key, json_object_new_boolean(value));
}
