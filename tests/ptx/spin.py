"""Loops that wait for memory read it in each iteration; others do not."""

from ptx.content import body, count, ptx

KERNELS = """
def is_set(x, i):
    return x[i] != 0

@kernel
def poll(x: int32[:], y: int32[:]):
    while x[0] == 0:
        pass
    y[0] = 1

@kernel
def poll_in_function(x: float64[:], y: int32[:]):
    while not is_set(x, 3):
        pass
    y[0] = 1

@kernel
def poll_by_break(x: uint8[:], y: int32[:]):
    while True:
        v = x[1]
        if v == 5:
            break
    y[0] = 1

@kernel
def rows(first: int64[:], x: int32[:], y: int32[:]):
    row = grid(1)
    i = first[row]
    while i < first[row + 1]:
        y[row] += x[i]
        i += 1

@kernel
def search(x: int32[:], y: int32[:], v: int32):
    low = 0
    high = len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < v:
            low = middle + 1
        else:
            high = middle
    y[0] = int32(low)
"""

BOUNDED = """
def is_set(x):
    return x[0] != 0

@kernel
def counted(x: int32[:], y: int32[:]):
    for k in range(1000):
        if x[0] != 0:
            y[0] = int32(k)
            break

@kernel
def counted_while(x: float32[:], y: int32[:]):
    k = 0
    while k < 1000 and x[0] == 0:
        k += 1
    y[0] = int32(k)

@kernel
def counted_in_function(x: uint8[:], y: int32[:]):
    for k in range(1000):
        v = is_set(x)
        if v or k == 800:
            return
    y[0] = 1

@kernel
def searches(x: int32[:], y: int32[:], n: int32[:]):
    for k in range(1000):
        if k >= n[0]:
            break
        if x[k] == 3:
            y[0] = int32(k)
            return
        if n[1] == 0:
            continue
        y[1] += x[k]
"""


def test_polled_arrays_are_not_read_only(t):
    """Others write them meanwhile: no load is non-coherent, with whatever the launch checked."""
    source = t.write("k.ck", KERNELS)
    text = ptx(t, source, "-arch=sm_90", "-restrict", "-aligned")
    for entry in ("poll", "poll_in_function", "poll_by_break"):
        code = body(text, entry)
        assert "ld.relaxed.gpu" in code and ".nc" not in code, code
    assert "ld.global.nc" in body(text, "search"), text


def test_polled_loads(t):
    source = t.write("k.ck", KERNELS)
    for level in ("-O0", "-O3"):
        text = ptx(t, source, "-arch=sm_90", level)
        assert count(text, "ld.relaxed.gpu") == 3, text
        if level == "-O0":
            continue
        for entry in ("poll", "poll_in_function", "poll_by_break"):
            code = body(text, entry)
            loop = code[code.index("$L__BB"):code.rindex("bra")]
            assert "ld.relaxed.gpu" in loop, code
        for entry in ("rows", "search"):
            assert "relaxed" not in body(text, entry), text


def test_bounded_loops_poll(t):
    """A condition that changes by memory alone is asked again; one of the loop's own is not."""
    source = t.write("b.ck", BOUNDED)
    for options in ((), ("-restrict", "-aligned")):
        text = ptx(t, source, "-arch=sm_90", *options)
        for entry in ("counted", "counted_while", "counted_in_function"):
            code = body(text, entry)
            loop = code[code.index("$L__BB"):code.rindex("bra")]
            assert "ld.relaxed.gpu" in loop and ".nc" not in code, code
        assert "relaxed" not in body(text, "searches"), text
