"""Flags between threads, split barriers, tiles, partitions, clusters, and barriers used wrongly."""

import numpy as np

from checks.model import Change, Empty, Pattern


def handed_on(a, **_):
    return {"out": a["x"] * 2 + 1}


def hand_on_arrays(rng, dtype="int32", n=24):
    return {"x": rng.integers(0, 99, n).astype(dtype), "data": Empty((n,), dtype), "flag": np.zeros(1, np.int32),
            "out": Empty((n,), dtype)}


PRODUCER = Pattern(
    "producer_and_consumer", """
@kernel
def hand_on(x: $T[::1], data: $T[::1], flag: int32[::1], out: $T[::1]):
    t = threadIdx.x
    if blockIdx.x == 1:
        data[t] = x[t] * 2  #@put
        syncthreads()  #@gather
        if t == 0:
            $BEFORE  #@release
            $SIGNAL  #@signal
    elif blockIdx.x == 0:
        if t == 0:
            while $LOOK == 0:  #@wait
                pass
            $AFTER  #@acquire
        syncthreads()  #@spread
        out[t] = data[t] + 1  #@take
""", "hand_on[3, 24](x, data, flag, out)", hand_on_arrays, handed_on, (
        Change("no-release", {"release": "", "signal": "atomic.store(flag, 0, 1, memory_order_relaxed)"}, "data-race",
               "put take"),
        Change("no-acquire", {"acquire": "", "wait": "while atomic.load(flag, 0, memory_order_relaxed) == 0:"},
               "data-race", "put take"),
        Change("release-too-early", {"put": "if t == 0:\n    atomic.store(flag, 0, 1)\ndata[t] = x[t] * 2",
                                     "release": "pass", "signal": "pass"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("no-barrier-of-producers", {"gather": "syncwarp(1 << t)"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("no-barrier-of-consumers", {"spread": "syncwarp(1 << t)"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("element-too-far", {"take": "out[t] = data[t + 1] + 1"}, "out-of-bounds", "take"),
        Change("one-element-unset", {"put": "if t < 23:\n    data[t] = x[t] * 2"}, "uninitialized-read", "take"),
        Change("signal-by-exch", {"signal": "atomic.exch(flag, 0, 1, memory_order_release)"}),
        Change("both", {"release": "threadfence()", "acquire": "threadfence()"})),
    ({"T": "int32", "BEFORE": "pass", "AFTER": "pass", "SIGNAL": "atomic.store(flag, 0, 1)",
      "LOOK": "atomic.load(flag, 0)"},
     {"T": "float32", "BEFORE": "threadfence()", "AFTER": "threadfence()",
      "SIGNAL": "atomic.store(flag, 0, 1, memory_order_relaxed)",
      "LOOK": "atomic.load(flag, 0, memory_order_relaxed)", "values": {"dtype": "float32"}},
     {"T": "int64", "BEFORE": "threadfence()", "AFTER": "threadfence()", "SIGNAL": "atomic.add(flag, 0, 1)",
      "LOOK": "atomic.add(flag, 0, 0)", "values": {"dtype": "int64"}}))


LOCK = Pattern(
    "spin_lock", """
@kernel
def locked(lock: int32[::1], total: $T[::1], most: $T[::1], x: $T[::1]):
    i = grid(1)
    if threadIdx.x == 0:
        while atomic.cas(lock, 0, 0, 1, memory_order_acquire) != 0:  #@lock
            nanosleep(20)
        $FENCE  #@fence
        total[0] += x[blockIdx.x]  #@add
        if x[blockIdx.x] > most[0]:  #@look
            most[0] = x[blockIdx.x]  #@set
        $FENCE  #@fence_out
        atomic.store(lock, 0, 0)  #@unlock
""", "locked[6, 20](lock, total, most, x)", lambda rng, dtype="int32": {
        "lock": np.zeros(1, np.int32), "total": np.zeros(1, dtype), "most": np.zeros(1, dtype),
        "x": rng.integers(1, 99, 6).astype(dtype)},
    lambda a, **_: {"total": a["x"].sum(keepdims=True, dtype=a["x"].dtype), "most": a["x"].max(keepdims=True)}, (
        Change("no-lock", {"lock": "while atomic.load(lock, 0, memory_order_relaxed) > 5:", "unlock": ""}, "data-race",
               "add add", ("data-race: look set, set set",)),
        Change("relaxed-unlock", {"fence_out": "", "unlock": "atomic.store(lock, 0, 0, memory_order_relaxed)"},
               "data-race", "add add",
               ("data-race: look set, set set",)),
        Change("relaxed-lock", {"fence": "", "lock": "while atomic.cas(lock, 0, 0, 1) != 0:"}, "data-race", "add add",
               ("data-race: look set, set set",)),
        Change("set-after-unlock", {"add": "atomic.store(lock, 0, 0)\ntotal[0] += x[blockIdx.x]", "unlock": ""},
               "data-race", "add add", ("data-race: look set, set set",)),
        Change("element-of-the-thread", {"add": "total[0] += x[blockIdx.x + 1]"}, "out-of-bounds", "add"),
        Change("unlock-by-exch", {"unlock": "atomic.exch(lock, 0, 0, memory_order_release)"})),
    ({"T": "int32", "FENCE": "pass"}, {"T": "float64", "FENCE": "threadfence()", "values": {"dtype": "float64"}}))


def rotated(a, **_):
    x = a["x"].reshape(-1, 40)
    return {"out": (np.roll(x, -1, 1) + 3 * x).ravel()}


SPLIT = Pattern(
    "split_barrier_of_the_block", """
@kernel
def rotate(x: $T[::1], out: $T[::1]):
    block = this_thread_block()
    s = shared.array((2, 40), $T)
    t, i = block.thread_rank(), grid(1)
    for k in range(3):
        s[k % 2, t] = x[i] + k  #@put
        token = block.barrier_arrive()  #@arrive
        own = x[i] * 3  #@own
        block.barrier_wait(token)  #@wait
        out[i] = s[k % 2, (t + 1) % 40] - k + own  #@take
""", "rotate[3, 40](x, out)", lambda rng, dtype="int32": {
        "x": rng.integers(0, 50, 120).astype(dtype), "out": Empty((120,), dtype)}, rotated, (
        Change("read-before-wait", {"wait": "out[i] = s[k % 2, (t + 1) % 40] - k + own  #@early\n"
                                    "block.barrier_wait(token)  #@wait", "take": ""}, "data-race", "put early",
               ("uninitialized-read: early",)),
        Change("write-after-arrive", {"put": "token = block.barrier_arrive()",
                                      "arrive": "s[k % 2, t] = x[i] + k  #@late"}, "data-race", "late take",
               ("uninitialized-read: take",)),
        Change("one-buffer", {"put": "s[0, t] = x[i] + k", "take": "out[i] = s[0, (t + 1) % 40] - k + own"},
               "data-race", "put take"),
        Change("no-barrier", {"arrive": "", "wait": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("past-the-row", {"take": "out[i] = s[k % 2, t + 1] - k + own"}, "out-of-bounds", "take"),
        Change("other-buffer", {"take": "out[i] = s[(k + 1) % 2, (t + 1) % 40] - k + own"}, "uninitialized-read",
               "take", ("data-race: put take",)),
        Change("own-element-early", {"own": "own = (s[k % 2, t] - k) * 3"}),
        Change("whole-barriers", {"arrive": "block.sync()", "wait": "syncthreads()"})),
    ({"T": "int32"}, {"T": "uint8", "values": {"dtype": "uint8"}}))


GRID_SPLIT = Pattern(
    "split_barrier_of_the_grid", """
@kernel
def neighbours(x: $T[::1], work: $T[::1], out: $T[::1]):
    g = this_grid()
    i, n = g.thread_rank(), g.num_threads()
    work[i] = x[i] * 2  #@put
    token = g.barrier_arrive()  #@arrive
    own = x[(i + 1) % n] + 1  #@own
    g.barrier_wait(token)  #@wait
    out[i] = work[n - 1 - i] + own  #@take
""", "neighbours[4, 23](x, work, out)", lambda rng, dtype="int32": {
        "x": rng.integers(0, 50, 92).astype(dtype), "work": Empty((92,), dtype), "out": Empty((92,), dtype)},
    lambda a, **_: {"out": 2 * a["x"][::-1] + np.roll(a["x"], -1) + 1}, (
        Change("read-before-wait", {"own": "own = x[(i + 1) % n] + 1 + work[n - 1 - i]", "take": "out[i] = own"},
               "data-race", "put own", ("uninitialized-read: own",)),
        Change("write-after-arrive", {"put": "token = g.barrier_arrive()", "arrive": "work[i] = x[i] * 2  #@late"},
               "data-race", "late take", ("uninitialized-read: take",)),
        Change("of-the-block", {"arrive": "block = this_thread_block()\ntoken = block.barrier_arrive()",
                                "wait": "block.barrier_wait(token)"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("mirrored-from-n", {"take": "out[i] = work[n - i] + own"}, "out-of-bounds", "take"),
        Change("own-element-early", {"own": "own = x[(i + 1) % n] + 1 + work[i] - work[i]"}),
        Change("negative-index", {"take": "out[i] = work[-1 - i] + own"}),
        Change("too-negative", {"take": "out[i] = work[-2 - i] + own"}, "out-of-bounds", "take")),
    ({"T": "int32"}, {"T": "float32", "values": {"dtype": "float32"}}))


def tile_reversed(size):
    return lambda a, **_: {"out": a["x"].reshape(-1, size)[:, ::-1].ravel() + 1}


TILE = Pattern(
    "reversed_in_tiles", """
@kernel
def reverse(x: $T[::1], out: $T[::1]):
    s = shared.array(64, $T)
    block = this_thread_block()
    tile = tiled_partition(block, $N)
    lane, base = tile.thread_rank(), tile.meta_group_rank() * $N
    for k in range(2):
        s[base + lane] = x[grid(1)] + k  #@put
        tile.sync()  #@sync
        value = s[base + $N - 1 - lane]  #@take
        tile.sync()  #@again
        if k == 1:
            out[grid(1)] = value  #@store
""", "reverse[3, 64](x, out)", lambda rng, dtype="int32", size=8: {
        "x": rng.integers(0, 50, 192).astype(dtype), "out": Empty((192,), dtype)},
    lambda a, dtype="int32", size=8: tile_reversed(size)(a), (
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("no-second-barrier", {"again": ""}, "data-race", "take put"),
        Change("half-a-tile", {"sync": "half = tiled_partition(block, $H)\nhalf.sync()"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("half-a-tile-again", {"again": "half = tiled_partition(block, $H)\nhalf.sync()"}, "data-race",
               "take put"),
        Change("fence-of-the-block", {"sync": "threadfence_block()"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("one-to-the-right", {"take": "value = s[base + $N - lane]"}, "out-of-bounds", "take",
               ("data-race: put take", "uninitialized-read: take")),
        Change("wider", {"sync": "block.sync()"}),
        Change("rank-from-the-block", {"put": "s[block.thread_rank()] = x[grid(1)] + k"})),
    ({"T": "int32", "N": 8, "H": 4, "values": {"size": 8}},
     {"T": "uint8", "N": 32, "H": 16, "values": {"dtype": "uint8", "size": 32}},
     {"T": "int64", "N": 64, "H": 32, "values": {"dtype": "int64", "size": 64}}))


def strided(a):
    opposite = [(15 - k // 3) * 3 + k % 3 for k in range(48)]
    return {"out": a["x"].reshape(-1, 48)[:, opposite].ravel()}


PARTITION = Pattern(
    "reversed_in_partitions", """
@kernel
def reverse(x: int32[::1], out: int32[::1]):
    s = shared.array(48, int32)
    block = this_thread_block()
    part = stride_partition(block, 16)
    t = block.thread_rank()
    s[t] = x[grid(1)]  #@put
    part.sync()  #@sync
    opposite = (15 - t // 3) * 3 + t % 3  #@opposite
    out[grid(1)] = s[opposite]  #@take
""", "reverse[2, 48](x, out)", lambda rng: {
        "x": rng.integers(0, 50, 96).astype(np.int32), "out": Empty((96,), "int32")}, strided, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("warp-barrier", {"sync": "syncwarp()"}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("neighbour-partition", {"opposite": "opposite = (15 - t // 3) * 3 + (t + 1) % 3"}, "data-race",
               "put take", ("uninitialized-read: take",)),
        Change("one-more", {"opposite": "opposite = (16 - t // 3) * 3 + t % 3"}, "out-of-bounds", "take"),
        Change("whole-block", {"sync": "block.sync()"}),
        Change("by-label", {"sync": "labeled_partition(block, t % 3).sync()"}),
        Change("by-another-label", {"put": "other = labeled_partition(block, t % 2)\ns[t] = x[grid(1)]",
                                    "sync": "other.sync()"}, "data-race", "put take",
               ("uninitialized-read: take",))))


BINARY = Pattern(
    "leader_of_each_part", """
@kernel
def marks(x: int32[::1], out: int32[::1]):
    first = shared.array(2, int32)
    block = this_thread_block()
    odd = x[grid(1)] % 2
    part = binary_partition(block, odd == 1)
    if part.thread_rank() == 0:  #@leader
        first[odd] = int32(part.num_threads())  #@put
    part.sync()  #@sync
    out[grid(1)] = first[odd]  #@take
""", "marks[3, 50](x, out)", lambda rng: {
        "x": np.concatenate([np.r_[2, 3, 2, rng.integers(0, 9, 44), 2, 3, 3] for _ in range(3)]).astype(np.int32),
        "out": Empty((150,), "int32")},
    lambda a: {"out": np.concatenate([np.where(b % 2 == 1, (b % 2 == 1).sum(), (b % 2 == 0).sum())
                                      for b in a["x"].reshape(3, 50)]).astype(np.int32)}, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("tile-barrier", {"sync": "tiled_partition(block, 16).sync()"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("every-thread", {"leader": "if part.thread_rank() < 2:"}, "data-race", "put put"),
        Change("other-part", {"take": "out[grid(1)] = first[1 - odd]"}, "data-race", "put take",
               ("uninitialized-read: take",)),
        Change("from-one", {"put": "first[odd + 1] = int32(part.num_threads())"}, "out-of-bounds", "put",
               ("uninitialized-read: take", "data-race: put take")),
        Change("evens-only", {"leader": "if part.thread_rank() == 0 and odd == 0:"}, "uninitialized-read", "take"),
        Change("collective", {"sync": "part.reduce(odd)"}),
        Change("block-barrier", {"sync": "syncthreads()"})))


def cluster_sums(a, blocks=2, **_):
    x = a["x"].reshape(-1, blocks, 32)
    return {"out": np.concatenate([x.sum(1)] * blocks, 1).ravel().astype(a["x"].dtype)}


CLUSTER = Pattern(
    "shared_of_the_cluster", """
@kernel(cluster=$C)
def add_up(x: $T[::1], out: $T[::1]):
    own = shared.array(32, $T)
    cluster = this_cluster()
    t = threadIdx.x
    own[t] = x[grid(1)]  #@put
    cluster.sync()  #@sync
    total = $T(0)
    for rank in range(cluster.num_blocks()):
        other = cluster.map_shared_rank(own, rank)
        total += other[t]  #@take
    $END  #@end
    out[grid(1)] = total
    own[t] = 0  #@clear
""", "add_up[6, 32](x, out)", lambda rng, dtype="int32", blocks=2: {
        "x": rng.integers(0, 50, 192).astype(dtype), "out": Empty((192,), dtype)}, cluster_sums, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("block-barrier", {"sync": "syncthreads()"}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("no-barrier-at-the-end", {"end": ""}, "data-race", "take clear"),
        Change("block-barrier-at-the-end", {"end": "this_thread_block().sync()"}, "data-race", "take clear"),
        Change("one-to-the-right", {"take": "total += other[t + 1]"}, "out-of-bounds", "take",
               ("data-race: put take",)),
        Change("last-unset", {"put": "if t < 31:\n    own[t] = x[grid(1)]"}, "uninitialized-read", "take"),
        Change("negative-index", {"take": "total += other[t - 32]"}),
        Change("split", {"sync": "token = cluster.barrier_arrive()\ncluster.barrier_wait(token)"})),
    ({"T": "int32", "C": 2, "END": "cluster.sync()", "values": {"blocks": 2}},
     {"T": "float32", "C": 3, "END": "cluster.barrier_wait(cluster.barrier_arrive())",
      "values": {"dtype": "float32", "blocks": 3}}))


CLUSTER_COUNT = Pattern(
    "counts_of_the_cluster", """
@kernel(cluster=2)
def count(x: int32[::1], bins: int32[::1]):
    part = shared.array(10, int32)
    cluster = this_cluster()
    t = threadIdx.x
    if t < 10:
        part[t] = 0  #@clear
    cluster.sync()  #@cleared
    for i in range(grid(1), x.size, gridsize(1)):
        to = cluster.map_shared_rank(part, x[i] // 10)
        atomic.add(to, x[i] % 10, 1)  #@count
    cluster.sync()  #@counted
    if t < 10:  #@guard
        atomic.add(bins, cluster.block_rank() * 10 + t, part[t])  #@result
""", "count[4, 37](x, bins)", lambda rng: {
        "x": np.r_[np.repeat(np.arange(20), 13), rng.integers(0, 20, 99)].astype(np.int32),
        "bins": np.zeros(20, np.int32)},
    lambda a: {"bins": np.bincount(a["x"], minlength=20).astype(np.int32)}, (
        Change("block-barrier", {"cleared": "syncthreads()"}, "data-race", "clear count",
               ("uninitialized-read: count",)),
        Change("no-barrier", {"counted": ""}, "data-race", "count result"),
        Change("block-barrier-at-end", {"counted": "syncthreads()"}, "data-race", "count result"),
        Change("plain-count", {"count": "to[x[i] % 10] += 1"}, "data-race", "count count"),
        Change("bins-of-eleven", {"count": "atomic.add(to, x[i] % 11, 1)"}, "out-of-bounds", "count"),
        Change("eleven-threads", {"guard": "if t < 11:"}, "out-of-bounds", "result"),
        Change("not-cleared", {"clear": "part[t] = part[t]"}, "uninitialized-read", "clear"),
        Change("cleared-by-a-loop", {"clear": "for k in range(t, 10, 10):\n    part[k] = 0"})))


NEVER = "barrier-never-passed|barrier-misuse"  # also a thread that ends while others wait for it


def doubled(a):
    return {"out": a["x"] * 2}


DIVERGENT = Pattern(
    "barriers_of_a_loop", """
@kernel
def double(x: int32[::1], trips: int32[::1], out: int32[::1]):
    g = $GROUP
    s = shared.array(64, int32)
    t = threadIdx.x
    s[t] = x[grid(1)] * 2
    for k in range(trips[0]):  #@loop
        $SYNC  #@sync
    out[grid(1)] = s[t]
""", "double[2, 64](x, trips, out)", lambda rng: {
        "x": rng.integers(0, 50, 128).astype(np.int32), "trips": np.r_[3, np.full(62, 3), 4].astype(np.int32),
        "out": Empty((128,), "int32")}, doubled, (
        Change("own-trip-count", {"loop": "for k in range(trips[t]):"}, NEVER, "sync"),
        Change("under-a-condition", {"sync": "if trips[t] == 3:\n    $SYNC"}, NEVER, "sync"),
        Change("left-early", {"loop": "for k in range(5):\n    if k == trips[t]:\n        break"}, NEVER, "sync"),
        Change("skipped-once", {"loop": "for k in range(3):\n    if k + 1 == trips[t] // 4:\n        continue"},
               NEVER, "sync"),
        Change("same-trip-counts", {"loop": "for k in range(trips[1] - 1):"}),
        Change("same-condition", {"sync": "if trips[0] == 3:\n    $SYNC"})),
    ({"GROUP": "this_thread_block()", "SYNC": "g.sync()"},
     {"GROUP": "this_grid()", "SYNC": "g.sync()"},
     {"GROUP": "tiled_partition(this_thread_block(), 64)", "SYNC": "g.sync()"},
     {"GROUP": "this_thread_block()", "SYNC": "s[t] += syncthreads_and(s[t] < 0) * g.thread_rank()"}))


MISUSE = Pattern(
    "tokens", """
@kernel
def double(x: int32[::1], odd: int32[::1], out: int32[::1]):
    g = $GROUP
    t = threadIdx.x
    token = g.barrier_arrive()  #@first
    out[grid(1)] = x[grid(1)] * 2
    if odd[t] == 0:  #@if
        g.barrier_wait(token)  #@wait
    else:  #@else
        g.barrier_wait(token)  #@other
    g.sync()  #@sync
""", "double[2, 40](x, odd, out)", lambda rng: {
        "x": rng.integers(0, 50, 80).astype(np.int32), "odd": (np.arange(40) % 2).astype(np.int32),
        "out": Empty((80,), "int32")}, doubled, (
        Change("no-wait", {"else": "", "other": "", "sync": ""}, "barrier-misuse", "first",
               ("barrier-misuse: wait",)),
        Change("waited-twice", {"else": "", "other": "", "sync": "g.barrier_wait(token)"}, "barrier-misuse", "sync"),
        Change("arrived-twice", {"else": "", "other": "", "sync": "token = g.barrier_arrive()  #@second\n"
                                 "g.barrier_wait(token)"},
               "barrier-misuse", "second", ("barrier-misuse: first, sync", "barrier-never-passed: sync")),
        Change("one-wait", {"if": "", "wait": "", "else": "if odd[t] >= 0:"})),
    ({"GROUP": "this_thread_block()"}, {"GROUP": "this_grid()"}))

PATTERNS = [PRODUCER, LOCK, SPLIT, GRID_SPLIT, TILE, PARTITION, BINARY, CLUSTER, CLUSTER_COUNT, DIVERGENT, MISUSE]
