"""Addresses in ckrun: of arrays, for kernels that access memory at addresses, and checks of it."""

SOURCE = """
@cuda.jit(void(types.CPointer(float32), int64))
def add_one(p, n):
    i = grid(1)
    if i < n:
        carray(p, n)[i] += 1

@cuda.jit
def second(t, n):
    carray(t[1], n, float32)[grid(1)] = 5

@cuda.jit(void(types.CPointer(float32)))
def races(p):
    p[0] = grid(1)

@cuda.jit(void(types.CPointer(float32), int64))
def outside(p, n):
    carray(p, n)[n] = 1

@cuda.jit(void(types.voidptr))
def misaligned(p):
    carray(p, 2, float32)[0] = 1

@cuda.jit(void(float32[:]))
def plain(x):
    x[grid(1)] = 1
"""


def cpu(t, *words):
    return [t.ckrun, "--device", "cpu", t.write("k.ck", SOURCE), *words]


def test_launches(t):
    x = "x=arange(6, dtype=float32)"
    assert t.ok(cpu(t, "add_one[1, 32](x.ctypes.data, 6)", x, "--print", "x")).out == "[1. 2. 3. 4. 5. 6.]\n"
    view = cpu(t, "add_one[1, 32](x[2:].ctypes.data, n=3)", x, "--print", "x")
    assert t.ok(view).out == "[0. 1. 3. 4. 5. 5.]\n"
    items = cpu(t, "second[1, 2]((x[:1].ctypes.data, x.ctypes.data), 2)", x, "--print", "x")
    assert t.ok(items).out == "[5. 5. 2. 3. 4. 5.]\n"
    t.ok(cpu(t, "--schedule", "all", "add_one[1, 32](x.ctypes.data, 6)", x))
    t.ok(cpu(t, "--bench=2", "add_one[1, 32](x.ctypes.data, 6)", x))
    assert "add_one(p: CPointer(float32), n: int64)" in t.ok(cpu(t, "--list")).out
    assert "misaligned(p: voidptr)" in t.ok(cpu(t, "--list")).out


def test_wrong_values(t):
    x = "x=arange(6, dtype=float32)"
    t.fails(cpu(t, "add_one[1, 1](x, 6)", x), 1, "float32[::1] was given for CPointer(float32)")
    t.fails(cpu(t, "add_one[1, 1](-1, 6)", x), 1, "argument `p` of `add_one` is -1, which uint64 cannot hold")
    t.fails(cpu(t, "plain[1, 1](x.ctypes.data)", x), 1, "uint64 was given for float32[:]")
    for text in ("x.ctypes", "x.ctypes.dat", "x.ctypes.data_as"):
        t.fails(cpu(t, f"add_one[1, 1]({text}, 6)", x), 2, "the address of an array is x.ctypes.data")
    t.fails(cpu(t, "add_one[1, 1]((x + 1).ctypes.data, 6)", x), 2, "give the array a name of its own")
    t.fails(cpu(t, "add_one[1, 1](x.ctypes.data + 4, 6)", x), 2, "an address")
    t.fails(cpu(t, "a=x.ctypes.data", x, "--print", "a"), 2, "`x`")
    t.fails(cpu(t, x, "a=x.ctypes.data", "--print", "a"), 2, "an address is an argument of a launch")


def test_checks(t):
    """Races and alignments are found, and extents as they are given; a warning says so."""
    x = "x=arange(6, dtype=float32)"
    unwatched = "whose ends no check knows [unwatched-memory]"
    launch = ["add_one[1, 32](x.ctypes.data, 6)", x]
    assert unwatched in t.ok(cpu(t, "--check", *launch)).err
    assert unwatched in t.ok(cpu(t, "--check", "second[1, 2]((x[:1].ctypes.data, x.ctypes.data), 2)", x)).err
    for quiet in ([], ["--check=bounds"], ["--check=none"], ["--check=race"], ["--check", "-Wno-unwatched-memory"]):
        assert unwatched not in t.ok(cpu(t, *quiet, *launch)).err, quiet
    assert unwatched not in t.ok(cpu(t, "--check", "plain[1, 6](x)", x)).err
    t.fails(cpu(t, "--check", "races[1, 4](x.ctypes.data)", x), 1, "data race on `p[0]`")
    t.fails(cpu(t, "outside[1, 1](x.ctypes.data, 5)", x), 1, "index 5 is out of bounds for axis 0 of `carray(p, n)`")
    t.fails(cpu(t, "misaligned[1, 1](x[1:].ctypes.data)", "x=zeros(7, int16)"), 1, "[out-of-bounds]", "elements' 4 bytes")
