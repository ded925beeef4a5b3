/* An index by hash finds what was added, newest first, and forgets what was cut. */
#include "base/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
test_empty(void **state)
{
    struct ck_index index = {0};
    assert_int_equal(ck_index_first(&index, 7), -1);
    ck_index_cut(&index, 0);
    assert_int_equal(index.n, 0);
}

static void
test_finds_each_of_many(void **state)
{
    enum { N = 5000 };
    struct ck_arena arena;
    ck_arena_init(&arena);
    struct ck_index index = {0};
    for (int i = 0; i < N; i++)
        ck_index_add(&arena, &index, ck_hash_bytes(&i, sizeof i));
    for (int i = 0; i < N; i++) {
        int found = ck_index_first(&index, ck_hash_bytes(&i, sizeof i));
        while (found >= 0 && found != i)
            found = ck_index_next(&index, found);
        assert_int_equal(found, i);
    }
    ck_arena_free(&arena);
}

static void
test_same_hash_newest_first(void **state)
{
    struct ck_arena arena;
    ck_arena_init(&arena);
    struct ck_index index = {0};
    for (int i = 0; i < 100; i++)
        ck_index_add(&arena, &index, (uint32_t)(i % 2) * 16); /* one head, two hashes */
    int expected = 98;
    for (int i = ck_index_first(&index, 0); i >= 0; i = ck_index_next(&index, i), expected -= 2)
        assert_int_equal(i, expected);
    assert_int_equal(expected, -2);
    ck_arena_free(&arena);
}

static void
test_cut(void **state)
{
    struct ck_arena arena;
    ck_arena_init(&arena);
    struct ck_index index = {0};
    for (int i = 0; i < 40; i++)
        ck_index_add(&arena, &index, (uint32_t)i % 4);
    ck_index_cut(&index, 6);
    assert_int_equal(index.n, 6);
    assert_int_equal(ck_index_first(&index, 0), 4);
    assert_int_equal(ck_index_next(&index, 4), 0);
    assert_int_equal(ck_index_next(&index, 0), -1);
    assert_int_equal(ck_index_first(&index, 2), 2);
    ck_index_add(&arena, &index, 2);
    assert_int_equal(ck_index_first(&index, 2), 6);
    assert_int_equal(ck_index_next(&index, 6), 2);
    ck_arena_free(&arena);
}

static void
test_hashes(void **state)
{
    assert_int_equal(ck_hash_text("grid"), ck_hash_bytes("grid", 4));
    assert_int_not_equal(ck_hash_text("x1"), ck_hash_text("x2"));
    assert_int_not_equal(ck_hash_mix(1, 2), ck_hash_mix(2, 1));
    int here[2];
    assert_int_not_equal(ck_hash_pointer(&here[0]), ck_hash_pointer(&here[1]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_finds_each_of_many),
        cmocka_unit_test(test_same_hash_newest_first),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
