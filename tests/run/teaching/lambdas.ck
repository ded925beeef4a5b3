"""Device functions made of lambdas."""
import numpy as np
from numba import cuda

square = cuda.jit(device=True)(lambda v: v * v)
cube_plus = cuda.jit(lambda v, k: v * v * v + k, device=True)


#: z = rng.integers(-9, 9, 50)
#: lam = poison(50, np.int64)
#: launch lambda_calls[2, 32](z, lam)
#: expect lam == z**2 + z**3 + 1
@cuda.jit
def lambda_calls(z, lam):
    i = cuda.grid(1)
    if i < z.size:
        lam[i] = square(z[i]) + cube_plus(z[i], 1)
