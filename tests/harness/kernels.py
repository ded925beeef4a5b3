"""Run tests: kernels with their launches and expectations in their own comments.

A line `#: ...` of tests/run/**/NAME.ck (or examples/NAME.ck) is one of
    launch k[GRID, BLOCK](x, n)   launches, through ckrun; launches in a row are one ckrun
    launches EXPRESSION           the same: a list of texts, for what differs in names only
    expect EXPRESSION             true, everywhere if an array; y is the result, y_in was passed in
    error TEXT                    the launch above fails and stderr has TEXT; several
    print TEXT                    the launch above prints these lines (print-any: in any order)
    prints EXPRESSION             the launch above prints these lines, a list
    options ...                   of ckrun, for the launches below
    repeat grids [1, 32], [2, 9]  the whole for several shapes: GRID and BLOCK in any line
    only cpu|cuda                 no other device
    racecheck no: REASON          compute-sanitizer's racecheck cannot check it: skipped under it;
                                  where it cannot check a part, statements know by `racecheck`
    check no: REASON              ckrun --check finds what is not meant to be wrong
    source PATH                   launch this file's kernels instead
    anything else                 a Python statement, with np, rng, poison, close, same, ulps,
                                  to_bfloat16, share
and begins with a further blank where it continues the line before. Each runs on the CPU under
several schedules, and on CUDA where there is a device; of what share(a list) returns each schedule
has a part, and CUDA all. The schedules together have all of a short list, and of a long one a third
that the seed chooses; CK_CORPUS=all makes it all. The same launches for several shapes are one
ckrun too, which compiles their kernels once; and a run of the tests has one cache, so that of the
schedules the first compiles.
"""

import ast
import collections
import re
import shlex
import sys
import tempfile
import warnings
import zlib
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from .core import Failure, Skip, Test, takes_all
from .process import run
from .program_references import to_bfloat16
from .programs import Program

# Expectations divide by zero and overflow on purpose, as the kernels do.
warnings.filterwarnings("ignore", category=RuntimeWarning)

TIMEOUT = 60  # of a command; each of its launches adds a sixth, as it may compile
N_SCHEDULES = 5
N_PARTS = 3 * N_SCHEDULES  # of a list that has so many: each schedule takes one of them
APART = 16  # tests from one schedule of a run test to its next: more than run at once
DIRECTIVE = re.compile(
    r"^(launches|launch|expect|error|print-any|prints|print|options|repeat|only|racecheck|check|source)\b(.*)$", re.S)
DTYPES = {"bool": "bool", **{n: n for n in (
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
    "complex64 complex128").split()}}


# --- Reading --------------------------------------------------------------------------------------


@dataclass
class Group:
    """Launches of one ckrun, and what is expected of it."""

    line: int
    options: list
    launches: list = field(default_factory=list)  # ("launch", text) or ("launches", expression)
    errors: list = field(default_factory=list)
    prints: list = field(default_factory=list)  # ("print", text) or ("prints", expression)
    any_order: bool = False
    given: list = field(default_factory=list)  # names of arrays of the module that have a value

    def is_open(self):
        return not self.errors and not self.prints


@dataclass
class Script:
    source: Path
    steps: list  # Group, or (line, "statement" | "expect", text)
    shapes: list  # [(grid, block)], or [None]
    only: str = None
    no_racecheck: str = None
    no_check: str = None


def annotated_lines(path):
    """[(line number, text)] of the `#:` lines, continuations joined."""
    lines = []
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"^\s*#: ?(.*)$", line)
        if not match:
            continue
        if match[1].startswith(" ") and lines:
            lines[-1] = (lines[-1][0], lines[-1][1] + "\n" + match[1])
        elif match[1].strip():
            lines.append((number, match[1]))
    return lines


def parse_shapes(text):
    if not text.startswith("grids "):
        raise Failure(f"`repeat {text}`: only `repeat grids [G, B], ...` is known")
    body = text[len("grids "):]
    items = ast.parse(f"[{body}]", mode="eval").body.elts
    return [tuple(ast.unparse(part) for part in item.elts) for item in items]


def reason_of(word, text):
    if not re.match(r"no: *\S", text):
        raise Failure(f"`{word} {text}`: only `{word} no: REASON` is known")
    return text[len("no:"):].strip()


def parse(path):
    script = Script(path, [], [None])
    group, options = None, []
    for number, text in annotated_lines(path):
        match = DIRECTIVE.match(text)
        word, rest = (match[1], match[2].strip()) if match else ("statement", text)
        if word in ("error", "print", "prints", "print-any") and group is None:
            raise Failure(f"line {number}: `{word}` before any launch")
        if word in ("launch", "launches"):
            if group is None or script.steps[-1] is not group or not group.is_open():
                group = Group(number, options)
                script.steps.append(group)
            group.launches.append((word, rest))
        elif word == "error":
            group.errors.append(rest)
        elif word in ("print", "prints", "print-any"):
            group.prints.append((word, rest))
            group.any_order |= word == "print-any"
        elif word == "options":
            options, group = shlex.split(rest), None
        elif word == "repeat":
            script.shapes = parse_shapes(rest)
        elif word == "only":
            script.only = rest
        elif word == "racecheck":
            script.no_racecheck = reason_of(word, rest)
        elif word == "check":
            script.no_check = reason_of(word, rest)
        elif word == "source":
            script.source = (path.parent / rest).resolve()
        else:
            script.steps.append((number, word, rest))
    demands = [s for s in script.steps
               if (isinstance(s, Group) and not s.is_open()) or
               (isinstance(s, tuple) and s[1] == "expect")]
    if not demands:
        raise Failure("it expects nothing: no `#: expect`, `error` or `print`")
    return script


# --- What the statements may use ------------------------------------------------------------------


def make_poison(rng):
    def poison(shape, dtype):
        """Garbage that is never zero, so that an element left alone or cleared is seen."""
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return np.asarray(rng.integers(0, 2, shape)).astype(dtype)
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            return np.asarray(rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True) | dtype.type(1))
        if dtype.kind == "c":
            return np.asarray(rng.uniform(-9e3, -1e3, shape) + 1j * rng.uniform(1e3, 9e3, shape)).astype(dtype)
        return np.asarray(rng.uniform(-9e3, -1e3, shape)).astype(dtype)

    return poison


def close(got, want, rtol=1e-6, atol=0.0):
    """Whether got is want, which may be of a wider type, within the tolerances.

    They are never narrower than four units of got's subnormal numbers: no result near 0 is closer.
    """
    got, want = np.asarray(got), np.asarray(want)
    wide = np.complex128 if "c" in (got.dtype.kind, want.dtype.kind) else np.float64
    if got.dtype.kind in "fc":
        atol = max(atol, 4 * float(np.finfo(got.dtype).smallest_subnormal))
    return np.isclose(got.astype(wide), want.astype(wide), rtol, atol, equal_nan=True)


def same(a, b):
    """Equal, or both NaN."""
    a, b = np.asarray(a), np.asarray(b)
    return (a == b) | ((a != a) & (b != b))


def ulps(got, want):
    """The error in units of the last place of got's type; 0 where both round to one value or
    NaN."""
    got, want = np.asarray(got), np.asarray(want)
    rounded = want.astype(got.dtype)
    unit = np.spacing(np.abs(rounded)).astype(np.longdouble)
    error = np.abs(got.astype(np.longdouble) - want.astype(np.longdouble)) / unit
    return np.where(same(got, rounded), 0, np.where(np.isfinite(error), error, np.inf))


def make_share(seed, schedule, everything=False):
    def share(items, most_parts=N_PARTS):
        """This schedule's part of what takes too long for each; all of it on CUDA."""
        if schedule is None:
            return items
        n_parts = N_SCHEDULES if everything or len(items) < most_parts else most_parts
        return items[(seed + schedule) % n_parts::n_parts]

    return share


def make_constants(source):
    def constants():
        """The module's constants as NumPy computes them."""
        values = {"np": np, "int64": lambda number: np.asarray(number).astype(np.int64)[()]}
        for statement in ast.parse(source.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign):
                exec(compile(ast.Module([statement], []), source.name, "exec"), values)
        return values

    return constants


def namespace(seed, name, schedule=None, racecheck=False, source=None):
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    return {"np": np, "rng": rng, "poison": make_poison(rng), "close": close, "same": same,
            "ulps": ulps, "to_bfloat16": to_bfloat16, "share": make_share(seed, schedule, takes_all()),
            "racecheck": racecheck, "constants": make_constants(source)}


# --- Launching ------------------------------------------------------------------------------------


def literal(value):
    """A scalar as ckrun reads it; NumPy's scalars keep their type."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (np.generic, np.ndarray)):
        dtype = value.dtype.name
        if dtype not in DTYPES:
            raise Failure(f"a scalar of type {dtype} cannot be passed")
        return f"{dtype}({value.item()!r})"
    return repr(value)


def places_of_names(launch):
    """[(name, where it begins, where it ends)] of what a launch mentions, the kernel left out."""
    call = ast.parse(launch, mode="eval").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Subscript)):
        raise Failure(f"`{launch}` is not kernel[grid, block](arguments)")
    return [(node.id, node.col_offset, node.end_col_offset)
            for part in [call.func.slice, *call.args, *(k.value for k in call.keywords)]
            for node in ast.walk(part) if isinstance(node, ast.Name)]


def names_in(launches):
    """The names a group's launches mention, in order."""
    return list(dict.fromkeys(
        name for launch in launches for name, _, _ in places_of_names(launch)))


def renamed(launch, names):
    for name, begin, end in sorted(places_of_names(launch), key=lambda place: -place[1]):
        launch = launch[:begin] + names.get(name, name) + launch[end:]
    return launch


def all_launches(group, values):
    launches = []
    for word, text in group.launches:
        launches += [text] if word == "launch" else eval(text.strip(), values)
    return launches


def with_shape(text, shape):
    if shape is None:
        return text
    text = re.sub(r"\bGRID\b", shape[0], text)
    return re.sub(r"\bBLOCK\b", shape[1], text)


@dataclass
class Launcher:
    layout: object
    device: list  # ckrun's options for device and schedule
    wrap: list
    tmp: Path
    timeout: float

    def arguments(self, names, values):
        """ckrun's NAME=VALUE and --save, with the arrays written to files."""
        given, arrays = [], []
        for name in names:
            value = values.get(name)
            if value is None:
                continue
            if isinstance(value, np.ndarray):
                np.save(self.tmp / f"{name}.npy", value)
                (self.tmp / f"{name}.out.npy").unlink(missing_ok=True)
                given += [f"{name}=@{name}.npy", "--save", f"{name}={name}.out.npy"]
                arrays.append(name)
            else:
                given.append(f"{name}={literal(value)}")
        return given, arrays

    def run(self, source, group, shape, values):
        launches = [with_shape(launch, shape) for launch in all_launches(group, values)]
        return self.run_launches(source, group, launches, values)

    def run_launches(self, source, group, launches, values):
        given, arrays = self.arguments([*names_in(launches), *group.given], values)
        argv = [*self.wrap, self.layout.ckrun, *self.device, *group.options, source, *launches,
                *given]
        env = {"CK_CACHE_DIR": str(self.layout.cache)} if self.layout.cache else {}
        timeout = self.timeout * (6 + len(launches)) // 6
        return run(argv, timeout, cwd=self.tmp, env={**env, **self.layout.launch_env}), arrays

    def load(self, arrays, values, result, suffix=""):
        for name in arrays:
            before = values[name]
            path = self.tmp / f"{name}{suffix}.out.npy"
            if not path.exists():
                raise Failure(f"{name} was not saved\n{result}")
            after = np.load(path)
            if (after.dtype, after.shape) != (before.dtype, before.shape):
                raise Failure(f"{name} came back as {after.dtype} {after.shape}, "
                              f"was {before.dtype} {before.shape}")
            values[f"{name}_in"], values[name] = before, after


# --- Checking -------------------------------------------------------------------------------------


def sides(expression, values):
    """The two things an expectation compares, or None."""
    tree = ast.parse(expression, mode="eval").body
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        parts = [tree.left, tree.comparators[0]]
    elif isinstance(tree, ast.Call) and getattr(tree.func, "id", "") in ("close", "same"):
        parts = tree.args[:2]
    else:
        return None
    return [np.asarray(eval(ast.unparse(part), values)) for part in parts]


def check_expectation(number, text, values):
    outcome = np.asarray(eval(compile(text.strip(), f"line {number}", "eval"), values))
    if outcome.all():
        return
    message = f"line {number}: not so: {text}"
    compared = sides(text.strip(), values)
    if compared and outcome.ndim:
        left, right = np.broadcast_arrays(*compared)
        index = tuple(int(i) for i in np.argwhere(~outcome)[0])
        message += (f"\n{np.count_nonzero(~outcome)} of {outcome.size} elements differ, first "
                    f"{list(index)}: {left[index]!r} and {right[index]!r}")
    raise Failure(message)


def lines_due(group, values):
    lines = []
    for word, text in group.prints:
        lines += eval(text, values) if word == "prints" else [text]
    return lines


def check_group(group, result, tmp, arrays, wrapped, values):
    if group.errors:
        for error in group.errors:
            if result.rc == 0 or error not in result.err:
                raise Failure(f"line {group.line}: an error with `{error}` is due\n{result}")
        left = [name for name in arrays if (tmp / f"{name}.out.npy").exists()]
        if left:
            raise Failure(f"line {group.line}: {left} saved although the launch failed\n{result}")
        return
    if result.rc != 0:
        raise Failure(str(result))
    if group.prints and not wrapped:  # a wrapper may print too
        expected, actual = lines_due(group, values), result.out.splitlines()
        if group.any_order:
            expected, actual = collections.Counter(expected), collections.Counter(actual)
        if expected != actual:
            raise Failure(f"line {group.line}: these lines are due: {lines_due(group, values)}\n{result}")


@dataclass
class Case:
    """A script's run for one shape."""

    script: Script
    shape: tuple
    launcher: Launcher
    values: dict

    def launch(self, step):
        if self.launcher.wrap and step.errors:
            return  # a wrapper such as a sanitizer has exit statuses of its own
        result, arrays = self.launcher.run(self.script.source, step, self.shape, self.values)
        check_group(step, result, self.launcher.tmp, arrays, bool(self.launcher.wrap), self.values)
        if not step.errors:
            self.launcher.load(arrays, self.values, result)

    def state(self, number, kind, text):
        text = with_shape(text, self.shape)
        if kind == "statement":
            exec(compile(text, f"line {number}", "exec"), self.values)
        elif not self.launcher.wrap:
            check_expectation(number, text, self.values)

    def step(self, step):
        try:
            if isinstance(step, Group):
                self.launch(step)
            else:
                self.state(*step)
        except Failure as failure:
            where = f"shape {list(self.shape)}, " if self.shape else ""
            raise Failure(f"{where}{failure}") from None


def launch_together(cases, group):
    """The launches of all shapes as one ckrun, each with names of its own. False if they fail."""
    launcher, launches, values, own = cases[0].launcher, [], {}, []
    for index, case in enumerate(cases):
        texts = [with_shape(text, case.shape) for text in all_launches(group, case.values)]
        names = {name: f"{name}__{index}" for name in names_in(texts)
                 if case.values.get(name) is not None}
        launches += [renamed(text, names) for text in texts]
        values |= {names[name]: case.values[name] for name in names}
        own.append([name for name in names
                    if isinstance(case.values[name], np.ndarray)])
    try:
        result, _ = launcher.run_launches(cases[0].script.source, group, launches, values)
    except Failure:
        return False
    if result.rc == 0:
        for index, (case, arrays) in enumerate(zip(cases, own)):
            launcher.load(arrays, case.values, result, f"__{index}")
    return result.rc == 0


def check_kernel(layout, path, name, wrap, seed, device, options):
    script = parse(path)
    if script.only not in (None, device):
        raise Skip(f"only on the {script.only} device")
    racecheck = any(word.endswith("racecheck") for word in wrap)
    if script.no_racecheck and racecheck:
        raise Skip(f"racecheck cannot check it: {script.no_racecheck}")
    schedules = list(cpu_schedules(seed).values())
    schedule = schedules.index(options) if options in schedules else None
    check_script(layout, script, options, wrap, seed,
                 lambda: namespace(seed, name, schedule, racecheck, script.source))


def check_script(layout, script, options, wrap, seed, make_values):
    timeout = TIMEOUT * layout.patience * (10 if wrap else 1)
    with tempfile.TemporaryDirectory(prefix="ck-run-") as tmp:
        launcher = Launcher(layout, options, wrap, Path(tmp), timeout)
        cases = [Case(script, shape, launcher, make_values()) for shape in script.shapes]
        try:
            for step in script.steps:
                together = isinstance(step, Group) and step.is_open() and len(cases) > 1
                if not (together and launch_together(cases, step)):
                    for case in cases:
                        case.step(step)
        except Failure as failure:
            raise Failure(f"{' '.join(options)}, --seed {seed}\n{failure}") from None
        finally:
            for case in cases:  # their functions refer to them: arrays would outlive the test
                case.values.clear()


def compiled(layout, source, options):
    """The PTX that ckc makes of a file with these options, which launches take as it is."""
    ptx = source.with_suffix(".ptx")
    result = run([layout.ckc, "-arch=sm_75", *options, "-o", ptx, source], TIMEOUT * layout.patience)
    if result.rc:
        raise Failure(str(result))
    return ptx


def check_program(layout, program, due, options, wrap, seed, ckc=None):
    """What a random kernel computes is `due`, by name: what the same does in Python. `ckc`: its
    options, if it compiles the kernel, for a GPU."""
    due = {f"due_{name}": array for name, array in due.items()}
    steps = [Group(1, [], [("launch", launch) for launch in program.launches], [], [("prints", "due_printed")],
                   True, program.globals)]
    steps += [(1, "expect", f"{name} == due_{name}") for name in program.arrays]
    with tempfile.TemporaryDirectory(prefix="ck-random-") as tmp:
        path = Path(tmp) / "random.ck"
        path.write_text(program.source())
        if ckc is not None:
            path = compiled(layout, path, ckc)
        check_script(layout, Script(path, steps, [None]), options, wrap, seed,
                     lambda: {"np": np, "n": program.n, **program.arrays, **due})


def launch_indices(layout, device, seed, count):
    """Random kernels of index_programs.py by the build's Python package, on the CPU device or the
    emulated GPU."""
    folder = layout.build / "python" if layout.build else layout.root / "lib" / "python"
    env = {"PYTHONPATH": str(folder), **(layout.emulation() if device == "emulated" else {})}
    kind = "cuda" if device == "emulated" else device
    return run([sys.executable, layout.tests / "harness" / "index_launch.py", kind, seed, count],
               TIMEOUT * layout.patience * 10, env=env)


@lru_cache
def random_program(seed):
    """And what it computes, once for all schedules."""
    program = Program(seed)
    return program, program.due()


def check_random(layout, number, wrap, seed, device, options):
    check_program(layout, *random_program(seed + number), options, wrap, seed)


# --- Devices and discovery ------------------------------------------------------------------------


def cpu_schedules(seed):
    return {
        "seq": ["--device", "cpu:1", "--schedule", "seq"],
        "threads": ["--device", "cpu:2", "--schedule", "seq"],
        "reverse": ["--device", "cpu:2", "--schedule", "reverse"],
        "random-a": ["--device", "cpu:1", "--schedule", f"random:{seed}"],
        "random-b": ["--device", "cpu:2", "--schedule", f"random:{seed ^ 0x5DEECE66}"],
    }


PROBE = "@kernel\ndef probe(x: int32[::1]):\n    x[0] = 1\n"


class Cuda:
    """Whether ckrun finds a CUDA device: it exits with 3 where there is none."""

    def __init__(self, layout):
        with tempfile.TemporaryDirectory(prefix="ck-probe-") as tmp:
            (Path(tmp) / "probe.ck").write_text(PROBE)
            self.result = run([layout.ckrun, "--device", "cuda", "probe.ck", "probe[1, 1](x)",
                               "x=zeros(1, int32)"], TIMEOUT * layout.patience, cwd=tmp)

    def present(self):
        return self.result.rc == 0

    def absent(self):
        return self.result.rc == 3


def probe_failed(cuda):
    raise Failure(f"neither a device nor a clear absence of one\n{cuda.result}")


def skip_cuda():
    raise Skip("no CUDA device")


def kernel_files(layout):
    run_tests = sorted((layout.tests / "run").rglob("*.ck"))
    examples = [p for p in [*sorted(layout.examples.glob("*.ck")), *sorted(layout.examples.glob("wrong/*.ck"))]
                if annotated_lines(p)]
    return run_tests + examples


def discover(layout, device, seed, wrap, n_random, list_only):
    """The run tests, and `n_random` random kernels."""
    files = kernel_files(layout)
    if not files:
        return
    wrap = shlex.split(wrap)
    cuda = None if list_only or device == "cpu" else Cuda(layout)
    if cuda and not cuda.present() and (device == "cuda" or not cuda.absent()):
        yield Test("run/cuda-device", lambda: probe_failed(cuda))
        device = "cpu" if device == "all" else device
    checks = {}
    for path in files:
        name = path.relative_to(layout.root).with_suffix("").as_posix()
        name = name[len("tests/"):] if name.startswith("tests/") else name
        checks[name] = partial(check_kernel, layout, path, name, wrap, seed)
    for number in range(n_random):
        checks[f"run/random/{number}"] = partial(check_random, layout, number, wrap, seed)
    columns = [list(on_devices(name, check, device, cuda, seed)) for name, check in checks.items()]
    yield from apart(columns)


def apart(columns):
    """Each column's tests in order, with those of others in between: two schedules of a test that
    begin at once would both compile its kernels."""
    for first in range(0, len(columns), APART):
        for row in zip(*columns[first:first + APART]):
            yield from row


def on_devices(name, check, device, cuda, seed):
    if device in ("cpu", "all"):
        for label, options in cpu_schedules(seed).items():
            yield Test(f"{name}[{label}]", partial(check, "cpu", options))
    if device in ("cuda", "all"):
        present = cuda is None or cuda.present()
        run_it = partial(check, "cuda", ["--device", "cuda"])
        yield Test(f"{name}[cuda]", run_it if present else skip_cuda)
