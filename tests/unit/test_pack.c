/* Packed bytes: what was packed comes back, keys of different parts differ, and what is cut short
 * reads as nothing and says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/pack.h"

static void
pack_all(struct ck_strbuf *out)
{
    ck_strbuf_init(out);
    ck_pack_number(out, 0);
    ck_pack_bytes(out, "a\0b", 3);
    ck_pack_number(out, UINT64_MAX);
    ck_pack_bytes(out, "", 0);
}

/* Whether all of it could be read. */
static bool
unpack_all(const char *bytes, size_t length)
{
    struct ck_unpack in = {bytes, length, false};
    size_t n[2];
    uint64_t zero = ck_unpack_number(&in);
    const char *text = ck_unpack_bytes(&in, &n[0]);
    uint64_t largest = ck_unpack_number(&in);
    const char *empty = ck_unpack_bytes(&in, &n[1]);
    if (in.failed) {
        assert_int_equal(in.left, 0);
        assert_int_equal(ck_unpack_number(&in), 0);
        ck_unpack_bytes(&in, &n[0]);
        assert_int_equal(n[0], 0);
        return false;
    }
    assert_int_equal(zero, 0);
    assert_int_equal(n[0], 3);
    assert_memory_equal(text, "a\0b", 3);
    assert_true(largest == UINT64_MAX);
    assert_int_equal(n[1], 0);
    assert_non_null(empty);
    return true;
}

static void
test_back(void **state)
{
    struct ck_strbuf packed;
    (void)state;
    pack_all(&packed);
    assert_true(unpack_all(packed.text, packed.length));
    ck_strbuf_free(&packed);
}

static void
test_cut_short(void **state)
{
    struct ck_strbuf packed;
    (void)state;
    pack_all(&packed);
    for (size_t length = 0; length < packed.length; length++) {
        char *exact = malloc(length + !length); /* no byte more, for the sanitizer */
        memcpy(exact, packed.text, length);
        assert_false(unpack_all(exact, length));
        free(exact);
    }
    ck_strbuf_free(&packed);
}

static void
test_lengths_beyond(void **state)
{
    (void)state;
    for (int bit = 2; bit < 64; bit++) {
        struct ck_strbuf packed;
        size_t length;
        ck_strbuf_init(&packed);
        ck_pack_number(&packed, (uint64_t)1 << bit);
        ck_strbuf_puts(&packed, "abc");
        struct ck_unpack in = {packed.text, packed.length, false};
        ck_unpack_bytes(&in, &length);
        assert_true(in.failed);
        assert_int_equal(length, 0);
        ck_strbuf_free(&packed);
    }
}

/* Two texts as one key. */
static struct ck_strbuf
key_of(const char *first, const char *second)
{
    struct ck_strbuf key;
    ck_strbuf_init(&key);
    ck_pack_text(&key, first);
    ck_pack_text(&key, second);
    return key;
}

static void
test_keys_differ(void **state)
{
    static const char *const texts[] = {NULL, "", "a", "ab", "b", "abc"};
    enum { N = sizeof texts / sizeof *texts };
    (void)state;
    for (int i = 0; i < N * N; i++) {
        for (int j = 0; j < N * N; j++) {
            struct ck_strbuf a = key_of(texts[i / N], texts[i % N]);
            struct ck_strbuf b = key_of(texts[j / N], texts[j % N]);
            bool same = a.length == b.length && !memcmp(a.text, b.text, a.length);
            assert_int_equal(same, i == j);
            ck_strbuf_free(&a);
            ck_strbuf_free(&b);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_back),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_lengths_beyond),
        cmocka_unit_test(test_keys_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
