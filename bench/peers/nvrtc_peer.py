"""NVRTC as a peer of compile_bench.c: nvrtc_peer.py FILE.cu ARCH [INCLUDE].

    compile COUNT   compiles FILE to PTX so many times; a time for each
    version         what NVRTC says it is: two numbers
"""

import ctypes
import glob
import os
import site
import sys
import time

import answer

NAMES = [f"libnvrtc.so.{major}" for major in (13, 12)]


def places():
    """The loader's own, the toolkit's, and the wheels'."""
    folders = ["", "/usr/local/cuda/lib64"]
    folders += [f"{os.environ[name]}/lib64" for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ]
    for packages in site.getsitepackages():
        folders += glob.glob(f"{packages}/nvidia/*/lib")
    return [os.path.join(folder, name) for name in NAMES for folder in folders]


def load():
    for place in places():
        try:
            return ctypes.CDLL(place)
        except OSError:
            continue
    sys.exit(77)


nvrtc = load()
source = open(sys.argv[1], "rb").read()
options = [f"--gpu-architecture=compute_{sys.argv[2].removeprefix('sm_')}".encode(), b"--std=c++17",
           *[f"--include-path={folder}".encode() for folder in sys.argv[3:]]]


def check(result):
    if result:
        nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
        raise RuntimeError(nvrtc.nvrtcGetErrorString(result).decode())


def log_of(program):
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, text)
    return text.value.decode(errors="replace")


def compile_once():
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel.cu", 0, None, None))
    words = (ctypes.c_char_p * len(options))(*options)
    if nvrtc.nvrtcCompileProgram(program, len(options), words):
        raise RuntimeError(log_of(program))
    check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetPTX(program, ptx))
    check(nvrtc.nvrtcDestroyProgram(ctypes.byref(program)))
    if b".entry" not in ptx.value:
        raise RuntimeError("there is no kernel in the PTX")


def compile_times(count):
    times = []
    for _ in range(int(count)):
        start = time.perf_counter()
        compile_once()
        times.append(time.perf_counter() - start)
    return times


def version():
    major, minor = ctypes.c_int(), ctypes.c_int()
    check(nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return [major.value, minor.value]


answer.serve({"compile": compile_times, "version": version})
