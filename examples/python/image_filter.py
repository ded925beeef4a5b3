#!/usr/bin/env python3
"""A filter on the pixels of an image, of uint8: a blur by weights that are a constant of the
kernel, and Sobel's edges.

    image_filter.py [--size ROWS COLUMNS] [--plot image.png]

Sums of uint8 are computed with 32 bits, and clamped before they are stored. The results are
compared with NumPy's. --plot draws the three images, which needs matplotlib."""

import argparse

import numpy as np

from ck import cuda, int32

WEIGHTS = np.array([1, 4, 6, 4, 1], np.int32)  # binomial
RADIUS = len(WEIGHTS) // 2


@cuda.jit(device=True)
def clamped(i, extent):
    return min(max(i, 0), extent - 1)


@cuda.jit
def blur(image, out):
    """Pixels outside are those of the edge. The result is rounded."""
    i, j = cuda.grid(2)
    rows, columns = image.shape
    if i < rows and j < columns:
        total = int32(0)
        for di in range(-RADIUS, RADIUS + 1):
            for dj in range(-RADIUS, RADIUS + 1):
                weight = WEIGHTS[di + RADIUS] * WEIGHTS[dj + RADIUS]
                total += weight * image[clamped(i + di, rows), clamped(j + dj, columns)]
        out[i, j] = (total + 128) // 256


@cuda.jit
def edges(image, out):
    i, j = cuda.grid(2)
    rows, columns = image.shape
    if i < rows and j < columns:
        up, down = clamped(i - 1, rows), clamped(i + 1, rows)
        left, right = clamped(j - 1, columns), clamped(j + 1, columns)
        across = (image[up, right] + 2 * image[i, right] + image[down, right]
                  - image[up, left] - 2 * image[i, left] - image[down, left])
        along = (image[down, left] + 2 * image[down, j] + image[down, right]
                 - image[up, left] - 2 * image[up, j] - image[up, right])
        out[i, j] = min(abs(across) + abs(along), 255)


def apply(kernel, image):
    block = (16, 16)
    grid = tuple((extent + b - 1) // b for extent, b in zip(image.shape, block))
    out = cuda.device_array(image.shape, np.uint8)
    kernel[grid, block](cuda.to_device(image), out)
    return out.copy_to_host()


def blur_with_numpy(image):
    wide = np.pad(image.astype(np.int32), RADIUS, mode="edge")
    rows, columns = image.shape
    total = sum(WEIGHTS[a] * WEIGHTS[b] * wide[a:a + rows, b:b + columns]
                for a in range(len(WEIGHTS)) for b in range(len(WEIGHTS)))
    return ((total + 128) // 256).astype(np.uint8)


def edges_with_numpy(image):
    p = np.pad(image.astype(np.int32), 1, mode="edge")
    across = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    along = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    return np.minimum(abs(across) + abs(along), 255).astype(np.uint8)


def draw_image(rows, columns):
    """Rings and noise."""
    i, j = np.ogrid[:rows, :columns]
    rings = 120 + 100 * np.sin(np.hypot(i - rows / 2, j - columns / 3) / 6)
    noise = np.random.default_rng(1).normal(0, 12, (rows, columns))
    return np.clip(rings + noise, 0, 255).astype(np.uint8)


def plot(path, images):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(images), figsize=(14, 5), constrained_layout=True)
    for axis, (title, image) in zip(axes, images.items()):
        axis.imshow(image, cmap="gray", vmin=0, vmax=255)
        axis.set_title(title)
        axis.set_axis_off()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, nargs=2, default=(241, 317), help="rows and columns")
    parser.add_argument("--plot", metavar="FILE", help="draw to FILE")
    arguments = parser.parse_args()
    image = draw_image(*arguments.size)
    blurred = apply(blur, image)
    edged = apply(edges, blurred)
    assert (blurred == blur_with_numpy(image)).all()
    assert (edged == edges_with_numpy(blurred)).all()
    print(f"{image.shape[0]} x {image.shape[1]} pixels: blur and edges as NumPy's")
    if arguments.plot:
        plot(arguments.plot, {"image": image, "blur": blurred, "edges": edged})


if __name__ == "__main__":
    main()
