"""ckrun --print is NumPy's own text, on many arrays."""

import sys


def test_as_numpy(t):
    script = t.root / "tests" / "unit" / "test_ckrun_print.py"
    if not script.exists():
        t.skip("a release has no unit test sources")
    t.ok([sys.executable, script, t.bin / "print_npy"], timeout=120)
