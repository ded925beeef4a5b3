#: source ../../../examples/conjugate_gradient.ck
#: repeat grids [1, 1], [1, 128], [5, 33], [3, 100]
#: n = int(rng.integers(2, 300))
#: A = np.diag(rng.uniform(3, 5, n))
#: for i, j in rng.integers(0, n, (n // 2, 2)):
#:     A[i, j] = A[j, i] = A[i, j] if i == j else rng.uniform(-0.3, 0.3)
#: A += np.diag(np.abs(A).sum(1))
#: begin = np.concatenate([[0], np.cumsum((A != 0).sum(1))]).astype(np.int32)
#: columns, values = np.nonzero(A)[1].astype(np.int32), A[A != 0]
#: b, x = rng.standard_normal(n), rng.standard_normal(n)
#: r, p, q, dots = poison(n, "f8"), poison(n, "f8"), poison(n, "f8"), np.zeros(4)
#: launch solve[GRID, BLOCK](begin, columns, values, b, x, r, p, q, dots, 1e-10, 500)
#: expect close(x, np.linalg.solve(A, b), 1e-7, 1e-9)
#: expect (dots[3] > 0) & (dots[3] < 100)
