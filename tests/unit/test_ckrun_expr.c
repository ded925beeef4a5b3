/* ckrun's expressions, values and launches; and the messages for wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/ckrun/ckrun.h"

/* --- Helpers -----------------------------------------------------------------------------------
 */

const char tool_program[] = "ckrun";

static struct ckrun_env
new_env(void)
{
    struct ckrun_env env = {0};
    assert_int_equal(ck_context_new(&env.ctx, NULL), CK_OK);
    return env;
}

static void
free_env(struct ckrun_env *env)
{
    ck_context *ctx = env->ctx;
    ckrun_env_release(env);
    ck_context_free(ctx);
}

/* Standard error goes to a file between these. */
static int saved_stderr;

static void
capture(FILE *file)
{
    fflush(stderr);
    saved_stderr = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
}

static void
captured(FILE *file, char *text, size_t size)
{
    fflush(stderr);
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void
define(struct ckrun_env *env, const char *text)
{
    assert_int_equal(ckrun_define(env, text), TOOL_DONE);
}

static const struct ckrun_value *
value_of(const struct ckrun_env *env, const char *name)
{
    struct ckrun_name *found = ckrun_find(env, name, strlen(name));
    assert_non_null(found);
    return &found->value;
}

/* The one line that `x=TEXT` prints as. */
static const char *
evaluated(const char *text)
{
    static char line[400];
    struct ckrun_env env = new_env();
    char *definition = tool_printf("x=%s", text);
    char *bytes = NULL;
    size_t size;
    FILE *out = open_memstream(&bytes, &size);
    define(&env, "M=zeros((6, 4), int32)");
    define(&env, definition);
    ckrun_print_value(out, value_of(&env, "x"));
    fclose(out);
    snprintf(line, sizeof line, "%s", bytes);
    line[strcspn(line, "\n")] = '\0';
    free(bytes);
    free(definition);
    free_env(&env);
    return line;
}

static const char *
error_of(const char *definition)
{
    static char text[1000];
    struct ckrun_env env = new_env();
    FILE *file = tmpfile();
    define(&env, "M=zeros((6, 4), int32)");
    capture(file);
    int status = ckrun_define(&env, definition);
    captured(file, text, sizeof text);
    assert_int_equal(status, TOOL_USAGE);
    free_env(&env);
    return text;
}

static const char *
launch_error(const char *launch)
{
    static char text[1000];
    struct ckrun_env env = new_env();
    struct ckrun_launch out;
    FILE *file = tmpfile();
    define(&env, "M=zeros((6, 4), int32)");
    capture(file);
    bool parsed = ckrun_parse_launch(&out, &env, launch, false);
    captured(file, text, sizeof text);
    assert_false(parsed);
    free_env(&env);
    return text;
}

/* --- Arithmetic --------------------------------------------------------------------------------
 */

static void
test_arithmetic(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1+2j", "(1.0+2.0j)"},
        {"-(1.5 - 2J) * 2", "(-3.0+4.0j)"},
        {"(10+20j) / 2j", "(10.0-5.0j)"},
        {"2j ** 0", "(1.0+0.0j)"},
        {"complex64(1, 2)", "(1.0+2.0j)"},
        {"complex128(2.5)", "(2.5+0.0j)"},
        {"bool(1j)", "True"},
        {"1 + 2 * 3", "7"},
        {"(1 + 2) * 3", "9"},
        {"2 ** 3 ** 2", "512"},
        {"-2 ** 2", "-4"},
        {"2 ** -1", "0.5"},
        {"-7 // 2", "-4"},
        {"-7 % 3", "2"},
        {"7 % -3", "-2"},
        {"7 / 2", "3.5"},
        {"7.5 // 2", "3.0"},
        {"-7.5 % 2", "0.5"},
        {"1_000 * 0x10", "16000"},
        {"0b101 + 0o17", "20"},
        {"1e3", "1000.0"},
        {".5 + 1.", "1.5"},
        {"--3", "3"},
        {"18446744073709551615", "18446744073709551615"},
        {"True + 1", "2"},
        {"min(3, 1.5, 2)", "1.5"},
        {"max(3, 1.5, 2)", "3"},
        {"float32(0.1)", "0.1"},
        {"np.int8(-3) * 2", "-6"},
        {"np.int8(-3) ** 3", "-27"},
        {"7 & 3 | 8 ^ 1", "11"},
        {"1 << 70 >> 68", "4"},
        {"True & False", "False"},
        {"1 < 2", "True"},
        {"2.5 >= 3", "False"},
        {"1j == 1j", "True"},
        {"not 1 or 0", "0"},
        {"3 and 4", "4"},
        {"0 or 5", "5"},
        {"not not 3", "True"},
        {"abs(-3)", "3"},
        {"sqrt(4)", "2.0"},
        {"abs(3+4j)", "5.0"},
        {"minimum(3, 2.5)", "2.5"},
        {"where(True, 1, 2)", "1"},
        {"(1, 2, 3)[1:]", "(2, 3)"},
        {"(1, 2, 3)[::-1]", "(3, 2, 1)"},
        {"M[1, 2]", "0"},
        {"M.shape", "(6, 4)"},
        {"M.shape[1] // 3", "1"},
        {"M.shape[-1]", "4"},
        {"M.size", "24"},
        {"M.ndim", "2"},
        {"len(M)", "6"},
        {"(1,)", "(1,)"},
        {"()", "()"},
        {"-inf", "-inf"},
        {"-0.0", "-0.0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(evaluated(cases[i][0]), cases[i][1]);
}

static void
test_arrays(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"zeros(3)", "[0. 0. 0.]"},
        {"zeros(3, int32)", "[0 0 0]"},
        {"zeros(shape=(3,), dtype='i2')", "[0 0 0]"},
        {"np.ones((1, 2), dtype=np.float32)", "[[1. 1.]]"},
        {"ones(2, bool)", "[ True  True]"},
        {"full(2, 7)", "[7 7]"},
        {"full(2, 7.5)", "[7.5 7.5]"},
        {"full(2, 7.5, int32)", "[7 7]"},
        {"full((2,), fill_value=True)", "[ True  True]"},
        {"arange(4)", "[0 1 2 3]"},
        {"arange(1, 4)", "[1 2 3]"},
        {"arange(10, 0, -3)", "[10  7  4  1]"},
        {"arange(0, 1, 0.25)", "[0.   0.25 0.5  0.75]"},
        {"arange(3, dtype=uint8)", "[0 1 2]"},
        {"arange(3, dtype=float16)", "[0. 1. 2.]"},
        {"arange(5, 5)", "[]"},
        {"arange(5, 1)", "[]"},
        {"zeros((), int8)", "0"},
        {"zeros((2, 0))", "[]"},
        {"zeros(M.shape[1], M.dtype)", "[0 0 0 0]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(evaluated(cases[i][0]), cases[i][1]);
}

static void
test_default_dtypes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ck_dtype dtype;
    } cases[] = {
        {"x=zeros(1)", CK_FLOAT64},        {"x=ones(1)", CK_FLOAT64},
        {"x=arange(1)", CK_INT64},         {"x=arange(1.0)", CK_FLOAT64},
        {"x=full(1, 2)", CK_INT64},        {"x=full(1, 2.0)", CK_FLOAT64},
        {"x=full(1, 2**63)", CK_UINT64},   {"x=full(1, float32(2))", CK_FLOAT32},
        {"x=zeros(1, float)", CK_FLOAT64}, {"x=zeros(1, 'bfloat16')", CK_BFLOAT16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ckrun_env env = new_env();
        define(&env, cases[i].text);
        assert_int_equal(value_of(&env, "x")->array->host.dtype, cases[i].dtype);
        free_env(&env);
    }
}

static void
test_fortran_order(void **state)
{
    (void)state;
    struct ckrun_env env = new_env();
    define(&env, "x=zeros((2, 3), order='F')");
    const ck_npy *host = &value_of(&env, "x")->array->host;
    assert_true(host->fortran_order);
    assert_int_equal(ckrun_offset(host, (int64_t[]){1, 2}), 5);
    assert_int_equal(ckrun_offset(host, (int64_t[]){1, 0}), 1);
    free_env(&env);
}

/* --- Errors ------------------------------------------------------------------------------------
 */

static void
test_value_errors(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"x=1 +", "ckrun: error: expected a value at the end\n  x=1 +\n       ^\n"},
        {"x=y", "ckrun: error: `y` is not defined; give it as y=VALUE\n  x=y\n    ^\n"},
        {"x=m.size", "ckrun: error: `m` is not defined; did you mean `M`?\n  x=m.size\n    ^\n"},
        {"x=1/0", "ckrun: error: division by zero\n  x=1/0\n     ^\n"},
        {"x=0 ** -1", "ckrun: error: division by zero\n  x=0 ** -1\n      ^\n"},
        {"x=9**99", "ckrun: error: the result is too large\n  x=9**99\n     ^\n"},
        {"x=1j/0j", "ckrun: error: division by zero\n  x=1j/0j\n      ^\n"},
        {"x=5 // 2j",
         "ckrun: error: complex numbers have no `//` and no `%`\n  x=5 // 2j\n      ^\n"},
        {"x=2jx", "ckrun: error: not a number\n  x=2jx\n    ^\n"},
        {"x=float32(1+2j)",
         "ckrun: error: (1+2j) does not fit in float32\n  x=float32(1+2j)\n            ^\n"},
        {"x=complex64(1e300j)",
         "ckrun: error: (0+1e+300j) does not fit in complex64\n  x=complex64(1e300j)\n"
         "              ^\n"},
        {"x=arange(3j)",
         "ckrun: error: `start` must be a number: this is a complex number\n  x=arange(3j)\n"
         "           ^\n"},
        {"x=zeros(-1)",
         "ckrun: error: a dimension of -1 is negative\n  x=zeros(-1)\n          ^\n"},
        {"x=zeros(2.5)", "ckrun: error: a shape is an integer or a tuple of integers: this is a "
                         "float\n  x=zeros(2.5)\n          ^\n"},
        {"x=zeros((1,1,1,1,1,1,1,1,1))",
         "ckrun: error: a shape has at most 8 dimensions\n  x=zeros((1,1,1,1,1,1,1,1,1))\n"
         "          ^\n"},
        {"x=zeros(10**15)", "ckrun: error: an array of shape (1000000000000000,) and dtype float64 "
                            "does not fit in memory\n  x=zeros(10**15)\n          ^\n"},
        {"x=zeros((2**40, 2**40))",
         "ckrun: error: an array of shape (1099511627776, 1099511627776) and dtype float64 does "
         "not fit in memory\n  x=zeros((2**40, 2**40))\n          ^\n"},
        {"x=zeros()", "ckrun: error: `zeros` needs the argument `shape`\n  x=zeros()\n    ^\n"},
        {"x=zeros(1, int32, 'C', 4)", "ckrun: error: `zeros` takes at most 3 arguments\n"
                                      "  x=zeros(1, int32, 'C', 4)\n                         ^\n"},
        {"x=zeros(1, dtyp=int32)", "ckrun: error: `zeros` has no argument `dtyp`; did you mean "
                                   "`dtype`?\n  x=zeros(1, dtyp=int32)\n             ^\n"},
        {"x=zeros(1, shape=2)",
         "ckrun: error: `shape` is given twice\n  x=zeros(1, shape=2)\n             ^\n"},
        {"x=full(2, 300, uint8)",
         "ckrun: error: 300 does not fit in uint8\n  x=full(2, 300, uint8)\n            ^\n"},
        {"x=arange(300, dtype=uint8)", "ckrun: error: the elements of `arange` do not all fit in "
                                       "uint8\n  x=arange(300, dtype=uint8)\n    ^\n"},
        {"x=arange(0, 1, 0)",
         "ckrun: error: the step of `arange` is zero\n  x=arange(0, 1, 0)\n    ^\n"},
        {"x=uniform(0, 1, 5)", "ckrun: error: `uniform` takes the shape first: write uniform(1000, "
                               "low=0, high=1)\n  x=uniform(0, 1, 5)\n               ^\n"},
        {"x=M", "ckrun: error: an array has one name: write x.copy() for another array, x[:] for "
                "another name of its memory\n  x=M\n    ^\n"},
        {"M=1", "ckrun: error: `M` is defined twice\n  M=1\n  ^\n"},
        {"max=1",
         "ckrun: error: `max` means something to ckrun: take another name\n  max=1\n  ^\n"},
        {"x=12abc", "ckrun: error: not a number\n  x=12abc\n    ^\n"},
        {"x=1 2", "ckrun: error: unexpected text after the expression\n  x=1 2\n      ^\n"},
        {"x=int8(200)", "ckrun: error: 200 does not fit in int8\n  x=int8(200)\n         ^\n"},
        {"x=M.foo", "ckrun: error: an array has here .shape .size .ndim .dtype .T .reshape(...) "
                    ".astype(dtype) .copy() .sum() .prod() .mean() .min() .max() .all() .any()\n"
                    "  x=M.foo\n      ^\n"},
        {"x='abc", "ckrun: error: the string is not closed\n  x='abc\n    ^\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(error_of(cases[i][0]), cases[i][1]);
}

static void
test_nesting_is_limited(void **state)
{
    (void)state;
    char text[20000] = "x=";
    memset(text + 2, '(', sizeof text - 3);
    assert_non_null(strstr(error_of(text), "nested too deeply"));
    memset(text + 2, '-', sizeof text - 3);
    assert_non_null(strstr(error_of(text), "nested too deeply"));
}

/* --- Launches ----------------------------------------------------------------------------------
 */

static void
test_launch(void **state)
{
    (void)state;
    struct ckrun_env env = new_env();
    struct ckrun_launch launch;
    define(&env, "M=zeros((6, 64), int32)");
    assert_true(ckrun_parse_launch(
        &launch, &env, "rows [ (M.shape[1] // 32, 3), 32, 0, 4 * 8 ] ( M, 2.5, )", false));
    assert_string_equal(launch.kernel, "rows");
    assert_int_equal(launch.grid.x, 2);
    assert_int_equal(launch.grid.y, 3);
    assert_int_equal(launch.grid.z, 1);
    assert_int_equal(launch.block.x, 32);
    assert_int_equal(launch.shared_bytes, 32);
    assert_int_equal(launch.n_args, 2);
    assert_int_equal(launch.args[0].value.kind, CKRUN_ARRAY);
    assert_int_equal(launch.args[1].value.kind, CKRUN_FLOAT);
    ckrun_launch_release(&launch);
    assert_true(ckrun_parse_launch(&launch, &env, "k[max, 256]()", false));
    assert_true(launch.grid_is_max);
    assert_int_equal(launch.n_args, 0);
    ckrun_launch_release(&launch);
    assert_true(ckrun_parse_launch(&launch, &env, "k[_, (8, 8), _, 16]", true));
    assert_false(launch.has_args);
    assert_int_equal(launch.block.y, 8);
    ckrun_launch_release(&launch);
    free_env(&env);
}

static void
test_launch_errors(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"k", "ckrun: error: expected `[` at the end\n  k\n   ^\n"},
        {"k(M)", "ckrun: error: a launch has a shape: k[GRID, BLOCK](ARG, ...)\n  k(M)\n   ^\n"},
        {"k[1](M)",
         "ckrun: error: a launch has a grid and a block: expected `,`\n  k[1](M)\n     ^\n"},
        {"k[1, 2]", "ckrun: error: expected `(` at the end\n  k[1, 2]\n         ^\n"},
        {"k[0, 2](M)", "ckrun: error: the grid of 0: it must be 1 or more\n  k[0, 2](M)\n    ^\n"},
        {"k[_, 2](M)", "ckrun: error: the grid is an integer or a tuple of one to three: this is "
                       "`None`\n  k[_, 2](M)\n    ^\n"},
        {"k[6 / 2, 2](M)",
         "ckrun: error: the grid is a float: divide with `//`\n  k[6 / 2, 2](M)\n    ^\n"},
        {"k[1, max](M)", "ckrun: error: the block is an integer or a tuple of one to three: this "
                         "is `max`\n  k[1, max](M)\n       ^\n"},
        {"k[1, 2, 5](M)", "ckrun: error: ckrun launches on the default stream: write 0\n"
                          "  k[1, 2, 5](M)\n          ^\n"},
        {"k[1, 2, 0, -1](M)", "ckrun: error: shared memory is a number of bytes, 0 or more\n"
                              "  k[1, 2, 0, -1](M)\n             ^\n"},
        {"k[1, 2](N)", "ckrun: error: `N` is not defined; give it as N=VALUE\n"
                       "  k[1, 2](N)\n          ^\n"},
        {"k[1, 2](M.dtype)",
         "ckrun: error: an argument is an array, a number, a tuple or None: this is a dtype\n"
         "  k[1, 2](M.dtype)\n          ^\n"},
        {"k[1, 2](zeros(3))",
         "ckrun: error: give the array a name of its own: 'NAME=zeros(3)', and NAME here\n"
         "  k[1, 2](zeros(3))\n          ^\n"},
        {"k[1, 2](M) x",
         "ckrun: error: unexpected text after the expression\n  k[1, 2](M) x\n             ^\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(launch_error(cases[i][0]), cases[i][1]);
}

/* --- Elements ----------------------------------------------------------------------------------
 */

static void
test_every_half_survives(void **state)
{
    (void)state;
    uint16_t bits;
    ck_npy array = {.dtype = CK_FLOAT16, .ndim = 0, .bytes = sizeof bits, .data = &bits};
    for (uint32_t i = 0; i < 0x10000; i++) {
        bits = (uint16_t)i;
        struct ckrun_element e = ckrun_load(&array, 0);
        bits = 0x5555;
        ckrun_store(&array, 0, &e);
        bool is_nan = (i & 0x7C00) == 0x7C00 && (i & 0x3FF);
        assert_true(is_nan ? (bits & 0x7E00) == 0x7E00 : bits == i);
    }
}

static void
test_expect(void **state)
{
    (void)state;
    char text[1000];
    struct ckrun_env env = new_env();
    struct ckrun_tolerance loose = {.relative = 1e-5, .absolute = 1e-8};
    struct ckrun_errors errors;
    struct ckrun_value seven = {.kind = CKRUN_INT, .i = 7};
    FILE *file = tmpfile();
    define(&env, "x=full((2, 2), 7, int32)");
    define(&env, "y=arange(4, dtype=int32)");
    define(&env, "z=full((2, 2), nan, float32)");
    const ck_npy *x = &value_of(&env, "x")->array->host;
    const ck_npy *y = &value_of(&env, "y")->array->host;
    const ck_npy *z = &value_of(&env, "z")->array->host;
    capture(file);
    assert_true(ckrun_expect_number("x", x, &seven, "7", loose, &errors));
    assert_true(ckrun_expect_array("z", z, z, "`z.npy`", loose, &errors));
    assert_false(ckrun_expect_array("x", x, y, "`y.npy`", loose, &errors));
    assert_false(ckrun_expect_array("x", x, z, "`z.npy`", loose, &errors));
    assert_false(ckrun_expect_number("y", y, &seven, "7", loose, &errors));
    captured(file, text, sizeof text);
    assert_string_equal(text, "ckrun: error: `x` has shape (2, 2), `y.npy` has shape (4,)\n"
                              "ckrun: error: `x` is int32, `z.npy` is float32\n"
                              "ckrun: error: `y` differs from 7 in 4 of 4 elements (exactly)\n"
                              "  y[0]: got 0, want 7\n"
                              "  y[1]: got 1, want 7\n"
                              "  y[2]: got 2, want 7\n"
                              "  y[3]: got 3, want 7\n"
                              "  largest error 7 (y[0]), relative 1 (y[0])\n");
    free_env(&env);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_default_dtypes),
        cmocka_unit_test(test_fortran_order),
        cmocka_unit_test(test_value_errors),
        cmocka_unit_test(test_nesting_is_limited),
        cmocka_unit_test(test_launch),
        cmocka_unit_test(test_launch_errors),
        cmocka_unit_test(test_every_half_survives),
        cmocka_unit_test(test_expect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
