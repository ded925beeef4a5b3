"""Asynchronous copies in the PTX: which instructions, on which architectures."""

import re

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

BACK = """@kernel
def back(x: float32[::1], y: float32[::1]):
    g = this_thread_block()
    s = shared.array(256, float32)
    s[threadIdx.x] = x[threadIdx.x]
    g.sync()
    g.memcpy_async(y, s)
    g.wait()
"""


def apart(text):
    """The function that copies what is not of whole pieces of 16 bytes."""
    return next(code for code in re.findall(r"^\.func .*?^}", text, re.M | re.S)
                if "_copy_line" in code.splitlines()[0])


def test_pieces_of_16_bytes(t):
    """Where the destination is full and begins at a multiple of 16, as its source: no other sizes but in the
    function that does the rest, which is one for all copies of these types."""
    source = t.write("k.ck", WHOLE.replace("    y[", "    g.memcpy_async(s, y)\n    y["))
    for arch in ARCHS:
        text = ptx(t, source, "-aligned", f"-arch={arch}")
        code = body(text, "k")
        assert len(re.findall(r"^\.func .*_copy_line.*\($", text, re.M)) == 1, text
        if arch == "sm_75":
            assert "cp.async" not in code and "st.shared.v4" in code, code
            continue
        assert count(code, "cp.async.cg.shared.global") == 4 and "cp.async.ca" not in code, code
        assert "ld.global" not in code and "st.shared" not in code, code
        assert count(code, "cp.async.commit_group") == 2, code
        assert count(code, "cp.async.wait_group") == 2, code
        assert code.rfind("cp.async.wait_group") < code.rfind("bar.sync"), code


def test_any_alignment(t):
    for dtype, sizes in ("float32", {4, 16}), ("float64", {8, 16}), ("uint8", {4, 8, 16}):
        code = apart(ptx(t, t.write("k.ck", WHOLE.replace("float32", dtype)), "-arch=sm_90"))
        assert set(map(int, re.findall(r"cp\.async\.c.*, (\d+);", code))) == sizes, code


def test_what_is_not_asynchronous(t):
    text = ptx(t, t.write("k.ck", BACK), "-arch=sm_90")
    code = body(text, "back") + apart(text)
    assert "cp.async.c" not in code.replace("cp.async.commit_group", ""), code
