#!/usr/bin/python3
"""ckrun --print against NumPy's print, on many arrays of every dtype and shape.

ckrun's format is that of NumPy 1.14 to 2.2. NumPy 2.3 and later print floats of 16 and 32 bits
with an exponent from a smaller value on, unless asked for the earlier format.

usage: test_ckrun_print.py PRINT_NPY

Exit status 77 (skipped) where Python has no NumPy."""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
COMPLEX = [np.complex64, np.complex128]
SHAPES = [(), (0,), (1,), (2,), (7,), (25,), (100,), (999,), (1000,), (1001,), (5000,), (1, 1),
          (2, 3), (3, 0), (7, 40), (8, 200), (200, 8), (1024, 1024), (1, 2000), (2000, 1),
          (2, 3, 4), (7, 8, 30), (30, 2, 30), (1, 1, 5), (2, 2, 2, 2), (8, 7, 9, 10), (3, 1, 2, 1),
          (1, 1, 1, 1, 3), (2, 1, 2, 1, 2, 1)]


def special(rng, a):
    """Some elements made what printing treats specially."""
    flat = a.reshape(-1)
    if flat.size:
        for value in rng.permutation([np.nan, np.inf, -np.inf, -0.0, 0.0])[:rng.integers(1, 4)]:
            flat[rng.integers(flat.size)] = value
    return a


def floats(rng, dtype, shape):
    kind = rng.integers(10)
    n = rng.standard_normal(shape)
    with np.errstate(over="ignore", invalid="ignore"):
        if kind == 0:
            return np.round(n * 10).astype(dtype)
        if kind == 1:
            return np.round(n * 10, 2).astype(dtype)
        if kind == 2:
            return (n * 10.0 ** rng.integers(-12, 12)).astype(dtype)
        if kind == 3:
            return (n * 10.0 ** rng.integers(-40, 40, size=shape)).astype(dtype)
        if kind == 4:
            return special(rng, np.asarray(n * 3).astype(dtype))
        if kind == 5:
            return special(rng, np.asarray(np.round(n * 100)).astype(dtype))
        if kind == 6:
            return (2.0 ** rng.integers(-24, 24, size=shape)).astype(dtype)
        if kind == 7:
            return np.full(shape, rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-5, 1e300]),
                           np.float64).astype(dtype)
        if kind == 8:
            return rng.integers(0, 2**62, size=shape).astype(dtype)
        bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[np.dtype(dtype).itemsize]
        a = rng.integers(0, np.iinfo(bits).max, size=shape, dtype=bits, endpoint=True)
        return np.asarray(a).view(dtype)


def array(rng, dtype, shape):
    if dtype is np.bool_:
        return rng.integers(0, 2, size=shape).astype(bool)
    if dtype in INTS:
        info = np.iinfo(dtype)
        low, high = [(info.min, info.max), (0, 100), (-3 if info.min else 0, 10)][rng.integers(3)]
        return rng.integers(low, min(high, info.max), size=shape, dtype=dtype, endpoint=True)
    if dtype in COMPLEX:
        part = np.float32 if dtype is np.complex64 else np.float64
        a = np.empty(shape, dtype)
        a.real = floats(rng, part, shape)
        a.imag = floats(rng, part, shape)
        return a
    return floats(rng, dtype, shape)


UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]


def dates(rng, dtype, shape):
    """Counts of any size of which NumPy knows the year."""
    high = 2**62 if dtype[0] == "m" or dtype[3] not in "YMW" else 2**40
    a = rng.integers(-high, high, size=shape) >> rng.integers(0, 40)
    a = np.where(rng.random(shape) < 0.1, np.iinfo(np.int64).min, a)
    return np.asarray(a).view(dtype)


def arrays():
    rng = np.random.default_rng(20240501)
    for dtype in [np.bool_] + INTS + FLOATS + COMPLEX:
        for shape in SHAPES:
            if len(shape) == 0 and dtype in COMPLEX:
                continue
            for _ in range(12 if dtype in FLOATS else 3):
                a = np.asarray(array(rng, dtype, shape), dtype)
                yield a
                if a.ndim > 1:
                    yield np.asfortranarray(a)
    for unit in UNITS:
        for dtype in ("M8[%s]" % unit, "m8[%s]" % unit):
            for shape in SHAPES:
                yield dates(rng, dtype, shape)
    every_half = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    for i in range(0, 1 << 16, 500):
        yield every_half[i:i + 500]
    for value in every_half[::97]:
        yield np.array(value)
    for _ in range(300):
        yield np.array(floats(rng, FLOATS[rng.integers(3)], (1,))[0])


def use_format_of_2_2():
    if np.lib.NumpyVersion(np.__version__) >= "2.3.0":
        np.set_printoptions(legacy="2.2")


def main():
    use_format_of_2_2()
    with tempfile.TemporaryDirectory() as folder:
        texts, paths = [], []
        for i, a in enumerate(arrays()):
            paths.append(os.path.join(folder, "%d.npy" % i))
            np.save(paths[-1], a)
            texts.append(str(a) + "\n")
        run = subprocess.run([sys.argv[1]], input="\n".join(paths) + "\n", text=True,
                             stdout=subprocess.PIPE, check=True)
    got = run.stdout.split("\0")[:-1]
    failed = [i for i in range(len(texts)) if i >= len(got) or got[i] != texts[i]]
    for i in failed[:5]:
        print("array %d: NumPy prints\n%sckrun prints\n%s" % (i, texts[i], got[i]))
    print("%d arrays, %d differ" % (len(texts), len(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
