"""launch_peers.py cupy|triton|driver: launches of empty kernels by others than Numba: CuPy's
RawKernel, Triton, and the driver itself by ctypes with everything prepared, which is what a launch
costs at least. It answers requests as gpu_bench.c does (serve.h):

    load KIND N      a kernel of N parameters: arrays or scalars
    host COUNT       means of a hundred launches: host time
    first COUNT      times of the first launches of kernels that are new
"""

import ctypes
import importlib.util
import os
import sys
import tempfile
import time

import answer

FOLDER = tempfile.mkdtemp(prefix="ck-bench-")
os.environ["TRITON_CACHE_DIR"] = os.environ["CUPY_CACHE_DIR"] = FOLDER  # as new as ck's are


class State:
    peer = None
    launch = None
    made = 0


def new_name():
    State.made += 1
    return f"kernel_{os.getpid()}_{State.made}"


class CuPy:
    def __init__(self):
        import cupy

        self.cupy = cupy
        self.synchronize = cupy.cuda.get_current_stream().synchronize

    def empty(self, kind, n):
        type_name = "float *" if kind == "arrays" else "double"
        parameters = ", ".join(f"{type_name} a{i}" for i in range(n))
        kernel = self.cupy.RawKernel(f'extern "C" __global__ void k({parameters}) {{}}', "k")
        one = (lambda: self.cupy.zeros(2, self.cupy.float32)) if kind == "arrays" else lambda: 1.5
        values = tuple(one() for _ in range(n))
        return lambda: kernel((1,), (32,), values)

    def new(self):
        x = self.cupy.zeros(64, self.cupy.float32)
        name = new_name()
        text = (f'extern "C" __global__ void {name}(float *x, long long n, double a) {{ long long i = '
                f'blockIdx.x * (long long)blockDim.x + threadIdx.x; if (i < n) '
                f'x[i] = a * x[i] + {State.made}; }}')
        return lambda: self.cupy.RawKernel(text, name)((1,), (64,), (x, 64, 1.5))


class Triton:
    def __init__(self):
        import torch
        import triton

        self.torch, self.triton = torch, triton
        self.synchronize = torch.cuda.synchronize

    def define(self, text):
        """The kernel of a text in a file, from which Triton reads it."""
        name = new_name()
        path = os.path.join(FOLDER, name + ".py")
        with open(path, "w") as file:
            file.write(f"import triton\nimport triton.language as tl\n\n@triton.jit\n{text}")
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.kernel

    def empty(self, kind, n):
        names = ", ".join(f"a{i}" for i in range(n))
        kernel = self.define(f"def kernel({names}):\n    pass\n")
        one = (lambda: self.torch.zeros(2, device="cuda")) if kind == "arrays" else lambda: 1.5
        values = [one() for _ in range(n)]
        return lambda: kernel[(1,)](*values, num_warps=1)

    def new(self):
        x = self.torch.zeros(64, device="cuda")
        kernel = self.define(
            "def kernel(x, n, a):\n    i = tl.arange(0, 64)\n    old = tl.load(x + i, mask=i < n)\n"
            f"    tl.store(x + i, a * old + {State.made}, mask=i < n)\n")
        return lambda: kernel[(1,)](x, 64, 1.5, num_warps=2)


class Driver:
    """Its launches have their parameters in place; nothing is looked up or converted."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        result = getattr(self.cuda, name)(*arguments)
        if result:
            raise RuntimeError(f"{name} failed with {result}")

    def synchronize(self):
        self.call("cuCtxSynchronize")

    def load(self, name, parameters, body):
        text = (f".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry {name}({parameters})\n"
                f"{{\n{body}ret;\n}}\n")
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), text.encode())
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def launcher(self, function, values):
        pointers = (ctypes.c_void_p * (len(values) + 1))(*map(ctypes.addressof, values), None)
        launch, call = self.cuda.cuLaunchKernel, self.call
        launch.argtypes = [ctypes.c_void_p, *[ctypes.c_uint] * 7, *[ctypes.c_void_p] * 3]
        self.kept = values

        def run():
            if launch(function, 1, 1, 1, 32, 1, 1, 0, None, pointers, None):
                call("cuCtxSynchronize")

        return run

    def empty(self, kind, n):
        type_name, one = (".u64", ctypes.c_uint64) if kind == "arrays" else (".f64", ctypes.c_double)
        parameters = ", ".join(f".param {type_name} a{i}" for i in range(n))
        return self.launcher(self.load("k", parameters, ""), [one(0) for _ in range(n)])

    def new(self):
        name, number = new_name(), State.made
        body = f".reg .b32 %r<2>;\nmov.u32 %r1, {number};\n"
        return lambda: self.launcher(self.load(name, "", body), [])()


PEERS = {"cupy": CuPy, "triton": Triton, "driver": Driver}


def load(kind, n):
    State.launch = State.peer.empty(kind, int(n))
    State.launch()
    State.peer.synchronize()


def host(count):
    return answer.host_times(State.launch, State.peer.synchronize, int(count), False)


def first(count):
    times = []
    for _ in range(int(count)):
        act = State.peer.new()
        start = time.perf_counter()
        act()
        State.peer.synchronize()
        times.append(time.perf_counter() - start)
    return times


def ready():
    State.peer = PEERS[sys.argv[1]]()
    load("arrays", 1)
    first(1)


answer.serve({"ready": ready, "load": load, "host": host, "first": first})
