"""A kernel in ck and in CUDA C++: what it is launched with, on a GPU and in the tests."""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "pairs"


@dataclass
class Array:
    """`use` is `in`, `out`, or `inout` if a launch needs what the array began with; `fill` a kind
    of data of pair_data.c and its numbers."""

    use: str
    dtype: str
    shape: tuple
    fill: tuple


@dataclass
class Pair:
    """Kernel `name` of pairs/FILE.ck and pairs/FILE.cu.

    Extents, grids, blocks and numbers are expressions of the names in `sizes`, without spaces.
    `arrays` maps a name to `USE DTYPE EXTENT,... [KIND [LOW [HIGH]]]`; without a kind it is
    poisoned. `ck` and `cuda` list the arguments: arrays by name, float32 numbers with an f, and
    integers, which ck's kernels get as int64 and the others as int."""

    name: str
    file: str
    sizes: dict
    small: dict         # sizes for the CPU
    grid: str
    block: str
    arrays: dict
    ck: str
    cuda: str
    rtol: float = 1e-4  # between the results of any two codes
    atol: float = 1e-5
    cooperative: bool = False

    def source(self, suffix):
        return FOLDER / f"{self.file}{suffix}"

    def dimensions(self, text, sizes):
        return tuple(int(eval(word, {}, sizes)) for word in text.split())

    def launch_shape(self, sizes):
        return self.dimensions(self.grid, sizes), self.dimensions(self.block, sizes)

    def data(self, sizes):
        """Array by name."""
        def array(text):
            use, dtype, shape, *fill = text.split()
            fill = [fill[0], *(float(eval(word, {}, sizes)) for word in fill[1:])] if fill else ["poison"]
            return Array(use, dtype, self.dimensions(shape.replace(",", " "), sizes), tuple(fill))

        return {name: array(text) for name, text in self.arrays.items()}

    def arguments(self, text, sizes):
        """(`array`, name), (`float`, value) or (`int`, value) of each."""
        def argument(word):
            if word in self.arrays:
                return "array", word
            if re.fullmatch(r"-?[\d.]+(e-?\d+)?f", word):
                return "float", float(word[:-1])
            return "int", int(eval(word, {}, sizes))

        return [argument(word) for word in text.split()]

    def signature(self):
        """Of the kernel for these arguments, as `ckc --sig` takes it."""
        def type_of(kind, value):
            if kind != "array":
                return {"float": "float32", "int": "int64"}[kind]
            _, dtype, shape, *_ = self.arrays[value].split()
            return f"{dtype}[{', '.join([':'] * shape.count(',') + ['::1'])}]"

        types = [type_of(*argument) for argument in self.arguments(self.ck, self.sizes)]
        return f"{self.name}({', '.join(types)})"

    def is_generic(self):
        return f"@cuda.jit\ndef {self.name}(" in self.source(".ck").read_text()
