"""Asynchronous copies in the PTX: which instructions, on which architectures."""

from ptx.content import body, count, ptx
from ptx.ptxas import ARCHS

WHOLE = """@kernel
def k(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    s = shared.array(256, float32)
    g.memcpy_async(s, x)
    g.wait_prior(1)
    g.wait()
    y[threadIdx.x] = s[255 - threadIdx.x]
"""

OTHERS = """@kernel
def back(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    s = shared.array(256, float32)
    s[threadIdx.x] = x[threadIdx.x]
    g.sync()
    g.memcpy_async(y, s)
    g.wait()

@kernel
def bytes(x: uint8[::1], y: uint8[::1]):
    g = this_thread_block()
    s = shared.array(256, uint8)
    g.memcpy_async(s, x[::2])
    g.wait()
    y[threadIdx.x] = s[255 - threadIdx.x]
"""


def test_pieces_of_16_bytes(t):
    """Arrays that begin at multiples of 16: no other sizes, alone or where there is an end of elements of 4."""
    source = t.write("k.ck", WHOLE)
    for arch in ARCHS:
        code = body(ptx(t, source, "-aligned", f"-arch={arch}"), "k")
        if arch == "sm_75":
            assert "cp.async" not in code and "st.shared.v4" in code, code
            continue
        assert count(code, "cp.async.cg.shared.global") == 2, code
        assert ", 8;" not in code and "ld.global" not in code and "st.shared" not in code, code
        assert count(code, "cp.async.commit_group") == 1, code
        assert count(code, "cp.async.wait_group") == 2, code
        assert code.rfind("cp.async.wait_group") < code.rfind("bar.sync"), code


def test_any_alignment(t):
    code = body(ptx(t, t.write("k.ck", WHOLE), "-arch=sm_90"), "k")
    for size in (4, 8, 16):
        assert f", {size};" in code, code


def test_what_is_not_asynchronous(t):
    text = ptx(t, t.write("k.ck", OTHERS), "-arch=sm_90")
    for entry in ("back", "bytes"):
        code = body(text, entry)
        assert "cp.async.c" not in code.replace("cp.async.commit_group", ""), code
