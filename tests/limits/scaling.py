"""Compiling costs memory in proportion to the program's length, checking from 500 to 50,000 lines,
the whole way to PTX from 500 to 3,000, or to 20,000 in one function, for programs of different kinds; time is asserted by the
tests' own limit alone (bench/run scaling measures it). On the host one kernel may have hundreds of barriers or
loops: what is made of it grows with them, and what it computes is right."""

import importlib.util
import random
import sys
from pathlib import Path

import numpy as np

SHORT, LONG = 500, 50000
COMPILED, COMPILED_AT_ONCE = 3000, 20000
BYTES_A_LINE = 24 << 10  # of peak memory, beyond what the short program takes; twice the most seen


def load_generator():
    spec = importlib.util.spec_from_file_location("generate", Path(__file__).with_name("generate.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATE = load_generator()


MEASURE = "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode; " \
          "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)"


def peak_memory(t, kind, lines, *options):
    """(bytes at ckc's peak, lines of the program)."""
    text, n = GENERATE.program(kind, lines)
    path = t.write(f"{kind}_{lines}.ck", text)
    result = t.ok([sys.executable, "-c", MEASURE, t.ckc, "-Wno-late-widening", *options, path])
    assert not result.err, result.err[:2000]
    return int(result.out) * 1024, n


def check(t, kind, lines=LONG, options=("--check",)):
    if t.sanitized:
        t.skip("a sanitised build takes memory of its own")
    less, few = peak_memory(t, kind, SHORT, *options)
    more, many = peak_memory(t, kind, lines, *options)
    a_line = (more - less) / (many - few)
    assert a_line < BYTES_A_LINE, f"{a_line:.0f} bytes for each further line of {kind}"


def test_functions(t):
    check(t, "functions")


def test_kernels(t):
    check(t, "kernels")


def test_long_function(t):
    check(t, "long_function")


def test_nested(t):
    check(t, "nested")


def test_loops(t):
    check(t, "loops")


def test_expressions(t):
    check(t, "expressions")


def compile_to_ptx(t, kind, lines=COMPILED):
    check(t, kind, lines, ("-o", t.tmp / "out.ptx"))


def test_functions_to_ptx(t):
    compile_to_ptx(t, "functions")


def test_kernels_to_ptx(t):
    compile_to_ptx(t, "kernels")


def test_long_function_to_ptx(t):
    compile_to_ptx(t, "long_function", COMPILED_AT_ONCE)


def test_nested_to_ptx(t):
    compile_to_ptx(t, "nested")


def test_loops_to_ptx(t):
    compile_to_ptx(t, "loops", COMPILED_AT_ONCE)


def test_expressions_to_ptx(t):
    compile_to_ptx(t, "expressions")


def write_repeated(t, kind, n):
    return t.write(f"{kind}_{n}.ck", "\n".join(GENERATE.REPEATED[kind](n)) + "\n")


def host_code(t, kind, n):
    """Bytes of LLVM's code for n of a kind."""
    return len(t.ok([t.ckc, "-arch=host", "--emit=llvm", "-o", "-", write_repeated(t, kind, n)]).out)


def test_host_code_of_barriers(t):
    few, many = host_code(t, "barriers", 600), host_code(t, "barriers", 1200)
    assert many < 2.3 * few, f"{few} bytes for 600 barriers, {many} for 1200"


def launch_repeated(t, kind, n, launch, arrays):
    """x, as seeded orders of threads leave it."""
    words = []
    for name, array in arrays.items():
        np.save(t.tmp / f"{name}.npy", array)
        words.append(f"{name}=@{t.tmp / f'{name}.npy'}")
    t.ok([t.ckrun, "--device", "cpu", "--schedule", f"random:{random.randrange(1000)}", write_repeated(t, kind, n),
          launch, *words, "--save", f"x={t.tmp / 'out.npy'}"])
    return np.load(t.tmp / "out.npy")


def test_barriers_on_the_cpu(t):
    x = np.random.default_rng().integers(-1000, 1000, 64).astype(np.int32)
    want = x.copy()
    for k in range(500):
        want = want + np.roll(want + np.int32(k), -(k % 31 + 1))
    got = launch_repeated(t, "barriers", 1000, "barriers[1, 64](x)", {"x": x})
    assert np.array_equal(got, want), np.flatnonzero(got != want)


def test_loops_on_the_cpu(t):
    n, count = 600, 5
    y = np.random.default_rng().integers(-1000, 1000, 8)
    got = launch_repeated(t, "loops_in_a_row", n, f"loops_in_a_row[2, 32](x, y, {count})",
                          {"x": np.full(64, 77), "y": y})
    want = y[:count].sum() * (n * (n + 1) // 2)
    assert (got == want).all(), (got[:4], want)


def test_every_kind_is_tested(t):
    tests = {name[5:] for name in globals() if name.startswith("test_")}
    kinds = {kind for kind in tests if f"{kind}_to_ptx" in tests}
    missing = set(GENERATE.KINDS) - kinds
    assert not missing, missing
