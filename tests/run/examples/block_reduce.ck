#: source ../../../examples/block_reduce.ck
#: repeat grids [1, 128], [3, 128], [64, 128]
#: n = int(rng.integers(1, 20000))
#: x = rng.integers(-1000, 1000, n, dtype=np.int32)
#: total = np.zeros(1, np.int32)
#: launch sum_int[GRID, BLOCK](x, total)
#: expect total == x.sum()
# Multiples of 0.5, so that every sum is exact and the order does not matter.
#: x = rng.integers(-9, 9, n).astype(np.float32) / 2
#: total = np.zeros(1, np.float32)
#: launch sum_float[GRID, BLOCK](x, total)
#: expect total == x.sum()
