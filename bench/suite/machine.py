"""What was measured, and on what."""

import os
import platform
import re
import subprocess
import time

from .layout import find_nvcc
from .measure import Broken

NO_DEVICE_STATUS = 77  # of gpu_bench


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


def pocl_version(layout):
    line = first_line([layout.program("opencl_bench"), "device"])
    found = re.search(r"PoCL (\S+)", line or "")
    return found[1] if found else None


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


def describe(layout):
    nvcc = find_nvcc()
    return {
        "ck": first_line([layout.ckc, "--version"]),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "system": platform.platform(),
        "cpu": cpu_name(),
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "gpu": gpu_or_none(layout),
        "nvcc": nvcc_version(nvcc) if nvcc else None,
        "pocl": pocl_version(layout),
    }
