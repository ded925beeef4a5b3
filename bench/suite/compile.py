"""Compiling to PTX: ckc as a whole process beside `nvcc -ptx` on the same kernel in CUDA C++, and
inside a process that has compiled before, beside NVRTC; and where there is a GPU, a kernel's first
result, beside a script for Numba."""

import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from . import machine, report
from .layout import find_nvcc, find_python_with
from .measure import Absent, Broken, Server, Servers, in_turn, run_process

ARCH = "sm_90"
WHOLE = "sequential_rows.ck to PTX, process"
PEAK = "its peak memory"
START = "ckc --version, process"
# What is compiled inside a process, its peer in CUDA C++, and NVRTC's time over ck's.
INSIDE = [("saxpy", "saxpy.cu", 1 / 0.5), ("sequential_rows", "sequential_rows.cu", 1 / 0.01)]
FIRST = "first result of sequential_rows.ck"
LAST_ROW = "[1023 1023 1023 ... 1023 1023 1023]"
FIRST_LEAST = {"cold cache": 1 / 0.05, "warm cache": 1 / 0.02}  # Numba's time over ck's
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


def source_of(bench, kernel):
    path = bench.layout.kernel(kernel)
    return path if path.exists() else bench.layout.example(kernel)


def cuda_headers(nvcc):
    """The folders of cooperative_groups.h and what it includes; none where there is no such
    file."""
    folders = [Path(nvcc).resolve().parent.parent / "include"] if nvcc else []
    for packages in map(Path, sys.path):
        folders += packages.glob("nvidia/*/include")
    for folder in folders:
        if (folder / "cooperative_groups.h").exists():
            return [path for path in (folder, folder / "cccl") if path.exists()]
    return []


def add_nvrtc(bench, servers, cuda):
    """The peer, or why there is none."""
    headers = cuda_headers(find_nvcc())
    if not bench.peers or not headers:
        servers.absent("NVRTC", "no CUDA headers" if bench.peers else "--no-peers", skipped=True)
        return
    servers.add("NVRTC", [sys.executable, bench.layout.peer("nvrtc_peer.py"),
                          bench.layout.peer(cuda), ARCH, *headers])
    if not servers.ask("NVRTC", "version"):
        servers.servers["NVRTC"].close()
        servers.absent("NVRTC", "no libnvrtc", skipped=True)


def add_inside(bench, kernel, cuda, least):
    name = f"{kernel}.ck to PTX, in process"
    with Servers() as servers:
        servers.add("libck", [bench.layout.program("compile_bench"), source_of(bench, kernel), ARCH])
        add_nvrtc(bench, servers, cuda)
        first = servers.ask_in_turn({who: ("compile", 1) for who in servers.servers}, 1)
        servers.ask_in_turn({"libck": ("compile", 5), "NVRTC": ("compile", 1)}, 1)
        warm = servers.ask_in_turn({"libck": ("compile", bench.often(10, 2)),
                                    "NVRTC": ("compile", 1)}, bench.often(5, 2))
    rows = report.compare([report.of_result(f"{name}, warm", who, "ms", result)
                           for who, result in warm.items()])
    if rows[0].status == "ok":
        rows[0].at_most(8)
    for row in rows[1:]:
        if row.ratio is not None:
            row.ratio_at_least(least)
    bench.add(*rows, *report.compare([report.of_result(f"{name}, first", who, "ms", result)
                                      for who, result in first.items()]))


# --- A first result ------------------------------------------------------------------------------


class FirstResult:
    """Processes from their start to the end, with the result of their only kernel. ck's cache, and
    the driver's, which has what it makes of PTX, are folders of their own."""

    def __init__(self, bench, tmp):
        self.bench = bench
        self.tmp = tmp
        self.python = find_python_with("numba") if bench.peers else None

    def sample(self, argv, folder, times):
        env = {"CK_CACHE_DIR": f"{self.tmp}/{folder}/ck", "CUDA_CACHE_PATH": f"{self.tmp}/{folder}/cuda"}
        return [run_process(argv, self.tmp, env=env)[0] for _ in range(times)]

    def ckrun_command(self):
        return [self.bench.layout.ckrun, "--device", "cuda",
                self.bench.layout.example("sequential_rows"), "sequential_rows[32, 32](M)",
                "M=zeros((1024, 1024), int32)"]

    def ckrun(self, folder, times):
        return self.sample(self.ckrun_command(), folder, times)

    def check(self):
        """Outside the time: Numba's script looks at its result itself."""
        done = subprocess.run([*self.ckrun_command(), "--no-cache", "--print", "M"], timeout=60,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if LAST_ROW not in done.stdout:
            raise Broken(f"ckrun's result is wrong: {done.stdout[-300:]}")

    def driver(self):
        return self.sample([self.bench.layout.program("driver_start")], "warm", 7)

    def cold(self):
        samples = []
        for _ in range(3):
            shutil.rmtree(f"{self.tmp}/cold", ignore_errors=True)
            samples += self.ckrun("cold", 1)
        return samples

    def warm(self):
        return self.ckrun("warm", 7)

    def numba(self):
        return self.sample([self.python, self.bench.layout.peer("numba_rows.py")], "warm", 1)

    def measure(self):
        participants = {"driver": self.driver, "cold cache": self.cold, "warm cache": self.warm}
        if self.python:
            participants["Numba"] = self.numba
        in_turn(participants, 1)  # the first reads the disk, and fills the caches
        results = in_turn(participants, self.bench.often(3, 1))
        if not self.python:
            why = "no Python with numba" if self.bench.peers else "--no-peers"
            results["Numba"] = Absent(why, skipped=True)
        return results


def less(result, driver):
    """Each sample without the driver's own start."""
    if not isinstance(result, list):
        return result
    return [max(0.0, seconds - driver) for seconds in result]


def add_first_result(bench, tmp):
    try:
        machine.gpu(bench.layout)
    except machine.NoDevice as error:
        bench.add(report.skipped(FIRST, "all", str(error)))
        return
    except Broken as error:
        bench.add(report.failed(FIRST, "all", str(error)))
        return
    first = FirstResult(bench, tmp)
    try:
        first.check()
    except (Broken, OSError, subprocess.TimeoutExpired) as error:
        bench.add(report.failed(FIRST, "ckrun", str(error)))
        return
    results = first.measure()
    driver = results["driver"]
    bench.add(report.of_result("start of the CUDA driver, process", "driver", "ms", driver))
    if not isinstance(driver, list):
        return
    start = statistics.median(driver)
    for cache, least in FIRST_LEAST.items():
        rows = report.compare([report.of_result(f"{FIRST}, {cache}", who, "ms", less(results[key], start))
                               for who, key in (("ckrun", cache), ("Numba", "Numba"))])
        if rows[1].ratio is not None:
            rows[1].ratio_at_least(least)
        bench.add(*rows)


def run(bench):
    with tempfile.TemporaryDirectory(prefix="ck-bench-") as tmp:
        add_whole(bench, tmp)
        for kernel, cuda, least in INSIDE:
            add_inside(bench, kernel, cuda, least)
        add_first_result(bench, tmp)
