from numba import cuda, jit, njit


@cuda.jit(chip="sm_90")
def a(x: float32[:]):
    pass


@cuda.jit(dump_ptx=True, opt_level=3)
def b(x: float32[:]):
    pass


@cuda.jit(ptxas_options="-v", launch_bounds=(128, 2, 4, 8))
def c(x: float32[:]):
    pass


@njit(parallel=True)
def d(x):
    return x


@jit
def e(x):
    return x


@kernel
def f(x: float32[:]):
    x[0] = e(d(x))
