"""select-switches: a switch that only selects values becomes selects, and no indirect branch."""

from passes.ir import around, count, function
from ptx.content import ptx

CHAIN = """@kernel
def k(x: int32[::1], y: int32[::1]):
    i = grid(1)
    d = {tested}
    v = y[i]
    w = y[i + 1]
    if d == 0:
        {first}
    elif d == 1:
        v -= 2
    elif d == 2:
        w = w * 3
    else:
        w -= 5
    x[i] = v
    x[i + 1] = w
"""


def bodies(t, tested="x[i]", first="v += 1"):
    text = CHAIN.format(tested=tested, first=first)
    return [function(module, "k") for module in around(t, "select-switches", text)]


def test_values_are_selected(t):
    """Each of the two values by two comparisons of the three, as the others leave it; also where
    there is no other case."""
    for tested in ("x[i]", "uint32(x[i]) >> 30"):
        before, after = bodies(t, tested)
        assert count(before, r"^  switch ") == 1, before
        assert count(after, r"^  switch |br i1 ") == 0, after
        assert count(after, " = select i1 ") >= 4, after


def test_each_case_has_its_value(t):
    """The last select of `v` and its operand, by the number that is compared."""
    _, after = bodies(t)
    defined = dict(line.strip().split(" = ", 1) for line in after.splitlines() if " = " in line)
    found = {}
    for text in defined.values():
        if text.startswith("select i1 "):
            test, value = (word.split()[-1] for word in text[len("select "):].split(", ")[:2])
            found[defined[test].split(", ")[1], defined[value].split(", ")[-1]] = True
    assert ("0", "1") in found and ("1", "-2") in found and ("2", "3") in found, (found, after)


def test_left_alone(t):
    """A store, a load, a division, more than a few instructions, cases that leave the kernel."""
    long = "; ".join(f"v = v * {k} + (v ^ {k})" for k in (3, 5, 7, 9))
    for first in ("x[i + 9] = 1", "v = x[i + 9]", "v = v // w", long, "return"):
        before, after = bodies(t, first=first)
        assert count(before, r"^  switch ") == count(after, r"^  switch ") == 1, (first, after)


def test_no_indirect_branch(t):
    """Of the threads of a warp, of which each takes its own case."""
    for arch in ("sm_75", "sm_90", "sm_100"):
        text = ptx(t, t.write("k.ck", CHAIN.format(tested="x[i]", first="v += 1")), f"-arch={arch}")
        assert "brx" not in text and "selp" in text, text
