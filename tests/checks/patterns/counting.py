"""Scans and histograms."""

import numpy as np

from checks.model import Change, Empty, Pattern


def scan_arrays(rng, dtype="int32", n=150):
    return {"x": rng.integers(0, 9, n).astype(dtype), "out": Empty((n,), dtype)}


def block_sums(size):
    def sums(a, **_):
        x = a["x"]
        return {"out": np.concatenate([np.cumsum(x[k:k + size], dtype=x.dtype) for k in range(0, len(x), size)])}
    return sums


HILLIS = Pattern(
    "scan_in_two_buffers", """
@kernel
def scan(x: $T[::1], out: $T[::1]):
    sums = shared.array((2, 50), $T)
    t, i = threadIdx.x, grid(1)
    sums[0, t] = x[i]  #@first
    syncthreads()  #@filled
    here = 0
    distance = 1
    while distance < 50:
        value = sums[here, t]  #@own
        if t >= distance:  #@guard
            value += sums[here, t - distance]  #@read
        sums[1 - here, t] = value  #@write
        syncthreads()  #@level
        here = 1 - here
        distance *= 2
    out[i] = sums[here, t]  #@result
""", "scan[3, 50](x, out)", scan_arrays, block_sums(50), (
        Change("no-barrier-at-first", {"filled": ""}, "data-race", "first read", ("uninitialized-read: read",)),
        Change("no-barrier-in-loop", {"level": ""}, "data-race", "write read", ("uninitialized-read: read",)),
        Change("warp-barrier-in-loop", {"level": "syncwarp()"}, "data-race", "write read",
               ("uninitialized-read: read",)),
        Change("one-buffer", {"write": "sums[here, t] = value", "level": "syncthreads()\nhere = 1 - here"},
               "data-race", "read write"),
        Change("first-unset", {"first": "if t > 0:\n    sums[0, t] = x[i]"}, "uninitialized-read", "read",
               ("uninitialized-read: own",)),
        Change("one-too-far", {"read": "value += sums[here + 1, t - distance]"}, "out-of-bounds", "read",
               ("uninitialized-read: read", "data-race: read write")),
        Change("barrier-before-write", {"write": "syncthreads()\nsums[1 - here, t] = value", "level": ""},
               "data-race", "write read", ("uninitialized-read: read",)),
        Change("vote", {"level": "syncthreads_or(value)"}),
        Change("barrier-in-both-arms", {"level": "if here == 0:\n    syncthreads()\nelse:\n    syncthreads()"})),
    ({"T": "int32"}, {"T": "uint8", "values": {"dtype": "uint8"}}))


IN_PLACE = Pattern(
    "scan_in_place", """
@kernel
def scan(x: $T[::1], out: $T[::1]):
    sums = shared.array(75, $T)
    block = this_thread_block()
    t, i = block.thread_rank(), grid(1)
    sums[t] = x[i]  #@first
    block.sync()  #@filled
    for level in range(7):
        distance = 1 << level
        value = sums[t - distance] if t >= distance else $T(0)  #@read
        block.sync()  #@between
        sums[t] += value  #@write
        block.sync()  #@level
    out[i] = sums[t]
    if t == 0 and i > 0:
        out[i] += 0  #@edge
""", "scan[2, 75](x, out)", scan_arrays, block_sums(75), (
        Change("no-barrier-at-first", {"filled": ""}, "data-race", "first read", ("uninitialized-read: read",)),
        Change("no-barrier-between", {"between": ""}, "data-race", "read write"),
        Change("no-barrier-after", {"level": ""}, "data-race", "write read"),
        Change("tile-barrier", {"between": "tiled_partition(block, 32).sync()"}, "data-race", "read write"),
        Change("both-barriers-before", {"between": "block.sync()\nblock.sync()", "level": ""}, "data-race",
               "write read"),
        Change("previous-element", {"edge": "out[i] += sums[t + 75]"}, "out-of-bounds", "edge"),
        Change("split", {"between": "token = block.barrier_arrive()\nblock.barrier_wait(token)"}),
        Change("whole-warps", {"level": "syncthreads_count(t < 3)"})),
    ({"T": "int64", "values": {"dtype": "int64"}}, {"T": "float32", "values": {"dtype": "float32"}}))


def grid_sums(a, **_):
    return {"out": np.cumsum(a["x"], dtype=a["x"].dtype)}


GRID_SCAN = Pattern(
    "scan_of_the_grid", """
@kernel
def scan(x: $T[::1], sums: $T[::1], out: $T[::1]):
    g = this_grid()
    block = this_thread_block()
    i = g.thread_rank()
    own = block.inclusive_scan(x[i])  #@scan
    if block.thread_rank() == 29:  #@last
        sums[g.block_rank()] = own  #@put
    g.sync()  #@sync
    before = $T(0)
    for b in range(g.block_rank()):  #@blocks
        before += sums[b]  #@take
    out[i] = before + own  #@store
""", "scan[5, 30](x, sums, out)", lambda rng, **k: {
        **scan_arrays(rng, **k), "sums": Empty((5,), k.get("dtype", "int32"))},
    grid_sums, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("block-barrier", {"sync": "block.sync()"}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("block-reduce", {"sync": "own = block.reduce(own) * 0 + own"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("one-block-further", {"put": "sums[g.block_rank() + 1] = own"}, "out-of-bounds", "put",
               ("uninitialized-read: take",)),
        Change("every-thread", {"last": "if block.thread_rank() > 27:"}, "data-race", "put put"),
        Change("all-blocks", {"blocks": "for b in range(g.block_rank() - g.num_blocks() * 2, 0):"},
               "out-of-bounds", "take"),
        Change("odd-blocks", {"put": "if g.block_rank() % 2 == 1:\n    sums[g.block_rank()] = own"},
               "uninitialized-read", "take"),
        Change("negative-index", {"put": "sums[g.block_rank() - g.num_blocks()] = own"}),
        Change("grid-scan", {"sync": "g.exclusive_scan(own)"})),
    ({"T": "int32"}, {"T": "int64", "values": {"dtype": "int64"}}))


LOOK_BACK = Pattern(
    "blocks_one_after_the_other", """
@kernel
def chained(x: $T[::1], sums: $T[::1], ready: int32[::1], out: $T[::1]):
    block = this_thread_block()
    start = shared.array(1, $T)
    b, t = blockIdx.x, block.thread_rank()
    own = block.inclusive_scan(x[grid(1)])
    if t == block.num_threads() - 1:
        before = $T(0)
        if b > 0:
            while atomic.load(ready, b - 1, $ACQUIRE) == 0:  #@wait
                pass
            $FENCE  #@acquire
            before = sums[b - 1]  #@take
        sums[b] = before + own  #@put
        $FENCE  #@release
        atomic.store(ready, b, 1, $RELEASE)  #@signal
        start[0] = before  #@start
    block.sync()  #@sync
    out[grid(1)] = start[0] + own  #@use
""", "chained[6, 25](x, sums, ready, out)", lambda rng, **k: {
        **scan_arrays(rng, **k), "sums": Empty((6,), k.get("dtype", "int32")), "ready": np.zeros(6, np.int32)},
    grid_sums, (
        Change("relaxed-signal", {"signal": "atomic.store(ready, b, 1, memory_order_relaxed)", "release": ""},
               "data-race", "put take"),
        Change("relaxed-wait", {"wait": "while atomic.load(ready, b - 1, memory_order_relaxed) == 0:", "acquire": ""},
               "data-race", "put take"),
        Change("no-wait", {"wait": "while atomic.load(ready, b, memory_order_relaxed) > 1:", "acquire": ""},
               "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("no-block-barrier", {"sync": ""}, "data-race", "start use", ("uninitialized-read: use",)),
        Change("warp-barrier", {"sync": "syncwarp()"}),
        Change("past-the-last", {"put": "sums[b + 1] = before + own"}, "out-of-bounds", "put",
               ("uninitialized-read: take", "data-race: put take")),
        Change("spare-fence", {"start": "threadfence_block()\nstart[0] = before"})),
    ({"T": "int32", "ACQUIRE": "memory_order_acquire", "RELEASE": "memory_order_release", "FENCE": "pass"},
     {"T": "float32", "ACQUIRE": "memory_order_relaxed", "RELEASE": "memory_order_relaxed",
      "FENCE": "threadfence()", "values": {"dtype": "float32"}}))


def histogram_arrays(rng, dtype="int32", n=333, bins=37):
    x = rng.integers(0, bins, n).astype(dtype)
    x[:bins] = np.arange(bins)
    x[100:103] = bins - 1  # bins that threads of two blocks count in
    x[240:290] = 5
    return {"x": x, "bins": np.zeros(bins, np.int32)}


def counts(a, **_):
    return {"bins": np.bincount(a["x"], minlength=len(a["bins"])).astype(np.int32)}


GLOBAL = Pattern(
    "histogram_in_global", """
@kernel
def histogram(x: $T[::1], bins: int32[::1]):
    for i in range(grid(1), x.size, gridsize(1)):  #@range
        bin = int64(x[i])  #@load
        if bin >= 0:
            atomic.add(bins, bin, 1)  #@count
""", "histogram[4, 35](x, bins)", histogram_arrays, counts, (
        Change("plain-count", {"count": "bins[bin] += 1"}, "data-race", "count count"),
        Change("odd-bins-plain", {"count": "if bin % 2 == 1:\n    bins[bin] += 1  #@count\nelse:\n"
                                  "    atomic.add(bins, bin, 1)  #@rest"}, "data-race", "count count"),
        Change("bins-from-one", {"count": "atomic.add(bins, bin + 1, 1)"}, "out-of-bounds", "count"),
        Change("one-value-more", {"range": "for i in range(grid(1) + 1, x.size + 1, gridsize(1)):"},
               "out-of-bounds", "load"),
        Change("load-then-plain-store", {"count": "old = atomic.load(bins, bin)  #@look\nbins[bin] = old + 1"},
               "data-race", "count count, look count"),
        Change("negative-bins", {"count": "atomic.add(bins, bin - bins.size, 1)"}),
        Change("scoped", {"count": "atomic.add(bins, bin, 1, memory_order_relaxed, thread_scope_device)"}),
        Change("too-negative", {"count": "atomic.add(bins, bin - bins.size - 1, 1)"}, "out-of-bounds", "count")),
    ({"T": "int32"}, {"T": "uint8", "values": {"dtype": "uint8"}}))


SHARED = Pattern(
    "histogram_in_shared", """
@kernel
def histogram(x: $T[::1], bins: int32[::1]):
    count = shared.array(37, int32)
    t = threadIdx.x
    for b in range(t, 37, blockDim.x):  #@clear
        count[b] = 0  #@zero
    syncthreads()  #@cleared
    for i in range(grid(1), x.size, gridsize(1)):
        atomic.add(count, int64(x[i]), 1)  #@count
    syncthreads()  #@counted
    for b in range(t, 37, blockDim.x):  #@bins
        atomic.add(bins, b, count[b])  #@result
""", "histogram[3, 34](x, bins)", histogram_arrays, counts, (
        Change("no-barrier-after-clear", {"cleared": ""}, "data-race", "zero count", ("uninitialized-read: count",)),
        Change("no-barrier-before-result", {"counted": ""}, "data-race", "count result",
               ("uninitialized-read: result",)),
        Change("plain-count", {"count": "count[int64(x[i])] += 1"}, "data-race", "count count"),
        Change("plain-result", {"result": "bins[b] += count[b]"}, "data-race", "result result"),
        Change("cleared-from-one", {"clear": "for b in range(t + 1, 37, blockDim.x):"}, "uninitialized-read",
               "count", ("uninitialized-read: result",)),
        Change("cleared-to-36", {"clear": "for b in range(t, 36, blockDim.x):"}, "uninitialized-read", "count",
               ("uninitialized-read: result",)),
        Change("cleared-to-38", {"clear": "for b in range(t, 38, blockDim.x):"}, "out-of-bounds", "zero"),
        Change("one-bin-more", {"bins": "for b in range(t, 38, blockDim.x):"}, "out-of-bounds", "result"),
        Change("warp-barrier", {"cleared": "syncwarp()"}, "data-race", "zero count", ("uninitialized-read: count",)),
        Change("barrier-in-the-loop", {"cleared": "", "clear": "syncthreads()\nfor b in range(t, 37, blockDim.x):"},
               "data-race", "zero count", ("uninitialized-read: count",)),
        Change("block-scope", {"count": "atomic.add(count, int64(x[i]), 1, memory_order_relaxed, thread_scope_block)"}),
        Change("skip-empty", {"result": "if count[b] > 0:\n    atomic.add(bins, b, count[b])"})),
    ({"T": "int32"}, {"T": "uint8", "values": {"dtype": "uint8"}}))


OWN = Pattern(
    "histogram_of_each_thread", """
@kernel
def histogram(x: int32[::1], bins: int32[::1]):
    own = local.array(8, int32)
    rows = shared.array((20, 8), int32)
    t = threadIdx.x
    for b in range(8):  #@clear
        own[b] = 0
    for i in range(grid(1), x.size, gridsize(1)):
        own[int64(x[i])] += 1  #@count
    for b in range(8):  #@columns
        rows[t, b] = own[b]  #@put
    syncthreads()  #@sync
    if t < 8:  #@guard
        total = 0
        for k in range(blockDim.x):  #@rows
            total += rows[k, t]  #@take
        atomic.add(bins, t, total)  #@result
""", "histogram[3, 20](x, bins)", lambda rng: histogram_arrays(rng, bins=8, n=301), counts, (
        Change("cleared-from-one", {"clear": "for b in range(1, 8):"}, "uninitialized-read", "put",
               ("uninitialized-read: count",)),
        Change("value-above", {"count": "own[int64(x[i]) + 1] += 1"}, "out-of-bounds", "count"),
        Change("one-column-less", {"columns": "for b in range(7):"}, "uninitialized-read", "take"),
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("one-row-more", {"rows": "for k in range(blockDim.x + 1):"}, "out-of-bounds", "take"),
        Change("plain-result", {"result": "bins[t] += total"}, "data-race", "result result"),
        Change("nine-columns", {"guard": "if t <= 8:"}, "out-of-bounds", "take, result"),
        Change("transposed-rows", {"put": "rows.T[b, t] = own[b]"}),
        Change("one-warp", {"sync": "syncwarp()"}),
        Change("row-views", {"put": "row = rows[t]\nrow[b] = own[b]"})))

PATTERNS = [HILLIS, IN_PLACE, GRID_SCAN, LOOK_BACK, GLOBAL, SHARED, OWN]
