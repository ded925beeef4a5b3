"""The first CUDA device: every math function in float32 and float64, from libclc and from
libdevice, beside CUDA C++. Skipped where there is no CUDA device."""

import os
import subprocess
from pathlib import Path

from . import report
from .gpu import compile_ptx, disagreeing
from .layout import find_nvcc
from .measure import Absent, Broken, Servers, spread
from .peers import CUDA, with_peers

# function, its name in CUDA C++, from and to what the argument goes, of two also the second
FUNCTIONS = [
    ("acos", "acos", -1, 1), ("acosh", "acosh", 1, 20), ("asin", "asin", -1, 1),
    ("asinh", "asinh", -10, 10), ("atan", "atan", -5, 5), ("atan2", "atan2", -5, 5, -3, 3),
    ("atanh", "atanh", -0.99, 0.99), ("cbrt", "cbrt", -100, 100), ("cos", "cos", -20, 20),
    ("cosh", "cosh", -10, 10), ("erf", "erf", -4, 4), ("erfc", "erfc", -3, 5),
    ("exp", "exp", -10, 10), ("exp2", "exp2", -10, 10), ("expm1", "expm1", -2, 5),
    ("fmod", "fmod", 0, 100, 1, 10), ("gamma", "tgamma", 0.5, 12),
    ("hypot", "hypot", -5, 5, -3, 3), ("lgamma", "lgamma", 0.5, 30), ("log", "log", 0.01, 100),
    ("log10", "log10", 0.01, 100), ("log1p", "log1p", -0.9, 20), ("log2", "log2", 0.01, 100),
    ("nextafter", "nextafter", -5, 5, -3, 3), ("pow", "pow", 0.01, 10, -4, 4),
    ("remainder", "remainder", 0, 100, 1, 10), ("sin", "sin", -20, 20),
    ("sinh", "sinh", -10, 10), ("sqrt", "sqrt", 0, 100), ("tan", "tan", -5, 5),
    ("tanh", "tanh", -3, 3),
]
# type, its name and its suffix of functions and literals in CUDA C++, gpu_bench's arrays: of spread
# numbers and poisoned
TYPES = [("float32", "float", "f", "u", "p"), ("float64", "double", "", "v", "q")]
LIBRARIES = ("libclc", "libdevice")
GRID, BLOCK = 4096, 256
TIMES = 64  # a thread evaluates a function, each time at another place between the two ends
LEAST = {"libdevice": 1 / 1.05, "libclc": 1 / 1.5}  # nvcc's time over ck's
HELD_WITH_LIBCLC = {"exp", "log", "sin", "cos", "tanh", "pow"}  # of float32

CK = """
@kernel
def k_{type}(x: {type}[::1], o: {type}[::1], n: int64):
    i = grid(1)
    if i < o.size:
        u = x[i]
        total = {type}(0)
        for j in range(n):
            u += {type}({step})
            u = u - {type}(1) if u >= {type}(1) else u
            total += math.{name}({first}{second})
        o[i] = total
"""
CUDA_CPP = """
extern "C" __global__ void
k_{type}(const {c} *__restrict__ x, long long nx, {c} *__restrict__ o, long long no, long long n)
{{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < no) {{
        {c} u = x[i], total = 0;
        for (long long j = 0; j < n; j++) {{
            u += ({c}){step};
            u = u >= ({c})1 ? u - ({c})1 : u;
            total += {in_cuda}{suffix}({first}{second});
        }}
        o[i] = total;
    }}
}}
"""


def along(literal, ends):
    """The text for a point between two ends."""
    low, high = ends
    return f"{literal(high - low)} * u + {literal(low)}"


def sources(function):
    """The two texts for a function."""
    name, in_cuda, *ends = function
    ck, cuda = "", ""
    for dtype, c, suffix, _, _ in TYPES:
        def ck_literal(value, dtype=dtype):
            return f"{dtype}({value!r})"

        def cuda_literal(value, c=c):
            return f"({c}){value!r}" if value >= 0 else f"({c})({value!r})"

        common = {"type": dtype, "name": name, "in_cuda": in_cuda, "c": c, "suffix": suffix,
                  "step": repr(0.6180339887498949)}
        pairs = [ends[i:i + 2] for i in range(0, len(ends), 2)]
        for text, literal in ((CK, ck_literal), (CUDA_CPP, cuda_literal)):
            arguments = [along(literal, pair) for pair in pairs]
            whole = text.format(**common, first=arguments[0],
                                second=", " + arguments[1] if len(arguments) > 1 else "")
            if text is CK:
                ck += whole
            else:
                cuda += whole
    return ck, cuda


# --- Images --------------------------------------------------------------------------------------


class Images:
    """Where each participant has its image of a function, or why it has none."""

    def __init__(self, bench, peers):
        self.bench = bench
        self.peers = peers
        self.folder = Path(peers.tmp)
        self.nvcc = find_nvcc() if bench.peers else None
        self.building = {}
        self.free = max(2, len(os.sched_getaffinity(0)))

    def write(self):
        for function in FUNCTIONS:
            ck, cuda = sources(function)
            (self.folder / f"{function[0]}.ck").write_text(ck)
            (self.folder / f"{function[0]}.cu").write_text(cuda)

    def path(self, name, who):
        return self.folder / (f"{name}.cubin" if who == CUDA else f"{name}.{who}.ptx")

    def start_some(self, name):
        """As many of nvcc as there are cores, `name`'s among them."""
        names = [function[0] for function in FUNCTIONS]
        running = sum(process.poll() is None for process in self.building.values())
        for other in names[names.index(name):]:
            if other not in self.building and (running < self.free or other == name):
                self.building[other] = self.start_nvcc(other)
                running += 1

    def start_nvcc(self, name):
        argv = [self.nvcc, "-O3", "-cubin", f"-arch={self.peers.arch}", "-o",
                self.path(name, CUDA), self.folder / f"{name}.cu"]
        return subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def why_none(self, name, who):
        """Makes an image; None, or the Absent or Broken that says why there is none."""
        if who != CUDA:
            why = compile_ptx(self.bench.layout.ckc, self.folder / f"{name}.ck", self.path(name, who),
                              self.peers.arch, f"--math={who}", "-restrict")
            if why and "libdevice" in why and who == "libdevice":
                return Absent(why, skipped=True)
            return Broken(why) if why else None
        if not self.nvcc:
            return Absent("no nvcc" if self.bench.peers else "--no-peers", skipped=True)
        self.start_some(name)
        try:
            output = self.building[name].communicate(timeout=120)[0]
        except subprocess.TimeoutExpired:
            return Broken("nvcc took more than two minutes")
        failed = self.building[name].returncode
        return Broken(f"nvcc: {output.strip()[-300:]}") if failed else None

    def close(self):
        for process in self.building.values():
            if process.poll() is None:
                process.kill()
            process.communicate()


# --- Measuring -----------------------------------------------------------------------------------


def load(servers, images, name, dtype, reasons, arrays):
    """Has each participant load the kernel and run it once; the means of what it computed, and why
    others cannot."""
    means, absent = {}, dict(reasons)
    elements = GRID * BLOCK
    arguments = (f"{arrays[0]}{elements}", f"{arrays[1]}{elements}", f"i{TIMES}")
    for who, server in servers.items():
        if who in absent:
            continue
        try:
            server.ask("load", images.path(name, who), f"k_{dtype}")
            means[who] = server.ask("check", "mean", GRID, BLOCK, *arguments)[0]
        except Broken as error:
            absent[who] = error
    return means, absent


def add_rows(bench, function, dtype, results):
    """A benchmark for each library; their ratios to CUDA's time."""
    ratios = {}
    for library in LIBRARIES:
        ck = report.of_result(f"{function} {dtype}, {library}", "ck", "us", results[library])
        cuda = report.of_result(ck.name, CUDA, "us", results[CUDA])
        report.compare([ck, cuda])
        if cuda.ratio is not None:
            ratios[library] = 1 / cuda.ratio
            if library == "libdevice" or (dtype == "float32" and function in HELD_WITH_LIBCLC):
                cuda.ratio_at_least(round(LEAST[library], 3))
        bench.add(ck, cuda)
    return ratios


def measure_function(bench, servers, images, function):
    name = function[0]
    reasons = {who: why for who in (*LIBRARIES, CUDA)
               if (why := images.why_none(name, who)) is not None}
    line = {}
    for dtype, _, _, *arrays in TYPES:
        means, absent = load(servers.servers, images, name, dtype, reasons, arrays)
        absent.update(disagreeing(means, dtype))
        request = ("again", GRID, BLOCK, bench.often(5, 1))
        results = servers.ask_in_turn({who: request for who in means if who not in absent},
                                      bench.often(7, 1))
        results.update(absent)
        line[dtype] = add_rows(bench, name, dtype, results), results.get(CUDA)
    return line


def print_table(lines):
    """For docs/math.md: times over CUDA's."""
    def cell(ratios, library):
        return f"{ratios[library]:.2f}" if library in ratios else "-"

    def each(cuda):
        if not isinstance(cuda, list):
            return "-"
        return f"{GRID * BLOCK * TIMES / spread(cuda)[0] / 1e9:.0f}"

    print("\n| function | libclc `float32` | libdevice `float32` | CUDA C++, 10^9 a second "
          "| libclc `float64` | libdevice `float64` | CUDA C++, 10^9 a second |\n" + "|---" * 7 + "|")
    for name, line in lines.items():
        cells = []
        for dtype in ("float32", "float64"):
            ratios, cuda = line[dtype]
            cells += [cell(ratios, "libclc"), cell(ratios, "libdevice"), each(cuda)]
        print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)


def add_all(bench, peers):
    images = Images(bench, peers)
    images.write()
    lines = {}
    try:
        with Servers() as servers:
            for who in (*LIBRARIES, CUDA):
                servers.add(who, [bench.layout.program("gpu_bench"), "plain", "-", "-"], 120)
            for function in FUNCTIONS:
                lines[function[0]] = measure_function(bench, servers, images, function)
    finally:
        images.close()
    print_table(lines)


def run(bench):
    with_peers(bench, add_all)
