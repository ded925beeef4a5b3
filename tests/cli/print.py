"""ckrun --print has one format, that of NumPy 1.14 to 2.2, whichever NumPy is here."""

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
