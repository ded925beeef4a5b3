"""Functions of so many paths that values move before a branch, not at the end of each path: random
ones compute what Python computes of the same text, and constants that many paths leave as they are
cost no more than the text is long. Types that come back to a loop's head through many names."""

import random
import re
import struct

N_NAMES = 6
HEAD = "@kernel\ndef k(x: int64[::1], y: float64[::1]):\n"


class Program:
    """Statements over v0, v1, ...: numbers, elements of x, copies, branches, loops and exits."""

    def __init__(self, seed, lines=300, n_names=N_NAMES):
        self.random = random.Random(seed)
        self.n_names = n_names
        self.lines = [f"    v{i} = {i}" for i in range(n_names)]
        self.n_loops = 0
        while len(self.lines) < lines:
            self.statement(1, False)
        self.lines += [f"    y[{i}] = v{i}" for i in range(n_names)]

    def add(self, depth, line):
        self.lines.append("    " * depth + line)

    def name(self):
        return f"v{self.random.randrange(self.n_names)}"

    def test(self):
        return f"x[{self.random.randrange(16)}] > {self.random.randrange(10)}"

    def block(self, depth, in_loop, most=3):
        for _ in range(self.random.randint(1, most)):
            self.statement(depth, in_loop)

    def statement(self, depth, in_loop):
        kind = self.random.random()
        if kind < 0.5 or depth > 5:
            value = self.random.choice([f"{self.random.randrange(3)}", f"{self.random.randrange(3)}",
                                        f"{self.random.randrange(3)}.5", self.name(),
                                        f"x[{self.random.randrange(16)}]"])
            self.add(depth, f"{self.name()} = {value}")
        elif kind < 0.75:
            self.add(depth, f"if {self.test()}:")
            self.block(depth + 1, in_loop)
            for _ in range(self.random.choice([0, 0, 0, 1, 20])):
                self.add(depth, f"elif {self.test()}:")
                self.block(depth + 1, in_loop, 1)
            if self.random.random() < 0.5:
                self.add(depth, "else:")
                self.block(depth + 1, in_loop)
        elif kind < 0.85 and in_loop:
            self.add(depth, f"if {self.test()}:")
            self.block(depth + 1, in_loop)
            self.add(depth + 1, self.random.choice(["break", "continue"]))
        else:
            self.n_loops += 1
            self.add(depth, f"for i{self.n_loops} in range(x[{self.random.randrange(16)}] % 3):")
            self.block(depth + 1, True, 12)
            if self.random.random() < 0.3:
                self.add(depth, "else:")
                self.block(depth + 1, in_loop)

    def text(self):
        return HEAD + "\n".join(self.lines) + "\n"


def results_of_python(text, x, n=N_NAMES):
    y = [0.0] * n
    scope = {}
    exec(text.replace(HEAD, "def k(x, y):\n"), scope)
    scope["k"](x, y)
    return [float(value) for value in y]


def results_of_ck(t, text, x, n=N_NAMES):
    path = t.write("paths.ck", text)
    out = t.tmp / "y.npy"
    t.ok([t.ckrun, "--device", "cpu", path, "k[1, 1](x, y)", f"x={x}", f"y=full({n}, -1.0)",
          "--save", f"y={out}"])
    return list(struct.unpack(f"<{n}d", out.read_bytes()[-8 * n:]))


def test_random_programs(t):
    for seed in range(6):
        text = Program(seed).text()
        for k in range(2):
            x = [random.Random(100 * seed + k + i).randrange(10) for i in range(16)]
            found, wanted = results_of_ck(t, text, x), results_of_python(text, x)
            assert found == wanted, f"seed {seed}: {found} and not {wanted}\n{text}"


def statements(t, text):
    """How many the typed program has."""
    path = t.write("many.ck", text)
    return t.ok([t.ckc, "--emit=types", "-o", "-", path]).out.count("\n")


def many_breaks(n):
    names = "".join(f"    v{i} = {i % 2}\n" for i in range(n))
    loop = "    for i in range(len(x)):\n" + "".join(
        f"        v{i} = {i + 2}\n        if x[i] == {i}:\n            break\n" for i in range(n))
    return HEAD + names + loop + "".join(f"    x[{i}] = v{i}\n" for i in range(n))


def many_elifs(n):
    names = "".join(f"    v{i} = {i % 2}\n" for i in range(n))
    paths = "".join(f"    elif x[1] == {i}:\n        v{i} = {i + 2}\n" for i in range(n))
    return HEAD + names + "    if x[0] == 0:\n        pass\n" + paths + "".join(
        f"    x[{i}] = v{i}\n" for i in range(n))


def check_linear(t, program):
    few, many = statements(t, program(100)), statements(t, program(400))
    assert many < 4.2 * few, f"{few} lines of the typed program at 100 names, {many} at 400"


def test_constants_before_many_breaks(t):
    check_linear(t, many_breaks)


def test_constants_before_many_elifs(t):
    check_linear(t, many_elifs)


def chain(n, indent="        ", before=""):
    """Each iteration a value comes one name on, to the name above in the text."""
    return (HEAD + "".join(f"    v{i} = {i % 5}\n" for i in range(n)) + "    for i in range(x[0]):\n" +
            before + "".join(f"{indent}v{i} = v{i + 1}\n" for i in range(n - 1)) +
            f"{indent}v{n - 1} = i * 0.5\n" + "".join(f"    y[{i}] = v{i}\n" for i in range(N_NAMES)))


def test_chains_of_names(t):
    for n in (6, 11, 120):
        text, x = chain(n), [n + 7]
        assert results_of_ck(t, text, x) == results_of_python(text, x), n


def test_long_chain_to_its_first_name(t):
    """A search of a pass for each name would take gigabytes and a minute."""
    types = t.ok([t.ckc, "--emit=types", "-o", "-", t.write("chain.ck", chain(4000))]).out
    floats = re.findall(r"local v\d+\.\d+: float64", types)
    assert len(floats) == 4000, f"{len(floats)} of 4000"


def test_long_chain_in_a_branch(t):
    before, indent = "        if x[0] > 3:\n", " " * 12
    text, x = chain(60, indent, before), [70]
    assert results_of_ck(t, text, x) == results_of_python(text, x)
    t.fails([t.ckc, "--check", t.write("chain.ck", chain(150, indent, before))], 1,
            "the types of names in this loop change in each of 100 iterations")


# --- Functions of thousands of lines ---------------------------------------------------------
# They get registers from codegen/opt/mem2reg.c and the passes whose time is linear
# (codegen/driver/passes.c).

LONG, LONG_NAMES = 3000, 300


def test_long_functions(t):
    text = Program(1, LONG, LONG_NAMES).text()
    x = [random.Random(i).randrange(10) for i in range(16)]
    assert results_of_ck(t, text, x, LONG_NAMES) == results_of_python(text, x, LONG_NAMES)


def test_names_of_long_functions_are_registers(t):
    path = t.write("long.ck", Program(2, LONG, LONG_NAMES).text())
    for options in ([], ["-restrict"], ["-O0"], ["-lineinfo"]):
        code = t.ok([t.ckc, "--emit=llvm", *options, "-o", "-", path]).out
        assert " alloca " not in code, options
    assert code.count(" phi ") > LONG_NAMES, "it is no long function"


def test_long_functions_assemble(t):
    ptxas = t.need("ptxas")
    path = t.write("long.ck", Program(3, LONG, LONG_NAMES).text())
    t.ok([t.ckc, "-arch=sm_75", "-o", t.tmp / "k.ptx", path])
    t.ok([ptxas, "-arch=sm_75", "-O1", t.tmp / "k.ptx", "-o", t.tmp / "k.cubin"])
