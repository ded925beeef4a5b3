"""Random kernels with barriers, shuffles and counts in all sorts of control flow. The CPU device
runs them by rank as block loops, and in other orders as coroutines: both must have the same
results."""

import random

import numpy as np

OWN = 4  # elements of the local array
SETUP = ["t = threadIdx.x", "i = grid(1)", "s = shared.array(1024, int64)", f"own = local.array({OWN}, int64)",
         "block = this_thread_block()", f"for q in range({OWN}):", "    own[q] = x[i] + q", "a = x[i]", "b = a * 3",
         "c = t - a"]
RESULTS = ["a", "b", "c", "m", f"own[n % {OWN}]"]


class Kernel:
    """`uniform`: all threads reach this; branches may depend on what is uniform."""

    def __init__(self, rng, name):
        self.rng, self.lines = rng, ["@kernel", f"def {name}(x: int64[:], y: int64[:, :], n: int64, m: int64):"]
        self.same = ["n", "m", "blockIdx.x"]
        self.left = rng.randint(6, 22)
        for line in SETUP:
            self.add(1, line)
        while self.left > 0:
            self.statement(1, True, None)
        for column, value in enumerate(RESULTS):
            self.add(1, f"y[i, {column}] = {value}")

    def add(self, depth, line):
        self.lines.append("    " * depth + line)

    def name(self):
        return self.rng.choice("abc")

    def value(self, uniform=False, depth=0):
        names = self.same if uniform else ["a", "b", "c", "t", *self.same]
        if depth > 2 or self.rng.random() < 0.4:
            return self.rng.choice([*names, str(self.rng.randint(-9, 9))])
        left, right = self.value(uniform, depth + 1), self.value(uniform, depth + 1)
        return f"({left} {self.rng.choice('+-*^&')} {right})"

    def test(self, uniform):
        compare = self.rng.choice(["<", "==", "!=", ">="])
        return f"{self.value(uniform)} % {self.rng.randint(2, 5)} {compare} {self.rng.randint(0, 3)}"

    def body(self, depth, uniform, loop):
        for _ in range(self.rng.randint(1, 4)):
            self.statement(depth, uniform, loop)

    def assignment(self, depth):
        kinds = [f"{self.name()} {self.rng.choice(['=', '+=', '^='])} {self.value()}",
                 f"own[{self.value()} % {OWN}] = {self.value()}",
                 f"{self.name()} += own[({self.value()} + t) % {OWN}]"]
        self.add(depth, self.rng.choice(kinds))

    def collective(self, depth):
        mine, other = self.name(), self.name()
        kinds = [[f"{mine} = shfl_xor_sync(0xffffffff, {other}, {self.rng.randint(0, 31)})"],
                 [f"{mine} += shfl_down_sync(0xffffffff, {other}, {self.value(True)} % 32)"],
                 [f"{mine} ^= shfl_sync(0xffffffff, {other}, {self.value()} % 32)"],
                 [f"{mine} -= shfl_up_sync(0xffffffff, {other} * 3, 1)", "syncwarp()"],
                 [f"{mine} += block.reduce({other})"],
                 [f"{mine} += syncthreads_count({self.test(False)})"]]
        through_memory = ["syncthreads()", f"s[t] = {self.value()}", "syncthreads()",
                          f"{mine} = s[(t + {self.rng.randint(0, 40)}) % blockDim.x]"]
        for line in self.rng.choice([*kinds, *[through_memory] * 4]):
            self.add(depth, line)

    def branch(self, depth, uniform, loop):
        if not uniform and loop == "uniform":
            loop = None  # some threads would leave the loop, and the others wait in it
        self.add(depth, f"if {self.test(uniform)}:")
        self.body(depth + 1, uniform, loop)
        if self.rng.random() < 0.4:
            self.add(depth, "else:")
            self.body(depth + 1, uniform, loop)

    def loop(self, depth, uniform):
        counter = f"k{len(self.lines)}"
        self.add(depth, f"for {counter} in range({'n % 3 + 1' if uniform else 't % 3'}):")
        self.same += [counter] * uniform
        self.body(depth + 1, uniform, "uniform" if uniform else "own")
        if uniform:
            self.same.remove(counter)

    def leave(self, depth, loop):
        self.add(depth, f"if {self.test(loop == 'uniform')}:")
        self.add(depth + 1, self.rng.choice(["break", "continue"]))

    def statement(self, depth, uniform, loop):
        self.left -= 1
        kind = self.rng.random()
        stays = uniform and self.rng.random() < 0.6
        if self.left < 0 or depth > 5 or kind < 0.4:
            self.assignment(depth)
        elif kind < 0.65 and uniform:
            self.collective(depth)
        elif kind < 0.8:
            self.branch(depth, stays, loop)
        elif kind < 0.93:
            self.loop(depth, stays)
        elif loop:
            self.leave(depth, loop)
        elif uniform:
            self.add(depth, "m = m * 3 + 1")
        else:
            self.assignment(depth)


# Barriers: so many are a coroutine in any order, which ck splits (codegen/host/coroutine_split.c).
MANY = 101


class Case:
    """Some random kernels and how they are launched."""

    def __init__(self, t, seed, count):
        self.t, self.seed, self.count = t, seed, count
        rng = random.Random(seed)
        self.kernels = [Kernel(rng, f"k{i}").lines for i in range(count)]
        self.grid, self.block = rng.randint(1, 3), rng.choice([1, 7, 32, 33, 64, 96, 128])
        self.n, self.m = rng.randint(-5, 9), rng.randint(-5, 9)
        np.save(t.tmp / "x.npy", np.array([rng.randint(-99, 99) for _ in range(self.grid * self.block)]))

    def write(self, n_barriers=0):
        """The source, with so many barriers at each kernel's end."""
        texts = ["\n".join(lines + ["    syncthreads()"] * n_barriers) for lines in self.kernels]
        return self.t.write(f"random{self.seed}_{n_barriers}.ck", "\n\n".join(texts) + "\n")

    def launch(self, source, order):
        words = [f"x=@{self.t.tmp / 'x.npy'}"]
        files = [self.t.tmp / f"{order}{i}.npy" for i in range(self.count)]
        for i, file in enumerate(files):
            words += [f"k{i}[{self.grid}, {self.block}](x, y{i}, {self.n}, {self.m})",
                      f"y{i}=zeros(({self.grid * self.block}, {len(RESULTS)}), int64)", "--save", f"y{i}={file}"]
        self.t.ok([self.t.ckrun, "--device", "cpu:1", "--schedule", order, source, *words], timeout=120)
        return [np.load(file) for file in files]

    def same(self, some, others):
        differ = [f"k{i}" for i, (a, b) in enumerate(zip(some, others)) if not np.array_equal(a, b)]
        assert not differ, f"random{self.seed}: {differ} of blocks of {self.block} differ"


def compare(t, seed, count):
    case = Case(t, seed, count)
    source = case.write()
    case.same(case.launch(source, "seq"), case.launch(source, "reverse"))
    # Some, and not all, are loops.
    text = t.ok([t.ckc, "-arch=host", "--schedule=seq", "--emit=llvm", "-o", "-", source]).out
    return text.count(".block_loops(")


def test_loops_do_what_coroutines_do(t):
    assert 0 < sum(compare(t, seed, 6) for seed in range(3)) < 18


def test_long_coroutines_do_what_short_ones_do(t):
    for _ in range(3):
        case = Case(t, random.randrange(1 << 30), 6)
        long = case.write(MANY)
        text = t.ok([t.ckc, "-arch=host", "--schedule=seq", "--emit=llvm", "-o", "-", long]).out
        assert ".block_loops(" not in text and "llvm.coro" not in text
        short = case.launch(case.write(), "reverse")
        case.same(short, case.launch(long, "seq"))
        case.same(short, case.launch(long, f"random:{random.randrange(1000)}"))
