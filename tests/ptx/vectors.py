"""Elements of vectors are one access where their alignment is 16 bytes or less."""

import re

from ptx.content import body, ptx
from ptx.ptxas import ARCHS

SOURCE = """@kernel
def global_(x: float32[::1], y: float32[::1]):
    i = grid(1)
    y.view(float4)[i] = x.view(float4)[i] * 2

@kernel
def rows(x: float64[:, ::1], y: float64[:, ::1], n: int64):
    a = x.view(double4)
    b = y.view(double4)
    for i in range(n):
        b[i, 1] = a[i, 0]

@kernel
def shared_(x: float32[::1], y: float32[::1]):
    t = shared.array(64, float2)
    i = threadIdx.x
    t[i] = float2(x[i], 1)
    syncthreads()
    v = t[63 - i]
    y[i] = v.x + v.y

@kernel
def bytes_(x: int8[::1], y: int8[::1]):
    y.view(char4)[0] = x.view(char4)[0]

@kernel
def three(x: float32[::1], y: float32[::1]):
    y.view(float3)[0] = x.view(float3)[0]

@kernel
def declared(x: float4[:, :], h: half2[::1], y: float3[::1], o: float4[:]):
    i = grid(1)
    o[i] = x[i, 1] + float4(h[i], 0, 0) + y[i].z

@kernel
def field(x: float32[::1], y: float32[::1]):
    i = grid(1)
    y.view(float4)[i].z = x.view(float4)[i].y
"""
GLOBAL = r"(?:ld|st)\.global(?:\.nc)?(\.v[24])?\.b(\d+)"
SHARED = r"(?:ld|st)\.shared(\.v[24])?\.b(\d+)"


def accesses(code, pattern):
    return re.findall(pattern, code)


def test_wide_accesses(t):
    path = t.write("k.ck", SOURCE)
    for arch in ARCHS:
        text = ptx(t, path, f"-arch={arch}")
        def of(kernel, pattern):
            return accesses(body(text, kernel), pattern)
        assert of("global_", GLOBAL) == [(".v4", "32")] * 2, text
        assert of("shared_", SHARED) == [(".v2", "32")] * 2, text
        assert of("bytes_", GLOBAL) == [("", "32")] * 2, text
        assert of("three", GLOBAL) == [("", "32")] * 6, text
        assert sorted(of("declared", GLOBAL)) == [("", "32"), (".v2", "16"), (".v4", "32"), (".v4", "32")], text
        assert of("field", GLOBAL) == [("", "32")] * 2, text
        assert {*of("rows", GLOBAL)} == {(".v2", "64")}, text


ROWS = """@kernel
def rows(x: float32[:, ::1], y: float32[:, ::1]):
    i = grid(1)
    assert x.shape[1] == 4 and y.shape[1] == 4
    if i < len(x):
        for k in range(4):
            y[i, k] = x[i, k] + 1

@kernel
def slices(x: float32[:, ::1], y: float32[:, ::1]):
    i = grid(1)
    assert x.shape[1] == 4 and y.shape[1] == 4
    if i < len(x):
        p = x[i]
        q = y[i]
        q[:] = p[0] + p[1] + p[2] + p[3]

@kernel
def pairs(x: float64[:, :, ::1], y: float64[:, ::1]):
    i = grid(1)
    assert x.shape[1:] == (2, 2) and y.shape[1] == 2
    if i < len(x):
        y[i, 0] = x[i, 0, 0] + x[i, 1, 0]
        y[i, 1] = x[i, 0, 1] + x[i, 1, 1]

@kernel
def three(x: float32[:, ::1], y: float32[:, ::1]):
    i = grid(1)
    assert x.shape[1] == 3 and y.shape[1] == 3
    if i < len(x):
        for k in range(3):
            y[i, k] = x[i, k] + 1

@kernel
def unknown(x: float32[:, ::1], y: float32[:, ::1]):
    i = grid(1)
    if i < len(x):
        for k in range(4):
            y[i, k] = x[i, k] + 1
"""
WIDE = ("-restrict", "-aligned")


def test_rows_of_a_constant_extent(t):
    """One access each where the arrays are aligned, and only there."""
    path = t.write("rows.ck", ROWS)
    for options in (WIDE, (*WIDE, "-small")):
        text = ptx(t, path, "-arch=sm_90", *options)
        def of(kernel):
            return accesses(body(text, kernel), GLOBAL)
        assert of("rows") == [(".v4", "32")] * 2, text
        assert of("slices") == [(".v4", "32")] * 2, text
        assert of("pairs") == [(".v2", "64")] * 3, text
        assert of("three") == [("", "32")] * 6, text
        assert set(of("unknown")) == {("", "32")}, text
    text = ptx(t, path, "-arch=sm_90", "-restrict")
    assert ".v4" not in text and ".v2" not in text, text


def test_saturate(t):
    """As a maximum and a minimum, of which ptxas makes a modifier."""
    path = t.write("k.ck", "@kernel\ndef k(x: float32[::1]):\n    x[0] = saturate(x[0] * x[1])\n")
    code = body(ptx(t, path, "-arch=sm_90"), "k")
    assert "max.f32" in code and "min.f32" in code and "setp" not in code, code
