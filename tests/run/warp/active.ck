# activemask names lanes that run together, this one among them; which ones is the device's choice,
# but that threads agree which are together. On the CPU it is all that wait at the place.

@kernel
def active(x: int32[::1], mask: uint32[::1], sums: int32[::1]):
    i = grid(1)
    if x[i] % 2:
        m = cuda.activemask()
        mask[i] = m
        sums[i] = cuda.ballot_sync(m, x[i] > 2) != 0
    else:
        mask[i] = 0

#: repeat grids [1, 1], [2, 33], [1, 100]
#: n = GRID * BLOCK
#: rank = np.arange(n) % BLOCK
#: lane, warp = rank % 32, rank // 32 + np.arange(n) // BLOCK * 100
#: x = rng.integers(0, 5, n).astype("i4")
#: mask, sums = poison(n, "u4"), np.zeros(n, "i4")
#: launch active[GRID, BLOCK](x, mask, sums)
#: odd = x % 2 == 1
#: expect (mask == 0) == ~odd
#: expect (mask >> lane & 1) == odd
#: expect [mask[i] >> lane[j] & 1 == 0 or mask[i] == mask[j] for i in range(n) for j in range(n)
#:         if warp[i] == warp[j]]
