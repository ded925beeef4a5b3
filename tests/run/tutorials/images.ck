# Images: greyscale, flips, a box blur, Sobel, convolution, thresholds, a Mandelbrot set.
#: h, w = 29, 37
#: rgb = rng.integers(0, 256, (h, w, 3), dtype=np.uint8)
#: grey = poison((h, w), np.uint8)
#: launch to_grey[(2, 2), (32, 16)](rgb, grey)
#: wide = rgb.astype(np.int64)
#: expect grey == (wide[..., 0] * 299 + wide[..., 1] * 587 + wide[..., 2] * 114) // 1000
#: out = poison((h, w), np.uint8)
#: launch flip[(4, 5), (8, 8)](grey, out, True)
#: expect out == grey[:, ::-1]
#: launch flip[(4, 5), (8, 8)](grey, out, False)
#: expect out == grey[::-1]
#: launch box_blur[(2, 2), (16, 32)](grey, out)
#: p = np.pad(grey.astype(np.int64), 1, mode="edge")
#: expect out == sum(p[i:i + h, j:j + w] for i in range(3) for j in range(3)) // 9
#: edges = poison((h, w), np.float32)
#: q = grey.astype(np.float64)
#: launch sobel[(2, 2), (16, 32)](grey, edges)
#: gx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
#: gy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
#: want = np.sqrt((gx * gx + gy * gy).astype(np.float64))
#: want[0], want[-1], want[:, 0], want[:, -1] = 0, 0, 0, 0
#: expect close(edges, want, 1e-6)
#: mask = rng.integers(-4, 5, 7).astype(np.float32)
#: signal = rng.integers(-9, 9, 300).astype(np.float32)
#: filtered = poison(300, np.float32)
#: launch convolve[5, 64](signal, mask, filtered)
#: expect filtered == np.convolve(signal, mask[::-1], "same")
#: binary = poison((h, w), bool)
#: launch threshold[(2, 2), (32, 32)](grey, uint8(128), binary)
#: expect binary == (grey > 128)
#: image = poison((24, 36), np.uint8)
#: launch mandelbrot[(2, 2), (32, 8)](-2.0, 1.0, -1.0, 1.0, image, uint32(20))
#: c = np.arange(36) * (3.0 / 36) - 2.0 + 1j * (np.arange(24)[:, None] * (2.0 / 24) - 1.0)
#: z, count = 0 * c, np.zeros(c.shape, int)
#: alive = np.ones(c.shape, bool)
#: for _ in range(20):
#:     z = np.where(alive, z * z + c, z); alive &= z.real**2 + z.imag**2 < 4; count += alive
#: expect np.mean(image == count) > 0.99
import math

from numba import cuda, uint32


@cuda.jit
def to_grey(rgb, grey):
    x, y = cuda.grid(2)
    height, width = grey.shape
    if x < width and y < height:
        r = uint32(rgb[y, x, 0])
        g = uint32(rgb[y, x, 1])
        b = uint32(rgb[y, x, 2])
        grey[y, x] = (r * 299 + g * 587 + b * 114) // 1000


@cuda.jit
def flip(src, dst, horizontal):
    i, j = cuda.grid(2)
    if i < src.shape[0] and j < src.shape[1]:
        if horizontal:
            dst[i, j] = src[i, -1 - j]
        else:
            dst[i, j] = src[src.shape[0] - 1 - i, j]


@cuda.jit
def box_blur(src, dst):
    i, j = cuda.grid(2)
    rows, cols = src.shape
    if i >= rows or j >= cols:
        return
    total = 0
    for di in range(-1, 2):
        for dj in (-1, 0, 1):
            r = min(max(i + di, 0), rows - 1)
            c = min(max(j + dj, 0), cols - 1)
            total += int(src[r, c])
    dst[i, j] = total // 9


@cuda.jit(device=True, inline=True)
def pixel(img, i, j):
    return int(img[i, j])


@cuda.jit
def sobel(img, out):
    i, j = cuda.grid(2)
    if i >= img.shape[0] or j >= img.shape[1]:
        return
    if i == 0 or j == 0 or i == img.shape[0] - 1 or j == img.shape[1] - 1:
        out[i, j] = 0.0
        return
    gx = (pixel(img, i - 1, j + 1) + 2 * pixel(img, i, j + 1) + pixel(img, i + 1, j + 1)
          - pixel(img, i - 1, j - 1) - 2 * pixel(img, i, j - 1) - pixel(img, i + 1, j - 1))
    gy = (pixel(img, i + 1, j - 1) + 2 * pixel(img, i + 1, j) + pixel(img, i + 1, j + 1)
          - pixel(img, i - 1, j - 1) - 2 * pixel(img, i - 1, j) - pixel(img, i - 1, j + 1))
    out[i, j] = math.sqrt(float(gx * gx + gy * gy))


@cuda.jit
def convolve(x, mask, out):
    i = cuda.grid(1)
    n = x.size
    if i >= n:
        return
    delta = mask.size // 2
    s = 0.
    for k in range(mask.size):
        at = i - delta + k
        if 0 <= at < n:
            s += x[at] * mask[k]
    out[i] = s


@cuda.jit
def threshold(img, level, out):
    x, y = cuda.grid(2)
    if y < img.shape[0] and x < img.shape[1]:
        out[y, x] = img[y, x] > level


@cuda.jit(device=True)
def escape_time(cx, cy, limit):
    x, y, trips = 0.0, 0.0, 0
    while trips < limit:
        x, y = x * x - y * y + cx, 2 * x * y + cy
        if x * x + y * y >= 4:
            break
        trips += 1
    return trips


@cuda.jit
def mandelbrot(left, right, bottom, top, image, limit):
    rows, cols = image.shape
    x0, y0 = cuda.grid(2)
    dx, dy = cuda.gridsize(2)
    for col in range(x0, cols, dx):
        for row in range(y0, rows, dy):
            cx = left + col * ((right - left) / cols)
            cy = bottom + row * ((top - bottom) / rows)
            image[row, col] = escape_time(cx, cy, limit)
