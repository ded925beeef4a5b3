"""Recursive functions are functions of the PTX that call themselves."""

import re

TEXT = """
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

def even(n):
    return True if n == 0 else odd(n - 1) or even(n - 2)

def odd(n):
    return False if n == 0 else even(n - 1) and odd(n - 2)

def chain(n, a, b, c, d):
    if n == 0:
        return a + b
    return (a * 3 + chain(n - 1, b, c, d, a)) * (b + c * (c - d)) - (a - b) * chain(n - 1, a, d, c, b)

def quicksort(v, low, high):
    if low >= high:
        return
    pivot = v[(low + high) // 2]
    i = low
    j = high
    while i <= j:
        while v[i] < pivot:
            i += 1
        while v[j] > pivot:
            j -= 1
        if i <= j:
            v[i], v[j] = v[j], v[i]
            i += 1
            j -= 1
    quicksort(v, low, j)
    quicksort(v, i, high)

def framed(n):
    v = local.array(16, int64)
    for i in range(16):
        v[i] = n * i
    s = 0 if n == 0 else framed(n - 1)
    for i in range(16):
        s += v[(i * s) % 16]
    return s

@kernel
def k(x: int64[:], y: float64[:]):
    i = grid(1)
    v = local.array(16, int64)
    for j in range(16):
        v[j] = x[i + j]
    quicksort(v, 0, 15)
    x[i] = fib(v[3]) + even(v[0]) + framed(v[2])
    y[i] = chain(v[1], y[i], y[i + 1], y[i + 2], 1.5)
"""

# What the limit counts for a call: 48 bytes, and 8 for each parameter, variable and result.
COUNTED = {"fib": 48 + 8 + 2 * 8, "even": 48 + 8 + 2 * 8, "odd": 48 + 8 + 2 * 8, "chain": 48 + 5 * 8 + 2 * 8,
           "quicksort": 48 + 7 * 8, "framed": 48 + 3 * 8 + 8 + 16 * 8}


def compiled(t, arch, *options):
    ptx = t.tmp / "k.ptx"
    t.ok([t.ckc, f"-arch={arch}", *options, "-o", ptx, t.write("k.ck", TEXT)])
    return ptx


def test_calls(t):
    text = compiled(t, "sm_90").read_text()
    assert len(re.findall(r"call\.uni \(?.*device_\$_fib__int64", text)) >= 2, text
    assert "recursion too deep" not in re.sub(r"\.b8 .*", "", text)


def assembles(t, arch, *options):
    """ptxas accepts it, and each function has a frame for which the stack has room: the stack is a
    quarter larger than what is counted."""
    result = t.ok([t.need("ptxas"), f"-arch={arch}", "-v", "-o", t.tmp / "out.cubin", compiled(t, arch, *options)])
    frames = dict(re.findall(r"Function properties for device_\$_([a-z]+)__\S*\s+(\d+) bytes stack", result.err + result.out))
    assert frames, result
    for name, frame in frames.items():
        assert int(frame) <= COUNTED[name] * 1.25, (arch, options, name, frame)


def test_sm_75(t):
    assembles(t, "sm_75")


def test_sm_90(t):
    assembles(t, "sm_90")


def test_sm_120(t):
    assembles(t, "sm_120")


def test_unoptimised(t):
    assembles(t, "sm_90", "-O0")


def test_lineinfo(t):
    assembles(t, "sm_90", "-lineinfo")
