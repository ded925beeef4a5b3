"""Floats to integers: PTX's conversions saturate, and most make 0 of NaN."""

from ptx.content import body, count, ptx


def code(t, source, target):
    text = f"@kernel\ndef k(x: {source}[::1], y: {target}[::1]):\n    i = threadIdx.x\n    y[i] = {target}(x[i])\n"
    return body(ptx(t, t.write("k.ck", text), "-arch=sm_90"), "k")


def test_no_limits_are_tested(t):
    """Of 32 and 64 bits. NaN is tested where PTX does not make 0 of it."""
    for source, short in (("float32", "f32"), ("float64", "f64")):
        for target, suffix in (("int32", "s32"), ("uint32", "u32"), ("int64", "s64"), ("uint64", "u64")):
            text = code(t, source, target)
            tests = 0 if (source, suffix[1:]) == ("float32", "32") else 1
            assert count(text, f"cvt.rzi.{suffix}.{short}") == 1, text
            assert count(text, "setp.") == count(text, "setp.nan") == count(text, "selp") == tests, (source, target, text)


def test_short_results_are_limited(t):
    for target, wide, limits in (("int8", "s32", ["min.s32", "max.s32"]), ("uint8", "u32", ["min.u32"]),
                                 ("int16", "s32", ["min.s32", "max.s32"]), ("uint16", "u32", ["min.u32"])):
        for source in ("float16", "float32"):
            text = code(t, source, target)
            assert count(text, f"cvt.rzi.{wide}.f32") == 1 and all(count(text, limit) == 1 for limit in limits), text
            assert count(text, "selp") == 0, text


def test_sums_of_masked_integers_are_added_as_floats(t):
    """One conversion where the integer itself is converted too, and sums are exact."""
    def counts(value, term):
        text = ("@kernel\ndef k(x: uint32[::1], z: int32[::1], y: float32[::1]):\n    i = threadIdx.x\n"
                f"    b = float32({value})\n    y[i] = b\n    y[i + 32] = b + {term}\n")
        code = body(ptx(t, t.write("k.ck", text), "-arch=sm_90"), "k")
        return count(code, "cvt.rn.f32"), count(code, "add.f32") + count(code, "add.rn.f32")

    assert counts("x[i] & uint32(1)", "1") == (1, 1)
    assert counts("z[i] & 1023", "4194304") == (1, 1)
    assert counts("x[i]", "1") == (1, 1)
