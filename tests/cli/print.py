"""ckrun --print has one format, that of NumPy 1.14 to 2.2, whichever NumPy is here."""

import json
import sys

# Values and their text. NumPy 2.3 and later print the first three with exponents.
FIXED = [
    ("array([1006.5], float16)", "[1006.5]"),
    ("array([1441, 47072], float16)", "[ 1441. 47072.]"),
    ("array([1234567.5, 2000000], float32)", "[1234567.5 2000000. ]"),
    ("array([100000000.0, 1], float32)", "[1.e+08 1.e+00]"),
    ("array([0.1, 0.25], float32)", "[0.1  0.25]"),
    ("array([[1, -20], [300, 4]], int16)", "[[  1 -20]\n [300   4]]"),
    ("array([True, False])", "[ True False]"),
    ("array([1.5, -2.25], float64)", "[ 1.5  -2.25]"),
    ("arange(2000, dtype=int32)", "[   0    1    2 ... 1997 1998 1999]"),
    ("zeros((0, 2))", "[]"),
]


def test_as_numpy(t):
    script = t.root / "tests" / "unit" / "test_ckrun_print.py"
    if not script.exists():
        t.skip("a release has no unit test sources")
    t.ok([sys.executable, script, t.bin / "print_npy"], timeout=600)


def test_fixed_texts(t):
    source = t.write("k.ck", "@kernel\ndef k(x: int32):\n    pass\n")
    for value, text in FIXED:
        result = t.ok([t.ckrun, "--device", "cpu", source, f"x={value}", "--print", "x"])
        assert result.out == text + "\n", f"{value}: {result.out}"


ADD = "@kernel\ndef add(x: float32[::1], y: float32[::1]):\n    if grid(1) < len(y):\n        y[grid(1)] += x[grid(1)]\n"


def add(t, *words):
    return [t.ckrun, "--device", "cpu", t.write("add.ck", ADD), "add[1, 32](x, y)", "x=arange(6, dtype=float32)",
            "y=ones(6, float32)", *words]


def test_expressions(t):
    """On the arrays after the launches; nothing that an expression makes stays."""
    for text, printed in (("y[:3]", "[1. 2. 3.]"), ("y[::-2]", "[6. 4. 2.]"), ("y[5]", "6.0"), ("abs(y - x).max()", "1.0"),
                          ("y == x + 1", "[ True  True  True  True  True  True]"), ("x.shape", "(6,)"), ("y.dtype", "float32"),
                          ("(y.sum(), len(x))", "(21.0, 6)"), ("2**10", "1024")):
        assert t.ok(add(t, "--print", text)).out == printed + "\n", text
    out = t.ok(add(t, "view=y[1::2]", "--print", "view*10", "--print=y", "--save", "y=y.npy")).out
    assert out == "[20. 40. 60.]\n[1. 2. 3. 4. 5. 6.]\n"
    counts = t.write("c.ck", "COUNTS = device_array(4, int32)\n@kernel\ndef k():\n    COUNTS[threadIdx.x] += threadIdx.x\n")
    assert t.ok([t.ckrun, "--device", "cpu", counts, "k[1, 4]()", "--print", "COUNTS[2:] * 2"]).out == "[4 6]\n"


def test_expressions_in_json(t):
    answer = json.loads(t.ok(add(t, "--json", "--print", 'y[:2]', "--print=y.max()", "--print", "y[:2]")).out)
    assert answer["values"] == {"y[:2]": {"dtype": "float32", "shape": [2], "values": [1, 2]}, "y.max()": 6}


def test_expressions_that_fail(t):
    """Before the launches where that is known, else after them: then nothing is saved."""
    for text, message in (("y[", "expected a value at the end\n  y[\n    ^"), ("y[9]", "the index is out of range"), ("z + 1", "`z` is not defined"),
                          ("y 1", "1"), ("'y'", "a number, an array or a tuple is printed: this is a string"), ("", "expected a value"),
                          ("y.ctypes.data", "this is an address")):
        t.fails(add(t, "--print", text), 2, message)
    late = add(t, "--print", "6 // int64(6 - y[5])", "--save", "y=late.npy")
    t.fails(late, 1, "an integer is divided by zero")
    assert not (t.tmp / "late.npy").exists()
    assert json.loads(t.fails([*late, "--json"], 1, "divided by zero").out)["status"] == 1
