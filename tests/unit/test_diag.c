/* Diagnostics: what is recorded, how it is shown, which name is suggested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lang/diag/diag.h"

struct fixture {
    struct ck_arena arena;
    struct ck_source source;
    struct ck_diags diags;
    struct ck_strbuf out;
};

static void
begin(struct fixture *f, const char *text)
{
    ck_arena_init(&f->arena);
    ck_source_init(&f->source, &f->arena, "a.ck", text, strlen(text));
    ck_diags_init(&f->diags, &f->arena, &f->source);
    ck_strbuf_init(&f->out);
}

static void
end(struct fixture *f)
{
    ck_strbuf_free(&f->out);
    ck_arena_free(&f->arena);
}

/* The span of the first `part` in the source. */
static struct ck_span
at(const struct fixture *f, const char *part)
{
    const char *found = strstr(f->source.text, part);
    assert_non_null(found);
    uint32_t start = (uint32_t)(found - f->source.text);
    return (struct ck_span){start, start + (uint32_t)strlen(part)};
}

static void
assert_rendered(struct fixture *f, const struct ck_diag *diag, const char *expected)
{
    ck_strbuf_clear(&f->out);
    ck_diag_render(&f->out, &f->source, diag);
    assert_string_equal(ck_strbuf_text(&f->out), expected);
}

static void
test_record(void **state)
{
    struct fixture f;
    begin(&f, "x y z");
    struct ck_diag *first = ck_diag_add(&f.diags, CK_DIAG_SYNTAX, at(&f, "x"), "one");
    assert_ptr_equal(first, f.diags.first);
    ck_diag_add(&f.diags, CK_DIAG_SYNTAX, at(&f, "x"), "one again");
    assert_int_equal(f.diags.n_errors, 1);
    f.diags.quiet++;
    struct ck_diag *unheard = ck_diag_add(&f.diags, CK_DIAG_SYNTAX, at(&f, "y"), "two");
    f.diags.quiet--;
    ck_diag_help(&f.diags, unheard, "help");
    ck_diag_note(&f.diags, unheard, "note");
    ck_diag_label(&f.diags, unheard, at(&f, "z"), "label");
    assert_int_equal(f.diags.n_errors, 1);
    assert_null(unheard->help);
    f.diags.warning_off[CK_DIAG_UNKNOWN_ESCAPE] = true;
    ck_diag_add(&f.diags, CK_DIAG_UNKNOWN_ESCAPE, at(&f, "z"), "\\z");
    assert_int_equal(f.diags.n_warnings, 0);
    ck_diag_add(&f.diags, CK_DIAG_BAD_STRING, at(&f, "z"), "three");
    assert_int_equal(f.diags.n_errors, 2);
    assert_string_equal(f.diags.last->message, "three");
    end(&f);
}

static void
test_limit(void **state)
{
    struct fixture f;
    begin(&f, "x");
    for (uint32_t i = 0; i < 2 * CK_MAX_ERRORS; i++)
        ck_diag_add(&f.diags, CK_DIAG_SYNTAX, (struct ck_span){i, i}, "again");
    int n = 0;
    for (const struct ck_diag *d = f.diags.first; d; d = d->next)
        n++;
    assert_int_equal(n, CK_MAX_ERRORS + 1);
    assert_int_equal(f.diags.last->id, CK_DIAG_TOO_MANY_ERRORS);
    assert_string_equal(f.diags.last->message, "more than 100 errors; the rest are not shown");
    end(&f);
}

static void
test_names(void **state)
{
    assert_string_equal(ck_diag_name(CK_DIAG_MIXED_TABS), "mixed-tabs");
    assert_int_equal(ck_diag_find("mixed-tabs"), CK_DIAG_MIXED_TABS);
    assert_int_equal(ck_diag_find("no-such-row"), -1);
    for (int i = 0; i < CK_N_DIAGS; i++)
        assert_int_equal(ck_diag_find(ck_diag_name((enum ck_diag_id)i)), i);
}

static void
test_label_before(void **state)
{
    struct fixture f;
    begin(&f, "if tid < 16:\n    sync()\n");
    struct ck_diag *d = ck_diag_add(&f.diags, CK_DIAG_SYNTAX, at(&f, "sync()"), "not reached");
    ck_diag_label(&f.diags, d, at(&f, "tid < 16"), "this differs: `%s`", "tid");
    ck_diag_help(&f.diags, d, "move it");
    ck_diag_note(&f.diags, d, "in `f`");
    assert_rendered(&f, d,
                    "a.ck:2:5: error: not reached [syntax]\n"
                    "  |\n"
                    "1 | if tid < 16:\n"
                    "  |    -------- this differs: `tid`\n"
                    "2 |     sync()\n"
                    "  |     ^^^^^^\n"
                    "  = help: move it\n"
                    "  = note: in `f`\n");
    end(&f);
}

static void
test_one_line(void **state)
{
    struct fixture f;
    begin(&f, "a = b + c\n");
    struct ck_diag *d = ck_diag_add(&f.diags, CK_DIAG_SYNTAX, at(&f, "+"), "no");
    ck_diag_label(&f.diags, d, at(&f, "b"), "left");
    ck_diag_label(&f.diags, d, at(&f, "c"), "right");
    ck_diag_label(&f.diags, d, at(&f, "b + c"), "all");
    assert_rendered(&f, d,
                    "a.ck:1:7: error: no [syntax]\n"
                    "  |\n"
                    "1 | a = b + c\n"
                    "  |     - left\n"
                    "  |     ----- all\n"
                    "  |       ^ - right\n");
    end(&f);
}

static void
test_gaps(void **state)
{
    struct fixture f;
    begin(&f, "one\ntwo\nthree\n4\n5\n6\n7\n8\n9\nten\n");
    struct ck_diag *d = ck_diag_add(&f.diags, CK_DIAG_SYNTAX, at(&f, "three"), "no");
    ck_diag_label(&f.diags, d, at(&f, "one"), "first");
    ck_diag_label(&f.diags, d, at(&f, "ten"), "last");
    assert_rendered(&f, d,
                    "a.ck:3:1: error: no [syntax]\n"
                    "   |\n"
                    " 1 | one\n"
                    "   | --- first\n"
                    " 2 | two\n"
                    " 3 | three\n"
                    "   | ^^^^^\n"
                    "...\n"
                    "10 | ten\n"
                    "   | --- last\n");
    end(&f);
}

static void
test_odd_spans(void **state)
{
    struct fixture f;
    begin(&f, "f(a,\n  b)");
    struct ck_diag *d = ck_diag_add(&f.diags, CK_DIAG_SYNTAX, at(&f, "a,\n  b"), "two lines");
    assert_rendered(&f, d,
                    "a.ck:1:3: error: two lines [syntax]\n"
                    "  |\n"
                    "1 | f(a,\n"
                    "  |   ^^\n");
    struct ck_span beyond = {1000, 2000};
    d = ck_diag_add(&f.diags, CK_DIAG_SYNTAX, beyond, "past the end");
    assert_rendered(&f, d,
                    "a.ck:2:5: error: past the end [syntax]\n"
                    "  |\n"
                    "2 |   b)\n"
                    "  |     ^\n");
    end(&f);
}

static void
test_empty_source(void **state)
{
    struct fixture f;
    begin(&f, "");
    struct ck_diag *d = ck_diag_add(&f.diags, CK_DIAG_SOURCE_TOO_LARGE, (struct ck_span){0, 0});
    assert_rendered(&f, d,
                    "a.ck:1:1: error: source is larger than 4 MiB [source-too-large]\n"
                    "  |\n"
                    "1 |\n"
                    "  | ^\n");
    end(&f);
}

/* However long the line and wherever the marks, what is shown stays narrow. */
static void
test_long_line(void **state)
{
    struct fixture f;
    enum { LENGTH = 100000 };
    static char text[LENGTH + 1];
    for (int i = 0; i < LENGTH; i++)
        text[i] = i % 7 == 0 ? '\t' : i % 11 == 0 ? '\xE9' : 'x';
    begin(&f, text);
    for (uint32_t start = 0; start < LENGTH; start += 997) {
        struct ck_diag diag = {.id = CK_DIAG_SYNTAX, .message = "here"};
        diag.span = (struct ck_span){start, start + 300};
        ck_diag_label(&f.diags, &diag, (struct ck_span){LENGTH - start, LENGTH}, "there");
        ck_strbuf_clear(&f.out);
        ck_diag_render(&f.out, &f.source, &diag);
        assert_true(f.out.length < 1500);
    }
    end(&f);
}

static void
test_nearest_name(void **state)
{
    static const char *const names[] = {"grid",      "gridsize", "syncthreads",
                                        "threadIdx", "range",    "shared"};
    enum { N = sizeof names / sizeof names[0] };
    assert_string_equal(ck_nearest_name("gird", names, N), "grid");
    assert_string_equal(ck_nearest_name("syncthread", names, N), "syncthreads");
    assert_string_equal(ck_nearest_name("thread_idx", names, N), "threadIdx");
    assert_string_equal(ck_nearest_name("Range", names, N), "range");
    assert_string_equal(ck_nearest_name("grid_size", names, N), "gridsize");
    static const struct {
        const char *written, *defined, *wanted;
    } rows[] = {
        {"printf", "rint", NULL},
        {"ldg", "log", NULL},
        {"row", "pow", NULL},
        {"col", "cos", NULL},
        {"mix", "min", NULL},
        {"x1", "x2", NULL},
        {"total1", "total2", "total2"},
        {"int62", "int32", NULL},
        {"N", "n", "n"},
        {"sqr", "sqrt", "sqrt"},
        {"absf", "abs", "abs"},
        {"ciel", "ceil", "ceil"},
        {"pwo", "pow", "pow"},
        {"shard", "shared", "shared"},
        {"fooo", "foo", "foo"},
        {"atomik", "atomic", "atomic"},
        {"float23", "float32", "float32"},
        {"xs", "x", NULL},
        {"sm_60", "sm_80", NULL},
        {"sm90", "sm_90", "sm_90"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *found = ck_nearest_name(rows[i].written, &rows[i].defined, 1);
        if (rows[i].wanted)
            assert_string_equal(found, rows[i].wanted);
        else
            assert_null(found);
    }
    assert_null(ck_nearest_name("x", names, N));
    assert_null(ck_nearest_name("banana", names, N));
    assert_null(ck_nearest_name("", names, N));
    static const char *const short_words[] = {"ab"};
    assert_null(ck_nearest_name("abc", short_words, 1));
    assert_string_equal(ck_nearest_word("abc", short_words, 1), "ab");
    assert_null(ck_nearest_word("xb", short_words, 1));
    assert_null(ck_nearest_word("a", short_words, 1));
    assert_null(ck_nearest_name("grid", names, 0));
    char longest[200];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_null(ck_nearest_name(longest, names, N));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record),    cmocka_unit_test(test_limit),
        cmocka_unit_test(test_names),     cmocka_unit_test(test_label_before),
        cmocka_unit_test(test_one_line),  cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_odd_spans), cmocka_unit_test(test_empty_source),
        cmocka_unit_test(test_long_line), cmocka_unit_test(test_nearest_name),
    };
    return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
