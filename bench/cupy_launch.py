#!/usr/bin/env python3
"""Launches PTX made by ckc from CuPy, which knows nothing of ck, and checks the result.

    bench/cupy_launch.py [--ckc CKC] [--arch sm_90]

The kernel is examples/sequential_rows.ck, which needs a cooperative launch. Its parameters are the
array's address and its shape, two int64. Exits with 77 where CuPy or a GPU is missing.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = 77


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ckc", default=ROOT / "bin" / "ckc", help="default: the release's")
    parser.add_argument("--arch", default="sm_75", help="what to compile for (default: sm_75)")
    return parser.parse_args()


def import_cupy():
    """CuPy, if it is here and sees a GPU."""
    try:
        import cupy

        cupy.cuda.runtime.getDeviceCount()
        return cupy
    except Exception as error:
        print(f"skipped: {type(error).__name__}: {error}")
        sys.exit(SKIPPED)


def launch(cupy, ptx, grid, block, shape):
    """The array after a launch; the first row is zero, the rest is poisoned before."""
    array = cupy.full(shape, -1, cupy.int32)
    array[0] = 0
    module = cupy.RawModule(path=str(ptx), enable_cooperative_groups=True)
    kernel = module.get_function("sequential_rows")
    kernel((grid,), (block,), (array, cupy.int64(shape[0]), cupy.int64(shape[1])))
    cupy.cuda.runtime.deviceSynchronize()
    return kernel, cupy.asnumpy(array)


def main():
    arguments = parse_arguments()
    cupy = import_cupy()
    import numpy as np

    with tempfile.TemporaryDirectory(prefix="ck-cupy-") as tmp:
        ptx = Path(tmp) / "rows.ptx"
        subprocess.run([arguments.ckc, f"-arch={arguments.arch}", "-o", ptx,
                        ROOT / "examples" / "sequential_rows.ck"], check=True)
        for grid, block, shape in ((32, 32, (1024, 1024)), (1, 64, (33, 64)), (7, 96, (100, 672))):
            kernel, got = launch(cupy, ptx, grid, block, shape)
            wanted = np.tile(np.arange(shape[0], dtype=np.int32)[:, None], (1, shape[1]))
            if not (got == wanted).all():
                sys.exit(f"{grid} x {block}: {(got != wanted).sum()} elements are wrong:\n{got}")
            print(f"{shape[0]} x {shape[1]} by {grid} x {block}: right")
    print(f"CuPy {cupy.__version__} launches ck's PTX ({kernel.num_regs} registers)")


main()
