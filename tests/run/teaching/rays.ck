"""Rays, noise, colour and compression of pictures."""
import math
from typing import NamedTuple

import numpy as np
from numba import cuda, float32, float64, uint8, int32


class Hit(NamedTuple):
    t: float
    index: int


FAR = 1e30
PERM = np.array([(k * 167 + 13) % 256 for k in range(256)], dtype=np.int32)
GRADIENTS = np.array([[1, 1], [-1, 1], [1, -1], [-1, -1], [1, 0], [-1, 0], [0, 1], [0, -1]], np.float64)
BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], dtype=np.float32) / 16
ZIGZAG = (0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
          14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
          53, 60, 61, 54, 47, 55, 62, 63)


@cuda.jit(device=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@cuda.jit(device=True)
def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@cuda.jit(device=True)
def intersect(origin, direction, centre, radius):
    oc = sub(origin, centre)
    b = dot(oc, direction)
    c = dot(oc, oc) - radius * radius
    disc = b * b - c
    if disc < 0:
        return FAR
    root = math.sqrt(disc)
    if -b - root > 1e-4:
        return -b - root
    if -b + root > 1e-4:
        return -b + root
    return FAR


@cuda.jit(device=True)
def closest(origin, direction, spheres):
    hit = Hit(FAR, -1)
    for k in range(spheres.shape[0]):
        t = intersect(origin, direction, spheres[k, :3], spheres[k, 3])
        if t < hit.t:
            hit = Hit(t, k)
    return hit


#: def trace_py(d, sph):
#:     best = (1e30, -1)
#:     for k, (x, y, z, r) in enumerate(sph):
#:         b, c = -(d @ [x, y, z]), x * x + y * y + z * z - r * r
#:         if b * b >= c:
#:             s = np.sqrt(b * b - c)
#:             for t in (-b - s, -b + s):
#:                 if t > 1e-4:
#:                     best = min(best, (t, k))
#:                     break
#:     return best
#: sph = np.column_stack([rng.uniform(-2, 2, (6, 3)) + [0, 0, 6], rng.uniform(0.3, 1.2, 6)])
#: img = poison((12, 16), np.float64)
#: ids = poison((12, 16), np.int32)
#: launch render[(2, 3), (8, 4)](sph, img, ids)
#: gx, gy = np.meshgrid((np.arange(16) - 8) / 8, (np.arange(12) - 6) / 6)
#: dirs = np.stack([gx, gy, np.full_like(gx, 2)], -1)
#: dirs /= np.linalg.norm(dirs, axis=-1, keepdims=True)
#: hit = np.array([[trace_py(d, sph) for d in row] for row in dirs])
#: expect ids == hit[..., 1]
#: expect close(img, hit[..., 0], 1e-9)
@cuda.jit
def render(spheres, depth, ids):
    x, y = cuda.grid(2)
    h, w = depth.shape
    if x >= w or y >= h:
        return
    dx, dy, dz = (x - w / 2) / (w / 2), (y - h / 2) / (h / 2), 2.
    norm = math.sqrt(dx ** 2 + dy ** 2 + dz ** 2)
    hit = closest((0., 0., 0.), (dx / norm, dy / norm, dz / norm), spheres)
    depth[y, x] = hit.t
    ids[y, x] = hit.index


@cuda.jit(device=True)
def fade(t):
    return t * t * t * (t * (t * 6 - 15) + 10)


@cuda.jit(device=True)
def lerp(a, b, t):
    return a + t * (b - a)


@cuda.jit(device=True)
def corner(ix, iy, x, y):
    h = PERM[(PERM[ix & 255] + iy) & 255] & 7
    return GRADIENTS[h, 0] * x + GRADIENTS[h, 1] * y


#: P = np.array([(k * 167 + 13) % 256 for k in range(256)])
#: Gr = np.array([[1, 1], [-1, 1], [1, -1], [-1, -1], [1, 0], [-1, 0], [0, 1], [0, -1]])
#: def perlin_py(x, y):
#:     ix, iy = int(np.floor(x)), int(np.floor(y))
#:     fx, fy = x - ix, y - iy
#:     g = lambda a, b: Gr[P[(P[(ix + a) & 255] + iy + b) & 255] & 7] @ [fx - a, fy - b]
#:     u, v = (t ** 3 * (t * (t * 6 - 15) + 10) for t in (fx, fy))
#:     top, low = g(0, 0) + u * (g(1, 0) - g(0, 0)), g(0, 1) + u * (g(1, 1) - g(0, 1))
#:     return top + v * (low - top)
#: xy = rng.uniform(-20, 300, (60, 2))
#: noise = poison(60, np.float64)
#: launch perlin[2, 32](xy, noise)
#: expect close(noise, np.array([perlin_py(*p) for p in xy]), 1e-8, 1e-9)
@cuda.jit
def perlin(xy, out):
    i = cuda.grid(1)
    if i < out.size:
        x, y = xy[i, 0], xy[i, 1]
        ix, iy = math.floor(x), math.floor(y)
        fx, fy = x - ix, y - iy
        ix, iy = int(ix), int(iy)
        u, v = fade(fx), fade(fy)
        top = lerp(corner(ix, iy, fx, fy), corner(ix + 1, iy, fx - 1, fy), u)
        low = lerp(corner(ix, iy + 1, fx, fy - 1), corner(ix + 1, iy + 1, fx - 1, fy - 1), u)
        out[i] = lerp(top, low, v)


#: grey = rng.random((13, 18)).astype(np.float32)
#: dots = poison((13, 18), np.uint8)
#: launch dither[(3, 4), (8, 4)](grey, dots)
#: tile = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16
#: expect dots == np.where(grey > np.tile(tile, (4, 5))[:13, :18], 255, 0)
@cuda.jit
def dither(img, out):
    x, y = cuda.grid(2)
    if y < img.shape[0] and x < img.shape[1]:
        out[y, x] = 255 * (img[y, x] > BAYER[y % 4, x % 4])


#: hsv = rng.random((50, 3))
#: rgb = poison((50, 3), np.uint8)
#: launch hsv_to_rgb[1, 64](hsv, rgb)
#: import colorsys
#: expect abs(rgb - np.array([[round(c * 255) for c in colorsys.hsv_to_rgb(*p)] for p in hsv]).astype(int)) <= 0
@cuda.jit
def hsv_to_rgb(hsv, rgb):
    n = cuda.grid(1)
    if n >= hsv.shape[0]:
        return
    h, s, v = hsv[n, 0], hsv[n, 1], hsv[n, 2]
    i = int(h * 6.)
    f = (h * 6.) - i
    p, q, t = v * (1. - s), v * (1. - s * f), v * (1. - s * (1. - f))
    i %= 6
    if i == 0: r, g, b = v, t, p
    elif i == 1: r, g, b = q, v, p
    elif i == 2: r, g, b = p, v, t
    elif i == 3: r, g, b = p, q, v
    elif i == 4: r, g, b = t, p, v
    else: r, g, b = v, p, q
    for c, value in enumerate((r, g, b)):
        rgb[n, c] = round(value * 255)


#: block = rng.integers(0, 256, (16, 24)).astype(np.uint8)
#: coeff = poison((6, 64), np.float32)
#: launch jpeg_blocks[(3, 2), (8, 8)](block, coeff)
#: cm = np.array([[np.sqrt((2 if u else 1) / 8) * np.cos((2 * x + 1) * u * np.pi / 16) for x in range(8)] for u in range(8)])
#: zz = np.array([0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63])
#: dct = np.array([(cm @ (block[8 * r:8 * r + 8, 8 * c:8 * c + 8] - 128.0) @ cm.T).ravel()[zz] for r in range(2) for c in range(3)])
#: expect close(coeff, dct, 1e-3, 1e-2)
@cuda.jit
def jpeg_blocks(img, coeff):
    tile = cuda.shared.array((8, 8), float32)
    rows = cuda.shared.array((8, 8), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    tile[ty, tx] = img[y, x] - 128
    cuda.syncthreads()
    acc = 0.
    for k in range(8):
        acc += tile[ty, k] * math.cos((2 * k + 1) * tx * math.pi / 16)
    rows[ty, tx] = acc * math.sqrt((2 if tx else 1) / 8)
    cuda.syncthreads()
    acc = 0.
    for k in range(8):
        acc += rows[k, tx] * math.cos((2 * k + 1) * ty * math.pi / 16)
    tile[ty, tx] = acc * math.sqrt((2 if ty else 1) / 8)
    cuda.syncthreads()
    n = ty * 8 + tx
    source = ZIGZAG[n]
    coeff[cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x, n] = tile[source // 8, source % 8]
