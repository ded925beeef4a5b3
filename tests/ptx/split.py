"""The block's split-phase barrier (docs/adr/011): one hardware barrier replaces arrive and wait
where the threads are converged at both and only a few plain instructions are in between."""

import re

from ptx.content import body, count
from ptx.ptxas import ARCHS

ONE = {  # what is between a token and its wait
    "nothing": "pass",
    "arithmetic": "v = fma(v * 3.5, v, 1.0) if v > 2 else min(v, 0.5)",
    "stores": "x[i] = v\n    v += x[n]",
    "a_branch": "if n > 7:\n        v += 1",
    "short_loop": "for j in range(5):\n        v = v * 0.5 + 1",
}
TWO = {
    "a_loop": "for j in range(n):\n        v = v * v + 1",
    "much": "\n    ".join(f"v = sqrt(v + {j}.5) * x[{j}]" for j in range(60)),
    "an_atomic": "atomic.add(x, n, v)",
    "a_fence": "threadfence_block()",
    "a_barrier": "b.sync()",
    "a_vote": "v += t.any(v > 1)",
    "uneven": "if threadIdx.x < 32:\n        for j in range(200):\n            v = v * v + 1",
}
KERNEL = """
@kernel
def {name}(x: float64[::1], n: int64):
    b = this_thread_block()
    t = tiled_partition(b, 32)
    i = b.thread_rank()
    v = x[i]
    token = b.barrier_arrive()
    {between}
    b.barrier_wait(token)
    x[b.num_threads() - 1 - i] = v
"""
# Where threads of a block are divergent, or not known to be converged.
PLACES = """
@kernel
def on_two_edges(x: float64[::1], n: int64):
    b = this_thread_block()
    if threadIdx.x < 48:
        x[threadIdx.x] = 1
        token = b.barrier_arrive()
        for j in range(n):
            x[threadIdx.x] *= 2
        b.barrier_wait(token)
    else:
        token = b.barrier_arrive()
        b.barrier_wait(token)
        x[threadIdx.x] = 3

@kernel
def beside(x: float64[::1], n: int64):
    b = this_thread_block()
    i = b.thread_rank()
    for k in range(n):
        token = b.barrier_arrive()
        b.barrier_wait(token)
        x[i] += 1
        token = b.barrier_arrive()
        for j in range(k):
            x[i] *= 2
        b.barrier_wait(token)

@kernel
def carried(x: float64[::1], n: int64):
    b = this_thread_block()
    token = b.barrier_arrive()
    for k in range(n):
        b.barrier_wait(token)
        x[b.thread_rank()] += 1
        token = b.barrier_arrive()
    b.barrier_wait(token)

@kernel
def with_tiles(x: float64[::1], n: int64):
    b = this_thread_block()
    token = b.barrier_arrive()
    b.barrier_wait(token)
    tiled_partition(b, 64).sync()
    x[b.thread_rank()] = 1
"""


def compiled(t, arch, source, *options):
    return t.ok([t.ckc, f"-arch={arch}", "-Wno-unused-name", *options, "-o", "-",
                 t.write("k.ck", source)]).out


def arrivals_and_barriers(code):
    """How often it arrives at a word, and how often at the hardware's barrier."""
    arrivals = count(code, "mbarrier.arrive") + count(code, "atom.add.release.cta")
    return arrivals, len(re.findall(r"bar(?:rier)?\.sync\s+0", code))


def test_little_between(t):
    source = "".join(KERNEL.format(name=name, between=ONE[name]) for name in ONE)
    for arch in ARCHS:
        text = compiled(t, arch, source)
        assert "shared$barriers" not in text, "their words are left out as well"
        for name in ONE:
            assert arrivals_and_barriers(body(text, name)) == (0, 1), (arch, name, body(text, name))


def test_much_between(t):
    source = "".join(KERNEL.format(name=name, between=TWO[name]) for name in TWO)
    for arch in ARCHS:
        text = compiled(t, arch, source)
        for name in TWO:
            # One barrier of the hardware is where the words are set up.
            assert arrivals_and_barriers(body(text, name)) == (1, 1 + (name == "a_barrier")), (arch, name)


def test_places(t):
    expected = {"on_two_edges": (2, 1), "beside": (1, 2), "carried": (2, 1), "with_tiles": (1, 2)}
    for arch in ARCHS:
        text = compiled(t, arch, PLACES)
        assert {name: arrivals_and_barriers(body(text, name)) for name in expected} == expected, (arch, text)
        kernels = compiled(t, arch, PLACES + KERNEL.format(name="alone", between="pass"))
        assert "shared$barriers" not in body(kernels, "alone"), kernels


def test_assembled(t):
    ptxas = t.need("ptxas")
    source = "".join(KERNEL.format(name=name, between=text) for name, text in {**ONE, **TWO}.items())
    for arch in ARCHS:
        for option in "-O0", "-O3":
            ptx = t.write("k.ptx", compiled(t, arch, source + PLACES, option))
            t.ok([ptxas, f"-arch={arch}", "-o", t.tmp / "k.cubin", ptx])


def test_unoptimised(t):
    for arch in "sm_75", "sm_90":
        text = compiled(t, arch, KERNEL.format(name="one", between="pass") + PLACES, "-O0")
        assert arrivals_and_barriers(body(text, "one")) == (1, 1), text
