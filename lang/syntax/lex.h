/* The lexer: from text to tokens, layout (NEWLINE, INDENT, DEDENT) included.
 *
 * It never fails: errors are reported, and the next token still follows. The last token is END,
 * repeatedly. */
#ifndef CK_LEX_H
#define CK_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "lang/diag/diag.h"
#include "lang/syntax/ast.h"

enum ck_token_kind {
#define CK_TOKEN(id, text) CK_TOK_##id,
#include "lang/syntax/tokens.def"
#undef CK_TOKEN
    CK_N_TOKENS
};

struct ck_token {
    enum ck_token_kind kind;
    struct ck_span span;
    union {
        const char *name; /* NAME */
        struct {
            uint64_t value;
            bool too_large;
        } integer;       /* INT */
        double floating; /* FLOAT, IMAGINARY */
        struct {
            const char *bytes; /* decoded and zero-terminated */
            uint32_t length;
        } string; /* STRING */
        struct {
            const char *start, *end; /* between the quotes, as written */
            bool raw;
        } body; /* FSTRING */
    };
};

/* A line's indentation, measured twice as in CPython: with tabs to multiples of 8 and with tabs as
 * one column. Where the two disagree on which of two lines is deeper, the mix of tabs and spaces is
 * ambiguous. */
struct ck_indent {
    uint32_t column;
    uint32_t alternative;
};

struct ck_lexer {
    struct ck_arena *arena;
    struct ck_diags *diags;
    const char *text;
    const char *cursor;
    const char *limit; /* a zero byte is there */
    uint32_t base;     /* added to spans' offsets */
    bool flat;         /* no layout: newlines are spaces */

    bool at_line_start;
    bool line_has_tokens; /* a NEWLINE follows at its end */
    bool line_is_cut;     /* a bracket was not closed: the logical line ends here, in error */
    bool tabs_reported;   /* further errors in layout may be consequences */
    bool indent_due;
    uint32_t dedents_due;
    struct ck_indent *indents; /* of the enclosing blocks, outermost first */
    int n_indents;
    int indents_capacity;

    uint32_t open[CK_MAX_NESTING]; /* offsets of the open brackets; those beyond the array are only
                                      counted */
    uint32_t n_open;
};

/* `text` holds a zero byte at `length`, and outlives the lexer. */
void ck_lexer_init(struct ck_lexer *lexer, struct ck_arena *arena, const char *text,
                   uint32_t length, uint32_t base, struct ck_diags *diags);
struct ck_token ck_lexer_next(struct ck_lexer *lexer);

/* Decodes a part of an f-string's body: escape sequences, unless raw, and line ends. False after an
 * error. */
bool ck_lexer_decode(const struct ck_lexer *lexer, const char *start, const char *end, bool raw,
                     const char **bytes, uint32_t *length);

/* Whether the text can be lexed: reports bytes that are not UTF-8 (only the first; lexing can
 * continue), and zero bytes, for which it returns false. */
bool ck_lexer_check_text(const struct ck_lexer *lexer);

/* Ends the logical line before `token`, in spite of open brackets, if `token` looks like the start
 * of another: it is the first of its line, and indented no deeper than the block. The next token is
 * then NEWLINE. */
bool ck_lexer_can_cut(const struct ck_lexer *lexer, const struct ck_token *token);
void ck_lexer_cut(struct ck_lexer *lexer, const struct ck_token *token);

/* The offset of the innermost open bracket, or -1. */
int64_t ck_lexer_open_bracket(const struct ck_lexer *lexer);

const char *ck_token_text(enum ck_token_kind kind);

#endif
