"""Cache hints are PTX's cache operators, of global memory, and stay where they are written."""

import re

KERNEL = """@kernel
def k(x: float32[:], y: uint8[:], n: int64):
    i = grid(1)
    s = shared.array(32, float32)
    for j in range(n):
        stcg(x, i, ldcv(x, j))
        stwt(y, j, ldcs(y, i))
    stcs(s, 0, ldcg(s, 1))
    prefetch(x, i + 4)
    ldca(x, i)
    stwb(x, i, ldlu(x, 0) + s[0])
"""


def test_operators(t):
    code = t.ok([t.ckc, "-arch=sm_75", "-o", "-", t.write("k.ck", KERNEL)]).out
    for name in ("st.global.cg.u32", "ld.global.cv.u32", "st.global.wt.u8", "ld.global.cs.u8", "prefetch.global.L2",
                 "ld.global.ca.u32", "st.global.wb.u32", "ld.global.lu.u32"):
        assert name in code, name
    assert not re.search(r"(ld|st)\.shared\.c[gs]", code)


def test_assembled(t):
    ptxas = t.need("ptxas")
    for arch in ("sm_75", "sm_90", "sm_120"):
        ptx = t.tmp / "k.ptx"
        t.ok([t.ckc, f"-arch={arch}", "-o", ptx, t.write("k.ck", KERNEL)])
        t.ok([ptxas, f"-arch={arch}", "-o", t.tmp / "k.cubin", ptx])
