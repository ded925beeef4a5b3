"""ckc --check of kernels without types: no right kernel is reported, and ckc says what it left out.
Mistakes that it finds are in tests/diag/."""

import ast
import random
import re
from concurrent.futures import ThreadPoolExecutor

from checks.corpus import programs
from harness import kernels
from harness.process import run
from harness.programs import Program

N_RANDOM, N_CORPUS = 40, 200


def without_types(text):
    """The program without the annotations of its parameters and the signatures of its kernels."""
    data = text.encode()
    starts = [0]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)

    def place(line, column):
        return starts[line - 1] + column

    cuts = []
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for arg in function.args.args:
            if arg.annotation:
                cuts.append((place(arg.lineno, arg.col_offset) + len(arg.arg.encode()),
                             place(arg.annotation.end_lineno, arg.annotation.end_col_offset)))
        for call in function.decorator_list:
            if isinstance(call, ast.Call) and call.args and ast.unparse(call.func).endswith(("jit", "kernel")):
                after = call.keywords[0] if call.keywords else None
                last = call.args[-1]
                cuts.append((place(call.args[0].lineno, call.args[0].col_offset),
                             place(after.lineno, after.col_offset) if after
                             else place(last.end_lineno, last.end_col_offset)))
    for begin, end in sorted(cuts, reverse=True):
        data = data[:begin] + data[end:]
    return data.decode()


def right_programs(t):
    """Programs of which ckc accepts each kernel for its types."""
    seed = random.SystemRandom().getrandbits(31)
    for path in kernels.kernel_files(t.layout):
        yield path.name, path.read_text()
    corpus = list({program.source: program for program in programs()}.values())
    for program in random.Random(seed).sample(corpus, N_CORPUS):
        yield program.name, program.source
    for k in range(seed, seed + N_RANDOM):
        yield f"random {k}", Program(k).source()


def test_right_kernels(t):
    def check(numbered):
        number, (name, text) = numbered
        path = t.tmp / f"{number}.ck"
        path.write_text(text)
        if run([t.ckc, "--check", path], 60).rc:
            return None
        path.write_text(without_types(text))
        result = run([t.ckc, "--check", path], 60)
        return f"{name}: {result.err}" if result.rc else ""

    with ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(check, enumerate(right_programs(t))))
    assert faults.count("") > 400, faults.count("")
    assert not any(faults), "\n".join(fault for fault in faults if fault)


def test_results_in_an_array(t):
    """A function of NumPy stores its results in an array whose type is not known."""
    source = t.write("k.ck", "import numpy as np\n\n@kernel\ndef k(x, o):\n    np.add(x, 1, o)\n"
                             "    np.sin(x[0], out=o[1])\n")
    t.ok([t.ckc, "--check", source])
    source = t.write("views.ck", "@kernel\ndef k(m):\n    row = local.array(4, float32)\n    row[:] = 1\n"
                                 "    m[grid(1)] = 2 * row - 1\n")
    t.ok([t.ckc, "--check", source])
    wrong = t.write("wrong.ck", "import numpy as np\n\n@kernel\ndef k(x, o):\n    np.add(x, 1, o, o)\n")
    t.fails([t.ckc, "--check", wrong], 1, "wrong-count")


def test_note(t):
    """One note for all generic kernels; none for those that have a --sig."""
    source = t.write("k.ck", "@kernel\ndef one(x):\n    x[0] = 1\n\n@kernel\ndef two(x):\n    x[0] = 1\n")
    result = t.ok([t.ckc, "--check", source])
    assert result.err == ("ckc: note: 2 generic kernels were checked without types, `one` the first: to check what "
                          "depends on them, give types as in --sig 'one(float32, float32[::1], ...)'\n"), result.err
    assert "1 generic kernel was checked without types, `two`: " in t.ok(
        [t.ckc, "--check", "--sig=one(int64[:])", source]).err
    assert t.ok([t.ckc, "--check", "--sig=one(int64[:])", "--sig=two(int64[:])", source]).err == ""


def test_sig_checks_types(t):
    """A mistake in types is found by --sig, and one in names once."""
    source = t.write("k.ck", "@kernel\ndef k(x):\n    y = x[0, 0]\n    x[0] = y + gird(1)\n")
    assert t.fails([t.ckc, "--check", source], 1, "`gird` is not defined").err.count("error:") == 1
    result = t.fails([t.ckc, "--check", "--sig=k(int32[:])", source], 1, "bad-index")
    assert result.err.count("`gird` is not defined") == 1


def test_other_outputs(t):
    """Generic kernels are checked without types by --check alone: others may need none of them."""
    source = t.write("k.ck", "@kernel\ndef k(x: int32[:]):\n    x[0] = 1\n\n@kernel\ndef g(x):\n    gird(1)\n")
    assert ".entry k" in t.ok([t.ckc, "-o", "-", source]).out
    t.fails([t.ckc, "--check", source], 1, "`gird` is not defined")


REPORT = re.compile(r"^[^\s:]+:(\d+):\d+: error: .*\[divergent-barrier\]$", re.M)
# Of these the types, or the values in tuples and groups, are needed to know the condition.
NEED_TYPES = {"arrivals": 1, "branches": 2, "copies": 1, "overlooked": 8, "parts": 1, "returned": 11}


def test_divergent_barriers(t):
    """Barriers under conditions of the thread are found without types, but for those above; and no
    others."""
    missed = {}
    for path in sorted((t.root / "tests" / "diag" / "divergence").glob("*.ck")):
        text = path.read_text()
        if "[divergent-barrier]" not in path.with_suffix(".err").read_text():
            continue
        bare = without_types(text)
        if bare == text:
            continue
        found = [set(REPORT.findall(t.run([t.ckc, "--check", t.write(path.name, source)]).err))
                 for source in (text, bare)]
        assert not found[1] - found[0], (path.name, found[1] - found[0])
        if found[0] - found[1]:
            missed[path.stem] = len(found[0] - found[1])
    assert missed == NEED_TYPES, missed
