"""Shared and constant addresses take one 32-bit register: docs/adr/023."""

import re

from ptx.content import body, ptx
from ptx.ptxas import ARCHS

KERNELS = """
table = (1, 2, 3, 5, 8)

@kernel
def shared_sum(x: float32[::1]):
    s = shared.array(256, float32)
    s[threadIdx.x] = x[grid(1)]
    syncthreads()
    i = int64(threadIdx.x)
    v = float32(0)
    while i < 256:
        v += s[i] * s[255 - i]
        i += 7
    x[grid(1)] = v

@kernel
def tile(x: int64[::1]):
    g = tiled_partition(this_thread_block(), 64)
    x[threadIdx.x] = 1
    g.sync()
    x[threadIdx.x] += x[threadIdx.x ^ 63]

@kernel
def generic(x: int32[::1], n: int64):
    s = shared.array(64, int32)
    s[threadIdx.x] = x[grid(1)]
    syncthreads()
    x[grid(1)] = pick(s, n)

def pick(a, n):
    return a[n]
"""


def test_shared_addresses_are_short(t):
    """Of loads, stores and barriers, at every level."""
    source = t.write("k.ck", KERNELS)
    for arch in ARCHS:
        for level in ("-O0", "-O3"):
            text = ptx(t, source, f"-arch={arch}", level)
            accesses = re.findall(r"[.:]shared[\w.:]*[^;\n]*\[(%\w+)", text)
            assert accesses and all(name.startswith("%r") and not name.startswith("%rd")
                                    for name in accesses), (arch, level, accesses)


def test_no_pairs_for_shared_positions(t):
    """The address of a shared element is computed without 64-bit instructions."""
    code = body(ptx(t, t.write("k.ck", KERNELS), "-arch=sm_90"), "shared_sum")
    assert not re.search(r"mov\.b64\s+%rd\d+, shared", code), code
