"""What a view costs in PTX."""

import re

from harness import manifest
from ptx.content import body, ptx
from ptx.ptxas import ARCHS

ROW = """@kernel
def k(a: float32[:, ::1], o: float32[::1], i: int64, n: int64):
    row = {row}
    total = float32(0)
    for j in range(n):
        total += row[j]
    o[0] = total
"""


def multiplications(code):
    return len(re.findall(r"\b(?:mul|mad)\.(?!f32|rn)[a-z0-9.]+", code))


def test_row_without_strides(t):
    """The elements of a row of a C array are apart by their size: multiplications for the row's
    beginning alone, before the unrolled loop and before what it leaves over."""
    for arch in ARCHS:
        for row in ("a[i, :]", "a[i]", "a[i, 1:]"):
            code = body(ptx(t, t.write("k.ck", ROW.format(row=row)), f"-arch={arch}"), "k")
            assert multiplications(code) <= 2, (row, code)


def test_view_of_a_new_array(t):
    """One array is made, whether or not it has a name."""
    for base in "shared.array(8192, float32)[i:]", "shared.array((4, 2048), float32)[1]", \
            "shared.array(8192, float32).view(int32)[i:][2:]":
        source = t.write("k.ck", f"""@kernel
def k(o: float32[::1], i: int64):
    s = {base}
    s[i] = 1
    syncthreads()
    o[0] = s[3]
""")
        said = manifest.parse(t.ok([t.ckc, "-arch=sm_75", "--emit=manifest", "-o", "-", source]).out)
        assert [kernel["shared_bytes"] for kernel in said["kernels"]] == [32768], (base, said)


def test_new_array_in_an_operand(t):
    """One array is made where the checker asks for an operand's type first."""
    for statement in "o[:] = shared.array(8192, float32)[i] + o", "o[:] = o * shared.array(8192, float32)[:9]", \
            "np.add(shared.array(8192, float32)[0], o, o)", "o[0] = chosen(shared.array(8192, float32))":
        source = t.write("k.ck", f"""from numba.extending import overload
def chosen(x):
    pass
@overload(chosen)
def chosen_for(x):
    return lambda x: x[3]
@kernel
def k(o: float32[::1], i: int64):
    {statement}
""")
        said = manifest.parse(t.ok([t.ckc, "-arch=sm_75", "--emit=manifest", "-o", "-", source]).out)
        assert [kernel["shared_bytes"] for kernel in said["kernels"]] == [32768], (statement, said)


def test_strided_row(t):
    """The check above sees strides where they are."""
    code = body(ptx(t, t.write("k.ck", ROW.format(row="a[::i, 0]"))), "k")
    assert multiplications(code) > 2, code


def test_assembles(t):
    ptxas = t.need("ptxas")
    run = t.root / "tests" / "run"
    for number, source in enumerate(sorted([*(run / "views").glob("*.ck"), *(run / "local").glob("*.ck")])):
        for arch in t.part(["sm_75", "sm_80", "sm_90", "sm_100", "sm_120"], number):
            text = source.read_text()
            if "def generic(a, s, o)" in text or ": int" not in text:
                continue
            out = t.tmp / "k.ptx"
            t.ok([t.ckc, f"-arch={arch}", "-o", out, source])
            t.ok([ptxas, f"-arch={arch}", "-o", t.tmp / "k.cubin", out])
