"""drop-convergent and restore-convergent: warp primitives and block barriers that all lanes execute
converged."""

from passes.ir import around, calls, count, function

PRIMITIVE = "llvm.nvvm.shfl.sync.idx.i32"
BARRIER = "llvm.nvvm.barrier.cta.sync.aligned.all"


def bodies(t, name, text, **kwargs):
    return [function(module, "k") for module in around(t, name, text, **kwargs)]


def kernel(lines):
    return "@kernel\ndef k(x: int32[::1], m: uint32, n: int64):\n    i = grid(1)\n" + lines


def test_dropped_where_all_lanes_come(t):
    for arch in ("sm_75", "sm_90"):
        for lines in ("    x[i] = shfl_sync(0xffffffff, x[i], 3)\n",
                      "    if n > 3:\n        x[i] = shfl_sync(0xffffffff, x[i], 3)\n",
                      "    for k in range(n):\n        x[i] += shfl_sync(0xffffffff, x[k], 3)\n"):
            before, after = bodies(t, "drop-convergent", kernel(lines), arch=arch)
            assert calls(before, PRIMITIVE) >= 1 and calls(before, "plain.") == 0, lines
            assert calls(after, PRIMITIVE) == 0 and calls(after, "plain." + PRIMITIVE) == calls(before, PRIMITIVE), lines


def test_kept_where_lanes_may_diverge(t):
    for lines in ("    if threadIdx.x < 7:\n        x[i] = shfl_sync(0x7f, x[i], 3)\n",
                  "    for k in range(x[i]):\n        x[i] += shfl_sync(activemask(), x[k], 3)\n",
                  "    while x[i] > 0:\n        x[i] = shfl_sync(m, x[i], 3)\n",
                  "    if x[0] > 0:\n        x[i] = shfl_sync(m, x[i], 3)\n"):
        before, after = bodies(t, "drop-convergent", kernel(lines))
        assert calls(before, PRIMITIVE) == calls(after, PRIMITIVE) >= 1, lines


def test_masks_are_widened(t):
    """A mask that is not constant, where all lanes come: its lanes read the same from all lanes."""
    before, after = bodies(t, "drop-convergent", kernel("    x[i] = shfl_sync(m, x[i], 3)\n"))
    assert count(before, PRIMITIVE + r"\(i32 %") == 1 and count(after, PRIMITIVE + r"\(i32 -1,") == 1
    before, after = bodies(t, "drop-convergent", kernel("    if any_sync(m, x[i] > 2):\n        x[i] = 1\n"))
    assert calls(before, "llvm.nvvm.vote.any.sync") == 1
    assert calls(after, "llvm.nvvm.vote.ballot.sync(i32 -1") + calls(after, "plain.llvm.nvvm.vote.ballot.sync(i32 -1") == 1
    _, after = bodies(t, "drop-convergent", kernel("    if threadIdx.x < 7:\n        x[i] = shfl_sync(m, x[i], 3)\n"))
    assert count(after, PRIMITIVE + r"\(i32 %") == 1, "a divergent branch"


def test_restored(t):
    """Only the unrolled loop has more primitives, and all are convergent again."""
    text = kernel("    s = 0\n    for k in range(n):\n        s += shfl_sync(0xffffffff, x[k], k)\n    x[i] = s\n")
    before, after = around(t, "restore-convergent", text)
    n = calls(function(before, "k"), "plain." + PRIMITIVE)
    assert n > 1, "the loop is unrolled, with a remainder"
    assert calls(function(after, "k"), PRIMITIVE) == n and "plain." not in after


def test_barriers(t):
    """A block's barrier too, and it is restored in each copy of its loop."""
    loop = kernel("    for k in range(n):\n        x[i] += 1\n        syncthreads()\n")
    before, after = bodies(t, "drop-convergent", loop)
    assert calls(before, BARRIER) == 1 and calls(after, "plain." + BARRIER) == 1
    before, after = around(t, "restore-convergent", loop)
    n = calls(function(before, "k"), "plain." + BARRIER)
    assert n > 1 and calls(function(after, "k"), BARRIER) == n and "plain." not in after
    loaded = kernel("    for k in range(x[0]):\n        syncthreads()\n")
    before, after = bodies(t, "drop-convergent", loaded)
    assert calls(before, BARRIER) == calls(after, BARRIER) == 1
