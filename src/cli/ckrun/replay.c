/* The command that runs a launch again as it ran, for a shell. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ckrun.h"

/* A word of a shell's command: in single quotes unless every character is plain. */
static void
put_word(struct ck_strbuf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%_+=:,./-";
    if (out->length)
        ck_strbuf_putc(out, ' ');
    if (*word && !word[strspn(word, plain)]) {
        ck_strbuf_puts(out, word);
        return;
    }
    ck_strbuf_putc(out, '\'');
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            ck_strbuf_puts(out, "'\\''");
        else
            ck_strbuf_putc(out, *c);
    }
    ck_strbuf_putc(out, '\'');
}

static void
put_option(struct ck_strbuf *out, const char *name, const char *value)
{
    if (!value)
        return;
    put_word(out, name);
    put_word(out, value);
}

char *
ckrun_replay(const struct ckrun_session *session, unsigned checks, const char *print)
{
    const struct ckrun_invocation *given = session->invocation;
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    put_word(&out, given->program);
    put_option(&out, "--device", given->device);
    put_option(&out, "--schedule", session->schedule);
    char *kinds = ckrun_checks_text(checks), *check = tool_printf("--check=%s", kinds);
    put_word(&out, check);
    free(kinds);
    free(check);
    put_option(&out, "--math", given->math);
    for (size_t i = 0; i < given->n_compile_words; i++)
        put_word(&out, given->compile_words[i]);
    put_option(&out, "--print", print);
    if (given->file[0] == '-' && given->file[1])
        put_word(&out, "--");
    put_word(&out, given->file);
    for (size_t i = 0; i < session->n_launched; i++)
        put_word(&out, given->launches[i]);
    for (size_t i = 0; i < given->n_definitions; i++)
        put_word(&out, given->definitions[i]);
    char *text = ck_strbuf_take(&out);
    return text ? text : tool_strndup("", 0);
}
