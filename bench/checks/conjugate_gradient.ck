#: source ../../examples/conjugate_gradient.ck
#: n = 10000
#: begin, columns, values = np.arange(n + 1, dtype=np.int32), np.arange(n, dtype=np.int32), np.arange(1.0, n + 1)
#: b, x, r, p, q, dots = np.ones(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(4)
#: launch solve[4, 128](begin, columns, values, b, x, r, p, q, dots, 1e-20, 20)
#: expect x > 0
