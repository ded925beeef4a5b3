/* Inside the lexer: declarations that its files share. */
#ifndef CK_LEX_INTERNAL_H
#define CK_LEX_INTERNAL_H

#include "lang/syntax/lex.h"

/* The longest quotation in a message, since tokens may be megabytes long. */
enum { CK_LEX_QUOTE_LIMIT = 40 };

static inline struct ck_span
ck_lex_span(const struct ck_lexer *lexer, const char *start, const char *end)
{
    return (struct ck_span){lexer->base + (uint32_t)(start - lexer->text),
                            lexer->base + (uint32_t)(end - lexer->text)};
}

static inline struct ck_token
ck_lex_token(const struct ck_lexer *lexer, enum ck_token_kind kind, const char *start)
{
    return (struct ck_token){.kind = kind, .span = ck_lex_span(lexer, start, lexer->cursor)};
}

/* The text from `start` to `end` for a message, truncated between characters if long. */
static inline const char *
ck_lex_quote(const struct ck_lexer *lexer, const char *start, const char *end)
{
    if (end - start <= CK_LEX_QUOTE_LIMIT)
        return ck_arena_strndup(lexer->arena, start, (size_t)(end - start));
    end = start + CK_LEX_QUOTE_LIMIT;
    while (((unsigned char)*end & 0xC0) == 0x80 && end > start)
        end--;
    return ck_arena_printf(lexer->arena, "%.*s...", (int)(end - start), start);
}

static inline unsigned
ck_lex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

/* A string literal, with the cursor after its opening quotes (lex_string.re). */
struct ck_token ck_lex_string(struct ck_lexer *lexer, const char *start);

#endif
