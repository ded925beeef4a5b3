"""What was measured, and on what."""

import os
import platform
import re
import subprocess
import sys
import time

from .layout import find_nvcc, find_python_with
from .measure import Broken

NO_DEVICE_STATUS = 77  # of gpu_bench
# A library's module, and the distributions of which some are installed with it.
LIBRARIES = {"Numba": ("numba", "numba-cuda", "numba"), "PyTorch": ("torch", "torch"),
             "Triton": ("triton", "triton"),
             "CuPy": ("cupy", "cupy-cuda13x", "cupy-cuda12x", "cupy")}


def first_line(argv):
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=60, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else None


def cpu_name():
    try:
        with open("/proc/cpuinfo") as file:
            found = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
    except OSError:
        found = None
    return found[1] if found else platform.processor()


def nvcc_version(nvcc):
    try:
        done = subprocess.run([nvcc, "--version"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, timeout=60, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"release ([\d.]+)", done.stdout)
    return found[1] if found else None


def nvrtc_version(layout):
    argv = [sys.executable, layout.peer("nvrtc_peer.py"), layout.peer("saxpy.cu"), "sm_90"]
    try:
        done = subprocess.run(argv, input="version\n", stdout=subprocess.PIPE, timeout=60, text=True,
                              stderr=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.match(r"ok (\S+) (\S+)", done.stdout)
    return f"{float(found[1]):.0f}.{float(found[2]):.0f}" if found else None


def pocl_version(layout):
    line = first_line([layout.program("opencl_bench"), "device"])
    found = re.search(r"PoCL (\S+)", line or "")
    return found[1] if found else None


def library_versions():
    """Of Python's libraries that are here: names and versions."""
    script = ("import sys, importlib.metadata as m\n"
              "for name in sys.argv[1:]:\n"
              "    try: print(m.version(name), name); break\n"
              "    except m.PackageNotFoundError: pass\n")
    found = {}
    for who, (module, *distributions) in LIBRARIES.items():
        python = find_python_with(module)
        line = first_line([python, "-c", script, *distributions]) if python else None
        if python:
            version, _, name = (line or "of an unknown version").partition(" ")
            found[who] = version if name == module else f"{version} ({name})"
    return found


class NoDevice(Exception):
    """There is no GPU here; the text says why."""


def gpu(layout):
    """Name, compute capability, multiprocessors and driver of the first GPU."""
    try:
        done = subprocess.run([layout.program("gpu_bench"), "device"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, text=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Broken(str(error)) from None
    if done.returncode == NO_DEVICE_STATUS:
        raise NoDevice(done.stderr.strip())
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != 4:
        raise Broken(f"gpu_bench ended with status {done.returncode}: {done.stderr.strip()}")
    return {"name": lines[0], "capability": int(lines[1]), "multiprocessors": int(lines[2]),
            "driver": lines[3]}


def gpu_or_none(layout):
    try:
        return gpu(layout)
    except (Broken, NoDevice):
        return None


def peers_found(layout):
    """Names and versions of all that ck can be compared with."""
    nvcc = find_nvcc()
    found = {"nvcc": nvcc_version(nvcc) if nvcc else None, "NVRTC": nvrtc_version(layout), **library_versions(),
             "PoCL": pocl_version(layout)}
    return {who: version for who, version in found.items() if version}


def describe(layout, peers):
    """`peers`: whether they are wanted."""
    return {
        "ck": first_line([layout.ckc, "--version"]),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "system": " ".join([platform.system(), platform.machine(), *platform.libc_ver()]),
        "cpu": cpu_name(),
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "gpu": gpu_or_none(layout),
        "peers": peers_found(layout) if peers else {},
    }
