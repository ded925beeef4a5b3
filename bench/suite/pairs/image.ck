# Images. Pixels beyond an edge are the nearest on it, unless a kernel says otherwise.
import math

from numba import cuda, float32, int32, uint8
import numpy as np

MASK = np.array([[1, 4, 6, 4, 1], [4, 16, 24, 16, 4], [6, 24, 36, 24, 6], [4, 16, 24, 16, 4],
                 [1, 4, 6, 4, 1]], np.float32)
RADIUS = 8
GAUSS = np.array([0.003, 0.007, 0.014, 0.027, 0.047, 0.074, 0.104, 0.13, 0.188, 0.13, 0.104, 0.074,
                  0.047, 0.027, 0.014, 0.007, 0.003], np.float32)


# A convolution with 5 x 5 constant weights.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def convolve_5x5(image, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x < w and y < h:
        total = float32(0)
        for dy in range(-2, 3):
            for dx in range(-2, 3):
                yy = min(max(y + dy, 0), h - 1)
                xx = min(max(x + dx, 0), w - 1)
                total += MASK[dy + 2, dx + 2] * image[yy, xx]
        out[y, x] = total / 256


# The horizontal half of a separable filter of radius 8, in shared memory; 0 beyond the edges.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def convolve_rows(image, out):
    line = cuda.shared.array(256 + 2 * RADIUS, float32)
    t = cuda.threadIdx.x
    y = cuda.blockIdx.y
    x = cuda.grid(1)
    w = image.shape[1]
    line[t + RADIUS] = image[y, x] if x < w else float32(0)
    if t < RADIUS:
        line[t] = image[y, x - RADIUS] if x >= RADIUS else float32(0)
        line[t + 256 + RADIUS] = image[y, x + 256] if x + 256 < w else float32(0)
    cuda.syncthreads()
    if x < w:
        total = float32(0)
        for k in range(2 * RADIUS + 1):
            total += GAUSS[k] * line[t + k]
        out[y, x] = total


# The vertical half, from global memory.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def convolve_columns(image, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x < w and y < h:
        total = float32(0)
        for k in range(-RADIUS, RADIUS + 1):
            if y + k >= 0 and y + k < h:
                total += GAUSS[k + RADIUS] * image[y + k, x]
        out[y, x] = total


@cuda.jit
def sobel(image, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x >= 1 and x < w - 1 and y >= 1 and y < h - 1:
        gx = (int32(image[y - 1, x + 1]) + 2 * int32(image[y, x + 1]) + int32(image[y + 1, x + 1])
              - int32(image[y - 1, x - 1]) - 2 * int32(image[y, x - 1]) - int32(image[y + 1, x - 1]))
        gy = (int32(image[y + 1, x - 1]) + 2 * int32(image[y + 1, x]) + int32(image[y + 1, x + 1])
              - int32(image[y - 1, x - 1]) - 2 * int32(image[y - 1, x]) - int32(image[y - 1, x + 1]))
        out[y, x] = min(int32(math.sqrt(float32(gx * gx + gy * gy))), 255)


# The median of 3 x 3 by sorting half of them.
@cuda.jit("void(uint8[:, ::1], uint8[:, ::1])")
def median_3x3(image, out):
    window = cuda.local.array(9, uint8)
    x, y = cuda.grid(2)
    h, w = image.shape
    if x >= 1 and x < w - 1 and y >= 1 and y < h - 1:
        for dy in range(3):
            for dx in range(3):
                window[3 * dy + dx] = image[y + dy - 1, x + dx - 1]
        for i in range(5):
            least = i
            for k in range(i + 1, 9):
                if window[k] < window[least]:
                    least = k
            window[i], window[least] = window[least], window[i]
        out[y, x] = window[4]


# Weights by distance and by difference, of radius 3.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32, float32)")
def bilateral(image, out, space, tone):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x < w and y < h:
        centre = image[y, x]
        total = float32(0)
        weights = float32(0)
        for dy in range(-3, 4):
            for dx in range(-3, 4):
                yy = min(max(y + dy, 0), h - 1)
                xx = min(max(x + dx, 0), w - 1)
                value = image[yy, xx]
                d = value - centre
                weight = math.exp(-float32(dx * dx + dy * dy) * space - d * d * tone)
                total += weight * value
                weights += weight
        out[y, x] = total / weights


# Grey values spread by the cumulative histogram.
@cuda.jit("void(uint8[:, ::1], int32[::1], uint8[:, ::1])")
def equalise(image, cumulative, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x < w and y < h:
        first = cumulative[0]
        out[y, x] = (cumulative[image[y, x]] - first) * 255 // (cumulative[255] - first)


# How often each grey value is there, by atomics on global memory of a histogram for each row of
# blocks.
@cuda.jit
def histogram_rows(image, counts):
    x, y = cuda.grid(2)
    if y < image.shape[0] and x < image.shape[1]:
        cuda.atomic.add(counts, (cuda.blockIdx.y, image[y, x]), 1)


@cuda.jit("void(uint8[:, :, ::1], uint8[:, ::1])")
def gray(image, out):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        r = int32(image[y, x, 0])
        g = int32(image[y, x, 1])
        b = int32(image[y, x, 2])
        out[y, x] = (77 * r + 150 * g + 29 * b) >> 8


# The mean of 9 x 9, of those that are there.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def box_filter(image, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x < w and y < h:
        total = float32(0)
        count = 0
        for yy in range(max(y - 4, 0), min(y + 5, h)):
            for xx in range(max(x - 4, 0), min(x + 5, w)):
                total += image[yy, xx]
                count += 1
        out[y, x] = total / float32(count)


# An image of another size by bilinear interpolation.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32)")
def resize(image, out, scale):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        h, w = image.shape
        fx = float32(x) * scale
        fy = float32(y) * scale
        x0 = int32(fx)
        y0 = int32(fy)
        ax = fx - float32(x0)
        ay = fy - float32(y0)
        x1 = min(x0 + 1, w - 1)
        y1 = min(y0 + 1, h - 1)
        top = image[y0, x0] * (1 - ax) + image[y0, x1] * ax
        bottom = image[y1, x0] * (1 - ax) + image[y1, x1] * ax
        out[y, x] = top * (1 - ay) + bottom * ay


# The brightest of 5 x 5.
@cuda.jit
def dilate(image, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x < w and y < h:
        brightest = uint8(0)
        for dy in range(-2, 3):
            for dx in range(-2, 3):
                yy = y + dy
                xx = x + dx
                if yy >= 0 and yy < h and xx >= 0 and xx < w:
                    brightest = max(brightest, image[yy, xx])
        out[y, x] = brightest


# Sums down columns, a thread each: half of an integral image.
@cuda.jit("void(int32[:, ::1], int32[:, ::1])")
def integral_columns(image, out):
    x = cuda.grid(1)
    if x < image.shape[1]:
        total = int32(0)
        for y in range(image.shape[0]):
            total += image[y, x]
            out[y, x] = total
