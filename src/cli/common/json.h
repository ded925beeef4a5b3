/* JSON text, for the forms of messages that programs read. */
#ifndef JSON_H
#define JSON_H

#include "base/strbuf.h"

/* A string with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void tool_json_string(struct ck_strbuf *out, const char *text);
/* `,"key":"value"`, without the comma after a `{` or `[`; nothing for a NULL value. */
void tool_json_member(struct ck_strbuf *out, const char *key, const char *value);
void tool_json_number(struct ck_strbuf *out, const char *key, unsigned long long value);
/* `,"key":` */
void tool_json_key(struct ck_strbuf *out, const char *key);
/* A path as a URI reference: relative as it is, absolute with its scheme. */
void tool_json_uri(struct ck_strbuf *out, const char *key, const char *path);
/* A comma, but for the first item. */
void tool_json_separate(struct ck_strbuf *out);

#endif
