"""Groups of several warps: which barriers they have, and that their collectives stay in
registers."""

import re

from harness import manifest
from ptx.content import count
from ptx.ptxas import ARCHS

KERNELS = """
def later(a, b):
    return b

@kernel
def tile_of_64(x: float32[::1]):
    t = tiled_partition(this_thread_block(), 64)
    i = threadIdx.x
    x[i] = t.reduce(x[i]) + t.reduce(x[i], later)

@kernel
def tile_of_256(x: float64[::1]):
    t = tiled_partition(this_thread_block(), 256)
    i = threadIdx.x
    x[i] = t.reduce(x[i]) + t.shfl(x[i], 3)

@kernel
def tile_of_128(x: float32[::1]):
    tiled_partition(this_thread_block(), 128).sync()
    x[threadIdx.x] = 0.5

@kernel
def tiles_of_512_and_256(x: float32[::1]):
    t = tiled_partition(this_thread_block(), 512)
    t.sync()
    x[threadIdx.x] = 0.5
    tiled_partition(t, 256).sync()

@kernel
def tile_of_1024(x: float64[::1]):
    tiled_partition(this_thread_block(), 1024).sync()
    x[threadIdx.x] = 0.5

@kernel
def block(x: int64[::1]):
    g = this_thread_block()
    i = threadIdx.x
    x[i] = g.reduce(x[i], greater) + g.reduce(x[i])

@kernel
def split(x: int32[::1], n: int32):
    g = this_thread_block()
    i = threadIdx.x
    token = g.barrier_arrive()
    y = x[i]
    while y < n:
        y = y * 3 + 1
    g.barrier_wait(token)
    x[g.num_threads() - 1 - i] = y
"""


def kernels(t, arch, *options):
    source = t.tmp / "groups.ck"
    source.write_text(KERNELS)
    text = t.ok([t.ckc, f"-arch={arch}", *options, "-o", "-", source]).out
    described = manifest.parse(t.ok([t.ckc, f"-arch={arch}", "--emit=manifest", "-o", "-", source]).out)
    codes = dict(re.findall(r"\.entry (\w+)\((.*?)^}", text, re.M | re.S))
    return text, codes, {k["name"]: k for k in described["kernels"]}


def test_barriers(t):
    """A tile of 256 has a barrier of the hardware's, by a constant; one of 64 or 128 and the split
    barrier an mbarrier since sm_80, before that a count that is added to with release and read with
    acquire."""
    for arch in ARCHS:
        text, codes, _ = kernels(t, arch)
        apart = [code for code in re.findall(r"^\.func .*?^}", text, re.M | re.S)
                 if "_part_block_reduce__int64" in code.splitlines()[0]]
        assert [count(code, "bar.sync") + count(code, "barrier.sync") for code in apart] == [2, 2], apart
        old = arch == "sm_75"
        for name in "tile_of_64", "tile_of_128", "split":
            code = codes[name]
            assert ("mbarrier.init" in code) == ("mbarrier.arrive" in code) == (not old), code
            assert ("atom.add.release.cta.shared.u32" in code) == old, code
            assert ("ld.acquire.cta.shared.u32" in code) == old, code
            waits = "mbarrier.test_wait" if arch in ("sm_80", "sm_86", "sm_89") else "mbarrier.try_wait"
            assert (waits in code) == (not old), code
        for name, numbers in ("tile_of_256", "1234"), ("tiles_of_512_and_256", "123456"):
            found = re.findall(r"bar(?:rier)?\.sync\s+(\S+), %r\d+;", codes[name])
            assert set(found) == set(numbers), (name, found)
        assert "mbarrier" not in codes["tile_of_256"] + codes["block"]
        # Two reductions of two barriers each; where the last warp lacks lanes, they are functions
        # with as many. The split barrier's block waits once, at the beginning.
        assert count(codes["block"], "bar.sync") + count(codes["block"], "barrier.sync") == 4
        # A tile of 1024 is the whole block.
        assert "mbarrier" not in codes["tile_of_1024"]
        assert len(re.findall(r"bar(?:rier)?\.sync\s+0\b", codes["tile_of_1024"])) == 1, codes
        assert count(codes["split"], "bar.sync") + count(codes["split"], "barrier.sync") == 1


def test_registers_and_shared_memory(t):
    ptxas = t.need("ptxas")
    for arch in ARCHS:
        text, _, described = kernels(t, arch)
        (t.tmp / "groups.ptx").write_text(text)
        said = t.ok([ptxas, "-v", f"-arch={arch}", "-o", t.tmp / "out.cubin", t.tmp / "groups.ptx"])
        said = said.out + said.err
        frames = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores", said)
        assert len(frames) >= 7 and set(frames) == {("0", "0")}, said
        barriers = dict(re.findall(r"entry function '(\w+)'.*?used (\d+) barriers", said, re.S))
        wide = {"tile_of_256": "5", "tiles_of_512_and_256": "7"}
        assert barriers == {**dict.fromkeys(barriers, "1"), **wide}, barriers
        for name, smem in re.findall(r"entry function '(\w+)'.*?Used.*?(?:(\d+) bytes smem|\n)",
                                     said, re.S):
            spare = 8 if name == "block" else 0  # what would align an array after its last one
            assert int(smem or 0) + spare == described[name].get("shared_bytes", 0), (arch, name, said)


def test_unoptimised(t):
    ptxas = t.need("ptxas")
    for arch in "sm_75", "sm_90":
        text, _, _ = kernels(t, arch, "-O0")
        (t.tmp / "groups.ptx").write_text(text)
        t.ok([ptxas, f"-arch={arch}", "-o", t.tmp / "out.cubin", t.tmp / "groups.ptx"])


SCANS = """@kernel
def scan(x: int32[::1], n: int64):
    t = tiled_partition(this_thread_block(), {size})
    v = x[grid(1)]
    for i in range(n):
        for part in range(4):
            v = t.inclusive_scan(v) ^ int32(4 * i + part)
    x[grid(1)] = v
"""


def test_scans_leave_registers_for_all_threads(t):
    """With more than 32 registers a thread, a multiprocessor holds fewer than 2048 threads. A loop
    for a last warp with few lanes, unrolled by ptxas, took 40. As a function, it made the code
    around its calls slower."""
    ptxas = t.need("ptxas")
    for size in 64, 128, 256:
        ptx = t.tmp / "scan.ptx"
        t.ok([t.ckc, "-arch=sm_90", "-o", ptx, t.write("k.ck", SCANS.format(size=size))])
        said = t.ok([ptxas, "-v", "-arch=sm_90", "-o", t.tmp / "out.cubin", ptx])
        used = [int(n) for n in re.findall(r"Used (\d+) registers", said.out + said.err)]
        assert used and max(used) <= 32, (size, used)
        assert not re.search(r"\bcall\b", ptx.read_text()), size
