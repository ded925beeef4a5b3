"""A kernel in ck and in CUDA C++: what it is launched with, on a GPU and in the tests."""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


@dataclass
class Array:
    """`use` is `in`, `out`, `inout` if a launch needs what the array began with, or `scratch` if
    what it wrote is not compared; `fill` a kind of data of pair_data.c and its numbers."""

    use: str
    dtype: str
    shape: tuple
    fill: tuple


@dataclass
class Pair:
    """Kernel `name` of FOLDER/FILE.ck and FOLDER/FILE.cu.

    Extents, grids, blocks and numbers are expressions of the names in `sizes`, without spaces.
    `arrays` maps a name to `USE DTYPE EXTENT,... [KIND [LOW [HIGH]]]`; without a kind it is
    poisoned. `ck` and `cuda` list the arguments: arrays by name, with `.v` those whose last
    dimension is ck's vectors, float32 numbers with an f, and integers, which ck's kernels get as
    int64, with a j as int32, and the others as int."""

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
    folder: str = "pairs"
    same: bool = True   # both do the same work: the variants' limits apply

    def source(self, suffix):
        return FOLDER / self.folder / f"{self.file}{suffix}"

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
        """(`array`, name), (`vectors`, name), (`float`, value), (`int32`, value) or (`int`, value)
        of each."""
        def argument(word):
            if word in self.arrays:
                return "array", word
            if word.endswith(".v"):
                return "vectors", word[:-2]
            if re.fullmatch(r"-?\d+j", word):
                return "int32", int(word[:-1])
            if re.fullmatch(r"-?[\d.]+(e-?\d+)?f", word):
                return "float", float(word[:-1])
            return "int", int(eval(word, {}, sizes))

        return [argument(word) for word in text.split()]

    def signature(self):
        """Of the kernel for these arguments, as `ckc --sig` takes it."""
        def type_of(kind, value):
            if kind != "array":
                return {"float": "float32", "int": "int64", "int32": "int32"}[kind]
            _, dtype, shape, *_ = self.arrays[value].split()
            return f"{dtype}[{', '.join([':'] * shape.count(',') + ['::1'])}]"

        types = [type_of(*argument) for argument in self.arguments(self.ck, self.sizes)]
        return f"{self.name}({', '.join(types)})"

    def is_generic(self):
        return f"@cuda.jit\ndef {self.name}(" in self.source(".ck").read_text()
