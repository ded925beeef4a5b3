/* .npy files: what NumPy writes is read, what is damaged is refused with a text, and what is
 * written is complete or absent. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <ck/npy.h>

struct place {
    ck_context *ctx;
    char folder[64];
    char path[96];
};

static int
set_up(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    strcpy(place->folder, "/tmp/ck-test-npy-XXXXXX");
    if (!mkdtemp(place->folder) || ck_context_new(&place->ctx, NULL))
        return -1;
    snprintf(place->path, sizeof place->path, "%s/a.npy", place->folder);
    *state = place;
    return 0;
}

static int
tear_down(void **state)
{
    struct place *place = *state;
    unlink(place->path);
    rmdir(place->folder);
    ck_context_free(place->ctx);
    free(place);
    return 0;
}

/* Writes magic, version, header length, `header`, and the data. */
static void
put(const struct place *place, int version, const char *header, const void *data, size_t bytes)
{
    FILE *file = fopen(place->path, "wb");
    size_t length = strlen(header);
    assert_non_null(file);
    fwrite("\x93NUMPY", 1, 6, file);
    fputc(version, file);
    fputc(0, file);
    for (int i = 0; i < (version == 1 ? 2 : 4); i++)
        fputc((int)(length >> 8 * i & 255), file);
    fwrite(header, 1, length, file);
    if (bytes)
        fwrite(data, 1, bytes, file);
    fclose(file);
}

static void
put_bytes(const struct place *place, const void *bytes, size_t n)
{
    FILE *file = fopen(place->path, "wb");
    assert_non_null(file);
    fwrite(bytes, 1, n, file);
    fclose(file);
}

static void
refused(struct place *place, ck_status status, const char *part)
{
    ck_npy array;
    memset(&array, 0x55, sizeof array);
    ck_npy before = array;
    assert_int_equal(ck_npy_read(&array, place->ctx, place->path), status);
    assert_memory_equal(&array, &before, sizeof array); /* untouched on failure */
    assert_non_null(strstr(ck_context_error(place->ctx), place->path));
    if (!strstr(ck_context_error(place->ctx), part))
        fail_msg("\"%s\" is not in \"%s\"", part, ck_context_error(place->ctx));
}

static ck_npy
accepted(struct place *place)
{
    ck_npy array;
    if (ck_npy_read(&array, place->ctx, place->path))
        fail_msg("%s", ck_context_error(place->ctx));
    return array;
}

static void
test_versions(void **state)
{
    const int32_t data[] = {1, -2, 3, 4, 5, 6};
    for (int version = 1; version <= 3; version++) {
        put(*state, version, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }    \n",
            data, sizeof data);
        ck_npy array = accepted(*state);
        assert_int_equal(array.dtype, CK_INT32);
        assert_int_equal(array.ndim, 2);
        assert_int_equal(array.shape[0], 2);
        assert_int_equal(array.shape[1], 3);
        assert_int_equal(array.fortran_order, 0);
        assert_memory_equal(array.data, data, sizeof data);
        ck_npy_free(&array);
        assert_null(array.data);
    }
}

static void
test_spellings(void **state)
{
    static const char *const headers[] = {
        "{'shape':(3,),'fortran_order':True,'descr':'<i2'}",
        "{\"descr\" : \"=i2\" , 'shape' : ( 3 , ) ,\n'fortran_order':\tFalse,}\n",
        "  { 'fortran_order': False, 'descr': 'i2', 'shape': (3L,), }",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (3L, 1L), }",
    };
    const int16_t data[] = {1, 2, 3};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        put(*state, 1, headers[i], data, sizeof data);
        ck_npy array = accepted(*state);
        assert_int_equal(array.shape[0], 3);
        assert_int_equal(array.dtype, CK_INT16);
        ck_npy_free(&array);
    }
}

static void
test_big_endian(void **state)
{
    const unsigned char data[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0};
    put(*state, 1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", data, 8);
    ck_npy array = accepted(*state);
    assert_true(((float *)array.data)[0] == 1 && ((float *)array.data)[1] == 2);
    ck_npy_free(&array);
    put(*state, 1, "{'descr': '>c8', 'fortran_order': False, 'shape': ()}", data, 8);
    array = accepted(*state);
    assert_int_equal(array.ndim, 0);
    assert_true(((float *)array.data)[0] == 1 && ((float *)array.data)[1] == 2);
    ck_npy_free(&array);
}

static void
test_empty(void **state)
{
    put(*state, 1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 9223372036854775807, 9)}",
        NULL, 0);
    ck_npy array = accepted(*state);
    assert_int_equal(array.bytes, 0);
    assert_int_equal(array.fortran_order, 1);
    ck_npy_free(&array);
    put(*state, 1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", "\0\1\7", 3);
    array = accepted(*state);
    assert_memory_equal(array.data, "\0\1\1", 3);
    ck_npy_free(&array);
}

/* All units, read, written and read again; another byte order. */
static void
test_dates(void **state)
{
    static const char *const units[] = {"[Y]",  "[M]",  "[W]",  "[D]",  "[h]",  "[m]",  "[s]",
                                        "[ms]", "[us]", "[ns]", "[ps]", "[fs]", "[as]", ""};
    struct place *place = *state;
    const int64_t counts[] = {INT64_MIN, -1, 5};
    char header[200], name[40];
    for (int i = 0; i < 4 * 14; i++) {
        const int is_delta = i & 1, swaps = i & 2;
        int64_t data[3];
        for (int k = 0; k < 3; k++)
            data[k] = swaps ? (int64_t)__builtin_bswap64((uint64_t)counts[k]) : counts[k];
        snprintf(header, sizeof header,
                 "{'descr': '%c%c8%s', 'fortran_order': False, 'shape': (3,), }", swaps ? '>' : '<',
                 is_delta ? 'm' : 'M', units[i / 4]);
        snprintf(name, sizeof name, "%s64%s", is_delta ? "timedelta" : "datetime", units[i / 4]);
        put(place, 1, header, data, sizeof data);
        for (int again = 0; again < 2; again++) {
            ck_npy array = accepted(place);
            assert_string_equal(ck_dtype_name(array.dtype), name);
            assert_int_equal(ck_dtype_by_name(name), array.dtype);
            assert_memory_equal(array.data, counts, sizeof counts);
            if (!again)
                assert_int_equal(ck_npy_write(&array, place->ctx, place->path), CK_OK);
            ck_npy_free(&array);
        }
    }
}

static void
test_types_refused(void **state)
{
    static const struct {
        const char *descr, *part;
    } types[] = {
        {"'|O'", "|O"},
        {"'<U5'", "<U5"},
        {"'|S3'", "|S3"},
        {"'|V8'", "|V8"},
        {"'<M8[25ns]'", "(dates of this unit; save x.astype('M8[s]')) have no ck type"},
        {"'<m8[7D]'", "(times of this unit; save x.astype('m8[s]')) have no ck type"},
        {"'<m8[]'", "m8"},
        {"'<m8[q]'", "m8"},
        {"'<M8[D'", "M8"},
        {"'<M4[D]'", "M4"},
        {"'<f16'", "<f16"},
        {"'<c32'", "<c32"},
        {"[('a', '<f4'), ('b', '>i4')]", "big-endian"},
        {"[('a', '<U2'), ('b', '<i4')]", "strings"},
        {"[('a b', '<f4'), ('b', '<i4')]", "have no ck type"},
        {"[('a', '<f4', (0,)), ('b', '<i8')]", "is empty, or too large"},
        {"[('a', '<f4', (2000,))]", "have no ck type"},
    };
    char header[200];
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (1,)}",
                 types[i].descr);
        put(*state, 1, header, "12345678", 8);
        refused(*state, CK_ERROR_UNSUPPORTED, types[i].part);
    }
    put(*state, 1, "{'descr': '|i1', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", "1",
        1);
    refused(*state, CK_ERROR_UNSUPPORTED, "more than 8 dimensions");
}

static void
test_records(void **state)
{
    static const char header[] =
        "{'descr': [('a', '|i1'), ('', '|V3'), ('b', '<f4', (2, 3)), "
        "('p', [('x', '<i2'), ('', '|V2')])], 'fortran_order': False, 'shape': (2,), }";
    static const char text[] = "{a:int8,b:float32(2,3)@4,p:{x:int16}/4}";
    struct place *place = *state;
    char data[64], read_text[80];
    for (int i = 0; i < 64; i++)
        data[i] = (char)i;
    put(place, 1, header, data, sizeof data);
    for (int again = 0; again < 2; again++) {
        ck_npy array = accepted(place);
        assert_int_equal(array.dtype, CK_RECORD);
        assert_int_equal(array.record->size, 32);
        ck_record_text(read_text, sizeof read_text, array.record);
        assert_string_equal(read_text, text);
        assert_memory_equal(array.data, data, sizeof data);
        assert_int_equal(ck_npy_write(&array, place->ctx, place->path), CK_OK);
        ck_npy_free(&array);
        assert_null(array.record);
    }
}

static void
test_records_not_written(void **state)
{
    struct place *place = *state;
    const ck_field both[] = {{.name = "a", .dtype = CK_INT32, .offset = 0},
                             {.name = "b", .dtype = CK_INT16, .offset = 2}};
    ck_record record = {4, 2, both};
    ck_npy array = {.dtype = CK_RECORD, .bytes = 4, .data = "1234", .record = &record};
    assert_int_equal(ck_npy_write(&array, place->ctx, place->path), CK_ERROR_UNSUPPORTED);
    record.size = 3;
    array.bytes = 3;
    assert_int_equal(ck_npy_write(&array, place->ctx, place->path), CK_ERROR_ARGUMENT);
    array.record = NULL;
    assert_int_equal(ck_npy_write(&array, place->ctx, place->path), CK_ERROR_ARGUMENT);
}

static void
test_damaged_records(void **state)
{
    static const char *const descrs[] = {
        "[",
        "[('a', '<f4'",
        "[('a', '<f4']",
        "['a', '<f4']",
        "[('a', 4)]",
        "[('a', '<f4', 3)]",
        "[('a', '<f4', (3)]",
        "[('a', '<f4', ('b',))]",
        "[('a', ('b', '<f4'))]",
        "[((), '<f4')]",
    };
    char header[200];
    for (size_t i = 0; i < sizeof descrs / sizeof descrs[0]; i++) {
        snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (1,)}",
                 descrs[i]);
        put(*state, 1, header, "12345678", 8);
        refused(*state, CK_ERROR_FORMAT, "damaged .npy header");
    }
}

static void
test_damaged(void **state)
{
    static const char *const headers[] = {
        "",
        "{",
        "[]",
        "{}",
        "{'descr'}",
        "{'descr': 4}",
        "{'descr': '<i4'",
        "{'descr': '<i4}",
        "{'descr': '<q4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<i3', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<i44444444444444444444', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<i4', 'fortran_order': False}",
        "{'descr': '<i4', 'shape': (1,)}",
        "{'descr': '<i4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1,,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1,",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 2)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<i4' 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}", /* truncated: 4 bytes follow */
        "{'descr': '<i2', 'fortran_order': False, 'shape': (1,)}", /* 2 bytes too many */
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        put(*state, 1, headers[i], "1234", 4);
        refused(*state, CK_ERROR_FORMAT, "");
    }
}

static void
test_cut_anywhere(void **state)
{
    static const char whole[] = "\x93NUMPY\x01\x00\x3a\x00"
                                "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n"
                                "12345678";
    const size_t length = sizeof whole - 1;
    put_bytes(*state, whole, length);
    ck_npy array = accepted(*state);
    ck_npy_free(&array);
    for (size_t n = 0; n < length; n++) {
        put_bytes(*state, whole, n);
        refused(*state, CK_ERROR_FORMAT, "");
    }
    put_bytes(*state, "\x93NUMPY\x04\x00\x00\x00", 10);
    refused(*state, CK_ERROR_FORMAT, "version 4.0");
    put_bytes(*state, "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
    refused(*state, CK_ERROR_FORMAT, "limit");
    put_bytes(*state, "PK\x03\x04          ", 14);
    refused(*state, CK_ERROR_FORMAT, ".npz");
}

static void
test_not_files(void **state)
{
    struct place *place = *state;
    refused(place, CK_ERROR_IO, "No such file");
    mkdir(place->path, 0700);
    refused(place, CK_ERROR_IO, "a directory");
    rmdir(place->path);
    mkfifo(place->path, 0600);
    refused(place, CK_ERROR_IO, "a pipe");
    int32_t one = 1;
    ck_npy array = {.dtype = CK_INT32, .bytes = 4, .data = &one};
    assert_int_equal(ck_npy_write(&array, place->ctx, place->path), CK_ERROR_IO);
}

static int
count_entries(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

static void
test_write(void **state)
{
    struct place *place = *state;
    double data[24];
    struct stat info;
    for (int i = 0; i < 24; i++)
        data[i] = i;
    for (int ndim = 0; ndim <= 4; ndim++) {
        ck_npy array = {.dtype = CK_FLOAT64,
                        .ndim = ndim,
                        .fortran_order = ndim == 2,
                        .shape = {4, 3, 2, 1},
                        .data = data};
        static const size_t counts[] = {1, 4, 12, 24, 24};
        array.bytes = counts[ndim] * 8;
        mode_t mask = umask(0027);
        assert_int_equal(ck_npy_write(&array, place->ctx, place->path), CK_OK);
        umask(mask);
        stat(place->path, &info);
        assert_int_equal(info.st_mode & 0777, 0640);
        assert_int_equal(((size_t)info.st_size - array.bytes) % 64, 0);
        ck_npy back = accepted(place);
        assert_int_equal(back.ndim, ndim);
        assert_int_equal(back.fortran_order, ndim == 2);
        assert_memory_equal(back.shape, array.shape, (size_t)ndim * 8);
        assert_memory_equal(back.data, data, array.bytes);
        ck_npy_free(&back);
    }
    assert_int_equal(count_entries(place->folder), 1);
}

static void
test_write_every_type(void **state)
{
    struct place *place = *state;
    unsigned char data[32] = {1};
    for (ck_dtype t = CK_BOOL; t <= CK_COMPLEX128; t++) {
        ck_npy array = {
            .dtype = t, .ndim = 1, .shape = {2}, .bytes = 2 * ck_dtype_size(t), .data = data};
        assert_int_equal(ck_npy_write(&array, place->ctx, place->path), CK_OK);
        ck_npy back = accepted(place);
        assert_int_equal(back.dtype, t == CK_BFLOAT16 ? CK_UINT16 : t);
        ck_npy_free(&back);
    }
    ck_npy wrong = {.dtype = CK_INT32, .ndim = 1, .shape = {3}, .bytes = 8, .data = data};
    assert_int_equal(ck_npy_write(&wrong, place->ctx, place->path), CK_ERROR_ARGUMENT);
    wrong.bytes = 12;
    wrong.dtype = CK_DTYPE_NONE;
    assert_int_equal(ck_npy_write(&wrong, place->ctx, place->path), CK_ERROR_ARGUMENT);
}

/* A full disk, by the limit on a file's size: the old file is as it was, no other is left. */
static void
test_write_fails(void **state)
{
    struct place *place = *state;
    static char data[1 << 16];
    ck_npy array = {
        .dtype = CK_INT8, .ndim = 1, .shape = {sizeof data}, .bytes = sizeof data, .data = data};
    struct rlimit before, limit;
    put_bytes(place, "old", 3);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    ck_status status = ck_npy_write(&array, place->ctx, place->path);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, CK_ERROR_IO);
    assert_non_null(strstr(ck_context_error(place->ctx), "cannot write"));
    assert_int_equal(count_entries(place->folder), 1);
    struct stat info;
    stat(place->path, &info);
    assert_int_equal(info.st_size, 3);
    assert_int_equal(ck_npy_write(&array, place->ctx, "/nonexistent/a.npy"), CK_ERROR_IO);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_versions),        TEST(test_spellings),        TEST(test_big_endian),
        TEST(test_empty),           TEST(test_damaged),          TEST(test_dates),
        TEST(test_types_refused),   TEST(test_records),          TEST(test_records_not_written),
        TEST(test_damaged_records), TEST(test_cut_anywhere),     TEST(test_not_files),
        TEST(test_write),           TEST(test_write_every_type), TEST(test_write_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
