#!/usr/bin/env python3
"""Measures the largest error of each math function, in units of the last place (ulp).

    bench/accuracy.py [--build DIR | --prefix DIR] [--device cuda|cpu] [FUNCTION...]
    bench/accuracy.py --object FILE     of libclc's functions compiled for this machine

Prints the table of docs/math.md: the largest error and where, with a `!` where it exceeds the
bound: OpenCL's for libclc, CUDA's for libdevice, docs/math.md's for the C library and for functions
that C lacks. Then exits with 1. Complex functions are measured in complex64 and complex128, in the
columns of float32 and float64. Needs Python 3.9 and nothing else. Works on a build folder and on a
release.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from suite.layout import Layout, find_nvcc  # noqa: E402

# OpenCL's bound; CUDA's of float32 and of float64.
BOUNDS = {
    "acos": (4, 2, 2), "acosh": (4, 4, 3), "asin": (4, 2, 2), "asinh": (4, 3, 3),
    "atan": (5, 2, 2), "atan2": (6, 3, 2), "atanh": (5, 3, 2), "cbrt": (2, 1, 1),
    "cos": (4, 2, 2), "cosh": (4, 2, 1), "erf": (16, 2, 2), "erfc": (16, 4, 5), "exp": (3, 2, 1),
    "exp2": (3, 2, 1), "expm1": (3, 1, 1), "fmod": (0, 0, 0), "gamma": (16, 5, 10),
    "hypot": (4, 3, 2), "lgamma": (34, 34, 450), "log": (3, 1, 1), "log10": (3, 2, 1),
    "log1p": (2, 1, 1), "log2": (3, 1, 1), "nextafter": (0, 0, 0), "pow": (16, 4, 2),
    "remainder": (0, 0, 0), "sin": (4, 2, 2), "sinh": (4, 3, 2), "sqrt": (0.5, 0.5, 0.5),
    "tan": (5, 4, 2), "tanh": (5, 2, 2),
    # Those that C lacks: docs/math.md's bounds, for both libraries.
    "rsqrt": (3, 3, 3), "rcbrt": (6, 6, 6), "exp10": (4, 4, 4), "sinpi": (2, 2, 2),
    "cospi": (2, 2, 2), "erfinv": (16, 16, 16), "erfcinv": (16, 16, 16), "erfcx": (16, 16, 16),
    "normcdf": (16, 16, 16), "normcdfinv": (16, 16, 16), "cyl_bessel_i0": (16, 16, 16),
    "cyl_bessel_i1": (16, 16, 16), "rhypot": (4, 4, 4), "norm3d": (4, 4, 4),
    "rnorm3d": (4, 4, 4), "norm4d": (4, 4, 4), "rnorm4d": (4, 4, 4),
    # In units of the result or of 1. CUDA documents those of libdevice as absolute errors.
    "j0": (8, 19, 22518), "j1": (8, 19, 22518), "y0": (8, 19, 22518), "y1": (8, 19, 22518),
    "jn": (40, 200, 22518), "yn": (200, 200, 22518),
    # random.philox_normal_float32 and _float64.
    "philox_normal": (5, 5, 5),
    # CUDA's intrinsics, likewise, where it documents their errors; of float32 alone.
    "fast.sin": (4, 4, None), "fast.cos": (4, 4, None), "fast.tan": (40, 40, None),
    "fast.exp": (6, 6, None), "fast.exp2": (3, 3, None), "fast.exp10": (11, 11, None),
    "fast.log": (4, 4, None), "fast.log2": (4, 4, None), "fast.log10": (4, 4, None),
    "fast.pow": (64, 64, None), "fast.divide": (3, 3, None),
    # Of complex numbers; complex.pow where its result is of moderate size.
    **{f"cmath.{name}": (24, 24, 24)
       for name in "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan "
                   "tanh".split()},
    "complex.multiply": (4, 4, 4), "complex.divide": (4, 4, 4), "complex.pow": (24, 24, 24),
}
OWN = list(BOUNDS)[list(BOUNDS).index("rsqrt"):]
# Of lgamma the unit is the last place of the result or of 1: OpenCL has no bound, and CUDA's
# exempts the neighbourhood of the zeros.
LGAMMA64 = 450


def find_libdevice():
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    nvcc = find_nvcc()
    if nvcc:
        homes.append(Path(nvcc).resolve().parent.parent)
    for home in filter(None, homes):
        path = Path(home) / "nvvm" / "libdevice" / "libdevice.10.bc"
        if path.exists():
            return path
    return None


def libraries_of(options):
    """What the program is to measure, and the heading of each column."""
    if options.object:
        return {f"object={options.object.resolve()}": "libclc on this machine"}
    if options.device == "cpu":
        return {"cpu": "C library"}
    found = {"libclc": "libclc"}
    libdevice = find_libdevice()
    if libdevice:
        found[f"libdevice={libdevice}"] = "libdevice"
    else:
        print("accuracy.py: no libdevice was found", file=sys.stderr)
    return found


def bound(function, dtype, library):
    opencl, cuda32, cuda64 = BOUNDS[function]
    if library.startswith("libdevice"):
        # CUDA's guide counts from the correctly rounded result, which is half a unit from the real
        # one at most. What it says to be 0 or rounded correctly is held to that.
        documented = cuda32 if dtype == "float32" else cuda64
        return documented + 0.5 if documented >= 1 else documented
    if library == "cpu":
        return max(opencl, 4) if function == "cbrt" else opencl  # glibc's
    return LGAMMA64 if function == "lgamma" and dtype == "float64" else opencl


def cell(function, dtype, library, words):
    error, *point = words
    # Rounding correctly may cost half a unit.
    exceeds = float(error) > max(bound(function, dtype, library), 0.5000001 if function != "fmod"
                                 else 0)
    place = ", ".join(f"{float(number):.9g}" for number in point)
    return f"{'!' if exceeds else ''}{float(error):.3g} at {place}", exceeds


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--build", type=Path, metavar="DIR", help="of a build folder")
    where.add_argument("--prefix", type=Path, metavar="DIR", help="of a release")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--object", type=Path, metavar="FILE", help="a shared library to measure")
    parser.add_argument("--points32", type=float, default=2**27, metavar="N",
                        help="2**32: all of float32")
    parser.add_argument("--points64", type=float, default=2**24, metavar="N")
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="default: all")
    options = parser.parse_args()
    unknown = [name for name in options.functions if name not in BOUNDS]
    if unknown:
        parser.error(f"there is no function {unknown[0]!r}: there are {', '.join(BOUNDS)}")
    try:
        layout = Layout(Path(__file__).resolve().parent, options.build, options.prefix)
        program = layout.program("accuracy")
    except FileNotFoundError as error:
        sys.exit(f"accuracy.py: {error}")
    libraries = libraries_of(options)
    columns = [(library, dtype) for library in libraries for dtype in ("float32", "float64")]
    print("| function | " + " | ".join(f"{libraries[library]} `{dtype}`"
                                       for library, dtype in columns) + " |")
    print("|---" * (1 + len(columns)) + "|", flush=True)
    if options.object:  # what is an instruction, or ck's own, is in no library
        for name in [name for name in BOUNDS if name == "sqrt" or name in OWN]:
            BOUNDS.pop(name)
    argv = [program, f"{options.points32:.0f}", f"{options.points64:.0f}", *libraries, "--",
            *(options.functions or BOUNDS)]
    n_exceeding, cells = 0, {}
    with subprocess.Popen([str(word) for word in argv], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            function, dtype, library, *words = line.split(" ")
            cells[library, dtype], exceeds = cell(function, dtype, library, words)
            n_exceeding += exceeds
            if BOUNDS[function][2] is None:
                cells[library, "float64"] = ""
            if len(cells) == len(columns):
                print(f"| `{function}` | " + " | ".join(cells[column] for column in columns) + " |",
                      flush=True)
                cells = {}
    if process.returncode:
        print(f"accuracy.py: {program} ended with status {process.returncode}", file=sys.stderr)
        return process.returncode if process.returncode > 0 else 1
    if n_exceeding:
        print(f"accuracy.py: {n_exceeding} errors exceed their bounds", file=sys.stderr)
    return 1 if n_exceeding else 0


if __name__ == "__main__":
    sys.exit(main())
