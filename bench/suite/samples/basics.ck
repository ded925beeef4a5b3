# cppOverload, clock and fp16ScalarProduct.
from numba import cuda, float32, int32, types
from numba.extending import overload

THREADS = 256


# --- Functions that depend on the types of their arguments ----------------------------------------


def taken(value, other):
    pass


@overload(taken)
def taken_of_numbers(value, other):
    if isinstance(value, types.Integer) and isinstance(other, types.Integer):
        return lambda value, other: value + other
    return None


@overload(taken)
def taken_of_one(value, other):
    if isinstance(value, types.Integer):
        return lambda value, other: value
    return lambda value, other: value.x + value.y


@cuda.jit("void(int32[::1], int32[::1], int32)")
def overload_int(x, out, a):
    tile = cuda.shared.array(THREADS, int32)
    i = cuda.grid(1)
    tile[cuda.threadIdx.x] = x[i]
    cuda.syncthreads()
    out[i] = taken(tile[cuda.threadIdx.x], None) * a + int32(i)


@cuda.jit("void(int2[::1], int32[::1], int32)")
def overload_int2(x, out, a):
    tile = cuda.shared.array(THREADS, int2)
    i = cuda.grid(1)
    tile[cuda.threadIdx.x] = x[i]
    cuda.syncthreads()
    out[i] = taken(tile[cuda.threadIdx.x], None) * a + int32(i)


@cuda.jit("void(int32[::1], int32[::1], int32[::1], int32)")
def overload_two(x, y, out, a):
    first = cuda.shared.array(THREADS, int32)
    second = cuda.shared.array(THREADS, int32)
    i = cuda.grid(1)
    first[cuda.threadIdx.x] = x[i]
    second[cuda.threadIdx.x] = y[i]
    cuda.syncthreads()
    out[i] = taken(first[cuda.threadIdx.x], second[cuda.threadIdx.x]) * a + int32(i)


# --- Blocks that note when they began and ended ---------------------------------------------------


@cuda.jit("void(float32[::1], float32[::1], int64[:, ::1])")
def clock_min(x, least, times):
    values = cuda.shared.array(2 * THREADS, float32)
    t = cuda.threadIdx.x
    block = cuda.blockIdx.x
    if t == 0:
        times[0, block] = clock64()
    values[t] = x[t]
    values[t + cuda.blockDim.x] = x[t + cuda.blockDim.x]
    d = cuda.blockDim.x
    while d > 0:
        cuda.syncthreads()
        if t < d:
            values[t] = min(values[t], values[t + d])
        d //= 2
    if t == 0:
        least[block] = values[0]
    cuda.syncthreads()
    if t == 0:
        times[1, block] = clock64()


# --- Products of pairs of 16-bit floats -----------------------------------------------------------


@cuda.jit(device=True)
def products(a, b, total):
    return half2(fma(a.x, b.x, total.x), fma(a.y, b.y, total.y))


@cuda.jit("void(half2[::1], half2[::1], float32[::1])")
def scalar_product(a, b, sums):
    values = cuda.shared.array(128, half2)
    t = cuda.threadIdx.x
    total = half2(0, 0)
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        total = products(a[i], b[i], total)
    values[t] = total
    cuda.syncthreads()
    d = cuda.blockDim.x // 2
    while d > 0:
        if t < d:
            values[t] = values[t] + values[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = float32(values[0].x) + float32(values[0].y)
