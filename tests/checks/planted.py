"""Random kernels with one planted mistake: `ckrun --check` reports it at its lines, and nothing
else.

`tools/fuzz.py --plant` tries more of them.
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from checks import plants
from checks.watch import Follower
from harness.programs import Program

N_JOBS = 2
N_PLANTED = 8


def test_mistakes_are_reported(t):
    seeds = range(t.seed, t.seed + N_PLANTED)
    with ThreadPoolExecutor(N_JOBS) as pool:
        faults = pool.map(lambda seed: plants.Planted(seed).fault(t.layout), seeds)
    assert not (text := "\n".join(fault for fault in faults if fault)), text


def test_mistakes_that_are_planted(t):
    """Each kind occurs, and changes the text of the kernel."""
    found = Counter()
    for seed in range(150):
        program = Program(seed)
        for kind in plants.PLANTS:
            for plant in kind(program):
                replaced = program.lines[plant.first:plant.first + plant.n_replaced]
                assert [ck for ck, _ in plant.lines] != [ck for ck, _ in replaced], plant
                found[kind.__name__] += 1
    assert set(found) == {kind.__name__ for kind in plants.PLANTS}, found


def test_right_programs_have_no_conflict(t):
    """As the generator decides it, which then does not depend on ck."""
    for seed in range(30):
        follower = Follower(Program(seed), ["own", "all", "seen", "carried", "flags", "counts", "ring"])
        follower.program.due(follower)
        assert not follower.races + follower.in_flight + follower.unset_reads, seed


def test_a_missed_mistake_is_seen(t):
    """And one that is reported in another place or under another name."""
    planted = next(p for p in map(plants.Planted, range(100)) if p.due.findings == (plants.BOUNDS,) and p.due.some)
    result = planted.run(t.layout)
    assert planted.differs(planted.due, result) is None
    missed = plants.Due(planted.due.findings, {(1,)}, set())
    assert planted.differs(missed, result).startswith("reported, but due")
    assert planted.differs(plants.Due((plants.RACE,), planted.due.some, set()), result)
    result.err = ""
    assert planted.differs(planted.due, result) == "the exit status is wrong"
    result.rc = 0
    assert planted.differs(planted.due, result).startswith("not reported")
