"""Random kernels of integers and indices at their limits, and what they compute in exact integers.

Extents are near 2^31, 2^32 and 0, strides may be negative or 0, and integers are near the ends of
their types. Memory is a pattern of bytes that repeats (tests/emulator/limits.py maps it), so that a
large array needs none, and a wrong address shows. Each expression is written twice: in ck, and in
Python on integers of any size, each result of which `wrap` brings into its type.
"""

import random

from .program_python import MIXED_OPERATIONS, int_range, fits, mixed_type

REGION = 0x100000000000  # where the pattern begins, and the memory that kernels store to
STORES = 0x200000000000
REGION_BYTES = 24 << 30
PERIOD = 257 * 4096  # of the pattern: no power of two
N_THREADS = 4
MOST_STEPS = 400  # of a program's loops

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32"]
TYPES = SIGNED + UNSIGNED
WIDE = ["int32", "int64", "int64", "int64", "uint32"]
ELEMENTS = {"uint8": 1, "int16": 2, "int32": 4, "uint32": 4, "int64": 8}
LITERALS = [0, 1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 100, 255, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32,
            -1, -2, -7, -(1 << 31), -(1 << 31) - 1]
NATURAL, SMALL, ANY = "natural", "small", "any"  # what a launch's integers are


class Abandoned(Exception):
    """The program does what no test can check: it runs too long."""


def near(rng, value, by=3):
    return value + rng.randint(-by, by)


def boundary(rng, dtype, kind=ANY):
    """A value of the type, often near a limit."""
    low, high = int_range(dtype)
    if kind != ANY:
        low, high = max(low, -(1 << 31)), min(high, (1 << 31) - 1)
    if kind == NATURAL:
        low = 0
    value = rng.choice([low, high, 0, near(rng, low), near(rng, high), near(rng, 0, 10), near(rng, 1 << 31),
                        near(rng, 1 << 32), near(rng, (1 << 31) - (1 << 16)), near(rng, -(1 << 31)),
                        rng.randint(low, high), rng.randrange(1, 40)])
    return min(max(value, low), high)


def pattern():
    """The bytes of a period."""
    return random.Random(4711).randbytes(PERIOD)


class Array:
    """A strided array of the pattern, or of what was stored."""

    def __init__(self, dtype, address, shape, strides, memory):
        self.dtype, self.address, self.shape, self.strides, self.memory = dtype, address, shape, strides, memory

    def place(self, indices):
        address = self.address
        for index, extent, stride in zip(indices, self.shape, self.strides):
            assert -extent <= index < extent, (indices, self.shape)
            address += (index + extent if index < 0 else index) * stride
        return address

    def __getitem__(self, indices):
        return self.memory.load(self.place(indices), self.dtype)

    def __setitem__(self, indices, value):
        self.memory.stored[self.place(indices)] = (self.dtype, wrap(self.dtype, value))

    def cut(self, axis, start, stop, step):
        """The view with a slice of one axis."""
        if step == 0:
            positions = range(0)
        else:
            positions = range(*slice(start, stop, step).indices(self.shape[axis]))
        shape, strides = list(self.shape), list(self.strides)
        first = positions.start * strides[axis] if len(positions) else 0
        shape[axis] = len(positions)
        strides[axis] *= positions.step
        return Array(self.dtype, self.address + first, shape, strides, self.memory)

    def row(self, index):
        """The view without the first axis."""
        assert -self.shape[0] <= index < self.shape[0]
        first = (index + self.shape[0] if index < 0 else index) * self.strides[0]
        return Array(self.dtype, self.address + first, self.shape[1:], self.strides[1:], self.memory)

    def turned(self):
        return Array(self.dtype, self.address, self.shape[::-1], self.strides[::-1], self.memory)


class Memory:
    def __init__(self):
        self.bytes = pattern()
        self.stored = {}  # by address (type, value)

    def load(self, address, dtype):
        size, at = ELEMENTS[dtype], (address - REGION) % PERIOD
        raw = (self.bytes + self.bytes[:8])[at:at + size] if at + size > PERIOD else self.bytes[at:at + size]
        return int.from_bytes(raw, "little", signed=dtype[0] == "i")


def wrap(dtype, value):
    low, high = int_range(dtype)
    return (value - low) % (high - low + 1) + low


class Steps:
    """Counts the iterations of a program's loops."""

    def __init__(self):
        self.left = MOST_STEPS * N_THREADS

    def range(self, *arguments):
        if len(arguments) == 3 and arguments[2] == 0:
            return
        for value in range(*arguments):
            self.one()
            yield value

    def one(self):
        self.left -= 1
        if self.left < 0:
            raise Abandoned


class IndexProgram:
    """A kernel `k`, its arguments and what it leaves behind."""

    def __init__(self, seed):
        self.seed = seed
        number = 0
        while True:
            self.rng = random.Random(f"{seed}/{number}")
            try:
                self.write()
                self.evaluate()
                return
            except Abandoned:
                number += 1

    # --- Writing ----------------------------------------------------------------------------------

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, items):
        return self.rng.choice(items)

    def put(self, depth, ck, python=None):
        self.ck.append("    " * depth + ck)
        self.python.append("    " * depth + (ck if python is None else python))

    def name(self, prefix):
        self.n_names += 1
        return f"{prefix}{self.n_names}"

    def write(self):
        rng = self.rng
        self.ck, self.python, self.n_names = [], [], 0
        self.kind = self.pick([NATURAL, SMALL, ANY, ANY])
        self.memory = Memory()
        self.arrays = {"x": self.given_array(1), "m": self.given_array(2)}
        self.own = self.pick(["int64", "int32", "uint8"])
        self.stores = self.store_array()
        self.scalars = {}
        for number in range(rng.randint(2, 5)):
            dtype = self.pick(WIDE + ["int8", "uint8", "int16", "uint16"])
            self.scalars[f"a{number}"] = dtype, boundary(rng, dtype, self.kind)
        self.variables = {name: dtype for name, (dtype, _) in self.scalars.items()} | {"i": "int64"}
        self.fixed = set(self.variables)  # that are not assigned
        self.views = {"x": 1, "m": 2}
        options = self.pick(["", "", "(wraparound=False)"])
        self.wraparound = not options
        self.layouts = {name: self.layout_of(array) for name, array in [*self.arrays.items(), ("y", self.stores)]}
        types = {name: self.type_text(array, self.layouts[name])
                 for name, array in [*self.arrays.items(), ("y", self.stores)]}
        types |= {name: dtype for name, (dtype, _) in self.scalars.items()}
        self.names = [*types, "out"]
        self.put(0, f"@kernel{options}", "")
        self.put(0, f"def k({', '.join(f'{name}: {its}' for name, its in types.items())}, out: int64[:, ::1]):",
                 f"def k({', '.join(self.names)}, i, own, steps):")
        self.put(1, "i = grid(1)", "pass")
        self.put(1, f"own = local.array(8, {self.own})", "pass")
        self.put(1, "for k0 in range(8):")
        self.put(2, "own[k0] = k0 * 3")
        for _ in range(rng.randint(2, 4)):
            self.new_variable(1)
        for _ in range(rng.randint(4, 14)):
            self.statement(1)
        self.rows = sorted(self.variables)
        for row, name in enumerate(self.rows):
            self.put(1, f"out[{row}, i] = {name}")

    def given_array(self, n_axes):
        """An array of the pattern with extents at a limit."""
        rng = self.rng
        dtype = self.pick(list(ELEMENTS))
        size = ELEMENTS[dtype]
        most = REGION_BYTES // 2 // size - 64  # to each side
        if n_axes == 1:
            shape = [self.extent(most)]
            strides = [self.pick([size, size, size, -size, 2 * size, 3 * size, -2 * size, 0])]
            strides[0] = strides[0] if abs(strides[0]) * shape[0] < REGION_BYTES // 2 else size
        else:
            one = self.pick([1, 2, 3, 5, 1 << 10, 46341, 1 << 16, 65537, 0])
            other = self.extent(max(1, most // max(one, 1)))
            shape = self.pick([[one, other], [other, one]])
            dense = [shape[1] * size, size]
            strides = self.pick([dense, dense, [size, shape[0] * size], [-dense[0], size], [dense[0], -size]])
        begin = REGION + REGION_BYTES // 2
        begin += sum(-stride * (extent - 1) for extent, stride in zip(shape, strides) if stride < 0 and extent) // 2
        if any(stride < 0 for stride in strides):
            begin = REGION + REGION_BYTES // 2
        begin += self.pick([0, 0, size, 3 * size])
        if self.wide_apart(begin, shape, strides):
            raise Abandoned
        return Array(dtype, begin, shape, strides, self.memory)

    def wide_apart(self, begin, shape, strides):
        reach = sum(abs(stride) * max(extent - 1, 0) for extent, stride in zip(shape, strides))
        return reach > REGION_BYTES // 2 - (1 << 20)

    def extent(self, most):
        limits = [0, 1, 2, 7, 1000, (1 << 31) - (1 << 16) - 1, (1 << 31) - (1 << 16), (1 << 31) - 1, 1 << 31,
                  (1 << 31) + 5, (1 << 32) - 1, 1 << 32, (1 << 32) + 3, 3 << 31, most,
                  self.rng.randrange(1, most)]
        if self.kind != ANY:
            limits = [limit for limit in limits if limit < (1 << 31) - (1 << 16)]
        fitting = [limit for limit in limits if limit <= most]
        return self.pick(fitting[-6:] if self.chance(.8) else fitting)

    def store_array(self):
        """(threads, N): each thread stores to its own row."""
        dtype = self.pick(list(ELEMENTS))
        size = ELEMENTS[dtype]
        most = REGION_BYTES // 4 // N_THREADS // size
        if self.kind != ANY:
            most = min(most, ((1 << 31) - (1 << 16)) // N_THREADS - 1)
        extent = self.extent(most) or 1
        strides = self.pick([[extent * size, size], [extent * size, size], [size, N_THREADS * size],
                             [-extent * size, size]])
        return Array(dtype, STORES + REGION_BYTES // 2, [N_THREADS, extent], strides, self.memory)

    def layout_of(self, array):
        size, shape, strides = ELEMENTS[array.dtype], array.shape, array.strides
        if len(shape) == 1:
            return self.pick(["C", "any"]) if strides == [size] else "any"
        if strides == [shape[1] * size, size]:
            return self.pick(["C", "C", "any"])
        return self.pick(["F", "any"]) if strides == [size, shape[0] * size] else "any"

    @staticmethod
    def type_text(array, layout):
        axes = [":"] * len(array.shape)
        if layout != "any":
            axes[-1 if layout == "C" else 0] = "::1"
        return f"{array.dtype}[{', '.join(axes)}]"

    # --- Expressions: (ck, Python, type), a literal's type being its value ------------------------

    def leaf(self, literal=True):
        if literal and self.chance(.3):
            value = self.pick(LITERALS) if self.chance(.5) else self.rng.randrange(-9, 30)
            return f"({value})" if value < 0 else str(value), f"({value})", value
        if self.chance(.2):
            view = self.pick(sorted(self.views))
            axis = self.rng.randrange(self.views[view])
            ck = f"len({view})" if axis == 0 and self.chance(.5) else f"{view}.shape[{axis}]"
            return ck, f"{view}.shape[{axis}]", "int64"
        name = self.pick(sorted(self.variables))
        return name, name, self.variables[name]

    def binary(self, depth):
        kind = self.pick(["add", "add", "add", "sub", "sub", "mul", "mul", "div", "mod", "shl", "shr", "and", "or",
                          "xor", "min", "max", "neg", "inv", "abs"])
        a = self.typed(depth - 1)
        signs = {"add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%", "shl": "<<", "shr": ">>", "and": "&",
                 "or": "|", "xor": "^"}
        if kind in ("neg", "inv", "abs"):
            result = mixed_type(kind, a[2], a[2])
            ck = {"neg": f"(-{a[0]})", "inv": f"(~{a[0]})", "abs": f"abs({a[0]})"}[kind]
            python = {"neg": f"-{a[1]}", "inv": f"~{a[1]}", "abs": f"abs({a[1]})"}[kind]
            return ck, f"wrap('{result}', {python})", result
        b = self.expression(depth - 1)
        if self.chance(.2) and not isinstance(b[2], int):
            a, b = b, a
        result = mixed_type("min" if kind == "max" else kind, a[2], b[2])
        if kind in ("min", "max"):
            return f"{kind}({a[0]}, {b[0]})", f"{kind}({a[1]}, {b[1]})", result
        bits = int(result.lstrip("uint"))
        return (f"({a[0]} {signs[kind]} {b[0]})",
                f"wrap('{result}', OPERATIONS['{kind}']({a[1]}, {b[1]}, {bits}))", result)

    def expression(self, depth):
        kind = self.rng.random()
        if depth <= 0 or kind < .2:
            return self.leaf()
        if kind < .35:
            dtype = self.pick(WIDE + TYPES)
            ck, python, _ = self.typed(depth - 1)
            return f"{dtype}({ck})", f"wrap('{dtype}', {python})", dtype
        if kind < .42:
            condition, (a, b) = self.condition(depth - 1), (self.typed(depth - 1), self.typed(depth - 1))
            common = self.common(a[2], b[2])
            return (f"({a[0]} if {condition[0]} else {b[0]})", f"({a[1]} if {condition[1]} else {b[1]})", common)
        if kind < .5:
            return self.load(depth)
        return self.binary(depth)

    @staticmethod
    def common(a, b):
        return mixed_type("min", a, b)

    def typed(self, depth):
        """An expression that is no literal."""
        while True:
            expression = self.expression(depth)
            if not isinstance(expression[2], int):
                return expression

    def of_type(self, dtype, depth=3):
        ck, python, its = self.expression(depth)
        if its == dtype:
            return ck, python
        return f"{dtype}({ck})", f"wrap('{dtype}', {python})"

    def argument(self, dtype):
        """A value that the compiler does not know: as a step it may be 0."""
        name = self.pick(sorted(self.scalars))
        return f"{dtype}({name})", f"wrap('{dtype}', {name})"

    def condition(self, depth=2):
        kind = self.rng.random()
        if depth > 0 and kind < .2:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            word = self.pick(["and", "or"])
            return f"({a[0]} {word} {b[0]})", f"({a[1]} {word} {b[1]})"
        a, b = self.typed(depth), self.expression(depth)
        sign = self.pick(["<", "<=", ">", ">=", "==", "!="])
        if kind < .4:
            c = self.typed(depth - 1)
            return (f"({c[0]} <= {a[0]} {sign} {b[0]})", f"({c[1]} <= {a[1]} {sign} {b[1]})")
        return f"({a[0]} {sign} {b[0]})", f"({a[1]} {sign} {b[1]})"

    def index(self, view, axis, depth):
        """An index that is in range if the extent is not 0. Of a kernel with wraparound it may be
        negative."""
        ck, python, dtype = self.typed(depth)
        extent = f"{view}.shape[{axis}]"
        kind = self.rng.random()
        if kind < .4:
            return f"(int64({ck}) % {extent})", f"(wrap('int64', {python}) % {extent})"
        if kind < .55 and self.wraparound:
            return f"(int64({ck}) % {extent} - {extent})", f"(wrap('int64', {python}) % {extent} - {extent})"
        if kind < .65 and self.wraparound:
            return f"(-1 - int64({ck}) % {extent})", f"(-1 - wrap('int64', {python}) % {extent})"
        if kind < .8:
            return (f"min(max(int64({ck}), 0), {extent} - 1)", f"min(max(wrap('int64', {python}), 0), {extent} - 1)")
        if kind < .9 and self.wraparound:
            return (f"min(max(int64({ck}), -{extent}), {extent} - 1)",
                    f"min(max(wrap('int64', {python}), -{extent}), {extent} - 1)")
        clip = f"({ck} if 0 <= {ck} < {extent} else 0)", f"({python} if 0 <= {python} < {extent} else 0)"
        return clip if len(ck) < 60 and dtype != "uint64" else (f"(int64({ck}) % {extent})",
                                                                f"(wrap('int64', {python}) % {extent})")

    def load(self, depth):
        """An element, or 0 of an empty array."""
        if self.chance(.2):
            index = self.typed(depth - 1)
            by = self.pick([" - 8", ""]) if self.wraparound else ""
            return (f"own[int64({index[0]}) % 8{by}]", f"own[(wrap('int64', {index[1]}) % 8{by}) % 8]", self.own)
        view = self.pick(sorted(self.views))
        n_axes, dtype = self.views[view], self.dtype_of(view)
        indices = [self.index(view, axis, min(depth - 1, 2)) for axis in range(n_axes)]
        inside = " and ".join(f"{view}.shape[{axis}] > 0" for axis in range(n_axes))
        brackets = "][" if n_axes == 2 and self.chance(.3) else ", "
        ck = f"{view}[{brackets.join(ck for ck, _ in indices)}]"
        python = f"{view}[({', '.join(python for _, python in indices)},)]"
        return f"({ck} if {inside} else {dtype}(0))", f"({python} if {inside} else 0)", dtype

    def dtype_of(self, view):
        return self.arrays[self.view_roots.get(view, view)].dtype

    # --- Statements -------------------------------------------------------------------------------

    view_roots = {}

    def new_variable(self, depth):
        name, dtype = self.name("v"), self.pick(WIDE + TYPES)
        ck, python = self.of_type(dtype)
        self.put(depth, f"{name} = {dtype}({ck})", f"{name} = {python}")
        self.variables[name] = dtype

    def assign(self, depth):
        names = sorted(set(self.variables) - self.fixed)
        name = self.pick(names)
        dtype = self.variables[name]
        kind = self.rng.random()
        if kind < .4 and np_bits(dtype) >= 32:
            sign, (ck, python) = self.pick(["+", "-", "*", "^", "&", "|"]), self.of_type(dtype, 2)
            self.put(depth, f"{name} {sign}= {ck}", f"{name} = wrap('{dtype}', {name} {sign} {python})")
            return
        if kind < .5:
            place = self.typed(2)
            ck, python = self.of_type(self.own, 2)
            self.put(depth, f"own[int64({place[0]}) % 8] = {ck}", f"own[wrap('int64', {place[1]}) % 8] = {python}")
            return
        if kind < .65:
            self.store(depth)
            return
        ck, python = self.of_type(dtype)
        self.put(depth, f"{name} = {dtype}({ck})", f"{name} = {python}")

    def store(self, depth):
        ck, python = self.index("y", 1, 2)
        value = self.of_type(self.stores.dtype, 2)
        self.put(depth, f"y[i, {ck}] = {value[0]}", f"y[i, {python}] = {value[1]}")

    def new_view(self, depth):
        """A slice, a row or a transpose."""
        view = self.pick(sorted(self.views))
        n_axes, name = self.views[view], self.name("w")
        if len(self.views) > 4:
            return
        if n_axes == 2 and self.chance(.3):
            row = self.index(view, 0, 2)
            self.put(depth, f"{name} = {view}[{row[0]}] if {view}.shape[0] > 0 else {view}[:1, 0]",
                     f"{name} = {view}.row({row[1]}) if {view}.shape[0] > 0 else {view}.cut(0, None, 1, None).first()")
            n_axes = 1
            return self.drop_last(2)
        if n_axes == 2 and self.chance(.3):
            self.put(depth, f"{name} = {view}.T", f"{name} = {view}.turned()")
        else:
            axis = self.rng.randrange(n_axes)
            start, stop, step = self.bound(), self.bound(), self.argument("int64")
            if self.chance(.6):
                step = self.pick([("", "None"), ("-1", "-1"), ("2", "2"), ("-3", "-3")])
            ck = f"{start[0]}:{stop[0]}:{step[0]}" if step[0] else f"{start[0]}:{stop[0]}"
            whole = ":, " * axis
            self.put(depth, f"{name} = {view}[{whole}{ck}]",
                     f"{name} = {view}.cut({axis}, {start[1]}, {stop[1]}, {step[1]})")
        self.views[name] = n_axes
        self.view_roots = {**self.view_roots, name: self.view_roots.get(view, view)}
        return None

    def drop_last(self, count):
        """Takes back what was put last: a row of an array that may be empty has no view."""
        del self.ck[-1:], self.python[-1:]
        assert count

    def bound(self):
        if self.chance(.3):
            return "", "None"
        ck, python, dtype = self.expression(2)
        return (ck, python) if dtype != "uint64" else ("", "None")

    def statement(self, depth):
        kind = self.rng.random()
        if depth > 3 or kind < .35:
            self.assign(depth)
        elif kind < .45 and depth == 1:
            self.new_variable(depth)
        elif kind < .55 and depth == 1:
            self.new_view(depth)
        elif kind < .7:
            condition = self.condition()
            self.put(depth, f"if {condition[0]}:", f"if {condition[1]}:")
            self.block(depth + 1)
            if self.chance(.4):
                self.put(depth, "else:")
                self.block(depth + 1)
        elif kind < .9:
            self.for_loop(depth)
        else:
            self.while_loop(depth)

    def block(self, depth):
        for _ in range(self.rng.randint(1, 3)):
            self.statement(depth)

    def for_loop(self, depth):
        """Over a range, whose counter has the arguments' common type."""
        counter, dtype = self.name("k"), self.pick(WIDE + TYPES)
        start, few = self.of_type(dtype, 2), self.rng.randrange(1, 8)
        kind = self.rng.random()
        step = self.pick([1, 1, 1, 2, 3, -1, -2])
        if dtype in UNSIGNED:
            step = abs(step)
        if kind < .5:  # a few iterations, if the end does not wrap
            name = self.name("s")
            self.put(depth, f"{name} = {dtype}({start[0]})", f"{name} = {start[1]}")
            end = few * step
            ck = f"range({name}, {dtype}({name} + {end}), {dtype}({step}))" if end >= 0 or dtype not in UNSIGNED else None
            python = f"steps.range({name}, wrap('{dtype}', {name} + {end}), {step})"
        elif kind < .7:  # up to an end of the type, and from there
            low, high = int_range(dtype)
            first = near(self.rng, high, 0) - self.rng.randrange(12)
            last = high - self.rng.randrange(2)
            if step < 0:
                first, last = low + self.rng.randrange(12), low + self.rng.randrange(2)
            first = min(max(first, low), high)
            ck = f"range({dtype}({first}), {dtype}({last}), {dtype}({step}))"
            python = f"steps.range({first}, {last}, {step})"
        elif kind < .85:  # by a step that only a few fit in
            low, high = int_range(dtype)
            step = max(1, (high - low) // self.rng.randrange(1, 7) - self.rng.randrange(2))
            step = min(step, high)
            bounds = self.of_type(dtype, 1), self.of_type(dtype, 1)
            sign = self.pick(["", "-"]) if dtype in SIGNED else ""
            ck = f"range({bounds[0][0]}, {bounds[1][0]}, {dtype}({sign}{step}))"
            python = f"steps.range({bounds[0][1]}, {bounds[1][1]}, {sign}{step})"
        else:
            end, by = self.of_type(dtype, 2), self.argument(dtype)
            ck = f"range({start[0]}, {end[0]}, {by[0]})"
            python = f"steps.range({start[1]}, {end[1]}, {by[1]})"
        if self.chance(.1) and kind < .7:
            ck, python = f"reversed({ck})", f"reversed(list({python}))"
        self.put(depth, f"for {counter} in {ck}:", f"for {counter} in {python}:")
        self.variables[counter] = dtype
        self.fixed.add(counter)
        self.block(depth + 1)
        if self.chance(.3):
            condition = self.condition(1)
            self.put(depth + 1, f"if {condition[0]}:", f"if {condition[1]}:")
            self.put(depth + 2, self.pick(["break", "continue"]))
            self.assign(depth + 1)
        del self.variables[counter]
        self.fixed.discard(counter)

    def while_loop(self, depth):
        """A counter that goes on to wherever, in at most a few steps."""
        name, left, dtype = self.name("v"), self.name("n"), self.pick(WIDE + TYPES)
        start = self.of_type(dtype, 2)
        condition_type = self.expression(2)
        sign, by = self.pick(["<", "!=", ">", "<=", ">="]), self.pick([1, 2, 3, 7])
        operator = self.pick("+-")
        self.put(depth, f"{name} = {dtype}({start[0]})", f"{name} = {start[1]}")
        self.put(depth, f"{left} = int64({self.rng.randrange(1, 8)})", f"{left} = {self.rng.randrange(1, 8)}")
        self.python[-1] = "    " * depth + self.ck[-1].strip().replace("int64", "")
        self.put(depth, f"while {name} {sign} {condition_type[0]} and {left} > 0:",
                 f"while {name} {sign} {condition_type[1]} and {left} > 0:")
        self.put(depth + 1, f"{left} -= 1", f"{left} -= 1; steps.one()")
        self.variables[name] = dtype
        self.fixed.add(name)
        self.block(depth + 1)
        self.put(depth + 1, f"{name} = {dtype}({name} {operator} {by})",
                 f"{name} = wrap('{dtype}', {name} {operator} {by})")
        self.fixed.discard(name)
        if depth > 1:
            del self.variables[name]

    # --- What it computes -------------------------------------------------------------------------

    def source(self):
        return "\n".join(self.ck) + "\n"

    def evaluate(self):
        operations = {**MIXED_OPERATIONS}
        space = {"wrap": wrap, "OPERATIONS": operations}
        exec(compile("\n".join(self.python), "the kernel in Python", "exec"), space)
        self.out = [[0] * N_THREADS for _ in self.rows]
        self.memory.stored = {}
        steps = Steps()
        for thread in range(N_THREADS):
            row = _Column(self.out)
            space["k"](*self.arrays.values(), self.stores, *(value for _, value in self.scalars.values()),
                       row, thread, [0] * 8, steps)


class _Column:
    """out[row, i]"""

    def __init__(self, rows):
        self.rows = rows

    def __setitem__(self, place, value):
        self.rows[place[0]][place[1]] = wrap("int64", value)


def np_bits(dtype):
    return int(dtype.lstrip("uint"))
