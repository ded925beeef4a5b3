"""Reductions: trees in shared memory, tiles, the grid, atomics, the last block done."""

import numpy as np

from checks.model import Change, Empty, Pattern


def sum_arrays(rng, dtype="int32", n=211, n_parts=1):
    return {"x": rng.integers(-99, 99, n).astype(dtype), "total": np.zeros(1, dtype),
            "parts": Empty((n_parts,), dtype), "counter": np.zeros(1, np.uint32)}


def total(a, **_):
    return {"total": a["x"].sum(dtype=a["x"].dtype).reshape(1)}


TREE = Pattern(
    "tree_in_shared", """
@kernel
def add_up(x: $T[::1], total: $T[::1]):
    part = shared.array(128, $T)
    t = threadIdx.x
    own = $T(0)
    for i in range(grid(1), x.size, gridsize(1)):
        own += x[i]
    part[t] = own  #@first
    syncthreads()  #@filled
    step = 64
    while step > 0:
        if t < step:  #@half
            part[t] += part[t + step]  #@add
        syncthreads()  #@level
        step //= 2
    if t == 0:  #@leader
        atomic.add(total, 0, part[0])  #@result
""", "add_up[3, 128](x, total)", sum_arrays, total, (
        Change("no-barrier-at-first", {"filled": ""}, "data-race", "first add", ("uninitialized-read: add",)),
        Change("no-barrier-in-loop", {"level": ""}, "data-race", "add add"),
        Change("warp-barrier-in-loop", {"level": "syncwarp()"}, "data-race", "add add"),
        Change("warp-barrier-at-first", {"filled": "syncwarp()"}, "data-race", "first add",
               ("uninitialized-read: add",)),
        Change("barrier-before-add", {"half": "", "add": "", "level": "syncthreads()\nif t < step:\n"
                                      "    part[t] += part[t + step]"}),
        Change("plain-total", {"result": "total[0] += part[0]"}, "data-race", "result result"),
        Change("one-step-further", {"add": "part[t] += part[t + step + 1]"}, "out-of-bounds", "add",
               ("data-race: add add",)),
        Change("leader-by-range", {"leader": "if 0 < t + 1 < 2:"}),
        Change("step-of-every-thread", {"add": "other = part[t + step]\npart[t] += other"}),
        Change("warp-barrier-at-the-end", {"level": "if step > 32:\n    syncthreads()\nelse:\n    syncthreads()"})),
    ({"T": "int32"}, {"T": "float32", "values": {"dtype": "float32", "n": 601}}))


PARTIAL_TREE = Pattern(
    "tree_of_odd_size", """
@kernel
def add_up(x: $T[::1], total: $T[::1]):
    block = this_thread_block()
    part = shared.array(100, $T)
    t = block.thread_rank()
    i = grid(1)
    part[t] = x[i] if i < x.size else 0  #@first
    block.sync()  #@filled
    left = 100
    while left > 1:
        half = (left + 1) // 2
        if t + half < left:  #@guard
            part[t] += part[t + half]  #@add
        block.sync()  #@level
        left = half
    if t == 0:
        atomic.add(total, 0, part[0])  #@result
""", "add_up[3, 100](x, total)", sum_arrays, total, (
        Change("guard-one-less", {"guard": "if t + half <= left:"}, "out-of-bounds", "add",
               ("data-race: add add",)),
        Change("only-within-arrays", {"first": "if i < x.size:\n    part[t] = x[i]"}, "uninitialized-read", "add"),
        Change("of-a-tile", {"level": "tiled_partition(block, 32).sync()"}, "data-race", "add add",
               ("data-race: add result",)),
        Change("no-barrier", {"level": ""}, "data-race", "add add", ("data-race: add result",)),
        Change("both-arms", {"level": "if left > 3:\n    block.sync()\nelse:\n    syncthreads()"}),
        Change("early-sum", {"result": "if part[0] != 0:\n    atomic.add(total, 0, part[0])"})),
    ({"T": "int64", "values": {"dtype": "int64"}},))


WARPS = Pattern(
    "warps_then_block", """
@kernel
def add_up(x: $T[::1], total: $T[::1]):
    block = this_thread_block()
    warp = tiled_partition(block, 32)
    sums = shared.array(3, $T)
    own = $T(0)
    for i in range(grid(1), x.size, gridsize(1)):  #@range
        own += x[i]  #@load
    own = warp.reduce(own)
    if warp.thread_rank() == 0:
        sums[warp.meta_group_rank()] = own  #@put
    $SYNC  #@sync
    if block.thread_rank() == 0:
        all_warps = $T(0)
        for w in range(3):  #@warps
            all_warps += sums[w]  #@take
        atomic.add(total, 0, all_warps)  #@result
""", "add_up[2, 96](x, total)", sum_arrays, total, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("warp-barrier", {"sync": "warp.sync()"}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("vote-of-the-warp", {"sync": "first = warp.shfl(own, 0)\nown += first"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("one-warp-more", {"warps": "for w in range(warp.meta_group_rank(), 4):"}, "out-of-bounds", "take"),
        Change("fourth-place", {"put": "sums[warp.meta_group_rank() + 1] = own"}, "out-of-bounds", "put",
               ("uninitialized-read: take",)),
        Change("range-of-all", {"range": "for i in range(grid(1), x.size + 1, gridsize(1)):"}, "out-of-bounds", "load"),
        Change("some-warps-only", {"put": "if own > 100000:\n    sums[warp.meta_group_rank()] = own"},
               "uninitialized-read", "take"),
        Change("vote-of-the-block", {"sync": "syncthreads_and(own > 0)"}),
        Change("collective", {"sync": "block.reduce(own)"})),
    ({"T": "int32", "SYNC": "block.sync()"},
     {"T": "float64", "SYNC": "syncthreads()", "values": {"dtype": "float64", "n": 170}}))


WARP_TREE = Pattern(
    "tree_in_a_warp", """
@kernel
def warp_sums(x: $T[::1], out: $T[::1]):
    part = shared.array(80, $T)
    t = threadIdx.x
    tile = tiled_partition(this_thread_block(), 16)
    lane = tile.thread_rank()
    part[t] = x[grid(1)]  #@first
    tile.sync()  #@filled
    step = 8
    while step > 0:
        value = part[t + step] if lane < step else 0  #@read
        tile.sync()  #@between
        part[t] += value  #@write
        tile.sync()  #@level
        step = step // 2
    if lane == 0:
        out[grid(1) // 16] = part[t]
""", "warp_sums[3, 80](x, out)", lambda rng, dtype="int32": {
        "x": rng.integers(-9, 9, 240).astype(dtype), "out": Empty((15,), dtype)},
    lambda a, **_: {"out": a["x"].reshape(15, 16).sum(1, dtype=a["x"].dtype)}, (
        Change("no-barrier-at-first", {"filled": ""}, "data-race", "first read", ("uninitialized-read: read",)),
        Change("no-barrier-between", {"between": ""}, "data-race", "read write"),
        Change("no-barrier-in-loop", {"level": ""}, "data-race", "write read"),
        Change("narrower-tile", {"level": "tiled_partition(tile, 4).sync()"}, "data-race", "write read"),
        Change("narrower-at-first", {"filled": "tiled_partition(tile, 8).sync()"}, "data-race", "first read",
               ("uninitialized-read: read",)),
        Change("shuffle-only", {"filled": "tile.shfl(lane, 0)"}, "data-race", "first read",
               ("uninitialized-read: read",)),
        Change("whole-warp", {"level": "syncwarp()"}),
        Change("whole-block", {"between": "syncthreads()"})),
    ({"T": "int32"}, {"T": "int16", "values": {"dtype": "int16"}}))


GRID = Pattern(
    "parts_of_blocks", """
@kernel
def add_up(x: $T[::1], parts: $T[::1], total: $T[::1]):
    g = this_grid()
    block = this_thread_block()
    own = $T(0)
    for i in range(g.thread_rank(), x.size, g.num_threads()):
        own += x[i]
    own = block.reduce(own)
    if block.thread_rank() == 0:  #@leader
        parts[g.block_rank()] = own  #@put
    $SYNC  #@sync
    if g.thread_rank() == 0:
        whole = $T(0)
        for b in range(g.num_blocks()):  #@blocks
            whole += parts[b]  #@take
        total[0] = whole
""", "add_up[5, 40](x, parts, total)", lambda rng, **k: sum_arrays(rng, n_parts=5, **k), total, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("block-barrier", {"sync": "block.sync()"}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("fence-only", {"sync": "threadfence()"}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("barrier-before", {"leader": "g.sync()\nif block.thread_rank() == 0:", "sync": ""}, "data-race",
               "put take", ("uninitialized-read: take",)),
        Change("every-thread", {"leader": "if block.thread_rank() >= 0:"}, "data-race", "put put"),
        Change("one-block-more", {"blocks": "for b in range(g.num_blocks() + 1):"}, "out-of-bounds", "take"),
        Change("odd-blocks-only", {"leader": "if block.thread_rank() == 0 and g.block_rank() % 2 == 1:"},
               "uninitialized-read", "take"),
        Change("last-thread", {"leader": "if block.thread_rank() == 39:"}),
        Change("reduce-orders", {"sync": "g.reduce(own)"})),
    ({"T": "int32", "SYNC": "g.sync()"},
     {"T": "float64", "SYNC": "g.barrier_wait(g.barrier_arrive())", "values": {"dtype": "float64"}}))


LAST = Pattern(
    "last_block_done", """
@kernel
def add_up(x: $T[::1], parts: $T[::1], counter: uint32[::1], total: $T[::1]):
    block = this_thread_block()
    is_last = shared.array(1, int32)
    t = block.thread_rank()
    own = $T(0)
    for i in range(grid(1), x.size, gridsize(1)):
        own += x[i]
    own = block.reduce(own)
    if t == 0:
        parts[blockIdx.x] = own  #@put
        threadfence()  #@release
        old = atomic.inc(counter, 0, gridDim.x - 1)  #@count
        threadfence()  #@acquire
        is_last[0] = 1 if old == gridDim.x - 1 else 0  #@flag
    block.sync()  #@sync
    if is_last[0] == 1:  #@test
        for b in range(t, gridDim.x, block.num_threads()):  #@blocks
            atomic.add(total, 0, parts[b])  #@take
""", "add_up[7, 33](x, parts, counter, total)", lambda rng, **k: sum_arrays(rng, n_parts=7, **k), total, (
        Change("no-release-fence", {"release": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("no-acquire-fence", {"acquire": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("no-fences", {"release": "", "acquire": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("fence-of-the-block", {"release": "threadfence_block()"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("fence-before-put", {"release": "", "put": "threadfence()\nparts[blockIdx.x] = own"}, "data-race",
               "put take", ("uninitialized-read: take",)),
        Change("count-before-put", {"put": "old = atomic.inc(counter, 0, gridDim.x - 1)  #@early",
                                    "count": "parts[blockIdx.x] = own  #@put"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("no-block-barrier", {"sync": ""}, "data-race", "flag test",
               ("uninitialized-read: test, take", "data-race: put take")),
        Change("plain-counter", {"count": "old = counter[0]  #@look\n"
                                 "counter[0] = old + 1 if old < gridDim.x - 1 else 0  #@count"},
               "data-race", "look count, count count", ("data-race: put take",)),
        Change("one-block-more", {"blocks": "for b in range(t, gridDim.x + 1, block.num_threads()):"},
               "out-of-bounds", "take"),
        Change("acq-rel", {"release": "", "acquire": "",
                           "count": "old = atomic.inc(counter, 0, gridDim.x - 1, memory_order_acq_rel)"}),
        Change("one-thread-adds", {"blocks": "for b in range(0 if t == 0 else gridDim.x, gridDim.x):"})),
    ({"T": "int32"}, {"T": "float32", "values": {"dtype": "float32", "n": 90}}))


EXTREMES = Pattern(
    "extremes_by_atomics", """
@kernel
def extremes(x: int32[::1], low: int32[::1], high: int32[::1]):
    least = shared.array(1, int32)
    most = shared.array(1, int32)
    if threadIdx.x == 0:
        least[0] = 2147483647  #@least
        most[0] = -2147483648  #@most
    syncthreads()  #@set
    for i in range(grid(1), x.size, gridsize(1)):  #@range
        value = x[i]  #@load
        atomic.min(least, 0, value)  #@min
        atomic.max(most, 0, value)  #@max
    syncthreads()  #@sync
    if threadIdx.x == 0:
        atomic.min(low, 0, least[0])  #@low
        atomic.max(high, 0, most[0])  #@high
""", "extremes[3, 45](x, low, high)", lambda rng: {
        "x": rng.integers(-999, 999, 307).astype(np.int32), "low": np.full(1, 5000, np.int32),
        "high": np.full(1, -5000, np.int32)},
    lambda a: {"low": a["x"].min(keepdims=True), "high": a["x"].max(keepdims=True)}, (
        Change("not-set", {"most": ""}, "uninitialized-read", "max"),
        Change("no-barrier-after-set", {"set": ""}, "data-race", "least min, most max",
               ("uninitialized-read: min, max",)),
        Change("no-barrier-before-result", {"sync": ""}, "data-race", "min low, max high",
               ("uninitialized-read: low, high",)),
        Change("plain-max", {"max": "if value > most[0]:  #@look\n    most[0] = value  #@max"}, "data-race",
               "look max", ("data-race: max max",)),
        Change("warp-barrier", {"set": "syncwarp()"}, "data-race", "least min, most max",
               ("uninitialized-read: min, max",)),
        Change("plain-result", {"low": "low[0] = min(low[0], least[0])"}, "data-race", "low low"),
        Change("one-more", {"range": "for i in range(grid(1) + 1, x.size + 1, gridsize(1)):"}, "out-of-bounds", "load"),
        Change("set-by-two", {"least": "least[0] = 2147483647\nif threadIdx.x == 0:\n    most[0] = -2147483648",
                              "most": "pass"}),
        Change("fetched", {"low": "atomic.min(low, 0, atomic.load(least, 0, memory_order_relaxed))"}),
        Change("look-atomically", {"max": "if value > atomic.load(most, 0):\n    atomic.max(most, 0, value)"})))


ROWS = Pattern(
    "sums_of_rows", """
@kernel
def row_sums(A: $T[:, ::1], out: $T[::1]):
    part = shared.array((4, 24), $T)
    x, y = threadIdx.x, threadIdx.y
    row = blockIdx.x * 4 + y
    own = $T(0)
    if row < A.shape[0]:  #@guard
        for j in range(x, A.shape[1], 24):  #@range
            own += A[row, j]  #@load
    part[y, x] = own  #@put
    syncthreads()  #@sync
    if x == 0 and row < A.shape[0]:
        whole = $T(0)
        for k in range(24):  #@columns
            whole += part[y, k]  #@take
        out[row] = whole
""", "row_sums[3, (24, 4)](A, out)", lambda rng, dtype="int32": {
        "A": rng.integers(-9, 9, (10, 31)).astype(dtype), "out": Empty((10,), dtype)},
    lambda a, **_: {"out": a["A"].sum(1, dtype=a["A"].dtype)}, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("warp-barrier", {"sync": "syncwarp()"}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("columns-and-one", {"range": "for j in range(x, A.shape[1] + 1, 24):"}, "out-of-bounds", "load"),
        Change("no-guard", {"guard": "if row < A.shape[0] + 1:"}, "out-of-bounds", "load"),
        Change("next-column", {"put": "part[y, x + 1] = own"}, "out-of-bounds", "put",
               ("uninitialized-read: take",)),
        Change("first-column-unset", {"put": "if x > 0:\n    part[y, x] = own"}, "uninitialized-read", "take"),
        Change("every-row", {"put": "if row < A.shape[0]:\n    part[y, x] = own"}),
        Change("view-of-row", {"take": "whole += part[y][k]"})),
    ({"T": "int32"}, {"T": "int64", "values": {"dtype": "int64"}}))

PATTERNS = [TREE, PARTIAL_TREE, WARPS, WARP_TREE, GRID, LAST, EXTREMES, ROWS]
