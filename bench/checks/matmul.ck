#: source ../kernels/matmul.ck
#: A, B, C = (rng.random((192, 192), np.float32) for _ in range(3))
#: launch matmul16[(12, 12), (16, 16)](A, B, C)
#: expect close(C, A @ B, 1e-4)
#: launch matmul32[(6, 6), (32, 32)](A, B, C)
#: expect close(C, A @ B, 1e-4)
