"""Symbols of functions in PTX have no character but letters, digits, `_` and `$`, whatever types
they are specialised for."""

import re

KERNELS = """
point = record(x=float32, tags=(int8, 3))

def factorial(a, n):
    return a if n <= 0 else factorial(a, n - 1)

@kernel
def dates(x: datetime64[D][::1], y: timedelta64[D][::1], n: int64):
    x[0] = factorial(x[0], n) + factorial(y, n)[1]

@kernel
def records(x: point[::1], n: int64):
    x[0] = factorial(x[1], n)

@kernel
def others(x: float32[:, :], y: complex64[::1], z: int16x3[::1], n: int64):
    x[0, 0] = factorial(x, n)[1, 1]
    y[0] = factorial(y[1], n)
    z[0] = factorial(z[1], n)
"""

GENERIC = """
def factorial(a, n):
    return a if n <= 0 else factorial(a, n - 1)

@kernel
def k(x, y):
    x[0] = factorial(y, 3)
"""


def test_of_functions_and_kernels(t):
    for text, words in ((KERNELS, []), (GENERIC, ["--sig", "k(datetime64[D][::1], datetime64[D])",
                                                                                "--sig", "k(timedelta64[us][::1], timedelta64[us])"])):
        ptx = t.ok([t.ckc, "-arch=sm_90", *words, "-o", "-", t.write("k.ck", text)]).out
        names = re.findall(r"^(?:\.visible )?\.(?:entry|func)\s+(?:\(.*?\)\s*)?(\S+?)\(", ptx, re.M)
        assert len(names) >= 2 and all(re.fullmatch(r"[A-Za-z_$][\w$]*", name) for name in names), names
