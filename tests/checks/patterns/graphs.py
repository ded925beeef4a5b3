"""Graph codes on compressed sparse rows: by thread, by warp and by block; worklists."""

import numpy as np

from checks.model import Change, Empty, Pattern


def csr(rng, n):
    """Begins of rows and columns; vertex v has edges to v + 1 and v + 7, and some at random."""
    rows = [[(v + 1) % n, (v + 7) % n, *rng.integers(0, n, rng.integers(0, 4))] for v in range(n)]
    begin = np.cumsum([0] + [len(row) for row in rows]).astype(np.int32)
    return begin, np.concatenate(rows).astype(np.int32)


def sources(begin):
    return np.repeat(np.arange(len(begin) - 1), np.diff(begin))


def pull_arrays(rng, dtype="int32", rows=101):
    begin, columns = csr(rng, rows)
    weights = rng.integers(1, 9, len(columns)).astype(dtype)
    return {"begin": begin, "columns": columns, "weights": weights,
            "x": rng.integers(0, 9, rows).astype(dtype), "y": Empty((rows,), dtype)}


def pull_sums(a, **_):
    out = np.zeros(a["x"].size, a["x"].dtype)
    np.add.at(out, sources(a["begin"]), a["weights"] * a["x"][a["columns"]])
    return {"y": out}


BY_THREAD = Pattern(
    "rows_by_thread", """
@kernel
def multiply(begin: int32[::1], columns: int32[::1], weights: $T[::1], x: $T[::1], y: $T[::1]):
    n = y.size
    for row in range(grid(1), n, gridsize(1)):
        y[row] = 0  #@clear
        for k in range(begin[row], begin[row + 1]):  #@edges
            weight = weights[k]  #@weight
            if weight != 0:
                y[row] += weight * x[columns[k]]  #@add
""", "multiply[3, 16](begin, columns, weights, x, y)", pull_arrays, pull_sums, (
        Change("one-edge-more", {"edges": "for k in range(begin[row], begin[row + 1] + 1):"},
               "out-of-bounds", "weight"),
        Change("not-cleared", {"clear": ""}, "uninitialized-read", "add"),
        Change("view", {"clear": "out = y[row:row + 1]\nout[0] = 0", "add": "out[0] += weight * x[columns[k]]"}),
        Change("local-sum", {"clear": "own = local.array(1, $T)\nown[0] = 0",
                             "add": "own[0] += weight * x[columns[k]]\ny[row] = own[0]"}),
        Change("local-not-cleared", {"clear": "own = local.array(1, $T)",
                                     "add": "own[0] += weight * x[columns[k]]  #@add\ny[row] = own[0]  #@store"},
               "uninitialized-read", "add")),
    ({"T": "int32"}, {"T": "float64", "values": {"dtype": "float64"}}))


BY_WARP = Pattern(
    "rows_by_warp", """
@kernel
def multiply(begin: int32[::1], columns: int32[::1], weights: $T[::1], x: $T[::1], y: $T[::1]):
    part = shared.array(96, $T)
    warp = tiled_partition(this_thread_block(), 32)
    lane, t = warp.thread_rank(), threadIdx.x
    for row in range(grid(1) // 32, y.size, gridsize(1) // 32):
        part[t] = 0  #@clear
        for k in range(begin[row] + lane, begin[row + 1], 32):
            part[t] += weights[k] * x[columns[k]]  #@own
        $SYNC  #@before
        if lane == 0:
            total = $T(0)
            for k in range(32):  #@lanes
                total += part[t + k]  #@sum
            y[row] = total  #@store
        $SYNC  #@after
""", "multiply[3, 96](begin, columns, weights, x, y)", pull_arrays, pull_sums, (
        Change("no-barrier", {"before": ""}, "data-race", "own sum, clear sum",
               ("uninitialized-read: sum",)),
        Change("lower-lanes-only", {"before": "if lane < 16:\n    syncwarp(0xFFFF)"},
               "data-race", "clear sum", ("data-race: own sum", "uninitialized-read: sum",)),
        Change("one-lane-more", {"lanes": "for k in range(33):"}, "out-of-bounds", "sum",
               ("data-race: own sum, clear sum", "uninitialized-read: sum")),
        Change("every-lane", {"store": "", "sum": "total += part[t + k]\ny[row] = total"}),
        Change("all-lanes-mask", {"before": "syncwarp(0xFFFFFFFF)", "after": "syncwarp(0xFFFFFFFF)"}),
        Change("of-the-tile", {"before": "warp.sync()", "after": "warp.sync()"}),
        Change("whole-tile-adds", {"store": "atomic.add(y, row, total)"}, "uninitialized-read", "store")),
    ({"T": "int32", "SYNC": "warp.sync()"},
     {"T": "int64", "SYNC": "syncwarp()", "values": {"dtype": "int64", "rows": 53}}))


BY_BLOCK = Pattern(
    "rows_by_block", """
@kernel
def multiply(begin: int32[::1], columns: int32[::1], weights: $T[::1], x: $T[::1], y: $T[::1]):
    total = shared.array(1, $T)
    t = threadIdx.x
    for row in range(blockIdx.x, y.size, gridDim.x):
        if t == 0:
            total[0] = 0  #@clear
        syncthreads()  #@cleared
        for k in range(begin[row] + t, begin[row + 1], blockDim.x):
            atomic.add(total, 0, weights[k] * x[columns[k]])  #@add
        syncthreads()  #@added
        if t == $READER:
            y[row] = total[0]  #@read
        syncthreads()  #@again
""", "multiply[5, 40](begin, columns, weights, x, y)", pull_arrays, pull_sums, (
        Change("no-barrier-after-clear", {"cleared": ""}, "data-race", "clear add", ("uninitialized-read: add",)),
        Change("no-barrier-before-read", {"added": ""}, "data-race", "add read", ("uninitialized-read: read",)),
        Change("warp-barrier", {"added": "syncwarp()"}, "data-race", "add read", ("uninitialized-read: read",)),
        Change("plain-add", {"add": "total[0] += weights[k] * x[columns[k]]"}, "data-race", "add add"),
        Change("no-clear", {"clear": "total[0] = total[0]"}, "uninitialized-read", "clear"),
        Change("no-barrier-at-end", {"again": ""}, "data-race", "read clear"),
        Change("block-sync", {"added": "this_thread_block().sync()"}),
        Change("votes", {"added": "syncthreads_count(t > 3)", "again": "syncthreads_or(t > 3)"})),
    ({"T": "int32", "READER": "33"}, {"T": "float32", "READER": "35", "values": {"dtype": "float32", "rows": 17}}))


def push_arrays(rng, dtype="int32", n=101):
    begin, columns = csr(rng, n)
    return {"begin": begin, "columns": columns, "x": rng.integers(1, 9, n).astype(dtype),
            "y": np.zeros(n, dtype)}


def push_sums(a, **_):
    out = a["y"].copy()
    np.add.at(out, a["columns"], a["x"][sources(a["begin"])])
    return {"y": out}


PUSH = Pattern(
    "push_to_neighbours", """
@kernel
def push(begin: int32[::1], columns: int32[::1], x: $T[::1], y: $T[::1]):
    v = grid(1)
    if v < x.size:  #@guard
        own = x[v]  #@own
        first, end = begin[v], begin[v + 1]  #@row
        for k in range(first, end):
            to = columns[k]
            atomic.add(y, to, own)  #@add
""", "push[4, 27](begin, columns, x, y)", push_arrays, push_sums, (
        Change("plain-add", {"add": "y[to] += own"}, "data-race", "add add"),
        Change("plain-add-by-some", {"add": "if v % 2 == 0:\n    y[to] += own  #@plain\n"
                                     "else:\n    atomic.add(y, to, own)"},
               "data-race", "plain add, plain plain"),
        Change("guard-of-begin", {"guard": "if v < begin.size:"}, "out-of-bounds", "own, row"),
        Change("after-last", {"add": "atomic.add(y, to + 1, own)"}, "out-of-bounds", "add"),
        Change("relaxed", {"add": "atomic.add(y, to, own, memory_order_relaxed)"}),
        Change("of-a-view", {"add": "atomic.add(y[to:], 0, own)"})),
    ({"T": "int32"}, {"T": "float32", "values": {"dtype": "float32"}}))


def rank_arrays(rng, dtype="int32", n=67):
    begin, columns = csr(rng, n)
    return {"begin": begin, "columns": columns, "old": rng.integers(0, 9, n).astype(dtype),
            "new": Empty((n,), dtype)}


def ranks(a, steps=3, **_):
    old, source = a["old"].astype(np.int64), sources(a["begin"])
    for _ in range(steps):
        new = np.zeros_like(old)
        np.add.at(new, source, old[a["columns"]] % 5)
        old, last = new, old
    return {"new": old, "old": last} if steps % 2 else {"new": last, "old": old}


RANKS = Pattern(
    "ranks_in_steps", """
def step(begin, columns, old, new):
    for v in range(grid(1), old.size, gridsize(1)):
        total = 0
        for k in range(begin[v], begin[v + 1]):
            total += old[columns[k]] % 5  #@read
        new[v] = total  #@write

@kernel
def ranks(begin: int32[::1], columns: int32[::1], old: $T[::1], new: $T[::1], steps: int64):
    g = this_grid()
    for k in range(steps):
        if k % 2 == 0:
            step(begin, columns, old, new)
        else:
            step(begin, columns, new, old)
        g.sync()  #@sync
""", "ranks[3, 11](begin, columns, old, new, 3)", rank_arrays, ranks, (
        Change("no-barrier", {"sync": ""}, "data-race", "read write", ("uninitialized-read: read",)),
        Change("block-barrier", {"sync": "syncthreads()"}, "data-race", "read write", ("uninitialized-read: read",)),
        Change("block-sync", {"sync": "this_thread_block().sync()"}, "data-race", "read write",
               ("uninitialized-read: read",)),
        Change("every-other-step", {"sync": "if k % 2 == 1:\n    g.sync()"}, "data-race", "read write",
               ("uninitialized-read: read",)),
        Change("split", {"sync": "token = g.barrier_arrive()\ng.barrier_wait(token)"})),
    ({"T": "int32"}, {"T": "int64", "values": {"dtype": "int64"}}))


def worklist_arrays(rng, n=90):
    x = rng.integers(-9, 9, n).astype(np.int32)
    x[[3, 40, 41, 80]] = 7
    return {"x": x, "items": Empty((n,), "int32"), "count": np.zeros(1, np.int32),
            "out": np.zeros(n, np.int32)}


def worklist_result(a):
    out = np.where(a["x"] > 0, a["x"] * 2, 0).astype(np.int32)
    return {"out": out, "count": np.array([np.count_nonzero(a["x"] > 0)], np.int32)}


WORKLIST = Pattern(
    "worklist", """
@kernel
def double_positive(x: int32[::1], items: int32[::1], count: int32[::1], out: int32[::1]):
    g = this_grid()
    for i in range(g.thread_rank(), x.size, g.num_threads()):
        if x[i] > 0:
            place = atomic.add(count, 0, 1)  #@claim
            items[place] = i  #@put
    g.sync()  #@sync
    n = count[0]  #@count
    for k in range(g.thread_rank(), n, g.num_threads()):  #@take
        item = items[k]  #@item
        out[item] = x[item] * 2  #@out
""", "double_positive[3, 20](x, items, count, out)", worklist_arrays, worklist_result, (
        Change("plain-claim", {"claim": "place = count[0]  #@look\ncount[0] += 1  #@claim"}, "data-race",
               "look claim, claim claim",
               ("uninitialized-read: item", "data-race: put put, out out")),
        Change("no-barrier", {"sync": ""}, "data-race", "claim count",
               ("data-race: put item", "uninitialized-read: item")),
        Change("block-barrier", {"sync": "syncthreads()"}, "data-race", "claim count",
               ("data-race: put item", "uninitialized-read: item")),
        Change("one-item-more", {"take": "for k in range(g.thread_rank(), n + 1, g.num_threads()):"},
               "uninitialized-read", "item", ("data-race: out out", "out-of-bounds: out")),
        Change("from-one", {"put": "items[place + 1] = i"}, "uninitialized-read", "item",
               ("data-race: out out", "out-of-bounds: out")),
        Change("atomic-count", {"count": "n = atomic.load(count, 0)"}),
        Change("claim-by-one", {"claim": "place = int32(i)\natomic.add(count, 0, 1)", "put": "items[place] = i",
                                "take": "for k in range(g.thread_rank(), x.size if n > 0 else 0, g.num_threads()):",
                                "item": "item = k if x[k] > 0 else -1\nif item < 0:\n    continue"})))


def frontier_arrays(rng, n=61):
    begin, columns = csr(rng, n)
    level = np.full(n, -1, np.int32)
    level[5] = 0
    return {"begin": begin, "columns": columns, "level": level, "changed": np.zeros(64, np.int32)}


def levels(a):
    begin, columns, level, depth = a["begin"], a["columns"], a["level"].copy(), 0
    while (level == depth).any():
        for v in np.flatnonzero(level == depth):
            for to in columns[begin[v]:begin[v + 1]]:
                if level[to] < 0:
                    level[to] = depth + 1
        depth += 1
    return {"level": level}


FRONTIER = Pattern(
    "breadth_first", """
@kernel
def search(begin: int32[::1], columns: int32[::1], level: int32[::1], changed: int32[::1]):
    g = this_grid()
    for depth in range(changed.size):
        for v in range(g.thread_rank(), level.size, g.num_threads()):
            if atomic.load(level, v, memory_order_relaxed) == depth:  #@look
                for k in range(begin[v], begin[v + 1]):
                    if atomic.cas(level, columns[k], -1, depth + 1) == -1:  #@set
                        atomic.store(changed, depth, 1, memory_order_relaxed)  #@mark
        g.sync()  #@sync
        if changed[depth] == 0:  #@stop
            break
""", "search[3, 13](begin, columns, level, changed)", frontier_arrays, levels, (
        Change("plain-look", {"look": "if level[v] == depth:"}, "data-race", "look set"),
        Change("plain-set", {"set": "if level[columns[k]] == -1:  #@test\n    level[columns[k]] = depth + 1  #@set"},
               "data-race", "set test, set look", ("data-race: set set",)),
        Change("plain-mark", {"mark": "changed[depth] = 1"}, "data-race", "mark mark"),
        Change("fetched-or", {"mark": "atomic.or_(changed, depth, 1)"}),
        Change("next-mark", {"mark": "atomic.store(changed, depth + 64, 1, memory_order_relaxed)"},
               "out-of-bounds", "mark")))


PATTERNS = [BY_THREAD, BY_WARP, BY_BLOCK, PUSH, RANKS, WORKLIST, FRONTIER]
