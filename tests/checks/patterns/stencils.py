"""Stencils of one to three dimensions, with steps of the grid and with halos in shared memory."""

import numpy as np

from checks.model import Change, Empty, Pattern


def line(n):
    return lambda rng, dtype="int32": {"old": rng.integers(0, 99, n).astype(dtype), "new": Empty((n,), dtype)}


def smoothed(a, **_):
    old = a["old"]
    new = old.copy()
    new[1:-1] = old[:-2] + 2 * old[1:-1] + old[2:]
    return {"new": new}


ONCE = Pattern(
    "three_points", """
@kernel(wraparound=False)
def smooth(old: $T[::1], new: $T[::1]):
    n = old.size
    i = grid(1)
    if 0 < i < n - 1:  #@inner
        new[i] = old[i - 1] + 2 * old[i] + old[i + 1]  #@store
    elif i == 0 or i == n - 1:  #@ends
        new[i] = old[i]  #@end
""", "smooth[4, 26](old, new)", line(101), smoothed, (
        Change("upper-end", {"inner": "if 0 < i < n:"}, "out-of-bounds", "store"),
        Change("lower-end", {"inner": "if i < n - 1:"}, "out-of-bounds", "store"),
        Change("past-the-end", {"ends": "else:"}, "out-of-bounds", "end"),
        Change("on-the-old", {"store": "old[i] = old[i - 1] + 2 * old[i] + old[i + 1]"}, "data-race", "store store",
               ("data-race: store end",)),
        Change("from-the-new", {"store": "new[i] = old[i - 1] + 2 * old[i] + new[i + 1]"},
               "data-race", "store store, store end", ("uninitialized-read: store",)),
        Change("of-views", {"store": "left, right = old[:n - 1], old[1:]\n"
                            "new[i] = left[i - 1] + 2 * old[i] + right[i]"}),
        Change("view-one-short", {"store": "left, right = old[:n - 1], old[2:]\n"
                                  "new[i] = left[i - 1] + 2 * old[i] + right[i]"}, "out-of-bounds", "store"),
        Change("wraps", {"end": "new[i] = old[i - n + n]"})),
    ({"T": "int32"}, {"T": "float32", "values": {"dtype": "float32"}}))


def steps_result(a, steps=4, **_):
    u, v = a["old"].astype(np.int64), np.zeros(len(a["old"]), np.int64)
    for k in range(steps):
        v[:] = u
        v[1:-1] = (u[:-2] + u[1:-1] + u[2:]) % 1009
        u, v = v, u
    return {"old": u, "new": v} if steps % 2 == 0 else {"old": v, "new": u}


STEPS = Pattern(
    "double_buffer", """
@kernel
def steps(old: $T[::1], new: $T[::1], count: int64):
    g = this_grid()
    n = old.size
    for k in range(count):
        u, v = (old, new) if k % 2 == 0 else (new, old)
        for i in range(g.thread_rank(), n, g.num_threads()):  #@range
            if i == 0 or i == n - 1:
                v[i] = u[i]  #@end
            else:
                v[i] = (u[i - 1] + u[i] + u[i + 1]) % 1009  #@inner
        $SYNC  #@sync
""", "steps[5, 17](old, new, 4)", line(97), steps_result, (
        Change("no-barrier", {"sync": ""}, "data-race", "inner inner, inner end", ("uninitialized-read: inner",)),
        Change("block-barrier", {"sync": "syncthreads()"}, "data-race", "inner inner",
               ("uninitialized-read: inner", "data-race: inner end")),
        Change("fence-only", {"sync": "threadfence()"}, "data-race", "inner inner",
               ("uninitialized-read: inner", "data-race: inner end")),
        Change("odd-steps-only", {"sync": "if k % 2 == 1:\n    g.sync()"}, "data-race", "inner inner, inner end",
               ("uninitialized-read: inner",)),
        Change("one-buffer", {"inner": "u[i] = (u[i - 1] + u[i] + u[i + 1]) % 1009"}, "data-race",
               "inner inner", ("uninitialized-read: inner, end",)),
        Change("upper-end", {"range": "for i in range(g.thread_rank(), n + 1, g.num_threads()):"}, "out-of-bounds",
               "inner"),
        Change("from-one", {"range": "for i in range(g.thread_rank() + 1, n, g.num_threads()):"},
               "uninitialized-read", "inner"),
        Change("both-arms", {"sync": "if k % 2 == 1:\n    g.sync()\nelse:\n    this_grid().sync()"}),
        Change("not-after-the-last", {"sync": "if k + 1 < count:\n    g.sync()"}),
        Change("twice", {"sync": "g.sync()\ng.sync()"})),
    ({"T": "int32", "SYNC": "g.sync()"}, {"T": "int64", "SYNC": "g.barrier_wait(g.barrier_arrive())",
                                          "values": {"dtype": "int64"}}))


def heat_result(a, **_):
    n, u = len(a["old"]), a["old"].astype(np.int64)
    return {"new": np.array([sum(u[max(0, i - 2):i + 3]) for i in range(n)]).astype(a["old"].dtype)}


HALO = Pattern(
    "halo_in_shared", """
@kernel
def box(old: $T[::1], new: $T[::1]):
    tile = shared.array(44, $T)
    t, i, n = threadIdx.x, grid(1), old.size
    tile[t + 2] = old[i] if i < n else 0  #@middle
    if t < 2:  #@left
        tile[t] = old[i - 2] if i >= 2 else 0  #@low
        at = i + 40
        tile[t + 42] = old[at] if at < n else 0  #@high
    syncthreads()  #@sync
    if i < n:  #@guard
        total = $T(0)
        for k in range(5):  #@width
            total += tile[t + k]  #@read
        new[i] = total  #@store
""", "box[4, 40](old, new)", line(143), heat_result, (
        Change("no-barrier", {"sync": ""}, "data-race", "middle read", ("uninitialized-read: read",
                                                                        "data-race: low read, high read")),
        Change("warp-barrier", {"sync": "syncwarp()"}, "data-race", "middle read",
               ("uninitialized-read: read", "data-race: low read, high read")),
        Change("barrier-too-early", {"middle": "syncthreads()\ntile[t + 2] = old[i] if i < n else 0", "sync": ""},
               "data-race", "middle read", ("uninitialized-read: read", "data-race: low read, high read")),
        Change("halo-of-one", {"left": "if t < 1:"}, "uninitialized-read", "read"),
        Change("width-of-six", {"width": "for k in range(6):"}, "out-of-bounds", "read"),
        Change("store-unguarded", {"guard": "if i <= n:"}, "out-of-bounds", "store"),
        Change("load-unguarded", {"middle": "tile[t + 2] = old[i] if i < n + 2 else 0"}, "out-of-bounds", "middle"),
        Change("halo-too-far", {"high": "tile[t + 43] = old[at] if at < n else 0"}, "out-of-bounds", "high",
               ("uninitialized-read: read",)),
        Change("overlapping-halo", {"low": "tile[t + 1] = old[i - 2] if i >= 2 else 0"}, "data-race", "low middle",
               ("uninitialized-read: read", "data-race: low middle")),
        Change("own-before-barrier", {"sync": "own = tile[t + 2]\nsyncthreads()\nif own < 0:\n    own = 0"}),
        Change("of-the-group", {"sync": "this_thread_block().sync()"})),
    ({"T": "int32"}, {"T": "uint8", "values": {"dtype": "uint8"}}))


def plane(shape):
    return lambda rng, dtype="int32": {"old": rng.integers(0, 99, shape).astype(dtype), "new": np.zeros(shape, dtype)}


def cross(a, **_):
    old, new = a["old"], a["new"].copy()
    new[1:-1, 1:-1] = old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
    return {"new": new}


PLANE = Pattern(
    "five_points", """
@kernel
def cross(old: $T[$L], new: $T[$L]):
    rows, columns = old.shape
    j, i = grid(2)
    if 0 < i < rows - 1 and 0 < j < columns - 1:  #@inner
        near = old[i, j - 1] + old[i, j + 1]  #@row
        near += old[i - 1, j] + old[i + 1, j]  #@column
        new[i, j] = near  #@store
""", "cross[(3, 4), (11, 7)](old, new)", plane((25, 31)), cross, (
        Change("upper-row", {"inner": "if 0 < i < rows and 0 < j < columns - 1:"}, "out-of-bounds", "column"),
        Change("upper-column", {"inner": "if 0 < i < rows - 1 and 0 < j < columns:"}, "out-of-bounds", "row"),
        Change("wrong-extent", {"inner": "if 0 < i < columns - 6 and 0 < j < columns - 1:"}, "out-of-bounds",
               "column"),
        Change("on-the-old", {"store": "old[i, j] = near"}, "data-race", "row store, column store"),
        Change("transposed-store", {"store": "new.T[j, i] = near"}),
        Change("wrong-transpose", {"store": "new.T[i, j] = near"}, "out-of-bounds", "store"),
        Change("rows-as-views", {"row": "middle = old[i]\nnear = middle[j - 1] + middle[j + 1]"}),
        Change("inner-view", {"store": "new[1:-1, 1:-1][i - 1, j - 1] = near"}),
        Change("inner-view-too-far", {"store": "new[1:-1, 1:-1][i, j - 1] = near"}, "out-of-bounds", "store")),
    ({"T": "int32", "L": ":, ::1"}, {"T": "float32", "L": ":, :", "values": {"dtype": "float32"}}))


def relaxed(a, steps=3):
    u = a["u"].copy()
    for k in range(2 * steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                if (i + j) % 2 == k % 2:
                    u[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) % 101
    return {"u": u}


RED_BLACK = Pattern(
    "red_black", """
def relax(g, u, colour):
    rows, columns = u.shape
    inner = (rows - 2) * (columns - 2)
    for cell in range(g.thread_rank(), inner, g.num_threads()):
        i, j = cell // (columns - 2) + 1, cell % (columns - 2) + 1  #@place
        if (i + j) % 2 == colour:  #@colour
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1]  #@read
            u[i, j] = (around + u[i, j + 1]) % 101  #@write

@kernel
def solve(u: int32[:, ::1], count: int64):
    g = this_grid()
    for k in range(count):
        relax(g, u, 0)
        g.sync()  #@red
        relax(g, u, 1)
        g.sync()  #@black
""", "solve[3, 18](u, 3)", lambda rng: {"u": rng.integers(0, 99, (13, 16)).astype(np.int32)}, relaxed, (
        Change("no-barrier-after-red", {"red": ""}, "data-race", "read write, write write"),
        Change("no-barrier-after-black", {"black": ""}, "data-race", "read write, write write"),
        Change("block-barrier", {"red": "syncthreads()"}, "data-race", "read write, write write"),
        Change("every-cell", {"colour": "if (i + j) % 2 >= 0:"}, "data-race", "read write, write write"),
        Change("from-the-border", {"place": "i, j = cell // (columns - 2) + 2, cell % (columns - 2) + 1"},
               "out-of-bounds", "read"),
        Change("diagonal", {"read": "around = u[i - 1, j] + u[i + 1, j] + u[i - 1, j - 1]"}, "data-race",
               "read write"),
        Change("one-more-barrier", {"red": "g.sync()\nsyncthreads()"}),
        Change("in-both-arms", {"black": "if k % 2 == 0:\n    g.sync()\nelse:\n    g.sync()"})))


def cube(a, **_):
    u, out = a["u"], a["out"].copy()
    out[1:-1, 1:-1, 1:-1] = (u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1] + u[1:-1, 2:, 1:-1] +
                             u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:])
    return {"out": out}


CUBE = Pattern(
    "seven_points", """
@kernel
def around(u: $T[:, :, ::1], out: $T[:, :, ::1]):
    x, y, z = grid(3)
    depth, rows, columns = u.shape
    if 0 < x < columns - 1 and 0 < y < rows - 1 and 0 < z < depth - 1:  #@inner
        total = u[z, y, x - 1] + u[z, y, x + 1]  #@along
        total += u[z, y - 1, x] + u[z, y + 1, x]  #@across
        total += u[z - 1, y, x] + u[z + 1, y, x]  #@deep
        out[z, y, x] = total  #@store
""", "around[(2, 2, 3), (5, 4, 3)](u, out)", lambda rng, dtype="int32": {
        "u": rng.integers(0, 9, (8, 7, 9)).astype(dtype), "out": np.zeros((8, 7, 9), dtype)}, cube, (
        Change("upper-x", {"inner": "if 0 < x < columns and 0 < y < rows - 1 and 0 < z < depth - 1:"}, "out-of-bounds",
               "along"),
        Change("upper-y", {"inner": "if 0 < x < columns - 1 and 0 < y < rows and 0 < z < depth - 1:"}, "out-of-bounds",
               "across"),
        Change("upper-z", {"inner": "if 0 < x < columns - 1 and 0 < y < rows - 1 and 0 < z < depth:"}, "out-of-bounds",
               "deep"),
        Change("depth-for-rows", {"inner": "if 0 < x < columns - 1 and 0 < y < depth - 1 and 0 < z < depth - 1:"},
               "out-of-bounds", "across"),
        Change("axes-swapped", {"store": "out[z, x, y] = total"}, "out-of-bounds", "store"),
        Change("on-the-input", {"store": "u[z, y, x] = total"}, "data-race", "along store, across store, deep store"),
        Change("plane-view", {"along": "plane = u[z]\ntotal = plane[y, x - 1] + plane[y, x + 1]"}),
        Change("transposed-view", {"store": "out.transpose(2, 1, 0)[x, y, z] = total"})),
    ({"T": "int32"},))


def rows_result(a):
    M = a["M"].copy()
    for row in range(1, len(M)):
        M[row] = M[row - 1, ::-1] + 1
    return {"M": M}


SEQUENTIAL = Pattern(
    "sequential_rows", """
@kernel
def rows(M: int32[:, ::1]):
    col = grid(1)
    g = this_grid()
    for row in range(1, M.shape[0]):  #@rows
        opposite = M.shape[1] - col - 1  #@opposite
        M[row, col] = M[row - 1, opposite] + 1  #@copy
        g.sync()  #@sync
""", "rows[3, 13](M)", lambda rng: {"M": rng.integers(0, 99, (7, 39)).astype(np.int32)}, rows_result, (
        Change("no-barrier", {"sync": ""}, "data-race", "copy copy"),
        Change("block-barrier", {"sync": "syncthreads()"}, "data-race", "copy copy"),
        Change("barrier-of-the-group", {"sync": "this_thread_block().sync()"}, "data-race", "copy copy"),
        Change("fence", {"sync": "threadfence()"}, "data-race", "copy copy"),
        Change("every-third-row", {"sync": "if row % 3 == 0:\n    g.sync()"}, "data-race", "copy copy"),
        Change("arrive-then-write", {"copy": "token = g.barrier_arrive()\nM[row, col] = M[row - 1, opposite] + 1",
                                     "sync": "g.barrier_wait(token)"}, "data-race", "copy copy"),
        Change("one-column-more", {"opposite": "opposite = M.shape[1] - col"}, "out-of-bounds", "copy"),
        Change("one-row-more", {"rows": "for row in range(1, M.shape[0] + 1):",
                                "copy": "if row < M.shape[0] or col == 0:\n"
                                        "    M[row, col] = M[row - 1, opposite] + 1"}, "out-of-bounds", "copy"),
        Change("split", {"sync": "token = g.barrier_arrive()\ng.barrier_wait(token)"}),
        Change("collective", {"sync": "g.reduce(col)"}),
        Change("before-the-read", {"copy": "g.sync()\nM[row, col] = M[row - 1, opposite] + 1", "sync": ""})))

PATTERNS = [ONCE, STEPS, HALO, PLANE, RED_BLACK, CUBE, SEQUENTIAL]
