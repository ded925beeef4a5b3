"""Every member of every kind of group has run tests, for all sizes and types that the tables below
ask for.

What a run test covers is read off the typed program of its launches: the members that its own
functions call, for which tiles, types and operators, and the blocks and grids it is launched with.
"""

import ast
import re
import subprocess
from collections import defaultdict

import numpy as np

from harness import kernels

FOLDERS = "groups", "guide"
KINDS = ("grid_group", "cluster_group", "thread_block", "tile", "wide_tile", "coalesced_group", "part")

# --- What is asked for ----------------------------------------------------------------------------

# Threads: of blocks; of the whole group where that is a grid or a cluster.
SIZES = {1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 96, 256, 1000, 1024}
TILES = {"tile": {1, 2, 4, 8, 16, 32}, "wide_tile": {64, 128, 256, 512, 1024}}
DIMS = {1, 2, 3}  # of blocks, and of grids

INTEGERS = {f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)}
NUMBERS = INTEGERS | {"float16", "bfloat16", "float32", "float64"}
VALUES = {"reduce": NUMBERS, "inclusive_scan": NUMBERS, "exclusive_scan": NUMBERS,
          "shfl": NUMBERS | {"bool"}, "shfl_up": NUMBERS, "shfl_down": NUMBERS, "shfl_xor": NUMBERS,
          "match_any": NUMBERS, "match_all": NUMBERS, "invoke_one_broadcast": NUMBERS | {"bool"},
          "labeled_partition": INTEGERS | {"bool"},
          "memcpy_async": NUMBERS | {"bool", "complex64", "complex128"}}
NARROW = {"int8", "int16", "uint8", "uint16"}  # whose sums are int32
OPERATORS = {"plus": NUMBERS - NARROW, "less": NUMBERS, "greater": NUMBERS, "bit_and": INTEGERS,
             "bit_or": INTEGERS, "bit_xor": INTEGERS}
COMBINE = {"reduce", "inclusive_scan", "exclusive_scan"}

# Members that leave no trace of their group in a typed program, and run tests that use them.
CONSTANTS = {("tile", "num_threads"), ("wide_tile", "num_threads")}
BY_NAME = {
    "num_threads(": {"tile": "every_member", "wide_tile": "every_member"},
    "invoke_one(": {"grid_group": "grid_collectives", "cluster_group": "cluster_scan_shapes",
                    **{kind: "every_member" for kind in KINDS[2:]}},
    "tiled_partition(": {"thread_block": "every_member", "tile": "missing",
                         "wide_tile": "wide_tile_nested", "coalesced_group": "every_member"},
}


# --- What there is --------------------------------------------------------------------------------


def members(t):
    """{(kind, member)}: the functions of the prelude and the rows of the table."""
    found = set()
    for path in sorted((t.root / "lang" / "prelude").glob("*.ck")):
        for name in re.findall(r"^def (\w+)\(", path.read_text(), re.M):
            found |= {(kind, name[len(kind) + 1:]) for kind in KINDS if name.startswith(kind + "_")}
    table = (t.root / "lang" / "typed" / "builtins.def").read_text()
    rows = re.findall(r'CK_BUILTIN\(\w+, "(\w+)\.(\w+)"', table)
    return found | {row for row in rows if row[0] in KINDS} - CONSTANTS


# --- What a test covers ---------------------------------------------------------------------------


def type_of(value):
    """As a signature has it."""
    if not hasattr(value, "dtype"):
        return {bool: "bool", int: "int64", float: "float64", complex: "complex128"}[type(value)]
    name = value.dtype.name
    if not isinstance(value, np.ndarray) or not value.ndim:
        return name
    axes = [":"] * value.ndim
    if value.flags.c_contiguous:
        axes[-1] = "::1"
    elif value.flags.f_contiguous:
        axes[0] = "::1"
    return f"{name}[{', '.join(axes)}]"


def triple(shape):
    return tuple(int(n) for n in np.atleast_1d(shape)) + (1,) * (3 - np.size(shape))


class Launches:
    """The launches of a run test: shapes by kernel, and the signatures of generic kernels."""

    def __init__(self, path):
        self.path, self.script = path, kernels.parse(path)
        tree = ast.parse(self.script.source.read_text())
        self.functions = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
        self.shapes, self.signatures = defaultdict(set), set()
        for shape in self.script.shapes:
            self.run(shape)

    def run(self, shape):
        values = kernels.namespace(1, self.path.stem)
        for step in self.script.steps:
            if isinstance(step, kernels.Group):
                texts = [kernels.with_shape(text, shape) for text in kernels.all_launches(step, values)]
                for text in texts:
                    self.launch(text, values)
                for name in kernels.names_in(texts):
                    values[f"{name}_in"] = values.get(name)
            elif step[1] == "statement":
                try:
                    exec(compile(kernels.with_shape(step[2], shape), "", "exec"), values)
                except (LookupError, ValueError, TypeError):
                    pass  # what is computed from results, which are not there

    def launch(self, text, values):
        call = ast.parse(text, mode="eval").body
        name = call.func.value.id
        shape = [eval(ast.unparse(part), values) for part in call.func.slice.elts]
        cluster = triple(shape[4]) if len(shape) > 4 else (1, 1, 1)
        self.shapes[name].add((triple(shape[0]), triple(shape[1]), cluster))
        function = self.functions[name]
        decorator = function.decorator_list[0]
        declared = isinstance(decorator, ast.Call) and decorator.args
        if not declared and any(a.annotation is None for a in function.args.args):
            types = [type_of(eval(ast.unparse(arg), values)) for arg in call.args]
            self.signatures.add(f"{name}({', '.join(types)})")


FUNCTION = re.compile(r"^(kernel|device) (.*?)\(([^()]*(?:\([^()]*\)[^()]*)*)\) -> ([^;\n]*)(?:; prelude(.*))?$")


class Program:
    """The functions of a typed program as text."""

    def __init__(self, text):
        self.bodies, self.members, self.kernels = {}, {}, set()
        for block in text.split("\n\n"):
            head, _, body = block.partition("\n")
            found = FUNCTION.match(head)
            assert found, head
            what, symbol, parameters, _, made_for = found.groups()
            self.bodies[symbol] = body
            if what == "kernel":
                self.kernels.add(symbol)
            if made_for is not None:
                self.members[symbol] = (parameters, made_for.strip(", "))

    def calls(self, symbol, among):
        body = self.bodies[symbol]
        return [name for name in among if name + "(" in body]

    def reached(self, kernel):
        """The user's functions that a kernel reaches."""
        own = [symbol for symbol in self.bodies if symbol not in self.members]
        todo, done = [kernel], set()
        while todo:
            symbol = todo.pop()
            if symbol not in done:
                done.add(symbol)
                todo += self.calls(symbol, own)
        return done

    def uses(self, kernel):
        """(kind, member, type or None, tile's size or 0, operators)"""
        for symbol in self.reached(kernel):
            for row in re.findall(r"\b(\w+)\.(\w+)\(", self.bodies[symbol]):
                yield (*row, None, 0, "")
            for callee in self.calls(symbol, self.members):
                parameters, made_for = self.members[callee]
                name = callee.split("__")[0]
                for kind in KINDS:
                    if name.startswith(kind + "_"):
                        value = re.search(r"(?:value|label|dst)\.\d+: (\w+)", parameters)
                        size = re.search(r"tile of (\d+)", made_for)
                        yield (kind, name[len(kind) + 1:], value and value[1], int(size[1]) if size else 0,
                               made_for)


def typed_programs(t, launches):
    """Several: a program has a limited number of specialisations."""
    signatures = sorted(launches.signatures)
    for first in range(0, max(len(signatures), 1), 20):
        options = [word for s in signatures[first:first + 20] for word in ("--sig", s)]
        result = subprocess.run([str(t.layout.ckc), "--emit=types", "-arch=sm_90", *options, "-o", "-",
                                 str(launches.script.source)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)
        assert result.returncode == 0, f"{launches.path}: {result.stderr}"
        yield Program(result.stdout)


class Covered:
    def __init__(self):
        self.tests, self.sizes, self.tiles = set(), set(), set()
        self.blocks, self.grids, self.types = set(), set(), set()
        self.combined = defaultdict(set)  # types by operator

    def add(self, test, use, shapes):
        kind, _, value, tile, made_for = use
        self.tests.add(test)
        for grid, block, cluster in shapes:
            threads = int(np.prod(block))
            self.sizes.add(threads * {"grid_group": int(np.prod(grid)),
                                      "cluster_group": int(np.prod(cluster))}.get(kind, 1))
            self.blocks.add(max(i for i in range(3) if i == 0 or block[i] > 1) + 1)
            self.grids.add(max(i for i in range(3) if i == 0 or grid[i] > 1) + 1)
        self.tiles.add(tile)
        self.types.add(value)
        self.combined[made_for.split(", ")[-1]].add(value)


def coverage(t):
    """{(kind, member): Covered}"""
    covered = defaultdict(Covered)
    files = [p for p in kernels.kernel_files(t.layout) if p.parent.name in FOLDERS]
    for path in files:
        if kernels.parse(path).only:
            continue
        launches = Launches(path)
        for program in typed_programs(t, launches):
            for kernel in program.kernels:
                name = max((n for n in launches.shapes if re.fullmatch(rf"{n}(__.*)?", kernel)),
                           key=len, default=None)
                for use in program.uses(kernel) if name else ():
                    covered[use[:2]].add(path.stem, use, launches.shapes[name])
    return covered


def lacks(kind, member, covered):
    """What is not covered, as texts."""
    wanted = [("threads", SIZES, covered.sizes), ("dimensions of blocks", DIMS, covered.blocks),
              ("dimensions of grids", DIMS, covered.grids)]
    if kind in TILES:
        wanted.append(("tiles", TILES[kind], covered.tiles))
    if member in COMBINE:
        wanted += [(op, types, covered.combined[op]) for op, types in OPERATORS.items()]
    elif member in VALUES:
        wanted.append(("types", VALUES[member], covered.types))
    for what, want, have in wanted:
        if want - have:
            yield f"{kind}.{member} ({' '.join(sorted(covered.tests)) or 'no test'}): {what} {sorted(want - have)}"


def test_members_of_no_trace_are_used(t):
    for call, tests in BY_NAME.items():
        for test in tests.values():
            assert call in (t.layout.tests / "run" / "groups" / f"{test}.ck").read_text(), (call, test)


def test_every_member_is_covered(t):
    t.need_tree()
    covered = coverage(t)
    found = [text for row in sorted(members(t)) for text in lacks(*row, covered[row])]
    assert not found, "\n".join([f"{len(found)} gaps", *found])
