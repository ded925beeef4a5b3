"""Formats chosen at random: what kernels print is what Python prints."""

import random
import struct
import sys

import numpy as np

N_FORMATS = 60
Z = "z" if sys.version_info >= (3, 11) else ""
SPECIAL = [0.0, -0.0, 1.0, 0.5, 2.5, 1e16, 1e-5, 1e22, 5e-324, np.inf, -np.inf, np.nan]


def alignment(rng):
    fill = rng.choice(["", "*", "0", " ", "x"])
    return rng.choice(["", "", fill + rng.choice("<>^=")])


def with_width(rng):
    return rng.choice(["", "", "0"]) + rng.choice(["", str(rng.randint(1, 40))])


def float_format(rng):
    precision = rng.choice(["", "", f".{rng.randint(0, 25)}", f".{rng.randint(0, 400)}"])
    return (alignment(rng) + rng.choice(["", "+", "-", " "]) + rng.choice(["", "", Z]) +
            rng.choice(["", "", "#"]) + with_width(rng) + rng.choice(["", "", ",", "_"]) +
            precision + rng.choice(["", "e", "E", "f", "F", "g", "G", "%"]))


def int_format(rng):
    kind = rng.choice(["", "d", "n", "b", "o", "x", "X"])
    grouping = "" if kind == "n" else rng.choice(["", ",", "_"] if kind in ("", "d") else ["", "_"])
    return (alignment(rng) + rng.choice(["", "+", "-", " "]) + rng.choice(["", "", "#"]) +
            with_width(rng) + grouping + kind)


def check(t, kind, formats, values):
    prints = "".join(f"        print(f\"{{v:{spec}}}\")\n" for spec in formats)
    source = t.write(f"{kind}.ck", f"@kernel\ndef k(x: {kind}[:]):\n    for v in x:\n{prints}")
    np.save(t.tmp / "x.npy", np.array(values, kind))
    result = t.ok([t.ckrun, "--device", "cpu", source, "k[1, 1](x)", "x=@x.npy"])
    due = [format(value, spec) for value in values for spec in formats]
    lines = result.out.splitlines()
    cases = [(value, spec) for value in values for spec in formats]
    for case, text, printed in zip(cases, due, lines):
        assert text == printed, f"{case}: {printed!r}, and {text!r} is due"
    assert len(due) == len(lines)


def test_floats(t):
    rng = random.Random(t.seed)
    values = SPECIAL + [struct.unpack("d", rng.randbytes(8))[0] for _ in range(10)]
    check(t, "float64", [float_format(rng) for _ in range(N_FORMATS)], values)


def test_ints(t):
    rng = random.Random(t.seed)
    values = [0, -1, 2 ** 63 - 1] + [rng.randint(-10 ** k, 10 ** k) for k in range(1, 18)]
    check(t, "int64", [int_format(rng) for _ in range(N_FORMATS)], values)
