"""Random kernels' functions `row_N(a, b)`, of two int32: each calls one built-in, with operands
made of a and b, and returns an int32 that stands for its result. program_tables.py has the rows.

A result that the language defines to the bit stands for its bits. Of any other, devices compute
approximations: its operands come from a few numbers, so that all values that are due are known, and
the result is rounded down to a multiple of a step, moved so that none of them is near one.
"""

import cmath
import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Callable

import numpy as np

from .program_references import signed, to_bfloat16

NONE, MOST = 99, 1e6  # what stands for a result that is not finite, or not below the second
N_STEPS = 1024  # of the greatest value of a row, at least
MARGIN = 0.01  # in steps: how far from an edge all values are

ROW_HELPERS = """def near(value, scale, offset):
    v = float64(value) * scale + offset
    return int32(floor(v)) if abs(v) < 1e6 else int32(99)
def exact_int(value):
    v = int64(value)
    return int32(v ^ (v >> 32))
def exact_float64(value):
    return exact_int(bitcast(value, int64)) if value == value and value != 0 else int32(value != value)
def exact_float32(value):
    return bitcast(value, int32) if value == value and value != 0 else int32(value != value)
def exact_half(value):
    return int32(bitcast(value, int16)) if value == value and value != 0 else int32(value != value)
"""

EXACT = {"int32": "int", "float16": "half", "bfloat16": "half"}

# The operands, by letter. Of numbers that a few values are of: the first of 32, and the distance to
# the next.
FEW = {"u": (-31 / 32, 1 / 16), "v": (1 / 32, 1 / 16), "h": (1 / 64, 1 / 32), "s": (-31 / 8, 1 / 4),
       "p": (1 / 8, 1 / 4), "g": (17 / 16, 1 / 4)}
# Of floats of any bits: a mask of the exponent's, and what is added to it.
ANY = {"float32": {"F": (-0x7C000001, 0x3E000000), "P": (0x03FFFFFF, 0x3E000000), "W": (-0x60000001, 0x38000000)},
       "float64": {"F": (-0x7FC0000000000001, 0x3FC0000000000000), "P": (0x003FFFFFFFFFFFFF, 0x3FC0000000000000),
                   "W": (-0x7800000000000001, 0x3C00000000000000)}}
SPREAD = -7046029254386353131


def float_of_bits(bits, dtype):
    return float(np.array(bits, "i4" if dtype == "float32" else "i8").view(dtype)[()])


class Operand:
    """One of a row: its text in ck, its value, and the values that it may have, if they are few.
    `sources` are a, b and so on, from its own; `n_bits` what a number among few is made of."""

    def __init__(self, letter, dtype, n_bits):
        self.letter, self.mask = letter, (1 << n_bits) - 1
        self.dtype = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
        self.distance = 32 >> n_bits

    def few(self, k):
        first, step = FEW[self.letter]
        return first + step * ((k & self.mask) * self.distance + self.distance // 2)

    def text(self, a, b):
        letter, dtype = self.letter, self.dtype
        if letter in FEW:
            first, step = FEW[letter]
            start, distance = first + step * (self.distance // 2), step * self.distance
            return f"{dtype}({start}) + {dtype}({distance}) * {dtype}({a} & {self.mask})"
        if letter in "cd":
            sign = "-" if letter == "d" else ""
            return f"complex({dtype}({a} & 7) * {dtype}(0.5) - {dtype}(2), {sign}({dtype}({b} & 7) * {dtype}(0.5) - {dtype}(2)))"
        if letter in "FPW":
            mask, more = ANY[dtype][letter]
            bits = f"int32({a})" if dtype == "float32" else self.wide(a, b)
            return f"bitcast(({bits} & {mask}) + {more}, {dtype})"
        return {"I": f"int32({a})", "L": self.wide(a, b), "o": f"int32({a} & 3)", "S": f"int32({a} & 31) - 16",
                "Q": f"uint8({a})", "H": f"float16({a} & 1023) / float16(64) - float16(7)",
                "B": f"bfloat16({a} & 255) / bfloat16(32) - bfloat16(3)"}[letter]

    @staticmethod
    def wide(a, b):
        return f"(int64({a}) * {SPREAD} ^ int64({b}))"

    def value(self, a, b):
        letter, dtype = self.letter, self.dtype
        if letter in FEW:
            return self.few(a)
        if letter in "cd":
            imaginary = (b & 7) * 0.5 - 2
            return complex((a & 7) * 0.5 - 2, -imaginary if letter == "d" else imaginary)
        wide = signed(a * SPREAD ^ b, 64)
        if letter in "FPW":
            mask, more = ANY[dtype][letter]
            return float_of_bits(((signed(a, 32) if dtype == "float32" else wide) & mask) + more, dtype)
        return {"I": signed(a, 32), "L": wide, "o": a & 3, "S": (a & 31) - 16, "Q": a & 255,
                "H": (a & 1023) / 64 - 7, "B": (a & 255) / 32 - 3}[letter]

    def choices(self):
        """Pairs of a and b that make all its values."""
        if self.letter in "cd":
            return list(product(range(8), range(8)))
        return [(k, 0) for k in range(self.mask + 1 if self.letter in FEW else {"o": 4, "S": 32}[self.letter])]


@dataclass(frozen=True)
class Row:
    """`text` calls a built-in with `x`, `y`, `z` and `u`, of which `operands` has a letter each;
    `compute` is the same in Python, else the text itself. `results` are words, one for each number
    of the result: `near`, or what is exact of it."""

    kind: str
    text: str
    operands: str
    compute: Callable = None
    results: str = "near"
    dtype: str = "float64"

    @cached_property
    def function(self):
        return self.compute or eval(f"lambda x=0, y=0, z=0, u=0: {self.text}", vars(math) | {"cmath": cmath, "math": math})

    @cached_property
    def parts(self):
        n_bits = 5 if len(self.operands) == 1 else 3 if len(self.operands) == 2 else 2
        return [Operand(letter, self.dtype, n_bits) for letter in self.operands]

    @staticmethod
    def sources(a, b):
        return [(a, b), (b, a), (a ^ b, a), (a + b, a)]

    def numbers(self, *operands):
        """The numbers of the result, NaN for one that is not there."""
        try:
            result = self.function(*operands)
        except (ValueError, ZeroDivisionError, OverflowError):
            result = math.nan
        if isinstance(result, complex):
            return (result.real, result.imag) if abs(result.real) + abs(result.imag) < MOST else (math.nan, math.nan)
        if result != result and self.results == "complex":
            return math.nan, math.nan
        return result if isinstance(result, tuple) else (result,)

    @cached_property
    def lattice(self):
        """(scale, offset) of each number that is near: none of those due is near an edge."""
        due = [self.numbers(*(part.value(*choice) for part, choice in zip(self.parts, choices)))
               for choices in product(*(part.choices() for part in self.parts))]
        found = []
        for column in zip(*due):
            finite = [float(v) for v in column if math.isfinite(v)]
            scale = 2.0 ** math.ceil(math.log2(N_STEPS / max(map(abs, [1e-3, *finite]))))
            edges = sorted({v * scale % 1 for v in finite} or {0.0})
            gap, after = max(((b - a, b) for a, b in zip(edges, [*edges[1:], edges[0] + 1])))
            assert gap / 2 >= MARGIN, f"{self.text}: values of the row are within {gap / 2} of any edge"
            found.append((scale, (gap / 2 - after) % 1))
        return found

    # --- In ck ------------------------------------------------------------------------------------

    def lines(self, name):
        lines = [f"def {name}(a, b):"]
        for variable, part, pair in zip("xyzu", self.parts, [("a", "b"), ("b", "a"), ("(a ^ b)", "a"), ("(a + b)", "a")]):
            lines.append(f"    {variable} = {part.text(*pair)}")
        lines.append(f"    w = {self.text}")
        words = self.results.split()
        if words[0] == "complex":
            lines += ["    if not abs(w.real) + abs(w.imag) < 1e6:", f"        return int32({NONE * 32})"]
            items = [("near", "w.real"), ("near", "w.imag")]
        else:
            items = list(zip(words, [f"w[{k}]" for k in range(len(words))] if len(words) > 1 else ["w"]))
        terms = [f"near({item}, {self.lattice[k][0]!r}, {self.lattice[k][1]!r})" if word == "near" else
                 f"exact_{EXACT.get(word, word)}({item})" for k, (word, item) in enumerate(items)]
        text = terms[0]
        for term in terms[1:]:
            text = f"({text}) * 31 + {term}"
        lines.append(f"    return int32({text})")
        return lines

    # --- In Python --------------------------------------------------------------------------------

    def __call__(self, a, b):
        a, b = int(a), int(b)
        operands = [part.value(*pair) for part, pair in zip(self.parts, self.sources(a, b))]
        words = self.results.split()
        words = ["near", "near"] if words[0] == "complex" else words
        total = 0
        for k, (word, value) in enumerate(zip(words, self.numbers(*operands))):
            number = self.near(value, *self.lattice[k]) if word == "near" else exact(word, value)
            total = total * 31 + number
        return np.int32(signed(total, 32))

    @staticmethod
    def near(value, scale, offset):
        v = float(value) * scale + offset
        return math.floor(v) if abs(v) < MOST else NONE


def exact(word, value):
    """What stands for the bits of a number, rounded to its type if that is a 16-bit float."""
    if word in ("int", "int32"):
        value = signed(int(value), 64 if word == "int" else 32)
        return signed(value ^ value >> 32, 32)
    if value != value or value == 0:
        return int(value != value)
    if word == "bfloat16":
        return signed(int(to_bfloat16(value).view("u4")) >> 16, 16)
    bits = int(np.array(value).astype(word).view(f"i{np.dtype(word).itemsize}"))
    return signed(bits ^ bits >> 32, 32) if word == "float64" else bits
