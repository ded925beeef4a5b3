"""Random kernels' statements and elements of one kind of the language each, of which a program uses
some: cache hints, clocks, text, arrays of the module, records, and memory seen as other types.

A row of a table is one built-in, or one format.
"""

import numpy as np

LOADS = ["ldca", "ldcg", "ldcs", "ldlu", "ldcv"]
STORES = ["stwb", "stcg", "stcs", "stwt"]
# How a clock is read, and what holds of what it showed before.
CLOCKS = [("clock()", "clock() - {} < 2147483648"), ("clock64()", "clock64() >= {}"),
          ("globaltimer()", "globaltimer() >= {}"), ("smid()", "0 <= {} < 65536 and smid() >= 0")]
INT_FORMATS = ["", "d", "5d", "<6", "^8", "+d", " d", "08d", "x", "#x", "X", "o", "#b", "b", ",", "_", "012,", "*^20,",
               "=+12", "e", ".2f", "%", "g", "_x", "#010x", "030_b"]
FLOAT_FORMATS = ["", "f", ".3f", "10.2f", "<12.1f", ".0f", "e", ".0e", "12.4E", "g", ".3g", ".17g", "+.2f", " .3e", "08.1f",
                 "^14.2f", "*>12.3f", "#.0f", "#g", ",.2f", "_.1f", ".1%", "%", ".5", "=+12.1f", "x<+9.1g"]
INT_PERCENTS = ["%d", "%5d", "%-5d", "%05d", "%+d", "% d", "%i", "%x", "%X", "%#x", "%o", "%#o", "%s", "%8s"]
FLOAT_PERCENTS = ["%f", "%8.2f", "%-9.1f", "%+.3e", "%g", "%G", "%010.2f", "%#.0f"]
# Floats at the edges of formats, and factors.
EDGES = [1000.0, -999.5, 1e6, 999999.5, -1e-4, 9.9995e-5, 1e16, 123456789.0, 0.5, 2.5, 1e22, -1e15]
SIZES = [1, 1, 2.0 ** -7, 2.0 ** -20, 2.0 ** 4, 2.0 ** 13, 2.0 ** 40]
# Of C: those that show an integer's bits, and the others, which do not take uint64.
BITS_OF_C = ["%u", "%x", "%X", "%#X", "%o", "%8x", "%llu"]
INTS_OF_C = ["%d", "%5i", "%-5ld", "%05d", "%+d", "%.3d"]
FLOATS_OF_C = ["%f", "%8.2f", "%-9.1f", "%+.3e", "%g", "%G", "%.0e"]
N_KEPT, N_FILLED, N_SENT, N_RECORDS = 4, 6, 5, 9
FEATURES = ["hints", "clocks", "text", "module", "records", "views"]

FEATURE_HELPERS = """def first_of(r):
    return r.n
def axis_of(r, k):
    return r.p.x if k == 0 else r.p.y
"""


RECORDS = {False: "record(n={0}, v=(int16, 3), p={0}x2)",
           True: "np.dtype([('n', {0}), ('v', np.int16, (3,)), ('p', {0}x2)])"}


def record_type(its, is_packed):
    """RECORDS, of NumPy: a vector begins at a multiple of its size, unless the record is packed."""
    if is_packed:
        return np.dtype([("n", its), ("v", "i2", 3), ("p", its, 2)])
    vector = 2 * np.dtype(its).itemsize
    n_before = max(vector // 2, 2) + 6
    place = -(-n_before // vector) * vector
    return np.dtype({"names": ["n", "v", "p"], "formats": [its, ("i2", 3), (its, 2)],
                     "offsets": [0, n_before - 6, place], "itemsize": -(-(place + vector) // max(vector, 2)) * max(vector, 2)})


def tally_type(its):
    return np.dtype([("a", "i1"), ("k", its), ("z", "i2"), ("d", "M8[s]")], align=True)


class Features:
    """The part of a Writer that writes them."""

    def feature(self, depth, target):
        """A statement that changes `target`, another name or memory."""
        kind = self.pick(self.program.features)
        {"hints": self.by_hint, "clocks": self.by_clock, "text": self.say, "module": self.count_in_module,
         "records": self.count_in_record, "views": self.store_wide}[kind](depth, target)

    def feature_elements(self, dtype):
        """Functions that write an element of the type."""
        program, found = self.program, []
        if "hints" in program.features and dtype in program.types:
            found.append(self.hinted)
        if "module" in program.features and dtype == program.shared_type:
            found.append(self.of_module)
        if "views" in program.features and dtype in program.types:
            found.append(self.seen)
        if "records" in program.features and dtype in (program.shared_type, "int16"):
            found.append(self.of_record)
        return found

    # --- Cache hints ------------------------------------------------------------------------------

    def hinted(self, dtype, depth):
        load = self.pick(LOADS)
        if self.chance(.3):
            return f"{load}(a_{dtype}, ({self.index(8, depth)}, {self.index(4, depth)}))"
        if dtype == self.program.local_type and self.chance(.3):
            return f"{load}(own, {self.index(8, depth)})"
        if self.chance(.2):
            return f"{load}(C_{dtype}, {self.index(5, depth)})"
        return f"{load}(x_{dtype}, {self.index(64, depth)})"

    def by_hint(self, depth, target):
        its = self.program.local_type
        if self.chance(.3):
            self.put(depth, f"prefetch(x_{its}, {self.index(64, 2)})")
        self.put(depth, f"{self.pick(STORES)}(own, {self.index(8, 2)}, {self.expression(its)})")

    # --- Clocks -----------------------------------------------------------------------------------

    def by_clock(self, depth, target):
        """What holds of a clock in each launch."""
        (read, holds), name = self.pick(CLOCKS), self.name("c")
        self.put(depth, f"{name} = {read}", "pass")
        if read != "clock()":  # its 32 bits are two seconds of the CPU device
            self.assign(depth)
        its = self.variables[target]
        self.put(depth, f"{target} = {its}({holds.format(name)})", f"{target} = {its}(1)")

    # --- Text -------------------------------------------------------------------------------------

    def say(self, depth, target):
        """A line by a few threads, with the thread and the number of the line."""
        if depth > 2 or self.n_trips > 8:
            self.put(depth, f"{target} = {self.new_value(self.variables[target])}")
            return
        self.put(depth, f"if t % 32 == {self.rng.randrange(min(32, self.program.threads))}:")
        self.put(depth + 1, "said += 1")
        names = []
        for _ in range(self.rng.randint(1, 3)):
            its = self.pick([*self.program.types, "float32", "float64"])
            names.append((self.name("u"), its))
            value = self.expression(its, 2)
            if its in ("float32", "float64"):  # of other sizes, and none of -0.0
                value = self.pick(EDGES) if self.chance(.4) else f"({value}) * {its}({self.pick(SIZES)}) + {its}(0)"
            self.put(depth + 1, f"{names[-1][0]} = {its}({value})")
        self.pick([self.formatted, self.by_percent, self.by_format, self.plain, self.by_printf])(depth + 1, names)

    def formatted(self, depth, names):
        fields = [(name, self.pick(FLOAT_FORMATS if its[0] == "f" else INT_FORMATS)) for name, its in names]
        if self.flags:
            fields.append((self.pick(self.flags), self.pick(["", "d", "5"])))
        ck = " ".join(f"{{{name}:{form}}}" if form else f"{{{name}}}" for name, form in fields)
        python = " ".join(f"{{num({name}):{form}}}" if form else f"{{num({name})}}" for name, form in fields)
        both = f"({', '.join(name for name, _ in names)},)"
        self.put(depth, f'print(f"{{i}} {{said}} {ck} {{{both}}}")', f'say(f"{{i}} {{said}} {python} {{num({both})}}")')

    def by_percent(self, depth, names):
        form = " ".join(self.pick(FLOAT_PERCENTS if its[0] == "f" else INT_PERCENTS) for _, its in names)
        self.put(depth, f'print("%d %d {form}" % (i, said, {", ".join(name for name, _ in names)}))',
                 f'say("%d %d {form}" % (i, said, {", ".join(f"num({name})" for name, _ in names)}))')

    def by_format(self, depth, names):
        order = list(range(2, len(names) + 2))
        self.rng.shuffle(order)
        forms = [f":{self.pick(FLOAT_FORMATS if names[k - 2][1][0] == 'f' else INT_FORMATS)}" for k in order]
        form = " ".join(f"{{{k}{form if form != ':' else ''}}}" for k, form in zip(order, forms))
        self.put(depth, f'print("{{0}} {{1}} {form}".format(i, said, {", ".join(name for name, _ in names)}))',
                 f'say("{{0}} {{1}} {form}".format(i, said, {", ".join(f"num({name})" for name, _ in names)}))')

    def plain(self, depth, names):
        values = ", ".join([*(name for name, _ in names), *self.flags[:1], f"({names[0][0]}, (i, {names[-1][0]}))"])
        self.put(depth, f'print(i, said, "is", {values})', f'say(plain(i, said, "is", {values}))')

    def by_printf(self, depth, names):
        parts = []
        for name, its in names:
            if its[0] == "f":
                parts.append((self.pick(FLOATS_OF_C), name, f"num({name})"))
            elif its == "uint64" or self.chance(.4):
                parts.append((self.pick(BITS_OF_C), name, f"bits_in_c({name})"))
            else:
                parts.append((self.pick(INTS_OF_C), name, f"num({name})"))
        form, ck, python = (" ".join(part[0] for part in parts), ", ".join(part[1] for part in parts),
                            ", ".join(part[2] for part in parts))
        self.put(depth, f'printf("%lld %d %5s {form}\\n", i, said, "ab", {ck})',
                 f'say(in_c("%lld %d %5s {form}", i, said, "ab", {python}))')

    # --- Arrays of the module ---------------------------------------------------------------------

    def of_module(self, dtype, depth):
        if self.chance(.5):
            return f"FILLED[{self.index(N_FILLED, depth)}, {self.index(2, depth)}]"
        return f"SENT[{self.index(N_SENT, depth)}]"

    def count_in_module(self, depth, target):
        self.count_at(depth, "KEPT", self.index(N_KEPT, 2))

    def count_at(self, depth, array, index):
        kind, its = self.program.count
        value = self.expression(its)
        self.put(depth, f"cuda.atomic.{kind}({array}, {index}, {value})", f"count('{kind}', {array}, {index}, {value})")

    # --- Records ----------------------------------------------------------------------------------

    def of_record(self, dtype, depth):
        index = self.index(N_RECORDS, depth)
        if dtype == "int16" and (dtype != self.program.shared_type or self.chance(.3)):
            return self.pick([f"recs['v'][{index}, {self.rng.randrange(3)}]",
                              f"recs[{index}]['v'][{self.index(3, depth)}]"])
        return self.pick([f"recs['n'][{index}]", f"recs[{index}]['n']", f"first_of(recs[{index}])",
                          f"axis_of(recs[{index}], {self.rng.randrange(2)})", f"first_of(recs[{index}].copy())"])

    def count_in_record(self, depth, target):
        if self.chance(.7):
            self.count_at(depth, 'tallies["k"]', self.index(N_KEPT, 2))
            return
        kind = "min" if self.program.count[0] == "min" else "max"  # both would depend on the order
        index, value = self.index(N_KEPT, 2), f"int64({self.expression('int64', 2)} >> 1)"
        self.put(depth, f"cuda.atomic.{kind}(tallies['d'], {index}, np.datetime64({value}, 's'))",
                 f"count('{kind}', tallies['d'].view('i8'), {index}, {value})")

    def pass_on_record(self, depth):
        """By shared memory, whole or by fields."""
        its = self.program.shared_type
        target, index = self.pick(self.values([its])), self.index(N_RECORDS, 2)
        self.put(depth, f"rs[t] = recs[{index}]")
        if self.chance(.7):
            self.put(depth, f"rs['n'][t] = {self.expression(its)}")
        if self.chance(.4):
            self.put(depth, f"rs[t] = ({self.expression(its)}, (1, 2, 3), ({self.expression(its)}, {its}(7)))")
        self.wait(depth, "cuda.syncthreads()")
        one = self.name("r")
        self.put(depth, f"{one} = rs[{self.index('nt', 2)}].copy()")
        if self.program.threads % 32 == 0 and self.chance(.6):
            kind, width = self.pick(["shfl_up", "shfl_down", "shfl_xor", "shfl"]), self.pick([1, 4, 8, 32])
            lane = self.rng.randrange(width)
            self.put(depth, f"{one} = {kind}_sync(0xffffffff, {one}, {lane}, {width})",
                     f"{one} = yield '{kind}', {width}, {one}, {lane}")
        self.put(depth, f"{target} = {self.pick([f'first_of({one})', f'axis_of({one}, 1)'])}")
        if self.chance(.4):
            self.put(depth, f"recs_out[i] = rs[{self.index('nt', 1)}]")
        self.wait(depth, "cuda.syncthreads()")

    # --- Memory seen as other types ---------------------------------------------------------------

    def seen(self, dtype, depth):
        n = min(4, 16 // np.dtype(dtype).itemsize)
        others = [its for its in self.program.types if its != dtype]
        if dtype[0] != "f" and others and self.chance(.5):
            other = self.pick(others)
            extent = 64 * np.dtype(other).itemsize // np.dtype(dtype).itemsize
            return f"seen_{dtype}(x_{other}, {self.index(extent, depth)})"
        return f"wide_{dtype}(x_{dtype}, {self.index(64 // n, depth)})[{self.rng.randrange(n)}]"

    def store_wide(self, depth, target):
        its = self.program.local_type
        n = min(4, 16 // np.dtype(its).itemsize)
        values = ", ".join(self.expression(its, 2) for _ in range(n))
        self.put(depth, f"put_wide_{its}(own, {self.index(8 // n, 2)}, {values})")


def num(value):
    """A number of Python, or a tuple of them."""
    if isinstance(value, tuple):
        return tuple(map(num, value))
    return value.item() if isinstance(value, np.generic) else value


def plain(*values):
    """As `print` of them: floats are C's %f."""
    def text(value):
        if isinstance(value, tuple):
            return f"({', '.join(map(text, value))}{',' * (len(value) == 1)})"
        return f"{value:f}" if isinstance(value, float) else str(value)

    return " ".join(text(num(value)) for value in values)


def bits_in_c(value):
    """The number that an integer's bits are, as an int32 if it has fewer."""
    n_bits = max(32, 8 * value.dtype.itemsize)
    return int(value) & (1 << n_bits) - 1


def in_c(form, *values):
    """As `printf`, with a value for each word of the format."""
    def text(word, value):
        word = word.replace("l", "")  # Python has no `%lld`
        return word.replace("#", "" if value == 0 else "#") % value

    return " ".join(text(word, num(value)) for word, value in zip(form.split(" "), values))


def load(array, index):
    return array[index]


def store(array, index, value):
    array[index] = value


FEATURE_FUNCTIONS = {
    **{name: load for name in LOADS}, **{name: store for name in STORES}, "prefetch": lambda array, index: None, "num": num,
    "plain": plain, "bits_in_c": bits_in_c, "in_c": in_c, "first_of": lambda r: r["n"],
    "axis_of": lambda r, k: r["p"][k]}
