# Booleans that live across barriers, around loops and out of them.
@kernel
def flags(x, o, turns, never):
    i = grid(1)
    up = x[i] > x[i + 1]
    ever = False
    both = (up, x[i] > 0)
    for turn in range(turns):
        syncthreads()
        if turn == never:
            up = False
        ever = ever or (up and x[i + turn] < 0)
        both = (both[1], both[0])
        o[turn, i] = up + 2 * ever + 4 * both[0]
        syncthreads()
    o[turns, i] = up + 2 * ever + 4 * both[1]


#: repeat grids [1, 7], [4, 33], [3, 256]
#: n = GRID * BLOCK
#: turns = int(rng.integers(1, 6))
#: x = rng.integers(-9, 10, n + 9).astype("i4")
#: o = poison((turns + 1, n), "i4")
#: launch flags[GRID, BLOCK](x, o, turns, -1)
#: up = x[:n] > x[1:n + 1]
#: ever = np.array([np.any([up & (x[k:k + n] < 0) for k in range(turn + 1)], 0) for turn in range(turns)])
#: both = np.array([up, x[:n] > 0])
#: expect o[:turns] == up + 2 * ever + 4 * np.array([both[(turn + 1) % 2] for turn in range(turns)])
#: expect o[turns] == up + 2 * ever[-1] + 4 * both[(turns + 1) % 2]
