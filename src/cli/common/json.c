/* JSON text: see json.h. */
#include "json.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"

void
tool_json_string(struct ck_strbuf *out, const char *text)
{
    uint32_t code;
    ck_strbuf_putc(out, '"');
    for (const char *c = text, *end = text + strlen(text); c < end;) {
        int length = ck_utf8_decode(c, end, &code);
        if (!length)
            ck_strbuf_puts(out, "\xEF\xBF\xBD");
        else if (code == '"' || code == '\\')
            ck_strbuf_printf(out, "\\%c", *c);
        else if (code == '\n')
            ck_strbuf_puts(out, "\\n");
        else if (code < 0x20 || code == 0x7F)
            ck_strbuf_printf(out, "\\u%04x", (unsigned)code);
        else
            ck_strbuf_add(out, c, (size_t)length);
        c += length ? length : 1;
    }
    ck_strbuf_putc(out, '"');
}

void
tool_json_separate(struct ck_strbuf *out)
{
    const char last = out->length ? ck_strbuf_text(out)[out->length - 1] : ',';
    if (!strchr("{[,:", last))
        ck_strbuf_putc(out, ',');
}

void
tool_json_key(struct ck_strbuf *out, const char *key)
{
    tool_json_separate(out);
    ck_strbuf_printf(out, "\"%s\":", key);
}

void
tool_json_member(struct ck_strbuf *out, const char *key, const char *value)
{
    if (!value)
        return;
    tool_json_key(out, key);
    tool_json_string(out, value);
}

void
tool_json_number(struct ck_strbuf *out, const char *key, unsigned long long value)
{
    tool_json_key(out, key);
    ck_strbuf_printf(out, "%llu", value);
}

void
tool_json_uri(struct ck_strbuf *out, const char *key, const char *path)
{
    tool_json_key(out, key);
    ck_strbuf_puts(out, path[0] == '/' ? "\"file://" : "\"");
    for (const char *c = path; *c; c++) {
        if (isalnum((unsigned char)*c) || strchr("/-._~", *c))
            ck_strbuf_putc(out, *c);
        else
            ck_strbuf_printf(out, "%%%02X", (unsigned char)*c);
    }
    ck_strbuf_putc(out, '"');
}
