#!/usr/bin/env python3
"""Compares the code that two builds of ck make of every example, run test, benchmark kernel and of
random kernels.

usage: tools/same_code.py [options] BASE NEW [PATTERN]...

BASE and NEW are build folders or unpacked releases. Each test is launched by both, on the CPU
device and on the fake driver as each architecture; what the cache then holds is the code that was
made: host objects and PTX. The launches come from this tree's tests. Prints the tests whose code
differs, and leaves both under --keep; exit status 1 if any do.

What a build made is remembered in it, in same_code.json, until the build, the tests' harness or the
source changes: a second comparison with the same BASE launches NEW alone.
"""

import argparse
import collections
import hashlib
import json
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests"))

from harness.interpreter import with_numpy  # noqa: E402

with_numpy("tools/same_code.py")
from harness import kernels  # noqa: E402
from harness.core import Failure  # noqa: E402
from harness.layout import Layout  # noqa: E402
from harness.process import run  # noqa: E402

HEADER = 40  # of an entry of the cache: runtime/cache/cache.c's struct header
SEED = 20260101
Target = collections.namedtuple("Target", "name options env")
Item = collections.namedtuple("Item", "name files make")  # make: a function of layout and target


class Launcher(kernels.Launcher):
    """Launches with a cache of its own, and does not mind what the launch says."""

    def run_launches(self, source, group, launches, values):
        given, arrays = self.arguments(kernels.names_in(launches), values)
        argv = [self.layout.ckrun, *self.device, *group.options, source, *launches, *given]
        return run(argv, self.timeout, cwd=self.tmp, env=self.env), arrays


def targets(layout, architectures):
    found = [Target("host", ["--device", "cpu"], {})]
    for arch in architectures:
        attributes = f"75={arch // 10},76={arch % 10}"
        env = {"LD_LIBRARY_PATH": str(layout.fake_cuda), "FAKE_CUDA_ATTR": attributes}
        found.append(Target(f"sm_{arch}", ["--device", "cuda"], env))
    return found


def step_through(script, shape, launcher, values):
    """Every launch of the script, whatever came of those before."""
    for step in script.steps:
        try:
            if isinstance(step, kernels.Group):
                result, arrays = launcher.run(script.source, step, shape, values)
                if result.rc == 0:
                    launcher.load(arrays, values, result)
            elif step[1] == "statement":
                exec(compile(kernels.with_shape(step[2], shape), "statement", "exec"), values)
        except (Failure, ArithmeticError, AssertionError, AttributeError, IndexError, NameError, TypeError, ValueError) as error:
            if launcher.device[1] == "cpu" and isinstance(step, kernels.Group) and not step.errors:
                print(f"{script.source}: {str(error)[:200]}", file=sys.stderr)


def code_of(layout, target, script, make_values):
    """{digest: code} of all that was compiled for one script."""
    with tempfile.TemporaryDirectory(prefix="ck-code-") as tmp:
        cache = Path(tmp) / "cache"
        launcher = Launcher(layout, target.options, [], Path(tmp), 120)
        launcher.env = {**target.env, "CK_CACHE_DIR": str(cache), "CK_CACHE_SIZE": "4G"}
        for shape in script.shapes:
            step_through(script, shape, launcher, make_values())
        code = {}
        for entry in sorted(cache.glob("*.ckc")):
            data = entry.read_bytes()
            value = data[HEADER + int.from_bytes(data[24:32], "little"):]
            if target.name == "host":  # the object file, without the manifest
                value = value[value.index(b"\x7fELF"):]
            code[hashlib.sha256(value).hexdigest()[:16]] = value
        return code


def compile_alone(layout, target, path):
    """The PTX of a file whose kernels have signatures."""
    result = run([layout.ckc, f"-arch={target.name}", "--no-cache", "-o", "-", path], 120)
    text = result.out.encode()
    return {hashlib.sha256(text).hexdigest()[:16]: text} if result.rc == 0 else {}


def all_work(patterns, n_random, folder):
    work = []
    for path in [*sorted((ROOT / "tests/run").rglob("*.ck")), *sorted((ROOT / "examples").glob("*.ck"))]:
        name = str(path.relative_to(ROOT).with_suffix(""))
        if not kernels.annotated_lines(path):
            continue  # another test's source
        script = kernels.parse(path)
        work.append(Item(name, [path, script.source], lambda layout, target, script=script, name=name: {} if script.only and (
            script.only == "cpu") != (target.name == "host") else code_of(
                layout, target, script, lambda: kernels.namespace(SEED, name, 0))))
    for path in [*sorted((ROOT / "bench").rglob("*.ck")), *sorted((ROOT / "tests/ptx").rglob("*.ck"))]:
        name = str(path.relative_to(ROOT).with_suffix(""))
        work.append(Item(name, [path], lambda layout, target, path=path: {} if target.name == "host" else
                         compile_alone(layout, target, path)))
    for number in range(n_random):
        work.append(Item(f"random/{number}", [], lambda layout, target, number=number: random_code(
            layout, target, folder, SEED + number)))
    return [item for item in work if not patterns or any(p in item.name for p in patterns)]


def random_code(layout, target, folder, seed):
    program = kernels.Program(seed)
    path = folder / f"random_{seed}.ck"
    if not path.exists():  # whole at once: another job may compile it
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as text:
            text.write(program.source())
        Path(text.name).rename(path)
    group = kernels.Group(1, [], [("launch", program.launch)])
    return code_of(layout, target, kernels.Script(path, [group], [None]),
                   lambda: {"np": kernels.np, "n": program.n, **program.arrays})


def hash_of(*paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Side:
    """One of the two builds, and the digests of the code that it is known to make."""

    def __init__(self, folder, architectures):
        release = (folder / "bin" / "ckrun").exists()
        self.layout = Layout(ROOT / "tests", None if release else folder, folder if release else None)
        self.targets = targets(self.layout, architectures)
        self.path = folder / "same_code.json"
        harness = sorted((ROOT / "tests/harness").glob("*.py"))
        self.made_by = hash_of(self.layout.ckrun, self.layout.ckc, self.layout.library("libck"), *harness, Path(__file__))
        known = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.digests = known["digests"] if known.get("made_by") == self.made_by else {}

    def digests_of(self, item, index):
        """The digests, and {digest: code} if it was made now."""
        key = f"{self.targets[index].name} {item.name} {hash_of(*item.files)}"
        if key in self.digests:
            return self.digests[key], None
        code = item.make(self.layout, self.targets[index])
        self.digests[key] = sorted(code)
        return self.digests[key], code

    def save(self):
        try:
            self.path.write_text(json.dumps({"made_by": self.made_by, "digests": self.digests}))
        except OSError as error:
            print(f"tools/same_code.py: nothing is remembered: {error}", file=sys.stderr)


def keep(folder, side, target, name, code):
    place = folder / side / target.name / name
    place.mkdir(parents=True, exist_ok=True)
    for digest, value in code.items():
        (place / digest).write_bytes(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--arch", type=int, action="append", help="compute capability, as 90 (default: 75 and 90)")
    parser.add_argument("--random", type=int, default=60, metavar="N", help="random kernels (default: 60)")
    parser.add_argument("--jobs", "-j", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=Path("same_code"), metavar="DIR")
    arguments = parser.parse_args()
    architectures = arguments.arch or [75, 90]
    sides = {"base": Side(arguments.base, architectures), "new": Side(arguments.new, architectures)}
    shutil.rmtree(arguments.keep, ignore_errors=True)
    counts = collections.Counter()

    def compare(item, index):
        (base, base_code), (new, new_code) = (side.digests_of(item, index) for side in sides.values())
        counts["pieces of code"] += len(base)
        if base == new:
            return
        counts["differ"] += 1
        target = sides["base"].targets[index]
        print(f"{target.name} {item.name}: differs")
        for (name, side), code, others in zip(sides.items(), (base_code, new_code), (new, base)):
            code = code if code is not None else item.make(side.layout, side.targets[index])
            keep(arguments.keep, name, target, item.name, {d: v for d, v in code.items() if d not in others})

    with tempfile.TemporaryDirectory(prefix="ck-code-") as tmp:
        work = all_work(arguments.patterns, arguments.random, Path(tmp))
        with ThreadPoolExecutor(arguments.jobs) as pool:
            jobs = [pool.submit(compare, item, index) for item in work
                    for index in range(1 + len(architectures))]
            try:
                for job in jobs:
                    job.result()
            finally:
                pool.shutdown(cancel_futures=True)
                for side in sides.values():
                    side.save()
    print(f"{len(work)} sources, {counts['pieces of code']} pieces of code, {counts['differ']} sources differ")
    return counts["differ"] > 0


if __name__ == "__main__":
    sys.exit(main())
