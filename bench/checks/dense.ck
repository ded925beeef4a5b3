#: source ../suite/pairs/dense.ck
#: A, B, C = (rng.random((256, 256), np.float32) for _ in range(3))
#: launch gemm_naive[(16, 16), (16, 16)](A, B, C)
#: expect close(C, A @ B, 1e-4)
#: launch gemm_tiled[(16, 16), (16, 16)](A, B, C)
#: expect close(C, A @ B, 1e-4)
#: A, x, y = rng.random((1024, 1024), np.float32), rng.random(1024, np.float32), poison(1024, np.float32)
#: launch gemv[8, 128](A, x, y)
#: expect close(y, A @ x, 1e-4)
