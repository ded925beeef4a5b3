"""The calls of device functions around the places of a finding: all kinds name them."""

import json

SOURCE = """
from numba import cuda

@cuda.jit(device=True)
def put(x, i, v):
    x[i] = v                                # PUT

@cuda.jit(device=True)
def middle(x, i, v):
    put(x, i, v)                            # MIDDLE

@cuda.jit(device=True)
def get(t, i):
    return t[i]                             # GET

@cuda.jit(device=True)
def double(v):
    return v * int32(2)                     # DOUBLE

@cuda.jit(device=True)
def copy(block, s, x):
    block.memcpy_async(s, x)                # COPY

@cuda.jit(device=True)
def bump(x, i):
    x[i] += 1                               # BUMP

@cuda.jit
def bounds(x, n):
    middle(x, n, 1)                         # BOUNDS

@cuda.jit
def race(x):
    i = cuda.grid(1)
    middle(x, i // 2, 1)                    # RACE

@cuda.jit
def two_places(x, y):
    i = cuda.grid(1)
    middle(x, i, 1)                         # FIRST
    y[i] = get(x, 31 - i)                   # SECOND

@cuda.jit
def twice(x):
    i = cuda.grid(1)
    put(x, i // 2, 1)                       # ONCE
    put(x, i // 2, 1)                       # AGAIN

@cuda.jit
def updates(x):
    bump(x, 0)                              # UPDATES

@cuda.jit
def unset(y):
    t = cuda.shared.array(64, int32)
    y[cuda.grid(1)] = get(t, 3)             # UNSET

@cuda.jit
def unwaited(x, y):
    block = cuda.cg.this_thread_block()
    s = cuda.shared.array(32, int32)
    copy(block, s, x)                       # UNWAITED
    y[cuda.grid(1)] = get(s, 3)             # BEFORE
    block.wait()

@cuda.jit
def overflow(y):
    y[cuda.grid(1)] = double(y[0])          # OVERFLOW
"""

LINES = {line.split("# ")[1]: number for number, line in enumerate(SOURCE.split("\n"), 1) if "  # " in line}
# A kernel, its arrays, its finding's name, the finding's line, and its labels in any order.
CASES = (
    ("bounds[1, 1](x, 32)", "out-of-bounds", "PUT", "MIDDLE BOUNDS"),
    ("race[1, 32](x)", "data-race", "PUT", "MIDDLE RACE"),
    ("two_places[1, 32](x, y)", "data-race", "PUT", "MIDDLE FIRST GET SECOND"),
    ("updates[1, 32](x)", "data-race", "BUMP", "BUMP UPDATES"),
    ("unset[1, 32](y)", "uninitialized-read", "GET", "UNSET"),
    ("unwaited[1, 32](x, y)", "unwaited-copy", "GET", "BEFORE COPY UNWAITED"),
    ("overflow[1, 32](y)", "integer-overflow", "DOUBLE", "OVERFLOW"),
)
ARRAYS = ("x=arange(32, dtype=int32)", "y=full(32, 2**30, int32)")


def command(t, launch, *options):
    given = [array for array in ARRAYS if f"{array[0]}" in launch.partition("(")[2]]
    return [t.ckrun, "--check=bounds,race,init,async,overflow", *options, t.write("calls.ck", SOURCE), launch, *given]


def finding(t, launch, name):
    """The first finding of this name, as JSON."""
    out = t.fails(command(t, launch, "--diagnostics=json"), 1).err
    found = [message for message in map(json.loads, out.splitlines()) if message.get("name") == name]
    assert found, out
    return found[0], found


def test_every_kind(t):
    """In JSON, all calls from the innermost to the kernel are labels."""
    for launch, name, line, labels in CASES:
        found, _ = finding(t, launch, name)
        got = sorted(label["line"] for label in found["labels"])
        assert found["line"] == LINES[line], (launch, found)
        assert got == sorted(LINES[label] for label in labels.split()), (launch, found["labels"])


def test_text_and_sarif(t):
    """Text has each call's line with a caret, SARIF has them as related locations."""
    for launch, name, line, labels in CASES:
        text = t.fails(command(t, launch), 1, f"[{name}]", "called here").err
        for label in labels.split():
            assert f"{LINES[label]} | " in text, (launch, label, text)
        run = json.loads(t.fails(command(t, launch, "--diagnostics=sarif"), 1).err)["runs"][0]
        result = next(result for result in run["results"] if result["ruleId"] == name)
        got = sorted(place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"])
        assert got == sorted(LINES[label] for label in labels.split()), (launch, got)


def test_order_of_the_calls(t):
    """From the innermost to the kernel. A barrier is missing between lines of one function."""
    found, _ = finding(t, "bounds[1, 1](x, 32)", "out-of-bounds")
    assert [label["line"] for label in found["labels"]] == [LINES["MIDDLE"], LINES["BOUNDS"]], found
    found, _ = finding(t, "two_places[1, 32](x, y)", "data-race")
    assert f"between line {LINES['FIRST']} and line {LINES['SECOND']}" in found["help"], found


def test_one_finding_for_a_place(t):
    """A place that two calls reach is one place: a pair of places is reported once."""
    _, found = finding(t, "twice[1, 32](x)", "data-race")
    assert len(found) == 1, found
    help_line = finding(t, "updates[1, 32](x)", "data-race")[0]["help"]
    assert "make the update one operation" in help_line, help_line
    assert "make the update" not in found[0]["help"], found


def test_many_calls(t):
    """A function with more calls than are inlined: its findings keep their place."""
    calls = "\n".join(f"    put(x, {i % 32} if i > {i} else n, i)" for i in range(6000))
    source = SOURCE + f"\n@cuda.jit\ndef many(x, i, n):\n{calls}\n"
    path = t.write("many.ck", source)
    t.ok([t.ckrun, "--device", "cpu", path, "many[1, 1](x, 6000, 4)", ARRAYS[0]])
    t.fails([t.ckrun, "--device", "cpu", path, "many[1, 1](x, 0, 40)", ARRAYS[0]], 1, f"many.ck:{LINES['PUT']}:", "[out-of-bounds]")
    t.fails([t.ckrun, "--device", "cpu", path, "many[1, 1](x, 5999, 40)", ARRAYS[0]], 1, f"many.ck:{LINES['PUT']}:", "[out-of-bounds]")
