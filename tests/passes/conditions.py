"""reuse-guarded-loads, fold-rare-equalities and sink: what conditions of branches show and cost."""

from passes.ir import around, count, function

GUARDED = """@kernel
def k(x: float32[::1], y: float32[::1], z: float32[::1]):
    i = grid(1)
    keep = {}
    syncthreads()
    {}
    if keep:
        y[i] = {}
"""


def loads(t, condition, value="x[i]", between="pass", *options):
    """Of x, before and after the pass."""
    text = GUARDED.format(condition, between, value)
    return tuple(count(function(module, "k"), r"load float") for module in around(t, "reuse-guarded-loads", text, "-restrict", *options))


def test_loaded_where_the_condition_holds(t):
    assert loads(t, "i < x.size and x[i] > 0") == (2, 1)
    assert loads(t, "i < x.size and 0 < x[i] and i != 7") == (2, 1)
    assert loads(t, "i < x.size and x[i] > 0", "x[i] + z[i]") == (3, 2)
    assert loads(t, "i < x.size and x[i] > 0", "x[i]", "z[i] = 1") == (2, 1)


def test_what_is_loaded_again(t):
    """Another element, an array that the kernel writes, a condition that holds elsewhere too."""
    assert loads(t, "i < x.size and x[i] > 0", "x[i + 1]") == (2, 2)
    assert loads(t, "i < x.size and x[i] > 0", "x[i]", "x[i + 1] = 1") == (2, 2)
    assert loads(t, "i >= x.size or x[i] > 0") == (2, 2)
    assert loads(t, "x[i] > 0 if i < x.size else i > 7 and z[i] > 1") == (3, 3)


PAIRS = """@kernel
def k(x: float32[:, ::1], y: int64[::1], p: int64):
    i = grid(1)
    n = 0
    for j in range(x.shape[0]):
        a, b, c = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
        if {}:
            n += 1
            y[n] = j
    y[i] = n
"""


def branches(t, condition):
    """Conditional ones, before and after the pass; those on constants do not count."""
    return tuple(count(function(module, "k"), r"^  br i1 %") for module in around(t, "fold-rare-equalities", PAIRS.format(condition)))


def test_two_conditions_in_one_branch(t):
    for condition in ("i != j and a * a + b * b + c * c < 2", "not i == j and a * a + b * b + c * c < 2",
                      "j != p and a * a + b * b + c * c < 2"):
        before, after = branches(t, condition)
        assert after == before - 1, (condition, before, after)


def test_conditions_that_stay_apart(t):
    """One that often fails, one that loads, one that divides, one that is long."""
    long = " + ".join(f"a * {k} * b" for k in range(2, 12))
    for condition in ("i < j and a * a + b * b + c * c < 2", "i != j and a * a + x[j, i] < 2", f"i != j and {long} < 2",
                      "i != j and j % (i - j) + j * p + i < 2"):
        before, after = branches(t, condition)
        assert before == after, (condition, before, after)


SINK = """@kernel
def k(x: int32[::1], y: int32[::1], keep: int32):
    s = shared.array(8, int32)
    t = threadIdx.x
    s[t & 7] = x[t]
    syncthreads()
    a, b, c, d = s[0], s[1], s[2], s[3]
    total = a * b ^ c * d
    if t < keep:
        y[t] = x[t + 1] + a + b + c + d
    {}
"""


def sinks(t, use):
    """Whether the products are computed in the first block, after the passes."""
    text = SINK.format(use)
    module = t.ok([t.ckc, "-arch=sm_90", "--emit=llvm-after=sink-again", "-o", "-", t.write("k.ck", text)]).out
    first = function(module, "k").split("\n\n")[0]
    return count(first, r"= mul i32") == 0


def test_past_a_branch_to_a_conditional_block(t):
    assert sinks(t, "if t == 0:\n        y[100] = total")
    assert not sinks(t, "y[100 + t] = total")
    assert not sinks(t, "for j in range(keep):\n        y[100 + j * t] = total")
