"""fold-shuffles, delete-unused-primitives and widen-shorts: code that ptxas miscompiles."""

from passes.ir import around, calls, count, function


def bodies(t, name, lines, params="y: int32[::1], m: uint32", arch="sm_90"):
    return [function(text, "k") for text in around(t, name, f"@kernel\ndef k({params}):\n    i = threadIdx.x\n{lines}", arch=arch)]


def test_shuffles_of_constants_are_folded(t):
    lines = "    c = shfl_sync(0xffffffff, 7, 3)\n    y[i] = min(c - y[i], 100)\n"
    for arch in ("sm_75", "sm_90"):
        before, after = bodies(t, "fold-shuffles", lines, arch=arch)
        assert count(before, r"sub (nsw )?i64 7,") == 0 and count(after, r"sub (nsw )?i64 7,") == 1, arch
        assert calls(after, "llvm.nvvm.shfl") == calls(before, "llvm.nvvm.shfl") >= 1, "lanes wait for each other in it"


def test_other_shuffles_are_not_folded(t):
    before, after = bodies(t, "fold-shuffles", "    y[i] = min(shfl_sync(0xffffffff, y[i], 3) - y[i], 100)\n")
    assert before == after


def test_unused_primitives_are_deleted(t):
    lines = "    for k in range(3):\n        any_sync(m, y[i] > k)\n    shfl_sync(m, y[i], 3)\n    y[i] = 2\n"
    before, after = bodies(t, "delete-unused-primitives", lines)
    assert calls(before, "llvm.nvvm.shfl") == 1 and calls(before, "llvm.nvvm.vote") >= 1
    assert calls(after, "llvm.nvvm.shfl") == calls(after, "llvm.nvvm.vote") == 0


def test_used_primitives_and_barriers_stay(t):
    lines = "    syncwarp(m)\n    if any_sync(m, y[i] > 3):\n        y[i] = shfl_sync(m, y[i], 3)\n"
    before, after = bodies(t, "delete-unused-primitives", lines)
    for primitive in ("shfl", "vote", "bar.warp"):
        assert calls(after, f"llvm.nvvm.{primitive}") == calls(before, f"llvm.nvvm.{primitive}") == 1, primitive


def test_short_negations_are_widened(t):
    for expression in ("-x[i]", "abs(x[i])"):
        before, after = bodies(t, "widen-shorts", f"    x[i] = {expression}\n", "x: int16[::1]")
        assert "asm" not in before and count(after, r"asm .*(neg|abs)\.s32") == 1, expression


def test_other_widths_are_not(t):
    for dtype in ("int8", "int32", "int64"):
        before, after = bodies(t, "widen-shorts", "    x[i] = -x[i]\n", f"x: {dtype}[::1]")
        assert before == after, dtype


def test_parts_of_floats(t):
    """The bits of a float are copied before a part of them is stored."""
    text = """@kernel
def k(x: float32[::1], y: uint8[::1]):
    i = threadIdx.x
    y[i] = uint8(bitcast(x[i] + 1, int32))
"""
    module = around(t, "copy-float-bits", text)[1]
    assert 'asm "mov.b32 $0, $1;", "=r,f"' in function(module, "k"), module
