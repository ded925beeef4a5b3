# Names of NumPy and of math that are misspelled, and names that only NumPy or math have.
import numpy as N
from numpy import isclos
from math import gcdd

@kernel
def misspelled(x: float32[:]):
    x[0] = np.heavyside(x[0], 0.5)
    x[1] = N.isclos(x[0], x[1])
    x[2] = math.isclos(x[0], x[1])
    x[3] = np.minimun(x[0], x[1])
    x[4] = numpy.sqr(x[0])

@kernel
def bare(x: float32[:]):
    x[0] = clip(x[0], 0.0, 1.0)
    x[1] = where(x[0] > 0, x[0], x[1])
    x[2] = cuda.sign(x[2])


def take(value):
    pass


@kernel
def takes_all():
    take(isclos)
    take(gcdd)
