/* The 16-bit floats: rounding, ties and limits included, and every number there and back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/float16.h"

static void
test_from_double(void **state)
{
    (void)state;
    static const struct {
        double value;
        uint16_t half;
    } cases[] = {
        {0, 0},
        {-0.0, 0x8000},
        {65504, 0x7bff},
        {65519.99, 0x7bff},
        {65520, 0x7c00},
        {1e300, 0x7c00},
        {-INFINITY, 0xfc00},
        {0x1p-24, 1},
        {0x1p-25, 0},
        {0x1.8p-25, 1},
        {0x1.ffcp-15, 0x400},
        {0x1p-14, 0x400},
        {0.1, 0x2e66},
        {1 + 0x1p-11, 0x3c00},
        {1 + 0x3p-11, 0x3c02},
        {2047.5 / 1024, 0x4000},
        {1 + 0x1p-11 + 0x1p-40, 0x3c01},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(ck_half_from_double(cases[i].value), cases[i].half);
    assert_int_equal(ck_half_from_double(NAN) & 0x7fff, 0x7e00);
    assert_int_equal(ck_bfloat_from_double(3.14159265), 0x4049);
    assert_int_equal(ck_bfloat_from_double(0x1p-133), 1);
    assert_int_equal(ck_bfloat_from_double(3.4e38), 0x7f80);
}

static void
test_to_double(void **state)
{
    (void)state;
    assert_true(ck_half_to_double(0x2e66) == 0x1.998p-4);
    assert_true(ck_half_to_double(1) == 0x1p-24);
    assert_true(ck_half_to_double(0xfbff) == -65504);
    assert_true(ck_bfloat_to_double(0x4049) == 3.140625);
    assert_true(ck_bfloat_to_double(1) == 0x1p-133);
    for (unsigned bits = 0; bits <= UINT16_MAX; bits++) {
        const double half = ck_half_to_double((uint16_t)bits);
        const double bfloat = ck_bfloat_to_double((uint16_t)bits);
        if (isnan(half))
            assert_true((bits & 0x7fff) > 0x7c00);
        else
            assert_int_equal(ck_half_from_double(half), bits);
        if (isnan(bfloat))
            assert_true((bits & 0x7fff) > 0x7f80);
        else
            assert_int_equal(ck_bfloat_from_double(bfloat), bits);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_double),
        cmocka_unit_test(test_to_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
