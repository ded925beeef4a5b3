"""Compiling examples/sequential_rows.ck to PTX: ckc as a whole process beside `nvcc -ptx` on the
same kernel in CUDA C++, and inside a process that has compiled before."""

import tempfile

from . import report
from .layout import find_nvcc
from .measure import Absent, Broken, Server, in_turn, run_process

ARCH = "sm_90"
WHOLE = "sequential_rows.ck to PTX, process"
PEAK = "its peak memory"
START = "ckc --version, process"
INSIDE = "sequential_rows.ck to PTX, in process"
CKC_A_ROUND = 7  # for each run of nvcc, which takes a hundred times as long


def ckc_command(bench, tmp):
    return [bench.layout.ckc, "--no-cache", f"-arch={ARCH}", "-o", f"{tmp}/rows.ptx",
            bench.layout.example("sequential_rows")]


def nvcc_command(bench, nvcc, tmp):
    return [nvcc, "-ptx", f"-arch={ARCH}", "-o", f"{tmp}/nvcc.ptx",
            bench.layout.peer("sequential_rows.cu")]


def whole_processes(bench, tmp):
    peaks = {"ckc": [], "nvcc": []}

    def runner(who, argv, times):
        def sample():
            taken = [run_process(argv, tmp) for _ in range(times)]
            peaks[who] += [peak for _, peak in taken]
            return [seconds for seconds, _ in taken]
        return sample

    nvcc = find_nvcc() if bench.peers else None
    version = [bench.layout.ckc, "--version"]
    participants = {"ckc": runner("ckc", ckc_command(bench, tmp), CKC_A_ROUND),
                    "start": lambda: [run_process(version, tmp)[0] for _ in range(CKC_A_ROUND)]}
    if nvcc:
        participants["nvcc"] = runner("nvcc", nvcc_command(bench, nvcc, tmp), 1)
    run_process(ckc_command(bench, tmp), tmp)  # the first reads the disk
    results = in_turn(participants, bench.often(5, 1))
    if not nvcc:
        results["nvcc"] = Absent("no nvcc" if bench.peers else "--no-peers", skipped=True)
    return results, peaks


def add_whole(bench, tmp):
    try:
        results, peaks = whole_processes(bench, tmp)
    except Broken as error:
        bench.add(report.failed(WHOLE, "ckc", str(error)))
        return
    ckc, nvcc = report.compare([report.of_result(WHOLE, "ckc", "ms", results["ckc"]),
                                report.of_result(WHOLE, "nvcc -ptx", "ms", results["nvcc"])])
    if ckc.status == "ok":
        ckc.at_most(25)
    if nvcc.ratio:
        nvcc.ratio_at_least(50)
    bench.add(ckc, nvcc)
    if ckc.status == "ok":
        peak = report.Row(PEAK, "ckc", "MB", peaks["ckc"])
        peak.at_most(60)
        bench.add(peak)
    bench.add(report.of_result(START, "ckc", "ms", results["start"]))


def add_inside(bench):
    try:
        with Server([bench.layout.program("compile_bench"),
                     bench.layout.example("sequential_rows"), ARCH]) as server:
            first = server.ask("compile", 1)
            server.ask("compile", bench.often(5, 1))
            warm = server.ask("compile", bench.often(50, 5))
    except (Broken, OSError) as error:
        bench.add(report.failed(INSIDE, "libck", str(error)))
        return
    row = report.Row(f"{INSIDE}, warm", "libck", "ms", warm)
    row.at_most(8)
    bench.add(row, report.Row(f"{INSIDE}, first", "libck", "ms", first))


def run(bench):
    with tempfile.TemporaryDirectory(prefix="ck-bench-") as tmp:
        add_whole(bench, tmp)
    add_inside(bench)
