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
