# Constant memory that the host fills begins with zeros. (tests/cli and tests/api fill it.)
#: y = poison(32, np.float32)
#: launch read[1, 32](y)
#: expect y == 0
W = cuda.const.array((8, 4), float32)

@kernel
def read(y: float32[:]):
    i = grid(1)
    assert W.shape == (8, 4) and W.size == 32
    y[i] = W[i // 4, i % 4]
