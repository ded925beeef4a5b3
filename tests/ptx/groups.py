"""Groups within a warp: what their collectives cost."""

import re

from ptx.content import body, count
from ptx.ptxas import ARCHS

KERNELS = """
def larger(a, b):
    return a if a > b else b

@kernel
def float_sum(x: float32[::1], y: float32[::1]):
    y[grid(1)] = tiled_partition(this_thread_block(), 32).reduce(x[grid(1)])

@kernel
def integer_sum(x: int16[::1], y: int16[::1]):
    t = tiled_partition(this_thread_block(), 16)
    y[grid(1)] = t.reduce(x[grid(1)]) + t.reduce(x[grid(1)], bit_xor)

@kernel
def lanes_least(x: uint32[::1], y: uint32[::1]):
    i = grid(1)
    if x[i] > 3:
        y[i] = coalesced_threads().reduce(x[i], less)

@kernel
def long_sum(x: int64[::1], y: int64[::1]):
    y[grid(1)] = tiled_partition(this_thread_block(), 32).reduce(x[grid(1)])

@kernel
def scan(x: float32[::1], y: float32[::1]):
    y[grid(1)] = tiled_partition(this_thread_block(), 32).inclusive_scan(x[grid(1)])

@kernel
def before(x: int32[::1], y: int32[::1]):
    y[grid(1)] = tiled_partition(this_thread_block(), 32).exclusive_scan(x[grid(1)])

@kernel
def label(x: int32[::1], y: int32[::1]):
    g = labeled_partition(tiled_partition(this_thread_block(), 32), x[grid(1)])
    y[grid(1)] = g.meta_group_rank()

@kernel
def everything(x: float64[::1], y: float64[::1], n: int32):
    i = grid(1)
    t = tiled_partition(this_thread_block(), 8)
    g = stride_partition(binary_partition(t, x[i] > 0), n)
    y[i] = g.reduce(x[i], larger) + g.exclusive_scan(x[i]) + t.inclusive_scan(x[i], larger) + t.shfl_down(x[i], 2)

@kernel
def alone(x: float32[::1], y: float32[::1]):
    y[grid(1)] = this_thread().reduce(x[grid(1)])
"""
ENTRIES = re.findall(r"@kernel\ndef (\w+)", KERNELS)


def compiled(t, arch):
    source = t.write("groups.ck", KERNELS)
    text = t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out
    return {entry: body(text, entry) for entry in ENTRIES}


def test_no_calls_no_memory(t):
    for arch in ARCHS:
        for entry, text in compiled(t, arch).items():
            assert not re.search(r"\bcall\b|\.local\b|\.shared\.", text), (arch, entry, text)


def test_integers_in_one_instruction(t):
    for arch in ARCHS:
        code, has = compiled(t, arch), int(arch[3:]) >= 80
        assert count(code["integer_sum"], "redux.sync.add.s32") == has, (arch, code["integer_sum"])
        assert count(code["integer_sum"], "redux.sync.xor.b32") == has, (arch, code["integer_sum"])
        assert count(code["lanes_least"], "redux.sync.min.u32") == has, (arch, code["lanes_least"])
        for entry in ("integer_sum", "lanes_least"):
            assert ("shfl.sync" in code[entry]) != has, (arch, code[entry])


def test_shuffles(t):
    """One for each bit of the size and 32 bits of the value, and of tiles that lack threads one
    more."""
    code = compiled(t, "sm_90")
    for entry, words in (("float_sum", 1), ("long_sum", 2)):
        assert count(code[entry], "shfl.sync.bfly.b32") == 5 * words, code[entry]
        assert count(code[entry], "shfl.sync.idx.b32") == words, code[entry]
        assert 1 <= count(code[entry], "bra") <= 2, code[entry]
    for entry in ("scan", "before"):
        assert count(code[entry], "shfl.sync.up.b32") == count(code[entry], "shfl.sync") == 5, code[entry]
        assert "bra" not in code[entry], code[entry]
    assert count(code["label"], "match.any.sync.b32") == count(code["label"], "vote.sync.ballot.b32") == 1, code["label"]
    assert "sync" not in code["alone"], code["alone"]


USES = {
    "t.reduce(x[i])": "float32", "t.inclusive_scan(x[i])": "float32", "t.exclusive_scan(x[i])": "int32",
    "t.shfl(x[i], 3)": "int32", "t.shfl_up(x[i], 1)": "int64", "t.shfl_down(x[i], 1)": "int32",
    "t.shfl_xor(x[i], 2)": "int32", "t.reduce(x[i], larger)": "int64", "t.invoke_one_broadcast(give, x[i])": "int32",
    "binary_partition(t, x[i] > 0).meta_group_rank()": "int32", "t.reduce(x[i], greater)": "int32",
}
RETURNS = {  # and whether threads of a block may differ
    "": False, "if n == 0: return": False, "if blockIdx.x > n or x.size < 4: return": False,
    "if i >= n: return": True, "if x[0] == 0: return": True,
}


def kernels(use, dtype, returns):
    """k0, k1, ...: each with one of these lines before its use of a tile."""
    helpers = KERNELS[:KERNELS.index("@kernel")] + "def give(v):\n    return v\n"
    return helpers + "".join(
        f"@kernel\ndef k{n}(x: {dtype}[::1], y: {dtype}[::1], n: int64):\n    i = grid(1)\n"
        f"    t = tiled_partition(this_thread_block(), 8)\n    {line or 'pass'}\n    y[i] = {use}\n"
        for n, line in enumerate(returns))


def test_votes_where_threads_may_have_returned(t):
    """One for each operation, which finds the threads that are left, and none where no thread can
    have returned. The code of a kernel without a return is the same beside one that has some."""
    for use, dtype in USES.items():
        code = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("all.ck", kernels(use, dtype, RETURNS))]).out
        alone = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("one.ck", kernels(use, dtype, [""]))]).out
        votes = [count(body(code, f"k{n}"), "vote.sync.ballot.b32") for n in range(len(RETURNS))]
        more = 2 if "invoke" in use else 1  # who calls, and whose result it is
        assert votes == [votes[0] + may * more for may in RETURNS.values()], (use, votes)
        assert body(code, "k0") == body(alone, "k0"), use


COALESCED = {  # and whether threads of the group may have returned where it is used
    "if i >= n: return\ng = coalesced_threads()\ny[i] = g.shfl(x[i], 1)": False,
    "g = coalesced_threads()\nif i >= n: return\ny[i] = g.shfl(x[i], 1)": True,
    "if i >= n: return\ng = made()\nif x[i] == 0: return\ny[i] = g.shfl(x[i], 1)": True,
    "if i >= n: return\ng = made()\nif n == 0: return\ny[i] = g.shfl(x[i], 1)": False,
    "if i >= n: return\ng = made()\ny[i] = shuffled(g, x[i])": False,
    "g = made()\nif i >= n: return\ny[i] = shuffled(g, x[i])": True,
    "if i < n:\n    y[i] = coalesced_threads().shfl(x[i], 1)\n    return\ny[i] = shuffled(made(), x[i])": True,
    # A group of an iteration before, whose threads have returned since
    "if i >= n: return\ng = made()\nfor j in range(n):\n    y[i] = g.shfl(x[i], 1)\n    if x[j] == i: return\n"
    "    g = made()": True,
    "for j in range(n):\n    if x[j] == i: return\ng = made()\ny[i] = g.shfl(x[i], 1)": False,
}


def test_votes_where_threads_of_a_coalesced_group_may_have_returned(t):
    for text, may in COALESCED.items():
        lines = text.replace("\n", "\n    ")
        source = ("def made():\n    return coalesced_threads()\ndef shuffled(g, v):\n    return g.shfl(v, 1)\n"
                  f"@kernel\ndef k(x: int32[::1], y: int32[::1], n: int64):\n    i = grid(1)\n    {lines}\n")
        code = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", source)]).out
        assert (count(body(code, "k"), "vote.sync.ballot.b32") > 0) == may, text
