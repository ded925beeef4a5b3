#: source ../../../examples/grid_scan.ck
#: repeat grids [1, 1], [1, 33], [3, 32], [5, 256], [2, 1000], [33, 7]
#: n = int(rng.choice([1, 2, 31, 1000, 5003]))
#: x, out = rng.integers(-2**31, 2**31, n, dtype=np.int32), poison(n, np.int64)
#: launch prefix_sums[GRID, BLOCK](x, out)
#: expect out == x.cumsum(dtype=np.int64)
