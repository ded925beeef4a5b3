"""Shuffles of constants, which ptxas folds too late to compile what is computed from them right."""

from ptx.content import ptx

KERNEL = """
@kernel
def k(x: int32[::1], o: int32[:, ::1], n: int64):
    i = grid(1)
    g = tiled_partition(this_thread_block(), 32)
    c = shfl_sync(0xffffffff, 2, 0)
    o[0, i] = max(c - x[i], 0)
    d = g.shfl_xor(g.shfl_down(c, 1) + 3, 1)
    if i < n:
        o[1, i] = min(d - x[i], x[i + 1])
    e = coalesced_threads().shfl_up(int64(7), 1)
    o[2, i] = int32(max(e - x[i], int64(x[i + 1])))
    if x[i] > 3:
        b = g.shfl(5, i % 32)
        o[3, i] = max(b - x[i], x[i + 1])
"""


def test_no_shuffle_of_a_constant(t):
    source = t.write("k.ck", KERNEL)
    for level in ("-O0", "-O1", "-O2", "-O3"):
        text = ptx(t, source, "-arch=sm_90", level)
        assert "shfl" not in text, text
