"""The first CUDA device: the three reductions of examples/reductions.ck beside the same in CUDA C++,
and the sum of an array in one launch beside CUB, PyTorch and CuPy, of 2^10 to 2^29 elements.
Skipped where there is no CUDA device."""

import re
import subprocess
from pathlib import Path

from . import report
from .gpu import add_ck, rows_of
from .kernels import check
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


def most_blocks(servers, among, threads):
    """The largest grid that all of these allow."""
    answers = [servers.ask(who, "limits", threads) for who in among]
    return int(min((answer[1] for answer in answers if answer), default=1))


def requests_of(bench, servers, launches):
    """What to ask those for whose result is right, and the others' reasons."""
    wrong = check(servers, launches)
    return {who: ("again", *launch[1:3], bench.often(10, 2)) for who, launch in launches.items()
            if who not in wrong}, wrong


def load(bench, peers, servers, kernel, way):
    """Who has the kernel, in the processes that measure all of them; the others' reasons."""
    image = peers.image("reductions")
    loads = {"ck": (bench.layout.example("reductions"), kernel), CUDA: (image, kernel, way)}
    if kernel == "full":
        loads[KNOWN] = (image, "full_known", way)
    absent = {who: servers.servers[who] for who in loads if who not in servers.running()}
    for who in loads:
        try:
            if who not in absent:
                servers.servers[who].ask("load", *loads[who])
        except Broken as error:
            absent[who] = error
    return [who for who in loads if who not in absent], absent


def add_article(bench, peers, servers, program, name, kernel, way, blocks, arguments, shape):
    """The rows of one kernel. `blocks`: a number, or None for the largest grid."""
    there, results = load(bench, peers, servers, kernel, way)
    blocks = blocks or most_blocks(servers, there, THREADS)
    requests, wrong = requests_of(bench, servers, dict.fromkeys(
        there, (kernel, blocks, THREADS, *arguments)))
    results.update(wrong)
    if kernel == "batched_v2":
        for who, module in (("PyTorch", "torch"), ("Triton", "triton")):
            requests[who] = ("batched", module, *shape, bench.often(10, 2))
    before = program.sample(HEADINGS[name]) if program and name in HEADINGS else []
    results.update(servers.ask_in_turn(requests, bench.often(5, 1)))
    if isinstance(before, list) and before:
        after = program.sample(HEADINGS[name])
        before = before + after if isinstance(after, list) else after
    if before:
        results[PROGRAM] = before
    rows = rows_of(f"{name}, {shape[0]} x {shape[1]} float32, {blocks} blocks", "ms", results)
    add_bandwidths(rows, shape[0] * shape[1])
    for row in rows[1:]:
        if row.ratio is not None and row.who in (CUDA, KNOWN, PROGRAM):
            row.ratio_at_least(EQUAL)
    bench.add(*rows)


def add_articles(bench, peers, servers):
    program = Program(bench.source, peers.arch, peers.tmp) if bench.source else None
    shape = bench.often((2048, PIECE), (16, PIECE))
    elements = shape[0] * shape[1]
    for version in ("v1", "v2"):
        add_article(bench, peers, servers, program, f"batched {version}", f"batched_{version}",
                    "plain", shape[0], (f"r{shape[0]}x{shape[1]}", f"p{shape[0]}"), shape)
    for name, blocks in (("full", peers.device["multiprocessors"]), ("full, largest grid", None)):
        add_article(bench, peers, servers, program, name, "full", "cooperative", blocks,
                    (f"r{elements}", f"p{2 * shape[0]}", "p1", f"i{shape[1]}"), shape)


# --- One launch ----------------------------------------------------------------------------------

ONE_BLOCK = 32768  # elements at most; examples/sum.ck tells how many blocks otherwise
A_BLOCK = 16 * THREADS


def blocks_of(elements, most):
    return 1 if elements <= ONE_BLOCK else min(most, -(-elements // A_BLOCK))


def cub_least(elements):
    return [None, *(least for size, least in CUB_LEAST.items() if size <= elements)][-1]


def sum_rows(bench, peers, servers, most, elements):
    """Of a size. CUB's and ck's processes launch in the same way, between the same events."""
    shape, x = (blocks_of(elements, most), THREADS), f"r{elements}"
    launches = {"ck": ("sum_of", *shape, x, "p1", "p8192", "w1"),
                FOR_ALL: ("sum_for_all", *shape, x, "p1"), CUB: ("sum_for_all", *shape, x, "p1")}
    if elements == LARGEST:  # the article's, too
        pieces = elements // PIECE
        launches[KNOWN] = ("full", peers.device["multiprocessors"], THREADS, x,
                           f"p{2 * pieces}", "p1", f"i{PIECE}")
    requests, results = requests_of(bench, servers, launches)
    for who in ("PyTorch", "CuPy"):
        requests[who] = ("sum", elements, bench.often(10, 2))
    results.update(servers.ask_in_turn(requests, bench.often(5, 1)))
    if KNOWN in results:
        results[ARTICLE] = results.pop(KNOWN)
    rows = rows_of(f"sum of {elements} float32", "us", results)
    add_bandwidths(rows, elements)
    for row in rows[1:]:
        least = cub_least(elements) if row.who == CUB else None
        if elements == LARGEST:
            least = LARGEST_LEAST.get(row.who, least)
        if row.ratio is not None and least:
            row.ratio_at_least(round(least, 3))
    return rows


def add_sums(bench, peers, servers):
    """The largest first, as its numbers are the others' too."""
    most = most_blocks(servers, ["ck", FOR_ALL], THREADS)
    sizes = bench.often(SIZES, [1000, 2**13 + 1, 2**20])
    found = {elements: sum_rows(bench, peers, servers, most, elements)
             for elements in reversed(sizes)}
    for elements in sizes:
        bench.add(*found[elements])


def prepare(bench, peers):
    peers.start_library("cub")
    peers.start_nvcc("reductions")
    for who in ("PyTorch", "Triton", "CuPy"):
        peers.start_python(who)


def add_all(bench, peers):
    with Servers() as servers:
        add_ck(bench, servers, bench.layout.example("sum"), "sum_of")
        add_ck(bench, servers, bench.layout.example("sum"), "sum_for_all", FOR_ALL)
        peers.add_cuda(servers, "cub", "cub_sum", "library", CUB)
        peers.add_cuda(servers, "reductions", "full_known", "cooperative", KNOWN)
        peers.add_cuda(servers, "reductions", "batched_v1", "plain")
        for who in ("PyTorch", "Triton", "CuPy"):
            peers.add_python(servers, who)
        add_sums(bench, peers, servers)
        add_articles(bench, peers, servers)


def run(bench):
    with_peers(bench, add_all)
