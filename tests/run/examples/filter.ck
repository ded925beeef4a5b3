#: source ../../../examples/filter.ck
#: repeat grids [1, 1], [3, 33], [4, 256], [2, 100]
#: x = rng.integers(-50, 50, int(rng.integers(1, 3000)), dtype=np.int32)
#: out, n = np.full(x.size, -7, np.int32), np.zeros(1, np.int64)
#: launch filter[GRID, BLOCK](x, out, n)
#: expect n == (x > 0).sum()
#: expect np.sort(out[:n[0]]) == np.sort(x[x > 0])
#: expect out[n[0]:] == -7
