"""Crowds and systems: epidemics, traffic, votes, percolation, queues."""
#: check no: all threads store the same 0 to a flag
import math

import numpy as np
from numba import cuda, int32, int64, uint32, float64

S, I, R = range(3)
LANE = 40


@cuda.jit(device=True)
def lcg(seed):
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed, seed / 4294967296.0


#: def sir_py(state, seed, days, n):
#:     log = []
#:     for day in range(days):
#:         new = list(state)
#:         for i in range(n):
#:             seed[i] = (seed[i] * 1664525 + 1013904223) & 0xffffffff
#:             u = seed[i] / 4294967296.0
#:             if state[i] == 0:
#:                 sick = (state[i - 1] == 1) + (state[(i + 1) % n] == 1)
#:                 if u < 1 - 0.6 ** sick:
#:                     new[i] = 1
#:             elif state[i] == 1 and u < 0.3:
#:                 new[i] = 2
#:         state = new
#:         log.append([state.count(k) for k in range(3)])
#:     return log
#: state = (rng.random(96) < 0.1).astype(np.int8)
#: seeds = rng.integers(0, 2**32, 96).astype(np.int64)
#: curve = np.zeros((12, 3), np.int32)
#: launch sir[1, 96](state, seeds, curve)
#: expect curve == np.array(sir_py(state_in.tolist(), seeds_in.tolist(), 12, 96))
@cuda.jit
def sir(state, seeds, curve):
    i = cuda.threadIdx.x
    n = state.size
    seed = seeds[i]
    for day in range(curve.shape[0]):
        me = state[i]
        sick = 0
        if state[i - 1] == I:
            sick += 1
        if state[(i + 1) % n] == I:
            sick += 1
        cuda.syncthreads()
        seed, u = lcg(seed)
        if me == S and u < 1 - 0.6 ** sick:
            me = I
        elif me == I and u < 0.3:
            me = R
        state[i] = me
        cuda.atomic.add(curve, (day, me), 1)
        cuda.syncthreads()


#: def nasch_py(road, n, steps):
#:     road = list(road)
#:     for step in range(steps):
#:         new = [-1] * n
#:         for x in range(n):
#:             if road[x] >= 0:
#:                 v = min(road[x] + 1, 5)
#:                 gap = next(d for d in range(1, n + 1) if road[(x + d) % n] >= 0) - 1
#:                 v = min(v, gap)
#:                 if (x * 7 + step * 13) % 5 == 0 and v > 0:
#:                     v -= 1
#:                 new[(x + v) % n] = v
#:         road = new
#:     return road
#: roads = np.where(rng.random((5, 40)) < 0.3, rng.integers(0, 6, (5, 40)), -1).astype(np.int32)
#: roads[:, 0] = 2
#: roads_in0 = roads.copy()
#: launch traffic[5, 40](roads, 8)
#: expect roads == np.array([nasch_py(r, 40, 8) for r in roads_in0.tolist()])
@cuda.jit
def traffic(roads, steps):
    road = cuda.shared.array(LANE, int32)
    later = cuda.shared.array(LANE, int32)
    x = cuda.threadIdx.x
    road[x] = roads[cuda.blockIdx.x, x]
    for step in range(steps):
        later[x] = -1
        cuda.syncthreads()
        v = road[x]
        if v >= 0:
            v = min(v + 1, 5)
            for gap in range(LANE):
                if road[(x + gap + 1) % LANE] >= 0:
                    break
            v = min(v, gap)
            if not (x * 7 + step * 13) % 5 and v > 0:
                v -= 1
            later[(x + v) % LANE] = v
        cuda.syncthreads()
        road[x] = later[x]
        cuda.syncthreads()
    roads[cuda.blockIdx.x, x] = road[x]


#: def borda_py(b):
#:     return [sum(3 - list(v).index(c) for v in b) for c in range(4)]
#: ballots = np.array([rng.permutation(4) for _ in range(60)]).astype(np.uint8)
#: borda, pairs = np.zeros(4, np.int64), np.zeros((4, 4), np.int64)
#: launch count_ballots[2, 32](ballots, borda, pairs)
#: expect borda == borda_py(ballots)
#: expect pairs == np.array([[sum(list(v).index(a) < list(v).index(b) for v in ballots) for b in range(4)] for a in range(4)])
@cuda.jit
def count_ballots(ballots, borda, pairs):
    voter = cuda.grid(1)
    if voter < len(ballots):
        ranking = ballots[voter]
        n = len(ranking)
        for place, candidate in enumerate(ranking):
            cuda.atomic.add(borda, candidate, n - 1 - place)
            for worse in ranking[place + 1:]:
                cuda.atomic.add(pairs, (candidate, worse), 1)


#: def flood_py(open_):
#:     lab = np.where(open_, np.arange(open_.size).reshape(open_.shape), -1)
#:     while True:
#:         p = np.pad(np.where(open_, lab, 10**9), 1, constant_values=10**9)
#:         new = np.where(open_, np.minimum.reduce([p[1:-1, 1:-1], p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:]]), -1)
#:         if (new == lab).all():
#:             return lab
#:         lab = new
#: sites = rng.random((9, 14)) < 0.6
#: labels = poison((9, 14), np.int32)
#: changed = np.ones(1, np.int32)
#: launch clusters[2, 64](sites, labels, changed)
#: expect labels == flood_py(sites)
@cuda.jit
def clusters(sites, labels, changed):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    rows, cols = sites.shape
    r, c = i // cols, i % cols
    active = i < rows * cols
    if active:
        labels[r, c] = i if sites[r, c] else -1
    grid.sync()
    while changed[0]:
        grid.sync()
        changed[0] = 0
        grid.sync()
        if active and sites[r, c]:
            least = labels[r, c]
            for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if 0 <= r + dr < rows and 0 <= c + dc < cols and sites[r + dr, c + dc]:
                    least = min(least, cuda.atomic.add(labels, (r + dr, c + dc), 0))
            if least < cuda.atomic.min(labels, (r, c), least):
                cuda.atomic.max(changed, 0, 1)
        grid.sync()


#: def queue_py(gap, work):
#:     clock = free = wait = 0.0
#:     longest = 0.0
#:     for g, w in zip(gap, work):
#:         clock += g
#:         begin = max(clock, free)
#:         wait += begin - clock
#:         longest = max(longest, begin - clock)
#:         free = begin + w
#:     return wait / len(gap), longest
#: gap, work = rng.exponential(1, (8, 30)), rng.exponential(0.8, (8, 30))
#: waits = poison((8, 2), np.float64)
#: launch queueing[1, 32](gap, work, waits)
#: expect close(waits, np.array([queue_py(g, w) for g, w in zip(gap, work)]), 1e-10, 1e-12)
@cuda.jit
def queueing(gap, work, waits):
    desk = cuda.grid(1)
    if desk >= gap.shape[0]:
        return
    clock = free = total = longest = 0.0
    for g, w in zip(gap[desk], work[desk]):
        clock += g
        begin = max(clock, free)
        wait = begin - clock
        total += wait
        if wait > longest: longest = wait
        free = begin + w
    waits[desk, 0], waits[desk, 1] = total / gap.shape[1], longest
