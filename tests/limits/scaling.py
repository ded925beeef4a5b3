"""Compiling costs memory in proportion to the program's length, checking from 500 to 50,000 lines,
the whole way to PTX from 500 to 3,000, or to 20,000 in one function, for programs of different kinds; time is asserted by the
tests' own limit alone (bench/run scaling measures it)."""

import importlib.util
import sys
from pathlib import Path

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
    result = t.ok([sys.executable, "-c", MEASURE, t.ckc, *options, path])
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


def test_every_kind_is_tested(t):
    tests = {name[5:] for name in globals() if name.startswith("test_")}
    kinds = {kind for kind in tests if f"{kind}_to_ptx" in tests}
    missing = set(GENERATE.KINDS) - kinds
    assert not missing, missing
