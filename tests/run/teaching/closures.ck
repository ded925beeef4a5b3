"""Device functions made by a function."""
import numpy as np
from numba import cuda

def make_scaler(factor):
    @cuda.jit(device=True)
    def scale(x):
        return x * factor
    return scale


double_it = make_scaler(2.0)
halve_it = make_scaler(0.5)


#: sc = rng.normal(size=40)
#: s2 = poison((2, 40), np.float64)
#: launch closure_calls[1, 64](sc, s2)
#: expect s2 == np.stack([sc * 2, sc / 2])
@cuda.jit
def closure_calls(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[0, i] = double_it(x[i])
        out[1, i] = halve_it(x[i])
