"""Random kernels in Python: what their operations compute, and the rounds in which threads run.

In a round each thread goes on to its next `yield`, or to its end. A Watch follows what they do: the
one here only answers, that of tests/checks/watch.py finds what a planted mistake leads to.
"""

import numpy as np

from .program_groups import answer_block
from .program_features import FEATURE_FUNCTIONS, record_type
from .program_tables import ROWS
from .program_values import value_functions

SIGNED, UNSIGNED = ["int8", "int16", "int32", "int64"], ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
INTS = SIGNED + UNSIGNED
KEEP_WIDTH = ["and", "or", "xor", "inv", "min"]  # the common type, however narrow


def int_range(name):
    info = np.iinfo(name)
    return int(info.min), int(info.max)


def fits(name, value):
    low, high = int_range(name)
    return low <= value <= high


def mixed_type(kind, a, b):
    """The type of an operation; each operand a type's name or, for a literal, its value."""
    if not isinstance(a, str):
        return mixed_type(kind, b, a)
    if isinstance(b, str):
        common = np.promote_types(a, b).name
    else:
        common = a if fits(a, b) else "int32" if fits("int32", b) and np.iinfo(a).bits < 32 else "int64"
    narrow = kind not in KEEP_WIDTH and np.iinfo(common).bits < 32
    return "int32" if narrow else common


def shift(a, b, bits, left):
    if 0 <= b < bits:
        return a << b if left else a >> b
    return 0 if left or a >= 0 else -1


MIXED_OPERATIONS = {
    "add": lambda a, b, bits: a + b, "sub": lambda a, b, bits: a - b, "mul": lambda a, b, bits: a * b,
    "div": lambda a, b, bits: a // b if b else 0, "mod": lambda a, b, bits: a % b if b else 0,
    "shl": lambda a, b, bits: shift(a, b, bits, True), "shr": lambda a, b, bits: shift(a, b, bits, False),
    "and": lambda a, b, bits: a & b, "or": lambda a, b, bits: a | b, "xor": lambda a, b, bits: a ^ b,
    "min": lambda a, b, bits: min(a, b),
    "neg": lambda a, b, bits: -a, "inv": lambda a, b, bits: ~a, "abs": lambda a, b, bits: abs(a),
}


def of_mixed(kind):
    """The operation on NumPy's scalars and, as literals, Python's integers."""
    def compute(a, b):
        if kind == "less":
            return int(a) < int(b)
        types = [x.dtype.name if isinstance(x, np.generic) else x for x in (a, b)]
        one = kind in ("neg", "inv", "abs")
        name = mixed_type(kind, types[0], types[0] if one else types[1])
        return caster(name)(MIXED_OPERATIONS[kind](int(a), int(b), np.iinfo(name).bits))

    return compute


def total(values):
    accumulator = caster("uint64" if values.dtype == np.uint64 else "int64")
    return accumulator(sum(values.tolist()))


def count_small(values, most):
    n = 0
    for e in values.tolist():
        n += e % 4 if e < most else e > 101 if e > 100 else 0
    return np.int64(n)


def caster(name):
    """The type as a function that wraps, as a kernel's casts of integers do."""
    dtype = np.dtype(name).type

    def cast(value):
        if name in FLOATS:
            return dtype(value)
        return np.uint64(int(value) & (1 << 64) - 1).astype(dtype)

    return cast


class FloatMath:
    """math, of the argument's own type."""

    sqrt = staticmethod(np.sqrt)
    floor = staticmethod(np.floor)


def count(kind, array, index, value):
    both = array[index], value
    array[index] = both[0] + both[1] if kind == "add" else max(both) if kind == "max" else min(both)


def copy(to, array):
    extent = min(len(to), len(array))
    to[:extent] = array[:extent]


def numbered(array):
    return ((np.int64(k), value) for k, value in enumerate(array))


def bits_of(value):
    """Its bits as text, as many as its type has."""
    n_bits = 8 * value.dtype.itemsize
    return f"{int(value) & (1 << n_bits) - 1:0{n_bits}b}"


def popc(value):
    return bits_of(value).count("1")


def clz(value):
    return len(bits_of(value)) - len(bits_of(value).lstrip("0"))


def ffs(value):
    return bits_of(value)[::-1].find("1") + 1


def brev(value):
    return int(bits_of(value)[::-1], 2)


def step(thread, answer):
    try:
        return thread.send(answer)
    except StopIteration:
        return None


class Watch:
    """What the lines in Python say about themselves, and what happens to memory, all of which is
    ignored here."""

    def names(self):
        return {"zeros": np.zeros, "count": count, "copy": copy, "noted": lambda value: value,
                "arrived": lambda: None, "acquired": lambda b: None, "released": lambda b: None}

    def memory(self, name, array):
        """The array that the kernel is to have for it."""
        return array

    def goes_on(self, thread):
        """It runs until it says otherwise, or another one does."""

    def has_come(self, requests):
        """What each thread asks for at the end of a round."""


def run(program, text, watch):
    arrays = {name: array.copy() for name, array in program.arrays.items()}
    space = {name: caster(name) for name in INTS + FLOATS}
    space |= {"math": FloatMath, "array": np.array, "enumerate": numbered, "popc": popc, "clz": clz,
              "ffs": ffs, "brev": brev, "total": total, "count_small": count_small, **watch.names()}
    printed = []
    space |= value_functions(caster) | FEATURE_FUNCTIONS | {"row": ROWS.__getitem__, "say": printed.append}
    space |= {f"mixed_{kind}": of_mixed(kind) for kind in [*MIXED_OPERATIONS, "less"]}
    exec(compile(text, "the kernel in Python", "exec"), space)
    space |= {name: watch.memory(name, arrays[name]) for name in program.globals}
    given = [watch.memory(name, arrays[name]) for name in program.parameters]
    threads = []
    for b in range(program.blocks):
        shared = [watch.memory("all", np.zeros(128, program.shared_type)),
                  watch.memory("ring", np.zeros((3, program.n_ring), program.shared_type)),
                  watch.memory("rs", np.zeros(128, record_type(program.shared_type, program.is_packed)))]
        threads += [space["k"](*given, np.int64(program.n), t, b, program.threads, *shared)
                    for t in range(program.threads)]
    answers = [None] * len(threads)
    while True:
        requests = []
        for number, (thread, answer) in enumerate(zip(threads, answers)):
            watch.goes_on(number)
            requests.append(step(thread, answer))
        if all(request is None for request in requests):
            break
        watch.has_come(requests)
        answers = []
        for first in range(0, len(requests), program.threads):
            answers += answer_block(requests[first:first + program.threads])
    for _ in program.launches[1:]:
        for i in range(len(arrays["late"])):
            space["later"](arrays["late"], arrays["KEPT"], i)
    return arrays | {"printed": printed}
