/* Manifests: written, read back, found in PTX, and refused when damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/context.h"
#include "runtime/manifest.h"

static const ck_param_info params[] = {
    {"M", CK_INT32, 2, CK_C_ORDER, 0, 0, 0, 0},
    {"x", CK_FLOAT32, 1, CK_STRIDED, 1, 0, 0, 0},
    {"f", CK_COMPLEX64, 3, CK_FORTRAN, 0, 1, 16, 0},
    {"n", CK_INT64, 0, CK_STRIDED, 0, 0, 0, 0},
    {"t", CK_TUPLE, 0, CK_STRIDED, 0, 0, 0, 3},
    {"t[0]", CK_INT8, 0, CK_STRIDED, 0, 0, 0, 0},
    {"t[1]", CK_TUPLE, 0, CK_STRIDED, 0, 0, 0, 1},
    {"t[1][0]", CK_FLOAT32, 1, CK_C_ORDER, 1, 0, 0, 0},
    {"t[2]", CK_TUPLE, 0, CK_STRIDED, 0, 0, 0, 0},
};
enum { N_PARAMS = sizeof params / sizeof params[0] };
static ck_kernel_desc kernels[] = {
    {"rows", "rows",
     "(int32[:, ::1], float32[:], complex64[::1, :, :], int64, (int8, "
     "(float32[::1],), ()))",
     N_PARAMS, params, 0, 1, 128, 256},
    {"generic", "", "", 1, params, 1, 0, 0, 0},
    {"none", "none_1", "()", 0, NULL, 0, 0, 0, 0},
};
static const struct ck_manifest manifest = {"0.1.0", "a \"b\"\n\xc3\xa9.ck", "sm_90", kernels, 3};

struct rig {
    ck_context *ctx;
    struct ck_arena arena;
};

static int
set_up(void **state)
{
    struct rig *rig = calloc(1, sizeof *rig);
    ck_arena_init(&rig->arena);
    *state = rig;
    return ck_context_new(&rig->ctx, NULL);
}

static int
tear_down(void **state)
{
    struct rig *rig = *state;
    ck_arena_free(&rig->arena);
    ck_context_free(rig->ctx);
    free(rig);
    return 0;
}

static void
check_same(const struct ck_manifest *m)
{
    assert_string_equal(m->source, manifest.source);
    assert_string_equal(m->arch, "sm_90");
    assert_int_equal(m->n_kernels, 3);
    assert_string_equal(m->kernels[0].signature, kernels[0].signature);
    assert_int_equal(m->kernels[0].cooperative, 1);
    assert_int_equal(m->kernels[0].shared_bytes, 128);
    assert_int_equal(m->kernels[0].max_threads, 256);
    assert_int_equal(m->kernels[0].n_params, N_PARAMS);
    for (int i = 0; i < N_PARAMS; i++) {
        assert_string_equal(m->kernels[0].params[i].name, params[i].name);
        assert_int_equal(m->kernels[0].params[i].dtype, params[i].dtype);
        assert_int_equal(m->kernels[0].params[i].ndim, params[i].ndim);
        if (params[i].ndim)
            assert_int_equal(m->kernels[0].params[i].layout, params[i].layout);
        assert_int_equal(m->kernels[0].params[i].read_only, params[i].read_only);
        assert_int_equal(m->kernels[0].params[i].disjoint, params[i].disjoint);
        assert_int_equal(m->kernels[0].params[i].alignment, params[i].alignment);
        assert_int_equal(m->kernels[0].params[i].n_items, params[i].n_items);
    }
    assert_int_equal(m->kernels[1].generic, 1);
    assert_int_equal(m->kernels[1].params[0].dtype, CK_DTYPE_NONE);
    assert_string_equal(m->kernels[2].entry, "none_1");
}

static struct ck_strbuf
written(void)
{
    struct ck_strbuf json;
    ck_strbuf_init(&json);
    ck_manifest_write(&json, &manifest);
    assert_false(json.failed);
    return json;
}

static void
test_round_trip(void **state)
{
    struct rig *rig = *state;
    struct ck_manifest back;
    struct ck_strbuf json = written();
    assert_int_equal(json.text[json.length - 1], '\n');
    if (ck_manifest_read(&back, &rig->arena, rig->ctx, json.text, json.length))
        fail_msg("%s", ck_context_error(rig->ctx));
    check_same(&back);
    ck_strbuf_free(&json);
}

static void
test_names_of_any_bytes(void **state)
{
    struct rig *rig = *state;
    struct ck_manifest m = {"0", "latin1-\xe9.ck", "sm_75", NULL, 0}, back;
    struct ck_strbuf json;
    ck_strbuf_init(&json);
    ck_manifest_write(&json, &m);
    assert_false(json.failed);
    assert_int_equal(ck_manifest_read(&back, &rig->arena, rig->ctx, json.text, json.length), CK_OK);
    assert_string_equal(back.source, "latin1-?.ck");
    ck_strbuf_free(&json);
}

/* As LLVM prints a constant byte array, zeros at the end dropped. */
static struct ck_strbuf
as_ptx(const char *json, size_t length, int zeros)
{
    struct ck_strbuf ptx;
    ck_strbuf_init(&ptx);
    ck_strbuf_printf(&ptx,
                     ".version 7.8\n.target sm_90\n// my_ck_manifest[1]\n"
                     ".visible .global .align 1 .b8 ck_manifest[%zu] = {67, 75, 77, 65, 78, 73, "
                     "70, 49",
                     8 + length + (size_t)zeros);
    for (size_t i = 0; i < length; i++)
        ck_strbuf_printf(&ptx, ", %d", (unsigned char)json[i]);
    ck_strbuf_puts(&ptx, "};\n.visible .entry rows() { ret; }\n");
    return ptx;
}

static void
test_ptx(void **state)
{
    struct rig *rig = *state;
    struct ck_strbuf json = written();
    for (int zeros = 0; zeros < 2; zeros++) {
        struct ck_manifest back;
        struct ck_strbuf ptx = as_ptx(json.text, json.length, zeros);
        if (ck_manifest_read_ptx(&back, &rig->arena, rig->ctx, ptx.text, ptx.length))
            fail_msg("%s", ck_context_error(rig->ctx));
        check_same(&back);
        ck_module *module;
        assert_int_equal(ck_module_load(&module, rig->ctx, ptx.text, ptx.length + 1), CK_OK);
        assert_int_equal(ck_module_n_kernels(module), 3);
        check_same(&(struct ck_manifest){.source = manifest.source,
                                         .arch = "sm_90",
                                         .kernels = (ck_kernel_desc *)ck_module_kernel(module, 0),
                                         .n_kernels = 3});
        assert_null(ck_module_kernel(module, 3));
        ck_module_free(module);
        ck_strbuf_free(&ptx);
    }
    ck_strbuf_free(&json);
}

static void
refused(struct rig *rig, const char *ptx, size_t length)
{
    struct ck_manifest back = {0};
    ck_module *module = NULL;
    char *exact = malloc(length ? length : 1); /* so that a sanitizer sees reading past the end */
    memcpy(exact, ptx, length);
    assert_int_equal(ck_manifest_read_ptx(&back, &rig->arena, rig->ctx, exact, length),
                     CK_ERROR_FORMAT);
    assert_true(*ck_context_error(rig->ctx));
    assert_null(back.kernels);
    assert_int_equal(ck_module_load(&module, rig->ctx, exact, length), CK_ERROR_FORMAT);
    assert_null(module);
    free(exact);
}

static void
test_cut_anywhere(void **state)
{
    struct ck_strbuf json = written(), ptx = as_ptx(json.text, json.length, 0);
    size_t end = (size_t)(strstr(ptx.text, "};") - ptx.text);
    for (size_t n = 0; n <= end; n += n < 200 ? 1 : 7)
        refused(*state, ptx.text, n);
    refused(*state, ptx.text, end);
    ck_strbuf_free(&json);
    ck_strbuf_free(&ptx);
}

static void
test_arrays_damaged(void **state)
{
    static const char *const arrays[] = {
        "ck_manifest",
        "ck_manifest[",
        "ck_manifest[]",
        "ck_manifest[x] = {67}",
        "ck_manifest[8",
        "ck_manifest[8]",
        "ck_manifest[8] =",
        "ck_manifest[8] = {",
        "ck_manifest[8] = {}",
        "ck_manifest[99999999999999999999999] = {67, 75}",
        "ck_manifest[4000000000] = {67, 75}",
        "ck_manifest[0] = {67}",
        "ck_manifest[2] = {67, 256}",
        "ck_manifest[2] = {67, -1}",
        "ck_manifest[2] = {67, 75, 77}",
        "ck_manifest[8] = {67, 75, 77, 65, 78, 73, 70, 50}",
        "ck_manifest[8] = {67, 75, 77, 65, 78, 73, 70, 49}",
        "ck_manifest[9] = {67, 75, 77, 65, 78, 73, 70, 49, 123}",
        "\177ELF",
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        refused(*state, arrays[i], strlen(arrays[i]));
}

/* JSON that is JSON, and not a manifest. */
static void
test_contents_damaged(void **state)
{
#define HEAD   "{\"ck_version\": \"0\", \"source\": \"s\", \"arch\": \"sm_75\", \"kernels\": "
#define KERNEL "{\"name\": \"k\", \"entry\": \"k\", \"signature\": "
#define REST   "\"generic\": false, \"cooperative\": false, \"shared_bytes\": 0, \"max_threads\": 0, "
    static const char *const texts[] = {
        "null",
        "[]",
        "{}",
        HEAD "3}",
        HEAD "[3]}",
        HEAD "[{}]}",
        HEAD "[" KERNEL "\"()\"}]}",
        HEAD "[" KERNEL "\"(int32)\", " REST "\"params\": []}]}",
        HEAD "[" KERNEL "\"()\", " REST "\"params\": 3}]}",
        HEAD "[" KERNEL "\"()\", " REST "\"params\": [3]}]}",
        HEAD "[" KERNEL "\"(int32)\", " REST
             "\"params\": [{\"name\": \"a\", \"dtype\": \"int99\", \"ndim\": 0}]}]}",
        HEAD "[" KERNEL "\"(int32)\", " REST
             "\"params\": [{\"name\": \"a\", \"dtype\": \"int32\", \"ndim\": 9}]}]}",
        HEAD "[" KERNEL "\"(int32)\", " REST
             "\"params\": [{\"name\": \"a\", \"dtype\": \"int32\", \"ndim\": 1, "
             "\"layout\": \"X\"}]}]}",
        HEAD "[" KERNEL "\"(int32[:])\", " REST
             "\"params\": [{\"name\": \"a\", \"dtype\": \"int32\", \"ndim\": 1, "
             "\"layout\": \"any\", \"read_only\": 1}]}]}",
        HEAD "[" KERNEL "\"(int32[:])\", " REST
             "\"params\": [{\"name\": \"a\", \"dtype\": \"int32\", \"ndim\": 1, "
             "\"layout\": \"any\", \"disjoint\": \"x\"}]}]}",
        HEAD "[" KERNEL "\"(int32[:])\", " REST
             "\"params\": [{\"name\": \"a\", \"dtype\": \"int32\", \"ndim\": 1, "
             "\"layout\": \"any\", \"alignment\": 5000}]}]}",
        HEAD "[" KERNEL "\"(())\", " REST
             "\"params\": [{\"name\": \"t\", \"dtype\": \"tuple\"}]}]}",
        HEAD "[" KERNEL "\"((int8, int8))\", " REST
             "\"params\": [{\"name\": \"t\", \"dtype\": \"tuple\", \"items\": 2}, "
             "{\"name\": \"a\", \"dtype\": \"int8\", \"ndim\": 0}]}]}",
        HEAD "[" KERNEL "\"((int8,))\", " REST
             "\"params\": [{\"name\": \"t\", \"dtype\": \"tuple\", \"items\": -1}, "
             "{\"name\": \"a\", \"dtype\": \"int8\", \"ndim\": 0}]}]}",
        HEAD "[" KERNEL "\"()\", \"generic\": false, \"cooperative\": 1, \"shared_bytes\": 0, "
             "\"max_threads\": 0, \"params\": []}]}",
        HEAD "[" KERNEL "\"()\", \"generic\": false, \"cooperative\": true, "
             "\"shared_bytes\": 99999999999, \"max_threads\": 0, \"params\": []}]}",
        HEAD "[" KERNEL "\"()\", \"generic\": false, \"cooperative\": true, \"shared_bytes\": 0, "
             "\"max_threads\": -1, \"params\": []}]}",
        HEAD "[{\"name\": \"\", \"entry\": \"k\", \"signature\": \"()\", " REST "\"params\": []}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ck_strbuf ptx = as_ptx(texts[i], strlen(texts[i]), 0);
        refused(*state, ptx.text, ptx.length);
        ck_strbuf_free(&ptx);
    }
}

/* What a kernel's manifest says of clusters, as PTX. */
static struct ck_strbuf
with_clusters(const char *fields)
{
    char text[512];
    int n = snprintf(text, sizeof text, HEAD "[" KERNEL "\"()\", %s, " REST "\"params\": []}]}",
                     fields);
    assert_in_range(n, 1, sizeof text - 1);
    return as_ptx(text, (size_t)n, 0);
}

static void
test_clusters(void **state)
{
    struct rig *rig = *state;
    static const char *const damaged[] = {
        "\"clusters\": 1",
        "\"clusters\": null",
        "\"clusters\": \"true\"",
        "\"cluster\": 2",
        "\"cluster\": null",
        "\"cluster\": {}",
        "\"cluster\": []",
        "\"cluster\": [2, 1]",
        "\"cluster\": [2, 1, 1, 1]",
        "\"cluster\": [2, 1, 0]",
        "\"cluster\": [-2, 1, 1]",
        "\"cluster\": [-2, -1, 1]",
        "\"cluster\": [2.5, 1, 1]",
        "\"cluster\": [\"2\", 1, 1]",
        "\"cluster\": [[2], 1, 1]",
        "\"cluster\": [null, 1, 1]",
        "\"cluster\": [17, 1, 1]",
        "\"cluster\": [4, 4, 2]",
        "\"cluster\": [4294967298, 1, 1]",
        "\"cluster\": [18446744073709551617, 1, 1]",
    };
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct ck_strbuf ptx = with_clusters(damaged[i]);
        refused(rig, ptx.text, ptx.length);
        ck_strbuf_free(&ptx);
    }
    struct ck_strbuf ptx = with_clusters("\"clusters\": true, \"cluster\": [4, 1, 4]");
    struct ck_manifest back = {0};
    assert_int_equal(ck_manifest_read_ptx(&back, &rig->arena, rig->ctx, ptx.text, ptx.length),
                     CK_OK);
    assert_true(back.kernels[0].clusters);
    for (int i = 0; i < 3; i++)
        assert_int_equal(back.kernels[0].cluster[i], i == 1 ? 1 : 4);
    ck_strbuf_free(&ptx);
    ptx = with_clusters("\"clusters\": true");
    assert_int_equal(ck_manifest_read_ptx(&back, &rig->arena, rig->ctx, ptx.text, ptx.length),
                     CK_OK);
    assert_true(back.kernels[0].clusters);
    assert_int_equal(back.kernels[0].cluster[0], 0);
    ck_strbuf_free(&ptx);
}

/* A key that is there twice: the last one counts, as json-c reads it (docs/adr/005-json-c.md). */
static void
test_key_twice(void **state)
{
    struct rig *rig = *state;
    static const char text[] = HEAD "[], \"arch\": \"sm_80\"}";
    struct ck_manifest back;
    assert_int_equal(ck_manifest_read(&back, &rig->arena, rig->ctx, text, strlen(text)), CK_OK);
    assert_string_equal(back.arch, "sm_80");
}

/* Any byte changed: never a crash; read or refused. */
static void
test_bytes_changed(void **state)
{
    struct rig *rig = *state;
    struct ck_strbuf json = written();
    unsigned seed = 1;
    for (size_t i = 0; i < json.length; i++) {
        struct ck_manifest back;
        char *copy = malloc(json.length);
        memcpy(copy, json.text, json.length);
        seed = seed * 1103515245 + 12345;
        copy[i] = (char)(seed >> 16);
        ck_status status = ck_manifest_read(&back, &rig->arena, rig->ctx, copy, json.length);
        assert_true(status == CK_OK || status == CK_ERROR_FORMAT);
        free(copy);
    }
    ck_strbuf_free(&json);
}

static void
test_dtypes(void **state)
{
    (void)state;
    for (int t = CK_BOOL; t <= CK_COMPLEX128; t++)
        assert_int_equal(ck_dtype_by_name(ck_dtype_name((ck_dtype)t)), t);
    assert_int_equal(ck_dtype_by_name("f4"), CK_FLOAT32);
    assert_int_equal(ck_dtype_by_name("boolean"), CK_BOOL);
    assert_int_equal(ck_dtype_by_name("intp"), CK_INT64);
    assert_int_equal(ck_dtype_by_name("f3"), CK_DTYPE_NONE);
    assert_int_equal(ck_dtype_size((ck_dtype)99), 0);
    assert_string_equal(ck_dtype_name((ck_dtype)-1), "?");
    assert_string_equal(ck_status_name(CK_ERROR_FORMAT), "CK_ERROR_FORMAT");
    assert_string_equal(ck_status_name(7), "unknown status");
    assert_string_equal(ck_version(), "0.1.0");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip),   TEST(test_names_of_any_bytes), TEST(test_ptx),
        TEST(test_cut_anywhere), TEST(test_arrays_damaged),     TEST(test_contents_damaged),
        TEST(test_clusters),     TEST(test_key_twice),          TEST(test_bytes_changed),
        TEST(test_dtypes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
