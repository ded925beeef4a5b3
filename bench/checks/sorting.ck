#: source ../suite/pairs/sorting.ck
#: x = rng.random(2**16, np.float32)
#: launch bitonic_block[x.size // 512, 256](x)
#: expect x.reshape(-1, 512) == np.sort(x_in.reshape(-1, 512), 1)
