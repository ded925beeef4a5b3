"""Recursion that is too deep is an error on the CPU device, never a crash."""

TEXT = """
def down(n):
    if n == 0:
        return 0
    return down(n - 1) + n

def forever(n):
    return 0 if n == -1 else forever(n + 1) + forever(n)

def framed(n):
    v = local.array(100, int64)
    for i in range(100):
        v[i] = n
    return 0 if n == 0 else v[n % 100] + framed(n - 1)

def ping(n):
    assert n < 50, "too far"
    return pong(n + 1)

def pong(n) -> int64:
    return ping(n)

@kernel
def linear(x: int64[:], n: int64):
    x[grid(1)] = down(n)

@kernel
def endless(x: int64[:]):
    x[grid(1)] = forever(0)

@kernel
def barriers(x: int64[:], n: int64):
    syncthreads()
    x[grid(1)] = down(n * threadIdx.x)
    syncthreads()
    x[grid(1)] += 1

@kernel
def arrays(x: int64[:], n: int64):
    x[grid(1)] = framed(n)

@kernel
def asserts(x: int64[:]):
    x[grid(1)] = ping(0)
"""

DEEP = "assertion failed: recursion too deep: the calls of a thread take more than 16 KiB of stack: "
SCHEDULES = ["seq", "reverse", "random"]


def words(t, launch, *options):
    return [t.ckrun, "--device", "cpu", *options, t.write("k.ck", TEXT), launch, "x=zeros(64, int64)", "--print", "x"]


def deepest(t, launch, *options):
    """The largest n that runs."""
    good, bad = 0, 4096
    while bad - good > 1:
        n = (good + bad) // 2
        result = t.run(words(t, launch.format(n), *options))
        assert result.rc == 0 or DEEP in result.err, result
        good, bad = (n, bad) if result.rc == 0 else (good, n)
    return good


def test_limit(t):
    """16 KiB, of which a call of `down` takes 48 bytes, 8 for its parameter and 8 for the result of
    the call in it, rounded up to 64 bytes."""
    assert deepest(t, "linear[1, 1](x, {})") == 16384 // 64 - 1
    assert deepest(t, "linear[1, 1](x, {})", "--check") == 16384 // 64 - 1


def test_local_arrays(t):
    """Local arrays count: 48 bytes, 800 of the array, and 8 for the parameter, each variable and
    the result of the call."""
    assert deepest(t, "arrays[1, 1](x, {})") == 16384 // 880 - 1


def test_endless(t):
    for schedule in SCHEDULES:
        t.fails(words(t, "endless[2, 32](x)", "--schedule", schedule), 1, DEEP + "`def forever(n):`")


def test_among_barriers(t):
    for schedule in SCHEDULES:
        t.ok(words(t, "barriers[2, 32](x, 8)", "--schedule", schedule))
        t.fails(words(t, "barriers[2, 32](x, 9)", "--schedule", schedule), 1, DEEP + "`def down(n):`")


def test_assertion(t):
    """An assertion in a recursive function, which no caller can have inlined."""
    for schedule in SCHEDULES:
        t.fails(words(t, "asserts[2, 32](x)", "--schedule", schedule), 1, "assertion failed: too far: `n < 50` with n = 50")


def test_many_cycles(t):
    """Types of functions that all call each other are found in little time."""
    n = 60
    text = "".join(f"def f{i}(n):\n    if n == {i}:\n        return {i}\n    return " +
                   " + ".join(f"f{k}(n - 1)" for k in range(n) if (i * k) % 5 < 2) + "\n\n" for i in range(n))
    text += "@kernel\ndef k(x: int64[:]):\n    x[0] = f1(x[0])\n"
    t.ok([t.ckc, "--emit=types", "-o", "-", t.write("many.ck", text)])


def test_long_cycle(t):
    n = 100
    text = "".join(f"def f{i}(n):\n    return f{(i + 1) % n}(n - 1)\n\n" for i in range(1, n))
    text = "def f0(n):\n    return 0 if n <= 0 else f1(n - 1) + 1.5\n\n" + text
    text += "@kernel\ndef k(x: float32[:]):\n    x[0] = f0(5)\n"
    out = t.ok([t.ckc, "--emit=types", "-o", "-", t.write("long.ck", text)]).out
    assert out.count("-> float64") == n, out
