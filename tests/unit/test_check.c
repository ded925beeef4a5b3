/* The checker's interface: specialisations, --sig, which kernels are cooperative, and that the time
 * it takes stays in proportion to the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "lang/check/check.h"

/* --- A checked text ------------------------------------------------------------------------------
 */

struct fixture {
    struct ck_arena arena;
    struct ck_source source;
    struct ck_diags diags;
    struct ck_checker *checker;
    double seconds; /* of processor time, from the text to the typed program */
};

static void
open_text(struct fixture *f, const char *text)
{
    memset(f, 0, sizeof *f);
    ck_arena_init(&f->arena);
    ck_source_init(&f->source, &f->arena, "test.ck", text, strlen(text));
    ck_diags_init(&f->diags, &f->arena, &f->source);
    clock_t start = clock();
    struct ck_ast *ast = ck_parse(&f->arena, &f->source, &f->diags);
    static const char *const reserved[] = {"malloc", NULL};
    f->checker = ck_checker_new(&f->arena, &f->source, ast, &f->diags, reserved, NULL);
    ck_check_signatures(f->checker);
    f->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void
open_good(struct fixture *f, const char *text)
{
    open_text(f, text);
    if (f->diags.n_errors)
        fail_msg("%s", f->diags.first->message);
}

static void
close_fixture(struct fixture *f)
{
    ck_arena_free(&f->arena);
}

static struct ck_tfunc *
sig(struct fixture *f, const char *text)
{
    struct ck_tfunc *function = NULL;
    if (!ck_check_sig(f->checker, text, &function))
        fail_msg("%s: %s", text, f->diags.last->message);
    assert_non_null(function);
    return function;
}

/* --- Specialisations -----------------------------------------------------------------------------
 */

static const char generic[] = "@kernel\n"
                              "def scale(x, k):\n"
                              "    x[grid(1)] *= k\n"
                              "\n"
                              "@kernel\n"
                              "def two(x: int32[::1], y: float64):\n"
                              "    x[0] = y\n"
                              "\n"
                              "@kernel\n"
                              "def none():\n"
                              "    syncthreads()\n";

static void
test_kernels(void **state)
{
    (void)state;
    struct fixture f;
    open_good(&f, generic);
    assert_int_equal(ck_checker_n_kernels(f.checker), 3);
    const struct ck_kernel_info *scale = ck_checker_kernel(f.checker, 0);
    const struct ck_kernel_info *two = ck_checker_kernel(f.checker, 1);
    assert_string_equal(scale->name, "scale");
    assert_true(scale->is_generic);
    assert_int_equal(scale->n_signatures, 0);
    assert_string_equal(scale->param_names[1], "k");
    assert_false(two->is_generic);
    assert_int_equal(two->n_signatures, 1);
    assert_string_equal(ck_type_text(&f.arena, two->signatures[0][0]), "int32[::1]");
    assert_false(ck_checker_kernel(f.checker, 2)->is_generic);
    /* Only what has types is in the program. */
    assert_int_equal(ck_checker_program(f.checker)->n_functions, 2);
    close_fixture(&f);
}

static void
test_reserved_symbols(void **state)
{
    (void)state;
    struct fixture f;
    open_good(&f, "@kernel\ndef malloc(x):\n    x[0] = 1\n");
    struct ck_tfunc *kernel = sig(&f, "malloc(int32[::1])");
    assert_string_equal(kernel->name, "malloc");
    assert_string_not_equal(kernel->symbol, "malloc");
    close_fixture(&f);
}

static void
test_same_types_same_function(void **state)
{
    (void)state;
    struct fixture f;
    open_good(&f, generic);
    const struct ck_kernel_info *scale = ck_checker_kernel(f.checker, 0);
    struct ck_types *types = ck_checker_types(f.checker);
    const struct ck_type *f32 = ck_type_scalar(CK_TYPE_FLOAT32);
    const struct ck_type *args[] = {ck_type_array(types, f32, 1, CK_LAYOUT_C, CK_SPACE_GLOBAL),
                                    ck_type_scalar(CK_TYPE_INT64)};
    struct ck_tfunc *first = ck_check_kernel(f.checker, scale, args, 2);
    assert_non_null(first);
    assert_ptr_equal(ck_check_kernel(f.checker, scale, args, 2), first);
    assert_ptr_equal(sig(&f, "scale(float32[::1], int64)"), first);
    assert_ptr_equal(sig(&f, "scale(f4[::1], i8)"), first);
    struct ck_tfunc *other = sig(&f, "scale(float32[:], int64)");
    assert_ptr_not_equal(other, first);
    assert_string_not_equal(other->symbol, first->symbol);
    assert_int_equal(ck_checker_program(f.checker)->n_functions, 4);
    struct ck_tfunc *alone[] = {other};
    assert_int_equal(ck_checker_program_of(f.checker, alone, 1)->n_functions, 1);
    close_fixture(&f);
}

static void
test_wrong_count(void **state)
{
    (void)state;
    struct fixture f;
    open_good(&f, generic);
    assert_null(ck_check_kernel(f.checker, ck_checker_kernel(f.checker, 0), NULL, 0));
    assert_int_equal(f.diags.last->id, CK_DIAG_SIGNATURE_COUNT);
    assert_string_equal(f.diags.last->message,
                        "a signature of 0 parameters for `scale`, which has 2");
    close_fixture(&f);
}

static void
test_bad_sigs(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"scale", "a signature is written kernel(T, ...)"},
        {"", "expected an expression, found end of file"},
        {"scale(", "`(` is never closed"},
        {"a.b(int32)", "a signature is written kernel(T, ...)"},
        {"other(int32)", "there is no kernel `other`"},
        {"scale(int32[::1], x)", "`x` is not defined"},
        {"scale(3, int32)", "this is not a type"},
        {"scale(void, int32)", "no parameter is void"},
        {"scale(int32[::1], k=int32)",
         "a signature has types only, in the order of the parameters"},
        {"scale(int32[::1])", "a signature of 1 parameter for `scale`, which has 2"},
        {"scale(complex64[::1], complex64[:, :, :, :, :, :, :, :, :])",
         "an array has at most 8 dimensions"},
        {"scale(float32, float32)", "float32 cannot be indexed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct ck_tfunc *function = NULL;
        open_good(&f, generic);
        assert_false(ck_check_sig(f.checker, rows[i].text, &function));
        assert_null(function);
        assert_int_equal(f.diags.n_errors, 1);
        assert_string_equal(f.diags.last->message, rows[i].message);
        close_fixture(&f);
    }
}

/* --- Cooperative kernels -------------------------------------------------------------------------
 */

static void
test_cooperative(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool cooperative;
    } rows[] = {
        {"    g = this_grid()\n    x[g.thread_rank()] = g.size()\n", false},
        {"    this_grid().sync()\n", true},
        {"    g = cuda.cg.this_grid()\n    for i in range(x[0]):\n        g.sync()\n", true},
        {"    outer(x)\n", true},
        {"    maybe(False)\n", false},
        {"    maybe(True)\n", true},
        {"    if OFF:\n        this_grid().sync()\n", false},
        {"    x[0] = 1 if OFF and maybe(True) else 2\n", false},
        {"    while OFF:\n        this_grid().sync()\n", false},
        {"    return\n    this_grid().sync()\n", false},
        {"    syncthreads()\n    this_thread_block().sync()\n", false},
    };
    static const char before[] = "OFF = 1 > 2\n"
                                 "def inner(g):\n    g.sync()\n"
                                 "def outer(x):\n    inner(this_grid())\n"
                                 "def maybe(on):\n    if on:\n        this_grid().sync()\n"
                                 "    return 1\n"
                                 "@kernel\ndef k(x: int64[::1]):\n";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct ck_strbuf text;
        ck_strbuf_init(&text);
        ck_strbuf_printf(&text, "%s%s", before, rows[i].body);
        open_good(&f, ck_strbuf_text(&text));
        if (ck_tfunc_has(sig(&f, "k(int64[::1])"), CK_EFFECT_GRID_BARRIER) != rows[i].cooperative)
            fail_msg("cooperative %d is due:\n%s", rows[i].cooperative, rows[i].body);
        close_fixture(&f);
        ck_strbuf_free(&text);
    }
}

/* --- Time ----------------------------------------------------------------------------------------
 */

enum { PATIENCE = 1 }; /* seconds: a sanitised build on a slow machine needs a tenth of it */

/* `depth` loops in each other; each makes a name wider, which takes the loops another pass. */
static void
write_nest(struct ck_strbuf *out, int depth)
{
    ck_strbuf_puts(out, "@kernel\ndef k(x: int8[::1], y: float64[::1]):\n    a = 0\n    b = 0\n");
    for (int i = 0; i < depth; i++) {
        ck_strbuf_printf(out, "%*sfor i%d in range(3):\n", 4 * (i + 1), "", i);
        ck_strbuf_printf(out, "%*sb += x[i%d] * a\n", 4 * (i + 2), "", i);
    }
    for (int i = depth; i > 0; i--)
        ck_strbuf_printf(out, "%*sa = a + b + y[%d]\n", 4 * (i + 1), "", i);
}

static void
test_deep_nest(void **state)
{
    (void)state;
    struct ck_strbuf text;
    struct fixture f;
    ck_strbuf_init(&text);
    write_nest(&text, 12);
    open_good(&f, ck_strbuf_text(&text));
    assert_true(f.seconds < PATIENCE);
    close_fixture(&f);
    ck_strbuf_free(&text);
}

/* A chain of functions, each with a loop around the call of the next; the last is wrong. */
static void
test_error_under_loops(void **state)
{
    (void)state;
    enum { DEPTH = 24 };
    struct ck_strbuf text;
    struct fixture f;
    ck_strbuf_init(&text);
    for (int i = 0; i < DEPTH; i++)
        ck_strbuf_printf(&text, "def f%d(x):\n    for i in range(3):\n        f%d(x)\n", i, i + 1);
    ck_strbuf_printf(&text, "def f%d(x):\n    x[0] = missing\n", DEPTH);
    ck_strbuf_puts(&text, "@kernel\ndef k(x: int8[::1]):\n    f0(x)\n");
    open_text(&f, ck_strbuf_text(&text));
    assert_int_equal(f.diags.n_errors, 1);
    assert_int_equal(f.diags.first->id, CK_DIAG_UNKNOWN_NAME);
    assert_true(f.seconds < PATIENCE);
    close_fixture(&f);
    ck_strbuf_free(&text);
}

static double
seconds_for_functions(int n)
{
    struct ck_strbuf text;
    struct fixture f;
    ck_strbuf_init(&text);
    for (int i = 0; i < n; i++)
        ck_strbuf_printf(&text,
                         "def f%d(x, i):\n    t = 0\n    for k in range(i):\n"
                         "        if x[k] > %d:\n            t += x[k] * 2\n    return t\n",
                         i, i);
    ck_strbuf_puts(&text, "@kernel\ndef k(x: int32[::1]):\n");
    for (int i = 0; i < n; i++)
        ck_strbuf_printf(&text, "    x[%d] = f%d(x, grid(1))\n", i, i);
    open_good(&f, ck_strbuf_text(&text));
    assert_int_equal(ck_checker_program(f.checker)->n_functions, n + 1);
    close_fixture(&f);
    ck_strbuf_free(&text);
    return f.seconds;
}

static void
test_many_functions(void **state)
{
    (void)state;
    double few = seconds_for_functions(500), many = seconds_for_functions(2000);
    if (many > PATIENCE && many > 8 * few)
        fail_msg("%.3f s for 500 functions, %.3f s for 2000", few, many);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),          cmocka_unit_test(test_same_types_same_function),
        cmocka_unit_test(test_reserved_symbols), cmocka_unit_test(test_wrong_count),
        cmocka_unit_test(test_bad_sigs),         cmocka_unit_test(test_cooperative),
        cmocka_unit_test(test_deep_nest),        cmocka_unit_test(test_error_under_loops),
        cmocka_unit_test(test_many_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
