"""Codes, tables of choices and small machines."""
#: check no: threads follow parents while others replace them by roots, which are right too
import math

import numpy as np
from numba import cuda, int32, int64, uint8

POLY = 0x07


def crc_of(byte, steps):
    return byte


CRC_BITS = [[(b >> k) & 1 for k in range(8)] for b in range(4)]
PARITY = [sum(int(c) for c in bin(v)[2:]) % 2 if False else 0 for v in range(2)]
GENERATOR = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [1, 0, 0, 0], [0, 1, 1, 1],
                      [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=np.uint8)
OPS = (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, max)


#: nibbles = rng.integers(0, 2, (30, 4), dtype=np.uint8)
#: sent = poison((30, 7), np.uint8)
#: launch hamming74[30, 7](nibbles, sent)
#: G = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [1, 0, 0, 0], [0, 1, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
#: expect sent == nibbles @ G.T % 2
#: flip = rng.integers(-1, 7, 30)
#: got = sent.copy()
#: got[np.arange(30)[flip >= 0], flip[flip >= 0]] ^= 1
#: fixed = poison((30, 4), np.uint8)
#: launch correct74[1, 32](got, fixed)
#: expect fixed == nibbles
@cuda.jit
def hamming74(nibbles, sent):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    sent[i, j] = np.dot(GENERATOR[j], nibbles[i]) & 1


@cuda.jit
def correct74(got, fixed):
    i = cuda.grid(1)
    if i < got.shape[0]:
        word = cuda.local.array(7, uint8)
        word[:] = got[i]
        syndrome = 0
        for p in (1, 2, 4):
            parity = 0
            for k in range(1, 8):
                if k & p:
                    parity ^= word[k - 1]
            if parity:
                syndrome += p
        if syndrome:
            word[syndrome - 1] ^= 1
        for k, at in enumerate((2, 4, 5, 6)):
            fixed[i, k] = word[at]


#: w, v = rng.integers(1, 9, (7, 6)), rng.integers(1, 50, (7, 6))
#: best = poison(7, np.int64)
#: launch knapsack[1, 8](w, v, 15, best)
#: import itertools
#: expect best == [max(sum(v[i][list(s)]) for r in range(7) for s in itertools.combinations(range(6), r) if sum(w[i][list(s)]) <= 15) for i in range(7)]
@cuda.jit
def knapsack(w, v, capacity, best):
    i = cuda.grid(1)
    if i >= best.size:
        return
    table = cuda.local.array(32, int64)
    table[:] = 0
    for weight, value in zip(w[i], v[i]):
        for c in range(capacity, weight - 1, -1):
            table[c] = max(table[c], table[c - weight] + value)
    best[i] = table[capacity]


#: message = rng.integers(0, 256, (9, 20), dtype=np.uint8)
#: crc = poison(9, np.uint8)
#: launch crc8[1, 16](message, crc)
#: def crc_py(data):
#:     c = 0
#:     for b in data:
#:         c ^= int(b)
#:         for _ in range(8): c = (c << 1 ^ (7 if c & 128 else 0)) & 255
#:     return c
#: expect crc == [crc_py(m) for m in message]
@cuda.jit
def crc8(message, crc):
    i = cuda.grid(1)
    if i < crc.shape[0]:
        c = 0
        for b in message[i]:
            c ^= b
            for _ in range(8):
                c = ((c << 1) ^ (POLY if c & 0x80 else 0)) & 0xFF
        crc[i] = c


#: program = rng.integers(0, 4, (12, 10))
#: values = rng.integers(-3, 4, (12, 11))
#: result = poison(12, np.int64)
#: launch machine[1, 16](program, values, result)
#: def run_py(p, x):
#:     acc = x[0]
#:     for op, a in zip(p, x[1:]): acc = [acc + a, acc - a, acc * a, max(acc, a)][op]
#:     return acc
#: expect result == [run_py(p.tolist(), x.tolist()) for p, x in zip(program, values)]
@cuda.jit
def machine(program, values, result):
    i = cuda.grid(1)
    if i < result.size:
        acc = values[i, 0]
        for k, op in enumerate(program[i]):
            a = values[i, k + 1]
            if op == 0:
                acc = OPS[0](acc, a)
            elif op == 1:
                acc = OPS[1](acc, a)
            elif op == 2:
                acc = OPS[2](acc, a)
            else:
                acc = OPS[3](acc, a)
        result[i] = acc


#: marks = rng.integers(0, 3, (10, 24), dtype=np.int32)
#: longest = poison((10, 2), np.int64)
#: launch longest_run[1, 16](marks, longest)
#: def run_of(m):
#:     runs = [(k, len(list(g))) for k, g in itertools.groupby(m)]
#:     top = max(n for _, n in runs)
#:     return next((k, n) for k, n in runs if n == top)
#: expect longest == [run_of(m.tolist()) for m in marks]
@cuda.jit
def longest_run(marks, longest):
    i = cuda.grid(1)
    if i < len(marks):
        before = best = None
        length = top = 0
        for m in marks[i]:
            length = length + 1 if before is not None and m == before else 1
            before = m
            if length > top:
                best, top = m, length
        longest[i] = best, top


#: parent = np.arange(40, dtype=np.int32)
#: edges = rng.integers(0, 40, (30, 2), dtype=np.int32)
#: launch unite[1, 32](parent, edges)
#: launch flatten[2, 32](parent)
#: comp = list(range(40))
#: for a, b in edges.tolist():
#:     ca, cb = comp[a], comp[b]
#:     comp = [min(ca, cb) if c in (ca, cb) else c for c in comp]
#: expect parent == comp
@cuda.jit(device=True)
def root(parent, v):
    while (p := cuda.atomic.load(parent, v)) != v:
        v = p
    return v


@cuda.jit
def unite(parent, edges):
    i = cuda.grid(1)
    if i < edges.shape[0]:
        a, b = root(parent, edges[i, 0]), root(parent, edges[i, 1])
        while a != b:
            low, high = min(a, b), max(a, b)
            if cuda.atomic.cas(parent, high, high, low) == high:
                break
            a, b = root(parent, a), root(parent, b)


@cuda.jit
def flatten(parent):
    i = cuda.grid(1)
    if i < parent.size:
        r = i
        while parent[r] != r:
            r = parent[r]
        cuda.syncthreads()
        parent[i] = r


#: seq = rng.integers(0, 20, (6, 15))
#: lis = poison(6, np.int64)
#: launch increasing[1, 8](seq, lis)
#: def lis_py(s):
#:     n = [1] * len(s)
#:     for i in range(len(s)): n[i] = 1 + max([n[j] for j in range(i) if s[j] < s[i]], default=0)
#:     return max(n)
#: expect lis == [lis_py(s) for s in seq]
@cuda.jit
def increasing(seq, lis):
    i = cuda.threadIdx.x
    if i >= lis.size:
        return
    ends = cuda.local.array(15, int64)
    size = 0
    for v in seq[i]:
        low, high = 0, size
        while low < high:
            mid = (low + high) // 2
            if ends[mid] < v:
                low = mid + 1
            else:
                high = mid
        ends[low] = v
        size = max(size, low + 1)
    lis[i] = size
