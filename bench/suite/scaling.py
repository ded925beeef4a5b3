"""What a line costs as programs grow: `ckc --check` on 500 to 50,000 generated lines, and the whole
way to PTX on 500 to 5,000. Linear means that a line of the longest costs what one of a shorter does."""

import importlib.util
import statistics
import tempfile
from pathlib import Path

from . import report
from .layout import first_that_exists
from .measure import Broken, in_turn, run_process

CHECKED = (500, 5000, 50000)
COMPILED = (500, 1500, 5000)
WITHIN = 1.15


def load_generator(bench):
    path = first_that_exists([bench.layout.root / "tests" / "limits" / "generate.py"])
    spec = importlib.util.spec_from_file_location("generate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines_of(generator, kind, lengths, tmp):
    """{length: (path, its lines)}."""
    programs = {}
    for length in lengths:
        text, n = generator.program(kind, length)
        path = Path(tmp) / f"{kind}_{length}.ck"
        path.write_text(text)
        programs[length] = path, n
    return programs


def measure(bench, name, programs, options, tmp):
    """A row for each length: the time of a line beyond what an empty process takes."""
    peaks = {}

    def runner(length):
        def sample():
            seconds, peaks[length] = run_process(
                [bench.layout.ckc, *options, programs[length][0]], tmp)
            return [seconds]
        return sample

    start = {"start": lambda: [run_process([bench.layout.ckc, "--version"], tmp)[0]]}
    results = in_turn({**start, **{n: runner(n) for n in programs}}, bench.often(7, 1))
    broken = [r for r in results.values() if isinstance(r, Broken)]
    if broken:
        bench.add(report.failed(name, "ckc", str(broken[0])))
        return
    empty = statistics.median(results.pop("start"))
    rows = []
    for length, samples in results.items():
        n = programs[length][1]
        row = report.Row(f"{name}, {length} lines", "ckc", "us",
                         [max(seconds - empty, 0) / n for seconds in samples])
        row.note = f"{peaks[length] / 1e6:.0f} MB at the peak"
        rows.append(row)
    # The shortest takes less than a process does: its figure is shown, and held to nothing.
    rows[-1].at_most(round(rows[-2].value() * WITHIN, 3))
    bench.add(*rows)


def run(bench):
    generator = load_generator(bench)
    with tempfile.TemporaryDirectory(prefix="ck-bench-") as tmp:
        for kind in generator.KINDS:
            programs = lines_of(generator, kind, CHECKED, tmp)
            measure(bench, f"check {kind}, a line", programs, ["--check"], tmp)
        for kind in ("functions", "kernels"):
            programs = lines_of(generator, kind, COMPILED, tmp)
            measure(bench, f"{kind} to PTX, a line", programs, ["-o", f"{tmp}/out.ptx"], tmp)
