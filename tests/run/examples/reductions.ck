#: source ../../../examples/reductions.ck
#: repeat grids [1, 256], [5, 256], [13, 256]
#: rows = int(np.prod(GRID))
#: x = rng.integers(-9, 9, (rows, int(rng.integers(1, 5000)))).astype(np.float32) / 2
#: v1, v2 = poison(rows, np.float32), poison(rows, np.float32)
#: launch batched_v1[GRID, BLOCK](x, v1)
#: launch batched_v2[GRID, BLOCK](x, v2)
#: expect v1 == x.sum(1)
#: expect v2 == x.sum(1)
# One element, one piece, a few pieces, and so many that their sums are more than one piece again.
#: length = int(rng.choice([2, 100, 1024, 262144]))
#: y = rng.integers(-9, 9, int(rng.choice([1, 1024, 5000, min(500 * length, 600000)]))).astype(np.float32) / 2
#: work, total = poison(2 * -(-y.size // length), np.float32), poison(1, np.float32)
#: launch full[GRID, BLOCK](y, work, total, length)
#: expect total == y.sum(dtype=np.float64)
