"""The first CUDA device: what launches of nothing cost the host, alone and with the wait for their
end, and the device as nodes of a graph; with 0 to 16 arrays, beside the driver's own calls, Numba,
Triton and CuPy. Skipped where there is no CUDA device."""

from .gpu import compile_ptx, rows_of
from .measure import Absent, Broken, Server, Servers, in_turn
from .peers import LIMIT, with_peers

DRIVER = "driver call"
ARRAYS = (0, 1, 4, 16)
KINDS = ("plain", "cooperative")
PYTHONS = ("Numba", "Triton", "CuPy")
# row, request, whether Python's peers have it
MEASURES = [("host time of a {} launch, {}", "host", True),
            ("a {} launch and its end, {}", "sync", True),
            ("a node of a graph, {}, {}", "graph", False)]
# What a peer's time over ck's is to be, of the host's time.
LEAST = {DRIVER: round(1 / 1.05, 3), "Numba": round(1 / 0.35, 3), "Triton": round(1 / 0.45, 3)}


def title(name, kind, arrays):
    return name.format(kind, "1 array" if arrays == 1 else f"{arrays} arrays")


def add_measure(bench, server, servers, ptx, measure, kind, arrays, reasons):
    """ck and the driver's call in one process: the driver's own work differs between processes."""
    name, request, has_pythons = measure
    words = (request, 1, 32, bench.often(5, 2), *["a2"] * arrays)
    kernel = f"{kind}{arrays}"
    images = {"ck": (bench.layout.kernel("launch"), "ck"),
              DRIVER: (ptx, kind)}

    def of_driver(who):
        def sample():
            server.ask("load", images[who][0], kernel, images[who][1])
            return server.ask(*words)
        return sample

    participants = {who: of_driver(who) for who in images if who not in reasons}
    if has_pythons:
        for who in servers.running():
            participants[who] = lambda who=who: servers.servers[who].ask(*words)
    results = {**in_turn(participants, bench.often(5, 1)), **reasons}
    if has_pythons:
        results.update({who: server for who, server in servers.servers.items()
                        if isinstance(server, Absent)})
    rows = rows_of(title(name, kind, arrays), "us", results)
    for row in rows[1:]:
        if request == "host" and row.ratio is not None and row.who in LEAST:
            row.ratio_at_least(LEAST[row.who])
    bench.add(*rows)


def add_all(bench, peers):
    ptx = f"{peers.tmp}/launch.ptx"
    why = compile_ptx(bench, bench.layout.kernel("launch"), ptx, peers.arch)
    reasons = {DRIVER: Broken(why)} if why else {}
    with Server([bench.layout.program("gpu_bench"), "plain", "-", "-"], LIMIT) as server:
        for measure in MEASURES:
            for kind in KINDS:
                for arrays in ARRAYS:
                    with Servers() as servers:
                        for who in PYTHONS:
                            if measure[2]:
                                peers.add_python(servers, who, f"{kind}{arrays}")
                        add_measure(bench, server, servers, ptx, measure, kind, arrays, reasons)


def prepare(bench, peers):
    for who in PYTHONS:
        peers.start_python(who)


def run(bench):
    with_peers(bench, add_all)
