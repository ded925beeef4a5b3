"""What the runner makes of the `#:` lines of run tests."""

import sys

import numpy as np

from harness import kernels, temporary
from harness.core import Failure, Skip

SHAPES = """#: racecheck no: to try it
#: repeat grids [1, 3], [2, 33], [1, 1000]
#: n = GRID * BLOCK
#: y, one = poison(n, "i4"), poison(7, "i4")
#: launch k[GRID, BLOCK](y, one, n)
#: expect one[0] == 1
#: launch k[GRID, BLOCK](y, one, n + 1)
#: expect y == np.arange(n) + n + WHERE
@kernel
def k(y, one, n):
    y[grid(1)] = grid(1) + n
    one[0] = 1
"""
SHARED = """#: mine = share(list(range(12)))
#: y = np.zeros(12, "i4")
#: launches [f"k[1, 1](y, {i})" for i in mine]
#: expect y == np.isin(np.arange(12), mine)
#: expect len(mine) in WANTED
@kernel
def k(y, i):
    y[i] = 1
"""
COUNTING = ["sh", "-c", 'echo >> "$0"; exec "$@"']


def check(t, text, wrap=()):
    path = t.write("k.ck", text)
    kernels.check_kernel(t.layout, path, "k", list(wrap), 1, "cpu", ["--device", "cpu:1"])


def thrown(call, kind):
    try:
        call()
    except kind as failure:
        return str(failure)
    raise Failure(f"no {kind.__name__}")


def test_launches_for_several_shapes_are_one_ckrun(t):
    count = t.tmp / "count"
    check(t, SHAPES.replace("WHERE", "1"), [*COUNTING, str(count)])
    assert len(count.read_text()) == 2, count.read_text()
    check(t, SHAPES.replace("WHERE", "1"))


def test_the_shape_that_fails_is_named(t):
    late = thrown(lambda: check(t, SHAPES.replace("WHERE", "(n < 1000)")), Failure)
    assert "shape ['1', '1000']" in late and "1000 of 1000 elements differ" in late, late
    launch = thrown(lambda: check(t, SHAPES.replace("grids [1, 3]", "grids [1, 3], [1, 1025]")), Failure)
    assert "shape ['1', '1025']" in launch and "k[1, 1025]" in launch, launch


def test_many_launches_have_more_time(t):
    """Each may compile a kernel, on a machine that has other work."""
    source = t.write("k.ck", SHARED)
    launcher = kernels.Launcher(t.layout, ["--device", "cpu:1"], ["sh", "-c", 'sleep 3; exec "$@"', "-"], t.tmp, 1)
    group, values = kernels.Group(1, []), {"y": np.zeros(12, "i4")}
    result, _ = launcher.run_launches(source, group, ["k[1, 1](y, 3)"] * 120, values)
    assert result.rc == 0, result
    late = thrown(lambda: launcher.run_launches(source, group, ["k[1, 1](y, 3)"], values), Failure)
    assert "no end after 1 s" in late, late


def test_schedules_share_what_takes_long(t):
    path, parts = t.write("k.ck", SHARED.replace("WANTED", "(2, 3)")), []
    schedules = kernels.cpu_schedules(7)
    assert len(schedules) == kernels.N_SCHEDULES
    for schedule, options in enumerate(schedules.values()):
        kernels.check_kernel(t.layout, path, "k", [], 7, "cpu", options)
        parts += kernels.namespace(7, "k", schedule)["share"](list(range(12)))
    assert sorted(parts) == list(range(12))
    check(t, SHARED.replace("WANTED", "(12,)"))


def test_schedules_share_a_part_of_what_is_long(t):
    """Which part, the seed chooses: all seeds together run everything, as does CK_CORPUS=all."""
    items = list(range(4 * kernels.N_PARTS + 7))

    def shared(seed, everything):
        parts = [kernels.make_share(seed, k, everything)(items) for k in range(kernels.N_SCHEDULES)]
        assert all(parts) and kernels.make_share(seed, None, everything)(items) == items
        return sorted(sum(parts, []))

    each = [shared(seed, False) for seed in range(kernels.N_PARTS)]
    assert all(len(items) // 4 < len(set(part)) == len(part) < len(items) // 2 for part in each)
    assert set().union(*each) == set(items)
    assert shared(3, True) == items


def test_a_part_of_the_cases(t):
    """Numbers that follow one another have different parts, and so do seeds."""
    t.takes_all = False
    parts = [t.part("abcde", number) for number in range(3)]
    assert sorted(parts[:2]) == ["ace", "bd"] and parts[2] == parts[0]
    assert sorted(t.part("abcde", number, 3) for number in range(3)) == ["ad", "be", "c"]
    t.takes_all = True
    assert t.part("abcde", 1) == "abcde"


RUNS = """
import sys
sys.path.insert(0, sys.argv[1])
from harness import core

def wrong():
    raise core.Failure("so it is")

core.run_all([core.Test("right", lambda: None)], 1, 0, 41)
core.run_all([core.Test("right", lambda: None), core.Test("wrong", wrong)], 1, 0, 43)
"""


def test_a_failure_has_the_seed(t):
    text = t.ok([sys.executable, "-c", RUNS, t.layout.tests]).out
    assert text == ("1 passed, 0 failed, 0 skipped\nFAILED wrong\n    so it is\n\n"
                    "--seed 43 repeats the failures\n1 passed, 1 failed, 0 skipped\n"), text


def test_temporary_files_are_in_memory_where_there_is_room(t):
    room, much, little = temporary.ROOM, "MemAvailable:  99999999 kB\n", "MemTotal: 99999999 kB\nMemAvailable: 9999 kB\n"
    try:
        temporary.ROOM = 0
        assert temporary.has_room(t.tmp, much)
        assert not temporary.has_room(t.tmp, little) and not temporary.has_room(t.tmp, "")
        assert not temporary.has_room(t.tmp / "nowhere", much)
        temporary.ROOM = 1 << 62
        assert not temporary.has_room(t.tmp, much)
    finally:
        temporary.ROOM = room


def test_schedules_of_a_test_are_apart(t):
    """So that two of them do not compile the same at the same time; none is lost."""
    n = kernels.N_SCHEDULES
    columns = [[(k, schedule) for schedule in range(n)] for k in range(3 * kernels.APART)]
    order = list(kernels.apart(columns))
    assert sorted(order) == [test for column in columns for test in column]
    places = {test: place for place, test in enumerate(order)}
    for k, schedule in order:
        if schedule:
            assert places[k, schedule] - places[k, schedule - 1] >= kernels.APART, (k, schedule)


def test_what_racecheck_cannot_check_is_skipped_under_it(t):
    script = SHAPES.replace("WHERE", "1")
    for wrap in ["env", "--tool", "racecheck"], ["env", "--tool=racecheck"]:
        assert "to try it" in thrown(lambda w=wrap: check(t, script, w), Skip)
    check(t, script.replace("#: racecheck no: to try it\n", ""), ["env", "racecheck=1"])
    known = script.replace("racecheck no: to try it", "assert racecheck")
    check(t, known, ["env", "a=racecheck"])
    thrown(lambda: check(t, known), AssertionError)
    for line in "racecheck no", "racecheck no:", "racecheck yes: it can":
        text = thrown(lambda: check(t, script.replace("racecheck no: to try it", line)), Failure)
        assert "only `racecheck no: REASON` is known" in text, text
