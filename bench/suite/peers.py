"""The GPU's peers, shared by all groups of a run: what nvcc builds, and the processes of Python's
libraries. All are started before the first group of the GPU measures, side by side."""

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from . import machine, report
from .layout import find_nvcc, find_python_with
from .measure import Absent, Broken, Server

CUDA = "CUDA C++"
LIMIT = 40  # seconds for one answer
START_LIMIT = 120  # for the first of a Python, which imports its library
# who: the module that its Python has to have, its program
PYTHON = {"Numba": ("numba", "numba_peer.py"), "Triton": ("triton", "torch_peer.py"),
          "PyTorch": ("torch", "torch_peer.py"), "CuPy": ("cupy", "cupy_peer.py")}


class Peers:
    """What there is to compare with: images and libraries made by nvcc, and Pythons that have what
    PYTHON names."""

    def __init__(self, bench, device, tmp):
        self.bench = bench
        self.device = device
        self.tmp = tmp
        self.arch = f"sm_{device['capability']}"
        self.why_none = None if bench.peers else "--no-peers"
        self.nvcc = find_nvcc() if bench.peers else None
        self.building = {}
        self.headers = {}
        self.pythons = {}  # by program

    # --- What nvcc builds ---

    def image(self, name):
        return f"{self.tmp}/{name}.cubin"

    def library(self, name):
        return f"{self.tmp}/{name}.so"

    def start_nvcc(self, name, source=None, options=("-cubin",), target=None):
        """Has nvcc make an image of peers/NAME.cu, or of another source, or something else of
        it."""
        if not self.nvcc or name in self.building:
            return
        argv = [self.nvcc, "-O3", *options, f"-arch={self.arch}", "-o",
                target or self.image(name), str(source or self.bench.layout.peer(f"{name}.cu"))]
        try:
            self.building[name] = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True)
        except OSError as error:
            self.building[name] = str(error)

    def has_header(self, name):
        """Whether nvcc, which is there, finds it."""
        if name not in self.headers:
            text = f"#if !__has_include(<{name}>)\n#error\n#endif\n"
            found = subprocess.run([self.nvcc, "-E", "-x", "cu", "-"], input=text, text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            self.headers[name] = found.returncode == 0
        return self.headers[name]

    def start_library(self, name):
        self.start_nvcc(name, None, ("-shared", "-Xcompiler", "-fPIC"), self.library(name))

    def why_no_image(self, name):
        """Waits for nvcc; None if it has made the image or library."""
        process = self.building[name]
        if isinstance(process, subprocess.Popen):
            try:
                output = process.communicate(timeout=120)[0]
                why = f"nvcc: {output.strip()[-300:]}" if process.returncode else None
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                why = "nvcc took more than two minutes"
            self.building[name] = why
        return self.building[name]

    def cuda(self, name, kernel, mode):
        """What gpu_bench loads: a file, a kernel and how it is launched, `library` for a function
        of what start_library has made. Or Absent."""
        if not self.nvcc:
            return Absent(self.why_none or "no nvcc", skipped=True)
        why = self.why_no_image(name)
        if why:
            return Absent(why, skipped=False)
        return self.library(name) if mode == "library" else self.image(name), kernel, mode

    def cuda_image(self, name):
        """The path of what nvcc has made, or Absent."""
        load = self.cuda(name, "", "plain")
        return load if isinstance(load, Absent) else load[0]

    def add_cuda(self, servers, name, kernel=None, mode="cooperative"):
        load = self.cuda(name, kernel or name, mode)
        if isinstance(load, Absent):
            servers.absent(CUDA, load.why, load.skipped)
        else:
            path, kernel, mode = load
            servers.add(CUDA, [self.bench.layout.program("gpu_bench"), mode, path, kernel], LIMIT)

    # --- Pythons ---

    def start_python(self, who):
        """Starts its program, unless it runs already or cannot."""
        module, program = PYTHON[who]
        if not self.bench.peers or who in self.pythons:
            return
        python = find_python_with(module)
        others = [self.pythons[other] for other in self.pythons if PYTHON[other][1] == program]
        if python is None:
            self.pythons[who] = None
        elif others and others[0]:
            self.pythons[who] = others[0]
        else:
            self.pythons[who] = Server([python, self.bench.layout.peer(program)], START_LIMIT)

    def add_python(self, servers, who, *load):
        """The process that all groups share, after a request for what it is to measure."""
        self.start_python(who)
        server = self.pythons.get(who)
        if server is None:
            servers.absent(who, self.why_none or f"no {who}", skipped=True)
            return
        try:
            if load:
                server.ask("load", *load)
            servers.share(who, server)
        except Broken as error:
            servers.absent(who, str(error), skipped=False)

    # --- All of them ---

    def wait(self):
        """Until all that was started is there, so that none disturbs what is measured; the seconds
        that took."""
        def ready(server):
            try:
                server.ask("ready")
            except Broken:
                pass  # the next request reports it

        start = time.monotonic()
        servers = set(filter(None, self.pythons.values()))
        with ThreadPoolExecutor(len(servers) + 1) as pool:
            pool.map(ready, servers)
            for name in self.building:
                self.why_no_image(name)
        return time.monotonic() - start

    def close(self):
        for process in self.building.values():
            if isinstance(process, subprocess.Popen) and process.poll() is None:
                process.kill()
                process.communicate()
        for server in set(filter(None, self.pythons.values())):
            server.close()


def with_peers(bench, add):
    """Calls add(bench, peers), or adds the row that says why not."""
    try:
        peers = bench.open_peers()
    except machine.NoDevice as why:
        bench.add(report.skipped("all", "ck", str(why)))
    except Broken as why:
        bench.add(report.failed("all", "ck", str(why)))
    else:
        add(bench, peers)
