/* Code generation: typed programs to PTX text and to host code that runs here.
 *
 * Arithmetic is tested on trees built by hand, which reach every operator on every type; kernels
 * with control flow come through the checker. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/float16.h"
#include "codegen/driver/codegen.h"
#include "lang/check/check.h"
#include "runtime/context/context.h"
#include "runtime/image/cpu_abi.h"

/* --- A program and its context -----------------------------------------------------------------
 */

struct fixture {
    ck_context *ctx;
    struct ck_arena arena;
    struct ck_source source;
    struct ck_diags diags;
    const struct ck_program *program;
};

static void
open_fixture(struct fixture *f, const char *text)
{
    memset(f, 0, sizeof *f);
    assert_int_equal(ck_context_new(&f->ctx, NULL), CK_OK);
    ck_arena_init(&f->arena);
    ck_source_init(&f->source, &f->arena, "test.ck", text, strlen(text));
    ck_diags_init(&f->diags, &f->arena, &f->source);
}

/* Through the checker; the text must be right. */
static void
open_text(struct fixture *f, const char *text)
{
    open_fixture(f, text);
    struct ck_ast *ast = ck_parse(&f->arena, &f->source, &f->diags);
    static const char *const reserved[] = {"malloc", NULL};
    struct ck_checker *checker =
        ck_checker_new(&f->arena, &f->source, ast, &f->diags, reserved, NULL);
    ck_check_signatures(checker);
    if (f->diags.n_errors)
        fail_msg("%s", f->diags.first->message);
    f->program = ck_checker_program(checker);
}

static void
close_fixture(struct fixture *f)
{
    ck_arena_free(&f->arena);
    ck_context_free(f->ctx);
}

static const struct ck_codegen_options host_options = {
    .arch = "host", .opt_level = 3, .fmad = true};

static struct ck_image *
host_image(struct fixture *f, int opt_level)
{
    struct ck_codegen_options options = host_options;
    struct ck_image *image = NULL;
    struct ck_strbuf code;
    options.opt_level = opt_level;
    ck_strbuf_init(&code);
    if (ck_codegen_write(&code, f->ctx, f->program, &options, CK_FORM_CODE) ||
        ck_codegen_load(&image, f->ctx, &options, ck_strbuf_text(&code), code.length))
        fail_msg("%s", ck_context_error(f->ctx));
    ck_strbuf_free(&code);
    return image;
}

/* The form as text; free it. */
static char *
write_form(struct fixture *f, const struct ck_codegen_options *options, enum ck_codegen_form form)
{
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    if (ck_codegen_write(&out, f->ctx, f->program, options, form))
        fail_msg("%s: %s", options->arch, ck_context_error(f->ctx));
    return ck_strbuf_take(&out);
}

static char *
ptx_of(const char *text)
{
    struct fixture f;
    struct ck_codegen_options options = {.arch = "sm_90", .opt_level = 3, .fmad = true};
    open_text(&f, text);
    char *ptx = write_form(&f, &options, CK_FORM_PTX);
    close_fixture(&f);
    return ptx;
}

static int
count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

/* --- A small executor: one block after the other, barriers in step -----------------------------
 */

struct run {
    const struct ck_image *image;
    const uint64_t *params;
    uint32_t grid, block; /* one dimension */
};

static void
run_plain(const struct run *run)
{
    for (uint32_t b = 0; b < run->grid; b++) {
        struct ck_cpu_block block = {
            .block_idx = {b, 0, 0}, .block_dim = {run->block, 1, 1}, .grid_dim = {run->grid, 1, 1}};
        run->image->kernels[0].run_block(run->params, &block);
    }
}

/* All blocks are resident; every thread goes from barrier to barrier. */
static void
run_coroutines(const struct run *run)
{
    ck_host_start_fn *start = run->image->kernels[0].start;
    size_t size = ((size_t)start(NULL, NULL, 0, 0, 0, NULL) + 63) / 64 * 64;
    uint32_t n = run->grid * run->block;
    char *frames = aligned_alloc(64, size * n);
    struct ck_cpu_block *blocks = calloc(run->grid, sizeof *blocks);
    char *shared = aligned_alloc(256, 65536 * (size_t)run->grid);
    uint32_t waiting = 0;
    for (uint32_t t = 0; t < n; t++) {
        struct ck_cpu_block *block = &blocks[t / run->block];
        *block = (struct ck_cpu_block){.block_idx = {t / run->block, 0, 0},
                                       .block_dim = {run->block, 1, 1},
                                       .grid_dim = {run->grid, 1, 1},
                                       .shared = shared + 65536 * (size_t)(t / run->block)};
        start(run->params, block, t % run->block, 0, 0, frames + size * t);
        waiting += block->waiting != 0;
    }
    while (waiting) {
        assert_int_equal(waiting, n);
        waiting = 0;
        for (uint32_t t = 0; t < n; t++) {
            struct ck_cpu_block *block = &blocks[t / run->block];
            block->waiting = 0;
            (*(ck_host_resume_fn **)(frames + size * t))(frames + size * t);
            waiting += block->waiting != 0;
        }
    }
    free(frames);
    free(blocks);
    free(shared);
}

/* --- Trees by hand -----------------------------------------------------------------------------
 */

static struct ck_texpr *
new_expr(struct fixture *f, enum ck_texpr_kind kind, const struct ck_type *type)
{
    struct ck_texpr *expr = CK_NEW(&f->arena, struct ck_texpr);
    expr->kind = kind;
    expr->type = type;
    return expr;
}

static struct ck_texpr *
local(struct fixture *f, const struct ck_tfunc *tfunc, int i)
{
    struct ck_texpr *expr = new_expr(f, CK_T_LOCAL, tfunc->locals[i].type);
    expr->local = i;
    return expr;
}

static struct ck_tindex *
grid_index(struct fixture *f)
{
    struct ck_tindex *index = CK_NEW(&f->arena, struct ck_tindex);
    index->value = new_expr(f, CK_T_BUILTIN, ck_type_scalar(CK_TYPE_INT64));
    index->value->builtin.id = CK_BUILTIN_GRID;
    return index;
}

static struct ck_texpr *
element(struct fixture *f, const struct ck_tfunc *tfunc, int i)
{
    struct ck_texpr *array = local(f, tfunc, i);
    struct ck_texpr *expr = new_expr(f, CK_T_ELEMENT, array->type->array.elem);
    expr->element.array = array;
    expr->element.indices = grid_index(f);
    return expr;
}

/* A kernel over one-dimensional arrays of these element types, with a body yet to come. */
static struct ck_tfunc *
new_kernel(struct fixture *f, const enum ck_type_kind *kinds, int n)
{
    static const char *const names[] = {"a", "b", "c"};
    struct ck_types *types = CK_NEW(&f->arena, struct ck_types);
    struct ck_tfunc *tfunc = CK_NEW(&f->arena, struct ck_tfunc);
    struct ck_program *program = CK_NEW(&f->arena, struct ck_program);
    ck_types_init(types, &f->arena);
    tfunc->name = tfunc->symbol = "k";
    tfunc->is_kernel = true;
    tfunc->returns = ck_type_scalar(CK_TYPE_VOID);
    tfunc->locals = CK_NEW_ARRAY(&f->arena, struct ck_local, n);
    tfunc->n_locals = tfunc->n_params = n;
    for (int i = 0; i < n; i++) {
        tfunc->locals[i].name = names[i];
        tfunc->locals[i].type =
            ck_type_array(types, ck_type_scalar(kinds[i]), 1, CK_LAYOUT_C, CK_SPACE_GLOBAL);
    }
    *program = (struct ck_program){.arena = &f->arena, .source = &f->source, .types = types};
    program->functions = CK_NEW(&f->arena, struct ck_tfunc *);
    program->functions[0] = tfunc;
    program->n_functions = 1;
    f->program = program;
    return tfunc;
}

/* first[i] = value */
static void
set_body(struct fixture *f, struct ck_tfunc *tfunc, struct ck_texpr *value)
{
    struct ck_tstmt *store = CK_NEW(&f->arena, struct ck_tstmt);
    store->kind = CK_S_STORE;
    store->store.array = local(f, tfunc, 0);
    store->store.indices = grid_index(f);
    store->store.value = value;
    tfunc->body.stmts = CK_NEW(&f->arena, struct ck_tstmt *);
    tfunc->body.stmts[0] = store;
    tfunc->body.n = 1;
}

/* Runs a hand-made kernel on n elements of each array. */
static void
run_arrays(struct fixture *f, void **arrays, int n_arrays, size_t n)
{
    struct ck_image *image = host_image(f, 3);
    uint64_t params[6];
    for (int i = 0; i < n_arrays; i++) {
        params[2 * i] = (uint64_t)(uintptr_t)arrays[i];
        params[2 * i + 1] = n;
    }
    run_plain(&(struct run){image, params, 1, (uint32_t)n});
    image->free(image);
}

static void
run_binary(enum ck_type_kind kind, enum ck_binary_op op, void *out, const void *left,
           const void *right, size_t n)
{
    struct fixture f;
    open_fixture(&f, "");
    struct ck_tfunc *tfunc = new_kernel(&f, (enum ck_type_kind[]){kind, kind, kind}, 3);
    struct ck_texpr *expr = new_expr(&f, CK_T_BINARY, ck_type_scalar(kind));
    expr->binary.op = op;
    expr->binary.left = element(&f, tfunc, 1);
    expr->binary.right = element(&f, tfunc, 2);
    set_body(&f, tfunc, expr);
    run_arrays(&f, (void *[]){out, (void *)left, (void *)right}, 3, n);
    close_fixture(&f);
}

static void
run_cast(enum ck_type_kind to, enum ck_type_kind from, void *out, const void *in, size_t n)
{
    struct fixture f;
    open_fixture(&f, "");
    struct ck_tfunc *tfunc = new_kernel(&f, (enum ck_type_kind[]){to, from}, 2);
    struct ck_texpr *expr = new_expr(&f, CK_T_CAST, ck_type_scalar(to));
    expr->unary.operand = element(&f, tfunc, 1);
    set_body(&f, tfunc, expr);
    run_arrays(&f, (void *[]){out, (void *)in}, 2, n);
    close_fixture(&f);
}

/* --- Integers ----------------------------------------------------------------------------------
 */

typedef __int128 wide;

static wide
floor_divide(wide a, wide b)
{
    wide q = a / b;
    return a % b != 0 && (a % b < 0) != (b < 0) ? q - 1 : q;
}

static wide
power(wide base, wide exponent)
{
    if (exponent < 0)
        return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    unsigned __int128 result = 1, square = (unsigned __int128)base;
    for (; exponent; exponent >>= 1, square *= square)
        result *= exponent & 1 ? square : 1;
    return (wide)result;
}

static wide
shift(enum ck_binary_op op, wide a, wide count, int bits)
{
    bool out = count < 0 || count >= bits;
    if (op == CK_OP_SHL)
        return out ? 0 : (wide)((unsigned __int128)a << (int)count);
    return out ? (a < 0 ? -1 : 0) : a >> (int)count;
}

static wide
expected(enum ck_binary_op op, wide a, wide b, int bits)
{
    switch (op) {
    case CK_OP_ADD:
        return a + b;
    case CK_OP_SUB:
        return a - b;
    case CK_OP_MUL:
        return (wide)((unsigned __int128)a * (unsigned __int128)b);
    case CK_OP_FLOORDIV:
        return b ? floor_divide(a, b) : 0;
    case CK_OP_MOD:
        return b ? a - floor_divide(a, b) * b : 0;
    case CK_OP_POW:
        return power(a, b);
    case CK_OP_AND:
        return a & b;
    case CK_OP_OR:
        return a | b;
    case CK_OP_XOR:
        return a ^ b;
    default:
        return shift(op, a, b, bits);
    }
}

static const int64_t interesting[] = {
    0,          1,
    -1,         2,
    -2,         3,
    -3,         5,
    -5,         7,
    -7,         8,
    15,         16,
    31,         32,
    33,         63,
    64,         65,
    100,        -100,
    127,        -128,
    255,        32767,
    -32768,     65535,
    INT32_MAX,  INT32_MIN,
    UINT32_MAX, INT64_MAX,
    INT64_MIN,  INT64_MIN + 1,
};
enum {
    N_INTERESTING = sizeof interesting / sizeof *interesting,
    N_PAIRS = N_INTERESTING * N_INTERESTING
};

static wide
load(const char *array, const struct ck_type *type, size_t i)
{
    int bytes = ck_type_size(type);
    uint64_t bits = 0;
    memcpy(&bits, array + i * (size_t)bytes, (size_t)bytes);
    if (!ck_type_is_signed(type))
        return (wide)bits;
    int unused = 64 - 8 * bytes;
    return (wide)((int64_t)(bits << unused) >> unused);
}

static void
check_int_op(enum ck_type_kind kind, enum ck_binary_op op)
{
    const struct ck_type *type = ck_type_scalar(kind);
    size_t bytes = (size_t)ck_type_size(type);
    static char left[N_PAIRS * 8], right[N_PAIRS * 8], out[N_PAIRS * 8];
    for (size_t i = 0; i < N_PAIRS; i++) {
        memcpy(left + i * bytes, &interesting[i / N_INTERESTING], bytes);
        memcpy(right + i * bytes, &interesting[i % N_INTERESTING], bytes);
    }
    run_binary(kind, op, out, left, right, N_PAIRS);
    for (size_t i = 0; i < N_PAIRS; i++) {
        wide a = load(left, type, i), b = load(right, type, i);
        uint64_t want = (uint64_t)expected(op, a, b, (int)bytes * 8);
        if (memcmp(&want, out + i * bytes, bytes))
            fail_msg("type %d: %lld %s %lld is %lld, not %lld", (int)kind, (long long)a,
                     ck_binary_op_text(op), (long long)b, (long long)load(out, type, i),
                     (long long)want);
    }
}

static void
test_integer_operators(void **state)
{
    (void)state;
    for (int kind = CK_TYPE_INT8; kind <= CK_TYPE_UINT64; kind++) {
        for (int op = CK_OP_ADD; op <= CK_OP_XOR; op++) {
            if (op != CK_OP_DIV)
                check_int_op((enum ck_type_kind)kind, (enum ck_binary_op)op);
        }
    }
}

/* --- Floats ------------------------------------------------------------------------------------
 */

static void
divmod(double a, double b, double *quotient, double *mod)
{
    *mod = fmod(a, b);
    *quotient = a / b;
    if (b == 0)
        return;
    double q = (a - *mod) / b;
    if (*mod != 0) {
        if ((b < 0) != (*mod < 0)) {
            *mod += b;
            q -= 1;
        }
    } else {
        *mod = copysign(0, b);
    }
    if (q != 0) {
        *quotient = floor(q);
        if (q - *quotient > 0.5)
            *quotient += 1;
    } else {
        *quotient = copysign(0, a / b);
    }
}

static bool
same_double(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void
test_float_floor_division(void **state)
{
    (void)state;
    static const double values[] = {0.0, -0.0, 1.0,   -1.0,   0.1,      -0.1,      3.0, -3.0,
                                    7.5, -7.5, 1e300, -1e300, INFINITY, -INFINITY, NAN, 5e-324};
    enum { N = sizeof values / sizeof *values };
    double left[N * N], right[N * N], quotients[N * N], mods[N * N], powers[N * N];
    for (int i = 0; i < N * N; i++) {
        left[i] = values[i / N];
        right[i] = values[i % N];
    }
    run_binary(CK_TYPE_FLOAT64, CK_OP_FLOORDIV, quotients, left, right, N * N);
    run_binary(CK_TYPE_FLOAT64, CK_OP_MOD, mods, left, right, N * N);
    run_binary(CK_TYPE_FLOAT64, CK_OP_POW, powers, left, right, N * N);
    for (int i = 0; i < N * N; i++) {
        double quotient, mod;
        divmod(left[i], right[i], &quotient, &mod);
        if (!same_double(quotient, quotients[i]) || !same_double(mod, mods[i]))
            fail_msg("divmod(%g, %g) is (%g, %g), not (%g, %g)", left[i], right[i], quotients[i],
                     mods[i], quotient, mod);
        assert_true(same_double(pow(left[i], right[i]), powers[i]));
    }
}

/* --- Conversions -------------------------------------------------------------------------------
 */

static void
test_float_to_int_saturates(void **state)
{
    (void)state;
    static const double in[] = {0.9, -0.9, 127.9,    128,       -128.9, -129,    255.9, 256,
                                -1,  NAN,  INFINITY, -INFINITY, 9.3e18, -9.3e18, 2e19,  3e9};
    enum { N = sizeof in / sizeof *in };
    static const int8_t as_int8[] = {0,  0, 127, 127,  -128, -128, 127, 127,
                                     -1, 0, 127, -128, 127,  -128, 127, 127};
    static const uint8_t as_uint8[] = {0, 0, 127, 128, 0,   0, 255, 255,
                                       0, 0, 255, 0,   255, 0, 255, 255};
    static const int64_t as_int64[] = {
        0,  0, 127,       128,       -128,      -129,      255,       256,
        -1, 0, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, 3000000000};
    static const uint64_t as_uint64[] = {
        0, 0,          127,       128, 0, 0, 255, 256, 0, 0, UINT64_MAX, 0, 9300000000000000000u,
        0, UINT64_MAX, 3000000000};
    uint8_t small[N], bools[N];
    uint64_t large[N];
    run_cast(CK_TYPE_INT8, CK_TYPE_FLOAT64, small, in, N);
    assert_memory_equal(small, as_int8, sizeof small);
    run_cast(CK_TYPE_UINT8, CK_TYPE_FLOAT64, small, in, N);
    assert_memory_equal(small, as_uint8, sizeof small);
    run_cast(CK_TYPE_INT64, CK_TYPE_FLOAT64, large, in, N);
    assert_memory_equal(large, as_int64, sizeof large);
    run_cast(CK_TYPE_UINT64, CK_TYPE_FLOAT64, large, in, N);
    assert_memory_equal(large, as_uint64, sizeof large);
    run_cast(CK_TYPE_BOOL, CK_TYPE_FLOAT64, bools, in, N);
    for (int i = 0; i < N; i++)
        assert_int_equal(bools[i], in[i] != 0);
}

/* Every pair of scalar types makes valid code, and 1 stays 1. */
static void
test_all_casts(void **state)
{
    (void)state;
    for (int from = CK_TYPE_BOOL; from <= CK_TYPE_FLOAT64; from++) {
        for (int to = CK_TYPE_BOOL; to <= CK_TYPE_FLOAT64; to++) {
            uint64_t one = 1;
            double in = 0, mid = 0;
            int64_t out = 0;
            run_cast((enum ck_type_kind)from, CK_TYPE_INT64, &in, &one, 1);
            run_cast((enum ck_type_kind)to, (enum ck_type_kind)from, &mid, &in, 1);
            run_cast(CK_TYPE_INT64, (enum ck_type_kind)to, &out, &mid, 1);
            assert_int_equal(out, 1);
        }
    }
}

/* float64 to the 16-bit types is rounded once: these lie just beside a tie of the small type that
 * rounding to float32 first would land on. */
static void
test_small_floats_round_once(void **state)
{
    (void)state;
    static const double in[] = {1 + 0x1p-11 + 0x1p-40,
                                1 + 0x1p-11,
                                1 + 3 * 0x1p-11,
                                65519.999,
                                65520,
                                0x1p-25,
                                0x1.8p-25,
                                -0x1p-24,
                                NAN,
                                1 + 0x1p-8 + 0x1p-40,
                                1 + 0x1p-8,
                                3.4e38,
                                1e39,
                                5e-324};
    enum { N = sizeof in / sizeof *in };
    uint16_t float16s[N], bfloats[N];
    run_cast(CK_TYPE_FLOAT16, CK_TYPE_FLOAT64, float16s, in, N);
    run_cast(CK_TYPE_BFLOAT16, CK_TYPE_FLOAT64, bfloats, in, N);
    for (int i = 0; i < N; i++) {
        if (isnan(in[i]))
            continue;
        assert_int_equal(float16s[i], ck_half_from_double(in[i]));
        assert_int_equal(bfloats[i], ck_bfloat_from_double(in[i]));
    }
}

/* --- Kernels on the host -----------------------------------------------------------------------
 */

static const char rows_text[] = "@cuda.jit(void(int32[:, ::1]))\n"
                                "def sequential_rows(M):\n"
                                "    col = cuda.grid(1)\n"
                                "    g = cuda.cg.this_grid()\n"
                                "    rows = M.shape[0]\n"
                                "    cols = M.shape[1]\n"
                                "    for row in range(1, rows):\n"
                                "        opposite = cols - col - 1\n"
                                "        M[row, col] = M[row - 1, opposite] + 1\n"
                                "        g.sync()\n";

static void
test_sequential_rows(void **state)
{
    (void)state;
    enum { ROWS = 50, COLS = 64 };
    for (int level = 0; level <= 3; level++) {
        struct fixture f;
        open_text(&f, rows_text);
        struct ck_image *image = host_image(&f, level);
        int32_t M[ROWS][COLS];
        memset(M, 0, sizeof M);
        for (int col = 0; col < COLS; col++)
            M[0][col] = col;
        uint64_t params[] = {(uint64_t)(uintptr_t)M, ROWS, COLS};
        run_coroutines(&(struct run){image, params, 4, COLS / 4});
        for (int col = 0; col < COLS; col++)
            assert_int_equal(M[ROWS - 1][col], COLS - 1 - col + ROWS - 1);
        assert_true(image->manifest.kernels[0].cooperative);
        assert_int_equal(image->n_barriers, 1);
        assert_int_equal(image->barriers[0].kind, CK_BARRIER_GRID);
        assert_string_equal(image->barriers[0].what, "g.sync()");
        assert_int_equal(image->barriers[0].line, 10);
        assert_int_equal(image->barriers[0].column, 9);
        image->free(image);
        close_fixture(&f);
    }
}

/* Only what lives across a barrier is in a thread's frame. */
static void
test_frame_size(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, rows_text);
    struct ck_image *image = host_image(&f, 3);
    size_t size = (size_t)image->kernels[0].start(NULL, NULL, 0, 0, 0, NULL);
    assert_in_range(size, 24, 128);
    image->free(image);
    close_fixture(&f);
}

static const char reduce_text[] = "def wait():\n"
                                  "    syncthreads()\n"
                                  "def halve(s, n):\n"
                                  "    t = threadIdx.x\n"
                                  "    while n > 1:\n"
                                  "        n //= 2\n"
                                  "        if t < n:\n"
                                  "            s[t] += s[t + n]\n"
                                  "        wait()\n"
                                  "    return s[0]\n"
                                  "@kernel\n"
                                  "def total(x: float32[::1], out: float32[::1]):\n"
                                  "    s = shared.array(64, float32)\n"
                                  "    i = grid(1)\n"
                                  "    s[threadIdx.x] = x[i] if i < len(x) else 0.0\n"
                                  "    syncthreads()\n"
                                  "    sum = halve(s, blockDim.x)\n"
                                  "    if threadIdx.x == 0:\n"
                                  "        atomic.add(out, 0, sum)\n";

/* Shared memory, and a barrier two calls deep. */
static void
test_block_reduction(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, reduce_text);
    struct ck_image *image = host_image(&f, 3);
    float x[250], out = 0;
    for (int i = 0; i < 250; i++)
        x[i] = (float)i;
    uint64_t params[] = {(uint64_t)(uintptr_t)x, 250, (uint64_t)(uintptr_t)&out, 1};
    run_coroutines(&(struct run){image, params, 4, 64});
    assert_true(out == 249 * 250 / 2);
    assert_int_equal(image->manifest.kernels[0].shared_bytes, 256);
    assert_false(image->manifest.kernels[0].cooperative);
    image->free(image);
    close_fixture(&f);
}

/* Ranges near the ends of their type, by any step, and the counter after the loop. */
static void
test_ranges_do_not_overflow(void **state)
{
    (void)state;
    static const char text[] = "@kernel\n"
                               "def k(a: int8, b: int8, s: int8, out: int64[::1]):\n"
                               "    n = 0\n"
                               "    last = a\n"
                               "    for i in range(a, b, s):\n"
                               "        n += 1\n"
                               "        last = i\n"
                               "    else:\n"
                               "        out[2] = 1\n"
                               "    out[0] = n\n"
                               "    out[1] = last\n";
    struct fixture f;
    open_text(&f, text);
    struct ck_image *image = host_image(&f, 3);
    for (int i = 0; i < 20 * 20 * 20; i++) {
        static const int8_t values[] = {-128, -127, -126, -100, -64, -3,  -2,  -1,  0,   1,
                                        2,    3,    7,    64,   100, 101, 124, 125, 126, 127};
        int8_t a = values[i % 20], b = values[i / 20 % 20], s = values[i / 400];
        int64_t out[3] = {0, 0, 0}, n = 0, last = a;
        for (int at = a; s > 0 ? at < b : s < 0 && at > b; at += s, n++)
            last = at;
        uint64_t params[] = {(uint8_t)a, (uint8_t)b, (uint8_t)s, (uint64_t)(uintptr_t)out, 3};
        run_plain(&(struct run){image, params, 1, 1});
        if (out[0] != n || out[1] != last || out[2] != 1)
            fail_msg("range(%d, %d, %d): %lld ends at %lld", a, b, s, (long long)out[0],
                     (long long)out[1]);
    }
    image->free(image);
    close_fixture(&f);
}

/* Negative indices wrap once; Fortran order and explicit strides find their elements. */
static void
test_layouts(void **state)
{
    (void)state;
    static const char text[] =
        "@kernel\n"
        "def k(c: int32[:, ::1], f: int32[::1, :], s: int32[:, :], i: int64):\n"
        "    c[i, -1] = 1\n"
        "    f[i, -1] = 2\n"
        "    s[i, -1] = 3\n";
    struct fixture f;
    open_text(&f, text);
    struct ck_image *image = host_image(&f, 3);
    int32_t c[12] = {0}, fortran[12] = {0}, strided[48] = {0};
    uint64_t params[] = {(uint64_t)(uintptr_t)c,
                         3,
                         4,
                         (uint64_t)(uintptr_t)fortran,
                         3,
                         4,
                         (uint64_t)(uintptr_t)(strided + 40),
                         3,
                         4,
                         (uint64_t)-16,
                         2,
                         (uint64_t)-2};
    run_plain(&(struct run){image, params, 1, 1});
    assert_int_equal(c[1 * 4 + 3], 1);
    assert_int_equal(fortran[1 + 3 * 3], 2);
    assert_int_equal(strided[40 - 16 + 6], 3);
    image->free(image);
    close_fixture(&f);
}

/* A loop over threads without barriers becomes vectors. */
static void
test_plain_kernels_vectorise(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, "@kernel\n"
                  "def saxpy(a: float32, x: float32[::1], y: float32[::1]):\n"
                  "    i = grid(1)\n"
                  "    if i < len(y):\n"
                  "        y[i] = a * x[i] + y[i]\n");
    char *llvm = write_form(&f, &host_options, CK_FORM_LLVM);
    assert_true(count(llvm, " x float>") > 0);
    free(llvm);
    close_fixture(&f);
}

/* --- PTX ---------------------------------------------------------------------------------------
 */

static void
test_grid_barrier_orders_memory(void **state)
{
    (void)state;
    char *ptx = ptx_of(rows_text);
    assert_int_equal(count(ptx, "atom.add.release.gpu.global.u32"), 1);
    assert_int_equal(count(ptx, "atom.add.acq_rel.gpu.global.u32"), 1);
    assert_int_equal(count(ptx, "red.add.release.gpu.global.u32"), 1);
    assert_int_equal(count(ptx, "ld.acquire.gpu.global.u32"), 3);
    assert_int_equal(count(ptx, "ld.acquire.gpu.global.u64"), 1);
    assert_int_equal(count(ptx, "atom.acquire.gpu.global.cas.b64"), 1);
    assert_int_equal(count(ptx, "atom.inc.acq_rel.gpu.global.u32"), 1);
    assert_int_equal(count(ptx, "st.release.gpu.global.u64"), 1);
    assert_int_equal(count(ptx, "bar.sync"), 2);
    assert_int_equal(count(ptx, "@p$ trap"), 2);
    assert_int_equal(count(ptx, "ck_manifest["), 1);
    free(ptx);
}

/* A barrier between two branches on one condition is not duplicated into them. */
static void
test_barriers_stay_convergent(void **state)
{
    (void)state;
    char *ptx = ptx_of("def wait(g_unused):\n"
                       "    g = this_grid()\n"
                       "    g.sync()\n"
                       "@kernel\n"
                       "def k(a: int32[::1]):\n"
                       "    t = threadIdx.x\n"
                       "    if t == 0:\n"
                       "        a[0] = 1\n"
                       "    wait(0)\n"
                       "    if t == 0:\n"
                       "        a[1] = a[0] + 1\n");
    assert_int_equal(count(ptx, "bar.sync"), 2);
    free(ptx);
    ptx = ptx_of("@kernel\n"
                 "def k(a: int32[::1]):\n"
                 "    t = threadIdx.x\n"
                 "    if t == 0:\n"
                 "        a[0] = 1\n"
                 "    syncthreads()\n"
                 "    if t == 0:\n"
                 "        a[1] = a[0] + 1\n");
    assert_int_equal(count(ptx, "bar.sync"), 1);
    free(ptx);
}

static void
test_contraction(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, "@kernel\n"
                  "def k(a: float32[::1]):\n"
                  "    a[0] = a[1] * a[2] + a[3]\n");
    struct ck_codegen_options options = {.arch = "sm_90", .opt_level = 3, .fmad = true};
    char *ptx = write_form(&f, &options, CK_FORM_PTX);
    assert_int_equal(count(ptx, "fma.rn.f32"), 1);
    free(ptx);
    options.fmad = false;
    ptx = write_form(&f, &options, CK_FORM_PTX);
    assert_int_equal(count(ptx, "fma"), 0);
    assert_int_equal(count(ptx, "mul.rn.f32"), 1); /* or ptxas would fuse them */
    free(ptx);
    close_fixture(&f);
}

static void
test_fast_math(void **state)
{
    (void)state;
    char *ptx = ptx_of("@kernel(fastmath=True)\n"
                       "def k(a: float32[::1]):\n"
                       "    a[0] = sqrt(a[1] / a[2]) ** a[3]\n");
    assert_int_equal(count(ptx, "div.approx.ftz.f32") + count(ptx, "div.full.ftz.f32"), 1);
    assert_int_equal(count(ptx, "sqrt.approx.ftz.f32"), 1);
    assert_int_equal(count(ptx, "ex2.approx"), 1);
    free(ptx);
}

static void
test_line_tables(void **state)
{
    (void)state;
    struct fixture f;
    struct ck_codegen_options options = {
        .arch = "sm_90", .opt_level = 3, .fmad = true, .lineinfo = true};
    open_text(&f, rows_text);
    char *ptx = write_form(&f, &options, CK_FORM_PTX);
    assert_int_equal(count(ptx, ".target sm_90, debug"), 0);
    assert_true(count(ptx, ".loc\t1 9") > 0);
    free(ptx);
    close_fixture(&f);
}

static void
test_launch_bounds(void **state)
{
    (void)state;
    char *ptx = ptx_of("@kernel(launch_bounds=(128, 4), max_registers=40)\n"
                       "def k(a: int32[::1]):\n"
                       "    a[0] = 1\n");
    assert_int_equal(count(ptx, ".maxntid 128"), 1);
    assert_int_equal(count(ptx, ".minnctapersm 4"), 1);
    assert_int_equal(count(ptx, ".maxnreg 40"), 1);
    free(ptx);
}

/* Kernels that wait for their grid may use all registers, where nothing is said against it. */
static void
test_registers_of_few_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *options, *body;
        int n;
    } cases[] = {{"launch_bounds=256", "this_grid().sync()", 1},
                 {"launch_bounds=64", "this_grid().reduce(a[0])", 1},
                 {"launch_bounds=257", "this_grid().sync()", 0},
                 {"launch_bounds=(256, 2)", "this_grid().sync()", 0},
                 {"launch_bounds=256, max_registers=64", "this_grid().sync()", 0},
                 {"launch_bounds=256", "syncthreads()", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[160];
        snprintf(text, sizeof text, "@kernel(%s)\ndef k(a: int32[::1]):\n    %s\n    a[0] = 1\n",
                 cases[i].options, cases[i].body);
        char *ptx = ptx_of(text);
        assert_int_equal(count(ptx, ".minnctapersm 1"), cases[i].n);
        free(ptx);
    }
}

static const char everything_text[] =
    "def check(x):\n"
    "    assert x > 0, \"positive\"\n"
    "    return x, x + 1\n"
    "@kernel\n"
    "def everything(h: float16[::1], b: bfloat16[::1], f: float32[::1], d: float64[::1],\n"
    "               i: int32[:, ::1], u: uint64[::1], flag: bool, z: bool[::1]):\n"
    "    s = shared.array((4, 8), float64)\n"
    "    t = threadIdx.x\n"
    "    g = this_grid()\n"
    "    x, y = check(i[0, t])\n"
    "    h[t] = h[t + 1] * h[t + 2] + h[t + 3] // h[t]\n"
    "    b[t] = b[t + 1] * b[t + 2] - b[t]\n"
    "    f[t] = f[t] ** f[t + 1] % f[t + 2] + min(f[t], f[t + 1])\n"
    "    d[t] = sqrt(d[t]) ** d[t + 1] // d[t + 2]\n"
    "    s[1, 2] = d[t]\n"
    "    g.sync()\n"
    "    i[1, t] = x // y + x % y + (x << y) + (x >> y) + int32(round(d[t]))\n"
    "    u[t] = u[t] // u[t + 1] ** u[t]\n"
    "    z[t] = flag and i[0, t] > 3\n"
    "    atomic.add(d, 0, s[1, 2])\n"
    "    atomic.add(f, t, f[1])\n"
    "    atomic.add(u, 0, u[1])\n"
    "    atomic.add(s, (0, t), 1.5)\n"
    "    print(\"100%\", t, f[t], flag, u[0])\n";

/* Each architecture: LLVM takes it, and ptxas does where there is one. */
static void
test_all_architectures(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, everything_text);
    bool has_ptxas = system("command -v ptxas >/dev/null 2>&1") == 0;
    for (const char *const *arch = ck_codegen_archs(); *arch; arch++) {
        struct ck_codegen_options options = {.arch = *arch, .opt_level = 3, .fmad = true};
        char *ptx = write_form(&f, &options, CK_FORM_PTX);
        assert_non_null(strstr(ptx, *arch));
        if (has_ptxas) {
            char command[128];
            snprintf(command, sizeof command, "ptxas -arch=%s -o /dev/null -", *arch);
            FILE *ptxas = popen(command, "w");
            assert_non_null(ptxas);
            fputs(ptx, ptxas);
            if (pclose(ptxas))
                fail_msg("ptxas refuses the PTX for %s", *arch);
        }
        free(ptx);
    }
    close_fixture(&f);
}

static void
test_everything_on_host(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, everything_text);
    for (int level = 0; level <= 3; level++) {
        struct ck_image *image = host_image(&f, level);
        assert_int_equal(image->manifest.kernels[0].n_params, 8);
        image->free(image);
    }
    close_fixture(&f);
}

static void
test_unknown_architecture(void **state)
{
    (void)state;
    struct fixture f;
    struct ck_strbuf out;
    open_text(&f, rows_text);
    ck_strbuf_init(&out);
    struct ck_codegen_options options = {.arch = "sm_7"};
    assert_int_equal(ck_codegen_write(&out, f.ctx, f.program, &options, CK_FORM_PTX),
                     CK_ERROR_UNSUPPORTED);
    assert_string_equal(ck_context_error(f.ctx), "unknown architecture sm_7");
    options.arch = "host";
    assert_int_equal(ck_codegen_write(&out, f.ctx, f.program, &options, CK_FORM_PTX),
                     CK_ERROR_ARGUMENT);
    assert_int_equal(out.length, 0);
    ck_strbuf_free(&out);
    close_fixture(&f);
}

/* The driver and PTX need some names for themselves. */
static void
test_reserved_kernel_name(void **state)
{
    (void)state;
    static const char *const names[] = {"vprintf", "ck_manifest", "WARP_SZ"};
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        struct ck_strbuf out;
        open_fixture(&f, "");
        struct ck_tfunc *tfunc = new_kernel(&f, (enum ck_type_kind[]){CK_TYPE_INT32}, 1);
        tfunc->symbol = names[i];
        set_body(&f, tfunc, element(&f, tfunc, 0));
        ck_strbuf_init(&out);
        struct ck_codegen_options options = {.arch = "sm_90", .opt_level = 3};
        assert_int_equal(ck_codegen_write(&out, f.ctx, f.program, &options, CK_FORM_PTX),
                         CK_ERROR_UNSUPPORTED);
        ck_strbuf_free(&out);
        close_fixture(&f);
    }
}

/* An assert ends the thread from within a device function, on the host without a barrier too. */
static void
test_assert_in_device_function(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, "def check(x):\n"
                  "    assert x < 100\n"
                  "    return x\n"
                  "@kernel\n"
                  "def k(a: int32[::1]):\n"
                  "    i = grid(1)\n"
                  "    a[i] = check(a[i]) + 1\n");
    struct ck_image *image = host_image(&f, 3);
    assert_non_null(image->kernels[0].run_block);
    image->free(image);
    close_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer_operators),
        cmocka_unit_test(test_float_floor_division),
        cmocka_unit_test(test_float_to_int_saturates),
        cmocka_unit_test(test_all_casts),
        cmocka_unit_test(test_small_floats_round_once),
        cmocka_unit_test(test_sequential_rows),
        cmocka_unit_test(test_frame_size),
        cmocka_unit_test(test_block_reduction),
        cmocka_unit_test(test_ranges_do_not_overflow),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_plain_kernels_vectorise),
        cmocka_unit_test(test_grid_barrier_orders_memory),
        cmocka_unit_test(test_barriers_stay_convergent),
        cmocka_unit_test(test_contraction),
        cmocka_unit_test(test_fast_math),
        cmocka_unit_test(test_line_tables),
        cmocka_unit_test(test_launch_bounds),
        cmocka_unit_test(test_registers_of_few_blocks),
        cmocka_unit_test(test_all_architectures),
        cmocka_unit_test(test_everything_on_host),
        cmocka_unit_test(test_unknown_architecture),
        cmocka_unit_test(test_reserved_kernel_name),
        cmocka_unit_test(test_assert_in_device_function),
    };
    return cmocka_run_group_tests_name("codegen", tests, NULL, NULL);
}
