"""Copies by groups, transposes, local, dynamic shared and constant arrays, views and outputs."""

import numpy as np

from checks.model import Change, Empty, Pattern


def copied(a, **_):
    return {"out": a["x"].reshape(-1, 48)[:, ::-1].ravel()}


def line(n):
    return lambda rng, dtype="int32": {"x": rng.integers(0, 50, n).astype(dtype), "out": Empty((n,), dtype)}


COPY = Pattern(
    "copy_and_wait", """
@kernel
def reverse(x: $T[::1], out: $T[::1]):
    block = this_thread_block()
    s = shared.array(48, $T)
    t, first = block.thread_rank(), blockIdx.x * 48
    block.memcpy_async(s, x[first:first + 48])  #@copy
    block.wait()  #@wait
    out[first + t] = s[47 - t]  #@take
""", "reverse[3, 48](x, out)", line(144), copied, (
        Change("no-wait", {"wait": ""}, "unwaited-copy", "copy take", ("uninitialized-read: take",)),
        Change("block-barrier", {"wait": "block.sync()"}, "unwaited-copy", "copy take", ("uninitialized-read: take",)),
        Change("wait-after-use", {"wait": "", "take": "out[first + t] = s[47 - t]  #@take\nblock.wait()  #@end"},
               "unwaited-copy", "copy take", ("uninitialized-read: take",)),
        Change("wait-for-others", {"wait": "block.wait_prior(1)"}, "unwaited-copy", "copy take",
               ("uninitialized-read: take",)),
        Change("source-overwritten", {"wait": "x[first + t] = 0  #@clobber\nblock.wait()"}, "unwaited-copy",
               "copy clobber"),
        Change("destination-overwritten", {"wait": "if t == 5:\n    s[t] = 0  #@clobber\nblock.wait()"},
               "unwaited-copy", "copy clobber", ("data-race: clobber copy",)),
        Change("copy-too-short", {"copy": "block.memcpy_async(s, x[first:first + 47])"}, "uninitialized-read", "take"),
        Change("read-too-far", {"take": "out[first + t] = s[48 - t]"}, "out-of-bounds", "take"),
        Change("read-the-source", {"wait": "own = x[first + t]\nblock.wait()\nif own < 0:\n    out[0] = own"}),
        Change("two-waits", {"wait": "block.wait()\nblock.wait()"}),
        Change("two-copies", {"copy": "block.memcpy_async(s[:20], x[first:first + 20])\n"
                              "block.memcpy_async(s[20:], x[first + 20:first + 48])"}),
        Change("two-copies-one-waited", {"copy": "block.memcpy_async(s[:20], x[first:first + 20])\n"
                                         "block.memcpy_async(s[20:], x[first + 20:first + 48])",
                                         "wait": "block.wait_prior(1)"},
               "unwaited-copy", "copy take", ("uninitialized-read: take",)),
        Change("wait-prior-0", {"wait": "block.wait_prior(0)"})),
    ({"T": "int32"}, {"T": "uint8", "values": {"dtype": "uint8"}}, {"T": "float64", "values": {"dtype": "float64"}}))


def pipeline_sums(a, **_):
    x = a["x"].reshape(2, 4, 32)
    return {"out": (x[:, :, ::-1].sum(1)).ravel().astype(a["x"].dtype)}


PIPELINE = Pattern(
    "copies_in_two_stages", """
@kernel
def add_up(x: $T[:, :, ::1], out: $T[::1]):
    block = this_thread_block()
    stages = shared.array((2, 32), $T)
    t, total = block.thread_rank(), $T(0)
    source = x[blockIdx.x]
    block.memcpy_async(stages[0], source[0])  #@first
    for k in range(4):
        if k + 1 < 4:
            block.memcpy_async(stages[(k + 1) % 2], source[k + 1])  #@next
            block.wait_prior(1)  #@wait
        else:
            block.wait()  #@last
        total += stages[k % 2, 31 - t]  #@use
        block.sync()  #@sync
    out[grid(1)] = total
""", "add_up[2, 32](x, out)", lambda rng, dtype="int32": {
        "x": rng.integers(0, 50, (2, 4, 32)).astype(dtype), "out": Empty((64,), dtype)}, pipeline_sums, (
        Change("no-barrier", {"sync": ""}, "unwaited-copy|data-race", "next use"),
        Change("one-not-waited", {"last": "block.wait_prior(1)"}, "unwaited-copy", "next use"),
        Change("two-not-waited", {"wait": "block.wait_prior(2)"}, "unwaited-copy", "first use",
               ("unwaited-copy: next use, first next, next next", "uninitialized-read: use")),
        Change("wait-after-use", {"wait": "total += 0", "sync": "block.wait()"}, "unwaited-copy", "first use",
               ("uninitialized-read: use",)),
        Change("same-stage", {"next": "block.memcpy_async(stages[k % 2], source[k + 1])"}, "unwaited-copy",
               "next use", ("unwaited-copy: first next, next next", "uninitialized-read: use")),
        Change("warp-barrier-at-wait", {"wait": "syncwarp()"}, "unwaited-copy", "first use",
               ("unwaited-copy: next use, first next, next next", "uninitialized-read: use")),
        Change("third-stage", {"use": "total += stages[k % 2 + 1, 31 - t]"}, "out-of-bounds", "use",
               ("unwaited-copy: next use", "uninitialized-read: use")),
        Change("wait-for-all", {"wait": "block.wait()"}),
        Change("vote", {"sync": "syncthreads_or(total > 3)"})),
    ({"T": "int32"}, {"T": "float32", "values": {"dtype": "float32"}}))


TILE_COPY = Pattern(
    "copies_of_tiles", """
@kernel
def reverse(x: $T[::1], out: $T[::1]):
    block = this_thread_block()
    tile = tiled_partition(block, 16)
    s = shared.array((4, 16), $T)
    row = s[tile.meta_group_rank()]
    first = grid(1) - tile.thread_rank()
    tile.memcpy_async(row, x[first:first + 16])  #@copy
    tile.wait()  #@wait
    out[grid(1)] = row[15 - tile.thread_rank()]  #@take
""", "reverse[3, 64](x, out)", line(192),
    lambda a, **_: {"out": a["x"].reshape(-1, 16)[:, ::-1].ravel()}, (
        Change("no-wait", {"wait": ""}, "unwaited-copy", "copy take", ("uninitialized-read: take",)),
        Change("tile-barrier", {"wait": "tile.sync()"}, "unwaited-copy", "copy take", ("uninitialized-read: take",)),
        Change("other-row", {"take": "out[grid(1)] = s[(tile.meta_group_rank() + 1) % 4, 15 - tile.thread_rank()]"},
               "unwaited-copy|data-race", "copy take", ("uninitialized-read: take",)),
        Change("one-more", {"take": "out[grid(1)] = row[16 - tile.thread_rank()]"}, "out-of-bounds", "take"),
        Change("free-functions", {"copy": "memcpy_async(tile, row, x[first:first + 16])", "wait": "wait(tile)"}),
        Change("block-barrier-too", {"wait": "tile.wait()\nblock.sync()"})),
    ({"T": "int32"},))


def transposed(a, **_):
    return {"B": np.ascontiguousarray(a["A"].T)}


def matrices(rng, dtype="int32", shape=(21, 34)):
    return {"A": rng.integers(0, 99, shape).astype(dtype), "B": Empty(shape[::-1], dtype)}


TRANSPOSE = Pattern(
    "transpose_in_tiles", """
@kernel
def transpose(A: $T[:, ::1], B: $T[:, ::1]):
    tile = shared.array((8, 9), $T)
    x, y = threadIdx.x, threadIdx.y
    i, j = blockIdx.y * 8 + y, blockIdx.x * 8 + x
    if i < A.shape[0] and j < A.shape[1]:  #@inside
        tile[y, x] = A[i, j]  #@put
    $SYNC  #@sync
    i, j = blockIdx.x * 8 + y, blockIdx.y * 8 + x
    if i < B.shape[0] and j < B.shape[1]:  #@outside
        B[i, j] = tile[x, y]  #@take
""", "transpose[(5, 3), (8, 8)](A, B)", matrices, transposed, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("warp-barrier", {"sync": "syncwarp()"}, "data-race", "put take", ("uninitialized-read: take",)),
        Change("extents-swapped", {"inside": "if i < A.shape[1] and j < A.shape[1]:"}, "out-of-bounds", "put"),
        Change("output-extents-swapped", {"outside": "if i < B.shape[0] and j < B.shape[0]:"}, "out-of-bounds", "take",
               ("uninitialized-read: take",)),
        Change("one-row-more", {"inside": "if i < A.shape[0] + 1 and j < A.shape[1]:"}, "out-of-bounds", "put"),
        Change("inner-only", {"inside": "if i < A.shape[0] - 1 and j < A.shape[1]:"}, "uninitialized-read", "take"),
        Change("barrier-first", {"put": "tile[y, x] = A[i, j]", "inside": "syncthreads()\n"
                                 "if i < A.shape[0] and j < A.shape[1]:  #@inside", "sync": ""}, "data-race",
               "put take", ("uninitialized-read: take",)),
        Change("column-above", {"put": "tile[y, x + 2] = A[i, j]"}, "out-of-bounds", "put",
               ("uninitialized-read: take",)),
        Change("transposed-view", {"take": "B[i, j] = tile.T[y, x]"}),
        Change("padding-unused", {"put": "tile[y, x + 1] = A[i, j]", "take": "B[i, j] = tile[x, y + 1]"}),
        Change("store-by-view", {"take": "B.T[j, i] = tile[x, y]"})),
    ({"T": "int32", "SYNC": "syncthreads()"}, {"T": "uint8", "SYNC": "this_thread_block().sync()",
                                               "values": {"dtype": "uint8", "shape": (17, 39)}}))


IN_PLACE = Pattern(
    "transpose_in_place", """
@kernel
def transpose(A: $T[:, ::1]):
    i, j = grid(2)
    n = A.shape[0]
    if i < n and j < n and i < j:  #@triangle
        low = A[i, j]  #@low
        high = A[j, i]  #@high
        A[i, j] = high  #@store_low
        A[j, i] = low  #@store_high
""", "transpose[(3, 4), (7, 5)](A)", lambda rng, dtype="int32": {"A": rng.integers(0, 99, (19, 19)).astype(dtype)},
    lambda a, **_: {"A": a["A"].T.copy()}, (
        Change("every-thread", {"triangle": "if i < n and j < n:"}, "data-race",
               "low store_high, high store_low, store_low store_high"),
        Change("one-column-more", {"triangle": "if i < n and j <= n and i < j:"}, "out-of-bounds",
               "low, high, store_low, store_high"),
        Change("copied-only", {"store_high": "if i > j:\n    A[j, i] = low\nelse:\n    A[j, i] = low"}),
        Change("with-the-diagonal", {"triangle": "if i < n and j < n and i <= j:"})),
    ({"T": "int32"}, {"T": "int16", "values": {"dtype": "int16"}}))


SORTED = Pattern(
    "local_window", """
@kernel
def medians(x: $T[::1], out: $T[::1]):
    i = grid(1)
    if i < out.size:
        window = local.array(3, $T)
        for k in range(3):  #@fill
            window[k] = x[i + k]  #@load
        for k in range(2):  #@pass
            for m in range(2):  #@pairs
                if window[m] > window[m + 1]:  #@compare
                    last = window[m]  #@keep
                    window[m] = window[m + 1]  #@down
                    window[m + 1] = last  #@up
        out[i] = window[1]  #@store
""", "medians[4, 30](x, out)", lambda rng, dtype="int32": {
        "x": rng.integers(0, 99, 103).astype(dtype), "out": Empty((101,), dtype)},
    lambda a, **_: {"out": np.median([a["x"][k:k + 101] for k in range(3)], 0).astype(a["x"].dtype)}, (
        Change("fill-two", {"fill": "for k in range(2):"}, "uninitialized-read", "compare",
               ("uninitialized-read: store, down",)),
        Change("fill-from-one", {"fill": "for k in range(1, 3):"}, "uninitialized-read", "compare",
               ("uninitialized-read: keep",)),
        Change("fill-four", {"fill": "for k in range(4):"}, "out-of-bounds", "load"),
        Change("three-pairs", {"pairs": "for m in range(3):"}, "out-of-bounds", "compare",
               ("out-of-bounds: down, up",)),
        Change("input-too-far", {"load": "window[k] = x[i + k + 1]"}, "out-of-bounds", "load"),
        Change("negative-element", {"store": "out[i] = window[k - 3]"}),
        Change("fill-backwards", {"fill": "for k in range(2, -1, -1):"})),
    ({"T": "int32"}, {"T": "float32", "values": {"dtype": "float32"}}))


DYNAMIC = Pattern(
    "dynamic_shared", """
@kernel
def swap(x: int32[::1], y: float64[::1], out: float64[::1]):
    room = shared.array(0, int32)
    t, i, n = threadIdx.x, grid(1), blockDim.x
    ints = room[:n]  #@ints
    floats = room[n:].view(float64)  #@floats
    ints[t] = x[i]  #@put
    floats[t] = y[i]  #@store
    syncthreads()  #@sync
    out[i] = floats[n - 1 - t] + ints[n - 1 - t]  #@take
""", "swap[3, 44, 0, 544](x, y, out)", lambda rng: {
        "x": rng.integers(0, 99, 132).astype(np.int32), "y": rng.integers(0, 99, 132).astype(np.float64),
        "out": Empty((132,), "float64")},
    lambda a: {"out": (a["x"] + a["y"]).reshape(3, 44)[:, ::-1].ravel()}, (
        Change("no-barrier", {"sync": ""}, "data-race", "put take, store take", ("uninitialized-read: take",)),
        Change("warp-barrier", {"sync": "syncwarp()"}, "data-race", "put take, store take",
               ("uninitialized-read: take",)),
        Change("one-more-int", {"ints": "ints = room[:n - 1]"}, "out-of-bounds", "put, take"),
        Change("floats-too-far", {"store": "floats[t + 3] = y[i]"}, "out-of-bounds", "store",
               ("uninitialized-read: take", "data-race: store take")),
        Change("not-aligned", {"floats": "floats = room[n + 1:].view(float64)"}, "out-of-bounds", "store, take"),
        Change("second-read-unset", {"put": "if t < n - 1:\n    ints[t] = x[i]"}, "uninitialized-read", "take"),
        Change("mirror-from-n", {"take": "out[i] = floats[n - 1 - t] + ints[n - t]"}, "out-of-bounds", "take"),
        Change("ints-behind", {"ints": "floats = room[:2 * n].view(float64)", "floats": "ints = room[2 * n:]"}),
        Change("group-barrier", {"sync": "this_thread_block().sync()"})))


STRIDED = Pattern(
    "strided_views", """
@kernel(wraparound=$WRAP)
def interleave(x: $T[:], y: $T[:], out: $T[:]):
    i = grid(1)
    even, odd = out[::2], out[1::2]  #@views
    if i < even.size:  #@even
        even[i] = x[i]  #@put
    if i < odd.size:  #@odd
        odd[i] = y[i]  #@store
""", "interleave[2, 33](x, y, out)", lambda rng, dtype="int32": {
        "x": rng.integers(0, 99, 51).astype(dtype), "y": rng.integers(0, 99, 50).astype(dtype),
        "out": Empty((101,), dtype)},
    lambda a, **_: {"out": np.array([(a["x"], a["y"])[k % 2][k // 2] for k in range(101)])}, (
        Change("half-for-odd", {"odd": "if i < even.size:"}, "out-of-bounds", "store"),
        Change("at-most", {"even": "if i <= even.size:"}, "out-of-bounds", "put"),
        Change("next-even", {"views": "even, odd = out[::2], out[2::2]"}, "data-race", "put store"),
        Change("reversed", {"views": "even, odd = out[::-2], out[-2::-2]", "put": "even[even.size - 1 - i] = x[i]",
                            "store": "odd[odd.size - 1 - i] = y[i]"}),
        Change("reversed-one-off", {"views": "even, odd = out[::-2], out[-2::-2]", "put": "even[even.size - i] = x[i]",
                                    "store": "odd[odd.size - 1 - i] = y[i]"}, "out-of-bounds", "put"),
        Change("disjoint-by-step", {"store": "out[2 * i + 1] = y[i]"}),
        Change("step-too-far", {"store": "out[2 * i + 3] = y[i]"}, "out-of-bounds", "store")),
    ({"T": "int32", "WRAP": "True"}, {"T": "uint8", "WRAP": "False", "values": {"dtype": "uint8"}}))


NEGATIVE = Pattern(
    "negative_indices", """
@kernel
def mirror(x: $T[::1], out: $T[:]):
    i = grid(1)
    if i < x.size:  #@guard
        out[-1 - i] = x[i]  #@store
        if i > 0:  #@inner
            out[-1 - i] += x[-i]  #@add
""", "mirror[3, 31](x, out)", line(77),
    lambda a, **_: {"out": (a["x"] + np.r_[0, a["x"][:0:-1]]).astype(a["x"].dtype)[::-1]}, (
        Change("at-most", {"guard": "if i <= x.size:"}, "out-of-bounds", "store, add"),
        Change("one-lower", {"store": "out[-2 - i] = x[i]"}, "out-of-bounds", "store",
               ("data-race: store add", "uninitialized-read: add")),
        Change("twice-wrapped", {"add": "out[-1 - i] += x[-i - x.size]"}, "out-of-bounds", "add"),
        Change("neighbour", {"add": "out[-1 - i] += x[-i]  #@add\nout[-i] += 0  #@other"}, "data-race",
               "store other, add other", ("uninitialized-read: other", "data-race: other other")),
        Change("same-place-positive", {"add": "out[out.size - 1 - i] += x[x.size - i]"}),
        Change("every-element", {"inner": "if -i != 0:"})),
    ({"T": "int32"}, {"T": "uint8", "values": {"dtype": "uint8"}}))


CONSTANT = Pattern(
    "constant_weights", """
W = array([1, 4, 6, 4, 1], int32)

@kernel
def blur(x: int32[::1], out: int32[::1], count: int64):
    i = grid(1)
    if i < x.size:  #@guard
        total = 0
        for k in range($COUNT):  #@weights
            at = min(max(i + k - 2, 0), x.size - 1)  #@clamp
            total += W[k] * x[at]  #@add
        out[i] = total  #@store
""", "blur[3, 27](x, out, 5)", line(75), lambda a: {"out": sum(
        w * a["x"][np.clip(np.arange(75) + k - 2, 0, 74)] for k, w in enumerate([1, 4, 6, 4, 1])).astype(np.int32)}, (
        Change("one-weight-more", {"weights": "for k in range($COUNT + 1):"}, "out-of-bounds", "add"),
        Change("clamped-to-the-size", {"clamp": "at = min(max(i + k - 2, 0), x.size)"}, "out-of-bounds", "add"),
        Change("at-most", {"guard": "if i <= x.size:"}, "out-of-bounds", "store"),
        Change("from-the-end", {"add": "total += W[k - 5] * x[at]"}),
        Change("too-far-from-the-end", {"add": "total += W[k - 6] * x[at]"}, "out-of-bounds", "add"),
        Change("slice", {"add": "total += W[1:][k - 1] * x[at]\nif k == 0:\n    total += (W[0] - 1) * x[at]"})),
    ({"COUNT": "count"},))


OUTPUT = Pattern(
    "empty_output", """
@kernel
def fill(x: $T[::1], out: $T[::1]):
    i = grid(1)
    if i < out.size:
        out[i] = 0  #@clear
        if x[i] > 40:  #@if
            out[i] += x[i]  #@add
        if i % 7 == 3:  #@some
            out[i] *= 2  #@twice
""", "fill[2, 45](x, out)", lambda rng, dtype="int32": {
        "x": np.r_[41, 12, rng.integers(0, 90, 79)].astype(dtype), "out": Empty((81,), dtype)},
    lambda a, **_: {"out": np.where(a["x"] > 40, a["x"], 0) * np.where(np.arange(81) % 7 == 3, 2, 1)}, (
        Change("not-cleared", {"clear": ""}, "uninitialized-read", "add, twice"),
        Change("cleared-under-a-condition", {"clear": "if x[i] <= 40:\n    out[i] = 0"}, "uninitialized-read", "add",
               ("uninitialized-read: twice",)),
        Change("cleared-too-late", {"clear": "", "add": "out[i] += x[i]", "some": "out[i] = out[i] * 1  #@late\n"
                                    "if i % 7 == 3:  #@some"}, "uninitialized-read", "add",
               ("uninitialized-read: late, twice",)),
        Change("cleared-from-one", {"clear": "if i > 0:\n    out[i] = 0"}, "uninitialized-read", "add"),
        Change("reads-the-neighbour", {"some": "if i == 80 and out[i - 80] > 9:  #@look\n    out[i] += 0\n"
                                       "if i % 7 == 3:  #@some"}, "data-race", "clear look, add look",
               ("uninitialized-read: look",)),
        Change("set-in-both-arms", {"clear": "if x[i] <= 40:\n    out[i] = 0\nelse:\n    out[i] = 0"}),
        Change("copied-first", {"clear": "out[i] = x[i]\nout[i] -= x[i]"})),
    ({"T": "int32"}, {"T": "float32", "values": {"dtype": "float32"}}, {"T": "uint16", "values": {"dtype": "uint16"}}))


BYTES = Pattern(
    "neighbouring_bytes", """
@kernel
def pack(x: $T[::1], out: $T[::1]):
    s = shared.array(90, $T)
    t = threadIdx.x
    s[2 * t] = x[grid(1)]  #@even
    s[2 * t + 1] = x[grid(1)] + 1  #@odd
    syncthreads()  #@sync
    for k in range(t, 90, 45):  #@range
        out[blockIdx.x * 90 + k] = s[k]  #@take
""", "pack[3, 45](x, out)", lambda rng, dtype="uint8": {
        "x": rng.integers(0, 50, 135).astype(dtype), "out": Empty((270,), dtype)},
    lambda a, **_: {"out": np.stack([a["x"], a["x"] + 1], 1).ravel().astype(a["x"].dtype)}, (
        Change("same-byte", {"odd": "s[2 * t + 2 * (t % 2)] = x[grid(1)] + 1"}, "data-race", "even odd, odd odd",
               ("out-of-bounds: odd", "uninitialized-read: take")),
        Change("no-barrier", {"sync": ""}, "data-race", "even take, odd take", ("uninitialized-read: take",)),
        Change("wide-warp-barrier", {"sync": "syncwarp()"}, "data-race", "even take, odd take",
               ("uninitialized-read: take",)),
        Change("blocks-overlap", {"take": "out[blockIdx.x * 89 + k] = s[k]"}, "data-race", "take take"),
        Change("range-of-91", {"range": "for k in range(t, 91, 45):"}, "out-of-bounds", "take",
               ("data-race: take take",)),
        Change("odd-unset", {"odd": "if t != 7:\n    s[2 * t + 1] = x[grid(1)] + 1"}, "uninitialized-read", "take"),
        Change("own-bytes-before-barrier", {"sync": "if s[2 * t] == s[2 * t + 1]:\n    s[2 * t] = 0\nsyncthreads()"})),
    ({"T": "uint8"}, {"T": "int16", "values": {"dtype": "int16"}}))


SAME_VALUE = Pattern(
    "flag_by_one_thread", """
@kernel
def any_above(x: int32[::1], limit: int32, out: int32[::1]):
    found = shared.array(1, int32)
    t = threadIdx.x
    if t == 0:  #@first
        found[0] = 0  #@clear
    syncthreads()  #@cleared
    if x[grid(1)] > limit:
        atomic.store(found, 0, 1, memory_order_relaxed)  #@set
    syncthreads()  #@sync
    if t == 40:
        out[blockIdx.x] = found[0]  #@take
""", "any_above[4, 41](x, 90, out)", lambda rng: {
        "x": np.where(np.arange(164) % 82 < 2, 95, rng.integers(0, 50, 164)).astype(np.int32),
        "out": Empty((4,), "int32")},
    lambda a: {"out": (a["x"].reshape(4, 41) > 90).any(1).astype(np.int32)}, (
        Change("plain-set", {"set": "found[0] = 1"}, "data-race", "set set"),
        Change("every-thread-clears", {"first": "if t >= 0:"}, "data-race", "clear clear"),
        Change("no-barrier-after-clear", {"cleared": ""}, "data-race", "clear set"),
        Change("no-barrier-before-read", {"sync": ""}, "data-race", "set take", ("uninitialized-read: take",)),
        Change("second-element", {"take": "out[blockIdx.x] = found[t - 39]"}, "out-of-bounds", "take"),
        Change("not-cleared", {"clear": "pass"}, "uninitialized-read", "take"),
        Change("atomic-or", {"set": "atomic.or_(found, 0, 1)"}),
        Change("vote", {"set": "atomic.max(found, 0, 1)", "sync": "syncthreads_or(t)"})))

PATTERNS = [COPY, PIPELINE, TILE_COPY, TRANSPOSE, IN_PLACE, SORTED, DYNAMIC, STRIDED, NEGATIVE, CONSTANT, OUTPUT,
            BYTES, SAME_VALUE]
