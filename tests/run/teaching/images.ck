"""Image processing with 2-D grids."""
from __future__ import annotations

import math

import numpy as np
from numba import cuda, float32, int32, uint8

TILE = 16
RADIUS = 2
LUMA_R, LUMA_G, LUMA_B = 0.299, 0.587, 0.114


#: rgb = rng.integers(0, 256, (37, 53, 3), dtype=np.uint8)
#: grey = poison((37, 53), np.uint8)
#: launch rgb_to_grey[(4, 3), (16, 16)](rgb, grey)
#: w = rgb.astype(np.float64) @ np.array([0.299, 0.587, 0.114])
#: expect np.abs(grey.astype(int) - np.floor(w + 0.5)) <= (np.abs(w + 0.5 - np.round(w + 0.5)) < 1e-9)
@cuda.jit
def rgb_to_grey(rgb, grey):
    x, y = cuda.grid(2)
    h, w = grey.shape
    if x < w and y < h:
        luma = LUMA_R * rgb[y, x, 0] + LUMA_G * rgb[y, x, 1] + LUMA_B * rgb[y, x, 2]
        grey[y, x] = uint8(luma + 0.5)


#: img = rng.integers(0, 256, (41, 29), dtype=np.uint8)
#: neg = poison((41, 29), np.uint8)
#: launch invert[(2, 3), (16, 16)](img, neg)
#: expect neg == 255 - img
@cuda.jit
def invert(img, neg):
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if row >= img.shape[0] or col >= img.shape[1]:
        return
    neg[row, col] = 255 - img[row, col]


#: src = rng.integers(0, 256, (23, 31), dtype=np.uint8)
#: bright = poison((23, 31), np.uint8)
#: launch brighten[(2, 2), (16, 16)](src, bright, 70)
#: expect bright == np.minimum(src.astype(int) + 70, 255)
@cuda.jit
def brighten(src, bright, amount):
    x, y = cuda.grid(2)
    if x < src.shape[1] and y < src.shape[0]:
        v = src[y, x] + amount
        if v > 255:
            v = 255
        bright[y, x] = v


#: f = rng.normal(size=(33, 47)).astype(np.float32)
#: blurred = poison((33, 47), np.float32)
#: launch box_blur[(3, 3), (16, 16)](f, blurred)
#: pad = np.pad(f.astype(np.float64), 1)
#: cnt = np.pad(np.ones_like(f, np.float64), 1)
#: sums = sum(pad[i:i+33, j:j+47] for i in range(3) for j in range(3))
#: counts = sum(cnt[i:i+33, j:j+47] for i in range(3) for j in range(3))
#: expect close(blurred, sums / counts, 1e-5, 1e-6)
@cuda.jit
def box_blur(f, blurred):
    x, y = cuda.grid(2)
    h, w = f.shape
    if x < w and y < h:
        total = 0.0
        count = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                yy = y + dy
                xx = x + dx
                if 0 <= yy < h and 0 <= xx < w:
                    total += f[yy, xx]
                    count += 1
        blurred[y, x] = total / count


#: g = rng.normal(size=(35, 35)).astype(np.float32)
#: mask = rng.normal(size=(5, 5)).astype(np.float32)
#: conv = poison((35, 35), np.float32)
#: launch convolve_tiled[(3, 3), (16, 16)](g, mask, conv)
#: gp = np.pad(g.astype(np.float64), 2)
#: expect close(conv, sum(mask[i, j] * gp[i:i+35, j:j+35] for i in range(5) for j in range(5)), 1e-4, 1e-4)
@cuda.jit
def convolve_tiled(g, mask, conv):
    tile = cuda.shared.array(shape=(TILE + 2 * RADIUS, TILE + 2 * RADIUS), dtype=float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x, y = cuda.grid(2)
    height, width = g.shape
    x0 = cuda.blockIdx.x * TILE - RADIUS
    y0 = cuda.blockIdx.y * TILE - RADIUS
    for j in range(ty, TILE + 2 * RADIUS, TILE):
        for i in range(tx, TILE + 2 * RADIUS, TILE):
            gx = x0 + i
            gy = y0 + j
            if gx >= 0 and gx < width and gy >= 0 and gy < height:
                tile[j, i] = g[gy, gx]
            else:
                tile[j, i] = 0
    cuda.syncthreads()
    if x < width and y < height:
        s = float32(0)
        for j in range(2 * RADIUS + 1):
            for i in range(2 * RADIUS + 1):
                s += mask[j, i] * tile[ty + j, tx + i]
        conv[y, x] = s


#: gray = rng.integers(0, 256, (30, 44)).astype(np.float32)
#: edges = poison((30, 44), np.float32)
#: launch sobel[(6, 4), (8, 8)](gray, edges)
#: e = np.zeros((30, 44))
#: q = gray.astype(np.float64)
#: gx = q[:-2, 2:] + 2*q[1:-1, 2:] + q[2:, 2:] - q[:-2, :-2] - 2*q[1:-1, :-2] - q[2:, :-2]
#: gy = q[2:, :-2] + 2*q[2:, 1:-1] + q[2:, 2:] - q[:-2, :-2] - 2*q[:-2, 1:-1] - q[:-2, 2:]
#: e[1:-1, 1:-1] = np.hypot(gx, gy)
#: expect close(edges, e, 1e-5)
@cuda.jit
def sobel(img, edges):
    x, y = cuda.grid(2)
    h, w = img.shape
    if x >= w or y >= h:
        return
    if x == 0 or y == 0 or x == w - 1 or y == h - 1:
        edges[y, x] = 0.0
        return
    gx = (img[y - 1, x + 1] + 2 * img[y, x + 1] + img[y + 1, x + 1]
          - img[y - 1, x - 1] - 2 * img[y, x - 1] - img[y + 1, x - 1])
    gy = (img[y + 1, x - 1] + 2 * img[y + 1, x] + img[y + 1, x + 1]
          - img[y - 1, x - 1] - 2 * img[y - 1, x] - img[y - 1, x + 1])
    edges[y, x] = math.sqrt(gx ** 2 + gy ** 2)


@cuda.jit(device=True, inline=True)
def swap_if_greater(a, i, j):
    if a[i] > a[j]:
        a[i], a[j] = a[j], a[i]


#: noisy = rng.integers(0, 256, (19, 27), dtype=np.uint8)
#: med = poison((19, 27), np.uint8)
#: launch median3x3[(2, 2), (16, 16)](noisy, med)
#: np_ = np.pad(noisy, 1, mode="edge")
#: expect med == np.median(np.stack([np_[i:i+19, j:j+27] for i in range(3) for j in range(3)]), axis=0)
@cuda.jit
def median3x3(noisy, med):
    x, y = cuda.grid(2)
    if x < noisy.shape[1] and y < noisy.shape[0]:
        window = cuda.local.array(9, dtype=int32)
        k = 0
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                yy = min(max(y + dy, 0), noisy.shape[0] - 1)
                xx = min(max(x + dx, 0), noisy.shape[1] - 1)
                window[k] = noisy[yy, xx]
                k += 1
        for i in range(5):
            for j in range(8, i, -1):
                swap_if_greater(window, j - 1, j)
        med[y, x] = window[4]


#: small = rng.normal(size=(9, 13)).astype(np.float32)
#: big = poison((18, 26), np.float32)
#: launch upscale_bilinear[(2, 2), (16, 16)](small, big)
#: ys = np.minimum(np.maximum((np.arange(18) + .5) / 2 - .5, 0), 8)[:, None]
#: xs = np.minimum(np.maximum((np.arange(26) + .5) / 2 - .5, 0), 12)[None, :]
#: iy, ix = np.floor(ys).astype(int), np.floor(xs).astype(int)
#: jy, jx = np.minimum(iy + 1, 8), np.minimum(ix + 1, 12)
#: fy, fx = ys - iy, xs - ix
#: want = (1-fy)*((1-fx)*small[iy, ix] + fx*small[iy, jx]) + fy*((1-fx)*small[jy, ix] + fx*small[jy, jx])
#: expect close(big, want, 1e-5, 1e-6)
@cuda.jit
def upscale_bilinear(src, dst):
    x, y = cuda.grid(2)
    if x >= dst.shape[1] or y >= dst.shape[0]:
        return
    sx = (x + 0.5) * src.shape[1] / dst.shape[1] - 0.5
    sy = (y + 0.5) * src.shape[0] / dst.shape[0] - 0.5
    sx = min(max(sx, 0.0), src.shape[1] - 1.0)
    sy = min(max(sy, 0.0), src.shape[0] - 1.0)
    x0 = int(math.floor(sx))
    y0 = int(math.floor(sy))
    x1 = min(x0 + 1, src.shape[1] - 1)
    y1 = min(y0 + 1, src.shape[0] - 1)
    fx = sx - x0
    fy = sy - y0
    top = (1 - fx) * src[y0, x0] + fx * src[y0, x1]
    bottom = (1 - fx) * src[y1, x0] + fx * src[y1, x1]
    dst[y, x] = (1 - fy) * top + fy * bottom


@cuda.jit(device=True)
def escape_time(x, y, max_iters):
    """Iterations until a point leaves the disc of radius two."""
    c = complex(x, y)
    z = 0.0j
    for i in range(max_iters):
        z = z * z + c
        if (z.real * z.real + z.imag * z.imag) >= 4:
            return i
    return max_iters


#: fractal = poison((24, 40), np.uint8)
#: launch mandelbrot[(3, 2), (16, 16)](-2.0, 1.0, -1.0, 1.0, fractal, 20)
#: cc = (-2.0 + np.arange(40) * (3.0 / 40))[None, :] + 1j * (-1.0 + np.arange(24) * (2.0 / 24))[:, None]
#: zz, want = np.zeros_like(cc), np.full((24, 40), 20)
#: for k in range(20):
#:   zz = np.where(want == 20, zz * zz + cc, zz)
#:   want = np.where((want == 20) & (zz.real**2 + zz.imag**2 >= 4), k, want)
#: expect np.count_nonzero(fractal != want) <= 3
@cuda.jit
def mandelbrot(min_x, max_x, min_y, max_y, image, iters):
    height = image.shape[0]
    width = image.shape[1]
    pixel_size_x = (max_x - min_x) / width
    pixel_size_y = (max_y - min_y) / height
    start_x, start_y = cuda.grid(2)
    grid_x = cuda.gridDim.x * cuda.blockDim.x
    grid_y = cuda.gridDim.y * cuda.blockDim.y
    for x in range(start_x, width, grid_x):
        real = min_x + x * pixel_size_x
        for y in range(start_y, height, grid_y):
            imag = min_y + y * pixel_size_y
            image[y, x] = escape_time(real, imag, iters)


if __name__ == "__main__":
    picture = np.zeros((1024, 1536), dtype=np.uint8)
    block = (32, 8)
    grid = (math.ceil(1536 / block[0]), math.ceil(1024 / block[1]))
    mandelbrot[grid, block](-2.0, 1.0, -1.0, 1.0, picture, 20)
    print(picture.max())
