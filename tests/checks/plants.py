"""Plants one mistake in a random kernel, and says what `ckrun --check` must report of it.

A plant changes lines of the kernel in ck. In Python it changes what a Follower needs to know: the
scope of a barrier, or that a line was reached. So the generator decides whether the mistake happens
in this launch, and no label comes from ck.
"""

import random
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from checks.labelled import findings_of
from checks.watch import Follower
from harness import kernels
from harness.core import Failure
from harness.program_features import LOADS, N_FILLED, N_RECORDS, N_SENT, STORES
from harness.programs import CK_HELPERS, HELPERS, N_CHAINS, N_IN, N_LOCAL, N_RING, Program

BEFORE = HELPERS.count("\n")  # lines of the text in Python before the program's own
MORE = CK_HELPERS.count("\n")  # of the text in ck in addition
BARRIER = re.compile(r"^(?:ckrun: error: )?[^\s:]+:(\d+):\d+: .*(?:never completes|\[barrier-)", re.M)
WAITS = re.compile(r"sync|wait|reduce|scan|shfl|\.any|\.all|partition|ballot|match_any|memcpy_async")
ORDER = re.compile(r"memory_order_(?:acquire|release|acq_rel|seq_cst)")
SHARED = ["all", "seen", "carried", "flags", "rs"]  # what threads hand on by barriers
# What atomic operations update, by the array's name.
UPDATED = {"counts": "counts", "KEPT": "KEPT", "tallies": 'tallies["k"]'}
RACE, COPY, UNSET, BOUNDS = "data-race", "unwaited-copy", "uninitialized-read", "out-of-bounds"
TIMEOUT = 60
N_TRIED = 4


@dataclass
class Plant:
    """`lines` replace those from the `first` on, as pairs of ck and Python."""

    kind: str
    first: int
    lines: list
    n_replaced: int = 1
    finding: str = RACE
    arrays: list = field(default_factory=list)  # to follow
    unset: list = field(default_factory=list)
    certain: bool = True  # that a conflict is found, if the generator finds one


@dataclass
class Due:
    """`some`: places of which one at least is reported; `others`: places that may be. Neither: the
    mistake does not happen, and nothing is reported."""

    findings: tuple
    some: set
    others: set


def indented(line, text):
    return line[:len(line) - len(line.lstrip())] + text


# --- What can be planted --------------------------------------------------------------------------


def barriers(program):
    """Left out, or of fewer threads."""
    for k, (ck, python) in enumerate(program.lines):
        text = ck.strip()
        if text in ("cuda.syncthreads()", "block.sync()", "g.sync()", "this_grid().sync()"):
            of_ring = program.lines[k - 1][0].lstrip().startswith("ring[")
            arrays = ["ring"] if of_ring else SHARED
            finding = COPY if of_ring else RACE
            narrower = [("pass", "none"), ("cuda.syncwarp()", "warp")]
            if text.startswith("this_grid"):
                narrower.append(("cuda.syncthreads()", "block"))
            for call, scope in narrower:
                line = indented(ck, call), indented(python, f"yield 'sync', '{scope}', None")
                yield Plant(f"{call} for {text}", k, [line], finding=finding, arrays=arrays)


def late_stores(program):
    """Between the arrival at a barrier and the wait."""
    for k, (store, arrival) in enumerate(zip(program.lines, program.lines[1:])):
        if arrival[1].strip() == "arrived()" and store[0].lstrip().startswith("all[t] ="):
            yield Plant("a store after the arrival", k, [arrival, store], 2, arrays=["all"])


def fences(program):
    """Left out, or orders relaxed, where blocks wait for one another. Only at the first wait is a
    conflict certain: another one may order it, as may a later flag."""
    lines, first = program.lines, True
    for k, (ck, python) in enumerate(lines):
        if "acquired(b)" in python:
            fence = ck.strip() == "cuda.threadfence()"
            polls = lines[k - 2:k]
            if not fence:
                polls[0] = relaxed(polls[0][0]), polls[0][1]
            yield Plant("no fence after a wait" if fence else "a relaxed wait", k - 2,
                        [*polls, (indented(ck, "pass"), indented(python, "noted(0)"))], 3,
                        arrays=["carried"], certain=first)
            first = False
        elif "released(b)" in python:
            fence = lines[k - 1][0].strip() == "cuda.threadfence()"
            before = [(indented(ck, "pass"), lines[k - 1][1])] if fence else []
            flag = ck if fence else relaxed(ck), python.replace("released(b)", "noted(0)")
            yield Plant("no fence before a flag" if fence else "a relaxed flag", k - len(before),
                        [*before, flag], len(before) + 1, arrays=["carried"], certain=False)


def relaxed(text):
    if ORDER.search(text):
        return ORDER.sub("memory_order_relaxed", text)
    text = text.replace("load(flags, b - 1)", "load(flags, b - 1, cuda.memory_order_relaxed)")
    return text.replace("flags[b] + 1)", "flags[b] + 1, cuda.memory_order_relaxed)")


def plain_updates(program):
    """Instead of atomic ones."""
    kind, _ = program.count
    for k, (ck, python) in enumerate(program.lines):
        for name, array in UPDATED.items():
            head = f"cuda.atomic.{kind}({array}, "
            if ck.strip().startswith(head):
                index, value = split(ck.strip()[len(head):-1])
                place = f"{array}[{index}]"
                update = f"{place} += {value}" if kind == "add" else f"{place} = {kind}({place}, {value})"
                yield Plant("a plain update", k, [(indented(ck, update), python.replace("count(", "plain_count(", 1))],
                            arrays=[name])


def copies(program):
    """That are not waited for, or for one copy too few."""
    for k, (ck, python) in enumerate(program.lines):
        text = ck.strip()
        for call, left in {"block.wait_prior(1)": [("block.sync()", None), ("block.wait_prior(2)", 2)],
                           "block.wait()": [("block.sync()", None)]}.get(text, []):
            yield Plant(f"{call} for {text}", k,
                        [(indented(ck, call), indented(python, f"yield 'sync', 'block', {left}"))],
                        finding=COPY, arrays=["ring"])


def unset_elements(program):
    """Of local or shared memory: the first or last one, or that of a thread."""
    for k, (ck, python) in enumerate(program.lines):
        if ck.lstrip().startswith("for k0 in range("):
            for trips in (f"1, {N_LOCAL}", f"{N_LOCAL - 1}"):
                head = indented(ck, f"for k0 in range({trips}):")
                yield Plant("a local element that is not set", k, [(head, head)], 1, UNSET, ["own"], ["own"])
        elif ck.lstrip().startswith("all[t] ="):
            head = indented(ck, f"if t != {k % program.threads}:")
            yield Plant("a shared element that is not set", k, [(head, head), (f"    {ck}", f"    {python}")],
                        1, UNSET, ["all"], ["all"])


def extents(program):
    """Of each array that is indexed whole, by name."""
    found = {"own": [N_LOCAL], "all": [128], "ring": [3, N_RING], "carried": [N_CHAINS, program.blocks],
             "seen": [program.blocks * program.threads], "flags": [program.blocks]}
    for dtype in program.types:
        found |= {f"x_{dtype}": [N_IN], f"a_{dtype}": [8, 4], f"C_{dtype}": [5],
                  f"o_{dtype}": [program.n_out, program.blocks * program.threads]}
    if program.globals:
        found |= {"FILLED": [N_FILLED, 2], "SENT": [N_SENT]}
    if "recs" in program.arrays:
        found |= {"recs": [N_RECORDS], "recs_out": [program.blocks * program.threads], "rs": [128]}
    return found


def split(text):
    """At the commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def inside(text, first):
    """What is in the bracket that opens before `first`."""
    depth, end = 1, first
    while depth:
        depth += (text[end] in "([") - (text[end] in ")]")
        end += 1
    return text[first:end - 1]


def indices(program):
    """(line, text, name, indices, what is before and behind these) of each element that the kernel
    names in both texts alike."""
    known = extents(program)
    names = re.compile(r"(?<![\w.])(" + "|".join(known) + r")\[")
    hinted = re.compile(rf"\b({'|'.join([*LOADS, *STORES, 'prefetch'])})\(({'|'.join(known)}), ")
    kernel = next(k for k, (ck, _) in enumerate(program.lines) if ck.startswith("def k("))
    for k, (ck, python) in enumerate(program.lines):
        if k <= kernel:
            continue
        for found in names.finditer(ck):
            text = inside(ck, found.end())
            items = split(text)
            whole = f"{found[0]}{text}]"
            if len(items) == len(known[found[1]]) and not any(":" in item or item[0] == "'" for item in items) \
                    and ck.count(whole) == python.count(whole) == 1:
                yield k, whole, found[1], items, (found[0], "]")
        for found in hinted.finditer(ck):
            text = inside(ck, found.end())
            item, *value = split(text)
            whole = f"{found[0]}{text})"
            if len(known[found[2]]) == 1 and ck.count(whole) == python.count(whole) == 1:
                yield k, whole, found[2], [item], (found[0], "".join(f", {v}" for v in value) + ")")


def wrong_trip_counts(program):
    for k, (ck, python) in enumerate(program.lines):
        if ck.lstrip().startswith("for k0 in range("):
            body, its_python = program.lines[k + 1]
            yield Plant("one trip too many", k, [
                (ck.replace(str(N_LOCAL), str(N_LOCAL + 1)), python),
                (body, its_python.replace("own[k0]", "own[noted(k0)]"))], 2, BOUNDS)


def wrong_indices(program):
    """By one, on either side; and a loop of one iteration too many."""
    yield from wrong_trip_counts(program)
    known = extents(program)
    for k, whole, name, items, (before, behind) in indices(program):
        ck, python = program.lines[k]
        for axis, extent in enumerate(known[name]):
            for wrong in (extent, -extent - 1):
                def changed(item, axis=axis):
                    return f"{before}{', '.join([*items[:axis], item, *items[axis + 1:]])}{behind}"

                off = wrong - program.n
                yield Plant(f"index {wrong} of {name}", k, [
                    (ck.replace(whole, changed(f"n {'-' if off < 0 else '+'} {abs(off)}")),
                     python.replace(whole, changed(f"noted({items[axis]})")))], finding=BOUNDS)


def barriers_of_few(program):
    """In a loop whose trip count is data, and zero in some threads of each block."""
    values = program.arrays[f"x_{program.types[0]}"][:min(program.threads, N_IN)]
    if (values == values[0]).all():
        return
    kernel = next(k for k, (ck, _) in enumerate(program.lines) if ck.startswith("def k("))
    name = f"x_{program.types[0]}"
    for k, (ck, python) in enumerate(program.lines):
        if k > kernel and ck.strip() in ("cuda.syncthreads()", "block.sync()", "this_grid().sync()"):
            yield Plant("a barrier for some threads", k, [
                (indented(ck, f"for trip in range(1 if {name}[t % {N_IN}] != {name}[0] else 0):"), indented(python, "noted(0)")),
                (f"    {ck}", python)], finding="barrier")


PLANTS = [barriers, late_stores, fences, plain_updates, copies, unset_elements, wrong_indices,
          barriers_of_few]


# --- What is due ----------------------------------------------------------------------------------


class Planted:
    """The program of a seed with one mistake, and what is due: of a few mistakes the first that
    happens."""

    def __init__(self, seed, use=None):
        self.seed, self.program, rng = seed, Program(seed, use), random.Random(f"plant {seed}")
        self.schedule = rng.choice(list(kernels.cpu_schedules(seed).values()))
        lines, choices = self.program.lines, [list(plants(self.program)) for plants in PLANTS]
        rng.shuffle(choices)
        for plants in [plants for plants in choices if plants][:N_TRIED]:
            self.plant = rng.choice(plants)
            first = self.plant.first
            self.program.lines = lines[:first] + self.plant.lines + lines[first + self.plant.n_replaced:]
            self.due = self.decided()
            if self.due.some:
                break

    def ck_line(self, python_line):
        return python_line + (MORE if python_line > BEFORE else 0)

    def lines_with(self, words):
        return {BEFORE + MORE + 1 + k for k, (ck, _) in enumerate(self.program.lines) if words.search(ck)}

    def decided(self):
        plant = self.plant
        follower = Follower(self.program, plant.arrays, plant.unset)
        self.program.due(follower)
        happens = bool(follower.n_noted)
        changed = {(BEFORE + MORE + plant.first + 1 + k,) for k in range(len(plant.lines))}
        if plant.finding == BOUNDS:
            changed = {place for place, (_, python) in zip(sorted(changed), plant.lines) if "noted(" in python}
            return Due((BOUNDS,), changed if happens else set(), set())
        if plant.finding == "barrier":
            places = {(line,) for line in self.lines_with(WAITS)}
            return Due(("barrier",), places if happens else set(), set())
        pairs, lines = follower.certain()
        if plant.finding == UNSET:
            places = {(line,) for line in self.lines_with(re.compile(rf"\b{plant.unset[0]}\b"))}
            # A `zip` whose other array is at its end has read one element more in Python.
            zips = {(line,) for line in self.lines_with(re.compile("zip"))}
            lines = {(self.ck_line(line),) for line, in lines} - zips
            return Due((UNSET,), lines, places if follower.unset_reads else set())
        found = {self.pair(a.line, b.line) for a, b in follower.races + follower.in_flight}
        if not found:
            return Due((plant.finding,), set(), set())
        others = self.with_conditional(found | {self.pair(*pair) for pair in follower.near})
        others |= {(line,) for pair in others for line in pair}  # what is read may not be set yet
        some = {self.pair(*pair) for pair in pairs} if plant.certain else set()
        return Due((RACE, COPY, UNSET) if plant.finding == COPY else (RACE, UNSET), some, others)

    def pair(self, *lines):
        return tuple(sorted(map(self.ck_line, lines)))

    def with_conditional(self, pairs):
        """Also a read under a condition, which may run after a conflict, as the read before."""
        under = {}
        for k, (ck, _) in enumerate(self.program.lines[2:], 2):
            if re.search(r"= all\[", ck) and self.program.lines[k - 1][0].lstrip().startswith("if "):
                under[BEFORE + MORE + k - 1] = BEFORE + MORE + k + 1
        both = {(line, under.get(line, line)) for pair in pairs for line in pair}
        options = {line: {line, other} for line, other in both}
        return {tuple(sorted((a, b))) for x, y in pairs for a in options[x] for b in options[y]}

    # --- What is reported -------------------------------------------------------------------------

    def run(self, layout):
        with tempfile.TemporaryDirectory(prefix="ck-planted-") as tmp:
            launcher = kernels.Launcher(layout, ["--check", *self.schedule], [], Path(tmp), TIMEOUT * layout.patience)
            source = Path(tmp) / "k.ck"
            source.write_text(self.program.source())
            group = kernels.Group(1, [], [("launch", self.program.launch)], given=self.program.globals)
            return launcher.run(Path("k.ck"), group, None, {"n": self.program.n, **self.program.arrays})[0]

    def fault(self, layout):
        """What is reported and should not be, or the other way round, as a text; None: all is
        right."""
        try:
            result = self.run(layout)
        except Failure as failure:
            return f"{self.headline()}\n{failure}"
        fault = self.differs(self.due, result)
        return f"{self.headline()}: {fault}\n{result}\n{self.program.source()}" if fault else None

    def outcome(self):
        """What is due, in a few words."""
        what = "to be reported" if self.due.some else "may be reported" if self.due.others else "does not happen"
        return f"{re.sub('index .*', 'an index out of bounds', self.plant.kind)}: {what}"

    def headline(self):
        changed = "; ".join(ck.strip() for ck, _ in self.plant.lines)
        return f"--seed {self.seed}, {self.plant.kind}: line {BEFORE + MORE + self.plant.first + 1}: {changed}"

    def differs(self, due, result):
        findings = findings_of(result.err)
        if due.findings == ("barrier",) and due.some:
            places = {(int(line),) for line in BARRIER.findall(result.err)}
            return None if result.rc == 1 and places & due.some else "the barrier is not reported"
        unknown = [f for f in findings if f[0] not in due.findings or f[1] not in due.some | due.others]
        if unknown:
            return f"reported, but due are {due}: {unknown}"
        if result.rc != (1 if findings else 0):
            return "the exit status is wrong"
        if due.some and not {place for _, place in findings} & due.some:
            return f"not reported: {due}"
        return None
