"""An overload with an import of its own."""
import math

import numpy as np
from numba import cuda
from numba.extending import overload


def magnitude(v):
    pass


@overload(magnitude)
def magnitude_impl(v):
    from numba import types
    if isinstance(v, types.Complex):
        return lambda v: math.hypot(v.real, v.imag)
    if isinstance(v, types.BaseTuple):
        def impl(v):
            return math.sqrt(v[0] ** 2 + v[1] ** 2)
        return impl
    return lambda v: abs(v)


#: re, im = rng.normal(size=30), rng.normal(size=30)
#: cz = re + 1j * im
#: mags = poison((3, 30), np.float64)
#: launch magnitudes[1, 32](re, im, cz, mags)
#: error imports inside functions are not supported
#: error move the import to the top of the file
@cuda.jit
def magnitudes(re, im, z, out):
    i = cuda.grid(1)
    if i < re.size:
        out[0, i] = magnitude(re[i])
        out[1, i] = magnitude(z[i])
        out[2, i] = magnitude((re[i], im[i]))
