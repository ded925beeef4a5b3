#: source ../../../examples/mandelbrot.ck
#: image = poison((24, 33, 3), np.uint8)
#: launch mandelbrot[(2, 5), (16, 8)](image, -0.6, 0.1, 3.0, 40)
#: re, im = -0.6 + (np.arange(33) - 16) * 3 / 33, 0.1 - (np.arange(24)[:, None] - 12) * 3 / 33
#: c = re + 1j * im
#: z, n = np.zeros(c.shape, complex), np.zeros(c.shape, int)
#: for step in range(40): inside = (n == step) & (abs(z) <= 2); z = np.where(inside, z * z + c, z); n = n + inside
#: shade = np.where(n < 40, np.sqrt(n / 40), 0)
#: want = 255 * np.stack([shade, shade ** 2, np.sqrt(shade)], axis=2)
#: expect 0.1 < (n == 40).mean() < 0.9
#: expect (abs(image - want).max(axis=2) > 1.01).mean() < 0.02  # a step more or less, by rounding
