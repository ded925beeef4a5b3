#: source ../kernels/histogram.ck
#: data, bins = rng.integers(0, 256, 10**6, np.uint8), np.zeros(256, np.int32)
#: launch histogram[16, 256](data, bins)
#: expect bins == np.bincount(data, minlength=256)
