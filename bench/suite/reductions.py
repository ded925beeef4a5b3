"""The first CUDA device: the three reductions of examples/reductions.ck beside the same in CUDA
C++, and the sum of an array in one launch beside CUB, PyTorch and CuPy, of 2^10 to 2^29 elements.
Skipped where there is no CUDA device."""

import re
import subprocess
from pathlib import Path

from . import report
from .gpu import OneProcess, rows_of
from .layout import find_nvcc
from .measure import Absent, Broken, Servers
from .peers import CUDA, with_peers

PROGRAM = "the program"
THREADS, PIECE = 256, 262144
HEADINGS = {"batched v1": "V1", "batched v2": "V2", "full": "Full"}
EQUAL = 0.99  # of nvcc's bandwidth counts as equal
KNOWN = "CUDA C++, length known"  # when compiling, as the article has it
FOR_ALL = "ck, sum_for_all"
ARTICLE = "the article's full"  # the same, beside sums of an array in one launch
CUB = "CUB"

SIZES = [2**10, 2**12, 2**12 + 1, 2**13 - 1, 2**13, 2**16, 2**16 + 1, 2**18, 2**20 - 1, 2**20, 2**24,
         2**24 + 3, 2**26, 2**28 - 5, 2**28, 2**29]
LARGEST = 2**29
# What CUB's time over ck's is to be: from a size to the next.
CUB_LEAST = {2**10: 1 / 1.05, 2**13: 1 / 0.75, 2**20 + 1: None, LARGEST: 1.0}
LARGEST_LEAST = {"PyTorch": 1.04, ARTICLE: 1.48}


# --- The article's kernels -----------------------------------------------------------------------


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


class Kernels(OneProcess):
    """What is measured on the same arrays."""

    def __init__(self, bench, peers):
        super().__init__(bench)
        self.bench = bench
        self.peers = peers

    def load_of(self, name, kernel, mode="ck"):
        """A file, a kernel and a mode to launch it in, or why there is none."""
        if mode == "ck":
            return self.bench.layout.example(name), kernel, mode
        return self.peers.cuda(name, kernel, mode)

    def most_blocks(self, load, threads):
        """As many as are resident at once."""
        limits = None if isinstance(load, Absent) else self.limits(load, threads)
        return int(limits[1]) if limits else 1


def others_of(servers, requests):
    """What samples the processes of Python's libraries, and why there is none of some."""
    samplers = {who: lambda who=who: servers.servers[who].ask(*requests[who])
                for who in requests if who in servers.running()}
    return samplers, {who: servers.servers[who] for who in requests if who not in samplers}


def add_article(kernels, servers, program, name, kernel, mode, blocks, arguments, shape):
    """The rows of one kernel. `blocks`: a number, or None for each one's largest grid."""
    loads = {"ck": kernels.load_of("reductions", kernel),
             CUDA: kernels.load_of("reductions", kernel, mode)}
    if kernel == "full":
        loads[KNOWN] = kernels.load_of("reductions", "full_known", mode)
    grids = {who: blocks or kernels.most_blocks(load, THREADS) for who, load in loads.items()}
    requests = {}
    if kernel == "batched_v2":
        requests = {who: ("batched", module, *shape, kernels.bench.often(10, 2))
                    for who, module in (("PyTorch", "torch"), ("Triton", "triton"))}
    samplers, absent = others_of(servers, requests)
    before = program.sample(HEADINGS[name]) if program and blocks else []
    launches = {who: (kernel, grid, THREADS, *arguments) for who, grid in grids.items()}
    results = kernels.measure(loads, launches, kernels.bench.often(10, 2),
                              kernels.bench.often(5, 1), samplers)
    results.update(absent)
    if isinstance(before, list) and before:
        after = program.sample(HEADINGS[name])
        before = before + after if isinstance(after, list) else after
    if before:
        results[PROGRAM] = before
    rows = rows_of(f"{name}, {shape[0]} x {shape[1]} float32, "
                   + (f"{blocks} blocks" if blocks else "each one's largest grid"), "ms", results)
    add_bandwidths(rows, shape[0] * shape[1])
    for row in rows:
        if not blocks and row.who in grids and row.status == "ok":
            row.note += f", {grids[row.who]} blocks"
    for row in rows[1:]:
        if row.ratio is not None and row.who in (CUDA, KNOWN, PROGRAM):
            row.ratio_at_least(EQUAL)
    kernels.bench.add(*rows)


def add_articles(kernels, servers):
    bench, peers = kernels.bench, kernels.peers
    program = Program(bench.source, peers.arch, peers.tmp) if bench.source else None
    shape = bench.often((2048, PIECE), (16, PIECE))
    elements = shape[0] * shape[1]
    for version in ("v1", "v2"):
        add_article(kernels, servers, program, f"batched {version}", f"batched_{version}", "plain",
                    shape[0], (f"r{shape[0]}x{shape[1]}", f"p{shape[0]}"), shape)
    for blocks in (peers.device["multiprocessors"], None):
        add_article(kernels, servers, program, "full", "full", "cooperative", blocks,
                    (f"r{elements}", f"p{2 * shape[0]}", "p1", f"i{shape[1]}"), shape)


# --- One launch ----------------------------------------------------------------------------------

# As many blocks as examples/sum.ck says.
ONE_BLOCK = 32768  # elements at most
A_BLOCK = 16 * THREADS  # elements at least, of more than one
LARGEST_BLOCK = 2**19  # elements at most, of as many blocks as fill the GPU or a multiple


def blocks_of(elements, most):
    if elements <= ONE_BLOCK:
        return 1
    return min(most * -(-elements // (most * LARGEST_BLOCK)), -(-elements // A_BLOCK))


def cub_least(elements):
    return [None, *(least for size, least in CUB_LEAST.items() if size <= elements)][-1]


def sum_rows(kernels, servers, loads, most, elements):
    """Of a size."""
    bench, x = kernels.bench, f"r{elements}"
    blocks = blocks_of(elements, most["ck"])
    for_all = min(most[FOR_ALL], blocks_of(elements, most[FOR_ALL]))
    launches = {"ck": ("sum_of", blocks, THREADS, x, "p1", "l8192", "w1"),
                FOR_ALL: ("sum_for_all", for_all, THREADS, x, "p1"),
                CUB: ("sum_for_all", 1, THREADS, x, "p1")}
    if elements == LARGEST:
        pieces = elements // PIECE
        launches[ARTICLE] = ("full", kernels.peers.device["multiprocessors"], THREADS, x,
                             f"p{2 * pieces}", "p1", f"i{PIECE}")
    samplers, absent = others_of(servers, {who: ("sum", elements, bench.often(10, 2))
                                           for who in ("PyTorch", "CuPy")})
    count = bench.often(40 if elements <= 2**20 else 10, 2)
    results = kernels.measure({who: loads[who] for who in launches}, launches, count,
                              bench.often(5, 1), samplers)
    rows = rows_of(f"sum of {elements} float32", "us", {**results, **absent})
    add_bandwidths(rows, elements)
    for row in rows[1:]:
        least = cub_least(elements) if row.who == CUB else None
        if elements == LARGEST:
            least = LARGEST_LEAST.get(row.who, least)
        if row.ratio is not None and least:
            row.ratio_at_least(round(least, 3))
    return rows


def add_sums(kernels, servers):
    """The largest first, as its numbers are the others' too."""
    loads = {"ck": kernels.load_of("sum", "sum_of"),
             FOR_ALL: kernels.load_of("sum", "sum_for_all"),
             CUB: kernels.load_of("cub", "cub_sum", "library"),
             ARTICLE: kernels.load_of("reductions", "full_known", "cooperative")}
    most = {who: kernels.most_blocks(loads[who], THREADS) for who in ("ck", FOR_ALL)}
    sizes = kernels.bench.often(SIZES, [1000, 2**13 + 1, 2**20])
    found = {elements: sum_rows(kernels, servers, loads, most, elements)
             for elements in reversed(sizes)}
    for elements in sizes:
        kernels.bench.add(*found[elements])


def prepare(bench, peers):
    peers.start_library("cub")
    peers.start_nvcc("reductions")
    for who in ("PyTorch", "Triton", "CuPy"):
        peers.start_python(who)


def add_all(bench, peers):
    with Servers() as servers, Kernels(bench, peers) as kernels:
        for who in ("PyTorch", "Triton", "CuPy"):
            peers.add_python(servers, who)
        add_sums(kernels, servers)
        add_articles(kernels, servers)


def run(bench):
    with_peers(bench, add_all)
