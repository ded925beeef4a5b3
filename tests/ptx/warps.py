"""Tiles of less than a warp: where the warp is converged an operation has the mask of all lanes,
and loops are unrolled around it; where it may be divergent the mask is the tile's."""

import re

from ptx.content import body

HEAD = "@kernel\ndef k(x: int32[::1], y: int32[::1], n: int32):\n    i = grid(1)\n    t = tiled_partition(this_thread_block(), 8)\n    v = x[i]\n"


def code(t, lines, head=""):
    text = head + HEAD + "".join(f"    {line}\n" for line in lines.strip("\n").split("\n")) + "    y[i] = v\n"
    return body(t.ok([t.ckc, "-arch=sm_90", "--small-version=none", "-o", "-", t.write("k.ck", text)]).out, "k")


def masks(t, lines):
    """Of each operation in turn, whether its mask is that of all lanes."""
    found = [line for line in code(t, lines).split("\n") if ".sync" in line and "bar.sync" not in line]
    return [line.rstrip().endswith(("-1;", "sync \t-1;")) for line in found]


def test_converged(t):
    assert all(masks(t, "v = t.reduce(v)"))
    assert all(masks(t, "for j in range(n):\n    v = t.shfl(v, v & 7) + j"))
    assert all(masks(t, "if n > 3 and blockIdx.x > 2:\n    t.sync()"))
    assert all(masks(t, "for j in range(min(n, len(x))):\n    for k in range(j):\n        t.sync()")), "a loop in a loop"
    found = code(t, "v = int32(t.ballot(v > 3) + t.match_any(v))\na = t.any(v > 9)\nb = t.all(v < 99)\nv += int32(a) + int32(b)")
    assert "vote.sync.any" not in found and found.count("ballot") == 3 and found.count("-1;") == 4, found


def test_reconverged(t):
    """The warp was divergent before."""
    assert all(masks(t, "if v > 3:\n    y[0] = v\n    x[1] += 1\nt.sync()\nx[i] = 3")), "a branch"
    assert all(masks(t, "s = 0\nfor j in range(threadIdx.x, n, 32):\n    s += x[j]\nv = t.reduce(s)")), "trips by place"
    lines = "if v > 3:\n    for j in range(n):\n        x[j] = 1\nfor j in range(n):\n    y[j] = t.shfl_xor(v, 1)"
    assert all(masks(t, lines)), "a loop that ends alike within a branch"


def test_divergent(t):
    assert not any(masks(t, "if v > 3:\n    v = t.reduce(v)")), "by what was read"
    assert not any(masks(t, "if t.meta_group_rank() & 1:\n    t.sync()")), "by place"
    assert not any(masks(t, "for j in range(threadIdx.x // 8, n, 4):\n    t.sync()")), "trip counts by place"
    assert not any(masks(t, "while x[0] > v:\n    t.sync()\n    v += 1")), "trip counts by what was read"
    assert not any(masks(t, "if v == 0:\n    return\nt.sync()")), "some have ended"
    assert not any(masks(t, "for j in range(n):\n    if x[j] == v:\n        break\n    t.sync()")), "a loop is left"
    assert not any(masks(t, "for j in range(n):\n    t.sync()\n    if x[j] == v:\n        break")), "so is it at its end"
    assert not any(masks(t, "assert v > 0\nt.sync()")), "some may have ended"


def test_who_waits(t):
    """After a loop that ends by what is read another tile may hold what it waits for."""
    lock = "while True:\n    old = atomic.cas(x, 0, 0, 1) if t.thread_rank() == 0 else 0\n    if t.shfl(old, 0) == 0:\n        break\n"
    lines = lock + "v = t.reduce(v)\nif t.thread_rank() == 0:\n    atomic.exch(x, 0, 0)"
    assert not any(masks(t, lines)), "a lock"
    assert not any(masks(t, "while atomic.add(x, 0, 0) != v:\n    pass\nt.sync()"))
    lines = "for j in range(n):\n    t.sync()\n    while atomic.add(x, 0, 0) != v:\n        pass"
    assert not any(masks(t, lines)), "in the iteration before"
    found = masks(t, "t.sync()\nwhile atomic.add(x, 0, 0) != v:\n    pass\nt.sync()")
    assert found == [True, False], found


def test_who_waits_in_a_function(t):
    """One that is too large to be a part of its callers."""
    lines = [f"    if x[{k}] > {k}:\n        s += x[{k}] * x[s & 255] // (x[{k + 1}] | 1)\n        atomic.add(x, s & 63, {k})"
             for k in range(40)]
    head = ("def take(x, t):\n    s = 0\n    while atomic.cas(x, 0, 0, 1) != t.thread_rank():\n        s += 1\n" +
            "\n".join(lines) + "\n    return s\n\n")
    found = code(t, "v = t.reduce(v)\nv += take(x, t)\nt.sync()\nv = t.reduce(v) + take(y, t)", head)
    before, after = found.split("call.uni", 1)
    assert "shfl.sync" in before and "-1;" in before, before
    assert "shfl.sync" in after and "warp.sync" in after and "-1;" not in after, after


def test_unrolled(t):
    step = "    v = t.shfl(v, v & 7) + int32(j)"
    assert code(t, f"for j in range(n):\n{step}").count("shfl.sync") > 8
    # Once in each of two versions.
    assert code(t, f"for j in range(threadIdx.x // 8, n, 4):\n{step}").count("shfl.sync") == 2
    assert code(t, f"for j in range(x[0]):\n{step}").count("shfl.sync") == 2
    whole = "w = tiled_partition(this_thread_block(), 32)\nfor j in range(n):\n" + step.replace("t.", "w.")
    assert code(t, whole).count("shfl.sync") > 4
    assert code(t, "for j in range(n):\n    syncthreads()\n    v += t.shfl(v, 1)").count("shfl.sync") > 2


def test_of_whole_warps(t):
    """A kernel with shuffles by rank in loops has a second version, for blocks of full warps: there
    ranks are not compared with the number of threads."""
    loop = "    while v > j:\n        v = t.shfl(v, v & 3) + 1"
    found = code(t, "for j in range(n):\n" + loop)
    assert found.count("shfl.sync") == 2 and len(re.findall(r"and\.b32.*, 31;", found)) == 1, found
    assert len(re.findall(r"selp\.b32.*%r", found)) == 1, found
    found = code(t, "for j in range(n):\n" + loop + "\n        v = t.shfl_down(v, 2)")
    bounds = re.findall(r"shfl\.sync\.down\.b32.*, (%r\d+|\d+), ", found)
    assert sorted(bound[0] == "%" for bound in bounds) == [False, True], found
    assert code(t, "v = t.shfl(v, v & 3)").count("shfl.sync") == 1, "in no loop"
    for other in "xor", "down":
        found = code(t, f"for j in range(n):\n    while v > j:\n        v = t.shfl_{other}(v, 3) + 1")
        assert found.count("shfl.sync") == 1, "by other than a rank"
    found = code(t, "a = local.array(9, int32)\nfor j in range(n):\n    a[j % 9] = j\n" + loop + "\nv = a[v % 9]")
    assert found.count("shfl.sync") == 1, "local memory would be there twice"
    many = "\n".join(f"if x[{k}] > v:\n    v = v * x[{k}] + {k}" for k in range(300))
    assert code(t, many + "\nfor j in range(n):\n" + loop).count("shfl.sync") == 1, "too long"


def test_unused_results(t):
    """ptxas takes away half of such an operation: see codegen/nvptx/warp.c."""
    operations = "redux.sync", "shfl.sync", "vote.", "match."
    parts = "p = labeled_partition(tiled_partition(t, 4), v & 1)\nu = p.reduce(v)\n" \
            "a = p.any(v > 3)\nb = p.shfl_up(v, 1)\n"
    found = code(t, f"{parts}v = 3")
    assert not any(operation in found for operation in operations), found
    found = code(t, f"{parts}t.sync()\nw = v\nfor j in range(3):\n    v = p.reduce(w ^ int32(j))")
    assert found.count("redux.sync") == 1 and "bar.warp.sync" in found, found
    found = code(t, "for j in range(n):" + f"\n{parts}v ^= 1".replace("\n", "\n    "))
    assert not any(operation in found for operation in operations), found
    text = HEAD + "    t.shfl(v, 0)\n    t.ballot(v > 0)\n    y[i] = v\n"
    found = body(t.ok([t.ckc, "-arch=sm_90", "-O0", "-o", "-", t.write("k.ck", text)]).out, "k")
    assert not any(operation in found for operation in operations), found
