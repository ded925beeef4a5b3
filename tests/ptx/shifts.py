"""A 64-bit shift uses all 64 bits of its count. LLVM 22 drops the check of the upper 32 bits where
the shift is a plain `x << count if count < 64 else 0`: PTX's shift clamps, but by 32 bits of the
count."""

import re

SOURCE = """
@kernel
def shift(x: {0}[::1], n: {0}[::1]):
    x[0] = x[1] << n[0]
    x[2] = x[3] >> n[1]
"""


def check(t, dtype):
    source = t.tmp / "shift.ck"
    source.write_text(SOURCE.format(dtype))
    ptx = t.ok([t.ckc, "-arch=sm_90", "-o", "-", source]).out
    assert not re.search(r"ld\.global\.[bus]32", ptx), f"only half of a count is loaded:\n{ptx}"


def test_int64(t):
    check(t, "int64")


def test_uint64(t):
    check(t, "uint64")
