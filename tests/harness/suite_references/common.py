"""What the kernels of the benchmark group `suite` compute, by NumPy: REFERENCES maps a kernel to a
function of its arrays by name and its sizes, which returns the expected ones. Floats are float64
there."""

import numpy as np

REFERENCES = {}


def reference(function):
    REFERENCES[function.__name__] = function
    return function


def named(*names):
    """Of several kernels that compute the same."""
    def add(function):
        REFERENCES.update(dict.fromkeys(names, function))
        return function

    return add


def shifted(x, *by):
    """Element i of the result is x[i + by], of a torus."""
    return np.roll(x, [-step for step in by], range(x.ndim))


def inside(new, radius, values):
    """`values` where all neighbours exist, else what is there."""
    middle = np.zeros(new.shape, bool)
    middle[tuple([slice(radius, -radius)] * new.ndim)] = True
    return {"new": np.where(middle, values, new)}


def in_blocks(x, size, value=0):
    """Rows of `size`, the last filled up."""
    return np.append(x, np.full(-len(x) % size, value, x.dtype)).reshape(-1, size)


def edges_of(starts, neighbours):
    """(source, target) of each edge."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts)), neighbours


def u32(value):
    return np.uint32(value)
