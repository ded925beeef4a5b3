"""`repeat N:` and `until EXPRESSION:` around launches."""

import json
import re

import numpy as np

SOURCE = """@kernel
def relax(u: float64[::1], v: float64[::1]):
    for i in range(grid(1), len(u), gridsize(1)):
        if i == 0 or i == len(u) - 1:
            v[i] = u[i]
        else:
            v[i] = (u[i - 1] + u[i + 1]) / 2


@kernel
def count(n: int32[::1], step: int32):
    if grid(1) == 0:
        n[0] += step


@kernel
def repeat(n: int32[::1]):
    n[0] = 77


@kernel
def outside(n: int32[::1]):
    n[n[0] - 5] += 1
"""
N = "n=zeros(1, int32)"


def command(t, *words, device="cpu:2"):
    return [t.ckrun, "--device", device, t.write("k.ck", SOURCE), *words]


def relaxed(u, passes):
    for _ in range(passes):
        v = u.copy()
        v[1:-1] = (u[:-2] + u[2:]) / 2
        u = v
    return u


def test_repeat(t):
    u = np.random.default_rng().normal(size=37)
    np.save(t.tmp / "u.npy", u)
    t.ok(command(t, "u=@u.npy", "v=zeros(37)", "repeat 7: relax[3, 8](u, v); relax[1, 64](v, u)", "--save", "u=o.npy"))
    assert np.allclose(np.load(t.tmp / "o.npy"), relaxed(u, 14), rtol=1e-13, atol=0)


def test_until(t):
    """As many passes as NumPy needs for the same condition."""
    u = np.random.default_rng().normal(size=20)
    np.save(t.tmp / "u.npy", u)
    result = t.ok(command(t, "u=@u.npy", "v=zeros(20)", "tolerance=1e-3",
                          "until abs(u - v).max() < tolerance: relax[1, 32](u, v); relax[1, 32](v, u)", "--save", "u=o.npy"))
    passes = 1
    while abs(relaxed(u, 2 * passes) - relaxed(u, 2 * passes - 1)).max() >= 1e-3:
        passes += 1
    assert result.err == f"ckrun: note: `until abs(u - v).max() < tolerance` took {passes} passes\n", (passes, result)
    assert np.allclose(np.load(t.tmp / "o.npy"), relaxed(u, 2 * passes), rtol=1e-12, atol=0)


def test_nested(t):
    result = t.ok(command(t, N, "m=zeros(1, int32)", "until n[0] >= 10: repeat 2: repeat 2: count[1, 32](n, 1)",
                          "repeat n.size + 1: count[1, 1](m, 5)", "--expect", "n=12", "--expect", "m=10"))
    assert result.err == "ckrun: note: `until n[0] >= 10` took 3 passes\n"
    t.ok(command(t, N, "repeat 0: count[1, 1](n, 1)", "--expect", "n=0"))
    t.ok(command(t, N, "until True: count[1, 1](n, 1)", "--expect", "n=1"))


def test_launches_before_and_after(t):
    t.ok(command(t, N, "count[1, 1](n, 100)", "repeat 3: count[1, 1](n, 1)", "count[1, 1](n, 10)", "--expect", "n=113"))


def test_kernels_called_like_loops(t):
    t.ok(command(t, N, "repeat[1, 1](n)", "--expect", "n=77"))
    t.ok(command(t, N, "repeat 2: repeat[1, 1](n); count[1, 1](n, 1)", "--expect", "n=78"))


def test_schedules(t):
    result = t.ok(command(t, N, "until n[0] > 3: count[1, 40](n, 1)", "--schedule", "all", "--expect", "n=4", device="cpu"))
    assert result.err.count("took 4 passes") == 5, result


def test_finding_in_a_loop(t):
    """The replay has the whole step."""
    result = t.fails(command(t, N, "count[1, 1](n, 3)", "repeat 9: count[1, 1](n, 1); outside[1, 1](n)"), 1, "out-of-bounds")
    assert "'repeat 9: count[1, 1](n, 1); outside[1, 1](n)'" in result.err, result
    again = re.search(r"^.*?(\S*ckrun --device.*)$", result.err, re.M)[1]
    t.fails(["sh", "-c", again], 1, "out-of-bounds")


def test_bench(t):
    words = [N, "repeat 3: count[1, 32](n, 1); count[1, 32](n, 2)", "count[1, 32](n, 1)", "--bench=4", "--json"]
    log = t.tmp / "calls"
    rows = json.loads(t.ok(command(t, *words, device="cuda"), env=t.fake_cuda_env(log=log, microseconds=5)).out)["bench"]["launches"]
    assert [row["bytes"] for row in rows] == [6 * 4, 4] and log.read_text().count("cuLaunchKernel ") == 7 * (1 + 2 + 4)
    t.ok(command(t, *words, "--expect", "n=10"))
    t.fails(command(t, N, "until n[0] > 2: count[1, 1](n, 1)", "--bench"), 2, "--bench times a fixed number of launches: `until` has none")


def fails(t, text, place, message, rc=2):
    result = t.fails(command(t, N, "M=zeros(3)", text, "--save", "n=o.npy", "--print", "M"), rc)
    assert result.err == f"ckrun: error: {message}\n  {text}\n  {' ' * place}^\n", result.err
    assert not (t.tmp / "o.npy").exists()


def test_errors(t):
    fails(t, "repeat 1.5: count[1, 1](n, 1)", 7, "`repeat` takes a number of passes, from 0 to 2**32 - 1")
    fails(t, "repeat -1: count[1, 1](n, 1)", 7, "`repeat` takes a number of passes, from 0 to 2**32 - 1")
    fails(t, "repeat 2 count[1, 1](n, 1)", 9, "expected `:`")
    fails(t, "until M: count[1, 1](n, 1)", 6, "an array is neither true nor false: write x.all() or x.any()")
    fails(t, "until m.max(): count[1, 1](n, 1)", 6, "`m` is not defined; did you mean `M`?")
    t.fails(command(t, N, "repeat 2:"), 2, "expected a launch, KERNEL[GRID, BLOCK](ARG, ...) at the end")
    t.fails(command(t, N, "repeat 2: count[1, 1](n, 1);"), 2, "expected a launch, KERNEL[GRID, BLOCK](ARG, ...) at the end")
    t.fails(command(t, N, "repeat 1: " * 9 + "count[1, 1](n, 1)"), 2, "loops are nested at most 8 deep")
    t.fails(command(t, N, "repeat 2: count[1, 1](n)"), 1, "takes 2 arguments")
    t.fails(command(t, N, "count[1, 1](n, 1); count[1, 1](n, 1)"), 2, "unexpected text after the expression")


def test_condition_that_is_never_true(t):
    result = t.fails(command(t, N, "until n[0] < 0: count[1, 1](n, 0)", "--save", "n=o.npy"), 1, timeout=120)
    assert result.err == ("ckrun: error: `until n[0] < 0` is still false after 1000000 passes\n"
                          "  until n[0] < 0: count[1, 1](n, 0)\n"), result.err


def test_condition_that_fails_later(t):
    fails(t, "until 8 // (3 - n[0]) < 0: count[1, 1](n, 1)", 8, "an integer is divided by zero", rc=1)


def test_cuda(t):
    """Passes of `repeat` do not wait for each other; a condition waits, and reads its arrays."""
    log = t.tmp / "calls"
    words = [N, "M=zeros(1000, int32)", "repeat 50: count[1, 32](n, 1); count[1, 32](M, 1)"]
    t.ok(command(t, *words, device="cuda"), env=t.fake_cuda_env(log=log))
    calls = log.read_text()
    assert calls.count("cuLaunchKernel ") == 100 and calls.count("cuCtxSynchronize") == 1, calls
    log.write_text("")
    t.ok(command(t, *words[:2], "until n[0] == 0: count[1, 32](n, 1); count[1, 32](M, 1)", device="cuda"),
         env=t.fake_cuda_env(log=log))
    calls = log.read_text()
    assert calls.count("cuMemcpyDtoH_v2 4\n") == 2 and calls.count("cuMemcpyDtoH_v2 4000\n") == 1, calls
