"""The corpus of labelled kernels: that its labels are right, that all compile, and that the right
ones compute what they should.

A run takes some programs at random. `CK_CORPUS=all` takes all, `CK_CORPUS=graphs/` those whose name
has this in it, and `CK_CORPUS=N,SEED` N by a seed, as a failure says.
"""

import os
import random
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from checks.corpus import programs
from checks.model import KINDS, Empty
from checks.reference import Machine
from harness import kernels
from harness.core import Failure

N_JOBS = 2
ARCHITECTURES = {"sm_90": ["-arch=sm_90"], "host": ["-arch=host", "--emit=llvm"]}


def sample(default, right_only=False):
    """Programs, and the seed by which they and their arrays are chosen."""
    words = os.environ.get("CK_CORPUS", str(default)).split(",")
    seed = int(words[1]) if len(words) > 1 else random.SystemRandom().getrandbits(31)
    wanted = [p for p in programs() if p.label is None or not right_only]
    if words[0].isdigit():
        wanted = random.Random(seed).sample(wanted, min(int(words[0]), len(wanted)))
    elif words[0] != "all":
        wanted = [p for p in wanted if words[0] in p.name]
    return wanted, seed


def for_each(check, wanted, seed):
    """`check(number, program)` returns a fault or None; all faults together fail the test."""
    def guarded(item):
        number, program = item
        try:
            fault = check(number, program)
        except Failure as failure:
            fault = str(failure)
        return f"{program.name}: {program.launch}\n{fault}\n{program.source}" if fault else None

    with ThreadPoolExecutor(N_JOBS) as pool:
        faults = [fault for fault in pool.map(guarded, enumerate(wanted)) if fault]
    if faults:
        raise Failure(f"CK_CORPUS={len(wanted)},{seed}: {len(faults)} of them fail\n\n" +
                      "\n".join(faults))


# --- The corpus by itself -------------------------------------------------------------------------


def test_what_is_in_it(t):
    everything = list(programs())
    labels = [p.label for p in everything if p.label]
    assert len(everything) >= 300
    assert 0.25 < 1 - len(labels) / len(everything) < 0.45, "about a third is right"
    assert len({p.name for p in everything}) == len(everything)
    assert len({(p.source, p.launch) for p in everything}) == len(everything)
    assert set().union(*(label.findings for label in labels)) == set(KINDS)
    assert [p.source for p in everything] == [p.source for p in programs()]
    for p in everything:
        assert "#@" not in p.source and 4 < p.source.count("\n") <= 40, p.source
        n_lines = p.source.count("\n")
        for place in p.label.places if p.label else ():
            assert all(1 <= line <= n_lines for line in place), p.name
            races = {"data-race", "unwaited-copy"} & p.label.findings
            assert len(place) == 2 if races == p.label.findings else races or len(place) == 1, p.name


def reference_fault(program, seed, rng):
    """How the label, or the results, differ from what the reference in Python finds."""
    arrays = program.arrays(seed)
    machine = Machine(program.source, program.launch, arrays).run(rng)
    label, findings = program.label, machine.findings
    if label is None:
        results = machine.results()
        wrong = [name for name, due in program.expect(arrays).items() if not np.array_equal(results[name], due)]
        return f"labelled right: {findings or wrong}" if findings or wrong else None
    unknown = [finding for finding in findings if not label.allows(*finding)]
    if unknown:
        return f"the label does not allow {unknown}"
    never = [place for place in label.places if not any((name, place) in findings for name in label.findings)]
    return f"labelled, but does not happen: {never}" if never else None


def test_labels_are_right(t):
    """Each place of a label has its mistake, and there is no other, in two orders of threads."""
    wanted, seed = sample(200)

    def check(_, program):
        return reference_fault(program, seed, None) or \
            reference_fault(program, seed, np.random.default_rng(seed))

    for_each(check, wanted, seed)


# --- With ck --------------------------------------------------------------------------------------


def test_all_compile(t):
    wanted, seed = sample(160)

    def check(number, program):
        source = t.write(f"{number}.ck", program.source)
        for name, options in ARCHITECTURES.items():
            t.ok([t.ckc, *options, source, "-o", t.tmp / f"{number}.{name}"])

    for_each(check, wanted, seed)


def arguments(folder, arrays, expected, with_empty, rng):
    """ckrun's NAME=VALUE and --save. Without `empty`, arrays that are not set have any values."""
    given = []
    for name, array in arrays.items():
        if isinstance(array, Empty) and with_empty:
            given.append(f"{name}=empty({array.shape}, {array.dtype})")
            continue
        if isinstance(array, Empty):
            array = kernels.make_poison(rng)(array.shape, array.dtype)
        np.save(folder / f"{name}.npy", array)
        given.append(f"{name}=@{name}.npy")
    for name in expected:
        given += ["--save", f"{name}={name}.out.npy"]
    return given


def results_fault(folder, expected):
    for name, due in expected.items():
        got = np.load(folder / f"{name}.out.npy")
        if got.dtype != due.dtype or not np.array_equal(got, due):
            return f"{name} is\n{got}\nnot\n{due}"
    return None


def launched(t, number, program, seed, options, with_empty=False):
    """ckrun's result, where its files are, and the outputs that are due."""
    folder = t.write(f"{number}/k.ck", program.source).parent
    arrays = program.arrays(seed)
    expected = program.expect(arrays) if program.label is None else {}
    given = arguments(folder, arrays, expected, with_empty, np.random.default_rng(seed))
    result = t.run([t.ckrun, *options, "k.ck", program.launch, *given], cwd=folder,
                   env={"CK_CACHE_DIR": str(t.layout.cache)})
    return result, folder, expected


def test_right_ones_run(t):
    """Under the five schedules, with arrays at random."""
    wanted, seed = sample(40, right_only=True)

    def check(number, program):
        for options in kernels.cpu_schedules(seed).values():
            result, folder, expected = launched(t, number, program, seed, options)
            fault = str(result) if result.rc else results_fault(folder, expected)
            if fault:
                return f"{' '.join(options)}\n{fault}"

    for_each(check, wanted, seed)


def test_barriers_used_wrongly(t):
    """What the CPU device reports without checks, at the label's line, under the five schedules."""
    wanted = [p for p in programs() if p.label and p.label.kinds() == {"sync"}]
    seed = random.SystemRandom().getrandbits(31)

    def check(number, program):
        for options in kernels.cpu_schedules(seed).values():
            result, folder, expected = launched(t, number, program, seed, ["--check=none", *options])
            fault = check_fault(program, result, folder, expected)
            if fault:
                return f"{' '.join(options)}\n{fault}"

    for_each(check, wanted, seed)


# --- With ckrun --check ---------------------------------------------------------------------------

HEADER = re.compile(r"^[^\s:][^:]*:(\d+):\d+: error: .*\[([a-z-]+)\]$")
NUMBERED = re.compile(r"^\s*(\d+) \| ")
CARETS = re.compile(r"^\s*\|(?!\s*-+ called here$).*[\^-]")


def findings_of(text):
    """[(name, lines)] of ckrun's diagnostics: the line of the first access, and the other line that
    has carets, or for a race of a line with itself the line twice. The calls that lead there do
    not count."""
    found, numbered = [], None
    for line in text.splitlines():
        header, source = HEADER.match(line), NUMBERED.match(line)
        if header and header[2] in KINDS:
            found.append((header[2], int(header[1]), []))
            numbered = None
        elif source:
            numbered = int(source[1])
        elif found and numbered and CARETS.match(line):
            found[-1][2].append(numbered)
        elif line and not line.startswith(" "):
            numbered = None
    return [(name, lines_of(name, first, marked)) for name, first, marked in found]


def lines_of(name, first, marked):
    if name not in ("data-race", "unwaited-copy"):
        return (first,)
    return tuple(sorted((first, next((line for line in marked if line != first), first))))


def check_fault(program, result, folder, expected):
    findings = findings_of(result.err)
    label = program.label
    if label is None:
        if findings or result.rc:
            return f"a right kernel is reported\n{result}"
        return results_fault(folder, expected)
    if not any(label.names(*finding) for finding in findings) or result.rc != 1:
        return f"{set(label.findings)} at {set(label.places)} is not reported\n{result}"
    unknown = [finding for finding in findings if not label.allows(*finding)]
    return f"the label does not allow {unknown}\n{result}" if unknown else None


def test_checks(t):
    """Every planted mistake is reported at both of its lines, and no right kernel is, under the
    five schedules."""
    wanted, seed = sample(120)

    def check(number, program):
        for options in kernels.cpu_schedules(seed).values():
            result, folder, expected = launched(t, number, program, seed, ["--check", *options], with_empty=True)
            fault = check_fault(program, result, folder, expected)
            if fault:
                return f"{' '.join(options)}\n{fault}"

    for_each(check, wanted, seed)


def test_findings_are_read(t):
    """From text in the form of the compiler's diagnostics."""
    text = """k.ck:9:9: error: a data race on `M` [data-race]
  |
5 |     for row in range(1, M.shape[0]):
6 |         M[row, col] = M[row - 1, opposite] + 1
  |                       -------------------- block 0 reads
9 |         M[row, col] = 3
  |         ^^^^^^^^^^^ block 2 writes
  = help: `g.sync()` between line 6 and line 9
k.ck:9:9: error: a data race on `M` [data-race]
  |
9 |         M[row, col] += 3
  |         ^^^^^^^^^^^ block 2 writes
k.ck:4:5: error: index 9 is out of bounds [out-of-bounds]
  |
4 |     x[i] = 0
  |     ^^^^
k.ck:4:5: warning: something else [unused-name]
"""
    assert findings_of(text) == [("data-race", (6, 9)), ("data-race", (9, 9)), ("out-of-bounds", (4,))]
