#: source ../suite/pairs/image.ck
#: image, out = rng.random((500, 600), np.float32), poison((500, 600), np.float32)
#: launch convolve_5x5[(19, 63), (32, 8)](image, out)
#: expect out == out
