"""Runs a kernel of the corpus in Python and finds its mistakes exactly, to hold the labels to.

The text of a kernel is Python's: each thread is a generator, in which an operation that waits is a
`yield`. Every access to memory is kept with its thread's vector clock, so that all pairs that
nothing orders are found, in whatever order threads ran here. It is written for small launches and
for what the corpus uses, and shares nothing with ck.
"""

import ast
import sys
from types import SimpleNamespace

import numpy as np

from checks.model import Empty

SOURCE = "<kernel>"
WAITS = {"sync", "barrier_arrive", "barrier_wait", "reduce", "inclusive_scan", "exclusive_scan",
         "memcpy_async", "wait", "wait_prior", "syncthreads", "syncthreads_count",
         "syncthreads_and", "syncthreads_or", "syncwarp", "shfl", "shfl_down", "shfl_xor",
         "shfl_up", "binary_partition", "labeled_partition", "stride_partition"}
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
TYPES = INTEGERS + ["float32", "float64", "bool"]
MAX_ROUNDS = 100000
PAUSE = object()


def line_here():
    """The line of the kernel's text that runs."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename != SOURCE:
        frame = frame.f_back
    return frame.f_lineno


class ToGenerators(ast.NodeTransformer):
    """Functions become generators: `yield` at what waits, and in each iteration of a `while`."""

    def __init__(self, functions):
        self.functions = functions

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.decorator_list, node.returns = [], None
        for argument in node.args.args:
            argument.annotation = None
        node.body.append(ast.parse("return\nyield").body[0])
        node.body.append(ast.Expr(ast.Yield(None)))
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        if isinstance(node.func, ast.Name) and name in self.functions:
            return ast.YieldFrom(node)
        return ast.Yield(node) if name in WAITS else node

    def visit_While(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(ast.Yield(ast.Name("PAUSE", ast.Load()))))
        return node


class Memory:
    """One allocation: values and accesses by byte offset."""

    def __init__(self, key, shared):
        self.key, self.shared = key, shared
        self.values, self.accesses, self.released = {}, {}, {}


class View:
    """An array in a memory: `where` has the byte offset of each element."""

    def __init__(self, machine, memory, where, dtype):
        self.machine, self.memory, self.where, self.dtype = machine, memory, where, dtype

    shape = property(lambda self: self.where.shape)
    size = property(lambda self: self.where.size)
    ndim = property(lambda self: self.where.ndim)
    T = property(lambda self: View(self.machine, self.memory, self.where.T, self.dtype))

    def transpose(self, *axes):
        return View(self.machine, self.memory, self.where.transpose(*axes), self.dtype)

    def __len__(self):
        return len(self.where)

    def view(self, dtype):
        old, new = np.dtype(self.dtype.name).itemsize, np.dtype(dtype.name).itemsize
        first = self.where[0] if self.size else 0
        where = first + np.arange(self.size * old // new) * new
        return View(self.machine, self.memory, where, dtype)

    def offset(self, index):
        """Of the element; None: it is out of bounds or off its alignment, which is reported."""
        items = index if isinstance(index, tuple) else (index,)
        inside = []
        for item, extent in zip(items, self.where.shape):
            item = int(item)
            if item < 0 and self.machine.wraparound:
                item += extent
            if not 0 <= item < extent:
                self.machine.report("out-of-bounds", line_here())
                return None
            inside.append(item)
        offset = int(self.where[tuple(inside)])
        if offset % np.dtype(self.dtype.name).itemsize:
            self.machine.report("out-of-bounds", line_here())
            return None
        return offset

    def part(self, index):
        """A view, or None: the index is of one element."""
        items = index if isinstance(index, tuple) else (index,)
        if len(items) == self.ndim and not any(isinstance(item, slice) for item in items):
            return None
        return View(self.machine, self.memory, self.where[index], self.dtype)

    def __getitem__(self, index):
        part = self.part(index)
        if part is not None:
            return part
        offset = self.offset(index)
        return self.machine.read(self, offset) if offset is not None else 0

    def __setitem__(self, index, value):
        part = self.part(index)
        offsets = part.where.ravel().tolist() if part else [self.offset(index)]
        values = [value] * len(offsets)
        if isinstance(value, View):
            values = [self.machine.read(value, o) for o in value.where.ravel().tolist()]
        for offset, item in zip(offsets, values):
            if offset is not None:
                self.machine.write(self, offset, item)


class Type:
    def __init__(self, name):
        self.name = name

    def __call__(self, value):
        if self.name not in INTEGERS:
            return bool(value) if self.name == "bool" else float(value)
        bits = np.iinfo(self.name).bits
        value = int(value) & (1 << bits) - 1
        return value - (1 << bits) if self.name[0] == "i" and value >> bits - 1 else value


class Request:
    """What a thread waits for: all of a group's threads. `answer(values)` returns what each gets,
    `orders` says that they synchronise."""

    def __init__(self, kind, group, value=None, answer=None, orders=True):
        self.kind, self.group, self.value, self.answer = kind, group, value, answer
        self.orders, self.line = orders, line_here()


class Thread:
    def __init__(self, number, block, index, rank, n_clocks):
        self.number, self.block, self.index, self.rank = number, block, index, rank
        self.clock = np.zeros(n_clocks, np.int64)
        self.clock[number] = 1
        self.pending, self.fenced = {}, {}  # clocks by scope: None is the device, or a block
        self.waits, self.answer, self.code, self.done = None, None, None, False
        self.tokens = {}

    def tick(self):
        self.clock[self.number] += 1


class Group:
    """`members` are numbers of threads in order of rank."""

    def __init__(self, machine, key, members):
        self.machine, self.key, self.members = machine, key, members

    def thread_rank(self):
        return self.members.index(self.machine.thread.number)

    def num_threads(self):
        return self.machine.sizes.get(self.key, len(self.members))

    size = num_threads

    def meta_group_rank(self):
        return self.key[-1]

    def block_rank(self):
        block = self.machine.thread.block
        return block if self.key[0] == "grid" else block % self.machine.cluster

    def num_blocks(self):
        return self.machine.n_blocks if self.key[0] == "grid" else self.machine.cluster

    def map_shared_rank(self, view, rank):
        first = self.machine.thread.block // self.machine.cluster * self.machine.cluster
        other = (first + rank, *view.memory.key[1:])
        memory = self.machine.memories.setdefault(other, Memory(other, True))
        return View(self.machine, memory, view.where, view.dtype)

    def sync(self):
        return Request("sync", self)

    def memcpy_async(self, to, source):
        return Request("copy", self, (to, source), orders=False)

    def wait(self):
        return self.wait_prior(0)

    def wait_prior(self, n):
        return Request("wait", self, n)

    def waits_for_all(self):
        """Whether its collective operations synchronise: not those of at most a warp."""
        return self.num_threads() > 32 or self.key[0] != "block" or self.key[2:3] in ((), ("part",))

    def collective(self, value, answer):
        return Request("collective", self, value, answer, self.waits_for_all())

    def reduce(self, value, operator=sum):
        return self.collective(value, lambda values: [operator(values)] * len(values))

    def inclusive_scan(self, value):
        return self.collective(value, lambda values: [sum(values[:k + 1]) for k in range(len(values))])

    def exclusive_scan(self, value):
        return self.collective(value, lambda values: [sum(values[:k]) for k in range(len(values))])

    def shfl(self, value, rank):
        return self.collective((value, rank), lambda values: [
            values[r % len(values)][0] for _, r in values])

    def shfl_down(self, value, distance):
        return self.collective((value, distance), lambda values: [
            values[k + d][0] if k + d < len(values) else v for k, (v, d) in enumerate(values)])

    def shfl_up(self, value, distance):
        return self.shfl_down(value, -distance)

    def shfl_xor(self, value, bits):
        return self.collective((value, bits), lambda values: [
            values[k ^ d][0] for k, (_, d) in enumerate(values)])

    def divided_by(self, labels):
        def answer(values):
            labels_of = labels(values)
            distinct = sorted(set(labels_of), key=labels_of.index)
            groups = []
            for label in labels_of:
                members = [m for m, its in zip(self.members, labels_of) if its == label]
                groups.append(Group(self.machine, (*self.key, "part", distinct.index(label)), members))
            return groups
        return answer

    def labeled_partition(self, label):
        return self.collective(label, self.divided_by(list))

    binary_partition = labeled_partition

    def stride_partition(self, n):
        return self.collective(n, self.divided_by(
            lambda values: [k % -(-len(values) // n) for k in range(len(values))]))

    def barrier_arrive(self):
        thread, phase = self.machine.thread, self.machine.phases
        key = self.key
        if key in thread.tokens:
            self.machine.report("barrier-misuse", line_here())
        number, arrived = phase.setdefault(key, [0, {}])
        arrived[thread.number] = thread.clock.copy()
        thread.tick()
        token = (key, number, line_here())
        thread.tokens[key] = token
        if len(arrived) == len(self.members):
            self.machine.completed[key, number] = np.maximum.reduce(list(arrived.values()))
            phase[key] = [number + 1, {}]
        return Request("arrived", self, token)

    def barrier_wait(self, token):
        if self.machine.thread.tokens.pop(self.key, None) != token:
            self.machine.report("barrier-misuse", line_here())
        return Request("split", self, token)


class Positions:
    """threadIdx and the like, of the thread that runs."""

    def __init__(self, of):
        self.of = of

    x, y, z = (property(lambda self, k=k: self.of()[k]) for k in range(3))


def three(shape):
    shape = shape if isinstance(shape, tuple) else (shape,)
    return shape + (1,) * (3 - len(shape))


def indices(shape):
    return [(x, y, z) for z in range(shape[2]) for y in range(shape[1]) for x in range(shape[0])]


class Machine:
    """A launch. `findings` has (name, lines) for all that is wrong, `results` the arrays after."""

    def __init__(self, source, launch, arrays):
        self.findings, self.memories, self.phases, self.completed = set(), {}, {}, {}
        self.copies, self.sizes = {}, {}
        tree = ast.parse(source)
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        call = ast.parse(launch, mode="eval").body
        kernel = functions[call.func.value.id]
        options = {key.arg: ast.literal_eval(key.value) for decorator in kernel.decorator_list
                   if isinstance(decorator, ast.Call) for key in decorator.keywords}
        self.wraparound = options.get("wraparound", True)
        shape = ast.literal_eval(call.func.slice)
        self.grid, self.block_shape = three(shape[0]), three(shape[1])
        self.dynamic = shape[3] if len(shape) > 3 else 0
        self.cluster = options.get("cluster", shape[4] if len(shape) > 4 else 1)
        self.n_blocks, self.block_size = int(np.prod(self.grid)), int(np.prod(self.block_shape))
        self.make_threads()
        self.views = {name: self.argument(name, array) for name, array in arrays.items()}
        names = self.names()
        tree.body = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
        tree = ast.fix_missing_locations(ToGenerators(functions).visit(tree))
        exec(compile(tree, SOURCE, "exec"), names)
        for thread in self.threads:
            self.thread = thread
            values = [eval(ast.unparse(argument), {}, self.views) for argument in call.args]
            thread.code = names[kernel.name](*values)

    def make_threads(self):
        n_clocks = 3 * self.n_blocks * self.block_size
        self.first_copy = self.n_blocks * self.block_size
        self.threads = [Thread(b * self.block_size + rank, b, index, rank, n_clocks)
                        for b in range(self.n_blocks)
                        for rank, index in enumerate(indices(self.block_shape))]
        self.block_indices = indices(self.grid)

    def argument(self, name, array):
        unset = isinstance(array, Empty)
        dtype = np.dtype(array.dtype)
        where = np.arange(int(np.prod(array.shape))).reshape(array.shape) * dtype.itemsize
        memory = Memory((name,), True)
        if not unset:
            memory.values = dict(zip(where.ravel().tolist(), array.ravel().tolist()))
        return View(self, memory, where, Type(dtype.name))

    def results(self):
        return {name: np.array([view.memory.values.get(o, 0) for o in view.where.ravel().tolist()],
                               view.dtype.name).reshape(view.shape)
                for name, view in self.views.items()}

    # --- What kernels name ------------------------------------------------------------------------

    def names(self):
        names = {name: Type(name) for name in TYPES if name != "bool"}
        names |= {
            "threadIdx": Positions(lambda: self.thread.index),
            "blockIdx": Positions(lambda: self.block_indices[self.thread.block]),
            "blockDim": Positions(lambda: self.block_shape), "gridDim": Positions(lambda: self.grid),
            "grid": self.position, "gridsize": self.extent, "this_grid": self.this_grid,
            "this_cluster": self.this_cluster, "tiled_partition": self.tile,
            "this_thread_block": self.this_block, "this_block": self.this_block,
            "this_thread": lambda: self.tile(self.this_block(), 1),
            "shared": SimpleNamespace(array=self.shared_array),
            "local": SimpleNamespace(array=self.local_array), "array": self.constant_array,
            "atomic": Atomic(self), "threadfence": lambda: self.fence(None),
            "threadfence_block": lambda: self.fence(self.thread.block),
            "syncthreads": lambda: Request("sync", self.this_block()),
            "syncthreads_count": self.vote(sum), "syncthreads_and": self.vote(all),
            "syncthreads_or": self.vote(any), "syncwarp": self.syncwarp, "PAUSE": PAUSE,
            "stride_partition": lambda group, n: group.stride_partition(n),
            "labeled_partition": lambda group, label: group.labeled_partition(label),
            "binary_partition": lambda group, label: group.binary_partition(label),
            "memcpy_async": lambda group, to, source: group.memcpy_async(to, source),
            "wait": lambda group: group.wait(),
            "nanosleep": lambda nanoseconds: None,
            "memory_order_relaxed": "relaxed", "memory_order_acquire": "acquire",
            "memory_order_release": "release", "memory_order_acq_rel": "acq_rel",
            "thread_scope_device": None, "thread_scope_block": "block",
            "greater": max, "less": min, "plus": sum}
        names["cuda"] = SimpleNamespace(**names, cg=SimpleNamespace(**names), jit=None)
        return names

    def position(self, n):
        block = self.block_indices[self.thread.block]
        at = tuple(b * d + t for b, d, t in zip(block, self.block_shape, self.thread.index))
        return at[0] if n == 1 else at[:n]

    def extent(self, n):
        sizes = tuple(g * b for g, b in zip(self.grid, self.block_shape))
        return sizes[0] if n == 1 else sizes[:n]

    def this_grid(self):
        return Group(self, ("grid",), list(range(len(self.threads))))

    def blocks(self, key, first, count):
        size = self.block_size
        return Group(self, key, list(range(first * size, (first + count) * size)))

    def this_block(self):
        return self.blocks(("block", self.thread.block), self.thread.block, 1)

    def this_cluster(self):
        first = self.thread.block // self.cluster * self.cluster
        return self.blocks(("cluster", first), first, self.cluster)

    def tile(self, group, n):
        rank = group.thread_rank() // n
        key = (*group.key, n, rank)
        self.sizes[key] = n
        return Group(self, key, group.members[rank * n:(rank + 1) * n])

    def syncwarp(self, mask=0xFFFFFFFF):
        warp = self.tile(self.this_block(), 32)
        members = [m for lane, m in enumerate(warp.members) if mask >> lane & 1]
        return Request("sync", Group(self, (*warp.key, mask), members))

    def vote(self, combine):
        return lambda value: self.this_block().collective(
            bool(value), lambda values: [int(combine(values))] * len(values))

    def new_array(self, memory, shape, dtype):
        where = np.arange(int(np.prod(shape))).reshape(shape) * np.dtype(dtype.name).itemsize
        return View(self, memory, where, dtype)

    def shared_array(self, shape, dtype):
        key = (self.thread.block, "dynamic" if shape == 0 else line_here())
        if shape == 0:
            shape = self.dynamic // np.dtype(dtype.name).itemsize
        return self.new_array(self.memories.setdefault(key, Memory(key, True)), shape, dtype)

    def local_array(self, shape, dtype):
        return self.new_array(Memory(("local",), False), shape, dtype)

    def constant_array(self, values, dtype):
        view = self.new_array(Memory(("constant",), False), np.shape(values), dtype)
        view.memory.values = dict(zip(view.where.ravel().tolist(), np.ravel(values).tolist()))
        return view

    # --- Memory -----------------------------------------------------------------------------------

    def report(self, finding, *lines):
        self.findings.add((finding, tuple(sorted(lines))))

    def access(self, memory, offset, write, atomic=False):
        if memory.shared:
            thread = self.thread
            self.order(memory, offset, thread.number, thread.clock, line_here(), write, atomic)

    def order(self, memory, offset, number, clock, line, write, atomic):
        seen = memory.accesses.setdefault(offset, {})
        for (other, other_line, other_write, other_atomic), epoch in seen.items():
            copies = self.first_copy <= max(number, other)
            if (write or other_write) and not (atomic and other_atomic) and epoch > clock[other] \
                    and (other != number or copies):
                self.report("unwaited-copy" if copies else "data-race", line, other_line)
        seen[number, line, write, atomic] = clock[number]

    def read(self, view, offset, atomic=False):
        if offset not in view.memory.values:
            self.report("uninitialized-read", line_here())
        self.access(view.memory, offset, False, atomic)
        return view.memory.values.get(offset, 0)

    def write(self, view, offset, value):
        self.access(view.memory, offset, True)
        view.memory.values[offset] = view.dtype(value)

    def fence(self, scope):
        thread = self.thread
        for key in [None, thread.block] if scope is None else [scope]:
            if key in thread.pending:
                np.maximum(thread.clock, thread.pending[key], out=thread.clock)
        thread.fenced[scope] = thread.clock.copy()
        thread.tick()

    def copy(self, request, group):
        """By the group, beside its threads: after what all of them had done at the call. Copies of
        a group have a place in the clocks, where the number of the copy is their time."""
        to, source = request.value
        slot, number = self.copies.get(group.key, (self.first_copy + len(self.copies), 0))
        number += 1
        self.copies[group.key] = slot, number
        known = np.minimum.reduce([self.threads[m].clock for m in group.members])
        part = tuple(slice(0, min(extents)) for extents in zip(to.shape, source.shape))
        for a, b in zip(to.where[part].ravel().tolist(), source.where[part].ravel().tolist()):
            self.order_copy(source.memory, b, (slot, number), known, request.line, False)
            self.order_copy(to.memory, a, (slot, number), known, request.line, True)
            to.memory.values[a] = source.memory.values.get(b, 0)

    def order_copy(self, memory, offset, copy, known, line, write):
        seen = memory.accesses.setdefault(offset, {})
        for (other, other_line, other_write, _), epoch in seen.items():
            if (write or other_write) and epoch > known[other]:
                self.report("unwaited-copy", line, other_line)
        seen[copy[0], line, write, False] = copy[1]

    # --- Running ----------------------------------------------------------------------------------

    def run(self, rng=None):
        """In order of rank, or at random: threads go on until they wait, those of a round once."""
        for _ in range(MAX_ROUNDS):
            ran = [thread for thread in self.threads if not thread.done and thread.waits is None]
            if rng is not None:
                rng.shuffle(ran)
            for thread in ran:
                self.step(thread)
            if not self.release() and not ran:
                break
        else:
            raise RuntimeError("the kernel does not end")
        for thread in self.threads:
            if thread.waits:
                self.report("barrier-never-passed", thread.waits.line)
            for token in thread.tokens.values():
                self.report("barrier-misuse", token[2])
        return self

    def step(self, thread):
        self.thread = thread
        try:
            request = thread.code.send(thread.answer)
        except StopIteration:
            thread.done = True
            return
        thread.answer = None
        if request is PAUSE:
            return
        if request.kind == "arrived":
            thread.answer = request.value
        else:
            thread.waits = request

    def release(self):
        """Lets those go on whose groups are complete; whether there were any."""
        waiting, released = {}, False
        for thread in self.threads:
            if thread.waits and thread.waits.kind == "split":
                released |= self.release_split(thread)
            elif thread.waits:
                waiting.setdefault((thread.waits.group.key, thread.waits.kind), []).append(thread)
        for (_, kind), threads in waiting.items():
            members = threads[0].waits.group.members
            if len(members) <= 32:
                members = [m for m in members if not self.threads[m].done]
            if [t.number for t in threads] == members:
                self.complete(kind, threads)
                released = True
        return released

    def release_split(self, thread):
        key, number, _ = thread.waits.value
        if (key, number) not in self.completed:
            return False
        np.maximum(thread.clock, self.completed[key, number], out=thread.clock)
        thread.waits = None
        return True

    def complete(self, kind, threads):
        request, group = threads[0].waits, threads[0].waits.group
        if request.answer:
            for thread, answer in zip(threads, request.answer([t.waits.value for t in threads])):
                thread.answer = answer
        if kind == "copy":
            self.copy(request, group)
        if request.orders:
            joint = np.maximum.reduce([thread.clock for thread in threads])
            if kind == "wait" and group.key in self.copies:
                slot, count = self.copies[group.key]
                joint[slot] = max(joint[slot], count - request.value)
            for thread in threads:
                thread.clock[:] = joint
                thread.tick()
        for thread in threads:
            thread.waits = None


class Atomic:
    """atomic.X: the clocks that a location carries are `memory.released[offset]`, by scope."""

    def __init__(self, machine):
        self.machine = machine

    def operate(self, view, index, compute, order, reads=True):
        machine, thread = self.machine, self.machine.thread
        offset = view.offset(index)
        if offset is None:
            return 0
        memory, writes = view.memory, compute is not None
        old = memory.values.get(offset, 0)
        if reads and offset not in memory.values:
            machine.report("uninitialized-read", line_here())
        machine.access(memory, offset, writes, True)
        carried = memory.released.get(offset, {})
        if reads:
            self.take(thread, carried, order)
        if writes:
            memory.values[offset] = view.dtype(compute(old))
            memory.released[offset] = self.given(thread, carried if reads else {}, order)
        return old

    def take(self, thread, carried, order):
        for scope in (None, thread.block):
            if scope in carried:
                if order in ("acquire", "acq_rel"):
                    np.maximum(thread.clock, carried[scope], out=thread.clock)
                thread.pending[scope] = np.maximum(thread.pending.get(scope, 0), carried[scope])

    def given(self, thread, carried, order):
        """What the location carries on: earlier releases, and this thread's."""
        clocks = {scope: np.maximum(carried.get(scope, 0), clock) for scope, clock in thread.fenced.items()}
        clocks = {**carried, **clocks}
        if order in ("release", "acq_rel"):
            clocks[None] = np.maximum(clocks.get(None, 0), thread.clock)
            thread.tick()
        return clocks

    def load(self, view, index, order="acquire", scope=None):
        return self.operate(view, index, None, order)

    def store(self, view, index, value, order="release", scope=None):
        self.operate(view, index, lambda old: value, order, reads=False)

    def add(self, view, index, value, order="relaxed", scope=None):
        return self.operate(view, index, lambda old: old + value, order)

    def sub(self, view, index, value, order="relaxed", scope=None):
        return self.operate(view, index, lambda old: old - value, order)

    def max(self, view, index, value, order="relaxed", scope=None):
        return self.operate(view, index, lambda old: max(old, value), order)

    def min(self, view, index, value, order="relaxed", scope=None):
        return self.operate(view, index, lambda old: min(old, value), order)

    def or_(self, view, index, value, order="relaxed", scope=None):
        return self.operate(view, index, lambda old: old | value, order)

    def exch(self, view, index, value, order="relaxed", scope=None):
        return self.operate(view, index, lambda old: value, order)

    def inc(self, view, index, value, order="relaxed", scope=None):
        return self.operate(view, index, lambda old: 0 if old >= value else old + 1, order)

    def cas(self, view, index, compare, value, order="relaxed", scope=None):
        return self.operate(view, index, lambda old: value if old == compare else old, order)
