"""Programs written for Numba, with their import lines changed: tests/python/programs/. Each asserts
its own results, and runs on every device, on the CPU under several schedules and all checks."""

import re
from pathlib import Path

from python.common import devices, environment, python

PROGRAMS = Path(__file__).parent / "programs"
IMPORT = re.compile(r"^(from|import) numba\b", re.M)


def run(t, name):
    text = (PROGRAMS / f"{name}.py").read_text()
    program = t.write(f"{name}.py", IMPORT.sub(r"\1 ck", text))
    settings = []
    if "cuda" in devices(t):
        settings.append({"CK_DEVICE": "cuda"})
    if "cpu" in devices(t):
        settings += [{"CK_DEVICE": "cpu", "CK_SCHEDULE": schedule}
                     for schedule in ("seq", "reverse", f"random:{t.seed}")]
        settings.append({"CK_DEVICE": "auto", "CK_CHECK": "all"})
    for setting in settings:
        t.ok([python(t), "-W", "error", program], env=environment(t, **setting), timeout=180)


def test_vector_add(t):
    run(t, "vector_add")


def test_laplace(t):
    run(t, "laplace")


def test_sessionize(t):
    run(t, "sessionize")


def test_reduction(t):
    run(t, "reduction")


def test_matmul(t):
    run(t, "matmul")


def test_monte_carlo(t):
    run(t, "monte_carlo")


def test_ufuncs(t):
    run(t, "ufuncs")


def test_shared_memory(t):
    run(t, "shared_memory")


def test_cooperative_groups(t):
    run(t, "cooperative_groups")


def test_streams(t):
    run(t, "streams")


def test_host_api(t):
    run(t, "host_api")


def test_compiling(t):
    run(t, "compiling")


def test_each_program_is_tested(t):
    tests = {name[5:] for name in globals() if name.startswith("test_")}
    assert {path.stem for path in PROGRAMS.glob("*.py")} <= tests
