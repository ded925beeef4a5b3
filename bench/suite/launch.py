"""The first CUDA device: what launches of nothing cost the host, alone and with the wait for their
end, and the device as nodes of a graph; with 0 to 16 arrays, beside the driver's own calls, Numba,
Triton and CuPy. Skipped where there is no CUDA device."""

import string
from pathlib import Path

from . import report
from .gpu import compile_ptx, rows_of
from .measure import Absent, Broken, Server, Servers, in_turn
from .peers import LIMIT, with_peers

DRIVER = "driver call"
ARRAYS = (0, 1, 4, 16)
KINDS = ("plain", "cooperative")
PYTHONS = ("Numba", "Triton", "CuPy")
# request, row; Python's peers have all but the last
MEASURES = [("host", "host time of a {} launch, {}"), ("sync", "a {} launch and its end, {}"),
            ("graph", "a node of a graph, {}, {}")]
# What a peer's time over ck's is to be, of the host's time.
LEAST = {DRIVER: round(1 / 1.05, 3), "Numba": round(1 / 0.35, 3), "Triton": round(1 / 0.45, 3)}

# 32 threads do not reach the barrier.
CK = """
@kernel
def {kind}{arrays}({parameters}):
    {body}
"""
BODIES = {"plain": "pass", "cooperative": "if gridsize(1) == 1:\n        this_grid().sync()"}


def write(folder, kind, arrays):
    """A program of one kernel, as every load compiles it."""
    parameters = ", ".join(f"{name}: int32[::1]" for name in string.ascii_lowercase[:arrays])
    path = Path(folder) / f"{kind}{arrays}.ck"
    path.write_text(CK.format(kind=kind, arrays=arrays, parameters=parameters, body=BODIES[kind]))
    return path


def ask_each(server, requests, arguments):
    """The answers to each request."""
    return [server.ask(request, *arguments) for request in requests]


def measure_both(server, loads, arguments):
    """One answer to each request of ck and of the driver's call. They alternate in one process, a
    hundred launches each: the driver's own work differs between processes, and from one moment to
    the next."""
    *host, graph = [request for request, _ in MEASURES]
    server.ask("load", *loads[0])
    server.ask("beside", *loads[1])
    answers = ask_each(server, host, arguments)
    both = []
    for which, load in enumerate(loads):
        server.ask("load", *load)
        both.append([answer[which::2] for answer in answers] + [server.ask(graph, *arguments)])
    return both


def measure(bench, peers, server, servers, kind, arrays):
    """The results of all requests: of each, lists of the answers to them, or why there are none."""
    source, kernel = write(peers.tmp, kind, arrays), f"{kind}{arrays}"
    ptx = source.with_suffix(".ptx")
    why = compile_ptx(bench.layout.ckc, source, ptx, peers.arch)
    loads = (source, kernel, "ck"), (ptx, kernel, kind)
    shape, arrays = (1, 32), ["a2"] * arrays
    arguments = (*shape, bench.often(5, 2), *arrays)
    closer = (*shape, bench.often(30, 2), *arrays)  # these two differ by a few percent
    requests = [request for request, _ in MEASURES[:-1]]
    participants = {} if why else {"both": lambda: [measure_both(server, loads, closer)]}
    for who in servers.running():
        participants[who] = lambda who=who: [ask_each(servers.servers[who], requests, arguments)]
    results = in_turn(participants, bench.often(7, 1))
    both = results.pop("both", Broken(why))
    of_two = dict.fromkeys(("ck", DRIVER), both)
    if isinstance(both, list):
        of_two = {who: [answers[which] for answers in both] for which, who in enumerate(of_two)}
    absent = {who: peer for who, peer in servers.servers.items() if isinstance(peer, Absent)}
    return {**of_two, **results, **absent}


def add_rows(bench, kind, arrays, results):
    for number, (request, name) in enumerate(MEASURES):
        of_this = {who: result if not isinstance(result, list) else
                   [seconds for answers in result for seconds in answers[number]]
                   for who, result in results.items()
                   if who not in PYTHONS or number < len(MEASURES) - 1}
        title = name.format(kind, "1 array" if arrays == 1 else f"{arrays} arrays")
        rows = rows_of(title, "us", of_this)
        for row in rows[1:]:
            if row.who == DRIVER and row.ratio is not None:
                report.compare_pairs(row, rows[0])
            if request == "host" and row.ratio is not None and row.who in LEAST:
                row.ratio_at_least(LEAST[row.who])
        bench.add(*rows)


def add_all(bench, peers):
    with Server([bench.layout.program("gpu_bench"), "plain", "-", "-"], LIMIT) as server:
        for kind in KINDS:
            for arrays in ARRAYS:
                with Servers() as servers:
                    for who in PYTHONS:
                        peers.add_python(servers, who, f"{kind}{arrays}")
                    add_rows(bench, kind, arrays,
                             measure(bench, peers, server, servers, kind, arrays))


def prepare(bench, peers):
    for who in PYTHONS:
        peers.start_python(who)


def run(bench):
    with_peers(bench, add_all)
