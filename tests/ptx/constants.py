"""Constant arrays in PTX: in constant memory, with their values, and only those that are read."""

import re
import struct

from ptx.ptxas import ARCHS
from ptx.content import body, count, ptx

KERNEL = """from numba import cuda
import numpy as np
READ = np.array([[1.5, -2.0], [3.25, 4.0]], dtype=np.float32)
SHORT = np.array([-2, 300, 7], np.int16)
UNREAD = np.zeros(65536, np.uint8)

def at(table, i):
    return table[i]

@cuda.jit("void(float32[::1], int64)")
def k(x, i):
    x[i] = cuda.const.array_like(READ)[i & 1, i >> 1 & 1] + at(SHORT, i % 3) + READ[1, 0]
"""


def arrays(text):
    """Name and bytes of each array in constant memory."""
    found = re.findall(r"^\.const \.align 16 \.b8 (\w*constant\S*)\[(\d+)\] = \{(.*)\};$", text, re.M)
    return {name: bytes(int(b) for b in values.split(",")).ljust(int(size), b"\0")
            for name, size, values in found}


def test_values(t):
    for arch in ARCHS:
        text = ptx(t, t.write("k.ck", KERNEL), f"-arch={arch}")
        assert sorted(arrays(text).values()) == sorted([struct.pack("<4f", 1.5, -2, 3.25, 4),
                                                        struct.pack("<3h", -2, 300, 7)]), text
        code = body(text, "k")
        assert count(code, "ld.const.b32") == 1 and count(code, "ld.const.b16") == 1, code


def test_unread_costs_nothing(t):
    assert ".const" not in ptx(t, t.write("k.ck", KERNEL.split("@")[0] + """
@kernel
def k(x: float32[::1]):
    x[0] = READ[0, 1] + len(SHORT)
"""))


def test_assembles(t):
    ptxas = t.need("ptxas")
    for number, source in enumerate(sorted((t.root / "tests" / "run" / "constants").glob("*.ck"))):
        signatures = {
            "complex": ["tables(int32[::1], complex128[:, ::1], float32[:, ::1])"],
            "comprehensions": ["tables(float64[::1], uint8[::1], float64[::1])"],
            "tables": ["elements(int64[::1], float64[:, ::1], int64[:, ::1])",
                       "shapes(int64[::1], int64[:, ::1])"],
            "int_enum": ["use(int32[::1], int32[::1])", "count(int32[::1])"],
            "eye": ["k(float64[::1])"],
            "windows": ["k(float64[::1])"],
            "without_value": ["fine(float64[::1])"],
            "strings": ["modes(int64[::1], int64[:, ::1])"],
            "unpacked": ["unpacked(int64[::1])"],
            "unchanged": ["k(float64[::1])", "reads(float64[::1], float64[::1])"],
            "expressions": ["k(float32[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1])"],
        }.get(source.stem, [])
        options = [option for signature in signatures for option in ("--sig", signature)]
        for arch in t.part(ARCHS, number):
            out = t.tmp / "k.ptx"
            t.ok([t.ckc, f"-arch={arch}", *options, source, "-o", out])
            t.ok([ptxas, f"-arch={arch}", out, "-o", t.tmp / "k.cubin"])


def test_two_values(t):
    """ptxas 12.2 to 12.6, and with it the drivers R535 to R560, crashes at loads of constant memory
    by a predicate: `setp; selp 1, 0; add; ld.const.b8`, behind a loop and a vote."""
    text = """TABLE = array([75, 10, 69, 54, 25], uint8)
@kernel
def k(x: uint16[::1], s: int64[::1], y: uint8[::1]):
    i = grid(1)
    v = TABLE[int64(x[i] > 31)]
    total = 0
    for e in s:
        total += e
    if any_sync(0xffffffff, total != s[0]):
        y[i] = v
"""
    for options in ("-O0", "-O1", "-O2", "-O3", "-small", "-natural", "-restrict"):
        assert ".const" not in ptx(t, t.write("k.ck", text), "-arch=sm_90", options), options
