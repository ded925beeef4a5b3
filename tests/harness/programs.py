"""Random kernels, and what they compute by Python's own rules.

Each is written twice at once: as ck, and as a Python generator, one for each thread, in which a
barrier or an operation of a group is a `yield` that run() answers when all threads that have not
returned have come to it.
Integers are NumPy's scalars, which wrap as the kernel's do. Floats are made so that every order and
every contraction has the same bits: products are by powers of two, and sums over groups are of
quarters between -1000 and 1000.
"""

import math
import random

import numpy as np

from . import program_tables as tables
from .program_features import FEATURE_HELPERS, FEATURES, N_FILLED, N_KEPT, N_RECORDS, N_SENT, RECORDS, Features, record_type, tally_type
from .program_helpers import HELPERS, MIXED_HELPERS
from .program_python import FLOATS, INTS, MIXED_OPERATIONS, SIGNED, UNSIGNED, Watch, mixed_type, run
from .program_rows import ROW_HELPERS
from .program_values import N_DATES, VALUE_HELPERS, WORDS

SHORT = ["int8", "int16", "uint8", "uint16"]  # which every float holds
MIXED = [name for name in INTS if name != "uint64"]  # which have a type that holds both
N_IN, N_LONG = 64, 9000  # elements of each type that a kernel takes, and of the one that it copies
N_LOCAL, N_RING = 8, 1300
N_CHAINS = 1024  # values that blocks hand on, at most
DEEPEST = 4  # blocks in blocks
N_FIRST = 4  # statements of the kind that a program is to use
MAX_TRIPS = {False: 60, True: 8}  # of loops in loops, in a kernel and in a function
BLOCKS = [(1,), (7,), (32,), (33,), (5, 8), (64,), (8, 4, 2), (96,), (4, 24), (128,), (2, 2, 32)]

LITERALS = [0, 1, -1, 3, 7, 100, 255, -129, 300, -300, 40000, 2 ** 31, -2 ** 31, 2654435761, 5 * 10 ** 9]

# Of the text in ck alone.
CK_HELPERS = MIXED_HELPERS + VALUE_HELPERS + ROW_HELPERS + tables.TABLE_HELPERS + FEATURE_HELPERS
KINDS = sorted([*tables.KINDS, *FEATURES])  # of which a program uses some
N_KINDS, N_ROWS = 3, 8


class Writer(Features):
    """Lines of ck and the same in Python; the variables that can be read, by name their types."""

    def __init__(self, rng, program):
        self.rng = rng
        self.program = program
        self.ck, self.python = [], []
        self.variables = {}
        self.positions, self.flags = ["t", "i", "b", "n"], []
        self.n_names = 0
        self.in_function = False
        self.may_return = False  # the kernel's threads, in what is written here
        self.has_returned = False  # some may have, before what is written here
        self.groups = []  # partitions of tiles that all threads have made: name and tile's size
        self.n_trips = 1  # of the loops around what is written, at most

    def put(self, depth, ck, python=None):
        self.ck.append("    " * depth + ck)
        self.python.append("    " * depth + (ck if python is None else python))

    def wait(self, depth, ck, scope="block", copies=None):
        """A barrier that all threads of the block, or of the grid, come to, and that leaves at most
        so many copies in flight."""
        self.put(depth, ck, f"yield 'sync', '{scope}', {copies}")

    def name(self, prefix):
        self.n_names += 1
        return f"{prefix}{self.n_names}"

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, items):
        return self.rng.choice(items)

    # --- Expressions ------------------------------------------------------------------------------

    def literal(self, dtype):
        if dtype in FLOATS:
            return f"{dtype}({self.rng.randrange(-64, 64) / 4})"
        most = 100 if dtype in ("int8", "uint8") else 1000
        value = self.pick([0, 1, 2, 7, 31, most, self.rng.randrange(most)])
        return f"{dtype}({value if dtype in UNSIGNED or self.chance(.6) else -value})"

    def leaf(self, dtype):
        names = [name for name, its in self.variables.items() if its == dtype]
        if dtype == "int64" and self.chance(.3):
            return self.pick(self.positions)
        return self.pick(names) if names and self.chance(.8) else self.literal(dtype)

    def index(self, extent, depth):
        return f"int64({self.expression(self.pick(['int32', 'int64', 'uint32']), depth)}) % {extent}"

    def element(self, dtype, depth):
        program = self.program
        features = self.feature_elements(dtype)
        if features and self.chance(.3):
            return self.pick(features)(dtype, depth)
        kind = self.pick(["given", "table", "view", "row", "local", "fold", "constant", "shaped"] +
                         ["address"] * 4 * program.addresses)
        if kind == "fold" and dtype in program.functions:
            return f"{dtype}(fold_{dtype}(x_{dtype}[{self.slice(N_IN)}], {self.new_value(dtype, depth)}))"
        if kind in ("fold", "constant"):
            return f"C_{dtype}[{self.index(5, depth)}]" if dtype in program.types else self.leaf(dtype)
        if kind == "local" and dtype == program.local_type:
            return f"own[{self.index(N_LOCAL, depth)}]"
        if dtype not in program.types or kind == "local":
            return self.leaf(dtype)
        if kind == "given":
            return f"x_{dtype}[{self.index(N_IN, depth)}]"
        if kind == "address":
            if dtype == program.pointed_type and self.chance(.5):
                return f"p[{self.index(N_IN, depth)}]"
            return f"{self.pick(['at', 'behind'])}_{dtype}(x_{dtype}, {self.index(N_IN, depth)})"
        first, second = self.index(8, depth), self.index(4, depth)
        if kind == "shaped":
            shape = self.pick(["8, 8", "-1, 4", "(16, 4)"])
            return f"x_{dtype}.reshape({shape})[{first}, {second}]"
        return {"table": f"a_{dtype}[{first}, {second}]", "row": f"a_{dtype}[{first}][{second}]",
                "view": f"a_{dtype}[1:7, ::2].T[{self.index(2, depth)}, {self.index(6, depth)}]"}[kind]

    def slice(self, extent):
        """Bounds and a step as Python takes them: below zero, beyond the end, the wrong way
        round."""
        def bound():
            return self.pick(["", str(self.rng.randint(-extent - 3, extent + 3)), self.index(extent, 1)])

        return f"{bound()}:{bound()}" + self.pick(["", "", f":{self.pick([2, 3, -1, -2])}"])

    def cast(self, dtype, depth):
        """From what both sides round alike: an integer to a float only from short ones."""
        source = self.pick(FLOATS + SHORT if dtype in FLOATS else INTS + FLOATS)
        value = self.expression(source, depth)
        return f"{dtype}(int64({value}))" if source in FLOATS and dtype in INTS else f"{dtype}({value})"

    def arithmetic(self, dtype, depth):
        left, kind = self.expression(dtype, depth), self.rng.random()
        if dtype in FLOATS:
            if kind < .1:
                return f"({left} * {dtype}({self.pick(['0.5', '2', '-4'])}))"
            if kind < .2:
                return f"({left} / {dtype}({self.pick(['2', '3', '7'])}))"
            if kind < .25:
                return f"{dtype}(math.sqrt(abs({left})))"
            if kind < .3:
                return f"{dtype}(math.floor({left}))"
            return f"({left} {self.pick('+-')} {self.expression(dtype, depth)})"
        if kind < .1:
            signed = ["~", "-", "abs"] if dtype in SIGNED else []
            function = self.pick(["popc", "clz", "brev", "ffs", *signed])
            return f"{dtype}({function}({left}))"
        if kind < .2:
            divisor = f"(({self.expression(dtype, depth)} & {dtype}(15)) + {dtype}(1))"
            return f"{dtype}({left} {self.pick(['//', '%'])} {dtype}{divisor})"
        if kind < .3:
            most = 7 if dtype in ("int8", "uint8") else 15
            count = f"({self.expression(dtype, depth)} & {dtype}({most}))"
            return f"{dtype}({left} {self.pick(['<<', '>>'])} {dtype}{count})"
        other = self.pick(MIXED) if dtype in MIXED and self.chance(.3) else dtype
        return f"{dtype}({left} {self.pick(['+', '-', '*', '&', '|', '^'])} {self.expression(other, depth)})"

    def expression(self, dtype, depth=3):
        if depth <= 0 or self.chance(.15):
            return self.leaf(dtype)
        kind, depth = self.rng.random(), depth - 1
        if self.program.rows and dtype in INTS and self.chance(.1):
            return f"{dtype}({self.row(self.pick(self.program.rows), depth - 1)})"
        if kind < .1:
            return (f"({self.expression(dtype, depth)} if {self.condition(depth)}"
                    f" else {self.expression(dtype, depth)})")
        if kind < .2:
            sides = [self.expression(dtype, depth) for _ in range(self.pick([2, 2, 3]))]
            return f"{self.pick(['min', 'max'])}({', '.join(sides)})"
        if kind < .3:
            return self.cast(dtype, depth)
        if kind < .45 and not self.in_function:
            return self.element(dtype, depth)
        if kind < .52 and dtype in self.program.functions:
            values = f"{self.expression(dtype, depth)}, {self.expression(dtype, depth)}"
            values = f"*({values})" if self.chance(.3) else values
            return f"{dtype}(f_{dtype}({values}, {self.condition(depth)}))"
        if kind < .62 and dtype in INTS:
            if self.chance(.2) and not self.in_function:
                return f"{dtype}({self.sum_of_array(depth)})"
            return f"{dtype}({self.mixed(min(depth, 2))[0]})"
        if kind < .7:
            return self.of_values(dtype, depth)
        return self.arithmetic(dtype, depth)

    def of_values(self, dtype, depth):
        """By a function of vectors, records, tuples, bits or dates."""
        kinds = ["vector", "record", "pair"] + ["bits"] * (dtype in WORDS) + ["dates"] * (dtype == "int64")
        kind = self.pick(kinds)
        if kind == "bits":
            return f"bits_{dtype}({self.expression(dtype, depth)})"
        if kind == "dates":
            a, b = (self.expression(self.pick(["int64", "int32"]), depth) for _ in range(2))
            return f"dates_of(int64({a}), int64({b}))[{self.rng.randrange(N_DATES)}]"
        operands = [self.expression(dtype, depth) for _ in range(2)]
        item = f"[{self.rng.randrange(2)}]" if kind == "vector" else ""
        return f"{kind}_{dtype}({', '.join(operands)}){item}"

    def mixed(self, depth):
        """(text, type): arithmetic that keeps the types which its operands give it."""
        if depth <= 0 or self.chance(.2):
            dtype = self.pick(MIXED)
            return self.expression(dtype, depth - 1), dtype
        (left, first), kind = self.mixed(depth - 1), self.pick([*MIXED_OPERATIONS, "add", "mul", "less"])
        right, second = self.mixed(depth - 1)
        if self.chance(.3):
            second = self.pick(LITERALS)
            right = str(second)
        text = f"mixed_{kind}({left}, {right})"
        if kind == "less":
            return f"int32({text})", "int32"
        return text, mixed_type(kind, first, first if kind in ("neg", "inv", "abs") else second)

    def sum_of_array(self, depth):
        dtype = self.pick([its for its in self.program.types if its in INTS])
        values = f"x_{dtype}[{self.slice(N_IN)}]"
        if dtype == "uint64" or self.chance(.5):  # counts are int64, of which it is no part
            return f"total({values})"
        return f"count_small({values}, {self.expression(dtype, depth)})"

    def condition(self, depth=2):
        kind = self.rng.random()
        if depth > 0 and kind < .15:
            return f"({self.condition(depth - 1)} {self.pick(['and', 'or'])} {self.condition(depth - 1)})"
        if depth > 0 and kind < .2:
            return f"(not {self.condition(depth - 1)})"
        if kind < .25 and self.flags:
            return self.pick(self.flags)
        dtype = self.pick(sorted(set(self.variables.values())))
        sides = [self.expression(dtype, depth - 1) for _ in range(3)]
        if kind < .35:
            return f"({sides[0]} <= {sides[1]} < {sides[2]})"
        if kind < .45 and dtype in MIXED:
            sides[1] = self.expression(self.pick(MIXED), depth - 1)  # mixed comparisons are exact
        return f"({sides[0]} {self.pick(['<', '<=', '==', '!=', '>', '>='])} {sides[1]})"

    # --- Statements -------------------------------------------------------------------------------

    def values(self, dtypes=None):
        """Names that can be assigned."""
        return [name for name, its in self.variables.items()
                if name[0] == "v" and (dtypes is None or its in dtypes)]

    def new_value(self, dtype, depth=3):
        return self.cut(dtype, self.expression(dtype, depth))

    def cut(self, dtype, value):
        return f"cut{dtype[5:]}({value})" if dtype in FLOATS else value

    def assign(self, depth):
        target, kind = self.pick(self.values()), self.rng.random()
        dtype = self.variables[target]
        others = [name for name in self.values([dtype]) if name != target]
        if self.program.features and not self.in_function and self.chance(.15):
            self.feature(depth, target)
        elif kind < .05 and self.flags:
            self.put(depth, f"{self.pick(self.flags)} = {self.condition()}")
        elif kind < .2 and not self.in_function:
            place = self.index(N_LOCAL, 2) if self.chance(.7) else self.slice(N_LOCAL)
            self.put(depth, f"own[{place}] = {self.expression(self.program.local_type)}")
        elif kind < .3 and dtype in INTS:
            operator, value = self.pick("+-^|&"), self.expression(dtype)
            narrowed = f"{target} = {dtype}({target} {operator} {value})"
            widens = operator in "+-" and np.iinfo(dtype).bits < 32  # the name would be an int32
            self.put(depth, narrowed if widens else f"{target} {operator}= {value}", narrowed)
        elif kind < .4 and others:
            self.put(depth, f"{target}, {self.pick(others)} = {self.new_value(dtype)}, "
                            f"{self.new_value(dtype)}")
        elif kind < .5 and others and dtype in self.program.functions:
            self.put(depth, f"{target}, {self.pick(others)} = both_{dtype}({self.new_value(dtype)}, "
                            f"{self.new_value(dtype)})")
        elif kind < .53 and not self.in_function:
            self.put(depth, f"pair = ({self.new_value(self.variables['pair[0]'])}, "
                            f"{self.new_value(self.variables['pair[1]'])})")
        elif kind < .57 and not self.in_function:
            self.count_at(depth, "counts", self.index(4, 2))
        elif kind < .62:
            self.pick([self.in_passing, self.by_inner_function, self.by_functions, self.where_set])(depth, target)
        else:
            self.put(depth, f"{target} = {self.new_value(dtype)}")

    def begin(self):
        """With the kind that the program is to use."""
        for number in self.program.rows[:N_FIRST]:
            target = self.pick(self.values(INTS))
            self.put(1, f"{target} = {self.variables[target]}({self.row(number, 2)})")
        for _ in range(N_FIRST if self.program.features else 0):
            self.feature(1, self.pick(self.values()))
        for its in self.program.types if self.program.features else ():
            if functions := self.feature_elements(its):
                self.put(1, f"{self.pick(self.values([its]))} = {self.cut(its, self.pick(functions)(its, 2))}")
        if "records" in self.program.features:
            self.pass_on_record(1)

    def row(self, number, depth):
        operands = ", ".join(self.expression("int32", depth) for _ in range(2))
        return f"row_{number}({operands})"

    def in_passing(self, depth, target):
        """By a name that is bound in a condition, or that ends with a `del`."""
        dtype, name = self.variables[target], self.name("z")
        if self.chance(.5):
            self.put(depth, f"{name} = {self.new_value(dtype)}")
            self.variables[name] = dtype
            self.put(depth, f"{target} = {self.new_value(dtype)}")
            self.put(depth, f"del {name}")
        else:
            self.put(depth, f"if ({name} := {self.new_value(dtype)}) {self.pick('<>')} {self.expression(dtype)}:")
            self.variables[name] = dtype
            self.put(depth + 1, f"{target} = {self.new_value(dtype)}")
        del self.variables[name]

    def where_set(self, depth, target):
        """By a name that is set, and read, under one condition."""
        if not self.flags:
            self.put(depth, f"{target} = {self.new_value(self.variables[target])}")
            return
        name, flag = self.name("z"), self.pick(self.flags)
        self.put(depth, f"if {flag}:")
        self.put(depth + 1, f"{name} = {self.new_value(self.variables[target])}")
        self.put(depth, f"{target} = {self.new_value(self.variables[target])}")
        self.put(depth, f"if {flag}:")
        self.put(depth + 1, f"{target} = {name}")

    def inner_value(self, names):
        """What a function in the function returns, by its parameters and the names around it."""
        self.variables |= names
        value = self.new_value(list(names.values())[0], 2)
        for name in names:
            del self.variables[name]
        return value

    def by_inner_function(self, depth, target):
        """Which reads names as they are at a call, but in its default value."""
        dtype, function = self.variables[target], self.name("g")
        first, second = self.name("p"), self.name("p")
        self.put(depth, f"def {function}({first}, {second}={self.new_value(dtype, 2)}):")
        self.put(depth + 1, f"return {self.inner_value({first: dtype, second: dtype})}")
        changed = self.pick(self.values())
        self.put(depth, f"{changed} = {self.new_value(self.variables[changed])}")
        given = self.pick(["", f", {self.new_value(dtype, 1)}", f", {second}={self.new_value(dtype, 1)}"])
        self.put(depth, f"{target} = {function}({self.new_value(dtype)}{given})")

    def by_functions(self, depth, target):
        """In a loop over functions, which is unrolled."""
        dtype, function, name = self.variables[target], self.name("g"), self.name("p")
        functions = [f"lambda {name}: {self.inner_value({name: dtype})}" for _ in range(self.rng.randint(1, 3))]
        self.put(depth, f"for {function} in ({', '.join(functions)},):")
        for jump in self.rng.sample(["break", "continue"], self.rng.randrange(3)):
            self.put(depth + 1, f"if {self.condition(1)}:")
            self.put(depth + 2, jump)
        self.put(depth + 1, f"{target} = {function}({target})")
        if self.chance(.3):
            self.put(depth, "else:")
            self.put(depth + 1, f"{target} = {self.new_value(dtype)}")

    def block(self, depth, most, uniform=False):
        for _ in range(self.rng.randint(1, most)):
            self.statement(depth, uniform)

    def statement(self, depth, uniform):
        """`uniform`: all threads of the grid come here."""
        kind = self.rng.random()
        if self.may_return and self.chance(.1):
            self.give_up(depth)
            for _ in range(self.rng.randrange(4) if uniform else 0):
                self.operation(depth)
        elif uniform and kind < .4:
            self.operation(depth)
        elif kind < .65 or depth > DEEPEST:
            self.assign(depth)
        elif kind < .8:
            same = uniform and self.chance(.3)
            self.put(depth, f"if {'n > 2' if same else self.condition()}:")
            self.block(depth + 1, 3, same)
            if self.chance(.3):
                self.put(depth, f"elif {'n == 1' if same else self.condition()}:")
                self.block(depth + 1, 2, same)
            if self.chance(.5):
                self.put(depth, "else:")
                self.block(depth + 1, 3, same)
        elif kind < .82 and self.affords(12):
            self.index_loop(depth)
        elif kind < .9 and self.affords(7):
            self.for_loop(depth, uniform and self.chance(.6))
        elif kind < .95 and self.affords(16):
            self.array_loop(depth)
        elif self.affords(6):
            self.while_loop(depth)
        else:
            self.assign(depth)

    def affords(self, trips):
        return self.n_trips * trips <= MAX_TRIPS[self.in_function]

    def for_loop(self, depth, uniform):
        counter = self.name("k")
        if uniform:
            trips = self.pick(["n", "n + 1", "3", "n - 2", "1, n + 2, 2", "3, -1, -1"])
        else:
            trips = self.pick(["", "1, "]) + self.index(7, 2)
        self.put(depth, f"for {counter} in range({trips}):", f"for {counter} in map(int64, range({trips})):")
        self.loop_body(depth, {counter: "int64"}, uniform, 7)

    def index_loop(self, depth):
        first, second = self.name("k"), self.name("k")
        rows, columns = self.index(4, 2), self.rng.randint(1, 4)
        self.put(depth, f"for {first}, {second} in np.ndindex({rows}, {columns}):",
                 f"for {first}, {second} in [(int64(r), int64(c)) for r in range({rows}) for c in range({columns})]:")
        self.loop_body(depth, {first: "int64", second: "int64"}, False, 12)

    def array_loop(self, depth):
        dtype, element = self.pick(self.program.types), self.name("e")
        array = self.pick([f"x_{dtype}[{self.slice(8)}]", f"a_{dtype}[{self.index(8, 2)}]",
                           f"a_{dtype}.T[1, {self.slice(8)}]", f"C_{dtype}"])
        kind = self.pick(["alone", "enumerate", "zip"])
        if kind == "alone":
            self.put(depth, f"for {element} in {array}:")
            self.loop_body(depth, {element: dtype})
        elif kind == "enumerate":
            counter = self.name("k")
            self.put(depth, f"for {counter}, {element} in enumerate({array}):")
            self.loop_body(depth, {counter: "int64", element: dtype})
        else:
            other = self.name("e")
            self.put(depth, f"for {other}, {element} in zip(own, {array}):")
            self.loop_body(depth, {other: self.program.local_type, element: dtype})

    def loop_body(self, depth, names, uniform=False, most=16):
        """The body of a loop, and its `else`."""
        self.variables |= names
        self.n_trips *= most
        may_return = self.begin_loop()
        self.block(depth + 1, 4, uniform)
        self.may_return = may_return
        self.n_trips //= most
        if not uniform and self.chance(.4):
            self.leave(depth + 1)
        for name in names:
            del self.variables[name]
        if not uniform and self.chance(.15):
            self.put(depth, "else:")
            self.block(depth + 1, 1)

    def while_loop(self, depth):
        left = self.name("w")
        self.put(depth, f"{left} = {self.rng.randint(1, 6)}")
        self.put(depth, f"while {left} > 0 and {self.condition(1)}:")
        self.put(depth + 1, f"{left} -= 1")
        self.n_trips *= 6
        may_return = self.begin_loop()
        self.block(depth + 1, 3)
        self.may_return = may_return
        self.n_trips //= 6
        if self.chance(.3):
            self.leave(depth + 1)

    def give_up(self, depth):
        """Some threads return, the others go on."""
        period = self.rng.randint(2, 9)
        some = f"(t * {self.rng.randint(1, 5)} + {self.rng.randrange(9)}) % {period} < {self.rng.randrange(1, period)}"
        self.put(depth, f"if {self.pick([self.condition(1), some, some])}:")
        if self.chance(.3):
            self.assign(depth + 1)
        self.put(depth + 1, "return")
        self.has_returned = True

    def begin_loop(self):
        """In a loop, threads that return have done so before everything in its next iteration. What
        may_return is to be after it."""
        may_return = self.may_return
        if may_return and self.chance(.3):
            self.has_returned = True
        self.may_return = may_return and self.has_returned
        return may_return

    def leave(self, depth):
        self.put(depth, f"if {self.condition(1)}:")
        self.put(depth + 1, self.pick(["break", "continue"]))
        self.block(depth, 1)

    # --- What threads do together -----------------------------------------------------------------

    def operation(self, depth):
        kind = self.rng.random()
        if self.has_returned:
            self.operation_of_few(depth)
        elif kind < .1:
            self.pass_on(depth)
        elif kind < .15:
            self.pass_on_in_function(depth)
        elif kind < .22:
            self.pass_on_between_arrive_and_wait(depth)
        elif kind < .32 and self.program.whole_grid:
            self.pass_on_in_grid(depth)
        elif kind < .38 and depth == 1:
            self.copies(depth)
        elif kind < .41:
            self.chain(depth)
        elif kind < .5 and "records" in self.program.features:
            self.pass_on_record(depth)
        elif kind < .45:
            target = self.pick(self.values(INTS))
            dtype, what = self.variables[target], self.pick(["count", "and", "or"])
            condition = self.condition()
            self.put(depth, f"{target} = {dtype}(cuda.syncthreads_{what}({condition}))",
                     f"{target} = {dtype}((yield 'syncthreads_{what}', 0, {condition}, 0))")
        elif kind < .55:
            self.of_warp(depth)
        elif self.program.sizes:
            self.of_group(depth)
        else:
            self.assign(depth)

    def operation_of_few(self, depth):
        """What threads do together of which some may have returned."""
        kind = self.rng.random()
        if kind < .2:
            self.of_warp(depth)
        elif kind < .4 and self.groups:
            self.of_part(depth, *self.pick(self.groups))
        elif any(0 < size <= 32 for size in self.program.sizes):
            self.of_group(depth)
        else:
            self.assign(depth)

    def pass_on(self, depth):
        """By shared memory."""
        dtype = self.program.shared_type
        target = self.pick(self.values([dtype]))
        self.put(depth, f"all[t] = {self.expression(dtype)}")
        self.wait(depth, "cuda.syncthreads()")
        self.put(depth, f"{target} = all[{self.pick(['(t + 5) % nt', 'nt - 1 - t', self.index('nt', 2)])}]")
        if self.chance(.5):
            self.put(depth, f"if {self.condition()}:")
            self.put(depth + 1, f"{target} = all[{self.index('nt', 1)}]")
        self.wait(depth, "cuda.syncthreads()")

    def pass_on_in_function(self, depth):
        dtype = self.program.shared_type
        target, value = self.pick(self.values([dtype])), self.expression(dtype)
        self.put(depth, f"{target} = passed_on(block, all, {value})",
                 f"{target} = yield from passed_on(all, {value}, t, nt)")

    def pass_on_between_arrive_and_wait(self, depth):
        """Of a barrier: what is between them is done before and after other threads come."""
        dtype, token = self.program.shared_type, self.name("token")
        target = self.pick(self.values([dtype]))
        self.put(depth, f"all[t] = {self.expression(dtype)}")
        self.put(depth, f"{token} = block.barrier_arrive()", "arrived()")
        self.assign(depth)
        self.assign(depth)
        self.wait(depth, f"block.barrier_wait({token})", "arrived")
        self.put(depth, f"{target} = all[{self.index('nt', 2)}]")
        self.wait(depth, "block.sync()")

    def of_warp_pair(self, depth):
        """A shuffle of a tuple, in full warps, with a width."""
        kind, width = self.pick(["shfl_up", "shfl_down", "shfl_xor", "shfl"]), self.pick([1, 4, 8, 32])
        targets = [self.pick(self.values()) for _ in range(2)]
        values = [self.expression(self.variables[target]) for target in targets]
        first, second = self.name("w"), self.name("w")
        lane = self.rng.randrange(width)
        self.put(depth, f"{first}, {second} = {kind}_sync(0xffffffff, ({values[0]}, {values[1]}), {lane}, {width})",
                 f"{first}, {second} = {values[0]}, {values[1]}")
        for target, name in zip(targets, (first, second)):
            self.put(depth, f"{target} = {name}",
                     f"{target} = yield '{kind}', {width}, {name}, {lane}")

    def of_warp(self, depth):
        if not self.has_returned and self.program.threads % 32 == 0 and self.chance(.2):
            self.of_warp_pair(depth)
            return
        kinds = ["ballot", "any", "all"]
        if not self.has_returned:  # else what a lane would get from a missing one is anything
            kinds += ["shfl", "shfl_up"] + ["shfl_down", "shfl_xor"] * (self.program.threads % 32 == 0)
        kind = self.pick(kinds)
        target = self.pick(self.values(None if kind[0] == "s" else INTS))
        dtype = self.variables[target]
        value = self.expression(dtype) if kind[0] == "s" else self.condition()
        lane = 0 if kind in ("shfl", "ballot", "any", "all") else self.rng.randrange(32)
        operands = f"{value}, {lane}" if kind[0] == "s" else value
        self.put(depth, f"{target} = {dtype}({kind}_sync(0xffffffff, {operands}))",
                 f"{target} = {dtype}((yield '{kind}', 32, {value}, {lane}))")

    def pass_on_in_grid(self, depth):
        dtype = self.program.shared_type
        target = self.pick(self.values([dtype]))
        self.put(depth, f"seen[i] = {self.expression(dtype)}")
        self.wait(depth, "this_grid().sync()", "grid")
        self.put(depth, f"{target} = seen[{self.pick(['(i + nt) % seen.size', self.index('seen.size', 2)])}]")
        self.wait(depth, "this_grid().sync()", "grid")

    def chain(self, depth):
        """Each block waits for the one before it, by polling, and adds to what that one left."""
        dtype, mine = self.program.shared_type, self.name("m")
        target, value = self.pick(self.values([dtype])), self.new_value(dtype, 2)
        seen, fence, publish = self.hand_over()
        before = f"(carried[{mine} % {N_CHAINS}, b - 1] if b > 0 else {dtype}(0))"
        self.put(depth, "if t == 0:")
        self.put(depth + 1, f"{mine} = int64(flags[b])")
        self.put(depth + 1, "if b > 0:", "pass")
        self.put(depth + 2, f"while {seen} <= {mine}:", "")
        self.put(depth + 3, self.pick(["pass", "cuda.nanosleep(20)"]), "")
        self.put(depth + 1, fence, "acquired(b)")
        self.put(depth + 1, f"carried[{mine} % {N_CHAINS}, b] = {self.cut(dtype, f'{dtype}({before} + {value})')}")
        for i, line in enumerate(publish):
            self.put(depth + 1, line, "flags[b] += 1; released(b)" if i == len(publish) - 1 else "pass")
        self.wait(depth, "cuda.syncthreads()")
        self.put(depth, f"{target} = carried[(int64(flags[b]) - 1) % {N_CHAINS}, b]")
        self.wait(depth, "cuda.syncthreads()")

    def hand_over(self):
        """How a block sees another one's flag, the fence after it, and how it raises its own:
        fences around plain or relaxed accesses, or accesses that acquire and release."""
        scope = self.pick(["", ", cuda.thread_scope_device"])
        if self.chance(.5):
            seen = self.pick(["cuda.atomic.add(flags, b - 1, 0)", "flags[b - 1]",
                              f"cuda.atomic.load(flags, b - 1, cuda.memory_order_relaxed{scope})"])
            raised = self.pick(["cuda.atomic.add(flags, b, 1)",
                                f"cuda.atomic.store(flags, b, flags[b] + 1, cuda.memory_order_relaxed{scope})"])
            return seen, "cuda.threadfence()", ["cuda.threadfence()", raised]
        acquire, release = (f"cuda.memory_order_{self.pick([order, 'seq_cst'])}{scope}"
                            for order in ("acquire", "release"))
        both = f"cuda.memory_order_{self.pick(['acq_rel', 'seq_cst'])}{scope}"
        seen = self.pick(["cuda.atomic.load(flags, b - 1)", f"cuda.atomic.load(flags, b - 1, {acquire})",
                          f"cuda.atomic.add(flags, b - 1, 0, {both})",
                          f"cuda.atomic.cas(flags, b - 1, 0, 0, {both})"])
        raised = self.pick(["cuda.atomic.store(flags, b, flags[b] + 1)",
                            f"cuda.atomic.store(flags, b, flags[b] + 1, {release})",
                            f"cuda.atomic.add(flags, b, 1, {both})",
                            f"cuda.atomic.exch(flags, b, flags[b] + 1, {release})"])
        return seen, "pass", [raised]

    def copies(self, depth):
        """Asynchronous ones, one of which is in flight as the one before is read, from a ring of
        three."""
        dtype = self.program.shared_type
        target, trip = self.pick(self.values([dtype])), self.name("k")
        trips, skip = self.rng.randint(2, 7), self.pick([0, 1, 4, 16])
        begin = f"{trip} * {self.pick([0, 3, 400, 1300])} + b * {self.pick([0, 1, 64, 1300])} + {skip}"
        length = self.pick([1, 100, N_RING - 20, N_RING, N_RING, N_RING, N_RING + 50])
        copied = f"ring[{trip} % 3], long[begin:begin + {length}]"
        read = f"ring[({trip} - 1) % 3, (t * 11 + {trip}) % {N_RING}]"
        self.put(depth, f"for {trip} in range(t, 3 * {N_RING}, nt):")
        self.put(depth + 1, f"ring[{trip} // {N_RING}, {trip} % {N_RING}] = {dtype}({trip} % 97)")
        self.wait(depth, "block.sync()")
        self.put(depth, f"for {trip} in range({trips}):", f"for {trip} in map(int64, range({trips})):")
        self.put(depth + 1, f"begin = {begin}")
        self.put(depth + 1, f"block.memcpy_async({copied})", f"copy({copied})")
        self.wait(depth + 1, "block.wait_prior(1)", copies=1)
        self.put(depth + 1, f"if {trip} > 0:")
        self.put(depth + 2, f"{target} = {self.cut(dtype, f'{dtype}({target} + {read})')}")
        self.wait(depth, "block.wait()", copies=0)

    def of_group(self, depth):
        size = self.pick([n for n in self.program.sizes if not self.has_returned or 0 < n <= 32])
        group = f"tile{size}" if size else "block"
        target = self.pick(self.values())
        dtype = self.variables[target]
        kinds = ["shfl", "reduce", "inclusive_scan", "exclusive_scan", "any", "all"]
        if 0 < size <= 32:
            kinds += ["shfl_up", "shfl_down", "shfl_xor"]
            kinds += ["ballot", "match_any"] if dtype in INTS else []
        if 0 < size <= 32 or self.program.parts:
            kinds += ["binary_partition", "labeled_partition"]
            kinds += ["stride_partition"] if self.program.threads % (size or 1) == 0 else []
        kind, value = self.pick(kinds), self.expression(dtype)
        if dtype in FLOATS:
            value = f"quarter{dtype[5:]}({value})"
        if kind in ("any", "all"):
            condition, target = self.condition(), self.pick(self.values())
            self.put(depth, f"if {group}.{kind}({condition}):",
                     f"if (yield '{kind}', {size}, {condition}, 0):")
            self.put(depth + 1, f"{target} = {self.new_value(self.variables[target])}")
        elif kind.endswith("partition"):
            part, operator = self.name("part"), self.operator(dtype)
            members = self.pick([1, 3, 4])
            label = {"b": self.condition(), "l": f"int32({self.expression('int32')} & int32(3))",
                     "s": f"t % {size or 'nt'} % -(-{size or 'nt'} // {members})"}[kind[0]]
            self.put(depth, f"{part} = {kind}({group}, {members if kind[0] == 's' else label})",
                     f"{part} = {label}")
            self.put(depth, f"{target} = {self.narrowed(dtype, f'{part}.reduce({value}, {operator})')}",
                     f"{target} = yield 'part', {size}, {value}, ('{operator}', {part})")
            if depth == 1 and 0 < size <= 32:
                self.groups.append((part, size))
        elif kind in ("ballot", "match_any"):
            value = self.condition() if kind == "ballot" else f"{dtype}({value} & {dtype}(3))"
            self.put(depth, f"{target} = {dtype}({group}.{kind}({value}))",
                     f"{target} = {dtype}((yield '{kind}', {size}, {value}, 0))")
        elif kind.startswith("shfl"):
            lane = self.index(size or "nt", 1) if kind == "shfl" else self.rng.randint(0, size - 1)
            self.put(depth, f"{target} = {group}.{kind}({value}, {lane})",
                     f"{target} = yield '{kind}', {size}, {value}, {lane}")
        else:
            operator = self.operator(dtype)
            self.put(depth, f"{target} = {self.narrowed(dtype, f'{group}.{kind}({value}, {operator})')}",
                     f"{target} = yield '{kind}', {size}, {value}, '{operator}'")

    def of_part(self, depth, part, size):
        """Of threads that have been together before."""
        target = self.pick(self.values())
        dtype = self.variables[target]
        operator, value = self.operator(dtype), self.expression(dtype)
        if dtype in FLOATS:
            value = f"quarter{dtype[5:]}({value})"
        self.put(depth, f"{target} = {self.narrowed(dtype, f'{part}.reduce({value}, {operator})')}",
                 f"{target} = yield 'part', {size}, {value}, ('{operator}', {part})")

    def narrowed(self, dtype, combined):
        """The combination of a group's values, whose sums are of 32 bits at least, as the values'
        type."""
        return f"{dtype}({combined})" if dtype in INTS and np.iinfo(dtype).bits < 32 else combined

    def operator(self, dtype):
        bits = ["bit_and", "bit_or", "bit_xor"] if dtype in INTS else []
        return self.pick(["plus", "less", "greater", "last", *bits])


class Program:
    """A kernel `k`: its lines, in ck and in Python, its launch, by name the arrays it is given, and
    those of the module. `launches` are those whose results are due. `use`: its one kind of
    KINDS."""

    def __init__(self, seed, use=None):
        self.seed, self.use, rng = seed, use, random.Random(seed)
        uses = [use] if use else rng.sample(KINDS, N_KINDS)
        self.features = [kind for kind in FEATURES if kind in uses]
        numbers = [k for k, row in enumerate(tables.ROWS) if row.kind in uses]
        self.rows = rng.sample(numbers, min(N_ROWS, len(numbers)))
        self.grid, self.block = rng.choice([(1,), (2,), (3,), (1, 2), (2, 1, 2)]), rng.choice(BLOCKS)
        self.blocks, self.threads = math.prod(self.grid), math.prod(self.block)
        self.types = sorted({rng.choice(INTS), *rng.sample(INTS + FLOATS, 3)})
        self.addresses, self.pointed_type = rng.random() < .2, rng.choice(self.types)
        self.local_type, self.shared_type = rng.choice(self.types), rng.choice(self.types)
        self.n_ring = N_RING
        self.count = rng.choice(["add", "max", "min"]), rng.choice(["int32", "int64", "uint32"])
        self.whole_grid, self.is_packed = rng.random() < .4, rng.random() < .3
        whole = rng.random() < .5  # and no tile lacks threads
        self.sizes = [] if rng.random() < .2 else [0] + [
            size for size in (1, 2, 4, 8, 16, 32, 64, 128) if self.threads % size == 0 or not whole]
        self.parts = rng.random() < .3  # of the block and of tiles of several warps
        self.functions = []
        constants = Writer(rng, self)
        for dtype in self.types:
            values = f"[{', '.join(str(rng.randrange(90)) for _ in range(5))}]"
            constants.put(0, f"C_{dtype} = array({values}, {dtype})",
                          f"C_{dtype} = array({values}, '{dtype}')")
        for number in self.rows:
            for line in tables.ROWS[number].lines(f"row_{number}"):
                constants.put(0, line, f"row_{number} = row({number})" if line[0] == "d" else "")
        self.of_features(rng, constants)
        parts = [constants, self.passed_on(rng)]
        parts += [self.function(rng, dtype) for dtype in self.types if rng.random() < .5]
        parts.append(self.kernel(rng))
        self.lines = [line for part in parts for line in zip(part.ck, part.python)]
        self.n = rng.randrange(5)
        self.arrays = self.given(np.random.default_rng(seed))
        self.launch = f"k[{self.grid}, {self.block}]({', '.join(self.names)})"
        self.launches = [self.launch] + [f"later[1, {N_KEPT}](late)"] * (2 * bool(self.globals))

    def source(self):
        return HELPERS + CK_HELPERS + "".join(ck + "\n" for ck, _ in self.lines)

    def of_features(self, rng, writer):
        """Types of records, arrays of the module, and a kernel to be launched after the other."""
        its, count = self.shared_type, self.count[1]
        if "records" in self.features:
            writer.put(0, f"Rec = {RECORDS[self.is_packed].format(its)}", "")
            writer.put(0, f"Tally = record(a=int8, k={count}, z=int16, d=datetime64[s])", "")
        self.globals = ["FILLED", "KEPT"] if "module" in self.features else []
        if self.globals:
            sent = f"array([{', '.join(str(rng.randrange(90)) for _ in range(N_SENT))}], {{}})"
            writer.put(0, f"FILLED = cuda.const.array(({N_FILLED}, 2), {its})", "")
            writer.put(0, f"KEPT = cuda.device_array({N_KEPT}, {count})", "")
            writer.put(0, f"SENT = cuda.to_device({sent.format(its)})", f"SENT = {sent.format(repr(its))}")
            writer.put(0, "@kernel", "")
            writer.put(0, f"def later(late: {count}[::1]):", "def later(late, KEPT, i):")
            writer.put(1, "i = grid(1)", "pass")
            writer.put(1, "late[i] = late[i] * 5 + KEPT[i]")
            writer.put(1, "KEPT[i] = KEPT[i] + late[i] + 1")

    def function(self, rng, dtype):
        """f_T(a, b, whether) and both_T(a, b), which has two results."""
        writer = Writer(rng, self)
        writer.in_function = True
        writer.variables = {"v_a": dtype, "v_b": dtype, "v_c": dtype}
        writer.put(0, f"def f_{dtype}(v_a, v_b, whether):")
        writer.put(1, f"v_c = {dtype}(v_a)")
        for position in writer.positions:
            writer.put(1, f"{position} = int64({rng.randrange(9)})")
        for _ in range(rng.randint(0, 3)):
            writer.statement(1, False)
            if rng.random() < .4:
                writer.put(1, f"if whether or {writer.condition(1)}:")
                writer.put(2, f"return {writer.new_value(dtype)}")
        writer.put(1, f"return {writer.new_value(dtype)}")
        writer.put(0, f"def both_{dtype}(v_a, v_b):")
        writer.put(1, f"return max(v_a, v_b), f_{dtype}(v_b, v_a, v_a < v_b)")
        writer.put(0, f"def fold_{dtype}(values, v_s):")
        writer.put(1, f"for e in values{rng.choice(['', '[::2]', '[::-1]', '[1:]', '[:-1]'])}:")
        writer.put(2, f"v_s = {writer.cut(dtype, f'{dtype}(v_s + e)')}")
        writer.put(1, "return v_s")
        self.functions.append(dtype)
        return writer

    def passed_on(self, rng):
        """A function that waits for the block."""
        writer, place = Writer(rng, self), rng.choice(["(t + 3) % nt", "nt - 1 - t", "0"])
        writer.put(0, "def passed_on(g, all, v_a):", "def passed_on(all, v_a, t, nt):")
        writer.put(1, "t, nt = g.thread_rank(), g.num_threads()", "pass")
        writer.put(1, "all[t] = v_a")
        writer.wait(1, "g.sync()")
        writer.put(1, f"v_a = all[{place}]")
        writer.wait(1, "g.sync()")
        writer.put(1, "return v_a")
        return writer

    def kernel(self, rng):
        writer = Writer(rng, self)
        types = {f"x_{dtype}": f"{dtype}[::1]" for dtype in self.types}
        types |= {f"a_{dtype}": f"{dtype}[:, :]" for dtype in self.types}
        types |= {f"o_{dtype}": f"{dtype}[:, ::1]" for dtype in self.types}
        types |= {"counts": f"{self.count[1]}[::1]", "seen": f"{self.shared_type}[::1]",
                  "long": f"{self.shared_type}[::1]", "flags": "int32[::1]",
                  "carried": f"{self.shared_type}[:, ::1]", "owns": f"{self.local_type}[:, ::1]"}
        if "records" in self.features:
            types |= {"recs": "Rec[::1]", "recs_out": "Rec[::1]", "tallies": "Tally[::1]"}
        self.parameters = list(types)  # that are arrays
        types["n"] = "int64"
        self.names = list(types)
        python_names = ", ".join(types)
        if self.addresses:
            self.names.append(f"x_{self.pointed_type}.ctypes.data")
            types["p"] = f"CPointer({self.pointed_type})"
        writer.put(0, "@kernel", "")
        writer.put(0, f"def k({', '.join(f'{name}: {its}' for name, its in types.items())}):",
                   f"def k({python_names}, t, b, nt, all, ring, rs):")
        # The `yield` makes it a generator.
        writer.put(1, "block = this_thread_block()", "yield 'sync', 'none', None")
        writer.put(1, "t, nt = block.thread_rank(), block.num_threads()", "t, nt = int64(t), int64(nt)")
        writer.put(1, "b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)", "b = int64(b)")
        writer.put(1, "i = b * nt + t")
        if self.addresses:
            writer.put(1, "pass", f"p = x_{self.pointed_type}")
        writer.put(1, f"all = shared.array(128, {self.shared_type})", "pass")
        writer.put(1, f"ring = shared.array((3, {N_RING}), {self.shared_type})", "pass")
        if "records" in self.features:
            writer.put(1, "rs = shared.array(128, Rec)", "pass")
        if "text" in self.features:
            writer.put(1, "said = 0")
        writer.put(1, f"own = local.array({N_LOCAL}, {self.local_type}, 16)",
                   f"own = zeros({N_LOCAL}, '{self.local_type}')")
        writer.put(1, f"for k0 in range({N_LOCAL}):")
        writer.put(2, f"own[k0] = {self.local_type}(k0)")
        for size in self.sizes[1:]:
            writer.put(1, f"tile{size} = tiled_partition(block, {size})", "pass")
        for dtype in [*self.types, *rng.choices(self.types, k=3)]:
            name = writer.name("v")
            place = f"(i * {rng.randint(1, 5)} + {rng.randrange(9)}) % {N_IN}"
            writer.put(1, f"{name} = {dtype}(x_{dtype}[{place}])")
            writer.variables[name] = dtype
        for name in "q1", "q2":
            writer.put(1, f"{name} = {writer.condition()}")
            writer.flags.append(name)
        both = rng.choices(self.types, k=2)
        writer.put(1, f"pair = ({writer.new_value(both[0])}, {writer.new_value(both[1])})")
        writer.variables |= {"pair[0]": both[0], "pair[1]": both[1]}
        if self.use:
            writer.begin()
        writer.may_return = rng.random() < .5
        for _ in range(rng.randint(3, 12)):
            writer.statement(1, True)
        if rng.random() < .2:
            writer.give_up(1)
        self.n_out = len(writer.values())
        for row, name in enumerate(writer.values()):
            writer.put(1, f"o_{writer.variables[name]}[{row}, i] = {name}")
        writer.put(1, f"for e0 in range({N_LOCAL}):")
        writer.put(2, "owns[i, e0] = own[e0]")
        return writer

    def given(self, rng):
        def some(dtype, shape):
            if dtype in FLOATS:
                return (rng.integers(-400, 400, shape) / 4).astype(dtype)
            info = np.iinfo(dtype)
            whole = rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
            return np.where(rng.random(shape) < .5, whole, rng.integers(0, 20, shape).astype(dtype))

        total = self.blocks * self.threads
        arrays = {f"x_{dtype}": some(dtype, N_IN) for dtype in self.types}
        arrays |= {f"a_{dtype}": np.array(some(dtype, (8, 4)), order="CF"[int(rng.integers(2))])
                   for dtype in self.types}
        arrays |= {f"o_{dtype}": some(dtype, (self.n_out, total)) for dtype in self.types}
        def some_records(dtype, shape):
            made = np.zeros(shape, dtype)
            for name, (its, *_) in dtype.fields.items():
                made[name] = some("int64" if its.kind == "M" else its.base.name, (shape, *its.shape)).astype(its.base)
            return made

        arrays |= {"counts": some(self.count[1], 4), "seen": some(self.shared_type, total),
                   "long": some(self.shared_type, N_LONG), "flags": np.zeros(self.blocks, "int32"),
                   "carried": some(self.shared_type, (N_CHAINS, self.blocks)),
                   "owns": some(self.local_type, (total, N_LOCAL))}
        if "records" in self.features:
            arrays |= {"recs": some_records(record_type(self.shared_type, self.is_packed), N_RECORDS),
                       "recs_out": some_records(record_type(self.shared_type, self.is_packed), total),
                       "tallies": some_records(tally_type(self.count[1]), N_KEPT)}
        if self.globals:
            arrays |= {"FILLED": some(self.shared_type, (N_FILLED, 2)), "KEPT": some(self.count[1], N_KEPT),
                       "late": some(self.count[1], N_KEPT)}
        return arrays

    def due(self, watch=None):
        """What the arrays hold in the end, by name, and the lines that are printed, as `printed`.
        `watch` follows what the threads do: see program_python.py."""
        text = HELPERS + "".join(python + "\n" for _, python in self.lines)
        with np.errstate(all="ignore"):  # integers wrap
            return run(self, text, watch or Watch())
