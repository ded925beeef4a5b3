"""Compiling costs memory in proportion to the program's length, checking from 500 to 50,000 lines,
the whole way to PTX from 500 to 3,000, or to 20,000 in one function, for programs of different
kinds; time is asserted by the tests' own limit alone (bench/run scaling measures it). On the host
one kernel may have hundreds of barriers or loops or operations of groups, and functions of many
loops may call each other: what is made of it grows with them, and what it computes is right."""

import importlib.util
import random
import sys
from pathlib import Path

import numpy as np

SHORT, LONG = 500, 50000
COMPILED, COMPILED_AT_ONCE = 3000, 20000
# Of peak memory, beyond what the short program takes; twice the most seen, which is that of kernels
# with a second version for small launches.
BYTES_A_LINE = 48 << 10


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


def code_size(t, kind, n, arch, *options):
    """Bytes of LLVM's code for n of a kind."""
    return len(t.ok([t.ckc, f"-arch={arch}", "--emit=llvm", *options, "-o", "-", write_repeated(t, kind, n)]).out)


def grows_with(t, kind, n, arch, *options):
    """From n to 2 n of a kind, both long enough for the same passes."""
    few, many = code_size(t, kind, n, arch, *options), code_size(t, kind, 2 * n, arch, *options)
    assert many < 2.2 * few, f"{few} bytes for {n} {kind}, {many} for {2 * n}"


def test_host_code_of_barriers(t):
    grows_with(t, "barriers", 1300, "host")


def test_host_code_of_collectives(t):
    grows_with(t, "collectives", 20, "host")
    grows_with(t, "collectives", 400, "host", "--schedule=seq")


def test_code_of_calls_of_loops(t):
    for arch in ("host", "sm_90"):
        grows_with(t, "calls_of_loops", 30, arch)


def test_code_of_calls_of_one_function(t):
    """A long function is not copied to each of very many calls."""
    for arch in ("host", "sm_90"):
        size = code_size(t, "calls_of_one", 400, arch)
        assert size < 400 * 400, f"{size} bytes for 400 calls"


def test_blocks_of_statements(t):
    """What a back end sees at once has a limit."""
    for arch in ("host", "sm_90"):
        text = t.ok([t.ckc, f"-arch={arch}", "--emit=llvm", "-o", "-", write_repeated(t, "statements", 3000)]).out
        longest = max(block.count("\n") for block in text.split("\n\n"))
        assert "= mul i32" in text and longest < 300, (arch, longest)


def test_sums_to_ptx(t):
    """LLVM's straight-line strength reduction takes the cube of their number: minutes for these."""
    text = t.ok([t.ckc, "-arch=sm_90", "-o", "-", write_repeated(t, "sums", 400)]).out
    assert text.count("selp.b32") >= 400, text[-2000:]


def launch_repeated(t, kind, n, launch, arrays, schedule=None):
    """x, as seeded orders of threads leave it, or others."""
    words = []
    for name, array in arrays.items():
        np.save(t.tmp / f"{name}.npy", array)
        words.append(f"{name}=@{t.tmp / f'{name}.npy'}")
    schedule = schedule or f"random:{random.randrange(1000)}"
    t.ok([t.ckrun, "--device", "cpu", "--schedule", schedule, write_repeated(t, kind, n), launch, *words,
          "--save", f"x={t.tmp / 'out.npy'}"])
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


def collective(k, a):
    """What collectives() computes with COLLECTIVES[k]."""
    tiles = a.reshape(-1, 16)
    if k == 0:
        return np.full(a.size, a.sum(dtype=np.int32))
    if k == 1:
        return a.cumsum(dtype=np.int32)
    if k == 2:
        return np.repeat(tiles.sum(axis=1, dtype=np.int32), 16)
    if k == 3:
        return (tiles.cumsum(axis=1, dtype=np.int32) - tiles).reshape(-1)
    return np.concatenate([tiles[:, 3:], tiles[:, 13:]], axis=1).reshape(-1)


def test_collectives_on_the_cpu(t):
    """As loops, as coroutines of LLVM's, and as those that ck splits, with LLVM's optimisation and
    without."""
    for n in (4, 9, 40, 400):
        x = np.random.default_rng().integers(-1 << 31, 1 << 31, 96).astype(np.int32)
        want = x.copy()
        for k in range(n):
            want = collective(k % len(GENERATE.COLLECTIVES), want) * np.int32(k % 7 + 1) + np.arange(96, dtype=np.int32)
        for schedule in ("seq", None):
            got = launch_repeated(t, "collectives", n, "collectives[1, 96](x)", {"x": x}, schedule)
            assert np.array_equal(got, want), (n, schedule, np.flatnonzero(got != want))


def test_statements_on_the_cpu(t):
    x = np.random.default_rng().integers(-1 << 31, 1 << 31, 64).astype(np.int32)
    want = x.copy()
    for k in range(3000):
        want ^= (want * np.int32(k % 90 + 3) + (want >> np.int32(k % 13))) & np.int32(k % 5000)
    got = launch_repeated(t, "statements", 3000, "statements[2, 32](x)", {"x": x})
    assert np.array_equal(got, want), np.flatnonzero(got != want)


def test_calls_of_loops_on_the_cpu(t):
    x = np.random.default_rng().integers(-1000, 1000, 2)
    got = launch_repeated(t, "calls_of_loops", 60, "calls_of_loops[1, 1](x, 1)", {"x": x})
    assert got[1] == x[0] + 60, (x, got)


def test_every_kind_is_tested(t):
    tests = {name[5:] for name in globals() if name.startswith("test_")}
    kinds = {kind for kind in tests if f"{kind}_to_ptx" in tests}
    missing = set(GENERATE.KINDS) - kinds
    assert not missing, missing
