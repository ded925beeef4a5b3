#!/usr/bin/env python3
"""Heat in a plate, with ck.cuda: two arrays that stay on the device, a launch for each time step.

    heat.py [--size N] [--steps N] [--plot heat.png]

The plate is cold at its edges and hot in two places. The result is compared with NumPy's for the
same steps. --plot draws the temperatures at four times, which needs matplotlib."""

import argparse

import numpy as np

from ck import cuda


@cuda.jit
def step(now, after, k):
    """One time step: each inner point moves towards the mean of its neighbours."""
    i, j = cuda.grid(2)
    if 0 < i and i < now.shape[0] - 1 and 0 < j and j < now.shape[1] - 1:
        around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1]
        after[i, j] = now[i, j] + k * (around - 4 * now[i, j])


def start(size):
    """The temperatures at first."""
    plate = np.zeros((size, size), np.float32)
    plate[size // 4:size // 3, size // 4:size // 2] = 100
    plate[size // 2:-size // 4, -size // 3:-size // 4] = 60
    return plate


def simulate(plate, steps, k=np.float32(0.2)):
    """The temperatures after `steps` steps."""
    block = (16, 16)
    grid = tuple((extent + b - 1) // b for extent, b in zip(plate.shape, block))
    now, after = cuda.to_device(plate), cuda.to_device(plate)
    for _ in range(steps):
        step[grid, block](now, after, k)
        now, after = after, now
    return now.copy_to_host()


def with_numpy(plate, steps, k=np.float32(0.2)):
    for _ in range(steps):
        around = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
        after = plate.copy()
        after[1:-1, 1:-1] += k * (around - 4 * plate[1:-1, 1:-1])
        plate = after
    return plate


def plot(path, size, steps):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 4, figsize=(14, 4), constrained_layout=True)
    for axis, done in zip(axes, (0, steps // 10, steps // 3, steps)):
        image = axis.imshow(simulate(start(size), done), cmap="inferno", vmin=0, vmax=100)
        axis.set_title(f"{done} steps")
        axis.set_axis_off()
    figure.colorbar(image, ax=axes, label="temperature")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=200, help="points along an edge (200)")
    parser.add_argument("--steps", type=int, default=500, help="time steps (500)")
    parser.add_argument("--plot", metavar="FILE", help="draw to FILE")
    arguments = parser.parse_args()
    got = simulate(start(arguments.size), arguments.steps)
    wanted = with_numpy(start(arguments.size), arguments.steps)
    assert np.allclose(got, wanted, rtol=1e-4, atol=1e-3), abs(got - wanted).max()
    print(f"{arguments.size} x {arguments.size} points, {arguments.steps} steps: mean "
          f"{got.mean():.3f}, largest {got.max():.3f}, as NumPy's")
    if arguments.plot:
        plot(arguments.plot, arguments.size, arguments.steps)


if __name__ == "__main__":
    main()
