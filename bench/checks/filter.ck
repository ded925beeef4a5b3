#: source ../../examples/filter.ck
#: x, out, n = rng.integers(-9, 9, 10**5, np.int32), np.zeros(10**5, np.int32), np.zeros(1, np.int64)
#: launch filter[8, 256](x, out, n)
#: expect n == np.count_nonzero(x > 0)
