"""The code of random.philox and its distributions: one product of 64 bits for each of the 20 of
Philox, and no tests of ranges in normal numbers."""

import re

from ptx.content import ptx

KERNEL = """
@kernel
def k({parameter}: {type}[::1], seed: int64):
    i = grid(1)
    if i < {parameter}.size:
        s = {type}(0)
        for j in range(100):
            for v in random.{name}(seed, j, i):
                s += v
        {parameter}[i] = s
"""


def loop_of(t, name, dtype, *options):
    source = t.write("k.ck", KERNEL.format(name=name, type=dtype, parameter="x"))
    text = ptx(t, source, "-arch=sm_90", *options)
    return re.search(r"^\$L__BB0_(\d+):.*?bra \t?\$L__BB0_\1;", text, re.M | re.S)[0]


def count(pattern, text):
    return len(re.findall(pattern, text))


def test_products(t):
    """None is of 64-bit factors, also where LLVM keeps their words in 64-bit registers."""
    for options in ((), ("-small", "-natural")):
        for name in ("philox_uniform_float32", "philox_normal_float32"):
            text = loop_of(t, name, "float32", *options)
            assert count(r"\bmul\.lo\.s64", text) == 0, text
            assert 17 <= count(r"\bmul\.wide\.u32", text) <= 20, text


def test_normal_numbers_have_no_branches(t):
    """Known ranges: neither the argument reduction of sin and cos, nor the general square root."""
    for library in ("libclc", "libdevice"):
        if library == "libdevice" and t.run([t.ckc, "--check", "--math=libdevice", t.write("k.ck", KERNEL.format(
                name="philox", type="uint32", parameter="x"))]).rc:
            t.skip("no CUDA toolkit")
        text = loop_of(t, "philox_normal_float32", "float32", f"--math={library}")
        assert count(r"\bbra\b", text) == 1 and not re.search(r"\bcall|sqrt\.rn|div\.", text), text
        assert count(r"rsqrt\.approx\.ftz\.f32", text) == 2, text
        assert count(r"\bfma\.rn\.f32", text) <= 60, text
        text = loop_of(t, "philox_normal_float64", "float64", f"--math={library}")
        assert count(r"\bbra\b", text) == 1 and not re.search(r"\bcall|div\.", text), text
        assert count(r"\bfma\.rn\.f64", text) <= 42, text


def test_fast_math_takes_the_approximate_root(t):
    source = t.write("k.ck", KERNEL.format(name="philox_normal_float32", type="float32", parameter="x"))
    text = ptx(t, source, "-arch=sm_90", "--use_fast_math")
    assert count(r"\bsqrt\.approx\.ftz\.f32", text) == 2 and "rsqrt" not in text, text


SINCOSPI = """
@kernel
def k(x: {type}[::1], s: {type}[::1], c: {type}[::1]):
    i = grid(1)
    s[i], c[i] = sincospi(x[i])
"""


def test_sincospi_reduces_once(t):
    """No branches, and one reduction for both: CUDA's take as many instructions."""
    for dtype, most in (("float32", 9), ("float64", 16)):
        text = ptx(t, t.write("k.ck", SINCOSPI.format(type=dtype)), "-arch=sm_90")
        assert not re.search(r"\bbra\b|\bcall", text), text
        assert count(r"\bfma\.rn\.f", text) <= most, text
