"""Warnings: none in the examples, each switched off by its name, errors with -Werror, once each."""

import re

NAMES = ["unused-name", "unreachable-code", "narrowed-literal", "zero-trip-loop", "unasked-float64",
         "unequal-arrays", "unused-value"]

ALL = """
def half(n):
    return n / 2

@kernel
def f(u: uint8[:], x: float32[:]):
    unused = 1
    x[0] == 1
    b = this_thread_block()
    b.memcpy_async(u, u[threadIdx.x:])
    b.wait()
    for k in range(2):
        for j in range(3):
            u[0] = 300
            x[j] = half(k)
    for i in range(3, 0):
        x[i] = 0
    return
    x[0] = 1
"""


def test_examples_are_silent(t):
    for path in sorted(t.examples.glob("*.ck")):
        result = t.ok([t.ckc, "--check", "-Werror", path])
        assert "warning" not in result.err, result


def test_each_is_reported_once(t):
    result = t.ok([t.ckc, "--check", t.write("all.ck", ALL)])
    assert sorted(re.findall(r"warning: .*\[(.*)\]", result.err)) == sorted(NAMES), result


def test_each_can_be_turned_off(t):
    path = t.write("all.ck", ALL)
    for name in NAMES:
        result = t.ok([t.ckc, "--check", f"-Wno-{name}", path])
        left = [n for n in NAMES if f"[{n}]" in result.err]
        assert left == [n for n in NAMES if n != name], result
    result = t.ok([t.ckc, "--check", "-Werror", *(f"-Wno-{name}" for name in NAMES), path])
    assert not result.err, result


def test_werror(t):
    t.fails([t.ckc, "--check", "-Werror", t.write("all.ck", ALL)], 1, *(f"[{n}]" for n in NAMES))


def test_ckrun_too(t):
    """-Wno- by name, in replays too; -Werror before launches; unknown names are refused."""
    path = t.write("k.ck", "@kernel\ndef f(x: int32[:]):\n    y = 1\n    x[0] == 1\n    x[5] = 2\n")
    run = [t.ckrun, "--device", "cpu", path, "f[1, 1](x)", "x=zeros(9, int32)"]
    assert "[unused-name]" in t.ok(run).err and "[unused-value]" in t.ok(run).err
    err = t.ok([*run, "-Wno-unused-name"]).err
    assert "[unused-name]" not in err and "[unused-value]" in err, err
    t.fails([*run, "-Wno-unused-name", "-Werror", "--save", "x=x.npy"], 1, "[unused-value]", "warnings are errors here (-Werror)")
    assert not (t.tmp / "x.npy").exists()
    t.ok([*run, "-Wno-unused-name", "-Wno-unused-value", "-Werror", "--save", "x=x.npy"])
    t.fails([t.ckrun, path, "--list", "-Werror"], 1, "warnings are errors here")
    t.fails([*run, "-Wno-nope"], 2, "unknown warning `nope`")
    small = [t.ckrun, "--device", "cpu", path, "f[1, 1](x)", "x=zeros(4, int32)", "-Wno-unused-name", "--use_fast_math"]
    t.fails(small, 1, "--check=bounds -Wno-unused-name --use_fast_math ")


def test_generic_kernels_too(t):
    """A kernel without a signature is warned of when it is specialised."""
    path = t.write("generic.ck", "@kernel\ndef f(x):\n    y = float32(1)\n    x[0] = x[1] / 2 + y\n")
    assert "warning" not in t.ok([t.ckc, "--check", path]).err
    sig = ["--sig", "f(int32[::1])"]
    assert "in `f` for (int32[::1])" in t.ok([t.ckc, "--check", *sig, path]).err
    assert not t.ok([t.ckc, "--check", "--sig", "f(float64[::1])", path]).err


LATE = """
@kernel
def generic(x, n):
    i = grid(1)
    unused = 3
    x[i] = 1 / n%s

@kernel
def typed(x: float32[::1]):
    i = grid(1)
    x[i] = x[i] + i / 2
"""


def lines_of(text):
    """[(line, kind)] of the messages, in order; line 0 where there is none."""
    found = re.findall(r"^(?:[^\n:]*:(\d+):\d+|ckrun): (error|warning)", text, re.M)
    return [(int(line or 0), kind) for line, kind in found]


def test_errors_of_launches_come_before_warnings(t):
    """Of the file, of each launch's specialisations, and of the command line."""
    def run(source, *launches):
        return [t.ckrun, "--device", "cpu", source, *launches, "x=zeros(4, float32)", "y=3"]

    late = [(5, "warning"), (6, "warning"), (11, "warning"), (0, "warning")]
    source = t.write("late.ck", LATE % "")
    assert lines_of(t.ok(run(source, "typed[1, 1](x)", "generic[1, 1](x, 2)")).err) == late
    for launch in ("generic[1, 1](x)", "nothing[1, 1](x)"):
        result = t.fails(run(source, "typed[1, 1](x)", "generic[1, 1](x, 2)", launch), 1)
        assert lines_of(result.err) == [(0, "error"), *late], result
    source = t.write("wrong.ck", LATE % " + x.foo")
    result = t.fails(run(source, "typed[1, 1](x)", "generic[1, 1](x, 2)"), 1)
    assert lines_of(result.err) == [(6, "error"), *late], result
    result = t.fails([*run(source, "generic[1, 1](x, 2)"), "--diagnostics=json"], 1)
    kinds = re.findall(r'"severity":"(\w+)"(?:,"name":"([^"]*)")?', result.err)
    assert kinds == [("error", "no-attribute"), ("warning", "unused-name"), ("warning", "unasked-float64"),
                     ("warning", "")], result


SEVERAL = """
def half(n):
    return n / 2

def never_called(n):
    unused = 7
    return n

def third(n):
    print("\\d")
    return n / 3

@kernel
def ints(x: float32[::1]):
    unused = 1
    x[0] = half(threadIdx.x)

@kernel
def floats(x: float32[::1]):
    x[0] = half(x[1])

@kernel
def generic(x):
    "\\d"
    x[0] = half(threadIdx.x) + third(x[1])

@kernel
def other(x):
    x[0] = third(x[1])
"""


def warned(result):
    """[(line, name)] of the warnings, in order."""
    return [(int(line), name) for line, name in re.findall(r"^[^\n:]*:(\d+):\d+: warning: .*\[(.*)\]", result.err, re.M)]


def test_of_the_kernels_that_run(t):
    """Other kernels, and functions that only they call, are silent. Without launches all count."""
    source = t.write("several.ck", SEVERAL)
    half, third = [(3, "unasked-float64")], [(10, "unknown-escape")]
    ints, generic = [(15, "unused-name")], [(24, "unknown-escape")]

    def run(*words):
        return warned(t.ok([t.ckrun, "--device", "cpu", source, *words]))

    launches = {name: f"{name}[1, 1](x)" for name in ("ints", "floats", "generic", "other")}
    x = "x=ones(2, float32)"
    assert run(launches["floats"], x) == []
    assert run(launches["ints"], x) == half + ints
    assert run(launches["other"], x) == third
    assert run(launches["generic"], x) == half + third + generic
    assert run(f"repeat 3: {launches['other']}; {launches['ints']}", x) == half + third + ints
    assert run("--max-blocks", "ints[_, 32]") == half + ints
    everything = half + third + ints + generic
    assert run("--list") == everything
    assert run(*launches.values(), x) == everything
    assert warned(t.ok([t.ckc, "--check", source])) == everything
    silent = [t.ckrun, "--device", "cpu", "-Wno-unknown-escape", "-Werror", source, x]
    t.ok([*silent, launches["floats"]])
    t.fails([*silent, launches["ints"]], 1, "[unused-name]", "[unasked-float64]", "warnings are errors here")


def test_errors_of_the_file_have_no_warnings(t):
    source = t.write("wrong.ck", "@kernel\ndef f(x: int32[:]):\n    'a\\d'\n    x[0] = y\n")
    result = t.fails([t.ckrun, "--device", "cpu", source, "f[1, 1](x)", "x=zeros(2, int32)"], 1, "[unknown-name]")
    assert not warned(result), result
