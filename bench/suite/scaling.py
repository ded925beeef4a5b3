"""What a line costs as programs grow: `ckc --check` on 500 to 50,000 generated lines, and the whole
way to PTX. Linear means that a line of the longest costs what one of a shorter does.
Times are of computing (not of waiting for other programs), the least of several."""

import importlib.util
import tempfile
from pathlib import Path

from . import report
from .layout import first_that_exists
from .measure import Broken, in_turn, run_process

CHECKED = (500, 5000, 50000)
COMPILED = (500, 1000, 2000, 5000, 50000)
WITHIN = 1.15
ROUNDS_CHECKED, ROUNDS_COMPILED = 9, 3
ONCE = 5000  # longer ones are compiled once: other programs' noise is small beside them


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


def measure(bench, name, programs, options, tmp, held_to, rounds):
    """A row for each length: the time of a line beyond what an empty process takes. Each longer
    than `held_to` lines may take what that one does."""
    peaks = {}

    def runner(length):
        def sample():
            if rounds <= ROUNDS_COMPILED and length > ONCE and length in peaks:
                return []
            seconds, peaks[length] = run_process(
                [bench.layout.ckc, "--no-cache", *options, programs[length][0]], tmp, own_time=True)
            return [seconds]
        return sample

    version = [bench.layout.ckc, "--version"]
    start = {"start": lambda: [run_process(version, tmp, own_time=True)[0]]}
    results = in_turn({**start, **{n: runner(n) for n in programs}}, bench.often(rounds, 1))
    broken = [r for r in results.values() if isinstance(r, Broken)]
    if broken:
        bench.add(report.failed(name, "ckc", str(broken[0])))
        return
    empty = min(results.pop("start"))
    rows = []
    for length, samples in results.items():
        n = programs[length][1]
        row = report.Row(f"{name}, {length} lines", "ckc", "us",
                         [max(min(samples) - empty, 0) / n])
        row.note = f"{peaks[length] / 1e6:.0f} MB at the peak"
        rows.append(row)
        if length > held_to:
            row.at_most(round(base.value() * WITHIN, 3))
        elif length == held_to:
            base = row
    bench.add(*rows)


def run(bench):
    generator = load_generator(bench)
    with tempfile.TemporaryDirectory(prefix="ck-bench-") as tmp:
        for kind in generator.KINDS:
            programs = lines_of(generator, kind, CHECKED, tmp)
            # To check the shortest takes less than a process does: it is shown, and no measure.
            measure(bench, f"check {kind}, a line", programs, ["--check"], tmp, CHECKED[1],
                    ROUNDS_CHECKED)
        for kind in ("functions", "kernels", "nested", "expressions"):
            programs = lines_of(generator, kind, COMPILED[:bench.often(None, 2)], tmp)
            measure(bench, f"{kind} to PTX, a line", programs, ["-o", f"{tmp}/out.ptx"], tmp,
                    COMPILED[0], ROUNDS_COMPILED)
        for kind in ("long_function", "loops"):
            programs = lines_of(generator, kind, CHECKED[:bench.often(None, 1)], tmp)
            measure(bench, f"{kind} to PTX, a line of one function", programs,
                    ["-o", f"{tmp}/out.ptx"], tmp, CHECKED[-1], 1)
