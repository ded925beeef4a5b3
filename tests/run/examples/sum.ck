#: source ../../../examples/sum.ck
#: repeat grids [1, 256], [2, 256], [5, 256], [264, 256], [1, 32], [3, 100], [100, 32]
#: n = int(rng.choice([0, 1, 2, 3, 4, 5, 1023, 4097, 32768, 100003]))
#: x = rng.random(n, dtype=np.float32)
#: total = poison(1, np.float32)
#: again = poison(1, np.float32)
#: all = poison(1, np.float32)
#: parts = np.zeros(300, np.uint64)
#: begun = np.zeros(1, np.uint32)
#: launch sum_of[GRID, BLOCK](x, total, parts, begun)
#: launch sum_of[GRID, BLOCK](x, again, parts, begun)
#: launch sum_for_all[GRID, BLOCK](x, all)
#: expect close(total, [x.sum(dtype=np.float64)], 1e-5)
#: expect close(again, [x.sum(dtype=np.float64)], 1e-5)
#: expect close(all, [x.sum(dtype=np.float64)], 1e-5)
#: expect begun == 0
#: expect parts == 0
