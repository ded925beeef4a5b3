"""`--check=overflow` on random straight-line kernels of integers, each line one operation. Python's
unbounded integers say which lines have a finding, of which thread, and with which result.
"""

import random
import re

import numpy as np

from harness.core import Failure

N_KERNELS, N_LINES, N_THREADS = 12, 14, 8
TYPES = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
OPERATORS = ["+", "-", "*", "//", "<<", "**", "-x", "abs", "cast", "float", "store"]
FLOATS = [0.5, -0.9, -1.0, 127.9, -128.9, 255.9, 256.0, 2.0**31, -2.0**31, 2.0**32, 2.0**63, -2.0**63, 2.0**64,
          1e30, -1e30, np.inf, -np.inf, np.nan]


def bits_of(name):
    return int(name.lstrip("uint"))


def limits(name):
    bits = bits_of(name)
    return (0, 2**bits - 1) if name[0] == "u" else (-2**(bits - 1), 2**(bits - 1) - 1)


def wrapped(name, value):
    low, high = limits(name)
    return (value - low) % (high - low + 1) + low


def computed(name):
    """The type in which one operand is computed."""
    return "int32" if bits_of(name) < 32 else name


def common(a, b):
    """The type of an operation on two; None: they are not of one kind."""
    a, b = computed(a), computed(b)
    if a == b:
        return a
    return None if "u" in (a[0], b[0]) else max(a, b, key=bits_of)


def exact(operator, a, b, name):
    """The result by mathematics; by the language where that has none."""
    if operator == "//":
        return a // b if b else 0
    if operator == "<<":
        return a << b if 0 <= b < bits_of(name) else a and limits(name)[1] + 1 + abs(limits(name)[0])
    if operator == "**":
        return a**b if b >= 0 else (a**(-b) if a in (1, -1) else 0)
    return {"+": a + b, "-": a - b, "*": a * b}[operator]


class Kernel:
    """A random kernel, and its findings: {line: (name, thread, result)}."""

    def __init__(self, rng):
        self.rng, self.lines, self.arrays, self.findings = rng, [], {}, {}
        self.values = []  # (text, type, value of each thread)
        for name in TYPES:
            low, high = limits(name)
            some = [low, low + 1, high, high - 1, 0, 1, 2, 3, high // 2, rng.randint(low, high)]
            self.input(f"a_{name}", name, [rng.choice(some) for _ in range(N_THREADS)])
        self.input("count", "int8", [rng.choice([-1, 0, 1, 7, 8, 15, 30, 31, 32, 62, 63, 64]) for _ in range(N_THREADS)])
        self.input("power", "int8", [rng.choice([-2, -1, 0, 1, 2, 3, 5, 31, 63]) for _ in range(N_THREADS)])
        self.arrays["f"] = np.array([rng.choice(FLOATS) for _ in range(N_THREADS)], np.float64)
        while len(self.lines) < N_LINES:
            self.add(rng.choice(OPERATORS))

    def input(self, name, dtype, values):
        self.arrays[name] = np.array(values, dtype)
        self.values.append((f"{name}[i]", dtype, [int(v) for v in self.arrays[name]]))

    def add(self, operator):
        rng = self.rng
        text, name, values = rng.choice(self.values)
        if operator == "store":
            target = rng.choice(TYPES)
            self.store(text, target, values)
        elif operator == "float":
            target = rng.choice(TYPES)
            self.convert(target)
        elif operator == "cast":
            target = rng.choice(TYPES)
            self.bind(f"{target}({text})", target, [wrapped(target, v) for v in values])
        elif operator in ("-x", "abs"):
            result = computed(name)
            values = [-v if operator == "-x" else abs(v) for v in values]
            self.operation(f"-{text}" if operator == "-x" else f"abs({text})", result, values)
        else:
            self.binary(operator, text, name, values)

    def binary(self, operator, text, name, values):
        rng = self.rng
        wanted = {"<<": "count[i]", "**": "power[i]"}.get(operator)
        right, right_name, others = rng.choice([v for v in self.values if wanted in (None, v[0])])
        result = computed(name) if operator == "<<" else common(name, right_name)
        if result and (not wanted or result[0] != "u"):
            self.operation(f"{text} {operator} {right}", result,
                           [exact(operator, a, b, result) for a, b in zip(values, others)])

    def operation(self, text, name, values):
        results = [wrapped(name, v) for v in values]
        if text.split(" ")[1:2] == ["<<"]:
            results = [0 if v == self.all_lost(name) else r for v, r in zip(values, results)]
        if name[0] != "u":
            self.expect("integer-overflow", values, results)
        self.bind(text, name, results)

    @staticmethod
    def all_lost(name):
        return limits(name)[1] + 1 + abs(limits(name)[0])

    def expect(self, finding, values, results):
        for thread, (value, result) in enumerate(zip(values, results)):
            if value != result:
                self.findings[len(self.lines)] = finding, thread, result
                return

    def bind(self, text, name, values):
        local = f"t{len(self.lines)}"
        self.lines.append(f"{local} = {text}")
        self.values.append((local, name, values))

    def store(self, text, target, values):
        out = f"o{len(self.lines)}"
        self.arrays[out] = np.zeros(N_THREADS, target)
        self.expect("lossy-cast", values, [wrapped(target, v) for v in values])
        self.lines.append(f"{out}[i] = {text}")

    def convert(self, target):
        low, high = limits(target)
        values = self.arrays["f"].tolist()
        results = [0 if v != v else min(max(int(min(max(v, -1e25), 1e25)), low), high) for v in values]
        whole = [v if v != v or abs(v) == np.inf else int(v) for v in values]
        self.expect("lossy-cast", whole, results)
        self.bind(f"{target}(f[i])", target, results)

    def source(self):
        body = "".join(f"    {line}\n" for line in self.lines)
        last = "".join(f"    keep[i] += float64({v[0]})\n" for v in self.values if v[0][0] == "t")
        return f"from numba import cuda\n@cuda.jit\ndef k({', '.join(self.arrays)}, keep):\n    i = cuda.grid(1)\n{body}{last}"


def found(text):
    """The findings of a report, as of a kernel: lines of the body count from 0."""
    pattern = (r":(\d+):\d+: error: `[^\n]*the result is (-?\d+) \[([a-z-]+)\]\n"
               r"(?:(?! error: )[^\0])*?in block \((\d+), 0, 0\) thread \((\d+), 0, 0\)")
    return {int(line) - 5: (name, int(block) * 4 + int(thread), int(result))
            for line, result, name, block, thread in re.findall(pattern, text)}


def test_random_kernels(t):
    seed = random.SystemRandom().getrandbits(31)
    total = 0
    for n in range(N_KERNELS):
        kernel = Kernel(random.Random(f"{seed} {n}"))
        arrays = {**kernel.arrays, "keep": np.zeros(N_THREADS)}
        for name, array in arrays.items():
            np.save(t.tmp / f"{name}.npy", array)
        path = t.write("random.ck", kernel.source())
        schedule = ["seq", "reverse", f"random:{n}"][n % 3]
        result = t.run([t.ckrun, "--device", "cpu:2", "--check=bounds,overflow", "--schedule", schedule, path,
                        f"k[2, 4]({', '.join(arrays)})", *(f"{name}=@{t.tmp / name}.npy" for name in arrays)])
        if found(result.err) != kernel.findings or result.rc != bool(kernel.findings):
            raise Failure(f"seed {seed} {n}: expected {kernel.findings}, found {found(result.err)}\n"
                          f"{kernel.source()}\n{result.err}\n{kernel.arrays}")
        total += len(kernel.findings)
    assert total > N_KERNELS
