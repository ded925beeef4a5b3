#: source ../kernels/matmul.ck
#: A, B, C = (rng.random((320, 320), np.float32) for _ in range(3))
#: launch matmul16[(20, 20), (16, 16)](A, B, C)
#: expect close(C, A @ B, 1e-4)
#: launch matmul32[(10, 10), (32, 32)](A, B, C)
#: expect close(C, A @ B, 1e-4)
