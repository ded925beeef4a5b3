#: source ../../examples/grid_scan.ck
#: x, out = rng.integers(-9, 9, 10**5, np.int32), poison(10**5, np.int64)
#: launch prefix_sums[8, 256](x, out)
#: expect out == np.cumsum(x) - (0 if out[0] == x[0] else x)
