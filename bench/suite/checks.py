"""The CPU device's checks: how many times longer a launch takes with them, and what memory it needs
more, on one core: of every example and run test, and of launches of a millisecond or more."""

import json
import math
import subprocess
import sys
from dataclasses import dataclass

from . import report
from .layout import find_python_with, first_that_exists

# By name, as of CK_CHECK_* in include/ck/run.h: its number; limits of the geometric mean and of one
# launch. What they are compared with comes first.
KINDS = {"none": (0, None, None), "bounds": (1, 1.5, 5), "all": (7, 20, None)}
SIMULATOR = "Numba's simulator"
SIMULATED = ("histogram", "matmul", "saxpy", "stencil")
LEAST = 20e-6  # seconds: a shorter launch says more about launches than about checks
QUICK = 40     # of how many files one is measured with --quick
LIMIT = 600


@dataclass
class Source:
    """A file with launches in its `#:` lines."""

    name: str
    path: object
    simulated: bool = False


def sources(bench):
    root, folder = bench.layout.root, bench.layout.folder / "checks"
    own = [Source(path.stem, path) for path in sorted(folder.glob("*.ck"))]
    tests = [*sorted((root / "tests" / "run").rglob("*.ck")), *sorted(bench.layout.examples.glob("*.ck"))]
    tests = [Source(path.relative_to(root).with_suffix("").as_posix(), path) for path in tests]
    chosen = [source for source in own + tests
              if bench.only in source.name and "#:" in source.path.read_text(errors="replace")]
    return chosen[::QUICK] if bench.quick and not bench.only else chosen


def simulated(bench):
    folder = bench.layout.folder / "checks"
    return [Source(f"{name}, small", folder / f"{name}.ck", simulated=True) for name in SIMULATED
            if bench.only in name][:bench.often(None, 1)]


# --- Measuring -----------------------------------------------------------------------------------


def records(bench, python, source):
    """What launches.py prints of the file, or the text of its failure."""
    argv = [python, bench.layout.folder / "checks" / "launches.py", bench.layout.libck, source.path,
            *(str(number) for number, _, _ in KINDS.values()), "--seconds", str(bench.often(0.3, 0.01)),
            *(["--simulator"] if source.simulated else []), *(["--small"] if bench.quick else [])]
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"took more than {LIMIT} s"
    if done.returncode:
        return " ".join(done.stderr[-400:].split()) or f"ended with status {done.returncode}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def rows_of(source, record):
    """A row for each kind of checks, the first without; and the simulator's."""
    name = f"{source.name}: {record['kernel']}"
    rows = []
    for kind, seconds, more in zip(KINDS, record["seconds"], record["bytes"]):
        if seconds is None:
            rows.append(report.skipped(name, kind, "the checks found something"))
        else:
            rows.append(report.Row(name, kind, "us", [seconds], figures={"bytes": more}))
    if "simulator" in record:
        rows.append(report.Row(name, SIMULATOR, "us", [record["simulator"]]))
    return report.compare(rows)


def add_source(bench, python, source):
    result = records(bench, python, source)
    if isinstance(result, str):
        bench.add(report.failed(source.name, "none", result))
        return
    for record in result:
        bench.add(*rows_of(source, record))


# --- Summary -------------------------------------------------------------------------------------


def is_long(rows, name):
    return any(row.name == name and row.who == "none" and row.samples and row.median() >= LEAST
               for row in rows)


def ratios(rows, kind):
    """(ratio, name) of the launches that took LEAST or more without checks, and of the others."""
    parts = {True: [], False: []}
    long = {row.name for row in rows if is_long([row], row.name)}
    for row in rows:
        if row.who == kind and row.ratio is not None:
            parts[row.name in long].append((row.ratio, row.name))
    return parts[True], parts[False]


def summary_rows(rows, kind, most_mean, most):
    out = []
    for found, what in zip(ratios(rows, kind), (f"from {LEAST * 1e6:.0f} us", "shorter")):
        if not found:
            continue
        mean = math.exp(sum(math.log(ratio) for ratio, _ in found) / len(found))
        worst, name = max(found)
        out.append(report.Row(f"geometric mean, launches {what}", kind, "x", [mean],
                              note=f"of {len(found)} launches"))
        out.append(report.Row(f"largest, launches {what}", kind, "x", [worst], note=name))
    if out and ratios(rows, kind)[0]:
        for row, limit in zip(out, (most_mean, most)):
            if limit is not None:
                row.at_most(limit)
    return out


def run(bench):
    script = first_that_exists([bench.layout.folder / "checks" / "launches.py"])
    if not (bench.layout.root / "tests" / "harness").exists():
        bench.add(report.skipped("all", "ck", f"{script.name} needs the tests' harness"))
        return
    python = find_python_with("numpy")
    if not python:
        bench.add(report.skipped("all", "ck", "no Python with NumPy"))
        return
    before = len(bench.rows)
    for source in sources(bench):
        add_source(bench, python, source)
    rows = bench.rows[before:]
    for kind, (_, most_mean, most) in KINDS.items():
        bench.add(*summary_rows(rows, kind, most_mean, most))
    add_simulated(bench)


def add_simulated(bench):
    with_numba = find_python_with("numba") if bench.peers else None
    if not with_numba:
        why = "--no-peers" if not bench.peers else "no Numba"
        bench.add(report.skipped("small launches", SIMULATOR, why))
        return
    for source in simulated(bench):
        add_source(bench, with_numba, source)
