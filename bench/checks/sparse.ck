#: source ../suite/pairs/sparse.ck
#: n, k = 60000, 16
#: starts, cols = np.arange(0, n * k + 1, k, np.int32), rng.integers(0, n, n * k, np.int32)
#: values, x, y = rng.random(n * k, np.float32), rng.random(n, np.float32), poison(n, np.float32)
#: launch spmv_csr[(n + 127) // 128, 128](starts, cols, values, x, y)
#: expect close(y, (values * x[cols]).reshape(n, k).sum(1), 1e-4)
