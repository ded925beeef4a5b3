#: source ../../../examples/heat.ck
#: def reference(u, hot, steps):
#:     for _ in range(steps):
#:         inner = u[1:-1] + np.float32(0.25) * (u[:-2] - 2 * u[1:-1] + u[2:])
#:         u = np.concatenate([[hot], inner, [0]]).astype(np.float32)
#:     return u
#: repeat grids [1, 128], [5, 33], [2, 64]
#: u = rng.uniform(0, 100, 300).astype(np.float32)
#: v = poison(300, np.float32)
#: launch heat[GRID, BLOCK](u, v, 100.0, 100)
#: expect close(u, reference(u_in, 100, 100), 1e-4, 1e-4)
#: u = u_in.copy()
#: launch heat[GRID, BLOCK](u, v, 100.0, 7)
#: expect close(v, reference(u_in, 100, 7), 1e-4, 1e-4)
