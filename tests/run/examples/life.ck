#: source ../../../examples/life.ck
#: shape = (int(rng.integers(1, 40)), int(rng.integers(1, 40)))
#: u = rng.integers(0, 2, shape, np.uint8) * np.uint8(255)
#: v = poison(shape, np.uint8)
#: repeat grids [1, 32], [(3, 2), (8, 4)]
#: launch life[GRID, BLOCK](u, v)
#: alive = u > 0
#: around = sum(np.roll(alive, (i, j), (0, 1)).astype(int) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
#: expect v == np.where((around == 3) | ((around == 2) & alive), 255, 0)
