"""merge-split-barriers: one hardware barrier for an arrive and a wait with little between them."""

from passes.ir import around, calls, function

KERNEL = """
@kernel
def k(x: int32[::1], y: int32[::1], n: int64):
    b = this_thread_block()
    i = grid(1)
    token = b.barrier_arrive()
{between}
    b.barrier_wait(token)
    x[i] = y[i + 1]
"""
BARRIER = "llvm.nvvm.barrier.cta.sync.aligned.all"


def bodies(t, between, arch):
    return [function(text, "k") for text in around(t, "merge-split-barriers", KERNEL.format(between=between), arch=arch)]


def test_merged(t):
    for arch in ("sm_75", "sm_90"):
        for between in ("    y[i] = x[i] + 3", "    pass"):
            before, after = bodies(t, between, arch)
            assert (calls(before, "ck.block_arrive"), calls(before, "ck.block_wait"), calls(before, BARRIER)) == (1, 1, 0)
            assert calls(after, BARRIER) == 1 and "shared$barriers" not in after and "ck." not in after, (arch, between)


def test_kept(t):
    """A loop, an atomic operation, another barrier, a divergent branch, many instructions."""
    long = "\n".join(f"    y[i + {k}] = x[i + {k}]" for k in range(40))
    for between in ("    for k in range(n):\n        y[i] += x[k]",
                    "    atomic.add(y, 0, 1)", "    y[i] = atomic.load(y, i)",
                    "    syncwarp()", "    if i < n:\n        y[i] = 2", long):
        for arch in ("sm_75", "sm_90"):
            _, after = bodies(t, between, arch)
            assert "shared$barriers" in after, (arch, between)
            assert "mbarrier.arrive" in after if arch == "sm_90" else "atom.add.release.cta" in after, (arch, between)
