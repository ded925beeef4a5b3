#: source ../../examples/sum.ck
#: x, total, parts, begun = np.ones(10**6, np.float32), np.zeros(1, np.float32), np.zeros(64, np.uint64), np.zeros(1, np.uint32)
#: launch sum_of[64, 256](x, total, parts, begun)
#: expect total == 10**6
