"""A kernel's static shared memory: the module's description, the manifest, ptxas and the device
agree."""

import re
from pathlib import Path

from api.common import build
from harness import manifest

HERE = Path(__file__).parent
SM_75, SM_90 = "-arch=sm_75", "-arch=sm_90"
SOURCE = """
def swap(x, i):
    s = shared.array(33, float64)
    s[threadIdx.x] = x[i]
    syncthreads()
    x[i] = s[32 - threadIdx.x]

def both(x, y, i):
    swap(x, i)
    swap(y, i)

@kernel
def nothing(x: float32[::1], y: float32[::1]):
    x[threadIdx.x] = y[threadIdx.x]

@kernel
def arrays(x: float32[::1], y: float32[::1]):
    a = shared.array(10, float32)
    b = shared.array((3, 1), int8)
    a[threadIdx.x] = x[threadIdx.x]
    b[threadIdx.x, 0] = 1
    syncthreads()
    y[threadIdx.x] = a[9 - threadIdx.x] + b[2 - threadIdx.x, 0]

@kernel
def functions(x: float32[::1], y: float32[::1]):
    a = shared.array(1, int32)
    a[0] = threadIdx.x
    both(x, y, a[0])
    swap(x, a[0])

@kernel
def reduces(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    y[threadIdx.x] = reduce(g, x[threadIdx.x], plus())

@kernel
def scans(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    y[threadIdx.x] = inclusive_scan(g, x[threadIdx.x], plus()) + reduce(g, x[threadIdx.x], greater())

@kernel
def splits(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    v = x[threadIdx.x]
    token = g.barrier_arrive()
    while v < 100:
        v = v * 3 + 1
    g.barrier_wait(token)
    y[g.num_threads() - 1 - threadIdx.x] = v

@kernel
def tiles(x: float32[::1], y: float32[::1]):
    t = tiled_partition(this_thread_block(), 128)
    x[threadIdx.x] = y[threadIdx.x]
    t.sync()
    y[threadIdx.x] = x[127 - threadIdx.x]

@kernel
def grids(x: float32[::1], y: float32[::1]):
    x[threadIdx.x] = y[threadIdx.x]
    this_grid().sync()
    y[threadIdx.x] = x[31 - threadIdx.x]

@kernel
def copies(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    s = shared.array((2, 2048), float32)
    g.memcpy_async(s[0], x[:2048])
    for i in range(9):
        g.memcpy_async(s[(i + 1) % 2], x[(i + 1) * 2048:(i + 2) * 2048])
        g.wait_prior(1)
        y[i] = s[i % 2, threadIdx.x]
        g.sync()
    g.wait()
"""
# Each array takes a multiple of 16 bytes; a function's arrays are there once, however often it is
# called.
KNOWN = {"nothing": 0, "arrays": 48 + 16, "functions": 272 + 16, "copies": 2 * 8192}
WORDS_OF_BULK_COPIES = 4 * 8


def rounded(n):
    """The assembler does not count the bytes between the last array's end and the next multiple of
    16."""
    return (n + 15) // 16 * 16


def described(t, *device):
    """By kernel: the module's figure, and with a device the prepared code's and the device's
    own."""
    result = t.run([build(t, HERE / "shared_bytes.c"), t.write("k.ck", SOURCE), *device])
    if result.rc == 77:
        t.skip("no CUDA device")
    assert result.rc == 0, result
    return {name: [int(n) for n in numbers] for name, *numbers in map(str.split, result.out.splitlines())}


def in_manifest(t, *words):
    text = t.ok([t.ckc, "--emit=manifest", *words, "-o", "-", t.write("k.ck", SOURCE)]).out
    return {k["name"]: k.get("shared_bytes", 0) for k in manifest.parse(text)["kernels"]}


def test_module_and_manifest(t):
    figures = {name: numbers[0] for name, numbers in described(t).items()}
    assert {name: figures[name] for name in KNOWN} == KNOWN, figures
    assert all(figures[name] for name in ("reduces", "scans", "splits", "tiles", "grids")), figures
    for arch in SM_75, SM_90:
        assert in_manifest(t, arch) == figures, (arch, figures)


def test_bulk_copies_are_in_the_manifest_alone(t):
    """Only code generation knows whether there are any."""
    plain, marked = in_manifest(t, SM_90), in_manifest(t, SM_90, "-restrict")
    assert marked == {**plain, "copies": plain["copies"] + WORDS_OF_BULK_COPIES}, (plain, marked)


def test_ptxas(t):
    ptxas = t.need("ptxas")
    for words in (SM_75,), (SM_90,), (SM_90, "-restrict"):
        ptx = t.tmp / "k.ptx"
        t.ok([t.ckc, *words, "-o", ptx, t.write("k.ck", SOURCE)])
        said = t.ok([ptxas, "-v", words[0], "-o", t.tmp / "k.cubin", ptx])
        used = {name: rounded(int(smem or 0)) for name, smem in
                re.findall(r"entry function '(\w+)'.*?Used.*?(?:(\d+) bytes smem|\n)", said.out + said.err, re.S)}
        assert used == in_manifest(t, *words), (words, used)


def test_cpu(t):
    for name, (module, prepared, used) in described(t, "cpu").items():
        assert prepared == used <= module, (name, module, prepared, used)


def test_on_cuda(t):
    """A launch's code may copy in bulk, on devices where that is faster."""
    for name, (module, prepared, used) in described(t, "cuda").items():
        words = prepared - module
        assert rounded(used) == prepared, (name, module, prepared, used)
        assert words == 0 or name == "copies" and words == WORDS_OF_BULK_COPIES, (name, module, used)
