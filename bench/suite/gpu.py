"""The first CUDA device: sequential_rows beside CUDA C++ and Numba, and barriers of the grid beside
CUDA's. Skipped where there is no CUDA device."""

import subprocess

from . import report
from .measure import Absent, Broken, Server, Servers, in_turn
from .peers import CUDA, LIMIT, with_peers

# blocks, threads: few of a multiprocessor, a multiple of their number and one more or less, many
BARRIER_SHAPES = [(2, 32), (2, 256), (2, 1024), (32, 32), (32, 256), (32, 1024), (132, 32), (132, 256),
                  (132, 1024), (264, 256), (264, 1024), (528, 256), (1056, 256), (2112, 128),
                  (4224, 32)]
NEIGHBOURS = [(3, 32), (131, 256), (133, 256), (263, 256), (265, 256), (395, 256), (797, 128),
              (1055, 256), (1200, 128), (1201, 128), (1585, 128), (2111, 128), (3169, 64),
              (4223, 32)]
# Up to so many blocks: what CUDA's time over ck's is to be.
LEAST = [(132, 1 / 0.9), (528, 1.0), (1056, 1 / 0.85), (2112, 1 / 0.55), (4224, 1 / 0.4)]
BARRIERS = 1000
ROWS_LEAST = {CUDA: round(1 / 0.88, 3), "Numba": round(1 / 0.75, 3)}  # their time over ck's


def add_ck(bench, servers, path, kernel):
    servers.add("ck", [bench.layout.program("gpu_bench"), "ck", path, kernel], LIMIT)


def rows_of(name, unit, results, notes=None, divisor=1):
    rows = []
    for who in sorted(results, key=lambda who: who != "ck"):
        result = results[who]
        if isinstance(result, list):
            result = [seconds / divisor for seconds in result]
        rows.append(report.of_result(name, who, unit, result, (notes or {}).get(who, "")))
    return report.compare(rows)


def disagreeing(means, dtype):
    """Those whose mean is not that of CUDA C++, or of the first."""
    if not means:
        return {}
    want = means.get(CUDA, next(iter(means.values())))
    tolerance = 1e-3 if dtype == "float32" else 1e-9
    return {who: Broken(f"computes a mean of {mean!r}, not {want!r}")
            for who, mean in means.items() if not abs(mean - want) <= tolerance * (abs(want) + 1)}


class OneProcess:
    """What one process measures in turn: where the driver puts memory, and a launch's workspace,
    differs from one process to the next, and makes some percent of the time. A load is a file, a
    kernel and a mode to launch it in."""

    def __init__(self, bench):
        self.server = Server([bench.layout.program("gpu_bench"), "plain", "-", "-"], LIMIT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()

    def ask(self, load, *request):
        self.server.ask("load", *load)
        return self.server.ask(*request)

    def measure(self, loads, launches, count, rounds, others=()):
        """Of each, samples of so many launches a round, or what says why there are none. `loads`:
        of each, or why there is none; `launches`: what is checked, grid, block and arguments, where
        `mean` is that all have one mean and an empty text nothing; `others`: what samples those
        that are no kernels."""
        results, samplers, means = {}, dict(others), {}
        for who, load in loads.items():
            what, grid, block, *arguments = launches[who]
            if isinstance(load, (Absent, Broken)):
                results[who] = load
                continue
            try:
                answer = self.ask(load, "check", what, grid, block, *arguments) if what else []
            except Broken as error:
                results[who] = error
                continue
            if what == "mean":
                means[who] = answer[0]
            request = ("device", grid, block, count, *arguments)
            samplers[who] = lambda load=load, request=request: self.ask(load, *request)
        results.update(disagreeing(means, "float32"))
        results.update(in_turn({who: sample for who, sample in samplers.items()
                                if who not in results}, rounds))
        return {who: results[who] for who in (*loads, *others)}

    def limits(self, load, block):
        """Registers and the most resident blocks, or None."""
        try:
            return self.ask(load, "limits", block)
        except Broken:
            return None


# --- The benchmarks ------------------------------------------------------------------------------


def occupancy_note(limits, block):
    return f"{limits[0]:.0f} registers, at most {limits[1]:.0f} blocks of {block}" if limits else ""


def add_rows(bench, peers):
    kernel = "sequential_rows"
    loads = {"ck": (bench.layout.example(kernel), kernel, "ck"),
             CUDA: peers.cuda(kernel, kernel, "cooperative")}
    there = {who: load for who, load in loads.items() if not isinstance(load, Absent)}
    request = ("rows", 32, 32, bench.often(10, 2), "a1024x1024")
    with Servers() as servers, OneProcess(bench) as process:
        peers.add_python(servers, "Numba", kernel)
        samplers = {who: lambda load=load: process.ask(load, *request)
                    for who, load in there.items()}
        for who in servers.running():
            samplers[who] = lambda who=who: servers.servers[who].ask(*request)
        results = {**loads, **servers.servers, **in_turn(samplers, bench.often(5, 1))}
        notes = {who: occupancy_note(process.limits(load, 32), 32) for who, load in there.items()}
        notes.update((who, occupancy_note(servers.ask(who, "limits", 32), 32))
                     for who in servers.running())
    rows = rows_of("sequential_rows 1024x1024, 32x32, a launch", "ms", results, notes)
    for row in rows[1:]:
        if row.ratio is not None:
            row.ratio_at_least(ROWS_LEAST[row.who])
    bench.add(*rows)


def barrier_images(bench, peers):
    """Whose kernels there are, and the rows' reasons for those that there are not."""
    images, absent = {"ck": f"{peers.tmp}/grid_barrier.ptx"}, {}
    why = compile_ptx(bench.layout.ckc, bench.layout.kernel("grid_barrier"), images["ck"], peers.arch)
    if why:
        absent["ck"] = Absent(why, skipped=False)
    load = peers.cuda("grid_barrier", "grid_barrier", "cooperative")
    if isinstance(load, Absent):
        absent[CUDA] = load
    else:
        images[CUDA] = load[0]
    return {who: image for who, image in images.items() if who not in absent}, absent


def time_barriers(bench, process, loads, blocks, threads, arguments):
    request = ("device", blocks, threads, bench.often(3, 1), f"i{BARRIERS}", *arguments)
    samplers, absent = {}, {}
    for who, load in loads.items():
        fit = process.ask(load, "limits", threads)[1]
        if fit < blocks:
            absent[who] = Absent(f"at most {fit:.0f} blocks fit", skipped=True)
        else:
            samplers[who] = lambda load=load: process.ask(load, *request)
    return {**in_turn(samplers, bench.often(7, 1)), **absent}


def add_barriers(bench, peers, images, absent, name, kernel, arguments, least):
    """`arguments` of a number of threads; `least` of blocks, CUDA's time over ck's, or None."""
    loads = {who: (image, kernel, "cooperative") for who, image in images.items()}
    with OneProcess(bench) as process:
        for blocks, threads in BARRIER_SHAPES + NEIGHBOURS:
            results = time_barriers(bench, process, loads, blocks, threads,
                                    arguments(blocks * threads))
            rows = rows_of(f"{name}, {blocks} x {threads}", "us", {**results, **absent},
                           divisor=BARRIERS)
            for row in rows[1:]:
                if row.ratio is not None and (blocks, threads) in BARRIER_SHAPES:
                    row.ratio_at_least(least(blocks))
            bench.add(*rows)


def add_all_barriers(bench, peers):
    images, absent = barrier_images(bench, peers)
    add_barriers(bench, peers, images, absent, "grid barrier", "grid_barrier", lambda threads: (),
                 lambda blocks: next(least for most, least in LEAST if blocks <= most))
    add_barriers(bench, peers, images, absent, "grid barrier, 16 bytes stored and loaded",
                 "grid_barrier_stores", lambda threads: (f"c2x{threads}",), lambda blocks: 1.0)


def compile_ptx(ckc, source, target, arch, *options):
    """None, or what ckc had to say."""
    try:
        done = subprocess.run([ckc, "--no-cache", f"-arch={arch}", "--math=auto", *options,
                               "-o", target, source], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60, text=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return f"ckc: {done.stdout.strip()[-300:]}" if done.returncode else None


def ptx_of(ckc, source, target, arch, *options):
    """The path of a source's PTX, or Broken."""
    why = compile_ptx(ckc, source, target, arch, *options)
    return Broken(why) if why else target


def loads_of(images, kernel, mode="plain"):
    """What OneProcess loads: a kernel of each image, or why there is no image."""
    return {who: image if isinstance(image, (Absent, Broken)) else (image, kernel, mode)
            for who, image in images.items()}


def prepare(bench, peers):
    for name in ("sequential_rows", "grid_barrier"):
        peers.start_nvcc(name)
    peers.start_python("Numba")


def run(bench):
    with_peers(bench, add_all)


def add_all(bench, peers):
    add_rows(bench, peers)
    add_all_barriers(bench, peers)
