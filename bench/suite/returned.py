"""The first CUDA device: kernels whose threads return before barriers, beside the same guarded by
hand. Skipped where there is no CUDA device."""

from . import machine, report
from .measure import Broken, Server, in_turn

LIMIT = 120
LEAST = 1 / 1.05  # the guarded kernel's time over the other's
BLOCK = 256
COLUMNS, ROWS, LENGTH = 128 * BLOCK - 100, 64, (1 << 22) - 100

# name: what the kernels take, as requests and words of pair_bench.
CASES = {
    "rows": ([("array", "inout", "int32", f"{ROWS}x{COLUMNS}", "uniform", 0, 9)], ["a0"], COLUMNS),
    "sums": ([("array", "in", "float32", LENGTH, "uniform", 0, 1),
              ("array", "out", "float32", (LENGTH + BLOCK - 1) // BLOCK, "poison")],
             ["a0", "a1"], LENGTH),
}
KINDS = ("returned", "guarded")


def measure(bench, server, name):
    """For each kind its samples, or why there are none."""
    arrays, words, threads = CASES[name]
    source = bench.layout.kernel("returned")
    server.ask("forget")
    for array in arrays:
        server.ask(*array)
    for number, kind in enumerate(KINDS):
        server.ask("load", number, "ck", source, f"{name}_{kind}", (threads + BLOCK - 1) // BLOCK,
                   BLOCK, *words)
        server.ask("check", number, 1e-5, 1e-5)
    return in_turn({number: lambda number=number: server.ask("time", number, bench.often(7, 2))
                    for number in range(len(KINDS))}, bench.often(9, 1))


def add(bench, server, name):
    results = measure(bench, server, name)
    rows = [report.of_result(f"{name}, threads return", kind, "us", results[number])
            for number, kind in enumerate(KINDS)]
    other = report.compare(rows)[1]
    if other.ratio is not None:
        other.ratio_at_least(LEAST)
    bench.add(*rows)


def run(bench):
    if not machine.gpu_or_none(bench.layout):
        for name in CASES:
            bench.add(report.skipped(f"{name}, threads return", "returned", "no CUDA device"))
        return
    server = Server([bench.layout.program("pair_bench")], LIMIT)
    try:
        for name in CASES:
            try:
                add(bench, server, name)
            except Broken as error:
                bench.add(report.failed(f"{name}, threads return", "returned", str(error)))
    finally:
        server.close()
