"""Ratings, ballots and check digits."""
import math

import numpy as np
from numba import cuda

WEIGHTS = np.array([1 if k % 2 == 0 else 3 for k in range(12)], dtype=np.int32)
KNIGHT = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]


#: codes = rng.integers(0, 10, (50, 13), dtype=np.int32)
#: valid = poison(50, np.bool_)
#: launch ean13[2, 32](codes, valid)
#: w = np.array([1, 3] * 6 + [1])
#: expect valid == ((codes * w).sum(axis=1) % 10 == 0)
@cuda.jit
def ean13(codes, valid):
    i = cuda.grid(1)
    if i >= codes.shape[0]:
        return
    digits = codes[i]
    total = 0
    for k, w in enumerate(WEIGHTS):
        total += digits[k] * w
    valid[i] = (10 - total % 10) % 10 == digits[12]


#: def luhn_py(d):
#:     s = 0
#:     for k, v in enumerate(reversed(d)):
#:         s += v if k % 2 == 0 else sum(divmod(2 * v, 10))
#:     return s % 10 == 0
#: cards = rng.integers(0, 10, (40, 16), dtype=np.uint8)
#: ok = poison(40, np.uint8)
#: launch luhn[1, 64](cards, ok)
#: expect ok == [luhn_py(c.tolist()) for c in cards]
@cuda.jit
def luhn(cards, ok):
    i = cuda.grid(1)
    if i < cards.shape[0]:
        s = 0
        for k, v in enumerate(reversed(cards[i])):
            s += v if k % 2 == 0 else sum(divmod(2 * v, 10))
        ok[i] = not s % 10


#: ballots = np.array([rng.permutation(5) for _ in range(100)])
#: points = np.zeros(5, np.int64)
#: launch borda[2, 64](ballots, points)
#: expect points == [sum(4 - list(b).index(c) for b in ballots.tolist()) for c in range(5)]
@cuda.jit
def borda(ballots, points):
    i = cuda.grid(1)
    if i < len(ballots):
        n = ballots.shape[1]
        for place, candidate in enumerate(ballots[i]):
            cuda.atomic.add(points, candidate, n - 1 - place)


#: ra, rb = rng.uniform(1000, 2500, 60), rng.uniform(1000, 2500, 60)
#: result = rng.choice([0.0, 0.5, 1.0], 60)
#: new = poison((60, 2), np.float64)
#: launch elo[1, 64](ra, rb, result, new)
#: ea = 1 / (1 + 10 ** ((rb - ra) / 400))
#: expect close(new[:, 0], ra + 32 * (result - ea))
#: expect close(new[:, 1], rb - 32 * (result - ea))
@cuda.jit
def elo(ra, rb, result, new, k=32):
    i = cuda.grid(1)
    if i < ra.size:
        expected = 1 / (1 + math.pow(10, (rb[i] - ra[i]) / 400))
        change = k * (result[i] - expected)
        new[i, :] = ra[i]
        new[i, 1] = rb[i]
        row = new[i]
        row[0] += change
        row[1] -= change


#: moves = poison((8, 8), np.int32)
#: launch knight_moves[1, (8, 8)](moves)
#: jumps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
#: expect moves == [[sum(0 <= x + a < 8 and 0 <= y + b < 8 for a, b in jumps) for x in range(8)] for y in range(8)]
@cuda.jit
def knight_moves(moves):
    x, y = cuda.grid(2)
    count = 0
    for dx, dy in KNIGHT:
        if 0 <= x + dx < 8 and 0 <= y + dy < 8:
            count += 1
    moves[y, x] = count


#: boards = np.array([[(r * 3 + r // 3 + c) % 9 + 1 for c in range(9)] for r in range(9)])
#: boards = np.stack([boards, boards, boards])
#: boards[1, 4, 4] = boards[1, 4, 5]
#: boards[2, [0, 1]] = boards[2, [1, 0]]
#: boards[2, 0, 0] = 0
#: good = poison(3, np.bool_)
#: launch sudoku[3, 27](boards, good)
#: expect good == [True, False, False]
@cuda.jit
def sudoku(boards, good):
    board = boards[cuda.blockIdx.x]
    t = cuda.threadIdx.x
    kind, k = divmod(t, 9)
    seen = 0
    for j in range(9):
        if kind == 0:
            v = board[k, j]
        elif kind == 1:
            v = board[j, k]
        else:
            v = board[k // 3 * 3 + j // 3, k % 3 * 3 + j % 3]
        seen |= 1 << v
    complete = cuda.syncthreads_and(seen == 0b1111111110)
    if t == 0:
        good[cuda.blockIdx.x] = complete != 0
