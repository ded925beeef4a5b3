"""The Python package: what it costs to import, what a launch costs the host by number and kind of
arguments, the first launch of a kernel with its compilation, and cuda.reduce and cuda.vectorize on
the device; on the first CUDA device beside Numba, else on the CPU alone."""

import sys
import tempfile

from . import machine, report
from .layout import find_python_with
from .measure import Broken, Servers, in_turn, run_process

KINDS = [("arrays", n) for n in (0, 1, 4, 16)] + [("scalars", 4), ("tuples", 4), ("cupy", 4),
                                                  ("torch", 4)]
OF_NUMBA = ("arrays", "scalars", "tuples")
SIZES = (1000, 1 << 20)
LIMITS = {"import": 10, "first launch": 20}  # ms
LEAST = {"host": round(15 / 6, 2), "first": round(130 / 20, 2)}  # Numba's time over ck's


def package_env(bench):
    """The environment in which Python finds ck, or None."""
    folder = bench.layout.python_package
    return {"PYTHONPATH": str(folder)} if (folder / "ck" / "_core.abi3.so").exists() else None


def imports(bench, env, numba):
    """An import's time: what a process with it computes, less one without."""
    name = "import"
    statements = {"ck": (sys.executable, "import ck", env), "Python": (sys.executable, "pass", env)}
    if numba:
        statements["Numba"] = (numba, "import numba.cuda", None)
        statements["its Python"] = (numba, "pass", None)
    with tempfile.TemporaryDirectory() as folder:
        results = in_turn(
            {who: lambda python=python, text=text, env=env:
             [run_process([python, "-c", text], folder, own_time=True, env=env)[0]]
             for who, (python, text, env) in statements.items()}, bench.often(15, 2))
    rows = []
    for who, base in (("ck", "Python"), ("Numba", "its Python")):
        if who in results:
            pair = results[who], results[base]
            broken = next((result for result in pair if isinstance(result, Broken)), None)
            rows.append(report.of_result(name, who, "ms", broken or [a - b for a, b in zip(*pair)]))
    if rows[0].status == "ok":
        rows[0].at_most(LIMITS[name])
    bench.add(*report.compare(rows))


def ask(servers, bench, name, unit, words, least=None):
    """A row for each server that runs."""
    results = servers.ask_in_turn({who: words for who in servers.running()}, bench.often(7, 1))
    rows = report.compare([report.of_result(name, who, unit, result)
                           for who, result in results.items()])
    for row in rows[1:]:
        if least and row.ratio is not None:
            row.ratio_at_least(least)
    bench.add(*rows)
    return rows


def launches(bench, servers, on):
    for kind, n in KINDS:
        name = f"host time of a launch, {n} {kind}{on}"
        who = {"ck", "Numba"} if kind in OF_NUMBA else {"ck"}
        if kind in ("cupy", "torch"):
            if not on.endswith("GPU") or not find_python_with(kind):
                bench.add(report.skipped(name, "ck", f"no GPU or no {kind}"))
                continue
        loaded = [one for one in servers.running() if one in who
                  and servers.ask(one, "load", kind, n) is not None]
        results = servers.ask_in_turn({one: ("host", bench.often(5, 1)) for one in loaded},
                                      bench.often(7, 1))
        rows = report.compare([report.of_result(name, one, "us", result)
                               for one, result in results.items()])
        for row in rows[1:]:
            if row.ratio is not None:
                row.ratio_at_least(LEAST["host"])
        bench.add(*rows)


def run(bench):
    env = package_env(bench)
    python = find_python_with("numpy")
    if env is None or python is None:
        why = "the Python package is not built" if env is None else "no Python has NumPy"
        bench.add(report.skipped("all", "ck", why))
        return
    gpu = machine.gpu_or_none(bench.layout)
    numba = find_python_with("numba") if bench.peers else None
    imports(bench, env, numba)
    on = ", GPU" if gpu else ", CPU"
    with Servers() as servers:
        program = bench.layout.peer("python_peer.py")
        servers.add("ck", [python, program, "ck"], env={**env, "CK_CACHE_DIR": ""})
        if numba and gpu:
            servers.add("Numba", [numba, program, "numba"])
        for who in servers.running():
            servers.ask(who, "ready")
        launches(bench, servers, on)
        rows = ask(servers, bench, "first launch of a new kernel" + on, "ms",
                   ("first", bench.often(5, 1)), LEAST["first"])
        if gpu and rows and rows[0].status == "ok":
            rows[0].at_most(LIMITS["first launch"])
        for n in SIZES:
            for what in ("reduce", "vectorize"):
                ask(servers, bench, f"cuda.{what} of {n} float32{on}", "us",
                    (what, n, bench.often(20, 2)))
