#: source ../kernels/saxpy.ck
#: x, y = rng.random(4 * 10**6, np.float32), rng.random(4 * 10**6, np.float32)
#: launch saxpy[15625, 256](2.5, x, y)
#: expect close(y, np.float32(2.5) * x + y_in, 1e-5)
