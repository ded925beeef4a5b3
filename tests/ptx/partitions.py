"""Partitions of blocks: each thread waits for words of the others; NVIDIA's assembler accepts
it."""

from ptx.ptxas import ARCHS

KERNEL = """
@kernel
def part(x: int64[::1], label: int32[::1]):
    i = threadIdx.x
    p = labeled_partition(this_thread_block(), label[i])
    p.sync()
    x[i] = p.reduce(x[i], greater) + p.exclusive_scan(x[i])
"""


def test_parts(t):
    source, ptx = t.tmp / "part.ck", t.tmp / "part.ptx"
    source.write_text(KERNEL)
    for arch in ARCHS:
        t.ok([t.ckc, f"-arch={arch}", "-o", ptx, source])
        code = ptx.read_text()
        assert "st.release.cta.shared.u32" in code and "ld.acquire.cta.shared.u32" in code, code
        ptxas = t.need("ptxas")
        result = t.ok([ptxas, f"-arch={arch}", "-o", t.tmp / "out.cubin", ptx])
        assert "warning" not in result.err, result
