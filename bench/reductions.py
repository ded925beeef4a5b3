#!/usr/bin/env python3
"""Measures the three reductions of examples/reductions.ck beside the same in CUDA C++.

    bench/reductions.py [--build DIR | --prefix DIR] [--source FILE.cu]

Prints a table: the time of a launch over 2048 x 262144 float32, and what that is in GB/s. `full` is
launched with a block for each multiprocessor, and with as many as ck's and nvcc's kernel both allow.
--source: also a program in CUDA C++ that prints such figures itself, built by nvcc as it stands and run
between the others: lines `Latency: N ms` below headings with `V1`, `V2` and `Full`, as that of
Lei Mao's article "CUDA Cooperative Groups" does. Exits with 77 where there is no CUDA device. Needs
Python 3.9 and nothing else. Works on a build folder and on a release.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from suite import machine, report  # noqa: E402
from suite.gpu import CUDA, Peers, add_ck, rows_of  # noqa: E402
from suite.kernels import check  # noqa: E402
from suite.layout import Layout, find_nvcc  # noqa: E402
from suite.measure import Absent, Broken, Servers  # noqa: E402

PROGRAM = "the program"
THREADS = 256
HEADINGS = {"batched v1": "V1", "batched v2": "V2", "full": "Full"}


class Bench:
    """What suite.gpu asks for."""

    def __init__(self, layout, quick, peers):
        self.layout, self.quick, self.peers = layout, quick, peers

    def often(self, usual, quick):
        return quick if self.quick else usual


class Program:
    """The program of --source."""

    def __init__(self, source, arch, tmp):
        self.path = f"{tmp}/program"
        self.absent = None
        nvcc = find_nvcc()
        if not nvcc:
            self.absent = Absent("no nvcc", skipped=True)
            return
        try:
            self.output_of([nvcc, "-O3", f"-arch={arch}", "-o", self.path, str(source)])
        except Broken as error:
            self.absent = Absent(str(error), skipped=False)

    @staticmethod
    def output_of(argv):
        try:
            done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=120, text=True)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Broken(str(error)) from None
        if done.returncode:
            raise Broken(f"{Path(argv[0]).name}: {done.stdout.strip()[-300:]}")
        return done.stdout

    def sample(self, heading):
        """[what one run prints for one of its reductions], or why there is nothing."""
        if self.absent:
            return self.absent
        try:
            output = self.output_of([self.path])
        except Broken as error:
            return error
        found = re.search(rf"^.*\b{heading}\b.*\n+Latency: ([\d.]+) ms", output, re.M)
        return [float(found[1]) / 1e3] if found else Broken(f"it prints no latency of {heading}")


def add_bandwidths(rows, elements):
    for row in rows:
        if row.status == "ok":
            row.note = f"{elements * 4 / row.median() / 1e9:.1f} GB/s"


def most_blocks(servers):
    """The largest grid that all allow."""
    answers = [servers.ask(who, "limits", THREADS) for who in servers.running()]
    return int(min(answer[1] for answer in answers if answer))


def ask(bench, servers, kernel, blocks, arguments):
    """The times of ck and of nvcc's kernel in turn, after their results have been checked."""
    wrong = check(servers, kernel, blocks, THREADS, arguments)
    request = ("again", blocks, THREADS, bench.often(10, 2))
    results = servers.ask_in_turn({who: request for who in servers.servers if who not in wrong},
                                  bench.often(5, 1))
    return {**results, **wrong}


def measure(bench, peers, program, name, kernel, way, blocks, arguments, elements):
    """The rows of one kernel. `blocks`: a number, or None for the largest grid."""
    with Servers() as servers:
        add_ck(bench, servers, bench.layout.example("reductions"), kernel)
        peers.add_cuda(servers, "reductions", kernel, way)
        blocks = blocks or most_blocks(servers)
        before = program.sample(HEADINGS[name]) if program and name in HEADINGS else []
        results = ask(bench, servers, kernel, blocks, arguments)
        if isinstance(before, list) and before:
            after = program.sample(HEADINGS[name])
            before = before + after if isinstance(after, list) else after
        if before:
            results[PROGRAM] = before
    rows = rows_of(f"{name}, {blocks} blocks", "ms", results)
    add_bandwidths(rows, elements)
    return rows


def measure_all(bench, device, source, tmp):
    peers = Peers(bench, device["capability"], tmp, ["reductions"])
    program = Program(source, peers.arch, tmp) if source else None
    batches, length = bench.often((2048, 262144), (16, 1024))
    elements = batches * length
    pieces = f"p{2 * batches}"
    rows = []
    try:
        for version in ("v1", "v2"):
            rows += measure(bench, peers, program, f"batched {version}", f"batched_{version}",
                            "plain", batches, (f"x{batches}x{length}", f"p{batches}"), elements)
        for name, blocks in (("full", device["multiprocessors"]), ("full, largest grid", None)):
            rows += measure(bench, peers, program, name, "full", "cooperative", blocks,
                            (f"x{elements}", pieces, "p1", f"i{length}"), elements)
    finally:
        peers.close()
    print(report.table(f"sums of {batches} x {length} float32", rows))
    return 1 if any(row.status == "failed" for row in rows) else 0


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--build", type=Path, metavar="DIR", help="measure a build folder")
    where.add_argument("--prefix", type=Path, metavar="DIR", help="measure a release")
    parser.add_argument("--source", type=Path, metavar="FILE.cu",
                        help="also measure this program, which prints its latencies itself")
    parser.add_argument("--quick", action="store_true",
                        help="small arrays: shows that all runs, the times say nothing")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    try:
        layout = Layout(Path(__file__).resolve().parent, arguments.build, arguments.prefix)
        device = machine.gpu(layout)
    except FileNotFoundError as error:
        sys.exit(f"reductions.py: {error}")
    except machine.NoDevice as why:
        print(f"reductions.py: {why}", file=sys.stderr)
        return 77
    except Broken as why:
        sys.exit(f"reductions.py: {why}")
    print(report.heading(machine.describe(layout)), flush=True)
    with tempfile.TemporaryDirectory(prefix="ck-bench-") as tmp:
        return measure_all(Bench(layout, arguments.quick, True), device, arguments.source, tmp)


if __name__ == "__main__":
    sys.exit(main())
