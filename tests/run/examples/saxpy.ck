#: source ../../../examples/saxpy.ck
#: repeat grids [4, 256], [11, 96], [1000, 1]
#: n = 1000
#: x, y = rng.standard_normal(n, np.float32), rng.standard_normal(n, np.float32)
#: launch saxpy[GRID, BLOCK](float32(2.5), x, y)
#: expect close(y, 2.5 * x.astype(float) + y_in, 1e-6, 1e-6)
#: x, y = rng.standard_normal(n), rng.standard_normal(n)
#: launch saxpy[GRID, BLOCK](float64(-0.5), x, y)
#: expect close(y, -0.5 * x + y_in, 1e-12, 1e-12)
#: x, y = rng.integers(-9, 9, n), poison(n, np.int64)
#: launch saxpy[GRID, BLOCK](3, x, y)
#: expect y == 3 * x + y_in
