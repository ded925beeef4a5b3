#!/usr/bin/env python3
"""Launches random kernels of index_programs.py with ck's Python package, and prints those whose
results differ.

  index_launch.py cpu|cuda SEED COUNT      exit status: how many differ, at most 99

The arrays' memory is the same few pages again and again, as are the bytes of PERIOD. So this needs
the CPU device or the emulated GPU.
"""

import ctypes
import mmap
import os
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ck  # noqa: E402
from harness import index_programs as programs  # noqa: E402

MAP_SHARED, MAP_PRIVATE, MAP_FIXED, MAP_ANONYMOUS, MAP_NORESERVE = 1, 2, 0x10, 0x20, 0x4000


def map_memory():
    """The pattern, and zeros to store to."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    file = os.memfd_create("pattern")
    os.write(file, programs.pattern())
    for begin in range(0, programs.REGION_BYTES, programs.PERIOD):
        at = libc.mmap(programs.REGION + begin, programs.PERIOD, mmap.PROT_READ, MAP_SHARED | MAP_FIXED, file, 0)
        assert at == programs.REGION + begin, os.strerror(ctypes.get_errno())
    at = libc.mmap(programs.STORES, programs.REGION_BYTES, mmap.PROT_READ | mmap.PROT_WRITE,
                   MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    assert at == programs.STORES, os.strerror(ctypes.get_errno())


class OnDevice:
    """The array for a launch."""

    def __init__(self, array, device):
        interface = {"shape": tuple(array.shape), "strides": tuple(array.strides),
                     "typestr": np.dtype(array.dtype).str, "data": (array.address, False), "version": 3}
        setattr(self, "__cuda_array_interface__" if device == "cuda" else "__array_interface__", interface)


def argument(array, device):
    made = OnDevice(array, device)
    return made if device == "cuda" else np.asarray(made)


def launch(program, device):
    """What is in `out` afterwards."""
    module = ck.compile(text=program.source(), name=f"seed_{program.seed}.ck", check="", device=device)
    out = np.zeros((len(program.rows), programs.N_THREADS), np.int64)
    scalars = [getattr(np, dtype)(value) for dtype, value in program.scalars.values()]
    arrays = [argument(array, device) for array in [*program.arrays.values(), program.stores]]
    module.k[2, programs.N_THREADS // 2](*arrays, *scalars, out)
    return out


def differences(program, device):
    out = launch(program, device)
    for row, name in enumerate(program.rows):
        if out[row].tolist() != program.out[row]:
            yield f"{name}: {out[row].tolist()}, not {program.out[row]}"
    for address, (dtype, value) in program.memory.stored.items():
        size = programs.ELEMENTS[dtype]
        found = int.from_bytes(ctypes.string_at(address, size), "little", signed=dtype[0] == "i")
        if found != value:
            yield f"y at {hex(address)}: {found}, not {value}"
        ctypes.memset(address, 0, size)


def describe(program):
    lines = [f"{name}: {array.dtype} {array.shape} strides {array.strides} at {hex(array.address)}"
             for name, array in [*program.arrays.items(), ("y", program.stores)]]
    return "\n".join([*lines, *(f"{name} = {dtype}({value})" for name, (dtype, value) in program.scalars.items())])


def main():
    device, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    map_memory()
    failed = 0
    for seed in range(first, first + count):
        program = programs.IndexProgram(seed)
        print(f"seed {seed}", file=sys.stderr, flush=True)  # the last one, where this crashes
        try:
            found = list(differences(program, device))
        except ck.Error as error:
            found = [str(error)]
        if found:
            print(f"--seed {seed}:", *found[:8], describe(program), program.source(), sep="\n", flush=True)
            failed += 1
    return min(failed, 99)


if __name__ == "__main__":
    sys.exit(main())
