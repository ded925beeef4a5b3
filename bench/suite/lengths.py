"""Compiling programs of 10 to 3000 lines to PTX: ckc and nvcc as whole processes on the same
kernels in either language, and libck and NVRTC in processes that have compiled before."""

import tempfile
from pathlib import Path

from . import report
from .compile import ARCH, add_nvrtc
from .layout import find_nvcc
from .measure import Absent, Servers, in_turn, run_process

LINES = (10, 100, 1000, 3000)
CKC_A_ROUND = 3  # for each run of nvcc
CK = """\
@kernel
def k{i}(x: float32[::1], y: float32[::1], a: float32):
    i = grid(1)
    if i < y.size:
        t = x[i] * a + float32({i})
        for j in range(4):
            t = t * t - y[i]
        if t > 1:
            t = float32(1) / t
        y[i] = t
"""
CUDA_CPP = """\
extern "C" __global__ void k{i}(const float *x, long long nx, float *y, long long ny, float a)
{{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= ny) return;
    float t = x[i] * a + {i}.0f;
    for (int j = 0; j < 4; j++) t = t * t - y[i];
    if (t > 1)
        t = 1 / t;
    y[i] = t;
}}
"""
LINES_A_KERNEL = 10


def write(folder, lines):
    """The program in both languages."""
    paths = []
    for text, ending in ((CK, "ck"), (CUDA_CPP, "cu")):
        path = Path(folder) / f"lines_{lines}.{ending}"
        path.write_text("".join(text.format(i=i) for i in range(lines // LINES_A_KERNEL)))
        paths.append(path)
    return paths


def warm(bench, ck, cuda, times):
    """The times of processes that have compiled the program before."""
    with Servers() as servers:
        servers.add("libck, warm", [bench.layout.program("compile_bench"), ck, ARCH])
        add_nvrtc(bench, servers, cuda)
        servers.ask_in_turn({who: ("compile", 1) for who in servers.servers}, 1)
        results = servers.ask_in_turn({"libck, warm": ("compile", times),
                                       "NVRTC": ("compile", 1)}, bench.often(3, 1))
    return {"NVRTC, warm" if who == "NVRTC" else who: result for who, result in results.items()}


def add_length(bench, nvcc, tmp, lines):
    ck, cuda = write(tmp, lines)
    ckc = [bench.layout.ckc, "--no-cache", f"-arch={ARCH}", "-o", f"{tmp}/ck.ptx", ck]
    participants = {"ckc": lambda: [run_process(ckc, tmp)[0] for _ in range(CKC_A_ROUND)]}
    if nvcc:
        argv = [nvcc, "-ptx", f"-arch={ARCH}", "-o", f"{tmp}/nvcc.ptx", cuda]
        participants["nvcc -ptx"] = lambda: [run_process(argv, tmp)[0]]
    results = in_turn(participants, bench.often(2, 1))
    if not nvcc:
        results["nvcc -ptx"] = Absent("no nvcc" if bench.peers else "--no-peers", skipped=True)
    results.update(warm(bench, ck, cuda, bench.often(3, 1) if lines < 1000 else 1))
    bench.add(*report.compare([report.of_result(f"{lines} lines to PTX", who, "ms", result)
                               for who, result in results.items()]))


def run(bench):
    nvcc = find_nvcc() if bench.peers else None
    with tempfile.TemporaryDirectory(prefix="ck-bench-") as tmp:
        for lines in bench.often(LINES, LINES[:2]):
            add_length(bench, nvcc, tmp, lines)
