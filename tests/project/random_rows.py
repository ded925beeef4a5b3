"""The kinds of built-ins of random kernels: that each row computes what is due, alone, that no
built-in of these kinds lacks a row, and that what programs do with the other kinds is compared."""

import re

import numpy as np

from harness import kernels, program_features
from harness.core import Failure
from harness.program_rows import ROW_HELPERS
from harness.program_tables import KINDS as ROW_KINDS, ROWS, TABLE_HELPERS
from harness.programs import KINDS, Program
from project.builtins import load_page, numpy_table, table

ON_CPU = ["--device", "cpu:1"]
N_TOGETHER = 90  # rows of one kernel
SECTIONS = ("Cache hints", "CUDA's functions of floats", "Arithmetic of float32", "A GPU's approximations",
            "Random numbers", "Numba's functions of the 16-bit floats")
OTHERS = {"clock", "clock64", "globaltimer", "smid", "bitcast", "const.array", "device_array", "to_device"}


def kernel_of(rows):
    lines = [line for k, row in enumerate(rows) for line in row.lines(f"row_{k}")]
    lines += ["@kernel", "def k(a: int32[::1], b: int32[::1], o: int32[:, ::1]):", "    i = grid(1)", "    if i < a.size:"]
    lines += [f"        o[{k}, i] = row_{k}(a[i], b[i])" for k in range(len(rows))]
    return ROW_HELPERS + TABLE_HELPERS + "\n".join(lines) + "\n"


def operands(seed, n=64):
    """Of any size, and small ones; zeros, and two that are equal."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-2 ** 31, 2 ** 31, (2, n), dtype="i4")
    small = rng.random(n) < .3
    a[small], b[small] = rng.integers(-9, 9, (2, small.sum()))
    a[:2], b[0], b[2] = 0, 0, a[2]
    return a, b


def test_each_row(t):
    a, b = operands(t.seed)
    faults = []
    for first in range(0, len(ROWS), N_TOGETHER):
        rows = ROWS[first:first + N_TOGETHER]
        t.write("k.ck", kernel_of(rows))
        np.save(t.tmp / "a.npy", a)
        np.save(t.tmp / "b.npy", b)
        t.ok([t.ckrun, *ON_CPU, "k.ck", "k[2, 32](a, b, o)", "a=@a.npy", "b=@b.npy", f"o=zeros(({len(rows)}, {a.size}), int32)",
              "--save", "o=o.npy"])
        for row, results in zip(rows, np.load(t.tmp / "o.npy")):
            due = [row(x, y) for x, y in zip(a, b)]
            faults += [f"{row.text} of {row.dtype}, {row.operands} by {x}, {y}: {got} and not {want}"
                       for x, y, got, want in zip(a, b, results, due) if got != want][:1]
    assert not faults, "\n".join(faults)


def test_results_of_16_bits_are_not_half_way(t):
    """Between two numbers: devices would differ, where the operands are few and not the result."""
    for row in ROWS:
        if row.results not in ("float16", "bfloat16") or not set(row.operands) <= set("uvhspg"):
            continue
        digits = 11 if row.results == "float16" else 8
        for choice in row.parts[0].choices():
            value = abs(float(row.numbers(row.parts[0].value(*choice))[0]))
            place = value / 2.0 ** (np.floor(np.log2(value)) - digits + 1) % 1 if value else 0
            assert abs(place - 0.5) > 1e-4 or place == 0.5, (row.text, choice, place)


def test_no_built_in_lacks_a_row(t):
    page = load_page(t)
    text = " ".join(row.text for row in ROWS) + TABLE_HELPERS
    text += "".join(Program(seed, kind).source() for kind in program_features.FEATURES for seed in range(40))
    paths = [row.path for title, rows in page.sections(table(t)) if title.startswith(SECTIONS)
             for row in rows if row.is_public()]
    paths += [path for path, *_ in page.numpy_rows(numpy_table(t)) if path.startswith("cmath.")]
    paths += [f"libdevice.{name}" for name, _ in page.libdevice()] + sorted(OTHERS)
    assert len(paths) > 500
    missing = [path for path in paths if not re.search(rf"(?<![\w.])(cuda\.)?{re.escape(path)}(?!\w)", text)]
    assert not missing, missing


def test_each_kind_is_used(t):
    """In each of its programs."""
    parts = {"text": "print", "clocks": "clock", "hints": r"\b(ld|st)\w\w\(", "module": r"\b(KEPT|FILLED|SENT)\b",
             "records": r"\b(recs|rs|tallies)\b", "views": r"\b(put_)?(wide|seen)_"}
    for kind in KINDS:
        part = r"row_\d+\(" if kind in ROW_KINDS else parts[kind]
        for seed in range(12):
            kernel = Program(seed, kind).source().split("\ndef k(")[1]
            assert re.search(part, kernel), (kind, seed)
    text = "".join(Program(seed, "text").source() + Program(seed, "records").source() for seed in range(60))
    for part in (".format(", '" % (', 'print(f"', "printf(", '"is",', "np.dtype([('n'", "record(n=", "rs['n'][t] =", "recs_out[i] =",
                 'tallies["k"]', "tallies['d']"):
        assert part in text, part


def fails(t, program, due):
    try:
        kernels.check_program(t.layout, program, due, ON_CPU, [], program.seed)
    except Failure as failure:
        return str(failure)
    return ""


def test_a_wrong_line_is_seen(t):
    program = Program(5, "text")
    due = program.due()
    assert due["printed"] and not fails(t, program, due)
    due["printed"][-1] += " "
    assert "these lines are due" in fails(t, program, due)
    del due["printed"][-1]
    assert "these lines are due" in fails(t, program, due)


def test_a_wrong_array_of_the_module_is_seen(t):
    """What it holds after the launches, and what a later launch found in it."""
    program = Program(5, "module")
    for name in ("KEPT", "FILLED", "late"):
        due = program.due()
        assert name == "late" or not fails(t, program, due)
        due[name].flat[1] += 1
        assert f"{name} == due_{name}" in fails(t, program, due)
