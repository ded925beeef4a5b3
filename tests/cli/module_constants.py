"""Constants of the module are NumPy's: of random expressions of arrays, the bits and the dtype."""

import random
import re

import numpy as np
from harness.numpy_values import array_of

DTYPES = ["bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64", "complex64", "complex128"]
SHAPES = [(6,), (2, 3), (3, 2), (1, 3), (2, 1), (2, 1, 3), (4,), (1,)]
# Of a constant. One of bool may compare complex128, which take 16 times as much; ck rejects arrays
# of more than the 64 KB of constant memory.
MOST_BYTES = 4096


class Writer:
    """Writes random expressions that NumPy accepts."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self, dtype):
        if dtype == "bool_":
            return self.random.choice(["True", "False"])
        if dtype.startswith("uint"):
            return str(self.random.randrange(0, 120))
        if dtype.startswith("int"):
            return str(self.random.randrange(-100, 100))
        value = self.random.choice(["0.5", "-2.25", "3.0", "0.1", "-7.0", "100.0", "1e-3", "0.0", "12.75"])
        if dtype.startswith("complex"):
            return f"({value} + {self.random.randrange(-5, 6)}j)"
        return value

    def leaf(self):
        dtype, shape = self.random.choice(DTYPES), self.random.choice(SHAPES)
        size = int(np.prod(shape))
        start, step = self.random.randrange(-9, 9), self.random.randrange(1, 5)
        form = self.random.randrange(8)
        if form == 0:
            text = f"np.arange({start}, {start + size * step}, {step})"
        elif form == 1:
            text = f"np.arange({start}, {start + size * 0.375}, 0.375)"
        elif form == 2:
            end = self.random.choice(["", ", endpoint=False"])
            text = f"np.linspace({start}, {start * 2.5 + step}, {size}{end})"
        elif form == 3:
            return f"np.full({shape}, {self.number(dtype)}, np.{dtype})"
        elif form == 4:
            return f"np.{self.random.choice(['zeros', 'ones'])}({shape}, np.{dtype})"
        else:
            items = ", ".join(self.number(dtype) for _ in range(size))
            text = f"np.array([{items}], np.{dtype})"
        return f"{text}.reshape({', '.join(map(str, shape))})"

    def operand(self, depth):
        if self.random.random() < 0.25:
            return self.random.choice(["2", "0.5", "-3", "np.float32(1.5)", "np.int8(5)", "True", "np.pi", "1j",
                                       "np.uint8(200)", "np.finfo(np.float32).eps", "np.float16(0.3)",
                                       "np.iinfo(np.int32).max", "7"])
        return self.expression(depth)

    def index(self):
        return self.random.choice(["[1:]", "[::-1]", "[::2]", "[0]", "[-1]", "[:, 1:]", "[..., 0]", "[:, ::-1]",
                                   "[-2:]", "[1, :]", "[0:1]"])

    def joined(self, depth):
        """Functions of whole arrays, and arrays made of others."""
        arrays = [self.expression(depth - 1) for _ in range(self.random.randrange(1, 4))]
        if any(numpy_value(array) is None for array in arrays):
            return self.leaf()
        first, axis = arrays[0], self.random.choice(["", ", axis=0", ", axis=1", ", axis=-1"])
        form = self.random.randrange(9)
        if form in (0, 1) and SUMS_START_AT_PLUS_ZERO and sums_to_minus_zero(numpy_value(first)):
            return self.leaf()
        if form == 0:
            name = self.random.choice(["sum", "prod", "mean", "min", "max", "argmin", "argmax", "any", "all"])
            return f"np.full(2, np.{name}({first}))"
        if form == 1:
            name = self.random.choice(["sum", "prod", "mean", "any", "all"])
            return f"np.full((1, 2), {first}.{name}())"
        if form == 2:
            name = self.random.choice(["concatenate", "stack", "hstack", "vstack"])
            axis = axis if name in ("concatenate", "stack") else ""
            return f"np.{name}([{', '.join(arrays)}]{axis})"
        if form == 3:
            return f"np.concatenate(({', '.join(arrays)},), axis=None)"
        if form == 4:
            return f"np.tile({first}, {self.random.choice(['2', '(2, 1)', '[1, 2, 2]', '3', '(1, 3)'])})"
        if form == 5:
            return f"np.repeat({first}, {self.random.choice(['2', '[1, 2]', '[0, 1, 3]', '1'])}{axis})"
        if form == 6:
            return f"np.outer({first}, {arrays[-1]})"
        if form == 7:
            name = self.random.choice(["zeros_like", "ones_like"])
            dtype = self.random.choice(["", f", np.{self.random.choice(DTYPES)}"])
            return f"np.{name}({first}{dtype})"
        name = self.random.choice(["asarray", "ascontiguousarray", "array"])
        return f"np.{name}([{first}, {first}])"

    def expression(self, depth):
        if depth == 0:
            return self.leaf()
        form = self.random.randrange(17)
        if form > 11:
            return self.joined(depth)
        if form < 5:
            op = self.random.choice(["+", "-", "*", "/", "//", "%", "&", "|", "^", "==", "!=", "<", ">="])
            sides = [self.expression(depth - 1), self.operand(depth - 1)]
            self.random.shuffle(sides)
            if op in "<>=":
                sides = [f"np.abs({side})" for side in sides]
            return f"({sides[0]} {op} {sides[1]})"
        inner = self.expression(depth - 1)
        if form == 5:
            return f"({self.random.choice('-~')}{inner})"
        if form in (6, 7) and numpy_value(inner) is None:
            return inner
        if form == 6:
            return f"{inner}{self.index()}"
        if form == 7:
            return f"{inner}{self.random.choice(['.T', '.copy()', '.ravel()', '.flatten()', '.reshape(-1)', '.transpose()'])}"
        if form == 8 and self.random.random() < 0.3:
            return f"np.{self.random.choice(['floor', 'ceil', 'trunc'])}({inner} / 4)"
        if form == 8:
            return f"np.{self.random.choice(['abs', 'sqrt', 'square', 'negative', 'isnan', 'rint'])}({inner})"
        if form == 9:
            name = self.random.choice(["minimum", "maximum", "add", "multiply", "logical_and", "subtract"])
            return f"np.{name}({inner}, {self.operand(depth - 1)})"
        if form == 10:
            return f"np.where({inner}, {self.expression(depth - 1)}, {self.expression(depth - 1)})"
        if numpy_value(inner) is None:
            return inner
        return f"{self.random.choice(['np.asfortranarray', 'np.ascontiguousarray', 'np.float64', 'np.complex64'])}({inner})"


IS_COMPLEX = re.compile(r"complex|\dj")
OF_COMPLEX_ROUNDED = re.compile(r"/|(?<!\*)\*(?!\*)|prod|multiply|outer|square")

# In old versions of NumPy a sum of numbers that are all -0.0 is 0.0; in newer ones, and in ck, it
# is -0.0.
SUMS_START_AT_PLUS_ZERO = not np.signbit(np.sum(np.array([-0.0])))


def sums_to_minus_zero(value):
    return value.dtype.kind in "fc" and any(np.all((part == 0) & np.signbit(part)) for part in (value.real, value.imag))


def numpy_value(text):
    """What NumPy makes of it; None: an error, no array, or a large one. Left out are quotients of
    complex numbers, which NumPy computes by another formula, and products, which it fuses with sums
    on some processors: they may differ in the last bit."""
    if IS_COMPLEX.search(text) and OF_COMPLEX_ROUNDED.search(text):
        return None
    value = array_of(text)
    fits = value is not None and value.size and value.ndim and value.nbytes <= MOST_BYTES
    return value if fits and value.dtype.name.rstrip("_") in [name.rstrip("_") for name in DTYPES] else None


def same_bits(got, wanted):
    if got.dtype.kind in "fc":
        parts = [(got.real, wanted.real), (got.imag, wanted.imag)]
        return all(np.array_equal(a, b, equal_nan=True) and
                   np.array_equal(np.signbit(a) | np.isnan(a), np.signbit(b) | np.isnan(b)) for a, b in parts)
    return np.array_equal(got, wanted)


def source_of(texts, values):
    lines = ["import numpy as np", ""]
    lines += [f"C{i} = {text}" for i, text in enumerate(texts)]
    for i, value in enumerate(values):
        lines += [f"def take{i}(c: {value.dtype}[{', '.join(':' * value.ndim)}]):", "    return c.size", ""]
    params = ", ".join(f"o{i}" for i in range(len(values)))
    lines += ["@cuda.jit(launch_bounds=1)", f"def k({params}):"]
    for i, value in enumerate(values):
        lines += [f"    assert take{i}(C{i}) == {value.size} and C{i}.shape == {value.shape}",
                  f"    o{i}[{', '.join(':' * value.ndim)}] = C{i}"]
    return "\n".join(lines) + "\n"


def compare(t, texts, values):
    path = t.write("constants.ck", source_of(texts, values))
    arrays, saves = [], []
    for i, value in enumerate(values):
        np.save(t.tmp / f"o{i}.npy", np.ones_like(value, order="C"))
        arrays.append(f"o{i}=@o{i}.npy")
        saves += ["--save", f"o{i}=r{i}.npy"]
    launch = f"k[1, 1]({', '.join(f'o{i}' for i in range(len(values)))})"
    t.ok([t.ckrun, "--device", "cpu", path, launch, *arrays, *saves])
    for i, (text, value) in enumerate(zip(texts, values)):
        got = np.load(t.tmp / f"r{i}.npy")
        assert same_bits(got, value), f"C = {text}\nNumPy: {value.dtype} {value.tolist()}\nck: {got.tolist()}"


def batch(seed, count):
    writer, texts, values = Writer(seed), [], []
    while len(texts) < count:
        text = writer.expression(writer.random.randrange(4))
        value = numpy_value(text)
        if value is not None:
            texts.append(text)
            values.append(value)
    return texts, values


def test_random_expressions_have_the_bits_and_the_dtype_of_numpy(t):
    for seed in range(t.seed, t.seed + 4):
        compare(t, *batch(seed, 40))


def test_a_sum_of_minus_zeros_is_minus_zero(t):
    texts = [f"np.full(2, np.{name}(np.full({n}, -0.0)))" for name in ("sum", "mean") for n in (1, 6, 9, 200)]
    compare(t, texts, [np.full(2, -0.0)] * len(texts))


def test_products_of_complex_integers_are_exact(t):
    texts = []
    for dtype in ("complex64", "complex128"):
        z, w = f"np.array([3 - 2j, -1 + 5j, 4j, -7], np.{dtype})", f"np.array([[2 + 1j], [-6 - 3j]], np.{dtype})"
        texts += [f"{z} * {w}", f"np.multiply({w}, {z})", f"np.outer({z}, {w})", f"np.full(2, {z}.prod())",
                  f"np.square({z})", f"{w} * (2 - 9j)"]
    compare(t, texts, [eval(text) for text in texts])


def test_sums_of_many_numbers_have_the_bits_of_numpy(t):
    texts = []
    for n in (1, 7, 8, 9, 100, 127, 128, 129, 136, 200, 1000, 1001, 8191, 8192, 8193, 16000):
        for dtype in ("float32", "float64", "float16"):
            if n * np.dtype(dtype).itemsize <= 65536:
                texts.append(f"np.full(1, (np.arange({n}, dtype=np.{dtype}) * 0.37 - 3).sum())")
                texts.append(f"np.full(1, np.mean(np.arange({n}, dtype=np.{dtype}) / 7))")
        if n * 8 <= 65536:
            texts.append(f"np.full(1, (np.arange({n}, dtype=np.complex64) + (0.37 - 3j)).sum())")
            texts.append(f"np.full(1, np.mean(np.arange({n}, dtype=np.complex64) + (0.1 + 2j)))")
        if n <= 8192:
            texts.append(f"np.full(1, (np.arange({n}) * 10**15 + 7).mean())")
    texts += ["np.full(1, np.sum(np.asfortranarray((np.arange(1000, dtype=np.float32) / 3).reshape(10, 100))))",
              "np.full(1, np.prod(np.arange(1, 30, dtype=np.float32) / 9))",
              "np.full(1, np.prod(np.arange(1, 30, dtype=np.float16) / 9))",
              "np.full(1, np.prod(np.arange(1, 100)))", "np.full(1, np.mean(np.tile(np.arange(200, dtype=np.uint8), 200)))"]
    for i in range(0, len(texts), 40):
        compare(t, texts[i:i + 40], [numpy_value(text) for text in texts[i:i + 40]])


def test_nested_calls_are_computed_once_each(t):
    """Otherwise the time doubles with each level."""
    calls = [("np.float32(", ")"), ("np.complex64(", ")"), ("np.asarray(", ")"), ("np.reshape(", ", -1)"),
             ("np.concatenate([", "])"), ("np.abs(", ")"), ("np.ravel(", ")")]
    texts = [begin * 60 + "np.arange(3)" + end * 60 for begin, end in calls]
    compare(t, texts, [numpy_value(text) for text in texts])
