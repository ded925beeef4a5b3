#: source ../../../examples/normalised_dot.ck
#: repeat grids [1, 1], [1, 2], [3, 33], [5, 256], [2, 1000], [(2, 3), (5, 4, 3)], [40, 32]
#: n, blocks = int(rng.choice([1, 31, 1000, 5003])), int(np.prod(GRID))
#: u, v = rng.standard_normal(n).astype(np.float32), rng.standard_normal(n).astype(np.float32)
#: if rng.integers(2): v = (v - 3 * u).astype(np.float32)
#: parts, cosine = poison((blocks, 3), "f8"), poison(1, "f8")
#: launch normalised_dot[GRID, BLOCK](u, v, parts, cosine)
#: U, V = u_in.astype(float), v_in.astype(float)
#: expect close(cosine, U @ V / np.sqrt((U @ U) * (V @ V)), 1e-12, 1e-14)
#: expect close(u, U / np.sqrt(U @ U), 1e-7)
#: expect close(v, V / np.sqrt(V @ V), 1e-7)
# Without a direction.
#: u = np.zeros(n, np.float32)
#: parts, cosine = poison((blocks, 3), "f8"), poison(1, "f8")
#: launch normalised_dot[GRID, BLOCK](u, v, parts, cosine)
#: expect cosine == 0
#: expect u == 0
#: expect close(v, V / np.sqrt(V @ V), 2e-7)
