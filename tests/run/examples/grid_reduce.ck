#: source ../../../examples/grid_reduce.ck
#: repeat grids [1, 1], [1, 33], [3, 32], [5, 256], [2, 1000], [33, 7]
#: x = (rng.standard_normal(int(rng.choice([1, 2, 31, 1000, 5003]))) * 10 + 1000).astype(np.float32)
#: out = poison(2, np.float64)
#: launch mean_and_variance[GRID, BLOCK](x, out)
#: expect close(out, [x.mean(dtype=np.float64), x.var(dtype=np.float64)], 1e-12, 1e-14)
