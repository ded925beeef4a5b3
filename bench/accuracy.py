#!/usr/bin/env python3
"""Measures the largest error of each math function, in units of the last place (ulp).

    bench/accuracy.py --build DIR [--device cuda|cpu] [--points32 N] [--points64 N]

The points are spread evenly over all floats of a type; half of float64's have exponents near 0. The
reference is the C library in long double. Prints the table of docs/math.md. Needs NumPy and cc.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ONE = ("acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 gamma lgamma log log10 log1p "
       "log2 sin sinh sqrt tan tanh").split()
TWO = "atan2 fmod hypot pow remainder".split()
CHUNK = 1 << 22


def write_kernels(path):
    text = ""
    for name in ONE + TWO:
        second = ", x[(i + 1) % x.size]" if name in TWO else ""
        text += (f"@kernel\ndef k_{name}(x, o):\n    for i in range(grid(1), x.size, gridsize(1)):\n"
                 f"        o[i] = math.{name}(x[i]{second})\n")
    path.write_text(text)


def points(dtype, chunk, n_chunks, size):
    """One chunk of the points."""
    if dtype == "f4":
        bits = (np.arange(size, dtype="u8") * n_chunks + chunk) * (2**32 / (size * n_chunks))
        return bits.astype("u4").view("f4")
    rng = np.random.default_rng(chunk)
    bits = rng.integers(0, 2**64, size, dtype="u8")
    near = np.ldexp(rng.uniform(0.5, 1, size), rng.integers(-20, 20, size)) * rng.choice([-1, 1], size)
    return np.where(np.arange(size) % 2, bits.view("f8"), near)


def launch(options, library, folder, x):
    np.save(folder / "x.npy", x)
    x.tofile(folder / "x.raw")
    command = [options.build / "src/ckrun", "--device", options.device, f"--math={library}", folder / "k.ck"]
    for name in ONE + TWO:
        command += [f"k_{name}[1024, 256](x, {name})", f"{name}=zeros({x.size}, {x.dtype.name})",
                    "--save", f"{name}={folder}/{name}.npy"]
    subprocess.run([str(word) for word in [*command, f"x=@{folder}/x.npy"]], check=True)


def error(folder, name, size):
    np.load(folder / f"{name}.npy").tofile(folder / f"{name}.raw")
    out = subprocess.run([folder / "error", name, folder / "x.raw", folder / f"{name}.raw", str(size)],
                         check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), float(out[1])


def measure(options, library, dtype, total, folder):
    size = min(CHUNK, total)
    n_chunks = -(-total // size)
    worst = {name: (-1.0, 0.0) for name in ONE + TWO}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for chunk in range(n_chunks):
            x = points(dtype, chunk, n_chunks, size)
            launch(options, library, folder, x)
            found = pool.map(lambda name: error(folder, name, x.itemsize), worst)
            worst = {name: max(worst[name], new) for name, new in zip(list(worst), found)}
            print(f"{library} {dtype}: {chunk + 1} of {n_chunks}", file=sys.stderr)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--points32", type=float, default=2**27)
    parser.add_argument("--points64", type=float, default=2**24)
    options = parser.parse_args()
    libraries = ["libclc"] if options.device.startswith("cpu") else ["libclc", "libdevice"]
    columns = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        write_kernels(folder / "k.ck")
        subprocess.run(["cc", "-O2", "-o", folder / "error", HERE / "accuracy_error.c", "-lm"], check=True)
        for library in libraries:
            for dtype, total in (("f4", options.points32), ("f8", options.points64)):
                title = "C library" if options.device.startswith("cpu") else library
                columns.append((f"{title} {np.dtype(dtype).name}",
                                measure(options, library, dtype, int(total), folder)))
    print("| function | " + " | ".join(title for title, _ in columns) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for name in ONE + TWO:
        cells = (f"{worst[name][0]:.3g} at {worst[name][1]:.9g}" for _, worst in columns)
        print(f"| `{name}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
