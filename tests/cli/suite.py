"""The kernels of the benchmark group `suite`, small, on the CPU and on the emulated GPU, beside
NumPy's results."""

import re
import shutil
import sys
from pathlib import Path

import numpy as np

from harness.suite_references import REFERENCES

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from suite.pair_table import PAIRS  # noqa: E402


# --- Data -----------------------------------------------------------------------------------------


def uniform(rng, shape, dtype, low, high=1):
    values = low + (high - low) * rng.random(shape)
    return values if dtype.kind == "f" else np.floor(values)


def ramp(rng, shape, dtype, low, high=1):
    n = np.prod(shape)
    return (low + (high - low) * np.arange(n) / n).reshape(shape)


def offsets(rng, shape, dtype, mean):
    starts = np.arange(shape[0]) * mean
    starts[1:-1] += rng.integers(0, int(mean), shape[0] - 2)
    return starts


def dominant(rng, shape, dtype):
    n = shape[-1]
    return np.where(np.eye(n) > 0, 2 + rng.random(shape), (rng.random(shape) - 0.5) / n)


def first(rng, shape, dtype, low, high):
    return np.append(low, np.full(np.prod(shape) - 1, high))


def partitions(rng, shape, dtype):
    """Of 16 pixels in a row into up to four groups, two at least: `dxtc`."""
    codes = [sum(code << 2 * k for k, code in enumerate([0] * a + [2] * (b - a) + [3] * (c - b) + [1] * (16 - c)))
             for a in range(17) for b in range(a, 17) for c in range(b, 17)]
    return np.array([code for code in codes if code not in (0, 0x55555555, 0xAAAAAAAA, 0xFFFFFFFF)])


# As bench/pair_data.c fills arrays on a GPU.
KINDS = {
    "constant": lambda rng, shape, dtype, value: np.full(shape, value),
    "dominant": dominant,
    "first": first,
    "offsets": offsets,
    "partitions": partitions,
    "poison": lambda rng, shape, dtype: np.full(shape, np.nan if dtype.kind == "f" else 99),
    "ramp": ramp,
    "signs": lambda rng, shape, dtype: rng.choice([-1, 1], shape),
    "shuffled": lambda rng, shape, dtype: rng.permutation(np.prod(shape)).reshape(shape),
    "uniform": uniform,
}


def make(rng, array):
    dtype = np.dtype(array.dtype)
    kind, *numbers = array.fill
    return KINDS[kind](rng, array.shape, dtype, *numbers).astype(dtype)


FILES = sorted({pair.file for pair in PAIRS})


# --- Launches -------------------------------------------------------------------------------------


def launch_text(pair):
    def argument(kind, value):
        return {"array": f"{pair.name}_{value}", "vectors": f"{pair.name}_{value}", "int": str(value),
                "float": f"float32({value})", "int32": f"int32({value})"}[kind]

    grid, block = (f"({', '.join(map(str, part))})" if len(part) > 1 else part[0]
                   for part in pair.launch_shape(pair.small))
    words = [argument(*word) for word in pair.arguments(pair.ck, pair.small)]
    return f"{pair.name}[{grid}, {block}]({', '.join(words)})"


def run_pairs(t, pairs, device="cpu", env=None):
    """Launches all with one ckrun; the arrays of each before, and the written ones after."""
    rng = np.random.default_rng(5)
    words, saved, before, after = [], [], {}, {}
    for pair in pairs:
        arrays = pair.data(pair.small)
        before[pair.name] = {name: make(rng, array) for name, array in arrays.items()}
        after[pair.name] = {name: t.tmp / f"{pair.name}_{name}.out.npy"
                            for name, array in arrays.items() if array.use != "in"}
        for name, value in before[pair.name].items():
            np.save(t.tmp / f"{pair.name}_{name}.npy", value)
            words.append(f"{pair.name}_{name}=@{t.tmp}/{pair.name}_{name}.npy")
        for name, path in after[pair.name].items():
            saved += ["--save", f"{pair.name}_{name}={path}"]
    t.ok([t.ckrun, "--device", device, pairs[0].source(".ck"), *map(launch_text, pairs), *words, *saved],
         timeout=120, env=env)
    return before, {name: {key: np.load(path) for key, path in paths.items()}
                    for name, paths in after.items()}


def is_right(pair, got, want):
    if got.dtype.kind != "f":
        return np.array_equal(got, want)
    return np.allclose(got, want, rtol=pair.rtol, atol=pair.atol, equal_nan=True)


def check_device(t, pairs, device="cpu", env=None):
    before, after = run_pairs(t, pairs, device, env)
    for pair in pairs:
        arrays = {name: value.astype(np.float64) if value.dtype.kind == "f" else value
                  for name, value in before[pair.name].items()}
        want = REFERENCES[pair.name](**{**pair.small, **arrays})
        assert set(want) == set(after[pair.name]), (pair.name, set(want))
        for name, got in after[pair.name].items():
            expected = np.broadcast_to(want[name], got.shape)
            assert is_right(pair, got, expected), (device, pair.name, name, got, expected)


def check_file(t, file):
    """On one of the devices, which the seed says; with CK_CORPUS=all on both."""
    pairs = [pair for pair in PAIRS if pair.file == file]
    devices = ["cpu", "cuda"] if shutil.which("gcc") else ["cpu"]
    for device in t.part(devices, FILES.index(file), len(devices)):
        check_device(t, pairs, device, t.layout.emulation() if device == "cuda" else None)


# --- Tests ----------------------------------------------------------------------------------------


def test_dense(t):
    check_file(t, "dense")


def test_sparse(t):
    check_file(t, "sparse")


def test_stencil(t):
    check_file(t, "stencil")


def test_transform(t):
    check_file(t, "transform")


def test_sorting(t):
    check_file(t, "sorting")


def test_graph(t):
    check_file(t, "graph")


def test_particles(t):
    check_file(t, "particles")


def test_dynamic(t):
    check_file(t, "dynamic")


def test_image(t):
    check_file(t, "image")


def test_bits(t):
    check_file(t, "bits")


def test_random(t):
    check_file(t, "random")


def test_neural(t):
    check_file(t, "neural")


def test_sums(t):
    check_file(t, "sums")


def test_grids(t):
    check_file(t, "grids")


def declared(text, pattern):
    return {name: " ".join(parameters.split()) for name, parameters in re.findall(pattern, text)}


def test_table(t):
    """Every kernel is in the table, in both languages, with as many arguments as parameters."""
    listed = {pair.name: pair for pair in PAIRS}
    assert len(listed) == len(PAIRS) and set(listed) == set(REFERENCES)
    for file in sorted({pair.file for pair in PAIRS}):
        pair = next(pair for pair in PAIRS if pair.file == file)
        ck = declared(pair.source(".ck").read_text(), r"@cuda\.jit[^\n]*\ndef (\w+)\(([^)]*)\)")
        cuda = declared(pair.source(".cu").read_text(),
                        r'extern "C" __global__ void (\w+)\(([^)]*)\)')
        assert set(ck) == set(cuda) == {pair.name for pair in PAIRS if pair.file == file}, file
        for name in ck:
            assert ck[name].count(",") + 1 == len(listed[name].ck.split()), name
            assert cuda[name].count(",") + 1 == len(listed[name].cuda.split()), name


def test_every_file_has_a_test(t):
    tested = set(re.findall(r'check_file\(t, "(\w+)"\)', Path(__file__).read_text()))
    assert tested == {pair.file for pair in PAIRS}
