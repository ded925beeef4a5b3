#: source ../../../examples/sequential_rows.ck
#: M = np.zeros((1024, 1024), np.int32)
#: launch sequential_rows[32, 32](M)
#: expect M == np.tile(np.arange(1024), (1024, 1)).T
# The launch's shape is the array's affair: one thread for each column.
#: repeat grids [1, 32], [2, 32], [7, 32], [33, 32], [1, 1], [3, (4, 1)], [1, 1024]
#: columns = int(np.prod(GRID)) * int(np.prod(BLOCK))
#: M = rng.integers(-9, 9, (100, columns), dtype=np.int32)
#: launch sequential_rows[GRID, BLOCK](M)
#: first = M_in[0]
#: expected = np.array([first[::-1 if row % 2 else 1] + row for row in range(100)])
#: expect M == expected
