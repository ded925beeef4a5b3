#: source ../../../examples/colours.ck
#: x = rng.uniform(-1, 3, (13, 21)).astype(np.float32)
#: x[3, 4] = np.nan
#: image = poison((13, 21, 3), np.uint8)
#: launch colours[(2, 3), (8, 8)](x, 0.0, 2.0, image)
#: shade = np.nan_to_num(x[:, :, None] * 1.5 - np.arange(3), nan=128 / 255 + 0.001)
#: expect abs(image - 255 * np.clip(shade, 0, 1)) < 1.001
#: expect image[3, 4] == 128
