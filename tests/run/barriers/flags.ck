# Booleans that live across barriers, around loops and out of them.
@kernel
def flags(x, o, trips, never):
    i = grid(1)
    up = x[i] > x[i + 1]
    ever = False
    both = (up, x[i] > 0)
    for trip in range(trips):
        syncthreads()
        if trip == never:
            up = False
        ever = ever or (up and x[i + trip] < 0)
        both = (both[1], both[0])
        o[trip, i] = up + 2 * ever + 4 * both[0]
        syncthreads()
    o[trips, i] = up + 2 * ever + 4 * both[1]


#: repeat grids [1, 7], [4, 33], [3, 256]
#: n = GRID * BLOCK
#: trips = int(rng.integers(1, 6))
#: x = rng.integers(-9, 10, n + 9).astype("i4")
#: o = poison((trips + 1, n), "i4")
#: launch flags[GRID, BLOCK](x, o, trips, -1)
#: up = x[:n] > x[1:n + 1]
#: ever = np.array([np.any([up & (x[k:k + n] < 0) for k in range(trip + 1)], 0) for trip in range(trips)])
#: both = np.array([up, x[:n] > 0])
#: expect o[:trips] == up + 2 * ever + 4 * np.array([both[(trip + 1) % 2] for trip in range(trips)])
#: expect o[trips] == up + 2 * ever[-1] + 4 * both[(trips + 1) % 2]
