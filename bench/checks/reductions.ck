#: source ../../examples/reductions.ck
#: x, sums = np.ones((512, 4096), np.float32), poison(512, np.float32)
#: launch batched_v1[512, 256](x, sums)
#: expect sums == 4096
#: sums = poison(512, np.float32)
#: launch batched_v2[512, 256](x, sums)
#: expect sums == 4096
#: x, work, total = np.ones(10**6, np.float32), np.zeros(2000, np.float32), np.zeros(1, np.float32)
#: launch full[8, 256](x, work, total, 1000)
#: expect total == 10**6
