#: source ../../../examples/edges.ck
#: image = rng.integers(0, 256, (19, 30), dtype=np.uint8)
#: out = poison((19, 30), np.uint8)
#: launch edges[(3, 4), (8, 8)](image, out)
#: p = np.pad(image.astype(int), 1, mode="edge")
#: across = (p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])
#: along = (p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])
#: expect abs(out - np.minimum(np.sqrt(across ** 2 + along ** 2), 255)) < 1.001
