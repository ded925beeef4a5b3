/* The parser against hostile text: it ends, in time in proportion to the length, without a crash,
 * and with a tree no deeper than promised. What it makes of good text is in tests/parse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "lang/diag/diag.h"
#include "lang/syntax/ast.h"

static const char sample[] = "\"\"\"A module.\"\"\"\n"
                             "from numba import cuda, int32 as i4\n"
                             "import math, numpy as np\n"
                             "TPB = 16; SHAPE = (TPB, 0x1F_F)\n"
                             "N: float32 = 1_0.5e-3\n"
                             "@cuda.jit(void(int32[:, ::1]), fastmath=True)\n"
                             "def f(M: int32[::1], größe, c,) -> None:\n"
                             "    'doc' \"\\x41\\u00e9\\101\\n\"  # comment\n"
                             "    if not a < b <= c is not d and e or f: pass; x += 1\n"
                             "    elif a not in b:\n"
                             "        M[row, ::2, 1:, :n] = M[(i, j)][k] ** -x // ~2j\n"
                             "\telse_ = 1\n"
                             "    else:\n"
                             "        for i, (j, k) in range(3), :\n"
                             "            break\n"
                             "        else: continue\n"
                             "    while (True and\n"
                             "           x):\n"
                             "        assert a, '''m\n"
                             "''' r'\\n'\n"
                             "        return (1 if a else 2), [3, 4,\n"
                             "  5], \\\n"
                             "  print(a, sep=1)\n"
                             "    lambda x: {1: 2, **y}, [i for i in x], f'{x}', (y := 1), *z\n"
                             "    try:\n"
                             "        with a as b: yield\n"
                             "    except E: del x\n"
                             "class C: pass\n";

struct result {
    int n_errors;
    int n_items;
};

/* Parses, renders every message and dumps the tree. */
static struct result
parse(const char *text, size_t length)
{
    struct ck_arena arena;
    struct ck_source source;
    struct ck_diags diags;
    struct ck_strbuf out;
    ck_arena_init(&arena);
    ck_strbuf_init(&out);
    ck_source_init(&source, &arena, "a.ck", text, length);
    ck_diags_init(&diags, &arena, &source);
    struct ck_ast *ast = ck_parse(&arena, &source, &diags);
    assert_non_null(ast);
    assert_int_equal(diags.quiet, 0);
    for (const struct ck_diag *d = diags.first; d; d = d->next) {
        assert_true(d->span.start <= d->span.end && d->span.end <= length);
        ck_diag_render(&out, &source, d);
    }
    ck_ast_dump(&out, ast, &source);
    struct result result = {diags.n_errors, ast->n_items};
    ck_strbuf_free(&out);
    ck_arena_free(&arena);
    return result;
}

/* `count` times `unit`, between `before` and `after`; to be freed. */
static char *
repeated(const char *before, const char *unit, size_t count, const char *after, size_t *length)
{
    size_t n_before = strlen(before), n_unit = strlen(unit), n_after = strlen(after);
    *length = n_before + n_unit * count + n_after;
    char *text = malloc(*length + 1), *at = text;
    assert_non_null(text);
    at = mempcpy(at, before, n_before);
    for (size_t i = 0; i < count; i++)
        at = mempcpy(at, unit, n_unit);
    memcpy(at, after, n_after + 1);
    return text;
}

static struct result
parse_repeated(const char *before, const char *unit, size_t count, const char *after)
{
    size_t length;
    char *text = repeated(before, unit, count, after, &length);
    struct result result = parse(text, length);
    free(text);
    return result;
}

/* Each is too deep, and says so once; the line after is parsed still. */
static void
test_depth(void **state)
{
    static const struct {
        const char *before, *unit, *after;
    } deep[] = {
        {"x = ", "(", "\n"},
        {"x = ", "[", "\n"},
        {"x = ", "{", "\n"},
        {"x = ", "f(", "\n"},
        {"x = ", "a[", "\n"},
        {"x = ", "not ", "a\n"},
        {"x = ", "-", "a\n"},
        {"x = ", "~", "a\n"},
        {"x = a", ".b", "\n"},
        {"x = a", "()", "\n"},
        {"x = a", "[0]", "\n"},
        {"x = a", " + a", "\n"},
        {"x = a", " ** a", "\n"},
        {"x = a", " - a * a", "\n"},
        {"x = a", " < a", "\n"},
        {"x = a", " and a", "\n"},
        {"x = a", " or a and b", "\n"},
        {"x = ", "a if b else ", "c\n"},
        {"x = ", "(a, ", "\n"},
        {"x: ", "a[", "\n"},
        {"for ", "(", "\n"},
        {"@", "f(", "\ndef f(): pass\n"},
    };
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        struct result r = parse_repeated(deep[i].before, deep[i].unit, 100000, deep[i].after);
        assert_int_equal(r.n_errors, 1);
    }
}

/* Flat, however long. */
static void
test_breadth(void **state)
{
    static const struct {
        const char *before, *unit, *after;
    } broad[] = {
        {"x = ", "a, ", "\n"},
        {"x = f(", "a, ", ")\n"},
        {"x = [", "(1,), ", "]\n"},
        {"", "x = ", "1\n"},
        {"x = a[", ":, ", "]\n"},
        {"x = ", "'a' ", "\n"},
        {"", "x = 1; ", "\n"},
        {"", "x = 1\n", ""},
        {"", "\n", ""},
        {"def f(", "a,", "): pass\n"},
        {"", "@a\n", "def f(): pass\n"},
        {"import a", ", a", "\n"},
        {"from a import a", ", a", "\n"},
        {"x = (", "\n", "1)\n"},
        {"x = ", "\\\n", "1\n"},
    };
    for (size_t i = 0; i < sizeof broad / sizeof broad[0]; i++) {
        struct result r = parse_repeated(broad[i].before, broad[i].unit, 100000, broad[i].after);
        assert_int_equal(r.n_errors, 0);
    }
}

static void
test_deep_blocks(void **state)
{
    enum { DEPTH = 1500 };
    char *text = malloc(DEPTH * (DEPTH + 16));
    size_t n = (size_t)sprintf(text, "def f(a):\n");
    for (int i = 1; i < DEPTH; i++)
        n += (size_t)sprintf(text + n, "%*sif a:\n", i, "");
    n += (size_t)sprintf(text + n, "%*spass\nx = )\n", DEPTH, "");
    assert_int_equal(parse(text, n).n_errors, 2);
    free(text);
    assert_int_equal(
        parse_repeated("def f(a):\n if a: pass\n", " elif a: pass\n", 100000, " else: pass\n")
            .n_errors,
        1);
    assert_int_equal(parse_repeated("def f(a):\n", " if a: pass\n", 100000, "").n_errors, 0);
}

static void
test_tree_depth_is_bounded(void **state)
{
    size_t length;
    char *text = repeated("a", " + a", CK_MAX_TREE_DEPTH - 1, "", &length);
    struct ck_arena arena;
    struct ck_source source;
    struct ck_diags diags;
    ck_arena_init(&arena);
    ck_source_init(&source, &arena, "a.ck", text, length);
    ck_diags_init(&diags, &arena, &source);
    struct ck_expr *e = ck_parse_expression(&arena, text, (uint32_t)length, 0, &diags);
    assert_non_null(e);
    assert_int_equal(e->depth, CK_MAX_TREE_DEPTH);
    ck_arena_free(&arena);
    free(text);
}

static void
test_zero_bytes(void **state)
{
    static const char text[] = "x = 1\n\0y = 2\n";
    assert_int_equal(parse(text, sizeof text - 1).n_errors, 1);
    assert_int_equal(parse(text, sizeof text - 1).n_items, 0);
    static const char zeros[1000];
    assert_int_equal(parse(zeros, sizeof zeros).n_errors, 1);
    assert_int_equal(parse("", 0).n_errors, 0);
}

/* A file cut off anywhere, in the middle of a character included. */
static void
test_prefixes(void **state)
{
    for (size_t i = 0; i < sizeof sample; i++)
        parse(sample, i);
}

static uint32_t
next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* What is put in: bytes that mean something to the lexer, whole tokens, and any byte. */
static void
mutate(char *text, size_t length, uint32_t *seed)
{
    static const char *const pieces[] = {"(",
                                         ")",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         "'",
                                         "\"\"\"",
                                         "\\",
                                         "\n",
                                         "\n\n",
                                         "\r",
                                         "\t",
                                         "    ",
                                         ":",
                                         ",",
                                         ";",
                                         "@",
                                         "#",
                                         "def ",
                                         "\nelse:",
                                         " if ",
                                         " not ",
                                         ":=",
                                         "**",
                                         "0x",
                                         "1e",
                                         "\xC3",
                                         "\xE2\x80\x9C",
                                         "\xC2\xA0",
                                         "f'",
                                         "\xFF",
                                         "\f",
                                         " for "};
    for (uint32_t n = 1 + next_random(seed) % 8; n > 0; n--) {
        const char *piece = pieces[next_random(seed) % (sizeof pieces / sizeof pieces[0])];
        char any[2] = {(char)(next_random(seed) % 255 + 1), 0};
        if (next_random(seed) % 4 == 0)
            piece = any;
        size_t at = next_random(seed) % length, size = strlen(piece);
        memcpy(text + at, piece, size < length - at ? size : length - at);
    }
}

static void
test_mutations(void **state)
{
    enum { LENGTH = sizeof sample - 1, TRIPS = 4000 };
    uint32_t seed = 2463534242;
    char text[LENGTH];
    for (int i = 0; i < TRIPS; i++) {
        memcpy(text, sample, LENGTH);
        mutate(text, LENGTH, &seed);
        parse(text, LENGTH);
    }
}

static void
test_random_tokens(void **state)
{
    static const char *const tokens[] = {
        "a",      "b",      "1",     "2.5",    "'s'",    "(",    ")",     "[",    "]",      "{",
        "}",      ",",      ":",     ";",      ".",      "=",    "+",     "-",    "*",      "**",
        "@",      "<",      "not",   "in",     "is",     "if",   "else",  "elif", "for",    "while",
        "def",    "and",    "or",    "lambda", "return", "pass", "break", "try",  "except", "with",
        "class",  "import", "from",  "as",     "assert", "True", "match", "\n",   "\n ",    "\n  ",
        "\n    ", "\n\t",   ":\n  ", "->",     ":="};
    uint32_t seed = 88172645;
    char text[2048];
    for (int trip = 0; trip < 3000; trip++) {
        size_t n = 0;
        while (n < sizeof text - 16) {
            const char *token = tokens[next_random(&seed) % (sizeof tokens / sizeof tokens[0])];
            n += (size_t)sprintf(text + n, "%s ", token);
        }
        parse(text, n);
    }
}

static double
seconds(const char *text, size_t length)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    parse(text, length);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
}

/* Eight times the text may take some times eight as long, but not eight squared. */
static void
test_linear_time(void **state)
{
    static const struct {
        const char *before, *unit, *after;
    } shapes[] = {
        {"", "x = a[i, j] * 2.5 + f(b)  # comment\n", ""},
        {"", "def f(a, b):\n    if a:\n        return b\n", ""},
        {"x = ", "a, ", "\n"},
        {"x = a", " + a", "\n"},
        {"x = ", "(", "\n"},
        {"x = (", "\n", "1)\n"},
        {"x = (", " \n\t", "$)\n"},
        {"x = ", "'a' ", "\n"},
        {"x = ", "a\xC2\xA0", "\n"},
        {"x = ", "\xC3\xA9\xE2\x80\x9C", "\n"},
        {"x = ", "1_1", "\n"},
        {"x = ", "9", ".5\n"},
        {"x = ", "abc", "\n"},
        {"x = '''", "\\q\n'", "\n"},
        {"#", "\xC3\xA9 ", "\n"},
        {"", "x = )\n", ""},
        {"", "x = (1 +\n", ""},
        {"", "  x\n x\n", ""},
        {"", "\\\n", ""},
        {"", "$", ""},
        {"", "x = {", ""},
        {"x = f(", "a for a\n", ")\n"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        size_t unit = strlen(shapes[i].unit), length;
        size_t count = (CK_MAX_SOURCE - 64) / unit;
        char *whole = repeated(shapes[i].before, shapes[i].unit, count, shapes[i].after, &length);
        double all = seconds(whole, length);
        free(whole);
        char *part =
            repeated(shapes[i].before, shapes[i].unit, count / 8, shapes[i].after, &length);
        double eighth = seconds(part, length);
        free(part);
        if (getenv("CK_TEST_VERBOSE"))
            print_message("%2zu: %8.1f ms, an eighth %8.1f ms\n", i, all * 1e3, eighth * 1e3);
        assert_true(all < eighth * 24 + 0.25);
    }
}

/* --- Expressions alone ---------------------------------------------------------------------------
 */

static struct ck_expr *
parse_expression(struct ck_arena *arena, struct ck_diags *diags, const char *text, size_t length)
{
    ck_diags_init(diags, arena, NULL);
    return ck_parse_expression(arena, text, (uint32_t)length, 1000, diags);
}

static void
test_expression(void **state)
{
    static const char *const good[] = {"int32",
                                       " void(int32[:, ::1]) ",
                                       "(int32[:, ::1], float64)",
                                       "k(float32[::1],\n   int64)",
                                       "[void(int8), (int8,)]",
                                       "k()"};
    static const char *const bad[] = {"",   "void(", "int32[", "int32]", "a b",
                                      "a,", "a = 1", "a\nb",   "012",    "f(a for a b)",
                                      "'",  "\xFF",  "$",      "a;",     "(a))"};
    struct ck_arena arena;
    struct ck_diags diags;
    ck_arena_init(&arena);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_non_null(parse_expression(&arena, &diags, good[i], strlen(good[i])));
        assert_int_equal(diags.n_errors, 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(parse_expression(&arena, &diags, bad[i], strlen(bad[i])));
        assert_int_equal(diags.n_errors, 1);
        assert_int_equal(diags.quiet, 0);
        assert_true(diags.first->span.start >= 1000);
        assert_true(diags.first->span.end <= 1000 + strlen(bad[i]) + 1);
    }
    assert_null(parse_expression(&arena, &diags, "a\0b", 3));
    struct ck_expr *e = parse_expression(&arena, &diags, "abc[i]xyz", 6);
    assert_non_null(e);
    assert_int_equal(e->kind, CK_EXPR_SUBSCRIPT);
    assert_int_equal(e->span.start, 1000);
    assert_int_equal(e->span.end, 1006);
    ck_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth),       cmocka_unit_test(test_breadth),
        cmocka_unit_test(test_deep_blocks), cmocka_unit_test(test_tree_depth_is_bounded),
        cmocka_unit_test(test_zero_bytes),  cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_mutations),   cmocka_unit_test(test_random_tokens),
        cmocka_unit_test(test_linear_time), cmocka_unit_test(test_expression),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
