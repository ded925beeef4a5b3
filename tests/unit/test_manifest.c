/* Manifests: written, read back, found in PTX, and refused when damaged or memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/context/context.h"
#include "runtime/data/record.h"
#include "runtime/image/manifest.h"

static const ck_field inner_fields[] = {{.name = "x", .dtype = CK_FLOAT32},
                                        {.name = "y", .dtype = CK_INT16, .offset = 8}};
static const ck_record inner = {10, 2, inner_fields};
static const ck_field outer_fields[] = {
    {.name = "c", .dtype = CK_INT8},
    {.name = "p", .dtype = CK_RECORD, .record = &inner, .offset = 4, .ndim = 2, .shape = {2, 3}},
    {.name = "v", .dtype = CK_INT16, .offset = 64, .ndim = 2, .shape = {3, 2}, .lanes = 2},
    {.name = "w", .dtype = CK_FLOAT32, .offset = 76, .ndim = 1, .shape = {4}, .lanes = 4}};
static const ck_record outer = {99, 4, outer_fields};
static const ck_param_info params[] = {
    {"M", CK_INT32, 2, CK_C_ORDER, 0, 0, 0, 0},
    {"x", CK_FLOAT32, 1, CK_STRIDED, 1, 0, 0, 0},
    {"f", CK_COMPLEX64, 3, CK_FORTRAN, 0, 1, 16, 0},
    {"n", CK_INT64, 0, CK_STRIDED, 0, 0, 0, 0},
    {"a", CK_UINT64, 0, CK_STRIDED, 0, 0, 0, 0, .type_name = "CPointer({x:int8})"},
    {"t", CK_TUPLE, 0, CK_STRIDED, 0, 0, 0, 3},
    {"t[0]", CK_INT8, 0, CK_STRIDED, 0, 0, 0, 0},
    {"t[1]", CK_TUPLE, 0, CK_STRIDED, 0, 0, 0, 1, .type_name = "record(x=int8)\xc3\xa9"},
    {"t[1][0]", CK_FLOAT32, 1, CK_C_ORDER, 1, 0, 0, 0},
    {"t[2]", CK_TUPLE, 0, CK_STRIDED, 0, 0, 0, 0},
    {"r", CK_FLOAT64, CK_ZERO_DIM, CK_C_ORDER, 1, 0, 0, 0},
    {"p", CK_RECORD, 2, CK_C_ORDER, 1, 0, 0, 0, &outer},
    {"v", CK_FLOAT32, 1, CK_C_ORDER, 0, 1, 0, 0, .lanes = 4},
    {"w", CK_UINT8, CK_ZERO_DIM, CK_C_ORDER, 0, 0, 0, 0, .lanes = 1, .never_written = 1},
};
enum { N_PARAMS = sizeof params / sizeof params[0] };
static ck_kernel_desc kernels[] = {
    {"rows",
     "rows",
     "(int32[:, ::1], float32[:], complex64[::1, :, :], int64, CPointer({x:int8}), (int8, "
     "record(x=int8)\xc3\xa9(float32[::1],), ()), float64[()], "
     "{c:int8,p:{x:float32,y:int16@8}(2,3)@4,v:int16x2(3),w:float32x4}/99[:, ::1], "
     "float32x4[::1], uint8x1[()])",
     N_PARAMS,
     params,
     0,
     1,
     128,
     256,
     {4, 1, 2},
     1,
     .stack_bytes = 20480,
     .small = 1,
     .natural = 1},
    {"generic", "", "", 1, params, 1, 0, 0, 0},
    {"none", "none_1", "()", 0, NULL, 0, 0, 0, 0},
};
static struct ck_access_site accesses[] = {
    {.begin = 7, .end = 30, .line = 2, .array = "f", .index = ""},
    {120, 128, 9, 1, 4, 2, true, true, "t[1]\n", "i + 1"},
};
static struct ck_image_global globals[] = {
    {{.name = "COUNTS", .dtype = CK_INT32, .ndim = 1, .shape = {256}}, "COUNTS", false},
    {{.name = "P[0]", .dtype = CK_FLOAT64, .ndim = 2, .shape = {3, 4}, .constant = true},
     "P_0",
     false},
};
static const struct ck_manifest manifest = {.ck_version = "0.1.0",
                                            .source = "a \"b\"\n\xc3\xa9\\.ck",
                                            .arch = "sm_90",
                                            .kernels = kernels,
                                            .n_kernels = 3,
                                            .globals = globals,
                                            .n_globals = 2,
                                            .accesses = accesses,
                                            .n_accesses = 2};

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
    assert_int_equal(m->kernels[0].small, 1);
    assert_int_equal(m->kernels[0].natural, 1);
    assert_int_equal(m->kernels[0].stack_bytes, 20480);
    assert_int_equal(m->kernels[0].shared_bytes, 128);
    assert_int_equal(m->kernels[0].max_threads, 256);
    assert_int_equal(m->kernels[0].n_params, N_PARAMS);
    assert_true(m->kernels[0].clusters);
    assert_memory_equal(m->kernels[0].cluster, kernels[0].cluster, sizeof kernels[0].cluster);
    for (int i = 0; i < N_PARAMS; i++) {
        assert_string_equal(m->kernels[0].params[i].name, params[i].name);
        assert_int_equal(m->kernels[0].params[i].dtype, params[i].dtype);
        assert_int_equal(m->kernels[0].params[i].ndim, params[i].ndim);
        if (params[i].ndim)
            assert_int_equal(m->kernels[0].params[i].layout, params[i].layout);
        assert_int_equal(m->kernels[0].params[i].read_only, params[i].read_only);
        assert_int_equal(m->kernels[0].params[i].never_written,
                         params[i].never_written || params[i].read_only);
        assert_int_equal(m->kernels[0].params[i].disjoint, params[i].disjoint);
        assert_int_equal(m->kernels[0].params[i].alignment, params[i].alignment);
        assert_int_equal(m->kernels[0].params[i].n_items, params[i].n_items);
        assert_int_equal(m->kernels[0].params[i].lanes, params[i].lanes);
        if (params[i].type_name)
            assert_string_equal(m->kernels[0].params[i].type_name, params[i].type_name);
        else
            assert_null(m->kernels[0].params[i].type_name);
        assert_true(ck_record_is_same(m->kernels[0].params[i].record, params[i].record));
    }
    assert_int_equal(m->kernels[1].generic, 1);
    assert_int_equal(m->kernels[1].params[0].dtype, CK_DTYPE_NONE);
    assert_string_equal(m->kernels[2].entry, "none_1");
    assert_int_equal(m->n_globals, 2);
    for (int i = 0; i < 2; i++) {
        const struct ck_image_global *a = &m->globals[i], *b = &globals[i];
        assert_string_equal(a->desc.name, b->desc.name);
        assert_string_equal(a->symbol, b->symbol);
        assert_int_equal(a->by_address, b->by_address);
        assert_int_equal(a->desc.constant, b->desc.constant);
        assert_int_equal(a->desc.dtype, b->desc.dtype);
        assert_int_equal(a->desc.ndim, b->desc.ndim);
        assert_memory_equal(a->desc.shape, b->desc.shape, sizeof a->desc.shape);
    }
    assert_int_equal(m->n_accesses, 2);
    for (int i = 0; i < 2; i++) {
        const struct ck_access_site *a = &m->accesses[i], *b = &accesses[i];
        assert_int_equal(a->begin, b->begin);
        assert_int_equal(a->end, b->end);
        assert_int_equal(a->line, b->line);
        assert_int_equal(a->caller, b->caller);
        assert_int_equal(a->item, b->item);
        assert_int_equal(a->ndim, b->ndim);
        assert_int_equal(a->in_loop, b->in_loop);
        assert_int_equal(a->wraps, b->wraps);
        assert_string_equal(a->array, b->array);
        assert_string_equal(a->index, b->index);
    }
}

static struct ck_strbuf
written(void)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_manifest_write(&text, &manifest);
    assert_false(text.failed);
    return text;
}

/* A person's eye on it. */
static void
test_text(void **state)
{
    (void)state;
    struct ck_strbuf text = written();
    assert_string_equal(
        text.text, "ck manifest 2\n"
                   "version 0.1.0\n"
                   "source a \"b\"\\x0a\\xc3\\xa9\\x5c.ck\n"
                   "arch sm_90\n"
                   "kernel rows entry rows cooperative small natural shared_bytes 128 "
                   "max_threads 256 clusters cluster 4 1 2 stack_bytes 20480\n"
                   "  M int32[:, ::1]\n"
                   "  x float32[:] read_only\n"
                   "  f complex64[::1, :, :] disjoint alignment 16\n"
                   "  n int64\n"
                   "  a uint64 CPointer({x:int8})\n"
                   "  t tuple 3\n"
                   "  t[0] int8\n"
                   "  t[1] tuple 1 record(x=int8)\\xc3\\xa9\n"
                   "  t[1][0] float32[::1] read_only\n"
                   "  t[2] tuple 0\n"
                   "  r float64[()] read_only\n"
                   "  p {c:int8,p:{x:float32,y:int16@8}(2,3)@4,v:int16x2(3),w:float32x4}/99[:, "
                   "::1] read_only\n"
                   "  v float32x4[::1] disjoint\n"
                   "  w uint8x1[()] never_written\n"
                   "kernel generic generic\n"
                   "  M\n"
                   "kernel none entry none_1\n"
                   "global COUNTS symbol COUNTS int32[::1] shape 256\n"
                   "global P[0] symbol P_0 constant float64[:, ::1] shape 3 4\n"
                   "access 7 30 2 0 0 0 array f\n"
                   "access 120 128 9 1 4 2 in_loop wraps array t[1]\\x0a index i\\x20+\\x201\n"
                   "end\n");
    ck_strbuf_free(&text);
}

static void
test_round_trip(void **state)
{
    struct rig *rig = *state;
    struct ck_manifest back;
    struct ck_strbuf text = written();
    if (ck_manifest_read(&back, &rig->arena, rig->ctx, text.text, text.length))
        fail_msg("%s", ck_context_error(rig->ctx));
    check_same(&back);
    ck_strbuf_free(&text);
}

/* Every byte but the terminator, in the two places where names have spaces and not. */
static void
test_names_of_any_bytes(void **state)
{
    struct rig *rig = *state;
    char name[256];
    for (int i = 0; i < 255; i++)
        name[i] = (char)(i + 1);
    name[255] = '\0';
    ck_kernel_desc kernel = {name, name, "()", 0, NULL};
    struct ck_manifest m = {"0", name, "sm_75", &kernel, 1}, back;
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_manifest_write(&text, &m);
    assert_false(text.failed);
    for (size_t i = 0; i < text.length; i++)
        assert_true(text.text[i] == '\n' || (text.text[i] >= ' ' && text.text[i] <= '~'));
    assert_int_equal(ck_manifest_read(&back, &rig->arena, rig->ctx, text.text, text.length), CK_OK);
    assert_string_equal(back.source, name);
    assert_string_equal(back.kernels[0].name, name);
    assert_string_equal(back.kernels[0].entry, name);
    ck_strbuf_free(&text);
}

/* --- In PTX ------------------------------------------------------------------------------------
 */

static struct ck_strbuf
as_ptx(const struct ck_manifest *m)
{
    struct ck_strbuf ptx;
    ck_strbuf_init(&ptx);
    ck_strbuf_puts(&ptx, ".version 7.8\n.target sm_90\n// my_ck_manifest[1]\n");
    ck_manifest_write_ptx(&ptx, m);
    ck_strbuf_puts(&ptx, ".visible .entry rows() { ret; }\n");
    assert_false(ptx.failed);
    return ptx;
}

/* Source names of any length modulo a word's. */
static void
test_ptx(void **state)
{
    struct rig *rig = *state;
    for (int i = 0; i < 17; i++) {
        struct ck_manifest m = manifest, back;
        m.source = &"0123456789abcdef."[i];
        struct ck_strbuf ptx = as_ptx(&m);
        if (ck_manifest_read_ptx(&back, &rig->arena, rig->ctx, ptx.text, ptx.length))
            fail_msg("%s", ck_context_error(rig->ctx));
        assert_string_equal(back.source, m.source);
        back.source = manifest.source;
        check_same(&back);
        ck_strbuf_free(&ptx);
    }
    struct ck_strbuf ptx = as_ptx(&manifest);
    ck_module *module;
    assert_int_equal(ck_module_load(&module, rig->ctx, ptx.text, ptx.length + 1), CK_OK);
    assert_int_equal(ck_module_n_kernels(module), 3);
    check_same(&(struct ck_manifest){.source = manifest.source,
                                     .arch = "sm_90",
                                     .kernels = (ck_kernel_desc *)ck_module_kernel(module, 0),
                                     .n_kernels = 3,
                                     .globals = globals,
                                     .n_globals = 2,
                                     .accesses = accesses,
                                     .n_accesses = 2});
    assert_null(ck_module_kernel(module, 3));
    ck_module_free(module);
    ck_strbuf_free(&ptx);
}

static void
refused(struct rig *rig, const char *ptx, size_t length, const char *why)
{
    struct ck_manifest back = {0};
    ck_module *module = NULL;
    char *exact = malloc(length ? length : 1); /* so that a sanitizer sees reading past the end */
    memcpy(exact, ptx, length);
    assert_int_equal(ck_manifest_read_ptx(&back, &rig->arena, rig->ctx, exact, length),
                     CK_ERROR_FORMAT);
    if (!strstr(ck_context_error(rig->ctx), why))
        fail_msg("\"%s\" instead of \"%s\"", ck_context_error(rig->ctx), why);
    assert_null(back.kernels);
    assert_int_equal(ck_module_load(&module, rig->ctx, exact, length), CK_ERROR_FORMAT);
    assert_null(module);
    free(exact);
}

static void
test_cut_anywhere(void **state)
{
    struct ck_strbuf ptx = as_ptx(&manifest);
    size_t end = (size_t)(strstr(ptx.text, "};") - ptx.text) + 2;
    for (size_t n = 0; n <= end; n++)
        refused(*state, ptx.text, n, "");
    ck_strbuf_free(&ptx);
}

/* Any byte of the comment or the array edited, and nothing else: refused. */
static void
test_edited_anywhere(void **state)
{
    struct ck_strbuf ptx = as_ptx(&manifest);
    size_t begin = (size_t)(strstr(ptx.text, "// This file's") - ptx.text);
    size_t end = (size_t)(strstr(ptx.text, "};") - ptx.text) + 2;
    for (size_t i = begin; i < end; i++) {
        char byte = ptx.text[i];
        for (int k = 0; k < 3; k++) {
            ptx.text[i] = (char)(k == 0 ? byte ^ 1 : k == 1 ? byte + 1 : 0x80 | byte);
            refused(*state, ptx.text, ptx.length, "");
        }
        ptx.text[i] = byte;
    }
    ck_strbuf_free(&ptx);
}

static void
test_what_is_wrong_in_ptx(void **state)
{
    static const struct {
        const char *ptx, *why;
    } rows[] = {
        {"", "there is no manifest"},
        {"ck_manifest[8]", "there is no manifest"},
        {"\177ELF", ""},
        {".visible .global .align 1 .b8 ck_manifest[9] = {67, 75, 77, 65, 78, 73, 70, 49, 123};",
         "compiled by an older ck: compile it again"},
        {"\n.visible .global .align 8 .b64 ck_manifest[1] = {\n};\n", "cut short, or was edited"},
        {"\n.visible .global .align 8 .b64 ck_manifest[", "cut short, or was edited"},
        {"\n.visible .global .align 8 .b64 ck_manifest[1] = {\n0x7465737420746573\n};\n",
         "the comment before `ck_manifest` does not match the array"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        refused(*state, rows[i].ptx, strlen(rows[i].ptx), rows[i].why);
}

/* --- Texts that are damaged --------------------------------------------------------------------
 */

static ck_status
read_exact(struct rig *rig, const char *text, size_t length)
{
    struct ck_manifest back = {0};
    char *exact = malloc(length ? length : 1);
    memcpy(exact, text, length);
    ck_status status = ck_manifest_read(&back, &rig->arena, rig->ctx, exact, length);
    assert_true(status == CK_OK || !back.kernels);
    free(exact);
    return status;
}

#define HEAD   "ck manifest 2\nversion 0\nsource s\narch sm_75\n"
#define KERNEL HEAD "kernel k entry k"

static void
test_contents_damaged(void **state)
{
    struct rig *rig = *state;
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "line 1, column 1: it does not begin with"},
        {"ck manifest 3\n", "line 1, column 1: it does not begin with"},
        {HEAD, "line 5, column 1: another line should be here"},
        {HEAD "end", "it is cut short"},
        {HEAD "end\nend\n", "line 5, column 5: another line should be here"},
        {HEAD "\nend\n", "line 5, column 1: another line"},
        {HEAD "arch sm_80\nend\n", "line 5, column 1: another line"},
        {"ck manifest 2\nsource s\narch sm_75\nend\n", "line 2, column 1: another line"},
        {"ck manifest 2\nversion \nsource s\narch sm_75\nend\n", "line 2, column 9: a name"},
        {HEAD "math\nend\n", "line 5, column 1: another line"},
        {HEAD "access\nend\n", "line 5, column 7: a number in range is missing"},
        {HEAD "access 9 8 1 0 4 1 array x\nend\n", "column 10: a number in range is missing"},
        {HEAD "access 8 9 1 1 4 1 array x\nend\n", "column 14: a number in range is missing"},
        {HEAD "access 8 9 1 0 4 1\nend\n", "column 19: the access's array is missing"},
        {HEAD "access 8 9 1 0 4 1 array \nend\n", "column 26: a name is missing"},
        {HEAD "access 8 9 1 0 4 1 array x index \nend\n", "column 34: a name is missing"},
        {HEAD "access 8 9 1 0 4 1 wraps in_loop array x\nend\n", "column 25: the access's array"},
        {HEAD "access 8 9 1 0 4 1 array x y\nend\n", "column 27: the line should end here"},
        {HEAD "access 8 9 1 0 4 1 array x\nkernel k entry k\nend\n", "line 6, column 1: another"},
        {HEAD "kernel \nend\n", "line 5, column 8: a name is missing"},
        {HEAD "kernel k\nend\n", "line 5, column 9: the kernel's entry is missing"},
        {HEAD "kernel k entry \nend\n", "line 5, column 16: a name is missing"},
        {HEAD "kernel \\x41 entry k\nend\n", "column 8: invalid escape"},
        {HEAD "kernel \\x00 entry k\nend\n", "column 8: invalid escape"},
        {HEAD "kernel \\xC3 entry k\nend\n", "column 8: invalid escape"},
        {HEAD "kernel \\xc entry k\nend\n", "column 8: invalid escape"},
        {HEAD "kernel \\n entry k\nend\n", "column 8: invalid escape"},
        {HEAD "kernel k\tentry k\nend\n", "column 9: the kernel's entry is missing"},
        {KERNEL " \nend\n", "column 17: the line should end here"},
        {KERNEL " cooperative cooperative\nend\n", "column 29: the line should end here"},
        {KERNEL " cooperatively\nend\n", "column 17: the line should end here"},
        {KERNEL " max_threads 1 shared_bytes 1\nend\n", "column 31: the line should end here"},
        {KERNEL " shared_bytes\nend\n", "column 30: a number in range is missing"},
        {KERNEL " shared_bytes 0\nend\n", "column 31: a number in range is missing"},
        {KERNEL " shared_bytes 07\nend\n", "column 31: a number in range is missing"},
        {KERNEL " shared_bytes -1\nend\n", "column 31: a number in range is missing"},
        {KERNEL " shared_bytes 4294967296\nend\n", "column 31: a number in range is missing"},
        {KERNEL " max_threads 99999999999999999999\nend\n", "a number in range is missing"},
        {KERNEL " cluster 2 1\nend\n", "a number in range is missing"},
        {KERNEL " cluster 2 1 1 1\nend\n", "the line should end here"},
        {KERNEL " cluster 2 1 0\nend\n", "a number in range is missing"},
        {KERNEL " cluster 17 1 1\nend\n", "a number in range is missing"},
        {KERNEL " cluster 4 4 2\nend\n", "a number in range is missing"},
        {KERNEL " cluster 4294967298 1 1\nend\n", "a number in range is missing"},
        {KERNEL "\n  \nend\n", "line 6, column 3: a name is missing"},
        {KERNEL "\n  a\nend\n", "line 6, column 4: a type is missing"},
        {KERNEL "\n  a int33\nend\n", "line 6, column 5: unknown type"},
        {KERNEL "\n  a int\nend\n", "line 6, column 5: unknown type"},
        {KERNEL "\n  a float32x5[:]\nend\n", "line 6, column 5: unknown type"},
        {KERNEL "\n  a float32x4\nend\n", "line 6, column 5: unknown type"},
        {KERNEL "\n  a boolx2[:]\nend\n", "line 6, column 5: unknown type"},
        {KERNEL "\n  a complex64x2[:]\nend\n", "line 6, column 5: unknown type"},
        {KERNEL "\n  a int32 \nend\n", "line 6, column 10: the line should end here"},
        {KERNEL "\n  a int32 read_only\nend\n", "column 10: the line should end here"},
        {KERNEL "\n  a int32[\nend\n", "invalid array dimensions"},
        {KERNEL "\n  a int32[]\nend\n", "invalid array dimensions"},
        {KERNEL "\n  a int32[:,:]\nend\n", "invalid array dimensions"},
        {KERNEL "\n  a int32[:, ]\nend\n", "invalid array dimensions"},
        {KERNEL "\n  a int32[:, ::1, :]\nend\n", "invalid array dimensions"},
        {KERNEL "\n  a int32[::1, ::1]\nend\n", "a second dimension with adjacent elements"},
        {KERNEL "\n  a int32[:, :, :, :, :, :, :, :, :]\nend\n", "invalid array dimensions"},
        {KERNEL "\n  a int32[:] alignment 8192\nend\n", "a number in range is missing"},
        {KERNEL "\n  a int32[:] alignment 24\nend\n", "an alignment is a power of two"},
        {KERNEL "\n  a int32[:] disjoint read_only\nend\n", "the line should end here"},
        {KERNEL "\n  r {\nend\n", "invalid record type"},
        {KERNEL "\n  r {}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:int7}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:int8(0)}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:int8(2}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:int8@}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:int8@9}/4[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:{b:int8}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:int8}\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:i1}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:int8,b:int8@1}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:int8}/01[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:float32(99999)}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:float32x5}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:boolx2}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  r {a:float32x2(1,1,1,1,1,1,1,1)}[:]\nend\n", "invalid record type"},
        {KERNEL "\n  t tuple\nend\n", "a number in range is missing"},
        {KERNEL "\n  t tuple[:]\nend\n", "a number in range is missing"},
        {KERNEL "\n  t tuple 0 \nend\n", "a name is missing"},
        {KERNEL "\n  t tuple -1\nend\n", "a number in range is missing"},
        {KERNEL "\n  t tuple 2\n  t[0] int8\nend\n", "line 8, column 1: an item of a tuple"},
        {HEAD "kernel g generic\n  a int32\nend\n", "line 6, column 4: the line should end here"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (read_exact(rig, rows[i].text, strlen(rows[i].text)) != CK_ERROR_FORMAT)
            fail_msg("not refused: %s", rows[i].text);
        if (!strstr(ck_context_error(rig->ctx), rows[i].why))
            fail_msg("\"%s\" instead of \"%s\"", ck_context_error(rig->ctx), rows[i].why);
    }
    assert_int_equal(read_exact(rig, HEAD "end\n\0end\n", sizeof HEAD "end\n\0end\n" - 1),
                     CK_ERROR_FORMAT);
}

static void
append_lines(struct ck_strbuf *text, const char *line, int n)
{
    while (n--)
        ck_strbuf_puts(text, line);
}

/* Tuples in each other and parameters, at the limit and one beyond. */
static void
test_limits(void **state)
{
    struct rig *rig = *state;
    static const struct {
        const char *line, *last, *why;
        int most;
    } rows[] = {
        {"  t tuple 1\n", "  i int8\n", "tuples are too deep", CK_MAX_TUPLES},
        {"  i int8\n", "", "more parameters than a kernel can have", 4096},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int more = 0; more < 2; more++) {
            struct ck_strbuf text;
            ck_strbuf_init(&text);
            ck_strbuf_puts(&text, KERNEL "\n");
            append_lines(&text, rows[i].line, rows[i].most + more);
            ck_strbuf_printf(&text, "%send\n", rows[i].last);
            ck_status status = read_exact(rig, text.text, text.length);
            assert_int_equal(status, more ? CK_ERROR_FORMAT : CK_OK);
            if (more && !strstr(ck_context_error(rig->ctx), rows[i].why))
                fail_msg("%s", ck_context_error(rig->ctx));
            ck_strbuf_free(&text);
        }
    }
}

static void
test_text_cut_anywhere(void **state)
{
    struct ck_strbuf text = written();
    for (size_t n = 0; n < text.length; n++)
        assert_int_equal(read_exact(*state, text.text, n), CK_ERROR_FORMAT);
    ck_strbuf_free(&text);
}

/* Bytes changed, left out and doubled at random: never a crash; read or refused. What is read is
 * written again as it was: there is one text for each manifest. */
static void
test_random_edits(void **state)
{
    struct rig *rig = *state;
    struct ck_strbuf text = written();
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++) {
        struct ck_manifest back;
        struct ck_strbuf edited, again;
        seed = seed * 1103515245 + 12345;
        size_t at = (seed >> 4) % text.length, length = 1 + (seed >> 24) % 5;
        length = length < text.length - at ? length : text.length - at;
        ck_strbuf_init(&edited);
        ck_strbuf_init(&again);
        ck_strbuf_add(&edited, text.text, at);
        for (int copies = i % 3; copies--;)
            ck_strbuf_add(&edited, text.text + at, length);
        if (i % 2)
            ck_strbuf_putc(&edited, "\n \\x0:[]1,9kt\177\200"[(seed >> 8) % 15]);
        ck_strbuf_add(&edited, text.text + at + length, text.length - at - length);
        struct ck_arena_mark mark = ck_arena_mark(&rig->arena);
        ck_status status =
            ck_manifest_read(&back, &rig->arena, rig->ctx, edited.text, edited.length);
        assert_true(status == CK_OK || status == CK_ERROR_FORMAT);
        if (status == CK_OK) {
            ck_manifest_write(&again, &back);
            assert_string_equal(again.text, edited.text);
        }
        ck_arena_release(&rig->arena, mark);
        ck_strbuf_free(&edited);
        ck_strbuf_free(&again);
    }
    ck_strbuf_free(&text);
}

/* --- Out of memory -----------------------------------------------------------------------------
 * The linker sends this program's allocations here. */

static long allocations_left = -1; /* -1: any number */

static bool
may_allocate(void)
{
    if (allocations_left > 0)
        allocations_left--;
    return allocations_left != 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *
__wrap_malloc(size_t size)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *
__wrap_calloc(size_t n, size_t size)
{
    return may_allocate() ? __real_calloc(n, size) : NULL;
}

void *
__wrap_realloc(void *old, size_t size)
{
    return may_allocate() ? __real_realloc(old, size) : NULL;
}

/* Whichever allocation fails, loading fails cleanly; a sanitizer sees what is not freed. */
static void
test_out_of_memory(void **state)
{
    struct rig *rig = *state;
    struct ck_manifest m = manifest;
    ck_kernel_desc many[100];
    for (int i = 0; i < 100; i++)
        many[i] = kernels[i % 3];
    m.kernels = many;
    m.n_kernels = 100;
    struct ck_strbuf ptx = as_ptx(&m);
    ck_module *module = NULL;
    ck_status status = CK_ERROR_MEMORY;
    int n = 0;
    for (; n < 10000 && status; n++) {
        allocations_left = n + 1;
        status = ck_module_load(&module, rig->ctx, ptx.text, ptx.length);
        allocations_left = -1;
        assert_true(status == CK_ERROR_MEMORY || status == CK_OK);
        assert_true(status == CK_OK || !module);
    }
    assert_int_equal(status, CK_OK);
    assert_in_range(n, 10, 9999);
    assert_int_equal(ck_module_n_kernels(module), 100);
    ck_module_free(module);
    ck_strbuf_free(&ptx);
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
        TEST(test_text),
        TEST(test_round_trip),
        TEST(test_names_of_any_bytes),
        TEST(test_ptx),
        TEST(test_cut_anywhere),
        TEST(test_edited_anywhere),
        TEST(test_what_is_wrong_in_ptx),
        TEST(test_contents_damaged),
        TEST(test_limits),
        TEST(test_text_cut_anywhere),
        TEST(test_random_edits),
        TEST(test_out_of_memory),
        TEST(test_dtypes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
