"""What checks cost on one core of the CPU device: how many times longer a launch takes with bounds
alone and with all checks, and how many bytes more it needs for a byte of its arrays. Of launches of
a millisecond or more, and of every example and run test. Beside Numba's simulator, and on a GPU
beside compute-sanitizer."""

import json
import math
import subprocess
from dataclasses import dataclass

from . import machine, report
from .layout import find_python_with, find_toolkit_program
from .measure import Broken

LARGE, TESTS, SIMULATED, GPU = "large", "test", "simulated", "gpu"
SIMULATOR = "Numba's simulator"
TOOLS = ("memcheck", "racecheck")
QUICK = 40   # of how many files one is measured with --quick
WORST = 8    # so many of the tests' rows are shown for each kind of checks
SUFFIX = {SIMULATED: ", small", GPU: ", GPU"}  # of names that another part has too
LIMIT = 900  # seconds for a file
MEMORY = 16  # limit of the bytes for a byte of the arrays
SMALL = 1 << 20  # bytes of arrays: with fewer, what a launch needs anyway says too much


@dataclass
class Kind:
    """Checks to be measured: CK_CHECK_* of include/ck/run.h, and limits of the slowdown."""

    number: int = 0
    most_mean: float = None
    most: float = None


# The first is what the others are compared with.
KINDS = {"none": Kind(), "bounds": Kind(1, 1.5, 5), "all": Kind(7, 20)}
BOUNDS_ALONE = {name: KINDS[name] for name in ("none", "bounds")}


@dataclass
class Source:
    """A file with launches in its `#:` lines."""

    name: str
    path: object
    part: str


def sources(bench, part, paths):
    root = bench.layout.root
    found = [Source(path.relative_to(root).with_suffix("").as_posix(), path, part) for path in paths]
    found = [source for source in found if bench.only in source.name
             and "#:" in source.path.read_text(encoding="utf-8", errors="replace")]
    return found[::QUICK] if bench.quick and not bench.only else found


def large_files(bench):
    return sorted((bench.layout.folder / "checks").glob("*.ck"))


def test_files(bench):
    examples = sorted(bench.layout.examples.glob("*.ck"))
    return [*sorted((bench.layout.root / "tests" / "run").rglob("*.ck")),
            *(path for path in examples if "\n#: launch" in path.read_text())]


def simulated_files(bench):
    """Programs in the style of Numba's tutorials, of so few threads that a simulator ends."""
    return sorted((bench.layout.root / "tests" / "run" / "tutorials").glob("*.ck"))


# --- Measuring -----------------------------------------------------------------------------------


def records(bench, python, source, kinds, options=(), wrap=()):
    """What launches.py prints of the file. Raises Broken."""
    argv = [*wrap, python, bench.layout.folder / "checks" / "launches.py", bench.layout.libck,
            source.path, *(kind.number for kind in kinds.values()),
            "--seconds", bench.often(0.3, 0.01), *options]
    try:
        done = subprocess.run(list(map(str, argv)), stdin=subprocess.DEVNULL, timeout=LIMIT,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace")
    except subprocess.TimeoutExpired:
        raise Broken(f"took more than {LIMIT} s") from None
    if done.returncode:
        text = " ".join(done.stderr[-400:].split())
        raise Broken(text or f"ended with status {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def figures_of(source, record, more):
    """Bytes for a byte of the arrays are known of large launches, which access all of these."""
    figures = {"part": source.part}
    if source.part == LARGE and more is not None and record["arrays"] >= SMALL:
        figures["bytes_a_byte"] = more / record["arrays"]
    return figures


def row_of(source, record, kind, seconds, more):
    name = f"{source.name}: {record['kernel']}{SUFFIX.get(source.part, '')}"
    if seconds is None:
        return report.skipped(name, kind, "the checks found something")
    return report.Row(name, kind, "us", [seconds], figures=figures_of(source, record, more))


def rows_of(source, record, kinds):
    """A row for each kind of checks; and the simulator's."""
    rows = [row_of(source, record, *measured)
            for measured in zip(kinds, record["seconds"], record["bytes"])]
    if "simulator" in record:
        rows.append(row_of(source, record, SIMULATOR, record["simulator"], None))
    if "simulator_error" in record:
        rows.append(report.skipped(rows[0].name, SIMULATOR, record["simulator_error"]))
    return report.compare(rows)


def add_launches(bench, python, found, kinds, options=()):
    for source in found:
        try:
            for record in records(bench, python, source, kinds, options):
                bench.add(*rows_of(source, record, kinds))
        except Broken as error:
            bench.add(report.failed(source.name, "none", str(error)))


# --- On a GPU ------------------------------------------------------------------------------------


def sanitized(bench, python, source, sanitizer, tool):
    """{kernel: seconds of a launch} under a tool of compute-sanitizer."""
    wrap = [sanitizer, "--tool", tool, "--log-file", f"{bench.tmp.name}/{tool}.log"]
    found = records(bench, python, source, {"none": KINDS["none"]}, ["--device", "cuda"], wrap)
    return {record["kernel"]: record["seconds"][0] for record in found}


def add_on_gpu(bench, python):
    name = "launches on a GPU"
    try:
        machine.gpu(bench.layout)
    except (machine.NoDevice, Broken) as why:
        bench.add(report.skipped(name, "bounds", str(why)))
        return
    sanitizer = find_toolkit_program("compute-sanitizer") if bench.peers else None
    if not sanitizer:
        why = "compute-sanitizer is not installed" if bench.peers else "--no-peers"
        bench.add(report.skipped(name, ", ".join(TOOLS), why))
    for source in sources(bench, GPU, large_files(bench)):
        try:
            add_gpu_source(bench, python, source, sanitizer)
        except Broken as error:
            bench.add(report.failed(f"{source.name}, GPU", "none", str(error)))


def add_gpu_source(bench, python, source, sanitizer):
    found = records(bench, python, source, BOUNDS_ALONE, ["--device", "cuda"])
    under = {tool: sanitized(bench, python, source, sanitizer, tool)
             for tool in (TOOLS if sanitizer else ())}
    for record in found:
        rows = rows_of(source, record, BOUNDS_ALONE)
        rows += [row_of(source, record, tool, times[record["kernel"]], None)
                 for tool, times in under.items()]
        bench.add(*report.compare(rows))


# --- Summary -------------------------------------------------------------------------------------


def measured(rows, part, who):
    return [row for row in rows if row.who == who and row.ratio is not None
            and row.figures["part"] == part]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summary_rows(rows, part, what, who, kind):
    """Geometric mean and largest of the slowdowns."""
    found = measured(rows, part, who)
    if not found:
        return []
    worst = max(found, key=lambda row: row.ratio)
    mean = report.Row(f"slowdown, geometric mean, {what}", who, "x",
                      [geometric_mean([row.ratio for row in found])], note=f"of {len(found)} launches")
    most = report.Row(f"slowdown, largest, {what}", who, "x", [worst.ratio], note=worst.name)
    for row, limit in ((mean, kind.most_mean), (most, kind.most)):
        if limit is not None:
            row.at_most(limit)
    return [mean, most]


def memory_rows(rows):
    known = [row for row in measured(rows, LARGE, "all") if "bytes_a_byte" in row.figures]
    if not known:
        return []
    worst = max(known, key=lambda row: row.figures["bytes_a_byte"])
    row = report.Row("memory for a byte accessed, largest", "all", "B",
                     [worst.figures["bytes_a_byte"]], note=worst.name)
    row.at_most(MEMORY)
    return [row]


def add_summary(bench, rows):
    for part, what in [(LARGE, "large launches"), (TESTS, "tests and examples")]:
        for who, kind in KINDS.items():
            bench.add(*summary_rows(rows, part, what, who, kind))
    for part, what, peers in [(SIMULATED, "small launches", [SIMULATOR]), (GPU, "on a GPU", TOOLS)]:
        for who in ("bounds", *peers):
            bench.add(*summary_rows(rows, part, what, who, Kind()))
    bench.add(*memory_rows(rows))


def add_simulated(bench):
    python = find_python_with("numba") if bench.peers else None
    if not python:
        why = "Numba is not installed" if bench.peers else "--no-peers"
        bench.add(report.skipped("small launches", SIMULATOR, why))
        return
    found = sources(bench, SIMULATED, simulated_files(bench))
    add_launches(bench, python, found, BOUNDS_ALONE, ["--simulator"])


def run(bench):
    if not (bench.layout.root / "tests" / "harness").exists():
        bench.add(report.skipped("all", "ck", "the tests' harness is not installed"))
        return
    python = find_python_with("numpy")
    if not python:
        bench.add(report.skipped("all", "ck", "NumPy is not installed"))
        return
    before = len(bench.rows)
    add_launches(bench, python, sources(bench, LARGE, large_files(bench)), KINDS)
    add_launches(bench, python, sources(bench, TESTS, test_files(bench)), KINDS)
    add_simulated(bench)
    add_on_gpu(bench, python)
    add_summary(bench, bench.rows[before:])


# --- The table -----------------------------------------------------------------------------------


def is_shown(rows):
    """Of the tests' launches those that slow down most."""
    of_tests = {id(row) for who in KINDS for row in measured(rows, TESTS, who)}
    worst = {row.name for who in KINDS
             for row in sorted(measured(rows, TESTS, who), key=lambda row: -row.ratio)[:WORST]}
    return lambda row: id(row) not in of_tests or row.name in worst


def launch_line(name, rows):
    """A launch's cells: its time without checks, the slowdowns, the memory."""
    base = next(row for row in rows if row.who == "none")
    ratios = {row.who: f"{row.ratio:.2f}" for row in rows if row.ratio is not None}
    memory = next((f"{row.figures['bytes_a_byte']:.1f}" for row in rows
                   if row.who == "all" and row.figures and "bytes_a_byte" in row.figures), "")
    notes = [f"{row.who}: {row.note}" for row in rows if row.note]
    peers = [f"{who} {ratios[who]}" for who in (SIMULATOR, *TOOLS) if who in ratios]
    return [name, base.shown(base.median()), ratios.get("bounds", ""), ratios.get("all", ""), memory,
            "; ".join(peers + notes)]


def table(title, rows):
    """A line for each large launch and for the worst of the tests', then the summary."""
    by_name = {}
    for row in rows:
        by_name.setdefault(row.name, []).append(row)
    launches = {name: of_name for name, of_name in by_name.items()
                if any(row.who == "none" and row.status == "ok" for row in of_name)}
    rest = [row for name, of_name in by_name.items() if name not in launches for row in of_name]
    show = is_shown(rows)
    lines = [["launch", "us", "bounds", "all", "B a byte", "others"]]
    lines += [launch_line(name, of_name) for name, of_name in launches.items() if show(of_name[-1])]
    shown = report.aligned(title, lines, set(lines[0][1:5])) if len(lines) > 1 else f"\n{title}"
    return shown + (report.table("summary", rest) if rest else "")
