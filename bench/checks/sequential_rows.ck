#: source ../../examples/sequential_rows.ck
#: M = np.zeros((1024, 1024), np.int32)
#: launch sequential_rows[32, 32](M)
#: expect M == np.arange(1024)[:, None]
