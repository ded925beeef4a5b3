"""The Python package: what it costs to import; what a launch costs the host by number and kind of
arguments, beside Numba, CuPy's RawKernel, Triton and the driver alone; the first launch of a kernel
with its compilation; cuda.reduce and cuda.vectorize on the device; and whole programs. On the first
CUDA device, else of ck on the CPU alone."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import machine, report
from .layout import find_python_with
from .measure import Broken, Servers, in_turn, run_process

KINDS = [("arrays", n) for n in (0, 1, 4, 16)] + [("scalars", 4), ("tuples", 4), ("cupy", 4),
                                                  ("torch", 4)]
OF_NUMBA = ("arrays", "scalars", "tuples")
OF_OTHERS = ("arrays", "scalars")
OTHERS = {"CuPy": "cupy", "Triton": "triton", "driver": "ctypes"}  # the module that each needs
SIZES = (1000, 1 << 20)
HOST_ROUNDS = 25  # of launches: the driver's own time has two modes, for which 5 are too few
LIMIT = 40  # seconds for one answer
LIMITS = {"import": 10, "first launch": 20}  # ms
CUPY_HOST = {0: 4.2, 16: 6.0}  # us of CuPy's launches by arrays, where it is not there to compare
IMPORTS = {"ck": "ck", "Numba": "numba.cuda", "CuPy": "cupy", "Triton": "triton"}
PROGRAM = """
import numpy as np
from {module} import cuda

@cuda.jit
def step(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]

x = cuda.to_device(np.ones(1 << 20, np.float32))
y = cuda.to_device(np.zeros(1 << 20, np.float32))
for _ in range({launches}):
    step[4096, 256](np.float32(0.5), x, y)
assert (y.copy_to_host() == 0.5 * {launches}).all()
"""


def package_env(bench):
    """The environment in which Python finds ck, or None."""
    folder = bench.layout.python_package
    return {"PYTHONPATH": str(folder)} if (folder / "ck" / "_core.abi3.so").exists() else None


def output_of(python, *arguments, env=None):
    """What a new interpreter prints."""
    done = subprocess.run([python, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120, env={**os.environ, **(env or {})})
    if done.returncode:
        raise Broken(" ".join(done.stderr.split())[-300:] or f"it ended with {done.returncode}")
    return done.stdout + done.stderr


def row_of(name, who, unit, result):
    """A row. A peer that does not work here is named, and is no failure."""
    if isinstance(result, Broken) and who != "ck":
        return report.skipped(name, who, str(result))
    return report.of_result(name, who, unit, result)


def import_cost(python, module, env, often):
    """The least time of a new interpreter that imports a module, less the least of one that does
    not: what other processes take of the machine only adds to each."""
    least = {}
    for _ in range(often):
        for text in ("pass", f"import {module}"):
            start = time.perf_counter()
            output_of(python, "-c", text, env=env)
            took = time.perf_counter() - start
            least[text] = min(took, least.get(text, took))
    return [max(0.0, least[f"import {module}"] - least["pass"])]


def imports(bench, env):
    found = {who: find_python_with(module.partition(".")[0]) if bench.peers else None
             for who, module in IMPORTS.items() if who != "ck"}
    name, rows = "import", []
    for who, python in {"ck": sys.executable, **found}.items():
        if python:
            often = bench.often(25 if who == "ck" else 3, 1)
            measure = lambda: import_cost(python, IMPORTS[who], env if who == "ck" else None, often)
            rows.append(row_of(name, who, "ms", in_turn({who: measure}, 1)[who]))
    if rows[0].status == "ok":
        rows[0].at_most(LIMITS[name])
    bench.add(*report.compare(rows))
    absent_peers(bench, name, found)


def absent_peers(bench, name, found):
    for who, python in found.items():
        if not python and bench.peers:
            bench.add(report.skipped(name, who, "it is not installed"))


def programs(bench, env, python, numba, on):
    """Whole processes that differ in one import line: start, copies, compilation, launches."""
    with tempfile.TemporaryDirectory() as folder:
        for launches_made in (1, 100):
            name = f"a whole program with {launches_made} launches{on}"
            runs = {}
            for who, runner, module in (("ck", python, "ck"), ("Numba", numba, "numba")):
                if runner:
                    path = Path(folder) / f"{module}_{launches_made}.py"
                    path.write_text(PROGRAM.format(module=module, launches=launches_made))
                    own = {**env, "CK_CACHE_DIR": ""} if who == "ck" else None
                    runs[who] = lambda runner=runner, path=path, own=own: [
                        run_process([runner, path], folder, env=own)[0]]
            results = in_turn(runs, bench.often(3, 1))
            bench.add(*report.compare([row_of(name, who, "ms", result)
                                       for who, result in results.items()]))


def ask(servers, bench, name, unit, words, of=None):
    """A row for each server that runs, and of these for those in `of`."""
    asked = [who for who in servers.running() if of is None or who in of]
    results = servers.ask_in_turn({who: words for who in asked}, bench.often(3, 1))
    rows = report.compare([row_of(name, who, unit, result) for who, result in results.items()])
    bench.add(*rows)
    return rows


def limit_host_time(rows, n):
    """ck's launches take at most what CuPy's take here, or else what they were measured to take."""
    for row in rows:
        if row.who == "CuPy" and row.ratio is not None:
            row.ratio_at_least(1)
            return
    if rows[0].status == "ok":
        rows[0].at_most(CUPY_HOST[0] + (CUPY_HOST[16] - CUPY_HOST[0]) * n / 16)


def loading(servers, who, *words):
    """What a server answers to a request for a kernel, or the Broken that says why not."""
    return in_turn({who: lambda: servers.servers[who].ask("load", *words)}, 1)[who]


def launches(bench, servers, on):
    for kind, n in KINDS:
        name = f"host time of a launch, {n} {kind}{on}"
        who = {"ck", *(["Numba"] if kind in OF_NUMBA else []),
               *(OTHERS if kind in OF_OTHERS else [])}
        if kind in ("cupy", "torch"):
            if not on.endswith("GPU") or find_python_with(kind) != find_python_with("numpy"):
                bench.add(report.skipped(name, "ck", f"no GPU, or no {kind} beside NumPy"))
                continue
        results = {one: loading(servers, one, kind, n) for one in servers.running() if one in who}
        loaded = [one for one, result in results.items() if not isinstance(result, Broken)]
        results.update(servers.ask_in_turn({one: ("host", bench.often(5, 1)) for one in loaded},
                                           bench.often(HOST_ROUNDS, 1)))
        rows = report.compare([row_of(name, one, "us", result) for one, result in results.items()])
        if kind == "arrays" and on.endswith("GPU"):
            limit_host_time(rows, n)
        bench.add(*rows)


def add_others(bench, servers):
    """The peers that launch, each in its own process."""
    program = bench.layout.peer("launch_peers.py")
    found = {who: find_python_with(module) for who, module in OTHERS.items()}
    for who, python in found.items():
        if python:
            servers.add(who, [python, program, who.lower()], LIMIT)
    absent_peers(bench, "host time of a launch", found)


def get_ready(bench, servers):
    """Has each server import and launch; one that cannot is named, and is not asked again."""
    for who in servers.running():
        try:
            servers.servers[who].ask("ready")
        except Broken as why:
            servers.servers[who].close()
            servers.absent(who, str(why), skipped=who != "ck")
            bench.add(row_of("host time of a launch", who, "us", why))


def run(bench):
    env = package_env(bench)
    python = find_python_with("numpy")
    if env is None or python is None:
        why = "the Python package is not built" if env is None else "no Python has NumPy"
        bench.add(report.skipped("all", "ck", why))
        return
    gpu = machine.gpu_or_none(bench.layout)
    numba = find_python_with("numba") if bench.peers else None
    imports(bench, env)
    on = ", GPU" if gpu else ", CPU"
    with Servers() as servers:
        program = bench.layout.peer("python_peer.py")
        servers.add("ck", [python, program, "ck"], LIMIT, {**env, "CK_CACHE_DIR": ""})
        if numba and gpu:
            servers.add("Numba", [numba, program, "numba"], LIMIT)
        if gpu and bench.peers:
            add_others(bench, servers)
        get_ready(bench, servers)
        launches(bench, servers, on)
        rows = ask(servers, bench, "first launch of a new kernel" + on, "ms",
                   ("first", bench.often(3, 1)))
        if gpu and rows and rows[0].status == "ok":
            rows[0].at_most(LIMITS["first launch"])
        ask(servers, bench, "PTX of a new kernel", "ms", ("ptx", bench.often(5, 1)), of=("ck",))
        for n in SIZES:
            for what in ("reduce", "vectorize"):
                ask(servers, bench, f"cuda.{what} of {n} float32{on}", "us",
                    (what, n, bench.often(10, 2)), of=("ck", "Numba"))
    programs(bench, env, python, numba if gpu else None, on)
